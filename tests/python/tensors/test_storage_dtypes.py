"""float8_e4m3fn, float8_e5m2 and int4: stored, moved and converted, never computed with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import emberjit as ms
from emberjit import Tensor, ops

FLOATS = [ms.float8_e4m3fn, ms.float8_e5m2]
STORAGE = [*FLOATS, ms.int4]
LARGEST = {ms.float8_e4m3fn: 448.0, ms.float8_e5m2: 57344.0}


@pytest.mark.parametrize("dtype", FLOATS)
@strategies.examples(50)
@given(x=hnp.arrays(np.float32, st.integers(1, 100), elements=st.floats(-65536, 65536, width=32)))
def test_floats_come_back_to_half_a_step(dtype: Any, x: np.ndarray) -> None:
    back = Tensor(x).astype(dtype).astype(ms.float32).asnumpy()
    inside = np.abs(x) <= LARGEST[dtype]
    least, bits = {ms.float8_e4m3fn: (2.0**-6, 3), ms.float8_e5m2: (2.0**-14, 2)}[dtype]
    step = 2.0 ** np.floor(np.log2(np.maximum(np.abs(x), least))) * 2.0**-bits
    assert (np.abs(back - x)[inside] <= step[inside] / 2).all()
    again = Tensor(back).astype(dtype).astype(ms.float32).asnumpy()
    np.testing.assert_array_equal(again, back)


def test_what_is_too_large() -> None:
    x = Tensor(np.array([1e9, -1e9, np.inf, np.nan], np.float32))
    assert np.isnan(x.astype(ms.float8_e4m3fn).astype(ms.float32).asnumpy()).all()
    values = x.astype(ms.float8_e5m2).astype(ms.float32).asnumpy()
    np.testing.assert_array_equal(values, [np.inf, -np.inf, np.inf, np.nan])


def test_int4_wraps_and_truncates() -> None:
    whole = np.arange(-300, 300)
    np.testing.assert_array_equal(Tensor(whole).astype(ms.int4).astype(ms.int32).asnumpy(), (whole + 8) % 16 - 8)
    assert Tensor([1.9, -1.9, 7.2]).astype(ms.int4).tolist() == [1, -1, 7]
    assert Tensor([1, 2], ms.int4).itemsize == 1


@pytest.mark.parametrize("dtype", STORAGE)
def test_moved_as_it_is(dtype: Any) -> None:
    x = Tensor(np.arange(-6, 6, dtype=np.float32).reshape(3, 4)).astype(dtype)
    plain = x.astype(ms.float32).asnumpy()
    index = Tensor([2, 0])
    moved = {
        "reshape": (x.reshape(2, 6), plain.reshape(2, 6)),
        "transpose": (x.T, plain.T),
        "slice": (x[1:, ::2], plain[1:, ::2]),
        "gather": (x[index], plain[[2, 0]]),
        "concat": (ops.concat([x, x], 1), np.concatenate([plain, plain], 1)),
        "flip": (ops.flip(x, (0,)), plain[::-1]),
        "where": (ops.where(Tensor(plain) > 0, x, x[0]), np.where(plain > 0, plain, plain[0])),
        "copy": (x.T.copy(), plain.T),
        "broadcast": (x[0].broadcast_to((2, 4)), np.stack([plain[0]] * 2)),
    }
    for name, (got, want) in moved.items():
        assert got.dtype == dtype, name
        np.testing.assert_array_equal(got.astype(ms.float32).asnumpy(), want, err_msg=name)
    y = x.copy()
    y[0] = x[2]
    np.testing.assert_array_equal(y.astype(ms.float32).asnumpy()[0], plain[2])


@pytest.mark.parametrize("dtype", STORAGE)
def test_arithmetic_is_refused(dtype: Any) -> None:
    x = Tensor([1.0, 2.0]).astype(dtype)
    for call in (
        lambda: x + x,
        lambda: x * 2,
        lambda: -x,
        lambda: ops.exp(x),
        lambda: x.sum(),
        lambda: ops.sort(x),
        lambda: x < x[0],
    ):
        with pytest.raises(TypeError, match="a dtype of storage: convert the operand first"):
            call()


@pytest.mark.parametrize("dtype", STORAGE)
def test_jitted_as_eager(dtype: Any) -> None:
    def f(x: Any) -> Any:
        stored = x.astype(dtype)
        return ops.concat([stored, stored[:1]]).astype(ms.float32) * 2

    x = Tensor(np.linspace(-7, 7, 50, dtype=np.float32))
    for _ in range(3):
        np.testing.assert_array_equal(ms.jit(f)(x).asnumpy(), f(x).asnumpy())


def test_texts_and_numbers() -> None:
    x = Tensor([0.5, -3.0]).astype(ms.float8_e5m2)
    assert (str(x), str(x.dtype)) == ("[ 0.5 -3. ]", "Float8E5M2")
    assert "dtype=Float8E5M2" in repr(x) and "5.00000000e-01" in repr(x)
    assert x.tolist() == [0.5, -3.0] and x[1].item() == -3.0
    assert str(Tensor([1, -2], ms.int4)) == "[ 1 -2]" and Tensor([1, -2], ms.int4).tolist() == [1, -2]
    assert ms.float8_e4m3fn != ms.float8_e5m2 and str(ms.float8_e4m3fn) == "Float8E4M3FN"


@pytest.mark.parametrize("name, kind", [("float8_e4m3fn", "float32"), ("float8_e5m2", "float32"), ("int4", "int8")])
def test_arrays_are_copies_without_ml_dtypes(name: str, kind: str) -> None:
    program = (
        "import sys; sys.modules['ml_dtypes'] = None; import emberjit as ms; "
        f"x = ms.Tensor([1.0, -2.0]).astype(ms.{name}).asnumpy(); print(x.dtype, x.tolist() == [1, -2])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [kind, "True"]


@pytest.mark.parametrize("dtype", STORAGE)
def test_the_buffer_protocol_has_no_format(dtype: Any) -> None:
    with pytest.raises(BufferError):
        memoryview(Tensor([1.0, -2.0]).astype(dtype))


@pytest.mark.parametrize("dtype", STORAGE)
def test_arrays_of_ml_dtypes(dtype: Any) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kind = getattr(ml_dtypes, {ms.float8_e4m3fn: "float8_e4m3fn", ms.float8_e5m2: "float8_e5m2", ms.int4: "int4"}[dtype])
    array = np.linspace(-7, 7, 1000, dtype=np.float32).astype(kind)
    taken = Tensor(array)
    assert taken.dtype == dtype and taken.asnumpy().dtype == kind
    np.testing.assert_array_equal(taken.asnumpy().view(np.uint8), array.view(np.uint8))


@pytest.mark.parametrize("dtype", [*STORAGE, ms.complex64, ms.complex128])
def test_checkpoints(dtype: Any, tmp_path: Path) -> None:
    x = Tensor([1.0, -2.0, 3.5]).astype(dtype)
    path = tmp_path / "kept.ckpt"
    ms.save_checkpoint({"x": x}, str(path))
    back = ms.load_checkpoint(str(path))["x"]
    assert back.dtype == dtype and back.get_bytes() == x.get_bytes()
