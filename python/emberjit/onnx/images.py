"""ONNX's ops on images: resizing, sampling, regions and boxes."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint, ops
from emberjit._emberjit import Tensor
from emberjit.onnx import values
from emberjit.onnx.table import Ints, Number, Row, op
from emberjit.onnx.windows import windows_of

Array = np.ndarray[Any, Any]


def _sources(mode: str, n: int, m: int, scale: float, region: tuple[float, float]) -> Array:
    """Where the m positions of an axis lie in the n of the original one."""
    at = np.arange(m, dtype=np.float64)
    start, end = region
    match mode:
        case "half_pixel":
            return (at + 0.5) / scale - 0.5
        case "pytorch_half_pixel":
            return (at + 0.5) / scale - 0.5 if m > 1 else np.zeros(1)
        case "half_pixel_symmetric":
            return n / 2 * (1 - m / (scale * n)) + (at + 0.5) / scale - 0.5
        case "align_corners":
            return at * (n - 1) / (scale * n - 1) if m > 1 else np.zeros(m)
        case "asymmetric":
            return at / scale
        case "tf_half_pixel_for_nn":
            return (at + 0.5) / scale
        case "tf_crop_and_resize":
            if m == 1:
                return np.array([0.5 * (start + end) * (n - 1)])
            return start * (n - 1) + at * (end - start) * (n - 1) / (m - 1)
    raise ValueError(f"'coordinate_transformation_mode' is '{mode}'")


def _nearest(at: Array, mode: str) -> Array:
    match mode:
        case "round_prefer_floor":
            return np.ceil(at - 0.5)
        case "round_prefer_ceil":
            return np.floor(at + 0.5)
        case "floor":
            return np.floor(at)
        case "ceil":
            return np.ceil(at)
    raise ValueError(f"'nearest_mode' is '{mode}'")


def _linear(distance: Array) -> Array:
    weight: Array = np.maximum(0, 1 - distance)
    return weight


def _cubic(a: float) -> Callable[[Array], Array]:
    """Keys, Cubic convolution interpolation for digital image processing (1981), equation 4 with the slope a."""

    def kernel(x: Array) -> Array:
        near = ((a + 2) * x - (a + 3)) * x * x + 1
        far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return np.where(x <= 1, near, np.where(x < 2, far, 0))

    return kernel


def _weights(at: Array, n: int, kernel: Callable[[Array], Array], reach: int, scale: float, excludes: bool) -> Array:
    """The matrix (m, n) of a resampled axis; with a scale below one, the kernel is widened against aliasing."""
    wide = min(scale, 1.0)
    span = math.ceil(reach / wide)
    near = np.floor(at)[:, None] + np.arange(1 - span, span + 1)
    weight = kernel(np.abs(near - at[:, None]) * wide)
    if excludes:
        weight = np.where((near < 0) | (near >= n), 0, weight)
    weight = weight / weight.sum(1, keepdims=True)
    matrix = np.zeros((len(at), n))
    np.add.at(matrix, (np.arange(len(at))[:, None], near.clip(0, n - 1).astype(int)), weight)
    return matrix


def _resized_sizes(
    shape: Any, axes: Any, sizes: Any, scales: Any, policy: str, regions: Any, crops: bool
) -> tuple[Any, Any]:
    """The new sizes of the axes, and the scales."""
    old = [shape[axis] for axis in axes]
    if scales:
        parts = [end - start if crops else 1.0 for start, end in regions]
        new = [n if part * scale == 1 else math.floor(n * part * scale) for n, part, scale in zip(old, parts, scales)]
        return new, list(scales)
    if policy == "stretch":
        return list(sizes), [1.0 if m == n else m / n for m, n in zip(sizes, old)]
    pick = min if policy == "not_larger" else max
    scale = pick(m / n for m, n in zip(sizes, old))
    return [math.floor(scale * n + 0.5) for n in old], [scale] * len(old)


@op("Resize")
def resize(
    x: Tensor,
    roi: Row = None,
    scales: Row = None,
    sizes: Row = None,
    *,
    antialias: int = 0,
    axes: Ints = None,
    coordinate_transformation_mode: str = "half_pixel",
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch",
    mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
    opset: int,
) -> Any:
    if opset < 11:
        roi, scales, coordinate_transformation_mode, nearest_mode = None, roi, "asymmetric", "floor"
    axes = range(x.ndim) if axes is None else [values.within(axis, x.ndim) for axis in axes]
    crops = coordinate_transformation_mode == "tf_crop_and_resize"
    regions = list(zip(roi[: len(axes)], roi[len(axes) :])) if roi and crops else [(0.0, 1.0)] * len(axes)
    targets, factors = _resized_sizes(x.shape, axes, sizes, scales, keep_aspect_ratio_policy, regions, crops)
    outside: Any = None
    dtype, result = x.dtype, x
    for axis, m, scale, region in zip(axes, targets, factors, regions):
        if scale == 1 and not crops:
            continue
        n, m, scale = int(x.shape[axis]), int(m), float(scale)
        at = _sources(coordinate_transformation_mode, n, m, scale, region)
        if crops:
            beyond = Tensor((at < 0) | (at > n - 1)).reshape(tuple(m if i == axis else 1 for i in range(x.ndim)))
            outside = beyond if outside is None else mint.logical_or(outside, beyond)
        if mode == "nearest":
            result = mint.index_select(result, axis, Tensor(_nearest(at, nearest_mode).clip(0, n - 1).astype(np.int64)))
            continue
        kernel, reach = (_linear, 1) if mode == "linear" else (_cubic(cubic_coeff_a), 2)
        weight = _weights(at, n, kernel, reach, scale if antialias else 1.0, bool(exclude_outside))
        result = _mixed(result, axis, Tensor(weight))
    return (result if outside is None else mint.where(outside, extrapolation_value, result)).astype(dtype)


def _mixed(x: Tensor, axis: int, weight: Tensor) -> Any:
    """The product of an axis with a matrix."""
    wide = dtypes.float64 if x.dtype == dtypes.float64 else dtypes.float32
    last = mint.transpose(x.astype(wide), axis, -1)
    return mint.transpose(mint.matmul(last, mint.t(weight.astype(wide))), axis, -1)


@op("Upsample")
def upsample(x: Tensor, factors: Row = None, *, mode: str = "nearest", scales: Sequence[float] | None = None) -> Any:
    factors = scales if factors is None else factors
    return resize(
        x,
        None,
        tuple(factors),
        None,
        mode="linear" if mode == "bilinear" else mode,
        opset=13,
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )


@op("GridSample")
def grid_sample(
    x: Tensor, grid: Tensor, *, align_corners: int = 0, mode: str = "linear", padding_mode: str = "zeros"
) -> Any:
    known = {"linear": "bilinear", "cubic": "bicubic"}
    return ops.grid_sample(x, grid, known.get(mode, mode), padding_mode, bool(align_corners))


@op("AffineGrid")
def affine_grid(theta: Tensor, size: Row, *, align_corners: int = 0) -> Any:
    return ops.affine_grid(theta, tuple(size), bool(align_corners))


@op("Col2Im")
def col2im(x: Tensor, image: Row, block: Row, *, dilations: Ints = None, pads: Ints = None, strides: Ints = None) -> Any:
    image, block = tuple(map(int, image)), tuple(map(int, block))
    _, strides, dilations, places = windows_of(image, block, strides, dilations, pads)
    whole = [n + a + b for n, (a, b) in zip(image, places)]
    counts = [(n - (k - 1) * d - 1) // s + 1 for n, k, d, s in zip(whole, block, dilations, strides)]
    axes = [np.arange(k)[:, None] * d + np.arange(c) * s for k, d, c, s in zip(block, dilations, counts, strides)]
    index = np.zeros((1, 1), np.int64)
    for n, positions in zip(whole, axes):
        index = (index[:, None, :, None] * n + positions[None, :, None, :]).reshape(index.shape[0] * len(positions), -1)
    n = x.shape[0]
    parts = x.reshape((n, -1, index.size))
    at = mint.broadcast_to(Tensor(index.reshape((1, 1, -1))), tuple(parts.shape))
    flat = mint.scatter_add(mint.zeros((n, parts.shape[1], math.prod(whole)), dtype=x.dtype), 2, at, parts)
    key = tuple(slice(a, a + size) for size, (a, _) in zip(image, places))
    return flat.reshape((n, -1, *whole))[(slice(None), slice(None), *key)]


def _sampled(size: int, n: int, start: Tensor, extent: Tensor, count: int, counts: Tensor) -> tuple[Any, Any]:
    """Positions (regions, size, count) along an axis of n, and how much each counts: 0 beyond a region's own count."""
    bins = (extent / size).reshape((-1, 1, 1))
    i = mint.arange(count, dtype=dtypes.float32)
    at = start.reshape((-1, 1, 1)) + bins * (
        mint.arange(size, dtype=dtypes.float32).reshape((1, -1, 1)) + (i + 0.5) / counts.reshape((-1, 1, 1))
    )
    used = mint.logical_and(i < counts.reshape((-1, 1, 1)), mint.logical_and(at >= -1, at <= n))
    return at, used


