"""Filters: any linear one, and those of second order by what they do to frequencies. The coefficients of the latter are
those of R. Bristow-Johnson's Cookbook formulae for audio EQ biquad filter coefficients, and of SoX."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_choice, check_instance, check_int32, check_number
from emberjit.dataset.audio.recursion import recursive
from emberjit.dataset.audio.sound import FilterTransform, factor_of, nonzero, real, result_dtype
from emberjit.dataset.values import Array


def filtered(array: Array, numerator: Any, denominator: Any, clamp: bool) -> Any:
    """An array filtered, with coefficients in its dtype (float32 for float16), and clamped to -1 to 1 if `clamp`."""
    kind = result_dtype(array)
    output = recursive(array, np.asarray(numerator).astype(kind), np.asarray(denominator).astype(kind))
    return (np.clip(output, -1, 1) if clamp else output).astype(array.dtype)


class LFilter(FilterTransform):
    """The difference equation a[0] y[n] = sum_k b[k] x[n - k] - sum_k>0 a[k] y[n - k], from rest.

    Args:
        a_coeffs: a, those of the result.
        b_coeffs: b, as many, those of the sound.
        clamp: whether the result is clamped to -1 to 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there are not as many of both, or one is beyond 16777216.
        RuntimeError: there are none, or a[0] is 0; an array is not of floats.
    """

    def __init__(self, a_coeffs: Sequence[float], b_coeffs: Sequence[float], clamp: bool = True):
        where = type(self).__name__
        for name, coefficients in (("a_coeffs", a_coeffs), ("b_coeffs", b_coeffs)):
            for coefficient in check_instance(where, name, coefficients, (list, tuple)):
                real(where, name, coefficient)
        if len(a_coeffs) != len(b_coeffs):
            raise ValueError(
                f"For '{where}', 'a_coeffs' and 'b_coeffs' must be as many, but got {len(a_coeffs)} and {len(b_coeffs)}."
            )
        self.clamp = check_bool(where, "clamp", clamp)
        self.a_coeffs, self.b_coeffs = list(a_coeffs), list(b_coeffs)

    def as_input(self, value: Any) -> Any:
        if not self.a_coeffs or self.a_coeffs[0] == 0:
            raise self.refuse(f"'a_coeffs' must begin with a number other than 0, but got {self.a_coeffs}")
        return super().as_input(value)

    def apply(self, array: Array) -> Any:
        return filtered(array, self.b_coeffs, self.a_coeffs, self.clamp)


class Filtfilt(LFilter):
    """LFilter forward, and again backward in time, which leaves phases as they are. Only the second result is clamped.

    Args, and errors, are LFilter's.
    """

    def apply(self, array: Array) -> Any:
        forward = filtered(array, self.b_coeffs, self.a_coeffs, False)
        return np.flip(filtered(np.flip(forward, -1), self.b_coeffs, self.a_coeffs, self.clamp), -1)


class Biquad(FilterTransform):
    """The filter of second order with coefficients a and b; the result is clamped to -1 to 1.

    Raises:
        TypeError: an argument is no number.
        ValueError: one is beyond 16777216, or a0 is 0.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float):
        for name, value in {"b0": b0, "b1": b1, "b2": b2, "a0": a0, "a1": a1, "a2": a2}.items():
            real("Biquad", name, value)
        if a0 == 0:
            raise ValueError("For 'Biquad', 'a0' must not be 0.")
        self.numerator, self.denominator = (b0, b1, b2), (a0, a1, a2)

    def apply(self, array: Array) -> Any:
        return filtered(array, self.numerator, self.denominator, True)


class _Designed(Biquad):
    """A filter of second order by what it does at a frequency.

    Attributes:
        angle: the frequency, in radians a sample.
        alpha: half the bandwidth of its quality, on the same scale.
    """

    def __init__(self, sample_rate: int, name: str, frequency: float, Q: float):
        where = type(self).__name__
        real(where, name, frequency)
        check_number(where, "Q", Q, most=1, above=0)
        self.angle = 2 * math.pi * frequency / nonzero(where, "sample_rate", sample_rate)
        self.alpha = math.sin(self.angle) / 2 / Q


