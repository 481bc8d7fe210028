"""Groups of processes, by MindSpore's names. init() joins the processes that mpirun has started; without a launcher there is
one, of rank 0 of 1."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from emberjit.checks import check_int
from emberjit.distributed import world
from emberjit.distributed.world import WORLD, Group

HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP = world.WORLDS
_BACKENDS = ("hccl", "nccl", "mccl")
_OF_MPI = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK")  # what launchers of MPI set
_COUNTS = ("RANK_SIZE", "WORLD_SIZE", "MS_WORKER_NUM")  # what others set


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


def check_group(function: str, group: Any) -> Group:
    """The group of a name.

    Raises:
        TypeError: no str.
        ValueError: there is no such group, or this process is not in it.
    """
    if not isinstance(group, str):
        kind = type(group)
        raise TypeError(f"For '{function}', the argument 'group' must be type of string, but got 'group' type : {kind}.")
    if not world.exists(group):
        known = ", ".join(map(repr, world.names()))
        raise ValueError(f"For '{function}', there is no group {group!r}: there are {known}; create_group makes others.")
    out = world.group(group)
    if out.rank < 0:
        raise ValueError(f"For '{function}', this process, rank {world.group().rank}, is not in the group {group!r}.")
    return out


def check_process(function: str, name: str, rank: Any, group: Any = WORLD) -> int:
    """The rank in a group of a process of which the rank among all is told.

    Raises:
        TypeError: no int.
        ValueError: it is not in the group.
    """
    check_int(function, name, rank)
    ranks = check_group(function, group).ranks
    if rank not in ranks:
        one = "0, as there is one process" if ranks == (0,) else f"a rank of the group {group!r}, {list(ranks)}"
        raise ValueError(f"For '{function}', '{name}' must be {one}, but got {rank}.")
    return ranks.index(rank)


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
    """Prepares communication between processes: those that mpirun has started, else this one alone.

    Args:
        backend_name: "hccl", "nccl" or "mccl", or None. All are MPI here.

    Raises:
        TypeError: no str.
        ValueError: there is no such backend.
        ImportError: mpirun has started the program, but mpi4py or its MPI is missing.
        RuntimeError: another launcher has started several processes.

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
    if any(variable in os.environ for variable in _OF_MPI):
        world.connect()
    else:
        _refuse_other_launchers()
    GlobalComm.BACKEND, GlobalComm.INITED = backend_name or "mccl", True


def _refuse_other_launchers() -> None:
    for variable in _COUNTS:
        count = os.environ.get(variable, "")
        if count.isdigit() and int(count) > 1:
            raise RuntimeError(
                f"For 'init', {variable} says that there are {count} processes, but emberjit communicates over MPI: start "
                f"the program with mpirun -n {count} python -m emberjit script.py."
            )


def _is_initialized() -> bool:
    """Whether init was called."""
    return GlobalComm.INITED


def release() -> None:
    """Ends communication, once all processes do; created groups are gone.

    Examples:
        >>> from emberjit import communication
        >>> communication.init()
        >>> communication.release()
    """
    world.disconnect()
    GlobalComm.INITED = False


def create_group(group: str, rank_ids: list[int], options: Any = None) -> None:
    """Makes a group. Each of its processes calls this.

    Args:
        group: its name.
        rank_ids: the ranks of its processes among all, a list of ints.
        options: of other backends.

    Raises:
        TypeError: group is no str, or rank_ids no list of ints.
        ValueError: the name is empty or exists, or there is no process of a rank, or a rank stands twice.

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
    if not group or world.exists(group):
        raise ValueError(f"For 'create_group', 'group' must be a name that no group has, but got {group!r}.")
    ranks = world.group().ranks
    if not rank_ids or len({*rank_ids}) < len(rank_ids) or not {*rank_ids} <= {*ranks}:
        those = "[0], as there is one process" if ranks == (0,) else f"different ones of {list(ranks)}"
        raise ValueError(f"For 'create_group', 'rank_ids' must be {those}, but got {rank_ids}.")
    world.create(group, tuple(rank_ids))


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
    if check_group("destroy_group", group).name == WORLD:
        raise ValueError("For 'destroy_group', the group of all processes cannot be destroyed.")
    world.destroy(group)


def _declare(name: str, doc: str, answer: Callable[[Group], Any]) -> Any:
    alone = answer(world.group())

    def function(group: str = WORLD) -> Any:
        return answer(check_group(name, group))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{doc}

    Args:
        group: its name.

    Returns:
        {type(alone).__name__}; {alone!r} where there is one process.

    Raises:
        TypeError: group is no str.
        ValueError: there is no such group, or this process is not in it.

    Examples:
        >>> from emberjit import communication
        >>> communication.{name}()
        {alone!r}
    """
    return function


get_rank = _declare("get_rank", "The rank of this process in a group.", lambda group: group.rank)
get_local_rank = _declare(
    "get_local_rank", "The rank of this process among those of its machine.", lambda group: group.local.index(group.rank)
)
get_group_size = _declare("get_group_size", "How many processes a group has.", lambda group: group.size)
get_local_rank_size = _declare(
    "get_local_rank_size", "How many processes of a group are on this machine.", lambda group: len(group.local)
)
get_comm_name = _declare("get_comm_name", "The name of a group's communicator: empty, as it has none.", lambda group: "")


def get_process_group_ranks(group: str = WORLD) -> list[int]:
    """The ranks of a group's processes among all.

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
    return [*check_group("get_process_group_ranks", group).ranks]


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """The rank among all processes of one of a group.

    Args:
        group: its name.
        group_rank_id: the rank in the group.

    Returns:
        An int.

    Raises:
        TypeError, ValueError: there is no such group or rank.

    Examples:
        >>> from emberjit import communication
        >>> communication.get_world_rank_from_group_rank("hccl_world_group", 0)
        0
    """
    ranks = check_group("get_world_rank_from_group_rank", group).ranks
    check_int("get_world_rank_from_group_rank", "group_rank_id", group_rank_id)
    if not 0 <= group_rank_id < len(ranks):
        raise ValueError(
            f"For 'get_world_rank_from_group_rank', 'group_rank_id' must be from 0 to {len(ranks) - 1}, but got "
            f"{group_rank_id}."
        )
    return ranks[group_rank_id]


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """The rank in a group of one of all processes.

    Args:
        world_rank_id: the rank among all.
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
    return check_process("get_group_rank_from_world_rank", "world_rank_id", world_rank_id, group)
