"""Checks that each folder includes only what comes before it, layers and the rooms within them, and that each
third-party header stays behind its fence; of Python see python_layers.py. No file and no folder grows too large. Locks are
of the kinds that a fork leaves usable."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from python_layers import problems_of_packages

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ["gc", "ops", "bytecode", "vm", "tiers", "python", "tools"]
ROOMS = {
    "ops": [
        "base",
        "tensor",
        "expr",
        "text",
        "table",
        "simd",
        "program",
        "matmul",
        "fft",
        "kernels",
        "linalg",
        "eager",
        "foreign",
        "collective",
        "defs",
    ],
    "bytecode": ["graph", "text", "transforms", "passes", "code", "lower"],
    "vm": ["state", "bind", "exec", "autograd"],
}
FENCES = {
    "mimalloc": lambda path: path.parts[0] == "gc",
    "ffi.h": lambda path: path.as_posix().startswith("ops/foreign"),
    "xbyak": lambda path: path.as_posix() == "tiers/assembler.h" or path.as_posix().startswith("tiers/emit/"),
    "pybind11": lambda path: path.as_posix().startswith("python/src/"),
    "Python.h": lambda path: path.as_posix().startswith("python/src/"),
    "gtest": lambda path: path.parts[0] == "tests",
}
SOURCES = {".h", ".cpp", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
LOCKS = re.compile(
    r"(?<!ForkMutex<)std::\w*mutex\b|std::condition_variable|std::(call_once|once_flag|counting_semaphore|binary_semaphore)"
    r"|pthread_(mutex|cond|rwlock|once)_|threading\.(R?Lock|Condition|(Bounded)?Semaphore)\b"
)
MAKERS_OF_LOCKS = {"gc/fork.h", "python/emberjit/forks.py"}  # gc::ForkMutex and LocalMutex, ForkLock
MAX_LINES = 600
MAX_FILES = 50
MAX_FILES_OF_PYTHON = 40  # in a folder of python


def later_room(room: str, included: str, order: list[str]) -> bool:
    """Whether a room includes one behind it."""
    return order.index(included) > order.index(room)


def problems_of_rooms(layer: str) -> list[str]:
    """Files that lie in no room, rooms that the order does not have, and rooms that are too full."""
    problems = []
    for entry in sorted((ROOT / layer).iterdir()):
        name = entry.relative_to(ROOT)
        if entry.is_file() and entry.suffix in SOURCES:
            problems.append(f"{name}: lies in no room of {layer}")
        elif entry.is_dir() and entry.name not in ROOMS[layer]:
            problems.append(f"{name}: has no place in the order of {layer}'s rooms")
        elif entry.is_dir() and len(list(entry.iterdir())) > MAX_FILES:
            problems.append(f"{name}: more than {MAX_FILES} files")
    if layer == "ops":
        strangers = [path for path in sorted((ROOT / "ops/defs").iterdir()) if "EMBER_OP(" not in path.read_text("utf-8")]
        problems += [f"{path.relative_to(ROOT)}: defines no op" for path in strangers]
    return problems


def problems_of_python() -> list[str]:
    """Folders that are too full, and files of python/src that lie in no room."""
    folders = [path for path in (ROOT / "python").rglob("*") if path.is_dir() and path.name != "__pycache__"]
    counts = {folder: sum(entry.suffix in {*SOURCES, ".py"} for entry in folder.iterdir()) for folder in folders}
    problems = [
        f"{folder}: {n} files, more than {MAX_FILES_OF_PYTHON}" for folder, n in counts.items() if n > MAX_FILES_OF_PYTHON
    ]
    return problems + [f"{path}: lies in no room" for path in (ROOT / "python/src").iterdir() if path.is_file()]


def problems_of(path: Path) -> list[str]:
    """What is wrong with one source file."""
    relative = path.relative_to(ROOT)
    text = path.read_text(encoding="utf-8")
    problems = []
    layer = relative.parts[0]
    for name in INCLUDE.findall(text):
        top = name.split("/")[0]
        if layer in LAYERS and top in LAYERS and LAYERS.index(top) > LAYERS.index(layer):
            problems.append(f"{relative}: {layer} must not include {name}")
        if layer == top and layer in ROOMS and later_room(relative.parts[1], name.split("/")[1], ROOMS[layer]):
            problems.append(f"{relative}: {layer}/{relative.parts[1]} must not include {name}")
        for vendor, allowed in FENCES.items():
            if name.startswith(vendor) and not allowed(relative):
                problems.append(f"{relative}: {vendor} is not allowed here")
    if layer not in ("tests", "tools") and relative.as_posix() not in MAKERS_OF_LOCKS and (lock := LOCKS.search(text)):
        problems.append(f"{relative}: {lock[0]} is no lock that a fork leaves usable: see {sorted(MAKERS_OF_LOCKS)}")
    if text.count("\n") > MAX_LINES:
        problems.append(f"{relative}: {text.count(chr(10))} lines, more than {MAX_LINES}")
    return problems


def main() -> int:
    """Prints every problem; 1 if there is one."""
    problems = [problem for layer in ROOMS for problem in problems_of_rooms(layer)] + problems_of_python()
    for folder in [*LAYERS, "tests"]:
        for pattern in ("*.h", "*.cpp", "*.inc", "*.py"):
            for path in sorted((ROOT / folder).rglob(pattern)):
                problems += problems_of(path)
    problems += problems_of_packages(ROOT / "python" / "emberjit")
    print("\n".join(problems) or "layers: every include and import respects the order, every file its size")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
