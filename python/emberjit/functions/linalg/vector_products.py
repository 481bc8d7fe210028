"""Inner, outer and cross products, and sums of products over pairs of axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import along, checked_axis
from emberjit.tensors.operands import promoted

_ops = core.ops


@publish(
    "ops.outer ops.ger ops.Ger()(input as x1, vec2 as x2) Tensor.outer Tensor.ger mint.outer",
    numpy="np.outer(input, vec2)",
    samples="f32(3), f32(2); c64(2), c64(3); i32(0), i32(3); b1(2), i32(2)",
)
def outer(input: Tensor, vec2: Tensor) -> Any:
    """The products of each element of a vector with each of another, of shape (n, m).

    Raises:
        ValueError: an operand is no vector.
    """
    check_rank("outer", "input", input, 1)
    check_rank("outer", "vec2", vec2, 1)
    return _ops.mul(_ops.expand_dims(input, 1), vec2)


@publish("numpy.outer", numpy="np.outer(a, b)", samples="f32(3, 2), f32(2); i32(2), f32(2, 2); i32(), f32(2)")
def outer_of_all(a: Tensor, b: Tensor) -> Any:
    """The products of each element of a with each of b, of shape (a.size, b.size)."""
    return outer(_ops.reshape(a, (-1,)), _ops.reshape(b, (-1,)))


def _size(x: Tensor, axes: Sequence[int]) -> Any:
    return math.prod(x.shape[axis] for axis in axes)


def contracted(
    a: Tensor, b: Tensor, batch: tuple[Sequence[int], Sequence[int]], summed: tuple[Sequence[int], Sequence[int]]
) -> Any:
    """The sum of products over pairs of axes, for each position along the pairs of batch axes.

    Axes are counted from the first. The result has the batch axes, then a's others, then b's.
    """
    a, b = promoted((a, b))
    free = [[axis for axis in range(x.ndim) if axis not in (*batch[i], *summed[i])] for i, x in enumerate((a, b))]
    shape = (
        *(a.shape[axis] for axis in batch[0]),
        *(a.shape[axis] for axis in free[0]),
        *(b.shape[axis] for axis in free[1]),
    )
    rows = _ops.transpose(a, (*batch[0], *free[0], *summed[0]))
    columns = _ops.transpose(b, (*batch[1], *summed[1], *free[1]))
    lead = [_size(a, batch[0])] if batch[0] else []
    rows = _ops.reshape(rows, (*lead, _size(a, free[0]), _size(a, summed[0])))
    columns = _ops.reshape(columns, (*lead, _size(b, summed[1]), _size(b, free[1])))
    return _ops.reshape(_ops.matmul(rows, columns), shape)


def _pairs(function: str, a: Tensor, b: Tensor, axes: Any) -> tuple[list[int], list[int]]:
    """The axes to sum over, counted from the first.

    Raises:
        ValueError: they are not pairs of axes of one size.
    """
    if isinstance(axes, int):
        if not 0 <= axes <= min(a.ndim, b.ndim):
            raise ValueError(
                f"For '{function}', 'axes' must be in [0, {min(a.ndim, b.ndim)}], the operands' axes, but got {axes}."
            )
        return list(range(a.ndim - axes, a.ndim)), list(range(axes))
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        raise ValueError(f"For '{function}', 'axes' must be an int, or axes of each operand, but got {axes}.")
    first, second = ([one] if isinstance(one, int) else list(one) for one in axes)
    first = [checked_axis(function, a, axis) for axis in first]
    second = [checked_axis(function, b, axis) for axis in second]
    if len(first) != len(second) or len({*first}) != len(first) or len({*second}) != len(second):
        raise ValueError(f"For '{function}', 'axes' must pair different axes of each operand, but got {axes}.")
    sizes = [a.shape[axis] for axis in first], [b.shape[axis] for axis in second]
    if sizes[0] != sizes[1]:
        raise ValueError(f"For '{function}', paired axes must have one size, but have {sizes[0]} and {sizes[1]}.")
    return first, second


@publish(
    "ops.tensor_dot(a as x1, b as x2, axes = ...) numpy.tensordot",
    numpy="np.tensordot(a, b, axes)",
    samples="""f32(2, 3, 4), f32(3, 4, 5); f32(2, 3, 4), f32(4, 2), ((0, 2), (1, 0)); f32(2, 3), f32(3, 4), 1;
    c64(2), c64(3), 0; i32(2, 3), i32(4, 3), (1, 1); f32(2, 0), f32(0, 3), 1""",
)
def tensordot(a: Tensor, b: Tensor, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes, of shape a's other axes, then b's.

    Args:
        axes: the number of a's last axes that meet b's first, or a tuple of a's axes and of b's.

    Raises:
        ValueError: axes are no pairs of axes of one size.
    """
    return contracted(a, b, ((), ()), _pairs("tensordot", a, b, axes))


