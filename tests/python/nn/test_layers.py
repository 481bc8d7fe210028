"""A table of Cells: what their Parameters are called, as in MindSpore, whose checkpoints must fit; jitted they give what
they give eagerly, and their gradients are finite."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, boost, nn, ops

BIAS, NORM = "weight bias", "gamma beta"
STATISTICS = f"moving_mean moving_variance {NORM}"
CELL = "weight_ih weight_hh bias_ih bias_hh"
ATTENTION = "in_proj_weight in_proj_bias out_proj.weight out_proj.bias"


def within(path: str, *names: str) -> str:
    return " ".join(f"{path}.{name}" for name in " ".join(names).split())


def recurrent(layers: int, directions: int, biases: bool = True) -> str:
    kinds = CELL.split() if biases else CELL.split()[:2]
    ends = [f"_l{i}{way}" for i in range(layers) for way in ("", "_reverse")[:directions]]
    return " ".join(kind + end for kind in kinds for end in ends)


def layer(*attentions: str) -> str:
    count = range(1, len(attentions) + 2)
    dense = [within(f"dense{i}", BIAS) for i in (1, 2)]
    return " ".join([*(within(name, ATTENTION) for name in attentions), *dense, *(within(f"norm{i}", NORM) for i in count)])


ENCODER, DECODER = layer("self_attn"), layer("self_attn", "multihead_attn")
BLOCK = 4, 2, 8
TABLE: list[tuple[Any, str, str]] = [  # what makes a Cell; its inputs: f(shape), i(shape) below 7; names of its Parameters
    (lambda: nn.Dense(3, 2), "f(4, 3)", BIAS),
    (lambda: nn.Dense(3, 2, has_bias=False, activation="relu"), "f(2, 4, 3)", "weight"),
    (lambda: nn.BiDense(3, 4, 2), "f(5, 3), f(5, 4)", BIAS),
    (lambda: nn.Conv1d(3, 4, 3, has_bias=True), "f(2, 3, 8)", BIAS),
    (lambda: nn.Conv1dTranspose(3, 4, 3, pad_mode="valid", stride=2), "f(2, 3, 8)", "weight"),
    (lambda: nn.Conv2d(4, 4, 3, pad_mode="pad", padding=(1, 2, 0, 1), group=2, has_bias=True), "f(2, 4, 6, 6)", BIAS),
    (lambda: nn.Conv2dTranspose(3, 4, 3, 2, "pad", 1, 1), "f(2, 3, 5, 5)", "weight"),
    (lambda: nn.Conv3d(2, 3, 3), "f(1, 2, 5, 5, 5)", "weight"),
    (lambda: nn.Conv3dTranspose(2, 3, 3, has_bias=True), "f(1, 2, 4, 4, 4)", BIAS),
    (lambda: nn.BatchNorm1d(3), "f(4, 3)", STATISTICS),
    (lambda: nn.BatchNorm2d(3).set_train(), "f(2, 3, 4, 4)", STATISTICS),
    (lambda: nn.BatchNorm3d(3), "f(2, 3, 2, 4, 4)", within("bn2d", STATISTICS)),
    (lambda: nn.SyncBatchNorm(3), "f(2, 3, 4, 4)", STATISTICS),
    (lambda: nn.LayerNorm((3, 4), 1, 1), "f(2, 3, 4)", NORM),
    (lambda: nn.GroupNorm(2, 4), "f(2, 4, 3, 3)", NORM),
    (lambda: nn.InstanceNorm1d(3), "f(2, 3, 5)", NORM),
    (lambda: nn.InstanceNorm2d(3), "f(2, 3, 4, 4)", NORM),
    (lambda: nn.InstanceNorm3d(3), "f(2, 3, 2, 4, 4)", NORM),
    (lambda: nn.Embedding(7, 3), "i(2, 4)", "embedding_table"),
    (lambda: nn.Embedding(7, 3, True, padding_idx=2), "i(2, 4)", "embedding_table"),
    (lambda: nn.EmbeddingLookup(7, 3, max_norm=0.01), "i(2, 4)", "embedding_table"),
    (lambda: nn.EmbeddingLookup(7, 3, target="DEVICE"), "i(2, 4)", "embedding_table"),
    *(
        (
            lambda how=how: nn.MultiFieldEmbeddingLookup(7, 3, 2, operator=how),
            "i(2, 4), f(2, 4), i(2, 4) % 2",
            "embedding_table",
        )
        for how in ("SUM", "MEAN", "MAX")
    ),
    (lambda: nn.RNN(3, 4), "f(5, 2, 3), f(1, 2, 4)", recurrent(1, 1)),
    (
        lambda: nn.LSTM(3, 4, 2, bidirectional=True, has_bias=False),
        "f(5, 2, 3), (f(4, 2, 4), f(4, 2, 4))",
        recurrent(2, 2, False),
    ),
    (lambda: nn.GRU(3, 4, 2, bidirectional=True), "f(5, 2, 3), f(4, 2, 4)", recurrent(2, 2)),
    (lambda: nn.RNNCell(3, 4), "f(2, 3), f(2, 4)", CELL),
    (lambda: nn.LSTMCell(3, 4), "f(2, 3), (f(2, 4), f(2, 4))", CELL),
    (lambda: nn.GRUCell(3, 4), "f(2, 3), f(2, 4)", CELL),
    (lambda: nn.MultiheadAttention(4, 2), "f(3, 2, 4), f(5, 2, 4), f(5, 2, 4), i(2, 5) == 3", ATTENTION),
    (
        lambda: nn.MultiheadAttention(4, 2, batch_first=True),
        "f(3, 4, 4), f(3, 5, 4), f(3, 5, 4), None, False, f(4, 5)",
        ATTENTION,
    ),
    (
        lambda: nn.MultiheadAttention(4, 2, kdim=3, vdim=5, add_bias_kv=True, add_zero_attn=True),
        "f(3, 2, 4), f(5, 2, 3), f(5, 2, 5), i(2, 5) == 3, True, f(4, 3, 5), False",
        "q_proj_weight k_proj_weight v_proj_weight in_proj_bias bias_k bias_v out_proj.weight out_proj.bias",
    ),
    (lambda: nn.TransformerEncoderLayer(*BLOCK, norm_first=True, activation="gelu"), "f(3, 2, 4)", ENCODER),
    (lambda: nn.TransformerDecoderLayer(*BLOCK), "f(3, 2, 4), f(5, 2, 4), None, f(3, 5)", DECODER),
    (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(*BLOCK), 2, nn.LayerNorm((4,))),
        "f(3, 2, 4)",
        " ".join([*(within(f"layers.{i}", ENCODER) for i in range(2)), within("norm", NORM)]),
    ),
    (
        lambda: nn.Transformer(4, 2, 1, 1, 8, batch_first=True),
        "f(2, 3, 4), f(2, 5, 4)",
        " ".join(
            within(side, within("layers.0", names), within("norm", NORM))
            for side, names in (("encoder", ENCODER), ("decoder", DECODER))
        ),
    ),
    (lambda: nn.PReLU(3, 0.1), "f(2, 3, 2)", "w"),
    (
        lambda: nn.Conv2dBnAct(3, 4, 3, has_bn=True, activation="relu"),
        "f(1, 3, 5, 5)",
        f"conv.weight {within('batchnorm', STATISTICS)}",
    ),
    (lambda: nn.DenseBnAct(3, 4, activation="leakyrelu"), "f(2, 3)", within("dense", BIAS)),
    (lambda: nn.SequentialCell(nn.Dense(3, 2), nn.ReLU()), "f(2, 3)", within("0", BIAS)),
    (lambda: nn.WithLossCell(nn.Dense(3, 2), nn.MSELoss()), "f(2, 3), f(2, 2)", within("_backbone", BIAS)),
    (lambda: nn.TimeDistributed(nn.Dense(3, 2), 1, 0), "f(2, 4, 3)", within("layer", BIAS)),
    (lambda: nn.GradAccumulationCell(nn.Dense(3, 2), 2), "f(4, 3)", within("network", BIAS)),
    (lambda: nn.PipelineCell(nn.Dense(3, 2), 2), "f(4, 3)", within("network", BIAS)),
    (lambda: nn.SSIM(filter_size=5), "f(1, 2, 8, 8), f(1, 2, 8, 8)", "conv.weight"),
    (
        lambda: nn.MSSSIM(power_factors=(0.3, 0.7), filter_size=3),
        "abs(f(1, 2, 8, 8)), abs(f(1, 2, 8, 8))",
        "multi_convs_list.0.weight multi_convs_list.1.weight",
    ),
    (lambda: nn.MultiClassDiceLoss(Tensor(np.ones((3, 1), np.float32)), 1, "sigmoid"), "f(2, 3, 4), f(2, 3, 4)", ""),
    (lambda: nn.SampledSoftmaxLoss(3, 7, 1, DRAWN), "f(7, 4), f(7), i(2, 1), f(2, 4)", ""),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean"), "f(4, 7), i(4)", ""),
    (lambda: nn.CTCLoss(), "f(6, 7), i(3) % 6 + 1, (6,), (3,)", ""),
    (lambda: nn.FocalLoss(reduction="none"), "f(3, 2, 4), i(3, 1, 4) % 2", ""),
]
DRAWN = (
    Tensor(np.array([1, 2, 4], np.int32)),
    Tensor(np.full((2, 1), 0.3, np.float32)),
    Tensor(np.full(3, 0.3, np.float32)),
)


def known() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    return {
        "f": lambda *shape: Tensor(rng.uniform(-2, 2, shape).astype(np.float32)),
        "i": lambda *shape: Tensor(rng.integers(0, 7, shape).astype(np.int32)),
    }


def leaves(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, (tuple, list)) else [value]


@pytest.mark.parametrize("make,inputs,names", TABLE, ids=lambda value: value if isinstance(value, str) else None)
def test_cells(make: Any, inputs: str, names: str) -> None:
    cell, args = make(), eval(f"({inputs},)", known())
    assert [path for path, _ in cell.parameters_and_names()] == names.split()
    eager = leaves(cell(*args))
    statistics = [parameter.asnumpy().copy() for parameter in cell.get_parameters()]
    for got, want in zip(leaves(ms.jit(lambda *args: cell(*args))(*args)), eager):
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5, atol=1e-6)
    assert not cell.training or any((a != p.asnumpy()).any() for a, p in zip(statistics, cell.get_parameters()))

    def loss(*args: Any) -> Any:
        return sum(ops.sum(one) for one in leaves(cell(*args)) if one.dtype == ms.float32)

    weights = cell.trainable_params()
    gradients = ms.grad(loss, None, weights)(*args) if weights else ms.grad(loss)(*args)
    assert all(np.isfinite(one.asnumpy()).all() for one in leaves(gradients))


def test_attention_without_weights_is_the_same() -> None:
    attention, x = nn.MultiheadAttention(4, 2, add_bias_kv=True), known()["f"](3, 2, 4)
    for mask in (None, known()["f"](3, 3), known()["i"](3, 3) > 4):
        with_weights, weights = attention(x, x, x, attn_mask=mask)
        (without,) = attention(x, x, x, need_weights=False, attn_mask=mask)
        np.testing.assert_allclose(without.asnumpy(), with_weights.asnumpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(weights.asnumpy().sum(-1), 1, rtol=1e-5)
    single = attention(x[:, 0], x[:, 0], x[:, 0])[0]
    np.testing.assert_allclose(single.asnumpy(), attention(x, x, x)[0][:, 0].asnumpy(), rtol=1e-5, atol=1e-6)


def test_labels_behind_their_length_are_not_looked_at() -> None:
    log_probs, lengths = -known()["f"](6, 2, 7).abs(), (Tensor([6, 6]), Tensor([2, 1]))
    losses = [nn.CTCLoss()(log_probs, Tensor([[1, 2, fill], [3, fill, fill]]), *lengths).item() for fill in (1, -1, 99)]
    assert losses == [losses[0]] * 3


class Standardised(nn.Conv2d):
    """A subclass that calls the primitive that MindSpore's Conv2d has."""

    def construct(self, x: Any) -> Any:
        return self.bias_add(self.conv2d(x, self.weight - self.weight.mean()), self.bias)


