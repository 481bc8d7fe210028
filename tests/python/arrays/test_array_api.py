"""emberjit.array_api against the array API standard, 2025.12: its names and signatures, promotion, what functions refuse,
memory, exchange and what the namespace tells of itself. tests/peers runs the standard's own suite."""

from __future__ import annotations

import copy
import inspect
import itertools
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit
from emberjit import array_api as xp

SIGNATURES = """
abs(x, /); acos(x, /); acosh(x, /); add(x1, x2, /); asin(x, /); asinh(x, /); atan(x, /); atan2(x1, x2, /); atanh(x, /)
bitwise_and(x1, x2, /); bitwise_invert(x, /); bitwise_left_shift(x1, x2, /); bitwise_or(x1, x2, /)
bitwise_right_shift(x1, x2, /); bitwise_xor(x1, x2, /); ceil(x, /); clip(x, /, min=None, max=None); conj(x, /)
copysign(x1, x2, /); cos(x, /); cosh(x, /); divide(x1, x2, /); equal(x1, x2, /); exp(x, /); expm1(x, /); floor(x, /)
floor_divide(x1, x2, /); greater(x1, x2, /); greater_equal(x1, x2, /); hypot(x1, x2, /); imag(x, /); isfinite(x, /)
isinf(x, /); isnan(x, /); less(x1, x2, /); less_equal(x1, x2, /); log(x, /); log10(x, /); log1p(x, /); log2(x, /)
logaddexp(x1, x2, /); logical_and(x1, x2, /); logical_not(x, /); logical_or(x1, x2, /); logical_xor(x1, x2, /)
maximum(x1, x2, /); minimum(x1, x2, /); multiply(x1, x2, /); negative(x, /); nextafter(x1, x2, /); not_equal(x1, x2, /)
positive(x, /); pow(x1, x2, /); real(x, /); reciprocal(x, /); remainder(x1, x2, /); round(x, /); sign(x, /)
signbit(x, /); sin(x, /); sinh(x, /); sqrt(x, /); square(x, /); subtract(x1, x2, /); tan(x, /); tanh(x, /); trunc(x, /)
arange(start, /, stop=None, step=1, *, dtype=None, device=None); asarray(obj, /, *, dtype=None, device=None, copy=None)
empty(shape, *, dtype=None, device=None); empty_like(x, /, *, dtype=None, device=None)
eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None); from_dlpack(x, /, *, device=None, copy=None)
full(shape, fill_value, *, dtype=None, device=None); full_like(x, /, fill_value, *, dtype=None, device=None)
linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True); meshgrid(*arrays, indexing='xy')
ones(shape, *, dtype=None, device=None); ones_like(x, /, *, dtype=None, device=None); tril(x, /, *, k=0)
triu(x, /, *, k=0); zeros(shape, *, dtype=None, device=None); zeros_like(x, /, *, dtype=None, device=None)
astype(x, dtype, /, *, copy=True, device=None); can_cast(from_, to, /); finfo(type, /); iinfo(type, /)
isdtype(dtype, kind); result_type(*arrays_and_dtypes); broadcast_arrays(*arrays); broadcast_shapes(*shapes)
broadcast_to(x, /, shape); concat(arrays, /, *, axis=0); expand_dims(x, /, axis); flip(x, /, *, axis=None)
moveaxis(x, source, destination, /); permute_dims(x, /, axes); repeat(x, repeats, /, *, axis=None)
reshape(x, /, shape, *, copy=None); roll(x, /, shift, *, axis=None); squeeze(x, /, axis); stack(arrays, /, *, axis=0)
tile(x, repetitions, /); unstack(x, /, *, axis=0); take(x, indices, /, *, axis=None)
take_along_axis(x, indices, /, *, axis=-1); argmax(x, /, *, axis=None, keepdims=False)
argmin(x, /, *, axis=None, keepdims=False); count_nonzero(x, /, *, axis=None, keepdims=False); nonzero(x, /)
searchsorted(x1, x2, /, *, side='left', sorter=None); where(condition, x1, x2, /); isin(x1, x2, /, *, invert=False)
unique_all(x, /); unique_counts(x, /); unique_inverse(x, /); unique_values(x, /)
argsort(x, /, *, axis=-1, descending=False, stable=True); sort(x, /, *, axis=-1, descending=False, stable=True)
cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False)
cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False); max(x, /, *, axis=None, keepdims=False)
mean(x, /, *, axis=None, keepdims=False); min(x, /, *, axis=None, keepdims=False)
prod(x, /, *, axis=None, dtype=None, keepdims=False); std(x, /, *, axis=None, correction=0.0, keepdims=False)
sum(x, /, *, axis=None, dtype=None, keepdims=False); var(x, /, *, axis=None, correction=0.0, keepdims=False)
all(x, /, *, axis=None, keepdims=False); any(x, /, *, axis=None, keepdims=False)
diff(x, /, *, axis=-1, n=1, prepend=None, append=None); matmul(x1, x2, /); matrix_transpose(x, /)
tensordot(x1, x2, /, *, axes=2); vecdot(x1, x2, /, *, axis=-1); __array_namespace_info__()
linalg.cholesky(x, /, *, upper=False); linalg.cross(x1, x2, /, *, axis=-1); linalg.det(x, /)
linalg.diagonal(x, /, *, offset=0); linalg.eig(x, /); linalg.eigh(x, /); linalg.eigvals(x, /); linalg.eigvalsh(x, /)
linalg.inv(x, /); linalg.matmul(x1, x2, /); linalg.matrix_norm(x, /, *, keepdims=False, ord='fro')
linalg.matrix_power(x, n, /); linalg.matrix_rank(x, /, *, rtol=None); linalg.matrix_transpose(x, /)
linalg.outer(x1, x2, /); linalg.pinv(x, /, *, rtol=None); linalg.qr(x, /, *, mode='reduced'); linalg.slogdet(x, /)
linalg.solve(x1, x2, /); linalg.svd(x, /, *, full_matrices=True); linalg.svdvals(x, /)
linalg.tensordot(x1, x2, /, *, axes=2); linalg.trace(x, /, *, offset=0, dtype=None); linalg.vecdot(x1, x2, /, *, axis=-1)
linalg.vector_norm(x, /, *, axis=None, keepdims=False, ord=2)
fft.fft(x, /, *, n=None, axis=-1, norm='backward'); fft.ifft(x, /, *, n=None, axis=-1, norm='backward')
fft.rfft(x, /, *, n=None, axis=-1, norm='backward'); fft.irfft(x, /, *, n=None, axis=-1, norm='backward')
fft.hfft(x, /, *, n=None, axis=-1, norm='backward'); fft.ihfft(x, /, *, n=None, axis=-1, norm='backward')
fft.fftn(x, /, *, s=None, axes=None, norm='backward'); fft.ifftn(x, /, *, s=None, axes=None, norm='backward')
fft.rfftn(x, /, *, s=None, axes=None, norm='backward'); fft.irfftn(x, /, *, s=None, axes=None, norm='backward')
fft.fftfreq(n, /, *, d=1.0, dtype=None, device=None); fft.rfftfreq(n, /, *, d=1.0, dtype=None, device=None)
fft.fftshift(x, /, *, axes=None); fft.ifftshift(x, /, *, axes=None)
"""
FUNCTIONS = [text.strip() for text in SIGNATURES.replace("\n", ";").split(";") if text.strip()]
METHODS = """
abs add and array_namespace bool complex dlpack dlpack_device eq float floordiv ge getitem gt iadd iand ifloordiv ilshift
imatmul imod imul index int invert ior ipow irshift isub itruediv ixor le lshift lt matmul mod mul ne neg or pos pow radd
rand rfloordiv rlshift rmatmul rmod rmul ror rpow rrshift rshift rsub rtruediv rxor setitem sub truediv xor
"""
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
DTYPES = NAMES.split()
KINDS = ["bool", "int", "float", "complex"]


