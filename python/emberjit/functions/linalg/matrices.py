"""Matrices made of vectors, and of samples: powers, covariances, tridiagonal ones."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank, check_steps
from emberjit.functions.arguments import inexact
from emberjit.functions.linalg.lapack import lapack
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.operands import promoted

_ops = core.ops


@publish("ops.vander", numpy="np.vander(x.astype(np.int64) if x.dtype.kind in 'iub' else x, N)", samples="f32(3); i32(4), 3")
def vander(x: Tensor, N: int | None = None) -> Any:
    """The powers of the elements of a vector, a row for each: x^(N - 1), ..., x, 1; of integers and bools in int64.

    Args:
        N: how many columns; None: as many as rows.

    Raises:
        ValueError: x is no vector, or N negative.
    """
    return powers_of(x if x.dtype in (*FLOATS, *COMPLEXES) else _ops.cast(x, core.int64), N)


@publish(
    "numpy.vander",
    numpy="np.vander(x, N, increasing)",
    samples="f32(3); i32(4), 3; f32(3), 2, True; c64(2), 3; f64(3), 0; f32(3), 1",
)
def powers_of(x: Tensor, N: int | None = None, increasing: bool = False) -> Any:
    """The powers of the elements of a vector, a row for each: x^(N - 1), ..., x, 1.

    Args:
        N: how many columns; None: as many as rows.
        increasing: whether the powers ascend.

    Raises:
        ValueError: x is no vector, or N negative.
    """
    check_rank("vander", "x", x, 1)
    count = x.shape[0] if N is None else N
    if count < 0:
        raise ValueError(f"For 'vander', 'N' must not be negative, but got {N}.")
    check_steps("vander", "N", count)
    powers = [_ops.ones_like(x), x][:count]
    for _ in range(2, count):
        powers.append(_ops.mul(powers[-1], x))
    if not powers:
        return _ops.zeros((*x.shape, 0), x.dtype)
    return _ops.stack(powers if increasing else powers[::-1], -1)


def required_square(function: str, x: Tensor) -> None:
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{function}', the input must be square matrices, but has shape {tuple(x.shape)}.")


def identity_like(x: Tensor) -> Any:
    """Identity matrices of the shape of square ones."""
    one = _ops.eye(x.shape[-1], x.shape[-1], x.dtype)
    return one if x.ndim == 2 else _ops.broadcast_to(one, x.shape)


@publish(
    "ops.matrix_power Tensor.matrix_power ops.MatrixPower(n)(input as x) numpy.matrix_power(input as a, n)",
    numpy="np.linalg.matrix_power(input, n)",
    samples="f32(3, 3), 0; f32(2, 3, 3), 1; f32(3, 3), 5; c64(2, 2), 3; i32(2, 2), 2; f64(2, 2), -1; f64(2, 3, 3), -2",
)
def matrix_power(input: Tensor, n: int) -> Any:
    """The product of n square matrices, by repeated squaring; of their inverses if n is negative.

    Raises:
        ValueError: the matrices are not square.
    """
    required_square("matrix_power", input)
    square = input if n >= 0 else lapack("solve")(input, identity_like(input))
    product, left = None, abs(n)
    while left:
        if left % 2:
            product = square if product is None else _ops.matmul(product, square)
        left //= 2
        square = _ops.matmul(square, square) if left else square
    return identity_like(input) if product is None else _ops.identity(product)


_STEPS = (20, 12, 9, 7, 6, 5, 5, 5)  # of each square root; the later ones begin nearer


_NODES = (  # of Gauss and Legendre's rule on [0, 1], and weights
    *((0.025446043828620736, 0.06474248308443485), (0.12923440720030277, 0.13985269574463832)),
    *((0.29707742431130146, 0.19091502525255946), (0.5, 0.20897959183673470), (0.70292257568869854, 0.19091502525255946)),
    *((0.87076559279969723, 0.13985269574463832), (0.97455395617137926, 0.06474248308443485)),
)


def _square_root(x: Tensor, one: Tensor, steps: int) -> Any:
    """The principal square root, by the product form of Denman and Beavers' iteration."""
    rest = x
    for _ in range(steps):
        inverse = lapack("solve")(rest, one)
        x = _ops.matmul(x, (one + inverse) * 0.5)
        rest = (one + (rest + inverse) * 0.5) * 0.5
    return x


@publish(
    "ops.MatrixLogarithm()(x)",
    numpy="(lambda w, v: (v * np.log(w)[..., None, :]) @ np.linalg.inv(v))(*np.linalg.eig(x))",
    samples="c64(2, 2); c64(2, 3, 3); c128(0, 2, 2)",
)
def matrix_logarithm(x: Tensor) -> Any:
    """The principal logarithm of square matrices, whose eigenvalues are not on the negative real axis or 0.

    Method: N. Higham, Functions of matrices (2008), chapters 6 and 11: square roots, then a rule for the integral of
    (x - 1) / (1 + t (x - 1)), in complex128, whose roundings the roots make 256 times larger.

    Raises:
        TypeError: x is not complex.
        ValueError: the matrices are not square.
    """
    required_square("MatrixLogarithm", x)
    if x.dtype not in COMPLEXES:
        raise TypeError(f"For 'MatrixLogarithm', 'x' must be of complex64 or complex128, but is of {x.dtype}.")
    root = _ops.cast(x, core.complex128)
    one = identity_like(root)
    for steps in _STEPS:
        root = _square_root(root, one, steps)
    rest = root - one
    total: Any = 0
    for node, weight in _NODES:
        total = total + lapack("solve")(one + rest * node, rest) * weight
    return _ops.cast(total * (1 << len(_STEPS)), x.dtype)


