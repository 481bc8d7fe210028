"""How Cells show themselves: repr as MindSpore's, the folded tree of a notebook, and the table of summary(), by numbers
counted by hand; nothing of the Cell changes for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn
from emberjit.printing.values import short


class Block(nn.Cell):
    """A block of a small ResNet, from 4 channels to 8, half as wide and high."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(4, 8, 3, stride=2, pad_mode="pad", padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(8, 8, 3)
        self.bn2 = nn.BatchNorm2d(8)
        self.down = nn.SequentialCell(nn.Conv2d(4, 8, 1, stride=2), nn.BatchNorm2d(8))

    def construct(self, x: Any) -> Any:
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + self.down(x))


class JittedBlock(Block):
    """The same, jitted."""

    @ms.jit
    def construct(self, x: Any) -> Any:
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + self.down(x))


class Shared(nn.Cell):
    """One layer under two names, and a layer that is not called."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Dense(3, 3)
        self.again = self.first
        self.last = nn.Dense(3, 4, has_bias=False)
        self.unused = nn.Dense(7, 7)
        self.scale = Parameter(Tensor(np.ones(4, np.float32)), name="scale", requires_grad=False)

    def construct(self, x: Any) -> Any:
        return self.last(self.again(self.first(x))) * self.scale


class Noisy(nn.Cell):
    """Draws random numbers, writes a Parameter, changes a list and a number of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = Parameter(Tensor(np.zeros(1, np.float32)), name="steps")
        self.seen: list[Any] = []
        self.count = 0

    def construct(self, x: Any) -> Any:
        self.seen.append(x.shape)
        self.count += 1
        ms.ops.assign(self.steps, self.steps + 1)
        return x + ms.ops.standard_normal(x.shape)


class Named(nn.Cell):
    """Has an inner Cell of the name of a method that MindSpore's Cell lacks."""

    def __init__(self) -> None:
        super().__init__()
        self.summary = nn.Dense(3, 2)

    def construct(self, x: Any) -> Any:
        return self.summary(x)


REPRS = {
    "a layer": (lambda: nn.Dense(3, 2), "Dense(input_channels=3, output_channels=2, has_bias=True)"),
    "nothing to tell": (nn.ReLU, "ReLU()"),
    "a tree": (
        lambda: nn.SequentialCell(nn.SequentialCell(nn.ReLU()), nn.Tanh()),
        "SequentialCell(\n  (0): SequentialCell(\n    (0): ReLU()\n  )\n  (1): Tanh()\n)",
    ),
    "half made": (lambda: nn.Cell.__new__(Block), "Block()"),
}


@pytest.mark.parametrize(("make", "want"), REPRS.values(), ids=REPRS.keys())
def test_repr(make: Any, want: str) -> None:
    assert repr(make()) == want


