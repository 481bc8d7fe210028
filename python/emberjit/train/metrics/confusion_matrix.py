"""Confusion matrices, and the metrics that are computed of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_choice, check_float, check_instance, check_int, check_same_shape
from emberjit.train.metrics.metric import Array, Updated


class ConfusionMatrix(Updated):
    """How many samples of each true class, by rows, are predicted to be of each class, by columns.

    Args:
        num_classes: how many classes there are, an int.
        normalize: "no_norm", or what the counts are divided by: the sums of rows for "target", of columns for "prediction",
            of all for "all".
        threshold: from which probability on a sample is of class 1, a float.

    Inputs:
        predicted values, true values: classes (N, ...), scores (N, C, ...) or, of two classes, probabilities (N, ...); and
        true classes (N, ...): Tensors, lists or arrays.

    Raises:
        TypeError: num_classes is no int, or threshold no float.
        ValueError: there is no such normalize.

    Examples:
        >>> metric = train.ConfusionMatrix(num_classes=2)
        >>> metric.update(Tensor([0, 1, 1, 1]), Tensor([0, 0, 1, 1]))
        >>> print(metric.eval())
        [[1. 1.]
         [0. 2.]]
    """

    def __init__(self, num_classes: int, normalize: str = "no_norm", threshold: float = 0.5):
        self.num_classes = check_int("ConfusionMatrix", "num_classes", num_classes)
        check_choice("ConfusionMatrix", "normalize", normalize, "no_norm", "target", "prediction", "all")
        self.normalize = normalize
        self.threshold = check_float("ConfusionMatrix", "threshold", threshold)
        super().__init__()

    def clear(self) -> None:
        super().clear()
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))

    def _add(self, y_pred: Array, y: Array) -> None:
        if y_pred.ndim not in (y.ndim, y.ndim + 1):
            raise ValueError(
                "For 'ConfusionMatrix.update', predictions must have as many axes as true classes, or one more of scores, "
                f"but got predictions of shape {y_pred.shape} and classes of {y.shape}."
            )
        if y_pred.ndim == y.ndim + 1:
            y_pred = y_pred.argmax(axis=1)
        elif y_pred.dtype.kind == "f":
            y_pred = y_pred >= self.threshold
        n = self.num_classes
        places = (y.reshape(-1) * n + y_pred.reshape(-1)).astype(int)
        if places.size and not 0 <= places.min() <= places.max() < n * n:
            raise ValueError(f"For 'ConfusionMatrix.update', classes must be within [0, {n}).")
        self.confusion_matrix += np.bincount(places, minlength=n * n).reshape(n, n)

    def eval(self) -> Any:
        """The matrix, float64 (C, C); what would be divided by 0 is 0."""
        self._check_updated()
        matrix = self.confusion_matrix
        axis = {"target": 1, "prediction": 0}.get(self.normalize)
        total = 1.0 if self.normalize == "no_norm" else matrix.sum(axis=axis, keepdims=True)
        return np.divide(matrix, total, out=np.zeros_like(matrix), where=np.not_equal(total, 0))


def _by(numerator: Array, denominator: Array) -> Any:
    """A quotient, NaN where the denominator is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(denominator != 0, np.divide(numerator, denominator), np.nan)


def _prevalence_threshold(tp: Array, fp: Array, tn: Array, fn: Array) -> Any:
    tpr, tnr = _by(tp, tp + fn), _by(tn, tn + fp)
    return _by(np.sqrt(tpr * (1 - tnr)) + tnr - 1, tpr + tnr - 1)


_FORMULAS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {  # of true and false positives, true and false negatives
    "tpr sensitivity recall hit_rate true_positive_rate": lambda tp, fp, tn, fn: _by(tp, tp + fn),
    "tnr specificity selectivity true_negative_rate": lambda tp, fp, tn, fn: _by(tn, tn + fp),
    "ppv precision positive_predictive_value": lambda tp, fp, tn, fn: _by(tp, tp + fp),
    "npv negative_predictive_value": lambda tp, fp, tn, fn: _by(tn, tn + fn),
    "fnr miss_rate false_negative_rate": lambda tp, fp, tn, fn: _by(fn, tp + fn),
    "fpr fall_out false_positive_rate": lambda tp, fp, tn, fn: _by(fp, fp + tn),
    "fdr false_discovery_rate": lambda tp, fp, tn, fn: _by(fp, fp + tp),
    "for false_omission_rate": lambda tp, fp, tn, fn: _by(fn, fn + tn),
    "pt prevalence_threshold": _prevalence_threshold,
    "ts csi threat_score critical_success_index": lambda tp, fp, tn, fn: _by(tp, tp + fn + fp),
    "acc accuracy": lambda tp, fp, tn, fn: _by(tp + tn, tp + fp + tn + fn),
    "ba balanced_accuracy": lambda tp, fp, tn, fn: (_by(tp, tp + fn) + _by(tn, tn + fp)) / 2,
    "f1 f1_score": lambda tp, fp, tn, fn: _by(2 * tp, 2 * tp + fn + fp),
    "mcc matthews_correlation_coefficient": lambda tp, fp, tn, fn: _by(
        tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    ),
    "fm fowlkes_mallows_index": lambda tp, fp, tn, fn: np.sqrt(_by(tp, tp + fp) * _by(tp, tp + fn)),
    "bm informedness bookmaker_informedness": lambda tp, fp, tn, fn: _by(tp, tp + fn) + _by(tn, tn + fp) - 1,
    "mk markedness deltap": lambda tp, fp, tn, fn: _by(tp, tp + fp) + _by(tn, tn + fn) - 1,
}
_FORMULA_OF = {name: formula for names, formula in _FORMULAS.items() for name in names.split()}
_AXES = {  # over which a reduction goes, in turn
    "none": (),
    "sum": ((0, 1),),
    "mean": (1, 0),
    "sum_batch": (0,),
    "mean_batch": (0,),
    "sum_channel": (1,),
    "mean_channel": (1,),
}


