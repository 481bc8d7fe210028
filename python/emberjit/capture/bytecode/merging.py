"""Control flow that Tensors decide. Both sides of a condition run, each as a frame of its own, up to where the ways merge;
what they leave becomes the results of an If node, and a `while` a While node. Where the sides do not end alike, what follows
each is run for it alone.
"""

from __future__ import annotations

import functools
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.interpreter import until
from emberjit.capture.code import flow
from emberjit.capture.code.lookup import defines
from emberjit.capture.graph.conditions import RETURN, End, Outcome, Undecided, conditional, follow_on
from emberjit.capture.state.namespace import Opaque

MAX_NESTED = 500  # of one condition within each other, as in a loop over much that a Tensor leaves

Target = tuple[int, list[Any]]  # where to go on, with which stack


class StackChanges(core.CaptureError):  # type: ignore[misc]
    """A side of a condition changes the stack from this depth on, below where it was thought to."""


def branch(frame: Frame, test: Any, yes: Target, no: Target, here: int) -> End:
    """Runs both sides of a condition, which is at `here`, up to where they merge, and goes on there."""
    _check_depth(frame, here)
    code, region = frame.code, frame.region
    meet = _merge_point(frame, yes[0], no[0], here)
    stops = flow.merge_points(code, yes[0], no[0], region) if meet == flow.EXIT else (meet,)
    region = region.until(*stops)
    low = code.lows.get((here, meet), len(frame.stack))
    while True:

        def alone(low: int = low) -> End:
            return Outcome(no[0], tuple(no[1][low:]))

        try:
            then, otherwise = (functools.partial(_side, frame, *way, region, low, here) for way in (yes, no))
            return proceed(frame, conditional(frame.namespace, test, then, otherwise, alone), low)
        except StackChanges as deeper:
            low = code.lows[here, meet] = deeper.args[0]


def _merge_point(frame: Frame, yes: int, no: int, here: int) -> int:
    """Where the sides of a condition meet again, or EXIT. Where one leaves a loop they do not within it; but if both may
    go on with it, what comes then is not followed twice."""
    meet = flow.postdominators(frame.code, frame.region)[here]
    enclosing = next((loop for loop in flow.loops(frame.code) if here in loop.inside), None)
    if enclosing is None or meet in enclosing.inside or not enclosing.within(frame.region):
        return meet
    trip = enclosing.trip()
    if not all(flow.reaches(frame.code, at, trip) for at in (yes, no)):
        return meet
    meet = flow.postdominators(frame.code, trip)[here]
    return enclosing.header if meet == flow.EXIT else meet


def _check_depth(frame: Frame, here: int) -> None:
    count = 0
    while frame.within is not None:
        frame, condition = frame.within
        count += condition == here
    if count >= MAX_NESTED:
        raise core.CaptureError(
            "a `for` that a Tensor ends makes too many trips for a graph that has each of them: use `while`."
        )


def proceed(frame: Frame, end: End, low: int) -> End:
    """Goes on where all ways lead, or runs what follows each, errors first, beside which nothing is conditional; ways
    have what they leave of the stack from `low` up."""
    while isinstance(end, Undecided):
        following = [at for at in end.ways if at >= 0 and frame.region.holds(at)]
        following.sort(key=lambda at: (flow.returns(frame.code, at), at))
        if not following:
            frame.low = low
            return end
        first, *others = following
        region = frame.region.until(*others)

        def follow(value: Any, first: int = first, region: flow.Region = region) -> End:
            return _side(frame, first, [*frame.stack[:low], *value], region, low, first)

        end = follow_on(frame.namespace, end, first, follow)
    if end is None or end.kind == RETURN:
        return end
    frame.stack[low:] = end.value
    frame.at = end.kind
    return None


def _side(frame: Frame, start: int, stack: list[Any], region: flow.Region, low: int, here: int) -> End:
    """What one way does from `start` on; its end has the stack from `low` up, the rest is left alone."""
    before = [_copied(value) for value in stack]
    return run_part(frame, start, before, region, before[:low], here)


def part(frame: Frame, start: int, stack: list[Any], region: flow.Region, here: int = -1) -> Frame:
    """A frame for a part of the function; `here`: the condition of which it is a side."""
    return Frame(frame.code, frame.namespace, list(stack), start, region, (frame, here))


def run_part(
    frame: Frame, start: int, stack: list[Any], region: flow.Region, below: list[Any], here: int = -1, enter: bool = False
) -> End:
    """Executes a part of the function, of which only the stack above `below` changes; `enter`: it starts at its stop."""
    inner = part(frame, start, stack, region, here)
    end = until(inner, enter=enter)
    if isinstance(end, Outcome):
        return end
    depth = len(inner.stack) if end is None else inner.low
    same = 0
    while same < min(len(below), depth) and inner.stack[same] is below[same]:
        same += 1
    if same < len(below):
        raise StackChanges(same)
    if end is None:
        return Outcome(inner.at, tuple(inner.stack[same:]))
    rest = inner.stack[same:depth]
    ways = {at: way if at == RETURN else way._replace(value=(*rest, *way.value)) for at, way in end.ways.items()}
    return Undecided(end.kind, ways)


def _copied(value: Any) -> Any:
    """An iterator that can be used up while the given one stays where it is; other values as they are."""
    if not defines(value, "__next__") or isinstance(value, core.Tensor):
        return value
    try:
        make, args, *rest = value.__reduce__()
    except TypeError:
        return Opaque()
    copy = make(*(_copied(arg) for arg in args))
    if rest and rest[0] is not None:
        copy.__setstate__(rest[0])
    return copy
