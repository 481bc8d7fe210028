"""Models that emberjit.onnx.export writes: checked by onnx.checker, run by ONNX Runtime and read back, each beside the
function itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")

import emberjit as ms  # noqa: E402
from emberjit import Tensor, mint, nn, ops  # noqa: E402

F = mint.nn.functional


def real(*shape: int) -> Any:
    return Tensor(np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32))


class Convolutional(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.convolution, self.norm = nn.Conv2d(3, 8, 3, stride=2, has_bias=True), nn.BatchNorm2d(8)
        self.pool, self.dense, self.layer_norm = nn.MaxPool2d(2, 2), nn.Dense(8, 4), nn.LayerNorm((4,))

    def construct(self, x: Any) -> Any:
        x = self.pool(nn.ReLU()(self.norm(self.convolution(x)))).mean((2, 3))
        x = self.layer_norm(self.dense(x)).reshape(x.shape[0], 2, -1)
        return nn.Softmax()(x.reshape(x.shape[0], -1)), x.sum()


class Recurrent(nn.Cell):
    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.layer = kind(5, 7, 2, batch_first=True, bidirectional=True)

    def construct(self, x: Any) -> Any:
        return self.layer(x)


def doubling(x: Any, n: Any) -> Any:
    i = Tensor(0)
    while i < n:
        x = x * 1.5 - i
        i = i + 1
    x = x + 1 if x.sum() > 0 else x - 1
    return {"a": x, "b": (i, x)}


def written(x: Any) -> Any:
    x = x * 2
    x[1:3, ::2] = 7
    x[0] = x[3] + 1
    x[::-1, 1][:2] = 5
    return x


AT = Tensor(np.array([[1, 2], [0, 1], [2, 2]]))
ENCODER = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True).set_train(False)
ROWS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "convolutional": (Convolutional().set_train(False), (real(2, 3, 16, 16),)),
    "control flow": (doubling, (real(2, 3), Tensor(4))),
    **{kind.__name__: (Recurrent(kind), (real(2, 6, 5),)) for kind in (nn.LSTM, nn.GRU, nn.RNN)},
    "encoder": (ENCODER, (real(2, 6, 16),)),
    "orders": (
        lambda x: (mint.sort(x, dim=1)[0], mint.topk(x, 2)[0], mint.argmax(x, 1), mint.cumsum(x, 0), mint.flip(x, (1,))),
        (real(3, 4),),
    ),
    "parts": (lambda x: (x[:, 1:3], x[1], mint.tril(x), mint.cat([x, x], 1), mint.stack([x, x])), (real(3, 4),)),
    "numbers": (
        lambda x: (x // 0.3, x % 0.7, x.astype(ms.int32), mint.round(x), mint.trunc(x), mint.where(x > 0, x, -x)),
        (real(3, 4),),
    ),
    "ints": (lambda x: (x // 3, x % 3, x & 5, x | 1, -x, x * x, x == 2), (Tensor(np.arange(-5, 5).astype(np.int32)),)),
    "functions": (
        lambda x: (mint.sinh(x), mint.erfc(x), mint.log1p(x.abs()), mint.expm1(x), mint.atan2(x, x + 1), mint.tan(x)),
        (real(3, 4),),
    ),
    "activations": (lambda x: (F.gelu(x), F.silu(x), F.elu(x), ops.hardswish(x), F.softplus(x), F.selu(x)), (real(3, 4),)),
    "products": (lambda x, y: (mint.matmul(x, y), mint.einsum("ij,jk->ki", x, y)), (real(3, 4), real(4, 5))),
    "reductions": (
        lambda x: (mint.var(x, 1), mint.std(x), mint.softmax(x, 0), mint.logsumexp(x, 1), mint.prod(x, 1), mint.any(x > 1)),
        (real(3, 4),),
    ),
    "pools": (
        lambda x: (F.avg_pool2d(x, 3, 2, 1), F.max_pool2d(x, 3, 2, 1), F.adaptive_avg_pool2d(x, (2, 2))),
        (real(1, 2, 8, 8),),
    ),
    "images": (
        lambda x: (F.interpolate(x, scale_factor=2.0, mode="nearest"), F.pad(x, (1, 2, 0, 1)), F.group_norm(x, 2)),
        (real(1, 2, 4, 5),),
    ),
    "transposed": (lambda x, w: F.conv_transpose2d(x, w, None, 2, 1, 1), (real(1, 3, 5, 5), real(3, 4, 3, 3))),
    "embedding": (lambda w, i: F.embedding(i, w), (real(10, 4), AT)),
    "writes": (written, (real(4, 5),)),
    "positions": (lambda x, i: (x[i[0], i[1]], x[i[0], -1], x[:, i[0]]), (real(3, 4), AT)),
    "bases": (lambda x: (mint.exp2(x), mint.log2(x.abs()), mint.log10(x.abs()), mint.fmod(x, 0.7)), (real(3, 4),)),
    "gathers": (
        lambda x, i: (mint.gather(x, 1, i), mint.index_select(x, 1, i[0]), ops.one_hot(i, 5, Tensor(1.0), Tensor(0.0))),
        (real(3, 4), AT),
    ),
}


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    return [each for part in value for each in leaves(part)] if isinstance(value, (list, tuple)) else [value]


def assert_like(found: list[Any], wanted: Any) -> None:
    arrays = [each.asnumpy() for each in leaves(wanted)]
    assert [(x.shape, x.dtype) for x in found] == [(x.shape, x.dtype) for x in arrays]
    for a, b in zip(found, arrays, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)


def run(path: Any, args: tuple[Any, ...]) -> list[Any]:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return list(session.run(None, {each.name: x.asnumpy() for each, x in zip(session.get_inputs(), args, strict=True)}))


@pytest.mark.parametrize("name", ROWS)
def test_exported_models(name, tmp_path):
    function, args = ROWS[name]
    path = tmp_path / "m.onnx"
    ms.onnx.export(function, *args, file_name=path)
    onnx.checker.check_model(str(path), full_check=True)
    assert_like(run(path, args), function(*args))
    assert_like([x.asnumpy() for x in leaves(ms.onnx.load(path)(*args))], function(*args))


def test_sizes_that_change(tmp_path):
    path = tmp_path / "m.onnx"
    names = {"input_names": ["image"], "output_names": ["scores", "sum"], "dynamic_axes": {"image": [0]}}
    net = Convolutional().set_train(False)
    ms.onnx.export(net, real(2, 3, 16, 16), file_name=path, **names)
    model = onnx.load(path)
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "image_0"
    assert [each.name for each in model.graph.output] == ["scores", "sum"]
    assert {each.name for each in model.graph.initializer} >= {"convolution.weight", "norm.moving_mean", "dense.bias"}
    for n in (2, 5, 7):
        assert_like(run(path, (real(n, 3, 16, 16),)), net(real(n, 3, 16, 16)))


RECURRENT = {
    "LSTM": lambda: nn.LSTM(5, 7, 2, bidirectional=True),
    "GRU": lambda: nn.GRU(5, 7, has_bias=False, batch_first=True),
    "RNN": lambda: nn.RNN(5, 7, bidirectional=True, nonlinearity="relu"),
}


@pytest.mark.parametrize("op", RECURRENT)
def test_sequences_of_any_length(op, tmp_path):
    path, net = tmp_path / "m.onnx", RECURRENT[op]()
    ms.onnx.export(net, real(4, 3, 5), file_name=path, dynamic_axes={"x0": [0, 1]})
    onnx.checker.check_model(str(path), full_check=True)
    assert [each.op_type for each in onnx.load(path).graph.node if each.op_type in (op, "Scan")] == [op] * len(net.w_ih_list)
    for shape in ((4, 3, 5), (9, 2, 5), (2, 6, 5)):
        x = real(*shape)
        assert_like(run(path, (x,)), net(x))


def test_first_states(tmp_path):
    path, net, x = tmp_path / "m.onnx", nn.LSTM(5, 7), real(4, 3, 5)
    ms.onnx.export(net, x, (real(1, 3, 7), real(1, 7, 3).swapaxes(1, 2)), file_name=path)
    states = real(1, 3, 7) * 2, real(1, 3, 7) - 1
    assert_like(run(path, (x, *states)), net(x, states))


def test_parameters_outside(tmp_path):
    path, net, x = tmp_path / "m.onnx", nn.Dense(3, 2), real(4, 3)
    ms.onnx.export(net, x, file_name=path, export_params=False)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    given = {"x0": x.asnumpy(), "weight": net.weight.asnumpy() * 2, "bias": net.bias.asnumpy() * 2}
    np.testing.assert_allclose(session.run(None, given)[0], net(x).asnumpy() * 2, rtol=1e-5)
    ms.onnx.export(net, x, file_name=path, keep_initializers_as_inputs=True)
    assert [each.name for each in onnx.load(path).graph.input] == ["x0", "weight", "bias"]
    assert_like(run_first(path, x), net(x))


def run_first(path: Any, x: Any) -> list[Any]:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return list(session.run(None, {"x0": x.asnumpy()}))
