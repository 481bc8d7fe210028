"""Control flow of captured functions.

A statement is compiled to a closure frame -> Outcome or None (falls through). Under a condition that is a tensor both
sides are run into graphs of their own. Where a side returns, the statements that follow the `if` belong to the side that
falls through, so each closure is given what follows it.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture import rewrite, tree

Follow = Sequence["Statement"]
Statement = Callable[[Any, Follow], Any]


class Outcome(NamedTuple):
    """Why a block ended before its end."""

    kind: str  # "return", "break" or "continue"
    value: Any = None


class _Absent:
    """The value of a variable that only some paths set."""

    def __repr__(self) -> str:
        return "<not set on every path>"


ABSENT = _Absent()


def run_block(block: Follow, frame: Any, follow: Follow = ()) -> Outcome | None:
    """Runs statements in order; `follow` is what comes after the block if it falls through."""
    for i, statement in enumerate(block):
        rest = [*block[i + 1 :], *follow] if getattr(statement, "branches", False) else ()
        outcome: Outcome | None = statement(frame, rest)
        if outcome is not None:
            return outcome
    return None


def decides(value: Any) -> bool:
    """Whether a condition is left to the graph: a captured tensor, or a number computed from one."""
    if isinstance(value, core.Number):
        return not value.known
    return isinstance(value, core.Tensor) and value._captured


# Expressions ---------------------------------------------------------------------------------------------------------


def logical_and(*operands: Callable[[], Any]) -> Any:
    """`and`, whose operands may be tensors."""
    value = operands[0]()
    for later in operands[1:]:
        if decides(value):
            value = _both(value, later(), "logical_and")
        elif not value:
            return value
        else:
            value = later()
    return value


def logical_or(*operands: Callable[[], Any]) -> Any:
    """`or`, whose operands may be tensors."""
    value = operands[0]()
    for later in operands[1:]:
        if decides(value):
            value = _both(value, later(), "logical_or")
        elif value:
            return value
        else:
            value = later()
    return value


def _both(a: Any, b: Any, op: str) -> Any:
    capture = core.current_capture()
    right = capture.truth(b) if isinstance(b, (core.Tensor, core.Number)) else bool(b)
    return core.op_table[op](capture.truth(a), right)


def logical_not(value: Any) -> Any:
    """`not`, whose operand may be a tensor."""
    if not decides(value):
        return not value
    return core.op_table["logical_not"](core.current_capture().truth(value))


def choose(test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """The conditional expression."""
    if not decides(test):
        return yes() if test else no()
    return branch(test, lambda: [yes()], lambda: [no()])[0]


# Branches ------------------------------------------------------------------------------------------------------------


class _Side(NamedTuple):
    """What one side of a branch left: values, their leaves, and the graph that computes those a graph can."""

    values: list[Any]
    leaves: list[list[Any]]
    types: list[list[Any]]
    graph: Any


class _Mismatch(TypeError):
    """The sides of a branch give things that no graph value can be both of."""


def branch(test: Any, yes: Callable[[], Any], no: Callable[[], Any], drop: bool = False) -> list[Any]:
    """An If node. Each side gives a list of values; leaves that differ in type are brought to one type by running the
    sides again. Values that can't be brought together are ABSENT afterwards if `drop`, else an error."""
    capture = core.current_capture()
    condition = capture.truth(test)
    targets: dict[tuple[int, int], Any] = {}
    dropped: set[int] = set()
    while True:
        a, b = (_run_side(capture, side, targets, dropped) for side in (yes, no))
        found = False
        for i in range(len(a.values)):
            try:
                wanted = {} if i in dropped else _disagreements(a, b, i)
            except _Mismatch:
                if not drop:
                    raise
                dropped.add(i)
                found = True
                continue
            found = found or bool(wanted)
            targets.update(wanted)
        if not found:
            return _join(capture, condition, a, b, dropped)


