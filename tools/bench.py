"""Workloads side by side: eager and jitted, first call and steady state; with --peers other libraries too.

Every workload of every system runs in a process of its own and gives one line of JSON: first_ms (the first call),
steady_us and best_us (median and best of seven batches). The last result of each batch is forced by touching an element
of it; emberjit defers nothing, so every call is computed. shape_churn_30 is one figure: all its 600 calls, in first_ms.

--peers: measures torch, jax, ONNX Runtime (with onnx) where there are no gradients, and SciPy where there are Fourier
transforms too, as far as the interpreters named by --peer-python (default: this one) can import them, and what the machine
can do at best, and ends with a table in Markdown. --table FILE [FILE ...] prints that table of lines measured before, the
latest of each workload and system.
--ops: single functions instead, small and large, beside torch, NumPy and SciPy, by what emberjit takes of the best one's
time; with --only rows of bench_ops_rows.py, separated by semicolons.
--data: pipelines of data instead, in rows a second, beside MindSpore and torchvision (bench_data.py).
--sweep: odd and small shapes instead, and the worst ratio of each kind. --calls: what jitted calls cost beside kernels.
--changes: functions of which lengths, positions, numbers or state outside change between calls, beside torch
(bench_changes.py).
--networks: whole networks instead, inference and training, from the first call on; with --only some of
bench_networks.py. --losses STEPS: trains the networks for so many steps instead, and compares the losses.

Where the CPU has AMX, rows of what has products have ieee_us too: the steady time where these are chains of fused
multiply-adds. They make the table's second part.

grown_mib is what a workload's process grew by at most once the library was imported and the inputs made.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import bench_page
from bench_inputs import INFERENCE, NAMES, STEPS, SWEEP, TRANSFORMS, inputs, program, work
from bench_processes import Row, interpreters

# Options that measure models instead, and the modules that do.
OF_MODELS = {
    **{
        "networks": "bench_steps",
        "starts": "bench_starts",
        "torch_backend": "bench_torch_backend",
        "onnx": "bench_onnx_files",
    }
}
OURS = ("emberjit-eager", "emberjit-jit")
PEERS = {"torch": "torch-eager", "jax": "jax-jit", "onnxruntime": "onnxruntime", "scipy": "scipy"}
PARTIAL = {"onnxruntime": INFERENCE, "scipy": TRANSFORMS}  # systems that run some programs only
MODULES = {
    **dict.fromkeys(OURS, "bench_workloads"),
    "torch-eager": "bench_torch",
    "jax-jit": "bench_jax",
    "onnxruntime": "bench_onnx",
    "scipy": "bench_scipy",
}
ONCE = ("shape_churn_30",)


def timed(call: Callable[[], Any], times: int, force: Callable[[Any], float]) -> float:
    """Seconds of each of several calls, of which the last result is forced."""
    start = time.perf_counter()
    for _ in range(times):
        result = call()
    force(result)
    return (time.perf_counter() - start) / times


def measure(
    call: Callable[[], Any], force: Callable[[Any], float], once: bool, seconds: float = 0.4, batches: int = 7
) -> Row:
    """The first call's time, then batches of calls after half a second of warm-up."""
    first = timed(call, 1, force) * 1e3
    if once:
        return {"first_ms": round(first, 3), "steady_us": 0}
    start, n = time.perf_counter(), 0
    while n < 3 or (time.perf_counter() - start < 0.5 and n < 3000):
        timed(call, 1, force)
        n += 1
    per_call = (time.perf_counter() - start) / n
    count = max(1, int(seconds / batches / max(per_call, 1e-9)))
    times = [timed(call, count, force) * 1e6 for _ in range(batches)]
    steady = round(statistics.median(times), 3)
    return {"first_ms": round(first, 3), "steady_us": steady, "best_us": round(min(times), 3)}


