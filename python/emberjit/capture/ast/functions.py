"""Functions by their syntax tree: what runs those of versions of CPython whose bytecode is not decoded."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from emberjit.capture.ast.definition import definition
from emberjit.capture.ast.helpers import HELPERS
from emberjit.capture.ast.statements import Source, run
from emberjit.capture.state.namespace import Namespace


def body(
    code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any]
) -> Callable[[dict[str, Any]], Any] | None:
    """What runs a function, given its variables, into the current graph; None where there is no source (built in a shell,
    generated)."""
    written = _source_of(code, code.co_filename)
    return None if written is None else functools.partial(_run_anew, written, cells, global_names)


@functools.lru_cache(maxsize=4096)
def _source_of(code: types.CodeType, filename: str) -> Source | None:  # code of two files may be equal
    node = definition(code)
    return None if node is None else Source(node, filename, code)


def _run_anew(code: Source, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    return run(code, Namespace(cells, global_names, code.names, HELPERS), variables)
