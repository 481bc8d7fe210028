"""The training steps of bench_starts.py in jax, jitted as a whole, with its persistent compilation cache in the folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Weights = list[Any]
Take = Iterator[Any]
BLOCKS = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))


class Shapes:
    """Draws weights in the order in which a network asks for them."""

    def __init__(self) -> None:
        self.generator, self.weights = np.random.default_rng(1), Weights()

    def __call__(self, *shape: int) -> Any:
        scale = (2 / np.prod(shape[1:])) ** 0.5 if len(shape) > 1 else 1.0
        array = self.generator.standard_normal(shape) * scale if len(shape) > 1 else np.ones(shape)
        self.weights.append(jnp.asarray(array, jnp.float32))
        return self.weights[-1]


def _normed_conv(w: Any, x: Any, outputs: int, size: int, stride: int) -> Any:
    kernel = w(outputs, x.shape[1], size, size)
    x = lax.conv(x, kernel, (stride, stride), "SAME")
    mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * w(outputs)[:, None, None] + w(outputs)[:, None, None]


def resnet50(w: Any, x: Any) -> Any:
    x = jax.nn.relu(_normed_conv(w, x, 64, 7, 2))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME")
    for middle, count, first in BLOCKS:
        for stride in (first, *[1] * (count - 1)):
            y = jax.nn.relu(_normed_conv(w, x, middle, 1, 1))
            y = jax.nn.relu(_normed_conv(w, y, middle, 3, stride))
            y = _normed_conv(w, y, 4 * middle, 1, 1)
            same = stride == 1 and x.shape[1] == 4 * middle
            x = jax.nn.relu(y + (x if same else _normed_conv(w, x, 4 * middle, 1, stride)))
    return x.mean((2, 3)) @ w(10, 2048).T + w(10)


def mlp(w: Any, x: Any) -> Any:
    for inputs, outputs in ((64, 128), (128, 128)):
        x = jax.nn.relu(x @ w(outputs, inputs).T + w(outputs))
    return x @ w(10, 128).T + w(10)


NETWORKS = {"mlp": (mlp, (32, 64)), "resnet50": (resnet50, (2, 3, 64, 64))}


def step(name: str, cache: str | None) -> Callable[[], float]:
    """A step on one batch, which gives the loss."""
    if cache is not None:
        jax.config.update("jax_compilation_cache_dir", cache)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    network, shape = NETWORKS[name]
    x = jnp.asarray(np.random.default_rng(0).standard_normal(shape, np.float32))
    y = jnp.arange(shape[0]) % 10
    shapes = Shapes()
    network(shapes, x)

    def loss(weights: Weights) -> Any:
        source = iter(weights)
        return -jax.nn.log_softmax(network(lambda *shape: next(source), x))[jnp.arange(shape[0]), y].mean()

    @jax.jit
    def update(weights: Weights, momenta: Weights) -> Any:
        value, gradients = jax.value_and_grad(loss)(weights)
        momenta = [0.9 * m + g for m, g in zip(momenta, gradients)]
        return value, [w - 0.01 * m for w, m in zip(weights, momenta)], momenta

    state = [shapes.weights, [jnp.zeros_like(w) for w in shapes.weights]]

    def run() -> float:
        value, *state[:] = update(*state)
        return float(value)

    return run
