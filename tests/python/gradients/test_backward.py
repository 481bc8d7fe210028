"""Gradients that have names of their own (XGrad): each is the vjp of what it is the gradient of, eagerly, jitted, under
gradients and batched; what test_declarations.py does not compare with differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

RNG = np.random.default_rng(5)


def f32(*shape: int) -> Tensor:
    return Tensor(RNG.uniform(-2, 2, shape).astype(np.float32))


def same(got: Any, want: Any, tolerance: float = 2e-5) -> None:
    got, want = (value if isinstance(value, tuple) else (value,) for value in (got, want))
    for a, b in zip(got, want, strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=tolerance, atol=tolerance)


def check(call: Any, want: Any, *operands: Any) -> None:
    """call(*operands) is want in all ways; it has a gradient by its first operand of floats, and is batched by that."""
    same(call(*operands), want)
    same(ms.jit(call)(*operands), want)
    at = next(i for i, x in enumerate(operands) if isinstance(x, Tensor) and x.dtype == ms.float32)

    def loss(x: Any) -> Any:
        found = call(*operands[:at], x, *operands[at + 1 :])
        return sum((part * part).sum() for part in (found if isinstance(found, tuple) else (found,)))

    same(ms.jit(ms.grad(loss))(operands[at]), ms.grad(loss)(operands[at]))

    def batched(x: Any) -> Any:
        return call(*operands[:at], x, *operands[at + 1 :])

    rows = (operands[at], operands[at] * 2)
    got = ms.vmap(batched)(ops.stack(rows))
    each = [batched(row) for row in rows]
    wanted = tuple(map(ops.stack, zip(*each))) if isinstance(each[0], tuple) else ops.stack(each)
    same(got, wanted)


def of(forward: Any, grad: Any, *operands: Any) -> Any:
    """The gradients of forward's first result."""

    def first(*given: Any) -> Any:
        found = forward(*given)
        return found[0] if isinstance(found, tuple) else found

    found = ops.vjp(first, *operands)[1](grad)
    return found if len(found) > 1 else found[0]


X, IMAGE, VOLUME = f32(2, 4, 4), f32(2, 3, 4, 4), f32(1, 2, 2, 4, 2)


def cases_of_windows() -> Any:
    pool = ops.MaxPoolWithArgmax(2, 2)
    grad, at = f32(2, 3, 2, 2), pool(IMAGE)[1]
    yield "MaxPoolGradWithArgmax", ops.MaxPoolGradWithArgmax(2, 2), pool, (IMAGE, grad, at)
    second = ops.MaxPoolWithArgmaxV2(2, 2)
    yield "MaxPoolGradWithArgmaxV2", ops.MaxPoolGradWithArgmaxV2(2, 2), second, (IMAGE, grad, second(IMAGE)[1])
    third = ops.MaxPool3DWithArgmax((2, 2, 2), (2, 2, 2), 0)
    given = (VOLUME, f32(1, 2, 1, 2, 1), third(VOLUME)[1])
    yield "MaxPool3DGradWithArgmax", ops.MaxPool3DGradWithArgmax((2, 2, 2), (2, 2, 2), 0), third, given
    adaptive = ops.AdaptiveMaxPool2D(2)

    def backward(x: Any, grad: Any, at: Any) -> Any:
        return ops.AdaptiveMaxPool2DGrad()(grad, x, at)

    yield "AdaptiveMaxPool2DGrad", backward, adaptive, (IMAGE, grad, adaptive(IMAGE)[1])
    flat, cube = ops.FractionalMaxPoolWithFixedKsize(2, 2), ops.FractionalMaxPool3DWithFixedKsize(1, (2, 2, 2))
    pool = lambda x: flat(x, ops.full((2, 3, 2), 0.25))
    yield "Fractional", ops.FractionalMaxPoolGradWithFixedKsize(), pool, (IMAGE, grad, pool(IMAGE)[1])
    third = lambda x: cube(x, ops.full((1, 2, 3), 0.25))
    given = (VOLUME, f32(1, 2, 2, 2, 2), third(VOLUME)[1])
    yield "Fractional3D", ops.FractionalMaxPool3DGradWithFixedKsize(), third, given


@pytest.mark.parametrize(
    "name, backward, forward, given", [*cases_of_windows()], ids=lambda x: x if isinstance(x, str) else ""
)
def test_the_largest_of_windows(name: str, backward: Any, forward: Any, given: Any) -> None:
    x, grad, _ = given
    check(lambda grad, x, at: backward(x, grad, at), of(forward, grad, x), grad, x, given[2])


