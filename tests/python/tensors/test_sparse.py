"""Sparse tensors against dense ones: conversions, arithmetic, products, gradients, jitted functions, refusals."""

import numpy as np
import pytest

import emberjit as ms
from emberjit import COOTensor, CSRTensor, RowTensor, Tensor, ops

DENSE = np.array([[0, 1, 0, 2], [0, 0, 0, 0], [3, 0, -4, 0]], np.float32)
OTHER = np.array([[0, 5, 6, 0], [0, 7, 0, 0], [0, 0, 4, 0]], np.float32)
MATRIX = np.arange(12, dtype=np.float32).reshape(3, 4) + 1


def coo(dense=DENSE, dtype=ms.int32):
    at = np.argwhere(dense)
    return COOTensor(Tensor(at).astype(dtype), Tensor(dense[tuple(at.T)]), dense.shape)


def csr(dense=DENSE, dtype=ms.int32):
    rows, columns = np.nonzero(dense)
    begins = np.searchsorted(rows, np.arange(len(dense) + 1))
    return CSRTensor(Tensor(begins).astype(dtype), Tensor(columns).astype(dtype), Tensor(dense[rows, columns]), dense.shape)


def dense(x):
    return (x.to_dense() if isinstance(x, (COOTensor, CSRTensor)) else x).asnumpy()


def softmax(x):
    powers = np.where(x != 0, np.exp(x), 0)
    return powers / np.maximum(powers.sum(1, keepdims=True), 1e-30)


def parts(matrix=DENSE):
    return coo(matrix).indices, coo(matrix).values, Tensor([3, 4])


def of_parts(made):
    indices, values, shape = made
    return COOTensor(indices, values, tuple(shape.tolist() if isinstance(shape, Tensor) else shape))


def reshaped(shape):
    indices, made = ops.SparseReshape()(coo().indices, Tensor([3, 4]), Tensor(shape))
    return of_parts((indices, coo().values, made))


def counted(*attributes):
    values, weights = Tensor([0, 0, 1, 1]), Tensor([1.0, 1.0, 2.0, 3.0])
    indices, counts, shape = ops.SparseCountSparseOutput(*attributes)(coo().indices, values, Tensor([3, 4]), weights)
    return indices, counts, shape


