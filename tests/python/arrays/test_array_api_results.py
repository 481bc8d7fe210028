"""What functions of emberjit.array_api give beside NumPy, which follows the same standard: values, dtypes, shapes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emberjit import array_api as xp


def as_numpy(value: Any) -> Any:
    """A result with NumPy's arrays for Arrays."""
    if isinstance(value, tuple):
        return tuple(as_numpy(part) for part in value)
    return np.asarray(value) if isinstance(value, xp.Array) else value


def f32(*shape: int) -> Any:
    return np.random.default_rng(1).uniform(-2, 2, shape).astype(np.float32)


def f64(*shape: int) -> Any:
    return np.random.default_rng(2).uniform(-2, 2, shape)


def i16(*shape: int) -> Any:
    return np.random.default_rng(3).integers(-9, 9, shape, np.int16)


def u8(*shape: int) -> Any:
    return np.random.default_rng(4).integers(0, 9, shape, np.uint8)


def c64(*shape: int) -> Any:
    return (f64(*shape) + 1j * np.random.default_rng(5).uniform(-2, 2, shape)).astype(np.complex64)


def square_matrix(*shape: int) -> Any:
    return f64(*shape) + 5 * np.eye(shape[-1])


def hermitian(*shape: int) -> Any:
    x = f64(*shape)
    return x @ np.swapaxes(x, -1, -2) + np.eye(shape[-1])


Rows = list[tuple[Callable[..., Any], tuple[Any, ...]]]
UNARY = "abs acos acosh asin asinh atan atanh ceil conj cos cosh exp expm1 floor isfinite isinf isnan log log10 log1p log2"
UNARY += " negative positive real reciprocal round sign signbit sin sinh sqrt square tan tanh trunc"
OF_INTEGERS = "abs bitwise_invert ceil conj floor isfinite isinf isnan negative positive real round sign square trunc"
OF_COMPLEX = (
    "abs asinh atan cos cosh exp imag log log10 log2 negative reciprocal sign sin sinh sqrt square tan tanh conj real"
)
PAIRS = "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp maximum minimum"
PAIRS += " multiply nextafter not_equal remainder subtract"
INTEGER_PAIRS = "add bitwise_and bitwise_or bitwise_xor equal floor_divide less maximum multiply remainder subtract"
NOT_AT_EDGES = (
    "floor_divide",
    "remainder",
    "maximum",
    "minimum",
)  # NumPy's quotients are others; of 0 and -0 either is right
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, np.inf, -np.inf, np.nan], np.float32)


def named(name: str) -> Callable[..., Any]:
    def call(np_or_xp: Any, *given: Any) -> Any:
        return getattr(np_or_xp, name)(*given)

    return call


ELEMENTWISE: Rows = [
    *((named(name), (x,)) for name in UNARY.split() for x in (f32(2, 3), f64(5), EDGES)),
    *((named(name), (x,)) for name in OF_INTEGERS.split() for x in (i16(2, 3), u8(4))),
    *((named(name), (c64(2, 3),)) for name in OF_COMPLEX.split()),
    *((named(name), pair) for name in PAIRS.split() for pair in ((f32(2, 3), f32(3)), (f64(4), EDGES[:4].astype(float)))),
    *((named(name), (EDGES[:, None], EDGES)) for name in PAIRS.split() if name not in NOT_AT_EDGES),
    *((named(name), (EDGES[1:, None], EDGES[1:])) for name in ("maximum", "minimum")),
    *((named(name), (i16(2, 3), i16(3) | 1)) for name in INTEGER_PAIRS.split()),
    *((named(name), (c64(2, 3), c64(3))) for name in ("add", "subtract", "multiply", "divide", "equal", "not_equal")),
    (named("bitwise_left_shift"), (i16(4), np.arange(4, dtype=np.int16))),
    (named("bitwise_right_shift"), (i16(4), np.arange(4, dtype=np.int16))),
    (named("pow"), (np.abs(f64(3)), f64(3))),
    (named("pow"), (i16(4), u8(4).astype(np.int16))),
    *((named(f"logical_{name}"), (f32(4) > 0, f32(4) > 1)) for name in ("and", "or", "xor")),
    (lambda np: np.logical_not(np.asarray([True, False])), ()),
    (lambda np, x: np.clip(x, -1.0, 1.0), (f32(5),)),
    (lambda np, x, y: np.clip(x, max=y), (f32(2, 3), f32(3))),
]

