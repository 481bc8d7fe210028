"""Every op of the table against its NumPy reference, eager and jitted, with equal bits between the two."""

from __future__ import annotations

import numpy as np
import pytest

import emberjit as ms
from emberjit import _emberjit as core

UNARY = [
    "abs",
    "neg",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "tanh",
    "sigmoid",
    "sin",
    "cos",
    "erf",
    "relu",
    "square",
    "floor",
    "ceil",
    "sign",
    "reciprocal",
    "log1p",
    "expm1",
]
BINARY = ["add", "sub", "mul", "div", "maximum", "minimum", "equal", "less", "greater", "less_equal", "pow"]


def erf(x: np.ndarray) -> np.ndarray:
    import math

    return np.vectorize(math.erf)(x)


REFERENCES = {
    "abs": np.abs,
    "neg": np.negative,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sin": np.sin,
    "cos": np.cos,
    "erf": erf,
    "relu": lambda x: np.maximum(x, 0),
    "square": np.square,
    "floor": np.floor,
    "ceil": np.ceil,
    "sign": np.sign,
    "reciprocal": np.reciprocal,
    "log1p": np.log1p,
    "expm1": np.expm1,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "equal": np.equal,
    "less": np.less,
    "greater": np.greater,
    "less_equal": np.less_equal,
    "pow": np.power,
}


@pytest.mark.parametrize("name", UNARY + BINARY)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_against_numpy(name: str, dtype: type) -> None:
    rng = np.random.default_rng(0)
    operands = [rng.uniform(0.2, 3, (4, 5)).astype(dtype), rng.uniform(0.2, 3, (5,)).astype(dtype)]
    operands = operands[: 1 if name in UNARY else 2]
    op = core.op_table[name]
    got = op(*map(ms.Tensor, operands))
    want = REFERENCES[name](*operands)
    assert got.shape == want.shape
    np.testing.assert_allclose(got.asnumpy(), want, rtol=2e-6 if dtype == np.float32 else 1e-13)
    jitted = ms.jit(lambda *tensors: op(*tensors))
    for _ in range(60):
        again = jitted(*map(ms.Tensor, operands))
    np.testing.assert_array_equal(again.asnumpy(), got.asnumpy())


def test_every_op_is_documented() -> None:
    for name, op in core.op_table.items():
        assert op.__doc__, name
        assert op.primitive[0].isupper(), name
    assert len(core.op_table) >= 60


@pytest.mark.parametrize("shape, axis", [((3, 4), None), ((3, 4), 0), ((3, 4), 1), ((2, 3, 4), (0, 2)), ((0, 3), 1)])
def test_reductions(shape: tuple[int, ...], axis: object) -> None:
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    t = ms.Tensor(x)
    np.testing.assert_allclose(t.sum(axis).asnumpy(), x.sum(axis), rtol=1e-5, atol=1e-6)
    if x.size:
        np.testing.assert_allclose(t.mean(axis).asnumpy(), x.mean(axis), rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(t.max(axis).asnumpy(), x.max(axis))


def test_matmul_of_any_rank() -> None:
    rng = np.random.default_rng(2)
    for a, b in [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 1, 2, 3), (5, 3, 4))]:
        x, y = rng.standard_normal(a).astype(np.float32), rng.standard_normal(b).astype(np.float32)
        np.testing.assert_allclose((ms.Tensor(x) @ ms.Tensor(y)).asnumpy(), x @ y, rtol=1e-5, atol=1e-6)


def test_errors_name_op_and_shapes() -> None:
    a, b = ms.Tensor(np.ones((2, 3), np.float32)), ms.Tensor(np.ones((4,), np.float32))
    with pytest.raises(ValueError, match=r"add.*\(2, 3\).*\(4,\)"):
        a + b
    with pytest.raises(TypeError, match="exp"):
        ms.ops.exp("text")
    with pytest.raises(TypeError, match="unexpected keyword"):
        ms.ops.exp(a, nothing=1)
    with pytest.raises(ValueError):
        ms.ops.zeros((1 << 40, 1 << 40))
    with pytest.raises(AttributeError, match="emberjit"):
        ms.ops.no_such_op


def test_arange_of_ints_and_floats() -> None:
    for args in [(5,), (2, 9), (9, 2, -2), (0.0, 1.0, 0.25), (1.5,)]:
        got = ms.ops.arange(*args)
        np.testing.assert_allclose(got.asnumpy(), np.arange(*args))
        assert got.dtype == (ms.float32 if any(isinstance(a, float) for a in args) else ms.int64)
