"""Loops that Tensors decide about, as While nodes (graph/loops.py): a `while` that tests a Tensor, trips that one may end,
and loops that only an error of the graph ends."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.interpreter import until
from emberjit.capture.bytecode.merging import Target, branch, part, proceed, run_part
from emberjit.capture.code import flow
from emberjit.capture.code.instructions import Instruction, While
from emberjit.capture.graph import raises
from emberjit.capture.graph.conditions import End, Undecided, Way, become, decides, logical_not
from emberjit.capture.graph.conditions import branch as choose
from emberjit.capture.graph.loops import loop
from emberjit.capture.session.errors import BeginAnew


def decide(frame: Frame, test: Any, ins: Instruction, keep: bool) -> End:
    """A conditional jump on a Tensor; with `keep` the Tensor stays on the stack if the jump is made."""
    here = frame.here
    loop_test = frame.code.tests.get(here)
    try:
        if loop_test is not None and loop_test.simple and loop_test.body not in frame.region.stops:
            return _while(frame, loop_test)
        jump, onward = (ins.target, [*frame.stack, *([test] if keep else [])]), (frame.at, frame.stack)
        yes, no = (jump, onward) if ins.operand else (onward, jump)
        enclosing = _enclosing(frame, here)
        if enclosing is not None:
            return _leave(frame, enclosing, test, yes, no, here)
        return branch(frame, test, yes, no, here)
    finally:
        _note_lost(frame)


def arrive(frame: Frame, header: int) -> End:
    """Goes back to the header of a loop. One that nothing ends but an error that the graph raises becomes a node."""
    if header in frame.code.whiles or frame.code.is_driven(header):
        return None
    enclosing = next((enclosing for enclosing in flow.loops(frame.code) if enclosing.header == header), None)
    errors, (before, trips) = raises.pending("with"), frame.arrivals.get(header, (-1, 0))
    frame.arrivals[header] = errors, trips + 1
    if before in (-1, errors) or enclosing is None or not enclosing.within(frame.region):
        return None
    if raises.goes_on(trips, header in frame.namespace.unrolled):
        return None
    try:
        end = _trips(frame, enclosing, Undecided(header, {header: Way((), {})}))
        return None if header in frame.namespace.unrolled else proceed(frame, end, len(frame.stack))
    finally:
        _note_lost(frame)


def _note_lost(frame: Frame) -> None:
    """Notes which variables control flow on Tensors leaves without a value."""
    for name in frame.namespace.lost:
        if name not in frame.namespace:
            frame.lost.setdefault(name, frame.steps)


def _enclosing(frame: Frame, here: int) -> flow.Loop | None:
    """The `while` whose trip the sides of a condition may end, or whose first trip is decided."""
    code, region = frame.code, frame.region
    for enclosing in flow.loops(code):
        if _is_first_test(frame, enclosing, here) and enclosing.within(region):
            return enclosing
        if here in enclosing.inside and not code.is_driven(enclosing.header):
            leaves = flow.postdominators(code, region)[here] not in enclosing.inside
            return enclosing if leaves and enclosing.within(region) else None
    return None


def _is_first_test(frame: Frame, enclosing: flow.Loop, here: int) -> bool:
    known = frame.code.whiles.get(enclosing.header)
    return known is not None and known.first <= here < known.body


def _own(frame: Frame, start: int, region: flow.Region) -> list[str]:
    return [name for name in flow.assigned(frame.code, start, region) if name in frame.namespace.local_names]


def _leave(frame: Frame, enclosing: flow.Loop, test: Any, yes: Target, no: Target, here: int) -> End:
    """The rest of a trip that a Tensor may end, and the trips after it."""
    region = enclosing.trip()
    if _is_first_test(frame, enclosing, here):
        test_copies = frame.code.whiles[enclosing.header]
        region = flow.Region(frozenset(range(test_copies.first, test_copies.body)), region.stops)
    trip = Frame(frame.code, frame.namespace, frame.stack, frame.at, region, (frame, -1))
    end = branch(trip, test, yes, no, here)
    end = until(trip) if end is None else end
    if not isinstance(end, Undecided):
        frame.at = trip.at
        return end
    del frame.stack[trip.low :]
    if enclosing.header in end.ways and not end.ways[enclosing.header].value:
        end = _trips(frame, enclosing, end)
    return proceed(frame, end, trip.low)


def _trips(frame: Frame, enclosing: flow.Loop, end: Undecided) -> End:
    """The trips after one that a Tensor may have ended; not all of them if they need numbers that Python knows."""
    if enclosing.header in frame.namespace.unrolled:
        return end
    capture = core.current_capture()
    refused, region = capture.refused, enclosing.trip()
    base = list(frame.stack)

    def body() -> End:
        return run_part(frame, enclosing.header, base, region, base, enter=True)

    try:
        names = _own(frame, enclosing.header, region)
        return loop(frame.namespace, lambda: True, body, names, end, enclosing.header)
    except core.CaptureError as error:
        endless = enclosing.header not in frame.code.whiles and len(end.ways) > 1
        if endless or isinstance(error, BeginAnew):
            raise
        capture.refused = refused
        frame.namespace.unrolled.add(enclosing.header)
        return end


def _while(frame: Frame, statement: While) -> End:
    """A `while` that begins with its test."""
    enclosing = next(enclosing for enclosing in flow.loops(frame.code) if enclosing.header == statement.body)
    region = flow.Region(enclosing.inside - set(range(statement.test, statement.end)), frozenset((statement.test,)))
    base = list(frame.stack)

    def body() -> End:
        return run_part(frame, statement.body, base, region, base)

    def test() -> Any:
        return _goes_on(statement, part(frame, statement.test, base, flow.ALL))

    names = _own(frame, statement.body, flow.Region(enclosing.inside, frozenset()))
    end = loop(frame.namespace, test, body, names, on=statement.test, done=())
    return proceed(frame, become(frame.namespace, end, statement.test, statement.end), len(base))


def _goes_on(statement: While, frame: Frame) -> Any:
    """Whether a loop goes on, as the rest of its test says."""
    while True:
        ins = frame.instructions[frame.at]
        if ins.target not in (statement.body, statement.end) or ins.name not in ("JUMP_IF", "JUMP_IF_NONE"):
            until(frame, frame.steps + 1)
            continue
        on = ins.target == statement.body
        value = frame.stack.pop()
        frame.at += 1
        onward = frame.at == statement.end  # the last instruction: falling through leaves the loop
        if ins.name == "JUMP_IF_NONE" or not decides(value):
            if (value is None if ins.name == "JUMP_IF_NONE" else frame.do(bool, value)) is ins.operand:
                return on
            if onward:
                return not on
            continue
        if onward:
            value = core.current_capture().truth(value)
            return value if ins.operand is on else logical_not(value)

        def rest() -> Any:
            return _goes_on(statement, part(frame, frame.at, frame.stack, frame.region))

        sides = (lambda: on, rest) if ins.operand else (rest, lambda: on)
        return choose(frame.namespace, value, *sides)
