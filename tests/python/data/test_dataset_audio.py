"""Transforms of sound: what MindSpore gives (audio_values.txt); slow definitions, sample by sample, and closed formulas;
what is drawn; pipelines; errors."""

from __future__ import annotations

import math
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import audio_cases
import numpy as np
import pytest

from emberjit import dataset as ds
from emberjit.dataset import audio
from emberjit.dataset.audio import (
    BorderType,
    DensityFunction,
    FadeShape,
    Interpolation,
    Modulation,
    NormMode,
    ScaleType,
    WindowType,
)
from emberjit.dataset.audio.recursion import recursive

RANDOM = np.random.default_rng(0)
WAVE = RANDOM.normal(0, 0.2, (2, 3, 400))
TONE = 0.5 * np.sin(2 * np.pi * 440 / 8000 * np.arange(8000))
LINES = audio_cases.RESULTS.read_text().splitlines()
BOUNDS = {  # of the error over the root of the sum of squares, where MindSpore computes in float32 what adds up
    **{"RiaaBiquad": 5e-5, "PitchShift": 5e-5, "BassBiquad": 1e-5, "TimeStretch": 5e-6},
    "Flanger(8000)\tshort": 1e-3,  # whole numbers, clamped to 1: the last bit of it decides between 0 and 1
}
DTYPES = {"InverseSpectrogram(70, 40, 30, 9, 3, WindowType.HAMMING, True)\tdouble_parts": ("float32", "float64")}


@pytest.fixture(autouse=True)
def seed(config: None) -> None:
    ds.config.set_seed(1)


@pytest.mark.parametrize("line", LINES, ids=[line.rpartition("\t")[0].replace("\t", " ") for line in LINES])
def test_values_are_those_recorded(line):
    call, name, wanted = line.split("\t")
    found = audio_cases.described(audio_cases.evaluated(audio, call, name)).split(" ")
    key = f"{call}\t{name}"
    recorded = wanted.replace(*DTYPES.get(key, ("", ""))).split(" ")
    bound = BOUNDS.get(key, BOUNDS.get(call.partition("(")[0], 1e-6))
    assert len(found) == len(recorded)
    for start in range(0, len(recorded), 10):
        assert found[start] == recorded[start]
        numbers = [np.array(values[start + 1 : start + 10], float) for values in (found, recorded)]
        if len(numbers[1]):
            assert np.abs(numbers[0] - numbers[1]).max() <= bound * numbers[1][-1]


def test_all_names_are_there():
    assert len(audio.__all__) == len(set(audio.__all__)) == 66
    assert all(getattr(audio, name).__module__.startswith("emberjit.dataset.audio.") for name in audio.__all__)
    assert [kind.value for kind in FadeShape] == ["quarter_sine", "half_sine", "linear", "logarithmic", "exponential"]


def slow_filter(x: Any, b: Any, a: Any) -> Any:
    y = np.zeros_like(x)
    for n in range(x.shape[-1]):
        for k in range(len(b)):
            if n >= k:
                y[..., n] += b[k] / a[0] * x[..., n - k] - (a[k] / a[0] * y[..., n - k] if k else 0)
    return y


ORDERS = [
    ([0.1, 0.2, 0.3], [1, -1.9, 0.95]),
    ([2.0], [4.0]),
    ([1, 0, 0, 0, 1], [2, 0.5, -0.3, 0, 0.4]),
    ([1, 0.5], [1, 1.2]),
]


@pytest.mark.parametrize("b, a", ORDERS, ids=range(len(ORDERS)))
@pytest.mark.parametrize("length", [1, 3, 127, 128, 129, 400])
def test_filters_are_their_difference_equation(b, a, length):
    x = WAVE[..., :length]
    wanted = slow_filter(x, b, a)
    assert np.allclose(audio.LFilter(a, b, False)(x), wanted, rtol=1e-11, atol=1e-11)
    assert np.allclose(audio.LFilter(a, b)(x), wanted.clip(-1, 1), rtol=1e-11, atol=1e-11)
    both = slow_filter(wanted[..., ::-1], b, a)[..., ::-1]
    assert np.allclose(audio.Filtfilt(a, b, False)(x), both, rtol=1e-9, atol=1e-9)


def test_recursions_that_overflow_or_are_longer_than_a_block():
    long = [1.0] + [0.0] * 199 + [0.5]
    assert np.allclose(recursive(WAVE, [1.0] + [0.0] * 200, long)[..., 200:], WAVE[..., 200:] - 0.5 * WAVE[..., :200])
    assert np.allclose(recursive(WAVE[..., :3], [1e-200, 0, 0, 1], [1e-200, 0, 1, 1])[..., :2], WAVE[..., :2])
    with np.errstate(all="ignore"):
        wanted = slow_filter(WAVE[0, :1, :8], [1, 0, 0], [1e-60, 1, 1])
        found = recursive(WAVE[0, :1, :8], [1, 0, 0], [1e-60, 1, 1])
    finite = np.isfinite(wanted)
    assert finite.sum() == 5 and np.allclose(found[finite], wanted[finite]) and not np.isfinite(found[~finite]).any()


