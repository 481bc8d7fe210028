"""Losses. Each is reduced to its mean or sum, or not at all."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_number, check_same_shape, check_within
from emberjit.functions.activations.activations import softplus
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
cross_entropy: ops.cross_entropy mint.nn.functional.cross_entropy
    mint.nn.CrossEntropyLoss(weight, ignore_index, reduction, label_smoothing)(input, target)
    nn.CrossEntropyLoss(weight, ignore_index, reduction, label_smoothing)(input as logits, target as labels)
l2_loss: ops.L2Loss
mse_loss: ops.mse_loss ops.mse_loss_ext mint.nn.functional.mse_loss mint.nn.MSELoss(reduction)(input, target)
    nn.MSELoss(reduction)(input as logits, target as labels)
nll_loss: ops.nll_loss mint.nn.functional.nll_loss(inputs as input, target, weight, ignore_index, reduction)
    nn.NLLLoss(weight, ignore_index, reduction)(inputs as logits, target as labels)
    mint.nn.NLLLoss(weight, ignore_index, reduction)(inputs as input, target)
softmax_cross_entropy_with_logits: ops.SoftmaxCrossEntropyWithLogits
sparse_softmax_cross_entropy_with_logits: ops.SparseSoftmaxCrossEntropyWithLogits(is_grad)(logits, labels)
""",
    as_graphs=True,
)


def reduced(function: str, loss: Tensor, reduction: str) -> Any:
    check_choice(function, "reduction", reduction, "none", "mean", "sum")
    return loss if reduction == "none" else core.op_table[reduction](loss)


def weighted(loss: Tensor, weight: Tensor | None) -> Any:
    return loss if weight is None else loss * weight


REDUCED = "{'none': lambda x: x, 'mean': np.mean, 'sum': np.sum}[reduction]"


@publish(
    """ops.binary_cross_entropy ops.BinaryCrossEntropy(reduction)(logits, labels, weight)
    nn.BCELoss(weight, reduction)(logits, labels) mint.nn.BCELoss(weight, reduction)(logits as input, labels as target)
    mint.nn.functional.binary_cross_entropy(logits as input, labels as target, weight, reduction)""",
    numpy=f"""{REDUCED}(-(1 if weight is None else weight) * (labels * np.maximum(np.log(logits), -100)
    + (1 - labels) * np.maximum(np.log1p(-logits), -100)))""",
    samples="""f32(2, 3) / 5 + 0.5, f32(2, 3) / 4 + 0.5; f64(4) / 5 + 0.5, f64(4), f64(4), 'sum';
    f32(2, 3) / 5 + 0.5, f32(2, 3), f32(3), 'none'""",
)
def binary_cross_entropy(logits: Tensor, labels: Tensor, weight: Tensor | None = None, reduction: str = "mean") -> Any:
    """-weight * (labels * log(logits) + (1 - labels) * log(1 - logits)), where logarithms are at least -100.

    Args:
        logits: probabilities.
        labels: probabilities of the same shape.
        weight: what broadcasts to that shape.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: the shapes differ, or another reduction.
    """
    check_floating("binary_cross_entropy", logits=logits, labels=labels, weight=weight)
    check_same_shape("binary_cross_entropy", logits=logits, labels=labels)
    yes = _floored_log(_ops.log, logits, 0)
    no = _floored_log(_ops.log1p, _ops.neg(logits), -1)
    loss = _ops.neg(labels * yes + (1 - labels) * no)
    return reduced("binary_cross_entropy", weighted(loss, weight), reduction)


def _floored_log(log: Callable[[Tensor], Tensor], x: Tensor, pole: float) -> Any:
    """log(x), at least -100; its slope at the pole is 0."""
    at = _ops.equal(x, pole)
    return _ops.masked_fill(_ops.maximum(log(_ops.masked_fill(x, at, 1)), -100), at, -100)


