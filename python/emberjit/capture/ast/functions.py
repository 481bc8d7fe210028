"""Functions by their syntax tree: what runs those of versions of CPython whose bytecode is not decoded."""

from __future__ import annotations

import functools
import gc
import operator
import sys
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.ast import statements
from emberjit.capture.ast.definition import definition
from emberjit.capture.ast.helpers import HELPERS
from emberjit.capture.ast.namespace import TreeNamespace


def supports(code: types.CodeType) -> bool:
    """Whether there is source of a function: not if it is built in a shell, or generated."""
    return _source_of(code, code.co_filename) is not None


@functools.lru_cache(maxsize=4096)
def _source_of(code: types.CodeType, filename: str) -> statements.Source | None:  # code of two files may be equal
    node = definition(code)
    return None if node is None else statements.Source(node, filename, code)


def run(code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    """Runs a function with these variables."""
    source: Any = _source_of(code, code.co_filename)
    return statements.run(source, TreeNamespace(cells, global_names, source.names, HELPERS), variables)


def original(like: types.FunctionType) -> types.FunctionType:
    """The function of which one was made anew for its frame, which does not tell it before 3.11."""
    if sys.version_info >= (3, 11):
        return like

    def is_alike(function: Any) -> bool:
        return type(function) is types.FunctionType and function is not like and function.__globals__ is like.__globals__

    cells = like.__closure__ or ()
    found = [function for function in gc.get_referrers(like.__code__) if is_alike(function)]
    found = [function for function in found if all(map(operator.is_, function.__closure__ or (), cells))]
    if len(found) != 1:
        raise core.CaptureError(f"which of {len(found)} functions '{like.__name__}' is called is not known.")
    original: types.FunctionType = found[0]
    return original
