"""The workloads on emberjit. Each takes the arrays of bench_inputs.py and returns the call to time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from bench_inputs import ALEXNET, HEADS, KV_HEADS, if_net, program, unroll
from bench_models import llama, resnet18
from bench_networks import NETWORKS, RATES, batch, loss, weights

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops
from emberjit import _emberjit as core

MULTIPLIES = ("gemm", "conv", "mlp", "basicblock", "llama", "alexnet", "resnet18")  # names of what has products begin so

Call = Callable[[], Any]
Wrap = Callable[[Any], Any]


def chain(x: Any) -> Any:
    return ops.sigmoid(x * 2 + 1) * ops.tanh(x - 0.5) + ops.exp(-x * x) * 0.3


def layernorm(x: Any) -> Any:
    return ops.layer_norm(x, x.shape[-1:])


def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any) -> Any:
    return ops.relu(ops.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3


def block(x: Any, w1: Any, w2: Any, gamma: Any, beta: Any) -> Any:
    def normed(o: Any) -> Any:
        return ops.batch_norm(o, beta, gamma, gamma, beta, training=True)

    o = ops.relu(normed(ops.conv2d(x, w1, pad_mode="pad", padding=1)))
    return ops.relu(normed(ops.conv2d(o, w2, pad_mode="pad", padding=1)) + x)


def turned(x: Any, cosines: Any, sines: Any) -> Any:
    half = x.shape[-1] // 2
    return x * cosines + ops.concat((-x[..., half:], x[..., :half]), -1) * sines


def attention(x: Any, wq: Any, wk: Any, wv: Any, wo: Any) -> Any:
    batch, length, width = x.shape
    d = width // HEADS
    q = (x @ wq).reshape(batch, length, HEADS, d).swapaxes(1, 2)
    k = (x @ wk).reshape(batch, length, KV_HEADS, d).swapaxes(1, 2)
    v = (x @ wv).reshape(batch, length, KV_HEADS, d).swapaxes(1, 2)
    rates = 1.0 / (10000 ** (ops.arange(0, d, 2).float() / d))
    angles = ops.arange(length).float()[:, None] * rates[None]
    angles = ops.concat((angles, angles), -1)
    cosines, sines = ops.cos(angles), ops.sin(angles)
    q, k = turned(q, cosines, sines), turned(k, cosines, sines)
    k = ops.repeat_interleave(k, HEADS // KV_HEADS, 1)
    v = ops.repeat_interleave(v, HEADS // KV_HEADS, 1)
    scores = q @ k.swapaxes(-1, -2) / d**0.5
    scores = scores + ops.triu(ops.full((length, length), -math.inf, dtype=ms.float32), 1)
    return (ops.softmax(scores, -1) @ v).swapaxes(1, 2).reshape(batch, length, width) @ wo


def churned(x: Any, w: Any) -> Any:
    return ops.softmax(ops.relu(x @ w) * 0.5 + x, -1)


def select_net(x: Any, y: Any) -> Any:
    out = x
    for _ in range(100):
        x = ops.select(x < y, x - y, x + y)
        out = out + x
    return out


class AlexNet(nn.Cell):
    """The network of the paper in the form that torchvision made common, without dropout."""

    def __init__(self, arrays: list[np.ndarray]):
        super().__init__()
        self.weights = ms.ParameterTuple(Parameter(Tensor(a), f"p{i}") for i, a in enumerate(arrays))

    def construct(self, x: Any) -> Any:
        w = self.weights
        for i, (stride, padding, pooled) in enumerate(ALEXNET):
            x = ops.conv2d(x, w[2 * i], w[2 * i + 1], stride=stride, pad_mode="pad", padding=padding)
            x = ops.relu(x)
            x = ops.max_pool2d(x, 3, 2) if pooled else x
        x = x.reshape(x.shape[0], -1)
        for i in (5, 6, 7):
            x = ops.dense(x, w[2 * i], w[2 * i + 1])
            x = ops.relu(x) if i < 7 else x
        return x


class _System:
    """What bench_models.py asks for."""

    relu, silu, rsqrt, tensor = staticmethod(ops.relu), staticmethod(ops.silu), staticmethod(ops.rsqrt), Tensor

    def conv(self, x: Any, weight: Any, stride: int, padding: int) -> Any:
        return ops.conv2d(x, weight, stride=stride, pad_mode="pad", padding=padding)

    def batch_norm(self, x: Any, gamma: Any, beta: Any) -> Any:
        return ops.batch_norm(x, beta, gamma, gamma, beta, training=True)

    def max_pool(self, x: Any) -> Any:
        return ops.max_pool2d(x, 3, 2, 1)

    def concat(self, parts: tuple[Any, ...]) -> Any:
        return ops.concat(parts, -1)

    def heads(self, x: Any, count: int) -> Any:
        return x.reshape(*x.shape[:2], count, -1).swapaxes(1, 2)

    def attention(self, q: Any, k: Any, v: Any) -> Any:
        groups, length = q.shape[1] // k.shape[1], q.shape[2]
        k, v = ops.repeat_interleave(k, groups, 1), ops.repeat_interleave(v, groups, 1)
        scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
        mask = ops.triu(ops.full((length, length), -math.inf, dtype=ms.float32), 1)
        return ops.softmax(scores + mask, -1) @ v

    def cross_entropy(self, logits: Any, labels: Any) -> Any:
        return ops.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1))


def _lstm(weights: list[Parameter]) -> nn.Cell:
    """A layer of these weights and biases."""
    layer = nn.LSTM(weights[0].shape[1], weights[1].shape[1])
    for name, weight in zip(("w_ih_list", "w_hh_list", "b_ih_list", "b_hh_list"), weights):
        setattr(layer, name, ms.ParameterTuple([weight]))
    return layer


class _NetworkSystem(_System):
    """What bench_networks.py asks for."""

    relu6, sigmoid, dense = staticmethod(ops.relu6), staticmethod(ops.sigmoid), staticmethod(ops.dense)
    gelu = staticmethod(ops.gelu)

    def __init__(self, training: bool, layers: dict[str, nn.Cell]):
        self.training, self.layers = training, layers

    def batch_norm(self, x: Any, gamma: Any, beta: Any) -> Any:
        if self.training:
            return super().batch_norm(x, gamma, beta)
        return ops.batch_norm(x, ops.zeros_like(beta), ops.ones_like(beta), gamma, beta)

    def leaky_relu(self, x: Any) -> Any:
        return ops.leaky_relu(x, 0.1)

    def layer_norm(self, x: Any, gamma: Any, beta: Any) -> Any:
        return ops.layer_norm(x, x.shape[-1:], gamma, beta)

    def depthwise(self, x: Any, weight: Any, stride: int) -> Any:
        return ops.conv2d(x, weight, stride=stride, pad_mode="pad", padding=1, groups=weight.shape[0])

    def pool(self, x: Any) -> Any:
        return ops.max_pool2d(x, 2, 2)

    def upsample(self, x: Any) -> Any:
        return ops.interpolate(x, scale_factor=2.0, recompute_scale_factor=True)

    def channels(self, parts: tuple[Any, ...]) -> Any:
        return ops.concat(parts, 1)

    def average(self, x: Any, axes: tuple[int, ...]) -> Any:
        return x.mean(axes)

    def tokens(self, x: Any) -> Any:
        return x.reshape(*x.shape[:2], -1).swapaxes(1, 2)

    def joined(self, x: Any) -> Any:
        return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)

    def attend(self, q: Any, k: Any, v: Any, causal: bool) -> Any:
        if causal:
            return self.attention(q, k, v)
        return ops.softmax(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, -1) @ v

    def embedding(self, words: Any, weight: Any) -> Any:
        return ops.gather(weight, words, 0)

    def lstm(self, x: Any, weights: list[Any]) -> Any:
        return self.layers[weights[0].name](x)[0]


def _forward(function: Any) -> Callable[..., Call]:
    def prepare(wrap: Wrap, arrays: list[np.ndarray]) -> Call:
        tensors, call = [Tensor(a) for a in arrays], wrap(function)
        return lambda: call(*tensors)

    return prepare


def _backward(function: Any) -> Callable[..., Call]:
    def prepare(wrap: Wrap, arrays: list[np.ndarray]) -> Call:
        return _forward(ms.grad(lambda *a: function(*a).sum(), tuple(range(len(arrays)))))(wrap, arrays)

    return prepare


def _halves(wrap: Wrap, arrays: list[np.ndarray]) -> Call:
    a, b = (Tensor(x).astype(ms.bfloat16) for x in arrays)
    call = wrap(lambda a, b: a @ b)
    return lambda: call(a, b)


def _churn(wrap: Wrap, arrays: list[np.ndarray]) -> Call:
    weight, call = Tensor(arrays[0]), wrap(churned)
    return lambda: [call(Tensor(x), weight) for x in arrays[1:] for _ in range(20)][-1]


def _mlp_step(wrap: Wrap, arrays: list[np.ndarray]) -> Call:
    labels, x = Tensor(arrays[0]), Tensor(arrays[1])
    weights = [Parameter(Tensor(a), f"p{i}") for i, a in enumerate(arrays[2:])]
    optimizer = nn.SGD(weights, 0.01)
    gradient = ms.value_and_grad(lambda x, y: ops.cross_entropy(mlp(x, *weights), y), None, weights)

    def step(x: Any, y: Any) -> Any:
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    call = wrap(step)
    return lambda: call(x, labels)


def _adam_step(wrap: Wrap, arrays: list[np.ndarray]) -> Call:
    half = len(arrays) // 2
    weights = [Parameter(Tensor(a), f"p{i}") for i, a in enumerate(arrays[:half])]
    gradients, optimizer = tuple(Tensor(a) for a in arrays[half:]), nn.Adam(weights, 1e-3)

    def step(*gradients: Any) -> Any:
        optimizer(gradients)
        return optimizer.global_step

    call = wrap(step)
    return lambda: call(*gradients)


def _alexnet_step(wrap: Wrap, arrays: list[np.ndarray]) -> Call:
    x, net = Tensor(arrays[0]), AlexNet(arrays[1:])
    optimizer = nn.SGD(net.trainable_params(), 0.01)

    def forward(x: Any) -> Any:
        out = net(x)
        return (out * out).mean(), out

    gradient = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(x: Any) -> Any:
        (_, out), gradients = gradient(x)
        optimizer(gradients)
        return out

    call = wrap(step)
    return lambda: call(x)


def _model_forward(model: Any) -> Callable[..., Call]:
    return _forward(lambda labels, x, *weights: model(_System(), iter(weights), x))


def _model_step(model: Any, optimiser: Callable[[list[Parameter]], Any]) -> Callable[..., Call]:
    def prepare(wrap: Wrap, arrays: list[np.ndarray]) -> Call:
        labels, x = Tensor(arrays[0]), Tensor(arrays[1])
        weights = [Parameter(Tensor(a), f"p{i}") for i, a in enumerate(arrays[2:])]
        update, f = optimiser(weights), _System()

        def loss(x: Any, y: Any) -> Any:
            return f.cross_entropy(model(f, iter(weights), x), y)

        gradient = ms.value_and_grad(loss, None, weights)

        def step(x: Any, y: Any) -> Any:
            value, gradients = gradient(x, y)
            update(gradients)
            return value

        call = wrap(step)
        return lambda: call(x, labels)

    return prepare


PROGRAMS: dict[str, Callable[[Wrap, list[np.ndarray]], Call]] = {
    "abc": _forward(lambda a, b, c: a * b + c),
    "add": _forward(lambda a, b: a + b),
    "elementwise": _forward(chain),
    "gelu": _forward(lambda x: ops.gelu(x)),
    "softmax": _forward(lambda x: ops.softmax(x, -1)),
    "layernorm": _forward(layernorm),
    "in_place_add": _forward(lambda x, y: x.add_(y)),
    "adam_step": _adam_step,
    "adam_step_resnet50": _adam_step,
    "fft": _forward(lambda x: ops.fft(x)),
    "rfft": _forward(lambda x: ops.rfft(x)),
    "fft2": _forward(lambda x: ops.fft2(x)),
    "sum": _forward(lambda x: x.sum(-1)),
    "sum_columns": _forward(lambda x: x.sum(0)),
    "sum_all": _forward(lambda x: x.sum()),
    "mlp_fwd": _forward(mlp),
    "conv": _forward(lambda x, w: ops.conv2d(x, w, pad_mode="pad", padding=w.shape[-1] // 2)),
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
    "resnet18_train_step": _model_step(resnet18, lambda weights: nn.Momentum(weights, 2e-4, 0.9)),
    "llama4_fwd": _model_forward(llama),
    "llama4_train_step": _model_step(llama, lambda weights: nn.Adam(weights, 1e-4, eps=1e-12)),
}


def _network(name: str, training: bool) -> tuple[Call, _NetworkSystem, list[Parameter]]:
    """A network of bench_networks.py as a function of its batch, and what it is made of."""
    parameters = [Parameter(Tensor(a), f"p{i}") for i, a in enumerate(weights(name))]
    layers = {parameters[at].name: _lstm(parameters[at : at + 4]) for at in (1, 5)} if name == "lstm" else {}
    f = _NetworkSystem(training, layers)

    def forward(x: Any) -> Any:
        source = iter(parameters)
        return NETWORKS[name](f, lambda *shape, fill=None: next(source), x)

    return forward, f, parameters


def export(name: str, path: str) -> None:
    """Writes a network of bench_networks.py, for inference, as a file of ONNX."""
    ms.onnx.export(_network(name, False)[0], Tensor(batch(name)[0]), file_name=path)


def network(system: str, name: str, training: bool) -> Call:
    """The call of a network of bench_networks.py: its results, or a step of its training and the loss."""
    wrap: Wrap = ms.jit if system == "emberjit-jit" else lambda function: function
    images, targets = batch(name)
    x, y = Tensor(images), [Tensor(a) for a in targets]
    forward, f, held = _network(name, training)
    if not training:
        call = wrap(forward)
        return lambda: call(x)
    rate = RATES.get(name, 1e-4)
    optimizer: Any = nn.SGD(held, rate) if name == "lstm" else nn.Adam(held, rate)
    if name not in RATES:
        optimizer = nn.Momentum(held, rate, 0.9)
    gradient = ms.value_and_grad(lambda x, *y: loss(f, name, forward(x), y), None, held)

    def step(x: Any, *y: Any) -> Any:
        value, gradients = gradient(x, *y)
        optimizer(gradients)
        return value

    call = wrap(step)
    return lambda: call(x, *y)


def prepare(system: str, name: str, arrays: list[np.ndarray]) -> Call:
    """The call to time, for emberjit-eager or emberjit-jit."""
    wrap: Wrap = ms.jit if system == "emberjit-jit" else lambda function: function
    return PROGRAMS[program(name)](wrap, arrays)


def turn_to_ieee(name: str) -> bool:
    """Lets products be chains from now on, if the workload is one that the default does otherwise here."""
    if not name.startswith(MULTIPLIES) or core.isa() != "amx":
        return False
    ms.set_context(matmul_precision="ieee")
    return True


def force(result: Any) -> float:
    """The first element of the result."""
    while isinstance(result, (tuple, list)):
        result = result[0]
    return float(np.asarray(result).flat[0].real)
