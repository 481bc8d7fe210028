"""Crops of images: of their middle, and random ones that show enough of the objects in them."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_int, check_rank, check_within
from emberjit.functions.random.uniform_and_normal import seed_of
from emberjit.publish.kinds import Number, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _range(name: str, argument: str, bounds: Any, most: float) -> tuple[float, float]:
    """Two ascending positive numbers.

    Raises:
        TypeError: they are no two floats.
        ValueError: they do not ascend, or are out of range.
    """
    if not isinstance(bounds, (tuple, list)) or not all(isinstance(item, float) for item in bounds):
        raise TypeError(f"For '{name}', '{argument}' must be a tuple or list of floats, but got {bounds!r}.")
    if len(bounds) != 2 or not 0 < bounds[0] < bounds[1] <= most:
        raise ValueError(f"For '{name}', '{argument}' must be two ascending numbers of (0, {most}], but got {bounds}.")
    return bounds[0], bounds[1]


def _coverage(corners: list[Any], boxes: Tensor) -> Any:
    """Of crops (y0, x0, y1, x1), each (K, 1), and boxes (M, 4) the share of each box that is shown (K, M)."""
    y0, x0, y1, x1 = (_ops.expand_dims(_ops.select_at(boxes, i, 1), 0) for i in range(4))
    height = _ops.minimum(corners[2], y1) - _ops.maximum(corners[0], y0)
    width = _ops.minimum(corners[3], x1) - _ops.maximum(corners[1], x0)
    return _ops.maximum(height, 0) * _ops.maximum(width, 0) / ((y1 - y0) * (x1 - x0))


@publish(
    """ops.SampleDistortedBoundingBoxV2(seed, seed2, aspect_ratio_range, area_range, max_attempts,
    use_image_if_no_bounding_boxes)(image_size, bounding_boxes, min_object_covered)""",
    in_python=True,
)
def random_crop_of_objects(
    image_size: Tensor,
    bounding_boxes: Tensor,
    min_object_covered: Tensor,
    seed: int = 0,
    seed2: int = 0,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 1.0),
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
) -> Any:
    """(begin (3), size (3), box (1, 1, 4)) of a random crop, for slice(): the first of some attempts that lies within the
    image and shows enough of a box, or else the whole image.

    Args:
        image_size: (height, width, channels), integers.
        bounding_boxes: (y0, x0, y1, x1) of objects (batch, N, 4), of which 0 and 1 are the image's ends; float32.
        min_object_covered: the share of a box that is to be shown, one number.
        seed, seed2: of the numbers, unless both are 0.
        aspect_ratio_range: least and largest width of a crop, in heights.
        area_range: its least and largest share of the image's area.
        max_attempts: how many there are.
        use_image_if_no_bounding_boxes: whether the image is the box if there is none.

    Raises:
        TypeError: bounding_boxes are not of floats, or a range is not.
        ValueError: shapes do not fit, a number is out of range, or there are no boxes.

    Examples:
        >>> boxes = Tensor([[[0.2, 0.2, 0.8, 0.8]]])
        >>> begin, size, box = ops.SampleDistortedBoundingBoxV2(seed=1)(Tensor([64, 64, 3]), boxes, Tensor(0.1))
        >>> print(begin.shape, size.shape, box.shape)
        (3,) (3,) (1, 1, 4)
    """
    name = "SampleDistortedBoundingBoxV2"
    ratios = _range(name, "aspect_ratio_range", aspect_ratio_range, float("inf"))
    areas = _range(name, "area_range", area_range, 1.0)
    check_int(name, "max_attempts", max_attempts, 1)
    check_floating(name, bounding_boxes=bounding_boxes)
    if (
        tuple(image_size.shape) != (3,)
        or bounding_boxes.ndim != 3
        or bounding_boxes.shape[2] != 4
        or min_object_covered.size != 1
    ):
        shapes = [tuple(one.shape) for one in (image_size, bounding_boxes, min_object_covered)]
        raise ValueError(f"For '{name}', the operands must be of shapes (3,), (batch, N, 4) and (1,), but are of {shapes}.")
    if bounding_boxes.size == 0 and not use_image_if_no_bounding_boxes:
        raise ValueError(f"For '{name}', there are no boxes: 'use_image_if_no_bounding_boxes' takes the image for one.")
    boxes = _ops.reshape(bounding_boxes, (-1, 4)) if bounding_boxes.size else core.Tensor([[0.0, 0.0, 1.0, 1.0]])
    rows, columns = (_ops.cast(image_size[i], core.float32) for i in range(2))
    drawn = _ops.rand((4, max_attempts), core.float32, seed_of(seed, seed2))
    ratio, area = (low + drawn[i] * (high - low) for i, (low, high) in enumerate((ratios, areas)))
    height = _ops.round(_ops.sqrt(area * rows * columns / ratio))
    width = _ops.round(height * ratio)
    share = height * width / (rows * columns)
    top, left = _ops.floor(drawn[2] * (rows - height + 1)), _ops.floor(drawn[3] * (columns - width + 1))
    inside = _ops.logical_and(_ops.logical_and(height > 0, width > 0), (height <= rows) * (width <= columns))
    edges = (top / rows, left / columns, (top + height) / rows, (left + width) / columns)
    coverage = _coverage([_ops.expand_dims(edge, 1) for edge in edges], boxes)
    enough = _ops.any(coverage >= _ops.reshape(min_object_covered, (1, 1)), 1)
    valid = inside * (share >= areas[0]) * (share <= areas[1]) * enough
    first = _ops.argmax(_ops.cast(valid, core.int32), 0)

    def first_valid(of_crops: Tensor, whole: Number) -> Any:
        return _ops.select(valid[first], of_crops[first], whole)

    kind = image_size.dtype
    begin = _ops.stack([first_valid(top, 0.0), first_valid(left, 0.0), top[0] * 0])
    size = _ops.stack([first_valid(height, rows), first_valid(width, columns), top[0] * 0 - 1])
    box = _ops.stack([first_valid(edge, whole) for edge, whole in zip(edges, (0.0, 0.0, 1.0, 1.0))])
    return _ops.cast(begin, kind), _ops.cast(size, kind), _ops.reshape(box, (1, 1, 4))


@publish(
    "nn.CentralCrop(central_fraction)(image)",
    numpy="""(lambda h, w: image[..., h:image.shape[-2] - h, w:image.shape[-1] - w])(
    *(int((n - n * central_fraction) / 2) for n in image.shape[-2:]))""",
    samples="f32(2, 4, 6), 0.5; f32(2, 3, 5, 7), 0.3; f32(1, 4, 4), 1.0",
)
def central_crop(image: Tensor, central_fraction: float) -> Any:
    """The middle of images (..., height, width), with a part of rows and of columns.

    Raises:
        ValueError: central_fraction is outside (0, 1], or image has neither three nor four axes.
    """
    check_within("CentralCrop", "central_fraction", central_fraction, most=1, above=0)
    check_rank("CentralCrop", "image", image, 3, 4)
    edges = [int((size - size * central_fraction) / 2) for size in image.shape[-2:]]
    return image[(..., *(slice(edge, size - edge) for edge, size in zip(edges, image.shape[-2:])))]
