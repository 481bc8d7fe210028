"""Primitives that communicate."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank
from emberjit.compat.communication.groups import check_group, check_process, check_reduction
from emberjit.compat.communication.handles import check_counts, check_other
from emberjit.distributed import collectives
from emberjit.distributed.world import WORLD, Group
from emberjit.publish.kinds import DType, Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


@publish("ops.AllReduce(op, group)(input_x)", numpy="input_x", samples="f32(2, 3); i32(4), 'max'")
def reduced_by_all(input_x: Tensor, op: str = "sum", group: str = WORLD) -> Any:
    """The Tensors of all processes reduced.

    Args:
        op: "sum", "max", "min", "prod" or "avg".
        group: of processes.

    Raises:
        ValueError: no such reduction or group.
    """
    check_reduction("AllReduce", op)
    return collectives.all_reduce(input_x, op, check_group("AllReduce", group))


@publish("ops.ReduceScatter(op, group)(input_x)", numpy="input_x", samples="f32(2, 3); i32(4), 'max'")
def scattered_by_all(input_x: Tensor, op: str = "sum", group: str = WORLD) -> Any:
    """Of the Tensors of all processes reduced, this process's part along the first axis.

    Args:
        op: "sum", "max", "min", "prod" or "avg".
        group: of processes.

    Raises:
        ValueError: no such reduction or group, or parts are not all as large.
    """
    check_reduction("ReduceScatter", op)
    return collectives.reduce_scatter(input_x, op, check_group("ReduceScatter", group))


@publish("ops.AllGather(group)(input_x)", numpy="input_x", samples="f32(2, 3)")
def gathered_by_all(input_x: Tensor, group: str = WORLD) -> Any:
    """The Tensors of all processes joined along the first axis.

    Raises:
        ValueError: no such group.
    """
    return collectives.all_gather(input_x, check_group("AllGather", group))


@publish("ops.Reduce(dest_rank, op, group)(input_x)", numpy="input_x", samples="f32(2, 3), 0")
def reduced_for_one(input_x: Tensor, dest_rank: int, op: str = "sum", group: str = WORLD) -> Any:
    """The Tensors of all processes reduced, for one of them.

    Raises:
        ValueError: no such process, reduction or group.
    """
    check_process("Reduce", "dest_rank", dest_rank, group)
    return reduced_by_all(input_x, op, group)


@publish("ops.CollectiveGather(dest_rank, group)(input_x)", numpy="input_x", samples="f32(2, 3), 0")
def gathered_by_one(input_x: Tensor, dest_rank: int, group: str = WORLD) -> Any:
    """The Tensors of all processes joined along the first axis, for one of them.

    Raises:
        ValueError: no such process or group.
    """
    check_process("CollectiveGather", "dest_rank", dest_rank, group)
    return gathered_by_all(input_x, group)


@publish("ops.CollectiveScatter(src_rank, group)(input_x)", numpy="input_x", samples="f32(2, 3)")
def scattered_by_one(input_x: Tensor, src_rank: int = 0, group: str = WORLD) -> Any:
    """This process's part, along the first axis, of one's Tensor.

    Raises:
        ValueError: no such process or group.
    """
    root = check_process("CollectiveScatter", "src_rank", src_rank, group)
    return collectives.scatter(input_x, root, check_group("CollectiveScatter", group))


@publish(
    "ops.Broadcast(root_rank, group)(input_x: object)", numpy="input_x", samples="(f32(2, 3), i32(2)), 0", in_python=True
)
def broadcast_by_one(input_x: Any, root_rank: int, group: str = WORLD) -> Any:
    """A tuple of one process's Tensors.

    Raises:
        TypeError: input_x is no tuple.
        ValueError: no such process or group.
    """
    root = check_process("Broadcast", "root_rank", root_rank, group)
    if not isinstance(input_x, (tuple, list)):
        raise TypeError(f"For 'Broadcast', 'input_x' must be a tuple of Tensors, but got {type(input_x).__name__}.")
    return tuple(collectives.broadcast(x, root, check_group("Broadcast", group)) for x in input_x)


@publish("ops.AlltoAll(split_count, split_dim, concat_dim, group)(input_x)", numpy="input_x", samples="f32(2, 3), 1, 0, 1")
def exchanged(input_x: Tensor, split_count: int, split_dim: int, concat_dim: int, group: str = WORLD) -> Any:
    """Parts along one axis of the Tensors of all processes, joined along another.

    Args:
        split_count: how many parts: as many as there are processes.

    Raises:
        ValueError: another count, an axis out of range, or no such group.
    """
    own = check_group("AlltoAll", group)
    if split_count != own.size:
        raise ValueError(
            f"For 'AlltoAll', 'split_count' must be {own.size}, the number of processes, but got {split_count}."
        )
    for name, axis in (("split_dim", split_dim), ("concat_dim", concat_dim)):
        if not -input_x.ndim <= axis < input_x.ndim:
            raise ValueError(f"For 'AlltoAll', '{name}' is {axis}, out of range for shape {tuple(input_x.shape)}.")
    if own.size == 1:
        return _ops.identity(input_x)
    parts = _ops.split(input_x, input_x.shape[split_dim] // own.size, split_dim)
    received = collectives.all_to_all(_ops.concat(parts, 0), own)
    return _ops.concat(_ops.split(received, parts[0].shape[0], 0), concat_dim)


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
        RuntimeError: For 'Send', there is no other process: ...
    """
    own = check_group("Send", group)
    collectives.send(input_data, check_other("Send", "dest_rank", dest_rank, own), own, sr_tag)
    return input_data


