"""Initial values of Parameters, by name or as objects, after MindSpore's mindspore.common.initializer."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core


def _fans(shape: tuple[int, ...]) -> tuple[int, int]:
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    receptive = math.prod(shape[2:])
    return shape[1] * receptive, shape[0] * receptive


def _uniform(shape: tuple[int, ...], bound: float, dtype: Any) -> Any:
    import numpy as np

    return core.Tensor(np.random.uniform(-bound, bound, shape), dtype)


def _normal(shape: tuple[int, ...], sigma: float, mean: float, dtype: Any) -> Any:
    import numpy as np

    return core.Tensor(np.random.normal(mean, sigma, shape), dtype)


class Initializer:
    """Makes a Tensor of a shape."""

    def make(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """The Tensor."""
        raise NotImplementedError


class Constant(Initializer):
    """Every element the same."""

    def __init__(self, value: float):
        self.value = value

    def make(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return core.op_table["full"](shape, self.value, dtype=dtype)


class Zero(Constant):
    """All zeros."""

    def __init__(self) -> None:
        super().__init__(0)


class One(Constant):
    """All ones."""

    def __init__(self) -> None:
        super().__init__(1)


class Uniform(Initializer):
    """Uniform in [-scale, scale]."""

    def __init__(self, scale: float = 0.07):
        self.scale = scale

    def make(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return _uniform(shape, self.scale, dtype)


class Normal(Initializer):
    """Normal with a standard deviation and a mean."""

    def __init__(self, sigma: float = 0.01, mean: float = 0.0):
        self.sigma, self.mean = sigma, mean

    def make(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return _normal(shape, self.sigma, self.mean, dtype)


class XavierUniform(Initializer):
    """Uniform within gain * sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""

    def __init__(self, gain: float = 1):
        self.gain = gain

    def make(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return _uniform(shape, self.gain * math.sqrt(6 / sum(_fans(shape))), dtype)


def _gain(nonlinearity: str, slope: float) -> float:
    return math.sqrt(2 / (1 + slope**2)) if nonlinearity == "leaky_relu" else {"relu": math.sqrt(2)}.get(nonlinearity, 1.0)


class HeUniform(Initializer):
    """Uniform within gain * sqrt(3 / fan) (He et al., 2015)."""

    def __init__(self, negative_slope: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"):
        self.slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def make(self, shape: tuple[int, ...], dtype: Any) -> Any:
        fan = _fans(shape)[self.mode == "fan_out"]
        return _uniform(shape, _gain(self.nonlinearity, self.slope) * math.sqrt(3 / fan), dtype)


class HeNormal(HeUniform):
    """Normal with deviation gain / sqrt(fan) (He et al., 2015)."""

    def make(self, shape: tuple[int, ...], dtype: Any) -> Any:
        fan = _fans(shape)[self.mode == "fan_out"]
        return _normal(shape, _gain(self.nonlinearity, self.slope) / math.sqrt(fan), 0.0, dtype)


_NAMES: dict[str, type[Initializer]] = {
    "zeros": Zero,
    "ones": One,
    "zero": Zero,
    "one": One,
    "uniform": Uniform,
    "normal": Normal,
    "xavier_uniform": XavierUniform,
    "he_uniform": HeUniform,
    "he_normal": HeNormal,
}


def initializer(init: Any, shape: Any = None, dtype: Any = None) -> Any:
    """A Tensor by an initializer's name, an Initializer, a number, or a Tensor.

    Raises:
        ValueError: an unknown name, or a Tensor of another shape.
    """
    dtype = core.float32 if dtype is None else dtype
    if isinstance(init, core.Tensor):
        if shape is not None and tuple(init.shape) != tuple(shape):
            raise ValueError(f"For 'initializer', the Tensor has shape {tuple(init.shape)}, but {tuple(shape)} is needed.")
        return core.Tensor(init, dtype)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if isinstance(init, str):
        if init not in _NAMES:
            raise ValueError(f"For 'initializer', the name '{init}' is not one of {sorted(_NAMES)}.")
        init = _NAMES[init]()
    if isinstance(init, (int, float)):
        init = Constant(init)
    return init.make(sizes, dtype)
