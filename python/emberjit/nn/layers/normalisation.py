"""Normalisation of batches, layers, groups of channels and instances."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit.checks import check_instance, check_int, check_rank, check_within
from emberjit.distributed import world
from emberjit.distributed.batch_norm import normalised
from emberjit.functions.layers.normalisation import group_norm
from emberjit.initializer import initializer
from emberjit.nn.cell import Cell
from emberjit.options import take
from emberjit.transforms.precision_rules import has_rule

_ops = core.ops


class BaseBatchNorm(Cell):
    """What batch normalisations share."""

    ranks: tuple[int, ...] = (4,)
    _names = "moving_mean", "moving_variance", "gamma", "beta"

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
        data_format: str = "NCHW",
        dtype: Any = types.float32,
    ):
        super().__init__()
        take("BatchNorm", "data_format", data_format)
        check_within(type(self).__name__, "num_features", num_features, 1)
        check_within(type(self).__name__, "momentum", momentum, 0, 1)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.use_batch_statistics = use_batch_statistics
        shape = (num_features,)
        self.moving_mean = core.Parameter(initializer(moving_mean_init, shape, dtype), "mean", requires_grad=False)
        self.moving_variance = core.Parameter(initializer(moving_var_init, shape, dtype), "variance", requires_grad=False)
        self.gamma = core.Parameter(initializer(gamma_init, shape, dtype), "gamma", requires_grad=affine)
        self.beta = core.Parameter(initializer(beta_init, shape, dtype), "beta", requires_grad=affine)

    def construct(self, x: Any) -> Any:
        if x.ndim not in self.ranks:
            ranks = " or ".join(map(str, self.ranks))
            raise ValueError(f"For '{type(self).__name__}', the input must have {ranks} axes, but got {x.ndim}.")
        training = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        mean, variance, gamma, beta = (self._params[name] for name in self._names)  # in their own precision
        wide = x if x.dtype == gamma.dtype else _ops.cast(x, gamma.dtype)
        if training:
            y, *new = self._normalised(wide, mean, variance, gamma, beta)
            for old, value in zip((mean, variance), new):
                _ops.assign(old, value)
        else:
            y = _ops.batch_norm(wide, mean, variance, gamma, beta, training=False, eps=self.eps)
        return y if wide is x or has_rule(_ops.batch_norm) else _ops.cast(y, x.dtype)

    def _normalised(self, x: Any, mean: Any, variance: Any, gamma: Any, beta: Any) -> Any:
        """(x by the statistics of the batch, the running mean, and the running variance)."""
        return _ops.batch_norm_training(x, mean, variance, gamma, beta, self.momentum, self.eps)

    def extend_repr(self) -> str:
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}"


class BatchNorm1d(BaseBatchNorm):
    """Batch normalisation of features, or of sequences of channels (Ioffe and Szegedy, 2015): gamma * (x - mean) /
    sqrt(variance + eps) + beta for each channel; while training mean and variance are the batch's, and moving_mean and
    moving_variance are updated.

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: the part of the running statistics that a step of training keeps, within [0, 1].
        affine: whether gamma and beta are learned.
        gamma_init, beta_init: initial values of scale and shift: an initializer, its name, a number or a Tensor.
        moving_mean_init, moving_var_init: those of the running mean and variance.
        use_batch_statistics: whether the batch's statistics are used, and not the running ones; None: while training.
        data_format: "NCHW".
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, C) or (N, C, L).

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        ValueError: num_features is not positive, momentum outside [0, 1], or another data_format; when called: shapes that
            do not fit.

    Examples:
        >>> norm = nn.BatchNorm1d(2).set_train()
        >>> print(norm(Tensor([[1.0, 0.0], [3.0, 8.0]])))
        [[-0.999995   -0.99999976]
         [ 0.999995    0.99999976]]
        >>> print(norm.moving_mean.asnumpy())
        [0.2 0.4]
    """

    ranks = (2, 3)


class BatchNorm2d(BaseBatchNorm):
    """Batch normalisation of images (Ioffe and Szegedy, 2015): gamma * (x - mean) / sqrt(variance + eps) + beta for each
    channel; while training mean and variance are the batch's, and moving_mean and moving_variance are updated.

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: the part of the running statistics that a step of training keeps, within [0, 1].
        affine: whether gamma and beta are learned.
        gamma_init, beta_init: initial values of scale and shift: an initializer, its name, a number or a Tensor.
        moving_mean_init, moving_var_init: those of the running mean and variance.
        use_batch_statistics: whether the batch's statistics are used, and not the running ones; None: while training.
        data_format: "NCHW".
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, C, H, W).

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        ValueError: num_features is not positive, momentum outside [0, 1], or another data_format; when called: shapes that
            do not fit.

    Examples:
        >>> norm = nn.BatchNorm2d(1, use_batch_statistics=True)
        >>> print(norm(Tensor([[[[1.0, 3.0], [1.0, 3.0]]]]))[0, 0])
        [[-0.999995  0.999995]
         [-0.999995  0.999995]]
    """


class BatchNorm3d(Cell):
    """Batch normalisation of volumes (Ioffe and Szegedy, 2015): gamma * (x - mean) / sqrt(variance + eps) + beta for each
    channel; while training mean and variance are the batch's, and moving_mean and moving_variance are updated.

    The Parameters are those of an inner BatchNorm2d, bn2d.

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: the part of the running statistics that a step of training keeps, within [0, 1].
        affine: whether gamma and beta are learned.
        gamma_init, beta_init: initial values of scale and shift: an initializer, its name, a number or a Tensor.
        moving_mean_init, moving_var_init: those of the running mean and variance.
        use_batch_statistics: whether the batch's statistics are used, and not the running ones; None: while training.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, C, D, H, W).

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        ValueError: num_features is not positive, momentum outside [0, 1]; when called: shapes that do not fit.

    Examples:
        >>> norm = nn.BatchNorm3d(2, moving_mean_init=1.0, moving_var_init=4.0)
        >>> print(norm(Tensor(np.full((1, 2, 1, 1, 2), 5), ms.float32))[0, :, 0, 0])
        [[1.9999976 1.9999976]
         [1.9999976 1.9999976]]
    """

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
        dtype: Any = types.float32,
    ):
        super().__init__()
        inits = (gamma_init, beta_init, moving_mean_init, moving_var_init)
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, *inits, use_batch_statistics, dtype=dtype)

    def construct(self, x: Any) -> Any:
        if x.ndim != 5:
            raise ValueError(f"For 'BatchNorm3d', the input must have 5 axes, but got {x.ndim}.")
        n, c, d, h, w = x.shape
        return self.bn2d(x.reshape((n, c, d * h, w))).reshape(x.shape)


class SyncBatchNorm(BaseBatchNorm):
    """Batch normalisation by the statistics of all processes' batches (Ioffe and Szegedy, 2015): gamma * (x - mean) /
    sqrt(variance + eps) + beta for each channel; while training mean and variance are those of all batches together, and
    moving_mean and moving_variance are updated.

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: the part of the running statistics that a step of training keeps, within [0, 1].
        affine: whether gamma and beta are learned.
        gamma_init, beta_init: initial values of scale and shift: an initializer, its name, a number or a Tensor.
        moving_mean_init, moving_var_init: those of the running mean and variance.
        use_batch_statistics: whether the batch's statistics are used, and not the running ones; None: while training.
        process_groups: lists of the ranks of processes that share statistics, which each has this process's rank at most
            once; None: all.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, C), (N, C, L), (N, C, H, W) or (N, C, D, H, W).

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        ValueError: num_features is not positive, momentum outside [0, 1]; when called: shapes that do not fit.

    Examples:
        >>> norm = nn.SyncBatchNorm(2).set_train()
        >>> print(norm(Tensor([[1.0, 0.0], [3.0, 8.0]])))
        [[-0.999995   -0.99999976]
         [ 0.999995    0.99999976]]
    """

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
        inits = (gamma_init, beta_init, moving_mean_init, moving_var_init)
        super().__init__(num_features, eps, momentum, affine, *inits, use_batch_statistics, dtype=dtype)
        self._group = _group_of("SyncBatchNorm", process_groups)

    def _normalised(self, x: Any, mean: Any, variance: Any, gamma: Any, beta: Any) -> Any:
        if self._group.size == 1:
            return super()._normalised(x, mean, variance, gamma, beta)
        y, *batch = normalised(x, gamma, beta, self.eps, self._group)
        new = [self.momentum * old + (1 - self.momentum) * value for old, value in zip((mean, variance), batch)]
        return y, *new


def _group_of(cell: str, ranks: Any) -> world.Group:
    """This process's group of lists of ranks; None: that of all.

    Raises:
        TypeError: no list of lists.
        ValueError: this process is in none.
    """
    own = world.group()
    for members in [] if ranks is None else check_instance(cell, "process_groups", ranks, list):
        check_instance(cell, "process_groups", members, list)
        if own.size > 1 and own.rank in members:
            name = f"{cell}: {members}"
            if not world.exists(name):
                world.create(name, tuple(members))
            return world.group(name)
    if ranks is None or own.size == 1:
        return own
    raise ValueError(f"For '{cell}', 'process_groups' must have this process's rank, {own.rank}, but got {ranks}.")


class LayerNorm(Cell):
    """Layer normalisation (Ba et al., 2016): gamma * (x - mean) / sqrt(variance + epsilon) + beta, with mean and variance
    over the last axes.

    Args:
        normalized_shape: the sizes of these axes, a tuple or list.
        begin_norm_axis, begin_params_axis: the first of these axes, or -1.
        gamma_init, beta_init: initial values of scale and shift: an initializer, its name, a number or a Tensor.
        epsilon: added to variances.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor whose shape ends with normalized_shape.

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        TypeError: normalized_shape is no tuple or list, or an axis no int.
        ValueError: when called: an axis is not where normalized_shape begins, or x has another shape.

    Examples:
        >>> norm = nn.LayerNorm((2,))
        >>> print(norm(Tensor([[1.0, 3.0], [0.0, 8.0]])))
        [[-1.  1.]
         [-1.  1.]]
    """

    def __init__(
        self,
        normalized_shape: Any,
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        epsilon: float = 1e-7,
        dtype: Any = types.float32,
    ):
        super().__init__()
        check_instance("LayerNorm", "normalized_shape", normalized_shape, (tuple, list))
        for name, axis in (("begin_norm_axis", begin_norm_axis), ("begin_params_axis", begin_params_axis)):
            check_int("LayerNorm", name, axis)
        self.begin = begin_norm_axis, begin_params_axis
        self.normalized_shape, self.epsilon = tuple(normalized_shape), epsilon
        self.gamma = core.Parameter(initializer(gamma_init, self.normalized_shape, dtype), "gamma")
        self.beta = core.Parameter(initializer(beta_init, self.normalized_shape, dtype), "beta")

    def construct(self, x: Any) -> Any:
        for name, axis in zip(("begin_norm_axis", "begin_params_axis"), self.begin):
            first = x.ndim - len(self.normalized_shape)
            if axis not in (-1, first, first - x.ndim):
                raise ValueError(
                    f"For 'LayerNorm', '{name}' must be {first}, where 'normalized_shape' {self.normalized_shape} begins in "
                    f"an input of shape {x.shape}, or -1, but got {axis}."
                )
        return _ops.layer_norm(x, self.normalized_shape, self.gamma, self.beta, self.epsilon)

    def extend_repr(self) -> str:
        return f"normalized_shape={self.normalized_shape}"


def check_groups(cell: str, num_groups: int, num_channels: int) -> None:
    """Refuses groups that channels cannot be divided into.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, or groups do not divide the channels.
    """
    check_int(cell, "num_groups", num_groups, 1)
    if check_int(cell, "num_channels", num_channels, 1) % num_groups:
        raise ValueError(f"For '{cell}', 'num_groups' must divide 'num_channels', {num_channels}, but got {num_groups}.")


class GroupNorm(Cell):
    """Normalisation by the mean and variance of groups of channels of each instance (Wu and He, 2018).

    Args:
        num_groups: how many groups there are, a divisor of num_channels.
        num_channels: the number of channels, C.
        eps: added to variances.
        affine: whether gamma and beta are learned.
        gamma_init, beta_init: initial values of scale and shift, (C,): an initializer, its name, a number or a Tensor.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, C, ...) of floating dtype.

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, or groups do not divide the channels; when called: other channels.

    Examples:
        >>> norm = nn.GroupNorm(num_groups=2, num_channels=4)
        >>> print(norm(Tensor([[[1.0], [3.0], [0.0], [8.0]]]))[0, :, 0])
        [-0.999995    0.999995   -0.99999976  0.99999976]
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
        check_int(type(self).__name__, "num_features", num_features, 1)
        check_within(type(self).__name__, "momentum", momentum, 0, 1)
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
    """Normalisation by the mean and variance of each channel of each sequence (Ulyanov et al., 2016).

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: has no effect: running statistics are not used.
        affine: whether gamma and beta are learned.
        gamma_init, beta_init: initial values of scale and shift, (C,): an initializer, its name, a number or a Tensor.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, C, L) of floating dtype.

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive, or momentum outside [0, 1]; when called: shapes that do not fit.

    Examples:
        >>> norm = nn.InstanceNorm1d(2)
        >>> print(norm(Tensor([[[1.0, 3.0], [0.0, 8.0]]])))
        [[[-0.999995    0.999995  ]
          [-0.99999976  0.99999976]]]
    """

    rank = 3


