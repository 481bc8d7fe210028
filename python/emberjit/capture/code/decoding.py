"""Code objects as canonical instructions: decoded by the running version of CPython's decoder, checked, and with the tests
of `while` found that are compiled twice."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from collections.abc import Iterator

from emberjit.capture.code import SUPPORTED, cpython, exits, flow, signature
from emberjit.capture.code.instructions import INSTRUCTIONS, STORES, Code, Damaged, While, count

_OWN = f"emberjit.capture.code.cpython_3{sys.version_info.minor}"
VERSION: cpython.Version | None = importlib.import_module(_OWN).VERSION if SUPPORTED else None
CELL_STORES = ("STORE_CELL", "DELETE_CELL")
_REACHING = ("COPY", "SWAP", "LIST_APPEND", "SET_ADD", "MAP_ADD", "LIST_EXTEND", "SET_UPDATE", "DICT_UPDATE", "DICT_MERGE")
_REJOINING = ("JUMP", "POP")  # what chains of comparisons end with in only one copy of a test


class DamagedCode(ValueError):
    """A code object that CPython could not run, which it takes on trust and then ends the process: it breaks no graph."""


def decoded(code: types.CodeType) -> Code:
    """The decoded form of a code object.

    Raises:
        DamagedCode: CPython could not run it.
        LookupError: it has instructions that functions do not have.
    """
    result = _decoded(code, code.co_filename, code.co_stacksize)
    if isinstance(result, str):
        raise LookupError(result)
    return result


def is_decodable(code: types.CodeType) -> bool:
    """Whether a code object has instructions of functions only, and this version of CPython is known.

    Raises:
        DamagedCode: CPython could not run it.
    """
    return not isinstance(_decoded(code, code.co_filename, code.co_stacksize), str)


@functools.lru_cache(maxsize=4096)
def _decoded(code: types.CodeType, filename: str, room: int) -> Code | str:  # code that differs in these may be equal
    if VERSION is None:
        return f"the bytecode of CPython 3.{sys.version_info.minor} is not known"
    try:
        result = Code(code, *cpython.decode(code, VERSION))
        depths = _check(result)
    except Damaged as error:
        raise DamagedCode(
            f"{filename}:{code.co_firstlineno}: Python could not run the code object of '{code.co_name}', which is damaged: "
            f"{error}."
        ) from None
    except LookupError as error:
        return str(error)
    if VERSION.copies_ends:
        exits.join(result, depths)
    _find_whiles(result)
    return result


def assigns(code: types.CodeType, name: str) -> bool:
    """Whether a function, or one within it, assigns a variable of the enclosing function."""
    if not is_decodable(code):
        return True
    if any(ins.name in CELL_STORES and ins.operand == name for ins in decoded(code).instructions):
        return True
    return any(assigns(item, name) for item in code.co_consts if isinstance(item, types.CodeType))


def _check(code: Code) -> dict[int, int]:
    """Follows the depth of the stack on all ways through the code, which begins with that of generators one deep; returns it
    at each position that they come to.

    Raises:
        Damaged: the code takes what is not on the stack, puts there what it has no room for, comes to a position by ways of
            several depths, or has no end.
    """
    depths, todo = {0: int(signature.suspends(code.code))}, [0]
    room = max(1, code.code.co_stacksize)  # RETURN_CONST has no need of one
    while todo:
        at = todo.pop()
        for after, depth in _depths_after(code, at, depths[at]):
            if after >= len(code.instructions):
                raise Damaged("it has no end")
            if depth > room:
                raise Damaged(f"{code.instructions[at].name} needs a stack of {depth}, but it has one of {room}")
            if after not in depths:
                depths[after] = depth
                todo.append(after)
            elif depths[after] != depth:
                raise Damaged(f"ways of several depths lead to {code.instructions[after].name}")
    for handler in set(code.handlers):
        seen = set()
        while handler is not None:
            if handler in seen:
                raise Damaged("its exception table leads in a circle")
            seen.add(handler)
            handler = code.handlers[handler.target]
    return depths


def _depths_after(code: Code, at: int, depth: int) -> Iterator[tuple[int, int]]:
    """Where execution may go from an instruction, and the depth of the stack there."""
    ins, handler = code.instructions[at], code.handlers[at]
    effect = INSTRUCTIONS[ins.name]
    if ins.name == "MAKE_FUNCTION" and not isinstance(code.instructions[at - 1].operand, types.CodeType):
        raise LookupError("a function is made of what is no constant")
    if ins.name in _REACHING and ins.operand == 0:
        raise Damaged(f"{ins.name} asks for what is above the stack")
    rest = depth - count(effect.takes, ins.operand)
    if rest < 0:
        raise Damaged(f"{ins.name} takes more than there is")
    for after in code.successors(at):
        puts = effect.puts if after != ins.target or effect.jumping is None else effect.jumping
        yield after, rest + count(puts, ins.operand)
    if handler is not None:
        if handler.depth > depth:
            raise Damaged("its exception table expects more than there is")
        yield handler.target, handler.depth + handler.lasti + 1


def _find_whiles(code: Code) -> None:
    """Finds each `while` whose test is compiled twice, before the first trip and after each: the edge back to the body is a
    conditional jump, and what leads to it is made of the source of what comes before the body. `continue` goes to the
    first; here it goes to the second, so that a loop is one region: body, then test."""
    for loop in flow.find_loops(code):
        for latch in sorted(loop.latches):
            if code.instructions[latch].name in ("JUMP_IF", "JUMP_IF_NONE"):
                _note_while(code, loop.header, latch)


def _note_while(code: Code, body: int, latch: int) -> None:
    first, test = _tests(code, body, latch)
    if first == body or test < body:
        return
    tests = [at for at in (*range(first, body), *range(test, latch + 1)) if code.instructions[at].target >= 0]
    simple = all(code.instructions[at].target in (body, latch + 1) for at in tests)
    simple = simple and not any(code.instructions[at].name in STORES for at in range(test, latch + 1))
    statement = code.whiles[body] = While(first, body, test, latch + 1, simple)
    code.tests.update(dict.fromkeys(tests, statement))
    for at in range(body, test):
        ins = code.instructions[at]
        if ins.name in ("JUMP", "JUMP_IF", "JUMP_IF_NONE") and ins.target == first:
            ins.target = test


def _tests(code: Code, body: int, latch: int) -> tuple[int, int]:
    """Where the test before the first trip begins, which ends at `body`, and where its copy does that `latch` ends."""
    i, j, starts = body - 1, latch, (body, latch + 1)
    while i >= 0 and j >= 0:
        a, b = code.instructions[i], code.instructions[j]
        if a.name in _REJOINING:
            i -= 1
        elif b.name in _REJOINING:
            j -= 1
        elif a.positions == b.positions and (min(a.target, b.target) >= 0 or (a.name, a.operand) == (b.name, b.operand)):
            starts = i, j
            i, j = i - 1, j - 1
        else:
            break
    return starts
