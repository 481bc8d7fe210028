"""The workloads on torch (eager) and jax (jitted), with the arithmetic of bench_workloads.py."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from bench_inputs import ALEXNET, HEADS, KV_HEADS, if_net, unroll

Call = Callable[[], Any]


def _torch(name: str, arrays: list[np.ndarray]) -> Call:
    import torch
    import torch.nn.functional as F

    def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any) -> Any:
        return torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3

    def block(x: Any, w1: Any, w2: Any, gamma: Any, beta: Any) -> Any:
        o = F.relu(F.batch_norm(F.conv2d(x, w1, padding=1), None, None, gamma, beta, True))
        return F.relu(F.batch_norm(F.conv2d(o, w2, padding=1), None, None, gamma, beta, True) + x)

    def turned(x: Any, cosines: Any, sines: Any) -> Any:
        half = x.shape[-1] // 2
        return x * cosines + torch.cat((-x[..., half:], x[..., :half]), -1) * sines

    def attention(x: Any, wq: Any, wk: Any, wv: Any, wo: Any) -> Any:
        batch, length, width = x.shape
        d = width // HEADS
        q = (x @ wq).view(batch, length, HEADS, d).transpose(1, 2)
        k = (x @ wk).view(batch, length, KV_HEADS, d).transpose(1, 2)
        v = (x @ wv).view(batch, length, KV_HEADS, d).transpose(1, 2)
        rates = 1.0 / (10000 ** (torch.arange(0, d, 2).float() / d))
        angles = torch.arange(length).float()[:, None] * rates[None]
        angles = torch.cat((angles, angles), -1)
        q, k = turned(q, angles.cos(), angles.sin()), turned(k, angles.cos(), angles.sin())
        k, v = k.repeat_interleave(HEADS // KV_HEADS, 1), v.repeat_interleave(HEADS // KV_HEADS, 1)
        scores = q @ k.transpose(-1, -2) / d**0.5
        scores = scores + torch.triu(torch.full((length, length), -math.inf), 1)
        return (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(batch, length, width) @ wo

    def alexnet(x: Any, *w: Any) -> Any:
        for i, (stride, padding, pooled) in enumerate(ALEXNET):
            x = F.relu(F.conv2d(x, w[2 * i], w[2 * i + 1], stride=stride, padding=padding))
            x = F.max_pool2d(x, 3, 2) if pooled else x
        x = x.flatten(1)
        for i in (5, 6, 7):
            x = F.linear(x, w[2 * i], w[2 * i + 1])
            x = F.relu(x) if i < 7 else x
        return x

    def select_net(x: Any, y: Any) -> Any:
        out = x
        for _ in range(100):
            x = torch.where(x < y, x - y, x + y)
            out = out + x
        return out

    forward: dict[str, Callable[..., Any]] = {
        "abc_2x3": lambda a, b, c: a * b + c,
        "add_2x3": lambda a, b: a + b,
        "elementwise_1M": lambda x: torch.sigmoid(x * 2 + 1) * torch.tanh(x - 0.5) + torch.exp(-x * x) * 0.3,
        "gelu_1M": lambda x: F.gelu(x),
        "softmax_4096x1024": lambda x: torch.softmax(x, -1),
        "layernorm_4096x1024": lambda x: F.layer_norm(x, (1024,)),
        "sum_4096x1024": lambda x: x.sum(-1),
        "mlp_fwd": mlp,
        "basicblock_fwd": block,
        "llama_attention_fwd": attention,
        "gemm_1024": lambda a, b: a @ b,
        "gemm_2048": lambda a, b: a @ b,
        "unroll_200": unroll,
        "if_net": if_net,
        "select_net": select_net,
    }
    tensors = [torch.from_numpy(a) for a in arrays]

    def without_gradient(call: Call) -> Call:
        return torch.no_grad()(call)

    def trained(weights: list[Any], loss: Callable[[], Any]) -> Call:
        optimizer = torch.optim.SGD(weights, lr=0.01)

        def step() -> Any:
            optimizer.zero_grad()
            value, shown = loss()
            value.backward()
            optimizer.step()
            return shown.detach()

        return step

    if name in forward:
        return without_gradient(lambda: forward[name](*tensors))
    if name in ("basicblock_fwd_bwd", "llama_attention_fwd_bwd"):
        function = block if name.startswith("basic") else attention
        leaves = [t.requires_grad_() for t in tensors]
        return lambda: torch.autograd.grad(function(*leaves).sum(), leaves)
    if name == "gemm_1024_bf16":
        a, b = (t.bfloat16() for t in tensors)
        return without_gradient(lambda: a @ b)
    if name == "shape_churn_30":

        def churn() -> Any:
            for x in arrays[1:]:
                for _ in range(20):
                    t = torch.from_numpy(x)
                    out = torch.softmax(torch.relu(t @ tensors[0]) * 0.5 + t, -1)
            return out

        return without_gradient(churn)
    if name == "mlp_train_step":
        weights, labels = [t.requires_grad_() for t in tensors[2:]], tensors[0].long()
        return trained(weights, lambda: (F.cross_entropy(mlp(tensors[1], *weights), labels),) * 2)
    weights = [t.requires_grad_() for t in tensors[1:]]

    def summed() -> tuple[Any, Any]:
        out = alexnet(tensors[0], *weights)
        return out.sum(), out

    return trained(weights, summed)


def _jax(name: str, arrays: list[np.ndarray]) -> Call:
    import jax
    import jax.numpy as jnp

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

    def block(x: Any, w1: Any, w2: Any, gamma: Any, beta: Any) -> Any:
        o = jax.nn.relu(normed(conv(x, w1), gamma, beta))
        return jax.nn.relu(normed(conv(o, w2), gamma, beta) + x)

    def turned(x: Any, cosines: Any, sines: Any) -> Any:
        half = x.shape[-1] // 2
        return x * cosines + jnp.concatenate((-x[..., half:], x[..., :half]), -1) * sines

    def attention(x: Any, wq: Any, wk: Any, wv: Any, wo: Any) -> Any:
        batch, length, width = x.shape
        d = width // HEADS
        q = (x @ wq).reshape(batch, length, HEADS, d).swapaxes(1, 2)
        k = (x @ wk).reshape(batch, length, KV_HEADS, d).swapaxes(1, 2)
        v = (x @ wv).reshape(batch, length, KV_HEADS, d).swapaxes(1, 2)
        angles = jnp.arange(length)[:, None] * (1.0 / (10000 ** (jnp.arange(0, d, 2) / d)))[None]
        angles = jnp.concatenate((angles, angles), -1)
        q, k = turned(q, jnp.cos(angles), jnp.sin(angles)), turned(k, jnp.cos(angles), jnp.sin(angles))
        k, v = jnp.repeat(k, HEADS // KV_HEADS, 1), jnp.repeat(v, HEADS // KV_HEADS, 1)
        scores = q @ k.swapaxes(-1, -2) / d**0.5 + jnp.triu(jnp.full((length, length), -jnp.inf), 1)
        return (jax.nn.softmax(scores, -1) @ v).swapaxes(1, 2).reshape(batch, length, width) @ wo

    def alexnet(w: list[Any], x: Any) -> Any:
        for i, (stride, padding, pooled) in enumerate(ALEXNET):
            x = jax.nn.relu(conv(x, w[2 * i], stride, padding) + w[2 * i + 1][None, :, None, None])
            if pooled:
                x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "VALID")
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

    forward: dict[str, Callable[..., Any]] = {
        "abc_2x3": lambda a, b, c: a * b + c,
        "add_2x3": lambda a, b: a + b,
        "elementwise_1M": lambda x: jax.nn.sigmoid(x * 2 + 1) * jnp.tanh(x - 0.5) + jnp.exp(-x * x) * 0.3,
        "gelu_1M": lambda x: jax.nn.gelu(x, approximate=False),
        "softmax_4096x1024": lambda x: jax.nn.softmax(x, -1),
        "layernorm_4096x1024": layernorm,
        "sum_4096x1024": lambda x: x.sum(-1),
        "mlp_fwd": mlp,
        "basicblock_fwd": block,
        "llama_attention_fwd": attention,
        "gemm_1024": lambda a, b: a @ b,
        "gemm_2048": lambda a, b: a @ b,
        "gemm_1024_bf16": lambda a, b: a @ b,
        "unroll_200": unroll,
        "select_net": select_net,
    }
    tensors = [jnp.asarray(a, jnp.bfloat16 if name.endswith("bf16") else None) for a in arrays]

    def trained(weights: list[Any], loss: Callable[..., Any]) -> Call:
        @jax.jit
        def step(weights: list[Any]) -> Any:
            (_, shown), gradients = jax.value_and_grad(loss, has_aux=True)(weights)
            return [w - 0.01 * g for w, g in zip(weights, gradients)], shown

        state = [weights]

        def call() -> Any:
            state[0], shown = step(state[0])
            return shown

        return call

    if name in forward:
        call = jax.jit(forward[name])
        return lambda: call(*tensors)
    if name in ("basicblock_fwd_bwd", "llama_attention_fwd_bwd"):
        function = block if name.startswith("basic") else attention
        call = jax.jit(jax.grad(lambda *a: function(*a).sum(), argnums=tuple(range(len(tensors)))))
        return lambda: call(*tensors)
    if name == "shape_churn_30":
        call = jax.jit(lambda x, w: jax.nn.softmax(jax.nn.relu(x @ w) * 0.5 + x, -1))
        return lambda: [call(jnp.asarray(x), tensors[0]) for x in arrays[1:] for _ in range(20)][-1]
    if name == "mlp_train_step":

        def entropy(w: list[Any]) -> Any:
            loss = -jax.nn.log_softmax(mlp(tensors[1], *w))[jnp.arange(64), tensors[0]].mean()
            return loss, loss

        return trained(tensors[2:], entropy)
    if name == "alexnet_train_step":

        def summed(w: list[Any]) -> Any:
            out = alexnet(w, tensors[0])
            return out.sum(), out

        return trained(tensors[1:], summed)
    raise NotImplementedError(f"{name} has no counterpart here")


def prepare(system: str, name: str, arrays: list[np.ndarray]) -> Call:
    """The call to time, for torch-eager or jax-jit."""
    return (_torch if system == "torch-eager" else _jax)(name, arrays)


def force(result: Any) -> None:
    """Waits for a result and touches an element of it."""
    while isinstance(result, (tuple, list)):
        result = result[0]
    if hasattr(result, "block_until_ready"):
        result.block_until_ready()
    else:
        result.reshape(-1)[0].float().item()
