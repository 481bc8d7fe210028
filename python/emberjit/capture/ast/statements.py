"""Statements of captured functions.

A statement is compiled to a closure namespace -> Outcome or None (falls through). Where a Tensor decides,
graph/conditions.py makes a node. Where a side of such a condition returns, the statements that follow the `if` belong to
the side that falls through, so each closure is given what follows it (None where that is more than statements: the next
trip of a loop).
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.ast import rewrite
from emberjit.capture.ast.context_managers import may_swallow
from emberjit.capture.ast.helpers import HELPERS, named
from emberjit.capture.ast.imports import import_statement
from emberjit.capture.ast.namespace import InnerNamespace, TreeNamespace
from emberjit.capture.ast.naming import code_within, compiled, naming
from emberjit.capture.ast.observing import look_into
from emberjit.capture.code import context_managers, signature
from emberjit.capture.graph import raises, recursion
from emberjit.capture.graph.conditions import (
    BREAK,
    CONTINUE,
    FAILED,
    ON,
    RETURN,
    End,
    Outcome,
    Undecided,
    become,
    conditional,
    decides,
    follow_on,
    undecided,
)
from emberjit.capture.graph.loops import loop
from emberjit.capture.guards.attributes import read_special
from emberjit.capture.guards.mutation import refused
from emberjit.capture.session.engine import follow, watched
from emberjit.capture.session.errors import BeginAnew, locate
from emberjit.capture.session.locations import Location, interpreters
from emberjit.capture.session.session import current_session
from emberjit.capture.state.namespace import Closure

_WAITING = tuple(getattr(ast, name) for name in ("Try", "TryStar", "With") if hasattr(ast, name))  # for the end of a block
Block = Sequence["Statement"]
Statement = Callable[[Any, Any], Any]


def run_block(block: Block, namespace: Any, after: Block | None) -> End:
    """Runs statements in order; `after` is what comes after the block if it falls through."""
    for i, statement in enumerate(block):
        rest = None if after is None else [*block[i + 1 :], *after]
        end: End = statement(namespace, rest)
        if isinstance(end, Undecided) and ON in end.ways:
            if rest is not None:
                return follow_on(namespace, end, ON, lambda _: Outcome(RETURN, returned(rest, namespace)))
            later = block[i + 1 :]
            return follow_on(namespace, end, ON, lambda _: run_block(later, namespace, None)) if later else end
        if end is not None:
            return end
    return None


def returned(block: Block, namespace: Any) -> Any:
    """What a function returns whose last statements these are."""
    end = run_block(block, namespace, ())
    return end.value if isinstance(end, Outcome) else None


def compile_statement(node: ast.stmt, filename: str) -> Statement:
    """The closure of one statement. What cannot be captured is reported with its line."""
    kind = _STATEMENTS.get(type(node))
    statement = kind(node, filename) if kind else _plain(node, filename)
    line = node.lineno

    def located(namespace: Any, after: Block | None) -> Any:
        core.current_capture().set_source(filename, line)
        session = current_session()
        if session is not None:
            session.steps += 1
            session.check_steps()
        try:
            return statement(namespace, after)
        except core.CaptureError as error:
            locate(error, filename, line)
            raise

    interpreters[located.__code__] = _location
    return located


def _location(frame: Any) -> tuple[Any, Location]:
    """The variables and the line of the statement that a frame of `located` runs."""
    variables = frame.f_locals
    namespace, line = variables["namespace"], variables["line"]
    return namespace, Location(variables["filename"], namespace.function, (line, line, 0, 0))


def _compile_block(nodes: list[ast.stmt], filename: str) -> Block:
    return [compile_statement(node, filename) for node in nodes]


def _expression(node: ast.expr, filename: str, test: bool = False) -> Callable[[Any], Any]:
    code = compiled(ast.Expression(rewrite.rewrite(node, test)), filename, "eval")
    return lambda namespace: watched(eval, code, namespace, namespace)


def _plain(node: ast.stmt, filename: str) -> Statement:
    code = compiled(ast.Module([rewrite.rewrite(node)], []), filename, "exec")

    def execute(namespace: Any, after: Block | None) -> None:
        watched(exec, code, namespace, namespace)

    return execute


def _store(target: ast.expr, node: ast.stmt, filename: str) -> Callable[[Any, Any], None]:
    """Assigns a value to the target of a `for` or `with`."""
    assign = ast.copy_location(ast.Assign([target], ast.Name(rewrite.ITEM, ast.Load())), node)
    statement = _plain(ast.fix_missing_locations(assign), filename)

    def store(namespace: Any, value: Any) -> None:
        dict.__setitem__(namespace, rewrite.ITEM, value)
        statement(namespace, None)

    return store


def _refused(what: str, remedy: str) -> Callable[[Any, str], Statement]:
    """A statement that cannot be captured."""

    def compiled(node: ast.stmt, filename: str) -> Statement:
        def execute(namespace: Any, after: Block | None) -> None:
            raise core.CaptureError(f"{what} cannot be captured into a graph: {remedy}")

        return execute

    return compiled


def _return(node: ast.Return, filename: str) -> Statement:
    value = _expression(node.value, filename) if node.value else None
    return lambda namespace, after: Outcome(RETURN, value(namespace) if value else None)


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

    def execute(namespace: Any, after: Block | None) -> End:
        condition = test(namespace)
        if not decides(condition):
            return run_block(body if watched(bool, condition) else orelse, namespace, after)
        if jumps and after is not None and not both:
            then, otherwise = ([*block, *after] for block in (body, orelse))
            return conditional(
                namespace,
                condition,
                lambda: Outcome(RETURN, returned(then, namespace)),
                lambda: Outcome(RETURN, returned(otherwise, namespace)),
            )
        return _plainly(
            conditional(
                namespace, condition, lambda: run_block(body, namespace, None), lambda: run_block(orelse, namespace, None)
            )
        )

    return execute


def _plainly(end: End) -> End:
    return None if isinstance(end, Outcome) and end.kind == ON else end


def _trip(body: Block, namespace: Any) -> End:
    """One trip of a loop."""
    return _plainly(become(namespace, run_block(body, namespace, None), CONTINUE, ON))


def _leave(namespace: Any, end: End, orelse: Block, after: Block | None) -> End:
    """What a loop does after its last trip."""
    if end is None:
        return run_block(orelse, namespace, after)
    if orelse:
        end = follow_on(namespace, end, ON, lambda _: run_block(orelse, namespace, None))
    return _plainly(become(namespace, end, BREAK, ON))


def _items(iterable: Any) -> Iterator[Any]:
    """What a `for` goes through."""
    if type(iterable) in (list, tuple, range):
        yield from iterable
        return
    iterator, done = watched(iter, iterable), object()
    while (item := watched(next, iterator, done)) is not done:
        yield item


def _for(node: ast.For, filename: str) -> Statement:
    iterable, store = _expression(node.iter, filename), _store(node.target, node, filename)
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)

    def trips(namespace: Any) -> End:
        end: End = None
        for item in _items(iterable(namespace)):

            def trip(_: Any, item: Any = item) -> End:
                store(namespace, item)
                return _trip(body, namespace)

            end = _plainly(follow_on(namespace, end, ON, trip))
            if end is not None and ON not in undecided(end).ways:
                break
        return end

    return lambda namespace, after: _leave(namespace, trips(namespace), orelse, after)


def _while(node: ast.While, filename: str) -> Statement:
    names, sets, endless = (
        _assigned([*node.body, node.test]),
        bool(_assigned([node.test])),
        isinstance(node.test, ast.Constant),
    )
    test = _expression(node.test, filename, test=True)
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)

    def tested(namespace: Any, condition: Any) -> End:
        return conditional(namespace, condition, lambda: None, lambda: Outcome(FAILED))

    def setting(namespace: Any, condition: Any) -> End:
        """A loop whose test sets variables: it is a part of the trip before."""

        def trip() -> End:
            return follow_on(namespace, _trip(body, namespace), ON, lambda _: tested(namespace, test(namespace)))

        end = loop(namespace, lambda: True, trip, names, undecided(tested(namespace, condition)))
        return _plainly(become(namespace, end, FAILED, ON))

    def trips(namespace: Any) -> End:
        for number in itertools.count(1):
            condition = test(namespace)
            if decides(condition) and sets:
                return setting(namespace, condition)
            if decides(condition):
                return _plainly(loop(namespace, lambda: test(namespace), lambda: _trip(body, namespace), names))
            if not watched(bool, condition):
                return None
            before = raises.pending("with")
            end = _trip(body, namespace)
            if isinstance(end, Undecided) and ON in end.ways:
                return rest(namespace, end)
            if end is not None:
                return end
            if endless and raises.pending("with") != before and not raises.goes_on(number, id(node) in namespace.unrolled):
                return rest(namespace, undecided(None))
        return None

    def rest(namespace: Any, end: Undecided) -> End:
        """The trips after one that a Tensor may have ended; one by one if they need the numbers that Python knows."""
        capture = core.current_capture()
        refused = capture.refused
        if id(node) in namespace.unrolled:
            return follow_on(namespace, end, ON, lambda _: trips(namespace))
        try:
            return _plainly(loop(namespace, lambda: test(namespace), lambda: _trip(body, namespace), names, end))
        except core.CaptureError as error:
            if (endless and len(end.ways) > 1) or isinstance(error, BeginAnew):
                raise
            capture.refused = refused
            namespace.unrolled.add(id(node))
        return follow_on(namespace, end, ON, lambda _: trips(namespace))

    return lambda namespace, after: _leave(namespace, trips(namespace), orelse, after)


def _function(node: ast.FunctionDef, filename: str) -> Statement:
    decorators, node.decorator_list = [_expression(part, filename) for part in node.decorator_list], []
    define = _generator(node, filename) if rewrite.yields(node.body) else _closure(node, filename)

    def execute(namespace: Any, after: Block | None) -> None:
        found = [decorator(namespace) for decorator in decorators]
        define(namespace, None)
        for decorator in reversed(found):
            namespace[node.name] = follow(decorator, namespace[node.name])

    return execute if decorators else define


def _generator(node: ast.FunctionDef, filename: str) -> Statement:
    """A function that yields: Python runs it, with the variables of the enclosing function as its globals."""
    waits = any(isinstance(part, _WAITING) for part in ast.walk(node))
    outer = rewrite.declared(node.body, ast.Nonlocal)
    changed = rewrite.declared(node.body, ast.Global)
    define = _plain(rewrite.generator(node), filename)

    def execute(namespace: Any, after: Block | None) -> None:
        if waits:
            raise core.CaptureError(f"the generator '{node.name}' has a `try` or a `with`, which may end after the graph.")
        if changed or any(name in namespace.cells for name in outer):
            raise refused("a variable that a generator assigns")
        define(namespace, None)
        named(namespace[node.name])

    return execute


def _nonlocal(node: ast.Nonlocal, filename: str) -> Statement:
    def execute(namespace: Any, after: Block | None) -> None:
        for name in node.names:
            if isinstance(namespace.cells.get(name), types.CellType):
                raise refused(f"the variable '{name}'")

    return execute


def _closure(node: ast.FunctionDef, filename: str) -> Statement:
    code = Source(node, filename)
    empty = ast.copy_location(
        ast.FunctionDef(node.name, node.args, [ast.copy_location(ast.Pass(), node)], [], node.returns), node
    )
    bare = ast.Module([empty], [])
    define = compiled(ast.fix_missing_locations(rewrite.rewrite(bare)), filename, "exec")

    inner = [part for part in ast.walk(node) if isinstance(part, ast.NamedExpr) and part.target.id in code.outer]

    def execute(namespace: Any, after: Block | None) -> None:
        if inner:
            raise refused(f"the variable '{inner[0].target.id}'")
        watched(exec, define, namespace, namespace)
        namespace[node.name] = AstClosure(code, namespace, namespace[node.name])

    return execute


def _with(node: ast.With, filename: str) -> Statement:
    contexts = [_expression(item.context_expr, filename) for item in node.items]
    stores = [_store(item.optional_vars, node, filename) if item.optional_vars else None for item in node.items]
    body = _compile_block(node.body, filename)

    def execute(namespace: Any, after: Block | None) -> End:
        return within(namespace, 0)

    def within(namespace: Any, i: int) -> End:
        if i == len(contexts):
            return run_block(body, namespace, None)
        manager, store = contexts[i](namespace), stores[i]
        context_managers.check_manager(manager)
        leave, enter = read_special(manager, "__exit__"), read_special(manager, "__enter__")
        value = follow(enter)
        waiting = "catching" if may_swallow(leave) else "with"
        before = raises.pending(waiting)
        try:
            if store is not None:
                store(namespace, value)
            outcome = within(namespace, i + 1)
            raises.check_pending(waiting, before)
        except core.CaptureError:
            raise
        except BaseException as error:
            raises.check_pending(waiting, before)
            if not watched(bool, follow(leave, type(error), error, error.__traceback__)):
                raise
            return None
        follow(leave, None, None, None)
        return outcome

    return execute


def _try(node: ast.Try, filename: str) -> Statement:
    body, orelse = _compile_block(node.body, filename), _compile_block(node.orelse, filename)
    final = _compile_block(node.finalbody, filename)
    handlers = [
        (_expression(h.type, filename) if h.type else None, h.name, _compile_block(h.body, filename)) for h in node.handlers
    ]

    def handled(namespace: Any, error: BaseException) -> End:
        for kinds, name, block in handlers:
            if kinds is not None and not raises.catches(error, kinds(namespace)):
                continue
            if name is not None:
                namespace[name] = error
            try:
                return run_block(block, namespace, None)
            finally:
                with contextlib.suppress(KeyError):
                    del namespace[name]
        raise error

    def guarded(namespace: Any) -> End:
        before = raises.pending("try")
        try:
            outcome = run_block(body, namespace, None)
            raises.check_pending("try", before)
        except core.CaptureError:
            raise
        except BaseException as error:
            raises.check_pending("try", before)
            return handled(namespace, error)
        return run_block(orelse, namespace, None) if outcome is None else outcome

    def execute(namespace: Any, after: Block | None) -> End:
        before = raises.pending("try")
        try:
            outcome = guarded(namespace)
            if final:
                raises.check_pending("try", before)
        except core.CaptureError:
            raise
        except BaseException:
            raises.check_pending("try" if final else None, before)
            ended = run_block(final, namespace, None)
            if ended is None:
                raise
            return ended
        return _finally(namespace, outcome, lambda: run_block(final, namespace, None)) if final else outcome

    return execute


def _finally(namespace: Any, end: End, run: Callable[[], End]) -> End:
    """Runs code in all ways in which a block has ended; unless it leaves, what the block wanted happens."""
    for kind in undecided(end).ways:

        def last(value: Any, kind: int = kind) -> End:
            return follow_on(namespace, run(), ON, lambda _: Outcome(kind, value))

        end = follow_on(namespace, end, kind, last)
    return _plainly(end)


def _match(node: Any, filename: str) -> Statement:
    if any(isinstance(part, ast.Attribute) for case in node.cases for part in ast.walk(case.pattern)):
        return _refused("a pattern with a dotted name", "compare with `==` or isinstance().")(node, filename)
    cases = []
    for i, case in enumerate(node.cases):
        chosen = ast.Assign([ast.Name(rewrite.CASE, ast.Store())], ast.Constant(i))
        cases.append(ast.match_case(case.pattern, case.guard, [ast.copy_location(chosen, node)]))
    given = ast.copy_location(ast.Name(rewrite.ITEM, ast.Load()), node.subject)
    choose = _plain(ast.copy_location(ast.Match(given, cases), node), filename)
    subject = _expression(node.subject, filename)
    bodies = [_compile_block(case.body, filename) for case in node.cases]

    def execute(namespace: Any, after: Block | None) -> End:
        dict.__setitem__(namespace, rewrite.CASE, None)
        dict.__setitem__(namespace, rewrite.ITEM, look_into(subject(namespace)))
        choose(namespace, None)
        case = namespace[rewrite.CASE]
        return None if case is None else run_block(bodies[case], namespace, after)

    return execute


def _assert(node: ast.Assert, filename: str) -> Statement:
    error = ast.Call(ast.Name(rewrite.ASSERTION, ast.Load()), [node.msg] if node.msg else [], [])
    failed = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Raise(error)] if __debug__ else [ast.Pass()], [])
    for part in (failed, *ast.walk(failed)):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return _if(failed, filename)


# Functions -----------------------------------------------------------------------------------------------------------


class Source:
    """The parsed and compiled form of one function."""

    def __init__(self, node: ast.FunctionDef | ast.Lambda, filename: str, code: types.CodeType | None = None):
        found = code_within(node, filename) if code is None else code
        self.names = frozenset(found.co_varnames + found.co_cellvars) if found is not None else frozenset()  # local ones
        self.name = getattr(node, "name", "<lambda>")
        qualname = getattr(code, "co_qualname", self.name)
        self.qualname = f"{naming.qualname}.<locals>.{self.name}" if code is None else qualname
        if isinstance(node, ast.Lambda):
            body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node)]
        else:
            body = node.body
        self.outer = rewrite.declared(body, ast.Nonlocal)
        around = naming.function, naming.qualname, naming.flags
        naming.function, naming.qualname = self.name, self.qualname
        if code is not None:
            naming.flags = code.co_flags & signature.FUTURE
        try:
            self.body = [compile_statement(statement, filename) for statement in body]
        finally:
            naming.function, naming.qualname, naming.flags = around


class AstClosure(Closure):
    """A function defined inside a captured function; `bare` has its parameters and their defaults."""

    __slots__ = ("__annotations__", "bare", "source")

    def __init__(self, code: Source, namespace: TreeNamespace, bare: types.FunctionType):
        self.source, self.namespace, self.bare = code, namespace, bare
        self.__name__, self.__qualname__, self.__annotations__ = code.name, code.qualname, bare.__annotations__
        self.__module__ = namespace.global_names.get("__name__", "")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return recursion.run_call(self.source, self, args, kwargs, self._run)

    def _run(self, args: Any, kwargs: Any) -> Any:
        names = (*self.namespace.local_names, *self.namespace.variables())
        cells = {**self.namespace.cells, **dict.fromkeys(names, self.namespace)}
        owners = {name: cells.get(name, self.namespace) for name in self.source.outer}
        namespace = InnerNamespace(owners, cells, self.namespace.global_names, self.source.names, HELPERS)
        return run(self.source, namespace, signature.bind(self.bare, args, kwargs))


def run(code: Source, namespace: TreeNamespace, variables: dict[str, Any]) -> Any:
    """Executes a function's body in a fresh namespace and returns what it returns."""
    namespace.update(variables)
    namespace.function, namespace.first = code.name, next(iter(variables), "")
    return returned(code.body, namespace)


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
    ast.Import: import_statement,
    ast.ImportFrom: import_statement,
    ast.Break: lambda node, filename: lambda namespace, after: Outcome(BREAK),
    ast.Continue: lambda node, filename: lambda namespace, after: Outcome(CONTINUE),
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
