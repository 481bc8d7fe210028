"""ONNX's RNN, GRU and LSTM. A direction that a layer op of the op table computes is that op, and its graph is for sequences
of any length; another (of other activations, with peepholes, clipped, ...) is a loop over time that is written out.

A node is two: one that divides the weights among the directions, which is done when the file is loaded if they are
constants, and the layer. Gates are in the order of the op table from then on: input, forget, new, output of an LSTM; reset,
update, new of a GRU."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import mint
from emberjit._emberjit import Tensor
from emberjit.functions.layers.recurrent import over_time
from emberjit.mint.nn import functional as F
from emberjit.onnx import elementwise, messages
from emberjit.onnx.table import PARTS, Input, Value, op

Step = Callable[..., tuple[Any, ...]]
Activation = Callable[[Any], Any]
Floats = Sequence[float] | None
_OWN = "emberjit.weights"  # the domain of nodes that divide weights
_LAYERS = {  # by a node's op, its activations, and whether its variant is meant (reset after the product, coupled gates)
    ("RNN", ("tanh",), False): "rnn_tanh_layer",
    ("RNN", ("relu",), False): "rnn_relu_layer",
    ("GRU", ("sigmoid", "tanh"), True): "gru_layer",
    ("LSTM", ("sigmoid", "tanh", "tanh"), False): "lstm_layer",
}
_BACKWARD = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
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


def _activations(names: list[str], alphas: Floats, betas: Floats, clip: float | None) -> list[Activation]:
    """Functions by name, in lower case, each with the next of the numbers if it takes any."""
    alpha, beta = iter(alphas or ()), iter(betas or ())
    functions: list[Activation] = []
    for name in names:
        if name not in _ACTIVATIONS:
            raise NotImplementedError(f"emberjit knows no activation '{name}'")
        a = next(alpha, None) if name in _TAKE_ALPHA else None
        b = next(beta, None) if name in _TAKE_BETA else None
        functions.append(_clipped(_ACTIVATIONS[name], a, b, clip))
    return functions


def _clipped(function: Callable[..., Any], a: float | None, b: float | None, clip: float | None) -> Activation:
    return lambda x: function(x if clip is None else mint.clamp(x, -clip, clip), a, b)


def _run(step: Step, x: Tensor, state: tuple[Any, ...], lengths: Input, backward: bool) -> tuple[Any, tuple[Any, ...]]:
    """The outputs of the steps by time, and the last state; beyond a sequence's length its state stays and outputs are 0."""
    outputs: list[Any] = []
    length = x.shape[0]
    for t in reversed(range(length)) if backward else range(length):
        new = step(x[t], *state)
        if lengths is not None:
            lives = (lengths > t).reshape((-1, 1))
            outputs.append(mint.where(lives, new[0], mint.zeros_like(new[0])))
            new = tuple(mint.where(lives, a, b) for a, b in zip(new, state))
        else:
            outputs.append(new[0])
        state = new
    if not outputs:
        return mint.zeros((0, *state[0].shape), dtype=x.dtype), state
    return mint.stack(outputs[::-1] if backward else outputs, 0), state


def _at_once(
    layer: str, x: Tensor, state: tuple[Any, ...], weights: Sequence[Any], lengths: Input, backward: bool
) -> tuple[Any, tuple[Any, ...]]:
    """The results of _run, computed by a layer op."""
    sequences = over_time(layer, x, state, (*weights, None, None)[:4], backward, lengths)
    rows = sequences[0]
    if lengths is not None:
        lives = mint.arange(x.shape[0], dtype=lengths.dtype).reshape((-1, 1)) < lengths
        rows = mint.where(mint.unsqueeze(lives, 2), rows, mint.zeros_like(rows))
    return rows, tuple(mint.select(sequence, 0, 0 if backward else -1) for sequence in sequences)


