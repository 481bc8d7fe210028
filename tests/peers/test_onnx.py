"""emberjit.onnx beside the package onnx: its backend tests (all nodes of the default domain, light models, those that
PyTorch exported), each run twice, so that the second call runs the captured graph; models that are damaged, or too new; and
models that ONNX Runtime's tools have quantised, beside ONNX Runtime.

A test's tolerance is its own, but never less than two units in the last place of half-precision results, and a transform's
elements are as exact as its largest one.
"""

from __future__ import annotations

import pathlib
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")

from onnx.backend.test.case.node import collect_testcases  # noqa: E402
from onnx.backend.test.loader import load_model_tests  # noqa: E402

import emberjit as ms  # noqa: E402
from emberjit.onnx import load  # noqa: E402
from emberjit.onnx.table import RULES  # noqa: E402

DATA = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
STRINGS = r"string|strnorm|regex_full_match"  # of which there are no Tensors
# training and classical machine learning
OTHER_DOMAINS = r"test_adagrad|test_adam|test_momentum|test_nesterov|ai_onnx_ml|tree_ensemble|gradient_of"
NARROW = r"cast(?:like)?_FLOAT(?:16)?_to_(U?)INT([24])"
RANDOM = r"bernoulli|training_dropout"
KINDS = ("input", "output")
LEAST = {"float16": 2 * 2.0**-10, "bfloat16": 2 * 2.0**-7}


def cases() -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in collect_testcases(None):
            yield pytest.param(case.model.SerializeToString(), case.data_sets, case, id=case.name)
    for kind in ("simple", "pytorch-operator", "pytorch-converted"):
        for case in load_model_tests(kind=kind):
            yield pytest.param(f"{case.model_dir}/model.onnx", None, case, id=case.name)


def of_file(path: pathlib.Path) -> Any:
    """A value that a file of the tests holds."""
    for message, read in (
        (onnx.TensorProto(), onnx.numpy_helper.to_array),
        (onnx.SequenceProto(), onnx.numpy_helper.to_list),
        (onnx.OptionalProto(), onnx.numpy_helper.to_optional),
    ):
        try:
            message.ParseFromString(path.read_bytes())
            return read(message)
        except Exception:
            continue
    raise AssertionError(path)


def of_folder(folder: str) -> Iterator[tuple[list[Any], ...]]:
    for part in sorted(pathlib.Path(folder).glob("test_data_set_*")):
        read = lambda kind, part=part: [
            of_file(part / f"{kind}_{i}.pb") for i in range(len(list(part.glob(f"{kind}_*.pb"))))
        ]
        yield read("input"), read("output")


