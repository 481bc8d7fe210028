"""What Cell.set_inputs and enable_dynamic hold the arguments of calls to."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.values.placeholders import Placeholder, Symbol


class InputSignature:
    """Examples of a function's arguments: of all, or of some by name.

    A Tensor must have the dtype and the shape of its example, where that is known; a tuple or list holds items as the
    example's, as far as both go; of anything else the type must be the example's.
    """

    def __init__(self, interface: str, examples: tuple[Any, ...] | dict[str, Any]):
        self.interface, self.examples = interface, examples

    def check_names(self, function: Callable[..., Any]) -> None:
        """
        Raises:
            ValueError: the function has no argument of a name.
        """
        known = list(inspect.signature(function).parameters)
        for name in self.examples if isinstance(self.examples, dict) else ():
            if name not in known:
                raise ValueError(f"For '{self.interface}', '{name}' must be an argument of the function: {known}.")

    def check(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Holds the arguments of a call to it.

        Raises:
            ValueError: another number of arguments, another rank, or a size that its example does not admit.
            TypeError: an argument is of another type or dtype.
        """
        try:
            bound = inspect.signature(function).bind(*args, **kwargs)
        except TypeError as error:
            raise ValueError(f"For '{self.interface}', the call's arguments do not fit: {error}.") from None
        if isinstance(self.examples, dict):
            pairs = [
                (f"'{name}'", self.examples[name], value) for name, value in bound.arguments.items() if name in self.examples
            ]
        else:
            if self.examples and len(bound.args) != len(self.examples):
                raise ValueError(
                    f"For '{self.interface}', the number of arguments must be {len(self.examples)}, but got "
                    f"{len(bound.args)}."
                )
            pairs = [(str(i + 1), example, bound.args[i]) for i, example in enumerate(self.examples)]
        same: dict[Symbol, int] = {}
        for name, example, value in pairs:
            self._check(name, example, value, same)

    def _check(self, name: str, example: Any, value: Any, same: dict[Symbol, int]) -> None:
        kinds = next((kinds for kinds in (core.Tensor, (tuple, list)) if isinstance(example, kinds)), type(example))
        if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
            expected = "a Tensor" if kinds is core.Tensor else f"of {type(example).__name__}"
            raise TypeError(f"For '{self.interface}', argument {name} must be {expected}, but got {type(value).__name__}.")
        if kinds is core.Tensor:
            self._check_tensor(name, example, value, same)
        elif isinstance(example, (tuple, list)):
            for i, (part, item) in enumerate(zip(example, value)):
                self._check(f"{name}[{i}]", part, item, same)

    def _check_tensor(self, name: str, example: Any, value: Any, same: dict[Symbol, int]) -> None:
        if value.dtype != example.dtype:
            raise TypeError(
                f"For '{self.interface}', the dtype of argument {name} must be {example.dtype}, but got {value.dtype}."
            )
        sizes = example.sizes if isinstance(example, Placeholder) else example.shape
        if sizes is None:
            return
        if len(sizes) != len(value.shape) or not all(map(_admitted, sizes, value.shape, [same] * len(sizes))):
            raise ValueError(
                f"For '{self.interface}', the shape of argument {name} must be {list(sizes)}, but got {list(value.shape)}."
            )


def _admitted(known: Any, size: int, same: dict[Symbol, int]) -> bool:
    if isinstance(known, Symbol):
        return known.admits(size) and (not known.unique or same.setdefault(known, size) == size)
    return known is None or known == size
