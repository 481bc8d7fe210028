"""Tensors of PyTorch and of JAX over the same memory as emberjit's, by DLPack, both ways; what may not be written is not."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, utils

torch = pytest.importorskip("torch", reason="PyTorch is not here: tools/test --peers installs it")
jax = pytest.importorskip("jax", reason="JAX is not here: tools/test --peers installs it")
jnp = jax.numpy

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
DTYPES = ["bool", *SIGNED, *UNSIGNED, "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
FLOAT8 = ["float8_e4m3fn", "float8_e5m2"]
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.T,
    "steps": lambda a: a[::2, 1::2],
    "column": lambda a: a[:, 2],
    "element": lambda a: a[1, 2],
    "nothing": lambda a: a[2:1],
}


@pytest.fixture(autouse=True)
def wide_numbers() -> Any:
    with jax.enable_x64(True):
        yield


def values_of(tensor: Any) -> Any:
    """Nested lists, of any library's tensor."""
    return (
        tensor.astype("float32").tolist()
        if isinstance(tensor, jax.Array) and tensor.dtype.itemsize == 2
        else tensor.tolist()
    )


def of_torch(dtype: str) -> Any:
    return (torch.arange(24).reshape(4, 6) % 5).to(getattr(torch, dtype))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [*DTYPES, *FLOAT8])
def test_pytorch_both_ways(dtype: str, layout: str) -> None:
    given = LAYOUTS[layout](of_torch(dtype))
    x = utils.from_dlpack(given, copy=False)
    assert x.dtype == getattr(ms, "bool_" if dtype == "bool" else dtype) and x.shape == tuple(given.shape)
    assert x.tolist() == given.tolist() and (x.data_ptr() == given.data_ptr() or not x.size)
    back = torch.from_dlpack(x)
    assert (back.dtype, back.shape, back.stride()) == (given.dtype, given.shape, given.stride()) or not x.size
    assert back.data_ptr() == given.data_ptr() or not x.size
    back.fill_(1)
    assert x.tolist() == given.tolist() == torch.ones(given.shape).to(given.dtype).tolist()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_jax_both_ways(dtype: str, layout: str) -> None:
    given = LAYOUTS[layout]((jnp.arange(24).reshape(4, 6) % 5).astype(dtype))
    before = values_of(given)
    with pytest.raises(BufferError, match="read-only"):
        utils.from_dlpack(given, copy=False)
    x = utils.from_dlpack(given)
    assert x.shape == given.shape and x.tolist() == before
    back = jnp.from_dlpack(Tensor(x))
    assert back.dtype == given.dtype and values_of(back) == before
    if x.size:
        x[...] = 1
    assert values_of(given) == before


def test_jax_takes_memory_and_keeps_it() -> None:
    x = Tensor(np.arange(10_000, dtype=np.float32))
    array = jnp.from_dlpack(x, copy=False)
    assert array.unsafe_buffer_pointer() == x.data_ptr()
    del x
    gc.collect()
    others = [Tensor(np.zeros(10_000, np.float32)) for _ in range(4)]
    assert float(array.sum()) == sum(range(10_000)) and len(others) == 4


def test_pytorch_keeps_memory_and_is_kept() -> None:
    x = utils.from_dlpack(torch.arange(10_000, dtype=torch.float32))
    gc.collect()
    assert x.sum().item() == sum(range(10_000))
    kept = torch.from_dlpack(Tensor(np.arange(10_000, dtype=np.float32))[::2])
    gc.collect()
    others = [torch.zeros(10_000) for _ in range(4)]
    assert kept.sum().item() == sum(range(0, 10_000, 2)) and len(others) == 4


@pytest.mark.parametrize("copy", [None, True, False])
def test_pytorch_copies_as_asked(copy: bool | None) -> None:
    given = torch.arange(3.0)
    x = utils.from_dlpack(given, copy=copy)
    given[0] = 9
    assert x.tolist() == ([0, 1, 2] if copy else [9, 1, 2])
    y = Tensor([1.0, 2.0])
    taken = torch.from_dlpack(y, copy=copy)
    y[0] = 9.0
    assert taken.tolist() == ([1, 2] if copy else [9, 2])


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "gradients": (lambda: torch.ones(2, requires_grad=True), "detach"),
    "conjugate": (lambda: torch.ones(2, dtype=torch.complex64).conj(), "resolve_conj"),
    "negated": (lambda: torch.ones(2, dtype=torch.complex64).conj().imag, "yet to be negated"),
    "sparse": (lambda: torch.eye(2).to_sparse(), "does not share"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_pytorch_does_not_share(name: str) -> None:
    make, message = REFUSED[name]
    with pytest.raises((BufferError, RuntimeError), match=message):
        utils.from_dlpack(make())


def test_what_lies_backwards_reaches_pytorch_as_a_copy() -> None:
    x = Tensor([1.0, 2.0, 3.0])[::-1]
    assert x.strides == (-4,) and torch.from_dlpack(x).tolist() == [3, 2, 1]
    with pytest.raises(BufferError, match="backwards"):
        torch.from_dlpack(x, copy=False)


def test_a_capsule_goes_to_one_taker() -> None:
    capsule = Tensor([1.0, 2.0]).to_dlpack()
    taken = torch.utils.dlpack.from_dlpack(capsule)
    for again in (utils.from_dlpack, torch.utils.dlpack.from_dlpack):
        with pytest.raises(RuntimeError):
            again(capsule)
    assert taken.tolist() == [1, 2]


def test_a_chain_of_libraries_is_one_memory() -> None:
    array = np.arange(4.0)
    x = utils.from_dlpack(torch.from_dlpack(np.from_dlpack(utils.from_dlpack(array))))
    x[2] = 7.0
    assert array.tolist() == [0, 1, 7, 3]
