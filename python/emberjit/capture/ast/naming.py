"""Code of syntax trees, with the names that Python gives the functions that the code makes."""

from __future__ import annotations

import _thread
import ast
import types
from typing import Any


class _Naming(_thread._local):
    function = "<module>"  # whose statements are being compiled
    qualname = ""
    flags = 0  # features of `from __future__` that it was compiled with


naming = _Naming()


def compiled(tree: Any, filename: str, mode: str) -> types.CodeType:
    """Code that tracebacks show as the function's."""
    code = compile(tree, filename, mode, naming.flags, dont_inherit=True).replace(co_name=naming.function)
    return _qualified(code, naming.qualname) if naming.qualname and hasattr(code, "co_qualname") else code


def _qualified(code: Any, qualname: str) -> types.CodeType:
    """Code in which the functions that it makes have the qualified names of those within another."""
    inner = [
        _qualified(const.replace(co_qualname=f"{qualname}.<locals>.{const.co_qualname}"), qualname)
        if isinstance(const, types.CodeType)
        else const
        for const in code.co_consts
    ]
    made: types.CodeType = code.replace(co_consts=tuple(inner))
    return made


def code_within(node: Any, filename: str) -> types.CodeType | None:
    """The code of a function within another, as Python compiles it."""
    free = sorted({name for part in ast.walk(node) if isinstance(part, ast.Nonlocal) for name in part.names})
    given = node.args
    args = ast.arguments(
        given.posonlyargs, given.args, given.vararg, given.kwonlyargs, [None for _ in given.kwonlyargs], given.kwarg, []
    )
    inner = ast.FunctionDef(node.name, args, node.body, [])
    outer = ast.FunctionDef(
        "outer", ast.arguments([], [ast.arg(name) for name in free], None, [], [], None, []), [inner], []
    )
    try:
        code = compile(ast.fix_missing_locations(ast.Module([outer], [])), filename, "exec", dont_inherit=True)
    except SyntaxError:
        return None
    for name in ("outer", node.name):
        code = next(part for part in code.co_consts if isinstance(part, types.CodeType) and part.co_name == name)
    return code
