"""The base of distributions and bijectors: Cells with a name and parameters, whose calls name a method."""

from __future__ import annotations

from typing import Any, ClassVar

from emberjit.nn.cell import Cell


class Parametrised(Cell):
    """A Cell with a name and parameters.

    Args:
        name: its name.
        dtype: of samples, or of parameters.
        arguments: those of its constructor, by name.
    """

    _kind: ClassVar[str] = ""
    _methods: ClassVar[tuple[str, ...]] = ()  # those that a call may name
    _names: ClassVar[tuple[str, ...]] = ()  # of the parameters

    def __init__(self, name: str, dtype: Any, arguments: dict[str, Any]):
        super().__init__()
        self._name, self._dtype, self._arguments = name, dtype, arguments

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of samples, or of parameters; None: that of the values."""
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments of its constructor, by name."""
        return self._arguments

    def extend_repr(self) -> str:
        """The parameters as repr() shows them."""
        return ", ".join(f"{name} = {self._arguments.get(name)}" for name in self._names)

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a method by its name.

        Raises:
            NotImplementedError: there is no such method.
        """
        if name not in self._methods:
            raise NotImplementedError(f"{name} is not implemented for {self._name} {self._kind}.")
        return getattr(self, name)(*args, **kwargs)
