"""Operations that take parts of images: at a given place, in the middle, at random, or all of one grid."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array
from emberjit.dataset.vision.codec import Decode
from emberjit.dataset.vision.geometry import OfOneSize, Resize, crop, pad, resized, shape_of
from emberjit.dataset.vision.image import (
    ImageTransform,
    RandomImageTransform,
    border_of,
    bounds_of,
    fill_of,
    interpolation_of,
    padding_of,
    pillow,
    size_of,
)
from emberjit.dataset.vision.kinds import Border, Inter, SliceMode


class ResizedCrop(ImageTransform):
    """Crops a part of an image, and resizes it.

    Args:
        top: the first row of the part.
        left: its first column.
        height: its height, at least 1.
        width: its width, at least 1.
        size: the height and width of the result, or one int, the length of its shorter side.
        interpolation: how pixels are interpolated, an Inter.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the part is not within the image.

    Examples:
        >>> image = np.array([[0, 0, 0], [0, 100, 200]], np.uint8)
        >>> print(vision.ResizedCrop(top=1, left=1, height=1, width=2, size=(1, 4))(image))
        [[100 125 175 200]]
    """

    views = True

    def __init__(self, top: int, left: int, height: int, width: int, size: Any, interpolation: Inter = Inter.BILINEAR):
        where = "ResizedCrop"
        corner = check_int32(where, "top", top), check_int32(where, "left", left)
        self.part = (*corner, check_int32(where, "height", height, 1), check_int32(where, "width", width, 1))
        self.resize = Resize(size, interpolation)

    def array(self, image: Array) -> Any:
        return self.resize.array(_part(self, image, *self.part))


def _part(operation: ImageTransform, image: Any, top: int, left: int, height: int, width: int) -> Any:
    rows, columns = image.shape[:2]
    if top + height > rows or left + width > columns:
        raise operation.refuse(
            f"rows {top} to {top + height}, columns {left} to {left + width} are beyond {rows} x {columns}"
        )
    return crop(image, top, left, height, width)


class Crop(ImageTransform):
    """Crops a part of an image.

    Args:
        coordinates: its first row and column, (top, left).
        size: its height and width, or one int for both.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the part is not within the image.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
        >>> print(vision.Crop(coordinates=(0, 1), size=2)(image))
        [[2 3]
         [5 6]]
    """

    views = True

    def __init__(self, coordinates: Any, size: Any):
        if len(check_instance("Crop", "coordinates", coordinates, (list, tuple))) != 2:
            raise TypeError(f"For 'Crop', 'coordinates' must be a top and a left, but got {coordinates}.")
        self.top, self.left = (check_int32("Crop", "coordinates", coordinate) for coordinate in coordinates)
        self.size = size_of("Crop", size)

    def array(self, image: Array) -> Any:
        return _part(self, image, self.top, self.left, *self.size)


class CenterCrop(OfOneSize):
    """Crops the middle of an image; where the image is smaller it is padded with 0.

    Args:
        size: the height and width of the result, or one int for both.

    Inputs:
        image: an array of 2 to 8 axes, (..., H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: size is no int or two.
        ValueError: one is below 1.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
        >>> print(vision.CenterCrop((1, 3))(image))
        [[4 5 6]]
    """

    def __init__(self, size: Any):
        self.size = size_of("CenterCrop", size)

    def one(self, image: Any) -> Any:
        (rows, columns), (height, width) = shape_of(image), self.size
        above, before = max(0, height - rows), max(0, width - columns)
        if above or before:
            sides = (before - before // 2, above - above // 2, before // 2, above // 2)
            image = pad(image, sides, (0, 0, 0), Border.CONSTANT)
            rows, columns = rows + above, columns + before
        return crop(image, (rows - height) // 2, (columns - width) // 2, height, width)

    def pil(self, image: Any) -> Any:
        """Of a Pillow image."""
        (rows, columns), (height, width) = shape_of(image), self.size
        return crop(image, round((rows - height) / 2), round((columns - width) / 2), height, width)


class RandomCrop(RandomImageTransform):
    """Crops a random part of an image.

    Args:
        size: the height and width of the part, or one int for both.
        padding: how many pixels are added at the sides before: one for all; (left and right, top and bottom); or (left, top,
            right, bottom); None: none.
        pad_if_needed: whether an image that is too small is padded until the part fits.
        fill_value: the value of padding with Border.CONSTANT, from 0 to 255: one, or a tuple of three for R, G and B.
        padding_mode: what padding consists of, a Border.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the image is too small.

    Examples:
        >>> image = np.zeros((4, 6, 3), np.uint8)
        >>> vision.RandomCrop((3, 5))(image).shape
        (3, 5, 3)
        >>> vision.RandomCrop(8, pad_if_needed=True)(image).shape
        (8, 8, 3)
    """

    views = True

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ):
        where = "RandomCrop"
        self.size = size_of(where, size)
        self.sides = (0, 0, 0, 0) if padding is None else padding_of(where, padding)
        self.pad_if_needed = check_bool(where, "pad_if_needed", pad_if_needed)
        self.fill, self.mode = fill_of(where, fill_value), border_of(where, padding_mode)

    def array(self, image: Any) -> Any:
        if any(self.sides):
            image = pad(image, self.sides, self.fill, self.mode)
        (rows, columns), (height, width) = shape_of(image), self.size
        if self.pad_if_needed and (rows < height or columns < width):
            down, across = max(0, height - rows), max(0, width - columns)
            image = pad(image, (across, down, across, down), self.fill, self.mode)
            rows, columns = shape_of(image)
        if rows < height or columns < width:
            raise self.refuse(f"'size' {self.size} must be within the image, which is {rows} x {columns}")
        top = int(draws().integers(rows - height + 1))
        return crop(image, top, int(draws().integers(columns - width + 1)), height, width)

    pil = array


class RandomResizedCrop(RandomImageTransform):
    """Crops a random part of an image, of random area and proportion, and resizes it.

    Args:
        size: the height and width of the result, or one int for both.
        scale: the range (low, high) of the part's fraction of the image's area.
        ratio: the range (low, high) of the part's width divided by its height.
        interpolation: how pixels are interpolated, an Inter.
        max_attempts: how often a part is drawn that may not fit before the middle of the image is taken.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.

    Examples:
        >>> image = np.zeros((4, 6, 3), np.uint8)
        >>> vision.RandomResizedCrop((2, 5))(image).shape
        (2, 5, 3)
    """

    views = True

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ):
        where = type(self).__name__
        self.size = size_of(where, size)
        self.scale, self.ratio = bounds_of(where, "scale", scale), bounds_of(where, "ratio", ratio)
        self.interpolation = interpolation_of(where, interpolation)
        self.max_attempts = check_int32(where, "max_attempts", max_attempts, 1)

    def part(self, rows: int, columns: int) -> tuple[int, int, int, int]:
        """Top, left, height and width of a part."""
        random = draws()
        for _ in range(self.max_attempts):
            area = rows * columns * random.uniform(*self.scale)
            ratio = math.exp(random.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            height, width = round(math.sqrt(area / ratio)), round(math.sqrt(area * ratio))
            if 0 < height <= rows and 0 < width <= columns:
                return int(random.integers(rows - height + 1)), int(random.integers(columns - width + 1)), height, width
        ratio = min(max(columns / rows, self.ratio[0]), self.ratio[1])
        height, width = min(rows, round(columns / ratio)), min(columns, round(rows * ratio))
        return (rows - height) // 2, (columns - width) // 2, height, width

    def array(self, image: Any) -> Any:
        return resized(crop(image, *self.part(*shape_of(image))), *self.size, self.interpolation, type(self).__name__)

    pil = array


_DECODE = Decode()


class RandomCropDecodeResize(RandomResizedCrop):
    """Decodes an image, crops a random part of it, of random area and proportion, and resizes it.

    Args:
        size: the height and width of the result, or one int for both.
        scale: the range (low, high) of the part's fraction of the image's area.
        ratio: the range (low, high) of the part's width divided by its height.
        interpolation: how pixels are interpolated, an Inter.
        max_attempts: how often a part is drawn that may not fit before the middle of the image is taken.

    Inputs:
        image: bytes, or an array of bytes of one axis, as Decode() accepts; the result is an array of RGB.

    Raises:
        TypeError: an argument is of a wrong type, or what is given is no array of one axis.
        ValueError: a number is out of range.
        RuntimeError: the image cannot be decoded.

    Examples:
        >>> data = vision.encode_png(np.zeros((4, 6, 3), np.uint8))
        >>> vision.RandomCropDecodeResize((2, 5))(data).shape
        (2, 5, 3)
    """

    def as_input(self, value: Any) -> Any:
        if not isinstance(value, (np.ndarray, bytes)) or (isinstance(value, np.ndarray) and value.ndim != 1):
            raise TypeError(f"For 'RandomCropDecodeResize', an encoded image must be of one axis, but got {type(value)}.")
        return _DECODE.viewed(value)


class FiveCrop(ImageTransform):
    """Crops the four corners and the middle of a Pillow image.

    Args:
        size: the height and width of each part, or one int for both.

    Inputs:
        image: a Pillow image, as ToPIL() gives; the result is a tuple: upper left, upper right, lower left, lower right,
            middle.

    Raises:
        TypeError: size is no int or two; the image is an array.
        ValueError: one is below 1; the image is smaller.

    Examples:
        >>> image = vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))
        >>> print([part.size for part in vision.FiveCrop(2)(image)])
        [(2, 2), (2, 2), (2, 2), (2, 2), (2, 2)]
    """

    only_pil = True

    def __init__(self, size: Any):
        self.size = size_of(type(self).__name__, size)

    def pil(self, image: Any) -> Any:
        """The five parts."""
        (rows, columns), (height, width) = shape_of(image), self.size
        if height > rows or width > columns:
            raise ValueError(f"For '{type(self).__name__}', {height} x {width} must be within {rows} x {columns}.")
        corners = [(0, 0), (0, columns - width), (rows - height, 0), (rows - height, columns - width)]
        return tuple([*(crop(image, *corner, height, width) for corner in corners), CenterCrop(self.size).pil(image)])


class TenCrop(FiveCrop):
    """Crops the four corners and the middle of a Pillow image, and of the mirrored image.

    Args:
        size: the height and width of each part, or one int for both.
        use_vertical_flip: whether the second image is turned upside down; False: it is mirrored, left to right.

    Inputs:
        image: a Pillow image, as ToPIL() gives; the result is a tuple of ten, those of FiveCrop() first.

    Raises:
        TypeError: an argument is of a wrong type; the image is an array.
        ValueError: a size is below 1; the image is smaller.

    Examples:
        >>> image = vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))
        >>> parts = vision.TenCrop((2, 3))(image)
        >>> print(len(parts), parts[0].size)
        10 (3, 2)
    """

    def __init__(self, size: Any, use_vertical_flip: bool = False):
        super().__init__(size)
        self.vertical = check_bool("TenCrop", "use_vertical_flip", use_vertical_flip)

    def pil(self, image: Any) -> Any:
        """The ten parts."""
        across = pillow().Transpose.FLIP_TOP_BOTTOM if self.vertical else pillow().Transpose.FLIP_LEFT_RIGHT
        return super().pil(image) + super().pil(image.transpose(across))


class SlicePatches(ImageTransform):
    """Divides an image into a grid of equal parts, which it gives row by row, each as a column of its own.

    Args:
        num_height: the number of parts from top to bottom.
        num_width: the number from left to right.
        slice_mode: what becomes of an image that cannot be divided, a SliceMode.
        fill_value: the value that SliceMode.PAD pads with, from 0 to 255.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made; the result is a tuple of
            num_height * num_width arrays.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.

    Examples:
        >>> image = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.uint8)
        >>> first, second = vision.SlicePatches(num_height=1, num_width=2)(image)
        >>> print(second)
        [[3 4]
         [7 8]]
    """

    def __init__(self, num_height: int = 1, num_width: int = 1, slice_mode: SliceMode = SliceMode.PAD, fill_value: int = 0):
        where = "SlicePatches"
        self.parts = check_int32(where, "num_height", num_height, 1), check_int32(where, "num_width", num_width, 1)
        self.mode = check_instance(where, "slice_mode", slice_mode, SliceMode)
        self.fill = check_int32(where, "fill_value", fill_value, 0, 255)

    def array(self, image: Array) -> Any:
        lengths = []
        for axis, count in enumerate(self.parts):
            rest = image.shape[axis] % count
            if rest and self.mode == SliceMode.PAD:
                around = [(0, count - rest if at == axis else 0) for at in range(image.ndim)]
                image = np.pad(image, around, constant_values=self.fill)
            lengths.append(image.shape[axis] // count)
        height, width = lengths
        return tuple(
            crop(image, row * height, column * width, height, width)
            for row in range(self.parts[0])
            for column in range(self.parts[1])
        )
