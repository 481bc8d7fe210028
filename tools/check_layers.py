"""Checks that each folder includes only the layers below it, and each third-party header stays behind its fence."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ["gc", "ops", "bytecode", "vm", "tiers", "python"]
FENCES = {
    "mimalloc": lambda path: path.parts[0] == "gc",
    "ffi.h": lambda path: path.as_posix().startswith("ops/foreign"),
    "xbyak": lambda path: path.as_posix() == "tiers/assembler.h" or path.as_posix().startswith("tiers/emit/"),
    "pybind11": lambda path: path.as_posix().startswith("python/src/"),
    "Python.h": lambda path: path.as_posix().startswith("python/src/"),
    "gtest": lambda path: path.parts[0] == "tests",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
MAX_LINES = 600


def problems_of(path: Path) -> list[str]:
    """What is wrong with one source file."""
    relative = path.relative_to(ROOT)
    text = path.read_text(encoding="utf-8")
    found = []
    layer = relative.parts[0]
    for name in INCLUDE.findall(text):
        top = name.split("/")[0]
        if layer in LAYERS and top in LAYERS and LAYERS.index(top) > LAYERS.index(layer):
            found.append(f"{relative}: {layer} must not include {name}")
        for vendor, allowed in FENCES.items():
            if name.startswith(vendor) and not allowed(relative):
                found.append(f"{relative}: {vendor} is not allowed here")
    if text.count("\n") > MAX_LINES:
        found.append(f"{relative}: {text.count(chr(10))} lines, more than {MAX_LINES}")
    return found


def main() -> int:
    """Prints every problem; 1 if there is one."""
    problems = []
    for folder in [*LAYERS, "tests", "tools"]:
        for pattern in ("*.h", "*.cpp", "*.inc", "*.py"):
            for path in sorted((ROOT / folder).rglob(pattern)):
                problems += problems_of(path)
    print("\n".join(problems) or "layers: every include respects the order, every file its size")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
