"""Random programs of branches, loops, writes, calls and transforms: gradients to second order against differences,
captured against eager. No gradient flows to what is written to a Parameter, so the differences are those of programs that
write what they have written before.
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

    def read(self) -> Any:
        return self.weight

    def write(self, value: Any) -> None:
        ops.assign(self.weight, value)

    def jit(self, f: Program) -> Program:
        return ms.jit(f)

    def program(self, depth: int) -> Program:
        kinds = self.leaves() if depth == 0 else self.combinations(depth)
        return kinds[self.rng.integers(len(kinds))]()

    def leaves(self) -> list[Callable[[], Program]]:
        matrix, own = self.matrix, self.own
        place = int(self.rng.integers(SIZE))

        def written(t):
            u = t * 1
            u[place] = u[0] * u[-1] + 0.5
            return u

        return [
            lambda: lambda t: ops.sin(t) + t,
            lambda: lambda t: ops.softmax(t, 0) * t,
            lambda: lambda t: ops.matmul(matrix, t) + t,
            lambda: lambda t: t * self.read(),
            lambda: lambda t: ops.exp(t * 0.3) - t.mean(),
            lambda: lambda t: own(t) * 2,
            lambda: written,
        ]

    def combinations(self, depth: int) -> list[Callable[[], Program]]:
        first, second = self.program(depth - 1), self.program(depth - 1)
        limit = float(self.rng.uniform(-0.5, 0.5))
        jitted = self.jit(first)

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
            self.write(self.read() * 0.9 + first(t) * 0.1)
            return second(t) + self.read()

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


class Apart(Programs):
    """The same programs, which write what an earlier run has written, and read the Parameter with `delta` added."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.written: list[np.ndarray] = []
        self.start = self.weight.asnumpy().copy()
        self.recorded = False

    def run(self, f: Program, at: np.ndarray, delta: np.ndarray) -> np.ndarray:
        self.weight.set_data(Tensor(self.start))
        self.delta, self.next = Tensor(delta), iter(self.written)
        return f(Tensor(at)).asnumpy()  # type: ignore[no-any-return]

    def record(self, f: Program, at: np.ndarray) -> None:
        self.written, self.recorded = [], False
        self.run(f, at, np.zeros(SIZE))
        self.recorded = True

    def read(self) -> Any:
        return self.weight + self.delta

    def write(self, value: Any) -> None:
        if not self.recorded:
            self.written.append(value.asnumpy().copy())
        ops.assign(self.weight, Tensor(next(self.next)) if self.recorded else value)

    def jit(self, f: Program) -> Program:
        return f


def slopes(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    steps = np.eye(SIZE) * STEP
    return np.stack([(f(x + step) - f(x - step)) / (2 * STEP) for step in steps], -1)


def near(got: np.ndarray, want: np.ndarray) -> None:
    assert np.isfinite(want).all()
    np.testing.assert_allclose(got, want, rtol=TOLERANCE, atol=TOLERANCE * (1 + np.abs(want).max()))


@pytest.mark.parametrize("seed", range(60))
def test_to_second_order(seed: int) -> None:
    made, apart = Programs(seed), Apart(seed)
    start = made.weight.asnumpy().copy()
    x = np.random.default_rng(1000 + seed).uniform(-1, 1, SIZE)
    direction = Tensor(np.random.default_rng(2000 + seed).uniform(-1, 1, SIZE))

    def run(f: Program) -> Any:
        made.weight.set_data(Tensor(start))
        return f(Tensor(x))

    def check(f: Program, gradients: list[np.ndarray]) -> None:
        by_x, by_weight = gradients
        apart.record(f, x)
        near(by_x, slopes(lambda at: apart.run(f, at, np.zeros(SIZE)), x))
        near(by_weight, slopes(lambda delta: apart.run(f, x, delta), np.zeros(SIZE)))

    def losses(program: Program) -> tuple[Program, Program]:
        loss = lambda t: (program(t) * direction).sum()
        return loss, lambda t: (ms.grad(loss)(t) * direction).sum()

    for f, same in zip(losses(made.program(2)), losses(apart.program(2))):
        gradient = ms.grad(f, 0, made.weight)
        eager = [g.asnumpy() for g in run(gradient)]
        stored = made.weight.asnumpy().copy()
        check(same, eager)
        captured = run(ms.jit(gradient))
        np.testing.assert_allclose(made.weight.asnumpy(), stored, rtol=1e-12)
        for got, want in zip(captured, eager):
            np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-10, atol=1e-11 * (1 + np.abs(want).max()))
