"""The workloads on jax (jitted), with the arithmetic of bench_workloads.py. Each takes the arrays of bench_inputs.py and
returns the call to time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from bench_inputs import ALEXNET, HEADS, KV_HEADS, if_net, program, unroll
from bench_models import llama, resnet18

Call = Callable[[], Any]
Prepare = Callable[[list[np.ndarray]], Call]


def chain(x: Any) -> Any:
    return jax.nn.sigmoid(x * 2 + 1) * jnp.tanh(x - 0.5) + jnp.exp(-x * x) * 0.3


def layernorm(x: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5)


def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any) -> Any:
    return jax.nn.relu(jax.nn.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3


def conv(x: Any, w: Any, stride: int = 1, padding: int = 1) -> Any:
    names = ("NCHW", "OIHW", "NCHW")
    return jax.lax.conv_general_dilated(x, w, (stride,) * 2, [(padding,) * 2] * 2, dimension_numbers=names)


def normed(x: Any, gamma: Any, beta: Any) -> Any:
    mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gamma[None, :, None, None] + beta[None, :, None, None]


def max_pool(x: Any, padding: int) -> Any:
    pads = ((0, 0), (0, 0), (padding, padding), (padding, padding))
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 3, 3), (1, 1, 2, 2), pads)


def block(x: Any, w1: Any, w2: Any, gamma: Any, beta: Any) -> Any:
    o = jax.nn.relu(normed(conv(x, w1), gamma, beta))
    return jax.nn.relu(normed(conv(o, w2), gamma, beta) + x)


def turned(x: Any, cosines: Any, sines: Any) -> Any:
    half = x.shape[-1] // 2
    return x * cosines + jnp.concatenate((-x[..., half:], x[..., :half]), -1) * sines


def attended(q: Any, k: Any, v: Any) -> Any:
    groups, length = q.shape[1] // k.shape[1], q.shape[2]
    k, v = jnp.repeat(k, groups, 1), jnp.repeat(v, groups, 1)
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5 + jnp.triu(jnp.full((length, length), -jnp.inf), 1)
    return jax.nn.softmax(scores, -1) @ v


def attention(x: Any, wq: Any, wk: Any, wv: Any, wo: Any) -> Any:
    batch, length, width = x.shape
    d = width // HEADS
    q = (x @ wq).reshape(batch, length, HEADS, d).swapaxes(1, 2)
    k = (x @ wk).reshape(batch, length, KV_HEADS, d).swapaxes(1, 2)
    v = (x @ wv).reshape(batch, length, KV_HEADS, d).swapaxes(1, 2)
    angles = jnp.arange(length)[:, None] * (1.0 / (10000 ** (jnp.arange(0, d, 2) / d)))[None]
    angles = jnp.concatenate((angles, angles), -1)
    q, k = turned(q, jnp.cos(angles), jnp.sin(angles)), turned(k, jnp.cos(angles), jnp.sin(angles))
    return attended(q, k, v).swapaxes(1, 2).reshape(batch, length, width) @ wo


def alexnet(w: list[Any], x: Any) -> Any:
    for i, (stride, padding, pooled) in enumerate(ALEXNET):
        x = jax.nn.relu(conv(x, w[2 * i], stride, padding) + w[2 * i + 1][None, :, None, None])
        x = max_pool(x, 0) if pooled else x
    x = x.reshape(x.shape[0], -1)
    for i in (5, 6, 7):
        x = x @ w[2 * i].T + w[2 * i + 1]
        x = jax.nn.relu(x) if i < 7 else x
    return x


def select_net(x: Any, y: Any) -> Any:
    out = x
    for _ in range(100):
        x = jnp.where(x < y, x - y, x + y)
        out = out + x
    return out


def entropy(logits: Any, labels: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1).mean()


class _System:
    """What bench_models.py asks for."""

    relu, silu = staticmethod(jax.nn.relu), staticmethod(jax.nn.silu)
    rsqrt, tensor = staticmethod(jax.lax.rsqrt), staticmethod(jnp.asarray)
    conv, batch_norm, cross_entropy = staticmethod(conv), staticmethod(normed), staticmethod(entropy)
    attention = staticmethod(attended)

    def max_pool(self, x: Any) -> Any:
        return max_pool(x, 1)

    def concat(self, parts: tuple[Any, ...]) -> Any:
        return jnp.concatenate(parts, -1)

    def heads(self, x: Any, count: int) -> Any:
        return x.reshape(*x.shape[:2], count, -1).swapaxes(1, 2)


def _forward(function: Any) -> Prepare:
    def prepare(arrays: list[np.ndarray]) -> Call:
        tensors, call = [jnp.asarray(a) for a in arrays], jax.jit(function)
        return lambda: call(*tensors)

    return prepare


def _backward(function: Any) -> Prepare:
    def prepare(arrays: list[np.ndarray]) -> Call:
        return _forward(jax.grad(lambda *a: function(*a).sum(), argnums=tuple(range(len(arrays)))))(arrays)

    return prepare


def _halves(arrays: list[np.ndarray]) -> Call:
    return _forward(lambda a, b: a @ b)([jnp.asarray(a, jnp.bfloat16) for a in arrays])


def _churn(arrays: list[np.ndarray]) -> Call:
    weight = jnp.asarray(arrays[0])
    call = jax.jit(lambda x, w: jax.nn.softmax(jax.nn.relu(x @ w) * 0.5 + x, -1))
    return lambda: [call(jnp.asarray(x), weight) for x in arrays[1:] for _ in range(20)][-1]


Update = Callable[[Any, Any, Any], tuple[Any, Any]]


def _sgd(rate: float, momentum: float) -> tuple[Callable[[Any], Any], Update]:
    def update(weights: Any, gradients: Any, state: Any) -> tuple[Any, Any]:
        state = [momentum * m + g for m, g in zip(state, gradients)] if momentum else gradients
        return [w - rate * m for w, m in zip(weights, state)], state if momentum else None

    return lambda weights: [jnp.zeros_like(w) for w in weights] if momentum else None, update


def _adam(base: float) -> tuple[Callable[[Any], Any], Update]:
    def update(weights: Any, gradients: Any, state: Any) -> tuple[Any, Any]:
        t, first, second = state[0] + 1, state[1], state[2]
        first = [0.9 * m + 0.1 * g for m, g in zip(first, gradients)]
        second = [0.999 * v + 0.001 * g * g for v, g in zip(second, gradients)]
        rate = base * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        return [w - rate * m / (jnp.sqrt(v) + 1e-12) for w, m, v in zip(weights, first, second)], (t, first, second)

    def zeros(weights: Any) -> Any:
        return [jnp.zeros_like(w) for w in weights]

    return lambda weights: (jnp.float32(0), zeros(weights), zeros(weights)), update


def _trained(rule: tuple[Callable[[Any], Any], Update], weights: list[Any], loss: Callable[..., Any]) -> Call:
    start, update = rule

    @jax.jit
    def step(weights: Any, state: Any) -> Any:
        (_, shown), gradients = jax.value_and_grad(loss, has_aux=True)(weights)
        return *update(weights, gradients, state), shown

    held = [weights, start(weights)]

    def call() -> Any:
        held[0], held[1], result = step(*held)
        return result

    return call


def _mlp_step(arrays: list[np.ndarray]) -> Call:
    labels, x, *weights = (jnp.asarray(a) for a in arrays)

    def loss(w: list[Any]) -> Any:
        return (entropy(mlp(x, *w), labels),) * 2

    return _trained(_sgd(0.01, 0), weights, loss)


def _alexnet_step(arrays: list[np.ndarray]) -> Call:
    x, *weights = (jnp.asarray(a) for a in arrays)

    def summed(w: list[Any]) -> Any:
        out = alexnet(w, x)
        return (out * out).mean(), out

    return _trained(_sgd(0.01, 0), weights, summed)


def _model_forward(model: Any) -> Prepare:
    return _forward(lambda labels, x, *weights: model(_System(), iter(weights), x))


def _model_step(model: Any, rule: tuple[Callable[[Any], Any], Update]) -> Prepare:
    def prepare(arrays: list[np.ndarray]) -> Call:
        labels, x, *weights = (jnp.asarray(a) for a in arrays)

        def loss(w: list[Any]) -> Any:
            return (entropy(model(_System(), iter(w), x), labels),) * 2

        return _trained(rule, weights, loss)

    return prepare


PROGRAMS: dict[str, Prepare] = {
    "abc": _forward(lambda a, b, c: a * b + c),
    "add": _forward(lambda a, b: a + b),
    "elementwise": _forward(chain),
    "gelu": _forward(lambda x: jax.nn.gelu(x, approximate=False)),
    "softmax": _forward(lambda x: jax.nn.softmax(x, -1)),
    "layernorm": _forward(layernorm),
    "fft": _forward(lambda x: jnp.fft.fft(x)),
    "rfft": _forward(lambda x: jnp.fft.rfft(x)),
    "fft2": _forward(lambda x: jnp.fft.fft2(x)),
    "sum": _forward(lambda x: x.sum(-1)),
    "sum_columns": _forward(lambda x: x.sum(0)),
    "sum_all": _forward(lambda x: x.sum()),
    "mlp_fwd": _forward(mlp),
    "conv": _forward(lambda x, w: conv(x, w, 1, w.shape[-1] // 2)),
    "basicblock_fwd": _forward(block),
    "basicblock_fwd_bwd": _backward(block),
    "llama_attention_fwd": _forward(attention),
    "llama_attention_fwd_bwd": _backward(attention),
    "gemm": _forward(lambda a, b: a @ b),
    "gemm_1024_bf16": _halves,
    "gemm_2048_bf16": _halves,
    "shape_churn": _churn,
    "unroll": _forward(unroll),
    "if_net": _forward(if_net),
    "select_net": _forward(select_net),
    "mlp_train_step": _mlp_step,
    "alexnet_train_step": _alexnet_step,
    "resnet18_fwd": _model_forward(resnet18),
    "resnet18_train_step": _model_step(resnet18, _sgd(2e-4, 0.9)),
    "llama4_fwd": _model_forward(llama),
    "llama4_train_step": _model_step(llama, _adam(1e-4)),
}


def prepare(system: str, name: str, arrays: list[np.ndarray]) -> Call:
    """The call to time."""
    return PROGRAMS[program(name)](arrays)


def force(result: Any) -> float:
    """The first element of the result, once it is there."""
    while isinstance(result, (tuple, list)):
        result = result[0]
    return float(result.block_until_ready().reshape(-1)[0].real)