def _float_of(x: Tensor, dtype: DType) -> Any:
    """In dtype, or where it is None integers in float32."""
    if dtype is not None:
        return _ops.cast(x, dtype)
    return inexact(x)


def _weights(function: str, name: str, weights: Any, count: int, dtype: DType) -> Any:
    if weights.ndim > 1 or weights.size != count:
        raise ValueError(
            f"For '{function}', '{name}' must have a weight for each of {count} samples, but has shape {weights.shape}."
        )
    return _ops.cast(_ops.reshape(weights, (count,)), dtype)


def _covariance(function: str, x: Tensor, correction: Any, fweights: Tensor | None, aweights: Tensor | None) -> Any:
    """Of variables that are rows, (n, samples)."""
    count = x.shape[1]
    weights, spread = None, None
    wide = core.float64 if x.dtype in (core.float64, core.complex128) else core.float32
    if fweights is not None:
        if fweights.dtype in FLOATS:
            raise TypeError(f"For '{function}', 'fweights' must be integers, but is of {fweights.dtype}.")
        weights = _weights(function, "fweights", fweights, count, wide)
    if aweights is not None:
        spread = _weights(function, "aweights", aweights, count, wide)
        weights = spread if weights is None else _ops.mul(weights, spread)
    if weights is None:
        total: Any = float(count)
        mean = _ops.div(_ops.reduce_sum(x, 1, True), total)
        norm = max(total - correction, 0.0)
        scaled = centred = _ops.sub(x, mean)
    else:
        total = _ops.reduce_sum(weights, 0)
        mean = _ops.div(_ops.reduce_sum(_ops.mul(x, weights), 1, True), total)
        lost = correction
        if spread is not None and correction != 0:
            lost = _ops.div(_ops.mul(_ops.reduce_sum(_ops.mul(weights, spread), 0), correction), total)
        norm = _ops.maximum(_ops.sub(total, lost), 0.0)
        centred = _ops.sub(x, mean)
        scaled = _ops.mul(centred, weights)
    product = _ops.matmul(scaled, _ops.conj(_ops.transpose(centred, (1, 0))))
    return _ops.div(product, norm)


