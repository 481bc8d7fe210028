"""Numbers of Python written into Tensors: rounded once, to the dtype of what they are written into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

FIRST, MASK = Tensor([0]), Tensor([True, False])
HALFWAY = 1 + 2**-11 + 2**-40  # in float32 a tie between two numbers of float16, of which it is nearer to the second


def written(index: Any, value: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def write(x: Any, number: Any) -> Any:
        x[index] = value(number)
        return x

    return write


WRITES: dict[str, Callable[[Any, Any], Any]] = {
    "element": written(0, lambda v: v),
    "slice": written(slice(0, 1), lambda v: v),
    "all": written(..., lambda v: v),
    "mask": written(MASK, lambda v: v),
    "position": written(FIRST, lambda v: v),
    "list": written(slice(None), lambda v: [v, v]),
    "tuple": written([0, 1], lambda v: (v, 2)),
    "list with a Tensor": written(slice(None), lambda v: [v, Tensor(2.0)]),
    "fill_": lambda x, v: x.fill_(v),
    "masked_fill": lambda x, v: x.masked_fill(MASK, v),
    "index_fill": lambda x, v: x.index_fill(0, FIRST, v),
    "scatter": lambda x, v: x.scatter(0, FIRST, v),
    "fill_diagonal_": lambda x, v: x.reshape(2, 1).fill_diagonal_(v).reshape(2),
    "full": lambda x, v: ops.full((2,), v, dtype=x.dtype),
    "full_like": lambda x, v: ops.full_like(x, v),
    "cast": lambda x, v: ops.cast(v, x.dtype) + x * 0,
    "where": lambda x, v: ops.where(MASK, v, x),
    "add": lambda x, v: x * 0 + v,
    "pad": lambda x, v: ops.pad(x, (1, 0), value=v)[:2],
    "pad by NumPy's": lambda x, v: ops.pad(x, (1, 0), value=np.array(v)[()])[:2],
}
RUNS: dict[str, Callable[[Callable[[Any], Any], Any], Any]] = {
    "eager": lambda f, x: f(x),
    "ast": lambda f, x: ms.jit(f, capture_mode="ast")(x),
    "bytecode": lambda f, x: ms.jit(f, capture_mode="bytecode")(x),
    "grad": lambda f, x: ms.grad(lambda x: (ops.abs(made := f(x * 1)).sum(), made), has_aux=True)(x)[1][0],
    "vmap": lambda f, x: ms.vmap(lambda x: f(x * 1))(ops.stack([x, x]))[1],
}


@pytest.mark.breaks
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", WRITES)
def test_numbers_are_rounded_once(name: str, run: str) -> None:
    for start, number in (([1.0, 2], 0.1), ([1j, 2], 0.1), ([1j, 2], 0.1j), ([1j, 2], 0.1 + 0.3j)):
        got = RUNS[run](lambda x, number=number: WRITES[name](x, number), Tensor(np.array(start)))
        assert got.dtype == Tensor(np.array(start)).dtype and got.tolist()[0] == number


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", ["element", "all", "mask", "list", "fill_", "masked_fill", "scatter", "full"])
def test_numbers_between_those_of_short_dtypes(name: str, run: str) -> None:
    for dtype, number, wanted in ((ms.float16, HALFWAY, 1 + 2**-10), (ms.int64, 2.0**53 - 1, 2**53 - 1)):
        x = Tensor([1, 2], dtype)
        if run in ("grad", "vmap") and dtype == ms.int64:
            continue
        assert RUNS[run](lambda x, number=number: WRITES[name](x, number), x).tolist()[0] == wanted


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_numbers_given_to_compiled_functions(mode: str) -> None:
    compiled = ms.jit(lambda x, v: WRITES["list"](x, v), capture_mode=mode)
    for start, numbers in (([1.0, 2], (0.1, 0.3)), ([1j, 2], (0.1, 0.3j))):
        for number in numbers:
            assert compiled(Tensor(np.array(start)), number).tolist() == [number] * 2
