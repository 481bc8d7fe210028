"""Functions with free variables that are defined inside executed code."""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.generators import start
from emberjit.capture.calls.plain_values import plain_result
from emberjit.capture.code import signature
from emberjit.capture.code.decoding import CELL_STORES, assigns
from emberjit.capture.code.instructions import plain_name
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.graph import recursion
from emberjit.capture.state import reconstruction
from emberjit.capture.state.namespace import Closure
from emberjit.capture.state.reconstruction import Build, Reconstruction, is_empty
from emberjit.values.memo import MEMO


def new_function(
    code: types.CodeType,
    names: Any,
    name: str,
    defaults: Any,
    cells: Any,
    kwdefaults: Any,
    annotations: Any,
    attributes: Any = (),
) -> Any:
    """A function of Python's."""
    function = types.FunctionType(code, names, name, defaults, tuple(cells))
    function.__kwdefaults__, function.__annotations__ = kwdefaults, annotations
    for attribute, value in dict(attributes).items():
        setattr(function, attribute, value)
    return function


_METADATA = ("__doc__", "__module__", "__qualname__")
_COMPREHENSIONS = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")


class BytecodeClosure(Closure):
    """One of them, with the namespace that it sees, and by the names of its free variables what has these."""

    __slots__ = ("__annotations__", "__code__", "__defaults__", "__kwdefaults__", "__name__", "owners")

    def __init__(
        self, code: types.CodeType, namespace: Any, names: tuple[str, ...], defaults: Any, kwdefaults: Any, annotations: Any
    ):
        self.__code__, self.namespace, self.__annotations__ = code, namespace, annotations
        self.owners = {free: namespace.cells.get(name, namespace) for free, name in zip(code.co_freevars, names)}
        self.__name__, self.__defaults__, self.__kwdefaults__ = code.co_name, defaults, kwdefaults
        self.__module__, self.__qualname__ = namespace.global_names.get("__name__"), code.co_qualname
        self.__doc__ = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) else None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        generator = signature.is_generator(self.__code__)
        if core.current_capture() is None:
            return self.real()(*args, **kwargs)
        if signature.suspends(self.__code__) and not generator:
            raise core.CaptureError(f"'{self.__name__}' makes a coroutine, which a graph would not run: await it outside.")

        def call(args: Args, kwargs: Kwargs) -> Any:
            variables = signature.bind(self, args, kwargs)  # type: ignore[arg-type]
            names = self.namespace.global_names
            return core.call_without_frames(start, self.__code__, self.owners, names, variables)

        return plain_result(call(args, kwargs) if generator else recursion.run_call(self.__code__, self, args, kwargs, call))

    def real(self) -> types.FunctionType:
        """A function that sees the variables as they are now."""
        cells = []
        for name, owner in self.owners.items():
            shared = isinstance(owner, types.CellType)
            known = shared or name in owner or name in owner.lost
            cells.append(owner if shared else types.CellType(owner[name]) if known else types.CellType())
        arguments, notes = (self.__defaults__, cells, self.__kwdefaults__), self.__annotations__
        names: Any = self.namespace.global_names
        function: types.FunctionType = new_function(self.__code__, names, self.__name__, *arguments, notes, self.__dict__)
        return function


def _reconstruct(values: Reconstruction, value: BytecodeClosure) -> Build:
    own = {name: owner for name, owner in value.owners.items() if not isinstance(owner, types.CellType)}
    if not all(name in owner and _is_constant(values, value, name) for name, owner in own.items()):
        raise core.CaptureError(f"the function '{value.__name__}' is needed after a break, and its variables change.")
    cells = [types.CellType() if name in own else owner for name, owner in value.owners.items()]
    contents = [values.build_of(own[name][name]) if name in own else None for name in value.owners]
    return _remade(values, value, value.namespace.global_names, cells, contents, [name in own for name in value.owners])


def _reconstruct_function(values: Reconstruction, value: types.FunctionType) -> Build:
    """One that captured code has made, without free variables, or a library."""
    cells = list(value.__closure__ or ())
    contents = [None if is_empty(cell) else values.build_of(cell.cell_contents) for cell in cells]
    return _remade(values, value, value.__globals__, cells, contents, [True] * len(cells))


def _remade(values: Reconstruction, value: Any, names: Any, cells: list[Any], contents: list[Any], new: list[bool]) -> Build:
    """A function with these cells, or others in their place, with contents that are made anew."""
    fields = {name: field for name, field in value.__dict__.items() if name != MEMO}
    parts = values.build_of((value.__defaults__, value.__kwdefaults__, value.__annotations__, fields))

    def build(context: core.Context) -> Any:
        defaults, kwdefaults, notes, fields = parts(context)
        own = [context.made.setdefault(id(cell), types.CellType()) if fresh else cell for cell, fresh in zip(cells, new)]
        metadata = {name: getattr(value, name) for name in _METADATA}
        function = new_function(value.__code__, names, value.__name__, defaults, own, kwdefaults, notes, fields | metadata)
        context.made[id(value)] = function  # before its variables, which may lead to it
        for cell, content in zip(own, contents):
            if content is not None:
                cell.cell_contents = content(context)
        return function

    return build


def _is_constant(values: Reconstruction, inner: BytecodeClosure, name: str) -> bool:
    """Whether a variable that an inner function sees keeps its value."""
    if values.code is None:
        return False
    if inner.__name__ in _COMPREHENSIONS:
        return not assigns(inner.__code__, name)
    all_of_it = values.code.instructions
    stores = [at for at, ins in enumerate(all_of_it) if ins.name in CELL_STORES and plain_name(ins.operand) == name]
    again = any(0 <= ins.target <= at <= i for at in stores for i, ins in enumerate(all_of_it))
    is_parameter = name in signature.parameters(values.code.code)
    return len(stores) + is_parameter <= 1 and not again and not assigns(inner.__code__, name)


reconstruction.register(BytecodeClosure, _reconstruct)
reconstruction.register(types.FunctionType, _reconstruct_function)
