"""CPython 3.11: its bytecode as canonical instructions. Another version is another file like this (see CONTRIBUTING.md)."""

from __future__ import annotations

import bisect
import dis
import opcode
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from emberjit.capture.code import signature
from emberjit.capture.code.instructions import NULL, Damaged, Handler, Instruction

_NUMBERS: dict[str, int] = opcode.opmap
_CACHES: list[int] = opcode._inline_cache_entries  # type: ignore[attr-defined]
_SIZES = [
    2 + 2 * _CACHES[_NUMBERS.get(dis.deoptmap.get(name, name), 0)]  # type: ignore[attr-defined]
    for name in dis._all_opname  # type: ignore[attr-defined]
]  # in bytes, by opcode, also of those that CPython has specialised
_LARGEST = (1 << 31) - 1
_BINARY = ("add", "and_", "floordiv", "lshift", "matmul", "mul", "mod", "or_", "pow", "rshift", "sub", "truediv", "xor")
_OPERATORS = [("BINARY", getattr(operator, name)) for name in _BINARY]
_OPERATORS += [("INPLACE", getattr(operator, f"i{name.rstrip('_')}")) for name in _BINARY]
_COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]
_PARTS = ((8, "closure"), (4, "annotations"), (2, "kwdefaults"), (1, "defaults"))
_DELEGATES = 2  # of the argument of the RESUME behind a YIELD_VALUE

_OF_CELLS = ("LOAD_CLOSURE", "LOAD_DEREF", "STORE_DEREF", "DELETE_DEREF")
_NOWHERE = (None, None, None, None)
_SKIPPED = ("NOP", "RESUME", "RETURN_GENERATOR", "PRECALL", "MAKE_CELL", "COPY_FREE_VARS")


class _Unit(NamedTuple):
    """One instruction of CPython's; `place` counts its units of two bytes, as `after` does those up to the next one."""

    place: int
    name: str
    arg: int
    after: int


class _Names:
    """What the arguments of a code object's instructions are indices of."""

    def __init__(self, code: types.CodeType):
        self.constants, self.names = code.co_consts, code.co_names
        cells = [name for name in code.co_cellvars if name not in code.co_varnames]
        self.variables = [*code.co_varnames, *cells, *code.co_freevars]


# What finds the operand, and of which instructions: with their canonical names, where these are others.
_TABLE: tuple[tuple[Callable[[_Names, int], Any], str], ...] = (
    (lambda names, arg: arg, "COPY SWAP LIST_APPEND SET_ADD MAP_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE"),
    (lambda names, arg: arg, "BUILD_TUPLE BUILD_LIST BUILD_SET BUILD_MAP BUILD_CONST_KEY_MAP BUILD_STRING"),
    (lambda names, arg: arg, "UNPACK_SEQUENCE=UNPACK RAISE_VARARGS=RAISE MATCH_CLASS"),
    (lambda names, arg: None, "LIST_TO_TUPLE LOAD_BUILD_CLASS RERAISE GET_LEN MATCH_MAPPING"),
    (lambda names, arg: None, "MATCH_SEQUENCE MATCH_KEYS POP_TOP=POP RETURN_VALUE=RETURN UNARY_NOT=NOT"),
    (lambda names, arg: None, "STORE_SUBSCR=STORE_ITEM DELETE_SUBSCR=DELETE_ITEM"),
    (lambda names, arg: None, "PUSH_EXC_INFO=PUSH_HANDLED POP_EXCEPT=POP_HANDLED CHECK_EXC_MATCH=CATCHES"),
    (lambda names, arg: None, "BEFORE_WITH=ENTER_WITH WITH_EXCEPT_START=EXIT_WITH GET_YIELD_FROM_ITER=DELEGATE"),
    (lambda names, arg: names.constants[arg], "LOAD_CONST"),
    (lambda names, arg: names.variables[arg], "LOAD_FAST=LOAD_LOCAL STORE_FAST=STORE_LOCAL DELETE_FAST=DELETE_LOCAL"),
    (lambda names, arg: names.variables[arg], "LOAD_DEREF=LOAD_CELL STORE_DEREF=STORE_CELL DELETE_DEREF=DELETE_CELL"),
    (lambda names, arg: names.variables[arg], "LOAD_CLOSURE"),
    (lambda names, arg: names.names[arg], "STORE_GLOBAL DELETE_GLOBAL LOAD_ATTR LOAD_METHOD STORE_ATTR DELETE_ATTR"),
    (lambda names, arg: names.names[arg], "IMPORT_NAME IMPORT_FROM"),
    (lambda names, arg: bool(arg & 1), "IS_OP=IS CONTAINS_OP=CONTAINS CALL_FUNCTION_EX=CALL_SPREAD"),
    (lambda names, arg: AssertionError, "LOAD_ASSERTION_ERROR=LOAD_CONST"),
    (lambda names, arg: NULL, "PUSH_NULL=LOAD_CONST"),
    (lambda names, arg: iter, "GET_ITER"),
    (lambda names, arg: operator.getitem, "BINARY_SUBSCR=LOAD_ITEM"),
    (lambda names, arg: operator.pos, "UNARY_POSITIVE=UNARY"),
    (lambda names, arg: operator.neg, "UNARY_NEGATIVE=UNARY"),
    (lambda names, arg: operator.invert, "UNARY_INVERT=UNARY"),
    (lambda names, arg: _COMPARISONS[arg], "COMPARE_OP=COMPARE"),
    (lambda names, arg: 3 if arg == 3 else 2, "BUILD_SLICE"),
    (lambda names, arg: ((-1, ord("s"), ord("r"), ord("a"))[arg & 3], bool(arg & 4)), "FORMAT_VALUE=FORMAT"),
    (lambda names, arg: (arg & 0xFF, arg >> 8), "UNPACK_EX=UNPACK_STARRED"),
    (lambda names, arg: tuple(part for bit, part in _PARTS if arg & bit), "MAKE_FUNCTION"),
)
_PLAIN = {
    each.partition("=")[0]: (each.rpartition("=")[2], operand) for operand, described in _TABLE for each in described.split()
}
# The canonical name, and the operand, of jumps either way.
_JUMPS = {
    "JUMP": ("JUMP", None),
    "JUMP_NO_INTERRUPT": ("JUMP", None),
    "JUMP_IF_TRUE_OR_POP": ("JUMP_IF_OR_POP", True),
    "JUMP_IF_FALSE_OR_POP": ("JUMP_IF_OR_POP", False),
    "POP_JUMP_IF_TRUE": ("JUMP_IF", True),
    "POP_JUMP_IF_FALSE": ("JUMP_IF", False),
    "POP_JUMP_IF_NONE": ("JUMP_IF_NONE", True),
    "POP_JUMP_IF_NOT_NONE": ("JUMP_IF_NONE", False),
    "FOR_ITER": ("FOR", None),
    "SEND": ("SEND", None),
}