SHAPES: Rows = [
    (lambda np, x, y: np.concat([x, y], axis=1), (f32(2, 3), f64(2, 1))),
    (lambda np, x, y: np.concat([x, y], axis=None), (u8(2, 2), i16(3))),
    (lambda np, x, y: np.stack([x, y], axis=-1), (f32(2, 3), f64(2, 3))),
    (lambda np, x: np.expand_dims(x, axis=(0, -1)), (f32(2, 3),)),
    (lambda np, x: np.squeeze(x, axis=(0, -1)), (f32(1, 3, 1),)),
    (lambda np, x: np.flip(x, axis=0), (f32(2, 3),)),
    (lambda np, x: np.flip(x), (f32(2, 3),)),
    (lambda np, x: np.moveaxis(x, (0, 1), (-1, 0)), (f32(2, 3, 4),)),
    (lambda np, x: np.moveaxis(x, (0, 1, 2), (2, 0, 1)), (f32(2, 3, 4, 5),)),
    (lambda np, x: np.permute_dims(x, (2, 0, 1)), (f32(2, 3, 4),)),
    (lambda np, x, n: np.repeat(x, n, axis=1), (f32(2, 3), np.array([0, 2, 1]))),
    (lambda np, x: np.repeat(x, 2), (f32(2, 3),)),
    (lambda np, x, n: np.repeat(x, n), (f32(0), np.zeros(0, np.int32))),
    (lambda np, x: np.reshape(x, (3, -1)), (f32(2, 3, 4),)),
    (lambda np, x: np.roll(x, (1, -1), axis=(0, 1)), (f32(3, 4),)),
    (lambda np, x: np.roll(x, 5), (f32(3, 4),)),
    (lambda np, x: np.tile(x, (2, 1, 3)), (f32(2, 3),)),
    (lambda np, x: np.unstack(x, axis=1), (f32(2, 3),)),
    (lambda np, x, y: np.broadcast_arrays(x, y), (f32(2, 1), f32(3))),
    (lambda np, x: np.broadcast_to(x, (4, 2, 3)), (f32(2, 1),)),
    (lambda np, x: np.astype(x, np.int32), (f32(5),)),
    (lambda np, x: np.astype(x, np.complex128), (f32(5),)),
    (lambda np, x: np.matrix_transpose(x), (c64(2, 3, 4),)),
    (lambda np, x: x.mT, (c64(2, 3, 4),)),
    (lambda np, x: x.T, (c64(3, 4),)),
    (lambda np, x: x[1:, ::-1, None], (f32(3, 4),)),
    (lambda np, x: x[..., -1], (f32(3, 4),)),
    (lambda np, x, i: x[i, 1], (f32(3, 4), np.array([0, -1, 2]))),
    (lambda np, x, i, j: x[i, j], (f32(3, 4), np.array([[0], [2]]), np.array([1, 3]))),
    (lambda np, x: x[x > 0], (f32(3, 4),)),
    (lambda np, x: np.tril(x, k=-1), (f32(2, 3, 3),)),
    (lambda np, x: np.triu(x, k=1), (c64(2, 4),)),
    (lambda np, x, y: np.meshgrid(x, y), (f32(3), f32(2))),
    (lambda np, x, y, z: np.meshgrid(x, y, z, indexing="ij"), (f32(3), f32(2), f32(1))),
    (lambda np, x: np.full_like(x, 7), (u8(2, 3),)),
]

