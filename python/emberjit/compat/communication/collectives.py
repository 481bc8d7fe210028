"""mint.distributed: functions of Tensors that all processes of a group call. Each writes what it receives into Tensors that
are its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.compat.communication.groups import check_process, check_reduction
from emberjit.compat.communication.handles import CommHandle, check_sizes, handle, write_result
from emberjit.compat.communication.process_groups import Group, group_of
from emberjit.distributed import collectives

Done = CommHandle | None


def barrier(group: Group = None, async_op: bool = False, device_ids: Any = None) -> Done:
    """Waits for the other processes of a group.

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
    collectives.barrier(group_of("barrier", group))
    return handle("barrier", async_op)


def all_reduce(tensor: core.Tensor, op: str = "sum", group: Group = None, async_op: bool = False) -> Done:
    """Reduces the Tensors of all processes in place.

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
    own = group_of("all_reduce", group)
    check_instance("all_reduce", "tensor", tensor, core.Tensor)
    check_reduction("all_reduce", op)
    if own.size > 1:
        tensor.copy_(collectives.all_reduce(tensor, op, own))
    return handle("all_reduce", async_op)


def reduce(tensor: core.Tensor, dst: int, op: str = "sum", group: Group = None, async_op: bool = False) -> Done:
    """Reduces the Tensors of all processes into that of process `dst`.

    Args:
        tensor: this process's Tensor; that of process `dst` is written.
        dst: the rank among all of the process that gets the result.
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
    own = group_of("reduce", group)
    to = check_process("reduce", "dst", dst, own.name)
    check_instance("reduce", "tensor", tensor, core.Tensor)
    check_reduction("reduce", op)
    result = collectives.all_reduce(tensor, op, own)
    if own.rank == to:
        tensor.copy_(result)
    return handle("reduce", async_op)


def broadcast(tensor: core.Tensor, src: int, group: Group = None, async_op: bool = False) -> Done:
    """Writes the Tensor of process `src` into those of all.

    Args:
        tensor: what process `src` sends, and where the others receive it.
        src: the rank among all of the process that sends.
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
    own = group_of("broadcast", group)
    root = check_process("broadcast", "src", src, own.name)
    check_instance("broadcast", "tensor", tensor, core.Tensor)
    if own.size > 1:
        tensor.copy_(collectives.broadcast(tensor, root, own))
    return handle("broadcast", async_op)


def all_gather_into_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, group: Group = None, async_op: bool = False
) -> Done:
    """Joins the Tensors of all processes along the first axis.

    Args:
        output_tensor: where the result is written, of input_tensor's dtype.
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
    own = group_of("all_gather_into_tensor", group)
    check_instance("all_gather_into_tensor", "input_tensor", input_tensor, core.Tensor)
    write_result("all_gather_into_tensor", output_tensor, collectives.all_gather(input_tensor, own))
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
        output: where the result is written, of input's dtype.
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
    function = "all_gather_into_tensor_uneven"
    own = group_of(function, group)
    check_instance(function, "output", output, core.Tensor)
    check_instance(function, "input", input, core.Tensor)
    rows = (input if own.size == 1 else output).shape[0]
    counts = check_sizes(function, "output_split_sizes", output_split_sizes, rows, own)
    write_result(function, output, collectives.all_gather(input, own, counts))
    return handle(function, async_op)


def reduce_scatter_tensor(
    output: core.Tensor, input: core.Tensor, op: str = "sum", group: Group = None, async_op: bool = False
) -> Done:
    """Of the Tensors of all processes reduced, this process's part along the first axis.

    Args:
        output: where this process's part is written, of input's dtype.
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
    function = "reduce_scatter_tensor"
    own = group_of(function, group)
    check_instance(function, "input", input, core.Tensor)
    check_reduction(function, op)
    write_result(function, output, collectives.reduce_scatter(input, op, own))
    return handle(function, async_op)


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
        output: where this process's part is written, of input's dtype.
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
    function = "reduce_scatter_tensor_uneven"
    own = group_of(function, group)
    check_instance(function, "input", input, core.Tensor)
    check_reduction(function, op)
    counts = check_sizes(function, "input_split_sizes", input_split_sizes, input.shape[0], own)
    write_result(function, output, collectives.reduce_scatter(input, op, own, counts))
    return handle(function, async_op)


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
        output: where what is received is written, of input's dtype.
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
    function = "all_to_all_single"
    own = group_of(function, group)
    check_instance(function, "output", output, core.Tensor)
    check_instance(function, "input", input, core.Tensor)
    send = check_sizes(function, "input_split_sizes", input_split_sizes, input.shape[0], own)
    rows = (input if own.size == 1 else output).shape[0]
    receive = check_sizes(function, "output_split_sizes", output_split_sizes, rows, own)
    write_result(function, output, collectives.all_to_all(input, own, send, receive))
    return handle(function, async_op)


def gather_into_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, dst: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Joins the Tensors of all processes along the first axis, for process `dst`.

    Args:
        output_tensor: where the result is written, of input_tensor's dtype.
        input_tensor: this process's Tensor.
        dst: the rank among all of the process that gets the result.
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
    function = "gather_into_tensor"
    own = group_of(function, group)
    to = check_process(function, "dst", dst, own.name)
    check_instance(function, "input_tensor", input_tensor, core.Tensor)
    whole = collectives.all_gather(input_tensor, own)
    if own.rank == to:
        write_result(function, output_tensor, whole)
    return handle(function, async_op)


def scatter_tensor(
    output_tensor: core.Tensor, input_tensor: core.Tensor, src: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes this process's part, along the first axis, of the Tensor of process `src`.

    Args:
        output_tensor: where the result is written, of input_tensor's dtype.
        input_tensor: what process `src` sends, whose first axis has the parts of all processes.
        src: the rank among all of the process that sends.
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
    own = group_of("scatter_tensor", group)
    root = check_process("scatter_tensor", "src", src, own.name)
    check_instance("scatter_tensor", "input_tensor", input_tensor, core.Tensor)
    write_result("scatter_tensor", output_tensor, collectives.scatter(input_tensor, root, own))
    return handle("scatter_tensor", async_op)


def all_to_all_v_c(
    output: core.Tensor, input: core.Tensor, send_count_matrix: Sequence[int], group: Group = None, async_op: bool = False
) -> Done:
    """Gives each process its part of this one's Tensor.

    Args:
        output: where what is received is written, of input's dtype.
        input: this process's Tensor.
        send_count_matrix: how many elements each process sends to each, row by row.
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
    own = group_of("all_to_all_v_c", group)
    check_instance("all_to_all_v_c", "input", input, core.Tensor)
    send, receive = collectives.counts_of("all_to_all_v_c", send_count_matrix, own, input.size)
    write_result("all_to_all_v_c", output, collectives.all_to_all(input.reshape(-1), own, send, receive))
    return handle("all_to_all_v_c", async_op)


__all__ = [
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_reduce",
    "all_to_all_single",
    "all_to_all_v_c",
    "barrier",
    "broadcast",
    "gather_into_tensor",
    "reduce",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_uneven",
    "scatter_tensor",
]
