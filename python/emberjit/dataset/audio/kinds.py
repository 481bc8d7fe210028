"""The choices that operations of sound are given. Each is a str, as MindSpore's are, so that JSON can hold it."""

from __future__ import annotations

from enum import Enum


class BorderType(str, Enum):
    """What is beyond the ends: zeros, the last value, or the values mirrored, without or with the last."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(str, Enum):
    """What Dither adds: a triangle over time, one value of the sound, or the sum of seven."""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(str, Enum):
    """How Fade gets from silence to the sound, and back."""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, Enum):
    """What Vol's gain is: a factor of amplitudes, one of powers, or decibels."""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, Enum):
    """How Flanger finds what is between two samples."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, Enum):
    """Scales of mels: that of the Hidden Markov Toolkit, or of Slaney's Auditory Toolbox."""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, Enum):
    """The shape of a slow oscillation."""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, Enum):
    """Whether the columns of a cosine transform are orthonormal."""

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, Enum):
    """Whether filters of mels are divided by their width."""

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(str, Enum):
    """What a sinc is windowed by: a squared cosine, or Kaiser's window."""

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, Enum):
    """Whether values are powers or magnitudes."""

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, Enum):
    """Windows."""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
