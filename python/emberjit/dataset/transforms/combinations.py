"""Transforms of other transforms: in sequence, or at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit.checks import check_instance, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.transforms.transform import Transform, joined, steps
from emberjit.dataset.values import Row, is_pil


def checked(where: str, transforms: Any) -> list[Callable[..., Any]]:
    """A list of transforms.

    Raises:
        TypeError: it is none.
        ValueError: it is empty.
    """
    result = check_instance(where, "transforms", transforms, list)
    if not result:
        raise ValueError(f"For '{where}', 'transforms' must hold a transform, but it is empty.")
    for at, transform in enumerate(result):
        if not callable(transform) or isinstance(transform, type):
            raise TypeError(f"For '{where}', 'transforms[{at}]' must be a transform or function, but got {transform!r}.")
    return list(result)


def row_in_turn(transforms: Sequence[Callable[..., Any]], values: Row) -> Iterator[Row]:
    """Values, and what each of the transforms makes of them, one after the other."""
    yield values
    for _, call in steps(transforms):
        result = call(*values)
        values = result if isinstance(result, tuple) else (result,)
        yield values


def in_turn(transforms: Sequence[Callable[..., Any]], values: Row) -> Any:
    """Values by transforms one after the other."""
    *_, last = row_in_turn(transforms, values)
    return last[0] if len(last) == 1 else last


class _Combination(Transform):
    def __init__(self, transforms: Any):
        self.transforms = checked(type(self).__name__, transforms)
        self.is_builtin = all(getattr(transform, "is_builtin", False) for transform in self.transforms)
        self.random = type(self) is not Compose or any(getattr(transform, "random", True) for transform in self.transforms)

    def __call__(self, *values: Any) -> Any:
        return in_turn(self.selection(), values)

    def selection(self) -> Sequence[Callable[..., Any]]:
        """The transforms to apply."""
        return self.transforms


class Compose(_Combination):
    """Transforms in turn. Called with, or on the way making, an image of Pillow's, it returns a tuple, even of one value.

    Raises:
        TypeError: transforms is no list of functions.
        ValueError: it is empty.
    """

    def __init__(self, transforms: Any):
        super().__init__(transforms)
        self.together = joined(self.transforms)

    def __call__(self, *values: Any) -> Any:
        rows = list(row_in_turn(self.together, values))
        single = len(rows[-1]) == 1 and not any(len(row) == 1 and is_pil(row[0]) for row in rows)
        return rows[-1][0] if single else rows[-1]

    @staticmethod
    def reduce(operations: list[Any]) -> list[Any]:
        """The operations, as they are."""
        return operations


class RandomApply(_Combination):
    """Transforms in turn with a probability, else nothing.

    Raises:
        as Compose; ValueError: prob is not from 0 to 1.
    """

    def __init__(self, transforms: Any, prob: float = 0.5):
        super().__init__(transforms)
        self.prob = check_number("RandomApply", "prob", prob, 0, 1)

    def selection(self) -> Sequence[Callable[..., Any]]:
        return self.transforms if draws().random() < self.prob else ()


class RandomChoice(_Combination):
    """One of the transforms.

    Raises:
        as Compose.
    """

    def selection(self) -> Sequence[Callable[..., Any]]:
        return [self.transforms[int(draws().integers(len(self.transforms)))]]


class RandomOrder(_Combination):
    """The transforms in random order.

    Raises:
        as Compose.
    """

    def selection(self) -> Sequence[Callable[..., Any]]:
        return [self.transforms[i] for i in draws().permutation(len(self.transforms))]
