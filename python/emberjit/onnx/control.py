"""ONNX's control flow, sequences (lists here) and options (None, if empty). Graphs in attributes are functions of their
inputs; these ops run by themselves, and what they run is jitted."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint
from emberjit._emberjit import Tensor
from emberjit.onnx import values
from emberjit.onnx.table import Ints, Number, Value, op
from emberjit.onnx.values import Known


@op("If")
def if_(condition: Number, *, then_branch: Callable[..., Any], else_branch: Callable[..., Any]) -> Any:
    return tuple(then_branch() if condition else else_branch())


@op("Loop")
def loop(trips: Number = None, condition: Value = None, *carried: Value, body: Any, outputs: int) -> Any:
    state, scanned = list(carried), [list[Any]() for _ in range(outputs - len(carried))]
    going = True if condition is None else condition
    for i in itertools.count() if trips is None else range(int(trips)):
        if not (going is True or values.number(going)):
            break
        going = Known(True, dtypes.bool_) if going is True else going
        going, *results = body(Known(i, dtypes.int64), going, *state)
        going = True if condition is None else going
        state = results[: len(carried)]
        for row, value in zip(scanned, results[len(carried) :]):
            row.append(values.tensor(value))
    return (*state, *map(_stacked, scanned, body.infos[1 + len(carried) :]))


def _stacked(parts: list[Any], info: Any, axis: int = 0) -> Any:
    """The results of all iterations stacked; without iterations an empty Tensor of the declared type."""
    if parts:
        return mint.stack(parts, axis)
    shape = [n if type(n) is int else 0 for n in values.declared_shape(info) or ()]
    shape.insert(axis if axis >= 0 else axis + len(shape) + 1, 0)
    return Tensor(np.zeros(shape, np.int8)).astype(values.TYPES.get(values.declared(info), dtypes.float32))


@op("Scan")
def scan(
    *inputs: Value,
    body: Any,
    num_scan_inputs: int,
    scan_input_axes: Ints = None,
    scan_input_directions: Ints = None,
    scan_output_axes: Ints = None,
    scan_output_directions: Ints = None,
    directions: Ints = None,
    outputs: int,
    opset: int,
) -> Any:
    if opset < 9:
        return _batched_scan(inputs, body, num_scan_inputs, directions, outputs)
    count = len(inputs) - num_scan_inputs
    state, rows = list(inputs[:count]), [values.tensor(value) for value in inputs[count:]]
    axes = scan_input_axes or (0,) * num_scan_inputs
    backward = scan_input_directions or (0,) * num_scan_inputs
    scanned: list[list[Any]] = [[] for _ in range(outputs - count)]
    length = rows[0].shape[axes[0]]
    for i in range(length):
        parts = [mint.select(row, axis, length - 1 - i if back else i) for row, axis, back in zip(rows, axes, backward)]
        results = body(*state, *parts)
        state = results[:count]
        for row, value in zip(scanned, results[count:]):
            row.append(values.tensor(value))
    for row, back in zip(scanned, scan_output_directions or ()):
        if back:
            row.reverse()
    return (*state, *map(_stacked, scanned, body.infos[count:], scan_output_axes or (0,) * len(scanned)))


def _batched_scan(inputs: Any, body: Any, count: int, directions: Ints, outputs: int) -> Any:
    """Scan as op set 8 has it: the lengths come first, axis 0 is the batch, axis 1 is scanned."""
    lengths, *rest = inputs
    if lengths is not None:
        raise NotImplementedError("emberjit knows no 'sequence_lens' of Scan, which op set 9 has given up")
    tensors = [values.tensor(x) for x in rest]
    results = [
        scan(
            *(mint.select(x, 0, i) for x in tensors),
            body=body,
            num_scan_inputs=count,
            scan_input_directions=directions,
            outputs=outputs,
            opset=9,
        )
        for i in range(tensors[0].shape[0])
    ]
    return tuple(mint.stack([values.tensor(x) for x in parts]) for parts in zip(*results))


@op("SequenceEmpty")
def sequence_empty(*, dtype: int = values.FLOAT) -> Any:
    return []


@op("SequenceConstruct")
def sequence_construct(*parts: Any) -> Any:
    return list(parts)


@op("SequenceAt")
def sequence_at(parts: Value, at: Number) -> Any:
    return parts[_place(parts, at)]


def _place(parts: list[Any], at: int, more: int = 0) -> int:
    if not -len(parts) <= at < len(parts) + more:
        raise IndexError(f"the position {at} is outside a sequence of {len(parts)}")
    return at


@op("SequenceInsert")
def sequence_insert(parts: Value, x: Any, at: Number = None) -> Any:
    at = len(parts) if at is None else _place(parts, at, 1)
    return [*parts[:at], x, *parts[at:]] if at >= 0 else [*parts[: len(parts) + at], x, *parts[len(parts) + at :]]


@op("SequenceErase")
def sequence_erase(parts: Value, at: Number = -1) -> Any:
    at = _place(parts, at) % len(parts)
    return [*parts[:at], *parts[at + 1 :]]


@op("SequenceLength")
def sequence_length(parts: Value) -> Any:
    return Known(len(parts), dtypes.int64)


@op("SequenceMap")
def sequence_map(parts: Value, *more: Value, body: Any, outputs: int) -> Any:
    results = [body(*(x[i] if isinstance(x, list) else x for x in (parts, *more))) for i in range(len(parts))]
    return tuple([values.tensor(result[i]) for result in results] for i in range(outputs))


@op("ConcatFromSequence")
def concat_from_sequence(parts: Value, *, axis: int, new_axis: int = 0) -> Any:
    return mint.stack(parts, axis) if new_axis else mint.cat(parts, axis)


@op("SplitToSequence")
def split_to_sequence(x: Tensor, lengths: Value = None, *, axis: int = 0, keepdims: int = 1) -> Any:
    n = x.shape[axis]
    if lengths is None:
        return [part if keepdims else mint.squeeze(part, axis) for part in mint.split(x, 1, axis)]
    row = values.row(lengths)
    if not values.sizes(lengths):
        row = tuple(min(row[0], n - i) for i in range(0, n, row[0]))
    return list(mint.split(x, list(row), axis))


@op("Optional")
def optional(x: Value = None, *, type: Any = None) -> Any:
    return x


@op("OptionalHasElement")
def optional_has_element(x: Value = None) -> Any:
    return Known(x is not None, dtypes.bool_)


@op("OptionalGetElement")
def optional_get_element(x: Value) -> Any:
    return x
