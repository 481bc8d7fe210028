"""Updates of Parameters by indices, and what gradients, NaN and errors of scatters are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

START = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
UPDATES = np.array([[2.0, 8.0], [4.0, 0.5], [3.0, 3.0]], np.float32)
RESULTS = {
    "update": [[4, 0.5], [3, 4], [3, 3]],
    "add": [[7, 10.5], [3, 4], [8, 9]],
    "sub": [[-5, -6.5], [3, 4], [2, 3]],
    "mul": [[8, 8], [3, 4], [15, 18]],
    "div": [[0.125, 0.5], [3, 4], [5 / 3, 2]],
    "max": [[4, 8], [3, 4], [5, 6]],
    "min": [[1, 0.5], [3, 4], [3, 3]],
}


@pytest.mark.parametrize("how", RESULTS)
def test_parameters_are_written(how: str) -> None:
    for name, indices in ((f"scatter_{how}", [0, 0, 2]), (f"scatter_nd_{how}", [[0], [0], [2]])):
        word = name.title().replace("_", "")
        for call in (getattr(ops, name), getattr(ops, word)()):
            for jit in (lambda function: function, ms.jit):
                variable = Parameter(Tensor(START), name="x")
                run = jit(lambda *given, call=call, variable=variable: call(variable, *given))
                result = run(Tensor(indices), Tensor(UPDATES))
                np.testing.assert_allclose(variable.asnumpy(), RESULTS[how], rtol=1e-6)
                np.testing.assert_allclose(result.asnumpy(), RESULTS[how], rtol=1e-6)
                assert isinstance(variable, Parameter)


def test_more_that_write_parameters() -> None:
    variable = Parameter(Tensor(START), name="x")
    ops.inplace_index_add(variable, Tensor([1]), Tensor([[9.0], [8.0], [7.0]]), 1)
    assert variable.tolist() == [[1, 11], [3, 12], [5, 13]]
    ops.InplaceIndexAdd(0)(variable, Tensor([0]), Tensor([[1.0, 1.0]]))
    assert variable.tolist() == [[2, 12], [3, 12], [5, 13]]
    ops.ScatterNonAliasingAdd()(variable, Tensor([[2, 0]]), Tensor([5.0]))
    assert variable.tolist() == [[2, 12], [3, 12], [10, 13]]


CASES = (
    (TypeError, "'updates' must be Float32", lambda: ops.tensor_scatter_add(Tensor(START), Tensor([[0]]), Tensor([[1, 2]]))),
    (ValueError, r"'updates' must be \(1, 2\)", lambda: ops.tensor_scatter_max(Tensor(START), Tensor([[0]]), Tensor([1.0]))),
    (ValueError, "size from 1 to 2", lambda: ops.gather_nd(Tensor(START), Tensor([[0, 0, 0]]))),
    (ValueError, "size from 1 to 2", lambda: ops.gather_nd(Tensor(START), Tensor(0))),
    (IndexError, "3", lambda: ops.gather_nd(Tensor(START), Tensor([[3]]))),
    (IndexError, "3", lambda: ops.tensor_scatter_mul(Tensor(START), Tensor([[3]]), Tensor([[1.0, 1.0]]))),
    (IndexError, "5", lambda: ops.scatter_nd(Tensor([[5]]), Tensor([1.0]), (4,))),
    (TypeError, "'indices' must be an int", lambda: ops.inplace_add(Tensor(START), Tensor([[1.0, 1.0]]), 0.5)),
    (ValueError, "'num_segments' must be positive", lambda: ops.unsorted_segment_sum(Tensor(START), Tensor([0, 1, 1]), 0)),
    (ValueError, "'segment_ids' must be that", lambda: ops.unsorted_segment_max(Tensor(START), Tensor([0, 1]), 2)),
    (IndexError, "out of range", lambda: ops.unsorted_segment_min(Tensor(START), Tensor([0, 1, 2]), 2)),
    pytest.param(
        *(ValueError, "ascending", lambda: ops.SegmentSum()(Tensor(START), Tensor([1, 0, 1]))), marks=pytest.mark.breaks
    ),
    (ValueError, "two axes", lambda: ops.reverse_sequence(Tensor(START), Tensor([1, 1, 1]), 0, 0)),
    (TypeError, "must be integers", lambda: ops.reverse_sequence(Tensor(START), Tensor([1.0, 1.0, 1.0]), 1, 0)),
    (IndexError, "out of range", lambda: ops.reverse_sequence(Tensor(START), Tensor([1, 1, 4]), 1, 0)),
    (ValueError, "negative", lambda: ops.sequence_mask(Tensor([1, 2]), -1)),
)


@pytest.mark.parametrize("error, words, call", CASES)
def test_bad_input(error: type, words: str, call: Any) -> None:
    for run in (call, ms.jit(call)):
        with pytest.raises(error, match=words):
            run().asnumpy()


def test_segments_without_slices_and_of_infinities() -> None:
    x = Tensor([[-np.inf, np.nan], [-np.inf, 1.0]], ms.float32)
    ids = Tensor([0, 0])
    largest = ops.unsorted_segment_max(x, ids, 2).asnumpy()
    assert largest[0, 0] == -np.inf and np.isnan(largest[0, 1]) and (largest[1] == np.finfo(np.float32).min).all()
    assert ops.unsorted_segment_sum(Tensor(START), Tensor([-1, 1, -1]), 3).tolist() == [[0, 0], [3, 4], [0, 0]]
    assert ops.unsorted_segment_min(Tensor([3, 4], ms.int32), Tensor([1, 1]), 2).tolist() == [2**31 - 1, 3]
    assert ops.SegmentMax()(Tensor([1.0, 3.0]), Tensor([1, 3])).tolist() == [0, 1, 0, 3]
    assert ops.SegmentProd()(Tensor([2.0, 3.0]), Tensor([1, 1])).tolist() == [1, 6]
    assert ops.SegmentSum()(Tensor(np.zeros((0, 2), np.float32)), Tensor([], ms.int32)).shape == (0, 2)


def test_gradients_of_products_with_zeros_and_of_equals() -> None:
    x, at = Tensor([2.0, 5.0]), Tensor([[0], [0], [1]])

    def slopes(how: str, updates: Any) -> Any:
        scatter = getattr(ops, f"tensor_scatter_{how}")

        def loss(x: Any, updates: Any) -> Any:
            return (scatter(x, at, updates) * Tensor([1.0, 10.0])).sum()

        return [slope.tolist() for slope in ms.grad(loss, (0, 1))(x, Tensor(updates))]

    assert slopes("mul", [0.0, 3.0, 7.0]) == [[0, 70], [6, 0, 50]]
    assert slopes("mul", [0.0, 0.0, 7.0]) == [[0, 70], [0, 0, 50]]
    assert slopes("max", [2.0, 1.0, 5.0]) == [[0.5, 5], [0.5, 0, 5]]
    assert slopes("min", [2.0, 3.0, 9.0]) == [[0.5, 10], [0.5, 0, 0]]
    assert slopes("div", [2.0, 1.0, 5.0]) == [[0.5, 2], [-0.5, -1, -2]]


def test_quotients_of_integers() -> None:
    x = Tensor([7, -7, -128], ms.int8)
    assert ops.tensor_scatter_div(x, Tensor([[0], [1], [2]]), Tensor([2, 2, -1], ms.int8)).tolist() == [3, -3, -128]
    assert ops.tensor_scatter_div(x, Tensor([[0]]), Tensor([0], ms.int8)).tolist() == [0, -7, -128]


def test_extremes_of_nan_and_zeros() -> None:
    x, at = Tensor([np.nan, -0.0, 0.0], ms.float32), Tensor([[0], [1], [2]])
    for how, sign in (("max", False), ("min", True)):
        found = getattr(ops, f"tensor_scatter_{how}")(x, at, Tensor([1.0, 0.0, -0.0])).asnumpy()
        assert np.isnan(found[0]) and np.signbit(found[1:]).tolist() == [sign, sign]
        found = getattr(ops, f"tensor_scatter_{how}")(Tensor([1.0]), Tensor([[0]]), Tensor([np.nan])).asnumpy()
        assert np.isnan(found[0])


@pytest.mark.parametrize("kind", ("update", "add", "max"))
def test_indices_are_of_two_dtypes(kind: str) -> None:
    x, at = Tensor(np.ones((2, 3), np.float32)), Tensor(np.array([[0, 1]], np.int8))
    with pytest.raises(TypeError, match="'indices' must be int32 or int64, but got Int8"):
        getattr(ops, f"tensor_scatter_{kind}")(x, at, Tensor(np.ones(1, np.float32)))
