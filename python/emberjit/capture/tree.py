"""Values as trees: nested tuples, lists and dicts whose leaves are tensors, numbers and other Python objects."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import state

LEAVES = frozenset((core.Tensor, core.Number, bool, int, float, str, type(None)))  # the common ones, which lead nowhere


def is_tuple(value: Any) -> bool:
    """Whether a value is a tuple or a named one; other subclasses, also of lists and dicts, are leaves."""
    return type(value) is tuple or (isinstance(value, tuple) and hasattr(value, "_fields"))


def is_graph_value(value: Any) -> bool:
    """Whether a leaf can be a value of a graph: a Tensor or a number."""
    return isinstance(value, (core.Tensor, core.Number, bool, int, float))


def leaves(value: Any) -> list[Any]:
    """The leaves from left to right."""
    if type(value) in LEAVES:
        return [value]
    if type(value) is dict:
        return [leaf for item in value.values() for leaf in leaves(item)]
    if type(value) is list or is_tuple(value):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def containers(value: Any) -> list[Any]:
    """The lists and dicts within a value, outermost first."""
    if type(value) in LEAVES:
        return []
    if type(value) is dict:
        return [value, *(container for item in value.values() for container in containers(item))]
    if type(value) is list or is_tuple(value):
        within = [container for item in value for container in containers(item)]
        return [value, *within] if type(value) is list else within
    return []


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


def rebuild(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """The same structure with every leaf replaced by leaf(old), called from left to right."""
    if type(value) in LEAVES:
        return leaf(value)
    if is_tuple(value):
        items = [rebuild(item, leaf) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if type(value) is list:
        return [rebuild(item, leaf) for item in value]
    if type(value) is dict:
        return {key: rebuild(item, leaf) for key, item in value.items()}
    return leaf(value)


def structure(value: Any) -> Any:
    """Equal for two values of equal structure, whatever their leaves."""
    if type(value) in LEAVES:
        return None
    if is_tuple(value) or type(value) is list:
        return (type(value), tuple(structure(item) for item in value))
    if type(value) is dict:
        return (dict, tuple((key, structure(item)) for key, item in value.items()))
    return None


def made_of(value: Any) -> tuple[Callable[[Any], Any], Any] | None:
    """How to make what captured code has made of a tuple or dict, but is none, or a text: a function and what it takes.
    None for any other value."""
    reads = state.current_reads()
    if reads is not None and id(value) in reads.known:
        return None
    from emberjit.capture import text

    if type(value) is text.Text:
        return functools.partial(text.write, value.function), value.args
    if type(value) is not tuple and is_tuple(value):
        return functools.partial(tuple.__new__, type(value)), tuple(value)
    if type(value) in (set, frozenset):
        return type(value), tuple(value)
    own = reads is not None and id(value) in reads.made and "_version" not in vars(value)
    if own and getattr(type(value), "__new__", None) is object.__new__:
        return functools.partial(instance, type(value)), vars(value)
    return None


def instance(cls: type, fields: dict[str, Any]) -> Any:
    """An instance with these attributes, made without __init__."""
    made: Any = object.__new__(cls)
    made.__dict__.update(fields)
    return made


def _items(value: Any) -> Any:
    """What a value is made of; None for a leaf."""
    made = made_of(value)
    if made is not None:
        value = made[1]
    if type(value) in (tuple, list):
        return value
    return value.values() if type(value) is dict else None


def result_leaves(value: Any) -> Iterator[Any]:
    """The leaves of a captured function's result, each once."""
    seen: dict[int, Any] = {}
    todo = [value]
    while todo:
        part = todo.pop()
        if id(part) not in seen:
            seen[id(part)] = part
            items = _items(part)
            if items is None:
                yield part
            else:
                todo.extend(items)


def result_spec(value: Any, results: list[Any], apart: bool = False, given: dict[int, int] | None = None) -> Any:
    """The tree by which a compiled function rebuilds `value`; Tensors and numbers are added to `results`.

    A tree is an int (which result) or (kind, content): ("tuple" | "list" | "dict", trees), ("const", value), ("made",
    (function, tree)) for what the function makes of a value; ("given", number) for an argument, which `given` has by the
    id of its value; for what occurs more than once ("keep", tree) at first, and then ("again", how many parts had been
    kept before it), unless all that occurs is to be told `apart`.

    Raises:
        CaptureError: a part of the value holds itself.
    """
    return _Spec(value, results, apart, given or {}).of(value)


class _Spec:
    """A tree under construction."""

    def __init__(self, value: Any, results: list[Any], apart: bool, given: dict[int, int]):
        self.results, self.given = results, given
        self.repeated: set[int] = set()
        self.kept: dict[int, int] = {}
        self.open: set[int] = set()
        seen: set[int] = set()
        todo = [] if apart else [value]
        while todo:
            part = todo.pop()
            if id(part) in seen:
                self.repeated.add(id(part))
            else:
                seen.add(id(part))
                todo.extend(_items(part) or ())

    def of(self, value: Any) -> Any:
        """The tree of a part of the value."""
        if id(value) in self.kept:
            return "again", self.kept[id(value)]
        if id(value) in self.open:
            raise core.CaptureError(f"a captured function returns a {type(value).__name__} that holds itself.")
        self.open.add(id(value))
        spec = self._once(value)
        self.open.discard(id(value))
        if id(value) not in self.repeated or (isinstance(spec, tuple) and spec[0] == "const"):
            return spec
        self.kept[id(value)] = len(self.kept)
        return "keep", spec

    def _once(self, value: Any) -> Any:
        if isinstance(value, (core.Tensor, core.Number)):
            self.results.append(value)
            return ("given", self.given[id(value)]) if id(value) in self.given else len(self.results) - 1
        made = made_of(value)
        if made is not None:
            return "made", (made[0], self._container(made[1]))
        return self._container(value)

    def _container(self, value: Any) -> Any:
        if type(value) is dict:
            return "dict", {key: self.of(item) for key, item in value.items()}
        if type(value) in (tuple, list):
            return type(value).__name__, tuple(self.of(item) for item in value)
        return "const", value


def from_spec(spec: Any, results: list[Any]) -> Any:
    """The value of a result_spec, with these results."""
    kept: list[Any] = []

    def build(spec: Any) -> Any:
        if isinstance(spec, int):
            return results[spec]
        kind, content = spec
        if kind == "const":
            return content
        if kind == "again":
            return kept[content]
        if kind == "keep":
            kept.append(build(content))
            return kept[-1]
        if kind == "made":
            return content[0](build(content[1]))
        if kind == "dict":
            return {key: build(item) for key, item in content.items()}
        items = [build(item) for item in content]
        return items if kind == "list" else tuple(items)

    return build(spec)
