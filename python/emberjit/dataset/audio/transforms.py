"""Transforms of sound."""

from __future__ import annotations

from emberjit.dataset.audio.cepstra import LFCC, MFCC, ComputeDeltas, SlidingWindowCmn
from emberjit.dataset.audio.detection import DetectPitchFrequency, Vad
from emberjit.dataset.audio.effects import (
    AmplitudeToDB,
    Contrast,
    DBToAmplitude,
    DCShift,
    Dither,
    Fade,
    Gain,
    MuLawDecoding,
    MuLawEncoding,
    Overdrive,
    Vol,
)
from emberjit.dataset.audio.filters import (
    AllpassBiquad,
    BandBiquad,
    BandpassBiquad,
    BandrejectBiquad,
    BassBiquad,
    Biquad,
    DeemphBiquad,
    EqualizerBiquad,
    Filtfilt,
    HighpassBiquad,
    LFilter,
    LowpassBiquad,
    RiaaBiquad,
    TrebleBiquad,
)
from emberjit.dataset.audio.inversion import GriffinLim, InverseMelScale, InverseSpectrogram
from emberjit.dataset.audio.masks import FrequencyMasking, MaskAlongAxis, MaskAlongAxisIID, TimeMasking
from emberjit.dataset.audio.modulation import Flanger, Phaser
from emberjit.dataset.audio.resampling import Resample
from emberjit.dataset.audio.spectra import (
    Angle,
    ComplexNorm,
    Magphase,
    MelScale,
    MelSpectrogram,
    SpectralCentroid,
    Spectrogram,
)
from emberjit.dataset.audio.stretching import PhaseVocoder, PitchShift, TimeStretch

__all__ = [
    "AllpassBiquad",
    "AmplitudeToDB",
    "Angle",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "ComplexNorm",
    "ComputeDeltas",
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "DeemphBiquad",
    "DetectPitchFrequency",
    "Dither",
    "EqualizerBiquad",
    "Fade",
    "Filtfilt",
    "Flanger",
    "FrequencyMasking",
    "Gain",
    "GriffinLim",
    "HighpassBiquad",
    "InverseMelScale",
    "InverseSpectrogram",
    "LFCC",
    "LFilter",
    "LowpassBiquad",
    "MFCC",
    "Magphase",
    "MaskAlongAxis",
    "MaskAlongAxisIID",
    "MelScale",
    "MelSpectrogram",
    "MuLawDecoding",
    "MuLawEncoding",
    "Overdrive",
    "PhaseVocoder",
    "Phaser",
    "PitchShift",
    "Resample",
    "RiaaBiquad",
    "SlidingWindowCmn",
    "SpectralCentroid",
    "Spectrogram",
    "TimeMasking",
    "TimeStretch",
    "TrebleBiquad",
    "Vad",
    "Vol",
]