@publish(
    "ops.dot Tensor.dot numpy.dot(input as a, other as b)",
    numpy="np.dot(input, other)",
    samples="""f32(3), f32(3); f32(2, 3), f32(3, 4); f32(2, 3), f32(3); f32(2, 3, 4), f32(2, 4, 3); i32(), f32(2);
    c64(3), c64(3)""",
)
def dot(input: Tensor, other: Tensor) -> Any:
    """The sum of products over the last axis of input and the last but one of other, or its only one.

    With an operand without axes the product of both.

    Raises:
        ValueError: these axes are not of one size.
    """
    if input.ndim == 0 or other.ndim == 0:
        return _ops.mul(input, other)
    if other.ndim <= 2:
        return _ops.matmul(*promoted((input, other)))
    return contracted(input, other, ((), ()), _pairs("dot", input, other, (-1, -2)))


def _sum_of_products(function: str, x: Tensor, y: Tensor) -> Any:
    """As a sum: the chain of a product of matrices would leave the CPU waiting for each element."""
    check_rank(function, "input", x, 1)
    check_rank(function, "other", y, 1)
    if x.dtype != y.dtype or x.dtype == core.bool_:
        raise TypeError(f"For '{function}', the vectors must be numbers of one dtype, but are {x.dtype} and {y.dtype}.")
    if x.shape != y.shape:
        raise ValueError(f"For '{function}', the vectors must have one size, but have {x.shape[0]} and {y.shape[0]}.")
    dtype = core.float32 if x.dtype in (core.float16, core.bfloat16) else x.dtype
    product = _ops.cast(x, dtype) * _ops.cast(y, dtype)
    return _ops.cast(_ops.sum(product, None, False, dtype), x.dtype)


@publish("mint.dot", numpy="np.dot(input, other)", samples="f32(3), f32(3); i64(0), i64(0)")
def dot_of_vectors(input: Tensor, other: Tensor) -> Any:
    """The sum of the products of the elements of two vectors.

    Raises:
        TypeError: their dtypes differ, or are bool.
        ValueError: an operand is no vector, or their sizes differ.
    """
    return _sum_of_products("dot", input, other)


@publish("mint.vdot", numpy="np.vdot(input, other)", samples="f32(3), f32(3); c64(3), c64(3)")
def vdot(input: Tensor, other: Tensor) -> Any:
    """The sum of the products of the elements of two vectors, input's conjugated.

    Raises:
        TypeError: their dtypes differ, or are bool.
        ValueError: an operand is no vector, or their sizes differ.
    """
    return _sum_of_products("vdot", _ops.conj(input), other)


@publish(
    "ops.inner Tensor.inner numpy.inner(input as a, other as b)",
    numpy="np.inner(input, other)",
    samples="f32(3), f32(3); f32(2, 3), f32(4, 3); f32(2, 3), i32(); c64(3), c64(2, 3)",
)
def inner(input: Tensor, other: Tensor) -> Any:
    """The sum of products over the last axis of both, of shape input's other axes, then other's.

    With an operand without axes the product of both.

    Raises:
        ValueError: the last axes are not of one size.
    """
    if input.ndim == 0 or other.ndim == 0:
        return _ops.mul(input, other)
    return contracted(input, other, ((), ()), _pairs("inner", input, other, (-1, -1)))


