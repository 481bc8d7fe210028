"""Dense and bilinear layers, and the identity."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit.checks import check_int
from emberjit.functions.layers.convolution import bias_apart
from emberjit.functions.linalg.products import bidense
from emberjit.initializer import HeUniform, Uniform, initializer
from emberjit.nn.cell import Cell
from emberjit.nn.layers.activation import get_activation

_ops = core.ops


def add_weight_and_bias(
    cell: Cell, shape: tuple[int, ...], outputs: int, weight_init: Any, bias_init: Any, has_bias: bool, dtype: Any
) -> None:
    """Adds the Parameters weight, of a shape, and bias, of the number of outputs or None. Without initial values they are
    as in PyTorch uniform within 1 / sqrt(fan in), the product of all sizes of the weight but the first."""
    weight = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
    cell.weight, cell.bias = core.Parameter(initializer(weight, shape, dtype), name="weight"), None
    if has_bias:
        bias = Uniform(1 / math.sqrt(math.prod(shape[1:]))) if bias_init is None else bias_init
        cell.bias = core.Parameter(initializer(bias, (outputs,), dtype), name="bias")


class _Affine(Cell):
    sizes = ("in_channels", "out_channels")

    bias: Any

    def __init__(self, inner: int, outer: int, weight_init: Any, bias_init: Any, has_bias: bool, dtype: Any):
        super().__init__()
        for name, size in zip(self.sizes, (inner, outer)):
            setattr(self, name, check_int(type(self).__name__, name, size, 1))
        self.has_bias = has_bias
        add_weight_and_bias(self, (outer, inner), outer, weight_init, bias_init, has_bias, dtype)

    def _product(self, x: core.Tensor, bias: core.Tensor | None) -> Any:
        try:
            return _ops.dense(x, self.weight, bias)
        except ValueError as error:
            size = getattr(self, self.sizes[0])
            if x.ndim == 0 or x.shape[-1] == size:
                raise
            raise ValueError(
                f"For '{type(self).__name__}', the last axis of the input must have the size of '{self.sizes[0]}', {size}, "
                f"but the input has shape {tuple(x.shape)}, the weight {tuple(self.weight.shape)}."
            ) from error

    def _multiply_adds(self, inputs: tuple[Any, ...], output: Any) -> int:
        del inputs
        return int(output.size * self.weight.shape[1])


class Dense(_Affine):
    """x @ weight.T + bias, then an activation if there is one; weight is of shape (out_channels, in_channels).

    Args:
        in_channels: the size of the last axis of the input.
        out_channels: that of the result.
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor of the shape; None: uniform
            within 1 / sqrt(in_channels), as in PyTorch.
        has_bias: whether there is a bias, (out_channels,).
        activation: what the result passes: its name, as get_activation takes it, or a Cell or function; None: nothing.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (..., in_channels).

    Returns:
        A Tensor (..., out_channels).

    Raises:
        TypeError: a number of channels is no int.
        ValueError: a number of channels is not positive; when called: the last axis has another size.
        KeyError: there is no activation of the name.

    Examples:
        >>> dense = nn.Dense(3, 2, weight_init="ones", bias_init=0.5)
        >>> print(dense(Tensor([[1.0, 2.0, 3.0]])))
        [[6.5 6.5]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = types.float32,
    ):
        super().__init__(in_channels, out_channels, weight_init, bias_init, has_bias, dtype)
        self.activation = get_activation(activation, "Dense") if isinstance(activation, str) else activation

    def construct(self, x: Any) -> Any:
        bias, added = bias_apart(self.bias)
        y = self._product(x, bias)
        y = y if added is None else y + added
        return y if self.activation is None else self.activation(y)

    def extend_repr(self) -> str:
        return f"input_channels={self.in_channels}, output_channels={self.out_channels}, has_bias={self.has_bias}"


class Linear(_Affine):
    """input @ weight.T + bias; weight is of shape (out_features, in_features).

    Args:
        in_features: the size of the last axis of the input.
        out_features: that of the result.
        bias: whether there is a bias, (out_features,).
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor of the shape; None: uniform
            within 1 / sqrt(in_features).
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (..., in_features).

    Returns:
        A Tensor (..., out_features).

    Raises:
        TypeError: a number of features is no int.
        ValueError: a number of features is not positive; when called: the last axis has another size.

    Examples:
        >>> linear = mint.nn.Linear(3, 2, weight_init="ones", bias_init="zeros")
        >>> print(linear(Tensor([[1.0, 2.0, 3.0]])))
        [[6. 6.]]
    """

    sizes = ("in_features", "out_features")

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ):
        super().__init__(in_features, out_features, weight_init, bias_init, bias, dtype)

    def construct(self, input: Any) -> Any:
        return self._product(input, self.bias)

    def extend_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.has_bias}"


class BiDense(Cell):
    """input1 @ weight[o] @ input2 + bias[o] for each output o; weight is of shape (out_channels, in1_channels,
    in2_channels).

    Args:
        in1_channels, in2_channels: the sizes of the last axes of both inputs.
        out_channels: that of the result.
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor of the shape; None: uniform
            within 1 / sqrt(in1_channels).
        has_bias: whether there is a bias, (out_channels,).
        dtype: of the Parameters.

    Inputs:
        input1: a Tensor (..., in1_channels).
        input2: a Tensor (..., in2_channels), with the same leading axes.

    Returns:
        A Tensor (..., out_channels).

    Raises:
        TypeError: a number of channels is no int.
        ValueError: a number of channels is not positive; when called: shapes do not fit.

    Examples:
        >>> layer = nn.BiDense(2, 3, 1, weight_init="ones", bias_init="zeros")
        >>> print(layer(Tensor([[1.0, 2.0]]), Tensor([[1.0, 1.0, 2.0]])))
        [[12.]]
    """

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        dtype: Any = types.float32,
    ):
        super().__init__()
        self.in1_channels = check_int("BiDense", "in1_channels", in1_channels, 1)
        self.in2_channels = check_int("BiDense", "in2_channels", in2_channels, 1)
        self.out_channels = check_int("BiDense", "out_channels", out_channels, 1)
        self.has_bias = has_bias
        fresh = Uniform(1 / math.sqrt(in1_channels))
        shape = (out_channels, in1_channels, in2_channels)
        self.weight = core.Parameter(initializer(fresh if weight_init is None else weight_init, shape, dtype), name="weight")
        bias = initializer(fresh if bias_init is None else bias_init, (out_channels,), dtype) if has_bias else None
        self.bias = None if bias is None else core.Parameter(bias, name="bias")

    def construct(self, input1: Any, input2: Any) -> Any:
        return bidense(input1, input2, self.weight, self.bias)

    def extend_repr(self) -> str:
        return (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, out_channels={self.out_channels}, "
            f"has_bias={self.has_bias}"
        )


class Identity(Cell):
    """Gives its input.

    Args:
        auto_prefix, flags: as of nn.Cell; there are no Parameters to name.

    Inputs:
        x: anything.

    Examples:
        >>> print(nn.Identity()(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    _stateless = True

    def construct(self, x: Any) -> Any:
        return x
