"""Rewrites code objects as tools do that instrument them: the same instructions in another layout."""

from __future__ import annotations

import dis
import random
import types
from typing import Any

_EXTENDED, _NOP = dis.opmap["EXTENDED_ARG"], dis.opmap["NOP"]
# What CPython itself takes together with the instruction before, or skips at the end of a jump.
_ADJACENT = ("PRECALL", "CALL", "END_FOR", "END_SEND")
_BEGINNING = ("MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR")


def rewritten(function: types.FunctionType, seed: int) -> types.FunctionType:
    """The function with NOPs and EXTENDED_ARGs between its instructions, and without its lines."""
    made = types.FunctionType(
        rewritten_code(function.__code__, random.Random(seed)),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def rewritten_code(code: types.CodeType, chance: random.Random) -> types.CodeType:
    """The code, and what it makes functions of, likewise."""
    instructions = [ins for ins in dis.get_instructions(code) if ins.opcode != _EXTENDED]
    words: list[tuple[int, int, int, int]] = []  # of each instruction: opcode, operand, where it jumps to or -1, caches
    places: dict[int, int] = {}  # by old offsets
    begun, before = False, ""
    fixed: set[int] = set()  # words that begin where they are led to
    for ins in instructions:
        begun = begun or ins.opname not in _BEGINNING
        first = len(words)
        if ins.opname in _ADJACENT or before == "END_FOR":
            fixed.add(first)
        for _ in range(chance.choice([0, 0, 1, 2]) if begun and first not in fixed else 0):
            words.append((_NOP, 0, -1, 0))
        places[ins.offset], before = chance.choice([first, len(words)]), ins.opname
        words.append((ins.opcode, ins.arg or 0, ins.argval if ins.opcode in dis.hasjrel else -1, _caches(ins)))
    for offset in range(len(code.co_code) - 2, -2, -2):  # EXTENDED_ARGs, and what handlers begin and end with
        places.setdefault(offset, places.get(offset + 2, len(words)))
    places[len(code.co_code)] = len(words)
    sizes = [_prefixes(op, arg, target, chance, at in fixed) for at, (op, arg, target, _) in enumerate(words)]
    offsets = [0]
    for (_, _, _, caches), size in zip(words, sizes):
        offsets.append(offsets[-1] + size + 1 + caches)
    made = bytearray()
    for at, ((op, arg, target, caches), size) in enumerate(zip(words, sizes)):
        if target >= 0:
            arg = abs(offsets[places[target]] - (offsets[at + 1]))
        for shift in range(size, 0, -1):
            made += bytes([_EXTENDED, arg >> 8 * shift & 255])
        made += bytes([op, arg & 255]) + bytes(2 * caches)
    table = bytearray()
    for entry in dis._parse_exception_table(code):  # type: ignore[attr-defined]
        start, end, target = (offsets[places[at]] for at in (entry.start, entry.end, entry.target))
        for number, begins in ((start, 0x80), (end - start, 0), (target, 0), (entry.depth << 1 | entry.lasti, 0)):
            table += _varint(number, begins)
    consts = tuple(rewritten_code(c, chance) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_code=bytes(made), co_exceptiontable=bytes(table), co_consts=consts, co_linetable=b"")


def _caches(ins: dis.Instruction) -> int:
    """How many entries of an inline cache follow an instruction."""
    known: Any = dis._inline_cache_entries  # type: ignore[attr-defined]
    return int(known.get(ins.opname, 0) if isinstance(known, dict) else known[ins.opcode])


def _prefixes(op: int, arg: int, target: int, chance: random.Random, fixed: bool) -> int:
    """How many EXTENDED_ARGs stand before an instruction."""
    needed = 2 if target >= 0 else max(0, (arg.bit_length() + 7) // 8 - 1)
    return needed if fixed or op == _NOP else max(needed, chance.choice([0, 0, 0, 1, 2]))


def _varint(number: int, begins: int) -> bytes:
    parts: list[Any] = [number & 0x3F]
    while number := number >> 6:
        parts.insert(0, number & 0x3F | 0x40)
    parts[0] |= begins
    return bytes(parts)
