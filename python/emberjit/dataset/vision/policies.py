"""Transforms of other transforms of images, and policies of augmentation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emberjit.checks import check_instance, check_int32, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.transforms.combinations import checked, in_turn
from emberjit.dataset.values import Array
from emberjit.dataset.vision import colour, enhancing
from emberjit.dataset.vision.image import RandomImageTransform, fill_of, interpolation_of
from emberjit.dataset.vision.kinds import AutoAugmentPolicy, Inter
from emberjit.dataset.vision.warping import rotated, warp_affine


class UniformAugment(RandomImageTransform):
    """Applies some of the given transforms, drawn at random, each with a probability that is drawn, too (T. C. LingChen and
    others, "UniformAugment", 2020).

    Args:
        transforms: a list of at least num_ops transforms or functions.
        num_ops: how many are drawn.

    Inputs:
        image: what the transforms accept.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there are too few transforms.

    Examples:
        >>> augment = vision.UniformAugment([vision.Invert(), vision.HorizontalFlip(), vision.Equalize()], num_ops=2)
        >>> augment(np.zeros((2, 4, 3), np.uint8)).shape
        (2, 4, 3)
    """

    def __init__(self, transforms: Any, num_ops: int = 2):
        self.transforms = checked("UniformAugment", transforms)
        self.num_ops = check_int32("UniformAugment", "num_ops", num_ops, 1)
        if num_ops > len(self.transforms):
            raise ValueError(
                f"For 'UniformAugment', 'num_ops' must be at most {len(self.transforms)}, the number of transforms, "
                f"but got {num_ops}."
            )

    def __call__(self, *values: Any) -> Any:
        random = draws()
        order = random.permutation(len(self.transforms))[: self.num_ops]
        return in_turn([self.transforms[k] for k in order if random.random() > random.random()], values)


class RandomSelectSubpolicy(RandomImageTransform):
    """Draws one of several lists of transforms, and applies its transforms in turn, each with its own probability.

    Args:
        policy: a list of lists of pairs (transform, probability from 0 to 1).

    Inputs:
        image: what the transforms accept.

    Raises:
        TypeError: policy is no list of such lists.
        ValueError: it or one of the lists is empty, or a probability not from 0 to 1.

    Examples:
        >>> augment = vision.RandomSelectSubpolicy([[(vision.Invert(), 1.0), (vision.HorizontalFlip(), 1.0)]])
        >>> print(augment(np.array([[0, 100, 255]], np.uint8)))
        [[  0 155 255]]
    """

    def __init__(self, policy: Any):
        where = "RandomSelectSubpolicy"
        if not check_instance(where, "policy", policy, list):
            raise ValueError(f"For '{where}', 'policy' must hold a list, but it is empty.")
        for part in policy:
            if not check_instance(where, "policy", part, list):
                raise ValueError(f"For '{where}', 'policy' must hold no empty list.")
            for pair in part:
                if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[0]):
                    raise TypeError(
                        f"For '{where}', 'policy' must hold pairs of a transform and a probability, but got {pair!r}."
                    )
                check_number(where, "policy", pair[1], 0, 1)
        self.policy = policy

    def __call__(self, *values: Any) -> Any:
        random = draws()
        part = self.policy[int(random.integers(len(self.policy)))]
        return in_turn([operation for operation, prob in part if random.random() < prob], values)


def _matrix(a: float, b: float, c: float, d: float, e: float, f: float) -> Any:
    return np.asarray([[a, b, c], [d, e, f]], np.float64)


def _warped(image: Array, matrix: Array, how: Inter, fill: tuple[int, ...]) -> Any:
    rows, columns = image.shape[:2]
    return warp_affine(image, matrix, rows, columns, how, fill)


Operation = Callable[[Any, float, Inter, Any], Any]
_OPERATIONS: dict[str, Operation] = {
    "Identity": lambda image, m, how, fill: image,
    "ShearX": lambda image, m, how, fill: _warped(image, _matrix(1, m, 0, 0, 1, 0), how, fill),
    "ShearY": lambda image, m, how, fill: _warped(image, _matrix(1, 0, 0, m, 1, 0), how, fill),
    "TranslateX": lambda image, m, how, fill: _warped(image, _matrix(1, 0, int(m), 0, 1, 0), how, fill),
    "TranslateY": lambda image, m, how, fill: _warped(image, _matrix(1, 0, 0, 0, 1, int(m)), how, fill),
    "Rotate": lambda image, m, how, fill: rotated(image, m, how, False, None, fill),
    "Brightness": lambda image, m, how, fill: colour.brightness(image, 1 + m),
    "Color": lambda image, m, how, fill: colour.saturation(image, 1 + m),
    "Contrast": lambda image, m, how, fill: colour.contrast(image, 1 + m),
    "Sharpness": lambda image, m, how, fill: enhancing.sharpness(image, 1 + m),
    "Posterize": lambda image, m, how, fill: enhancing.posterize(image, int(m)),
    "Solarize": lambda image, m, how, fill: enhancing.Solarize((min(255, int(m)), 255)).of_bytes(image),
    "AutoContrast": lambda image, m, how, fill: enhancing.stretch(image, 0.0, []),
    "Equalize": lambda image, m, how, fill: enhancing.equalize(image),
    "Invert": lambda image, m, how, fill: enhancing.invert(image),
}
_SIGNED = ("ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", "Brightness", "Color", "Contrast", "Sharpness")


def _strengths(bins: int, shape: tuple[int, int], wide: bool) -> dict[str, Any]:
    """The magnitudes of each operation; wide: those of TrivialAugmentWide."""
    rows, columns = shape
    shear, turn, share = (0.99, 135.0, 0.99) if wide else (0.3, 30.0, 0.9)
    moves = (32.0, 32.0) if wide else (150.0 / 331.0 * columns, 150.0 / 331.0 * rows)
    lost = np.round(np.arange(bins) / ((bins - 1) / (6 if wide else 4)))
    limits = {"ShearX": shear, "ShearY": shear, "TranslateX": moves[0], "TranslateY": moves[1], "Rotate": turn}
    limits |= dict.fromkeys(("Brightness", "Color", "Contrast", "Sharpness"), share)
    return {name: np.linspace(0.0, most, bins) for name, most in limits.items()} | {
        "Posterize": 8 - lost,
        "Solarize": np.linspace(255.0, 0.0, bins),
    }


class _Augment(RandomImageTransform):
    ranks = (3,)

    def __init__(self, interpolation: Inter, fill_value: Any):
        self.interpolation = interpolation_of(type(self).__name__, interpolation)
        self.fill = fill_of(type(self).__name__, fill_value)

    def array(self, image: Any) -> Any:
        if image.dtype != np.uint8 or image.shape[2] != 3:
            raise self.refuse(f"an image must be uint8 of shape (H, W, 3), but is {image.dtype} of {list(image.shape)}")
        return self.augmented(image)

    def augmented(self, image: Any) -> Any:
        """The operations of an image."""
        raise NotImplementedError

    def done(self, image: Any, name: str, magnitude: float | None) -> Any:
        """Applies an operation by name; the sign of its magnitude may be flipped at random."""
        amount = 0.0 if magnitude is None else float(magnitude)
        if name in _SIGNED and draws().random() < 0.5:
            amount = -amount
        return _OPERATIONS[name](image, amount, self.interpolation, self.fill)


class RandAugment(_Augment):
    """Applies some operations drawn at random, all of one magnitude (E. D. Cubuk and others, "RandAugment", 2020).

    Args:
        num_ops: how many operations are applied.
        magnitude: how strong they are, from 0 to num_magnitude_bins - 1.
        num_magnitude_bins: the number of magnitudes, at least 2.
        interpolation: how pixels are interpolated where they move, an Inter.
        fill_value: the value of what is outside of the image, from 0 to 255: one, or a tuple of three for R, G and B.

    Inputs:
        image: an array of uint8 of shape (H, W, 3), or a Pillow image of RGB, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the image is of another dtype or shape.

    Examples:
        >>> image = np.zeros((4, 6, 3), np.uint8)
        >>> vision.RandAugment(num_ops=2, magnitude=9)(image).shape
        (4, 6, 3)
    """

    def __init__(
        self,
        num_ops: int = 2,
        magnitude: int = 9,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        super().__init__(interpolation, fill_value)
        self.num_ops = check_int32("RandAugment", "num_ops", num_ops)
        self.bins = check_int32("RandAugment", "num_magnitude_bins", num_magnitude_bins, 2)
        self.magnitude = check_int32("RandAugment", "magnitude", magnitude, 0, num_magnitude_bins - 1)

    def augmented(self, image: Any) -> Any:
        strengths, names = _strengths(self.bins, image.shape[:2], False), [n for n in _OPERATIONS if n != "Invert"]
        for _ in range(self.num_ops):
            name = names[int(draws().integers(len(names)))]
            image = self.done(image, name, strengths[name][self.magnitude] if name in strengths else None)
        return image


class TrivialAugmentWide(_Augment):
    """Applies one operation of one magnitude, both drawn at random from wide ranges (S. G. Mueller, F. Hutter,
    "TrivialAugment", 2021).

    Args:
        num_magnitude_bins: the number of magnitudes, at least 2.
        interpolation: how pixels are interpolated where they move, an Inter.
        fill_value: the value of what is outside of the image, from 0 to 255: one, or a tuple of three for R, G and B.

    Inputs:
        image: an array of uint8 of shape (H, W, 3), or a Pillow image of RGB, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the image is of another dtype or shape.

    Examples:
        >>> image = np.zeros((4, 6, 3), np.uint8)
        >>> vision.TrivialAugmentWide()(image).shape
        (4, 6, 3)
    """

    def __init__(self, num_magnitude_bins: int = 31, interpolation: Inter = Inter.NEAREST, fill_value: Any = 0):
        super().__init__(interpolation, fill_value)
        self.bins = check_int32("TrivialAugmentWide", "num_magnitude_bins", num_magnitude_bins, 2)

    def augmented(self, image: Any) -> Any:
        strengths, names = _strengths(self.bins, image.shape[:2], True), [n for n in _OPERATIONS if n != "Invert"]
        name = names[int(draws().integers(len(names)))]
        return self.done(image, name, strengths[name][int(draws().integers(self.bins))] if name in strengths else None)


# Pairs of an operation, its probability in tenths, and its magnitude of 10 (-: none), from E. Cubuk and others,
# "AutoAugment" (2019), tables 7 to 9 of its appendix.
_POLICIES = {
    AutoAugmentPolicy.IMAGENET: """
        Posterize 4 8 Rotate 6 9; Solarize 6 5 AutoContrast 6 -; Equalize 8 - Equalize 6 -; Posterize 6 7 Posterize 6 6;
        Equalize 4 - Solarize 2 4; Equalize 4 - Rotate 8 8; Solarize 6 3 Equalize 6 -; Posterize 8 5 Equalize 10 -;
        Rotate 2 3 Solarize 6 8; Equalize 6 - Posterize 4 6; Rotate 8 8 Color 4 0; Rotate 4 9 Equalize 6 -;
        Equalize 0 - Equalize 8 -; Invert 6 - Equalize 10 -; Color 6 4 Contrast 10 8; Rotate 8 8 Color 10 2;
        Color 8 8 Solarize 8 7; Sharpness 4 7 Invert 6 -; ShearX 6 5 Equalize 10 -; Color 4 0 Equalize 6 -;
        Equalize 4 - Solarize 2 4; Solarize 6 5 AutoContrast 6 -; Invert 6 - Equalize 10 -; Color 6 4 Contrast 10 8;
        Equalize 8 - Equalize 6 -""",
    AutoAugmentPolicy.CIFAR10: """
        Invert 1 - Contrast 2 6; Rotate 7 2 TranslateX 3 9; Sharpness 8 1 Sharpness 9 3; ShearY 5 8 TranslateY 7 9;
        AutoContrast 5 - Equalize 9 -; ShearY 2 7 Posterize 3 7; Color 4 3 Brightness 6 7; Sharpness 3 9 Brightness 7 9;
        Equalize 6 - Equalize 5 -; Contrast 6 7 Sharpness 6 5; Color 7 7 TranslateX 5 8; Equalize 3 - AutoContrast 4 -;
        TranslateY 4 3 Sharpness 2 6; Brightness 9 6 Color 2 8; Solarize 5 2 Invert 0 -; Equalize 2 - AutoContrast 6 -;
        Equalize 2 - Equalize 6 -; Color 9 9 Equalize 6 -; AutoContrast 8 - Solarize 2 8; Brightness 1 3 Color 7 0;
        Solarize 4 5 AutoContrast 9 -; TranslateY 9 9 TranslateY 7 9; AutoContrast 9 - Solarize 8 3;
        Equalize 8 - Invert 1 -; TranslateY 7 9 AutoContrast 9 -""",
    AutoAugmentPolicy.SVHN: """
        ShearX 9 4 Invert 2 -; ShearY 9 8 Invert 7 -; Equalize 6 - Solarize 6 6; Invert 9 - Equalize 6 -;
        Equalize 6 - Rotate 9 3; ShearX 9 4 AutoContrast 8 -; ShearY 9 8 Invert 4 -; ShearY 9 5 Solarize 2 6;
        Invert 9 - AutoContrast 8 -; Equalize 6 - Rotate 9 3; ShearX 9 4 Solarize 3 3; ShearY 8 8 Invert 7 -;
        Equalize 9 - TranslateY 6 6; Invert 9 - Equalize 6 -; Contrast 3 3 Rotate 8 4; Invert 8 - TranslateY 0 2;
        ShearY 7 6 Solarize 4 8; Invert 6 - Rotate 8 4; ShearY 3 7 TranslateX 9 3; ShearX 1 6 Invert 6 -;
        Solarize 7 2 TranslateY 6 7; ShearY 8 4 Invert 8 -; ShearX 7 9 TranslateY 8 3; ShearY 8 5 AutoContrast 7 -;
        ShearX 7 2 Invert 1 -""",
}


def _policy(text: str) -> Sequence[Sequence[tuple[str, float, int | None]]]:
    policy = []
    for line in text.split(";"):
        words = line.split()
        parts = [words[at : at + 3] for at in range(0, len(words), 3)]
        policy.append([(name, int(prob) / 10, None if step == "-" else int(step)) for name, prob, step in parts])
    return policy


class AutoAugment(_Augment):
    """Applies one of a policy's 25 pairs of operations, drawn at random, each operation with its probability and magnitude
    (E. D. Cubuk and others, "AutoAugment", 2019).

    Args:
        policy: whose pairs, an AutoAugmentPolicy.
        interpolation: how pixels are interpolated where they move, an Inter.
        fill_value: the value of what is outside of the image, from 0 to 255: one, or a tuple of three for R, G and B.

    Inputs:
        image: an array of uint8 of shape (H, W, 3), or a Pillow image of RGB, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.
        RuntimeError: the image is of another dtype or shape.

    Examples:
        >>> image = np.zeros((4, 6, 3), np.uint8)
        >>> vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10)(image).shape
        (4, 6, 3)
    """

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        super().__init__(interpolation, fill_value)
        self.policy = _policy(_POLICIES[check_instance("AutoAugment", "policy", policy, AutoAugmentPolicy)])

    def augmented(self, image: Any) -> Any:
        strengths = _strengths(10, image.shape[:2], False)
        for name, prob, step in self.policy[int(draws().integers(len(self.policy)))]:
            if draws().random() < prob:
                image = self.done(image, name, None if step is None else strengths[name][step])
        return image