def _run_side(capture: Any, run: Callable[[], list[Any]], targets: dict[tuple[int, int], Any], dropped: set[int]) -> _Side:
    capture.begin_graph("branch", [])
    try:
        values = run()
        leaves = [[] if i in dropped else list(tree.leaves(value)) for i, value in enumerate(values)]
        for (i, k), wanted in targets.items():
            if i not in dropped:
                leaves[i][k] = capture.convert(leaves[i][k], wanted)
        types = [[capture.type_of(leaf) if tree.is_graph_value(leaf) else None for leaf in row] for row in leaves]
        results = [leaf for row, kinds in zip(leaves, types) for leaf, kind in zip(row, kinds) if kind is not None]
        return _Side(values, leaves, types, capture.end_graph(results))
    except BaseException:
        capture.abandon_graph()
        raise


def _disagreements(a: _Side, b: _Side, i: int) -> dict[tuple[int, int], Any]:
    left, right = a.values[i], b.values[i]
    if tree.structure(left) != tree.structure(right):
        raise _Mismatch(
            f"the two sides of a condition on a Tensor give {left!r} and {right!r}: let both give the same structure."
        )
    wanted: dict[tuple[int, int], Any] = {}
    for k, (x, y) in enumerate(zip(a.types[i], b.types[i])):
        if x is None and y is None and _same(a.leaves[i][k], b.leaves[i][k]):
            continue
        if x is None or y is None:
            raise _Mismatch(
                f"the two sides of a condition on a Tensor give {a.leaves[i][k]!r} and {b.leaves[i][k]!r}: a value that "
                "is neither Tensor nor number must be the same on both sides."
            )
        if x != y:
            wanted[i, k] = _common(x, y)
    return wanted


def _common(a: Any, b: Any) -> Any:
    if a.is_tensor != b.is_tensor:
        return a if a.is_tensor else b
    if a.is_tensor:
        raise _Mismatch(f"the two sides of a condition on a Tensor give {a} and {b}: shapes and dtypes must agree.")
    return a if a.is_float else b


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and bool(a == b))


def _refill(value: Any, leaves: Any) -> Any:
    return tree.rebuild(value, lambda _: next(leaves))


def _join(capture: Any, condition: Any, a: _Side, b: _Side, dropped: set[int]) -> list[Any]:
    joined = iter(capture.if_else(condition, a.graph, b.graph))
    values: list[Any] = []
    for i, value in enumerate(a.values):
        row = iter([leaf if kind is None else next(joined) for leaf, kind in zip(a.leaves[i], a.types[i])])
        values.append(ABSENT if i in dropped else _refill(value, row))
    return values


# Statements ----------------------------------------------------------------------------------------------------------


def compile_statement(node: ast.stmt, filename: str) -> Statement:
    """The closure of one statement."""
    kind = _STATEMENTS.get(type(node))
    statement = kind(node, filename) if kind else _plain(node, filename)
    line = node.lineno

    def located(frame: Any, follow: Follow) -> Any:
        core.current_capture().set_source(filename, line)
        return statement(frame, follow)

    located.branches = isinstance(node, ast.If)  # type: ignore[attr-defined]
    return located


def _compile_block(nodes: list[ast.stmt], filename: str) -> Follow:
    return [compile_statement(node, filename) for node in nodes]


def _expression(node: ast.expr, filename: str) -> Callable[[Any], Any]:
    code = compile(ast.Expression(rewrite.rewrite(node)), filename, "eval")
    return lambda frame: eval(code, frame, frame)


def _plain(node: ast.stmt, filename: str) -> Statement:
    code = compile(ast.Module([rewrite.rewrite(node)], []), filename, "exec")

    def execute(frame: Any, follow: Follow) -> None:
        exec(code, frame, frame)

    return execute


def _return(node: ast.Return, filename: str) -> Statement:
    value = _expression(node.value, filename) if node.value else None
    return lambda frame, follow: Outcome("return", value(frame) if value else None)


def _assigned(nodes: Sequence[ast.AST]) -> list[str]:
    names: dict[str, None] = {}
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Store, ast.Del)):
                names[part.id] = None
            elif isinstance(part, ast.FunctionDef):
                names[part.name] = None
            elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
                root = part.func.value
                if isinstance(root, ast.Name):
                    names[root.id] = None
            elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name):
                names[part.value.id] = None
    return list(names)


def _jumps(nodes: Sequence[ast.AST]) -> bool:
    def walk(node: ast.AST) -> bool:
        if isinstance(node, (ast.Break, ast.Continue, ast.Return)):
            return True
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            return False
        return any(walk(child) for child in ast.iter_child_nodes(node))

    return any(walk(node) for node in nodes)


