"""Losses of segmentations: by how much regions overlap, and by how certain the true class is."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_dtype, check_float, check_floating, check_instance, check_rank, check_same_shape
from emberjit.functions.losses.losses import reduced
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops


@publish(
    "nn.DiceLoss(smooth)(logits, label)",
    numpy="1 - 2 * (logits * label).sum() / ((logits ** 2).sum() + (label ** 2).sum() + smooth)",
    samples="f32(2, 3), f32(2, 3); f64(2, 3, 4), f64(2, 3, 4), 1.0",
)
def dice_loss(logits: Tensor, label: Tensor, smooth: Any = 1e-5) -> Any:
    """1 - twice the overlap of all elements by the sum of both sizes, which are sums of squares (Milletari et al., 2016).

    Args:
        smooth: added to the sum of sizes, a positive float.

    Raises:
        TypeError: an argument is not of floating point, or smooth no float.
        ValueError: shapes differ, or smooth is not positive.
    """
    check_floating("DiceLoss", logits=logits)
    check_same_shape("DiceLoss", logits=logits, label=label)
    check_float("DiceLoss", "smooth", smooth)
    if smooth <= 0:
        raise ValueError(f"For 'DiceLoss', 'smooth' must be positive, but got {smooth}.")
    overlap = _ops.sum(logits * label)
    return 1 - 2 * overlap / (_ops.sum(_ops.square(logits)) + _ops.sum(_ops.square(label)) + smooth)


def _class_weights(weight: Tensor, labels: Tensor) -> Any:
    """The weights of classes (1, C, 1), or of each place's class (N, 1, L)."""
    if labels.shape[1] == 1:
        return _ops.gather(weight, _ops.cast(labels, core.int64), 0)
    return _ops.reshape(weight, (1, weight.shape[0], 1))


@publish(
    "nn.FocalLoss(weight, gamma, reduction)(logits, labels)",
    numpy="""(lambda p: getattr(-(1 - p) ** gamma * np.log(p) * (1 if weight is None else weight[labels[:, 0]]),
    reduction)())((np.exp(logits) / np.exp(logits).sum(1, keepdims=True))[np.arange(len(labels)), labels[:, 0]])""",
    samples="""f32(3, 2), abs(i32(3, 1)) % 2; f64(4, 3), abs(i64(4, 1)) % 3, abs(f64(3)), 1.5, 'sum'""",
)
def focal_loss(logits: Tensor, labels: Tensor, weight: Any = None, gamma: Any = 2.0, reduction: str = "mean") -> Any:
    """-(1 - p) ** gamma * log(p) of the probability p of each place's class (Lin et al., 2017).

    Args:
        logits: scores (N, C) or (N, C, ...).
        labels: integers (N, 1, ...), the classes, whose losses (N) are means over places; or (N, C, ...), 1 where the class
            is, whose losses are (N, C) likewise.
        weight: of each class (C), or None.
        gamma: how much less certain classes count, a float.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: gamma is no float, weight no Tensor, or labels are not of int32 or int64.
        ValueError: shapes do not fit, or another reduction.
    """
    check_float("FocalLoss", "gamma", gamma)
    if weight is not None:
        check_instance("FocalLoss", "weight", weight, core.Tensor)
        check_rank("FocalLoss", "weight", weight, 1)
    check_dtype("FocalLoss", "labels", labels, core.int32, core.int64)
    known = logits.ndim == labels.ndim > 1 and labels.shape[1] in (1, logits.shape[1])
    if not known or logits.shape[0] != labels.shape[0] or logits.shape[2:] != labels.shape[2:]:
        raise ValueError(
            f"For 'FocalLoss', 'labels' must be of the shape of 'logits', {tuple(logits.shape)}, or with one class, but got "
            f"{tuple(labels.shape)}."
        )
    x, at = (_ops.reshape(one, (*one.shape[:2], -1)) for one in (logits, labels))
    log_p = _ops.log_softmax(x, 1)
    sparse = at.shape[1] == 1
    if sparse:
        log_p = _ops.gather_d(log_p, 1, _ops.cast(at, core.int64))
    loss = -_ops.pow(1 - _ops.exp(log_p), gamma) * log_p
    loss = loss if weight is None else loss * _class_weights(weight, at)
    loss = _ops.mean(_ops.squeeze(loss, 1), -1) if sparse else _ops.mean(loss * at, -1)
    return reduced("FocalLoss", loss, reduction)
