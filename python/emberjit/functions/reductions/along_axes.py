"""Functions of the program's along axes."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Ints, Number
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis
from emberjit.tensors.operands import as_tensor

_ops = core.ops


@publish(
    "numpy.apply_over_axes",
    numpy="np.apply_over_axes(np.sum, a, axes)",
    samples="lambda x, axis: x.sum(axis), f32(2, 3, 4), (0, 2); lambda x, axis: x.sum(axis), f32(2, 3), -1",
    in_python=True,
)
def apply_over_axes(func: Any, a: Number, axes: Ints) -> Any:
    """func(a, axis) for one axis after another; an axis that it leaves out comes back, of size 1.

    Args:
        func: a function from (a Tensor, an axis) to a Tensor.
        a: a Tensor, or data for one.
        axes: an int, or a tuple of ints.

    Raises:
        ValueError: an axis is out of range, or a result has another number of axes.

    Examples:
        >>> x = ops.arange(8).reshape(2, 2, 2)
        >>> print(ms.numpy.apply_over_axes(ms.numpy.sum, x, (0, 2)))
        [[[10]
          [18]]]
    """
    result = as_tensor(a)
    rank = result.ndim
    for axis in (axes,) if isinstance(axes, int) else axes:
        at = checked_axis("apply_over_axes", result, axis)
        result = func(result, at)
        result = _ops.expand_dims(result, at) if result.ndim == rank - 1 else result
        if result.ndim != rank:
            raise ValueError(f"For 'apply_over_axes', 'func' must give {rank} or {rank - 1} axes, but gave {result.ndim}.")
    return result


def apply_along_axis(func1d: Any, axis: int, arr: Number, *args: Any, **kwargs: Any) -> Any:
    """func1d of every line of a Tensor along an axis, in whose place the axes of its results come.

    Args:
        func1d: A function of a Tensor with one axis.
        args, kwargs: what it takes further.

    Returns:
        Tensor of arr's shape, with the shape of func1d's results in place of axis.

    Raises:
        ValueError: axis is out of range, or there are no lines.

    Examples:
        >>> x = Tensor([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
        >>> print(ms.numpy.apply_along_axis(lambda row: row.max() - row.min(), 1, x))
        [2. 2.]
    """
    whole = as_tensor(arr)
    at = checked_axis("apply_along_axis", whole, axis)
    rest = tuple(n for d, n in enumerate(whole.shape) if d != at)
    order = (*(d for d in range(whole.ndim) if d != at), at)
    lines = _ops.reshape(_ops.transpose(whole, order), (-1, whole.shape[at]))
    if lines.shape[0] == 0:
        raise ValueError(f"For 'apply_along_axis', there are no lines in shape {tuple(whole.shape)}.")
    results = [as_tensor(func1d(lines[i], *args, **kwargs)) for i in range(lines.shape[0])]
    extra = results[0].ndim
    stacked = _ops.reshape(_ops.stack(results, 0), (*rest, *results[0].shape))
    added = tuple(range(len(rest), len(rest) + extra))
    return _ops.transpose(stacked, (*range(at), *added, *range(at, len(rest))))
