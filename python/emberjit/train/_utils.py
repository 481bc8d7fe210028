"""Folders that arguments name, made if they are missing."""

from __future__ import annotations

import os
from typing import Any


def make_directory(function: str, argument: str, path: Any) -> str:
    """The absolute path of a folder, which is made.

    Raises:
        TypeError: it is no path.
        ValueError: it is empty.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"For '{function}', '{argument}' must be the path of a folder, but got {path!r}.")
    if not os.fspath(path).strip():
        raise ValueError(f"For '{function}', '{argument}' must be the path of a folder, but is empty.")
    absolute = os.path.realpath(path)
    os.makedirs(absolute, exist_ok=True)
    return absolute


def _make_directory(path: Any, arg_name: str = "path") -> str:
    """make_directory under MindSpore's name, which programs reach for."""
    return make_directory("_make_directory", arg_name, path)
