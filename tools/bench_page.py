"""A section of a page of the documentation from what tools/bench prints, with date, machine and versions; and a picture of
what the first result takes, from the lines of --starts.
"""

from __future__ import annotations

import datetime
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TextIO
from xml.sax.saxutils import escape

from bench_processes import Row

TITLES = {
    "peers": "Workloads beside PyTorch, ONNX Runtime and JAX",
    "networks": "Whole networks",
    "starts": "From the start of a process to a warm step",
    "changes": "What changes between calls",
    "data": "Pipelines of data",
    "ops": "Single functions",
    "onnx": "Files of ONNX",
    "torch_backend": "PyTorch's models",
}
ABOUT = {
    "peers": """\
Each system and workload runs in a process of its own. Steady time a call in microseconds; in brackets the first call in
milliseconds (of import and shape_churn_30 the whole). Where products run on AMX tiles `ieee` is the steady time with
sequential FMA (`matmul_precision="ieee"`). After the systems: the jitted time by the best peer's, the part of the machine's
measured peak, and the memory that the jitted process grew by, by the best peer's.""",
    "networks": """\
Six whole networks, each one text for all systems, in processes of their own: images in batches of 16 of 224x224 (YOLO: 4 of
416x416), words of 36x20 (LSTM) and 8x64, training with SGD or Adam. Milliseconds: of the first calls together, and of a warm
one.""",
    "starts": """\
Milliseconds of a new process, without a compile cache, with an empty one, and with one that another process has filled.

![Seconds from import to the first result](warm_up.svg)""",
    "changes": "Steps of programs whose sizes, numbers or items differ from call to call.",
    "ops": """\
Single functions on 64 elements and on a million (matrices of 8x8 and 1024x1024), eager and jitted, in microseconds, by the
best peer's time, the slowest by it first; then by subject.""",
}
ROWS = 40  # of a table, at most, where it has twice as many
PACKAGES = ("torch", "torchvision", "jax", "onnxruntime", "openvino", "mindspore", "numpy", "scipy")
NAMES = {"emberjit": "emberjit", "torch": "PyTorch, torch.compile", "jax": "jax.jit", "mindspore": "MindSpore, jit"}
WIDTH, BAR, GAP, LEFT = 640, 22, 12, 170


class Kept(io.TextIOBase):
    """Standard output that is kept as well."""

    def __init__(self, out: TextIO):
        self.out, self.text = out, ""

    def write(self, text: str) -> int:
        self.text += text
        return self.out.write(text)

    def flush(self) -> None:
        self.out.flush()


def _versions(pythons: list[str]) -> Iterator[str]:
    """What is beside emberjit in the interpreters."""
    code = f"""import importlib.metadata as m
for name in {PACKAGES}:
    try: print(name, m.version(name))
    except m.PackageNotFoundError: pass"""
    seen: dict[str, str] = {}
    for python in [*pythons, sys.executable]:
        printed = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout
        for line in printed.splitlines():
            seen.setdefault(*line.split())
    for name, version in seen.items():
        yield f"{name} {version}"


def shortened(printed: str) -> str:
    """Printed tables without the rows that are too many."""

    def table(match: re.Match[str]) -> str:
        rows = match[0].splitlines()
        if len(rows) <= 2 * ROWS:
            return match[0]
        return "\n".join([*rows[: ROWS + 2], "", f"{len(rows) - ROWS - 2:,} more rows are left out.", ""])

    return re.sub(r"(^\|.*\n)+", table, printed, flags=re.MULTILINE)


def section(mode: str, command: str, printed: str, pythons: list[str]) -> str:
    """The section of a mode: the command, the circumstances, and the tables that it has printed."""
    tables = shortened("".join(f"{line}\n" for line in printed.splitlines() if not line.startswith("{"))).strip("\n")
    config = import_module("emberjit").show_config()
    machine = f"{os.cpu_count()} cores of an {config['CPU']} ({config['instruction set']})"
    circumstances = ", ".join([machine, *_versions(pythons)])
    today = datetime.datetime.now(tz=datetime.UTC).date()
    about = [ABOUT[mode]] if mode in ABOUT else []
    return "\n\n".join([f"## {TITLES[mode]}", f"`{command}`, {today}, {circumstances}.", *about, tables]) + "\n"


def write(page: Path, mode: str, text: str) -> None:
    """Puts a section into a page, in place of the one of its title."""
    head, *sections = re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    kept = [one for one in sections if not one.startswith(f"## {TITLES[mode]}\n")]
    place = next((i for i, one in enumerate(sections) if one.startswith(f"## {TITLES[mode]}\n")), len(kept))
    kept.insert(place, text)
    page.write_text(f"{head}{chr(10).join(one.strip(chr(10)) + chr(10) for one in kept)}", encoding="utf-8")


def picture(rows: list[Row], network: str) -> str:
    """Bars of seconds from the start of the import to the first result of a training step, as SVG."""
    bars = [
        (NAMES[row["system"]], row["import"] + row["build"] + row["start"] + row["warm"])
        for row in rows
        if row["network"] == network and row["kind"] == "no cache" and "start" in row
    ]
    most = max(seconds for _, seconds in bars)
    out = []
    for i, (name, seconds) in enumerate(sorted(bars, key=lambda bar: bar[1])):
        y, length = 40 + i * (BAR + GAP), (WIDTH - LEFT - 80) * seconds / most
        colour = "#d9480f" if name == "emberjit" else "#868e96"
        out.append(f'<text x="{LEFT - 10}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        out.append(f'<rect x="{LEFT}" y="{y}" width="{max(length, 2):.0f}" height="{BAR}" fill="{colour}"/>')
        out.append(f'<text x="{LEFT + max(length, 2) + 8:.0f}" y="{y + 16}">{seconds:.2f} s</text>')
    height = 50 + len(bars) * (BAR + GAP)
    title = f"From import to the first result of a training step ({network})"
    style = "text{font:14px sans-serif;fill:#868e96}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"><style>{style}</style>'
        f'<text x="10" y="20">{escape(title)}</text>{"".join(out)}</svg>\n'
    )


def save(page: Path, mode: str, printed: str, pythons: list[str]) -> None:
    """Writes what a run has printed into a page; of --starts the picture, too, beside it."""
    arguments = [argument for argument in sys.argv[1:] if argument not in ("--page", str(page))]
    shown = ["PATH" if argument in pythons else argument for argument in arguments]
    write(page, mode, section(mode, " ".join(["tools/bench", *shown]), printed, pythons))
    if mode == "starts":
        rows = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
        page.with_name("warm_up.svg").write_text(picture(rows, rows[0]["network"]), encoding="utf-8")
