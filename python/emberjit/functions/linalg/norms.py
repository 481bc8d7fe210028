"""Norms of vectors and matrices, distances, and what is divided by norms."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice
from emberjit.functions.arguments import inexact
from emberjit.functions.linalg.lapack import lapack
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Ints, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis

_ops = core.ops


def _axes(function: str, x: Tensor, axis: Any) -> tuple[int, ...]:
    """Different axes counted from the first; all of them for None."""
    if axis is None:
        return tuple(range(x.ndim))
    items = (axis,) if isinstance(axis, int) else tuple(axis)
    axes = () if x.ndim == 0 and items in ((0,), (-1,)) else tuple(checked_axis(function, x, one) for one in items)
    if len({*axes}) != len(axes):
        raise ValueError(f"For '{function}', axes must differ, but got {axis}.")
    return axes


def _number(function: str, ord: Any) -> float:
    if isinstance(ord, bool) or not isinstance(ord, (int, float)):
        raise TypeError(f"For '{function}', the order of a vector's norm must be a number, but got {ord!r}.")
    return float(ord)


def _inexact(function: str, x: Tensor, dtype: DType) -> Any:
    """In dtype, or where it is None integers in float32."""
    if dtype is None:
        return inexact(x)
    if dtype not in FLOATS and dtype not in COMPLEXES:
        raise TypeError(f"For '{function}', 'dtype' must be of floating point or complex, but got {dtype}.")
    if x.dtype in COMPLEXES and dtype not in COMPLEXES:
        raise TypeError(f"For '{function}', 'dtype' must be complex as the input is, but got {dtype}.")
    return _ops.cast(x, dtype)


def _root(total: Tensor, p: float) -> Any:
    """total ^ (1 / p), with the gradient 0 at 0."""
    zero = _ops.equal(total, 0)
    inner = _ops.select(zero, 1.0, total)
    return _ops.select(zero, 0.0, _ops.sqrt(inner) if p == 2 else _ops.pow(inner, 1 / p))


def _squares(x: Tensor) -> Any:
    if x.dtype not in COMPLEXES:
        return _ops.square(x)
    return _ops.add(_ops.square(_ops.real(x)), _ops.square(_ops.imag(x)))


def _powers(x: Tensor, p: float) -> Any:
    """|x| ^ p, with the gradient 0 at 0."""
    magnitude = _ops.abs(x)
    zero = _ops.equal(magnitude, 0)
    return _ops.select(zero, 0.0 if p > 0 else math.inf, _ops.pow(_ops.select(zero, 1.0, magnitude), p))


def p_norm(x: Tensor, p: float, axes: tuple[int, ...], keepdims: bool) -> Any:
    """The norm of floating-point numbers along axes, counted from the first. Half types are computed in float32."""
    if x.dtype in (core.float16, core.bfloat16):
        return _ops.cast(p_norm(_ops.cast(x, core.float32), p, axes, keepdims), x.dtype)
    if x.ndim == 0:
        return p_norm(_ops.reshape(x, (1,)), p, (0,), False)
    if not axes:
        return _ops.abs(x)
    if math.isinf(p):
        return (_ops.amax if p > 0 else _ops.amin)(_ops.abs(x), axes, keepdims)
    if p == 0:
        part = {core.complex64: core.float32, core.complex128: core.float64}.get(x.dtype, x.dtype)
        return _ops.reduce_sum(_ops.cast(_ops.not_equal(x, 0), part), axes, keepdims)
    if p == 1:
        return _ops.reduce_sum(_ops.abs(x), axes, keepdims)
    return _root(_ops.reduce_sum(_squares(x) if p == 2 else _powers(x, p), axes, keepdims), p)


@publish(
    """ops.vector_norm(x, ord, axis, keepdims, *, dtype)
    mint.linalg.vector_norm(x, ord, axis as dim, keepdims as keepdim, *, dtype)""",
    numpy="np.linalg.norm(x if axis is not None else x.ravel(), ord, 0 if axis is None else axis).reshape("
    "np.sum(x, axis, keepdims=keepdims).shape)",
    samples="""f32(2, 3); f32(2, 3), 1, 1; f32(4), 3.0, 0, True; c64(2, 3), 2, 0; f32(5), 0; i32(2, 3), 2.5, -1;
    f32(4), -1.5;    f32(2, 3, 2), 2, 1""",
)
def vector_norm(
    x: Tensor, ord: Any = 2, axis: Ints | None = None, keepdims: bool = False, dtype: DType | None = None
) -> Any:
    """(sum |x|^ord)^(1 / ord) along axes; inf: the largest magnitude, -inf: the smallest, 0: how many are not 0.

    Args:
        ord: a number.
        axis: one or several; None: all.
        keepdims: whether the axes stay, of size 1.
        dtype: to which x is converted first. None: integers become float32.

    The gradient at 0 is 0.

    Raises:
        TypeError: ord is no number, or dtype of integers.
        ValueError: an axis is out of range, or the norm is of order inf of nothing.
    """
    return p_norm(_inexact("vector_norm", x, dtype), _number("vector_norm", ord), _axes("vector_norm", x, axis), keepdims)


def _singular_values(x: Tensor, axes: tuple[int, ...]) -> Any:
    others = [axis for axis in range(x.ndim) if axis not in axes]
    return lapack("svdvals")(_ops.transpose(x, (*others, *axes)))


def _restore_axes(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Any:
    """With the axes that are gone back, of size 1."""
    for axis in sorted(axes) if keepdims else ():
        x = _ops.expand_dims(x, axis)
    return x


@publish(
    """ops.matrix_norm(A, ord, axis, keepdims, *, dtype)
    mint.linalg.matrix_norm(A, ord, axis as dim, keepdims as keepdim, *, dtype)""",
    numpy="np.linalg.norm(A, ord, axis, keepdims)",
    samples="""f32(2, 3); f32(2, 3, 4), 1; f32(2, 3), 1e999; f32(3, 2, 4), -1, (0, -1), True; f32(2, 3), -1e999;
    f32(4, 3), 2; f32(2, 3, 4), -2, (2, 0); f32(3, 3), 'nuc', (0, 1), True; c64(3, 2); c64(3, 2), 'nuc';
    f64(2, 2, 2), 'fro', (0, 1)""",
)
def matrix_norm(
    A: Tensor, ord: Any = "fro", axis: Ints = (-2, -1), keepdims: bool = False, dtype: DType | None = None
) -> Any:
    """The norm of the matrices that two axes are.

    Args:
        ord: "fro": of all elements as a vector; "nuc": the sum of the singular values; 2, -2: the largest, the smallest;
            1 and -1: the largest and the smallest sum of a column's magnitudes; inf and -inf: of a row's.
        keepdims: whether the axes stay, of size 1.
        dtype: to which A is converted first. None: integers become float32.

    Raises:
        TypeError: dtype is of integers.
        ValueError: ord is something else, or the axes are not two.
    """
    x = _inexact("matrix_norm", A, dtype)
    axes = _axes("matrix_norm", x, axis)
    if len(axes) != 2:
        raise ValueError(f"For 'matrix_norm', 'axis' must be two axes, but got {axis}.")
    if ord == "fro":
        return p_norm(x, 2.0, axes, keepdims)
    if ord == "nuc":
        return _restore_axes(_ops.reduce_sum(_singular_values(x, axes), -1), axes, keepdims)
    order = abs(ord) if isinstance(ord, (int, float)) else None
    if order not in (1, 2, math.inf):
        raise ValueError(f"For 'matrix_norm', 'ord' must be 'fro', 'nuc', inf, -inf, 1, -1, 2 or -2, but got {ord!r}.")
    extreme = _ops.amax if ord > 0 else _ops.amin
    if order == 2:
        return _restore_axes(extreme(_singular_values(x, axes), -1), axes, keepdims)
    summed, compared = axes if order == 1 else axes[::-1]
    sums = p_norm(x, 1.0, (summed,), True)
    return _restore_axes(_ops.squeeze(extreme(sums, compared, True), axes), axes, keepdims)


@publish(
    """ops.norm(A, ord, dim, keepdim, *, dtype) mint.linalg.norm(A, ord, dim, keepdim, *, dtype)
    Tensor.norm(ord, dim, keepdim, *, dtype) numpy.norm(A as x, ord, dim as axis, keepdim as keepdims)""",
    numpy="np.linalg.norm(A, ord, dim, keepdim)",
    samples="""f32(2, 3); f32(2, 3), None, 1; f32(4), 3; f32(2, 3), 'fro', None, True; f32(2, 3, 4), 1, (0, 2);
    c64(4); i32(5); f32(3, 2), 1e999; f32(3, 2), 1e999, 0; f32(2, 3, 4), None, (1, 2)""",
)
def norm(A: Tensor, ord: Any = None, dim: Ints | None = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """The norm of a vector along an axis, or of the matrices that two axes are. See vector_norm and matrix_norm.

    Args:
        ord: the order; None: the square root of the sum of squares, over any number of axes.
        dim: the axis or axes; None: those that there are, one or two, or with ord None all.
        keepdim: whether the axes stay, of size 1.
        dtype: to which A is converted first. None: integers become float32.

    Raises:
        TypeError: dtype is of integers.
        ValueError: ord is none of a matrix, or there are not one or two axes.
    """
    if ord is None:
        return p_norm(_inexact("norm", A, dtype), 2.0, _axes("norm", A, dim), keepdim)
    axes = _axes("norm", A, dim)
    if len(axes) == 1 or A.ndim == 0:
        return vector_norm(A, ord, axes, keepdim, dtype)
    if len(axes) == 2:
        return matrix_norm(A, ord, axes, keepdim, dtype)
    raise ValueError(f"For 'norm', with an order there must be one or two axes, but there are {len(axes)}.")


@publish(
    "mint.norm(input, p, dim, keepdim, *, dtype) Tensor.norm(p, dim, keepdim, *, dtype)",
    numpy="""np.linalg.norm(input, p, dim, keepdim) if p == 'nuc' else np.asarray(
    (np.abs(input) ** (2 if p == 'fro' else p)).sum(dim, keepdims=keepdim) ** (1 / (2 if p == 'fro' else p)))""",
    samples="f32(2, 3); f32(2, 3), 1.0; f32(2, 3, 4), 3, (0, 1); f32(2, 3), 'fro', 0, True; f32(2, 3), 'nuc'",
)
def norm_of_all(
    input: Tensor, p: Any = "fro", dim: Ints | None = None, keepdim: bool = False, dtype: DType | None = None
) -> Any:
    """The norm of all elements along axes as of a vector; with p "nuc" the nuclear norm of matrices.

    Args:
        p: a number, "fro" for 2, or "nuc".
        dim: the axis or axes; None: all.
        keepdim: whether the axes stay, of size 1.
        dtype: to which input is converted first. None: integers become float32.

    Raises:
        TypeError: p is something else, or dtype of integers.
        ValueError: an axis is out of range.
    """
    if p == "nuc":
        return matrix_norm(input, "nuc", (0, 1) if dim is None and input.ndim == 2 else dim or (), keepdim, dtype)
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype)


@publish(
    "ops.NuclearNorm(dim, keepdim)(x)",
    numpy="np.linalg.norm(x, 'nuc', dim, keepdim)",
    samples="f32(3, 2); f32(2, 3, 4), (0, 2), True",
)
def nuclear_norm(x: Tensor, dim: Ints | None = None, keepdim: bool = False) -> Any:
    """The sum of the singular values of the matrices that two axes are.

    Args:
        dim: the axes; None: those that there are.
        keepdim: whether the axes stay, of size 1.

    Raises:
        ValueError: the axes are not two.
    """
    return matrix_norm(x, "nuc", tuple(range(x.ndim)) if dim is None else dim, keepdim)


@publish(
    "ops.EuclideanNorm(keep_dims)(x, axes)",
    numpy="np.sqrt((np.abs(x) ** 2).sum(axes, keepdims=keep_dims)).astype(x.dtype)",
    samples="f32(2, 3), (0,); f32(2, 3), (0, 1), True; f64(4), 0",
)
def euclidean_norm(x: Tensor, axes: Any, keep_dims: bool = False) -> Any:
    """The square root of the sum of squares along axes, in the dtype of x.

    Args:
        axes: an int, several, or a Tensor of them.
        keep_dims: whether the axes stay, of size 1.

    Raises:
        ValueError: an axis is out of range.
    """
    items = axes.tolist() if isinstance(axes, core.Tensor) else axes
    norms = p_norm(_inexact("EuclideanNorm", x, None), 2.0, _axes("EuclideanNorm", x, items), keep_dims)
    return _ops.cast(norms, x.dtype)


@publish(
    "ops.LpNorm(axis, p, keep_dims, epsilon)(input)",
    numpy="np.maximum((np.abs(input) ** p).sum(axis, keepdims=keep_dims) ** (1 / p), epsilon)",
    samples="f32(2, 3), 0; f32(2, 3, 4), (0, 2), 1, True; f32(3), 0, 3, False, 10.0",
)
def lp_norm(input: Tensor, axis: Ints, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12) -> Any:
    """(sum |input|^p)^(1 / p) along axes, but at least epsilon.

    Raises:
        ValueError: an axis is out of range.
    """
    norms = p_norm(_inexact("LpNorm", input, None), float(p), _axes("LpNorm", input, axis), keep_dims)
    return _ops.maximum(norms, epsilon)


@publish(
    "ops.L2Normalize(axis, epsilon)(x)",
    numpy="x / np.sqrt(np.maximum((x * x).sum(tuple(np.ravel(axis)), keepdims=True), epsilon))",
    samples="f32(2, 3); f32(2, 3, 4), -1, 1e-6; f32(2, 3), [0, 1]; f32(3), 0, 100.0",
)
def l2_normalize(x: Tensor, axis: Ints = 0, epsilon: float = 1e-4) -> Any:
    """x divided by the square root of the sum of its squares along axes, which is taken to be epsilon at least.

    Raises:
        ValueError: an axis is out of range.
    """
    total = _ops.reduce_sum(_squares(x), _axes("L2Normalize", x, axis), True)
    return _ops.div(x, _ops.sqrt(_ops.maximum(total, epsilon)))


@publish(
    "mint.nn.functional.normalize",
    numpy="input / np.maximum((np.abs(input) ** p).sum(dim, keepdims=True) ** (1 / p), eps)",
    samples="f32(2, 3); f32(4), 1.0, 0; f32(2, 3, 4), 3.0, (0, 2); f32(3), 2.0, 0, 10.0",
)
def normalize(input: Tensor, p: float = 2.0, dim: Ints = 1, eps: float = 1e-12) -> Any:
    """input divided by its norm of order p along axes, which is taken to be eps at least.

    Raises:
        ValueError: an axis is out of range.
    """
    length = p_norm(_inexact("normalize", input, None), p, _axes("normalize", input, dim), True)
    return _ops.div(input, _ops.maximum(length, eps))


@publish(
    "ops.cosine_similarity",
    numpy="(x1 * x2).sum(dim) / np.maximum(np.linalg.norm(x1, 2, dim) * np.linalg.norm(x2, 2, dim), eps)",
    samples="f32(2, 3), f32(2, 3); f32(2, 3, 4), f32(2, 1, 4), 2; f32(4), f32(4), 0, 100.0",
)
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosines of the angles between vectors along an axis: x1 x2 / max(|x1| |x2|, eps).

    Raises:
        ValueError: dim is out of range, or the shapes do not broadcast.
    """
    product = _ops.mul(x1, x2)
    at = checked_axis("cosine_similarity", product, dim) - product.ndim
    lengths = [p_norm(_inexact("cosine_similarity", x, None), 2.0, (at + x.ndim,), False) for x in (x1, x2)]
    return _ops.div(_ops.reduce_sum(product, at), _ops.maximum(_ops.mul(*lengths), eps))


