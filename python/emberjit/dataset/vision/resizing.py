"""Arrays of images in other sizes: by the rules of OpenCV, which are MindSpore's (no filter against aliasing, bytes by 11
bits of fixed point), or, of PILCUBIC, by Pillow."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.dataset.values import Array
from emberjit.dataset.vision.image import pillow, saturated
from emberjit.dataset.vision.kinds import Inter

_KINDS = {Inter.BILINEAR: "linear", Inter.AREA: "area", Inter.BICUBIC: "cubic"}
_BITS = 11
_CUBIC = -0.75


def resize(image: Array, height: int, width: int, how: Inter) -> Any:
    """An image of axes H, W and perhaps C in another size."""
    rows, columns = image.shape[:2]
    if (rows, columns) == (height, width):
        return image.copy()
    if how == Inter.NEAREST:
        down, across = (
            np.minimum((np.arange(new) * (1 / (new / old))).astype(np.int64), old - 1)
            for new, old in ((height, rows), (width, columns))
        )
        return image[down[:, None], across]
    if how == Inter.PILCUBIC:
        resized = pillow().fromarray(image).resize((width, height), pillow().Resampling.BICUBIC)
        return np.asarray(resized).reshape(height, width, *image.shape[2:])
    shrinks = height <= rows and width <= columns
    if (how == Inter.AREA and shrinks) or (how == Inter.BILINEAR and (rows, columns) == (2 * height, 2 * width)):
        return _area(image, height, width)
    kind = _KINDS[how]
    if image.dtype == np.uint8:
        return _cubic_of_bytes(image, height, width) if kind == "cubic" else _linear_of_bytes(image, height, width, kind)
    return _floating(image, _taps(kind, rows, height), _taps(kind, columns, width))


@functools.lru_cache(64)
def _taps(kind: str, source: int, target: int) -> tuple[Any, Any]:
    """For each new pixel the source pixels, and their weights."""
    scale = source / target
    places = np.arange(target)
    if kind == "area":
        first = np.floor(places * scale).astype(np.int64)
        rest = ((places + 1) - (first + 1) / scale).astype(np.float32)
        rest = np.where(rest <= 0, np.float32(0), rest - np.floor(rest))
    else:
        exact = ((places + 0.5) * scale - 0.5).astype(np.float32)
        first = np.floor(exact).astype(np.int64)
        rest = exact - first.astype(np.float32)
    if kind == "cubic":
        x, a = rest, np.float32(_CUBIC)
        one = np.float32(1)
        c0 = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
        c1 = ((a + 2) * x - (a + 3)) * x * x + one
        c2 = ((a + 2) * (one - x) - (a + 3)) * (one - x) * (one - x) + one
        weights = np.stack([c0, c1, c2, one - c0 - c1 - c2], 1)
        return np.clip(first[:, None] + np.arange(-1, 3), 0, source - 1), weights
    pair = np.clip(np.stack([first, first + 1], 1), 0, source - 1)
    return pair, np.stack([np.float32(1) - rest, rest], 1)


def _across(image: Array, places: Array, weights: Array) -> Any:
    """Each line of an image of shape (H, W, C) in another width, as lines of all channels: (H, new W * C)."""
    channels, kind = image.shape[2], np.result_type(image.dtype, weights.dtype)
    total = 0
    for k in range(weights.shape[1]):
        part = np.take(image, places[:, k], 1).reshape(len(image), -1)
        part = np.multiply(part, np.repeat(weights[:, k], channels), dtype=kind)
        total = part if k == 0 else np.add(total, part, out=part)
    return total


@functools.lru_cache(64)
def _fixed_taps(kind: str, source: int, target: int) -> tuple[Any, Any, Any]:
    """The source pixels in use, for each new pixel which of them, and weights in fixed point."""
    places, weights = _taps(kind, source, target)
    used, which = np.unique(places, return_inverse=True)
    return used, which.reshape(places.shape), np.rint(weights * np.float32(1 << _BITS)).astype(np.int32)


def _linear_of_bytes(image: Array, height: int, width: int, kind: str) -> Any:
    planes = image if image.ndim == 3 else image[..., None]
    planes = planes if planes.strides[2] == 1 else np.ascontiguousarray(planes)
    output = np.empty((height, width, planes.shape[2]), np.uint8)
    core.resize_pixels(planes, height, width, kind == "area", output)
    return output.reshape(height, width, *image.shape[2:])


def _cubic_of_bytes(image: Array, height: int, width: int) -> Any:
    used, which, vertical = _fixed_taps("cubic", image.shape[0], height)
    planes = image.reshape(*image.shape[:2], -1)
    across = _taps("cubic", image.shape[1], width)[0]
    used_planes = planes if len(used) == len(image) else planes[used]
    lines = _across(used_planes, across, _fixed_taps("cubic", image.shape[1], width)[2])
    scaled = vertical.astype(np.float32) * np.float32(2.0 ** (-2 * _BITS))
    total = sum(lines[which[:, k]].astype(np.float32) * scaled[:, k : k + 1] for k in range(4))
    return saturated(total, np.uint8).reshape(height, width, *image.shape[2:])


def _floating(image: Array, down: tuple[Any, Any], across: tuple[Any, Any]) -> Any:
    work = image.astype(np.float64 if image.dtype == np.float64 else np.float32).reshape(*image.shape[:2], -1)
    lines = _across(work, across[0], across[1])
    total = lines[down[0][:, 0]] * down[1][:, :1]
    for k in range(1, down[1].shape[1]):
        total += lines[down[0][:, k]] * down[1][:, k : k + 1]
    return saturated(total, image.dtype).reshape(len(down[0]), len(across[0]), *image.shape[2:])


@functools.lru_cache(64)
def _shares(source: int, target: int) -> Any:
    """How much of each source pixel is in a new one."""
    scale = source / target
    shares = np.zeros((target, source), np.float32)
    for new in range(target):
        start, end = new * scale, min((new + 1) * scale, source)
        first, last = int(np.ceil(start)), int(np.floor(end))
        width = min(scale, source - start)
        if first - start > 1e-3:
            shares[new, first - 1] = (first - start) / width
        shares[new, first:last] = 1 / width
        if end - last > 1e-3:
            shares[new, last] = min(end - last, 1.0, width) / width
    return shares


def _area(image: Array, height: int, width: int) -> Any:
    rows, columns = image.shape[:2]
    if rows % height == 0 and columns % width == 0:
        blocks = image.reshape(height, rows // height, width, columns // width, *image.shape[2:])
        count = (rows // height) * (columns // width)
        if image.dtype == np.uint8 and count == 4:
            return ((blocks.sum((1, 3), dtype=np.int32) + 2) >> 2).astype(np.uint8)
        return saturated(blocks.sum((1, 3), dtype=np.float32) * np.float32(1 / count), image.dtype)
    work = image.astype(np.float32)
    lines = np.einsum("nw,hw...->hn...", _shares(columns, width), work)
    return saturated(np.einsum("mh,hn...->mn...", _shares(rows, height), lines), image.dtype)
