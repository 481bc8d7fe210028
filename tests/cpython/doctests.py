"""Doctests as test methods: the code of each example is made the body of a function, which may be jitted.

    >>> a, *b = range(5); b      becomes      if True:
                                                  @__jit__
                                                  def __example__():
                                                      global a, b
                                                      a, *b = range(5)
                                                      __show__(b)
                                                  __example__()

So plainly and jitted the same code runs; an example that cannot be a function's body is left as it is.
"""

from __future__ import annotations

import ast
import doctest
import symtable
import sys
from collections.abc import Callable
from typing import Any


def _bound(source: str) -> list[str]:
    """The names that the statements bind, or delete."""
    table = symtable.symtable(source, "<example>", "exec")
    return sorted(s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace())


def as_function(source: str) -> str:
    """The source of an example whose code is a function's."""
    try:
        compile(source, "<example>", "single")
        body = ast.parse(source).body
        names = _bound(source)
        for i, statement in enumerate(body):
            if isinstance(statement, ast.Expr):
                body[i] = ast.Expr(ast.Call(ast.Name("__show__", ast.Load()), [statement.value], []))
        made = ast.parse("if True:\n    @__jit__\n    def __example__(): pass\n    __example__()")
        function = made.body[0].body[0]  # type: ignore[attr-defined]
        function.body = [*([ast.Global(names)] if names else []), *body] or [ast.Pass()]
        text = ast.unparse(ast.fix_missing_locations(made)) + "\n"
        compile(text, "<example>", "single")
    except (SyntaxError, ValueError):
        return source
    return text


def prepared(case: doctest.DocTestCase, jit: Callable[[Any], Any]) -> doctest.DocTestCase:
    """The case with functions for examples, in a namespace of its own."""
    test = case._dt_test  # type: ignore[attr-defined]
    examples = [
        doctest.Example(as_function(e.source), e.want, e.exc_msg, e.lineno, e.indent, e.options) for e in test.examples
    ]
    globs = {**test.globs, "__jit__": jit, "__show__": lambda value: sys.displayhook(value)}
    copied = doctest.DocTest(examples, globs, test.name, test.filename, test.lineno, test.docstring)
    options = case._dt_optionflags, case._dt_setUp, case._dt_tearDown, case._dt_checker  # type: ignore[attr-defined]
    return doctest.DocTestCase(copied, *options)
