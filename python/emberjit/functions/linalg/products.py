"""Products of matrices and vectors, and sums with them. MatMul of ops and of nn name differently what is transposed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank
from emberjit.functions.arguments import as_tensors, times
from emberjit.functions.linalg.vector_products import outer, tensordot
from emberjit.publish.kinds import Number, Tensor, Tensors
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
batch_mat_mul: ops.BatchMatMul(transpose_a, transpose_b)(x, y)
bias_add: ops.bias_add ops.BiasAdd(data_format)(input_x, bias)
bmm: ops.bmm Tensor.bmm mint.bmm(input_x as input, mat2)
dense: ops.dense ops.Dense()(input as x, weight as w, bias as b) mint.nn.functional.linear
mat_mul: ops.MatMul(transpose_a, transpose_b)(input, mat2)
matmul: ops.matmul Tensor.matmul(other|tensor2) mint.matmul numpy.matmul(input as x1, other as x2, result as dtype)
""",
)


def _plus(input: Tensor, beta: Number, product: Tensor, alpha: Number) -> Any:
    return _ops.add(_scaled(input, beta), _scaled(product, alpha))


def _scaled(x: Tensor, factor: Number) -> Any:
    return x if isinstance(factor, (int, float)) and factor == 1 else _ops.mul(x, factor)


@publish("ops.mm Tensor.mm mint.mm", numpy="input @ mat2", samples="f32(2, 3), f32(3, 4); f64(1, 2), f64(2, 5)")
def mm(input: Tensor, mat2: Tensor) -> Any:
    """The product of two matrices.

    Raises:
        ValueError: an operand is no matrix, or sizes do not fit.
    """
    if input.ndim != 2 or mat2.ndim != 2:
        raise ValueError(f"For 'mm', both operands must be matrices, but got shapes {input.shape} and {mat2.shape}.")
    return _ops.matmul(input, mat2)


@publish(
    "nn.MatMul(transpose_x1, transpose_x2)(x1, x2)",
    numpy="(x1.swapaxes(-1, -2) if transpose_x1 else x1) @ (x2.swapaxes(-1, -2) if transpose_x2 else x2)",
    samples="f32(2, 3), f32(3, 4); f32(3, 2), f32(5, 4, 3), True, True; f32(3), f32(3)",
)
def matmul_of_transposed(x1: Tensor, x2: Tensor, transpose_x1: bool = False, transpose_x2: bool = False) -> Any:
    """The product of matrices, of which either may be transposed first.

    Raises:
        ValueError: shapes do not fit, or one to be transposed has less than two axes.
    """
    first = _ops.swapaxes(x1, -1, -2) if transpose_x1 else x1
    return _ops.matmul(first, _ops.swapaxes(x2, -1, -2) if transpose_x2 else x2)


@publish(
    "ops.mv mint.mv(mat as input, vec)", numpy="mat @ vec", samples="f32(2, 3), f32(3); c64(3, 2), c64(2); i32(2, 0), i32(0)"
)
def mv(mat: Tensor, vec: Tensor) -> Any:
    """The product of a matrix and a vector.

    Raises:
        ValueError: mat is no matrix, or vec no vector, or the sizes do not fit.
    """
    check_rank("mv", "mat", mat, 2)
    check_rank("mv", "vec", vec, 1)
    return _ops.matmul(mat, vec)


@publish(
    """ops.addmm(input, mat1, mat2, *, beta, alpha) Tensor.addmm(mat1, mat2, *, beta, alpha)
    mint.addmm(input, mat1, mat2, *, beta, alpha) Tensor.addmm_(mat1, mat2, *, beta, alpha)""",
    numpy="beta * input + alpha * (mat1 @ mat2)",
    samples="f32(2, 4), f32(2, 3), f32(3, 4); f32(4), f32(2, 3), f32(3, 4), 0.5, 2",
)
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, beta: Number = 1, alpha: Number = 1) -> Any:
    """beta * input + alpha * (mat1 @ mat2).

    Args:
        input: what broadcasts to the product's shape.
        mat1: of shape (n, k).
        mat2: of shape (k, m).

    Raises:
        ValueError: the shapes do not fit.
    """
    return times(_ops.matmul(mat1, mat2), alpha) + times(input, beta)


