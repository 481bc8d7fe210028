"""The Fourier transforms of the workloads on SciPy (pocketfft), with as many workers as there are CPUs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fft
from bench_inputs import program

Call = Callable[[], Any]
WORKERS = len(os.sched_getaffinity(0))
PROGRAMS: dict[str, Callable[..., Any]] = {"fft": scipy.fft.fft, "rfft": scipy.fft.rfft, "fft2": scipy.fft.fft2}


def prepare(system: str, name: str, arrays: list[np.ndarray]) -> Call:
    """The call to time."""
    function = PROGRAMS[program(name)]
    return lambda: function(arrays[0], workers=WORKERS)


def force(result: Any) -> float:
    """The first element of the result."""
    return float(result.flat[0].real)
