"""What recorded calls stand for, in emberjit or in MindSpore: the operands that they name, and descriptions of results.
tools/record_mindspore.py runs them in MindSpore, test_mindspore.py in emberjit.

A Tensor is described by [dtype, shape, elements], at most ELEMENTS of them, evenly spaced; a tuple by a list of these;
anything else by a text; an exception by its name after a '!', or by '!unsupported' where MindSpore has no kernel for a CPU,
'!absent' where it has no such name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

ELEMENTS = 32
DTYPES = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "c64": np.complex64,
    "c128": np.complex128,
    "b1": np.bool_,
}
DTYPES |= {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
_FAILURES = {  # of MindSpore, by their messages
    "!absent": r"module '[\w.]+' has no attribute|'(Tensor|Parameter)' object has no attribute",
    "!unsupported": r"[Uu]nsupported (op|data type)|[Ss]elect (CPU|GPU|kernel)|kernel select|not support\w* (on|in) [Cc]"
    r"|CPU.{0,40}not support|device target \[?CPU|only support\w* .{0,40}Ascend|[Ss]upported dtypes? combination"
    r"|for backend CPU|[Uu]nregister|not registered|The supported data types|unsupported on CPU|bprop not defined"
    r"|KernelMod Init Failed|has no attr:__infer__|should not come here|Not implement exception|Create kernelmod|Cast failed"
    r"|not supported on this device|[Ss]upport Ascend only|There is no branch|'Registry' object|is not implemented",
}


class Random:
    """Draws the same operands for an expression whenever it is evaluated."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(1)

    def maker(self, dtype: Any) -> Callable[..., np.ndarray]:
        def make(*shape: int, of: tuple[float, float] | None = None) -> np.ndarray:
            if dtype is np.bool_:
                return self._rng.integers(0, 2, shape).astype(bool)
            if np.issubdtype(dtype, np.integer):
                low, high = of or (0 if dtype is np.uint8 else -9, 8)
                return self._rng.integers(int(low), int(high) + 1, shape).astype(dtype)
            low, high = of or (-2, 2)
            real = self._rng.uniform(low, high, shape)
            whole = np.issubdtype(dtype, np.complexfloating)
            return np.asarray(real + 1j * self._rng.uniform(low, high, shape) if whole else real).astype(dtype)

        return make


def ramp(*shape: int) -> np.ndarray:
    return (np.arange(np.prod(shape)).reshape(shape) % 7 - 3).astype(np.float32) / 2


def narrow(value: Any) -> Any:
    """Without numbers of 64 bits."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(narrow, value))
    shorter = {"float64": np.float32, "int64": np.int32, "complex128": np.complex64}
    return value.astype(shorter.get(value.dtype.name, value.dtype)) if isinstance(value, np.ndarray) else value


def with_nan(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flat[x.size // 4 * 2] = np.nan
    return x


def with_infinities(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flat[0], x.flat[max(x.size - 1, 0) // 2 * 2] = np.inf, -np.inf
    return x


def environment(ms: Any, text: str) -> dict[str, Any]:
    """The names of an expression, given the library."""

    def tensors(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return type(value)(map(tensors, value))
        return ms.Tensor(value) if isinstance(value, (np.ndarray, np.generic)) else value

    def tensor(*shape: int) -> Any:
        return ms.Tensor(ramp(*shape))

    def ints(*values: int) -> Any:
        return ms.Tensor(np.array(values, np.int32))

    def parameter(value: Any) -> Any:
        return ms.Parameter(tensors(value), name="p")

    def parameters(net: Any) -> list[Any]:
        return [(p.name, tuple(p.shape), p.requires_grad) for p in net.get_parameters()]

    def run(net: Any, *args: Any, train: bool = False) -> Any:
        """The net's result with weights that are ramps too."""
        for p in net.get_parameters():
            if "var" not in p.name:
                p.set_data(ms.Tensor(((np.arange(p.size).reshape(p.shape) % 5 - 2) / 4).astype(np.float32)))
        return net.set_train(train)(*args)

    def trained(make: Any) -> Any:
        """A Parameter after three steps of an optimizer."""
        p = ms.Parameter(tensor(2, 3), name="a")
        optimizer = make([p])
        for i in range(3):
            optimizer((tensor(2, 3) + i,))
        return p

    def stepped(op: Any, count: int, *operands: Any) -> list[Any]:
        """What Parameters, the first operands of an optimizer's primitive, hold after a step."""
        states = [ms.Parameter(ms.Tensor(abs(ramp(2, 3)) + np.float32(0.5 * (i + 1))), name=f"s{i}") for i in range(count)]
        op(*states, *operands)
        return states

    random = Random()
    made = {
        "x": lambda: tensor(2, 3),
        "y": lambda: ms.Tensor(ramp(2, 3) + 1),
        "b": lambda: ms.Tensor(ramp(2, 3) > 0),
        "p": lambda: ms.Parameter(tensor(2, 3), name="p"),
        "q": lambda: tensor(3, 4),
        "im": lambda: tensor(1, 2, 5, 5),
        "im6": lambda: tensor(1, 2, 6, 6),
        "w": lambda: tensor(3, 2, 3, 3),
        "lab": lambda: ints(0, 2),
    }
    return {
        **{name: random.maker(dtype) for name, dtype in DTYPES.items()},
        **{name: getattr(ms, name) for name in ("Parameter", "Tensor", "ops", "nn", "mint", "numpy", "scipy", "grad")},
        **{
            "__name__": "calls",
            "ms": ms,
            "np": np,
            "t": tensors,
            "par": parameter,
            "narrow": narrow,
            "nan": with_nan,
            "inf": with_infinities,
        },
        **{"names": parameters, "run": run, "opt": trained, "F": tensor, "I": ints, "stepped": stepped},
        **{name: make() for name, make in made.items() if re.search(rf"\b{name}\b", text)},
    }


def _number(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    value = float(f"{value:.5g}")
    return int(value) if abs(value) < 1e5 and value == int(value) else value


def _array(array: np.ndarray) -> list[Any]:
    flat = array.ravel()
    flat = flat[:: max(1, -(-flat.size // ELEMENTS))]
    if flat.dtype.kind == "c":
        flat = flat.astype(np.complex128).view(np.float64)
    elif flat.dtype.kind not in "iub":
        flat = flat.astype(np.float64)
    return [_number(value) for value in (flat + 0).tolist()]


def described(value: Any, ms: Any) -> Any:
    """What stands for a result in the record."""
    if isinstance(value, (tuple, list)):
        return [described(item, ms) for item in value]
    if hasattr(value, "asnumpy"):
        stored = value.astype(ms.float32) if value.dtype == ms.bfloat16 else value
        return [str(value.dtype), list(value.shape), _array(stored.asnumpy())]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), list(value.shape), _array(value)]
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, (float, complex)):
        return repr(complex(f"{value:.5g}") if isinstance(value, complex) else float(f"{value:.5g}"))
    name = str(value)
    return name if re.fullmatch(r"\w+", name) else f"<{type(value).__name__}>"


def failure(kind: str, message: str) -> str:
    """What stands for an exception."""
    return next((name for name, words in _FAILURES.items() if re.search(words, message)), f"!{kind}")


def outcome(text: str, ms: Any) -> tuple[Any, str]:
    """The description of what an expression gives, and the message of an exception."""
    try:
        return described(eval(text, environment(ms, text)), ms), ""
    except Exception as error:
        kind = next(base for base in type(error).__mro__ if base.__module__ == "builtins")
        return f"!{kind.__name__}", str(error)
