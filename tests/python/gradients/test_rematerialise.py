"""What a gradient needs of the forward part is computed again where that is cheap: with the bits of what is kept, and in
less memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

ROWS, WIDTH = 32, 48

Layer = Callable[[Any, Any], Any]


def gated(x: Any, w: Any) -> Any:
    return ops.silu(x @ w) * (x @ w.T)


def normed(x: Any, w: Any) -> Any:
    centred = x - x.mean(-1, keep_dims=True)
    return ops.relu(centred / ops.sqrt((centred * centred).mean(-1, keep_dims=True) + 1e-5)) @ w


def masked(x: Any, w: Any) -> Any:
    return ops.select(x > 0.25, x * 0.5, ops.relu(x + 1.0)) @ w


def mixed(x: Any, w: Any) -> Any:
    h = x @ w
    return ops.tanh(h) * ops.sigmoid(h) + h * 0.5


def halves(x: Any, w: Any) -> Any:
    h = (x @ w).astype(ms.bfloat16)
    return (ops.relu(h) * (h * 0.5 + 1.0)).astype(ms.float32)


def gelu(x: Any, w: Any) -> Any:
    return ops.gelu(x @ w) * x + x


LAYERS = [gated, normed, masked, mixed, halves, gelu]


def arrays(depth: int) -> list[Tensor]:
    rng = np.random.default_rng(7)
    weights = [rng.standard_normal((WIDTH, WIDTH)) / WIDTH**0.5 for _ in range(depth)]
    return [Tensor(a.astype(np.float32)) for a in (rng.standard_normal((ROWS, WIDTH)), *weights)]


def stack(layer: Layer, keep: bool) -> Callable[..., Any]:
    """The mean square of `layer` done once a weight; what layers return is a result too, or is not."""

    def f(x: Any, *weights: Any) -> Any:
        kept = []
        for w in weights:
            x = layer(x, w)
            kept.append(x)
        return ((x * x).mean(), kept) if keep else (x * x).mean()

    return f


def gradients(layer: Layer, keep: bool, depth: int) -> Callable[..., Any]:
    return ms.grad(stack(layer, keep), tuple(range(depth + 1)), has_aux=keep)


def bits(gradient: Any) -> list[np.ndarray]:
    return [g.asnumpy().view(np.uint32) for g in gradient]


def arena(layer: Layer, depth: int) -> int:
    """Bytes that the gradient's graph plans for a call."""
    jitted = ms.jit(gradients(layer, False, depth))
    jitted(*arrays(depth))
    return int(ms.explain(jitted)["entries"][0]["specialisations"][0]["arena_bytes"])


@pytest.mark.parametrize("layer", LAYERS)
def test_gradients_are_those_of_kept_values(layer: Layer) -> None:
    operands = arrays(4)
    eager = bits(gradients(layer, False, 4)(*operands))
    jitted = bits(ms.jit(gradients(layer, False, 4))(*operands))
    kept = bits(ms.jit(gradients(layer, True, 4))(*operands)[0])
    for a, b, c in zip(eager, jitted, kept, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)


# Of each layer's values of ROWS * WIDTH elements those that no cheap op makes of others.
@pytest.mark.parametrize(("layer", "kept"), [(normed, 2), (mixed, 3), (halves, 2)])
def test_a_layer_keeps_what_cannot_be_computed_again(layer: Layer, kept: int) -> None:
    growth = (arena(layer, 12) - arena(layer, 4)) / 8
    assert growth <= kept * ROWS * WIDTH * 4 * 1.05
