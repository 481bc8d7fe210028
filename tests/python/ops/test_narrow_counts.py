"""Positions and counts in a dtype that has no room for them are refused, before they are computed: none are cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops
from emberjit import numpy as mnp
from emberjit.checks import check_room

MANY = (1 << 31) + 1
_REFUSED: dict[str, Callable[[], Any]] = {
    "randperm": lambda: ops.randperm(300, dtype=ms.int8),
    "randperm (mint)": lambda: mint.randperm(3000, dtype=ms.float16),
    "Randperm": lambda: ops.Randperm(70000, dtype=ms.int16)(70000),
    "random_categorical": lambda: ops.random_categorical(Tensor(np.ones((1, 40000), np.float32)), 4, dtype=ms.int16),
    "multinomial": lambda: ops.multinomial(Tensor([1.0]).broadcast_to((MANY,)), 1),
    "Multinomial": lambda: ops.Multinomial(dtype=ms.int32)(Tensor([1.0]).broadcast_to((MANY,)), 1),
    "tril_indices": lambda: ops.tril_indices(MANY, 1, dtype=ms.int32),
    "triu_indices": lambda: ops.triu_indices(1, MANY, dtype=ms.int32),
    "triu_indices (numpy)": lambda: mnp.triu_indices(1, 0, MANY),
}


@pytest.mark.parametrize("name", _REFUSED)
def test_no_room(name: str) -> None:
    with pytest.raises(ValueError, match="can number"):
        _REFUSED[name]()


@pytest.mark.parametrize("dtype, most", [(ms.int8, 128), (ms.uint8, 256), (ms.float16, 2049), (ms.int32, 1 << 31)])
def test_room(dtype: Any, most: int) -> None:
    check_room("f", "items", most, dtype)
    with pytest.raises(ValueError, match=f"For 'f', items are {most + 1}"):
        check_room("f", "items", most + 1, dtype)


@pytest.mark.parametrize("dtype", [ms.int8, ms.uint8, ms.int16, ms.float16, ms.float32, ms.int64])
def test_what_there_is_room_for(dtype: Any) -> None:
    assert sorted(ops.randperm(128, dtype=dtype).asnumpy().astype(int)) == list(range(128))
    assert ops.randperm(128, dtype=dtype).dtype == dtype


def test_a_pivot_is_not_cut() -> None:
    with pytest.raises(ValueError, match="does not fit int32"):
        ops.lu_unpack(Tensor(np.eye(3, dtype=np.float32)), Tensor(np.array([1, (1 << 32) + 2, 3])))


@pytest.mark.parametrize("name", ["svd", "svdvals", "eigh", "qr", "geqrf"])
def test_matrices_that_lapack_cannot_count(name: str) -> None:
    """Of elements that share one place of memory, so that only the check sees them."""
    ops.inverse(Tensor(np.eye(2, dtype=np.float32)))  # loads LAPACK
    size = 40000 if name in ("svd", "eigh") else MANY
    shape = (size, size) if name in ("svd", "eigh") else (size, 1)
    x = Tensor(np.ones((1, 1), np.float32)).broadcast_to(shape)
    with pytest.raises(ValueError, match="LAPACK can count"):
        ms._emberjit.op_table[name](x)
