"""Ends of functions that CPython has copied, since 3.12, to each place that led to them: here all lead to the last copy, so
that what merges in the user's code does so in its instructions."""

from __future__ import annotations

from emberjit.capture.code.instructions import ENDS, Code, Instruction


def join(code: Code, depths: dict[int, int]) -> None:
    """Makes each copy of an end jump to the last one; `depths`: those of the stack, of what can be reached."""
    ends = [at for at, ins in enumerate(code.instructions) if ins.name in ENDS and at in depths]
    for i, first in enumerate(ends):
        for last in reversed(ends[i + 1 :]):
            length = _alike(code, depths, first, last)
            if length:
                ins = code.instructions[first - length + 1]
                jump = Instruction("JUMP", None, last - length + 1, ins.line, ins.positions)
                code.replace(first - length + 1, jump)
                break


def _alike(code: Code, depths: dict[int, int], first: int, last: int) -> int:
    """How many instructions before two ends, and these, are copies: made of the same source, and as deep."""
    length = 0
    while length <= first and last - length > first:
        at, copy = first - length, last - length
        a, b = code.instructions[at], code.instructions[copy]
        same = (a.name, a.operand, a.positions) == (b.name, b.operand, b.positions) and a.positions[0] is not None
        if not same or a.target >= 0 or code.handlers[at] != code.handlers[copy] or depths.get(at) != depths.get(copy):
            break
        length += 1
    return length
