"""Rewrites expressions so that tensors can decide them and calls can be followed.

What Python would decide by bool() goes through a helper: `and`, `or`, `not`, chained comparisons, conditional
expressions. Calls go through a helper that follows functions written by the user into the graph. All else stays as it
is, compiled by Python with the user's file and line, so tracebacks show the user's source.
"""

from __future__ import annotations

import ast
from typing import Any

CALL, AND, OR, NOT, CHOOSE = "__ember_call", "__ember_and", "__ember_or", "__ember_not", "__ember_choose"


def _helper(name: str, args: list[ast.expr], node: ast.AST, keywords: list[ast.keyword] | None = None) -> ast.Call:
    call = ast.Call(ast.Name(name, ast.Load()), args, keywords or [])
    return ast.fix_missing_locations(ast.copy_location(call, node))


def _later(node: ast.expr) -> ast.Lambda:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(nothing, node), node)


class _Rewriter(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "globals"):
            return node
        return _helper(CALL, [node.func, *node.args], node, node.keywords)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        name = AND if isinstance(node.op, ast.And) else OR
        return _helper(name, [_later(value) for value in node.values], node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        return _helper(NOT, [node.operand], node) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        return _helper(CHOOSE, [node.test, _later(node.body), _later(node.orelse)], node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) == 1:
            return self.generic_visit(node)
        parts: list[ast.expr] = []
        left = node.left
        for i, (op, right) in enumerate(zip(node.ops, node.comparators)):
            last = i + 1 == len(node.ops)
            name = f"__ember_middle{i}"
            kept = right if last else ast.NamedExpr(ast.Name(name, ast.Store()), right)
            parts.append(ast.copy_location(ast.Compare(left, [op], [kept]), node))
            left = ast.Name(name, ast.Load())
        return self.visit(ast.fix_missing_locations(ast.copy_location(ast.BoolOp(ast.And(), parts), node)))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node


def rewrite(node: Any) -> Any:
    """The rewritten statement or expression."""
    return ast.fix_missing_locations(_Rewriter().visit(node))
