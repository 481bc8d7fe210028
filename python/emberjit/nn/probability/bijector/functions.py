"""Bijectors by their formulas."""

from __future__ import annotations

from typing import Any

from emberjit import ops
from emberjit._emberjit import Tensor
from emberjit.checks import check_number
from emberjit.nn.probability.bijector.bijector import Bijector
from emberjit.nn.probability.values import check_positive


class PowerTransform(Bijector):
    """g(x) = (1 + c x)^(1 / c), and e^x where c is 0.

    Args:
        power: c, a number that is not negative.
        name: of the bijector.

    Raises:
        ValueError: power is negative.
    """

    def __init__(self, power: float = 0.0, name: str = "PowerTransform"):
        check_number(name, "power", power)
        if power < 0:
            raise ValueError(f"For '{name}', 'power' must not be negative, but got {power}.")
        super().__init__(name=name, param={"param_dict": {"power": power}})
        self._power = power

    @property
    def power(self) -> float:
        """c."""
        return self._power

    def extend_repr(self) -> str:
        """c, as repr() shows it."""
        return f"power = {self._power}"

    def _forward(self, x: Tensor) -> Any:
        return ops.exp(ops.log1p(self._power * x) / self._power) if self._power else ops.exp(x)

    def _inverse(self, y: Tensor) -> Any:
        return ops.expm1(self._power * ops.log(y)) / self._power if self._power else ops.log(y)

    def _forward_log_jacobian(self, x: Tensor) -> Any:
        return (1 / self._power - 1) * ops.log1p(self._power * x) if self._power else x


class Exp(PowerTransform):
    """g(x) = e^x.

    Args:
        name: of the bijector.
    """

    def __init__(self, name: str = "Exp"):
        super().__init__(0.0, name)

    def extend_repr(self) -> str:
        """Its formula, as repr() shows it."""
        return "exp"


class ScalarAffine(Bijector):
    """g(x) = a x + b.

    Args:
        scale, shift: a and b, numbers or Tensors.
        name: of the bijector.
    """

    _names = ("scale", "shift")

    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: str = "ScalarAffine"):
        super().__init__(True, True, name, None, {"param_dict": {"scale": scale, "shift": shift}})

    @property
    def scale(self) -> Any:
        """a."""
        return self._scale_value

    @property
    def shift(self) -> Any:
        """b."""
        return self._shift_value

    def _forward(self, x: Tensor, scale: Tensor, shift: Tensor) -> Any:
        return scale * x + shift

    def _inverse(self, y: Tensor, scale: Tensor, shift: Tensor) -> Any:
        return (y - shift) / scale

    def _forward_log_jacobian(self, _x: Tensor, scale: Tensor, _shift: Tensor) -> Any:
        return ops.log(ops.abs(scale))


class Softplus(Bijector):
    """g(x) = log(1 + e^(k x)) / k.

    Args:
        sharpness: k, a number or a Tensor.
        name: of the bijector.
    """

    _names = ("sharpness",)

    def __init__(self, sharpness: Any = 1.0, name: str = "Softplus"):
        super().__init__(name=name, param={"param_dict": {"sharpness": sharpness}})

    @property
    def sharpness(self) -> Any:
        """k."""
        return self._sharpness_value

    def _forward(self, x: Tensor, sharpness: Tensor) -> Any:
        return -ops.logsigmoid(-sharpness * x) / sharpness

    def _inverse(self, y: Tensor, sharpness: Tensor) -> Any:
        return y + ops.log(-ops.expm1(-sharpness * y)) / sharpness

    def _forward_log_jacobian(self, x: Tensor, sharpness: Tensor) -> Any:
        return ops.logsigmoid(sharpness * x)


class GumbelCDF(Bijector):
    """g(x) = exp(-exp(-(x - l) / s)), the probability of at most x in a Gumbel distribution.

    Args:
        loc, scale: l and s, numbers or Tensors.
        name: of the bijector.

    Raises:
        ValueError: scale is not greater than zero.
    """

    _names = ("loc", "scale")

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: str = "GumbelCDF"):
        super().__init__(name=name, param={"param_dict": {"loc": loc, "scale": scale}})
        check_positive(name, "scale", self.scale)

    @property
    def loc(self) -> Any:
        """l."""
        return self._loc_value

    @property
    def scale(self) -> Any:
        """s."""
        return self._scale_value

    def _forward(self, x: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return ops.exp(-ops.exp(-(x - loc) / scale))

    def _inverse(self, y: Tensor, loc: Tensor, scale: Tensor) -> Any:
        return loc - scale * ops.log(-ops.log(y))

    def _forward_log_jacobian(self, x: Tensor, loc: Tensor, scale: Tensor) -> Any:
        z = (x - loc) / scale
        return -z - ops.exp(-z) - ops.log(scale)
