"""Transforms of any arrays: of dtype, values and shape."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_instance, check_int32, check_number
from emberjit.dataset.sources.schema import numpy_type
from emberjit.dataset.transforms.combinations import Compose, RandomApply, RandomChoice, RandomOrder
from emberjit.dataset.transforms.transform import Transform, not_random
from emberjit.dataset.values import Array

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
    "not_random",
]


def cast(array: Array, kind: np.dtype[Any]) -> Any:
    """An array in another dtype; of floats that no integer holds the lowest bits."""
    if array.dtype.kind == "f" and np.dtype(kind).kind in "iu":
        return array.astype(np.int64).astype(kind)
    return array.astype(kind)


def is_text(array: Array) -> bool:
    """Whether an array is of strings or bytes."""
    return bool(array.dtype.kind in "US")


class TypeCast(Transform):
    """An array in another dtype.

    Args:
        data_type: the dtype, emberjit's or NumPy's, as ms.float32 or np.float32.

    Inputs:
        value: an array.

    Raises:
        TypeError: data_type is no dtype.
        RuntimeError: strings would become numbers, or numbers strings, when called.

    Examples:
        >>> transforms.TypeCast(ms.float32)(np.array([1, 2]))
        array([1., 2.], dtype=float32)
    """

    def __init__(self, data_type: Any):
        if isinstance(data_type, (int, float, list, tuple)):
            raise TypeError(f"For 'TypeCast', 'data_type' must be a dtype, but got {data_type!r}.")
        self.data_type = numpy_type("TypeCast", "data_type", data_type)

    def apply(self, array: Array) -> Any:
        if is_text(array) != (self.data_type.kind in "US"):
            raise self.refuse(f"{array.dtype} cannot become {self.data_type}")
        return cast(array, self.data_type)


class OneHot(Transform):
    """Labels as vectors, which are 1 at the label and else 0: with a smoothing rate s and n classes 1 - s + s / n at the
    label, and else s / n.

    Args:
        num_classes: the length of the vectors; labels are below it.
        smoothing_rate: s, from 0 to 1.

    Inputs:
        value: an array of ints, of () or (N,).

    Returns:
        An array of (num_classes,) or (N, num_classes): of the labels' dtype, or float64 with a smoothing rate.

    Raises:
        TypeError: num_classes is no int, or smoothing_rate no number.
        ValueError: num_classes is below 1, or smoothing_rate not from 0 to 1.
        RuntimeError: a label is no int, or not below num_classes, when called.

    Examples:
        >>> transforms.OneHot(3)(np.array([2, 0]))
        array([[0, 0, 1],
               [1, 0, 0]])
        >>> transforms.OneHot(4, smoothing_rate=0.4)(np.array(1))
        array([0.1, 0.7, 0.1, 0.1])
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0):
        self.num_classes = check_int32("OneHot", "num_classes", num_classes, 1)
        self.smoothing_rate = check_number("OneHot", "smoothing_rate", smoothing_rate, 0, 1)

    def apply(self, array: Array) -> Any:
        if array.dtype.kind not in "iu":
            raise self.refuse(f"labels must be ints, but are {array.dtype}")
        if array.ndim > 1 and array.shape[0] != 1:
            raise self.refuse(f"labels must be a number or of one axis, but are of shape {list(array.shape)}")
        labels = array.reshape(array.shape if array.ndim < 2 else -1)
        if (labels >= self.num_classes).any():
            raise self.refuse(f"labels must be below 'num_classes', {self.num_classes}, but got {labels.max()}")
        hot = labels[..., None] == np.arange(self.num_classes)
        if not self.smoothing_rate:
            return hot.astype(array.dtype)
        return hot * (1 - self.smoothing_rate) + self.smoothing_rate / self.num_classes


class Fill(Transform):
    """An array of the same shape and dtype, all elements of which are one value.

    Args:
        fill_value: the value: a number or bool, or of an array of strings a str or bytes.

    Inputs:
        value: an array.

    Raises:
        TypeError: fill_value is no number, bool, str or bytes.
        RuntimeError: it cannot be in the array, when called.

    Examples:
        >>> transforms.Fill(7)(np.array([[1, 2], [3, 4]]))
        array([[7, 7],
               [7, 7]])
    """

    def __init__(self, fill_value: Any):
        self.fill_value = check_instance("Fill", "fill_value", fill_value, (str, float, bool, int, bytes))

    def apply(self, array: Array) -> Any:
        if is_text(array) != isinstance(self.fill_value, (str, bytes)):
            raise self.refuse(f"{self.fill_value!r} cannot fill an array of {array.dtype}")
        value = np.asarray(self.fill_value)
        return np.full(array.shape, value if is_text(array) else cast(value, array.dtype))


