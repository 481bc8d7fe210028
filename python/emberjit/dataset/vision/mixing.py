"""Operations of batches of images and labels: mixing, and pasting parts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.transforms.transform import Transform
from emberjit.dataset.transforms.transforms import cast
from emberjit.dataset.vision.kinds import ImageBatchFormat


class _BatchTransform(Transform):
    random = True

    def checked(self, values: tuple[Any, ...]) -> tuple[Any, Any]:
        """The images and the labels.

        Raises:
            RuntimeError: they are no batch of them.
        """
        if len(values) != 2:
            raise self.refuse(f"there must be images and labels, but got {len(values)} values")
        images, labels = (self.as_input(value) for value in values)
        if images.ndim != 4 or labels.ndim not in (2, 3) or len(images) != len(labels):
            raise self.refuse(
                f"there must be images of 4 axes and as many labels as vectors, but got {list(images.shape)} and "
                f"{list(labels.shape)}"
            )
        return images, labels


class MixUpBatch(_BatchTransform):
    """Mixes each image of a batch, and its label, with those of another one of the batch: share * own + (1 - share) * other,
    where the share is drawn for the batch (H. Zhang and others, "mixup: Beyond Empirical Risk Minimization", 2018). For
    map() after batch().

    Args:
        alpha: both parameters of the beta distribution that the share is drawn from, above 0.

    Inputs:
        images: an array of 4 axes, (N, H, W, C) or (N, C, H, W).
        labels: an array of shape (N, classes) or (N, rows, classes), one-hot vectors for instance; the result is of float32.

    Raises:
        TypeError: alpha is no number.
        ValueError: it is not above 0.
        RuntimeError: there are no images and labels of such shapes.

    Examples:
        >>> images, labels = np.full((2, 2, 2, 1), 8, np.uint8), np.eye(2, dtype=np.float32)
        >>> images, labels = vision.MixUpBatch(alpha=1.0)(images, labels)
        >>> print(images.shape, labels.sum(1))
        (2, 2, 2, 1) [1. 1.]
    """

    def __init__(self, alpha: float = 1.0):
        self.alpha = check_number("MixUpBatch", "alpha", alpha, above=0)

    def __call__(self, *values: Any) -> Any:
        images, labels = self.checked(values)
        share = np.float32(draws().beta(self.alpha, self.alpha))
        other = draws().permutation(len(images))
        mixed = share * images.astype(np.float32) + (1 - share) * images[other].astype(np.float32)
        return cast(mixed, images.dtype), share * labels.astype(np.float32) + (1 - share) * labels[other].astype(np.float32)


class CutMixBatch(_BatchTransform):
    """Pastes into each image of a batch a random part of another one of the batch, with a probability, and mixes their
    labels by the part's area (S. Yun and others, "CutMix", 2019). For map() after batch().

    Args:
        image_batch_format: the order of the images' axes, an ImageBatchFormat.
        alpha: both parameters of the beta distribution that the part's area is drawn from, above 0.
        prob: the probability, from 0 to 1.

    Inputs:
        images: an array of shape (N, H, W, C) or (N, C, H, W).
        labels: an array of shape (N, classes) or (N, rows, classes), one-hot vectors for instance; the result is of float32.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: there are no images and labels of such shapes.

    Examples:
        >>> images, labels = np.full((2, 4, 4, 1), 8, np.uint8), np.eye(2, dtype=np.float32)
        >>> images, labels = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(images, labels)
        >>> print(images.shape, labels.sum(1))
        (2, 4, 4, 1) [1. 1.]
    """

    def __init__(self, image_batch_format: ImageBatchFormat, alpha: float = 1.0, prob: float = 1.0):
        self.format = check_instance("CutMixBatch", "image_batch_format", image_batch_format, ImageBatchFormat)
        self.alpha = check_number("CutMixBatch", "alpha", alpha, above=0)
        self.prob = check_number("CutMixBatch", "prob", prob, 0, 1)

    def __call__(self, *values: Any) -> Any:
        images, labels = self.checked(values)
        random = draws()
        images, mixed = images.copy(), labels.astype(np.float32)
        view = images if self.format == ImageBatchFormat.NHWC else images.transpose(0, 2, 3, 1)
        sources, other = view.copy(), random.permutation(len(images))
        rows, columns = view.shape[1:3]
        for at, from_ in enumerate(other):
            if random.random() > self.prob:
                continue
            side = math.sqrt(1 - random.beta(self.alpha, self.alpha))
            height, width = int(rows * side), int(columns * side)
            y, x = int(random.integers(rows)), int(random.integers(columns))
            down = slice(max(0, y - height // 2), min(rows, y + height // 2))
            across = slice(max(0, x - width // 2), min(columns, x + width // 2))
            view[at, down, across] = sources[from_, down, across]
            share = np.float32(1 - (down.stop - down.start) * (across.stop - across.start) / (rows * columns))
            mixed[at] = share * labels[at] + (1 - share) * labels[from_]
        return images, mixed


class MixUp(Transform):
    """Mixes each image of a batch, and its label, with those of another one: share * own + (1 - share) * other, where the
    share is drawn for the batch (H. Zhang and others, "mixup: Beyond Empirical Risk Minimization", 2018). For map() after
    batch().

    Args:
        batch_size: the number of images of a batch, at least 1.
        alpha: both parameters of the beta distribution that the share is drawn from, above 0.
        is_single: whether images are mixed with the next one of their batch; False: with those of the batch before.

    Inputs:
        images: an array whose first axis is that of the batch.
        labels: an array whose first axis is that of the batch, one-hot vectors for instance.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is not above 0.
        RuntimeError: there are not two values, images and labels.

    Examples:
        >>> images, labels = np.full((2, 2, 2, 1), 8, np.uint8), np.eye(2)
        >>> images, labels = vision.MixUp(batch_size=2, alpha=1.0)(images, labels)
        >>> print(images.shape, labels.sum(1))
        (2, 2, 2, 1) [1. 1.]
    """

    random = True

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True):
        self.batch_size = check_int32("MixUp", "batch_size", batch_size, 1)
        self.alpha = check_number("MixUp", "alpha", alpha, above=0)
        self.is_single = check_bool("MixUp", "is_single", is_single)
        self._before: tuple[Any, Any] | None = None

    def __call__(self, *values: Any) -> Any:
        if len(values) != 2:
            raise self.refuse(f"there must be images and labels, but got {len(values)} values")
        images, labels = (self.as_input(value) for value in values)
        share = draws().beta(self.alpha, self.alpha)
        if self.is_single:
            others: Any = np.roll(images, -1, 0), np.roll(labels, -1, 0)
        else:
            others = self._before or (images, labels)
            self._before = images, labels
        return tuple(share * own + (1 - share) * other for own, other in zip((images, labels), others))
