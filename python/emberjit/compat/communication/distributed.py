"""mint.distributed: functions that communicate and write what they receive into Tensors or lists. Of one process that is a
copy of what it gave. Those of objects take any Python object.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.compat.communication import DISTRIBUTED, groups
from emberjit.compat.communication.groups import GlobalComm, check_process, check_reduction
from emberjit.compat.communication.handles import (
    CommHandle,
    check_counts,
    check_only,
    check_sizes,
    handle,
    refuse,
    with_another,
)

Group = str | None
Done = CommHandle | None


def _group(function: str, group: Any) -> str:
    return groups.WORLD if group is None else groups.check_group(function, group)


def _write(function: str, to: core.Tensor, values: core.Tensor) -> None:
    check_instance(function, "output", to, core.Tensor)
    check_instance(function, "input", values, core.Tensor)
    if to.shape != values.shape or to.dtype != values.dtype:
        raise ValueError(
            f"For '{function}', what is received is a Tensor of shape {tuple(values.shape)} and {values.dtype}, but the "
            f"output has shape {tuple(to.shape)} and {to.dtype}."
        )
    to.copy_(values)


def init_process_group(
    backend: str = "hccl",
    init_method: str | None = None,
    timeout: Any = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: int | None = None,
) -> None:
    """Prepares communication, of one process.

    Args:
        backend: "hccl", "nccl" or "mccl".
        world_size: 1, or -1: as the launcher says.
        rank: 0, or -1.
        init_method, timeout, store, group_name, pg_options, device_id: of what connects processes, of which there is one.

    Raises:
        TypeError, ValueError: another backend, size or rank.
        RuntimeError: a launcher started several processes.
    """
    if world_size not in (-1, 1):
        raise ValueError(f"For 'init_process_group', 'world_size' must be 1, as there is one process, but got {world_size}.")
    if rank != -1:
        check_process("init_process_group", "rank", rank)
    groups.init(backend)


def destroy_process_group(group: Group = None) -> None:
    """Removes a group; without one ends communication.

    Raises:
        TypeError, ValueError: there is no such group.
    """
    if group is None:
        groups.release()
    else:
        groups.destroy_group(group)


def is_available() -> bool:
    """Whether this module can be used: True."""
    return True


def is_initialized() -> bool:
    """Whether init_process_group was called."""
    return GlobalComm.INITED


def new_group(
    ranks: list[int] | None = None,
    timeout: Any = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
) -> str:
    """The name of a new group of the one process.

    Args:
        ranks: [0], or None.
        timeout, backend, pg_options, use_local_synchronization, group_desc: of what connects processes.

    Raises:
        TypeError, ValueError: other ranks.
    """
    name = next(name for i in itertools.count() if not groups.exists(name := f"group_{i}"))
    groups.create_group(name, [0] if ranks is None else ranks)
    return name


def get_rank(group: Group = None) -> int:
    """The rank of this process in a group: 0.

    Raises:
        TypeError, ValueError: there is no such group.
    """
    _group("get_rank", group)
    return 0


def get_world_size(group: Group = None) -> int:
    """How many processes a group has: 1.

    Raises:
        TypeError, ValueError: there is no such group.
    """
    _group("get_world_size", group)
    return 1


def get_backend(group: Group = None) -> str:
    """The backend's name.

    Raises:
        TypeError, ValueError: there is no such group.
    """
    _group("get_backend", group)
    return GlobalComm.BACKEND


def get_global_rank(group: Group, group_rank: int) -> int:
    """The rank among all processes of one of a group.

    Raises:
        TypeError, ValueError: there is no such group or rank.
    """
    return int(groups.get_world_rank_from_group_rank(_group("get_global_rank", group), group_rank))


def get_group_rank(group: Group, global_rank: int) -> int:
    """The rank in a group of one of all processes.

    Raises:
        TypeError, ValueError: there is no such group or rank.
    """
    return int(groups.get_group_rank_from_world_rank(global_rank, _group("get_group_rank", group)))


def get_process_group_ranks(group: Group = None) -> list[int]:
    """The ranks of a group's processes: [0].

    Raises:
        TypeError, ValueError: there is no such group.
    """
    return groups.get_process_group_ranks(_group("get_process_group_ranks", group))


def barrier(group: Group = None, async_op: bool = False, device_ids: Any = None) -> Done:
    """Waits for the other processes of a group, of which there are none.

    Args:
        device_ids: None.

    Raises:
        TypeError, ValueError: an argument of another type, or no such group.
    """
    if device_ids is not None:
        raise ValueError(f"For 'barrier', 'device_ids' must be None, but got {device_ids!r}.")
    _group("barrier", group)
    return handle("barrier", async_op)


def all_reduce(tensor: core.Tensor, op: str = "sum", group: Group = None, async_op: bool = False) -> Done:
    """Reduces the Tensors of all processes in place.

    Args:
        op: "sum", "max", "min", "prod" or "avg".

    Raises:
        TypeError, ValueError: an argument of another type, or no such reduction or group.
    """
    _group("all_reduce", group)
    check_instance("all_reduce", "tensor", tensor, core.Tensor)
    check_reduction("all_reduce", op)
    return handle("all_reduce", async_op)


def reduce(tensor: core.Tensor, dst: int, op: str = "sum", group: Group = None, async_op: bool = False) -> Done:
    """Reduces the Tensors of all processes into that of process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process, reduction or group.
    """
    check_process("reduce", "dst", dst)
    return all_reduce(tensor, op, group, async_op)


def broadcast(tensor: core.Tensor, src: int, group: Group = None, async_op: bool = False) -> Done:
    """Writes the Tensor of process `src` into those of all.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.
    """
    check_process("broadcast", "src", src)
    return all_reduce(tensor, "sum", group, async_op)


def all_gather_into_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, group: Group = None, async_op: bool = False
) -> Done:
    """Joins the Tensors of all processes along the first axis.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    _group("all_gather_into_tensor", group)
    _write("all_gather_into_tensor", output_tensor, input_tensor)
    return handle("all_gather_into_tensor", async_op)


