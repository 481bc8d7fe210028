"""Which changes of objects from outside are replayed effects (session/effect_log.py): those of plain attributes, variables
and Python's own containers, by the function itself, so that each call makes them. All others are refused, and break the
graph, as do those that cannot wait where other threads could see them before they are undone. An effect depends on what it
reads: to store an item of a list on its length, to take one away on all items; what only adds depends on nothing.
"""

from __future__ import annotations

import _thread
import abc
import argparse
import collections
import functools
import operator
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import is_users, written_by_user
from emberjit.capture.code.lookup import defines, in_class, own_fields
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.guards.ends import leads_to_end
from emberjit.capture.guards.mutation import class_name, is_external, refused
from emberjit.capture.guards.objects import DICTS, guard_object, observe
from emberjit.capture.guards.record import guard_types, is_configured, written_fields
from emberjit.capture.guards.targets import STRUCTURE, check_augmented, check_target
from emberjit.capture.session.effect_log import ALL, MOVED, Effect, Effects
from emberjit.capture.session.errors import FieldWritten
from emberjit.capture.session.session import Session, current_session, guard
from emberjit.capture.session.walk import walk
from emberjit.capture.state.deferred_strings import settled
from emberjit.capture.state.namespace import Opaque, observe_opaque
from emberjit.capture.state.results import check_leaves, is_given, recipe_of, result_leaves
from emberjit.values.cells import CellMarker
from emberjit.values.tree import is_tuple, plain_key

_Do = Callable[..., Any]
_DEFAULTING = (collections.Counter, collections.defaultdict)
_CONTAINERS = (list, set, collections.deque, *DICTS)
_FACTORIES = (list, dict, set, int, float, str, bool)  # of defaultdicts
_KEYS = frozenset((bool, int, float, str, bytes, type(None)))  # that are hashed and compared by no code of the program's
_BASES = (abc.ABC, typing.Generic, typing.Protocol)  # of a library, which read no fields
_WAITING = frozenset(("store item", "store cell", "append", "append right", "append left", "add", "discard"))
_HOLDERS = (types.SimpleNamespace, argparse.Namespace)  # of a library's, whose fields no library reads unasked


def current_effects() -> Effects:
    """Those of the current session."""
    session: Any = current_session()
    effects: Effects = session.effects
    return effects


def is_plain_key(key: Any) -> bool:
    """Whether a key is the same in every call, and is looked up by Python alone."""
    return all(map(is_plain_key, key)) if type(key) is tuple else type(key) in _KEYS


def _check_value(session: Session, value: Any) -> None:
    """Refuses to store what no call could make anew; where Python goes on after the graph, also what it would have too."""
    check_leaves(session, value)
    if any(type(leaf) is Opaque for leaf in result_leaves(value)):
        observe_opaque()
    if session.effects.before_python and any(map(_is_changeable, walk(value, _parts))):
        raise refused("something that keeps what captured code goes on to change")


def _parts(value: Any) -> Iterable[Any]:
    return value if is_tuple(value) and not is_given(value) else ()


def _is_changeable(value: Any) -> bool:
    kind = type(value)
    return not is_given(value) and not is_tuple(value) and (kind in (list, dict, set) or recipe_of(value) is not None)


class _Recorder:
    """Records the effects of one operation on `owner`, which says in words what it does."""

    def __init__(self, owner: Any, words: str, what: str):
        session = current_session()
        assert session is not None
        self.session, self.owner, self.words = session, owner, words
        inner = session.effects.level != core.current_capture().level()
        if inner or session.effects.refused:
            raise refused(what)
        copies = (container for container, _ in session.arguments)
        self.what, self.waits = what, _thread._count() > 0 and all(owner is not copy for copy in copies)

    def __call__(self, kind: str, key: Any, act: Callable[..., Any], *operands: Any) -> Any:
        """Does something now, and in each call: act(owner, *operands)."""
        for value in operands:
            _check_value(self.session, value)
        effects = self.session.effects
        effects.keep(self.owner, self.waits)
        result = None
        if self.waits:
            self._wait(kind, operands)
        else:
            result = act(self.owner, *operands)
        effects.note_written(self.owner, key)
        effects.recorded.append(Effect(kind, self.owner, operands, self.words))
        core.current_capture().changes = True
        return result

    def _wait(self, kind: str, operands: tuple[Any, ...]) -> None:
        """Leaves an effect to the calls, in an object at which nobody has looked."""
        looked = id(self.owner) in self.session.external and id(self.owner) not in self.session.unobserved
        if kind not in _WAITING or looked:
            raise refused(self.what)
        if kind in ("store item", "store cell"):
            self.session.effects.store(self.owner, *(operands if kind == "store item" else (None, *operands)))


