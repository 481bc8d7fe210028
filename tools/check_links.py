"""Checks that what is linked respects the order of folders, too: an object file needs no symbol that only a later one
defines, whatever header declares it: tools/check_links.py BUILD_FOLDER."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from check_layers import LAYERS, ROOMS, ROOT

Symbols = dict[str, set[str]]  # by kind, as nm has it: U is undefined


def symbols_of(path: Path) -> Symbols:
    """The symbols of an object file."""
    out: Symbols = {}
    for line in subprocess.run(["nm", "-P", path], capture_output=True, text=True, check=True).stdout.splitlines():
        name, kind, *_ = line.split()
        out.setdefault(kind, set()).add(name)
    return out


def place_of(source: Path) -> tuple[int, int]:
    """Where a source file stands in the order: its layer, and its room there."""
    layer, room = source.parts[0], source.parts[1]
    return LAYERS.index(layer), ROOMS[layer].index(room) if layer in ROOMS else 0


def problems_of(build: Path) -> list[str]:
    """The needs that run against the order."""
    folders = [path for layer in LAYERS for path in (build / "CMakeFiles").glob(f"ember_{layer}.dir")]
    paths = {path.relative_to(folder): path for folder in folders for path in sorted(folder.rglob("*.o"))}
    objects = {source: symbols_of(path) for source, path in paths.items() if (ROOT / source).with_suffix("").exists()}
    if not objects:
        return [f"{build} has no object files"]
    defined = {name: source for source, kinds in objects.items() for kind in "TDBR" for name in kinds.get(kind, ())}
    problems = []
    for source, kinds in objects.items():
        for name in sorted(kinds.get("U", ())):
            if name in defined and place_of(defined[name]) > place_of(source):
                problems.append(f"{source} needs {name} of {defined[name]}")
    return problems


def main() -> int:
    """Prints every problem; 1 if there is one."""
    problems = problems_of(Path(sys.argv[1]))
    print("\n".join(problems) or "links: every symbol is defined below, or beside, what needs it")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
