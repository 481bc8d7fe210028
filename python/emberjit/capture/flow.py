"""What decoded code does next: where two sides of a condition meet again, and which variables are read later."""

from __future__ import annotations

import functools

from emberjit.capture.instructions import Code

EXIT = -1

_READS = ("LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_CLOSURE", "DELETE_FAST", "DELETE_DEREF")
_ASK = {"locals", "vars", "dir", "eval", "exec"}
_WRITES = ("STORE_FAST", "STORE_DEREF", "DELETE_FAST", "DELETE_DEREF")


@functools.lru_cache(maxsize=1024)
def joins(code: Code) -> list[int]:
    """For each instruction the first that every way from it to the end passes: its immediate postdominator, or EXIT.

    Method: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the reversed graph.
    """
    count = len(code.instructions)
    before: list[list[int]] = [[] for _ in range(count + 1)]
    for at in range(count):
        for following in code.successors(at):
            before[following].append(at)
        if code.instructions[at].name == "RETURN_VALUE":
            before[count].append(at)
    order = _postorder(count, before)
    rank = {at: i for i, at in enumerate(order)}
    join: dict[int, int] = {count: count}

    def meet(a: int, b: int) -> int:
        while a != b:
            while rank[a] < rank[b]:
                a = join[a]
            while rank[b] < rank[a]:
                b = join[b]
        return a

    changed = True
    while changed:
        changed = False
        for at in order[-2::-1]:
            exits = code.instructions[at].name == "RETURN_VALUE"
            common = functools.reduce(meet, [count] if exits else [s for s in code.successors(at) if s in join])
            changed = changed or join.get(at) != common
            join[at] = common
    return [EXIT if join.get(at, count) == count else join[at] for at in range(count)]


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


@functools.lru_cache(maxsize=4096)
def assigned(code: Code, at: int, end: int) -> tuple[str, ...]:
    """Variables that may be assigned on the ways from an instruction to `end`."""
    names: dict[str, None] = {}
    seen = {at, end}
    todo = [at]
    while todo:
        ins = code.instructions[here := todo.pop()]
        if ins.name in _WRITES:
            names[ins.value] = None
        following = [after for after in code.successors(here) if after not in seen]
        seen.update(following)
        todo += following
    return tuple(names)


@functools.lru_cache(maxsize=1024)
def live(code: Code) -> list[frozenset[str]]:
    """For each instruction the variables that may be read from there on."""
    count = len(code.instructions)
    if _ASK & set(code.code.co_names):
        return [frozenset(code.code.co_varnames + code.code.co_cellvars)] * count
    found: list[frozenset[str]] = [frozenset()] * count
    changed = True
    while changed:
        changed = False
        for at in range(count - 1, -1, -1):
            ins = code.instructions[at]
            after: frozenset[str] = frozenset().union(*(found[s] for s in code.successors(at)))
            if ins.name in _WRITES:
                after = after - {ins.value}
            if ins.name in _READS:
                after = after | {ins.value}
            if ins.name == "MAKE_FUNCTION" and ins.arg & 8:
                after = after | set(code.instructions[at - 1].value.co_freevars)
            handler = code.handlers[at]
            if handler is not None:
                after = after | found[handler.target]
            if after != found[at]:
                found[at], changed = after, True
    return found
