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
    """Filters sound by a difference equation, from rest: a[0] y[n] = sum_k b[k] x[n - k] - sum_k>0 a[k] y[n - k].

    Args:
        a_coeffs: a, the coefficients of the results, a list or tuple; a[0] is not 0.
        b_coeffs: b, those of the sound, as many.
        clamp: whether the result is clamped to -1 to 1.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a and b have other lengths, or a coefficient is beyond 16777216.
        RuntimeError: there are none, or a[0] is 0, when an array comes; it is not of floats.

    Examples:
        >>> click = np.array([0.8, 0.0, 0.0, 0.0])
        >>> print(audio.LFilter(a_coeffs=[1.0, -0.5], b_coeffs=[1.0, 0.0])(click))
        [0.8 0.4 0.2 0.1]
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
    """Filters sound by the difference equation of LFilter(), and the result again backward in time, which keeps phases as
    they are.

    Args:
        a_coeffs: the coefficients of the results, a list or tuple; the first is not 0.
        b_coeffs: those of the sound, as many.
        clamp: whether the second result is clamped to -1 to 1.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there are not as many of both coefficients, or one is beyond 16777216.
        RuntimeError: there are none, or the first of a_coeffs is 0, when an array comes; it is not of floats.

    Examples:
        >>> click = np.array([0.0, 0.0, 0.8, 0.0, 0.0])
        >>> print(audio.Filtfilt(a_coeffs=[1.0, 0.0], b_coeffs=[0.5, 0.5])(click))
        [0.  0.2 0.4 0.2 0. ]
    """

    def apply(self, array: Array) -> Any:
        forward = filtered(array, self.b_coeffs, self.a_coeffs, False)
        return np.flip(filtered(np.flip(forward, -1), self.b_coeffs, self.a_coeffs, self.clamp), -1)


class Biquad(FilterTransform):
    """Filters sound by a filter of second order: a0 y[n] = b0 x[n] + b1 x[n - 1] + b2 x[n - 2] - a1 y[n - 1] - a2 y[n - 2],
    clamped to -1 to 1.

    Args:
        b0, b1, b2: the coefficients of the sound.
        a0: the coefficient of the result, not 0.
        a1, a2: those of the results before.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is no number.
        ValueError: one is beyond 16777216, or a0 is 0.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([0.8, 0.0, 0.0, 0.0])
        >>> print(audio.Biquad(b0=1.0, b1=0.0, b2=0.0, a0=1.0, a1=-0.5, a2=0.0)(click))
        [0.8 0.4 0.2 0.1]
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
    """Changes the phases of sound, and no loudness: an all-pass filter of two poles, which turns the phase by half a circle
    at a frequency, with the coefficients of R. Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter
    coefficients".

    Args:
        sample_rate: samples per second, not 0.
        central_freq: that frequency, in Hz.
        Q: the quality, the frequency divided by the bandwidth, above 0 and at most 1.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([1.0, 0.0, 0.0, 0.0])
        >>> print(audio.AllpassBiquad(44100, 2000.0)(click).round(4))
        [ 0.6683 -0.531  -0.2969 -0.1204]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        middle = -2 * math.cos(self.angle)
        self.numerator = (1 - self.alpha, middle, 1 + self.alpha)
        self.denominator = (1 + self.alpha, middle, 1 - self.alpha)


class BandBiquad(_Designed):
    """Keeps the frequencies about a middle one: SoX's band filter, of two poles.

    Args:
        sample_rate: samples per second, not 0.
        central_freq: the middle, in Hz.
        Q: the quality, the middle frequency divided by the bandwidth, above 0 and at most 1.
        noise: whether the sound is noise, whose power is kept; False: the loudness at the middle is.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: there is no such filter; an array is not of floats.

    Examples:
        >>> click = np.array([1.0, 0.0, 0.0, 0.0])
        >>> print(audio.BandBiquad(44100, 2000.0)(click).round(4))
        [0.1127 0.1733 0.1912 0.1782]
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
    """Keeps the frequencies about a middle one: a band-pass filter of two poles, with the coefficients of R.
    Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter coefficients".

    Args:
        sample_rate: samples per second, not 0.
        central_freq: the middle, in Hz.
        Q: the quality, the middle frequency divided by the bandwidth, above 0 and at most 1.
        const_skirt_gain: whether the loudness away from the middle is the same for any Q, and that at the middle is
            multiplied by Q; False: the loudness at the middle is kept.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([1.0, 0.0, 0.0, 0.0])
        >>> print(audio.BandpassBiquad(44100, 2000.0)(click).round(4))
        [0.1658 0.2655 0.1484 0.0602]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, const_skirt_gain: bool = False):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        constant = check_bool("BandpassBiquad", "const_skirt_gain", const_skirt_gain)
        gain = math.sin(self.angle) / 2 if constant else self.alpha
        self.numerator = (gain, 0.0, -gain)
        self.denominator = (1 + self.alpha, -2 * math.cos(self.angle), 1 - self.alpha)


class BandrejectBiquad(_Designed):
    """Removes the frequencies about a middle one: a band-reject filter of two poles, with the coefficients of R.
    Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter coefficients".

    Args:
        sample_rate: samples per second, not 0.
        central_freq: the middle, in Hz.
        Q: the quality, the middle frequency divided by the bandwidth, above 0 and at most 1.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([1.0, 0.0, 0.0, 0.0])
        >>> print(audio.BandrejectBiquad(44100, 2000.0)(click).round(4))
        [ 0.8342 -0.2655 -0.1484 -0.0602]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        middle = -2 * math.cos(self.angle)
        self.numerator = (1.0, middle, 1.0)
        self.denominator = (1 + self.alpha, middle, 1 - self.alpha)