def found(name: str) -> Any:
    value: Any = xp
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("text", FUNCTIONS)
def test_signature(text: str) -> None:
    name, _, parameters = text.partition("(")
    signature = inspect.signature(found(name))
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    assert str(inspect.Signature(plain)) == f"({parameters}"
    assert found(name).__doc__


def test_names() -> None:
    functions = {text.partition("(")[0] for text in FUNCTIONS}
    more = {*DTYPES, "e", "inf", "nan", "newaxis", "pi", "linalg", "fft", "Array", "__array_api_version__"}
    assert set(xp.__all__) == {name for name in functions if "." not in name} | more
    for module in ("linalg", "fft"):
        assert set(found(module).__all__) == {name.partition(".")[2] for name in functions if name.startswith(f"{module}.")}
    attributes = {"dtype", "device", "mT", "ndim", "shape", "size", "T", "to_device"}
    assert attributes | {f"__{name}__" for name in METHODS.split()} <= set(vars(xp.Array))
    assert (xp.e, xp.pi, xp.inf, xp.newaxis) == (math.e, math.pi, math.inf, None)
    assert math.isnan(xp.nan)


def kind(name: str) -> int:
    return next(i for i, part in enumerate(KINDS) if part in name)


@pytest.mark.parametrize("a, b", list(itertools.product(DTYPES, DTYPES)))
def test_promotion(a: str, b: str) -> None:
    given = [xp.ones(2, dtype=found(name)) for name in (a, b)]
    expected: str | None = str(np.result_type(a, b))
    if kind(a) != kind(b):  # undefined in the standard: here the higher kind
        low, high = sorted((a, b), key=kind)
        expected = "complex128" if low == "float64" else high
    elif kind(a) == 1 and expected == "float64":
        expected = None
    if expected is None:
        with pytest.raises(TypeError, match="promote"):
            xp.result_type(*given)
        with pytest.raises(TypeError):
            xp.equal(*given)
        return
    assert xp.result_type(found(a), given[1]) == found(expected)
    assert xp.where(xp.asarray(True), *given).dtype == found(expected)
    assert xp.concat(given).dtype == found(expected)
    assert xp.can_cast(found(a), found(b)) == (expected == b)
    if expected != "bool":
        assert (given[0] + given[1]).dtype == found(expected)


