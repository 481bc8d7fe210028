"""Graphs that several calls share: cells under lazy_inline and functions under no_inline.

What a call computes is decided by the function and by all that it can read from its arguments. Both are described by a
key, in which each Tensor is a number: a call with the key of an earlier one, and with Tensors of the same types, becomes
a call of the earlier one's graph with other operands. What cannot be described so (a closure over the captured function's
variables), and calls with effects on Python objects, are captured in place, as any other call.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture import outside, special, state, tree
from emberjit.capture.frame import Closure
from emberjit.capture.memory import Memory
from emberjit.ops.primitive import Primitive
from emberjit.pullback import differentiating

_BOOKKEEPING = frozenset({"_version", "_jitted", "_fullgraph", "__vmapped__", "cell_init_args"})  # of Cells
_INNER = ("_cells", "_params")
_PLAIN = (str, bytes, bool, int, complex, type(None))


class Body(NamedTuple):
    """A captured graph, the types of its operands, and how its results make up the function's value."""

    graph: Any
    kinds: list[Any]
    results: Any
    held: list[Any]  # objects that the key names by id


class _Operand:
    """A result that is an operand."""

    def __init__(self, index: int):
        self.index = index


class _Unshared(Exception):
    """A call that has a graph of its own."""


class _Description:
    """The key of one call, and the Tensors that it numbers."""

    def __init__(self, reads: state.Reads):
        self.capture = core.current_capture()
        self.reads = reads
        self.operands: list[Any] = []
        self.places: dict[Any, int] = {}
        self.seen: dict[int, int] = {}
        self.held: list[Any] = []

    def of_function(self, function: Any) -> Any:
        """The key of a function, and of the object whose method it is: what it says about them is guarded."""
        if isinstance(function, types.MethodType):
            key = ("method", id(function.__func__), self.of(function.__self__))
        else:
            key = ("function", id(function), None)
        for value in self.held:
            if id(value) not in self.reads.made and not hasattr(type(value), "__next__"):
                if hasattr(type(value), special.MARK):
                    self.reads.guard_content(vars(value))
                outside.take(value)
        self.held.append(function)
        return key

    def of(self, value: Any) -> Any:
        """A value as a key."""
        if isinstance(value, core.Tensor):
            return self._tensor(value)
        if type(value) in _PLAIN:
            return type(value), value
        if type(value) is float:
            return float, value.hex()
        if type(value) is tuple:
            return tuple, tuple(self.of(item) for item in value)
        if id(value) in self.seen:
            return "again", self.seen[id(value)]
        self.held.append(value)
        if isinstance(value, (types.FunctionType, Closure)):
            if id(value) not in self.reads.known:
                raise _Unshared  # made inside, it may see variables that change
        elif self._has_content(value):
            self.seen[id(value)] = len(self.seen)
            return type(value), self._content(value)
        return "object", id(value)

    def _has_content(self, value: Any) -> bool:
        if isinstance(value, (tuple, list, dict)) or id(value) in self.reads.made:
            return True
        return special.is_cell(type(value)) or isinstance(value, Primitive) or hasattr(type(value), special.MARK)

    def _content(self, value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return tuple(self.of(item) for item in value)
        if isinstance(value, dict):
            return self._items(value)
        fields = {name: field for name, field in vars(value).items() if name not in _BOOKKEEPING}
        inner = [fields.pop(name, {}) for name in _INNER]
        return self._items(fields), *(self._items(part) for part in inner)

    def _items(self, fields: dict[Any, Any]) -> Any:
        return tuple((name if type(name) is str else self.of(name), self.of(field)) for name, field in fields.items())

    def _tensor(self, tensor: Any) -> Any:
        place = self.capture.place(tensor)
        if place is None:
            self.held.append(tensor)
            return "constant", id(tensor)
        if place not in self.places:
            self.places[place] = len(self.operands)
            self.operands.append(tensor)
        return "tensor", self.places[place], isinstance(tensor, core.Parameter) and tensor.requires_grad

    def index(self, leaf: Any) -> int | None:
        """Which operand a Tensor is."""
        return self.places.get(self.capture.place(leaf)) if isinstance(leaf, core.Tensor) else None


def call(function: Any, args: Any, kwargs: Any, keep: bool) -> Any:
    """Calls a function through a graph that calls with the same key share; `keep`: the calls are not inlined."""
    reads = state.current_reads()
    if reads is None:
        return function(*args, **kwargs)
    described = _Description(reads)
    try:
        key = (described.of_function(function), keep, differentiating(), described.of(args), described.of(kwargs))
        return _shared(key, described, function, args, kwargs)
    except _Unshared:
        return _follow(function, args, kwargs)


def _follow(function: Any, args: Any, kwargs: Any) -> Any:
    from emberjit.capture import interpret

    if isinstance(function, types.FunctionType):
        return interpret.interpret(function, args, kwargs)
    return interpret.call(function, *args, **kwargs)


def _shared(key: Any, described: _Description, function: Any, args: Any, kwargs: Any) -> Any:
    capture, operands = described.capture, described.operands
    kinds = [capture.type_of(operand) for operand in operands]
    bodies = described.reads.bodies.setdefault(key, [])
    fitting = (body for body in bodies if body.kinds == kinds and capture.can_call(body.graph))
    body = next(fitting, None)
    if body is None:
        body = _captured(key, described, kinds, lambda: _follow(function, args, kwargs), (function, args, kwargs))
        bodies.append(body)
    value = tree.from_spec(body.results, capture.call(body.graph, operands))
    return tree.rebuild(value, lambda leaf: operands[leaf.index] if isinstance(leaf, _Operand) else leaf)


def _captured(key: Any, described: _Description, kinds: list[Any], run: Callable[[], Any], reached: Any) -> Body:
    capture = described.capture
    memory = Memory({"reached": reached})
    name = getattr(reached[0], "__qualname__", "shared").replace("<locals>.", "")
    capture.begin_shared(name, described.operands, key[1])
    try:
        value = run()
        _keep_own_writes(memory)
        _check_names(described)
        inputs = {id(container) for container in tree.containers(reached[1:])}
        results: list[Any] = []
        spec = tree.result_spec(_results(described, inputs, value), results)
        graph = capture.end_graph(results)
    except BaseException:
        capture.abandon_graph()
        raise
    return Body(graph, kinds, spec, described.held)


def _keep_own_writes(memory: Memory) -> None:
    """Refuses a call that changes something that was there before it."""
    changes = memory.take_back()
    for place, key in changes:
        where = memory.capture.place(memory.tensors[key]) if place < 0 else None
        if where is None or where[0] != memory.capture.level():
            raise _Unshared
    memory.store(changes)


def _check_names(described: _Description) -> None:
    """Refuses a call that reads the name of an operand, which the next call's operand has not."""
    operands = {id(operand) for operand in described.operands}
    if any(owner in operands and name == "name" for _, owner, name in described.reads.guards):
        raise _Unshared


def _results(described: _Description, inputs: set[int], value: Any) -> Any:
    """A call's value with its operands marked; refuses what another call would have to give anew."""
    if isinstance(value, core.Tensor):
        index = described.index(value)
        if index is not None:
            return _Operand(index)
        if not core.is_captured(value) or described.capture.shares_memory(value):
            raise _Unshared
        return value
    if isinstance(value, core.Number) or type(value) in (*_PLAIN, float):
        return value
    if type(value) is tuple:
        return tuple(_results(described, inputs, item) for item in value)
    if id(value) in inputs:
        raise _Unshared
    if type(value) is list:
        return [_results(described, inputs, item) for item in value]
    if type(value) is dict:
        return {key: _results(described, inputs, item) for key, item in value.items()}
    raise _Unshared