BLOCK = """
layer                   output        Parameters  multiply-adds
---------------------------------------------------------------
Block                   (2, 8, 4, 4)
  conv1: Conv2d         (2, 8, 4, 4)         288          9,216
  bn1: BatchNorm2d      (2, 8, 4, 4)          32
  relu: ReLU            (2, 8, 4, 4)
  conv2: Conv2d         (2, 8, 4, 4)         576         18,432
  bn2: BatchNorm2d      (2, 8, 4, 4)          32
  down: SequentialCell  (2, 8, 4, 4)
    0: Conv2d           (2, 8, 4, 4)          32          1,024
    1: BatchNorm2d      (2, 8, 4, 4)          32
  relu: ReLU            (2, 8, 4, 4)
---------------------------------------------------------------
Parameters: 992 (944 trained, 48 not), 0.00378 MB
multiply-adds: 28,672
"""
LSTM = """
layer  output                           Parameters  multiply-adds
-----------------------------------------------------------------
LSTM   (5, 2, 8), (2, 2, 4), (2, 2, 4)         288          2,240
-----------------------------------------------------------------
Parameters: 288 (288 trained, 0 not), 0.0011 MB
multiply-adds: 2,240
"""
SHARED = """
layer           output  Parameters  multiply-adds
-------------------------------------------------
Shared          (2, 4)           4
  first: Dense  (2, 3)          12             18
  first: Dense  (2, 3)      shared             18
  last: Dense   (2, 4)          12             24
-------------------------------------------------
Parameters: 84 (80 trained, 4 not), 0.00032 MB
multiply-adds: 60
not called: unused
"""
# The Cell, the arguments of summary, and the table. Multiply-adds by hand: of the block's convolutions 2 * 4 * 4 places by
# 8 * 4 * 9, 8 * 8 * 9 and 8 * 4 weights; of the LSTM 5 * 2 steps by two directions of 16 * (3 + 4) weights.
TABLES = {
    "a block": (Block, [(2, 4, 8, 8)], BLOCK),
    "a jitted block": (JittedBlock, [(2, 4, 8, 8)], BLOCK.replace("\nBlock      ", "\nJittedBlock")),
    "an LSTM": (lambda: nn.LSTM(3, 4, bidirectional=True), [[5, 2, 3]], LSTM),
    "shared layers": (Shared, [Tensor(np.ones((2, 3), np.float32))], SHARED),
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize(("make", "inputs", "want"), TABLES.values(), ids=TABLES.keys())
def test_summary(make: Any, inputs: list[Any], want: str, mode: int) -> None:
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        summary = make().summary(*inputs)
    finally:
        ms.set_context(mode=before)
    assert str(summary) == repr(summary) == want.strip("\n")
    assert f"<pre>{str(summary).rpartition('--')[2].strip(chr(10))}</pre>" in summary._repr_html_()


def test_summary_has_fields() -> None:
    summary = Shared().summary((2, 3))
    assert (summary.name, summary.parameters, summary.trained, summary.multiply_adds) == ("Shared", 84, 80, 60)
    assert summary.megabytes == 84 * 4 / 2**20 and summary.not_called == ("unused",)
    second = summary.calls[2]
    assert (second.path, second.layer, second.depth, second.first) == ("first", "Dense", 1, False)
    assert (second.output, second.parameters, second.multiply_adds) == (((2, 3),), 12, 18)


MULTIPLY_ADDS = {  # by layer, its input and what is counted by hand
    "a convolution in groups": (nn.Conv2d(4, 8, 3, group=2, pad_mode="valid"), (1, 4, 5, 5), 9 * 8 * 2 * 9),
    "one axis": (nn.Conv1d(2, 3, 3, pad_mode="valid"), (1, 2, 6), 4 * 3 * 2 * 3),
    "three axes": (nn.Conv3d(1, 2, 2, pad_mode="valid"), (1, 1, 3, 3, 3), 8 * 2 * 8),
    "transposed": (nn.Conv2dTranspose(2, 3, 2, stride=2, pad_mode="valid"), (1, 2, 4, 4), 16 * 2 * 3 * 4),
    "leading axes": (nn.Dense(3, 5), (2, 7, 3), 14 * 15),
    "a GRU of two layers": (nn.GRU(3, 4, num_layers=2), (5, 2, 3), 10 * 12 * (3 + 4 + 4 + 4)),
    "what is not known": (nn.ReLU(), (3,), 0),
}


@pytest.mark.parametrize(("layer", "shape", "want"), MULTIPLY_ADDS.values(), ids=MULTIPLY_ADDS.keys())
def test_multiply_adds(layer: Any, shape: tuple[int, ...], want: int) -> None:
    assert layer.summary(shape).multiply_adds == want


class Wider(nn.Cell):
    """Gives more in training."""

    def construct(self, x: Any) -> Any:
        return ms.ops.concat((x, x)) if self.training else x


def test_summary_is_of_inference() -> None:
    assert Wider().set_train().summary((2, 3)).calls[0].output == ((2, 3),)


def of_an_instance() -> Block:
    """A block whose own construct was jitted."""
    cell = Block()
    cell.construct = ms.jit(cell.construct)
    return cell


class StrictBlock(Block):
    """All of it must enter a graph."""

    @ms.jit(fullgraph=True)
    def construct(self, x: Any) -> Any:
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + self.down(x))


@pytest.mark.parametrize("make", [JittedBlock, of_an_instance, StrictBlock])
def test_graphs_that_there_are_do_not_hide_layers(make: Any) -> None:
    cell = make()
    for _ in range(2):
        cell(Tensor(np.ones((2, 4, 8, 8), np.float32)))
    jitted = getattr(cell.construct, "__func__", cell.construct)
    before = jitted.explain()["calls"]
    assert len(cell.summary((2, 4, 8, 8)).calls) == 10 and jitted.explain()["calls"] == before


def state_of(cell: Any) -> list[Any]:
    """All that summary() could change."""
    cells = [(path, one.training, one.phase, one._version, one._jitted) for path, one in cell.cells_and_names()]
    values = [parameter.asnumpy().tobytes() for parameter in cell.get_parameters()]
    own = [sorted(one.__dict__) for _, one in cell.cells_and_names()]
    return [cells, values, own, ms.get_rng_state().tolist(), [parameter.name for parameter in cell.get_parameters()]]


@pytest.mark.parametrize("make", [Block, JittedBlock, Noisy, Shared])
def test_summary_changes_nothing(make: Any) -> None:
    cell, calls = make(), []
    cell.set_train()
    cell.register_forward_hook(lambda cell, inputs, output: calls.append(id(cell)))
    before = state_of(cell)
    shape = (2, 4, 8, 8) if isinstance(cell, Block) else (2, 3)
    cell.summary(shape)
    with pytest.raises(ValueError, match=r"For 'Cell.summary', the layer" if make is not Noisy else r"negative"):
        cell.summary((2, 5, 8, 8) if make is not Noisy else (-1,))
    assert state_of(cell) == before
    assert set(calls) & {id(cell)} == set() and len(calls) == 1, "the hook is the copy's"
    if isinstance(cell, Noisy):
        assert (cell.seen, cell.count) == ([], 0)


