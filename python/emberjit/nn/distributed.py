"""Cells of distributed training, for one process."""

from __future__ import annotations

from typing import Any

from emberjit.communication.groups import WORLD, check_group
from emberjit.nn.cell import Cell


class DistributedGradReducer(Cell):
    """Sums or averages gradients over processes: with one they stay.

    Args:
        parameters: the Parameters.
        mean: whether to average; None: as gradients_mean of set_auto_parallel_context.
        degree: by how many to divide, the number of processes: 1, or None.
        fusion_type: how communication is grouped, of which there is none.
        group: of processes.

    Raises:
        TypeError, ValueError: degree is another, or there is no such group.
    """

    def __init__(
        self, parameters: Any, mean: bool | None = None, degree: int | None = None, fusion_type: int = 1, group: str = WORLD
    ):
        super().__init__()
        check_group("DistributedGradReducer", group)
        if degree not in (None, 1):
            raise ValueError(
                f"For 'DistributedGradReducer', 'degree' must be 1, the number of processes, or None, but got {degree!r}."
            )
        self.degree, self.mean, self.fusion_type = 1, mean, fusion_type

    def construct(self, grads: Any) -> Any:
        """The gradients."""
        return grads
