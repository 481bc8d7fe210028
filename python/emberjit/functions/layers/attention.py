"""Attention, also at sampled points of images, and rotary positions."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_rank, check_shape
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
attention: ops.attention
flash_attention_score: ops.flash_attention_score
""",
)


@publish(
    "ops.rotary_position_embedding",
    numpy="""x * cos + (np.concatenate((-x[..., x.shape[-1] // 2:], x[..., :x.shape[-1] // 2]), -1) if mode == 0 else
    np.stack((-x[..., 1::2], x[..., ::2]), -1).reshape(x.shape)) * sin""",
    samples="f32(2, 3, 4, 6), f32(1, 1, 4, 6), f32(1, 1, 4, 6); f64(2, 3, 4), f64(3, 4), f64(3, 4), 1",
)
def rotary_position_embedding(x: Tensor, cos: Tensor, sin: Tensor, mode: int = 0) -> Any:
    """Pairs of elements of the last axis, turned by angles: x * cos + y * sin, where y is x with each pair (a, b) become
    (-b, a) (Su et al., 2024).

    Args:
        cos, sin: of the angles, what broadcasts to x's shape.
        mode: which elements are pairs: 0: those of the two halves, 1: neighbours.

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: the last axis is of odd size, shapes that do not broadcast, or another mode.
    """
    check_floating("rotary_position_embedding", x=x, cos=cos, sin=sin)
    check_choice("rotary_position_embedding", "mode", mode, 0, 1)
    size = x.shape[-1] if x.ndim else 1
    if size % 2:
        raise ValueError(
            f"For 'rotary_position_embedding', the last axis of 'x' must be of even size, but the shape is {x.shape}."
        )
    pairs = _ops.reshape(x, (*x.shape[:-1], 2, size // 2) if mode == 0 else (*x.shape[:-1], size // 2, 2))
    axis = -2 if mode == 0 else -1
    first, second = (_ops.select_at(pairs, i, axis) for i in (0, 1))
    rotated = _ops.reshape(_ops.stack((_ops.neg(second), first), axis), x.shape)
    return x * cos + rotated * sin


@publish("ops.multi_scale_deformable_attn_function")
def multi_scale_deformable_attention(value: Tensor, shape: Tensor, offset: Tensor, locations: Tensor, weight: Tensor) -> Any:
    """Sums of values at a few places of feature maps of several sizes (Zhu et al., 2021), (N, queries, heads * size).

    Args:
        value: the maps one after the other, of shape (N, places, heads, size).
        shape: their heights and widths, of shape (maps, 2).
        offset: where each begins, of shape (maps).
        locations: (x, y) in [0, 1] of each map, of shape (N, queries, heads, maps, points, 2). Between the centres of places
            values are interpolated; outside of a map they are 0.
        weight: of shape (N, queries, heads, maps, points).

    Raises:
        TypeError: value, locations or weight is not of floating point.
        ValueError: the shapes do not fit.

    Examples:
        >>> value = ops.arange(4.0).reshape(1, 4, 1, 1)
        >>> shape, offset = Tensor([[2, 2]]), Tensor([0])
        >>> locations, weight = Tensor([0.5, 0.5]).reshape(1, 1, 1, 1, 1, 2), ops.ones((1, 1, 1, 1, 1))
        >>> print(ops.multi_scale_deformable_attn_function(value, shape, offset, locations, weight))
        [[[1.5]]]
    """
    name = "multi_scale_deformable_attn_function"
    check_floating(name, value=value, locations=locations, weight=weight)
    check_rank(name, "value", value, 4)
    n, _, heads, size = value.shape
    maps = shape.shape[0]
    if locations.ndim != 6 or tuple(locations.shape) != (n, locations.shape[1], heads, maps, locations.shape[4], 2):
        raise ValueError(f"For '{name}', 'locations' of shape {locations.shape} does not fit 'value' of {value.shape}.")
    check_shape(name, "weight", weight, locations.shape[:-1])
    sizes = _ops.reshape(_ops.flip(shape, (1,)), (maps, 1, 2))
    places = locations * _ops.cast(sizes, locations.dtype) - 0.5
    corner = _ops.floor(places)
    beyond = places - corner
    first = _ops.cast(corner, core.int64)
    by_head = _ops.transpose(value, (0, 2, 1, 3))
    total: Any = 0
    for corner_of in ((0, 0), (0, 1), (1, 0), (1, 1)):
        at = first + core.Tensor(corner_of, core.int64)
        shares = (beyond[..., i] if far else 1 - beyond[..., i] for i, far in enumerate(corner_of))
        share = weight * next(shares) * next(shares)
        inside = _ops.all(_ops.logical_and(_ops.greater_equal(at, 0), _ops.less(at, sizes)), -1)
        flat = at[..., 1] * sizes[..., 0] + at[..., 0] + _ops.reshape(offset, (maps, 1))
        share = _ops.select(inside, share, 0)
        total = total + _sampled(by_head, _ops.select(inside, flat, 0), share)
    return _ops.reshape(total, (n, locations.shape[1], heads * size))


def _sampled(by_head: Tensor, at: Tensor, share: Tensor) -> Any:
    """Sums of rows of (N, heads, places, size), weighted by shares, of shape (N, queries, heads, size)."""
    n, heads, _, size = by_head.shape
    queries, points = at.shape[1], at.shape[3] * at.shape[4]

    def ordered(x: Tensor) -> Any:
        return _ops.reshape(_ops.transpose(x, (0, 2, 1, 3, 4)), (n, heads, queries * points, 1))

    index = _ops.broadcast_to(_ops.cast(ordered(at), core.int64), (n, heads, queries * points, size))
    rows = _ops.gather_d(by_head, 2, index) * ordered(share)
    sums = _ops.sum(_ops.reshape(rows, (n, heads, queries, points, size)), 3)
    return _ops.transpose(sums, (0, 2, 1, 3))
