"""export, load and GraphCell: graphs in files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, mint, nn, ops
from emberjit import _emberjit as core
from emberjit.capture.jit.func_graph import FuncGraph, capture
from emberjit.train import safetensors

X = Tensor(np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32))
UNKNOWN = Tensor(shape=[None, 3], dtype=ms.float32)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(3, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Dense(5, 2))
        self.table = Tensor(np.arange(100, dtype=np.float32))

    def construct(self, x: Any) -> Any:
        return self.layers(x) + self.table[:2]


class Structured(nn.Cell):
    def construct(self, pair: Any, factor: Any, name: Any = "none") -> Any:
        total = pair[0] + pair[1]["b"] * factor
        return {"total": total, "rest": (pair[0], [total, total, 3, None, name]), 7: [total.sum() > 0]}


class Loops(nn.Cell):
    def construct(self, x: Any) -> Any:
        total = x + 0
        while total.sum() < 100:
            total = total * 2 + 1
        if total.max() > 50:
            total = -total
        return total


class Counts(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.calls = Parameter(Tensor(0.0), name="calls", requires_grad=False)

    def construct(self, x: Any) -> Any:
        return x * ops.assign_add(self.calls, Tensor(1.0))


def exported(tmp_path: Path, net: Any, *inputs: Any, **options: Any) -> nn.GraphCell:
    path = str(tmp_path / "net.mindir")
    ms.export(net, *inputs, file_name=path, file_format="MINDIR", **options)
    return nn.GraphCell(ms.load(path))


def same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, Tensor):
        assert got.dtype == wanted.dtype and got.asnumpy().tobytes() == wanted.asnumpy().tobytes()
    elif isinstance(wanted, (tuple, list)):
        assert type(got) is type(wanted) and len(got) == len(wanted)
        for one, other in zip(got, wanted):
            same(one, other)
    elif isinstance(wanted, dict):
        assert list(got) == list(wanted)
        same(list(got.values()), list(wanted.values()))
    else:
        assert got == wanted and type(got) is type(wanted)


class Returns(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.array([1.0, 2.0, 3.0], np.float32)), name="w")
        self.t = Tensor(np.array([4.0, 5.0], np.float32))

    def construct(self, x: Any) -> Any:
        self.w += 1
        return x, self.w, {"t": [self.t, self.w]}


def test_the_same_bits(tmp_path: Path) -> None:
    net = Net()
    loaded = exported(tmp_path, net, X)
    rows = Tensor(np.random.default_rng(1).standard_normal((9, 3)).astype(np.float32))
    for x in (X, rows):
        same(loaded(x), net(x))
        same(ms.jit(lambda x: loaded(x) * 2)(x), net(x) * 2)
        same(ms.jit(loaded, fullgraph=True)(x), net(x))
    assert [(p.name, p.requires_grad) for p in loaded.get_parameters()] == [
        (p.name, p.requires_grad) for p in net.get_parameters()
    ]


def test_in_graph_mode(tmp_path: Path) -> None:
    net = Net()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        same(exported(tmp_path, net, X)(X), net(X))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_gradients_and_batches(tmp_path: Path) -> None:
    net = Net()
    loaded = exported(tmp_path, net, X)
    for cell in (net, loaded):
        cell.set_train(False)
    same(ms.grad(loaded)(X), ms.grad(net)(X))
    same(ms.jit(ms.grad(loaded))(X), ms.grad(net)(X))
    of = [ms.value_and_grad(cell, None, cell.trainable_params())(X) for cell in (loaded, net)]
    same(of[0], of[1])
    deep = Tensor(np.stack([X.asnumpy()] * 2))
    same(ms.vmap(loaded)(deep), ms.vmap(net)(deep))


def test_training_goes_on(tmp_path: Path) -> None:
    def losses(cell: Any) -> list[float]:
        optimizer = nn.Adam(cell.trainable_params(), 0.1)
        step = ms.value_and_grad(lambda x: (cell(x) ** 2).sum(), None, cell.trainable_params())
        found = []
        for _ in range(4):
            loss, gradients = step(X)
            optimizer(gradients)
            found.append(float(loss))
        return found

    net = nn.Dense(3, 2)
    loaded = exported(tmp_path, net, X)
    assert losses(loaded) == losses(net)


def test_a_step_of_training(tmp_path: Path) -> None:
    net = nn.WithLossCell(nn.Dense(3, 2), nn.MSELoss())
    step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
    label = ops.ones((4, 2))
    loaded = exported(tmp_path, step, X, label)
    for _ in range(3):
        same(loaded(X, label), step(X, label))


CALLS: dict[str, tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = {
    "structured": (Structured(), ((X, {"b": X + 1}), 2.0), ((X, {"b": X + 1}),)),
    "loops": (Loops(), (X,), (X,)),
    "function": (lambda x, y: (x @ y.T).softmax(-1), (X, X), (X, X)),
    "jitted": (ms.jit(lambda x: (x, x + 1)), (X,), (X,)),
    "integers": (lambda x: x.argmax(1), (X,), (X,)),
    "sizes": (lambda x: mint.ones(x.shape) + x.shape[0], (X,), (X,)),
    "no Tensor": (lambda x: ops.ones((2,)) * x, (3.0,), ()),
    "bfloat16": (lambda x: x.to(ms.bfloat16) * 3, (X,), (X,)),
    "of a file": (Net(), (X,), (X,)),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str, tmp_path: Path) -> None:
    net, given, called = CALLS[name]
    loaded = exported(tmp_path, net, *given)
    wanted = net(*given)
    same(loaded(*called), wanted)
    if name == "of a file":
        same(exported(tmp_path, loaded, X)(X), wanted)


def test_effects(tmp_path: Path) -> None:
    net = Counts()
    loaded = exported(tmp_path, net, X)
    assert float(net.calls) == 0
    for wanted in (1, 2):
        same(loaded(X), X * wanted)
    assert float(loaded.calls if hasattr(loaded, "calls") else loaded.parameters_dict()["calls"]) == 2
    same(nn.GraphCell(loaded.graph)(X), X)  # Parameters of its own


def test_results_from_outside(tmp_path: Path) -> None:
    net = Returns()
    loaded = exported(tmp_path, net, X)
    for _ in range(2):
        same(loaded(X), net(X))
    before = loaded(X)[1]
    same(loaded(X)[1], before + 1)


def test_files_do_not_say_where_they_were_written(tmp_path: Path) -> None:
    net = Loops()
    ms.export(net, X, file_name=tmp_path / "net.mindir", file_format="MINDIR")
    text = (tmp_path / "net.mindir").read_bytes()
    assert os.path.basename(__file__).encode() not in text and str(Path(__file__).parent).encode() not in text
    assert os.path.basename(__file__) in str(capture(net, (X,)).module)


def test_unknown_sizes(tmp_path: Path) -> None:
    loaded = exported(tmp_path, Net(), UNKNOWN)
    for rows in (2, 5, 17):
        assert loaded(ops.ones((rows, 3))).shape == (rows, 2)
    with pytest.raises(ValueError, match="sizes are unknown, but the graph holds for some only"):
        exported(tmp_path, lambda x: [x * i for i in range(x.shape[0])], UNKNOWN)
    with pytest.raises(ValueError, match="rank of an input must be known"):
        exported(tmp_path, Net(), Tensor(shape=None, dtype=ms.float32))


def test_arguments_are_checked(tmp_path: Path) -> None:
    loaded = exported(tmp_path, Net(), X)
    for arguments, error, text in (
        (
            (X.astype(ms.float64),),
            TypeError,
            r"'x0' of the graph must be Tensor\[Float32\]\(s0, s1\), but got Tensor\[Float64\]",
        ),
        ((ops.ones((4, 2)),), ValueError, r"made for sizes with s1 == 3, but got s0=4, s1=2"),
        ((ops.ones((4,)),), ValueError, "but got"),
        ((X, X), TypeError, "takes 1 Tensors"),
        ((), TypeError, "takes 1 Tensors"),
        ((3.0,), TypeError, "takes 1 Tensors"),
    ):
        with pytest.raises(error, match=text):
            loaded(*arguments)
    pinned = exported(tmp_path, lambda x: x + ops.ones((4, 1)), X)
    with pytest.raises(ValueError, match=r"the graph was made for sizes|but got"):
        pinned(ops.ones((5, 3)))


def test_parameters_given(tmp_path: Path) -> None:
    graph = exported(tmp_path, nn.Dense(3, 2), X).graph
    given = {"weight": ops.ones((2, 3)), "bias": Parameter(ops.zeros(2)), "other": X}
    same(nn.GraphCell(graph, given)(X), X.sum(1, keepdims=True) * ops.ones(2))
    for bad, error, text in (
        ([1], TypeError, "must be a dict"),
        ({1: X}, TypeError, "str names and Tensors"),
        ({"weight": np.ones(3)}, TypeError, "str names and Tensors"),
        ({"weight": X}, ValueError, r"must have shape \(2, 3\)"),
    ):
        with pytest.raises(error, match=text):
            nn.GraphCell(graph, bad)
    with pytest.raises(TypeError, match=r"what load\(\) returns"):
        nn.GraphCell(5)
    with pytest.raises(NotImplementedError, match="obf_random_seed"):
        nn.GraphCell(graph, obf_random_seed=3)


def test_encryption(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    path, net, key = str(tmp_path / "net.mindir"), nn.Dense(3, 2), b"0123456789abcdef"
    for mode in ("AES-GCM", "AES-CBC"):
        ms.export(net, X, file_name=path, file_format="MINDIR", enc_key=key, enc_mode=mode)
        same(nn.GraphCell(ms.load(path, dec_key=key, dec_mode=mode))(X), net(X))
        for options, text in (({}, "it is encrypted"), ({"dec_key": b"x" * 16, "dec_mode": mode}, "another key")):
            with pytest.raises(RuntimeError, match=text):
                ms.load(path, **options)

    def flipped(data: bytes, key: bytes) -> bytes:
        return bytes(byte ^ key[0] for byte in data)

    ms.export(net, X, file_name=path, file_format="MINDIR", enc_key=key, enc_mode=flipped)
    graph = ms.load(path, dec_key=key, dec_mode=lambda name, key: flipped(Path(name).read_bytes(), key))
    same(nn.GraphCell(graph)(X), net(X))


def test_names_of_files(tmp_path: Path) -> None:
    for name in ("a", "b.mindir", Path("d/e/f")):
        ms.export(nn.ReLU(), X, file_name=tmp_path / name, file_format="MINDIR")
    assert sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.mindir")) == [
        "a.mindir",
        "b.mindir",
        "d/e/f.mindir",
    ]


def real_mindir() -> bytes:
    from emberjit import protobuf

    return protobuf.field(1, "0.1.1") + protobuf.field(2, "MindSpore") + protobuf.field(7, b"\x0a\x03abc")


def files(tmp_path: Path) -> dict[str, Callable[[], bytes]]:
    """What is no graph."""
    ms.export(nn.Dense(3, 2), X, file_name=tmp_path / "good.mindir", file_format="MINDIR")
    good = (tmp_path / "good.mindir").read_bytes()
    header = int.from_bytes(good[:8], "little")
    named = [(name, value) for name, value in ms.load(str(tmp_path / "good.mindir")).outside.items()]
    texts = safetensors.metadata(good)

    def changed(**other: str) -> bytes:
        return b"".join(safetensors.encode(named, metadata={**texts, **other}))

    foreign = "subgraph @f(%x: Tensor[Float32](2,)) {\n  %0 = Relu(%x)\n  Return(%1)\n}"
    return {
        "is a MindIR of MindSpore's": real_mindir,
        "is no graph": lambda: b"hello",
        "no graph that export": lambda: good[:header],
        "load_checkpoint reads it": lambda: b"".join(safetensors.encode(named)),
        "version 9": lambda: changed(interface=texts["interface"].replace('"version": 1', '"version": 9')),
        "ParseError|RuntimeError|line": lambda: changed(graph=foreign),
        "KeyError": lambda: changed(interface="{}"),
        "malformed": lambda: changed(interface=texts["interface"].replace('"results": 0', '"results": 5')),
    }


@pytest.mark.parametrize(
    "text",
    [
        "is a MindIR of MindSpore's",
        "is no graph",
        "no graph that export",
        "load_checkpoint reads it",
        "version 9",
        "ParseError|RuntimeError|line",
        "KeyError",
        "malformed",
    ],
)
def test_other_files(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.mindir"
    path.write_bytes(files(tmp_path)[text]())
    with pytest.raises(RuntimeError, match=text) as raised:
        ms.load(str(path))
    assert isinstance(raised.value, NotImplementedError) == ("MindSpore" in text)


def test_foreign_functions_are_refused(tmp_path: Path) -> None:
    def net(x: Any) -> Any:
        return core.op_table["foreign_call"]([x], "libm.so.6", "cbrt", "float64 -> float64")[0]

    path = str(tmp_path / "foreign.mindir")
    ms.export(net, Tensor(8.0, ms.float64), file_name=path, file_format="MINDIR")
    with pytest.raises(RuntimeError, match=r"libm\.so\.6, which load"):
        ms.load(path)


def raising(x: Any) -> Any:
    if x.sum() > 1e9:
        raise ValueError("large")
    return x


def writing(x: Any) -> Any:
    x[0] = 1
    return x.sum()


REFUSED: dict[str, tuple[Callable[..., Any], type[Exception], str]] = {
    "format": (
        lambda to: ms.export(nn.ReLU(), X, file_name=to, file_format="mindir"),
        ValueError,
        "one of AIR, ONNX, MINDIR",
    ),
    "onnx": (lambda to: ms.export(nn.ReLU(), X, file_name=to, file_format="ONNX", enc_key=b"k"), TypeError, "'enc_key'"),
    "air": (lambda to: ms.export(nn.ReLU(), X, file_name=to, file_format="AIR"), NotImplementedError, "'AIR'"),
    "net": (lambda to: ms.export(5, X, file_name=to, file_format="MINDIR"), TypeError, "'net' must be a Cell or a function"),
    "name": (lambda to: ms.export(nn.ReLU(), X, file_name=5, file_format="MINDIR"), TypeError, "'file_name' must be a str"),
    "inputs": (lambda to: ms.export(nn.ReLU(), file_name=to, file_format="MINDIR"), TypeError, "missing"),
    "option": (lambda to: ms.export(nn.ReLU(), X, file_name=to, file_format="MINDIR", foo=1), TypeError, "'foo'"),
    "dataset": (
        lambda to: ms.export(nn.ReLU(), X, file_name=to, file_format="MINDIR", dataset=1),
        NotImplementedError,
        "'dataset'",
    ),
    "key": (
        lambda to: ms.export(nn.ReLU(), X, file_name=to, file_format="MINDIR", enc_key="k"),
        TypeError,
        "'enc_key' must be bytes",
    ),
    "mode": (
        lambda to: ms.export(nn.ReLU(), X, file_name=to, file_format="MINDIR", enc_key=b"0" * 16, enc_mode="X"),
        ValueError,
        "'X'",
    ),
    "objects": (
        lambda to: ms.export(lambda x: slice(x, 1), X, file_name=to, file_format="MINDIR"),
        ms.CaptureError,
        "objects of Python's",
    ),
    "errors": (lambda to: ms.export(raising, X, file_name=to, file_format="MINDIR"), ms.CaptureError, "needs Python"),
    "writes": (
        lambda to: ms.export(writing, X, file_name=to, file_format="MINDIR"),
        ms.CaptureError,
        "elements of an argument",
    ),
    "Python": (
        lambda to: ms.export(lambda x: x * len(os.listdir("/")), X, file_name=to, file_format="MINDIR"),
        ms.CaptureError,
        "listdir",
    ),
    "load: name": (lambda to: ms.load(5), ValueError, "'file_name' must be a str"),
    "load: suffix": (lambda to: ms.load("a"), ValueError, "must end in '.mindir'"),
    "load: none": (lambda to: ms.load("none.mindir"), ValueError, "there is no file"),
    "load: option": (lambda to: ms.load("none.mindir", foo=1), TypeError, "'foo'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    call, error, text = REFUSED[name]
    with pytest.raises(error, match=text):
        call(str(tmp_path / "x"))
    assert not list(tmp_path.iterdir())


def test_another_process_runs_it(tmp_path: Path) -> None:
    path = str(tmp_path / "net.mindir")
    net = Net()
    ms.export(net, X, file_name=path, file_format="MINDIR")
    np.save(tmp_path / "x.npy", X.asnumpy())
    script = (
        "import sys, numpy as np, emberjit as ms\n"
        "cell = ms.nn.GraphCell(ms.load(sys.argv[1]))\n"
        "np.save(sys.argv[3], cell(ms.Tensor(np.load(sys.argv[2]))).asnumpy())\n"
    )
    subprocess.run([sys.executable, "-c", script, path, tmp_path / "x.npy", tmp_path / "y.npy"], check=True)
    assert np.load(tmp_path / "y.npy").tobytes() == net(X).asnumpy().tobytes()


@pytest.mark.parametrize(
    "text",
    [
        "symbols s0=4\nsubgraph @f() {\n  Return(1)\n}\n",
        "subgraph @f(%x: Tensor[Float32](3,)) {\n  %0 = Stack()\n  Return(%0)\n}\n",
    ],
)
def test_graphs_that_no_export_writes_are_refused(text: str) -> None:
    with pytest.raises((ValueError, RuntimeError)):
        nn.GraphCell(FuncGraph(core.Module(text), {}, 0))(*([Tensor([1.0, 2.0, 3.0])] if "%x" in text else []))
