"""Primitives that communicate. There is one process: what all have together is what it has."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank
from emberjit.compat.communication.groups import WORLD, check_group, check_process, check_reduction
from emberjit.compat.communication.handles import check_counts, refuse
from emberjit.publish.kinds import DType, Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


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
    return _ops.identity(input_x)


@publish("ops.AllGather(group)(input_x)", numpy="input_x", samples="f32(2, 3)")
def gathered_by_all(input_x: Tensor, group: str = WORLD) -> Any:
    """The Tensors of all processes joined along the first axis.

    Raises:
        ValueError: no such group.
    """
    check_group("AllGather", group)
    return _ops.identity(input_x)


@publish("ops.Reduce(dest_rank, op, group)(input_x)", numpy="input_x", samples="f32(2, 3), 0")
def reduced_for_one(input_x: Tensor, dest_rank: int, op: str = "sum", group: str = WORLD) -> Any:
    """The Tensors of all processes reduced, for one of them.

    Raises:
        ValueError: no such process, reduction or group.
    """
    check_process("Reduce", "dest_rank", dest_rank)
    return reduced_by_all(input_x, op, group)


@publish("ops.CollectiveGather(dest_rank, group)(input_x)", numpy="input_x", samples="f32(2, 3), 0")
def gathered_by_one(input_x: Tensor, dest_rank: int, group: str = WORLD) -> Any:
    """The Tensors of all processes joined along the first axis, for one of them.

    Raises:
        ValueError: no such process or group.
    """
    check_process("CollectiveGather", "dest_rank", dest_rank)
    return gathered_by_all(input_x, group)


@publish("ops.CollectiveScatter(src_rank, group)(input_x)", numpy="input_x", samples="f32(2, 3)")
def scattered_by_one(input_x: Tensor, src_rank: int = 0, group: str = WORLD) -> Any:
    """This process's part, along the first axis, of one's Tensor.

    Raises:
        ValueError: no such process or group.
    """
    check_process("CollectiveScatter", "src_rank", src_rank)
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
    check_process("Broadcast", "root_rank", root_rank)
    check_group("Broadcast", group)
    if not isinstance(input_x, (tuple, list)):
        raise TypeError(f"For 'Broadcast', 'input_x' must be a tuple of Tensors, but got {type(input_x).__name__}.")
    return tuple(_ops.identity(x) for x in input_x)


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
    return _ops.identity(input_x)


@publish("ops.Send(sr_tag, dest_rank, group, group_back)(input_data)", in_python=True)
def sent(input_data: Tensor, sr_tag: int, dest_rank: int, group: str = WORLD, group_back: str = WORLD) -> Any:
    """Sends a Tensor to another process.

    Args:
        input_data: a Tensor.
        sr_tag: tells messages between the same processes apart.
        dest_rank: the rank of the process that receives.
        group, group_back: of processes.

    Raises:
        RuntimeError: there is no other process.

    Examples:
        >>> ops.Send(sr_tag=0, dest_rank=1)(Tensor([1.0]))
        Traceback (most recent call last):
            ...
        RuntimeError: For 'Send', there is no other process: emberjit does not communicate ...
    """
    refuse("Send")


@publish(
    """ops.AllGatherV(group)(input_x, counts as output_split_sizes) ops.AlltoAllVC(group, block_size, transpose)(input_x,
    counts as send_count_matrix)""",
    numpy="input_x.ravel()",
    samples="f32(6), (6,); i32(4), (2,), 'hccl_world_group', 2",
)
def exchanged_by_count(
    input_x: Tensor, counts: Ints, group: str = WORLD, block_size: int = 1, transpose: bool = False
) -> Any:
    """Parts of the Tensors of all processes, joined.

    Args:
        input_x: elements (N,).
        counts: how many blocks each process gives.
        block_size: how many elements a block has.
        transpose: whether counts stand by who receives; of one process they are the same.

    Raises:
        ValueError: counts are others, input_x has several axes, or no such group.
    """
    name = "AlltoAllVC"
    check_group(name, group)
    check_rank(name, "input_x", input_x, 1)
    blocks = [counts] if isinstance(counts, int) else counts
    check_counts(name, "counts", [block_size * count for count in blocks], input_x.size)
    return _ops.identity(input_x)


@publish(
    "ops.AlltoAllV(group, block_size)(input_x, send_numel_list, recv_numel_list)", numpy="input_x", samples="f32(6), 6, 6"
)
def exchanged_by_counts(
    input_x: Tensor, send_numel_list: Ints, recv_numel_list: Ints, group: str = WORLD, block_size: int = 1
) -> Any:
    """Parts of the Tensors of all processes, joined.

    Args:
        input_x: elements (N,).
        send_numel_list, recv_numel_list: how many blocks go to each process, and come of each.
        block_size: how many elements a block has.

    Raises:
        ValueError: counts are others, input_x has several axes, or no such group.
    """
    exchanged_by_count(input_x, send_numel_list, group, block_size)
    return exchanged_by_count(input_x, recv_numel_list, group, block_size)


@publish("ops.ReduceScatterV(op, group)(input_x, input_split_sizes)", numpy="input_x", samples="f32(6), (6,)")
def reduced_parts(input_x: Tensor, input_split_sizes: Ints, op: str = "sum", group: str = WORLD) -> Any:
    """Of the Tensors of all processes reduced, this process's part.

    Args:
        input_x: elements (N,).
        input_split_sizes: how many each process gets.
        op: "sum", "max", "min", "prod" or "avg".

    Raises:
        ValueError: counts are others, no such reduction or group.
    """
    check_reduction("ReduceScatterV", op)
    return exchanged_by_count(input_x, input_split_sizes, group)


def _check_world(function: str, group: str, world_size: int, bias: Any, turns: int) -> None:
    check_group(function, group)
    for name, value, expected in (("world_size", world_size, 1), ("bias", bias, None), ("comm_turn", turns, 0)):
        if value != expected:
            raise ValueError(f"For '{function}', '{name}' must be {expected}, but got {value!r}.")


def _product(input: Tensor, x2: Tensor, trans_input: bool, trans_x2: bool) -> Any:
    return _ops.matmul(
        *(_ops.swapaxes(x, 0, 1) if transposed else x for x, transposed in ((input, trans_input), (x2, trans_x2)))
    )


@publish(
    """ops.all_gather_matmul(input, x2, group, world_size, *, bias, gather_index, gather_output, comm_turn, trans_input,
    trans_x2)""",
    numpy="input @ (x2.T if trans_x2 else x2), input",
    samples="""f32(2, 3), f32(3, 4), 'hccl_world_group', 1;
    f32(2, 3), f32(4, 3), 'hccl_world_group', 1, None, 0, True, 0, False, True""",
)
def gathered_product(
    input: Tensor,
    x2: Tensor,
    group: str,
    world_size: int,
    bias: Any = None,
    gather_index: int = 0,
    gather_output: bool = True,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
) -> Any:
    """(the product of matrices of all processes, joined along the first axis, with x2; what was joined).

    Args:
        world_size: how many processes there are, 1.
        bias: None.
        gather_index: 0: input is joined.
        gather_output: whether the second result is what was joined; else it is empty.
        comm_turn: 0.
        trans_input, trans_x2: whether a matrix is transposed first.

    Raises:
        ValueError: no such group, another number of processes, or an argument that is fixed.
    """
    _check_world("all_gather_matmul", group, world_size, bias, comm_turn)
    if gather_index != 0:
        raise ValueError(f"For 'all_gather_matmul', 'gather_index' must be 0, but got {gather_index}.")
    gathered = _ops.identity(input) if gather_output else _ops.zeros((0,), input.dtype)
    return _product(input, x2, trans_input, trans_x2), gathered


@publish(
    "ops.matmul_reduce_scatter(input, x2, group, world_size, *, reduce_op, bias, comm_turn, trans_input, trans_x2)",
    numpy="input @ x2",
    samples="f32(2, 3), f32(3, 4), 'hccl_world_group', 1",
)
def scattered_product(
    input: Tensor,
    x2: Tensor,
    group: str,
    world_size: int,
    reduce_op: str = "sum",
    bias: Any = None,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
) -> Any:
    """This process's part of products of matrices that are summed up over all processes.

    Args:
        world_size: how many processes there are, 1.
        reduce_op: "sum".
        bias: None.
        comm_turn: 0.
        trans_input, trans_x2: whether a matrix is transposed first.

    Raises:
        ValueError: no such group or reduction, another number of processes, or an argument that is fixed.
    """
    check_reduction("matmul_reduce_scatter", reduce_op)
    _check_world("matmul_reduce_scatter", group, world_size, bias, comm_turn)
    return _product(input, x2, trans_input, trans_x2)


@publish("ops.Receive(sr_tag, src_rank, shape, dtype, group, group_back)()", in_python=True)
def received(sr_tag: int, src_rank: int, shape: Ints, dtype: DType, group: str = WORLD, group_back: str = WORLD) -> Any:
    """Receives a Tensor of another process.

    Raises:
        RuntimeError: there is no other process.

    Examples:
        >>> ops.Receive(0, 1, (2,), ms.float32)()
        Traceback (most recent call last):
            ...
        RuntimeError: For 'Receive', there is no other process: ...
    """
    refuse("Receive")


@publish("ops.BatchISendIRecv(op_types, remote_ranks, receive_shapes, receive_dtypes, group)(inputs)", in_python=True)
def sent_and_received(
    inputs: Any, op_types: Any, remote_ranks: Any, receive_shapes: Any = None, receive_dtypes: Any = None, group: str = WORLD
) -> Any:
    """Sends Tensors to other processes and receives others.

    Raises:
        RuntimeError: there is no other process.

    Examples:
        >>> ops.BatchISendIRecv(["isend"], [1])([Tensor([1.0])])
        Traceback (most recent call last):
            ...
        RuntimeError: For 'BatchISendIRecv', there is no other process: ...
    """
    refuse("BatchISendIRecv")


@publish(
    """ops.NeighborExchange(send_rank_ids, recv_rank_ids, recv_shapes, send_shapes, recv_type, group)(inputs)
    ops.NeighborExchangeV2(send_rank_ids, send_shapes as send_lens, recv_rank_ids, recv_shapes as recv_lens,
    recv_type as data_format, group)(inputs)""",
    in_python=True,
)
def exchanged_with_neighbours(
    inputs: Any,
    send_rank_ids: Any,
    recv_rank_ids: Any,
    recv_shapes: Any,
    send_shapes: Any,
    recv_type: Any,
    group: str = WORLD,
) -> Any:
    """Exchanges Tensors with neighbouring processes.

    Raises:
        RuntimeError: there is no other process.

    Examples:
        >>> ops.NeighborExchange([1], [1], ([2],), ([2],), ms.float32)((Tensor([1.0, 2.0]),))
        Traceback (most recent call last):
            ...
        RuntimeError: For 'NeighborExchange', there is no other process: ...
    """
    refuse("NeighborExchange")


@publish("ops.Barrier(group)()", in_python=True)
def awaited(group: str = WORLD) -> Any:
    """Waits for the other processes of a group, of which there are none.

    Args:
        group: of processes.

    Raises:
        ValueError: no such group.

    Examples:
        >>> ops.Barrier()()
    """
    check_group("Barrier", group)
