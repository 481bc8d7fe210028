"""emberjit's side of bench_changes.py, and what calls with symbols cost beside calls without."""

from __future__ import annotations

import itertools
import logging
import os
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from bench_calls import Holder, in_turn, microseconds, reader
from bench_captures import Block
from bench_processes import Row

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

Function = Callable[..., Any]
ROUNDS, STEPS = 30, 50


class Emberjit:
    """What bench_changes.py asks for."""

    ways: dict[str, Callable[[Function], Function]] = {"eager": lambda function: function, "jit": ms.jit}
    numbers = itertools.count(1)  # of Parameters
    relu = staticmethod(ops.relu)
    tensor = staticmethod(Tensor)
    cross_entropy = staticmethod(ops.cross_entropy)

    def state(self, array: np.ndarray) -> Parameter:
        return Parameter(Tensor(array), f"p{next(self.numbers)}")

    def softmax(self, x: Any) -> Any:
        return ops.softmax(x, -1)

    def layer_norm(self, x: Any) -> Any:
        return ops.layer_norm(x, x.shape[-1:])

    def swapped(self, x: Any, first: int, second: int) -> Any:
        return x.swapaxes(first, second)

    def trainer(self, weights: list[Any], loss: Function, wrap: Callable[[Function], Function]) -> Function:
        optimizer = nn.SGD(weights, 0.01)
        gradient = ms.value_and_grad(loss, None, weights)

        def step(*args: Any) -> Any:
            value, gradients = gradient(*args)
            optimizer(gradients)
            return value

        return wrap(step)

    def cast(self, x: Any, dtype: Any) -> Any:
        return x.astype(dtype)

    def force(self, result: Any) -> float:
        return float(result.asnumpy().flat[0])


SYSTEM = Emberjit()


class Trainer:
    """What a training loop keeps beside its weights."""

    def __init__(self) -> None:
        self.count, self.scale, self.rate = 0, 1.0, 0.1
        self.history: list[Any] = []


def plain(s: Trainer, loss: Any, i: int) -> Any:
    return loss


def logs(s: Trainer, loss: Any, i: int) -> Any:
    if i % 100 == 0:
        logging.getLogger("bench").debug("step %d", i)
    return loss


def counts(s: Trainer, loss: Any, i: int) -> Any:
    s.count += 1
    return loss


def keeps(s: Trainer, loss: Any, i: int) -> Any:
    s.history.append(loss)
    return loss


