"""Statements and deciding expressions of captured functions.

A statement is compiled to a closure frame -> Outcome or None (falls through). Where a Tensor decides, branches.py makes
a node. Where a side of such a condition returns, the statements that follow the `if` belong to the side that falls
through, so each closure is given what follows it (None where that is more than statements: the next trip of a loop).
"""

from __future__ import annotations

import ast
import itertools
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import managers, outside, recursion, rewrite, state
from emberjit.capture.branches import (
    BREAK,
    CONTINUE,
    FAILED,
    ON,
    RETURN,
    End,
    Outcome,
    Undecided,
    become,
    branch,
    decides,
    follow_on,
    fork,
    undecided,
)
from emberjit.capture.loops import loop

Follow = Sequence["Statement"]
Statement = Callable[[Any, Any], Any]


def run_block(block: Follow, frame: Any, follow: Follow | None) -> End:
    """Runs statements in order; `follow` is what comes after the block if it falls through."""
    for i, statement in enumerate(block):
        rest = None if follow is None else [*block[i + 1 :], *follow]
        end: End = statement(frame, rest)
        if isinstance(end, Undecided) and ON in end.ways:
            if rest is not None:
                return follow_on(frame, end, ON, lambda _: Outcome(RETURN, returned(rest, frame)))
            later = block[i + 1 :]
            return follow_on(frame, end, ON, lambda _: run_block(later, frame, None)) if later else end
        if end is not None:
            return end
    return None


def returned(block: Follow, frame: Any) -> Any:
    """What a function returns whose last statements these are."""
    end = run_block(block, frame, ())
    return end.value if isinstance(end, Outcome) else None


# Expressions ---------------------------------------------------------------------------------------------------------


def _choose(frame: Any, test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    if not decides(test):
        return yes() if test else no()
    return branch(frame, test, yes, no)


def choose(test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """The conditional expression. (Expressions have their frame as globals.)"""
    return _choose(sys._getframe(1).f_globals, test, yes, no)


def _first(frame: Any, operands: Sequence[Callable[[], Any]], wanted: bool) -> Any:
    """The first operand whose truth is `wanted`, or the last; those after it are not evaluated."""
    value = operands[0]()
    if len(operands) == 1:
        return value
    sides = [lambda: value, lambda: _first(frame, operands[1:], wanted)]
    return _choose(frame, value, *(sides if wanted else sides[::-1]))


def logical_and(*operands: Callable[[], Any]) -> Any:
    """`and`, whose operands may be tensors."""
    return _first(sys._getframe(1).f_globals, operands, False)


def logical_or(*operands: Callable[[], Any]) -> Any:
    """`or`, whose operands may be tensors."""
    return _first(sys._getframe(1).f_globals, operands, True)


def _in_turn(frame: Any, operands: Sequence[Callable[[], Any]], wanted: bool) -> Any:
    """Whether any operand's truth is `wanted`, as a truth; those after it are not evaluated."""
    value = operands[0]()
    if len(operands) == 1:
        return core.current_capture().truth(value) if decides(value) else bool(value)
    sides = [lambda: wanted, lambda: _in_turn(frame, operands[1:], wanted)]
    return _choose(frame, value, *(sides if wanted else sides[::-1]))


def all_in_turn(*operands: Callable[[], Any]) -> Any:
    """The truth of `and`, whose operands may do more than compute."""
    return _in_turn(sys._getframe(1).f_globals, operands, False)


def any_in_turn(*operands: Callable[[], Any]) -> Any:
    """The truth of `or`, whose operands may do more than compute."""
    return _in_turn(sys._getframe(1).f_globals, operands, True)


def all_true(*operands: Callable[[], Any]) -> Any:
    """The truth of `and`, whose operands only compute, so that all may be evaluated."""
    return _truth(operands, "logical_and", False)


def any_true(*operands: Callable[[], Any]) -> Any:
    """The truth of `or`, whose operands only compute."""
    return _truth(operands, "logical_or", True)


def _truth(operands: Sequence[Callable[[], Any]], op: str, wanted: bool) -> Any:
    value = operands[0]()
    for later in operands[1:]:
        if decides(value):
            value = _both(value, later(), op)
        elif bool(value) is wanted:
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


DECIDERS: dict[str, Callable[..., Any]] = {
    rewrite.CHOOSE: choose,
    rewrite.AND: logical_and,
    rewrite.OR: logical_or,
    rewrite.ALL: all_true,
    rewrite.ANY: any_true,
    rewrite.ALL_IN_TURN: all_in_turn,
    rewrite.ANY_IN_TURN: any_in_turn,
    rewrite.NOT: logical_not,
}


# Statements ----------------------------------------------------------------------------------------------------------


def compile_statement(node: ast.stmt, filename: str) -> Statement:
    """The closure of one statement. What cannot be captured is reported with its line."""
    kind = _STATEMENTS.get(type(node))
    statement = kind(node, filename) if kind else _plain(node, filename)
    line = node.lineno

    def located(frame: Any, follow: Follow | None) -> Any:
        core.current_capture().set_source(filename, line)
        try:
            return statement(frame, follow)
        except core.CaptureError as error:
            state.locate(error, filename, line)
            raise

    return located


def _compile_block(nodes: list[ast.stmt], filename: str) -> Follow:
    return [compile_statement(node, filename) for node in nodes]


def _expression(node: ast.expr, filename: str, test: bool = False) -> Callable[[Any], Any]:
    code = compile(ast.Expression(rewrite.rewrite(node, test)), filename, "eval")
    return lambda frame: eval(code, frame, frame)


def _plain(node: ast.stmt, filename: str) -> Statement:
    code = compile(ast.Module([rewrite.rewrite(node)], []), filename, "exec")

    def execute(frame: Any, follow: Follow | None) -> None:
        exec(code, frame, frame)

    return execute


def _store(target: ast.expr, node: ast.stmt, filename: str) -> Callable[[Any, Any], None]:
    """Assigns a value to the target of a `for` or `with`."""
    assign = ast.copy_location(ast.Assign([target], ast.Name(rewrite.ITEM, ast.Load())), node)
    statement = _plain(ast.fix_missing_locations(assign), filename)

    def store(frame: Any, value: Any) -> None:
        dict.__setitem__(frame, rewrite.ITEM, value)
        statement(frame, None)

    return store


def _refused(what: str, remedy: str) -> Callable[[Any, str], Statement]:
    """A statement that cannot be captured."""

    def compiled(node: ast.stmt, filename: str) -> Statement:
        def execute(frame: Any, follow: Follow | None) -> None:
            raise core.CaptureError(f"{what} cannot be captured into a graph: {remedy}")

        return execute

    return compiled


def _return(node: ast.Return, filename: str) -> Statement:
    value = _expression(node.value, filename) if node.value else None
    return lambda frame, follow: Outcome(RETURN, value(frame) if value else None)


def _assigned(nodes: Sequence[ast.AST]) -> list[str]:
    """Names that statements may assign; comprehensions keep theirs to themselves."""
    names: dict[str, None] = {}
    todo = list(nodes)
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Store, ast.Del)):
            names[part.id] = None
        elif isinstance(part, ast.FunctionDef):
            names[part.name] = None
            continue
        elif isinstance(part, ast.comprehension):
            todo.append(part.iter)
            continue
        todo.extend(ast.iter_child_nodes(part))
    return [name for name in names if not name.startswith("__ember")]


