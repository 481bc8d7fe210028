"""Connectionist temporal classification: sequences of labels that are not aligned with their inputs.

Method: A. Graves et al., Connectionist temporal classification: labelling unsegmented sequence data with recurrent neural
networks (2006). Impossible paths have a logarithm of _NEVER, so that differences of such are numbers.
"""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_rank, check_shape
from emberjit.functions.arguments import ints_of, working
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish
from emberjit.transforms.gradient import value_and_grad

_ops = core.ops
_NEVER = -1e30


def _sum_of_exponentials(terms: list[Any]) -> Any:
    most = terms[0]
    for term in terms[1:]:
        most = _ops.maximum(most, term)
    most = _ops.stop_gradient(most)
    total: Any = 0
    for term in terms:
        total = total + _ops.exp(term - most)
    return _ops.log(total) + most


def _forward(logs: Tensor, states: Tensor, blank: int, times: Tensor, merge: bool) -> list[Any]:
    """The logarithms of what all paths to each state have together, of each time (N, L).

    Args:
        logs: of probabilities (T, N, C).
        states: classes (N, L): labels with blanks between and around them.
        times: how many inputs each sequence has (N, 1); later ones keep what the last has.
        merge: whether equal labels after one another are one, unless a blank is between them.
    """
    count, n, length = logs.shape[0], states.shape[0], states.shape[1]
    index = _ops.broadcast_to(_ops.expand_dims(states, 0), (count, n, length))
    logs = _ops.maximum(_ops.gather_d(logs, 2, index), _NEVER)
    labelled = _ops.not_equal(states, blank)
    before = _ops.pad(states, (2, 0), "constant", blank)[:, :length]
    skips = _ops.logical_and(labelled, _ops.not_equal(states, before)) if merge else labelled
    at = _ops.broadcast_to(_ops.arange(length), (n, length))
    paths = _ops.select(at < 2, _ops.select_at(logs, 0, 0), _NEVER)
    variables = [paths]
    for t in range(1, count):
        wide = _ops.pad(paths, (2, 0), "constant", _NEVER)
        stay = paths if merge else _ops.select(labelled, _NEVER, paths)
        terms = [stay, wide[:, 1 : length + 1], _ops.select(skips, wide[:, :length], _NEVER)]
        paths = _ops.select(times > t, _sum_of_exponentials(terms) + _ops.select_at(logs, t, 0), paths)
        variables.append(paths)
    return variables


def _with_blanks(labels: Tensor, blank: int) -> Any:
    """Labels (N, S) with blanks between and around them (N, 2 S + 1)."""
    n, count = labels.shape
    blanks = _ops.full((n, count, 1), blank, core.int64)
    pairs = _ops.concat([blanks, _ops.expand_dims(_ops.cast(labels, core.int64), 2)], 2)
    return _ops.pad(pairs.reshape((n, 2 * count)), (0, 1), "constant", blank)


def _losses(last: Tensor, lengths: Tensor) -> Any:
    """-log of what the paths that end in the last label or the blank behind it have together (N); inf if there are none."""
    end = _ops.gather_d(last, 1, 2 * lengths)
    label = _ops.gather_d(last, 1, _ops.maximum(2 * lengths - 1, 0))
    loss = -_sum_of_exponentials([end, _ops.select(lengths > 0, label, _NEVER)])
    return _ops.squeeze(_ops.select(loss > -_NEVER / 10, math.inf, loss), 1)


def _column(name: str, argument: str, lengths: Any, n: int, most: int) -> Any:
    """Lengths (N, 1) from a Tensor or a tuple of ints."""
    if not isinstance(lengths, core.Tensor):
        items = ints_of(name, argument, lengths, n, 0)
        if any(item > most for item in items):
            raise ValueError(f"For '{name}', '{argument}' must be at most {most}, but is {lengths}.")
        lengths = core.Tensor(list(items), core.int64)
    check_shape(name, argument, lengths, (n,))
    return _ops.expand_dims(_ops.cast(lengths, core.int64), 1)


