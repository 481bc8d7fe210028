"""Elements to and from NumPy and DLPack: values, never bit patterns; copies where they are asked for."""

from __future__ import annotations

import ctypes
import gc
import sys
import types
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops, utils
from emberjit._emberjit import from_dlpack

VALUES = [1.5, -2.25, 3e38, float("inf")]


def bfloats() -> Tensor:
    return Tensor(VALUES).astype(ms.bfloat16)


def installed() -> bool:
    try:
        import ml_dtypes  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.parametrize(
    "convert",
    [
        np.asarray,
        np.array,
        np.asanyarray,
        np.ascontiguousarray,
        Tensor.asnumpy,
        Tensor.numpy,
        Tensor.__array__,
        lambda t: np.stack([t])[0],
    ],
)
def test_bfloat16_becomes_its_values(convert: Any) -> None:
    t = bfloats()
    array = convert(t)
    assert array.dtype.name == "bfloat16" if installed() else array.dtype == np.float32
    np.testing.assert_array_equal(array.astype(np.float64), np.array(t.tolist()))
    np.testing.assert_array_equal(convert(t[::-1]).astype(np.float64), np.array(t.tolist())[::-1])


def test_arrays_of_ctypes() -> None:
    flat, rows = (ctypes.c_float * 3)(1, 2, 3), ((ctypes.c_int * 2) * 3)((1, 2), (3, 4), (5, 6))
    assert Tensor(flat).tolist() == [1, 2, 3] and Tensor(flat).dtype == ms.float32
    assert Tensor(rows).tolist() == [[1, 2], [3, 4], [5, 6]]


def test_bfloat16_of_a_dtype_asked_for() -> None:
    t = bfloats()
    for dtype in (np.float64, np.float32, "f8"):
        for array in (np.asarray(t, dtype), np.array(t, dtype=dtype), t.__array__(dtype)):
            assert array.dtype == dtype
            np.testing.assert_array_equal(array, np.array(t.tolist(), dtype))
    assert float(np.sum(np.asarray(t[:2]))) == -0.75


def test_bfloat16_has_no_format_but_has_bytes() -> None:
    t = bfloats()
    with pytest.raises(BufferError, match="bfloat16"):
        memoryview(t)
    assert t.get_bytes() == np.array(t.tolist(), np.float32).view(np.uint32).__rshift__(16).astype(np.uint16).tobytes()
    x = Tensor(np.arange(6, dtype=np.int16).reshape(2, 3))
    assert x.T.get_bytes() == x.asnumpy().T.tobytes()


@pytest.mark.skipif(installed(), reason="ml_dtypes is installed")
def test_without_ml_dtypes_it_is_a_copy() -> None:
    t = bfloats()
    t.asnumpy()[0] = 7
    assert t.tolist()[0] == 1.5
    with pytest.raises(ValueError, match="copy"):
        t.__array__(copy=False)


def test_ml_dtypes() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = np.array(VALUES, ml_dtypes.bfloat16)
    for t in (Tensor(array), ms.from_numpy(array.copy())):
        assert t.dtype == ms.bfloat16
        np.testing.assert_array_equal(t.asnumpy(), array)
        assert t.asnumpy().dtype == ml_dtypes.bfloat16
    t = bfloats()
    t.asnumpy()[0] = 7
    assert t.tolist()[0] == 7
    assert Tensor(ml_dtypes.bfloat16(1.5)).dtype == ms.bfloat16


def test_array_protocol_copies_as_asked() -> None:
    t = Tensor([1.0, 2.0])
    assert np.shares_memory(t.__array__(), t.asnumpy())
    assert np.shares_memory(t.__array__(copy=False), t.asnumpy())
    assert not np.shares_memory(t.__array__(copy=True), t.asnumpy())
    assert not np.shares_memory(np.array(t), t.asnumpy())
    assert t.__array__(np.float64).dtype == np.float64
    repeated = t.broadcast_to((3, 2))
    assert not np.shares_memory(repeated.__array__(), t.asnumpy())
    with pytest.raises(ValueError, match="copy"):
        repeated.__array__(copy=False)


@pytest.mark.parametrize("dtype", [">i2", ">u4", ">i8", ">f2", ">f4", ">f8", "<f4", ">b1", ">i1"])
def test_swapped_bytes_are_put_in_order(dtype: str) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    for source in (array, array.T, [array[0], array[1]]):
        t = Tensor(source)
        assert t.asnumpy().dtype == np.asarray(source).dtype.newbyteorder("=")
        np.testing.assert_array_equal(t.asnumpy(), source)
    if array.dtype.byteorder == ">":
        with pytest.raises(TypeError, match="swapped"):
            ms.from_numpy(array)
    assert (Tensor(array) == Tensor(array.astype(array.dtype.newbyteorder("=")))).asnumpy().all()


