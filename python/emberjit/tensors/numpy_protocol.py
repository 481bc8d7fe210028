"""What NumPy does with Tensors: its functions of elements (ufuncs) are the ops of the same meaning, so that NumPy's numbers
and arrays are operands on either side, and gradients flow. Functions that are no op here are NumPy's own, of the elements;
of Tensors that gradients are recorded of that is an error, since none would flow.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core

_ops = core.ops

_OF_UFUNCS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "floor_divide": "floor_div",
    "remainder": "floor_mod",
    "power": "pow",
    "matmul": "matmul",
    "negative": "neg",
    "absolute": "abs",
    "equal": "equal",
    "not_equal": "not_equal",
    "less": "less",
    "less_equal": "less_equal",
    "greater": "greater",
    "greater_equal": "greater_equal",
    "logical_and": "logical_and",
    "logical_or": "logical_or",
    "logical_xor": "logical_xor",
    "logical_not": "logical_not",
    "maximum": "maximum",
    "minimum": "minimum",
    "exp": "exp",
    "expm1": "expm1",
    "log": "log",
    "log1p": "log1p",
    "sqrt": "sqrt",
    "square": "square",
    "reciprocal": "reciprocal",
    "sign": "sign",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "rint": "round",
    "sin": "sin",
    "cos": "cos",
    "tanh": "tanh",
    "isnan": "isnan",
    "isinf": "isinf",
    "isfinite": "isfinite",
}

# Of bools these are the logical ops, as for the operators.
_OPERATORS: dict[str, Callable[..., Any]] = {
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "invert": operator.invert,
}


def array_ufunc(self: core.Tensor, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """A function of elements, called by NumPy with a Tensor among its inputs."""
    outputs = options.get("out", ())
    if any(isinstance(output, core.Tensor) for output in outputs):
        return NotImplemented
    name = ufunc.__name__
    if method == "__call__" and not options:
        if name in _OF_UFUNCS:
            return core.op_table[_OF_UFUNCS[name]](*inputs)
        if name in _OPERATORS:
            return _OPERATORS[name](*(x if isinstance(x, core.Tensor) else core.Tensor(x) for x in inputs))
    _refuse_recorded(name, inputs)
    return getattr(ufunc, method)(*(_array(x) for x in inputs), **options)


def array_function(self: core.Tensor, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Any other function of NumPy, called with a Tensor somewhere among its arguments."""
    result = function._implementation(*args, **kwargs)
    if any(getattr(getattr(part, "dtype", None), "kind", None) in ("f", "c") for part in _parts(result)):
        _refuse_recorded(function.__name__, (args, kwargs))
    return result


def _array(x: Any) -> Any:
    return x.asnumpy() if isinstance(x, core.Tensor) else x


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        return [part for item in value for part in _parts(item)]
    return [value]


def _refuse_recorded(name: str, values: Any) -> None:
    if any(isinstance(part, core.Tensor) and core.recorded(part) for part in _parts(values)):
        raise TypeError(
            f"np.{name} of a Tensor that gradients are recorded of would give an array, through which no gradient flows: "
            "use emberjit's ops, or stop_gradient(x) if none is to flow."
        )
