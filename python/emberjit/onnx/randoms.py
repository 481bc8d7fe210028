"""ONNX's random ops. With a seed, results are the same on each call, else those of emberjit's generator (set_seed)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint
from emberjit._emberjit import Tensor
from emberjit.generator import Generator
from emberjit.onnx.table import Number, op
from emberjit.onnx.values import FLOAT, TYPES


def _generator(seed: float | None) -> Any:
    if seed is None:
        return None
    generator = Generator()
    generator.manual_seed(struct.unpack("<q", struct.pack("<d", seed))[0] & (1 << 62) - 1)
    return generator


def _uniform(shape: Sequence[int], dtype: dtypes.dtype, seed: float | None) -> Any:
    return mint.rand(tuple(shape), dtype=dtype, generator=_generator(seed))


def _normal(shape: Sequence[int], dtype: dtypes.dtype, seed: float | None) -> Any:
    return mint.randn(tuple(shape), dtype=dtype, generator=_generator(seed))


@op("RandomUniform")
def random_uniform(
    *, shape: Sequence[int], dtype: int = FLOAT, high: float = 1.0, low: float = 0.0, seed: float | None = None
) -> Any:
    return _uniform(shape, TYPES[dtype], seed) * (high - low) + low


@op("RandomUniformLike")
def random_uniform_like(
    x: Tensor, *, dtype: int | None = None, high: float = 1.0, low: float = 0.0, seed: float | None = None
) -> Any:
    return _uniform(x.shape, x.dtype if dtype is None else TYPES[dtype], seed) * (high - low) + low


@op("RandomNormal")
def random_normal(
    *, shape: Sequence[int], dtype: int = FLOAT, mean: float = 0.0, scale: float = 1.0, seed: float | None = None
) -> Any:
    return _normal(shape, TYPES[dtype], seed) * scale + mean


@op("RandomNormalLike")
def random_normal_like(
    x: Tensor, *, dtype: int | None = None, mean: float = 0.0, scale: float = 1.0, seed: float | None = None
) -> Any:
    return _normal(x.shape, x.dtype if dtype is None else TYPES[dtype], seed) * scale + mean


@op("Bernoulli")
def bernoulli(x: Tensor, *, dtype: int | None = None, seed: float | None = None) -> Any:
    sample = _uniform(x.shape, dtypes.float32, seed) < x.astype(dtypes.float32)
    return sample.astype(x.dtype if dtype is None else TYPES[dtype])


@op("Multinomial")
def multinomial(x: Tensor, *, dtype: int = 6, sample_size: int = 1, seed: float | None = None) -> Any:
    """By Gumbel's maximum: the largest of log p - log(-log u), u uniform, is drawn with probability p."""
    u = _uniform((x.shape[0], sample_size, x.shape[1]), dtypes.float32, seed)
    noise = -mint.log(-mint.log(mint.clamp(u, float(np.finfo(np.float32).tiny), 1 - 2.0**-24)))
    return mint.argmax(mint.unsqueeze(x.astype(dtypes.float32), 1) + noise, -1).astype(TYPES[dtype])


@op("Dropout")
def dropout(
    x: Tensor,
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
    mask = _uniform(x.shape, dtypes.float32, seed) >= share
    result = mint.where(mask, x / (1 - share), mint.zeros_like(x))
    return (result, mask) if outputs > 1 else result
