"""The extension fft: discrete Fourier transforms along one axis or several, complex64 of float32, complex128 of float64.

`n`, and `s` of several axes, are the sizes to which axes are cut, or filled up with zeros. `norm`: "backward": the inverse
is divided by the number of elements; "forward": the transform; "ortho": both by the root. All raise TypeError of other
dtypes than floats, or of complex numbers where real ones are transformed, and ValueError of axes, sizes and norms that are
out of range.
Source: the Python array API standard, "Fourier transform Functions"; methods as in emberjit.functions.signal.fourier.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from emberjit.array_api.array import Array, named, tensor_in
from emberjit.array_api.dtypes import DEFAULTS, FLOATS, REAL_FLOATS, DType, checked
from emberjit.functions.signal import fourier
from emberjit.tensors.functions import check_device

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def _one(transform: Callable[..., Any], allowed: Sequence[DType], documentation: str) -> Callable[..., Array]:
    """The namespace's function for a transform along one axis."""
    name = transform.__name__

    def function(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
        tensor = tensor_in(name, x)
        checked(name, tensor.dtype, allowed)
        return Array(transform(tensor, n, axis, norm))

    return named(function, name, documentation)


def _several(transform: Callable[..., Any], allowed: Sequence[DType], documentation: str) -> Callable[..., Array]:
    """The namespace's function for a transform along several axes."""
    name = transform.__name__

    def function(
        x: Array, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward"
    ) -> Array:
        tensor = tensor_in(name, x)
        checked(name, tensor.dtype, allowed)
        return Array(transform(tensor, s, axes, norm))

    return named(function, name, documentation)


fft = _one(fourier.fft, FLOATS, "sum over j of x[j] exp(-2 pi i j k / n) for each k along an axis.")
ifft = _one(fourier.ifft, FLOATS, "The inverse of fft.")
rfft = _one(fourier.rfft, REAL_FLOATS, "The first n // 2 + 1 numbers of fft of real ones; the others are their conjugates.")
irfft = _one(fourier.irfft, FLOATS, "The inverse of rfft: n real numbers, by default 2 (size of the axis - 1).")
hfft = _one(fourier.hfft, FLOATS, "fft of n Hermitian numbers, of which the first n // 2 + 1 are given: n real numbers.")
ihfft = _one(fourier.ihfft, REAL_FLOATS, "The inverse of hfft: the first n // 2 + 1 numbers of ifft of real ones.")
fftn = _several(fourier.fftn, FLOATS, "fft along several axes: all, or the last ones that s has sizes for.")
ifftn = _several(fourier.ifftn, FLOATS, "The inverse of fftn.")
rfftn = _several(fourier.rfftn, REAL_FLOATS, "rfft along the last of several axes, then fft along the others. See fftn.")
irfftn = _several(fourier.irfftn, FLOATS, "The inverse of rfftn.")


def _frequencies(transform: Callable[..., Any], n: int, d: float, dtype: DType | None, device: str | None) -> Array:
    name = transform.__name__
    check_device(name, device)
    return Array(transform(n, d, checked(name, DEFAULTS[float] if dtype is None else dtype, REAL_FLOATS)))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: str | None = None) -> Array:
    """The frequencies of the numbers that fft gives, 0, 1, ..., -2, -1 over n d, in cycles per unit of the distance d."""
    return _frequencies(fourier.fftfreq, n, d, dtype, device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: str | None = None) -> Array:
    """The frequencies of the numbers that rfft gives, 0, 1, ..., n // 2 over n d. See fftfreq."""
    return _frequencies(fourier.rfftfreq, n, d, dtype, device)


def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The elements along all or the given axes turned by half, so that frequency 0 stands in the middle."""
    return Array(fourier.fftshift(tensor_in("fftshift", x), axes))


def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The inverse of fftshift."""
    return Array(fourier.ifftshift(tensor_in("ifftshift", x), axes))
