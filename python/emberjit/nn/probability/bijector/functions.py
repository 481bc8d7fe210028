"""Bijectors by their formulas."""

from __future__ import annotations

from typing import Any

from emberjit import ops
from emberjit._emberjit import Tensor
from emberjit.checks import check_number
from emberjit.nn.probability.bijector.bijector import Bijector
from emberjit.nn.probability.values import check_positive


class PowerTransform(Bijector):
    """The bijector g(x) = (1 + c x)^(1 / c), and e^x where c is 0.

    Args:
        power: c, a number that is not negative.
        name: of the bijector, which errors name.

    Raises:
        TypeError: power is no number.
        ValueError: power is negative.

    Examples:
        >>> square = nn.probability.bijector.PowerTransform(power=0.5)
        >>> y = square.forward(Tensor([0.0, 2.0]))
        >>> print(y, square.inverse(y), square.forward_log_jacobian(Tensor([0.0, 2.0])))
        [1. 4.] [0. 2.] [0.        0.6931472]
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
    """The bijector g(x) = e^x.

    Args:
        name: of the bijector, which errors name.

    Raises:
        TypeError: when called: the value is no Tensor of floating dtype.

    Examples:
        >>> exp = nn.probability.bijector.Exp()
        >>> y = exp.forward(Tensor([0.0, 1.0]))
        >>> print(y, exp.inverse(y), exp.forward_log_jacobian(Tensor([0.0, 1.0])))
        [1.        2.7182817] [0. 1.] [0. 1.]
    """

    def __init__(self, name: str = "Exp"):
        super().__init__(0.0, name)

    def extend_repr(self) -> str:
        """Its formula, as repr() shows it."""
        return "exp"


class ScalarAffine(Bijector):
    """The bijector g(x) = scale * x + shift.

    Args:
        scale, shift: numbers or Tensors.
        name: of the bijector, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor.

    Examples:
        >>> affine = nn.probability.bijector.ScalarAffine(scale=2.0, shift=1.0)
        >>> y = affine.forward(Tensor([0.0, 1.0]))
        >>> print(y, affine.inverse(y), affine.forward_log_jacobian(Tensor([0.0, 1.0])))
        [1. 3.] [0. 1.] 0.6931472
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
    """The bijector g(x) = log(1 + e^(k x)) / k.

    Args:
        sharpness: k, a number or a Tensor.
        name: of the bijector, which errors name.

    Raises:
        TypeError: sharpness is no number or Tensor.

    Examples:
        >>> softplus = nn.probability.bijector.Softplus(sharpness=2.0)
        >>> y = softplus.forward(Tensor([0.0, 1.0]))
        >>> print(y, softplus.inverse(y), softplus.forward_log_jacobian(Tensor([0.0, 1.0])))
        [0.3465736 1.063464 ] [0. 1.] [-0.6931472 -0.126928 ]
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
    """The bijector g(x) = exp(-exp(-(x - loc) / scale)), the probability of at most x in a Gumbel distribution.

    Args:
        loc, scale: numbers or Tensors.
        name: of the bijector, which errors name.

    Raises:
        TypeError: a parameter is no number or Tensor.
        ValueError: scale is not greater than zero.

    Examples:
        >>> cdf = nn.probability.bijector.GumbelCDF(loc=0.0, scale=1.0)
        >>> y = cdf.forward(Tensor([0.0, 1.0]))
        >>> print(y, cdf.inverse(y), cdf.forward_log_jacobian(Tensor([0.0, 1.0])))
        [0.36787945 0.69220066] [0.        1.0000001] [-1.        -1.3678794]
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
