"""What a call of a jitted function costs beside its kernels: guards, breaks, and arguments that change every time.

guards: microseconds of a call with 16 Tensors and one small kernel, by what of Python the function has read.
spellings: microseconds of an eager call of 2x3, by position and with keywords.
breaks, churn: the call's time by the same function's undecorated, after ten calls; means, with all captures in them.
capture: milliseconds of capturing a function, see bench_captures.py.
"""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import bench_captures
import numpy as np

import emberjit as ms
from emberjit import Tensor, mint, ops

Function = Callable[..., Any]
Row = dict[str, Any]
MODES = ("ast", "bytecode")
ROUNDS, SECONDS = 50, 0.01


def microseconds(function: Function, *args: Any) -> float:
    """The mean time of the calls that fit in SECONDS."""
    count, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS or count == 0:
        for _ in range(10):
            function(*args)
        count += 10
    return spent / count * 1e6


def in_turn(functions: dict[str, Function], *args: Any) -> dict[str, float]:
    """The mean microseconds of each function's call, measured in turn."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            times[name].append(microseconds(function, *args))
    return {name: statistics.fmean(durations) for name, durations in times.items()}


def reader(expression: str, state: dict[str, Any]) -> Function:
    """A function of 16 Tensors that adds what it reads to the first."""
    names = ", ".join(f"t{i}" for i in range(16))
    namespace: dict[str, Any] = dict(state)
    exec(f"def read({names}):\n    return t0 + ({expression})", namespace)
    return namespace["read"]


class Holder:
    """An object with one attribute."""

    def __init__(self, k: float):
        self.k = k


def guarded() -> dict[str, Function]:
    """What functions read, by name; the first reads nothing."""
    fifty = {f"n{i}": float(i) for i in range(50)}
    objects = {f"n{i}": Holder(float(i)) for i in range(50)}
    classes = {f"n{i}": type(f"C{i}", (Holder,), {"k": float(i)}) for i in range(50)}
    whole = np.ones(1 << 20, np.float32)
    return {
        "nothing": reader("1.0", {}),
        "50 numbers of the module": reader(" + ".join(fifty), fifty),
        "attributes of 50 objects": reader(" + ".join(f"{n}.k" for n in objects), objects),
        "attributes of 50 classes": reader(" + ".join(f"{n}.k" for n in classes), classes),
        "a dict of 1000 items": reader("len(d) + d[3]", {"d": {i: float(i) for i in range(1000)}}),
        "a list of 1000 items": reader("len(d) + d[3]", {"d": [float(i) for i in range(1000)]}),
        "a NumPy array of 4 MB": reader("Tensor(d)[0]", {"d": whole, "Tensor": Tensor}),
    }


def guard_rows() -> Iterator[Row]:
    """A row for each of guarded()."""
    tensors = [Tensor(np.ones(2, np.float32)) for _ in range(16)]
    jitted = {name: ms.jit(function, capture_mode="bytecode") for name, function in guarded().items()}
    for function in jitted.values():
        for _ in range(3):
            function(*tensors)
    times = in_turn(jitted, *tensors)
    bare = times["nothing"]
    for name, us in times.items():
        guards = sum(entry["guards"] for entry in jitted[name].explain()["entries"])
        yield {"kind": "guards", "name": name, "guards": guards, "us": round(us, 3), "over_us": round(us - bare, 3)}


seen: list[int] = []


def appends(x: Any) -> Any:
    """A break in straight code of small Tensors."""
    y = x * 2 + 1
    seen.append(y.ndim)
    return (y - x) * y


def prints_items(x: Any) -> Any:
    """A break at an element."""
    y = ops.tanh(x)
    if float(y.sum().asnumpy()) > 1e9:
        return y
    return y * 2


def calls_unknown(x: Any) -> Any:
    """Breaks in a loop."""
    for i in range(4):
        x = x + time.time() * 0.0 + i
    return x


def branches(x: Any, k: float) -> Any:
    """A float in a condition."""
    return x * k if k > 3.5 else x + k


def powers(x: Any, step: int) -> Any:
    """A factor made of the step."""
    return x * 0.9**step


def slices(x: Any, start: int) -> Any:
    """A slice that moves."""
    return x[start : start + 4] * 2


def of_objects(x: Any, holder: Holder) -> Any:
    """A fresh object."""
    return x * holder.k


def of_functions(x: Any, function: Function) -> Any:
    """A fresh lambda."""
    return function(x) + 1


def changing(make: Callable[[int], Any], function: Function) -> Function:
    """The function with another argument in every call."""
    count = iter(range(1 << 60))
    return lambda x: function(x, make(next(count)))


CHURN: dict[Function, Callable[[int], Any]] = {
    branches: lambda i: i * 0.37 % 7,
    powers: lambda i: i % 1000,
    slices: lambda i: i * 5 % 50,
    of_objects: lambda i: Holder(i * 0.5),
    of_functions: lambda i: lambda x: x * (i % 1000),
}


def compared(kind: str, mode: str, function: Function, wrap: Callable[[Function], Function]) -> Row:
    """The row of a function, jitted and as it is."""
    x = Tensor(np.ones(64, np.float32))
    calls = {"plain": wrap(function), "jit": wrap(ms.jit(function, capture_mode=mode))}
    for call in calls.values():
        for _ in range(10):
            call(x)
    times = in_turn(calls, x)
    ratio = round(times["jit"] / times["plain"], 3)
    rounded = {system: round(us, 2) for system, us in times.items()}
    return {"kind": kind, "name": function.__name__, "mode": mode, **rounded, "ratio": ratio}


def spellings() -> dict[str, tuple[Function, Function]]:
    """Calls of public functions on an array of 2x3, by position and with keywords."""
    return {
        "ops.add": (lambda x: ops.add(x, x), lambda x: ops.add(input=x, other=x)),
        "ops.reduce_sum": (lambda x: ops.reduce_sum(x, 1), lambda x: ops.reduce_sum(x, axis=1)),
        "mint.sum": (lambda x: mint.sum(x, 1), lambda x: mint.sum(input=x, dim=1)),
        "Tensor.max": (lambda x: x.max(1), lambda x: x.max(dim=1)),
        "ops.softmax, composed": (
            lambda x: ops.softmax(x, 1, dtype=ms.float32),
            lambda x: ops.softmax(x, axis=1, dtype=ms.float32),
        ),
    }


def spelling_rows() -> Iterator[Row]:
    """A row for each of spellings()."""
    x = Tensor(np.ones((2, 3), np.float32))
    for name, (by_position, by_keyword) in spellings().items():
        for call in (by_position, by_keyword) * 2:
            call(x)
        times = in_turn({"position": by_position, "keywords": by_keyword}, x)
        yield {"kind": "spellings", "name": name, **{way: round(us, 3) for way, us in times.items()}}


def rows() -> Iterator[Row]:
    """All figures."""
    yield from bench_captures.rows()
    yield from spelling_rows()
    yield from guard_rows()
    for mode in MODES:
        for function in (appends, prints_items, calls_unknown):
            yield compared("breaks", mode, function, lambda f: f)
        for function, make in CHURN.items():
            yield compared("churn", mode, function, functools.partial(changing, make))
