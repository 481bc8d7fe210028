"""Cells that compute a batch in parts."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance, check_int
from emberjit.nn.cell import Cell

_ops = core.ops


class _MicroBatches(Cell):
    """The sum of a network's results for the parts of a batch. A class names the argument that counts these."""

    def __init__(self, network: Any, argument: str, count: int):
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        self.network, self._count = check_instance(name, "network", network, Cell), check_int(name, argument, count, 1)
        setattr(self, argument, count)

    def construct(self, *inputs: Any) -> Any:
        name, count = type(self).__name__, self._count
        for x in inputs:
            if x.shape[0] % count:
                raise ValueError(
                    f"For '{name}', the first axis must divide into {count} parts, but got shape {tuple(x.shape)}."
                )
        split = [_ops.split(x, x.shape[0] // count, 0) for x in inputs]
        total = self.network(*(parts[0] for parts in split))
        for i in range(1, count):
            total = total + self.network(*(parts[i] for parts in split))
        return total


class GradAccumulationCell(_MicroBatches):
    """The sum of a network's results for the parts of a batch, by which its gradients are summed over them.

    Args:
        network: a Cell.
        micro_size: the number of parts that the first axis of each argument is divided into.

    Inputs:
        inputs: what the network takes, Tensors whose first axis micro_size divides.

    Returns:
        The sum of what the network gives for the parts.

    Raises:
        TypeError: network is no Cell, or micro_size no int.
        ValueError: micro_size is not positive; when called: it does not divide an axis.

    Examples:
        >>> net = nn.WithLossCell(nn.Identity(), nn.MSELoss())
        >>> print(nn.GradAccumulationCell(net, micro_size=2)(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])))
        5.0
    """

    def __init__(self, network: Any, micro_size: int):
        super().__init__(network, "micro_size", micro_size)


class MicroBatchInterleaved(_MicroBatches):
    """The sum of a network's results for the parts of a batch, which MindSpore interleaves on several devices.

    Args:
        network: a Cell.
        interleave_num: the number of parts that the first axis of each argument is divided into.

    Inputs:
        inputs: what the network takes, Tensors whose first axis interleave_num divides.

    Returns:
        The sum of what the network gives for the parts.

    Raises:
        TypeError: network is no Cell, or interleave_num no int.
        ValueError: interleave_num is not positive; when called: it does not divide an axis.

    Examples:
        >>> net = nn.WithLossCell(nn.Identity(), nn.MSELoss())
        >>> print(nn.MicroBatchInterleaved(net)(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])))
        5.0
    """

    def __init__(self, network: Any, interleave_num: int = 2):
        super().__init__(network, "interleave_num", interleave_num)


class PipelineCell(_MicroBatches):
    """The sum of a network's results for the parts of a batch, which MindSpore passes through devices.

    Args:
        network: a Cell.
        micro_size: the number of parts that the first axis of each argument is divided into.
        stage_config, segment_config: stages and segments of inner Cells, dicts of path to int, or None; they are set as the
            Cells' attributes pipeline_stage and pipeline_segment and have no other effect.

    Inputs:
        inputs: what the network takes, Tensors whose first axis micro_size divides.

    Returns:
        The sum of what the network gives for the parts.

    Raises:
        TypeError: network is no Cell, or micro_size no int.
        ValueError: micro_size is not positive; when called: it does not divide an axis.
        KeyError: there is no inner Cell of a path.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
        >>> pipeline = nn.PipelineCell(net, micro_size=2, stage_config={"_backbone": 0})
        >>> print(net.backbone_network.pipeline_stage, pipeline.micro_size)
        0 2
    """

    def __init__(self, network: Any, micro_size: int, stage_config: Any = None, segment_config: Any = None):
        super().__init__(network, "micro_size", micro_size)
        cells = {path or str(network): cell for path, cell in network.cells_and_names()}
        for attribute, config in (("pipeline_stage", stage_config), ("pipeline_segment", segment_config)):
            for path, number in (config or {}).items():
                if path not in cells:
                    raise KeyError(f"For 'PipelineCell', there is no Cell '{path}' in the network, but {sorted(cells)}.")
                setattr(cells[path], attribute, number)
