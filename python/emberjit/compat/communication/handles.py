"""What is shared by functions that communicate: their handles, and that there is nobody to send to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from emberjit._emberjit import Tensor
from emberjit.checks import check_bool, check_instance


class CommHandle:
    """An operation of several processes that was begun; with one process it is done at once."""

    def wait(self) -> None:
        """Returns when it is done."""

    def is_completed(self) -> bool:
        """Whether it is done."""
        return True


def handle(function: str, async_op: Any) -> CommHandle | None:
    """What an operation returns: a handle if it may go on.

    Raises:
        TypeError: async_op is no bool.
    """
    check_bool(function, "async_op", async_op)
    return CommHandle() if async_op else None


def check_counts(function: str, name: str, counts: Any, expected: int) -> None:
    """Checks how many elements each process gets: of one process, all.

    Raises:
        ValueError: they are others.
    """
    if list(counts) != [expected]:
        raise ValueError(f"For '{function}', '{name}' must be [{expected}], the number of elements, but got {list(counts)}.")


def check_only(function: str, name: str, items: Any) -> Any:
    """The one item of a list that has one for each process.

    Raises:
        TypeError: it is no list.
        ValueError: it has another number of items.
    """
    check_instance(function, name, items, (list, tuple))
    if len(items) != 1:
        raise ValueError(f"For '{function}', '{name}' must have one item for each process, 1, but has {len(items)}.")
    return items[0]


def check_sizes(function: str, name: str, sizes: Any, tensor: Tensor) -> None:
    """Checks the sizes of parts along axis 0, one for each process; None: any.

    Raises:
        ValueError: they are others.
    """
    if sizes is not None and list(sizes) != [tensor.shape[0]]:
        raise ValueError(f"For '{function}', '{name}' must be [{tensor.shape[0]}], the size of axis 0, but got {sizes}.")


def refuse(function: str) -> NoReturn:
    """Says that there is no other process.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError(
        f"For '{function}', there is no other process: emberjit does not communicate between processes (yet)."
    )


def _rename(function: Any, name: str, doc: str, module: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    own, other = ("is sent", "dst") if name.endswith("send") else ("is received into", "src")
    function.__doc__ = f"""{doc}

    Args:
        tensor: a Tensor, that {own}.
        {other}: the rank of the other process.
        group: the group's name; by default that of all processes.
        tag: tells messages between the same processes apart.

    Raises:
        TypeError, ValueError: an argument of another type, or no such group.
        RuntimeError: there is no other process.

    Examples:
        >>> mint.distributed.{name}(Tensor([1.0]), {other}=1)
        Traceback (most recent call last):
            ...
        RuntimeError: For '{name}', there is no other process: ...
    """
    return function


def with_another(world: Any, check: Callable[[str, Any, Any], None]) -> tuple[Any, Any, Any, Any]:
    """(send, isend, recv, irecv) of the module that `check` is of: they refuse, as there is no other process.

    Args:
        world: the group by default.
        check: called first, with the function's name, the Tensor and the group.
    """

    def sender(name: str, doc: str) -> Any:
        def send(tensor: Any, dst: int = 0, group: Any = world, tag: int = 0) -> Any:
            check(name, tensor, group)
            refuse(name)

        return _rename(send, name, doc, check.__module__)

    def receiver(name: str, doc: str) -> Any:
        def receive(tensor: Any, src: int = 0, group: Any = world, tag: int = 0) -> Any:
            check(name, tensor, group)
            refuse(name)

        return _rename(receive, name, doc, check.__module__)

    return (
        sender("send", "Sends a Tensor to another process."),
        sender("isend", "Begins to send a Tensor to another process."),
        receiver("recv", "Receives a Tensor of another process."),
        receiver("irecv", "Begins to receive a Tensor of another process."),
    )
