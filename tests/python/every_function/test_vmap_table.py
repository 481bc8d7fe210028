"""Every op of the table under vmap, by its samples: with equal bits what the slices give one by one, for batches along any
axis, of one slice and of none, and for batches of batches."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from test_table import OPERANDS, exact, made, results

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import _emberjit as core

NAMES = [name for name, op in core.op_table.items() if not op.flags["effect"]]
DRAWN = {name for name in NAMES if any(parameter[0] == "seed" for parameter in core.op_table[name].params)}


class Call:
    """A sample: the op as a function of a flat list of operands, and operands of any slice of a batch."""

    def __init__(self, name: str, operands: Any, attributes: dict[str, Any], lists: list[int]):
        self.op, self.operands, self.attributes, self.lists = core.op_table[name], operands, attributes, lists
        self.tensors = [i for i, operand in enumerate(operands) if not operand["scalar"] and not operand["absent"]]

    def __call__(self, *values: Any) -> Any:
        following, counts, arguments = iter(values), iter(self.lists), {}
        for parameter, kind, _, _, default in self.op.params:
            if kind == "tensors":
                arguments[parameter] = [next(following) for _ in range(next(counts))]
            elif kind in OPERANDS:
                arguments[parameter] = next(following, default)
            elif parameter != "seed":
                arguments[parameter] = self.attributes.get(parameter, default)
        return self.op(**arguments)

    def operand(self, i: int, slot: int) -> Any:
        """Operand i as slice `slot` has it."""
        return made(self.operands[i], np.random.default_rng([i, slot]))


def samples(name: str) -> Iterator[Call]:
    for operands, attributes, lists in core.samples(name):
        call = Call(name, operands, attributes, lists)
        if call.tensors:
            yield call


def same(got: Any, want: list[Any], axis: int, name: str) -> None:
    """The result of a batch, against those of its slices."""
    columns = list(zip(*(results(part) for part in want)))
    for g, column in zip(results(got), columns, strict=True):
        if not isinstance(column[0], Tensor):
            column = [Tensor(item) for item in column]
        assert g.dtype == column[0].dtype
        together = np.stack([exact(item) for item in column], axis)
        assert g.shape == together.shape
        if name not in DRAWN:
            np.testing.assert_array_equal(exact(g), together)


def batch(parts: list[Any], axis: int) -> Any:
    return ops.stack(parts, axis)


@pytest.mark.parametrize("name", NAMES)
def test_like_a_loop(name: str) -> None:
    for call in samples(name):
        masks = [m for n in range(1, len(call.tensors) + 1) for m in itertools.combinations(call.tensors, n)]
        for number, mask in enumerate(masks):
            axes = {i: (0, -1, 1, -2)[(number + i) % 4] % (1 + len(call.operands[i]["shape"])) for i in mask}
            out, size = (0, -1)[number % 2], (3, 1)[number % 3 == 2]
            slices = [[call.operand(i, n if i in mask else 0) for i in range(len(call.operands))] for n in range(size)]
            together = [
                batch([part[i] for part in slices], axes[i]) if i in mask else value for i, value in enumerate(slices[0])
            ]
            got = ms.vmap(call, tuple(axes.get(i) for i in range(len(together))), out)(*together)
            same(got, [call(*part) for part in slices], out, name)


@pytest.mark.parametrize("name", NAMES)
def test_batches_of_batches(name: str) -> None:
    for call in samples(name):
        outer = [i for n, i in enumerate(call.tensors) if n % 3 != 1]
        inner = [i for n, i in enumerate(call.tensors) if n % 3 != 2]
        count = len(call.operands)

        def operands(o: int, n: int) -> list[Any]:
            return [call.operand(i, 2 * (n if i in inner else 0) + (o if i in outer else 0)) for i in range(count)]

        rows = [[operands(o, n) for n in range(3)] for o in range(2)]
        given = []
        for i in range(count):
            columns = [batch([part[i] for part in row], -1) if i in inner else row[0][i] for row in rows]
            given.append(batch(columns, 0) if i in outer else columns[0])
        by_row = ms.vmap(call, tuple(-1 if i in inner else None for i in range(count)))
        got = ms.vmap(by_row, tuple(0 if i in outer else None for i in range(count)), 1)(*given)
        assert results(got)[0].shape[:2] == (3, 2)
        for o, row in enumerate(rows):
            same([part[:, o] for part in results(got)], [call(*part) for part in row], 0, name)


@pytest.mark.parametrize("name", NAMES)
def test_batches_of_nothing(name: str) -> None:
    for call in samples(name):
        values = [call.operand(i, 0) for i in range(len(call.operands))]
        empty = [batch([value], 0)[:0] if i in call.tensors else value for i, value in enumerate(values)]
        got = ms.vmap(call, tuple(0 if i in call.tensors else None for i in range(len(values))))(*empty)
        for part, single in zip(results(got), results(call(*values)), strict=True):
            shape = single.shape if isinstance(single, Tensor) else ()
            assert part.shape == (0, *shape)