MADE: Rows = [
    (lambda np: np.arange(5), ()),
    (lambda np: np.arange(2, 10, 3, dtype=np.float64), ()),
    (lambda np: np.arange(1.0, -1.0, -0.25, dtype=np.float64), ()),
    (lambda np: np.linspace(0, 1, 5, dtype=np.float64), ()),
    (lambda np: np.linspace(-3, 2, 4, endpoint=False, dtype=np.float64), ()),
    (lambda np: np.linspace(1j, 2, 3, dtype=np.complex128), ()),
    (lambda np: np.eye(3, 4, k=1, dtype=np.int32), ()),
    (lambda np: np.eye(3, k=-1, dtype=np.bool), ()),
    (lambda np: np.full((2, 3), 7), ()),
    (lambda np: np.full(4, True), ()),
    (lambda np: np.full((), 2**63, dtype=np.uint64), ()),
    (lambda np: np.zeros((0, 3), dtype=np.int8), ()),
    (lambda np: np.ones(2, dtype=np.complex64), ()),
    (lambda np: np.asarray([[1, 2], [3, 4]]), ()),
    (lambda np: np.asarray([True, False]), ()),
    (lambda np: np.asarray([1, 2.5], dtype=np.float64), ()),
    (lambda np: np.asarray([2**64 - 1], dtype=np.uint64), ()),
]

FOUND: Rows = [
    (lambda np, x: np.argmax(x, axis=1, keepdims=True), (f32(3, 4),)),
    (lambda np, x: np.argmin(x), (i16(3, 4),)),
    (lambda np, x: np.argmax(x), (EDGES,)),
    (lambda np, x: np.argmin(x, keepdims=True), (u8(3, 4),)),
    (lambda np, x: np.count_nonzero(x, axis=0), (u8(3, 4),)),
    (lambda np, x: np.nonzero(x), (u8(3, 4) > 4,)),
    (lambda np, c, x, y: np.where(c, x, y), (f32(3) > 0, f32(2, 3), f64(3))),
    (lambda np, x, y: np.searchsorted(x, y, side="right"), (np.arange(4.0), f64(2, 3))),
    (lambda np, x, y, s: np.searchsorted(x, y, sorter=s), (np.arange(3.0)[::-1].copy(), f64(4), np.array([2, 1, 0]))),
    (lambda np, x: np.sort(x, axis=0), (f32(5, 3),)),
    (lambda np, x: np.flip(np.sort(x), axis=-1), (u8(9),)),
    (lambda np, x: np.argsort(x, stable=True), (u8(30),)),
    (lambda np, x, y: np.isin(x, y), (u8(2, 5), i16(4))),
    (lambda np, x: np.unique_all(x), (i16(4, 5),)),
    (lambda np, x: np.unique_counts(x), (np.array([1 + 2j, 1 - 1j, 0, 1 + 2j]),)),
    (lambda np, x: np.unique_inverse(x), (u8(3, 4),)),
    (lambda np, x: np.unique_values(x), (f32(7),)),
    (lambda np, x: np.unique_values(x), (f32(0),)),
    (lambda np, x, i: np.take(x, i, axis=1), (f32(3, 4), np.array([3, 0, 0]))),
    (lambda np, x, i: np.take_along_axis(x, i, axis=0), (f32(3, 4), np.array([[2, 0, 1, 1]]))),
]

REDUCED: Rows = [
    *(
        (lambda np, x, f=name: getattr(np, f)(x, axis=(0, 2)), (f32(2, 3, 4),))
        for name in ("max", "min", "mean", "std", "var")
    ),
    *(
        (lambda np, x, f=name: getattr(np, f)(x, keepdims=True), (f64(2, 3),))
        for name in ("max", "min", "mean", "sum", "prod")
    ),
    (lambda np, x: np.sum(x), (i16(2, 3),)),
    (lambda np, x: np.sum(x, axis=0, dtype=np.float64), (u8(2, 3),)),
    (lambda np, x: np.sum(x, axis=()), (f32(2, 3),)),
    (lambda np, x: np.prod(x, axis=1), (u8(2, 3),)),
    (lambda np, x: np.sum(x, axis=0), (c64(2, 3),)),
    (lambda np, x: np.mean(x, axis=1), (c64(2, 3),)),
    (lambda np, x: np.var(x, correction=1, axis=1), (f64(2, 3),)),
    (lambda np, x: np.std(x, correction=0.5), (f64(2, 3),)),
    (lambda np, x: np.all(x, axis=1), (u8(3, 4),)),
    (lambda np, x: np.any(x), (u8(0, 4),)),
    (lambda np, x: np.cumulative_sum(x, axis=1, include_initial=True), (i16(2, 3),)),
    (lambda np, x: np.cumulative_sum(x), (c64(4),)),
    (lambda np, x: np.cumulative_prod(x, axis=0), (u8(2, 3),)),
    (lambda np, x: np.diff(x, n=2), (f32(2, 5),)),
    (lambda np, x, y: np.diff(x, axis=0, prepend=y), (f32(3, 2), f32(1, 2))),
]

