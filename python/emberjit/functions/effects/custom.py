"""Functions of the program's as ops: of NumPy's arrays, or of a shared library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.session.differentiation import differentiating
from emberjit.checks import check_callable
from emberjit.publish.registry import publish, publish_ops
from emberjit.transforms.custom_gradients import call_with_bprop

_ops = core.ops

publish_ops(
    __name__,
    """
foreign_call: ops.foreign_call
""",
)

Size = Any  # an int, or a number of a graph


class Custom:
    """A function with a gradient of its own."""

    def __init__(self, construct: Callable[..., Any], bprop: Callable[..., Any]):
        self.construct, self.bprop = construct, bprop


@publish("ops.Custom(func, out_shape, out_dtype, func_type, bprop, reg_info)(*operands)", in_python=True)
def custom(
    operands: Any,
    func: Any,
    out_shape: Any = None,
    out_dtype: Any = None,
    func_type: str = "pyfunc",
    bprop: Any = None,
    reg_info: Any = None,
) -> Any:
    """What a function gives, as a Tensor or tuple of Tensors: of NumPy's arrays, which runs in Python, or of a library,
    which graphs call.

    Args:
        operands: Tensors.
        func: the function, or for "aot" "PATH:SYMBOL", where the function is
            int f(int count, void** data, int* ranks, int64_t** shapes, const char** dtypes, void* stream, void* extra)
            of the operands, then the results, whose memory is there, dense and row-major. The last two are null, and
            any answer but 0 is an error.
        out_shape, out_dtype: of the result, or tuples of several results' ones, or functions that give these of the
            operands' ones; None: as func gives it, not for "aot".
        func_type: "pyfunc", "hybrid" (a function of kernel()) or "aot".
        bprop: its gradient by (*operands, out, dout), a tuple of one for each operand; without it there is none.
        reg_info: of other devices.

    Raises:
        TypeError: func is no function, or for "aot" no such text; an operand is no Tensor.
        ValueError: another func_type, a result of another shape, a library or symbol that is not there.
        RuntimeError: a function of a library answered that it failed.
        CaptureError: code is being captured; a function of arrays runs in Python.

    Examples:
        >>> def hypotenuse(a, b):
        ...     return np.sqrt(a * a + b * b)
        >>> op = ops.Custom(hypotenuse, lambda a, b: a, lambda a, b: a, func_type="pyfunc")
        >>> print(op(Tensor([3.0, 5.0]), Tensor([4.0, 12.0])))
        [ 5. 13.]
    """
    for operand in operands:
        if not isinstance(operand, core.Tensor):
            kind = type(operand).__name__
            raise TypeError(f"For 'Custom', operands must be Tensors, but got {operand!r} of type {kind}.")
    run: Callable[..., Any]
    if func_type == "aot":
        run = _function_of_library(func, out_shape, out_dtype)
    elif func_type in ("pyfunc", "hybrid"):
        run = _function_of_arrays(func, out_shape, out_dtype)
    else:
        raise ValueError(f"For 'Custom', 'func_type' must be 'pyfunc', 'hybrid' or 'aot' on a CPU, but got {func_type!r}.")
    if bprop is None or not differentiating():
        return run(*operands)
    return call_with_bprop(Custom(run, bprop), tuple(operands), {})


def _function_of_arrays(func: Callable[..., Any], out_shape: Any, out_dtype: Any) -> Callable[..., Any]:
    check_callable("Custom", "func", func)
    if core.current_capture() is not None:
        raise core.CaptureError("Custom calls a function of NumPy's arrays, which runs in Python only.")
    import numpy as np

    def run(*operands: Any) -> Any:
        outputs = func(*(operand.asnumpy().copy() for operand in operands))
        several = isinstance(outputs, (tuple, list))
        results = [np.asarray(one) for one in (outputs if several else (outputs,))]
        shapes = out_shape(*(tuple(x.shape) for x in operands)) if callable(out_shape) else out_shape
        dtypes = out_dtype(*(x.dtype for x in operands)) if callable(out_dtype) else out_dtype
        shapes = [None] * len(results) if shapes is None else shapes if several else [shapes]
        dtypes = [None] * len(results) if dtypes is None else dtypes if several else [dtypes]
        if len(shapes) != len(results) or len(dtypes) != len(results):
            raise ValueError(
                f"For 'Custom', 'func' gave {len(results)} results, but 'out_shape' and 'out_dtype' have {len(shapes)} and "
                f"{len(dtypes)}."
            )
        for one, shape in zip(results, shapes):
            if shape is not None and one.shape != tuple(shape):
                raise ValueError(
                    f"For 'Custom', 'func' gave a result of shape {one.shape}, but 'out_shape' is {tuple(shape)}."
                )
        tensors = tuple(
            core.Tensor(one, dtype) if dtype is not None else core.Tensor(one) for one, dtype in zip(results, dtypes)
        )
        return tensors if several else tensors[0]

    return run


def _function_of_library(func: Any, out_shape: Any, out_dtype: Any) -> Callable[..., Any]:
    if not isinstance(func, str) or ":" not in func:
        raise TypeError(f"For 'Custom', 'func' must be 'PATH:SYMBOL' where 'func_type' is 'aot', but got {func!r}.")
    if out_shape is None or out_dtype is None:
        raise ValueError("For 'Custom', 'out_shape' and 'out_dtype' must be given where 'func_type' is 'aot'.")
    library, _, symbol = func.rpartition(":")

    def run(*operands: Any) -> Any:
        input_shapes = [list(x.shape) for x in operands]
        shapes = _resolve(out_shape, [list(shape) for shape in input_shapes])
        dtypes = _resolve(out_dtype, [x.dtype for x in operands])
        several = isinstance(dtypes, (tuple, list))
        shapes, dtypes = (shapes, dtypes) if several else ([shapes], [dtypes])
        _check_results(shapes, dtypes)
        outputs: Any = _ops.foreign_call(operands, library, symbol, _signature(operands, input_shapes, shapes, dtypes))
        return tuple(outputs or ()) if several else outputs[0]

    return run


def _resolve(rule: Any, of_operands: list[Any]) -> Any:
    return rule(*of_operands) if callable(rule) and not isinstance(rule, type) else rule


def _check_results(shapes: Any, dtypes: Any) -> None:
    for dtype in dtypes:
        if not isinstance(dtype, core.dtype):
            raise TypeError(f"For 'Custom', 'out_dtype' must give a dtype, or a tuple of them, but gave {dtype!r}.")
    if not isinstance(shapes, (tuple, list)) or len(shapes) != len(dtypes):
        raise ValueError(
            f"For 'Custom', 'out_shape' must give a shape for each of {len(dtypes)} results, but gave {shapes!r}."
        )
    for shape in shapes:
        sizes = shape if isinstance(shape, (tuple, list)) else [None]
        if any(isinstance(size, bool) or not isinstance(size, (int, core.Number)) for size in sizes):
            raise TypeError(f"For 'Custom', 'out_shape' must give a tuple of ints for each result, but gave {shape!r}.")


def _signature(operands: tuple[Any, ...], input_shapes: list[list[Size]], shapes: Any, dtypes: Any) -> str:
    """Of a call of operands, whose sizes are names, and so are results' sizes that are the same: sizes that change have one
    graph, then."""
    names: dict[Any, str] = {}
    values = []
    for i, operand in enumerate(operands):
        sizes = [f"n{i}_{axis}" for axis in range(operand.ndim)]
        for size, name in zip(input_shapes[i], sizes):
            names.setdefault(_size_key(size), name)
        values.append(f"{operand.dtype}[{', '.join(sizes)}]")
    results = []
    for shape, dtype in zip(shapes, dtypes):
        sizes = [names.get(_size_key(size)) or str(int(size)) for size in shape]
        results.append(f"{dtype}[{', '.join(sizes)}]")
    return f"aot {', '.join(values)} -> {', '.join(results)}"


def _size_key(size: Size) -> Any:
    """What equal sizes are known by: numbers of a graph by what they are, others by what they count."""
    return ("number", id(size)) if isinstance(size, core.Number) else int(size)


@publish("ops.PyFunc(fn, in_types, in_shapes, out_types, out_shapes, stateful)(*operands)", in_python=True)
def python_function(
    operands: Any, fn: Any, in_types: Any, in_shapes: Any, out_types: Any, out_shapes: Any, stateful: bool = True
) -> Any:
    """What a function of NumPy's arrays gives, as a tuple of Tensors. No gradient flows through it.

    Args:
        operands: Tensors, which fn takes as arrays.
        in_types, in_shapes, out_shapes, stateful: have no effect: fn is called with what there is, each time.
        out_types: dtypes of the results.

    Raises:
        ValueError: fn gives another number of results than out_types has.
        CaptureError: code is being captured; fn runs in Python.

    Examples:
        >>> op = ops.PyFunc(np.sort, [ms.float32], [(3,)], [ms.float32], [(3,)])
        >>> print(op(Tensor([3.0, 1.0, 2.0]))[0])
        [1. 2. 3.]
    """
    if core.current_capture() is not None:
        raise core.CaptureError("PyFunc calls a function of NumPy's arrays, which runs in Python only.")
    import numpy as np

    outputs = fn(*(operand.asnumpy() for operand in operands))
    results = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    if len(results) != len(out_types):
        raise ValueError(
            f"For 'PyFunc', fn must give {len(out_types)} results, as 'out_types' has, but gave {len(results)}."
        )
    return tuple(core.Tensor(np.asarray(result), kind) for result, kind in zip(results, out_types))
