"""Resampling, by a windowed sinc (J. O. Smith, Digital Audio Resampling Home Page)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_float, check_instance, check_int32
from emberjit.dataset.audio.frames import padded
from emberjit.dataset.audio.kinds import ResampleMethod
from emberjit.dataset.audio.sound import AudioTransform, positive, real, result_dtype
from emberjit.dataset.values import Array

_KAISER_BETA = 14.769656459379492


class Resampling:
    """From one number of samples in a second to another, of which only the ratio of their integer parts matters.

    Each sample of the result is a sum of those about its time, weighted by a sinc that passes what is below `rolloff` times
    the lower Nyquist frequency, for `lowpass_filter_width` zero crossings to both sides. Times repeat after as many samples
    as the reduced ratio says, so weights are computed for these phases.
    """

    def __init__(
        self,
        orig_freq: float,
        new_freq: float,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: int = 6,
        rolloff: float = 0.99,
        beta: float | None = None,
    ):
        divisor = math.gcd(int(orig_freq), int(new_freq))
        self.old, self.new = int(orig_freq / divisor), int(new_freq / divisor)
        self.method, self.crossings = resample_method, lowpass_filter_width
        self.scale = min(self.old, self.new) * rolloff
        self.beta = _KAISER_BETA if beta is None else beta

    def _weights(self, phases: int) -> tuple[Any, Any]:
        """For each phase the first sample that is read, from the phases' beginning, and the weights from it on."""
        half = self.crossings * self.old / self.scale
        times = np.arange(phases) * (self.old / self.new)
        first = np.ceil(times - half).astype(np.int64)
        taps = math.floor(2 * half) + 2
        at = (first[:, None] + np.arange(taps) - times[:, None]) * (self.scale / self.old)
        inside = np.clip(at / self.crossings, -1, 1)
        if self.method == ResampleMethod.SINC_INTERPOLATION:
            window = np.cos(inside * np.pi / 2) ** 2
        else:
            window = np.i0(self.beta * np.sqrt(1 - inside**2)) / np.i0(self.beta)
        return first, np.where(np.abs(at) < self.crossings, np.sinc(at) * window, 0) * (self.scale / self.old)

    def of(self, sound: Array) -> Any:
        """Sound of axes ..., time, resampled in float64."""
        if self.old == self.new:
            return sound.astype(np.float64)
        length = math.ceil(self.new * sound.shape[-1] / self.old)
        phases = min(self.new, length)
        first, weights = self._weights(phases)
        taps, periods = weights.shape[1], -(-length // self.new)
        right = (periods - 1) * self.old + int(first[-1]) + taps - sound.shape[-1]
        wide = padded(sound.astype(np.float64), -int(first[0]), max(0, right))
        resampled = np.empty((*sound.shape[:-1], periods, phases))
        group = max(
            1, 4 * taps * self.new // self.old
        )  # of phases that are computed by one matrix, of which a part is zeros
        for start in range(0, phases, group):
            stop = min(start + group, phases)
            offsets = first[start:stop] - first[start]
            matrix = np.zeros((int(offsets[-1]) + taps, stop - start))
            matrix[offsets + np.arange(taps)[:, None], np.arange(stop - start)] = weights[start:stop].T
            cut = np.lib.stride_tricks.sliding_window_view(wide, len(matrix), -1)[
                ..., first[start] - first[0] :: self.old, :
            ]
            resampled[..., start:stop] = np.ascontiguousarray(cut[..., :periods, :]) @ matrix
        return resampled.reshape(*sound.shape[:-1], -1)[..., :length]


class Resample(AudioTransform):
    """Converts sound to another sample rate, by interpolation with a windowed sinc (J. O. Smith, "Digital Audio Resampling
    Home Page"). If both rates are the same, the result is the array itself.

    Args:
        orig_freq: the sample rate of the sound, whose integer part is read.
        new_freq: that of the result.
        resample_method: the window of the sinc, a ResampleMethod.
        lowpass_filter_width: the number of zero crossings of the sinc on each side; more are sharper and slower.
        rolloff: the cutoff, as a fraction of the lower of both Nyquist frequencies, above 0 and at most 1.
        beta: the parameter of the Kaiser window; None: 14.77.

    Inputs:
        sound: an array of shape (..., time); the result is of shape (..., ceil(time * new_freq / orig_freq)).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: a frequency is below 1.

    Examples:
        >>> wave = np.cos(2 * np.pi * np.arange(100) / 20)
        >>> print(audio.Resample(orig_freq=16000, new_freq=8000)(wave).shape)
        (50,)
    """

    def __init__(
        self,
        orig_freq: float = 16000,
        new_freq: float = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: int = 6,
        rolloff: float = 0.99,
        beta: float | None = None,
    ):
        where = "Resample"
        self.frequencies = positive(where, "orig_freq", orig_freq), positive(where, "new_freq", new_freq)
        check_instance(where, "resample_method", resample_method, ResampleMethod)
        check_int32(where, "lowpass_filter_width", lowpass_filter_width, 1)
        check_float(where, "rolloff", rolloff, most=1, above=0)
        if beta is not None:
            real(where, "beta", beta, -math.inf, math.inf)
        self.method_options: tuple[Any, ...] = resample_method, lowpass_filter_width, rolloff, beta

    def apply(self, array: Array) -> Any:
        if self.frequencies[0] == self.frequencies[1]:
            return array
        if min(self.frequencies) < 1:
            raise self.refuse(f"'orig_freq' and 'new_freq' must be at least 1, but are {self.frequencies}")
        return Resampling(*self.frequencies, *self.method_options).of(array).astype(result_dtype(array))
