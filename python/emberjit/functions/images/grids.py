"""Images and volumes read at points between their pixels: grids of points, regions of interest, deformed windows."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_rank
from emberjit.functions.arguments import ints_of, working
from emberjit.functions.images import interpolation
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.ops
_PADDINGS = ("zeros", "border", "reflection")


def _in_pixels(at: Tensor, size: Any, align_corners: bool) -> Any:
    """Positions in pixels for coordinates, of which -1 and 1 are the first and last elements, or outer edges of pixels."""
    return (at + 1) * ((size - 1) / 2) if align_corners else ((at + 1) * size - 1) / 2


def _reflected(at: Tensor, size: Any, align_corners: bool) -> Any:
    """Positions outside reflected at the first and last elements, or the outer edges of pixels."""
    first, span = (0.0, size - 1) if align_corners else (-0.5, size)
    if span == 0:
        return _ops.zeros_like(at)
    distance = _ops.abs(at - first)
    turn = _ops.floor_mod(distance, 2 * span)
    return _ops.clip(_ops.minimum(turn, 2 * span - turn) + first, 0, size - 1)


def _batches(x: Tensor, shape: tuple[Any, ...], points: tuple[Any, ...]) -> Any:
    """What reads elements of x, as of a shape (N, C, L), at indices (N, *points): (N, C, points)."""
    flat, count = _ops.reshape(x, shape), math.prod(points)

    def read(index: Tensor, weight: Tensor, inside: Tensor | None = None) -> Any:
        value = _ops.gather(flat, _ops.reshape(index, (shape[0], count)), 2, 1)
        there = None if inside is None else _ops.reshape(inside, (shape[0], 1, count))
        value = value if there is None else _ops.select(there, value, 0.0)
        if weight is None:
            return value
        value = value * _ops.reshape(weight, (shape[0], 1, count))
        return value if there is None else _ops.select(there, value, 0.0)

    return read


@publish(
    """ops.grid_sample mint.nn.functional.grid_sample
    ops.GridSampler2D(mode as interpolation_mode, padding_mode, align_corners: bool = False)(input as input_x, grid)
    ops.GridSampler3D(mode as interpolation_mode, padding_mode, align_corners: bool = False)(input as input_x, grid)""",
    numpy="pixels.grid_sample(input, grid, mode, padding_mode, align_corners)",
    samples="""f64(2, 2, 3, 4), f64(2, 3, 2, 2); f64(1, 1, 3, 4), f64(1, 2, 3, 2), 'bilinear', 'border', True;
    f64(1, 2, 3, 4), f64(1, 2, 3, 2) * 2, 'bilinear', 'reflection'; f64(1, 2, 3, 4), f64(1, 4, 3, 2), 'nearest';
    f64(1, 2, 4, 3), f64(1, 2, 3, 2), 'nearest', 'reflection', True; f64(1, 2, 4, 3), f64(1, 2, 3, 2), 'bicubic';
    f64(1, 1, 4, 5), f64(1, 2, 3, 2), 'bicubic', 'border', True; f64(1, 1, 4, 5), f64(1, 2, 3, 2), 'bicubic', 'reflection';
    f64(1, 2, 2, 3, 4), f64(1, 2, 2, 2, 3); f64(1, 1, 2, 3, 4), f64(1, 1, 2, 3, 3), 'nearest', 'border', True;
    f32(1, 1, 3, 1), f32(1, 2, 2, 2), 'bilinear', 'reflection', True; f64(0, 2, 3, 3), f64(0, 2, 2, 2)""",
)
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    """Images (N, C, H, W) or volumes (N, C, D, H, W) read at points: (N, C, *points). NaN coordinates read zeros, or the
    start.

    Method: M. Jaderberg et al., Spatial transformer networks (2015).

    Args:
        grid: coordinates (N, *points, 2 or 3) in the order x, y, z, of which -1 and 1 are the image's ends.
        mode: "bilinear" (linear along each axis), "nearest" (to even where two are), or for images "bicubic".
        padding_mode: what stands outside: "zeros", "border", the last elements, or "reflection", the image reflected.
        align_corners: whether -1 and 1 are the first and last elements, not the outer edges of pixels; None is False.

    Raises:
        TypeError: input and grid are not of the same dtype of floats.
        ValueError: shapes do not fit, the image has no elements, or another mode.
    """
    name = "grid_sample"
    check_rank(name, "input", input, 4, 5)
    check_floating(name, input=input)
    axes = input.ndim - 2
    if grid.dtype != input.dtype:
        raise TypeError(f"For '{name}', 'grid' must be of input's dtype, {input.dtype}, but is of {grid.dtype}.")
    if grid.ndim != axes + 2 or grid.shape[0] != input.shape[0] or grid.shape[-1] != axes:
        raise ValueError(
            f"For '{name}', 'grid' must be of shape ({input.shape[0]}, ...{axes} sizes, {axes}) for an input of shape "
            f"{tuple(input.shape)}, but is of {tuple(grid.shape)}."
        )
    check_choice(name, "mode", mode, "bilinear", "nearest", *(("bicubic",) if axes == 2 else ()))
    check_choice(name, "padding_mode", padding_mode, *_PADDINGS)
    if any(size == 0 for size in input.shape[2:]):
        raise ValueError(f"For '{name}', 'input' must have elements to read, but its shape is {tuple(input.shape)}.")
    x, points = working(input), working(grid)
    corners = bool(align_corners)

    def inside(at: Tensor, size: Any) -> Any:
        if padding_mode == "border":
            return _ops.clip(at, 0, size - 1)
        return at if padding_mode == "zeros" else _reflected(at, size, corners)

    places = []
    for i, size in enumerate(x.shape[2:]):
        at = _in_pixels(_ops.select_at(points, axes - 1 - i, axes + 1), size, corners)
        at = at if mode == "bicubic" else inside(at, size)
        places.append((_ops.round(at) if mode == "nearest" else at, size))
    read = _batches(x, (*x.shape[:2], math.prod(x.shape[2:])), grid.shape[1:-1])
    kind = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)

    def index_of(place: Tensor, size: Any) -> Any:
        return interpolation.bounded(inside(place, size), size)

    out = interpolation.at_points(
        read, places, kind, padding_mode == "zeros", index_of if mode == "bicubic" else interpolation.bounded
    )
    return _ops.cast(out.reshape((*x.shape[:2], *grid.shape[1:-1])), input.dtype)


@publish(
    "ops.affine_grid ops.AffineGrid(align_corners)(theta, size as output_size)",
    numpy="pixels.affine_grid(theta, size, align_corners)",
    samples="""f32(2, 2, 3), (2, 1, 3, 4); f64(1, 2, 3), (1, 5, 2, 3), True; f32(1, 3, 4), [1, 1, 2, 1, 3]; f32(1, 2, 3),
    (1, 1, 1, 2), True""",
)
def affine_grid(theta: Tensor, size: Any, align_corners: bool = False) -> Any:
    """The points at which grid_sample() turns an image by affine maps: (N, H, W, 2), or (N, D, H, W, 3).

    Args:
        theta: maps (N, 2, 3) or (N, 3, 4) of coordinates.
        size: of the result of grid_sample(), (N, C, H, W) or (N, C, D, H, W).
        align_corners: whether -1 and 1 are the first and last elements, not the outer edges of pixels.

    Raises:
        TypeError: theta is not of floats, or size not of ints.
        ValueError: the shapes do not fit.
    """
    check_floating("affine_grid", theta=theta)
    check_rank("affine_grid", "theta", theta, 3)
    axes = theta.shape[1]
    if axes not in (2, 3) or theta.shape[2] != axes + 1:
        raise ValueError(f"For 'affine_grid', 'theta' must be (N, 2, 3) or (N, 3, 4), but is of {tuple(theta.shape)}.")
    sizes = ints_of("affine_grid", "size", size, axes + 2, 1)
    if sizes[0] != theta.shape[0]:
        raise ValueError(f"For 'affine_grid', 'size' must begin with theta's {theta.shape[0]} maps, but is {size}.")
    maps = working(theta)
    rows = [maps[:, :, i].reshape((-1,) + (1,) * axes + (axes,)) for i in range(axes + 1)]
    total = rows[axes]
    for i in range(axes):  # the maps' columns are of x, y, z, the grid's axes in the other order
        new = sizes[axes + 1 - i]
        at = _ops.cast(_ops.arange(new), maps.dtype)
        at = at * (2 / max(new - 1, 1)) - (0 if new == 1 else 1) if align_corners else (2 * at + 1) / new - 1
        total = total + rows[i] * at.reshape((-1,) + (1,) * (i + 1))
    return _ops.cast(total, theta.dtype)


def _spread(at: Tensor, step: Tensor, count: Any, axis: int) -> Any:
    """Positions of points (K, count, 1) or (K, 1, count) by the first and the steps between them (K)."""
    numbers = _ops.cast(_ops.arange(count), at.dtype).reshape((-1, 1) if axis == 0 else (1, -1))
    return at.reshape((-1, 1, 1)) + step.reshape((-1, 1, 1)) * numbers


def _crop_positions(first: Tensor, last: Tensor, old: Any, new: Any, method: str) -> Any:
    """The first position and the step of a crop's points along an axis; where the crop's elements begin and end."""
    if method != "bilinear_v2":
        step = (last - first) * (old - 1) / max(new - 1, 1)
        return (first * (old - 1), step) if new > 1 else ((first + last) * (0.5 * (old - 1)), step)
    begin, end = _ops.trunc(first * old), _ops.trunc(last * old)
    step = _ops.maximum(end - begin + 1, 1) / new
    return begin + step * 0.5 - 0.5, step, begin, begin + step * new - 1


@publish(
    """ops.crop_and_resize ops.CropAndResize(method, extrapolation_value)
    (image as x|image, boxes, box_indices as box_index|box_indices, crop_size)""".replace("\n    (", "("),
    numpy="pixels.crop_and_resize(image, boxes, box_indices, crop_size, method, extrapolation_value)",
    samples="""f64(2, 4, 5, 2), f64(3, 4), i32(3) % 2, (3, 2); f64(1, 4, 3, 1), abs(f64(2, 4)) / 2, i32(2) * 0, (1, 3),
    'nearest', 0.5; f64(2, 4, 5, 2), abs(f64(3, 4)) / 2, i32(3) % 2, (3, 4), 'bilinear_v2'; f32(1, 3, 3, 1), f32(2, 4) * 0,
    i64(2) * 0, (1, 1)""",
)
def crop_and_resize(
    image: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Any:
    """Crops of images (N, H, W, C), resized to one size: (K, height, width, C). float64 of float64, else float32.

    Args:
        boxes: (y0, x0, y1, x1) of each crop (K, 4), of which 0 and 1 are the first and last elements.
        box_indices: which image each is of (K).
        crop_size: (height, width).
        method: "bilinear", "nearest", or "bilinear_v2", whose points are the middles of pixels of whole pixels' crops.
        extrapolation_value: what stands outside of the image; for "bilinear_v2" the last elements do.

    Raises:
        TypeError: image or boxes are not of the dtypes that are wanted.
        ValueError: shapes do not fit, a size is not positive, or another method.
        IndexError: an image's number is out of range.
    """
    name = "crop_and_resize"
    check_rank(name, "image", image, 4)
    check_floating(name, boxes=boxes)
    check_choice(name, "method", method, "bilinear", "nearest", "bilinear_v2")
    if boxes.ndim != 2 or boxes.shape[1] != 4 or tuple(box_indices.shape) != (boxes.shape[0],):
        raise ValueError(
            f"For '{name}', 'boxes' must be of shape (K, 4) and 'box_indices' of (K,), but are of {tuple(boxes.shape)} and "
            f"{tuple(box_indices.shape)}."
        )
    sizes = ints_of(name, "crop_size", crop_size, 2, 1)
    x = working(image)
    n, h, w, c = x.shape
    flat = _ops.reshape(x, (n * h * w, c))
    images = _ops.arange(n) * (h * w)
    base = _ops.gather(images, box_indices, 0).reshape((-1, 1, 1))
    outside: Any = None
    axes = []
    for axis in range(2):
        first, last = (_ops.cast(_ops.select_at(boxes, axis + i, 1), x.dtype) for i in (0, 2))
        old = x.shape[axis + 1]
        at, step, *limits = _crop_positions(first, last, old, sizes[axis], method)
        places = _spread(at, step, sizes[axis], axis)
        if limits:
            low, high = (limit.reshape((-1, 1, 1)) for limit in limits)
            places = _ops.clip(_ops.maximum(_ops.minimum(places, high), low), 0, old - 1)
        beyond = _ops.logical_or(places < 0, places > old - 1)
        outside = beyond if outside is None else _ops.logical_or(outside, beyond)
        axes.append((places + 0.5 if method == "nearest" else places, old))

    def read(index: Tensor, weight: Tensor) -> Any:
        value = _ops.gather(flat, index + base, 0)
        return value if weight is None else value * _ops.expand_dims(weight, 3)

    out = interpolation.at_points(read, axes, "nearest" if method == "nearest" else "linear", False)
    return _ops.select(_ops.expand_dims(outside, 3), float(extrapolation_value), out)


def _points_of_cells(start: Tensor, size: Tensor, cells: int, count: int) -> tuple[Any, Any, int]:
    """(points in the cells of regions (K, cells * most), each one's share of the mean of its cell, most of a cell).

    Args:
        start, size: where each region begins, and the size of its cells (K).
        count: how many points a cell has; if none, one for each element that it covers, and of less than one none.
    """
    counts = _ops.ceil(size) if count < 1 else _ops.full(size.shape, float(count), size.dtype)
    most = count if count >= 1 else max(int(_ops.amax(counts)), 1) if size.size else 1
    index = _ops.arange(cells * most)
    cell, point = _ops.floor_div(index, most), index % most
    counts = _ops.expand_dims(_ops.maximum(counts, 0.0), 1)
    whole = _ops.maximum(counts, 1.0)
    places = _ops.expand_dims(start, 1) + (cell + (point + 0.5) / whole) * _ops.expand_dims(size, 1)
    return places, _ops.cast(point < counts, size.dtype) / whole, most


@publish(
    "ops.ROIAlign(pooled_height, pooled_width, spatial_scale, sample_num, roi_end_mode)(features, rois)",
    numpy="pixels.roi_align(features, rois, pooled_height, pooled_width, spatial_scale, sample_num, roi_end_mode)",
    samples="""f64(2, 3, 5, 6), abs(f64(3, 5)) % 2 * [0, 1, 1, 2, 3], 2, 3, 1.0; f64(1, 2, 4, 4),
    f64(2, 5) * [0, 1, 2, 3, 4], 2, 2, 0.5, 3, 0; f32(1, 1, 2, 2), f32(1, 5) * 0, 2, 2, 0.5""",
)
def roi_align(
    features: Tensor,
    rois: Tensor,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sample_num: int = 2,
    roi_end_mode: int = 1,
) -> Any:
    """Regions of images (N, C, H, W), each as one grid of cells (K, C, pooled_height, pooled_width): means over points of
    each cell, at which the image is interpolated.

    Method: K. He et al., Mask R-CNN (2017).

    Args:
        rois: the number of the image and (x0, y0, x1, y1) of each region (K, 5).
        spatial_scale: what coordinates are multiplied by.
        sample_num: how many points a cell has along each axis; 0 or -1: one for each element that it covers, which a graph
            cannot settle.
        roi_end_mode: 1 if a region ends one pixel further than its box, 0 if not, where it is at least 1 wide and high.

    Raises:
        TypeError: features or rois are not of floats.
        ValueError: shapes do not fit, or a number is out of range.
        IndexError: an image's number is out of range.
    """
    name = "ROIAlign"
    check_rank(name, "features", features, 4)
    for argument, tensor in (("features", features), ("rois", rois)):
        check_floating(name, **{argument: tensor})
    if rois.ndim != 2 or rois.shape[1] != 5:
        raise ValueError(f"For '{name}', 'rois' must be of shape (K, 5), but is of {tuple(rois.shape)}.")
    check_choice(name, "roi_end_mode", roi_end_mode, 0, 1)
    for argument, count in (("pooled_height", pooled_height), ("pooled_width", pooled_width)):
        ints_of(name, argument, count, 1, 1)
    x, regions = working(features), working(rois)
    n, c, h, w = x.shape
    flat = _ops.reshape(_ops.transpose(x, (0, 2, 3, 1)), (n * h * w, c))
    image = _ops.cast(_ops.round(_ops.select_at(regions, 0, 1)), core.int64)
    base = _ops.gather(_ops.arange(n) * (h * w), image, 0).reshape((-1, 1, 1))
    reached, axes, most = None, [], []
    for axis, (size, cells) in enumerate(((h, pooled_height), (w, pooled_width))):
        start = _ops.select_at(regions, 2 - axis, 1) * spatial_scale
        length = (_ops.select_at(regions, 4 - axis, 1) + roi_end_mode) * spatial_scale - start
        length = length if roi_end_mode else _ops.maximum(length, 1.0)
        places, share, count = _points_of_cells(start, length / cells, cells, sample_num)
        places, share = (_ops.expand_dims(one, 2 - axis) for one in (places, share))
        near = _ops.select(_ops.logical_and(places >= -1, places <= size), share, 0.0)
        reached = near if reached is None else reached * near
        axes.append((_ops.clip(places, 0, size - 1), size))
        most.append(count)

    def read(index: Tensor, weight: Tensor) -> Any:
        return _ops.gather(flat, index + base, 0) * _ops.expand_dims(weight * reached, 3)

    samples = interpolation.at_points(read, axes, "linear", False)
    samples = samples.reshape((rois.shape[0], pooled_height, most[0], pooled_width, most[1], c))
    return _ops.cast(_ops.transpose(_ops.sum(samples, (2, 4)), (0, 3, 1, 2)), features.dtype)


def _of_image_axes(name: str, argument: str, values: Ints) -> tuple[int, int]:
    """The last two of four numbers, of which the first two are 1."""
    items = ints_of(name, argument, values, 4, 1)
    if items[:2] != (1, 1):
        raise ValueError(f"For '{name}', '{argument}' must begin with 1, 1, but is {values}.")
    return items[2], items[3]


def _check_deformed(name: str, x: Tensor, offsets: Tensor, window: list[Any], groups: int) -> tuple[Any, Any]:
    """How many windows fit, down and across."""
    check_rank(name, "x", x, 4)
    for argument, tensor in (("x", x), ("offsets", offsets)):
        check_floating(name, **{argument: tensor})
    counts = []
    for size, (kernel, stride, dilation, before, after) in zip(x.shape[2:], window):
        counts.append((size + before + after - (kernel - 1) * dilation - 1) // stride + 1)
    expected = (x.shape[0], 3 * groups * window[0][0] * window[1][0], *counts)
    if groups < 1 or x.shape[1] % groups or tuple(offsets.shape) != expected:
        raise ValueError(
            f"For '{name}', an x of shape {tuple(x.shape)} must have channels for {groups} groups, and 'offsets' be of "
            f"shape "
            f"{expected}, but is of {tuple(offsets.shape)}."
        )
    return counts[0], counts[1]


@publish(
    "ops.DeformableOffsets(strides, pads, ksize, dilations, data_format, deformable_groups, modulated)(x, offsets)",
    numpy="pixels.deformable_offsets(x, offsets, strides, pads, ksize, dilations, deformable_groups)",
    samples="""f64(1, 2, 4, 5), f64(1, 12, 3, 4), (1, 1, 1, 1), (0, 0, 0, 0), (2, 2); f64(2, 4, 4, 5), f64(2, 36, 2, 2),
    (1, 1, 2, 3), (1, 0, 1, 1), (3, 2), (1, 1, 1, 2), 'NCHW', 2""",
)
def deformable_offsets(
    x: Tensor,
    offsets: Tensor,
    strides: Ints,
    pads: Ints,
    ksize: Ints,
    dilations: Ints = (1, 1, 1, 1),
    data_format: str = "NCHW",
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Any:
    """What the windows of a deformable convolution read of images (N, C, H, W): (N, C, rows * kernel's, columns * kernel's).

    Args:
        offsets: how far each window's points are moved right, those down, and what they are multiplied by: (N, 3 * groups
            * kernel's size, rows, columns).
        strides, dilations: (1, 1, down, right).
        pads: zeros above, below, left and right.
        ksize: (height, width) of the kernel.
        deformable_groups: how many groups of channels have their own offsets.

    Raises:
        TypeError: x or offsets are not of floats.
        ValueError: shapes do not fit, a number is out of range, data_format is not "NCHW" or modulated False.
    """
    name = "DeformableOffsets"
    check_choice(name, "data_format", data_format, "NCHW")
    check_choice(name, "modulated", modulated, True)
    kernel = ints_of(name, "ksize", ksize, 2, 1)
    steps, gaps = (_of_image_axes(name, a, v) for a, v in (("strides", strides), ("dilations", dilations)))
    top, bottom, left, right = ints_of(name, "pads", pads, 4, 0)
    window = [(kernel[i], steps[i], gaps[i], *sides) for i, sides in enumerate(((top, bottom), (left, right)))]
    rows, columns = _check_deformed(name, x, offsets, window, deformable_groups)
    n, c, h, w = x.shape
    batch = n * deformable_groups
    moves = working(offsets).reshape((n, 3, deformable_groups, *kernel, rows, columns))
    across, down, factor = (_ops.select_at(moves, i, 1).reshape((batch, *kernel, rows, columns)) for i in range(3))
    axes = []
    for axis, (count, size, move) in enumerate(((rows, h, down), (columns, w, across))):
        taps = _ops.arange(kernel[axis]) * gaps[axis] - (top, left)[axis]
        places = _ops.expand_dims(taps, 1) + _ops.arange(count) * steps[axis]
        places = _ops.cast(places, moves.dtype).reshape((kernel[0], 1, rows, 1) if axis == 0 else (kernel[1], 1, columns))
        axes.append((places + move, size))
    points = (*kernel, rows, columns)
    read = _batches(working(x), (batch, c // deformable_groups, h * w), points)
    samples = interpolation.at_points(read, axes, "linear", True) * factor.reshape((batch, 1, math.prod(points)))
    samples = _ops.transpose(samples.reshape((n, c, *kernel, rows, columns)), (0, 1, 4, 2, 5, 3))
    return _ops.cast(samples.reshape((n, c, rows * kernel[0], columns * kernel[1])), x.dtype)


@publish(
    "ops.deformable_conv2d",
    numpy="""pixels.deformable_conv(x, weight, offsets, strides, padding, bias, dilations, groups, deformable_groups)""",
    samples="""f64(1, 2, 4, 5), f64(3, 2, 2, 2), f64(1, 12, 3, 4), (2, 2), (1, 1, 1, 1), (0, 0, 0, 0); f64(1, 4, 4, 5),
    f64(2, 2, 3, 2), f64(1, 36, 2, 2), (3, 2), (1, 1, 2, 3), (1, 0, 1, 1), f64(2), (1, 1, 1, 2), 2, 2""",
)
def deformable_conv2d(
    x: Tensor,
    weight: Tensor,
    offsets: Tensor,
    kernel_size: Ints,
    strides: Ints,
    padding: Ints,
    bias: Tensor | None = None,
    dilations: Ints = (1, 1, 1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Any:
    """Convolution of images (N, C, H, W) with weights (O, C / groups, *kernel_size) over points that are moved by offsets.

    Method: X. Zhu et al., Deformable ConvNets v2: more deformable, better results (2019).

    Args:
        offsets: how far each window's points are moved right, those down, and what they are multiplied by: (N, 3 *
            deformable_groups * kernel's size, rows, columns).
        strides, dilations: (1, 1, down, right).
        padding: zeros above, below, left and right.

    Raises:
        TypeError: x or offsets are not of floats.
        ValueError: shapes do not fit, a number is out of range, or modulated is False.
    """
    kernel = ints_of("deformable_conv2d", "kernel_size", kernel_size, 2, 1)
    if tuple(weight.shape[2:]) != kernel:
        raise ValueError(
            f"For 'deformable_conv2d', 'weight' must end with the sizes {kernel}, but its shape is {tuple(weight.shape)}."
        )
    read = deformable_offsets(x, offsets, strides, padding, kernel, dilations, "NCHW", deformable_groups, modulated)
    return _ops.conv2d(read, weight, bias, kernel, "valid", 0, 1, groups)
