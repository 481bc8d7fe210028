"""The processes that communicate, and groups of them. A process is alone until connect(), which joins those that mpirun has
started; ranks are those of MPI.
"""

from __future__ import annotations

import atexit
import sys
from types import TracebackType
from typing import Any, NamedTuple

from emberjit import context
from emberjit.capture.session.session import guard
from emberjit.distributed import mpi
from emberjit.distributed.serving import Service

WORLD = mpi.WORLD
WORLDS = (WORLD, "nccl_world_group", "mccl_world_group")  # names of the group of all


class Group(NamedTuple):
    """A group of processes.

    Args:
        name: by which ops know it.
        ranks: of its processes among all, in the order of their ranks in the group.
        rank: of this process in the group; -1: it is not in it.
        local: ranks in the group of the processes that are on this one's machine.
    """

    name: str
    ranks: tuple[int, ...]
    rank: int
    local: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many processes it has."""
        return len(self.ranks)


_ALONE = {name: Group(WORLD, (0,), 0, (0,)) for name in WORLDS}
_groups: dict[str, Group] = dict(_ALONE)
_texts = {name: str(group) for name, group in _groups.items()}  # of which graphs depend
_communicators: dict[str, Any] = {}  # of MPI, if there are other processes
_service: Service | None = None


def names() -> list[str]:
    """Those of the groups that were made, and of the group of all."""
    return [WORLD, *sorted(_groups.keys() - set(WORLDS))]


def exists(name: Any) -> bool:
    """Whether there is a group of this name."""
    return name in _groups


def group(name: str = WORLD) -> Group:
    """The group of a name. What is captured meanwhile serves only while it is this one.

    Raises:
        KeyError: there is none.
    """
    guard("item", _texts, name, _texts[name])
    return _groups[name]


def _hold(groups: dict[str, Group]) -> None:
    _groups.update(groups)
    _texts.update({name: str(group) for name, group in groups.items()})


def _members(name: str, ranks: tuple[int, ...]) -> Group:
    """The group of these ranks, seen from this process."""
    all_ranks = _groups[WORLD]
    own, near = all_ranks.rank, [all_ranks.ranks[i] for i in all_ranks.local]
    return Group(
        name, ranks, ranks.index(own) if own in ranks else -1, tuple(i for i, rank in enumerate(ranks) if rank in near)
    )


def _end_all(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """What an error that nobody catches does: its traceback is written, then all processes end."""
    _excepthook(kind, error, traceback)
    sys.stdout.flush()
    sys.stderr.flush()
    mpi.load().COMM_WORLD.Abort(1)


_excepthook = sys.excepthook


def connect() -> None:
    """Joins the processes that mpirun has started.

    Raises:
        ImportError: there is no mpi4py, or no MPI.
    """
    global _service, _excepthook
    if _service is not None:
        return
    library = mpi.load()
    world = library.COMM_WORLD.Dup()
    if world.size == 1:
        return
    near = world.Split_type(library.COMM_TYPE_SHARED)
    local = tuple(near.allgather(world.rank))
    ranks = tuple(range(world.size))
    _hold({name: Group(WORLD, ranks, world.rank, local) for name in WORLDS})
    _communicators[WORLD] = world
    context.set_processes(world.size, world.rank)
    _service = Service(mpi.Carrier(_communicators))
    _excepthook, sys.excepthook = sys.excepthook, _end_all
    atexit.register(disconnect)


def disconnect() -> None:
    """Ends communication, once all processes do; this process is alone again."""
    global _service
    if _service is not None:
        _service.close()
        _service = None
        sys.excepthook = _excepthook
        atexit.unregister(disconnect)
        context.set_processes(1, 0)
    _communicators.clear()
    for name in _groups.keys() - _ALONE.keys():
        del _groups[name], _texts[name]
    _hold(_ALONE)


def create(name: str, ranks: tuple[int, ...]) -> None:
    """Makes a group, which each of its processes calls."""
    made = _members(name, ranks)
    if made.size > 1 and made.rank >= 0:
        world = _communicators[WORLD]
        _communicators[name] = world.Create_group(world.group.Incl(list(ranks)))
    _hold({name: made})


def destroy(name: str) -> None:
    """Removes a group."""
    del _groups[name], _texts[name]
    communicator = _communicators.pop(name, None)
    if communicator is not None:
        communicator.Free()