class AllpassBiquad(_Designed):
    """All frequencies as loud, in other phases: turned by half a circle at central_freq, in Hz.

    Args:
        sample_rate: samples in a second, not 0.
        central_freq: the frequency.
        Q: its quality, the frequency over the bandwidth, above 0 and at most 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        middle = -2 * math.cos(self.angle)
        self.numerator = (1 - self.alpha, middle, 1 + self.alpha)
        self.denominator = (1 + self.alpha, middle, 1 - self.alpha)


class BandBiquad(_Designed):
    """The frequencies about central_freq, of SoX's two-pole kind.

    Args:
        sample_rate: samples in a second, not 0.
        central_freq: the middle, in Hz.
        Q: the frequency over the bandwidth, above 0 and at most 1.
        noise: whether the sound is noise, whose power is kept; else the loudness at the middle is.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: no filter is so; an array is not of floats.
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, noise: bool = False):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        width = self.angle / Q
        a2 = math.exp(-width) if abs(width) < 700 else 0.0
        a1 = -4 * a2 / (1 + a2) * math.cos(self.angle)
        inner = 1 - a1 * a1 / (4 * a2) if a2 else -1.0
        b0 = math.sqrt(inner) * (1 - a2) if inner >= 0 else math.nan
        if check_bool("BandBiquad", "noise", noise):
            power = ((1 + a2) ** 2 - a1 * a1) * (1 - a2) / (1 + a2)
            b0 = math.sqrt(power) if power >= 0 and b0 else math.nan
        self.numerator, self.denominator = (b0, 0.0, 0.0), (1.0, a1, a2)

    def as_input(self, value: Any) -> Any:
        if math.isnan(self.numerator[0]):
            raise self.refuse("'central_freq', 'Q' and 'sample_rate' must be of a filter, but there is none with these")
        return super().as_input(value)


class BandpassBiquad(_Designed):
    """The frequencies about central_freq, with 2 poles.

    Args:
        sample_rate: samples in a second, not 0.
        central_freq: the middle, in Hz.
        Q: the frequency over the bandwidth, above 0 and at most 1.
        const_skirt_gain: whether the middle is Q times as loud, and what is beyond alike for any Q; else the middle is kept.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, const_skirt_gain: bool = False):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        constant = check_bool("BandpassBiquad", "const_skirt_gain", const_skirt_gain)
        gain = math.sin(self.angle) / 2 if constant else self.alpha
        self.numerator = (gain, 0.0, -gain)
        self.denominator = (1 + self.alpha, -2 * math.cos(self.angle), 1 - self.alpha)


class BandrejectBiquad(_Designed):
    """All but the frequencies about central_freq, with 2 poles.

    Args:
        sample_rate: samples in a second, not 0.
        central_freq: the middle, in Hz.
        Q: the frequency over the bandwidth, above 0 and at most 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        middle = -2 * math.cos(self.angle)
        self.numerator = (1.0, middle, 1.0)
        self.denominator = (1 + self.alpha, middle, 1 - self.alpha)


