"""Order along axes: stable, NaN last, -0 as 0, whatever the length of a line decides of how it is sorted."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from emberjit import Tensor
from emberjit import _emberjit as core

OPS = core.op_table
LENGTHS = (1, 2, 47, 200, 1000, 5000, 16383, 16384, 70001)
SPANS = {  # what lines hold
    "float32": lambda rng, n: rng.standard_normal(n).astype(np.float32),
    "with NaN": lambda rng, n: rng.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -2.0], np.float32), n),
    "float16": lambda rng, n: rng.standard_normal(n).astype(np.float16),
    "float64": lambda rng, n: rng.standard_normal(n) * 10.0 ** rng.integers(-300, 300, n),
    "few": lambda rng, n: rng.integers(-3, 3, n),
    "int64": lambda rng, n: rng.integers(-(2**63), 2**63 - 1, n),
    "uint64": lambda rng, n: rng.integers(0, 2**64 - 1, n, dtype=np.uint64),
    "int8": lambda rng, n: rng.integers(-128, 128, n).astype(np.int8),
    "bool": lambda rng, n: rng.integers(0, 2, n).astype(bool),
    "equal": lambda rng, n: np.full(n, 7, np.int32),
}


def descending(x: np.ndarray) -> np.ndarray:
    return len(x) - 1 - np.argsort(x[::-1], kind="stable")[::-1]


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize("n", LENGTHS)
def test_long_lines(span: str, n: int) -> None:
    x = SPANS[span](np.random.default_rng(n), n)
    for down, order in ((False, np.argsort(x, kind="stable")), (True, descending(x))):
        values, indices = OPS["sort"](Tensor(x), -1, down)
        np.testing.assert_array_equal(indices.asnumpy(), order)
        np.testing.assert_array_equal(values.asnumpy(), x[order])
    order = np.argsort(x, kind="stable")
    for k in {1, n // 40 + 1, n // 2}:
        np.testing.assert_array_equal(OPS["topk"](Tensor(x), k, -1, False)[1].asnumpy(), order[:k])
    for position in {0, n // 3, n // 2, n - 1}:
        value, index = OPS["order_statistic"](Tensor(x), Tensor(np.array([position])))
        assert index.asnumpy() == order[position]
        np.testing.assert_array_equal(value.asnumpy(), x[order[position : position + 1]])


@pytest.mark.parametrize("axis", (0, 1, 2))
def test_several_long_lines(axis: int) -> None:
    shape = [3, 2, 2]
    shape[axis] = 17000
    x = np.random.default_rng(axis).integers(-99, 99, shape)
    np.testing.assert_array_equal(OPS["sort"](Tensor(x), axis)[1].asnumpy(), np.argsort(x, axis, kind="stable"))


@pytest.mark.parametrize("axis", (0, 1, 2))
@pytest.mark.parametrize("dtype", ("float32", "float64", "float16", "int64", "uint8", "bool"))
def test_extremes_of_columns(axis: int, dtype: str) -> None:
    x = (np.random.default_rng(axis).standard_normal((5, 300, 7)) * 3).astype(dtype)
    if x.dtype.kind == "f":
        x.ravel()[::97] = np.nan
    for op, reference in (("argmax_with_value", np.argmax), ("argmin_with_value", np.argmin)):
        index, value = OPS[op](Tensor(x), axis)
        want = reference(x, axis)
        np.testing.assert_array_equal(index.asnumpy(), want)
        np.testing.assert_array_equal(value.asnumpy(), np.take_along_axis(x, np.expand_dims(want, axis), axis).squeeze(axis))


def test_no_lines_have_no_place() -> None:
    value, index = OPS["order_statistic"](Tensor(np.zeros((0, 4))), Tensor(np.zeros((0, 1), np.int64)))
    assert value.shape == index.shape == (0, 1)


@pytest.mark.parametrize("position", (-1, 4))
def test_a_position_that_does_not_exist(position: int) -> None:
    with pytest.raises(
        IndexError, match=f"'order_statistic', position {position} is out of range for an axis of 4 elements"
    ):
        OPS["order_statistic"](Tensor(np.zeros((2, 4))), Tensor(np.array([[0], [position]])))


def test_memory_that_does_not_suffice_is_an_error_on_every_thread() -> None:
    script = """
import re, numpy as np
from emberjit import Tensor, mint, set_memory_limit
x = Tensor(np.random.rand(64, 20000).astype(np.float32))
set_memory_limit(1)
try:
    mint.median(x, -1)
except MemoryError as error:
    used = int(re.search("([0-9]+) bytes are in use", str(error))[1])
for more in range(0, 4 << 20, 1 << 17):
    set_memory_limit(used + more)
    try:
        mint.median(x, -1)
    except MemoryError:
        pass
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
