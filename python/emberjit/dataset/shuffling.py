"""Shuffle: how far rows of files move."""

from __future__ import annotations

from enum import Enum
from typing import Any

from emberjit.checks import check_instance


class Shuffle(str, Enum):
    """GLOBAL: rows in random order; FILES: files in random order; INFILE: each file's rows in random order; PARTIAL and
    ADAPTIVE: of large MindRecord files, which here is as GLOBAL."""

    GLOBAL = "global"
    FILES = "files"
    INFILE = "infile"
    PARTIAL = "partial"
    ADAPTIVE = "adaptive"


def shuffle_of(where: str, value: Any) -> tuple[bool, bool]:
    """Whether files, and whether rows, come in random order, of True, False or a Shuffle.

    Raises:
        TypeError: it is none of them.
    """
    if isinstance(value, Shuffle):
        return value in (Shuffle.GLOBAL, Shuffle.FILES), value != Shuffle.FILES
    check_instance(where, "shuffle", value, (bool, Shuffle))
    return value, value