class EqualizerBiquad(_Designed):
    """The frequencies about center_freq louder, or softer.

    Args:
        sample_rate: samples in a second, not 0.
        center_freq: the middle, in Hz.
        gain: how much louder it is, in dB.
        Q: the frequency over the bandwidth, above 0 and at most 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int, center_freq: float, gain: float, Q: float = 0.707):
        super().__init__(sample_rate, "center_freq", center_freq, Q)
        amplitude, middle = factor_of(real("EqualizerBiquad", "gain", gain) / 2), -2 * math.cos(self.angle)
        self.numerator = (1 + self.alpha * amplitude, middle, 1 - self.alpha * amplitude)
        self.denominator = (1 + self.alpha / amplitude, middle, 1 - self.alpha / amplitude)


class HighpassBiquad(_Designed):
    """The frequencies above cutoff_freq, with 2 poles.

    Args:
        sample_rate: samples in a second, not 0.
        cutoff_freq: where they begin, in Hz.
        Q: how sharply, above 0 and at most 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "cutoff_freq", cutoff_freq, Q)
        cosine = math.cos(self.angle)
        self.numerator = ((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2)
        self.denominator = (1 + self.alpha, -2 * cosine, 1 - self.alpha)


class LowpassBiquad(_Designed):
    """The frequencies below cutoff_freq, with 2 poles.

    Args:
        sample_rate: samples in a second, not 0.
        cutoff_freq: where they end, in Hz.
        Q: how sharply, above 0 and at most 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "cutoff_freq", cutoff_freq, Q)
        cosine = math.cos(self.angle)
        self.numerator = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
        self.denominator = (1 + self.alpha, -2 * cosine, 1 - self.alpha)


def _shelf(angle: float, alpha: float, amplitude: float, high: bool) -> tuple[Any, Any]:
    """Coefficients that make high, or low, frequencies louder by the square of an amplitude."""
    sign = 1 if high else -1
    width = 2 * math.sqrt(amplitude) * alpha
    less, more = (amplitude - 1) * math.cos(angle) * sign, (amplitude + 1) * math.cos(angle)
    numerator = (
        amplitude * (amplitude + 1 + less + width),
        -2 * sign * amplitude * (amplitude - 1 + sign * more),
        amplitude * (amplitude + 1 + less - width),
    )
    denominator = (amplitude + 1 - less + width, 2 * sign * (amplitude - 1 - sign * more), amplitude + 1 - less - width)
    return numerator, denominator


class BassBiquad(_Designed):
    """Low frequencies louder, or softer: a shelf.

    Args:
        sample_rate: samples in a second, not 0.
        gain: how much louder they are, in dB.
        central_freq: in the middle of the slope, in Hz.
        Q: how steep it is, above 0 and at most 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        self.numerator, self.denominator = _shelf(
            self.angle, self.alpha, factor_of(real("BassBiquad", "gain", gain) / 2), False
        )


class TrebleBiquad(_Designed):
    """High frequencies louder, or softer: a shelf.

    Args:
        sample_rate: samples in a second, not 0.
        gain: how much louder they are, in dB.
        central_freq: in the middle of the slope, in Hz.
        Q: how steep it is, above 0 and at most 1.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        self.numerator, self.denominator = _shelf(
            self.angle, self.alpha, factor_of(real("TrebleBiquad", "gain", gain) / 2), True
        )


_DEEMPHASIS = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}  # SoX's: Hz, slope, dB


class DeemphBiquad(Biquad):
    """The emphasis of compact disks (IEC 60908) taken away: a shelf.

    Args:
        sample_rate: 44100 or 48000.

    Raises:
        TypeError: sample_rate is no int.
        ValueError: it is another.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int):
        check_choice("DeemphBiquad", "sample_rate", check_int32("DeemphBiquad", "sample_rate", sample_rate), *_DEEMPHASIS)
        frequency, slope, gain = _DEEMPHASIS[sample_rate]
        angle, amplitude = 2 * math.pi * frequency / sample_rate, factor_of(gain / 2)
        alpha = math.sin(angle) / 2 * math.sqrt((amplitude + 1 / amplitude) * (1 / slope - 1) + 2)
        self.numerator, self.denominator = _shelf(angle, alpha, amplitude, True)


_RIAA = {  # SoX's zeros and poles
    44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
    48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
    88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
    96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
}


class RiaaBiquad(Biquad):
    """The emphasis of vinyl records (RIAA) taken away; 1 kHz stays as loud.

    Args:
        sample_rate: 44100, 48000, 88200 or 96000.

    Raises:
        TypeError: sample_rate is no int.
        ValueError: it is another.
        RuntimeError: an array is not of floats.
    """

    def __init__(self, sample_rate: int):
        check_choice("RiaaBiquad", "sample_rate", check_int32("RiaaBiquad", "sample_rate", sample_rate), *_RIAA)
        zeros, poles = (np.poly(roots) for roots in _RIAA[sample_rate])
        delays = np.exp(-2j * np.pi * 1000 / sample_rate * np.arange(3))
        self.numerator = tuple(zeros * abs(delays @ poles) / abs(delays @ zeros))
        self.denominator = tuple(poles)
