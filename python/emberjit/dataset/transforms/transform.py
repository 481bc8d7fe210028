"""Transform: the base of the library's operations of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.dataset.recorded import Recorded
from emberjit.dataset.values import packed, to_array

Operation = Callable[..., Any]


class Transform(Recorded):
    """An operation of a row's values. One of one value, applied to several, is applied to each."""

    is_builtin = True
    random = False

    def __init__(self) -> None:
        pass

    def __call__(self, *values: Any) -> Any:
        """The result of one value, or a tuple of those of several.

        Raises:
            RuntimeError: the operation does not apply to it.
        """
        if not values:
            raise ValueError(f"For '{type(self).__name__}', there must be a value, but got none.")
        if len(values) == 1:
            return self.apply(self.taken(values[0]))
        return tuple(self.apply(self.taken(value)) for value in values)

    def taken(self, value: Any) -> Any:
        """A value as the operation gets it: an array."""
        if isinstance(value, (np.ndarray, core.Tensor, int, float, bool, list, tuple, str, bytes, np.generic)):
            return to_array(value)
        raise TypeError(f"For '{type(self).__name__}', a value must be an array, but got {value!r:.200} of {type(value)}.")

    def apply(self, array: Any) -> Any:
        """The operation of one array."""
        raise NotImplementedError

    def refuse(self, why: str) -> RuntimeError:
        """What to raise if the operation does not apply."""
        return RuntimeError(f"For '{type(self).__name__}', {why}.")


def joined(operations: Sequence[Operation]) -> list[Operation]:
    """Operations in turn, neighbours as one where they can be."""
    found: list[Operation] = []
    for each in operations:
        then = getattr(found[-1], "then", None) if found else None
        together = then and then(each)
        found[-1 if together else len(found) :] = [together or each]
    return found


def steps(operations: Sequence[Operation]) -> list[tuple[Operation, Operation]]:
    """Operations in turn, each with what to call: between those that take views arrays stay such."""
    found: list[tuple[Operation, Any]] = []
    views = False
    for each in operations:
        before, views = views, getattr(each, "views", False)
        if before and not views:
            found.append((each, _packed))
        found.append((each, each.viewed if views else each))  # type: ignore[attr-defined]
    return [*found, (found[-1][0], _packed)] if views else found


def _packed(*values: Any) -> tuple[Any, ...]:
    return tuple(map(packed, values))


def not_random(function: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a function as one that draws nothing."""
    function.random = False  # type: ignore[attr-defined]
    return function
