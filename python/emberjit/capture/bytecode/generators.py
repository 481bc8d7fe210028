"""Generators of captured code: their bodies run by the executor, step by step, as the code that uses them asks for values,
so that what they read is guarded and what they may not do is refused before it is done.
"""

from __future__ import annotations

import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.bytecode import executor
from emberjit.capture.code import SUPPORTED, instructions, source
from emberjit.capture.graph import conditions
from emberjit.capture.state.namespace import new_namespace


def supports(code: types.CodeType) -> bool:
    """Whether calls of a function make a Generator."""
    return SUPPORTED and source.is_generator(code) and executor.knows(code)


class Generator:
    """What a call of a generator function returns."""

    def __init__(self, code: types.CodeType, cells: dict[str, Any], global_names: dict[str, Any], variables: dict[str, Any]):
        self.__name__, self.gi_code = code.co_name, code
        self._run: executor.Run | None = executor.Run(
            instructions.decoded(code), new_namespace(code, cells, global_names, variables), [], 0
        )
        self._started = self._running = False

    def __iter__(self) -> Generator:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    def __reduce__(self) -> Any:
        raise TypeError("a generator cannot be copied")

    @property
    def gi_frame(self) -> Any:
        """Its position, or None when it is through, as of Python's generators."""
        return None if self._run is None else types.SimpleNamespace(f_lasti=self._run.steps)

    def send(self, value: Any) -> Any:
        """Goes on, with `value` as what the last `yield` returns, to the next `yield`."""
        if self._run is not None:
            if not self._started and value is not None:
                raise TypeError("can't send non-None value to a just-started generator")
            self._run.push(value)
        return self._resume(None)

    def throw(self, error: Any, value: Any = None, traceback: Any = None) -> Any:
        """Goes on with an exception at the last `yield`."""
        if isinstance(error, type):
            error = value if isinstance(value, BaseException) else error() if value is None else error(value)
        return self._resume(error)

    def close(self) -> None:
        """Ends it at the last `yield`."""
        if self._run is None or not self._started:
            self._run = None
            return
        try:
            self.throw(GeneratorExit())
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError("generator ignored GeneratorExit")

    def _resume(self, error: BaseException | None) -> Any:
        run = self._run
        if self._running:
            raise ValueError("generator already executing")
        if run is None or (error is not None and not self._started):
            self._run = None
            raise error if error is not None else StopIteration
        self._started = self._running = True
        try:
            if error is not None:
                run.at -= 1
                if not run.unwind(error):
                    raise error
            outcome = run.until()
        except StopIteration as stop:
            self._run = None
            raise RuntimeError("generator raised StopIteration") from stop
        except BaseException:
            self._run = None
            raise
        finally:
            self._running = False
        if isinstance(outcome, conditions.Outcome) and outcome.kind == conditions.YIELD:
            return outcome.value
        self._run = None
        if isinstance(outcome, conditions.Undecided):
            raise core.CaptureError("a generator ends where a Tensor decides, which cannot be captured into a graph.")
        raise StopIteration(outcome.value) if outcome is not None and outcome.value is not None else StopIteration
