"""Recurrent layers over sequences, and their cells: RNN, LSTM and GRU, by the layer ops of the op table. A cell is a layer
of one step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit.checks import check_bool, check_choice, check_int, check_rank
from emberjit.functions.layers.recurrent import over_layers, over_time
from emberjit.initializer import Uniform, initializer
from emberjit.nn.cell import Cell
from emberjit.tensors.parameter import ParameterTuple

_ops = core.ops


def _check_flags(name: str, **flags: Any) -> None:
    for argument, value in flags.items():
        check_bool(name, argument, value)


class _Recurrent(Cell):
    """What RNN, LSTM and GRU share. A class says which op its layers are, and how many gates and states they have."""

    layer = ""
    gates = 1
    states = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Any = types.float32,
    ):
        super().__init__()
        name = type(self).__name__
        sizes = ("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)
        self.input_size, self.hidden_size, self.num_layers = (check_int(name, *size, 1) for size in sizes)
        _check_flags(name, has_bias=has_bias, batch_first=batch_first, bidirectional=bidirectional)
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout < 1:
            raise ValueError(f"For '{name}', 'dropout' must be a number of [0, 1), but got {dropout!r}.")
        self.has_bias, self.batch_first, self.dropout, self.bidirectional = has_bias, batch_first, dropout, bidirectional
        self.directions = 2 if bidirectional else 1
        wide, inner = self.gates * hidden_size, hidden_size * self.directions
        of_inputs = [(wide, inner if layer else input_size) for layer in range(num_layers)]
        self.w_ih_list = self._parameters("weight_ih", of_inputs, dtype)
        self.w_hh_list = self._parameters("weight_hh", [(wide, hidden_size)] * num_layers, dtype)
        self.b_ih_list = self._parameters("bias_ih", [(wide,)] * num_layers if has_bias else [], dtype)
        self.b_hh_list = self._parameters("bias_hh", [(wide,)] * num_layers if has_bias else [], dtype)

    def _parameters(self, kind: str, shapes: Sequence[tuple[int, ...]], dtype: Any) -> Any:
        """A Parameter for each layer and direction."""
        scale = Uniform(1 / math.sqrt(self.hidden_size))
        return ParameterTuple(
            core.Parameter(initializer(scale, shape, dtype), name=f"{kind}_l{layer}{suffix}")
            for layer, shape in enumerate(shapes)
            for suffix in ("", "_reverse")[: self.directions]
        )

    def _first_states(self, x: core.Tensor, hx: Any) -> tuple[Any, ...]:
        shape = (self.num_layers * self.directions, x.shape[1], self.hidden_size)
        if hx is None:
            return tuple(_ops.zeros(shape, x.dtype) for _ in range(self.states))
        states = tuple(hx) if isinstance(hx, (tuple, list)) else (hx,)
        if len(states) != self.states or any(tuple(state.shape) != shape for state in states):
            raise ValueError(
                f"For '{type(self).__name__}', 'hx' must be {self.states} of shape {shape}, but got "
                f"{[tuple(state.shape) for state in states]}."
            )
        return states

    def _lengths(self, seq_length: core.Tensor, count: int) -> Any:
        if tuple(seq_length.shape) != (count,) or seq_length.dtype not in (types.int32, types.int64):
            raise ValueError(
                f"For '{type(self).__name__}', 'seq_length' must be {count} numbers of int32 or int64, but has shape "
                f"{tuple(seq_length.shape)} and {seq_length.dtype}."
            )
        return seq_length

    def construct(self, x: Any, hx: Any = None, seq_length: Any = None) -> Any:
        check_rank(type(self).__name__, "x", x, 3)
        if x.shape[2] != self.input_size or 0 in x.shape[:2]:
            raise ValueError(
                f"For '{type(self).__name__}', 'x' must have steps, sequences and {self.input_size} features, but its shape "
                f"is {tuple(x.shape)}."
            )
        x = _ops.swapaxes(x, 0, 1) if self.batch_first else x
        first = self._first_states(x, hx)
        lengths = None if seq_length is None else self._lengths(seq_length, x.shape[1])
        nothing = [None] * len(self.w_ih_list)
        weights = zip(self.w_ih_list, self.w_hh_list, self.b_ih_list or nothing, self.b_hh_list or nothing)
        dropout = self.dropout if self.training else 0.0
        x, last = over_layers(self.layer, x, first, list(weights), self.directions, lengths, dropout)
        return _ops.swapaxes(x, 0, 1) if self.batch_first else x, last if self.states > 1 else last[0]

    def _multiply_adds(self, inputs: tuple[Any, ...], output: Any) -> int:
        del output
        steps, sequences = inputs[0].shape[:2]
        return int(steps * sequences * sum(weight.size for weight in (*self.w_ih_list, *self.w_hh_list)))


class RNN(_Recurrent):
    """An Elman network over sequences: steps h' = tanh(w_ih @ x + b_ih + w_hh @ h + b_hh), or with relu for tanh.

    Args:
        input_size: the number of features of a step's input.
        hidden_size: that of its result.
        num_layers: how many layers there are, each over the results of the one before.
        has_bias: whether gates have biases.
        batch_first: whether input and output are (N, T, features), and not (T, N, features).
        dropout: the probability of [0, 1) that an element between layers is dropped while training.
        bidirectional: whether each layer runs from the end as well; results of both directions are side by side.
        dtype: of the Parameters, which are initialised uniformly within 1 / sqrt(hidden_size).
        nonlinearity: "tanh" or "relu", by keyword.

    Inputs:
        x: a Tensor (T, N, input_size), or (N, T, input_size) with batch_first.
        hx: the states before the first step, (num_layers * directions, N, hidden_size); None: zeros.
        seq_length: how long each sequence is, a Tensor (N,) of int32 or int64; beyond it results are 0; None: all T steps.

    Returns:
        A tuple of the results (T, N, directions * hidden_size), or (N, T, ...) with batch_first, and the last states.

    Raises:
        TypeError: a size is no int, or a flag no bool.
        ValueError: a size is not positive, dropout is outside [0, 1), or another nonlinearity; when called: a shape does not
            fit.

    Examples:
        >>> rnn = nn.RNN(input_size=3, hidden_size=2, nonlinearity="relu")
        >>> results, last = rnn(Tensor(np.ones((5, 4, 3)), ms.float32))
        >>> print(results.shape, last.shape)
        (5, 4, 2) (1, 4, 2)
    """

    def __init__(self, *args: Any, nonlinearity: str = "tanh", **kwargs: Any):
        check_choice("RNN", "nonlinearity", nonlinearity, "tanh", "relu")
        super().__init__(*args, **kwargs)
        self.nonlinearity = nonlinearity
        self.layer = f"rnn_{nonlinearity}_layer"


class LSTM(_Recurrent):
    """Long short-term memory over sequences (Hochreiter and Schmidhuber, 1997): gates input, forget, cell and output.

    Args:
        input_size: the number of features of a step's input.
        hidden_size: that of its result.
        num_layers: how many layers there are, each over the results of the one before.
        has_bias: whether gates have biases.
        batch_first: whether input and output are (N, T, features), and not (T, N, features).
        dropout: the probability of [0, 1) that an element between layers is dropped while training.
        bidirectional: whether each layer runs from the end as well; results of both directions are side by side.
        dtype: of the Parameters, which are initialised uniformly within 1 / sqrt(hidden_size).

    Inputs:
        x: a Tensor (T, N, input_size), or (N, T, input_size) with batch_first.
        hx: a pair of the states and the cells before the first step, each (num_layers * directions, N, hidden_size); None:
            zeros.
        seq_length: how long each sequence is, a Tensor (N,) of int32 or int64; beyond it results are 0; None: all T steps.

    Returns:
        A tuple of the results (T, N, directions * hidden_size), or (N, T, ...) with batch_first, and the pair of the last
        states and cells.

    Raises:
        TypeError: a size is no int, or a flag no bool.
        ValueError: a size is not positive, dropout is outside [0, 1); when called: a shape does not fit.

    Examples:
        >>> lstm = nn.LSTM(input_size=3, hidden_size=2, num_layers=2, batch_first=True, bidirectional=True)
        >>> results, (state, cell) = lstm(Tensor(np.ones((4, 5, 3)), ms.float32))
        >>> print(results.shape, state.shape, cell.shape)
        (4, 5, 4) (4, 4, 2) (4, 4, 2)
    """

    layer, gates, states = "lstm_layer", 4, 2


class GRU(_Recurrent):
    """Gated recurrent units over sequences (Cho et al., 2014): gates reset, update and new state.

    Args:
        input_size: the number of features of a step's input.
        hidden_size: that of its result.
        num_layers: how many layers there are, each over the results of the one before.
        has_bias: whether gates have biases.
        batch_first: whether input and output are (N, T, features), and not (T, N, features).
        dropout: the probability of [0, 1) that an element between layers is dropped while training.
        bidirectional: whether each layer runs from the end as well; results of both directions are side by side.
        dtype: of the Parameters, which are initialised uniformly within 1 / sqrt(hidden_size).

    Inputs:
        x: a Tensor (T, N, input_size), or (N, T, input_size) with batch_first.
        hx: the states before the first step, (num_layers * directions, N, hidden_size); None: zeros.
        seq_length: how long each sequence is, a Tensor (N,) of int32 or int64; beyond it results are 0; None: all T steps.

    Returns:
        A tuple of the results (T, N, directions * hidden_size), or (N, T, ...) with batch_first, and the last states.

    Raises:
        TypeError: a size is no int, or a flag no bool.
        ValueError: a size is not positive, dropout is outside [0, 1); when called: a shape does not fit.

    Examples:
        >>> gru = nn.GRU(input_size=3, hidden_size=2)
        >>> results, last = gru(Tensor(np.ones((5, 2, 3)), ms.float32), seq_length=Tensor([5, 3]))
        >>> print(results.shape, last.shape, bool((results[3:, 1] == 0).all()))
        (5, 2, 2) (1, 2, 2) True
    """

    layer, gates = "gru_layer", 3


class RNNCellBase(Cell):
    """Base of the cells of recurrent layers: it has their Parameters weight_ih, weight_hh, bias_ih and bias_hh, initialised
    uniformly within 1 / sqrt(hidden_size); a subclass defines construct.

    Args:
        input_size: the number of features of the input.
        hidden_size: that of the states.
        has_bias: whether gates have biases.
        num_chunks: how many gates there are.
        dtype: of the Parameters.

    Raises:
        TypeError: a size is no int, or has_bias no bool.
        ValueError: a size is not positive.

    Examples:
        >>> class Summing(nn.RNNCellBase):
        ...     def construct(self, x, hx):
        ...         return ops.dense(x, self.weight_ih) + hx
        >>> cell = Summing(3, 2, has_bias=False, num_chunks=1)
        >>> print(cell(Tensor(np.ones((4, 3)), ms.float32), Tensor(np.zeros((4, 2)), ms.float32)).shape)
        (4, 2)
        >>> print([parameter.name for parameter in cell.get_parameters()])
        ['weight_ih', 'weight_hh']
    """

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool, num_chunks: int, dtype: Any = types.float32):
        super().__init__()
        name = type(self).__name__
        self.input_size = check_int(name, "input_size", input_size, 1)
        self.hidden_size = check_int(name, "hidden_size", hidden_size, 1)
        _check_flags(name, has_bias=has_bias)
        self.has_bias = has_bias
        wide, scale = check_int(name, "num_chunks", num_chunks, 1) * hidden_size, Uniform(1 / math.sqrt(hidden_size))
        self.weight_ih = core.Parameter(initializer(scale, (wide, input_size), dtype), name="weight_ih")
        self.weight_hh = core.Parameter(initializer(scale, (wide, hidden_size), dtype), name="weight_hh")
        self.bias_ih = self.bias_hh = None
        if has_bias:
            self.bias_ih = core.Parameter(initializer(scale, (wide,), dtype), name="bias_ih")
            self.bias_hh = core.Parameter(initializer(scale, (wide,), dtype), name="bias_hh")


class _RecurrentCell(RNNCellBase):
    """What RNNCell, LSTMCell and GRUCell share. A class says how many gates and states it has."""

    gates = 1
    states = 1

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = types.float32):
        super().__init__(input_size, hidden_size, has_bias, self.gates, dtype)

    def _after(self, layer: str, x: core.Tensor, *states: Any) -> tuple[Any, ...]:
        expected = [(x.shape[0], self.hidden_size)] * self.states
        if tuple(x.shape[1:]) != (self.input_size,) or [tuple(state.shape) for state in states] != expected:
            raise ValueError(
                f"For '{type(self).__name__}', 'x' must be of shape (N, {self.input_size}) and states of (N, "
                f"{self.hidden_size}), but got {tuple(x.shape)} and {[tuple(state.shape) for state in states]}."
            )
        weights = self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        results = over_time(layer, _ops.expand_dims(x, 0), states, weights, False, None)
        return tuple(_ops.select_at(result, 0, 0) for result in results)


class RNNCell(_RecurrentCell):
    """A step of an Elman network: h' = tanh(weight_ih @ x + bias_ih + weight_hh @ h + bias_hh), or with relu for tanh.

    Args:
        input_size: the number of features of the input.
        hidden_size: that of the states.
        has_bias: whether gates have biases.
        nonlinearity: "tanh" or "relu".
        dtype: of the Parameters, which are initialised uniformly within 1 / sqrt(hidden_size).

    Inputs:
        x: a Tensor (N, input_size).
        hx: the state, a Tensor (N, hidden_size).

    Returns:
        The new state, a Tensor (N, hidden_size).

    Raises:
        TypeError: a size is no int, or has_bias no bool.
        ValueError: a size is not positive, or another nonlinearity; when called: a shape does not fit.

    Examples:
        >>> cell = nn.RNNCell(3, 2)
        >>> state = Tensor(np.zeros((4, 2)), ms.float32)
        >>> for x in Tensor(np.ones((5, 4, 3)), ms.float32):
        ...     state = cell(x, state)
        >>> print(state.shape)
        (4, 2)
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        nonlinearity: str = "tanh",
        dtype: Any = types.float32,
    ):
        check_choice("RNNCell", "nonlinearity", nonlinearity, "tanh", "relu")
        super().__init__(input_size, hidden_size, has_bias, dtype)
        self.nonlinearity = nonlinearity

    def construct(self, x: Any, hx: Any) -> Any:
        return self._after(f"rnn_{self.nonlinearity}_layer", x, hx)[0]


