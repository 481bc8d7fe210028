"""mint.distributed: functions of Tensors that all processes of a group call. Each writes what it receives into Tensors that
it is given: of one process, a copy of what that gave.
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
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits.
        device_ids: None.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, or no such group.

    Examples:
        >>> mint.distributed.barrier()
        >>> mint.distributed.barrier(async_op=True).is_completed()
        True
    """
    if device_ids is not None:
        raise ValueError(f"For 'barrier', 'device_ids' must be None, but got {device_ids!r}.")
    group_of("barrier", group)
    return handle("barrier", async_op)


def all_reduce(tensor: core.Tensor, op: str = "sum", group: Group = None, async_op: bool = False) -> Done:
    """Reduces the Tensors of all processes in place: of one process, its Tensor stays as it is.

    Args:
        tensor: this process's Tensor, into which the result is written.
        op: "sum", "max", "min", "prod" or "avg".
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, or no such reduction or group.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> mint.distributed.all_reduce(x)
        >>> print(x)
        [1. 2.]
    """
    group_of("all_reduce", group)
    check_instance("all_reduce", "tensor", tensor, core.Tensor)
    check_reduction("all_reduce", op)
    return handle("all_reduce", async_op)


def reduce(tensor: core.Tensor, dst: int, op: str = "sum", group: Group = None, async_op: bool = False) -> Done:
    """Reduces the Tensors of all processes into that of process `dst`.

    Args:
        tensor: this process's Tensor; that of process `dst` is written.
        dst: the rank of the process that gets the result: 0.
        op: "sum", "max", "min", "prod" or "avg".
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process, reduction or group.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> mint.distributed.reduce(x, dst=0, op="max")
        >>> print(x)
        [1. 2.]
    """
    check_process("reduce", "dst", dst)
    return all_reduce(tensor, op, group, async_op)


def broadcast(tensor: core.Tensor, src: int, group: Group = None, async_op: bool = False) -> Done:
    """Writes the Tensor of process `src` into those of all.

    Args:
        tensor: what process `src` sends, and where the others receive it.
        src: the rank of the process that sends: 0.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, or no such process or group.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> mint.distributed.broadcast(x, src=0)
        >>> print(x)
        [1. 2.]
    """
    check_process("broadcast", "src", src)
    return all_reduce(tensor, "sum", group, async_op)


def all_gather_into_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, group: Group = None, async_op: bool = False
) -> Done:
    """Joins the Tensors of all processes along the first axis.

    Args:
        output_tensor: where the result is written, of input_tensor's dtype and, of one process, its shape.
        input_tensor: this process's Tensor.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.

    Examples:
        >>> gathered = ops.zeros((2,))
        >>> mint.distributed.all_gather_into_tensor(gathered, Tensor([1.0, 2.0]))
        >>> print(gathered)
        [1. 2.]
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
        output: where the result is written, of input's dtype and, of one process, its shape.
        input: this process's Tensor.
        output_split_sizes: of each process the size of the first axis; by default those that fit.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.

    Examples:
        >>> gathered = ops.zeros((2,))
        >>> mint.distributed.all_gather_into_tensor_uneven(gathered, Tensor([1.0, 2.0]), [2])
        >>> print(gathered)
        [1. 2.]
    """
    check_instance("all_gather_into_tensor_uneven", "input", input, core.Tensor)
    check_sizes("all_gather_into_tensor_uneven", "output_split_sizes", output_split_sizes, input)
    return all_gather_into_tensor(output, input, group, async_op)