PRODUCTS: Rows = [
    (lambda np, x, y: x @ y, (f32(2, 3, 4), f64(4, 5))),
    (lambda np, x, y: np.matmul(x, y), (i16(3), i16(3))),
    (lambda np, x, y: np.matmul(x, y), (c64(2, 3), c64(3))),
    (lambda np, x, y: np.tensordot(x, y, axes=((0, 2), (1, 0))), (f64(2, 3, 4), f64(4, 2))),
    (lambda np, x, y: np.vecdot(x, y), (c64(2, 3), c64(3))),
    (lambda np, x, y: np.vecdot(x, y), (u8(2, 3), u8(2, 3))),
    (lambda np, x, y: np.linalg.cross(x, y), (f64(2, 3), f64(3))),
    (lambda np, x, y: np.linalg.outer(x, y), (c64(2), c64(3))),
    (lambda np, x: np.linalg.diagonal(x, offset=1), (f32(2, 3, 4),)),
    (lambda np, x: np.linalg.trace(x, offset=-1), (i16(2, 3, 3),)),
    (lambda np, x: np.linalg.matrix_power(x, 3), (f64(2, 3, 3),)),
    (lambda np, x: np.linalg.matrix_power(x, -2), (square_matrix(3, 3),)),
    (lambda np, x: np.linalg.vector_norm(x, axis=(0, 1), ord=3), (f64(2, 3, 4),)),
    (lambda np, x: np.linalg.vector_norm(x, keepdims=True), (c64(2, 3),)),
    *(
        (lambda np, x, o=ord: np.linalg.matrix_norm(x, ord=o, keepdims=True), (f64(2, 3, 4),))
        for ord in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)
    ),
    (lambda np, x: np.linalg.det(x), (square_matrix(2, 3, 3),)),
    (lambda np, x: np.linalg.slogdet(x), (square_matrix(2, 3, 3),)),
    (lambda np, x: np.linalg.inv(x), (square_matrix(2, 3, 3),)),
    (lambda np, x, y: np.linalg.solve(x, y), (square_matrix(3, 3), f64(3))),
    (lambda np, x, y: np.linalg.solve(x, y), (square_matrix(2, 3, 3), f64(3, 4))),
    (lambda np, x: np.linalg.cholesky(x, upper=True), (hermitian(2, 3, 3),)),
    (lambda np, x: np.linalg.eigvalsh(x), (hermitian(2, 3, 3),)),
    (lambda np, x: np.linalg.eigh(x).eigenvalues, (hermitian(3, 3),)),
    (lambda np, x: np.linalg.svdvals(x), (f64(2, 3, 4),)),
    (lambda np, x: np.linalg.svd(x, full_matrices=False).S, (c64(4, 3),)),
    (lambda np, x: np.linalg.matrix_rank(x), (np.ones((2, 3, 3)),)),
    (lambda np, x: np.linalg.pinv(x, rtol=1e-10), (f64(2, 3, 4),)),
]

FOURIER: Rows = [
    *((lambda np, x, f=name: getattr(np.fft, f)(x, n=6, axis=0), (c64(5, 2),)) for name in ("fft", "ifft", "irfft", "hfft")),
    *((lambda np, x, f=name: getattr(np.fft, f)(x, norm="ortho"), (f64(2, 5),)) for name in ("rfft", "ihfft", "fft")),
    *((lambda np, x, f=name: getattr(np.fft, f)(x, axes=(0, 1)), (c64(3, 4, 2),)) for name in ("fftn", "ifftn", "irfftn")),
    (lambda np, x: np.fft.rfftn(x, s=(3, 4), axes=(0, 1)), (f64(3, 5),)),
    (lambda np, x: np.fft.fftshift(x), (f32(3, 4),)),
    (lambda np, x: np.fft.ifftshift(x, axes=0), (f32(3, 4),)),
    (lambda xp: xp.astype(xp.fft.fftfreq(5, d=0.5), xp.float32), ()),
    (lambda xp: xp.astype(xp.fft.rfftfreq(6), xp.float32), ()),
]
ROWS = [*ELEMENTWISE, *SHAPES, *MADE, *FOUND, *REDUCED, *PRODUCTS, *FOURIER]


