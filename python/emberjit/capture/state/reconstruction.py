"""Reconstruction: how values that captured code holds are made anew in each call, of results of the graph and of what went
into it: where a function goes on after a graph, and the errors that a graph raises.

A value is made by a Build, which is given a Context. Values that are one object stay one. What cannot be made anew is
refused when the Build is asked for.
"""

from __future__ import annotations

import gc
import operator
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.instructions import Code
from emberjit.capture.code.libraries import is_users
from emberjit.capture.code.lookup import defines
from emberjit.capture.guards.mutation import is_created
from emberjit.capture.guards.objects import is_immutable
from emberjit.capture.session.session import current_session
from emberjit.capture.session.walk import items, walk
from emberjit.capture.state.namespace import Opaque
from emberjit.capture.state.raised import locations_of, raise_from
from emberjit.capture.state.results import instance, is_created_plainly, is_given, recipe_of

Path = tuple[Any, ...]
Build = Callable[[core.Context], Any]  # of results of the graph, what went into it, and what has been made so far

_BOUND = (types.BuiltinMethodType, types.MethodWrapperType)
_DEFINED = (types.MethodDescriptorType, types.WrapperDescriptorType)

_MAX_DEPTH = 64  # of values within each other

_VIEWS: dict[type, tuple[Any, Any]] = {
    type(way(view({}))): (way, view) for way in (iter, reversed) for view in (dict.keys, dict.values, dict.items)
}
_VIEWS[type(iter(set()))] = iter, iter

_closures: dict[type, Callable[[Reconstruction, Any], Build]] = {}


def register(cls: type, reconstruct: Callable[[Reconstruction, Any], Build]) -> None:
    """Says how closures of a class, which may lead to themselves, are made anew."""
    _closures[cls] = reconstruct


def _is_bound(value: Any) -> bool:
    """Whether a built-in is a method of an object. Functions of extensions have an owner, too, which has no such method."""
    owner = value.__self__ if isinstance(value, _BOUND) else None
    return owner is not None and not isinstance(owner, types.ModuleType) and hasattr(owner, value.__name__)


def _definition(value: Any) -> Any:
    """What a class defines that a bound built-in was made of: one of super() may have a method of the user's before it."""
    owner = value.__self__
    members: list[Any] = [vars(base).get(value.__name__) for base in type(owner).__mro__]
    return next((member for member in members if type(member) in _DEFINED and _bound(member, owner) == value), None)


def _bound(defined: Any, owner: Any) -> Any:
    return defined.__get__(owner, type(owner))


def _is_constant(value: Any) -> bool:
    """Whether a value is a tuple that code may hold."""
    return type(value) is tuple and all(is_immutable(item) or _is_constant(item) for item in value)


