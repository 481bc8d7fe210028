"""What calls show of public names: an example with its output, what is returned, of which arguments there are gradients, and
what results view. tools/examples.py makes the calls and writes the files, facts/SCOPE.txt; help() reads them when asked.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple


class Facts(NamedTuple):
    """What calls by samples show of a name. Parameters are its own."""

    returns: tuple[str, ...] = ()  # each result
    gradients: tuple[str, ...] = ()  # parameters
    views: tuple[str, ...] = ()  # parameters whose memory results share
    floats: bool = False  # whether arguments are Tensors of floating point
    example: str = ""  # as a session shows it


def write(facts: Facts) -> str:
    """An entry of a file, without its head."""
    lines = [f"returns: {text}" for text in facts.returns]
    lines += [f"gradients: {' '.join(facts.gradients)}"] if facts.floats else []
    lines += [f"views: {' '.join(facts.views)}"] if facts.views else []
    return "\n".join([*lines, *([facts.example] if facts.example else [])])


def _parsed(text: str) -> Facts:
    told: dict[str, list[str]] = {"returns": [], "gradients": [], "views": []}
    head, prompt, rest = text.partition(">>> ")
    for line in head.strip().splitlines():
        key, _, value = line.partition(":")
        told[key] += [value.strip()] if key == "returns" else value.split()
    floats = "gradients:" in head
    return Facts(tuple(told["returns"]), tuple(told["gradients"]), tuple(told["views"]), floats, (prompt + rest).rstrip())


@functools.cache
def _of_scope(scope: str) -> dict[str, str]:
    path = Path(__file__).parent / "facts" / f"{scope}.txt"
    entries = path.read_text(encoding="utf-8").split("\n== ") if path.exists() else []
    return {name: text for name, _, text in (entry.removeprefix("== ").partition("\n") for entry in entries)}


def of(path: str) -> Facts:
    """What is known of a public name: ops.softmax."""
    scope, _, name = path.rpartition(".")
    text = _of_scope(scope).get(name)
    return Facts() if text is None else _parsed(text)
