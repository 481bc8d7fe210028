"""Groups of processes. There is one process, so each group that exists holds it alone: its rank is 0 of 1."""

from __future__ import annotations

import os
from typing import Any

from emberjit.checks import check_int

HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP = (
    f"{backend}_world_group" for backend in ("hccl", "nccl", "mccl")
)
WORLD = HCCL_WORLD_COMM_GROUP  # as signatures have it
_BACKENDS = ("hccl", "nccl", "mccl")
_COUNTS = ("RANK_SIZE", "WORLD_SIZE", "MS_WORKER_NUM", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE")  # what launchers set
_WORLDS = (HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP)
_groups: set[str] = set()


class ReduceOp:
    """How elements of processes are reduced: the names SUM, MAX, MIN, PROD and AVG, which stand for "sum" and so on.

    Examples:
        >>> print(ops.ReduceOp.SUM, ops.ReduceOp.MAX)
        sum max
    """

    SUM, MAX, MIN, PROD, AVG = REDUCTIONS = "sum", "max", "min", "prod", "avg"

    def __init__(self) -> None:
        """There is nothing to give."""


class GlobalComm:
    """The backend and the group of all processes, and whether init was called.

    Examples:
        >>> from emberjit import communication
        >>> communication.GlobalComm.WORLD_COMM_GROUP
        'hccl_world_group'
    """

    BACKEND = "mccl"
    WORLD_COMM_GROUP = WORLD
    INITED = False
    CHECK_ENVS = True


def exists(group: str) -> bool:
    """Whether there is a group of this name."""
    return group in _WORLDS or group in _groups


def check_group(function: str, group: Any) -> str:
    """The name of a group.

    Raises:
        TypeError: no str.
        ValueError: there is no such group.
    """
    if not isinstance(group, str):
        kind = type(group)
        raise TypeError(f"For '{function}', the argument 'group' must be type of string, but got 'group' type : {kind}.")
    if not exists(group):
        known = ", ".join(repr(name) for name in (WORLD, *sorted(_groups)))
        raise ValueError(f"For '{function}', there is no group {group!r}: there are {known}; create_group makes others.")
    return group


def check_process(function: str, name: str, rank: Any) -> None:
    """Checks that a rank is that of the one process.

    Raises:
        TypeError: no int.
        ValueError: not 0.
    """
    check_int(function, name, rank)
    if rank != 0:
        raise ValueError(f"For '{function}', '{name}' must be 0, as there is one process, but got {rank}.")


def check_reduction(function: str, op: Any) -> None:
    """Checks how elements of processes are reduced.

    Raises:
        TypeError: no str.
        ValueError: there is no such reduction.
    """
    if not isinstance(op, str):
        raise TypeError(f"For '{function}', the 'op' must be str, but got {type(op).__name__}.")
    if op not in ReduceOp.REDUCTIONS:
        raise ValueError(f"For '{function}', the 'op' must be one of {ReduceOp.REDUCTIONS}, but got {op!r}.")


def init(backend_name: str | None = None) -> None:
    """Prepares communication between processes, of which there is one.

    Args:
        backend_name: "hccl", "nccl" or "mccl", or None.

    Raises:
        TypeError: no str.
        ValueError: there is no such backend.
        RuntimeError: a launcher started several processes.

    Examples:
        >>> from emberjit import communication
        >>> communication.init()
        >>> communication.get_rank(), communication.get_group_size()
        (0, 1)
    """
    if backend_name is not None and not isinstance(backend_name, str):
        kind = type(backend_name).__name__
        raise TypeError(f"For 'init', the argument 'backend_name' must be a string, but got the type : {kind}.")
    if backend_name is not None and backend_name not in _BACKENDS:
        raise ValueError(f"For 'init', the argument 'backend_name' must be one of {_BACKENDS}, but got {backend_name!r}.")
    for variable in _COUNTS:
        count = os.environ.get(variable, "")
        if count.isdigit() and int(count) > 1:
            raise RuntimeError(
                f"For 'init', {variable} says that there are {count} processes, but emberjit does not communicate between "
                "processes (yet): start the program once, without a launcher."
            )
    GlobalComm.BACKEND, GlobalComm.INITED = backend_name or "mccl", True


def _is_initialized() -> bool:
    """Whether init was called."""
    return GlobalComm.INITED


def release() -> None:
    """Ends communication; created groups are gone.

    Examples:
        >>> from emberjit import communication
        >>> communication.init()
        >>> communication.release()
    """
    _groups.clear()
    GlobalComm.INITED = False


def create_group(group: str, rank_ids: list[int], options: Any = None) -> None:
    """Makes a group.

    Args:
        group: its name.
        rank_ids: the ranks of its processes: [0].
        options: of other backends.

    Raises:
        TypeError: group is no str, or rank_ids no list.
        ValueError: the name is empty or exists, or rank_ids is not [0].

    Examples:
        >>> from emberjit import communication
        >>> communication.create_group("mine", [0])
        >>> communication.get_group_size("mine")
        1
        >>> communication.destroy_group("mine")
    """
    if not isinstance(group, str):
        check_group("create_group", group)
    if not isinstance(rank_ids, list):
        raise TypeError(f"For 'create_group', the argument 'rank_ids' must be a list, but got {type(rank_ids).__name__}.")
    if not group or exists(group):
        raise ValueError(f"For 'create_group', 'group' must be a name that no group has, but got {group!r}.")
    if rank_ids != [0]:
        raise ValueError(f"For 'create_group', 'rank_ids' must be [0], as there is one process, but got {rank_ids}.")
    _groups.add(group)


def destroy_group(group: str) -> None:
    """Removes a group that create_group made.

    Args:
        group: its name.

    Raises:
        TypeError, ValueError: there is no such group, or it is that of all processes.

    Examples:
        >>> from emberjit import communication
        >>> communication.create_group("mine", [0])
        >>> communication.destroy_group("mine")
    """
    if check_group("destroy_group", group) in _WORLDS:
        raise ValueError("For 'destroy_group', the group of all processes cannot be destroyed.")
    _groups.remove(group)


def _declare(name: str, doc: str, value: Any) -> Any:
    def function(group: str = WORLD) -> Any:
        check_group(name, group)
        return value

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{doc}

    Args:
        group: its name.

    Returns:
        {value!r}.

    Raises:
        TypeError: group is no str.
        ValueError: there is no such group.

    Examples:
        >>> from emberjit import communication
        >>> communication.{name}()
        {value!r}
    """
    return function


get_rank = _declare("get_rank", "The rank of this process in a group: 0.", 0)
get_local_rank = _declare("get_local_rank", "The rank of this process among those of its machine: 0.", 0)
get_group_size = _declare("get_group_size", "How many processes a group has: 1.", 1)
get_local_rank_size = _declare("get_local_rank_size", "How many processes of a group are on this machine: 1.", 1)
get_comm_name = _declare("get_comm_name", "The name of a group's communicator: empty, as there is none.", "")


def get_process_group_ranks(group: str = WORLD) -> list[int]:
    """The ranks of a group's processes: [0].

    Args:
        group: its name.

    Returns:
        A list of ints.

    Raises:
        TypeError, ValueError: there is no such group.

    Examples:
        >>> from emberjit import communication
        >>> communication.get_process_group_ranks()
        [0]
    """
    check_group("get_process_group_ranks", group)
    return [0]


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """The rank among all processes of one of a group.

    Args:
        group: its name.
        group_rank_id: the rank in the group: 0.

    Returns:
        An int.

    Raises:
        TypeError, ValueError: there is no such group or rank.

    Examples:
        >>> from emberjit import communication
        >>> communication.get_world_rank_from_group_rank("hccl_world_group", 0)
        0
    """
    check_group("get_world_rank_from_group_rank", group)
    check_process("get_world_rank_from_group_rank", "group_rank_id", group_rank_id)
    return 0


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """The rank in a group of one of all processes.

    Args:
        world_rank_id: the rank among all: 0.
        group: its name.

    Returns:
        An int.

    Raises:
        TypeError, ValueError: there is no such group or rank.

    Examples:
        >>> from emberjit import communication
        >>> communication.get_group_rank_from_world_rank(0, "hccl_world_group")
        0
    """
    check_group("get_group_rank_from_world_rank", group)
    check_process("get_group_rank_from_world_rank", "world_rank_id", world_rank_id)
    return 0
