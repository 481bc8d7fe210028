"""Operations that change an image's size: resizing, cropping, padding, cutting out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_choice, check_instance, check_int32, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array, is_pil
from emberjit.dataset.vision import resizing
from emberjit.dataset.vision.codec import Decode
from emberjit.dataset.vision.image import (
    ImageTransform,
    RandomImageTransform,
    border_of,
    bounds_of,
    fill_of,
    interpolation_of,
    padding_of,
    pil_resample,
    pillow,
    size_of,
)
from emberjit.dataset.vision.kinds import Border, Inter, SliceMode

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


def _images(image: Array) -> Any:
    return image.reshape(-1, *image.shape[-3:])


class _Sized(ImageTransform):
    """An operation that makes images of one size of images in leading axes as well."""

    views = True
    ranks = (2, 3, 4, 5, 6, 7, 8)

    def array(self, image: Array) -> Any:
        if image.ndim <= 3:
            return self.one(image)
        stacked = np.stack([self.one(frame) for frame in _images(image)])
        return stacked.reshape(*image.shape[:-3], *stacked.shape[1:])

    def one(self, image: Any) -> Any:
        """The operation of an image alone."""
        raise NotImplementedError


class Resize(_Sized):
    """Another size.

    Args:
        size: the height and width, or the length of the shorter side, with which the other one goes.
        interpolation: how pixels are interpolated.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a size is below 1.
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


class ResizedCrop(ImageTransform):
    """A part in another size.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the part is not within the image.
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
    """A part.

    Args:
        coordinates: its top and left.
        size: its height and width.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the part is not within the image.
    """

    views = True

    def __init__(self, coordinates: Any, size: Any):
        if len(check_instance("Crop", "coordinates", coordinates, (list, tuple))) != 2:
            raise TypeError(f"For 'Crop', 'coordinates' must be a top and a left, but got {coordinates}.")
        self.top, self.left = (check_int32("Crop", "coordinates", coordinate) for coordinate in coordinates)
        self.size = size_of("Crop", size)

    def array(self, image: Array) -> Any:
        return _part(self, image, self.top, self.left, *self.size)


class CenterCrop(_Sized):
    """The middle, padded with 0 where the image is smaller.

    Args:
        size: the height and width.

    Raises:
        TypeError: size is no int or two.
        ValueError: one is below 1.
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


class Pad(ImageTransform):
    """More at the sides.

    Args:
        padding: how much: for all sides; left and right, top and bottom; or left, top, right, bottom.
        fill_value: with what, of CONSTANT; one value or three.
        padding_mode: what is there.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
    """

    def __init__(self, padding: Any, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT):
        self.sides = padding_of("Pad", padding)
        self.fill = fill_of("Pad", fill_value)
        self.mode = border_of("Pad", padding_mode)

    def array(self, image: Any) -> Any:
        return pad(image, self.sides, self.fill, self.mode)

    pil = array


class PadToSize(ImageTransform):
    """More at the sides, so that the image is of a size.

    Args:
        size: the height and width.
        offset: how much at the top and left; the image is in the middle unless given.
        fill_value: with what, of CONSTANT; one value or three.
        padding_mode: what is there.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the image is larger.
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


class RandomCrop(RandomImageTransform):
    """A part drawn at random.

    Args:
        size: its height and width.
        padding: how much the image is padded first; as of Pad.
        pad_if_needed: whether an image that is too small is padded.
        fill_value: with what, of CONSTANT; one value or three.
        padding_mode: what is there.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the image is too small.
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
    """A part drawn at random, in another size.

    Args:
        size: the height and width.
        scale: the range of the part's share of the area.
        ratio: the range of its width by its height.
        interpolation: how pixels are interpolated.
        max_attempts: how often a part is drawn before the middle is taken.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
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
    """An encoded image decoded, and a part drawn at random in another size. Arguments are those of RandomResizedCrop."""

    def as_input(self, value: Any) -> Any:
        if not isinstance(value, (np.ndarray, bytes)) or (isinstance(value, np.ndarray) and value.ndim != 1):
            raise TypeError(f"For 'RandomCropDecodeResize', an encoded image must be of one axis, but got {type(value)}.")
        return _DECODE.viewed(value)


class RandomResize(RandomImageTransform):
    """Another size, by an interpolation drawn at random. size as of Resize."""

    def __init__(self, size: Any):
        self.size = size
        size_of("RandomResize", size)

    def array(self, image: Array) -> Any:
        kinds = (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC, Inter.AREA)
        return Resize(self.size, kinds[int(draws().integers(len(kinds)))]).array(image)


class FiveCrop(ImageTransform):
    """The four corners and the middle of a Pillow image.

    Raises:
        TypeError: size is no int or two; the image is an array.
        ValueError: one is below 1; the image is smaller.
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
    """The four corners and the middle of a Pillow image, and of the flipped one.

    Args:
        use_vertical_flip: whether top and bottom are flipped, not left and right.
    """

    def __init__(self, size: Any, use_vertical_flip: bool = False):
        super().__init__(size)
        self.vertical = check_bool("TenCrop", "use_vertical_flip", use_vertical_flip)

    def pil(self, image: Any) -> Any:
        """The ten parts."""
        across = pillow().Transpose.FLIP_TOP_BOTTOM if self.vertical else pillow().Transpose.FLIP_LEFT_RIGHT
        return super().pil(image) + super().pil(image.transpose(across))


