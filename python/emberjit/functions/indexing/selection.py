"""Elements by condition: where it is true, those of one or another Tensor, what is not zero.

`where` of ops, mint and Tensor takes a condition of bools, that of numpy any, and mint.where(condition) is nonzero. `select`
of ops and Tensor takes a condition, that of numpy lists of them; with an axis and an index, in mint and Tensor, it is one
slice."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.indexing.gather import within
from emberjit.publish.kinds import DType, Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import as_positions, get, true_positions
from emberjit.tensors.operands import as_tensor, broadcast_shape, promoted

_ops = core.ops

publish_ops(
    __name__,
    """
select_at: Tensor.select(axis as dim|axis, index) mint.select(input, axis as dim, index) ops.SelectView()(input, index, axis)
select: ops.select ops.where ops.Select Tensor.where(condition, input as self, other|y)
    mint.where
masked_fill: ops.masked_fill(input_x|input, mask, value) ops.MaskedFill Tensor.masked_fill
    mint.masked_fill(input_x as input, mask, value) Tensor.masked_fill_
""",
)


def _is_true(x: Tensor) -> Any:
    return x if x.dtype == core.bool_ else _ops.not_equal(x, 0)


@publish(
    "ops.argwhere Tensor.argwhere numpy.argwhere(input as a) ops.NonZero()(input as x)",
    numpy="np.argwhere(input)",
    samples="i32(3, 4); b1(5); f32(2, 3); i64(2, 0); b1(2, 3, 2)",
    in_python=True,
)
def argwhere(input: Tensor) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""
    return true_positions(_is_true(input))


@publish(
    "ops.nonzero(input, *, as_tuple) Tensor.nonzero(*, as_tuple) mint.nonzero(input, *, as_tuple)",
    numpy="np.nonzero(input) if as_tuple else np.argwhere(input)",
    samples="i32(3, 4); b1(5), True; f32(2, 3), True",
    in_python=True,
)
def nonzero(input: Tensor, as_tuple: bool = False) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order.

    Args:
        as_tuple: whether to give a Tensor of indices for each axis, in a tuple.
    """
    if as_tuple and input.ndim == 0:
        input = _ops.reshape(input, (1,))
    indices = true_positions(_is_true(input))
    return tuple(indices[:, axis] for axis in range(input.ndim)) if as_tuple else indices


@publish("mint.where", numpy="np.nonzero(condition)", samples="b1(2, 3); i32(3, 4); f32(5)", in_python=True)
def positions(condition: Tensor) -> Any:
    """The indices (int64) of the elements that are not 0, in row-major order, a Tensor for each axis."""
    return nonzero(condition, True)


@publish(
    "Tensor.select(condition, input as self, other|y)",
    numpy="np.where(condition, input, other)",
    samples="b1(2, 3), f32(2, 3), f32(3); b1(3), i32(3), 2",
)
def selected(condition: Tensor, input: Tensor, other: Number) -> Any:
    """input where condition is true, other elsewhere, with broadcasting.

    Args:
        other: a Tensor; or an int, of an int32 input, or a float, of a float32 one.

    Raises:
        TypeError: condition is not of bools, or a number is not of input's dtype.
    """
    if not isinstance(other, core.Tensor):
        kind = "int" if core.Tensor(other).dtype in (core.bool_, core.int64) else "float"
        if input.dtype != (core.int32 if kind == "int" else core.float32):
            raise TypeError(
                f"For 'Tensor.select', if the argument 'y' is {kind}, then the tensor type should be {kind}32 but got "
                f"{input.dtype}: give a Tensor, or use where()."
            )
    return _ops.select(condition, input, other)


@publish(
    "numpy.where",
    numpy="np.where(condition, x, y)",
    samples="b1(2, 3), f32(2, 3), f32(3); f32(2, 3) > 0, f32(2, 3), 0.0; i32(3) // 4, f32(3), f32(2, 1)",
)
def where(condition: Number, x: Number, y: Number) -> Any:
    """The elements of x where a condition is true, else those of y; all broadcast.

    Args:
        condition: what is not 0 is true.
    """
    return _ops.select(_is_true(as_tensor(condition)), x, y)


@publish(
    "numpy.select",
    numpy="np.select(condlist, choicelist, default)",
    samples="[b1(3), b1(3)], [f32(3), f32(3)]; [b1(2, 3)], [f32(3)], 5; [b1(3), b1(2, 1)], [i32(3), i32(1)], -1",
)
def select_first(condlist: Any, choicelist: Any, default: Number = 0) -> Any:
    """At each position the element of the choice whose condition is the first to be true there, or a default.

    Args:
        condlist: a tuple or list of Tensors; what is not 0 is true.
        choicelist: as many Tensors.
        default: what is where none is true.

    Raises:
        ValueError: there are no conditions, or not as many as choices.
    """
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ValueError(
            f"For 'select', there must be as many conditions as choices, at least one, but there are {len(condlist)} and "
            f"{len(choicelist)}."
        )
    result: Any = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        result = _ops.select(_is_true(as_tensor(condition)), as_tensor(choice), result)
    return result


