"""Elements by condition and by position among all: what is true or not zero, taking, choosing, parts that are replaced."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import DType, Ints, Number, Tensor, Tensors
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import along, as_positions, checked_axis, get, true_positions
from emberjit.tensors.operands import as_tensor, broadcast_shape, promoted

_ops = core.op_table


def _is_true(x: Tensor) -> Any:
    return x if x.dtype == core.bool_ else _ops["not_equal"](x, 0)


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
        input = _ops["reshape"](input, (1,))
    found = true_positions(_is_true(input))
    return tuple(found[:, axis] for axis in range(input.ndim)) if as_tuple else found


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
        shape = _ops["logical_or"](mask, _ops["zeros_like"](input, core.bool_)).shape
        input, mask = _ops["broadcast_to"](input, shape), _ops["broadcast_to"](mask, shape)
    return get(input, mask)


def _counted(x: Tensor, axis: Any, keep_dims: bool, dtype: Any) -> Any:
    every = isinstance(axis, (tuple, list)) and not axis
    if dtype == core.int32 and x.size > (1 << 31) - 1:
        return as_positions(_counted(x, axis, keep_dims, core.int64))
    return _ops["sum"](_ops["cast"](_is_true(x), dtype), None if every else axis, keep_dims, dtype)


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
    return _counted(x, axis, keep_dims, dtype)


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
    return _counted(input, dim, keepdims, core.int64)


@publish("ops.is_nonzero", numpy="bool(input)", samples="f32(1); i32()", in_python=True)
def is_nonzero(input: Tensor) -> Any:
    """Whether the only element is not 0.

    Raises:
        ValueError: there is not one element.
    """
    if input.size != 1:
        raise ValueError(f"For 'is_nonzero', the input must have one element, but its shape is {tuple(input.shape)}.")
    return bool(_ops["reshape"](_is_true(input), ()))


@publish(
    "ops.take mint.take",
    numpy="input.ravel()[index]",
    samples="f32(3, 4), i64(2, 2) % 12; i32(5), i32(3) % 5; f32(4), i64()",
)
def take(input: Tensor, index: Tensor) -> Any:
    """The elements at positions among all, in row-major order.

    Raises:
        IndexError: a position is out of range.
    """
    return _ops["gather"](_ops["reshape"](input, (-1,)), index, 0)


def within(function: str, index: Any, size: int, mode: str) -> Any:
    """Positions made to lie within an axis.

    Raises:
        ValueError: mode is unknown.
    """
    if mode == "clip":
        return _ops["clip"](index, 0, size - 1)
    if mode == "wrap":
        return _ops["floor_mod"](index, size)
    if mode == "raise":
        return index
    raise ValueError(f"For '{function}', 'mode' must be 'raise', 'wrap' or 'clip', but got '{mode}'.")


@publish(
    "numpy.take Tensor.take(indices|index, axis, mode)",
    numpy="(lambda n: np.take(a, np.clip(indices, -n, n - 1) if mode == 'clip' else np.asarray(indices) % n, axis))("
    "a.size if axis is None else a.shape[axis])",
    samples="f32(3, 4), i64(2, 2); f32(3, 4), i64(3), 1, 'wrap'; i32(3, 4), i64(2) % 3, -2, 'raise'; f32(2, 3), [0, 1], 0",
)
def take_along(a: Number, indices: Any, axis: int | None = None, mode: str = "clip") -> Any:
    """Slices at positions along an axis, or elements at positions among all.

    Args:
        indices: integers.
        axis: None for elements among all, in row-major order.
        mode: of positions out of range, where negative ones count from the end: "clip" takes the nearest, "wrap" counts on
            from the other end, "raise" refuses.

    Raises:
        ValueError: axis is out of range, or mode unknown.
        IndexError: a position is out of range, and mode is "raise".
    """
    source = as_tensor(a)
    if axis is None:
        source, axis = _ops["reshape"](source, (-1,)), 0
    at = checked_axis("take", source, axis)
    index, size = as_tensor(indices), source.shape[at]
    index = _ops["clip"](index, -size, size - 1) if mode == "clip" else within("take", index, size, mode)
    return _ops["gather"](source, index, at)


@publish(
    "numpy.take_along_axis",
    numpy="np.take_along_axis(arr, indices, axis)",
    samples="""f32(3, 4), i64(3, 2) % 4, 1; f32(3, 4), i64(2, 4) % 3, 0; f32(3, 4), i64(5) % 12, None;
    f32(3, 4), i64(1, 2) % 4, 1""",
)
def take_along_axis(arr: Tensor, indices: Tensor, axis: int | None) -> Any:
    """Elements at positions along an axis, one for each element of indices, which broadcasts along other axes.

    Args:
        indices: integers, of arr's rank.
        axis: None for elements among all, in row-major order.

    Raises:
        ValueError: axis is out of range, or the shapes do not fit.
        IndexError: a position is out of range.
    """
    if axis is None:
        return take(arr, indices)
    at = checked_axis("take_along_axis", arr, axis)
    if indices.ndim != arr.ndim:
        raise ValueError(
            f"For 'take_along_axis', 'indices' must have as many axes as the Tensor, but the shapes are "
            f"{tuple(indices.shape)} and {tuple(arr.shape)}."
        )
    sizes = [(int(i), int(n)) for i, n in zip(indices.shape, arr.shape)]
    spread = tuple(i if d == at or n == 1 else n for d, (i, n) in enumerate(sizes))
    source = tuple(n if d == at or n != 1 else i for d, (i, n) in enumerate(sizes))
    return _ops["gather_d"](_ops["broadcast_to"](arr, source), at, _ops["broadcast_to"](indices, spread))


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
    given = [*choices] if isinstance(choices, (tuple, list)) else [choices[i] for i in range(choices.shape[0])]
    if not given:
        raise ValueError("For 'choose', there must be at least one of 'choices', but there is none.")
    index = as_tensor(a)
    shape = broadcast_shape("choose", [index, *map(as_tensor, given)])
    stacked = _ops["stack"]([_ops["broadcast_to"](one, shape) for one in promoted([as_tensor(one) for one in given])], 0)
    at = _ops["broadcast_to"](within("choose", index, len(given), mode), shape)
    return _ops["squeeze"](_ops["gather_d"](stacked, 0, _ops["expand_dims"](at, 0)), 0)


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
    return _ops["select"](_is_true(as_tensor(condition)), x, y)


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
    found: Any = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        found = _ops["select"](_is_true(as_tensor(condition)), as_tensor(choice), found)
    return found


def _check_part(function: str, part: Any, src: Tensor, input: Tensor) -> None:
    if src.dtype != input.dtype:
        raise TypeError(f"For '{function}', 'src' must be {input.dtype} as the input is, but got {src.dtype}.")
    if tuple(part.shape) != tuple(src.shape):
        raise ValueError(
            f"For '{function}', the shape of 'src' must be the part's, {tuple(part.shape)}, but got {tuple(src.shape)}."
        )


@publish(
    "ops.select_scatter Tensor.select_scatter",
    numpy="(lambda x: (np.moveaxis(x, axis, 0).__setitem__(index, src), x)[1])(input.copy())",
    samples="f32(3, 4), f32(4), 0, 1; f32(3, 4), f32(3), -1, -2",
)
def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Any:
    """input with the slice at an index along an axis replaced.

    Raises:
        TypeError: src is of another dtype.
        ValueError: axis is out of range, or src has not the slice's shape.
        IndexError: index is out of range.
    """
    at = along(checked_axis("select_scatter", input, axis), index)
    _check_part("select_scatter", input[at], src, input)
    whole = _ops["identity"](input)
    whole[at] = src
    return whole


@publish(
    "ops.slice_scatter Tensor.slice_scatter",
    numpy="""(lambda x: (np.moveaxis(x, axis, 0).__setitem__(slice(start, end, step), np.moveaxis(src, axis, 0)),
    x)[1])(input.copy())""",
    samples="f32(4, 3), f32(2, 3), 0, 1, 3; f32(4, 6), f32(4, 3), -1, None, None, 2; f32(4), f32(4)",
)
def slice_scatter(
    input: Tensor, src: Tensor, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """input with the slices start:end:step along an axis replaced.

    Raises:
        TypeError: src is of another dtype.
        ValueError: axis is out of range, step not positive, or src has not the part's shape.
    """
    if step < 1:
        raise ValueError(f"For 'slice_scatter', 'step' must be positive, but got {step}.")
    at = along(checked_axis("slice_scatter", input, axis), slice(start, end, step))
    _check_part("slice_scatter", input[at], src, input)
    whole = _ops["identity"](input)
    whole[at] = src
    return whole


@publish(
    "ops.diagonal_scatter Tensor.diagonal_scatter",
    numpy="""(lambda x, v: (v[0].__setitem__((np.arange(src.shape[-1]) - min(offset, 0), np.arange(src.shape[-1]) +
    max(offset, 0)), np.moveaxis(src, -1, 0)), x)[1])(
    *(lambda x: (x, [np.moveaxis(x, (dim1, dim2), (0, 1))]))(input.copy()))""",
    samples="f32(3, 4), f32(3); f32(3, 4), f32(2), -1; f32(2, 3, 3), f32(2, 2), 1, 1, 2",
)
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """input with a diagonal replaced.

    Args:
        src: of the diagonal's shape: the other axes, and then along it.
        offset: how far the diagonal is above the main one.
        dim1, dim2: the axes of the matrices.

    Raises:
        TypeError: src is of another dtype.
        ValueError: an axis is out of range, or src has not the diagonal's shape.
    """
    _check_part("diagonal_scatter", _ops["diagonal"](input, offset, dim1, dim2), src, input)
    first, second = (checked_axis("diagonal_scatter", input, axis) for axis in (dim1, dim2))
    at = _ops["arange"](src.shape[-1])
    rest = [axis for axis in range(input.ndim) if axis not in (first, second)]
    order = (first, second, *rest)
    front = _ops["transpose"](input, order)
    values = _ops["transpose"](src, (src.ndim - 1, *range(src.ndim - 1)))
    made = _ops["scatter_axes"](front, values, (at - min(offset, 0), at + max(offset, 0)), (0, 1))
    return _ops["transpose"](made, tuple(order.index(axis) for axis in range(input.ndim)))


@publish(
    "ops.index Tensor.index(indices)",
    numpy="input[tuple(indices)]",
    samples="f32(3, 4), (i64(2) % 3, i64(2) % 4); f32(3, 4), [i64(2, 1) % 3]",
)
def index(input: Tensor, indices: Tensors) -> Any:
    """The elements at indices, a Tensor of integers or bools for each of the first axes, which broadcast.

    Raises:
        IndexError: an index is out of range, of another type, or there are too many.
    """
    return get(input, tuple(indices))


@publish(
    """ops.EmbeddingLookup()(input_params, input_indices, offset)""",
    numpy="""np.where(((input_indices >= offset) & (input_indices < offset + len(input_params)))[(..., *[None] *
    (input_params.ndim - 1))], input_params[np.clip(input_indices - offset, 0, len(input_params) - 1)], 0)""",
    samples="f32(4, 3), i64(2, 3), 1; f32(5), i32(4), 0",
)
def embedding_lookup(input_params: Tensor, input_indices: Tensor, offset: int) -> Any:
    """Slices along the first axis at input_indices - offset; zeros where that is out of range.

    Args:
        input_params: with at least one axis.
        input_indices: integers.

    Raises:
        ValueError: input_params has no axis.
    """
    size = input_params.shape[checked_axis("EmbeddingLookup", input_params, 0)]
    at = _ops["sub"](input_indices, offset)
    found = _ops["gather"](input_params, _ops["clip"](at, 0, size - 1), 0)
    inside = _ops["logical_and"](at >= 0, at < size)
    inside = _ops["reshape"](inside, (*inside.shape, *[1] * (input_params.ndim - 1)))
    return _ops["select"](inside, found, _ops["zeros_like"](found))


@publish(
    "ops.GatherV2()(input_params, input_indices, axis) ops.SparseGatherV2()(input_params, input_indices, axis)",
    numpy="np.take(input_params, input_indices, axis)",
    samples="f32(3, 4), i64(2) % 3, 0; f32(3, 4), i64(2, 2) % 4, -1",
)
def gather_slices(input_params: Tensor, input_indices: Tensor, axis: int) -> Any:
    """Slices at positions along an axis.

    Raises:
        ValueError: axis is out of range.
        IndexError: a position is out of range.
    """
    return _ops["gather"](input_params, input_indices, axis)
