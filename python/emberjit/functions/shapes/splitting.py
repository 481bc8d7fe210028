"""One Tensor in several, along an axis. Views. `split` takes the sizes of pieces in ops, mint and Tensor, and in numpy how
many there are, or where to cut."""

from __future__ import annotations

import itertools
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_steps, check_within
from emberjit.functions.arguments import int_of, ints_of
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, checked_axis

_ops = core.ops

publish_ops(
    __name__,
    """
split: ops.split Tensor.split(split_size_or_sections|split_size, axis|dim)
    mint.split(tensor, split_size_or_sections, axis as dim)
""",
)


@publish(
    "ops.chunk Tensor.chunk(chunks, axis|dim) mint.chunk(input, chunks, axis as dim)",
    numpy="(lambda n, one: np.split(input, range(one, n, one), axis))(input.shape[axis], -(-input.shape[axis] // chunks))",
    samples="f32(4, 5), 2; f32(4, 5), 3, 1; f32(5), 4",
    in_python=True,
)
def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """At most `chunks` pieces of one size along an axis; the last may be smaller. Views.

    Raises:
        ValueError: chunks is not positive, or axis is out of range.
    """
    check_within("chunk", "chunks", chunks, above=0)
    size = -(-input.shape[checked_axis("chunk", input, axis)] // chunks)
    return tuple(_ops.split(input, size, axis)) if size else (input,) * chunks


def _slices(function: str, tensor: Tensor, axis: int) -> tuple[Any, ...]:
    at = checked_axis(function, tensor, axis)
    return tuple(_ops.select_at(tensor, i, at) for i in [*range(tensor.shape[at])])


@publish(
    "ops.unbind Tensor.unbind(dim|axis) mint.unbind",
    numpy="[*np.moveaxis(input, dim, 0)]",
    samples="f32(2, 3); f32(2, 3), -1",
    in_python=True,
)
def unbind(input: Tensor, dim: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views.

    Raises:
        ValueError: the axis is out of range.
    """
    return _slices("unbind", input, dim)


@publish("ops.unstack", numpy="[*np.moveaxis(input_x, axis, 0)]", samples="f32(2, 3); f32(2, 3), -1", in_python=True)
def unstack(input_x: Tensor, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views.

    Raises:
        ValueError: the axis is out of range.
    """
    return _slices("unstack", input_x, axis)


@publish(
    "ops.Unstack(axis, num)(input_x) ops.Unpack(axis)(input_x as x) ops.SequenceUnstack(axis)(input_x)",
    numpy="[*np.moveaxis(input_x, axis, 0)]",
    samples="f32(2, 3); f32(2, 3), -1, 3",
    in_python=True,
)
def unstack_all(input_x: Tensor, axis: int = 0, num: int | None = None) -> tuple[Any, ...]:
    """The slices along an axis, `num` of them. Views.

    Raises:
        ValueError: num is given, and not the size of the axis.
    """
    if num is not None and num != input_x.shape[axis]:
        raise ValueError(f"For 'Unstack', 'num' must be the size of axis {axis}, {input_x.shape[axis]}, but got {num}.")
    return _slices("Unstack", input_x, axis)


@publish(
    "ops.Split(axis, output_num)(input_x)",
    numpy="np.split(input_x, output_num, axis)",
    samples="f32(4, 3), 0, 2; f32(4, 3), 1, 3",
    in_python=True,
)
def split_evenly(input_x: Tensor, axis: int = 0, output_num: int = 1) -> Any:
    """output_num pieces of one size along an axis. Views.

    Raises:
        ValueError: the axis is out of range, or does not divide by output_num.
    """
    size = input_x.shape[checked_axis("Split", input_x, axis)]
    if output_num < 1 or size % output_num:
        raise ValueError(f"For 'Split', an axis of size {size} can not be split into {output_num} equal pieces.")
    return _ops.split(input_x, size // output_num, axis)


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


_declare_splits()


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
    return _ops.split(input_x, tuple(sizes), split_dim)