def reduce_scatter_tensor(
    output: core.Tensor, input: core.Tensor, op: str = "sum", group: Group = None, async_op: bool = False
) -> Done:
    """Of the Tensors of all processes reduced, this process's part along the first axis.

    Args:
        output: where this process's part is written, of input's dtype and, of one process, its shape.
        input: this process's Tensor, whose first axis has the parts of all processes.
        op: "sum", "max", "min", "prod" or "avg".
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.

    Examples:
        >>> part = ops.zeros((2,))
        >>> mint.distributed.reduce_scatter_tensor(part, Tensor([1.0, 2.0]))
        >>> print(part)
        [1. 2.]
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
    """Of the Tensors of all processes reduced, this process's part along the first axis, where parts may have other sizes.

    Args:
        output: where this process's part is written, of input's dtype and, of one process, its shape.
        input: this process's Tensor, whose first axis has the parts of all processes.
        input_split_sizes: of each process the size of its part along the first axis; by default equal ones.
        op: "sum", "max", "min", "prod" or "avg".
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.

    Examples:
        >>> part = ops.zeros((2,))
        >>> mint.distributed.reduce_scatter_tensor_uneven(part, Tensor([1.0, 2.0]), [2], op="max")
        >>> print(part)
        [1. 2.]
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

    Args:
        output: where what is received is written, of input's dtype and, of one process, its shape.
        input: this process's Tensor, whose first axis has the parts for all processes.
        output_split_sizes: of each process the size of what it sends along the first axis; by default equal ones.
        input_split_sizes: of each process the size of what it receives along the first axis; by default equal ones.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.

    Examples:
        >>> received = ops.zeros((2,))
        >>> mint.distributed.all_to_all_single(received, Tensor([1.0, 2.0]))
        >>> print(received)
        [1. 2.]
    """
    check_instance("all_to_all_single", "input", input, core.Tensor)
    check_sizes("all_to_all_single", "input_split_sizes", input_split_sizes, input)
    check_sizes("all_to_all_single", "output_split_sizes", output_split_sizes, input)
    return all_gather_into_tensor(output, input, group, async_op)


def all_gather(tensor_list: list[core.Tensor], tensor: core.Tensor, group: Group = None, async_op: bool = False) -> Done:
    """Writes the Tensors of all processes into a list of Tensors.

    Args:
        tensor_list: a list of a Tensor for each process, of tensor's shape and dtype, into which the results are written.
        tensor: this process's Tensor.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the results are there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.

    Examples:
        >>> gathered = [ops.zeros((2,))]
        >>> mint.distributed.all_gather(gathered, Tensor([1.0, 2.0]))
        >>> print(gathered[0])
        [1. 2.]
    """
    return all_gather_into_tensor(check_only("all_gather", "tensor_list", tensor_list), tensor, group, async_op)


def all_to_all(
    output_tensor_list: list[core.Tensor], input_tensor_list: list[core.Tensor], group: Group = None, async_op: bool = False
) -> Done:
    """Gives each process its Tensor of this one's list.

    Args:
        output_tensor_list: a list of a Tensor for each process, into which what is received from it is written.
        input_tensor_list: a list of a Tensor for each process, which it is sent.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the results are there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.

    Examples:
        >>> received = [ops.zeros((2,))]
        >>> mint.distributed.all_to_all(received, [Tensor([1.0, 2.0])])
        >>> print(received[0])
        [1. 2.]
    """
    tensor = check_only("all_to_all", "input_tensor_list", input_tensor_list)
    return all_gather(output_tensor_list, tensor, group, async_op)


def reduce_scatter(
    output: core.Tensor, input_list: list[core.Tensor], op: str = "sum", group: Group = None, async_op: bool = False
) -> Done:
    """Reduces the Tensors that all processes have for this one.

    Args:
        output: where the result is written, of the shape and dtype of the Tensors in input_list.
        input_list: a list of a Tensor for each process.
        op: "sum", "max", "min", "prod" or "avg".
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such reduction or group.

    Examples:
        >>> part = ops.zeros((2,))
        >>> mint.distributed.reduce_scatter(part, [Tensor([1.0, 2.0])])
        >>> print(part)
        [1. 2.]
    """
    return reduce_scatter_tensor(output, check_only("reduce_scatter", "input_list", input_list), op, group, async_op)


def gather(
    tensor: core.Tensor, gather_list: list[core.Tensor], dst: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes the Tensors of all processes into a list of process `dst`.

    Args:
        tensor: this process's Tensor.
        gather_list: a list of a Tensor for each process, of tensor's shape and dtype, for the results.
        dst: the rank of the process that gets the results: 0.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the results are there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.

    Examples:
        >>> gathered = [ops.zeros((2,))]
        >>> mint.distributed.gather(Tensor([1.0, 2.0]), gathered)
        >>> print(gathered[0])
        [1. 2.]
    """
    check_process("gather", "dst", dst)
    return all_gather(gather_list, tensor, group, async_op)


