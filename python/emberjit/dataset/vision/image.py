"""ImageTransform: the base of operations of images, and their checks. An image is an array of axes H, W and perhaps C, or
Pillow's; what is given as Pillow's stays so where the operation has a form for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_instance, check_int32, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.transforms.transform import Transform
from emberjit.dataset.values import Array, is_pil, packed
from emberjit.dataset.vision.kinds import Border, Inter

LARGEST = 16777216


def pillow(module: str = "Image") -> Any:
    """A module of Pillow.

    Raises:
        ImportError: it is not installed.
    """
    import importlib

    try:
        return importlib.import_module(f"PIL.{module}")
    except ImportError:
        raise ImportError("Images as files and Pillow's images need Pillow: pip install pillow") from None


def pixels_of(image: Any) -> Any:
    """The bytes of Pillow's image of RGB, of shape (H, W, 3): a view of its memory, where that is in one piece."""
    columns, rows = image.size
    try:
        memory = core.ArrowBytes(image.__arrow_c_array__()[1])
    except (AttributeError, ValueError):
        return np.asarray(image)
    return np.asarray(memory).reshape(rows, columns, 4)[..., :3]


class ImageTransform(Transform):
    """An operation of images: of arrays as `array` says, and of Pillow's as `pil`, where there is one.

    Class attributes:
        ranks: how many axes an array may have.
        views: whether it takes views of arrays, and writes to none; what computes then does so without Python's lock.
    """

    ranks: tuple[int, ...] = (2, 3)
    views = False
    only_pil = False

    def __call__(self, *values: Any) -> Any:
        result = self.viewed(*values)
        return tuple(map(packed, result)) if isinstance(result, tuple) else packed(result)

    def viewed(self, *values: Any) -> Any:
        """The result; its arrays may be views of the arguments, or of arrays that nobody else has."""
        return super().__call__(*values)

    def as_input(self, value: Any) -> Any:
        if isinstance(value, core.Tensor):
            value = value.asnumpy()
        if not isinstance(value, np.ndarray):
            if is_pil(value):
                return value
            raise TypeError(f"For '{type(self).__name__}', an image must be an array or Pillow's, but got {type(value)}.")
        if self.only_pil:
            raise TypeError(f"For '{type(self).__name__}', an image must be Pillow's, as ToPIL() gives, but is an array.")
        if value.ndim not in self.ranks or value.dtype.kind not in "uif":
            raise self.refuse(
                f"an image must be of numbers with {' or '.join(map(str, self.ranks))} axes, but is {value.dtype} of shape "
                f"{list(value.shape)}"
            )
        return value

    def apply(self, image: Any) -> Any:
        if is_pil(image):
            by_pillow = getattr(self, "pil", None)
            if by_pillow is not None:
                return by_pillow(image)
            image = np.asarray(image)
        return self.array(image)

    def array(self, image: Array) -> Any:
        """The operation of an array."""
        raise NotImplementedError


class RandomImageTransform(ImageTransform):
    """An operation that draws: done with a probability, `prob`, of 1 unless it has one."""

    random = True
    prob = 1.0

    def apply(self, image: Any) -> Any:
        if self.prob < 1 and not draws().random() < self.prob:
            return self.undone(image)
        return super().apply(image)

    def undone(self, image: Any) -> Any:
        """The result where the operation is not applied."""
        return image


def uniform(bounds: Sequence[float]) -> float:
    """A number drawn from a range."""
    low, high = bounds
    return float(low) if low == high else float(draws().uniform(low, high))


def size_of(where: str, size: Any) -> tuple[int, int]:
    """A height and a width, given as both or as one.

    Raises:
        TypeError: it is neither.
        ValueError: one is below 1.
    """
    if isinstance(size, int) and not isinstance(size, bool):
        size = (size, size)
    if not isinstance(size, (list, tuple)) or len(size) != 2:
        raise TypeError(f"For '{where}', 'size' must be an int or two, a height and a width, but got {size!r}.")
    return tuple(check_int32(where, "size", length, 1, LARGEST) for length in size)  # type: ignore[return-value]


def padding_of(where: str, padding: Any) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of a padding, given as one, as left and right alike and top and bottom, or as all four.

    Raises:
        TypeError: it is none of them.
        ValueError: one is negative.
    """
    if isinstance(padding, int) and not isinstance(padding, bool):
        padding = (padding,) * 4
    if not isinstance(padding, (list, tuple)) or len(padding) not in (2, 4):
        raise TypeError(f"For '{where}', 'padding' must be 1, 2 or 4 ints, but got {padding!r}.")
    left, top, right, bottom = padding if len(padding) == 4 else (*padding, *padding)
    for width in (left, top, right, bottom):
        check_int32(where, "padding", width)
    return left, top, right, bottom


def fill_of(where: str, fill_value: Any) -> tuple[int, ...]:
    """Three bytes, given as such or as one.

    Raises:
        TypeError: it is neither.
        ValueError: one is no byte.
    """
    if isinstance(fill_value, int) and not isinstance(fill_value, bool):
        fill_value = (fill_value,) * 3
    if not isinstance(fill_value, tuple) or len(fill_value) != 3:
        raise TypeError(f"For '{where}', 'fill_value' must be an int or a tuple of 3, but got {fill_value!r}.")
    return tuple(check_int32(where, "fill_value", byte, 0, 255) for byte in fill_value)


def bounds_of(where: str, name: str, value: Any, center: float = 1.0, low: float = 0.0, high: float = float("inf")) -> Any:
    """The two ends of a range, given as such or as the distance from a center.

    Raises:
        TypeError: it is neither.
        ValueError: it is no range between bounds.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < 0:
            raise ValueError(f"For '{where}', '{name}' as one number must be at least 0, but got {value}.")
        value = (max(low, center - value) if center else -value, center + value)
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise TypeError(f"For '{where}', '{name}' must be a number or a range of two, but got {value!r}.")
    for bound in value:
        check_number(where, name, bound, low, high)
    if value[0] > value[1]:
        raise ValueError(f"For '{where}', '{name}' must be a range from low to high, but got {value}.")
    return tuple(value)


def interpolation_of(where: str, value: Any) -> Inter:
    """An Inter.

    Raises:
        TypeError: it is none.
    """
    return check_instance(where, "interpolation", value, Inter)  # type: ignore[no-any-return]


def border_of(where: str, value: Any) -> Border:
    """A Border.

    Raises:
        TypeError: it is none.
    """
    return check_instance(where, "padding_mode", value, Border)  # type: ignore[no-any-return]


def pil_resample(where: str, interpolation: Inter) -> Any:
    """Pillow's name of an interpolation.

    Raises:
        TypeError: it has none.
    """
    names = {Inter.NEAREST: "NEAREST", Inter.ANTIALIAS: "LANCZOS", Inter.BILINEAR: "BILINEAR", Inter.BICUBIC: "BICUBIC"}
    if interpolation not in names:
        raise TypeError(f"For '{where}', Pillow's images cannot be interpolated by {interpolation!s}.")
    return getattr(pillow().Resampling, names[interpolation])


def saturated(values: Array, kind: Any) -> Any:
    """Values in a dtype: of integers the nearest there is, ties to even."""
    if np.dtype(kind).kind in "iu":
        info = np.iinfo(kind)
        return np.clip(np.rint(values), info.min, info.max).astype(kind)
    return values.astype(kind)
