"""Metrics, by class and by name."""

from __future__ import annotations

from typing import Any

from emberjit.publish.metrics import METRICS
from emberjit.publish.modules import lazy as _lazy

_ELSEWHERE = {name: f"emberjit.train.metrics.{module}" for module, names in METRICS.items() for name in names.split()}
_BY_NAME = {  # as get_metric_fn and Model know them
    "F1": "F1",
    "acc": "Accuracy",
    "accuracy": "Accuracy",
    "auc": "auc",
    "bleu_score": "BleuScore",
    "confusion_matrix": "ConfusionMatrix",
    "confusion_matrix_metric": "ConfusionMatrixMetric",
    "cosine_similarity": "CosineSimilarity",
    "dice": "Dice",
    "hausdorff_distance": "HausdorffDistance",
    "loss": "Loss",
    "mae": "MAE",
    "mean_surface_distance": "MeanSurfaceDistance",
    "mse": "MSE",
    "occlusion_sensitivity": "OcclusionSensitivity",
    "perplexity": "Perplexity",
    "precision": "Precision",
    "recall": "Recall",
    "roc": "ROC",
    "root_mean_square_distance": "RootMeanSquareDistance",
    "top_1_accuracy": "Top1CategoricalAccuracy",
    "top_5_accuracy": "Top5CategoricalAccuracy",
    "topk": "TopKCategoricalAccuracy",
}

__all__ = ["get_metric_fn", "names", *_ELSEWHERE]
_get, __dir__ = _lazy("train.metrics", globals(), _ELSEWHERE)


def __getattr__(name: str) -> Any:
    return _get(name)


def names() -> list[str]:
    """The names that get_metric_fn and Model take.

    Returns:
        A sorted list of strs.

    Examples:
        >>> print("accuracy" in train.names(), train.names()[-1])
        True topk
    """
    return sorted(_BY_NAME)


def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """A metric by its name, made with the arguments.

    Args:
        name: one of names(), as "accuracy" or "mse".
        args, kwargs: the arguments of the metric's class.

    Returns:
        The Metric; of "auc" what the function gives.

    Raises:
        KeyError: there is none of this name.

    Examples:
        >>> metric = train.get_metric_fn("topk", k=2)
        >>> print(metric(Tensor([[0.5, 0.3, 0.2]]), Tensor([1])))
        1.0
    """
    if name not in _BY_NAME:
        raise KeyError(f"For 'get_metric_fn', 'name' must be one of {', '.join(names())}, but got {name!r}.")
    return _get(_BY_NAME[name])(*args, **kwargs)


def get_metrics(metrics: Any) -> dict[str, Any] | None:
    """Metrics by name, of such a dict or a set of names; None if there are none.

    Args:
        metrics: a dict of names to Metrics, a set of names such as {"accuracy"}, or None.

    Returns:
        A dict of names to Metrics, or None.

    Raises:
        TypeError: it is something else.
        KeyError: there is no metric of a name.

    Examples:
        >>> metrics = nn.get_metrics({"accuracy"})
        >>> metrics["accuracy"].update(Tensor([[0.2, 0.8], [0.6, 0.4]]), Tensor([1, 1]))
        >>> print(metrics["accuracy"].eval())
        0.5
    """
    if metrics is None:
        return None
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in metrics}
    metric = _get("Metric")
    if not isinstance(metrics, dict) or not all(isinstance(k, str) and isinstance(v, metric) for k, v in metrics.items()):
        raise TypeError(f"For 'Model', 'metrics' must be a dict of names to Metrics or a set of names, but got {metrics!r}.")
    return metrics
