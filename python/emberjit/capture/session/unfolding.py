"""Objects among the arguments that each call makes anew (a dataclass of Tensors, an inner function, a partial, a bound
method): what a graph is captured for is not one of them, but their class and what is in them. Captured code has copies of
these, as if it had made them itself, so that nothing is guarded; python/src/flat.h takes the arguments of later calls apart
in the same order.

A class is unfolded once a call has missed for want of the very object. It is taken by identity again where captured code
changes such an object, knows it otherwise than as an argument, or where one that lives on is met with another structure
each time, as an object with a list that grows."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import in_class
from emberjit.capture.session.errors import BeginAnew

MOST_FIELDS = 64
MOST_MET = 8  # objects that are remembered, and so kept alive, because they have missed
BOUND = (types.FunctionType, types.MethodType, functools.partial)
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
    return any(cls is each for each in classes)


def can_unfold(cls: type) -> bool:
    """Whether objects of a class are what their fields are, as Python code sees it, but for their identity."""
    if is_one_of(cls, BOUND):
        return True
    plain = cls.__basicsize__ == _Plain.__basicsize__ and cls.__dictoffset__ == _Plain.__dictoffset__
    users = all(written_by_user(base.__module__) for base in cls.__mro__[:-1])
    return (
        plain
        and users
        and in_class(cls, "__getattribute__") is in_class(object, "__getattribute__")
        and not any(in_class(cls, name) is not None for name in _CHANGED_BY)
    )


def learn_class(jitted: Any, held: Any, met: Any) -> bool:
    """Unfolds the class of an argument, of which a graph was captured for one object and a call has another; whether it
    does: no call comes to that graph any more."""
    cls = type(met)
    if type(held) is not cls or is_one_of(cls, (*jitted.unfolded, *_whole(jitted))) or not can_unfold(cls):
        return False
    if cls is types.MethodType:
        alike = held.__func__ is met.__func__
    elif cls is types.FunctionType:
        alike = held.__code__ is met.__code__
    elif cls is functools.partial:
        alike = _code(held.func) is _code(met.func)
    else:
        alike = len(vars(met)) <= MOST_FIELDS
    if alike:
        jitted.unfolded += (cls,)
    return alike


def _code(function: Any) -> Any:
    return getattr(function, "__code__", function)


def _whole(jitted: Any) -> list[type]:
    found: list[type] = jitted.__dict__.setdefault("whole", [])
    return found


def keep_whole(jitted: Any, classes: tuple[type, ...]) -> None:
    """Takes objects of these classes by identity from now on."""
    _whole(jitted).extend(classes)
    jitted.unfolded = tuple(cls for cls in jitted.unfolded if not is_one_of(cls, classes))


def note_structure(jitted: Any, args: Any, kwargs: Any) -> None:
    """Notes a miss of arguments whose structure no graph has."""
    if not jitted.unfolded:
        return
    met: list[Any] = jitted.__dict__.setdefault("met", [])
    given = {id(value): value for value in _given((*args, *kwargs.values()))}
    for value in given.values():
        if not is_one_of(type(value), jitted.unfolded) or is_one_of(type(value), BOUND):
            continue
        if any(value is each for each in met):
            keep_whole(jitted, (type(value),))
            met.clear()
        else:
            met.append(value)
            del met[:-MOST_MET]


def _given(values: Iterable[Any]) -> Iterator[Any]:
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
        self.made: dict[int, Any] = {}  # copies, and cells of copies, by their ids
        self._originals: list[tuple[Any, list[Any]]] = []  # copies, and what was in them

    def unfolds(self, value: Any) -> bool:
        """Whether an argument is taken apart; python/src/flat.cpp decides likewise."""
        if not is_one_of(type(value), self.classes):
            return False
        if type(value) is not types.FunctionType:
            return True
        code = value.__code__
        inner = code.co_flags & inspect.CO_NESTED or code.co_name == "<lambda>"
        return bool(inner and not value.__dict__ and not value.__kwdefaults__)

    def copy(self, value: Any, once: dict[int, Any], part: Callable[[Any, str], Any]) -> Any:
        """A copy, made of the copies that part(value, name) makes of what is in it."""
        if id(value) in once:
            return once[id(value)]
        if type(value) is types.FunctionType:
            made = self._function(value, once, part)
        elif type(value) is types.MethodType:
            function = part(value.__func__, "__func__")
            made = once[id(value)] = types.MethodType(function, part(value.__self__, "__self__"))
        elif type(value) is functools.partial:
            called, args = part(value.func, "func"), part(value.args, "args")
            made = once[id(value)] = functools.partial(called, *args, **part(value.keywords, "keywords"))
        else:
            made = once[id(value)] = object.__new__(type(value))
            made.__dict__.update({name: part(field, name) for name, field in vars(value).items()})
        self.made[id(made)] = made
        self._originals.append((made, _content(made)))
        return made

    def _function(self, value: Any, once: dict[int, Any], part: Callable[[Any, str], Any]) -> Any:
        closure = tuple(types.CellType() for _ in value.__closure__ or ())
        for cell in closure:
            self.made[id(cell)] = cell
        made = types.FunctionType(value.__code__, value.__globals__, value.__name__, None, closure)
        made.__qualname__, made.__module__ = value.__qualname__, value.__module__
        once[id(value)] = made
        made.__defaults__ = part(value.__defaults__, "__defaults__")
        for cell, old, name in zip(closure, value.__closure__ or (), value.__code__.co_freevars):
            if old != types.CellType():
                cell.cell_contents = part(old.cell_contents, name)
        return made

    def check_unchanged(self) -> None:
        """Begins the capture anew if captured code has changed a copy, which the argument would lack."""
        for made, before in self._originals:
            if len(before) != len(now := _content(made)) or any(a is not b for a, b in zip(before, now)):
                raise TakenWhole(type(made))

    def check_apart(self, external: Any, arguments: dict[int, Any]) -> list[Any]:
        """The objects from outside, of unfolded classes, that captured code has seen: no argument may be one of them."""
        found = {
            id(value): value for value in external if is_one_of(type(value), self.classes) and id(value) not in self.made
        }
        for value in found.values():
            if id(value) in arguments:
                raise TakenWhole(type(value))
        return list(found.values())


def _content(made: Any) -> list[Any]:
    if type(made) is types.FunctionType:
        cells = [cell.cell_contents for cell in made.__closure__ or () if cell != types.CellType()]
        return [made.__code__, made.__defaults__, made.__kwdefaults__, *cells]
    if type(made) is types.MethodType:
        return [made.__func__, made.__self__]
    if type(made) is functools.partial:
        return [made.func, made.args, *made.keywords, *made.keywords.values()]
    return [*vars(made), *vars(made).values()]