class LSTMCell(_RecurrentCell):
    """A step of long short-term memory (Hochreiter and Schmidhuber, 1997).

    Args:
        input_size: the number of features of the input.
        hidden_size: that of the states.
        has_bias: whether gates have biases.
        dtype: of the Parameters, which are initialised uniformly within 1 / sqrt(hidden_size).

    Inputs:
        x: a Tensor (N, input_size).
        hx: the state and the cell, a tuple or list of two Tensors (N, hidden_size).

    Returns:
        The new state and cell, a tuple of two Tensors (N, hidden_size).

    Raises:
        TypeError: a size is no int, or has_bias no bool; when called: hx is no tuple or list.
        ValueError: a size is not positive; when called: a shape does not fit.

    Examples:
        >>> cell = nn.LSTMCell(3, 2)
        >>> zeros = Tensor(np.zeros((4, 2)), ms.float32)
        >>> state, memory = cell(Tensor(np.ones((4, 3)), ms.float32), (zeros, zeros))
        >>> print(state.shape, memory.shape)
        (4, 2) (4, 2)
    """

    gates, states = 4, 2

    def construct(self, x: Any, hx: Any) -> Any:
        if not isinstance(hx, (tuple, list)):
            raise TypeError(f"For 'LSTMCell', 'hx' must be a tuple of two Tensors, but got {type(hx).__name__}.")
        return self._after("lstm_layer", x, *hx)


class GRUCell(_RecurrentCell):
    """A step of gated recurrent units (Cho et al., 2014).

    Args:
        input_size: the number of features of the input.
        hidden_size: that of the states.
        has_bias: whether gates have biases.
        dtype: of the Parameters, which are initialised uniformly within 1 / sqrt(hidden_size).

    Inputs:
        x: a Tensor (N, input_size).
        hx: the state, a Tensor (N, hidden_size).

    Returns:
        The new state, a Tensor (N, hidden_size).

    Raises:
        TypeError: a size is no int, or has_bias no bool.
        ValueError: a size is not positive; when called: a shape does not fit.

    Examples:
        >>> cell = nn.GRUCell(3, 2)
        >>> print(cell(Tensor(np.ones((4, 3)), ms.float32), Tensor(np.zeros((4, 2)), ms.float32)).shape)
        (4, 2)
    """

    gates = 3

    def construct(self, x: Any, hx: Any) -> Any:
        return self._after("gru_layer", x, hx)[0]