@publish(
    """ops.binary_cross_entropy_with_logits
    ops.BCEWithLogitsLoss(reduction)(input as logits, target as label, weight, pos_weight)
    ops.SigmoidCrossEntropyWithLogits(reduction := 'none')(input as logits, target as label)
    nn.BCEWithLogitsLoss(reduction, weight, pos_weight)(input as logits, target as labels)
    mint.nn.BCEWithLogitsLoss(weight, reduction, pos_weight)(input, target)
    mint.nn.functional.binary_cross_entropy_with_logits(input, target, weight, reduction, pos_weight)""",
    numpy=f"""{REDUCED}((1 if weight is None else weight) * ((1 - target) * np.logaddexp(0, input)
    + (1 if pos_weight is None else pos_weight) * target * np.logaddexp(0, -input)))""",
    samples="""f32(2, 3), f32(2, 3) / 4 + 0.5; f64(4) * 9, f64(4), f64(4), f64(1), 'sum';
    f32(2, 3), f32(2, 3), f32(3), None, 'none'""",
)
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: str = "mean"
) -> Any:
    """The binary cross entropy of sigmoid(input), without computing that first.

    Args:
        target: probabilities of input's shape.
        weight: what broadcasts to that shape, a factor of each element.
        pos_weight: what broadcasts to that shape, a factor of target's part.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: the shapes differ, or another reduction.
    """
    name = "binary_cross_entropy_with_logits"
    check_floating(name, input=input, target=target, weight=weight, pos_weight=pos_weight)
    check_same_shape(name, input=input, target=target)
    yes = target * softplus(_ops.neg(input))
    loss = weighted(yes, pos_weight) + (1 - target) * softplus(input)
    return reduced(name, weighted(loss, weight), reduction)


@publish(
    """ops.l1_loss nn.L1Loss(reduction)(input as logits, target as labels) nn.MAELoss(reduction)(
    input as logits, target as label) nn.L1LossExt(reduction)(input, target) mint.nn.L1Loss(reduction)(input, target)
    mint.nn.functional.l1_loss""",
    numpy=f"{REDUCED}(abs(input - target))",
    samples="f32(2, 3), f32(2, 3); f64(4), f64(4), 'sum'; f32(2, 3), f32(3), 'none'; i32(3), f32(3)",
)
def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Any:
    """abs(input - target).

    Args:
        target: what broadcasts with input.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: shapes that do not broadcast, or another reduction.
    """
    return reduced("l1_loss", _ops.abs(input - target), reduction)


@publish(
    "nn.RMSELoss()(input as logits, target as label)",
    numpy="np.sqrt(np.mean((input - target)**2))",
    samples="f32(2, 3), f32(2, 3); f64(4), f64(4)",
)
def root_mean_square_loss(input: Tensor, target: Tensor) -> Any:
    """The square root of the mean of (input - target)**2."""
    return _ops.sqrt(_ops.mse_loss(input, target, "mean"))


def _huber(difference: Tensor, delta: float) -> Any:
    size = _ops.abs(difference)
    return _ops.select(_ops.less(size, delta), _ops.square(difference) * 0.5, (size - delta * 0.5) * delta)


@publish(
    """ops.smooth_l1_loss ops.SmoothL1Loss(beta, reduction)(input as prediction, target)
    nn.SmoothL1Loss(beta, reduction)(input as logits, target as labels)
    mint.nn.SmoothL1Loss(reduction = 'mean', beta)(input, target)
    mint.nn.functional.smooth_l1_loss(input, target, reduction = 'mean', beta)""",
    numpy=f"""(lambda d: {REDUCED}(np.where(d < beta, d**2 / 2 / beta, d - beta / 2) if beta else d))(
    abs(input - target))""",
    samples="f32(2, 3), f32(2, 3); f64(4), f64(4), 0.5, 'sum'; f32(3), f32(3), 0.0, 'mean'; f16(9), f16(9), 2.0",
)
def smooth_l1_loss(input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = "none") -> Any:
    """With d = abs(input - target), d**2 / (2 * beta) below beta, else d - beta / 2 (Girshick, 2015).

    Args:
        beta: where the parabola becomes a line; 0 gives d.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: input or target is not of floating point.
        ValueError: shapes that do not broadcast, a negative beta, or another reduction.
    """
    check_floating("smooth_l1_loss", input=input, target=target)
    check_within("smooth_l1_loss", "beta", beta, 0)
    if beta == 0:
        return l1_loss(input, target, reduction)
    return reduced("smooth_l1_loss", _huber(input - target, beta) / beta, reduction)


@publish(
    "ops.huber_loss nn.HuberLoss(reduction, delta)(input as logits, target as labels)",
    numpy=f"(lambda d: {REDUCED}(np.where(d <= delta, d**2 / 2, delta * (d - delta / 2))))(abs(input - target))",
    samples="f32(2, 3), f32(2, 3); f64(4), f64(4), 'sum', 0.5; f32(2, 3), f32(3), 'none', 2.0",
)
def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Any:
    """With d = abs(input - target), d**2 / 2 below delta, else delta * (d - delta / 2) (Huber, 1964).

    Args:
        target: what broadcasts with input.
        reduction: "mean", "sum" or "none".
        delta: where the parabola becomes a line.

    Raises:
        TypeError: input or target is not of floating point.
        ValueError: shapes that do not broadcast, delta is not positive, or another reduction.
    """
    check_floating("huber_loss", input=input, target=target)
    check_within("huber_loss", "delta", delta, above=0)
    return reduced("huber_loss", _huber(input - target, delta), reduction)