ERRORS = {
    "a layer within": (Block, [(2, 3, 8, 8)], ValueError, r"the layer 'conv1' \(Conv2d\) does not take \(2, 3, 8, 8\): For"),
    "a path": (
        lambda: nn.SequentialCell(nn.ReLU(), nn.SequentialCell(nn.Dense(3, 2), nn.Dense(3, 2))),
        [(4, 3)],
        ValueError,
        r"the layer '1\.1' \(Dense\) does not take \(4, 2\): .*last axis",
    ),
    "itself": (lambda: nn.Dense(3, 2), [(4, 2)], ValueError, r"the layer 'Dense' itself does not take \(4, 2\)"),
    "too many": (nn.ReLU, [(2,), (2,)], ValueError, r"the layer 'ReLU' itself does not take \(2,\), \(2,\): .*positional"),
    "no shape": (nn.ReLU, [3], TypeError, r"each argument must be a shape, as \(1, 3, 224, 224\), or a Tensor, but got 3"),
    "a bool": (nn.ReLU, [(True,)], TypeError, "each argument must be a shape"),
    "negative": (nn.ReLU, [(2, -1)], ValueError, r"sizes must not be negative, but got \(2, -1\)"),
}


@pytest.mark.parametrize(("make", "inputs", "kind", "text"), ERRORS.values(), ids=ERRORS.keys())
def test_summary_refuses(make: Any, inputs: list[Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make().summary(*inputs)


def test_what_cannot_be_copied_is_refused() -> None:
    cell = nn.ReLU()
    cell.file = (number for number in range(3))
    with pytest.raises(TypeError, match=r"For 'Cell.summary', 'ReLU' cannot be copied: .*generator"):
        cell.summary((2,))


def test_an_inner_cell_may_be_called_summary() -> None:
    cell, x = Named(), Tensor(np.ones((2, 3), np.float32))
    assert cell(x).shape == ms.jit(cell)(x).shape == (2, 2)
    assert nn.Cell.summary(cell, (2, 3)).parameters == 8 and isinstance(cell.summary, nn.Dense)
    cell.register_buffer("other", x)
    with pytest.raises(KeyError, match="another attribute 'other'"):
        cell.insert_child_to_cell("other", nn.ReLU())


class Escaped(nn.Cell):
    """Tells something that is no HTML."""

    def extend_repr(self) -> str:
        return "<b>&\"'"


class Fails(nn.Cell):
    """Tells fields that it has not set yet."""

    def extend_repr(self) -> str:
        return str(self.width)


def tied() -> nn.Cell:
    """Two Cells with one weight."""
    cell = nn.SequentialCell(nn.Dense(3, 3, has_bias=False), nn.Dense(3, 3, has_bias=False))
    cell[1].weight = cell[0].weight
    return cell


def looped() -> nn.Cell:
    """A Cell within itself."""
    cell = nn.ReLU()
    cell._cells["inner"] = cell
    return cell


TREES = {
    "a name": (
        lambda: nn.SequentialCell(nn.Dense(3, 2)),
        [
            "<details open><summary><code>SequentialCell(): 8 in Parameters</code></summary>",
            "<details><summary><code>(0): Dense(input_channels=3, output_channels=2, has_bias=True): 8 in Parameters</code>",
            'white-space:pre">weight</td>',
            'white-space:pre">(2, 3)</td>',
        ],
    ),
    "escaped": (Escaped, ["<div><code>Escaped(&lt;b&gt;&amp;&quot;&#x27;)</code></div>"]),
    "counted once": (Shared, ["Shared(): 84 in Parameters", "Parameter, not trained"]),
    "a Parameter of two Cells": (tied, ["<code>SequentialCell(): 9 in Parameters</code>"]),
    "half made": (lambda: nn.Cell.__new__(Block), ["<div><code>Block()</code></div>"]),
    "fields not set": (Fails, ["<div><code>Fails(...)</code></div>"]),
    "within itself": (looped, ["<code>(inner): ReLU(...)</code>"]),
}


@pytest.mark.parametrize(("make", "parts"), TREES.values(), ids=TREES.keys())
def test_tree(make: Any, parts: list[str]) -> None:
    html = make()._repr_html_()
    assert [part for part in parts if part not in html] == []
    assert "<b>" not in html and "color" not in html and "http" not in html


class Watched(Parameter):
    """A Parameter whose elements nobody may read."""

    def refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("the elements of a Parameter are read")

    asnumpy = __array__ = item = tolist = __repr__ = __str__ = value = copy = refuse


def test_texts_read_no_elements() -> None:
    cell = nn.Dense(3, 2)
    cell.weight = Watched(Tensor(np.ones((2, 3), np.float32)), name="weight")
    assert "Dense" in repr(cell) and "(2, 3)" in cell._repr_html_()
    assert short(cell.weight) == "Watched(shape=[2, 3], dtype=Float32)"
    assert repr(nn.SGD([cell.weight])) == "SGD(learning_rate=0.1, 1 Parameter of 6 elements)"
