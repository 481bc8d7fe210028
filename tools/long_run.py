"""Does for a given time what programs do for days, and fails if what the process holds keeps growing.

Rounds go through all parts: a network of convolutions trained by Model with workers, an LSTM over sequences of changing
lengths, a transformer trained by hand, jitted functions of changing numbers and shapes or made anew, checkpoints, pipelines
left in the middle, eager code. What the process holds is measured between rounds, after garbage is collected, so that all
samples are of the same moment. The first tenth of the time, and the first rounds, are for warming up. Of what follows, a
line through the least of each block of samples says what an hour adds: more than its bound by twice the line's standard
error is a failure, if within the run the line also rises by more than a single change may.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops, runtime, train
from emberjit import dataset as ds

BLOCKS = 20
WARM, LEAST = 10, 12  # rounds before anything is measured; samples that a line needs
RANDOM = np.random.default_rng(1)
Part = Iterator[None]


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


def finite(loss: Any) -> None:
    if not np.isfinite(float(loss)):
        raise RuntimeError(f"a loss is {float(loss)}")


def trained(net: nn.Cell, loss: Callable[..., Any], rate: float) -> Any:
    """A jitted step of Adam: of the loss's arguments to its value."""
    optimizer = nn.Adam(net.trainable_params(), rate)
    gradient = ms.value_and_grad(loss, None, optimizer.parameters)

    @ms.jit
    def step(*args: Any) -> Any:
        value, gradients = gradient(*args)
        optimizer(gradients)
        return value

    return step


def turned(image: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(image[:, :, ::-1] if np.random.random() < 0.5 else image)


def images(count: int) -> ds.Dataset:
    """Batches of made-up images and their classes, by worker processes."""
    rows = [floats(3, 12, 12) for _ in range(count)], [np.int32(i % 4) for i in range(count)]
    source = ds.GeneratorDataset(list(zip(*rows)), ["image", "label"], shuffle=True, num_parallel_workers=2)
    source = source.map(turned, "image", num_parallel_workers=2, python_multiprocessing=True)
    return source.batch(8)


def convolutions(folder: Path) -> Part:
    """Model.train on batches that worker processes make, with checkpoints of which three are kept."""
    net = nn.SequentialCell(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(288, 4)
    )
    model = ms.Model(net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.01, 0.9), {"loss"})
    kept = train.ModelCheckpoint("net", str(folder / "kept"), train.CheckpointConfig(2, keep_checkpoint_max=3))
    while True:
        model.train(1, images(32), callbacks=[kept])
        finite(model.eval(images(16))["loss"])
        ms.load_param_into_net(net, ms.load_checkpoint(kept.latest_ckpt_file_name))
        yield


def recurrence(folder: Path) -> Part:
    """An LSTM over sequences of all lengths up to 12."""
    net, last = nn.LSTM(6, 12), nn.Dense(12, 1)
    both = nn.CellList([net, last])
    step = trained(both, lambda x, y: ((last(net(x)[0][-1]) - y) ** 2).mean(), 1e-3)
    while True:
        for length in RANDOM.integers(1, 13, 6):
            finite(step(Tensor(floats(int(length), 4, 6)), Tensor(floats(4, 1))))
        yield


