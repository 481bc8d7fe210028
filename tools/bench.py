"""Workloads side by side: eager and jitted, first call and steady state; with --peers other libraries too.

Every workload of every system runs in a process of its own and gives one line of JSON: first_ms (the first call),
steady_us and best_us (median and best of seven batches). The last result of each batch is forced by touching an element
of it; emberjit defers nothing, so every call is computed. shape_churn_30 is one figure: all its 600 calls, in first_ms.

--peers: measures torch and jax too, as far as the interpreters named by --peer-python (default: this one) can import
them, and ends with a table in Markdown. --table FILE [FILE ...] prints that table of lines measured before.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench_inputs import NAMES, inputs

OURS = ("emberjit-eager", "emberjit-jit")
PEERS = {"torch": "torch-eager", "jax": "jax-jit"}
ONCE = ("shape_churn_30",)

Row = dict[str, Any]


def timed(call: Callable[[], Any], times: int, force: Callable[[Any], None]) -> float:
    """Seconds of each of several calls, of which the last result is forced."""
    start = time.perf_counter()
    for _ in range(times):
        result = call()
    force(result)
    return (time.perf_counter() - start) / times


def measure(
    call: Callable[[], Any], force: Callable[[Any], None], once: bool, seconds: float = 0.4, batches: int = 7
) -> Row:
    """The first call's time, then batches of calls after half a second of warm-up."""
    first = timed(call, 1, force) * 1e3
    if once:
        return {"first_ms": round(first, 3), "steady_us": 0}
    start, n = time.perf_counter(), 0
    while n < 3 or (time.perf_counter() - start < 0.5 and n < 3000):
        timed(call, 1, force)
        n += 1
    each = (time.perf_counter() - start) / n
    count = max(1, int(seconds / batches / max(each, 1e-9)))
    times = [timed(call, count, force) * 1e6 for _ in range(batches)]
    steady = round(statistics.median(times), 3)
    return {"first_ms": round(first, 3), "steady_us": steady, "best_us": round(min(times), 3)}


def one(system: str, name: str) -> None:
    """Prints the line of one workload; runs in a process of its own."""
    row: Row = {"system": system, "name": name}
    try:
        start = time.perf_counter()
        module = import_module("bench_workloads" if system in OURS else "bench_peers")
        arrays = [] if name == "import" else inputs(name)
        if name == "import":
            row.update(first_ms=round((time.perf_counter() - start) * 1e3, 3), steady_us=0)
        else:
            row.update(measure(module.prepare(system, name, arrays), module.force, name in ONCE))
    except (Exception, KeyboardInterrupt) as error:
        row["error"] = f"{type(error).__name__}: {error}"[:300]
    print(json.dumps(row), flush=True)


def in_process(python: str, system: str, name: str) -> Row:
    """The line of one workload, measured in a fresh process."""
    command = [python, __file__, "--system", system, "--only", name, "--here"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    row: Row = json.loads(lines[-1]) if lines else {"system": system, "name": name, "error": done.stderr[-300:]}
    return row


def imported(python: str, system: str, module: str) -> Row:
    """The line for importing a package: what it adds to a start of the interpreter; the best of five."""

    def run(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([python, "-c", code], check=True)
        return time.perf_counter() - start

    spent = min(run(f"import {module}") for _ in range(5)) - min(run("pass") for _ in range(5))
    return {"system": system, "name": "import", "first_ms": round(spent * 1e3, 3), "steady_us": 0}


def peers(pythons: list[str]) -> dict[str, tuple[str, str]]:
    """System to (interpreter, package), of the first interpreter that can import it."""
    found: dict[str, tuple[str, str]] = {}
    for python in pythons:
        for package, system in PEERS.items():
            probe = subprocess.run([python, "-c", f"import numpy, {package}"], capture_output=True, check=False)
            if probe.returncode == 0:
                found.setdefault(system, (python, package))
    return found


def cell(row: Row | None) -> str:
    """A figure of the table: steady microseconds, first call's milliseconds in brackets."""
    if row is None:
        return "-"
    if "error" in row:
        return "fails"
    if not row["steady_us"]:
        return f"[{row['first_ms']:.1f}]"
    return f"{row['steady_us']:.{2 if row['steady_us'] < 100 else 0}f} [{row['first_ms']:.1f}]"


def spent(row: Row | None) -> float | None:
    return None if row is None or "error" in row else row["steady_us"] or row["first_ms"] * 1e3


def table(rows: list[Row]) -> str:
    """Markdown: a line per workload, a column per system, and the jitted time by the best peer's."""
    systems = list(dict.fromkeys(row["system"] for row in rows if row["name"] != "import"))
    by_key = {(row["name"], row["system"]): row for row in rows}
    ours, others = OURS[-1], [system for system in systems if system not in OURS]
    lines = [f"| workload | {' | '.join(systems)} | jit / best peer |", "|---" * (len(systems) + 2) + "|"]
    for name in dict.fromkeys(row["name"] for row in rows):
        cells = [cell(by_key.get((name, system))) for system in systems]
        mine = spent(by_key.get((name, ours)))
        best = [t for t in (spent(by_key.get((name, system))) for system in others) if t]
        ratio = f"{mine / min(best):.2f}" if mine and best else "-"
        lines.append(f"| {name} | {' | '.join(cells)} | {ratio} |")
    return "\n".join(lines)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of workloads, separated by commas")
    parser.add_argument("--system", default="", help="one system instead of all")
    parser.add_argument("--here", action="store_true", help="run in this process")
    parser.add_argument("--peers", action="store_true", help="measure other libraries too, and print a table")
    parser.add_argument("--peer-python", action="append", help="an interpreter that has torch or jax; may be repeated")
    parser.add_argument("--table", nargs="+", help="print the table of these files of lines")
    args = parser.parse_args()
    names = [name for name in args.only.split(",") if name] or ["import", *NAMES]
    unknown = sorted(set(names) - {"import", *NAMES})
    if unknown:
        parser.error(f"no such workload: {', '.join(unknown)}; there are import, {', '.join(NAMES)}")
    if args.table:
        lines = [line for path in args.table for line in Path(path).read_text().splitlines()]
        print(table([json.loads(line) for line in lines if line.startswith("{")]))
        return
    if args.here:
        for name in names:
            one(args.system or OURS[-1], name)
        return
    systems = {system: (sys.executable, "emberjit") for system in OURS}
    if args.peers:
        systems.update(peers(args.peer_python or [sys.executable]))
    rows: list[Row] = []
    for name in names:
        for system, (python, package) in systems.items():
            if args.system and system != args.system:
                continue
            rows.append(imported(python, system, package) if name == "import" else in_process(python, system, name))
            print(json.dumps(rows[-1]), flush=True)
    if args.peers:
        print("\n" + table(rows))


if __name__ == "__main__":
    main()
