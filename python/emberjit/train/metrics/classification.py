"""Metrics of classes: accuracy, precision, recall, F."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_int, check_same_shape, check_within
from emberjit.train.metrics.metric import Array, Ratio, Updated, is_one_hot

_TYPES = ("classification", "multilabel")
_LEAST = sys.float_info.min


def _check_type(name: str, eval_type: Any) -> Any:
    if eval_type not in _TYPES:
        raise TypeError(f"For '{name}', 'eval_type' must be one of {_TYPES}, but got {eval_type!r}.")
    return eval_type


def _check_multilabel(name: str, y_pred: Array, y: Array) -> None:
    check_same_shape(f"{name}.update", y_pred=y_pred, y=y)
    if not all(np.equal(values**2, values).all() for values in (y_pred, y)):
        raise ValueError(f"For '{name}.update', predicted and true values of multilabel must be 0 or 1.")


def _classes_of(y_pred: Array, y: Array) -> Any:
    """The true classes, which may be given one-hot."""
    return y.argmax(axis=1) if y_pred.ndim == y.ndim and is_one_hot(y) else y


def _check_classes(name: str, y_pred: Array, y: Array) -> None:
    expected = y_pred.shape[:1] + y_pred.shape[2:]
    if y_pred.ndim < 2 or y.shape != expected:
        raise ValueError(
            f"For '{name}.update', true classes must have the shape of predicted values (N, C, ...) without C, {expected}, "
            f"but got predicted values of shape {y_pred.shape} and true ones of {y.shape}."
        )


class _ByClass:
    """How many classes there are: the same in all batches."""

    _class_num = 0

    def _check_class_num(self, y_pred: Array) -> None:
        if y_pred.ndim < 2 or self._class_num not in (0, y_pred.shape[1]):
            raise ValueError(
                f"For '{type(self).__name__}.update', predicted values must have shape (N, C, ...) with C "
                f"{self._class_num or 'the number of classes'}, as those before, but got {y_pred.shape}."
            )
        self._class_num = y_pred.shape[1]


class Accuracy(_ByClass, Ratio):
    """The part of predictions that are right.

    Args:
        eval_type: "classification": predictions (N, C, ...) of scores and true classes (N, ...), or one-hot ones;
            "multilabel": both (N, C, ...) of 0 and 1, right if all of a sample's are.

    Inputs:
        predicted values, true values: Tensors, lists or arrays, of the shapes that eval_type says; C is the same in all
        batches.

    Raises:
        TypeError: eval_type is something else.

    Examples:
        >>> metric = train.Accuracy()
        >>> metric.update(Tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), Tensor([1, 0, 1]))
        >>> print(metric.eval())
        0.6666666666666666
    """

    def __init__(self, eval_type: str = "classification"):
        self._type = _check_type("Accuracy", eval_type)
        super().__init__()

    def clear(self) -> None:
        super().clear()
        self._class_num = 0

    def _measure(self, y_pred: Array, y: Array) -> tuple[Any, int]:
        if self._type == "classification":
            y = _classes_of(y_pred, y)
            _check_classes("Accuracy", y_pred, y)
            self._check_class_num(y_pred)
            right = np.equal(y_pred.argmax(axis=1), y).reshape(-1)
        else:
            _check_multilabel("Accuracy", y_pred, y)
            self._check_class_num(y_pred)
            right = np.equal(y_pred, y).swapaxes(1, -1).reshape(-1, self._class_num).all(axis=1)
        return right.sum(), right.shape[0]


class _Counts(_ByClass, Updated):
    """Of each class, or of each sample of multilabel: how many are true positives, predicted and actual ones."""

    _type = "classification"

    def clear(self) -> None:
        super().clear()
        self._class_num = 0
        self._counts: Any = None

    def _add(self, y_pred: Array, y: Array) -> None:
        if self._type == "classification":
            y_pred, y = self._one_hot(y_pred, _classes_of(y_pred, y))
        else:
            _check_multilabel(type(self).__name__, y_pred, y)
            self._check_class_num(y_pred)
            y_pred, y = (values.swapaxes(1, 0).reshape(self._class_num, -1) for values in (y_pred, y))
        counts = np.stack([(y * y_pred).sum(axis=0), y_pred.sum(axis=0), y.sum(axis=0)]).astype(float)
        if self._counts is None:
            self._counts = counts
        elif self._type == "classification":
            self._counts = self._counts + counts
        else:
            self._counts = np.concatenate([self._counts, counts], axis=1)

    def _one_hot(self, y_pred: Array, y: Array) -> tuple[Any, Any]:
        name = type(self).__name__
        _check_classes(name, y_pred, y)
        self._check_class_num(y_pred)
        if y.size and not 0 <= y.min() <= y.max() < self._class_num:
            raise ValueError(
                f"For '{name}.update', true classes must be within [0, {self._class_num}), as there are scores of so many, "
                f"but got {y.min() if y.min() < 0 else y.max()}."
            )
        rows = np.eye(self._class_num)
        return rows[y_pred.argmax(axis=1).reshape(-1)], rows[y.reshape(-1).astype(int)]

    def _of_counts(self, true_positives: Array, positives: Array, actual_positives: Array) -> Any:
        raise NotImplementedError

    def eval(self, average: bool = False) -> Any:
        """The value of each class, or of each sample of multilabel.

        Args:
            average: whether it is their mean instead.

        Raises:
            RuntimeError: there are no samples.
            TypeError: average is no bool.
        """
        self._check_updated()
        check_bool(type(self).__name__, "average", average)
        result = self._of_counts(*self._counts)
        return result.mean() if average else result


class Precision(_Counts):
    """True positives by predicted positives, of each class.

    Args:
        eval_type: "classification": predictions (N, C, ...) of scores and true classes (N, ...), or one-hot ones;
            "multilabel": both (N, C, ...) of 0 and 1, with a value of each sample.

    Inputs:
        predicted values, true values: Tensors, lists or arrays, of the shapes that eval_type says; C is the same in all
        batches.

    Raises:
        TypeError: eval_type is something else.

    Examples:
        >>> metric = train.Precision()
        >>> metric.update(Tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), Tensor([1, 0, 1]))
        >>> print(metric.eval(), metric.eval(average=True))
        [0.5 1. ] 0.75
    """

    def __init__(self, eval_type: str = "classification"):
        self._type = _check_type(type(self).__name__, eval_type)
        super().__init__()

    def _of_counts(self, true_positives: Array, positives: Array, actual_positives: Array) -> Any:
        return true_positives / (positives + _LEAST)


class Recall(Precision):
    """True positives by actual positives, of each class.

    Args:
        eval_type: "classification": predictions (N, C, ...) of scores and true classes (N, ...), or one-hot ones;
            "multilabel": both (N, C, ...) of 0 and 1, with a value of each sample.

    Inputs:
        predicted values, true values: Tensors, lists or arrays, of the shapes that eval_type says; C is the same in all
        batches.

    Raises:
        TypeError: eval_type is something else.

    Examples:
        >>> metric = train.Recall()
        >>> metric.update(Tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), Tensor([1, 0, 1]))
        >>> print(metric.eval(), metric.eval(average=True))
        [1.  0.5] 0.75
    """

    def _of_counts(self, true_positives: Array, positives: Array, actual_positives: Array) -> Any:
        return true_positives / (actual_positives + _LEAST)


class Fbeta(_Counts):
    """The harmonic mean of precision and recall, which weighs beta times as much, of each class:
    (1 + beta**2) * precision * recall / (beta**2 * precision + recall).

    Args:
        beta: the weight of recall, a positive number.

    Inputs:
        predicted values, true values: scores (N, C, ...) and classes (N, ...), or one-hot ones: Tensors, lists or arrays.

    Raises:
        ValueError: beta is not positive.

    Examples:
        >>> metric = train.Fbeta(beta=2)
        >>> metric.update(Tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), Tensor([1, 0, 1]))
        >>> print(metric.eval())
        [0.83333333 0.55555556]
    """

    def __init__(self, beta: float):
        check_within(type(self).__name__, "beta", beta, above=0)
        self.beta = beta
        super().__init__()

    def _of_counts(self, true_positives: Array, positives: Array, actual_positives: Array) -> Any:
        weight = self.beta**2
        return (1.0 + weight) * true_positives / (weight * actual_positives + positives + _LEAST)


class F1(Fbeta):
    """The harmonic mean of precision and recall, of each class; Fbeta with beta 1.

    Inputs:
        predicted values, true values: scores (N, C, ...) and classes (N, ...), or one-hot ones: Tensors, lists or arrays.

    Examples:
        >>> metric = train.F1()
        >>> metric.update(Tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), Tensor([1, 0, 1]))
        >>> print(metric.eval())
        [0.66666667 0.66666667]
    """

    def __init__(self) -> None:
        super().__init__(1.0)


class TopKCategoricalAccuracy(Ratio):
    """The part of samples whose true class is among those of the k highest scores.

    Args:
        k: how many, an int, at least 1.

    Inputs:
        predicted values, true values: scores (N, C) and classes (N,), or one-hot ones: Tensors, lists or arrays.

    Raises:
        TypeError: k is no int.
        ValueError: k is below 1.

    Examples:
        >>> metric = train.TopKCategoricalAccuracy(k=2)
        >>> metric.update(Tensor([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]), Tensor([1, 0]))
        >>> print(metric.eval())
        0.5
    """

    def __init__(self, k: int):
        check_int(type(self).__name__, "k", k, 1)
        self.k = k
        super().__init__()

    def _measure(self, y_pred: Array, y: Array) -> tuple[Any, int]:
        best = np.argsort(-y_pred, axis=1, kind="stable")[:, : self.k]
        classes = _classes_of(y_pred, y).reshape(-1, 1)
        return np.equal(best, classes).sum(), classes.shape[0]


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The part of samples whose true class has the highest score; TopKCategoricalAccuracy with k 1.

    Inputs:
        predicted values, true values: scores (N, C) and classes (N,), or one-hot ones: Tensors, lists or arrays.

    Examples:
        >>> metric = train.Top1CategoricalAccuracy()
        >>> metric.update(Tensor([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]), Tensor([1, 2]))
        >>> print(metric.eval())
        0.5
    """

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The part of samples whose true class is among those of the 5 highest scores; TopKCategoricalAccuracy with k 5.

    Inputs:
        predicted values, true values: scores (N, C) and classes (N,), or one-hot ones: Tensors, lists or arrays.

    Examples:
        >>> metric = train.Top5CategoricalAccuracy()
        >>> metric.update(Tensor([[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]] * 2), Tensor([4, 5]))
        >>> print(metric.eval())
        0.5
    """

    def __init__(self) -> None:
        super().__init__(5)
