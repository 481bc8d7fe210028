"""Dataclasses that each call makes anew: graphs serve them by what is in them. Results, effects and identities are those of
a plain run on state of its own, also of objects and functions that are taken by identity."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops


@dataclasses.dataclass
class Batch:
    x: Tensor
    n: int = 3
    parts: list[Tensor] = dataclasses.field(default_factory=list)

    def scaled(self) -> Tensor:
        return self.x * self.n


@dataclasses.dataclass
class Pair:
    first: Batch
    second: Any = None


@dataclasses.dataclass
class Counter:
    x: Tensor
    calls: int = 0

    def times(self, x: Tensor) -> Tensor:
        return self.x * x


class Kept:
    current: Any = None
    seen: list[Any] = []


def tensor(i: int, rows: int = 3) -> Tensor:
    return Tensor(np.arange(rows, dtype=np.float32) + i)


def scaled(k: float, x: Tensor, *, plus: float = 0.0) -> Tensor:
    return x * k + plus


def read(batch: Batch) -> Tensor:
    return batch.scaled() + sum(batch.parts)


def nested(pair: Pair) -> Tensor:
    return pair.first.x + (0 if pair.second is None else pair.second.x)


def same(a: Batch, b: Batch) -> Tensor:
    return a.x * 2 if a is b else a.x + b.x


def many(batches: list[Batch]) -> Tensor:
    return ops.stack([batch.x for batch in batches])


def calls(function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    return function(x) * 2


def closing(k: Any) -> Callable[[Tensor], Tensor]:
    return lambda x: x * k


def defaulting(k: Any) -> Callable[[Tensor], Tensor]:
    def inner(x: Tensor, by: Any = k) -> Tensor:
        return x + by

    return inner


CASES: dict[str, tuple[Callable[..., Any], Callable[[int], tuple[Any, ...]]]] = {
    "a dataclass": (read, lambda i: (Batch(tensor(i)),)),
    "numbers that change": (read, lambda i: (Batch(tensor(i), i),)),
    "shapes that change": (read, lambda i: (Batch(tensor(i, 2 + i)),)),
    "lists within": (read, lambda i: (Batch(tensor(i), 2, [tensor(1), tensor(i)]),)),
    "objects within": (nested, lambda i: (Pair(Batch(tensor(i)), Batch(tensor(2 * i))),)),
    "none within": (nested, lambda i: (Pair(Batch(tensor(i))),)),
    "two of a class": (same, lambda i: (Batch(tensor(i)), Batch(tensor(i + 1)))),
    "one twice": (same, lambda i: (Batch(tensor(i)),) * 2),
    "a list of them": (many, lambda i: ([Batch(tensor(i)), Batch(tensor(i + 1))],)),
}
BY_IDENTITY: dict[str, tuple[Callable[..., Any], Callable[[int], tuple[Any, ...]]]] = {
    "a lambda": (calls, lambda i: ((lambda x: x * 3), tensor(i))),
    "a lambda that closes over a number": (calls, lambda i: (closing(i + 0.5), tensor(i))),
    "a lambda that closes over a Tensor": (calls, lambda i: (closing(tensor(i)), tensor(i))),
    "defaults": (calls, lambda i: (defaulting(tensor(i)), tensor(i))),
    "a partial": (calls, lambda i: (functools.partial(scaled, float(i)), tensor(i))),
    "keywords of a partial": (calls, lambda i: (functools.partial(scaled, 2.0, plus=float(i)), tensor(i))),
    "a method": (calls, lambda i: (Counter(tensor(i)).times, tensor(i))),
}


def beside_plain(function: Callable[..., Any], arguments: Callable[[int], tuple[Any, ...]], mode: str, times: int) -> Any:
    """The jitted function, after so many calls that gave what the plain one does."""
    jitted = ms.jit(function, capture_mode=mode)
    for i in range(times):
        expected = function(*arguments(i))
        assert jitted(*arguments(i)).asnumpy().tolist() == expected.asnumpy().tolist(), i
    return jitted


@pytest.mark.parametrize("mode", ["bytecode", "ast"])
@pytest.mark.parametrize("case", CASES)
def test_what_is_made_for_the_call_is_served_by_graph(case: str, mode: str) -> None:
    jitted = beside_plain(*CASES[case], mode, 24)
    assert jitted.explain()["calls"]["by_graph"] >= 20, jitted.explain()["misses"]


def test_another_kind_of_field_is_another_graph() -> None:
    jitted = ms.jit(nested)
    for i in range(6):
        second = None if i % 2 else Batch(tensor(5))
        expected = nested(Pair(Batch(tensor(i)), second))
        assert jitted(Pair(Batch(tensor(i)), second)).asnumpy().tolist() == expected.asnumpy().tolist()


def test_identities_among_arguments_are_part_of_the_graph() -> None:
    jitted = ms.jit(same)
    for i in range(12):
        one, other = Batch(tensor(i)), Batch(tensor(1))
        arguments = (one, one) if i % 3 == 0 else (one, other)
        assert jitted(*arguments).asnumpy().tolist() == same(*arguments).asnumpy().tolist()
    assert jitted.explain()["calls"]["by_graph"] >= 9


def test_the_object_itself_is_returned_and_kept() -> None:
    kept: list[Any] = []

    @ms.jit
    def keeps(batch: Batch) -> tuple[Tensor, Any]:
        kept.append(batch)
        return batch.x + 1, batch

    for i in range(10):
        batch = Batch(tensor(i))
        value, given = keeps(batch)
        assert given is batch and kept[-1] is batch
        assert value.asnumpy().tolist() == (batch.x + 1).asnumpy().tolist()
    assert len(kept) == 10


def test_an_object_that_is_known_outside_is_itself() -> None:
    def current(batch: Counter) -> Tensor:
        return batch.x * (2 if batch is Kept.current else 3 if any(batch is each for each in Kept.seen) else 5)

    jitted = ms.jit(current)
    batches = [Counter(tensor(i)) for i in range(6)]
    for turn in range(4):
        for i, batch in enumerate(batches):
            Kept.current, Kept.seen = batches[(i + turn) % 3], batches[turn : turn + 1]
            expected = current(batch)
            assert jitted(batch).asnumpy().tolist() == expected.asnumpy().tolist(), (turn, i)


def test_an_object_that_captured_code_changes_is_itself() -> None:
    def count(counter: Counter) -> Tensor:
        counter.calls += 1
        return counter.x * counter.calls

    jitted = ms.jit(count)
    found, wanted = [Counter(tensor(i)) for i in range(3)], [Counter(tensor(i)) for i in range(3)]
    for _ in range(6):
        for a, b in zip(found, wanted):
            assert jitted(a).asnumpy().tolist() == count(b).asnumpy().tolist()
            assert a.calls == b.calls


@pytest.mark.breaks
def test_a_new_field_is_the_objects_own() -> None:
    def mark(batch: Any) -> Tensor:
        batch.marked = batch.x + 1
        return batch.x * 2

    jitted = ms.jit(mark)
    for i in range(8):
        batch = Batch(tensor(i))
        assert jitted(batch).asnumpy().tolist() == (batch.x * 2).asnumpy().tolist()
        assert batch.marked.asnumpy().tolist() == (batch.x + 1).asnumpy().tolist()


def test_a_class_may_change() -> None:
    @dataclasses.dataclass
    class Changing:
        x: Tensor

        def value(self) -> Tensor:
            return self.x * 2

    jitted = ms.jit(lambda thing: thing.value() + 1)
    for i in range(5):
        assert jitted(Changing(tensor(i))).asnumpy().tolist() == (tensor(i) * 2 + 1).asnumpy().tolist()
    Changing.value = lambda self: self.x * 7  # type: ignore[method-assign]
    for i in range(5):
        assert jitted(Changing(tensor(i))).asnumpy().tolist() == (tensor(i) * 7 + 1).asnumpy().tolist()
    assert len(jitted.unfolded) == 1


@pytest.mark.parametrize("mode", ["bytecode", "ast"])
@pytest.mark.parametrize("case", BY_IDENTITY)
def test_what_is_taken_by_identity(case: str, mode: str) -> None:
    jitted = beside_plain(*BY_IDENTITY[case], mode, 12)
    assert jitted.unfolded == ()


def test_variables_of_functions_among_the_arguments() -> None:
    def counting() -> tuple[Callable[[Tensor], Tensor], Callable[[], int]]:
        n = 0

        def count(x: Tensor) -> Tensor:
            nonlocal n
            n += 1
            return x * n

        return count, lambda: n

    jitted = ms.jit(calls)
    for i in range(5):
        count, counted = counting()
        assert jitted(count, tensor(i)).asnumpy().tolist() == (tensor(i) * 2).asnumpy().tolist()
        assert counted() == 1


def test_what_grows_within_an_object_is_not_captured_for_ever() -> None:
    jitted = ms.jit(lambda batch: batch.x * 2)
    batches = [Batch(tensor(i)) for i in range(2)]
    for i in range(100):
        batch = batches[i % 2]
        batch.parts.append(tensor(i))
        assert jitted(batch).asnumpy().tolist() == (batch.x * 2).asnumpy().tolist()
    assert jitted.explain()["calls"]["by_graph"] > 60
    assert len(jitted.explain()["entries"]) < 20


def test_gradients_flow_to_what_is_in_an_object() -> None:
    weight = ms.Parameter(Tensor(np.ones(3, np.float32)), name="weight")

    @ms.jit
    def step(batch: Batch) -> Tensor:
        return ms.value_and_grad(lambda: (batch.x * weight).sum(), None, [weight])()[1][0]

    for i in range(8):
        assert step(Batch(tensor(i))).asnumpy().tolist() == tensor(i).asnumpy().tolist()


def test_a_cell_is_itself() -> None:
    cells = [nn.Dense(3, 2), nn.Dense(3, 2)]
    jitted = ms.jit(lambda cell, x: cell(x))
    for i in range(6):
        cell = cells[i % 2]
        assert np.array_equal(jitted(cell, tensor(i)).asnumpy(), cell(tensor(i)).asnumpy())
    assert jitted.unfolded == ()


class Held(Exception):
    def __init__(self, held: Any) -> None:
        super().__init__("held")
        self.held = held


@pytest.mark.breaks
def test_errors_hold_the_object_itself() -> None:
    @ms.jit
    def raises(batch: Batch) -> Tensor:
        if batch.n > 2:
            raise Held(batch)
        return batch.x

    for n in (1, 2, 3, 4, 2, 5):
        batch = Batch(tensor(n), n)
        if n > 2:
            with pytest.raises(Held) as caught:
                raises(batch)
            assert caught.value.held is batch
        else:
            assert raises(batch).asnumpy().tolist() == batch.x.asnumpy().tolist()


def test_the_dict_of_an_object_is_its_own() -> None:
    @ms.jit
    def fields(batch: Batch) -> tuple[Tensor, dict[str, Any]]:
        return batch.x + 1, vars(batch)

    for i in range(6):
        batch = Batch(tensor(i))
        assert fields(batch)[1] is vars(batch)


@pytest.mark.breaks
def test_a_dict_from_outside_may_be_an_objects() -> None:
    kept = Batch(tensor(1), 1)
    names = vars(kept)

    def count(batch: Batch, other: Batch) -> Tensor:
        names["n"] = names["n"] + 1
        return batch.x * other.n

    jitted = ms.jit(count)
    for i in range(4):
        jitted(Batch(tensor(i)), Batch(tensor(i), 5))
    for _ in range(3):
        kept.n = 1
        expected = count(Batch(tensor(1)), kept)
        kept.n = 1
        assert jitted(Batch(tensor(1)), kept).asnumpy().tolist() == expected.asnumpy().tolist()


def test_deep_and_cyclic_objects() -> None:
    jitted = ms.jit(lambda batch: batch.x + 1)
    for i in range(5):
        chain = Batch(tensor(i))
        for _ in range(200):
            chain = Batch(tensor(i), chain)  # type: ignore[arg-type]
        assert jitted(chain).asnumpy().tolist() == (tensor(i) + 1).asnumpy().tolist()
    for i in range(5):
        batch = Batch(tensor(i))
        batch.parts.append(batch)  # type: ignore[arg-type]
        batch.n = batch  # type: ignore[assignment]
        assert jitted(batch).asnumpy().tolist() == (tensor(i) + 1).asnumpy().tolist()


@pytest.mark.breaks
def test_a_class_that_gets_a_finalizer_is_taken_by_identity() -> None:
    ended: list[int] = []

    @dataclasses.dataclass
    class Ending:
        x: Tensor

    jitted = ms.jit(lambda thing: thing.x * 2)
    for i in range(8):
        if i == 4:
            Ending.__del__ = lambda self: ended.append(1)  # type: ignore[attr-defined]
        jitted(Ending(tensor(i)))
    assert len(ended) <= 4


def test_many_objects_are_found_by_their_address() -> None:
    jitted = ms.jit(lambda batches: batches[0].x + len(batches))
    for i in range(3):
        batches = [Batch(tensor(i)) for _ in range(200)] * 2
        assert jitted(batches).asnumpy().tolist() == (tensor(i) + 400).asnumpy().tolist()
