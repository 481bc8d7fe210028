"""Functions that communicate and return what they receive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.compat.communication.distributed import P2POp, all_to_all_v_c, batch_isend_irecv
from emberjit.compat.communication.groups import check_group, check_process, check_reduction
from emberjit.compat.communication.handles import CommHandle, check_list, check_sizes, handle, point_to_point
from emberjit.distributed import collectives
from emberjit.distributed.world import WORLD, Group

__all__ = [
    "P2POp",
    "all_gather_into_tensor",
    "all_reduce",
    "all_to_all_single_with_output_shape",
    "all_to_all_v_c",
    "all_to_all_with_output_shape",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "gather_into_tensor",
    "irecv",
    "isend",
    "recv",
    "reduce",
    "reduce_scatter_tensor",
    "scatter_tensor",
    "send",
]


def _check(function: str, tensor: Any, group: Any) -> Group:
    own = check_group(function, group)
    check_instance(function, "tensor", tensor, core.Tensor)
    return own


def all_reduce(tensor: Any, op: str = "sum", group: str = WORLD, async_op: bool = False) -> tuple[Any, CommHandle | None]:
    """(the Tensors of all processes reduced, a handle if `async_op`).

    Args:
        op: "sum", "max", "min", "prod" or "avg".

    Raises:
        TypeError, ValueError: an argument of another type, or no such reduction or group.
    """
    check_reduction("all_reduce", op)
    own = _check("all_reduce", tensor, group)
    return collectives.all_reduce(tensor, op, own), handle("all_reduce", async_op)


def all_gather_into_tensor(tensor: Any, group: str = WORLD, async_op: bool = False) -> tuple[Any, CommHandle | None]:
    """(the Tensors of all processes joined along the first axis, a handle if `async_op`).

    Raises:
        TypeError, ValueError: an argument of another type, or no such group.
    """
    own = _check("all_gather_into_tensor", tensor, group)
    return collectives.all_gather(tensor, own), handle("all_gather_into_tensor", async_op)


def all_to_all_with_output_shape(
    output_shape_list: Sequence[Any], input_tensor_list: Sequence[Any], group: str | None = None, async_op: bool = False
) -> tuple[tuple[Any, ...], CommHandle | None]:
    """(the Tensors that all processes have for this one, a handle if `async_op`).

    Args:
        output_shape_list: their shapes, as tuples or Tensors of such shapes.
        input_tensor_list: one for each process.

    Raises:
        TypeError, ValueError: an argument of another type, more than one of them, another shape, or no such group.
    """
    function = "all_to_all_with_output_shape"
    own = check_group(function, WORLD if group is None else group)
    shapes = [
        tuple(getattr(shape, "shape", shape)) for shape in check_list(function, "output_shape_list", output_shape_list, own)
    ]
    tensors = check_list(function, "input_tensor_list", input_tensor_list, own)
    for tensor in tensors:
        check_instance(function, "input_tensor_list", tensor, core.Tensor)
    if own.size == 1:
        _check_shape(function, shapes[0], tensors[0].shape)
    return tuple(collectives.exchange(tensors, shapes, own)), handle(function, async_op)


def _check_shape(function: str, expected: tuple[int, ...], received: tuple[int, ...]) -> None:
    if expected != received:
        raise ValueError(f"For '{function}', what is received has the shape {received}, but got {expected}.")


def all_to_all_single_with_output_shape(
    output_shape: Any,
    tensor: Any,
    output_split_sizes: Any = None,
    input_split_sizes: Any = None,
    group: str | None = None,
    async_op: bool = False,
) -> tuple[Any, CommHandle | None]:
    """(the parts that all processes have for this one, joined along the first axis; a handle if `async_op`).

    Args:
        output_shape: its shape, a tuple or a Tensor of this shape.
        output_split_sizes, input_split_sizes: the sizes of parts along the first axis, one for each process; None: equal.

    Raises:
        TypeError, ValueError: an argument of another type, another shape or size, or no such group.
    """
    function = "all_to_all_single_with_output_shape"
    own = _check(function, tensor, WORLD if group is None else group)
    shape = tuple(getattr(output_shape, "shape", output_shape))
    send = check_sizes(function, "input_split_sizes", input_split_sizes, tensor.shape[0], own)
    receive = check_sizes(function, "output_split_sizes", output_split_sizes, shape[0], own)
    received = collectives.all_to_all(tensor, own, send, receive)
    _check_shape(function, shape, received.shape)
    return received, handle(function, async_op)


def reduce_scatter_tensor(
    tensor: Any, op: str = "sum", group: str = WORLD, async_op: bool = False
) -> tuple[Any, CommHandle | None]:
    """(of the Tensors of all processes reduced, this process's part along the first axis; a handle if `async_op`).

    Raises:
        TypeError, ValueError: an argument of another type, or no such reduction or group.
    """
    check_reduction("reduce_scatter_tensor", op)
    own = _check("reduce_scatter_tensor", tensor, group)
    return collectives.reduce_scatter(tensor, op, own), handle("reduce_scatter_tensor", async_op)


def reduce(tensor: Any, dst: int, op: str = "sum", group: str = WORLD) -> Any:
    """The Tensors of all processes reduced, for process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process, reduction or group.
    """
    own = _check("reduce", tensor, group)
    check_process("reduce", "dst", dst, own.name)
    check_reduction("reduce", op)
    return collectives.all_reduce(tensor, op, own)


def broadcast(tensor: Any, src: int = 0, group: str = WORLD) -> Any:
    """The Tensor of process `src`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.
    """
    own = _check("broadcast", tensor, group)
    return collectives.broadcast(tensor, check_process("broadcast", "src", src, own.name), own)


def gather_into_tensor(tensor: Any, dst: int = 0, group: str = WORLD) -> Any:
    """The Tensors of all processes joined along the first axis, for process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.
    """
    own = _check("gather_into_tensor", tensor, group)
    check_process("gather_into_tensor", "dst", dst, own.name)
    return collectives.all_gather(tensor, own)


def scatter_tensor(tensor: Any, src: int = 0, group: str = WORLD) -> Any:
    """This process's part, along the first axis, of the Tensor of process `src`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.
    """
    own = _check("scatter_tensor", tensor, group)
    return collectives.scatter(tensor, check_process("scatter_tensor", "src", src, own.name), own)


def barrier(group: str = WORLD) -> None:
    """Waits for the other processes of a group.

    Raises:
        TypeError, ValueError: there is no such group.
    """
    collectives.barrier(check_group("barrier", group))


send, isend, recv, irecv = point_to_point(WORLD, _check, returns=True)
