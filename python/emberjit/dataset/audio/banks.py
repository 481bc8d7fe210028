"""Windows, and matrices that sum frequencies: triangles over mels or over frequencies, and the cosine transform."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_instance, check_int32
from emberjit.dataset.audio.kinds import MelType, NormMode, NormType, WindowType
from emberjit.dataset.audio.sound import positive, real, spaced
from emberjit.dataset.values import Array, Floating

_KAISER_BETA = 12.0
_LINEAR_MEL = 200 / 3  # Hz of a mel of Slaney's, which are linear below 1000 Hz
_LOG_STEP = math.log(6.4) / 27


def window(kind: WindowType, length: int) -> Any:
    """A periodic window of a length, float32; of length 1 it is 1."""
    if length == 1:
        return np.ones(1, np.float32)
    at = np.arange(length) / length
    angle = 2 * np.pi * at
    if kind == WindowType.BARTLETT:
        values = 1 - np.abs(2 * at - 1)
    elif kind == WindowType.BLACKMAN:
        values = 0.42 - 0.5 * np.cos(angle) + 0.08 * np.cos(2 * angle)
    elif kind == WindowType.HAMMING:
        values = 0.54 - 0.46 * np.cos(angle)
    elif kind == WindowType.HANN:
        values = 0.5 - 0.5 * np.cos(angle)
    else:
        values = np.i0(_KAISER_BETA * np.sqrt(1 - (2 * at - 1) ** 2)) / np.i0(_KAISER_BETA)
    return values.astype(np.float32)


def _triangles(frequencies: Array, points: Array) -> Any:
    """For each frequency the height of each triangle, over three neighbouring points, of height 1."""
    slopes = points - frequencies[:, None]
    widths = np.diff(points)
    with np.errstate(divide="ignore", invalid="ignore"):
        sides = np.minimum(-slopes[:, :-2] / widths[:-1], slopes[:, 2:] / widths[1:])
    return np.where(sides > 0, sides, points.dtype.type(0))


def _to_mels(frequency: float, scale: MelType) -> float:
    if scale == MelType.HTK:
        return 2595 * math.log10(1 + frequency / 700)
    if frequency < 1000:
        return frequency / _LINEAR_MEL
    return 15 + math.log(frequency / 1000) / _LOG_STEP


def _from_mels(mels: Array, scale: MelType) -> Any:
    wide = mels.astype(np.float64)
    if scale == MelType.HTK:
        frequencies = 700 * (np.power(10, wide / 2595) - 1)
    else:
        frequencies = np.where(wide < 15, _LINEAR_MEL * wide, 1000 * np.exp(_LOG_STEP * (wide - 15)))
    return frequencies.astype(mels.dtype)


def mel_bank(
    n_freqs: int, f_min: float, f_max: float, n_mels: int, sample_rate: int, norm: NormType, scale: MelType, kind: Floating
) -> Any:
    """melscale_fbanks() in a dtype, of arguments that are checked."""
    low, high = (_to_mels(float(np.float32(edge)), scale) for edge in (f_min, f_max))
    points = _from_mels(spaced(low, high, n_mels + 2, kind), scale)
    bank = _triangles(spaced(0, sample_rate / 2, n_freqs, kind), points)
    return bank * (2 / (points[2:] - points[:-2])) if norm == NormType.SLANEY else bank


def linear_bank(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> Any:
    """linear_fbanks() of arguments that are checked."""
    points = spaced(f_min, f_max, n_filter + 2, np.float32)
    return _triangles(spaced(0, sample_rate / 2, n_freqs, np.float32), points)


def cosines(n_mfcc: int, n_mels: int, norm: NormMode) -> Any:
    """create_dct() of arguments that are checked."""
    angles = np.pi / n_mels * (np.arange(n_mels)[:, None] + 0.5) * np.arange(n_mfcc)
    matrix = np.cos(angles.astype(np.float32))
    if norm == NormMode.NONE:
        return matrix * np.float32(2)
    matrix[:, :1] *= np.float32(math.sqrt(0.5))
    return matrix * np.float32(math.sqrt(2 / n_mels))


def create_dct(n_mfcc: int, n_mels: int, norm: NormMode = NormMode.NONE) -> Any:
    """Makes the matrix of the discrete cosine transform of type 2: 2 cos(pi / n_mels (i + 1/2) j) in row i and column j.
    Vectors of n_mels are multiplied by it from the left, vector @ matrix.

    Args:
        n_mfcc: the number of columns, coefficients that are kept; at least 1.
        n_mels: the number of rows; at least 1.
        norm: a NormMode; ORTHO scales the columns to length 1.

    Returns:
        A float32 array of shape (n_mels, n_mfcc).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a length is below 1.

    Examples:
        >>> print(audio.create_dct(2, 4).round(3))
        [[ 2.     1.848]
         [ 2.     0.765]
         [ 2.    -0.765]
         [ 2.    -1.848]]
    """
    check_int32("create_dct", "n_mfcc", n_mfcc, 1)
    check_int32("create_dct", "n_mels", n_mels, 1)
    check_instance("create_dct", "norm", norm, NormMode)
    return cosines(n_mfcc, n_mels, norm)


def _bank_arguments(where: str, n_freqs: int, f_min: float, f_max: float, number: tuple[str, int], sample_rate: int) -> None:
    check_int32(where, "n_freqs", n_freqs)
    real(where, "f_min", f_min, 0)
    positive(where, "f_max", f_max)
    if f_min > f_max:
        raise ValueError(f"For '{where}', 'f_min' must be at most 'f_max', but got {f_min} and {f_max}.")
    check_int32(where, *number, 1)
    check_int32(where, "sample_rate", sample_rate, 1)


def linear_fbanks(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> Any:
    """Makes the matrix of a filter bank whose triangles, of height 1, divide the frequencies equally. Spectra of n_freqs are
    multiplied by it, spectrum @ matrix.

    Args:
        n_freqs: the number of frequencies, at equal distances from 0 Hz to sample_rate / 2.
        f_min: where the first triangle begins, in Hz, at least 0.
        f_max: where the last one ends, in Hz.
        n_filter: the number of triangles.
        sample_rate: samples per second.

    Returns:
        A float32 array of shape (n_freqs, n_filter).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is negative, n_filter or sample_rate 0, or f_min above f_max.

    Examples:
        >>> print(audio.linear_fbanks(n_freqs=7, f_min=0.0, f_max=3000.0, n_filter=2, sample_rate=6000))
        [[0.  0. ]
         [0.5 0. ]
         [1.  0. ]
         [0.5 0.5]
         [0.  1. ]
         [0.  0.5]
         [0.  0. ]]
    """
    _bank_arguments("linear_fbanks", n_freqs, f_min, f_max, ("n_filter", n_filter), sample_rate)
    return linear_bank(n_freqs, f_min, f_max, n_filter, sample_rate)


def melscale_fbanks(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
) -> Any:
    """Makes the matrix of a filter bank whose triangles divide the mels equally, so that they get wider with the frequency.
    Spectra of n_freqs are multiplied by it, spectrum @ matrix.

    Args:
        n_freqs: the number of frequencies, at equal distances from 0 Hz to sample_rate / 2.
        f_min: where the first triangle begins, in Hz, at least 0.
        f_max: where the last one ends, in Hz.
        n_mels: the number of triangles.
        sample_rate: samples per second.
        norm: a NormType; SLANEY makes their area 1, NONE their height.
        mel_type: the scale of mels, a MelType.

    Returns:
        A float32 array of shape (n_freqs, n_mels).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is negative, n_mels or sample_rate 0, or f_min above f_max.

    Examples:
        >>> print(audio.melscale_fbanks(n_freqs=5, f_min=0.0, f_max=4000.0, n_mels=2, sample_rate=8000).round(3))
        [[0.    0.   ]
         [0.676 0.324]
         [0.    0.906]
         [0.    0.453]
         [0.    0.   ]]
    """
    _bank_arguments("melscale_fbanks", n_freqs, f_min, f_max, ("n_mels", n_mels), sample_rate)
    check_instance("melscale_fbanks", "norm", norm, NormType)
    check_instance("melscale_fbanks", "mel_type", mel_type, MelType)
    return mel_bank(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type, np.float32)