def schedules(s: Trainer, loss: Any, i: int) -> Any:
    return loss * (0.1 * 0.5 ** (i // 1000) * min(1.0, (i + 1) / 500))


def changes(s: Trainer, loss: Any, i: int) -> Any:
    return loss * s.scale


def breaks(s: Trainer, loss: Any, i: int) -> Any:
    os.getpid()
    return loss


EXTRAS = (plain, logs, counts, keeps, schedules, changes, breaks)


def trained(f: Emberjit, extra: Function, wrap: Callable[[Function], Function]) -> Function:
    """A step of a network of three layers of 64, with what `extra` does to its loss."""
    generator = np.random.default_rng(0)
    weights = [f.state(generator.standard_normal((64, 64), np.float32) * np.float32(0.1)) for _ in range(3)]
    x, labels = f.tensor(np.ones((32, 64), np.float32)), f.tensor(np.arange(32, dtype=np.int64))
    state = Trainer()

    def loss(x: Any, labels: Any, i: int) -> Any:
        y = f.relu(f.relu(x @ weights[0]) @ weights[1]) @ weights[2]
        return f.cross_entropy(y, labels)

    step = f.trainer(weights, loss, lambda function: function)
    whole = wrap(lambda x, labels, i: extra(state, step(x, labels, i), i))
    count = iter(range(1 << 60))

    def call() -> Any:
        i = next(count)
        state.scale = 1.0 + i * 1e-6
        del state.history[:-100]
        return whole(x, labels, i)

    return call


def step_rows(f: Emberjit) -> Iterator[Row]:
    """A row for each way of each of EXTRAS."""
    for way, wrap in f.ways.items():
        calls = {extra.__name__: trained(f, extra, wrap) for extra in EXTRAS}
        times: dict[str, list[float]] = {name: [] for name in calls}
        for call in calls.values():
            for _ in range(STEPS):
                call()
        for _ in range(ROUNDS):
            for name, call in calls.items():
                start = time.perf_counter()
                for _ in range(STEPS):
                    result = call()
                f.force(result)
                times[name].append((time.perf_counter() - start) / STEPS * 1e6)
        middles = {name: statistics.median(durations) for name, durations in times.items()}
        for name, us in middles.items():
            yield {"kind": "steps", "name": name, "way": way, "us": round(us, 2), "over": round(us / middles["plain"], 3)}


def _grouped(x: Any) -> Any:
    return x.reshape(x.shape[0], 4, -1) + 1


def compared(name: str, functions: dict[str, Function], *args: Any) -> Row:
    """Microseconds of calls of several functions in turn, and what the second takes beyond the first, and by it."""
    times = in_turn(functions, *args)
    first, second = list(times.values())[:2]
    rounded = {way: round(us, 3) for way, us in times.items()}
    return {"kind": "calls", "name": name, **rounded, "over_us": round(second - first, 3), "ratio": round(second / first, 3)}


def sizes_row() -> Row:
    """One small op behind a reshape, whose sizes are constants in one function and symbols in the other."""
    functions = {"fixed": ms.jit(_grouped), "symbolic": ms.jit(_grouped)}
    x = Tensor(np.ones((6, 8), np.float32))
    for n in range(2, 7):
        functions["symbolic"](Tensor(np.ones((n, 8), np.float32)))
    for function in functions.values():
        for _ in range(50):
            function(x)
    return compared("sizes", {**functions, "eager": _grouped}, x)


def fused_row() -> Row:
    """One fused op, jitted and eager."""
    functions = {"eager": lambda x: x + 1, "jit": ms.jit(lambda x: x + 1)}
    x = Tensor(np.ones((2, 3), np.float32))
    microseconds(functions["jit"], x)
    return compared("one fused op", functions, x)


def attributes_row() -> Row:
    """Guards of ten attributes of an object."""
    holder = Holder(1.0)
    for i in range(10):
        setattr(holder, f"k{i}", float(i))
    expression = " + ".join(f"holder.k{i}" for i in range(10))
    functions = {"nothing": ms.jit(reader("1.0", {})), "read": ms.jit(reader(expression, {"holder": holder}))}
    tensors = [Tensor(np.ones(2, np.float32)) for _ in range(16)]
    for function in functions.values():
        microseconds(function, *tensors)
    return compared("ten attributes", functions, *tensors)


def captures_row() -> Row:
    """Milliseconds of capturing four transformer blocks, with constants, and anew for another length, with symbols."""
    times: dict[str, list[float]] = {"constants": [], "symbols": []}
    for _ in range(15):
        blocks = nn.SequentialCell([Block(16, 2) for _ in range(4)])
        jitted = ms.jit(blocks.construct)
        for kind, length in (("constants", 8), ("symbols", 9)):
            x = Tensor(np.ones((2, length, 16), np.float32))
            start = time.perf_counter()
            jitted.prepare((x,), {})
            times[kind].append((time.perf_counter() - start) * 1e3)
    best = {kind: min(durations) for kind, durations in times.items()}
    rounded = {f"{kind}_ms": round(ms_, 3) for kind, ms_ in best.items()}
    return {"kind": "calls", "name": "a capture", **rounded, "ratio": round(best["symbols"] / best["constants"], 3)}


def shape_row() -> Row:
    """Microseconds that the first call of a new length takes beyond the second, of a graph of some hundred nodes."""
    blocks = nn.SequentialCell([Block(16, 2) for _ in range(4)])
    jitted, extra = ms.jit(blocks.construct), []
    for length in range(2, 120):
        x = Tensor(np.ones((2, length, 16), np.float32))
        times = []
        for _ in range(2):
            start = time.perf_counter()
            jitted(x)
            times.append(time.perf_counter() - start)
        extra.append((times[0] - times[1]) * 1e6)
    return {"kind": "calls", "name": "a new length", "over_us": round(statistics.median(extra[20:]), 2)}


def breaking(lines: int, variables: int, statement: str) -> Function:
    """A jitted function of so many lines of arithmetic, with a statement in the middle across which numbers live."""
    numbers = [f"v{i} = n + {i}" for i in range(variables)]
    arithmetic = ["x = x * x + x"] * (lines // 2)
    result = "x" + "".join(f" + v{i}" for i in range(variables))
    namespace: dict[str, Any] = {"getpid": os.getpid}
    body = [*numbers, *arithmetic, statement, *arithmetic, f"return {result}"]
    exec("def function(x, n):\n    " + "\n    ".join(body), namespace)
    return ms.jit(namespace["function"])


def break_rows() -> Iterator[Row]:
    """What a break costs beyond what Python does there, by the size of the function, where graphs are faster."""
    x = Tensor(np.ones((2, 3), np.float32))
    for lines, variables in ((60, 0), (200, 0), (60, 20)):
        functions = {
            "whole": breaking(lines, variables, "pass"),
            "broken": breaking(lines, variables, "getpid()"),
            "python": lambda x, n: os.getpid(),
        }
        for function in functions.values():
            for _ in range(50):
                function(x, 1)
        row = compared(f"a break: {lines} lines, {variables} variables", functions, x, 1)
        yield row | {"over_us": round(row["over_us"] - row["python"], 3)}


def call_rows(_: Emberjit) -> Iterator[Row]:
    """All of these."""
    yield sizes_row()
    yield fused_row()
    yield attributes_row()
    yield captures_row()
    yield shape_row()
    yield from break_rows()


KINDS = {"steps": step_rows, "calls": call_rows}
