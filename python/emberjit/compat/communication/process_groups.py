"""mint.distributed: groups of processes, and this one's rank in them."""

from __future__ import annotations

import itertools
from typing import Any

from emberjit.compat.communication import groups
from emberjit.compat.communication.groups import GlobalComm
from emberjit.distributed import world

Group = str | None


def group_of(function: str, group: Any) -> world.Group:
    """The group of a name; None is that of all processes.

    Raises:
        TypeError, ValueError: there is no such group, or this process is not in it.
    """
    return groups.check_group(function, world.WORLD if group is None else group)


def _name(function: str, group: Any) -> str:
    return group_of(function, group).name


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
    """Prepares communication between processes: those that mpirun has started, else this one alone.

    Args:
        backend: "hccl", "nccl" or "mccl".
        world_size: how many processes there are, or -1: as the launcher says.
        rank: that of this process, or -1.
        init_method, timeout, store, group_name, pg_options, device_id: of other ways to connect processes.

    Raises:
        TypeError, ValueError: another backend, size or rank.
        ImportError: mpirun has started the program, but mpi4py or its MPI is missing.
        RuntimeError: another launcher has started several processes.

    Examples:
        >>> mint.distributed.init_process_group()
        >>> print(mint.distributed.get_rank(), mint.distributed.get_world_size())
        0 1
        >>> mint.distributed.destroy_process_group()
    """
    groups.init(backend)
    own = world.group()
    for name, value, known in (("world_size", world_size, own.size), ("rank", rank, own.rank)):
        if value not in (-1, known):
            raise ValueError(f"For 'init_process_group', '{name}' must be {known}, or -1, but got {value}.")


def destroy_process_group(group: Group = None) -> None:
    """Removes a group; without one ends communication.

    Args:
        group: the group's name; by default all groups, which ends communication.

    Raises:
        TypeError, ValueError: there is no such group.

    Examples:
        >>> mint.distributed.init_process_group()
        >>> mint.distributed.destroy_process_group()
        >>> mint.distributed.is_initialized()
        False
    """
    if group is None:
        groups.release()
    else:
        groups.destroy_group(group)


def is_available() -> bool:
    """Whether this module can be used: True.

    Examples:
        >>> mint.distributed.is_available()
        True
    """
    return True


def is_initialized() -> bool:
    """Whether init_process_group was called.

    Examples:
        >>> mint.distributed.init_process_group()
        >>> mint.distributed.is_initialized()
        True
        >>> mint.distributed.destroy_process_group()
        >>> mint.distributed.is_initialized()
        False
    """
    return GlobalComm.INITED


def new_group(
    ranks: list[int] | None = None,
    timeout: Any = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
) -> str:
    """The name of a new group, which all processes make in the same order.

    Args:
        ranks: of its processes among all, a list of ints; None: all.
        timeout, backend, pg_options, use_local_synchronization, group_desc: of what connects processes.

    Raises:
        TypeError, ValueError: other ranks.

    Examples:
        >>> group = mint.distributed.new_group([0])
        >>> mint.distributed.get_process_group_ranks(group)
        [0]
        >>> mint.distributed.destroy_process_group(group)
    """
    name = next(name for i in itertools.count() if not world.exists(name := f"group_{i}"))
    groups.create_group(name, [*world.group().ranks] if ranks is None else ranks)
    return name


def get_rank(group: Group = None) -> int:
    """The rank of this process in a group.

    Args:
        group: the group's name; by default that of all processes.

    Raises:
        TypeError, ValueError: there is no such group.

    Examples:
        >>> mint.distributed.get_rank()
        0
    """
    return group_of("get_rank", group).rank


def get_world_size(group: Group = None) -> int:
    """How many processes a group has.

    Args:
        group: the group's name; by default that of all processes.

    Raises:
        TypeError, ValueError: there is no such group.

    Examples:
        >>> mint.distributed.get_world_size()
        1
    """
    return group_of("get_world_size", group).size


def get_backend(group: Group = None) -> str:
    """The backend's name.

    Args:
        group: the group's name; by default that of all processes.

    Raises:
        TypeError, ValueError: there is no such group.

    Examples:
        >>> mint.distributed.init_process_group("nccl")
        >>> mint.distributed.get_backend()
        'nccl'
        >>> mint.distributed.destroy_process_group()
    """
    group_of("get_backend", group)
    return GlobalComm.BACKEND


def get_global_rank(group: Group, group_rank: int) -> int:
    """The rank among all processes of one of a group.

    Args:
        group: the group's name; None is that of all processes.
        group_rank: a process's rank in the group.

    Raises:
        TypeError, ValueError: there is no such group or rank.

    Examples:
        >>> mint.distributed.get_global_rank(None, 0)
        0
    """
    return int(groups.get_world_rank_from_group_rank(_name("get_global_rank", group), group_rank))


def get_group_rank(group: Group, global_rank: int) -> int:
    """The rank in a group of one of all processes.

    Args:
        group: the group's name; None is that of all processes.
        global_rank: a process's rank among all.

    Raises:
        TypeError, ValueError: there is no such group or rank.

    Examples:
        >>> mint.distributed.get_group_rank(None, 0)
        0
    """
    return int(groups.get_group_rank_from_world_rank(global_rank, _name("get_group_rank", group)))


def get_process_group_ranks(group: Group = None) -> list[int]:
    """The ranks of a group's processes among all.

    Args:
        group: the group's name; by default that of all processes.

    Raises:
        TypeError, ValueError: there is no such group.

    Examples:
        >>> mint.distributed.get_process_group_ranks()
        [0]
    """
    return [*group_of("get_process_group_ranks", group).ranks]


__all__ = [
    "destroy_process_group",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_available",
    "is_initialized",
    "new_group",
]
