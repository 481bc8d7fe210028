"""Means of cells of regions, each cell of channels of its own."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_int, check_rank, check_same_dtype, check_within
from emberjit.functions.arguments import working
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _cells(first: Tensor, last: Tensor, scale: float, count: int, size: int) -> Any:
    """Which of `size` pixels each of `count` cells of regions (R) has along an axis, as 0 and 1: (R, count, size)."""
    start, end = (_ops.floor(edge * scale + 0.5) for edge in (first, last))
    step = _ops.expand_dims(_ops.maximum(end - start, 0.1) / count, 1)
    numbers = _ops.cast(_ops.arange(count), step.dtype)
    at = _ops.expand_dims(start, 1)
    low, high = _ops.floor(numbers * step + at), _ops.ceil((numbers + 1) * step + at)
    low, high = (_ops.expand_dims(bound, 2) for bound in (low, high))
    pixels = _ops.cast(_ops.arange(size), step.dtype)
    return _ops.cast(_ops.logical_and(pixels >= low, pixels < high), step.dtype)


def check_regions(name: str, spatial_scale: Any, group_size: Any, output_dim: Any, rois: Tensor) -> None:
    check_int(name, "group_size", group_size, 1)
    check_int(name, "output_dim", output_dim, 1)
    check_within(name, "spatial_scale", spatial_scale, above=0)
    check_floating(name, rois=rois)
    check_rank(name, "rois", rois, 3)
    if rois.shape[1] != 5:
        raise ValueError(f"For '{name}', 'rois' must be of shape (N, 5, K), but is of {tuple(rois.shape)}.")


@publish(
    "ops.PSROIPooling(spatial_scale, group_size, output_dim)(features, rois)",
    numpy="pixels.region_means(features, rois, spatial_scale, group_size, output_dim)",
    samples="f64(1, 8, 4, 5), f64(1, 5, 2) * 0 + [[[0], [0], [1], [7], [6]]], 0.5, 2, 2",
)
def position_sensitive_pooling(
    features: Tensor, rois: Tensor, spatial_scale: float, group_size: int, output_dim: int
) -> Any:
    """Regions of images as grids of cells (N * K, output_dim, group_size, group_size): means of pixels, where each cell has
    channels of its own; 0 of a cell without pixels.

    Source: J. Dai et al., "R-FCN: Object detection via region-based fully convolutional networks" (2016).

    Args:
        features: of shape (N, output_dim * group_size**2, H, W).
        rois: the number of the image and (x0, y0, x1, y1) of K regions, of shape (N, 5, K).
        spatial_scale: what coordinates are multiplied by, before they are rounded; the last ones are beyond the region.

    Raises:
        TypeError: features or rois are not of floats, or not of one dtype.
        ValueError: shapes do not fit, or a number is not positive.
        IndexError: an image's number is out of range.

    Examples:
        >>> features = ops.arange(16).reshape(1, 4, 2, 2).astype(ms.float32)
        >>> region = Tensor([[[0.0], [0.0], [0.0], [1.0], [1.0]]])
        >>> print(ops.PSROIPooling(1.0, 2, 1)(features, region))
        [[[[ 0.  4.]
           [ 8. 12.]]]]
    """
    name = "PSROIPooling"
    check_regions(name, spatial_scale, group_size, output_dim, rois)
    check_floating(name, features=features)
    check_rank(name, "features", features, 4)
    check_same_dtype(name, rois=rois, features=features)
    n, channels, height, width = features.shape
    if channels != output_dim * group_size * group_size:
        raise ValueError(
            f"For '{name}', 'features' must have output_dim * group_size**2 channels, {output_dim * group_size**2}, but its "
            f"shape is {tuple(features.shape)}."
        )
    x = working(features)
    regions = _ops.reshape(_ops.transpose(_ops.cast(rois, x.dtype), (1, 0, 2)), (5, -1))
    image, x0, y0, x1, y1 = (_ops.select_at(regions, i, 0) for i in range(5))
    rows = _cells(y0, y1, spatial_scale, group_size, height)
    columns = _cells(x0, x1, spatial_scale, group_size, width)
    by_cell = _ops.reshape(x, (n, output_dim, group_size, group_size, height, width))
    own = _ops.gather(by_cell, _ops.cast(image, core.int64), 0)
    across = _ops.matmul(own, _ops.reshape(columns, (-1, 1, 1, group_size, width, 1)))
    sums = _ops.matmul(_ops.reshape(rows, (-1, 1, group_size, 1, 1, height)), across)
    counts = _ops.expand_dims(_ops.sum(rows, 2), 2) * _ops.expand_dims(_ops.sum(columns, 2), 1)
    means = _ops.squeeze(sums, (4, 5)) / _ops.maximum(_ops.expand_dims(counts, 1), 1)
    return _ops.cast(means, features.dtype)
