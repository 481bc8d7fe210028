"""Expressions by which a Tensor may decide: `and`, `or`, `not`, conditional expressions, truth. Rewritten code calls these
functions; its globals are the namespace."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.ast import rewrite
from emberjit.capture.ast.namespace import HELPER_PREFIX
from emberjit.capture.graph.conditions import branch, decides, logical_not
from emberjit.capture.guards.identity import identical
from emberjit.capture.session.engine import watched
from emberjit.values import tree


def _choose(namespace: Any, test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    if not decides(test):
        return watched(yes if watched(bool, test) else no)
    return branch(namespace, test, lambda: watched(yes), lambda: watched(no))


def choose(test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """The conditional expression."""
    return _choose(sys._getframe(1).f_globals, test, yes, no)


def _first(namespace: Any, operands: Sequence[Callable[[], Any]], wanted: bool) -> Any:
    """The first operand whose truth is `wanted`, or the last; those after it are not evaluated."""
    value = watched(operands[0])
    if len(operands) == 1:
        return value
    sides = [lambda: value, lambda: _first(namespace, operands[1:], wanted)]
    return _choose(namespace, value, *(sides if wanted else sides[::-1]))


def logical_and(*operands: Callable[[], Any]) -> Any:
    """`and`, whose operands may be tensors."""
    return _first(sys._getframe(1).f_globals, operands, False)


def logical_or(*operands: Callable[[], Any]) -> Any:
    """`or`, whose operands may be tensors."""
    return _first(sys._getframe(1).f_globals, operands, True)


def _in_turn(namespace: Any, operands: Sequence[Callable[[], Any]], wanted: bool) -> Any:
    """Whether any operand's truth is `wanted`, as a truth; those after it are not evaluated."""
    value = watched(operands[0])
    if len(operands) == 1:
        return core.current_capture().truth(value) if decides(value) else watched(bool, value)
    sides = [lambda: wanted, lambda: _in_turn(namespace, operands[1:], wanted)]
    return _choose(namespace, value, *(sides if wanted else sides[::-1]))


def all_in_turn(*operands: Callable[[], Any]) -> Any:
    """The truth of `and`, whose operands may do more than compute."""
    return _in_turn(sys._getframe(1).f_globals, operands, False)


def any_in_turn(*operands: Callable[[], Any]) -> Any:
    """The truth of `or`, whose operands may do more than compute."""
    return _in_turn(sys._getframe(1).f_globals, operands, True)


def all_true(*operands: Callable[[], Any]) -> Any:
    """The truth of `and`, whose operands only compute if they are of Tensors and numbers, so that all may be evaluated."""
    return _truth(sys._getframe(1).f_globals, operands, "logical_and", False)


def any_true(*operands: Callable[[], Any]) -> Any:
    """The truth of `or` of such operands."""
    return _truth(sys._getframe(1).f_globals, operands, "logical_or", True)


def _truth(namespace: Any, operands: Sequence[Callable[[], Any]], op: str, wanted: bool) -> Any:
    if not all(_only_computes(later, namespace) for later in operands[1:]):
        return _in_turn(namespace, operands, wanted)
    value = watched(operands[0])
    for later in operands[1:]:
        if decides(value):
            value = _both(value, watched(later), op)
        elif watched(bool, value) is wanted:
            return value
        else:
            value = watched(later)
    return value


def _only_computes(operand: Any, namespace: Any) -> bool:
    """Whether an operand is of variables that are Tensors and plain values."""
    names = [name for name in operand.__code__.co_names if not name.startswith(HELPER_PREFIX)]
    return all(name in namespace and type(dict.__getitem__(namespace, name)) in tree.LEAVES for name in names)


def _both(a: Any, b: Any, op: str) -> Any:
    capture = core.current_capture()
    right = capture.truth(b) if isinstance(b, (core.Tensor, core.Number)) else watched(bool, b)
    return core.op_table[op](capture.truth(a), right)


DECIDERS: dict[str, Callable[..., Any]] = {
    rewrite.CHOOSE: choose,
    rewrite.AND: logical_and,
    rewrite.OR: logical_or,
    rewrite.ALL: all_true,
    rewrite.ANY: any_true,
    rewrite.ALL_IN_TURN: all_in_turn,
    rewrite.ANY_IN_TURN: any_in_turn,
    rewrite.NOT: logical_not,
    rewrite.IS: identical,
}
