"""Normalisation of batches and of groups of channels."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_int, check_rank
from emberjit.compat.communication.process_groups import group_of
from emberjit.distributed.batch_norm import normalised
from emberjit.functions.layers.normalisation import batch_norm_with_update, group_norm
from emberjit.nn.cell import Cell
from emberjit.nn.layers.normalisation import check_groups

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
        return self._normalised(input, self.training or not self.track_running_stats, momentum)

    def _normalised(self, input: Any, training: bool, momentum: Any) -> Any:
        statistics = self.running_mean, self.running_var, self.weight, self.bias
        return batch_norm_with_update(input, *statistics, training, momentum, self.eps)

    def extend_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of features, or of sequences of channels (Ioffe and Szegedy, 2015): weight * (input - mean) /
    sqrt(variance + eps) + bias for each channel; while training mean and variance are the batch's, and running_mean and
    running_var are updated.

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: the part of a batch in the running statistics after a step; None: one by the number of batches so far, so
            that they are means of all.
        affine: whether there are weight and bias, which are learned.
        track_running_stats: whether there are running statistics, which are used unless training; else the batch's are.
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C) or (N, C, L).

    Returns:
        A Tensor of the shape and dtype of input.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive; when called: shapes that do not fit.

    Examples:
        >>> norm = mint.nn.BatchNorm1d(2).set_train()
        >>> print(norm(Tensor([[1.0, 0.0], [3.0, 8.0]])))
        [[-0.999995   -0.99999976]
         [ 0.999995    0.99999976]]
        >>> print(norm.running_mean.asnumpy())
        [0.2 0.4]
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of images (Ioffe and Szegedy, 2015): weight * (input - mean) / sqrt(variance + eps) + bias for
    each channel; while training mean and variance are the batch's, and running_mean and running_var are updated.

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: the part of a batch in the running statistics after a step; None: one by the number of batches so far, so
            that they are means of all.
        affine: whether there are weight and bias, which are learned.
        track_running_stats: whether there are running statistics, which are used unless training; else the batch's are.
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C, H, W).

    Returns:
        A Tensor of the shape and dtype of input.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive; when called: shapes that do not fit.

    Examples:
        >>> norm = mint.nn.BatchNorm2d(1, track_running_stats=False)
        >>> print(norm(Tensor([[[[1.0, 3.0], [1.0, 3.0]]]]))[0, 0])
        [[-0.999995  0.999995]
         [-0.999995  0.999995]]
    """


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of volumes (Ioffe and Szegedy, 2015): weight * (input - mean) / sqrt(variance + eps) + bias for
    each channel; while training mean and variance are the batch's, and running_mean and running_var are updated.

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: the part of a batch in the running statistics after a step; None: one by the number of batches so far, so
            that they are means of all.
        affine: whether there are weight and bias, which are learned.
        track_running_stats: whether there are running statistics, which are used unless training; else the batch's are.
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C, D, H, W).

    Returns:
        A Tensor of the shape and dtype of input.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive; when called: shapes that do not fit.

    Examples:
        >>> norm = mint.nn.BatchNorm3d(1, affine=False).set_train()
        >>> print(norm(Tensor([[[[[1.0, 3.0], [1.0, 3.0]]]]]))[0, 0, 0])
        [[-0.999995  0.999995]
         [-0.999995  0.999995]]
    """

    ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation by the statistics of all processes' batches (Ioffe and Szegedy, 2015): weight * (input - mean) /
    sqrt(variance + eps) + bias for each channel; while training mean and variance are those of all batches together, and
    running_mean and running_var are updated.

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: the part of a batch in the running statistics after a step; None: one by the number of batches so far, so
            that they are means of all.
        affine: whether there are weight and bias, which are learned.
        track_running_stats: whether there are running statistics, which are used unless training; else the batch's are.
        process_group: the name of the group of processes whose batches count together; None: all.
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C), (N, C, L), (N, C, H, W) or (N, C, D, H, W).

    Returns:
        A Tensor of the shape and dtype of input.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive; when called: shapes that do not fit.

    Examples:
        >>> norm = mint.nn.SyncBatchNorm(2).set_train()
        >>> print(norm(Tensor([[1.0, 0.0], [3.0, 8.0]])))
        [[-0.999995   -0.99999976]
         [ 0.999995    0.99999976]]
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
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)
        self._group = group_of("SyncBatchNorm", process_group)

    def _normalised(self, input: Any, training: bool, momentum: Any) -> Any:
        if self._group.size == 1 or not training:
            return super()._normalised(input, training, momentum)
        y, *batch = normalised(input, self.weight, self.bias, self.eps, self._group)
        for old, value in zip((self.running_mean, self.running_var), batch):
            if old is not None:
                _ops.assign(old, (1 - momentum) * old + momentum * value)
        return y


class GroupNorm(Cell):
    """Normalisation by the mean and variance of groups of channels of each instance (Wu and He, 2018).

    Args:
        num_groups: how many groups there are, a divisor of num_channels.
        num_channels: the number of channels, C.
        eps: added to variances.
        affine: whether there are weight and bias, which are learned.
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor (N, C, ...) of floating dtype.

    Returns:
        A Tensor of the shape and dtype of input.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, or groups do not divide the channels; when called: other channels.

    Examples:
        >>> norm = mint.nn.GroupNorm(num_groups=2, num_channels=4)
        >>> print(norm(Tensor([[[1.0], [3.0], [0.0], [8.0]]]))[0, :, 0])
        [-0.999995    0.999995   -0.99999976  0.99999976]
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
