"""Cepstra: cosine transforms of logarithms of spectra; their changes over time, and their normalization."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.audio.banks import cosines, linear_bank
from emberjit.dataset.audio.effects import in_decibels
from emberjit.dataset.audio.frames import Frames, padded
from emberjit.dataset.audio.kinds import BorderType, MelType, NormMode, NormType, WindowType
from emberjit.dataset.audio.sound import AudioTransform, real, result_dtype
from emberjit.dataset.audio.spectra import Mels, OfMels, OfSpectrum, Spectrum
from emberjit.dataset.values import Array

_SPECTRUM: dict[str, Any] = {
    "pad": 0,
    "window": WindowType.HANN,
    "power": 2.0,
    "normalized": False,
    "center": True,
    "pad_mode": BorderType.REFLECT,
    "onesided": True,
}


def _spectrum(where: str, options: dict[str, Any]) -> Spectrum:
    """The spectrum that options describe; their keys are removed."""
    values = {name: options.pop(name, default) for name, default in _SPECTRUM.items()}
    lengths = options.pop("n_fft", 400), options.pop("win_length", None), options.pop("hop_length", None)
    frames = Frames(where, *lengths, values.pop("window"), least=0)
    return Spectrum(where, frames, **values)


def _no_more(where: str, name: str, options: dict[str, Any]) -> None:
    if options:
        raise ValueError(f"For '{where}', '{name}' must have no other keys, but got {sorted(options)}.")


def _cepstrum(sums: Array, logarithmic: bool, matrix: Array) -> Any:
    """Sums of powers, of axes ..., filter, time, as float32 coefficients."""
    levels = np.log(sums + 1e-6) if logarithmic else in_decibels(sums)
    return (matrix.T.astype(np.float64) @ levels).astype(np.float32)


def _dct_type(where: str, dct_type: int) -> None:
    if dct_type != 2:
        raise ValueError(f"For '{where}', 'dct_type' must be 2, but got {dct_type!r}.")


class MFCC(OfMels):
    """Computes mel-frequency cepstral coefficients: the cosine transform of the logarithms of MelSpectrogram().

    Args:
        sample_rate: samples per second.
        n_mfcc: the number of coefficients, at most that of mels.
        dct_type: 2, the type of the cosine transform.
        norm: how its columns are scaled, a NormMode.
        log_mels: whether logarithms are natural, of mels plus 1e-6; False: decibels, from the loudest to 80 below.
        melkwargs: a dict of further arguments of MelSpectrogram(); None: its defaults.

    Inputs:
        sound: an array of shape (..., time); the result is float32 of shape (..., n_mfcc, frames).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range, or no argument of MelSpectrogram().
        RuntimeError: the sound is shorter than half a frame.

    Examples:
        >>> wave = np.cos(2 * np.pi * np.arange(64) / 4)
        >>> audio.MFCC(sample_rate=8000, n_mfcc=3, melkwargs={"n_fft": 16, "n_mels": 4})(wave).shape
        (3, 9)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_mfcc: int = 40,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False,
        melkwargs: Mapping[str, Any] | None = None,
    ):
        where = "MFCC"
        check_int32(where, "n_mfcc", n_mfcc)
        _dct_type(where, dct_type)
        check_instance(where, "norm", norm, NormMode)
        self.log_mels = check_bool(where, "log_mels", log_mels)
        options = dict(check_instance(where, "melkwargs", {} if melkwargs is None else melkwargs, dict))
        self.spectrum = _spectrum(where, options)
        number, low, high, width, scale = (
            options.pop(name, default)
            for name, default in (
                ("n_mels", 128),
                ("f_min", 0.0),
                ("f_max", None),
                ("norm", NormType.NONE),
                ("mel_scale", MelType.HTK),
            )
        )
        _no_more(where, "melkwargs", options)
        bins = self.spectrum.frames.n_fft // 2 + 1
        self.mels = Mels(where, number, sample_rate, low, high, bins, width, scale)
        if n_mfcc > number:
            raise ValueError(f"For '{where}', 'n_mfcc' must be at most the number of mels, {number}, but got {n_mfcc}.")
        self.matrix = cosines(n_mfcc, number, norm)

    def apply(self, array: Array) -> Any:
        return _cepstrum(self.mels_of(array), self.log_mels, self.matrix)