def _if(node: ast.If, filename: str) -> Statement:
    test = _expression(node.test, filename)
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)
    names = _assigned([*node.body, *node.orelse])
    jumps = _jumps([*node.body, *node.orelse])

    def execute(frame: Any, follow: Follow) -> Outcome | None:
        condition = test(frame)
        if not decides(condition):
            return run_block(body if condition else orelse, frame, follow)
        if jumps:
            return _branch_returning(condition, body, orelse, frame, follow, f"{filename}:{node.lineno}")

        def side(block: Follow) -> Callable[[], list[Any]]:
            def run() -> list[Any]:
                inner = frame.fork()
                run_block(block, inner)
                return [dict.get(inner, name, ABSENT) for name in names]

            return run

        _store(frame, names, branch(condition, side(body), side(orelse), drop=True))
        return None

    return execute


def _branch_returning(condition: Any, body: Follow, orelse: Follow, frame: Any, follow: Follow, where: str) -> Outcome:
    """A branch on a tensor of which a side returns: what follows the `if` joins the side that falls through."""

    def side(block: Follow) -> Callable[[], list[Any]]:
        def run() -> list[Any]:
            inner = frame.fork()
            outcome = run_block([*block, *follow], inner)
            if outcome is not None and outcome.kind != "return":
                raise TypeError(
                    f"{where}: `{outcome.kind}` under a condition on a Tensor cannot be captured into a graph; compute a "
                    "flag and test it in the loop's condition, or use select."
                )
            return [outcome.value if outcome is not None else None]

        return run

    return Outcome("return", branch(condition, side(body), side(orelse))[0])


def _store(frame: Any, names: list[str], values: list[Any]) -> None:
    for name, value in zip(names, values):
        if value is ABSENT:
            dict.pop(frame, name, None)
        else:
            dict.__setitem__(frame, name, value)


def _loop_body(body: Follow, frame: Any) -> Outcome | None:
    """One trip of a loop that Python runs; answers an Outcome that ends the loop."""
    outcome = run_block(body, frame)
    return None if outcome is None or outcome.kind == "continue" else outcome


def _for(node: ast.For, filename: str) -> Statement:
    iterable = _expression(node.iter, filename)
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)
    assign = ast.Assign([node.target], ast.Name("__ember_item", ast.Load()), lineno=node.lineno)
    store = compile(ast.fix_missing_locations(ast.Module([ast.copy_location(assign, node)], [])), filename, "exec")

    def execute(frame: Any, follow: Follow) -> Outcome | None:
        for item in iterable(frame):
            dict.__setitem__(frame, "__ember_item", item)
            exec(store, frame, frame)
            outcome = _loop_body(body, frame)
            if outcome is not None:
                return outcome if outcome.kind == "return" else None
        return run_block(orelse, frame)

    return execute


def _while(node: ast.While, filename: str) -> Statement:
    test = _expression(node.test, filename)
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)
    names = _assigned([*node.body, node.test])
    jumps = _jumps(node.body)

    def execute(frame: Any, follow: Follow) -> Outcome | None:
        while True:
            condition = test(frame)
            if decides(condition):
                break
            if not condition:
                return run_block(orelse, frame)
            outcome = _loop_body(body, frame)
            if outcome is not None:
                return outcome if outcome.kind == "return" else None
        if jumps:
            raise TypeError(
                f"{filename}:{node.lineno}: break, continue or return in a `while` on a Tensor cannot be captured into a "
                "graph; compute a flag and test it in the loop's condition."
            )
        _graph_while(test, body, names, frame)
        return run_block(orelse, frame)

    return execute


