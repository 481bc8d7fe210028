"""CPython's bytecode as canonical instructions: what its versions have in common. What they do not is a Version each, in a
file each (cpython_311.py)."""

from __future__ import annotations

import bisect
import dis
import opcode
import operator
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture.code import inlined, signature
from emberjit.capture.code.instructions import NULL, Damaged, Handler, Instruction

Meaning = tuple[str, Any, int]  # canonical name, operand, target in units or -1

_NUMBERS: dict[str, int] = opcode.opmap
_ENTRIES = opcode._inline_cache_entries  # type: ignore[attr-defined]  # by opcode; from 3.13 on by name
_CACHES: dict[str, int] = (
    _ENTRIES if isinstance(_ENTRIES, dict) else {name: _ENTRIES[number] for name, number in _NUMBERS.items() if number < 256}
)
_NAMES: list[str] = dis._all_opname  # type: ignore[attr-defined]  # by opcode, also of those that CPython has specialised
_SIZES = [2 + 2 * _CACHES.get(dis.deoptmap.get(name, name), 0) for name in _NAMES]  # type: ignore[attr-defined]  # in bytes
_WRITTEN = ("INSTRUMENTED", "ENTER_EXECUTOR")
_LARGEST = (1 << 31) - 1
_BINARY = ("add", "and_", "floordiv", "lshift", "matmul", "mul", "mod", "or_", "pow", "rshift", "sub", "truediv", "xor")
_OPERATORS = [("BINARY", getattr(operator, name)) for name in _BINARY]
_OPERATORS += [("INPLACE", getattr(operator, f"i{name.rstrip('_')}")) for name in _BINARY]
COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]
_AFTER = 3  # of the argument of a RESUME, behind what it is
_DELEGATES = 2  # there: behind a YIELD_VALUE of `yield from`
STOPITERATION_ERROR = 3  # the argument of CALL_INTRINSIC_1 that makes a StopIteration a RuntimeError
_CELLS = ("LOAD_CLOSURE", "LOAD_DEREF", "STORE_DEREF", "DELETE_DEREF")
_NOWHERE = (None, None, None, None)


class Unit(NamedTuple):
    """One instruction of CPython's; `place` counts its units of two bytes, as `after` does those up to the next one."""

    place: int
    name: str
    arg: int
    after: int