def _rnn_cell(
    w: Tensor, r: Tensor, biases: Sequence[Tensor], _peepholes: Input, functions: list[Activation], _variant: bool
) -> Step:
    both = biases[0] + biases[1]
    return lambda x, h: (functions[0](mint.matmul(x, mint.t(w)) + mint.matmul(h, mint.t(r)) + both),)


def _gru_cell(
    w: Tensor, r: Tensor, biases: Sequence[Tensor], _peepholes: Input, functions: list[Activation], after: bool
) -> Step:
    size = r.shape[-1]
    (w_gates, w_new), (r_gates, r_new) = (mint.split(tensor, [2 * size, size], 0) for tensor in (w, r))
    (b_gates, b_new), (c_gates, c_new) = (mint.split(tensor, [2 * size, size], 0) for tensor in biases)

    def step(x: Tensor, h: Tensor) -> tuple[Any, ...]:
        gates = functions[0](mint.matmul(x, mint.t(w_gates)) + mint.matmul(h, mint.t(r_gates)) + b_gates + c_gates)
        reset, update = mint.chunk(gates, 2, 1)
        hidden = mint.matmul(h if after else reset * h, mint.t(r_new)) + c_new
        new = functions[1](mint.matmul(x, mint.t(w_new)) + b_new + (reset * hidden if after else hidden))
        return ((1 - update) * new + update * h,)

    return step


def _lstm_cell(
    w: Tensor, r: Tensor, biases: Sequence[Tensor], peepholes: Input, functions: list[Activation], couples: bool
) -> Step:
    both = biases[0] + biases[1]
    zero = mint.zeros((3 * r.shape[-1],), dtype=r.dtype)
    into, out, keep = mint.chunk(zero if peepholes is None else peepholes, 3, 0)

    def step(x: Tensor, h: Tensor, c: Tensor) -> tuple[Any, ...]:
        i, f, new, o = mint.chunk(mint.matmul(x, mint.t(w)) + mint.matmul(h, mint.t(r)) + both, 4, 1)
        i = functions[0](i + into * c)
        f = 1 - i if couples else functions[0](f + keep * c)
        c = f * c + i * functions[1](new)
        return functions[0](o + out * c) * functions[2](c), c

    return step


_numbers = itertools.count()


def _parts(node: messages.Node) -> list[messages.Node]:
    """The node that divides a layer's weights, and the layer, which reads what that makes."""
    x, *weights = (*node.input, "", "", "", "")[:4]
    if "" in weights[:2]:
        raise ValueError(f"its input {1 + weights.index('')} is absent")
    name = f"{node.op_type}.weights.{next(_numbers)}"
    layer = dataclasses.replace(node, input=[x, name, *node.input[4:]])
    return [messages.Node(weights, [name], node.name, node.op_type, domain=_OWN), layer]


def _enter_weights(name: str, gates: Sequence[int]) -> None:
    """Enters the op that divides weights: of each direction those of inputs and of states, and the biases of both if there
    are any. gates: by their places in the op table's order, those in ONNX's."""

    @op(name, domain=_OWN)
    def divided(w: Tensor, r: Tensor, bias: Input = None) -> Any:
        count, units = w.shape[0], r.shape[-1]
        wide = len(gates) * units
        arguments = {"W": (w, (count, wide, w.shape[-1])), "R": (r, (count, wide, units)), "B": (bias, (count, 2 * wide))}
        for argument, (value, shape) in arguments.items():
            if value is not None and tuple(value.shape) != shape:
                raise ValueError(f"'{argument}' must be of shape {shape}, but is of {tuple(value.shape)}")

        def ordered(x: Tensor) -> Any:
            parts = mint.split(x, units, 0)
            return mint.cat([parts[gate] for gate in gates], 0)

        biases = [[] if bias is None else mint.split(bias[d], wide, 0) for d in range(count)]
        return [[ordered(tensor) for tensor in (w[d], r[d], *biases[d])] for d in range(count)]


@dataclasses.dataclass
class _Direction:
    """What computes a direction: a layer op of the op table, or None; activations; whether it begins with the last step."""

    layer: str | None
    functions: list[Activation]
    backward: bool


