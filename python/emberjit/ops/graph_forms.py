"""What MindSpore's graphs are made of, as functions: of types, of choices, of sequences and slices, and of environments, in
which its gradients kept those of Parameters. Values are Python's here, and so are these."""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype
from emberjit.checks import check_callable, check_choice
from emberjit.functions.arguments import ints_of
from emberjit.primitives.primitive import Primitive
from emberjit.values import tree

_ops = core.ops
_NUMBERS = {"Bool": core.bool_, "Int": core.int64, "Float": core.float32}
_ENUM = {  # MindSpore's numbers of dtypes
    **{"String": 12, "Bool": 30, "Int4": 31, "Int8": 32, "Int16": 33, "Int32": 34, "Int64": 35, "UInt8": 37, "UInt16": 38},
    **{"UInt32": 39, "UInt64": 40, "Float16": 42, "Float32": 43, "Float64": 44, "BFloat16": 45, "Float8E4M3FN": 46},
    **{"Complex64": 51, "Complex128": 52},
}


def typeof(x: Any) -> Any:
    """The type of a value: of a Tensor TensorType(dtype), of a number a dtype, else a kind of mindspore.dtype.

    Args:
        x: any value.

    Examples:
        >>> print(ops.typeof(Tensor([1.0])), ops.typeof(2.5))
        Tensor[Float32] Float32
    """
    if isinstance(x, core.Number):
        return _NUMBERS[str(core.current_capture().type_of(x))]
    return core.float32 if isinstance(x, float) else dtype.get_py_obj_dtype(x)


def hastype(x: Any, type: Any) -> bool:
    """Whether a type, as typeof() gives it, or a value's, is another one, or that of an element.

    Args:
        x: a type, as typeof() gives it, or a value.
        type: the type that is asked for.

    Examples:
        >>> ops.hastype(Tensor([1.0]), ms.float32)
        True
    """
    kind = x if isinstance(x, (core.dtype, dtype.Kind)) else typeof(x)
    return bool(kind == type) or getattr(kind, "element", None) == type


def identity(x: Any) -> Any:
    """x itself, whatever it is.

    Args:
        x: any value.

    Examples:
        >>> ops.identity((1, "a"))
        (1, 'a')
    """
    return x


def switch(condition: Any, true_value: Any, false_value: Any) -> Any:
    """One of two values. Of a captured condition these must be Tensors or numbers.

    Args:
        condition: a bool, or a Tensor of one.
        true_value: the result if it holds.
        false_value: the result otherwise.

    Examples:
        >>> ops.switch(2 > 1, "yes", "no")
        'yes'
    """
    if core.is_captured(condition) or isinstance(condition, core.Number):
        return _ops.select(_ops.cast(core.Tensor(condition), core.bool_), true_value, false_value)
    return true_value if condition else false_value


def switch_layer(index: Any, layers: Any) -> Any:
    """One of several functions or Cells.

    Args:
        index: which, from 0 on.
        layers: a tuple or list of functions or Cells.

    Raises:
        IndexError: there are not so many.

    Examples:
        >>> print(ops.switch_layer(1, (ops.sin, ops.neg))(Tensor([1.0])))
        [-1.]
    """
    return layers[index]


def zip_operation(*sequences: Any) -> tuple[Any, ...]:
    """Tuples of the first items of all sequences, of the second ones and so on.

    Args:
        sequences: tuples or lists; the shortest ends the result.

    Examples:
        >>> ops.zip_operation([1, 2], ["a", "b"])
        ((1, 'a'), (2, 'b'))
    """
    return tuple(zip(*sequences))


def iter_converter(x: Any) -> Any:
    """What a loop goes through: a tuple of the keys of a dict; else x.

    Args:
        x: any value.

    Examples:
        >>> ops.iter_converter({"a": 1, "b": 2})
        ('a', 'b')
    """
    return tuple(x) if isinstance(x, dict) else x


def ms_hasnext(x: Any) -> bool:
    """Whether a sequence has items.

    Args:
        x: a tuple, a list, or a Tensor of at least one axis.

    Examples:
        >>> ops.ms_hasnext((1, 2))
        True
    """
    return len(x) > 0


def ms_next(x: Any) -> Any:
    """(the first item of a sequence, the rest).

    Args:
        x: a tuple, a list, or a Tensor of at least one axis.

    Examples:
        >>> ops.ms_next((1, 2, 3))
        (1, (2, 3))
    """
    return x[0], x[1:]


