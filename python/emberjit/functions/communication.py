"""Primitives that communicate. There is one process: what all have together is what it has."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.communication.groups import WORLD, check_group, check_rank, check_reduction
from emberjit.communication.handles import refuse
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.op_table


@publish(
    "ops.AllReduce(op, group)(input_x) ops.ReduceScatter(op, group)(input_x)",
    numpy="input_x",
    samples="f32(2, 3); i32(4), 'max'",
)
def reduced_by_all(input_x: Tensor, op: str = "sum", group: str = WORLD) -> Any:
    """The Tensors of all processes reduced.

    Args:
        op: "sum", "max", "min", "prod" or "avg".
        group: of processes.

    Raises:
        ValueError: no such reduction or group.
    """
    check_reduction("AllReduce", op)
    check_group("AllReduce", group)
    return _ops["identity"](input_x)


@publish("ops.AllGather(group)(input_x)", numpy="input_x", samples="f32(2, 3)")
def gathered_by_all(input_x: Tensor, group: str = WORLD) -> Any:
    """The Tensors of all processes joined along the first axis.

    Raises:
        ValueError: no such group.
    """
    check_group("AllGather", group)
    return _ops["identity"](input_x)


@publish("ops.Reduce(dest_rank, op, group)(input_x)", numpy="input_x", samples="f32(2, 3), 0")
def reduced_for_one(input_x: Tensor, dest_rank: int, op: str = "sum", group: str = WORLD) -> Any:
    """The Tensors of all processes reduced, for one of them.

    Raises:
        ValueError: no such process, reduction or group.
    """
    check_rank("Reduce", "dest_rank", dest_rank)
    return reduced_by_all(input_x, op, group)


@publish("ops.CollectiveGather(dest_rank, group)(input_x)", numpy="input_x", samples="f32(2, 3), 0")
def gathered_by_one(input_x: Tensor, dest_rank: int, group: str = WORLD) -> Any:
    """The Tensors of all processes joined along the first axis, for one of them.

    Raises:
        ValueError: no such process or group.
    """
    check_rank("CollectiveGather", "dest_rank", dest_rank)
    return gathered_by_all(input_x, group)


@publish("ops.CollectiveScatter(src_rank, group)(input_x)", numpy="input_x", samples="f32(2, 3)")
def scattered_by_one(input_x: Tensor, src_rank: int = 0, group: str = WORLD) -> Any:
    """This process's part, along the first axis, of one's Tensor.

    Raises:
        ValueError: no such process or group.
    """
    check_rank("CollectiveScatter", "src_rank", src_rank)
    return gathered_by_all(input_x, group)


@publish(
    "ops.Broadcast(root_rank, group)(input_x: object)", numpy="input_x", samples="(f32(2, 3), i32(2)), 0", in_python=True
)
def broadcast_by_one(input_x: Any, root_rank: int, group: str = WORLD) -> Any:
    """A tuple of one process's Tensors.

    Raises:
        TypeError: input_x is no tuple.
        ValueError: no such process or group.
    """
    check_rank("Broadcast", "root_rank", root_rank)
    check_group("Broadcast", group)
    if not isinstance(input_x, (tuple, list)):
        raise TypeError(f"For 'Broadcast', 'input_x' must be a tuple of Tensors, but got {type(input_x).__name__}.")
    return tuple(_ops["identity"](x) for x in input_x)


@publish("ops.AlltoAll(split_count, split_dim, concat_dim, group)(input_x)", numpy="input_x", samples="f32(2, 3), 1, 0, 1")
def exchanged(input_x: Tensor, split_count: int, split_dim: int, concat_dim: int, group: str = WORLD) -> Any:
    """Parts along one axis of the Tensors of all processes, joined along another.

    Args:
        split_count: how many parts: as many as there are processes, 1.

    Raises:
        ValueError: another count, an axis out of range, or no such group.
    """
    check_group("AlltoAll", group)
    if split_count != 1:
        raise ValueError(f"For 'AlltoAll', 'split_count' must be 1, the number of processes, but got {split_count}.")
    for name, axis in (("split_dim", split_dim), ("concat_dim", concat_dim)):
        if not -input_x.ndim <= axis < input_x.ndim:
            raise ValueError(f"For 'AlltoAll', '{name}' is {axis}, out of range for shape {tuple(input_x.shape)}.")
    return _ops["identity"](input_x)


@publish("ops.Send(sr_tag, dest_rank, group, group_back)(input_data)", in_python=True)
def sent(input_data: Tensor, sr_tag: int, dest_rank: int, group: str = WORLD, group_back: str = WORLD) -> Any:
    """Sends a Tensor to another process.

    Raises:
        RuntimeError: there is no other process.
    """
    refuse("Send")


@publish("ops.Barrier(group)()", in_python=True)
def awaited(group: str = WORLD) -> Any:
    """Waits for the other processes of a group, of which there are none.

    Raises:
        ValueError: no such group.
    """
    check_group("Barrier", group)
