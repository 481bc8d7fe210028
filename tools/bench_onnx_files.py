"""Networks as files of ONNX, which emberjit.onnx.export writes, run by emberjit.onnx.load and by ONNX Runtime: reading the
file and the first call, and a warm one. Each in a process of its own; results are compared."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from bench_networks import NETWORKS, batch
from bench_processes import Row, interpreters, last_line

SYSTEMS = {"emberjit": "emberjit", "onnxruntime": "onnxruntime"}
LEAST_CALLS, SECONDS = 9, 4.0


def _emberjit(path: str, x: np.ndarray) -> Callable[[], np.ndarray]:
    import emberjit as ms

    model, tensor = ms.onnx.load(path), ms.Tensor(x)

    def call() -> np.ndarray:
        result = model(tensor)
        first, *_ = [x.asnumpy() for x in (result if isinstance(result, tuple) else (result,))]
        return np.asarray(first)

    return call


def _onnxruntime(path: str, x: np.ndarray) -> Callable[[], np.ndarray]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = len(os.sched_getaffinity(0))
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feed = {session.get_inputs()[0].name: x}
    return lambda: session.run(None, feed)[0]


def one(system: str, name: str, path: str) -> Row:
    """The line of one network: seconds until the first results, and of warm calls; where the first ten results are."""
    x = batch(name)[0]
    start = time.perf_counter()
    call = {"emberjit": _emberjit, "onnxruntime": _onnxruntime}[system](path, x)
    result = call()
    first, times = time.perf_counter() - start, list[float]()
    while len(times) < LEAST_CALLS or sum(times) < SECONDS:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    about: Row = {"system": system, "network": name, "first": first, "least": min(times), "warm": float(np.median(times))}
    return {**about, "results": result.reshape(-1)[:10].tolist()}


def measured(pythons: list[str], only: list[str]) -> Iterator[Row]:
    """The lines of all networks and systems that one of the interpreters can import."""
    systems = {"emberjit": sys.executable} | interpreters(pythons, {"onnxruntime": "numpy, onnxruntime"})
    here = str(Path(__file__).parent)
    for name in only or NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/{name}.onnx"
            about = {"system": "export", "network": name}
            code = f"import bench_workloads, json; bench_workloads.export({name!r}, {path!r}); print(json.dumps({about!r}))"
            row = last_line([sys.executable, "-c", code], about, here)
            if "error" in row:
                yield row
                continue
            for system, python in systems.items():
                code = (
                    f"import bench_onnx_files, json; print(json.dumps(bench_onnx_files.one({system!r}, {name!r}, {path!r})))"
                )
                yield last_line([python, "-c", code], {"system": system, "network": name}, here)


def table(rows: list[Row]) -> str:
    """Markdown: by networks, milliseconds until the first results and of a warm call, the least and the median."""
    lines = ["| network | system | first results | warm, least | warm, median |", "|---" * 5 + "|"]
    for row in rows:
        times = [f"{row[key] * 1e3:.1f}" for key in ("first", "least", "warm")] if "warm" in row else ["fails"] * 3
        lines.append(f"| {row['network']} | {row['system']} | {' | '.join(times)} |")
    return "\n".join(lines)


def _check_same(rows: list[Row]) -> None:
    """Says of which networks the systems' results differ."""
    by_network: dict[str, Any] = {}
    for row in (row for row in rows if "results" in row):
        known = by_network.setdefault(row["network"], row["results"])
        if not np.allclose(known, row["results"], rtol=1e-3, atol=1e-4):
            print(f"{row['network']}: results differ: {known[:3]} and {row['results'][:3]}")


def run(pythons: list[str], only: list[str]) -> None:
    """Prints the lines, then the table."""
    rows = []
    for row in measured(pythons, only):
        rows.append(row)
        print(json.dumps(row), flush=True)
    _check_same(rows)
    print(f"\n{table(rows)}")
