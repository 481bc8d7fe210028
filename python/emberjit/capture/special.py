"""Calls that captured code makes of Python's builtins, where a tensor needs a node instead of a Python value."""

from __future__ import annotations

import builtins
import functools
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import tree


def _captured(value: Any) -> bool:
    return bool(core.is_captured(value))


def _number(kind: str, plain: Any) -> Any:
    def convert(value: Any = 0, *rest: Any) -> Any:
        if isinstance(value, core.Tensor) and _captured(value):
            capture = core.current_capture()
            if kind == "bool":
                return capture.truth(value)
            return capture.to_number(core.op_table["cast"](value, core.int64 if kind == "int" else core.float64))
        return plain(value, *rest)

    return convert


def _print(*values: Any, sep: str | None = None, end: str | None = None, **rest: Any) -> None:
    """Prints from the graph, in each call: Tensors as they are then, all else as the text that it is now."""
    rest.pop("flush", None)
    if rest:
        raise core.CaptureError(f"print({', '.join(rest)}=...) cannot be captured into a graph: print to standard output.")
    tensors: list[Any] = []
    parts: list[str] = []
    for value in values:
        if isinstance(value, core.Tensor) or (isinstance(value, core.Number) and not value.known):
            tensors.append(value)
            parts.append("{s}")
            continue
        if any(_captured(leaf) and not isinstance(leaf, core.Number) for leaf in tree.leaves(value)):
            raise core.CaptureError("print of a container of Tensors cannot be captured into a graph: print its items.")
        parts.append(_escaped(str(value.__pos__() if isinstance(value, core.Number) else value)))
    text = _escaped(" " if sep is None else sep).join(parts) + _escaped("\n" if end is None else end)
    if text:
        core.op_table["print_"](tuple(tensors), text)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def is_cell(cls: type) -> bool:
    """Whether instances of a class are Cells, which are made at once, outside the graph."""
    return issubclass(cls, _cell())


@functools.cache
def _cell() -> type:
    from emberjit.nn.cell import Cell

    return Cell


MARK = "__ms_class__"  # of classes under jit_class


def check_callable(function: Any) -> None:
    """Refuses to call instances of a jit_class without __call__."""
    if not callable(function) and hasattr(type(function), MARK):
        raise ValueError(f"MsClassObject: '{type(function).__name__}' has no __call__ function, please check the code.")


def check_finalizer(cls: type) -> None:
    """Refuses to make instances of which Python tells the user when they end."""
    if isinstance(getattr(cls, "__del__", None), types.FunctionType):
        raise core.CaptureError(
            f"an instance of {cls.__name__} is made, whose __del__ a graph would not call: make it outside the captured "
            "function."
        )


_UNREPEATABLE = ("random", "time", "secrets", "numpy.random")
_DEBUGGERS = ("bdb", "pdb")
STOPS = frozenset(["breakpoint", "set_trace"])  # names by which code calls a debugger
_WATCHING = ("_warnings", "inspect", "logging", "sys", "traceback", "warnings")


class SeesFrames(core.CaptureError):  # type: ignore[misc]
    """A debugger is called, which looks at the frames that lead to it: all of these are for Python."""


def check_repeatable(function: Any) -> None:
    """Refuses library functions that a graph cannot hold: of which the result, or more than that, matters in each call."""
    if function is builtins.breakpoint or getattr(function, "__module__", None) in _DEBUGGERS:
        raise SeesFrames(f"{_name(function)}() stops in Python, not in a graph: leave fullgraph=True away to debug.")
    owner = type(getattr(function, "__self__", None)).__module__ or ""
    modules = (getattr(function, "__module__", None) or "", owner)
    if any(module in _UNREPEATABLE or module.startswith("numpy.random") for module in modules):
        name = _name(function)
        if name != "sleep":
            raise core.CaptureError(
                f"{name}() gives something else in each call, which a graph would not repeat: pass its result as an "
                "argument, or use an op."
            )
    elif any(module in _WATCHING for module in modules):
        raise core.CaptureError(
            f"{_name(function)}() tells of this call or sees it, which a graph would not repeat: call it outside the "
            "captured function."
        )


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", repr(function)))


def _type(value: Any, *rest: Any) -> Any:
    return value.__class__ if isinstance(value, core.Number) and not rest else type(value, *rest)


def _frame_reader(function: Any, alone: bool) -> Any:
    def refuse(*args: Any) -> Any:
        if args and alone:
            return function(*args)
        raise core.CaptureError(f"{function.__name__}() cannot be captured into a graph: name the variables.")

    return refuse


CALLS: dict[Any, Any] = {
    **{function: _frame_reader(function, alone=False) for function in (locals, globals, eval, exec)},
    **{function: _frame_reader(function, alone=True) for function in (vars, dir)},
    builtins.type: _type,
    builtins.bool: _number("bool", bool),
    builtins.int: _number("int", int),
    builtins.float: _number("float", float),
    builtins.print: _print,
}
