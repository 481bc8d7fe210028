"""Functions that make Tensors of other data. emberjit.dtype loads when first needed: each start would take longer."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core


def is_cpu(device: Any) -> bool:
    """Whether a device's name is the CPU's."""
    return str(device).lower() in ("cpu", "cpu:0")


def check_device(name: str, device: Any) -> None:
    """
    Raises:
        ValueError: device is neither None nor the CPU.
    """
    if device is not None and not is_cpu(device):
        raise ValueError(f"For '{name}', 'device' must be None or 'CPU', but got {device!r}.")


def tensor(
    input_data: Any = None,
    dtype: Any = None,
    shape: Any = None,
    init: Any = None,
    const_arg: bool = False,
    device: Any = None,
) -> Any:
    """Makes a Tensor: the same as Tensor(...).

    Args:
        input_data: numbers, also within lists and tuples, an array of NumPy or a Tensor; its elements are copied. None: the
            others say what it holds.
        dtype: of the elements; None: that of input_data (float32 of Python's floats, int64 of its ints).
        shape: of a Tensor without input_data.
        init: the initialiser of a Tensor without input_data, as emberjit.initializer has them.
        const_arg: True warns once that it has no effect: a graph takes elements at run time.
        device: None or "CPU".

    Returns:
        Tensor: of memory of its own.

    Raises:
        ValueError: device is something else.

    Examples:
        >>> x = ms.tensor([1, 2, 3], dtype=ms.float32)
        >>> print(x, x.dtype)
        [1. 2. 3.] Float32
    """
    check_device("tensor", device)
    return core.Tensor(input_data, dtype, shape, init, const_arg)


def from_numpy(array: Any) -> Any:
    """A Tensor over the memory of an array of NumPy, without a copy.

    Args:
        array: a numpy.ndarray.

    Returns:
        Tensor: of the array's shape and dtype; a write to one is seen in the other.

    Raises:
        TypeError: array is no numpy.ndarray, or its dtype has no counterpart.

    Examples:
        >>> array = np.array([1.0, 2.0], np.float32)
        >>> x = Tensor.from_numpy(array)
        >>> array[0] = 5.0
        >>> print(x)
        [5. 2.]
    """
    return core.from_numpy(array)


def from_dlpack(dlpack: Any, *, copy: bool | None = None, device: Any = None) -> Any:
    """A Tensor over the memory of another library's tensor, as the Array API standard has it.

    Args:
        dlpack: a capsule of DLPack (https://dmlc.github.io/dlpack), or an object with __dlpack__.
        copy: True for memory of its own; False for that of the other, always; None for that where it may be written
            (what is read-only, as JAX's arrays are, is copied, and so are bools of other bytes than 0 and 1).
        device: None or "CPU".

    Raises:
        TypeError: its dtype has no counterpart, or it has more than 8 axes.
        BufferError: the memory is not the CPU's, its elements are not aligned, or copy is False and one is needed.
        RuntimeError: no capsule, one whose memory has been taken over already, or nothing with __dlpack__.
        ValueError: another device.

    Examples:
        >>> array = np.array([1.0, 2.0], np.float32)
        >>> x = Tensor.from_dlpack(array)
        >>> array[0] = 5.0
        >>> print(x)
        [5. 2.]
    """
    check_device("from_dlpack", device)
    return core.from_dlpack(dlpack, copy)


def to_dlpack(tensor: Any) -> Any:
    """A capsule of DLPack over the memory of a Tensor, for another library to take over once; over a copy if elements lie
    backwards, as PyTorch ends the process for those.

    Args:
        tensor: the Tensor.

    Raises:
        BufferError: gradients are recorded of the Tensor; its dtype is int4.

    Examples:
        >>> capsule = Tensor([1.0, 2.0]).to_dlpack()
        >>> print(Tensor.from_dlpack(capsule))
        [1. 2.]
    """
    return tensor.__dlpack__()


def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor; a Parameter is one, an array of NumPy is not.

    Args:
        obj: any object.

    Returns:
        bool.

    Examples:
        >>> ms.is_tensor(Tensor([1.0])), ms.is_tensor([1.0])
        (True, False)
    """
    return isinstance(obj, core.Tensor)


def frombuffer(buffer: Any, *, dtype: Any = None, count: int = -1, offset: int = 0) -> Any:
    """A Tensor of one axis over the memory of a buffer, without a copy where that may be written and is aligned.

    Args:
        buffer: an object with Python's buffer interface, such as bytes.
        dtype: of the elements; float32 if None.
        count: how many elements; -1 for all.
        offset: bytes before the first.

    Returns:
        Tensor: of shape (elements,).

    Raises:
        ValueError: the buffer has fewer elements, or no whole number of them.

    Examples:
        >>> print(ms.frombuffer(bytes([1, 2, 3, 4]), dtype=ms.uint8, offset=1))
        [2 3 4]
    """
    import numpy as np

    from emberjit.dtype import dtype_to_nptype

    array = np.frombuffer(buffer, dtype_to_nptype(core.float32 if dtype is None else dtype), count, offset)
    return core.from_numpy(array if array.flags.behaved else array.copy())


def swap_tensors(t1: Any, t2: Any) -> None:
    """Exchanges what two Tensors hold: their elements, and with them shapes and dtypes.

    Args:
        t1: a Tensor.
        t2: another one.

    Raises:
        TypeError: one is no Tensor.

    Examples:
        >>> x, y = Tensor([1.0, 2.0]), Tensor([3, 4, 5])
        >>> ms.swap_tensors(x, y)
        >>> print(x, y)
        [3 4 5] [1. 2.]
    """
    if not isinstance(t1, core.Tensor) or not isinstance(t2, core.Tensor):
        raise TypeError(f"For 'swap_tensors', both must be Tensors, but got {type(t1).__name__} and {type(t2).__name__}.")
    first = core.Tensor(t1)
    t1._replace(t2)
    t2._replace(first)
