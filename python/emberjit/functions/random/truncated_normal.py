"""The normal distribution within bounds, by the inverse of its distribution function."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core

_ops = core.ops
_FAR, _TERMS = 6.0, 40  # from where on so many terms of the continued fraction give 15 digits
_ROUNDS = 8  # of Newton's method


def _log_tail(x: core.Tensor) -> Any:
    """log(P(X > x)) and P(X > x) by its density there, of the standard normal distribution, for x of at least 1; far from
    0 by Laplace's continued fraction."""
    fraction = x
    for k in range(_TERMS, 0, -1):
        fraction = x + k / fraction
    by_density = _ops.select(
        x < _FAR, _ops.erfc(x * math.sqrt(0.5)) * _ops.exp(x * x / 2) * math.sqrt(math.pi / 2), 1 / fraction
    )
    return _ops.log(by_density) - x * x / 2 - math.log(2 * math.pi) / 2, by_density


def _in_tail(u: core.Tensor, low: core.Tensor, high: core.Tensor) -> Any:
    """Where P(X > x) is as far between those of 1 <= low <= high as u says: the root of its logarithm, which is concave, by
    Newton's method from the right of it."""
    first, last = _log_tail(low)[0], _ops.select(_ops.isinf(high), -math.inf, _log_tail(high)[0])
    below = _ops.log1p(u * _ops.expm1(last - first))
    x = _ops.sqrt(low * low - 2 * below)
    for _ in range(_ROUNDS):
        log_tail, by_density = _log_tail(x)
        x = x + (log_tail - first - below) * by_density
    return x


def truncated_quantile(u: core.Tensor, near: core.Tensor, far: core.Tensor, in_tail: bool) -> Any:
    """The inverse at u of the distribution function of the standard normal distribution within [near, far], accurate where
    both are far from 0, too. All are float64, and the bounds, by symmetry, such that near + far >= 0.

    Args:
        in_tail: whether near may exceed 1.
    """
    first, last = (_ops.erf(bound * math.sqrt(0.5)) for bound in (near, far))
    quantile = _ops.erfinv(first + u * (last - first)) * math.sqrt(2)
    if in_tail:
        tail = _in_tail(u, _ops.maximum(near, 1.0), _ops.maximum(far, 1.0))
        quantile = _ops.select(near > 1, tail, quantile)
    return _ops.minimum(_ops.maximum(quantile, near), far)
