"""What functions of mindspore.numpy take beyond those of ops, as NumPy has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit import numpy as mnp

F = np.array([[1.25, -2.75, 3.5], [0.45, 5.55, -6.65]], np.float32)
WHOLE = np.array([[6, -4, 9], [0, 8, 15]])
MASK = np.array([[True, False, True], [False, True, False]])


def of_both(f: Any) -> Any:
    return lambda: f(mnp, lambda x: Tensor(x)), lambda: f(np, lambda x: x)


CALLS = {
    "around": lambda m, t: m.around(t(F)),
    "around to decimals": lambda m, t: m.around(t(F), 1),
    "ints to tens": lambda m, t: m.around(t(WHOLE), -1),
    "around to tens": lambda m, t: m.around(t(F * 10), -1),
    "around of ints": lambda m, t: m.around(t(WHOLE), 2),
    "atleast_1d of nothing": lambda m, t: [m.atleast_1d(), m.atleast_2d(), m.atleast_3d()],
    "full_like by a row": lambda m, t: m.full_like(t(F), t(F[0])),
    "full_like by a list": lambda m, t: m.full_like(t(F), [1.0, 2.0, 3.0]),
    "full_like by a column": lambda m, t: m.full_like(t(WHOLE), t(F[:, :1])),
    "meshgrid of matrices": lambda m, t: [*m.meshgrid(t(F), t(WHOLE[0]), indexing="ij")],
    "meshgrid, sparse": lambda m, t: [*m.meshgrid(t(F), t(WHOLE[0]), sparse=True)],
    "expand_dims": lambda m, t: m.expand_dims(t(F), (0, 2)),
    "expand_dims from the end": lambda m, t: m.expand_dims(t(F), (-1, 1)),
    "stack": lambda m, t: m.stack(t(F), -1),
    "apply_along_axis": lambda m, t: m.apply_along_axis(lambda x, n, k=0: x[:n] * k, 1, t(F), 2, k=3),
    "piecewise": lambda m, t: m.piecewise(t(F), [t(MASK)], [lambda x, n, k=1: x * k + n, 7.0], 1, k=3),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    got, want = (f() for f in of_both(CALLS[name]))
    for a, b in zip(got, want) if isinstance(want, list) else ((got, want),):
        assert np.array_equal(np.asarray(a.asnumpy() if isinstance(a, Tensor) else a), b)


def test_a_power_of_a_matrix() -> None:
    square = np.array([[1, 1], [0, 2]], np.float32)
    for n in (0, 1, 5, -1):
        np.testing.assert_allclose(mnp.matrix_power(Tensor(square), n).asnumpy(), np.linalg.matrix_power(square, n))


def test_random_numbers_without_sizes() -> None:
    assert mnp.rand().shape == mnp.randn().shape == (1,) and mnp.rand(2, 3).shape == (2, 3)


PAIRS = [
    (F * 4, F[::-1] * 4),
    (np.float32([1.5, 4, 0, 0, -6]), np.float32([1, 6, 5, 0, 4])),
    (WHOLE, np.float32([4, 6, 9])),
    (np.float32([2**24, 3e30]), np.float32([2**12 * 3, 2])),
]


@pytest.mark.parametrize("x, y", PAIRS)
def test_divisors_of_floats(x: Any, y: Any) -> None:
    """Quotients by the greatest common divisor are whole numbers without a common divisor, and the least common multiple
    is that times these."""
    divisor, multiple = mnp.gcd(Tensor(x), Tensor(y)), mnp.lcm(Tensor(x), Tensor(y))
    assert divisor.dtype == ms.float32
    for a, b, d, m in zip(*(part.ravel() for part in np.broadcast_arrays(x, y, divisor.asnumpy(), multiple.asnumpy()))):
        a, b, d, m = (float(v) for v in (a, b, d, m))
        if a == b == 0:
            assert d == m == 0
            continue
        first, second = abs(a) / d, abs(b) / d
        assert first == int(first) and second == int(second) and np.gcd(int(first) % 2**60, int(second) % 2**60) in (1, 0)
        np.testing.assert_allclose(m, abs(a * b) / d, rtol=1e-6)


@pytest.mark.breaks
def test_divisors_of_what_is_not_finite() -> None:
    x = Tensor([np.inf, np.nan, 4.0], ms.float32)
    np.testing.assert_array_equal(mnp.gcd(x, 2.0).asnumpy(), [np.nan, np.nan, 2])
    np.testing.assert_array_equal(mnp.gcd(2.0, x).asnumpy(), [np.nan, np.nan, 2])
    np.testing.assert_array_equal(ms.jit(lambda x: mnp.gcd(x, 6.0) * 2)(x).asnumpy(), [np.nan, np.nan, 4])


REFUSED = {
    "axes that are the same": (lambda: mnp.expand_dims(Tensor(F), (0, -4)), "different axes of 4"),
    "an axis too far": (lambda: mnp.expand_dims(Tensor(F), (0, 4)), "different axes of 4"),
    "a value of another shape": (lambda: mnp.full_like(Tensor(F), Tensor(F[:, :2])), "cannot be stretched"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, text = REFUSED[name]
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_captured(mode: str) -> None:
    def f(x: Any) -> Any:
        doubled = mnp.piecewise(x, [x > 0], [lambda v, k=1: v * k, 0.0], k=2)
        return doubled, mnp.expand_dims(x, (0, 2)), mnp.apply_along_axis(lambda v, k=1: v.sum() * k, 1, x, k=2)

    got = ms.jit(f, capture_mode=mode)(Tensor(F))
    for a, b in zip(got, (np.maximum(F * 2, 0), F[None, :, None], F.sum(1) * 2)):
        np.testing.assert_allclose(a.asnumpy(), b, rtol=1e-6)
