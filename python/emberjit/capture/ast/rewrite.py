"""Rewrites expressions so that tensors can decide them and calls can be followed.

What Python would decide by bool() goes through a helper: `and`, `or`, `not`, chained comparisons, conditional
expressions. Calls go through a helper that follows functions written by the user into the graph; attributes through one
that guards them, and the objects of assignments through one that refuses external ones. All else stays as it is, compiled
by Python with the user's file and line, so tracebacks show the user's source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

CALL, SPREAD, AND, OR, NOT, CHOOSE = (
    "__ember_call",
    "__ember_spread",
    "__ember_and",
    "__ember_or",
    "__ember_not",
    "__ember_choose",
)
ALL, ANY = "__ember_all", "__ember_any"  # `and` and `or` of which only the truth matters, of operands that only compute
ALL_IN_TURN, ANY_IN_TURN = "__ember_all_in_turn", "__ember_any_in_turn"  # and of others
ATTRIBUTE, TARGET, AUGMENTED = "__ember_attribute", "__ember_target", "__ember_augmented"
ITEM, CASE = "__ember_item", "__ember_case"  # values: what a `for` or `with` assigns, which case of a `match` fits
LATER = "__ember_later"
SUPER, IS, FUNCTION = "__ember_super", "__ember_is", "__ember_function"
RAISE, ASSERTION = "__ember_raise", "__ember_assertion"
JOINED, FORMATTED, PERCENT = "__ember_joined", "__ember_formatted", "__ember_percent"


def _at(node: Any) -> dict[str, Any]:
    """The position of a node, for another made in its stead."""
    return {
        "lineno": node.lineno,
        "col_offset": node.col_offset,
        "end_lineno": node.end_lineno,
        "end_col_offset": node.end_col_offset,
    }


def _helper(name: str, args: list[ast.expr], node: ast.AST, keywords: list[ast.keyword] | None = None) -> Any:
    position = _at(node)
    return ast.Call(ast.Name(name, ast.Load(), **position), args, keywords or [], **position)


def _located(made: ast.expr, node: ast.AST) -> Any:
    return ast.fix_missing_locations(ast.copy_location(made, node))


def _later(node: ast.expr) -> ast.Lambda:
    marked = ast.arguments([], [], ast.arg(LATER), [], [], None, [])  # as one of the capture's
    return ast.Lambda(ast.fix_missing_locations(ast.copy_location(marked, node)), node, **_at(node))


_COMPUTING = (ast.Name, ast.Constant, ast.UnaryOp, ast.BinOp, ast.Compare, ast.operator, ast.unaryop, ast.cmpop, ast.Load)


def _acts(node: ast.expr) -> bool:
    """Whether evaluating may do more than compute, even of Tensors: then it must not happen unless Python would."""
    return not all(isinstance(part, _COMPUTING) for part in ast.walk(node))


def _own(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """What belongs to a function itself, and not to one within it."""
    for node in nodes:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _own(list(ast.iter_child_nodes(node)))


def _slice_parts(node: ast.expr) -> list[ast.expr]:
    """The expressions in what a subscript has in its brackets."""
    if isinstance(node, ast.Slice):
        return [part for part in (node.lower, node.upper, node.step) if part is not None]
    if isinstance(node, ast.Tuple):
        return [part for item in node.elts for part in _slice_parts(item)]
    return [node]


def yields(body: Sequence[ast.AST]) -> bool:
    """Whether a function of these statements is a generator."""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own(body))


def declared(body: Sequence[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> set[str]:
    """The names that a function declares by `global` or `nonlocal`."""
    return {name for node in _own(body) if isinstance(node, kind) for name in node.names}


class _Rewriter:
    def visit(self, node: Any) -> Any:
        """The rewritten node."""
        visit = _VISITS.get(type(node))
        return self.inner(node) if visit is None else visit(self, node)

    def inner(self, node: Any) -> Any:
        """The node with what is in it rewritten."""
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                value[:] = [self._below(item, node) for item in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self._below(value, node))
        return node

    def _below(self, node: Any, parent: Any) -> Any:
        if not isinstance(node, ast.AST) or not node._fields:
            return node
        if not hasattr(node, "lineno") and "lineno" in node._attributes and hasattr(parent, "lineno"):
            ast.copy_location(node, parent)
        return self.visit(node)

    def test(self, node: ast.expr) -> Any:
        """An expression of which only the truth matters."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return _helper(NOT, [self.test(node.operand)], node)
        if isinstance(node, ast.BoolOp):
            names = (ALL_IN_TURN, ANY_IN_TURN) if any(_acts(value) for value in node.values[1:]) else (ALL, ANY)
            name = names[isinstance(node.op, ast.Or)]
            return _helper(name, [_later(self.test(value)) for value in node.values], node)
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            return self.test(self._chain(node))
        return self.visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return self.inner(node) if node.args else _helper(SUPER, [], node)
        self.inner(node)
        if any(isinstance(arg, ast.Starred) for arg in node.args) or any(part.arg is None for part in node.keywords):
            return self._spread(node)
        return _helper(CALL, [node.func, *node.args], node, node.keywords)

    def _spread(self, node: ast.Call) -> Any:
        """A call with `*` or `**`: of the function, the iterable of its positional arguments and mappings of the others."""
        args: Any = node.args[0].value if len(node.args) == 1 and isinstance(node.args[0], ast.Starred) else None
        parts: list[Any] = [_located(ast.List(node.args, ast.Load()), node) if args is None else args]
        for keyword in node.keywords:
            if keyword.arg is None:
                parts.append(keyword.value)
            else:
                parts.append(_located(ast.Dict([ast.Constant(keyword.arg)], [keyword.value]), node))
        return _helper(SPREAD, [node.func, *parts], node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.inner(node)
        name = ast.Constant(node.attr, **_at(node))
        if isinstance(node.ctx, ast.Load):
            return _helper(ATTRIBUTE, [node.value, name], node)
        node.value = _helper(TARGET, [node.value, name], node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.inner(node)
        if not isinstance(node.ctx, ast.Load):
            node.value = _helper(TARGET, [node.value, ast.Constant("[]", **_at(node))], node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.inner(node)
        if isinstance(node.target, ast.Name):
            node.value = _helper(AUGMENTED, [ast.Name(node.target.id, ast.Load(), **_at(node)), node.value], node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Python does not evaluate the annotations of a function's variables."""
        if node.value is not None:
            return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))
        if isinstance(node.target, ast.Name):
            return ast.copy_location(ast.Pass(), node)
        parts = [node.target.value, *(_slice_parts(node.target.slice) if isinstance(node.target, ast.Subscript) else ())]
        evaluated = ast.Tuple([self.visit(part) for part in parts], ast.Load(), **_at(node))
        return ast.copy_location(ast.Expr(evaluated), node)

    def visit_Delete(self, node: ast.Delete) -> Any:
        """Variables are read first, which raises Python's error where they have no values."""
        read: list[ast.expr] = [
            ast.Name(part.id, ast.Load(), **_at(part)) for part in node.targets if isinstance(part, ast.Name)
        ]
        self.inner(node)
        test = ast.Tuple([*read, ast.Constant(True, **_at(node))], ast.Load(), **_at(node))
        return ast.If(test, [node], [], **_at(node)) if read else node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.inner(node)
        name = AND if isinstance(node.op, ast.And) else OR
        return _helper(name, [_later(value) for value in node.values], node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return _helper(FUNCTION, [self.inner(node)], node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        return self.test(node) if isinstance(node.op, ast.Not) else self.inner(node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        sides = [_later(self.visit(node.body)), _later(self.visit(node.orelse))]
        return _helper(CHOOSE, [self.test(node.test), *sides], node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1:
            return self.visit(self._chain(node))
        self.inner(node)
        (operator,), sides = node.ops, [node.left, *node.comparators]
        if not isinstance(operator, (ast.Is, ast.IsNot)) or any(
            isinstance(s, ast.Constant) and s.value is None for s in sides
        ):
            return node
        same = _helper(IS, sides, node)
        return same if isinstance(operator, ast.Is) else ast.UnaryOp(ast.Not(), same, **_at(node))

    def _chain(self, node: ast.Compare, depth: int = 0) -> Any:
        """a < b < c as a conjunction, in which b is evaluated once."""
        import copy

        middle = node.comparators[0]
        rest = ast.Compare(copy.deepcopy(middle), node.ops[1:], node.comparators[1:])
        if isinstance(middle, (ast.Name, ast.Constant)):
            first = ast.Compare(node.left, node.ops[:1], [middle])
            return _located(ast.BoolOp(ast.And(), [first, self._chain(rest, depth) if len(rest.ops) > 1 else rest]), node)
        names = [f"__ember_left{depth}", f"__ember_middle{depth}"]
        first = ast.Compare(ast.Name(names[0], ast.Load()), node.ops[:1], [ast.Name(names[1], ast.Load())])
        rest.left = ast.Name(names[1], ast.Load())
        both = ast.BoolOp(ast.And(), [first, self._chain(rest, depth + 1) if len(rest.ops) > 1 else rest])
        arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
        return _located(ast.Call(ast.Lambda(arguments, both), [node.left, middle], []), node)

    def visit_Raise(self, node: ast.Raise) -> Any:
        self.inner(node)
        if node.exc is None:
            return node
        given = [node.cause, ast.Constant(True, **_at(node))] if node.cause is not None else []
        return ast.Expr(_helper(RAISE, [node.exc, *given], node), **_at(node))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        return _helper(JOINED, [self.visit(value) for value in node.values], node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        self.inner(node)
        spec = [] if node.format_spec is None else [node.format_spec]
        return _helper(FORMATTED, [node.value, ast.Constant(node.conversion, **_at(node)), *spec], node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        text = isinstance(node.left, ast.JoinedStr) or (isinstance(node.left, ast.Constant) and type(node.left.value) is str)
        self.inner(node)
        return _helper(PERCENT, [node.left, node.right], node) if text and isinstance(node.op, ast.Mod) else node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> Any:
        return ast.copy_location(ast.Global(node.names), node)

    def visit_FunctionDef(self, node: Any) -> Any:
        """Only what happens as the function is defined."""
        node.decorator_list[:] = [self.visit(decorator) for decorator in node.decorator_list]
        self.inner(node.args)
        if node.returns is not None:
            node.returns = self.visit(node.returns)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef


_VISITS: dict[type, Any] = {getattr(ast, name[6:]): visit for name, visit in vars(_Rewriter).items() if name[:6] == "visit_"}


def rewrite(node: Any, test: bool = False) -> Any:
    """The rewritten statement or expression; `test`: an expression of which only the truth matters."""
    rewriter = _Rewriter()
    return rewriter.test(node) if test else rewriter.visit(node)


def generator(node: ast.FunctionDef) -> ast.FunctionDef:
    """A generator to be defined where the variables of the enclosing function are globals."""
    node.body = [rewrite(statement) for statement in node.body]
    return node