def _store(names: dict[Any, Any], words: str, what: str, key: Any, *value: Any) -> None:
    """Sets what a dict has at a key, or deletes it, which it has."""
    record = _Recorder(names, words, what)
    _check_replaced(names.get(key), what)
    if value:
        record("store item", key, dict.__setitem__, key, *value)
    else:
        record("delete item", key, dict.__delitem__, key)


def _check_replaced(value: Any, what: str) -> None:
    """Refuses to replace something of whose end somebody is told, which comes at once."""
    if leads_to_end(value, deep=True):
        raise refused(what)


# Attributes and variables ------------------------------------------------------------------------------------------


def set_attribute(do: _Do, owner: Any, name: Any, *value: Any) -> None:
    """Sets an attribute, or deletes it if there is no value; `do` calls what is not followed."""
    session, name = current_session(), settled(name)
    external = is_external(owner) or type(owner) is types.ModuleType
    exists = bool(value) or name in own_fields(owner)
    if session is not None and external and value and (setter := _setter(session, owner, name)):
        session.engine.call(*setter, *value)
        return
    if session is None or not (external and exists and _has_plain(session, owner, name, value)):
        core.look_at(owner, *value)
        do(setattr if value else delattr, check_target(owner, name), name, *value)
        return
    fields, called = own_fields(owner), class_name(owner)
    session.guard("fields", owner, None, fields)
    if not value:
        session.guard("item", fields, name, fields[name])
    _store(fields, _words(f"{called}.{name}", value), f"attribute '{name}' of a {called}", name, *value)


def _setter(session: Session, owner: Any, name: str) -> tuple[Any, ...]:
    """What of the user's an assignment to an attribute calls, with all arguments but the value; nothing if it calls none."""
    cls, member = type(owner), in_class(type(owner), name)
    plain = in_class(cls, "__setattr__") is in_class(object, "__setattr__") and not issubclass(cls, type)
    if member is None or name in STRUCTURE or is_configured(owner) or not plain:
        return ()
    act = in_class(type(member), "__set__")
    function, *before = (member.fset,) if act is vars(property)["__set__"] else (act, member)
    if not is_users(function):
        return ()
    session.guard_type(cls, name)
    session.guard_type(cls, "__setattr__")
    guard_types(member)
    guard_object(member)
    return guard_object(function), *before, owner


def _words(target: str, value: tuple[Any, ...]) -> str:
    return f"{target} = ..." if value else f"del {target}"


def _has_plain(session: Session, owner: Any, name: str, value: tuple[Any, ...]) -> bool:
    """Whether an attribute is no more than an entry in the object's dict."""
    cls, fields = type(owner), own_fields(owner)
    if type(fields) is not dict or type(name) is not str or name in STRUCTURE or issubclass(cls, type):
        return False
    member = in_class(cls, name)
    guard_types(member)
    if member is not None and (defines(member, "__set__") or defines(member, "__delete__")):
        return False
    if is_configured(owner):
        return _is_users_field(session, owner, name, value)
    own = object if cls is not types.ModuleType else types.ModuleType
    plain = all(
        in_class(cls, access) is in_class(own, access) for access in ("__setattr__", "__delattr__", "__getattribute__")
    )
    if cls is types.ModuleType:
        return plain and written_by_user(fields.get("__name__"))
    users = all(written_by_user(base.__module__) or base in _BASES for base in cls.__mro__ if core.can_change(base))
    function = cls is types.FunctionType and written_by_user(owner.__module__)
    return (plain and ((core.can_change(cls) and users) or function)) or cls in _HOLDERS


def _is_users_field(session: Session, cell: Any, name: str, value: tuple[Any, ...]) -> bool:
    """Whether a field of a Cell is the user's, of which the library knows nothing."""
    library = next(base for base in type(cell).__mro__ if not written_by_user(base.__module__))
    if CellMarker not in library.__bases__ or in_class(type(cell), "__setattr__") is not vars(library)["__setattr__"]:
        return False
    fields = own_fields(cell)
    known = name[:1] == "_" or hasattr(library, name) or name in _fields_of(library) or not value
    held = any(name in fields.get(kind, ()) for kind in type(cell)._containers)
    kept = any(
        isinstance(part, (CellMarker, core.Parameter)) or session.may_be_parameter(part) for part in walk(value, _all)
    )
    if known or held or kept:
        return False
    written = written_fields.setdefault(type(cell), set())
    if name not in written:
        written.add(name)
        raise FieldWritten(f"'{name}' of a {type(cell).__name__} is written.")
    return True