class Reconstruction:
    """The values of one graph that are made anew. `code` goes on with them; if None does, they are only shown."""

    def __init__(self, inputs: Any, code: Code | None):
        self.code = code
        self.paths: dict[int, Path] = {}
        self.unseen = False
        self._find_paths(inputs, ())
        session = current_session()
        if session is not None and code is not None:
            session.effects.before_python = True
            session.effects.refused |= self.unseen  # what ends, as the graph lets go of it, comes before later effects
        self.leaves: list[Any] = []
        self.known: dict[int, Build | None] = {}  # None while it is looked for
        self.depth = 0
        self.alive = [inputs]  # keeps alive what is known by its id

    def _find_paths(self, value: Any, path: Path) -> None:
        if core.is_constant(value) and not isinstance(value, core.Number):
            return
        self.unseen |= type(value) is Opaque
        self.paths.setdefault(id(value), path)
        if type(value) in (tuple, list, dict):
            for key, item in value.items() if type(value) is dict else enumerate(value):
                self._find_paths(item, (*path, key))

    def can_build(self, value: Any) -> bool:
        """Whether a value is, or has in it, an object that somebody may ask for though no variable leads to it, and can be
        made anew."""
        try:
            return self._is_asked_for(value) and self.build_of(value) is not None
        except core.CaptureError:
            return False

    def _is_asked_for(self, value: Any) -> bool:
        reached = walk(value, lambda part: [item for item in items(part) if type(item) in (Opaque, tuple, list, dict)])
        return any((id(part) in self.paths and not core.is_captured(part)) or is_created(part) for part in reached)

    def build_of(self, value: Any) -> Build:
        """A function that makes the value."""
        plain = core.is_lasting(value) and not isinstance(value, core.Number)
        if plain and not (_is_bound(value) or is_created(value) or self._is_made(value)):
            return core.Recipe("constant", value)
        path = self.paths.get(id(value))
        if path is not None:
            return core.Recipe("path", path)
        if isinstance(value, core.Number):
            return self._captured(value)
        if _is_constant(value):
            return core.Recipe("constant", value)
        key = id(value)
        if key not in self.known:
            build = core.Recipe("once", key)
            self.alive.append(value)
            known_before = len(self.known)
            self.known[key] = build if type(value) in _closures else None
            self.depth += 1
            try:
                if self.depth > _MAX_DEPTH:
                    raise core.CaptureError(f"a {type(value).__name__} that holds too much is needed after a break.")
                build.complete(self._made(value))
            except core.CaptureError:
                for later in list(self.known)[known_before:]:
                    del self.known[later]
                raise
            finally:
                self.depth -= 1
            self.known[key] = build
        known = self.known[key]
        if known is None:
            raise core.CaptureError(f"a {type(value).__name__} that holds itself is needed after a break of the graph.")
        return known

    def _is_made(self, value: Any) -> bool:
        """Whether a function, which a library has made, leads to what is captured."""
        captured = (core.Number, *(_closures.keys() - {types.FunctionType}))
        return isinstance(value, types.FunctionType) and any(
            not is_given(part) and (isinstance(part, captured) or core.is_captured(part)) for part in walk(value, _led_to)
        )

    def _made(self, value: Any) -> Build:
        if isinstance(value, core.Parameter) and core.is_outside(value):
            return core.Recipe("constant", value)
        if core.is_captured(value) and self.code is not None and core.current_capture().shares_memory(value):
            raise core.CaptureError("a slice or reshape of a Tensor that lives on is needed after a break of the graph.")
        if core.is_captured(value) or (isinstance(value, core.Tensor) and not core.is_outside(value)):
            return self._captured(value)
        if isinstance(value, _BOUND):
            owner, name, defined = self.build_of(value.__self__), value.__name__, _definition(value)
            if defined is None:
                return lambda context: getattr(owner(context), name)
            return lambda context: _bound(defined, owner(context))
        if isinstance(value, core.Tensor) or is_given(value):
            return core.Recipe("constant", value)
        if type(value) in (tuple, list):
            return core.Recipe(type(value).__name__, tuple(map(self.build_of, value)))
        if type(value) is dict:
            return self._dict(value)
        if isinstance(value, types.MethodType):
            function, receiver = self.build_of(value.__func__), self.build_of(value.__self__)
            return lambda context: types.MethodType(function(context), receiver(context))
        if type(value) in _closures:
            return _closures[type(value)](self, value)
        if isinstance(value, BaseException):
            return self._error(value)
        if is_created_plainly(value):
            cls, fields = type(value), self.build_of(value.__dict__)
            return lambda context: instance(cls, fields(context))
        recipe = recipe_of(value)
        if recipe is not None:
            make, content = recipe[0], self.build_of(recipe[1])
            return lambda context: make(content(context))
        if defines(value, "__next__"):
            return self._iterator(value)
        raise core.CaptureError(f"a {type(value).__name__} that captured code made is needed after a break of the graph.")

    def _captured(self, value: Any) -> Build:
        self.leaves.append(value)
        return core.Recipe("leaf", len(self.leaves) - 1)

    def _dict(self, value: dict[Any, Any]) -> Build:
        _check_hashes(value)
        return core.Recipe("dict", tuple((self.build_of(key), self.build_of(item)) for key, item in value.items()))

    def _error(self, value: BaseException) -> Build:
        kind, args, fields = type(value), self.build_of(value.args), self.build_of(value.__dict__)
        cause, before = self.build_of(value.__cause__), self._context(value.__context__)
        members = {name: self.build_of(getattr(value, name)) for name in _members(kind) if hasattr(value, name)}
        locations = locations_of(value) if self.code is not None else []

        def build(context: core.Context) -> Any:
            error = kind.__new__(kind, *args(context))
            error.__dict__.update(fields(context))
            error.__cause__, error.__context__ = cause(context), before(context)
            for name, member in members.items():
                if getattr(error, name, None) is not member(context):
                    setattr(error, name, member(context))
            if locations:
                raise_from(error, locations)
            return error

        return build

    def _context(self, value: BaseException | None) -> Build:
        """Of what an error goes back to, which may be what the function's caller handles: another one in each call."""
        session: Any = current_session()
        if value is not None and value is session.handled:
            return lambda context: sys.exc_info()[1]
        return self.build_of(value)

    def _iterator(self, value: Any) -> Build:
        try:
            make, args, *rest = value.__reduce__()
        except (TypeError, RuntimeError):
            raise core.CaptureError(f"a {type(value).__name__} is needed after a break of the graph.") from None
        if type(value) in _VIEWS:
            return self._view_iterator(value)
        if make is iter and type(args[0]) is list and type(value) is not type(iter([])):
            raise core.CaptureError(f"a {type(value).__name__} is needed after a break of the graph.")
        parts, state_of = self.build_of(args), self.build_of(rest[0]) if rest and rest[0] is not None else None

        def build(context: core.Context) -> Any:
            iterator: Any = make(*parts(context))
            if state_of is not None:
                iterator.__setstate__(state_of(context))
            return iterator

        return build

    def _view_iterator(self, value: Any) -> Build:
        """Of a dict, a view of it or a set that has its size yet: it goes on to follow what changes there."""
        owners = [owner for owner in gc.get_referents(value) if isinstance(owner, (dict, set, frozenset))]
        if not owners:
            return lambda context: iter(())
        owner, (way, view) = self.build_of(owners[0]), _VIEWS[type(value)]
        done = len(owners[0]) - operator.length_hint(value)

        def build(context: core.Context) -> Any:
            iterator = way(view(owner(context)))
            for _ in range(done):
                next(iterator)
            return iterator

        return build


