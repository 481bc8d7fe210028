"""The training steps of bench_starts.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import emberjit as ms
from emberjit import nn


class Bottleneck(nn.Cell):
    """1 x 1, 3 x 3 and 1 x 1, around which the input goes."""

    def __init__(self, inputs: int, middle: int, stride: int):
        super().__init__()
        outputs = 4 * middle
        self.conv1, self.bn1 = nn.Conv2d(inputs, middle, 1), nn.BatchNorm2d(middle)
        self.conv2, self.bn2 = nn.Conv2d(middle, middle, 3, stride, "pad", 1), nn.BatchNorm2d(middle)
        self.conv3, self.bn3 = nn.Conv2d(middle, outputs, 1), nn.BatchNorm2d(outputs)
        self.relu, self.down = nn.ReLU(), None
        if stride != 1 or inputs != outputs:
            self.down = nn.SequentialCell([nn.Conv2d(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs)])

    def construct(self, x: Any) -> Any:
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        return self.relu(self.bn3(self.conv3(y)) + (x if self.down is None else self.down(x)))


class ResNet50(nn.Cell):
    """Of ten classes."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.bn, self.relu = nn.Conv2d(3, 64, 7, 2, "pad", 3), nn.BatchNorm2d(64), nn.ReLU()
        self.pool = nn.MaxPool2d(3, 2, "pad", 1)
        layers, inputs = [], 64
        for middle, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            for i in range(count):
                layers.append(Bottleneck(inputs, middle, stride if i == 0 else 1))
                inputs = 4 * middle
        self.layers, self.dense = nn.SequentialCell(layers), nn.Dense(2048, 10)

    def construct(self, x: Any) -> Any:
        return self.dense(self.layers(self.pool(self.relu(self.bn(self.conv(x))))).mean((2, 3)))


def mlp() -> nn.Cell:
    return nn.SequentialCell([nn.Dense(64, 128), nn.ReLU(), nn.Dense(128, 128), nn.ReLU(), nn.Dense(128, 10)])


class Training:
    """A network, its optimizer, and its step."""

    def __init__(self, network: nn.Cell):
        self.network, self.loss = network.set_train(), nn.CrossEntropyLoss()
        self.optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
        self.gradient = ms.value_and_grad(self.forward, None, self.optimizer.parameters)

    def forward(self, x: Any, y: Any) -> Any:
        return self.loss(self.network(x), y)

    @ms.jit
    def step(self, x: Any, y: Any) -> Any:
        loss, gradients = self.gradient(x, y)
        self.optimizer(gradients)
        return loss


NETWORKS: dict[str, tuple[Callable[[], nn.Cell], tuple[int, ...]]] = {
    "mlp": (mlp, (32, 64)),
    "resnet50": (ResNet50, (2, 3, 64, 64)),
}


def step(name: str, cache: str | None) -> Callable[[], float]:
    """A step on one batch, which gives the loss."""
    ms.set_context(enable_compile_cache=cache is not None, **({"compile_cache_path": cache} if cache else {}))
    network, shape = NETWORKS[name]
    training = Training(network())
    generator = np.random.default_rng(0)
    x, y = ms.Tensor(generator.standard_normal(shape, np.float32)), ms.Tensor(np.arange(shape[0], dtype=np.int32) % 10)
    return lambda: float(training.step(x, y).asnumpy())