@publish(
    "ops.CTCLossV2(blank, reduction, zero_infinity)(log_probs, targets, input_lengths, target_lengths)",
    numpy="sequences.ctc(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)",
    samples="""f32(5, 2, 4), abs(i32(2, 2)) % 3 + 1, (5, 4), (2, 1); f64(4, 3, 3), abs(i64(3, 3)) % 2, abs(i64(3)) % 2 + 3,
    abs(i64(3)) % 4, 2, 'none', True; f32(3, 1, 3), i32(1, 0), (2,), (0,)""",
)
def ctc_loss_of_sequences(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "none",
    zero_infinity: bool = False,
) -> Any:
    """(losses (N), logarithms of forward variables (N, T, 2 S + 1)): -log of the probability of labels that are not aligned.

    Args:
        log_probs: logarithms of probabilities (T, N, C), T inputs at most.
        targets: labels (N, S), S at most.
        input_lengths, target_lengths: how many inputs and labels each sequence has (N), at most T and S.
        blank: the class that stands for no label.
        reduction: "none".
        zero_infinity: whether the loss is 0 where the inputs are too few for the labels, and not inf.

    Raises:
        TypeError: log_probs is not of floats.
        ValueError: shapes do not fit, blank is no class, or another reduction.
    """
    name = "CTCLossV2"
    check_rank(name, "log_probs", log_probs, 3)
    check_floating(name, log_probs=log_probs)
    check_choice(name, "reduction", reduction, "none")
    count, n, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise ValueError(f"For '{name}', 'blank' must be in [0, {classes}), but is {blank}.")
    if targets.ndim != 2 or targets.shape[0] != n or count == 0:
        raise ValueError(
            f"For '{name}', 'log_probs' must be of shape (T, N, C) and 'targets' of (N, S), but are of "
            f"{tuple(log_probs.shape)} and {tuple(targets.shape)}."
        )
    times = _column(name, "input_lengths", input_lengths, n, count)
    lengths = _column(name, "target_lengths", target_lengths, n, targets.shape[1])
    labels = _ops.select(_ops.arange(targets.shape[1]) < lengths, targets, blank)  # whatever is behind them
    states = _with_blanks(labels, blank)
    variables = _forward(working(log_probs), states, blank, times, True)
    losses = _losses(variables[-1], lengths)
    if zero_infinity:
        losses = _ops.select(_ops.isinf(losses), 0.0, losses)
    paths = _ops.stack(variables, 1)
    reached = _ops.arange(count).reshape((1, count, 1)) < _ops.expand_dims(times, 2)
    within = _ops.arange(states.shape[1]) <= _ops.expand_dims(2 * lengths, 2)
    real = _ops.logical_and(_ops.logical_and(reached, within), paths > _NEVER / 10)
    paths = _ops.select(real, paths, -math.inf)
    return tuple(_ops.cast(part, log_probs.dtype) for part in (losses, paths))


@publish(
    "ops.ctc_loss",
    numpy="""sequences.ctc_reduced(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)""",
    samples="""f32(5, 2, 4), abs(i32(2, 2)) % 3 + 1, (5, 4), (2, 1); f32(5, 2, 4), abs(i32(2, 2)) % 3 + 1, (5, 4), (2, 0),
    0, 'sum'; f64(4, 3, 3), abs(i64(3, 3)) % 2, (4, 3, 4), (1, 2, 2), 2, 'none', True""",
)
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """(loss, logarithms of forward variables (N, T, 2 S + 1)): -log of the probability of labels that are not aligned.

    Args:
        log_probs: logarithms of probabilities (T, N, C), T inputs at most.
        targets: labels (N, S), S at most.
        input_lengths, target_lengths: how many inputs and labels each sequence has (N), at most T and S.
        blank: the class that stands for no label.
        reduction: "none", the losses (N); "sum"; or "mean", that of losses over their numbers of labels.
        zero_infinity: whether the loss is 0 where the inputs are too few for the labels, and not inf.

    Raises:
        TypeError: log_probs is not of floats.
        ValueError: shapes do not fit, blank is no class, or another reduction.
    """
    check_choice("ctc_loss", "reduction", reduction, "none", "mean", "sum")
    losses, paths = ctc_loss_of_sequences(log_probs, targets, input_lengths, target_lengths, blank, "none", zero_infinity)
    if reduction == "none":
        return losses, paths
    if reduction == "mean":
        counts = _column("ctc_loss", "target_lengths", target_lengths, losses.shape[0], targets.shape[1])
        wide = working(losses) / _ops.squeeze(_ops.maximum(counts, 1), 1)
        return _ops.cast(wide.mean(), losses.dtype), paths
    return losses.sum(), paths


