"""Runs a program in Python and by every way of capture, and says what differs.

A program is the text of a module that defines `program(...)` and `calls`: pairs of statements, executed in the module
before a call, and the call's arguments, both as text. Each way of running it executes the module anew. What is compared:
results or errors, the arguments afterwards, and what the module's `left()` returns, if it has one; `after(result)` is
called with results. With `trace = True` the program is traced too, with `graph_mode = True` called in GRAPH_MODE; with
`gradients = True` those of the sum of its last result are compared. Functions that `differentiated` names call the
program: their gradients by `leaves` are compared, with the program captured and as a whole.
"""

from __future__ import annotations

import linecache
import re
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import emberjit as ms
from emberjit import Tensor
from emberjit import _emberjit as core

MODES = ("ast", "bytecode")
_ADDRESS = re.compile(" at 0x[0-9a-f]+")
_SHOWN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, slice)


def plain(value: Any) -> Any:
    """A value as what can be compared, whatever module's classes it is of: numbers and elements by their bits."""
    name = "captured" if isinstance(value, core.Number) else type(value).__name__
    if isinstance(value, Tensor):
        return name, *plain(value.asnumpy())[1:]
    if isinstance(value, (np.ndarray, np.generic)):
        return name, str(value.dtype), value.shape, value.tobytes() if value.dtype != object else repr(value)
    if isinstance(value, _SHOWN):
        return name, repr(value)
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type, types.ModuleType)):
        return name, value.__name__
    if isinstance(value, dict):
        return name, [(plain(key), plain(item)) for key, item in value.items()]
    if isinstance(value, (set, frozenset)):
        return name, sorted(map(plain, value), key=repr)
    if isinstance(value, BaseException):
        line = str(value).split("\n")[0]  # without the user's line, which only graphs name
        return name, _ADDRESS.sub("", line)
    if hasattr(value, "__dict__"):
        return name, plain(vars(value))
    if hasattr(type(value), "__iter__") and not hasattr(type(value), "__next__"):
        return name, [plain(item) for item in value]
    return name


def outcome(function: Any, *args: Any) -> Any:
    """What a call returns or raises, as plain() shows it."""
    try:
        return plain(function(*args))
    except Exception as error:
        return "raises", plain(error)


def gradients(function: Any, args: tuple[Any, ...]) -> Any:
    """Gradients of the sum of the last result by the Tensors among the arguments, or the error."""
    places = tuple(i for i, arg in enumerate(args) if isinstance(arg, Tensor))
    try:
        found = ms.grad(lambda *args: function(*args)[-1].sum(), places)(*args)
    except Exception as error:
        return plain(error)
    return [gradient.asnumpy() for gradient in found]


def _alike(got: Any, wanted: Any) -> bool:
    if isinstance(got, tuple) or isinstance(wanted, tuple):
        return bool(got == wanted)
    return all(np.allclose(a, b, 1e-4, 1e-5, equal_nan=True) for a, b in zip(got, wanted))


def _unlike(got: Any, wanted: Any) -> Iterator[str]:
    """The innermost parts that differ."""
    if isinstance(got, (tuple, list)) and type(got) is type(wanted) and len(got) == len(wanted):
        parts = [pair for pair in zip(got, wanted) if pair[0] != pair[1]]
        if parts != [(got[0], wanted[0])] or not isinstance(got[0], str):
            for a, b in parts:
                yield from _unlike(a, b)
            return
    yield f"  {got} instead of {wanted}"


class Module:
    """The text of a program, executed."""

    def __init__(self, text: str, filename: str, wrap: Callable[[Any], Any] = lambda function: function):
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        self.names: dict[str, Any] = {"__name__": "program"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            code = compile(text, filename, "exec", dont_inherit=True)
        exec(code, self.names)
        self.program = wrap(self.names["program"])

    def arguments(self, text: str) -> tuple[Any, ...]:
        """The arguments of a call."""
        return tuple(eval(f"[{text}]", self.names))

    def call(self, *args: Any) -> Any:
        """What the program returns, after what is to happen to that."""
        return self.names.get("after", lambda result: result)(self.program(*args))

    def outcomes(self) -> list[Any]:
        """Those of all calls."""
        found = []
        for change, text in self.names["calls"]:
            changed, args = outcome(exec, change, self.names), self.arguments(text)
            found.append((changed, outcome(self.call, *args), plain(args), outcome(self.names.get("left", list))))
        return found


def ways(module: Module) -> dict[str, Callable[[Any], Any]]:
    """What a program's function is wrapped in."""
    found = {mode: lambda function, mode=mode: ms.jit(function, capture_mode=mode) for mode in MODES}
    if module.names.get("trace"):
        found["trace"] = lambda function: ms.jit(capture_mode="trace")(function)
    if module.names.get("graph_mode"):
        found["GRAPH_MODE"] = _in_graph_mode
    return found


def _in_graph_mode(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            return function(*args)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)

    return call


def differences(text: str, filename: str) -> list[str]:
    """What differs, in words."""
    with warnings.catch_warnings():
        return _differences(text, filename)


def _differences(text: str, filename: str) -> list[str]:
    module = Module(text, filename)
    wanted, found = module.outcomes(), []
    for way, wrap in ways(module).items():
        got = Module(text, filename, wrap).outcomes()
        for number, (call, a, b) in enumerate(zip(module.names["calls"], got, wanted)):
            if a != b:
                found.append("\n".join([f"{way}, call {number} {call}:", *_unlike(a, b)]))
                break
    if module.names.get("gradients") and not found:
        args = module.arguments(module.names["calls"][0][1])
        expected = gradients(module.program, args)
        for way, wrap in ways(module).items():
            given = gradients(ms.jit(Module(text, filename, wrap).program), args)
            if not _alike(given, expected):
                found.append(f"gradients by {way}: {given} instead of {expected}")
    for name in module.names.get("differentiated", ()):
        expected = gradients(module.names[name], module.names["leaves"])
        for way, given in gradients_by_ways(text, name):
            if not _alike(given, expected):
                found.append(f"gradients of {name} by {way}: {given} instead of {expected}")
    return found


def gradients_by_ways(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """Gradients of a function by the module's leaves, where what it calls is captured, and where all is."""
    for mode in MODES:
        wrap = lambda function, mode=mode: ms.jit(function, capture_mode=mode)
        module = Module(text, f"<{name} by {mode}>", wrap)
        whole, leaves = wrap(module.names[name]), module.names["leaves"]
        yield f"{mode}, whole", gradients(whole, leaves)
        module.names["program"] = module.program
        yield f"{mode}, called", gradients(module.names[name], leaves)