@publish(
    "ops.cov(input, *, correction, fweights, aweights) Tensor.cov(*, correction, fweights, aweights)",
    numpy="np.cov(input, ddof=correction, fweights=fweights, aweights=aweights)",
    samples="""f32(2, 5); f32(4), 0; f32(1, 3); c64(2, 4); i32(2, 4); f64(3, 4), 1, abs(i32(4)) + 1;
    f64(2, 3), 2, None, abs(f64(3)) + 1; f64(2, 3), 0, abs(i32(3)) + 1, abs(f64(3)) + 1""",
)
def cov(input: Tensor, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Any:
    """The covariance matrix of variables, which are the rows of input and whose samples its columns.

    Args:
        input: (variables, samples), or the samples of one variable, of which the result is the variance.
        correction: what is taken from the number of samples before dividing by it.
        fweights: how often each sample counts, integers (samples,).
        aweights: the importance of each sample, (samples,).

    Raises:
        TypeError: fweights are no integers.
        ValueError: input has more than two axes, or weights another shape.
    """
    if input.ndim > 2:
        raise ValueError(f"For 'cov', 'input' must have at most two axes, but has shape {tuple(input.shape)}.")
    x = _float_of(input, None)
    rows = _ops.reshape(x, (1, -1)) if x.ndim < 2 else x
    covariance = _covariance("cov", rows, correction, fweights, aweights)
    return _ops.reshape(covariance, ()) if rows.shape[0] == 1 else covariance


def _variables(function: str, m: Tensor, y: Tensor | None, rowvar: bool, dtype: DType) -> Any:
    """The variables as rows, y's after m's."""
    parts = []
    for x in promoted([_float_of(part, dtype) for part in (m, y) if part is not None]):
        if x.ndim > 2:
            raise ValueError(f"For '{function}', arrays must have at most two axes, but one has shape {tuple(x.shape)}.")
        rows = _ops.reshape(x, (1, -1)) if x.ndim < 2 else x
        parts.append(rows if rowvar or x.shape[:1] == (1,) or x.ndim < 2 else _ops.transpose(rows, (1, 0)))
    return parts[0] if len(parts) == 1 else _ops.concat(parts, 0)


@publish(
    "numpy.cov(m, y, rowvar, bias, ddof, fweights, aweights, dtype)",
    numpy="np.cov(m, y, rowvar, bias, ddof, fweights, aweights, dtype=dtype)",
    samples="""f32(2, 5); f32(4), f32(4); f32(4, 3), None, False; f32(3), None, True, True;
    i32(2, 4), i32(1, 4), True, False, 2; f64(3, 4), None, True, False, None, abs(i32(4)) + 1, abs(f64(4)) + 1""",
)
def cov_of_rows(
    m: Tensor,
    y: Tensor | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
    dtype: DType | None = None,
) -> Any:
    """The covariance matrix of variables.

    Args:
        m: (variables, samples), or the samples of one variable.
        y: further variables.
        rowvar: whether the variables are the rows, else the columns.
        bias: whether to divide by the number of samples, else by one less.
        ddof: what is taken from the number of samples before dividing by it; None: as bias says.
        fweights: how often each sample counts, integers.
        aweights: the importance of each sample.
        dtype: to which m and y are converted first. None: integers become float32.

    Raises:
        TypeError: fweights are no integers.
        ValueError: an array has more than two axes, or weights another shape.
    """
    rows = _variables("cov", m, y, rowvar, dtype)
    covariance = _covariance("cov", rows, (0 if bias else 1) if ddof is None else ddof, fweights, aweights)
    return _ops.squeeze(covariance) if covariance.shape[0] == 1 else covariance


@publish(
    "numpy.corrcoef",
    numpy="np.corrcoef(x, y, rowvar, dtype=dtype)",
    samples="f32(2, 5); f32(4), f32(4); f64(4, 3), None, False; f32(4)",
)
def corrcoef(x: Tensor, y: Tensor | None = None, rowvar: bool = True, dtype: DType | None = None) -> Any:
    """Pearson's correlation coefficients of variables: their covariances over the roots of their variances.

    Args:
        x: (variables, samples), or the samples of one variable.
        y: further variables.
        rowvar: whether the variables are the rows, else the columns.
        dtype: to which x and y are converted first. None: integers become float32.

    Raises:
        ValueError: an array has more than two axes.
    """
    covariance = _covariance("corrcoef", _variables("corrcoef", x, y, rowvar, dtype), 1, None, None)
    spread = _ops.sqrt(_ops.real(_ops.diagonal(covariance)) if covariance.dtype in COMPLEXES else _ops.diagonal(covariance))
    ratio = _ops.div(_ops.div(covariance, _ops.expand_dims(spread, 1)), spread)
    clipped = ratio if ratio.dtype in COMPLEXES else _ops.clip(ratio, -1.0, 1.0)
    return _ops.squeeze(clipped) if clipped.shape[0] == 1 else clipped


@publish("ops.adjoint(x) Tensor.adjoint()", numpy="np.conj(np.swapaxes(x, -1, -2))", samples="f32(2, 3); c64(2, 3, 4)")
def adjoint(x: Tensor) -> Any:
    """Matrices, of the last two axes, transposed and conjugated.

    Raises:
        ValueError: x has fewer than two axes.
    """
    if x.ndim < 2:
        raise ValueError(f"For 'adjoint', 'x' must have two axes at least, but its shape is {tuple(x.shape)}.")
    return _ops.conj(_ops.swapaxes(x, -1, -2))


@publish(
    "ops.TridiagonalMatMul",
    numpy="""sum(np.repeat(x, rhs.shape[-2], -2).swapaxes(-1, -2) * np.eye(rhs.shape[-2], k=k) @ rhs
    for k, x in ((1, superdiag), (0, maindiag), (-1, subdiag)))""",
    samples="f32(1, 4), f32(1, 4), f32(1, 4), f32(4, 3); f64(2, 1, 3), f64(2, 1, 3), f64(2, 1, 3), f64(2, 3, 2)",
)
def tridiagonal_matmul(superdiag: Tensor, maindiag: Tensor, subdiag: Tensor, rhs: Tensor) -> Any:
    """The product of a tridiagonal matrix (m, m) and another (m, n), of batches of them.

    Args:
        superdiag: (..., 1, m), the elements right of the diagonal; the last does not count.
        maindiag: (..., 1, m), the diagonal.
        subdiag: (..., 1, m), the elements left of the diagonal; the first does not count.

    Raises:
        ValueError: the shapes do not fit.
    """
    expected = (*rhs.shape[:-2], 1, *rhs.shape[-2:-1])
    for name, x in (("superdiag", superdiag), ("maindiag", maindiag), ("subdiag", subdiag)):
        if rhs.ndim < 2 or tuple(x.shape) != expected:
            raise ValueError(f"For 'TridiagonalMatMul', '{name}' must be of shape {expected}, but is of {tuple(x.shape)}.")
    above, main, below = (_ops.swapaxes(x, -1, -2) for x in (superdiag, maindiag, subdiag))
    nothing = _ops.zeros_like(rhs[..., :1, :])
    up = _ops.concat((_ops.mul(above[..., :-1, :], rhs[..., 1:, :]), nothing), -2)
    down = _ops.concat((nothing, _ops.mul(below[..., 1:, :], rhs[..., :-1, :])), -2)
    return _ops.add(_ops.add(up, _ops.mul(main, rhs)), down)
