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
            return self.apply(self.as_input(values[0]))
        return tuple(self.apply(self.as_input(value)) for value in values)

    def as_input(self, value: Any) -> Any:
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
    """Operations, neighbours merged where they can be."""
    merged: list[Operation] = []
    for operation in operations:
        then = getattr(merged[-1], "then", None) if merged else None
        together = then and then(operation)
        merged[-1 if together else len(merged) :] = [together or operation]
    return merged


def steps(operations: Sequence[Operation]) -> list[tuple[Operation, Operation]]:
    """Operations, each with the function to call: between those that accept views, arrays stay views."""
    calls: list[tuple[Operation, Any]] = []
    views = False
    for operation in operations:
        before, views = views, getattr(operation, "views", False)
        if before and not views:
            calls.append((operation, _packed))
        calls.append((operation, operation.viewed if views else operation))  # type: ignore[attr-defined]
    return [*calls, (calls[-1][0], _packed)] if views else calls


def _packed(*values: Any) -> tuple[Any, ...]:
    return tuple(map(packed, values))


def not_random(function: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a function as one that draws no random numbers, as MindSpore's decorator does. Pipelines compute the same with
    it and without.

    Args:
        function: the function.

    Returns:
        The function itself, with the attribute random set to False.

    Examples:
        >>> @transforms.not_random
        ... def double(x):
        ...     return x * 2
        >>> double(np.array([1, 2])), double.random
        (array([2, 4]), False)
    """
    function.random = False  # type: ignore[attr-defined]
    return function
