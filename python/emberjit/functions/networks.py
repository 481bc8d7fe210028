"""Normalisation and attention."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.convolution import check_format
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
attention: ops.attention
batch_norm: ops.batch_norm
flash_attention_score: ops.flash_attention_score
layer_norm: ops.layer_norm mint.nn.functional.layer_norm
layer_norm_with_statistics: ops.LayerNorm(begin_norm_axis, begin_params_axis, epsilon)(input_x, gamma, beta)
""",
)


@publish("ops.BatchNorm(is_training, epsilon, momentum, data_format)(input_x, scale, bias, mean, variance)", in_python=True)
def batch_norm_primitive(
    input_x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    is_training: bool = False,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
    data_format: str = "NCHW",
) -> Any:
    """(result, mean, variance, mean, variance): the batch's own statistics when training, else the given ones, which are
    not updated here."""
    check_format("BatchNorm", data_format, "NCHW")
    if is_training:
        result, mean, variance = _ops["batch_norm_with_statistics"](input_x, scale, bias, epsilon)
    else:
        result = _ops["batch_norm"](input_x, mean, variance, scale, bias, False, momentum, epsilon)
    return result, mean, variance, mean, variance