class PadEnd(Transform):
    """An array of another shape: cut at the ends of axes, or padded there.

    Args:
        pad_shape: the length of each axis, a list; None: as it is.
        pad_value: what it is padded with; None: 0, or of strings "".

    Inputs:
        value: an array with as many axes.

    Raises:
        TypeError: pad_shape is no list of ints, or pad_value no number, bool, str or bytes.
        ValueError: a length is below 1.
        RuntimeError: the array has another number of axes, or cannot hold pad_value, when called.

    Examples:
        >>> transforms.PadEnd([4], pad_value=-1)(np.array([1, 2]))
        array([ 1,  2, -1, -1])
    """

    def __init__(self, pad_shape: list[int | None], pad_value: Any = None):
        for length in check_instance("PadEnd", "pad_shape", pad_shape, list):
            if length is not None:
                check_int32("PadEnd", "pad_shape", length, 1)
        if pad_value is not None:
            check_instance("PadEnd", "pad_value", pad_value, (str, float, bool, int, bytes))
        self.pad_shape, self.pad_value = pad_shape, pad_value

    def apply(self, array: Array) -> Any:
        if len(self.pad_shape) != array.ndim:
            raise self.refuse(f"'pad_shape' {self.pad_shape} must have {array.ndim} lengths, of {list(array.shape)}")
        has_value = self.pad_value is not None
        if has_value and is_text(array) != isinstance(self.pad_value, (str, bytes)):
            raise self.refuse(f"{self.pad_value!r} cannot pad an array of {array.dtype}")
        shape = [own if length is None else length for length, own in zip(self.pad_shape, array.shape)]
        value = np.asarray(self.pad_value if has_value else array.dtype.type())
        kind = np.result_type(array.dtype, value.dtype) if is_text(array) else array.dtype
        padded = np.full(shape, cast(value, kind), kind)
        common = tuple(slice(0, min(a, b)) for a, b in zip(shape, array.shape))
        padded[common] = array[common]
        return padded


class Slice(Transform):
    """A part of an array.

    Args:
        slices: for each axis from the first what is taken of it: an int, whose axis stays, with length 1, a list of ints, a
            slice, or None, for all; ... stands for all axes between.

    Inputs:
        value: an array.

    Raises:
        TypeError: something is no int, list of ints, slice, None or Ellipsis.
        RuntimeError: the array has fewer axes, or no such element, when called.

    Examples:
        >>> transforms.Slice(slice(0, 2), [2, 0])(np.arange(9).reshape(3, 3))
        array([[2, 0],
               [5, 3]])
    """

    def __init__(self, *slices: Any):
        kinds = (int, list, slice, type(None), type(Ellipsis))
        self.slices = [check_instance("Slice", "slices", index, kinds) for index in slices]

    def apply(self, array: Array) -> Any:
        indices = [slice(None) if index is None or index is True else index for index in self.slices]
        if Ellipsis in indices:
            at = indices.index(Ellipsis)
            indices[at : at + 1] = [slice(None)] * (array.ndim - len(indices) + 1)
        if len(indices) > array.ndim:
            raise self.refuse(f"there are slices for {len(indices)} axes of an array of shape {list(array.shape)}")
        for axis, index in enumerate(indices):
            try:
                array = array[(slice(None),) * axis + ([index] if isinstance(index, int) else index,)]
            except IndexError as error:
                raise self.refuse(str(error)) from None
        return array


class Relational(IntEnum):
    """By which relation Mask compares elements with its constant: EQ is equal, NE is not equal, GT is greater, GE is greater
    or equal, LT is less, LE is less or equal.

    Examples:
        >>> transforms.Mask(transforms.Relational.LE, 1)(np.array([0, 1, 2]))
        array([ True,  True, False])
    """

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARE: dict[Relational, Callable[[Any, Any], Any]] = {
    Relational.EQ: np.equal,
    Relational.NE: np.not_equal,
    Relational.GT: np.greater,
    Relational.GE: np.greater_equal,
    Relational.LT: np.less,
    Relational.LE: np.less_equal,
}


class Mask(Transform):
    """Where a relation of the elements to a constant holds.

    Args:
        operator: the relation, a Relational.
        constant: what elements are compared with, in their dtype: a number or bool, or a str or bytes.
        dtype: the dtype of the result.

    Inputs:
        value: an array.

    Returns:
        An array of the same shape, of dtype.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: strings are compared with a number, or numbers with a str, when called.

    Examples:
        >>> transforms.Mask(transforms.Relational.GT, 1)(np.array([0, 1, 2]))
        array([False, False,  True])
    """

    def __init__(self, operator: Relational, constant: Any, dtype: Any = core.bool_):
        self.operator = check_instance("Mask", "operator", operator, Relational)
        self.constant = check_instance("Mask", "constant", constant, (str, float, bool, int, bytes))
        if isinstance(dtype, str):
            raise TypeError(f"For 'Mask', 'dtype' must be a dtype, but got {dtype!r}.")
        self.dtype = numpy_type("Mask", "dtype", dtype)

    def apply(self, array: Array) -> Any:
        if is_text(array) != isinstance(self.constant, (str, bytes)):
            raise self.refuse(f"{self.constant!r} cannot be compared with an array of {array.dtype}")
        constant = np.asarray(self.constant)
        return _COMPARE[self.operator](array, constant if is_text(array) else cast(constant, array.dtype)).astype(self.dtype)