class Block(nn.Cell):
    """Causal attention and a layer between two norms."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.joint, self.out = heads, nn.Dense(width, 3 * width), nn.Dense(width, width)
        self.first, self.second = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.wide, self.narrow, self.dropout = nn.Dense(width, 2 * width), nn.Dense(2 * width, width), nn.Dropout(p=0.1)

    def construct(self, x: Any) -> Any:
        batch, length, width = x.shape
        q, k, v = ops.chunk(self.joint(self.first(x)).reshape(batch, length, self.heads, -1).swapaxes(1, 2), 3, -1)
        scores = ops.matmul(q, k.swapaxes(-1, -2)) / (width // self.heads) ** 0.5
        scores = scores + ops.triu(ops.full((length, length), -1e9), 1)
        x = x + self.out(ops.matmul(ops.softmax(scores), v).swapaxes(1, 2).reshape(batch, length, width))
        return x + self.dropout(self.narrow(ops.gelu(self.wide(self.second(x)))))


def transformer(folder: Path) -> Part:
    """Next words by two blocks, whose gradients and optimizer are called by hand."""
    net = nn.SequentialCell(nn.Embedding(50, 16), Block(16, 2), Block(16, 2), nn.Dense(16, 50)).set_train()
    loss = nn.CrossEntropyLoss()
    step = trained(net, lambda words: loss(net(words[:, :-1]).reshape(-1, 50), words[:, 1:].reshape(-1)), 1e-3)
    while True:
        for _ in range(4):
            finite(step(Tensor(RANDOM.integers(0, 50, (4, int(RANDOM.integers(8, 16)))).astype(np.int32))))
        yield


def numbers_and_shapes(folder: Path) -> Part:
    """Jitted functions of numbers and shapes that change all the time, one of more shapes than there may be specialisations;
    others that are made, called and dropped."""
    state = {"factor": 1.0}

    @ms.jit
    def scaled(x: Any, n: int, p: float) -> Any:
        return (x * n + p).sum() * state["factor"]

    @ms.jit
    def in_parts(x: Any, n: int) -> Any:
        return x * float((x * n).sum())

    @ms.jit
    def of_any_length(x: Any) -> Any:
        return ops.tanh(x * 2 + 1)

    while True:
        for length in RANDOM.integers(1, 5000, 200):
            of_any_length(Tensor(floats(int(length))))
        for _ in range(20):
            x = Tensor(floats(*RANDOM.integers(1, 4, RANDOM.integers(1, 3)).tolist()))
            state["factor"] = float(RANDOM.random())
            scaled(x, int(RANDOM.integers(1 << 40)), float(RANDOM.random()))
            in_parts(x, int(RANDOM.integers(1 << 40)))
        for by in RANDOM.random(4).tolist():
            net = nn.SequentialCell(nn.Dense(4, 4), nn.Tanh())
            function = ms.jit(lambda x, net=net, by=by: ops.exp(net(x) * by).sum())
            for _ in range(3):
                ms.jit(ms.grad(function))(Tensor(floats(3, 4)))
        yield


def checkpoints(folder: Path) -> Part:
    """Parameters written and read, in both forms, and a training stored and gone on with."""
    net = nn.SequentialCell(nn.Dense(40, 60), nn.Dense(60, 4))
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    while True:
        for name in ("net.ckpt", "net.safetensors"):
            net[0].weight[0] = float(RANDOM.random())
            ms.save_checkpoint(net, str(folder / name), format=name.split(".")[1])
            read = ms.load_checkpoint(str(folder / name), format=name.split(".")[1])
            np.testing.assert_array_equal(read["0.weight"].asnumpy(), net[0].weight.asnumpy())
            ms.load_param_into_net(net, read)
        train.save_training(folder / "training.ckpt", net=net, optimizer=optimizer)
        train.load_training(folder / "training.ckpt", net=net, optimizer=optimizer)
        yield


def restarts(folder: Path) -> Part:
    """Pipelines begun and left, by threads and by processes, whose iterators are stopped or only forgotten."""

    def numbers() -> Iterator[tuple[np.ndarray]]:
        yield from ((np.full(5, i, np.float32),) for i in range(40))

    while True:
        for forked in (False, True):
            data = ds.GeneratorDataset(numbers, ["x"]).map(
                lambda x: x + 1, "x", num_parallel_workers=2, python_multiprocessing=forked
            )
            stopped = data.batch(3).create_tuple_iterator(num_epochs=1)
            next(stopped)
            stopped.stop()
            next(iter(data.shuffle(8).repeat(2).create_dict_iterator(num_epochs=1)))
        yield


def eager(folder: Path) -> Part:
    """What runs op by op: views and writes, gradients, errors, arrays that share memory."""
    weight = Parameter(Tensor(floats(64, 64)), name="weight")
    while True:
        for size in RANDOM.choice((2, 17, 64, 300), 10).tolist():
            x = Tensor(floats(size, 64))
            y = ops.matmul(x, weight).T[::2]
            y[y > 0] = 0.5
            slope = ms.grad(lambda x: (ops.tanh(ops.matmul(x, weight)) ** 2).sum())(x)
            weight[size % 64] = ops.sort(slope)[0][-1]
            shared = x.asnumpy()[1:]
            ops.stack([*Tensor(shared), x[0]])
            try:
                x.reshape(-1, 63, 2)
                ops.concat([x, y])
            except ValueError:
                pass
        yield


PARTS = (convolutions, recurrence, transformer, numbers_and_shapes, checkpoints, restarts, eager)


@dataclass
class Measure:
    """What is measured: the most that an hour may add, and what one change may."""

    read: Callable[[], float]
    an_hour: float
    at_once: float


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def graphs() -> float:
    """Entries and specialisations of all jitted functions that live."""
    kind = type(ms.jit(resident))
    entries = [entry for one in gc.get_objects() if type(one) is kind for entry in one.explain()["entries"]]
    return len(entries) + sum(len(entry["specialisations"]) for entry in entries)


def children() -> float:
    return sum(len(path.read_text().split()) for path in Path("/proc/self/task").glob("*/children"))


MEASURES = {
    "resident MiB": Measure(resident, 100, 24),
    "tensors KiB": Measure(lambda: runtime.memory_allocated() / 1024, 1024, 256),
    "graphs": Measure(graphs, 20, 10),
    "objects": Measure(lambda: len(gc.get_objects()), 10000, 2000),
    "descriptors": Measure(lambda: len(os.listdir("/proc/self/fd")), 2, 2),
    "threads": Measure(threading.active_count, 2, 2),
    "processes": Measure(children, 2, 2),
}


def floor(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least of each block of samples, and when it was."""
    blocks = np.array_split(np.arange(len(times)), min(BLOCKS, max(3, len(times) // 3)))
    at = [block[values[block].argmin()] for block in blocks]
    return times[at], values[at]


def growth(times: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    """The slope of the line through the floor by least squares, and its standard error, in units an hour."""
    t, v = floor(times, values)
    t, spread = t - t.mean(), ((t - t.mean()) ** 2).sum()
    v = v - v.mean()
    slope = (t * v).sum() / spread
    rest = v - slope * t
    return slope * 3600, ((rest**2).sum() / (len(t) - 2) / spread) ** 0.5 * 3600


def grows(measure: Measure, times: np.ndarray, values: np.ndarray) -> bool:
    slope, error = growth(times, values)
    rise = slope * (times[-1] - times[0]) / 3600
    return bool(slope - 2 * error > measure.an_hour and rise > measure.at_once)


def run(seconds: float, folder: Path) -> tuple[np.ndarray, dict[str, np.ndarray], int]:
    """Goes through rounds for that long; returns the samples' times, their values, and how many rounds there were."""
    parts = [part(folder) for part in PARTS]
    samples: list[tuple[float, ...]] = []  # which garbage collection does not count, as it would lists
    start, due, rounds = time.monotonic(), 0.0, 0
    while (now := time.monotonic() - start) < seconds or len(samples) < LEAST:
        for part in parts:
            next(part)
        rounds += 1
        if now >= max(due, seconds / 10) and rounds > WARM:
            due = now + seconds / 500
            gc.collect()
            samples.append((time.monotonic() - start, *(measure.read() for measure in MEASURES.values())))
    times, *columns = np.array(samples).T
    return times, dict(zip(MEASURES, columns)), rounds


def report(times: np.ndarray, curves: dict[str, np.ndarray], rounds: int) -> list[str]:
    """Prints a row for each measure; returns the names of those that grow."""
    grown = []
    print(f"{rounds} rounds in {times[-1]:.0f} s, {len(times)} samples once it was warm")
    print(f"{'':14}{'an hour adds':>22}{'at most':>9}  the least of each block of samples")
    for name, values in curves.items():
        measure = MEASURES[name]
        slope, error = growth(times, values)
        if grows(measure, times, values):
            grown.append(name)
        shown = " ".join(f"{value:g}" for value in floor(times, values)[1].round(1))
        told = f"{slope:.1f} +- {2 * error:.1f}"
        print(f"{name:14}{told:>22}{measure.an_hour:9g}  {shown}{'  GROWS' if name in grown else ''}")
    return grown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600, help="for how long (an hour)")
    ms.set_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        samples = run(parser.parse_args().seconds, Path(folder))
    grown = report(*samples)
    if grown:
        sys.exit(f"keeps growing: {', '.join(grown)}")


if __name__ == "__main__":
    main()