def _graph_while(test: Callable[[Any], Any], body: Follow, names: list[str], frame: Any) -> None:
    """A While node. Carried are the variables that the loop assigns and that exist before it; a number that becomes a
    Tensor in the loop is one from the start, found by running the body again."""
    capture = core.current_capture()
    carried = [name for name in names if dict.__contains__(frame, name)]
    initial = {name: dict.__getitem__(frame, name) for name in carried}
    while True:
        leaves = [leaf for name in carried for leaf in tree.leaves(initial[name])]
        graph_leaves = [leaf for leaf in leaves if tree.is_graph_value(leaf)]

        def enter(params: list[Any]) -> Any:
            inner = frame.fork()
            values = iter(params)
            for name in carried:
                value = tree.rebuild(initial[name], lambda old: next(values) if tree.is_graph_value(old) else old)
                dict.__setitem__(inner, name, value)
            return inner

        condition_graph = _finished(capture, "condition", graph_leaves, lambda p: [capture.truth(test(enter(p)))])
        after: list[Any] = []
        wanted: dict[int, Any] = {}

        def trip(params: list[Any]) -> list[Any]:
            inner = enter(params)
            run_block(body, inner)
            after.clear()
            after.extend(dict.get(inner, name, ABSENT) for name in carried)
            results: list[Any] = []
            for name, value in zip(carried, after):
                if tree.structure(value) != tree.structure(initial[name]):
                    raise TypeError(
                        f"`{name}` changes its structure in a `while` on a Tensor: from {initial[name]!r} to {value!r}."
                    )
                results.extend(leaf for leaf in tree.leaves(value) if tree.is_graph_value(leaf))
            if len(results) != len(params):
                raise TypeError("a variable changes between Tensor or number and something else in a `while` on a Tensor")
            for k, (old, new) in enumerate(zip(params, results)):
                have, get = capture.type_of(old), capture.type_of(new)
                if have != get:
                    try:
                        results[k] = capture.convert(new, have)
                    except (TypeError, ValueError):
                        results[k] = old
                    if (get.is_tensor and not have.is_tensor) or (get.is_float and not have.is_float):
                        wanted[k] = get
                    elif have.is_tensor and get.is_tensor:
                        raise TypeError(
                            f"a Tensor changes from {have} to {get} in a `while` on a Tensor: keep shape and dtype."
                        )
            return results

        body_graph = _finished(capture, "body", graph_leaves, trip)
        if not wanted:
            break
        position = iter(range(len(graph_leaves)))

        def lifted(old: Any) -> Any:
            if not tree.is_graph_value(old):
                return old
            kind = wanted.get(next(position))
            return old if kind is None else capture.convert(old, kind)

        initial = {name: tree.rebuild(initial[name], lifted) for name in carried}
    results = iter(capture.while_loop(graph_leaves, condition_graph, body_graph))
    for name in carried:
        value = tree.rebuild(initial[name], lambda old: next(results) if tree.is_graph_value(old) else old)
        dict.__setitem__(frame, name, value)
    for name in names:
        if name not in carried:
            dict.pop(frame, name, None)


def _finished(capture: Any, name: str, examples: list[Any], run: Callable[[list[Any]], list[Any]]) -> Any:
    params = capture.begin_graph(name, examples)
    try:
        return capture.end_graph(run(params))
    except BaseException:
        capture.abandon_graph()
        raise


def _function(node: ast.FunctionDef, filename: str) -> Statement:
    from emberjit.capture import interpret

    source = interpret.Source(node, filename)
    empty = ast.copy_location(ast.FunctionDef(node.name, node.args, [ast.copy_location(ast.Pass(), node)], []), node)
    bare = ast.Module([empty], [])
    code = compile(ast.fix_missing_locations(rewrite.rewrite(bare)), filename, "exec")

    def execute(frame: Any, follow: Follow) -> None:
        exec(code, frame, frame)
        dict.__setitem__(frame, node.name, interpret.Interpreted(source, frame, dict.__getitem__(frame, node.name)))

    return execute


def _with(node: ast.With, filename: str) -> Statement:
    managers = [_expression(item.context_expr, filename) for item in node.items]
    body = _compile_block(node.body, filename)
    if any(item.optional_vars is not None for item in node.items):
        return _plain(node, filename)

    def execute(frame: Any, follow: Follow) -> Outcome | None:
        with contextlib.ExitStack() as stack:
            for manager in managers:
                stack.enter_context(manager(frame))
            return run_block(body, frame)

    return execute


_STATEMENTS: dict[type, Callable[[Any, str], Statement]] = {
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.Return: _return,
    ast.FunctionDef: _function,
    ast.With: _with,
    ast.Break: lambda node, filename: lambda frame, follow: Outcome("break"),
    ast.Continue: lambda node, filename: lambda frame, follow: Outcome("continue"),
}