@publish(
    "numpy.choose Tensor.choose(choices, mode)",
    numpy="np.choose(a, choices, mode=mode)",
    samples="i64(4) % 2, [f32(4), f32(4)]; i64(2, 3), f32(3, 3), 'wrap'; i32(3), [f32(2, 3), f32(1), f32(3)]",
)
def choose(a: Number, choices: Any, mode: str = "clip") -> Any:
    """Of several Tensors at each position the element of that which a index names; all broadcast.

    Args:
        a: integers.
        choices: a tuple or list of Tensors, or a Tensor whose slices along its first axis are meant.
        mode: of indices out of range: "clip" takes the nearest, "wrap" counts on from the other end, "raise" refuses.

    Raises:
        ValueError: mode is unknown, there are no choices, or the shapes do not broadcast.
        IndexError: an index is out of range, and mode is "raise".
    """
    items = [*choices] if isinstance(choices, (tuple, list)) else [choices[i] for i in range(choices.shape[0])]
    if not items:
        raise ValueError("For 'choose', there must be at least one of 'choices', but there is none.")
    index = as_tensor(a)
    shape = broadcast_shape("choose", [index, *map(as_tensor, items)])
    stacked = _ops.stack([_ops.broadcast_to(one, shape) for one in promoted([as_tensor(one) for one in items])], 0)
    at = _ops.broadcast_to(within("choose", index, len(items), mode), shape)
    return _ops.squeeze(_ops.gather_d(stacked, 0, _ops.expand_dims(at, 0)), 0)


@publish(
    "ops.masked_select Tensor.masked_select mint.masked_select ops.MaskedSelect()(input as x, mask)",
    numpy="(lambda x, m: x[m])(*np.broadcast_arrays(input, mask))",
    samples="f32(3, 4), b1(3, 4); f32(3, 4), b1(4); i32(4), b1(3, 1); f32(), b1()",
    in_python=True,
)
def masked_select(input: Tensor, mask: Tensor) -> Any:
    """The elements where a mask, which broadcasts with the input, is true, in one axis.

    Raises:
        TypeError: mask is not of bools.
        ValueError: the shapes do not broadcast.
    """
    if mask.dtype != core.bool_:
        raise TypeError(f"For 'masked_select', 'mask' must be bool, but got {mask.dtype}: compare it with 0.")
    if mask.shape != input.shape:
        shape = _ops.logical_or(mask, _ops.zeros_like(input, core.bool_)).shape
        input, mask = _ops.broadcast_to(input, shape), _ops.broadcast_to(mask, shape)
    return get(input, mask)


@publish(
    """Tensor.masked_scatter Tensor.masked_scatter_ ops.masked_scatter
    ops.MaskedScatter()(input as x, mask, source as updates)""",
    numpy="""(lambda x, m: (x.__setitem__(m, source.ravel()[:m.sum()]), x)[1])(
    input.copy(), np.broadcast_to(mask, input.shape))""",
    samples="f32(3, 4), b1(3, 4), f32(12); f32(3, 4), b1(4), f32(3, 5)",
)
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Any:
    """input with the elements of source, one after the other, where mask is true.

    Args:
        mask: bools, broadcast to input's shape.
        source: of at least as many elements as are true.
    """
    whole = _ops.broadcast_to(mask, input.shape)
    number = _ops.cumsum(_ops.reshape(whole, (-1,)), 0, core.int64)
    values = _ops.gather(_ops.reshape(source, (-1,)), _ops.maximum(_ops.sub(number, 1), 0), 0)
    return _ops.select(whole, _ops.cast(_ops.reshape(values, input.shape), input.dtype), input)


def _count(x: Tensor, axis: Any, keep_dims: bool, dtype: DType) -> Any:
    every = isinstance(axis, (tuple, list)) and not axis
    if dtype == core.int32 and x.size > (1 << 31) - 1:
        return as_positions(_count(x, axis, keep_dims, core.int64))
    return _ops.sum(_ops.cast(_is_true(x), dtype), None if every else axis, keep_dims, dtype)


@publish(
    "ops.count_nonzero Tensor.count_nonzero(axis|dim, keep_dims, dtype) numpy.count_nonzero(x, axis, keep_dims as keepdims)",
    numpy="np.count_nonzero(x, axis=axis or None if axis != 0 else 0, keepdims=keep_dims).astype(dtype)",
    samples="f32(2, 3); i32(3, 4), 0; b1(3, 4), (0, 1), True; f32(3), (), False, int64",
)
def count_nonzero(x: Tensor, axis: Ints | None = (), keep_dims: bool = False, dtype: DType = core.int32) -> Any:
    """How many elements are not 0, over axes; over all if there are none. NaN is not 0.

    Args:
        keep_dims: whether the axes stay, of size 1.
        dtype: of the counts.

    Raises:
        ValueError: an axis is out of range.
    """
    return _count(x, axis, keep_dims, dtype)


@publish(
    "mint.count_nonzero(input, dim) ops.CountNonZero(dim as dims)(input as x)",
    numpy="np.count_nonzero(input, axis=dim, keepdims=keepdims)",
    samples="f32(2, 3); i32(3, 4), 0; b1(3, 4), (0, 1), True",
)
def count_nonzero_wide(input: Tensor, dim: Ints | None = None, keepdims: bool = False) -> Any:
    """How many elements are not 0 (int64), over axes; over all if there are none. NaN is not 0.

    Args:
        keepdims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range.
    """
    return _count(input, dim, keepdims, core.int64)


@publish("ops.is_nonzero", numpy="bool(input)", samples="f32(1); i32()", in_python=True)
def is_nonzero(input: Tensor) -> Any:
    """Whether the only element is not 0.

    Raises:
        ValueError: there is not one element.
    """
    if input.size != 1:
        raise ValueError(f"For 'is_nonzero', the input must have one element, but its shape is {tuple(input.shape)}.")
    return bool(_ops.reshape(_is_true(input), ()))
