"""Which modules are libraries: their functions are called as they are, those of the user's are followed into graphs."""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

_LIBRARIES = frozenset({"emberjit", "mindspore", "numpy", *sys.stdlib_module_names} - {"contextlib"})


@functools.cache
def written_by_user(module: Any) -> bool:
    """Whether a module's name is not that of a library."""
    package = str(module).partition(".")[0]
    return package not in _LIBRARIES and not package.startswith("namedtuple_")  # as collections names what it writes


def is_users(function: Any) -> bool:
    """Whether a function is Python code of the user's."""
    return isinstance(function, types.FunctionType) and written_by_user(function.__globals__.get("__name__", ""))
