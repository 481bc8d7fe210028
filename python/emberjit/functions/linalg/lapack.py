"""Ops that call LAPACK, by the package scipy-openblas32, which is loaded when one is first called."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from emberjit import _emberjit as core

_ops = core.ops


def _library() -> str:
    """The path of OpenBLAS. Its package is not imported, which would make its symbols global.

    Raises:
        ImportError: it is not installed.
    """
    package = importlib.util.find_spec("scipy_openblas32")
    paths = sorted(Path(package.origin).parent.glob("lib/libscipy_openblas*")) if package and package.origin else []
    if not paths:
        raise ImportError(
            "linear algebra needs LAPACK, of emberjit's dependency scipy-openblas32, which is not installed: pip install "
            "scipy-openblas32"
        )
    return str(paths[0])


def load_lapack() -> None:
    """Says to the ops which library has LAPACK.

    Raises:
        ImportError: it is not installed.
    """
    if not core.has_lapack():
        core.set_lapack(_library())


def lapack(name: str) -> Any:
    """An op of the table that calls LAPACK.

    Raises:
        ImportError: LAPACK is not installed.
    """
    load_lapack()
    return core.op_table[name]
