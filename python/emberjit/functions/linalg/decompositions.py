"""Decompositions of matrices, and what is made of them. Batches of matrices are the last two axes."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice
from emberjit.functions.linalg.lapack import lapack
from emberjit.functions.linalg.matrices import identity_like, required_square
from emberjit.functions.linalg.norms import matrix_norm
from emberjit.publish.kinds import COMPLEXES, Number, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def adjoint(x: Tensor) -> Any:
    """The conjugated transposes of matrices."""
    return _ops.swapaxes(_ops.conj(x) if x.dtype in COMPLEXES else x, -1, -2)


def _required_matrices(function: str, x: Tensor) -> None:
    if x.ndim < 2:
        raise ValueError(f"For '{function}', the input must have at least two axes, but has shape {tuple(x.shape)}.")


def _svd(input: Tensor, full_matrices: bool) -> tuple[Any, Any, Any]:
    u, s, vh = lapack("svd")(input, full_matrices)
    return s, u, adjoint(vh)


@publish("ops.svd Tensor.svd")
def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """(singular values in descending order, U, V), for which U diag(s) V^H is the input; or the values alone.

    By LAPACK's divide and conquer. The signs of pairs of vectors are LAPACK's. Gradients (Giles 2008) are those of what does
    not depend on them, and infinite where singular values are equal.

    Args:
        input: (..., m, n).
        full_matrices: whether U is (..., m, m) and V (..., n, n); else they have k columns, the smaller of m and n.
        compute_uv: whether to give U and V.

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: input is not of float32, float64, complex64 or complex128.
        ValueError: input has less than two axes.

    Examples:
        >>> s, u, v = ops.svd(Tensor([[3.0, 0.0], [0.0, 4.0]]))
        >>> print(s)
        [4. 3.]
        >>> print(u @ ops.diag(s) @ v.T)
        [[3. 0.]
         [0. 4.]]
    """
    _required_matrices("svd", input)
    return _svd(input, full_matrices) if compute_uv else lapack("svdvals")(input)


@publish("ops.Svd(full_matrices, compute_uv)(input)")
def svd_always_three(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """(singular values, U, V); without compute_uv the last two are empty. See ops.svd.

    Args:
        full_matrices: whether U is (..., m, m) and V (..., n, n); else they have k columns, the smaller of m and n.
        compute_uv: whether to give U and V.

    Examples:
        >>> s, u, v = ops.Svd(compute_uv=False)(Tensor([[3.0, 0.0], [0.0, 4.0]]))
        >>> print(s, u.shape)
        [4. 3.] (0,)
    """
    _required_matrices("Svd", input)
    if compute_uv:
        return _svd(input, full_matrices)
    nothing = _ops.zeros((0,), input.dtype)
    return lapack("svdvals")(input), nothing, nothing


def _qr(function: str, x: Tensor, complete: bool) -> Any:
    """Of matrices wider than high: of their first columns, and Q^H times the others."""
    _required_matrices(function, x)
    rows, columns = x.shape[-2:]
    if rows >= columns:
        return lapack("qr")(x, complete)
    q, r = lapack("qr")(x[..., :rows], complete)
    return q, _ops.concat((r, _ops.matmul(adjoint(q), x[..., rows:])), -1)


_QR_SAMPLES = "f32(3, 3); f64(2, 4, 2); f32(2, 3); f64(2, 2, 4); f32(3, 0)"


@publish("ops.qr", numpy="np.linalg.qr(input, mode)", samples=f"{_QR_SAMPLES}; f32(2, 3), 'complete'")
def qr(input: Tensor, mode: str = "reduced") -> Any:
    """(Q, R) with orthonormal columns and an upper triangle, for which Q R is the input.

    By Householder reflections (LAPACK); R's diagonal may have any sign. There is no gradient of complete factors of what is
    higher than wide.

    Args:
        input: (..., m, n).
        mode: "reduced": Q is (..., m, k) and R (..., k, n), with k the smaller of m and n; "complete": k is m.

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: mode is something else, or input not of float32, float64, complex64 or complex128.
        ValueError: input has less than two axes.
    """
    if mode not in ("reduced", "complete"):
        raise TypeError(f"For 'qr', 'mode' must be 'reduced' or 'complete', but got '{mode}'.")
    return _qr("qr", input, mode == "complete")


@publish(
    "ops.Qr(full_matrices)(input as x)",
    numpy="np.linalg.qr(input, 'complete' if full_matrices else 'reduced')",
    samples=_QR_SAMPLES,
)
def qr_full(input: Tensor, full_matrices: bool = False) -> Any:
    """(Q, R), complete with full_matrices. See ops.qr."""
    return _qr("Qr", input, full_matrices)


@publish("Tensor.qr", numpy="np.linalg.qr(input, 'reduced' if some else 'complete')", samples=_QR_SAMPLES)
def qr_some(input: Tensor, some: bool = True) -> Any:
    """(Q, R), complete without `some`. See ops.qr."""
    return _qr("qr", input, not some)


@publish(
    "mint.linalg.qr",
    numpy="(np.zeros(0), np.linalg.qr(A, 'r')) if mode == 'r' else np.linalg.qr(A, mode)",
    samples=f"{_QR_SAMPLES}; f32(2, 3), 'complete'; f32(3, 2), 'r'",
)
def qr_with_mode(A: Tensor, mode: str = "reduced") -> Any:
    """(Q, R), for which Q R is A; with the mode "r" Q is empty. See ops.qr.

    Raises:
        ValueError: mode is not "reduced", "complete" or "r".
    """
    check_choice("qr", "mode", mode, "reduced", "complete", "r")
    q, r = _qr("qr", A, mode == "complete")
    return (_ops.zeros((0,), A.dtype) if mode == "r" else q), r


@publish(
    "ops.geqrf ops.Geqrf()(input) Tensor.geqrf",
    numpy="(lambda h, tau: (np.swapaxes(h, -1, -2), tau))(*np.linalg.qr(input, 'raw'))",
    samples="i32(3, 3) + 0j; c64(2, 4, 2); c64(2, 3)",
)
def geqrf(input: Tensor) -> Any:
    """(R on and above the diagonal, with Householder vectors below; their factors tau), as LAPACK packs them. See orgqr.

    Of its results there is no gradient; ops.qr has one.

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: input is not of float32, float64, complex64 or complex128.
        ValueError: input has less than two axes.
    """
    _required_matrices("geqrf", input)
    return lapack("geqrf")(input)


def _reflectors(function: str, packed: Tensor, tau: Tensor) -> tuple[Any, Any]:
    """V and T for which I - V T V^H is the product of the reflections I - tau v v^H.

    By T^-1 = D^-1 + the strict upper triangle of V^H V, with D the diagonal of tau (Joffrain et al. 2006), written so that
    tau may have zeros.
    """
    _required_matrices(function, packed)
    rows, columns = packed.shape[-2:]
    count = tau.shape[-1] if tau.ndim else 0
    if tau.ndim != packed.ndim - 1 or count > min(rows, columns) or tuple(tau.shape[:-1]) != tuple(packed.shape[:-2]):
        raise ValueError(
            f"For '{function}', 'tau' must have at most a number for each column of an input of shape "
            f"{tuple(packed.shape)}, but has shape {tuple(tau.shape)}."
        )
    one = _ops.eye(rows, count, packed.dtype)
    v = _ops.add(_ops.tril(packed[..., :count], -1), one)
    inner = _ops.triu(_ops.matmul(adjoint(v), v), 1)
    scale = _ops.expand_dims(tau, -1)
    small = _ops.eye(count, count, packed.dtype)
    system = _ops.add(_ops.mul(scale, inner), small)
    return v, _ops.triangular_solve(system, _ops.mul(scale, small), True, True)


@publish(
    "ops.orgqr ops.Orgqr()(input as x, input2 as tau) Tensor.orgqr",
    numpy="__import__('references').reflections(input, input2)[..., :, : input.shape[-1]]",
    samples="f64(3, 3), f64(3); f64(2, 4, 3), f64(2, 2); c128(3, 2), c128(2)",
)
def orgqr(input: Tensor, input2: Tensor) -> Any:
    """The first n columns of the product of the reflections I - tau_i v_i v_i^H: Q of what geqrf gives.

    Args:
        input: (..., m, n), with the elements of v_i after the i-th, which is 1, below the diagonal.
        input2: tau, (..., k).

    Raises:
        TypeError: input is not of float32, float64, complex64 or complex128.
        ValueError: the shapes do not fit, or n is larger than m.
    """
    v, t = _reflectors("orgqr", input, input2)
    if input.shape[-1] > input.shape[-2]:
        raise ValueError(f"For 'orgqr', 'input' must not be wider than high, but has shape {tuple(input.shape)}.")
    columns = input.shape[-1]
    one = _ops.eye(input.shape[-2], columns, input.dtype)
    return _ops.sub(one, _ops.matmul(v, _ops.matmul(t, adjoint(v[..., :columns, :]))))


@publish(
    """ops.ormqr(input, input2 as tau, input3 as other, left, transpose)
    ops.Ormqr(left, transpose)(input as x, input2 as tau, input3 as other) Tensor.ormqr""",
    numpy="""(lambda q: q @ input3 if left else input3 @ q)((lambda q: np.conj(q).swapaxes(-1, -2) if transpose else q)(
    __import__('references').reflections(input, input2)))""",
    samples="""f64(3, 3), f64(3), f64(3, 2); f64(4, 2), f64(2), f64(3, 4), False;
    f64(2, 4, 2), f64(2, 2), f64(2, 4, 1), True, True; c128(3, 2), c128(2), c128(2, 3), False, True""",
)
def ormqr(input: Tensor, input2: Tensor, input3: Tensor, left: bool = True, transpose: bool = False) -> Any:
    """The product of the reflections I - tau_i v_i v_i^H and a matrix: Q of what geqrf gives, (..., m, m), times it.

    Args:
        input: (..., m, k), with the elements of v_i after the i-th, which is 1, below the diagonal.
        input2: tau, (..., k).
        input3: the matrix.
        left: whether Q stands left of it, else right.
        transpose: whether to take Q^H.

    Raises:
        TypeError: input is not of float32, float64, complex64 or complex128.
        ValueError: the shapes do not fit.
    """
    v, t = _reflectors("ormqr", input, input2)
    middle = adjoint(t) if transpose else t
    if left:
        change = _ops.matmul(v, _ops.matmul(middle, _ops.matmul(adjoint(v), input3)))
    else:
        change = _ops.matmul(_ops.matmul(_ops.matmul(input3, v), middle), adjoint(v))
    return _ops.sub(input3, change)


@publish("ops.eig")
def eig(A: Tensor) -> Any:
    """(eigenvalues in no order, eigenvectors of length 1 as columns) of square matrices; both are complex.

    By the QR algorithm (LAPACK). Gradients are those of what does not depend on the vectors' phases.

    Args:
        A: (..., n, n).

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: A is not of float32, float64, complex64 or complex128.
        ValueError: the matrices are not square.

    Examples:
        >>> values, vectors = ops.eig(Tensor([[2.0, 1.0], [0.0, 3.0]]))
        >>> print(values)
        [2.+0.j 3.+0.j]
        >>> print(ops.round(ops.abs(vectors), decimals=2))
        [[1.   0.71]
         [0.   0.71]]
    """
    required_square("eig", A)
    return lapack("eig")(A)


@publish(
    "ops.eigvals Tensor.eigvals",
    numpy="(lambda w: w.astype(np.result_type(w, np.complex64)))(np.linalg.eigvals(A))",
    samples="f32(3, 3); f64(2, 2, 2); c64(2, 2)",
)
def eigvals(A: Tensor) -> Any:
    """The eigenvalues of square matrices in no order, which are complex. See eig."""
    required_square("eigvals", A)
    return lapack("eigvals")(A)


@publish("ops.Eig(compute_v)(A as x)")
def eig_of_two(A: Tensor, compute_v: bool = False) -> Any:
    """(eigenvalues, eigenvectors); without compute_v these are empty. See ops.eig.

    Args:
        A: (..., n, n).
        compute_v: whether to give eigenvectors.

    Examples:
        >>> values, vectors = ops.Eig()(Tensor([[2.0, 1.0], [0.0, 3.0]]))
        >>> print(values, vectors.shape)
        [2.+0.j 3.+0.j] (0,)
    """
    required_square("Eig", A)
    if compute_v:
        return lapack("eig")(A)
    w = lapack("eigvals")(A)
    return w, _ops.zeros((0,), w.dtype)


def double_of_ints(x: Tensor) -> Any:
    """SciPy's conversion of integers: to float64."""
    return x if x.dtype in (*COMPLEXES, core.float32, core.float64) else _ops.cast(x, core.float64)