@pytest.mark.parametrize(
    "dtype, number, expected",
    [
        ("int8", 1, "int8"),
        ("uint64", 1, "uint64"),
        ("float32", 1, "float32"),
        ("float32", 1.5, "float32"),
        ("float64", 1e300, "float64"),
        ("complex64", 1.5, "complex64"),
        ("float64", 2j, "complex128"),
        ("float32", 2j, "complex64"),
        ("int64", 1.5, "float32"),
        ("bool", 1, "int64"),
        ("float32", True, "float32"),
    ],
)
def test_number_promotion(dtype: str, number: Any, expected: str) -> None:
    x = xp.ones((2, 1), dtype=found(dtype))
    for result in (x + number, number + x, xp.multiply(x, number), xp.where(xp.asarray(True), number, x)):
        assert result.dtype == found(expected), result
    assert xp.result_type(x, number) == found(expected)


def small() -> Any:
    return xp.asarray([[1.0, 2.0], [3.0, 4.0]])


REFUSED: list[tuple[Callable[[], Any], type[Exception]]] = [
    (lambda: xp.add(1, 2), TypeError),
    (lambda: xp.add([1], small()), TypeError),
    (lambda: small() + "a", TypeError),
    (lambda: small() + np.ones(2), TypeError),
    (lambda: xp.sqrt(xp.asarray(4)), TypeError),
    (lambda: xp.less(small() + 1j, 0), TypeError),
    (lambda: xp.bitwise_and(small(), small()), TypeError),
    (lambda: xp.asarray([1], dtype=xp.uint8) + 256, OverflowError),
    (lambda: xp.asarray([1], dtype=xp.uint8) - (-1), OverflowError),
    (lambda: xp.asarray([300], dtype=xp.int8), OverflowError),
    (lambda: xp.asarray([2**70]), OverflowError),
    (lambda: xp.asarray([1.5], dtype=xp.int8), TypeError),
    (lambda: xp.asarray(["a"]), TypeError),
    (lambda: xp.asarray([[1], [2, 3]]), ValueError),
    (lambda: xp.asarray([1], copy=False), ValueError),
    (lambda: xp.asarray(small(), dtype=xp.float64, copy=False), ValueError),
    (lambda: xp.asarray(1, device="GPU"), ValueError),
    (lambda: xp.asarray(emberjit.Tensor([1.0], emberjit.float16)), TypeError),
    (lambda: xp.zeros(2, dtype=emberjit.bfloat16), TypeError),
    (lambda: xp.zeros((-1,)), ValueError),
    (lambda: xp.full(2, 1.5, dtype=xp.int32), TypeError),
    (lambda: xp.full(2, "a"), TypeError),
    (lambda: xp.zeros(2, dtype="float32"), TypeError),
    (lambda: xp.zeros(2**50), ValueError),
    (lambda: xp.arange(0, 5, 0), ValueError),
    (lambda: xp.astype(small() + 1j, xp.float32), TypeError),
    (lambda: xp.broadcast_shapes((2,), (3,)), ValueError),
    (lambda: xp.broadcast_to(small(), (3, 2)), ValueError),
    (lambda: xp.isdtype(xp.int8, "whole"), ValueError),
    (lambda: xp.finfo(xp.int8), TypeError),
    (lambda: xp.iinfo(xp.float32), TypeError),
    (lambda: xp.squeeze(small(), 0), ValueError),
    (lambda: xp.expand_dims(small(), 4), IndexError),
    (lambda: xp.expand_dims(small(), (0, 0)), IndexError),
    (lambda: xp.flip(small(), axis=2), ValueError),
    (lambda: xp.permute_dims(small(), (0,)), ValueError),
    (lambda: xp.moveaxis(small(), (0, 1), (0,)), ValueError),
    (lambda: xp.concat([]), ValueError),
    (lambda: xp.repeat(small(), -1), ValueError),
    (lambda: xp.reshape(small(), (3,)), ValueError),
    (lambda: xp.reshape(small().mT, (4,), copy=False), ValueError),
    (lambda: xp.take(small(), xp.asarray([0])), ValueError),
    (lambda: xp.take(small(), xp.asarray([2]), axis=0), IndexError),
    (lambda: xp.take(small(), xp.asarray([0.0]), axis=0), TypeError),
    (lambda: xp.nonzero(xp.asarray(1)), ValueError),
    (lambda: xp.argmax(xp.zeros((0,))), ValueError),
    (lambda: xp.max(xp.zeros((0, 2)), axis=0), ValueError),
    (lambda: xp.max(small() + 1j), TypeError),
    (lambda: xp.sum(small(), axis=(0, 0)), ValueError),
    (lambda: xp.sum(small(), dtype=xp.int32), TypeError),
    (lambda: xp.sum(small() > 1), TypeError),
    (lambda: xp.mean(xp.arange(3)), TypeError),
    (lambda: xp.cumulative_sum(small()), ValueError),
    (lambda: xp.where(small(), 1, small()), TypeError),
    (lambda: xp.searchsorted(small(), 1), ValueError),
    (lambda: xp.searchsorted(small()[0], 1, side="middle"), ValueError),
    (lambda: xp.matmul(small(), xp.ones(3)), ValueError),
    (lambda: xp.matmul(small(), 2), TypeError),
    (lambda: xp.vecdot(small(), small(), axis=0), ValueError),
    (lambda: xp.linalg.cross(small(), small()), ValueError),
    (lambda: xp.linalg.inv(xp.ones((2, 3))), ValueError),
    (lambda: xp.linalg.inv(xp.asarray([[1, 0], [0, 1]])), TypeError),
    (lambda: xp.linalg.matrix_norm(small(), ord=3), ValueError),
    (lambda: xp.fft.rfft(small() + 1j), TypeError),
    (lambda: xp.fft.fft(xp.arange(3)), TypeError),
    (lambda: xp.fft.fft(small(), norm="none"), ValueError),
    (lambda: small()[2], IndexError),
    (lambda: small()[0, 0, 0], IndexError),
    (lambda: small()[xp.asarray([True, False, True])], IndexError),
    (lambda: small()[xp.zeros((2, 0, 0), dtype=xp.bool)], IndexError),
    (lambda: small()[xp.zeros((1, 0), dtype=xp.bool)], IndexError),
    (lambda: small()["a"], IndexError),
    (lambda: bool(small()), TypeError),
    (lambda: float(xp.asarray(1j)), TypeError),
    (lambda: xp.asarray(1.0).__index__(), TypeError),
    (lambda: iter(xp.asarray(1)), TypeError),
    (lambda: hash(small()), TypeError),
    (lambda: xp.ones(3).T, ValueError),
    (lambda: xp.ones(3).mT, ValueError),
    (lambda: small().to_device("GPU"), ValueError),
    (lambda: small().to_device("CPU", stream=1), ValueError),
    (lambda: small().__array_namespace__(api_version="1999.12"), ValueError),
    (lambda: small().__setitem__(0, 1j), TypeError),
    (lambda: xp.arange(3).__setitem__(0, 1.5), TypeError),
    (lambda: xp.ones(2, dtype=xp.int8).__setitem__(0, 1000), OverflowError),
    (lambda: xp.arange(3).__setitem__(0, xp.asarray(1.5)), TypeError),
    (lambda: small().__setitem__(0, [1.0, 2.0]), TypeError),
    (lambda: xp.arange(3).__iadd__(1.5), ValueError),
    (lambda: xp.ones(2).__iadd__(xp.ones((2, 2))), ValueError),
    (lambda: xp.Array(1), TypeError),
]


