"""Spectra of sound, by frequencies or mels; of complex numbers their size and angle."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.audio.banks import mel_bank
from emberjit.dataset.audio.frames import Frames, padded
from emberjit.dataset.audio.kinds import BorderType, MelType, NormType, WindowType
from emberjit.dataset.audio.sound import AudioTransform, from_complex, positive, real, result_dtype, spaced, to_complex
from emberjit.dataset.values import Array, Floating


class ComplexNorm(AudioTransform):
    """Computes the absolute values of complex numbers, raised to a power.

    Args:
        power: the power, at least 0: 1 gives magnitudes, 2 powers.

    Inputs:
        spectrum: an array of shape (..., 2), whose last axis has the real and the imaginary part; the result is of shape
            (...).

    Raises:
        TypeError: power is no number.
        ValueError: it is negative.
        RuntimeError: the last axis is not of two.

    Examples:
        >>> print(audio.ComplexNorm()(np.array([[3.0, 4.0], [0.0, -2.0]])))
        [5. 2.]
    """

    form = "..., 2"

    def __init__(self, power: float = 1.0):
        self.power = real(type(self).__name__, "power", power, 0)

    def apply(self, array: Array) -> Any:
        return (np.abs(to_complex(array)) ** self.power).astype(result_dtype(array))


class Angle(AudioTransform):
    """Computes the angles of complex numbers, in radians from -pi to pi.

    Inputs:
        spectrum: an array of shape (..., 2), whose last axis has the real and the imaginary part; the result is of shape
            (...).

    Raises:
        RuntimeError: the last axis is not of two.

    Examples:
        >>> print(audio.Angle()(np.array([[1.0, 0.0], [0.0, 2.0]])))
        [0.         1.57079633]
    """

    form = "..., 2"

    def apply(self, array: Array) -> Any:
        return np.angle(to_complex(array)).astype(result_dtype(array))


class Magphase(ComplexNorm):
    """Computes both the absolute values of complex numbers, raised to a power, and their angles, in radians from -pi to pi.

    Args:
        power: the power of the absolute values, at least 0.

    Inputs:
        spectrum: an array of shape (..., 2), whose last axis has the real and the imaginary part; the result is two arrays
            of shape (...).

    Raises:
        TypeError: power is no number.
        ValueError: it is negative.
        RuntimeError: the last axis is not of two.

    Examples:
        >>> magnitude, phase = audio.Magphase(power=1.0)(np.array([[1.0, 0.0], [0.0, 2.0]]))
        >>> print(magnitude, phase)
        [1. 2.] [0.         1.57079633]
    """

    def apply(self, array: Array) -> Any:
        return super().apply(array), np.angle(to_complex(array)).astype(result_dtype(array))


class Spectrum:
    """How a spectrum is made of sound.

    Args:
        where: the operation that it is of, for errors.
        frames: how the sound is cut.
        pad: zeros before and after the sound.
        power: of the size of complex numbers; 0: these themselves.
        normalized: whether they are divided by the root of the sum of the squared window.
        center, pad_mode: as in Frames.transformed().
        onesided: whether of the frequencies, which are the same from both ends, one half is given.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: pad or power is negative.
    """

    def __init__(
        self,
        where: str,
        frames: Frames,
        pad: int,
        power: float,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        self.frames = frames
        self.pad = check_int32(where, "pad", pad)
        self.power = real(where, "power", power, 0)
        self.normalized = check_bool(where, "normalized", normalized)
        self.center = check_bool(where, "center", center)
        self.pad_mode = check_instance(where, "pad_mode", pad_mode, BorderType)
        self.onesided = check_bool(where, "onesided", onesided)

    def of(self, sound: Array) -> Any:
        """The spectrum, of axes ..., freq, time, in float64, or complex if power is 0.

        Raises:
            ValueError: the sound is too short.
        """
        spectrum = self.frames.transformed(padded(sound, self.pad, self.pad), self.center, self.pad_mode)
        if self.normalized:
            spectrum /= np.sqrt((self.frames.window**2).sum())
        if not self.onesided:
            spectrum = np.concatenate([spectrum, spectrum[..., (self.frames.n_fft - 1) // 2 : 0 : -1, :].conj()], -2)
        return np.abs(spectrum) ** self.power if self.power else spectrum


class OfSpectrum(AudioTransform):
    """An operation of sound by its spectrum.

    Attributes:
        spectrum: how that is made.
    """

    spectrum: Spectrum

    def spectrum_of(self, sound: Array) -> Any:
        """The spectrum of sound.

        Raises:
            RuntimeError: the sound is too short.
        """
        try:
            return self.spectrum.of(sound)
        except ValueError as error:
            raise self.refuse(str(error)) from None


class Spectrogram(OfSpectrum):
    """Computes the spectrum of sound over time: the squared magnitudes of the Fourier transforms of overlapping frames.

    Args:
        n_fft: the length of a frame in samples.
        win_length: the length of the window in the middle of a frame; None: n_fft.
        hop_length: the samples from one frame to the next; None: half the window's length.
        pad: the number of zeros before and after the sound.
        window: the window, a WindowType.
        power: the power of the magnitudes, at least 0: 2 gives powers; 0: the complex numbers themselves, with a last axis
            of two, the real and the imaginary part.
        normalized: whether magnitudes are divided by the root of the sum of the window's squares.
        center: whether sample k * hop_length is the middle of frame k, with half a frame padded at both ends; False: its
            first.
        pad_mode: what is padded then, a BorderType.
        onesided: whether the n_fft // 2 + 1 frequencies from 0 on are given; False: all n_fft, which are symmetric.

    Inputs:
        sound: an array of shape (..., time); the result is of shape (..., freq, frames).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the sound is shorter than a frame.

    Examples:
        >>> wave = np.cos(2 * np.pi * np.arange(16) / 4)
        >>> spectrum = audio.Spectrogram(n_fft=8, hop_length=8, center=False)(wave)
        >>> print(spectrum.shape, spectrum[:, 0].round(3) + 0.0)
        (5, 2) [0. 1. 4. 1. 0.]
    """

    def __init__(
        self,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        frames = Frames("Spectrogram", n_fft, win_length, hop_length, window)
        self.spectrum = Spectrum("Spectrogram", frames, pad, power, normalized, center, pad_mode, onesided)

    def apply(self, array: Array) -> Any:
        spectrum = self.spectrum_of(array)
        kind = result_dtype(array)
        return spectrum.astype(kind) if self.spectrum.power else from_complex(spectrum, kind)


class SpectralCentroid(OfSpectrum):
    """Computes the mean frequency of each frame of sound in Hz, weighted by the magnitudes of its spectrum.

    Args:
        sample_rate: samples per second.
        n_fft: the length of a frame in samples.
        win_length: the length of the window in the middle of a frame; None: n_fft.
        hop_length: the samples from one frame to the next; None: half the window's length.
        pad: the number of zeros before and after the sound.
        window: the window, a WindowType.

    Inputs:
        sound: an array of shape (..., time); the result is of shape (..., 1, frames).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the sound is shorter than a frame.

    Examples:
        >>> wave = np.cos(2 * np.pi * np.arange(64) / 4)
        >>> centroid = audio.SpectralCentroid(sample_rate=8000, n_fft=16)(wave)
        >>> print(centroid.shape, centroid[0, 3].round())
        (1, 9) 2000.0
    """

    def __init__(
        self,
        sample_rate: int,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
    ):
        highest = check_int32("SpectralCentroid", "sample_rate", sample_rate) // 2
        self.spectrum = Spectrum(
            "SpectralCentroid", Frames("SpectralCentroid", n_fft, win_length, hop_length, window), pad, 1.0
        )
        self.frequencies = spaced(0, highest, n_fft // 2 + 1, np.float64)

    def apply(self, array: Array) -> Any:
        sizes = self.spectrum_of(array)
        mean = (self.frequencies[:, None] * sizes).sum(-2, keepdims=True) / sizes.sum(-2, keepdims=True)
        return mean.astype(result_dtype(array))


class Mels:
    """How frequencies become mels.

    Args:
        where: the operation that it is of, for errors.
        n_mels: their number.
        sample_rate: samples in a second.
        f_min, f_max: the range, in Hz; to sample_rate // 2 unless given.
        n_stft: the number of frequencies.
        norm, mel_type: as in melscale_fbanks().
        least: what n_mels and sample_rate are at least.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is below the least, or f_min not below f_max.
    """

    def __init__(
        self,
        where: str,
        n_mels: int,
        sample_rate: int,
        f_min: float,
        f_max: float | None,
        n_stft: int,
        norm: NormType,
        mel_type: MelType,
        least: int = 1,
    ):
        self.number = check_int32(where, "n_mels", n_mels, least)
        self.sample_rate = check_int32(where, "sample_rate", sample_rate, least)
        self.n_stft = check_int32(where, "n_stft", n_stft, 1)
        self.f_min = real(where, "f_min", f_min)
        self.f_max = sample_rate // 2 if f_max is None else positive(where, "f_max", f_max)
        if not f_min < self.f_max:
            raise ValueError(f"For '{where}', 'f_min' must be below 'f_max', {self.f_max}, but got {f_min}.")
        self.norm = check_instance(where, "norm", norm, NormType)
        self.scale = check_instance(where, "mel_type", mel_type, MelType)

    def bank(self, kind: Floating) -> Any:
        """The matrix, of shape (n_stft, n_mels), in a dtype."""
        return mel_bank(self.n_stft, self.f_min, self.f_max, self.number, self.sample_rate, self.norm, self.scale, kind)

    def of(self, spectrum: Array, kind: Floating) -> Any:
        """Mels of a spectrum, float64, by the matrix in a dtype."""
        return self.bank(kind).T.astype(np.float64) @ spectrum


class MelScale(AudioTransform):
    """Sums the frequencies of a spectrum to mels, by the filter bank of melscale_fbanks().

    Args:
        n_mels: the number of mels.
        sample_rate: samples per second of the sound.
        f_min: the lowest frequency, in Hz.
        f_max: the highest one, in Hz; None: sample_rate // 2.
        n_stft: the number of frequencies of the spectrum.
        norm: a NormType; SLANEY divides each mel by its width in Hz.
        mel_type: the scale of mels, a MelType.

    Inputs:
        spectrum: an array of shape (..., n_stft, time); the result is of shape (..., n_mels, time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the spectrum has another number of frequencies.

    Examples:
        >>> spectrum = np.ones((5, 2))
        >>> print(audio.MelScale(n_mels=2, sample_rate=8000, n_stft=5)(spectrum).round(3))
        [[0.676 0.676]
         [1.682 1.682]]
    """

    form = "..., freq, time"

    def __init__(
        self,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        n_stft: int = 201,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ):
        self.mels = Mels("MelScale", n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_type)

    def apply(self, array: Array) -> Any:
        if array.shape[-2] != self.mels.n_stft:
            raise self.refuse(f"there must be 'n_stft', {self.mels.n_stft}, frequencies, but are {array.shape[-2]}")
        kind = result_dtype(array)
        return self.mels.of(array.astype(np.float64), kind).astype(kind)


class OfMels(OfSpectrum):
    """An operation of sound by its mels.

    Attributes:
        mels: how they are made.
    """

    mels: Mels

    def mels_of(self, sound: Array) -> Any:
        """The mels of sound, float64.

        Raises:
            RuntimeError: the sound is too short, or its spectrum twosided.
        """
        frames = self.spectrum.frames
        if frames.n_fft >= 2 * sound.shape[-1]:
            raise self.refuse(f"'n_fft' must be below twice the length, {sound.shape[-1]}, but is {frames.n_fft}")
        spectrum = self.spectrum_of(sound)
        return self.mels.of(spectrum[..., : self.mels.n_stft, :], result_dtype(sound))


class MelSpectrogram(OfMels):
    """Computes the spectrum of sound over time in mels: MelScale() of Spectrogram().

    Args:
        sample_rate: samples per second.
        n_fft: the length of a frame in samples.
        win_length: the length of the window in the middle of a frame; None: n_fft.
        hop_length: the samples from one frame to the next; None: half the window's length.
        f_min: the lowest frequency, in Hz, a float.
        f_max: the highest one, in Hz; None: sample_rate // 2.
        pad: the number of zeros before and after the sound.
        n_mels: the number of mels.
        window: the window, a WindowType.
        power: the power of the magnitudes, above 0.
        normalized: whether magnitudes are divided by the root of the sum of the window's squares.
        center: whether sample k * hop_length is the middle of frame k, with half a frame padded at both ends; False: its
            first.
        pad_mode: what is padded then, a BorderType.
        onesided: as of Spectrogram(); the frequencies of the second half are not summed in either case.
        norm: a NormType; SLANEY divides each mel by its width in Hz.
        mel_scale: the scale of mels, a MelType.

    Inputs:
        sound: an array of shape (..., time); the result is of shape (..., n_mels, frames).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the sound is shorter than half a frame.

    Examples:
        >>> wave = np.cos(2 * np.pi * np.arange(64) / 4)
        >>> audio.MelSpectrogram(sample_rate=8000, n_fft=16, n_mels=4)(wave).shape
        (4, 9)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        f_min: float = 0.0,
        f_max: float | None = None,
        pad: int = 0,
        n_mels: int = 128,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
        norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ):
        where = "MelSpectrogram"
        frames = Frames(where, n_fft, win_length, hop_length, window)
        positive(where, "power", power)
        self.spectrum = Spectrum(where, frames, pad, power, normalized, center, pad_mode, onesided)
        check_instance(where, "f_min", f_min, float)
        self.mels = Mels(where, n_mels, sample_rate, f_min, f_max, n_fft // 2 + 1, norm, mel_scale)

    def apply(self, array: Array) -> Any:
        return self.mels_of(array).astype(result_dtype(array))