@publish(
    """ops.kl_div(input as logits, target as labels, reduction) ops.KLDivLoss(reduction)(input as logits, target as labels)
    nn.KLDivLoss(reduction)(input as logits, target as labels) mint.nn.KLDivLoss(reduction, log_target)(input, target)
    mint.nn.functional.kl_div""",
    numpy="""{'none': lambda x: x, 'mean': np.mean, 'sum': np.sum, 'batchmean': lambda x: x.sum() / len(x)}[reduction](
    np.exp(target) * (target - input) if log_target else target * (np.log(target) - input))""",
    samples="""f32(2, 3), f32(2, 3) / 4 + 1; f64(4), f64(4), 'sum', True; f32(2, 3), f32(2, 3) / 4 + 1, 'batchmean';
    f32(3), f32(3) / 4 + 1, 'none'""",
)
def kl_div(input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False) -> Any:
    """target * (log(target) - input), 0 where target is not positive: the divergence of exp(input) from target (Kullback,
    Leibler, 1951). The derivative by input is -target everywhere.

    Args:
        input: logarithms of probabilities.
        target: probabilities.
        reduction: "mean" over all elements, "batchmean" over the first axis, "sum" or "none".
        log_target: whether target has logarithms of probabilities.

    Raises:
        TypeError: input or target is not of floating point.
        ValueError: shapes that do not broadcast, or another reduction.
    """
    check_floating("kl_div", input=input, target=target)
    if log_target:
        loss = _ops.exp(target) * (target - input)
    else:
        none = _ops.less_equal(target, 0)
        probability = _ops.masked_fill(target, none, 1)
        loss = _ops.masked_fill(probability * (_ops.log(probability) - input), none, 0)
        slope = _ops.select(target < 0, _ops.stop_gradient(target) * input, 0)
        loss = loss + (_ops.stop_gradient(slope) - slope)
    if reduction != "batchmean":
        return reduced("kl_div", loss, reduction)
    if loss.ndim == 0:
        raise ValueError("For 'kl_div', 'reduction' 'batchmean' needs a first axis, but the input has none.")
    return _ops.sum(loss) / loss.shape[0]


@publish(
    """ops.gaussian_nll_loss nn.GaussianNLLLoss(full, eps, reduction)(x as logits, target as labels, var)""",
    numpy=f"""(lambda v: {REDUCED}((np.log(v) + (x - target)**2 / v) / 2 + full * math.log(2 * math.pi) / 2))(
    np.maximum(var if var.ndim == x.ndim else var[..., None], eps))""",
    samples="""f32(4, 3), f32(4, 3), f32(4, 3) + 3; f64(3, 2), f64(3, 2), f64(3) + 3, True, 1e-6, 'none';
    f32(2, 3), f32(2, 3), f32(2, 1) + 2.5, False, 1.0, 'sum'""",
)
def gaussian_nll_loss(
    x: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Any:
    """(log(v) + (x - target)**2 / v) / 2 with v = max(var, eps): the negative log likelihood of a normal distribution
    (Nix and Weigend, 1994).

    Args:
        var: variances, of x's shape, or without the last axis, or with 1 there.
        full: whether log(2 * pi) / 2 is added.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: the shapes do not fit, eps is not positive, or another reduction.
    """
    check_floating("gaussian_nll_loss", x=x, target=target, var=var)
    check_within("gaussian_nll_loss", "eps", eps, above=0)
    shape, var_shape = tuple(x.shape), tuple(var.shape)
    if var_shape not in (shape, shape[:-1], (*shape[:-1], 1)):
        raise ValueError(f"For 'gaussian_nll_loss', 'var' must fit 'x' of shape {shape}, but its shape is {var_shape}.")
    v = _ops.maximum(var if var_shape == shape or var.ndim == x.ndim else _ops.expand_dims(var, -1), eps)
    loss = (_ops.log(v) + _ops.square(x - target) / v) * 0.5
    return reduced("gaussian_nll_loss", loss + math.log(2 * math.pi) / 2 if full else loss, reduction)


@publish(
    "nn.PoissonNLLLoss(log_input, full, eps, reduction)(input, target)",
    numpy=f"""{REDUCED}((np.exp(input) - target * input if log_input else input - target * np.log(input + eps)) + (full and
    np.where(target > 1, target * np.log(abs(target)) - target + np.log(2 * math.pi * abs(target)) / 2, 0)))""",
    samples="f32(4, 3), f32(4, 3) + 2; f64(3) + 3, f64(3) + 2, False, True, 1e-8, 'none'; f32(4), f32(4) + 2, True, True",
)
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean"
) -> Any:
    """The negative log likelihood of Poisson distributions of rates exp(input): exp(input) - target * input.

    Args:
        log_input: without it rates are input: input - target * log(input + eps).
        full: whether Stirling's approximation of log(target!) is added where target is above 1.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: input is not of floating point.
        ValueError: shapes that do not broadcast, or another reduction.
    """
    check_floating("poisson_nll_loss", input=input)
    loss = _ops.exp(input) - target * input if log_input else input - target * _ops.log(input + eps)
    if full:
        few = _ops.less_equal(target, 1)
        t = _ops.masked_fill(target, few, 1)
        factorial = t * _ops.log(t) - t + _ops.log(t * (2 * math.pi)) * 0.5
        loss = loss + _ops.masked_fill(factorial, few, 0)
    return reduced("poisson_nll_loss", loss, reduction)


