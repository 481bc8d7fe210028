"""Control-flow analysis of decoded code: dominators, loops, where the sides of a condition merge, live variables."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterator
from typing import NamedTuple

from emberjit.capture.code.instructions import STORES, Code

EXIT = -1

_READS = ("LOAD_LOCAL", "LOAD_CELL", "LOAD_CLOSURE", "DELETE_LOCAL", "DELETE_CELL")
_ASK = {"locals", "vars", "dir", "eval", "exec"}


class Region(NamedTuple):
    """A part of the code, which ends where it is left or comes to a stop; `inside` None: all of it."""

    inside: frozenset[int] | None
    stops: frozenset[int]

    def holds(self, at: int) -> bool:
        """Whether execution at this position is within."""
        return at not in self.stops and (self.inside is None or at in self.inside)

    def until(self, *stops: int) -> Region:
        """With further stops."""
        return Region(self.inside, self.stops | set(stops))


class Loop(NamedTuple):
    """All that may be executed between one arrival at `header` and the next, which a `latch` leads back to."""

    header: int
    latches: frozenset[int]
    inside: frozenset[int]

    def trip(self) -> Region:
        """One trip."""
        return Region(self.inside, frozenset((self.header,)))

    def within(self, region: Region) -> bool:
        """Whether all of it is a part of the scope, which does not stop in it."""
        return region.stops.isdisjoint(self.inside) and (region.inside is None or self.inside <= region.inside)


ALL = Region(None, frozenset())


@functools.lru_cache(maxsize=1024)
def loops(code: Code) -> list[Loop]:
    """The natural loops, inner ones before outer ones."""
    return find_loops(code)


def find_loops(code: Code) -> list[Loop]:
    """The natural loops of code as it is now. A loop is what leads to an edge back to its header, which dominates that;
    what is entered at several places is none."""
    if not any(0 <= ins.target <= at for at, ins in enumerate(code.instructions)):
        return []
    after = [[*code.successors(at), *([handler.target] if handler else [])] for at, handler in enumerate(code.handlers)]
    after.append([])  # code that is not reached may lead behind the last
    before = _reversed(after)
    dominators = _dominators(0, after, before)
    latches: dict[int, list[int]] = {}
    for at, following in enumerate(after):
        for header in following:
            if header <= at and at in dominators and _dominates(dominators, header, at):
                latches.setdefault(header, []).append(at)
    result = []
    for header, ends in latches.items():
        inside, todo = {header}, list(ends)
        while todo:
            here = todo.pop()
            if here not in inside:
                inside.add(here)
                todo.extend(before[here])
        result.append(Loop(header, frozenset(ends), frozenset(inside)))
    return sorted(result, key=lambda loop: len(loop.inside))


def _reversed(edges: list[list[int]]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in edges]
    for at, following in enumerate(edges):
        for end in following:
            before[end].append(at)
    return before


def _dominates(dominators: dict[int, int], a: int, b: int) -> bool:
    while b != a and dominators[b] != b:
        b = dominators[b]
    return a == b


def _dominators(root: int, after: list[list[int]], before: list[list[int]]) -> dict[int, int]:
    """The immediate dominator of each position that is reached from the root, which is its own.

    Method: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
    """
    order = _postorder(root, after)
    rank = {at: i for i, at in enumerate(order)}
    dominators = {root: root}

    def meet(a: int, b: int) -> int:
        while a != b:
            while rank[a] < rank[b]:
                a = dominators[a]
            while rank[b] < rank[a]:
                b = dominators[b]
        return a

    changed = True
    while changed:
        changed = False
        for at in order[-2::-1]:
            common = functools.reduce(meet, [other for other in before[at] if other in dominators])
            changed = changed or dominators.get(at) != common
            dominators[at] = common
    return dominators


@functools.lru_cache(maxsize=1024)
def postdominators(code: Code, region: Region = ALL) -> list[int]:
    """For each instruction the first that every way from it to an end of the scope passes: its immediate postdominator, or
    EXIT. Returns end the whole code; ways that leave a part of it do not count."""
    count = len(code.instructions)
    after: list[list[int]] = [[] for _ in range(count + 1)]
    for at in range(count) if region.inside is None else region.inside:
        ways = (count if way in region.stops else way for way in code.successors(at))
        after[at] = [way for way in ways if way == count or region.holds(way)]
        if code.instructions[at].name == "RETURN" and region == ALL:
            after[at] = [count]
    join = _dominators(count, _reversed(after), after)
    return [EXIT if join.get(at, count) == count else join[at] for at in range(count)]


@functools.lru_cache(maxsize=4096)
def merge_points(code: Code, yes: int, no: int, region: Region) -> tuple[int, ...]:
    """Where two ways come together in the scope, though either may also leave it: the positions that both reach, each by a
    step from one that not both do. Only steps forward count."""
    sides = {no: 2}
    sides[yes] = sides.get(yes, 0) | 1
    todo, points = list(sides), []
    heapq.heapify(todo)
    while len({sides[at] for at in todo}) > 1 or (todo and sides[todo[0]] == 3):
        at = heapq.heappop(todo)
        if not region.holds(at):
            continue
        if sides[at] == 3:
            points.append(at)
            continue
        for following in code.successors(at):
            if following > at:
                if following not in sides:
                    heapq.heappush(todo, following)
                sides[following] = sides.get(following, 0) | sides[at]
    return tuple(points)


def _reached(code: Code, start: int, region: Region = ALL) -> Iterator[int]:
    """The positions that ways from an instruction lead to, which end where they leave the scope."""
    seen, todo = {start}, [start]
    while todo:
        yield (here := todo.pop())
        following = [at for at in code.successors(here) if at not in seen and region.holds(at)]
        seen.update(following)
        todo += following


@functools.lru_cache(maxsize=4096)
def reaches(code: Code, start: int, region: Region) -> bool:
    """Whether a way from an instruction leads to a stop of the scope."""
    stops = region.stops
    return start in stops or any(not stops.isdisjoint(code.successors(at)) for at in _reached(code, start, region))


@functools.lru_cache(maxsize=4096)
def returns(code: Code, start: int) -> bool:
    """Whether a way from an instruction leads to a `return` or `yield`, and not all to errors."""
    return any(code.instructions[at].name in ("RETURN", "YIELD") for at in _reached(code, start))


@functools.lru_cache(maxsize=4096)
def assigned(code: Code, start: int, region: Region) -> tuple[str, ...]:
    """Variables that may be assigned on the ways from an instruction to the end of the scope."""
    reached = (code.instructions[at] for at in _reached(code, start, region))
    return tuple({ins.operand: None for ins in reached if ins.name in STORES})


def _postorder(root: int, edges: list[list[int]]) -> list[int]:
    order: list[int] = []
    seen = {root}
    todo = [(root, iter(edges[root]))]
    while todo:
        at, rest = todo[-1]
        following = next((n for n in rest if n not in seen), None)
        if following is None:
            order.append(at)
            todo.pop()
        else:
            seen.add(following)
            todo.append((following, iter(edges[following])))
    return order


@functools.lru_cache(maxsize=1024)
def live_variables(code: Code) -> list[frozenset[str]]:
    """For each instruction the variables that may be read from there on."""
    count = len(code.instructions)
    if _ASK & set(code.code.co_names):
        return [frozenset(code.code.co_varnames + code.code.co_cellvars)] * count
    live: list[frozenset[str]] = [frozenset()] * (count + 1)
    changed = True
    while changed:
        changed = False
        for at in range(count - 1, -1, -1):
            ins = code.instructions[at]
            after: frozenset[str] = frozenset().union(*(live[s] for s in code.successors(at)))
            if ins.name in STORES:
                after -= {ins.operand}
            if ins.name in _READS:
                after |= {ins.operand}
            if ins.name == "MAKE_FUNCTION" and "closure" in ins.operand:
                after |= set(code.instructions[at - 1].operand.co_freevars)
            if (handler := code.handlers[at]) is not None:
                after |= live[handler.target]
            if after != live[at]:
                live[at], changed = after, True
    return live
