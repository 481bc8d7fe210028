"""Workloads side by side: eager and jitted, steady state and first call.

A line of JSON per workload and system: name, first_ms (the first call, in a process of its own), steady_us (median of
seven batches). Every timed call's result is forced by touching an element of the last result of each batch; nothing is
deferred, so every call is computed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

RNG = np.random.default_rng(0)


def random(*shape: int, scale: float = 1.0) -> np.ndarray:
    """Normal float32 numbers."""
    return (RNG.standard_normal(shape) * scale).astype(np.float32)


def workloads() -> dict[str, tuple[Callable[..., Any], list[Any]]]:
    """Name to (function, arguments)."""
    from emberjit import Tensor, ops

    def t(*shape: int, scale: float = 1.0) -> Any:
        return Tensor(random(*shape, scale=scale))

    def mlp(x: Any, *w: Any) -> Any:
        h = ops.relu(x @ w[0] + w[1])
        return ops.relu(h @ w[2] + w[3]) @ w[4] + w[5]

    def unroll(x: Any, y: Any) -> Any:
        o = x
        for _ in range(200):
            o = x + x * y + o
        return o

    def if_net(x: Any, y: Any) -> Any:
        out = 0
        for _ in range(100):
            if x < y:  # noqa: SIM108
                x = x - y
            else:
                x = x + y
            out = out + x
        return out

    def select_net(x: Any, y: Any) -> Any:
        out = x
        for _ in range(100):
            x = ops.select(x < y, x - y, x + y)
            out = out + x
        return out

    def chain(x: Any) -> Any:
        return ops.sigmoid(x * 2 + 1) * ops.tanh(x - 0.5) + ops.exp(-x * x) * 0.3

    weights = [t(784, 512, scale=0.04), t(512), t(512, 512, scale=0.04), t(512), t(512, 10, scale=0.04), t(10)]
    return {
        "abc_2x3": (lambda a, b, c: a * b + c, [t(2, 3), t(2, 3), t(2, 3)]),
        "add_2x3": (lambda a, b: a + b, [t(2, 3), t(2, 3)]),
        "elementwise_1M": (chain, [t(1 << 20)]),
        "gelu_1M": (lambda x: ops.gelu(x), [t(1 << 20)]),
        "softmax_4096x1024": (lambda x: ops.softmax(x, -1), [t(4096, 1024)]),
        "sum_4096x1024": (lambda x: x.sum(-1), [t(4096, 1024)]),
        "mlp_fwd": (mlp, [t(64, 784), *weights]),
        "gemm_1024": (lambda a, b: a @ b, [t(1024, 1024), t(1024, 1024)]),
        "gemm_2048": (lambda a, b: a @ b, [t(2048, 2048), t(2048, 2048)]),
        "unroll_200": (unroll, [Tensor([1.0]), Tensor([2.0])]),
        "if_net": (if_net, [Tensor([0]), Tensor([1])]),
        "select_net": (select_net, [Tensor([0]), Tensor([1])]),
    }


def force(result: Any) -> None:
    """Touches an element of the result."""
    np.asarray(result).flat[0]


def first_call(name: str, system: str) -> float:
    """Milliseconds of the first call, measured in a process of its own."""
    command = [sys.executable, __file__, "--first", name, "--system", system]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def prepare(name: str, system: str) -> Callable[[], Any]:
    """The call to time."""
    import emberjit as ms

    function, arguments = workloads()[name]
    call = ms.jit(function) if system == "emberjit-jit" else function
    return lambda: call(*arguments)


def steady(call: Callable[[], Any], seconds: float = 0.4, batches: int = 7) -> float:
    """Median microseconds of a call over several batches, after a warm-up of half a second."""
    start, n = time.perf_counter(), 0
    while n < 3 or (time.perf_counter() - start < 0.5 and n < 3000):
        force(call())
        n += 1
    each = (time.perf_counter() - start) / n
    count = max(1, int(seconds / batches / max(each, 1e-9)))
    times = []
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(count):
            result = call()
        force(result)
        times.append((time.perf_counter() - start) / count)
    return statistics.median(times) * 1e6


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--first")
    parser.add_argument("--system", default="emberjit-jit")
    args = parser.parse_args()
    if args.first:
        call = prepare(args.first, args.system)
        start = time.perf_counter()
        force(call())
        print((time.perf_counter() - start) * 1e3)
        return
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import emberjit"], check=True)
    bare = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    imported = (bare - start) - (time.perf_counter() - bare)
    print(json.dumps({"system": "emberjit", "name": "import", "first_ms": round(imported * 1e3, 3), "steady_us": 0}))
    names = [name for name in args.only.split(",") if name] or list(workloads())
    for name in names:
        for system in ("emberjit-eager", "emberjit-jit"):
            first = first_call(name, system)
            row = {"system": system, "name": name, "first_ms": round(first, 3)}
            print(json.dumps({**row, "steady_us": round(steady(prepare(name, system)), 3)}), flush=True)


if __name__ == "__main__":
    main()