def assert_like(mine: Any, expected: Any) -> None:
    if isinstance(expected, (tuple, list)):
        assert isinstance(mine, tuple)
        assert len(mine) == len(expected)
        for part, wanted in zip(mine, expected):
            assert_like(part, wanted)
        if hasattr(expected, "_fields"):
            assert mine._fields == expected._fields  # type: ignore[attr-defined]
        return
    result = as_numpy(mine)
    wanted = np.asarray(expected)
    assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
    exact = wanted.dtype.kind in "biu"
    epsilon = 0 if exact else np.finfo(wanted.dtype).eps
    np.testing.assert_allclose(result, wanted, rtol=64 * epsilon, atol=64 * epsilon)
    if wanted.dtype.kind == "f":
        zero = (wanted == 0) & (result == 0)
        np.testing.assert_array_equal(np.signbit(result[zero]), np.signbit(wanted[zero]))


@pytest.mark.parametrize("call, given", ROWS, ids=range(len(ROWS)))
def test_like_numpy(call: Callable[..., Any], given: tuple[Any, ...]) -> None:
    with np.errstate(all="ignore"):
        expected = call(np, *given)
    assert_like(call(xp, *map(xp.asarray, given)), expected)


def test_decompositions() -> None:
    for x in (f64(2, 4, 3), c64(3, 4)):
        a = xp.asarray(x)
        for full in (True, False):
            u, s, vh = xp.linalg.svd(a, full_matrices=full)
            k = s.shape[-1]
            near(u[..., :k] * s[..., None, :] @ vh[..., :k, :], a)
        for mode in ("reduced", "complete"):
            q, r = xp.linalg.qr(a, mode=mode)
            near(q @ r, a)
            near(xp.conj(q.mT) @ q, xp.eye(q.shape[-1], dtype=q.dtype))
    h = xp.asarray(hermitian(2, 3, 3))
    values, vectors = xp.linalg.eigh(h)
    near(h @ vectors, vectors * values[..., None, :])
    g = xp.asarray(f64(2, 3, 3))
    values, vectors = xp.linalg.eig(g)
    assert values.dtype == xp.complex128
    near(xp.astype(g, xp.complex128) @ vectors, vectors * values[..., None, :])
    near(xp.sum(xp.linalg.eigvals(g), axis=-1), xp.astype(xp.linalg.trace(g), xp.complex128))


def near(x: Any, y: Any) -> None:
    assert x.dtype == y.dtype
    assert float(xp.max(xp.abs(x - xp.broadcast_to(y, x.shape)))) < 1e4 * xp.finfo(x.dtype).eps


def test_unique_of_nans_and_zeros() -> None:
    found = xp.unique_all(xp.asarray([math.nan, 0.0, -0.0, math.nan, 1.0]))
    assert found.values.shape == (4,)
    assert [x.tensor.tolist() for x in found[1:]] == [[1, 4, 0, 3], [2, 0, 0, 3, 1], [2, 1, 1, 1]]


def test_stable_descending_order() -> None:
    x = xp.asarray([1, 2, 1, 2, 0])
    assert xp.argsort(x, descending=True).tensor.tolist() == [1, 3, 0, 2, 4]
    assert xp.sort(x, descending=True).tensor.tolist() == [2, 2, 1, 1, 0]


def test_variance_of_too_few() -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 5.0]])
    for correction in (2, 3):
        assert bool(xp.all(xp.isnan(xp.var(x, axis=0, correction=correction))))


def test_diagonal_out_of_sight() -> None:
    for k in (-(2**70), -2, 3, 2**70):
        assert int(xp.count_nonzero(xp.eye(2, 3, k=k))) == 0


def test_empty_masks_choose_nothing() -> None:
    x = xp.ones((2, 3))
    for shape, expected in (((0,), (0, 3)), ((2, 0), (0,)), ((0, 3), (0,)), ((0, 0), (0,))):
        mask = xp.zeros(shape, dtype=xp.bool)
        assert x[mask].shape == expected
        x[mask] = 2.0
    assert float(xp.sum(x)) == 6
