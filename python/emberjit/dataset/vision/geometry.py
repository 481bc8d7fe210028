"""Operations that change an image's size: resizing and padding; and what cropping and others have in common with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.checks import check_instance, check_int32
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array, is_pil
from emberjit.dataset.vision import resizing
from emberjit.dataset.vision.image import (
    ImageTransform,
    RandomImageTransform,
    border_of,
    fill_of,
    interpolation_of,
    padding_of,
    pil_resample,
    pillow,
    size_of,
)
from emberjit.dataset.vision.kinds import Border, Inter

_NUMPY_MODES = {Border.EDGE: "edge", Border.REFLECT: "reflect", Border.SYMMETRIC: "symmetric"}


def shape_of(image: Any) -> tuple[int, int]:
    """The height and width of an image."""
    return (image.size[1], image.size[0]) if is_pil(image) else image.shape[:2]


def crop(image: Any, top: int, left: int, height: int, width: int) -> Any:
    """A part of an image; of an array a view."""
    if is_pil(image):
        return image.crop((left, top, left + width, top + height))
    return image[top : top + height, left : left + width]


def pad(image: Any, sides: tuple[int, int, int, int], fill: tuple[int, ...], mode: Border) -> Any:
    """An image with more at its left, top, right and bottom."""
    left, top, right, bottom = sides
    if is_pil(image) and mode == Border.CONSTANT:
        operations = pillow("ImageOps")
        return operations.expand(image, sides, fill if image.mode == "RGB" else fill[0])
    array = np.asarray(image)
    around = [(top, bottom), (left, right)] + [(0, 0)] * (array.ndim - 2)
    if mode == Border.CONSTANT:
        value = np.asarray(fill[: array.shape[2]] if array.ndim == 3 else fill[0], array.dtype)
        if array.ndim == 3 and array.shape[2] > 3:
            value = np.asarray(fill[0], array.dtype)
        padded = np.full([n + sum(ends) for n, ends in zip(array.shape, around)], value, array.dtype)
        padded[top : top + array.shape[0], left : left + array.shape[1]] = array
    else:
        padded = np.pad(array, around, _NUMPY_MODES[mode])  # type: ignore[call-overload]
    return pillow().fromarray(padded) if is_pil(image) else padded


def resized(image: Any, height: int, width: int, how: Inter, where: str) -> Any:
    """An image in another size."""
    if is_pil(image):
        return image.resize((width, height), pil_resample(where, how))
    if how == Inter.ANTIALIAS:
        raise TypeError(f"For '{where}', only Pillow's images, as ToPIL() gives, can be interpolated by ANTIALIAS.")
    return resizing.resize(image, height, width, how)


class OfOneSize(ImageTransform):
    """An operation that makes images of one size of images in leading axes as well."""

    views = True
    ranks = (2, 3, 4, 5, 6, 7, 8)

    def array(self, image: Array) -> Any:
        if image.ndim <= 3:
            return self.one(image)
        stacked = np.stack([self.one(frame) for frame in image.reshape(-1, *image.shape[-3:])])
        return stacked.reshape(*image.shape[:-3], *stacked.shape[1:])

    def one(self, image: Any) -> Any:
        """The operation of an image alone."""
        raise NotImplementedError


class Resize(OfOneSize):
    """Resizes an image.

    Args:
        size: the height and width, or one int, the length that the shorter side gets; the other one keeps the proportion.
        interpolation: how pixels are interpolated, an Inter. Arrays are shrunk without a filter against aliasing, but for
            Inter.AREA and PILCUBIC; Pillow images with one, but for Inter.NEAREST.

    Inputs:
        image: an array of 2 to 8 axes, (..., H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type, or the image cannot be interpolated so.
        ValueError: a size is below 1.

    Examples:
        >>> image = np.array([[0, 100], [100, 200]], np.uint8)
        >>> print(vision.Resize((2, 4))(image))
        [[  0  25  75 100]
         [100 125 175 200]]
        >>> vision.Resize(4)(np.zeros((2, 3), np.uint8)).shape
        (4, 6)
    """

    def __init__(self, size: Any, interpolation: Inter = Inter.BILINEAR):
        self.pair = size_of("Resize", size)
        self.shorter = size if isinstance(size, int) else None
        self.interpolation = interpolation_of("Resize", interpolation)

    def one(self, image: Any) -> Any:
        rows, columns = shape_of(image)
        if self.shorter is None:
            height, width = self.pair
        elif rows < columns:
            height, width = self.shorter, int(self.shorter * columns / rows)
        else:
            height, width = int(self.shorter * rows / columns), self.shorter
        return resized(image, height, width, self.interpolation, "Resize")

    pil = one


class Pad(ImageTransform):
    """Pads an image at its sides.

    Args:
        padding: how many pixels: one for all sides; (left and right, top and bottom); or (left, top, right, bottom).
        fill_value: the value of the padding with Border.CONSTANT, from 0 to 255: one, or a tuple of three for R, G and B.
        padding_mode: what the padding consists of, a Border.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.

    Examples:
        >>> image = np.array([[1, 2], [3, 4]], np.uint8)
        >>> print(vision.Pad((2, 1, 0, 0), fill_value=9)(image))
        [[9 9 9 9]
         [9 9 1 2]
         [9 9 3 4]]
    """

    def __init__(self, padding: Any, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT):
        self.sides = padding_of("Pad", padding)
        self.fill = fill_of("Pad", fill_value)
        self.mode = border_of("Pad", padding_mode)

    def array(self, image: Any) -> Any:
        return pad(image, self.sides, self.fill, self.mode)

    pil = array


class PadToSize(ImageTransform):
    """Pads an image at its sides to a size.

    Args:
        size: the height and width of the result, or one int for both.
        offset: how many pixels come at the top and at the left, (top, left), or one int for both; None: the image comes into
            the middle.
        fill_value: the value of the padding with Border.CONSTANT, from 0 to 255: one, or a tuple of three for R, G and B.
        padding_mode: what the padding consists of, a Border.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the image is larger than the size.

    Examples:
        >>> image = np.array([[1, 2], [3, 4]], np.uint8)
        >>> print(vision.PadToSize(4)(image))
        [[0 0 0 0]
         [0 1 2 0]
         [0 3 4 0]
         [0 0 0 0]]
    """

    def __init__(self, size: Any, offset: Any = None, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT):
        self.size = size_of("PadToSize", size)
        if offset is not None:
            offset = (offset, offset) if isinstance(offset, int) else offset
            for number in check_instance("PadToSize", "offset", offset, (list, tuple)):
                check_int32("PadToSize", "offset", number)
        self.offset = offset or None
        self.fill = fill_of("PadToSize", fill_value)
        self.mode = border_of("PadToSize", padding_mode)

    def array(self, image: Array) -> Any:
        (rows, columns), (height, width) = image.shape[:2], self.size
        top, left = self.offset or ((height - rows) // 2, (width - columns) // 2)
        right, bottom = width - columns - left, height - rows - top
        if min(top, left, right, bottom) < 0:
            raise self.refuse(f"an image of {rows} x {columns} at {top}, {left} is not within {height} x {width}")
        return pad(image, (left, top, right, bottom), self.fill, self.mode)


class RandomResize(RandomImageTransform):
    """Resizes an image by an interpolation drawn at random: nearest, bilinear, bicubic or area.

    Args:
        size: the height and width, or one int, the length that the shorter side gets; the other one keeps the proportion.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: size is no int or two.
        ValueError: one is below 1.

    Examples:
        >>> image = np.zeros((2, 3, 3), np.uint8)
        >>> vision.RandomResize(4)(image).shape
        (4, 6, 3)
    """

    def __init__(self, size: Any):
        self.size = size
        size_of("RandomResize", size)

    def array(self, image: Array) -> Any:
        kinds = (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC, Inter.AREA)
        return Resize(self.size, kinds[int(draws().integers(len(kinds)))]).array(image)