def all_gather_into_tensor_uneven(
    output: core.Tensor,
    input: core.Tensor,
    output_split_sizes: Sequence[int] | None = None,
    group: Group = None,
    async_op: bool = False,
) -> Done:
    """Joins Tensors of other sizes along the first axis.

    Args:
        output_split_sizes: of each process the size of the first axis.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    check_instance("all_gather_into_tensor_uneven", "input", input, core.Tensor)
    check_sizes("all_gather_into_tensor_uneven", "output_split_sizes", output_split_sizes, input)
    return all_gather_into_tensor(output, input, group, async_op)


def reduce_scatter_tensor(
    output: core.Tensor, input: core.Tensor, op: str = "sum", group: Group = None, async_op: bool = False
) -> Done:
    """Of the Tensors of all processes reduced, this process's part along the first axis.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.
    """
    check_reduction("reduce_scatter_tensor", op)
    return all_gather_into_tensor(output, input, group, async_op)


def reduce_scatter_tensor_uneven(
    output: core.Tensor,
    input: core.Tensor,
    input_split_sizes: Sequence[int] | None = None,
    op: str = "sum",
    group: Group = None,
    async_op: bool = False,
) -> Done:
    """The same, of parts of other sizes.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.
    """
    check_instance("reduce_scatter_tensor_uneven", "input", input, core.Tensor)
    check_sizes("reduce_scatter_tensor_uneven", "input_split_sizes", input_split_sizes, input)
    return reduce_scatter_tensor(output, input, op, group, async_op)


def all_to_all_single(
    output: core.Tensor,
    input: core.Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: Group = None,
    async_op: bool = False,
) -> Done:
    """Gives each process its part, along the first axis, of this one's Tensor.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    check_instance("all_to_all_single", "input", input, core.Tensor)
    check_sizes("all_to_all_single", "input_split_sizes", input_split_sizes, input)
    check_sizes("all_to_all_single", "output_split_sizes", output_split_sizes, input)
    return all_gather_into_tensor(output, input, group, async_op)


def all_gather(tensor_list: list[core.Tensor], tensor: core.Tensor, group: Group = None, async_op: bool = False) -> Done:
    """Writes the Tensors of all processes into a list of Tensors.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    return all_gather_into_tensor(check_only("all_gather", "tensor_list", tensor_list), tensor, group, async_op)


def all_to_all(
    output_tensor_list: list[core.Tensor], input_tensor_list: list[core.Tensor], group: Group = None, async_op: bool = False
) -> Done:
    """Gives each process its Tensor of this one's list.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    tensor = check_only("all_to_all", "input_tensor_list", input_tensor_list)
    return all_gather(output_tensor_list, tensor, group, async_op)


def reduce_scatter(
    output: core.Tensor, input_list: list[core.Tensor], op: str = "sum", group: Group = None, async_op: bool = False
) -> Done:
    """Reduces the Tensors that all processes have for this one.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.
    """
    return reduce_scatter_tensor(output, check_only("reduce_scatter", "input_list", input_list), op, group, async_op)


