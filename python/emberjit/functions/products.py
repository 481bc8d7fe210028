"""Products of matrices."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
batch_mat_mul: ops.BatchMatMul(transpose_a, transpose_b)(x, y)
bias_add: ops.bias_add ops.BiasAdd(data_format)(input_x, bias)
bmm: ops.bmm Tensor.bmm mint.bmm(input_x as input, mat2)
dense: ops.dense ops.Dense()(input as x, weight as w, bias as b) mint.nn.functional.linear
mat_mul: ops.MatMul(transpose_a, transpose_b)(input, mat2)
matmul: ops.matmul Tensor.matmul(other|tensor2) mint.matmul numpy.matmul(input as x1, other as x2, result as dtype)
""",
)


@publish("ops.mm Tensor.mm mint.mm", numpy="input @ mat2", samples="f32(2, 3), f32(3, 4); f64(1, 2), f64(2, 5)")
def mm(input: Tensor, mat2: Tensor) -> Any:
    """The product of two matrices.

    Raises:
        ValueError: an operand is no matrix, or sizes do not fit.
    """
    if input.ndim != 2 or mat2.ndim != 2:
        raise ValueError(f"For 'mm', both operands must be matrices, but got shapes {input.shape} and {mat2.shape}.")
    return _ops["matmul"](input, mat2)