def array(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return [array(each) for each in x]
    return onnx.numpy_helper.to_array(x) if isinstance(x, onnx.TensorProto) else x


def assert_like(found: Any, wanted: Any, rtol: float, atol: float) -> None:
    if isinstance(wanted, list):
        assert isinstance(found, list) and len(found) == len(wanted)
        for a, b in zip(found, wanted):
            assert_like(a, b, rtol, atol)
        return
    if wanted is None:
        assert found is None
        return
    wanted, name = np.asarray(wanted), np.asarray(wanted).dtype.name
    if name == "bfloat16":
        assert found.dtype == ms.bfloat16
        found, wanted = found.astype(ms.float32), wanted.astype(np.float32)
    elif np.asarray(wanted).dtype.type.__module__ == "ml_dtypes":
        wanted = wanted.astype(np.float32 if "float" in name else "uint8" if name[0] == "u" else "int8")
    found = found.asnumpy()
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_allclose(found, wanted, max(rtol, LEAST.get(name, 0)), atol)


def defined(name: str, numbers: np.ndarray) -> np.ndarray:
    """Where a cast of floats to narrow ints is defined: elsewhere the package's results depend on the CPU."""
    match = re.search(NARROW, name)
    assert match
    bits, least = int(match[2]), 0 if match[1] else -(2 ** (int(match[2]) - 1))
    return (np.trunc(numbers) >= least) & (np.trunc(numbers) < least + 2**bits)


@pytest.mark.parametrize("model, data, case", cases())
def test_backend(model, data, case):
    if re.search(STRINGS, case.name) or re.search(OTHER_DOMAINS, case.name):
        refused(model, list(of_folder(case.model_dir)) if data is None else data)
        return
    model = load(model)
    for inputs, outputs in of_folder(case.model_dir) if data is None else data:
        inputs, outputs = array(inputs), array(outputs)
        scale = max(float(np.abs(outputs[0]).max()), 1) * 1e-6 if "dft" in case.name else 0
        for _ in range(2):
            found = model(*inputs)
            found = found if isinstance(found, tuple) else (found,)
            if re.search(RANDOM, case.name):
                assert [(x.shape, str(x.dtype).lower()) for x in found] == [(x.shape, x.dtype.name) for x in outputs]
                continue
            wanted = outputs
            if re.search(NARROW, case.name):
                where = defined(case.name, inputs[0])
                found, wanted = [ms.Tensor(found[0].asnumpy()[where])], [outputs[0][where]]
            for a, b in zip(found, wanted, strict=True):
                assert_like(a, b, case.rtol, max(case.atol, scale))


def refused(model: Any, data: Any) -> None:
    """What is refused is refused by name, when it is loaded or when strings come."""
    with pytest.raises((NotImplementedError, TypeError), match=r"emberjit has no|no rule|dtype has no counterpart|type 8"):
        program = load(model)
        for inputs, _ in data:
            program(*array(inputs))


LIGHT = sorted(each.stem for each in (DATA / "light").glob("*.onnx"))


@pytest.mark.parametrize("name", LIGHT)
def test_light_models(name):
    from onnx.backend.test.runner import Runner

    path = DATA / "light" / f"{name}.onnx"
    graph = onnx.load(path).graph
    held = {each.name for each in graph.initializer}
    inputs = [
        Runner.generate_dummy_data(each, seed=0, name=name, random=False) for each in graph.input if each.name not in held
    ]
    model = load(path)
    for _ in range(2):
        assert_like(model(*inputs), of_file(path.with_name(f"{name}_output_0.pb")), 1e-3, 1e-7)
    assert model.explain() == {"parts": 1, "alone": [], "stops": []}


def weight(*shape: int) -> Any:
    return (np.random.default_rng(sum(shape)).standard_normal(shape) / 4).astype(np.float32)


IMAGES = """
    a = Conv<pads=[1,1,1,1], strides=[2,2]>(x, w1, b1)  b = Relu(a)  c = MaxPool<kernel_shape=[2,2], strides=[2,2]>(b)
    d = Conv<group=8, pads=[1,1,1,1]>(c, w2)  e = Conv(d, w3, b1)  f = Add(e, c)  g = Clip(f, low, high)
    h = GlobalAveragePool(g)  i = Flatten(h)  y = Gemm<transB=1>(i, w4, b4)
"""
ATTENTION = """
    q = MatMul(x, wq)  k = MatMul(x, wk)  v = MatMul(x, wv)  t = Transpose<perm=[0,2,1]>(k)  s = MatMul(q, t)
    p = Softmax(s)  o = MatMul(p, v)  a = Add(o, x)  n = LayerNormalization(a, one, zero)
    h = MatMul(n, w1)  b = Add(h, b1)  r = Relu(b)  f = MatMul(r, w2)  y = Add(f, n)
"""
QUANTISED: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "images": (
        *(IMAGES, ("n", 3, 20, 20)),
        dict(
            w1=weight(8, 3, 3, 3), b1=weight(8), w2=weight(8, 1, 3, 3), w3=weight(8, 8, 1, 1), w4=weight(5, 8), b4=weight(5)
        )
        | dict(low=np.float32(0), high=np.float32(2)),
    ),
    "attention": (
        *(ATTENTION, ("n", "m", 16)),
        {name: weight(16, 16) for name in ("wq", "wk", "wv")}
        | dict(w1=weight(16, 40), b1=weight(40), w2=weight(40, 16), one=np.ones(16, np.float32), zero=weight(16)),
    ),
}
FORMS: dict[str, dict[str, Any] | None] = {
    "static": dict(activation_type="QUInt8", weight_type="QInt8"),
    "of signed ints, by channels": dict(activation_type="QInt8", weight_type="QInt8", per_channel=True),
    "of unsigned ints": dict(activation_type="QUInt8", weight_type="QUInt8", extra_options={"DedicatedQDQPair": True}),
    "dynamic": None,
}


def quantised(folder: pathlib.Path, name: str, form: str) -> tuple[str, Any]:
    """The path of a model that ONNX Runtime's tools have made, and what makes inputs of a batch size."""
    from onnxruntime import quantization

    text, sizes, held = QUANTISED[name]
    nodes = [onnx.parser.parse_node(each) for each in re.sub(r"\)\s+(?=\w)", ")\n", text.strip()).splitlines()]
    ends = [
        onnx.helper.make_tensor_value_info(each, onnx.TensorProto.FLOAT, sizes if each == "x" else None) for each in "xy"
    ]
    constants = [onnx.numpy_helper.from_array(value, key) for key, value in held.items()]
    graph = onnx.helper.make_graph(nodes, name, ends[:1], ends[1:], constants)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    random = np.random.default_rng(1)
    of_size = lambda n: random.standard_normal([n if isinstance(each, str) else each for each in sizes]).astype(np.float32)
    source, made, options = folder / "m.onnx", folder / "q.onnx", FORMS[form]
    onnx.save(model, source)
    if options is None:
        quantization.quantize_dynamic(source, made, weight_type=quantization.QuantType.QUInt8)
        return str(made), of_size

    class Data(quantization.CalibrationDataReader):
        rows = iter([{"x": of_size(n)} for n in (3, 4)])

        def get_next(self) -> Any:
            return next(self.rows, None)

    types = {key: quantization.QuantType[value] if key.endswith("_type") else value for key, value in options.items()}
    quantization.quantize_static(source, made, Data(), quant_format=quantization.QuantFormat.QDQ, **types)
    return str(made), of_size


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", QUANTISED)
def test_quantised_models(name, form, tmp_path, monkeypatch):
    """ONNX Runtime runs the nodes as they are: what it fuses saturates sums of 16 bits where the CPU has no others."""
    runtime = pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    path, of_size = quantised(tmp_path, name, form)
    options = runtime.SessionOptions()
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    held = {each.name: onnx.numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
    step = max((float(held[key].max()) for key in ("y_scale",) if key in held), default=1e-5)
    model = load(path)
    for n in (1, 5, 2, 3):
        x = of_size(n)
        assert_like(model(x), session.run(None, {"x": x})[0], 0, step * 1.001)
    assert model.explain() == {"parts": 1, "alone": [], "stops": []}
    if FORMS[form]:
        for op in ("MatMul", "Gemm", "Conv"):
            monkeypatch.delitem(RULES, ("", op))
        load(path)
