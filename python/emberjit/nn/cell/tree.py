"""The tree of a Cell as HTML, which folds: a section for each Cell, with the shapes of its own Parameters and the number of
elements of all within it. Only fields are read, so that a Cell whose __init__ has not ended shows what there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from emberjit.printing import html


def tree(cell: Any, name: str = "", outer: tuple[int, ...] = ()) -> str:
    """The section of a Cell.

    Args:
        name: the attribute that holds it.
        outer: the ids of the Cells around it.
    """
    if cell is None or id(cell) in outer:
        return html.details(f"({name}): {'None' if cell is None else type(cell).__name__ + '(...)'}")
    count = sum(parameter.size for parameter in parameters_of(cell))
    title = f"({name}): {_head(cell)}" if name else _head(cell)
    parts = [_own(cell)] if _members(cell, "_params") or _members(cell, "_buffers") else []
    parts += [tree(inner, key, (*outer, id(cell))) for key, inner in _members(cell, "_cells").items()]
    return html.details(f"{title}: {count:,} in Parameters" if count else title, *parts, is_open=not name)


def _members(cell: Any, kind: str) -> dict[str, Any]:
    return cell.__dict__.get(kind, {})  # type: ignore[no-any-return]


def _head(cell: Any) -> str:
    """The class, and what repr shows between brackets beside inner Cells."""
    try:
        inside = ", ".join(line.strip().rstrip(",") for line in cell.extend_repr().split("\n"))
    except Exception:  # it reads fields that are not set yet
        inside = "..."
    return f"{type(cell).__name__}({inside})"


def _own(cell: Any) -> str:
    """The table of a Cell's own Parameters and buffers."""
    kinds = (("_params", "Parameter"), ("_buffers", "buffer"))
    rows = [
        (name, str(tuple(value.shape)), str(value.dtype), f"{value.size:,}", _note(value, what))
        for kind, what in kinds
        for name, value in _members(cell, kind).items()
        if value is not None
    ]
    return html.table(("name", "shape", "dtype", "elements", ""), rows)


def _note(value: Any, what: str) -> str:
    return what if what == "buffer" or value.requires_grad else "Parameter, not trained"


def parameters_of(cell: Any) -> Iterator[Any]:
    """The Parameters of a Cell and all within it, each once."""
    once: dict[int, Any] = {}
    cells, seen = [cell], {id(cell)}
    for one in cells:
        once |= {id(parameter): parameter for parameter in _members(one, "_params").values() if parameter is not None}
        for inner in _members(one, "_cells").values():
            if inner is not None and id(inner) not in seen:
                seen.add(id(inner))
                cells.append(inner)
    return iter(once.values())