class Weighted(nn.LossBase):
    """As MindSpore's documentation writes losses."""

    def construct(self, x: Any, y: Any) -> Any:
        return self.get_loss(self.reduce_sum(self.mul(self.cast(x, ms.float32), y), 1))


@pytest.mark.parametrize(
    "make,inputs",
    [
        (lambda: Standardised(2, 3, 3, pad_mode="pad", padding=1, has_bias=True, bias_init="ones"), "f(1, 2, 5, 5)"),
        (lambda: Weighted("sum"), "f(2, 3), f(2, 3)"),
    ],
)
def test_subclasses_find_the_primitives_of_their_layers(make: Any, inputs: str) -> None:
    cell, args = make(), eval(f"({inputs},)", known())
    eager, step = cell(*args).asnumpy(), ms.jit(lambda *args: cell(*args))
    for _ in range(3):
        np.testing.assert_allclose(step(*args).asnumpy(), eager, rtol=1e-5, atol=1e-6)
    assert len(ms.explain(step)["entries"]) == 1


def test_parts_are_those_of_the_layers() -> None:
    x = known()["f"](2, 3, 4, 4)
    norm, pool, dense = nn.LayerNorm((4,)), nn.MaxPool2d(2, 2), nn.Dense(4, 2, has_bias=False)
    pairs = [
        (norm.layer_norm(x, norm.gamma, norm.beta)[0], norm(x)),
        (pool.max_pool(x), pool(x)),
        (dense.matmul(x[0, 0], dense.weight), dense(x[0, 0])),
        (nn.Dropout(p=0.0).dropout(x)[0], x),
        (nn.AvgPool2d(2, 2).avg_pool(x), nn.AvgPool2d(2, 2)(x)),
    ]
    batch = nn.BatchNorm2d(3)
    pairs.append((batch.bn_infer(x, batch.gamma, batch.beta, batch.moving_mean, batch.moving_variance)[0], batch(x)))
    for got, want in pairs:
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises(AttributeError, match="conv2d"):
        assert dense.conv2d


