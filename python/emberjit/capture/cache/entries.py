"""Entries as documents: what a capture has read, by places and descriptions, beside the graph's code; and back, where all
of it is found as it was."""

from __future__ import annotations

import abc
import dis
import functools
import math
import re
import types
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.cache.describe import PLAIN, Describer, Undescribed, digest, plain
from emberjit.capture.cache.places import Places, Row, follow, text_of
from emberjit.capture.code.lookup import own_fields
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.guards.objects import CONTAINERS
from emberjit.capture.guards.record import content_without
from emberjit.capture.session.locations import Location
from emberjit.capture.session.session import class_state

Document = dict[str, Any]
Parts = tuple[Document, bytes, bytes]  # a document, the code and the graph
Reference = Any  # [number of an object] or the description of a constant

_LEADS = ("item", "element", "attribute", "cell", "fields", "class")  # guards that are steps
_HASHED = "text, of which each process has its own hash"
_HASHES = {"set", "frozenset", "hash"}
_ADDRESSES = {"id", "hash"}  # of which one process has its own
_ADDRESS = re.compile(rb" at 0x[0-9a-f]{6}")  # as objects without text of their own are shown
_OWNERS: dict[str, Any] = {
    **dict.fromkeys(("item", "absent"), dict),
    **dict.fromkeys(("cell", "empty"), types.CellType),
    **{"element": list, "content": CONTAINERS, "function": types.FunctionType, "type": type},
}
_NUMBERS = ("computed", "written", "writes", "own_memory", "flags", "structure", "paths")
_FAILURES = (LookupError, AttributeError, TypeError, ValueError, OverflowError, RuntimeError)


class Stale(Exception):
    """Something that an entry depends on is not as it was."""


# Values of a program that are written as they are --------------------------------------------------------------------


def _encoded(value: Any) -> Any:
    """A constant as a part of a document.

    Raises:
        Undescribed: it is none.
    """
    if type(value) is tuple:
        return {"tuple": [_encoded(item) for item in value]}
    if type(value) is frozenset:
        return {"frozenset": [_encoded(item) for item in sorted(value, key=repr)]}
    if type(value) is complex:
        return {"complex": [_encoded(value.real), _encoded(value.imag)]}
    if type(value) is bytes or (type(value) is float and not math.isnan(value)):
        return {type(value).__name__: value.hex()}
    if value is None or type(value) in (bool, int, str):
        return value
    raise Undescribed(f"a constant {type(value).__qualname__}")