def SliceGetItem(slice: Any, name: str) -> Any:
    """The start, stop or step of a slice.

    Args:
        slice: a slice.
        name: "start", "stop" or "step".

    Raises:
        ValueError: name is none of these.

    Examples:
        >>> ops.SliceGetItem(slice(1, 5, 2), "stop")
        5
    """
    check_choice("SliceGetItem", "name", name, "start", "stop", "step")
    return getattr(slice, name)


def broadcast_gradient_args(x_shape: Any, y_shape: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of what two shapes broadcast to along which a gradient by each is summed.

    Args:
        x_shape, y_shape: tuples of ints.

    Raises:
        TypeError: a shape is not of ints.
        RuntimeError: they do not broadcast.

    Examples:
        >>> ops.broadcast_gradient_args((4, 3), (1, 3))
        ((), (0,))
    """
    name = "broadcast_gradient_args"
    x, y = ints_of(name, "x_shape", x_shape), ints_of(name, "y_shape", y_shape)
    if x == y:
        return (), ()
    rank = max(len(x), len(y))
    first, second = ((0,) * (rank - len(shape)) + shape for shape in (x, y))
    if any(a != b and a > 1 and b > 1 for a, b in zip(first, second)):
        raise RuntimeError(f"For '{name}', shapes do not broadcast: {x} and {y}.")
    return tuple(i for i in range(rank) if first[i] <= 1), tuple(i for i in range(rank) if second[i] <= 1)


def reshape_(input: Any, shape: Any) -> Any:
    """input under another shape, as reshape() gives it.

    Args:
        input: a Tensor.
        shape: a tuple of ints, of which one may be -1.

    Returns:
        a Tensor that shares input's memory where its strides allow that.

    Examples:
        >>> print(ops.reshape_(Tensor([1.0, 2.0]), (2, 1)).shape)
        (2, 1)
    """
    return _ops.reshape(input, shape)


class _Environment:
    """Values by the keys that embed() makes. It does not change: each function gives another."""

    def __init__(self, values: dict[int, tuple[Any, Any]] | None = None):
        self.values = values or {}


def embed(x: Any) -> Any:
    """A key of environments: x itself, as an object.

    Args:
        x: any object, as a Parameter.

    Examples:
        >>> weight = Parameter(Tensor([1.0]))
        >>> ops.embed(weight) is weight
        True
    """
    return x


ref_to_embed = embed


def environ_create() -> _Environment:
    """An environment without values.

    Examples:
        >>> env = ops.environ_create()
        >>> ops.environ_get(env, "key", 0)
        0
    """
    return _Environment()


def environ_set(env: _Environment, key: Any, value: Any) -> _Environment:
    """An environment with a value at a key.

    Args:
        env: an environment.
        key: any object; its identity counts.
        value: any value.

    Examples:
        >>> key = Parameter(Tensor([1.0]))
        >>> env = ops.environ_set(ops.environ_create(), key, 5)
        >>> ops.environ_get(env, key, 0)
        5
    """
    return _Environment({**env.values, id(key): (key, value)})


def environ_get(env: _Environment, key: Any, default: Any) -> Any:
    """The value at a key, or default if there is none.

    Args:
        env: an environment.
        key: any object; its identity counts.
        default: any value.

    Examples:
        >>> key = Parameter(Tensor([1.0]))
        >>> ops.environ_get(ops.environ_create(), key, 0)
        0
    """
    return env.values.get(id(key), (key, default))[1]


def environ_add(first: _Environment, second: _Environment) -> _Environment:
    """An environment with the values of both, added where both have one.

    Args:
        first, second: environments.

    Examples:
        >>> key = Parameter(Tensor([1.0]))
        >>> one = ops.environ_set(ops.environ_create(), key, 5)
        >>> ops.environ_get(ops.environ_add(one, one), key, 0)
        10
    """
    out = _Environment(dict(first.values))
    for at, (key, value) in second.values.items():
        out.values[at] = key, out.values[at][1] + value if at in out.values else value
    return out


def env_get(env: _Environment, parameter: Any) -> Any:
    """The value at a Parameter, zeros if there is none.

    Args:
        env: an environment.
        parameter: the Parameter.

    Examples:
        >>> print(ops.env_get(ops.environ_create(), Parameter(Tensor([1.0, 2.0]))))
        [0. 0.]
    """
    return environ_get(env, parameter, _ops.zeros_like(parameter))


def _ones_like_for_grad(x: Any) -> Any:
    """Ones, of the shapes and dtypes of Tensors in x; of numbers 1."""
    return tree.rebuild(x, lambda leaf: _ops.ones_like(leaf) if isinstance(leaf, core.Tensor) else type(leaf)(1))


def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Marks a function or Cell; without one, the result is a decorator. Returns what is marked.

    Args:
        fn: a function or a Cell; by default none, which gives a decorator.
        flags: of a Cell attributes; a function keeps them in its attribute _func_graph_flags, and does the same.

    Raises:
        TypeError: fn is neither.

    Examples:
        >>> @ops.add_flags(has_effect=True)
        ... def f(x):
        ...     return x
        >>> f._func_graph_flags
        {'has_effect': True}
    """
    if fn is None:
        return lambda function: add_flags(function, **flags)
    if hasattr(type(fn), "add_flags"):  # a Cell
        return fn.add_flags(**flags)
    if not isinstance(fn, (types.FunctionType, types.MethodType, Primitive)):
        raise TypeError(f"For 'add_flags', 'fn' must be a function or a Cell, but got {fn!r}.")
    owner = fn.__func__ if isinstance(fn, types.MethodType) else fn
    owner.__dict__["_func_graph_flags"] = {**owner.__dict__.get("_func_graph_flags", {}), **flags}
    return fn


_add_attr = add_flags


class DtypeToEnum(Primitive):
    """MindSpore's number of a dtype.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        op_name, arg_name: of what asks, for the error.
        dtype: the dtype.

    Raises:
        TypeError: dtype is none.

    Examples:
        >>> ops.DtypeToEnum()("cast", "dtype", ms.float32)
        43
    """

    def __call__(self, op_name: str, arg_name: str, dtype: Any) -> int:
        """
        Args:
            op_name, arg_name: of what asks, for the error.

        Raises:
            TypeError: dtype is none.
        """
        number = _ENUM.get(str(dtype)) if not isinstance(dtype, str) else None
        if number is None:
            raise TypeError(f"For '{op_name}', the input '{arg_name}' should be mindspore dtype, but got {dtype!r}.")
        return number


class Reusing(Primitive):
    """Passes a function on, of which a graph of MindSpore's has one copy for all calls.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        input_x: a function.

    Examples:
        >>> print(ops.Reusing()(ops.neg)(Tensor([1.0])))
        [-1.]
    """

    def __call__(self, input_x: Any) -> Any:
        """input_x itself."""
        return input_x


class _Operators:
    """The functions of ops by name, and what is registered beside them."""

    def register(self, name: str, function: Any) -> None:
        """Registers a function under a name, which it then has here."""
        setattr(self, name, function)

    def get(self, name: str) -> Any:
        """The function of a name.

        Raises:
            AttributeError: there is none.
        """
        return getattr(self, name)

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module("emberjit.ops"), name)