def test_positions_are_those_of_the_whole_image() -> None:
    values, at = ops.MaxPoolWithArgmax(2, 2)(IMAGE)
    np.testing.assert_array_equal(np.take_along_axis(IMAGE.asnumpy().reshape(2, -1), at.asnumpy().reshape(2, -1), 1),
                                  values.asnumpy().reshape(2, -1))  # fmt: skip
    check(ops.MaxPoolGradGradWithArgmax(2, 2), ops.MaxPoolGradGrad(2, 2)(IMAGE, values, IMAGE * 2), IMAGE, IMAGE * 2, at)
    with pytest.raises(ValueError, match="'argmax' must have the shape"):
        ops.MaxPoolGradWithArgmax(2, 1)(IMAGE, values, at)


def test_what_unpooling_puts() -> None:
    for axes, x in ((2, IMAGE), (3, VOLUME)):
        pool = ops.MaxPoolWithArgmaxV2(2, 2) if axes == 2 else ops.MaxPool3DWithArgmax((2, 2, 2), (2, 2, 2), 0)
        values, at = pool(x)
        unpool, backward = ((ops.MaxUnpool2D, ops.MaxUnpool2DGrad), (ops.MaxUnpool3D, ops.MaxUnpool3DGrad))[axes - 2]
        check(backward(2, 2), of(lambda y: unpool(2, 2)(y, at), x, values), values, x, at)


def test_regions_of_images() -> None:
    x, grad = f32(1, 4, 6, 2), f32(1, 2, 2, 2)
    for overlapping in (False, True):
        for kind in ("Max", "Avg"):
            pool = getattr(ops, f"Fractional{kind}Pool")([1.0, 2.0, 3.0, 1.0], False, overlapping, True)
            y, rows, columns = pool(x)
            backward = getattr(ops, f"Fractional{kind}PoolGrad")(overlapping)
            given = (x, y) if kind == "Max" else (x.shape,)
            same(backward(*given, grad, rows, columns), of(pool, grad, x))


@pytest.mark.parametrize("mode, sizes", [("nearest", (1, 7)), ("linear", (1, 7)), ("cubic", (5, 7))])
@pytest.mark.parametrize("rule", ["half_pixel", "align_corners"])
def test_resized_images(mode: str, sizes: tuple[int, int], rule: str) -> None:
    x = f32(1, 2, 1 if mode != "cubic" else 3, 4)
    grad, backward = f32(1, 2, *sizes), ops.ResizeV2Grad(rule, mode)

    def total(x: Any) -> Any:
        return (backward(grad, None, None, x.shape) * x).sum()

    slope = ms.grad(total)(x)
    same(slope, backward(grad, None, None, x.shape))
    ones = backward(ops.ones_like(grad), None, None, x.shape)
    np.testing.assert_allclose(ones.sum().item(), grad.size, rtol=1e-5)


def test_regions_with_channels_of_their_own() -> None:
    rois = Tensor(
        np.array([[[0.0, 1], [1, 0], [2, 1], [9, 6], [8, 5]], [[1, 0], [0, 3], [0, 2], [7, 9], [6, 9]]], np.float32)
    )
    x, grad = f32(2, 8, 5, 5), f32(4, 2, 2, 2)
    pool = ops.PSROIPooling(0.5, 2, 2)
    check(ops.PSROIPoolingGrad(5, 0.5, 2, 2), of(lambda y: pool(y, rois), grad, x), grad, rois)
    with pytest.raises(ValueError, match="'rois' must be of shape"):
        pool(x, rois[:, :4])
    with pytest.raises(ValueError, match="'spatial_scale' must be positive"):
        ops.PSROIPooling(-0.5, 2, 2)(x, rois)


def test_normalised_layers() -> None:
    x, dy, gamma, beta = f32(2, 3, 4), f32(2, 3, 4), f32(3, 4), f32(3, 4)
    layer = ops.LayerNorm(1, 1, 1e-12)
    _, mean, variance = layer(x, gamma, beta)
    first = ops.LayerNormGrad()
    check(first, of(layer, dy, x, gamma, beta), x, dy, variance, mean, gamma)
    tangents = (f32(2, 3, 4), f32(3, 4), f32(3, 4))

    def whole(x: Any, dy: Any, gamma: Any) -> Any:
        return ops.vjp(lambda *given: layer(*given, beta)[0], x, gamma)[1](dy)

    wanted = ops.vjp(whole, x, dy, gamma)[1](*tangents[:2])
    by_beta = ops.vjp(lambda dy: dy.sum(0), dy)[1](tangents[2])[0]
    got = ops.LayerNormGradGrad()(x, dy, variance, mean, gamma, *tangents)
    same(got, (wanted[0], wanted[1] + by_beta, wanted[2]), 1e-3)