class SlicePatches(ImageTransform):
    """The image in equal parts, row by row: as many columns as there are parts.

    Args:
        num_height: how many parts there are from top to bottom.
        num_width: how many from left to right.
        slice_mode: what becomes of an image that cannot be divided.
        fill_value: what it is padded with.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
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


class Erase(ImageTransform):
    """A part of one value.

    Args:
        top, left, height, width: the part.
        value: one, or one for each of three channels.
        inplace: whether the image itself changes.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the part is larger than the image.
    """

    def __init__(self, top: int, left: int, height: int, width: int, value: Any = 0, inplace: bool = False):
        where = "Erase"
        self.corner = check_int32(where, "top", top), check_int32(where, "left", left)
        self.size = check_int32(where, "height", height, 1), check_int32(where, "width", width, 1)
        values = value if isinstance(value, (list, tuple)) else (value,)
        self.value = [check_number(where, "value", number, 0, 255) for number in values]
        self.inplace = check_bool(where, "inplace", inplace)

    def array(self, image: Array) -> Any:
        (rows, columns), (height, width), (top, left) = image.shape[:2], self.size, self.corner
        if height > rows or width > columns:
            raise self.refuse(f"the part of {height} x {width} is larger than the image, {rows} x {columns}")
        erased = image if self.inplace else image.copy()
        erased[top : top + height, left : left + width] = self.value if image.ndim == 3 else self.value[0]
        return erased


class CutOut(RandomImageTransform):
    """Squares of 0 at random.

    Args:
        length: of their sides.
        num_patches: how many.
        is_hwc: whether channels are last.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is below 1.
        RuntimeError: the image is smaller.
    """

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True):
        self.length = check_int32("CutOut", "length", length, 1)
        self.count = check_int32("CutOut", "num_patches", num_patches, 1)
        self.is_hwc = check_bool("CutOut", "is_hwc", is_hwc)

    def array(self, image: Array) -> Any:
        cut = image.copy()
        view = cut if self.is_hwc or cut.ndim == 2 else cut.transpose(1, 2, 0)
        rows, columns = view.shape[:2]
        if self.length > rows or self.length > columns:
            raise self.refuse(f"'length' must be within the image, {rows} x {columns}, but is {self.length}")
        for _ in range(self.count):
            top, left = int(draws().integers(rows - self.length + 1)), int(draws().integers(columns - self.length + 1))
            view[top : top + self.length, left : left + self.length] = 0
        return cut


class RandomErasing(RandomImageTransform):
    """A part of one value, or of random ones, with a probability; of an image of shape (C, H, W).

    Args:
        prob: the probability.
        scale: the range of the part's share of the area.
        ratio: the range of its height by its width.
        value: one, one for each of three channels, or "random".
        inplace: whether the image itself changes.
        max_attempts: how often a part is drawn before nothing is done.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
    """

    ranks = (3,)

    def __init__(
        self,
        prob: float = 0.5,
        scale: Any = (0.02, 0.33),
        ratio: Any = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ):
        where = "RandomErasing"
        self.prob = check_number(where, "prob", prob, 0, 1)
        self.scale, self.ratio = bounds_of(where, "scale", scale), bounds_of(where, "ratio", ratio)
        if isinstance(value, str):
            check_choice(where, "value", value, "random")
        else:
            value = [
                check_number(where, "value", number, 0, 255) for number in (value if isinstance(value, tuple) else (value,))
            ]
        self.value, self.inplace = value, check_bool(where, "inplace", inplace)
        self.max_attempts = check_int32(where, "max_attempts", max_attempts, 1)

    def array(self, image: Array) -> Any:
        random, (channels, rows, columns) = draws(), image.shape
        for _ in range(self.max_attempts):
            area = rows * columns * random.uniform(*self.scale)
            ratio = math.exp(random.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            height, width = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < height < rows and 0 < width < columns:
                erased = image if self.inplace else image.copy()
                top, left = int(random.integers(rows - height + 1)), int(random.integers(columns - width + 1))
                drawn = isinstance(self.value, str)
                value = random.standard_normal((channels, height, width)) if drawn else np.reshape(self.value, (-1, 1, 1))
                erased[:, top : top + height, left : left + width] = value.astype(image.dtype)
                return erased
        return image
