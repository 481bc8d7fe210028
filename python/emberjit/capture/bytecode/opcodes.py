"""What each instruction of CPython 3.11 does to a Run (executor.py)."""

from __future__ import annotations

import builtins
import contextlib
import operator
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode import patterns
from emberjit.capture.bytecode.closures import new_function
from emberjit.capture.calls import spread
from emberjit.capture.code import context_managers
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.code.lookup import defines
from emberjit.capture.graph import raises
from emberjit.capture.graph.conditions import RETURN, YIELD, End, Outcome, logical_not
from emberjit.capture.guards.attributes import read_special
from emberjit.capture.guards.globals_and_closures import check_import, guard_import, read_variable
from emberjit.capture.guards.identity import identical
from emberjit.capture.guards.mutation import refused
from emberjit.capture.guards.targets import check_augmented, check_target
from emberjit.capture.session.session import current_session
from emberjit.capture.state import deferred_strings
from emberjit.capture.state.namespace import NULL, Opaque, is_local, observe_opaque
from emberjit.capture.state.reconstruction import CONSTANTS

if TYPE_CHECKING:
    from emberjit.capture.bytecode.executor import Run

_BINARY = ["add", "and_", "floordiv", "lshift", "matmul", "mul", "mod", "or_", "pow", "rshift", "sub", "truediv", "xor"]
_BINARY_OPS: list[Callable[[Any, Any], Any]] = [getattr(operator, name) for name in _BINARY]
_INPLACE_OPS: list[Callable[[Any, Any], Any]] = [getattr(operator, "i" + name.rstrip("_")) for name in _BINARY]
_COMPARE = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "UNARY_POSITIVE": operator.pos,
    "UNARY_NEGATIVE": operator.neg,
    "UNARY_INVERT": operator.invert,
}
_CONVERSIONS = (-1, ord("s"), ord("r"), ord("a"))


def _nothing(run: Run, ins: Instruction) -> None:
    pass


def _pop_top(run: Run, ins: Instruction) -> None:
    run.stack.pop()


def _copy(run: Run, ins: Instruction) -> None:
    run.push(run.stack[-ins.arg])


def _swap(run: Run, ins: Instruction) -> None:
    run.stack[-1], run.stack[-ins.arg] = run.stack[-ins.arg], run.stack[-1]


def _push_null(run: Run, ins: Instruction) -> None:
    run.push(NULL)


# Variables -----------------------------------------------------------------------------------------------------------


def _load_const(run: Run, ins: Instruction) -> None:
    run.push(ins.value)


def _load_variable(run: Run, ins: Instruction) -> None:
    run.push(run.namespace[ins.value])


def _store_fast(run: Run, ins: Instruction) -> None:
    dict.__setitem__(run.namespace, ins.value, run.stack.pop())


def _delete_fast(run: Run, ins: Instruction) -> None:
    run.namespace[ins.value]
    dict.pop(run.namespace, ins.value)


def _delete_deref(run: Run, ins: Instruction) -> None:
    run.namespace[ins.value]
    cell = run.namespace.cells.get(ins.value, run.namespace)
    if not isinstance(cell, types.CellType):
        dict.pop(cell, ins.value)
        return
    if not run.eager:
        raise refused(f"the variable '{ins.value}'")
    del cell.cell_contents


def _store_deref(run: Run, ins: Instruction) -> None:
    cell = run.namespace.cells.get(ins.value, run.namespace)
    if not isinstance(cell, types.CellType):
        dict.__setitem__(cell, ins.value, run.stack.pop())
        return
    if not run.eager:
        raise refused(f"the variable '{ins.value}'")
    cell.cell_contents = run.stack.pop()


def _load_closure(run: Run, ins: Instruction) -> None:
    run.push(ins.value)


def _load_global(run: Run, ins: Instruction) -> None:
    if ins.arg & 1:
        run.push(NULL)
    try:
        found = read_variable(ins.value, {}, run.namespace.global_names)
    except KeyError:
        found = getattr(builtins, ins.value, NULL)
    if found is NULL:
        raise _undefined(ins.value)
    run.push(found)


def _store_global(run: Run, ins: Instruction) -> None:
    if not run.eager:
        raise refused(f"the global variable '{ins.value}'")
    run.namespace.global_names[ins.value] = run.stack.pop()


def _delete_global(run: Run, ins: Instruction) -> None:
    if not run.eager:
        raise refused(f"the global variable '{ins.value}'")
    if ins.value not in run.namespace.global_names:
        raise _undefined(ins.value)
    del run.namespace.global_names[ins.value]