def _jumps(nodes: Sequence[ast.AST]) -> bool:
    def walk(node: ast.AST) -> bool:
        if isinstance(node, (ast.Break, ast.Continue, ast.Return)):
            return True
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            return False
        return any(walk(child) for child in ast.iter_child_nodes(node))

    return any(walk(node) for node in nodes)


def _goes_on(block: Sequence[ast.stmt]) -> bool:
    """Whether what follows statements may be reached."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return _goes_on(last.body) or _goes_on(last.orelse)
    return not isinstance(last, (ast.Return, ast.Raise, ast.Break, ast.Continue))


def _if(node: ast.If, filename: str) -> Statement:
    jumps = _jumps([*node.body, *node.orelse])
    both = _goes_on(node.body) and _goes_on(node.orelse)
    test = _expression(node.test, filename, test=True)
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)

    def execute(frame: Any, follow: Follow | None) -> End:
        condition = test(frame)
        if not decides(condition):
            return run_block(body if condition else orelse, frame, follow)
        if jumps and follow is not None and not both:
            then, otherwise = ([*block, *follow] for block in (body, orelse))
            return fork(
                frame,
                condition,
                lambda: Outcome(RETURN, returned(then, frame)),
                lambda: Outcome(RETURN, returned(otherwise, frame)),
            )
        return _plainly(fork(frame, condition, lambda: run_block(body, frame, None), lambda: run_block(orelse, frame, None)))

    return execute


def _plainly(end: End) -> End:
    return None if isinstance(end, Outcome) and end.kind == ON else end


def _trip(body: Follow, frame: Any) -> End:
    """One trip of a loop."""
    return _plainly(become(frame, run_block(body, frame, None), CONTINUE, ON))


def _leave(frame: Any, end: End, orelse: Follow, follow: Follow | None) -> End:
    """What a loop does after its last trip."""
    if end is None:
        return run_block(orelse, frame, follow)
    if orelse:
        end = follow_on(frame, end, ON, lambda _: run_block(orelse, frame, None))
    return _plainly(become(frame, end, BREAK, ON))


def _for(node: ast.For, filename: str) -> Statement:
    iterable, store = _expression(node.iter, filename), _store(node.target, node, filename)
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)

    def trips(frame: Any) -> End:
        end: End = None
        for item in iterable(frame):

            def trip(_: Any, item: Any = item) -> End:
                store(frame, item)
                return _trip(body, frame)

            end = _plainly(follow_on(frame, end, ON, trip))
            if end is not None and ON not in undecided(end).ways:
                break
        return end

    return lambda frame, follow: _leave(frame, trips(frame), orelse, follow)


def _while(node: ast.While, filename: str) -> Statement:
    names, sets, endless = (
        _assigned([*node.body, node.test]),
        bool(_assigned([node.test])),
        isinstance(node.test, ast.Constant),
    )
    test = _expression(node.test, filename, test=True)
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)

    def tested(frame: Any, condition: Any) -> End:
        return fork(frame, condition, lambda: None, lambda: Outcome(FAILED))

    def setting(frame: Any, condition: Any) -> End:
        """A loop whose test sets variables: it is a part of the trip before."""

        def trip() -> End:
            return follow_on(frame, _trip(body, frame), ON, lambda _: tested(frame, test(frame)))

        end = loop(frame, lambda: True, trip, names, undecided(tested(frame, condition)))
        return _plainly(become(frame, end, FAILED, ON))

    def trips(frame: Any) -> End:
        for number in itertools.count(1):
            condition = test(frame)
            if decides(condition) and sets:
                return setting(frame, condition)
            if decides(condition):
                return _plainly(loop(frame, lambda: test(frame), lambda: _trip(body, frame), names))
            if not condition:
                return None
            before = state.raising("with")
            end = _trip(body, frame)
            if isinstance(end, Undecided) and ON in end.ways:
                return rest(frame, end)
            if end is not None:
                return end
            if endless and state.raising("with") != before and not state.goes_on(number, id(node) in frame.unrolled):
                return rest(frame, undecided(None))
        return None

    def rest(frame: Any, end: Undecided) -> End:
        """The trips after one that a Tensor may have ended; one by one if they need the numbers that Python knows."""
        capture = core.current_capture()
        refused = capture.refused
        if id(node) in frame.unrolled:
            return follow_on(frame, end, ON, lambda _: trips(frame))
        try:
            return _plainly(loop(frame, lambda: test(frame), lambda: _trip(body, frame), names, end))
        except core.CaptureError as error:
            if (endless and len(end.ways) > 1) or isinstance(error, recursion.Found):
                raise
            capture.refused = refused
            frame.unrolled.add(id(node))
        return follow_on(frame, end, ON, lambda _: trips(frame))

    return lambda frame, follow: _leave(frame, trips(frame), orelse, follow)


def _generator(node: ast.FunctionDef, filename: str) -> Statement:
    """A function that yields: Python runs it, with the variables around it as its globals."""
    outer = rewrite.declared(node.body, ast.Nonlocal)
    changed = rewrite.declared(node.body, ast.Global)
    define = _plain(rewrite.generator(node), filename)

    def execute(frame: Any, follow: Follow | None) -> None:
        if changed or any(name in frame.cells for name in outer):
            raise outside.refused("a variable that a generator assigns")
        define(frame, None)

    return execute


def _nonlocal(node: ast.Nonlocal, filename: str) -> Statement:
    def execute(frame: Any, follow: Follow | None) -> None:
        for name in node.names:
            if isinstance(frame.cells.get(name), types.CellType):
                raise outside.refused(f"the variable '{name}'")

    return execute


def _function(node: ast.FunctionDef, filename: str) -> Statement:
    from emberjit.capture import interpret

    if rewrite.yields(node.body):
        return _generator(node, filename)
    source = interpret.Source(node, filename)
    empty = ast.copy_location(ast.FunctionDef(node.name, node.args, [ast.copy_location(ast.Pass(), node)], []), node)
    bare = ast.Module([empty], [])
    code = compile(ast.fix_missing_locations(rewrite.rewrite(bare)), filename, "exec")

    def execute(frame: Any, follow: Follow | None) -> None:
        exec(code, frame, frame)
        frame[node.name] = interpret.Interpreted(source, frame, frame[node.name])

    return execute


def _with(node: ast.With, filename: str) -> Statement:
    contexts = [_expression(item.context_expr, filename) for item in node.items]
    stores = [_store(item.optional_vars, node, filename) if item.optional_vars else None for item in node.items]
    body = _compile_block(node.body, filename)

    def execute(frame: Any, follow: Follow | None) -> End:
        return within(frame, 0)

    def within(frame: Any, i: int) -> End:
        if i == len(contexts):
            return run_block(body, frame, None)
        manager, store = contexts[i](frame), stores[i]
        leave, enter = outside.attribute(manager, "__exit__"), outside.attribute(manager, "__enter__")
        value = state.call(enter)
        waiting = "catching" if managers.may_swallow(leave) else "with"
        before = state.raising(waiting)
        try:
            if store is not None:
                store(frame, value)
            outcome = within(frame, i + 1)
            state.check_raises(waiting, before)
        except core.CaptureError:
            raise
        except BaseException as error:
            if not state.call(leave, type(error), error, error.__traceback__):
                raise
            return None
        state.call(leave, None, None, None)
        return outcome

    return execute


def _try(node: ast.Try, filename: str) -> Statement:
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)
    final = _compile_block(node.finalbody, filename)
    handlers = [
        (_expression(h.type, filename) if h.type else None, h.name, _compile_block(h.body, filename)) for h in node.handlers
    ]

    def handled(frame: Any, error: BaseException) -> End:
        for kinds, name, block in handlers:
            if kinds is not None and not isinstance(error, kinds(frame)):
                continue
            if name is not None:
                dict.__setitem__(frame, name, error)
            try:
                return run_block(block, frame, None)
            finally:
                dict.pop(frame, name, None)
        raise error

    def guarded(frame: Any) -> End:
        before = state.raising("try")
        try:
            outcome = run_block(body, frame, None)
            state.check_raises("try", before)
        except core.CaptureError:
            raise
        except BaseException as error:
            return handled(frame, error)
        return run_block(orelse, frame, None) if outcome is None else outcome

    def execute(frame: Any, follow: Follow | None) -> End:
        before = state.raising("try")
        try:
            outcome = guarded(frame)
            if final:
                state.check_raises("try", before)
        except core.CaptureError:
            raise
        except BaseException:
            ended = run_block(final, frame, None)
            if ended is None:
                raise
            return ended
        return _finally(frame, outcome, lambda: run_block(final, frame, None)) if final else outcome

    return execute


def _finally(frame: Any, end: End, run: Callable[[], End]) -> End:
    """Runs code in all ways in which a block has ended; unless it leaves, what the block wanted happens."""
    for kind in undecided(end).ways:

        def last(value: Any, kind: int = kind) -> End:
            return follow_on(frame, run(), ON, lambda _: Outcome(kind, value))

        end = follow_on(frame, end, kind, last)
    return _plainly(end)


def _match(node: Any, filename: str) -> Statement:
    cases = []
    for i, case in enumerate(node.cases):
        chosen = ast.Assign([ast.Name(rewrite.CASE, ast.Store())], ast.Constant(i))
        cases.append(ast.match_case(case.pattern, case.guard, [ast.copy_location(chosen, node)]))
    choose = _plain(ast.copy_location(ast.Match(node.subject, cases), node), filename)
    bodies = [_compile_block(case.body, filename) for case in node.cases]

    def execute(frame: Any, follow: Follow | None) -> End:
        dict.__setitem__(frame, rewrite.CASE, None)
        choose(frame, None)
        case = frame[rewrite.CASE]
        return None if case is None else run_block(bodies[case], frame, follow)

    return execute


def _assert(node: ast.Assert, filename: str) -> Statement:
    error = ast.Call(ast.Name(rewrite.ASSERTION, ast.Load()), [node.msg] if node.msg else [], [])
    failed = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Raise(error)] if __debug__ else [ast.Pass()], [])
    for part in (failed, *ast.walk(failed)):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return _if(failed, filename)


_OUTER = "return the value and assign it outside."
_STATEMENTS: dict[type, Callable[[Any, str], Statement]] = {
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.Return: _return,
    ast.FunctionDef: _function,
    ast.With: _with,
    ast.Try: _try,
    ast.Assert: _assert,
    ast.Break: lambda node, filename: lambda frame, follow: Outcome(BREAK),
    ast.Continue: lambda node, filename: lambda frame, follow: Outcome(CONTINUE),
    ast.Global: _refused("a `global` statement", _OUTER),
    ast.Nonlocal: _nonlocal,
    ast.ClassDef: _refused("a `class` statement", "define the class outside."),
    ast.AsyncFor: _refused("an `async for`", "use `for`."),
    ast.AsyncWith: _refused("an `async with`", "use `with`."),
    ast.AsyncFunctionDef: _refused("an `async def`", "use `def`."),
}
if hasattr(ast, "Match"):
    _STATEMENTS[ast.Match] = _match
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = _refused("`except*`", "use `except`.")
