"""Collectives as functions of Tensors, which return new ones. Each process of a group calls the same; of a group of one they
are copies. Roots are ranks in the group.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.distributed.world import Group

_ops = core.ops


def all_reduce(x: Any, op: str, group: Group) -> Any:
    """The Tensors of all reduced, by "sum", "prod", "max", "min" or "avg"."""
    return _ops.identity(x) if group.size == 1 else _ops.all_reduce(x, op, group.name)


def all_gather(x: Any, group: Group, counts: Sequence[int] | None = None) -> Any:
    """The Tensors of all joined along the first axis, of which process i has counts[i]; None: all as many."""
    if group.size == 1:
        return _ops.identity(x)
    if counts is None:
        return _ops.all_gather(x, group.size, group.name)
    return _ops.all_gather_v(x, tuple(counts), group.rank, group.name)


def reduce_scatter(x: Any, op: str, group: Group, counts: Sequence[int] | None = None) -> Any:
    """This process's part along the first axis, of counts[i] for process i, of the Tensors of all reduced."""
    if group.size == 1:
        return _ops.identity(x)
    if counts is None:
        return _ops.reduce_scatter(x, op, group.size, group.name)
    return _ops.reduce_scatter_v(x, tuple(counts), op, group.rank, group.name)


def broadcast(x: Any, root: int, group: Group) -> Any:
    """The Tensor of one."""
    return _ops.identity(x) if group.size == 1 else _ops.broadcast_from(x, root, group.rank, group.name)


def all_to_all(x: Any, group: Group, send: Sequence[int] | None = None, receive: Sequence[int] | None = None) -> Any:
    """What all have for this process, receive[i] rows of process i; this one's first send[0] rows go to process 0 and so on.
    None: equal parts."""
    if group.size == 1:
        return _ops.identity(x)
    even = [x.shape[0] // group.size] * group.size
    return _ops.all_to_all(x, tuple(send or even), tuple(receive or even), group.name)


def exchange(tensors: Sequence[Any], shapes: Sequence[Sequence[int]], group: Group) -> list[Any]:
    """The Tensors of these shapes that all have for this process, of which tensors[i] goes to process i."""
    if group.size == 1:
        return [_ops.identity(tensors[0])]
    sizes = [math.prod(shape) for shape in shapes]
    flat = _ops.concat([tensor.reshape(-1) for tensor in tensors], 0)
    received = all_to_all(flat, group, [tensor.size for tensor in tensors], sizes)
    ends = [*accumulate(sizes)]
    return [received[end - size : end].reshape(tuple(shape)) for end, size, shape in zip(ends, sizes, shapes)]


def counts_of(function: str, matrix: Sequence[int], group: Group, own: int) -> tuple[list[int], list[int]]:
    """How many elements this process sends to each and receives of each, by the matrix of what each sends to each.

    Raises:
        ValueError: it has another size, or this process sends another number of elements than it has.
    """
    flat = [int(count) for row in matrix for count in (row if isinstance(row, (list, tuple)) else [row])]
    send = flat[group.rank * group.size : (group.rank + 1) * group.size]
    if len(flat) != group.size**2 or sum(send) != own or min(flat) < 0:
        counts = f"[{own}]" if group.size == 1 else f"{group.size}x{group.size} counts, of this process {own} together"
        raise ValueError(f"For '{function}', 'send_count_matrix' must be {counts}, but got {matrix}.")
    return send, flat[group.rank :: group.size]


def scatter(x: Any, root: int, group: Group) -> Any:
    """This process's part, along the first axis, of the Tensor of one."""
    part = x.shape[0] // group.size
    return broadcast(x, root, group)[group.rank * part : (group.rank + 1) * part]


def send(x: Any, to: int, group: Group, tag: int = 0) -> None:
    """Sends a Tensor to one, and does not wait until that receives it."""
    _ops.send(x, to, tag, group.name)


def receive(shape: Sequence[int], dtype: Any, source: int, group: Group, tag: int = 0) -> Any:
    """The Tensor that one sends."""
    return _ops.receive(tuple(shape), dtype, source, tag, group.name)


def barrier(group: Group) -> None:
    """Waits until all are here."""
    if group.size > 1:
        _ops.barrier(group.name)


def gather_objects(value: Any, group: Group) -> list[Any]:
    """The Python objects of all, pickled on the way."""
    if group.size == 1:
        return [value]
    data = np.frombuffer(pickle.dumps(value), np.uint8)
    sizes = all_gather(core.from_numpy(np.array([data.size])), group).tolist()
    whole = all_gather(core.from_numpy(data.copy()), group, sizes).get_bytes()
    ends = [*accumulate(sizes)]
    return [pickle.loads(whole[end - size : end]) for end, size in zip(ends, sizes)]


def send_object(value: Any, to: int, group: Group) -> None:
    """Sends a Python object to one."""
    data = np.frombuffer(pickle.dumps(value), np.uint8)
    send(core.from_numpy(np.array([data.size])), to, group)
    send(core.from_numpy(data.copy()), to, group)


def receive_object(source: int, group: Group) -> Any:
    """The Python object that one sends."""
    size = receive((1,), core.int64, source, group).item()
    return pickle.loads(receive((size,), core.uint8, source, group).get_bytes())