def _undefined(name: str) -> NameError:
    error = NameError(f"name '{name}' is not defined")
    error.name = name
    return error


# Attributes and items ------------------------------------------------------------------------------------------------


def _load_attr(run: Run, ins: Instruction) -> None:
    owner = run.stack.pop()
    run.push(patterns.attribute(run, owner, ins.value))


def _load_method(run: Run, ins: Instruction) -> None:
    owner = run.stack.pop()
    run.stack += [NULL, patterns.attribute(run, owner, ins.value)]


def _store_attr(run: Run, ins: Instruction) -> None:
    value, owner = run.pop(2)
    run.do(setattr, check_target(owner, ins.value), ins.value, value)


def _delete_attr(run: Run, ins: Instruction) -> None:
    run.do(delattr, check_target(run.stack.pop(), ins.value), ins.value)


def _binary_subscr(run: Run, ins: Instruction) -> None:
    run.push(run.do(operator.getitem, *run.pop(2)))


def _store_subscr(run: Run, ins: Instruction) -> None:
    value, owner, key = run.pop(3)
    run.do(operator.setitem, check_target(owner, "[]"), key, value)


def _delete_subscr(run: Run, ins: Instruction) -> None:
    owner, key = run.pop(2)
    run.do(operator.delitem, check_target(owner, "[]"), key)


# Operators -----------------------------------------------------------------------------------------------------------


def _unary(run: Run, ins: Instruction) -> None:
    run.push(run.do(_UNARY[ins.name], run.stack.pop()))


def _unary_not(run: Run, ins: Instruction) -> None:
    run.push(run.do(logical_not, run.stack.pop()))


def _binary_op(run: Run, ins: Instruction) -> None:
    left, right = run.pop(2)
    if type(left) is str and not run.eager and ins.arg % len(_BINARY_OPS) == _BINARY.index("mod"):
        run.push(run.do(deferred_strings.percent_format, left, right))
    elif ins.arg < len(_BINARY_OPS):
        run.push(run.do(_BINARY_OPS[ins.arg], left, right))
    else:
        run.push(run.do(_INPLACE_OPS[ins.arg - len(_BINARY_OPS)], left, check_augmented(left, right)))


def _compare_op(run: Run, ins: Instruction) -> None:
    run.push(run.do(_COMPARE[ins.value], *run.pop(2)))


def _is_op(run: Run, ins: Instruction) -> None:
    left, right = run.pop(2)
    if (type(left) is Opaque) is not (type(right) is Opaque) and not (_is_known(left) or _is_known(right)):
        observe_opaque()
    run.push(identical(left, right) is not bool(ins.arg))


def _is_known(value: Any) -> bool:
    """Whether a value cannot be what an Opaque stands for."""
    return type(value) in CONSTANTS or core.is_captured(value) or (isinstance(value, type) and not is_local(value))


def _contains_op(run: Run, ins: Instruction) -> None:
    item, container = run.pop(2)
    run.push(run.do(operator.contains, container, item) is not bool(ins.arg))


# Containers ----------------------------------------------------------------------------------------------------------


def _build_tuple(run: Run, ins: Instruction) -> None:
    run.push(tuple(run.pop(ins.arg)))


def _build_list(run: Run, ins: Instruction) -> None:
    run.push(run.pop(ins.arg))


def _build_set(run: Run, ins: Instruction) -> None:
    run.push(run.do(set, run.pop(ins.arg)))


def _build_map(run: Run, ins: Instruction) -> None:
    items = run.pop(2 * ins.arg)
    run.push(run.do(dict, zip(items[::2], items[1::2])))


def _build_const_key_map(run: Run, ins: Instruction) -> None:
    keys = run.stack.pop()
    run.push(dict(zip(keys, run.pop(ins.arg))))


def _build_slice(run: Run, ins: Instruction) -> None:
    run.push(slice(*run.pop(ins.arg)))


def _build_string(run: Run, ins: Instruction) -> None:
    run.push(deferred_strings.join(*run.pop(ins.arg)))


def _format_value(run: Run, ins: Instruction) -> None:
    spec = run.stack.pop() if ins.arg & 4 else ""
    value = run.stack.pop()
    run.push(run.do(deferred_strings.format_value, value, _CONVERSIONS[ins.arg & 3], spec))


def _list_append(run: Run, ins: Instruction) -> None:
    value = run.stack.pop()
    run.top(ins.arg).append(value)


def _set_add(run: Run, ins: Instruction) -> None:
    value = run.stack.pop()
    run.do(run.top(ins.arg).add, value)


def _map_add(run: Run, ins: Instruction) -> None:
    key, value = run.pop(2)
    run.do(run.top(ins.arg).__setitem__, key, value)


