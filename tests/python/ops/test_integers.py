"""Integer ops at the limits of their dtypes against NumPy: every pair of bytes, the corners of the wider dtypes, and
numbers broadcast; eagerly and jitted."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

DTYPES = {
    dtype.__name__: dtype for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
}
OPS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "add": (ops.add, np.add),
    "sub": (ops.sub, np.subtract),
    "mul": (ops.mul, np.multiply),
    "floor_div": (ops.floor_div, np.floor_divide),
    "//": (lambda x, y: x // y, np.floor_divide),
    "floor_mod": (ops.floor_mod, np.mod),
    "%": (lambda x, y: x % y, np.mod),
    "maximum": (ops.maximum, np.maximum),
    "minimum": (ops.minimum, np.minimum),
    "bitwise_and": (ops.bitwise_and, np.bitwise_and),
    "bitwise_or": (ops.bitwise_or, np.bitwise_or),
    "bitwise_xor": (ops.bitwise_xor, np.bitwise_xor),
    "equal": (ops.equal, np.equal),
    "less": (ops.less, np.less),
    "less_equal": (ops.less_equal, np.less_equal),
    "greater": (ops.greater, np.greater),
    "//, then %": (lambda x, y: x // y * y + x % y, lambda x, y: np.where(y == 0, 0, x).astype(x.dtype)),
}


def corners(dtype: type) -> np.ndarray:
    info = np.iinfo(dtype)
    near = [int(end) + step for end in (info.min, info.max, info.min // 2, info.max // 2, 0) for step in range(-4, 5)]
    near += [10**k for k in range(20)] + [-(10**k) - 1 for k in range(20)]
    return np.array(sorted({n for n in near if info.min <= n <= info.max}), dtype)


def pairs(dtype: type) -> tuple[np.ndarray, np.ndarray]:
    """All of one byte, of more the corners and random ones of all sizes."""
    info = np.iinfo(dtype)
    if info.bits == 8:
        values = np.arange(info.min, info.max + 1).astype(dtype)
        return tuple(np.ascontiguousarray(part) for part in (np.repeat(values, 256), np.tile(values, 256)))  # type: ignore[return-value]
    corner = corners(dtype)
    rng = np.random.default_rng(info.bits)
    drawn = rng.integers(info.min, info.max, (2, 20_000), dtype, endpoint=True) >> rng.integers(
        0, info.bits, (2, 20_000)
    ).astype(dtype)
    first, second = (np.array(part, dtype) for part in zip(*itertools.product(corner, corner)))
    return np.concatenate([first, drawn[0]]), np.concatenate([second, drawn[1]])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OPS)
def test_pairs_give_what_numpy_gives(name: str, dtype: str) -> None:
    function, reference = OPS[name]
    x, y = pairs(DTYPES[dtype])
    with np.errstate(all="ignore"):
        want = reference(x, y)
    jitted = ms.jit(function)
    for call in (function, *[jitted] * 3):
        got = call(Tensor(x), Tensor(y)).asnumpy()
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["//", "%"])
def test_a_number_for_a_divisor_or_dividend(name: str, dtype: str) -> None:
    function, reference = OPS[name]
    values = corners(DTYPES[dtype])
    by = ms.jit(lambda x, n: (function(x, n), function(n, x)))
    for number in values.tolist():
        with np.errstate(all="ignore"):
            want = reference(values, values.dtype.type(number)), reference(values.dtype.type(number), values)
        if not -(2**63) <= number < 2**63:
            continue
        for part, wanted in zip(by(Tensor(values), number), want):
            np.testing.assert_array_equal(part.asnumpy(), wanted)


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_powers_of_every_pair(dtype: str) -> None:
    x, y = pairs(DTYPES[dtype])
    modulus, info = 256, np.iinfo(x.dtype)
    wrapped = [
        pow(int(a), int(b), modulus) if b >= 0 else {1: 1, -1: 1 if b % 2 == 0 else -1}.get(int(a), 0) for a, b in zip(x, y)
    ]
    want = np.array(wrapped, np.int64).astype(x.dtype)
    assert info.bits == 8
    jitted = ms.jit(ops.pow)
    for call in (ops.pow, jitted, jitted):
        np.testing.assert_array_equal(call(Tensor(x), Tensor(y)).asnumpy(), want)


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_operand(dtype: str) -> None:
    x = pairs(DTYPES[dtype])[0]
    table = {ops.neg: np.negative, ops.abs: np.abs, ops.square: np.square, ops.sign: np.sign}
    for function, reference in table.items():
        with np.errstate(all="ignore"):
            want = reference(x)
        for call in (function, ms.jit(function)):
            np.testing.assert_array_equal(call(Tensor(x)).asnumpy(), want)
