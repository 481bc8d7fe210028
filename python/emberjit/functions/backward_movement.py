"""Gradients of what moves elements: slices, padding, gathering, diagonals; of sparse segments, and of products."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions import choosing, convolution, indexing, least_squares, padding, products
from emberjit.functions.arguments import ints_of
from emberjit.functions.backward import at_shape, publish_gradients, pulled
from emberjit.functions.checks import check_rank, check_same_shape
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.op_table

publish_gradients(
    __name__,
    (
        (_ops["slice"], "ops.SliceGrad()(grad as dy, input_x as x, begin, size)", "f32(1, 2), f32(2, 3), (0, 1), (1, 2)"),
        (_ops["gather_d"], "ops.GatherDGradV2()(x, dim, index, grad as dout)", "f32(2, 2), f32(2, 3), 1, i64(2, 2) * 0 + 1"),
        (choosing.masked_select, "ops.MaskedSelectGrad()(input, mask, grad)", ""),
    ),
)
publish_gradients(
    __name__,
    (
        (
            indexing.strided_slice,
            """ops.StridedSliceGrad(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)(grad as dy,
            input_x as shapex, begin, end, strides)""",
            "f32(2, 2), (2, 3), (0, 0), (2, 3), (1, 2)",
        ),
        (products.trace, "ops.TraceGrad()(grad as y_grad, input as x_shape)", "f32(), (2, 3)"),
        (
            products.trace_of_axes,
            "ops.TraceV2Grad()(grad as dout, input as shape, offset, axis1 = 1, axis2 = 0)",
            "f32(2), (2, 3, 3), 1, 1, 2",
        ),
    ),
    linear=True,
)
publish_gradients(
    __name__,
    (
        (
            least_squares.lstsq,
            "ops.LstsqV2Grad()(grad as gX, input as A, A as B)",
            "f32(3, 1), f32(4, 3), f32(4, 1)",
        ),
    ),
    by=("input", "A"),
)
