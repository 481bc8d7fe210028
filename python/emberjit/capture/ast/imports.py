"""Imports of captured functions: a module that is there already is guarded; one whose code would run, Python imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.ast.naming import compiled
from emberjit.capture.guards.attributes import read_attribute
from emberjit.capture.guards.globals_and_closures import check_import, guard_import


def import_statement(node: ast.Import | ast.ImportFrom, filename: str) -> Callable[[Any, Any], None]:
    """The closure of an import.

    Raises:
        CaptureError: it would run a module's code.
    """
    code = compiled(ast.Module([node], []), filename, "exec")
    names = [alias.name for alias in node.names]

    def execute(namespace: Any, after: Any) -> None:
        if isinstance(node, ast.Import):
            for name in names:
                check_import(name, namespace.global_names, (), 0)
        else:
            check_import(node.module or "", namespace.global_names, names, node.level)
        core.call_now(exec, code, namespace.global_names, namespace)
        if isinstance(node, ast.Import):
            for name in names:
                guard_import(__import__(name))
                guard_import(sys.modules[name])
            return
        module = guard_import(__import__(node.module or "", namespace.global_names, None, names, node.level))
        for name in names:
            read_attribute(module, name)

    return execute
