"""What a jitted function does, and says, where its graphs do not serve a call: numbers from outside are read anew once they
have changed, values that Python needs have a graph each, and what keeps missing runs in Python and is told once."""

from __future__ import annotations

import enum
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn
from emberjit import _emberjit as core
from emberjit.capture.dispatch import capturing

X = Tensor([1.0, 2.0])


class Settings:
    def __init__(self) -> None:
        self.scale, self.steps, self.other = 1.5, 0, 0


class Slotted:
    __slots__ = ("scale",)

    def __init__(self) -> None:
        self.scale = 1.5


settings, slotted = Settings(), Slotted()
table: dict[str, Any] = {"scale": 1.5, "other": 0, "inner": {"scale": 1.5}}
items = [1.5, 0, "text"]
SCALE = 1.5


def of_global(x: Tensor) -> Tensor:
    return x * SCALE


def enclosing() -> tuple[Any, Any]:
    scale = 1.5

    def read(x: Tensor) -> Tensor:
        return x * scale

    def change(value: float) -> None:
        nonlocal scale
        scale = value

    return read, change


def set_global(value: float) -> None:
    global SCALE
    SCALE = value


class Scaled(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.scale = 1.5

    def construct(self, x: Tensor) -> Tensor:
        return x * self.scale


cell, (of_closure, set_enclosed) = Scaled(), enclosing()
PLACES: dict[str, tuple[Any, Any]] = {
    "attribute": (lambda x: x * settings.scale, lambda v: setattr(settings, "scale", v)),
    "slot": (lambda x: x * slotted.scale, lambda v: setattr(slotted, "scale", v)),
    "item": (lambda x: x * table["scale"], lambda v: table.__setitem__("scale", v)),
    "inner item": (lambda x: x * table["inner"]["scale"], lambda v: table["inner"].__setitem__("scale", v)),
    "get": (lambda x: x * table.get("scale", 0), lambda v: table.__setitem__("scale", v)),
    "list": (lambda x: x * items[0], lambda v: items.__setitem__(0, v)),
    "global": (of_global, set_global),
    "closure": (of_closure, set_enclosed),
    "cell": (lambda x: cell(x), lambda v: setattr(cell, "scale", v)),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_number_from_outside_is_read_once_it_has_changed(place: str) -> None:
    function, change = PLACES[place]
    jitted = ms.jit(function)
    for i in range(12):
        change(1.5 + i)
        assert jitted(X).asnumpy().tolist() == [1.5 + i, 3.0 + 2 * i]
    assert jitted.hits == 10, jitted.explain()["misses"]
    assert len(jitted.explain()["entries"]) == 1
    for value in (True, 2, -0.0, float("nan"), 2**40):
        change(value)
        assert jitted(X).asnumpy().tobytes() == function(X).asnumpy().tobytes(), value
    change(1.5)


@pytest.mark.parametrize("change", ["attribute", "item", "list"])
def test_what_was_not_read_may_change(change: str) -> None:
    jitted = ms.jit(lambda x: x * settings.scale * table["scale"] * items[0])
    for i in range(10):
        settings.other, table["other"], items[1] = i, i, i
        table[f"new {change} {i}"] = i
        jitted(X)
    assert jitted.hits == 9, jitted.explain()["misses"]
    for name in [name for name in table if name.startswith("new")]:
        del table[name]


def test_each_value_that_python_needs_has_a_graph() -> None:
    @ms.jit
    def powers(x: Tensor, n: int) -> Tensor:
        for _ in range(n):
            x = x * 2
        return x

    for n in [*range(30), *range(30), *range(30)]:
        assert powers(X, n).asnumpy().tolist() == [2.0**n, 2.0 * 2.0**n]
    hits = powers.hits
    for n in range(30):
        powers(X, n)
    assert powers.hits == hits + 30


def never_again(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x * (1 if i else n)
    return x


def test_what_keeps_missing_is_told_once() -> None:
    jitted = ms.jit(never_again)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for n in range(1, 60):
            jitted(X, n)
    (only,) = (str(each.message) for each in said)
    assert "'never_again'" in only and "n == " in only and "(held " in only and ", met " in only
    explained = jitted.explain()
    assert explained["calls"]["by_graph"] + explained["calls"]["in_python"] > 0
    assert explained["calls_in_python"] and "n == " in explained["calls_in_python"][0]
    miss = explained["misses"][0]
    assert miss["kind"] == "value" or miss["guard"].startswith("n == ")
    assert miss["times"] >= 1


def test_no_warning_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERJIT_WARN", "0")
    jitted = ms.jit(never_again)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(1, 60):
            jitted(X, n)


def test_what_keeps_missing_is_an_error_under_fullgraph() -> None:
    jitted = ms.jit(never_again, fullgraph=True)
    with pytest.raises(core.CaptureError, match="'never_again' was captured anew"):
        for n in range(1, 60):
            jitted(X, n)


def test_a_function_is_tried_again() -> None:
    jitted = ms.jit(never_again)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in range(1, 60):
            jitted(X, n)
    hits = jitted.hits
    for _ in range(jitted.plain_calls + 40):
        jitted(X, 7)
    assert jitted.hits > hits


@pytest.mark.breaks
def test_a_way_that_breaks_takes_no_calls_from_the_graphs_of_others() -> None:
    said: list[int] = []

    def step(x: Tensor, i: int) -> Tensor:
        y = x * 2 + 1
        if i % 40 == 0:
            said.append(len(bytes(y.asnumpy())))
        return y * y

    jitted = ms.jit(step)
    for i in range(1, 1200):
        jitted(X, i)
    hits = jitted.hits
    for i in range(1200, 1400):
        jitted(X, i)
    assert jitted.hits - hits == 195
    assert len(said) == 34


class Mode(enum.Enum):
    A = 1
    B = 2


class Chosen:
    def __init__(self) -> None:
        self.mode, self.table = Mode.A, {"steps": 3}


CHOSEN = Chosen()


def reads_chosen(x: Tensor, n: int) -> Tensor:
    if CHOSEN.mode is Mode.A:
        x = x * CHOSEN.table["steps"]
    return x + 1 if n > 3 else x


def test_a_miss_says_what_was_read_and_where() -> None:
    jitted = ms.jit(reads_chosen)
    first = reads_chosen.__code__.co_firstlineno
    jitted(X, 0)
    jitted(X, 4)
    CHOSEN.table["steps"] = 5
    jitted(X, 4)
    CHOSEN.mode = Mode.B
    jitted(X, 4)
    found = {
        miss["guard"]: (miss["held"], miss["met"], int(miss["line"].rpartition(":")[2]))
        for miss in jitted.explain()["misses"]
    }
    assert found == {
        "n <= 3": ("n <= 3", "n = 4", first + 3),
        "CHOSEN.table['steps'] == 3": ("3", "5", first + 2),
        "CHOSEN.mode == Mode.A": ("Mode.A", "Mode.B", first + 1),
    }


class Fresh:
    def __init__(self, scale: float) -> None:
        self.scale = scale


def test_what_no_call_uses_again_is_captured_less_and_less(monkeypatch: pytest.MonkeyPatch) -> None:
    captures, capture = [], capturing.capture_call

    def counted(*args: Any, **kwargs: Any) -> Any:
        captures.append(calls)
        return capture(*args, **kwargs)

    monkeypatch.setattr(capturing, "capture_call", counted)
    monkeypatch.setenv("EMBERJIT_WARN", "0")
    jitted = ms.jit(lambda x, of: x * of.scale)
    for calls in range(6000):
        kept = Fresh(calls * 0.5)
        found = jitted(X, kept)
    assert found.asnumpy().tolist() == [0.5 * calls, float(calls)]
    assert sum(at >= 3000 for at in captures) <= 2


def test_a_guard_is_asked_before_what_it_protects() -> None:
    """Else the power of a large number would be computed in vain, for as long as that takes."""

    @ms.jit
    def power(x: Tensor, n: int) -> Tensor:
        return x * (n**n) if n < 4 else x

    for n in (2, 3, 1):
        assert (power(X, n) == X * n**n).all()
    assert (power(X, 100_000) == X).all()
    assert [miss["guard"] for miss in power.explain()["misses"]] == ["n < 4"]


def test_a_miss_names_the_argument() -> None:
    jitted = ms.jit(lambda x, mode, *, kind: x if mode is kind else x + 1)
    for mode, kind in ((Mode.A, Mode.A), (Mode.B, Mode.A), (Mode.B, Mode.B)):
        jitted(X, mode, kind=kind)
    assert [miss["guard"] for miss in jitted.explain()["misses"]] == ["mode == Mode.A", "mode or kind == Mode.A"]


def test_numbers_of_numpy_are_held_by_value() -> None:
    jitted = ms.jit(lambda x, n: x[: int(n)] * n)
    for _ in range(3):
        before = jitted.hits
        for n in (np.int64(1), np.int64(2), np.float32(2), np.float64(2), np.float64(1)):
            assert (jitted(X, n) == X[: int(n)] * n).all()
    assert jitted.hits - before == 5
    same = [(np.float64(0.0), np.float64(-0.0)), (np.float32(1), np.float64(1)), (np.int64(1), np.int64(2))]
    assert not any(core.same(a, b) for a, b in [*same, (np.float64("nan"), np.float64("nan"))])


FINALIZERS = """
import gc
import numpy as np
import emberjit as ms

def ones(n):
    return ms.Tensor(np.ones(n, np.float32))

jitted = ms.jit(lambda x: x * round(x.shape[0] / 3, 1))
for n in (5, 6, 7, 8):
    jitted(ones(n))

class Ending:
    def __init__(self):
        self.me = self

    def __del__(self):
        jitted(ones(5 + (id(self) >> 4) % 900))

gc.set_threshold(3)
for i in range(400):
    Ending()
    jitted(ones(3000 + i))
"""


def test_a_call_from_within_a_call_of_pythons_finds_no_lock_held() -> None:
    """Such as that of a finalizer which runs while a number is computed."""
    subprocess.run([sys.executable, "-c", FINALIZERS], check=True, timeout=300)