class Reader:
    """The units of a code object, and what their arguments are indices of."""

    def __init__(self, code: types.CodeType, version: Version):
        self.code, self.version, self.constants, self.names = code, version, code.co_consts, code.co_names
        cells = [name for name in code.co_cellvars if name not in code.co_varnames]
        self.variables = [*code.co_varnames, *cells, *code.co_freevars]
        units = list(_units(code.co_code))
        self.units = [unit for unit in units if unit.name != "NOP"]
        self.resolved = {len(code.co_code) // 2: len(code.co_code) // 2}  # by places: those where something is done
        for unit, after in zip(reversed(units), [len(code.co_code) // 2, *(unit.place for unit in reversed(units))]):
            self.resolved[unit.place] = self.resolved[after] if unit.name == "NOP" else unit.place
        self.positions = [*code.co_positions(), *[_NOWHERE] * len(code.co_code)]  # a table of lines may end early
        self.places = {unit.place: i for i, unit in enumerate(self.units)}
        self.table = list(_exception_table(code.co_exceptiontable))
        led_to = [target(unit) for unit in units if jump_of(unit) in version.jumps] + [entry[2] for entry in self.table]
        self.targets = {self.resolved.get(place, place) for place in led_to}

    def is_cell(self, variable: int) -> bool:
        """Whether inner functions, or enclosing ones, see a variable."""
        name = self.variables[variable]
        return name in self.code.co_cellvars or name in self.code.co_freevars

    def follow(self, at: int, *names: str) -> bool:
        """Whether units of these names follow one another from there, and nothing leads to those behind the first."""
        units = self.units[at : at + len(names)]
        return tuple(unit.name for unit in units) == names and not any(unit.place in self.targets for unit in units[1:])


Means = Callable[[Reader, int], Iterable[Meaning]]  # what the unit at a position means

# What finds the operand, and of which instructions: with their canonical names, where these are others.
_TABLE: tuple[tuple[Callable[[Reader, int], Any], str], ...] = (
    (lambda reader, arg: arg, "COPY SWAP LIST_APPEND SET_ADD MAP_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE"),
    (lambda reader, arg: arg, "BUILD_TUPLE BUILD_LIST BUILD_SET BUILD_MAP BUILD_CONST_KEY_MAP BUILD_STRING"),
    (lambda reader, arg: arg, "UNPACK_SEQUENCE=UNPACK RAISE_VARARGS=RAISE MATCH_CLASS"),
    (lambda reader, arg: None, "LOAD_BUILD_CLASS RERAISE GET_LEN MATCH_MAPPING"),
    (lambda reader, arg: None, "MATCH_SEQUENCE MATCH_KEYS POP_TOP=POP RETURN_VALUE=RETURN UNARY_NOT=NOT"),
    (lambda reader, arg: None, "STORE_SUBSCR=STORE_ITEM DELETE_SUBSCR=DELETE_ITEM"),
    (lambda reader, arg: None, "PUSH_EXC_INFO=PUSH_HANDLED POP_EXCEPT=POP_HANDLED CHECK_EXC_MATCH=CATCHES"),
    (lambda reader, arg: None, "BEFORE_WITH=ENTER_WITH WITH_EXCEPT_START=EXIT_WITH GET_YIELD_FROM_ITER=DELEGATE"),
    (lambda reader, arg: reader.constants[arg], "LOAD_CONST"),
    (lambda reader, arg: reader.variables[arg], "LOAD_FAST=LOAD_LOCAL STORE_FAST=STORE_LOCAL DELETE_FAST=DELETE_LOCAL"),
    (lambda reader, arg: reader.variables[arg], "LOAD_DEREF=LOAD_CELL STORE_DEREF=STORE_CELL DELETE_DEREF=DELETE_CELL"),
    (lambda reader, arg: reader.variables[arg], "LOAD_CLOSURE"),
    (lambda reader, arg: reader.names[arg], "STORE_GLOBAL DELETE_GLOBAL STORE_ATTR DELETE_ATTR IMPORT_NAME IMPORT_FROM"),
    (lambda reader, arg: bool(arg & 1), "IS_OP=IS CONTAINS_OP=CONTAINS CALL_FUNCTION_EX=CALL_SPREAD"),
    (lambda reader, arg: AssertionError, "LOAD_ASSERTION_ERROR=LOAD_CONST"),
    (lambda reader, arg: NULL, "PUSH_NULL=LOAD_CONST"),
    (lambda reader, arg: iter, "GET_ITER"),
    (lambda reader, arg: operator.getitem, "BINARY_SUBSCR=LOAD_ITEM"),
    (lambda reader, arg: operator.neg, "UNARY_NEGATIVE=UNARY"),
    (lambda reader, arg: operator.invert, "UNARY_INVERT=UNARY"),
    (lambda reader, arg: 3 if arg == 3 else 2, "BUILD_SLICE"),
    (lambda reader, arg: (arg & 0xFF, arg >> 8), "UNPACK_EX=UNPACK_STARRED"),
)


_PARTS = ((8, "closure"), (4, "annotations"), (2, "kwdefaults"), (1, "defaults"))
_CONVERSIONS = (-1, ord("s"), ord("r"), ord("a"))


def parts(flags: int) -> tuple[str, ...]:
    """What a function is made of beside its code, from the top of the stack."""
    return tuple(part for bit, part in _PARTS if flags & bit)


def conversion(arg: int) -> int:
    """What a value is converted by before it is formatted: the code of the letter behind `!`, or -1."""
    return _CONVERSIONS[arg & 3]


# Up to 3.12.
MAKE_FUNCTION = (lambda reader, arg: parts(arg), "MAKE_FUNCTION")
FORMAT_VALUE = (lambda reader, arg: (conversion(arg), bool(arg & 4)), "FORMAT_VALUE=FORMAT")


def plain(table: Iterable[tuple[Callable[[Reader, int], Any], str]]) -> dict[str, tuple[str, Any]]:
    """By CPython's name, the canonical one and what finds the operand."""
    rows = [(name, operand) for operand, described in table for name in described.split()]
    return {name.partition("=")[0]: (name.rpartition("=")[2], operand) for name, operand in rows}


def _load_global(reader: Reader, at: int) -> Iterator[Meaning]:
    arg = reader.units[at].arg
    if arg & 1:
        yield "LOAD_CONST", NULL, -1
    yield "LOAD_GLOBAL", reader.names[arg >> 1], -1


def _binary(reader: Reader, at: int) -> Iterator[Meaning]:
    yield *_OPERATORS[reader.units[at].arg], -1


def call(reader: Reader, arg: int, names: Any) -> Iterator[Meaning]:
    """A call with so many arguments, the last of which have names."""
    if type(names) is not tuple or any(type(name) is not str for name in names):
        raise Damaged("names of arguments are no strings")
    if len(names) > arg:
        raise Damaged("a call has fewer arguments than names of them")
    yield "CALL", (arg, names), -1


def call_with_names_before(reader: Reader, at: int) -> Iterator[Meaning]:
    """A call, where a KW_NAMES comes before it."""
    behind = at - 1 - (reader.units[at - 1].name == "PRECALL")
    named = reader.units[behind].name == "KW_NAMES"
    return call(reader, reader.units[at].arg, reader.constants[reader.units[behind].arg] if named else ())


def _yield(reader: Reader, at: int) -> Iterator[Meaning]:
    resumes = at + 1 < len(reader.units) and reader.units[at + 1].name == "RESUME"
    yield "YIELD", resumes and reader.units[at + 1].arg & _AFTER >= _DELEGATES, -1


PLAIN = plain(_TABLE)
MEANINGS: dict[str, Means] = {"LOAD_GLOBAL": _load_global, "BINARY_OP": _binary, "YIELD_VALUE": _yield}
JUMPS = {
    "JUMP": ("JUMP", None),
    "JUMP_NO_INTERRUPT": ("JUMP", None),
    "POP_JUMP_IF_TRUE": ("JUMP_IF", True),
    "POP_JUMP_IF_FALSE": ("JUMP_IF", False),
    "POP_JUMP_IF_NONE": ("JUMP_IF_NONE", True),
    "POP_JUMP_IF_NOT_NONE": ("JUMP_IF_NONE", False),
    "FOR_ITER": ("FOR", None),
    "SEND": ("SEND", None),
}
SKIPPED = frozenset(("RESUME", "RETURN_GENERATOR", "COPY_FREE_VARS"))


class Version(NamedTuple):
    """What a version of CPython's instructions mean."""

    plain: dict[str, tuple[str, Any]]  # by CPython's name, the canonical one and what finds the operand
    meanings: dict[str, Means]  # of what means several, or depends on others
    jumps: dict[str, tuple[str, Any]]  # by CPython's name without its direction, the canonical name and the operand
    skipped: frozenset[str]  # what only prepares others
    ends: dict[str, tuple[str, ...]]  # by canonical names of jumps, what is executed at their targets as part of them
    copies_ends: bool = True  # of functions, to where a jump leads to them


def jump_of(unit: Unit) -> str:
    """The name of a jump without its direction."""
    return unit.name.replace("_FORWARD", "").replace("_BACKWARD", "")


def target(unit: Unit) -> int:
    """Where a jump leads, in units."""
    return unit.after - unit.arg if "_BACKWARD" in unit.name else unit.after + unit.arg


def decode(code: types.CodeType, version: Version) -> tuple[list[Instruction], list[Handler | None]]:
    """The instructions of a code object, and the handler of each.

    Raises:
        Damaged: CPython could not run it.
        LookupError: an instruction is none of those that functions are made of.
    """
    _check_size(code)
    reader = Reader(code, version)
    _check_beginning(reader)
    instructions, starts = _instructions(reader)
    for ins in instructions:
        if ins.target >= 0:
            ins.target = _start(starts, ins.target)
    handlers: list[Handler | None] = [None] * len(instructions)
    covered, places = 0, list(starts)
    for start, end, *_ in reader.table:
        if not covered <= start < end <= places[-1]:
            raise Damaged("its exception table is out of order")
        covered = end
        first, last = (starts[places[bisect.bisect_left(places, place)]] for place in (start, end))
        entry = _handling(reader, start)
        handlers[first:last] = [entry and Handler(_start(starts, entry[2]), *entry[3:])] * (last - first)
    inlined.rename(instructions, handlers, int(signature.suspends(code)))
    return instructions, handlers


def _handling(reader: Reader, place: int) -> Any:
    """The entry of the exception table whose handler gets what is raised at a place."""
    tried = set()
    while place not in tried:
        tried.add(place)
        entry = next((entry for entry in reader.table if entry[0] <= place < entry[1]), None)
        if entry is None or not _only_propagates(reader, entry[2]):
            return entry
        place = entry[2]
    raise Damaged("its exception table leads in a circle")


def _only_propagates(reader: Reader, place: int) -> bool:
    """Whether a handler only ends a `yield from`, or makes of a generator's error what its caller gets: whoever runs the
    generator does that."""
    unit = reader.units[reader.places[place]] if place in reader.places else None
    return unit is not None and (unit.name == "CLEANUP_THROW" or unit[1:3] == ("CALL_INTRINSIC_1", STOPITERATION_ERROR))


def without_check(raw: bytes) -> bytes:
    """The bytecode of a function that lets no handler of a signal run at its beginning."""
    return bytes((_NUMBERS["RESUME"], _DELEGATES)) + raw[2:]


def _check_size(code: types.CodeType) -> None:
    """Before all else: CPython gives co_code without asking whether it has all entries of inline caches. Code that a tracer
    has written into has been run."""
    raw = code._co_code_adaptive  # type: ignore[attr-defined]
    written = core.is_written_into(code)
    if not written and (not raw or not fits(raw)):
        raise Damaged("it ends within an instruction, or has one that only CPython itself writes")


def fits(raw: bytes) -> bool:
    """Whether the last instruction has all entries of its inline cache, and none is a tracer's."""
    at = 0
    while at < len(raw):
        if _NAMES[raw[at]].startswith(_WRITTEN):
            return False
        at += _SIZES[raw[at]]
    return at == len(raw)


def _check_beginning(reader: Reader) -> None:
    """What only the beginning of code has: it makes cells, and generators."""
    code, units = reader.code, reader.units
    cells = [unit.arg for unit in units if unit.name == "MAKE_CELL"]
    closes = [unit.arg for unit in units if unit.name == "COPY_FREE_VARS"]
    count = len(reader.variables)
    known = {*cells, *(range(count - len(code.co_freevars), count) if closes else ())}
    if closes != [len(code.co_freevars)] * bool(code.co_freevars):
        raise Damaged("it is for another number of free variables than it has")
    if any(unit.name in _CELLS and unit.arg not in known for unit in units):
        raise Damaged("it asks for a cell where there is none")
    starts, gives = (any(unit.name == name for unit in units) for name in ("RETURN_GENERATOR", "YIELD_VALUE"))
    if starts is not signature.suspends(code) or (gives and not starts):
        raise Damaged("it is, or is not, a generator's")


def _instructions(reader: Reader) -> tuple[list[Instruction], dict[int, int]]:
    """The instructions, with targets in units, and where among them those of each unit begin."""
    code = reader.code
    line = code.co_firstlineno
    instructions: list[Instruction] = []
    starts: dict[int, int] = {}
    for at, unit in enumerate(reader.units):
        starts[unit.place] = len(instructions)
        where = reader.positions[unit.place]
        line = where[0] or line
        try:
            for name, operand, place in _canonical(reader, at):
                instructions.append(Instruction(name, operand, place, line, where))
        except IndexError:
            raise Damaged(
                f"the instruction at {2 * unit.place}, {unit.name}, asks for {unit.arg} of what has fewer"
            ) from None
    starts[len(code.co_code) // 2] = len(instructions)
    return instructions, {place: starts[done] for place, done in sorted(reader.resolved.items())}


def _canonical(reader: Reader, at: int) -> Iterable[Meaning]:
    unit, version = reader.units[at], reader.version
    if unit.name in version.skipped:
        return ()
    if unit.name in version.meanings:
        return version.meanings[unit.name](reader, at)
    if unit.name in version.plain:
        name, operand = version.plain[unit.name]
        return ((name, operand(reader, unit.arg), -1),)
    if jump_of(unit) in version.jumps:
        return (jump(reader, unit),)
    raise LookupError(f"{unit.name} is no instruction of functions")


def jump(reader: Reader, unit: Unit) -> Meaning:
    """A jump, to behind what is executed at its target as part of it."""
    name, operand = reader.version.jumps[jump_of(unit)]
    place = reader.resolved.get(target(unit), target(unit))
    if place < 0:
        raise Damaged(f"the instruction at {2 * unit.place}, {unit.name}, leads to before the beginning")
    for end in reader.version.ends.get(name, ()):
        ending = reader.units[reader.places[place]] if place in reader.places else unit
        if ending.name != end:
            raise Damaged(f"{unit.name} leads to {ending.name} instead of {end}")
        place = reader.resolved[ending.after]
    return name, operand, place


def _start(starts: dict[int, int], place: int) -> int:
    """The first instruction of what is at a place."""
    if place not in starts:
        raise Damaged(f"something leads to {2 * place}, where no instruction begins")
    return starts[place]


def _units(raw: bytes) -> Iterator[Unit]:
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
        at += _CACHES.get(name, 0)
        yield Unit(first, name, arg, at)
        extended, first = 0, at
    if first != len(raw) // 2:
        raise Damaged("it ends within an instruction")


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
        start, length, place, depth = (number(i == 0) for i in range(4))
        yield start, start + length, place, depth >> 1, bool(depth & 1)