class EqualizerBiquad(_Designed):
    """Makes the frequencies about a middle one louder, or softer: a peaking equalizer of two poles, with the coefficients of
    R. Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter coefficients".

    Args:
        sample_rate: samples per second, not 0.
        center_freq: the middle, in Hz.
        gain: how much louder it gets, in dB; negative ones make it softer.
        Q: the quality, the middle frequency divided by the bandwidth, above 0 and at most 1.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([0.5, 0.0, 0.0, 0.0])
        >>> print(audio.EqualizerBiquad(44100, 2000.0, gain=6.0)(click).round(4))
        [0.5614 0.1033 0.0662 0.0335]
    """

    def __init__(self, sample_rate: int, center_freq: float, gain: float, Q: float = 0.707):
        super().__init__(sample_rate, "center_freq", center_freq, Q)
        amplitude, middle = factor_of(real("EqualizerBiquad", "gain", gain) / 2), -2 * math.cos(self.angle)
        self.numerator = (1 + self.alpha * amplitude, middle, 1 - self.alpha * amplitude)
        self.denominator = (1 + self.alpha / amplitude, middle, 1 - self.alpha / amplitude)


class HighpassBiquad(_Designed):
    """Keeps the frequencies above a cutoff: a high-pass filter of two poles, with the coefficients of R. Bristow-Johnson's
    "Cookbook formulae for audio EQ biquad filter coefficients".

    Args:
        sample_rate: samples per second, not 0.
        cutoff_freq: the cutoff, in Hz.
        Q: the quality, which says how sharp the cutoff is, above 0 and at most 1; 0.707 is a Butterworth filter.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([1.0, 0.0, 0.0, 0.0])
        >>> print(audio.HighpassBiquad(44100, 2000.0)(click).round(4))
        [ 0.8173 -0.3261 -0.251  -0.1839]
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "cutoff_freq", cutoff_freq, Q)
        cosine = math.cos(self.angle)
        self.numerator = ((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2)
        self.denominator = (1 + self.alpha, -2 * cosine, 1 - self.alpha)


class LowpassBiquad(_Designed):
    """Keeps the frequencies below a cutoff: a low-pass filter of two poles, with the coefficients of R. Bristow-Johnson's
    "Cookbook formulae for audio EQ biquad filter coefficients".

    Args:
        sample_rate: samples per second, not 0.
        cutoff_freq: the cutoff, in Hz.
        Q: the quality, which says how sharp the cutoff is, above 0 and at most 1; 0.707 is a Butterworth filter.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([1.0, 0.0, 0.0, 0.0])
        >>> print(audio.LowpassBiquad(44100, 2000.0)(click).round(4))
        [0.0168 0.0606 0.1025 0.1237]
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
    """Makes low frequencies louder, or softer: a low shelf of two poles, with the coefficients of R. Bristow-Johnson's
    "Cookbook formulae for audio EQ biquad filter coefficients".

    Args:
        sample_rate: samples per second, not 0.
        gain: how much louder they get, in dB; negative ones make them softer.
        central_freq: the middle of the slope, in Hz.
        Q: how steep the slope is, above 0 and at most 1.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([0.5, 0.0, 0.0, 0.0])
        >>> print(audio.BassBiquad(44100, gain=6.0)(click).round(4))
        [0.5018 0.0035 0.0035 0.0035]
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        self.numerator, self.denominator = _shelf(
            self.angle, self.alpha, factor_of(real("BassBiquad", "gain", gain) / 2), False
        )


class TrebleBiquad(_Designed):
    """Makes high frequencies louder, or softer: a high shelf of two poles, with the coefficients of R. Bristow-Johnson's
    "Cookbook formulae for audio EQ biquad filter coefficients".

    Args:
        sample_rate: samples per second, not 0.
        gain: how much louder they get, in dB; negative ones make them softer.
        central_freq: the middle of the slope, in Hz.
        Q: how steep the slope is, above 0 and at most 1.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([0.5, 0.0, 0.0, 0.0])
        >>> print(audio.TrebleBiquad(44100, gain=6.0)(click).round(4))
        [ 0.9002 -0.1733 -0.1271 -0.0809]
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        self.numerator, self.denominator = _shelf(
            self.angle, self.alpha, factor_of(real("TrebleBiquad", "gain", gain) / 2), True
        )


