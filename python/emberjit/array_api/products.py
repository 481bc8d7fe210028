"""Products of vectors and matrices, in the dtype their operands promote to. Matrices are the last two axes.

Source: the Python array API standard, "Linear Algebra Functions".
"""

from __future__ import annotations

from collections.abc import Sequence

from emberjit import _emberjit as core
from emberjit._emberjit import Tensor
from emberjit.array_api.array import Array, tensor_in
from emberjit.array_api.dtypes import NUMERIC
from emberjit.array_api.elements import in_one_dtype
from emberjit.functions.linalg import vector_products

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]

_ops = core.ops


def pair_in(name: str, x1: Array, x2: Array) -> list[Tensor]:
    """Two arrays' Tensors in the dtype they promote to.

    Raises:
        TypeError: they are not of numbers.
    """
    return in_one_dtype(name, [tensor_in(name, x1), tensor_in(name, x2)], NUMERIC)


def matmul(x1: Array, x2: Array, /) -> Array:
    """The product of matrices, broadcast over other axes; an operand of one axis is a row, or a column, without that axis.

    Raises:
        TypeError: an operand is not of numbers.
        ValueError: an operand has no axis, or the sizes do not fit.
    """
    return Array(_ops.matmul(*pair_in("matmul", x1, x2)))


def matrix_transpose(x: Array, /) -> Array:
    """Matrices transposed.

    Raises:
        ValueError: x has fewer than two axes.
    """
    tensor_in("matrix_transpose", x)
    return x.mT


def tensordot(x1: Array, x2: Array, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Array:
    """The sum of products over pairs of axes, of shape x1's other axes, then x2's.

    Args:
        axes: how many of x1's last axes meet x2's first, or x1's axes and x2's.

    Raises:
        TypeError: an operand is not of numbers.
        ValueError: axes are no pairs of axes of one size.
    """
    first, second = pair_in("tensordot", x1, x2)
    return Array(vector_products.tensordot(first, second, axes))


def checked_pair(name: str, x1: Tensor, x2: Tensor, axis: int) -> None:
    """
    Raises:
        ValueError: axis does not count from the end of both, or is not of one size in them.
    """
    rank = min(x1.ndim, x2.ndim)
    if not -rank <= axis < 0:
        raise ValueError(f"For '{name}', 'axis' must be in [-{rank}, 0), counted from the last, but got {axis}.")
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"For '{name}', axis {axis} must be of one size, but shapes are {x1.shape} and {x2.shape}.")


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The sum of products along an axis, x1's elements conjugated, after broadcasting of the others.

    Args:
        axis: negative, counted from the last.

    Raises:
        TypeError: an operand is not of numbers.
        ValueError: axis is out of range or not of one size, or the shapes do not broadcast.
    """
    first, second = pair_in("vecdot", x1, x2)
    checked_pair("vecdot", first, second, axis)
    return Array(_ops.cast(vector_products.vecdot(first, second, axis), first.dtype))