def test_images_alike() -> None:
    x = known()["f"](2, 3, 16, 16).abs()
    np.testing.assert_allclose(nn.SSIM()(x, x).asnumpy(), 1, rtol=1e-5)
    np.testing.assert_allclose(nn.MSSSIM(power_factors=(0.5, 0.5), filter_size=5)(x, x).asnumpy(), 1, rtol=1e-5)
    whole = nn.PSNR(255)((x * 100).astype(ms.uint8), (x * 50).astype(ms.uint8))
    error = ((x * 100).astype(ms.uint8).asnumpy() / 255.0 - (x * 50).astype(ms.uint8).asnumpy() / 255.0) ** 2
    np.testing.assert_allclose(whole.asnumpy(), -10 * np.log10(error.mean((1, 2, 3))), rtol=1e-4)


class Squares(nn.Cell):
    """A loss of a Dense."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 2, "ones", "zeros")

    def construct(self, x: Any, y: Any) -> Any:
        return ((self.dense(x) - y) ** 2).mean()


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("scale", [lambda: nn.DynamicLossScaleUpdateCell(16.0, 2, 3), lambda: Tensor(4.0)])
def test_a_step_with_a_scaled_loss(scale: Any, mode: int) -> None:
    ms.set_context(mode=mode)
    x, y = Tensor(np.arange(12, dtype=np.float32).reshape(4, 3) / 10), Tensor(np.ones((4, 2), np.float32))
    nets = [Squares(), Squares()]
    optimizers = [nn.Momentum(net.trainable_params(), 0.1, 0.9) for net in nets]
    step = nn.TrainOneStepWithLossScaleCell(nets[0], optimizers[0], scale())
    plain, scales = nn.TrainOneStepCell(nets[1], optimizers[1]), []
    for i in range(6):
        loss, overflow, used = step(x * np.inf if i == 4 else x, y)
        assert bool(overflow) == (i == 4)
        scales.append(used.item())
        if i != 4:
            np.testing.assert_allclose(loss.asnumpy(), plain(x, y).asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(nets[0].dense.weight.asnumpy(), nets[1].dense.weight.asnumpy(), rtol=1e-6)
    assert scales == [4.0] * 6 if isinstance(scale(), Tensor) else scales == [16.0, 16.0, 16.0, 32.0, 32.0, 16.0]
    step.set_sense_scale(Tensor(2.0))
    assert step(x, y)[2] == 2.0
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_gradients_accumulate_over_steps(mode: int) -> None:
    ms.set_context(mode=mode)
    net = Squares()
    accumulate = boost.GradientAccumulation(2, nn.SGD(net.trainable_params(), 1.0))
    loss, weights = Tensor(3.0), []
    for i in range(4):
        assert accumulate(loss, tuple(ops.full_like(each, i) for each in net.trainable_params())) == loss
        weights.append(net.dense.weight.asnumpy()[0, 0])
    assert weights == [1.0, 0.5, 0.5, -2.0]
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_cells_of_gradients() -> None:
    x, v = Tensor(np.array([1.0, 2.0], np.float32)), Tensor(np.ones(2, np.float32))
    for found in (nn.Jvp(lambda x: x**3)(x, v), nn.Vjp(lambda x: x**3)(x, v)):
        np.testing.assert_allclose([one.asnumpy() for one in found], [[1, 8], [3, 12]], rtol=1e-6)
    changes = nn.Jvp(lambda x, y: x * y)(x, x, (v, v))[1]
    np.testing.assert_allclose(changes.asnumpy(), [2, 4], rtol=1e-6)
    net, data = Squares(), (Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((2, 2), np.float32)))
    one, two = nn.WithGradCell(net)(*data), nn.WithGradCell(net, sens=Tensor(2.0))(*data)
    np.testing.assert_allclose(two[0].asnumpy(), 2 * one[0].asnumpy(), rtol=1e-6)
    parameter = ms.Parameter(Tensor(1.0), name="p")
    assert nn.ParameterUpdate(parameter)(Tensor(3.0)) == 3 and parameter == 3


@pytest.mark.parametrize(
    "call,error",
    [
        (lambda: boost.GradientAccumulation(0, nn.SGD(Squares().trainable_params())), ValueError),
        (lambda: boost.GradientAccumulation(2, Squares()), TypeError),
        (lambda: nn.MultiheadAttention(5, 2), ValueError),
        (lambda: nn.MultiheadAttention(4, 2)(*[known()["f"](3, 4)] * 2, known()["f"](2, 3, 4)), ValueError),
        (lambda: nn.MultiheadAttention(4, 2)(*[known()["f"](3, 2, 4)] * 3, known()["i"](2, 3)), ValueError),
        (lambda: nn.MultiheadAttention(4, 2)(*[known()["f"](3, 2, 4)] * 3, attn_mask=known()["f"](3, 4)), ValueError),
        (lambda: nn.TransformerEncoderLayer(4, 2, activation="tanh"), ValueError),
        (lambda: nn.TransformerEncoder(nn.Dense(2, 2), 2), TypeError),
        (lambda: nn.EmbeddingLookup(3, 4, target="GPU"), ValueError),
        (lambda: nn.EmbeddingLookup(3, 4, sparse=False), ValueError),
        (lambda: nn.EmbeddingLookup(3, 4, max_norm=-1.0), ValueError),
        (lambda: nn.MultiFieldEmbeddingLookup(3, 4, 2, operator="ANY"), ValueError),
        (lambda: nn.SSIM(max_val=0), ValueError),
        (lambda: nn.SSIM(filter_sigma=1), TypeError),
        (lambda: nn.SSIM()(known()["f"](1, 1, 8, 8), known()["f"](1, 1, 8, 8)), ValueError),
        (lambda: nn.Conv2dBnAct(3, 4, 3, activation=3), TypeError),
        (lambda: nn.DenseBnAct(3, 4, has_bn=1), TypeError),
        (lambda: nn.MultiClassDiceLoss(activation="gelu"), ValueError),
        (lambda: nn.SampledSoftmaxLoss(9, 7), ValueError),
        (lambda: nn.LossBase("any"), ValueError),
        (lambda: nn.TrainOneStepWithLossScaleCell(Squares(), nn.SGD(Squares().trainable_params()), 3.0), TypeError),
        (lambda: nn.TrainOneStepCell(Squares(), nn.SGD(Squares().trainable_params()), 0), ValueError),
        (lambda: nn.GradAccumulationCell(Squares(), 0), ValueError),
        (lambda: nn.GradAccumulationCell(nn.Dense(3, 2), 3)(known()["f"](4, 3)), ValueError),
        (lambda: nn.PipelineCell(Squares(), 2, {"other": 0}), KeyError),
        (lambda: nn.ParameterUpdate(3), TypeError),
        (lambda: nn.SparseToDense()(known()["f"](2)), TypeError),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()