_DEEMPHASIS = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}  # SoX's: Hz, slope, dB


class DeemphBiquad(Biquad):
    """Removes the emphasis of compact disks (IEC 60908), which made high frequencies louder: a high shelf of two poles.

    Args:
        sample_rate: samples per second, 44100 or 48000.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: sample_rate is no int.
        ValueError: it is another.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([1.0, 0.0, 0.0, 0.0])
        >>> print(audio.DeemphBiquad(44100)(click).round(4))
        [0.4604 0.2009 0.1241 0.0778]
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
    """Removes the emphasis of vinyl records (RIAA), which made low frequencies softer and high ones louder; 1 kHz stays as
    it is.

    Args:
        sample_rate: samples per second, 44100, 48000, 88200 or 96000.

    Inputs:
        sound: a float array of shape (..., time); the result has its dtype.

    Raises:
        TypeError: sample_rate is no int.
        ValueError: it is another.
        RuntimeError: an array is not of floats.

    Examples:
        >>> click = np.array([1.0, 0.0, 0.0, 0.0])
        >>> print(audio.RiaaBiquad(44100)(click).round(4))
        [0.2381 0.233  0.1847 0.1503]
    """

    def __init__(self, sample_rate: int):
        check_choice("RiaaBiquad", "sample_rate", check_int32("RiaaBiquad", "sample_rate", sample_rate), *_RIAA)
        zeros, poles = (np.poly(roots) for roots in _RIAA[sample_rate])
        delays = np.exp(-2j * np.pi * 1000 / sample_rate * np.arange(3))
        self.numerator = tuple(zeros * abs(delays @ poles) / abs(delays @ zeros))
        self.denominator = tuple(poles)