def hermitian_of(x: Tensor, lower: bool) -> Any:
    """The Hermitian matrix of which a triangle is given."""
    part, strict = ("tril", -1) if lower else ("triu", 1)
    strictly = core.op_table[part](x, strict)
    return _ops.add(core.op_table[part](x), adjoint(strictly))


@publish("""scipy.linalg.eigh(a, b, lower, eigvals_only, overwrite_a, overwrite_b, turbo, eigvals, type, check_finite)""")
def eigh(
    a: Tensor,
    b: Any = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: Any = None,
    type: int = 1,
    check_finite: bool = True,
) -> Any:
    """(eigenvalues in ascending order, orthonormal eigenvectors as columns) of a Hermitian matrix, or the values alone.

    Args:
        a: integers are taken as float64.
        b: None: there is no generalised problem.
        lower: whether the lower triangle of a is read, else the upper.
        eigvals_only: whether to give the values alone.
        overwrite_a: has no meaning, as overwrite_b, turbo, type and check_finite.
        eigvals: None: all of them.

    Raises:
        ImportError: LAPACK is not installed.
        ValueError: a is not square, or b or eigvals is given.

    Examples:
        >>> values, vectors = ms.scipy.linalg.eigh(Tensor([[2.0, 1.0], [1.0, 2.0]]))
        >>> print(values)
        [1. 3.]
        >>> print(ops.round(vectors * values @ vectors.T, decimals=4))
        [[2. 1.]
         [1. 2.]]
    """
    required_square("eigh", a)
    if b is not None or eigvals is not None:
        raise ValueError("For 'eigh', 'b' and 'eigvals' must be None: all eigenvalues of the standard problem are given.")
    x = hermitian_of(double_of_ints(a), lower)
    return lapack("eigvalsh")(x) if eigvals_only else lapack("eigh")(x)