def _between(at: Tensor, n: int) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The two neighbours of positions, each with its weight."""
    at = mint.clamp(at, 0, n - 1)
    low = mint.floor(at)
    high = mint.clamp(low + 1, 0, n - 1)
    return (low.astype(dtypes.int64), 1 - (at - low)), (high.astype(dtypes.int64), at - low)


@op("RoiAlign")
def roi_align(
    x: Tensor,
    rois: Tensor,
    batch: Tensor,
    *,
    coordinate_transformation_mode: str | None = None,
    mode: str = "avg",
    output_height: int = 1,
    output_width: int = 1,
    sampling_ratio: int = 0,
    spatial_scale: float = 1.0,
    opset: int,
) -> Any:
    half = (coordinate_transformation_mode or ("half_pixel" if opset >= 16 else "output_half_pixel")) == "half_pixel"
    boxes = rois * spatial_scale - (0.5 if half else 0.0)
    left, top, right, bottom = (boxes[:, i] for i in range(4))
    height, width = bottom - top, right - left
    if not half:
        height, width = mint.clamp(height, 1.0, 3e38), mint.clamp(width, 1.0, 3e38)
    counts = [
        mint.ceil(extent / size) if not sampling_ratio else mint.full_like(extent, sampling_ratio)
        for extent, size in ((height, output_height), (width, output_width))
    ]
    most = [sampling_ratio or max(1, int(mint.max(count).item())) for count in counts]
    _, channels, h, w = x.shape
    y, used_y = _sampled(output_height, h, top, height, most[0], counts[0])
    across, used_x = _sampled(output_width, w, left, width, most[1], counts[1])
    shape_y, shape_x = (-1, 1, output_height, 1, most[0], 1), (-1, 1, 1, output_width, 1, most[1])
    used = mint.logical_and(used_y.reshape(shape_y), used_x.reshape(shape_x))
    flat = mint.permute(x, (0, 2, 3, 1)).reshape((-1, channels))
    corners = []
    for row, row_weight in _between(y, h):
        for column, column_weight in _between(across, w):
            first = batch.astype(dtypes.int64).reshape((-1, 1, 1, 1, 1, 1))
            at = (first * h + row.reshape(shape_y)) * w + column.reshape(shape_x)
            samples = mint.index_select(flat, 0, at.reshape((-1,))).reshape((*at.shape, channels))
            corners.append(samples * mint.unsqueeze(row_weight.reshape(shape_y) * column_weight.reshape(shape_x), -1))
    keep = mint.unsqueeze(used, -1)
    if mode == "max":
        best = mint.maximum(mint.maximum(corners[0], corners[1]), mint.maximum(corners[2], corners[3]))
        pooled = mint.amax(mint.where(keep, best, float("-inf")), (4, 5))
    else:
        total = mint.sum(mint.where(keep, corners[0] + corners[1] + corners[2] + corners[3], 0.0), (4, 5))
        pooled = total / mint.clamp(counts[0] * counts[1], 1, 3e38).reshape((-1, 1, 1, 1, 1))
    pooled = pooled.reshape((pooled.shape[0], output_height, output_width, channels))
    return mint.permute(pooled, (0, 3, 1, 2)).astype(x.dtype)


@op("MaxRoiPool")
def max_roi_pool(x: Tensor, rois: Tensor, *, pooled_shape: Sequence[int], spatial_scale: float = 1.0) -> Any:
    image, pooled = x.asnumpy(), []
    for batch, *corners in rois.asnumpy().tolist():
        left, top, right, bottom = (int(math.floor(corner * spatial_scale + 0.5)) for corner in corners)
        rows = _bins(top, max(1, bottom - top + 1), pooled_shape[0], image.shape[2])
        columns = _bins(left, max(1, right - left + 1), pooled_shape[1], image.shape[3])
        part = image[int(batch)]
        pooled.append([[_largest(part[:, r, c]) for c in columns] for r in rows])
    array = np.array(pooled, image.dtype).reshape((len(pooled), *pooled_shape, image.shape[1]))
    return Tensor(np.ascontiguousarray(array.transpose(0, 3, 1, 2)))


def _bins(start: int, extent: int, count: int, n: int) -> list[slice]:
    edges = [(start + math.floor(i * extent / count), start + math.ceil((i + 1) * extent / count)) for i in range(count)]
    return [slice(min(max(a, 0), n), min(max(b, 0), n)) for a, b in edges]


def _largest(part: Array) -> Array:
    return part.max((1, 2)) if part.size else np.zeros(len(part), part.dtype)


@op("NonMaxSuppression")
def non_max_suppression(
    boxes: Tensor, scores: Tensor, most: Number = 0, iou: Number = 0.0, least: Number = None, *, center_point_box: int = 0
) -> Any:
    corners, marks = boxes.asnumpy().astype(np.float64), scores.asnumpy()
    if center_point_box:
        centre, half = corners[..., :2], corners[..., 2:] / 2
        corners = np.concatenate([centre - half, centre + half], -1)
    low, high = np.minimum(corners[..., :2], corners[..., 2:]), np.maximum(corners[..., :2], corners[..., 2:])
    rows = []
    for batch in range(marks.shape[0]):
        for kind in range(marks.shape[1]):
            indices = _selected(low[batch], high[batch], marks[batch, kind], int(most), iou, least)
            rows += [(batch, kind, at) for at in indices]
    return Tensor(np.array(rows, np.int64).reshape((-1, 3)))


def _selected(low: Array, high: Array, marks: Array, most: int, iou: float, least: float | None) -> list[int]:
    """The boxes with the highest scores that do not overlap one that was taken before."""
    order = np.argsort(-marks, kind="stable")
    order = order if least is None else order[marks[order] > least]
    areas, selected = (high - low).prod(-1), list[int]()
    while order.size and len(selected) < most:
        first, order = int(order[0]), order[1:]
        selected.append(first)
        common = (np.minimum(high[order], high[first]) - np.maximum(low[order], low[first])).clip(0).prod(-1)
        union = areas[order] + areas[first] - common
        order = order[common <= iou * union]
    return selected


@op("ImageDecoder")
def image_decoder(data: Tensor, *, pixel_format: str = "RGB") -> Any:
    """Raises ImportError where the package pillow is not there."""
    from PIL import Image

    image = Image.open(io.BytesIO(data.asnumpy().tobytes())).convert("L" if pixel_format == "Grayscale" else "RGB")
    pixels = np.asarray(image)
    if pixel_format == "Grayscale":
        return Tensor(pixels[:, :, None].copy())
    return Tensor(np.ascontiguousarray(pixels[:, :, ::-1] if pixel_format == "BGR" else pixels))
