"""Normalisation of batches and of groups of channels."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_int, check_rank
from emberjit.functions.layers.normalisation import batch_norm_with_update, group_norm
from emberjit.nn.cell import Cell
from emberjit.nn.layers.normalisation import check_groups
from emberjit.options import take

_ops = core.ops


class _BatchNorm(Cell):
    ranks: tuple[int, ...] = (4,)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Any = None,
    ):
        super().__init__()
        self.num_features = check_int(type(self).__name__, "num_features", num_features, 1)
        self.eps, self.momentum, self.affine, self.track_running_stats = eps, momentum, affine, track_running_stats
        shape = (num_features,)
        self.weight = core.Parameter(_ops.ones(shape, dtype), "weight") if affine else None
        self.bias = core.Parameter(_ops.zeros(shape, dtype), "bias") if affine else None
        self.running_mean = self.running_var = None
        self.num_batches_tracked: Any = None
        if track_running_stats:
            self.running_mean = core.Parameter(_ops.zeros(shape, dtype), "running_mean", requires_grad=False)
            self.running_var = core.Parameter(_ops.ones(shape, dtype), "running_var", requires_grad=False)
            count = core.Tensor(0, core.int64)
            self.num_batches_tracked = core.Parameter(count, "num_batches_tracked", requires_grad=False)

    def construct(self, input: Any) -> Any:
        check_rank(type(self).__name__, "input", input, *self.ranks)
        momentum: Any = self.momentum
        if self.training and self.track_running_stats:
            _ops.assign_add(self.num_batches_tracked, 1)
            if momentum is None:
                momentum = 1 / _ops.cast(self.num_batches_tracked, core.float32)
        statistics = self.running_mean, self.running_var, self.weight, self.bias
        training = self.training or not self.track_running_stats
        return batch_norm_with_update(input, *statistics, training, momentum, self.eps)

    def extend_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L) (Ioffe and Szegedy, 2015).

    Args:
        num_features: C.
        eps: added to variances.
        momentum: the share of a batch in the running statistics; None: that of its number, so they are means of all.
        affine: whether scale and shift are learned.
        track_running_stats: whether there are running statistics, which are used unless training; else the batch's are.
        dtype: of the Parameters.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive; when called: shapes that do not fit.
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W) (Ioffe and Szegedy, 2015).

    Args and Raises: as BatchNorm1d.
    """


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of (N, C, D, H, W) (Ioffe and Szegedy, 2015).

    Args and Raises: as BatchNorm1d.
    """

    ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation of (N, C, ...) by the statistics of all devices, of which there is one (Ioffe and Szegedy, 2015).

    Args and Raises: as BatchNorm1d; process_group: the devices.
    """

    ranks = (2, 3, 4, 5)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: str | None = None,
        dtype: Any = None,
    ):
        take("SyncBatchNorm", "process_group", process_group)
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)


class GroupNorm(Cell):
    """Normalisation of (N, C, ...) by the statistics of groups of channels (Wu and He, 2018).

    Args:
        num_groups: a divisor of num_channels.
        num_channels: C.
        eps: added to variances.
        affine: whether scale and shift are learned.
        dtype: of the Parameters.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, or groups do not divide the channels; when called: other channels.
    """

    def __init__(self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, dtype: Any = None):
        super().__init__()
        check_groups("GroupNorm", num_groups, num_channels)
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.weight = core.Parameter(_ops.ones((num_channels,), dtype), "weight") if affine else None
        self.bias = core.Parameter(_ops.zeros((num_channels,), dtype), "bias") if affine else None

    def construct(self, input: Any) -> Any:
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"
