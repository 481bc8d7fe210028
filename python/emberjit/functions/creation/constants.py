"""Tensors of one value, of ones on a diagonal, and like others."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import options
from emberjit.functions.arguments import named_dtype
from emberjit.functions.shapes.diagonals import diagonal_numbers
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.operands import as_tensor

_ops = core.ops

publish_ops(
    __name__,
    """
eye: ops.eye ops.Eye()(n, m, dtype) mint.eye
full: ops.Fill()(dtype as type, size as shape, fill_value as value)
full_like: ops.full_like(input, fill_value, *, dtype)
    mint.full_like(input, fill_value, *, dtype) Tensor.fill(fill_value as value)
    ops.fills(input as x, fill_value as value) ops.Fills()(input as x, fill_value as value) Tensor.fills(fill_value as value)
ones: ops.ones(shape|size, dtype) ops.Ones()(shape, dtype) mint.ones(shape as size, *, dtype)
ones_like: ops.ones_like(input, *, dtype) ops.OnesLike()(input) mint.ones_like(input, *, dtype)
zeros: ops.zeros(size|shape, dtype) ops.Zeros()(size, dtype) mint.zeros(size, *, dtype)
zeros_like: ops.zeros_like(input, *, dtype) ops.ZerosLike()(input) mint.zeros_like(input, *, dtype)
""",
)


@publish(
    "ops.full(size, fill_value, *, dtype)",
    numpy="np.full(size, fill_value, dtype)",
    samples="(2, 3), 1.5, float32; (4,), 2, int32",
    in_python=True,
)
def full(size: Any, fill_value: Number, dtype: DType | None = None) -> Any:
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
    return _ops.full(tuple(size), fill_value, dtype)


def _kind_of_value(value: Any) -> Any:
    """The dtype of a Tensor that is filled with a number or a Tensor of one: the default one of its kind."""
    kind = as_tensor(value).dtype
    if kind == core.bool_:
        return kind
    if kind in COMPLEXES:
        return core.complex64
    return core.float32 if kind in FLOATS else core.int64


_FULL_OF_KIND = "np.full(size, fill_value, dtype or (np.float32 if np.asarray(fill_value).dtype.kind == 'f' else None))"


@publish(
    "ops.fill(dtype as type, size as shape, fill_value as value)",
    numpy=_FULL_OF_KIND,
    samples="(2, 3), 1.5, float32; (4,), 2, int32; (2,), 2.5; 3, True",
    in_python=True,
)
def fill(size: Ints, fill_value: Number, dtype: DType | None = None) -> Any:
    """A Tensor of one value, converted to dtype: if None, float32 for a float, bool for a bool, int64 for an int.

    Raises:
        ValueError: a negative size.
    """
    return _ops.full(size, fill_value, _kind_of_value(fill_value) if dtype is None else dtype)


@publish(
    "mint.full(size, fill_value, *, dtype)",
    numpy=_FULL_OF_KIND,
    samples="(2, 3), 1.5, float32; (4,), 2, int32; (2,), 2.5; (2,), True; (3,), 7; (2,), i32()",
    in_python=True,
)
def full_of_kind(size: Any, fill_value: Number, dtype: DType | None = None) -> Any:
    """A Tensor of one value, converted to dtype: if None, float32 for a float, bool for a bool, int64 for an int.

    Args:
        size: a tuple or list of ints.
        fill_value: a number, or a Tensor of one.

    Raises:
        TypeError: size is no tuple or list.
        ValueError: a negative size.
    """
    return full(size, fill_value, _kind_of_value(fill_value) if dtype is None else dtype)


@publish(
    "numpy.full ops.FillV2()(shape, fill_value as value)",
    numpy="np.full(shape, fill_value, dtype or np.asarray(fill_value, np.int32 if isinstance(fill_value, int) else "
    "np.float32 if isinstance(fill_value, float) else None).dtype)",
    samples="(2, 3), 1.5; (4,), 2; (2, 2), f64(1); (3, 2), i32(2); (2,), 3, float64; 2, f32(1)",
    in_python=True,
)
def filled(shape: Ints, fill_value: Any, dtype: Any = None) -> Any:
    """A Tensor of one value, or of what broadcasts to the shape.

    Args:
        fill_value: a number or Tensor.
        dtype: of the result, by default the value's; int32 for an int, float32 for a float.

    Raises:
        ValueError: the value does not broadcast.
    """
    value = as_tensor(fill_value)
    if dtype is not None:
        kind = named_dtype("full", dtype)
    elif isinstance(fill_value, core.Tensor) or value.dtype == core.bool_:
        kind = value.dtype
    else:
        kind = {core.int64: core.int32, core.float64: core.float32}.get(value.dtype, value.dtype)
    return _ops.broadcast_to(_ops.cast(value, kind), (shape,) if isinstance(shape, int) else tuple(shape))


def _new(like: Tensor, size: Any, value: Number, dtype: DType) -> Any:
    shape = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    return _ops.full(shape, value, like.dtype if dtype is None else dtype)


def _declare_new(name: str, value: int, what: str, spelling: str) -> None:
    def new(input: Tensor, size: Ints, dtype: DType | None = None) -> Any:
        return _new(input, size, value, dtype)

    new.__name__ = name
    new.__doc__ = f"A Tensor of {what} with this one's dtype unless another is given."
    reference = f"np.full(size, {value}, dtype or input.dtype)"
    publish(spelling, numpy=reference, samples="f32(2), (2, 3); i32(2), 4; i32(2), (2, 0), float64", in_python=True)(new)


_declare_new("new_zeros", 0, "zeros", "ops.new_zeros Tensor.new_zeros")


_declare_new("new_ones", 1, "ones", "ops.new_ones Tensor.new_ones")


@publish(
    "Tensor.new_empty(size, *, dtype, device)",
    numpy="np.zeros(size, dtype or input.dtype)",
    samples="f32(2), (2, 3); i32(2), 4, float64",
    in_python=True,
)
def new_empty(input: Tensor, size: Ints, dtype: DType | None = None, device: Any = None) -> Any:
    """A Tensor with this one's dtype unless another is given. Its elements are zeros.

    Args:
        device: None or "CPU".

    Raises:
        ValueError: a negative size, or another device than a CPU.
    """
    options.take("empty", "device", device)
    return _new(input, size, 0, dtype)


@publish(
    "Tensor.new_full(size, fill_value, *, dtype)",
    numpy="np.full(size, fill_value, dtype or input.dtype)",
    samples="f32(2), (2, 3), 1.5; i32(2), 4, 2; i32(2), (2,), 3, float64",
    in_python=True,
)
def new_full(input: Tensor, size: Ints, fill_value: Number, dtype: DType | None = None) -> Any:
    """A Tensor of one value with this one's dtype unless another is given.

    Raises:
        ValueError: a negative size.
    """
    return _new(input, size, fill_value, dtype)


@publish(
    "mint.empty(*size, dtype, device, pin_memory)",
    numpy="np.zeros(size, np.float32 if dtype is None else dtype)",
    samples="(2, 3); 4, int32; (0, 2)",
    in_python=True,
)
def empty(size: Ints, dtype: DType | None = None, device: Any = None, pin_memory: bool = False) -> Any:
    """A Tensor of a shape. Its elements are zeros.

    Args:
        dtype: float32 if None.
        device: "cpu", or None.
        pin_memory: has no effect: there is one memory.

    Raises:
        ValueError: a negative size, or another device than a CPU.
    """
    options.take("empty", "device", device)
    options.take("empty", "pin_memory", pin_memory)
    return _ops.zeros(tuple(size) if isinstance(size, (tuple, list)) else size, core.float32 if dtype is None else dtype)


@publish(
    "mint.empty_like(input, *, dtype, device, pin_memory)",
    numpy="np.zeros(input.shape, dtype or input.dtype)",
    samples="f32(2, 3); i32(2), float64",
    in_python=True,
)
def empty_like(input: Tensor, dtype: DType | None = None, device: Any = None, pin_memory: bool = False) -> Any:
    """A Tensor of the shape, and unless another is given the dtype, of this one. Its elements are zeros.

    Args:
        device: "cpu", or None.
        pin_memory: has no effect: there is one memory.

    Raises:
        ValueError: another device than a CPU.
    """
    options.take("empty", "device", device)
    options.take("empty", "pin_memory", pin_memory)
    return _ops.zeros_like(input, dtype)


def _declare_constant(name: str, value: int) -> None:
    def constant(shape: Ints, dtype: Any = core.float32) -> Any:
        kind = core.float32 if dtype is None else named_dtype(name, dtype)
        return _ops.full(tuple(shape) if isinstance(shape, (tuple, list)) else shape, value, kind)

    constant.__name__ = f"numpy_{name}"
    constant.__doc__ = f"""A Tensor of {"ones" if value else "zeros"}.

    Args:
        shape: an int, or a tuple or list of ints.
        dtype: a dtype, by itself or by name.

    Raises:
        ValueError: a negative size.
    """
    publish(
        f"numpy.{name}(shape, dtype: object)",
        numpy=f"np.full(shape, {value}, dtype)",
        samples="(2, 3); 4, int32; (0, 2); (), float64",
        in_python=True,
    )(constant)


_declare_constant("zeros", 0)


_declare_constant("ones", 1)


_declare_constant("empty", 0)


def _declare_like(name: str, value: int, first: str) -> None:
    def like(a: Tensor, dtype: Any = None, shape: Ints | None = None) -> Any:
        return filled_like(a, value, dtype, shape)

    like.__name__ = f"numpy_{name}"
    like.__doc__ = f"""A Tensor of {"ones" if value else "zeros"}, of the dtype and shape of another unless others are given.

    Raises:
        ValueError: a negative size.
    """
    publish(
        f"numpy.{name}(a as {first}, dtype, shape)",
        numpy=f"np.full(a.shape if shape is None else shape, {value}, dtype or a.dtype)",
        samples="f32(2, 3); i32(2), float64; i32(2), None, (2, 2); f32(2), int32, 3",
        in_python=True,
    )(like)


@publish(
    "numpy.full_like",
    numpy="np.full(a.shape if shape is None else shape, fill_value, dtype or a.dtype)",
    samples="f32(2, 3), 1.5; i32(2), 2, float64; i32(2), 3, None, (2, 2); f32(2, 3), f32(3)",
    in_python=True,
)
def filled_like(a: Tensor, fill_value: Any, dtype: Any = None, shape: Ints | None = None) -> Any:
    """A Tensor of one value, or of what broadcasts to the shape, of the dtype and shape of another unless others are given.

    Args:
        fill_value: a number, Tensor, array or list of numbers.
        dtype: a dtype, also by name.

    Raises:
        ValueError: a negative size, or the value does not broadcast.
    """
    return filled(a.shape if shape is None else shape, fill_value, a.dtype if dtype is None else dtype)


_declare_like("zeros_like", 0, "a")


_declare_like("ones_like", 1, "a")


_declare_like("empty_like", 0, "prototype")


def _above(n: int, m: int | None) -> Any:
    """How far each element of an (n, m) matrix is to the right of the main diagonal.

    Raises:
        ValueError: a negative size.
    """
    rows, columns = n, n if m is None else m
    if rows < 0 or columns < 0:
        raise ValueError(f"For 'eye', sizes must not be negative, but got {rows} and {columns}.")
    return diagonal_numbers(rows, columns)


@publish(
    "numpy.eye(N, M, k, dtype: object) numpy.identity(N as n, dtype: object)",
    numpy="np.eye(N, M, k, dtype)",
    samples="3; 2, 4, 1; 4, 2, -1, int32; 0, 2; 2, 3, 9",
    in_python=True,
)
def shifted_eye(N: int, M: int | None = None, k: int = 0, dtype: Any = core.float32) -> Any:
    """The (N, M) matrix of ones on a diagonal, and zeros elsewhere.

    Args:
        N: rows.
        M: columns, N if None.
        k: which diagonal: 0 the main one, positive ones above it.
        dtype: of the result.

    Raises:
        ValueError: a negative size.
    """
    return _ops.cast(_ops.equal(_above(N, M), k), named_dtype("eye", dtype))


@publish(
    "numpy.tri(N, M, k, dtype: object)",
    numpy="np.tri(N, M, k, dtype)",
    samples="3; 2, 4, 1; 4, 2, -1, int32; 0, 2",
    in_python=True,
)
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = core.float32) -> Any:
    """The (N, M) matrix of ones on and below a diagonal, and zeros elsewhere. See numpy.eye.

    Args:
        dtype: a dtype, also by name.

    Raises:
        ValueError: a negative size.
    """
    return _ops.cast(_ops.less_equal(_above(N, M), k), named_dtype("tri", dtype))
