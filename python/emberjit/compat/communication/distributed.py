"""mint.distributed: functions that communicate and write what they receive into Tensors or lists. Of one process that is a
copy of what it gave. Those of objects take any Python object.
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.compat.communication import DISTRIBUTED
from emberjit.compat.communication.collectives import (
    all_gather,
    all_gather_into_tensor,
    all_gather_into_tensor_uneven,
    all_reduce,
    all_to_all,
    all_to_all_single,
    all_to_all_v_c,
    barrier,
    broadcast,
    gather,
    gather_into_tensor,
    reduce,
    reduce_scatter,
    reduce_scatter_tensor,
    reduce_scatter_tensor_uneven,
    scatter,
    scatter_tensor,
)
from emberjit.compat.communication.groups import check_process
from emberjit.compat.communication.handles import CommHandle, check_only, refuse, with_another
from emberjit.compat.communication.process_groups import (
    Group,
    destroy_process_group,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group_of,
    init_process_group,
    is_available,
    is_initialized,
    new_group,
)


def all_gather_object(object_list: list[Any], obj: Any, group: Group = None) -> None:
    """Writes the objects of all processes into a list.

    Raises:
        TypeError, ValueError: object_list is no list of one item, or no such group.
    """
    group_of("all_gather_object", group)
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
    group_of("broadcast_object_list", group)
    check_instance("broadcast_object_list", "object_list", object_list, list)


def _check(function: str, tensor: core.Tensor, group: Any) -> None:
    group_of(function, group)


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
