"""Discrete Fourier transforms of one or several axes, of any length."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_within
from emberjit.publish.kinds import COMPLEXES, DType, Ints, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import along, checked_axis

_ops = core.ops
_NORMS = "{'backward': 'forward', 'forward': 'backward', None: 'forward', 'ortho': 'ortho'}[norm]"


def _inexact(x: Tensor) -> Any:
    """Numbers that can be transformed: integers and half floats become float32."""
    return x if x.dtype in COMPLEXES or x.dtype == core.float64 else _ops.cast(x, core.float32)


def _complex(x: Tensor) -> Any:
    x = _inexact(x)
    if x.dtype in COMPLEXES:
        return x
    return _ops.cast(x, core.complex128 if x.dtype == core.float64 else core.complex64)


def _real(function: str, x: Tensor) -> Any:
    x = _inexact(x)
    if x.dtype in COMPLEXES:
        raise TypeError(f"For '{function}', the input must be real, but is of {x.dtype}: take real() of it, or ops.fft.")
    return x


def _sized(function: str, x: Tensor, n: int | None, dim: int) -> Any:
    """x with n elements along an axis: cut, or with zeros behind."""
    at = checked_axis(function, x, dim)
    if n is None or n == x.shape[at]:
        return x
    if n < 1:
        raise ValueError(f"For '{function}', a transform has at least one element, but n is {n}.")
    if n < x.shape[at]:
        return x[along(at, slice(n))]
    shape = (*x.shape[:at], n - x.shape[at], *x.shape[at + 1 :])
    return _ops.concat([x, _ops.zeros(shape, x.dtype)], at)


def _axes(function: str, x: Tensor, s: Ints | None, dim: Ints | None) -> list[tuple[int, int | None]]:
    """Axes to transform, with their sizes where given."""
    sizes = None if s is None else [s] if isinstance(s, int) else list(s)
    if sizes is not None and not all(isinstance(size, (int, core.Number)) for size in sizes):
        raise TypeError(f"For '{function}', 's' must be a tuple of ints, but got {s}.")
    if x.ndim < (1 if sizes is None or dim is not None else len(sizes)):
        raise ValueError(f"For '{function}', an input of shape {tuple(x.shape)} has fewer axes than there are to transform.")
    if dim is None:
        axes = list(range(x.ndim)) if sizes is None else list(range(x.ndim - len(sizes), x.ndim))
    else:
        axes = [dim] if isinstance(dim, int) else list(dim)
    axes = [checked_axis(function, x, axis) for axis in axes]
    if sizes is not None and len(sizes) != len(axes):
        raise ValueError(f"For '{function}', 's' has {len(sizes)} sizes for {len(axes)} axes.")
    if len(set(axes)) != len(axes) or not axes:
        raise ValueError(f"For '{function}', 'dim' must name different axes, at least one, but got {dim}.")
    return list(zip(axes, sizes if sizes is not None else [None] * len(axes)))


def _norm(norm: str | None) -> str:
    return "backward" if norm is None else norm


def _to_complex(function: str, x: Tensor, n: int | None, dim: int, inverse: bool, norm: str | None) -> Any:
    x = _sized(function, _complex(x), n, dim)
    return _ops.fft_complex(x, dim, inverse, _norm(norm))


def _from_real(function: str, x: Tensor, n: int | None, dim: int, inverse: bool, norm: str | None) -> Any:
    x = _sized(function, _real(function, x), n, dim)
    return _ops.fft_real(x, dim, inverse, _norm(norm))


def _to_real(function: str, x: Tensor, n: int | None, dim: int, inverse: bool, norm: str | None) -> Any:
    x = _complex(x)
    n = 2 * (x.shape[checked_axis(function, x, dim)] - 1) if n is None else n
    if n < 1:
        raise ValueError(
            f"For '{function}', a transform has at least one element, but n is {n} of an input of shape {tuple(x.shape)}."
        )
    return _ops.fft_half(_sized(function, x, n // 2 + 1, dim), dim, inverse, _norm(norm), n)


def _all_complex(function: str, x: Tensor, axes: list[tuple[int, int | None]], inverse: bool, norm: str | None) -> Any:
    for axis, n in axes:
        x = _to_complex(function, x, n, axis, inverse, norm)
    return x


def _all_from_real(function: str, x: Tensor, s: Ints | None, dim: Ints | None, inverse: bool, norm: str | None) -> Any:
    *others, (last, n) = _axes(function, x, s, dim)
    return _all_complex(function, _from_real(function, x, n, last, inverse, norm), others, inverse, norm)


def _all_to_real(function: str, x: Tensor, s: Ints | None, dim: Ints | None, inverse: bool, norm: str | None) -> Any:
    *others, (last, n) = _axes(function, x, s, dim)
    return _to_real(function, _all_complex(function, _complex(x), others, inverse, norm), n, last, inverse, norm)


@publish(
    "ops.fft", numpy="np.fft.fft(input, n, dim, norm)", samples="c64(3, 8); f32(7), 5; c128(4, 3), 6, 0, 'ortho'; i32(5)"
)
def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The discrete Fourier transform along an axis: sum over j of input[j] exp(-2 pi i j k / n).

    Computed by mixed radices (Cooley and Tukey 1965), lengths with large prime factors by a convolution (Bluestein 1970).

    Args:
        input: integers are taken as float32.
        n: the length, to which input is cut, or filled up with zeros; None for the axis's own.
        norm: "backward" (None): no factor; "ortho": 1 / sqrt(n); "forward": 1 / n.

    Returns:
        complex128 of float64 and complex128, else complex64.

    Raises:
        TypeError: input is of a half type.
        ValueError: n or norm is out of range.
    """
    return _to_complex("fft", input, n, dim, False, norm)


