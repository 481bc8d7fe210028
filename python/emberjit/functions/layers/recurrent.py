"""Recurrent layers over whole sequences (T, N, size)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_rank, check_shape, check_within
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def parts(x: Tensor, count: int) -> tuple[Any, ...]:
    """x in equal parts along the last axis."""
    size = x.shape[-1] // count
    return tuple(_ops.split(x, size, x.ndim - 1))


def _lstm_states(gates: Tensor, c: Tensor) -> tuple[Any, Any]:
    """(the state, the cell) after a step, from those of its gates, input, forget, cell and output, and the cell before."""
    i, f, g, o = parts(gates, 4)
    c = _ops.sigmoid(f) * c + _ops.sigmoid(i) * _ops.tanh(g)
    return _ops.sigmoid(o) * _ops.tanh(c), c


def over_time(
    layer: str, x: Tensor, states: tuple[Any, ...], weights: Sequence[Any], reverse: bool, lengths: Tensor | None
) -> tuple[Any, ...]:
    """The states after each step (T, N, H), one for each of `states`; weights and biases are those of x and of states."""
    with core.Precision(None):  # a layer is one operation
        gates = _ops.dense(x, weights[0], weights[2])
        outputs = core.op_table[layer](gates, weights[1], *states, weights[3], lengths, reverse)
    return outputs[: len(states)] if isinstance(outputs, tuple) else (outputs,)


def over_layers(
    layer: str,
    x: Tensor,
    first: tuple[Any, ...],
    weights: Sequence[Sequence[Any]],
    directions: int,
    lengths: Tensor | None,
    dropout: float,
) -> tuple[Any, tuple[Any, ...]]:
    """(results (T, N, directions * H), the last states, one for each of `first`) of layers, each over the results of the one
    before. weights: of each layer and direction; dropout: how probably an element between layers is dropped."""
    within = None
    if lengths is not None:
        steps = _ops.arange(0, x.shape[0], 1, lengths.dtype)
        within = _ops.expand_dims(_ops.less(_ops.expand_dims(steps, 1), lengths), 2)
    last: list[tuple[Any, ...]] = []
    for begin in range(0, len(weights), directions):
        if begin and dropout:
            x = _ops.dropout(x, dropout)
        results = []
        for row in range(begin, begin + directions):
            states = tuple(_ops.select_at(state, row, 0) for state in first)
            reverse = row % directions == 1
            outputs = over_time(layer, x, states, weights[row], reverse, lengths)
            results.append(outputs[0] if within is None else _ops.select(within, outputs[0], 0))
            last.append(tuple(_ops.select_at(state, 0 if reverse else x.shape[0] - 1, 0) for state in outputs))
        x = results[0] if directions == 1 else _ops.concat(results, 2)
    return x, tuple(_ops.stack(list(column)) for column in zip(*last))


def _check_shapes(name: str, operands: Mapping[str, tuple[Any, tuple[Any, ...]]]) -> None:
    """Raises:
    ValueError: a Tensor is not of the shape that stands with it.
    """
    for argument, (value, expected) in operands.items():
        check_shape(name, argument, value, expected)


def _check_steps(name: str, argument: str, x: Tensor) -> None:
    """Raises:
    ValueError: x is not of shape (T, N, size), or T is 0.
    """
    check_rank(name, argument, x, 3)
    if x.shape[0] == 0:
        raise ValueError(f"For '{name}', '{argument}' must have steps, but its shape is {tuple(x.shape)}.")


def _only(name: str, **options: tuple[Any, Any]) -> None:
    for argument, (value, expected) in options.items():
        check_choice(name, argument, value, expected)


def _only_defaults(
    name: str, direction: str, cell_depth: int, keep_prob: float, num_proj: int, time_major: bool, activation: str
) -> None:
    _only(name, direction=(direction, "UNIDIRECTIONAL"), cell_depth=(cell_depth, 1), keep_prob=(keep_prob, 1.0))
    _only(name, num_proj=(num_proj, 0), time_major=(time_major, True), activation=(activation, "tanh"))


def _lstm_layer(x: Tensor, h: Tensor, c: Tensor, weights: tuple[Any, Any, Any, Any], reverse: bool) -> tuple[Any, Any, Any]:
    """(what each step gives (T, N, R), the last of it, the last cell): gates in the order input, forget, cell, output."""
    inputs, hidden, bias, projection = weights
    gates = _ops.matmul(x, _ops.swapaxes(inputs, 0, 1))
    gates = gates if bias is None else gates + bias
    count = x.shape[0]
    if projection is None:
        states, cells, _ = _ops.lstm_layer(gates, hidden, h, c, None, None, reverse)
        last = 0 if reverse else count - 1
        return states, _ops.select_at(states, last, 0), _ops.select_at(cells, last, 0)
    hidden, projection, outputs = _ops.swapaxes(hidden, 0, 1), _ops.swapaxes(projection, 0, 1), []
    for t in range(count)[:: -1 if reverse else 1]:
        h, c = _lstm_states(_ops.select_at(gates, t, 0) + _ops.matmul(h, hidden), c)
        h = _ops.matmul(h, projection)
        outputs.append(h)
    return _ops.stack(outputs[::-1] if reverse else outputs), h, c


def _part(flat: Tensor, at: int, shape: tuple[int, ...]) -> tuple[Any, int]:
    """The elements of flat from a position on, in a shape, and the position behind them."""
    size = math.prod(shape)
    return flat[at : at + size].reshape(shape), at + size


def _weights(name: str, w: Tensor, kinds: list[list[tuple[int, ...]]], directions: int) -> list[list[Any]]:
    """The parts of w, which lie one kind after the other, in each those of layers, of these shapes, in both directions."""
    total = directions * sum(math.prod(shape) for kind in kinds for shape in kind)
    if w.size != total:
        raise ValueError(f"For '{name}', 'w' must have {total} elements, but its shape is {tuple(w.shape)}.")
    flat, at = _ops.reshape(w, (total,)), 0
    result: list[list[Any]] = []
    for kind in kinds:
        result.append([])
        for shape in (shape for shape in kind for _ in range(directions)):
            part, at = _part(flat, at, shape)
            result[-1].append(part)
    return result


def _lstm_weights(
    w: Tensor, input_size: int, hidden_size: int, layers: int, directions: int, has_bias: bool, proj_size: int
) -> list[tuple[Any, Any, Any, Any]]:
    """Of each layer and direction the weights of the input, the state, the bias and the projection."""
    state = proj_size or hidden_size
    gates = 4 * hidden_size
    kinds: list[list[tuple[int, ...]]] = [
        [(gates, input_size if layer == 0 else state * directions) for layer in range(layers)],
        [(gates, state)] * layers,
        [(proj_size, hidden_size)] * layers if proj_size else [],
        [(gates,)] * layers if has_bias else [],
    ]
    inputs, states, projections, biases = _weights("LSTM", w, kinds, directions)
    nothing = [None] * (layers * directions)
    return list(zip(inputs, states, biases or nothing, projections or nothing))


def _check_lstm(x: Tensor, h: Tensor, c: Tensor, sizes: tuple[int, int, int, int], directions: int, dropout: float) -> None:
    name = "LSTM"
    for argument, value, least in zip(("input_size", "hidden_size", "num_layers", "proj_size"), sizes, (1, 1, 1, 0)):
        ints_of(name, argument, value, 1, least)
    input_size, hidden_size, num_layers, proj_size = sizes
    if not 0 <= dropout < 1 or proj_size >= hidden_size:
        raise ValueError(
            f"For '{name}', 'dropout' must be in [0, 1) and 'proj_size' below {hidden_size}, but are {dropout}, {proj_size}."
        )
    _check_steps(name, "input", x)
    count, n, _ = x.shape
    rows, size = num_layers * directions, proj_size or hidden_size
    _check_shapes(name, {"input": (x, (count, n, input_size)), "h": (h, (rows, n, size)), "c": (c, (rows, n, hidden_size))})


@publish(
    """ops.LSTM(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size)(x as input, h, c, w)""",
    numpy="sequences.lstm(x, h, c, w, input_size, hidden_size, num_layers, has_bias, bidirectional, proj_size)",
    samples="""f64(3, 2, 4), f64(1, 2, 3), f64(1, 2, 3), f64(96, 1, 1), 4, 3, 1, True, False, 0.0; f64(2, 1, 3),
    f64(4, 1, 2), f64(4, 1, 2), f64(176), 3, 2, 2, False, True, 0.0; f64(2, 2, 3), f64(1, 2, 2), f64(1, 2, 4),
    f64(104, 1, 1), 3, 4, 1, True, False, 0.0, 2""",
)
def lstm(
    x: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    input_size: int,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    dropout: float,
    proj_size: int = 0,
) -> Any:
    """(results (T, N, directions * R), last states h, last cells c, nothing, nothing): long short-term memory.

    R is proj_size, or else hidden_size. What MindSpore keeps for gradients has no elements here (0, 1), for both.

    Method: S. Hochreiter and J. Schmidhuber, Long short-term memory (1997), with forget gates (Gers et al. 2000).

    Args:
        x: the sequences (T, N, input_size).
        h, c: states (layers * directions, N, R) and cells (layers * directions, N, hidden_size) before the first step.
        w: all weights, flat: those of inputs of all layers and directions, those of states, of projections, biases; each
            has gates in the order input, forget, cell, output.
        has_bias: whether there are biases, one for each gate.
        bidirectional: whether each layer runs from the end as well.
        dropout: how probably each element between layers is dropped.
        proj_size: how many numbers states are projected to; 0 for no projection.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or a shape does not fit.
    """
    directions = 2 if bidirectional else 1
    _check_lstm(x, h, c, (input_size, hidden_size, num_layers, proj_size), directions, dropout)
    weights = _lstm_weights(w, input_size, hidden_size, num_layers, directions, has_bias, proj_size)
    states, cells = [], []
    for layer in range(num_layers):
        if layer and dropout:
            x = _ops.dropout(x, dropout, True)
        results = []
        for row in range(layer * directions, (layer + 1) * directions):
            first = _ops.select_at(h, row, 0), _ops.select_at(c, row, 0)
            result, state, cell = _lstm_layer(x, *first, weights[row], row % directions == 1)
            results.append(result)
            states.append(state)
            cells.append(cell)
        x = results[0] if directions == 1 else _ops.concat(results, 2)
    nothing = _ops.zeros((0, 1), x.dtype)
    return x, _ops.stack(states), _ops.stack(cells), nothing, nothing


def _check_gru(
    x: Tensor, h: Tensor, lengths: Tensor | None, sizes: tuple[int, int, int], directions: int, dropout: float
) -> None:
    name = "GRUV2"
    for argument, value in zip(("input_size", "hidden_size", "num_layers"), sizes):
        ints_of(name, argument, value, 1, 1)
    input_size, hidden_size, num_layers = sizes
    check_within(name, "dropout", dropout, 0, below=1)
    _check_steps(name, "input", x)
    count, n, _ = x.shape
    states = (num_layers * directions, n, hidden_size)
    _check_shapes(name, {"input": (x, (count, n, input_size)), "h": (h, states), "seq_lengths": (lengths, (n,))})


@publish(
    """ops.GRUV2(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, is_train)(x as input, h, w,
    seq_lengths)""",
    numpy="sequences.gru(x, h, w, seq_lengths, input_size, hidden_size, num_layers, has_bias, bidirectional)",
    samples="""f64(3, 2, 4), f64(1, 2, 3), f64(81, 1, 1), i64(2) % 3 + 1, 4, 3, 1, True, False, 0.0; f64(3, 2, 3),
    f64(4, 2, 2), f64(132), i32(2) % 3 + 1, 3, 2, 2, False, True, 0.0, False""",
)
def gru(
    x: Tensor,
    h: Tensor,
    w: Tensor,
    seq_lengths: Tensor,
    input_size: int,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    dropout: float,
    is_train: bool = True,
) -> Any:
    """(results (T, N, directions * hidden_size), last states h, nothing, nothing): gated recurrent units, as nn.GRU.

    What MindSpore keeps for gradients has no elements here (0, 1).

    Method: K. Cho et al., Learning phrase representations using RNN encoder-decoder for statistical machine translation
    (2014), the state reset after its product with the weights.

    Args:
        x: the sequences (T, N, input_size).
        h: the states (layers * directions, N, hidden_size) before the first step.
        w: all weights, flat: those of inputs of all layers and directions, those of states, biases of inputs, of states;
            each has gates in the order reset, update, new state.
        seq_lengths: how long each sequence is (N,), int32 or int64; results beyond are 0.
        has_bias: whether there are biases.
        bidirectional: whether each layer runs from the end as well.
        dropout: how probably each element between layers is dropped while training.
        is_train: whether it trains.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or a shape does not fit.
    """
    directions, wide = 2 if bidirectional else 1, 3 * hidden_size
    _check_gru(x, h, seq_lengths, (input_size, hidden_size, num_layers), directions, dropout)
    biases: list[tuple[int, ...]] = [(wide,)] * num_layers if has_bias else []
    kinds: list[list[tuple[int, ...]]] = [
        [(wide, hidden_size * directions if layer else input_size) for layer in range(num_layers)],
        [(wide, hidden_size)] * num_layers,
        biases,
        biases,
    ]
    weights = zip(*(part or [None] * h.shape[0] for part in _weights("GRUV2", w, kinds, directions)))
    x, last = over_layers("gru_layer", x, (h,), list(weights), directions, seq_lengths, dropout if is_train else 0.0)
    nothing = _ops.zeros((0, 1), x.dtype)
    return x, *last, nothing, nothing


@publish(
    """ops.DynamicRNN(cell_type, direction, cell_depth, use_peephole, keep_prob, cell_clip, num_proj, time_major, activation,
    forget_bias, is_training)(x, w, b, seq_length, init_h, init_c)""",
    numpy="sequences.dynamic_rnn(x, w, b, init_h, init_c, forget_bias, cell_clip)",
    samples="""f64(3, 2, 4), f64(7, 12), f64(12), None, f64(1, 2, 3), f64(1, 2, 3); f64(2, 1, 2), f64(4, 8), f64(8), None,
    f64(1, 1, 2), f64(1, 1, 2), 'LSTM', 'UNIDIRECTIONAL', 1, False, 1.0, 0.5, 0, True, 'tanh', 1.0; f32(2, 1, 2), f32(4, 8),
    f32(8)""",
)
def dynamic_rnn(
    x: Tensor,
    w: Tensor,
    b: Tensor,
    seq_length: Any = None,
    init_h: Tensor | None = None,
    init_c: Tensor | None = None,
    cell_type: str = "LSTM",
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    use_peephole: bool = False,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    forget_bias: float = 0.0,
    is_training: bool = True,
) -> Any:
    """(results, states, cells, input gates, new cells, forget gates, output gates, tanh of cells), all (T, N, H): long
    short-term memory, step by step.

    Args:
        x: the sequences (T, N, I).
        w, b: weights (I + H, 4 H) of inputs and states, and biases (4 H), of the gates input, cell, forget, output.
        seq_length: None.
        init_h, init_c: states and cells before the first step (1, N, H), by default zeros.
        cell_clip: cells are clipped to between -cell_clip and cell_clip, if it is positive.
        forget_bias: what is added to forget gates before the sigmoid.
        cell_type, direction, cell_depth, use_peephole, keep_prob, num_proj, time_major, activation: only their defaults
            are supported.
        is_training: no matter.

    Raises:
        ValueError: a shape does not fit, or an argument is another than is supported.
    """
    name = "DynamicRNN"
    _only(name, cell_type=(cell_type, "LSTM"), use_peephole=(use_peephole, False), seq_length=(seq_length, None))
    _only_defaults(name, direction, cell_depth, keep_prob, num_proj, time_major, activation)
    _check_steps(name, "x", x)
    check_rank(name, "w", w, 2)
    count, n, size = x.shape
    units = w.shape[1] // 4
    state = (1, n, units)
    _check_shapes(name, {"w": (w, (size + units, 4 * units)), "b": (b, (4 * units,))})
    _check_shapes(name, {"init_h": (init_h, state), "init_c": (init_c, state)})
    h, c = (_ops.zeros(state[1:], x.dtype) if s is None else _ops.select_at(s, 0, 0) for s in (init_h, init_c))
    gates = _ops.matmul(x, w[:size]) + b
    rows: list[tuple[Any, ...]] = []
    for t in range(count):
        i, j, f, o = parts(_ops.select_at(gates, t, 0) + _ops.matmul(h, w[size:]), 4)
        i, f, o = (_ops.sigmoid(gate) for gate in (i, f + forget_bias, o))
        j = _ops.tanh(j)
        c = f * c + i * j
        c = _ops.clip(c, -cell_clip, cell_clip) if cell_clip > 0 else c
        tanh_c = _ops.tanh(c)
        h = o * tanh_c
        rows.append((h, h, c, i, j, f, o, tanh_c))
    return tuple(_ops.stack(list(column)) for column in zip(*rows))


def _gru_steps(
    inputs: Tensor, h: Tensor, weight: Tensor, bias: Tensor | None, reset_first: bool, reset_after: bool
) -> tuple[Any, ...]:
    units = h.shape[1]
    rows: list[tuple[Any, ...]] = []
    for t in range(inputs.shape[0]):
        *pair, new = parts(_ops.select_at(inputs, t, 0), 3)
        *state_pair, part = parts(_ops.matmul(h, weight) + (0.0 if bias is None else bias), 3)
        gates = [_ops.sigmoid(a + b) for a, b in zip(pair, state_pair)]
        reset, update = gates if reset_first else gates[::-1]
        if not reset_after:
            part = _ops.matmul(reset * h, weight[:, 2 * units :])
            part = part if bias is None else part + bias[2 * units :]
        new = _ops.tanh(new + (reset * part if reset_after else part))
        h = (1 - update) * new + update * h
        rows.append((h, h, update, reset, new, part))
    return tuple(_ops.stack(list(column)) for column in zip(*rows))


@publish(
    """ops.DynamicGRUV2(direction, cell_depth, keep_prob, cell_clip, num_proj, time_major, activation, gate_order,
    reset_after,
    is_training)(x, weight_input, weight_hidden, bias_input, bias_hidden, seq_length, init_h)""",
    numpy="sequences.dynamic_gru(x, weight_input, weight_hidden, bias_input, bias_hidden, init_h, gate_order, reset_after)",
    samples="""f64(3, 2, 4), f64(4, 9), f64(3, 9), f64(9), f64(9), None, f64(2, 3); f64(2, 1, 2), f64(2, 6), f64(2, 6),
    None, None, None, f64(1, 2), 'UNIDIRECTIONAL', 1, 1.0, -1.0, 0, True, 'tanh', 'zrh', False; f32(2, 1, 2), f32(2, 6),
    f32(2, 6)""",
)
def dynamic_gru(
    x: Tensor,
    weight_input: Tensor,
    weight_hidden: Tensor,
    bias_input: Tensor | None = None,
    bias_hidden: Tensor | None = None,
    seq_length: Any = None,
    init_h: Tensor | None = None,
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    gate_order: str = "rzh",
    reset_after: bool = True,
    is_training: bool = True,
) -> Any:
    """(results, states, update gates, reset gates, new states, the states' part of those), all (T, N, H): gated recurrent
    units, step by step.

    Method: K. Cho et al., Learning phrase representations using RNN encoder-decoder (2014).

    Args:
        x: the sequences (T, N, I).
        weight_input, weight_hidden: weights (I, 3 H) of inputs and (H, 3 H) of states.
        bias_input, bias_hidden: biases (3 H) of both, by default none.
        seq_length: None.
        init_h: states before the first step (N, H), by default zeros.
        gate_order: of weights and biases: "rzh", reset, update, new state, or "zrh".
        reset_after: whether the reset gate takes from states after the product with their weights, or before.
        direction, cell_depth, keep_prob, cell_clip, num_proj, time_major, activation: only their defaults are supported.
        is_training: no matter.

    Raises:
        ValueError: a shape does not fit, or an argument is another than is supported.
    """
    name = "DynamicGRUV2"
    _only(name, cell_clip=(cell_clip, -1.0), seq_length=(seq_length, None))
    _only_defaults(name, direction, cell_depth, keep_prob, num_proj, time_major, activation)
    check_choice(name, "gate_order", gate_order, "rzh", "zrh")
    _check_steps(name, "x", x)
    check_rank(name, "weight_hidden", weight_hidden, 2)
    _, n, size = x.shape
    units = weight_hidden.shape[0]
    wide = 3 * units
    _check_shapes(name, {"weight_input": (weight_input, (size, wide)), "weight_hidden": (weight_hidden, (units, wide))})
    _check_shapes(name, {"bias_input": (bias_input, (wide,)), "bias_hidden": (bias_hidden, (wide,))})
    _check_shapes(name, {"init_h": (init_h, (n, units))})
    h = _ops.zeros((n, units), x.dtype) if init_h is None else init_h
    inputs = _ops.matmul(x, weight_input)
    inputs = inputs if bias_input is None else inputs + bias_input
    return _gru_steps(inputs, h, weight_hidden, bias_hidden, gate_order == "rzh", reset_after)
