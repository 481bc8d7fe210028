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
    """Cepstra by mels: of shape ..., time becomes ..., n_mfcc, frames, float32.

    Args:
        sample_rate: samples in a second.
        n_mfcc: how many coefficients are kept, at most the number of mels.
        dct_type: 2.
        norm: as in create_dct().
        log_mels: whether logarithms are natural, of mels plus 1e-6; else decibels, of the loudest 80.
        melkwargs: a dict of other arguments of MelSpectrogram, by their names.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range, or no argument of MelSpectrogram.
        RuntimeError: the sound is shorter than half a frame.
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
    """Cepstra by equal parts of the frequencies: of shape ..., time becomes ..., n_lfcc, frames, float32.

    Args:
        sample_rate: samples in a second.
        n_filter: how many parts there are.
        n_lfcc: how many coefficients are kept.
        f_min, f_max: the range, in Hz; to sample_rate // 2 unless given.
        dct_type: 2.
        norm: as in create_dct().
        log_lf: whether logarithms are natural, of sums plus 1e-6; else decibels, of the loudest 80.
        speckwargs: a dict of arguments of Spectrogram, by their names.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range, or no argument of Spectrogram.
        RuntimeError: the sound is shorter than a frame.
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
    """The slope over time, of the line that fits the values about each best: sum_n n c[t + n] / sum_n n ** 2.

    Args:
        win_length: how many values are fitted, at least 3; of an even number one less.
        pad_mode: what is beyond the ends.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: win_length is below 3.
        RuntimeError: an array has fewer than two axes.
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
    """Cepstra less their mean over the frames about each, of axes ..., frame, coefficient.

    Args:
        cmn_window: how many frames; not centered there is one more.
        min_cmn_window: how many at least at the beginning, not centered.
        center: whether the frames are about each, or before it.
        norm_vars: whether they are divided by their standard deviation, too.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is negative.
        RuntimeError: an array has fewer than two axes, or there is no frame to take the mean of.
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
