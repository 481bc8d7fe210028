"""Spectra: Fourier transforms of windows along time, and of the last axes of real or complex numbers."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_rank
from emberjit.functions.arguments import ints_of
from emberjit.functions.images import patches
from emberjit.functions.signal import fourier
from emberjit.publish.kinds import COMPLEXES, Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _extended(x: Tensor, width: int, mode: str) -> Any:
    """x with elements before and after the last axis: zeros, or its own reflected at the first and last elements or
    edges."""
    size = x.shape[-1]
    if mode == "constant":
        return _ops.pad(x, (width, width))
    if width >= size + (mode == "symmetric"):
        raise ValueError(f"For 'stft', {width} elements cannot be reflected at the ends of a signal of {size}.")
    turn = 2 * size if mode == "symmetric" else max(2 * size - 2, 1)
    at = _ops.floor_mod(_ops.arange(-width, size + width), turn)
    return _ops.gather(x, _ops.minimum(at, turn - (mode == "symmetric") - at), x.ndim - 1)


@publish(
    "ops.STFT(n_fft, hop_length, win_length, normalized, onesided, return_complex)(signal as x, window)",
    numpy="sequences.stft(signal, n_fft, hop_length, win_length, window, normalized, onesided, return_complex)",
    samples="""f32(2, 12), f32(4), 4, 2, 4, False, True, True; f64(11), f64(3), 5, 3, 3, True, False, True; c64(9), f32(4),
    4, 4, 4, False, False, False; f32(9), f32(4), 4, 1, 4, False, True, False""",
)
def windowed_spectra(
    signal: Tensor,
    window: Tensor,
    n_fft: int,
    hop_length: int,
    win_length: int,
    normalized: bool,
    onesided: bool,
    return_complex: bool,
) -> Any:
    """The short-time Fourier transform of signals (L) or (N, L): (frequencies, frames), or (N, frequencies, frames).

    Args:
        window: what the n_fft elements of a frame are multiplied by (win_length), in the middle of zeros.
        n_fft: the length of frames.
        hop_length: the distance of frames.
        normalized: whether the result is divided by sqrt(n_fft).
        onesided: whether to give only the first n_fft // 2 + 1 frequencies, of which the others are conjugates.
        return_complex: whether complex numbers result, or real ones with a last axis of real and imaginary parts.

    Raises:
        TypeError: signal or window is of a half type.
        ValueError: a length is out of range, shapes do not fit, or onesided is True for complex numbers.
    """
    name = "STFT"
    check_rank(name, "x", signal, 1, 2)
    lengths = ("n_fft", n_fft), ("hop_length", hop_length), ("win_length", win_length)
    for argument, value in lengths:
        ints_of(name, argument, value, 1, 1)
    if win_length > n_fft or tuple(window.shape) != (win_length,):
        raise ValueError(
            f"For '{name}', 'window' must be of shape ({win_length},), and that at most {n_fft}, but is of "
            f"{tuple(window.shape)}."
        )
    lacking = n_fft - win_length
    shape = _ops.pad(window, (lacking // 2, lacking - lacking // 2)) if lacking else window
    frames = patches.unfolded(name, signal, [(n_fft, hop_length, 1)])
    frames = frames * _ops.expand_dims(shape, 1)
    if onesided and frames.dtype in COMPLEXES:
        raise ValueError(f"For '{name}', 'onesided' must be False for complex signals or windows.")
    transform = fourier.rfft if onesided else fourier.fft
    out = transform(frames, None, -2, "ortho" if normalized else None)
    return out if return_complex else _ops.view_as_real(out)


@publish(
    "ops.stft",
    numpy="""sequences.stft(np.pad(x, [(0, 0)] * (x.ndim - 1) + [(n_fft // 2 if center else 0,) * 2],
    pad_mode.lower()), n_fft,
    hop_length or n_fft // 4, win_length or n_fft, np.ones(win_length or n_fft) if window is None else window, normalized,
    not np.iscomplexobj(x) if onesided is None else onesided,
    np.iscomplexobj(x) if return_complex is None else return_complex)""",
    samples="""f32(2, 12), 4; f64(11), 5, 3, 3, f64(3), True, 'constant', True, None, True; c64(9), 4; f32(9), 8, None,
    None, None, False, 'REFLECT', False, False, True; f32(9), 8, 2, None, None, True, 'SYMMETRIC'""",
)
def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "REFLECT",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Any:
    """The short-time Fourier transform of signals (L) or (N, L): (frequencies, frames), or (N, frequencies, frames).

    Args:
        n_fft: the length of frames.
        hop_length: the distance of frames, by default n_fft // 4.
        win_length: the length of the window, by default n_fft.
        window: what the elements of a frame are multiplied by (win_length), in the middle of zeros; by default 1.
        center: whether n_fft // 2 elements are added at both ends, so that frames have their middles where they are.
        pad_mode: which, in either case of letters: "reflect", those of the signal reflected at its first and last
            elements, "symmetric", at its ends, "constant", zeros.
        normalized: whether the result is divided by sqrt(n_fft).
        onesided: whether to give only the first n_fft // 2 + 1 frequencies; by default for real numbers.
        return_complex: whether complex numbers result, or real ones with a last axis of real and imaginary parts; by
            default complex numbers of complex ones.

    Raises:
        TypeError: x or window is of a half type.
        ValueError: a length is out of range, shapes do not fit, or onesided is True for complex numbers.
    """
    check_rank("stft", "x", x, 1, 2)
    ints_of("stft", "n_fft", n_fft, 1, 1)
    check_choice("stft", "pad_mode", pad_mode.lower(), "reflect", "symmetric", "constant")
    length = n_fft if win_length is None else win_length
    ones = _ops.ones((max(length, 0),), core.float64 if x.dtype == core.complex128 else core.float32)
    weights = (ones if x.dtype in COMPLEXES else _ops.cast(ones, x.dtype)) if window is None else window
    complex = x.dtype in COMPLEXES or weights.dtype in COMPLEXES
    if center:
        x = _extended(x, n_fft // 2, pad_mode.lower())
    return windowed_spectra(
        x,
        weights,
        n_fft,
        n_fft // 4 if hop_length is None else hop_length,
        length,
        normalized,
        not complex if onesided is None else onesided,
        complex if return_complex is None else return_complex,
    )


@publish(
    "ops.FFTWithSize(signal_ndim, inverse, real, norm, onesided, signal_sizes)(x)",
    numpy="sequences.fft_with_size(x, signal_ndim, inverse, real, norm, onesided, signal_sizes)",
    samples="""c64(3, 4), 1, False, False; c64(3, 4), 2, True, False, 'ortho'; f32(2, 3, 4), 2, False, True; f64(2, 5), 1,
    False, True, 'forward', False; c64(2, 3), 2, True, True; c128(2, 3), 1, True, True, 'ortho', True, (5,); c64(2, 3), 1,
    True, True, 'backward', False""",
)
def fft_with_size(
    x: Tensor,
    signal_ndim: int,
    inverse: bool,
    real: bool,
    norm: str = "backward",
    onesided: bool = True,
    signal_sizes: Ints = (),
) -> Any:
    """The discrete Fourier transform along the last signal_ndim axes, one to three, or its inverse.

    Args:
        inverse: whether the inverse; then `real` means that the result is real.
        real: whether x is real.
        norm: "backward": the inverse is divided by the number of elements; "forward": the other; "ortho": both by the root.
        onesided: whether real numbers have, or get, half of the spectrum: the last axis to n // 2 + 1.
        signal_sizes: the sizes of the axes of a real inverse.

    Raises:
        TypeError: x is of a half type, or complex where it is to be real.
        ValueError: an argument is out of range.
    """
    name = "FFTWithSize"
    check_choice(name, "signal_ndim", signal_ndim, 1, 2, 3)
    check_choice(name, "norm", norm, "backward", "forward", "ortho")
    if x.ndim < signal_ndim:
        raise ValueError(f"For '{name}', 'x' must have {signal_ndim} axes, but its shape is {tuple(x.shape)}.")
    axes = tuple(range(-signal_ndim, 0))
    sizes = ints_of(name, "signal_sizes", signal_sizes, signal_ndim, 1) if signal_sizes else None
    if real and onesided:
        return fourier.irfftn(x, sizes, axes, norm) if inverse else fourier.rfftn(x, None, axes, norm)
    if real and not inverse and x.dtype in COMPLEXES:
        raise TypeError(f"For '{name}', 'x' must be real, but is of {x.dtype}.")
    spectrum = fourier.ifftn(x, sizes, axes, norm) if inverse else fourier.fftn(x, None, axes, norm)
    return _ops.real(spectrum) if real and inverse else spectrum
