"""What is shared by functions that communicate: their handles, and that there is nobody to send to."""

from __future__ import annotations

from typing import Any, NoReturn

from emberjit import _emberjit as core


class CommHandle:
    """An operation of several processes that was begun; with one process it is done at once."""

    def wait(self) -> None:
        """Returns when it is done."""

    def is_completed(self) -> bool:
        """Whether it is done."""
        return True


def handle(function: str, async_op: Any) -> CommHandle | None:
    """What an operation returns: a handle if it may go on.

    Raises:
        TypeError: async_op is no bool.
    """
    if not isinstance(async_op, bool):
        raise TypeError(
            f"For '{function}', 'async_op' must be a bool, but got {async_op!r} of type {type(async_op).__name__}."
        )
    return CommHandle() if async_op else None


def check_tensor(function: str, name: str, tensor: Any) -> None:
    """Checks that an argument is a Tensor.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(tensor, core.Tensor):
        raise TypeError(f"For '{function}', '{name}' must be a Tensor, but got {type(tensor).__name__}.")


def named(function: Any, name: str, doc: str) -> Any:
    """A function that refuses to communicate, under its public name."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}\n\n    Raises:\n        RuntimeError: there is no other process.\n    "
    return function


def refuse(function: str) -> NoReturn:
    """Says that there is no other process.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError(
        f"For '{function}', there is no other process: emberjit does not communicate between processes (yet)."
    )
