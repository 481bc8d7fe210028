"""Gradients of what interpolates images and reads them at points."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_rank
from emberjit.functions.arguments import ints_of
from emberjit.functions.gradient_primitives.declarations import at_shape, publish_gradients
from emberjit.functions.images import filters, grids, resizing
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops

publish_gradients(
    __name__,
    (
        (
            resizing.upsample_nearest,
            "ops.UpsampleNearest3DGrad()(grad as dy, x as input_size, output_size, scales)",
            "f32(1, 1, 3, 2, 2), (1, 1, 2, 2, 1), (3, 2, 2)",
        ),
        (
            resizing.interpolate,
            """ops.UpsampleNearest2DGrad()(grad as dy, input as input_size, size as output_size, scale_factor as scales)
            ops.UpsampleNearest1DGrad()(grad as dy, input as input_size, size as output_size, scale_factor as scales)""",
            "f32(1, 1, 3, 2), (1, 1, 2, 2), (3, 2)",
        ),
        (
            resizing.upsample_trilinear,
            "ops.UpsampleTrilinear3DGrad(align_corners)(grad as dy, x as input_size, output_size, scales)",
            "f32(1, 1, 3, 2, 2), (1, 1, 2, 2, 1), (3, 2, 2)",
        ),
        (
            grids.roi_align,
            """ops.ROIAlignGrad(pooled_height, pooled_width, spatial_scale, sample_num)(grad as dy, rois,
            features as xdiff_shape)""",
            "f32(1, 1, 2, 2), (1, 1, 3, 3), f32(1, 5) * [0, 0, 0, 1, 1], 2, 2, 0.5",
        ),
    ),
    linear=True,
)
publish_gradients(
    __name__,
    (
        (
            grids.grid_sample,
            """ops.GridSampler2DGrad(mode as interpolation_mode, padding_mode, align_corners: bool = False)(grad,
            input as input_x, grid)
            ops.GridSampler3DGrad(mode as interpolation_mode, padding_mode, align_corners: bool = False)(grad,
            input as input_x, grid)""",
            "f32(1, 2, 2, 2), f32(1, 2, 3, 3), f32(1, 2, 2, 2) / 2, 'bilinear', 'zeros', True",
        ),
    ),
    by=("input", "grid"),
)
publish_gradients(
    __name__,
    (
        (
            grids.deformable_offsets,
            """ops.DeformableOffsetsGrad(strides, pads, ksize as kernel_size, dilations, data_format, deformable_groups,
            modulated)(grad as out_backprop, x as input, offsets)""",
            "f32(1, 1, 2, 2), f32(1, 1, 2, 2), f32(1, 3, 2, 2) / 9 + 0.25, (1, 1, 1, 1), (0, 0, 0, 0), (1, 1)",
        ),
    ),
    by=("x", "offsets"),
)

_LEGACY = "align_corners, half_pixel_centers"
_IMAGES = "f32(1, 1, 3, 2), f32(1, 1, 2, 4)"
publish_gradients(
    __name__,
    (
        (resizing.resize_bilinear, f"ops.ResizeBilinearGrad({_LEGACY})(grad as grads, image)", _IMAGES),
        (resizing.resize_bicubic, f"ops.ResizeBicubicGrad({_LEGACY})(grad as grads, image)", _IMAGES),
        (
            resizing.resize_linear,
            "ops.ResizeLinear1DGrad(coordinate_transformation_mode)(grad as grads, x)",
            "f32(1, 2, 3), f32(1, 2, 5)",
        ),
    ),
    derived={"size": lambda grad: tuple(grad.shape[2:])},
)
publish_gradients(
    __name__,
    (
        (
            filters.scale_and_translate,
            "ops.ScaleAndTranslateGrad(kernel_type, antialias)(grad as grads, images as original_image, scale, translation)",
            "f32(1, 2, 2, 1), f32(1, 3, 3, 1), f32(2) * 0 + 0.75, f32(2) * 0, 'triangle'",
        ),
    ),
    derived={"size": lambda grad: tuple(grad.shape[1:3])},
)


@publish(
    f"""ops.ResizeNearestNeighborGrad({_LEGACY})(grads, size)
    ops.ResizeNearestNeighborV2Grad({_LEGACY})(grads, size)""",
    numpy="grads.reshape(1, 2, 2, 2, 2, 2).sum((3, 5))",
    samples="f32(1, 2, 4, 4), (2, 2)",
)
def resize_nearest_gradient(grads: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """The gradient of ResizeNearestNeighbor by the images that it resizes.

    Args:
        grads: the gradient by the result, of shape (N, C, height, width).
        size: the height and width of these images.
        align_corners, half_pixel_centers: as of ResizeNearestNeighbor.

    Raises:
        TypeError: size is not of ints.
        ValueError: grads has another number of axes, a size is not positive, or both of the last arguments are True.
    """
    name = "ResizeNearestNeighborGrad"
    check_rank(name, "grads", grads, 4)
    n, channels, *sizes = grads.shape

    def resized(image: Any) -> Any:
        return resizing.resize_nearest(image, tuple(sizes), align_corners, half_pixel_centers)

    return at_shape(name, resized, grads, (n, channels, *ints_of(name, "size", size)))


@publish("ops.ResizeV2Grad(coordinate_transformation_mode, mode)(grads, roi, scales, original_size)")
def resize_v2_gradient(
    grads: Tensor,
    roi: Any,
    scales: Any,
    original_size: Any,
    coordinate_transformation_mode: str = "half_pixel",
    mode: str = "nearest",
) -> Any:
    """The gradient of ResizeV2 by the images that it resizes.

    Args:
        grads: the gradient by the result, of shape (N, C, height, width).
        roi, scales: are not read: sizes tell the scales.
        original_size: the shape of the images: ints, or a Tensor of them.
        coordinate_transformation_mode: "half_pixel", by which the outer edges of pixels stay where they are, or
            "align_corners", by which the first and last elements do.
        mode: "nearest" or "linear", of images one element high; "cubic".

    Raises:
        ValueError: shapes do not fit, or another mode.

    Examples:
        >>> grads = Tensor([[[[1.0, 2.0, 3.0, 4.0]]]])
        >>> op = ops.ResizeV2Grad(mode="nearest")
        >>> print(op(grads, None, None, (1, 1, 1, 2)))
        [[[[3. 7.]]]]
    """
    name = "ResizeV2Grad"
    check_choice(name, "coordinate_transformation_mode", coordinate_transformation_mode, "half_pixel", "align_corners")
    check_choice(name, "mode", mode, "nearest", "linear", "cubic")
    sizes = tuple(grads.shape[2:])
    corners = coordinate_transformation_mode == "align_corners"

    def resized(image: Any) -> Any:
        if mode == "cubic":
            return resizing.interpolate(image, sizes, None, "bicubic", corners, None, True)
        flat = image.reshape((*image.shape[:2], image.shape[3]))
        kind, aligned = ("linear", corners) if mode == "linear" else ("nearest-exact", None)
        result = resizing.interpolate(flat, sizes[1:], None, kind, aligned, None, False)
        return result.reshape((*image.shape[:2], 1, sizes[1]))

    return at_shape(name, resized, grads, original_size)


@publish(
    "ops.AffineGridGrad(align_corners)(y_grad, x_size)",
    numpy="np.stack([np.einsum('hwk,hwl->kl', y_grad[0], [[(x, y, 1) for x in (-1, 1)] for y in (-1, 1)])])",
    samples="f32(1, 2, 2, 2), (1, 3, 2, 2), True",
)
def affine_grid_gradient(y_grad: Tensor, x_size: Any, align_corners: bool = False) -> Any:
    """The gradient of affine_grid by theta.

    Args:
        y_grad: the gradient by the grid, of shape (N, H, W, 2) or (N, D, H, W, 3).
        x_size: the size of the images, (N, C, H, W) or (N, C, D, H, W): ints, or a Tensor of them.
        align_corners: whether -1 and 1 are the middles of the first and last pixels, not their outer edges.

    Raises:
        ValueError: shapes do not fit.
    """
    sizes = ints_of("AffineGridGrad", "x_size", x_size)
    axes = len(sizes) - 2
    return at_shape(
        "AffineGridGrad", lambda theta: grids.affine_grid(theta, sizes, align_corners), y_grad, (sizes[0], axes, axes + 1)
    )
