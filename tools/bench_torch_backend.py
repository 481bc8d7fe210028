"""PyTorch's models by torch.compile(backend="emberjit"), beside its own compiler, inductor, and eager: the first call, with
no cache, and a warm one. Each in a process of its own, of an interpreter that has torch, torchvision and transformers."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench_processes import Row, interpreters, last_line

import emberjit

MODELS = ("resnet50", "mobilenet_v2", "vit_b_16", "swin_t", "convnext_tiny", "bert", "gpt2", "llama")
KINDS = ("inference", "training")
SYSTEMS = ("eager", "inductor", "emberjit")
PROGRAM = Path(__file__).parent / "bench_torch_models.py"


def _line(python: str, about: Row) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "emberjit").symlink_to(Path(emberjit.__file__).parent)
        environment = {**os.environ, "PYTHONPATH": folder, "TORCHINDUCTOR_CACHE_DIR": f"{folder}/cache"}
        return last_line([python, str(PROGRAM), *about.values()], about, environment=environment)


def measured(python: str, only: list[str]) -> Iterator[Row]:
    """The lines of all models and systems."""
    for model in only or MODELS:
        for kind in KINDS:
            for system in SYSTEMS:
                yield _line(python, {"system": system, "model": model, "kind": kind})


def table(rows: list[Row]) -> str:
    """Markdown: the first call in seconds, a warm one in milliseconds, the least and the median."""
    lines = ["| model | | system | first call | warm, least | warm, median |", "|---" * 6 + "|"]
    for row in rows:
        times = ["fails"] * 3
        if "warm" in row:
            times = [f"{row['first']:.1f} s", f"{row['least'] * 1e3:.1f} ms", f"{row['warm'] * 1e3:.1f} ms"]
        lines.append(f"| {row['model']} | {row['kind']} | {row['system']} | {' | '.join(times)} |")
    return "\n".join(lines)


def run(pythons: list[str], only: list[str]) -> None:
    """Prints the lines, then the table."""
    systems = interpreters(pythons, {"torch": "torch, torchvision, transformers"})
    rows = []
    for row in measured(systems["torch"], only) if systems else ():
        rows.append(row)
        print(json.dumps(row), flush=True)
    print(f"\n{table(rows)}")