@functools.cache
def _fields_of(library: Any) -> frozenset[str]:
    return frozenset(vars(library()))


def _all(value: Any) -> Iterable[Any]:
    return value.values() if type(value) is dict else value if type(value) in (list, set) or is_tuple(value) else ()


def set_global(names: dict[str, Any], name: str, *value: Any) -> None:
    """Sets a global variable, or deletes it, which is there."""
    if not value:
        current: Any = current_session()
        current.guard("item", names, name, names[name])
    _store(names, _words(f"global {name}", value), f"the global variable '{name}'", name, *value)


def set_cell(cell: types.CellType, name: str, *value: Any) -> None:
    """Sets a variable of an enclosing function, or deletes it, which has been read."""
    what = f"the variable '{name}'"
    record = _Recorder(cell, _words(f"nonlocal {name}", value), what)
    _check_replaced(cell.cell_contents if cell != types.CellType() else None, what)
    if value:
        record("store cell", None, lambda cell, value: setattr(cell, "cell_contents", value), *value)
    else:
        record("delete cell", None, lambda cell: delattr(cell, "cell_contents"))


# Items and methods -------------------------------------------------------------------------------------------------


def _is_replayable(owner: Any) -> bool:
    return type(owner) in _CONTAINERS and is_external(owner)


def _plain(key: Any) -> Any:
    return plain_key(settled(key))


def _recorder(owner: Any, words: str) -> _Recorder:
    called = type(owner).__name__
    record = _Recorder(owner, words.format(called), f"a {called}")
    if isinstance(owner, dict) and not all(map(is_plain_key, owner)):
        raise refused(f"a {called}")
    return record


def _check_keys(owner: Any, *keys: Any) -> None:
    if not all(map(is_plain_key, keys)):
        raise refused(f"a {type(owner).__name__} at what is no plain key")


def _knows(owner: Any, key: Any) -> bool:
    """Whether captured code has stored, or deleted, what a dict has at a key."""
    session = current_session()
    stores = session is not None and bool(session.effects.recorded) and type(owner) in DICTS
    return stores and is_plain_key(_plain(key)) and session.effects.wrote(owner, key)  # type: ignore[union-attr]


def is_stored(names: dict[str, Any], name: str) -> bool:
    """Whether captured code has stored a variable."""
    return _knows(names, name) and current_effects().has(names, name)


def get_item(do: _Do, function: Callable[..., Any], owner: Any, key: Any) -> Any:
    """owner[key], by `function`; `do` calls what is not followed."""
    if _knows(owner, key) and (effects := current_effects()).has(owner, key):
        return effects.value(owner, key)
    if type(owner) in _DEFAULTING and is_external(owner) and is_plain_key(_plain(key)):
        return _of_default(owner, _plain(key))
    core.look_at(key)
    return do(function, owner, key)


def _of_default(owner: Any, key: Any) -> Any:
    """What a defaultdict has at a key, which it makes if there is nothing; a Counter counts 0."""
    if type(owner) is collections.Counter:
        return _item_of(owner, key) if _has(owner, key) else 0
    if owner.default_factory not in _FACTORIES:
        raise refused("a defaultdict, which looking up may change,")
    if not _has(owner, key):
        guard("attribute", owner, "default_factory", owner.default_factory)
        _recorder(owner, "{}[...]")("store item", key, dict.__setitem__, key, owner.default_factory())
    return _item_of(owner, key)


def contains(do: _Do, owner: Any, key: Any) -> Any:
    """Whether a container has an item; `do` calls what is not followed."""
    if _knows(owner, key):
        return current_effects().has(owner, key)
    core.look_at(key)
    return do(operator.contains, owner, key)


def set_item(do: _Do, owner: Any, key: Any, *value: Any) -> None:
    """Sets an item, or deletes it if there is no value; `do` calls what is not followed."""
    if not (_is_replayable(owner) and isinstance(owner, (dict, list))):
        core.look_at(owner, key, *value)
        do(operator.setitem if value else operator.delitem, check_target(owner, "[]"), key, *value)
    elif isinstance(owner, dict):
        _set_key(owner, _plain(key), *value)
    else:
        _set_position(owner, _plain(key), *value)