def resident() -> float:
    """MiB of memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def one(system: str, name: str, losses: int) -> None:
    """Prints the line of one workload; runs in a process of its own. With losses, of so many calls their results."""
    row: Row = {"system": system, "name": name}
    try:
        start = time.perf_counter()
        module = import_module(MODULES[system])
        if name == "import":
            row.update(first_ms=round((time.perf_counter() - start) * 1e3, 3), steady_us=0)
        else:
            arrays, before = inputs(name), resident()
            call = module.prepare(system, name, arrays)
            if losses:
                row["losses"] = [module.force(call()) for _ in range(losses)]
            else:
                row.update(measure(call, module.force, name in ONCE))
                if system in OURS and module.turn_to_ieee(name):
                    row["ieee_us"] = measure(call, module.force, once=False)["steady_us"]
                row["grown_mib"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before, 1)
    except (Exception, KeyboardInterrupt) as error:
        row["error"] = f"{type(error).__name__}: {error}"[:300]
    print(json.dumps(row), flush=True)


def in_process(python: str, system: str, names: list[str], losses: int) -> Iterator[Row]:
    """The lines of workloads, measured in one fresh process."""
    command = [python, __file__, "--system", system, "--only", ",".join(names), "--here", "--losses", str(losses)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = {row["name"]: row for row in map(json.loads, filter(lambda s: s.startswith("{"), process.stdout.splitlines()))}
    for name in names:
        yield rows.get(name) or {"system": system, "name": name, "error": process.stderr[-300:]}


def imported(python: str, system: str, module: str) -> Row:
    """The line for importing a package: what it adds to a start of the interpreter; the best of five."""

    def run(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([python, "-c", code], check=True)
        return time.perf_counter() - start

    seconds = min(run(f"import {module}") for _ in range(5)) - min(run("pass") for _ in range(5))
    return {"system": system, "name": "import", "first_ms": round(seconds * 1e3, 3), "steady_us": 0}


def peers(pythons: list[str]) -> dict[str, tuple[str, str]]:
    """System to (interpreter, package), of the first interpreter that can import it."""
    systems = {system: package for package, system in PEERS.items()}
    packages = {s: f"numpy, {'onnx, onnxruntime' if p == 'onnxruntime' else p}" for s, p in systems.items()}
    return {system: (python, systems[system]) for system, python in interpreters(pythons, packages).items()}


def cell(row: Row | None) -> str:
    """A figure of the table: steady microseconds, first call's milliseconds in brackets, ieee's microseconds if apart."""
    if row is None:
        return "-"
    if "error" in row:
        return "fails"
    if not row["steady_us"]:
        return f"[{row['first_ms']:.1f}]"
    ieee = f" (ieee {row['ieee_us']:.0f})" if "ieee_us" in row else ""
    return f"{row['steady_us']:.{2 if row['steady_us'] < 100 else 0}f} [{row['first_ms']:.1f}]{ieee}"


def spent(row: Row | None) -> float | None:
    return None if row is None or "error" in row else row["steady_us"] or row["first_ms"] * 1e3


def share(name: str, row: Row | None, peak: dict[str, float]) -> str:
    """The part of the machine's peak that a call reaches. What is made on tiles, as a row with a time of its own for
    chains is, has theirs: of bfloat16 as it is, of float32 for six products each."""
    bound, time_spent = work(name), spent(row)
    if bound is None or time_spent is None or row is None or bound[0] not in peak:
        return "-"
    best = peak[bound[0]]
    if "ieee_us" in row and "tile_flops" in peak:
        best = peak["tile_flops"] / (1 if name.endswith("bf16") else 6)
    return f"{bound[1] / time_spent * 1e6 / best:.0%}"


def ratios(rows: list[Row], value: Callable[[Row | None], float | None]) -> dict[str, float]:
    """By workload: what the jitted program takes, by what the best peer takes."""
    by_key = {(row["name"], row["system"]): row for row in rows}
    others = [system for system in dict.fromkeys(row["system"] for row in rows) if system not in OURS]
    result = {}
    for name in dict.fromkeys(row["name"] for row in rows):
        mine = value(by_key.get((name, OURS[-1])))
        best = [t for t in (value(by_key.get((name, system))) for system in others) if t]
        if mine and best:
            result[name] = mine / min(best)
    return result


def ieee_table(rows: list[Row], peak: dict[str, float]) -> list[str]:
    """Markdown: the float32 rows that tiles make, were they made of chains of multiply-adds."""
    ours = [row for row in rows if row["system"] == OURS[-1] and not row["name"].endswith("bf16")]
    chains = [{**row, "steady_us": row["ieee_us"]} for row in ours if "ieee_us" in row]
    for row in chains:
        del row["ieee_us"]
    if not chains:
        return []
    names = {row["name"] for row in chains}
    others = [row for row in rows if row["name"] in names and row["system"] not in OURS]
    ratio = ratios(chains + others, spent)
    lines = ["", "With AMX masked:", "", "| workload | emberjit-jit | jit / best peer | of peak |", "|---" * 4 + "|"]
    for row in chains:
        name = row["name"]
        cell = f"{ratio[name]:.2f}" if name in ratio else "-"
        lines.append(f"| {name} | {row['steady_us']:.0f} | {cell} | {share(name, row, peak)} |")
    return lines


def table(rows: list[Row], peak: dict[str, float]) -> str:
    """Markdown: a line per workload, a column per system, then the jitted time by the best peer's and by the peak."""
    systems = list(dict.fromkeys(row["system"] for row in rows if row["name"] != "import"))
    by_key = {(row["name"], row["system"]): row for row in rows}
    ratio, memory = ratios(rows, spent), ratios(rows, lambda row: (row or {}).get("grown_mib"))
    lines = [f"| workload | {' | '.join(systems)} | jit / best peer | of peak | memory / best peer |"]
    lines.append("|---" * (len(systems) + 4) + "|")
    for name in dict.fromkeys(row["name"] for row in rows):
        cells = [cell(by_key.get((name, system))) for system in systems]
        cells += [f"{ratio[name]:.2f}" if name in ratio else "-", share(name, by_key.get((name, OURS[-1])), peak)]
        cells.append(f"{memory[name]:.2f}" if name in memory and name.endswith("_step") else "-")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ieee_table(rows, peak)
    ours = [row for row in rows if row["system"] == OURS[-1] and row.get("steady_us")]
    late = [row["name"] for row in ours if row["first_ms"] > 1.5e-3 * row["steady_us"] + 10]
    lines.append("\nFirst jitted calls later than 1.5 steady calls and 10 ms: " + (", ".join(late) or "none") + ".")
    swept = {name: r for name, r in ratio.items() if "@" in name}
    for family in dict.fromkeys(name.partition("@")[0] for name in swept):
        worst = max((name for name in swept if name.startswith(family)), key=swept.__getitem__)
        lines.append(f"Of the sweep over {family} the worst is {worst}: {swept[worst]:.2f} of the best peer.")
    return "\n".join(lines)


