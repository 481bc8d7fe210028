"""tools/bench --ops: each row of bench_ops_rows.py, small and large, on emberjit (eager and jitted), PyTorch, NumPy and
SciPy. Rows are sorted by what emberjit takes of the best peer's time, worst first; then a line for each subject.

A system's rows run in one process: three calls of warm-up, then the best mean of five batches.
"""

from __future__ import annotations

import json
import linecache
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from bench_ops_rows import SUBJECTS
from bench_processes import Row, interpreters

SIZES = {"small": (64, 8), "large": (2**20, 1024)}
OURS = ("eager", "jit")
PEERS = {"torch": "torch", "numpy": "numpy, scipy"}
SECONDS = 0.08  # for the batches of a row

Operands = dict[str, np.ndarray]


def _vectors(count: int, rng: np.random.Generator) -> Operands:
    x, y = (rng.standard_normal(count).astype(np.float32) for _ in range(2))
    f, f2 = (rng.uniform(0.01, 0.99, count).astype(np.float32) for _ in range(2))
    i, j = (rng.integers(-1000, 1000, count) for _ in range(2))
    named = {"x": x, "y": y, "p": f * 4, "e32": f2 * 5, "u": f * 2 - 1, "f": f, "f2": f2, "d": x.astype(np.float64)}
    named |= {"e": f.astype(np.float64), "h": x.astype(np.float16), "one": np.ones(count, np.float32), "i": i, "j": j}
    named |= {"k": rng.integers(1, 16, count), "q": rng.integers(0, 8, count), "few": np.arange(50)}
    named |= {"a": x > 0, "b": y > 0, "at": rng.integers(0, count, count), "ordered": np.sort(y), "w1": f[:1]}
    named |= {"edges": np.array([-1, 0, 1], np.float32), "sx": np.sign(x), "v3": x[: count // 3 * 3].reshape(-1, 3)}
    named |= {"z": (x + 1j * y).astype(np.complex64), "z2": (y - 1j * x).astype(np.complex64)}
    return named


def _matrices(side: int, rng: np.random.Generator) -> Operands:
    m, n, m2 = (rng.standard_normal((side, side)).astype(np.float32) for _ in range(3))
    part = min(side, 256)
    s = m[:part, :part] @ m[:part, :part].T / part + np.eye(part, dtype=np.float32)
    named = {"m": m, "n": n, "m2": m2, "g": m[: side // 2], "s": s, "hm": m.astype(np.float16), "r": m[0].copy()}
    named |= {"w": n[:, :1].copy(), "rows": rng.integers(0, side, side), "cells": rng.integers(0, side, (side, side))}
    named |= {"zm": (m + 1j * n).astype(np.complex64), "sgn": np.sign(m[:, 0]), "seq": m.reshape(1, side, side)}
    named |= {"k1": rng.standard_normal((min(side, 64), side, 3)).astype(np.float32)}
    named |= {"t": m.reshape(4, 4, 4) if side < 9 else m.reshape(16, 256, 256)}
    named |= {"batched": np.tile(s[:8, :8], (side, 1, 1)).copy()}
    return named


def _images(side: int, rng: np.random.Generator) -> Operands:
    shape = (1, 4, 8, 8) if side < 9 else (4, 64, 56, 56)
    img = rng.standard_normal(shape).astype(np.float32)
    c = shape[1]
    named = {"img": img, "k3": rng.standard_normal((c, c, 3, 3)).astype(np.float32)}
    named |= {"k1x1": named["k3"][:, :, :1, :1].copy(), "mean4": np.zeros(c, np.float32)}
    named |= {"var4": np.ones(c, np.float32), "grid": rng.uniform(-1, 1, (shape[0], *shape[2:], 2)).astype(np.float32)}
    named |= {"theta": rng.uniform(-1, 1, (shape[0], 2, 3)).astype(np.float32)}
    heads = (1, 2, 8, 8) if side < 9 else (2, 8, 512, 64)
    named |= {"qkv": rng.standard_normal(heads).astype(np.float32)}
    return named


def operands(size: str) -> Operands:
    """NumPy's arrays by the names of the rows."""
    count, side = SIZES[size]
    rng = np.random.default_rng(0)
    return {**_vectors(count, rng), **_matrices(side, rng), **_images(side, rng)}


def rows() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Subject, name, and the text of each system that has the row."""
    for subject, text in SUBJECTS.items():
        for line in text.strip().splitlines():
            ours, torch, array = (part.strip() for part in (*line.split("|"), "", "")[:3])
            texts = {"eager": ours, "jit": ours, "torch": torch or ours, "numpy": array}
            yield subject, ours, {system: text for system, text in texts.items() if text not in ("", "-")}


class System:
    """A library: what makes its arrays, names of its own, and modules in which the others are looked up in turn."""

    def __init__(self, name: str):
        self.name = name
        self.array, self.names, self.modules = {"torch": _torch, "numpy": _numpy}.get(name, _ours)()

    def named(self, name: str) -> Any:
        """What a name stands for; None if it is not known."""
        candidates = (getattr(module, name, None) for module in self.modules)
        return self.names.get(name) or next((one for one in candidates if one is not None), None)

    def call(self, text: str, arrays: Operands) -> Callable[[], Any]:
        """The call of a row. Functions have source lines, so that they can be captured."""
        words = compile(text, "row", "eval").co_names
        used = [name for name in words if name in arrays]
        namespace = {name: value for name in words if name not in arrays and (value := self.named(name)) is not None}
        source, path = f"def row({', '.join(used)}):\n    return {text}\n", f"<row {text}>"
        linecache.cache[path] = (len(source), None, source.splitlines(True), path)
        exec(compile(source, path, "exec"), namespace)
        function = self.names["jit"](namespace["row"]) if self.name == "jit" else namespace["row"]
        values = [self.array(arrays[name]) for name in used]
        return lambda: function(*values)


def _ours() -> tuple[Callable[[np.ndarray], Any], dict[str, Any], list[Any]]:
    import emberjit as ms
    from emberjit import mint, ops

    return ms.Tensor, {"jit": ms.jit}, [mint, mint.nn.functional, mint.linalg, mint.special, ops, ms]


def _torch() -> tuple[Callable[[np.ndarray], Any], dict[str, Any], list[Any]]:
    import torch

    torch.set_grad_enabled(False)
    modules = [torch.nn.functional, torch, torch.special, torch.linalg]
    return torch.tensor, {"torch": torch, "special": torch.special, "linalg": torch.linalg}, modules


def _numpy() -> tuple[Callable[[np.ndarray], Any], dict[str, Any], list[Any]]:
    from scipy import fft, linalg, special

    names = {"np": np, "special": special, "linalg": np.linalg, "rng": np.random.default_rng(0)}
    return np.copy, {**names, "sp": SimpleNamespace(fft=fft, linalg=linalg)}, []


def microseconds(call: Callable[[], Any]) -> float:
    """The best mean of five batches, after three calls."""
    for _ in range(3):
        call()
    start = time.perf_counter()
    call()
    count = max(1, int(SECONDS / 5 / max(time.perf_counter() - start, 1e-7)))

    def batch() -> float:
        start = time.perf_counter()
        for _ in range(count):
            call()
        return (time.perf_counter() - start) / count * 1e6

    return min(batch() for _ in range(5))


def measure(name: str, only: list[str]) -> None:
    """Prints the lines of a system."""
    system = System(name)
    for size in SIZES:
        arrays = operands(size)
        for subject, row, texts in rows():
            if name not in texts or (only and row not in only):
                continue
            line: Row = {"system": name, "subject": subject, "row": row, "size": size}
            try:
                line["us"] = round(microseconds(system.call(texts[name], arrays)), 3)
            except Exception as error:
                line["error"] = f"{type(error).__name__}: {error}"[:200]
            print(json.dumps(line), flush=True)


def measured(pythons: list[str], only: list[str]) -> Iterator[Row]:
    """The lines of all systems, each in a process of its own; of peers those that an interpreter can import."""
    for system, python in (dict.fromkeys(OURS, sys.executable) | interpreters(pythons, PEERS)).items():
        process = subprocess.run([python, __file__, system, *only], stdout=subprocess.PIPE, text=True, check=True)
        yield from map(json.loads, process.stdout.splitlines())


def ratios(lines: list[Row]) -> list[Row]:
    """A row for each of ours: what it takes of the best peer's time, worst first; None without a peer."""
    times: dict[tuple[str, str], dict[str, float]] = {}
    for line in lines:
        times.setdefault((line["row"], line["size"]), {})[line["system"]] = line.get("us", float("inf"))
    rows = []
    for line in lines:
        if line["system"] not in OURS:
            continue
        peers = {time: name for name, time in times[line["row"], line["size"]].items() if name not in OURS}
        best = min(peers, default=float("inf"))
        ratio = line["us"] / best if "us" in line and best < float("inf") else None
        rows.append({**line, "peer": peers.get(best), "peer_us": best, "ratio": ratio})
    return sorted(rows, key=lambda row: -(row["ratio"] or 0))


def table(lines: list[Row]) -> str:
    """Markdown: all rows that have a peer, and what each subject has of them; then those that failed."""
    rows = ratios(lines)
    compared = [row for row in rows if row["ratio"] is not None]
    out = ["| row | size | | us | best peer | us | ratio |", "|---" * 7 + "|"]
    for row in compared:
        peer = f"{row['peer']} | {row['peer_us']:.2f}"
        out.append(f"| {row['row']} | {row['size']} | {row['system']} | {row['us']:.2f} | {peer} | {row['ratio']:.2f} |")
    out += ["", "| subject | rows | at most the best peer's time | median | worst |", "|---" * 5 + "|"]
    for subject in [*SUBJECTS, "all"]:
        ours = [row["ratio"] for row in compared if subject in ("all", row["subject"])]
        if ours:
            share = f"{sum(ratio <= 1 for ratio in ours) / len(ours):.0%}"
            out.append(f"| {subject} | {len(ours)} | {share} | {statistics.median(ours):.2f} | {ours[0]:.2f} |")
    failed = [f"{line['row']} ({line['system']}, {line['size']}): {line['error']}" for line in lines if "error" in line]
    return "\n".join([*out, "", *failed])


def run(pythons: list[str], only: list[str]) -> None:
    """Measures all systems, or some rows, and prints lines and the table."""
    lines = []
    for line in measured(pythons, [row for row in only if row]):
        lines.append(line)
        print(json.dumps(line), flush=True)
    print("\n" + table(lines))


if __name__ == "__main__":
    measure(sys.argv[1], sys.argv[2:])