def _order(function: str, p: Any) -> float:
    if p < 0 or math.isnan(p):
        raise ValueError(f"For '{function}', 'p' must not be negative, but got {p}.")
    return float(p)


@publish(
    "ops.dist",
    numpy="np.linalg.norm((input - other).ravel(), p)",
    samples="f32(2, 3), f32(2, 3); f32(2, 3), f32(3), 1; f32(4), f32(4), 1e999",
)
def dist(input: Tensor, other: Tensor, p: float = 2) -> Any:
    """The norm of order p of input - other, as of a vector. The shapes broadcast.

    Raises:
        ValueError: p is negative.
    """
    difference = _inexact("dist", _ops.sub(input, other), None)
    return p_norm(difference, _order("dist", p), _axes("dist", difference, None), False)


_MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")


@publish(
    "ops.cdist(x1, x2, p) ops.Cdist(p)(x1 as input_x, x2 as input_y) mint.cdist",
    numpy="np.linalg.norm(x1[..., :, None, :] - x2[..., None, :, :], p, -1)",
    samples="""f32(4, 3), f32(5, 3); f32(2, 4, 3), f32(2, 2, 3), 1.0; f64(2, 2), f64(3, 2), 0.0;
    f32(2, 3), f32(4, 3), 1e999""",
)
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Any:
    """The distances of order p of each of n vectors, (..., n, k), from each of m, (..., m, k).

    Args:
        p: not negative; inf: the largest difference.
        compute_mode: distances are of differences always.

    Raises:
        ValueError: an operand has less than two axes, vectors differ in size, or p or compute_mode is something else.
    """
    check_choice("cdist", "compute_mode", compute_mode, *_MODES)
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[-1] != x2.shape[-1]:
        raise ValueError(
            "For 'cdist', 'x1' and 'x2' must be matrices of vectors of one size, but have shapes "
            f"{tuple(x1.shape)} and {tuple(x2.shape)}."
        )
    difference = _ops.sub(_ops.expand_dims(x1, -2), _ops.expand_dims(x2, -3))
    return p_norm(_inexact("cdist", difference, None), _order("cdist", p), (difference.ndim - 1,), False)


