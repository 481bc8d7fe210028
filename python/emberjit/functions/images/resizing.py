"""Images, signals and volumes of other sizes: interpolation axis by axis."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_int, check_rank
from emberjit.functions.arguments import ints_of, working
from emberjit.functions.images import interpolation
from emberjit.publish.kinds import DType, Tensor
from emberjit.publish.registry import publish

_ops = core.ops

_AXES = {  # how many axes each mode resizes
    **{"nearest": (1, 2, 3), "nearest-exact": (1, 2, 3), "area": (1, 2, 3)},
    **{"linear": (1,), "bilinear": (2,), "bicubic": (2,), "trilinear": (3,)},
}
_RULES = {"nearest": "start", "nearest-exact": "middle"}  # others are "half_pixel"
_OPTIONS = "size, scale_factor, mode, align_corners, recompute_scale_factor"
_KINDS = {"nearest": "nearest", "nearest-exact": "nearest", "bicubic": "cubic"}  # others are "linear"


def _scales(name: str, scale_factor: Any, axes: int) -> tuple[float, ...]:
    scales = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * axes
    if not all(isinstance(scale, (int, float, core.Number)) and not isinstance(scale, bool) for scale in scales):
        raise TypeError(f"For '{name}', 'scale_factor' must be a number or {axes} of them, but got {scale_factor!r}.")
    if len(scales) != axes:
        raise ValueError(f"For '{name}', 'scale_factor' must be one number or {axes}, but got {scale_factor!r}.")
    if any(not scale > 0 for scale in scales):
        raise ValueError(f"For '{name}', 'scale_factor' must be positive, but got {scale_factor!r}.")
    return scales


def _check_mode(name: str, input: Tensor, mode: str, align_corners: bool | None) -> int:
    """The number of axes to resize."""
    check_choice(name, "mode", mode, *_AXES)
    if input.ndim - 2 not in _AXES[mode]:
        ranks = " or ".join(str(axes + 2) for axes in _AXES[mode])
        raise ValueError(
            f"For '{name}', an input of mode '{mode}' must have {ranks} axes, but its shape is {tuple(input.shape)}."
        )
    if any(size == 0 for size in input.shape[2:]):
        raise ValueError(f"For '{name}', 'input' must have elements to resize, but its shape is {tuple(input.shape)}.")
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ValueError(f"For '{name}', 'align_corners' must be None for mode '{mode}', but got {align_corners}.")
    if mode not in ("nearest", "nearest-exact"):
        check_floating(name, input=input)
    return int(input.ndim - 2)


def _resized(input: Tensor, sizes: tuple[int, ...], rule: str, kind: str, scales: Any = None) -> Any:
    """The input interpolated to sizes along its axes after the channels."""
    x = input if kind == "nearest" else working(input)
    for i, size in reversed([*enumerate(sizes)]):
        at = interpolation.positions(x.shape[2 + i], size, rule, None if scales is None else scales[i])
        x = interpolation.along_axis(x, 2 + i, at + 0.5 if (rule, kind) == ("corners", "nearest") else at, kind)
    return _ops.cast(x, input.dtype)


@publish(
    f"""ops.interpolate(input, {_OPTIONS}) ops.upsample(input, {_OPTIONS}) nn.Upsample({_OPTIONS})(input as x)
    mint.nn.functional.interpolate(input, {_OPTIONS}, sharp := True) mint.nn.Upsample({_OPTIONS}, sharp := True)(input)
    mint.nn.functional.upsample(input, size, scale_factor, mode, align_corners, sharp := True)
    mint.nn.UpsamplingNearest2d(size, scale_factor, mode := 'nearest')(input)
    mint.nn.UpsamplingBilinear2d(size, scale_factor, mode := 'bilinear', align_corners := True)(input)""",
    numpy="pixels.interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, sharp)",
    samples="""f32(1, 2, 5), 3; f32(1, 2, 3), None, 2.0; f32(1, 2, 3, 4), (5, 3); f32(1, 1, 2, 3, 4), None, (1.5, 2, 0.5);
    i32(1, 2, 3), 7; f32(2, 1, 3, 4), None, 1.4, 'nearest-exact'; f32(1, 2, 5), 3, None, 'area'; f32(1, 2, 5, 4), (2, 3),
    None, 'area'; f32(1, 2, 4), 7, None, 'linear'; f64(1, 2, 4), 1, None, 'linear', True; f32(1, 2, 4, 3), None, (1.3, 2.2),
    'bilinear'; f32(1, 2, 4, 3), None, (1.3, 2.2), 'bilinear', False, True; f16(1, 1, 4, 3), (2, 5), None, 'bilinear', True;
    f32(1, 1, 4, 3), (6, 5), None, 'bicubic'; f32(1, 1, 3, 4), (2, 7), None, 'bicubic', None, None, True; f32(1, 1, 2,
    3, 4), (3, 2, 5),
    None, 'trilinear'; f32(1, 1, 2, 2, 3), 4, None, 'trilinear', True""",
)
def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    sharp: bool = False,
) -> Any:
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.

    Args:
        size: the sizes of the axes after the channels, or one for all; None for those times scale_factor, rounded down.
        scale_factor: how much larger each of them becomes, or one number for all; None if size is given.
        mode: "nearest" takes the element at the start of each new pixel, "nearest-exact" at its middle, "area" the mean of
            what is below it; "linear" (signals), "bilinear", "bicubic" (images) and "trilinear" (volumes) interpolate.
        align_corners: whether the first and last elements, not the edges of pixels, stay where they are; for the last four.
        recompute_scale_factor: whether positions follow from the sizes, and not from the scale_factor that gave them.
        sharp: whether the coefficient is -0.75.

    Raises:
        TypeError: input is not of floats, nearest modes excepted, or another argument of another type.
        ValueError: the mode does not take such an input, a number is not positive, or not exactly one of size and
            scale_factor is given.
    """
    axes = _check_mode("interpolate", input, mode, align_corners)
    if (size is None) == (scale_factor is None):
        raise ValueError(f"For 'interpolate', give either 'size' or 'scale_factor', but got {size!r} and {scale_factor!r}.")
    if recompute_scale_factor and scale_factor is None:
        raise ValueError("For 'interpolate', 'recompute_scale_factor' must not be True where 'size' is given.")
    scales = None if scale_factor is None else _scales("interpolate", scale_factor, axes)
    if scales is None:
        sizes = ints_of("interpolate", "size", size, axes, 1)
    else:
        sizes = tuple(math.floor(old * scale) for old, scale in zip(input.shape[2:], scales))
        sizes = ints_of("interpolate", "input's sizes times 'scale_factor'", sizes, axes, 1)
    if mode == "area":
        return core.op_table[f"adaptive_avg_pool{axes}d"](input, sizes)
    rule = "corners" if align_corners else _RULES.get(mode, "half_pixel")
    kind = "inner cubic" if mode == "bicubic" and not (sharp or align_corners) else _KINDS.get(mode, "linear")
    return _resized(input, sizes, rule, kind, None if recompute_scale_factor else scales)


