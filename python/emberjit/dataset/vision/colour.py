"""Operations of colours: brightness, contrast, saturation, hue and what else changes values alone; of arrays by OpenCV's
rules, which are MindSpore's, of Pillow's images by Pillow."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_choice, check_instance, check_int32, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array, is_pil
from emberjit.dataset.vision.image import ImageTransform, RandomImageTransform, bounds_of, pillow, saturated, uniform
from emberjit.dataset.vision.kinds import ConvertMode


def gray(image: Any) -> Any:
    """The brightness of RGB, in 15 bits of fixed point for bytes."""
    if image.dtype == np.uint8:
        wide = image.astype(np.int32)
        return ((wide[..., 0] * 9798 + wide[..., 1] * 19235 + wide[..., 2] * 3735 + (1 << 14)) >> 15).astype(np.uint8)
    weights = np.asarray([0.299, 0.587, 0.114], np.float32)
    return image[..., 0] * weights[0] + image[..., 1] * weights[1] + image[..., 2] * weights[2]


def blended(first: Any, second: Any, share: float) -> Any:
    """share of the first, the rest of the second."""
    own, other = np.float32(share), np.float32(1) - np.float32(share)
    part = first.astype(np.float32) * own
    total = np.asarray(second, np.float64) * float(other) + part  # rounded once, as a fused multiply-add
    return saturated(total.astype(np.float32), first.dtype)


def brightness(image: Any, factor: float) -> Any:
    """Pixels times a factor."""
    if is_pil(image):
        return pillow("ImageEnhance").Brightness(image).enhance(factor)
    return saturated(image.astype(np.float32) * np.float32(factor), image.dtype)


def contrast(image: Any, factor: float) -> Any:
    """Pixels away from the mean brightness."""
    if is_pil(image):
        return pillow("ImageEnhance").Contrast(image).enhance(factor)
    mean = gray(image).mean(dtype=np.float64)
    return blended(image, int(mean + 0.5) if image.dtype == np.uint8 else mean, factor)


def saturation(image: Any, factor: float) -> Any:
    """Pixels away from their gray."""
    if is_pil(image):
        return pillow("ImageEnhance").Color(image).enhance(factor)
    return blended(image, gray(image)[..., None], factor)


def hue_shifted(image: Any, factor: float) -> Any:
    """Hues turned by a factor of a full turn."""
    if is_pil(image):
        if image.mode in ("L", "1", "I", "F"):
            return image
        hue, share, value = image.convert("HSV").split()
        turned = (np.asarray(hue).astype(np.int64) + int(factor * 255)).astype(np.uint8)
        return pillow().merge("HSV", (pillow().fromarray(turned), share, value)).convert(image.mode)
    if image.dtype != np.uint8:
        return _hue_of_floats(image, factor)
    image = image if image.strides[2] == 1 else np.ascontiguousarray(image)
    output = np.empty(image.shape, np.uint8)
    if image.size:
        core.turn_hues(image, int(factor * 255), output)
    return output


def _hue_of_floats(image: Array, factor: float) -> Any:
    hue, share, value = np.moveaxis(rgb_to_hsv(image.astype(np.float64)), -1, 0)
    return hsv_to_rgb(np.stack([(hue + factor) % 1.0, share, value], -1)).astype(image.dtype)


def rgb_to_hsv(image: Array) -> Any:
    """Hue, saturation and value of RGB in the last axis, from 0 to 1 if the colours are."""
    red, green, blue = image[..., 0], image[..., 1], image[..., 2]
    value = image.max(-1)
    spread = value - image.min(-1)
    safe = np.where(spread == 0, 1, spread)
    turns = [(value - channel) / safe for channel in (red, green, blue)]
    hue = np.where(red == value, turns[2] - turns[1], 4 + turns[1] - turns[0])
    hue = np.where((green == value) & (red != value), 2 + turns[0] - turns[2], hue)
    hue = np.where(spread == 0, 0, hue / 6) % 1.0
    return np.stack([hue, np.where(spread == 0, 0, spread / np.where(value == 0, 1, value)), value], -1)


def hsv_to_rgb(image: Array) -> Any:
    """RGB of hue, saturation and value in the last axis."""
    hue, share, value = image[..., 0], image[..., 1], image[..., 2]
    sector = np.floor(hue * 6).astype(np.int64)
    rest = hue * 6 - sector
    p, q, t = value * (1 - share), value * (1 - share * rest), value * (1 - share * (1 - rest))
    choices = [[value, t, p], [q, value, p], [p, value, t], [p, q, value], [t, p, value], [value, p, q]]
    channels = [np.choose(sector % 6, [choice[k] for choice in choices]) for k in range(3)]
    return np.stack(channels, -1)


class _Adjust(ImageTransform):
    function: Any = None
    low, high = 0.0, float("inf")
    name = ""

    def __init__(self, factor: float):
        self.factor = check_number(type(self).__name__, self.name, factor, self.low, self.high)

    def array(self, image: Any) -> Any:
        if not is_pil(image) and (image.ndim != 3 or image.shape[2] != 3) and self.name != "brightness_factor":
            raise self.refuse(f"an image must be of shape (H, W, 3), but is of {list(image.shape)}")
        return type(self).function(image, float(self.factor))

    pil = array


class AdjustBrightness(_Adjust):
    """Multiplies the pixels of an image by a factor.

    Args:
        brightness_factor: the factor, at least 0: 0 makes the image black, 1 leaves it as it is.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind and dtype.

    Raises:
        TypeError: the factor is no number.
        ValueError: it is negative.

    Examples:
        >>> image = np.array([[[10, 20, 200]]], np.uint8)
        >>> print(vision.AdjustBrightness(2.0)(image))
        [[[ 20  40 255]]]
    """

    function, name = staticmethod(brightness), "brightness_factor"

    def __init__(self, brightness_factor: float):
        super().__init__(brightness_factor)


class AdjustContrast(_Adjust):
    """Moves the pixels of an image away from its mean brightness, or towards it: mean + factor * (image - mean).

    Args:
        contrast_factor: the factor, at least 0: 0 makes the image gray all over, 1 leaves it as it is.

    Inputs:
        image: an array of RGB of shape (H, W, 3), or a Pillow image; the result is of the same kind and dtype.

    Raises:
        TypeError: the factor is no number.
        ValueError: it is negative.
        RuntimeError: an array is of another shape.

    Examples:
        >>> image = np.array([[[100, 100, 100], [120, 120, 120]]], np.uint8)
        >>> print(vision.AdjustContrast(2.0)(image))
        [[[ 90  90  90]
          [130 130 130]]]
    """

    function, name = staticmethod(contrast), "contrast_factor"

    def __init__(self, contrast_factor: float):
        super().__init__(contrast_factor)


class AdjustSaturation(_Adjust):
    """Moves the colour of each pixel away from its gray, or towards it: gray + factor * (image - gray).

    Args:
        saturation_factor: the factor, at least 0: 0 makes the image gray, 1 leaves it as it is.

    Inputs:
        image: an array of RGB of shape (H, W, 3), or a Pillow image; the result is of the same kind and dtype.

    Raises:
        TypeError: the factor is no number.
        ValueError: it is negative.
        RuntimeError: an array is of another shape.

    Examples:
        >>> image = np.array([[[100, 100, 200]]], np.uint8)
        >>> print(vision.AdjustSaturation(0.0)(image))
        [[[111 111 111]]]
    """

    function, name = staticmethod(saturation), "saturation_factor"

    def __init__(self, saturation_factor: float):
        super().__init__(saturation_factor)


class AdjustHue(_Adjust):
    """Turns the hue of each pixel around the circle of colours.

    Args:
        hue_factor: the turn, from -0.5 to 0.5 of a full one: 0 leaves the image as it is, 1/3 makes green of red.

    Inputs:
        image: an array of RGB of shape (H, W, 3), floats from 0 to 1, or a Pillow image; the result is of the same kind and
            dtype.

    Raises:
        TypeError: the factor is no number.
        ValueError: it is not from -0.5 to 0.5.
        RuntimeError: an array is of another shape.

    Examples:
        >>> red = np.array([[[255, 0, 0]]], np.uint8)
        >>> print(vision.AdjustHue(0.5)(red))
        [[[  0 255 252]]]
    """

    function, name, low, high = staticmethod(hue_shifted), "hue_factor", -0.5, 0.5

    def __init__(self, hue_factor: float):
        super().__init__(hue_factor)


class AdjustGamma(ImageTransform):
    """Applies gamma correction: gain * image ** gamma, where bytes stand for numbers from 0 to 1.

    Args:
        gamma: the power, at least 0: above 1 shadows get darker, below 1 lighter.
        gain: a factor of the result.

    Inputs:
        image: an array of 2 to 8 axes, of uint8 or of floats from 0 to 1, or a Pillow image; the result is of the same kind
            and dtype.

    Raises:
        TypeError: an argument is no number.
        ValueError: gamma is negative.

    Examples:
        >>> image = np.array([[0, 64, 128, 255]], np.uint8)
        >>> print(vision.AdjustGamma(gamma=2.0)(image))
        [[  0  16  64 255]]
    """

    ranks = tuple(range(2, 9))

    def __init__(self, gamma: float, gain: float = 1):
        self.gamma = check_number("AdjustGamma", "gamma", gamma, 0)
        self.gain = check_number("AdjustGamma", "gain", gain, -np.inf)

    def array(self, image: Array) -> Any:
        if image.dtype.kind == "f":
            powers = core.Tensor(image.astype(np.promote_types(image.dtype, np.float32))) ** float(np.float32(self.gamma))
            return np.clip(powers.asnumpy() * np.float32(self.gain), 0, 1).astype(image.dtype)
        return np.clip(self._table(), 0, 255).astype(np.uint8)[image]

    def _table(self) -> list[int]:
        return [int((255 + 1 - 1e-3) * self.gain * pow(k / 255.0, self.gamma)) for k in range(256)]

    def pil(self, image: Any) -> Any:
        """Of a Pillow image."""
        return image.convert("RGB").point(self._table() * 3).convert(image.mode)


class RandomColorAdjust(RandomImageTransform):
    """Changes brightness, contrast, saturation and hue by random amounts, in random order.

    Args:
        brightness: the range (low, high) that the factor of AdjustBrightness is drawn from, or one number d for (1 - d, 1 +
            d), from 0 on.
        contrast: the same for AdjustContrast.
        saturation: the same for AdjustSaturation.
        hue: the range of the turn of AdjustHue, from -0.5 to 0.5, or one number h for (-h, h).

    Inputs:
        image: an array of RGB of shape (H, W, 3), or a Pillow image; the result is of the same kind and dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range, or a range's first is above its second.
        RuntimeError: an array is of another shape.

    Examples:
        >>> image = np.array([[[10, 20, 200]]], np.uint8)
        >>> print(vision.RandomColorAdjust(brightness=(2, 2))(image))
        [[[ 20  40 255]]]
    """

    def __init__(self, brightness: Any = (1, 1), contrast: Any = (1, 1), saturation: Any = (1, 1), hue: Any = (0, 0)):
        where = "RandomColorAdjust"
        self.ranges = [
            bounds_of(where, name, value)
            for name, value in (("brightness", brightness), ("contrast", contrast), ("saturation", saturation))
        ]
        self.ranges.append(bounds_of(where, "hue", hue, 0.0, -0.5, 0.5))

    def array(self, image: Any) -> Any:
        if not is_pil(image) and (image.ndim != 3 or image.shape[2] != 3):
            raise self.refuse(f"an image must be of shape (H, W, 3), but is of {list(image.shape)}")
        functions = (brightness, contrast, saturation, hue_shifted)
        for k in draws().permutation(4):
            factor = uniform(self.ranges[k])
            if factor != (0 if k == 3 else 1):
                image = functions[k](image, factor)
        return image

    pil = array


class RandomColor(RandomImageTransform):
    """Changes the saturation of an image by a random factor, as AdjustSaturation.

    Args:
        degrees: the range (low, high) that the factor is drawn from, numbers from 0 on: 0 is gray, 1 the image itself.

    Inputs:
        image: an array of RGB of shape (H, W, 3), or a Pillow image; the result is of the same kind and dtype.

    Raises:
        TypeError: degrees is no list or tuple of two numbers.
        ValueError: one is negative, or the first is above the second.

    Examples:
        >>> image = np.array([[[100, 100, 200]]], np.uint8)
        >>> print(vision.RandomColor(degrees=(0.0, 0.0))(image))
        [[[111 111 111]]]
    """

    def __init__(self, degrees: Any = (0.1, 1.9)):
        self.degrees = bounds_of("RandomColor", "degrees", check_instance("RandomColor", "degrees", degrees, (list, tuple)))

    def array(self, image: Any) -> Any:
        return saturation(image, uniform(self.degrees))

    pil = array


class Grayscale(ImageTransform):
    """Makes a Pillow image gray.

    Args:
        num_output_channels: the number of channels of the result: 1, or 3 that are equal.

    Inputs:
        image: a Pillow image, as ToPIL() gives.

    Raises:
        TypeError: num_output_channels is no int; the image is an array.
        ValueError: it is neither 1 nor 3.

    Examples:
        >>> image = vision.ToPIL()(np.array([[[100, 100, 200]]], np.uint8))
        >>> print(np.asarray(vision.Grayscale(3)(image)))
        [[[111 111 111]]]
    """

    only_pil = True

    def __init__(self, num_output_channels: int = 1):
        check_int32("Grayscale", "num_output_channels", num_output_channels)
        self.channels = check_choice("Grayscale", "num_output_channels", num_output_channels, 1, 3)

    def pil(self, image: Any) -> Any:
        """The brightness."""
        converted = image.convert("L")
        return converted if self.channels == 1 else pillow().merge("RGB", (converted,) * 3)


class RandomGrayscale(RandomImageTransform):
    """Makes a Pillow image gray with a probability; it keeps its number of channels.

    Args:
        prob: the probability, from 0 to 1.

    Inputs:
        image: a Pillow image, as ToPIL() gives.

    Raises:
        TypeError: prob is no number; the image is an array.
        ValueError: it is not from 0 to 1.

    Examples:
        >>> image = vision.ToPIL()(np.array([[[100, 100, 200]]], np.uint8))
        >>> print(np.asarray(vision.RandomGrayscale(prob=1.0)(image)))
        [[[111 111 111]]]
    """

    only_pil = True

    def __init__(self, prob: float = 0.1):
        self.prob = check_number("RandomGrayscale", "prob", prob, 0, 1)

    def pil(self, image: Any) -> Any:
        """The brightness."""
        return Grayscale(1 if image.mode == "L" else 3).pil(image)


class RandomLighting(RandomImageTransform):
    """Adds light of a random colour, along the principal components of the colours of photographs, to all pixels alike (A.
    Krizhevsky, I. Sutskever, G. Hinton, "ImageNet classification with deep convolutional networks", 2012).

    Args:
        alpha: the standard deviation of the strength, at least 0; 0 leaves the image as it is.

    Inputs:
        image: an array of RGB of shape (H, W, 3), or a Pillow image, of which an array is made.

    Raises:
        TypeError: alpha is no number.
        ValueError: it is negative.

    Examples:
        >>> ds.config.set_seed(1)
        >>> image = np.full((1, 1, 3), 128, np.uint8)
        >>> print(vision.RandomLighting(alpha=0.5)(image))
        [[[124 122 121]]]
    """

    _VALUES = (55.46, 4.794, 1.148)
    _VECTORS = ((-0.5675, 0.7192, 0.4009), (-0.5808, -0.0045, -0.8140), (-0.5836, -0.6948, 0.4203))

    def __init__(self, alpha: float = 0.05):
        self.alpha = check_number("RandomLighting", "alpha", alpha, 0)

    def array(self, image: Array) -> Any:
        strengths = draws().normal(0, self.alpha, 3) if self.alpha else np.zeros(3)
        return saturated(image + np.asarray(self._VECTORS) @ (strengths * self._VALUES), image.dtype)


class _HsvTransform(ImageTransform):
    ranks = (3, 4)
    function: Any = None

    def __init__(self, is_hwc: bool = False):
        self.is_hwc = check_bool(type(self).__name__, "is_hwc", is_hwc)

    def array(self, image: Array) -> Any:
        last = image if self.is_hwc else np.moveaxis(image, -3, -1)
        converted = type(self).function(last.astype(np.float64))
        return np.ascontiguousarray(converted if self.is_hwc else np.moveaxis(converted, -1, -3))


class RgbToHsv(_HsvTransform):
    """Converts RGB to hue, saturation and value, in float64.

    Args:
        is_hwc: whether channels are last; False: an image is of shape (C, H, W).

    Inputs:
        image: an array of shape (C, H, W) or (H, W, C), with or without a batch axis before; of RGB from 0 to 1 all three
            results are from 0 to 1.

    Raises:
        TypeError: is_hwc is no bool.

    Examples:
        >>> blue = np.array([[[0.0, 0.0, 1.0]]])
        >>> print(vision.RgbToHsv(is_hwc=True)(blue))
        [[[0.66666667 1.         1.        ]]]
    """

    function = staticmethod(rgb_to_hsv)


class HsvToRgb(_HsvTransform):
    """Converts hue, saturation and value to RGB, in float64; the inverse of RgbToHsv.

    Args:
        is_hwc: whether channels are last; False: an image is of shape (C, H, W).

    Inputs:
        image: an array of shape (C, H, W) or (H, W, C), with or without a batch axis before, of numbers from 0 to 1.

    Raises:
        TypeError: is_hwc is no bool.

    Examples:
        >>> green = np.array([[[1 / 3, 1.0, 1.0]]])
        >>> print(vision.HsvToRgb(is_hwc=True)(green))
        [[[0. 1. 0.]]]
    """

    function = staticmethod(hsv_to_rgb)


class ConvertColor(ImageTransform):
    """Converts an image to another order of channels, with or without alpha, or to gray.

    Args:
        convert_mode: a ConvertMode, whose name says from what to what, as COLOR_RGB2BGR. Alpha that is added is opaque.

    Inputs:
        image: an array of shape (H, W, C), or (H, W) if it is gray, with the channels that the mode begins with; or a Pillow
            image, of which an array is made.

    Raises:
        TypeError: convert_mode is no ConvertMode.
        RuntimeError: the image has another number of channels.

    Examples:
        >>> image = np.array([[[10, 20, 200]]], np.uint8)
        >>> print(vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGR)(image))
        [[[200  20  10]]]
        >>> print(vision.ConvertColor(vision.ConvertMode.COLOR_RGB2RGBA)(image))
        [[[ 10  20 200 255]]]
    """

    def __init__(self, convert_mode: Any):
        self.mode = check_instance("ConvertColor", "convert_mode", convert_mode, ConvertMode)

    def array(self, image: Array) -> Any:
        source, _, target = self.mode.name.removeprefix("COLOR_").partition("2")
        channels = 1 if source == "GRAY" else len(source)
        actual = 1 if image.ndim == 2 else image.shape[2]
        if actual != channels:
            raise self.refuse(f"{self.mode.name} is of {channels} channels, but the image has {actual}")
        most = np.iinfo(image.dtype).max if image.dtype.kind in "iu" else 1
        if source == "GRAY":
            planes = dict.fromkeys("RGB", image.reshape(image.shape[:2]))
        else:
            planes = {name: image[..., k] for k, name in enumerate(source)}
        if target == "GRAY":
            return gray(np.stack([planes[name] for name in "RGB"], -1))
        planes.setdefault("A", np.full(image.shape[:2], most, image.dtype))
        return np.stack([planes[name] for name in target], -1)