@publish(
    "nn.CTCLoss(blank, reduction, zero_infinity)(log_probs, targets, input_lengths, target_lengths)",
    numpy="""sequences.ctc_reduced(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)[0]""",
    samples="""f32(5, 2, 4), abs(i32(2, 2)) % 3 + 1, (5, 4), (2, 1); f64(4, 3, 3), abs(i64(3, 3)) % 2, (4, 3, 4), (1, 2, 2),
    2, 'none', True""",
)
def ctc_loss_alone(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """The loss of ctc_loss. Without a batch log_probs are (T, C), and targets (S) or (1, S); lengths are of one element.

    Args:
        input_lengths, target_lengths: of each example, tuples of ints or Tensors.

    Raises:
        TypeError: log_probs is not of floats.
        ValueError: shapes do not fit, blank is no class, or another reduction.
    """
    if log_probs.ndim != 2:
        return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)[0]
    labels = _ops.expand_dims(targets, 0) if targets.ndim == 1 else targets
    batch = _ops.expand_dims(log_probs, 1)
    loss = ctc_loss(batch, labels, input_lengths, target_lengths, blank, reduction, zero_infinity)[0]
    return _ops.squeeze(loss, 0) if reduction == "none" else loss


def _dense(indices: Tensor, values: Tensor, n: int, room: int) -> Any:
    """Labels in rows (N, room), -1 where there are none."""
    rows, columns = (_ops.cast(_ops.select_at(indices, i, 1), core.int64) for i in range(2))
    inside = _ops.minimum(columns, room)
    empty = _ops.full((n, room + 1), -1, core.int64)
    return _ops.scatter_axes(empty, _ops.cast(values, core.int64), (rows, inside), (0, 1))[:, :room]


def _compact(labels: Tensor, keep: Tensor) -> Any:
    """The labels (N, S) that are kept, without gaps; -1 behind them."""
    n, count = labels.shape
    to = _ops.select(keep, _ops.cumsum(keep, 1, core.int64) - 1, count)
    room = _ops.full((n, count + 1), -1, core.int64)
    return _ops.tensor_scatter_elements(room, to, labels, 1)[:, :count]


