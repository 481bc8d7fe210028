"""Linear algebra beyond the samples of the tables: sizes of several blocks, what is not finite, singular or empty, gradients
at special points and of what does not depend on phases, numbers of threads, a missing LAPACK, bad arguments."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references import matrix_exp

import emberjit as ms
from emberjit import Tensor, mint, ops, scipy
from emberjit import numpy as mnp
from emberjit.functions.linalg import lapack

DTYPES = (np.float32, np.float64, np.complex64, np.complex128)
NAN = float("nan")


def random(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (
        (x + 1j * rng.standard_normal(shape)).astype(dtype) if np.issubdtype(dtype, np.complexfloating) else x.astype(dtype)
    )


def parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def adjoint(x: Any) -> Any:
    return np.conj(x).swapaxes(-1, -2)


def positive(n: int, dtype: Any) -> np.ndarray:
    x = random((n, n), dtype)
    return (x @ adjoint(x) / n + np.eye(n)).astype(dtype)


def close(got: Any, want: Any, factor: float = 200) -> None:
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    scale = np.abs(want).max(initial=1)
    epsilon = np.finfo(got.dtype).eps
    np.testing.assert_allclose(got, want, rtol=0, atol=factor * epsilon * scale)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 31, 32, 33, 70, 131])
def test_blocks_of_cholesky_and_triangles(n: int, dtype: Any) -> None:
    a = positive(n, dtype)
    factor = ops.cholesky(Tensor(a)).asnumpy()
    close(factor, np.linalg.cholesky(a))
    assert np.array_equal(factor, np.tril(factor))
    b = random((n, 3), dtype, 1)
    close(ops.cholesky_solve(Tensor(b), Tensor(factor)).asnumpy(), np.linalg.solve(a, b), 2000)
    for upper in (False, True):
        t = (np.triu if upper else np.tril)(random((n, n), dtype)) / n + np.eye(n).astype(dtype)
        x = mint.triangular_solve(Tensor(b), Tensor(t.astype(dtype)), upper)[0].asnumpy()
        close(t @ x, b)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(40, 40), (2, 3, 7, 4), (3, 4, 9), (5, 0), (0, 3, 3)])
def test_factors_multiply_to_their_matrix(shape: tuple[int, ...], dtype: Any) -> None:
    a = random(shape, dtype)
    s, u, v = (part.asnumpy() for part in ops.svd(Tensor(a)))
    close((u * s[..., None, :].astype(dtype)) @ adjoint(v), a)
    close(ops.svd(Tensor(a), compute_uv=False).asnumpy(), s)
    s, u, v = (part.asnumpy() for part in ops.svd(Tensor(a), True))
    close(u @ adjoint(u), np.broadcast_to(np.eye(shape[-2]), u.shape).astype(dtype))
    close(v @ adjoint(v), np.broadcast_to(np.eye(shape[-1]), v.shape).astype(dtype))
    for mode in ("reduced", "complete"):
        q, r = (part.asnumpy() for part in ops.qr(Tensor(a), mode))
        close(q @ r, a)
        assert np.array_equal(r, np.triu(r)) and q.shape[-1] == r.shape[-2]
    packed, tau = ops.geqrf(Tensor(a))
    least = min(shape[-2:])
    q = ops.ormqr(packed, tau, Tensor(np.broadcast_to(np.eye(shape[-2]), (*shape[:-1], shape[-2])).astype(dtype))).asnumpy()
    close(q[..., :, :least] @ np.triu(packed.asnumpy())[..., :least, :], a)
    if shape[-2] >= shape[-1]:
        close(ops.orgqr(packed, tau).asnumpy(), q[..., : shape[-1]])
    p, left, right = (part.asnumpy() for part in scipy.linalg.lu(Tensor(a)))
    close(p @ left @ right, a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_eigenvectors_are_stretched_by_eigenvalues(dtype: Any) -> None:
    a = random((3, 12, 12), dtype)
    w, v = (part.asnumpy() for part in ops.eig(Tensor(a)))
    close(a @ v, v * w[..., None, :])
    close(np.linalg.norm(v, axis=-2), np.ones_like(w.real))
    close(np.sort_complex(ops.eigvals(Tensor(a)).asnumpy().round(2)), np.sort_complex(w.round(2)), 1e5)
    h = a + adjoint(a)
    for lower in (True, False):
        w, v = (part.asnumpy() for part in scipy.linalg.eigh(Tensor((np.tril if lower else np.triu)(h)), lower=lower))
        close(h @ v, v * w[..., None, :])
        assert (np.diff(w) >= 0).all()


@pytest.mark.parametrize(
    "call", [ops.svd, ops.qr, ops.eig, ops.eigvals, scipy.linalg.eigh, scipy.linalg.lu, ops.pinv, ops.det]
)
def test_graphs_and_batches_give_the_same(call: Callable[..., Any]) -> None:
    a = random((3, 4, 4), np.float64)
    wanted = [parts(call(Tensor(x))) for x in a]
    jitted = ms.jit(lambda x: call(x))
    for x, want in zip(a, wanted):
        for got in (parts(jitted(Tensor(x))), parts(jitted(Tensor(x)))):
            for g, w in zip(got, want, strict=True):
                np.testing.assert_array_equal(g.asnumpy(), w.asnumpy())
    for got, *want in zip(parts(ms.vmap(call)(Tensor(a))), *wanted, strict=True):
        np.testing.assert_array_equal(got.asnumpy(), np.stack([w.asnumpy() for w in want]))


def test_what_is_not_asked_for_is_empty() -> None:
    s, u, v = ops.Svd(compute_uv=False)(I2)
    assert (s.tolist(), u.shape, v.shape) == ([1, 1], (0,), (0,))
    w, v = ops.Eig()(I2)
    assert (w.tolist(), v.shape) == ([1, 1], (0,))
    assert [part.shape for part in ops.Svd(full_matrices=True)(X)] == [(2,), (2, 2), (3, 3)]
    assert [part.shape for part in ops.Eig(True)(I2)] == [(2,), (2, 2)]
    assert scipy.linalg.eigh(Tensor([[2, 0], [0, 1]]), eigvals_only=True).tolist() == [1, 2]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [1e-3, 0.3, 1, 5])
def test_exponentials(scale: float, dtype: Any) -> None:
    a = (random((2, 6, 6), dtype) * scale).astype(dtype)
    close(ops.matrix_exp(Tensor(a)).asnumpy(), matrix_exp(a), 2000)


@pytest.mark.parametrize("dtype", DTYPES)
def test_solutions(dtype: Any) -> None:
    a, b = random((2, 40, 40), dtype), random((2, 40, 5), dtype, 1)
    for got, want in (
        (ops.matrix_solve(Tensor(a), Tensor(b)), np.linalg.solve(a, b)),
        (ops.matrix_solve(Tensor(a), Tensor(b[0])), np.linalg.solve(a, b[:1])),
        (ops.inverse(Tensor(a)), np.linalg.inv(a)),
        (ops.pinv(Tensor(a[:, :, :9])), np.linalg.pinv(a[:, :, :9])),
        (ops.lstsq(Tensor(a[0, :, :9]), Tensor(b[0])), np.linalg.lstsq(a[0, :, :9], b[0], None)[0]),
        (ops.lstsq(Tensor(a[0, :9]), Tensor(b[0, :9, 0])), np.linalg.lstsq(a[0, :9], b[0, :9, :1], None)[0]),
        (ops.slogdet(Tensor(a))[1], np.linalg.slogdet(a)[1]),
        (ops.slogdet(Tensor(a))[0], np.linalg.slogdet(a)[0]),
    ):
        close(got.asnumpy(), want, 5000)


def test_matrices_of_lower_rank() -> None:
    a = random((6, 2), np.float64) @ random((2, 4), np.float64, 1)
    b = random((6, 3), np.float64, 2)
    want = np.linalg.lstsq(a, b, None)
    x, residues, rank, s = scipy.linalg.lstsq(Tensor(a), Tensor(b), driver="gelsd")
    close(x.asnumpy(), want[0])
    close(s.asnumpy(), want[3])
    close(residues.asnumpy(), ((a @ want[0] - b) ** 2).sum(0))
    assert rank.item() == 2
    square = Tensor([[1.0, 2], [2, 4]])
    assert ops.det(square).item() == 0
    assert [part.item() for part in ops.slogdet(square)] == [0, -np.inf]
    assert not np.isfinite(ops.inverse(square).asnumpy()).all()
    assert np.isnan(ops.logdet(Tensor([[-1.0]])).item()) and ops.logdet(Tensor([[0.0]])).item() == -np.inf


@pytest.mark.parametrize("bad", [NAN, np.inf])
def test_what_is_not_finite_gives_nan_and_harms_no_other_matrix(bad: float) -> None:
    a = random((3, 4, 4), np.float64)
    spoilt = a.copy()
    spoilt[1, 2, 1] = bad
    calls: list[Callable[..., Any]] = [ops.svd, ops.qr, ops.geqrf, ops.eig, ops.eigvals, scipy.linalg.eigh, ops.matrix_exp]
    for call in calls:
        got, want = call(Tensor(spoilt)), call(Tensor(a))
        for g, w in zip(parts(got), parts(want)):
            np.testing.assert_array_equal(g.asnumpy()[[0, 2]], w.asnumpy()[[0, 2]])
            assert np.isnan(g.asnumpy()[1]).all()
    assert np.isnan(ops.cholesky(Tensor([[NAN]])).item())
    assert np.isnan(mint.triangular_solve(Tensor([[1.0]]), Tensor([[NAN]]))[0].item())


def test_results_do_not_depend_on_threads() -> None:
    a = random((17, 30, 30), np.float64)

    def everything() -> list[np.ndarray]:
        parts = [
            *ops.svd(Tensor(a)),
            *ops.qr(Tensor(a)),
            *ops.eig(Tensor(a)),
            ops.inverse(Tensor(a)),
            ops.matrix_exp(Tensor(a)),
        ]
        return [part.asnumpy() for part in parts]

    ms.set_num_threads(1)
    alone = everything()
    ms.set_num_threads(4)
    for one, other in zip(alone, everything(), strict=True):
        np.testing.assert_array_equal(one, other)


def slopes(loss: Callable[[Any], Any], x: np.ndarray, hermitian: bool = False) -> None:
    """The gradient against differences in random directions, of the real and the imaginary part."""
    gradient = ms.grad(loss)(Tensor(x)).asnumpy()
    for seed in range(4):
        step = random(x.shape, x.dtype, 10 + seed)
        step = (step + adjoint(step)) / 2 if hermitian else step
        rise = (loss(Tensor(x + 1e-6 * step)) - loss(Tensor(x - 1e-6 * step))).item() / 2e-6
        claimed = (gradient * np.conj(step)).real.sum()
        assert abs(claimed - rise) <= 1e-5 * (1 + abs(rise)), (claimed, rise)


def real_sum(x: Any, weights: np.ndarray) -> Any:
    return ops.real(x * Tensor(weights)).sum()


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_gradients_of_what_does_not_depend_on_phases(dtype: Any) -> None:
    weights = random((4, 4), dtype, 5)

    def by_svd(x: Any) -> Any:
        s, u, v = ops.svd(x)
        return real_sum(
            ops.matmul(u * ops.exp(s).expand_dims(-2), ops.conj(v).swapaxes(-1, -2)), weights[: x.shape[0], : x.shape[1]]
        )

    def by_eigh(x: Any) -> Any:
        w, v = scipy.linalg.eigh((x + ops.conj(x).swapaxes(-1, -2)) / 2)
        return real_sum(ops.matmul(v * ops.sin(w).expand_dims(-2), ops.conj(v).swapaxes(-1, -2)), weights)

    def by_eig(x: Any) -> Any:
        w, v = ops.eig(x)
        return real_sum(ops.matmul(v * ops.exp(w).expand_dims(-2), ops.inverse(v)), random((4, 4), np.complex128, 6))

    x = random((4, 4), dtype)
    for loss in (by_svd, by_eigh, by_eig, lambda x: real_sum(ops.matrix_exp(x), weights)):
        slopes(loss, x)
    slopes(by_svd, x[:, :3])
    slopes(by_svd, x[:2])
    slopes(lambda x: real_sum(ops.cholesky(x), weights), positive(4, dtype), hermitian=True)
    slopes(lambda x: real_sum(ops.cholesky(x, True), weights), positive(4, dtype), hermitian=True)
    slopes(lambda x: ops.abs(ops.eigvals(x)).sum(), x)
    slopes(lambda x: ops.svd(x, compute_uv=False).sum(), x)
    slopes(lambda x: real_sum(ops.logdet(ops.matmul(x, ops.conj(x).swapaxes(0, 1))), np.ones(())), x)
    for pair in (x[:, :2], x[:2], x):
        slopes(lambda x: real_sum(scipy.linalg.lu(x, True)[0], weights[: x.shape[0], : min(x.shape)]), pair)
    slopes(
        lambda x: real_sum(ops.qr(x)[0], weights[:, :3]) if x.dtype == ms.float64 else ops.abs(ops.qr(x)[1]).sum(), x[:, :3]
    )


def test_gradients_at_special_points() -> None:
    zero = Tensor([0.0, 0.0, 0.0])
    for order in (0, 1, 1.5, 2, 3):
        assert ms.grad(lambda x, order=order: ops.norm(x, order))(zero).tolist() == [0, 0, 0]
    assert ms.grad(lambda x: ops.cdist(x, x).sum())(Tensor([[1.0, 2.0], [1.0, 2.0]])).tolist() == [[0, 0], [0, 0]]
    singular = np.outer([1.0, 2, 3], [2.0, 1, 1]) + np.diag([0, 0, 1.0])  # of rank 2
    adjugate = ms.grad(lambda x: ops.det(x))(Tensor(singular)).asnumpy()
    close(adjugate, [[2.0, -4, 0], [-1, 2, 0], [0, 0, 0]], 1e3)
    slopes(lambda x: real_sum(ops.pinv(x), np.ones((4, 3))), random((3, 4), np.float64))
    low = random((4, 2), np.float64) @ random((2, 3), np.float64, 1)
    assert np.isfinite(ms.grad(lambda x: ops.pinv(x, rtol=1e-9).sum())(Tensor(low)).asnumpy()).all()
    assert ms.grad(lambda x: ops.L2Normalize()(x).sum())(zero).tolist() == [100, 100, 100]
    with pytest.raises(TypeError, match="'geqrf', its gradient is not known"):
        ms.grad(lambda x: ops.geqrf(x)[0].sum())(Tensor([[1.0]]))
    with pytest.raises(TypeError, match="'qr', there is no gradient of complete factors"):
        ms.grad(lambda x: ops.qr(x, "complete")[0].sum())(Tensor([[1.0], [2.0]]))


def test_norms_of_nothing_of_nan_and_of_numbers() -> None:
    nothing = ops.zeros((0, 3), ms.float32)
    assert ops.norm(nothing).item() == 0 and ops.norm(nothing, 1, 0).tolist() == [0, 0, 0]
    assert ops.norm(Tensor(-3.0)).item() == 3 and ops.vector_norm(Tensor(-3.0), 1).item() == 3
    assert ops.norm(Tensor([3, 4])).dtype == ms.float32
    assert ops.norm(Tensor([3.0, 4.0], ms.float16)).dtype == ms.float16
    assert ops.norm(Tensor([200.0, 200.0], ms.float16)).item() == pytest.approx(282.8, 1e-3)
    for order in (None, 1, 2, 3, np.inf, -np.inf):
        assert np.isnan(ops.norm(Tensor([1.0, NAN]), order).item())
    assert mnp.norm(Tensor([[3.0, 4.0]]), axis=1).tolist() == [5] and Tensor([3.0, 4.0]).norm().item() == 5
    assert Tensor([[3.0, 4.0]]).norm(p=1, dim=1).tolist() == [7] and mint.norm(Tensor([3.0, 4.0])).item() == 5
    assert ops.pdist(ops.ones((1, 3), ms.float32)).shape == (0,) and ops.cdist(nothing, nothing).shape == (0, 0)


def test_a_missing_lapack_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lapack.core, "has_lapack", lambda: False)
    monkeypatch.setattr(lapack.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install scipy-openblas32"):
        ops.svd(Tensor([[1.0]]))
    assert ops.cholesky(Tensor([[4.0]])).item() == 2


X, V = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), Tensor([1.0, 2.0])
I2 = Tensor([[1.0, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    "call, kind, words",
    [
        (lambda: ops.cholesky(X), ValueError, "'cholesky', the input must be square"),
        (
            lambda: ops.cholesky(-I2),
            ValueError,
            "'cholesky', the input must be positive definite, but the leading minor of order 1",
        ),
        (lambda: ops.cholesky(Tensor([[1]])), TypeError, "matrices must be of float32, float64"),
        (lambda: ops.svd(V), ValueError, "'svd', the input must have at least two axes"),
        (lambda: ops.svd(Tensor([[1]])), TypeError, "matrices must be of float32, float64"),
        (lambda: ops.svd(I2, 3), TypeError, "'svd', the argument 'full_matrices' must be a bool"),
        (lambda: ops.qr(I2, "r"), TypeError, "'mode' must be 'reduced' or 'complete', but got 'r'"),
        (lambda: mint.linalg.qr(I2, "q"), ValueError, "'mode' must be 'reduced', 'complete' or 'r'"),
        (lambda: ops.eig(X), ValueError, "'eig', the input must be square"),
        (lambda: ops.det(X), ValueError, "'det', the input must be square"),
        (lambda: ops.inverse(V), ValueError, "'inverse', the input must be square"),
        (lambda: ops.matrix_solve(I2, ops.ones((3, 1), ms.float32)), ValueError, "must have as many rows"),
        (lambda: ops.matrix_power(X, 2), ValueError, "'matrix_power', the input must be square"),
        (lambda: ops.matrix_power(I2, 0.5), TypeError, "'matrix_power', the argument 'n' must be an int"),
        (lambda: scipy.linalg.solve_triangular(I2, V, trans=3), ValueError, "'trans' must be 0, 1, 2"),
        (lambda: scipy.linalg.eigh(I2, I2), ValueError, "'b' and 'eigvals' must be None"),
        (lambda: scipy.linalg.lstsq(I2, I2, driver="gel"), ValueError, "'driver' must be one of gels"),
        (lambda: ops.lu_unpack(I2, Tensor([1, 3])), ValueError, "a pivot is out of range of 2 rows"),
        (lambda: ops.lu_unpack(I2, V), TypeError, "'LU_pivots' must be integers"),
        (lambda: ops.orgqr(X, V), ValueError, "'orgqr', 'input' must not be wider than high"),
        (lambda: ops.norm(X, "abc"), ValueError, "'ord' must be 'fro', 'nuc'"),
        (lambda: ops.norm(Tensor([X.asnumpy()]), 2), ValueError, "there must be one or two axes"),
        (lambda: ops.norm(X, dtype=ms.int32), TypeError, "'dtype' must be of floating point or complex"),
        (lambda: ops.vector_norm(X, "fro"), TypeError, "must be a number, but got 'fro'"),
        (lambda: ops.norm(X, 2, 5), ValueError, "axis 5 is out of range"),
        (lambda: ops.cdist(X, V), ValueError, "'x1' and 'x2' must be matrices of vectors of one size"),
        (lambda: ops.cdist(X, X, -1.0), ValueError, "'p' must not be negative"),
        (lambda: ops.renorm(X, 0, 0, 1.0), ValueError, "'p' must be positive"),
        (lambda: ops.vander(X), ValueError, "'x' must have one axis"),
        (lambda: ops.vander(V, -1), ValueError, "'N' must not be negative"),
        (lambda: ops.cov(X, fweights=V), TypeError, "'fweights' must be integers"),
        (lambda: ops.cross(V, V), ValueError, "the axis must be of size 3"),
        (lambda: ops.einsum("ij,jk", X), ValueError, "has 2 terms for 1 operands"),
        (lambda: ops.einsum("ij->ik", X), ValueError, "labels that repeat, or that no operand has"),
        (lambda: ops.einsum("ij,jk", X, X), ValueError, "has axes 'j' of different sizes, 3 and 2"),
        (lambda: ops.einsum("i1", X), ValueError, "which must be of letters and at most one"),
        (lambda: ops.addn([X, V]), ValueError, "Tensors must be of one shape"),
        (lambda: mnp.multi_dot([X]), ValueError, "there must be two arrays at least"),
        (lambda: ops.tensor_dot(X, X, 3), ValueError, r"'axes' must be in \[0, 2\]"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], kind: type, words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_a_plain_install_has_lapack_and_loads_it_when_first_needed() -> None:
    project = (Path(__file__).parents[3] / "pyproject.toml").read_text()
    assert "scipy-openblas32" in re.search(r"^dependencies = (.*)$", project, re.MULTILINE)[1]
    script = (
        "import emberjit as ms; mapped = lambda: '/scipy_openblas32/' in open('/proc/self/maps').read()\n"
        "x = ms.Tensor([[4.0, 1.0], [1.0, 3.0]]); y = x @ x; print(mapped()); ms.ops.svd(x); print(mapped())"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["False", "True"]
