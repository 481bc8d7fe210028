"""Two whole networks, ResNet-18 and a Llama-style decoder of four layers, as one text for every system.

Each takes what its system provides (a `System` of the bench_*.py beside this), the weights in the order of
`resnet18_weights` and `llama_weights`, and a batch. So the systems differ in how they compute and in nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

Draw = Callable[..., np.ndarray]

STAGES = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]  # channels in, channels out, stride
LAYERS, WIDTH, HEADS, KV_HEADS, INNER, WORDS = 4, 512, 8, 4, 1376, 2048
LENGTH = 128


class System(Protocol):
    """The pieces that every system has under a name of its own."""

    def conv(self, x: Any, weight: Any, stride: int, padding: int) -> Any: ...
    def batch_norm(self, x: Any, gamma: Any, beta: Any) -> Any: ...
    def max_pool(self, x: Any) -> Any: ...
    def relu(self, x: Any) -> Any: ...
    def silu(self, x: Any) -> Any: ...
    def rsqrt(self, x: Any) -> Any: ...
    def concat(self, parts: tuple[Any, ...]) -> Any: ...
    def tensor(self, array: np.ndarray) -> Any: ...
    def heads(self, x: Any, count: int) -> Any: ...
    def attention(self, q: Any, k: Any, v: Any) -> Any: ...
    def cross_entropy(self, logits: Any, labels: Any) -> Any: ...


def _normed_conv(draw: Draw, inputs: int, outputs: int, size: int) -> list[np.ndarray]:
    scale = (2 / (outputs * size * size)) ** 0.5
    return [draw(outputs, inputs, size, size, scale=scale), np.ones(outputs, np.float32), np.zeros(outputs, np.float32)]


def resnet18_weights(draw: Draw) -> list[np.ndarray]:
    """The stem's, then of each block the two convolutions' and the shortcut's (where it has one), then the head's."""
    weights = _normed_conv(draw, 3, 64, 7)
    for inputs, outputs, stride in STAGES:
        for first, width in ((True, inputs), (False, outputs)):
            weights += _normed_conv(draw, width, outputs, 3) + _normed_conv(draw, outputs, outputs, 3)
            if first and stride != 1:
                weights += _normed_conv(draw, inputs, outputs, 1)
    return [*weights, draw(512, 1000, scale=0.02), np.zeros(1000, np.float32)]


def resnet50_shapes() -> list[tuple[int, ...]]:
    """Those of ResNet-50's Parameters: of each convolution the weights, a scale and a shift."""
    shapes: list[tuple[int, ...]] = []

    def normed_conv(inputs: int, outputs: int, size: int) -> None:
        shapes.extend([(outputs, inputs, size, size), (outputs,), (outputs,)])

    normed_conv(3, 64, 7)
    inputs = 64
    for width, blocks in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for block in range(blocks):
            normed_conv(inputs, width, 1)
            normed_conv(width, width, 3)
            normed_conv(width, 4 * width, 1)
            if block == 0:
                normed_conv(inputs, 4 * width, 1)
            inputs = 4 * width
    return [*shapes, (1000, inputs), (1000,)]


def resnet18(f: System, weights: Iterator[Any], images: Any) -> Any:
    """Logits (N, 1000) of images (N, 3, H, W); batch norm takes the batch's own statistics."""

    def normed(x: Any, stride: int, padding: int) -> Any:
        return f.batch_norm(f.conv(x, next(weights), stride, padding), next(weights), next(weights))

    x = f.max_pool(f.relu(normed(images, 2, 3)))
    for _, _, stride in STAGES:
        for step in (stride, 1):
            out = normed(f.relu(normed(x, step, 1)), 1, 1)
            x = f.relu(out + (normed(x, step, 0) if step != 1 else x))
    return x.mean((2, 3)) @ next(weights) + next(weights)


def llama_weights(draw: Draw) -> list[np.ndarray]:
    """The words' vectors, then each layer's nine, then the last norm's scale and the head's matrix."""
    narrow = WIDTH // HEADS * KV_HEADS
    weights = [draw(WORDS, WIDTH, scale=0.02)]
    for _ in range(LAYERS):
        shapes = [(WIDTH, WIDTH), (WIDTH, narrow), (WIDTH, narrow), (WIDTH, WIDTH)]
        weights += [np.ones(WIDTH, np.float32), *(draw(*shape, scale=0.03) for shape in shapes)]
        shapes = [(WIDTH, INNER), (WIDTH, INNER), (INNER, WIDTH)]
        weights += [np.ones(WIDTH, np.float32), *(draw(*shape, scale=0.03) for shape in shapes)]
    return [*weights, np.ones(WIDTH, np.float32), draw(WIDTH, WORDS, scale=0.03)]


def _rotation() -> tuple[np.ndarray, np.ndarray]:
    size = WIDTH // HEADS
    angles = np.arange(LENGTH)[:, None] / 10000 ** (np.arange(0, size, 2) / size)
    angles = np.concatenate((angles, angles), -1)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


COSINES, SINES = _rotation()


def llama(f: System, weights: Iterator[Any], words: Any) -> Any:
    """Logits (N, LENGTH, WORDS) of the next word after each of words (N, LENGTH), numbers in int32."""
    cosines, sines = f.tensor(COSINES), f.tensor(SINES)

    def normed(x: Any) -> Any:
        return x * f.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * next(weights)

    def turned(x: Any) -> Any:
        half = WIDTH // HEADS // 2
        return x * cosines + f.concat((-x[..., half:], x[..., :half])) * sines

    x = next(weights)[words]
    for _ in range(LAYERS):
        h = normed(x)
        q, k = turned(f.heads(h @ next(weights), HEADS)), turned(f.heads(h @ next(weights), KV_HEADS))
        out = f.attention(q, k, f.heads(h @ next(weights), KV_HEADS))
        x = x + out.swapaxes(1, 2).reshape(x.shape) @ next(weights)
        h = normed(x)
        x = x + (f.silu(h @ next(weights)) * (h @ next(weights))) @ next(weights)
    return normed(x) @ next(weights)
