"""How much a prediction depends on each part of an image."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_float, check_instance, check_int
from emberjit.train.metrics.metric import Array, Updated, rearrange_inputs
from emberjit.values.cells import CellMarker


class OcclusionSensitivity(Updated):
    """By how much a model's score of a label falls when the surroundings of an element of its input are covered (Zeiler and
    Fergus, 2014).

    Args:
        pad_val: the value that covers, a float.
        margin: how far around the element is covered, an int, or a list of one for each axis without the batch. The element
            that is margin after it is not covered.
        n_batch: how many images the model is given at once.
        b_box: [least, greatest] of each axis of the image without the batch, in one list: the elements that are covered in
            turn; None: all. A negative greatest is the last.

    Inputs:
        model, image, label: a Cell that gives scores (N, C), an image of shape (1, ...), and its label. An update replaces
        the one before.

    Raises:
        TypeError: an argument is of another type.

    Examples:
        >>> model = nn.Dense(4, 1, weight_init="ones", has_bias=False)
        >>> metric = train.OcclusionSensitivity(margin=1)
        >>> metric.update(model, Tensor([[1.0, 2.0, 3.0, 4.0]]), Tensor([0]))
        >>> print(metric.eval())  # what lies under the cover
        [1. 3. 5. 7.]
    """

    _inputs = "model, image, label"

    def __init__(self, pad_val: float = 0.0, margin: Any = 2, n_batch: int = 128, b_box: Any = None):
        name = "OcclusionSensitivity"
        self.pad_val = check_float(name, "pad_val", pad_val)
        self.margin = margin if isinstance(margin, list) else check_int(name, "margin", margin)
        self.n_batch = check_int(name, "n_batch", n_batch)
        self.b_box = None if b_box is None else check_instance(name, "b_box", b_box, list)
        super().__init__()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Replaces what is measured.

        Raises:
            TypeError: the model is no Cell.
            ValueError: another number of inputs; b_box does not fit the image.
            RuntimeError: not one image, or not one label.
        """
        self._check_count(inputs)
        model = inputs[0]
        if not isinstance(model, CellMarker):
            raise TypeError(f"For 'OcclusionSensitivity.update', the model must be a Cell, but got {type(model)}.")
        image, label = self._convert_data(inputs[1]), np.ravel(self._convert_data(inputs[2]))
        if image.shape[0] != 1 or label.size != 1:
            raise RuntimeError(
                f"For 'OcclusionSensitivity.update', there must be an image of shape (1, ...) and its label, but got shape "
                f"{image.shape} and {label.size} labels."
            )
        least, greatest = self._box(image.shape[1:])
        sizes = tuple(b - a + 1 for a, b in zip(least, greatest))
        scores: list[Any] = []
        covered = (self._covered(image, [a + i for a, i in zip(least, place)]) for place in np.ndindex(*sizes))
        while batch := list(itertools.islice(covered, self.n_batch)):
            scores.append(self._scores(model, np.concatenate(batch), int(label[0])))
        self._sensitivity = np.squeeze(self._scores(model, image, int(label[0]))[0] - np.concatenate(scores).reshape(sizes))
        self._is_update = True

    def _box(self, shape: tuple[int, ...]) -> tuple[list[int], list[int]]:
        box = [bound for size in shape for bound in (0, size - 1)] if self.b_box is None else self.b_box
        if len(box) != 2 * len(shape):
            raise ValueError(
                f"For 'OcclusionSensitivity', 'b_box' must have two bounds for each axis of {shape}, but has {len(box)}."
            )
        least = [max(0, bound) for bound in box[::2]]
        greatest = [size - 1 if bound < 0 else bound for bound, size in zip(box[1::2], shape)]
        if any(not a <= b < size for a, b, size in zip(least, greatest, shape)):
            raise ValueError(
                f"For 'OcclusionSensitivity', 'b_box' {box} must be within the shape {shape}, least before greatest."
            )
        return least, greatest

    def _covered(self, image: Array, place: list[int]) -> Any:
        margins = self.margin if isinstance(self.margin, list) else [self.margin] * len(place)
        covered = image.copy()
        covered[(slice(None), *(slice(max(0, i - m), i + m) for i, m in zip(place, margins)))] = self.pad_val
        return covered

    def _scores(self, model: Any, images: Array, label: int) -> Any:
        return model(core.Tensor(images)).asnumpy()[:, label]

    def eval(self) -> Any:
        """The differences, of the shape of the box, without axes of size 1."""
        self._check_updated()
        return self._sensitivity
