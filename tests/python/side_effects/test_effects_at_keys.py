"""Items of dicts, counters and sets from outside at keys that are numbers of the call: a graph for each key, and what is
there is a symbol of it. Results and effects are those of a plain run on state of its own."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import pytest

import emberjit as ms
from emberjit import Tensor

X = Tensor([1.0, 2.0])


def counted(state: Any) -> Callable[[Tensor, int], Any]:
    def count(x: Tensor, n: int) -> Any:
        state[n % 3] = state.get(n % 3, 0) + 1
        return x * state[n % 3]

    return count


def of_default(state: Any) -> Callable[[Tensor, int], Any]:
    def count(x: Tensor, n: int) -> Any:
        state[n % 3] += 1
        return x * state[n % 3]

    return count


def at_a_name(state: Any) -> Callable[[Tensor, int], Any]:
    def count(x: Tensor, n: int) -> Any:
        state["calls"] += n
        return x * state["calls"] + state["other"]

    return count


def at_pairs(state: Any) -> Callable[[Tensor, int], Any]:
    def store(x: Tensor, n: int) -> Any:
        state.setdefault(("a", n % 2), n)
        return x + state.pop(("b", n % 2), n)

    return store


def added(state: Any) -> Callable[[Tensor, int], Any]:
    def add(x: Tensor, n: int) -> Any:
        state.add(n % 3)
        state.discard((n + 1) % 3)
        state.update([n % 2])
        return x + n

    return add


CASES: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "a dict": (counted, dict),
    "a Counter asked for what it may lack": (counted, collections.Counter),
    "a Counter": (of_default, collections.Counter),
    "a defaultdict": (of_default, lambda: collections.defaultdict(int)),
    "names of a Counter": (at_a_name, collections.Counter),
    "names of a defaultdict": (at_a_name, lambda: collections.defaultdict(int)),
    "pairs": (at_pairs, dict),
    "a set": (added, set),
}


@pytest.mark.parametrize("mode", ["bytecode", "ast"])
@pytest.mark.parametrize("case", CASES)
def test_keys_that_change(case: str, mode: str) -> None:
    make, state = CASES[case]
    mine, theirs = state(), state()
    jitted, plain = ms.jit(make(mine), capture_mode=mode), make(theirs)
    for n in range(40):
        assert jitted(X, n).asnumpy().tolist() == plain(X, n).asnumpy().tolist(), n
        assert mine == theirs and list(mine) == list(theirs)
    before = jitted.hits
    for n in range(12):
        assert jitted(X, n).asnumpy().tolist() == plain(X, n).asnumpy().tolist(), n
        assert mine == theirs
    assert jitted.hits - before == 12, jitted.explain()["misses"]


def test_lists_of_any_length_have_a_graph_each() -> None:
    jitted = ms.jit(lambda parts: sum(parts))
    for turn in range(3):
        before = jitted.hits
        for length in range(1, 15):
            assert jitted([X] * length).asnumpy().tolist() == (X * length).asnumpy().tolist()
        assert turn < 2 or jitted.hits - before == 14
