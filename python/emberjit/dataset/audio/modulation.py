"""Effects of delays that change slowly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.audio.frames import padded
from emberjit.dataset.audio.kinds import Interpolation, Modulation
from emberjit.dataset.audio.sound import AudioTransform, nonzero, real, result_dtype
from emberjit.dataset.values import Array


def oscillation(kind: Modulation, at: Array, period: int, low: float, high: float, phase: float) -> Any:
    """An oscillation from low to high at some samples, float32.

    Args:
        phase: where it is at sample 0, in periods.
    """
    turns = (at + int(phase * period + 0.5)) % period / period
    wave = (np.sin(2 * np.pi * turns) + 1) / 2 if kind == Modulation.SINUSOIDAL else 1 - np.abs((2 * turns + 0.5) % 2 - 1)
    return wave.astype(np.float32) * np.float32(high - low) + np.float32(low)


class Phaser(AudioTransform):
    """Adds to sound itself after a delay that changes slowly, again and again, as SoX's phaser; clamped to -1 to 1.

    Args:
        sample_rate: samples per second.
        gain_in: a factor of what comes in, from 0 to 1.
        gain_out: a factor of the result, from 0 to 1e9.
        delay_ms: the longest delay in milliseconds, from 0 to 5; at least one sample.
        decay: a factor of what is delayed, from 0 to 0.99.
        mod_speed: how often per second the delay oscillates, from 0.1 to 2.
        sinusoidal: whether it oscillates as a sine; False: along straight lines.

    Inputs:
        sound: an array of shape (..., time), of values from -1 to 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the delay is shorter than a sample.

    Examples:
        >>> click = np.array([1.0, 0, 0, 0, 0, 0])
        >>> print(audio.Phaser(sample_rate=1000)(click).round(3))
        [0.296 0.118 0.047 0.019 0.008 0.003]
    """

    def __init__(
        self,
        sample_rate: int,
        gain_in: float = 0.4,
        gain_out: float = 0.74,
        delay_ms: float = 3.0,
        decay: float = 0.4,
        mod_speed: float = 0.5,
        sinusoidal: bool = True,
    ):
        where = "Phaser"
        check_int32(where, "sample_rate", sample_rate, -(2**31))
        self.gain_in = real(where, "gain_in", gain_in, 0, 1)
        self.gain_out = real(where, "gain_out", gain_out, 0, 1e9)
        self.longest = int(real(where, "delay_ms", delay_ms, 0, 5) * 0.001 * sample_rate + 0.5)
        self.decay = real(where, "decay", decay, 0, 0.99)
        self.period = int(sample_rate / real(where, "mod_speed", mod_speed, 0.1, 2) + 0.5)
        sine = check_bool(where, "sinusoidal", sinusoidal)
        self.modulation = Modulation.SINUSOIDAL if sine else Modulation.TRIANGULAR

    def apply(self, array: Array) -> Any:
        if self.longest < 1:
            raise self.refuse(f"'delay_ms' must be a sample at 'sample_rate' at least, but is {self.longest} samples")
        time, before = array.shape[-1], self.longest
        at = np.arange(time)
        nearer = oscillation(self.modulation, at, self.period, 1, self.longest, 0.25)
        sources = (at - 1 + (nearer + 0.5).astype(np.int64)).tolist()
        mixed = padded(array * np.float64(self.gain_in), before, 0)
        for row in mixed.reshape(-1, before + time):
            line = row.tolist()  # which is faster for one number after the other
            for place, source in enumerate(sources, before):
                line[place] += self.decay * line[source]
            row[:] = line
        return np.clip(mixed[..., before:] * self.gain_out, -1, 1).astype(result_dtype(array))


class Flanger(AudioTransform):
    """Adds to sound itself after a short delay that changes slowly, as SoX's flanger; clamped to -1 to 1. The result has the
    array's dtype.

    Args:
        sample_rate: samples per second, not 0.
        delay: the shortest delay in milliseconds, from 0 to 30.
        depth: how much longer it gets, in milliseconds, from 0 to 10.
        regen: how many percent of what is delayed are delayed again, from -95 to 95.
        width: how many percent of what is delayed are added, from 0 to 100.
        speed: how often per second the delay oscillates, from 0.1 to 10.
        phase: by how many percent of a period the delay of one channel is ahead of the one before, from 0 to 100.
        modulation: the shape of the oscillation, a Modulation.
        interpolation: how values between samples are found, an Interpolation.

    Inputs:
        sound: an array of shape (..., channel, time), of values from -1 to 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array has fewer than two axes; sample_rate is negative, or below speed.

    Examples:
        >>> click = np.array([[1.0, 0, 0, 0]])
        >>> print(audio.Flanger(sample_rate=1000, delay=1.0)(click).round(3))
        [[0.585 0.415 0.    0.   ]]
    """

    form = "..., channel, time"

    def __init__(
        self,
        sample_rate: int,
        delay: float = 0.0,
        depth: float = 2.0,
        regen: float = 0.0,
        width: float = 71.0,
        speed: float = 0.5,
        phase: float = 25.0,
        modulation: Modulation = Modulation.SINUSOIDAL,
        interpolation: Interpolation = Interpolation.LINEAR,
    ):
        where = "Flanger"
        nonzero(where, "sample_rate", sample_rate)
        shortest = real(where, "delay", delay, 0, 30) / 1000
        longest = shortest + real(where, "depth", depth, 0, 10) / 1000
        self.bounds = math.floor(shortest * sample_rate + 0.5), int(longest * sample_rate + 0.5)
        self.feedback = real(where, "regen", regen, -95, 95) / 100
        share = real(where, "width", width, 0, 100) / 100
        self.period = int(sample_rate / real(where, "speed", speed, 0.1, 10))
        self.phase = real(where, "phase", phase, 0, 100) / 100
        self.modulation = check_instance(where, "modulation", modulation, Modulation)
        self.interpolation = check_instance(where, "interpolation", interpolation, Interpolation)
        self.direct = 1 / (1 + share)
        self.delayed = share / (1 + share) * (1 - abs(self.feedback))

    def apply(self, array: Array) -> Any:
        if self.period < 1:
            raise self.refuse("'sample_rate' must be at least 'speed', so that a period has samples")
        channels, time = array.shape[-2:]
        offsets = (np.arange(channels) * self.period * self.phase + 0.5).astype(np.int64)
        at = np.arange(time) + offsets[:, None]
        delays = oscillation(self.modulation, at, self.period, *self.bounds, 0.75).astype(np.float64)
        whole = np.floor(delays).astype(np.int64)
        sound = array.reshape(-1, channels, time).astype(np.float64)
        before = self.bounds[1] + 2
        lines, places, shares = padded(sound, before, 0), before + np.arange(time) - whole, delays - whole
        if self.feedback:
            for batch in lines:
                for row, at, share in zip(batch, places.tolist(), shares.tolist()):
                    row[:] = self._fed_back(row.tolist(), before, at, share)
        channel = np.arange(channels)[:, None]
        one, two, three = (lines[:, channel, places - back] for back in range(3))
        late = self._between(one, two, three, shares)
        output = np.clip(sound * self.direct + late * self.delayed, -1, 1)
        return output.reshape(array.shape).astype(result_dtype(array)).astype(array.dtype)

    def _between(self, one: Any, two: Any, three: Any, share: Any) -> Any:
        """What is between samples, of which each is earlier than the one before."""
        if self.interpolation == Interpolation.LINEAR:
            return one + (two - one) * share
        bend = (three - one) / 2 - (two - one)
        return one + (bend * share + (two - one) - bend) * share

    def _fed_back(self, line: list[float], before: int, places: list[int], shares: list[float]) -> list[float]:
        """A line with a part of what is heard of it added to the sample after."""
        for at, place, share in zip(range(before + 1, len(line)), places, shares):
            line[at] += self.feedback * self._between(line[place], line[place - 1], line[place - 2], share)
        return line
