"""Distances between the surfaces of regions: of Hausdorff, mean, and root of the mean square."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_choice, check_float, check_instance, check_same_shape, check_within
from emberjit.train.metrics.metric import Array, Updated, rearrange_inputs, with_deviations

_METRICS = ["euclidean", "chessboard", "taxicab"]


def _surface(region: Array) -> Any:
    """The elements of a region with a neighbour along an axis that is not in it."""
    inner = region.copy()
    padded = np.pad(region, 1)
    middle = tuple(slice(1, -1) for _ in region.shape)
    for axis in range(region.ndim):
        for step in (-1, 1):
            inner &= np.roll(padded, step, axis)[middle]
    return region ^ inner


def _distances(to: Array, metric: str) -> Any:
    """Of each element the distance to the nearest that is True in `to`: for one axis after the other the least over all
    places of that axis, of what combines the distance so far with that along the axis."""
    distances = np.where(to, 0.0, np.inf)
    for axis, size in enumerate(to.shape):
        lines, places = np.moveaxis(distances, axis, -1), np.arange(size)
        steps = np.abs(places[:, None] - places).astype(float)
        if metric == "euclidean":
            steps **= 2
        combine = np.maximum if metric == "chessboard" else np.add
        nearest = np.stack([combine(lines, along).min(axis=-1) for along in steps], axis=-1)
        distances = np.moveaxis(nearest, -1, axis)
    return np.sqrt(distances) if metric == "euclidean" else distances


class _SurfaceDistance(Updated):
    """Inputs: predicted and true labels of one shape, and the label whose region is compared."""

    _inputs = "predicted labels, true labels, label"

    def __init__(self, distance_metric: str):
        name = type(self).__name__
        check_instance(name, "distance_metric", distance_metric, str)
        self.distance_metric = check_choice(name, "distance_metric", distance_metric, *_METRICS)
        super().__init__()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Replaces what is compared.

        Raises:
            TypeError: labels are no Tensor, list or array.
            ValueError: another number of inputs, shapes differ or are empty, or the label is no number or nowhere.
        """
        self._check_count(inputs)
        name = type(self).__name__
        y_pred, y = (self._convert_data(labels) for labels in inputs[:2])
        label = inputs[2]
        if not isinstance(label, (int, float)):
            raise ValueError(f"For '{name}.update', the label must be a number, but got {type(label)}.")
        check_same_shape(f"{name}.update", y_pred=y_pred, y=y)
        if label not in y_pred and label not in y:
            raise ValueError(f"For '{name}.update', the label {label} is neither predicted nor true anywhere.")
        regions = [labels if labels.dtype == bool else labels == label for labels in (y_pred, y)]
        self._edges = [_surface(region) for region in regions]
        self._is_update = True

    def _between(self) -> list[Any]:
        """The distances of the elements of each surface to the other one."""
        self._check_updated()
        predicted, true = self._edges
        return [
            _distances(to, self.distance_metric)[edges] if to.any() else np.full(edges.sum(), np.inf)
            for edges, to in ((predicted, true), (true, predicted))
        ]


class HausdorffDistance(_SurfaceDistance):
    """The greatest distance of an element of a surface to the other surface, the edges of two regions.

    Args:
        distance_metric: "euclidean", "chessboard" or "taxicab", in elements.
        percentile: instead of the greatest distance this percentile of them, a float within [0, 100]; None: the greatest.
        directed: whether only distances from the predicted surface count.
        crop: whether what is beyond both regions is left out before surfaces are found: their elements at the border of
            the box around both regions are on surfaces either way.

    Inputs:
        predicted labels, true labels, label: two Tensors, lists or arrays of one shape, and the number of the label whose
        regions are compared. An update replaces the one before.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such metric; percentile is out of range.

    Examples:
        >>> predicted, true = Tensor([[1, 1, 1, 1], [0, 0, 0, 0]]), Tensor([[1, 1, 0, 0], [0, 0, 0, 0]])
        >>> metric = train.HausdorffDistance()
        >>> metric.update(predicted, true, 1)
        >>> print(metric.eval())
        2.0
    """

    def __init__(
        self, distance_metric: str = "euclidean", percentile: float | None = None, directed: bool = False, crop: bool = True
    ):
        name = "HausdorffDistance"
        if percentile is not None:
            check_float(name, "percentile", percentile)
            check_within(name, "percentile", percentile, 0, 100)
        self.percentile = percentile
        self.directed = check_bool(name, "directed", directed)
        self.crop = check_bool(name, "crop", crop)
        super().__init__(distance_metric)

    def eval(self) -> Any:
        """The distance; infinity if there is no surface."""
        distances = self._between()[: 1 if self.directed else 2]
        if any(array.size == 0 for array in distances):
            return np.inf
        if not self.percentile:
            return max(array.max() for array in distances)
        with np.errstate(invalid="ignore"):  # between infinities
            return max(np.percentile(array, self.percentile) for array in distances)


class MeanSurfaceDistance(_SurfaceDistance):
    """The mean distance of the elements of the predicted surface to the true one, the edges of two regions.

    Args:
        symmetric: whether it is the mean of this and of that from the true to the predicted surface.
        distance_metric: "euclidean", "chessboard" or "taxicab", in elements.

    Inputs:
        predicted labels, true labels, label: two Tensors, lists or arrays of one shape, and the number of the label whose
        regions are compared. An update replaces the one before.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such metric.

    Examples:
        >>> predicted, true = Tensor([[1, 1, 1, 1], [0, 0, 0, 0]]), Tensor([[1, 1, 0, 0], [0, 0, 0, 0]])
        >>> metric = train.MeanSurfaceDistance()
        >>> metric.update(predicted, true, 1)
        >>> print(metric.eval())  # of 0, 0, 1 and 2
        0.75
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean"):
        self.symmetric = check_bool(type(self).__name__, "symmetric", symmetric)
        super().__init__(distance_metric)

    def eval(self) -> Any:
        """The distance; infinity if there is no surface."""
        distances = self._between()[: 2 if self.symmetric else 1]
        return np.inf if any(array.size == 0 for array in distances) else np.mean([array.mean() for array in distances])


@with_deviations
class RootMeanSquareDistance(MeanSurfaceDistance):
    """The root of the mean square of the distances of the elements of the predicted surface to the true one, the edges of
    two regions.

    Args:
        symmetric: whether also of those from the true to the predicted surface, which count as much.
        distance_metric: "euclidean", "chessboard" or "taxicab", in elements.

    Inputs:
        predicted labels, true labels, label: two Tensors, lists or arrays of one shape, and the number of the label whose
        regions are compared. An update replaces the one before.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such metric.

    Examples:
        >>> predicted, true = Tensor([[1, 1, 1, 1], [0, 0, 0, 0]]), Tensor([[1, 1, 0, 0], [0, 0, 0, 0]])
        >>> metric = train.RootMeanSquareDistance()
        >>> metric.update(predicted, true, 1)
        >>> print(metric.eval())  # the root of (0 + 0 + 1 + 4) / 4
        1.118033988749895
    """

    def _between(self) -> list[Any]:
        return [array**2 for array in super()._between()]

    def eval(self) -> Any:
        """The distance; infinity if there is no surface."""
        return np.sqrt(super().eval())