def gather(
    tensor: core.Tensor, gather_list: list[core.Tensor], dst: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes the Tensors of all processes into a list of process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.
    """
    check_process("gather", "dst", dst)
    return all_gather(gather_list, tensor, group, async_op)


def scatter(
    tensor: core.Tensor, scatter_list: list[core.Tensor], src: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes this process's Tensor of the list of process `src`.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.
    """
    check_process("scatter", "src", src)
    return all_gather_into_tensor(tensor, check_only("scatter", "scatter_list", scatter_list), group, async_op)


def gather_into_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, dst: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Joins the Tensors of all processes along the first axis, for process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.
    """
    check_process("gather_into_tensor", "dst", dst)
    return all_gather_into_tensor(output_tensor, input_tensor, group, async_op)


def scatter_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, src: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes this process's part, along the first axis, of the Tensor of process `src`.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.
    """
    check_process("scatter_tensor", "src", src)
    return all_gather_into_tensor(output_tensor, input_tensor, group, async_op)


def all_to_all_v_c(
    output: core.Tensor, input: core.Tensor, send_count_matrix: Sequence[int], group: Group = None, async_op: bool = False
) -> Done:
    """Gives each process its part of this one's Tensor.

    Args:
        send_count_matrix: how many elements each process sends to each: of one, [input.size].

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    check_instance("all_to_all_v_c", "input", input, core.Tensor)
    check_counts("all_to_all_v_c", "send_count_matrix", send_count_matrix, input.size)
    return all_gather_into_tensor(output, input, group, async_op)


def all_gather_object(object_list: list[Any], obj: Any, group: Group = None) -> None:
    """Writes the objects of all processes into a list.

    Raises:
        TypeError, ValueError: object_list is no list of one item, or no such group.
    """
    _group("all_gather_object", group)
    check_only("all_gather_object", "object_list", object_list)
    object_list[0] = obj


def gather_object(obj: Any, object_gather_list: list[Any] | None = None, dst: int = 0, group: Group = None) -> None:
    """Writes the objects of all processes into a list of process `dst`.

    Raises:
        TypeError, ValueError: object_gather_list is no list of one item, or no such process or group.
    """
    check_process("gather_object", "dst", dst)
    all_gather_object(object_gather_list, obj, group)  # type: ignore[arg-type]


def scatter_object_list(
    scatter_object_output_list: list[Any], scatter_object_input_list: list[Any], src: int = 0, group: Group = None
) -> None:
    """Writes this process's object of the list of process `src`.

    Raises:
        TypeError, ValueError: a list has not one item, or no such process or group.
    """
    check_process("scatter_object_list", "src", src)
    value = check_only("scatter_object_list", "scatter_object_input_list", scatter_object_input_list)
    all_gather_object(scatter_object_output_list, value, group)


def broadcast_object_list(object_list: list[Any], src: int = 0, group: Group = None, device: Any = None) -> None:
    """Gives all processes the objects of process `src`.

    Args:
        device: None.

    Raises:
        TypeError, ValueError: object_list is no list, or no such process or group.
    """
    check_process("broadcast_object_list", "src", src)
    _group("broadcast_object_list", group)
    check_instance("broadcast_object_list", "object_list", object_list, list)


def _check(function: str, tensor: core.Tensor, group: Any) -> None:
    _group(function, group)


send, isend, recv, irecv = with_another(None, _check)


class P2POp:
    """What batch_isend_irecv() is to do.

    Args:
        op: "isend" or "irecv", or one of these functions.
        tensor: what is sent, or received into.
        peer: the other process.
        recv_dtype: the dtype of what objects are received as, of other backends.

    Raises:
        TypeError: op is neither, or tensor no Tensor.
    """

    def __init__(
        self, op: Any, tensor: core.Tensor, peer: int, group: Group = None, tag: int = 0, *, recv_dtype: Any = None
    ):
        if op not in ("isend", "irecv", isend, irecv):
            raise TypeError(f"For 'P2POp', 'op' must be isend or irecv, or the name of one, but got {op!r}.")
        _check("P2POp", tensor, group)
        self.op, self.tensor, self.peer, self.group, self.tag = op, tensor, peer, group, tag
        self.recv_dtype = recv_dtype


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[CommHandle]:
    """Begins several sends and receives.

    Raises:
        TypeError: an item is no P2POp.
        RuntimeError: there is no other process.
    """
    if not isinstance(p2p_op_list, list) or not all(isinstance(one, P2POp) for one in p2p_op_list):
        raise TypeError(f"For 'batch_isend_irecv', 'p2p_op_list' must be a list of P2POps, but got {p2p_op_list!r}.")
    refuse("batch_isend_irecv")


def send_object_list(object_list: list[Any], dst: int, group: Group = None, device: Any = None) -> None:
    """Sends Python objects to another process.

    Raises:
        RuntimeError: there is no other process.
    """
    refuse("send_object_list")


def recv_object_list(object_list: list[Any], src: int = 0, group: Group = None, device: Any = None) -> int:
    """Receives Python objects of another process.

    Raises:
        RuntimeError: there is no other process.
    """
    refuse("recv_object_list")


def set_comm_ops_inplace(is_enable: bool, func_list: list[str] | None = None) -> None:
    """Says that functions write what they receive, which they always do here.

    Args:
        is_enable: True.
        func_list: their names; None: all.

    Raises:
        TypeError: an argument of another type.
        ValueError: is_enable is False, or there is no such function.
    """
    if not isinstance(is_enable, bool) or not isinstance(func_list, (list, type(None))):
        raise TypeError(
            "For 'set_comm_ops_inplace', 'is_enable' must be a bool and 'func_list' a list or None, but got "
            f"{is_enable!r} and {func_list!r}."
        )
    unknown = [name for name in func_list or () if name not in __all__]
    if unknown or not is_enable:
        raise ValueError(
            f"For 'set_comm_ops_inplace', 'is_enable' must be True and 'func_list' name functions, but got {is_enable} and "
            f"{func_list}."
        )


__all__ = [*DISTRIBUTED, "gather", "scatter"]