@publish(
    """ops.CTCLoss(preprocess_collapse_repeated, ctc_merge_repeated, ignore_longer_outputs_than_inputs)
    (x, labels_indices, labels_values, sequence_length)""".replace("\n    (", "("),
    numpy="""sequences.ctc_sparse(x, labels_indices, labels_values, sequence_length, preprocess_collapse_repeated,
    ctc_merge_repeated)""",
    samples="""f64(5, 2, 4), i64(3, 2) * 0 + [[0, 0], [0, 1], [1, 0]], abs(i32(3)) % 3, i32(2) * 0 + 5; f64(6, 2, 3),
    i64(4, 2) * 0 + [[0, 0], [0, 1], [0, 2], [1, 0]], i32(4) * 0 + [1, 1, 0, 1], i32(2) * 0 + [6, 3], True; f64(4, 1, 3),
    i64(2, 2) * 0 + [[0, 0], [0, 1]], i32(2) * 0 + 1, i32(1) * 0 + 4, False, False""",
)
def ctc_loss_of_sparse_labels(
    x: Tensor,
    labels_indices: Tensor,
    labels_values: Tensor,
    sequence_length: Tensor,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
) -> Any:
    """(losses (N), their gradient by x): -log of the probability of labels that are not aligned; the last class is no label.

    Args:
        x: logits (T, N, C).
        labels_indices: which sequence each label is of, and which of its labels it is (K, 2), in order.
        labels_values: the labels (K); those that are no class but the last end their sequence.
        sequence_length: how many inputs each sequence has (N).
        preprocess_collapse_repeated: whether equal labels after one another are one label.
        ctc_merge_repeated: whether equal outputs after one another are one, unless a blank is between them.
        ignore_longer_outputs_than_inputs: the loss is inf where there are more labels than inputs, asked for or not.

    Raises:
        TypeError: x is not of floats.
        ValueError: shapes do not fit.
    """
    name = "CTCLoss"
    check_rank(name, "x", x, 3)
    check_floating(name, x=x)
    count, n, classes = x.shape
    shapes = tuple(labels_indices.shape), tuple(labels_values.shape)
    if len(shapes[1]) != 1 or shapes[0] != (*shapes[1], 2) or 0 in (count, classes):
        raise ValueError(
            f"For '{name}', 'x' must be of shape (T, N, C), 'labels_indices' of (K, 2) and 'labels_values' of (K,), "
            f"but are of "
            f"{tuple(x.shape)}, {shapes[0]} and {shapes[1]}."
        )
    times = _column(name, "sequence_length", sequence_length, n, count)
    labels = _dense(labels_indices, labels_values, n, min(shapes[1][0], count + 1))
    keep = _ops.logical_and(labels >= 0, labels < classes - 1)
    if preprocess_collapse_repeated:
        before = _ops.pad(labels, (1, 0), "constant", -1)[:, : labels.shape[1]]
        keep = _ops.logical_and(keep, _ops.not_equal(labels, before))
    labels = _compact(labels, keep)
    lengths = _ops.cast(labels >= 0, core.int64).sum(1, keepdims=True)
    states = _with_blanks(_ops.select(labels < 0, classes - 1, labels), classes - 1)
    wide = working(x)

    def losses(logits: Tensor) -> Any:
        logs = _ops.log_softmax(logits, 2)
        return _losses(_forward(logs, states, classes - 1, times, ctc_merge_repeated)[-1], lengths)

    loss, gradient = value_and_grad(losses)(wide)
    return _ops.cast(loss, x.dtype), _ops.cast(gradient, x.dtype)


@publish(
    "ops.ctc_greedy_decoder ops.CTCGreedyDecoder(merge_repeated)(inputs, sequence_length)",
    numpy="sequences.greedy(inputs, sequence_length, merge_repeated)",
    samples="f32(5, 2, 3), i32(2) * 0 + [5, 3]; f64(6, 3, 2), i32(3) * 0 + [6, 0, 2], False",
    in_python=True,
)
def ctc_greedy_decoder(inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True) -> Any:
    """The most probable class of each input as labels: (indices (K, 2), labels (K), (sequences, labels at most), -log (N,
    1)).

    An index is the sequence's number and that of the label in it; all are int64. The last class stands for no label.

    Args:
        inputs: logarithms of probabilities (T, N, C), which are added up.
        sequence_length: how many inputs each sequence has (N), at most T.
        merge_repeated: whether equal outputs after one another are one, unless a blank is between them.

    Raises:
        TypeError: inputs is not of floats.
        ValueError: shapes do not fit, or a sequence has more inputs than there are.
    """
    name = "ctc_greedy_decoder"
    check_rank(name, "inputs", inputs, 3)
    check_floating(name, inputs=inputs)
    count, n, classes = inputs.shape
    times = _column(name, "sequence_length", sequence_length, n, count)
    if times.size and int(times.max()) > count:
        raise ValueError(f"For '{name}', 'sequence_length' must be at most {count}, but is {sequence_length.tolist()}.")
    best = _ops.swapaxes(_ops.argmax(inputs, 2), 0, 1)
    reached = _ops.arange(count) < times
    keep = _ops.logical_and(reached, _ops.not_equal(best, classes - 1))
    if merge_repeated:
        before = _ops.pad(best, (1, 0), "constant", -1)[:, :count]
        keep = _ops.logical_and(keep, _ops.not_equal(best, before))
    places = _ops.cumsum(keep, 1, core.int64)
    rows = _ops.broadcast_to(_ops.expand_dims(_ops.arange(n), 1), (n, count))
    most = int(places.max()) if places.size else 0
    scores = _ops.swapaxes(_ops.amax(inputs, 2), 0, 1)
    return (
        _ops.stack([rows[keep], places[keep] - 1], 1),
        _ops.cast(best[keep], core.int64),
        core.Tensor([n, most], core.int64),
        -_ops.select(reached, scores, 0.0).sum(1, keepdims=True),
    )
