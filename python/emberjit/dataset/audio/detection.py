"""Properties of sound: its pitch, and where a voice begins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_int32
from emberjit.dataset.audio.banks import window
from emberjit.dataset.audio.frames import padded
from emberjit.dataset.audio.kinds import WindowType
from emberjit.dataset.audio.sound import AudioTransform, FilterTransform, nonzero, positive, real, result_dtype
from emberjit.dataset.values import Array


class DetectPitchFrequency(FilterTransform):
    """Estimates the pitch of each frame of sound in Hz: by the lag at which the frame correlates best with what follows (the
    shorter one, if there are two about equal), and the median of neighbouring frames.

    Args:
        sample_rate: samples per second, not 0.
        frame_time: the length of a frame in seconds.
        win_length: the number of frames of the median.
        freq_low: the lowest pitch, in Hz.
        freq_high: the highest one, in Hz.

    Inputs:
        sound: a float array of shape (..., time); the result is float32 of shape (..., frames).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the sound has too few frames; sample_rate is negative; or there is no lag from freq_high to freq_low.

    Examples:
        >>> wave = np.sin(2 * np.pi * 200 * np.arange(4000) / 8000)
        >>> print(audio.DetectPitchFrequency(sample_rate=8000)(wave)[:3])
        [200. 200. 200.]
    """

    def __init__(
        self, sample_rate: int, frame_time: float = 0.01, win_length: int = 30, freq_low: float = 85, freq_high: float = 3400
    ):
        where = "DetectPitchFrequency"
        self.sample_rate = nonzero(where, "sample_rate", sample_rate)
        self.frame = math.ceil(np.float32(sample_rate) * np.float32(positive(where, "frame_time", frame_time)))
        self.win_length = check_int32(where, "win_length", win_length, 1)
        self.lags = math.ceil(np.float32(sample_rate) / positive(where, "freq_low", freq_low))
        self.skipped = math.ceil(np.float32(sample_rate) / positive(where, "freq_high", freq_high))

    def apply(self, array: Array) -> Any:
        time = array.shape[-1]
        frames = -(-time // self.frame) if self.frame > 0 else 0
        before = (self.win_length - 1) // 2
        if not 0 <= self.skipped < self.lags or frames + before < self.win_length:
            raise self.refuse(
                f"there must be lags from 'freq_high' to 'freq_low', and {self.win_length} frames but for {before}, but are "
                f"lags from {self.skipped} to {self.lags} and {frames} frames"
            )
        wide = padded(array.reshape(-1, time).astype(np.float64), 0, self.lags + frames * self.frame - time)
        lags = self._lags(wide, frames)
        early = np.concatenate([np.repeat(lags[:, :1], before, 1), lags], 1)
        neighbours = np.sort(np.lib.stride_tricks.sliding_window_view(early, self.win_length, -1), -1)
        frequencies = self.sample_rate / (neighbours[..., before] + 1e-9)
        return frequencies.reshape(*array.shape[:-1], -1).astype(np.float32)

    def _lags(self, wide: Array, frames: int) -> Any:
        """The lag of each frame."""
        length = frames * self.frame
        energies = np.concatenate([np.zeros_like(wide[:, :1]), np.cumsum(wide**2, -1)], -1)
        alike = np.zeros((len(wide), frames, self.lags))
        for lag in range(1, self.lags + 1):
            products = (wide[:, :length] * wide[:, lag : lag + length]).reshape(len(wide), frames, -1)
            alike[..., lag - 1] = products.sum(-1)
        at = np.arange(frames)[:, None] * self.frame + np.arange(self.lags + 1)
        sizes = energies[:, at + self.frame] - energies[:, at]
        sizes = sizes[..., :1] * sizes[..., 1:]
        alike = np.where(sizes > 0, alike / np.where(sizes > 0, sizes, 1), 0)[..., self.skipped :]
        best = alike.argmax(-1)
        half = max(self.lags // 2 - self.skipped, 1)
        nearly = alike[..., :half].max(-1) > 0.99 * alike.max(-1)
        return np.where(nearly, alike[..., :half].argmax(-1), best) + self.skipped + 1


_NAMES = ("trigger_time", "search_time", "allowed_gap", "pre_trigger_time", "boot_time", "noise_up_time", "noise_down_time")


class Vad(AudioTransform):
    """Cuts off what comes before a voice begins (voice activity detection), as SoX's vad. Each channel is measured
    repeatedly: its spectrum, less an estimate of the noise, is transformed to a cepstrum, whose power in the range of
    voices is the measure. The first channel that triggers decides for all. Where none triggers, only the end is left, as
    long as is searched before a trigger.

    Args:
        sample_rate: samples per second.
        trigger_level: the measure that triggers.
        trigger_time: how long measures are smoothed, in seconds, so that short bursts do not trigger.
        search_time: how far before the trigger softer sound is searched that is kept, too, in seconds.
        allowed_gap: how long pauses in it may be, in seconds.
        pre_trigger_time: how much more is kept before what is found, in seconds.
        boot_time: how long noise is estimated at first, in seconds.
        noise_up_time: how fast the estimate follows when noise gets louder, in seconds.
        noise_down_time: how fast it follows when noise gets softer, in seconds; at most noise_up_time.
        noise_reduction_amount: how much of the estimate is subtracted.
        measure_freq: measures per second.
        measure_duration: how long a measure is, in seconds; None: two periods of measure_freq.
        measure_smooth_time: how long spectra are smoothed, in seconds.
        hp_filter_freq, lp_filter_freq: the lowest and the highest frequency of the spectrum, in Hz.
        hp_lifter_freq, lp_lifter_freq: the lowest and the highest pitch of the cepstrum, in Hz.

    Inputs:
        sound: an array of shape (..., time); the result is shorter, or as long.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: a range is empty, or search_time too short for one measure.

    Examples:
        >>> silence, pulses = np.zeros(32000), np.arange(32000) % 80 == 0
        >>> sound = np.concatenate([silence, pulses])
        >>> audio.Vad(sample_rate=16000)(sound).shape
        (33600,)
    """

    def __init__(
        self,
        sample_rate: int,
        trigger_level: float = 7.0,
        trigger_time: float = 0.25,
        search_time: float = 1.0,
        allowed_gap: float = 0.25,
        pre_trigger_time: float = 0.0,
        boot_time: float = 0.35,
        noise_up_time: float = 0.1,
        noise_down_time: float = 0.01,
        noise_reduction_amount: float = 1.35,
        measure_freq: float = 20.0,
        measure_duration: float | None = None,
        measure_smooth_time: float = 0.4,
        hp_filter_freq: float = 50.0,
        lp_filter_freq: float = 6000.0,
        hp_lifter_freq: float = 150.0,
        lp_lifter_freq: float = 2000.0,
    ):
        where = "Vad"
        per_second = check_int32(where, "sample_rate", sample_rate, 1)
        self.trigger_level = real(where, "trigger_level", trigger_level)
        times = (trigger_time, search_time, allowed_gap, pre_trigger_time, boot_time, noise_up_time, noise_down_time)
        for name, value in zip(_NAMES, times):
            real(where, name, value, 0)
        if noise_up_time < noise_down_time:
            raise ValueError(f"For '{where}', 'noise_down_time' must be at most 'noise_up_time', but got {noise_down_time}.")
        self.reduction = real(where, "noise_reduction_amount", noise_reduction_amount, 0)
        frequency = positive(where, "measure_freq", measure_freq)
        duration = real(where, "measure_duration", measure_duration, 0) if measure_duration else 2 / frequency
        real(where, "measure_smooth_time", measure_smooth_time, 0)

        self.measured = int(per_second * duration + 0.5)
        self.period = int(per_second / frequency + 0.5)
        self.measures = math.ceil(search_time * frequency)
        self.gap = int(allowed_gap * frequency + 0.5)
        self.kept = int(pre_trigger_time * per_second + 0.5) + self.measures * self.period + self.measured
        self.boots = int(boot_time * frequency - 0.5)
        decay = (noise_up_time, noise_down_time, measure_smooth_time, trigger_time)
        self.up, self.down, self.smooth, self.trigger = (
            math.exp(-1 / (time * frequency)) if time else 0.0 for time in decay
        )
        self._ranges(per_second, (hp_filter_freq, lp_filter_freq), (hp_lifter_freq, lp_lifter_freq))

    def _ranges(self, per_second: int, filters: tuple[float, float], lifters: tuple[float, float]) -> None:
        """The ranges of the spectrum and the cepstrum that are measured."""
        for name, value in zip(("hp_filter_freq", "lp_filter_freq"), filters):
            positive("Vad", name, value)
        for name, value in zip(("hp_lifter_freq", "lp_lifter_freq"), lifters):
            positive("Vad", name, value)
        self.size = max(16, 1 << max(self.measured - 1, 0).bit_length())
        low, high = (int(frequency / per_second * self.size + 0.5) for frequency in filters)
        self.bins = slice(max(low, 1), min(high, self.size // 2))
        longest = math.floor(per_second * 0.5 / lifters[0])
        self.pitches = slice(math.ceil(per_second * 0.5 / lifters[1]), min(longest, self.size // 4))

    def as_input(self, value: Any) -> Any:
        if self.measures < 1 or self.measured < 1 or self.period < 1:
            raise self.refuse("'search_time', 'measure_duration' and the period of 'measure_freq' must hold a sample each")
        for one, other, range_ in (
            ("hp_filter_freq", "lp_filter_freq", self.bins),
            ("hp_lifter_freq", "lp_lifter_freq", self.pitches),
        ):
            if range_.stop <= range_.start:
                raise self.refuse(f"'{one}' must be below '{other}', by enough for 'sample_rate', but leaves {range_}")
        return super().as_input(value)

    def apply(self, array: Array) -> Any:
        time = array.shape[-1]
        channels = array.reshape(-1, time).astype(np.float64)
        end, flushed = self._triggered(channels)
        start = max(0, end - self.kept + flushed * self.period)
        return array[..., start:].astype(result_dtype(array))

    def _triggered(self, channels: Array) -> tuple[int, int]:
        """Up to which sample was listened, and how many of the last measures are not kept."""
        number, time = channels.shape
        spectra, noise = (np.zeros((number, self.bins.stop - self.bins.start)) for _ in range(2))
        history, mean = np.zeros((number, self.measures)), np.zeros(number)
        boots = 0
        wide = padded(channels, self.measured, 0)
        for count, at in enumerate(range(self.measured - 1, time, self.period)):
            measure = self._measure(wide[:, at : at + self.measured], spectra, noise, boots)
            history[:, count % self.measures] = measure
            mean = mean * self.trigger + measure * (1 - self.trigger)
            hits = np.flatnonzero(mean >= self.trigger_level)
            if len(hits):
                kept = max(self._kept(history[hit], count % self.measures) for hit in range(hits[0], number))
                return at + 1, self.measures - kept
            boots = -1 if boots in (-1, self.boots) else boots + 1
        return time, 0

    def _measure(self, part: Array, spectra: Array, noise: Array, boots: int) -> Any:
        """The measure of each channel; their spectra and noise are kept up to date."""
        hann = window(WindowType.HANN, self.measured) * (2 / math.sqrt(self.measured))
        sizes = np.abs(np.fft.rfft(part * hann, self.size))[:, self.bins]
        share = boots / (1 + boots) if boots >= 0 else self.smooth
        spectra += (sizes - spectra) * (1 - share)
        powers = spectra**2
        follow = np.where(powers > noise, self.up, self.down) if boots < 0 else 0.0
        noise += (powers - noise) * (1 - follow)
        clean = np.sqrt(np.maximum(powers - self.reduction * noise, 0))
        width = clean.shape[1]
        half = np.zeros((len(clean), self.size // 2))
        half[:, self.bins] = clean * window(WindowType.HANN, width) * (2 / math.sqrt(width))
        cepstra = (np.abs(np.fft.rfft(half))[:, self.pitches] ** 2).mean(-1)
        return np.maximum(0, 21 + np.log(cepstra))

    def _kept(self, history: Array, last: int) -> int:
        """How many of the last measures are of sound that leads to the trigger, with no gap too long."""
        trigger = silent = self.measures
        for back, measure in enumerate(np.roll(history[::-1], last + 1)):
            if measure >= self.trigger_level and back <= trigger + self.gap:
                trigger = silent = back
            elif measure == 0 and trigger >= silent:
                silent = back
        return min(self.measures, silent)
