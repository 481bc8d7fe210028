"""Trains a small residual network on folders of PNG files, one a class, in mixed precision and a step of one's own.

Makes the folders itself: discs, squares and lines of any colour, size and place on noise. Shows `ImageFolderDataset`
with transforms in workers, `amp.auto_mixed_precision` with a loss scale that adapts itself, and a training step that is
written out, one graph of `jit`. On several processes (`tools/launch -n 2 python/examples/resnet_image_folders.py`) each
trains on its part of the pictures. Takes 15 seconds on two cores; the last lines are

    steps: first 152 ms, later 45 ms (median)
    accuracy: 1.0000
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from PIL import Image, ImageDraw

import emberjit as ms
import emberjit.dataset as ds
from emberjit import Tensor, amp, nn, ops
from emberjit.communication import get_group_size, get_rank, init
from emberjit.dataset import vision

SHAPES = ("disc", "line", "square")
SIZE = 32


def drawn(shape: str, rng: np.random.Generator) -> Image.Image:
    """A picture of a shape."""
    image = Image.fromarray(rng.integers(0, 160, (SIZE, SIZE, 3), np.uint8))
    r = int(rng.integers(6, 11))
    x, y = rng.integers(r, SIZE - r, 2).tolist()
    box = (x - r, y - r, x + r, y + r)
    colour = tuple(rng.integers(90, 256, 3).tolist())
    pen = ImageDraw.Draw(image)
    line = lambda box, fill: pen.line(box, fill, width=5)
    {"disc": pen.ellipse, "line": line, "square": pen.rectangle}[shape](box, fill=colour)
    return image


def make_folders(root: Path, count: int, seed: int) -> Path:
    """Writes `count` files into a folder for each shape; returns where these are."""
    rng = np.random.default_rng(seed)
    for shape in SHAPES:
        (root / shape).mkdir(parents=True)
        for i in range(count):
            drawn(shape, rng).save(root / shape / f"{i:04}.png")
    return root


def pipeline(folder: Path, batch: int, augment: bool) -> ds.Dataset:
    """Batches of images (batch, 3, 32, 32) of float32 with their classes."""
    part = {"num_shards": get_group_size(), "shard_id": get_rank()} if augment else {}
    data = ds.ImageFolderDataset(str(folder), num_parallel_workers=2, shuffle=augment, decode=True, **part)
    steps = [vision.Normalize([96.0] * 3, [64.0] * 3), vision.HWC2CHW()]
    if augment:
        steps = [vision.RandomHorizontalFlip(), vision.RandomCrop(SIZE, padding=2), *steps]
    return data.map(steps, "image", num_parallel_workers=2).batch(batch, drop_remainder=augment)


def convolution(channels: int, out: int, size: int, stride: int = 1) -> nn.SequentialCell:
    """A convolution with batch normalisation."""
    return nn.SequentialCell(nn.Conv2d(channels, out, size, stride), nn.BatchNorm2d(out))


class BasicBlock(nn.Cell):
    """Two convolutions, to whose result the input is added."""

    def __init__(self, channels: int, out: int, stride: int) -> None:
        super().__init__()
        self.first = convolution(channels, out, 3, stride)
        self.second = convolution(out, out, 3)
        self.shortcut = nn.Identity() if channels == out else convolution(channels, out, 1, stride)

    def construct(self, x: Tensor) -> Tensor:
        return ops.relu(self.second(ops.relu(self.first(x))) + self.shortcut(x))


class ResNet(nn.Cell):
    """A basic block for each number of channels, each but the first at half the resolution before it."""

    def __init__(self, channels: tuple[int, ...], classes: int) -> None:
        super().__init__()
        self.stem = convolution(3, channels[0], 3)
        pairs = zip((channels[0], *channels), channels)
        self.stages = nn.SequentialCell([BasicBlock(before, out, 1 if before == out else 2) for before, out in pairs])
        self.classifier = nn.Dense(channels[-1], classes)

    def construct(self, x: Tensor) -> Tensor:
        return self.classifier(self.stages(ops.relu(self.stem(x))).mean((2, 3)))


def main(arguments: list[str] | None = None) -> float:
    """Trains, and returns the accuracy over pictures that were not trained with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 3 epochs of fewer pictures")
    options = parser.parse_args(arguments)
    epochs, count = (3, 96) if options.small else (options.epochs, 300)
    init()
    show = print if get_rank() == 0 else lambda text: None
    ms.set_seed(1)
    net = amp.auto_mixed_precision(ResNet((16, 32, 64), len(SHAPES)), "O2")
    scaler = amp.DynamicLossScaler(scale_value=2**12, scale_factor=2, scale_window=100)
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9, weight_decay=1e-4, use_nesterov=True)
    reducer = nn.DistributedGradReducer(optimizer.parameters, mean=True)

    forward = lambda images, labels: scaler.scale(loss_fn(net(images), labels))
    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(images: Tensor, labels: Tensor) -> Tensor:
        scaled, gradients = gradient(images, labels)
        gradients = reducer(gradients)
        finite = amp.all_finite(gradients)
        if finite:
            optimizer(scaler.unscale(gradients))
        loss = scaler.unscale(scaled)
        scaler.adjust(finite)
        return loss

    predict = ms.jit(lambda images: net(images).argmax(1))
    times = []
    with tempfile.TemporaryDirectory() as folder:
        train_data = pipeline(make_folders(Path(folder, "train"), count, 1), 32, True)
        test_data = pipeline(make_folders(Path(folder, "test"), count // 4, 2), 100, False)
        for epoch in range(epochs):
            net.set_train()
            losses = []
            for images, labels in train_data.create_tuple_iterator():
                start = time.perf_counter()
                losses.append(float(step(images, labels)))
                times.append((time.perf_counter() - start) * 1e3)
            net.set_train(False)
            right = [(predict(images) == labels).asnumpy() for images, labels in test_data.create_tuple_iterator()]
            accuracy = float(np.concatenate(right).mean())
            show(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, accuracy {accuracy:.4f}")
    show(f"steps: first {times[0]:.0f} ms, later {median(times[1:]):.0f} ms (median)\naccuracy: {accuracy:.4f}")
    return accuracy


if __name__ == "__main__":
    main()
