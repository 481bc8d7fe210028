"""Functions that are no single op of the table."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from emberjit import _emberjit as core
from emberjit.values import tree

_ops = core.op_table


def _tensor(function: str, argument: str, value: Any) -> Any:
    if not isinstance(value, core.Tensor):
        kind = type(value).__name__
        raise TypeError(f"For '{function}', the argument '{argument}' must be a Tensor, but got {value!r} of type {kind}.")
    return value


def _axis_size(function: str, tensor: Any, axis: int) -> int:
    rank = tensor.ndim
    if not -rank <= axis < rank:
        raise ValueError(
            f"For '{function}', axis {axis} is out of range for a tensor of {rank} dimensions; it must be in "
            f"[{-rank}, {rank})."
        )
    size: int = tensor.shape[axis]
    return size


def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0.

    Args:
        start, end, step: ints, or floats, which make the result float32.
        dtype: of the result.

    Raises:
        ValueError: step is 0, or leads away from end.
    """
    if end is None:
        start, end = 0, start
    real = any(isinstance(value, float) for value in (start, end, step))
    return _ops["arange_float" if real else "arange"](start, end, step, dtype=dtype)


def range(start: Any, end: Any = None, step: Any = 1, maxlen: int = 1000000) -> Any:
    """The same as arange.

    Raises:
        ValueError: more than maxlen numbers.
    """
    result = arange(start, end, step)
    if result.shape[0] > maxlen:
        raise ValueError(f"For 'range', the result has {result.shape[0]} elements, more than maxlen={maxlen}.")
    return result


def _extreme(name: str, input: Any, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    if axis is None:
        return _ops[f"a{name}"](input), _ops["zeros"]((), core.int64)
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise TypeError(f"For '{name}', the argument 'axis' must be an int, but got {axis!r} of type {type(axis).__name__}.")
    return _ops[f"{name}_with_index"](input, axis, keepdims, initial, where)


def max(input: Any, axis: int | None = None, keepdims: bool = False, *, initial: Any = None, where: Any = None) -> Any:
    """(largest elements along an axis, their indices as int64); without an axis the largest of all, and 0.

    Args:
        input: a Tensor.
        axis: an int.
        keepdims: whether the axis stays, of size 1.
        initial: a number that takes part.
        where: a bool Tensor: which elements take part; needs initial.

    Raises:
        TypeError: axis is no int.
        ValueError: axis is out of range, or nothing to compare.
    """
    return _extreme("max", input, axis, keepdims, initial, where)


def min(input: Any, axis: int | None = None, keepdims: bool = False, *, initial: Any = None, where: Any = None) -> Any:
    """(smallest elements along an axis, their indices as int64); without an axis the smallest of all, and 0.

    Args and Raises: as those of max.
    """
    return _extreme("min", input, axis, keepdims, initial, where)


def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """x, but at least clip_value_min and at most clip_value_max; a tuple or list item by item.

    Args:
        clip_value_min, clip_value_max: numbers, Tensors or None; not both None.

    Raises:
        ValueError: both are None.
    """
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', 'clip_value_min' and 'clip_value_max' can not both be None.")
    if isinstance(x, (tuple, list)):
        return type(x)(clip_by_value(item, clip_value_min, clip_value_max) for item in x)
    return _ops["clip"](x, clip_value_min, clip_value_max)


def _widened(name: str, input: Any, axis: int, dtype: Any) -> Any:
    return _ops[name](input if dtype is None else _ops["cast"](input, dtype), axis)


def softmax(input: Any, axis: int = -1, *, dtype: Any = None) -> Any:
    """exp(input) over its sum along an axis, computed from input less its largest element.

    Args:
        input: a Tensor of floating point, or with dtype any.
        dtype: to which input is converted first.
    """
    return _widened("softmax", input, axis, dtype)


def log_softmax(logits: Any, axis: int = -1, *, dtype: Any = None) -> Any:
    """The logarithm of softmax, without computing it first.

    Args:
        logits: a Tensor of floating point, or with dtype any.
        dtype: to which logits is converted first.
    """
    return _widened("log_softmax", logits, axis, dtype)


def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """A Tensor of one value, converted to dtype: int64 if that is None.

    Args:
        size: a tuple or list of ints.
        fill_value: a number.

    Raises:
        TypeError: size is no tuple or list.
        ValueError: a negative size.
    """
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"For 'full', the argument 'size' must be a tuple or list of ints, but got {type(size).__name__}.")
    return _ops["full"](tuple(size), fill_value, dtype)


