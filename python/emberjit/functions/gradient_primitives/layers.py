"""Gradients of losses and of normalisation."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_int, check_rank, check_same_shape, check_within
from emberjit.functions.arguments import working
from emberjit.functions.gradient_primitives.declarations import publish_gradients, pulled
from emberjit.functions.layers import normalisation
from emberjit.functions.linalg import norms
from emberjit.functions.losses import losses, margin_losses
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis
from emberjit.transforms.derivatives import vjp

_ops = core.ops

publish_gradients(
    __name__,
    (
        (
            losses.binary_cross_entropy,
            "ops.BinaryCrossEntropyGrad(reduction)(logits as input, labels as target, grad as grad_output, weight)",
            """f32(1), (f32(2, 3) + 3) / 6, (f32(2, 3) + 3) / 6, f32(2, 3);
            f32(2, 3), (f32(2, 3) + 3) / 6, f32(2, 3), None, 'none'""",
        ),
        (
            losses.kl_div,
            "ops.KLDivLossGrad(reduction)(grad, input, target)",
            "f32(1), f32(2, 3), f32(2, 3) + 3; f32(2, 3), f32(2, 3), f32(2, 3) + 3, 'none'",
        ),
        (
            losses.smooth_l1_loss,
            "ops.SmoothL1LossGrad(beta, reduction)(input as prediction, target, grad as dout)",
            "f32(2, 3), f32(2, 3), f32(2, 3); f32(1), f32(2, 3), f32(2, 3), 0.5, 'mean'",
        ),
        (
            losses.binary_cross_entropy_with_logits,
            "ops.SigmoidCrossEntropyWithLogitsGrad(reduction := 'none')(input as x, target as y, grad as dout)",
            "f32(2, 3), f32(2, 3), f32(2, 3), None, None, 'none'",
        ),
        (
            margin_losses.multi_margin_loss,
            "ops.MultiMarginLossGrad(p, margin, reduction)(grad as y_grad, input as x, target, weight)",
            "f32(1), f32(2, 3), i64(2) * 0 + 1; f32(2), f32(2, 3), i64(2) * 0, 2, 0.5, f32(3), 'none'",
        ),
        (
            normalisation.lrn,
            "ops.LRNGrad(depth_radius, bias, alpha, beta)(grad as grads, x, output as y)",
            "f32(1, 3, 2, 2), f32(1, 3, 2, 2), 1, 1.5, 0.25, 0.75",
        ),
        (
            norms.l2_normalize,
            "ops.L2NormalizeGrad(axis, epsilon)(x, output as out, grad as dout)",
            "f32(2, 3), f32(2, 3), 1",
        ),
        (norms.pdist, "ops.PdistGrad(p)(grad as y_grad, input as x, output as y)", "f32(3), f32(3, 2)"),
    ),
)


@publish(
    "ops.NLLLossGrad(reduction, ignore_index)(logits, loss_grad, labels, weight, total_weight)",
    numpy="""(np.where((np.arange(logits.shape[1]) == labels[:, None]) & (labels != ignore_index)[:, None], -weight, 0) *
    (loss_grad[:, None] if reduction == 'none' else loss_grad) / (total_weight if reduction == 'mean' else 1))""",
    samples="""f32(2, 3), f32(), i64(2) * 0 + 1, f32(3) + 3, f32() + 3;
    f32(2, 3), f32(), i64(2) * 0 + (2, -1), f32(3) + 3, f32(), 'sum', -1;
    f32(2, 3), f32(2), i64(2) * 0, f32(3) + 3, f32(), 'none'""",
)
def nll_loss_gradient(
    logits: Tensor,
    loss_grad: Tensor,
    labels: Tensor,
    weight: Tensor,
    total_weight: Tensor,
    reduction: str = "mean",
    ignore_index: int = -100,
) -> Any:
    """The gradient of nll_loss by logits.

    Args:
        logits: logarithms of probabilities, of shape (N, C).
        loss_grad: the gradient by the loss: of no axis, or by reduction "none" of shape (N).
        labels: numbers of classes, of shape (N).
        weight: of classes, of shape (C).
        total_weight: what reduction "mean" divides by, which the loss returns.
        reduction: "mean", "sum" or "none".
        ignore_index: a number of no class.

    Raises:
        ValueError: shapes do not fit, or another reduction.
    """
    check_choice("NLLLossGrad", "reduction", reduction, "mean", "sum", "none")
    summed = "sum" if reduction == "mean" else reduction
    grad = loss_grad / total_weight if reduction == "mean" else loss_grad

    def loss(x: Any) -> Any:
        return _ops.nll_loss(x, labels, weight, ignore_index, summed)

    return pulled("NLLLossGrad", loss, grad, logits)[0]


_CENTRED = """(lambda n, d: (r * (d - d.mean({axes}, keepdims=True) - n * (d * n).mean({axes}, keepdims=True)), {rest}))(
    (x - m) * r, {scaled})"""


def _through_statistics(x: Tensor, mean: Tensor, inverse: Tensor, grad: Tensor, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """(the gradient by x from that by (x - mean) * inverse, these normalised elements), where mean and 1 / deviation are
    those of x over axes."""
    normal = (x - mean) * inverse
    mean_grad, along = (_ops.mean(part, axes, True) for part in (grad, grad * normal))
    return inverse * (grad - mean_grad - normal * along), normal


@publish(
    "ops.LayerNormGrad(begin_norm_axis, begin_params_axis)(x, dy, variance, mean, gamma)",
    numpy=f"""(lambda m, r: {_CENTRED.format(axes=-1, scaled="dy * gamma", rest="(dy * n).sum(0), dy.sum(0)")})(
    mean, 1 / np.sqrt(variance))""",
    samples="f32(2, 3), f32(2, 3), f32(2, 1) + 3, f32(2, 1), f32(3)",
)
def layer_norm_gradient(
    x: Tensor,
    dy: Tensor,
    variance: Tensor,
    mean: Tensor,
    gamma: Tensor,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
) -> Any:
    """The gradients of layer normalisation by x, gamma and beta.

    Args:
        dy: the gradient by the result, of x's shape.
        variance, mean: those that it returned, of which each has one for all axes from begin_norm_axis on.
        gamma: factors of elements, of the shape of the axes from begin_params_axis on.

    Raises:
        ValueError: shapes do not fit, or an axis is out of range.
    """
    check_same_shape("LayerNormGrad", x=x, dy=dy)
    first = checked_axis("LayerNormGrad", x, begin_norm_axis)
    shared = tuple(range(checked_axis("LayerNormGrad", x, begin_params_axis)))
    inverse = _ops.cast(_ops.rsqrt(_ops.maximum(working(variance), 1e-12)), variance.dtype)
    by_x, normal = _through_statistics(x, mean, inverse, dy * gamma, tuple(range(first, x.ndim)))
    return by_x, *(_ops.sum(part, shared) for part in (dy * normal, dy))


@publish("ops.LayerNormGradGrad(begin_norm_axis, begin_params_axis)(x, dy, variance, mean, gamma, d_dx, d_dg, d_db)")
def layer_norm_second_gradient(
    x: Tensor,
    dy: Tensor,
    variance: Tensor,
    mean: Tensor,
    gamma: Tensor,
    d_dx: Tensor,
    d_dg: Tensor,
    d_db: Tensor,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
) -> Any:
    """The gradients of LayerNormGrad by x, dy and gamma, from those by its three results.

    Args:
        x: the operand of layer normalisation.
        dy: the gradient by its result, of x's shape.
        variance, mean: those of x; they are computed again, as LayerNormGrad depends on x through them, too.
        gamma: its factors.
        d_dx, d_dg, d_db: the gradients by the results of LayerNormGrad.
        begin_norm_axis: the first axis that is normalised.
        begin_params_axis: the first axis of gamma.

    Raises:
        ValueError: shapes do not fit.

    Examples:
        >>> x, dy, gamma = Tensor([[1.0, 3.0]]), Tensor([[1.0, 2.0]]), Tensor([1.0, 1.0])
        >>> mean, variance, ones = Tensor([[2.0]]), Tensor([[1.0]]), Tensor([1.0, 1.0])
        >>> op = ops.LayerNormGradGrad()
        >>> by_x, by_dy, by_gamma = op(x, dy, variance, mean, gamma, dy, ones, ones)
        >>> print(by_dy, by_gamma)
        [[0. 2.]] [0. 0.]
    """
    axes = tuple(range(checked_axis("LayerNormGradGrad", x, begin_norm_axis), x.ndim))

    def first(x: Any, dy: Any, gamma: Any) -> Any:
        centre = _ops.mean(x, axes, True)
        spread = _ops.mean(_ops.square(x - centre), axes, True)
        return layer_norm_gradient(x, dy, spread, centre, gamma, begin_norm_axis, begin_params_axis)

    return vjp(first, x, dy, gamma)[1](d_dx, d_dg, d_db)


@publish("ops.BatchNormGrad(is_training, epsilon, data_format)(dout, x, scale, saved_mean, saved_variance, reserve)")
def batch_norm_gradients(
    dout: Tensor,
    x: Tensor,
    scale: Tensor,
    saved_mean: Tensor,
    saved_variance: Tensor,
    reserve: Any = None,
    is_training: bool = False,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
) -> Any:
    """The gradients of batch normalisation by x, scale and bias.

    Args:
        dout: the gradient by the result, of x's shape.
        x: of shape (N, C, ...).
        scale: factors of channels.
        saved_mean, saved_variance: those that it normalised by; is_training: those of x itself, through which the
            gradient goes, too.
        reserve: is not read.
        is_training: whether x was normalised by its own mean and variance.
        epsilon: what was added to variances.
        data_format: "NCHW".

    Raises:
        ValueError: shapes do not fit, or data_format is not "NCHW".

    Examples:
        >>> dout, x = Tensor([[1.0], [1.0]]), Tensor([[1.0], [3.0]])
        >>> scale, mean, variance = Tensor([2.0]), Tensor([2.0]), Tensor([1.0])
        >>> by_x, by_scale, by_bias = ops.BatchNormGrad(epsilon=0.0)(dout, x, scale, mean, variance, None)
        >>> print(by_x.reshape(-1), by_scale, by_bias)
        [2. 2.] [0.] [2.]
    """
    check_choice("BatchNormGrad", "data_format", data_format, "NCHW")
    check_same_shape("BatchNormGrad", dout=dout, x=x)
    if is_training:
        return _ops.batch_norm_gradient(dout, x, scale, saved_mean, saved_variance, epsilon)

    def normalised(x: Any, scale: Any, bias: Any) -> Any:
        return _ops.batch_norm(x, saved_mean, saved_variance, scale, bias, eps=epsilon)

    return pulled("BatchNormGrad", normalised, dout, x, scale, _ops.zeros_like(scale))


@publish(
    """ops.BatchNormGradGrad(is_training, epsilon, data_format)(x, dy, scale, saved_mean, saved_variance, dout_dx,
    dout_dscale, dout_dbias)"""
)
def batch_norm_second_gradient(
    x: Tensor,
    dy: Tensor,
    scale: Tensor,
    saved_mean: Tensor,
    saved_variance: Tensor,
    dout_dx: Tensor,
    dout_dscale: Tensor,
    dout_dbias: Tensor,
    is_training: bool = False,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
) -> Any:
    """The gradients of BatchNormGrad by x, dy and scale, from those by its three results.

    Args:
        x: of shape (N, C, ...).
        dy: the gradient by the result of batch normalisation, of x's shape.
        scale: factors of channels.
        saved_mean, saved_variance: what it normalised by; is_training: those of x, which are computed again, as
            BatchNormGrad depends on x through them, too.
        dout_dx, dout_dscale, dout_dbias: the gradients by the results of BatchNormGrad.
        is_training: whether x was normalised by its own mean and variance.
        epsilon: what was added to variances.
        data_format: "NCHW".

    Raises:
        ValueError: shapes do not fit, or data_format is not "NCHW".

    Examples:
        >>> x, dy, one = Tensor([[1.0], [3.0]]), Tensor([[1.0], [2.0]]), Tensor([1.0])
        >>> op = ops.BatchNormGradGrad(epsilon=0.0)
        >>> by_x, by_dy, by_scale = op(x, dy, one, Tensor([2.0]), one, ops.ones((2, 1)), one, one)
        >>> print(by_x.reshape(-1), by_dy.reshape(-1), by_scale)
        [1. 2.] [1. 3.] [3.]
    """

    def first(x: Any, dy: Any, scale: Any) -> Any:
        used = (saved_mean, saved_variance)
        if is_training:
            used = _ops.batch_norm_with_statistics(x, scale, _ops.zeros_like(scale), epsilon)[1:]
        return batch_norm_gradients(dy, x, scale, *used, None, is_training, epsilon, data_format)

    return vjp(first, x, dy, scale)[1](dout_dx, dout_dscale, dout_dbias)


@publish(
    """ops.GroupNormGrad()(dy, x, mean, rstd, gamma_opt, num_groups, dx_is_require, dgamma_is_require,
    dbeta_is_require)"""
)
def group_norm_gradient(
    dy: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    gamma_opt: Tensor,
    num_groups: int,
    dx_is_require: bool = True,
    dgamma_is_require: bool = True,
    dbeta_is_require: bool = True,
) -> Any:
    """The gradients of group normalisation by x, gamma and beta.

    Args:
        dy: the gradient by the result, of x's shape (N, C, ...).
        x: of shape (N, C, ...).
        mean, rstd: the means and 1 / deviations of groups, of shape (N, num_groups).
        gamma_opt: factors of channels.
        num_groups: the number of groups of channels.
        dx_is_require, dgamma_is_require, dbeta_is_require: a gradient that is not needed is returned as well.

    Raises:
        ValueError: shapes do not fit.

    Examples:
        >>> dy, x = Tensor([[[1.0, 2.0]]]), Tensor([[[1.0, 3.0]]])
        >>> mean, inverse, gamma = Tensor([[2.0]]), Tensor([[1.0]]), Tensor([1.0])
        >>> by_x, by_gamma, by_beta = ops.GroupNormGrad()(dy, x, mean, inverse, gamma, 1)
        >>> print(by_x, by_gamma, by_beta)
        [[[0. 0.]]] [1.] [3.]
    """
    check_same_shape("GroupNormGrad", dy=dy, x=x)
    check_rank("GroupNormGrad", "x", x, *range(2, 9))
    n, channels = x.shape[:2]
    if check_int("GroupNormGrad", "num_groups", num_groups, 1) and channels % num_groups:
        raise ValueError(f"For 'GroupNormGrad', {channels} channels cannot be {num_groups} groups of one size.")
    grouped = (n, num_groups, channels // num_groups, math.prod(x.shape[2:]))
    centre, inverse = (_ops.reshape(part, (n, num_groups, 1, 1)) for part in (mean, rstd))
    dy4, x4 = _ops.reshape(dy, grouped), _ops.reshape(x, grouped)
    scaled = dy4 * _ops.reshape(gamma_opt, (1, num_groups, -1, 1))
    by_x, normal = _through_statistics(x4, centre, inverse, scaled, (2, 3))
    shared = (_ops.reshape(_ops.sum(part, (0, 3)), (channels,)) for part in (dy4 * normal, dy4))
    return _ops.reshape(by_x, x.shape), *shared


@publish(
    "ops.BiasAddGrad(data_format)(dout)",
    numpy="dout.sum(tuple(i for i in range(dout.ndim) if i != (dout.ndim - 1 if data_format == 'NHWC' else 1)))",
    samples="f32(2, 3); i32(2, 3, 2, 2); f32(2, 2, 2, 3), 'NHWC'; c64(2, 3, 2)",
)
def bias_add_gradient(dout: Tensor, data_format: str = "NCHW") -> Any:
    """The gradient of bias_add by the bias: the sum over all axes but that of channels.

    Args:
        dout: the gradient by the result, of at least two axes.
        data_format: "NCHW" or "NCDHW", by which channels are the second axis, or "NHWC", by which they are the last.

    Raises:
        ValueError: dout has less axes, or another data_format.
    """
    check_choice("BiasAddGrad", "data_format", data_format, "NCHW", "NHWC", "NCDHW")
    check_rank("BiasAddGrad", "dout", dout, *range(2, 9))
    channels = dout.ndim - 1 if data_format == "NHWC" else 1
    return _ops.reduce_sum(dout, tuple(i for i in range(dout.ndim) if i != channels))


@publish("ops.DropoutGrad(keep_prob)(dy, mask)", numpy="dy * mask / keep_prob", samples="f32(2, 3), i32(2, 3) % 2, 0.25")
def dropout_gradient(dy: Tensor, mask: Tensor, keep_prob: float = 0.5) -> Any:
    """The gradient of dropout: dy / keep_prob where the mask is 1, else 0.

    Args:
        mask: of dy's shape, 1 where an element was kept.

    Raises:
        ValueError: the shapes differ, or keep_prob is outside (0, 1].
    """
    check_same_shape("DropoutGrad", dy=dy, mask=mask)
    check_within("DropoutGrad", "keep_prob", keep_prob, most=1, above=0)
    return _ops.cast(mask, dy.dtype) * dy / keep_prob


@publish(
    "ops.CdistGrad(p)(grad, input_x, input_y, cdist)",
    numpy="""(grad[..., None] * (lambda d: np.sign(d) * (abs(d) / cdist[..., None])**(p - 1))(
    input_x[..., :, None, :] - input_y[..., None, :, :])).sum(-2)""",
    samples="""f32(2, 3), f32(2, 4), f32(3, 4), f32(2, 3) + 3, 1.0;
    f32(1, 2, 3), f32(1, 2, 4), f32(1, 3, 4), f32(1, 2, 3) + 3; f32(2, 3), f32(2, 4), f32(3, 4), f32(2, 3) + 3, 3.0""",
)
def cdist_gradient(grad: Tensor, input_x: Tensor, input_y: Tensor, cdist: Tensor, p: float = 2.0) -> Any:
    """The gradient of cdist by input_x, from its result; 0 where vectors are equal.

    Args:
        grad: the gradient by the result, (..., n, m).
        input_x, input_y: vectors (..., n, k) and (..., m, k).
        cdist: the distances of order p, (..., n, m).
        p: not negative; inf: the largest difference.

    Raises:
        ValueError: shapes do not fit, or p is negative.
    """
    check_same_shape("CdistGrad", grad=grad, cdist=cdist)
    check_within("CdistGrad", "p", p, 0)
    difference = _ops.expand_dims(input_x, -2) - _ops.expand_dims(input_y, -3)
    length = _ops.expand_dims(cdist, -1)
    size = _ops.abs(difference)
    if p == math.inf:
        share = _ops.cast(_ops.equal(size, length), size.dtype)
    else:
        nonzero = _ops.logical_and(_ops.greater(size, 0), _ops.greater(length, 0) if p else False)
        share = _ops.select(nonzero, _ops.select(nonzero, size / length, 1) ** (p - 1), 0)
    return _ops.sum(_ops.expand_dims(grad, -1) * _ops.sign(difference) * share, -2)
