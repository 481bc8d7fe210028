"""What random programs are made of, from the files in the folder `program_parts`.

A file of tables has sections, `== NAME`, of statements and then lists, `-- NAME`, whose items stand on lines of their own or
three spaces apart. A file of places has texts between empty lines.
"""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "program_parts"


class Section:
    """A section: `make`, its statements, and its lists by name."""

    def __init__(self, text: str):
        self.make, *lists = re.split(r"^-- ", text, flags=re.M)
        named = (part.partition("\n") for part in lists)
        self.lists = {name: re.split(r" {3,}|\n", items.strip()) for name, _, items in named}


def sections(name: str) -> dict[str, Section]:
    """Those of a file, by name."""
    parts = re.split(r"^== ", (_FOLDER / name).read_text(), flags=re.M)[1:]
    return {head: Section(text) for head, _, text in (part.partition("\n") for part in parts)}


def places(name: str) -> list[str]:
    """The texts of a file."""
    return (_FOLDER / name).read_text().strip().split("\n\n")


def replaced(text: str, name: str, value: str) -> str:
    """A text in which a name has another text's place."""
    return re.sub(rf"\b{name}\b", lambda _: value, text)
