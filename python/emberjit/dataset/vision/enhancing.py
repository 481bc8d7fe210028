"""Operations of values that look at more than a pixel: histograms and neighbourhoods; and bits and thresholds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_instance, check_int32, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array, is_pil
from emberjit.dataset.vision.colour import blended
from emberjit.dataset.vision.image import ImageTransform, RandomImageTransform, bounds_of, pillow, saturated, uniform


def _channels(function: Callable[..., Any], image: Array, *more: Any) -> Any:
    if image.ndim == 2:
        return function(image, *more)
    return np.stack([function(image[..., k], *more) for k in range(image.shape[2])], -1)


def invert(image: Any) -> Any:
    """255 less the pixels."""
    return pillow("ImageOps").invert(image) if is_pil(image) else (255 - image).astype(image.dtype)


def _equalized(plane: Array) -> Any:
    counts = np.bincount(plane.ravel(), minlength=256)
    lowest = int(plane.min())
    rest = plane.size - counts[lowest]
    if rest == 0:
        return plane
    ranks = np.maximum(np.cumsum(counts) - counts[: lowest + 1].sum(), 0)
    return saturated(ranks.astype(np.float32) * (np.float32(255) / np.float32(rest)), np.uint8)[plane]


def equalize(image: Any) -> Any:
    """Pixels by their rank."""
    return pillow("ImageOps").equalize(image) if is_pil(image) else _channels(_equalized, image)


def _stretched(plane: Array, cutoff: float, ignored: Sequence[int]) -> Any:
    counts = np.bincount(plane.ravel(), minlength=256)
    counts[list(ignored)] = 0
    total = counts.sum()
    if cutoff and total:
        for order in (1, -1):
            rest, ordered = int(total * cutoff // 100), counts[::order]
            below = np.concatenate([[0], np.cumsum(ordered)[:-1]])
            ordered -= np.clip(rest - below, 0, ordered)
    used = np.flatnonzero(counts)
    if len(used) == 0 or used[0] == used[-1]:
        return plane
    scale = np.float32(255) / np.float32(used[-1] - used[0])
    return np.clip(np.floor(np.arange(256, dtype=np.float32) * scale - np.float32(used[0]) * scale), 0, 255).astype(
        np.uint8
    )[plane]


def stretch(image: Any, cutoff: float, ignored: Sequence[int]) -> Any:
    """Pixels stretched to 0 to 255."""
    if is_pil(image):
        return pillow("ImageOps").autocontrast(image, cutoff, list(ignored) or None)
    return _channels(_stretched, image, cutoff, ignored)


def posterize(image: Any, bits: int) -> Any:
    """The first bits of bytes."""
    if is_pil(image):
        return pillow("ImageOps").posterize(image, bits)
    return image & np.uint8((0xFF << (8 - bits)) & 0xFF)


def sharpness(image: Any, factor: float) -> Any:
    """Pixels away from a smoothed image."""
    if is_pil(image):
        return pillow("ImageEnhance").Sharpness(image).enhance(factor)
    wide = image.astype(np.float32)
    total = sum(wide[i : wide.shape[0] - 2 + i, j : wide.shape[1] - 2 + j] for i in range(3) for j in range(3))
    smooth = wide.copy()
    if wide.shape[0] > 2 and wide.shape[1] > 2:
        smooth[1:-1, 1:-1] = np.rint((total + 4 * wide[1:-1, 1:-1]) / np.float32(13))
    return blended(image, smooth, factor)


class _Bytes(ImageTransform):
    def array(self, image: Any) -> Any:
        if not is_pil(image) and image.dtype != np.uint8:
            raise self.refuse(f"an image must be of uint8, but is of {image.dtype}")
        return self.of_bytes(image)

    pil = array

    def of_bytes(self, image: Any) -> Any:
        """The operation of an image of bytes."""
        raise NotImplementedError


class _RandomBytes(RandomImageTransform, _Bytes):
    """An operation of bytes that draws."""


class Invert(_Bytes):
    """Inverts the pixels of an image: 255 - image.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[0, 100, 255]], np.uint8)
        >>> print(vision.Invert()(image))
        [[255 155   0]]
    """

    def of_bytes(self, image: Any) -> Any:
        return invert(image)


class RandomInvert(RandomImageTransform, Invert):
    """Inverts the pixels of an image, 255 - image, with a probability.

    Args:
        prob: the probability, from 0 to 1.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: prob is no number.
        ValueError: it is not from 0 to 1.
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[0, 100, 255]], np.uint8)
        >>> print(vision.RandomInvert(prob=1.0)(image))
        [[255 155   0]]
    """

    def __init__(self, prob: float = 0.5):
        self.prob = check_number("RandomInvert", "prob", prob, 0, 1)


class Equalize(_Bytes):
    """Equalizes the histogram of each channel: pixels get values by their rank, so that all values become about as frequent.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[10, 11, 12, 13]], np.uint8)
        >>> print(vision.Equalize()(image))
        [[  0  85 170 255]]
    """

    def of_bytes(self, image: Any) -> Any:
        return equalize(image)


class RandomEqualize(RandomImageTransform, Equalize):
    """Equalizes the histogram of each channel, as Equalize, with a probability.

    Args:
        prob: the probability, from 0 to 1.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: prob is no number.
        ValueError: it is not from 0 to 1.
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[10, 11, 12, 13]], np.uint8)
        >>> print(vision.RandomEqualize(prob=1.0)(image))
        [[  0  85 170 255]]
    """

    def __init__(self, prob: float = 0.5):
        self.prob = check_number("RandomEqualize", "prob", prob, 0, 1)


class AutoContrast(_Bytes):
    """Stretches the pixels of each channel linearly, so that the darkest becomes 0 and the lightest 255.

    Args:
        cutoff: the percentage of the darkest, and of the lightest pixels that the stretch does not look at, from 0 to 50.
        ignore: a value, or a list or tuple of values from 0 to 255, whose pixels it does not look at; None: it looks at all.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[100, 120, 150]], np.uint8)
        >>> print(vision.AutoContrast()(image))
        [[  0 102 255]]
    """

    def __init__(self, cutoff: float = 0.0, ignore: Any = None):
        where = type(self).__name__
        self.cutoff = check_number(where, "cutoff", cutoff, 0, 50)
        values = [] if ignore is None else ignore if isinstance(ignore, (list, tuple)) else [ignore]
        self.ignored = [check_int32(where, "ignore", value, 0, 255) for value in values]

    def of_bytes(self, image: Any) -> Any:
        return stretch(image, self.cutoff, self.ignored)


class RandomAutoContrast(RandomImageTransform, AutoContrast):
    """Stretches the pixels of each channel to 0 to 255, as AutoContrast, with a probability.

    Args:
        cutoff: the percentage of the darkest, and of the lightest pixels that the stretch does not look at, from 0 to 50.
        ignore: a value, or a list or tuple of values from 0 to 255, whose pixels it does not look at; None: it looks at all.
        prob: the probability, from 0 to 1.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[100, 120, 150]], np.uint8)
        >>> print(vision.RandomAutoContrast(prob=1.0)(image))
        [[  0 102 255]]
    """

    def __init__(self, cutoff: float = 0.0, ignore: Any = None, prob: float = 0.5):
        super().__init__(cutoff, ignore)
        self.prob = check_number("RandomAutoContrast", "prob", prob, 0, 1)


class Posterize(_Bytes):
    """Keeps the upper bits of each pixel, and sets the others to 0.

    Args:
        bits: how many are kept, from 0 to 8.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: bits is no int.
        ValueError: it is not from 0 to 8.
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[0, 100, 255]], np.uint8)
        >>> print(vision.Posterize(bits=2)(image))
        [[  0  64 192]]
    """

    def __init__(self, bits: int):
        self.bits = check_int32("Posterize", "bits", bits, 0, 8)

    def of_bytes(self, image: Any) -> Any:
        return posterize(np.asarray(image), self.bits)


class RandomPosterize(_RandomBytes):
    """Keeps the upper bits of each pixel, a random number of them, and sets the others to 0.

    Args:
        bits: the range (low, high) that the number is drawn from, both included, or one number; each from 1 to 8.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: bits is no int, list or tuple of ints.
        ValueError: one is not from 1 to 8, or the first is above the second.
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[0, 100, 255]], np.uint8)
        >>> print(vision.RandomPosterize(bits=(2, 2))(image))
        [[  0  64 192]]
    """

    def __init__(self, bits: Any = (8, 8)):
        pair = (bits, bits) if isinstance(bits, int) else check_instance("RandomPosterize", "bits", bits, (list, tuple))
        self.bits = [check_int32("RandomPosterize", "bits", number, 1, 8) for number in pair]
        if len(self.bits) != 2 or self.bits[0] > self.bits[1]:
            raise ValueError(f"For 'RandomPosterize', 'bits' must be a range from low to high, but got {bits}.")

    def of_bytes(self, image: Any) -> Any:
        return posterize(image, int(draws().integers(self.bits[0], self.bits[1] + 1)))


class Solarize(_Bytes):
    """Inverts the pixels whose values lie within a range: there 255 - image.

    Args:
        threshold: the range (low, high), both included, or the lowest value alone; from 0 to 255.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: threshold is no number, list or tuple of numbers.
        ValueError: one is not from 0 to 255, or the first is above the second.
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[0, 100, 200, 255]], np.uint8)
        >>> print(vision.Solarize(threshold=(50, 220))(image))
        [[  0 155  55 255]]
    """

    def __init__(self, threshold: Any):
        pair = threshold if isinstance(threshold, (list, tuple)) else (threshold, 255)
        low, high = (check_number("Solarize", "threshold", bound, 0, 255) for bound in pair)
        if low > high:
            raise ValueError(f"For 'Solarize', 'threshold' must be a range from low to high, but got {threshold}.")
        self.low, self.high = low, high

    def of_bytes(self, image: Any) -> Any:
        array = np.asarray(image)
        return np.where((array >= self.low) & (array <= self.high), 255 - array, array).astype(np.uint8)


class RandomSolarize(_RandomBytes):
    """Inverts the pixels whose values lie within a random range, as Solarize.

    Args:
        threshold: the range (low, high) that both ends of the inverted range are drawn from, ints from 0 to 255. If both
            ends are the same number, all pixels from it on are inverted.

    Inputs:
        image: an array of uint8 of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: threshold is no list or tuple of ints.
        ValueError: one is not from 0 to 255, or the first is above the second.
        RuntimeError: an array is not of uint8.

    Examples:
        >>> image = np.array([[0, 100, 200, 255]], np.uint8)
        >>> print(vision.RandomSolarize(threshold=(150, 150))(image))
        [[  0 100  55   0]]
    """

    def __init__(self, threshold: Any = (0, 255)):
        pair = check_instance("RandomSolarize", "threshold", threshold, (list, tuple))
        self.threshold = [check_int32("RandomSolarize", "threshold", bound, 0, 255) for bound in pair]
        if len(self.threshold) != 2 or self.threshold[0] > self.threshold[1]:
            raise ValueError(f"For 'RandomSolarize', 'threshold' must be a range from low to high, but got {threshold}.")

    def of_bytes(self, image: Any) -> Any:
        low, high = sorted(int(bound) for bound in draws().integers(self.threshold[0], self.threshold[1] + 1, 2))
        array = np.asarray(image)
        if low == high:
            solarized = np.where(array >= low, 255 - array, array).astype(np.uint8)
        else:
            solarized = Solarize((low, high)).of_bytes(array)
        return pillow().fromarray(solarized) if is_pil(image) else solarized


class AdjustSharpness(ImageTransform):
    """Sharpens or blurs an image: smoothed + factor * (image - smoothed), where smoothed is its mean over 3 x 3 pixels, in
    which the middle one counts five times. Pixels at the border stay as they are.

    Args:
        sharpness_factor: the factor, at least 0: 0 gives the smoothed image, 1 the image itself, 2 a sharper one.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: sharpness_factor is no number.
        ValueError: it is negative.

    Examples:
        >>> image = np.array([[0, 0, 0], [0, 130, 0], [0, 0, 0]], np.uint8)
        >>> print(vision.AdjustSharpness(0.0)(image))
        [[ 0  0  0]
         [ 0 50  0]
         [ 0  0  0]]
    """

    def __init__(self, sharpness_factor: float):
        self.factor = check_number("AdjustSharpness", "sharpness_factor", sharpness_factor, 0)

    def array(self, image: Array) -> Any:
        return sharpness(image, float(self.factor))


class RandomSharpness(RandomImageTransform):
    """Sharpens or blurs an image by a random factor, as AdjustSharpness.

    Args:
        degrees: the range (low, high) that the factor is drawn from, numbers from 0 on.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: degrees is no list or tuple of two numbers.
        ValueError: one is negative, or the first is above the second.

    Examples:
        >>> image = np.array([[0, 0, 0], [0, 130, 0], [0, 0, 0]], np.uint8)
        >>> print(vision.RandomSharpness(degrees=(0.0, 0.0))(image))
        [[ 0  0  0]
         [ 0 50  0]
         [ 0  0  0]]
    """

    def __init__(self, degrees: Any = (0.1, 1.9)):
        pair = check_instance("RandomSharpness", "degrees", degrees, (list, tuple))
        self.degrees = bounds_of("RandomSharpness", "degrees", pair)

    def array(self, image: Any) -> Any:
        return sharpness(image, uniform(self.degrees))

    pil = array


class RandomAdjustSharpness(RandomImageTransform):
    """Sharpens or blurs an image by a fixed factor, as AdjustSharpness, with a probability.

    Args:
        degree: the factor, at least 0: 0 gives the smoothed image, 1 the image itself, 2 a sharper one.
        prob: the probability, from 0 to 1.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made if it is sharpened or
            blurred.

    Raises:
        TypeError: an argument is no number.
        ValueError: degree is negative, or prob not from 0 to 1.

    Examples:
        >>> image = np.array([[0, 0, 0], [0, 130, 0], [0, 0, 0]], np.uint8)
        >>> print(vision.RandomAdjustSharpness(degree=0.0, prob=1.0)(image))
        [[ 0  0  0]
         [ 0 50  0]
         [ 0  0  0]]
    """

    def __init__(self, degree: float, prob: float = 0.5):
        self.degree = check_number("RandomAdjustSharpness", "degree", degree, 0)
        self.prob = check_number("RandomAdjustSharpness", "prob", prob, 0, 1)

    def array(self, image: Array) -> Any:
        return sharpness(image, float(self.degree))


def _kernel(size: int, sigma: float) -> Any:
    """A Gaussian's weights in 256ths; what rounding leaves over goes to the next, from the ends to the middle."""
    sigma = sigma if sigma > 0 else 0.3 * ((size - 1) * 0.5 - 1) + 0.8
    places = np.arange(size) - (size - 1) / 2
    exact = np.exp(-(places**2) / (2 * sigma * sigma))
    exact /= exact.sum()
    weights, left = np.zeros(size, np.int64), 0.0
    for k in range(size // 2):
        weight = exact[k] * 256 + left
        weights[k] = weights[size - 1 - k] = int(np.rint(weight))
        left = weight - weights[k]
    weights[size // 2] = 256 - weights.sum()
    return weights


class GaussianBlur(ImageTransform):
    """Smooths an image by a Gaussian kernel; beyond the border the image is mirrored.

    Args:
        kernel_size: the size of the kernel in pixels, as (across, down), or one for both; odd and at least 1.
        sigma: the standard deviations in pixels, as (across, down), or one for both; None, or 0: they follow from the
            kernel's size n, 0.3 * ((n - 1) / 2 - 1) + 0.8.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a size is even or below 1, or a deviation negative.

    Examples:
        >>> image = np.array([[0, 0, 0], [0, 160, 0], [0, 0, 0]], np.uint8)
        >>> print(vision.GaussianBlur(3)(image))
        [[36 40 36]
         [40 44 40]
         [36 40 36]]
    """

    def __init__(self, kernel_size: Any, sigma: Any = None):
        where = "GaussianBlur"
        sizes = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        if not isinstance(sizes, (list, tuple)) or len(sizes) != 2:
            raise TypeError(f"For '{where}', 'kernel_size' must be an int or two, but got {kernel_size!r}.")
        for size in sizes:
            if check_int32(where, "kernel_size", size, 1) % 2 == 0:
                raise ValueError(f"For '{where}', 'kernel_size' must be odd, but got {kernel_size}.")
        sigmas = (sigma, sigma) if not isinstance(sigma, (list, tuple)) else sigma
        self.sizes = sizes
        self.sigmas = [0.0 if value is None else float(check_number(where, "sigma", value, 0)) for value in sigmas]

    def array(self, image: Array) -> Any:
        across, down = (_kernel(size, sigma) for size, sigma in zip(self.sizes, self.sigmas))
        if image.dtype == np.uint8 and image.size:
            pixels = np.ascontiguousarray(np.atleast_3d(image))
            blurred = np.empty(pixels.shape, np.uint8)
            core.smooth_pixels(pixels, across.astype(np.int32), down.astype(np.int32), blurred)
            return blurred.reshape(image.shape)
        work = image.astype(np.float64)
        return (_convolved(_convolved(work, across / 256, 1), down / 256, 0)).astype(image.dtype)


def _convolved(image: Array, weights: Array, axis: int) -> Any:
    reach = len(weights) // 2
    around = [(reach, reach) if at == axis else (0, 0) for at in range(image.ndim)]
    wide = np.pad(image, around, "reflect")
    return sum(weight * wide.take(range(k, k + image.shape[axis]), axis) for k, weight in enumerate(weights))
