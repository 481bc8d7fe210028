"""Dataclasses among the arguments, which each call makes anew: what a graph is captured for is not one of them, but their
class and what is in them. Captured code has copies of these, as if it had made them itself, so that nothing is guarded;
python/src/guards/flat.h takes the arguments of later calls apart in the same order.

A class is unfolded once a call has missed for want of the very object. It is taken by identity again where that might show:
where captured code changes such an object, raises an error, or knows it otherwise than as an argument, where it is a key,
and where one that lives on is met with another structure each time, as an object with a list that grows. Only dataclasses
that are equal by their fields are unfolded, of which nobody asks the hash or the address."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import in_class
from emberjit.capture.session.errors import BeginAnew

MOST_FIELDS = 64
MOST_MET = 2  # objects that are remembered, and so kept alive, because they have missed
DEEPEST = 32  # objects within each other; python/src/guards/flat.cpp has the same
_CHANGED_BY = ("__del__", "__getattr__", "__slots__", "__next__", "_containers")


class _Plain:
    pass


class TakenWhole(BeginAnew):
    """An object of a class that was unfolded is to be itself."""

    def __init__(self, cls: type):
        super().__init__(f"a {cls.__name__} among the arguments is needed itself.")
        self.cls = cls


def is_one_of(cls: type, classes: Iterable[type]) -> bool:
    """Whether a class is among these; how classes compare and hash may be the user's."""
    return any(cls is other for other in classes)


def can_unfold(cls: type) -> bool:
    """Whether objects of a class are what their fields are, as Python code sees it."""
    parameters = vars(cls).get("__dataclass_params__")
    if parameters is None or not parameters.eq or type(cls).__hash__ is not type.__hash__:
        return False
    plain = cls.__basicsize__ == _Plain.__basicsize__ and cls.__dictoffset__ == _Plain.__dictoffset__
    users = all(written_by_user(base.__module__) for base in cls.__mro__[:-1])
    of_fields = "__eq__" in vars(cls) and cls.__hash__ is None and cls.__repr__ is not in_class(object, "__repr__")
    unchanged = in_class(cls, "__getattribute__") is in_class(object, "__getattribute__")
    return plain and users and of_fields and unchanged and all(in_class(cls, name) is None for name in _CHANGED_BY)


def learn_class(jitted: core.Jit, held: Any, met: Any) -> bool:
    """Unfolds the class of an argument, of which a graph was captured for one object and a call has another; whether it
    does: no call comes to that graph any more."""
    cls = type(met)
    if type(held) is not cls or is_one_of(cls, (*jitted.unfolded, *_whole(jitted))) or not can_unfold(cls):
        return False
    if len(vars(met)) > MOST_FIELDS:
        return False
    jitted.unfolded += (cls,)
    return True


def _whole(jitted: core.Jit) -> list[type]:
    classes: list[type] = jitted.__dict__.setdefault("whole", [])
    return classes


def keep_whole(jitted: core.Jit, classes: tuple[type, ...]) -> None:
    """Takes objects of these classes by identity from now on."""
    _whole(jitted).extend(classes)
    jitted.unfolded = tuple(cls for cls in jitted.unfolded if not is_one_of(cls, classes))


def note_structure(jitted: core.Jit, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Notes a miss of arguments whose structure no graph has."""
    if not jitted.unfolded:
        return
    met: list[Any] = jitted.__dict__.setdefault("met", [])
    objects = {id(value): value for value in _items((*args, *kwargs.values()))}
    for value in objects.values():
        if not is_one_of(type(value), jitted.unfolded):
            continue
        if any(value is other for other in met):
            keep_whole(jitted, (type(value),))
            met.clear()
        else:
            met.append(value)
            del met[:-MOST_MET]


def _items(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if type(value) is list or type(value) is tuple:
            yield from value
        elif type(value) is dict:
            yield from value.values()
        else:
            yield value


class Copies:
    """The copies of unfolded arguments in one capture."""

    def __init__(self, classes: tuple[type, ...]) -> None:
        self.classes = classes
        self.copies: dict[int, Any] = {}  # by their ids
        self._before: list[tuple[Any, list[Any]]] = []  # what was in them
        self._depth = 0

    def unfolds(self, value: Any) -> bool:
        """Whether an argument is taken apart; python/src/guards/flat.cpp decides likewise."""
        return self._depth < DEEPEST and is_one_of(type(value), self.classes)

    def copy(self, value: Any, once: dict[int, Any], part: Callable[[Any], Any]) -> Any:
        """A copy, with what part() makes of its dict; `once` has copies by the ids of what they are of."""
        if id(value) in once:
            return once[id(value)]
        if not can_unfold(type(value)) or id(vars(value)) in once:
            raise TakenWhole(type(value))
        copy = once[id(value)] = object.__new__(type(value))
        self._depth += 1
        fields = part(vars(value))
        self._depth -= 1
        vars(copy).update(fields)
        if once.get(id(vars(value))) is fields:
            once[id(vars(value))] = vars(copy)
        self.copies[id(copy)] = copy
        self._before.append((copy, _content(copy)))
        return copy

    def _any_class(self) -> type:
        return type(next(iter(self.copies.values())))

    def check_unchanged(self) -> None:
        """Begins the capture anew if captured code has changed a copy, which the argument would lack."""
        for copy, before in self._before:
            now = _content(copy)
            if len(before) != len(now) or any(a is not b for a, b in zip(before, now)):
                raise TakenWhole(type(copy))

    def check_not_raised(self) -> None:
        """Begins the capture anew if errors may hold copies."""
        if self.copies:
            raise TakenWhole(self._any_class())

    def check_apart(self, external: Iterable[Any], guards: Iterable[Any], arguments: dict[int, Any]) -> list[Any]:
        """The objects from outside, of unfolded classes, that captured code has seen: no argument may be one of them."""
        if not self.copies:
            return []
        keys = [key for value in arguments.values() if type(value) is dict for key in value]
        if any(is_one_of(type(key), self.classes) for key in _deep(keys)):
            raise TakenWhole(self._any_class())
        guarded = [part for _, _, key, expected in guards for part in _deep((key, expected))]
        others = (value for value in (*external, *guarded) if id(value) not in self.copies)
        instances = {id(value): value for value in others if is_one_of(type(value), self.classes)}
        for value in instances.values():
            if id(value) in arguments:
                raise TakenWhole(type(value))
        return list(instances.values())


def _deep(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        yield value
        if type(value) is tuple:
            yield from _deep(value)


def _content(copy: Any) -> list[Any]:
    return [*vars(copy), *vars(copy).values()]
