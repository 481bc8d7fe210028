"""Bytecode as canonical instructions: what is decoded, against the dis module, and what each instruction does."""

from __future__ import annotations

import dis
import importlib
import itertools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from all_instructions import (
    calls,
    containers,
    defines_a_class,
    imports,
    loops,
    matches,
    names_and_items,
    operators_and_text,
    raises,
)

import emberjit as ms
from emberjit import Tensor
from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import COMPUTES, HANDLERS, Frame
from emberjit.capture.code import cpython, decoding, flow
from emberjit.capture.code.instructions import INSTRUCTIONS, count

MODULES = (
    *("argparse", "ast", "bdb", "calendar", "collections", "configparser", "contextlib", "copy", "csv", "dataclasses"),
    *("difflib", "dis", "email.message", "enum", "fractions", "functools", "heapq", "html.parser", "inspect"),
    *(
        "ipaddress",
        "json.decoder",
        "logging",
        "mailbox",
        "optparse",
        "os",
        "tarfile",
        "pdb",
        "_pydecimal",
        "pickle",
        "pprint",
        "random",
    ),
    *(
        "re._compiler",
        "shlex",
        "shutil",
        "statistics",
        "string",
        "subprocess",
        "tarfile",
        "tempfile",
        "textwrap",
        "threading",
    ),
    *(
        "tokenize",
        "traceback",
        "typing",
        "unittest.case",
        "urllib.parse",
        "warnings",
        "weakref",
        "xml.dom.minidom",
        "zipfile",
    ),
)
OF_CLASSES = ("LOAD_NAME", "STORE_NAME", "DELETE_NAME", "LOAD_CLASSDEREF", "SETUP_ANNOTATIONS", "IMPORT_STAR")
OF_TYPES = ("CALL_INTRINSIC_2", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_FROM_DICT_OR_DEREF", "LOAD_LOCALS")
NEVER_FOLLOWED = ("GET_AWAITABLE", "GET_AITER", "GET_ANEXT", "BEFORE_ASYNC_WITH", "END_ASYNC_FOR", "ASYNC_GEN_WRAP")
GROUPS = ("CHECK_EG_MATCH", "PREP_RERAISE_STAR")
END_FOR = (0, 1) if sys.version_info >= (3, 13) else (0,)  # with the POP_TOP behind it
PREPARING = ("CACHE", "EXTENDED_ARG", "NOP", *decoding.VERSION.skipped)


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and all within it."""
    yield code
    for item in code.co_consts:
        if isinstance(item, types.CodeType):
            yield from codes(item)


def functions_of(module: str) -> list[types.CodeType]:
    """The code of all functions of a module of the standard library that are made of instructions of functions."""
    loader = importlib.import_module(module).__spec__.loader
    found = [code for code in codes(loader.get_code(module)) if code.co_flags & 2 and code.co_flags & 1]
    others = {*OF_CLASSES, *OF_TYPES, *NEVER_FOLLOWED, *GROUPS}
    others |= {("CALL_INTRINSIC_1", number) for number in (1, 2, 4, 7, 8, 9, 10, 11)}  # of modules, coroutines and types
    plain = [{part for ins in dis.get_instructions(code) for part in (ins.opname, (ins.opname, ins.arg))} for code in found]
    return [code for code, names in zip(found, plain) if others.isdisjoint(names)]


@pytest.mark.parametrize("module", MODULES)
def test_functions_of_the_standard_library_are_decoded(module: str) -> None:
    found = functions_of(module)
    assert found
    for code in found:
        assert decoding.is_decodable(code)


def kept(code: types.CodeType) -> list[dis.Instruction]:
    """The instructions that are not left out, as are those that only end a loop, or have the names of a call's keywords, in
    order; LOAD_GLOBAL is two where it puts a NULL, too."""
    all_of_it = list(dis.get_instructions(code))
    left_out = {at + i for at, ins in enumerate(all_of_it) if ins.opname == "END_FOR" for i in END_FOR}
    left_out |= {at - 1 for at, ins in enumerate(all_of_it) if ins.opname == "CALL_KW"}
    found = [ins for at, ins in enumerate(all_of_it) if ins.opname not in PREPARING and at not in left_out]
    return [ins for ins in found for _ in range(1 + (ins.opname == "LOAD_GLOBAL" and ins.arg & 1))]


def place(instructions: list[Any], at: int) -> Any:
    """The positions of an instruction in the source, or None for the end."""
    return tuple(instructions[at].positions) if at < len(instructions) else None


@pytest.mark.parametrize("module", MODULES)
def test_jumps_and_handlers_lead_where_dis_says(module: str) -> None:
    """In the source; on 3.11, where each instruction is one of CPython's, in the code, too. Later versions split some, whose
    parts are joined again, and copy the ends of functions."""
    for code in functions_of(module):
        instructions, handlers = cpython.decode(code, decoding.VERSION)
        raw = kept(code)

        def position(offset: int, raw: list[Any] = raw) -> int:
            return next((at for at, ins in enumerate(raw) if ins.offset >= offset), len(raw))

        jumping = {*dis.hasjrel, *dis.hasjabs}
        targets = [position(ins.argval) if ins.opcode in jumping else -1 for ins in raw]
        wanted: list[Any] = [None] * len(raw)
        for entry in dis._parse_exception_table(code):  # type: ignore[attr-defined]
            for at in range(position(entry.start), position(entry.end)):
                wanted[at] = position(entry.target), entry.depth, entry.lasti
        if sys.version_info < (3, 12):
            assert [tuple(ins.positions) for ins in raw] == [ins.positions for ins in instructions]
            assert [ins.target for ins in instructions] == targets and handlers == wanted
        jumps = {(place(raw, at), place(raw, target)) for at, target in enumerate(targets) if target >= 0}
        for at, ins in enumerate(raw[1:]):  # a jump over another one that goes back
            if ins.opname == "JUMP_BACKWARD" and targets[at] == at + 2:
                jumps.add((place(raw, at), place(raw, targets[at + 1])))
        caught = {(place(raw, at), place(raw, to[0]), to[1:]) for at, to in enumerate(wanted) if to is not None}
        inlines = any(ins.opname == "LOAD_FAST_AND_CLEAR" for ins in raw)  # a comprehension, whose own handler is left out
        for at, (ins, handler) in enumerate(zip(instructions, handlers)):
            assert ins.target < 0 or (place(instructions, at), place(instructions, ins.target)) in jumps
            if handler is not None and not inlines:
                assert (place(instructions, at), place(instructions, handler[0]), tuple(handler[1:])) in caught


SOME = [names_and_items, operators_and_text, containers, calls, raises, loops, matches, imports]
BROKEN = [defines_a_class]


@pytest.mark.alone  # beside other threads a variable cannot be deleted without a break
@pytest.mark.breaks
def test_each_instruction_does_to_the_stack_what_its_effect_says(monkeypatch: pytest.MonkeyPatch) -> None:
    done: dict[str, bool] = {}

    def run(frame: Any, limit: int, enter: bool) -> Any:
        while frame.steps != limit:
            steps, before, ins = frame.steps, len(frame.stack), frame.instructions[frame.at]
            effect, following = INSTRUCTIONS[ins.name], frame.at + 1
            end = core.Frame.run(frame, steps + 1, enter)
            if frame.steps == steps:
                break
            enter = False
            if frame.at in (following, ins.target):  # not at the handler of an error
                jumped = frame.at == ins.target and effect.jumping is not None
                puts = effect.jumping if jumped else effect.puts
                after = before - count(effect.takes, ins.operand) + count(puts, ins.operand) - (ins.name == "YIELD")
                done[ins.name] = done.get(ins.name, True) and len(frame.stack) == after
            if end is not None:
                return end
        return None

    library = {**globals(), "__name__": "emberjit.checking"}  # so that it is not followed as the user's code
    monkeypatch.setattr(Frame, "run", types.FunctionType(run.__code__, library, "run", None, run.__closure__))
    x = Tensor(np.array([1, 2], np.float32))
    for function in (*SOME, defines_a_class):
        jitted = ms.jit(function, capture_mode="bytecode")
        assert jitted(x).tolist() == jitted(x).tolist() == function(x).tolist()
        assert bool(jitted.breaks) is (function in BROKEN), jitted.breaks
    assert {name for name, fits in done.items() if not fits} <= {"RAISE", "RERAISE"}  # a handler may be what follows
    other = {"CLEAR_LOCAL"} if sys.version_info >= (3, 12) else {"SUPER", "NEW_CELL", "CLEAR_LOCAL"}
    assert done.keys() | {"RAISE", "RERAISE"} == INSTRUCTIONS.keys() - other


def test_no_instruction_has_two_handlers() -> None:
    assert not HANDLERS.keys() & COMPUTES.keys()
    assert HANDLERS.keys() | COMPUTES.keys() <= INSTRUCTIONS.keys()


def two_loops(x):
    while x:
        for i in x:
            if i:
                continue
            while True:
                x -= 1
                if x:
                    break
    return x


def test_loops_are_found_from_the_graph_inner_ones_first() -> None:
    code = decoding.decoded(two_loops.__code__)
    found = flow.loops(code)
    assert [code.instructions[loop.header].line - two_loops.__code__.co_firstlineno for loop in found] == [6, 2, 2]
    assert [code.is_driven(loop.header) for loop in found] == [False, True, False]
    assert found[0].inside < found[1].inside < found[2].inside
    for loop in found:
        assert all(loop.header in code.successors(latch) for latch in loop.latches)


def jump(code: types.CodeType, at: int, argument: int) -> types.CodeType:
    """The code with another argument of the instruction at an offset."""
    raw = bytearray(code.co_code)
    raw[at + 1] = argument
    return code.replace(co_code=bytes(raw))


def test_what_is_entered_at_two_places_is_no_loop() -> None:
    def tests_once(x, y):
        if y:
            x = x + 1
        while True:
            x = x - 1
            x = x * 2

    code = tests_once.__code__
    found = list(dis.get_instructions(code))
    into, following = next(pair for pair in itertools.pairwise(found) if pair[0].opname.startswith("POP_JUMP"))
    last = [ins for ins in found if ins.opname == "LOAD_FAST"][-1]
    changed = jump(code, into.offset, (last.offset - following.offset) // 2)
    assert len(flow.loops(decoding.decoded(code))) == 1
    assert flow.loops(decoding.decoded(changed)) == []


def not_none(x, y=1):
    while x.sum() < 20 and y is not None:
        x = x + 1
    return x


def not_none_first(x, y=1):
    while y is not None and x.sum() < 20:
        x = x + 1
    return x


def none_or(x, y=None):
    while y is None or x.sum() < 20:
        x, y = x + 1, 1
    return x


def itself_not_none(x):
    y = x
    while y is not None and x.sum() < 20:
        x = x + 1
    return x


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", [not_none, not_none_first, none_or, itself_not_none], ids=lambda f: f.__name__)
def test_a_while_that_asks_for_none_is_captured(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for start in (1.0, 30.0, -1.0):
        x = Tensor(np.array([start, start], np.float32))
        assert jitted(x).tolist() == function(x).tolist()
