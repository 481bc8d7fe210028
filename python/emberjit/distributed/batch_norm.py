"""Batch normalisation by the statistics of all processes' batches together, which may have other sizes."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.distributed import collectives
from emberjit.distributed.world import Group

_ops = core.ops


def normalised(x: Any, weight: Any, bias: Any, eps: float, group: Group) -> tuple[Any, Any, Any]:
    """(x normalised for each channel, the mean, the unbiased variance); x is (N, C, ...), weight and bias None or (C,)."""
    axes, shape = (0, *range(2, x.ndim)), (1, -1) + (1,) * (x.ndim - 2)
    own = _ops.concat([_ops.sum(x, axes), _ops.full((1,), x.size // x.shape[1], x.dtype)], 0)
    sums = collectives.all_reduce(own, "sum", group)
    count = sums[-1]
    mean = sums[:-1] / count
    centred = x - mean.reshape(shape)
    variance = collectives.all_reduce(_ops.sum(centred * centred, axes), "sum", group) / count
    y = centred * _ops.rsqrt(variance + eps).reshape(shape)
    if weight is not None:
        y = y * weight.reshape(shape) + bias.reshape(shape)
    return y, mean, variance * (count / (count - 1))
