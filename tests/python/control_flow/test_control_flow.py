"""Loops that a Tensor leaves: break, continue and return, as graphs as a whole."""

from __future__ import annotations

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor

ENGINES = ["ast", "bytecode"]


def breaks(x):
    n = 0
    while x.sum() < 50:
        x = x * 2
        n += 1
        if x.max() > 8:
            break
        x = x + 1
    return x * 3 + n


def continues(x):
    n = 0
    while x.sum() < 50:
        x = x * 2
        n += 1
        if x.max() > 8:
            continue
        x = x + 1
    return x * 3 + n


def returns(x):
    while x.sum() < 50:
        x = x * 2
        if x.max() > 8:
            return x * 10
        x = x + 1
    return x


def returns_alike(x):
    while x.sum() < 50:
        if x.max() > 8:
            return x * 10
        if x.min() < -3:
            return -x
        x = x * 1.5 + 0.25
    return x


def all_three(x):
    y = x * 0
    while x.sum() < 50:
        x = x + 1
        if x.sum() > 20:
            return x - y
        if x.max() > 4:
            break
        if y.sum() > 3:
            continue
        y = y + x
    return x + y


def jumps_deep_inside(x):
    y = x
    while x.sum() < 50:
        if x.sum() > 1:
            if x.max() > 8:
                y = x * 5
                break
            x = x * 2
        else:
            if x.min() < -2:
                return x * 100
            x = x + 1
            if x.max() > 2:
                continue
        y = y + x
    return x + y


def has_else(x):
    n = x.sum() * 0
    while x.sum() < 20:
        x = x + 1
        if x.max() > 6:
            break
    else:
        n = n + 100
    return x + n


def endless_breaks(x):
    while True:
        x = x * 2 + 1
        if x.max() > 30:
            break
    return x


def endless_returns(x):
    n = 0
    while True:
        if x.max() > 30:
            return x + n
        x = x * 2 + 1
        n = n + 1


def endless_breaks_first(x):
    while 1:
        if x.max() > 30:
            break
        x = x * 2 + 1
    return x


def endless_sets(x):
    while True:
        y = x * 2
        x = y + 1
        if y.max() > 30:
            break
    return x * y


def endless_with_both(x):
    n = 0
    while True:
        n += 1
        if x.max() > 30:
            break
        if n > 3:
            return x * n
        if x.max() > 2:
            continue
        x = x + 1
    return x - n


def counts_and_breaks(x):
    i = 0
    while i < 10:
        i += 1
        x = x + i
        if x.sum() > 20:
            break
    return x * i


def counts_into_a_list(x):
    scales = [1.0, 2.0, 3.0, 4.0]
    i = 0
    while i < 4:
        x = x * scales[i] + 1
        if x.sum() > 20:
            break
        i += 1
    return x


def range_breaks(x):
    for i in range(6):
        x = x * 1.5 + i
        if x.sum() > 20:
            break
    return x


def range_returns(x):
    for i in range(6):
        if x.sum() > 20:
            return x * i
        x = x * 1.5 + i
    return x - 1


def range_with_all(x):
    y = x
    for i in range(5):
        x = x + i
        if x.sum() > 12:
            return x * 10 + i
        if x.max() < 0:
            continue
        if x.min() > 2:
            y = y * 2
            break
        y = y + x
    else:
        y = y - 100
    return x + y


def range_keeps_numbers(x):
    scales = [1.0, 2.0, 3.0, 4.0]
    n = 0
    for _ in range(4):
        if x.sum() > 20:
            break
        x = x * scales[n] + 1
        n = n + 1
        y = x * n
    else:
        x = x + y
    return x


def long_range(x):
    for i in range(150):
        if x.sum() > 200 + i:
            break
        x = x + 1
    return x * i


def nested_whiles(x):
    total = x * 0
    while x.sum() < 40:
        y = x
        while y.sum() < 30:
            y = y * 2 + 1
            if y.max() > 9:
                break
            if y.min() < -20:
                return y
        x = x + 3
        if y.max() > 12:
            continue
        total = total + y
    return total + x


def while_in_a_range(x):
    for i in range(3):
        while x.sum() < 10 * i:
            x = x + 1
            if x.max() > 5:
                break
        if x.sum() > 18:
            return x * 2
    return x


def chained(x):
    while -100 < x.sum() < 50:
        x = x * 2 + 1
        if 3 < x.max() < 8:
            break
    return x


def either(x):
    n = 0
    while (x.sum() < 50 and n < 5) or not x.max() > -1:
        n += 1
        x = x + 1 if x.sum() < 3 or n > 2 else x + 2
        if not (x.sum() < 20 or n < 4):
            break
    return x * n


def walrus(x):
    while (s := x.sum()) < 40:
        x = x + s * 0.1 + 1
        if (m := x.max()) > 6:
            x = x + m
            break
    return x + s


def ternary_test(x):
    n = 0
    while x.sum() < 20 if n < 3 else x.max() < 4:
        x = x + 1
        n += 1
        if x.min() > 3.5:
            return x * n
    return x


def within_try(x):
    while x.sum() < 30:
        try:
            x = x * 2 + 1
            if x.max() > 7:
                break
            x = x + 1
        finally:
            x = x + 0.5
        x = x + 2
    return x


def several_results(x):
    n = 0
    while x.sum() < 50:
        n += 1
        if x.max() > 5:
            return x, {"n": n, "x": [x * 2]}
        x = x * 2 + 1
    return x, {"n": n, "x": [x]}


