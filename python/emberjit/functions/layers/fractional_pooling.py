"""Pooling over regions of random sizes that cover images (N, H, W, C).

Source: B. Graham, "Fractional max-pooling" (2014).
"""

from __future__ import annotations

import math
import random
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank
from emberjit.functions.layers.max_pooling import positions_of
from emberjit.functions.random.uniform_and_normal import seed_of
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _draws(count: int, deterministic: bool, seed: int | None) -> list[float]:
    """Numbers of [0, 1), the same at each call if deterministic."""
    if deterministic:
        source = random.Random(seed or 0)
        return [source.random() for _ in range(count)]
    return _ops.rand((count,), core.float64, seed).tolist()  # type: ignore[no-any-return]


def _bounds(size: int, count: int, pseudo_random: bool, draws: list[float]) -> list[int]:
    """Where regions begin along an axis, and where the last one ends."""
    step, least = size / count, size // count
    if not pseudo_random:  # regions of two sizes in any order
        longer = {i for _, i in sorted(zip(draws, range(count)))[: size - count * least]}
        bounds = [0]
        for i in range(count):
            bounds.append(bounds[-1] + least + (i in longer))
        return bounds
    most = min((least + 2) / step - 1, (size + 1 - least) / step - (count - 1))
    shift = draws[0] * most
    return [0, *(math.ceil(step * (i + shift)) - 1 for i in range(1, count)), size]


def _random_bounds(
    function: str, x: Tensor, pooling_ratio: Any, pseudo_random: bool, deterministic: bool, seed: int | None
) -> list[list[int]]:
    """The bounds of regions of rows and of columns."""
    check_rank(function, "x", x, 4)
    ratios = tuple(pooling_ratio) if isinstance(pooling_ratio, (tuple, list)) else ()
    if len(ratios) != 4 or not all(isinstance(ratio, (int, float)) for ratio in ratios):
        raise TypeError(f"For '{function}', 'pooling_ratio' must be a tuple of four numbers, but got {pooling_ratio!r}.")
    if ratios[0] != 1 or ratios[3] != 1 or not all(1 <= ratios[i] <= x.shape[i] for i in (1, 2)):
        raise ValueError(
            f"For '{function}', 'pooling_ratio' must be 1 but for rows and columns, and between 1 and their number, but got "
            f"{pooling_ratio} for an input of shape {tuple(x.shape)}."
        )
    bounds = []
    for axis in (1, 2):
        count = int(x.shape[axis] / ratios[axis])
        bounds.append(_bounds(x.shape[axis], count, pseudo_random, _draws(count, deterministic, seed)))
    return bounds


def reduced_regions(x: Tensor, bounds: list[list[int]], overlapping: bool, how: str) -> Any:
    """The largest elements ("maxima") or "means" of regions of images (N, H, W, C).

    Args:
        bounds: where regions of rows, and of columns, begin, and where the last one ends.
        overlapping: whether a region has the first row and column of the next one, too.
    """
    n, height, width, channels = x.shape
    places, lengths = [], []
    for size, edges in zip((height, width), bounds):
        ends = [min(edge + overlapping, size) for edge in edges[1:]]
        longest = max(end - start for start, end in zip(edges, ends))
        rows = [[min(start + i, end - 1) for i in range(longest)] for start, end in zip(edges, ends)]
        places.append(core.Tensor(rows, core.int64))
        lengths.append(core.Tensor([[i < end - start for i in range(longest)] for start, end in zip(edges, ends)]))
    flat = _ops.reshape(_ops.transpose(x, (0, 3, 1, 2)), (n, channels, height * width))
    windows = _ops.gather(flat, positions_of(places, (height, width)), 2)
    if how == "maxima":
        return _ops.transpose(_ops.max_with_index(windows, -1)[0], (0, 2, 3, 1))
    both = positions_of([_ops.cast(one, core.int64) for one in lengths], (2, 2))
    inside = _ops.equal(both, 3)
    counts = _ops.sum(_ops.cast(inside, core.int64), -1)
    means = _ops.sum(_ops.select(inside, windows, 0), -1) / _ops.cast(counts, x.dtype)
    return _ops.cast(_ops.transpose(means, (0, 2, 3, 1)), x.dtype)


_OPTIONS = "(pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2)(x)"


def _publish_pool(name: str, what: str, shown: str) -> None:
    def pool(
        x: Tensor,
        pooling_ratio: Any,
        pseudo_random: bool = False,
        overlapping: bool = False,
        deterministic: bool = False,
        seed: int = 0,
        seed2: int = 0,
    ) -> Any:
        bounds = _random_bounds(name, x, pooling_ratio, pseudo_random, deterministic, seed_of(seed, seed2))
        rows, columns = (core.Tensor(edges, core.int64) for edges in bounds)
        return reduced_regions(x, bounds, overlapping, what), rows, columns

    pool.__name__ = f"{what}_of_random_regions"
    pool.__doc__ = f"""({what} of regions of images (N, H, W, C), where regions of rows begin and end, the same of columns).

    Args:
        pooling_ratio: (1, rows, columns, 1), how many for each region.
        pseudo_random: whether the sizes of regions follow from one random number, and not from as many as regions.
        overlapping: whether a region has the first row and column of the next one, too.
        deterministic: whether regions are the same at each call.
        seed, seed2: of random numbers.

    Raises:
        TypeError: pooling_ratio is no tuple of four numbers.
        ValueError: x has another number of axes, or ratios that do not fit.

    Examples:
        >>> x = ops.arange(16.0).reshape(1, 4, 4, 1)
        >>> ms.set_seed(1)
        >>> result, rows, columns = ops.{name}((1.0, 2.0, 2.0, 1.0))(x)
        >>> print(rows, columns)
        [0 2 4] [0 2 4]
        >>> print(result.reshape(2, 2))
        {shown}
    """
    publish(f"ops.{name}{_OPTIONS}", in_python=True)(pool)


_publish_pool("FractionalMaxPool", "maxima", "[[ 5.  7.]\n         [13. 15.]]")
_publish_pool("FractionalAvgPool", "means", "[[ 2.5  4.5]\n         [10.5 12.5]]")