def decode(code: types.CodeType) -> tuple[list[Instruction], list[Handler | None]]:
    """The instructions of a code object, and the handler of each.

    Raises:
        Damaged: CPython could not run it.
        LookupError: an instruction is none of those that functions are made of.
    """
    _check_size(code._co_code_adaptive)  # type: ignore[attr-defined]
    units, names = list(_units(code.co_code)), _Names(code)
    _check_beginning(code, units, names)
    found, starts = _instructions(code, units, names)
    for ins in found:
        if ins.target >= 0:
            ins.target = _start(starts, ins.target)
    handlers: list[Handler | None] = [None] * len(found)
    covered, places = 0, list(starts)
    for start, end, target, depth, lasti in _exception_table(code.co_exceptiontable):
        if not covered <= start < end <= places[-1]:
            raise Damaged("its exception table is out of order")
        covered = end
        first, last = (starts[places[bisect.bisect_left(places, place)]] for place in (start, end))
        handlers[first:last] = [Handler(_start(starts, target), depth, lasti)] * (last - first)
    return found, handlers


def without_check(raw: bytes) -> bytes:
    """The bytecode of a function that lets no handler of a signal run at its beginning."""
    return bytes((_NUMBERS["RESUME"], _DELEGATES)) + raw[2:]


def _check_size(raw: bytes) -> None:
    """Before all else: CPython gives co_code without asking whether it has all entries of inline caches."""
    at = 0
    while at < len(raw):
        at += _SIZES[raw[at]]
    if at != len(raw) or not raw:
        raise Damaged("it ends within an instruction")


def _check_beginning(code: types.CodeType, units: list[_Unit], names: _Names) -> None:
    """What only the beginning of code has: it makes cells, and generators."""
    cells = [unit.arg for unit in units if unit.name == "MAKE_CELL"]
    closes = [unit.arg for unit in units if unit.name == "COPY_FREE_VARS"]
    count = len(names.variables)
    known = {*cells, *(range(count - len(code.co_freevars), count) if closes else ())}
    if closes != [len(code.co_freevars)] * bool(code.co_freevars):
        raise Damaged("it is for another number of free variables than it has")
    if any(unit.name in _OF_CELLS and unit.arg not in known for unit in units):
        raise Damaged("it asks for a cell where there is none")
    starts, gives = (any(unit.name == name for unit in units) for name in ("RETURN_GENERATOR", "YIELD_VALUE"))
    if starts is not signature.suspends(code) or (gives and not starts):
        raise Damaged("it is, or is not, a generator's")


