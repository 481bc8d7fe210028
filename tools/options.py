#!/usr/bin/env python3
"""Writes OPTIONS.md from python/emberjit/options.py. With --check it changes nothing, and fails if the file would change.
Needs the built package."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from emberjit.options import TABLE

ROOT = Path(__file__).resolve().parents[1]
HEAD = """\
# Options

What becomes of MindSpore's options: `python/emberjit/options.py` has the table, `tools/options.py` writes this file of it.
An option *works*; or is *given* whatever its value, since it asks for what is so anyway; or has *no effect*, with a warning
once, unless its value is among those that are so anyway; or is *refused*: a value not among these is a ValueError.
A value that does not exist, or is of another type, is an error.
"""


def _values(accepts: Any) -> str:
    if accepts is None:
        return "any"
    items = accepts if isinstance(accepts, tuple) else (accepts,)
    kinds = {type(None): "None"}
    return ", ".join(kinds.get(item, item.__name__) if isinstance(item, type) else f"`{item!r}`" for item in items)


def text() -> str:
    """The file."""
    out = [HEAD]
    for interface, options in TABLE.items():
        out.append(f"\n## {interface}\n\n| Option | Values | Outcome | What it does | So anyway |\n|---|---|---|---|---|")
        for name, option in options.items():
            anyway = ", ".join(f"`{value!r}`" for value in option.neutral)
            out.append(f"| `{name}` | {_values(option.accepts)} | {option.outcome} | {option.does} | {anyway} |")
    return "\n".join(out) + "\n"


def main() -> None:
    """Writes the file, or compares it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    path = ROOT / "OPTIONS.md"
    if not parser.parse_args().check:
        path.write_text(text(), encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text():
        sys.exit(f"{path} is not what tools/options.py writes: run it")


if __name__ == "__main__":
    main()
