"""Functions that communicate and return what they receive: of one process, a copy of what it gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.compat.communication.distributed import P2POp, all_to_all_v_c, batch_isend_irecv
from emberjit.compat.communication.groups import WORLD, check_group, check_process, check_reduction
from emberjit.compat.communication.handles import CommHandle, check_only, check_sizes, handle, with_another

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


def _copy(function: str, tensor: Any, group: Any) -> Any:
    _check(function, tensor, group)
    return tensor.copy()


def all_reduce(tensor: Any, op: str = "sum", group: str = WORLD, async_op: bool = False) -> tuple[Any, CommHandle | None]:
    """(the Tensors of all processes reduced, a handle if `async_op`).

    Args:
        op: "sum", "max", "min", "prod" or "avg".

    Raises:
        TypeError, ValueError: an argument of another type, or no such reduction or group.
    """
    check_reduction("all_reduce", op)
    return _copy("all_reduce", tensor, group), handle("all_reduce", async_op)


def all_gather_into_tensor(tensor: Any, group: str = WORLD, async_op: bool = False) -> tuple[Any, CommHandle | None]:
    """(the Tensors of all processes joined along the first axis, a handle if `async_op`).

    Raises:
        TypeError, ValueError: an argument of another type, or no such group.
    """
    return _copy("all_gather_into_tensor", tensor, group), handle("all_gather_into_tensor", async_op)


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
    shape = check_only(function, "output_shape_list", output_shape_list)
    tensor = check_only(function, "input_tensor_list", input_tensor_list)
    received = _copy(function, tensor, WORLD if group is None else group)
    _check_shape(function, shape, tensor)
    return (received,), handle(function, async_op)


def _check_shape(function: str, shape: Any, tensor: core.Tensor) -> None:
    expected = tuple(getattr(shape, "shape", shape))
    if expected != tensor.shape:
        raise ValueError(f"For '{function}', what is received has the shape {tensor.shape}, but got {expected}.")


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
    received = _copy(function, tensor, WORLD if group is None else group)
    _check_shape(function, output_shape, tensor)
    check_sizes(function, "output_split_sizes", output_split_sizes, tensor)
    check_sizes(function, "input_split_sizes", input_split_sizes, tensor)
    return received, handle(function, async_op)


def reduce_scatter_tensor(
    tensor: Any, op: str = "sum", group: str = WORLD, async_op: bool = False
) -> tuple[Any, CommHandle | None]:
    """(of the Tensors of all processes reduced, this process's part along the first axis; a handle if `async_op`).

    Raises:
        TypeError, ValueError: an argument of another type, or no such reduction or group.
    """
    check_reduction("reduce_scatter_tensor", op)
    return _copy("reduce_scatter_tensor", tensor, group), handle("reduce_scatter_tensor", async_op)


def reduce(tensor: Any, dst: int, op: str = "sum", group: str = WORLD) -> Any:
    """The Tensors of all processes reduced, for process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process, reduction or group.
    """
    check_process("reduce", "dst", dst)
    check_reduction("reduce", op)
    return _copy("reduce", tensor, group)


def broadcast(tensor: Any, src: int = 0, group: str = WORLD) -> Any:
    """The Tensor of process `src`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.
    """
    check_process("broadcast", "src", src)
    return _copy("broadcast", tensor, group)


def gather_into_tensor(tensor: Any, dst: int = 0, group: str = WORLD) -> Any:
    """The Tensors of all processes joined along the first axis, for process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.
    """
    check_process("gather_into_tensor", "dst", dst)
    return _copy("gather_into_tensor", tensor, group)


def scatter_tensor(tensor: Any, src: int = 0, group: str = WORLD) -> Any:
    """This process's part, along the first axis, of the Tensor of process `src`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.
    """
    check_process("scatter_tensor", "src", src)
    return _copy("scatter_tensor", tensor, group)


def barrier(group: str = WORLD) -> None:
    """Waits for the other processes of a group, of which there are none.

    Raises:
        TypeError, ValueError: there is no such group.
    """
    check_group("barrier", group)


def _check(function: str, tensor: Any, group: Any) -> None:
    check_group(function, group)
    check_instance(function, "tensor", tensor, core.Tensor)


send, isend, recv, irecv = with_another(WORLD, _check)
