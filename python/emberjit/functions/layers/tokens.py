"""Numbers of words and classes: n-grams that repeat, hits of samples, maps of keys, distances of sequences."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_rank
from emberjit.functions.arguments import ints_of
from emberjit.functions.images import patches
from emberjit.publish.kinds import Number, Tensor
from emberjit.publish.registry import publish

_ops = core.ops
_LOWEST = {core.float16: -65504.0, core.float64: -1.7976931348623157e308}


@publish(
    "ops.NoRepeatNGram(ngram_size)(state_seq, log_probs)",
    numpy="sequences.no_repeat(state_seq, log_probs, ngram_size)",
    samples="""abs(i32(2, 2, 7)) % 3, f32(2, 2, 4), 2; abs(i32(1, 2, 5)) % 2, f64(1, 2, 3), 3; abs(i32(1, 1, 3)) % 3,
    f32(1, 1, 4)""",
)
def no_repeat_ngram(state_seq: Tensor, log_probs: Tensor, ngram_size: int = 1) -> Any:
    """log_probs (N, beams, words), the lowest number where the word would end n words that stand in state_seq already.

    Args:
        state_seq: the words so far (N, beams, length).
        ngram_size: n.

    Raises:
        TypeError: log_probs is not of floats.
        ValueError: shapes do not fit, or ngram_size is not within 1 and the length.
    """
    name = "NoRepeatNGram"
    check_floating(name, log_probs=log_probs)
    if state_seq.ndim != 3 or log_probs.ndim != 3 or tuple(state_seq.shape[:2]) != tuple(log_probs.shape[:2]):
        raise ValueError(
            f"For '{name}', 'state_seq' must be of shape (N, beams, length) and 'log_probs' of (N, beams, words), but "
            f"are of "
            f"{tuple(state_seq.shape)} and {tuple(log_probs.shape)}."
        )
    length, words = state_seq.shape[2], log_probs.shape[2]
    if not 1 <= ngram_size <= length:
        raise ValueError(f"For '{name}', 'ngram_size' must be within 1 and {length}, but is {ngram_size}.")
    grams = patches.unfolded(name, state_seq, [(ngram_size, 1, 1)])
    last = _ops.expand_dims(state_seq[:, :, length - ngram_size + 1 :], 3)
    repeats = _ops.all(_ops.equal(grams[:, :, : ngram_size - 1], last), 2)
    banned = _ops.select(repeats, _ops.cast(grams[:, :, ngram_size - 1], core.int64), words)
    marks = _ops.zeros((*log_probs.shape[:2], words + 1), core.int32)
    marks = _ops.tensor_scatter_elements(marks, banned, _ops.ones_like(_ops.cast(banned, core.int32)), 2)
    lowest = _LOWEST.get(log_probs.dtype, -3.4028234663852886e38)
    return _ops.select(marks[:, :, :words] > 0, lowest, log_probs)


@publish(
    "ops.SubAndFilter()(input_x, max_num, offset)",
    numpy="""(lambda x, keep: (x[keep], keep.nonzero()[0]))(input_x - offset, (input_x >= offset) & (input_x - offset
    < max_num))""",
    samples="i32(12), 5, -3; i64(4), 0, 2",
    in_python=True,
)
def sub_and_filter(input_x: Tensor, max_num: Number, offset: Number) -> Any:
    """(input_x - offset where that is within [0, max_num), the positions of those elements, in input_x's dtype).

    Raises:
        ValueError: input_x has not one axis.
    """
    check_rank("SubAndFilter", "input_x", input_x, 1)
    rest = _ops.cast(input_x - offset, input_x.dtype)
    keep = _ops.logical_and(rest >= 0, rest < max_num)
    return rest[keep], _ops.arange(input_x.shape[0], dtype=input_x.dtype)[keep]


@publish(
    "ops.MapUniform()(input, per_group_size, group_num)",
    numpy="input % group_num * per_group_size + input // group_num",
    samples="abs(i32(3, 4)), 4, 3; abs(i64(5)), 8, 2",
)
def map_uniform(input: Tensor, per_group_size: Number, group_num: Number) -> Any:
    """Keys spread evenly over groups: input % group_num * per_group_size + input // group_num."""
    groups = _ops.floor_mod(input, group_num) * per_group_size
    return _ops.cast(groups + _ops.floor_div(input, group_num), input.dtype)


@publish(
    "ops.ComputeAccidentalHits(num_true)(true_classes, sampled_candidates)",
    numpy="""(lambda at: (at[0], at[2], np.full(len(at[0]), -np.finfo(np.float32).max, np.float32)))((true_classes[:,
    :, None] ==
    sampled_candidates).nonzero())""",
    samples="i32(3, 2), i32(9), 2; i64(4, 1), i64(5)",
    in_python=True,
)
def accidental_hits(true_classes: Tensor, sampled_candidates: Tensor, num_true: int = 1) -> Any:
    """Where samples are among true classes: (rows (int32), positions of samples, the lowest float32 of each).

    Args:
        true_classes: (N, num_true).
        sampled_candidates: (samples).

    Raises:
        ValueError: the shapes are others.
    """
    name = "ComputeAccidentalHits"
    check_rank(name, "sampled_candidates", sampled_candidates, 1)
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError(
            f"For '{name}', 'true_classes' must be of shape (N, {num_true}), but is of {tuple(true_classes.shape)}."
        )
    hits = _ops.equal(_ops.expand_dims(true_classes, 2), sampled_candidates)
    n, _, count = hits.shape
    rows = _ops.broadcast_to(_ops.arange(n, dtype=core.int32).reshape((n, 1, 1)), hits.shape)[hits]
    ids = _ops.broadcast_to(_ops.arange(count), hits.shape)[hits]
    return rows, _ops.cast(ids, sampled_candidates.dtype), _ops.full(rows.shape, -3.4028234663852886e38, core.float32)


def _rows(name: str, indices: Tensor, values: Tensor, shape: tuple[int, ...], lead: tuple[int, ...]) -> tuple[Any, Any]:
    """Sparse sequences as rows (of `lead`, flat; length), and how long each is."""
    if indices.ndim != 2 or indices.shape[1] != len(shape) or tuple(values.shape) != (indices.shape[0],):
        raise ValueError(
            f"For '{name}', indices must be of shape (K, {len(shape)}) and values of (K,), but are of "
            f"{tuple(indices.shape)} "
            f"and {tuple(values.shape)}."
        )
    at: Any = 0
    for axis, size in enumerate(lead):
        at = at * size + _ops.cast(_ops.select_at(indices, axis, 1), core.int64)
    at = _ops.broadcast_to(core.Tensor(at), values.shape) if isinstance(at, int) else at
    ordered, order = _ops.sort(at)
    rank = _ops.arange(values.shape[0]) - _ops.search_sorted(ordered, ordered)
    place = _ops.index_add(_ops.zeros_like(rank), order, rank, 0)
    count = math.prod(lead)
    room = _ops.zeros((count, shape[-1]), values.dtype)
    lengths = _ops.index_add(_ops.zeros((count,), core.int64), at, _ops.ones_like(place), 0)
    return _ops.scatter_axes(room, values, (at, place), (0, 1)), lengths


def _levenshtein(first: Tensor, second: Tensor, first_length: Tensor, second_length: Tensor) -> Any:
    """The distances of rows, diagonal by diagonal of the table of those of their beginnings."""
    n, width = first.shape
    height = second.shape[1]
    far = width + height + 1
    at = _ops.broadcast_to(_ops.arange(width + 1), (n, width + 1))
    older = _ops.full((n, width + 1), far, core.int64)
    now = _ops.select(_ops.equal(at, 0), 0, older)
    ends = _ops.expand_dims(first_length + second_length, 1)
    distances = now
    own = _ops.pad(first, (1, 0))
    for k in range(1, width + height + 1):
        diagonal = _ops.gather(second, _ops.clip(k - 1 - _ops.arange(width + 1), 0, max(height - 1, 0)), 1)
        change = _ops.cast(_ops.not_equal(own, diagonal), core.int64)
        before = _ops.pad(older, (1, 0), "constant", far)[:, : width + 1] + change
        step = _ops.minimum(_ops.pad(now, (1, 0), "constant", far)[:, : width + 1], now) + 1
        both = _ops.logical_and(at >= 1, k - at >= 1)
        cell = _ops.minimum(step, _ops.select(both, before, far))
        cell = _ops.select(_ops.logical_and(at <= k, k - at <= height), cell, far)
        older, now = now, cell
        distances = _ops.select(_ops.equal(ends, k), now, distances)
    return _ops.squeeze(_ops.gather_d(distances, 1, _ops.expand_dims(first_length, 1)), 1)


@publish(
    """ops.EditDistance(normalize)(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values,
    truth_shape)""",
    numpy="""sequences.edit_distance(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values,
    truth_shape, normalize)""",
    samples="""i64(4, 2) * 0 + [[0, 0], [0, 1], [1, 0], [1, 1]], i32(4) % 2, (2, 3),
    i64(5, 2) * 0 + [[0, 0], [1, 0], [1, 1], [1, 2], [1, 3]], i32(5) % 2, (2, 4);
    i64(3, 3) * 0 + [[0, 0, 0], [1, 0, 0], [1, 0, 1]], i32(3) % 2, (2, 1, 2),
    i64(4, 3) * 0 + [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]], i32(4) % 2, (2, 2, 2), False""",
)
def edit_distance(
    hypothesis_indices: Tensor,
    hypothesis_values: Tensor,
    hypothesis_shape: Any,
    truth_indices: Tensor,
    truth_values: Tensor,
    truth_shape: Any,
    normalize: bool = True,
) -> Any:
    """How many insertions, deletions and substitutions turn sequences into the true ones (float32): Levenshtein's distance.

    Args:
        hypothesis_indices, truth_indices: of the elements of sequences along the last axis of sparse Tensors (K, axes), in
            the order of each sequence.
        hypothesis_values, truth_values: the elements (K).
        hypothesis_shape, truth_shape: the shapes of the sparse Tensors, whose leading axes the result has.
        normalize: whether distances are divided by the lengths of the true sequences; inf where only that is empty.

    Raises:
        TypeError: a shape is not of ints.
        ValueError: shapes do not fit.
    """
    name = "EditDistance"
    shapes = []
    for argument, shape in (("hypothesis_shape", hypothesis_shape), ("truth_shape", truth_shape)):
        items = shape.tolist() if isinstance(shape, core.Tensor) else shape
        count = len(items) if isinstance(items, (tuple, list)) else 1
        shapes.append(ints_of(name, argument, items, count, 0))
    if len(shapes[0]) != len(shapes[1]) or len(shapes[0]) < 2:
        raise ValueError(f"For '{name}', the shapes must have the same number of axes, at least two, but are {shapes}.")
    lead = tuple(max(pair) for pair in zip(shapes[0][:-1], shapes[1][:-1]))
    first, first_length = _rows(name, hypothesis_indices, hypothesis_values, shapes[0], lead)
    second, second_length = _rows(name, truth_indices, truth_values, shapes[1], lead)
    distances = _ops.cast(_levenshtein(first, second, first_length, second_length), core.float32)
    if normalize:
        whole = _ops.cast(second_length, core.float32)
        empty = _ops.select(distances > 0, math.inf, 0.0)
        distances = _ops.select(whole > 0, distances / _ops.maximum(whole, 1.0), empty)
    return _ops.reshape(distances, lead)
