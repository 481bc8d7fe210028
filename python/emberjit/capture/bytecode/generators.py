"""Generators of captured code: their bodies run by the engine, step by step, as the code that uses them asks for values, so
that what they read is guarded and what they may not do is refused before it is done. A generator of Python's is what holds
to the protocol (PEP 342, PEP 380); nobody runs the rest of one that is let go of.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.interpreter import run, supports, until
from emberjit.capture.code import signature
from emberjit.capture.code.decoding import decoded, is_decodable
from emberjit.capture.graph.conditions import YIELD, Undecided
from emberjit.capture.guards.attributes import get_attribute
from emberjit.capture.session.session import current_session, follow, watched
from emberjit.capture.state.namespace import new_namespace


class Generator:
    """What a call of a generator function returns."""

    stands_for = types.GeneratorType

    def __init__(self, code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]):
        self.__name__, self.__qualname__, self.gi_code = code.co_name, code.co_qualname, code
        self._frame: Any = Frame(decoded(code), new_namespace(code, cells, global_names, variables), [], 0)
        self._thrown: list[Any] = []  # the arguments of throw(), or the exception of close()
        self._steps: Any = _steps(self._frame, self._thrown)

    def __iter__(self) -> Generator:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    def __reduce__(self) -> Any:
        raise TypeError("a generator cannot be copied")

    @property
    def gi_frame(self) -> Any:
        """Its position, or None when it is through, as of Python's generators."""
        return None if self._frame is None else types.SimpleNamespace(f_lasti=self._frame.steps)

    @property
    def gi_running(self) -> bool:
        """Whether it runs now."""
        return bool(self._steps.gi_running)

    @property
    def gi_yieldfrom(self) -> Any:
        """What the `yield from` gives values of at which it waits, or None."""
        return _inner(self._frame) if self._is_within() else None

    def send(self, value: Any) -> Any:
        """Goes on, with `value` as what the last `yield` returns, to the next `yield`."""
        session = current_session()
        if session is not None and self._frame is not None and self._frame.steps == 0:
            session.generators.append(self)
        return self._go_on(self._steps.send, value)

    def throw(self, *error: Any) -> Any:
        """Goes on with an exception at the last `yield`; one of `yield from` passes it on."""
        return self._leave(self._steps.throw, *error)

    def close(self) -> None:
        """Ends it at the last `yield`; that of `yield from` before."""
        self._leave(self._steps.close)

    def waits(self) -> bool:
        """Whether it is within a `try` or a `with`, which Python would leave if it ended."""
        return self._is_within() and self._frame.handlers[self._frame.at - 1] is not None

    def _is_within(self) -> bool:
        """Whether it is at a `yield`."""
        return self._frame is not None and self._frame.steps > 0 and not self.gi_running

    def _leave(self, how: Any, *error: Any) -> Any:
        self._thrown[:] = error or (GeneratorExit,)
        try:
            return self._go_on(watched, how, *error)
        finally:
            self._thrown.clear()

    def _go_on(self, how: Any, *args: Any) -> Any:
        try:
            return how(*args)
        finally:
            if self._steps.gi_frame is None:
                self._frame = None


def runner(code: types.CodeType) -> Callable[..., Any] | None:
    """What runs code, or makes a generator of it that is followed; None of other code whose calls only start it."""
    if signature.is_generator(code) and is_decodable(code):
        return Generator
    if signature.suspends(code):
        return None
    if not supports(code):
        raise core.CaptureError(f"the function '{code.co_name}' has instructions that no graph can hold.")
    return run


def start(code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]) -> Any:
    """Runs code with these variables, or, of a generator, makes the generator."""
    execute: Any = runner(code)
    return execute(code, cells, global_names, variables)


def _steps(frame: Frame, thrown: list[Any]) -> Any:
    """What a generator yields and returns."""
    frame.stack.append(None)
    while True:
        end = core.call_without_frames(until, frame)
        if isinstance(end, Undecided):
            raise core.CaptureError("a generator ends where a Tensor decides, which cannot be captured into a graph.")
        if end is None or end.kind != YIELD:
            return None if end is None else end.value
        value, waits = end.value, True
        while waits:
            waits = False
            try:
                frame.stack.append((yield value))
            except BaseException as error:
                if not thrown:
                    return None
                waits, value = _pass_on(frame, error, thrown)


def _inner(frame: Frame) -> Any:
    """What the `yield from` gives values of at which a generator waits, or None."""
    ins = frame.instructions[frame.at - 1]
    return frame.stack[-1] if ins.name == "YIELD" and ins.operand else None


def _pass_on(frame: Frame, error: BaseException, thrown: list[Any]) -> tuple[bool, Any]:
    """Throws an error into what `yield from` gives values of, if it knows how, else where the generator is; returns whether
    the former yields again, and what."""
    inner = _inner(frame)
    leaves = isinstance(error, GeneratorExit)
    act = None if inner is None else get_attribute(inner, "close" if leaves else "throw", None)
    if act is not None:
        try:
            value = follow(act, *(() if leaves else thrown))
        except StopIteration as stop:
            if not leaves:
                frame.stack[-1] = stop.value
                frame.at = frame.instructions[frame.at - 2].target  # of SEND
                return False, None
            error = stop
        except core.CaptureError:
            raise
        except BaseException as raised:
            error = raised
        else:
            if not leaves:
                return True, value
    frame.at -= 1
    if not frame.unwind(error):
        raise error
    return False, None
