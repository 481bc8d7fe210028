"""The gradients of data parallel training, reduced over processes in buckets: several gradients are one message,
sent while others are computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.distributed.world import Group

BUCKET = 4 << 20  # bytes of a message, at most, if it has several gradients
_ops = core.ops


def buckets_of(tensors: Sequence[Any], most: int = BUCKET) -> list[list[int]]:
    """Positions of Tensors that are sent together: neighbours of one dtype. The last come first, as they are computed."""
    out: list[list[int]] = []
    room, dtype = 0, None
    for at in reversed(range(len(tensors))):
        tensor = tensors[at]
        if tensor.dtype != dtype or tensor.nbytes > room:
            out.append([])
            room, dtype = most, tensor.dtype
        out[-1].append(at)
        room -= tensor.nbytes
    return out


def reduced(gradients: Sequence[Any], op: str, group: Group) -> tuple[Any, ...]:
    """The gradients of all processes reduced, by "sum" or "avg". In a graph each bucket is sent as soon as its gradients are
    computed."""
    buckets = buckets_of(gradients)
    tickets = [_ops.all_reduce_begin([gradients[at] for at in bucket], op, group.name) for bucket in buckets]
    out = list(gradients)
    for ticket, bucket in zip(tickets, buckets):
        shapes = [size for at in bucket for size in (gradients[at].ndim, *gradients[at].shape)]
        for at, part in zip(bucket, _ops.all_reduce_end(ticket, gradients[bucket[0]].dtype, tuple(shapes))):
            out[at] = part
    return tuple(out)