FUNCTIONS = [
    "sum",
    "prod",
    "mean",
    "max",
    "min",
    "amax",
    "amin",
    "std",
    "var",
    "argmax",
    "argmin",
    "any",
    "all",
    "cumsum",
    "ravel",
    "squeeze",
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numpys_functions_of_a_tensor(name: str) -> None:
    array = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
    function = getattr(np, name)
    options: list[dict[str, Any]] = {"cumsum": [{"axis": 1}], "ravel": [{}], "squeeze": [{}]}.get(name, [{}, {"axis": 1}])
    for given in options:
        np.testing.assert_allclose(np.asarray(function(Tensor(array), **given)), function(array, **given), rtol=1e-6)
    if "axis" in options[-1] and name not in ("argmax", "argmin", "cumsum"):
        np.testing.assert_allclose(
            np.asarray(function(Tensor(array), axis=0, keepdims=True)), function(array, axis=0, keepdims=True), rtol=1e-6
        )


def test_a_place_for_the_result_is_refused() -> None:
    with pytest.raises(TypeError, match="out"):
        np.sum(Tensor([1.0]), out=np.zeros(()))


def test_dlpack_copies_as_asked() -> None:
    gc.collect()  # a tape of an earlier test that waits for the collector saves what is written
    t = Tensor([1.0, 2.0, 3.0])
    shared, copied = from_dlpack(t), from_dlpack(t.__dlpack__(copy=True))
    never = from_dlpack(t.__dlpack__(copy=False, max_version=(1, 0), dl_device=(1, 0), stream=None))
    t[0] = 9.0
    assert copied.tolist() == [1, 2, 3] and shared.tolist() == never.tolist() == [9, 2, 3]
    assert from_dlpack(t[::-1].__dlpack__(copy=True)).tolist() == [3, 2, 9]
    np.testing.assert_array_equal(np.from_dlpack(t), t.asnumpy())


@pytest.mark.parametrize("options", [{"dl_device": (2, 0)}, {"dl_device": (1, 1)}, {"stream": 1}])
def test_dlpack_refuses_what_it_cannot_do(options: dict[str, Any]) -> None:
    with pytest.raises(BufferError):
        Tensor([1.0]).__dlpack__(**options)
    with pytest.raises(TypeError):
        Tensor([1.0]).__dlpack__(nonsense=1)


def test_dlpack_of_another_device() -> None:
    elsewhere = types.SimpleNamespace(__dlpack_device__=lambda: (2, 0), __dlpack__=lambda: sys.exit(1))
    with pytest.raises(BufferError, match="CPU"):
        from_dlpack(elsewhere)


class Conjugate:
    """Refuses as PyTorch's do whose elements wait to be computed, by conj() say."""

    def __dlpack__(self) -> Any:
        raise BufferError("no conjugate bit")

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("no conjugate bit")


def test_what_does_not_share_its_elements() -> None:
    with pytest.raises(BufferError, match=r"^from_dlpack: .*Conjugate.* does not .*resolve_conj.*: no conj") as refused:
        from_dlpack(Conjugate())
    assert isinstance(refused.value.__cause__, BufferError)
    with pytest.raises(TypeError, match=r"^For Tensor, the input_data, of .*Conjugate.* array: no conj") as no_array:
        Tensor(Conjugate())
    assert isinstance(no_array.value.__cause__, RuntimeError)
    negative = types.SimpleNamespace(is_neg=lambda: True, __dlpack__=Tensor([1.0]).__dlpack__)
    with pytest.raises(BufferError, match="yet to be negated"):
        from_dlpack(negative)


class Sparse:
    """As SciPy's matrices, which give no array but by a method."""

    def toarray(self) -> Any:
        return np.eye(2)


WITHOUT_NUMBERS = [np.array(["2020-01-01"], "M8[D]"), np.array([1], "m8[s]"), np.array([1, None]), np.array(["a"]), Sparse()]


@pytest.mark.parametrize("data", WITHOUT_NUMBERS)
def test_what_holds_no_numbers_names_the_way(data: Any) -> None:
    with pytest.raises(TypeError, match=r"toarray\(\) of a sparse matrix" if isinstance(data, Sparse) else "no counterpart"):
        Tensor(data)


@pytest.mark.parametrize("dtype", [ms.float32, ms.complex64, ms.complex128, ms.uint16, ms.bool_])
def test_dlpack_both_ways(dtype: Any) -> None:
    x = Tensor([1.0, 0.0, 1.0]).astype(dtype)
    shared = utils.from_dlpack(utils.to_dlpack(x))
    assert shared.dtype == dtype and shared.tolist() == x.tolist()
    x[1] = 1
    assert shared.tolist() == [1, 1, 1]
    array = np.arange(3).astype(x.asnumpy().dtype)
    np.testing.assert_array_equal(utils.from_dlpack(array).asnumpy(), array)
    np.testing.assert_array_equal(np.from_dlpack(x), x.asnumpy())


@pytest.mark.parametrize("make", (Tensor, ms.from_numpy))
def test_bools_of_any_bytes(make: Any) -> None:
    array = np.tile(np.uint8([0, 1, 2, 255]), 600).view(bool)
    x, given = Tensor(np.linspace(0, 3, 2400)), make(array)
    assert given.sum().item() == 1800 and ops.nonzero(given).shape == (1800, 1)
    f = ms.jit(lambda b, x: ops.where(b, ops.erf(ops.sin(x)) * 2, ops.exp(ops.tanh(x)) * 3))
    np.testing.assert_array_equal(f(given, x).asnumpy(), f(Tensor(array.view(np.uint8) != 0), x).asnumpy())


# Elements that lie where their dtype's must not: one byte too far, or in records of an odd size.
def unaligned(dtype: Any, count: int = 20) -> np.ndarray:
    values = np.arange(count).astype(dtype)
    memory = bytearray(b"\0" + values.tobytes())
    return np.frombuffer(memory, dtype, offset=1)


def of_records(dtype: Any) -> np.ndarray:
    records = np.zeros(20, [("flag", "u1"), ("value", dtype)])
    records["value"] = np.arange(20).astype(dtype)
    return records["value"]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i2", "i4", "i8", "u4", "c8", "c16", ">f4"])
@pytest.mark.parametrize("make", [unaligned, of_records])
def test_unaligned_elements_are_copied_or_refused(make: Any, dtype: str) -> None:
    array = make(dtype)
    want = np.arange(20).astype(np.dtype(dtype).newbyteorder("="))
    for copy in (Tensor(array), ms.tensor(array), ops.stack([Tensor(array)] * 2)[1], Tensor([array, array])[0]):
        np.testing.assert_array_equal(copy.asnumpy(), want)
    np.testing.assert_array_equal(ops.add(Tensor(want), array).asnumpy(), want + want)
    with pytest.raises(TypeError, match="cannot be shared; pass a copy"):
        Tensor.from_numpy(array)
    np.testing.assert_array_equal(Tensor.from_numpy(array.astype(want.dtype)).asnumpy(), want)


@pytest.mark.parametrize("jit", [lambda f: f, ms.jit, lambda f: ms.jit(f, capture_mode="bytecode")])
def test_unaligned_arrays_in_functions(jit: Any) -> None:
    array = unaligned("f4")
    f = jit(lambda x: x + array)
    for _ in range(2):
        np.testing.assert_array_equal(f(Tensor(np.ones(20, np.float32))).asnumpy(), array + 1)
        array[3] += 1


def test_frombuffer_of_an_unaligned_offset() -> None:
    memory = bytearray(b"\0" + np.arange(5, dtype=np.float32).tobytes())
    assert ms.frombuffer(memory, offset=1).tolist() == [0, 1, 2, 3, 4]
    shared = ms.frombuffer(memory, offset=5 - 1, dtype=ms.uint8)
    memory[4] = 9
    assert int(shared[0]) == 9


@pytest.mark.parametrize("count", [0, 3])
def test_empty_arrays_lie_anywhere(count: int) -> None:
    array = unaligned("f4", count)[:0]
    assert Tensor.from_numpy(array).shape == (0,) and Tensor(array).shape == (0,)


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
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class Exporter:
    """Exports float32 elements at an address."""

    def __init__(self, address: int | None, shape: tuple[int, ...], byte_offset: int = 0) -> None:
        self.shape = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        self.managed = DLTensor(address, 1, 0, len(shape), 2, 32, 1, self.shape, None, byte_offset, None, None)

    def __dlpack__(self, **_: Any) -> Any:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor", None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def test_dlpack_without_memory() -> None:
    for shape in ((), (3,), (2, 3)):
        with pytest.raises(BufferError, match="no memory"):
            from_dlpack(Exporter(None, shape))
        with pytest.raises(BufferError, match="no memory"):
            from_dlpack(Exporter(None, shape, 64))
    for shape in ((0,), (2, 0, 3)):
        assert from_dlpack(Exporter(None, shape)).shape == shape


def test_dlpack_of_unaligned_elements() -> None:
    values = np.arange(9, dtype=np.float32)
    for address, byte_offset in ((values.ctypes.data + 1, 0), (values.ctypes.data, 2)):
        with pytest.raises(BufferError, match="not aligned"):
            from_dlpack(Exporter(address, (4,), byte_offset))
    assert from_dlpack(Exporter(values.ctypes.data, (4,), 8)).tolist() == [2, 3, 4, 5]
