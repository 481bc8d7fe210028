"""Functions by their syntax tree: what runs those of versions of CPython whose bytecode is not decoded."""

from __future__ import annotations

import functools
import gc
import operator
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.ast.definition import definition
from emberjit.capture.ast.helpers import HELPERS
from emberjit.capture.ast.namespace import TreeNamespace
from emberjit.capture.ast.statements import Source, run


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
    return run(code, TreeNamespace(cells, global_names, code.names, HELPERS), variables)


def original(like: types.FunctionType) -> types.FunctionType:
    """The function of which one was made anew for its frame, which does not tell it before 3.11."""

    def is_alike(function: Any) -> bool:
        return type(function) is types.FunctionType and function is not like and function.__globals__ is like.__globals__

    cells = like.__closure__ or ()
    found = [function for function in gc.get_referrers(like.__code__) if is_alike(function)]
    found = [function for function in found if all(map(operator.is_, function.__closure__ or (), cells))]
    if len(found) != 1:
        raise core.CaptureError(f"which of {len(found)} functions '{like.__name__}' is called is not known.")
    original: types.FunctionType = found[0]
    return original
