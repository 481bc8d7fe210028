"""Values as trees: nested tuples, lists and dicts whose leaves are tensors, numbers and other Python objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core


def is_graph_value(value: Any) -> bool:
    """Whether a leaf can be a value of a graph: a Tensor or a number."""
    return isinstance(value, (core.Tensor, core.Number, bool, int, float))


def leaves(value: Any) -> Iterator[Any]:
    """The leaves from left to right."""
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    else:
        yield value


def containers(value: Any) -> Iterator[Any]:
    """The lists and dicts within a value, outermost first."""
    if isinstance(value, (list, dict)):
        yield value
    if isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)


def described(value: Any) -> str:
    """A value in an error message: like repr, but without the elements of Tensors."""
    if isinstance(value, (core.Tensor, core.Number)):
        return type(value).__name__
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {described(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        items = ", ".join(described(item) for item in value)
        return f"[{items}]" if isinstance(value, list) else f"({items})"
    return repr(value)


def rebuild(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """The same structure with every leaf replaced by leaf(old), called from left to right."""
    if isinstance(value, tuple):
        items = [rebuild(item, leaf) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [rebuild(item, leaf) for item in value]
    if isinstance(value, dict):
        return {key: rebuild(item, leaf) for key, item in value.items()}
    return leaf(value)


def structure(value: Any) -> Any:
    """Equal for two values of equal structure, whatever their leaves."""
    if isinstance(value, (tuple, list)):
        return (type(value), tuple(structure(item) for item in value))
    if isinstance(value, dict):
        return (dict, tuple((key, structure(item)) for key, item in value.items()))
    return None


def result_spec(value: Any, results: list[Any]) -> Any:
    """The tree by which a compiled function rebuilds `value`; tensors and numbers are added to `results`."""
    if isinstance(value, (core.Tensor, core.Number)):
        results.append(value)
        return len(results) - 1
    if isinstance(value, dict):
        return ("dict", {key: result_spec(item, results) for key, item in value.items()})
    if type(value) in (tuple, list):
        kind = "tuple" if type(value) is tuple else "list"
        return (kind, tuple(result_spec(item, results) for item in value))
    return ("const", value)


def from_spec(spec: Any, results: list[Any]) -> Any:
    """The value of a result_spec, with these results."""
    if isinstance(spec, int):
        return results[spec]
    kind, content = spec
    if kind == "const":
        return content
    if kind == "dict":
        return {key: from_spec(item, results) for key, item in content.items()}
    items = [from_spec(item, results) for item in content]
    return items if kind == "list" else tuple(items)
