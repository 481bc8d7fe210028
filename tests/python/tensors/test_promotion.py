"""What two dtypes promote to: NumPy's type for integers, where an integer type holds the numbers of both; the floating-point
one where one is (float16 with bfloat16 gives float32)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

INTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "bfloat16", "float32", "float64")


def one(name: str) -> Tensor:
    return Tensor([1, 0]).astype(getattr(ms, name))


@pytest.mark.parametrize("a, b", list(itertools.product(INTS, repeat=2)))
def test_integers(a: str, b: str) -> None:
    wanted: Any = np.promote_types(a, b)
    if wanted.kind == "f":
        for call in (ops.add, ops.less, ops.mul):
            with pytest.raises(TypeError, match=r"implicit conversion between .*; cast one of them"):
                call(one(a), one(b))
        return
    for call in (ops.add, ops.mul, ops.maximum, ops.bitwise_and):
        assert call(one(a), one(b)).dtype == ms.jit(call)(one(a), one(b)).dtype == getattr(ms, wanted.name)
    assert ops.less(one(a), one(b)).tolist() == [False, False]


@pytest.mark.parametrize("whole, real", list(itertools.product((*INTS, "bool_"), FLOATS)))
def test_an_integer_and_a_floating_point_number(whole: str, real: str) -> None:
    assert (one(whole) + one(real)).dtype == (one(real) * one(whole)).dtype == getattr(ms, real)


@pytest.mark.parametrize("name", ["uint16", "uint32", "uint64"])
def test_unsigned_integers_wrap_and_keep_their_limits(name: str) -> None:
    top = np.iinfo(name).max
    x = Tensor(np.array([0, 1, top], name))
    assert (x - 1).tolist() == [top, 0, top - 1] and (x + 1).tolist() == [1, 2, 0]
    assert (-x).tolist() == [0, top, 1] and (x // 2).tolist() == [0, 0, top // 2]
    assert (x > 1).tolist() == [False, False, True] and x.max().item() == top
    assert ops.sort(x, descending=True)[0].tolist() == [top, 1, 0]
    assert x.sum().dtype == x.dtype and int(x[2]) == top
    assert (x + 1.5).dtype == ms.float32 and (x / 2).dtype == ms.float32
    np.testing.assert_array_equal(np.from_dlpack(x), x.asnumpy())
    assert Tensor([5, 6, 7])[x[:2]].tolist() == [5, 6]
    assert (x @ x).item() == (1 + top * top) % (top + 1)
