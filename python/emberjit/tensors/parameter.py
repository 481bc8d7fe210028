"""Parameter and ParameterTuple."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from emberjit._emberjit import Parameter, Tensor
from emberjit.checks import check_instance

__all__ = ["Buffer", "Parameter", "ParameterTuple"]


class ParameterTuple(tuple):  # type: ignore[type-arg]
    """A tuple of Parameters.

    Args:
        parameters: the Parameters, in any iterable.

    Raises:
        TypeError: an item is no Parameter.

    Examples:
        >>> weights = ms.ParameterTuple([Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b")])
        >>> print([weight.name for weight in weights.clone("copy")])
        ['copy.a', 'copy.b']
    """

    def __new__(cls, parameters: Iterable[Any]) -> ParameterTuple:
        items = tuple(parameters)
        for item in items:
            if not isinstance(item, Parameter):
                raise TypeError(f"For 'ParameterTuple', every item must be a Parameter, but got {type(item)}.")
        return super().__new__(cls, items)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """New Parameters with prefixed names. init: "same" copies, "zeros" or "ones" fill, a number fills."""
        return ParameterTuple(parameter.clone(init, f"{prefix}.{parameter.name}") for parameter in self)


class Buffer:
    """A Tensor that an assignment to an attribute of a Cell makes a buffer.

    Args:
        data: the Tensor.
        persistent: whether state dicts have it.

    Raises:
        ValueError: data is None.
        TypeError: data is no Tensor.
    """

    def __init__(self, data: Any, *, persistent: bool = True):
        if data is None:
            raise ValueError("For 'Buffer', 'data' must be a Tensor, but got None.")
        check_instance("Buffer", "data", data, Tensor)
        self.tensor, self.persistent = data, persistent


_Buffer = Buffer  # MindSpore's spelling


def _is_parameter_generated(param_name: Any) -> bool:
    """Whether a name is one that a Parameter gets where none is given."""
    return isinstance(param_name, str) and param_name.partition("#")[0] == "Parameter"
