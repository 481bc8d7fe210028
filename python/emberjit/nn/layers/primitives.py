"""Primitives that MindSpore's layers have as attributes, which users' subclasses call. They are made when first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import ops
from emberjit.capture.guards.attributes import read_attribute


def _window(cell: Any) -> dict[str, Any]:
    names = {"pad_mode": "pad_mode", "pad": "padding", "stride": "stride", "dilation": "dilation", "group": "group"}
    return {name: getattr(cell, attribute) for name, attribute in names.items()}


def _plain(**primitives: str) -> dict[str, Callable[[Any], Any]]:
    """Primitives without attributes, by the names that layers have for them."""

    def maker(primitive: str) -> Callable[[Any], Any]:
        return lambda _cell: getattr(ops, primitive)()

    return {name: maker(primitive) for name, primitive in primitives.items()}


_LAYER = _plain(shape="Shape", reshape="Reshape", cast="Cast", bias_add="BiasAdd", shape_op="Shape")
_CONV = {**_LAYER, **_plain(expand_dims="ExpandDims"), "squeeze": lambda cell: ops.Squeeze(2)}
_CONV2D = {**_CONV, "conv2d": lambda cell: ops.Conv2D(cell.out_channels, cell.kernel_size, 1, **_window(cell))}
_PRIMITIVES: dict[str, dict[str, Callable[[Any], Any]]] = {  # by class
    "Conv1d": _CONV2D,
    "Conv2d": _CONV2D,
    "Conv3d": {**_CONV, "conv3d": lambda cell: ops.Conv3D(cell.out_channels, cell.kernel_size, 1, **_window(cell))},
    "Conv2dTranspose": {
        **_CONV,
        "conv2d_transpose": lambda cell: ops.Conv2DTranspose(cell.in_channels, cell.kernel_size, **_window(cell)),
    },
    "Dense": {**_LAYER, "matmul": lambda cell: ops.MatMul(transpose_b=True)},
    "LayerNorm": {"layer_norm": lambda cell: ops.LayerNorm(cell.begin[0], cell.begin[1], cell.epsilon)},
    "BaseBatchNorm": {
        **_LAYER,
        "bn_train": lambda cell: ops.BatchNorm(True, cell.eps, 1 - cell.momentum),
        "bn_infer": lambda cell: ops.BatchNorm(False, cell.eps),
    },
    "Embedding": {
        **_LAYER,
        **_plain(expand="ExpandDims", reshape_flat="Reshape", gather="Gather", get_shp="Shape", one_hot="OneHot"),
        **_plain(array_mul="MatMul", concat="Concat"),
    },
    "EmbeddingLookup": {**_LAYER, **_plain(gatherv2="Gather", embeddinglookup="EmbeddingLookup", unique="Unique")},
    "Dropout": {"dropout": lambda cell: ops.Dropout(1 - read_attribute(cell, "p"))},
    "PReLU": _plain(prelu="PReLU"),
    "MaxPool2d": {"max_pool": lambda cell: ops.MaxPool(cell.kernel_size, cell.stride, cell.pad_mode)},
    "AvgPool2d": {"avg_pool": lambda cell: ops.AvgPool(cell.kernel_size, cell.stride, cell.pad_mode)},
    "LossBase": {**_LAYER, **_plain(reduce_mean="ReduceMean", reduce_sum="ReduceSum", mul="Mul")},
    "SoftmaxCrossEntropyWithLogits": _plain(
        softmax_cross_entropy="SoftmaxCrossEntropyWithLogits",
        sparse_softmax_cross_entropy="SparseSoftmaxCrossEntropyWithLogits",
        one_hot="OneHot",
    ),
    "TrainOneStepWithLossScaleCell": {
        **_LAYER,
        **_plain(reduce_all="ReduceAll", reduce_sum="ReduceSum", less_equal="LessEqual", equal="Equal"),
        **_plain(logic_not="LogicalNot", allreduce="AllReduce"),
    },
}


def primitive_of(cell: Any, name: str) -> Any:
    """The primitive that a layer has as an attribute of this name; None if it has none. The Cell keeps it."""
    for cls in type(cell).__mro__:
        make = _PRIMITIVES.get(cls.__name__, {}).get(name) if cls.__module__.startswith("emberjit.nn.") else None
        if make is not None:
            primitive = cell.__dict__[name] = make(cell)
            return primitive
    return None
