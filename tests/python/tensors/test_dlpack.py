"""DLPack's capsules, of both versions: what they say, whose memory it is, and for how long. Exporters made of ctypes export
what no library does; NumPy's arrays are the others. Other libraries' tensors are in tests/peers/test_dlpack.py."""

from __future__ import annotations

import ctypes
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops, utils

CAPSULE = ctypes.pythonapi
READ_ONLY, IS_COPIED = 1, 2


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Unversioned(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


NAMES = {Unversioned: b"dltensor", Versioned: b"dltensor_versioned"}


def name_of(capsule: Any) -> bytes:
    CAPSULE.PyCapsule_GetName.restype, CAPSULE.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return bytes(CAPSULE.PyCapsule_GetName(capsule))


def header(capsule: Any) -> Versioned:
    get = CAPSULE.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Versioned.from_address(get(capsule, b"dltensor_versioned"))


class Exporter:
    """Exports an array's memory by a capsule that it fills in as it is told, and counts how often that is released."""

    def __init__(self, array: np.ndarray, kind: Any = Versioned, **fields: Any) -> None:
        self.array, self.released, self.asked = array, 0, []
        self.shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.strides = (ctypes.c_int64 * array.ndim)(*(s // array.itemsize for s in array.strides))
        code = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}[array.dtype.kind]
        self.managed = kind(deleter=DELETER(self.release))
        memory = DLTensor(array.ctypes.data, 1, 0, array.ndim, code, array.itemsize * 8, 1, self.shape, self.strides, 0)
        self.managed.tensor = memory
        if kind is Versioned:
            self.managed.major = 1
        for name, value in fields.items():
            setattr(self.managed if hasattr(self.managed, name) else self.managed.tensor, name, value)

    def release(self, _: Any) -> None:
        self.released += 1

    def __dlpack__(self, **options: Any) -> Any:
        self.asked.append(options)
        new = CAPSULE.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), NAMES[type(self.managed)], None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


@pytest.mark.parametrize(
    "version, name",
    [(None, b"dltensor"), ((0, 8), b"dltensor")] + [((n, m), b"dltensor_versioned") for n, m in ((1, 0), (1, 9), (2, 0))],
)
def test_a_consumer_says_which_version_it_knows(version: Any, name: bytes) -> None:
    capsule = Tensor([1.0]).__dlpack__(max_version=version)
    assert name_of(capsule) == name
    assert utils.from_dlpack(capsule).tolist() == [1] and name_of(capsule) == b"used_" + name


@pytest.mark.parametrize("copy, flags", [(None, 0), (False, 0), (True, IS_COPIED)])
def test_a_capsule_says_what_it_is_over(copy: bool | None, flags: int) -> None:
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).T
    capsule = x.__dlpack__(max_version=(1, 0), copy=copy)
    held = header(capsule)
    assert (held.major, held.flags) == (1, flags)
    assert (held.tensor.data == x.data_ptr()) == (not flags)
    assert held.tensor.shape[:2] == [3, 2] and (held.tensor.code, held.tensor.bits, held.tensor.lanes) == (2, 32, 1)


@pytest.mark.parametrize(
    "options",
    [{"max_version": 1}, {"max_version": (1,)}, {"max_version": ("1", "0")}, {"dl_device": 1}, {"dl_device": "ab"}],
)
def test_what_is_no_pair_of_ints_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="must be a pair of ints, but is"):
        Tensor([1.0]).__dlpack__(**options)


@pytest.mark.parametrize("kind", [Unversioned, Versioned])
def test_memory_is_released_once_when_its_last_tensor_ends(kind: Any) -> None:
    source = Exporter(np.arange(6, dtype=np.float32).reshape(2, 3)[:, ::-1], kind)
    x = utils.from_dlpack(source)
    view = x[0]
    assert x.tolist() == [[2, 1, 0], [5, 4, 3]] and source.asked == [{"max_version": (1, 1)}]
    view[0] = 9.0
    assert source.array[0, 0] == 9
    del x
    gc.collect()
    assert source.released == 0
    del view
    gc.collect()
    assert source.released == 1


