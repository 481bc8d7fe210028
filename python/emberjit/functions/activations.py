"""Activations."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import DType, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
relu: ops.relu ops.ReLU nn.ReLU mint.nn.ReLU mint.nn.functional.relu Tensor.relu_ mint.nn.functional.relu_
relu6: ops.relu6 ops.ReLU6 nn.ReLU6 mint.nn.functional.relu6(x as input)
sigmoid: ops.sigmoid ops.Sigmoid nn.Sigmoid mint.nn.Sigmoid Tensor.sigmoid mint.sigmoid mint.nn.functional.sigmoid
    Tensor.sigmoid_ mint.nn.functional.sigmoid_
silu: ops.silu ops.SiLU nn.SiLU mint.nn.functional.silu
gelu: ops.gelu ops.GeluExt mint.nn.functional.gelu(input, *, approximate) mint.nn.GELU
gelu_tanh: ops.GeLU
hardsigmoid: ops.hardsigmoid ops.HSigmoid nn.HSigmoid mint.nn.Hardsigmoid mint.nn.functional.hardsigmoid
hardswish: ops.hardswish ops.HSwish nn.HSwish mint.nn.Hardswish mint.nn.functional.hardswish
leaky_relu: ops.leaky_relu nn.LeakyReLU(alpha)(input) mint.nn.functional.leaky_relu(input, alpha as negative_slope = 0.01)
softplus: ops.softplus mint.nn.Softplus mint.nn.functional.softplus
softmax: ops.softmax ops.Softmax(axis)(input) nn.Softmax(axis)(input) mint.nn.Softmax(axis as dim = ...)(input)
    Tensor.softmax(axis = ...) mint.softmax(input, axis as dim = ...) mint.nn.functional.softmax(input, axis as dim = ...)
log_softmax: ops.log_softmax ops.LogSoftmax(axis)(logits) nn.LogSoftmax(axis)(logits)
    mint.nn.LogSoftmax(axis as dim = ...)(logits)
    mint.nn.functional.log_softmax(logits as input, axis as dim = ...)
""",
)


@publish(
    "nn.GELU(approximate)(x)",
    numpy="""x / 2 * (1 + (np.tanh(0.7978845608028654 * (x + 0.044715 * x**3)) if approximate
    else np.vectorize(math.erf)(x / 2**0.5)))""",
    samples="f32(2, 3); f32(2, 3), False",
)
def gelu_either_way(x: Tensor, approximate: bool = True) -> Any:
    """x times the normal distribution's function of x (Hendrycks and Gimpel, 2016).

    Args:
        approximate: whether by tanh.
    """
    return _ops["gelu"](x, "tanh" if approximate else "none")


@publish(
    """ops.softmax(input, axis, *, dtype) Tensor.softmax(axis = ..., dtype) mint.softmax(input, axis as dim = ..., *, dtype)
    mint.nn.functional.softmax(input, axis as dim = ..., dtype)""",
    numpy="(lambda e: e / e.sum(axis, keepdims=True))(np.exp(input - input.max(axis, keepdims=True)))",
    samples="f32(2, 5), 0; f16(3, 4), -1, float32; i32(2, 3), 1, float32",
)
def converted_softmax(input: Tensor, axis: int = -1, dtype: DType | None = None) -> Any:
    """exp(input) over its sum along an axis, computed from input less its largest element.

    Args:
        input: a Tensor of floating point, or with dtype any.
        dtype: to which input is converted first.
    """
    return _ops["softmax"](input if dtype is None else _ops["cast"](input, dtype), axis)


@publish(
    """ops.log_softmax(logits, axis, *, dtype)
    mint.nn.functional.log_softmax(logits as input, axis as dim = ..., *, dtype)""",
    numpy="(lambda x: x - np.log(np.exp(x).sum(axis, keepdims=True)))(logits - logits.max(axis, keepdims=True))",
    samples="f32(2, 5), 0; f16(3, 4), -1, float32; i32(2, 3), 1, float32",
)
def converted_log_softmax(logits: Tensor, axis: int = -1, dtype: DType | None = None) -> Any:
    """The logarithm of softmax, without computing it first.

    Args:
        logits: a Tensor of floating point, or with dtype any.
        dtype: to which logits is converted first.
    """
    return _ops["log_softmax"](logits if dtype is None else _ops["cast"](logits, dtype), axis)
