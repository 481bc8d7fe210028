"""Calls of C functions: no gradient of them is known, so asking for one is an error unless a bprop gives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops
from emberjit import _emberjit as core


def foreign_sin(x: Any) -> Any:
    return core.op_table["foreign_call"]([x], "libm.so.6", "sin", "float64 -> float64")[0]


class Sin(nn.Cell):
    def construct(self, x: Any) -> Any:
        return foreign_sin(x)

    def bprop(self, x: Any, out: Any, dout: Any) -> Any:
        return (dout * ops.cos(x),)


X = Tensor(np.float64(0.5))
TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "grad": lambda f: ms.grad(f)(X),
    "vjp": lambda f: ms.vjp(f, X)[1](X)[0] / X,
    "jvp": lambda f: ms.jvp(f, X, X)[1] / X,
    "grad of ast": lambda f: ms.grad(ms.jit(f))(X),
    "grad of bytecode": lambda f: ms.grad(ms.jit(f, capture_mode="bytecode"))(X),
    "ast of grad": lambda f: ms.jit(ms.grad(f))(X),
    "bytecode of grad": lambda f: ms.jit(ms.grad(f), capture_mode="bytecode")(X),
}


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_no_gradient_given_is_an_error(transform: str) -> None:
    with pytest.raises(TypeError, match=r"'foreign_call'.*'sin'.*'libm.so.6'.*bprop.*stop_gradient"):
        TRANSFORMS[transform](lambda x: foreign_sin(x * x) + x)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_a_gradient_that_is_given(transform: str) -> None:
    cell = Sin()
    found = TRANSFORMS[transform](lambda x: cell(x * x) + x)
    np.testing.assert_allclose(found.asnumpy(), np.cos(0.25) * 2 * 0.5 + 1)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_a_gradient_that_is_not_asked_for(transform: str) -> None:
    found = TRANSFORMS[transform](lambda x: ops.stop_gradient(foreign_sin(x)) * x + foreign_sin(ops.stop_gradient(x)))
    np.testing.assert_allclose(found.asnumpy(), np.sin(0.5))