@publish(
    """ops.addmv(input, mat, vec, *, beta, alpha) Tensor.addmv(mat, vec, *, beta, alpha)
    mint.addmv(input, mat, vec, *, beta, alpha)""",
    numpy="beta * input + alpha * (mat @ vec)",
    samples="f32(2), f32(2, 3), f32(3); f32(1), f32(2, 3), f32(3), 0.5, 2.0; i32(2), i32(2, 3), i32(3), 3, 2",
)
def addmv(input: Tensor, mat: Tensor, vec: Tensor, beta: Number = 1, alpha: Number = 1) -> Any:
    """beta * input + alpha * (mat @ vec), of a matrix (n, m) and a vector (m,); input broadcasts to (n,).

    Raises:
        ValueError: the shapes do not fit.
    """
    check_rank("addmv", "mat", mat, 2)
    check_rank("addmv", "vec", vec, 1)
    return _plus(input, beta, _ops.matmul(mat, vec), alpha)


@publish(
    """ops.addbmm(input, batch1, batch2, *, beta, alpha) Tensor.addbmm(batch1, batch2, *, beta, alpha)
    mint.addbmm(input, batch1, batch2, *, beta, alpha)""",
    numpy="beta * input + alpha * (batch1 @ batch2).sum(0)",
    samples="f32(3, 5), f32(2, 3, 4), f32(2, 4, 5); f32(5), f32(2, 3, 4), f32(2, 4, 5), 0.5, 2.0",
)
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Number = 1, alpha: Number = 1) -> Any:
    """beta * input + alpha * the sum of the products of two batches of matrices, (b, n, k) and (b, k, m).

    Args:
        input: what broadcasts to (n, m).

    Raises:
        ValueError: the shapes do not fit.
    """
    check_rank("addbmm", "batch1", batch1, 3)
    check_rank("addbmm", "batch2", batch2, 3)
    if batch1.shape[0] != batch2.shape[0] or batch1.shape[2] != batch2.shape[1]:
        raise ValueError(f"For 'addbmm', the shapes {tuple(batch1.shape)} and {tuple(batch2.shape)} do not fit.")
    return _plus(input, beta, tensordot(batch1, batch2, ((0, 2), (0, 1))), alpha)


@publish(
    """ops.baddbmm Tensor.baddbmm(batch1, batch2, *, beta, alpha) mint.baddbmm(input, batch1, batch2, *, beta, alpha)
    ops.baddbmm_ext(input, batch1, batch2, *, beta, alpha)""",
    numpy="beta * input + alpha * (batch1 @ batch2)",
    samples="f32(2, 3, 5), f32(2, 3, 4), f32(2, 4, 5); f32(5), f32(2, 3, 4), f32(2, 4, 5), 0.5, 2.0",
)
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Number = 1, alpha: Number = 1) -> Any:
    """beta * input + alpha * (batch1 @ batch2), of two batches of matrices, (b, n, k) and (b, k, m).

    Args:
        input: what broadcasts to (b, n, m).

    Raises:
        ValueError: the shapes do not fit.
    """
    check_rank("baddbmm", "batch1", batch1, 3)
    check_rank("baddbmm", "batch2", batch2, 3)
    if batch1.shape[0] != batch2.shape[0]:
        raise ValueError(f"For 'baddbmm', batches must be of one size, but got {batch1.shape[0]} and {batch2.shape[0]}.")
    return _plus(input, beta, _ops.matmul(batch1, batch2), alpha)


@publish(
    """ops.addr(input as x, vec1, vec2, *, beta, alpha) Tensor.addr(vec1, vec2, beta, alpha)
    mint.addr_(input, vec1, vec2, beta, alpha)""",
    numpy="beta * input + alpha * np.outer(vec1, vec2)",
    samples="f32(2, 3), f32(2), f32(3); f32(3), f32(2), f32(3), 0.5, 2.0; i32(2, 3), i32(2), i32(3), 2",
)
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Number = 1, alpha: Number = 1) -> Any:
    """beta * input + alpha * the outer product of two vectors, (n,) and (m,); input broadcasts to (n, m).

    Raises:
        ValueError: the shapes do not fit.
    """
    check_rank("addr", "vec1", vec1, 1)
    check_rank("addr", "vec2", vec2, 1)
    return _plus(input, beta, outer(vec1, vec2), alpha)