def scatter(
    tensor: core.Tensor, scatter_list: list[core.Tensor], src: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes this process's Tensor of the list of process `src`.

    Args:
        tensor: where the result is written.
        scatter_list: a list of a Tensor for each process, of tensor's shape and dtype.
        src: the rank of the process that sends: 0.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.

    Examples:
        >>> part = ops.zeros((2,))
        >>> mint.distributed.scatter(part, [Tensor([1.0, 2.0])])
        >>> print(part)
        [1. 2.]
    """
    check_process("scatter", "src", src)
    return all_gather_into_tensor(tensor, check_only("scatter", "scatter_list", scatter_list), group, async_op)


def gather_into_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, dst: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Joins the Tensors of all processes along the first axis, for process `dst`.

    Args:
        output_tensor: where the result is written, of input_tensor's dtype and, of one process, its shape.
        input_tensor: this process's Tensor.
        dst: the rank of the process that gets the result: 0.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.

    Examples:
        >>> gathered = ops.zeros((2,))
        >>> mint.distributed.gather_into_tensor(gathered, Tensor([1.0, 2.0]))
        >>> print(gathered)
        [1. 2.]
    """
    check_process("gather_into_tensor", "dst", dst)
    return all_gather_into_tensor(output_tensor, input_tensor, group, async_op)


def scatter_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, src: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes this process's part, along the first axis, of the Tensor of process `src`.

    Args:
        output_tensor: where the result is written, of input_tensor's dtype and, of one process, its shape.
        input_tensor: what process `src` sends, whose first axis has the parts of all processes.
        src: the rank of the process that sends: 0.
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such process or group.

    Examples:
        >>> part = ops.zeros((2,))
        >>> mint.distributed.scatter_tensor(part, Tensor([1.0, 2.0]))
        >>> print(part)
        [1. 2.]
    """
    check_process("scatter_tensor", "src", src)
    return all_gather_into_tensor(output_tensor, input_tensor, group, async_op)


def all_to_all_v_c(
    output: core.Tensor, input: core.Tensor, send_count_matrix: Sequence[int], group: Group = None, async_op: bool = False
) -> Done:
    """Gives each process its part of this one's Tensor.

    Args:
        output: where what is received is written, of input's dtype and, of one process, its shape.
        input: this process's Tensor.
        send_count_matrix: how many elements each process sends to each: of one, [input.size].
        group: the group's name; by default that of all processes.
        async_op: whether to return a handle at once, whose wait() waits until the result is there.

    Returns:
        None, or with async_op a handle.

    Raises:
        TypeError, ValueError: an argument of another type, shape or dtype, or no such group.

    Examples:
        >>> received = ops.zeros((2,))
        >>> mint.distributed.all_to_all_v_c(received, Tensor([1.0, 2.0]), [2])
        >>> print(received)
        [1. 2.]
    """
    check_instance("all_to_all_v_c", "input", input, core.Tensor)
    check_counts("all_to_all_v_c", "send_count_matrix", send_count_matrix, input.size)
    return all_gather_into_tensor(output, input, group, async_op)


__all__ = [
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "all_to_all_v_c",
    "barrier",
    "broadcast",
    "gather",
    "gather_into_tensor",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_uneven",
    "scatter",
    "scatter_tensor",
]
