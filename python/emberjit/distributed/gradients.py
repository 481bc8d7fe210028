"""The gradients of data parallel training, reduced over processes in buckets: several gradients are one message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.distributed import collectives
from emberjit.distributed.world import Group

BUCKET = 25 << 20  # bytes of a message, at most, if it has several gradients
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
    """The gradients of all processes reduced, by "sum" or "avg"."""
    out = list(gradients)
    for bucket in buckets_of(gradients):
        if len(bucket) == 1:
            out[bucket[0]] = collectives.all_reduce(gradients[bucket[0]], op, group)
            continue
        whole = collectives.all_reduce(_ops.concat([gradients[at].reshape(-1) for at in bucket], 0), op, group)
        begin = 0
        for at in bucket:
            end = begin + gradients[at].size
            out[at] = whole[begin:end].reshape(gradients[at].shape)
            begin = end
    return tuple(out)
