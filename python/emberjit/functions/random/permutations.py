"""Random permutations: of numbers from 0 on, and of slices."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_room
from emberjit.functions.arguments import int_of
from emberjit.functions.random.uniform_and_normal import seed_of
from emberjit.generator import drawing
from emberjit.publish.kinds import DType, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _permutation(count: int, seed: int | None) -> Any:
    """0 .. count - 1 in random order: the order of random integers."""
    return _ops.sort(_ops.randint(0, (1 << 63) - 1, (count,), seed, core.int64))[1]


def _permutation_of(name: str, n: Any, seed: int | None, dtype: DType) -> Any:
    count = int_of(name, "n", n, 0)
    check_room(name, "the integers", count, dtype)
    return _ops.cast(_permutation(count, seed), dtype)


@publish("ops.randperm ops.RandpermV2(seed, offset, dtype)(n)", in_python=True)
def randperm(n: Any, seed: int = 0, offset: int = 0, dtype: DType = core.int64) -> Any:
    """The integers 0 .. n - 1 in random order.

    Args:
        n: an int, or a Tensor of one.
        seed, offset: of the numbers, unless both are 0.
        dtype: of the result.

    Raises:
        TypeError: n is something else.
        ValueError: n is negative, or dtype has no room for the integers.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.randperm(6))
        [1 3 4 0 2 5]
    """
    return _permutation_of("randperm", n, seed_of(seed, offset), dtype)


@publish("mint.randperm(n, *, generator, dtype)", in_python=True)
def randperm_by(n: Any, generator: Any = None, dtype: DType = core.int64) -> Any:
    """The integers 0 .. n - 1 in random order.

    Args:
        n: an int.
        generator: the Generator to draw from; None for the process's stream.
        dtype: of the result.

    Raises:
        TypeError: n is something else.
        ValueError: n is negative, or dtype has no room for the integers.

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.randperm(6))
        [1 3 4 0 2 5]
    """
    with drawing("randperm", generator):
        return _permutation_of("randperm", n, None, dtype)


@publish("ops.Randperm(max_length, pad, dtype)(n)", in_python=True)
def randperm_primitive(n: Any, max_length: int = 1, pad: int = -1, dtype: DType = core.int32) -> Any:
    """The integers 0 .. n - 1 in random order, and `pad` after them up to max_length elements.

    Args:
        n: an int, or a Tensor of one.
        max_length: the length of the result.
        pad: what follows the integers.
        dtype: of the result.

    Raises:
        ValueError: n is negative or above max_length, or dtype has no room for the integers.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.Randperm(max_length=8)(Tensor([6])))
        [ 1  3  4  0  2  5 -1 -1]
    """
    count = int_of("Randperm", "n", n, 0)
    if count > max_length:
        raise ValueError(f"For 'Randperm', 'n' must not exceed 'max_length', {max_length}, but got {count}.")
    return _ops.pad(_permutation_of("Randperm", count, None, dtype), (0, max_length - count), "constant", pad)


@publish("ops.shuffle", in_python=True)
def shuffle(x: Tensor, seed: int | None = None) -> Any:
    """x with its elements along the first axis in random order.

    Args:
        x: of any shape; without axes it stays.
        seed: of the numbers, in place of the stream's.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.shuffle(Tensor([1, 2, 3, 4])))
        [2 4 1 3]
    """
    return x if x.ndim == 0 else _ops.gather(x, _permutation(x.shape[0], seed), 0)


@publish("ops.RandomShuffle(seed, seed2)(x)", in_python=True)
def shuffle_primitive(x: Tensor, seed: int = 0, seed2: int = 0) -> Any:
    """x with its elements along the first axis in random order.

    Args:
        x: of any shape; without axes it stays.
        seed, seed2: of the numbers, unless both are 0.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.RandomShuffle()(Tensor([1, 2, 3, 4])))
        [2 4 1 3]
    """
    return shuffle(x, seed_of(seed, seed2))
