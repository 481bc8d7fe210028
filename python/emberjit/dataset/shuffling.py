"""Shuffle: how far rows of files move."""

from __future__ import annotations

from enum import Enum
from typing import Any

from emberjit.checks import check_instance


class Shuffle(str, Enum):
    """How far the rows of files move in random order. GLOBAL: all rows are shuffled. FILES: the files are, and the rows of
    each stay in order. INFILE: the rows of each file are, and the files stay in order. PARTIAL and ADAPTIVE: of large
    MindRecord files in MindSpore; here as GLOBAL.

    Examples:
        >>> dataset = ds.PennTreebankDataset(example_data("ptb"), shuffle=ds.Shuffle.FILES)
        >>> dataset.is_shuffled()
        True
    """

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
