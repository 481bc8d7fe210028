"""Operations of an image and the boxes in it: rows of x, y, width, height, and whatever follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit.checks import check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.transforms.transform import Transform
from emberjit.dataset.values import Array, packed
from emberjit.dataset.vision import cropping, geometry, resizing
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
    """Resizes an image, and its boxes with it.

    Args:
        size: the height and width, or one int, the length that the shorter side gets; the other one keeps the proportion.
        interpolation: how pixels are interpolated, an Inter.

    Inputs:
        image: an array of shape (H, W, C) or (H, W).
        boxes: an array of shape (N, 4 or more), each row x, y, width and height of a box within the image, in pixels, and
            whatever follows, which is kept.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a size is below 1.
        RuntimeError: there are no image and boxes, or a box is not within the image.

    Examples:
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[1, 1, 2, 2]], np.float32)
        >>> image, boxes = vision.ResizeWithBBox(8)(image, boxes)
        >>> print(image.shape, boxes)
        (8, 8, 3) [[2. 2. 4. 4.]]
    """

    def __init__(self, size: Any, interpolation: Inter = Inter.BILINEAR):
        self.resize: Transform = geometry.Resize(size, interpolation)

    def both(self, image: Array, boxes: Array) -> tuple[Any, Any]:
        resized = self.resize(image)
        return resized, _scaled(boxes, image.shape[:2], resized.shape[:2])


class RandomResizeWithBBox(ResizeWithBBox):
    """Resizes an image, and its boxes with it, by an interpolation drawn at random.

    Args:
        size: the height and width, or one int, the length that the shorter side gets; the other one keeps the proportion.

    Inputs:
        image: an array of shape (H, W, C) or (H, W).
        boxes: an array of shape (N, 4 or more), each row x, y, width and height of a box within the image, in pixels, and
            whatever follows, which is kept.

    Raises:
        TypeError: size is no int or two.
        ValueError: one is below 1.
        RuntimeError: there are no image and boxes, or a box is not within the image.

    Examples:
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[1, 1, 2, 2]], np.float32)
        >>> image, boxes = vision.RandomResizeWithBBox(8)(image, boxes)
        >>> print(image.shape, boxes)
        (8, 8, 3) [[2. 2. 4. 4.]]
    """

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
    """Mirrors an image, left to right, and its boxes with it, with a probability.

    Args:
        prob: the probability, from 0 to 1.

    Inputs:
        image: an array of shape (H, W, C) or (H, W).
        boxes: an array of shape (N, 4 or more), each row x, y, width and height of a box within the image, in pixels, and
            whatever follows, which is kept.

    Raises:
        TypeError: prob is no number.
        ValueError: it is not from 0 to 1.
        RuntimeError: there are no image and boxes, or a box is not within the image.

    Examples:
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[0, 1, 2, 2]], np.float32)
        >>> image, boxes = vision.RandomHorizontalFlipWithBBox(prob=1.0)(image, boxes)
        >>> print(boxes)
        [[2. 1. 2. 2.]]
    """


class RandomVerticalFlipWithBBox(_FlipWithBoxes):
    """Turns an image upside down, and its boxes with it, with a probability.

    Args:
        prob: the probability, from 0 to 1.

    Inputs:
        image: an array of shape (H, W, C) or (H, W).
        boxes: an array of shape (N, 4 or more), each row x, y, width and height of a box within the image, in pixels, and
            whatever follows, which is kept.

    Raises:
        TypeError: prob is no number.
        ValueError: it is not from 0 to 1.
        RuntimeError: there are no image and boxes, or a box is not within the image.

    Examples:
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[1, 0, 2, 1]], np.float32)
        >>> image, boxes = vision.RandomVerticalFlipWithBBox(prob=1.0)(image, boxes)
        >>> print(boxes)
        [[1. 3. 2. 1.]]
    """

    axis = 0


class RandomCropWithBBox(_WithBoxes):
    """Crops a random part of an image; boxes are cut to it, and those outside left out. If none is left there is one of
    zeros.

    Args:
        size: the height and width of the part, or one int for both.
        padding: how many pixels are added at the sides before: one for all; (left and right, top and bottom); or (left, top,
            right, bottom); None: none.
        pad_if_needed: whether an image that is too small is padded until the part fits.
        fill_value: the value of padding with Border.CONSTANT, from 0 to 255: one, or a tuple of three for R, G and B.
        padding_mode: what padding consists of, a Border.

    Inputs:
        image: an array of shape (H, W, C) or (H, W).
        boxes: an array of shape (N, 4 or more), each row x, y, width and height of a box within the image, in pixels, and
            whatever follows, which is kept.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: there are no image and boxes, a box is not within the image, or the image is too small.

    Examples:
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[1, 1, 2, 2]], np.float32)
        >>> image, boxes = vision.RandomCropWithBBox(6, padding=1)(image, boxes)
        >>> print(image.shape, boxes)
        (6, 6, 3) [[2. 2. 2. 2.]]
    """

    random = True

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ):
        self.crop = cropping.RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)

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
    """Crops a random part of an image, and resizes it; boxes follow, those outside are left out. If none is left there is
    one of zeros.

    Args:
        size: the height and width of the result, or one int for both.
        scale: the range (low, high) of the part's fraction of the image's area.
        ratio: the range (low, high) of the part's width divided by its height.
        interpolation: how pixels are interpolated, an Inter.
        max_attempts: how often a part is drawn that may not fit before the middle of the image is taken.

    Inputs:
        image: an array of shape (H, W, C) or (H, W).
        boxes: an array of shape (N, 4 or more), each row x, y, width and height of a box within the image, in pixels, and
            whatever follows, which is kept.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: there are no image and boxes, or a box is not within the image.

    Examples:
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[1, 1, 2, 2]], np.float32)
        >>> image, boxes = vision.RandomResizedCropWithBBox(8, scale=(1, 1), ratio=(1, 1))(image, boxes)
        >>> print(image.shape, boxes)
        (8, 8, 3) [[2. 2. 4. 4.]]
    """

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
        self.crop = cropping.RandomResizedCrop(size, scale, ratio, interpolation, max_attempts)

    def both(self, image: Array, boxes: Array) -> tuple[Any, Any]:
        part = self.crop.part(*image.shape[:2])
        resized = resizing.resize(geometry.crop(image, *part), *self.crop.size, self.crop.interpolation)
        return resized, _scaled(_within(boxes, *part), part[2:], self.crop.size)


class BoundingBoxAugment(_WithBoxes):
    """Applies a transform to the parts of an image that random boxes enclose; the boxes stay as they are.

    Args:
        transform: a function of an image, or a transform. What it makes of a part is resized to the part's size, if it
            differs.
        ratio: the fraction of the boxes that are chosen, from 0 to 1.

    Inputs:
        image: an array of shape (H, W, C) or (H, W).
        boxes: an array of shape (N, 4 or more), each row x, y, width and height of a box within the image, in pixels, and
            whatever follows, which is kept.

    Raises:
        TypeError: transform is no function, or ratio no number.
        ValueError: ratio is not from 0 to 1.
        RuntimeError: there are no image and boxes, or a box is not within the image.

    Examples:
        >>> image, boxes = np.zeros((3, 4), np.uint8), np.array([[1, 0, 2, 2]], np.float32)
        >>> image, boxes = vision.BoundingBoxAugment(vision.Invert(), ratio=1.0)(image, boxes)
        >>> print(image)
        [[  0 255 255   0]
         [  0 255 255   0]
         [  0   0   0   0]]
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
