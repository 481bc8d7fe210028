"""NumPy references of what computes along sequences, step by step."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np


def collapse(path: Any, blank: int, merge: bool = True) -> tuple[int, ...]:
    """The labels that a path of outputs stands for."""
    kept = [label for i, label in enumerate(path) if not (merge and i and label == path[i - 1])]
    return tuple(label for label in kept if label != blank)


def path_loss(logs: Any, labels: Any, blank: int, merge: bool = True) -> float:
    """-log of the sum over all paths that stand for labels, by definition."""
    count, classes = logs.shape
    total = 0.0
    for path in itertools.product(range(classes), repeat=count):
        if collapse(path, blank, merge) == tuple(labels):
            total += math.exp(sum(logs[t, label] for t, label in enumerate(path)))
    return -math.log(total) if total else math.inf


def forward(logs: Any, labels: Any, blank: int, count: int, room: int) -> Any:
    out = np.full((logs.shape[0], room), -np.inf)
    states = [blank]
    for label in labels:
        states += [int(label), blank]
    for s in range(min(2, len(states))):
        out[0, s] = logs[0, states[s]]
    for t in range(1, count):
        for s, state in enumerate(states):
            terms = [out[t - 1, s - back] for back in (0, 1) if s >= back]
            if s > 1 and state not in (blank, states[s - 2]):
                terms.append(out[t - 1, s - 2])
            with np.errstate(divide="ignore"):
                out[t, s] = np.log(np.exp(terms).sum()) + logs[t, state]
    return out


def ctc(logs: Any, targets: Any, times: Any, lengths: Any, blank: int, zero: bool) -> Any:
    room = 2 * targets.shape[1] + 1
    losses, paths = [], []
    for i, (count, length) in enumerate(zip(times, lengths)):
        labels = targets[i, :length]
        loss = path_loss(logs[:count, i].astype(np.float64), labels, blank)
        losses.append(0.0 if zero and loss == math.inf else loss)
        paths.append(forward(logs[:, i].astype(np.float64), labels, blank, count, room))
    return np.array(losses), np.array(paths)


def ctc_reduced(logs: Any, targets: Any, times: Any, lengths: Any, blank: int, reduction: str, zero: bool) -> Any:
    losses, paths = ctc(logs, targets, times, lengths, blank, zero)
    if reduction == "mean":
        losses = (losses / np.maximum(lengths, 1)).mean()
    return losses.sum() if reduction == "sum" else losses, paths


def ctc_sparse(x: Any, indices: Any, values: Any, times: Any, collapse_labels: bool, merge: bool) -> Any:
    """The losses, and their gradient: the probability of each output less how often the paths have it."""
    classes = x.shape[2]
    losses, gradient = [], np.zeros(x.shape)
    probabilities = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    for i, count in enumerate(times):
        labels = [value for row, value in zip(indices[:, 0], values) if row == i and value < classes - 1]
        if collapse_labels:
            labels = [label for label, _ in itertools.groupby(labels)]
        total, often = 0.0, np.zeros((count, classes))
        for path in itertools.product(range(classes), repeat=count):
            if collapse(path, classes - 1, merge) == tuple(labels):
                weight = math.prod(probabilities[t, i, label] for t, label in enumerate(path))
                total += weight
                often[np.arange(count), path] += weight
        losses.append(-math.log(total) if total else math.inf)
        gradient[:count, i] = probabilities[:count, i] - often / total if total else 0
    return np.array(losses), gradient


def greedy(inputs: Any, times: Any, merge: bool) -> Any:
    blank = inputs.shape[2] - 1
    indices, values, scores, most = [], [], [], 0
    for i, count in enumerate(times):
        labels = collapse(inputs[:count, i].argmax(1).tolist(), blank, merge)
        indices += [(i, j) for j in range(len(labels))]
        values += labels
        most = max(most, len(labels))
        scores.append([-inputs[:count, i].max(1).sum()])
    return np.array(indices).reshape(-1, 2), np.array(values), np.array([len(times), most]), np.array(scores)