def _legacy(name: str, image: Tensor, size: Any, align_corners: bool, half_pixel_centers: bool, kind: str) -> Any:
    """Images (N, C, H, W) interpolated to a size; the first element stays where it is, or what else is asked for."""
    check_rank(name, "image", image, 4)
    if kind != "nearest":
        check_floating(name, image=image)
    if align_corners and half_pixel_centers:
        raise ValueError(f"For '{name}', 'align_corners' and 'half_pixel_centers' must not both be True.")
    if any(old == 0 for old in image.shape[2:]):
        raise ValueError(f"For '{name}', 'image' must have elements to resize, but its shape is {tuple(image.shape)}.")
    centred = "middle" if kind == "nearest" else "half_pixel"
    rule = "corners" if align_corners else centred if half_pixel_centers else "start"
    return _resized(image, ints_of(name, "size", size, 2, 1), rule, kind)


_RULE = "'corners' if align_corners else 'half_pixel' if half_pixel_centers else 'start'"
_SAMPLES = """f32(1, 2, 3, 4), (5, 3); f32(2, 1, 4, 3), (2, 6), True; f16(1, 1, 3, 2), (4, 5), False, True;
f64(1, 1, 2, 3), (1, 1)"""


@publish(
    """ops.ResizeNearestNeighbor(size, align_corners, half_pixel_centers)(image as input_x)
    ops.ResizeNearestNeighborV2(align_corners, half_pixel_centers)(image as image|images, size)""",
    numpy=f"pixels.resized(image, size, {_RULE}, 'nearest')",
    samples=_SAMPLES + "; i32(1, 2, 3, 4), (6, 8)",
)
def resize_nearest(image: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Images (N, C, H, W) resized: each element is the one below it in the original, of whose pixels it takes the starts.

    Args:
        size: (new height, new width).
        align_corners: whether the first and last elements stay where they are; the nearest is taken then.
        half_pixel_centers: whether the middles of pixels are taken, and the outer edges stay where they are.

    Raises:
        TypeError: size is not of ints.
        ValueError: image has not four axes, a size is not positive, or both of the last arguments are True.
    """
    return _legacy("ResizeNearestNeighbor", image, size, align_corners, half_pixel_centers, "nearest")


@publish(
    """ops.ResizeBilinear(size, align_corners, half_pixel_centers)(image as x)
    ops.ResizeBilinearV2(align_corners, half_pixel_centers)(image, size)""",
    numpy=f"pixels.resized(image, size, {_RULE}, 'linear')",
    samples=_SAMPLES,
)
def resize_bilinear(image: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Images (N, C, H, W) resized by linear interpolation along both axes.

    Args:
        size: (new height, new width).
        align_corners: whether the first and last elements stay where they are, not only the first ones.
        half_pixel_centers: whether the outer edges of pixels stay where they are.

    Raises:
        TypeError: size is not of ints, or image not of floats.
        ValueError: image has not four axes, a size is not positive, or both of the last arguments are True.
    """
    return _legacy("ResizeBilinearV2", image, size, align_corners, half_pixel_centers, "linear")


@publish(
    "nn.ResizeBilinear(half_pixel_centers)(x, size, scale_factor, align_corners)",
    numpy=f"""pixels.resized(x, size or [n * scale_factor for n in x.shape[2:]], {_RULE}, 'linear')""",
    samples="f32(1, 2, 3, 4), (5, 2); f32(2, 1, 3, 2), None, 2; f32(1, 1, 3, 3), (5, 5), None, False, True",
)
def resize_bilinear_by(
    x: Tensor, size: Any = None, scale_factor: Any = None, align_corners: bool = False, half_pixel_centers: bool = False
) -> Any:
    """Images (N, C, H, W) resized by linear interpolation along both axes; the Cell that former versions of MindSpore had.

    Args:
        size: (new height, new width).
        scale_factor: or by how much both grow, an int.
        align_corners: whether the first and last elements stay where they are, not only the first ones.
        half_pixel_centers: whether the outer edges of pixels stay where they are.

    Raises:
        TypeError: size is not of ints, or scale_factor no int.
        ValueError: both or none of size and scale_factor are given, or a size is not positive.
    """
    if (size is None) == (scale_factor is None):
        raise ValueError(
            f"For 'ResizeBilinear', either 'size' or 'scale_factor' must be given, but got {size!r} and {scale_factor!r}."
        )
    if size is None:
        check_int("ResizeBilinear", "scale_factor", scale_factor, 1)
        size = tuple(n * scale_factor for n in x.shape[2:])
    return resize_bilinear(x, size, align_corners, half_pixel_centers)


@publish(
    "ops.ResizeBicubic(align_corners, half_pixel_centers)(image as images, size)",
    numpy=f"pixels.resized(image, size, {_RULE}, 'inner cubic' if half_pixel_centers else 'cubic')",
    samples=_SAMPLES,
)
def resize_bicubic(image: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Images (N, C, H, W) resized by cubic convolution along both axes (Keys 1981).

    Args:
        size: (new height, new width).
        align_corners: whether the first and last elements stay where they are, not only the first ones.
        half_pixel_centers: whether the outer edges of pixels stay where they are; the coefficient is -0.5 then, not -0.75,
            and the weights are those of elements that there are.

    Raises:
        TypeError: size is not of ints, or image not of floats.
        ValueError: image has not four axes, a size is not positive, or both of the last arguments are True.
    """
    kind = "inner cubic" if half_pixel_centers else "cubic"
    return _legacy("ResizeBicubic", image, size, align_corners, half_pixel_centers, kind)


@publish(
    "ops.ResizeLinear1D(coordinate_transformation_mode)(x, size)",
    numpy="""pixels.resized(x, size, {'align_corners': 'corners', 'asymmetric': 'start', 'half_pixel': 'half_pixel'}[
    coordinate_transformation_mode], 'linear')""",
    samples="f32(1, 2, 4), 6; f32(2, 1, 3), (2,), 'half_pixel'; f64(1, 1, 5), [3], 'asymmetric'",
)
def resize_linear(x: Tensor, size: Any, coordinate_transformation_mode: str = "align_corners") -> Any:
    """Signals (N, C, W) resized by linear interpolation.

    Args:
        size: the new width.
        coordinate_transformation_mode: what stays where it is: "align_corners", the first and last elements; "half_pixel",
            the outer edges of pixels; "asymmetric", the first element.

    Raises:
        TypeError: size is no int, or x not of floats.
        ValueError: x has not three axes, the size is not positive, or another mode.
    """
    rules = {"align_corners": "corners", "half_pixel": "half_pixel", "asymmetric": "start"}
    check_choice("ResizeLinear1D", "coordinate_transformation_mode", coordinate_transformation_mode, *rules)
    check_rank("ResizeLinear1D", "x", x, 3)
    check_floating("ResizeLinear1D", x=x)
    sizes = ints_of("ResizeLinear1D", "size", size, 1, 1)
    return _resized(x, sizes, rules[coordinate_transformation_mode], "linear")


def _upsampled(name: str, x: Tensor, output_size: Any, scales: Any, mode: str, align_corners: bool | None) -> Any:
    check_rank(name, "x", x, 5)
    return interpolate(x, output_size, scales, mode, align_corners)


@publish(
    "ops.UpsampleNearest3D()(x, output_size, scales)",
    numpy="pixels.interpolate(x, output_size, scales, 'nearest', None, None, False)",
    samples="f32(1, 2, 2, 3, 4), (3, 4, 5); f32(1, 1, 2, 3, 2), None, (1.5, 2.0, 2.5)",
)
def upsample_nearest(x: Tensor, output_size: Any = None, scales: Any = None) -> Any:
    """Volumes (N, C, D, H, W) resized to a size or by factors, of which one is given: interpolate() of mode "nearest".

    Args:
        x: of shape (N, C, D, H, W).
        output_size: three ints, or None.
        scales: three floats, or None.

    Raises:
        TypeError: output_size is not of ints, or scales not of numbers.
        ValueError: x has not five axes, a number is not positive, or not exactly one of both is given.
    """
    return _upsampled("UpsampleNearest3D", x, output_size, scales, "nearest", None)


@publish(
    "ops.UpsampleTrilinear3D(align_corners)(x, output_size, scales)",
    numpy="pixels.interpolate(x, output_size, scales, 'trilinear', align_corners, None, False)",
    samples="""f32(1, 2, 2, 3, 2), (3, 4, 5); f32(1, 1, 2, 3, 2), None, (1.5, 2.0, 2.5); f64(1, 1, 2, 3, 2), (3, 4, 1),
    None, True""",
)
def upsample_trilinear(x: Tensor, output_size: Any = None, scales: Any = None, align_corners: bool = False) -> Any:
    """Volumes (N, C, D, H, W) resized to a size or by factors, of which one is given: interpolate() of mode "trilinear".

    Args:
        x: of shape (N, C, D, H, W).
        output_size: three ints, or None.
        scales: three floats, or None.
        align_corners: whether the first and last elements stay where they are, rather than the outer edges.

    Raises:
        TypeError: output_size is not of ints, scales not of numbers, or x not of floats.
        ValueError: x has not five axes, a number is not positive, or not exactly one of both is given.
    """
    return _upsampled("UpsampleTrilinear3D", x, output_size, scales, "trilinear", align_corners)


def _shares(old: Any, new: Any, align_corners: bool, dtype: DType) -> Any:
    """How much of each new pixel every old one covers (new, old); beyond the end stands the last."""
    step = max(old - 1, 1) / max(new - 1, 1) if align_corners else old / new
    start = _ops.expand_dims(_ops.cast(_ops.arange(new), core.float64), 1) * step
    left = _ops.cast(_ops.arange(old), core.float64)
    right = _ops.select(_ops.equal(left, old - 1), math.inf, left + 1)
    covered = _ops.minimum(start + step, right) - _ops.maximum(start, left)
    return _ops.cast(_ops.clip(covered, 0, None) / step, dtype)


@publish(
    "ops.ResizeArea(align_corners)(images, size)",
    numpy="pixels.resize_area(images, size, align_corners)",
    samples="f32(1, 4, 6, 2), (2, 3); f32(2, 3, 5, 1), (2, 4); f16(1, 4, 2, 1), (3, 5); i32(1, 3, 3, 2), (2, 2)",
)
def resize_area(images: Tensor, size: Any, align_corners: bool = False) -> Any:
    """Images (N, H, W, C) resized: the mean of what each new pixel covers in the original.

    float64 of float64, else float32.

    Args:
        size: (new height, new width).
        align_corners: whether a new pixel covers (height - 1) / (new height - 1) pixels, not height / new height.

    Raises:
        TypeError: size is not of ints.
        ValueError: images has not four axes, or a size is not positive.
    """
    check_rank("ResizeArea", "images", images, 4)
    height, width = ints_of("ResizeArea", "size", size, 2, 1)
    n, h, w, c = images.shape
    x = working(images)
    rows, columns = (_shares(*pair, align_corners, x.dtype) for pair in ((h, height), (w, width)))
    x = _ops.matmul(rows, x.reshape((n, h, w * c)))
    return _ops.matmul(columns, x.reshape((n, height, w, c)))