class InstanceNorm2d(_InstanceNorm):
    """Normalisation by the mean and variance of each channel of each image (Ulyanov et al., 2016).

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: has no effect: running statistics are not used.
        affine: whether gamma and beta are learned.
        gamma_init, beta_init: initial values of scale and shift, (C,): an initializer, its name, a number or a Tensor.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, C, H, W) of floating dtype.

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive, or momentum outside [0, 1]; when called: shapes that do not fit.

    Examples:
        >>> norm = nn.InstanceNorm2d(1, gamma_init=2.0)
        >>> print(norm(Tensor([[[[1.0, 3.0], [3.0, 1.0]]]]))[0, 0])
        [[-1.99999  1.99999]
         [ 1.99999 -1.99999]]
    """


class InstanceNorm3d(_InstanceNorm):
    """Normalisation by the mean and variance of each channel of each volume (Ulyanov et al., 2016).

    Args:
        num_features: the number of channels, C.
        eps: added to variances.
        momentum: has no effect: running statistics are not used.
        affine: whether gamma and beta are learned.
        gamma_init, beta_init: initial values of scale and shift, (C,): an initializer, its name, a number or a Tensor.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, C, D, H, W) of floating dtype.

    Returns:
        A Tensor of the shape and dtype of x.

    Raises:
        TypeError: num_features is no int.
        ValueError: num_features is not positive, or momentum outside [0, 1]; when called: shapes that do not fit.

    Examples:
        >>> norm = nn.InstanceNorm3d(1, beta_init=0.5)
        >>> print(norm(Tensor([[[[[1.0, 3.0], [3.0, 1.0]]]]]))[0, 0, 0])
        [[-0.499995  1.499995]
         [ 1.499995 -0.499995]]
    """

    rank = 5