@pytest.mark.parametrize("fields", [{"major": 2}, {"code": 3}, {"lanes": 2}, {"ndim": 9}, {"device_type": 2}, {"data": 2}])
def test_what_is_refused_stays_the_capsules(fields: dict[str, int]) -> None:
    source = Exporter(np.zeros(3, np.float32), **fields)
    with pytest.raises((BufferError, TypeError, ValueError), match="from_dlpack: "):
        utils.from_dlpack(source)
    assert source.released == 0


@pytest.mark.parametrize("size", [-1, 1 << 62])
def test_impossible_sizes_are_refused(size: int) -> None:
    source = Exporter(np.zeros((3, 3), np.float32))
    source.shape[0] = size
    with pytest.raises(ValueError):
        utils.from_dlpack(source)


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


class Legacy(np.ndarray):
    """As JAX's arrays: the capsule does not tell that they are read-only, the buffer does."""

    def __dlpack__(self, **_: Any) -> Any:
        return Tensor.from_numpy(self.base).__dlpack__()


READ_ONLY_SOURCES: dict[str, Callable[[np.ndarray], Any]] = {
    "flag": lambda array: Exporter(array, flags=READ_ONLY),
    "numpy": lambda array: read_only(array.view()),
    "buffer": lambda array: read_only(array.view(Legacy)),
}


@pytest.mark.parametrize("name", READ_ONLY_SOURCES)
def test_read_only_memory_is_never_written(name: str) -> None:
    array = np.arange(4, dtype=np.float32)
    source = READ_ONLY_SOURCES[name](array)
    with pytest.raises(BufferError, match=r"read-only.*copy is False"):
        utils.from_dlpack(source, copy=False)
    source = READ_ONLY_SOURCES[name](array)
    x = utils.from_dlpack(source)
    x[0] = 9.0
    x.add_(1)
    x.asnumpy()[1] = 7
    assert array.tolist() == [0, 1, 2, 3] and x.tolist() == [10, 7, 3, 4]
    if isinstance(source, Exporter):
        assert source.released == 1


@pytest.mark.parametrize("flags, shares", [(0, False), (IS_COPIED, True)])
def test_a_copy_is_made_once(flags: int, shares: bool) -> None:
    source = Exporter(np.zeros(3, np.float32), flags=flags)
    x = utils.from_dlpack(source, copy=True)
    assert source.asked == [{"max_version": (1, 1), "copy": True}]
    assert (x.data_ptr() == source.array.ctypes.data) == shares and source.released == (not shares)


def test_exporters_that_take_no_arguments() -> None:
    class Old:
        array = np.arange(3.0)

        def __dlpack__(self) -> Any:
            return self.array.__dlpack__()

    assert np.shares_memory(utils.from_dlpack(Old()).asnumpy(), Old.array)
    assert not np.shares_memory(utils.from_dlpack(Old(), copy=True).asnumpy(), Old.array)


def test_bools_of_other_bytes_are_copied() -> None:
    array = np.array([0, 1, 2, 255], np.uint8)
    x = utils.from_dlpack(array.view(bool))
    assert x.sum().item() == 3 and ops.nonzero(x).shape == (3, 1) and array.tolist() == [0, 1, 2, 255]
    with pytest.raises(BufferError, match="bools"):
        utils.from_dlpack(array.view(bool), copy=False)
    plain = array > 1
    assert utils.from_dlpack(plain, copy=False).data_ptr() == plain.ctypes.data


@pytest.mark.parametrize("options", [{}, {"max_version": (1, 0)}])
def test_a_capsule_is_taken_once(options: dict[str, Any]) -> None:
    capsule = Tensor([1.0, 2.0]).__dlpack__(**options)
    first = utils.from_dlpack(capsule)
    with pytest.raises(RuntimeError, match="taken over already"):
        utils.from_dlpack(capsule)
    del capsule
    gc.collect()
    assert first.tolist() == [1, 2]