def _directions(
    name: str,
    direction: str,
    activations: Sequence[str] | None,
    defaults: tuple[str, ...],
    numbers: tuple[Floats, Floats],
    clip: float | None,
    variant: bool,
) -> list[_Direction]:
    """Those of a node, if it has no peepholes. numbers: the alphas and betas of activations."""
    if direction not in _BACKWARD:
        raise ValueError(f"'direction' must be one of {', '.join(_BACKWARD)}, but is '{direction}'")
    backward, count = _BACKWARD[direction], len(defaults)
    names = [name.lower() for name in activations or defaults * len(backward)]
    if len(names) != count * len(backward):
        raise ValueError(f"'activations' must be {count * len(backward)}, but are {len(names)}")
    functions, directions = _activations(names, *numbers, clip), []
    for d, back in enumerate(backward):
        some = slice(d * count, (d + 1) * count)
        layer = _LAYERS.get((name, tuple(names[some]), variant)) if clip is None else None
        directions.append(_Direction(layer, functions[some], back))
    return directions


def _enter(name: str, cell: Callable[..., Step], gates: Sequence[int], states: int, defaults: tuple[str, ...]) -> None:
    """Enters an op.

    Args:
        cell: makes one direction's step of its weights, biases, peepholes, activations and variant.
        gates: of a unit, as _enter_weights has them.
        states: how many are carried from step to step.
        defaults: activations of a direction.
    """
    _enter_weights(name, gates)
    PARTS["", name] = _parts

    @op(name)
    def layer(
        x: Tensor,
        weights: Value,
        lengths: Input = None,
        *more: Tensor,
        activation_alpha: Floats = None,
        activation_beta: Floats = None,
        activations: Sequence[str] | None = None,
        clip: float | None = None,
        direction: str = "forward",
        hidden_size: int | None = None,
        input_forget: int = 0,
        layout: int = 0,
        linear_before_reset: int = 0,
        outputs: int,
    ) -> Any:
        *initial, peepholes = (*more, None, None, None)[: states + 1]
        numbers, variant = (activation_alpha, activation_beta), bool(input_forget or linear_before_reset)
        plan, units = _directions(name, direction, activations, defaults, numbers, clip, variant), weights[0][1].shape[-1]
        if len(weights) != len(plan) or hidden_size not in (None, units):
            raise ValueError(
                f"the weights are of {len(weights)} directions and {units} units, but 'direction' is '{direction}' and "
                f"'hidden_size' {hidden_size}"
            )
        if layout:
            x, initial = mint.transpose(x, 0, 1), [None if h is None else mint.transpose(h, 0, 1) for h in initial]
        zero, results = mint.zeros((x.shape[1], units), dtype=x.dtype), []
        for d, (own, of) in enumerate(zip(weights, plan)):
            state = tuple(zero if h is None else h[d] for h in initial)
            if of.layer is not None and peepholes is None and x.shape[0] != 0:
                results.append(_at_once(of.layer, x, state, own, lengths, of.backward))
                continue
            biases = own[2:] or [mint.zeros_like(own[0][:, 0])] * 2
            step = cell(*own[:2], biases, None if peepholes is None else peepholes[d], of.functions, variant)
            results.append(_run(step, x, state, lengths, of.backward))
        rows = mint.stack([row for row, _ in results], 1)
        ends = [mint.stack(parts, 0) for parts in zip(*(end for _, end in results))]
        if layout:
            rows, ends = mint.permute(rows, (2, 0, 1, 3)), [mint.transpose(h, 0, 1) for h in ends]
        return (rows, *ends)[:outputs]


_enter("RNN", _rnn_cell, (0,), 1, ("tanh",))
_enter("GRU", _gru_cell, (1, 0, 2), 1, ("sigmoid", "tanh"))
_enter("LSTM", _lstm_cell, (0, 2, 3, 1), 2, ("sigmoid", "tanh", "tanh"))