def _instructions(code: types.CodeType, units: list[_Unit], names: _Names) -> tuple[list[Instruction], dict[int, int]]:
    """The instructions, with targets in units, and where among them those of each unit begin."""
    positions = [*code.co_positions(), *[_NOWHERE] * len(code.co_code)]  # a table of lines may end early
    line = code.co_firstlineno
    keywords: tuple[str, ...] = ()
    found: list[Instruction] = []
    starts: dict[int, int] = {}
    for unit, following in zip(units, [*units[1:], None]):
        starts[unit.place] = len(found)
        where = positions[unit.place]
        line = where[0] or line
        try:
            if unit.name == "KW_NAMES":
                keywords = names.constants[unit.arg]
                if type(keywords) is not tuple or any(type(name) is not str for name in keywords):
                    raise Damaged("names of arguments are no strings")
            elif unit.name not in _SKIPPED:
                for name, operand, target in _canonical(unit, following, names, keywords):
                    found.append(Instruction(name, operand, target, line, where))
                keywords = ()
        except IndexError:
            raise Damaged(
                f"the instruction at {2 * unit.place}, {unit.name}, asks for {unit.arg} of what has fewer"
            ) from None
    starts[len(code.co_code) // 2] = len(found)
    return found, starts


def _start(starts: dict[int, int], place: int) -> int:
    """The first instruction of what is at a place."""
    if place not in starts:
        raise Damaged(f"something leads to {2 * place}, where no instruction begins")
    return starts[place]


def _units(raw: bytes) -> Iterator[_Unit]:
    extended, at, first = 0, 0, 0
    while at < len(raw) // 2:
        number, arg = raw[2 * at], raw[2 * at + 1] | extended
        name = opcode.opname[number]
        at += 1
        if arg > _LARGEST or name == "CACHE" or name.startswith("<"):
            raise Damaged(f"the instruction at {2 * first}, {name}, is none")
        if name == "EXTENDED_ARG":
            extended = arg << 8
            continue
        at += _CACHES[number]
        yield _Unit(first, name, arg, at)
        extended, first = 0, at
    if first != len(raw) // 2:
        raise Damaged("it ends within an instruction")


def _canonical(
    unit: _Unit, following: _Unit | None, names: _Names, keywords: tuple[str, ...]
) -> Iterator[tuple[str, Any, int]]:
    """(name, operand, target in units or -1) of what a unit means; `keywords`: the names of its call's last arguments."""
    raw, arg = unit.name, unit.arg
    if raw in _PLAIN:
        name, operand = _PLAIN[raw]
        yield name, operand(names, arg), -1
    elif (jump := raw.replace("_FORWARD", "").replace("_BACKWARD", "")) in _JUMPS:
        name, value = _JUMPS[jump]
        target = unit.after - arg if "_BACKWARD" in raw else unit.after + arg
        if target < 0:
            raise Damaged(f"the instruction at {2 * unit.place}, {raw}, leads to before the beginning")
        yield name, value, target
    elif raw == "LOAD_GLOBAL":
        if arg & 1:
            yield "LOAD_CONST", NULL, -1
        yield "LOAD_GLOBAL", names.names[arg >> 1], -1
    elif raw == "BINARY_OP":
        yield *_OPERATORS[arg], -1
    elif raw == "CALL":
        if len(keywords) > arg:
            raise Damaged("a call has fewer arguments than names of them")
        yield "CALL", (arg, keywords), -1
    elif raw == "YIELD_VALUE":
        yield "YIELD", following is not None and following.name == "RESUME" and following.arg >= _DELEGATES, -1
    else:
        raise LookupError(f"{raw} is no instruction of functions")


def _exception_table(table: bytes) -> Iterator[tuple[int, int, int, int, bool]]:
    """(start, end, target, depth, lasti) of each entry; the first three in units.

    Format: CPython's Objects/exception_handling_notes.txt.
    """
    at = 0

    def number(begins: bool) -> int:
        nonlocal at
        value, more = 0, True
        while more:
            if at == len(table) or (table[at] >= 128) is not begins:
                raise Damaged("its exception table has half of an entry")
            value, more, begins = value << 6 | table[at] & 63, bool(table[at] & 64), False
            at += 1
        return value

    while at < len(table):
        start, length, target, depth = (number(i == 0) for i in range(4))
        yield start, start + length, target, depth >> 1, bool(depth & 1)
