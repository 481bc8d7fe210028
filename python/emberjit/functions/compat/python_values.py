"""What MindSpore's graphs say of numbers, tuples, lists and dicts by functions, as Python's operators say it; and
conversions between these and Tensors."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance, check_steps
from emberjit.publish.kinds import FLOATS, DType, Tensor
from emberjit.publish.registry import publish


def _range_of(*args: Any) -> tuple[int, ...]:
    numbers = range(*args)
    least, most = sorted((numbers.start, numbers.stop))
    check_steps("make_range", "the number of ints", (most - least) // abs(numbers.step) if numbers else 0)
    return tuple(numbers)


# The function of a name, what it gives, its reference, samples of arguments.
_TABLE: dict[str, tuple[Any, str, str, str]] = {
    "scalar_uadd": (lambda x: +x, "x", "x", "2; -1.5"),
    "scalar_usub": (lambda x: -x, "-x", "-x", "2; -1.5"),
    "scalar_log": (lambda x: math.log(x), "The natural logarithm of a number", "math.log(x)", "2.5"),
    "scalar_add": (lambda x, y: x + y, "x + y", "x + y", "2, 3.5"),
    "scalar_sub": (lambda x, y: x - y, "x - y", "x - y", "2, 3.5"),
    "scalar_mul": (lambda x, y: x * y, "x * y", "x * y", "2, 3.5"),
    "scalar_div": (lambda x, y: x / y, "x / y", "x / y", "7, 2"),
    "scalar_floordiv": (lambda x, y: x // y, "x // y", "x // y", "-7, 2"),
    "scalar_mod": (lambda x, y: x % y, "x % y", "x % y", "-7, 2"),
    "scalar_pow": (lambda x, y: x**y, "x ** y", "x ** y", "3, 2"),
    "scalar_max": (lambda x, y: max(x, y), "The larger number", "max(x, y)", "3, 2"),
    "scalar_min": (lambda x, y: min(x, y), "The smaller number", "min(x, y)", "3, 2"),
    "scalar_eq": (lambda x, y: x == y, "x == y", "x == y", "3, 2"),
    "scalar_ne": (lambda x, y: x != y, "x != y", "x != y", "3, 2"),
    "scalar_lt": (lambda x, y: x < y, "x < y", "x < y", "3, 2"),
    "scalar_le": (lambda x, y: x <= y, "x <= y", "x <= y", "3, 3"),
    "scalar_gt": (lambda x, y: x > y, "x > y", "x > y", "3, 2"),
    "scalar_ge": (lambda x, y: x >= y, "x >= y", "x >= y", "3, 3"),
    "augassign_add": (lambda x, y: x + y, "x + y", "x + y", "2, 3.5; f32(2), 1"),
    "augassign_sub": (lambda x, y: x - y, "x - y", "x - y", "2, 3.5; f32(2), 1"),
    "augassign_mul": (lambda x, y: x * y, "x * y", "x * y", "2, 3.5; f32(2), 3"),
    "augassign_div": (lambda x, y: x / y, "x / y", "x / y", "7, 2; f32(2), 2"),
    "augassign_floordiv": (lambda x, y: x // y, "x // y", "x // y", "-7, 2; i32(4), 3"),
    "augassign_mod": (lambda x, y: x % y, "x % y", "x % y", "-7, 2; i32(4), 3"),
    "bool_not": (lambda x: not x, "not x", "not x", "True; False"),
    "bool_and": (lambda x, y: x and y, "x and y", "x and y", "True, False"),
    "bool_or": (lambda x, y: x or y, "x or y", "x or y", "True, False"),
    "bool_eq": (lambda x, y: x == y, "x == y", "x == y", "True, False"),
    "is_": (lambda x, y: x is y, "x is y", "x is y", "None, None; True, None"),
    "is_not": (lambda x, y: x is not y, "x is not y", "x is not y", "None, None; True, None"),
    "string_eq": (lambda x, y: x == y, "x == y", "x == y", "'a', 'b'"),
    "string_concat": (lambda x, y: x + y, "x, followed by y", "x + y", "'a', 'b'"),
    "shape_mul": (
        lambda input_data: math.prod(input_data),
        "The product of the sizes of a shape",
        "math.prod(input_data)",
        "(2, 3); ()",
    ),
    "tail": (lambda x: x[1:], "All items but the first", "x[1:]", "(1, 2, 3)"),
    "tuple_len": (lambda x: len(x), "The number of items", "len(x)", "(1, 2)"),
    "tuple_reversed": (lambda x: x[::-1], "The items in reverse order", "x[::-1]", "(1, 2)"),
    "tuple_equal": (lambda x, y: x == y, "x == y", "x == y", "(1, 2), (1, 2)"),
    "tuple_getitem": (lambda x, index: x[index], "An item", "x[index]", "(1, 2), 1"),
    "tuple_setitem": (
        lambda x, index, value: (*x[:index], value, *x[index:][1:]),
        "A copy with another item",
        "tuple(value if i == index % len(x) else item for i, item in enumerate(x))",
        "(1, 2, 3), 1, 5; (1, 2, 3), -1, 5",
    ),
    "list_len": (lambda x: len(x), "The number of items", "len(x)", "[1, 2]"),
    "list_equal": (lambda x, y: x == y, "x == y", "x == y", "[1, 2], [1, 3]"),
    "list_getitem": (lambda x, index: x[index], "An item", "x[index]", "[1, 2], -1"),
    "list_setitem": (
        lambda x, index, value: [*x[:index], value, *x[index:][1:]],
        "A copy with another item",
        "[value if i == index % len(x) else item for i, item in enumerate(x)]",
        "[1, 2, 3], 1, 5; [1, 2, 3], -3, 5",
    ),
    "dict_getitem": (lambda x, key: x[key], "The value of a key", "x[key]", "{'a': 2}, 'a'"),
    "dict_setitem": (
        lambda x, key, value: {**x, key: value},
        "A copy with another value of a key",
        "dict([*x.items(), (key, value)])",
        "{'a': 2}, 'b', 3",
    ),
    "in_dict": (lambda x, y: x in y, "Whether the dict y has a key x", "x in [*y]", "'a', {'a': 2}"),
    "not_in_dict": (lambda x, y: x not in y, "Whether the dict y lacks a key x", "x not in [*y]", "'a', {'a': 2}"),
    "make_dict": (lambda x, y: dict(zip(x, y)), "The dict of keys x and values y", "{x[0]: y[0]}", "('a',), (1,)"),
    "make_tuple(*args)": (lambda args: tuple(args), "The arguments as a tuple", "(*args,)", "(1, 2)"),
    "make_list(*args)": (lambda args: list(args), "The arguments as a list", "[*args]", "(1, 2)"),
    "make_slice(*args)": (lambda args: slice(*args), "The slice of start, stop and step", "slice(*args)", "(1, 5, 2)"),
    "make_range(*args)": (
        lambda args: _range_of(*args),
        "The ints from start up to, but without, stop, in steps, as a tuple",
        "tuple(range(*args))",
        "(5,); (1, 7, 2)",
    ),
}


for _spelling, (_function, _gives, _reference, _samples) in _TABLE.items():
    _function.__name__ = _spelling.partition("(")[0]
    _function.__doc__ = f"{_gives}."
    _function.__annotations__ = dict.fromkeys((*_function.__code__.co_varnames, "return"), "Any")
    publish(f"ops.{_spelling}", numpy=_reference, samples=_samples, in_python=True)(_function)


@publish("ops.tuple_div", numpy="tuple(a // b for a, b in zip(x, y))", samples="(6, 8), (2, 4)", in_python=True)
def tuple_div(x: Any, y: Any) -> Any:
    """Each item of x divided by that of y.

    Raises:
        ValueError: there are other numbers of them, or one does not divide.
    """
    if len(x) != len(y) or any(b == 0 or a % b for a, b in zip(x, y)):
        raise ValueError(f"For 'tuple_div', the items of {x} must divide by those of {y}.")
    return tuple(a // b for a, b in zip(x, y))


@publish(
    "ops.reduced_shape",
    numpy="tuple(1 if i in axis or not axis else n for i, n in enumerate(shape))",
    samples="(2, 3, 4), (1,); (2, 3), ()",
    in_python=True,
)
def reduced_shape(shape: Any, axis: Any) -> Any:
    """A shape after a reduction that keeps axes.

    Args:
        axis: the axes of the reduction, an int or several; none stands for all.

    Raises:
        ValueError: an axis is out of range.
    """
    axes = [axis] if isinstance(axis, int) else list(axis)
    if any(not -len(shape) <= at < len(shape) for at in axes):
        raise ValueError(f"For 'reduced_shape', {axis} is out of range for the shape {shape}.")
    reduced = {at % len(shape) for at in axes}
    return tuple(1 if i in reduced or not axes else n for i, n in enumerate(shape))


@publish("ops.array_to_scalar", numpy="x.item()", samples="f32(); i32(1)", in_python=True)
def array_to_scalar(x: Tensor) -> Any:
    """The number that a Tensor of one element has."""
    return x.item()


@publish(
    "ops.scalar_to_array ops.ScalarToArray",
    numpy="np.array(input_x, {'i': np.int64, 'f': np.float32, 'b': np.bool_}[np.array(input_x).dtype.kind])",
    samples="3; 2.5; True",
    in_python=True,
)
def scalar_to_array(input_x: Any) -> Any:
    """A 0-d Tensor of a number: int64 of an int, float32 of a float."""
    return core.Tensor(input_x)


@publish(
    "ops.scalar_cast(input_x, dtype as input_y) ops.ScalarCast()(input_x, dtype as input_y)",
    numpy="dtype(input_x).item()",
    samples="2.7, int32; 3, float32; 2, bool_",
    in_python=True,
)
def scalar_cast(input_x: Any, dtype: DType) -> Any:
    """A number as one of another kind: an int of a dtype of integers, toward 0, else a float or bool.

    Raises:
        TypeError: dtype is no dtype.
    """
    if dtype == core.bool_:
        return bool(input_x)
    return float(input_x) if dtype in FLOATS else int(input_x)


@publish("ops.isconstant", numpy="True", samples="3; 'a'; (1, 2)", in_python=True)
def isconstant(x: Any) -> Any:
    """Whether a value is known now, as it is of all but Tensors and numbers of a graph that is being captured."""
    return not core.is_captured(x)


@publish("ops.is_sequence_shape_unknown", numpy="False", samples="(1, 2); ()", in_python=True)
def is_sequence_shape_unknown(x: Any) -> Any:
    """Whether the number of a sequence's items is unknown: no sequence of a program's is so.

    Raises:
        TypeError: x is no tuple or list.
    """
    check_instance("is_sequence_shape_unknown", "x", x, (tuple, list))
    return False


@publish(
    "ops.hyper_add",
    numpy="tuple(a + b for a, b in zip(x, y))",
    samples="(1, 2), (3, 4); (f32(2),), (f32(2),)",
    in_python=True,
)
def hyper_add(x: Any, y: Any) -> Any:
    """The sums of two tuples or lists, item by item and into nested ones; of anything else x + y.

    Raises:
        ValueError: they have not as many items.
    """
    if not isinstance(x, (tuple, list)):
        return x + y
    if len(x) != len(y):
        raise ValueError(f"For 'hyper_add', 'x' and 'y' must have as many items, but have {len(x)} and {len(y)}.")
    return type(x)(hyper_add(a, b) for a, b in zip(x, y))


@publish(
    "ops.scalar_to_tensor ops.ScalarToTensor()(input_x, dtype)",
    numpy="np.array(input_x, np.float32)",
    samples="1.5",
    in_python=True,
)
def scalar_to_tensor(input_x: Any, dtype: DType = core.float32) -> Any:
    """A 0-d Tensor of a number."""
    return core.Tensor(input_x, dtype)


@publish("ops.tuple_to_array ops.TupleToArray", numpy="np.array(input_x)", samples="(1.5, 2.5)", in_python=True)
def tuple_to_array(input_x: Any) -> Any:
    """A 1-d Tensor of a tuple of numbers: int32 of ints, float32 of floats."""
    return core.Tensor(list(input_x), core.int32 if all(isinstance(item, int) for item in input_x) else core.float32)


@publish("ops.TensorToTuple", numpy="tuple(input_x.tolist())", samples="i32(3); f32(2)", in_python=True)
def tensor_to_tuple(input_x: Tensor) -> Any:
    """The elements of a Tensor of one axis as a tuple of numbers.

    Raises:
        ValueError: there is another number of axes.
    """
    if input_x.ndim != 1:
        raise ValueError(f"For 'TensorToTuple', the input must have one axis, but its shape is {tuple(input_x.shape)}.")
    return tuple(input_x.tolist())
