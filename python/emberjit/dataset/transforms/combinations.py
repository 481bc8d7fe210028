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
    """Transforms one after the other, as one. Called with an image of Pillow's, or if one is made on the way, it returns a
    tuple, even of one value.

    Args:
        transforms: a list of transforms or functions, of which each gets what the one before gave; a tuple is several
            values.

    Inputs:
        values: those of the first transform.

    Raises:
        TypeError: transforms is no list of functions.
        ValueError: it is empty.

    Examples:
        >>> increase = transforms.Compose([transforms.TypeCast(ms.float32), lambda x: x + 0.5])
        >>> increase(np.array([1, 2]))
        array([1.5, 2.5], dtype=float32)
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
    """Transforms one after the other, with a probability; else nothing is done.

    Args:
        transforms: a list of transforms or functions.
        prob: the probability, from 0 to 1.

    Inputs:
        values: those of the first transform.

    Raises:
        TypeError: transforms is no list of functions, or prob no number.
        ValueError: transforms is empty, or prob not from 0 to 1.

    Examples:
        >>> always = transforms.RandomApply([lambda x: x * 2], prob=1.0)
        >>> always(np.array([1, 2]))
        array([2, 4])
    """

    def __init__(self, transforms: Any, prob: float = 0.5):
        super().__init__(transforms)
        self.prob = check_number("RandomApply", "prob", prob, 0, 1)

    def selection(self) -> Sequence[Callable[..., Any]]:
        return self.transforms if draws().random() < self.prob else ()


class RandomChoice(_Combination):
    """One of some transforms, chosen anew in each call; all are as likely.

    Args:
        transforms: a list of transforms or functions.

    Inputs:
        values: those of the transforms.

    Raises:
        TypeError: transforms is no list of functions.
        ValueError: it is empty.

    Examples:
        >>> choice = transforms.RandomChoice([lambda x: x + 1, lambda x: x - 1])
        >>> abs(choice(np.array([0, 0])))
        array([1, 1])
    """

    def selection(self) -> Sequence[Callable[..., Any]]:
        return [self.transforms[int(draws().integers(len(self.transforms)))]]


class RandomOrder(_Combination):
    """Transforms one after the other, in an order chosen anew in each call; all orders are as likely.

    Args:
        transforms: a list of transforms or functions.

    Inputs:
        values: those of the transforms.

    Raises:
        TypeError: transforms is no list of functions.
        ValueError: it is empty.

    Examples:
        >>> both = transforms.RandomOrder([lambda x: x + 1, lambda x: x + 2])
        >>> both(np.array([0, 1]))
        array([3, 4])
    """

    def selection(self) -> Sequence[Callable[..., Any]]:
        return [self.transforms[i] for i in draws().permutation(len(self.transforms))]
