"""AudioTransform: the base of operations of sound, and checks of their arguments. Sound is an array of axes ..., time; a
spectrum one of axes ..., freq, time, which if it is complex has a last axis of two, the real and the imaginary parts. An
operation writes to nothing that it is given. It computes in float64; its result is float64 if the array is, else
float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_int32, check_number
from emberjit.dataset.transforms.transform import Transform
from emberjit.dataset.values import Array, Floating

LARGEST = 16777216  # of an argument that is a float: to here all ints are float32's too


def result_dtype(array: Array) -> Any:
    """float64 if an array is, else float32."""
    return np.float64 if array.dtype.newbyteorder("=") == np.float64 else np.float32


class AudioTransform(Transform):
    """An operation of arrays.

    Class attributes:
        form: the axes that an array has at least.
        kinds: of its dtype.
    """

    form = "..., time"
    kinds = "biuf"

    def __call__(self, *values: Array) -> Any:
        with np.errstate(all="ignore"):  # what is too large for a dtype is infinite
            return super().__call__(*values)

    def as_input(self, value: Any) -> Any:
        if isinstance(value, core.Tensor):
            value = value.asnumpy()
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "biufSU":
            raise TypeError(f"For '{type(self).__name__}', sound must be an array of numbers, but got {type(value)}.")
        if value.dtype.kind not in self.kinds:
            expected = "floats" if self.kinds == "f" else "numbers"
            raise self.refuse(f"an array must be of {expected}, but is of {value.dtype}")
        axes = self.form.split(", ")[1:]
        if value.ndim < len(axes) or not value.size or (axes[-1] == "2" and value.shape[-1] != 2):
            raise self.refuse(f"an array must be of shape [{self.form}], and not empty, but is of {list(value.shape)}")
        return value


class FilterTransform(AudioTransform):
    """An operation of floats, whose result has the array's dtype."""

    kinds = "f"


def real(where: str, name: str, value: Any, low: float = -LARGEST, high: float = LARGEST) -> float:
    """An int or float from low to high."""
    return check_number(where, name, value, low, high)


def positive(where: str, name: str, value: Any) -> float:
    """An int or float above 0."""
    return check_number(where, name, value, most=LARGEST, above=0)


def nonzero(where: str, name: str, value: Any) -> int:
    """An int other than 0."""
    if check_int32(where, name, value, -(2**31)) == 0:
        raise ValueError(f"For '{where}', '{name}' must not be 0.")
    return int(value)


def half_away(values: Array) -> Any:
    """Values rounded, halves away from zero, in float64."""
    wide = np.asarray(values, np.float64)
    return np.copysign(np.floor(np.abs(wide) + 0.5), wide)


def to_complex(array: Array) -> Any:
    """Complex numbers of an array whose last axis is their two parts."""
    wide = np.ascontiguousarray(array, np.float64)
    return wide.view(np.complex128)[..., 0]


def from_complex(values: Array, kind: Floating) -> Any:
    """Complex numbers as an array whose last axis is their two parts."""
    return np.stack([values.real, values.imag], -1).astype(kind)


def spaced(start: float, stop: float, number: int, kind: Floating) -> Any:
    """Numbers at equal distances, computed in a dtype."""
    first, last = kind(start), kind(stop)
    step = kind(0) if number == 1 else (last - first) / kind(number - 1)
    return first + np.arange(number).astype(kind) * step


def factor_of(decibels: float) -> float:
    """The factor of amplitudes that some decibels are, neither 0 nor infinite."""
    limits = np.finfo(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        return float(np.clip(np.power(10.0, decibels / 20), limits.tiny, limits.max))
