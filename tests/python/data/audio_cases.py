"""Calls of operations of sound, and what MindSpore gives for them: with an environment that has mindspore 2.10,
`PYTHON tests/python/data/audio_cases.py` records it in audio_values.txt, which test_dataset_audio.py compares. A line
is a call, the name of what is given to it, and of each result the dtype and shape, eight of its elements and the root of the
sum of all squares; or the type of an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).with_name("audio_values.txt")
FILTERS = """
    AllpassBiquad(44100, 2000.0); AllpassBiquad(8000, 1500.0, 0.3); BandBiquad(44100, 2000.0)
    BandBiquad(8000, 1500, 0.9, True)
    BandpassBiquad(44100, 2000.0); BandpassBiquad(8000, 1500.0, 0.5, True); BandrejectBiquad(44100, 2000.0)
    BassBiquad(44100, 10.0); BassBiquad(8000, -12.5, 300.0, 0.4); Biquad(0.01, 0.02, 0.13, 2, 0.12, 0.3); DeemphBiquad(44100)
    DeemphBiquad(48000); EqualizerBiquad(44100, 1500.0, 5.5); EqualizerBiquad(8000, 150.0, -5.5, 0.3)
    HighpassBiquad(44100, 1500); LowpassBiquad(4000, 1500, 0.7); RiaaBiquad(44100); RiaaBiquad(48000); RiaaBiquad(88200)
    RiaaBiquad(96000); TrebleBiquad(44100, 10.0); TrebleBiquad(8000, -20, 1000, 0.5)
    LFilter([1.0, 0.1, 0.3], [0.1, 0.2, 0.3])
    LFilter([0.9, 0.1, -0.3, 0.05, 0.01], [0.1, 0.2, 0.3, 1, -1], False); LFilter([2.0], [3.0]); LFilter([0.0], [3.0])
    Filtfilt([1.0, 0.1, 0.3], [0.1, 0.2, 0.3]); Filtfilt([0.5, -0.1, 0.2], [3.1, 0.2, 0.3], False)
"""
SOUND = """
    Contrast(); Contrast(0); Contrast(100); DBToAmplitude(2, 0.5); DCShift(0.3, 0.05); DCShift(-0.3); DCShift(1.5, 0.4)
    Gain(); Gain(-6.5); MuLawDecoding(); MuLawDecoding(16); MuLawDecoding(1); MuLawEncoding(); MuLawEncoding(16); Overdrive()
    Overdrive(50.0, 0); Overdrive(0, 100); Vol(0.5); Vol(3.0); Vol(2.5, GainType.POWER); Vol(-6, GainType.DB); Phaser(44100)
    Phaser(8000, 0.6, 1.2, 4.0, 0.9, 2, False); Fade(); Fade(100, 200); Fade(100, 250, FadeShape.QUARTER_SINE)
    Fade(100, 250, FadeShape.HALF_SINE); Fade(400, 1, FadeShape.LOGARITHMIC); Fade(100, 250, FadeShape.EXPONENTIAL)
    Fade(401, 0); Dither(); Dither(noise_shaping=True); Resample(); Resample(16000, 8000); Resample(8000, 11025)
    Resample(11025, 8000, ResampleMethod.KAISER_WINDOW); Resample(3, 2, lowpass_filter_width=2, rolloff=0.5)
    Resample(16000.5, 24000.25); Spectrogram(40); Spectrogram(41, 30, 7, 3, WindowType.KAISER, 1.0, True)
    Spectrogram(40, window=WindowType.BLACKMAN, power=0.0, pad_mode=BorderType.SYMMETRIC); Spectrogram(600)
    Spectrogram(40, window=WindowType.BARTLETT, center=False); Spectrogram(40, window=WindowType.HAMMING, onesided=False)
    PitchShift(16000, 4, n_fft=64); PitchShift(8000, -3, 24, 64, 50, 20, WindowType.HAMMING); SpectralCentroid(44100, 40)
    SpectralCentroid(8001, n_fft=33, win_length=20, hop_length=7, pad=3); Flanger(8000); Flanger(8000, 2.0, 5.0, -50.0)
    Flanger(8000, 1.5, 3.0, 60.0, 50.0, 10.0, 90.0, Modulation.TRIANGULAR, Interpolation.QUADRATIC); Flanger(3, speed=10)
    DetectPitchFrequency(8000, win_length=3); DetectPitchFrequency(8000)
"""
SUMS = """
    MFCC(4000, 13, 2, NormMode.NONE); MFCC(8000, 13, log_mels=True); LFCC(4000, 20, 13, norm=NormMode.NONE)
    LFCC(8000, 40, 13, 50.0, 3000.0, log_lf=True)
    MelSpectrogram(8000, n_fft=80, n_mels=20); MelSpectrogram(8000, n_fft=800)
    MelSpectrogram(8000, 80, 60, 20, 50.0, 3500.0, 4, 18, power=1.0, norm=NormType.SLANEY, mel_scale=MelType.SLANEY)