def gains(operation: Any, frequencies: Any, rate: float) -> Any:
    """How much louder an operation makes frequencies."""
    impulse = np.zeros(1 << 14)
    impulse[0] = 1e-3
    response = operation(impulse)
    turns = np.exp(-2j * np.pi * np.outer(frequencies, np.arange(len(impulse))) / rate)
    return np.abs(turns @ response) * 1e3


HALF = 10 ** (6 / 20)
RESPONSES: list[tuple[Any, float, list[float], list[float]]] = [
    (audio.AllpassBiquad(8000, 1000), 8000, [0, 500, 1000, 3000], [1, 1, 1, 1]),
    (audio.BandBiquad(8000, 1000, 0.5), 8000, [1000], [1]),
    (audio.BandpassBiquad(8000, 1000, 0.5), 8000, [0, 1000, 4000], [0, 1, 0]),
    (audio.BandpassBiquad(8000, 1000, 0.5, True), 8000, [0, 1000, 4000], [0, 0.5, 0]),
    (audio.BandrejectBiquad(8000, 1000), 8000, [0, 1000, 4000], [1, 0, 1]),
    (audio.BassBiquad(8000, 6), 8000, [0, 4000], [HALF, 1]),
    (audio.TrebleBiquad(8000, 6), 8000, [0, 4000], [1, HALF]),
    (audio.EqualizerBiquad(8000, 1000, 6), 8000, [0, 1000, 4000], [1, HALF, 1]),
    (audio.LowpassBiquad(8000, 1000, math.sqrt(0.5)), 8000, [0, 1000, 4000], [1, math.sqrt(0.5), 0]),
    (audio.HighpassBiquad(8000, 1000, math.sqrt(0.5)), 8000, [0, 1000, 4000], [0, math.sqrt(0.5), 1]),
    (audio.DeemphBiquad(44100), 44100, [0, 22050], [1, 10 ** (-9.477 / 20)]),
    (audio.RiaaBiquad(48000), 48000, [1000], [1]),
]


@pytest.mark.parametrize("operation, rate, frequencies, wanted", RESPONSES, ids=[type(row[0]).__name__ for row in RESPONSES])
def test_filters_do_to_frequencies_what_they_are_for(operation, rate, frequencies, wanted):
    bound = 2e-3 if isinstance(operation, audio.BandBiquad) else 1e-9  # SoX's peak is only about there
    assert np.abs(gains(operation, frequencies, rate) - wanted).max() < bound


