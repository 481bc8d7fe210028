"""Losses."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.nn.cell import Cell

_ops = core.op_table


def _check_reduction(name: str, reduction: str) -> str:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"For '{name}', 'reduction' must be 'mean', 'sum' or 'none', but got {reduction!r}.")
    return reduction


class LossBase(Cell):
    """The base of losses that are reduced to their mean or sum.

    Args:
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: another reduction.
    """

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        self.reduction = _check_reduction(type(self).__name__, reduction)
        self.reduce, self.average = reduction != "none", reduction == "mean"

    def get_axis(self, x: Any) -> tuple[int, ...]:
        """All axes."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Any, weights: Any = 1.0) -> Any:
        """x * weights, reduced; computed in float32 at least, and of x's dtype."""
        wide = x if x.dtype == core.float64 else _ops["cast"](x, core.float32)
        loss = wide * weights
        if self.reduce:
            loss = _ops["mean" if self.average else "sum"](loss)
        return _ops["cast"](loss, x.dtype)


class CrossEntropyLoss(Cell):
    """Cross entropy of logits (N, C, ...) and labels: class indices (N, ...) or probabilities of the logits' shape."""

    _stateless = True

    def __init__(self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", label_smoothing: float = 0.0):
        super().__init__()
        self.weight, self.ignore_index = weight, ignore_index
        self.reduction, self.label_smoothing = _check_reduction("CrossEntropyLoss", reduction), label_smoothing

    def construct(self, logits: Any, labels: Any) -> Any:
        return _ops["cross_entropy"](logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class MSELoss(Cell):
    """Mean of squared differences."""

    _stateless = True

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        self.reduction = _check_reduction("MSELoss", reduction)

    def construct(self, logits: Any, labels: Any) -> Any:
        return _ops["mse_loss"](logits, labels, self.reduction)


class SoftmaxCrossEntropyWithLogits(Cell):
    """Cross entropy of logits (N, C) and labels: class indices (N,) if sparse, else probabilities (N, C)."""

    _stateless = True

    def __init__(self, sparse: bool = False, reduction: str = "none"):
        super().__init__()
        self.sparse, self.reduction = sparse, _check_reduction("SoftmaxCrossEntropyWithLogits", reduction)

    def construct(self, logits: Any, labels: Any) -> Any:
        if self.sparse == (tuple(labels.shape) == tuple(logits.shape)):
            wanted = "class indices of shape (N,)" if self.sparse else "probabilities of the logits' shape"
            raise ValueError(f"For 'SoftmaxCrossEntropyWithLogits', the labels must be {wanted}, not {labels.shape}.")
        return _ops["cross_entropy"](logits, labels, reduction=self.reduction)