tensor_operator_registry = _Operators()


class _Implementations(dict[Any, Callable[..., Any]]):
    """Functions that make, of a primitive, a function that computes it, by the primitive's name or class."""

    def register(self, prim: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator of such a function."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self[prim] = function
            return function

        return register


vm_impl_registry = _Implementations()


def get_vm_impl_fn(prim: Any) -> Callable[..., Any] | None:
    """The function that computes a primitive, by what was registered with vm_impl_registry; None: nothing was.

    Args:
        prim: a Primitive, or its name.

    Examples:
        >>> from emberjit.ops.graph_forms import vm_impl_registry
        >>> @vm_impl_registry.register("Twice")
        ... def twice(prim):
        ...     return lambda x: x * 2
        >>> ops.get_vm_impl_fn("Twice")(3)
        6
    """
    factory = vm_impl_registry.get(type(prim)) or vm_impl_registry.get(prim if isinstance(prim, str) else prim.name)
    return None if factory is None else factory(prim)


def _ms_pyfunc(infer_func: Callable[..., Any]) -> Callable[[Callable[..., Any]], Primitive]:
    """Decorates a function, which becomes a primitive that calls it.

    Args:
        infer_func: what tells shapes and dtypes of results; it is not needed.

    Raises:
        TypeError: it cannot be called.
    """
    check_callable("_ms_pyfunc", "infer_func", infer_func)

    def decorate(function: Callable[..., Any]) -> Primitive:
        fields = {"__call__": lambda self, *args: function(*args), "__doc__": function.__doc__}
        primitive: Primitive = type(function.__name__, (Primitive,), fields)()
        return primitive

    return decorate
