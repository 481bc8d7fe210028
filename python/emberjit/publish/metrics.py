"""Names of metrics, which train.metrics has, and nn and emberjit too."""

from __future__ import annotations

METRICS = {  # by module of train.metrics
    "classification": (
        "Accuracy F1 Fbeta Precision Recall Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy"
    ),
    "confusion_matrix": "ConfusionMatrix ConfusionMatrixMetric",
    "errors": "BleuScore CosineSimilarity Dice Loss MAE MSE Perplexity",
    "metric": "Metric rearrange_inputs",
    "occlusion_sensitivity": "OcclusionSensitivity",
    "roc": "ROC auc",
    "surface_distance": "HausdorffDistance MeanSurfaceDistance RootMeanSquareDistance",
}
METRIC_NAMES = [*(name for names in METRICS.values() for name in names.split()), "get_metric_fn", "names"]
