"""mint.distributed: functions that communicate and write what they receive into Tensors or lists. Those of objects take any
Python object that can be pickled.
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.compat.communication import DISTRIBUTED
from emberjit.compat.communication.collectives import *  # noqa: F403
from emberjit.compat.communication.groups import check_process
from emberjit.compat.communication.handles import CommHandle, check_list, check_other, point_to_point
from emberjit.compat.communication.list_collectives import *  # noqa: F403
from emberjit.compat.communication.process_groups import *  # noqa: F403
from emberjit.compat.communication.process_groups import Group, group_of
from emberjit.distributed import collectives, world


def all_gather_object(object_list: list[Any], obj: Any, group: Group = None) -> None:
    """Writes the objects of all processes into a list.

    Args:
        object_list: a list of an item for each process, into which the objects are written.
        obj: this process's object, of any kind.
        group: the group's name; by default that of all processes.

    Raises:
        TypeError, ValueError: object_list is no list of an item for each process, or no such group.

    Examples:
        >>> gathered = [None]
        >>> mint.distributed.all_gather_object(gathered, {"loss": 0.5})
        >>> gathered
        [{'loss': 0.5}]
    """
    own = group_of("all_gather_object", group)
    check_list("all_gather_object", "object_list", object_list, own)
    object_list[:] = collectives.gather_objects(obj, own)


def gather_object(obj: Any, object_gather_list: list[Any] | None = None, dst: int = 0, group: Group = None) -> None:
    """Writes the objects of all processes into a list of process `dst`.

    Args:
        obj: this process's object, of any kind.
        object_gather_list: a list of an item for each process, into which the objects are written.
        dst: the rank among all of the process that gets them.
        group: the group's name; by default that of all processes.

    Raises:
        TypeError, ValueError: object_gather_list is no list of an item for each process, or no such process or group.

    Examples:
        >>> gathered = [None]
        >>> mint.distributed.gather_object({"loss": 0.5}, gathered)
        >>> gathered
        [{'loss': 0.5}]
    """
    own = group_of("gather_object", group)
    to = check_process("gather_object", "dst", dst, own.name)
    if own.rank == to:
        check_list("gather_object", "object_gather_list", object_gather_list, own)
    objects = collectives.gather_objects(obj, own)
    if own.rank == to and object_gather_list is not None:
        object_gather_list[:] = objects


def scatter_object_list(
    scatter_object_output_list: list[Any], scatter_object_input_list: list[Any], src: int = 0, group: Group = None
) -> None:
    """Writes this process's object of the list of process `src`.

    Args:
        scatter_object_output_list: a list of one item, into which the object is written.
        scatter_object_input_list: a list of an object for each process.
        src: the rank among all of the process that sends.
        group: the group's name; by default that of all processes.

    Raises:
        TypeError, ValueError: a list has not an item for each process, or no such process or group.

    Examples:
        >>> received = [None]
        >>> mint.distributed.scatter_object_list(received, [{"loss": 0.5}])
        >>> received
        [{'loss': 0.5}]
    """
    own = group_of("scatter_object_list", group)
    root = check_process("scatter_object_list", "src", src, own.name)
    values: Any = None
    if own.rank == root:
        values = check_list("scatter_object_list", "scatter_object_input_list", scatter_object_input_list, own)
    check_instance("scatter_object_list", "scatter_object_output_list", scatter_object_output_list, list)
    scatter_object_output_list[:1] = [collectives.gather_objects(values, own)[root][own.rank]]


def broadcast_object_list(object_list: list[Any], src: int = 0, group: Group = None, device: Any = None) -> None:
    """Gives all processes the objects of process `src`.

    Args:
        object_list: what process `src` sends, and where the others receive it.
        src: the rank among all of the process that sends.
        group: the group's name; by default that of all processes.
        device: None.

    Raises:
        TypeError, ValueError: object_list is no list, or no such process or group.

    Examples:
        >>> objects = [{"loss": 0.5}]
        >>> mint.distributed.broadcast_object_list(objects)
        >>> objects
        [{'loss': 0.5}]
    """
    own = group_of("broadcast_object_list", group)
    root = check_process("broadcast_object_list", "src", src, own.name)
    check_instance("broadcast_object_list", "object_list", object_list, list)
    object_list[:] = collectives.gather_objects(object_list if own.rank == root else None, own)[root]


def _check(function: str, tensor: core.Tensor, group: Any) -> world.Group:
    check_instance(function, "tensor", tensor, core.Tensor)
    return group_of(function, group)


send, isend, recv, irecv = point_to_point(None, _check)


class P2POp:
    """What batch_isend_irecv() is to do.

    Args:
        op: "isend" or "irecv", or one of these functions.
        tensor: what is sent, or received into.
        peer: the other process.
        group: the group's name; by default that of all processes.
        tag: tells messages between the same processes apart.
        recv_dtype: the dtype of what objects are received as, of other backends.

    Raises:
        TypeError: op is neither, or tensor no Tensor.

    Examples:
        >>> send = mint.distributed.P2POp("isend", Tensor([1.0, 2.0]), peer=1)
        >>> print(send.op, send.peer)
        isend 1
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

    Args:
        p2p_op_list: a list of P2POps.

    Raises:
        TypeError: an item is no P2POp.
        RuntimeError: there is no other process.

    Examples:
        >>> send = mint.distributed.P2POp("isend", Tensor([1.0, 2.0]), peer=1)
        >>> mint.distributed.batch_isend_irecv([send])
        Traceback (most recent call last):
            ...
        RuntimeError: For 'isend', there is no other process: ...
    """
    if not isinstance(p2p_op_list, list) or not all(isinstance(one, P2POp) for one in p2p_op_list):
        raise TypeError(f"For 'batch_isend_irecv', 'p2p_op_list' must be a list of P2POps, but got {p2p_op_list!r}.")
    begin = {True: isend, False: irecv}
    return [begin[one.op in ("isend", isend)](one.tensor, one.peer, one.group, one.tag) for one in p2p_op_list]


def send_object_list(object_list: list[Any], dst: int, group: Group = None, device: Any = None) -> None:
    """Sends Python objects to another process.

    Args:
        object_list: what is sent.
        dst: the rank of the process that receives.
        group: the group's name; by default that of all processes.
        device: None.

    Raises:
        RuntimeError: there is no other process.

    Examples:
        >>> mint.distributed.send_object_list([{"loss": 0.5}], dst=1)
        Traceback (most recent call last):
            ...
        RuntimeError: For 'send_object_list', there is no other process: ...
    """
    own = group_of("send_object_list", group)
    to = check_other("send_object_list", "dst", dst, own)
    check_instance("send_object_list", "object_list", object_list, list)
    collectives.send_object(object_list, to, own)


def recv_object_list(object_list: list[Any], src: int = 0, group: Group = None, device: Any = None) -> int:
    """Receives Python objects of another process.

    Args:
        object_list: into which objects are received.
        src: the rank of the process that sends.
        group: the group's name; by default that of all processes.
        device: None.

    Returns:
        src.

    Raises:
        RuntimeError: there is no other process.

    Examples:
        >>> mint.distributed.recv_object_list([None], src=1)
        Traceback (most recent call last):
            ...
        RuntimeError: For 'recv_object_list', there is no other process: ...
    """
    own = group_of("recv_object_list", group)
    source = check_other("recv_object_list", "src", src, own)
    check_instance("recv_object_list", "object_list", object_list, list)
    object_list[:] = collectives.receive_object(source, own)
    return src


def set_comm_ops_inplace(is_enable: bool, func_list: list[str] | None = None) -> None:
    """Says that functions write what they receive, which they always do here.

    Args:
        is_enable: True.
        func_list: their names; None: all.

    Raises:
        TypeError: an argument of another type.
        ValueError: is_enable is False, or there is no such function.

    Examples:
        >>> mint.distributed.set_comm_ops_inplace(True)
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


__all__ = [*DISTRIBUTED, "gather", "scatter"]  # noqa: F405
