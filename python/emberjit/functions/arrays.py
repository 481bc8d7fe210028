"""What NumPy has beside ops: conversion of data, comparison of whole Tensors, promotion, convolution, polynomials."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import named_dtype
from emberjit.functions.checks import check_steps
from emberjit.functions.joining import at_least
from emberjit.publish.kinds import FLOATS, Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.op_table
_NARROW = {core.int64: core.int32, core.float64: core.float32}
_SIGNED = (core.int8, core.int16, core.int32, core.int64)


def _of_data(value: Any) -> Any:
    """A Tensor of numbers and of lists of them, in 32 bits, or of a Tensor or array, which keep their dtype."""
    if isinstance(value, core.Tensor):
        return value
    if isinstance(value, (tuple, list)) and any(isinstance(item, core.Tensor) for item in value):
        return _ops["stack"]([_of_data(item) for item in value], 0)
    made = core.Tensor(value)
    plain = isinstance(value, (tuple, list, int, float, complex))
    return _ops["cast"](made, _NARROW[made.dtype]) if plain and made.dtype in _NARROW else made


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
    made = _of_data(a)
    kind = made.dtype if dtype is None else named_dtype("asarray", dtype)
    return made if made.dtype == kind else _ops["cast"](made, kind)


@publish(
    "numpy.array",
    numpy="np.array(obj, dtype or {'l': np.int32, 'd': np.float32}.get(np.asarray(obj).dtype.char), ndmin=ndmin)",
    samples="[1, 2, 3]; [[1.5, 2], [3, 4]]; 3; [1, 2], float32; [1.5], None, True, 3; f32(2, 3)",
    in_python=True,
)
def array(obj: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """A Tensor of data, with memory of its own. See numpy.asarray.

    Args:
        copy: False: of a Tensor of this dtype itself.
        ndmin: how many axes it has at least, of which new ones are in front.

    Raises:
        TypeError: obj is no data, or rows differ in length.
    """
    made = asarray(obj, dtype)
    check_steps("array", "ndmin", ndmin)
    if ndmin > made.ndim:
        made = _ops["reshape"](made, (*[1] * (ndmin - made.ndim), *made.shape))
    return _ops["identity"](made) if copy and isinstance(obj, core.Tensor) else made


@publish(
    "numpy.asfarray(a, dtype: object = float32)",
    numpy="np.asarray(a, np.float64 if dtype == np.float64 else np.float32)",
    samples="[1, 2]; 3, float64; [1.5], int32; i32(2, 3)",
    in_python=True,
)
def asfarray(a: Any, dtype: Any = core.float32) -> Any:
    """A Tensor of floats of data. See numpy.asarray.

    Args:
        dtype: of the result; what is no float stands for float32.

    Raises:
        TypeError: a is no data, or rows differ in length.
    """
    if dtype is None:
        return asarray(a)
    kind = named_dtype("asfarray", dtype)
    return asarray(a, kind if kind in FLOATS else core.float32)


def _same(a: Any, b: Any, equal_nan: bool = False) -> Any:
    same = _ops["equal"](a, b)
    if equal_nan:
        same = _ops["logical_or"](same, _ops["logical_and"](_ops["not_equal"](a, a), _ops["not_equal"](b, b)))
    return _ops["all"](same)


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
    """Whether shapes broadcast, and then all elements are the same, a 0-d Tensor of bool."""
    a, b = asarray(a1), asarray(a2)
    fits = all(1 in (n, m) or n == m for n, m in zip(reversed(a.shape), reversed(b.shape)))
    return _same(a, b) if fits else core.Tensor(False)


@publish("numpy.array_str", numpy="str(np.asarray(a))", samples="[1, 2]; [[1.5, 2.0]]; 3", in_python=True)
def array_str(a: Any) -> Any:
    """The text of the elements, a str."""
    return str(asarray(a))


@publish(
    "numpy.broadcast_arrays(*args)",
    numpy="np.broadcast_arrays(*args)",
    samples="(f32(2, 1), f32(3)); (i32(2), f32()); (f32(2, 3),)",
    in_python=True,
)
def broadcast_arrays(args: Any) -> Any:
    """Repeated along axes of size 1 to one shape, a list. Views.

    Raises:
        ValueError: shapes do not broadcast.
    """
    tensors = [asarray(item) for item in args]
    shape: tuple[int, ...] = ()
    for x in tensors:
        rank = max(len(shape), x.ndim)
        pairs = zip((*[1] * (rank - len(shape)), *shape), (*[1] * (rank - x.ndim), *x.shape))
        shape = tuple(m if n == 1 else n for n, m in pairs)
    return [_ops["broadcast_to"](x, shape) for x in tensors]


def promoted(a: Any, b: Any) -> Any:
    """The dtype of a result of both. A uint64 and a signed integer, which no integer holds, become float64."""
    if core.uint64 in (a, b) and (a in _SIGNED or b in _SIGNED):
        return core.float64
    return _ops["concat"]([_ops["zeros"]((0,), a), _ops["zeros"]((0,), b)], 0).dtype


@publish(
    "numpy.promote_types",
    numpy="np.promote_types(type1, type2)",
    samples="int32, float64; uint8, int8; bool_, float16; int16, uint16; int8, uint64; complex64, float64; int64, int64",
    in_python=True,
)
def promote_types(type1: Any, type2: Any) -> Any:
    """The dtype of a result of both: of an integer and a float the float's.

    Raises:
        TypeError: either is no dtype.
    """
    return promoted(named_dtype("promote_types", type1), named_dtype("promote_types", type2))


@publish(
    "numpy.result_type(*arrays_and_dtypes)",
    numpy="np.result_type(*(x if isinstance(x, np.ndarray) else np.dtype(str(x).lower()) for x in arrays_and_dtypes))",
    samples="(f32(2), float64); (b1(2), float32, int8); (f32(2),)",
    in_python=True,
)
def result_type(arrays_and_dtypes: Any) -> Any:
    """The dtype of a result of all.

    Args:
        arrays_and_dtypes: Tensors, data, and dtypes or their names.

    Raises:
        ValueError: there are none.
    """
    kinds = [
        named_dtype("result_type", item) if isinstance(item, (core.dtype, type, str)) else asarray(item).dtype
        for item in arrays_and_dtypes
    ]
    if not kinds:
        raise ValueError("For 'result_type', at least one array or dtype is needed.")
    found = kinds[0]
    for kind in kinds[1:]:
        found = promoted(found, kind)
    return found


@publish("numpy.isscalar", numpy="np.isscalar(element)", samples="3; 2.5; 'a'; f32(2); [1]; True; None", in_python=True)
def isscalar(element: Any) -> bool:
    """Whether an object is a number or a str, and neither a Tensor nor a sequence."""
    return isinstance(element, (int, float, complex, str, bytes, core.Number))


@publish(
    "numpy.size", numpy="np.size(a, axis)", samples="f32(2, 3); f32(2, 3), 1; f32(2, 3), (0, 1); [1, 2]", in_python=True
)
def size_along(a: Any, axis: Ints | None = None) -> Any:
    """The number of elements, an int, or of those along axes.

    Raises:
        ValueError: an axis is out of range.
    """
    shape = asarray(a).shape
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    count = 1
    for at in axes:
        if not -len(shape) <= at < len(shape):
            raise ValueError(f"For 'size', axis {at} is out of range for a tensor of {len(shape)} dimensions.")
        count *= shape[at]
    return count


@publish(
    "numpy.sometrue", numpy="np.any(a, axis, keepdims=keepdims)", samples="b1(2, 3); f32(2, 3), 1; b1(2, 3), (0, 1), True"
)
def sometrue(a: Tensor, axis: Ints | None = None, keepdims: bool = False) -> Any:
    """Whether any element is not zero, of all or along axes.

    Args:
        keepdims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range.
    """
    return _ops["any"](a, axis, keepdims)


@publish(
    "numpy.ptp Tensor.ptp",
    numpy="np.ptp(x, axis, keepdims=keepdims)",
    samples="f32(2, 3); f32(2, 3), 1; i32(2, 3), (0, 1), True",
)
def ptp(x: Tensor, axis: Ints | None = None, keepdims: bool = False) -> Any:
    """The largest element less the smallest, of all or along axes; NaN if there is one.

    Args:
        keepdims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range, or there are no elements.
    """
    return _ops["amax"](x, axis, keepdims) - _ops["amin"](x, axis, keepdims)


def _numbers(function: str, value: Any) -> Any:
    """A Tensor of one axis.

    Raises:
        ValueError: there are more, or it is empty.
    """
    x = at_least(1, asarray(value))
    if x.ndim > 1 or x.shape[0] == 0:
        raise ValueError(f"For '{function}', a Tensor of one axis that is not empty is needed, but got {tuple(x.shape)}.")
    return x


def _convolved(a: Any, v: Any) -> Any:
    """The whole convolution: of floats as one of images, else each element as a product of v with a row of a."""
    kind = promoted(a.dtype, v.dtype)
    a, v = (_ops["cast"](x, kind) for x in ((v, a) if a.shape[0] < v.shape[0] else (a, v)))
    short = v.shape[0]
    padded, turned = _ops["pad"](a, (short - 1, short - 1)), _ops["flip"](v, 0)
    if kind in FLOATS:
        images = (_ops["reshape"](x, (1, 1, -1)) for x in (padded, turned))
        return _ops["reshape"](_ops["conv1d"](*images), (-1,))
    places = _ops["expand_dims"](_ops["arange"](a.shape[0] + short - 1), 1) + _ops["arange"](short)
    return _ops["matmul"](_ops["gather"](padded, places, 0), turned)


def _cut(function: str, whole: Any, mode: str, long: int, short: int) -> Any:
    """The part of a convolution that a mode names, of sequences of these lengths."""
    if mode == "full":
        return whole
    if mode == "same":
        first, count = (short - 1) // 2, long
    elif mode == "valid":
        first, count = short - 1, long - short + 1
    else:
        raise ValueError(f"For '{function}', 'mode' must be 'full', 'same' or 'valid', but got {mode!r}.")
    return whole[first : first + count]


@publish(
    "numpy.convolve",
    numpy="np.convolve(a, v, mode)",
    samples="f32(5), f32(3); i32(3), i32(6), 'same'; f32(5), f32(2), 'valid'; f32(4), f32(4), 'same'; c64(3), c64(2)",
    in_python=True,
)
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """The discrete convolution of two sequences: sum over m of a[m] v[n - m].

    Args:
        mode: "full": wherever they meet; "same": the middle, of the longer's size; "valid": where they overlap whole.

    Raises:
        ValueError: a or v has another number of axes than one, or no elements; or mode is something else.
    """
    a, v = _numbers("convolve", a), _numbers("convolve", v)
    long, short = max(a.shape[0], v.shape[0]), min(a.shape[0], v.shape[0])
    return _cut("convolve", _convolved(a, v), mode, long, short)


@publish(
    "numpy.correlate",
    numpy="np.correlate(a, v, mode)",
    samples="""f32(5), f32(3); i32(3), i32(6), 'same'; f32(2), f32(5), 'valid'; f32(5), f32(4), 'same';
    c64(3), c64(2), 'full'; f32(4), f32(7), 'same'""",
    in_python=True,
)
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """The cross-correlation of two sequences: sum over n of a[n + k] times the conjugate of v[n].

    Args:
        mode: see numpy.convolve.

    Raises:
        ValueError: a or v has another number of axes than one, or no elements; or mode is something else.
    """
    a, v = _numbers("correlate", a), _numbers("correlate", v)
    n, m = a.shape[0], v.shape[0]
    turned = _ops["flip"](_ops["conj"](v) if v.dtype in (core.complex64, core.complex128) else v, 0)
    whole = _convolved(a, turned)
    if n >= m:
        return _cut("correlate", whole, mode, n, m)
    return _ops["flip"](_cut("correlate", _ops["flip"](whole, 0), mode, m, n), 0)


def _summed(function: str, a1: Any, a2: Any) -> Any:
    """Coefficients of two polynomials of the same degree."""
    a, b = _numbers(function, a1), _numbers(function, a2)
    size = max(a.shape[0], b.shape[0])
    return tuple(_ops["pad"](x, (size - x.shape[0], 0)) for x in (a, b))


@publish(
    "numpy.polyadd", numpy="np.polyadd(a1, a2)", samples="f32(3), f32(2); [1, 2], [9, 5, 4]; i32(2), f32(2)", in_python=True
)
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of polynomials, by their coefficients from the highest degree on.

    Raises:
        ValueError: either has another number of axes than one, or no elements.
    """
    return _ops["add"](*_summed("polyadd", a1, a2))


