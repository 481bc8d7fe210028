"""Metrics of values: errors, losses, perplexity, overlap, similarity."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_choice, check_float, check_instance, check_int, check_same_shape, check_within
from emberjit.train.metrics.metric import Array, Ratio, Updated, rearrange_inputs


class MAE(Ratio):
    """The sum of absolute errors by the number of samples.

    Inputs:
        predicted values, true values: (N, ...), of one size: Tensors, lists or arrays.

    Examples:
        >>> metric = train.MAE()
        >>> metric.update(Tensor([1.0, 2.0, 4.0]), Tensor([1.0, 3.0, 2.0]))
        >>> print(metric.eval())
        1.0
    """

    def _measure(self, y_pred: Array, y: Array) -> tuple[Any, int]:
        return np.abs(y.reshape(y_pred.shape) - y_pred).sum(), y.shape[0]


class MSE(Ratio):
    """The sum of squared errors by the number of samples.

    Inputs:
        predicted values, true values: (N, ...), of one size: Tensors, lists or arrays.

    Examples:
        >>> metric = train.MSE()
        >>> metric.update(Tensor([1.0, 2.0, 4.0]), Tensor([1.0, 3.0, 0.0]))
        >>> print(metric.eval())
        5.666666507720947
    """

    def _measure(self, y_pred: Array, y: Array) -> tuple[Any, int]:
        return np.square(y.reshape(y_pred.shape) - y_pred).sum(), y.shape[0]


class Loss(Ratio):
    """The mean of the losses of batches.

    Inputs:
        loss: a Tensor, list or array without axes or of one, whose mean is the batch's.

    Examples:
        >>> metric = train.Loss()
        >>> for loss in (0.5, 0.25):
        ...     metric.update(Tensor(loss))
        >>> print(metric.eval())
        0.375
    """

    _inputs = "loss"

    def _measure(self, loss: Array) -> tuple[Any, int]:
        if loss.ndim > 1:
            raise ValueError(f"For 'Loss.update', the loss must have no axes or one, but got shape {loss.shape}.")
        return loss.mean(), 1


class Perplexity(Ratio):
    """exp of the mean negative logarithm of the true labels' probabilities.

    Args:
        ignore_label: samples of this label do not count, an int; None: all do.

    Inputs:
        predicted values, labels: probabilities (..., C), and classes, one for each row of them: Tensors, lists or arrays.

    Raises:
        TypeError: ignore_label is no int.

    Examples:
        >>> metric = train.Perplexity()
        >>> metric.update(Tensor([[0.5, 0.5], [0.25, 0.75]]), Tensor([1, 0]))
        >>> print(metric.eval())  # the root of 2 * 4
        2.828427132826954
    """

    _inputs = "predicted values, labels"

    def __init__(self, ignore_label: int | None = None):
        if ignore_label is not None:
            check_int("Perplexity", "ignore_label", ignore_label)
        self.ignore_label = ignore_label
        super().__init__()

    def _measure(self, y_pred: Array, labels: Array) -> tuple[Any, int]:
        if labels.size * y_pred.shape[-1] != y_pred.size:
            raise RuntimeError(
                f"For 'Perplexity.update', there must be a label for each row of probabilities (..., C), but got labels of "
                f"shape {labels.shape} and probabilities of {y_pred.shape}."
            )
        classes = labels.reshape(-1).astype(int)
        rows = y_pred.reshape(-1, y_pred.shape[-1])
        probabilities = rows[np.arange(len(classes)), classes]
        if self.ignore_label is not None:
            probabilities = probabilities[classes != self.ignore_label]
        return -np.log(np.maximum(1e-10, probabilities)).sum(), probabilities.size

    def eval(self) -> float:
        return math.exp(super().eval())


class Dice(Ratio):
    """Twice the product of predicted and true values by the sum of their squares; of batches the sum, by the number of
    samples.

    Args:
        smooth: added to the divisor, a positive float.

    Inputs:
        predicted values, true values: (N, ...), of one shape: Tensors, lists or arrays.

    Raises:
        TypeError, ValueError: smooth is no positive float.

    Examples:
        >>> metric = train.Dice()
        >>> metric.update(Tensor([[1.0, 1.0, 0.0]]), Tensor([[1.0, 0.0, 0.0]]))
        >>> print(round(metric.eval(), 4))  # 2 * 1 / (2 + 1)
        0.6667
    """

    def __init__(self, smooth: float = 1e-5):
        self.smooth = check_float("Dice", "smooth", smooth, above=0)
        super().__init__()

    def _measure(self, y_pred: Array, y: Array) -> tuple[Any, int]:
        check_same_shape("Dice.update", y_pred=y_pred, y=y)
        a, b = y_pred.reshape(-1), y.reshape(-1)
        return 2 * float(a @ b) / float(a @ a + b @ b + self.smooth), y.shape[0]


class CosineSimilarity(Updated):
    """The similarity of each two rows of a matrix.

    Args:
        similarity: "cosine", the product of rows by their norms, or "dot" for products alone.
        reduction: "none", or over the last axis "sum" or "mean".
        zero_diagonal: whether rows have similarity 0 to themselves.

    Inputs:
        matrix: (N, D), a Tensor, list or array; eval gives (N, N), or (N,) with a reduction, of the last one.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such similarity or reduction.

    Examples:
        >>> metric = train.CosineSimilarity()
        >>> metric.update(Tensor([[1.0, 0.0], [3.0, 4.0]]))
        >>> print(metric.eval())
        [[0.  0.6]
         [0.6 0. ]]
    """

    _inputs = "matrix"

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True):
        for name, value, choices in (
            ("similarity", similarity, ["dot", "cosine"]),
            ("reduction", reduction, ["none", "sum", "mean"]),
        ):
            check_instance("CosineSimilarity", name, value, str)
            check_choice("CosineSimilarity", name, value, *choices)
        self.similarity, self.reduction = similarity, reduction
        self.zero_diagonal = check_bool("CosineSimilarity", "zero_diagonal", zero_diagonal)
        super().__init__()

    def _add(self, rows: Array) -> None:
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, ord=2, axis=1, keepdims=True)
        self._products = rows @ rows.T

    def eval(self) -> Any:
        """The similarities of the last update."""
        self._check_updated()
        result = self._products.copy()
        if self.zero_diagonal:
            np.fill_diagonal(result, 0)
        return result if self.reduction == "none" else getattr(np, self.reduction)(result, axis=-1)


class BleuScore(Updated):
    """BLEU of translations (Papineni et al., 2002).

    Args:
        n_gram: the longest n-grams that are compared, 1 to 4.
        smooth: whether 1 is added to all counts (Lin and Och, 2004).

    Inputs:
        candidates, references: a list of translations, each a list of words; and of each a list of references, which are
        lists of words.

    Raises:
        TypeError: n_gram is no int, or smooth no bool.
        ValueError: n_gram is not within [1, 4].

    Examples:
        >>> metric = train.BleuScore(n_gram=2)
        >>> metric.update([["the", "cat", "sat"]], [[["the", "cat", "sat", "down"]]])
        >>> print(round(float(metric.eval()), 4))  # exp(1 - 4 / 3): it is shorter
        0.7165
    """

    _inputs = "candidates, references"

    def __init__(self, n_gram: int = 4, smooth: bool = False):
        self.n_gram = check_int("BleuScore", "n_gram", n_gram)
        check_within("BleuScore", "n_gram", n_gram, 1, 4)
        self.smooth = check_bool("BleuScore", "smooth", smooth)
        super().__init__()

    def clear(self) -> None:
        super().clear()
        self._matches, self._totals = np.zeros(self.n_gram), np.zeros(self.n_gram)
        self._length = self._reference_length = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Adds translations.

        Raises:
            ValueError: another number of inputs, or their lengths differ.
        """
        self._check_count(inputs)
        candidates, references = inputs
        if len(candidates) != len(references):
            raise ValueError(
                f"For 'BleuScore.update', there must be references for each translation, but got {len(candidates)} "
                f"translations and {len(references)} lists of references."
            )
        for candidate, its_references in zip(candidates, references):
            self._add(candidate, its_references)
        self._is_update = True

    def _add(self, candidate: Any, references: Any) -> None:
        self._length += len(candidate)
        self._reference_length += min((len(words) for words in references), key=lambda size: abs(size - len(candidate)))
        candidate_counts, reference_counts = self._n_grams(candidate), self._n_grams([])
        for reference in references:
            reference_counts |= self._n_grams(reference)
        for counts, n_grams in ((self._matches, candidate_counts & reference_counts), (self._totals, candidate_counts)):
            for n_gram, count in n_grams.items():
                counts[len(n_gram) - 1] += count

    def _n_grams(self, words: Any) -> Any:
        from collections import Counter

        sizes = range(1, self.n_gram + 1)
        return Counter(tuple(words[at : at + size]) for size in sizes for at in range(len(words) - size + 1))

    def eval(self) -> Any:
        """The score, within [0, 1]; 0 if n-grams of some length have none in common."""
        self._check_updated()
        if self._matches.min() == 0:
            return np.array(0.0)
        precisions = (self._matches + self.smooth) / (self._totals + self.smooth)
        shorter = min(0.0, 1 - self._reference_length / self._length)
        return np.exp(shorter + np.log(precisions).mean())