@publish(
    "ops.vecdot(x, y, *, axis)",
    numpy="(np.conj(x) * y).sum(axis, **({'dtype': np.int64} if x.dtype.kind in 'iub' else {}))",
    samples="f32(2, 3), f32(2, 3); f32(2, 3), f32(3); c64(2, 3), c64(2, 3), 0; i32(2, 1), i32(2, 3)",
)
def vecdot(x: Tensor, y: Tensor, axis: int = -1) -> Any:
    """The sum of products along an axis after broadcasting, x's elements conjugated; of integers in int64.

    Raises:
        ValueError: axis is out of range, or the shapes do not broadcast.
    """
    product = _ops.mul(_ops.conj(x), y)
    return _ops.sum(product, checked_axis("vecdot", product, axis))


@publish(
    "ops.batch_dot",
    numpy="""(lambda i, j: np.stack([np.atleast_1d(np.tensordot(x, y, (i - 1, j - 1))) for x, y in
    zip(x1, x2)]))(*(
    (x1.ndim - 1, x2.ndim - (2 if x2.ndim > 2 else 1)) if axes is None else
    [a % n for a, n in zip((axes, axes) if isinstance(axes, int) else axes, (x1.ndim, x2.ndim))]))""",
    samples="""f32(2, 2, 3), f32(2, 3, 2), (-1, -2); f32(2, 2), f32(2, 3, 2), (1, 2); f32(3, 2, 3, 4), f32(3, 5, 4, 2);
    f32(2, 3), f32(2, 3), 1""",
)
def batch_dot(x1: Tensor, x2: Tensor, axes: Ints | None = None) -> Any:
    """For each position along the first axis of both the sum of products over an axis of each.

    Args:
        axes: an axis of x1 and one of x2, or one for both; None: x1's last, and x2's last but one, or its last of two.

    Returns:
        of shape: the first axis, x1's other axes, x2's other axes; without such (batch, 1).

    Raises:
        ValueError: an operand has less than two axes, the first axes differ in size, or axes are no such pair.
    """
    if x1.ndim < 2 or x2.ndim < 2:
        raise ValueError(
            f"For 'batch_dot', both operands need two axes, but have shapes {tuple(x1.shape)} and {tuple(x2.shape)}."
        )
    if x1.shape[0] != x2.shape[0]:
        raise ValueError(f"For 'batch_dot', the first axes must have one size, but have {x1.shape[0]} and {x2.shape[0]}.")
    pair = (-1, -2 if x2.ndim > 2 else -1) if axes is None else (axes, axes) if isinstance(axes, int) else tuple(axes)
    first, second = _pairs("batch_dot", x1, x2, pair)
    if len(first) != 1 or 0 in (*first, *second):
        raise ValueError(f"For 'batch_dot', 'axes' must be one axis of each operand, not the first, but got {axes}.")
    product = contracted(x1, x2, ((0,), (0,)), (first, second))
    return product if product.ndim > 1 else _ops.expand_dims(product, 1)


@publish(
    "ops.kron numpy.kron(input as a, other as b)",
    numpy="np.kron(input, other)",
    samples="f32(2, 3), f32(3, 2); f32(3), f32(2, 2); f32(2, 1, 2), i32(2); c64(2), c64(3); i32(), f32(2)",
)
def kron(input: Tensor, other: Tensor) -> Any:
    """The Kronecker product: a block other * x for each element x of input. Axes of size 1 are put before the shorter's.

    Raises:
        ValueError: an operand has more than 4 axes.
    """
    rank = max(input.ndim, other.ndim)
    if rank > 4:
        raise ValueError(f"For 'kron', operands can have 4 axes at most, but one has {rank}.")
    shapes = [(*[1] * (rank - x.ndim), *x.shape) for x in (input, other)]
    x = _ops.reshape(input, tuple(part for size in shapes[0] for part in (size, 1)))
    y = _ops.reshape(other, tuple(part for size in shapes[1] for part in (1, size)))
    return _ops.reshape(_ops.mul(x, y), tuple(a * b for a, b in zip(*shapes)))


