"""What all bijectors have. A class gives `_forward`, `_inverse` and `_forward_log_jacobian`, log |dg(x) / dx|; that of the
inverse follows: log |d g^-1(y) / dy| = -log |dg(x) / dx| at x = g^-1(y)."""

from __future__ import annotations

from typing import Any

from emberjit._emberjit import Tensor
from emberjit.checks import check_bool, check_instance
from emberjit.nn.probability.parametrised import Parametrised
from emberjit.nn.probability.values import dtype_of, floating
from emberjit.publish.kinds import FLOATS


class Bijector(Parametrised):
    """Base of the bijectors, differentiable functions g with an inverse, as changes of variables need them. Methods forward,
    inverse, forward_log_jacobian, log |dg(x) / dx|, and inverse_log_jacobian take a Tensor; called as a Cell, a bijector
    takes the name of a method and its argument.

    Args:
        is_constant_jacobian: whether its derivative is a constant.
        is_injective: whether no two numbers have one image.
        name: of the bijector; None: that of its class.
        dtype: of its parameters; None: that of the values.
        param: its parameters by name, in "param_dict", or None.

    Raises:
        TypeError: a flag is no bool, or a parameter no number or Tensor.

    Examples:
        >>> affine = nn.probability.bijector.ScalarAffine(scale=2.0, shift=1.0)
        >>> print(isinstance(affine, nn.probability.bijector.Bijector), affine.is_constant_jacobian)
        True True
        >>> print(affine("forward", Tensor([3.0])), affine("inverse_log_jacobian", Tensor([7.0])))
        [7.] -0.6931472
    """

    _kind = "bijector"
    _methods = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")

    def __init__(
        self,
        is_constant_jacobian: bool = False,
        is_injective: bool = True,
        name: str | None = None,
        dtype: Any = None,
        param: dict[str, Any] | None = None,
    ):
        name, parameters = name or type(self).__name__, (param or {}).get("param_dict", {})
        super().__init__(name, dtype, {**parameters, "name": name, "param_dict": dict(parameters)})
        for flag, value in (("is_constant_jacobian", is_constant_jacobian), ("is_injective", is_injective)):
            check_bool(self._name, flag, value)
        self._is_constant_jacobian, self._is_injective = is_constant_jacobian, is_injective
        for key in self._names:
            setattr(self, f"_{key}_value", floating(self._name, key, parameters[key], dtype_of(parameters.values(), dtype)))

    @property
    def is_constant_jacobian(self) -> bool:
        """Whether its derivative is a constant."""
        return self._is_constant_jacobian

    @property
    def is_injective(self) -> bool:
        """Whether no two numbers have one image."""
        return self._is_injective

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

    def _operands(self, value: Tensor) -> list[Any]:
        """The value, and the parameters in its dtype."""
        check_instance(self._name, "value", value, Tensor)
        if value.dtype not in FLOATS:
            raise TypeError(f"For '{self._name}', the dtype of 'value' must be of floating point, but got {value.dtype}.")
        return [value, *(getattr(self, f"_{name}_value").astype(value.dtype) for name in self._names)]


class Invert(Bijector):
    """The inverse of a bijector, as a bijector.

    Args:
        bijector: the other one.
        name: of this one; "": "Invert" and the other's name.

    Raises:
        TypeError: bijector is none.

    Examples:
        >>> log = nn.probability.bijector.Invert(nn.probability.bijector.Exp())
        >>> print(log.forward(Tensor([1.0, 2.0])), log.inverse(Tensor([0.0])))
        [0.        0.6931472] [1.]
    """

    def __init__(self, bijector: Bijector, name: str = ""):
        check_instance("Invert", "bijector", bijector, Bijector)
        named = name or f"Invert{bijector.name}"
        param = {"param_dict": bijector.parameters["param_dict"]}
        super().__init__(bijector.is_constant_jacobian, bijector.is_injective, named, bijector.dtype, param)
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
