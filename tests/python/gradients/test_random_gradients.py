"""Random programs of branches, loops, writes, calls and transforms: gradients to second order against differences,
captured against eager. No gradient flows to what is written to a Parameter, so the differences are those of programs that
write what they have written before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import strategies
from hypothesis import assume, given
from hypothesis import strategies as st

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


@dataclass
class Leaf:
    """A function without others in it; one writes at a place."""

    kind: int
    place: int


@dataclass
class Combination:
    """A function of two; one decides by a limit."""

    kind: int
    first: Any
    second: Any
    limit: float


LEAVES = st.builds(Leaf, st.integers(0, 6), st.integers(0, SIZE - 1))
LIMITS = st.sampled_from([0.1, -0.1, 0.37, -0.37])


def combinations(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Combination]:
    return st.builds(Combination, st.integers(0, 10), parts, parts, LIMITS)


TREES = combinations(combinations(LEAVES) | LEAVES)


class Programs:
    """Functions from a vector to a vector, of about the same size; their numbers are those of a seed."""

    def __init__(self, seed: int):
        rng = np.random.default_rng(seed)
        self.weight = Parameter(Tensor(rng.uniform(0.5, 1.5, SIZE)), name="weight")
        self.matrix = Tensor(rng.uniform(-0.6, 0.6, (SIZE, SIZE)))
        self.own = OwnGradient()

    def read(self) -> Any:
        return self.weight

    def write(self, value: Any) -> None:
        ops.assign(self.weight, value)

    def jit(self, f: Program) -> Program:
        return ms.jit(f)

    def program(self, tree: Leaf | Combination) -> Program:
        return self.leaf(tree) if isinstance(tree, Leaf) else self.combination(tree)

    def leaf(self, tree: Leaf) -> Program:
        matrix, own, place = self.matrix, self.own, tree.place

        def written(t):
            u = t * 1
            u[place] = u[0] * u[-1] + 0.5
            return u

        return [
            lambda t: ops.sin(t) + t,
            lambda t: ops.softmax(t, 0) * t,
            lambda t: ops.matmul(matrix, t) + t,
            lambda t: t * self.read(),
            lambda t: ops.exp(t * 0.3) - t.mean(),
            lambda t: own(t) * 2,
            written,
        ][tree.kind]

    def combination(self, tree: Combination) -> Program:
        first, second, limit = self.program(tree.first), self.program(tree.second), tree.limit
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
            lambda t: second(first(t)),
            lambda t: first(t) * ops.tanh(second(t)),
            branch,
            loop,
            counted,
            stored,
            lambda t: jitted(t) + second(t),
            lambda t: ms.recompute(first, t) * 0.5 + second(t),
            lambda t: ms.grad(lambda u: (first(u) * second(t)).sum())(t) * 0.3 + t,
            lambda t: ms.jvp(first, t, second(t))[1] * 0.3 + t,
            lambda t: ms.vjp(first, t)[1](second(t))[0] * 0.3 + t,
        ][tree.kind]


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
    """Differences. Where a branch or a loop turns between their ends, which shows in the middle, there is no slope to
    compare with."""
    middle, ends = f(x), [(f(x + step), f(x - step)) for step in np.eye(SIZE) * STEP]
    above, below = (np.stack([sign * (end[i] - middle) / STEP for end in ends], -1) for i, sign in ((0, 1), (1, -1)))
    assume(np.abs(above - below).max() < 0.01 * (1 + np.abs(below).max()))
    return np.stack([(end[0] - end[1]) / (2 * STEP) for end in ends], -1)


def near(got: np.ndarray, want: np.ndarray) -> None:
    assert np.isfinite(want).all()
    np.testing.assert_allclose(got, want, rtol=TOLERANCE, atol=TOLERANCE * (1 + np.abs(want).max()))


@strategies.examples(60)
@given(TREES, st.integers(0, 1000))
def test_to_second_order(tree: Combination, seed: int) -> None:
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

    for f, same in zip(losses(made.program(tree)), losses(apart.program(tree))):
        gradient = ms.grad(f, 0, made.weight)
        eager = [g.asnumpy() for g in run(gradient)]
        stored = made.weight.asnumpy().copy()
        check(same, eager)
        captured = run(ms.jit(gradient))
        np.testing.assert_allclose(made.weight.asnumpy(), stored, rtol=1e-12)
        for got, want in zip(captured, eager):
            np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-10, atol=1e-11 * (1 + np.abs(want).max()))
