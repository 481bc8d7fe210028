"""mint.distributed: functions of Tensors that all processes of a group call. Each writes what it receives into Tensors that it
is given: of one process, a copy of what that gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.compat.communication.groups import check_process, check_reduction
from emberjit.compat.communication.handles import CommHandle, check_counts, check_only, check_sizes, handle
from emberjit.compat.communication.process_groups import Group, group_of

Done = CommHandle | None


def _write(function: str, to: core.Tensor, values: core.Tensor) -> None:
    check_instance(function, "output", to, core.Tensor)
    check_instance(function, "input", values, core.Tensor)
    if to.shape != values.shape or to.dtype != values.dtype:
        raise ValueError(
            f"For '{function}', what is received is a Tensor of shape {tuple(values.shape)} and {values.dtype}, but the "
            f"output has shape {tuple(to.shape)} and {to.dtype}."
        )
    to.copy_(values)


def barrier(group: Group = None, async_op: bool = False, device_ids: Any = None) -> Done:
    """Waits for the other processes of a group, of which there are none.

    Args:
        device_ids: None.

    Raises:
        TypeError, ValueError: an argument of another type, or no such group.
    """
    if device_ids is not None:
        raise ValueError(f"For 'barrier', 'device_ids' must be None, but got {device_ids!r}.")
    group_of("barrier", group)
    return handle("barrier", async_op)


def all_reduce(tensor: core.Tensor, op: str = "sum", group: Group = None, async_op: bool = False) -> Done:
    """Reduces the Tensors of all processes in place.

    Args:
        op: "sum", "max", "min", "prod" or "avg".

    Raises:
        TypeError, ValueError: an argument of another type, or no such reduction or group.
    """
    group_of("all_reduce", group)
    check_instance("all_reduce", "tensor", tensor, core.Tensor)
    check_reduction("all_reduce", op)
    return handle("all_reduce", async_op)


def reduce(tensor: core.Tensor, dst: int, op: str = "sum", group: Group = None, async_op: bool = False) -> Done:
    """Reduces the Tensors of all processes into that of process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process, reduction or group.
    """
    check_process("reduce", "dst", dst)
    return all_reduce(tensor, op, group, async_op)


def broadcast(tensor: core.Tensor, src: int, group: Group = None, async_op: bool = False) -> Done:
    """Writes the Tensor of process `src` into those of all.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.
    """
    check_process("broadcast", "src", src)
    return all_reduce(tensor, "sum", group, async_op)


def all_gather_into_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, group: Group = None, async_op: bool = False
) -> Done:
    """Joins the Tensors of all processes along the first axis.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    group_of("all_gather_into_tensor", group)
    _write("all_gather_into_tensor", output_tensor, input_tensor)
    return handle("all_gather_into_tensor", async_op)


def all_gather_into_tensor_uneven(
    output: core.Tensor,
    input: core.Tensor,
    output_split_sizes: Sequence[int] | None = None,
    group: Group = None,
    async_op: bool = False,
) -> Done:
    """Joins Tensors of other sizes along the first axis.

    Args:
        output_split_sizes: of each process the size of the first axis.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    check_instance("all_gather_into_tensor_uneven", "input", input, core.Tensor)
    check_sizes("all_gather_into_tensor_uneven", "output_split_sizes", output_split_sizes, input)
    return all_gather_into_tensor(output, input, group, async_op)


def reduce_scatter_tensor(
    output: core.Tensor, input: core.Tensor, op: str = "sum", group: Group = None, async_op: bool = False
) -> Done:
    """Of the Tensors of all processes reduced, this process's part along the first axis.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.
    """
    check_reduction("reduce_scatter_tensor", op)
    return all_gather_into_tensor(output, input, group, async_op)


def reduce_scatter_tensor_uneven(
    output: core.Tensor,
    input: core.Tensor,
    input_split_sizes: Sequence[int] | None = None,
    op: str = "sum",
    group: Group = None,
    async_op: bool = False,
) -> Done:
    """The same, of parts of other sizes.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.
    """
    check_instance("reduce_scatter_tensor_uneven", "input", input, core.Tensor)
    check_sizes("reduce_scatter_tensor_uneven", "input_split_sizes", input_split_sizes, input)
    return reduce_scatter_tensor(output, input, op, group, async_op)


def all_to_all_single(
    output: core.Tensor,
    input: core.Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: Group = None,
    async_op: bool = False,
) -> Done:
    """Gives each process its part, along the first axis, of this one's Tensor.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    check_instance("all_to_all_single", "input", input, core.Tensor)
    check_sizes("all_to_all_single", "input_split_sizes", input_split_sizes, input)
    check_sizes("all_to_all_single", "output_split_sizes", output_split_sizes, input)
    return all_gather_into_tensor(output, input, group, async_op)


def all_gather(tensor_list: list[core.Tensor], tensor: core.Tensor, group: Group = None, async_op: bool = False) -> Done:
    """Writes the Tensors of all processes into a list of Tensors.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    return all_gather_into_tensor(check_only("all_gather", "tensor_list", tensor_list), tensor, group, async_op)


def all_to_all(
    output_tensor_list: list[core.Tensor], input_tensor_list: list[core.Tensor], group: Group = None, async_op: bool = False
) -> Done:
    """Gives each process its Tensor of this one's list.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    tensor = check_only("all_to_all", "input_tensor_list", input_tensor_list)
    return all_gather(output_tensor_list, tensor, group, async_op)


def reduce_scatter(
    output: core.Tensor, input_list: list[core.Tensor], op: str = "sum", group: Group = None, async_op: bool = False
) -> Done:
    """Reduces the Tensors that all processes have for this one.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.
    """
    return reduce_scatter_tensor(output, check_only("reduce_scatter", "input_list", input_list), op, group, async_op)


def gather(
    tensor: core.Tensor, gather_list: list[core.Tensor], dst: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes the Tensors of all processes into a list of process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.
    """
    check_process("gather", "dst", dst)
    return all_gather(gather_list, tensor, group, async_op)


def scatter(
    tensor: core.Tensor, scatter_list: list[core.Tensor], src: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes this process's Tensor of the list of process `src`.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.
    """
    check_process("scatter", "src", src)
    return all_gather_into_tensor(tensor, check_only("scatter", "scatter_list", scatter_list), group, async_op)


def gather_into_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, dst: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Joins the Tensors of all processes along the first axis, for process `dst`.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.
    """
    check_process("gather_into_tensor", "dst", dst)
    return all_gather_into_tensor(output_tensor, input_tensor, group, async_op)


def scatter_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, src: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes this process's part, along the first axis, of the Tensor of process `src`.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.
    """
    check_process("scatter_tensor", "src", src)
    return all_gather_into_tensor(output_tensor, input_tensor, group, async_op)


def all_to_all_v_c(
    output: core.Tensor, input: core.Tensor, send_count_matrix: Sequence[int], group: Group = None, async_op: bool = False
) -> Done:
    """Gives each process its part of this one's Tensor.

    Args:
        send_count_matrix: how many elements each process sends to each: of one, [input.size].

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.
    """
    check_instance("all_to_all_v_c", "input", input, core.Tensor)
    check_counts("all_to_all_v_c", "send_count_matrix", send_count_matrix, input.size)
    return all_gather_into_tensor(output, input, group, async_op)
