"""mint.distributed: functions of lists that have a Tensor for each process of a group."""

from __future__ import annotations

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.compat.communication.groups import check_process, check_reduction
from emberjit.compat.communication.handles import CommHandle, check_list, handle, write_result
from emberjit.compat.communication.process_groups import Group, group_of
from emberjit.distributed import collectives

Done = CommHandle | None


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
    own = group_of("all_gather", group)
    outputs = check_list("all_gather", "tensor_list", tensor_list, own)
    check_instance("all_gather", "tensor", tensor, core.Tensor)
    parts = collectives.all_gather(core.ops.expand_dims(tensor, 0), own)
    for i, output in enumerate(outputs):
        write_result("all_gather", output, parts[i])
    return handle("all_gather", async_op)


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
    own = group_of("all_to_all", group)
    outputs = check_list("all_to_all", "output_tensor_list", output_tensor_list, own)
    inputs = check_list("all_to_all", "input_tensor_list", input_tensor_list, own)
    for name, tensors in (("output_tensor_list", outputs), ("input_tensor_list", inputs)):
        for tensor in tensors:
            check_instance("all_to_all", name, tensor, core.Tensor)
    received = collectives.exchange(inputs, [output.shape for output in outputs], own)
    for output, values in zip(outputs, received):
        write_result("all_to_all", output, values)
    return handle("all_to_all", async_op)


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
    own = group_of("reduce_scatter", group)
    check_reduction("reduce_scatter", op)
    inputs = check_list("reduce_scatter", "input_list", input_list, own)
    write_result("reduce_scatter", output, collectives.reduce_scatter(core.ops.stack(inputs, 0), op, own)[0])
    return handle("reduce_scatter", async_op)


def gather(
    tensor: core.Tensor, gather_list: list[core.Tensor], dst: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes the Tensors of all processes into a list of process `dst`.

    Args:
        tensor: this process's Tensor.
        gather_list: a list of a Tensor for each process, of tensor's shape and dtype, for the results.
        dst: the rank among all of the process that gets the results.
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
    own = group_of("gather", group)
    to = check_process("gather", "dst", dst, own.name)
    outputs = check_list("gather", "gather_list", gather_list, own) if own.rank == to else ()
    check_instance("gather", "tensor", tensor, core.Tensor)
    parts = collectives.all_gather(core.ops.expand_dims(tensor, 0), own)
    for i, output in enumerate(outputs):
        write_result("gather", output, parts[i])
    return handle("gather", async_op)


def scatter(
    tensor: core.Tensor, scatter_list: list[core.Tensor], src: int = 0, group: Group = None, async_op: bool = False
) -> Done:
    """Writes this process's Tensor of the list of process `src`.

    Args:
        tensor: where the result is written.
        scatter_list: at `src` a list of a Tensor for each process, of tensor's shape and dtype; others' is not read.
        src: the rank among all of the process that sends.
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
    own = group_of("scatter", group)
    root = check_process("scatter", "src", src, own.name)
    check_instance("scatter", "tensor", tensor, core.Tensor)
    if own.rank == root:
        parts = core.ops.stack(check_list("scatter", "scatter_list", scatter_list, own), 0)
    else:
        parts = core.ops.zeros((own.size, *tensor.shape), tensor.dtype)
    write_result("scatter", tensor, collectives.scatter(parts, root, own)[0])
    return handle("scatter", async_op)


__all__ = ["all_gather", "all_to_all", "gather", "reduce_scatter", "scatter"]