def fill(type: Any, shape: Any, value: Any) -> Any:
    """A Tensor of a dtype, a shape and one value."""
    return _ops["full"](shape, value, type)


def mm(input: Any, mat2: Any) -> Any:
    """The product of two matrices.

    Raises:
        ValueError: an operand is no matrix, or sizes do not fit.
    """
    if _tensor("mm", "input", input).ndim != 2 or _tensor("mm", "mat2", mat2).ndim != 2:
        raise ValueError(f"For 'mm', both operands must be matrices, but got shapes {input.shape} and {mat2.shape}.")
    return _ops["matmul"](input, mat2)


def chunk(input: Any, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """At most `chunks` pieces of one size along an axis; the last may be smaller.

    Raises:
        ValueError: chunks is not positive.
    """
    if chunks < 1:
        raise ValueError(f"For 'chunk', 'chunks' must be positive, but got {chunks}.")
    size = -(-_axis_size("chunk", _tensor("chunk", "input", input), axis) // chunks)
    return tuple(_ops["split"](input, size, axis)) if size else (input,) * chunks


def unbind(input: Any, dim: int = 0) -> tuple[Any, ...]:
    """The slices along an axis."""
    return _slices("unbind", "input", input, dim)


def unstack(input_x: Any, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis."""
    return _slices("unstack", "input_x", input_x, axis)


def _slices(function: str, argument: str, tensor: Any, axis: int) -> tuple[Any, ...]:
    count = _axis_size(function, _tensor(function, argument, tensor), axis)
    return tuple(_ops["select_at"](tensor, i, axis) for i in _indices(count))


def _indices(count: int) -> list[int]:
    return list(builtins.range(count))


def max_pool2d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    """The largest element of each window of images (N, C, H, W).

    Args:
        kernel_size, stride, padding, dilation: ints or pairs of them; without stride the windows touch.
        return_indices: whether to return (values, indices within each image's plane) instead.
        ceil_mode: whether a last, partial window counts.
    """
    if not return_indices:
        return _ops["max_pool2d"](x, kernel_size, stride, padding, dilation, ceil_mode)
    steps = kernel_size if stride is None else stride
    return _ops["max_pool_with_indices"](x, kernel_size, steps, padding, dilation, ceil_mode)


def max_pool3d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of volumes (N, C, D, H, W).

    Args:
        kernel_size, stride, padding, dilation: ints or triples of them; without stride the windows touch.
        ceil_mode: whether a last, partial window counts.
        return_indices: whether to return (values, indices within each channel's volume) instead.
    """
    if not return_indices:
        return _ops["max_pool3d"](x, kernel_size, stride, padding, dilation, ceil_mode)
    steps = kernel_size if stride is None else stride
    return _ops["max_pool_with_indices"](x, kernel_size, steps, padding, dilation, ceil_mode)


def adaptive_sizes(name: str, output_size: Any, axes: int) -> tuple[int, ...]:
    """One int for all axes, or a tuple in which None keeps an axis, in the form that the table's ops take.

    Raises:
        TypeError: neither of them.
        ValueError: a tuple of another length, or a negative size.
    """
    sizes = output_size if isinstance(output_size, tuple) else (output_size,) * axes
    if output_size is None or not all(size is None or type(size) is int for size in sizes):
        raise TypeError(f"For '{name}', 'output_size' must be an int or a tuple of ints and None, but got {output_size!r}.")
    if len(sizes) != axes or any(size is not None and size < 0 for size in sizes):
        raise ValueError(f"For '{name}', 'output_size' must be of {axes} sizes, none negative, but got {output_size}.")
    return tuple(-1 if size is None else size for size in sizes)


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can.

    Args:
        output_size: how many; one int for both, or a tuple of two, where None keeps the size.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of two.
    """
    return _ops["adaptive_avg_pool2d"](input, adaptive_sizes("adaptive_avg_pool2d", output_size, 2))


def adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can.

    Args and Raises: as those of adaptive_avg_pool2d, of three axes.
    """
    return _ops["adaptive_avg_pool3d"](input, adaptive_sizes("adaptive_avg_pool3d", output_size, 3))


def _sizes(size: tuple[Any, ...]) -> Any:
    return size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size


def rand(*size: Any, dtype: Any = None, seed: int | None = None) -> Any:
    """Random numbers of [0, 1), of a shape given as ints or as a tuple."""
    return _ops["rand"](_sizes(size), dtype, seed)


def randn(*size: Any, dtype: Any = None, seed: int | None = None) -> Any:
    """Random numbers of mean 0 and deviation 1, of a shape given as ints or as a tuple."""
    return _ops["randn"](_sizes(size), dtype, seed)


def rand_like(input: Any, seed: int | None = None, *, dtype: Any = None) -> Any:
    """Random numbers of [0, 1) in input's shape, and its dtype unless another is given."""
    _tensor("rand_like", "input", input)
    return _ops["rand"](input.shape, input.dtype if dtype is None else dtype, seed)


def randn_like(input: Any, seed: int | None = None, *, dtype: Any = None) -> Any:
    """Random numbers of mean 0 and deviation 1 in input's shape, and its dtype unless another is given."""
    _tensor("randn_like", "input", input)
    return _ops["randn"](input.shape, input.dtype if dtype is None else dtype, seed)


def print_(*input_x: Any) -> None:
    """Prints each argument on a line of its own, Tensors as repr shows them; in a graph whenever it runs."""
    lines = []
    for value in input_x:
        is_tensor = isinstance(value, (core.Tensor, core.Number))
        lines.append("{}" if is_tensor else str(value).replace("{", "{{").replace("}", "}}"))
    operands = [value for value in input_x if isinstance(value, (core.Tensor, core.Number))]
    _ops["print_"](operands, "".join(line + "\n" for line in lines))


class Print:
    """The primitive of print_."""

    def __call__(self, *input_x: Any) -> None:
        print_(*input_x)


def depend(value: Any, expr: Any) -> Any:
    """Answers value; effects before it stay before what uses it, as they do anyway."""
    return value


def stop_gradient(value: Any) -> Any:
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict."""
    return tree.rebuild(value, lambda leaf: _ops["stop_gradient"](leaf) if isinstance(leaf, core.Tensor) else leaf)


def shape(input_x: Any) -> Any:
    """The shape of a Tensor, a tuple of ints."""
    return _tensor("shape", "input_x", input_x).shape


def rank(input_x: Any) -> Any:
    """The number of axes of a Tensor, an int."""
    return _tensor("rank", "input_x", input_x).ndim


def size(input_x: Any) -> Any:
    """The number of elements of a Tensor, an int."""
    return _tensor("size", "input_x", input_x).size


def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor."""
    return isinstance(obj, core.Tensor)


def scalar_to_tensor(input_x: Any, dtype: Any = core.float32) -> Any:
    """A 0-d Tensor of a number."""
    return core.Tensor(input_x, dtype)


def tuple_to_array(input_x: Any) -> Any:
    """A 1-d Tensor of a tuple of numbers: int32 of ints, float32 of floats."""
    return core.Tensor(list(input_x), core.int32 if all(isinstance(item, int) for item in input_x) else core.float32)


FUNCTIONS = (
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "arange",
    "chunk",
    "clip_by_value",
    "depend",
    "fill",
    "full",
    "is_tensor",
    "log_softmax",
    "max",
    "max_pool2d",
    "max_pool3d",
    "min",
    "mm",
    "print_",
    "rand",
    "rand_like",
    "randn",
    "randn_like",
    "range",
    "rank",
    "scalar_to_tensor",
    "shape",
    "size",
    "softmax",
    "stop_gradient",
    "tuple_to_array",
    "unbind",
    "unstack",
)


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module 'emberjit.ops.composite' has no attribute '{name}'")
    return getattr(sys.modules["emberjit.ops"], name)  # MindSpore's module of this name has more