@pytest.mark.parametrize("training", [False, True])
def test_normalised_batches(training: bool) -> None:
    x, dy, scale, bias = f32(2, 3, 4, 2), f32(2, 3, 4, 2), f32(3), f32(3)
    mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
    if not training:
        mean, variance = mean + 0.5, variance * 2

    def batch(x: Any, scale: Any, bias: Any) -> Any:
        return ops.BatchNorm(training, 1e-3)(x, scale, bias, mean, variance)[0]

    first = ops.BatchNormGrad(training, 1e-3)
    check(first, of(batch, dy, x, scale, bias), dy, x, scale, mean, variance, variance)
    tangents = (f32(2, 3, 4, 2), f32(3), f32(3))

    def whole(x: Any, dy: Any, scale: Any) -> Any:
        return ops.vjp(batch, x, scale, bias)[1](dy)

    wanted = ops.vjp(whole, x, dy, scale)[1](*tangents)
    same(ops.BatchNormGradGrad(training, 1e-3)(x, dy, scale, mean, variance, *tangents), wanted, 1e-4)


def test_normalised_groups() -> None:
    x, dy, gamma, beta = f32(2, 4, 3), f32(2, 4, 3), f32(4), f32(4)
    grouped = x.reshape((2, 2, 6))
    mean, rstd = grouped.mean(-1), ops.rsqrt(grouped.var(-1) + 1e-5)
    wanted = of(lambda *given: ops.group_norm(given[0], 2, *given[1:]), dy, x, gamma, beta)
    check(lambda *given: ops.GroupNormGrad()(*given, 2), wanted, dy, x, mean, rstd, gamma)


def test_chosen_elements() -> None:
    mask = X > 0
    grad = ops.ones((int(mask.sum().item()),), ms.float32) * 3
    same(ops.MaskedSelectGrad()(X, mask, grad), ops.select(mask, ops.full_like(X, 3.0), ops.zeros_like(X)))


def test_where_parts_begin() -> None:
    assert ops.ConcatOffset(3, 1)((X, X[:, :1], X)).tolist() == [[0, 0, 0], [0, 4, 0], [0, 5, 0]]
    with pytest.raises(ValueError, match="must be 2 Tensors"):
        ops.ConcatOffset(2, 0)((X,))


def test_a_gradient_of_another_shape() -> None:
    with pytest.raises(ValueError, match=r"must have the shape of the result \(2, 4, 4\), but its shape is \(2, 4\)"):
        ops.AtanGrad()(X, X[:, 0])
    with pytest.raises(ValueError, match="For 'TanhGrad', 'the result' and 'its gradient' must have one shape"):
        ops.TanhGrad()(X, X[:, 0])
    assert ops.KLDivLossGrad("sum")(Tensor([2.0]), X, X).shape == X.shape


def test_gradients_of_moved_booleans_and_integers() -> None:
    ones = Tensor([[True, False]])
    assert ops.StridedSliceGrad()(ones, (2, 3), (1, 0), (2, 3), (1, 2)).tolist() == [[False] * 3, [True, False, False]]
    assert ops.SliceGrad()(Tensor([[7]]), ops.zeros((2, 2), ms.int64), (0, 1), (1, 1)).tolist() == [[0, 7], [0, 0]]
    assert ops.InvGrad()(Tensor([2, 3]), Tensor([1, 2])).tolist() == [-4, -18]


@pytest.mark.breaks
def test_an_axis_may_be_a_tensor() -> None:
    fill = ops.IndexFill()
    axis, index, value = Tensor(1), Tensor([0, 2]), Tensor(-1.0)
    assert fill(X[0], axis, index, value).tolist() == fill(X[0], 1, index, value).tolist()
    slopes = ops.GradOperation(get_all=True)(fill)(X[0], axis, index, value)
    assert (slopes[0].tolist(), slopes[3].item()) == ([[0, 1, 0, 1]] * 4, 8)