@publish("ops.ifft", numpy="np.fft.ifft(input, n, dim, norm)", samples="c64(3, 8); f32(7), 9; c128(4, 3), 6, 0, 'forward'")
def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of fft: sum over k of input[k] exp(2 pi i j k / n), times 1 / n (norm "backward"). See fft."""
    return _to_complex("ifft", input, n, dim, True, norm)


@publish(
    "ops.rfft", numpy="np.fft.rfft(input, n, dim, norm)", samples="f32(3, 8); f32(7), 5; f64(4, 3), 6, 0, 'ortho'; i32(5)"
)
def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The first n // 2 + 1 numbers of fft of real numbers; the others are their conjugates. See fft.

    Raises:
        TypeError: input is complex.
    """
    return _from_real("rfft", input, n, dim, False, norm)


@publish(
    "ops.irfft", numpy="np.fft.irfft(input, n, dim, norm)", samples="c64(3, 5); c64(4), 7; c128(4, 3), 6, 0, 'ortho'; f32(5)"
)
def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of rfft: n real numbers, 2 (size of the axis - 1) if it is None. See fft."""
    return _to_real("irfft", input, n, dim, True, norm)


@publish(
    "ops.hfft",
    numpy="np.fft.hfft(input, n, dim, norm)",
    samples="c64(3, 5); c64(4), 7; c128(4, 3), 6, 0, 'ortho'; c64(5), None, -1, 'forward'",
)
def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """fft of n numbers that are Hermitian, of which the first n // 2 + 1 are given: n real numbers. See irfft."""
    return _to_real("hfft", input, n, dim, False, norm)


@publish(
    "ops.ihfft",
    numpy="np.fft.ihfft(input, n, dim, norm)",
    samples="f32(3, 8); f32(7), 5; f64(4, 3), 6, 0, 'ortho'; f32(5), None, -1, 'forward'",
)
def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of hfft: the first n // 2 + 1 numbers of ifft of real ones. See rfft."""
    return _from_real("ihfft", input, n, dim, True, norm)


