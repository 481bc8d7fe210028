"""Products of quantised numbers. Those of 8-bit ints (matmul_integer) are exact: beside NumPy's in int64, with equal bits
eager and jitted, on any instruction set, for any number of threads, and from packed copies. ONNX's products over them have
zero points."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from references import dequantised_weight

import emberjit as ms
from emberjit import Tensor, mint, ops
from emberjit import _emberjit as core
from emberjit.onnx import quantised

BYTES = (np.int8, np.uint8)
PAIRS = list(itertools.product(BYTES, BYTES))
matmul_integer = core.op_table["matmul_integer"]


@pytest.fixture(params=[(1, "portable"), (1, core.isa()), (2, core.isa())], ids=str)
def machine(request: pytest.FixtureRequest) -> Iterator[None]:
    before = core.threads(), core.isa()
    core.set_threads(request.param[0])
    core.set_isa(request.param[1])
    yield
    core.set_threads(before[0])
    core.set_isa(before[1])


def drawn(shape: tuple[int, ...], dtype: Any, seed: int, *, extreme: bool = False) -> np.ndarray:
    random, info = np.random.default_rng(seed), np.iinfo(dtype)
    if extreme:
        return np.where(random.random(shape) < 0.5, info.min, info.max).astype(dtype)
    return random.integers(info.min, info.max, shape, dtype, endpoint=True)


def product(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.matmul(x.astype(np.int64), y.astype(np.int64)).astype(np.int32)


@functools.cache
def jitted(*of: Any) -> Any:
    """A function for operands of these kinds."""
    return ms.jit(lambda x, y: matmul_integer(x, y))


def check(x: Tensor, y: Tensor, want: np.ndarray) -> None:
    kinds = [(each.dtype, *map(bool, each.shape)) for each in (x, y)]
    for call in (matmul_integer, *(jitted(*kinds),) * 2):
        got = call(x, y)
        assert got.dtype == ms.int32
        np.testing.assert_array_equal(got.asnumpy(), want)


SHAPES = [
    ((1, 1), (1, 1)),
    ((2, 3), (3, 2)),
    ((1, 37), (37, 19)),
    ((4, 300), (300, 65)),
    ((5, 300), (300, 65)),
    ((6, 17), (17, 16)),
    ((13, 515), (515, 33)),
    ((211, 1030), (1030, 70)),
    ((90, 7), (7, 1)),
    ((7,), (7,)),
    ((9,), (9, 20)),
    ((20, 9), (9,)),
    ((0, 5), (5, 3)),
    ((3, 0), (0, 4)),
    ((3, 5), (5, 0)),
    ((2, 3, 7, 5), (5, 4)),
    ((2, 1, 7, 5), (3, 5, 4)),
    ((3, 5), (4, 5, 6)),
    ((40, 1, 6), (40, 6, 1)),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_products_are_exact(a: tuple[int, ...], b: tuple[int, ...], left: Any, right: Any, machine: None) -> None:
    for extreme in (False, True):
        x, y = drawn(a, left, 0, extreme=extreme), drawn(b, right, 1, extreme=extreme)
        check(Tensor(x), Tensor(y), product(x, y))


@pytest.mark.parametrize(("left", "right"), PAIRS)
@pytest.mark.parametrize("m", [1, 3, 50])
def test_operands_may_be_views(m: int, left: Any, right: Any, machine: None) -> None:
    x, y = drawn((40, m), left, 2), drawn((33, 40), right, 3)
    check(Tensor(x).T, Tensor(y).T, product(x.T, y.T))
    x, y = drawn((m, 80), left, 4), drawn((40, 66), right, 5)
    check(Tensor(x)[:, ::2], Tensor(y)[:, ::2], product(x[:, ::2], y[:, ::2]))


def test_sums_wrap() -> None:
    x, y = np.full((1, 40000), 255, np.uint8), np.full((40000, 1), 255, np.uint8)
    want = product(x, y)
    assert want[0, 0] < 0
    check(Tensor(x), Tensor(y), want)
    check(Tensor(np.repeat(x, 9, 0)), Tensor(np.repeat(y, 20, 1)), np.broadcast_to(want, (9, 20)))


def test_a_packed_copy_is_not_used_for_other_contents() -> None:
    x, y = drawn((8, 64), np.int8, 6), drawn((64, 40), np.int8, 7)
    parameter = ms.Parameter(Tensor(y), name="w")
    for _ in range(4):
        np.testing.assert_array_equal(matmul_integer(Tensor(x), parameter).asnumpy(), product(x, y))
    y = drawn((64, 40), np.int8, 8)
    parameter.set_data(Tensor(y))
    for _ in range(4):
        np.testing.assert_array_equal(matmul_integer(Tensor(x), parameter).asnumpy(), product(x, y))


@pytest.mark.parametrize("axes", [(0, None), (None, 0), (0, 0)])
def test_batches(axes: tuple[int | None, int | None]) -> None:
    x = drawn((4, 3, 5) if axes[0] == 0 else (3, 5), np.int8, 9)
    y = drawn((4, 5, 2) if axes[1] == 0 else (5, 2), np.uint8, 10)
    got = ms.vmap(lambda a, b: matmul_integer(a, b), in_axes=axes)(Tensor(x), Tensor(y))
    np.testing.assert_array_equal(got.asnumpy(), product(x, y))


@pytest.mark.parametrize(
    ("x", "y", "error", "match"),
    [
        (np.zeros((2, 3), np.int32), np.zeros((3, 2), np.int8), TypeError, "int8 or uint8"),
        (np.zeros((2, 3), np.int8), np.zeros((3, 2), np.float32), TypeError, "int8 or uint8"),
        (np.zeros((2, 3), np.int8), np.zeros((2, 3), np.int8), ValueError, "axis 1 of the first operand"),
        (np.zeros((), np.int8), np.zeros((3,), np.int8), ValueError, "at least one dimension"),
        (np.zeros((2, 2, 3), np.int8), np.zeros((3, 3, 2), np.int8), ValueError, "broadcast"),
    ],
)
def test_what_is_refused(x: Any, y: Any, error: type, match: str) -> None:
    with pytest.raises(error, match=match):
        matmul_integer(Tensor(x), Tensor(y))


# ONNX's products -----------------------------------------------------------------------------------------------------


def shifted(x: np.ndarray, zero: Any) -> np.ndarray:
    return x.astype(np.int64) - (0 if zero is None else np.asarray(zero, np.int64))


def tensor(value: Any, dtype: Any) -> Any:
    return None if value is None else Tensor(np.asarray(value, dtype))


@pytest.mark.parametrize(("left", "right"), PAIRS)
@pytest.mark.parametrize("k", [0, 1, 300])
def test_zero_points_of_products(k: int, left: Any, right: Any) -> None:
    x, y = drawn((3, k), left, 11, extreme=k == 1), drawn((k, 5), right, 12, extreme=k == 1)
    of_rows, of_columns = drawn((3,), left, 13), drawn((5,), right, 14)
    for x_zero, y_zero in itertools.product((None, 7, of_rows), (None, 100, of_columns)):
        got = quantised.matmul_integer(Tensor(x), Tensor(y), tensor(x_zero, left), tensor(y_zero, right))
        across = x_zero[:, None] if isinstance(x_zero, np.ndarray) else x_zero
        np.testing.assert_array_equal(got.asnumpy(), np.matmul(shifted(x, across), shifted(y, y_zero)))


@pytest.mark.parametrize("ranks", [(1, 1), (1, 2), (2, 1), (3, 1), (1, 3)])
def test_zero_points_of_products_with_vectors(ranks: tuple[int, int]) -> None:
    x = drawn(((2, 3, 6)[3 - ranks[0] :]), np.uint8, 15)
    y = drawn((6,) if ranks[1] == 1 else ((2, 6, 4)[3 - ranks[1] :]), np.int8, 16)
    got = quantised.matmul_integer(Tensor(x), Tensor(y), tensor(3, np.uint8), tensor(-4, np.int8))
    np.testing.assert_array_equal(got.asnumpy(), np.matmul(shifted(x, 3), shifted(y, -4)))


def convolved(x: np.ndarray, w: np.ndarray, strides: Any, pads: Any, dilations: Any, group: int) -> np.ndarray:
    """A convolution of images in int64, output by output."""
    x = np.pad(x, ((0, 0), (0, 0), *pads))
    spans = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations)]
    sizes = [(n - span) // s + 1 for n, span, s in zip(x.shape[2:], spans, strides)]
    out = np.zeros((x.shape[0], w.shape[0], *sizes), np.int64)
    inputs, outputs = w.shape[1], w.shape[0] // group
    for o, *at in itertools.product(range(w.shape[0]), *map(range, sizes)):
        first = o // outputs * inputs
        window = [slice(i * s, i * s + span, d) for i, s, span, d in zip(at, strides, spans, dilations)]
        seen = x[(slice(None), slice(first, first + inputs), *window)]
        out[(slice(None), o, *at)] = (seen * w[o]).sum(tuple(range(1, x.ndim)))
    return out


CONVOLUTIONS = [
    dict(x=(2, 3, 7, 6), w=(4, 3, 3, 2), strides=(1, 1), pads=((0, 0), (0, 0)), dilations=(1, 1), group=1),
    dict(x=(1, 4, 9, 8), w=(6, 2, 3, 3), strides=(2, 1), pads=((1, 2), (0, 1)), dilations=(1, 2), group=2),
    dict(x=(2, 3, 5, 5), w=(3, 1, 3, 3), strides=(2, 2), pads=((1, 1), (1, 1)), dilations=(1, 1), group=3),
    dict(x=(1, 5, 4, 4), w=(7, 5, 1, 1), strides=(1, 1), pads=((0, 0), (0, 0)), dilations=(1, 1), group=1),
    dict(x=(1, 2, 11), w=(3, 2, 4), strides=(3,), pads=((2, 0),), dilations=(2,), group=1),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
@pytest.mark.parametrize("case", CONVOLUTIONS)
def test_integer_convolutions(case: dict[str, Any], left: Any, right: Any) -> None:
    x, w = drawn(case["x"], left, 17), drawn(case["w"], right, 18)
    pads = [before for before, _ in case["pads"]] + [after for _, after in case["pads"]]
    options = dict(strides=case["strides"], pads=pads, dilations=case["dilations"], group=case["group"])
    of_outputs = drawn((w.shape[0],), right, 19)
    for x_zero, w_zero in itertools.product((None, 9), (None, 50, of_outputs)):
        got = quantised.conv_integer(Tensor(x), Tensor(w), tensor(x_zero, left), tensor(w_zero, right), **options)
        across = w_zero.reshape(-1, *(1,) * (w.ndim - 1)) if isinstance(w_zero, np.ndarray) else w_zero
        places = (case["strides"], case["pads"], case["dilations"], case["group"])
        np.testing.assert_array_equal(got.asnumpy(), convolved(shifted(x, x_zero), shifted(w, across), *places))


def test_quantised_results_round_half_to_even_and_saturate() -> None:
    x, y = np.array([[1, 3, 100]], np.uint8), np.eye(3, dtype=np.uint8)
    got = quantised.quantised_matmul(
        *(Tensor(x), Tensor(np.float32(0.5)), tensor(0, np.uint8), Tensor(y), Tensor(np.float32(1.0)), tensor(0, np.uint8)),
        *(Tensor(np.float32(1.0)), tensor(210, np.uint8)),
    )
    np.testing.assert_array_equal(got.asnumpy(), np.array([[210, 212, 255]], np.uint8))


# Weights that are quantised in groups ---------------------------------------------------------------------------------


EPSILON = {ms.float32: 2.0**-23, ms.float16: 2.0**-10, ms.bfloat16: 2.0**-7}


def numbers(x: Tensor) -> np.ndarray:
    return x.astype(ms.float64).asnumpy()


def random_weight(k: int, n: int, bits: int, transposed: bool, groups: int, dtype: Any, with_offset: bool) -> Any:
    """A weight, with its scale and offset in the order of the weight's axes, and what it stands for."""
    rows, columns = (n, k) if transposed else (k, n)
    random = np.random.default_rng(20)
    q = drawn((rows, columns * bits // 8), np.int8, 21)
    scale = Tensor(random.uniform(0.01, 0.1, (groups, n)).astype(np.float32)).astype(dtype)
    offset = Tensor(random.uniform(-8, 8, (groups, n)).astype(np.float32)).astype(dtype) if with_offset else None
    parts = [None if part is None else numbers(part) for part in (scale, offset)]
    exact = dequantised_weight(q, *parts, transposed, bits)
    turned = [part.T if part is not None and transposed else part for part in (scale, offset)]
    return Tensor(q), *turned, exact


def within(got: Tensor, x: np.ndarray, exact: np.ndarray) -> bool:
    """Whether the error is that of sums in float32, rounded once."""
    bound = len(exact) * 2.0**-22 * (np.abs(x) @ np.abs(exact)) + EPSILON[got.dtype] * np.abs(x @ exact)
    return bool((np.abs(numbers(got) - x @ exact) <= bound).all())


@pytest.mark.parametrize("dtype", [ms.float32, ms.float16, ms.bfloat16])
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("with_offset", [False, True])
def test_products_with_quantised_weights(dtype: Any, bits: int, transposed: bool, with_offset: bool, machine: None) -> None:
    for m, k, n, group in ((1, 256, 64, 32), (3, 128, 130, 64), (5, 96, 10, 96), (2, 384, 1100, 128), (9, 70, 22, 70)):
        weight, scale, offset, exact = random_weight(k, n, bits, transposed, k // group, dtype, with_offset)
        x = Tensor(np.random.default_rng(22).standard_normal((2, m, k)).astype(np.float32)).astype(dtype)
        options = dict(transpose_weight=transposed, antiquant_group_size=group)
        got = ops.weight_quant_batch_matmul(x, weight, scale, offset, **options)
        assert got.dtype == dtype and got.shape == (2, m, n)
        assert within(got, numbers(x), exact)
        jit = ms.jit(ops.WeightQuantBatchMatmul(False, transposed, group))
        np.testing.assert_array_equal(numbers(jit(x, weight, scale, offset)), numbers(got))


def in_order(x: np.ndarray, q: np.ndarray, scale: np.ndarray, group: int) -> np.ndarray:
    """The sums as they are defined; of numbers whose products are exact in float64, so that rounding them once is an fma."""
    total = np.zeros((len(x), q.shape[1]), np.float32)
    for first in range(0, len(q), group):
        partial = np.zeros_like(total)
        for k in range(first, first + group):
            partial = (x[:, k : k + 1].astype(np.float64) * q[k] + partial).astype(np.float32)
        total = (partial.astype(np.float64) * scale[first // group] + total).astype(np.float32)
    return total


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("transposed", [False, True])
def test_the_order_of_sums_is_defined(bits: int, transposed: bool, machine: None) -> None:
    k, n, group = 192, 70, 64
    random = np.random.default_rng(23)
    x = random.integers(-(2**11), 2**11, (6, k)).astype(np.float32) * 2.0 ** random.integers(-8, 3, (6, k)).astype(
        np.float32
    )
    scale = (random.integers(1, 2**4, (k // group, n)) / 64).astype(np.float32)
    q = drawn((n, k * bits // 8) if transposed else (k, n * bits // 8), np.int8, 24)
    exact = dequantised_weight(q, np.ones((1, n)), None, transposed, bits)
    want = in_order(x, exact, scale, group)
    given = Tensor(scale.T.copy() if transposed else scale)
    options = dict(transpose_weight=transposed, antiquant_group_size=group)
    np.testing.assert_array_equal(ops.weight_quant_batch_matmul(Tensor(x), Tensor(q), given, **options).asnumpy(), want)


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("dtype", [ms.float32, ms.float16])
def test_a_quantised_weight_is_near_by_half_a_step(bits: int, symmetric: bool, dtype: Any) -> None:
    w = np.random.default_rng(25).standard_normal((128, 12)).astype(np.float32)
    w[:32, 3], w[32:64, 4] = 0, 7
    given = Tensor(w).astype(dtype)
    q, scale, offset = ops.quantise_weight(given, 32, bits, symmetric)
    assert q.dtype == ms.int8 and q.shape == (128, 12 * bits // 8) and scale.shape == (4, 12) and scale.dtype == dtype
    assert (offset is None) == symmetric
    exact = dequantised_weight(q.asnumpy(), numbers(scale), None if offset is None else numbers(offset), False, bits)
    steps = np.abs(exact - numbers(given)) / np.repeat(numbers(scale), 32, 0)
    assert steps.max() <= 0.5 + (0.002 if dtype == ms.float32 else 0.3)
    made = ops.weight_quant_batch_matmul(mint.eye(128).astype(dtype), q, scale, offset, antiquant_group_size=32)
    np.testing.assert_allclose(numbers(made), exact, rtol=2 * EPSILON[dtype])


def test_shapes_of_scales_bias_and_transposed_x() -> None:
    x, q = np.random.default_rng(26).standard_normal((3, 40)).astype(np.float32), drawn((40, 6), np.int8, 27)
    scale, bias = np.linspace(0.1, 0.6, 6, dtype=np.float32), np.arange(6, dtype=np.float32)
    want = ops.weight_quant_batch_matmul(Tensor(x), Tensor(q), Tensor(scale[None])).asnumpy()
    np.testing.assert_allclose(want, x @ (q * scale), rtol=1e-4, atol=1e-3)
    call = ops.WeightQuantBatchMatmul(transpose_x=True, transpose_weight=True)
    for shape in ((6,), (6, 1)):
        got = call(Tensor(x.T.copy()), Tensor(q.T.copy()), Tensor(scale.reshape(shape)), bias=Tensor(bias))
        np.testing.assert_array_equal(got.asnumpy(), want + bias)
    one = ops.weight_quant_batch_matmul(Tensor(x), Tensor(q), Tensor(scale[:1])).asnumpy()
    np.testing.assert_allclose(one, x @ (q * scale[0]), rtol=1e-4, atol=1e-3)


def test_gradients_of_products_with_quantised_weights() -> None:
    weight, scale, offset, exact = random_weight(64, 6, 4, False, 2, ms.float32, True)
    x = np.random.default_rng(28).standard_normal((2, 3, 64)).astype(np.float32)
    factor = np.random.default_rng(29).standard_normal((2, 3, 6)).astype(np.float32)

    def loss(x: Tensor, scale: Tensor, offset: Tensor) -> Tensor:
        return (ops.weight_quant_batch_matmul(x, weight, scale, offset, antiquant_group_size=32) * Tensor(factor)).sum()

    by_x, by_scale, by_offset = ms.grad(loss, (0, 1, 2))(Tensor(x), scale, offset)
    by_weight = np.einsum("bmk,bmn->kn", x, factor)
    unscaled = exact / np.repeat(numbers(scale), 32, 0)
    np.testing.assert_allclose(by_x.asnumpy(), factor @ exact.T, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(by_scale.asnumpy(), (by_weight * unscaled).reshape(2, 32, 6).sum(1), rtol=1e-3, atol=1e-3)
    want = by_weight.reshape(2, 32, 6).sum(1) * numbers(scale)
    np.testing.assert_allclose(by_offset.asnumpy(), want, rtol=1e-3, atol=1e-3)


X, Q, SCALE = np.zeros((2, 64), np.float32), np.zeros((64, 6), np.int8), np.ones((2, 6), np.float32)


@pytest.mark.parametrize(
    ("changed", "error", "match"),
    [
        (dict(weight=Q.astype(np.int32)), TypeError, "weight must be int8"),
        (dict(weight=Q[0]), ValueError, "2 axes"),
        (dict(x=X[:, :32], antiquant_group_size=16), ValueError, "as many elements"),
        (dict(antiquant_group_size=48), ValueError, "must divide k"),
        (dict(antiquant_group_size=-32), ValueError, "must divide k"),
        (dict(antiquant_group_size=0), ValueError, "of 1 groups"),
        (dict(antiquant_scale=SCALE[:, :5]), ValueError, "columns of weight"),
        (dict(antiquant_scale=SCALE.astype(np.float16)), TypeError, "one dtype"),
        (dict(antiquant_offset=SCALE[:, :1]), ValueError, "offset must be as scale"),
        (dict(x=X.astype(np.int32), antiquant_scale=SCALE.astype(np.int32)), TypeError, "scale must be of floating"),
        (dict(quant_scale=SCALE), ValueError, "must be None"),
    ],
)
def test_quantised_weights_that_are_refused(changed: dict[str, Any], error: type, match: str) -> None:
    arguments = dict(x=X, weight=Q, antiquant_scale=SCALE, antiquant_group_size=32) | changed
    given = {name: Tensor(value) if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    with pytest.raises(error, match=match):
        ops.weight_quant_batch_matmul(**given)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((np.zeros((64, 4), np.int8),), TypeError),
        ((np.zeros((64, 4), np.float32), 64, 5), ValueError),
        ((np.zeros((64, 4), np.float32), 16), ValueError),
        ((np.zeros((60, 4), np.float32), 32), ValueError),
        ((np.zeros((64, 3), np.float32), 32, 4), ValueError),
        ((np.zeros((64,), np.float32), 32), ValueError),
    ],
)
def test_weights_that_are_not_quantised(arguments: tuple[Any, ...], error: type) -> None:
    with pytest.raises(error, match="quantise_weight"):
        ops.quantise_weight(Tensor(arguments[0]), *arguments[1:])


@pytest.mark.parametrize("batched", [(True, False), (False, True), (True, True)])
def test_batches_of_quantised_weights(batched: tuple[bool, bool]) -> None:
    x = np.random.default_rng(30).standard_normal((4, 3, 64) if batched[0] else (3, 64)).astype(np.float32)
    q, scale = drawn((4, 64, 6) if batched[1] else (64, 6), np.int8, 31), np.tile(SCALE, (4, 1, 1)) if batched[1] else SCALE

    def call(x: Tensor, q: Tensor, scale: Tensor) -> Tensor:
        return ops.weight_quant_batch_matmul(x, q, scale, antiquant_group_size=32)

    axes = tuple(0 if batch else None for batch in (batched[0], batched[1], batched[1]))
    got = ms.vmap(call, in_axes=axes)(Tensor(x), Tensor(q), Tensor(scale)).asnumpy()
    for i in range(4):
        parts = (part[i] if axis == 0 else part for part, axis in zip((x, q, scale), axes))
        np.testing.assert_array_equal(got[i], call(*map(Tensor, parts)).asnumpy())
