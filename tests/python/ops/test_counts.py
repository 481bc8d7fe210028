"""Counts, positions and numbers beyond what 16 and 32 bits hold: they work, or are refused in words, and never wrap."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops
from emberjit import _emberjit as core

MANY = [65535, 65536, 70000]
ONE = Tensor(np.float32(1))
FAR = 2**31 + 1


def stacked(count: int) -> Callable[[Tensor], Tensor]:
    return lambda x: ops.stack([x] * count).sum()


@pytest.mark.parametrize("count", MANY)
def test_gradients_of_ops_of_many_operands(count: int) -> None:
    assert float(ms.grad(stacked(count))(ONE)) == count


def test_gradients_of_the_second_order_of_many_operands() -> None:
    assert float(ms.grad(lambda x: ms.grad(lambda y: (ops.stack([y] * 65540) * y).sum())(x))(ONE)) == 2 * 65540


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_gradients_of_many_operands_in_graphs(mode: str) -> None:
    count = 70000
    assert float(ms.jit(stacked(count), capture_mode=mode)(ONE)) == count
    assert float(ms.jit(lambda x: ms.grad(stacked(count))(x), capture_mode=mode)(ONE)) == count
    with pytest.raises(ValueError, match="a node of more than 65534 values"):
        ms.grad(ms.jit(stacked(count), capture_mode=mode))(ONE)


@pytest.mark.parametrize("count", [65535, 65536, 70000])
def test_gradients_of_ops_of_many_results(count: int) -> None:
    x = Tensor(np.arange(count, dtype=np.float32))
    last = ms.grad(lambda x: ops.unstack(x)[count - 1] * 3 + ops.unstack(x)[0])(x).asnumpy()
    assert last[-1] == 3 and last[0] == 1 and last.sum() == 4
    pieces = ms.grad(lambda x: ops.split(x, 1)[count - 1].sum())(x).asnumpy()
    assert pieces[-1] == 1 and pieces.sum() == 1


@pytest.mark.breaks
@pytest.mark.parametrize("count", [65535, 65536, 70000])
def test_graphs_of_many_inputs(count: int) -> None:
    total = ms.jit(lambda xs: xs[0] + xs[count - 1] * 2)
    assert float(total([Tensor(np.float32(i)) for i in range(count)])) == 2 * (count - 1)


SUM_OF_TOO_MANY = """
import numpy as np
import emberjit as ms
from emberjit import Tensor, ops

one = Tensor(np.float32(1))
assert float(ops.addn([one] * 70000)) == 70000
assert float(ms.grad(lambda x: ops.addn([x] * 300))(one)) == 300
try:
    ms.grad(lambda x: ops.addn([x] * 70000))(one)
except ValueError as error:
    assert "more than 65535 values at once" in str(error)
else:
    raise AssertionError("no error")
"""


def test_gradients_of_a_sum_of_too_many_are_refused_in_words() -> None:
    """In a process of its own: where calls of many lengths came before, addn runs op by op, and needs no graph."""
    done = subprocess.run([sys.executable, "-c", SUM_OF_TOO_MANY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.breaks
@pytest.mark.parametrize("last", [63, 64, 65, 200])
def test_many_numbers_of_a_call(last: int) -> None:
    f = ms.jit(lambda x, *numbers: x + numbers[last] * 2 if numbers[last - 1] > 0 else x - numbers[last])
    for numbers in (range(last + 1), [-n for n in range(last + 1)], [0] * (last + 1)):
        want = 1 + numbers[last] * 2 if numbers[last - 1] > 0 else 1 - numbers[last]
        assert float(f(ONE, *numbers)) == want


@pytest.mark.parametrize("jit", [lambda f: f, ms.jit, lambda f: ms.jit(f, capture_mode="bytecode")])
def test_positions_that_do_not_fit_int32_are_refused(jit: Any) -> None:
    far = ops.broadcast_to(Tensor(np.ones(1, np.float32)), (FAR,))
    wide = ops.broadcast_to(Tensor(np.ones((1, 1), np.float32)), (FAR, 1))
    for call in (ops.argmin, lambda x: ops.argmin(x, 0), ops.Argmax(0), ops.Argmin(-1), lambda x: x.argmin()):
        with pytest.raises(ValueError, match="indices of 2147483649 elements do not fit int32"):
            jit(call)(far)
    with pytest.raises(ValueError, match="do not fit int32"):
        jit(lambda x: ops.argmin(x, 0))(wide)
    assert jit(lambda x: ops.argmin(x[:3], 1))(wide).tolist() == [0, 0, 0]


@pytest.mark.parametrize("jit", [lambda f: f, ms.jit, lambda f: lambda x: ms.vmap(f)(x[None])])
@pytest.mark.parametrize("order", [lambda x: x, lambda x: x[::-1], lambda x: x.swapaxes(0, 1)])
def test_positions_as_int32(jit: Any, order: Any) -> None:
    """What sort, topk, cummin, searchsorted, unique, and so on, make of positions that they find as int64."""
    narrow = core.op_table["narrow_index"]
    fitting = np.array([[0, 2**31 - 1, -(2**31)], [5, -1, 7]])
    found = jit(lambda x: narrow(order(x)))(Tensor(fitting))
    assert found.dtype == ms.int32
    np.testing.assert_array_equal(found.asnumpy().reshape(order(fitting).shape), order(fitting))
    for at, position in (((0, 0), 2**31), ((1, 2), 2**32 + 3), ((0, 1), -(2**31) - 1)):
        far = fitting.copy()
        far[at] = position
        with pytest.raises(ValueError, match=f"position {position} does not fit int32"):
            jit(lambda x: narrow(order(x)))(Tensor(far))
    with pytest.raises(TypeError, match="must be of int64"):
        narrow(Tensor([1.0]))


def test_argmin_in_the_dtype_asked_for() -> None:
    x = Tensor([3.0, 1.0, 2.0])
    assert ops.argmin(x).dtype == ms.int32 and mint.argmin(x).dtype == ms.int64
    assert ops.argmax(x).dtype == ms.int64 and ops.Argmax()(x).dtype == ms.int32
    assert int(mint.argmin(x)) == int(ops.Argmin(0, ms.int64)(x)) == 1
    f = ms.jit(lambda x: (mint.argmin(x), ops.Argmin(0, ms.int64)(x), ops.argmin(x)))
    assert [int(each) for each in f(x)] == [1, 1, 1]
