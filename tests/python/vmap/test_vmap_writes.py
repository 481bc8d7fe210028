"""Parameters that a function under vmap writes have the new values afterwards, as the Parameters of each slice would."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

START = np.float32([[1, 2], [3, 4]])
GRADIENT = Tensor(np.float32([[1, -1], [2, 0]]))


def parameter(name: str = "p") -> Parameter:
    return Parameter(Tensor(START.copy()), name)


def doubled(p: Any) -> Any:
    return ops.assign(p, p * 2)


def descended(p: Any, g: Any) -> Any:
    return ops.ApplyGradientDescent()(p, Tensor(0.5), g)


class Step(nn.Cell):
    def construct(self, p: Any, m: Any, g: Any) -> Any:
        return ops.ApplyAdagradV2(1e-6)(p, m, Tensor(0.1), g)


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["eager", "jit"])
def test_one_parameter(wrap):
    p = parameter()
    run = wrap(lambda: ms.vmap(doubled)(p))
    for times in (2, 4):
        assert np.array_equal(run().asnumpy(), START * times) and np.array_equal(p.asnumpy(), START * times)


def test_a_parameter_among_the_arguments():
    p, q = parameter(), parameter("q")
    run = ms.jit(lambda p: ms.vmap(doubled)(p))
    for each in (p, q, p):
        run(each)
    assert np.array_equal(p.asnumpy(), START * 4) and np.array_equal(q.asnumpy(), START * 2)


def test_other_axes_and_other_operands():
    p = parameter()
    ms.vmap(descended, (1, 0))(p, GRADIENT)
    assert np.array_equal(p.asnumpy(), START - 0.5 * GRADIENT.asnumpy().T)


def test_nested():
    p = parameter()
    ms.vmap(ms.vmap(doubled))(p)
    assert np.array_equal(p.asnumpy(), START * 2)


def test_several_parameters_as_one_by_one():
    p, m = parameter(), parameter("m")
    found = ms.vmap(Step())(p, m, GRADIENT)
    rows = [(Parameter(Tensor(row), "p"), Parameter(Tensor(row), "m")) for row in START.copy()]
    for (one, state), g in zip(rows, GRADIENT):
        Step()(one, state, g)
    for whole, given, i in ((p, found[0], 0), (m, found[1], 1)):
        expected = np.stack([row[i].asnumpy() for row in rows])
        assert np.array_equal(whole.asnumpy(), expected) and np.array_equal(given.asnumpy(), expected)


@pytest.mark.parametrize("wrap", [lambda f: f, lambda f: ms.jit(f, fullgraph=True)], ids=["eager", "jit"])
def test_one_parameter_twice_is_refused(wrap):
    p = parameter()
    with pytest.raises(ms.CaptureError, match="pass a copy"):
        wrap(lambda: ms.vmap(Step())(p, p, GRADIENT))()
    assert np.array_equal(p.asnumpy(), START)


def test_a_parameter_that_all_slices_share_is_refused():
    p = parameter()
    with pytest.raises(ms.CaptureError, match="each slice is given the whole"):
        ms.vmap(descended, (None, 0))(p, GRADIENT)
    assert np.array_equal(p.asnumpy(), START)


def test_a_tensor_is_as_it_was():
    x = Tensor(START.copy())
    assert np.array_equal(ms.vmap(doubled)(x).asnumpy(), START * 2) and np.array_equal(x.asnumpy(), START)