@publish(
    "ops.fft2",
    numpy="np.fft.fft2(input, s, dim, norm)",
    samples="c64(3, 4, 5); f32(4, 6), (3, 8); c128(2, 3, 4), None, (0, 1), 'ortho'",
)
def fft2(input: Tensor, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None) -> Any:
    """fft along two axes, cut or filled up to the sizes s."""
    return _all_complex("fft2", input, _axes("fft2", input, s, dim), False, norm)


@publish(
    "ops.ifft2",
    numpy="np.fft.ifft2(input, s, dim, norm)",
    samples="c64(3, 4, 5); c64(4, 6), (3, 8); c128(2, 3, 4), None, (0, 1), 'ortho'",
)
def ifft2(input: Tensor, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None) -> Any:
    """ifft along two axes, cut or filled up to the sizes s."""
    return _all_complex("ifft2", input, _axes("ifft2", input, s, dim), True, norm)


@publish(
    "ops.fftn",
    numpy="np.fft.fftn(input, s, dim, norm)",
    samples="c64(3, 4, 2); f32(4, 6), (3, 8); c64(2, 3, 4), (5, 2), None, 'ortho'",
)
def fftn(input: Tensor, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None) -> Any:
    """fft along several axes: all, or the last ones that s has sizes for."""
    return _all_complex("fftn", input, _axes("fftn", input, s, dim), False, norm)


@publish(
    "ops.ifftn",
    numpy="np.fft.ifftn(input, s, dim, norm)",
    samples="c64(3, 4, 2); c64(4, 6), (3, 8); c64(2, 3, 4), (5, 2), None, 'forward'",
)
def ifftn(input: Tensor, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None) -> Any:
    """ifft along several axes: all, or the last ones that s has sizes for."""
    return _all_complex("ifftn", input, _axes("ifftn", input, s, dim), True, norm)


@publish(
    "ops.rfft2",
    numpy="np.fft.rfft2(input, s, dim, norm)",
    samples="f32(3, 4, 5); f32(4, 6), (3, 8); f64(2, 3, 4), None, (0, 1), 'ortho'",
)
def rfft2(input: Tensor, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None) -> Any:
    """rfft along the last of two axes, then fft along the other."""
    return _all_from_real("rfft2", input, s, dim, False, norm)