RESULTS = {
    "to_coo": (lambda: csr().to_coo(), DENSE),
    "to_csr": (lambda: coo().to_csr(), DENSE),
    "to_csr of any order": (lambda: COOTensor(coo().indices.flip(0), coo().values.flip(0), DENSE.shape).to_csr(), DENSE),
    "coalesce": (
        lambda: COOTensor(Tensor([[1, 2], [0, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), (2, 3)).coalesce(),
        [[2, 0, 0], [0, 0, 4]],
    ),
    "of a dense one, coo": (lambda: ops.dense_to_sparse_coo(Tensor(DENSE)), DENSE),
    "of a dense one, csr": (lambda: ops.dense_to_sparse_csr(Tensor(DENSE)), DENSE),
    "coo + coo": (lambda: coo() + coo(OTHER), DENSE + OTHER),
    "coo - coo": (lambda: coo() - coo(OTHER), DENSE - OTHER),
    "coo + Tensor": (lambda: coo() + Tensor(MATRIX), DENSE + MATRIX),
    "coo * Tensor": (lambda: coo() * Tensor(MATRIX), DENSE * MATRIX),
    "coo / number": (lambda: coo() / 2, DENSE / 2),
    "coo_add": (lambda: ops.coo_add(coo(), coo(OTHER), Tensor(2.5)), np.where(abs(DENSE + OTHER) < 2.5, 0, DENSE + OTHER)),
    "coo_concat": (lambda: ops.coo_concat([coo(), coo(OTHER)]), np.concatenate([DENSE, OTHER])),
    "coo_concat of columns": (lambda: ops.coo_concat([coo(), coo(OTHER)], 1), np.concatenate([DENSE, OTHER], 1)),
    "csr + csr": (lambda: csr() + csr(OTHER), DENSE + OTHER),
    "csr - csr": (lambda: csr() - csr(OTHER), DENSE - OTHER),
    "csr_add": (lambda: ops.csr_add(csr(), csr(OTHER), Tensor(2.0), Tensor(3.0)), 2 * DENSE + 3 * OTHER),
    "csr * row": (lambda: csr() * Tensor(MATRIX[:1]), DENSE * MATRIX[:1]),
    "csr / column": (lambda: csr() / Tensor(MATRIX[:, :1]), DENSE / MATRIX[:, :1]),
    "-csr": (lambda: -csr(), -DENSE),
    "abs": (lambda: csr().abs(), abs(DENSE)),
    "cos of stored ones": (lambda: ops.csr_cos(csr()), np.where(DENSE != 0, np.cos(DENSE), 0)),
    "inv": (lambda: ops.coo_inv(coo()), np.divide(1, DENSE, where=DENSE != 0, out=np.zeros_like(DENSE))),
    "mv": (lambda: csr().mv(Tensor(MATRIX[:1].T)), DENSE @ MATRIX[:1].T),
    "mm": (lambda: csr().mm(Tensor(MATRIX.T)), DENSE @ MATRIX.T),
    "csr_mm transposed": (lambda: ops.csr_mm(csr(), Tensor(MATRIX), trans_a=True), DENSE.T @ MATRIX),
    "csr_mm of csr": (lambda: ops.csr_mm(csr(), csr(OTHER), trans_b=True), DENSE @ OTHER.T),
    "sum of rows": (lambda: csr().sum(1), DENSE.sum(1, keepdims=True)),
    "sum of columns": (lambda: ops.csr_reduce_sum(csr(), 0), DENSE.sum(0, keepdims=True)),
    "csr_softmax": (lambda: ops.csr_softmax(csr(), ms.float32), softmax(DENSE)),
    "csr_gather": (lambda: ops.csr_gather(csr().indptr, csr().indices, Tensor(MATRIX), (3, 4)), MATRIX[DENSE != 0]),
    "coo2csr": (lambda: ops.coo2csr(coo().indices[:, 0], 3), [0, 2, 2, 4]),
    "csr2coo": (lambda: ops.csr2coo(csr().indptr, 4), [0, 0, 2, 2]),
    "segments": (
        lambda: ops.sparse_segment_mean(Tensor(MATRIX), Tensor([2, 0, 1]), Tensor([0, 0, 2])),
        [[5, 6, 7, 8], [0] * 4, MATRIX[1]],
    ),
    "segments by roots of counts": (
        lambda: ops.SparseSegmentSqrtNWithNumSegments()(Tensor(MATRIX), Tensor([2, 0, 1]), Tensor([0, 0, 2]), 4),
        [(MATRIX[2] + MATRIX[0]) / 2**0.5, [0] * 4, MATRIX[1], [0] * 4],
    ),
    "SparseAdd": (lambda: of_parts(ops.SparseAdd()(*parts(), *parts(OTHER), Tensor(0.0))), DENSE + OTHER),
    "SparseAdd above a threshold": (
        lambda: of_parts(ops.SparseAdd()(*parts(), *parts(OTHER), Tensor(2.5))),
        np.where(abs(DENSE + OTHER) < 2.5, 0, DENSE + OTHER),
    ),
    "SparseSparseMaximum": (
        lambda: of_parts((*ops.SparseSparseMaximum()(*parts(), *parts(OTHER)), (3, 4))),
        np.maximum(DENSE, OTHER),
    ),
    "SparseSparseMinimum": (
        lambda: of_parts((*ops.SparseSparseMinimum()(*parts(), *parts(OTHER)), (3, 4))),
        np.minimum(DENSE, OTHER),
    ),
    "SparseDenseCwiseAdd": (lambda: ops.SparseDenseCwiseAdd()(*parts(), Tensor(MATRIX)), (DENSE + MATRIX)[DENSE != 0]),
    "SparseDenseCwiseMul": (
        lambda: ops.SparseDenseCwiseMul()(*parts(), Tensor(MATRIX[:1])),
        (DENSE * MATRIX[:1])[DENSE != 0],
    ),
    "SparseDenseCwiseDiv": (lambda: ops.SparseDenseCwiseDiv()(*parts(), Tensor(MATRIX)), (DENSE / MATRIX)[DENSE != 0]),
    "SparseReshape": (lambda: reshaped((2, -1)), DENSE.reshape(2, 6)),
    "SparseReorder": (
        lambda: ops.SparseReorder()(coo().indices.flip(0), coo().values.flip(0), Tensor([3, 4]))[1],
        DENSE[DENSE != 0],
    ),
    "SparseTensorDenseMatmul": (lambda: ops.SparseTensorDenseMatmul()(*parts(), Tensor(MATRIX.T)), DENSE @ MATRIX.T),
    "nn.SparseTensorDenseMatmul of transposed ones": (
        lambda: ms.nn.SparseTensorDenseMatmul(True, True)(coo().indices, coo().values, (3, 4), Tensor(MATRIX.T)),
        DENSE.T @ MATRIX,
    ),
    "SparseAddmm": (
        lambda: ops.SparseAddmm()(
            *parts(), Tensor(MATRIX.T), Tensor(np.ones((3, 3), np.float32)), Tensor([2.0]), Tensor([3.0])
        ),
        2 * DENSE @ MATRIX.T + 3,
    ),
    "SparseTensorDenseAdd": (lambda: ops.SparseTensorDenseAdd()(*parts(), Tensor(MATRIX)), DENSE + MATRIX),
    "SparseMatrixSoftmax": (
        lambda: ops.SparseMatrixSoftmax(ms.float32)(Tensor([3, 4]), Tensor(4), csr().indptr, csr().indices, csr().values)[4],
        softmax(DENSE)[DENSE != 0],
    ),
    "SparseCountSparseOutput": (lambda: of_parts(counted()), [[2, 0], [0, 0], [0, 5]]),
    "SparseCountSparseOutput of some": (lambda: of_parts(counted(False, -1, 1)), [[2], [0], [0]]),
    "SparseCountSparseOutput of ones": (lambda: of_parts(counted(True, 4)), [[1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]),
    "rows": (
        lambda: ops.row_tensor_add(RowTensor(Tensor([2, 0]), Tensor(MATRIX[:2]), (3, 4)), Tensor(MATRIX)),
        MATRIX + np.stack([MATRIX[1], MATRIX[0] * 0, MATRIX[0]]),
    ),
    "float16": (lambda: csr().astype(ms.float16), DENSE),
    "a copy": (lambda: COOTensor(coo_tensor=coo()), DENSE),
    "int64": (lambda: csr(dtype=ms.int64).to_coo().to_csr(), DENSE),
    "without elements": (
        lambda: csr(np.zeros((2, 3), np.float32)).mm(Tensor(np.ones((3, 2), np.float32))),
        np.zeros((2, 2)),
    ),
}


@pytest.mark.parametrize("call, want", RESULTS.values(), ids=RESULTS)
def test_results(call, want):
    np.testing.assert_allclose(dense(call()), want, rtol=1e-6)


def test_what_they_tell():
    x, y = coo(), csr()
    assert (x.shape, x.ndim, x.size, x.itemsize, x.dtype) == ((3, 4), 2, 4, 4, ms.float32) and y.size == 4
    assert [t.tolist() for t in y.to_tuple()[:3]] == [[0, 2, 2, 4], [1, 3, 0, 2], [1, 2, 3, -4]]
    assert repr(x).startswith("COOTensor(shape=[3, 4], dtype=Float32, indices=")
    assert ops.csr_tensor_get_dense_shape(y) == (3, 4)


def test_gradients_flow_to_stored_elements():
    def loss(values, matrix):
        return (CSRTensor(csr().indptr, csr().indices, values, (3, 4)).mm(matrix) ** 2).sum()

    by_values, by_matrix = ms.grad(loss, (0, 1))(csr().values, Tensor(MATRIX.T))
    want = 2 * (DENSE @ MATRIX.T)
    np.testing.assert_allclose(by_values.asnumpy(), (want @ MATRIX)[DENSE != 0], rtol=1e-6)
    np.testing.assert_allclose(by_matrix.asnumpy(), DENSE.T @ want, rtol=1e-6)


def test_in_jitted_functions():
    @ms.jit
    def f(indptr, indices, values, matrix):
        x = CSRTensor(indptr, indices, values, (3, 4))
        return (x * 2).mm(matrix) + x.sum(1)

    got = f(csr().indptr, csr().indices, csr().values, Tensor(MATRIX.T)).asnumpy()
    np.testing.assert_allclose(got, 2 * DENSE @ MATRIX.T + DENSE.sum(1, keepdims=True), rtol=1e-6)
    held = csr()
    np.testing.assert_allclose(ms.jit(lambda m: held.mm(m))(Tensor(MATRIX.T)).asnumpy(), DENSE @ MATRIX.T, rtol=1e-6)


REFUSED = {
    "indices that are no Tensor": (TypeError, lambda: COOTensor([[0, 0]], Tensor([1.0]), (1, 1))),
    "indices of floats": (TypeError, lambda: COOTensor(Tensor([[0.0, 0.0]]), Tensor([1.0]), (1, 1))),
    "indices of one axis": (ValueError, lambda: COOTensor(Tensor([0]), Tensor([1.0]), (1, 1))),
    "values of another number": (ValueError, lambda: COOTensor(Tensor([[0, 0]]), Tensor([1.0, 2.0]), (1, 1))),
    "a shape of another rank": (ValueError, lambda: COOTensor(Tensor([[0, 0]]), Tensor([1.0]), (1,))),
    "a shape of floats": (TypeError, lambda: COOTensor(Tensor([[0, 0]]), Tensor([1.0]), (1.0, 1))),
    "a shape of zeros": (ValueError, lambda: COOTensor(Tensor([[0, 0]]), Tensor([1.0]), (0, 1))),
    "pointers of another number": (ValueError, lambda: CSRTensor(Tensor([0, 1]), Tensor([0]), Tensor([1.0]), (3, 4))),
    "a sum of two kinds": (TypeError, lambda: coo() + csr()),
    "a sum of two shapes": (ValueError, lambda: csr() + csr(DENSE[:2])),
    "a product of sizes": (ValueError, lambda: csr().mm(Tensor(MATRIX))),
    "a vector of one axis": (ValueError, lambda: csr().mv(Tensor(MATRIX[0]))),
    "a sum of a third axis": (ValueError, lambda: csr().sum(2)),
    "an op of a Tensor": (TypeError, lambda: ops.csr_exp(Tensor(DENSE))),
    "an axis to join": (ValueError, lambda: ops.coo_concat([coo()], 2)),
    "a dense one of three axes": (ValueError, lambda: ops.dense_to_sparse_csr(Tensor(DENSE[None]))),
    "a shape of another size": (ValueError, lambda: reshaped((5, -1))),
    "two of two shapes": (ValueError, lambda: ops.SparseSparseMaximum()(*parts()[:2], Tensor([3, 5]), *parts())),
    "a dense one of more rows": (
        ValueError,
        lambda: ops.SparseTensorDenseMatmul()(*parts(), Tensor(MATRIX[[0, 1, 2, 0, 1]])),
    ),
    "a dense one of fewer rows": (ValueError, lambda: ops.SparseTensorDenseMatmul()(*parts(), Tensor(MATRIX))),
    "a dense one that is a list": (TypeError, lambda: ms.nn.SparseTensorDenseMatmul()(*parts(), [1])),
    "negative values to count": (
        ValueError,
        lambda: ops.SparseCountSparseOutput()(coo().indices, Tensor([0, -1, 0, 0]), Tensor([3, 4]), Tensor([1.0] * 4)),
    ),
    "a length that is no int": (TypeError, lambda: ops.SparseCountSparseOutput(minlength=1.5)),
    "rows of another width": (ValueError, lambda: RowTensor(Tensor([0]), Tensor([[1.0]]), (3, 4))),
}


@pytest.mark.parametrize("error, call", REFUSED.values(), ids=REFUSED)
def test_refused(error, call):
    with pytest.raises(error):
        call()
