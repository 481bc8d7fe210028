"""Calls that captured code makes of Python's builtins, where a tensor needs a node instead of a Python value."""

from __future__ import annotations

import builtins
from typing import Any

from emberjit import _emberjit as core


def _captured(value: Any) -> bool:
    return bool(core.is_captured(value))


def _number(kind: str, plain: Any) -> Any:
    def convert(value: Any = 0, *rest: Any) -> Any:
        if isinstance(value, core.Tensor) and _captured(value):
            capture = core.current_capture()
            return capture.truth(value) if kind == "bool" else capture.to_number(value)
        return plain(value, *rest)

    return convert


def _print(*values: Any, sep: str = " ", end: str = "\n", **rest: Any) -> None:
    """In a graph that has not run yet: prints whenever it runs, Tensors as str shows them."""
    live = [isinstance(value, core.Tensor) or _unknown(value) for value in values]
    if not any(_captured(value) or _unknown(value) for value in values) or rest.get("file") is not None:
        return builtins.print(*values, sep=sep, end=end, **rest)
    shown = ["{s}" if runs else _escaped(str(value)) for value, runs in zip(values, live)]
    text = _escaped(sep).join(shown) + _escaped(end)
    core.op_table["print_"]([value for value, runs in zip(values, live) if runs], text)
    return None


def _unknown(value: Any) -> bool:
    return isinstance(value, core.Number) and not value.known


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def makes_cells(cls: type) -> bool:
    """Whether instances of a class are Cells, which are made at once, outside the graph."""
    from emberjit.nn.cell import Cell

    return issubclass(cls, Cell)


CALLS: dict[Any, Any] = {
    builtins.bool: _number("bool", bool),
    builtins.int: _number("int", int),
    builtins.float: _number("float", float),
    builtins.print: _print,
}
