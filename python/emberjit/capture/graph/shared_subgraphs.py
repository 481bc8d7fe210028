"""Graphs that several calls share: cells under lazy_inline, functions under no_inline, and those that call themselves.

What a call computes is decided by the function and by all that it can read from its arguments. Both are described by a
key, in which each Tensor is a number: a call with the key of an earlier one, and with Tensors of the same types, becomes
a call of the earlier one's graph with other operands. What cannot be described so (a closure over the captured function's
variables), and calls with side effects on Python objects, are captured in place, as any other call. A Tensor among the
arguments is the graph's own within it, so that it differs from one that the function sees otherwise.

What a function calls itself for is the graph that is being captured. What that reads and returns is found by
capturing it first without the code that waits for a call of itself, then with such calls as they were found to be, until
they are found so again.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.lookup import defines
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.guards.objects import guard_object, observe
from emberjit.capture.guards.record import IGNORED
from emberjit.capture.session.call_depth import too_deep
from emberjit.capture.session.differentiation import differentiating
from emberjit.capture.session.errors import UnknownResult
from emberjit.capture.session.session import Engine, Session
from emberjit.capture.state.namespace import Closure
from emberjit.capture.state.results import from_spec, is_at_hand, result_spec
from emberjit.capture.state.side_effects import SideEffects
from emberjit.primitives.primitive import Primitive
from emberjit.values import tree
from emberjit.values.cells import CellMarker, is_jit_class

_BOOKKEEPING = IGNORED - {"_input_signature"} | {"_version"}  # of Cells
_INNER = ("_cells", "_params", "_buffers")
_PLAIN = (str, bytes, bool, int, complex, type(None))
_WITH_CONTENT = (tuple, list, dict, CellMarker, Primitive)
_CHANGES = "it changes a list, dict, object or Tensor that was there before"
MAX_ROUNDS = 10  # of capturing what calls itself


@dataclasses.dataclass(eq=False)
class SharedSubgraph:
    """A captured graph, the types of its operands, and how its results make up the function's value.

    While it is being captured these are what the round before has found, if there was one.
    """

    number: int  # in the order in which they were begun
    kinds: list[Any]
    held: list[Any]  # objects that the key names by id
    graph: Any = None
    results: Any = None
    shares: list[Any] | None = None  # if results may be views of operands: those that may be views of others too
    called: bool = False  # by itself, in this round
    settled: bool = False

    def fits(self, kinds: list[Any], capture: core.Capture) -> bool:
        """Whether the current graph may call it with operands of these types: itself, also if sizes are equal in this call
        only."""
        if self.graph is not None and not capture.can_call(self.graph):
            return False
        alike = not self.settled and len(kinds) == len(self.kinds)
        return kinds == self.kinds or (alike and all(a.agrees(b) for a, b in zip(self.kinds, kinds)))


@dataclasses.dataclass(frozen=True)
class _Operand:
    """A result that is an operand."""

    index: int


class Unshared(Exception):
    """A call that has a graph of its own, and why."""


class _Description:
    """The key of one call, and the Tensors that it numbers."""

    def __init__(self, session: Session):
        self.capture = core.current_capture()
        self.session = session
        self.operands: list[Any] = []
        self.places: dict[Any, int] = {}
        self.known: set[int] = set()  # operands that are found in objects, or are Parameters
        self.within = 0  # objects
        self.seen: dict[int, int] = {}
        self.held: list[Any] = []
        self.shares: list[Any] | None = None

    def of_call(self, function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
        """The key of a call. What it says about objects is guarded; lists and dicts among the arguments are as they are."""
        self.held.append(function)
        if isinstance(function, types.MethodType):
            called = ("method", id(function.__func__), self.of(function.__self__))
        else:
            called = ("function", id(function), None)
        for value in self.held[1:]:
            self._guard(value)
        count = len(self.held)
        key = called, self.of(args), self.of(kwargs)
        for value in self.held[count:]:
            if isinstance(value, CellMarker) or is_jit_class(type(value)):
                self._guard(value)
        return key

    def _guard(self, value: Any) -> None:
        if id(value) not in self.session.created and not defines(value, "__next__"):
            if is_jit_class(type(value)):
                self.session.guard_content(vars(value))
            guard_object(value)

    def of(self, value: Any) -> Any:
        """A value as a key."""
        if tree.is_open(value):
            return self._tensor(value)
        if type(value) in _PLAIN:
            return type(value), value
        if type(value) is float:
            return float, value.hex()
        if isinstance(value, core.Number):
            return "number", value.expression
        if type(value) is tuple:
            return tuple, tuple(self.of(item) for item in value)
        if id(value) in self.seen:
            return "again", self.seen[id(value)]
        self.held.append(value)
        if isinstance(value, (types.FunctionType, Closure)):
            if id(value) not in self.session.external:
                raise Unshared("a function that is defined inside is passed to it")  # it may see variables that change
        elif isinstance(value, _WITH_CONTENT) or id(value) in self.session.created or is_jit_class(type(value)):
            self.seen[id(value)] = len(self.seen)
            container = type(value) in (list, dict)
            self.within += not container
            observe(value)
            content = self._content(value)
            self.within -= not container
            return type(value), content
        return "object", id(value)

    def _content(self, value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return tuple(self.of(item) for item in value)
        if isinstance(value, dict):
            return self._items(value)
        own = vars(value)
        fields = {name: self._field(own, name) for name in own if name not in _BOOKKEEPING}
        if id(value) not in self.session.created:
            for field in fields.values():
                if type(field) in (list, dict):
                    guard_object(field)
        inner = [fields.pop(name, {}) for name in _INNER]
        return self._items(fields), *(self._items(part) for part in inner)

    def _field(self, fields: dict[str, Any], name: str) -> Any:
        """What an object has by a name; where each call reads it anew, what stands for it."""
        moves = isinstance(fields[name], core.Tensor) and self.session.varies(("item", id(fields), name), fields[name])
        return self.session.read("item", fields, name, fields[name]) if moves else fields[name]

    def _items(self, fields: dict[Any, Any]) -> Any:
        return tuple((name if type(name) is str else self.of(name), self.of(field)) for name, field in fields.items())

    def _tensor(self, tensor: core.Tensor) -> Any:
        place = self.capture.place(tensor)
        if place is None:
            self.held.append(tensor)
            return "constant", id(tensor)
        if place not in self.places:
            self.places[place] = len(self.operands)
            self.operands.append(tensor)
        if self.within or isinstance(tensor, core.Parameter):
            self.known.add(self.places[place])
        return "tensor", self.places[place], isinstance(tensor, core.Parameter) and tensor.requires_grad

    def begin(self, name: str, keep: bool) -> None:
        """Begins a graph with the operands as parameters."""
        known = [i in self.known for i in range(len(self.operands))]
        self.params = self.capture.begin_shared(name, self.operands, known, keep)
        self.own = {self.capture.place(param): i for i, param in enumerate(self.params)}

    def inner(self, leaf: Any) -> Any:
        """What an operand is within the graph."""
        index = self.places.get(self._place(leaf))
        return leaf if index is None or index in self.known else self.params[index]

    def index(self, leaf: Any) -> int | None:
        """Which operand something within the graph is."""
        place = self._place(leaf)
        known = self.places.get(place)
        return known if known in self.known else self.own.get(place)

    def tensors(self) -> list[Any]:
        """The operands as they are within the graph."""
        within = [self.operands[i] if i in self.known else param for i, param in enumerate(self.params)]
        return [value for value in within if isinstance(value, core.Tensor)]

    def _place(self, leaf: Any) -> Any:
        return self.capture.place(leaf) if tree.is_open(leaf) else None


def call(session: Session, function: Callable[..., Any], args: Args, kwargs: Kwargs, keep: bool) -> Any:
    """Calls a function through a graph that calls with the same key share; `keep`: the calls are not inlined."""
    run = functools.partial(_in_place, session.engine, function)
    try:
        return through(session, function, args, kwargs, keep, run)
    except Unshared:
        return run(args, kwargs)


def through(
    session: Session, function: Callable[..., Any], args: Args, kwargs: Kwargs, keep: bool, run: Callable[[Any, Any], Any]
) -> Any:
    """The same for a function that `run` runs into the current graph.

    Raises:
        Unshared: the call shares no graph.
    """
    described = _Description(session)
    rules = core.precision_rules()
    key = (described.of_call(function, args, kwargs), keep, differentiating(), id(rules))
    described.held.append(rules)
    capture, operands = described.capture, described.operands
    kinds = [capture.type_of(operand) for operand in operands]
    known = next((shared for shared in session.subgraphs.get(key, ()) if shared.fits(kinds, capture)), None)
    subgraph = known or _captured(key, described, kinds, run, (function, args, kwargs))
    subgraph.called = True
    if subgraph.graph is None:
        raise UnknownResult(subgraph)
    outputs = capture.call(subgraph.graph, operands)
    if subgraph.shares is not None:  # results may be views of what was there and of each other
        results = tree.tensors(outputs)
        for result, other in itertools.product(results, [*tree.tensors([*operands, *subgraph.shares]), *results]):
            capture.share_memory(other, result)
    value = from_spec(subgraph.results, outputs)
    return tree.rebuild(value, lambda leaf: operands[leaf.index] if isinstance(leaf, _Operand) else leaf)


def _in_place(engine: Engine, function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
    if isinstance(function, types.FunctionType):
        return engine.interpret(function, args, kwargs)
    return engine.call(function, *args, **kwargs)


def _captured(key: Any, described: _Description, kinds: list[Any], run: Callable[..., Any], reached: Any) -> SharedSubgraph:
    subgraph = SharedSubgraph(len(described.session.subgraph_keys), kinds, described.held)
    described.session.share(key, subgraph)
    try:
        for _ in range(MAX_ROUNDS):
            subgraph.settled = _settles(subgraph, key, described, run, reached)
            if subgraph.settled:
                return subgraph
            described.session.forget_shared(subgraph.number + 1)
        raise core.CaptureError("what a function that calls itself returns does not settle.")
    except BaseException as error:
        described.session.forget_shared(subgraph.number)
        if isinstance(error, UnknownResult) and error.subgraph is subgraph:
            raise too_deep("unlimited") from None
        raise


def _settles(subgraph: SharedSubgraph, key: Any, described: _Description, run: Callable[..., Any], reached: Any) -> bool:
    """Captures the graph; returns whether it is what its calls of itself took it for."""
    capture, function = described.capture, reached[0]
    before, results, shared = subgraph.graph, subgraph.results, subgraph.shares
    name = getattr(function, "__qualname__", getattr(function, "__name__", "shared")).replace("<locals>.", "")
    subgraph.called = False
    described.begin(name, key[1])
    try:
        if before is not None:
            subgraph.graph = capture.declare_like(before)
        args, kwargs = tree.rebuild(reached[1:], described.inner)
        effects = SideEffects({"reached": (function, args, kwargs)})
        value = run(args, kwargs)
        draft = subgraph.called and before is None
        if not draft:
            _check_writes(effects)
            known = set(map(id, described.operands))
            if any(described.own.get(capture.place(param)) != i for i, param in enumerate(described.params)):
                raise Unshared(_CHANGES)  # the graph writes an operand of its own
            if any(owner in known and name == "name" for _, owner, name in described.session.guards):
                raise Unshared("it reads the name of a Parameter")  # which the next call's has not
            inputs = {id(container) for container in tree.containers((args, kwargs))}
            value = _results(described, inputs, value)
        outputs: list[Any] = []
        subgraph.results, subgraph.shares = result_spec(value, outputs), described.shares
        subgraph.graph = capture.end_graph(outputs)
    except BaseException:
        capture.abandon_graph()
        raise
    if draft:
        effects.roll_back()
    if not subgraph.called:
        return True
    alike = before is not None and results == subgraph.results and (shared is None) == (subgraph.shares is None)
    return alike and bool(capture.alike(before, subgraph.graph))


def _check_writes(effects: SideEffects) -> None:
    """Refuses a call that changes something that was there before it."""
    changes = effects.roll_back()
    if not all(holder < 0 and is_at_hand(effects.tensors[key]) for holder, key in changes):
        raise Unshared(_CHANGES)
    effects.store(changes)


def _results(described: _Description, inputs: set[int], value: Any) -> Any:
    """A call's value with its operands marked; refuses what another call would have to give anew."""
    if isinstance(value, core.Tensor):
        index = described.index(value)
        if index is not None:
            return _Operand(index)
        if not core.is_captured(value):
            raise Unshared("it returns a Tensor that is always the same")
        if described.capture.shares_memory(value):
            outside = described.capture.shares_memory(value, described.tensors())
            described.shares = (described.shares or []) + ([value] if outside else [])
        return value
    if isinstance(value, core.Number) or type(value) in (*_PLAIN, float):
        return value
    if id(value) in inputs:
        raise Unshared(f"it returns a {type(value).__name__} that it was given")
    if type(value) in (tuple, list):
        return type(value)([_results(described, inputs, item) for item in value])
    if type(value) is dict:
        return {key: _results(described, inputs, item) for key, item in value.items()}
    raise Unshared(f"it returns a {type(value).__name__}")