@publish(
    "numpy.polysub", numpy="np.polysub(a1, a2)", samples="f32(3), f32(2); [1, 2], [9, 5, 4]; i32(2), f32(2)", in_python=True
)
def polysub(a1: Any, a2: Any) -> Any:
    """The difference of polynomials, by their coefficients from the highest degree on.

    Raises:
        ValueError: either has another number of axes than one, or no elements.
    """
    return _ops["sub"](*_summed("polysub", a1, a2))


@publish(
    "numpy.polymul", numpy="np.convolve(a1, a2)", samples="f32(3), f32(2); [1, 2], [9, 5, 4]; 3, f32(2)", in_python=True
)
def polymul(a1: Any, a2: Any) -> Any:
    """The product of polynomials, by their coefficients from the highest degree on.

    Raises:
        ValueError: either has another number of axes than one, or no elements.
    """
    return _convolved(_numbers("polymul", a1), _numbers("polymul", a2))


@publish(
    "numpy.polyval",
    numpy="np.polyval(p, x)",
    samples="f32(3), f32(2, 3); [3, 0, 1], 5; i32(1), i32(4); f32(2), 1.5",
    in_python=True,
)
def polyval(p: Any, x: Any) -> Any:
    """A polynomial's values at x, by Horner's rule.

    Args:
        p: its coefficients from the highest degree on.
        x: a Tensor, or data.

    Raises:
        ValueError: p has another number of axes than one, or no elements.
    """
    coefficients, at = _numbers("polyval", p), asarray(x)
    total = _ops["zeros_like"](at)
    for i in range(coefficients.shape[0]):
        total = total * at + coefficients[i]
    return total