def losses_table(rows: list[Row]) -> str:
    """Markdown: the first, second, tenth and last loss of each system, and how far they are apart at most."""
    lines = [
        "| training | system | first | second | tenth | last | greatest relative difference from ours |",
        "|---" * 7 + "|",
    ]
    for row in rows:
        ours = next(r.get("losses") for r in rows if r["name"] == row["name"] and r["system"] == OURS[-1])
        losses = row.get("losses")
        if not losses or not ours:
            lines.append(f"| {row['name']} | {row['system']} | {row.get('error', '-')} | | | | |")
            continue
        apart = max(abs(a - b) / max(abs(a), abs(b)) for a, b in zip(losses, ours))
        shown = " | ".join(f"{losses[min(i, len(losses) - 1)]:.6g}" for i in (0, 1, 9, len(losses) - 1))
        lines.append(f"| {row['name']} | {row['system']} | {shown} | {apart:.1e} |")
    return "\n".join(lines)


def peaks() -> Iterator[Row]:
    """What build/cpp/peak measures: flops and bytes a second; nothing where it is not built."""
    program = Path(__file__).resolve().parent.parent / "build" / "cpp" / "peak"
    if program.exists():
        yield json.loads(subprocess.run([program], capture_output=True, text=True, check=True).stdout)


