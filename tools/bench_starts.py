"""Starts: what the first call of a jitted step takes beyond a warm one, in a new process, without a compile cache, with an
empty one, and with one that another process has filled; beside torch.compile, jax and MindSpore with their caches.

Each system, network and kind of start is a process of its own.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from bench_processes import Row, interpreters, last_line

OURS = "emberjit"
PACKAGES = {"torch": "numpy, torch", "jax": "numpy, jax", "mindspore": "numpy, mindspore"}
NETWORKS = ("mlp", "resnet50")
KINDS = ("no cache", "empty cache", "filled cache")
WARM = 15  # calls


def one(system: str, network: str, cache: str | None = None) -> Row:
    """The line of one start: seconds of the import, of building the network, and of the first call beyond a warm one."""
    started = time.perf_counter()
    programs = import_module(f"bench_starts_{system}")
    imported = time.perf_counter()
    step: Callable[[], Any] = programs.step(network, cache)
    built = time.perf_counter()
    result = step()
    first = time.perf_counter() - built
    warm = []
    for _ in range(WARM):
        begun = time.perf_counter()
        step()
        warm.append(time.perf_counter() - begun)
    median = statistics.median(warm)
    return {"import": imported - started, "build": built - imported, "start": first - median, "warm": median, "loss": result}


def measured(pythons: list[str], only: list[str]) -> Iterator[Row]:
    """The lines of all networks and systems that one of the interpreters can import."""
    for network in only or NETWORKS:
        for system, python in {OURS: sys.executable, **interpreters(pythons, PACKAGES)}.items():
            with tempfile.TemporaryDirectory() as folder:
                for kind in KINDS:
                    cache = [] if kind == KINDS[0] else [folder]
                    about = {"system": system, "network": network, "kind": kind}
                    yield {**about, **last_line([python, __file__, system, network, *cache], about)}


def table(rows: list[Row]) -> str:
    """Markdown, in milliseconds."""
    lines = ["| training step | system | start | import | first call beyond a warm one | a warm call |", "|---" * 6 + "|"]
    for row in rows:
        times = [f"{row[key] * 1e3:.1f}" if key in row else "fails" for key in ("import", "start", "warm")]
        lines.append(f"| {row['network']} | {row['system']} | {row['kind']} | {' | '.join(times)} |")
    return "\n".join(lines)


def run(pythons: list[str], only: list[str]) -> None:
    """Prints the lines, then the table."""
    rows = []
    for row in measured(pythons, only):
        rows.append(row)
        print(json.dumps(row), flush=True)
    print(f"\n{table(rows)}")


if __name__ == "__main__":
    print(json.dumps(one(*sys.argv[1:])))
