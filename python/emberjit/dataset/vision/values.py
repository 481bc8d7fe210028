"""Operations of each pixel's values, and of the order of axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_choice, check_instance, check_number
from emberjit.dataset.sources.schema import numpy_type
from emberjit.dataset.transforms.transforms import cast
from emberjit.dataset.values import Array, is_pil
from emberjit.dataset.vision.image import ImageTransform, RandomImageTransform, pillow

_BYTES = np.arange(256, dtype=np.uint8)


class OfValues(ImageTransform):
    """An operation of each value by itself, and by its channel. For bytes there is a table of what all 256 become.

    Class attributes:
        is_hwc: whether channels are last before.
        planes: whether they are first then.
        joins: whether it may be done as one with others.
    """

    views = True
    is_hwc = True
    planes = False
    joins = True

    def then(self, following: Any) -> OfValues | None:
        """One operation for this one and a following one, if there is one."""
        of_values = isinstance(following, OfValues) and following.joins and following.is_hwc is not self.planes
        moves = isinstance(following, HWC2CHW) and not self.planes
        return _InTurn([self, following]) if self.joins and self.is_hwc and (of_values or moves) else None

    def array(self, image: Array) -> Any:
        tables = self._tables(image.shape[2]) if image.ndim == 3 and image.dtype == np.uint8 and image.size else None
        if tables is None:
            return self.computed(image)
        image = image if image.strides[2] == 1 else np.ascontiguousarray(image)
        rows, columns, channels = image.shape
        output = np.empty((channels, rows, columns) if self.planes else image.shape, np.float32)
        core.look_up_pixels(image, tables, self.planes, output)
        return output

    def _tables(self, channels: int) -> Any:
        """The results of all bytes by channel, if they are float32."""
        if not self.is_hwc:
            return None
        known = self.__dict__.setdefault("_known_tables", {})
        if channels not in known:
            table = self.computed(np.repeat(_BYTES, channels).reshape(256, 1, channels))
            by_channel = table if self.planes else table.transpose(2, 0, 1)
            known[channels] = np.ascontiguousarray(by_channel) if table.dtype == np.float32 else None
        return known[channels]

    def computed(self, image: Array) -> Any:
        """The operation of any array."""
        raise NotImplementedError


class _InTurn(OfValues):
    """Operations of values, and of the order of axes, as one."""

    def __init__(self, operations: list[Any]):
        self.operations = operations
        self.planes = any(operation.planes for operation in operations)
        self.__qualname__ = ", ".join(type(operation).__name__ for operation in operations)

    def then(self, following: Any) -> OfValues | None:
        return super().then(following) and _InTurn([*self.operations, following])

    def as_input(self, value: Any) -> Any:
        return self.operations[0].as_input(value)

    def apply(self, image: Any) -> Any:
        return self.computed(image) if is_pil(image) else self.array(image)

    def computed(self, image: Any) -> Any:
        for operation in self.operations:
            image = operation.viewed(image)
        return image


class HWC2CHW(ImageTransform):
    """Moves the channels of an image to the front: (H, W, C) becomes (C, H, W).

    Inputs:
        image: an array of shape (H, W, C), or (H, W), which stays as it is; or a Pillow image, of which an array is made.

    Raises:
        TypeError: it is no image.
        RuntimeError: the array has another number of axes.

    Examples:
        >>> image = np.zeros((2, 4, 3), np.uint8)
        >>> vision.HWC2CHW()(image).shape
        (3, 2, 4)
    """

    views = True
    planes = True

    def array(self, image: Array) -> Any:
        return image if image.ndim == 2 else image.transpose(2, 0, 1)


class Rescale(OfValues):
    """Multiplies pixels by a factor, and adds a shift: image * rescale + shift, in float32.

    Args:
        rescale: the factor; 1 / 255 makes numbers from 0 to 1 of bytes.
        shift: what is added.

    Inputs:
        image: an array of numbers of any shape with 1 to 8 axes.

    Raises:
        TypeError: an argument is no number.

    Examples:
        >>> image = np.array([[0, 51, 255]], np.uint8)
        >>> print(vision.Rescale(1 / 255, 1.0)(image))
        [[1.  1.2 2. ]]
    """

    ranks = tuple(range(1, 9))

    def __init__(self, rescale: float, shift: float):
        self.rescale = np.float32(check_number("Rescale", "rescale", rescale, -np.inf))
        self.shift = np.float32(check_number("Rescale", "shift", shift, -np.inf))

    def computed(self, image: Array) -> Any:
        scaled = image.astype(np.float32)
        scaled *= self.rescale
        scaled += self.shift
        return scaled


def _statistics(where: str, mean: Any, std: Any) -> tuple[Any, Any]:
    for name, numbers, bound in (("mean", mean, {"least": 0}), ("std", std, {"above": 0})):
        for number in check_instance(where, name, numbers, (list, tuple)):
            check_number(where, name, number, most=255, **bound)
    if len(mean) != len(std):
        raise ValueError(f"For '{where}', 'mean' and 'std' must be as many, but got {mean} and {std}.")
    return np.asarray(mean, np.float32), np.asarray(std, np.float32)


class Normalize(OfValues):
    """Standardizes each channel of an image: (image - mean) / std, in float32.

    Args:
        mean: the mean of each channel, or one for all channels, as a list or tuple of numbers from 0 to 255, in the unit of
            the pixels: of bytes those of bytes.
        std: the standard deviations, as many; above 0 and at most 255.
        is_hwc: whether images are of shape (H, W, C); False: of shape (C, H, W).

    Inputs:
        image: an array of 2 to 8 axes; the leading ones are of a batch; of two axes there is one channel. Or a Pillow image.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range, or mean and std have other lengths.
        RuntimeError: there is not one mean for each channel of the image.

    Examples:
        >>> image = np.array([[[100, 120, 140]]], np.uint8)
        >>> print(vision.Normalize(mean=[100, 100, 100], std=[10, 20, 40])(image))
        [[[0. 1. 1.]]]
    """

    ranks: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8)

    def __init__(self, mean: Any, std: Any, is_hwc: bool = True):
        self.mean, self.std = _statistics(type(self).__name__, mean, std)
        self.is_hwc = check_bool(type(self).__name__, "is_hwc", is_hwc)

    def computed(self, image: Array) -> Any:
        channels = 1 if image.ndim == 2 else image.shape[-1 if self.is_hwc else -3]
        if len(self.mean) not in (1, channels):
            raise self.refuse(f"'mean' must be one for each of {channels} channels, but there are {len(self.mean)}")
        shape = (-1,) if self.is_hwc else (-1, 1, 1)
        mean, std = self.mean, self.std
        flat = image
        if self.is_hwc and image.ndim > 2:  # long lines are quicker than lines of a few channels
            flat = image.reshape(*image.shape[:-2], -1)
            mean, std = (np.resize(statistic, flat.shape[-1]) for statistic in (mean, std))
        normal = np.subtract(flat, mean.reshape(shape), dtype=np.float32, casting="unsafe")
        normal /= std.reshape(shape)
        return normal.reshape(image.shape)


class NormalizePad(Normalize):
    """Standardizes each channel of an image as Normalize, and adds a channel of zeros after the last.

    Args:
        mean: the mean of each channel, or one for all, as a list or tuple of numbers from 0 to 255.
        std: the standard deviations, as many; above 0 and at most 255.
        dtype: the dtype of the result, "float32" or "float16".
        is_hwc: whether images are of shape (H, W, C); False: of shape (C, H, W).

    Inputs:
        image: an array of shape (H, W, C), (C, H, W) or (H, W), or a Pillow image.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range, mean and std have other lengths, or dtype is another.
        RuntimeError: there is not one mean for each channel of the image.

    Examples:
        >>> image = np.array([[[100, 120, 140]]], np.uint8)
        >>> print(vision.NormalizePad(mean=[100, 100, 100], std=[10, 20, 40])(image))
        [[[0. 1. 1. 0.]]]
    """

    ranks = (2, 3)
    joins = False

    def __init__(self, mean: Any, std: Any, dtype: str = "float32", is_hwc: bool = True):
        super().__init__(mean, std, is_hwc)
        self.dtype = check_choice("NormalizePad", "dtype", dtype, "float32", "float16")

    def array(self, image: Array) -> Any:
        normal = super().array(image)
        axis = -1 if self.is_hwc else 0
        normal = normal[..., None] if normal.ndim == 2 else normal
        shape = [1 if at == axis % 3 else length for at, length in enumerate(normal.shape)]
        return np.concatenate([normal, np.zeros(shape, np.float32)], axis).astype(self.dtype)


class ToTensor(OfValues):
    """Makes an array for a network of an image: channels come first, and pixels are divided by 255.

    Args:
        output_type: the dtype of the result, of NumPy or emberjit.

    Inputs:
        image: an array of shape (H, W, C), or (H, W), which is one channel; or a Pillow image. The result is of shape (C, H,
            W).

    Raises:
        TypeError: output_type is no dtype of numbers.

    Examples:
        >>> image = np.array([[[0, 51, 255]]], np.uint8)
        >>> scaled = vision.ToTensor()(image)
        >>> print(scaled.shape, scaled.ravel())
        (3, 1, 1) [0.         0.20000002 1.        ]
    """

    planes = True

    def __init__(self, output_type: Any = np.float32):
        self.output_type = numpy_type("ToTensor", "output_type", output_type)

    def pil(self, image: Any) -> Any:
        """Of a Pillow image."""
        array = np.asarray(image)
        scaled = (array[..., None] if array.ndim == 2 else array).transpose(2, 0, 1).astype(np.float32, order="C")
        return cast(scaled / np.float32(255), self.output_type)

    def computed(self, image: Array) -> Any:
        image = (image[..., None] if image.ndim == 2 else image).transpose(2, 0, 1)
        scaled = image.astype(np.float32, order="C")
        scaled *= np.float32(1 / 255)
        return cast(scaled, self.output_type)


class ToPIL(ImageTransform):
    """Makes a Pillow image of an array; a Pillow image stays as it is.

    Inputs:
        image: an array of bytes of shape (H, W), (H, W, 1) or (H, W, 3), or of one channel of another dtype that Pillow
            knows.

    Raises:
        TypeError: Pillow has no image of such an array.

    Examples:
        >>> image = vision.ToPIL()(np.zeros((2, 4, 3), np.uint8))
        >>> print(image.mode, image.size)
        RGB (4, 2)
    """

    def pil(self, image: Any) -> Any:
        """The image itself."""
        return image

    def array(self, image: Array) -> Any:
        image = image[..., 0] if image.ndim == 3 and image.shape[2] == 1 else image
        try:
            return pillow().fromarray(image)
        except TypeError:
            raise TypeError(f"For 'ToPIL', Pillow has no image of {image.dtype} of shape {list(image.shape)}.") from None


class ToNumpy(ImageTransform):
    """Makes an array of a Pillow image, of shape (H, W, C), or (H, W) of one channel; the array is a copy.

    Inputs:
        image: a Pillow image.

    Examples:
        >>> image = vision.ToPIL()(np.zeros((2, 4, 3), np.uint8))
        >>> vision.ToNumpy()(image).shape
        (2, 4, 3)
    """

    def array(self, image: Array) -> Any:
        return np.array(image)


class ToType(OfValues):
    """Converts an image to another dtype; the values are not scaled.

    Args:
        data_type: the dtype, of NumPy or emberjit.

    Inputs:
        image: an array of numbers with up to 8 axes, or a Pillow image.

    Raises:
        TypeError: data_type is no dtype of numbers.

    Examples:
        >>> image = np.array([[0, 51, 255]], np.uint8)
        >>> vision.ToType(np.float32)(image)
        array([[  0.,  51., 255.]], dtype=float32)
    """

    ranks = tuple(range(9))

    def __init__(self, data_type: Any):
        self.data_type = numpy_type("ToType", "data_type", data_type)

    def computed(self, image: Array) -> Any:
        return cast(image, self.data_type)


class _Flip(ImageTransform):
    views = True
    ranks = tuple(range(2, 9))
    axis = -2

    def array(self, image: Array) -> Any:
        return np.flip(image, self.axis if image.ndim > 2 else self.axis + 1)


class HorizontalFlip(_Flip):
    """Mirrors an image: left becomes right.

    Inputs:
        image: an array of 2 to 8 axes, (..., H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6]], np.uint8)
        >>> print(vision.HorizontalFlip()(image))
        [[3 2 1]
         [6 5 4]]
    """


class VerticalFlip(_Flip):
    """Turns an image upside down: the first row becomes the last.

    Inputs:
        image: an array of 2 to 8 axes, (..., H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6]], np.uint8)
        >>> print(vision.VerticalFlip()(image))
        [[4 5 6]
         [1 2 3]]
    """

    axis = -3


class _RandomFlip(RandomImageTransform, _Flip):
    def __init__(self, prob: float = 0.5):
        self.prob = check_number(type(self).__name__, "prob", prob, 0, 1)

    def pil(self, image: Any) -> Any:
        """Of a Pillow image."""
        across = self.axis == -2
        return image.transpose(pillow().Transpose.FLIP_LEFT_RIGHT if across else pillow().Transpose.FLIP_TOP_BOTTOM)


class RandomHorizontalFlip(_RandomFlip):
    """Mirrors an image, left to right, with a probability.

    Args:
        prob: the probability, from 0 to 1.

    Inputs:
        image: an array of 2 to 8 axes, (..., H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: prob is no number.
        ValueError: it is not from 0 to 1.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6]], np.uint8)
        >>> print(vision.RandomHorizontalFlip(prob=1.0)(image))
        [[3 2 1]
         [6 5 4]]
    """


class RandomVerticalFlip(_RandomFlip):
    """Turns an image upside down with a probability.

    Args:
        prob: the probability, from 0 to 1.

    Inputs:
        image: an array of 2 to 8 axes, (..., H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: prob is no number.
        ValueError: it is not from 0 to 1.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6]], np.uint8)
        >>> print(vision.RandomVerticalFlip(prob=1.0)(image))
        [[4 5 6]
         [1 2 3]]
    """

    axis = -3


class LinearTransformation(ImageTransform):
    """Multiplies an image, flattened to a vector, by a matrix, as for whitening: (vector - mean) @ matrix, in the image's
    shape.

    Args:
        transformation_matrix: an array of shape (D, D), where D is the number of elements of an image.
        mean_vector: an array of shape (D,), which is subtracted first.

    Inputs:
        image: an array of D elements.

    Raises:
        TypeError: an argument is no array.
        ValueError: the matrix is not square, the mean is not of its length, or an image has not D elements.

    Examples:
        >>> image = np.array([[1.0, 2.0]])
        >>> swap = vision.LinearTransformation(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 1.0]))
        >>> print(swap(image))
        [[1. 0.]]
    """

    def __init__(self, transformation_matrix: Any, mean_vector: Any):
        where = "LinearTransformation"
        self.matrix = check_instance(where, "transformation_matrix", transformation_matrix, np.ndarray)
        self.mean = check_instance(where, "mean_vector", mean_vector, np.ndarray)
        if self.matrix.ndim != 2 or self.matrix.shape[0] != self.matrix.shape[1] or self.mean.shape != self.matrix.shape[:1]:
            raise ValueError(
                f"For '{where}', the matrix must be square and the mean of its length, but got {list(self.matrix.shape)} "
                f"and {list(self.mean.shape)}."
            )

    def array(self, image: Array) -> Any:
        if image.size != len(self.mean):
            raise ValueError(
                f"For 'LinearTransformation', an image must have {len(self.mean)} elements, but has {image.size}."
            )
        return ((image.reshape(1, -1) - self.mean) @ self.matrix).reshape(image.shape)