def _list_extend(run: Run, ins: Instruction) -> None:
    values = run.stack.pop()
    if not spread.is_iterable(values):
        raise TypeError(f"Value after * must be an iterable, not {core.type_name(values)}")
    run.do(run.top(ins.arg).extend, values)


def _update(run: Run, ins: Instruction) -> None:
    values = run.stack.pop()
    if ins.name == "DICT_UPDATE" and not defines(values, "keys"):
        raise TypeError(f"'{core.type_name(values)}' object is not a mapping")
    run.do(run.top(ins.arg).update, values)


def _dict_merge(run: Run, ins: Instruction) -> None:
    values = run.stack.pop()
    run.do(spread.merge, run.stack[-ins.arg - 2], run.top(ins.arg), values)


def _list_to_tuple(run: Run, ins: Instruction) -> None:
    run.push(tuple(run.stack.pop()))


# Jumps ---------------------------------------------------------------------------------------------------------------


def _jump(run: Run, ins: Instruction) -> None:
    run.at = ins.target


def _jump_backward(run: Run, ins: Instruction) -> End:
    return run.again(ins.target)


def _pop_jump_if_true(run: Run, ins: Instruction) -> End:
    return run.decide(run.stack.pop(), ins, True)


def _pop_jump_if_false(run: Run, ins: Instruction) -> End:
    return run.decide(run.stack.pop(), ins, False)


def _jump_if_true_or_pop(run: Run, ins: Instruction) -> End:
    return run.decide(run.stack.pop(), ins, True, keep=True)


def _jump_if_false_or_pop(run: Run, ins: Instruction) -> End:
    return run.decide(run.stack.pop(), ins, False, keep=True)


def _pop_jump_if_none(run: Run, ins: Instruction) -> None:
    if run.stack.pop() is None:
        run.at = ins.target


def _pop_jump_if_not_none(run: Run, ins: Instruction) -> None:
    if run.stack.pop() is not None:
        run.at = ins.target


def _get_iter(run: Run, ins: Instruction) -> None:
    run.push(run.do(iter, run.stack.pop()))


def _for_iter(run: Run, ins: Instruction) -> None:
    iterator = run.stack[-1]
    try:
        run.push(run.do(next, iterator))
    except StopIteration:
        run.stack.pop()
        run.at = ins.target


def _return_value(run: Run, ins: Instruction) -> Outcome:
    return Outcome(RETURN, run.stack.pop())


# Calls ---------------------------------------------------------------------------------------------------------------


def _names(run: Run) -> tuple[str, ...]:
    """Those of keyword arguments: KW_NAMES, PRECALL and CALL follow each other."""
    before = run.code.instructions[run.at - 3] if run.at > 2 else None
    return run.code.code.co_consts[before.arg] if before is not None and before.name == "KW_NAMES" else ()


def _call(run: Run, ins: Instruction) -> None:
    names = _names(run)
    values = run.pop(ins.arg)
    first, second = run.pop(2)
    if first is not NULL:
        function, values = first, [second, *values]
    else:
        function = second
    plain = len(values) - len(names)
    run.call(function, tuple(values[:plain]), dict(zip(names, values[plain:])))


def _call_function_ex(run: Run, ins: Instruction) -> None:
    kwargs = dict(run.stack.pop()) if ins.arg & 1 else {}
    given, function = run.stack.pop(), run.stack.pop()
    args = run.do(spread.positional, function, given)
    run.stack.pop()  # NULL
    run.call(function, args, kwargs)


def _make_function(run: Run, ins: Instruction) -> None:
    code = run.stack.pop()
    closure = run.stack.pop() if ins.arg & 8 else ()
    annotations = run.stack.pop() if ins.arg & 4 else ()
    kwdefaults = run.stack.pop() if ins.arg & 2 else None
    defaults = run.stack.pop() if ins.arg & 1 else None
    notes = dict(zip(annotations[::2], annotations[1::2]))
    if closure:
        return run.define(code, defaults, kwdefaults, notes)
    made = new_function(code, run.namespace.global_names, code.co_name, defaults, (), kwdefaults, notes)
    session = current_session()
    if session is not None:
        session.created[id(made)] = made
    run.push(made)


def _import_name(run: Run, ins: Instruction) -> None:
    level, names = run.pop(2)
    found = __import__, ins.value, run.namespace.global_names, None, names, level
    if run.eager:
        return run.push(run.do(*found))
    check_import(ins.value, run.namespace.global_names, names or (), level)
    run.push(guard_import(core.call_now(*found)))