"""
SPECTRA = """
    AmplitudeToDB(); AmplitudeToDB(ScaleType.MAGNITUDE, 2.5, top_db=10.0); MelScale(20, 8000, n_stft=21); MelScale(n_stft=11)
    MelScale(9, 8000, 100.5, 3000.0, 21, NormType.SLANEY, MelType.SLANEY); ComputeDeltas(7); ComputeDeltas(4)
    ComputeDeltas(7, BorderType.REFLECT); ComputeDeltas(7, BorderType.CONSTANT); ComputeDeltas(7, BorderType.SYMMETRIC)
    SlidingWindowCmn(); SlidingWindowCmn(6, 3, False, True); SlidingWindowCmn(6, 3, True, True)
    GriffinLim(40, rand_init=False, n_iter=4); GriffinLim(40, 3, 30, 9, WindowType.HAMMING, 1.0, 0.5, 85, False)
    GriffinLim(n_fft=20); MaskAlongAxis(1, 3, 0.5, 2); MaskAlongAxis(5, 2, -3, 1); MaskAlongAxis(20, 3, 1.0, 1)
    TimeMasking(False, 3, 2, 1.5); FrequencyMasking(False, 3, 2, 1.5); TimeMasking(False, 9, 9)
"""
COMPLEX = """
    Angle(); ComplexNorm(); ComplexNorm(2.0); Magphase(0.5); TimeStretch(n_freq=21, fixed_rate=1.3)
    TimeStretch(n_freq=21, fixed_rate=0.7); TimeStretch(5, n_freq=21, fixed_rate=2); InverseSpectrogram(n_fft=40)
    InverseSpectrogram(70, 40, 30, 9, 3, WindowType.HAMMING, True); InverseSpectrogram(400, 40); InverseSpectrogram(n_fft=22)
    InverseSpectrogram(n_fft=40, center=False); InverseSpectrogram(n_fft=40, pad=3)
"""
MATRICES = """
    create_dct(5, 9); create_dct(9, 5, NormMode.ORTHO); linear_fbanks(41, 0, 4000, 20, 8000)
    linear_fbanks(201, 50.5, 3900, 13, 16001); melscale_fbanks(41, 0, 4000, 20, 8000)
    melscale_fbanks(41, 50.5, 3000, 9, 8000, NormType.SLANEY, MelType.SLANEY)
"""
CALLS = [
    (call.strip(), name)
    for calls, names in (
        (FILTERS, "wave double"),
        (SOUND, "wave double short"),
        (SUMS, "wave short"),
        (SPECTRA, "spectrum double_spectrum"),
        (COMPLEX, "parts double_parts wave"),
        (MATRICES, "none"),
    )
    for line in calls.split("\n")
    for call in line.split(";")
    if call.strip()
    for name in names.split()
]


def swept(*shape: int) -> Any:
    """Numbers from -1 to 1 that change ever faster."""
    at = np.arange(np.prod(shape)).reshape(shape)
    return np.sin(at**2 * 0.0037 + at * 0.2)


INPUTS: dict[str, Any] = {
    "wave": swept(2, 400).astype(np.float32) / 2,
    "double": swept(400) * 0.7,
    "short": (swept(2, 400) * 9).astype(np.int16),
    "spectrum": (swept(2, 21, 10) ** 2).astype(np.float32) + np.float32(0.01),
    "double_spectrum": swept(21, 10) ** 2 + 0.01,
    "parts": swept(2, 21, 10, 2).astype(np.float32),
    "double_parts": swept(21, 10, 2),
}


def evaluated(module: Any, call: str, name: str) -> Any:
    """What a call gives: arrays, or an error."""
    try:
        made = eval(call, vars(module) | {"__builtins__": {}})
        found = made if name == "none" else made(INPUTS[name].copy())
    except (TypeError, ValueError, RuntimeError) as error:
        return error
    return found if isinstance(found, tuple) else (found,)


def sampled(array: Any) -> list[float]:
    """Eight elements here and there, and the root of the sum of all squares."""
    chosen = [float(array.flat[k]) for k in np.arange(1, 9) * 7919 % array.size]
    return [*chosen, float(np.sqrt(np.sum(array.astype(np.float64) ** 2)))]


def described(found: Any) -> str:
    """What is recorded of a result."""
    if isinstance(found, Exception):
        return type(found).__name__
    return " ".join(
        f"{array.dtype}[{','.join(map(str, array.shape))}] " + " ".join(f"{value:.9g}" for value in sampled(array))
        for array in found
    )


def main() -> None:
    from mindspore.dataset import audio

    lines = [f"{call}\t{name}\t{described(evaluated(audio, call, name))}\n" for call, name in CALLS]
    RESULTS.write_text("".join(lines))


if __name__ == "__main__":
    main()
