"""Elementary and special functions: errors in units of the last place against values of 40 digits
(tools/special_values.py), values at special points, and what is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops
from emberjit import _emberjit as core
from emberjit import numpy as mnp

VALUES = json.loads((Path(__file__).parent / "special_values.json").read_text())
INF, NAN = math.inf, math.nan
# In float32, where tan is a quotient and others are computed in float64; in float64 by name.
SINGLE = {"tan": 1.6}
DOUBLE = {
    "bessel_i1": 5.0,
    "bessel_i1e": 5.0,
    "bessel_k0": 4.5,
    "bessel_k0e": 4.5,
    "lgamma": 4.0,
    "bessel_j0": 4.5,
    "bessel_y0": 12.0,
}
OSCILLATING = ("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1")  # whose error next to a root is that of their size


@pytest.mark.parametrize("name", VALUES)
def test_errors_stay_within_bounds(name: str) -> None:
    x, want = np.array(VALUES[name]).T
    for dtype, bound in ((np.float32, SINGLE.get(name, 0.6)), (np.float64, DOUBLE.get(name, 3.5))):
        got = core.op_table[name](Tensor(x.astype(dtype))).asnumpy().astype(np.float64)
        size = np.abs(want)
        if dtype is np.float64 and name in OSCILLATING:
            size = np.maximum(size, np.sqrt(2 / np.pi / np.maximum(np.abs(x), 2 / np.pi)))
        unit = np.spacing(size.astype(dtype)).astype(np.float64)
        assert (np.abs(got - want) / unit).max() <= bound


X = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN]
POINTS: dict[str, list[float]] = {
    "asin": [0.0, -0.0, math.pi / 2, -math.pi / 2, NAN, NAN, NAN],
    "acos": [math.pi / 2, math.pi / 2, 0.0, math.pi, NAN, NAN, NAN],
    "atan": [0.0, -0.0, math.pi / 4, -math.pi / 4, math.pi / 2, -math.pi / 2, NAN],
    "sinh": [0.0, -0.0, math.sinh(1), -math.sinh(1), INF, -INF, NAN],
    "cosh": [1.0, 1.0, math.cosh(1), math.cosh(1), INF, INF, NAN],
    "asinh": [0.0, -0.0, math.asinh(1), -math.asinh(1), INF, -INF, NAN],
    "acosh": [NAN, NAN, 0.0, NAN, INF, NAN, NAN],
    "atanh": [0.0, -0.0, INF, -INF, NAN, NAN, NAN],
    "exp2": [1.0, 1.0, 2.0, 0.5, INF, 0.0, NAN],
    "log2": [-INF, -INF, 0.0, NAN, INF, NAN, NAN],
    "log10": [-INF, -INF, 0.0, NAN, INF, NAN, NAN],
    "cbrt": [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN],
    "erfc": [1.0, 1.0, math.erfc(1), math.erfc(-1), 0.0, 2.0, NAN],
    "erfinv": [0.0, -0.0, INF, -INF, NAN, NAN, NAN],
    "lgamma": [INF, INF, 0.0, INF, INF, INF, NAN],
    "digamma": [-INF, INF, -0.5772156649015329, NAN, INF, NAN, NAN],
    "bessel_j0": [1.0, 1.0, 0.7651976865579666, 0.7651976865579666, 0.0, 0.0, NAN],
    "bessel_y0": [-INF, -INF, 0.08825696421567697, NAN, 0.0, NAN, NAN],
    "bessel_k1": [INF, INF, 0.6019072301972346, NAN, 0.0, NAN, NAN],
    "bessel_i0e": [1.0, 1.0, 0.46575960759364043, 0.46575960759364043, 0.0, 0.0, NAN],
}


@pytest.mark.parametrize("name", POINTS)
def test_special_points(name: str) -> None:
    for dtype in (ms.float32, ms.float64):
        got = core.op_table[name](Tensor(X, dtype)).asnumpy()
        np.testing.assert_allclose(got, np.array(POINTS[name], got.dtype), rtol=16 * np.finfo(got.dtype).eps)
        np.testing.assert_array_equal(np.signbit(got[:2]), np.signbit(POINTS[name][:2]))


def test_powers_are_exact() -> None:
    whole = np.arange(-300.0, 301.0)
    np.testing.assert_array_equal(ops.exp2(Tensor(whole)).asnumpy(), np.exp2(whole))
    np.testing.assert_array_equal(ops.log2(Tensor(np.exp2(whole))).asnumpy(), whole)
    np.testing.assert_array_equal(ops.log10(Tensor(10.0 ** np.arange(23))).asnumpy(), np.arange(23))


PLANE = np.array([0.3 + 0.4j, -2 + 1e-3j, 1.5 - 0.5j, -0.2 - 3j, 0.5, 2 + 0j, 2 - 0j, -2 + 0j, 1e3 + 1e3j])


@pytest.mark.parametrize(
    "name, theirs",
    [
        *(("a" + name, "arc" + name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")),
        *((name, name) for name in ("tan", "sinh", "cosh", "log2", "log10")),
    ],
)
def test_complex_numbers(name: str, theirs: str) -> None:
    x = PLANE[:-1] if name in ("tan", "sinh", "cosh") else PLANE
    for dtype, bound in ((np.complex64, 4e-7), (np.complex128, 1e-14)):
        got = getattr(ops, name)(Tensor(x.astype(dtype))).asnumpy()
        want = getattr(np, theirs)(x.astype(np.complex128))
        assert got.dtype == dtype
        assert (np.abs(got - want) <= bound * np.maximum(np.abs(want), 1)).all()


SERIES: list[tuple[str, list[Any], Any]] = [
    ("zeta", [[2.0, 1.0, 0.5, 2.0, 2.5, NAN], [1.0, 1.0, 1.0, -3.0, -0.5, 1.0]], [math.pi**2 / 6, INF, NAN, INF, NAN, NAN]),
    ("igamma", [[0.0, 1.0, INF, 1.0, -1.0, 0.0], [1.0, 0.0, 1.0, INF, 1.0, 0.0]], [1.0, 0.0, 0.0, 1.0, NAN, NAN]),
    ("igammac", [[0.0, 1.0, INF, 1.0, -1.0, 0.0], [1.0, 0.0, 1.0, INF, 1.0, 0.0]], [0.0, 1.0, 1.0, 0.0, NAN, NAN]),
    ("igammac", [[1e-3, 2e6, 30.0], [0.5, 2.002e6, 3.0]], [5.6006666e-4, 0.07868416, 1.0]),
    ("polygamma", [[1, 2, 0, 1], [1.0, 0.5, 1.0, -0.5]], [1.6449340668482264, -16.8287966, -0.5772156649, 8.9348022]),
    ("polygamma", [[-1, 1], [1.0, 0.0]], [NAN, INF]),
    ("gcd", [[12, -12, 0, 0], [18, 18, 5, 0]], [6, 6, 5, 0]),
    ("lcm", [[4, -4, 0, 7], [6, 6, 5, 7]], [12, 12, 0, 7]),
    ("nextafter", [[1.0, 0.0, -0.0, 1.0, NAN], [2.0, 1.0, -1.0, 1.0, 1.0]], [1 + 2**-23, 2.0**-149, -(2.0**-149), 1.0, NAN]),
    ("copysign", [[1.0, -2.0, 3.0], [-0.0, 0.0, NAN]], [-1.0, 2.0, 3.0]),
    ("fmod", [[5, -5, 5, 7], [3, 3, -3, 0]], [2, -2, 2, 0]),
    ("fmod", [[5.5, -5.5, INF, 1.0], [3.0, 3.0, 1.0, INF]], [2.5, -2.5, NAN, 1.0]),
    ("xlogy", [[0.0, 0.0, 2.0], [0.0, NAN, 0.0]], [0.0, NAN, -INF]),
    ("xdivy", [[0.0, 0.0, 1.0], [0.0, NAN, 0.0]], [0.0, 0.0, INF]),
    ("logaddexp", [[-INF, INF, -INF, 1000.0], [-INF, INF, 1.0, 1000.0]], [-INF, INF, 1.0, 1000.6931]),
    ("bitwise_left_shift", [[1, 3, 1], [4, 31, 40]], [16, -(2**31), 0]),
    ("bitwise_right_shift", [[-8, 8, -1], [1, 2, 50]], [-4, 2, -1]),
    ("fmax", [[1.0, NAN, NAN], [NAN, 2.0, NAN]], [1.0, 2.0, NAN]),
    ("heaviside", [[-1.0, 0.0, 3.0, NAN], 0.5], [0.0, 0.5, 1.0, NAN]),
    ("isposinf", [[1.0, INF, -INF, NAN]], [False, True, False, False]),
    ("isneginf", [[1.0, INF, -INF, NAN]], [False, False, True, False]),
    ("nan_to_num", [[1.0, INF, -INF, NAN]], [1.0, 3.4028235e38, -3.4028235e38, 0.0]),
    ("nan_to_num", [[1.0, INF, -INF, NAN], 5.0, 6.0, -7.0], [1.0, 6.0, -7.0, 5.0]),
    ("isclose", [[1.0, INF, NAN, -INF], [1.0, INF, NAN, INF]], [True, True, False, False]),
    ("isclose", [[1.0, INF, NAN, -INF], [1.0, INF, NAN, INF], 1e-5, 1e-8, True], [True, True, True, False]),
    ("truncate_div", [[7, -7, 5], [2, 2, 0]], [3, -3, 0]),
    ("float_power", [[2, 3], -1.0], [0.5, 1 / 3]),
]


@pytest.mark.parametrize("name, operands, want", SERIES)
def test_pairs(name: str, operands: list[Any], want: Any) -> None:
    given = [Tensor(x, ms.int32 if type(x[0]) is int else ms.float32) if isinstance(x, list) else x for x in operands]
    got = getattr(ops, name)(*given)
    np.testing.assert_allclose(got.asnumpy(), np.array(want), rtol=1e-6)
    for again in (ms.jit(getattr(ops, name))(*given), getattr(ops, name)(*given)):
        np.testing.assert_array_equal(got.asnumpy(), again.asnumpy())


def test_slopes_where_they_are_special() -> None:
    def slope(name: str, *x: float, at: int = 0) -> float:
        return float(ms.grad(getattr(ops, name), at)(*(Tensor(v, ms.float64) for v in x)))

    assert slope("sinc", 0.0) == 0 and slope("bessel_i1", 0.0) == slope("bessel_j1", 0.0) == 0.5
    assert slope("logaddexp", 1.0, 1.0) == pytest.approx(0.5) and slope("logaddexp", -INF, -INF) == 1
    assert slope("xlogy", 0.0, 0.0) == slope("xlogy", 0.0, -1.0) == slope("xdivy", 0.0, 0.0) == 0
    assert math.isnan(slope("xlogy", 0.0, 0.0, at=1)) and slope("xlogy", 0.0, 2.0, at=1) == 0
    assert slope("fmod", 7.5, 2.0, at=1) == -3 and slope("asin", 0.6) == pytest.approx(1.25)
    assert slope("igamma", 2.0, 1.5) == pytest.approx(-0.3134886378, rel=1e-8)


# The slopes of PyTorch's and MindSpore's: by an exponent 0 where a base of 0 has one that is not negative.
@pytest.mark.parametrize("take", [lambda f: f, ms.jit, lambda f: ms.jit(f, capture_mode="bytecode")])
@pytest.mark.parametrize("dtype", [ms.float32, ms.float64])
def test_slopes_of_powers_by_the_exponent(take: Any, dtype: Any) -> None:
    base = Tensor([-2.0, -2.0, -0.5, 0.0, 0.0, 0.0, -0.0, NAN, 2.0], dtype)
    exponent = Tensor([2.0, 1.5, 3.0, 0.0, 2.0, -1.0, 3.0, 2.0, 3.0], dtype)
    want = [NAN, NAN, NAN, 0.0, 0.0, -INF, 0.0, NAN, 8 * math.log(2)]
    for power in (lambda x, y: (x**y).sum(), lambda x, y: ops.pow(x, y).sum()):
        found = take(ms.grad(power, 1))(base, exponent).asnumpy()
        np.testing.assert_allclose(found, want, rtol=1e-6)
    by_number = take(ms.grad(lambda y: (2.0**y).sum()))(exponent[:3]).asnumpy()
    np.testing.assert_allclose(by_number, np.log(2) * 2.0 ** exponent[:3].asnumpy(), rtol=1e-6)
    assert np.isnan(take(ms.grad(lambda y: ((-2.0) ** y).sum()))(exponent[:3]).asnumpy()).all()


@pytest.mark.parametrize("take", [lambda f: f, ms.jit, lambda f: ms.jit(f, capture_mode="bytecode")])
@pytest.mark.parametrize("dtype", [ms.float32, ms.float64, ms.float16])
def test_products_of_large_factors_and_zero(take: Any, dtype: Any) -> None:
    large = {ms.float16: 1e3, ms.float32: 1e20, ms.float64: 1e200}[dtype]
    x = Tensor([large, 0.0, large], dtype)
    for product in (ops.prod, mint.prod, ops.ReduceProd(), lambda x: x.prod()):
        assert float(take(product)(x)) == 0
    long = np.full((3, 3000, 2), large)
    long[:, 1] = 0
    for each, axis in (
        (long, 1),
        (long.transpose(0, 2, 1), 2),
        (long[:, :20], 1),
        (np.ascontiguousarray(long.transpose(1, 0, 2)), 0),
    ):
        found = take(lambda x: ops.prod(x, axis))(Tensor(each, dtype))
        assert (found.asnumpy() == 0).all()
    for other in ([large, NAN, 0.0], [0.0, INF, large], [INF, 0.0]):
        assert math.isnan(float(take(ops.prod)(Tensor(other, dtype))))
    rows = np.array([[large, 0, large, 1], [1, large, NAN, 0], [2, 3, 1, 1]])
    for each, axis in ((rows, 1), (np.ascontiguousarray(rows.T), 0)):
        found = take(lambda x: ops.prod(x, axis))(Tensor(each, dtype))
        np.testing.assert_array_equal(found.asnumpy(), [0, NAN, 6])
    assert float(take(ops.prod)(Tensor([large, -large, large], dtype))) == -INF
    assert math.copysign(1, float(take(ops.prod)(Tensor([-large, 0.0, large], dtype)))) == -1


@pytest.mark.parametrize("take", [lambda f: f, ms.jit])
def test_signs_of_nan(take: Any) -> None:
    x = np.array([NAN, -2, 0, 3, -INF], np.float32)
    for dtype in (np.float16, np.float32, np.float64):
        np.testing.assert_array_equal(take(mnp.sign)(Tensor(x.astype(dtype))).asnumpy(), np.sign(x.astype(dtype)))
    assert take(ops.sign)(Tensor(x)).tolist() == [0, -1, 0, 1, -1]  # as MindSpore's
    assert take(mnp.sign)(Tensor([-3, 0, 2])).tolist() == [-1, 0, 1]


def test_names_of_each_kind() -> None:
    x = Tensor([0.25, 0.5])
    for call in (ops.ACos(), ops.arccos, Tensor.acos, mint.arccos, mnp.arccos):
        np.testing.assert_allclose(call(x).asnumpy(), np.arccos([0.25, 0.5]), rtol=1e-6)
    assert mnp.arccos(x, dtype=ms.float64).dtype == ms.float64
    y = Tensor([0.25, 0.5])
    assert y.erfinv_() is y and y.tolist() == ops.Erfinv()(x).tolist()
    assert ops.Logit(eps=0.3)(x).tolist() == ops.logit(x, 0.3).tolist()
    assert ops.IsClose(rtol=1.0)(x, x + 0.2).tolist() == [True, True]
    assert mint.allclose(x, x) and not x.allclose(x + 1)


def test_what_is_refused() -> None:
    x, z, whole = Tensor([1.0]), Tensor([1j]), Tensor([1])
    for call, error, words in (
        (lambda: ops.lgamma(z), TypeError, "For 'lgamma', complex numbers are not supported"),
        (lambda: ops.igamma(z, x), TypeError, "For 'igamma', complex numbers are not supported"),
        (lambda: ops.gcd(x, whole), TypeError, "For 'gcd', operands must be integers"),
        (lambda: ops.bitwise_left_shift(x, whole), TypeError, "For 'bitwise_left_shift', operands must be integers"),
        (lambda: ops.nextafter(x, whole), TypeError, "For 'nextafter', 'input' and 'other' must both be float32"),
        (lambda: ops.mvlgamma(x, 0), ValueError, "For 'mvlgamma', 'p' must be at least 1, but got 0"),
        (lambda: ops.isclose(x, x, -1.0), ValueError, "For 'isclose', 'rtol' must not be negative, but got -1.0"),
        (lambda: ops.float_power(2, 3), TypeError, "For 'float_power', 'input' or 'exponent' must be a Tensor"),
        (lambda: ops.is_nonzero(Tensor([1, 2])), ValueError, "For 'is_nonzero', the input must have one element"),
        (lambda: ops.isposinf(z), TypeError, "For 'isposinf', 'input' must be real"),
        (lambda: ops.eps(whole), TypeError, "For 'eps', 'x' must be float16"),
        (lambda: ms.grad(lambda a: ops.Betainc()(a, x, x / 2).sum())(x), RuntimeError, "no gradient of betainc by 'a'"),
        (lambda: ops.erfc(x, x), TypeError, "erfc"),
    ):
        with pytest.raises(error, match=words):
            call()


def test_zeta_far_out() -> None:
    far = Tensor(np.array([1e10, 1e155, 1e160]))
    np.testing.assert_allclose(ops.polygamma(Tensor(1), far).asnumpy(), [1e-10, 1e-155, 1e-160])
    found = ops.zeta(Tensor(np.array([8.0, 9.0])), Tensor(np.array([1e39, 1e16]))).asnumpy()
    np.testing.assert_allclose(found, [1 / 7e273, 0.125e-128])


COMPLEX_PARTS = (0.0, -0.0, 0.5, -1.0, 2.0, 1e100, INF, -INF, NAN)


@pytest.mark.parametrize("dtype", (np.complex64, np.complex128))
@pytest.mark.parametrize("name", ("asin", "acos", "atan", "asinh", "acosh", "atanh"))
def test_inverse_functions_at_complex_infinities(name: str, dtype: Any) -> None:
    with np.errstate(all="ignore"):
        z = np.array([complex(x, y) for x in COMPLEX_PARTS for y in COMPLEX_PARTS]).astype(dtype)
        wanted = getattr(np, f"arc{name[1:]}")(z)
    found = getattr(ops, name)(Tensor(z)).asnumpy()
    for part, other in ((found.real, wanted.real), (found.imag, wanted.imag)):
        sure = ~np.isnan(z) | np.isnan(other) | np.isfinite(other)  # of others C99 leaves the sign open
        np.testing.assert_allclose(np.where(sure, part, abs(part)), np.where(sure, other, abs(other)), rtol=1e-6)
        assert (np.signbit(part) == np.signbit(other))[~np.isnan(wanted)].all()
