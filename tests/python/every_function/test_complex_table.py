"""Every op of the table on complex operands, by its samples: either a TypeError that names it, or what NumPy gives, with the
same bits when jitted, and gradients that are the slopes by the real and by the imaginary parts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from references import FREE_PHASES, NO_GRADIENT, WITHOUT
from test_table import OPERANDS, arguments_of, made, reference, results

import emberjit as ms
from emberjit import Tensor, mint
from emberjit import _emberjit as core

STEP = 1e-6
DIFFERENTIABLE = [
    name
    for name, op in core.op_table.items()
    if op.flags["differentiable"] and not op.flags["effect"] and name not in (*NO_GRADIENT, *FREE_PHASES)
]
FLOATS = (ms.float16, ms.bfloat16, ms.float32, ms.float64)


def complex_calls(name: str, dtype: Any) -> list[dict[str, Any]]:
    """The arguments of the samples that hold a float32 Tensor, with complex numbers in such."""
    out: list[dict[str, Any]] = []
    for operands, attributes, lists in core.samples(name):
        if not any(o["dtype"] == ms.float32 and not o["scalar"] and not o["absent"] for o in operands):
            continue
        if ms.bfloat16 in attributes.values():  # which NumPy lacks
            continue
        rng = np.random.default_rng(len(out))
        values = [complex_of(made(operand, rng), operand, rng, dtype) for operand in operands]
        out.append(arguments_of(name, values, attributes, lists))
    return out


def complex_of(value: Any, operand: dict[str, Any], rng: np.random.Generator, dtype: Any) -> Any:
    if not isinstance(value, Tensor) or value.dtype not in FLOATS:
        return value
    imaginary = rng.uniform(operand["low"], operand["high"], value.shape)
    return Tensor(value.astype(ms.float64).asnumpy() + 1j * imaginary).astype(dtype)


def plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)) and any(isinstance(item, Tensor) for item in value):
        return [plain(item) for item in value]
    if isinstance(value, core.dtype):
        return ms.dtype.dtype_to_nptype(value)
    if not isinstance(value, Tensor):
        return value
    return value.astype(ms.complex128).asnumpy() if value.is_complex() else value.asnumpy()


def called(name: str, arguments: dict[str, Any]) -> Any:
    """The results, or None for what is refused."""
    try:
        return results(core.op_table[name](**arguments))
    except TypeError as error:
        assert "omplex" in str(error) and str(error).startswith("For '"), error
        return None


@pytest.mark.parametrize("name", [name for name in core.op_table if name not in WITHOUT])
def test_against_numpy_or_refused(name: str) -> None:
    for arguments in complex_calls(name, ms.complex64):
        given = {key: plain(value) for key, value in arguments.items()}
        got = called(name, arguments)
        if got is None:
            continue
        wanted = results(reference(name, given))
        assert len(got) == len(wanted)
        for g, w in zip(got, wanted):
            w = np.asarray(w)
            assert g.shape == w.shape
            scale = np.abs(w[np.isfinite(w)]).max(initial=0)
            np.testing.assert_allclose(plain(g), w.astype(plain(g).dtype), rtol=1e-6, atol=1e-6 * scale)


@pytest.mark.parametrize("name", [name for name in core.op_table if name not in WITHOUT])
def test_jitted_gives_eagers_bits(name: str) -> None:
    op = core.op_table[name]
    kinds = {parameter: kind for parameter, kind, *_ in op.params}
    if "ref" in kinds.values() or op.flags["effect"]:
        pytest.skip("has an effect")
    for arguments in complex_calls(name, ms.complex64):
        eager = called(name, arguments)
        if eager is None:
            continue
        operands = {key: value for key, value in arguments.items() if kinds[key] in OPERANDS}
        fixed = {key: value for key, value in arguments.items() if key not in operands}
        jitted = ms.jit(lambda values, op=op, fixed=fixed: op(**values, **fixed))
        for _ in range(3):
            for g, w in zip(results(jitted(operands)), eager):
                assert (g.dtype, g.shape) == (w.dtype, w.shape)
                np.testing.assert_array_equal(g.asnumpy(), w.asnumpy())


def loss_of(name: str, arguments: dict[str, Any], rng: np.random.Generator) -> Callable[..., Any] | None:
    """The sum of the results' parts times weights, as a function of the complex Tensors."""
    eager = called(name, arguments)
    if eager is None or not all(isinstance(p, Tensor) and p.dtype in (ms.complex128, ms.float64) for p in eager):
        return None
    weights = [(Tensor(rng.uniform(-1, 1, p.shape)), Tensor(rng.uniform(-1, 1, p.shape))) for p in eager]

    def loss(*moved: Any) -> Any:
        values = iter(moved)

        def replaced(value: Any) -> Any:
            if isinstance(value, list):
                return [replaced(item) for item in value]
            return next(values) if isinstance(value, Tensor) and value.is_complex() else value

        total: Any = 0.0
        for part, (a, b) in zip(results(core.op_table[name](**{k: replaced(v) for k, v in arguments.items()})), weights):
            total = total + (part.real() * a).sum()
            if part.is_complex():
                total = total + (part.imag() * b).sum()
        return total

    return loss


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_are_slopes_by_both_parts(name: str) -> None:
    for seed, arguments in enumerate(complex_calls(name, ms.complex128)):
        rng = np.random.default_rng(seed)
        loss = loss_of(name, arguments, rng)
        start = [t for value in arguments.values() for t in results(value) if isinstance(t, Tensor) and t.is_complex()]
        if loss is None or not all(t.size for t in start):
            continue
        gradients = results(ms.grad(loss, tuple(range(len(start))))(*start))
        for turn in (1, 1j):
            directions = [turn * rng.uniform(-1, 1, t.shape) for t in start]
            up, down = (
                loss(*(Tensor(t.asnumpy() + s * STEP * d) for t, d in zip(start, directions))).item() for s in (1, -1)
            )
            claimed = sum(float((g.asnumpy() * np.conj(d)).real.sum()) for g, d in zip(gradients, directions))
            assert abs(claimed - (up - down) / (2 * STEP)) <= 1e-7 * (1 + abs(claimed) + abs(up)), name
        captured = results(ms.jit(ms.grad(loss, tuple(range(len(start)))))(*start))
        for got, want in zip(captured, gradients):
            np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-12, atol=1e-13)


