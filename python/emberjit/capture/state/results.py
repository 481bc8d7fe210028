"""What a captured function returns: the tree by which a compiled function rebuilds it from the results of its graph.

A tree is an int (which result) or (kind, content): ("tuple" | "list" | "dict", trees), ("const", value), ("made",
(function, tree)) for what the function makes of a value; ("given", number) for a Tensor among the arguments, ("container",
number) for a list or dict among them; for what occurs more than once
("keep", tree) at first, and then ("again", how many parts have been repeated before it).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.signature import Args
from emberjit.capture.guards.mutation import is_created
from emberjit.capture.guards.objects import CONSTANTS
from emberjit.capture.session.errors import RunInPython
from emberjit.capture.session.session import Choice, Session, current_session
from emberjit.capture.session.walk import items, walk
from emberjit.capture.state.deferred_strings import DeferredString, parts
from emberjit.capture.state.namespace import Closure
from emberjit.values.tree import is_tuple, plain_key

Recipe = tuple[Callable[[Any], Any], Any]  # a function and what it takes

_HASHED_BY_VALUE = (bool, int, float, complex, str, bytes)


def recipe_of(value: Any) -> Recipe | None:
    """How to make what captured code has made of a tuple or dict, but is none; None for any other value."""
    if is_given(value):
        return None
    if type(value) is DeferredString:
        function, args = parts(value)
        return functools.partial(applied, function), args
    if type(value) is not tuple and is_tuple(value):
        return functools.partial(tuple_of, type(value)), tuple(value)
    if type(value) in (set, frozenset):
        check_order(value)
        return type(value), tuple(value)
    if type(value) is slice:
        return functools.partial(applied, slice), (value.start, value.stop, value.step)
    if type(value) is dict and not all(map(_is_constant, value)):
        return dict, tuple(value.items())
    if is_created_plainly(value) and "_version" not in vars(value):
        return functools.partial(instance, type(value)), vars(value)
    return None


def _is_constant(key: Any) -> bool:
    """Whether a key of a dict is the same in every call."""
    if isinstance(key, tuple):
        return all(map(_is_constant, key))
    return not isinstance(key, core.Tensor) and recipe_of(key) is None


def is_given(value: Any) -> bool:
    """Whether captured code has been given an object instead of making it."""
    session = current_session()
    return session is not None and id(value) in session.external


def is_created_plainly(value: Any) -> bool:
    """Whether captured code has made an instance that has nothing but its attributes."""
    cls: Any = type(value)
    plain = is_created(value) and getattr(cls, "__new__", None) is object.__new__
    return plain and not any(vars(base).get("__slots__") for base in cls.__mro__)


def check_order(value: Any) -> None:
    """Refuses a set that would have another order if it were made anew, in this call or in another one."""
    plain = len(value) < 2 or all(type(item) in _HASHED_BY_VALUE for item in value)
    if not plain or any(a is not b for a, b in zip(value, type(value)(tuple(value)))):
        raise core.CaptureError("a set is made, which would have another order if a graph made it in every call.")


def applied(function: Callable[..., Any], args: Args) -> Any:
    """What a function makes of arguments."""
    return function(*args)


def tuple_of(cls: type, items: tuple[Any, ...]) -> Any:
    """A tuple of a class of the program's, made without its __new__."""
    return tuple.__new__(cls, items)


def instance(cls: type, fields: dict[str, Any]) -> Any:
    """An instance with these attributes, made without __init__."""
    result: Any = object.__new__(cls)
    for name, value in fields.items():
        if hasattr(cls, name):
            result.__dict__[name] = value
        else:
            object.__setattr__(result, name, value)
    return result


def _items(value: Any) -> Any:
    """What a value is made of; None for a leaf, as are objects that captured code has not made."""
    content = value if (recipe := recipe_of(value)) is None else recipe[1]
    return None if is_given(value) or type(content) not in (tuple, list, dict) else items(content)


def result_leaves(value: Any) -> Iterator[Any]:
    """The leaves of a captured function's result, each once."""
    return (part for part in walk(value, lambda part: _items(part) or ()) if _items(part) is None)


def check_leaves(session: Session, value: Any) -> None:
    """Refuses what each call would have to make anew, but a graph cannot."""
    for leaf in result_leaves(value):
        if isinstance(leaf, types.FunctionType) and "of_graph" in vars(leaf):  # a gradient of the graph's
            raise RunInPython("a function that pulls gradients back through the graph is returned, which ends before.")
        if isinstance(leaf, (*CONSTANTS, core.Number)) or id(leaf) in session.external:
            continue
        kind = "function" if isinstance(leaf, (types.FunctionType, Closure)) else type(leaf).__name__
        raise core.CaptureError(
            f"a captured function returns a {kind} that it made, which a graph cannot make anew in every "
            "call: return Tensors, numbers, and tuples, lists and dicts of them."
        )


