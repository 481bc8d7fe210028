"""emberjit.onnx without the package onnx: files that are made here, field by field; results beside plain NumPy, and what is
refused. The package's own tests of every op are in tests/peers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import strategies
from hypothesis import given

import emberjit as ms
from emberjit import Tensor, mint, nn, onnx
from emberjit.onnx import writer
from emberjit.protobuf import field, single

FLOAT, INT64, BOOL = 1, 7, 9
X = np.arange(12, dtype=np.float32).reshape(3, 4) - 5


def tensor(array: Any, name: str = "", kind: int = 0, raw: bytes | None = None, more: bytes = b"") -> bytes:
    array = np.asarray(array)
    kind = kind or {"int32": 6, "float32": FLOAT, "int64": INT64, "bool": BOOL}[array.dtype.name]
    data = more or field(9, array.tobytes() if raw is None else raw)
    return b"".join(field(1, n) for n in array.shape) + field(2, kind) + field(8, name) + data


def graph_attribute(name: str, content: bytes) -> bytes:
    return field(5, field(1, name) + field(6, content) + field(20, 5))


def attribute(name: str, value: Any) -> bytes:
    head = field(1, name)
    if isinstance(value, bytes):
        return field(5, head + field(5, value) + field(20, 4))
    if isinstance(value, float):
        return field(5, head + single(2, value) + field(20, 1))
    if isinstance(value, str):
        return field(5, head + field(4, value) + field(20, 3))
    if isinstance(value, int):
        return field(5, head + field(3, value) + field(20, 2))
    return field(5, head + b"".join(field(8, n) for n in value) + field(20, 7))


def node(op: str, inputs: str, outputs: str, *more: bytes, name: str = "", domain: str = "", **attributes: Any) -> bytes:
    parts = [field(1, "" if each == "-" else each) for each in inputs.split()]
    parts += [field(2, each) for each in outputs.split()]
    parts += [field(3, name), field(4, op), field(7, domain)]
    return b"".join([*parts, *more, *(attribute(key, value) for key, value in attributes.items())])


def info(name: str, kind: int = FLOAT, sizes: Sequence[Any] | None = None) -> bytes:
    if sizes is None:
        return field(1, name) + field(2, field(1, field(1, kind)))
    dims = b"".join(field(1, field(1, n) if isinstance(n, int) else field(2, n)) for n in sizes)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))


def graph(nodes: Sequence[bytes], inputs: Sequence[bytes], outputs: str, constants: Sequence[bytes] = ()) -> bytes:
    parts = [
        *(field(1, each) for each in nodes),
        *(field(5, each) for each in constants),
        *(field(11, each) for each in inputs),
    ]
    return b"".join([*parts, *(field(12, info(each)) for each in outputs.split())])


def model(
    nodes: Sequence[bytes],
    inputs: Sequence[bytes] | None = None,
    outputs: str = "y",
    constants: Sequence[bytes] = (),
    opset: int = 21,
    more: bytes = b"",
) -> bytes:
    body = graph(nodes, [info("x")] if inputs is None else inputs, outputs, constants)
    return field(1, 10) + field(7, body) + field(8, field(2, opset)) + more


def run(content: bytes, *args: Any) -> Any:
    """What two calls give, which have to be the same."""
    program = onnx.load(content)
    first, second = program(*args), program(*args)
    for a, b in zip(*(each if isinstance(each, tuple) else (each,) for each in (first, second)), strict=True):
        assert (a.asnumpy() == b.asnumpy()).all() or a.dtype == ms.float32
    return first


LOOP = graph(
    [
        node("Add", "v x", "w"),
        node("ReduceMax", "w", "most", keepdims=0),
        node("Less", "most limit", "going"),
        node("Identity", "w", "seen"),
    ],
    [info("i", INT64, []), info("c", BOOL, []), info("v")],
    "going w seen",
)
INNER = graph([node("Neg", "x", "n")], [], "n")
OUTER = graph([node("Relu", "x", "r")], [], "r")
ROWS: dict[str, tuple[bytes, Any]] = {
    "one node": (model([node("Neg", "x", "y")]), -X),
    "a constant": (model([node("Mul", "x two", "y")], constants=[tensor(np.float32(2), "two")]), 2 * X),
    "constants are folded": (
        model([node("Add", "two two", "four"), node("Mul", "x four", "y")], constants=[tensor(np.float32(2), "two")]),
        4 * X,
    ),
    "sizes": (
        model(
            [
                node("Shape", "x", "s"),
                node("Gather", "s one", "n"),
                node("Concat", "n minus", "to", axis=0),
                node("Reshape", "x to", "y"),
            ],
            constants=[tensor(np.array([1]), "one"), tensor(np.array([-1]), "minus")],
        ),
        X.reshape(4, 3),
    ),
    "a size that is computed": (
        model(
            [
                node("ReduceMax", "x", "m", keepdims=0),
                node("Cast", "m", "k", to=INT64),
                node("Reshape", "k row", "n"),
                node("TopK", "x n", "y at"),
            ],
            constants=[tensor(np.array([1]), "row")],
            outputs="at",
            inputs=[info("x", FLOAT, [5])],
        ),
        None,
    ),
    "an attribute that is left out": (model([node("Softmax", "x", "y")]), None),
    "a branch": (
        model(
            [
                node("ReduceSum", "x", "s", keepdims=0),
                node("Less", "s zero", "c"),
                node("If", "c", "y", graph_attribute("then_branch", INNER), graph_attribute("else_branch", OUTER)),
            ],
            constants=[tensor(np.float32(0), "zero")],
        ),
        None,
    ),
    "a loop": (
        model(
            [node("Loop", "trips - x", "y all", graph_attribute("body", LOOP))],
            outputs="y all",
            constants=[tensor(np.int64(9), "trips"), tensor(np.float32(20), "limit")],
        ),
        None,
    ),
}


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row[1] is not None])
def test_models(name):
    content, wanted = ROWS[name]
    found = run(content, X)
    assert found.dtype == ms.float32 and (found.asnumpy() == wanted).all()
    assert onnx.load(content)(Tensor(X)).asnumpy().tolist() == wanted.tolist()


def test_what_is_one_graph():
    for name in ("one node", "sizes", "an attribute that is left out"):
        program = onnx.load(ROWS[name][0])
        for rows in (3, 5, 6):
            program(np.ones((rows, 4), np.float32))
        assert program.explain() == {"parts": 1, "alone": [], "stops": []}


def test_a_graph_is_divided_where_a_size_is_computed():
    program = onnx.load(ROWS["a size that is computed"][0])
    for row in ([3.0, 1, 2, 0, 1], [1, 4.0, 0, 2, 3], [2.0, 2, 1, 0, 0]):
        n = int(max(row))
        assert (
            program(np.array(row, np.float32)).asnumpy().tolist() == np.argsort(-np.array(row), kind="stable")[:n].tolist()
        )
    explained = program.explain()
    assert explained["alone"] == ["node TopK of 'y'"] and explained["parts"] == 1 and len(explained["stops"]) == 1


def test_a_branch_takes_either_side():
    program = onnx.load(ROWS["a branch"][0])
    assert (program(X).asnumpy() == np.maximum(X, 0)).all() == (X.sum() >= 0)
    assert (program(X - 9).asnumpy() == 9 - X).all() and (program(X + 9).asnumpy() == np.maximum(X + 9, 0)).all()


def test_a_loop_ends_by_its_condition_and_by_its_count():
    program = onnx.load(ROWS["a loop"][0])
    for x in (X, X / 8, X - 20):
        wanted, seen = x, []
        for _ in range(9):
            wanted = wanted + x
            seen.append(wanted)
        found, every = program(x)
        assert np.allclose(found.asnumpy(), wanted) and np.allclose(every.asnumpy(), np.stack(seen))


def test_functions_of_a_model():
    two, power = node("Constant", "", "e", attribute("value", tensor(np.float32(2)))), node("Pow", "a e", "b")
    function = field(1, "Square") + field(4, "a") + field(5, "b") + field(10, "own") + field(7, two) + field(7, power)
    content = model(
        [node("Square", "x", "t", domain="own"), node("Square", "t", "y", domain="own")], more=field(25, function)
    )
    assert np.allclose(run(content, X).asnumpy(), X**4)


def test_external_data(tmp_path):
    weights = np.arange(4, dtype=np.float32)
    where = [("location", "w.bin"), ("offset", "8"), ("length", "16")]
    more = b"".join(field(13, field(1, key) + field(2, value)) for key, value in where) + field(14, 1)
    content = model([node("Mul", "x w", "y")], constants=[tensor(weights, "w", more=more)])
    (tmp_path / "w.bin").write_bytes(b"\0" * 8 + weights.tobytes())
    (tmp_path / "m.onnx").write_bytes(content)
    assert (onnx.load(tmp_path / "m.onnx")(X).asnumpy() == X * weights).all()
    with pytest.raises(ValueError, match="give the model's path"):
        onnx.load(content)
    (tmp_path / "w.bin").write_bytes(b"\0" * 12)
    with pytest.raises(ValueError, match=r"8 \.\. 24 of .*which has 12 bytes"):
        onnx.load(tmp_path / "m.onnx")
    (tmp_path / "m.onnx").write_bytes(content.replace(b"w.bin", b"../.."))
    with pytest.raises(ValueError, match="outside the model's folder"):
        onnx.load(tmp_path / "m.onnx")


@pytest.mark.parametrize(
    "content, error, message",
    [
        (b"", ValueError, "no model"),
        (b"\xff" * 40, ValueError, "no model, or a damaged one"),
        (model([node("Neg", "x", "y")])[:-5], ValueError, "damaged"),
        (model([node("Nag", "x", "y")]), NotImplementedError, r"node Nag of 'y': emberjit has no op 'Nag' \(opset 21"),
        (
            model([node("Neg", "x", "y", name="a", kind=3)]),
            NotImplementedError,
            "node 'a' .Neg.: emberjit knows no attribute 'kind'",
        ),
        (model([node("Neg", "x", "y")], opset=99), NotImplementedError, "op set 99"),
        (model([node("Neg", "x x", "y")]), ValueError, "node Neg of 'y': it has 2 inputs"),
        (model([node("Concat", "x x", "y"), node("Neg", "x", "y")]), ValueError, "'y' is made twice"),
        (model([node("Neg", "z", "y")]), ValueError, "reads 'z', which nothing makes"),
        (model([node("Neg", "x", "z")]), ValueError, "'y', which nothing makes"),
        (
            model([node("Neg", "x", "y")], constants=[tensor(X, "w", raw=b"abc")]),
            ValueError,
            r"'w' of shape \[3, 4\] has 3 bytes",
        ),
        (model([node("Neg", "x", "y")], constants=[tensor(X, "w", kind=8)]), NotImplementedError, "type 8"),
    ],
)
def test_damaged_and_unknown(content, error, message):
    with pytest.raises(error, match=message):
        onnx.load(content)


@pytest.mark.parametrize(
    "args, kwargs, error, message",
    [
        ((), {}, TypeError, "input 'x' is missing"),
        ((X, X), {}, TypeError, r"1 inputs \(x\), but got 2"),
        ((X,), {"z": X}, TypeError, "an unknown input 'z'"),
        ((X.astype(np.float64),), {}, TypeError, "'x' is of Float32, but got Float64"),
        ((X.reshape(-1),), {}, ValueError, r"'x' has the shape \('n', 4\), but got \(12,\)"),
        ((X[:, :3],), {}, ValueError, r"but got \(3, 3\)"),
    ],
)
def test_wrong_calls(args, kwargs, error, message):
    program = onnx.load(model([node("Neg", "x", "y")], [info("x", FLOAT, ["n", 4])]))
    with pytest.raises(error, match=message):
        program(*args, **kwargs)
    assert (program(x=X).asnumpy() == -X).all()


def test_errors_name_the_node():
    program = onnx.load(model([node("MatMul", "x x", "y", name="product")]))
    with pytest.raises(ValueError, match=r"ONNX node 'product' .MatMul."):
        program(X)


def test_damage_anywhere_is_no_crash():
    content = model([node("Mul", "x w", "t"), node("Softmax", "t", "y", axis=1)], constants=[tensor(X[0], "w")])

    @strategies.examples(120)
    @given(strategies.damaged(content, cut=False))
    def run(damaged: bytes) -> None:
        try:
            onnx.load(damaged)(X)
        except (ValueError, TypeError, NotImplementedError, IndexError, RuntimeError, MemoryError):
            pass

    run()


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(4, 3)

    def construct(self, x: Any) -> Any:
        x = self.dense(x)
        return x.reshape(x.shape[0], 3, 1), mint.nn.functional.gelu(x)


def test_export_is_read_back(tmp_path):
    net = Net()
    onnx.export(net, Tensor(X), file_name=str(tmp_path / "folder" / "net"), dynamic_axes={"x0": {0: "n"}})
    program = onnx.load(tmp_path / "folder" / "net.onnx")
    assert program.inputs == {"x0": (ms.float32, ("n", 4))} and program.outputs == ["y0", "y1"]
    for rows in (3, 5, 8):
        x = Tensor(np.random.default_rng(rows).standard_normal((rows, 4)).astype(np.float32))
        for found, wanted in zip(program(x), net(x), strict=True):
            assert found.shape == wanted.shape and np.allclose(found.asnumpy(), wanted.asnumpy(), atol=1e-6)


def test_export_by_format(tmp_path):
    ms.export(Net(), Tensor(X), file_name=str(tmp_path / "m"), file_format="ONNX")
    assert onnx.load(tmp_path / "m.onnx").inputs == {"x0": (ms.float32, (3, 4))}


def _of_one_size(x: Any) -> Any:
    return x * 2 if x.shape[0] == 3 else x


@pytest.mark.parametrize(
    "net, options, error, message",
    [
        (3, {}, TypeError, "'net' must be"),
        (Net(), {"input_names": ["a", "b"]}, ValueError, "at most 1 different names"),
        (Net(), {"output_names": ["a", "a"]}, ValueError, "at most 2 different names"),
        (Net(), {"input_names": [3]}, TypeError, "'input_names' must be names"),
        (Net(), {"dynamic_axes": {"x0": [2]}}, ValueError, "the axis 2 of 'x0', of rank 2"),
        (_of_one_size, {"dynamic_axes": {"x0": [0]}}, ValueError, "does not hold for all sizes .* not for 4, as x.shape"),
        (lambda x: x[:1], {"dynamic_axes": {"x0": [0]}, "one": True}, ValueError, "axis 0 of 'x0' is 1 in the example"),
        (lambda x: mint.linalg.qr(x)[0], {}, NotImplementedError, "the op 'Qr' cannot be written"),
        (lambda x: (x, "text"), {}, NotImplementedError, "returns 'text'"),
    ],
)
def test_what_is_not_exported(net, options, error, message, tmp_path):
    x = Tensor(X[:1] if options.pop("one", False) else X)
    with pytest.raises(error, match=message):
        onnx.export(net, x, file_name=str(tmp_path / "m.onnx"), **options)
    assert not (tmp_path / "m.onnx").exists()


def test_large_models_lie_beside(tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "_MOST_BYTES", 64)
    net = nn.Dense(64, 64)
    onnx.export(net, Tensor(np.ones((2, 64), np.float32)), file_name=str(tmp_path / "m.onnx"))
    assert (tmp_path / "m.onnx").stat().st_size < 2000 and (tmp_path / "m.onnx.data").stat().st_size >= 64 * 64 * 4
    found = onnx.load(tmp_path / "m.onnx")(np.ones((2, 64), np.float32))
    assert np.allclose(found.asnumpy(), net(Tensor(np.ones((2, 64), np.float32))).asnumpy(), atol=1e-5)


def test_inputs_that_have_defaults():
    content = model([node("Mul", "x w", "y")], [info("x"), info("w")], constants=[tensor(X, "w")])
    program = onnx.load(content)
    assert program.inputs.keys() == {"x"}
    for _ in range(2):
        assert (program(X).asnumpy() == X * X).all() and (program(X, w=X + 1).asnumpy() == X * (X + 1)).all()


def test_graphs_that_give_sizes_and_those_that_give_tensors():
    nodes = [node("Shape", "x", "n"), node("ConstantOfShape", "n", "y", attribute("value", tensor(np.array([7]))))]
    program = onnx.load(model(nodes))
    for n in (10, 100, 10, 3):
        found = program(np.ones(n, np.float32))
        assert found.dtype == ms.int64 and found.shape == (n,) and (found.asnumpy() == 7).all()


def test_results_have_memory_of_their_own():
    nodes = [node("Add", "w w", "c"), node("Add", "x c", "y"), node("Identity", "x", "z"), node("Reshape", "w to", "v")]
    constants = [tensor(X, "w"), tensor(np.array([-1]), "to")]
    program = onnx.load(model(nodes, outputs="c y z v", constants=constants))
    x = Tensor(X)
    for _ in range(3):
        found = program(x)
        for each in found:
            each[...] = each + 1000
        wanted = (2 * X + 1000, 3 * X + 1000, X + 1000, X.reshape(-1) + 1000)
        assert all((a.asnumpy() == b).all() for a, b in zip(found, wanted, strict=True)) and (x.asnumpy() == X).all()


def test_functions_whose_graphs_read_what_they_make():
    inner = [graph([node("Mul", "a t", "m")], [], "m"), graph([node("Neg", "t", "m")], [], "m")]
    branch = node("If", "p", "b", graph_attribute("then_branch", inner[0]), graph_attribute("else_branch", inner[1]))
    function = field(1, "F") + field(4, "a") + field(4, "p") + field(5, "b") + field(10, "own")
    function += field(7, node("Exp", "a", "t")) + field(7, branch)
    content = model([node("F", "x p", "y", domain="own")], [info("x"), info("p", BOOL, [])], more=field(25, function))
    program = onnx.load(content)
    for p in (True, False):
        assert np.allclose(program(X, np.array(p)).asnumpy(), X * np.exp(X) if p else -np.exp(X))


def test_an_output_of_a_function_that_nobody_asked_for_is_there_inside():
    function = field(1, "F") + field(4, "a") + field(5, "b") + field(5, "c") + field(10, "own")
    function += field(7, node("Neg", "a", "b")) + field(7, node("Exp", "b", "c"))
    content = model(
        [field(1, "x") + field(2, "") + field(2, "y") + field(4, "F") + field(7, "own")], more=field(25, function)
    )
    assert np.allclose(run(content, X).asnumpy(), np.exp(-X))


def test_names_of_inner_graphs_hide_others():
    body = graph(
        [node("Mul", "v v", "c"), node("Add", "c one", "w"), node("Identity", "going", "again")],
        [info("i", INT64, []), info("going", BOOL, []), info("v")],
        "again w",
    )
    constants = [tensor(np.float32(100), "c"), tensor(np.float32(1), "one"), tensor(np.int64(2), "n")]
    content = model([node("Loop", "n - x", "y", graph_attribute("body", body))], constants=constants)
    assert np.allclose(run(content, X).asnumpy(), (X * X + 1) ** 2 + 1)


def test_a_loop_without_trips_gives_rows_of_the_declared_type():
    body = graph([node("Identity", "i", "s"), node("Identity", "c", "d")], [info("i", INT64, []), info("c", BOOL, [])], "")
    body += field(12, info("d", BOOL, [])) + field(12, info("s", INT64, []))
    content = model([node("Loop", "n -", "y", graph_attribute("body", body))], [info("n", INT64, [])])
    program = onnx.load(content)
    for n in (0, 3, 0):
        found = program(n)
        assert found.dtype == ms.int64 and found.asnumpy().tolist() == list(range(n))


@pytest.mark.parametrize(
    "nodes, constants, wanted",
    [
        ([node("Shape", "x", "s"), node("Max", "s five two", "y")], {"five": [5], "two": [2]}, [5, 5]),
        ([node("Shape", "x", "s"), node("Cast", "s", "t", to=6), node("Mul", "t big", "y")], {"big": None}, [-(2**30), 0]),
        ([node("MatMul", "row column", "y")], {"row": [[2**60 + 1, 1]], "column": [[3], [5]]}, [[3 * 2**60 + 8]]),
    ],
)
def test_ints_are_exact_and_wrap(nodes, constants, wanted):
    held = [tensor(np.array(value), name) for name, value in constants.items() if value is not None]
    if "big" in constants:
        held = [tensor(np.int32(2**30), "big", kind=6)]
    found = run(model(nodes, constants=held), X)
    assert found.asnumpy().tolist() == wanted


@pytest.mark.parametrize(
    "content, args, message",
    [
        (model([node("Gather", "x at", "y", axis=5)], constants=[tensor(np.array([0]), "at")]), (X,), "the axis 5 is none"),
        (model([node("Relu", "-", "y")]), (X,), "its input 0 is absent"),
        (model([node("LRN", "x", "y", size=3)]), (X[0],), "ONNX node LRN"),
        (model([node("AveragePool", "x", "y", kernel_shape=[2], pads=[2**33, 0])]), (X[None],), "'pads' is"),
        (model([node("MaxPool", "x", "y", kernel_shape=[2**40])]), (X[None],), "do not fit"),
        (model([node("Cast", "x", "y", to=99)]), (X,), "no rule for the type 99"),
        (model([node("Softmax", "x", "y z")], outputs="z"), (X,), "it gives no 'z'"),
        (model([node("Relu", "x", "y")]).replace(field(3, ""), field(3, 3 << 30)), (X,), "another wire type"),
    ],
)
def test_what_no_model_may_ask(content, args, message):
    with pytest.raises((ValueError, IndexError, NotImplementedError), match=message):
        onnx.load(content)(*args)


def test_lists_are_tensors_where_these_are_declared():
    program = onnx.load(model([node("Neg", "x", "y")], [info("x", FLOAT, ["n"])]))
    assert program([1, 2, 3]).asnumpy().tolist() == [-1.0, -2.0, -3.0]
    with pytest.raises(ValueError, match="has the shape"):
        program([[1.0]])


def test_threads_that_divide_a_model_at_once():
    program = onnx.load(ROWS["a size that is computed"][0])
    row = np.array([3.0, 1, 2, 0, 1], np.float32)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(program(row).asnumpy().tolist())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[0, 2, 1]] * 8


class Named(nn.Cell):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.w = ms.Parameter(Tensor(np.float32(7)), name=name)

    def construct(self, x: Any) -> Any:
        return (x + 3.0) * self.w


@pytest.mark.parametrize("name", ["c.0", "t.1", "t.3", "x0", "y0"])
def test_parameters_of_any_name(name, tmp_path):
    onnx.export(Named(name), Tensor(X), file_name=str(tmp_path / "m.onnx"))
    assert np.allclose(onnx.load(tmp_path / "m.onnx")(X).asnumpy(), (X + 3) * 7)
    with pytest.raises(ValueError, match="is the name of another value"):
        onnx.export(Named(name), Tensor(X), file_name=str(tmp_path / "n.onnx"), input_names=[name])
