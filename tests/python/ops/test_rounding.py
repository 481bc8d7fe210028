"""round() of whole numbers to tens, hundreds and so on: NumPy's numbers, exact to 64 bits, in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops

VALUES = [1234, 1250, 1350, -1251, 50, 150, -50, -150, 0, 5, 15, 25, -5, -15, 449, 450, 451, 550]
DTYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_whole_numbers_are_rounded_to_powers_of_ten(dtype: Any, run: Any) -> None:
    info = np.iinfo(dtype)
    x = np.array([v for v in VALUES if info.min <= v <= info.max - 100], dtype)
    for decimals in (-1, -2, -3, -5, 0, 2):
        for function in (ops.round, mint.round, lambda t, decimals: t.round(decimals=decimals)):
            got = run(lambda t, f=function, d=decimals: f(t, decimals=d))(Tensor(x)).asnumpy()
            assert got.dtype == dtype
            np.testing.assert_array_equal(got, np.round(x.astype(np.int64), decimals))
    assert round(Tensor(x), -1).asnumpy().tolist() == np.round(x.astype(np.int64), -1).tolist()


def test_large_numbers_are_exact() -> None:
    x = Tensor([2**62 + 5, -(2**62) - 5, 2**53 + 1], ms.int64)
    assert ops.round(x, decimals=-1).asnumpy().tolist() == [round(v, -1) for v in (2**62 + 5, -(2**62) - 5, 2**53 + 1)]
    assert ops.round(x, decimals=-18).asnumpy().tolist() == [5 * 10**18, -5 * 10**18, 0]
    assert ops.round(x, decimals=-400).asnumpy().tolist() == [0, 0, 0]
    assert ops.round(Tensor([True, False]), decimals=-1).asnumpy().tolist() == [True, False]


def test_python_rounds_and_formats_tensors() -> None:
    assert round(Tensor(12.5)).asnumpy() == 12
    np.testing.assert_allclose(round(Tensor([12.345, -7.125]), 1).asnumpy(), [12.3, -7.1], rtol=1e-6)
    assert f"{Tensor(1.23456):.3f} {Tensor([1.23456]):.3f} {Tensor(5):d} {Tensor(7):>3}" == "1.235 1.235 5   7"
    assert f"{Tensor([1.0, 2.0])}" == "[1. 2.]"
    with pytest.raises(TypeError, match="For 'format', the Tensor must have one element"):
        f"{Tensor([1.0, 2.0]):.3f}"