def helper(x, limit):
    while True:
        x = x * 1.5 + 1
        if x.max() > limit:
            return x


def called(x):
    y = helper(x, 10)
    if y.max() > 8:
        return y
    return helper(y, 30) + y


def returns_nothing(x):
    while x.sum() < 30:
        x = x * 2 + 1
        if x.max() > 7:
            return None
    return None


def changes_elements(x):
    y = x * 1
    while x.sum() < 30:
        x = x + 1
        if x.max() > 5:
            break
        y[0] = x.sum()
    return x + y


def changes_a_dict(x):
    state = {"x": x, "n": 0}
    while state["x"].sum() < 30:
        state["x"] = state["x"] + 1
        if state["x"].max() > 5:
            break
        state["n"] += 1
    return state["x"] * state["n"]


def sequence_of_ifs(x):
    for i in range(30):
        if x.sum() > i:
            if x.max() > 40:
                return x
            x = x + 1
    return x * 2


def overwrites(x):
    y = x * 3
    while x.sum() < 10:
        y = x * 0.5
        x = x + 1
    return y


FUNCTIONS = [
    overwrites,
    breaks,
    continues,
    returns,
    returns_alike,
    all_three,
    jumps_deep_inside,
    has_else,
    endless_breaks,
    endless_returns,
    endless_breaks_first,
    endless_sets,
    endless_with_both,
    counts_and_breaks,
    counts_into_a_list,
    range_breaks,
    range_returns,
    range_with_all,
    range_keeps_numbers,
    long_range,
    nested_whiles,
    while_in_a_range,
    chained,
    either,
    walrus,
    ternary_test,
    within_try,
    several_results,
    called,
    returns_nothing,
    changes_elements,
    changes_a_dict,
    sequence_of_ifs,
]
STARTS = [[0.5, 1.0], [-3.5, 0.25], [3.0, 3.5], [20.0, 30.0], [0.1, 2.5], [-40.0, 9.0]]


def plain(value):
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ENGINES)
def test_value(function, mode):
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for start in STARTS:
        assert plain(jitted(Tensor(start, ms.float32))) == plain(function(Tensor(start, ms.float32)))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ENGINES)
def test_gradient(function, mode):
    if function in (several_results, returns_nothing):
        return
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for start in STARTS:
        wanted = ms.grad(lambda x: function(x).sum())(Tensor(start, ms.float32))
        got = ms.jit(ms.grad(lambda x: jitted(x).sum()), fullgraph=True)(Tensor(start, ms.float32))
        np.testing.assert_allclose(got.asnumpy(), wanted.asnumpy(), 1e-5, 1e-6)


@pytest.mark.parametrize("mode", ENGINES)
def test_vmap(mode):
    jitted = ms.jit(all_three, capture_mode=mode, fullgraph=True)
    got = ms.vmap(jitted)(Tensor(STARTS, ms.float32))
    wanted = [all_three(Tensor(start, ms.float32)).asnumpy() for start in STARTS]
    np.testing.assert_array_equal(got.asnumpy(), wanted)


def returns_other_shapes(x):
    while x.sum() < 50:
        if x.max() > 8:
            return x[:1]
        x = x * 2 + 1
    return x


def returns_other_things(x):
    while x.sum() < 50:
        if x.max() > 8:
            return "large"
        x = x * 2 + 1
    return "small"


@pytest.mark.parametrize("function", [returns_other_shapes, returns_other_things])
@pytest.mark.parametrize("mode", ENGINES)
def test_results_that_differ(function, mode):
    with pytest.raises(Exception, match=r"test_control_flow.py:\d+: .* give "):
        ms.jit(function, capture_mode=mode, fullgraph=True)(Tensor([0.5, 1.0]))


def set_before_the_end(x):
    while x.sum() < 50:
        if x.max() > 8:
            break
        y = x * 2
        x = y + 1
    return x + y


@pytest.mark.parametrize("mode", ENGINES)
def test_variable_that_may_be_unset(mode):
    with pytest.raises(Exception, match="'y' is set only inside a `while` on a Tensor"):
        ms.jit(set_before_the_end, capture_mode=mode, fullgraph=True)(Tensor([0.5, 1.0]))


def becomes_none(x):
    y, z = x * 2, x + 1
    while x.sum() < 50:
        y, z, x = None, z + 1, x + 1
    return y, z


def becomes_a_tensor(x):
    y = None
    while x.sum() < 50:
        y = x * 2
        x = x + 1
    return y


@pytest.mark.parametrize("function", [becomes_none, becomes_a_tensor])
@pytest.mark.parametrize("mode", ENGINES)
def test_variable_that_becomes_none_or_a_tensor(function, mode):
    with pytest.raises(ms.CaptureError, match=r"'y' changes in a `while` on a Tensor from .*: keep the structure"):
        ms.jit(function, capture_mode=mode, fullgraph=True)(Tensor([0.5, 1.0]))


@pytest.mark.parametrize("mode", ENGINES)
def test_unrolled_graphs_grow_linearly(mode):
    def size(trips):
        def function(x):
            for i in range(trips):
                if x.sum() > i:
                    if x.max() > 40:
                        break
                    x = x + 1
            return x * 2

        jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
        jitted(Tensor([1.0, 2.0]))
        return len(jitted.explain()["entries"][0]["bytecode"])

    assert size(16) < 2.5 * size(8)
