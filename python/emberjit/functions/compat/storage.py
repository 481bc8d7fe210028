"""What a Tensor tells of its memory and of how it was made, and the members that in MindSpore concern devices: on a CPU
they have nothing to do, or are refused."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.functions.creation.dtypes import converted
from emberjit.publish.kinds import DType, Ints, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.attributes import shared
from emberjit.tensors.functions import is_cpu

_ops = core.ops
_DONE = 27  # MindSpore's number of an index that is a view already


def on_cpu(name: str, device: Any, of: str = "device") -> None:
    """
    Raises:
        ValueError: device is not the CPU.
    """
    if not is_cpu(device):
        raise ValueError(f"For '{name}', '{of}' must be 'CPU', but got {device!r}.")


@publish("Tensor.type(dtype)", in_python=True)
def type_of(input: Tensor, dtype: Any = None) -> Any:
    """The name of the dtype, such as "Float32"; with `dtype` input converted to that, which may be given by name.

    Args:
        dtype: None, a dtype, or its name.

    Examples:
        >>> x = Tensor([1.5, 2.5])
        >>> print(x.type(), x.type(ms.int32))
        Float32 [1 2]
    """
    return str(input.dtype) if dtype is None else converted(input, dtype)


@publish("Tensor.requires_grad_", in_python=True)
def requires_grad_(input: Any, requires_grad: bool = True) -> Any:
    """Sets whether optimizers train a Parameter; returns input. Of a Tensor that is none nothing changes.

    Args:
        requires_grad: whether optimizers train it.

    Examples:
        >>> weight = Parameter(Tensor([1.0, 2.0]))
        >>> weight.requires_grad_(False).requires_grad
        False
    """
    if isinstance(input, core.Parameter):
        input.requires_grad = requires_grad
    return input


@publish("Tensor.assign_value(value) Tensor.assign_value_cpp(value)", in_python=True)
def assign_value(input: Any, value: Tensor) -> Any:
    """Lets input hold what value holds, with value's shape and dtype; returns input.

    Raises:
        CaptureError: code is being captured and the shape or dtype changes.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> _ = x.assign_value(Tensor([3, 4, 5]))
        >>> print(x, x.dtype)
        [3 4 5] Int64
    """
    if core.current_capture() is None:
        input._replace(core.Tensor(value))
    elif tuple(value.shape) == tuple(input.shape) and value.dtype == input.dtype:
        _ops.assign(input, value)
    else:
        raise core.CaptureError("the shape or dtype of a Tensor is changed by assign_value, which a graph cannot do.")
    return input


@publish("Tensor.set_", in_python=True)
def set_(
    input: Any, source: Any = None, storage_offset: int = 0, size: Ints | None = None, stride: Ints | None = None
) -> Any:
    """Lets input share the memory of source; returns input.

    Args:
        source: a Tensor of input's dtype; None empties input.
        storage_offset: elements of source's, in row-major order, before the first.
        size: the shape; by default source's.
        stride: None; others than those of size in row-major order are not supported.

    Raises:
        TypeError: source is no Tensor, or of another dtype.
        ValueError: size reaches beyond source, or stride is given.
        CaptureError: code is being captured.

    Examples:
        >>> x = Tensor([0.0])
        >>> _ = x.set_(Tensor([1.0, 2.0, 3.0]), storage_offset=1, size=(2,))
        >>> print(x)
        [2. 3.]
    """
    if core.current_capture() is not None:
        raise core.CaptureError("Tensor.set_ changes what memory a Tensor has, which a graph cannot do.")
    if source is None:
        input._replace(_ops.zeros((0,), input.dtype))
        return input
    if not isinstance(source, core.Tensor) or source.dtype != input.dtype:
        raise TypeError(f"For 'set_', 'source' must be None or a Tensor of {input.dtype}, but got {source!r}.")
    if stride is not None:
        raise ValueError(f"For 'set_', 'stride' must be None, which is row-major order, but got {stride}.")
    if size is not None:
        sizes = (size,) if isinstance(size, int) else tuple(size)
        count = 1
        for extent in sizes:
            count *= extent
        if storage_offset < 0 or storage_offset + count > source.size:
            raise ValueError(f"For 'set_', {sizes} from element {storage_offset} on reaches beyond {source.size} elements.")
        source = source.view(-1)[storage_offset : storage_offset + count].view(sizes)
    input._replace(shared("set_", source))
    return input


@publish("Tensor.init_data", in_python=True)
def init_data(input: Any, slice_index: int | None = None, shape: Any = None, opt_shard_group: str | None = None) -> Any:
    """input itself, whose elements are there since it was made.

    Args:
        slice_index, shape, opt_shard_group: have no effect: there is one process, whose Parameters are whole.

    Examples:
        >>> print(Tensor([1.0, 2.0]).init_data())
        [1. 2.]
    """
    return input


@publish("Tensor.is_init Tensor.is_pinned Tensor.is_shared", in_python=True)
def is_never(input: Any) -> Any:
    """False: elements are there since a Tensor was made, in memory of this process.

    Examples:
        >>> Tensor([1.0, 2.0]).is_shared()
        False
    """
    return False


@publish("Tensor.set_const_arg", in_python=True)
def set_const_arg(input: Any, const_arg: bool = True) -> Any:
    """input itself: a graph guards on what it takes for constant, and is made anew where that changes.

    Args:
        const_arg: has no effect.

    Examples:
        >>> print(Tensor([1.0, 2.0]).set_const_arg())
        [1. 2.]
    """
    return input


@publish("Tensor.getitem_index_info(index, is_ascend)", in_python=True)
def getitem_index_info(input: Any, index: Any, is_ascend: bool = False) -> Any:
    """What x[index] reads, as MindSpore tells of what needs no further op: (None, (27,), (x[index],)).

    Args:
        index: what is between the brackets.
        is_ascend: has no effect: there is no such device.

    Examples:
        >>> Tensor([1, 2, 3]).getitem_index_info(slice(0, 2))
        (None, (27,), (Tensor(shape=[2], dtype=Int64, value= [1, 2]),))
    """
    return None, (_DONE,), (input[index],)


@publish("Tensor.setitem_index_info(index, value, is_ascend)", in_python=True)
def setitem_index_info(input: Any, index: Any, value: Any, is_ascend: bool = False) -> Any:
    """Sets x[index] = value; tells of it as MindSpore does: ("view", (), (), (27,), (x[index],)).

    Args:
        index: what is between the brackets.
        value: what is written there.
        is_ascend: has no effect: there is no such device.

    Examples:
        >>> x = Tensor([1, 2, 3])
        >>> _ = x.setitem_index_info(slice(0, 2), 9)
        >>> print(x)
        [9 9 3]
    """
    input[index] = value
    return "view", (), (), (_DONE,), (input[index],)


@publish("Tensor.data_sync", in_python=True)
def data_sync(input: Any, need_wait: bool = False) -> None:
    """Does nothing: elements are computed when a call returns.

    Args:
        need_wait: has no effect.

    Examples:
        >>> Tensor([1.0, 2.0]).data_sync(True)
    """


@publish("Tensor.wait_pipeline Tensor.flush_from_cache", in_python=True)
def wait_pipeline(input: Any) -> None:
    """Does nothing: elements are computed, and in memory, when a call returns.

    Examples:
        >>> Tensor([1.0, 2.0]).wait_pipeline()
    """


@publish("Tensor.set_init_flag", in_python=True)
def set_init_flag(input: Any, flag: bool) -> None:
    """Does nothing: elements are there since a Tensor was made.

    Args:
        flag: has no effect.

    Examples:
        >>> Tensor([1.0, 2.0]).set_init_flag(True)
    """


@publish('Tensor.move_to ops.move_to(input, to = "CPU", blocking) ops.MoveTo()(input, to, blocking)', in_python=True)
def move_to(input: Any, to: str, blocking: bool = True) -> Any:
    """input itself.

    Args:
        input: a Tensor.
        to: "CPU".
        blocking: has no effect: nothing is copied.

    Raises:
        ValueError: to is not "CPU".

    Examples:
        >>> print(Tensor([1.0, 2.0]).move_to("CPU"))
        [1. 2.]
    """
    on_cpu("move_to", to, "to")
    return input


@publish("Tensor.pin_memory", in_python=True)
def pin_memory(input: Any) -> Any:
    """Refused: there is no device that pinned memory would be copied to.

    Raises:
        RuntimeError: always; there is no device that pinned memory would be copied to.

    Examples:
        >>> Tensor([1.0, 2.0]).pin_memory()
        Traceback (most recent call last):
            ...
        RuntimeError: For 'pin_memory', there is no device but the CPU, whose memory needs no ...
    """
    raise RuntimeError(
        "For 'pin_memory', there is no device but the CPU, whose memory needs no pinning: leave the call out."
    )


@publish("Tensor.offload_file_path", in_python=True)
def offload_file_path(input: Any) -> Any:
    """The empty string: elements are in memory.

    Examples:
        >>> Tensor([1.0, 2.0]).offload_file_path()
        ''
    """
    return ""


@publish("Tensor.set_dtype(dtype)", in_python=True)
def set_dtype(input: Any, dtype: DType) -> Any:
    """Converts input, in place, to a dtype, which is returned.

    Args:
        dtype: the dtype.

    Raises:
        CaptureError: code is being captured.

    Examples:
        >>> x = Tensor([1.5, 2.5])
        >>> x.set_dtype(ms.int32)
        Int32
        >>> print(x)
        [1 2]
    """
    if core.current_capture() is not None:
        raise core.CaptureError("Tensor.set_dtype changes a Tensor's dtype, which a graph cannot do.")
    input._replace(_ops.cast(input, dtype))
    return dtype


class UntypedStorage:
    """The memory of a Tensor, in bytes. `Tensor.untyped_storage()` gives it.

    Args:
        tensor: the Tensor, whose memory is shared.

    Examples:
        >>> storage = ms.UntypedStorage(Tensor([1.0, 2.0]))
        >>> print(storage.nbytes(), storage.device)
        8 CPU
    """

    def __init__(self, tensor: Any):
        self._tensor = tensor

    @property
    def device(self) -> str:
        """ "CPU"."""
        return "CPU"

    def nbytes(self) -> int:
        """The number of bytes."""
        return int(self._tensor.nbytes)

    def size(self) -> int:
        """The number of bytes."""
        return self.nbytes()

    def __len__(self) -> int:
        return self.nbytes()

    def element_size(self) -> int:
        """1."""
        return 1

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return int(self._tensor.data_ptr())

    def is_shared(self) -> bool:
        """False: the memory is this process's."""
        return False

    def copy_(self, source: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Copies the bytes of another storage.

        Raises:
            TypeError: source is none.
            ValueError: its Tensor has another dtype or number of elements.
        """
        check_instance("UntypedStorage.copy_", "source", source, UntypedStorage)
        target, other = self._tensor, source._tensor
        if (target.dtype, target.size) != (other.dtype, other.size):
            texts = f"{target.size} {target.dtype}", f"{other.size} {other.dtype}"
            raise ValueError(f"For 'UntypedStorage.copy_', a Tensor of {texts[0]} has no room for {texts[1]}.")
        target.view(-1).copy_(other.view(-1))
        return self


@publish("Tensor.storage Tensor.untyped_storage", in_python=True)
def untyped_storage(input: Any) -> Any:
    """The memory of the Tensor's elements.

    Returns:
        an UntypedStorage, which shares the memory.

    Raises:
        CaptureError: code is being captured.

    Examples:
        >>> Tensor([1.0, 2.0]).untyped_storage().nbytes()
        8
    """
    return UntypedStorage(shared("untyped_storage", input))


def _no_device(name: str) -> RuntimeError:
    return RuntimeError(
        f"For '{name}', there is no device whose memory, shards or streams it could concern: leave the call out."
    )


@publish("Tensor.hooks", in_python=True)
def hooks_of(input: Any) -> Any:
    """The hooks of the Tensor's gradient, a list.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> _ = x.register_hook(lambda gradient: gradient * 2)
        >>> len(x.hooks())
        1
    """
    hooks = core.hooks_of(input)
    return [] if hooks is None else list(hooks)


@publish("Tensor.remove_hook", in_python=True)
def remove_hook(input: Any, handle: Any) -> None:
    """Removes a hook by what register_hook() gave.

    Args:
        handle: what register_hook() returned.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> handle = x.register_hook(lambda gradient: gradient * 2)
        >>> x.remove_hook(handle)
        >>> len(x.hooks())
        0
    """
    handle.remove()


@publish("Tensor.delete_", in_python=True)
def delete_(input: Any, non_blocking: bool = False) -> Any:
    """Lets go of the memory; the Tensor is empty then.

    Args:
        non_blocking: has no effect: nothing is computed later than it is called.

    Raises:
        CaptureError: code is being captured.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> x.delete_().shape
        (0,)
    """
    return set_(input)


@publish("Tensor.set_cast_dtype(dtype)", in_python=True)
def set_cast_dtype(input: Any, dtype: Any = None) -> None:
    """Does nothing: casts are where the program says.

    Args:
        dtype: has no effect.

    Examples:
        >>> Tensor([1.0, 2.0]).set_cast_dtype(ms.float16)
    """


@publish('Tensor.to_(device = "CPU", non_blocking)', in_python=True)
def to_device(input: Any, device: Any, non_blocking: bool = False) -> Any:
    """input itself.

    Args:
        device: "CPU".
        non_blocking: has no effect: nothing is copied.

    Raises:
        ValueError: device is not "CPU".

    Examples:
        >>> print(Tensor([1.0, 2.0]).to_("CPU"))
        [1. 2.]
    """
    on_cpu("to_", device)
    return input


@publish("Tensor.offload(file_path)", in_python=True)
def offload(input: Any, file_path: Any = None) -> Any:
    """Refused: elements are in memory.

    Args:
        file_path: a file's path, or None.

    Raises:
        RuntimeError: always; elements are in memory.

    Examples:
        >>> Tensor([1.0, 2.0]).offload("x.bin")
        Traceback (most recent call last):
            ...
        RuntimeError: For 'offload', there is no device whose memory, shards or streams it could ...
    """
    raise _no_device("offload")


@publish("Tensor.set_device_address(address, shape, dtype)", in_python=True)
def set_device_address(input: Any, address: Any = None, shape: Any = None, dtype: Any = None) -> Any:
    """Refused: from_dlpack() and from_numpy() take memory of others.

    Args:
        address, shape, dtype: of the memory.

    Raises:
        RuntimeError: always.

    Examples:
        >>> Tensor([1.0, 2.0]).set_device_address(0, (2,), ms.float32)
        Traceback (most recent call last):
            ...
        RuntimeError: For 'set_device_address', there is no device whose memory, shards or ...
    """
    raise _no_device("set_device_address")


@publish("Tensor.set_param_info(param_info)", in_python=True)
def set_param_info(input: Any, param_info: Any = None) -> Any:
    """Refused: Parameters are not split among devices.

    Args:
        param_info: how a Parameter is split.

    Raises:
        RuntimeError: always.

    Examples:
        >>> Tensor([1.0, 2.0]).set_param_info(None)
        Traceback (most recent call last):
            ...
        RuntimeError: For 'set_param_info', there is no device whose memory, shards or streams it ...
    """
    raise _no_device("set_param_info")
