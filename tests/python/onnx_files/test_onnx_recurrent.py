"""ONNX's RNN, GRU and LSTM beside plain NumPy: which of them are layer ops of the op table, for sequences of any length, and
that emberjit's own layers are written as such nodes and read back as the same ops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, nn, onnx
from emberjit import _emberjit as core
from emberjit.onnx import messages, writer

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
LAYERS = ("RNNTanhLayer", "RNNReluLayer", "GRULayer", "LSTMLayer")
FUNCTIONS = {
    "Tanh": np.tanh,
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Relu": lambda x: np.maximum(x, 0),
    "Softsign": lambda x: x / (1 + np.abs(x)),
}
INPUTS, UNITS = 3, 4


def drawn(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(sum(shape) + seed).standard_normal(shape).astype(np.float32)


def step(op: str, gates: Any, product: Any, state: list[Any], f: list[Any], p: Any, after: bool, couples: bool) -> list[Any]:
    """The states after a step, by ONNX's formulas; product(h) are gates of the states h, in ONNX's order."""
    h = state[0]
    if op == "RNN":
        return [f[0](gates[0] + product(h)[0])]
    if op == "GRU":
        z, r = (f[0](a + b) for a, b in zip(gates[:2], product(h)[:2]))
        new = f[1](gates[2] + (r * product(h)[2] if after else product(r * h)[2]))
        return [(1 - z) * new + z * h]
    i, o, keep, new = (a + b for a, b in zip(gates, product(h)))
    c = state[1]
    i = f[0](i + p[0] * c)
    c = (1 - i if couples else f[0](keep + p[2] * c)) * c + i * f[1](new)
    return [f[0](o + p[1] * c) * f[2](c), c]


def reference(op: str, given: dict[str, Any], attributes: dict[str, Any]) -> list[Any]:
    """Y and the last states."""
    x, lengths, clip = given["X"], given.get("sequence_lens"), attributes.get("clip")
    layout, direction = attributes.get("layout", 0), attributes.get("direction", "forward")
    x = x.swapaxes(0, 1) if layout else x
    (steps, n, _), count = x.shape, given["W"].shape[0]
    names = attributes.get("activations", DEFAULTS[op] * count)
    clipped = (lambda v: v) if clip is None else (lambda v: np.clip(v, -clip, clip))
    rows, last = np.zeros((steps, count, n, UNITS), np.float32), []
    for d in range(count):
        w, r = (np.split(given[key][d].astype(np.float64), GATES[op]) for key in "WR")
        b = np.split(given["B"][d] if "B" in given else np.zeros(2 * GATES[op] * UNITS), 2 * GATES[op])
        f = [lambda v, name=name: FUNCTIONS[name](clipped(v)) for name in np.array_split(names, count)[d]]
        p = np.split(given["P"][d], 3) if "P" in given else [0, 0, 0]
        firsts = [given.get(key) for key in ("initial_h", "initial_c")[: 2 if op == "LSTM" else 1]]
        state = [np.zeros((n, UNITS)) if a is None else (a[:, d] if layout else a[d]) for a in firsts]
        backward = direction == "reverse" or d == 1
        for t in range(steps)[:: -1 if backward else 1]:
            gates = [x[t] @ part.T + bias for part, bias in zip(w, b)]
            product = lambda h, r=r, b=b: [h @ part.T + bias for part, bias in zip(r, b[GATES[op] :])]
            after, couples = attributes.get("linear_before_reset", 0), attributes.get("input_forget", 0)
            new = step(op, gates, product, state, f, p, after, couples)
            lives = np.ones((n, 1), bool) if lengths is None else (t < lengths)[:, None]
            rows[t, d] = np.where(lives, new[0], 0)
            state = [np.where(lives, a, b) for a, b in zip(new, state)]
        last.append(state)
    ends = [np.stack(each) for each in zip(*last)]
    return [rows.transpose(2, 0, 1, 3), *(end.swapaxes(0, 1) for end in ends)] if layout else [rows, *ends]


SLOTS = ("X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P")


def operands(op: str, options: str, attributes: dict[str, Any], steps: int = 5, n: int = 3) -> dict[str, Any]:
    """What a node is given; options: B (biases), L (lengths), S (first states), P (peepholes)."""
    count = 2 if attributes.get("direction") == "bidirectional" else 1
    wide, states = GATES[op] * UNITS, (n, count, UNITS) if attributes.get("layout") else (count, n, UNITS)
    given = {"X": drawn(*((n, steps) if attributes.get("layout") else (steps, n)), INPUTS, seed=1)}
    given |= {"W": drawn(count, wide, INPUTS), "R": drawn(count, wide, UNITS)}
    given |= {"B": drawn(count, 2 * wide)} if "B" in options else {}
    given |= {"sequence_lens": (np.arange(n) * 2 % (steps + 1)).astype(np.int32)} if "L" in options else {}
    given |= {"initial_h": drawn(*states, seed=2)} if "S" in options else {}
    given |= {"initial_c": drawn(*states, seed=3)} if "S" in options and op == "LSTM" else {}
    return given | ({"P": drawn(count, 3 * UNITS)} if "P" in options else {})


def loaded(op: str, given: dict[str, Any], attributes: dict[str, Any], constant: str = "W R B P") -> Any:
    """A model of one node: a function of what is no constant."""
    b = writer.Builder()
    names = {key: b.constant(Tensor(array)) if key in constant.split() else key for key, array in given.items()}
    found = b.results(3 if op == "LSTM" else 2, op, *(names.get(key, "") for key in SLOTS), **attributes)
    infos = [
        writer.value_info(key, Tensor(array).dtype, [f"{key}{i}" for i in range(array.ndim)])
        for key, array in given.items()
        if names[key] == key
    ]
    outputs = [
        writer.value_info(name, ms.float32, [f"{name}{i}" for i in range(rank)]) for name, rank in zip(found, (4, 3, 3))
    ]
    return onnx.load(writer.model(b.graph("g", infos, outputs, writer.initializers(b.constants, "")[0])))


def graphs(program: Any) -> list[str]:
    """The text of the graphs that have been captured."""
    traces = [trace for part in program._program.parts for trace in part.traces.values()]
    return [entry["bytecode"] for trace in traces for entry in trace.jitted.explain()["entries"]]


def layers(program: Any) -> list[int]:
    """How many layer ops each graph has."""
    return [sum(text.count(f"Apply {layer} ") for layer in LAYERS) for text in graphs(program)]


def assert_like(found: Any, wanted: list[Any]) -> None:
    assert [tuple(x.shape) for x in found] == [x.shape for x in wanted]
    for a, b in zip(found, wanted):
        np.testing.assert_allclose(a.asnumpy(), b, rtol=1e-5, atol=2e-6)


AFTER = {"linear_before_reset": 1}
BOTH, BACK = {"direction": "bidirectional"}, {"direction": "reverse"}
AT_ONCE: list[tuple[str, str, dict[str, Any]]] = [
    *((op, options, more) for op in ("RNN", "LSTM") for options in ("", "BS") for more in ({}, BACK, BOTH)),
    *(("GRU", options, {**AFTER, **more}) for options in ("", "BS") for more in ({}, BACK, BOTH)),
    *((op, "BLS", {**(AFTER if op == "GRU" else {}), **more}) for op in GATES for more in ({}, BACK, BOTH, {"layout": 1})),
    ("LSTM", "B", {"layout": 1, **BOTH}),
    ("RNN", "B", {"activations": ("Relu", "Tanh"), **BOTH}),
    ("LSTM", "", {"activations": ("Sigmoid", "Tanh", "Tanh"), "hidden_size": UNITS}),
]


@pytest.mark.parametrize("op, options, attributes", AT_ONCE)
def test_layers_at_once(op, options, attributes):
    given = operands(op, options, attributes)
    program, count = loaded(op, given, attributes), given["W"].shape[0]
    assert [len(part.steps) for part in program._program.parts] == [1], "weights are not divided when the model is loaded"
    for steps, n in ((5, 3), (7, 3), (2, 6)):
        given |= {key: a for key, a in operands(op, options, attributes, steps, n).items() if key not in ("W", "R", "B")}
        inputs = {key: a for key, a in given.items() if key not in ("W", "R", "B")}
        assert_like(program(**inputs), reference(op, given, attributes))
    assert layers(program) == [count], "one graph is not for all lengths"


@pytest.mark.parametrize(
    "op, options, attributes",
    [
        ("GRU", "BS", {}),
        ("GRU", "BLS", BOTH),
        ("LSTM", "BLSP", {}),
        ("LSTM", "BSP", BOTH),
        ("LSTM", "B", {"input_forget": 1}),
        ("LSTM", "B", {"clip": 0.5, "layout": 1}),
        ("RNN", "", {"clip": 0.25}),
        ("RNN", "BL", {"activations": ("Softsign",), **BACK}),
        ("LSTM", "S", {"activations": ("Sigmoid", "Softsign", "Tanh")}),
        ("GRU", "B", {**AFTER, "activations": ("Sigmoid", "Relu")}),
    ],
)
def test_layers_written_out(op, options, attributes):
    given = operands(op, options, attributes)
    program = loaded(op, given, attributes)
    assert_like(program(**{key: a for key, a in given.items() if key not in "WRBP"}), reference(op, given, attributes))
    assert layers(program) == [0]


def test_weights_are_packed_once():
    b = writer.Builder()
    y = b("LSTM", "X", *(b.constant(Tensor(drawn(1, 160, n))) for n in (8, 40)))
    y = b("MatMul", y, b.constant(Tensor(drawn(40, 70))))
    infos = [writer.value_info(name, ms.float32, sizes) for name, sizes in (("X", (9, 3, 8)), (y, (9, 1, 3, 70)))]
    program = onnx.load(writer.model(b.graph("g", infos[:1], infos[1:], writer.initializers(b.constants, "")[0])))
    for _ in range(4):
        program(drawn(9, 3, 8))
    (part,) = program._program.parts
    (trace,) = part.traces.values()
    (entry,) = trace.jitted.explain()["entries"]
    assert entry["packed"]["copies"] == 3


def test_directions_apart():
    attributes = {"activations": ("Tanh", "Softsign"), **BOTH}
    given = operands("RNN", "BLS", attributes)
    program = loaded("RNN", given, attributes)
    assert_like(program(**{key: a for key, a in given.items() if key not in "WRB"}), reference("RNN", given, attributes))
    assert layers(program) == [1]


@pytest.mark.parametrize("op", GATES)
def test_weights_that_are_inputs(op):
    attributes = AFTER if op == "GRU" else {}
    given = operands(op, "BS", attributes)
    program = loaded(op, given, attributes, constant="")
    for _ in range(2):
        assert_like(program(**given), reference(op, given, attributes))
        given["W"] = given["W"] * 0.5
    assert layers(program) == [1]


@pytest.mark.parametrize("op, attributes", [("LSTM", {}), ("GRU", BOTH), ("RNN", {"layout": 1})])
def test_no_steps(op, attributes):
    given = operands(op, "BS", attributes, steps=0)
    program = loaded(op, given, attributes)
    assert_like(program(**{key: a for key, a in given.items() if key not in "WRB"}), reference(op, given, attributes))


@pytest.mark.parametrize(
    "changes, attributes, message",
    [
        ({"W": drawn(1, 15, 3)}, {}, r"'W' must be of shape \(1, 16, 3\), but is of \(1, 15, 3\)"),
        ({"R": drawn(2, 16, 4)}, {}, r"'R' must be of shape \(1, 16, 4\)"),
        ({"B": drawn(1, 31)}, {}, r"'B' must be of shape \(1, 32\)"),
        ({}, {"hidden_size": 5}, "of 1 directions and 4 units, but 'direction' is 'forward' and 'hidden_size' 5"),
        ({}, BOTH, "'direction' is 'bidirectional'"),
        ({}, {"direction": "sideways"}, "'direction' must be one of forward, reverse, bidirectional, but is 'sideways'"),
        ({}, {"activations": ("Tanh",)}, "'activations' must be 3, but are 1"),
        ({}, {"activations": ("Tanh", "Sine", "Tanh")}, "knows no activation 'sine'"),
        ({"sequence_lens": np.array([1, 2], np.int32)}, {}, "lengths must be of shape"),
        ({"X": drawn(5, 3, 2)}, {}, "ONNX node"),
        ({"R": None}, {}, "its input 2 is absent"),
    ],
)
def test_what_no_layer_is(changes, attributes, message):
    given = {key: a for key, a in {**operands("LSTM", "B", {}), **changes}.items() if a is not None}
    with pytest.raises((ValueError, NotImplementedError), match=message):
        program = loaded("LSTM", given, attributes)
        program(**{key: a for key, a in given.items() if key not in "WRB"})


def exported(path: Any, function: Any, *args: Any, **options: Any) -> list[str]:
    """Writes a file; the ops of its nodes."""
    onnx.export(function, *args, file_name=str(path), **options)
    return [node.op_type for node in messages.read(messages.Model, memoryview(path.read_bytes())).graph.node]


NETS = {
    "lstm": lambda: nn.LSTM(3, 4),
    "lstm, two layers both ways": lambda: nn.LSTM(3, 4, 2, bidirectional=True, batch_first=True),
    "lstm without biases": lambda: nn.LSTM(3, 4, has_bias=False),
    "gru": lambda: nn.GRU(3, 4, bidirectional=True),
    "rnn": lambda: nn.RNN(3, 4, 2, batch_first=True),
    "rnn of relu": lambda: nn.RNN(3, 4, nonlinearity="relu", bidirectional=True),
}


@pytest.mark.parametrize("name", NETS)
@pytest.mark.parametrize("states", [False, True])
def test_layers_there_and_back(name, states, tmp_path):
    net = NETS[name]()
    count, axis = len(net.w_ih_list), 0 if net.batch_first else 1
    x = Tensor(drawn(5, 6, 3))
    axes = {"x": {0: "a", 1: "b"}}
    first = [Tensor(drawn(count, x.shape[axis], 4, seed=seed)) for seed in range(net.states)] if states else []
    function = lambda x, *first: net(x, (first if net.states > 1 else first[0]) if first else None)
    names = ["x", *(f"h{i}" for i in range(len(first)))]
    dynamic = axes | {each: {1: "b" if axis else "a"} for each in names[1:]}
    if states:  # the batch is that of two inputs
        dynamic = {"x": {1 - axis: "t"}}
    ops = exported(tmp_path / "m.onnx", function, x, *first, input_names=names, dynamic_axes=dynamic)
    assert ops.count(name.split()[0].strip(",").upper()) == count and "Scan" not in ops
    program = onnx.load(tmp_path / "m.onnx")
    for steps in (6, 9, 2):
        x = Tensor(drawn(*((5, steps) if axis == 0 else (steps, 6)), 3, seed=4))
        wanted = function(x, *first)
        leaves = [wanted[0], *(wanted[1] if net.states > 1 else wanted[1:])]
        for a, b in zip(program(x, *first), leaves, strict=True):
            np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    assert layers(program) == [count]


def over(x: Any, w: Any, r: Any, h: Any, reverse: bool = False) -> Any:
    gates = core.op_table["dense"](x, w, None)
    return gates, *core.op_table["lstm_layer"](gates, r, h, h, None, None, reverse)


def square(w: Any) -> Any:
    return mint.permute(w.tile((1, 6))[:, :16], (0, 1))


def states(gates: Any, r: Any, h: Any) -> Any:
    return core.op_table["lstm_layer"](gates, r, h, h, None, None, False)[0]


@pytest.mark.parametrize(
    "function, dtype, ops",
    [
        (lambda *given: over(*given)[1], "float32", {"LSTM"}),
        (lambda *given: over(*given)[2][-1], "float32", {"LSTM"}),
        (lambda *given: over(*given, reverse=True)[2][0], "float32", {"LSTM"}),
        (lambda *given: over(*given)[:2], "float32", {"LSTM", "MatMul"}),
        (lambda *given: over(*given)[2], "float32", {"Scan", "MatMul"}),
        (lambda *given: over(*given)[2][0], "float32", {"Scan", "MatMul"}),
        (lambda *given: over(*given, reverse=True)[2][-1], "float32", {"Scan", "MatMul"}),
        (lambda *given: over(*given)[2][1:2], "float32", {"Scan", "MatMul"}),
        (lambda *given: over(*given)[2][-1:, ::-1], "float32", {"Scan", "MatMul"}),
        (lambda *given: over(*given)[2][-1:, :1], "float32", {"Scan", "MatMul"}),
        (lambda *given: over(*given)[1], "float64", {"Scan", "MatMul"}),
        (lambda x, w, *rest: states(x @ w.T + w[:, 0], *rest), "float32", {"LSTM"}),
        (lambda x, w, *rest: states(x @ w.T + w[0, :1], *rest), "float32", {"Scan", "MatMul"}),
        (lambda x, w, *rest: states(x.tile((1, 1, 6))[..., :16] @ square(w), *rest), "float32", {"Scan", "MatMul"}),
    ],
)
def test_what_is_a_node_and_what_a_scan(function, dtype, ops, tmp_path):
    given = [Tensor(drawn(*shape).astype(dtype)) for shape in ((5, 2, 3), (16, 3), (16, 4), (2, 4))]
    found = exported(tmp_path / "m.onnx", function, *given)
    assert {op for op in found if op in ("LSTM", "Scan", "MatMul")} == ops
    wanted, made = function(*given), onnx.load(tmp_path / "m.onnx")(*given)
    for a, b in zip(
        made if isinstance(made, tuple) else [made], wanted if isinstance(wanted, tuple) else [wanted], strict=True
    ):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-6)