def _set_key(owner: dict[Any, Any], key: Any, *value: Any) -> None:
    record = _recorder(owner, _words("{}[...]", value))
    _check_keys(owner, key)
    if value:
        record("store item", key, dict.__setitem__, key, *value)
    elif _has(owner, key):
        record("delete item", key, dict.__delitem__, key)
    else:
        raise KeyError(key)


def _has(owner: dict[Any, Any], key: Any) -> bool:
    """Whether a dict has a key, on which the captured code relies."""
    if _knows(owner, key):
        return current_effects().has(owner, key)
    session: Any = current_session()
    if key in owner:
        session.read("item", owner, key, dict.get(owner, key))
    else:
        session.guard("absent", owner, key, None)
    return key in owner


def _set_position(items: list[Any], key: Any, *value: Any) -> None:
    record = _recorder(items, _words("{}[...]", value))
    if type(key) not in (int, slice) or (type(key) is slice and key.step not in (None, 1)):
        raise refused("a list at what is no plain position")
    _guard_length(items, key)
    if type(key) is slice:
        first, last, _ = key.indices(len(items))
        put = _taken(*value) if value else ()
    else:
        items[key]  # an IndexError is the user's
        first, last, put = key % len(items), key % len(items) + 1, value
        if value:
            record("store position", first, list.__setitem__, first, *value)
            return
    _replace(record, first, max(first, last), put)


def _replace(record: _Recorder, first: int, last: int, put: tuple[Any, ...]) -> None:
    def act(items: list[Any], first: int, count: int, put: tuple[Any, ...]) -> None:
        items[first : first + count] = put

    record("store slice", MOVED, act, first, last - first, put)


def _guard_length(items: list[Any], key: Any) -> None:
    """That a list has the item that `key` is of, at the place where it is."""
    session: Any = current_session()
    if session.effects.wrote(items, ALL):
        return
    length = len(session.effects.content(items))
    if type(key) is int and 0 <= key < length:
        session.guard("call", functools.partial(_reaches, items, key), None, True)
    else:
        session.guard("call", functools.partial(len, items), None, length)


def _reaches(items: list[Any], position: int) -> bool:
    return position < len(items)


def in_place(do: _Do, function: Callable[..., Any], left: Any, right: Any) -> Any:
    """`left += right` and its kin; `do` calls what is not followed."""
    name = _IN_PLACE.get((type(left), function)) if current_session() is not None else None
    if name is not None and is_external(left):
        core.look_at(right)
        _METHODS[_base(left), name](left, right)
        return left
    core.look_at(left, right)
    return do(function, left, check_augmented(left, right))


def replays(function: Callable[..., Any]) -> bool:
    """Whether a method's calls are effects that may be replayed."""
    owner = getattr(function, "__self__", None)
    name = function.__name__
    return type(owner) in _CONTAINERS and (_base(owner), name) in _METHODS and is_external(owner) and _acts(owner, name)


def _acts(owner: Any, name: str) -> bool:
    """Whether a method changes what it is of, or asks for what captured code has changed."""
    session: Any = current_session()
    return name != "get" or bool(session.effects.recorded)


def call(method: Any, args: Args, kwargs: Kwargs) -> Any:
    """Calls such a method."""
    act = _METHODS[_base(method.__self__), method.__name__]
    try:
        return act(method.__self__, *args, **kwargs)
    except TypeError as error:
        if isinstance(error, core.CaptureError):
            raise
        raise refused(f"a {type(method.__self__).__name__}") from None


def _base(owner: Any) -> type:
    return dict if isinstance(owner, dict) else type(owner)


def _taken(values: Any) -> tuple[Any, ...]:
    """The items of what is given to be iterated over."""
    if type(values) not in (list, tuple, set, frozenset, collections.deque, range, str, *DICTS[:2]):
        raise refused("a container by what is no plain container")
    observe(values)
    return tuple(values)


def _add_each(owner: Any, name: str, kind: str, add: Callable[[Any, Any], Any], values: Any) -> None:
    record = _recorder(owner, f"{{}}.{name}(...)")
    items = _taken(values)
    if type(owner) is set:
        items = tuple(map(_plain, items))
        _check_keys(owner, *items)
    for value in items:
        record(kind, None, add, value)


def _add(kind: str, add: Any) -> Callable[..., None]:
    def act(owner: Any, value: Any, /) -> None:
        if type(owner) is set:
            value = _plain(value)
            _check_keys(owner, value)
        _recorder(owner, f"{{}}.{add.__name__}(...)")(kind, None, add, value)

    return act


