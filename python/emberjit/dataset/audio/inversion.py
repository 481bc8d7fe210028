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
    """The sound of a complex spectrum: of shape ..., freq, frames, 2 becomes ..., time.

    Args:
        length: how long the sound is, cut or with zeros; unless given, or 0, as long as from the first frame to the last.
        n_fft, win_length, hop_length, pad, window, normalized, center, onesided: those that Spectrogram made it with.
            n_fft is even. Of all frequencies the first half is read.
        pad_mode: what Spectrogram put at both ends, which is cut off whatever it was.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the spectrum has not n_fft // 2 + 1 frequencies, or pad is given without a length.
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
    """Sound whose spectrum has given sizes, of shape ..., freq, frames: of shape ..., time. Its phases are found in
    steps, of which each takes those of the spectrum that the sound of the last one has (Griffin and Lim, 1984; with momentum
    Perraudin, Balazs and Soendergaard, 2013).

    Args:
        n_fft: the length of frames, even.
        n_iter: the number of steps.
        win_length: the length of the window; n_fft unless given, or 0.
        hop_length: from one frame to the next; half the window unless given, or 0.
        window_type: the window.
        power: which the sizes have been raised to.
        momentum: below 1; momentum / (1 + 2 momentum) of the spectrum of the step before is taken away.
        length: how long the sound is; as long as from the first frame to the last unless given, or 0.
        rand_init: whether phases are drawn at first; else they are 0.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: there are not n_fft / 2 + 1 frequencies, or momentum is 1 or more.
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
    """A spectrum, not negative, whose mels are given ones, of shape ..., n_mels, time: of shape ..., freq, time. It is
    drawn, and then changed by steps of gradient descent until the mean of the squared differences is small.

    Args:
        n_stft: how many frequencies it has.
        n_mels, sample_rate, f_min, f_max, norm, mel_type: as in MelScale.
        max_iter: the most steps.
        tolerance_loss: the mean at which they end.
        tolerance_change: the change of the mean at which they end.
        sgdargs: a dict of "sgd_lr", the rate, and "sgd_momentum", how much of the step before is kept; 0.1 and 0.9 unless
            given.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: there are not n_mels mels, or one is not finite.
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
