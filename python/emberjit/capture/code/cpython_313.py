"""CPython 3.13: what its instructions mean, where 3.12 has them not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from emberjit.capture.code.cpython import (
    COMPARISONS,
    JUMPS,
    MEANINGS,
    PLAIN,
    Meaning,
    Means,
    Reader,
    Version,
    call,
    conversion,
    parts,
    plain,
)
from emberjit.capture.code.cpython_312 import PLAIN_SINCE_312, SINCE_312, SKIPPED_SINCE_312, meanings_of_tests
from emberjit.capture.code.instructions import NULL

_TESTS = ("POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE", "UNARY_NOT")  # which decide the truth themselves


def _load(reader: Reader, variable: int) -> Meaning:
    """A variable; of one that inner functions see, its cell."""
    return "LOAD_CLOSURE" if reader.is_cell(variable) else "LOAD_LOCAL", reader.variables[variable], -1


def _store(reader: Reader, variable: int) -> Meaning:
    return "STORE_LOCAL", reader.variables[variable], -1


def _two(first: Callable[[Reader, int], Meaning], second: Callable[[Reader, int], Meaning]) -> Means:
    def meaning(reader: Reader, at: int) -> Iterator[Meaning]:
        arg = reader.units[at].arg
        yield first(reader, arg >> 4)
        yield second(reader, arg & 15)

    return meaning


def _push_null(reader: Reader, at: int) -> Iterator[Meaning]:
    yield "LOAD_CONST", NULL, -1
    yield "SWAP", 2, -1  # which CPython pushes behind what is called


def _load_constant(reader: Reader, at: int) -> Iterable[Meaning]:
    named = reader.follow(at, "LOAD_CONST", "CALL_KW")
    return () if named else (("LOAD_CONST", reader.constants[reader.units[at].arg], -1),)


def _call(reader: Reader, at: int) -> Iterator[Meaning]:
    return call(reader, reader.units[at].arg, ())


def _call_with_names(reader: Reader, at: int) -> Iterator[Meaning]:
    if at == 0 or not reader.follow(at - 1, "LOAD_CONST", "CALL_KW"):
        raise LookupError("names of arguments are no constant")
    return call(reader, reader.units[at].arg, reader.constants[reader.units[at - 1].arg])


def _make_function(reader: Reader, at: int) -> Iterator[Meaning]:
    flags = behind = 0
    while reader.follow(at, "MAKE_FUNCTION", *["SET_FUNCTION_ATTRIBUTE"] * (behind + 1)):
        behind += 1
        flags |= reader.units[at + behind].arg
    yield "MAKE_FUNCTION", parts(flags), -1


def _set_attribute(reader: Reader, at: int) -> Iterable[Meaning]:
    """What _make_function has read already."""
    first = at
    while reader.units[first].name == "SET_FUNCTION_ATTRIBUTE" and first:
        first -= 1
    if not reader.follow(first, "MAKE_FUNCTION", *["SET_FUNCTION_ATTRIBUTE"] * (at - first)):
        raise LookupError("an attribute is set of a function that was made elsewhere")
    return ()


def _to_bool(reader: Reader, at: int) -> Iterable[Meaning]:
    tested = any(reader.follow(at, "TO_BOOL", test) for test in _TESTS)
    return () if tested else (("NOT", None, -1), ("NOT", None, -1))


_COMPARE = (lambda reader, arg: COMPARISONS[arg >> 5], "COMPARE_OP=COMPARE")
_FORMATS = (
    (lambda reader, arg: (conversion(arg), False), "CONVERT_VALUE=FORMAT"),
    (lambda reader, arg: (-1, False), "FORMAT_SIMPLE=FORMAT"),
    (lambda reader, arg: (-1, True), "FORMAT_WITH_SPEC=FORMAT"),
)

VERSION = Version(
    PLAIN | plain((*PLAIN_SINCE_312, _COMPARE, *_FORMATS)),
    MEANINGS
    | SINCE_312
    | meanings_of_tests("TO_BOOL")
    | {
        "LOAD_FAST": lambda reader, at: (_load(reader, reader.units[at].arg),),
        "LOAD_FAST_LOAD_FAST": _two(_load, _load),
        "STORE_FAST_LOAD_FAST": _two(_store, _load),
        "STORE_FAST_STORE_FAST": _two(_store, _store),
        "PUSH_NULL": _push_null,
        "LOAD_CONST": _load_constant,
        "CALL": _call,
        "CALL_KW": _call_with_names,
        "MAKE_FUNCTION": _make_function,
        "SET_FUNCTION_ATTRIBUTE": _set_attribute,
        "TO_BOOL": _to_bool,
    },
    JUMPS,
    SKIPPED_SINCE_312,
    {"FOR": ("END_FOR", "POP_TOP"), "SEND": ("END_SEND",)},
)