def _order(function: str, m: int) -> int:
    if m < 0:
        raise ValueError(f"For '{function}', 'm' must not be negative, but got {m}.")
    return m


@publish("numpy.polyder", numpy="np.polyder(p, m)", samples="f32(4); f32(4), 2; [1, 2, 3], 0; [1, 2], 3", in_python=True)
def polyder(p: Any, m: int = 1) -> Any:
    """The derivative of a polynomial, by its coefficients from the highest degree on.

    Args:
        m: how often it is derived.

    Raises:
        ValueError: p has another number of axes than one, or no elements; or m is negative.
    """
    found = _numbers("polyder", p)
    for _ in range(min(_order("polyder", m), found.shape[0])):
        degrees = core.Tensor([*range(found.shape[0] - 1, 0, -1)], core.int64)
        found = found[:-1] * _ops["cast"](degrees, found.dtype)
    return found


@publish(
    "numpy.polyint",
    numpy="np.polyint(p, m, k)",
    samples="f32(3); f32(3), 2; f32(2), 2, [3, 5]; [1, 1, 1]; f32(2), 2, 6; f32(2), 1, 4.5; f32(2), 0",
    in_python=True,
)
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The integral of a polynomial, by its coefficients from the highest degree on; of ints in float32.

    Args:
        m: how often it is integrated.
        k: the constants of integration, a number for all or one for each; None for 0.

    Raises:
        ValueError: p has another number of axes than one, or no elements; m is negative, or there are not m constants.
    """
    found = _numbers("polyint", p)
    constants = at_least(1, asarray(0.0 if k is None else k))
    if constants.ndim != 1 or constants.shape[0] not in (1, _order("polyint", m)):
        raise ValueError(f"For 'polyint', 'k' must be a number, or {m} of them, but got {k}.")
    check_steps("polyint", "m", m)
    for i in range(m):
        degrees = core.Tensor([*range(found.shape[0], 0, -1)], core.float64)
        raised = _ops["div"](found, _ops["cast"](degrees, found.dtype))
        constant = constants[min(i, constants.shape[0] - 1) :][:1]
        found = _ops["concat"]([raised, _ops["cast"](constant, raised.dtype)], 0)
    return found
