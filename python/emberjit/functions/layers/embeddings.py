"""Vectors of numbers of classes: embeddings and one-hot vectors. OneHot of nn is given depth and values when it is made,
that of ops when it is called."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_number, check_rank, check_within
from emberjit.functions.arguments import int_of
from emberjit.functions.layers.normalisation import norm_along
from emberjit.publish.kinds import Number, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
one_hot: nn.OneHot(axis, depth: int = 1, on_value = 1.0, off_value = 0.0, result as dtype = float32)(indices)
""",
)

_INTEGERS = (core.int8, core.int16, core.int32, core.int64, core.uint8)


def _check_integers(function: str, name: str, tensor: Tensor) -> None:
    if tensor.dtype not in _INTEGERS:
        raise TypeError(f"For '{function}', the dtype of '{name}' must be of integers, but got {tensor.dtype}.")


def _limit(weight: Tensor, input: Tensor, most: float, p: float) -> None:
    """Writes rows of the table that are looked up, and whose norm is above `most`, scaled down to it."""
    norms = norm_along(weight, p, -1, True)
    flat = _ops.reshape(input, (-1,))
    marks = _ops.ones((flat.shape[0], 1), core.int32)
    used = _ops.greater(_ops.index_add(_ops.zeros(norms.shape, core.int32), flat, marks, 0), 0)
    scaled = weight * (most / (norms + 1e-7))
    changed = _ops.logical_and(used, _ops.greater(norms, most))
    _ops.assign(weight, _ops.stop_gradient(_ops.select(changed, scaled, weight)))


def padding_row(function: str, padding_idx: int | None, rows: int) -> int | None:
    """The row of a table that is not learned, counted from the first.

    Raises:
        ValueError: it is out of range.
    """
    if padding_idx is None:
        return None
    check_within(function, "padding_idx", padding_idx, -rows, below=rows)
    return padding_idx % rows


@publish(
    "ops.embedding mint.nn.functional.embedding",
    numpy="weight[input]",
    samples="i64(2, 3) % 4, f32(4, 5); i32(3) % 4, f64(4, 2); i64() % 2, f64(2, 3)",
    in_python=True,
)
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: Number | None = None,
    norm_type: Number = 2.0,
    scale_grad_by_freq: bool = False,
) -> Any:
    """The rows of a table that numbers name.

    Args:
        input: numbers of rows.
        weight: the table, of shape (rows, size).
        padding_idx: a row through which no gradient flows.
        max_norm: the norm to which rows that are looked up are scaled down in the table, if theirs is larger.
        norm_type: the exponent of that norm, a positive number or inf.
        scale_grad_by_freq: whether the gradient of a row is divided by how often input has it.

    Raises:
        TypeError: input is not of integers, or weight not of floating point.
        ValueError: weight is no matrix, padding_idx is out of range, or norm_type is not positive.
        IndexError: a number of no row.
    """
    _check_integers("embedding", "input", input)
    check_floating("embedding", weight=weight)
    check_rank("embedding", "weight", weight, 2)
    unlearned = padding_row("embedding", padding_idx, weight.shape[0])
    if max_norm is not None:
        check_number("embedding", "norm_type", norm_type, above=0)
        _limit(weight, input, max_norm, norm_type)
    rows = _ops.gather(weight, input, 0)
    if not scale_grad_by_freq and unlearned is None:
        return rows
    fixed = _ops.stop_gradient(rows)
    if scale_grad_by_freq:
        flat = _ops.reshape(input, (-1,))
        ones = _ops.ones(flat.shape, weight.dtype)
        counts = _ops.index_add(_ops.zeros(weight.shape[:1], weight.dtype), flat, ones, 0)
        rows = fixed + (rows - fixed) / _ops.expand_dims(_ops.gather(counts, input, 0), -1)
    if unlearned is not None:
        rows = _ops.select(_ops.expand_dims(_ops.equal(input, unlearned), -1), fixed, rows)
    return rows


@publish(
    "ops.one_hot ops.OneHot(axis)(indices, depth, on_value = ..., off_value = ...)",
    numpy="np.moveaxis(np.where(indices[..., None] == np.arange(depth), on_value, off_value), -1, axis)",
    samples="i32(2, 3) % 4, 4, f32(1), f32(1); i64(5) % 3, 3, f64(1), f64(1), 0; i32(3) % 4, 4",
    in_python=True,
)
def one_hot(indices: Tensor, depth: Any, on_value: Number = 1, off_value: Number = 0, axis: int = -1) -> Any:
    """A new axis on which there is one value at the index, and another elsewhere.

    Args:
        indices: integers.
        depth: the size of the axis, an int or a Tensor of one.
        on_value, off_value: the values, numbers or Tensors of one.
        axis: where the axis comes.

    Raises:
        ValueError: a value is not a single one, or axis is out of range.
    """
    on, off = (_ops.reshape(value, ()) if getattr(value, "size", 0) == 1 else value for value in (on_value, off_value))
    return _ops.one_hot(indices, int_of("OneHot", "depth", depth), on, off, axis)


@publish(
    "mint.nn.functional.one_hot(tensor, num_classes)",
    numpy="(tensor[..., None] == np.arange(tensor.max() + 1 if num_classes == -1 else num_classes)).astype(np.int64)",
    samples="i64(2, 3) % 4, 5; i32(4) % 3; i64(0, 2), 3",
    in_python=True,
)
def one_hot_of_classes(tensor: Tensor, num_classes: int = -1) -> Any:
    """A last axis that is 1 at the number of the class, else 0, as int64.

    Args:
        tensor: numbers of classes.
        num_classes: the size of the axis; -1: the largest number and one.

    Raises:
        TypeError: tensor is not of integers.
        ValueError: num_classes is neither -1 nor a size, or -1 without any number.
    """
    _check_integers("one_hot", "tensor", tensor)
    if num_classes < -1 or num_classes == 0 or (num_classes == -1 and tensor.size == 0):
        raise ValueError(f"For 'one_hot', 'num_classes' must be a number of classes, but got {num_classes}.")
    count = int(_ops.amax(tensor)) + 1 if num_classes == -1 else num_classes
    return _ops.one_hot(_ops.cast(tensor, core.int64), count)
