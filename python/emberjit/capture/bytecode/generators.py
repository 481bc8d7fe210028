"""Generators of captured code: their bodies run by the executor, step by step, as the code that uses them asks for values,
so that what they read is guarded and what they may not do is refused before it is done.
"""

from __future__ import annotations

import itertools
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.bytecode.interpreter import until
from emberjit.capture.code import signature
from emberjit.capture.code.decoding import decoded, is_decodable
from emberjit.capture.graph import conditions
from emberjit.capture.guards.attributes import get_attribute
from emberjit.capture.session.engine import engine
from emberjit.capture.session.session import current_session
from emberjit.capture.state.namespace import new_namespace


def supports(code: types.CodeType) -> bool:
    """Whether calls of a function make a Generator."""
    return signature.is_generator(code) and is_decodable(code)


class Generator:
    """What a call of a generator function returns."""

    stands_for = types.GeneratorType
    _frame: Frame | None = None
    _started = False

    def __init__(self, code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]):
        self.__name__, self.__qualname__, self.gi_code = code.co_name, code.co_qualname, code
        self._frame = Frame(decoded(code), new_namespace(code, cells, global_names, variables), [], 0)
        self._running = False

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
        return self._running

    @property
    def gi_yieldfrom(self) -> Any:
        """What the `yield from` gives values of at which it waits, or None."""
        return self._inner()

    def send(self, value: Any) -> Any:
        """Goes on, with `value` as what the last `yield` returns, to the next `yield`."""
        if self._frame is not None:
            if not self._started and value is not None:
                raise TypeError("can't send non-None value to a just-started generator")
            self._frame.stack.append(value)
        return self._resume(None)

    def throw(self, error: Any, value: Any = None, traceback: Any = None) -> Any:
        """Goes on with an exception at the last `yield`; one of `yield from` passes it on."""
        inner = self._inner()
        if inner is None:
            return self._resume(_exception(error, value, traceback))
        throw = None if _is_exit(error) else get_attribute(inner, "throw", None)
        if throw is None:
            raised = self._close_inner(inner) if _is_exit(error) else None
            return self._resume(_exception(error, value, traceback) if raised is None else raised)
        given = tuple(itertools.takewhile(lambda part: part is not None, (value, traceback)))
        try:
            return self._within(throw, error, *given)
        except StopIteration as stop:
            frame: Any = self._frame
            frame.stack[-1] = stop.value
            frame.at = frame.code.instructions[frame.at - 2].target  # of SEND
            return self._resume(None)
        except core.CaptureError:
            raise
        except BaseException as raised:
            return self._resume(raised)

    def close(self) -> None:
        """Ends it at the last `yield`; that of `yield from` before."""
        if self._frame is None or not self._started:
            self._frame = None
            return
        inner = self._inner()
        error = None if inner is None else self._close_inner(inner)
        try:
            self._resume(GeneratorExit() if error is None else error)
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError("generator ignored GeneratorExit")

    def waits(self) -> bool:
        """Whether it is within a `try` or a `with`, which Python would leave if it ended."""
        frame = self._frame
        return self._started and frame is not None and frame.code.handlers[frame.at - 1] is not None

    def _inner(self) -> Any:
        """What the `yield from` gives values of at which it waits, or None."""
        frame = self._frame
        if frame is None or not self._started or self._running:
            return None
        ins = frame.code.instructions[frame.at - 1]
        return frame.stack[-1] if ins.name == "YIELD" and ins.operand else None

    def _close_inner(self, inner: Any) -> BaseException | None:
        """Closes what `yield from` gives values of; returns the error that this raises."""
        try:
            self._within(_close, inner)
        except core.CaptureError:
            raise
        except BaseException as raised:
            return raised
        return None

    def _within(self, function: Any, *args: Any) -> Any:
        """Calls something while it counts as running."""
        self._running = True
        try:
            return engine().call(function, *args)
        finally:
            self._running = False

    def _resume(self, error: BaseException | None) -> Any:
        frame = self._frame
        if self._running:
            raise ValueError("generator already executing")
        if frame is None or (error is not None and not self._started):
            self._frame = None
            raise error if error is not None else StopIteration
        session = current_session()
        if session is not None and not self._started:
            session.generators.append(self)
        self._started = self._running = True
        try:
            if error is not None:
                frame.at -= 1
                if not frame.unwind(error):
                    raise error
            outcome = until(frame)
        except StopIteration as stop:
            self._frame = None
            raise RuntimeError("generator raised StopIteration") from stop
        except BaseException:
            self._frame = None
            raise
        finally:
            self._running = False
        if isinstance(outcome, conditions.Outcome) and outcome.kind == conditions.YIELD:
            return outcome.value
        self._frame = None
        if isinstance(outcome, conditions.Undecided):
            raise core.CaptureError("a generator ends where a Tensor decides, which cannot be captured into a graph.")
        raise StopIteration(outcome.value) if outcome is not None and outcome.value is not None else StopIteration


def _close(iterator: Any) -> None:
    close = get_attribute(iterator, "close", None)
    if close is not None:
        engine().call(close)


def _is_exit(error: Any) -> bool:
    return issubclass(error, GeneratorExit) if isinstance(error, type) else isinstance(error, GeneratorExit)


def _exception(error: Any, value: Any, traceback: Any) -> BaseException:
    """What throw() raises, given its arguments."""
    if traceback is not None and not isinstance(traceback, types.TracebackType):
        raise TypeError("throw() third argument must be a traceback object")
    if isinstance(error, BaseException):
        if value is not None:
            raise TypeError("instance exception may not have a separate value")
        return error
    if not (isinstance(error, type) and issubclass(error, BaseException)):
        raise TypeError(f"exceptions must be classes or instances deriving from BaseException, not {core.type_name(error)}")
    if isinstance(value, error):
        return value
    args = () if value is None else value if isinstance(value, tuple) else (value,)
    made: BaseException = engine().call(error, *args)
    return made