def _reduced(values: Array, decrease: str) -> tuple[Any, Any]:
    """Sums or means of values (N, C, ...) without NaN, and of how many values they are."""
    known = (~np.isnan(values)).astype(float)
    values = np.nan_to_num(values, nan=0.0)
    for axis in _AXES[decrease]:
        values, count = values.sum(axis=axis), known.sum(axis=axis)
        if decrease.startswith("mean"):
            values = np.divide(values, count, out=np.zeros_like(values), where=count > 0)
            known = (count > 0).astype(float) if decrease == "mean" else count
        else:
            known = count
    return values, known


class ConfusionMatrixMetric(Updated):
    """A metric of the numbers of true and false positives and negatives.

    Args:
        skip_channel: whether all channels C count; else the first, that of the background, does not.
        metric_name: what is computed: "sensitivity", "specificity", "precision", "f1 score", "accuracy", "miss rate",
            "matthews correlation coefficient" and others; or a short name, as "tpr". A wrong one is told all of them.
        calculation_method: whether it is computed of each sample and channel and then reduced; else of the sums.
        decrease: how it is reduced then: "none", "mean", "sum", or of either "mean_batch", "mean_channel", "sum_batch" or
            "sum_channel".

    Inputs:
        predicted values, true values: (N, C, ...), of 0 and 1: Tensors, lists or arrays of one shape.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such decrease.
        NotImplementedError: there is no such metric_name.

    Examples:
        >>> metric = train.ConfusionMatrixMetric(metric_name="sensitivity")
        >>> metric.update(Tensor([[[1], [0]], [[1], [1]]]), Tensor([[[1], [1]], [[1], [0]]]))
        >>> print(metric.eval())  # 2 of 3
        [0.66666667]
    """

    def __init__(
        self,
        skip_channel: bool = True,
        metric_name: str = "sensitivity",
        calculation_method: bool = False,
        decrease: str = "mean",
    ):
        name = "ConfusionMatrixMetric"
        self.skip_channel = check_bool(name, "skip_channel", skip_channel)
        self.calculation_method = check_bool(name, "calculation_method", calculation_method)
        self.metric_name = check_instance(name, "metric_name", metric_name, str)
        check_instance(name, "decrease", decrease, str)
        self.decrease = check_choice(name, "decrease", decrease, *_AXES)
        self._formula = _FORMULA_OF.get(metric_name.replace(" ", "_").lower())
        if self._formula is None:
            raise NotImplementedError(
                f"For '{name}', 'metric_name' must be one of {', '.join(_FORMULA_OF)}; got {metric_name!r}."
            )
        super().__init__()

    def clear(self) -> None:
        super().clear()
        self._counts = np.zeros(4)
        self._sum = self._known = 0.0

    def _add(self, y_pred: Array, y: Array) -> None:
        if y_pred.ndim < 2:
            raise ValueError(
                f"For 'ConfusionMatrixMetric.update', values must have shape (N, C, ...), but got {y_pred.shape}."
            )
        check_same_shape("ConfusionMatrixMetric.update", y_pred=y_pred, y=y)
        if not np.equal(y.astype(np.uint8), y).all():
            raise ValueError("For 'ConfusionMatrixMetric.update', true values must be 0 or 1.")
        if not self.skip_channel and y.shape[1] > 1:
            y_pred, y = y_pred[:, 1:], y[:, 1:]
        both = (y_pred.astype(float) + y).reshape(*y.shape[:2], -1)
        actual = y.reshape(both.shape).sum(axis=2).astype(float)
        tp, tn = (both == 2).sum(axis=2).astype(float), (both == 0).sum(axis=2).astype(float)
        counts = tp, both.shape[2] - actual - tn, tn, actual - tp
        single = y_pred.ndim == 2 or (y_pred.ndim == 3 and y_pred.shape[-1] == 1)
        if self.calculation_method and not single:
            value, known = _reduced(self._formula(*counts), self.decrease)  # type: ignore[misc]
            self._sum += float((value * known).sum())
            self._known += float(known.sum())
        else:
            self._counts += [count.sum() for count in counts]

    def eval(self) -> Any:
        """The value: a mean of those of updates with calculation_method, else that of all counts, of shape (1,)."""
        self._check_updated()
        if self._known:
            return self._sum / self._known
        return self._formula(*self._counts[:, None])  # type: ignore[misc]