def _clear(kind: str, clear: Any) -> Callable[..., None]:
    def act(owner: Any, /) -> None:
        _recorder(owner, "{}.clear()")(kind, ALL, clear)

    return act


def _insert(items: list[Any], at: int, value: Any, /) -> None:
    if type(at) is not int:
        raise refused("a list at what is no plain position")
    _recorder(items, "{}.insert(...)")("insert", MOVED, list.insert, at, value)


def _pop_item(items: list[Any], at: int = -1, /) -> Any:
    record = _recorder(items, "{}.pop(...)")
    if type(at) is not int:
        raise refused("a list at what is no plain position")
    observe(items)
    value = items[at] if items else items.pop()
    _replace(record, at % len(items), at % len(items) + 1, ())
    return value


def _pop_end(kind: str, pop: Any) -> Callable[..., Any]:
    def act(items: Any, /) -> Any:
        observe(items)
        return _recorder(items, f"{{}}.{pop.__name__}()")(kind, MOVED, pop)

    return act


def _remove(items: set[Any], value: Any, /) -> None:
    observe(items)
    value = _plain(value)
    _check_keys(items, value)
    _recorder(items, "{}.remove(...)")("discard", None, set.remove, value)


def _update(owner: dict[Any, Any], items: Any = (), /, **more: Any) -> None:
    if type(owner) is collections.Counter:
        raise refused("a Counter")
    if type(items) in DICTS[:2]:
        observe(items)
        pairs = [*items.items(), *more.items()]
    elif items == ():
        pairs = [*more.items()]
    else:
        raise refused("a dict by what is none")
    record = _recorder(owner, "{}.update(...)")
    _check_keys(owner, *(key for key, _ in pairs))
    for key, value in pairs:
        record("store item", key, dict.__setitem__, key, value)


def _set_default(owner: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    key = _plain(key)
    record = _recorder(owner, "{}.setdefault(...)")
    _check_keys(owner, key)
    if not _has(owner, key):
        record("store item", key, dict.__setitem__, key, default)
    return _item_of(owner, key)


def _item_of(owner: dict[Any, Any], key: Any) -> Any:
    if _knows(owner, key):
        return current_effects().value(owner, key)
    session: Any = current_session()
    return guard_object(session.read("item", owner, key, owner[key]))


def _get(owner: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    key = _plain(key)
    if _knows(owner, key):
        return _item_of(owner, key) if _has(owner, key) else default
    observe(owner)
    return dict.get(owner, key, default)


def _pop_key(owner: dict[Any, Any], key: Any, /, *default: Any) -> Any:
    key = _plain(key)
    record = _recorder(owner, "{}.pop(...)")
    _check_keys(owner, key)
    if not _has(owner, key):
        return dict.pop(owner, key, *default)
    value = _item_of(owner, key)
    record("delete item", key, dict.__delitem__, key)
    return value


_METHODS: dict[tuple[type, str], Callable[..., Any]] = {
    (list, "append"): _add("append", list.append),
    (list, "extend"): lambda items, values, /: _add_each(items, "extend", "append", list.append, values),
    (list, "insert"): _insert,
    (list, "pop"): _pop_item,
    (list, "clear"): _clear("clear list", list.clear),
    (dict, "update"): _update,
    (dict, "setdefault"): _set_default,
    (dict, "pop"): _pop_key,
    (dict, "get"): _get,
    (dict, "clear"): _clear("clear dict", dict.clear),
    (set, "add"): _add("add", set.add),
    (set, "discard"): _add("discard", set.discard),
    (set, "remove"): _remove,
    (set, "update"): lambda items, values, /: _add_each(items, "update", "add", set.add, values),
    (set, "clear"): _clear("clear set", set.clear),
    (collections.deque, "append"): _add("append right", collections.deque.append),
    (collections.deque, "appendleft"): _add("append left", collections.deque.appendleft),
    (collections.deque, "pop"): _pop_end("pop right", collections.deque.pop),
    (collections.deque, "popleft"): _pop_end("pop left", collections.deque.popleft),
    (collections.deque, "extend"): lambda items, values, /: _add_each(
        items, "extend", "append right", collections.deque.append, values
    ),
    (collections.deque, "clear"): _clear("clear deque", collections.deque.clear),
}
_IN_PLACE: dict[tuple[type, Any], str] = {
    (list, operator.iadd): "extend",
    (collections.deque, operator.iadd): "extend",
    (dict, operator.ior): "update",
    (set, operator.ior): "update",
}