class LFCC(OfSpectrum):
    """Computes linear-frequency cepstral coefficients: the cosine transform of the logarithms of a spectrum that is summed
    by the filter bank of linear_fbanks().

    Args:
        sample_rate: samples per second.
        n_filter: the number of filters.
        n_lfcc: the number of coefficients.
        f_min: the lowest frequency, in Hz.
        f_max: the highest one, in Hz; None: sample_rate // 2.
        dct_type: 2, the type of the cosine transform.
        norm: how its columns are scaled, a NormMode.
        log_lf: whether logarithms are natural, of sums plus 1e-6; False: decibels, from the loudest to 80 below.
        speckwargs: a dict of arguments of Spectrogram(); None: its defaults.

    Inputs:
        sound: an array of shape (..., time); the result is float32 of shape (..., n_lfcc, frames).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range, or no argument of Spectrogram().
        RuntimeError: the sound is shorter than a frame.

    Examples:
        >>> wave = np.cos(2 * np.pi * np.arange(64) / 4)
        >>> audio.LFCC(sample_rate=8000, n_filter=4, n_lfcc=3, speckwargs={"n_fft": 16})(wave).shape
        (3, 9)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_filter: int = 128,
        n_lfcc: int = 40,
        f_min: float = 0.0,
        f_max: float | None = None,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_lf: bool = False,
        speckwargs: Mapping[str, Any] | None = None,
    ):
        where = "LFCC"
        check_int32(where, "sample_rate", sample_rate)
        check_int32(where, "n_filter", n_filter, 1)
        check_int32(where, "n_lfcc", n_lfcc, 1)
        real(where, "f_min", f_min, 0)
        highest = sample_rate // 2 if f_max is None else real(where, "f_max", f_max, 0)
        if f_min > highest or (f_max is None and f_min == highest):
            raise ValueError(f"For '{where}', 'f_min' must be below 'f_max', {highest}, but got {f_min}.")
        _dct_type(where, dct_type)
        check_instance(where, "norm", norm, NormMode)
        self.log_lf = check_bool(where, "log_lf", log_lf)
        options = dict(check_instance(where, "speckwargs", {} if speckwargs is None else speckwargs, dict))
        self.spectrum = _spectrum(where, options)
        _no_more(where, "speckwargs", options)
        n_fft = self.spectrum.frames.n_fft
        if n_lfcc > n_fft:
            raise ValueError(f"For '{where}', 'n_lfcc' must be at most 'n_fft', {n_fft}, but got {n_lfcc}.")
        self.bank = linear_bank(n_fft // 2 + 1, f_min, highest, n_filter, sample_rate)
        self.matrix = cosines(n_lfcc, n_filter, norm)

    def apply(self, array: Array) -> Any:
        spectrum = self.spectrum_of(array)[..., : len(self.bank), :]
        return _cepstrum(self.bank.T.astype(np.float64) @ spectrum, self.log_lf, self.matrix)


class ComputeDeltas(AudioTransform):
    """Computes the slope over time of each coefficient, by linear regression over a window: sum_n n c[t + n] / sum_n n ** 2.

    Args:
        win_length: the length of the window, at least 3; of an even number one less is taken.
        pad_mode: what is beyond both ends, a BorderType.

    Inputs:
        spectrum: an array of shape (..., freq, time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: win_length is below 3.
        RuntimeError: an array has fewer than two axes.

    Examples:
        >>> print(audio.ComputeDeltas(win_length=3)(np.array([[0.0, 1.0, 2.0, 3.0]])))
        [[0.5 1.  1.  0.5]]
    """

    form = "..., freq, time"

    def __init__(self, win_length: int = 5, pad_mode: BorderType = BorderType.EDGE):
        self.reach = (check_int32("ComputeDeltas", "win_length", win_length, 3) - 1) // 2
        self.pad_mode = check_instance("ComputeDeltas", "pad_mode", pad_mode, BorderType)

    def apply(self, array: Array) -> Any:
        wide = padded(array.astype(np.float64), self.reach, self.reach, self.pad_mode)
        at = np.arange(-self.reach, self.reach + 1)
        deltas = np.lib.stride_tricks.sliding_window_view(wide, len(at), -1) @ (at / (at @ at))
        return deltas.astype(result_dtype(array))


class SlidingWindowCmn(AudioTransform):
    """Subtracts from cepstral coefficients their mean over a window of frames that slides along.

    Args:
        cmn_window: the length of the window in frames; unless it is centered, it has the frame itself in addition.
        min_cmn_window: the least number of frames at the beginning, unless it is centered.
        center: whether the window is centered at each frame; False: it ends with it.
        norm_vars: whether coefficients are divided by their standard deviation in the window, too.

    Inputs:
        cepstrum: an array of shape (..., frame, coefficient).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is negative.
        RuntimeError: an array has fewer than two axes, or the window no frame.

    Examples:
        >>> cepstrum = np.array([[1.0], [2.0], [3.0], [6.0]])
        >>> print(audio.SlidingWindowCmn(cmn_window=4, center=True)(cepstrum))
        [[-2.]
         [-1.]
         [ 0.]
         [ 3.]]
    """

    form = "..., frame, coefficient"

    def __init__(self, cmn_window: int = 600, min_cmn_window: int = 100, center: bool = False, norm_vars: bool = False):
        self.window = check_int32("SlidingWindowCmn", "cmn_window", cmn_window)
        self.least = check_int32("SlidingWindowCmn", "min_cmn_window", min_cmn_window)
        self.center = check_bool("SlidingWindowCmn", "center", center)
        self.norm_vars = check_bool("SlidingWindowCmn", "norm_vars", norm_vars)

    def _windows(self, frames: int) -> tuple[Any, Any]:
        """Where the window of each frame begins and ends."""
        at = np.arange(frames)
        if self.center:
            start = np.maximum(at - self.window // 2, 0)
            stop = start + self.window
        else:
            start = np.maximum(at - self.window, 0)
            stop = np.maximum(at + 1, np.where(start == 0, self.least, 0))
        over = np.maximum(stop - frames, 0)
        return np.maximum(start - over, 0), stop - over

    def apply(self, array: Array) -> Any:
        start, stop = self._windows(array.shape[-2])
        number = (stop - start)[:, None]
        if not number.all():
            raise self.refuse(f"'cmn_window' must be above 0, but is {self.window}")
        wide = array.astype(np.float64)
        wide -= wide.mean(-2, keepdims=True)

        def means(values: Array) -> Any:
            sums = np.concatenate([np.zeros_like(values[..., :1, :]), np.cumsum(values, -2)], -2)
            return (sums[..., stop, :] - sums[..., start, :]) / number

        mean = means(wide)
        normalized = wide - mean
        if self.norm_vars:
            normalized = np.where(number == 1, 0, normalized / np.sqrt(means(wide**2) - mean**2))
        return normalized.astype(result_dtype(array))