@publish(
    "ops.NLLLoss(reduction, ignore_index)(logits, labels, weight)",
    numpy="""(lambda w: ((lambda x: x if reduction == 'none' else x.sum() / (w.sum() if reduction == 'mean' else 1))(
    -logits[np.arange(len(labels)), labels] * w), w.sum()))(
    (weight if weight is not None else np.ones(logits.shape[1]))[labels] * (labels != ignore_index))""",
    samples="f32(4, 3), i32(4) % 3, f32(3) + 3; f64(4, 3), i64(4) % 3, f64(3), 'none'; f32(4, 3), i32(4) % 3, None, 'sum'",
)
def nll_loss_with_weight(
    logits: Tensor, labels: Tensor, weight: Tensor | None = None, reduction: str = "mean", ignore_index: int = -100
) -> Any:
    """(the negative log likelihood of classes, the sum of their weights).

    Args:
        logits: logarithms of probabilities, of shape (N, C).
        labels: numbers of classes, of shape (N).
        weight: of classes.
        reduction: "mean", which divides by the sum of weights, "sum" or "none".
        ignore_index: a number of no class.
    """
    loss = _ops.nll_loss(logits, labels, weight, ignore_index, reduction)
    ones = _ops.full((logits.shape[-1],), 1, logits.dtype) if weight is None else weight
    kept = _ops.not_equal(labels, ignore_index)
    class_weights = _ops.gather(ones, _ops.masked_fill(labels, _ops.logical_not(kept), 0), 0)
    return loss, _ops.sum(_ops.select(kept, class_weights, 0))


@publish(
    "ops.SparseSoftmaxCrossEntropyWithLogitsV2()(logits, labels)",
    numpy="""(lambda p, hot: (-np.log((p * hot).sum(1)), p - hot))(np.exp(logits) / np.exp(logits).sum(1, keepdims=True),
    np.eye(logits.shape[1])[labels])""",
    samples="f32(2, 5), i32(2) % 5; f64(3, 4), i64(3) % 4",
)
def sparse_softmax_cross_entropy_of_each(logits: Tensor, labels: Tensor) -> Any:
    """(the cross entropy of each row's softmax and its label (N,), its gradient by the logits (N, C)).

    Args:
        logits: (N, C), of floating point.
        labels: (N,), classes as integers.

    Raises:
        TypeError: logits or labels of another dtype.
        ValueError: shapes are others.
        IndexError: a label is no class.
    """
    check_floating("SparseSoftmaxCrossEntropyWithLogitsV2", logits=logits)
    loss = _ops.cross_entropy(logits, labels, reduction="none")
    return loss, _ops.softmax(logits, -1) - _ops.cast(_ops.one_hot(labels, logits.shape[1]), logits.dtype)


@publish("nn.L1Regularizer(scale)(weights)", numpy="scale * np.abs(weights).sum()", samples="f32(2, 3), 0.5; f64(4), 2")
def l1_regularizer(weights: Tensor, scale: Any) -> Any:
    """scale times the sum of magnitudes, float32 at least.

    Args:
        weights: a Tensor of floating point.
        scale: a positive number.

    Raises:
        TypeError: weights is not of floating point, or scale no number.
        ValueError: scale is not positive and finite.
    """
    check_floating("L1Regularizer", weights=weights)
    check_number("L1Regularizer", "scale", scale, above=0, below=math.inf)
    wide = weights if weights.dtype == core.float64 else _ops.cast(weights, core.float32)
    return _ops.sum(_ops.abs(wide)) * float(scale)
