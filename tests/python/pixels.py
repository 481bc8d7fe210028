"""NumPy references of what interpolates, gathers and moves pixels, element by element where that says it best."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def position(i: int, old: int, new: int, rule: str, scale: float | None = None) -> float:
    step = old / new if scale is None else 1 / scale
    if rule == "corners":
        return i * (old - 1) / (new - 1) if new > 1 else 0
    return {"start": i * step, "half_pixel": (i + 0.5) * step - 0.5, "middle": (i + 0.5) * step}[rule]


def keys(distance: float, a: float = -0.75) -> float:
    d = abs(distance)
    if d <= 1:
        return (a + 2) * d**3 - (a + 3) * d**2 + 1
    return a * (d**3 - 5 * d**2 + 8 * d - 4) if d < 2 else 0


def weights_at(at: float, kind: str) -> dict[int, float]:
    """The weights of elements around a position."""
    low = math.floor(at + 1e-12)
    if kind == "nearest":
        return {low: 1}
    if kind == "linear":
        return {low: 1 - (at - low), low + 1: at - low}
    return {i: keys(at - i) for i in range(low - 1, low + 3)}


def matrix(old: int, new: int, rule: str, kind: str, scale: float | None = None) -> np.ndarray:
    out = np.zeros((new, old))
    for i in range(new):
        at = position(i, old, new, rule, scale) + (0.5 if (rule, kind) == ("corners", "nearest") else 0)
        for j, weight in weights_at(at, kind).items():
            out[i, min(max(j, 0), old - 1)] += weight
    return out


def resized(x: Any, size: Any, rule: str, kind: str, scales: Any = None) -> Any:
    axes = x.ndim - 2
    sizes = size if isinstance(size, (tuple, list)) else (size,) * axes
    y = x.astype(np.float64)
    rule = "middle" if (rule, kind) == ("half_pixel", "nearest") else rule
    for i, new in enumerate(sizes):
        m = matrix(x.shape[2 + i], new, rule, kind, None if scales is None else scales[i])
        y = np.moveaxis(np.tensordot(m, y, (1, 2 + i)), 0, 2 + i)
    return y


def interpolate(x: Any, size: Any, scale_factor: Any, mode: str, align_corners: Any, recompute: Any) -> Any:
    axes = x.ndim - 2
    scales = None
    if size is None:
        scales = scale_factor if isinstance(scale_factor, tuple) else (scale_factor,) * axes
        size = tuple(math.floor(n * s) for n, s in zip(x.shape[2:], scales))
    size = size if isinstance(size, tuple) else (size,) * axes
    if mode == "area":
        for i, new in enumerate(size, 2):
            old = x.shape[i]
            parts = [range(k * old // new, -(-(k + 1) * old // new)) for k in range(new)]
            x = np.stack([np.take(x, part, i).mean(i) for part in parts], i)
        return x
    rule = "corners" if align_corners else {"nearest": "start", "nearest-exact": "middle"}.get(mode, "half_pixel")
    kind = {"nearest": "nearest", "nearest-exact": "nearest", "bicubic": "cubic"}.get(mode, "linear")
    return resized(x, size, rule, kind, None if recompute else scales)


def resize_area(x: Any, size: Any, align_corners: bool) -> Any:
    y = x.astype(np.float64)
    for axis, new in enumerate(size, 1):
        old = x.shape[axis]
        step = (old - 1) / (new - 1) if align_corners else old / new
        fine = 2520  # samples of each pixel
        where = (np.arange(new * fine) + 0.5) / fine * step
        rows = np.take(y, np.minimum(where.astype(int), old - 1), axis)
        y = np.moveaxis(np.moveaxis(rows, axis, 0).reshape(new, fine, *np.delete(rows.shape, axis)).mean(1), 0, axis)
    return y


def overlap(a: Any, b: Any, gap: float) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0]) + gap
    height = min(a[3], b[3]) - max(a[1], b[1]) + gap
    return max(width, 0) * max(height, 0)


def area(box: Any, gap: float) -> float:
    return (box[2] - box[0] + gap) * (box[3] - box[1] + gap)


def iou(anchors: Any, truths: Any, mode: str) -> Any:
    out = np.zeros((len(truths), len(anchors)))
    for i, truth in enumerate(truths.astype(np.float64)):
        for j, anchor in enumerate(anchors.astype(np.float64)):
            shared = overlap(truth, anchor, 1)
            whole = area(truth, 1) if mode == "iof" else area(truth, 1) + area(anchor, 1) - shared
            out[i, j] = shared / whole
    return out


def box_encode(anchors: Any, truths: Any, means: Any, stds: Any) -> Any:
    ps, gs = anchors[:, 2:] - anchors[:, :2] + 1, truths[:, 2:] - truths[:, :2] + 1
    pm, gm = (anchors[:, 2:] + anchors[:, :2]) / 2, (truths[:, 2:] + truths[:, :2]) / 2
    return (np.concatenate([(gm - pm) / ps, np.log(gs / ps)], 1) - means) / stds


def box_decode(anchors: Any, deltas: Any, max_shape: Any, means: Any, stds: Any, clip: float) -> Any:
    d = deltas * np.asarray(stds) + np.asarray(means)
    size = anchors[:, 2:] - anchors[:, :2] + 1
    middle = (anchors[:, 2:] + anchors[:, :2]) / 2 + size * d[:, :2]
    most = abs(math.log(clip))
    size = size * np.exp(np.clip(d[:, 2:], -most, most))
    out = np.concatenate([middle - size / 2 + 0.5, middle + size / 2 - 0.5], 1)
    return np.clip(out, 0, [max_shape[1], max_shape[0]] * 2)


def suppress(boxes: Any, threshold: float) -> Any:
    """Greedily, of boxes in order."""
    stay: list[int] = []
    for i, box in enumerate(boxes):
        shared = [overlap(boxes[j], box, 0) for j in stay]
        if all(s / (area(boxes[j], 0) + area(box, 0) - s) <= threshold for j, s in zip(stay, shared)):
            stay.append(i)
    return stay


def nms_with_mask(boxes: Any, threshold: float) -> Any:
    ordered = boxes[np.argsort(-boxes[:, 4], kind="stable")]
    mask = np.zeros(len(boxes), bool)
    mask[suppress(ordered, threshold)] = True
    return ordered, np.arange(len(boxes)), mask