class Concatenate(Transform):
    """Arrays of one axis one after the other, as one.

    Args:
        axis: 0 or -1, which are the same axis.
        prepend: an array that comes first; None: none does.
        append: an array that comes last; None: none does.

    Inputs:
        values: arrays of (N,), of one dtype.

    Returns:
        An array of the same dtype, whose length is the sum of all.

    Raises:
        TypeError: axis is no int, or prepend or append no array.
        ValueError: axis is neither 0 nor -1, or prepend or append is of several axes.
        RuntimeError: arrays are of several axes or of different dtypes, when called.

    Examples:
        >>> transforms.Concatenate(prepend=np.array([0]))(np.array([1, 2]), np.array([3]))
        array([0, 1, 2, 3])
    """

    def __init__(self, axis: int = 0, prepend: Any = None, append: Any = None):
        if check_int32("Concatenate", "axis", axis, -(2**31)) not in (0, -1):
            raise ValueError(f"For 'Concatenate', 'axis' must be 0 or -1, but got {axis}.")
        for name, value in (("prepend", prepend), ("append", append)):
            if value is not None and check_instance("Concatenate", name, value, np.ndarray).ndim > 1:
                raise ValueError(f"For 'Concatenate', '{name}' must be of one axis, but is of shape {list(value.shape)}.")
        self.prepend, self.append = prepend, append

    def __call__(self, *values: Any) -> Any:
        arrays = [self.as_input(value) for value in (self.prepend, *values, self.append) if value is not None]
        for array in arrays:
            if array.ndim != 1 or (array.dtype != arrays[0].dtype and not (is_text(array) and is_text(arrays[0]))):
                raise self.refuse(
                    f"arrays must be of one axis and one dtype, but got {[f'{a.dtype} {list(a.shape)}' for a in arrays]}"
                )
        return np.concatenate(arrays)


class Duplicate(Transform):
    """A value twice, for two columns.

    Inputs:
        value: an array.

    Returns:
        A tuple of the array and a copy of it.

    Raises:
        RuntimeError: it gets several values.

    Examples:
        >>> dataset = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
        >>> dataset = dataset.map(transforms.Duplicate(), "x", ["x", "y"])
        >>> [(int(x), int(y)) for x, y in dataset]
        [(1, 1), (2, 2)]
    """

    def __call__(self, *values: Any) -> Any:
        if len(values) != 1:
            raise self.refuse(f"there must be one value, but got {len(values)}")
        array = self.as_input(values[0])
        return array, array.copy()


class Unique(Transform):
    """The different elements of an array.

    Inputs:
        value: an array of numbers; of its elements, whatever its shape.

    Returns:
        A tuple of the different elements, in the order in which they first come, of the array's dtype; for each element of
        the array which of these it is, int32; and how often each comes, int32.

    Raises:
        RuntimeError: it gets several values, or strings.

    Examples:
        >>> for part in transforms.Unique()(np.array([3, 1, 3, 3])):
        ...     print(part)
        [3 1]
        [0 1 0 0]
        [3 1]
    """

    def __call__(self, *values: Any) -> Any:
        if len(values) != 1:
            raise self.refuse(f"there must be one value, but got {len(values)}")
        array = self.as_input(values[0])
        if is_text(array):
            raise self.refuse(f"elements must be numbers, but are {array.dtype}")
        elements, first, which, counts = np.unique(array.ravel(), return_index=True, return_inverse=True, return_counts=True)
        order = np.argsort(first)
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return elements[order], place[which].astype(np.int32), counts[order].astype(np.int32)


class Plugin(Transform):
    """MindSpore's operation of a shared library, written against its C++ interface, which emberjit does not have. Any
    function of Python is an operation as it is.

    Args:
        lib_path, func_name, user_args: named in the error.

    Raises:
        RuntimeError: always.

    Examples:
        >>> transforms.Plugin("plugin.so", "Scale")
        Traceback (most recent call last):
            ...
        RuntimeError: 'Plugin' is not available: 'Scale' of plugin.so (None) needs MindSpore's C++...
    """

    def __init__(self, lib_path: str, func_name: str, user_args: str | None = None):
        raise RuntimeError(
            f"'Plugin' is not available: '{func_name}' of {lib_path} ({user_args}) needs MindSpore's C++ "
            "interface; a function of Python is an operation as it is."
        )
