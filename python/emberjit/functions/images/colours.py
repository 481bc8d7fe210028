"""Colours of pixels: red, green and blue, or hue, saturation and value, along the last axis."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_rank
from emberjit.functions.arguments import working
from emberjit.publish.kinds import DType, Number, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _channels(name: str, argument: str, images: Tensor, least: int) -> list[Any]:
    """The three channels of images, in the dtype to compute in.

    Raises:
        TypeError: images is not of floats.
        ValueError: it has too few axes, or not three channels.
    """
    check_floating(name, **{argument: images})
    if images.ndim < least or images.shape[-1] != 3:
        raise ValueError(
            f"For '{name}', '{argument}' must have at least {least} axes, the last of size 3, but its shape is "
            f"{tuple(images.shape)}."
        )
    x = working(images)
    return [_ops.select_at(x, i, images.ndim - 1) for i in range(3)]


def _hsv(red: Tensor, green: Tensor, blue: Tensor) -> tuple[Any, Any, Any]:
    value = _ops.maximum(_ops.maximum(red, green), blue)
    spread = value - _ops.minimum(_ops.minimum(red, green), blue)
    coloured = spread > 0
    span = _ops.select(coloured, spread, 1.0) * 6
    of_blue = (red - green) / span + 4 / 6
    of_green = (blue - red) / span + 2 / 6
    of_red = (green - blue) / span
    hue = _ops.select(_ops.equal(green, value), of_green, of_blue)
    hue = _ops.select(_ops.equal(red, value), _ops.select(of_red < 0, of_red + 1, of_red), hue)
    bright = value > 0
    saturation = _ops.select(bright, spread / _ops.select(bright, value, 1.0), 0.0)
    return _ops.select(coloured, hue, 0.0), saturation, value


def _rgb(hue: Tensor, saturation: Tensor, value: Tensor) -> tuple[Any, ...]:
    at = hue * 6
    distances = _ops.abs(at - 3) - 1, 2 - _ops.abs(at - 2), 2 - _ops.abs(at - 4)
    return tuple((1 - saturation + saturation * _ops.clip(distance, 0, 1)) * value for distance in distances)


def _image(channels: Any, like: Tensor) -> Any:
    return _ops.cast(_ops.stack(list(channels), like.ndim - 1), like.dtype)


@publish("ops.RGBToHSV", numpy="pixels.rgb_to_hsv(images)", samples="f64(2, 3, 3); f32(3); f16(1, 2, 2, 3)")
def rgb_to_hsv(images: Tensor) -> Any:
    """Hue, saturation and value, within [0, 1], of red, green and blue within [0, 1], along the last axis (..., 3).

    Method: A. R. Smith, Color gamut transform pairs (1978).

    Raises:
        TypeError: images is not of floats.
        ValueError: there are not three channels.
    """
    return _image(_hsv(*_channels("RGBToHSV", "images", images, 1)), images)


@publish("ops.HSVToRGB", numpy="pixels.hsv_to_rgb(x)", samples="abs(f64(1, 2, 3, 3)) / 2; abs(f32(1, 1, 2, 3)) / 2")
def hsv_to_rgb(x: Tensor) -> Any:
    """Red, green and blue of hue, saturation and value within [0, 1], along the last axis (N, H, W, 3). See RGBToHSV.

    Raises:
        TypeError: x is not of floats.
        ValueError: there are not four axes, or not three channels.
    """
    check_rank("HSVToRGB", "x", x, 4)
    return _image(_rgb(*_channels("HSVToRGB", "x", x, 4)), x)


def _scalar(name: str, argument: str, value: Any, dtype: DType) -> Any:
    """A number, or a Tensor of one in a dtype.

    Raises:
        ValueError: the Tensor has axes.
    """
    if not isinstance(value, core.Tensor):
        return value
    if value.ndim:
        raise ValueError(f"For '{name}', '{argument}' must have no axes, but its shape is {tuple(value.shape)}.")
    return _ops.cast(value, dtype)


@publish(
    "ops.AdjustHue()(image, delta)",
    numpy="""pixels.hsv_to_rgb(np.stack([(pixels.rgb_to_hsv(image)[..., 0] + delta) % 1,
    *np.moveaxis(pixels.rgb_to_hsv(image), -1,
    0)[1:]], -1))""",
    samples="abs(f64(2, 3, 3)), f64(); f32(1, 2, 2, 3) + 2, f32()",
)
def adjust_hue(image: Tensor, delta: Number) -> Any:
    """Images (..., H, W, 3) of red, green and blue with delta, one number, added to hues, of which 1 is 0.

    Raises:
        TypeError: image is not of floats.
        ValueError: image has less than three axes, not three channels, or delta has axes.
    """
    hue, saturation, value = _hsv(*_channels("AdjustHue", "image", image, 3))
    new_hue = _ops.floor_mod(hue + _scalar("AdjustHue", "delta", delta, hue.dtype), 1.0)
    return _image(_rgb(new_hue, saturation, value), image)


@publish(
    "ops.AdjustSaturation()(image, scale)",
    numpy="""(lambda hsv: pixels.hsv_to_rgb(np.stack([hsv[..., 0], np.clip(hsv[..., 1] * scale, 0, 1), hsv[..., 2]], -1)))(
    pixels.rgb_to_hsv(image))""",
    samples="abs(f64(2, 3, 3)), abs(f64()); f32(1, 2, 2, 3) + 2, abs(f32())",
)
def adjust_saturation(image: Tensor, scale: Number) -> Any:
    """Images (..., H, W, 3) of red, green and blue with saturations times scale, one number, within [0, 1].

    Raises:
        TypeError: image is not of floats.
        ValueError: image has less than three axes, not three channels, or scale has axes.
    """
    hue, saturation, value = _hsv(*_channels("AdjustSaturation", "image", image, 3))
    factor = _scalar("AdjustSaturation", "scale", scale, hue.dtype)
    return _image(_rgb(hue, _ops.clip(saturation * factor, 0, 1), value), image)
