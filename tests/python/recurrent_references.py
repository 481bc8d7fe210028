"""NumPy references of recurrent layers and their gradients, by each cell's formulas from the literature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def lstm(gates: list[Any], product: list[Any], h: Any, c: Any) -> tuple[list[Any], list[Any]]:
    i, f, g, o = (a + b for a, b in zip(gates, product))
    i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
    cell = f * c + i * g
    return [o * np.tanh(cell), cell], [i, f, g, o]


def gru(gates: list[Any], product: list[Any], h: Any) -> tuple[list[Any], list[Any]]:
    r, z = (sigmoid(a + b) for a, b in zip(gates[:2], product))
    n = np.tanh(gates[2] + r * product[2])
    return [n + z * (h - n)], [r, z, n, product[2]]


def rnn_tanh(gates: list[Any], product: list[Any], h: Any) -> tuple[list[Any], list[Any]]:
    return [np.tanh(gates[0] + product[0])], []


def rnn_relu(gates: list[Any], product: list[Any], h: Any) -> tuple[list[Any], list[Any]]:
    return [np.maximum(gates[0] + product[0], 0)], []


def parts(x: Any, units: int) -> list[Any]:
    return np.split(x, x.shape[1] // units, 1)


def ends(lengths: Any, steps: int, rows: int) -> Any:
    """Of each step, for which rows it is one: (steps, rows, 1)."""
    lengths = np.full(rows, steps) if lengths is None else lengths
    return (np.arange(steps)[:, None] < lengths)[..., None]


def order(steps: int, reverse: bool) -> list[int]:
    return list(range(steps))[:: -1 if reverse else 1]


def layer(cell: Callable[..., Any]) -> Callable[..., Any]:
    """The op of a cell: the states after each step, and its activations."""

    def run(input_gates: Any, weight: Any, bias: Any, lengths: Any, reverse: bool, **states: Any) -> Any:
        steps, rows, _ = input_gates.shape
        within, now = ends(lengths, steps, rows), list(states.values())
        found: list[list[Any]] = [[] for _ in range(steps)]
        for t in order(steps, reverse):
            product = now[0] @ weight.T + (0 if bias is None else bias)
            new, kept = cell(parts(input_gates[t], weight.shape[1]), parts(product, weight.shape[1]), *now)
            now = [np.where(within[t], a, b) for a, b in zip(new, now)]
            found[t] = [*now, *([np.where(within[t], np.concatenate(kept, 1), 0)] if kept else [])]
        out = tuple(np.stack(column) for column in zip(*found))
        return out if len(out) > 1 else out[0]

    return run


def lstm_slopes(cts: list[Any], more: list[Any], kept: list[Any], before: list[Any], after: list[Any]) -> Any:
    i, f, g, o = kept
    shown = np.tanh(after[1])
    cell = cts[1] + cts[0] * o * (1 - shown**2)
    of = [cell * g + more[0], cell * before[1] + more[1], cell * i + more[2], cts[0] * shown + more[3]]
    slopes = [of[0] * i * (1 - i), of[1] * f * (1 - f), of[2] * (1 - g * g), of[3] * o * (1 - o)]
    return slopes, slopes, [np.zeros_like(cell), cell * f]


def gru_slopes(cts: list[Any], more: list[Any], kept: list[Any], before: list[Any], after: list[Any]) -> Any:
    r, z, n, product = kept
    of_n = (cts[0] * (1 - z) + more[2]) * (1 - n * n)
    of_r = (of_n * product + more[0]) * r * (1 - r)
    of_z = (cts[0] * (before[0] - n) + more[1]) * z * (1 - z)
    return [of_r, of_z, of_n], [of_r, of_z, of_n * r + more[3]], [cts[0] * z]


def rnn_tanh_slopes(cts: list[Any], more: list[Any], kept: list[Any], before: list[Any], after: list[Any]) -> Any:
    slopes = [cts[0] * (1 - after[0] ** 2)]
    return slopes, slopes, [np.zeros_like(cts[0])]


def rnn_relu_slopes(cts: list[Any], more: list[Any], kept: list[Any], before: list[Any], after: list[Any]) -> Any:
    slopes = [np.where(after[0] > 0, cts[0], 0)]
    return slopes, slopes, [np.zeros_like(cts[0])]


def gradient(slopes: Callable[..., Any], count: int, apart: bool) -> Callable[..., Any]:
    """The op of a cell's gradient, of `count` states; `apart`: the product's gradient is another than the gates'."""

    def run(gradient: Any, weight: Any, lengths: Any, reverse: bool, **others: Any) -> Any:
        names = ["states", "cells"][:count], ["h", "c"][:count]
        made, first = [others[name] for name in names[0]], [others[name] for name in names[1]]
        cts = [gradient, others.get("c_gradient")][:count]
        steps, rows, units = gradient.shape
        within, walk = ends(lengths, steps, rows), order(steps, reverse)
        more, on = others.get("activations_gradient"), [np.zeros((rows, units))] * count
        found: list[Any] = [None] * steps
        for k, t in reversed(list(enumerate(walk))):
            before = [state[walk[k - 1]] for state in made] if k else first
            kept = parts(others["activations"][t], units) if "activations" in others else []
            extra = [0.0] * 4 if more is None else parts(more[t], units)
            total = [ct[t] + carried for ct, carried in zip(cts, on)]
            of_gates, of_product, down = slopes(total, extra, kept, before, [state[t] for state in made])
            found[t] = [np.where(within[t], np.concatenate(of, 1), 0) for of in (of_gates, of_product)]
            on = [np.where(within[t], new, old) for new, old in zip(down, total)]
            on[0] = on[0] + found[t][1] @ weight
        of_gates, of_product = (np.stack(column) for column in zip(*found))
        return (of_gates, of_product, *on) if apart else (of_gates, *on)

    return run


RECURRENT = {
    "lstm_layer": layer(lstm),
    "gru_layer": layer(gru),
    "rnn_tanh_layer": layer(rnn_tanh),
    "rnn_relu_layer": layer(rnn_relu),
    "lstm_layer_backward": gradient(lstm_slopes, 2, False),
    "gru_layer_backward": gradient(gru_slopes, 1, True),
    "rnn_tanh_layer_backward": gradient(rnn_tanh_slopes, 1, False),
    "rnn_relu_layer_backward": gradient(rnn_relu_slopes, 1, False),
}
