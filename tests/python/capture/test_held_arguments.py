"""Lists and dicts of arguments may be changed while a call reads them, by code of the user's that the call runs or by other
threads: what the call has read stays alive until it ends."""

from __future__ import annotations

import threading
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import _emberjit as core

MODES = ["ast", "bytecode", "trace"]


def tensors(value: float, count: int = 1) -> list[Tensor]:
    return [Tensor(np.full(3, value, np.float32)) for _ in range(count)]


class Changing(namedtuple("Named", "a")):
    """Runs `change` when a call asks whether it has names."""

    change: Any = None

    def __getattribute__(self, name: str) -> Any:
        if name == "_fields" and Changing.change:
            Changing.change()
        return super().__getattribute__(name)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "make", [lambda t: [t], lambda t: {"a": t}, lambda t: ([t],), lambda t: [(t,)], lambda t: {"a": [t]}]
)
@pytest.mark.parametrize("function", [lambda x: x, lambda x: x + 0])
def test_a_container_changes_while_arguments_are_read(mode: str, make: Any, function: Any) -> None:
    def first(of: Any) -> Any:
        while not isinstance(of, Tensor):
            of = of["a"] if isinstance(of, dict) else of[0]
        return of

    f = ms.jit(lambda of, _: function(first(of)), capture_mode=mode)
    marker = Changing(1)
    Changing.change = None
    f(make(tensors(1)[0]), marker)
    later = []
    for value in (5, 6, 7):
        given = make(tensors(value)[0])
        container = given[0] if isinstance(given, tuple) else given

        def change() -> None:
            fresh = make(tensors(-1)[0])
            fresh = fresh[0] if isinstance(fresh, tuple) else fresh
            container.update(fresh) if isinstance(container, dict) else container.__setitem__(slice(None), fresh)
            later.extend(tensors(-1, 5))

        Changing.change = change
        try:
            found = f(given, marker)
        finally:
            Changing.change = None
        later.extend(tensors(-2, 5))
        assert found.tolist() == [value] * 3


@pytest.mark.parametrize("mode", MODES)
def test_other_threads_assign_to_a_list(mode: str) -> None:
    f = ms.jit(lambda xs: (xs[0], (xs[1] * 2).sum()), capture_mode=mode)
    large = Tensor(np.ones(200_000, np.float32))
    xs = [*tensors(3), large]
    f(xs)
    ends = threading.Event()

    def assign() -> None:
        while not ends.is_set():
            xs[0] = tensors(3)[0]
            xs[1] = large + 0

    other = threading.Thread(target=assign)
    other.start()
    try:
        for _ in range(300):
            same, total = f(xs)
            assert same.tolist() == [3, 3, 3] and float(total) == 400_000
    finally:
        ends.set()
        other.join()


class Clearing:
    """Empties a list when an op asks it for a number, or for an array."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items
        items.append(self)

    def __index__(self) -> int:
        self.items.clear()
        return 2

    def __getattr__(self, name: str) -> Any:
        if name == "__array__":
            self.items.clear()
            return lambda *_, **__: np.full(3, 4, np.float32)
        raise AttributeError(name)


class Refusing(Clearing):
    def __index__(self) -> int:
        self.items.clear()
        raise TypeError("no number")


def test_an_op_runs_code_that_empties_its_lists() -> None:
    x = Tensor(np.arange(6, dtype=np.float32))
    for _ in range(20):
        sizes: list[Any] = []
        Clearing(sizes)
        sizes.append(3)
        with pytest.raises(ValueError, match="reshape"):
            core.op_table["reshape"](x, sizes)
        Refusing(sizes)
        with pytest.raises(TypeError, match=r"must be an int, but got .*Refusing"):
            core.op_table["reshape"](x, sizes)
        parts: list[Any] = []
        Clearing(parts)
        assert core.op_table["stack"](parts).tolist() == [[4, 4, 4]]
        Clearing(parts)
        parts.append(Tensor([1.0, 2.0, 3.0]))
        assert Tensor(parts).shape[-1] == 3 or not parts


def test_results_of_dicts_that_share_their_arguments() -> None:
    f = ms.jit(lambda d: (d["x"], d, d["y"]))
    given = {"x": tensors(1)[0], "y": ops.ones(2, ms.float32)}
    for _ in range(3):
        x, d, y = f(given)
        assert x is given["x"] and d is given and y is given["y"]
