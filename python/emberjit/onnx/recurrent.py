"""ONNX's RNN, GRU and LSTM: a loop over time that is written out, for each direction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import mint
from emberjit.mint.nn import functional as F
from emberjit.onnx import elementwise
from emberjit.onnx.table import op

Step = Callable[..., tuple[Any, ...]]
_ACTIVATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "relu": lambda x, a, b: F.relu(x),
    "tanh": lambda x, a, b: mint.tanh(x),
    "sigmoid": lambda x, a, b: mint.sigmoid(x),
    "affine": lambda x, a, b: (1.0 if a is None else a) * x + (0.0 if b is None else b),
    "leakyrelu": lambda x, a, b: elementwise.leaky_relu(x, alpha=0.01 if a is None else a),
    "thresholdedrelu": lambda x, a, b: elementwise.thresholded_relu(x, alpha=1.0 if a is None else a),
    "scaledtanh": lambda x, a, b: (1.0 if a is None else a) * mint.tanh((1.0 if b is None else b) * x),
    "hardsigmoid": lambda x, a, b: elementwise.hard_sigmoid(x, alpha=0.2 if a is None else a, beta=0.5 if b is None else b),
    "elu": lambda x, a, b: elementwise.elu(x, alpha=1.0 if a is None else a),
    "softsign": lambda x, a, b: x / (1 + mint.abs(x)),
    "softplus": lambda x, a, b: F.softplus(x),
}
_TAKE_ALPHA = {"affine", "leakyrelu", "thresholdedrelu", "scaledtanh", "hardsigmoid", "elu"}
_TAKE_BETA = {"affine", "scaledtanh", "hardsigmoid"}


def _activations(names: Any, alphas: Any, betas: Any, clip: float | None) -> list[Callable[[Any], Any]]:
    """Functions by name, each with the next of the numbers if it takes any."""
    alpha, beta = iter(alphas or ()), iter(betas or ())
    made: list[Callable[[Any], Any]] = []
    for name in (each.lower() for each in names):
        if name not in _ACTIVATIONS:
            raise NotImplementedError(f"emberjit knows no activation '{name}'")
        a = next(alpha, None) if name in _TAKE_ALPHA else None
        b = next(beta, None) if name in _TAKE_BETA else None
        made.append(_clipped(_ACTIVATIONS[name], a, b, clip))
    return made


def _clipped(function: Any, a: Any, b: Any, clip: float | None) -> Callable[[Any], Any]:
    return lambda x: function(x if clip is None else mint.clamp(x, -clip, clip), a, b)


def _run(step: Step, x: Any, state: tuple[Any, ...], lengths: Any, backward: bool) -> tuple[Any, tuple[Any, ...]]:
    """What the steps give, by time, and the last state; a sequence that is over keeps its own and gives zeros."""
    made: list[Any] = []
    length = x.shape[0]
    for t in reversed(range(length)) if backward else range(length):
        new = step(x[t], *state)
        if lengths is not None:
            lives = (lengths > t).reshape((-1, 1))
            made.append(mint.where(lives, new[0], mint.zeros_like(new[0])))
            new = tuple(mint.where(lives, a, b) for a, b in zip(new, state))
        else:
            made.append(new[0])
        state = new
    if not made:
        return mint.zeros((0, *state[0].shape), dtype=x.dtype), state
    return mint.stack(made[::-1] if backward else made, 0), state


def _rnn_cell(w: Any, r: Any, biases: Any, _peepholes: Any, functions: Any, _variant: int) -> Step:
    both = biases[0] + biases[1]
    return lambda x, h: (functions[0](mint.matmul(x, mint.t(w)) + mint.matmul(h, mint.t(r)) + both),)


def _gru_cell(w: Any, r: Any, biases: Any, _peepholes: Any, functions: Any, after: int) -> Step:
    size = r.shape[-1]
    (w_gates, w_new), (r_gates, r_new) = (mint.split(each, [2 * size, size], 0) for each in (w, r))
    (b_gates, b_new), (c_gates, c_new) = (mint.split(each, [2 * size, size], 0) for each in biases)

    def step(x: Any, h: Any) -> tuple[Any, ...]:
        gates = functions[0](mint.matmul(x, mint.t(w_gates)) + mint.matmul(h, mint.t(r_gates)) + b_gates + c_gates)
        update, reset = mint.chunk(gates, 2, 1)
        seen = mint.matmul(h if after else reset * h, mint.t(r_new)) + c_new
        new = functions[1](mint.matmul(x, mint.t(w_new)) + b_new + (reset * seen if after else seen))
        return ((1 - update) * new + update * h,)

    return step


def _lstm_cell(w: Any, r: Any, biases: Any, peepholes: Any, functions: Any, couples: int) -> Step:
    both = biases[0] + biases[1]
    zero = mint.zeros((3 * r.shape[-1],), dtype=r.dtype)
    into, out, keep = mint.chunk(zero if peepholes is None else peepholes, 3, 0)

    def step(x: Any, h: Any, c: Any) -> tuple[Any, ...]:
        i, o, f, new = mint.chunk(mint.matmul(x, mint.t(w)) + mint.matmul(h, mint.t(r)) + both, 4, 1)
        i = functions[0](i + into * c)
        f = 1 - i if couples else functions[0](f + keep * c)
        c = f * c + i * functions[1](new)
        return functions[0](o + out * c) * functions[2](c), c

    return step


def _layer(name: str, cell: Callable[..., Step], gates: int, states: int, defaults: tuple[str, ...]) -> None:
    """Enters an op.

    Args:
        cell: makes one direction's step of its weights, biases, peepholes, activations and variant.
        gates: how many rows of weights a unit has.
        states: how many are carried from step to step.
        defaults: activations of a direction.
    """

    @op(name)
    def layer(
        x: Any,
        w: Any,
        r: Any,
        bias: Any = None,
        lengths: Any = None,
        *more: Any,
        activation_alpha: Any = None,
        activation_beta: Any = None,
        activations: Any = None,
        clip: float | None = None,
        direction: str = "forward",
        hidden_size: int | None = None,
        input_forget: int = 0,
        layout: int = 0,
        linear_before_reset: int = 0,
        outputs: int,
    ) -> Any:
        *initial, peepholes = (*more, None, None, None)[: states + 1]
        if layout:
            x, initial = mint.transpose(x, 0, 1), [None if h is None else mint.transpose(h, 0, 1) for h in initial]
        count = 2 if direction == "bidirectional" else 1
        if w.shape[0] != count:
            raise ValueError(f"the weights are of {w.shape[0]} directions, but 'direction' is '{direction}'")
        functions = _activations(activations or defaults * count, activation_alpha, activation_beta, clip)
        hidden, rows, last = hidden_size or r.shape[-1], [], []
        for d in range(count):
            own = functions[d * len(defaults) : (d + 1) * len(defaults)]
            biases = mint.zeros((2 * gates * hidden,), dtype=x.dtype) if bias is None else bias[d]
            zero = mint.zeros((x.shape[1], hidden), dtype=x.dtype)
            state = tuple(zero if h is None else h[d] for h in initial)
            places = None if peepholes is None else peepholes[d]
            step = cell(w[d], r[d], mint.chunk(biases, 2, 0), places, own, input_forget or linear_before_reset)
            row, end = _run(step, x, state, lengths, direction == "reverse" or d == 1)
            rows.append(row)
            last.append(end)
        all_rows, ends = mint.stack(rows, 1), [mint.stack(each, 0) for each in zip(*last)]
        if layout:
            all_rows, ends = mint.permute(all_rows, (2, 0, 1, 3)), [mint.transpose(h, 0, 1) for h in ends]
        return (all_rows, *ends)[:outputs]


_layer("RNN", _rnn_cell, 1, 1, ("Tanh",))
_layer("GRU", _gru_cell, 3, 1, ("Sigmoid", "Tanh"))
_layer("LSTM", _lstm_cell, 4, 2, ("Sigmoid", "Tanh", "Tanh"))