@pytest.mark.parametrize("call, error", REFUSED, ids=range(len(REFUSED)))
def test_refused(call: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_memory() -> None:
    tensor = emberjit.Tensor([1.0, 2.0, 3.0])
    x = xp.asarray(tensor)
    assert x.tensor is tensor
    x[0] = 5
    assert tensor.tolist() == [5, 2, 3]
    y = x
    y += 1
    assert x.tensor.tolist() == [6, 3, 4]
    x[1:] *= 2
    assert tensor.tolist() == [6, 6, 8]
    copied = xp.asarray(x, copy=True)
    copied[...] = 0
    assert tensor.tolist() == [6, 6, 8]
    x[x > 6] = xp.asarray(0)
    assert tensor.tolist() == [6, 6, 0]
    array = np.zeros(2, np.float32)
    xp.asarray(array)[0] = 1
    assert array.tolist() == [1, 0]
    full = xp.zeros((2, 2))
    full[0, 0] = 1
    assert full.tensor.tolist() == [[1, 0], [0, 0]]
    for grid in xp.meshgrid(xp.arange(2), xp.arange(2)):
        grid[0, 0] = 5
        assert int(xp.count_nonzero(grid == 5)) == 1
    with pytest.raises(ValueError, match="several indices"):
        xp.broadcast_to(x, (2, 3))[0, 0] = 1


def test_exchange() -> None:
    x = small()
    assert np.from_dlpack(x).tolist() == [[1, 2], [3, 4]]
    y = xp.from_dlpack(np.arange(3))
    assert (y.dtype, y.tensor.tolist()) == (xp.int64, [0, 1, 2])
    shared, own = xp.from_dlpack(x), xp.from_dlpack(x, copy=True)
    x[0, 0] = 9
    assert (float(shared[0, 0]), float(own[0, 0])) == (9, 1)
    assert x.__dlpack_device__() == (1, 0)
    assert np.asarray(x).tolist() == [[9, 2], [3, 4]]
    assert (x.device, x.to_device("CPU")) == ("CPU", x)
    assert x.__array_namespace__(api_version="2024.12") is xp


def test_numbers() -> None:
    assert (int(xp.asarray(2.7)), float(xp.asarray(3)), complex(xp.asarray(2)), bool(xp.asarray(0))) == (
        2,
        3.0,
        2 + 0j,
        False,
    )
    assert "abc"[xp.asarray(1)] == "b"
    assert [float(part) for part in xp.asarray([1.0, 2.0])] == [1.0, 2.0]
    assert repr(xp.asarray([1, 2])) == "Array([1 2], dtype=int64)"


def test_information() -> None:
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}
    assert (info.devices(), info.default_device()) == (("CPU",), "CPU")
    assert info.default_dtypes()["real floating"] == xp.asarray(1.0).dtype == xp.zeros(1).dtype
    assert info.default_dtypes()["complex floating"] == xp.asarray(1j).dtype
    assert info.default_dtypes()["integral"] == xp.arange(1).dtype == xp.asarray(1).dtype
    assert list(info.dtypes(kind=("bool", "unsigned integer"))) == ["bool", "uint8", "uint16", "uint32", "uint64"]
    assert list(info.dtypes(device="CPU")) == DTYPES
    with pytest.raises(ValueError, match="device"):
        info.dtypes(device="GPU")
    for name in ("float32", "float64"):
        mine, expected = xp.finfo(found(name)), np.finfo(name)
        assert (mine.bits, mine.eps, mine.max, mine.min) == (expected.bits, expected.eps, expected.max, expected.min)
        assert mine.smallest_normal == expected.smallest_normal
    assert xp.finfo(xp.asarray(1j)).dtype == xp.float32
    for name in DTYPES[1:9]:
        mine, limits = xp.iinfo(found(name)), np.iinfo(name)
        assert (mine.bits, mine.max, mine.min) == (limits.bits, limits.max, limits.min)
    assert xp.isdtype(xp.float32, ("integral", "real floating"))
    assert not xp.isdtype(xp.bool, "numeric")
    xp.zeros((1,) * 8)


def test_gradients_and_jit() -> None:
    def loss(tensor: Any) -> Any:
        x = xp.asarray(tensor)
        return xp.sum(x**2 * xp.where(x > 1.5, 1.0, x)).tensor

    given = emberjit.Tensor([1.0, 2.0])
    for function in (loss, emberjit.jit(loss)):
        assert float(function(given)) == 5.0
        assert emberjit.grad(function)(given).tolist() == [3.0, 4.0]
    squared = emberjit.jit(lambda x: xp.Array((x**2 + 1).tensor))
    assert squared(xp.asarray([1.0, 3.0])).tensor.tolist() == [2.0, 10.0]
    assert squared(xp.asarray([2.0, 0.0])).tensor.tolist() == [5.0, 1.0]


def test_copies() -> None:
    x = small()
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert isinstance(other, xp.Array)
        assert bool(xp.all(other == x))
