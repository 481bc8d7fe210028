"""Cells that compute a batch in parts."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance, check_int
from emberjit.nn.cell import Cell

_ops = core.ops


class _MicroBatches(Cell):
    """Args:
        network: a Cell.
        {count}: the number of parts that the first axis of each argument is divided into.

    Raises:
        TypeError: network is no Cell, or {count} no int.
        ValueError: {count} is not positive; when called: it does not divide an axis.
    """

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
    __doc__ = f"""The sum of a network's results for the parts of a batch.

    {(_MicroBatches.__doc__ or "").format(count="micro_size")}"""

    def __init__(self, network: Any, micro_size: int):
        super().__init__(network, "micro_size", micro_size)


class MicroBatchInterleaved(_MicroBatches):
    __doc__ = f"""The sum of a network's results for the parts of a batch, which MindSpore interleaves on several devices.

    {(_MicroBatches.__doc__ or "").format(count="interleave_num")}"""

    def __init__(self, network: Any, interleave_num: int = 2):
        super().__init__(network, "interleave_num", interleave_num)


class PipelineCell(_MicroBatches):
    __doc__ = f"""The sum of a network's results for the parts of a batch, which MindSpore passes through devices.
    Stages and segments of inner Cells, dicts by path, are set as their pipeline_stage and pipeline_segment: nothing else.

    {(_MicroBatches.__doc__ or "").format(count="micro_size")}
        KeyError: there is no inner Cell of a path.
    """

    def __init__(self, network: Any, micro_size: int, stage_config: Any = None, segment_config: Any = None):
        super().__init__(network, "micro_size", micro_size)
        cells = {path or str(network): cell for path, cell in network.cells_and_names()}
        for attribute, config in (("pipeline_stage", stage_config), ("pipeline_segment", segment_config)):
            for path, number in (config or {}).items():
                if path not in cells:
                    raise KeyError(f"For 'PipelineCell', there is no Cell '{path}' in the network, but {sorted(cells)}.")
                setattr(cells[path], attribute, number)