def result_spec(value: Any, results: list[Any], apart: bool = False, arguments: dict[int, Any] | None = None) -> Any:
    """The tree of `value`, whose Tensors and numbers are added to `results`.

    Args:
        apart: nothing is repeated: each occurrence has results of its own.
        arguments: the trees of the Tensors, lists and dicts among the arguments, by their ids; with it, Tensors from outside
            are themselves.

    Raises:
        CaptureError: a part of the value holds itself.
    """
    return _Spec(value, results, apart, arguments).of(value)


class _Spec:
    """A tree under construction."""

    def __init__(self, value: Any, results: list[Any], apart: bool, arguments: dict[int, Any] | None):
        self.results, self.of_call, self.arguments = results, arguments is not None, arguments or {}
        self.repeated: set[int] = set()
        self.numbers: dict[int, int] = {}
        self.open: set[int] = set()
        seen: set[int] = set()
        todo = [] if apart else [value]
        while todo:
            part = todo.pop()
            if id(part) in seen:
                self.repeated.add(id(part))
            else:
                seen.add(id(part))
                choice = self._choice(part)
                parts = _items(part) if choice is None else (side for side in choice[2:] if isinstance(side, core.Tensor))
                todo.extend(parts or ())

    def of(self, value: Any) -> Any:
        """The tree of a part of the value."""
        if id(value) in self.arguments:
            return self.arguments[id(value)]
        if id(value) in self.numbers:
            return "again", self.numbers[id(value)]
        if id(value) in self.open:
            raise core.CaptureError(f"a captured function returns a {type(value).__name__} that holds itself.")
        self.open.add(id(value))
        spec = self._once(value)
        self.open.discard(id(value))
        if id(value) not in self.repeated or (isinstance(spec, tuple) and spec[0] == "const"):
            return spec
        self.numbers[id(value)] = len(self.numbers)
        return "keep", spec

    def _once(self, value: Any) -> Any:
        if isinstance(value, (core.Tensor, core.Number)):
            if self.of_call and _is_outside(value):
                return "const", value
            return self._chosen(value) or self._result(value)
        recipe = recipe_of(value)
        if recipe is not None:
            return "made", (recipe[0], self._container(recipe[1]))
        return self._container(value)

    def _result(self, value: Any) -> int:
        self.results.append(value)
        return len(self.results) - 1

    def _choice(self, value: Any) -> Choice | None:
        session = current_session()
        choice = session.choices.get(id(value)) if session is not None and self.of_call else None
        return choice if choice is not None and is_at_hand(choice.condition) else None

    def _chosen(self, value: Any) -> Any:
        """The tree of a Tensor that a condition may have chosen from what the caller has; None of others."""
        choice = self._choice(value)
        if choice is None:
            return None
        sides = [self._of_caller(choice.yes), self._of_caller(choice.no)]
        if sides == [None, None]:
            return None
        tree = self._result(value)
        yes, no = (tree if side is None else side for side in sides)
        parts = ("tuple", (self._result(choice.condition), yes, no))
        return "made", ((lambda parts: parts[1] if parts[0] else parts[2]), parts)

    def _of_caller(self, value: Any) -> Any:
        """The tree of a Tensor that the caller has, views or is also given; None of others."""
        if not isinstance(value, core.Tensor):
            return None
        if id(value) in self.arguments or _is_outside(value):
            return self.of(value)
        if not is_at_hand(value):
            return None
        return self.of(value) if id(value) in self.repeated or _views_argument(value) else self._chosen(value)

    def _container(self, value: Any) -> Any:
        if is_given(value):
            return "const", value
        if type(value) is dict:
            return "dict", {plain_key(key): self.of(item) for key, item in value.items()}
        if type(value) in (tuple, list):
            return type(value).__name__, tuple(self.of(item) for item in value)
        return "const", value


def _views_argument(value: Any) -> bool:
    session, capture = current_session(), core.current_capture()
    arguments = [leaf for leaf in session.inputs if isinstance(leaf, core.Tensor)] if session is not None else []
    return any(capture.shares_memory(leaf) and not capture.shares_memory(leaf, [value]) for leaf in arguments)


def is_at_hand(value: Any) -> bool:
    """Whether the graph that ends now has computed a value."""
    capture = core.current_capture()
    place = capture.place(value)
    return place is not None and bool(place[0] == capture.level())


def _is_outside(value: Any) -> bool:
    return isinstance(value, core.Tensor) and not core.is_captured(value) and bool(core.is_outside(value))


def from_spec(spec: Any, results: Sequence[Any], arguments: Sequence[Any] = ()) -> Any:
    """The value of a result_spec, with these results and arguments; its dicts may be pairs of keys and items."""
    repeats: list[Any] = []

    def build(spec: Any) -> Any:
        if isinstance(spec, int):
            return results[spec]
        kind, content = spec
        if kind == "const":
            return content
        if kind in ("given", "again"):
            return (arguments if kind == "given" else repeats)[content]
        if kind == "keep":
            repeats.append(build(content))
            return repeats[-1]
        if kind == "made":
            return content[0](build(content[1]))
        if kind == "dict":
            return {key: build(item) for key, item in dict(content).items()}
        return {"tuple": tuple, "list": list}[kind](build(item) for item in content)

    return build(spec)
