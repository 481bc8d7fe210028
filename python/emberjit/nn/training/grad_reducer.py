"""What reduces gradients over processes."""

from __future__ import annotations

from typing import Any

from emberjit import context
from emberjit.compat.communication.groups import check_group
from emberjit.distributed import gradients as distributed
from emberjit.distributed.world import WORLD
from emberjit.nn.cell import Cell


class DistributedGradReducer(Cell):
    """Sums or averages gradients over processes: with one they stay. Several are sent together.

    Args:
        parameters: the Parameters.
        mean: whether to average; None: as gradients_mean of set_auto_parallel_context.
        degree: by how many to divide, the number of processes, or None.
        fusion_type: how communication is grouped, of other devices.
        group: the name of a group of processes.

    Inputs:
        grads: the gradients, a tuple of Tensors.

    Returns:
        The gradients.

    Raises:
        TypeError: group is no str.
        ValueError: degree is another, or there is no such group.

    Examples:
        >>> reducer = nn.DistributedGradReducer([Parameter(Tensor([1.0]), name="w")])
        >>> print(reducer((Tensor([0.5]),))[0])
        [0.5]
    """

    def __init__(
        self, parameters: Any, mean: bool | None = None, degree: int | None = None, fusion_type: int = 1, group: str = WORLD
    ):
        super().__init__()
        self._group = check_group("DistributedGradReducer", group)
        size = self._group.size
        if degree not in (None, size):
            raise ValueError(
                f"For 'DistributedGradReducer', 'degree' must be {size}, the number of processes, or None, but "
                f"got {degree!r}."
            )
        self.mean = context.get_auto_parallel_context("gradients_mean") if mean is None else mean
        self.degree, self.fusion_type = size, fusion_type

    def construct(self, grads: Any) -> Any:
        """The gradients, reduced."""
        if self._group.size == 1:
            return grads
        return distributed.reduced(grads, "avg" if self.mean else "sum", self._group)
