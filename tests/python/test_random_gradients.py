"""Random programs of branches, loops, writes, calls and transforms: gradients to second order against differences,
captured against eager.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

Program = Callable[[Any], Any]
SIZE = 3
STEP = 1e-5
# A central difference errs by STEP^2 times the third derivative, and by rounding over STEP.
TOLERANCE = 2e-6


class OwnGradient(nn.Cell):
    """tanh by its own rule."""

    def construct(self, t):
        return ops.tanh(t)

    def bprop(self, t, out, dout):
        return dout * (1 - out * out)


class Programs:
    """Functions from a vector to a vector, of about the same size."""

    def __init__(self, seed: int):
        self.rng = np.random.default_rng(seed)
        self.weight = Parameter(Tensor(self.rng.uniform(0.5, 1.5, SIZE)), name="weight")
        self.matrix = Tensor(self.rng.uniform(-0.6, 0.6, (SIZE, SIZE)))
        self.own = OwnGradient()

    def program(self, depth: int) -> Program:
        kinds = self.leaves() if depth == 0 else self.combinations(depth)
        return kinds[self.rng.integers(len(kinds))]()

    def leaves(self) -> list[Callable[[], Program]]:
        weight, matrix, own = self.weight, self.matrix, self.own
        place = int(self.rng.integers(SIZE))

        def written(t):
            u = t * 1
            u[place] = u[0] * u[-1] + 0.5
            return u

        return [
            lambda: lambda t: ops.sin(t) + t,
            lambda: lambda t: ops.softmax(t, 0) * t,
            lambda: lambda t: ops.matmul(matrix, t) + t,
            lambda: lambda t: t * weight,
            lambda: lambda t: ops.exp(t * 0.3) - t.mean(),
            lambda: lambda t: own(t) * 2,
            lambda: written,
        ]

    def combinations(self, depth: int) -> list[Callable[[], Program]]:
        first, second = self.program(depth - 1), self.program(depth - 1)
        limit = float(self.rng.uniform(-0.5, 0.5))
        jitted = ms.jit(first)

        def branch(t):
            if t.sum() > limit:
                return first(t)
            return second(t)

        def loop(t):
            while (t * t).sum() < 4:
                t = t * 1.5 + 0.4 + first(t) * 0.1
            return second(t * 0.3)

        def counted(t):
            total = t
            for i in range(3):
                total = total * 0.5 + first(t * (0.3 * i))
            return total

        def stored(t):
            ops.assign(self.weight, self.weight * 0.9 + first(t) * 0.1)
            return second(t) + self.weight

        return [
            lambda: lambda t: second(first(t)),
            lambda: lambda t: first(t) * ops.tanh(second(t)),
            lambda: branch,
            lambda: loop,
            lambda: counted,
            lambda: stored,
            lambda: lambda t: jitted(t) + second(t),
            lambda: lambda t: ms.recompute(first, t) * 0.5 + second(t),
            lambda: lambda t: ms.grad(lambda u: (first(u) * second(t)).sum())(t) * 0.3 + t,
            lambda: lambda t: ms.jvp(first, t, second(t))[1] * 0.3 + t,
            lambda: lambda t: ms.vjp(first, t)[1](second(t))[0] * 0.3 + t,
        ]


def slopes(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    steps = np.eye(SIZE) * STEP
    return np.stack([(f(x + step) - f(x - step)) / (2 * STEP) for step in steps], -1)


def near(got: np.ndarray, want: np.ndarray) -> None:
    assert np.isfinite(want).all()
    np.testing.assert_allclose(got, want, rtol=TOLERANCE, atol=TOLERANCE * (1 + np.abs(want).max()))


@pytest.mark.parametrize("seed", range(60))
def test_to_second_order(seed: int) -> None:
    made = Programs(seed)
    program = made.program(2)
    start = made.weight.asnumpy().copy()
    x = np.random.default_rng(1000 + seed).uniform(-1, 1, SIZE)
    direction = Tensor(np.random.default_rng(2000 + seed).uniform(-1, 1, SIZE))

    def run(f: Program, at: np.ndarray, weight: np.ndarray = start) -> Any:
        made.weight.set_data(Tensor(weight))
        return f(Tensor(at))

    def check(f: Program, gradients: list[np.ndarray]) -> None:
        by_x, by_weight = gradients
        near(by_x, slopes(lambda at: run(f, at).asnumpy(), x))
        near(by_weight, slopes(lambda at: run(f, x, at).asnumpy(), start))

    loss = lambda t: (program(t) * direction).sum()
    slope = lambda t: (ms.grad(loss)(t) * direction).sum()
    for f in (loss, slope):
        gradient = ms.grad(f, 0, made.weight)
        eager = [g.asnumpy() for g in run(gradient, x)]
        stored = made.weight.asnumpy().copy()
        check(f, eager)
        captured = run(ms.jit(gradient), x)
        np.testing.assert_allclose(made.weight.asnumpy(), stored, rtol=1e-12)
        for got, want in zip(captured, eager):
            np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-10, atol=1e-11 * (1 + np.abs(want).max()))
