"""Convolution and pooling of one, two and three sizes: what holds between them, in graphs, batches and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops

CONV = {1: ops.conv1d, 2: ops.conv2d, 3: ops.conv3d}
TRANSPOSE = {1: ops.conv_transpose1d, 2: ops.conv_transpose2d, 3: ops.conv_transpose3d}


def normal(seed: int, *shape: int) -> Tensor:
    return Tensor(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def equal(got: Any, want: Any) -> None:
    assert got.shape == want.shape
    np.testing.assert_array_equal(got.asnumpy(), want.asnumpy())


def gradients(f: Callable[..., Any], *args: Tensor) -> list[Tensor]:
    return list(ms.grad(lambda *xs: (f(*xs) * f(*xs)).sum(), tuple(range(len(args))))(*args))


@pytest.mark.parametrize("pad_mode", ["valid", "same"])
def test_an_image_that_lacks_a_size_is_one_of_size_1(pad_mode: str) -> None:
    flat = lambda x, w: ops.conv1d(x, w, stride=2, pad_mode=pad_mode, groups=2)
    plane = lambda x, w: ops.conv2d(x, w, stride=(1, 2), pad_mode=pad_mode, groups=2)
    volume = lambda x, w: ops.conv3d(x, w, stride=(1, 1, 2), pad_mode=pad_mode, groups=2)
    x, w = normal(1, 3, 4, 19), normal(2, 6, 2, 3)
    for f, ones in ((plane, (1,)), (volume, (1, 1))):
        wide, wide_w = x.reshape((3, 4, *ones, 19)), w.reshape((6, 2, *ones, 3))
        equal(f(wide, wide_w).reshape(flat(x, w).shape), flat(x, w))
        for got, want in zip(gradients(f, wide, wide_w), gradients(flat, x, w)):
            equal(got.reshape(want.shape), want)


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_a_transposed_convolution_is_the_gradient_of_the_input(axes: int) -> None:
    x, w = normal(1, 2, 4, *(6, 5, 7)[:axes]), normal(2, 6, 2, *(3, 2, 3)[:axes])
    how = {"stride": 2, "padding": 1, "groups": 2}
    y, pullback = ms.vjp(lambda t: CONV[axes](t, w, pad_mode="pad", **how), x)
    dy = normal(3, *y.shape)
    wide = tuple((n + 2 - k) % 2 for n, k in zip(x.shape[2:], w.shape[2:]))
    (dx,) = pullback(dy)
    equal(TRANSPOSE[axes](dy, w, output_padding=wide, **how), dx)


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("jitted", [False, True])
def test_a_batch_of_images_and_weights_is_a_loop(axes: int, count: int, jitted: bool) -> None:
    x, w = normal(1, count, 2, 4, *(5, 4, 3)[:axes]), normal(2, count, 4, 2, *(2, 3, 2)[:axes])
    f = lambda x, w: CONV[axes](x, w, pad_mode="same", stride=2, groups=2)
    one = f(normal(1, *x.shape[1:]), normal(2, *w.shape[1:]))
    together = ms.jit(ms.vmap(f)) if jitted else ms.vmap(f)
    got = together(x, w)
    assert got.shape == (count, *one.shape)
    for i in range(count):
        equal(got[i], f(x[i], w[i]))
    shared = ms.vmap(f, (None, 0))(normal(1, *x.shape[1:]), w)
    assert shared.shape == got.shape
    for part, want in zip(gradients(together, x, w), (x, w)):
        assert part.shape == want.shape


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_no_images_give_weights_a_gradient_of_zero(axes: int) -> None:
    x, w = normal(1, 0, 4, *(5, 4, 3)[:axes]), normal(2, 3, 4, *(2, 3, 2)[:axes])
    f = lambda x, w: CONV[axes](x, w)
    dx, dw = gradients(f, x, w)
    assert f(x, w).shape == (0, 3, *(4, 2, 2)[:axes])
    assert dx.shape == x.shape
    equal(dw, ops.zeros(w.shape, ms.float32))


def made(name: str) -> tuple[nn.Cell, Callable[[int, int], Tensor]]:
    axes = int(name.split("d", maxsplit=1)[0][-1]) if "Adaptive" not in name else int(name[-2])
    image = lambda n, size: normal(n + size, n, 4, *(size, size + 1, 4)[:axes])
    if name.startswith("Conv"):
        more = {"output_padding": 1} if name[4:].startswith(("2dT", "3dT")) else {}
        return getattr(nn, name)(4, 6, 3, 2, "pad", 1, group=2, has_bias=True, **more), image
    if name.startswith("Adaptive"):
        return getattr(nn, name)(3), image
    if name.startswith("Batch"):
        return getattr(nn, name)(4).set_train(), image
    return getattr(nn, name)(2, 2, "same"), image


CELLS = [
    *(f"Conv{n}d{transposed}" for n in (1, 2, 3) for transposed in ("", "Transpose")),
    *(f"{kind}{n}d" for n in (1, 2, 3) for kind in ("MaxPool", "AvgPool", "AdaptiveAvgPool", "BatchNorm")),
]


@pytest.mark.parametrize("name", CELLS)
def test_a_jitted_cell_is_the_eager_one_at_any_size(name: str) -> None:
    net, image = made(name)
    weights = list(net.trainable_params())
    loss = lambda x: (net(x) ** 2).sum()
    both = lambda x: ms.value_and_grad(loss, 0, weights or None)(x)
    jitted = ms.jit(both)
    for n, size in ((2, 6), (2, 6), (3, 7), (1, 9), (5, 8), (2, 6)):
        x = image(n, size)
        (want, wanted), (got, found) = both(x), jitted(x)
        equal(got, want)
        pairs = zip((found[0], *found[1]), (wanted[0], *wanted[1])) if weights else [(found, wanted)]
        for a, b in pairs:
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-5)


def test_zeros_of_the_padding_meet_infinite_weights() -> None:
    w = Tensor(np.full((1, 1, 3), np.inf, np.float32))
    y = ops.conv1d(ops.ones((1, 1, 4), ms.float32), w, pad_mode="same").asnumpy()
    assert np.isnan(y[0, 0, [0, 3]]).all() and np.isinf(y[0, 0, 1:3]).all()
