"""Functions and cells of networks where the table of declarations does not tell: random and in-place ones, places of
maxima, gradients at special points, Parameters, and what is refused. References are NumPy's, of the definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, nn, ops

F = mint.nn.functional
RNG = np.random.default_rng(5)


def reals(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


X = reals(2, 3, 4, 5)


@pytest.mark.parametrize(
    "name, arguments, want",
    [
        ("relu", (), lambda x: np.maximum(x, 0)),
        ("relu6", (), lambda x: np.clip(x, 0, 6)),
        ("silu", (), lambda x: x / (1 + np.exp(-x))),
        ("elu", (0.5,), lambda x: np.where(x > 0, x, 0.5 * np.expm1(x))),
        ("hardtanh", (-0.5, 0.25), lambda x: np.clip(x, -0.5, 0.25)),
        ("threshold", (0.1, 7.0), lambda x: np.where(x > 0.1, x, 7)),
        ("dropout", (1.0,), lambda x: x * 0),
        ("dropout2d", (1.0,), lambda x: x * 0),
    ],
)
def test_activations_in_place(name: str, arguments: tuple[Any, ...], want: Callable[[np.ndarray], np.ndarray]) -> None:
    x = Tensor(X)
    assert getattr(F, name)(x, *arguments, inplace=True) is x
    np.testing.assert_allclose(x.asnumpy(), want(X), rtol=1e-6, atol=1e-6)
    captured = ms.jit(lambda x: (getattr(F, name)(x, *arguments, inplace=True), x)[1])
    np.testing.assert_array_equal(captured(Tensor(X)).asnumpy(), x.asnumpy())
    if hasattr(F, name + "_"):
        x = Tensor(X)
        assert getattr(F, name + "_")(x, *arguments) is x
        np.testing.assert_allclose(x.asnumpy(), want(X), rtol=1e-6, atol=1e-6)


def slope(function: Callable[[Any], Any], x: list[float]) -> list[float]:
    gradient = ms.grad(lambda x: function(x).sum())(Tensor(np.array(x)))
    return gradient.tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "function, x, want",
    [
        (F.elu, [0.0, -1.0, math.nan], [1, math.exp(-1), math.nan]),
        (lambda x: ops.celu(x, 2.0), [0.0, 1.0], [1, 1]),
        (F.hardtanh, [-1.0, 0.0, 1.0, 5.0], [0, 1, 0, 0]),
        (F.hardshrink, [-0.5, 0.5, 0.6], [0, 0, 1]),
        (F.softshrink, [-0.5, 0.5, 0.6], [0, 0, 1]),
        (F.logsigmoid, [0.0, -1000.0, 1000.0], [0.5, 1, 0]),
        (lambda x: F.threshold(x, 0.0, 3.0), [0.0, 1.0], [0, 1]),
        (lambda x: F.normalize(x, dim=0), [0.0, 0.0], [1e12, 1e12]),
        (lambda x: F.binary_cross_entropy_with_logits(x, x * 0), [0.0, 1000.0], [0.25, 0.5]),
        (lambda x: F.binary_cross_entropy(x, Tensor(np.array([1.0, 0.0]))), [0.0, 1.0], [0, 0]),
        (lambda x: ops.lp_pool1d(x.reshape((1, 2, 2)), 2, 2), [0.0, 0.0, 3.0, 4.0], [0, 0, 0.6, 0.8]),
        (lambda x: F.smooth_l1_loss(x, x * 0, "sum"), [0.0, 1.0, -2.0], [0, 1, -1]),
    ],
)
def test_slopes_at_special_points(function: Callable[[Any], Any], x: list[float], want: list[float]) -> None:
    np.testing.assert_allclose(slope(function, x), want, rtol=1e-12)


def test_what_is_no_number_stays_so() -> None:
    nan = Tensor(np.array([math.nan], np.float32))
    one = Tensor(np.ones(1, np.float32))
    for name in ("elu", "selu", "mish", "hardshrink", "softshrink", "hardtanh", "logsigmoid", "silu", "relu6"):
        assert math.isnan(getattr(F, name)(nan).item()), name
    for loss in (F.l1_loss, F.smooth_l1_loss, F.kl_div, F.binary_cross_entropy, F.soft_margin_loss):
        assert math.isnan(loss(nan, one).item()) and math.isnan(loss(one, nan).item()), loss
    assert F.threshold(nan, 0.0, 1.0).isnan().all() and F.prelu(nan, one).isnan().all()
    assert ops.adaptive_max_pool1d(Tensor([[[1.0, math.nan, 2.0]]]), 1).isnan().all()


def test_losses_of_nothing() -> None:
    empty = Tensor(np.zeros((0, 3), np.float32))
    for loss in (F.l1_loss, F.smooth_l1_loss, F.kl_div, F.binary_cross_entropy, F.soft_margin_loss):
        assert loss(empty, empty, reduction="sum").item() == 0
        assert math.isnan(loss(empty, empty, reduction="mean").item())
        assert loss(empty, empty, reduction="none").shape == (0, 3)


def test_global_norms_are_clipped() -> None:
    x, y = reals(2, 3), reals(4)
    norm = math.sqrt((x**2).sum() + (y**2).sum())
    for limit in (0.5, 100.0):
        scale = limit / max(norm, limit)
        got = ops.clip_by_global_norm([Tensor(x), Tensor(y)], limit)
        assert isinstance(got, tuple)
        for part, want in zip(got, (x, y)):
            np.testing.assert_allclose(part.asnumpy(), want * scale, rtol=1e-6)
        parts = ops.clip_by_norm([Tensor(x), Tensor(y)], limit)
        assert isinstance(parts, list)
        np.testing.assert_allclose(parts[1].asnumpy(), y * min(limit / (norm + 1e-6), 1), rtol=1e-6)
    half = Tensor(np.full(4, 300, np.float16))
    np.testing.assert_allclose(ops.clip_by_global_norm((half,), 6.0)[0].asnumpy(), np.full(4, 3), rtol=1e-3)
    assert ops.clip_by_norm(Tensor([3.0, -4.0]), 2.0, math.inf).tolist() == pytest.approx([1.5, -2.0])
    assert ops.clip_by_global_norm((), 1.0) == ()
    with pytest.raises(RuntimeError, match="not finite"):
        ops.clip_by_norm(Tensor([math.inf, 1.0]), 1.0, error_if_nonfinite=True)
    captured = ms.jit(lambda x: ops.clip_by_global_norm((x, x), 0.5))
    np.testing.assert_array_equal(
        captured(Tensor(y))[1].asnumpy(), ops.clip_by_global_norm((Tensor(y),) * 2, 0.5)[1].asnumpy()
    )


@pytest.mark.parametrize(
    "axes, shape, size", [(1, (2, 3, 7), 3), (2, (3, 5, 6), (2, None)), (3, (1, 2, 3, 5, 4), (2, 3, 1))]
)
def test_places_of_adaptive_maxima(axes: int, shape: tuple[int, ...], size: Any) -> None:
    x = np.floor(reals(*shape) * 2)
    values, places = getattr(ops if axes == 3 else F, f"adaptive_max_pool{axes}d")(Tensor(x), size, True)
    assert places.dtype == ms.int64
    flat = x.reshape(*shape[: len(shape) - axes], -1)
    at = places.asnumpy().reshape(*flat.shape[:-1], -1)
    np.testing.assert_array_equal(np.take_along_axis(flat, at, -1).ravel(), values.asnumpy().ravel())
    firsts = np.where(flat == flat.max(-1, keepdims=True), np.arange(flat.shape[-1]), flat.shape[-1]).min(-1)
    _, whole = getattr(ops if axes == 3 else F, f"adaptive_max_pool{axes}d")(Tensor(x), (1,) * axes, True)
    np.testing.assert_array_equal(whole.asnumpy().ravel(), firsts.ravel())


def fractional(x: np.ndarray, samples: np.ndarray, kernel: tuple[int, ...], counts: tuple[int, ...]) -> Any:
    """By the definition, window by window."""
    axes = len(kernel)
    values = np.empty((*x.shape[:2], *counts), x.dtype)
    places = np.empty(values.shape, np.int64)
    for n, c in np.ndindex(*x.shape[:2]):
        starts = []
        for i, (size, k, count) in enumerate(zip(x.shape[2:], kernel, counts)):
            u = samples[n, c, 1 - i if axes == 2 else i]
            step = (size - k) / (count - 1) if count > 1 else 0
            starts.append([int((j + u) * step) - int(u * step) for j in range(count - 1)] + [size - k])
        for at in np.ndindex(*counts):
            window = tuple(slice(starts[i][j], starts[i][j] + k) for i, (j, k) in enumerate(zip(at, kernel)))
            part = x[(n, c, *window)]
            best = np.unravel_index(part.argmax(), part.shape)
            values[(n, c, *at)] = part[best]
            place = tuple(starts[i][j] + b for i, (j, b) in enumerate(zip(at, best)))
            places[(n, c, *at)] = np.ravel_multi_index(place, x.shape[2:])
    return values, places


@pytest.mark.parametrize("kernel, counts, sizes", [((2, 3), (3, 4), (9, 11)), ((2, 2, 1), (2, 1, 3), (5, 4, 6))])
def test_fractional_maxima(kernel: tuple[int, ...], counts: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    x, samples = reals(2, 3, *sizes), RNG.uniform(0, 1, (2, 3, len(sizes))).astype(np.float32)
    axes = len(sizes)
    pool = getattr(ops, f"fractional_max_pool{axes}d")
    primitive = ops.FractionalMaxPoolWithFixedKsize if axes == 2 else ops.FractionalMaxPool3DWithFixedKsize
    want = fractional(x, samples, kernel, counts)
    for got in (
        pool(Tensor(x), kernel, counts, None, True, Tensor(samples)),
        primitive(kernel, counts)(Tensor(x), Tensor(samples)),
        ms.jit(lambda x, s: pool(x, kernel, counts, None, True, s))(Tensor(x), Tensor(samples)),
    ):
        for part, wanted in zip(got, want):
            np.testing.assert_array_equal(part.asnumpy(), wanted)
    assert pool(Tensor(x), 2, output_ratio=0.5).shape == (2, 3, *(size // 2 for size in sizes))
    assert pool(Tensor(x[0]), 2, 2).shape == (3, *[2] * axes)


@pytest.mark.parametrize("pseudo_random, overlapping", [(False, False), (False, True), (True, False), (True, True)])
def test_regions_of_random_sizes(pseudo_random: bool, overlapping: bool) -> None:
    x = reals(2, 11, 9, 3)
    for kind, reduce in ((ops.FractionalMaxPool, np.max), (ops.FractionalAvgPool, np.mean)):
        for _ in range(5):
            pool = kind((1.0, 1.6, 2.5, 1.0), pseudo_random, overlapping)
            y, rows, columns = (part.asnumpy() for part in pool(Tensor(x)))
            assert y.shape == (2, 6, 3, 3) and rows.shape == (7,) and columns.shape == (4,)
            for bounds, size in ((rows, 11), (columns, 9)):
                assert bounds[0] == 0 and bounds[-1] == size and (np.diff(bounds) > 0).all()
                assert pseudo_random or np.ptp(np.diff(bounds)) <= 1
            for i, j in np.ndindex(6, 3):
                part = x[:, rows[i] : rows[i + 1] + overlapping, columns[j] : columns[j + 1] + overlapping]
                np.testing.assert_allclose(y[:, i, j], reduce(part, (1, 2)), rtol=1e-5, atol=1e-6)
    fixed = ops.FractionalMaxPool((1.0, 1.6, 2.5, 1.0), deterministic=True, seed=7)
    assert fixed(Tensor(x))[1].tolist() == fixed(Tensor(x))[1].tolist()
    with pytest.raises(ValueError, match="'pooling_ratio' must be 1 but for rows and columns"):
        ops.FractionalMaxPool((2.0, 1.5, 1.5, 1.0))(Tensor(x))


def test_unpooling_puts_maxima_back() -> None:
    x = reals(2, 3, 4, 6)
    values, places = ops.MaxPoolWithArgmaxV2(2)(Tensor(x))
    got = ops.max_unpool2d(values, places, 2).asnumpy()
    kept = np.kron(values.asnumpy(), np.ones((2, 2), np.float32))
    np.testing.assert_array_equal(got, np.where(x == kept, x, 0))
    np.testing.assert_array_equal(ops.MaxUnpool2D(2)(values, places).asnumpy(), got)
    np.testing.assert_array_equal(nn.MaxUnpool2d(2)(values, places).asnumpy(), got)
    gradient = ms.grad(lambda v: (ops.max_unpool2d(v, places, 2) * Tensor(x)).sum())(values)
    np.testing.assert_array_equal(gradient.asnumpy(), values.asnumpy())


def test_whole_channels_are_dropped() -> None:
    ones = {1: (40, 50, 3), 2: (40, 50, 2, 3), 3: (40, 50, 1, 2, 3)}
    for axes, shape in ones.items():
        function, x = getattr(ops, f"dropout{axes}d"), Tensor(np.ones(shape, np.float32))
        y = function(x, 0.25).asnumpy().reshape(2000, -1)
        assert set(np.unique(y)) == {0, np.float32(4 / 3)} and (y == y[:, :1]).all()
        assert abs((y[:, 0] == 0).mean() - 0.25) < 0.05
        assert function(x, 0.25, False) is x
        assert function(x, 1.0).sum().item() == 0
        cell = getattr(nn, f"Dropout{axes}d")(0.25)
        assert cell(x) is x and (cell.set_train()(x).asnumpy() == 0).any()
    for axes in (2, 3):
        y, kept = getattr(ops, f"Dropout{axes}D")(keep_prob=0.75)(Tensor(np.ones(ones[axes], np.float32)))
        assert kept.dtype == ms.bool_
        np.testing.assert_array_equal(y.asnumpy(), kept.asnumpy() * np.float32(4 / 3))
    assert (ops.dropout1d(Tensor(np.ones((4, 9), np.float32)), 0.5).asnumpy().std(1) == 0).all()


def test_masks_of_dropout() -> None:
    x = Tensor(np.ones((30, 41), np.float32))
    mask = ops.DropoutGenMask(1, 2)((30, 41), 0.75)
    assert mask.dtype == ms.uint8 and mask.shape == (160,)
    y = ops.DropoutDoMask()(x, mask, 0.75).asnumpy()
    kept = np.unpackbits(mask.asnumpy(), bitorder="little")[: y.size].reshape(y.shape)
    np.testing.assert_array_equal(y, kept * np.float32(1 / 0.75))
    assert abs(kept.mean() - 0.75) < 0.05


def test_random_slopes_and_choices() -> None:
    x = Tensor(np.array([-1.0, 0.0, 2.0] * 400, np.float32))
    y = ops.rrelu(x, 0.25, 0.5).asnumpy().reshape(-1, 3)
    assert ((y[:, 0] >= -0.5) & (y[:, 0] <= -0.25)).all() and y[:, 0].std() > 0.05
    assert (y[:, 1] == 0).all() and (y[:, 2] == 2).all()
    logits = Tensor(np.log(np.array([[0.7, 0.2, 0.1]] * 3000, np.float32)))
    soft = ops.gumbel_softmax(logits, 0.5).asnumpy()
    np.testing.assert_allclose(soft.sum(-1), 1, rtol=1e-5)
    hard = ops.gumbel_softmax(logits, 0.5, True).asnumpy()
    assert set(np.unique(hard)) == {0, 1} and (hard.sum(-1) == 1).all()
    np.testing.assert_allclose(hard.mean(0), [0.7, 0.2, 0.1], atol=0.05)
    assert ops.gumbel_softmax(Tensor(reals(3, 4)), hard=True, dim=0).sum(0).tolist() == [1, 1, 1, 1]
    weights = Tensor(reals(3000, 3))
    assert (ms.grad(lambda x: (ops.gumbel_softmax(x, 1.0, True) * weights).sum())(logits).asnumpy() != 0).any()


def deformable(value: Any, shape: Any, offset: Any, locations: Any, weight: Any) -> Any:
    """By the definition, point by point."""
    n, _, heads, size = value.shape
    out = np.zeros((n, locations.shape[1], heads, size))
    for b, q, h, m, p in np.ndindex(*weight.shape):
        height, width = shape[m]
        x, y = locations[b, q, h, m, p] * (width, height) - 0.5
        for i, j in itertools.product((0, 1), (0, 1)):
            column, row = math.floor(x) + i, math.floor(y) + j
            if 0 <= column < width and 0 <= row < height:
                share = (1 - abs(x - column)) * (1 - abs(y - row))
                out[b, q, h] += share * weight[b, q, h, m, p] * value[b, offset[m] + row * width + column, h]
    return out.reshape(n, locations.shape[1], -1)


def test_deformable_attention() -> None:
    shape, offset = np.array([[3, 4], [2, 2]]), np.array([0, 12])
    value, weight = reals(2, 16, 3, 5, dtype=np.float64), reals(2, 4, 3, 2, 6, dtype=np.float64)
    locations = RNG.uniform(-0.2, 1.2, (2, 4, 3, 2, 6, 2))
    given = tuple(map(Tensor, (value, shape, offset, locations, weight)))
    want = deformable(value, shape, offset, locations, weight)
    call = ops.multi_scale_deformable_attn_function
    np.testing.assert_allclose(call(*given).asnumpy(), want, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ms.jit(call)(*given).asnumpy(), want, rtol=1e-12, atol=1e-12)
    for at in (0, 3, 4):
        gradient = ms.grad(lambda *g: (call(*g) ** 2).sum(), at)(*given).asnumpy()
        arrays = [value, shape, offset, locations, weight]
        step = np.zeros_like(arrays[at])
        place = tuple(size // 2 for size in step.shape)
        step[place] = 1e-6
        sides = [(deformable(*arrays[:at], arrays[at] + s, *arrays[at + 1 :]) ** 2).sum() for s in (step, -step)]
        assert gradient[place] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-5, abs=1e-6)


def attention(q: Any, k: Any, v: Any, hidden: Any, scale: float) -> Any:
    """Of (N, heads, positions, size); heads of key and value are shared by as many of query."""
    k, v = (x.repeat(q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = np.where(hidden, -np.inf, q @ k.swapaxes(-1, -2) * scale)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


def test_attention_of_inference() -> None:
    q, k, v = reals(2, 4, 5, 8), reals(2, 2, 6, 8), reals(2, 2, 6, 8)
    mask, lengths = RNG.uniform(0, 1, (2, 1, 5, 6)) < 0.3, (4, 6)
    mask[..., 0] = False
    beyond = np.arange(6) >= np.array(lengths)[:, None, None, None]
    band = np.arange(6) > np.arange(5)[:, None]
    options = {"num_heads": 4, "scale_value": 0.3, "num_key_value_heads": 2}

    def laid_out(x: np.ndarray, layout: str) -> Tensor:
        order = x if layout == "BNSD" else x.swapaxes(1, 2)
        return Tensor(order.reshape(*order.shape[:2], -1) if layout == "BSH" else np.ascontiguousarray(order))

    for layout in ("BSH", "BSND", "BNSD"):
        given = [laid_out(x, layout) for x in (q, k, v)]
        for hidden, arguments in (
            (False, {}),
            (mask | band, {"attn_mask": Tensor(mask)}),
            (mask | band | beyond, {"attn_mask": Tensor(mask), "actual_seq_lengths_kv": lengths}),
            (beyond, {"actual_seq_lengths_kv": Tensor(np.array(lengths))}),
        ):
            got = ops.prompt_flash_attention(*given, input_layout=layout, **options, **arguments)
            want = laid_out(attention(q, k, v, hidden, 0.3), layout).asnumpy()
            np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-4, atol=1e-5)
            again = {"atten_mask" if name == "attn_mask" else name: value for name, value in arguments.items()}
            fixed = {"num_heads": options["num_heads"], "scale": 0.3, "input_layout": layout, "next_tokens": 0}
            fused, nothing = ops.fused_infer_attention_score(*given, **fixed, **again)
            np.testing.assert_array_equal(fused.asnumpy(), got.asnumpy())
            assert nothing.tolist() == [0]
        seen = mask[:, :, :1] | beyond
        given[0] = laid_out(q[:, :, :1], layout)
        arguments = {"attn_mask": Tensor(mask[:, 0, 0]), "actual_seq_lengths": lengths}
        got = ops.incre_flash_attention(given[0], [given[1]], [given[2]], input_layout=layout, **options, **arguments)
        want = laid_out(attention(q[:, :, :1], k, v, seen, 0.3), layout).asnumpy()
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-4, atol=1e-5)


def test_gradients_and_norms_of_embeddings() -> None:
    table, ids = Tensor(np.ones((4, 2), np.float32)), Tensor([1, 1, 3, 3, 3, 0])

    def gradient(**options: Any) -> list[float]:
        return ms.grad(lambda w: F.embedding(ids, w, **options).sum())(table)[:, 0].tolist()  # type: ignore[no-any-return]

    assert gradient() == [1, 2, 0, 3]
    assert gradient(padding_idx=-1) == [1, 2, 0, 0]
    assert gradient(scale_grad_by_freq=True) == [1, 1, 0, pytest.approx(1)]
    weights = Tensor(np.array([[3.0, 4.0], [0.3, 0.4], [6.0, 8.0]], np.float32))
    np.testing.assert_allclose(F.embedding(Tensor([0, 1]), weights, max_norm=1.0).asnumpy(), [[0.6, 0.8], [0.3, 0.4]], 1e-6)
    np.testing.assert_allclose(weights.asnumpy(), [[0.6, 0.8], [0.3, 0.4], [6, 8]], 1e-6)


def test_running_statistics() -> None:
    x = reals(4, 3, 5)
    mean, variance = x.mean((0, 2)), x.var((0, 2), ddof=1)
    running = Tensor(np.zeros(3, np.float32)), Tensor(np.ones(3, np.float32))
    want = (x - mean[:, None]) / np.sqrt(x.var((0, 2)) + 1e-5)[:, None]
    np.testing.assert_allclose(F.batch_norm(Tensor(x), *running, training=True, momentum=0.3).asnumpy(), want, 1e-4, 1e-5)
    np.testing.assert_allclose(running[0].asnumpy(), 0.3 * mean, 1e-5)
    np.testing.assert_allclose(running[1].asnumpy(), 0.7 + 0.3 * variance, 1e-5)
    for call in (lambda cell: cell, ms.jit):
        cell = mint.nn.BatchNorm1d(3, momentum=None).set_train()
        step = call(cell)
        for part in (x, x * 2, x * 3):
            step(Tensor(part))
        np.testing.assert_allclose(cell.running_mean.asnumpy(), 2 * mean, rtol=1e-4, atol=1e-6)
        assert cell.num_batches_tracked.item() == 3
        cell.set_train(False)
        still = (x - 2 * mean[:, None]) / np.sqrt(cell.running_var.asnumpy()[:, None] + 1e-5)
        np.testing.assert_allclose(cell(Tensor(x)).asnumpy(), still, rtol=1e-4, atol=1e-5)
    loose = mint.nn.BatchNorm1d(3, affine=False, track_running_stats=False)
    np.testing.assert_allclose(loose(Tensor(x)).asnumpy(), want, rtol=1e-4, atol=1e-5)
    assert loose.weight is loose.running_mean is None and not list(loose.get_parameters())


CELLS: list[tuple[Callable[[], Any], tuple[int, ...], tuple[int, ...], list[str]]] = [
    (lambda: mint.nn.Linear(5, 7), (3, 5), (3, 7), ["weight", "bias"]),
    (lambda: nn.Linear(5, 7, bias=False), (2, 3, 5), (2, 3, 7), ["weight"]),
    (lambda: nn.PReLU(4, 0.5), (2, 4, 3), (2, 4, 3), ["a"]),
    (lambda: mint.nn.PReLU(4), (2, 4, 3), (2, 4, 3), ["weight"]),
    (lambda: nn.GroupNorm(2, 4), (2, 4, 3, 3), (2, 4, 3, 3), ["gamma", "beta"]),
    (lambda: mint.nn.GroupNorm(2, 4, affine=False), (2, 4, 3), (2, 4, 3), []),
    (lambda: nn.InstanceNorm1d(4), (2, 4, 5), (2, 4, 5), ["gamma", "beta"]),
    (lambda: nn.InstanceNorm2d(4), (2, 4, 5, 3), (2, 4, 5, 3), ["gamma", "beta"]),
    (lambda: nn.InstanceNorm3d(4), (2, 4, 5, 3, 2), (2, 4, 5, 3, 2), ["gamma", "beta"]),
    (lambda: nn.SyncBatchNorm(4), (2, 4, 5), (2, 4, 5), ["mean", "variance", "gamma", "beta"]),
    (lambda: mint.nn.LayerNorm((3, 5)), (2, 3, 5), (2, 3, 5), ["weight", "bias"]),
    (lambda: nn.LayerNormExt(5, bias=False), (2, 3, 5), (2, 3, 5), ["weight"]),
    (lambda: mint.nn.Conv1d(4, 6, 3, padding="same", padding_mode="circular"), (2, 4, 9), (2, 6, 9), ["weight", "bias"]),
    (lambda: mint.nn.Conv2d(4, 6, (3, 2), 2, 1, groups=2), (4, 9, 8), (6, 5, 5), ["weight", "bias"]),
    (lambda: mint.nn.Conv3d(4, 6, 2, bias=False), (1, 4, 3, 4, 5), (1, 6, 2, 3, 4), ["weight"]),
    (lambda: mint.nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, 2), (1, 4, 5, 5), (1, 6, 10, 10), ["weight", "bias"]),
]


@pytest.mark.parametrize("make, shape, want, names", CELLS)
def test_cells(make: Callable[[], Any], shape: tuple[int, ...], want: tuple[int, ...], names: list[str]) -> None:
    cell, x = make(), Tensor(reals(*shape))
    assert [p.name for p in cell.get_parameters()] == names
    y = cell(x)
    assert y.shape == want and repr(cell).startswith(type(cell).__name__ + "(")
    np.testing.assert_array_equal(ms.jit(cell)(x).asnumpy(), y.asnumpy())
    for gradient in ms.grad(lambda x: (cell(x) ** 2).sum(), None, cell.trainable_params())(x):
        assert np.isfinite(gradient.asnumpy()).all()


class Absolute(nn.LossBase):
    """A loss as programs define them."""

    def construct(self, x: Any, y: Any) -> Any:
        return self.get_loss((x - y).abs(), 2.0)


def test_losses_of_ones_own() -> None:
    x, y = np.float16([1, 2, 4]), np.float16([0, 4, 1])
    for reduction, want in (("mean", 4), ("sum", 12), ("none", [2, 4, 6])):
        got = Absolute(reduction)(Tensor(x), Tensor(y))
        assert got.tolist() == want and got.dtype == ms.float16
    assert Absolute().get_axis(Tensor(X)) == (0, 1, 2, 3)
    with pytest.raises(ValueError, match="For 'Absolute', 'reduction' must be"):
        Absolute("all")


def test_activations_by_name() -> None:
    for name in ("elu", "leakyrelu", "prelu", "softmax", "mish", "hswish"):
        assert nn.get_activation(name)(Tensor(X)).shape == X.shape
    assert nn.get_activation(None) is None
    assert isinstance(nn.Dense(2, 2, activation="relu6").activation, nn.ReLU6)
    with pytest.raises(KeyError, match="the activation 'rely' is not one of"):
        nn.get_activation("rely")


def test_instances_and_groups_are_normalised() -> None:
    y = nn.InstanceNorm2d(3, eps=0)(Tensor(X)).asnumpy()
    np.testing.assert_allclose(y.mean((2, 3)), 0, atol=1e-6)
    np.testing.assert_allclose(y.var((2, 3)), 1, rtol=1e-5)
    y = nn.GroupNorm(1, 3, eps=0)(Tensor(X)).asnumpy()
    np.testing.assert_allclose(y.var((1, 2, 3)), 1, rtol=1e-5)


def test_weights_begin_within_their_bounds() -> None:
    for cell, fan in ((mint.nn.Linear(64, 50), 64), (mint.nn.Conv2d(8, 50, 3), 72), (mint.nn.ConvTranspose2d(50, 8, 3), 72)):
        for p in cell.get_parameters():
            assert (0.9 * (p.size > 99)) / math.sqrt(fan) < abs(p.asnumpy()).max() <= 1 / math.sqrt(fan)
    table = mint.nn.Embedding(200, 50, padding_idx=-1).weight.asnumpy()
    assert (table[-1] == 0).all() and table[:-1].std() == pytest.approx(1, abs=0.05)
    assert nn.Embedding(5, 3, padding_idx=2).embedding_table[2].tolist() == [0, 0, 0]
    ids = Tensor([[1, 4], [0, 0]])
    one_hot = nn.Embedding(5, 3, True, "ones")
    assert one_hot(ids).shape == (2, 2, 3) and one_hot(ids).sum().item() == 12


def test_output_size_of_a_transposed_convolution() -> None:
    cell = mint.nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1)
    x = Tensor(reals(1, 2, 4, 4))
    assert cell(x).shape == (1, 3, 7, 7) and cell(x, (8, 7)).shape == (1, 3, 8, 7)
    with pytest.raises(ValueError, match="'output_size' must be at least"):
        cell(x, (9, 7))


B, N, V = Tensor(X), Tensor([1, 2]), Tensor(reals(4))
REFUSED: list[tuple[type[Exception], str, Callable[[], Any]]] = [
    (TypeError, r"For 'elu', the dtype of 'input' must be of floating point, but got Int64", lambda: F.elu(N)),
    (ValueError, r"For 'celu', 'alpha' must not be 0, but got 0.0", lambda: ops.celu(B, 0.0)),
    (ValueError, r"For 'glu', axis -1 must be of even size, but the shape is \(2, 3, 4, 5\)", lambda: F.glu(B)),
    (ValueError, r"For 'glu', axis 7 is out of range", lambda: F.glu(B, 7)),
    (ValueError, r"For 'softshrink', 'lambd' must not be negative, but got -1", lambda: F.softshrink(B, -1.0)),
    (ValueError, r"'min_val' must not be above 'max_val', but got 2 and 1", lambda: F.hardtanh(B, 2, 1)),
    (ValueError, r"For 'prelu', 'weight' must have one element or 3", lambda: F.prelu(B, V)),
    (ValueError, r"'reduction' must be 'none', 'mean' or 'sum', but got 'max'", lambda: F.l1_loss(B, B, "max")),
    (ValueError, r"'logits' and 'labels' must have one shape", lambda: F.binary_cross_entropy(B, V)),
    (ValueError, r"For 'huber_loss', 'delta' must be positive, but got 0", lambda: ops.huber_loss(B, B, delta=0.0)),
    (ValueError, r"'beta' must not be negative, but got -1", lambda: ops.smooth_l1_loss(B, B, -1.0)),
    (ValueError, r"'margin' must be within \[-1, 1\], but got 2", lambda: F.cosine_embedding_loss(V, V, Tensor(1), 2.0)),
    (ValueError, r"For 'multi_margin_loss', 'p' must be 1 or 2, but got 3", lambda: ops.multi_margin_loss(V, Tensor(1), 3)),
    (IndexError, r"out of range", lambda: ops.multi_margin_loss(V, Tensor(4))),
    (ValueError, r"'target' must have shape \(4,\)", lambda: ops.multilabel_margin_loss(V, N)),
    (ValueError, r"'num_groups' must divide the number of channels, 3, but got 2", lambda: F.group_norm(B, 2)),
    (ValueError, r"'gamma' must have the shape of the last axes", lambda: ops.rms_norm(B, V)),
    (ValueError, r"For 'lrn', 'x' must have 4 axes, but its shape is \(4,\)", lambda: ops.lrn(V)),
    (ValueError, r"'use_norm' must be None", lambda: ops.clip_by_global_norm((B,), 1.0, 2.0)),
    (TypeError, r"'x' must be a tuple or list of Tensors, but got Tensor", lambda: ops.clip_by_global_norm(B)),
    (ValueError, r"must not be None unless 'training'", lambda: F.batch_norm(B, None, None)),
    (ValueError, r"more than one element when training", lambda: F.batch_norm(B[:1, :, 0, 0], None, None, training=True)),
    (ValueError, r"'p' must be within \[0, 1\], but got 2", lambda: ops.dropout2d(B, 2.0)),
    (ValueError, r"For 'dropout3d', 'input' must have 4 or 5 axes", lambda: ops.dropout3d(V)),
    (ValueError, r"'tau' must be positive, but got 0", lambda: ops.gumbel_softmax(B, 0.0)),
    (ValueError, r"'lower' must not be above 'upper'", lambda: ops.rrelu(B, 0.5, 0.25)),
    (TypeError, r"'output_size' must be an int or a tuple", lambda: F.adaptive_max_pool2d(B, 1.5)),
    (ValueError, r"sizes must be positive", lambda: F.adaptive_max_pool2d(B, 0)),
    (
        ValueError,
        r"'output_size' must be within 'stride'",
        lambda: ops.max_unpool1d(B[0, 0], B[0, 0].int(), 2, None, 0, (99,)),
    ),
    (IndexError, r"out of range", lambda: ops.max_unpool1d(B[0, 0], B[0, 0].int() * 0 + 99, 2)),
    (ValueError, r"one of 'output_size' and 'output_ratio' must be given", lambda: ops.fractional_max_pool2d(B, 2)),
    (ValueError, r"do not fit into sizes", lambda: ops.fractional_max_pool2d(B, 4, 4)),
    (ValueError, r"'padding' must be 'valid' or 'same', but got 'full'", lambda: F.conv2d(B, B, padding="full")),
    (ValueError, r"'padding' must not be 'same' with a stride", lambda: F.conv2d(B, B, stride=2, padding="same")),
    (ValueError, r"'quant_scale2' must be None", lambda: ops.prompt_flash_attention(B, B, B, quant_scale2=B)),
    (ValueError, r"'quant_scale1' must be None", lambda: ops.fused_infer_attention_score(B, B, B, quant_scale1=B)),
    (ValueError, r"'block_size' must be 0, but got 16", lambda: ops.fused_infer_attention_score(B, B, B, block_size=16)),
    (ValueError, r"'block_size' must be None", lambda: ops.incre_flash_attention(B, B, B, block_size=16)),
    (
        ValueError,
        r"'input_layout' must be 'BSH', 'BSND' or 'BNSD'",
        lambda: ops.prompt_flash_attention(B, B, B, input_layout="TH"),
    ),
    (ValueError, r"last axis of 'x' must be of even size", lambda: ops.rotary_position_embedding(B, B, B)),
    (TypeError, r"the dtype of 'input' must be of integers", lambda: F.embedding(V, B[0, 0])),
    (ValueError, r"'padding_idx' must be within \[-4, 4\), but got 4", lambda: F.embedding(N, B[0, 0], 4)),
    (IndexError, r"out of range", lambda: F.embedding(Tensor([9]), B[0, 0])),
    (ValueError, r"'num_classes' must be a number of classes, but got -2", lambda: F.one_hot(N, -2)),
    (ValueError, r"'padding' must be an int or 4 of them", lambda: nn.ReflectionPad2d((1, 2))(B)),
    (TypeError, r"'in_features' must be an int, but got 2.5", lambda: mint.nn.Linear(2.5, 3)),
    (ValueError, r"'num_groups' must divide 'num_channels', 3, but got 2", lambda: nn.GroupNorm(2, 3)),
    (ValueError, r"For 'InstanceNorm1d', 'x' must have 3 axes", lambda: nn.InstanceNorm1d(3)(B)),
    (ValueError, r"'padding_mode' must be 'zeros', 'reflect'", lambda: mint.nn.Conv2d(3, 3, 2, padding_mode="wrap")),
    (
        ValueError,
        r"For 'Linear', the last axis of the input must have the size of 'in_features', 3",
        lambda: nn.Linear(3, 2)(B),
    ),
    (ValueError, r"For 'PReLU', 'w' must have 2 elements", lambda: nn.PReLU(2, [0.5])),
]


@pytest.mark.parametrize("kind, words, call", REFUSED)
def test_what_is_refused(kind: type[Exception], words: str, call: Callable[[], Any]) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_a_divergence_counts_where_the_target_is_positive() -> None:
    logs, target = Tensor([-1.0, -2.0, -3.0, math.nan]), Tensor([0.5, -1.0, 0.0, math.nan])
    loss = ops.KLDivLoss("none")(logs, target)
    np.testing.assert_allclose(loss.asnumpy(), [0.5 * (math.log(0.5) + 1), 0, 0, math.nan], rtol=1e-6)
    by_logs, by_target = ms.grad(lambda x, y: ops.kl_div(x, y, "sum"), (0, 1))(logs, target)
    np.testing.assert_allclose(by_logs.asnumpy(), [-0.5, 1, 0, math.nan], rtol=1e-6)
    np.testing.assert_allclose(by_target.asnumpy(), [math.log(0.5) + 2, 0, 0, math.nan], rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
def test_channels_of_integers_are_dropped_and_scaled_to_integers(dtype: Any) -> None:
    x = np.arange(1, 241).reshape(2, 10, 3, 4).astype(dtype) % 100
    found, kept = (part.asnumpy() for part in ops.Dropout2D(0.7)(Tensor(x)))
    assert found.dtype == dtype and 0 < kept[:, :, 0, 0].sum() < 20
    np.testing.assert_array_equal(found, np.where(kept, (x / np.float32(0.7)).astype(dtype), 0))
    assert not ops.Dropout3D(0.0)(Tensor(x[None]))[0].any()
    with pytest.raises(TypeError, match="For 'Dropout2D', 'x' must be of signed integers or of floating point"):
        ops.Dropout2D()(Tensor(x.astype(np.uint8)))


@pytest.mark.parametrize(
    "error, call",
    [
        (TypeError, lambda x, rois: ops.PSROIPooling(1.0, 2, 1)(x, rois.astype(ms.float16))),
        (ValueError, lambda x, rois: ops.PSROIPooling(-1.0, 2, 1)(x, rois)),
        (ValueError, lambda x, rois: ops.PSROIPooling(1.0, 3, 1)(x, rois)),
        (ValueError, lambda x, rois: ops.PSROIPooling(1.0, 2, 1)(x, rois[:, :4])),
    ],
)
def test_regions_of_parts_that_do_not_fit(error: type[Exception], call: Any) -> None:
    with pytest.raises(error):
        call(Tensor(reals(2, 4, 5, 5)), Tensor(reals(2, 5, 3)))