def slow_spectrogram(x: Any, window: Any, n_fft: int, hop: int, mode: str) -> Any:
    x = np.pad(x, n_fft // 2, mode)
    return np.array(
        [
            [
                sum(x[at + n] * window[n] * np.exp(-2j * np.pi * k * n / n_fft) for n in range(n_fft))
                for at in range(0, len(x) - n_fft + 1, hop)
            ]
            for k in range(n_fft)
        ]
    )


@pytest.mark.parametrize("n_fft", [16, 15])
@pytest.mark.parametrize("mode", BorderType)
def test_spectrograms_are_sums_of_turning_numbers(n_fft, mode):
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(12) / 12)
    window = np.pad(hann, ((n_fft - 12) // 2, n_fft - 12 - (n_fft - 12) // 2))
    wanted = slow_spectrogram(WAVE[0, 0, :60], window, n_fft, 5, mode.value)
    given = {"n_fft": n_fft, "win_length": 12, "hop_length": 5, "pad_mode": mode}
    for onesided, rows in ((True, n_fft // 2 + 1), (False, n_fft)):
        found = audio.Spectrogram(**given, power=0, onesided=onesided)(WAVE[0, 0, :60])
        assert np.allclose(found[..., 0] + 1j * found[..., 1], wanted[:rows], atol=1e-6)
        found = audio.Spectrogram(**given, power=3, normalized=True, onesided=onesided)(WAVE[:, 0, :60])
        assert np.allclose(found[0], (np.abs(wanted[:rows]) / np.sqrt((window**2).sum())) ** 3, atol=1e-6)


@pytest.mark.parametrize("kind", WindowType)
@pytest.mark.parametrize("normalized", [False, True])
def test_spectrograms_are_inverted(kind, normalized):
    given = {"n_fft": 32, "win_length": 30, "hop_length": 8, "window": kind, "normalized": normalized}
    spectrum = audio.Spectrogram(**given, power=0, pad=3, onesided=normalized)(WAVE)
    found = audio.InverseSpectrogram(398, **given, pad=3, onesided=normalized)(spectrum)
    assert found.shape == (2, 3, 398) and np.allclose(found, WAVE[..., :398], atol=1e-6)
    assert np.allclose(audio.GriffinLim(32, 60, 30, 8)(audio.Spectrogram(**given)(WAVE[0, 0])).shape, (400,))


def test_griffin_lim_comes_near():
    wanted = audio.Spectrogram(64, hop_length=16)(TONE[:1600])
    errors = []
    for steps in (1, 30):
        found = audio.Spectrogram(64, hop_length=16)(audio.GriffinLim(64, steps, hop_length=16)(wanted))
        errors += [np.abs(np.sqrt(found) - np.sqrt(wanted)).mean() / np.sqrt(wanted).mean()]
    assert errors[1] < errors[0] / 3


def test_mels():
    bank = audio.melscale_fbanks(201, 0, 8000, 20, 16000)
    tops = 700 * (10 ** (np.linspace(0, 2595 * math.log10(1 + 8000 / 700), 22)[1:-1] / 2595) - 1)
    assert bank.shape == (201, 20) and np.abs(bank.argmax(0) * 40 - tops).max() <= 40
    inner = np.arange(201) * 40
    between = (inner > tops[0]) & (inner < tops[-1])
    assert np.allclose(bank.sum(1)[between], 1, atol=1e-5)
    area = audio.melscale_fbanks(20001, 0, 8000, 20, 16000, audio.NormType.SLANEY, audio.MelType.SLANEY).sum(0) * 0.4
    assert np.allclose(area, 1, atol=1e-3)
    linear = audio.linear_fbanks(101, 0, 100, 9, 200)
    assert np.allclose(linear[:, 3], np.maximum(0, 1 - np.abs(np.arange(101) - 40) / 10), atol=1e-5)
    spectrum = RANDOM.random((3, 201, 5))
    assert np.allclose(audio.MelScale(20, 16000)(spectrum), bank.T @ spectrum, rtol=1e-4)
    inverse = audio.InverseMelScale(201, 20)(bank.T @ spectrum)
    assert inverse.shape == spectrum.shape and (inverse >= 0).all()
    assert np.mean((bank.T @ inverse - bank.T @ spectrum) ** 2) < 1e-4


def test_cepstra_are_cosine_transforms_of_logarithms():
    cosines = audio.create_dct(12, 12, NormMode.ORTHO)
    assert np.allclose(cosines.T @ cosines, np.eye(12), atol=1e-6)
    assert np.allclose(audio.create_dct(3, 4)[1, 2], 2 * math.cos(math.pi / 4 * 1.5 * 2), atol=1e-6)
    mels = audio.MelSpectrogram(8000, 64, n_mels=12)(WAVE)
    matrix = audio.create_dct(5, 12, NormMode.ORTHO).T
    found = audio.MFCC(8000, 5, melkwargs={"n_fft": 64, "n_mels": 12})(WAVE)
    assert found.dtype == np.float32 and np.allclose(found, matrix @ audio.AmplitudeToDB()(mels), atol=1e-4)
    bank = audio.linear_fbanks(33, 100, 3000, 12, 8000)
    sums = bank.T @ audio.Spectrogram(64)(WAVE)
    found = audio.LFCC(8000, 12, 5, 100, 3000, log_lf=True, speckwargs={"n_fft": 64})(WAVE)
    assert np.allclose(found, matrix @ np.log(sums + 1e-6), atol=1e-4)


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("frames, least", [(6, 3), (3, 6), (50, 10)])
def test_means_over_windows(center, frames, least):
    given = RANDOM.normal(5, 1, (2, 20, 3))
    wanted = np.zeros_like(given)
    for t in range(20):
        start, stop = (t - frames // 2, t - frames // 2 + frames) if center else (t - frames, t + 1)
        start, stop = max(start, 0), stop - min(start, 0) if center else max(stop, least if start <= 0 else 0)
        start, stop = max(start - max(stop - 20, 0), 0), min(stop, 20)
        part = given[:, start:stop]
        wanted[:, t] = (given[:, t] - part.mean(1)) / part.std(1)
    assert np.allclose(audio.SlidingWindowCmn(frames, least, center, True)(given), wanted)
    plain = audio.SlidingWindowCmn(600, 0, center)(given[:, :1])
    assert plain.shape == (2, 1, 3) and not plain.any()
    assert audio.SlidingWindowCmn()(given[0, :1]).shape == (1, 3)


def test_deltas_of_a_line_are_its_slope():
    line = 0.3 * np.arange(30) + np.ones((2, 1))
    assert np.allclose(audio.ComputeDeltas(7)(line)[:, 3:-3], 0.3)
    assert np.allclose(audio.ComputeDeltas(5, BorderType.CONSTANT)(line)[:, 0], (1.3 + 2 * 1.6) / 10)


def tables(kind: Modulation, size: int, low: float, high: float, phase: float) -> Any:
    at = np.arange(size) / size + phase
    wave = (np.sin(2 * np.pi * at) + 1) / 2 if kind == Modulation.SINUSOIDAL else np.abs((2 * at - 0.5) % 2 - 1)
    return low + (high - low) * wave


@pytest.mark.parametrize("sinusoidal", [True, False])
@pytest.mark.parametrize("delay, decay", [(3.0, 0.4), (0.125, 0.9), (5.0, 0.99)])
def test_phaser_sample_by_sample(sinusoidal, delay, decay):
    longest, period = int(delay * 8 + 0.5), 4000
    kind = Modulation.SINUSOIDAL if sinusoidal else Modulation.TRIANGULAR
    table = np.floor(tables(kind, period, 1, longest, 0.25) + 0.5).astype(int)
    ring, wanted = np.zeros((2, 3, longest)), np.zeros_like(WAVE)
    for n in range(400):
        late = ring[..., (n % longest + table[n]) % longest]
        wanted[..., n] = 0.6 * WAVE[..., n] + late
        ring[..., (n + 1) % longest] = wanted[..., n] * decay
    found = audio.Phaser(8000, 0.6, 0.9, delay, decay, 2, sinusoidal)(WAVE)
    assert (
        np.mean(np.abs(found - (wanted * 0.9).clip(-1, 1)) > 1e-6) < 0.01
    )  # a table in float32 may round a delay otherwise


@pytest.mark.parametrize("modulation", Modulation)
@pytest.mark.parametrize("interpolation", Interpolation)
@pytest.mark.parametrize("regen", [0, 60, -95])
@pytest.mark.parametrize("delay, depth", [(0, 2), (1.5, 3), (2, 0)])
def test_flanger_sample_by_sample(modulation, interpolation, regen, delay, depth):
    low, high, period, feedback = int(delay * 8 + 0.5), int((delay + depth) * 8 + 0.5), 1600, regen / 100
    table = tables(modulation, period, low, high, 0.75)
    lines, late, wanted = np.zeros((2, 3, 400 + high + 3)), np.zeros((2, 3)), np.zeros_like(WAVE)
    for n in range(400):
        here = n + high + 3
        if here < lines.shape[-1]:
            lines[..., here] = WAVE[..., n] + feedback * late
        for channel in range(3):
            time = table[(n + int(channel * period * 0.25 + 0.5)) % period]
            whole, part = int(time), time % 1
            one, two, three = (lines[:, channel, here - whole - k] for k in range(3))
            if interpolation == Interpolation.LINEAR:
                late[:, channel] = one + part * (two - one)
            else:
                late[:, channel] = one + part * ((three - 2 * two + one) / 2 * part + (4 * two - three - 3 * one) / 2)
        wanted[..., n] = (WAVE[..., n] + 0.71 * (1 - abs(feedback)) * late) / 1.71
    found = audio.Flanger(8000, delay, depth, regen, speed=5, modulation=modulation, interpolation=interpolation)(WAVE)
    assert np.abs(found - wanted.clip(-1, 1)).max() < 1e-5


def test_overdrive_sample_by_sample():
    bent = (WAVE * 10 + 0.1).clip(-1, 1)
    bent = bent - bent**3 / 3
    last_in, last_out, wanted = 0, 0, np.zeros_like(WAVE)
    for n in range(400):
        last_out = bent[..., n] - last_in + 0.995 * last_out
        last_in = bent[..., n]
        wanted[..., n] = 0.5 * WAVE[..., n] + 0.75 * last_out
    assert np.allclose(audio.Overdrive()(WAVE), wanted.clip(-1, 1))


@pytest.mark.parametrize("old, new", [(8000, 11025), (3, 2), (11025, 8000), (44099, 44100), (7, 1601)])
def test_resampling_sums_all_samples_times_a_sinc(old, new):
    length, base = math.ceil(100 * new / old), min(old, new) / old * 0.99
    times = np.arange(0, length, max(1, length // 50))
    apart = (times[:, None] * old / new - np.arange(100)) * base
    weights = np.where(np.abs(apart) < 6, np.sinc(apart) * np.cos(apart * np.pi / 12) ** 2, 0) * base
    found = audio.Resample(old, new)(WAVE[0, :, :100])
    assert found.shape == (3, length) and np.allclose(found[:, times], WAVE[0, :, :100] @ weights.T)


def test_resampled_tones_stay():
    found = audio.Resample(8000, 12000)(TONE)
    assert np.abs(found - 0.5 * np.sin(2 * np.pi * 440 / 12000 * np.arange(12000)))[100:-100].max() < 1e-3


@pytest.mark.parametrize("speed", [0.5, 1.25, 2])
def test_stretched_tones_stay(speed):
    spectrum = audio.Spectrogram(400, hop_length=100, power=0)(TONE)
    found = audio.TimeStretch(100, 201, speed)(spectrum)
    assert found.shape == (201, math.ceil(81 / speed), 2)
    advance = np.linspace(0, math.pi * 100, 201)[:, None]
    assert np.allclose(audio.PhaseVocoder(speed, advance)(spectrum), found)
    assert np.array_equal(audio.TimeStretch(7, 5, speed)(spectrum), found)
    steady = audio.TimeStretch(100, 201, speed)(spectrum[:, 4:])  # whose first frame has no mirrored sound
    sound = audio.InverseSpectrogram(n_fft=400, hop_length=100)(steady)
    inner = np.abs(np.fft.rfft(sound[1000:-1000] * np.hanning(len(sound) - 2000)))
    assert abs(inner.argmax() * 8000 / (len(sound) - 2000) - 440) < 3 and abs(np.abs(sound[1000:-1000]).max() - 0.5) < 0.01
    assert (audio.TimeStretch()(spectrum[:9]) == spectrum[:9]).all()


@pytest.mark.parametrize("steps", [4, -7, 0, 12])
def test_pitches_are_shifted(steps):
    found = audio.PitchShift(8000, steps)(np.stack([TONE, TONE]))
    assert found.shape == (2, 8000)
    size = np.abs(np.fft.rfft(found[1, 1000:5000] * np.hanning(4000)))
    assert abs(size.argmax() * 2 - 440 * 2 ** (steps / 12)) < 6


def test_measures_of_tones():
    pitches = audio.DetectPitchFrequency(8000, win_length=3)(np.stack([TONE, np.roll(TONE, 5)]))
    assert pitches.shape == (2, 99) and (np.abs(pitches[:, :95] - 8000 / 18) < 0.1).all()
    assert abs(audio.SpectralCentroid(8000)(TONE)[0, 20] - 440) < 5


def voiced(start: int) -> Any:
    """Noise, and from a sample on tones with many harmonics, as a voice has."""
    sound = RANDOM.normal(0, 1e-3, 24000)
    at = np.arange(24000 - start)
    sound[start:] += (
        sum(0.1 * np.sin(2 * np.pi * 200 * k / 8000 * at + k) for k in range(1, 15)) * (1 + np.sin(at / 900)) / 2
    )
    return sound


def test_sound_is_cut_to_where_a_voice_begins():
    for start in (10000, 14000):
        found = audio.Vad(8000, trigger_level=6.5)(np.stack([np.zeros(24000), voiced(start)]).astype(np.float32))
        assert found.dtype == np.float32 and abs(24000 - found.shape[-1] - start) < 2000
        longer = audio.Vad(8000, trigger_level=6.5, pre_trigger_time=0.5)(voiced(start))
        assert 0 <= longer.shape[-1] - found.shape[-1] <= 4400
    at = np.arange(24000)
    humming = voiced(14000) + 0.03 * sum(np.sin(2 * np.pi * 170 * k / 8000 * at) for k in range(1, 15))
    lengths = [audio.Vad(8000, 5.0, noise_reduction_amount=amount)(humming).shape[-1] for amount in (0, 1.35)]
    assert lengths[0] > 20000 and abs(24000 - lengths[1] - 14000) < 2000
    assert audio.Vad(8000)(voiced(24000)).shape == (24000 - (24000 - 8800),)
    assert audio.Vad(8000)(voiced(24000)[:5000]).shape == (5000,)


FORMULAS: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
    (lambda: audio.Gain(20)(WAVE), lambda: WAVE * 10),
    (lambda: audio.Vol(4, audio.GainType.POWER)(WAVE), lambda: (WAVE * 2).clip(-1, 1)),
    (lambda: audio.Vol(0, audio.GainType.DB)(WAVE), lambda: WAVE.clip(-1, 1)),
    (lambda: audio.Contrast(75)(WAVE), lambda: np.sin(WAVE * np.pi / 2 + 0.1 * np.sin(2 * np.pi * WAVE))),
    (lambda: audio.DCShift(-0.3, 0.05)(-WAVE), lambda: -audio.DCShift(0.3, 0.05)(WAVE)),
    (lambda: audio.DCShift(0.3, 0.05)([0.7, 0.8, 1.0] * np.ones(1)), lambda: [1, 0.75, 0.75]),
    (lambda: audio.DBToAmplitude(2, 0.5)(audio.AmplitudeToDB(top_db=300)(WAVE**2)), lambda: 2 * np.abs(WAVE)),
    (
        lambda: audio.AmplitudeToDB(ScaleType.MAGNITUDE, 2, 0.5)(np.abs(WAVE)),
        lambda: 20 * np.log10(np.abs(WAVE).clip(0.5) / 2),
    ),
    (lambda: audio.AmplitudeToDB(top_db=5)(WAVE**2).min((1, 2)), lambda: 10 * np.log10((WAVE**2).max((0, 1, 2))) - [5] * 2),
    (lambda: audio.MuLawEncoding()(audio.MuLawDecoding()(np.arange(256.0))), lambda: np.arange(256)),
    (lambda: audio.Fade(3, 5)(np.ones(9)), lambda: [0, 0.5, 1, 1, 1, 0.75, 0.5, 0.25, 0]),
    (lambda: audio.Fade(3, 3, FadeShape.QUARTER_SINE)(np.ones(6)), lambda: [0, 0.5**0.5, 1, 1, 0.5**0.5, 0]),
    (lambda: audio.Fade(3, 3, FadeShape.HALF_SINE)(np.ones(6)), lambda: [0, 0.5, 1, 1, 0.5, 0]),
    (lambda: audio.Fade(3, 0, FadeShape.EXPONENTIAL)(np.ones(3)), lambda: [0, 0.5 / 2**0.5, 1]),
    (
        lambda: audio.ComplexNorm(2)(audio_cases.INPUTS["double_parts"]),
        lambda: (audio_cases.INPUTS["double_parts"] ** 2).sum(-1),
    ),
    (lambda: audio.Angle()(np.array([[0.0, 1.0], [-1.0, 0.0]])), lambda: [np.pi / 2, np.pi]),
    (lambda: np.stack(audio.Magphase()(np.array([[3.0, 4.0]]))), lambda: [[5], [math.atan2(4, 3)]]),
    (lambda: audio.MaskAlongAxis(1, 2, 9.0, 1)(np.ones((3, 2))), lambda: [[1, 1], [9, 9], [9, 9]]),
    (lambda: audio.TimeMasking(False, 1, 1, 9.0)(np.ones((2, 3))), lambda: [[1, 9, 1]] * 2),
]


@pytest.mark.parametrize("call, wanted", FORMULAS, ids=range(len(FORMULAS)))
def test_formulas(call, wanted):
    assert np.allclose(call(), wanted(), rtol=1e-9, atol=1e-9)


def test_dither_rounds_to_bits():
    for density in DensityFunction:
        found = audio.Dither(density)(WAVE) * 32768
        assert (found == np.rint(found)).all() and np.abs(found - WAVE * 32766).max() < (1.6 if density != "GPDF" else 5)
    bits = audio.Dither()(WAVE)
    shaped = audio.Dither(noise_shaping=True)(WAVE)
    assert np.allclose(shaped[..., 1:], bits[..., 1:] + (bits - WAVE)[..., :-1]) and (shaped[..., 0] == bits[..., 0]).all()


SPECTRUM = np.ones((2, 30, 40), np.float32)
DRAWN: list[Callable[[], Any]] = [
    lambda: audio.MaskAlongAxisIID(20, 0.0, 1)(SPECTRUM),
    lambda: audio.TimeMasking(True, 30)(SPECTRUM),
    lambda: audio.FrequencyMasking(True, 30)(SPECTRUM),
    lambda: audio.Dither(DensityFunction.RPDF)(WAVE * 9),
    lambda: audio.Dither(DensityFunction.GPDF)(WAVE * 9),
    lambda: audio.GriffinLim(58, 1)(SPECTRUM),
    lambda: audio.InverseMelScale(9, 30, max_iter=2)(SPECTRUM),
]


@pytest.mark.parametrize("call", DRAWN, ids=range(len(DRAWN)))
def test_what_is_drawn_follows_the_seed(call):
    found = []
    for seed in (1, 2, 1):
        ds.config.set_seed(seed)
        found += [[call() for _ in range(6)]]
    assert all(map(np.array_equal, found[0], found[2])) and not all(map(np.array_equal, found[0], found[1]))


def test_masks_are_bands_of_all_widths():
    widths, starts = set(), set()
    for _ in range(200):
        masked = (audio.TimeMasking(True, 4, mask_value=7.0)(SPECTRUM[0]) == 7)[0]
        at = np.flatnonzero(masked)
        assert not len(at) or at[-1] - at[0] == len(at) - 1
        widths.add(len(at))
        starts |= {*at[:1]}
    assert widths == {0, 1, 2, 3, 4} and min(starts) < 3 and max(starts) > 33 and (SPECTRUM == 1).all()


def of_rows(workers: int, processes: bool) -> list[Any]:
    operations = [
        audio.Dither(DensityFunction.RPDF),
        audio.Spectrogram(16),
        audio.TimeMasking(True, 4),
        audio.MelScale(4, 800, n_stft=9),
    ]
    data = ds.NumpySlicesDataset(WAVE.reshape(6, 400), ["x"], shuffle=False)
    data = data.map(operations, "x", num_parallel_workers=workers, python_multiprocessing=processes)
    return [row["x"] for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]


@pytest.mark.parametrize("workers, processes", [(3, False), (2, True)])
def test_pipelines_give_the_same_by_any_workers(workers, processes):
    alone, together = of_rows(1, False), of_rows(workers, processes)
    assert len(alone) == 6 and all(map(np.array_equal, alone, together))
    assert alone[0].shape == (4, 51) and not all(map(np.array_equal, alone[:1] * 6, alone))


def test_two_arrays_are_two_columns():
    data = ds.NumpySlicesDataset(audio_cases.INPUTS["parts"], ["x"], shuffle=False).map(
        audio.Magphase(), "x", ["size", "angle"]
    )
    assert [(str(kind), shape) for kind, shape in zip(data.output_types(), data.output_shapes())] == [
        ("float32", [21, 10])
    ] * 2


def test_operations_go_to_other_processes():
    for name, given in (
        ("Flanger", (8000,)),
        ("MFCC", ()),
        ("Vad", (8000,)),
        ("Fade", (2, 3)),
        ("LFilter", ([1, 0.5], [1, 0.5])),
    ):
        operation = getattr(audio, name)(*given)
        assert np.array_equal(pickle.loads(pickle.dumps(operation))(WAVE[0]), operation(WAVE[0]))


READ_ONLY = {"wave": WAVE.astype(np.float32), "spectrum": SPECTRUM.copy(), "parts": audio_cases.INPUTS["parts"].copy()}


@pytest.mark.parametrize("call, name", [(call, name) for call, name in audio_cases.CALLS if name in READ_ONLY])
def test_nothing_is_written_to_what_is_given(call, name):
    array = audio_cases.INPUTS[name]
    array.flags.writeable = False
    try:
        audio_cases.evaluated(audio, call, name)
    finally:
        array.flags.writeable = True


BAD: list[tuple[type, str, Callable[[], Any]]] = [
    (TypeError, "'Gain', sound must be an array", lambda: audio.Gain()([1.0, 2.0])),
    (TypeError, "sound must be an array", lambda: audio.Gain()(np.ones(3, np.complex64))),
    (RuntimeError, "must be of numbers, but is of <U1", lambda: audio.Gain()(np.array(["a"]))),
    (RuntimeError, r"of shape \[..., time\], and not empty, but is of \[\]", lambda: audio.Gain()(np.array(1.0))),
    (RuntimeError, r"but is of \[2, 0\]", lambda: audio.Spectrogram()(np.zeros((2, 0)))),
    (RuntimeError, r"\[..., freq, time\]", lambda: audio.AmplitudeToDB()(TONE)),
    (RuntimeError, r"\[..., channel, time\]", lambda: audio.Flanger(8000)(TONE)),
    (RuntimeError, r"\[..., 2\]", lambda: audio.Angle()(np.ones((2, 3)))),
    (RuntimeError, "must be of floats, but is of int64", lambda: audio.LowpassBiquad(8000, 100)(np.arange(9))),
    (TypeError, "'Q' must be a number", lambda: audio.LowpassBiquad(8000, 100, "a")),
    (ValueError, r"'Q' must be within \(0, 1\]", lambda: audio.LowpassBiquad(8000, 100, 2)),
    (ValueError, "'sample_rate' must not be 0", lambda: audio.BassBiquad(0, 3)),
    (TypeError, "'sample_rate' must be an int", lambda: audio.HighpassBiquad(8000.0, 100)),
    (ValueError, "'a0' must not be 0", lambda: audio.Biquad(1, 1, 1, 0, 1, 1)),
    (ValueError, "'sample_rate' must be 44100 or 48000", lambda: audio.DeemphBiquad(8000)),
    (ValueError, "must be as many, but got 2 and 1", lambda: audio.LFilter([1, 2], [1])),
    (RuntimeError, "must begin with a number other than 0", lambda: audio.LFilter([0, 2], [1, 2])(TONE)),
    (RuntimeError, "must begin with a number other than 0", lambda: audio.Filtfilt([], [])(TONE)),
    (RuntimeError, "there is none with these", lambda: audio.BandBiquad(1, 2.0**20)(TONE)),
    (TypeError, "'window' must be a WindowType", lambda: audio.Spectrogram(window="hann")),
    (ValueError, "'win_length' must be at most 'n_fft', 8", lambda: audio.Spectrogram(8, 9)),
    (RuntimeError, "'n_fft' must be from 1 to 399, and a hop 1", lambda: audio.Spectrogram(400, center=False)(TONE[:399])),
    (RuntimeError, "and a hop 1", lambda: audio.Spectrogram(1)(TONE)),
    (RuntimeError, "below twice the length, 200", lambda: audio.MelSpectrogram()(TONE[:200])),
    (ValueError, "'f_min' must be below 'f_max', 100", lambda: audio.MelScale(f_min=200, f_max=100)),
    (RuntimeError, "must be 'n_stft', 201, frequencies, but are 9", lambda: audio.MelScale()(np.ones((9, 5)))),
    (ValueError, "'dct_type' must be 2", lambda: audio.MFCC(dct_type=3)),
    (ValueError, "at most the number of mels, 20", lambda: audio.MFCC(n_mfcc=21, melkwargs={"n_mels": 20})),
    (ValueError, r"no other keys, but got \['nfft'\]", lambda: audio.LFCC(speckwargs={"nfft": 20})),
    (TypeError, "'normalized' must be a bool", lambda: audio.MFCC(melkwargs={"normalized": 1})),
    (RuntimeError, "twice the number of frequencies less one, 16", lambda: audio.InverseSpectrogram()(np.ones((9, 5, 2)))),
    (RuntimeError, "with 'pad', 3, there must be a 'length'", lambda: audio.InverseSpectrogram(pad=3)(np.ones((201, 5, 2)))),
    (RuntimeError, "'momentum' must be below 1", lambda: audio.GriffinLim(16, momentum=1)(np.ones((9, 5)))),
    (RuntimeError, "must be 'n_mels', 128, mels", lambda: audio.InverseMelScale(9)(np.ones((9, 5)))),
    (RuntimeError, "the loss became nan", lambda: audio.InverseMelScale(9, 4)(np.full((4, 1), np.nan))),
    (KeyError, "sgd_momentum", lambda: audio.InverseMelScale(9, sgdargs={"sgd_lr": 1})),
    (
        RuntimeError,
        r"float32 of shape \[9, 1\], but is float64",
        lambda: audio.PhaseVocoder(2, np.ones((9, 1)))(np.ones((9, 5, 2), "f")),
    ),
    (RuntimeError, "'n_steps' of -12.5 octaves", lambda: audio.PitchShift(4000, -150)(TONE)),
    (ValueError, r"'rolloff' must be within \(0, 1\]", lambda: audio.Resample(2, 1, rolloff=0.0)),
    (RuntimeError, "must be at least 1", lambda: audio.Resample(0.5, 1)(TONE)),
    (RuntimeError, "a sample at 'sample_rate' at least", lambda: audio.Phaser(8000, delay_ms=0)(TONE)),
    (ValueError, r"'mod_speed' must be within \[0.1, ", lambda: audio.Phaser(8000, mod_speed=0)),
    (RuntimeError, "at least 'speed'", lambda: audio.Flanger(3, speed=10)(TONE[None])),
    (RuntimeError, "at most 3, but are", lambda: audio.Fade(4)(np.ones(3))),
    (ValueError, "'axis' must be an int from 1 to 2", lambda: audio.MaskAlongAxis(0, 1, 0.0, 0)),
    (
        RuntimeError,
        "the mask from 3 to 6 must be within the axis, of length 5",
        lambda: audio.TimeMasking(False, 3, 3)(np.ones((9, 5))),
    ),
    (RuntimeError, "no longer than the axis, 5, but may be 6", lambda: audio.MaskAlongAxisIID(6, 0.0, 2)(np.ones((9, 5)))),
    (ValueError, r"'gain' must be within \(0, ", lambda: audio.Vol(0, audio.GainType.POWER)),
    (RuntimeError, "must be above 1", lambda: audio.MuLawDecoding(1)(TONE)),
    (RuntimeError, "'cmn_window' must be above 0", lambda: audio.SlidingWindowCmn(0, center=True)(np.ones((9, 5)))),
    (RuntimeError, "and 30 frames but for 14", lambda: audio.DetectPitchFrequency(8000)(TONE[:800])),
    (RuntimeError, "from 2 to 1", lambda: audio.DetectPitchFrequency(8000, freq_low=8000, freq_high=7000)(TONE)),
    (ValueError, "'noise_down_time' must be at most 'noise_up_time'", lambda: audio.Vad(8000, noise_down_time=1)),
    (RuntimeError, "hp_lifter_freq", lambda: audio.Vad(8000, hp_lifter_freq=3000)(TONE)),
    (RuntimeError, "'search_time'", lambda: audio.Vad(8000, search_time=0)(TONE)),
    (ValueError, "'f_min' must be at most 'f_max'", lambda: audio.linear_fbanks(9, 5, 4, 3, 100)),
    (TypeError, "'norm' must be a NormMode", lambda: audio.create_dct(3, 3, "ortho")),
]


@pytest.mark.parametrize("error, message, call", BAD, ids=range(len(BAD)))
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()


def test_errors_in_pipelines_say_which_operation():
    data = ds.NumpySlicesDataset([TONE[:100]], ["x"]).map(audio.Spectrogram(400, center=False), "x")
    with pytest.raises(
        RuntimeError, match="operation 'Spectrogram' failed on row 0 of epoch 0: RuntimeError: For 'Spectrogram'"
    ):
        list(data.create_tuple_iterator())


def test_what_is_too_large_is_infinite_and_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(audio.Gain(1000)(np.ones(2, np.float32))).all()
        assert np.isnan(audio.SpectralCentroid(8000)(np.zeros(800))).all()
