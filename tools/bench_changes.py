"""Functions of which something changes between calls: a length, a position, a number, state outside.

lengths: milliseconds of a hundred calls, each of another length, the first included, and of those from the tenth on.
cache: microseconds of a step that writes at a position and attends to what was written: the median and the worst of 2,000.
Of emberjit alone:
steps: a training step beside which something is done in Python, by the same step without it (over), in turn.
calls: what symbolic sizes, guards of attributes, captures with symbols and breaks cost.

The networks are one text for every system. Each system runs in a process of its own, its ways (eager, jitted, ...) in turn.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from bench_processes import Row, interpreters, lines_of

Function = Callable[..., Any]
Ways = dict[str, Function]

MODULES = {"emberjit": "bench_changes_emberjit", "torch": "bench_changes_torch"}
WORDS, HEADS, CACHE, CALLS = 1000, 4, 256, 2000


class System(Protocol):
    """What a library provides; `ways` are its decorators, by name."""

    ways: dict[str, Callable[[Function], Function]]

    def tensor(self, array: np.ndarray) -> Any: ...
    def state(self, array: np.ndarray) -> Any: ...
    def relu(self, x: Any) -> Any: ...
    def softmax(self, x: Any) -> Any: ...
    def layer_norm(self, x: Any) -> Any: ...
    def swapped(self, x: Any, first: int, second: int) -> Any: ...
    def cross_entropy(self, logits: Any, labels: Any) -> Any: ...
    def trainer(self, weights: list[Any], loss: Function, wrap: Callable[[Function], Function]) -> Function: ...
    def cast(self, x: Any, dtype: Any) -> Any: ...
    def force(self, result: Any) -> float: ...


def transformer(f: System, weights: list[Any], layers: int, words: Any) -> Any:
    """Logits (N, T, WORDS) of words (N, T)."""
    parameters = iter(weights)
    x = next(parameters)[words]
    batch, length, width = x.shape

    def heads(x: Any) -> Any:
        return f.swapped(x.reshape(batch, length, HEADS, width // HEADS), 1, 2)

    for _ in range(layers):
        h = f.layer_norm(x)
        q, k, v = heads(h @ next(parameters)), heads(h @ next(parameters)), heads(h @ next(parameters))
        scores = f.softmax(q @ f.swapped(k, -1, -2) / (width // HEADS) ** 0.5)
        x = x + f.swapped(scores @ v, 1, 2).reshape(batch, length, width) @ next(parameters)
        x = x + f.relu(f.layer_norm(x) @ next(parameters)) @ next(parameters)
    return x @ next(parameters)


def transformer_weights(layers: int, width: int) -> list[np.ndarray]:
    generator = np.random.default_rng(0)
    of_a_layer = [(width, width)] * 4 + [(width, 4 * width), (4 * width, width)]
    shapes = [(WORDS, width), *of_a_layer * layers, (width, WORDS)]
    return [generator.standard_normal(shape, np.float32) * np.float32(0.02) for shape in shapes]


def batches(f: System, wrap: Callable[[Function], Function]) -> Function:
    """Rows (n, 256), n from 17 on, in groups of four."""
    weight = f.tensor(np.random.default_rng(0).standard_normal((64, 64), np.float32))

    @wrap
    def grouped(x: Any) -> Any:
        y = f.relu(x.reshape(x.shape[0], 4, 64) @ weight + 1)
        return (y * 2 - y.mean(-1, keepdims=True)).sum(1)

    return lambda n: grouped(f.tensor(np.ones((n + 17, 256), np.float32)))


def encoder(f: System, wrap: Callable[[Function], Function]) -> Function:
    """Inference: 4 layers of 256, a text of 10 to 405 words."""
    weights = [f.tensor(a) for a in transformer_weights(4, 256)]
    call = wrap(lambda words: transformer(f, weights, 4, words))
    return lambda n: call(f.tensor(np.arange(n * 4 + 10, dtype=np.int32)[None] % WORDS))


def training(f: System, wrap: Callable[[Function], Function]) -> Function:
    """Training: 2 layers of 128, four texts of 16 to 115 words."""
    weights = [f.state(a) for a in transformer_weights(2, 128)]

    def loss(words: Any, after: Any) -> Any:
        return f.cross_entropy(transformer(f, weights, 2, words).reshape(-1, WORDS), after.reshape(-1))

    step = f.trainer(weights, loss, wrap)

    def call(n: int) -> Any:
        words = np.arange(4 * (n + 16), dtype=np.int32).reshape(4, -1) % WORDS
        return step(f.tensor(words), f.tensor(words[:, ::-1].copy()))

    return call


LENGTHS = {function.__name__: function for function in (batches, encoder, training)}


def length_rows(f: System) -> Iterator[Row]:
    """A row for each way of each of LENGTHS."""
    order = np.random.default_rng(1).permutation(100).tolist()
    for name, make in LENGTHS.items():
        calls = {way: make(f, wrap) for way, wrap in f.ways.items()}
        times: dict[str, list[float]] = {way: [] for way in calls}
        for n in order:
            for way, call in calls.items():
                start = time.perf_counter()
                f.force(call(n))
                times[way].append((time.perf_counter() - start) * 1e3)
        for way, durations in times.items():
            sums = {"all_ms": round(sum(durations), 2), "later_ms": round(sum(durations[9:]), 2)}
            yield {"kind": "lengths", "name": name, "way": way, **sums}


def decoder(f: System, wrap: Callable[[Function], Function]) -> Function:
    """A step of attention over a cache (1, HEADS, CACHE, 16); its position is an int or a Tensor."""
    keys, values = (f.state(np.zeros((1, HEADS, CACHE, 16), np.float32)) for _ in range(2))
    places = f.tensor(np.arange(CACHE, dtype=np.int32))
    query = f.tensor(np.ones((1, HEADS, 1, 16), np.float32))

    @wrap
    def step(q: Any, position: Any) -> Any:
        keys[:, :, position] = q[:, :, 0]
        values[:, :, position] = q[:, :, 0] * 2
        hidden = f.cast(places > position, q.dtype)
        return f.softmax(q @ f.swapped(keys, -1, -2) / 4 - hidden * 1e9) @ values

    return lambda position: step(query, position)


def cache_rows(f: System) -> Iterator[Row]:
    """A row for each way and kind of position."""
    tensors = [f.tensor(np.array(i, np.int32)) for i in range(CACHE)]
    kinds: dict[str, list[Any]] = {"an int": list(range(CACHE)), "a Tensor": tensors}
    calls = {(way, kind): decoder(f, wrap) for way, wrap in f.ways.items() for kind in kinds}
    times: dict[tuple[str, str], list[float]] = {key: [] for key in calls}
    for i in range(CALLS):
        for (way, kind), call in calls.items():
            start = time.perf_counter()
            f.force(call(kinds[kind][i % CACHE]))
            times[way, kind].append((time.perf_counter() - start) * 1e6)
    for (way, kind), durations in times.items():
        middle, worst = statistics.median(durations), max(durations[100:])
        row = {"median_us": round(middle, 2), "worst_after_100_us": round(worst, 2)}
        yield {"kind": "cache", "name": kind, "way": way, **row, "over_3_medians": sum(us > 3 * middle for us in durations)}


def run(pythons: list[str]) -> None:
    """Prints the lines of every library that one of the interpreters can import, each in a process of its own."""
    systems = {"emberjit": sys.executable} | interpreters(pythons, {"torch": "torch, numpy"})
    for system, python in systems.items():
        for row in lines_of([python, str(Path(__file__)), system]):
            print(json.dumps(row), flush=True)


def main() -> None:
    """Prints the lines of the system that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=MODULES)
    parser.add_argument("--kind", choices=("lengths", "cache", "steps", "calls"))
    args = parser.parse_args()
    module = import_module(MODULES[args.system])
    for kind, of_kind in {"lengths": length_rows, "cache": cache_rows, **getattr(module, "KINDS", {})}.items():
        if args.kind in (None, kind):
            for row in of_kind(module.SYSTEM):
                print(json.dumps({"system": args.system, **row}), flush=True)


if __name__ == "__main__":
    main()
