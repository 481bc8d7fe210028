"""A scope in which nothing is recorded for gradients."""

from __future__ import annotations

import contextlib
from typing import Any

from emberjit import _emberjit as core


class _no_grad(contextlib.ContextDecorator):
    """While one lives, what is computed is constant for gradients. A decorator as well.

    Raises:
        CaptureError: entered in code that is being captured; there stop_gradient() says so of values.
    """

    def __init__(self) -> None:
        self._pauses: list[Any] = []

    def __enter__(self) -> _no_grad:
        if core.current_capture() is not None:
            raise core.CaptureError("_no_grad is entered in Python only.")
        pause = core.Pause()
        pause.__enter__()
        self._pauses.append(pause)
        return self

    def __exit__(self, *error: Any) -> None:
        self._pauses.pop().__exit__(*error)


class Executor:
    """What programs ask of MindSpore's executor of single ops."""

    def __init__(self) -> None:
        self._scope: _no_grad | None = None

    def sync(self) -> None:
        """Does nothing: ops are done when they return."""

    def clear_res(self) -> None:
        """Does nothing: what gradients need is let go with what it belongs to."""

    def set_async_for_graph(self, flag: bool) -> None:
        """Does nothing: ops are done when they return."""

    def requires_grad(self) -> bool:
        """Whether what is computed now is recorded for gradients."""
        return core.recording() and self.enable_grad()

    def set_grad_flag(self, flag: bool) -> None:
        """Does nothing: grad() itself says when ops are recorded."""

    def enable_grad(self) -> bool:
        """Whether ops may be recorded."""
        return self._scope is None

    def set_enable_grad(self, flag: bool) -> None:
        """Says whether ops may be recorded."""
        if flag and self._scope is not None:
            self._scope.__exit__()
            self._scope = None
        elif not flag and self._scope is None:
            self._scope = _no_grad().__enter__()


_pynative_executor = Executor()
