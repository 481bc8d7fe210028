"""What functions that communicate share: their handles, and checks of lists that have an item for each process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from emberjit._emberjit import Tensor
from emberjit.checks import check_bool, check_instance, check_int
from emberjit.distributed import collectives
from emberjit.distributed.world import Group


class CommHandle:
    """An operation of several processes that was begun.

    Args:
        finish: what is left to do, which the first wait() does; None: it is done.
    """

    def __init__(self, finish: Callable[[], None] | None = None):
        self._finish = finish

    def wait(self) -> None:
        """Returns when it is done."""
        finish, self._finish = self._finish, None
        if finish is not None:
            finish()

    def is_completed(self) -> bool:
        """Whether it is done."""
        return self._finish is None


def handle(function: str, async_op: Any) -> CommHandle | None:
    """What an operation that is done returns: a handle if it might go on.

    Raises:
        TypeError: async_op is no bool.
    """
    check_bool(function, "async_op", async_op)
    return CommHandle() if async_op else None


def check_counts(function: str, name: str, counts: Any, group: Group, own: int) -> list[int]:
    """How many elements each process has, of which this one has `own`.

    Raises:
        ValueError: they are others.
    """
    out = list(counts)
    if len(out) != group.size or out[group.rank] != own or min(out) < 0:
        raise ValueError(
            f"For '{function}', '{name}' must be [{own}], the number of elements, but got {out}."
            if group.size == 1
            else f"For '{function}', '{name}' must have a number of elements for each of {group.size} processes, for this "
            f"one, rank {group.rank}, {own}, but got {out}."
        )
    return out


def check_list(function: str, name: str, items: Any, group: Group) -> Sequence[Any]:
    """A list that has an item for each process.

    Raises:
        TypeError: it is no list.
        ValueError: it has another number of items.
    """
    check_instance(function, name, items, (list, tuple))
    if len(items) != group.size:
        raise ValueError(
            f"For '{function}', '{name}' must have one item for each process, {group.size}, but has {len(items)}."
        )
    return items  # type: ignore[no-any-return]


def check_sizes(function: str, name: str, sizes: Any, total: int, group: Group) -> list[int] | None:
    """The sizes of parts along axis 0, one for each process, which are `total` together; None: equal ones.

    Raises:
        ValueError: they are others.
    """
    if sizes is None:
        return None
    out = list(sizes)
    if len(out) != group.size or sum(out) != total or min(out) < 0:
        raise ValueError(
            f"For '{function}', '{name}' must be [{total}], the size of axis 0, but got {sizes}."
            if group.size == 1
            else f"For '{function}', '{name}' must have a size for each of {group.size} processes, {total} together, but "
            f"got {sizes}."
        )
    return out


def write_result(function: str, to: Tensor, values: Tensor) -> None:
    """Writes what is received into an output.

    Raises:
        TypeError, ValueError: that is no Tensor of its shape and dtype.
    """
    check_instance(function, "output", to, Tensor)
    check_instance(function, "input", values, Tensor)
    if to.shape != values.shape or to.dtype != values.dtype:
        raise ValueError(
            f"For '{function}', what is received is a Tensor of shape {tuple(values.shape)} and {values.dtype}, but the "
            f"output has shape {tuple(to.shape)} and {to.dtype}."
        )
    to.copy_(values)


def check_other(function: str, name: str, rank: Any, group: Group) -> int:
    """The rank in a group of another process, of which the rank among all is told.

    Raises:
        TypeError: no int.
        RuntimeError: there is no other process.
        ValueError: it is not in the group, or this one.
    """
    check_int(function, name, rank)
    if group.size == 1:
        raise RuntimeError(f"For '{function}', there is no other process: start the program with mpirun -n 2.")
    if rank not in group.ranks or rank == group.ranks[group.rank]:
        raise ValueError(
            f"For '{function}', '{name}' must be the rank of another process of {list(group.ranks)}, but got {rank}."
        )
    return group.ranks.index(rank)


def receive_into(tensor: Tensor, source: int, group: Group, tag: int) -> None:
    """Writes what one sends into a Tensor."""
    tensor.copy_(collectives.receive(tensor.shape, tensor.dtype, source, group, tag))


def _rename(function: Any, name: str, doc: str, module: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    own, other = ("is sent", "dst") if name.endswith("send") else ("is received into", "src")
    function.__doc__ = f"""{doc}

    Args:
        tensor: a Tensor, that {own}.
        {other}: the rank among all of the other process.
        group: the group's name; by default that of all processes.
        tag: tells messages between the same processes apart.

    Raises:
        TypeError, ValueError: an argument of another type, or no such group or process.
        RuntimeError: there is no other process.

    Examples:
        >>> mint.distributed.{name}(Tensor([1.0]), {other}=1)
        Traceback (most recent call last):
            ...
        RuntimeError: For '{name}', there is no other process: ...
    """
    return function


def point_to_point(world: Any, check: Callable[[str, Any, Any], Group], returns: bool = False) -> tuple[Any, Any, Any, Any]:
    """(send, isend, recv, irecv) of the module that `check` is of.

    Args:
        world: the group by default.
        check: called first, with the function's name, the Tensor and the group; the group that is meant.
        returns: whether what receives returns a new Tensor, with a handle from irecv, and does not write into its argument.
    """

    def sender(name: str, doc: str) -> Any:
        def send(tensor: Any, dst: int = 0, group: Any = world, tag: int = 0) -> Any:
            own = check(name, tensor, group)
            collectives.send(tensor, check_other(name, "dst", dst, own), own, tag)
            return CommHandle() if name == "isend" else None

        return _rename(send, name, doc, check.__module__)

    def receiver(name: str, doc: str) -> Any:
        def receive(tensor: Any, src: int = 0, group: Any = world, tag: int = 0) -> Any:
            own = check(name, tensor, group)
            source = check_other(name, "src", src, own)
            into = tensor.copy() if returns else tensor
            receiving = CommHandle(lambda: receive_into(into, source, own, tag))
            if name == "irecv":
                return (into, receiving) if returns else receiving
            receiving.wait()
            return into if returns else None

        return _rename(receive, name, doc, check.__module__)

    return (
        sender("send", "Sends a Tensor to another process."),
        sender("isend", "Begins to send a Tensor to another process."),
        receiver("recv", "Receives a Tensor of another process."),
        receiver("irecv", "Begins to receive a Tensor of another process; the handle's wait() receives it."),
    )