SPECIAL = [0, -0.0, 1, -1, 1j, 0.5, 1 + 1j, complex(-1, 1), complex("inf"), complex("-inf"), complex("nan"), complex("infj")]


@pytest.mark.parametrize("mode", ["eager", "ast"])
@pytest.mark.parametrize("dtype", [ms.complex64, ms.complex128])
def test_powers_of_zero_and_by_special_values(dtype: Any, mode: str) -> None:
    power: Any = (lambda a, b: a**b) if mode == "eager" else ms.jit(lambda a, b: a**b, capture_mode=mode)
    bases, exponents = np.meshgrid(np.array(SPECIAL, np.complex128), np.array(SPECIAL, np.complex128))
    with np.errstate(all="ignore"):
        wanted = bases**exponents
    got = power(Tensor(bases, dtype), Tensor(exponents, dtype)).astype(ms.complex128).asnumpy()
    apart = (exponents == -1) & ((bases == 0) | np.isinf(bases))  # 1 / base, as in PyTorch
    np.testing.assert_allclose(got[~apart], wanted[~apart], rtol=1e-5, atol=1e-6)
    assert np.isnan(power(Tensor([0j]), 1j).asnumpy()).all() and (power(Tensor([0j]), 1 + 1j).asnumpy() == 0).all()


@pytest.mark.parametrize("name", ("log2", "log10", "exp2"))
def test_infinite_parts(name: str) -> None:
    parts = (-np.inf, -1.0, 0.0, 1.0, np.inf)
    z = np.array([complex(x, y) for x in parts for y in parts])
    with np.errstate(all="ignore"):
        want = getattr(np, name)(z)
    np.testing.assert_allclose(getattr(mint, name)(Tensor(z)).asnumpy(), want, rtol=1e-14)


@pytest.mark.parametrize("function", (mint.amax, mint.amin, mint.max, mint.min))
def test_no_extreme_of_a_single_one(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="complex numbers are not supported"):
        function(Tensor(1 + 2j))
