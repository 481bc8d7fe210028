"""Tensors of data as NumPy makes them, in 32 bits where data have no dtype; comparisons of whole ones."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_steps
from emberjit.functions.arguments import named_dtype
from emberjit.publish.kinds import FLOATS, Number
from emberjit.publish.registry import publish

_ops = core.ops

_NARROW = {core.int64: core.int32, core.float64: core.float32}


def _of_data(value: Any) -> Any:
    """A Tensor of numbers and of lists of them, in 32 bits, or of a Tensor or array, which keep their dtype."""
    if isinstance(value, core.Tensor):
        return value
    if isinstance(value, (tuple, list)) and any(isinstance(item, core.Tensor) for item in value):
        return _ops.stack([_of_data(item) for item in value], 0)
    tensor = core.Tensor(value)
    plain = isinstance(value, (tuple, list, int, float, complex))
    return _ops.cast(tensor, _NARROW[tensor.dtype]) if plain and tensor.dtype in _NARROW else tensor


@publish(
    "numpy.asarray",
    numpy="np.asarray(a, dtype or {'l': np.int32, 'd': np.float32}.get(np.asarray(a).dtype.char))",
    samples="[1, 2, 3]; [[1.5, 2], [3, 4]]; 3; 2.5; True; [1, 2], float32; (1, 2), 'int16'; [True, False]",
    in_python=True,
)
def asarray(a: Any, dtype: Any = None) -> Any:
    """A Tensor of data; a Tensor itself.

    Args:
        a: a number, a tuple or list of them or of Tensors of one shape, an array, or a Tensor.
        dtype: of the result; None for int32 of ints, float32 of floats, and an array's own.

    Raises:
        TypeError: a is something else, or rows differ in length.
    """
    tensor = _of_data(a)
    kind = tensor.dtype if dtype is None else named_dtype("asarray", dtype)
    return tensor if tensor.dtype == kind else _ops.cast(tensor, kind)


@publish(
    "numpy.array",
    numpy="np.array(obj, dtype or {'l': np.int32, 'd': np.float32}.get(np.asarray(obj).dtype.char), ndmin=ndmin)",
    samples="[1, 2, 3]; [[1.5, 2], [3, 4]]; 3; [1, 2], float32; [1.5], None, True, 3; f32(2, 3)",
    in_python=True,
)
def array(obj: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """A Tensor of data, with memory of its own. See numpy.asarray.

    Args:
        obj: a Tensor, an array, a number, or nested lists of numbers.
        dtype: of the result, also by name; by default that of data.
        copy: False: of a Tensor of this dtype itself.
        ndmin: how many axes it has at least, of which new ones are in front.

    Raises:
        TypeError: obj is no data, or rows differ in length.
    """
    tensor = asarray(obj, dtype)
    check_steps("array", "ndmin", ndmin)
    if ndmin > tensor.ndim:
        tensor = _ops.reshape(tensor, (*[1] * (ndmin - tensor.ndim), *tensor.shape))
    return _ops.identity(tensor) if copy and isinstance(obj, core.Tensor) else tensor


@publish(
    "numpy.asfarray(a, dtype: object = float32)",
    numpy="np.asarray(a, np.float64 if dtype == np.float64 else np.float32)",
    samples="[1, 2]; 3, float64; [1.5], int32; i32(2, 3)",
    in_python=True,
)
def asfarray(a: Any, dtype: Any = core.float32) -> Any:
    """A Tensor of floats of data. See numpy.asarray.

    Args:
        a: a Tensor, an array, a number, or nested lists of numbers.
        dtype: of the result; what is no float stands for float32.

    Raises:
        TypeError: a is no data, or rows differ in length.
    """
    if dtype is None:
        return asarray(a)
    kind = named_dtype("asfarray", dtype)
    return asarray(a, kind if kind in FLOATS else core.float32)


def _same(a: Number, b: Number, equal_nan: bool = False) -> Any:
    same = _ops.equal(a, b)
    if equal_nan:
        same = _ops.logical_or(same, _ops.logical_and(_ops.not_equal(a, a), _ops.not_equal(b, b)))
    return _ops.all(same)


@publish(
    "numpy.array_equal",
    numpy="np.array(np.array_equal(a1, a2, equal_nan))",
    samples="""[1, 2], [1, 2]; f32(2), f32(2); f32(2), f32(3); [1.5, float('nan')], [1.5, float('nan')]; i32(0), i32(0);
    [1.5, float('nan')], [1.5, float('nan')], True""",
    in_python=True,
)
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether shapes and all elements are the same, a 0-d Tensor of bool.

    Args:
        a1, a2: Tensors, or data for one.
        equal_nan: whether a NaN is the same as another.
    """
    a, b = asarray(a1), asarray(a2)
    return _same(a, b, equal_nan) if tuple(a.shape) == tuple(b.shape) else core.Tensor(False)


@publish(
    "numpy.array_equiv",
    numpy="np.array(np.array_equiv(a1, a2))",
    samples="[1, 2], [[1, 2], [1, 2]]; [1, 2], [[1, 2], [1, 3]]; [1, 2], [1, 2, 3]; 1, [1, 1]",
    in_python=True,
)
def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether shapes broadcast, and then all elements are the same, a 0-d Tensor of bool.

    Args:
        a1, a2: Tensors, or data for one.
    """
    a, b = asarray(a1), asarray(a2)
    fits = all(1 in (n, m) or n == m for n, m in zip(reversed(a.shape), reversed(b.shape)))
    return _same(a, b) if fits else core.Tensor(False)


@publish("numpy.array_str", numpy="str(np.asarray(a))", samples="[1, 2]; [[1.5, 2.0]]; 3", in_python=True)
def array_str(a: Any) -> Any:
    """The text of the elements, a str.

    Args:
        a: a Tensor, or data for one.
    """
    return str(asarray(a))


@publish(
    "numpy.broadcast_arrays(*args)",
    numpy="np.broadcast_arrays(*args)",
    samples="(f32(2, 1), f32(3)); (i32(2), f32()); (f32(2, 3),)",
    in_python=True,
)
def broadcast_arrays(args: Any) -> Any:
    """Repeated along axes of size 1 to one shape, a list. Views.

    Args:
        args: Tensors.

    Raises:
        ValueError: shapes do not broadcast.
    """
    tensors = [asarray(item) for item in args]
    shape: tuple[int, ...] = ()
    for x in tensors:
        rank = max(len(shape), x.ndim)
        pairs = zip((*[1] * (rank - len(shape)), *shape), (*[1] * (rank - x.ndim), *x.shape))
        shape = tuple(m if n == 1 else n for n, m in pairs)
    return [_ops.broadcast_to(x, shape) for x in tensors]
