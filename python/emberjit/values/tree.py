"""Values as trees: nested tuples, lists and dicts, whose leaves are Tensors, numbers and other Python objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core

LEAVES = frozenset((core.Tensor, *core.NUMBERS, bool, int, float, str, type(None)))  # the common ones, which lead nowhere
GRAPH_VALUES = frozenset((core.Tensor, *core.NUMBERS, bool, int, float))  # likewise


def is_tuple(value: Any) -> bool:
    """Whether a value is a tuple or a named one; other subclasses, also of lists and dicts, are leaves."""
    return type(value) is tuple or (issubclass(type(value), tuple) and hasattr(type(value), "_fields"))


def is_graph_value(value: Any) -> bool:
    """Whether a leaf can be a value of a graph: a Tensor or a number, of no class but Python's own."""
    return type(value) in GRAPH_VALUES or isinstance(value, (core.Tensor, core.Number))


def is_open(leaf: Any) -> bool:
    """Whether only runs of a graph know a leaf: a Tensor, or a number computed from one."""
    return isinstance(leaf, core.Tensor) or (isinstance(leaf, core.Number) and not leaf.known)


def leaves(value: Any) -> list[Any]:
    """The leaves from left to right."""
    if type(value) in LEAVES:
        return [value]
    if type(value) is tuple and LEAVES.issuperset(map(type, value)):
        return list(value)
    if type(value) is dict:
        return [leaf for item in value.values() for leaf in leaves(item)]
    if type(value) is list or is_tuple(value):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def containers(value: Any) -> list[Any]:
    """The lists and dicts within a value, outermost first, as often as they occur; each is entered once."""
    if type(value) in LEAVES or (type(value) is tuple and LEAVES.issuperset(map(type, value))):
        return []
    result: list[Any] = []
    seen: set[int] = set()
    todo = [value]
    while todo:
        part = todo.pop()
        if type(part) in LEAVES or not (type(part) in (list, dict) or is_tuple(part)):
            continue
        if not isinstance(part, tuple):
            result.append(part)
        if id(part) not in seen:
            seen.add(id(part))
            todo.extend(reversed(part.values() if type(part) is dict else part))
    return result


def _object(value: Any) -> Any:
    return value.value if isinstance(value, core.Number) else value


def plain_key(key: Any) -> Any:
    """A key of a dict, in which captured numbers, pinned by their hash, are their values."""
    return rebuild(key, _object) if isinstance(key, (core.Number, tuple)) else key


def described(value: Any) -> str:
    """A value in an error message: like repr, but without the elements of Tensors."""
    if isinstance(value, (core.Tensor, core.Number)):
        return type(value).__name__
    if type(value) is dict:
        return "{" + ", ".join(f"{key!r}: {described(item)}" for key, item in value.items()) + "}"
    if is_tuple(value) or type(value) is list:
        items = ", ".join(described(item) for item in value)
        return f"[{items}]" if type(value) is list else f"({items})"
    return repr(value)


def rebuild(value: Any, leaf: Callable[[Any], Any], once: dict[int, Any] | None = None) -> Any:
    """The same structure with every leaf replaced by leaf(old), called from left to right. With `once`, lists and dicts that
    occur again, also within themselves, are one in the result too: it has the new ones by the old ones' id, outermost
    first."""
    if type(value) in LEAVES:
        return leaf(value)
    if is_tuple(value):
        items = [rebuild(item, leaf, once) for item in value]
        return tuple.__new__(type(value), items)
    if type(value) not in (list, dict):
        return leaf(value)
    if once is not None and id(value) in once:
        return once[id(value)]
    result: Any = type(value)()
    if once is not None:
        once[id(value)] = result
    if type(value) is list:
        result.extend(rebuild(item, leaf, once) for item in value)
    else:
        result.update((key, rebuild(item, leaf, once)) for key, item in value.items())
    return result


def structure(value: Any) -> Any:
    """Equal for two values of equal structure, whatever their leaves."""
    if type(value) in LEAVES:
        return None
    if is_tuple(value) or type(value) is list:
        return (type(value), tuple(structure(item) for item in value))
    if type(value) is dict:
        return (dict, tuple((key, structure(item)) for key, item in value.items()))
    return None


def tensors(value: Any) -> list[Any]:
    """The Tensors within a value."""
    return [leaf for leaf in leaves(value) if isinstance(leaf, core.Tensor)]


def with_tensors(value: Any, replacements: Sequence[Any]) -> Any:
    """The value with others in place of its Tensors."""
    following = iter(replacements)
    return rebuild(value, lambda leaf: next(following) if isinstance(leaf, core.Tensor) else leaf)