def highest(peaks: list[Row]) -> dict[str, float]:
    """The peak of several measurements: what else runs on the machine only lowers them."""
    names = dict.fromkeys(name for peak in peaks for name in peak)
    return {name: max(peak[name] for peak in peaks if name in peak) for name in names}


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of workloads, separated by commas")
    parser.add_argument("--system", default="", help="one system instead of all")
    parser.add_argument("--here", action="store_true", help="run in this process")
    parser.add_argument("--peers", action="store_true", help="measure other libraries too, and print a table")
    parser.add_argument("--sweep", action="store_true", help="odd and small shapes instead of the workloads")
    parser.add_argument("--calls", action="store_true", help="what guards, breaks and changing arguments cost, instead")
    parser.add_argument("--changes", action="store_true", help="what changes between calls beside torch, instead")
    parser.add_argument("--ops", action="store_true", help="single functions beside other libraries, instead")
    parser.add_argument("--data", action="store_true", help="pipelines of data beside other libraries, instead")
    parser.add_argument("--networks", action="store_true", help="whole networks beside other libraries, instead")
    parser.add_argument("--starts", action="store_true", help="first calls beside others' compile caches, instead")
    parser.add_argument("--torch-backend", action="store_true", help="PyTorch's models by torch.compile's backends, instead")
    parser.add_argument("--onnx", action="store_true", help="files of ONNX here and on ONNX Runtime, instead")
    parser.add_argument("--losses", type=int, default=0, metavar="STEPS", help="train networks instead, compare the losses")
    parser.add_argument("--peer-python", action="append", help="an interpreter that has peers; may be repeated")
    parser.add_argument("--table", nargs="+", help="print the table of these files of lines")
    parser.add_argument("--page", type=Path, help="a page of the documentation, whose section of this gets the table")
    args = parser.parse_args()
    if args.ops or args.data or args.changes or any(getattr(args, name) for name in OF_MODELS):
        return args
    usual = SWEEP if args.sweep else STEPS if args.losses else ["import", *NAMES]
    args.names = [name for name in args.only.split(",") if name] or usual
    swept = {name.partition("@")[0] for name in SWEEP}
    unknown = [n for n in args.names if n not in ("import", *NAMES) and not ("@" in n and n.partition("@")[0] in swept)]
    if unknown:
        parser.error(f"no such workload: {', '.join(unknown)}; there are import, {', '.join(NAMES)}, {SWEEP[0]}, ...")
    return args


def measured(args: argparse.Namespace) -> Iterator[Row]:
    """The lines of all systems: each workload in a process of its own, a sweep's all in one."""
    systems = {system: (sys.executable, "emberjit") for system in OURS}
    if args.peers:
        systems.update(peers(args.peer_python or [sys.executable]))
    if args.system:
        systems = {args.system: systems[args.system]}
    for names in [args.names] if args.sweep else [[name] for name in args.names]:
        for system, (python, package) in systems.items():
            known = [n for n in names if n == "import" or program(n) in PARTIAL.get(system, [program(n)])]
            if names == ["import"]:
                yield imported(python, system, package)
            elif known:
                yield from in_process(python, system, known, args.losses)


def main() -> None:
    """Runs what the command line asks for."""
    args = arguments()
    if args.page is None:
        run(args)
        return
    mode = next((name for name in bench_page.TITLES if getattr(args, name)), None)
    if mode is None:
        sys.exit(f"--page is for one of {', '.join(bench_page.TITLES)}")
    kept = bench_page.Kept(sys.stdout)
    with contextlib.redirect_stdout(kept):
        run(args)
    bench_page.save(args.page, mode, kept.text, args.peer_python or [])


def run(args: argparse.Namespace) -> None:
    """Measures and prints."""
    if args.table:
        lines = [json.loads(line) for path in args.table for line in Path(path).read_text().splitlines() if line[:1] == "{"]
        latest: dict[tuple[str, str], Row] = {}
        for row in (line for line in lines if "name" in line):
            key = row["name"], row["system"]
            latest[key] = latest.get(key, row) if "error" in row else row
        print(table(list(latest.values()), highest([line for line in lines if "flops" in line])))
        return
    if args.ops:
        import_module("bench_ops").run(args.peer_python or [sys.executable], args.only.split(";"))
        return
    if args.data:
        names = [name for name in args.only.split(",") if name]
        import_module("bench_data").run(args.peer_python or [sys.executable], names)
        return
    for name, module in OF_MODELS.items():
        if getattr(args, name):
            only = [word for word in args.only.split(",") if word]
            import_module(module).run(args.peer_python or [sys.executable], only)
            return
    if args.changes:
        import_module("bench_changes").run(args.peer_python or [sys.executable])
        return
    if args.calls:
        for row in import_module("bench_calls").rows():
            print(json.dumps(row), flush=True)
        return
    if args.here:
        for name in args.names:
            one(args.system or OURS[-1], name, args.losses)
        return
    lines = []
    with_peaks = args.peers and not args.losses
    for line in chain(peaks() if with_peaks else [], measured(args), peaks() if with_peaks else []):
        lines.append(line)
        print(json.dumps(line), flush=True)
    rows = [line for line in lines if "name" in line]
    if args.losses:
        print("\n" + losses_table(rows))
    elif args.peers:
        print("\n" + table(rows, highest([line for line in lines if "flops" in line])))


if __name__ == "__main__":
    main()
