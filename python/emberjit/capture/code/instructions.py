"""Decodes CPython bytecode. What depends on Python's version is here and in capture/bytecode.

Positions are indices of instructions. CPython compiles `while` with its test twice, before the first trip and after each;
`continue` jumps to the first. Here it jumps to the second, so that a loop is one region: body, then test.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

_CONDITIONAL = ("POP_JUMP_", "JUMP_IF_", "FOR_ITER", "SEND")
_ENDS = ("RETURN_VALUE", "RAISE_VARARGS", "RERAISE")
_BETWEEN = ("JUMP_FORWARD", "JUMP_BACKWARD", "POP_TOP")  # what chains of comparisons end with in only one copy of a test


class Instruction(NamedTuple):
    """One instruction; `target` is where it may jump, else -1."""

    name: str
    arg: int
    value: Any
    target: int
    line: int
    positions: Any


class Handler(NamedTuple):
    """Where an exception goes, and the depth of the stack there."""

    target: int
    depth: int
    lasti: bool


class Loop(NamedTuple):
    """A `while`: the body is [body, test), the test [test, end); it goes on at `body` or at `end`."""

    body: int
    test: int
    end: int


class Code:
    """A code object, decoded."""

    def __init__(self, code: types.CodeType):
        self.code = code
        self.names = frozenset(code.co_varnames + code.co_cellvars)
        raw = [i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG")]
        index = _index_of(code, [i.offset for i in raw])
        self.instructions: list[Instruction] = []
        line = code.co_firstlineno
        for i in raw:
            line = i.positions.lineno or line if i.positions else line
            jumps = i.opcode in dis.hasjrel or i.opcode in dis.hasjabs
            target = index[i.argval] if jumps else -1
            while jumps and raw[target].opname == "NOP":  # as `while True` begins with
                target += 1
            self.instructions.append(Instruction(i.opname, i.arg or 0, i.argval, target, line, i.positions))
        self.handlers: list[Handler | None] = [None] * len(raw)
        for entry in dis._parse_exception_table(code):  # type: ignore[attr-defined]
            for at in range(index[entry.start], index[entry.end]):
                self.handlers[at] = Handler(index[entry.target], entry.depth, entry.lasti)
        self.callers: dict[int, types.CodeType] = {}  # what calls from an instruction (bytecode/user_frames.py)
        self.lows: dict[tuple[int, int], int] = {}  # how much of the stack the sides of a condition leave alone
        self.loops: dict[int, Loop | None] = {}  # by the jumps that test; None if those go elsewhere, too
        self.tests: dict[int, range] = {}  # of each `while` by where its body begins: the test before the first trip
        self._find_loops()

    def enclosing_handlers(self, at: int) -> Iterator[tuple[bool, Handler]]:
        """The handlers of each `with` (True) and `try` that an instruction's exception may come to, the inner ones first."""
        handler = self.handlers[at]
        while handler is not None:
            name, following = (self.instructions[handler.target + i].name for i in range(2))
            if name == "PUSH_EXC_INFO":
                yield following == "WITH_EXCEPT_START", handler
            handler = self.handlers[handler.target]

    def successors(self, at: int) -> list[int]:
        """Where execution may go from an instruction, exceptions aside."""
        ins = self.instructions[at]
        if ins.name in _ENDS:
            return []
        if ins.target < 0:
            return [at + 1]
        return [at + 1, ins.target] if ins.name.startswith(_CONDITIONAL) else [ins.target]

    def _find_loops(self) -> None:
        for at, ins in enumerate(self.instructions):
            if not ins.name.startswith("POP_JUMP_BACKWARD_IF_"):
                continue
            body = ins.target
            first, test = self._tests(body, at)
            loop = Loop(body, test, at + 1)
            if first == body or loop.test < body:
                continue
            self.tests[body] = range(first, body)
            tests = [i for i in (*range(first, body), *range(loop.test, at + 1)) if self.instructions[i].target >= 0]
            simple = all(self.instructions[i].target in (loop.body, loop.end) for i in tests)
            for jump in tests:
                self.loops[jump] = loop if simple else None
            for jump in range(body, loop.test):
                if self.instructions[jump].name == "JUMP_BACKWARD" and self.instructions[jump].target == first:
                    self.instructions[jump] = self.instructions[jump]._replace(target=loop.test)

    def _tests(self, body: int, at: int) -> tuple[int, int]:
        """Where the test before the first trip begins, which ends at `body`, and where its copy does that `at` ends."""
        i, j, found = body - 1, at, (body, at + 1)
        while i >= 0 and j >= 0:
            if self.instructions[i].name in _BETWEEN:
                i -= 1
            elif self.instructions[j].name in _BETWEEN:
                j -= 1
            elif self._same_source(i, j):
                found = i, j
                i, j = i - 1, j - 1
            else:
                break
        return found

    def _same_source(self, a: int, b: int) -> bool:
        """Whether two instructions are made of one piece of source."""
        x, y = self.instructions[a], self.instructions[b]
        return x.positions == y.positions and ((x.target >= 0 and y.target >= 0) or (x.name, x.arg) == (y.name, y.arg))


def _index_of(code: types.CodeType, offsets: list[int]) -> dict[int, int]:
    """The index of the first instruction at or after each offset."""
    index: dict[int, int] = {}
    at = 0
    for offset in range(0, len(code.co_code) + 2, 2):
        while at < len(offsets) and offsets[at] < offset:
            at += 1
        index[offset] = at
    return index


def decoded(code: types.CodeType) -> Code:
    """The decoded form of a code object."""
    return _decoded(code, code.co_filename)


@functools.lru_cache(maxsize=4096)
def _decoded(code: types.CodeType, filename: str) -> Code:  # code of two files may be equal
    return Code(code)
