"""Finds the syntax tree of a function.

inspect does so at some ten milliseconds a call; here only the function's own lines are parsed. A `def` ends before a
line that is indented no deeper; where such a line is within brackets or a string, what comes before it does not
parse, and the next one is tried. A lambda is found by the positions that its code carries, or, before Python 3.11, in
the tree of the whole file.
"""

from __future__ import annotations

import ast
import functools
import linecache
import sys
import types
from collections.abc import Iterator
from typing import Any

from emberjit.capture.code.signature import parameters


def definition(code: types.CodeType) -> ast.FunctionDef | ast.Lambda | None:
    """The tree of a function's code, with the file's line numbers; None where there is no source."""
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename)
    if not 0 < code.co_firstlineno <= len(lines):
        return None
    node = _lambda(code, lines) if code.co_name == "<lambda>" else _function(code, lines)
    if node is not None:
        _mangle(node, code.co_firstlineno, "".join(lines))
    return node if node is not None and _parameters(node.args) == parameters(code) else None


def _is_private(name: Any) -> bool:
    return isinstance(name, str) and name.startswith("__") and not name.endswith("__") and "." not in name


def _mangle(tree: ast.AST, line: int, text: str) -> None:
    """Gives private names (`__x`) of a function within a class the form that Python gives them (`_Class__x`)."""
    private = [(node, field) for node, field in _named(tree) if _is_private(getattr(node, field))]
    declarations = [node for node in ast.walk(tree) if isinstance(node, (ast.Global, ast.Nonlocal))]
    if not private and not any(_is_private(name) for node in declarations for name in node.names):
        return
    cls = _class_around(line, text).lstrip("_")
    if not cls:
        return
    for node, field in private:
        setattr(node, field, f"_{cls}{getattr(node, field)}")
    for declared in declarations:
        declared.names = [f"_{cls}{name}" if _is_private(name) else name for name in declared.names]


def _named(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """The fields of names that are variables or attributes: neither the function's own, nor keywords of calls."""
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname", "rest"):
            if hasattr(node, field) and not (isinstance(node, ast.keyword) or (node is tree and field == "name")):
                yield node, field


def _class_around(line: int, text: str) -> str:
    """The innermost class that a line of a file is in, or nothing."""
    tree = _tree(text)
    found, todo = "", [] if tree is None else [*ast.iter_child_nodes(tree)]
    while todo:
        node = todo.pop()
        first, last = _lines_of(node)
        if first <= line <= last:
            found = node.name if isinstance(node, ast.ClassDef) else found
            todo += ast.iter_child_nodes(node)
    return found


def _lines_of(node: Any) -> tuple[int, int]:
    """The first and the last line of a node, its decorators' among them; all of them where it has none of its own."""
    decorators = [part.lineno for part in getattr(node, "decorator_list", ())]
    return min([getattr(node, "lineno", 0), *decorators]), getattr(node, "end_lineno", sys.maxsize)


def _parameters(args: ast.arguments) -> list[str]:
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return [arg.arg for arg in [*named, *filter(None, (args.vararg, args.kwarg))]]


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _function(code: types.CodeType, lines: list[str]) -> ast.FunctionDef | None:
    first = code.co_firstlineno - 1
    depth = _indent(lines[first])
    for end in _ends(lines, max(first + 1, _last_line(code)), depth):
        body = "".join(lines[first:end])
        tree = _parsed("\n" * (first - 1) + "if 1:\n" + body if depth else "\n" * first + body)
        if tree is None:
            continue
        node = tree.body[0].body[0] if depth else tree.body[0]  # type: ignore[attr-defined]
        if not isinstance(node, ast.FunctionDef) or node.name != code.co_name:
            return None
        return node
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _ends(lines: list[str], start: int, depth: int) -> Iterator[int]:
    for i in range(start, len(lines)):
        if lines[i].strip() and _indent(lines[i]) <= depth:
            yield i
    yield len(lines)


def _last_line(code: types.CodeType) -> int:
    """The last line that has code in it, or 0 where this Python does not tell."""
    if not hasattr(code, "co_lines"):
        return 0
    inner = [_last_line(item) for item in code.co_consts if isinstance(item, types.CodeType)]
    return max([line or 0 for *_, line in code.co_lines()] + inner)


def _lambda(code: types.CodeType, lines: list[str]) -> ast.Lambda | None:
    if hasattr(code, "co_positions"):
        return _by_position(code, lines) or _in_file(code, "".join(lines))
    return _in_file(code, "".join(lines))


def _extent(code: Any) -> tuple[int, int, int, int] | None:
    """First line and column, last line and column of the body; columns in bytes."""
    full = [p for p in code.co_positions() if None not in p and p[0] and (p[0], p[2]) != (p[1], p[3])]
    if not full:
        return None
    return (*min((p[0], p[2]) for p in full), *max((p[1], p[3]) for p in full))


def _by_position(code: types.CodeType, lines: list[str]) -> ast.Lambda | None:
    extent = _extent(code)
    if extent is None:
        return None
    first, last = code.co_firstlineno - 1, extent[2] - 1
    raw = [line.encode() for line in lines[first : last + 1]]
    start = raw[0].rfind(b"lambda", 0, extent[1] if extent[0] == first + 1 else len(raw[0]))
    if start < 0:
        return None
    tail = raw[-1][extent[3] :].decode()
    raw[-1] = raw[-1][: extent[3]]
    raw[0] = raw[0][start:] if len(raw) > 1 else raw[0][start : extent[3]]
    text = b"".join(raw).decode()
    for closed in range(len(tail) - len(tail.lstrip(" )")) + 1):
        tree = _parsed(first * "\n" + f"({text}{tail[:closed]})")
        if tree is not None and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Lambda):
            return tree.body[0].value
    return None


@functools.lru_cache(maxsize=8)
def _tree(text: str) -> ast.Module | None:
    return _parsed(text)


def _in_file(code: types.CodeType, text: str) -> ast.Lambda | None:
    tree = _tree(text)
    nodes = ast.walk(tree) if tree is not None else ()
    there = [node for node in nodes if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno]
    fitting = [node for node in there if _parameters(node.args) == parameters(code)]
    extent = _extent(code) if hasattr(code, "co_positions") else None
    if extent is not None:
        fitting = [node for node in fitting if _within(extent, node.body)] or fitting
    return fitting[0] if len(fitting) == 1 else None


def _within(extent: tuple[int, int, int, int], node: ast.expr) -> bool:
    end = (node.end_lineno or 0, node.end_col_offset or 0)
    return (node.lineno, node.col_offset) <= extent[:2] and extent[2:] <= end
