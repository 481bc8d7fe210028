"""Operations that overwrite parts of images."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_choice, check_int32, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array
from emberjit.dataset.vision.image import ImageTransform, RandomImageTransform, bounds_of


class Erase(ImageTransform):
    """Overwrites a part of an image with a value.

    Args:
        top: the first row of the part.
        left: its first column.
        height: its height, at least 1.
        width: its width, at least 1.
        value: the value, from 0 to 255: one, or a list or tuple of three for R, G and B.
        inplace: whether the given array itself is changed; False: a copy.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the part is larger than the image.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
        >>> print(vision.Erase(top=0, left=1, height=2, width=2)(image))
        [[1 0 0]
         [4 0 0]
         [7 8 9]]
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
    """Overwrites random squares of an image with 0 (T. DeVries, G. W. Taylor, "Improved Regularization of Convolutional
    Neural Networks with Cutout", 2017).

    Args:
        length: the side of a square in pixels.
        num_patches: the number of squares.
        is_hwc: whether images are of shape (H, W, C); False: of shape (C, H, W).

    Inputs:
        image: an array of shape (H, W, C), (C, H, W) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is below 1.
        RuntimeError: the image is smaller than a square.

    Examples:
        >>> image = np.ones((4, 4), np.uint8)
        >>> print(vision.CutOut(length=2)(image).sum())
        12
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
    """Overwrites a random part of an image of shape (C, H, W), with a probability (Z. Zhong and others, "Random Erasing Data
    Augmentation", 2017).

    Args:
        prob: the probability, from 0 to 1.
        scale: the range (low, high) of the part's fraction of the image's area.
        ratio: the range (low, high) of the part's height divided by its width.
        value: what comes there: a number from 0 to 255; a tuple of one for each channel; or "random", drawn from the
            standard normal distribution.
        inplace: whether the given array itself is changed; False: a copy.
        max_attempts: how often a part is drawn that may not fit before the image stays as it is.

    Inputs:
        image: an array of shape (C, H, W), as ToTensor() gives.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.

    Examples:
        >>> image = np.ones((1, 4, 4), np.float32)
        >>> print(vision.RandomErasing(prob=1.0, scale=(0.25, 0.25), ratio=(1, 1))(image).sum())
        12.0
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
