"""The loss of transducers, which emit labels and blanks along inputs.

Method: A. Graves, Sequence transduction with recurrent neural networks (2012).
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_rank, check_within
from emberjit.functions.arguments import working
from emberjit.functions.reductions.cumulative import logcumsumexp
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish
from emberjit.transforms.gradient import value_and_grad

_ops = core.ops


def _costs(acts: Tensor, labels: Tensor, times: Tensor, lengths: Tensor, blank: int) -> Any:
    """-log of what all paths have together (B): the row of each input from the one before, labels within it summed up."""
    logs = _ops.log_softmax(acts, 3)
    n, count, states, _ = logs.shape
    blanks = _ops.select_at(logs, blank, 3)
    index = _ops.broadcast_to(_ops.reshape(labels, (n, 1, states - 1, 1)), (n, count, states - 1, 1))
    emitted = _ops.squeeze(_ops.gather_d(logs[:, :, : states - 1], 3, index), 3)
    across = _ops.cumsum(_ops.pad(emitted, (1, 0)), 2)
    rows = [across[:, 0]]
    for t in range(1, count):
        rows.append(across[:, t] + logcumsumexp(rows[-1] + blanks[:, t - 1] - across[:, t], 1))
    ends = _ops.stack(rows, 1) + blanks
    last = _ops.gather_d(ends, 1, _ops.broadcast_to(_ops.reshape(times - 1, (n, 1, 1)), (n, 1, states)))
    return -_ops.reshape(_ops.gather_d(last, 2, _ops.reshape(lengths, (n, 1, 1))), (n,))


@publish(
    "ops.RNNTLoss(blank_label)(acts, labels, input_lengths, label_lengths)",
    numpy="sequences.transducer(acts, labels, input_lengths, label_lengths, blank_label)",
    samples="""f32(2, 3, 3, 4), abs(i32(2, 2)) % 3 + 1, i32(2) * 0 + [3, 2], i32(2) * 0 + [2, 1];
    f32(1, 2, 1, 3), i32(1, 0), i32(1) * 0 + 2, i32(1) * 0, 2""",
)
def transducer_loss(acts: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor, blank_label: int = 0) -> Any:
    """(-log of the probability of labels (B), its gradient by acts).

    Args:
        acts: logits (B, T, U, V): of each input, after each number of labels.
        labels: classes (B, U - 1).
        input_lengths, label_lengths: how many inputs and labels each sequence has (B), at most T and U - 1.
        blank_label: the class that stands for no label.

    Raises:
        TypeError: acts is not of floats.
        ValueError: shapes do not fit, or blank_label is no class.
    """
    name = "RNNTLoss"
    check_rank(name, "acts", acts, 4)
    check_floating(name, acts=acts)
    n, count, states, classes = acts.shape
    check_within(name, "blank_label", blank_label, 0, below=classes)
    if (
        count == 0
        or tuple(labels.shape) != (n, states - 1)
        or {(n,)} != {tuple(t.shape) for t in (input_lengths, label_lengths)}
    ):
        shapes = [tuple(one.shape) for one in (acts, labels, input_lengths, label_lengths)]
        raise ValueError(
            f"For '{name}', 'acts' must be of shape (B, T, U, V), 'labels' of (B, U - 1) and the lengths of (B,), but they "
            f"are of {shapes}."
        )
    index = [_ops.cast(one, core.int64) for one in (labels, input_lengths, label_lengths)]

    def total(x: Tensor) -> Any:
        costs = _costs(x, index[0], index[1], index[2], blank_label)
        return _ops.sum(costs), costs

    (_, costs), gradient = value_and_grad(total, has_aux=True)(working(acts))
    return _ops.cast(costs, acts.dtype), _ops.cast(gradient, acts.dtype)
