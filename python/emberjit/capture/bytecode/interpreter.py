"""Executes the instructions of a frame, one after the other, and leads what they raise to its handlers."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode import user_frames
from emberjit.capture.bytecode.frame import Frame, look_at
from emberjit.capture.bytecode.handlers.table import HANDLERS
from emberjit.capture.code.instructions import Code, Instruction
from emberjit.capture.graph import raises
from emberjit.capture.graph.conditions import End
from emberjit.capture.session import tracebacks
from emberjit.capture.session.errors import locate
from emberjit.capture.session.locations import Location, interpreters, known_positions


def until(frame: Frame, limit: int = -1, enter: bool = False) -> End:
    """Executes until a return or the end of the region, or until `limit` instructions have been executed; `enter`: it
    begins where the region stops."""
    instructions, (inside, stops) = frame.code.instructions, frame.region
    execute_one = _execute if frame.eager else _capture
    if instructions[0].execute is None:
        _link(frame.code)
    while True:
        try:
            while frame.steps != limit:
                at = frame.at
                if at in stops or (inside is not None and at not in inside):
                    if not enter:
                        return None
                    enter = False
                ins = instructions[at]
                frame.at = at + 1
                end = execute_one(frame, ins, at)
                frame.steps += 1
                if end is not None:
                    return end
            return None
        except core.CaptureError as error:
            frame.at = at
            locate(error, frame.code.code.co_filename, ins.line, ins.positions)
            raise
        except BaseException as error:
            frame.at = at
            if not _lead_to_handler(frame, ins, at, error):
                raise
            frame.steps += 1


def _link(code: Code) -> None:
    for ins in code.instructions:
        ins.execute = HANDLERS[ins.name]


def _execute(frame: Frame, ins: Instruction, at: int) -> End:
    """Executes an instruction as Python does."""
    end: End = ins.execute(frame, ins) if frame.handled is None else _handling(frame, ins)
    return end


def _handling(frame: Frame, ins: Instruction) -> End:
    end: End = core.call_handling(frame.handled, ins.execute, frame, ins)
    return end


def _capture(frame: Frame, ins: Instruction, at: int) -> End:
    """Executes an instruction into the current graph."""
    if frame.session is not None:
        frame.session.steps += 1
    if ins.line != frame.line:
        frame.line = ins.line
        core.current_capture().set_source(frame.code.code.co_filename, ins.line)
    if ins.looks_at:
        look_at(frame.stack[-ins.looks_at :], ins.into)
    if frame.code.handlers[at] is not None:
        return _protected(frame, ins, at)
    end: End = ins.execute(frame, ins) if frame.handled is None else _handling(frame, ins)
    return end


def _protected(frame: Frame, ins: Instruction, at: int) -> End:
    """The same within a `try` or a `with`, which must hold no error that only runs of the graph raise."""
    waiting = frame.waiting(at)
    before = raises.pending(waiting)
    try:
        end = _execute(frame, ins, at)
    except core.CaptureError:
        raise
    except BaseException:
        try:
            raises.check_pending(waiting, before)
        except core.CaptureError as refused:
            raise refused from None
        raise
    raises.check_pending(waiting, before)
    return end


def _lead_to_handler(frame: Frame, ins: Instruction, at: int, error: BaseException) -> bool:
    """Goes on at the handler of an error that an instruction has raised, if there is one; the error's traceback shows the
    user's line."""
    caught = frame.unwind(error)
    if frame.eager and not caught:
        frame.let_go()
    again = ins.name == "RERAISE" or (ins.name == "RAISE" and ins.operand == 0 and frame.handled is not None)
    if not again and not (frame.eager and user_frames.shows(error, frame.code, ins.line)):
        user_frames.raise_at(frame.code, at, frame.namespace, error, caught)
        if frame.eager:
            tracebacks.show_user_code(error)
    elif frame.eager and not caught:
        user_frames.keep_variables(error, frame.code, frame.namespace.variables())
    return caught


def _location(python_frame: Any) -> tuple[Any, Location]:
    """The variables and the user's line of the instruction that a Python frame of until() executes."""
    frame, ins = python_frame.f_locals["frame"], python_frame.f_locals["ins"]
    code = frame.code.code
    return frame.namespace, Location(code.co_filename, code.co_name, known_positions(ins.positions, ins.line))


interpreters[until.__code__] = _location
