"""Assertions, summaries, functions of NumPy's arrays, elements by coordinates: what they give and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
IMAGES = Tensor(np.zeros((1, 3, 4, 4), np.float32))
EMPTY = Tensor(np.zeros((2, 0), np.int64))
SHAPE = Tensor([3, 3])


def half(x: np.ndarray) -> np.ndarray:
    return x / 2


def both(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return x + y, x - y


def test_functions_of_arrays() -> None:
    np.testing.assert_array_equal(ops.Custom(half)(X).asnumpy(), X.asnumpy() / 2)
    halves = ops.Custom(half, lambda shape: shape, lambda dtype: ms.float16, "pyfunc")(X)
    assert halves.dtype == ms.float16 and halves.shape == X.shape
    total, difference = ops.Custom(both, ((2, 3), (2, 3)), (ms.float32, ms.float64))(X, X)
    assert total.dtype == ms.float32 and difference.dtype == ms.float64
    np.testing.assert_array_equal(difference.asnumpy(), 0)


def test_what_is_seen_and_moved() -> None:
    assert ops.Assert()(True, (X,)) is None
    for name, value in (("Scalar", Tensor(1.0)), ("Image", IMAGES), ("Tensor", X), ("Histogram", X)):
        assert getattr(ops, f"{name}Summary")()("name", value) is None
    assert ops.move_to(X, "CPU") is not None
    cast = ops.mixed_precision_cast(ms.float16, (X, {"a": X, "b": Tensor([1])}, 2.0))
    assert (cast[0].dtype, cast[1]["a"].dtype, cast[1]["b"].dtype, cast[2]) == (ms.float16, ms.float16, ms.int64, 2.0)


def test_nothing_has_no_duplicates() -> None:
    indices, values, shape = ops.coalesce(EMPTY, Tensor(np.zeros(0, np.float32)), SHAPE)
    assert indices.shape == (2, 0) and values.shape == (0,) and shape is SHAPE
    splits, ranges = ops.RaggedRange(ms.int32)(*(Tensor(np.zeros(0, np.int32)),) * 3)
    assert splits.asnumpy().tolist() == [0] and splits.dtype == ms.int32 and ranges.shape == (0,)


def test_a_function_does_not_write_its_operand() -> None:
    def writes(array: np.ndarray) -> np.ndarray:
        array[0] = 99
        return array

    x = Tensor([1.0, 2.0])
    assert ops.Custom(writes)(x).asnumpy().tolist() == [99, 2] and x.asnumpy().tolist() == [1, 2]


REFUSED: tuple[tuple[Callable[[], Any], type[Exception], str], ...] = (
    (lambda: ops.Assert()(False, (X,)), RuntimeError, r"the condition is false. input_data: \[0. 1. 2.\]"),
    (lambda: ops.Assert()(False, (3,)), TypeError, "'input_data' must have Tensors"),
    (lambda: ops.ScalarSummary()(3, Tensor(1.0)), TypeError, "'ScalarSummary', 'name' must be a str"),
    (lambda: ops.ImageSummary()("x", X), ValueError, "'ImageSummary', 'value' must have 4 axes"),
    (lambda: ops.TensorSummary()("x", 3), TypeError, "'TensorSummary', 'value' must be a Tensor"),
    (lambda: ops.move_to(X, "Ascend"), ValueError, "'to' must be 'CPU'"),
    (lambda: ops.Custom(half, func_type="aot")(X), TypeError, "PATH:SYMBOL"),
    (lambda: ops.Custom("half")(X), TypeError, "'func' must be a function"),
    (lambda: ops.Custom(half, (3, 2))(X), ValueError, r"gave a result of shape \(2, 3\), but 'out_shape' is \(3, 2\)"),
    (lambda: ops.Custom(both, out_dtype=(ms.float32,))(X, X), ValueError, "'func' gave 2 results"),
    (lambda: ops.Custom(half)(3.0), TypeError, "operands must be Tensors"),
    (lambda: ops.ScalarSummary()("x", Tensor([1.0, 2.0])), ValueError, "no axis, or one of size 1"),
    (lambda: ops.mixed_precision_cast(ms.int32, X), TypeError, "must be of floating numbers"),
    (lambda: ops.coalesce(Tensor([[0, 9], [0, 0]]), Tensor([1.0, 2.0]), SHAPE), ValueError, "must be below 'x_shape'"),
    (lambda: ops.coalesce(Tensor([0, 9]), Tensor([1.0, 2.0]), SHAPE), ValueError, "'x_indices' must have 2 axes"),
    (lambda: ops.coalesce(Tensor([[0, 9]]), Tensor([1.0, 2.0]), SHAPE), ValueError, r"must be of shape \(2, 2\)"),
    (lambda: ops.RaggedRange(ms.int64)(*(Tensor([0, 1]), Tensor([5, 6]), Tensor([1, 0]))), ValueError, "must not be 0"),
    (lambda: ops.RaggedRange(ms.int64)(*(Tensor([0]), Tensor([5, 6]), Tensor([1]))), ValueError, "must have one shape"),
    (lambda: ops.RaggedRange(ms.float32)(*(Tensor([0]),) * 3), TypeError, "'Tsplits' must be int32 or int64"),
)


@pytest.mark.parametrize("call, error, text", REFUSED)
def test_refused(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