@publish(
    "ops.addn ops.AddN()(x) ops.accumulate_n ops.AccumulateNV2()(x) ops.SequenceAddN()(x)",
    numpy="sum(x[1:], x[0])",
    samples="(f32(2, 3), f32(2, 3), f32(2, 3)); [i32(4)]; (c64(2), c64(2))",
)
def addn(x: Tensors) -> Any:
    """The sum of Tensors of one shape and dtype, added up in their order.

    Raises:
        TypeError: the dtypes differ.
        ValueError: there is no Tensor, or the shapes differ.
    """
    if len(x) == 0:
        raise ValueError("For 'addn', 'x' must have at least one Tensor.")
    total, *others = as_tensors(x)
    for other in others:
        if tuple(other.shape) != tuple(total.shape):
            shapes = f"{tuple(total.shape)} and {tuple(other.shape)}"
            raise ValueError(f"For 'addn', Tensors must be of one shape, but got {shapes}.")
        if other.dtype != total.dtype:
            raise TypeError(f"For 'addn', Tensors must be of one dtype, but got {total.dtype} and {other.dtype}.")
        total = _ops.add(total, other)
    return total


def _best_split(sizes: Sequence[int]) -> dict[tuple[int, int], int]:
    """Where to split each part of a chain of matrices, of sizes[i] rows each: the cheapest way (Cormen et al., 15.2)."""
    count = len(sizes) - 1
    cost = {(i, i): 0 for i in range(count)}
    split = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            costs = [cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)]
            cost[i, j] = min(costs)
            split[i, j] = i + costs.index(cost[i, j])
    return split


@publish(
    "numpy.multi_dot",
    numpy="np.linalg.multi_dot(arrays)",
    samples="""(f32(2, 3), f32(3, 4)); (f32(5, 2), f32(2, 6), f32(6, 1), f32(1, 3)); (f32(3), f32(3, 2), f32(2));
    [c64(2, 2), c64(2, 5), c64(5)]""",
)
def multi_dot(arrays: Tensors) -> Any:
    """The product of matrices, multiplied in the cheapest order; the first may be a row, the last a column.

    Raises:
        ValueError: there are less than two, one has a wrong number of axes, or sizes do not fit.
    """
    if len(arrays) < 2:
        raise ValueError(f"For 'multi_dot', there must be two arrays at least, but got {len(arrays)}.")
    chain = as_tensors(arrays)
    first, last = chain[0], chain[-1]
    for i, x in enumerate(chain):
        if x.ndim != 2 and not (x.ndim == 1 and i in (0, len(arrays) - 1)):
            raise ValueError(
                f"For 'multi_dot', arrays must be matrices, the first and last may be vectors, but got {x.shape}."
            )
    chain[0] = _ops.expand_dims(first, 0) if first.ndim == 1 else first
    chain[-1] = _ops.expand_dims(last, 1) if last.ndim == 1 else last
    split = _best_split([*(x.shape[0] for x in chain), chain[-1].shape[1]])

    def product(i: int, j: int) -> Any:
        return chain[i] if i == j else _ops.matmul(product(i, split[i, j]), product(split[i, j] + 1, j))

    matrix = product(0, len(chain) - 1)
    return _ops.reshape(matrix, (*first.shape[:-1], *last.shape[1:]))


@publish(
    "ops.bidense",
    numpy="np.einsum('...i,oij,...j->...o', input1, weight, input2) + (0 if bias is None else bias)",
    samples="""f32(3, 2), f32(3, 4), f32(5, 2, 4); f32(2, 3, 2), f32(2, 3, 4), f32(5, 2, 4), f32(5);
    f32(2), f32(4), f32(5, 2, 4)""",
)
def bidense(input1: Tensor, input2: Tensor, weight: Tensor, bias: Number | None = None) -> Any:
    """input1 @ weight[o] @ input2 + bias[o] for each output o.

    Args:
        input1: (..., in1), as many leading axes as input2.
        input2: (..., in2).
        weight: (out, in1, in2).
        bias: (out,), or a number.

    Returns:
        (..., out).

    Raises:
        ValueError: shapes do not fit.
    """
    check_rank("bidense", "weight", weight, 3)
    outer, *inner = weight.shape
    *leading, first = input1.shape
    if list(input2.shape[:-1]) != leading or [first, input2.shape[-1]] != inner:
        raise ValueError(
            f"For 'bidense', the inputs must be of shapes (..., {inner[0]}) and (..., {inner[1]}), the leading axes the "
            f"same, but got {tuple(input1.shape)} and {tuple(input2.shape)}."
        )
    pairs = _ops.expand_dims(input1, input1.ndim) * _ops.expand_dims(input2, input2.ndim - 1)
    flat = _ops.reshape(pairs, (*leading, inner[0] * inner[1]))
    return _ops.dense(flat, _ops.reshape(weight, (outer, inner[0] * inner[1])), bias)
