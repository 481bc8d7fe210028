"""Receiver operating characteristics, and areas under curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.checks import check_int
from emberjit.train.metrics.metric import Array, Updated, with_deviations


def auc(x: Any, y: Any, reorder: bool = False) -> Any:
    """The area under a curve, by the trapezoidal rule.

    Args:
        x, y: arrays of one length, at least 2, of one axis, or of two with the second of size 1.
        reorder: whether points are sorted by x; else x must increase or decrease.

    Returns:
        The area, a NumPy scalar.

    Raises:
        TypeError: x or y is no array.
        ValueError: lengths differ, another shape, or x neither increases nor decreases.

    Examples:
        >>> false_positive_rates, true_positive_rates = np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0])
        >>> print(train.auc(false_positive_rates, true_positive_rates))
        0.75
    """
    if not isinstance(x, np.ndarray) or not isinstance(y, np.ndarray):
        raise TypeError(f"For 'auc', 'x' and 'y' must be arrays, but got {type(x)} and {type(y)}.")
    for values in (x, y):
        if values.ndim != 1 and (values.ndim != 2 or values.shape[1] != 1):
            raise ValueError(f"For 'auc', 'x' and 'y' must have one axis, or shape (N, 1), but got {values.shape}.")
    if len(x) != len(y) or len(x) < 2:
        raise ValueError(f"For 'auc', 'x' and 'y' must have one length, at least 2, but got {len(x)} and {len(y)}.")
    x, y = x.ravel(), y.ravel()
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    widths = np.diff(x)
    sign = -1 if np.all(widths <= 0) and np.any(widths < 0) else 1
    if sign == 1 and np.any(widths < 0):
        raise ValueError(f"For 'auc', 'x' must increase or decrease unless 'reorder' is True, but got {x}.")
    return sign * (widths * (y[1:] + y[:-1]) / 2).sum()


@with_deviations
class ROC(Updated):
    """The receiver operating characteristic: rates of false and true positives by thresholds.

    Args:
        class_num: the number of classes, an int; None is 1.
        pos_label: the positive class of scores of one, an int; None is 1.

    Inputs:
        predicted values, true values: scores (N, ...) of one class, or (N, C, ...); and true classes (N, ...): Tensors,
        lists or arrays. An update replaces the one before.

    Raises:
        TypeError: an argument is no int.

    Examples:
        >>> metric = train.ROC()
        >>> metric.update(Tensor([0.1, 0.4, 0.6, 0.8]), Tensor([0, 1, 0, 1]))
        >>> false_positive_rates, true_positive_rates, thresholds = metric.eval()
        >>> print(false_positive_rates, true_positive_rates)
        [0.  0.  0.5 0.5 1. ] [0.  0.5 0.5 1.  1. ]
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None):
        for name, value in (("class_num", class_num), ("pos_label", pos_label)):
            if value is not None:
                check_int("ROC", name, value)
        self.class_num, self.pos_label = class_num, pos_label
        super().__init__()

    def _add(self, y_pred: Array, y: Array) -> None:
        if y_pred.ndim == y.ndim:
            rule, right = "1 or None for scores of one class", self.class_num in (None, 1)
        else:
            rule, right = (
                "that of the scores (N, C, ...)",
                y_pred.ndim == y.ndim + 1 and self.class_num == y_pred.shape[1] and self.pos_label is None,
            )
        if not right:
            raise ValueError(
                f"For 'ROC.update', 'class_num' must be {rule}, and 'pos_label' is of one class alone, but got class_num "
                f"{self.class_num}, pos_label {self.pos_label}, scores of shape {y_pred.shape} and classes of {y.shape}."
            )
        self.y_pred, self.y = y_pred, y

    def eval(self) -> Any:
        """(false positive rates, true positive rates, thresholds) of the last update; with several classes lists of them.

        Raises:
            RuntimeError: there was no update.
            ValueError: there are no negative samples, or no positive ones.
        """
        self._check_updated()
        y = self.y.reshape(-1)
        if self.y_pred.ndim == self.y.ndim:
            return _curve(self.y_pred.reshape(-1), y == (1 if self.pos_label is None else self.pos_label))
        columns = np.moveaxis(self.y_pred, 1, 0).reshape(self.y_pred.shape[1], -1)
        curves = [_curve(scores, y == label) for label, scores in enumerate(columns)]
        return tuple(list(part) for part in zip(*curves))


def _curve(scores: Array, positive: Array) -> tuple[Any, Any, Any]:
    order = np.argsort(-scores)
    scores, positive = scores[order], positive[order].astype(np.int64)
    last = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    true = np.append(0, np.cumsum(positive)[last])
    false = np.append(0, 1 + last) - true
    for count, kind in ((false[-1], "negative"), (true[-1], "positive")):
        if count <= 0:
            raise ValueError(f"For 'ROC.eval', there are no {kind} samples.")
    return false / false[-1], true / true[-1], np.append(scores[:1] + 1, scores[last])