@publish("ops.AllGatherV(group)(input_x, output_split_sizes)", numpy="input_x", samples="f32(6), (6,); i32(4), (4,)")
def gathered_by_count(input_x: Tensor, output_split_sizes: Ints, group: str = WORLD) -> Any:
    """The Tensors of all processes joined, of which each may have another size.

    Args:
        input_x: elements (N,).
        output_split_sizes: how many each process has.

    Raises:
        ValueError: counts are others, input_x has several axes, or no such group.
    """
    own = check_group("AllGatherV", group)
    check_rank("AllGatherV", "input_x", input_x, 1)
    sizes = [output_split_sizes] if isinstance(output_split_sizes, int) else output_split_sizes
    counts = check_counts("AllGatherV", "output_split_sizes", sizes, own, input_x.size)
    return collectives.all_gather(input_x, own, counts)


@publish(
    "ops.AlltoAllVC(group, block_size, transpose)(input_x, send_count_matrix)",
    numpy="input_x.ravel()",
    samples="f32(6), (6,); i32(4), (2,), 'hccl_world_group', 2",
)
def exchanged_by_matrix(
    input_x: Tensor, send_count_matrix: Ints, group: str = WORLD, block_size: int = 1, transpose: bool = False
) -> Any:
    """What all processes have for this one, joined.

    Args:
        input_x: elements (N,).
        send_count_matrix: how many blocks each process sends to each, row by row.
        block_size: how many elements a block has.
        transpose: whether rows are of processes that receive.

    Raises:
        ValueError: counts are others, input_x has several axes, or no such group.
    """
    own = check_group("AlltoAllVC", group)
    check_rank("AlltoAllVC", "input_x", input_x, 1)
    blocks = [send_count_matrix] if isinstance(send_count_matrix, int) else send_count_matrix
    counts = [block_size * count for count in blocks]
    counts = [counts[j * own.size + i] for i in range(own.size) for j in range(own.size)] if transpose else counts
    return collectives.all_to_all(input_x, own, *collectives.counts_of("AlltoAllVC", counts, own, input_x.size))


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
    own = check_group("AlltoAllV", group)
    check_rank("AlltoAllV", "input_x", input_x, 1)
    lists = ([counts] if isinstance(counts, int) else counts for counts in (send_numel_list, recv_numel_list))
    send, receive = ([block_size * count for count in counts] for counts in lists)
    if len(send) != own.size or len(receive) != own.size or sum(send) != input_x.size:
        raise ValueError(
            f"For 'AlltoAllV', 'send_numel_list' and 'recv_numel_list' must have a count for each of {own.size} processes, "
            f"of which those sent are {input_x.size} together, but got {send_numel_list} and {recv_numel_list}."
        )
    if own.size == 1 and send != receive:
        raise ValueError(f"For 'AlltoAllV', 'recv_numel_list' must be {send}, but got {receive}.")
    return collectives.all_to_all(input_x, own, send, receive)


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
    own = check_group("ReduceScatterV", group)
    check_rank("ReduceScatterV", "input_x", input_x, 1)
    sizes = [input_split_sizes] if isinstance(input_split_sizes, int) else list(input_split_sizes)
    if len(sizes) != own.size or sum(sizes) != input_x.size:
        raise ValueError(
            f"For 'ReduceScatterV', 'input_split_sizes' must have a count for each of {own.size} processes, {input_x.size} "
            f"together, but got {sizes}."
        )
    return collectives.reduce_scatter(input_x, op, own, sizes)


