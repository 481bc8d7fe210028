"""Tensors put together, and taken apart; what several Tensors span."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import int_of, ints_of, tensors_of
from emberjit.functions.checks import check_steps
from emberjit.publish.kinds import Ints, Tensor, Tensors
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import along, checked_axis
from emberjit.tensors.operands import as_tensor

_ops = core.op_table
_CHUNK = 1 << 20  # what is computed between looks for an interrupt
_MOST_CHOSEN = 62  # the ways to choose more, or to leave more, are no 64-bit number
_STACKS = "(f32(2, 3), f32(2, 3)); (f32(4), f32(4)); [i32(2, 3, 2), i32(2, 3, 2)]; f32(3, 2)"


def _unpacked(given: tuple[Any, ...]) -> list[Any]:
    """Tensors that are given one by one, or all in one tuple or list."""
    alone = len(given) == 1 and isinstance(given[0], (tuple, list))
    return [as_tensor(item) for item in (given[0] if alone and _holds_tensors(given[0]) else given)]


def _holds_tensors(items: Any) -> bool:
    return any(hasattr(item, "shape") for item in items)


def at_least(rank: int, input: Any) -> Any:
    """A Tensor with `rank` axes or more, of which new ones are where NumPy has them. A view."""
    x = as_tensor(input)
    if x.ndim >= rank:
        return x
    if rank == 3 and x.ndim == 2:
        return _ops["reshape"](x, (*x.shape, 1))
    return _ops["reshape"](x, {1: (1,), 2: (1, -1), 3: (1, -1, 1)}[rank])


def _declare_at_least(rank: int) -> None:
    new = {1: "", 2: " a new one in front of it", 3: " new ones around it, or one behind two"}[rank]

    def of_all(inputs: Any) -> Any:
        if isinstance(inputs, (tuple, list)) and _holds_tensors(inputs):
            return tuple(at_least(rank, item) for item in inputs)
        return at_least(rank, inputs)

    def of_each(inputs: Any) -> Any:
        found = [at_least(rank, item) for item in inputs]
        return found[0] if len(found) == 1 else found

    for made, spelling, samples in (
        (of_all, f"ops.atleast_{rank}d", "f32(2); i32(); f32(2, 3); f32(2, 3, 1, 4); (f32(2), f32())"),
        (of_each, f"numpy.atleast_{rank}d(*inputs as arys = ())", "(); (f32(2),); (i32(), f32(2, 3)); (f32(2, 3, 1, 4),)"),
    ):
        made.__name__ = f"{made.__name__}_at_least_{rank}d"
        made.__doc__ = f"""With at least {rank} axes:{new or " one for a number"}. Several Tensors one by one. Views."""
        of_sequence = f"[np.atleast_{rank}d(x) for x in inputs]"
        reference = f"{of_sequence} if isinstance(inputs, tuple) else np.atleast_{rank}d(inputs)"
        publish(spelling, numpy=reference, samples=samples, in_python=True)(made)


def _stacked(function: str, rank: int, tensors: Any, axis: int) -> Any:
    parts = [at_least(rank, item) for item in tensors_of(function, tensors)]
    return _ops["concat"](parts, axis if len(parts) == 0 or parts[0].ndim > axis else 0)


@publish(
    "ops.hstack mint.hstack numpy.hstack(tensors as tup)",
    numpy="np.hstack([*tensors])",
    samples=_STACKS,
    in_python=True,
)
def horizontal(tensors: Any) -> Any:
    """Joined along the second axis, or what has one axis along that.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: there is nothing to join, or shapes differ elsewhere.
    """
    return _stacked("hstack", 1, tensors, 1)


@publish(
    "ops.vstack(tensors as inputs) ops.row_stack numpy.vstack(tensors as tup)",
    numpy="np.vstack([*tensors])",
    samples=_STACKS,
    in_python=True,
)
def vertical(tensors: Any) -> Any:
    """Joined along the first axis, with one axis as rows.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: there is nothing to join, or shapes differ elsewhere.
    """
    return _stacked("vstack", 2, tensors, 0)


@publish(
    "ops.dstack mint.dstack numpy.dstack(tensors as tup)",
    numpy="np.dstack([*tensors])",
    samples=_STACKS,
    in_python=True,
)
def in_depth(tensors: Any) -> Any:
    """Joined along the third axis, which those of fewer axes get.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: there is nothing to join, or shapes differ elsewhere.
    """
    return _stacked("dstack", 3, tensors, 2)


@publish(
    "ops.column_stack numpy.column_stack(tensors as tup)",
    numpy="np.column_stack([*tensors])",
    samples=_STACKS,
    in_python=True,
)
def columns(tensors: Any) -> Any:
    """Joined along the second axis, with one axis, or none, as columns.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: there is nothing to join, or shapes differ elsewhere.
    """
    parts = tensors_of("column_stack", tensors)
    return _ops["concat"]([x if x.ndim > 1 else _ops["reshape"](x, (-1, 1)) for x in parts], 1)


@publish(
    "ops.tensor_split Tensor.tensor_split numpy.array_split(input as x, indices_or_sections, axis)",
    numpy="np.array_split(input, indices_or_sections, axis)",
    samples="f32(5, 3), 3; i32(4, 7), (1, 3), 1; f32(6), [2, -1]; f32(2), 4; f32(5), (3, 2, 9)",
    in_python=True,
)
def tensor_split(input: Tensor, indices_or_sections: Ints, axis: int = 0) -> Any:
    """Pieces along an axis. Views.

    Args:
        indices_or_sections: how many, of sizes that differ by at most one, the larger ones first; or where to cut.
        axis: which axis.

    Raises:
        ValueError: axis is out of range, or there are to be no pieces.
    """
    return _pieces("tensor_split", input, indices_or_sections, axis, False)


@publish(
    "numpy.split(input as x, indices_or_sections, axis)",
    numpy="np.split(input, indices_or_sections, axis)",
    samples="f32(6, 3), 3; i32(4, 7), (1, 3), 1",
    in_python=True,
)
def array_split(input: Tensor, indices_or_sections: Ints, axis: int = 0) -> Any:
    """Pieces along an axis, of equal size. Views.

    Args:
        indices_or_sections: how many; or where to cut.
        axis: which axis.

    Raises:
        ValueError: axis is out of range, or its size does not divide by how many pieces there are to be.
    """
    return _pieces("split", input, indices_or_sections, axis, True)


def _pieces(function: str, input: Tensor, cuts: Any, axis: int, evenly: bool) -> tuple[Any, ...]:
    at = checked_axis(function, input, axis)
    size = input.shape[at]
    if not isinstance(cuts, (tuple, list)):
        cuts = int_of(function, "indices_or_sections", cuts, 1)
        check_steps(function, "indices_or_sections", cuts)
        least, more = divmod(size, cuts)
        if evenly and more:
            raise ValueError(f"For '{function}', an axis of size {size} can not be split into {cuts} equal pieces.")
        ends = list(itertools.accumulate([least + 1] * more + [least] * (cuts - more)))[:-1]
    else:
        ends = list(ints_of(function, "indices_or_sections", cuts))
    places = zip([0, *ends], [*ends, size])
    return tuple(input[along(at, slice(start, stop))] for start, stop in places)


def _declare_splits() -> None:
    for letter, axis, least in (("h", 1, 1), ("v", 0, 1), ("d", 2, 3)):
        for evenly, spellings in (
            (False, f"ops.{letter}split Tensor.{letter}split"),
            (True, f"numpy.{letter}split(input as x, indices_or_sections)"),
        ):
            _declare_split(f"{letter}split", axis, least, evenly, spellings)


def _declare_split(name: str, axis: int, least: int, evenly: bool, spellings: str) -> None:
    def along_axis(input: Tensor, indices_or_sections: Ints) -> Any:
        if input.ndim < least:
            raise ValueError(f"For '{name}', the input must have at least {least} axes, but has {input.ndim}.")
        return _pieces(name, input, indices_or_sections, min(axis, input.ndim - 1), evenly)

    along_axis.__name__ = f"{name}_{'evenly' if evenly else 'roughly'}"
    along_axis.__doc__ = f"""Pieces along axis {axis}{", or the only one" if axis == 1 else ""}. Views.

    Args:
        indices_or_sections: how many, of {"equal size" if evenly else "sizes that differ by at most one"}; or where to cut.

    Raises:
        ValueError: input has too few axes, or there can not be so many pieces.
    """
    uneven = "; f32(5, 6, 7), 4" if not evenly else ""
    publish(
        spellings,
        numpy=f"np.array_split(input, indices_or_sections, {axis})",
        samples="f32(4, 6, 2), 2; i32(4, 6, 8), (1, 2)" + uneven,
        in_python=True,
    )(along_axis)


@publish(
    """ops.meshgrid(*inputs, indexing) ops.Meshgrid(indexing)(inputs) mint.meshgrid(*inputs as tensors, indexing = None)""",
    numpy="[*np.meshgrid(*inputs, indexing=indexing, sparse=sparse)]",
    samples="(f32(2), f32(3)); (f32(2), f32(3), f32(4)), 'ij'; (i32(2), i32(3)), 'xy', True; (f32(3),)",
    in_python=True,
)
def meshgrid(inputs: Any, indexing: str | None = "xy", sparse: bool = False) -> Any:
    """The coordinates of a grid, a Tensor for each of its axes. Views.

    Args:
        inputs: coordinates along each axis, Tensors of one axis or none.
        indexing: "ij" or None: the first input runs along the first axis; "xy": the first two are exchanged.
        sparse: whether the results keep size 1 along the other axes.

    Raises:
        TypeError: inputs are no Tensors.
        ValueError: an input has more axes, or indexing is something else.
    """
    tensors = _unpacked(tuple(inputs))
    if indexing not in ("xy", "ij", None):
        raise ValueError(f"For 'meshgrid', 'indexing' must be 'xy' or 'ij', but got {indexing!r}.")
    shapes = [tuple(x.shape) for x in tensors if x.ndim > 1]
    if shapes:
        raise ValueError(f"For 'meshgrid', each input must have at most one axis, but one is of shape {shapes[0]}.")
    order = [*range(len(tensors))]
    if indexing == "xy" and len(tensors) > 1:
        order[:2] = [1, 0]
    whole = tuple(tensors[i].size for i in order)
    found = []
    for i, x in enumerate(tensors):
        own = _ops["reshape"](x, tuple(-1 if at == i else 1 for at in order))
        found.append(own if sparse else _ops["broadcast_to"](own, whole))
    return tuple(found)


@publish(
    "numpy.meshgrid(*inputs as xi, sparse, indexing)",
    numpy="[*np.meshgrid(*inputs, indexing=indexing, sparse=sparse)]",
    samples="(f32(2), f32(3)); (f32(2), f32(3), f32(4)), 'ij'; (i32(2), i32(3)), 'xy', True; (f32(2, 2), f32(3))",
    in_python=True,
)
def numpy_meshgrid(inputs: Any, indexing: str = "xy", sparse: bool = False) -> Any:
    """The coordinates of a grid, a Tensor for each of its axes. Views.

    Args:
        inputs: coordinates along each axis: Tensors, whose elements count in row-major order.
        indexing: "ij": the first input runs along the first axis; "xy": the first two are exchanged.
        sparse: whether the results keep size 1 along the other axes.

    Raises:
        TypeError: inputs are no Tensors.
        ValueError: indexing is something else.
    """
    lines = [_ops["reshape"](x, (-1,)) if isinstance(x, core.Tensor) and x.ndim > 1 else x for x in _unpacked(tuple(inputs))]
    return meshgrid(lines, indexing, sparse)


@publish(
    "numpy.stack(tensors as arrays, axis)",
    numpy="np.stack([*tensors], axis)",
    samples="(f32(2, 3), f32(2, 3)); (i32(2), i32(2)), 1; f32(2, 3), 1; f32(2, 3), -1",
    in_python=True,
)
def numpy_stack(tensors: Any, axis: int = 0) -> Any:
    """Tensors joined along a new axis.

    Args:
        tensors: of one shape, in a tuple or list, or along the first axis of one Tensor.

    Raises:
        ValueError: the shapes differ, axis is out of range, or there are none.
    """
    return _ops["stack"](tensors_of("stack", tensors), axis)


@publish(
    "ops.block_diag(*inputs)",
    numpy="""np.block([[x if i == j else np.zeros((len(x), y.shape[1]), x.dtype) for j, y in enumerate(blocks)]
        for i, x in enumerate(blocks)]) if (blocks := [np.atleast_2d(x) for x in inputs]) else None""",
    samples="(f32(2, 3), f32(1, 2), f32(2), f32()); (i32(2, 2),)",
    in_python=True,
)
def block_diag(inputs: Any) -> Any:
    """Matrices along the diagonal of one, with zeros elsewhere.

    Args:
        inputs: of at most two axes; with one, a row.

    Raises:
        TypeError: inputs are no Tensors.
        ValueError: one has more axes, or there are none.
    """
    matrices = [at_least(2, item) for item in _unpacked(tuple(inputs))]
    for x in matrices:
        if x.ndim > 2:
            raise ValueError(f"For 'block_diag', each input must have at most two axes, but one is of shape {x.shape}.")
    widths = [x.shape[1] for x in matrices]
    rows = [_ops["pad"](x, (sum(widths[:i]), sum(widths[i + 1 :]))) for i, x in enumerate(matrices)]
    return _ops["concat"](rows, 0)


@publish(
    "ops.cartesian_prod(*inputs)",
    numpy="np.stack(np.meshgrid(*inputs, indexing='ij'), -1).reshape(-1, len(inputs))",
    samples="(f32(2), f32(3)); (i32(2), i32(3), i32(2)); (f32(4),)",
    in_python=True,
)
def cartesian_prod(inputs: Any) -> Any:
    """All combinations of one element of each input, as rows, those of the last input changing the fastest.

    Args:
        inputs: of one axis each.

    Raises:
        TypeError: inputs are no Tensors.
        ValueError: there are none, or one has another number of axes.
    """
    tensors = _unpacked(tuple(inputs))
    for x in tensors:
        if x.ndim != 1:
            raise ValueError(f"For 'cartesian_prod', each input must have one axis, but one is of shape {tuple(x.shape)}.")
    return _ops["stack"]([_ops["reshape"](x, (-1,)) for x in meshgrid(tensors, "ij")], -1)


@publish(
    "ops.combinations",
    numpy="""input[np.array([*getattr(__import__('itertools'), 'combinations' + '_with_replacement' * with_replacement)(
        range(len(input)), r)], int).reshape(-1, r)]""",
    samples="f32(4); i32(3), 3; f32(3), 2, True; f32(2), 4",
    in_python=True,
)
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    """All ways to choose r elements, as rows, in the order of their positions.

    Args:
        input: of one axis.
        r: how many to choose.
        with_replacement: whether an element may be chosen again.

    Raises:
        ValueError: input has another number of axes, or r is negative.
    """
    if input.ndim != 1 or r < 0:
        raise ValueError(
            f"For 'combinations', the input must have one axis and 'r' must not be negative, but the shape is "
            f"{tuple(input.shape)} and r {r}."
        )
    choose: Callable[..., Any] = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    import numpy as np

    size = input.shape[0]
    places_of = size + r - 1 if with_replacement else size
    few = min(r, places_of - r)
    count = math.comb(max(places_of, 0), r) if r > 0 and few <= _MOST_CHOSEN else 0
    if few > _MOST_CHOSEN or count * r >= 1 << 63:
        raise ValueError(f"For 'combinations', the ways to choose {r} of {size} elements are more than memory holds.")
    places = _ops["zeros"]((count * r,), core.int64)
    flat = itertools.chain.from_iterable(choose(range(size), r)) if count else iter(())
    for start in range(0, count * r, _CHUNK):
        chunk = np.fromiter(itertools.islice(flat, _CHUNK), np.int64)
        places[start : start + chunk.size] = core.Tensor(chunk)
    return _ops["gather"](input, _ops["reshape"](places, (count, r) if r else (0,)), 0)


@publish(
    "numpy.append",
    numpy="np.append(arr, values, axis)",
    samples="f32(2, 3), f32(4); i32(2, 3), i32(2, 1), 1",
    in_python=True,
)
def append(arr: Tensor, values: Tensor, axis: int | None = None) -> Any:
    """The values behind arr along an axis; without one, both in a single axis.

    Raises:
        ValueError: axis is out of range, or shapes differ elsewhere.
    """
    return joined((arr, values), axis)


@publish(
    "numpy.concatenate",
    numpy="np.concatenate(arrays, axis)",
    samples="(f32(2, 3), f32(1, 3)); (i32(2, 3), i32(3)), None",
    in_python=True,
)
def joined(arrays: Any, axis: int | None = 0) -> Any:
    """Joined along an axis; None: all elements in a single one.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: axis is out of range, there is nothing to join, or shapes differ elsewhere.
    """
    parts = tensors_of("concatenate", arrays)
    if axis is not None:
        return _ops["concat"](parts, axis)
    return _ops["concat"]([_ops["reshape"](x, (-1,)) for x in parts], 0)


@publish(
    "ops.SplitV(size_splits, split_dim, num_split)(input_x)",
    numpy="np.split(input_x, [1, 3], split_dim)",
    samples="f32(4, 3), (1, 2, 1), 0, 3; i32(4, 3), [1, 2, -1], 0, 3",
    in_python=True,
)
def split_by_sizes(input_x: Tensor, size_splits: Ints, split_dim: int, num_split: int) -> Any:
    """Pieces of the sizes that are given, of which one may be -1 for what is left. Views.

    Args:
        size_splits: the sizes.
        split_dim: the axis.
        num_split: how many sizes there are.

    Raises:
        ValueError: split_dim is out of range, or the sizes are not num_split and do not sum to the axis's.
    """
    sizes = list(ints_of("SplitV", "size_splits", size_splits))
    size = input_x.shape[checked_axis("SplitV", input_x, split_dim)]
    if sizes.count(-1) == 1:
        sizes[sizes.index(-1)] = size - (sum(sizes) + 1)
    if len(sizes) != num_split or sum(sizes) != size or min(sizes, default=0) < 0:
        raise ValueError(
            f"For 'SplitV', 'size_splits' must be {num_split} sizes that sum to {size}, that of axis {split_dim}, but got "
            f"{size_splits}."
        )
    return _ops["split"](input_x, tuple(sizes), split_dim)


@publish(
    "ops.ParallelConcat()(values)",
    numpy="np.concatenate(values)",
    samples="(f32(1, 3), f32(1, 3))",
    in_python=True,
)
def parallel_concat(values: Tensors) -> Any:
    """Joined along the first axis, along which each has size 1.

    Raises:
        ValueError: one has another size, or shapes differ elsewhere.
    """
    for x in values:
        if x.ndim == 0 or x.shape[0] != 1:
            raise ValueError(f"For 'ParallelConcat', each input must have size 1 along axis 0, but one is {tuple(x.shape)}.")
    return _ops["concat"](values, 0)


for _rank in (1, 2, 3):
    _declare_at_least(_rank)
_declare_splits()


@publish(
    "ops.ConcatOffsetV1()(axis, x)",
    numpy="""(lambda a: tuple((np.cumsum(a, 0) - a) * (np.arange(a.shape[1]) == int(axis) % a.shape[1])))(np.stack(x))""",
    samples="1, (i32(3), i32(3), i32(3)); -1, [i32(2), i32(2)]",
    in_python=True,
)
def concat_offsets(axis: Any, x: Tensors) -> Any:
    """Where each of several Tensors begins in their concatenation, by their shapes: a tuple of (rank,).

    Args:
        axis: along which they are concatenated, an int or a Tensor of one.
        x: the shapes, Tensors of integers (rank,).

    Raises:
        TypeError: x are no Tensors of integers.
        ValueError: axis is out of range.
    """
    sizes = _ops["stack"](tensors_of("ConcatOffsetV1", x))
    at, rank = int_of("ConcatOffsetV1", "axis", axis), sizes.shape[1]
    if not -rank <= at < rank:
        raise ValueError(f"For 'ConcatOffsetV1', 'axis' must be within [{-rank}, {rank}), but got {at}.")
    before = _ops["cast"](_ops["cumsum"](sizes, 0), sizes.dtype) - sizes
    offsets = _ops["select"](_ops["equal"](_ops["arange"](rank), at % rank), before, 0)
    return tuple(_ops["select_at"](offsets, i, 0) for i in range(sizes.shape[0]))
