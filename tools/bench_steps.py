"""Whole networks beside other libraries, from the first call on: for each of bench_networks.py inference and training, what
so many calls take together, compilation and all, and what a call takes once warm.

Every network of every system runs in a process of its own. Results, and losses after some steps, are compared with ours.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from bench_networks import NETWORKS
from bench_processes import Row, interpreters, last_line

OURS = ("emberjit-jit", "emberjit-eager")
MODULES = {
    **dict.fromkeys(OURS, ("bench_workloads", "emberjit")),
    **dict.fromkeys(("torch-eager", "torch-channels-last", "torch-compile"), ("bench_torch", "torch")),
    "onnxruntime": ("bench_onnx_networks", "onnx, onnxruntime"),
    "openvino": ("bench_onnx_networks", "onnx, onnxruntime, openvino"),
}
INFERENCE_ONLY = ("onnxruntime", "openvino")
CALLS, MARKS = 12, (1, 2, 5, 10)


def one(system: str, name: str, training: bool) -> Row:
    """The line of one network: the seconds of each call, and its results."""
    row: Row = {"system": system, "network": name, "training": training}
    module = import_module(MODULES[system][0])
    start = time.perf_counter()
    call = module.network(system, name, training)
    times, results = [time.perf_counter() - start if system in INFERENCE_ONLY else 0.0], []
    for _ in range(CALLS):
        start = time.perf_counter()
        results.append(module.force(call()))
        times.append(time.perf_counter() - start)
    return {**row, "spent": [times[0] + times[1], *times[2:]], "results": results}


def measured(pythons: list[str], only: list[str]) -> Iterator[Row]:
    """The lines of all networks and systems that one of the interpreters can import."""
    others = {system: f"numpy, {packages}" for system, (_, packages) in MODULES.items() if system not in OURS}
    systems = dict.fromkeys(OURS, sys.executable) | interpreters(pythons, others)
    for name in only or NETWORKS:
        for training in (False, True):
            for system, python in systems.items():
                if training and system in INFERENCE_ONLY:
                    continue
                code = f"import bench_steps, json; print(json.dumps(bench_steps.one({system!r}, {name!r}, {training})))"
                about = {"system": system, "network": name, "training": training}
                yield last_line([python, "-c", code], about, str(Path(__file__).parent))


def warm(row: Row) -> float:
    """Seconds of a call once warm: the best of the second half."""
    return float(min(row["spent"][CALLS // 2 :]))


def table(rows: list[Row]) -> str:
    """Markdown: a line for each network and system; by the best other one, of the warm call and of all calls up to any."""
    marks = " | ".join(f"{n} calls" for n in MARKS)
    lines = [f"| network | system | {marks} | a warm call | ours / it, warm | ours / it, from the first call on, at most |"]
    lines.append("|---" * (len(MARKS) + 5) + "|")
    for row in rows:
        kind = f"{row['network']}, {'training' if row['training'] else 'inference'}"
        if "error" in row:
            lines.append(f"| {kind} | {row['system']} | fails |" + " |" * (len(MARKS) + 2))
            continue
        ours = next(r for r in rows if r["system"] == OURS[0] and all(r[key] == row[key] for key in ("network", "training")))
        totals = [[sum(r["spent"][:n]) for n in range(1, CALLS + 1)] for r in (ours, row)]
        shown = " | ".join(f"{totals[1][n - 1] * 1e3:.0f}" for n in MARKS)
        ratio = " | "
        if row["system"] not in OURS:
            ratio = f"{warm(ours) / warm(row):.2f} | {max(a / b for a, b in zip(*totals)):.2f}"
        lines.append(f"| {kind} | {row['system']} | {shown} | {warm(row) * 1e3:.0f} | {ratio} |")
    return "\n".join(lines)


def apart(rows: list[Row]) -> str:
    """How far the last results are from ours, at most."""
    ours = {(r["network"], r["training"]): r["results"][-1] for r in rows if r["system"] == OURS[0] and "error" not in r}
    differences = [(abs(r["results"][-1] - ours[r["network"], r["training"]]), r) for r in rows if "error" not in r]
    most, row = max(differences, key=lambda pair: pair[0])
    return f"Greatest difference of a last result from ours: {most:.1e} ({row['network']}, {row['system']})."


def run(pythons: list[str], only: list[str]) -> None:
    """Prints the lines, then the table, in milliseconds."""
    rows = []
    for row in measured(pythons, only):
        rows.append(row)
        print(json.dumps(row), flush=True)
    print(f"\n{table(rows)}\n\n{apart(rows)}")