def _check_world(function: str, group: str, world_size: int, bias: Any, turns: int) -> Group:
    own = check_group(function, group)
    for name, value, expected in (("world_size", world_size, own.size), ("bias", bias, None), ("comm_turn", turns, 0)):
        if value != expected:
            raise ValueError(f"For '{function}', '{name}' must be {expected}, but got {value!r}.")
    return own


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
        world_size: how many processes there are.
        bias: None.
        gather_index: 0: input is joined.
        gather_output: whether the second result is what was joined; else it is empty.
        comm_turn: 0.
        trans_input, trans_x2: whether a matrix is transposed first.

    Raises:
        ValueError: no such group, another number of processes, or an argument that is fixed.
    """
    own = _check_world("all_gather_matmul", group, world_size, bias, comm_turn)
    if gather_index != 0:
        raise ValueError(f"For 'all_gather_matmul', 'gather_index' must be 0, but got {gather_index}.")
    x = _ops.swapaxes(input, 0, 1) if trans_input else input
    whole = collectives.all_gather(x, own)
    gathered = whole if gather_output else _ops.zeros((0,), input.dtype)
    return _product(whole, x2, False, trans_x2), gathered


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
        world_size: how many processes there are.
        reduce_op: "sum".
        bias: None.
        comm_turn: 0.
        trans_input, trans_x2: whether a matrix is transposed first.

    Raises:
        ValueError: no such group or reduction, another number of processes, or an argument that is fixed.
    """
    check_reduction("matmul_reduce_scatter", reduce_op)
    own = _check_world("matmul_reduce_scatter", group, world_size, bias, comm_turn)
    return collectives.reduce_scatter(_product(input, x2, trans_input, trans_x2), reduce_op, own)


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
    own = check_group("Receive", group)
    sizes = (shape,) if isinstance(shape, int) else shape
    return collectives.receive(sizes, dtype, check_other("Receive", "src_rank", src_rank, own), own, sr_tag)


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
    own = check_group("BatchISendIRecv", group)
    shapes, dtypes, tensors = iter(receive_shapes or ()), iter(receive_dtypes or ()), iter(inputs)
    pairs = [(kind, check_other("BatchISendIRecv", "remote_ranks", rank, own)) for kind, rank in zip(op_types, remote_ranks)]
    for kind, rank in pairs:
        if kind == "isend":
            collectives.send(next(tensors), rank, own)
    return tuple(
        collectives.receive(next(shapes), next(dtypes), rank, own) if kind == "irecv" else core.Tensor(0.0)
        for kind, rank in pairs
    )


@publish(
    "ops.NeighborExchange(send_rank_ids, recv_rank_ids, recv_shapes, send_shapes, recv_type, group)(inputs)", in_python=True
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
    """Exchanges Tensors with other processes.

    Args:
        inputs: a tuple of Tensors, one for each process of send_rank_ids.
        send_rank_ids, recv_rank_ids: ranks of the processes that receive, and that send.
        recv_shapes, send_shapes: the shapes of what is received, and sent.
        recv_type: the dtype of what is received.
        group: of processes.

    Returns:
        A tuple of what is received, in the order of recv_rank_ids.

    Raises:
        RuntimeError: there is no other process.
        ValueError: no such process or group.

    Examples:
        >>> ops.NeighborExchange([1], [1], ([2],), ([2],), ms.float32)((Tensor([1.0, 2.0]),))
        Traceback (most recent call last):
            ...
        RuntimeError: For 'NeighborExchange', there is no other process: ...
    """
    own = check_group("NeighborExchange", group)
    receivers = [check_other("NeighborExchange", "send_rank_ids", rank, own) for rank in send_rank_ids]
    senders = [check_other("NeighborExchange", "recv_rank_ids", rank, own) for rank in recv_rank_ids]
    for tensor, rank in zip(inputs, receivers):
        collectives.send(tensor, rank, own)
    return tuple(collectives.receive(shape, recv_type, rank, own) for shape, rank in zip(recv_shapes, senders))


@publish(
    """ops.NeighborExchangeV2(send_rank_ids, send_lens, recv_rank_ids, recv_lens, data_format, group)(inputs)""",
    in_python=True,
)
def exchanged_edges(
    inputs: Any, send_rank_ids: Any, send_lens: Any, recv_rank_ids: Any, recv_lens: Any, data_format: Any, group: str = WORLD
) -> Any:
    """Exchanges the edges of images with neighbouring processes, which is not there: NeighborExchange exchanges Tensors.

    Raises:
        RuntimeError: always.

    Examples:
        >>> ops.NeighborExchangeV2([1] * 8, [0, 1, 0, 0], [1] * 8, [0, 1, 0, 0], "NCHW")(ops.ones((1, 1, 2, 2)))
        Traceback (most recent call last):
            ...
        RuntimeError: For 'NeighborExchangeV2', edges are not exchanged: use NeighborExchange, with slices.
    """
    raise RuntimeError("For 'NeighborExchangeV2', edges are not exchanged: use NeighborExchange, with slices.")


@publish("ops.Barrier(group)()", in_python=True)
def awaited(group: str = WORLD) -> Any:
    """Waits for the other processes of a group.

    Args:
        group: of processes.

    Raises:
        ValueError: no such group.

    Examples:
        >>> ops.Barrier()()
    """
    collectives.barrier(check_group("Barrier", group))
