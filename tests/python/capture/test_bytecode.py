"""Functions that are captured as a whole in every mode."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from values import array, plain

import emberjit as ms
from emberjit import Tensor, ops


def chooses(x, y):
    return x * 2 if x.sum() > y.sum() else y


def writes_what_it_makes(x, y):
    i = 0
    while x.sum() < 5:
        y = y * 1
        y[0] = x[1] + i
        i = i + 1
        x = x + ops.abs(y) + 1
        if x.sum() > 3:
            z = x * 2
            z[1] = 7
            y = z * 0.5
    return x, y


def chains(x, y):
    return y, x if -2 < ops.maximum(x, y).sum() < 2 else y


def nests(x, y):
    if x.sum() > 0:
        z = y
        if y.sum() > 0:
            z = x + y
        z = z * 2
    elif y.sum() > 0:
        z = y
    else:
        z = -x
    return z


def returns_early(x, y):
    if x.sum() > 5:
        return x
    y = y * 2
    if y.sum() > 5:
        return y
    return x - y


def decides_by_both(x, y):
    if (x.sum() > 0 and y.sum() > 0) or (x * y).sum() > 3:
        return x
    return not_negative(y)


def not_negative(y):
    return ops.relu(y) if not y.sum() >= 0 else y


def doubles(x, y):
    while x.sum() < 20:
        x = x * 2 + 1
    return x


def doubles_while_both(x, y):
    i = 0
    while x.sum() < 20 and i < 6:
        x = x + ops.abs(y) + 1
        i += 1
        if y.sum() > i:
            continue
        x = x + 2
    return x, i


def leaves_a_loop(x, y):
    for i in range(6):
        if x.sum() > 12:
            break
        x = x + i
    else:
        y = y * 3
    return x + y


def comprehends(x, y):
    parts = [k * x for k in range(4) if k != 2]
    table = {k: v + y for k, v in enumerate(parts)}
    return sum(parts), table[1], len({*(1, 2)}), [*parts, y], (*parts,)


def unpacks(x, y):
    (a, *b), c = (x, y, 1), {"k": x, **{"l": y}}
    a, b[0] = b[0], a
    a += c["k"]
    return a, b, c, 0 < len(b) < 5


def calls_methods(x, y):
    return x.reshape(1, -1).sum(axis=-1), Tensor.sum(y), ops.concat((x, y)), max(3, *(1, 5)), abs(-2)


def closes(x, y):
    def scaled(t, by=2, *more, plus=0):
        return t * by + y + plus + sum(more)

    less = lambda t: t - x
    return scaled(x), scaled(x, 3, 1, 2, plus=4), less(y)


def assigns_items(x, y):
    items = [x, y, x]
    items[1:] = [y * 2]
    del items[0]
    table = {}
    table["a"] = items[0]
    x = x * 1
    x[0] = 9
    return items, table, x


def catches(x, y):
    try:
        raise KeyError(3)
    except (ValueError, KeyError) as error:
        k = error.args[0]
    finally:
        x = x + 1
    return x * k


PATTERN = """
def matches_shapes(x, y):
    match x.shape:
        case (n,) if n > 1:
            return x * n
        case _:
            return y
"""
exec(compile(PATTERN, "<pattern>", "exec"))

CAPTURED = [
    chooses,
    chains,
    writes_what_it_makes,
    nests,
    returns_early,
    decides_by_both,
    doubles,
    doubles_while_both,
    leaves_a_loop,
    comprehends,
    unpacks,
    calls_methods,
    closes,
    assigns_items,
    catches,
    globals()["matches_shapes"],
]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", CAPTURED, ids=lambda f: f.__name__)
def test_capture_follows_python(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for i in range(8):
        x, y = array(i - 3, 0.5 * i), array(2 - i, i % 3)
        assert plain(jitted(x, y)) == plain(function(x, y))


def test_a_tensor_decides_within_one_graph() -> None:
    for function in (nests, doubles, doubles_while_both, leaves_a_loop):
        jitted = ms.jit(function, capture_mode="bytecode", fullgraph=True)
        for i in range(8):
            jitted(array(i - 3, 0.5 * i), array(2 - i, i % 3))
        assert len(jitted.explain()["entries"]) == 1


def test_a_function_without_source_is_captured() -> None:
    f = ms.jit(eval("lambda x: x if x.sum() > 0 else -x"), fullgraph=True)
    assert f(array(1, 2)).asnumpy().tolist() == [1, 2]
    assert f(array(-1, -2)).asnumpy().tolist() == [1, 2]
    assert len(f.explain()["entries"]) == 1


UNWATCHED = """
import emberjit as ms
from emberjit.capture.dispatch import calls

watched, offer = [], calls.library_frame
def library_frame(function, *values):
    watched.append((function.__module__ + ".").removeprefix("emberjit.capture.bytecode."))
    return offer(function, *values)
calls.library_frame = library_frame

def sorts(x):
    by = -2
    def key(i):
        return i * by
    return x * sorted([1, 2, 3], key=key)[0]

def sums(x):
    def parts():
        for i in (1, 2):
            yield x * i
    return sum(parts())

print(*[ms.jit(function)(ms.Tensor([1.0])).tolist() for function in (sorts, sums)])
print({"closures.", "generators."} < set(watched), [one for one in watched if one.startswith(("handlers", "interpreter"))])
"""


def test_what_a_library_calls_is_followed_unwatched() -> None:
    done = subprocess.run([sys.executable, "-c", UNWATCHED], capture_output=True, text=True, timeout=200, check=False)
    assert done.stdout == "[3.0] [3.0]\nTrue []\n", done.stdout + done.stderr