def threshold(x: Tensor, atol: Any, rtol: Any) -> Any:
    """For each matrix up to what its singular values count as 0."""
    s = lapack("svdvals")(_ops.stop_gradient(x))
    epsilon = 2.0**-52 if s.dtype == core.float64 else 2.0**-23
    if rtol is None:
        rtol = 0.0 if atol is not None else max(x.shape[-2:]) * epsilon
    largest = _ops.amax(s, -1) if s.shape[-1] else _ops.zeros(s.shape[:-1], s.dtype)
    limit = _ops.maximum(_ops.mul(largest, rtol), 0.0 if atol is None else atol)
    return _ops.cast(limit, s.dtype)


@publish(
    "ops.pinv(x, *, atol, rtol, hermitian)",
    numpy="""np.linalg.pinv((x + np.conj(x).swapaxes(-1, -2)) / 2 if hermitian else x,
    0 if atol is not None else rtol or 1e-15)""",
    samples="f64(3, 2); f64(2, 2, 4); c128(2, 3); f64(3, 3), None, 0.01; f64(2, 3), 0.0; f64(3, 3), None, None, True",
)
def pinv(x: Tensor, atol: Number | None = None, rtol: Number | None = None, hermitian: bool = False) -> Any:
    """The Moore-Penrose pseudo-inverse, by singular values (LAPACK); its gradient is that of Golub and Pereyra 1973.

    Args:
        x: (..., m, n).
        atol: singular values up to max(atol, rtol * the largest) count as 0. A number, or a Tensor of some for each matrix.
        rtol: None: 0 if atol is given, else max(m, n) times the dtype's epsilon.
        hermitian: whether x is Hermitian; its Hermitian part is taken.

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: x is not of float32, float64, complex64 or complex128.
        ValueError: x has less than two axes, or with hermitian is not square.
    """
    _required_matrices("pinv", x)
    if hermitian:
        required_square("pinv", x)
        x = _ops.div(_ops.add(x, adjoint(x)), 2.0)
    limit = threshold(x, atol, rtol)
    if tuple(limit.shape) == tuple(x.shape[:-2]):
        return lapack("pinv")(x, limit)
    lead = tuple(limit.shape)  # of thresholds that broadcast the matrices
    return lapack("pinv")(_ops.broadcast_to(x, (*lead, *x.shape[-2:])), limit)


@publish(
    "ops.cond",
    numpy="np.linalg.cond(A, p)",
    samples="f64(3, 3); f64(2, 3, 2); f64(3, 3), 1; f64(2, 2, 2), 'fro'; f64(2, 2), -2; f64(3, 3), 'nuc'; f64(2, 2), 1e999",
)
def cond(A: Tensor, p: Any = None) -> Any:
    """The condition number of matrices for a norm: that of the matrix times that of its inverse.

    Args:
        p: an order of matrix_norm; None is 2, for which, and for -2, it is a quotient of singular values.

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: A is not of float32, float64, complex64 or complex128.
        ValueError: p is no order, A has less than two axes, or is not square for other orders than 2 and -2.
    """
    _required_matrices("cond", A)
    if p in (None, 2, -2):
        s = lapack("svdvals")(A)
        ends = s[..., 0], s[..., -1]
        return _ops.div(*(ends if p != -2 else ends[::-1]))
    required_square("cond", A)
    inverse = lapack("solve")(A, identity_like(A))
    return _ops.mul(matrix_norm(A, p), matrix_norm(inverse, p))
