"""Sound of another duration at the same pitch, by phase vocoder (Flanagan and Golden, 1966), and of another pitch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_instance, check_int32
from emberjit.dataset.audio.frames import Frames, padded
from emberjit.dataset.audio.kinds import WindowType
from emberjit.dataset.audio.resampling import Resampling
from emberjit.dataset.audio.sound import AudioTransform, from_complex, nonzero, positive, result_dtype, to_complex
from emberjit.dataset.values import Array


def stretched(spectrum: Array, speed: float) -> Any:
    """A complex spectrum, of axes ..., freq, time, whose time goes at another speed: the size of each frame is between those
    of two, and its phase goes on by the difference of theirs."""
    if speed == 1:
        return spectrum
    frames = spectrum.shape[-1]
    times = np.arange(math.ceil(frames / speed) + 1, dtype=np.float32) * np.float32(speed)
    times = times[times < frames].astype(np.float64)
    at = times.astype(np.int64)
    wide = padded(spectrum, 0, 2)
    current, following = wide[..., at], wide[..., at + 1]
    turns = np.concatenate([np.angle(spectrum[..., :1]), (np.angle(following) - np.angle(current))[..., :-1]], -1)
    share = times - at
    return (share * np.abs(following) + (1 - share) * np.abs(current)) * np.exp(1j * np.cumsum(turns, -1))


class TimeStretch(AudioTransform):
    """Makes a complex spectrum faster or slower without a change of its pitch, by a phase vocoder (J. L. Flanagan, R. M.
    Golden, "Phase Vocoder", 1966).

    Args:
        hop_length: the samples from one frame to the next; None: any. The result does not depend on it: it says by how much
            phases are expected to advance, which is a matter of whole turns.
        n_freq: the number of frequencies of the spectrum; the result does not depend on it either.
        fixed_rate: how many times faster, above 0; None: 1.

    Inputs:
        spectrum: an array of shape (..., freq, time, 2), whose last axis has the real and the imaginary part; the result is
            of shape (..., freq, ceil(time / fixed_rate), 2).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: an array is not of such a shape.

    Examples:
        >>> spectrum = audio.Spectrogram(n_fft=8, power=0)(np.ones(40))
        >>> print(spectrum.shape, audio.TimeStretch(n_freq=5, fixed_rate=2.0)(spectrum).shape)
        (5, 11, 2) (5, 6, 2)
    """

    form = "..., freq, time, 2"

    def __init__(self, hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None):
        where = "TimeStretch"
        check_int32(where, "n_freq", n_freq, 1)
        if hop_length is not None:
            check_int32(where, "hop_length", hop_length, 1)
        self.speed = 1 if fixed_rate is None else positive(where, "fixed_rate", fixed_rate)

    def apply(self, array: Array) -> Any:
        return from_complex(stretched(to_complex(array), self.speed), result_dtype(array))


class PhaseVocoder(AudioTransform):
    """Makes a complex spectrum faster or slower without a change of its pitch, by a phase vocoder (J. L. Flanagan, R. M.
    Golden, "Phase Vocoder", 1966).

    Args:
        rate: how many times faster, above 0.
        phase_advance: by how much phases are expected to advance from frame to frame, an array of shape (freq, 1) of the
            spectrum's dtype. The result does not depend on it, as that is a matter of whole turns.

    Inputs:
        spectrum: an array of shape (..., freq, time, 2), whose last axis has the real and the imaginary part; the result is
            of shape (..., freq, ceil(time / rate), 2).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: rate is not above 0.
        RuntimeError: an array is of another dtype than phase_advance, or has another number of frequencies.

    Examples:
        >>> spectrum = audio.Spectrogram(n_fft=8, power=0)(np.ones(40))
        >>> audio.PhaseVocoder(rate=2.0, phase_advance=np.zeros((5, 1)))(spectrum).shape
        (5, 6, 2)
    """

    form = "..., freq, time, 2"

    def __init__(self, rate: float, phase_advance: Any):
        self.speed = positive("PhaseVocoder", "rate", rate)
        self.advance = check_instance("PhaseVocoder", "phase_advance", phase_advance, np.ndarray)

    def apply(self, array: Array) -> Any:
        if self.advance.dtype != array.dtype or self.advance.shape != (array.shape[-3], 1):
            raise self.refuse(
                f"'phase_advance' must be {array.dtype} of shape {[array.shape[-3], 1]}, but is {self.advance.dtype} of "
                f"shape {list(self.advance.shape)}"
            )
        return from_complex(stretched(to_complex(array), self.speed), result_dtype(array))


class PitchShift(AudioTransform):
    """Changes the pitch of sound, and keeps its duration: it is stretched by a phase vocoder, and resampled.

    Args:
        sample_rate: samples per second.
        n_steps: how many steps higher; negative ones are lower.
        bins_per_octave: the number of steps of an octave, not 0.
        n_fft: the length of a frame in samples.
        win_length: the length of the window in the middle of a frame; None: n_fft.
        hop_length: the samples from one frame to the next; None: a quarter of the window's length.
        window: the window, a WindowType.

    Inputs:
        sound: an array of shape (..., time); the result has its shape.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the sound is shorter than a frame; or sample_rate is 0, or too low for a pitch so low.

    Examples:
        >>> wave = np.sin(2 * np.pi * 200 * np.arange(8000) / 8000)
        >>> higher = audio.PitchShift(sample_rate=8000, n_steps=12)(wave)
        >>> print(*[np.abs(np.fft.rfft(sound)).argmax() for sound in (wave, higher)])
        200 400
    """

    def __init__(
        self,
        sample_rate: int,
        n_steps: int,
        bins_per_octave: int = 12,
        n_fft: int = 512,
        win_length: int | None = None,
        hop_length: int | None = None,
        window: WindowType = WindowType.HANN,
    ):
        where = "PitchShift"
        self.sample_rate = check_int32(where, "sample_rate", sample_rate)
        check_int32(where, "n_steps", n_steps, -(2**31))
        self.octaves = n_steps / nonzero(where, "bins_per_octave", bins_per_octave)
        self.frames = Frames(where, n_fft, win_length, hop_length, window, 4)

    def apply(self, array: Array) -> Any:
        speed = np.float32(2) ** np.float32(-self.octaves)
        slower = int(np.float32(self.sample_rate) / speed) if 0 < speed < np.inf else 0
        if self.sample_rate < 1 or slower < 1:
            raise self.refuse(f"'n_steps' of {self.octaves} octaves lead beyond what 'sample_rate', {self.sample_rate}, has")
        length = array.shape[-1]
        try:
            longer = stretched(self.frames.transformed(array), float(speed))
            sound = self.frames.joined(longer, True, math.floor(np.float32(length) / speed + 0.5))
        except ValueError as error:
            raise self.refuse(str(error)) from None
        shifted = Resampling(slower, self.sample_rate).of(sound)[..., :length]
        return padded(shifted, 0, length - shifted.shape[-1]).astype(result_dtype(array))
