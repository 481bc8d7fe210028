"""ONNX's random ops. With a seed, results are the same on each call, else those of emberjit's generator (set_seed)."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint
from emberjit.generator import Generator
from emberjit.onnx.table import Number, op
from emberjit.onnx.values import FLOAT, TYPES


def _generator(seed: float | None) -> Any:
    if seed is None:
        return None
    made = Generator()
    made.manual_seed(struct.unpack("<q", struct.pack("<d", seed))[0] & (1 << 62) - 1)
    return made


def _uniform(shape: Any, dtype: Any, seed: float | None) -> Any:
    return mint.rand(tuple(shape), dtype=dtype, generator=_generator(seed))


def _normal(shape: Any, dtype: Any, seed: float | None) -> Any:
    return mint.randn(tuple(shape), dtype=dtype, generator=_generator(seed))


@op("RandomUniform")
def random_uniform(*, shape: Any, dtype: int = FLOAT, high: float = 1.0, low: float = 0.0, seed: float | None = None) -> Any:
    return _uniform(shape, TYPES[dtype], seed) * (high - low) + low


@op("RandomUniformLike")
def random_uniform_like(
    x: Any, *, dtype: int | None = None, high: float = 1.0, low: float = 0.0, seed: float | None = None
) -> Any:
    return _uniform(x.shape, x.dtype if dtype is None else TYPES[dtype], seed) * (high - low) + low


@op("RandomNormal")
def random_normal(
    *, shape: Any, dtype: int = FLOAT, mean: float = 0.0, scale: float = 1.0, seed: float | None = None
) -> Any:
    return _normal(shape, TYPES[dtype], seed) * scale + mean


@op("RandomNormalLike")
def random_normal_like(
    x: Any, *, dtype: int | None = None, mean: float = 0.0, scale: float = 1.0, seed: float | None = None
) -> Any:
    return _normal(x.shape, x.dtype if dtype is None else TYPES[dtype], seed) * scale + mean


@op("Bernoulli")
def bernoulli(x: Any, *, dtype: int | None = None, seed: float | None = None) -> Any:
    drawn = _uniform(x.shape, dtypes.float32, seed) < x.astype(dtypes.float32)
    return drawn.astype(x.dtype if dtype is None else TYPES[dtype])


@op("Multinomial")
def multinomial(x: Any, *, dtype: int = 6, sample_size: int = 1, seed: float | None = None) -> Any:
    """By Gumbel's maximum: the largest of log p - log(-log u), u uniform, is drawn with probability p."""
    u = _uniform((x.shape[0], sample_size, x.shape[1]), dtypes.float32, seed)
    noise = -mint.log(-mint.log(mint.clamp(u, float(np.finfo(np.float32).tiny), 1 - 2.0**-24)))
    return mint.argmax(mint.unsqueeze(x.astype(dtypes.float32), 1) + noise, -1).astype(TYPES[dtype])


@op("Dropout")
def dropout(
    x: Any,
    share: Number = None,
    training: Number = None,
    *,
    ratio: float = 0.5,
    seed: float | None = None,
    is_test: int = 1,
    outputs: int,
) -> Any:
    share = ratio if share is None else share
    if not (training or not is_test) or not share:
        return (x, mint.ones(tuple(x.shape), dtype=dtypes.bool_)) if outputs > 1 else x
    kept = _uniform(x.shape, dtypes.float32, seed) >= share
    made = mint.where(kept, x / (1 - share), mint.zeros_like(x))
    return (made, kept) if outputs > 1 else made
