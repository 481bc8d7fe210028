"""Normalisation by groups of channels, by instances, and of batches on several devices."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit.functions.checks import check_int, check_probability, check_rank
from emberjit.functions.layers.normalisation import group_norm
from emberjit.initializer import initializer
from emberjit.nn.cell import Cell
from emberjit.nn.layers import BaseBatchNorm
from emberjit.options import take


def check_groups(cell: str, num_groups: int, num_channels: int) -> None:
    """Refuses groups that channels cannot be divided into.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, or groups do not divide the channels.
    """
    check_int(cell, "num_groups", num_groups)
    if check_int(cell, "num_channels", num_channels) % num_groups:
        raise ValueError(f"For '{cell}', 'num_groups' must divide 'num_channels', {num_channels}, but got {num_groups}.")


class GroupNorm(Cell):
    """Normalisation of (N, C, ...) by the statistics of groups of channels (Wu and He, 2018).

    Args:
        num_groups: a divisor of num_channels.
        num_channels: C.
        eps: added to variances.
        affine: whether scale and shift are learned.
        gamma_init, beta_init: initial values of scale and shift.
        dtype: of the Parameters.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, or groups do not divide the channels; when called: other channels.
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        dtype: Any = types.float32,
    ):
        super().__init__()
        check_groups("GroupNorm", num_groups, num_channels)
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        shape = (num_channels,)
        self.gamma = core.Parameter(initializer(gamma_init, shape, dtype), "gamma", requires_grad=affine)
        self.beta = core.Parameter(initializer(beta_init, shape, dtype), "beta", requires_grad=affine)

    def construct(self, x: Any) -> Any:
        return group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    def extend_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}, affine={self.affine}"


class _InstanceNorm(Cell):
    rank = 4

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        dtype: Any = types.float32,
    ):
        super().__init__()
        check_int(type(self).__name__, "num_features", num_features)
        check_probability(type(self).__name__, "momentum", momentum)
        self.num_features, self.eps, self.momentum, self.affine = num_features, eps, momentum, affine
        shape = (num_features,)
        self.gamma = core.Parameter(initializer(gamma_init, shape, dtype), "gamma", requires_grad=affine)
        self.beta = core.Parameter(initializer(beta_init, shape, dtype), "beta", requires_grad=affine)

    def construct(self, x: Any) -> Any:
        check_rank(type(self).__name__, "x", x, self.rank)
        return group_norm(x, self.num_features, self.gamma, self.beta, self.eps)

    def extend_repr(self) -> str:
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}"


class InstanceNorm1d(_InstanceNorm):
    """Normalisation of (N, C, L) by the statistics of each channel of each instance (Ulyanov et al., 2016).

    Args:
        momentum: has no effect: running statistics are not used.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive, or momentum outside [0, 1]; when called: shapes that do not fit.
    """

    rank = 3


class InstanceNorm2d(_InstanceNorm):
    """Normalisation of (N, C, H, W) by the statistics of each channel of each instance (Ulyanov et al., 2016).

    Args and Raises: as InstanceNorm1d.
    """


class InstanceNorm3d(_InstanceNorm):
    """Normalisation of (N, C, D, H, W) by the statistics of each channel of each instance (Ulyanov et al., 2016).

    Args and Raises: as InstanceNorm1d.
    """

    rank = 5


class SyncBatchNorm(BaseBatchNorm):
    """Batch normalisation of (N, C, ...) by the statistics of all devices: there is one (Ioffe and Szegedy, 2015)."""

    ranks = (2, 3, 4, 5)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
        process_groups: Any = None,
        dtype: Any = types.float32,
    ):
        take("SyncBatchNorm", "process_groups", process_groups)
        inits = (gamma_init, beta_init, moving_mean_init, moving_var_init)
        super().__init__(num_features, eps, momentum, affine, *inits, use_batch_statistics, dtype=dtype)
