"""Which modules are libraries: their functions are called as they are, those of the user's are followed into graphs."""

from __future__ import annotations

import functools
import sys
from typing import Any

_LIBRARIES = frozenset(
    {"emberjit", "mindspore", "numpy", *getattr(sys, "stdlib_module_names", ("builtins",))} - {"contextlib"}
)


@functools.cache
def written_by_user(module: Any) -> bool:
    """Whether a module's name is not that of a library."""
    package = str(module).partition(".")[0]
    return package not in _LIBRARIES and not package.startswith("namedtuple_")  # as collections names what it writes