def _import_from(run: Run, ins: Instruction) -> None:
    module = run.stack[-1]
    with contextlib.suppress(AttributeError):
        return run.push(patterns.attribute(run, module, ins.value))
    name, path = (getattr(module, part, None) for part in ("__name__", "__file__"))
    where = f"{name or '<unknown module name>'!r} ({path or 'unknown location'})"
    raise ImportError(f"cannot import name {ins.value!r} from {where}", name=name, path=path)


# Generators ----------------------------------------------------------------------------------------------------------


def _yield_value(run: Run, ins: Instruction) -> Outcome:
    if run.outer is not None:
        raise core.CaptureError("a `yield` under a condition on a Tensor cannot be captured into a graph.")
    return Outcome(YIELD, run.stack.pop())


def _get_yield_from_iter(run: Run, ins: Instruction) -> None:
    if not hasattr(run.stack[-1], "send"):
        _get_iter(run, ins)


def _send(run: Run, ins: Instruction) -> None:
    value, source = run.stack.pop(), run.stack[-1]
    try:
        run.push(run.do(next, source) if value is None else run.do(source.send, value))
    except StopIteration as stop:
        run.stack[-1] = stop.value
        run.at = ins.target


# Exceptions and `with` -----------------------------------------------------------------------------------------------


def _push_exc_info(run: Run, ins: Instruction) -> None:
    error = run.stack.pop()
    run.stack += [run.handled, error]
    run.handled = error


def _pop_except(run: Run, ins: Instruction) -> None:
    run.handled = run.stack.pop()


def _check_exc_match(run: Run, ins: Instruction) -> None:
    kinds = run.stack.pop()
    run.push(raises.catches(run.stack[-1], kinds))


def _reraise(run: Run, ins: Instruction) -> None:
    error = run.stack.pop()
    core.call_handling(error, _raise, error)  # its context stays as it is


def _raise(error: BaseException) -> None:
    raise error


def _raise_varargs(run: Run, ins: Instruction) -> None:
    if ins.arg == 0:
        handled = sys.exc_info()[1]
        if handled is None:
            raise RuntimeError("No active exception to reraise")
        raise handled
    cause = run.stack.pop() if ins.arg == 2 else None
    run.do(raises.throw, run.stack.pop(), cause, ins.arg == 2)


def _load_assertion_error(run: Run, ins: Instruction) -> None:
    run.push(AssertionError)


def _before_with(run: Run, ins: Instruction) -> None:
    manager = run.stack.pop()
    context_managers.check_manager(manager)
    leave, enter = read_special(manager, "__exit__"), read_special(manager, "__enter__")
    run.push(leave)
    run.call(enter, (), {})


def _with_except_start(run: Run, ins: Instruction) -> None:
    leave, error = run.stack[-4], run.stack[-1]
    run.call(leave, (type(error), error, error.__traceback__), {})


# How many values from the top an instruction observes; those that only move values observe none.
OPERANDS = {
    **dict.fromkeys(("GET_ITER", "FOR_ITER", "LOAD_ATTR", "LOAD_METHOD", "UNPACK_SEQUENCE", "UNPACK_EX", "GET_LEN"), 1),
    **dict.fromkeys((*_UNARY, "UNARY_NOT", "BEFORE_WITH", "RERAISE", "DELETE_ATTR", "LIST_EXTEND", "SET_ADD"), 1),
    **dict.fromkeys(("SET_UPDATE", "DICT_UPDATE", "DICT_MERGE", "MATCH_MAPPING", "MATCH_SEQUENCE", "LIST_TO_TUPLE"), 1),
    **dict.fromkeys(("BINARY_OP", "BINARY_SUBSCR", "COMPARE_OP", "CONTAINS_OP", "STORE_ATTR", "DELETE_SUBSCR"), 2),
    **dict.fromkeys(("CHECK_EXC_MATCH", "FORMAT_VALUE", "MAP_ADD", "MATCH_KEYS", "RAISE_VARARGS", "IMPORT_FROM"), 2),
    **dict.fromkeys(("STORE_SUBSCR", "MATCH_CLASS"), 3),
    **dict.fromkeys(("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"), 1),
    **dict.fromkeys(("GET_YIELD_FROM_ITER", "CALL_FUNCTION_EX"), 1),
    "SEND": 2,
    **dict.fromkeys((f"POP_JUMP_{way}_IF_{what}" for way in ("FORWARD", "BACKWARD") for what in ("TRUE", "FALSE")), 1),
    "WITH_EXCEPT_START": 4,
}

