"""What all bijectors have. A class gives `_forward`, `_inverse` and `_forward_log_jacobian`, log |dg(x) / dx|; that of the
inverse follows: log |d g^-1(y) / dy| = -log |dg(x) / dx| at x = g^-1(y)."""

from __future__ import annotations

from typing import Any, ClassVar

from emberjit._emberjit import Tensor
from emberjit.nn.cell import Cell
from emberjit.nn.probability.values import dtype_of, floating
from emberjit.publish.kinds import FLOATS

_METHODS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


class Bijector(Cell):
    """A differentiable function with an inverse.

    Args:
        is_constant_jacobian: whether its derivative is a constant.
        is_injective: whether no two numbers have one image.
        name: of the bijector; None: that of its class.
        dtype: of its parameters; None: that of the values.
        param: its parameters by name, in "param_dict".

    Raises:
        TypeError: a flag is no bool, or a parameter no number or Tensor.
    """

    _names: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        is_constant_jacobian: bool = False,
        is_injective: bool = True,
        name: str | None = None,
        dtype: Any = None,
        param: dict[str, Any] | None = None,
    ):
        super().__init__()
        self._name = name or type(self).__name__
        for flag, value in (("is_constant_jacobian", is_constant_jacobian), ("is_injective", is_injective)):
            if not isinstance(value, bool):
                raise TypeError(f"For '{self._name}', '{flag}' must be a bool, but got {value!r}.")
        given = (param or {}).get("param_dict", {})
        self._is_constant_jacobian, self._is_injective, self._dtype = is_constant_jacobian, is_injective, dtype
        self._parameters_given = {**given, "name": self._name, "param_dict": dict(given)}
        for key in self._names:
            setattr(self, f"_{key}_value", floating(self._name, key, given[key], dtype_of(given.values(), dtype)))

    @property
    def name(self) -> str:
        """The bijector's name."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of its parameters; None: that of the values."""
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """What it was made with."""
        return self._parameters_given

    @property
    def is_constant_jacobian(self) -> bool:
        """Whether its derivative is a constant."""
        return self._is_constant_jacobian

    @property
    def is_injective(self) -> bool:
        """Whether no two numbers have one image."""
        return self._is_injective

    def extend_repr(self) -> str:
        """The parameters as repr() shows them."""
        return ", ".join(f"{name} = {self._parameters_given[name]}" for name in self._names)

    def forward(self, value: Any) -> Any:
        """g(x).

        Args:
            value: a Tensor of floats.

        Raises:
            TypeError: it is something else.
        """
        return self._forward(*self._operands(value))

    def inverse(self, value: Any) -> Any:
        """g^-1(y); arguments and errors as of forward."""
        return self._inverse(*self._operands(value))

    def forward_log_jacobian(self, value: Any) -> Any:
        """log |dg(x) / dx|; arguments and errors as of forward."""
        return self._forward_log_jacobian(*self._operands(value))

    def inverse_log_jacobian(self, value: Any) -> Any:
        """log |d g^-1(y) / dy|; arguments and errors as of forward."""
        y, *parameters = self._operands(value)
        return -self._forward_log_jacobian(self._inverse(y, *parameters), *parameters)

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a method by its name.

        Raises:
            NotImplementedError: there is no such method.
        """
        if name not in _METHODS:
            raise NotImplementedError(f"{name} is not implemented for {self._name} bijector.")
        return getattr(self, name)(*args, **kwargs)

    def _operands(self, value: Any) -> list[Any]:
        """The value, and the parameters in its dtype."""
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{self._name}', 'value' must be a Tensor, but got {value!r}.")
        if value.dtype not in FLOATS:
            raise TypeError(f"For '{self._name}', the dtype of 'value' must be of floating point, but got {value.dtype}.")
        return [value, *(getattr(self, f"_{name}_value").astype(value.dtype) for name in self._names)]


class Invert(Bijector):
    """The inverse of a bijector, as a bijector.

    Args:
        bijector: the other one.
        name: None or "": "Invert" and the other's name.

    Raises:
        TypeError: bijector is none.
    """

    def __init__(self, bijector: Bijector, name: str = ""):
        if not isinstance(bijector, Bijector):
            raise TypeError(f"For 'Invert', 'bijector' must be a Bijector, but got {type(bijector).__name__}.")
        named = name or f"Invert{bijector.name}"
        given = {"param_dict": bijector.parameters["param_dict"]}
        super().__init__(bijector.is_constant_jacobian, bijector.is_injective, named, bijector.dtype, given)
        self._bijector = bijector

    @property
    def bijector(self) -> Bijector:
        """The other one."""
        return self._bijector

    def forward(self, value: Any) -> Any:
        """The other's inverse."""
        return self._bijector.inverse(value)

    def inverse(self, value: Any) -> Any:
        """The other's forward."""
        return self._bijector.forward(value)

    def forward_log_jacobian(self, value: Any) -> Any:
        """The other's inverse_log_jacobian."""
        return self._bijector.inverse_log_jacobian(value)

    def inverse_log_jacobian(self, value: Any) -> Any:
        """The other's forward_log_jacobian."""
        return self._bijector.forward_log_jacobian(value)
