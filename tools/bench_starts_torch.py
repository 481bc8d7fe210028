"""The training steps of bench_starts.py in PyTorch: the network by torch.compile, whose caches are kept in the folder."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import torch
from torch import nn


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3 and 1 x 1, around which the input goes."""

    def __init__(self, inputs: int, middle: int, stride: int):
        super().__init__()
        outputs = 4 * middle
        self.conv1, self.bn1 = nn.Conv2d(inputs, middle, 1, bias=False), nn.BatchNorm2d(middle)
        self.conv2, self.bn2 = nn.Conv2d(middle, middle, 3, stride, 1, bias=False), nn.BatchNorm2d(middle)
        self.conv3, self.bn3 = nn.Conv2d(middle, outputs, 1, bias=False), nn.BatchNorm2d(outputs)
        self.relu, self.down = nn.ReLU(), None
        if stride != 1 or inputs != outputs:
            self.down = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        return self.relu(self.bn3(self.conv3(y)) + (x if self.down is None else self.down(x)))


class ResNet50(nn.Module):
    """Of ten classes."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.bn, self.relu = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU()
        self.pool = nn.MaxPool2d(3, 2, 1)
        layers, inputs = [], 64
        for middle, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            for i in range(count):
                layers.append(Bottleneck(inputs, middle, stride if i == 0 else 1))
                inputs = 4 * middle
        self.layers, self.dense = nn.Sequential(*layers), nn.Linear(2048, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.dense(self.layers(self.pool(self.relu(self.bn(self.conv(x))))).mean((2, 3)))


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))


NETWORKS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "mlp": (mlp, (32, 64)),
    "resnet50": (ResNet50, (2, 3, 64, 64)),
}


def step(name: str, cache: str | None) -> Callable[[], float]:
    """A step on one batch, which gives the loss."""
    if cache is None:
        torch._inductor.config.force_disable_caches = True
    else:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
    factory, shape = NETWORKS[name]
    network = factory().train()
    optimizer = torch.optim.SGD(network.parameters(), 0.01, 0.9)
    compiled, loss = torch.compile(network), nn.CrossEntropyLoss()
    x = torch.from_numpy(np.random.default_rng(0).standard_normal(shape, np.float32))
    y = torch.arange(shape[0]) % 10

    def run() -> float:
        optimizer.zero_grad()
        value = loss(compiled(x), y)
        value.backward()
        optimizer.step()
        return float(value)

    return run