@publish(
    "ops.pdist ops.Pdist(p)(input as x)",
    numpy="np.linalg.norm(*(lambda d: (d, p, -1))((lambda i, j: input[..., i, :] - input[..., j, :])(*np.triu_indices("
    "input.shape[-2], 1))))",
    samples="f32(4, 3); f32(2, 3, 5), 1.0; f32(2, 2), 1e999; f32(1, 3)",
)
def pdist(input: Tensor, p: float = 2.0) -> Any:
    """The distances of order p between each two of n vectors, (..., n, k): those of the first, then of the second, ...

    Returns:
        of shape (..., n (n - 1) / 2).

    Raises:
        ValueError: input has less than two axes, or p is negative.
    """
    if input.ndim < 2:
        raise ValueError(f"For 'pdist', 'input' must have at least two axes, but has shape {tuple(input.shape)}.")
    count = int(input.shape[-2])
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    rows = [_ops.gather(input, core.Tensor([pair[k] for pair in pairs], core.int64), -2) for k in (0, 1)]
    difference = _inexact("pdist", _ops.sub(*rows), None)
    return p_norm(difference, _order("pdist", p), (input.ndim - 1,), False)


@publish(
    "ops.renorm ops.Renorm(p, axis as dim, maxnorm)(input as input_x) Tensor.renorm",
    numpy="""(lambda n: input * np.where(n > maxnorm, maxnorm / (n + 1e-7), 1))(
    (np.abs(input) ** p).sum(tuple(a for a in range(input.ndim) if a != axis % input.ndim), keepdims=True) ** (1 / p))""",
    samples="f32(3, 4), 2, 0, 1.0; f32(3, 4), 1, -1, 2.5; f32(2, 3, 4), 2, 1, 100.0",
)
def renorm(input: Tensor, p: float, axis: int, maxnorm: float) -> Any:
    """Each part along an axis whose norm of order p is larger than maxnorm, scaled down to that.

    Raises:
        ValueError: axis is out of range, p is not positive, or maxnorm negative.
    """
    if p <= 0 or maxnorm < 0:
        raise ValueError(f"For 'renorm', 'p' must be positive and 'maxnorm' not negative, but got {p} and {maxnorm}.")
    at = checked_axis("renorm", input, axis)
    others = tuple(other for other in range(input.ndim) if other != at)
    length = p_norm(_inexact("renorm", input, None), float(p), others, True)
    scale = _ops.select(_ops.greater(length, maxnorm), _ops.div(maxnorm, _ops.add(length, 1e-7)), 1.0)
    return _ops.mul(input, scale)


@publish(
    "nn.Norm(axis, keep_dims)(x)",
    numpy="np.sqrt((x * x).sum(tuple(axis) or None if isinstance(axis, tuple) else axis, keepdims=keep_dims))",
    samples="f32(2, 3); f32(2, 3), 1, True; f32(2, 3, 4), (0, 2)",
)
def root_of_squares(x: Tensor, axis: Ints = (), keep_dims: bool = False) -> Any:
    """The square root of the sum of squares along axes; of all with ()."""
    return _ops.sqrt(_ops.reduce_sum(_ops.square(x), axis, keep_dims))
