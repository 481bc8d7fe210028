"""Functions of MindSpore's language for kernels, which Python runs, on NumPy's arrays, as ops.Custom gives them."""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def _block(tensor: Any) -> Iterator[Any]:
    yield tensor


def _grid(extents: Any) -> Iterator[tuple[int, ...]]:
    return itertools.product(*map(range, extents))


@functools.cache
def _language() -> dict[str, Any]:
    """What kernels name without importing it."""
    import numpy as np

    def empty(shape: Any, dtype: Any = "float32", scope: str = "global") -> Any:
        return np.zeros(shape, dtype)

    names = "exp log sqrt power tanh isnan isinf isfinite float16 float32 float64 int8 int16 int32 int64 uint8"
    return {
        **{name: getattr(np, name) for name in names.split()},
        **dict.fromkeys(("serial", "vectorize", "parallel", "reduce"), range),
        **dict.fromkeys(("block_realize", "attach_tag"), _block),
        **{"grid": _grid, "allocate": empty, "output_tensor": empty},
        "rsqrt": lambda x: 1 / np.sqrt(x),
    }


def kernel(fn: Any = None, reg_info: Any = None, compile_attrs: Any = None) -> Any:
    """Decorates a function of the language for kernels: loops over indices of arrays, `output_tensor` and `allocate` for new
    ones. Python runs it, on NumPy's arrays; Custom calls it as an op.

    Args:
        fn: the function; without it, the result is a decorator.
        reg_info: a description, of CustomRegOp, or a tuple of them; the function's attribute reg_info.
        compile_attrs: options of compilers, a dict; there is none here.

    Returns:
        a function of NumPy's arrays, or a decorator.

    Raises:
        TypeError: fn is no Python function, compile_attrs no dict, or reg_info no str, dict or tuple.

    Examples:
        >>> @ops.kernel
        ... def outer(a, b):
        ...     result = output_tensor((a.shape[0], b.shape[0]), a.dtype)
        ...     for i, j in grid((a.shape[0], b.shape[0])):
        ...         result[i, j] = a[i] * b[j]
        ...     return result
        >>> print(outer(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
        [[3. 4.]
         [6. 8.]]
    """
    for name, value, kinds in (("compile_attrs", compile_attrs, (dict,)), ("reg_info", reg_info, (str, dict, tuple))):
        if value is not None and not isinstance(value, kinds):
            raise TypeError(
                f"For 'kernel', '{name}' must be None or one of {[k.__name__ for k in kinds]}, but got {value!r}."
            )

    def decorate(function: Any) -> Callable[..., Any]:
        if not isinstance(function, types.FunctionType):
            raise TypeError(f"For 'kernel', 'fn' must be a Python function, but got {function!r}.")
        code, defaults, closure = function.__code__, function.__defaults__, function.__closure__

        @functools.wraps(function)
        def run(*args: Any) -> Any:
            return types.FunctionType(code, {**function.__globals__, **_language()}, code.co_name, defaults, closure)(*args)

        if reg_info is not None:
            run.reg_info = reg_info if isinstance(reg_info, tuple) else (reg_info,)  # type: ignore[attr-defined]
        return run

    return decorate if fn is None else decorate(fn)


ms_kernel = kernel
