"""The workloads on torch (eager), with the arithmetic of bench_workloads.py. Each takes the arrays of bench_inputs.py and
returns the call to time."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from bench_inputs import ALEXNET, HEADS, KV_HEADS, if_net, program, unroll
from bench_models import llama, resnet18
from bench_networks import IMAGES, NETWORKS, RATES, batch, loss, weights

Call = Callable[[], Any]
Prepare = Callable[[list[np.ndarray]], Call]


def chain(x: Any) -> Any:
    return torch.sigmoid(x * 2 + 1) * torch.tanh(x - 0.5) + torch.exp(-x * x) * 0.3


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


class _System:
    """What bench_models.py asks for."""

    relu, silu, rsqrt, tensor = staticmethod(F.relu), staticmethod(F.silu), torch.rsqrt, torch.from_numpy

    def conv(self, x: Any, weight: Any, stride: int, padding: int) -> Any:
        return F.conv2d(x, weight, stride=stride, padding=padding)

    def batch_norm(self, x: Any, gamma: Any, beta: Any) -> Any:
        return F.batch_norm(x, None, None, gamma, beta, True)

    def max_pool(self, x: Any) -> Any:
        return F.max_pool2d(x, 3, 2, 1)

    def concat(self, parts: tuple[Any, ...]) -> Any:
        return torch.cat(parts, -1)

    def heads(self, x: Any, count: int) -> Any:
        return x.view(*x.shape[:2], count, -1).transpose(1, 2)

    def attention(self, q: Any, k: Any, v: Any) -> Any:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)

    def cross_entropy(self, logits: Any, labels: Any) -> Any:
        return F.cross_entropy(logits.flatten(0, -2), labels.flatten())


class _NetworkSystem(_System):
    """What bench_networks.py asks for."""

    relu6, sigmoid, gelu, dense = staticmethod(F.relu6), torch.sigmoid, staticmethod(F.gelu), staticmethod(F.linear)

    def __init__(self, training: bool):
        self.training = training

    def batch_norm(self, x: Any, gamma: Any, beta: Any) -> Any:
        if self.training:
            return super().batch_norm(x, gamma, beta)
        return F.batch_norm(x, torch.zeros_like(beta), torch.ones_like(beta), gamma, beta)

    def leaky_relu(self, x: Any) -> Any:
        return F.leaky_relu(x, 0.1)

    def layer_norm(self, x: Any, gamma: Any, beta: Any) -> Any:
        return F.layer_norm(x, x.shape[-1:], gamma, beta)

    def depthwise(self, x: Any, weight: Any, stride: int) -> Any:
        return F.conv2d(x, weight, stride=stride, padding=1, groups=weight.shape[0])

    def pool(self, x: Any) -> Any:
        return F.max_pool2d(x, 2, 2)

    def upsample(self, x: Any) -> Any:
        return F.interpolate(x, scale_factor=2)

    def channels(self, parts: tuple[Any, ...]) -> Any:
        return torch.cat(parts, 1)

    def average(self, x: Any, axes: tuple[int, ...]) -> Any:
        return x.mean(axes)

    def tokens(self, x: Any) -> Any:
        return x.flatten(2).transpose(1, 2)

    def joined(self, x: Any) -> Any:
        return x.transpose(1, 2).flatten(2)

    def attend(self, q: Any, k: Any, v: Any, causal: bool) -> Any:
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal)

    def embedding(self, words: Any, weight: Any) -> Any:
        return F.embedding(words, weight)

    def lstm(self, x: Any, weights: list[Any]) -> Any:
        states = torch.zeros(1, x.shape[1], weights[1].shape[1])
        return torch.lstm(x, (states, states), weights, True, 1, 0.0, self.training, False, False)[0]


def _forward(function: Any) -> Prepare:
    def prepare(arrays: list[np.ndarray]) -> Call:
        tensors = [torch.from_numpy(a) for a in arrays]
        return torch.no_grad()(lambda: function(*tensors))

    return prepare


def _backward(function: Any) -> Prepare:
    def prepare(arrays: list[np.ndarray]) -> Call:
        leaves = [torch.from_numpy(a).requires_grad_() for a in arrays]
        return lambda: torch.autograd.grad(function(*leaves).sum(), leaves)

    return prepare


def _halves(arrays: list[np.ndarray]) -> Call:
    a, b = (torch.from_numpy(array).bfloat16() for array in arrays)
    return torch.no_grad()(lambda: a @ b)


def _churn(arrays: list[np.ndarray]) -> Call:
    weight = torch.from_numpy(arrays[0])

    def churned(x: Any) -> Any:
        return torch.softmax(torch.relu(x @ weight) * 0.5 + x, -1)

    return torch.no_grad()(lambda: [churned(torch.from_numpy(x)) for x in arrays[1:] for _ in range(20)][-1])


def _trained(optimizer: torch.optim.Optimizer, loss: Callable[[], tuple[Any, Any]]) -> Call:
    def step() -> Any:
        optimizer.zero_grad()
        value, shown = loss()
        value.backward()
        optimizer.step()
        return shown.detach()

    return step


def _leaves(arrays: list[np.ndarray]) -> list[Any]:
    return [torch.from_numpy(a.copy()).requires_grad_() for a in arrays]


def _mlp_step(arrays: list[np.ndarray]) -> Call:
    labels, x, weights = torch.from_numpy(arrays[0]).long(), torch.from_numpy(arrays[1]), _leaves(arrays[2:])
    return _trained(torch.optim.SGD(weights, lr=0.01), lambda: (F.cross_entropy(mlp(x, *weights), labels),) * 2)


def _adam_step(arrays: list[np.ndarray]) -> Call:
    half = len(arrays) // 2
    weights = _leaves(arrays[:half])
    for weight, gradient in zip(weights, arrays[half:]):
        weight.grad = torch.from_numpy(gradient)
    optimizer = torch.optim.Adam(weights, 1e-3, fused=True)

    def step() -> Any:
        optimizer.step()
        return weights[-1].detach()

    return step


def _alexnet_step(arrays: list[np.ndarray]) -> Call:
    x, weights = torch.from_numpy(arrays[0]), _leaves(arrays[1:])

    def summed() -> tuple[Any, Any]:
        out = alexnet(x, *weights)
        return (out * out).mean(), out

    return _trained(torch.optim.SGD(weights, lr=0.01), summed)


def _model_forward(model: Any) -> Prepare:
    return _forward(lambda labels, x, *weights: model(_System(), iter(weights), x))


def _model_step(model: Any, optimiser: Callable[[list[Any]], torch.optim.Optimizer]) -> Prepare:
    def prepare(arrays: list[np.ndarray]) -> Call:
        labels, x, weights = torch.from_numpy(arrays[0]).long(), torch.from_numpy(arrays[1]), _leaves(arrays[2:])
        f = _System()
        return _trained(optimiser(weights), lambda: (f.cross_entropy(model(f, iter(weights), x), labels),) * 2)

    return prepare


PROGRAMS: dict[str, Prepare] = {
    "abc": _forward(lambda a, b, c: a * b + c),
    "add": _forward(lambda a, b: a + b),
    "elementwise": _forward(chain),
    "gelu": _forward(lambda x: F.gelu(x)),
    "softmax": _forward(lambda x: torch.softmax(x, -1)),
    "layernorm": _forward(lambda x: F.layer_norm(x, x.shape[-1:])),
    "in_place_add": _forward(lambda x, y: x.add_(y)),
    "adam_step": _adam_step,
    "adam_step_resnet50": _adam_step,
    "fft": _forward(lambda x: torch.fft.fft(x)),
    "rfft": _forward(lambda x: torch.fft.rfft(x)),
    "fft2": _forward(lambda x: torch.fft.fft2(x)),
    "sum": _forward(lambda x: x.sum(-1)),
    "sum_columns": _forward(lambda x: x.sum(0)),
    "sum_all": _forward(lambda x: x.sum()),
    "mlp_fwd": _forward(mlp),
    "conv": _forward(lambda x, w: F.conv2d(x, w, padding=w.shape[-1] // 2)),
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
    "resnet18_train_step": _model_step(resnet18, lambda weights: torch.optim.SGD(weights, 2e-4, momentum=0.9)),
    "llama4_fwd": _model_forward(llama),
    "llama4_train_step": _model_step(llama, lambda weights: torch.optim.Adam(weights, 1e-4, eps=1e-12)),
}


_EMPTY_CACHE = tempfile.TemporaryDirectory()  # so that the first call compiles


def network(system: str, name: str, training: bool) -> Call:
    """The call of a network of bench_networks.py, for torch-eager, torch-channels-last or torch-compile."""
    images, targets = batch(name)
    x, y = torch.from_numpy(images), [torch.from_numpy(a) for a in targets]
    y = [a.long() if a.dtype == torch.int32 else a for a in y]
    leaves, f = _leaves(weights(name)), _NetworkSystem(training)
    if system == "torch-channels-last" and name in IMAGES:
        x = x.to(memory_format=torch.channels_last)
        leaves = [w.detach().to(memory_format=torch.channels_last).requires_grad_() if w.ndim == 4 else w for w in leaves]

    def forward(x: Any) -> Any:
        source = iter(leaves)
        return NETWORKS[name](f, lambda *shape, fill=None: next(source), x)

    def of_batch(x: Any, *y: Any) -> Any:
        return loss(f, name, forward(x), y)

    call = of_batch if training else forward
    if system == "torch-compile":
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = _EMPTY_CACHE.name
        call = torch.compile(call)
    if not training:
        return torch.no_grad()(lambda: call(x))
    rate = RATES.get(name, 1e-4)
    if name in RATES and name != "lstm":
        return _trained(torch.optim.Adam(leaves, rate, fused=True), lambda: (call(x, *y),) * 2)
    momentum = 0 if name == "lstm" else 0.9
    return _trained(torch.optim.SGD(leaves, rate, momentum, fused=True), lambda: (call(x, *y),) * 2)


def prepare(system: str, name: str, arrays: list[np.ndarray]) -> Call:
    """The call to time."""
    return PROGRAMS[program(name)](arrays)


def force(result: Any) -> float:
    """The first element of the result."""
    while isinstance(result, (tuple, list)):
        result = result[0]
    return float(result.reshape(-1)[0].real.float())
