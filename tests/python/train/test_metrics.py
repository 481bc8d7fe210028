"""Metrics: values that were computed by hand or by MindSpore, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from emberjit import Tensor, nn, train
from emberjit.train import metrics

SCORES = np.float32([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.9, 0.05, 0.05], [0.3, 0.4, 0.3]])  # classes 1, 2, 0, 1
CLASSES = np.int32([1, 0, 0, 2])
ONE_HOT = np.eye(3, dtype=np.float32)[CLASSES]
PREDICTED, TRUE = np.float32([[1, 0, 1], [0, 0, 1]]), np.float32([[1, 1, 1], [0, 0, 1]])
BOX, OTHER = np.zeros((5, 5), int), np.zeros((5, 5), int)
BOX[1:4, 1:4] = 1
OTHER[2:5, 0:3] = 1
WORDS = ["the", "cat", "sat", "on", "the", "mat", "now"]
REFERENCE = ["the", "cat", "sat", "on", "a", "mat"]
TRANSLATED = ([WORDS], [[REFERENCE]])
COUNTED = np.array([[[1, 0], [0, 1]]]), np.array([[[1, 1], [0, 0]]])  # 1 true and 1 false positive, 1 and 1 negatives
PROBABILITIES = np.float32([[0.5, 0.5], [0.25, 0.75]])

VALUES: dict[str, tuple[Any, Any, Any]] = {
    "accuracy": (metrics.Accuracy, (SCORES, CLASSES), 0.5),
    "accuracy of one-hot classes": (metrics.Accuracy, (SCORES, ONE_HOT), 0.5),
    "accuracy of lists": (metrics.Accuracy, (SCORES.tolist(), CLASSES.tolist()), 0.5),
    "accuracy of labels": (lambda: metrics.Accuracy("multilabel"), (PREDICTED, TRUE), 0.5),
    "precision": (metrics.Precision, (SCORES, CLASSES), [1, 0.5, 0]),
    "precision of labels": (lambda: metrics.Precision("multilabel"), (PREDICTED, TRUE), [1, 1]),
    "recall": (metrics.Recall, (SCORES, CLASSES), [0.5, 1, 0]),
    "recall of labels": (lambda: metrics.Recall("multilabel"), (PREDICTED, TRUE), [2 / 3, 1]),
    "F1": (metrics.F1, (SCORES, CLASSES), [2 / 3, 2 / 3, 0]),
    "Fbeta": (lambda: metrics.Fbeta(2), (SCORES, CLASSES), [5 / 9, 5 / 6, 0]),
    "top 1": (metrics.Top1CategoricalAccuracy, (SCORES, CLASSES), 0.5),
    "top 2": (lambda: metrics.TopKCategoricalAccuracy(2), (SCORES, ONE_HOT), 0.75),
    "top 5": (metrics.Top5CategoricalAccuracy, (SCORES, CLASSES), 1.0),
    "MAE": (metrics.MAE, (np.float32([1, 2]), np.float32([0, 4])), 1.5),
    "MSE": (metrics.MSE, (np.float32([1, 2]), np.float32([0, 4])), 2.5),
    "loss": (metrics.Loss, (Tensor(0.25),), 0.25),
    "loss of samples": (metrics.Loss, (Tensor([1.0, 2.0]),), 1.5),
    "perplexity": (metrics.Perplexity, (PROBABILITIES, np.int32([0, 1])), math.exp(-(math.log(0.5) + math.log(0.75)) / 2)),
    "perplexity without a label": (lambda: metrics.Perplexity(0), (PROBABILITIES, np.int32([0, 1])), 1 / 0.75),
    "dice": (metrics.Dice, (np.float32([[1, 0]]), np.float32([[1, 1]])), 2 / (3 + 1e-5)),
    "similarity": (metrics.CosineSimilarity, (np.float32([[3, 4], [4, 3]]),), [[0, 0.96], [0.96, 0]]),
    "similarity, dot": (lambda: metrics.CosineSimilarity("dot", "sum", False), (np.float32([[3, 4], [4, 3]]),), [49, 49]),
    "BLEU": (metrics.BleuScore, TRANSLATED, (5 / 7 * 3 / 6 * 2 / 5 * 1 / 4) ** 0.25),
    "BLEU of words": (lambda: metrics.BleuScore(1, smooth=True), TRANSLATED, 6 / 8),
    "confusion": (lambda: metrics.ConfusionMatrix(2), (np.array([1, 0, 1]), np.array([1, 0, 0])), [[1, 1], [0, 1]]),
    "confusion by target": (
        lambda: metrics.ConfusionMatrix(3, "target"),
        (np.array([1, 0, 1]), np.array([1, 0, 0])),
        [[0.5, 0.5, 0], [0, 1, 0], [0, 0, 0]],
    ),
    "confusion of probabilities": (
        lambda: metrics.ConfusionMatrix(2, "all", 0.3),
        (np.array([0.4, 0.2]), np.array([1, 0])),
        [[0.5, 0], [0, 0.5]],
    ),
    "sensitivity": (metrics.ConfusionMatrixMetric, COUNTED, [0.5]),
    "sensitivity by channel": (lambda: metrics.ConfusionMatrixMetric(True, "TPR", True), COUNTED, 0.5),
    "MCC": (lambda: metrics.ConfusionMatrixMetric(metric_name="matthews correlation coefficient"), COUNTED, [0]),
    "ROC": (
        metrics.ROC,
        (np.float32([0.9, 0.4, 0.6, 0.1]), np.array([1, 1, 0, 0])),
        [[0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1], [1.9, 0.9, 0.6, 0.4, 0.1]],
    ),
    "Hausdorff": (metrics.HausdorffDistance, (BOX, OTHER, 1), math.sqrt(2)),
    "Hausdorff of the taxicab": (lambda: metrics.HausdorffDistance("taxicab"), (BOX, OTHER, 1), 2),
    "Hausdorff, 50 %": (lambda: metrics.HausdorffDistance("chessboard", 50.0, True), (BOX, OTHER, 1), 1),
    "Hausdorff of nothing": (metrics.HausdorffDistance, (BOX, np.zeros((5, 5), int), 1), math.inf),
    "mean distance": (metrics.MeanSurfaceDistance, (BOX, OTHER, 1), (2 * 0 + 5 * 1 + math.sqrt(2)) / 8),
    "root mean square": (metrics.RootMeanSquareDistance, (BOX, OTHER, 1), math.sqrt((5 + 2) / 8)),
    "symmetric": (lambda: metrics.RootMeanSquareDistance(True, "chessboard"), (BOX, OTHER, 1), math.sqrt(6 / 8)),
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    make, inputs, wanted = VALUES[name]
    found = make()(*inputs)
    np.testing.assert_allclose(np.asarray(found, float), wanted, rtol=1e-6, atol=1e-6)
    as_tensors = [Tensor(value) if isinstance(value, np.ndarray) else value for value in inputs]
    np.testing.assert_allclose(np.asarray(make()(*as_tensors), float), wanted, rtol=1e-6, atol=1e-6)


BATCHES: dict[str, tuple[Any, Any]] = {
    "accuracy": (metrics.Accuracy, (SCORES, CLASSES)),
    "recall": (metrics.Recall, (SCORES, CLASSES)),
    "MSE": (metrics.MSE, (SCORES, ONE_HOT)),
    "confusion": (lambda: metrics.ConfusionMatrix(3), (SCORES, CLASSES)),
    "perplexity": (metrics.Perplexity, (SCORES, CLASSES)),
}


@pytest.mark.parametrize("name", BATCHES)
def test_batches_are_as_one(name: str) -> None:
    make, inputs = BATCHES[name]
    whole, metric = make()(*inputs), make()
    for part in (slice(0, 3), slice(3, 4)):
        metric.update(*(value[part] for value in inputs))
    np.testing.assert_allclose(metric.eval(), whole, rtol=1e-6)
    metric.clear()
    metric.update(*inputs)
    np.testing.assert_allclose(metric.eval(), whole, rtol=1e-6)


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "nothing added": (lambda: metrics.Accuracy().eval(), RuntimeError, "no samples"),
    "no samples": (lambda: metrics.MAE()(np.zeros((0, 2)), np.zeros((0, 2))), RuntimeError, "no samples"),
    "one input": (lambda: metrics.Recall().update(SCORES), ValueError, "must be predicted values, true values, but got 1"),
    "no array": (lambda: metrics.Accuracy().update("x", CLASSES), TypeError, "a Tensor, list or array"),
    "no such type": (lambda: metrics.Precision("x"), TypeError, "'eval_type' must be one of"),
    "shapes": (lambda: metrics.Accuracy().update(SCORES, SCORES), ValueError, "without C"),
    "labels": (lambda: metrics.Recall("multilabel").update(SCORES, SCORES), ValueError, "must be 0 or 1"),
    "classes": (lambda: metrics.F1().update(SCORES, CLASSES + 2), ValueError, r"within \[0, 3\).*got 4"),
    "average": (lambda: averaged(1), TypeError, "average"),
    "beta": (lambda: metrics.Fbeta(0), ValueError, "'beta' must be positive"),
    "k": (lambda: metrics.TopKCategoricalAccuracy(0), ValueError, "at least 1"),
    "k of another type": (lambda: metrics.TopKCategoricalAccuracy(1.0), TypeError, "must be an int"),
    "loss with axes": (lambda: metrics.Loss()(SCORES), ValueError, r"shape \(4, 3\)"),
    "labels of another number": (lambda: metrics.Perplexity()(SCORES, CLASSES[:2]), RuntimeError, "a label for each row"),
    "dice": (lambda: metrics.Dice()(SCORES, CLASSES), ValueError, "must have one shape"),
    "similarity": (lambda: metrics.CosineSimilarity("x"), ValueError, "similarity"),
    "n-grams": (lambda: metrics.BleuScore(5), ValueError, r"\[1, 4\]"),
    "references": (lambda: metrics.BleuScore()([WORDS], []), ValueError, "references for each"),
    "normalize": (lambda: metrics.ConfusionMatrix(2, "x"), ValueError, "'normalize'"),
    "class out of range": (lambda: metrics.ConfusionMatrix(2)(np.array([2]), np.array([1])), ValueError, r"\[0, 2\)"),
    "name": (lambda: metrics.ConfusionMatrixMetric(metric_name="x"), NotImplementedError, "must be one of tpr"),
    "binary": (lambda: metrics.ConfusionMatrixMetric()(COUNTED[0], COUNTED[1] * 0.5), ValueError, "must be 0 or 1"),
    "class_num": (lambda: metrics.ROC(2)(SCORES, CLASSES), ValueError, "'class_num'"),
    "no negatives": (lambda: metrics.ROC()(SCORES[0], np.ones(3, int)), ValueError, "no negative samples"),
    "distance": (lambda: metrics.HausdorffDistance("x"), ValueError, "distance_metric"),
    "percentile": (lambda: metrics.HausdorffDistance(percentile=101.0), ValueError, r"\[0, 100\]"),
    "label": (lambda: metrics.MeanSurfaceDistance()(BOX, OTHER, 7), ValueError, "neither predicted nor true"),
    "curve": (lambda: metrics.auc(np.array([0, 2, 1]), np.array([0, 1, 2])), ValueError, "must increase or decrease"),
    "curve of lists": (lambda: metrics.auc([0, 1], [0, 1]), TypeError, "must be arrays"),
    "indexes": (lambda: metrics.MAE().set_indexes((0,)), ValueError, "a list of ints"),
    "no such metric": (lambda: metrics.get_metric_fn("x"), KeyError, "must be one of"),
    "abstract": (lambda: metrics.Metric(), TypeError, "abstract"),
}


def averaged(average: Any) -> Any:
    metric = metrics.Precision()
    metric.update(SCORES, CLASSES)
    return metric.eval(average)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, error, text = REFUSED[name]
    with pytest.raises(error, match=text):
        call()


def test_averages() -> None:
    assert averaged(True) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "x, y, reorder, area",
    [([0, 0.5, 1], [0, 1, 1], False, 0.75), ([1, 0.5, 0], [1, 1, 0], False, 0.75), ([0, 1, 0.5], [0, 1, 1], True, 0.75)],
)
def test_areas(x: Any, y: Any, reorder: bool, area: float) -> None:
    assert metrics.auc(np.array(x), np.array(y), reorder) == pytest.approx(area)


def test_what_is_covered_lowers_the_score() -> None:
    dense = nn.Dense(4, 2, weight_init=Tensor(np.float32([[0, 0, 0, 0], [1, 1, 1, 1]])), has_bias=False)
    metric = metrics.OcclusionSensitivity(margin=1, n_batch=3)
    image = np.float32([[1, 2, 3, 4]])
    assert metric(dense, image, Tensor([1])).tolist() == [1, 3, 5, 7]
    assert metrics.OcclusionSensitivity(margin=1, b_box=[1, 2])(dense, image, Tensor([1])).tolist() == [3, 5]
    with pytest.raises(ValueError, match="must be within"):
        metrics.OcclusionSensitivity(b_box=[1, 9])(dense, image, Tensor([1]))
    with pytest.raises(RuntimeError, match="and its label"):
        metric.update(dense, np.repeat(image, 2, 0), Tensor([1]))


def test_names_and_places() -> None:
    assert train.names() == metrics.names() and "acc" in metrics.names()
    for name in metrics.names():
        if name not in ("auc", "topk", "confusion_matrix"):
            assert isinstance(metrics.get_metric_fn(name), metrics.Metric), name
    assert nn.Accuracy is train.Accuracy is metrics.Accuracy

    class Difference(nn.Metric):
        def clear(self) -> None:
            self.sum = 0.0

        @nn.rearrange_inputs
        def update(self, *inputs: Any) -> None:
            a, b = (self._convert_data(one) for one in inputs)
            self.sum += float((a - b).sum())

        def eval(self) -> float:
            return self.sum

    assert Difference().set_indexes([2, 0])(Tensor([1.0]), Tensor([50.0]), Tensor([3.0])) == 2
