"""Images lie channels-last inside jitted functions, where no bit may show it: eager ops keep all of them contiguous."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

Arrays = list[np.ndarray]


def _conv(x: Any, w: Any, **kwargs: Any) -> Any:
    return ops.conv2d(x, w, pad_mode="pad", **{"padding": w.shape[-1] // 2, **kwargs})


def _normed(x: Any, gamma: Any, beta: Any) -> Any:
    return ops.relu(ops.batch_norm(x, beta, gamma, gamma, beta, training=True))


def residual(x: Any, v: Any, w: Any, gamma: Any, beta: Any) -> Any:
    o = ops.max_pool2d(_normed(_conv(x, v, stride=2), gamma, beta), 3, 2, 1)
    o = ops.relu(_normed(_conv(o, w), gamma, beta) + o)
    o = ops.relu(_normed(_conv(o, w), gamma, beta) + o)
    return o.mean((2, 3))


def strided(x: Any, v: Any, w: Any, gamma: Any, beta: Any) -> Any:
    o = _normed(_conv(x, v), gamma, beta)
    o = _conv(o, w, stride=2) * _conv(o, w[:, :, 1:2, 1:2], stride=2, padding=0)
    return _normed(_conv(o, w, dilation=2, padding=2), gamma, beta).sum()


def grouped(x: Any, v: Any, w: Any, gamma: Any, beta: Any) -> Any:
    o = ops.relu(_conv(x, v))
    o = _conv(o, w[:, :4], groups=4) + _conv(o, w[:, :1], groups=16) * beta.reshape(-1, 1, 1)
    return ops.sigmoid(o).mean((0, 2, 3)) * gamma


def mixed(x: Any, v: Any, w: Any, gamma: Any, beta: Any) -> Any:
    o = _normed(_conv(x, v), gamma, beta)
    o = ops.concat((_conv(o, w), o), 1)[:, 4:20]
    o = ops.softmax(_conv(o, w), 1) + _conv(o, w).swapaxes(2, 3).swapaxes(2, 3)
    o = ops.avg_pool2d(_conv(o, w), 3, 2, 1) + o.sum(3, keepdims=True).mean((2,), keepdims=True)
    images, channels, height, width = o.shape
    return (o.reshape(images, channels * height * width) * 0.5).sum(-1)


def looped(x: Any, v: Any, w: Any, gamma: Any, beta: Any) -> Any:
    o = _conv(x, v)
    for _ in range(3):
        o = ops.tanh(_normed(_conv(o, w), gamma, beta) - o)
        if gamma.sum() > beta.sum():
            o = o + _conv(o, w)
    return ops.adaptive_avg_pool2d(o, (3, 2)) * o.sum()


def line(x: Any, v: Any, w: Any, gamma: Any, beta: Any) -> Any:
    x, v, w = x[:, :, 0], v[:, :, 1], w[:, :, 1]
    o = ops.relu(ops.conv1d(x, v, pad_mode="pad", padding=1) * gamma[:, None])
    return ops.conv1d(o, w, stride=2) + ops.conv1d(o, w, stride=2).mean(0)


def volume(x: Any, v: Any, w: Any, gamma: Any, beta: Any) -> Any:
    x = ops.stack((x, x * 2, x + 1), 2)
    v, w = ops.stack((v, v), 2), ops.stack((w, w), 2)
    o = ops.relu(ops.conv3d(x, v, pad_mode="pad", padding=1))
    return ops.conv3d(o * beta.reshape(1, -1, 1, 1, 1), w, pad_mode="pad", padding=1).sum(2)


NETS = [residual, strided, grouped, mixed, looped, line, volume]
SHAPES = [(2, 12, 10), (3, 7, 9), (1, 17, 5), (0, 6, 6)]


def _arrays(images: tuple[int, int, int], dtype: Any) -> list[Any]:
    draw = np.random.default_rng(sum(images)).standard_normal
    n, height, width = images
    shapes = [(n, 3, height, width), (16, 3, 3, 3), (16, 16, 3, 3), (16,), (16,)]
    return [Tensor((draw(s) * 0.5).astype(np.float32)).astype(dtype) for s in shapes]


def _bits(result: Any) -> list[np.ndarray]:
    parts = result if isinstance(result, (tuple, list)) else (result,)
    return [np.asarray(p.asnumpy() if p.dtype != ms.bfloat16 else p.float().asnumpy()) for p in parts]


def _expect_same(function: Callable[..., Any], arguments: list[Any]) -> None:
    wanted = _bits(function(*arguments))
    jitted = ms.jit(function)
    for threads in (1, 2, 3, 7):
        ms.set_num_threads(threads)
        try:
            got = _bits(jitted(*arguments))
        finally:
            ms.set_num_threads(2)
        for a, b in zip(got, wanted, strict=True):
            np.testing.assert_array_equal(a, b, strict=True)
            np.testing.assert_array_equal(np.signbit(a), np.signbit(b))


@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("images", SHAPES)
def test_forward_has_eager_bits(net: Any, images: tuple[int, int, int]) -> None:
    _expect_same(net, _arrays(images, ms.float32))


@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("images", SHAPES)
def test_gradient_has_eager_bits(net: Any, images: tuple[int, int, int]) -> None:
    gradient = ms.grad(lambda *a: net(*a).sum(), tuple(range(5)))
    _expect_same(gradient, _arrays(images, ms.float32))


@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("dtype", [ms.float64, ms.float16, ms.bfloat16])
def test_other_dtypes_have_eager_bits(net: Any, dtype: Any) -> None:
    _expect_same(ms.grad(lambda *a: net(*a).sum(), (0, 1, 2)), _arrays((2, 12, 10), dtype))
