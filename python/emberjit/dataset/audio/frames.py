"""Frames: how sound is cut into overlapping windows, their Fourier transforms, and how it is put together again."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.checks import check_instance, check_int32
from emberjit.dataset.audio.banks import window
from emberjit.dataset.audio.kinds import BorderType, WindowType
from emberjit.dataset.values import Array

_TINY = np.finfo(np.float32).tiny


def padded(array: Array, left: int, right: int, mode: BorderType = BorderType.CONSTANT) -> Any:
    """An array with more at both ends of its last axis."""
    return np.pad(array, [(0, 0)] * (array.ndim - 1) + [(left, right)], mode.value)


class Frames:
    """How sound is cut.

    Args:
        where: the operation that it is of, for errors.
        n_fft: the length of frames.
        win_length: that of the window in their middle; n_fft unless given.
        hop_length: from one frame to the next; the window's length over `overlap` unless given.
        kind: the window.
        least: what both lengths are at least; 0 is as if they were not given.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a length is below the least, or the window is longer than frames.
    """

    def __init__(
        self,
        where: str,
        n_fft: int,
        win_length: int | None,
        hop_length: int | None,
        kind: WindowType,
        overlap: int = 2,
        least: int = 1,
    ):
        self.n_fft = check_int32(where, "n_fft", n_fft, 1)
        for name, value in (("win_length", win_length), ("hop_length", hop_length)):
            if value is not None:
                check_int32(where, name, value, least)
        self.win_length = win_length or n_fft
        if self.win_length > n_fft:
            raise ValueError(f"For '{where}', 'win_length' must be at most 'n_fft', {n_fft}, but got {win_length}.")
        self.hop = hop_length or self.win_length // overlap
        left = (n_fft - self.win_length) // 2
        check_instance(where, "window", kind, WindowType)
        self.window = padded(window(kind, self.win_length), left, n_fft - self.win_length - left).astype(np.float64)

    def transformed(self, sound: Array, center: bool = True, mode: BorderType = BorderType.REFLECT) -> Any:
        """The spectrum of sound, complex of axes ..., freq, time.

        Args:
            center: whether the middle of frame k is sample k * hop, with half a frame more at both ends; else its first is.
            mode: what these are.

        Raises:
            ValueError: the sound is shorter than a frame, or there is no hop.
        """
        wide = sound.astype(np.float64)
        if center:
            wide = padded(wide, self.n_fft // 2, self.n_fft // 2, mode)
        if self.n_fft > wide.shape[-1] or self.hop < 1:
            raise ValueError(f"'n_fft' must be from 1 to {wide.shape[-1]}, and a hop 1, but are {self.n_fft} and {self.hop}")
        cut = np.lib.stride_tricks.sliding_window_view(wide, self.n_fft, -1)[..., :: self.hop, :]
        return np.swapaxes(np.fft.rfft(cut * self.window), -1, -2)

    def joined(self, spectrum: Array, center: bool, length: int = 0) -> Any:
        """Sound, float64, whose spectrum comes nearest to one: frames overlapped and added, over the sum of squared windows
        (Griffin and Lim, 1984).

        Args:
            spectrum: complex of axes ..., freq, time.
            center: as in transformed().
            length: that of the result, cut or with zeros; 0: what frames reach, less half a frame at both ends if centered.

        Raises:
            ValueError: there are not n_fft / 2 + 1 frequencies, or there is no hop.
        """
        if self.n_fft != 2 * (spectrum.shape[-2] - 1) or self.hop < 1:
            raise ValueError(
                f"'n_fft' must be twice the number of frequencies less one, {2 * (spectrum.shape[-2] - 1)}, and a hop 1, "
                f"but are {self.n_fft} and {self.hop}"
            )
        frames = spectrum.shape[-1]
        half = self.n_fft // 2 if center else 0
        waves = np.fft.irfft(np.swapaxes(spectrum, -1, -2)) * self.window
        sound = np.zeros((*waves.shape[:-2], self.n_fft + self.hop * (frames - 1)))
        weights = np.zeros(sound.shape[-1])
        for k in range(frames):
            at = slice(k * self.hop, k * self.hop + self.n_fft)
            sound[..., at] += waves[..., k, :]
            weights[at] += self.window**2
        sound /= np.where(weights > _TINY, weights, 1)
        if not length:
            return sound[..., half : sound.shape[-1] - half]
        sound = sound[..., half : half + length]
        return padded(sound, 0, length - sound.shape[-1])
