"""Tensors that meet NumPy's numbers, arrays and functions, or lie in lists: the results are Tensors, with gradients, eagerly
and captured; what would lose a gradient is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops
from emberjit import _emberjit as core

ROW = np.array([0.5, 2.0, 1.5])
P = Parameter(Tensor(np.array([1.0, 2.0, 3.0])), "p")

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "number * x": lambda x: np.sqrt(2) * x,
    "float32 * x": lambda x: np.float32(2) * x,
    "int64 - x": lambda x: np.int64(2) - x,
    "number / x": lambda x: np.float64(2) / x,
    "number ** x": lambda x: np.float64(2) ** x,
    "number % x": lambda x: np.float64(6.1) % x,
    "array + x": lambda x: ROW + x,
    "array * x": lambda x: ROW * x,
    "array - x": lambda x: ROW - x,
    "array / x": lambda x: ROW / x,
    "array ** x": lambda x: ROW**x,
    "array @ x": lambda x: np.diag(ROW) @ x,
    "x @ array": lambda x: x @ np.diag(ROW),
    "x * array": lambda x: x * ROW,
    "less": lambda x: ops.select(np.less(ROW, x), x * x, x),
    "number greater": lambda x: ops.select(np.float64(1.2) >= x, x * x, x),
    "equal": lambda x: ops.select(x == ROW, x * x, x),
    "np.add": lambda x: np.add(x, x * x),
    "np.multiply": lambda x: np.multiply(ROW, x),
    "np.power": lambda x: np.power(x, 3),
    "np.matmul": lambda x: np.matmul(x, x),
    "np.exp": lambda x: np.exp(x),
    "np.maximum": lambda x: np.maximum(x, ROW),
    "np.negative": lambda x: np.negative(x),
    "np.abs": lambda x: np.abs(x - 1.1),
    "np.sum": lambda x: np.sum(x * x),
    "np.mean": lambda x: np.mean(x * x, axis=0),
    "np.prod": lambda x: np.prod(x),
    "np.cumsum": lambda x: np.cumsum(x * x, axis=0),
    "np.squeeze": lambda x: np.squeeze(x[None]) * x,
    "np.shape": lambda x: x * np.shape(x)[0] * np.ndim(x) * np.size(x),
    "ops of a tuple": lambda x: ops.sum((x, x * x)),
    "ops of a list": lambda x: ops.exp([x[0], 2.0, x[2] * x[1]]),
    "Tensor of a list": lambda x: Tensor([x[0], x[1] * x[2]]),
    "Tensor of rows": lambda x: Tensor([[x[0], 1.0], [2, x[1]]]) * x[2],
    "Tensor of Tensors": lambda x: Tensor([x, x * x]),
    "Tensor of Tensors and arrays": lambda x: Tensor([x, ROW]) * x,
    "Tensor with dtype": lambda x: Tensor((x[1], x[0]), ms.float64) * x[0],
    "Tensor of a Tensor": lambda x: Tensor(x) * x,
    "list + x": lambda x: [x[0], x[1], 3.0] + x,
    "x * tuple": lambda x: x * (x[2], 1.0, x[0]),
    "assigned list": lambda x: assigned(x),
    "a Parameter": lambda x: Tensor(P) * x,
    "Parameters in a list": lambda x: Tensor([P, P * x]),
}


def assigned(x: Any) -> Any:
    y = x * 2
    y[:2] = [x[2], x[0] * x[1]]
    return y


START = np.array([1.25, 0.75, 1.75])
TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "grad": lambda f: ms.grad(f),
    "grad of ast": lambda f: ms.grad(ms.jit(f)),
    "grad of bytecode": lambda f: ms.grad(ms.jit(f, capture_mode="bytecode")),
    "ast of grad": lambda f: ms.jit(ms.grad(f)),
    "bytecode of grad": lambda f: ms.jit(ms.grad(f), capture_mode="bytecode"),
}


def slopes(f: Callable[[Any], Any]) -> np.ndarray:
    step = 1e-6
    found = []
    for direction in np.eye(3):
        up, down = (float(f(Tensor(START + sign * step * direction)).sum()) for sign in (1, -1))
        found.append((up - down) / (2 * step))
    return np.array(found)


@pytest.mark.breaks
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_slopes(name: str) -> None:
    f = FUNCTIONS[name]

    def loss(x: Any) -> Any:
        return f(x).sum()

    x = Tensor(START)
    value = f(x)
    assert isinstance(value, Tensor)
    for mode in ("ast", "bytecode"):
        captured = ms.jit(f, capture_mode=mode)(x)
        assert captured.dtype == value.dtype
        np.testing.assert_allclose(captured.asnumpy(), value.asnumpy(), rtol=1e-14)
    wanted = slopes(f)
    for transform, made in TRANSFORMS.items():
        found = made(loss)(x)
        assert found.dtype == ms.float64
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-6, atol=1e-8, err_msg=transform)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_parameters_are_read_at_each_call(mode: str) -> None:
    p = Parameter(Tensor([1.0, 2.0]), "p")

    def f(x: Any) -> Any:
        return Tensor([p, x]), Tensor(p) + x

    captured = ms.jit(f, capture_mode=mode)
    x = Tensor([3.0, 4.0])
    for value in (1.0, 5.0):
        p.set_data(Tensor([value, 2.0]))
        for made, wanted in zip(captured(x), f(x)):
            np.testing.assert_array_equal(made.asnumpy(), wanted.asnumpy())


LOSSES: dict[str, Callable[[Any], Any]] = {
    "no op": lambda x: Tensor(np.hypot(x, 1.0)).sum(),
    "into an array": lambda x: Tensor(np.add(x, 1.0, out=np.zeros(3))).sum(),
    "in place": lambda x: Tensor(in_place(x)).sum(),
    "reduce": lambda x: Tensor(np.logaddexp.reduce(x)).sum(),
    "an array": lambda x: Tensor(np.asarray(x)).sum(),
    "a buffer": lambda x: Tensor(np.array(memoryview(x))).sum(),
    "other functions": lambda x: Tensor(np.concatenate([x, x])).sum(),
    "where": lambda x: Tensor(np.where(ROW > 1, x, ROW)).sum(),
}


def in_place(x: Any) -> Any:
    row = ROW.copy()
    row += x
    return row


def test_tensors_in_lists_decide_the_dtype() -> None:
    single, double, whole = Tensor(1.5), Tensor(np.float64(2.5)), Tensor(3, ms.int8)
    for items, dtype in (
        ([single, 1.0], ms.float32),
        ([double, 1.0], ms.float64),
        ([single, 1], ms.float32),
        ([whole, 1], ms.int8),
        ([whole, 0.5], ms.float32),
        ([single, [1.0, double][1]], ms.float64),
        ([single, np.float64(1)], ms.float64),
        ([whole, True], ms.int8),
    ):
        assert Tensor(items).dtype == dtype
        assert ms.jit(lambda *tensors: Tensor([*tensors, items[1]]))(items[0]).dtype == dtype


@pytest.mark.breaks
@pytest.mark.parametrize("name", LOSSES)
def test_a_lost_gradient_is_an_error(name: str) -> None:
    f = LOSSES[name]
    x = Tensor(START)
    wanted = f(x).asnumpy()
    for mode in ("ast", "bytecode"):
        np.testing.assert_array_equal(ms.jit(f, capture_mode=mode)(x).asnumpy(), wanted)
    for transform in TRANSFORMS.values():
        with pytest.raises((TypeError, BufferError), match=r"no gradient flows.*stop_gradient"):
            transform(f)(x)
    constant = ms.grad(lambda x: f(ops.stop_gradient(x)) + x.sum())(x)
    np.testing.assert_array_equal(constant.asnumpy(), [1, 1, 1])


def test_a_recorded_tensor_is_no_plain_number() -> None:
    def f(x: Any, alpha: Any) -> Any:
        return core.op_table["leaky_relu"](x, alpha).sum()

    x, alpha = Tensor([-1.0, 2.0]), Tensor(0.5)
    with pytest.raises(TypeError, match=r"'leaky_relu'.*'alpha'.*float\(alpha\)"):
        ms.grad(f, (0, 1))(x, alpha)
    np.testing.assert_array_equal(ms.grad(f)(x, alpha).asnumpy(), [0.5, 1])
    np.testing.assert_array_equal(ms.grad(lambda x, alpha: f(x, float(alpha)), (0, 1))(x, alpha)[1].asnumpy(), 0)


def test_asked_for_by_the_user_it_is_an_array() -> None:
    found = ms.grad(lambda x: (x * x.asnumpy() * float(x[0])).sum())(Tensor(START))
    np.testing.assert_allclose(found.asnumpy(), START * START[0])


class Foreign:
    """What another library's arrays are like: __array__, and operators that know Tensors or do not."""

    def __init__(self, items: Any):
        self.items = np.array(items, np.float32)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.items

    def __rsub__(self, other: Any) -> Any:
        return NotImplemented

    def __rmul__(self, other: Any) -> Any:
        return "its own"