@publish(
    "ops.irfft2",
    numpy="np.fft.irfft2(input, s, dim, norm)",
    samples="c64(3, 4, 5); c64(4, 6), (3, 8); c128(2, 3, 4), None, (0, 1), 'ortho'",
)
def irfft2(input: Tensor, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of rfft2."""
    return _all_to_real("irfft2", input, s, dim, True, norm)


@publish(
    "ops.rfftn",
    numpy="np.fft.rfftn(input, s, dim, norm)",
    samples="f32(3, 4, 2); f32(4, 6), (3, 8); f32(2, 3, 4), (5, 2), None, 'forward'",
)
def rfftn(input: Tensor, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None) -> Any:
    """rfft along the last of several axes, then fft along the others."""
    return _all_from_real("rfftn", input, s, dim, False, norm)


@publish(
    "ops.irfftn",
    numpy="np.fft.irfftn(input, s, dim, norm)",
    samples="c64(3, 4, 3); c64(4, 6), (3, 8); c64(2, 3, 4), (5, 2), None, 'ortho'",
)
def irfftn(input: Tensor, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None) -> Any:
    """The inverse of rfftn."""
    return _all_to_real("irfftn", input, s, dim, True, norm)


@publish(
    "ops.hfft2",
    numpy=f"np.fft.irfftn(np.conj(input), s, dim, {_NORMS})",
    samples="c64(3, 4, 5); c64(4, 6), (3, 8); c128(2, 3, 4), None, (0, 1), 'ortho'",
)
def hfft2(input: Tensor, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None) -> Any:
    """fft along the first of two axes, then hfft along the other."""
    return _all_to_real("hfft2", input, s, dim, False, norm)


@publish(
    "ops.ihfft2",
    numpy=f"np.conj(np.fft.rfftn(input, s, dim, {_NORMS}))",
    samples="f32(3, 4, 5); f32(4, 6), (3, 8); f64(2, 3, 4), None, (0, 1), 'ortho'",
)
def ihfft2(input: Tensor, s: Ints | None = None, dim: Ints = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of hfft2."""
    return _all_from_real("ihfft2", input, s, dim, True, norm)


@publish(
    "ops.hfftn",
    numpy=f"np.fft.irfftn(np.conj(input), s, dim, {_NORMS})",
    samples="c64(3, 4, 3); c64(4, 6), (3, 8); c64(2, 3, 4), (5, 2), None, 'forward'",
)
def hfftn(input: Tensor, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None) -> Any:
    """fft along several axes but the last of them, then hfft along that."""
    return _all_to_real("hfftn", input, s, dim, False, norm)


@publish(
    "ops.ihfftn",
    numpy=f"np.conj(np.fft.rfftn(input, s, dim, {_NORMS}))",
    samples="f32(3, 4, 2); f32(4, 6), (3, 8); f32(2, 3, 4), (5, 2), None, 'ortho'",
)
def ihfftn(input: Tensor, s: Ints | None = None, dim: Ints | None = None, norm: str | None = None) -> Any:
    """The inverse of hfftn."""
    return _all_from_real("ihfftn", input, s, dim, True, norm)


def _rolled(function: str, x: Tensor, dim: Ints | None, forth: bool) -> Any:
    axes = range(x.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    for axis in axes:
        at = checked_axis(function, x, axis)
        n = x.shape[at]
        first = n - n // 2 if forth else n // 2
        if n > 1:
            x = _ops.concat([x[along(at, slice(first, None))], x[along(at, slice(first))]], at)
    return x


@publish("ops.fftshift", numpy="np.fft.fftshift(input, dim)", samples="f32(5); c64(3, 4); f32(2, 3, 4), (0, 2); i32(6), 0")
def fftshift(input: Tensor, dim: Ints | None = None) -> Any:
    """The elements along all or the given axes turned by half, so that frequency 0 stands in the middle."""
    return _rolled("fftshift", input, dim, True)


@publish("ops.ifftshift", numpy="np.fft.ifftshift(input, dim)", samples="f32(5); c64(3, 4); f32(2, 3, 4), (0, 2); i32(6), 0")
def ifftshift(input: Tensor, dim: Ints | None = None) -> Any:
    """The inverse of fftshift."""
    return _rolled("ifftshift", input, dim, False)


@publish("ops.fftfreq", numpy="np.fft.fftfreq(n, d).astype(dtype or np.float32)", samples="8; 7, 0.5; 5, 2.0, float64")
def fftfreq(n: int, d: float = 1.0, dtype: DType | None = None) -> Any:
    """The frequencies of the numbers that fft gives, 0, 1, ..., -2, -1 over n d, in cycles per unit of the distance d."""
    half = (check_within("fftfreq", "n", n, 1) + 1) // 2
    order = _ops.concat([_ops.arange(half), _ops.arange(half - n, 0)], 0)
    return _ops.mul(_ops.cast(order, core.float32 if dtype is None else dtype), 1.0 / (n * d))


@publish("ops.rfftfreq", numpy="np.fft.rfftfreq(n, d).astype(dtype or np.float32)", samples="8; 7, 0.5; 5, 2.0, float64")
def rfftfreq(n: int, d: float = 1.0, dtype: DType | None = None) -> Any:
    """The frequencies of the numbers that rfft gives, 0, 1, ..., n // 2 over n d. See fftfreq."""
    count = check_within("rfftfreq", "n", n, 1) // 2 + 1
    return _ops.mul(_ops.cast(_ops.arange(count), core.float32 if dtype is None else dtype), 1.0 / (n * d))