def _broadcast(x: Tensor, y: Tensor) -> list[Any]:
    rank = max(x.ndim, y.ndim)
    shapes = [(*[1] * (rank - v.ndim), *v.shape) for v in (x, y)]
    shape = tuple(b if a == 1 else a for a, b in zip(*shapes))
    return [v if tuple(v.shape) == shape else _ops.broadcast_to(v, shape) for v in (x, y)]


def _cross(x: Tensor, y: Tensor, axis: int) -> Any:
    """Of vectors of 3 along an axis of both."""
    a, b = ([v[along(axis, slice(i, i + 1))] for i in range(3)] for v in (x, y))
    parts = [_ops.sub(_ops.mul(a[i], b[j]), _ops.mul(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1))]
    return _ops.concat(parts, axis)


@publish(
    "ops.cross ops.Cross(dim: int = -65530)(input, other) Tensor.cross mint.cross",
    numpy="""(lambda shape: np.cross(np.broadcast_to(input, shape), np.broadcast_to(other, shape),
    axis=shape.index(3) if dim is None else dim))(np.broadcast_shapes(input.shape, other.shape))""",
    samples="f32(2, 3), f32(2, 3); f32(3, 3), f32(3, 3), 1; f32(3, 2), f32(3, 1), 0; c64(3), c64(3); i32(2, 3), i32(3)",
)
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Any:
    """The cross products of vectors along an axis of size 3, after broadcasting.

    Args:
        dim: the axis; None (-65530 of the primitive): the first of size 3.

    Raises:
        ValueError: the axis is not of size 3, or there is none.
    """
    x, y = _broadcast(*promoted((input, other)))
    if dim is None or dim == -65530:
        axis = next((axis for axis, size in enumerate(x.shape) if size == 3), None)
    else:
        axis = checked_axis("cross", x, dim)
    if axis is None or x.shape[axis] != 3:
        raise ValueError(f"For 'cross', the axis must be of size 3, but dim is {dim} of shape {tuple(x.shape)}.")
    return _cross(x, y, axis)


@publish(
    "numpy.cross",
    numpy="(lambda u, v: (lambda w: w[..., 2] if u.shape[-1] + v.shape[-1] == 4 else "
    "np.moveaxis(w, -1, axisc if axis is None else axis))("
    "np.cross(*(np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, 3 - x.shape[-1])]) for x in (u, v)))))("
    "np.moveaxis(a, axisa if axis is None else axis, -1), np.moveaxis(b, axisb if axis is None else axis, -1))",
    samples="""f32(4, 3), f32(4, 3); f32(4, 2), f32(4, 3); f32(4, 3), f32(2); i32(2), i32(3, 2); f32(4, 2), f32(4, 2);
    f32(3, 4), f32(4, 3), 0, 1, 0; f32(3, 4), f32(3, 4), -1, -1, -1, 0""",
)
def cross_of_two_or_three(
    a: Tensor, b: Tensor, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """The cross products of vectors of 3, or of 2 with a third 0; of vectors of 2 alone the third elements.

    Args:
        axisa: the axis of a's vectors.
        axisb: the axis of b's vectors.
        axisc: the axis of the result's vectors.
        axis: all three of them.

    Raises:
        ValueError: an axis is out of range, or of another size than 2 or 3.
    """
    places = (axisa, axisb) if axis is None else (axis, axis)
    ends = []
    for name, x, place in zip("ab", promoted((a, b)), places):
        at = checked_axis("cross", x, place)
        last = _ops.transpose(x, (*(d for d in range(x.ndim) if d != at), at))
        if last.shape[-1] not in (2, 3):
            raise ValueError(f"For 'cross', vectors must have 2 or 3 elements, but those of '{name}' have {last.shape[-1]}.")
        ends.append(last)
    only_two = all(x.shape[-1] == 2 for x in ends)
    x, y = _broadcast(*(x if x.shape[-1] == 3 else _ops.concat((x, _ops.zeros_like(x[..., :1])), -1) for x in ends))
    product = _cross(x, y, x.ndim - 1)
    if only_two:
        return product[..., 2]
    at = checked_axis("cross", product, axisc if axis is None else axis)
    order = list(range(product.ndim - 1))
    order.insert(at, product.ndim - 1)
    return _ops.transpose(product, order)