@pytest.mark.parametrize("source", [5, None, [1.0], "dltensor", np.array([object()])])
def test_what_is_no_tensor_is_refused(source: Any) -> None:
    with pytest.raises((RuntimeError, BufferError), match=r"dlpack|DLPack|dtype"):
        utils.from_dlpack(source)
    with pytest.raises(ValueError, match="device"):
        utils.from_dlpack(Tensor([1.0]), device="Ascend")


WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES = ["bool", *WHOLE, "float16", "float32", "float64", "complex64", "complex128"]
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.T,
    "steps": lambda a: a[::2, 1::2],
    "column": lambda a: a[:, 2],
    "backwards": lambda a: a[::-1, ::-2],
    "element": lambda a: a[1, 2],
    "nothing": lambda a: a[2:1],
    "one axis more": lambda a: a[None],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_both_ways_over_the_same_memory(dtype: str, layout: str) -> None:
    whole = (np.arange(24).reshape(4, 6) % 5).astype(dtype)
    array = LAYOUTS[layout](whole) if layout != "element" else whole[1, 2:3].reshape(())
    x = utils.from_dlpack(array, copy=False)
    assert (x.shape, x.strides, x.dtype) == (array.shape, array.strides, Tensor(array).dtype) or not array.size
    np.testing.assert_array_equal(x.asnumpy(), array)
    back = np.from_dlpack(x)
    assert back.flags.writeable and back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)
    if array.size:
        assert np.shares_memory(back, whole) == (layout != "backwards")
        x[...] = 1
        assert array.all() and (back.all() or layout == "backwards")
    made = LAYOUTS[layout](Tensor(whole.copy()))
    np.testing.assert_array_equal(np.from_dlpack(made), made.asnumpy())


def test_what_lies_backwards_is_exported_as_a_copy() -> None:
    x = Tensor([1.0, 2.0, 3.0])[::-1]
    capsule = x.__dlpack__(max_version=(1, 0))
    assert header(capsule).flags == IS_COPIED and header(capsule).tensor.strides[:1] == [1]
    assert utils.from_dlpack(x.__dlpack__()).tolist() == [3, 2, 1]
    for version in (None, (1, 0)):
        with pytest.raises(BufferError, match="backwards"):
            x.__dlpack__(max_version=version, copy=False)
    assert Tensor([1.0])[::-1].__dlpack__(copy=False) and Tensor(np.zeros((0, 3)))[:, ::-1].__dlpack__(copy=False)


@pytest.mark.parametrize("dies", ["tensor", "array"])
def test_either_side_may_end_first(dies: str) -> None:
    if dies == "tensor":
        x = Tensor(np.arange(100_000, dtype=np.float64))
        array = np.from_dlpack(x[1::2])
        del x
        gc.collect()
        others = [Tensor(np.zeros(100_000)) for _ in range(4)]
        assert array.sum() == np.arange(100_000)[1::2].sum() and len(others) == 4
        return
    array = np.arange(100_000, dtype=np.float64)
    seen = weakref.ref(array)
    x = utils.from_dlpack(array[1::2])
    del array
    gc.collect()
    assert seen() is not None and x.sum().item() == np.arange(100_000)[1::2].sum()
    del x
    gc.collect()
    assert seen() is None


def test_writes_of_the_other_side_are_seen_by_graphs() -> None:
    w = np.ones((64, 64), np.float32)
    f = ms.jit(lambda x, w: ops.matmul(x, w))
    x, shared = Tensor(np.ones((64, 64), np.float32)), utils.from_dlpack(w)
    for number in (1, 2, 3, 4):
        w[...] = number
        assert f(x, shared).asnumpy()[0, 0] == 64 * number


def test_recorded_tensors_are_not_exported() -> None:
    def loss(x: Any) -> Any:
        with pytest.raises(BufferError, match="no gradient flows"):
            (x * 2).__dlpack__(max_version=(1, 0))
        return (x * x).sum()

    assert ms.grad(loss)(Tensor([3.0])).tolist() == [6]
