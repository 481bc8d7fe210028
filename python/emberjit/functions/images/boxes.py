"""Boxes of objects in images: overlaps, regression targets, and samples of them. A box is (x0, y0, x1, y1)."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_shape, check_within
from emberjit.functions.arguments import ints_of, working
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions

_ops = core.ops


def check_boxes(name: str, argument: str, boxes: Tensor, columns: int = 4) -> None:
    """Raises:
    ValueError: the shape is not (N, columns).
    """
    if boxes.ndim != 2 or boxes.shape[1] != columns:
        raise ValueError(f"For '{name}', '{argument}' must be of shape (N, {columns}), but is of {tuple(boxes.shape)}.")


def _check_pair(name: str, first: Tensor, second: Tensor, names: tuple[str, str]) -> None:
    for argument, boxes in zip(names, (first, second)):
        check_boxes(name, argument, boxes)
        check_floating(name, **{argument: boxes})


def columns(boxes: Tensor) -> tuple[Any, ...]:
    """The four columns of boxes (..., 4)."""
    return tuple(_ops.select_at(boxes, i, boxes.ndim - 1) for i in range(4))


def overlaps(first: Tensor, second: Tensor, gap: float) -> tuple[Any, Any, Any]:
    """Of each of the first boxes (..., N, 4) with each of the second the area that they share; the areas of both.

    Args:
        gap: what is added to differences of coordinates: 1 for those of pixels.
    """
    ax, ay, az, aw = (_ops.expand_dims(column, first.ndim - 1) for column in columns(first))
    bx, by, bz, bw = (_ops.expand_dims(column, first.ndim - 2) for column in columns(second))
    width = _ops.clip(_ops.minimum(az, bz) - _ops.maximum(ax, bx) + gap, 0, None)
    height = _ops.clip(_ops.minimum(aw, bw) - _ops.maximum(ay, by) + gap, 0, None)
    return width * height, (az - ax + gap) * (aw - ay + gap), (bz - bx + gap) * (bw - by + gap)


@publish(
    "ops.iou ops.IOU(mode)(anchor_boxes, gt_boxes)",
    numpy="pixels.iou(anchor_boxes, gt_boxes, mode)",
    samples="f32(3, 4), f32(2, 4); f32(3, 4) * 9, f32(5, 4) * 9, 'iof'; f16(2, 4), f16(2, 4); f32(0, 4), f32(2, 4)",
)
def iou(anchor_boxes: Tensor, gt_boxes: Tensor, mode: str = "iou") -> Any:
    """The area that boxes of pixels share over that of both (M, N), for gt_boxes (M, 4) and anchor_boxes (N, 4).

    A box has the pixels of x0 to x1 and of y0 to y1, those included.

    Args:
        mode: "iou"; or "iof" for the shared area over that of the gt_box.

    Raises:
        TypeError: boxes are not of floats.
        ValueError: shapes or mode are others.
    """
    check_choice("iou", "mode", mode, "iou", "iof")
    _check_pair("iou", anchor_boxes, gt_boxes, ("anchor_boxes", "gt_boxes"))
    first, second = working(gt_boxes), working(anchor_boxes)
    shared, of_first, of_second = overlaps(first, second, 1.0)
    whole = of_first if mode == "iof" else of_first + of_second - shared
    return _ops.cast(shared / (whole + 1e-10), anchor_boxes.dtype)


def _four(name: str, argument: str, values: Any) -> Any:
    """Four numbers, of a float for all or of four."""
    items = tuple(values) if isinstance(values, (tuple, list)) else (values,) * 4
    if not all(isinstance(item, (int, float, core.Number)) and not isinstance(item, bool) for item in items):
        raise TypeError(f"For '{name}', '{argument}' must be a float or four of them, but got {values!r}.")
    if len(items) != 4:
        raise ValueError(f"For '{name}', '{argument}' must be one float or four, but got {values!r}.")
    return items


def _centres(boxes: Tensor) -> tuple[Any, Any, Any, Any]:
    """The middles of boxes of pixels, their widths and heights."""
    x0, y0, x1, y1 = columns(boxes)
    return (x0 + x1) * 0.5, (y0 + y1) * 0.5, x1 - x0 + 1, y1 - y0 + 1


@publish(
    "ops.bounding_box_encode ops.BoundingBoxEncode(means, stds)(anchor_box, groundtruth_box)",
    numpy="pixels.box_encode(anchor_box, groundtruth_box, means, stds)",
    samples="""abs(f32(3, 4)) + [0, 0, 3, 3], abs(f32(3, 4)) + [0, 0, 3, 3]; abs(f64(2, 4)) + [0, 0, 3, 3],
    abs(f64(2, 4)) + [0, 0, 3, 3], (0.1, 0.2, 0.3, 0.4), (0.1, 0.1, 0.2, 0.2); f32(1, 4) * 0, f32(1, 4) * 0, 0.5, 2.0""",
)
def bounding_box_encode(
    anchor_box: Tensor, groundtruth_box: Tensor, means: Any = (0.0, 0.0, 0.0, 0.0), stds: Any = (1.0, 1.0, 1.0, 1.0)
) -> Any:
    """What regression is to tell of boxes of pixels (N, 4), given anchors (N, 4): the middle's distance in widths and
    heights of the anchor, and the logarithms of ratios of sizes.

    Method: R. Girshick et al., Rich feature hierarchies for accurate object detection and semantic segmentation (2014).

    Args:
        means, stds: what is then subtracted from each of the four, and what it is divided by, or one number for all.

    Raises:
        TypeError: boxes are not of floats, means or stds no numbers.
        ValueError: shapes are others, or means or stds not four.
    """
    name = "bounding_box_encode"
    _check_pair(name, anchor_box, groundtruth_box, ("anchor_box", "groundtruth_box"))
    px, py, pw, ph = _centres(working(anchor_box))
    gx, gy, gw, gh = _centres(working(groundtruth_box))
    deltas = (gx - px) / pw, (gy - py) / ph, _ops.log(gw / pw), _ops.log(gh / ph)
    rows = zip(deltas, _four(name, "means", means), _four(name, "stds", stds))
    return _ops.cast(_ops.stack([(value - mean) / std for value, mean, std in rows], 1), anchor_box.dtype)


@publish(
    "ops.bounding_box_decode ops.BoundingBoxDecode(max_shape, means, stds, wh_ratio_clip)(anchor_box, deltas)",
    numpy="pixels.box_decode(anchor_box, deltas, max_shape, means, stds, wh_ratio_clip)",
    samples="""abs(f32(3, 4)) + [0, 0, 3, 3], f64(3, 4), (768, 1280); abs(f64(2, 4)) + [0, 0, 3, 3], f64(2, 4), (5, 4),
    (0.1, 0.2, 0.3, 0.4), (0.1, 0.1, 0.2, 0.2), 0.8; f32(1, 4) * 0, f32(1, 4) * 9, (9, 9), 0.5, 2.0""",
)
def bounding_box_decode(
    anchor_box: Tensor,
    deltas: Tensor,
    max_shape: Any,
    means: Any = (0.0, 0.0, 0.0, 0.0),
    stds: Any = (1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip: float = 0.016,
) -> Any:
    """The boxes (N, 4) that deltas (N, 4) tell of, given anchors (N, 4): the inverse of bounding_box_encode(), within
    images.

    Args:
        max_shape: (height, width) of the image, within which coordinates are clipped.
        means, stds: what each of the four was encoded with, or one number for all.
        wh_ratio_clip: ratios of sizes are clipped to between this and its reciprocal.

    Raises:
        TypeError: boxes are not of floats, or another argument of another type.
        ValueError: shapes are others, means or stds not four, or wh_ratio_clip is not positive.
    """
    name = "bounding_box_decode"
    _check_pair(name, anchor_box, deltas, ("anchor_box", "deltas"))
    height, width = ints_of(name, "max_shape", max_shape, 2, 1)
    check_within(name, "wh_ratio_clip", wh_ratio_clip, above=0)
    px, py, pw, ph = _centres(working(anchor_box))
    rows = zip(columns(working(deltas)), _four(name, "means", means), _four(name, "stds", stds))
    dx, dy, dw, dh = (value * std + mean for value, mean, std in rows)
    most = abs(math.log(wh_ratio_clip))
    out = []
    for middle, size, shift, ratio, limit in ((px, pw, dx, dw, width), (py, ph, dy, dh, height)):
        at = middle + size * shift
        half = size * _ops.exp(_ops.clip(ratio, -most, most)) * 0.5 - 0.5
        out += [_ops.clip(at - half, 0, limit), _ops.clip(at + half, 0, limit)]
    x0, x1, y0, y1 = out
    return _ops.cast(_ops.stack([x0, y0, x1, y1], 1), anchor_box.dtype)


@publish(
    "ops.check_valid ops.CheckValid()(bboxes, img_metas)",
    numpy="""((bboxes[:, :2] >= 0).all(1) & (bboxes[:, 2] <= img_metas[1] * img_metas[2] - 1)
    & (bboxes[:, 3] <= img_metas[0] * img_metas[2] - 1))""",
    samples="abs(f32(9, 4)), abs(f32(3)); f32(5, 4), abs(f32(3)) + 2; i32(8, 4), abs(i32(3))",
)
def check_valid(bboxes: Tensor, img_metas: Tensor) -> Any:
    """Whether boxes (N, 4) lie within an image (bool, N).

    Args:
        img_metas: (height, width, ratio), by which both are multiplied.

    Raises:
        ValueError: the shapes are not (N, 4) and (3,).
    """
    check_boxes("check_valid", "bboxes", bboxes)
    check_shape("check_valid", "img_metas", img_metas, (3,))
    height, width, ratio = (_ops.select_at(img_metas, i, 0) for i in range(3))
    x0, y0, x1, y1 = columns(bboxes)
    beyond = _ops.logical_or(x1 > width * ratio - 1, y1 > height * ratio - 1)
    return _ops.logical_not(_ops.logical_or(_ops.logical_or(x0 < 0, y0 < 0), beyond))


@publish("ops.RandomChoiceWithMask(count, seed, seed2)(input_x)", in_python=True)
def random_choice_with_mask(input_x: Tensor, count: int = 256, seed: int = 0, seed2: int = 0) -> Any:
    """(positions of true elements (int32, (count, axes)), which rows are such (bool)), in random order, none twice.

    Where there are less than count, zeros follow; a count of 0 gives all.

    Args:
        input_x: a Tensor of bools.
        count: the number of rows of the result; 0: as many as are true.
        seed, seed2: of the numbers, unless both are 0.

    Raises:
        TypeError: input_x is not of bools.
        ValueError: input_x has no axes, or count is negative.

    Examples:
        >>> ms.set_seed(1)
        >>> positions, chosen = ops.RandomChoiceWithMask(count=3)(Tensor([True, False, True]))
        >>> print(positions.shape, chosen)
        (3, 1) [ True  True False]
    """
    return choice_with_mask(input_x, count, None if seed == 0 and seed2 == 0 else seed << 16 ^ seed2)


@publish("ops.choice_with_mask")
def choice_with_mask(input_x: Tensor, count: int = 256, seed: int | None = None) -> Any:
    """(positions of true elements (int32, (count, axes)), which rows are such (bool)), in random order, none twice.

    Where there are less than count, zeros follow; a count of 0 gives all.

    Args:
        input_x: a Tensor of bools.
        count: the number of rows of the result; 0: as many as are true.
        seed: of the numbers, in place of the stream's.

    Raises:
        TypeError: input_x is not of bools.
        ValueError: input_x has no axes, or count is negative.

    Examples:
        >>> ms.set_seed(1)
        >>> positions, chosen = ops.choice_with_mask(Tensor([True, False, True]), count=3)
        >>> print(positions.shape, chosen)
        (3, 1) [ True  True False]
    """
    if input_x.dtype != core.bool_:
        raise TypeError(f"For 'choice_with_mask', 'input_x' must be of bools, but is of {input_x.dtype}.")
    if input_x.ndim == 0 or count < 0:
        raise ValueError(
            f"For 'choice_with_mask', 'input_x' must have axes and 'count' must not be negative, but got shape "
            f"{tuple(input_x.shape)} and {count}."
        )
    flat = _ops.reshape(input_x, (-1,))
    rows = int(_ops.cast(flat, core.int64).sum()) if count == 0 else min(count, flat.shape[0])
    order = _ops.select(flat, _ops.rand(flat.shape, core.float32, seed), 2.0)
    indices = _ops.sort(order, 0)[1][:rows]
    mask = _ops.gather(flat, indices, 0)
    left, places = _ops.select(mask, indices, 0), []
    for size in reversed(input_x.shape):
        places.append(_ops.floor_mod(left, size))
        left = _ops.floor_div(left, size)
    index = as_positions(_ops.stack(places[::-1], 1))
    lacking = max(count - rows, 0)
    return (
        _ops.concat([index, _ops.zeros((lacking, input_x.ndim), core.int32)], 0),
        _ops.concat([mask, _ops.zeros((lacking,), core.bool_)], 0),
    )
