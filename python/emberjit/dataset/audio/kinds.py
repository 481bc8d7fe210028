"""The choices that operations of sound are given. Each is a str, as MindSpore's are, so that JSON can hold it."""

from __future__ import annotations

from enum import Enum


class BorderType(str, Enum):
    """What sound is padded with at both ends.

    Attributes:
        CONSTANT: zeros.
        EDGE: the last value.
        REFLECT: the values mirrored, the last one not repeated.
        SYMMETRIC: the values mirrored, the last one repeated.

    Examples:
        >>> ramp = np.array([[0.0, 1.0, 2.0, 3.0]])
        >>> print(audio.ComputeDeltas(3, audio.BorderType.EDGE)(ramp))
        [[0.5 1.  1.  0.5]]
        >>> print(audio.ComputeDeltas(3, audio.BorderType.CONSTANT)(ramp))
        [[ 0.5  1.   1.  -1. ]]
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(str, Enum):
    """What Dither() adds to sound.

    Attributes:
        TPDF: a triangle over the time, one step of 16 bits high (triangular probability density function).
        RPDF: the value of a random sample of the sound (rectangular).
        GPDF: the sum of the values of seven random samples (Gaussian).

    Examples:
        >>> sound = np.array([0.0, 0.5, -0.5])
        >>> audio.Dither(audio.DensityFunction.RPDF)(sound).shape
        (3,)
    """

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(str, Enum):
    """The curve by which Fade() gets from silence to the sound, and back.

    Attributes:
        QUARTER_SINE: the first quarter of a sine.
        HALF_SINE: half a sine, from its lowest to its highest value.
        LINEAR: a straight line.
        LOGARITHMIC: a logarithm.
        EXPONENTIAL: an exponential.

    Examples:
        >>> sound = np.ones(5)
        >>> print(audio.Fade(5, fade_shape=audio.FadeShape.LINEAR)(sound))
        [0.   0.25 0.5  0.75 1.  ]
        >>> print(audio.Fade(5, fade_shape=audio.FadeShape.HALF_SINE)(sound).round(3))
        [0.    0.146 0.5   0.854 1.   ]
    """

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, Enum):
    """The unit of Vol()'s gain.

    Attributes:
        AMPLITUDE: a factor of amplitudes.
        POWER: a factor of powers, whose root is that of amplitudes.
        DB: decibels.

    Examples:
        >>> sound = np.array([0.1, -0.2])
        >>> print(audio.Vol(4, audio.GainType.AMPLITUDE)(sound))
        [ 0.4 -0.8]
        >>> print(audio.Vol(4, audio.GainType.POWER)(sound))
        [ 0.2 -0.4]
    """

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, Enum):
    """How Flanger() finds values between two samples.

    Attributes:
        LINEAR: on a straight line.
        QUADRATIC: on a parabola.

    Examples:
        >>> flanger = audio.Flanger(sample_rate=8000, interpolation=audio.Interpolation.QUADRATIC)
        >>> flanger(np.zeros((2, 100))).shape
        (2, 100)
    """

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, Enum):
    """A scale of mels.

    Attributes:
        HTK: that of the Hidden Markov Model Toolkit, 2595 log10(1 + f / 700).
        SLANEY: that of Slaney's Auditory Toolbox, linear below 1000 Hz and logarithmic above.

    Examples:
        >>> bank = audio.melscale_fbanks(5, 0.0, 4000.0, n_mels=2, sample_rate=8000, mel_type=audio.MelType.SLANEY)
        >>> bank.shape
        (5, 2)
    """

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, Enum):
    """The shape of a slow oscillation, as of Flanger()'s delay.

    Attributes:
        SINUSOIDAL: a sine.
        TRIANGULAR: straight lines.

    Examples:
        >>> flanger = audio.Flanger(sample_rate=8000, modulation=audio.Modulation.TRIANGULAR)
        >>> flanger(np.zeros((2, 100))).shape
        (2, 100)
    """

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, Enum):
    """Whether the columns of a cosine transform are orthonormal.

    Attributes:
        ORTHO: they are.
        NONE: they are not scaled.

    Examples:
        >>> matrix = audio.create_dct(2, 4, audio.NormMode.ORTHO)
        >>> print((matrix.T @ matrix).round(3) + 0.0)
        [[1. 0.]
         [0. 1.]]
    """

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, Enum):
    """The height of the triangles that sum frequencies to mels.

    Attributes:
        SLANEY: their area is 1, with frequencies in Hz.
        NONE: their height is 1.

    Examples:
        >>> bank = audio.melscale_fbanks(5, 0.0, 4000.0, 2, 8000, norm=audio.NormType.SLANEY)
        >>> print(bank.round(5))
        [[0.      0.     ]
         [0.00075 0.00019]
         [0.      0.00054]
         [0.      0.00027]
         [0.      0.     ]]
    """

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(str, Enum):
    """The window of the sinc that Resample() interpolates with.

    Attributes:
        SINC_INTERPOLATION: the square of a cosine, a Hann window.
        KAISER_WINDOW: a Kaiser window.

    Examples:
        >>> resample = audio.Resample(8000, 16000, audio.ResampleMethod.KAISER_WINDOW)
        >>> resample(np.zeros(100)).shape
        (200,)
    """

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, Enum):
    """Whether the values of a spectrum are powers or magnitudes.

    Attributes:
        POWER: squares of magnitudes; 10 log10(x) decibels.
        MAGNITUDE: magnitudes; 20 log10(x) decibels.

    Examples:
        >>> spectrum = np.array([[1.0, 100.0]])
        >>> print(audio.AmplitudeToDB(audio.ScaleType.POWER)(spectrum))
        [[ 0. 20.]]
        >>> print(audio.AmplitudeToDB(audio.ScaleType.MAGNITUDE)(spectrum))
        [[ 0. 40.]]
    """

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, Enum):
    """The window that frames of sound are multiplied by before their Fourier transform.

    Attributes:
        BARTLETT: a triangle.
        BLACKMAN: Blackman's.
        HAMMING: Hamming's, 0.54 - 0.46 cos.
        HANN: Hann's, 0.5 - 0.5 cos.
        KAISER: Kaiser's, with beta = 12.

    Examples:
        >>> spectrogram = audio.Spectrogram(n_fft=8, window=audio.WindowType.HAMMING)
        >>> spectrogram(np.zeros(32)).shape
        (5, 9)
    """

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
