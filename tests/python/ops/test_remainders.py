"""Float % is exact, with the sign of the divisor, however large the quotient: against Python's and NumPy's, in each tier."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mutable, ops

FLOATS = {"float16": np.float16, "float32": np.float32, "float64": np.float64}


def pairs(dtype: type) -> tuple[np.ndarray, np.ndarray]:
    """Special values with each other, and random bits."""
    info = np.finfo(dtype)
    some = [
        0.0,
        0.1,
        0.5,
        1,
        1.5,
        3,
        7,
        1e-3,
        1e3,
        float(info.tiny),
        float(info.smallest_subnormal),
        float(info.max),
        math.inf,
        math.nan,
    ]
    some += [1e8, 1e16, 1e30, 1e-30] if dtype != np.float16 else [2048, 60000]
    values = np.array([*some, *(-x for x in some)], dtype)
    first, second = zip(*itertools.product(values, values))
    word = np.dtype(f"uint{info.bits}")
    rng = np.random.default_rng(info.bits)
    drawn = rng.integers(0, np.iinfo(word).max, (2, 20_000), word, endpoint=True).view(dtype)
    return np.concatenate([np.array(first), drawn[0]]), np.concatenate([np.array(second), drawn[1]])


@pytest.mark.parametrize("dtype", FLOATS)
def test_remainder_is_numpys_bit_for_bit(dtype: str) -> None:
    x, y = pairs(FLOATS[dtype])
    with np.errstate(all="ignore"):
        want = np.mod(x, y)
    word = f"uint{np.finfo(x.dtype).bits}"
    jitted = ms.jit(lambda a, b: a % b)
    for call in (ops.floor_mod, lambda a, b: a % b, *[jitted] * 3):
        got = call(Tensor(x), Tensor(y)).asnumpy()
        assert got.dtype == want.dtype
        nan = np.isnan(want)
        np.testing.assert_array_equal(np.isnan(got), nan)
        np.testing.assert_array_equal(got.view(word)[~nan], want.view(word)[~nan])


def test_it_was_zero_for_large_quotients() -> None:
    assert (Tensor(1e8, ms.float32) % 7).asnumpy() == 1e8 % 7
    assert (Tensor(1e17, ms.float64) % 7).asnumpy() == 1e17 % 7
    assert (Tensor([-1e300], ms.float64) % Tensor([0.1], ms.float64)).asnumpy()[0] == -1e300 % 0.1


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_number_at_run_time_has_pythons_remainder(mode: str) -> None:
    jitted = ms.jit(lambda t, x, y: t + x % y, capture_mode=mode)
    for x, y in [(1e8, 7.0), (-1e17, 7.0), (5.5, -2.0), (1e300, 0.1), (-1e-20, 1.0), (3.0, math.inf), (-3.0, math.inf)]:
        for _ in range(3):
            got = jitted(Tensor(0.0, ms.float64), mutable(x), mutable(y)).asnumpy()
            assert got == x % y, (x, y)


def test_fused_with_other_work_in_native_code() -> None:
    rng = np.random.default_rng(0)
    x = (rng.standard_normal(50_000) * 10.0 ** rng.integers(-30, 30, 50_000)).astype(np.float32)
    y = rng.standard_normal(50_000).astype(np.float32)
    jitted = ms.jit(lambda a, b: (a + a) % b * 2 + b)
    with np.errstate(all="ignore"):
        want = np.mod(x + x, y) * np.float32(2) + y
    for _ in range(30):
        np.testing.assert_array_equal(jitted(Tensor(x), Tensor(y)).asnumpy(), want)