def _led_to(value: Any) -> Iterable[Any]:
    """What a function, or a container, that captured code has not been given leads to."""
    if is_given(value) or type(value) is not types.FunctionType:
        return () if is_given(value) else items(value)
    cells = [cell.cell_contents for cell in value.__closure__ or () if not is_empty(cell)]
    return [*cells, value.__defaults__, value.__kwdefaults__, *value.__dict__.values()]


def _check_hashes(keys: Iterable[Any]) -> None:
    """Refuses keys that the user's code would have to hash or compare again."""
    for key in keys:
        if isinstance(key, (tuple, frozenset)):
            _check_hashes(key)
        elif any(is_users(getattr(type(key), name)) for name in ("__hash__", "__eq__")):
            raise core.CaptureError(f"a container with a {type(key).__name__} as key is needed after a break of the graph.")


def is_empty(cell: types.CellType) -> bool:
    """Whether a variable of an enclosing function has no value."""
    return cell == types.CellType()


def _members(kind: type) -> list[str]:
    """What instances of an exception class hold beside their arguments and dict."""
    attributes = {name: member for cls in reversed(kind.__mro__) for name, member in vars(cls).items()}
    fixed = {"message", "exceptions"} if hasattr(kind, "subgroup") else ()  # of a group: its arguments say them
    return [
        name for name, member in attributes.items() if isinstance(member, types.MemberDescriptorType) and name not in fixed
    ]