HANDLERS: dict[str, Callable[[Any, Instruction], End]] = {
    **dict.fromkeys(("NOP", "RESUME", "RETURN_GENERATOR", "PRECALL", "KW_NAMES", "MAKE_CELL", "COPY_FREE_VARS"), _nothing),
    "POP_TOP": _pop_top,
    "COPY": _copy,
    "SWAP": _swap,
    "PUSH_NULL": _push_null,
    "LOAD_CONST": _load_const,
    "LOAD_FAST": _load_variable,
    "LOAD_DEREF": _load_variable,
    "STORE_FAST": _store_fast,
    "DELETE_FAST": _delete_fast,
    "DELETE_DEREF": _delete_deref,
    "STORE_DEREF": _store_deref,
    "LOAD_CLOSURE": _load_closure,
    "LOAD_GLOBAL": _load_global,
    "STORE_GLOBAL": _store_global,
    "DELETE_GLOBAL": _delete_global,
    "LOAD_ATTR": _load_attr,
    "LOAD_METHOD": _load_method,
    "STORE_ATTR": _store_attr,
    "DELETE_ATTR": _delete_attr,
    "BINARY_SUBSCR": _binary_subscr,
    "STORE_SUBSCR": _store_subscr,
    "DELETE_SUBSCR": _delete_subscr,
    **dict.fromkeys(_UNARY, _unary),
    "UNARY_NOT": _unary_not,
    "BINARY_OP": _binary_op,
    "COMPARE_OP": _compare_op,
    "IS_OP": _is_op,
    "CONTAINS_OP": _contains_op,
    "BUILD_TUPLE": _build_tuple,
    "BUILD_LIST": _build_list,
    "BUILD_SET": _build_set,
    "BUILD_MAP": _build_map,
    "BUILD_CONST_KEY_MAP": _build_const_key_map,
    "BUILD_SLICE": _build_slice,
    "BUILD_STRING": _build_string,
    "FORMAT_VALUE": _format_value,
    "LIST_APPEND": _list_append,
    "SET_ADD": _set_add,
    "MAP_ADD": _map_add,
    "LIST_EXTEND": _list_extend,
    "SET_UPDATE": _update,
    "DICT_UPDATE": _update,
    "DICT_MERGE": _dict_merge,
    "LIST_TO_TUPLE": _list_to_tuple,
    "UNPACK_SEQUENCE": patterns.unpack_sequence,
    "UNPACK_EX": patterns.unpack_ex,
    **dict.fromkeys(("JUMP_FORWARD", "JUMP_BACKWARD_NO_INTERRUPT"), _jump),
    "JUMP_BACKWARD": _jump_backward,
    **dict.fromkeys(("POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_BACKWARD_IF_TRUE"), _pop_jump_if_true),
    **dict.fromkeys(("POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_BACKWARD_IF_FALSE"), _pop_jump_if_false),
    **dict.fromkeys(("POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_BACKWARD_IF_NONE"), _pop_jump_if_none),
    **dict.fromkeys(("POP_JUMP_FORWARD_IF_NOT_NONE", "POP_JUMP_BACKWARD_IF_NOT_NONE"), _pop_jump_if_not_none),
    "JUMP_IF_TRUE_OR_POP": _jump_if_true_or_pop,
    "JUMP_IF_FALSE_OR_POP": _jump_if_false_or_pop,
    "GET_ITER": _get_iter,
    "FOR_ITER": _for_iter,
    "RETURN_VALUE": _return_value,
    "CALL": _call,
    "CALL_FUNCTION_EX": _call_function_ex,
    "MAKE_FUNCTION": _make_function,
    "IMPORT_NAME": _import_name,
    "IMPORT_FROM": _import_from,
    "YIELD_VALUE": _yield_value,
    "GET_YIELD_FROM_ITER": _get_yield_from_iter,
    "SEND": _send,
    "PUSH_EXC_INFO": _push_exc_info,
    "POP_EXCEPT": _pop_except,
    "CHECK_EXC_MATCH": _check_exc_match,
    "RERAISE": _reraise,
    "RAISE_VARARGS": _raise_varargs,
    "LOAD_ASSERTION_ERROR": _load_assertion_error,
    "LOAD_BUILD_CLASS": lambda run, ins: run.push(builtins.__build_class__),
    "BEFORE_WITH": _before_with,
    "WITH_EXCEPT_START": _with_except_start,
    "GET_LEN": patterns.get_len,
    "MATCH_MAPPING": patterns.match_mapping,
    "MATCH_SEQUENCE": patterns.match_sequence,
    "MATCH_KEYS": patterns.match_keys,
    "MATCH_CLASS": patterns.match_class,
}
