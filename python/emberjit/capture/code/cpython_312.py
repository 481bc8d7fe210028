"""CPython 3.12: what its instructions mean, where not all versions have them, and what 3.13 has in common with it."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator

from emberjit.capture.code.cpython import (
    COMPARISONS,
    FORMAT_VALUE,
    JUMPS,
    MAKE_FUNCTION,
    MEANINGS,
    PLAIN,
    SKIPPED,
    STOPITERATION_ERROR,
    Meaning,
    Means,
    Reader,
    Unit,
    Version,
    call_with_names_before,
    jump,
    plain,
    target,
)

_INTRINSICS = {5: ("UNARY", operator.pos), 6: ("LIST_TO_TUPLE", None)}
_TESTS = ("POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE")


def _previous(reader: Reader, at: int) -> Unit | None:
    return reader.units[at - 1] if at else None


def _load_attribute(reader: Reader, at: int) -> Iterator[Meaning]:
    arg = reader.units[at].arg
    yield "LOAD_METHOD" if arg & 1 else "LOAD_ATTR", reader.names[arg >> 1], -1


def _load_of_super(reader: Reader, at: int) -> Iterator[Meaning]:
    arg = reader.units[at].arg
    yield "SUPER", bool(arg & 2), -1
    yield "LOAD_METHOD" if arg & 1 else "LOAD_ATTR", reader.names[arg >> 2], -1


def _return_constant(reader: Reader, at: int) -> Iterator[Meaning]:
    yield "LOAD_CONST", reader.constants[reader.units[at].arg], -1
    yield "RETURN", None, -1


def _load_slice(reader: Reader, at: int) -> Iterator[Meaning]:
    yield "BUILD_SLICE", 2, -1
    yield "LOAD_ITEM", operator.getitem, -1


def _store_slice(reader: Reader, at: int) -> Iterator[Meaning]:
    yield "BUILD_SLICE", 2, -1
    yield "STORE_ITEM", None, -1


def _intrinsic(reader: Reader, at: int) -> Iterator[Meaning]:
    arg = reader.units[at].arg
    if arg in _INTRINSICS:
        yield *_INTRINSICS[arg], -1
    elif arg != STOPITERATION_ERROR:
        raise LookupError(f"CALL_INTRINSIC_1 {arg} is no instruction of functions")


def _end_send(reader: Reader, at: int) -> Iterator[Meaning]:
    yield "SWAP", 2, -1
    yield "POP", None, -1


def _make_cell(reader: Reader, at: int) -> Iterable[Meaning]:
    """That of an inlined comprehension is made each time it runs."""
    begun = any(unit.name == "RESUME" for unit in reader.units[:at])
    return (("NEW_CELL", reader.variables[reader.units[at].arg], -1),) if begun else ()


# `a and b` is COPY 1, a jump, POP_TOP: at the jump, whether it is that.
def _keeps(reader: Reader, at: int, *tested: str) -> bool:
    first = at - 1 - len(tested)
    names = ("COPY", *tested, reader.units[at].name, "POP_TOP")
    return first >= 0 and reader.follow(first, *names) and reader.units[first].arg == 1


def _goes_back(reader: Reader, at: int) -> bool:
    """Whether a conditional jump leads over one that goes back to the body of a `while`, whose test was made before it, too:
    together they go back under the other condition."""
    unit = reader.units[at]
    if not reader.follow(at, unit.name, "JUMP_BACKWARD"):
        return False
    back = reader.units[at + 1]
    if jump(reader, unit)[2] != reader.resolved[back.after]:
        return False
    body, where = target(back), reader.positions[unit.place]
    before = (other for other in reader.units if other.place < body and other.name.startswith("POP_JUMP_IF"))
    return where[0] is not None and any(reader.positions[other.place] == where for other in before)


def meanings_of_tests(*tested: str) -> dict[str, Means]:
    """What conditional jumps mean, and what belongs to them; `tested`: what comes between a COPY and its jump."""

    def conditional(reader: Reader, at: int) -> Iterator[Meaning]:
        name, operand, place = jump(reader, reader.units[at])
        if name == "JUMP_IF" and _keeps(reader, at, *tested):
            yield "JUMP_IF_OR_POP", operand, place
        elif _goes_back(reader, at):
            yield name, not operand, jump(reader, reader.units[at + 1])[2]
        else:
            yield name, operand, place

    def copy(reader: Reader, at: int) -> Iterable[Meaning]:
        behind = at + 1 + len(tested)
        kept = behind < len(reader.units) and reader.units[behind].name in _TESTS and _keeps(reader, behind, *tested)
        return () if kept else (("COPY", reader.units[at].arg, -1),)

    def pop(reader: Reader, at: int) -> Iterable[Meaning]:
        before = _previous(reader, at)
        kept = before is not None and before.name in _TESTS and _keeps(reader, at - 1, *tested)
        return () if kept else (("POP", None, -1),)

    def back(reader: Reader, at: int) -> Iterable[Meaning]:
        before = _previous(reader, at)
        joined = before is not None and before.name.startswith("POP_JUMP_IF") and _goes_back(reader, at - 1)
        return () if joined else (jump(reader, reader.units[at]),)

    names = (*_TESTS, "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE")
    others: dict[str, Means] = {"COPY": copy, "POP_TOP": pop, "JUMP_BACKWARD": back}
    return {**dict.fromkeys(names, conditional), **others}


SINCE_312: dict[str, Means] = {
    "LOAD_ATTR": _load_attribute,
    "LOAD_SUPER_ATTR": _load_of_super,
    "RETURN_CONST": _return_constant,
    "BINARY_SLICE": _load_slice,
    "STORE_SLICE": _store_slice,
    "CALL_INTRINSIC_1": _intrinsic,
    "END_SEND": _end_send,
    "MAKE_CELL": _make_cell,
}
PLAIN_SINCE_312 = (
    (lambda reader, arg: reader.variables[arg], "LOAD_FAST_CHECK=LOAD_LOCAL LOAD_FAST_AND_CLEAR=CLEAR_LOCAL"),
)
SKIPPED_SINCE_312 = SKIPPED | {"END_FOR", "CLEANUP_THROW"}
_COMPARE = (lambda reader, arg: COMPARISONS[arg >> 4], "COMPARE_OP=COMPARE")

VERSION = Version(
    PLAIN | plain((*PLAIN_SINCE_312, _COMPARE, MAKE_FUNCTION, FORMAT_VALUE)),
    MEANINGS | SINCE_312 | meanings_of_tests() | {"CALL": call_with_names_before},
    JUMPS,
    SKIPPED_SINCE_312 | {"KW_NAMES"},
    {"FOR": ("END_FOR",), "SEND": ("END_SEND",)},
)
