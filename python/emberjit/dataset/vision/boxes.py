"""Operations of an image and the boxes in it: rows of x, y, width, height, and whatever follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit.checks import check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.transforms.transform import Transform
from emberjit.dataset.values import Array, packed
from emberjit.dataset.vision import geometry, resizing
from emberjit.dataset.vision.image import bounds_of, interpolation_of, size_of
from emberjit.dataset.vision.kinds import Border, Inter


class _WithBoxes(Transform):
    def __call__(self, *values: Any) -> Any:
        if len(values) != 2:
            raise self.refuse(f"there must be an image and its boxes, but got {len(values)} values")
        image, boxes = (self.as_input(value) for value in values)
        if image.ndim not in (2, 3) or boxes.ndim != 2 or boxes.shape[1] < 4:
            raise self.refuse(
                "there must be an image of shape (H, W, C) and boxes of shape (N, 4 or more), but got "
                f"{list(image.shape)} and {list(boxes.shape)}"
            )
        rows, columns = image.shape[:2]
        x, y, width, height = boxes[:, :4].T
        if (boxes[:, :2] < 0).any() or (x + width > columns).any() or (y + height > rows).any():
            raise self.refuse(f"boxes must be within the image, {rows} x {columns}, but got {boxes[:, :4].tolist()}")
        return self.both(image, boxes.copy())

    def both(self, image: Array, boxes: Array) -> tuple[Any, Any]:
        """The operation of an image and its boxes."""
        raise NotImplementedError


def _within(boxes: Array, top: int, left: int, height: int, width: int) -> Any:
    """Boxes as a part of the image has them; without those outside."""
    ends = np.clip(boxes[:, :2] + boxes[:, 2:4] - [left, top], 0, [width, height])
    starts = np.clip(boxes[:, :2] - [left, top], 0, [width, height])
    visible = ((ends - starts) > 0).all(1)
    clipped = boxes.copy()
    clipped[:, :2], clipped[:, 2:4] = starts, ends - starts
    if visible.any():
        return clipped[visible]
    nothing = boxes[:1].copy()
    nothing[:, :4] = 0
    return nothing


def _scaled(boxes: Array, old: tuple[int, int], new: tuple[int, int]) -> Any:
    ratio = np.asarray([new[1] / old[1], new[0] / old[0]])
    boxes[:, :4] = (boxes[:, :4] * np.tile(ratio, 2)).astype(boxes.dtype)
    return boxes


class ResizeWithBBox(_WithBoxes):
    """As Resize."""

    def __init__(self, size: Any, interpolation: Inter = Inter.BILINEAR):
        self.resize: Transform = geometry.Resize(size, interpolation)

    def both(self, image: Array, boxes: Array) -> tuple[Any, Any]:
        resized = self.resize(image)
        return resized, _scaled(boxes, image.shape[:2], resized.shape[:2])


class RandomResizeWithBBox(ResizeWithBBox):
    """As RandomResize."""

    random = True

    def __init__(self, size: Any):
        self.resize = geometry.RandomResize(size)


class _FlipWithBoxes(_WithBoxes):
    random = True
    axis = 1

    def __init__(self, prob: float = 0.5):
        self.prob = check_number(type(self).__name__, "prob", prob, 0, 1)

    def both(self, image: Array, boxes: Array) -> tuple[Any, Any]:
        if not draws().random() < self.prob:
            return image, boxes
        place = 1 - self.axis
        boxes[:, place] = image.shape[self.axis] - boxes[:, place] - boxes[:, place + 2]
        return np.ascontiguousarray(np.flip(image, self.axis)), boxes


class RandomHorizontalFlipWithBBox(_FlipWithBoxes):
    """As RandomHorizontalFlip."""


class RandomVerticalFlipWithBBox(_FlipWithBoxes):
    """As RandomVerticalFlip."""

    axis = 0


class RandomCropWithBBox(_WithBoxes):
    """As RandomCrop; boxes outside are left out."""

    random = True

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ):
        self.crop = geometry.RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)

    def both(self, image: Array, boxes: Array) -> tuple[Any, Any]:
        left, top = self.crop.sides[:2]
        image = geometry.pad(image, self.crop.sides, self.crop.fill, self.crop.mode)
        height, width = self.crop.size
        down, across = max(0, height - image.shape[0]), max(0, width - image.shape[1])
        if (down or across) and self.crop.pad_if_needed:
            image = geometry.pad(image, (across, down, across, down), self.crop.fill, self.crop.mode)
            left, top = left + across, top + down
        rows, columns = image.shape[:2]
        if rows < height or columns < width:
            raise self.refuse(f"'size' {self.crop.size} must be within the image, which is {rows} x {columns}")
        boxes[:, :2] += np.asarray([left, top], boxes.dtype)
        y, x = int(draws().integers(rows - height + 1)), int(draws().integers(columns - width + 1))
        return packed(geometry.crop(image, y, x, height, width)), _within(boxes, y, x, height, width)


class RandomResizedCropWithBBox(_WithBoxes):
    """As RandomResizedCrop; boxes outside are left out."""

    random = True

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ):
        where = "RandomResizedCropWithBBox"
        size_of(where, size), bounds_of(where, "scale", scale), interpolation_of(where, interpolation)
        self.crop = geometry.RandomResizedCrop(size, scale, ratio, interpolation, max_attempts)

    def both(self, image: Array, boxes: Array) -> tuple[Any, Any]:
        part = self.crop.part(*image.shape[:2])
        resized = resizing.resize(geometry.crop(image, *part), *self.crop.size, self.crop.interpolation)
        return resized, _scaled(_within(boxes, *part), part[2:], self.crop.size)


class BoundingBoxAugment(_WithBoxes):
    """A transform of what some of the boxes hold.

    Args:
        transform: what keeps the size of an image.
        ratio: of how many of the boxes.

    Raises:
        TypeError: transform is no function, or ratio no number.
        ValueError: it is not from 0 to 1.
    """

    random = True

    def __init__(self, transform: Callable[[Any], Any], ratio: float = 0.3):
        if not callable(transform):
            raise TypeError(f"For 'BoundingBoxAugment', 'transform' must be a transform, but got {transform!r}.")
        self.transform = transform
        self.ratio = check_number("BoundingBoxAugment", "ratio", ratio, 0, 1)

    def both(self, image: Array, boxes: Array) -> tuple[Any, Any]:
        image = image.copy()
        for at in draws().permutation(len(boxes))[: round(self.ratio * len(boxes))]:
            x, y, width, height = (int(coordinate) for coordinate in boxes[at, :4])
            part = self.transform(image[y : y + height, x : x + width])
            if part.shape[:2] != (height, width):
                part = resizing.resize(part, height, width, Inter.BILINEAR)
            image[y : y + height, x : x + width] = part
        return image, boxes
