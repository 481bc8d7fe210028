#!/usr/bin/env python3
"""Writes two pages of the documentation (python/docs): options.md from python/emberjit/options.py, and deviations.md from
python/emberjit/deviations.py. With --check it changes nothing, and fails if a file would change. Needs the built package."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from emberjit import deviations, options

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = """\
# Options

What becomes of MindSpore's options: `python/emberjit/options.py` has the table, `tools/tables.py` writes this page of it.
An option *works*; or is *given* whatever its value, since it asks for what is so anyway; or has *no effect*, with a warning
once, unless its value is among those that are so anyway; or is *refused*: a value not among these is a ValueError.
A value that does not exist, or is of another type, is an error.
"""
DEVIATIONS = """\
# Deviations

Where results are not those of MindSpore 2.10 on a CPU, and why. `python/emberjit/deviations.py` has the table, which help()
of these functions shows and the tests run; `tools/tables.py` writes this file of it.

| Functions | Example | MindSpore | emberjit | Why |
|---|---|---|---|---|
"""
FURTHER = """
What no expression shows:

| Names | MindSpore | emberjit | Why |
|---|---|---|---|
"""


def _values(accepts: Any) -> str:
    if accepts is None:
        return "any"
    items = accepts if isinstance(accepts, tuple) else (accepts,)
    kinds = {type(None): "None"}
    return ", ".join(kinds.get(item, item.__name__) if isinstance(item, type) else f"`{item!r}`" for item in items)


def options_text() -> str:
    """python/docs/options.md."""
    out = [OPTIONS]
    for interface, table in options.TABLE.items():
        out.append(f"\n## {interface}\n\n| Option | Values | Outcome | What it does | So anyway |\n|---|---|---|---|---|")
        for name, option in table.items():
            anyway = ", ".join(f"`{value!r}`" for value in option.neutral)
            out.append(f"| `{name}` | {_values(option.accepts)} | {option.outcome} | {option.does} | {anyway} |")
    return "\n".join(out) + "\n"


def deviations_text() -> str:
    """python/docs/deviations.md."""
    rows = []
    for one in deviations.TABLE:
        names = ", ".join(f"`{name}`" for name in one.names.split())
        rows.append(f"| {names} | `{one.example}` | `{one.theirs}` | `{one.ours}` | {one.why} |\n")
    further = []
    for deviation in deviations.FURTHER:
        names = ", ".join(f"`{name}`" for name in deviation.names.split())
        further.append(f"| {names} | {deviation.theirs} | {deviation.ours} | {deviation.why} |\n")
    return DEVIATIONS + "".join(rows) + FURTHER + "".join(further)


def main() -> None:
    """Writes the files, or compares them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    for name, text in (("options.md", options_text()), ("deviations.md", deviations_text())):
        path = ROOT / "python" / "docs" / name
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not what tools/tables.py writes: run it")


if __name__ == "__main__":
    main()