def _decoded(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind in ("tuple", "frozenset"):
        return {"tuple": tuple, "frozenset": frozenset}[kind](map(_decoded, content))
    if kind == "complex":
        return complex(*map(_decoded, content))
    return bytes.fromhex(content) if kind == "bytes" else float.fromhex(content)


# To documents --------------------------------------------------------------------------------------------------------


class _Writer:
    """One entry, in the process that has captured it."""

    def __init__(self, function: Callable[..., Any], state: dict[str, Any], capture: dict[str, Any]):
        self.state, self.capture = state, capture
        self.places = Places(function, state["constants"])
        self.describer: Describer | None = None

    def document(self) -> Document:
        """What is described may have parts that get their numbers later: so references are written twice, at first
        without descriptions."""
        self._reach(self.capture["guards"])
        self._written()
        self.describer = Describer(self.places.numbers)
        document = self._written()
        descriptions = [self.describer.itself(value) for value in self.places.objects]
        document["digest"], document["digests"] = (
            digest(tuple(descriptions)),
            [digest(description) for description in descriptions],
        )
        if any(map(_depends_on_hashes, self.places.objects)):
            document["hashes"] = hash(_HASHED)
        return document

    def _written(self) -> Document:
        state, capture = self.state, self.capture
        document: Document = {name: state[name] for name in _NUMBERS}
        document["held"] = [[leaf, _encoded(value)] for leaf, value in state["held"]]
        document["pinned"] = [[leaf, self.places.number(value)] for leaf, value in state["pinned"]]
        document["constants"] = [self._reference(value) for value in state["constants"]]
        document["guards"] = [self._guard(*guard) for guard in capture["guards"]]
        document["hidden"] = [self.places.number(tensor) for tensor in state["hidden"]]
        document["outside"] = [
            [kind, self.places.number(owner), _encoded(key), cls.__name__] for kind, owner, key, cls in state["outside"]
        ]
        document["tree"] = self._tree(capture["tree"])
        document["effects"] = [
            [kind, self._tree(owner), self._tree(operands), words] for kind, owner, operands, words in capture["effects"]
        ]
        document["apart"] = [self.places.number(value) for value in capture["apart"]]
        document["lines"] = [[tuple(location) for location in path] for path in capture["lines"]]
        document["leaves"] = capture["leaves"]
        document["rows"] = self.places.rows
        return document

    def _reach(self, guards: list[Any]) -> None:
        """Finds ways to what is guarded, by what else is."""
        waiting = list(guards)
        while waiting:
            left = [guard for guard in waiting if not self.places.is_reached(guard[1])]
            for kind, owner, key, expected in waiting:
                if self.places.is_reached(owner):
                    self.places.number(owner)
                    self._lead(kind, owner, key, expected)
            if len(left) == len(waiting):
                self.places.number(left[0][1])
            waiting = left

    def _lead(self, kind: str, owner: Any, key: Any, expected: Any) -> None:
        if kind in _LEADS:
            self.places.lead(owner, kind, key, expected)
        elif kind == "content":
            pairs = isinstance(owner, dict)
            for i, item in enumerate(expected[1::2] if pairs else expected):
                self.places.lead(owner, "item" if pairs else "element", expected[2 * i] if pairs else i, item)

    def _reference(self, value: Any) -> Reference:
        return plain(value) if type(value) in PLAIN else [self.places.number(value)]

    def _guard(self, kind: str, owner: Any, key: Any, expected: Any) -> list[Any]:
        names = self.capture["names"].get((kind, id(owner), key), ("", ""))
        return [kind, self.places.number(owner), _encoded(key), self._expected(kind, owner, expected), *names]

    def _expected(self, kind: str, owner: Any, expected: Any) -> Any:
        if kind in ("absent", "missing", "empty"):
            return None
        if kind == "content":
            return [self._reference(item) for item in expected]
        if kind in ("type", "function", "buffer", "call"):
            return self.describer and digest(_compared(self.describer, kind, owner, expected))
        return self._reference(expected)

    def _tree(self, tree: Any) -> Any:
        if not isinstance(tree, tuple):
            return tree
        kind, content = tree
        if kind == "const":
            return self._constant(content)
        if kind in ("given", "container", "again"):
            return [kind, content]
        if kind == "keep":
            return [kind, self._tree(content)]
        if kind in ("tuple", "list"):
            return [kind, [self._tree(item) for item in content]]
        if kind == "dict":
            return [kind, [[_encoded(key), self._tree(item)] for key, item in content.items()]]
        function, items = content
        parts = (function.func, *function.args) if isinstance(function, functools.partial) else (function,)
        return [kind, [[self._constant(part) for part in parts], self._tree(items)]]

    def _constant(self, value: Any) -> Any:
        if self.places.is_reached(value):
            return ["object", self.places.number(value)]
        try:
            return ["const", _encoded(value)]
        except Undescribed:
            return ["object", self.places.number(value)]


def document_of(function: Callable[..., Any], entry: Any, capture: dict[str, Any]) -> Parts:
    """An entry that has just been captured, without its code and its graph, and these.

    Raises:
        Undescribed: no other process could tell whether the entry serves it.
    """
    state = core.entry_state(entry)
    if state["obstacle"]:
        raise Undescribed(state["obstacle"])
    document = _Writer(function, state, capture).document()
    if _ADDRESS.search(state["text"]) or _ADDRESS.search(ascii((document["tree"], document["effects"])).encode()):
        raise Undescribed("an address, which an object's text shows")
    return document, state["code"], state["text"]


def _depends_on_hashes(value: Any) -> bool:
    """Whether what is captured from code may depend on how this process hashes text, as the order of a set does.

    Raises:
        Undescribed: it may depend on where objects lie.
    """
    codes = [value.__code__] if isinstance(value, types.FunctionType) else []
    depends = False
    while codes:
        code = codes.pop()
        if not _ADDRESSES.isdisjoint(code.co_names):
            raise Undescribed("where an object lies, or its hash")
        codes += [part for part in code.co_consts if isinstance(part, types.CodeType)]
        depends |= not _HASHES.isdisjoint(code.co_names) or any(isinstance(part, frozenset) for part in code.co_consts)
        depends |= any(ins.opname in ("BUILD_SET", "SET_ADD", "SET_UPDATE") for ins in dis.get_instructions(code))
    return depends


def _elements(state: Any) -> Any:
    """Of core.buffer_state() what is not of one process."""
    kind, what = state
    return repr(kind), what.hex() if isinstance(what, bytes) else repr(what[1])


def _compared(describer: Describer, kind: str, owner: Any, expected: Any) -> Any:
    """What a guard without references compares: the same in the process that stores and in that which reads."""
    if kind == "type":
        return describer.namespaces(owner)
    if kind == "function":
        return describer.itself(owner)
    return _elements(expected) if kind == "buffer" else _answer(describer, owner, expected)


def _answer(describer: Describer, function: Callable[..., Any], answer: Any) -> Any:
    """What a guard has called, and what that gave."""
    if isinstance(function, functools.partial) or function is abc.get_cache_token:
        raise Undescribed("what is asked in each call")
    return describer.describe(function), describer.describe(answer)


# Back ----------------------------------------------------------------------------------------------------------------


class _Reader:
    """One document, in a process that may have the same objects."""

    def __init__(self, document: Document, function: Callable[..., Any], arguments: list[Any]):
        self.document = document
        self.rows: list[Row] = document["rows"]
        self.objects = follow(self.rows, function, arguments)
        numbers = {id(value): number for number, value in enumerate(self.objects)}
        if len(numbers) != len(self.objects):
            raise Stale("two objects, of which there is one")
        if document.get("hashes") not in (None, hash(_HASHED)):
            raise Stale("the hashes of text, and so the order of sets")
        self.describer = Describer(numbers)
        descriptions = [self.describer.itself(value) for value in self.objects]
        if digest(tuple(descriptions)) != document["digest"]:
            changed = [digest(description) != known for description, known in zip(descriptions, document["digests"])]
            raise Stale(text_of(self.rows, changed.index(True)))

    def state(self) -> dict[str, Any]:
        """What core.restore_entry takes, but for the code."""
        document = self.document
        state = {name: document[name] for name in (*_NUMBERS, "leaves")}
        state["held"] = [(leaf, _decoded(value)) for leaf, value in document["held"]]
        state["pinned"] = [(leaf, self.objects[number]) for leaf, number in document["pinned"]]
        state["guards"] = [self._guard(*guard) for guard in document["guards"]]
        state["hidden"] = [self.objects[number] for number in document["hidden"]]
        classes = {cls.__name__: cls for cls in (bool, int, float, core.Tensor)}
        state["outside"] = [
            (kind, self.objects[owner], _decoded(key), classes[cls]) for kind, owner, key, cls in document["outside"]
        ]
        state["tree"] = self._tree(document["tree"])
        state["effects"] = [
            (kind, self._tree(owner), self._tree(operands), words) for kind, owner, operands, words in document["effects"]
        ]
        state["apart"] = [self.objects[number] for number in document["apart"]]
        state["lines"] = [tuple(Location(file, name, tuple(at)) for file, name, at in path) for path in document["lines"]]
        return state

    def names(self) -> dict[Any, tuple[str, str]]:
        """How captured code came to what is guarded, and where."""
        return {
            (kind, id(self.objects[owner]), _decoded(key)): (name, line)
            for kind, owner, key, _, name, line in self.document["guards"]
            if name
        }

    def _guard(self, kind: str, owner: int, key: Any, expected: Any, name: str, line: str) -> tuple[Any, ...]:
        value, key = self.objects[owner], _decoded(key)
        now = self._now(kind, value, key, expected)
        if now is Stale:
            raise Stale(name or f"{kind} of {text_of(self.rows, owner)}")
        return kind, value, key, now

    def _now(self, kind: str, owner: Any, key: Any, expected: Any) -> Any:
        """What a guard expects, in this process; Stale if it is not what it was."""
        if not isinstance(owner, _OWNERS.get(kind, object)):
            return Stale
        if kind in ("absent", "missing", "empty"):
            return None
        if kind == "type":
            return class_state(owner, {}) if self._agrees(kind, owner, None, expected) else Stale
        if kind == "function":
            same = self._agrees(kind, owner, None, expected)
            return (owner.__code__, owner.__defaults__, owner.__kwdefaults__) if same else Stale
        if kind == "buffer":
            return self._buffer(owner, expected)
        if kind == "content":
            now = _content(owner, key)
            return now if len(now) == len(expected) and self._are(now, expected) else Stale
        if kind == "call":
            now = owner()
            return now if self._agrees(kind, owner, now, expected) else Stale
        now = _read(kind, owner, key)
        return now if self._is(now, expected) else Stale

    def _buffer(self, owner: Any, expected: str) -> Any:
        for with_bytes in (False, True):
            now = core.buffer_state(owner, with_bytes)
            if now is not None and self._agrees("buffer", owner, now, expected):
                return now
        return Stale

    def _agrees(self, kind: str, owner: Any, now: Any, expected: str) -> bool:
        return digest(_compared(self.describer, kind, owner, now)) == expected

    def _is(self, value: Any, reference: Reference) -> bool:
        return self._are((value,), (reference,))

    def _are(self, values: Sequence[Any], references: Sequence[Reference]) -> bool:
        for value, reference in zip(values, references):
            if len(reference) == 1:
                if value is not self.objects[reference[0]]:
                    return False
            elif type(value) is str:
                if reference != ["str", repr(value)]:
                    return False
            elif type(value) not in PLAIN or plain(value) != tuple(reference):
                return False
        return True

    def _tree(self, tree: Any) -> Any:
        if isinstance(tree, int):
            return tree
        kind, content = tree
        if kind == "const":
            return kind, _decoded(content)
        if kind == "object":
            return "const", self.objects[content]
        if kind == "keep":
            return kind, self._tree(content)
        if kind == "tuple":
            return kind, tuple(map(self._tree, content))
        if kind == "list":
            return kind, list(map(self._tree, content))
        if kind == "dict":
            return kind, {_decoded(key): self._tree(item) for key, item in content}
        if kind == "made":
            function, *args = [self._tree(part)[1] for part in content[0]]
            return kind, (functools.partial(function, *args), self._tree(content[1]))
        return kind, content


def _content(owner: Any, ignored: Any) -> tuple[Any, ...]:
    return tuple(core.content(owner)) if ignored is None else content_without(owner, ignored)


def _read(kind: str, owner: Any, key: Any) -> Any:
    if kind == "class":
        return type(owner)
    if kind == "fields":
        return own_fields(owner)
    if kind == "cell":
        return owner.cell_contents
    return getattr(owner, key) if kind == "attribute" else owner[key]


def restored(
    parts: Parts, jitted: core.Jit, function: Callable[..., Any], args: Args, kwargs: Kwargs, constants: Any
) -> Any:
    """An entry that serves this call, which `jitted` knows from now on; `parts`: what document_of() gave.

    Raises:
        Stale: something is not as it was where the entry was captured.
    """
    document, code, text = parts
    try:
        reader = _Reader(document, function, constants)
        if not (len(constants) == len(document["constants"]) and all(map(reader._is, constants, document["constants"]))):
            raise Stale("a constant among the arguments")
        entry = core.restore_entry(jitted, args, kwargs, {**reader.state(), "code": code, "text": text})
    except (*_FAILURES, Undescribed) as error:
        raise Stale(f"{type(error).__name__}: {error}") from error
    if entry is None:
        raise Stale("a guard")
    jitted.__dict__.setdefault("guard_names", {}).update(reader.names())
    return entry
