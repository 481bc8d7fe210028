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


class Dense(_Affine):
    """x @ weight.T + bias, weight of shape (out_channels, in_channels); any leading axes.

    Raises:
        TypeError: channels that are no ints.
        ValueError: channels that are not positive.
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
    """x @ weight.T + bias, weight of shape (out_features, in_features); any leading axes.

    Raises:
        TypeError: features that are no ints.
        ValueError: features that are not positive.
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
    """input1 @ weight[o] @ input2 + bias[o] for each output o, weight of shape (out_channels, in1_channels, in2_channels);
    any leading axes.

    Raises:
        TypeError: channels that are no ints.
        ValueError: channels that are not positive.
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
    """Gives its input."""

    _stateless = True

    def construct(self, x: Any) -> Any:
        return x
