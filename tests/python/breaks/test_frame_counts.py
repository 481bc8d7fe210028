"""Of what Python runs between graphs nothing is left: hundreds of breaks of each kind leave no more objects, references and
memory than there were."""

from __future__ import annotations

import collections
import contextlib
import gc
import io
import sys
import tracemalloc
import types
from collections.abc import Callable
from typing import Any

import pytest
from test_breaks import Log
from values import array

import emberjit as ms
from emberjit import Tensor
from emberjit.capture.graph_breaks import driver, timing

pytestmark = pytest.mark.breaks

CALLS, TRIPS = 60, 5  # of each function, and of the loop in each
X = array(1, 2)
OUTER = Log()
SINK = io.StringIO()


def note(*_):
    OUTER.append(0)
    OUTER.pop()


class Box:
    def __init__(self, t):
        self.t = t

    @property
    def doubled(self):
        note()
        return self.t * 2

    def __add__(self, other):
        note()
        return Box(self.t + other.t)

    def method(self, t):
        note()
        return self.t + t

    def __enter__(self):
        note()
        return self

    def __exit__(self, *_):
        return True


BOX = Box(X)


def calls_what_is_unknown(x):
    for _ in range(TRIPS):
        x = x * 2
        sys.intern("a")
    return x + 1


def prints(x):
    for i in range(TRIPS):
        x = x + i
        print(i, end="", file=SINK)
    return x


def appends(x):
    for _ in range(TRIPS):
        OUTER.append(x * 2)
        x = OUTER.pop()
    return x


def stores_an_attribute(x):
    for i in range(TRIPS):
        BOX.kept = x * i
        sys.intern("a")
        x = BOX.kept + 1
    return x


def catches(x):
    for i in range(TRIPS):
        try:
            note(x * i)
            {}[i]
        except KeyError as error:
            x = x + error.args[0]
    return x


def manages(x):
    for _ in range(TRIPS):
        with Box(x) as box:
            raise ValueError(box)
    return x


def generates(x):
    def parts():
        for i in range(2):
            note()
            yield x * i

    for _ in range(TRIPS):
        left = parts()
        x = x + next(left) + sum(parts())
    return x


def closes_over(x):
    for i in range(TRIPS):
        inner = lambda t, by=x: t + by * i
        note(inner)
        x = inner(x)
    return x


def calls_a_method(x):
    for _ in range(TRIPS):
        x = BOX.method(x)
    return x


def reads_a_property(x):
    for _ in range(TRIPS):
        x = BOX.doubled + x
    return x


def adds(x):
    for _ in range(TRIPS):
        x = (BOX + Box(x)).t
    return x


def comprehends(x):
    for _ in range(TRIPS):
        x = sum([x * i for i in range(2) if note() is None])
    return x


def calls_with_stars(x):
    for i in range(TRIPS):
        args, named = (x, i), {"key": id}
        note(*args)
        x = sorted(args[:1], **named)[0]
    return x


def passes_finally(x):
    for i in range(TRIPS):
        try:
            note()
            x = x * i
        finally:
            sys.intern("a")
    return x


def leaves_a_loop(x):
    for _ in range(TRIPS):
        for i in range(9):
            note()
            if i:
                break
        x = x * i
    return x


def fails(x):
    def inner(t):
        note()
        raise ValueError(t)

    try:
        return inner(x * 2)
    finally:
        note()


def has_callees_as_graphs(x):
    for _ in range(TRIPS):
        x = sorted([x, x * 2], key=lambda t: float((t * 2 + 1).sum()))[0]
    return x


def has_callees_that_break(x):
    def key(t):
        t = t * 2
        note()
        return float((t - 1).sum())

    for _ in range(TRIPS):
        x = sorted([x, x * 2], key=key)[0]
    return x


FUNCTIONS = [f for f in list(globals().values()) if isinstance(f, types.FunctionType)]
FUNCTIONS = [f for f in FUNCTIONS if f.__code__.co_varnames[:1] == ("x",)]


def objects() -> collections.Counter[str]:
    gc.collect()
    return collections.Counter(type(one).__name__ for one in gc.get_objects())


def run(jitted: Callable[[Tensor], Any], calls: int) -> None:
    for _ in range(calls):
        with contextlib.suppress(ValueError):
            jitted(X)


@pytest.fixture(autouse=True)
def never_python_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing.Choice, "graphs", lambda self: True)
    monkeypatch.setattr(driver, "MAX_FINISHES", sys.maxsize)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_nothing_is_left(function: Callable[[Tensor], Any]) -> None:
    total = getattr(sys, "gettotalrefcount", int)
    jitted = ms.jit(function, capture_mode="bytecode")
    run(jitted, CALLS)
    assert jitted.driver and not jitted.plain_calls
    for _ in range(3):  # where the first time may set up what lasts
        before, counted, references = objects(), sys.getrefcount(X), total()
        run(jitted, CALLS)
        after, grown = objects(), total() - references
        more = {kind: n - before[kind] for kind, n in after.items() if n > before[kind] + 9}
        if not more and sys.getrefcount(X) == counted and grown < CALLS:
            return
    pytest.fail(f"{more}, {sys.getrefcount(X) - counted} of X, {grown} references")


def test_no_memory_is_left() -> None:
    """That no collector counts: of C and of Python."""
    jitted = [ms.jit(function, capture_mode="bytecode") for function in FUNCTIONS]

    def taken(calls: int) -> int:
        before = tracemalloc.get_traced_memory()[0]
        for each in jitted:
            run(each, calls)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before

    taken(CALLS // 3)
    tracemalloc.start()
    try:
        assert any(taken(CALLS // 12) < 25_000 for _ in range(3))
    finally:
        tracemalloc.stop()
