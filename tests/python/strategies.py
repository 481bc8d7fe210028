"""What Hypothesis draws for the tests: how many examples, shapes, elements, lines to sort, indices, documents, damage.

CI draws the same examples each time. With HYPOTHESIS_PROFILE=long, tests draw others each time, a hundred times as many,
and print what repeats one that failed. Whatever is drawn shrinks: shapes to fewer and smaller axes, elements to 0, indices
to whole axes, damage to no damage. The phase that explains failures is left out: it traces lines, and what is traced runs
otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.extra import numpy as hnp

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
set_hypothesis_home_dir(os.path.join(os.path.dirname(__file__), "..", "..", "build", "hypothesis"))


def examples(count: int) -> settings:
    """How a test draws: that many examples where it runs in CI."""
    return settings(
        max_examples=count * (100 if LONG else 1),
        derandomize=not LONG,
        print_blob=LONG,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


def shapes(min_dims: int = 0, max_dims: int = 3, min_side: int = 0, max_side: int = 5) -> st.SearchStrategy[tuple[int, ...]]:
    return hnp.array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=min_side, max_side=max_side)


def elements(dtype: Any) -> st.SearchStrategy[Any]:
    """Numbers of a dtype of NumPy, often zeros of both signs, NaN, infinities, or the ends of what it has."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        special = st.sampled_from([0.0, -0.0, 1.0, np.nan, -np.nan, np.inf, -np.inf, float(np.finfo(dtype).max), 1e-7])
        return special | st.floats(width=dtype.itemsize * 8)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return st.sampled_from([0, 1, info.min, info.max, info.max - 1]) | st.integers(info.min, info.max)
    return st.booleans()


def arrays(dtype: Any, shape: Any) -> st.SearchStrategy[np.ndarray]:
    """Arrays of such elements; the shape may be a strategy."""
    return hnp.arrays(dtype, shape, elements=elements(dtype))


def lines(dtype: Any, lengths: st.SearchStrategy[int]) -> st.SearchStrategy[np.ndarray]:
    """Long lines with ties: a few numbers, over and over, of which some are turned to others by their places."""

    def line(values: np.ndarray, length: int, step: int) -> np.ndarray:
        return values[np.arange(length) * step // 7 % len(values)]

    return st.builds(line, arrays(dtype, st.integers(1, 40)), lengths, st.integers(1, 1000))


def slices(size: int) -> st.SearchStrategy[slice]:
    """Of an axis: whole, from either end, beyond it, with steps of both signs."""
    ends = st.none() | st.integers(-size - 1, size + 1)
    return st.builds(slice, ends, ends, st.sampled_from([None, -1, 2, -2, 3, -3]))


def _axis_index(size: int, common: tuple[int, ...]) -> st.SearchStrategy[Any]:
    """What indexes one axis: all of it, a slice, a number, or numbers of a shape that the others have too."""
    if size == 0:
        return st.just(slice(None)) | slices(size)
    numbers = st.integers(-size, size - 1)
    broadcast = st.sampled_from([common, tuple(1 for _ in common)])
    several = hnp.arrays(np.int64, broadcast, elements=numbers, fill=st.nothing())
    return st.one_of(st.just(slice(None)), slices(size), slices(size), numbers, several, several)


@st.composite
def indices(draw: Callable[[Any], Any], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """A tuple that indexes an array of a shape as NumPy does: basic and advanced, new axes, an ellipsis, masks."""
    if shape and draw(st.integers(0, 9)) == 9:
        masked = draw(st.integers(1, len(shape)))
        return (draw(hnp.arrays(bool, shape[:masked])), *(draw(slices(size)) for size in shape[masked:]))
    common = draw(shapes(1, 2, 1, 3) | shapes(0, 1, 0, 1))
    begin, end = (draw(st.integers(0, len(shape))) if draw(st.booleans()) else len(shape) for _ in range(2))
    items = [draw(_axis_index(size, common)) for size in shape[:begin]]
    if begin < end:
        items += [..., *(draw(_axis_index(size, common)) for size in shape[end:])]
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        items.insert(draw(st.integers(0, len(items))), None)
    return tuple(items)


def trees(leaves: st.SearchStrategy[Any], keys: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Nested lists and dicts."""
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=20
    )


def damaged(data: bytes, begin: int = 0, end: int | None = None, cut: bool = True) -> st.SearchStrategy[bytes]:
    """Data of which up to three bytes from begin to end are others; it may be cut off anywhere."""

    def changed(changes: list[tuple[int, int]], keep: int | None) -> bytes:
        made = bytearray(data)
        for at, value in changes:
            made[at] = value
        return bytes(made[:keep])

    positions = st.integers(begin, min(len(data), end or len(data)) - 1)
    changes = st.lists(st.tuples(positions, st.integers(0, 255)), max_size=3)
    return st.builds(changed, changes, st.none() | st.integers(0, len(data)) if cut else st.none())