FOREIGN: dict[str, Callable[[Any, Any], Any]] = {
    "x + a": lambda x, a: x + a,
    "a + x": lambda x, a: a + x,
    "x - a": lambda x, a: x - a,
    "x / a": lambda x, a: x / a,
    "x @ a": lambda x, a: x @ a,
    "x ** a": lambda x, a: x**a,
    "a ** x": lambda x, a: a**x,
    "x > a": lambda x, a: x > a,
    "a == x": lambda x, a: a == x,
    "ops.add": lambda x, a: ops.add(x, a),
}


@pytest.mark.breaks
@pytest.mark.parametrize("mode", [None, "ast", "bytecode", "trace"])
@pytest.mark.parametrize("name", FOREIGN)
def test_arrays_of_other_libraries(name: str, mode: str | None) -> None:
    f = FOREIGN[name]
    run = ms.jit(f, capture_mode=mode) if mode else f
    x, a = Tensor(START, ms.float32), Foreign([1.0, 2.0, 3.0])
    want = {"ops.add": lambda x, a: x + a}.get(name, f)
    for step in range(3):  # what they hold may change
        a.items += step
        np.testing.assert_allclose(run(x, a).asnumpy(), want(START, a.items), rtol=1e-6)


def test_arrays_of_other_libraries_have_their_own_operators_first() -> None:
    assert Tensor(START) * Foreign([1.0]) == "its own"
    assert (Tensor(START) == Foreign) is False and Tensor(START) != np.ndarray
