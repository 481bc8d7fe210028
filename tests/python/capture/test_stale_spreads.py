"""What `*` and `**` take apart, names that `__builtins__` lacks, and managers that a graph only passes on: as in Python when
they change between calls, or an error leaves them."""

from __future__ import annotations

import collections
import contextlib
import os
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor

MODES = ["ast", "bytecode"]


def counts(*args, **kwargs):
    return len(args) + 10 * len(kwargs)


def x() -> Tensor:
    return Tensor(np.array([1, 2, 3], np.float32))


GIVEN: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "deque": (lambda: collections.deque([1, 2]), lambda d: d.append(5)),
    "bytearray": (lambda: bytearray(b"ab"), lambda d: d.append(5)),
    "UserList": (lambda: collections.UserList([1, 2]), lambda d: d.append(5)),
    "list": (lambda: [1, 2], lambda d: d.append(5)),
}


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", GIVEN)
def test_what_a_star_takes_apart_may_change(name: str, mode: str) -> None:
    make, change = GIVEN[name]
    held = make()

    def with_keyword(t):
        return t * counts(*held, k=2)

    def alone(t):
        return t * counts(*held)

    jitted = [ms.jit(function, capture_mode=mode) for function in (with_keyword, alone)]
    for _ in range(3):
        for function, plain in zip(jitted, (with_keyword, alone)):
            assert function(x()).tolist() == plain(x()).tolist()
        change(held)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", [dict, lambda d: collections.ChainMap(d), lambda d: collections.UserDict(d)])
def test_what_two_stars_take_apart_may_change(make: Callable[[Any], Any], mode: str) -> None:
    held = make({"a": 1})

    def spreads(t):
        return t * counts(1, **held)

    jitted = ms.jit(spreads, capture_mode=mode)
    for name in "bcd":
        assert jitted(x()).tolist() == spreads(x()).tolist()
        held[name] = 2


LOCK = threading.Lock()


class Swallows:
    def __init__(self) -> None:
        self.log: list[Any] = []

    def __enter__(self):
        self.log.append("enter")

    def __exit__(self, kind, *error):
        self.log.append(kind)
        return True


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_an_error_of_a_graph_leaves_the_with_around_it(mode: str) -> None:
    def locks(t, k):
        with LOCK:
            os.getpid()
            z = t[Tensor(k)]
            os.getpid()
        return z

    jitted = ms.jit(locks, capture_mode=mode)
    for k in (0, 1, 5, 1):
        found = []
        for function in (locks, jitted):
            try:
                found.append(function(x(), k).tolist())
            except IndexError as error:
                found.append(str(error).split("\n")[0])
            assert not LOCK.locked()
        assert found[0] == found[1]


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_an_error_of_a_graph_is_swallowed_around_it(mode: str) -> None:
    def swallows(t, k, manager):
        z = t
        with manager:
            os.getpid()
            z = t[Tensor(k)]
            os.getpid()
        with contextlib.suppress(IndexError):
            z = t[Tensor(k)]
        return z

    jitted = ms.jit(swallows, capture_mode=mode)
    for k in (0, 1, 5, 1):
        managers = Swallows(), Swallows()
        assert swallows(x(), k, managers[0]).tolist() == jitted(x(), k, managers[1]).tolist()
        assert managers[0].log == managers[1].log


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_names_that_builtins_of_its_own_lack(mode: str) -> None:
    def asks(t):
        return t * len([1])

    function = types.FunctionType(asks.__code__, {"__builtins__": {"max": max}, "__name__": "user"})
    with pytest.raises(NameError, match="name 'len' is not defined"):
        function(x())
    with pytest.raises(NameError, match="name 'len' is not defined"):
        ms.jit(function, capture_mode=mode)(x())


@pytest.mark.parametrize("mode", MODES)
def test_a_condition_in_a_closure_reads_nothing_of_contextlib(mode: str) -> None:
    def outer(t):
        def inner(y):
            return y * 2 if y.sum() > 0 else y

        return inner(t)

    jitted = ms.jit(outer, capture_mode=mode, fullgraph=True)
    assert jitted(x()).tolist() == outer(x()).tolist()
    assert jitted.explain()["entries"][0]["guards"] < 8
