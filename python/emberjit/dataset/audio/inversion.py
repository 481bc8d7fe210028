"""Sound of spectra, and spectra of mels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.audio.frames import Frames
from emberjit.dataset.audio.kinds import BorderType, MelType, NormType, WindowType
from emberjit.dataset.audio.sound import AudioTransform, positive, real, result_dtype, to_complex
from emberjit.dataset.audio.spectra import Mels
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array


class InverseSpectrogram(AudioTransform):
    """Reconstructs sound from its complex spectrum: the inverse of Spectrogram() with power=0.

    Args:
        length: the number of samples of the result, cut or padded with zeros; None or 0: those from the first frame to the
            last.
        n_fft: the length of a frame in samples, even. This and the following are what Spectrogram() was given.
        win_length: the length of the window in the middle of a frame; None: n_fft.
        hop_length: the samples from one frame to the next; None: half the window's length.
        pad: the number of zeros that were added before and after the sound, which are cut off.
        window: the window, a WindowType.
        normalized: whether magnitudes were divided by the root of the sum of the window's squares.
        center: whether sample k * hop_length is the middle of frame k; False: its first.
        pad_mode: what was padded then; it is cut off, whatever it was.
        onesided: whether there are the n_fft // 2 + 1 frequencies from 0 on; False: n_fft, of which the first half is read.

    Inputs:
        spectrum: an array of shape (..., freq, frames, 2), whose last axis has the real and the imaginary part; the result
            is of shape (..., time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the spectrum has another number of frequencies, or pad is given without a length.

    Examples:
        >>> wave = np.arange(16) / 16
        >>> spectrum = audio.Spectrogram(n_fft=8, power=0)(wave)
        >>> sound = audio.InverseSpectrogram(length=16, n_fft=8)(spectrum)
        >>> print(np.allclose(sound, wave))
        True
    """

    form = "..., freq, time, 2"

    def __init__(
        self,
        length: int | None = None,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        where = "InverseSpectrogram"
        self.length = 0 if length is None else check_int32(where, "length", length)
        self.frames = Frames(where, n_fft, win_length, hop_length, window)
        self.pad = check_int32(where, "pad", pad)
        self.normalized = check_bool(where, "normalized", normalized)
        self.center = check_bool(where, "center", center)
        check_instance(where, "pad_mode", pad_mode, BorderType)
        self.onesided = check_bool(where, "onesided", onesided)

    def apply(self, array: Array) -> Any:
        if self.pad and not self.length:
            raise self.refuse(f"with 'pad', {self.pad}, there must be a 'length', but got none")
        spectrum = to_complex(array)
        if self.normalized:
            spectrum = spectrum * np.sqrt((self.frames.window**2).sum())
        if not self.onesided:
            spectrum = spectrum[..., : self.frames.n_fft // 2 + 1, :]
        length = self.length + 2 * self.pad if self.length else (spectrum.shape[-1] - 1) * self.frames.hop
        try:
            sound = self.frames.joined(spectrum, self.center, length)
        except ValueError as error:
            raise self.refuse(str(error)) from None
        return sound[..., self.pad : sound.shape[-1] - self.pad].astype(result_dtype(array))


class GriffinLim(AudioTransform):
    """Reconstructs sound from a spectrum without phases. They are found step by step: each step takes the phases of the
    spectrum of the sound of the step before (D. Griffin, J. Lim, "Signal estimation from modified short-time Fourier
    transform", 1984; with momentum: N. Perraudin, P. Balazs, P. Soendergaard, "A fast Griffin-Lim algorithm", 2013).

    Args:
        n_fft: the length of a frame in samples, even.
        n_iter: the number of steps.
        win_length: the length of the window in the middle of a frame; None or 0: n_fft.
        hop_length: the samples from one frame to the next; None or 0: half the window's length.
        window_type: the window, a WindowType.
        power: the power that the magnitudes of the spectrum were raised to, above 0.
        momentum: from 0 to below 1; more may converge faster.
        length: the number of samples of the result; None or 0: those from the first frame to the last.
        rand_init: whether the first phases are drawn; False: they are 0.

    Inputs:
        spectrum: an array of shape (..., n_fft / 2 + 1, frames), not negative; the result is of shape (..., time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: there is another number of frequencies, or momentum is 1 or more.

    Examples:
        >>> wave = np.cos(2 * np.pi * np.arange(32) / 4)
        >>> spectrum = audio.Spectrogram(n_fft=8)(wave)
        >>> audio.GriffinLim(n_fft=8, length=32)(spectrum).shape
        (32,)
    """

    form = "..., freq, time"

    def __init__(
        self,
        n_fft: int = 400,
        n_iter: int = 32,
        win_length: int | None = None,
        hop_length: int | None = None,
        window_type: WindowType = WindowType.HANN,
        power: float = 2.0,
        momentum: float = 0.99,
        length: int | None = None,
        rand_init: bool = True,
    ):
        where = "GriffinLim"
        self.frames = Frames(where, n_fft, win_length, hop_length, window_type, least=0)
        self.n_iter = check_int32(where, "n_iter", n_iter, 1)
        self.power = positive(where, "power", power)
        self.momentum = real(where, "momentum", momentum, 0)
        self.length = 0 if length is None else check_int32(where, "length", length)
        self.random = check_bool(where, "rand_init", rand_init)

    def apply(self, array: Array) -> Any:
        if self.momentum >= 1:
            raise self.refuse(f"'momentum' must be below 1, as steps may not end elsewhere, but is {self.momentum}")
        try:
            return self._reconstruct(array.astype(np.float64) ** (1 / self.power)).astype(result_dtype(array))
        except ValueError as error:
            raise self.refuse(str(error)) from None

    def _reconstruct(self, sizes: Array) -> Any:
        phases: Any = 1.0
        if self.random:
            phases = draws().random(sizes.shape) + 1j * draws().random(sizes.shape)
        fits = self.length // max(self.frames.hop, 1) + 1 == sizes.shape[-1]
        length, before = self.length if fits else 0, 0.0
        for _ in range(self.n_iter):
            rebuilt = self.frames.transformed(self.frames.joined(sizes * phases, True, length))
            phases = rebuilt - before * (self.momentum / (1 + 2 * self.momentum))
            phases /= np.abs(phases) + 1e-16
            before = rebuilt
        return self.frames.joined(sizes * phases, True, self.length)


class InverseMelScale(AudioTransform):
    """Estimates the spectrum whose mels are given: random numbers, changed by gradient descent with momentum, and kept from
    being negative, until the mean of the squared differences of the mels is small.

    Args:
        n_stft: the number of frequencies of the result.
        n_mels: the number of mels.
        sample_rate: samples per second of the sound.
        f_min: the lowest frequency, in Hz.
        f_max: the highest one, in Hz; None: sample_rate // 2.
        max_iter: the largest number of steps.
        tolerance_loss: the mean at which they end.
        tolerance_change: the change of the mean from step to step at which they end.
        sgdargs: a dict of "sgd_lr", the learning rate, and "sgd_momentum"; None: 0.1 and 0.9.
        norm: a NormType; SLANEY says that each mel was divided by its width in Hz.
        mel_type: the scale of mels, a MelType.

    Inputs:
        mels: an array of shape (..., n_mels, time); the result is of shape (..., n_stft, time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: there is another number of mels, or one is not finite.

    Examples:
        >>> mels = np.ones((2, 3))
        >>> spectrum = audio.InverseMelScale(n_stft=5, n_mels=2, sample_rate=8000)(mels)
        >>> scale = audio.MelScale(n_mels=2, sample_rate=8000, n_stft=5)
        >>> print(np.allclose(scale(spectrum), mels, atol=0.02))
        True
    """

    form = "..., freq, time"
    random = True

    def __init__(
        self,
        n_stft: int,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        max_iter: int = 100000,
        tolerance_loss: float = 1e-5,
        tolerance_change: float = 1e-8,
        sgdargs: Mapping[str, float] | None = None,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ):
        where = "InverseMelScale"
        self.mels = Mels(where, n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_type)
        self.max_iter = check_int32(where, "max_iter", max_iter, 1)
        self.tolerance_loss = positive(where, "tolerance_loss", tolerance_loss)
        self.tolerance_change = positive(where, "tolerance_change", tolerance_change)
        options = {"sgd_lr": 0.1, "sgd_momentum": 0.9} if sgdargs is None else sgdargs
        self.rate, self.momentum = (real(where, name, options[name], 0) for name in ("sgd_lr", "sgd_momentum"))

    def apply(self, array: Array) -> Any:
        if array.shape[-2] != self.mels.number:
            raise self.refuse(f"there must be 'n_mels', {self.mels.number}, mels, but are {array.shape[-2]}")
        kind = result_dtype(array)
        bank = self.mels.bank(kind).T.astype(np.float64)
        flat = array.reshape(-1, *array.shape[-2:]).astype(np.float64)
        spectra = np.stack([self._solved(bank, mels) for mels in flat])
        return spectra.reshape(*array.shape[:-2], -1, array.shape[-1]).astype(kind)

    def _solved(self, bank: Array, mels: Array) -> Any:
        spectrum = draws().random((bank.shape[1], mels.shape[1]))
        velocity, loss = np.zeros_like(spectrum), np.inf
        for _ in range(self.max_iter):
            difference = bank @ spectrum - mels
            before, loss = loss, float(np.mean(difference**2))
            if not np.isfinite(loss):
                raise self.refuse(f"mels must be finite, and their squares too, but the loss became {loss}")
            if loss < self.tolerance_loss or abs(before - loss) < self.tolerance_change:
                break
            velocity = self.momentum * velocity + bank.T @ difference / mels.shape[1]
            spectrum = np.maximum(spectrum - self.rate * velocity, 0)
        return spectrum
