"""Non-maximum suppression: of boxes that overlap the one with the highest score stays."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_shape, check_within
from emberjit.functions.arguments import working
from emberjit.functions.images.boxes import check_boxes, columns, overlaps
from emberjit.publish.kinds import Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions

_ops = core.ops


def _survivors(over: Tensor) -> Any:
    """Which of candidates in order stay (bool, (..., N)), where each that stays drops those that it is over (..., N, N)."""
    count = over.shape[-1]
    stay = _ops.ones(over.shape[:-1], core.bool_)
    places = _ops.arange(count)
    for i in range(count):
        drops = _ops.logical_and(_ops.select_at(over, i, over.ndim - 2), places > i)
        drops = _ops.logical_and(drops, stay[..., i : i + 1])
        stay = _ops.logical_and(stay, _ops.logical_not(drops))
    return stay


def _over(boxes: Tensor, threshold: Number) -> Any:
    """Whether boxes (..., N, 4) share more than a part of the area of both (..., N, N)."""
    shared, first, second = overlaps(boxes, boxes, 0.0)
    return shared / (first + second - shared) > threshold


@publish(
    "ops.NMSWithMask(iou_threshold)(bboxes)",
    numpy="pixels.nms_with_mask(bboxes, iou_threshold)",
    samples="f32(6, 5) + [0, 0, 4, 4, 0]; f32(30, 5) + [0, 0, 3, 3, 0], 0.3; f16(4, 5) + [0, 0, 4, 4, 0], 0.6; f32(0, 5)",
    in_python=True,
)
def nms_with_mask(bboxes: Tensor, iou_threshold: float = 0.5) -> Any:
    """(boxes in descending order of scores, their numbers 0, 1, ... (int32), which of them stay (bool)): greedy
    non-maximum suppression. A box is dropped if one before it that stays shares more than iou_threshold of the area of
    both.

    Args:
        bboxes: boxes with their scores behind (N, 5); of equal scores the first comes first.

    Raises:
        TypeError: bboxes is not of floats.
        ValueError: the shape is another.
    """
    check_boxes("NMSWithMask", "bboxes", bboxes, 5)
    check_floating("NMSWithMask", bboxes=bboxes)
    order = _ops.sort(_ops.select_at(bboxes, 4, 1), 0, True)[1]
    ordered = _ops.gather(bboxes, order, 0)
    boxes = working(_ops.stop_gradient(ordered))[:, :4]
    numbers = _ops.arange(bboxes.shape[0], dtype=core.int32)
    return ordered, numbers, _survivors(_over(boxes, iou_threshold))


def _number(name: str, argument: str, value: Any) -> Any:
    """A number, or the only element of a Tensor.

    Raises:
        TypeError: it is neither.
        ValueError: the Tensor has axes.
    """
    if isinstance(value, core.Tensor):
        if value.ndim:
            raise ValueError(f"For '{name}', '{argument}' must have no axes, but its shape is {tuple(value.shape)}.")
        return value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float, core.Number)):
        raise TypeError(f"For '{name}', '{argument}' must be a number or a Tensor of one, but got {value!r}.")
    return value


def _part(name: str, argument: str, value: Any) -> Any:
    """Raises:
    ValueError: the number is not within [0, 1].
    """
    number = _number(name, argument, value)
    check_within(name, argument, number, 0, 1)
    return number


def _sorted_corners(boxes: Tensor) -> Any:
    """Boxes with their lower coordinates first."""
    a, b, c, d = columns(boxes)
    low, high = ("minimum", "maximum")
    corners = [core.op_table[side](*pair) for side in (low, high) for pair in ((a, c), (b, d))]
    return _ops.stack(corners, boxes.ndim - 1)


def _selected(order: Tensor, over: Tensor, scores: Tensor, most: int, least: Any) -> Any:
    """The numbers (int32) of candidates that stay and have more than the least score, at most some."""
    stay = _ops.logical_and(_survivors(over), _ops.gather(scores, order, 0) > least)
    return as_positions(order[stay][: max(most, 0)])


@publish(
    "ops.NonMaxSuppressionV3()(boxes, scores, max_output_size, iou_threshold, score_threshold)",
    numpy="pixels.select_boxes(boxes, scores, max_output_size, iou_threshold, score_threshold)",
    samples="f32(9, 4), f32(9), 5, 0.3, -1.0; f32(20, 4), f32(20), 20, 0.1, 0.2; f16(4, 4), f16(4), -1, 0.5, 0.0",
    in_python=True,
)
def non_max_suppression(
    boxes: Tensor, scores: Tensor, max_output_size: Any, iou_threshold: Any, score_threshold: Any
) -> Any:
    """The numbers (int32) of the boxes that stay, in descending order of scores: greedy non-maximum suppression.

    Args:
        boxes: two opposite corners of each (N, 4).
        scores: (N).
        max_output_size: how many to give at most, as a number or Tensor; negative is 0.
        iou_threshold: a box is dropped if one that stays shares more than this of the area of both; within [0, 1].
        score_threshold: what a score must exceed.

    Raises:
        TypeError: boxes are not of floats, or an argument is no number.
        ValueError: shapes do not fit, or iou_threshold is out of range.
    """
    name = "NonMaxSuppressionV3"
    check_boxes(name, "boxes", boxes)
    check_floating(name, boxes=boxes)
    check_shape(name, "scores", scores, (boxes.shape[0],))
    most, part = _number(name, "max_output_size", max_output_size), _part(name, "iou_threshold", iou_threshold)
    order = _ops.sort(scores, 0, True)[1]
    corners = _sorted_corners(working(_ops.gather(boxes, order, 0)))
    return _selected(order, _over(corners, part), scores, most, _number(name, "score_threshold", score_threshold))


@publish(
    "ops.NonMaxSuppressionWithOverlaps()(overlaps, scores, max_output_size, overlap_threshold, score_threshold)",
    numpy="pixels.select_by_overlaps(overlaps, scores, max_output_size, overlap_threshold, score_threshold)",
    samples="f32(6, 6), f32(6), 5, 0.5, -1.0; f32(9, 9), f32(9), 2, 0.1, -0.5",
    in_python=True,
)
def non_max_suppression_with_overlaps(
    overlaps: Tensor, scores: Tensor, max_output_size: Any, overlap_threshold: Any, score_threshold: Any
) -> Any:
    """The numbers (int32) of the boxes that stay, in descending order of scores: greedy non-maximum suppression.

    Args:
        overlaps: how much each box overlaps each (N, N).
        scores: (N).
        max_output_size: how many to give at most, as a number or Tensor.
        overlap_threshold: a box is dropped if it overlaps one that stays more than this.
        score_threshold: what a score must exceed.

    Raises:
        TypeError: an argument is no number.
        ValueError: shapes do not fit, or max_output_size is negative.
    """
    name = "NonMaxSuppressionWithOverlaps"
    if overlaps.ndim != 2 or overlaps.shape[0] != overlaps.shape[1]:
        raise ValueError(f"For '{name}', 'overlaps' must be of shape (N, N), but is of {tuple(overlaps.shape)}.")
    check_shape(name, "scores", scores, (overlaps.shape[0],))
    most = _number(name, "max_output_size", max_output_size)
    if most < 0:
        raise ValueError(f"For '{name}', 'max_output_size' must not be negative, but is {most}.")
    order = _ops.sort(scores, 0, True)[1]
    ordered = _ops.gather(_ops.gather(overlaps, order, 0), order, 1)
    over = _ops.swapaxes(ordered, 0, 1) > _number(name, "overlap_threshold", overlap_threshold)
    return _selected(order, over, scores, most, _number(name, "score_threshold", score_threshold))


def _check_classes(name: str, boxes: Tensor, scores: Tensor) -> None:
    fits = boxes.ndim == 4 and scores.ndim == 3 and boxes.shape[3] == 4 and boxes.shape[2] in (1, scores.shape[2])
    if not fits or tuple(boxes.shape[:2]) != tuple(scores.shape[:2]):
        raise ValueError(
            f"For '{name}', 'scores' must be of shape (N, boxes, classes) and 'boxes' of (N, boxes, 1 or classes, 4), "
            f"but are "
            f"of {tuple(scores.shape)} and {tuple(boxes.shape)}."
        )


def _of_classes(boxes: Tensor, scores: Tensor, most: int, part: Any, least: Any) -> tuple[Any, Any, Any]:
    """(boxes, scores, which stay) of each class in descending order of scores, of boxes (N, classes, count, 4)."""
    order = _ops.sort(scores, 2, True)[1]
    scores = _ops.gather_d(scores, 2, order)
    index = _ops.broadcast_to(_ops.expand_dims(order, 3), (*order.shape, 4))
    boxes = _ops.gather_d(_ops.broadcast_to(boxes, (*order.shape, 4)), 2, index)
    stay = _ops.logical_and(_survivors(_over(_sorted_corners(boxes), part)), scores > least)
    stay = _ops.logical_and(stay, _ops.cumsum(stay, 2, core.int64) <= most)
    return boxes, scores, stay


@publish(
    """ops.CombinedNonMaxSuppression(pad_per_class, clip_boxes)(boxes, scores, max_output_size_per_class, max_total_size,
    iou_threshold, score_threshold)""",
    numpy="""pixels.combined(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold,
    pad_per_class, clip_boxes)""",
    samples="""f32(2, 6, 1, 4), f32(2, 6, 3), 2, 5, 0.1, 0.0; f32(1, 5, 2, 4), f32(1, 5, 2), 3, 9, 0.3, -0.5, True, False;
    f32(1, 3, 1, 4), f32(1, 3, 1), 4, 7, 0.5, -3.0""",
    in_python=True,
)
def combined_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
) -> Any:
    """(boxes (N, K, 4), scores (N, K), classes (N, K), how many there are (int32, N)) that stay, in descending order of
    scores, zeros behind them: greedy non-maximum suppression within each class.

    Args:
        boxes: two opposite corners of each (N, boxes, 1 or classes, 4).
        scores: (N, boxes, classes).
        max_output_size_per_class, max_total_size: how many stay at most of each class, and of all: K.
        iou_threshold: a box is dropped if one that stays shares more than this of the area of both; within [0, 1].
        score_threshold: what a score must exceed.
        pad_per_class: whether K is at most max_output_size_per_class times the number of classes.
        clip_boxes: whether coordinates are clipped to between 0 and 1.

    Raises:
        TypeError: boxes are not of floats, or an argument is no number.
        ValueError: shapes do not fit, or an argument is out of range.
    """
    name = "CombinedNonMaxSuppression"
    _check_classes(name, boxes, scores)
    check_floating(name, boxes=boxes)
    most, total = (
        _number(name, argument, value)
        for argument, value in (("max_output_size_per_class", max_output_size_per_class), ("max_total_size", max_total_size))
    )
    if most < 0 or total < 0:
        raise ValueError(f"For '{name}', the sizes must not be negative, but are {most} and {total}.")
    n, count, classes = scores.shape
    part, least = _part(name, "iou_threshold", iou_threshold), _number(name, "score_threshold", score_threshold)
    places, values, stay = _of_classes(_ops.swapaxes(boxes, 1, 2), _ops.swapaxes(scores, 1, 2), most, part, least)
    room = min(total, most * classes) if pad_per_class else total
    flat, valid = (_ops.reshape(x, (n, classes * count)) for x in (values, stay))
    order = _ops.sort(_ops.select(valid, flat, -math.inf), 1, True)[1][:, :room]
    lacking = room - min(room, classes * count)
    order, valid = (_ops.pad(x, (0, lacking)) for x in (order, _ops.gather_d(valid, 1, order)))
    where = _ops.broadcast_to(_ops.expand_dims(order, 2), (n, room, 4))
    corners = _ops.gather_d(_ops.reshape(places, (n, classes * count, 4)), 1, where)
    corners = _ops.clip(corners, 0, 1) if clip_boxes else corners
    kinds = _ops.cast(_ops.floor_div(order, max(count, 1)), scores.dtype)
    return (
        _ops.select(_ops.expand_dims(valid, 2), corners, 0.0),
        _ops.select(valid, _ops.gather_d(flat, 1, order), 0.0),
        _ops.select(valid, kinds, 0.0),
        _ops.cast(_ops.cast(valid, core.int64).sum(1), core.int32),
    )
