"""Gradients of every op of the table, by its samples in float64, to second order against finite differences: eager, and
captured as eager.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from references import NO_GRADIENT
from test_table import EPSILON, arguments_of, made, results

import emberjit as ms
from emberjit import Tensor
from emberjit import _emberjit as core

STEP = 1e-5
# A central difference errs by STEP^2 times the third derivative, and by rounding over STEP: about 1e-10 and 1e-11 of the
# sizes at hand.
TOLERANCE = 1e-6


class Sampled:
    """One sample of an op as a function of its floating-point Tensors in float64: the sum of its results times weights."""

    def __init__(self, name: str, sample: Any, seed: int, tensors_only: bool = False):
        self.op = core.op_table[name]
        operands, attributes, lists = sample
        rng = np.random.default_rng(seed)
        self.operands = [self._float64(made(operand, rng)) for operand in operands]
        if tensors_only:
            self.operands = [Tensor(np.float64(x)) if type(x) in (int, float) else x for x in self.operands]
        self.attributes, self.lists = attributes, lists
        self.moving = [i for i, x in enumerate(self.operands) if isinstance(x, Tensor) and x.dtype == ms.float64 and x.size]
        self.keys = core.RandomKeys()
        out = self._call(self.operands)
        self.counts = [isinstance(part, Tensor) and part.dtype == ms.float64 for part in out]
        self.fits = (
            bool(self.moving)
            and any(self.counts)
            and all(c or not self._is_float(part) for c, part in zip(self.counts, out))
        )
        self.weights = [Tensor(rng.uniform(-1, 1, p.shape)) if c else None for c, p in zip(self.counts, out)]

    @staticmethod
    def _is_float(value: Any) -> bool:
        return isinstance(value, Tensor) and value.dtype in EPSILON

    def _float64(self, value: Any) -> Any:
        return value.astype(ms.float64) if self._is_float(value) else value

    def _call(self, operands: list[Any]) -> list[Any]:
        arguments = arguments_of(self.op.__name__, operands, self.attributes, self.lists)
        with self.keys:
            return results(self.op(**arguments))

    def loss(self, *moved: Any) -> Any:
        operands = list(self.operands)
        for i, x in zip(self.moving, moved):
            operands[i] = x
        total: Any = 0.0
        for part, weight in zip(self._call(operands), self.weights):
            if weight is not None:
                total = total + (part * weight).sum()
        return total

    def smooth(self, rng: np.random.Generator) -> bool:
        """Whether there is a value, and no jump, next to the start."""
        moved = [self.loss(*(Tensor(x + sign * STEP * rng.random(x.shape)) for x in self.start())) for sign in (-1, 1)]
        return bool(abs(float(moved[1] - moved[0])) < 1e-2)

    def start(self) -> list[np.ndarray]:
        return [self.operands[i].asnumpy() for i in self.moving]


def check(f: Callable[..., Any], start: list[np.ndarray], rng: np.random.Generator) -> None:
    """The gradient of f against its slope in random directions."""
    everything = tuple(range(len(start)))
    gradients = results(ms.grad(f, everything)(*map(Tensor, start)))
    for _ in range(2):
        direction = [rng.uniform(-1, 1, x.shape) for x in start]
        moved = [f(*(Tensor(x + s * STEP * d) for x, d in zip(start, direction))).item() for s in (1, -1)]
        measured = (moved[0] - moved[1]) / (2 * STEP)
        claimed = sum(float((g.asnumpy() * d).sum()) for g, d in zip(gradients, direction))
        size = 1 + abs(measured) + max(map(abs, moved))
        assert abs(claimed - measured) <= TOLERANCE * size, (claimed, measured)


DIFFERENTIABLE = [
    name
    for name, op in core.op_table.items()
    if op.flags["differentiable"] and not op.flags["effect"] and name not in NO_GRADIENT
]


def sampled(name: str) -> list[Sampled]:
    made = [Sampled(name, sample, seed) for seed, sample in enumerate(core.samples(name))]
    return [one for one in made if one.fits]


def contracted(one: Sampled, rng: np.random.Generator, loss: Any = None) -> Callable[..., Any]:
    """The gradients times random directions, summed: a scalar whose gradient is of second order."""
    directions = [Tensor(rng.uniform(-1, 1, x.shape)) for x in one.start()]
    first = ms.grad(loss or one.loss, tuple(range(len(directions))))

    def f(*moved: Any) -> Any:
        total: Any = 0.0
        for gradient, direction in zip(results(first(*moved)), directions):
            total = total + (gradient * direction).sum()
        return total

    return f


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_first_and_second_order_are_slopes(name: str) -> None:
    for seed, one in enumerate(sampled(name)):
        rng = np.random.default_rng(100 + seed)
        check(one.loss, one.start(), rng)
        check(contracted(one, rng), one.start(), rng)


@pytest.mark.parametrize(
    "name", [name for name in DIFFERENTIABLE if "number" in {kind for _, kind, *_ in core.op_table[name].params}]
)
def test_numbers_may_be_tensors(name: str) -> None:
    """An operand that a sample gives as Python's number has a gradient where it is a Tensor."""
    for seed, sample in enumerate(core.samples(name)):
        one = Sampled(name, sample, seed, tensors_only=True)
        rng = np.random.default_rng(200 + seed)
        if one.fits and one.smooth(rng):
            check(one.loss, one.start(), rng)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_captured_gradients_are_eagers(name: str) -> None:
    for seed, one in enumerate(sampled(name)[:4]):
        everything = tuple(range(len(one.moving)))
        f = ms.grad(contracted(one, np.random.default_rng(seed)), everything)
        of_jitted = ms.grad(contracted(one, np.random.default_rng(seed), ms.jit(one.loss)), everything)
        start = [Tensor(x) for x in one.start()]
        wanted = results(f(*start))
        for found in (results(ms.jit(f)(*start)), results(of_jitted(*start))):
            for got, want in zip(found, wanted):
                # sums of cotangents are grouped by graph
                scale = np.abs(want.asnumpy()).max(initial=1)
                np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-12, atol=1e-13 * scale)
