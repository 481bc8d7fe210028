"""Effects of loudness: gain, shifts, fades, distortion, dither; decibels and the mu-law."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.audio.kinds import DensityFunction, FadeShape, GainType, ScaleType
from emberjit.dataset.audio.recursion import recursive
from emberjit.dataset.audio.sound import AudioTransform, factor_of, half_away, positive, real, result_dtype, spaced
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array


class OfSamples(AudioTransform):
    """An operation of each number by itself, in float64."""

    def apply(self, array: Array) -> Any:
        return self.samples(array.astype(np.float64)).astype(result_dtype(array))

    def samples(self, values: Array) -> Any:
        """What the numbers become."""
        raise NotImplementedError


class AmplitudeToDB(AudioTransform):
    """Converts the values of a spectrum to decibels, relative to a reference: 10 log10(x / ref_value) of powers, 20 log10 of
    magnitudes.

    Args:
        stype: whether the values are powers or magnitudes, a ScaleType.
        ref_value: what is 0 dB; amin if that is more; above 0.
        amin: what smaller values are taken as, above 0.
        top_db: values more decibels than this below the largest, of the last three axes together, are raised to there; above
            0.

    Inputs:
        spectrum: an array of shape (..., freq, time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is not above 0.
        RuntimeError: an array has fewer than two axes.

    Examples:
        >>> spectrum = np.array([[1.0, 100.0], [0.1, 0.0]])
        >>> print(audio.AmplitudeToDB(top_db=50.0)(spectrum))
        [[  0.  20.]
         [-10. -30.]]
    """

    form = "..., freq, time"

    def __init__(
        self, stype: ScaleType = ScaleType.POWER, ref_value: float = 1.0, amin: float = 1e-10, top_db: float = 80.0
    ):
        self.factor = 10 if check_instance("AmplitudeToDB", "stype", stype, ScaleType) == ScaleType.POWER else 20
        self.amin = positive("AmplitudeToDB", "amin", amin)
        self.reference = math.log10(max(self.amin, positive("AmplitudeToDB", "ref_value", ref_value)))
        self.top_db = positive("AmplitudeToDB", "top_db", top_db)

    def apply(self, array: Array) -> Any:
        return in_decibels(array, self.factor, self.amin, self.reference, self.top_db)


def in_decibels(array: Array, factor: int = 10, amin: float = 1e-10, reference: float = 0.0, top_db: float = 80.0) -> Any:
    """AmplitudeToDB of an array."""
    decibels = factor * (np.log10(np.maximum(array.astype(np.float64), amin)) - reference)
    loudest = decibels.max(tuple(range(-min(array.ndim, 3), 0)), keepdims=True)
    return np.maximum(decibels, loudest - top_db).astype(result_dtype(array))


class DBToAmplitude(OfSamples):
    """Converts decibels to powers or magnitudes: ref * (10 ** (x / 10)) ** power.

    Args:
        ref: the value of 0 dB.
        power: 1 for powers, 0.5 for magnitudes.

    Inputs:
        sound: an array of shape (..., time).

    Raises:
        TypeError: an argument is no number.
        ValueError: one is beyond 16777216.

    Examples:
        >>> print(audio.DBToAmplitude(ref=1.0, power=1.0)(np.array([0.0, 20.0, -10.0])))
        [  1.  100.    0.1]
    """

    def __init__(self, ref: float, power: float):
        self.ref, self.power = real("DBToAmplitude", "ref", ref), real("DBToAmplitude", "power", power)

    def samples(self, values: Array) -> Any:
        return self.ref * np.power(10, values * 0.1) ** self.power


class Contrast(OfSamples):
    """Makes softer parts of sound louder, as SoX's contrast: sin(u + amount / 750 sin(4 u)) of u = pi / 2 x.

    Args:
        enhancement_amount: how much, from 0 to 100.

    Inputs:
        sound: an array of shape (..., time), of values from -1 to 1.

    Raises:
        TypeError: it is no number.
        ValueError: it is out of range.

    Examples:
        >>> print(audio.Contrast()(np.array([0.0, 0.1, 0.5, 1.0])).round(3))
        [0.    0.214 0.707 1.   ]
    """

    def __init__(self, enhancement_amount: float = 75.0):
        self.share = real("Contrast", "enhancement_amount", enhancement_amount, 0, 100) / 750

    def samples(self, values: Array) -> Any:
        angles = values * (np.pi / 2)
        return np.sin(angles + self.share * np.sin(angles * 4))


class DCShift(OfSamples):
    """Adds a constant to sound, and clamps it to -1 to 1, as SoX's dcshift. With limiter_gain, values that would come near
    to the bound are compressed instead.

    Args:
        shift: the constant, from -2 to 2.
        limiter_gain: how much of such peaks is kept, well below 1; None: nothing is compressed.

    Inputs:
        sound: an array of shape (..., time), of values from -1 to 1.

    Raises:
        TypeError: an argument is no number.
        ValueError: shift is out of range.

    Examples:
        >>> print(audio.DCShift(0.3)(np.array([0.0, 0.5, 0.9])))
        [0.3 0.8 1. ]
        >>> print(audio.DCShift(0.3, limiter_gain=0.1)(np.array([0.0, 0.5, 0.9])).round(3))
        [0.3 0.8 0.8]
    """

    def __init__(self, shift: float, limiter_gain: float | None = None):
        self.shift = real("DCShift", "shift", shift, -2, 2)
        if limiter_gain is not None:
            real("DCShift", "limiter_gain", limiter_gain, -math.inf, math.inf)
        self.gain = limiter_gain or shift

    def samples(self, values: Array) -> Any:
        clamped = np.clip(values + self.shift, -1, 1)
        if self.shift in (self.gain, 0):
            return clamped
        sign = math.copysign(1, self.shift)
        limit = 1 - (abs(self.shift) - self.gain)
        beyond = values * sign - limit
        peaks = np.minimum(beyond * self.gain / (1 - limit) + limit + abs(self.shift), limit)
        return np.where(beyond > 0, sign * peaks, clamped)


class Gain(OfSamples):
    """Makes sound louder by decibels: x * 10 ** (gain_db / 20).

    Args:
        gain_db: the decibels; negative ones make it softer.

    Inputs:
        sound: an array of shape (..., time).

    Raises:
        TypeError: gain_db is no number.
        ValueError: it is beyond 16777216.

    Examples:
        >>> print(audio.Gain(20.0)(np.array([0.01, -0.02])))
        [ 0.1 -0.2]
    """

    def __init__(self, gain_db: float = 1.0):
        self.factor = factor_of(real("Gain", "gain_db", gain_db))

    def samples(self, values: Array) -> Any:
        return values * self.factor


class Vol(OfSamples):
    """Multiplies sound by a factor, and clamps it to -1 to 1.

    Args:
        gain: the factor of amplitudes, at least 0; that of powers, above 0; or decibels.
        gain_type: which of them it is, a GainType.

    Inputs:
        sound: an array of shape (..., time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: gain is out of range.

    Examples:
        >>> print(audio.Vol(2.0)(np.array([0.1, -0.2, 0.8])))
        [ 0.2 -0.4  1. ]
    """

    def __init__(self, gain: float, gain_type: GainType = GainType.AMPLITUDE):
        real("Vol", "gain", gain)
        if check_instance("Vol", "gain_type", gain_type, GainType) == GainType.DB:
            self.factor = factor_of(gain)
        elif gain_type == GainType.POWER:
            self.factor = math.sqrt(positive("Vol", "gain", gain))
        else:
            self.factor = real("Vol", "gain", gain, 0)

    def samples(self, values: Array) -> Any:
        return np.clip(values * self.factor, -1, 1)


class MuLawEncoding(OfSamples):
    """Encodes sound by the mu-law (ITU-T G.711, of any number of codes): values from -1 to 1 become int32 codes from 0 to
    quantization_channels - 1, finer near 0.

    Args:
        quantization_channels: the number of codes, at least 1.

    Inputs:
        sound: an array of shape (..., time).

    Raises:
        TypeError: quantization_channels is no int.
        ValueError: it is below 1.

    Examples:
        >>> print(audio.MuLawEncoding()(np.array([-1.0, 0.0, 0.01, 1.0])))
        [  0 128 157 255]
    """

    def __init__(self, quantization_channels: int = 256):
        self.mu = check_int32("MuLawEncoding", "quantization_channels", quantization_channels, 1) - 1

    def apply(self, array: Array) -> Any:
        wide = array.astype(result_dtype(array))
        companded = np.sign(wide) * np.log1p(self.mu * np.abs(wide)) / np.log1p(wide.dtype.type(self.mu))
        return ((companded + 1) / 2 * self.mu + 0.5).astype(np.int32)


class MuLawDecoding(OfSamples):
    """Decodes the codes of MuLawEncoding() to values from -1 to 1.

    Args:
        quantization_channels: the number of codes, at least 2.

    Inputs:
        codes: an array of shape (..., time), of numbers from 0 to quantization_channels - 1.

    Raises:
        TypeError: quantization_channels is no int.
        ValueError: it is below 1.
        RuntimeError: it is 1, when an array comes.

    Examples:
        >>> print(audio.MuLawDecoding()(np.array([0, 140, 255])).round(4))
        [-1.      0.0028  1.    ]
    """

    def __init__(self, quantization_channels: int = 256):
        self.mu = check_int32("MuLawDecoding", "quantization_channels", quantization_channels, 1) - 1

    def as_input(self, value: Any) -> Any:
        if self.mu == 0:
            raise self.refuse("'quantization_channels' must be above 1, as one code says nothing")
        return super().as_input(value)

    def samples(self, values: Array) -> Any:
        companded = values / self.mu * 2 - 1
        return np.sign(companded) * np.expm1(np.abs(companded) * math.log1p(self.mu)) / self.mu


class Overdrive(AudioTransform):
    """Distorts sound, as SoX's overdrive: half of it, and three quarters of what becomes of it when it is amplified, bent by
    u - u ** 3 / 3, and freed of its constant part; clamped to -1 to 1.

    Args:
        gain: the amplification in dB, from 0 to 100.
        color: the amount of even harmonics, from 0 to 100.

    Inputs:
        sound: an array of shape (..., time), of values from -1 to 1.

    Raises:
        TypeError: an argument is no number.
        ValueError: one is out of range.

    Examples:
        >>> print(audio.Overdrive()(np.array([0.0, 0.1, -0.1])).round(3))
        [ 0.075  0.55  -0.546]
    """

    def __init__(self, gain: float = 20.0, color: float = 20.0):
        self.factor = factor_of(real("Overdrive", "gain", gain, 0, 100))
        self.offset = real("Overdrive", "color", color, 0, 100) / 200

    def apply(self, array: Array) -> Any:
        bent = np.clip(array * np.float64(self.factor) + self.offset, -1, 1)
        bent -= bent**3 / 3
        output = array * 0.5 + recursive(bent, (1.0, -1.0), (1.0, -0.995)) * 0.75
        return np.clip(output, -1, 1).astype(result_dtype(array))


_RISING: dict[FadeShape, Callable[[Any], Any]] = {  # from 0 to 1
    FadeShape.LINEAR: lambda at: at,
    FadeShape.EXPONENTIAL: lambda at: np.power(2.0, at - 1) * at,
    FadeShape.LOGARITHMIC: lambda at: np.log10(at + 0.1) + 1,
    FadeShape.QUARTER_SINE: lambda at: np.sin(at * np.pi / 2),
    FadeShape.HALF_SINE: lambda at: np.sin(at * np.pi - np.pi / 2) / 2 + 0.5,
}


class Fade(AudioTransform):
    """Fades sound in and out. If both lengths are 0, the result is the array itself.

    Args:
        fade_in_len: in how many samples the sound gets from silence to full.
        fade_out_len: in how many of the last samples it gets to silence.
        fade_shape: the curve, a FadeShape.

    Inputs:
        sound: an array of shape (..., time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a length is negative.
        RuntimeError: one is longer than the sound.

    Examples:
        >>> print(audio.Fade(fade_in_len=3, fade_out_len=2)(np.ones(6)))
        [0.  0.5 1.  1.  1.  0. ]
    """

    def __init__(self, fade_in_len: int = 0, fade_out_len: int = 0, fade_shape: FadeShape = FadeShape.LINEAR):
        self.lengths = [
            check_int32("Fade", name, value)
            for name, value in (("fade_in_len", fade_in_len), ("fade_out_len", fade_out_len))
        ]
        self.shape = check_instance("Fade", "fade_shape", fade_shape, FadeShape)

    def apply(self, array: Array) -> Any:
        if not any(self.lengths):
            return array
        time = array.shape[-1]
        if max(self.lengths) > time:
            raise self.refuse(f"'fade_in_len' and 'fade_out_len' must be at most {time}, but are {self.lengths}")
        at, left = (spaced(0, 1, length, np.float64) for length in self.lengths)
        into, out = _RISING[self.shape](at), _RISING[self.shape](1 - left)
        faded = array.astype(np.float64)
        faded[..., : len(into)] *= into
        faded[..., time - len(out) :] *= out
        return faded.astype(result_dtype(array))


class Dither(AudioTransform):
    """Rounds sound to 16 bits, after something small has been added that hides the rounding.

    Args:
        density_function: what is added, a DensityFunction; RPDF and GPDF draw.
        noise_shaping: whether the error of each sample is added to the next one.

    Inputs:
        sound: an array of shape (..., time), of values from -1 to 1.

    Raises:
        TypeError: an argument is of a wrong type.

    Examples:
        >>> print(audio.Dither()(np.array([0.0, 0.25, -0.25])))
        [ 0.          0.25       -0.24996948]
    """

    def __init__(self, density_function: DensityFunction = DensityFunction.TPDF, noise_shaping: bool = False):
        self.density = check_instance("Dither", "density_function", density_function, DensityFunction)
        self.noise_shaping = check_bool("Dither", "noise_shaping", noise_shaping)
        self.random = self.density != DensityFunction.TPDF

    def apply(self, array: Array) -> Any:
        kind = result_dtype(array)
        dithered = half_away(array.astype(kind) * kind(32766) + self._added(array).astype(kind)) / 32768
        if self.noise_shaping:
            dithered[..., 1:] += dithered[..., :-1] - array[..., :-1]
        return dithered.astype(kind)

    def _added(self, array: Array) -> Any:
        if self.density == DensityFunction.TPDF:
            time = array.shape[-1]
            return 1 - np.abs(2 * np.arange(time) / time - 1)
        number = 1 if self.density == DensityFunction.RPDF else 7
        return array.ravel()[draws().integers(0, array.size, number)].astype(np.float64).sum()
