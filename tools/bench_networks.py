"""Six whole networks as one text for every system, with their weights and batches: ResNet-50, MobileNetV2, ViT-B/32, a
language model of two LSTM layers, a Transformer encoder-decoder, and YOLOv3-tiny.

A network takes what its system provides (`System`), a function that gives the next weight of a shape, and a batch. Its
text names each weight's shape where it uses it: run on `Nothing` it says what weights there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import bench_models
import numpy as np

Weight = Callable[..., Any]  # of a shape; fill: each element at first, instead of random ones
Arrays = list[np.ndarray]

VOCABULARY, WORDS, LENGTH = 10000, 8000, 64


class System(bench_models.System, Protocol):
    """The pieces that every system has under a name of its own, beside those of bench_models.py."""

    def relu6(self, x: Any) -> Any: ...
    def leaky_relu(self, x: Any) -> Any: ...
    def gelu(self, x: Any) -> Any: ...
    def sigmoid(self, x: Any) -> Any: ...
    def dense(self, x: Any, weight: Any, bias: Any) -> Any: ...
    def layer_norm(self, x: Any, gamma: Any, beta: Any) -> Any: ...
    def depthwise(self, x: Any, weight: Any, stride: int) -> Any: ...
    def pool(self, x: Any) -> Any: ...
    def upsample(self, x: Any) -> Any: ...
    def channels(self, parts: tuple[Any, ...]) -> Any: ...
    def average(self, x: Any, axes: tuple[int, ...]) -> Any: ...
    def tokens(self, x: Any) -> Any: ...
    def joined(self, x: Any) -> Any: ...
    def attend(self, q: Any, k: Any, v: Any, causal: bool) -> Any: ...
    def embedding(self, words: Any, weight: Any) -> Any: ...
    def lstm(self, x: Any, weights: list[Any]) -> Any: ...


def _normed(f: System, w: Weight, x: Any, channels: int) -> Any:
    return f.batch_norm(x, w(channels, fill=1), w(channels, fill=0))


def _conv(f: System, w: Weight, x: Any, inputs: int, outputs: int, size: int, stride: int = 1) -> Any:
    return _normed(f, w, f.conv(x, w(outputs, inputs, size, size), stride, size // 2), outputs)


def _linear(f: System, w: Weight, x: Any, inputs: int, outputs: int) -> Any:
    return f.dense(x, w(outputs, inputs), w(outputs, fill=0))


def resnet50(f: System, w: Weight, images: Any) -> Any:
    x, inputs = f.max_pool(f.relu(_conv(f, w, images, 3, 64, 7, 2))), 64
    for width, blocks, first in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for block in range(blocks):
            stride = first if block == 0 else 1
            y = f.relu(_conv(f, w, x, inputs, width, 1))
            y = f.relu(_conv(f, w, y, width, width, 3, stride))
            y = _conv(f, w, y, width, 4 * width, 1)
            x = f.relu(y + (_conv(f, w, x, inputs, 4 * width, 1, stride) if block == 0 else x))
            inputs = 4 * width
    return _linear(f, w, f.average(x, (2, 3)), inputs, 1000)


# Of MobileNetV2's stages: expansion, channels, blocks, stride.
STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]


def mobilenetv2(f: System, w: Weight, images: Any) -> Any:
    x, inputs = f.relu6(_conv(f, w, images, 3, 32, 3, 2)), 32
    for expansion, outputs, blocks, first in STAGES:
        for block in range(blocks):
            stride, wide = first if block == 0 else 1, inputs * expansion
            y = f.relu6(_conv(f, w, x, inputs, wide, 1)) if expansion > 1 else x
            y = f.relu6(_normed(f, w, f.depthwise(y, w(wide, 1, 3, 3), stride), wide))
            y = _conv(f, w, y, wide, outputs, 1)
            x, inputs = x + y if stride == 1 and inputs == outputs else y, outputs
    return _linear(f, w, f.average(f.relu6(_conv(f, w, x, inputs, 1280, 1)), (2, 3)), 1280, 1000)


def _norm(f: System, w: Weight, x: Any, width: int) -> Any:
    return f.layer_norm(x, w(width, fill=1), w(width, fill=0))


def _attended(f: System, w: Weight, x: Any, memory: Any, width: int, heads: int, causal: bool) -> Any:
    q, k, v = (f.heads(_linear(f, w, of, width, width), heads) for of in (x, memory, memory))
    return _linear(f, w, f.joined(f.attend(q, k, v, causal)), width, width)


def vit_b32(f: System, w: Weight, images: Any) -> Any:
    x = f.tokens(f.conv(images, w(768, 3, 32, 32), 32, 0)) + w(1, 49, 768)
    for _ in range(12):
        h = _norm(f, w, x, 768)
        x = x + _attended(f, w, h, h, 768, 12, False)
        x = x + _linear(f, w, f.gelu(_linear(f, w, _norm(f, w, x, 768), 768, 3072)), 3072, 768)
    return _linear(f, w, f.average(_norm(f, w, x, 768), (1,)), 768, 1000)


def lstm(f: System, w: Weight, words: Any) -> Any:
    x = f.embedding(words, w(VOCABULARY, 650))
    for _ in range(2):
        x = f.lstm(x, [w(2600, 650), w(2600, 650), w(2600, fill=0), w(2600, fill=0)])
    return _linear(f, w, x, 650, VOCABULARY)


def transformer(f: System, w: Weight, words: Any) -> Any:
    width = 512

    def embedded() -> Any:
        return f.embedding(words, w(WORDS, width)) + w(LENGTH, width)

    def attended(x: Any, memory: Any, causal: bool) -> Any:
        return _norm(f, w, x + _attended(f, w, x, memory, width, 8, causal), width)

    def fed(x: Any) -> Any:
        return _norm(f, w, x + _linear(f, w, f.relu(_linear(f, w, x, width, 2048)), 2048, width), width)

    memory = embedded()
    for _ in range(3):
        memory = fed(attended(memory, memory, False))
    x = embedded()
    for _ in range(3):
        x = fed(attended(attended(x, x, True), memory, False))
    return _linear(f, w, x, width, WORDS)


def yolo_tiny(f: System, w: Weight, images: Any) -> Any:
    def conv(x: Any, inputs: int, outputs: int, size: int = 3) -> Any:
        return f.leaky_relu(_conv(f, w, x, inputs, outputs, size))

    x = conv(images, 3, 16)
    for inputs in (16, 32, 64, 128):
        x = conv(f.pool(x), inputs, 2 * inputs)
    route = x
    x = conv(conv(conv(f.pool(x), 256, 512), 512, 1024), 1024, 256, 1)
    large = f.conv(conv(x, 256, 512), w(255, 512, 1, 1), 1, 0)
    x = f.channels((f.upsample(conv(x, 256, 128, 1)), route))
    return large, f.conv(conv(x, 384, 256), w(255, 256, 1, 1), 1, 0)


NETWORKS = {f.__name__: f for f in (resnet50, mobilenetv2, vit_b32, lstm, transformer, yolo_tiny)}
IMAGES = ("resnet50", "mobilenetv2", "vit_b32", "yolo_tiny")
RATES = {"vit_b32": 1e-4, "transformer": 1e-4, "lstm": 0.1}  # of Adam, Adam and SGD; of others 1e-4 with momentum 0.9


def loss(f: System, name: str, out: Any, targets: list[Any]) -> Any:
    """The mean cross-entropy of classes or words; of boxes the mean squares of both scales."""
    if name != "yolo_tiny":
        return f.cross_entropy(out, targets[0])
    squares = [(f.sigmoid(x) - target) * (f.sigmoid(x) - target) for x, target in zip(out, targets)]
    return squares[0].mean() + squares[1].mean()


class Nothing:
    """What every operation on it gives."""

    def __call__(self, *args: Any, **kwargs: Any) -> Nothing:
        return self

    __add__ = __getattr__ = __call__


def weights(name: str) -> Arrays:
    """A network's weights in the order in which its text asks for them."""
    generator, arrays = np.random.default_rng(0), []

    def weight(*shape: int, fill: float | None = None) -> Nothing:
        scale = 0.5 * (2 / np.prod(shape[1:])) ** 0.5
        array = generator.standard_normal(shape) * scale if fill is None else np.full(shape, fill)
        arrays.append(array.astype(np.float32))
        return Nothing()

    NETWORKS[name](Nothing(), weight, Nothing())  # type: ignore[arg-type]
    return arrays


def batch(name: str) -> tuple[np.ndarray, Arrays]:
    """A batch and its targets: 16 images of 224 x 224, 4 of 416 x 416, or words."""
    generator = np.random.default_rng(1)
    if name == "yolo_tiny":
        targets = [generator.random((4, 255, size, size), np.float32) for size in (13, 26)]
        return generator.standard_normal((4, 3, 416, 416), np.float32), targets
    if name in IMAGES:
        return generator.standard_normal((16, 3, 224, 224), np.float32), [np.arange(16, dtype=np.int32) * 37 % 1000]
    shape = (36, 20) if name == "lstm" else (8, LENGTH + 1)
    text = generator.integers(0, WORDS, shape).astype(np.int32)
    before, after = (text[:-1], text[1:]) if name == "lstm" else (text[:, :-1], text[:, 1:])
    return before.copy(), [after.copy()]
