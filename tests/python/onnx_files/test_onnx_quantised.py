"""Quantised models of ONNX: products of ints in QDQ form, beside exact sums in NumPy; what stays in floats; and what is
computed when a file is loaded. The ops' own numbers are in test_int8."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest
from test_onnx import FLOAT, graph, graph_attribute, info, model, node, run, tensor

import emberjit as ms
from emberjit import onnx
from emberjit.onnx import layers, quantised, table
from emberjit.protobuf import field

UINT8, INT8, INT16, INT32, BOOL = 2, 3, 5, 6, 9
KINDS = {"uint8": UINT8, "int8": INT8, "int16": INT16, "int32": INT32, "float32": FLOAT, "float16": 10}
RANDOM = np.random.default_rng(5)


def held(**constants: Any) -> list[bytes]:
    return [tensor(array, name, kind=KINDS[np.asarray(array).dtype.name]) for name, array in constants.items()]


def drawn(*shape: int, dtype: Any = np.uint8) -> np.ndarray:
    limits = np.iinfo(dtype)
    return RANDOM.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def scales(*shape: int) -> np.ndarray:
    return RANDOM.uniform(0.001, 0.02, shape).astype(np.float32)


@pytest.fixture
def no_float_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models load only if none of their products is one of floats."""
    assert table.RULES["", "MatMul"].function is layers.matmul
    for op in ("MatMul", "Gemm", "Conv"):
        monkeypatch.delitem(table.RULES, ("", op))


def shifted(x: np.ndarray, zero: Any, axis: int | None = None) -> np.ndarray:
    zero = np.asarray(0 if zero is None else zero, np.int64)
    return x.astype(np.int64) - (zero if axis is None else zero.reshape([-1 if i == axis else 1 for i in range(x.ndim)]))


def convolved(x: np.ndarray, w: np.ndarray, pad: int = 0, stride: int = 1, group: int = 1) -> np.ndarray:
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    kernel, inputs, outputs = w.shape[2], w.shape[1], w.shape[0] // group
    seen = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), (2, 3))[:, :, ::stride, ::stride]
    parts = [
        np.einsum("nchwij,ocij->nohw", seen[:, g * inputs : (g + 1) * inputs], w[g * outputs : (g + 1) * outputs])
        for g in range(group)
    ]
    return np.concatenate(parts, 1)


def steps(sums: np.ndarray, factor: Any, after: Any, dtype: Any, zero: int) -> np.ndarray:
    """Sums in steps of a scale, ties to even."""
    limits = np.iinfo(dtype)
    return np.clip(np.rint(sums * np.asarray(factor, np.float64) + after) + zero, limits.min, limits.max).astype(dtype)


# One row: the product, its left codes, right codes, zero points, whether the right one has a scale for each channel, bias.
PRODUCTS: dict[str, dict[str, Any]] = {
    "MatMul": dict(x=drawn(3, 40), w=drawn(40, 7, dtype=np.int8), x_zero=np.uint8(131), w_zero=np.int8(0)),
    "MatMul of a stack": dict(x=drawn(2, 3, 40), w=drawn(40, 7), x_zero=np.uint8(3), w_zero=np.uint8(101)),
    "MatMul by channels": dict(x=drawn(3, 40), w=drawn(40, 7), x_zero=np.uint8(3), w_zero=drawn(7), axis=1),
    "MatMul by the last axis": dict(x=drawn(3, 40), w=drawn(2, 40, 7), x_zero=np.uint8(3), w_zero=drawn(7), axis=-1),
    "MatMul of a transposed weight": dict(
        x=drawn(2, 3, 40, dtype=np.int8), w=drawn(7, 40, dtype=np.int8), x_zero=np.int8(-5), w_zero=None, axis=0, turned=True
    ),
    "MatMul of two inputs": dict(x=drawn(2, 5, 6), w=drawn(2, 6, 4), x_zero=np.uint8(100), w_zero=np.uint8(140), given=True),
    "MatMul without zero points": dict(x=drawn(3, 40, dtype=np.int8), w=drawn(40, 7), x_zero=None, w_zero=None),
    "Gemm": dict(x=drawn(3, 40), w=drawn(40, 7, dtype=np.int8), x_zero=np.uint8(90), w_zero=None, bias="float"),
    "Gemm of transposed operands": dict(
        x=drawn(40, 3), w=drawn(7, 40), x_zero=np.uint8(90), w_zero=drawn(7), axis=0, bias="ints", transA=1, transB=1
    ),
    "Gemm of what is transposed twice": dict(
        x=drawn(3, 40), w=drawn(40, 7), x_zero=np.uint8(90), w_zero=drawn(7), axis=1, bias="ints", transB=1, turned=True
    ),
    "Gemm with a bias of other steps": dict(
        x=drawn(3, 40), w=drawn(40, 7), x_zero=np.uint8(9), w_zero=None, bias="other", alpha=1.0, beta=1.0
    ),
    "Conv": dict(x=drawn(2, 3, 6, 5), w=drawn(4, 3, 3, 3, dtype=np.int8), x_zero=np.uint8(77), w_zero=None, pad=1),
    "Conv by channels": dict(
        x=drawn(2, 4, 6, 5), w=drawn(6, 2, 3, 3), x_zero=np.uint8(77), w_zero=drawn(6), axis=0, bias="ints", pad=1, group=2
    ),
    "Conv of one place": dict(
        x=drawn(2, 5, 4, 3, dtype=np.int8), w=drawn(4, 5, 1, 1, dtype=np.int8), x_zero=np.int8(7), w_zero=None, bias="float"
    ),
    "Conv of a transposed weight": dict(
        x=drawn(2, 5, 4, 3), w=drawn(5, 4, 1, 1), x_zero=np.uint8(7), w_zero=drawn(4), axis=1, bias="ints", turned=True
    ),
    "Conv with strides": dict(
        x=drawn(1, 5, 7, 7), w=drawn(4, 5, 3, 3), x_zero=None, w_zero=np.uint8(128), stride=2, bias="ints"
    ),
}
TARGETS: dict[str, Any] = {"floats": None, "uint8": np.uint8(100), "int8": np.int8(-9), "no zero point": np.uint8(0)}


def turned(row: dict[str, Any]) -> list[int]:
    """The order of the axes of a row's right codes in its product."""
    rank = row["w"].ndim
    return [1, 0, *range(2, rank)] if row.get("turned") else list(range(rank))


def exact_sums(row: dict[str, Any]) -> np.ndarray:
    w, axis = row["w"], row.get("axis")
    left = shifted(row["x"], row["x_zero"])
    right = shifted(w, row["w_zero"], axis % w.ndim if np.ndim(row["w_zero"]) and axis is not None else None)
    right = right.transpose(turned(row))
    if w.ndim == 4:
        return convolved(left, right, row.get("pad", 0), row.get("stride", 1), row.get("group", 1))
    return np.matmul(left.T if row.get("transA") else left, right.T if row.get("transB") else right)


def parts(op: str, row: dict[str, Any], constants: dict[str, Any]) -> list[bytes]:
    """The nodes of a row's product, `yf`; its zero points become constants."""
    nodes = []
    for each, axis in (("x", 1), ("w", row.get("axis", 1))):
        zero = row[f"{each}_zero"]
        constants.update({} if zero is None else {f"{each}z": zero})
        nodes.append(node("DequantizeLinear", f"{each} {each}s {'' if zero is None else f'{each}z'}", f"{each}f", axis=axis))
    if "bi" in constants:
        nodes.append(node("DequantizeLinear", "bi bs", "b", axis=0))
    attributes: dict[str, Any] = {key: row[key] for key in ("transA", "transB", "alpha", "beta", "group") if key in row}
    if op == "Conv":
        sizes = row["w"].shape[2:]
        attributes.update(pads=[row.get("pad", 0)] * 4, strides=[row.get("stride", 1)] * 2, kernel_shape=sizes)
    nodes.append(node("Transpose", "wf", "wt", perm=turned(row)))
    right = "wt" if row.get("turned") else "wf"
    return [*nodes, node(op, f"xf {right} {'b' if 'bias' in row else ''}", "yf", **attributes)]


def prepared(name: str, target: str) -> tuple[bytes, list[np.ndarray], np.ndarray]:
    """A model, its inputs, and what it makes of them by exact sums."""
    row, op = PRODUCTS[name], name.split(maxsplit=1)[0]
    x, w, axis, kind = row["x"], row["w"], row.get("axis"), row.get("bias")
    x_scale, w_scale, scale = scales(), scales() if axis is None else scales(w.shape[axis]), np.float32(0.9)
    constants: dict[str, Any] = dict(xs=x_scale, ws=w_scale, ys=scale)
    sums, place = exact_sums(row), (-1, 1, 1) if op == "Conv" else (-1,)
    factor = x_scale * (w_scale.reshape(place) if w_scale.ndim else w_scale)
    after = np.zeros((), np.float32)
    if kind == "float":
        constants["b"] = scales(sums.shape[1]) * 300
        after = constants["b"].reshape(place)
    elif kind:
        ints = RANDOM.integers(-9000, 9000, sums.shape[1]).astype(np.int32)
        constants.update(bi=ints, bs=(x_scale * w_scale).astype(np.float32) * np.float32(1.5 if kind == "other" else 1))
        after = (ints.astype(np.float32) * constants["bs"]).reshape(place)
    nodes = parts(op, row, constants)
    given = {"x": x, "w": w} if row.get("given") else {"x": x}
    constants.update({} if row.get("given") else {"w": w})
    inputs = [info(key, KINDS[value.dtype.name]) for key, value in given.items()]
    if target == "floats":
        return model(nodes, inputs, "yf", held(**constants)), list(given.values()), sums.astype(np.float32) * factor + after
    if kind == "ints":
        sums, after = sums + ints.reshape(place), np.zeros((), np.float32)
    zero = TARGETS[target]
    constants.update({} if target == "no zero point" else {"yz": zero})
    nodes.append(node("QuantizeLinear", f"yf ys {'yz' if 'yz' in constants else ''}", "y"))
    wanted = steps(sums, factor / scale, after / np.float64(scale), zero.dtype, int(zero))
    return model(nodes, inputs, "y", held(**constants)), list(given.values()), wanted


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_of_ints(name: str, target: str, no_float_products: None) -> None:
    content, given, wanted = prepared(name, target)
    found = run(content, *given)
    assert str(found.dtype).lower() == wanted.dtype.name and found.shape == wanted.shape
    np.testing.assert_array_equal(found.asnumpy(), wanted)
    assert onnx.load(content).explain()["parts"] == 1


def exact(op: str) -> tuple[list[bytes], list[bytes], np.ndarray]:
    """A sum of 2**24 + 1, by 2**-25 more than a half in steps of the result, which float32 has not."""
    x, w = np.full((1, 520), 255, np.uint8), np.full((520, 1), 127, np.int8)
    x[0, -1], w[-2:, 0] = 1, (7, 2)
    nodes = [node("DequantizeLinear", "x one yz", "xf"), node("DequantizeLinear", "w one", "wf"), node(op, "xf wf", "yf")]
    if op == "Conv":
        x, w = x.reshape(1, 520, 1, 1), w.reshape(1, 520, 1, 1)
    return nodes, held(w=w, one=np.float32(1), ys=np.float32(2**25), yz=np.uint8(0)), x


@pytest.mark.parametrize("op", ["MatMul", "Gemm", "Conv"])
def test_sums_are_exact(op: str) -> None:
    nodes, constants, x = exact(op)
    content = model([*nodes, node("QuantizeLinear", "yf ys yz", "y")], [info("x", UINT8)], "y", constants)
    assert run(content, x).asnumpy().reshape(()) == 1


NODES, CONSTANTS, X = exact("MatMul")
BODY = [*NODES, node("QuantizeLinear", "yf ys yz", "y")]
ONE = node("QuantizeLinear", "yf ys yz", "y")


@pytest.mark.parametrize(
    "nodes, outputs, wanted",
    [
        ([*NODES, ONE], "y yf", [0, 2.0**24]),
        ([*NODES, ONE, node("Neg", "yf", "z")], "y z", [0, -(2.0**24)]),
        ([*NODES, ONE, node("ReduceSum", "xf", "z", keepdims=0)], "y z", [1, 519 * 255 + 1.0]),
        (
            [node("Transpose", "w", "v"), *NODES[:2], node("ReduceSum", "wf", "z", keepdims=0), NODES[2], ONE],
            "y z",
            [1, 65795.0],
        ),
        ([*NODES, ONE], "y xf", [1, 255.0]),
        ([*NODES, node("Relu", "yf", "r"), node("QuantizeLinear", "r ys yz", "y")], "y", [0]),
        ([*NODES, node("QuantizeLinear", "yf ys yz", "q"), node("DequantizeLinear", "q ys yz", "y")], "y", [2.0**25]),
        ([*NODES, node("QuantizeLinear", "yf ys yz", "y", precision=11)], "y", [0]),
    ],
    ids=[
        "an output",
        "read twice",
        "its operand is read",
        "its weight is read",
        "its operand is an output",
        "Relu",
        "and back",
        "float64",
    ],
)
def test_what_else_reads_the_parts(nodes: list[bytes], outputs: str, wanted: list[Any], no_float_products: None) -> None:
    found = run(model(nodes, [info("x", UINT8)], outputs, CONSTANTS), X)
    for each, value in zip(found if isinstance(found, tuple) else (found,), wanted, strict=True):
        assert each.asnumpy().reshape(-1)[0] == value


def test_products_within_branches_and_functions(no_float_products: None) -> None:
    inner = graph(BODY, [], "y")
    constants = CONSTANTS
    branch = node("If", "p", "z", graph_attribute("then_branch", inner), graph_attribute("else_branch", inner))
    content = model([branch], [info("x", UINT8), info("p", BOOL, [])], "z", constants)
    assert run(content, X, np.array(True)).asnumpy().reshape(()) == 1
    outside = graph([NODES[2], ONE], [], "y")
    branch = node("If", "p", "z", graph_attribute("then_branch", inner), graph_attribute("else_branch", outside))
    with pytest.raises(NotImplementedError, match="no op 'MatMul'"):
        onnx.load(model([*NODES[:2], branch], [info("x", UINT8), info("p", BOOL, [])], "z", constants))
    parameters = ("x", "w", "one", "ys", "yz")
    function = field(1, "F") + b"".join(field(4, each) for each in parameters) + field(5, "y") + field(10, "own")
    function += b"".join(field(7, each) for each in BODY)
    call = node("F", " ".join(parameters), "r", domain="own")
    content = model([call], [info("x", UINT8)], "r", constants, more=field(25, function))
    assert run(content, X).asnumpy().reshape(()) == 1


def test_a_branch_reads_what_waits() -> None:
    inner = graph([node("Neg", "yf", "n")], [], "n")
    other = graph([node("MatMul", "xf wf", "n")], [], "n")
    branch = node("If", "p", "z", graph_attribute("then_branch", inner), graph_attribute("else_branch", other))
    content = model([*NODES, branch], [info("x", UINT8), info("p", BOOL, [])], "z", CONSTANTS)
    for p in (True, False):
        assert run(content, X, np.array(p)).asnumpy().reshape(()) == (-(2.0**24) if p else 2.0**24)


def test_values_that_have_the_names_of_parts() -> None:
    extra = {f"yf.{i}": np.float32(i) for i in range(6)}
    nodes = [*BODY, node("Sum", " ".join(extra), "z")]
    found, total = run(model(nodes, [info("x", UINT8)], "y z", [*CONSTANTS, *held(**extra)]), X)
    assert found.asnumpy().reshape(()) == 1 and total.asnumpy() == 15


W, BLOCKS, POINTS = drawn(40, 6), scales(2, 6), drawn(2, 6)
ROWS, COLUMNS, HALF = scales(40), scales(6), np.float32(0.5)
KERNEL, SQUARE = drawn(4, 3, 1, 1), drawn(40, 40)
STAYING: dict[str, tuple[Any, ...]] = {  # op, constants, what makes wf of them, wf, more
    "blocks": (
        *("MatMul", dict(w=W, ws=BLOCKS, wz=POINTS), node("DequantizeLinear", "w ws wz", "wf", block_size=20, axis=0)),
        (W - np.repeat(POINTS.astype(float), 20, 0)) * np.repeat(BLOCKS, 20, 0),
    ),
    "16 bits": ("MatMul", dict(w=W.astype(np.int16), ws=HALF), node("DequantizeLinear", "w ws", "wf"), W * HALF),
    "rows": ("MatMul", dict(w=SQUARE, ws=ROWS), node("DequantizeLinear", "w ws", "wf", axis=0), SQUARE * ROWS[:, None]),
    "alpha": ("Gemm", dict(w=W, ws=HALF), node("DequantizeLinear", "w ws", "wf"), W, dict(alpha=0.5)),
    "a row of a Gemm": ("Gemm", dict(w=W, ws=ROWS), node("DequantizeLinear", "w ws", "wf", axis=0), W * ROWS[:, None]),
    "floats": ("MatMul", dict(f=W.astype(np.float32)), node("Identity", "f", "wf"), W),
}


@pytest.mark.parametrize("name", STAYING)
def test_what_stays_in_floats(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    op, constants, made, wf, *more = STAYING[name]
    x, own = drawn(3, 40), held(xs=HALF, xz=np.uint8(3), **constants)
    nodes = [node("DequantizeLinear", "x xs xz", "xf"), made, node(op, "xf wf", "y", **(more[0] if more else {}))]
    content = model(nodes, [info("x", UINT8)], "y", own)
    scale = 0.5 if name == "alpha" else 1
    wanted = (shifted(x, 3) * 0.5) @ (wf * (0.5 if name == "alpha" else 1)) * scale
    np.testing.assert_allclose(run(content, x).asnumpy(), wanted, rtol=1e-4, atol=1e-2)
    monkeypatch.delitem(table.RULES, ("", op))
    with pytest.raises(NotImplementedError, match=f"no op '{op}'"):
        onnx.load(content)


@pytest.mark.parametrize(
    "left, right, op, to",
    [
        (dict(xs=scales(40), xz=drawn(40)), dict(ws=HALF, w=W), "MatMul", 0),
        (dict(xs=HALF, xz=np.uint8(3)), dict(ws=HALF, w=drawn(33026, 1)), "MatMul", 0),
        (dict(xs=HALF, xz=np.uint8(3)), dict(ws=scales(3), w=KERNEL), "Conv", 0),
        (dict(xs=HALF, xz=np.int16(3)), dict(ws=HALF, w=W), "MatMul", 0),
        (dict(xs=np.float16(0.5)), dict(ws=np.float16(0.5), w=W), "MatMul", 0),
        (dict(xs=HALF), dict(ws=HALF, w=W), "MatMul", 11),
    ],
    ids=["left channels", "sums beyond int32", "a conv's inputs", "16 bits", "scales of 16 bits", "float64"],
)
def test_what_else_stays(left: dict[str, Any], right: dict[str, Any], op: str, to: int, no_float_products: None) -> None:
    nodes = [
        node("DequantizeLinear", " ".join(["x", *left]), "xf", output_dtype=to),
        node("DequantizeLinear", "w ws", "wf", output_dtype=to),
        node(op, "xf wf", "y"),
    ]
    with pytest.raises(NotImplementedError, match=f"no op '{op}'"):
        onnx.load(model(nodes, [info("x", UINT8)], "y", held(**left, **right)))


@pytest.mark.parametrize("axis", [0, 1])
def test_results_quantised_by_channels(axis: int, no_float_products: None) -> None:
    x, shape = drawn(3, 40), (-1, 1) if axis == 0 else (-1,)
    by, points = scales((3, 6)[axis]) * 900, drawn((3, 6)[axis])
    nodes = [*WHOLE["QDQ"][0][:3], node("QuantizeLinear", "yf ys yz", "y", axis=axis)]
    constants = dict(xs=HALF, ws=HALF, xz=np.uint8(3), wz=np.uint8(9), w=W, ys=by, yz=points)
    sums = (shifted(x, 3) @ shifted(W, 9)).astype(np.float32) * np.float32(0.25)
    found = run(model(nodes, [info("x", UINT8)], "y", held(**constants)), x)
    wanted = np.clip(np.rint(sums / by.reshape(shape)) + points.reshape(shape), 0, 255)
    np.testing.assert_array_equal(found.asnumpy(), wanted.astype(np.uint8))


def test_sums_beyond_int32_of_two_inputs(no_float_products: None) -> None:
    nodes = [
        node("DequantizeLinear", "a one z", "af"),
        node("DequantizeLinear", "b one z", "bf"),
        node("MatMul", "af bf", "y"),
    ]
    content = model(nodes, [info("a", UINT8), info("b", UINT8)], "y", held(one=np.float32(1), z=np.uint8(1)))
    program = onnx.load(content)
    for k in (5, 40000, 33025, 33026):
        a, b = np.full((2, k), 255, np.uint8), np.full((k, 1), 255, np.uint8)
        assert (program(a, b).asnumpy() == np.float32(254 * 254 * k)).all()


def test_scales_that_are_computed(no_float_products: None) -> None:
    nodes = [
        node("DynamicQuantizeLinear", "x", "q s z"),
        node("DequantizeLinear", "q s z", "xf"),
        node("DequantizeLinear", "w ws", "wf"),
        node("MatMul", "xf wf", "y"),
    ]
    x, w = RANDOM.standard_normal((3, 40)).astype(np.float32), drawn(40, 6, dtype=np.int8)
    program = onnx.load(model(nodes, outputs="y q s z", constants=held(w=w, ws=HALF)))
    for _ in range(2):
        y, q, s, z = (each.asnumpy() for each in program(x))
        assert (y == (shifted(q, z) @ w.astype(np.int64)).astype(np.float32) * (s * HALF)).all()


# What is computed when a file is loaded ------------------------------------------------------------------------------

SCALED = dict(xs=HALF, ws=HALF, ys=np.float32(90), yz=np.uint8(7))
WHOLE: dict[str, tuple[list[bytes], Any, Any]] = {
    "MatMulInteger": ([node("MatMulInteger", "x w xz wz", "y")], drawn(3, 40), W),
    "QLinearMatMul": ([node("QLinearMatMul", "x xs xz w ws wz ys yz", "y")], drawn(3, 40), W),
    "ConvInteger": ([node("ConvInteger", "x w xz wz", "y", group=1)], drawn(2, 3, 4, 5), KERNEL),
    "QLinearConv": ([node("QLinearConv", "x xs xz w ws wz ys yz b", "y")], drawn(2, 3, 4, 5), KERNEL),
    "QDQ": (
        [
            node("DequantizeLinear", "x xs xz", "xf"),
            node("DequantizeLinear", "w ws wz", "wf"),
            node("MatMul", "xf wf", "yf"),
            node("QuantizeLinear", "yf ys yz", "y"),
        ],
        *(drawn(3, 40), W),
    ),
}


@pytest.mark.parametrize("x_zero, w_zero, calls", [(0, 0, 1), (5, 0, 1), (0, 5, 2), (5, 9, 2)])
@pytest.mark.parametrize("name", WHOLE)
def test_sums_of_weights_are_computed_once(name: str, x_zero: int, w_zero: int, calls: int, monkeypatch: Any) -> None:
    nodes, x, w = WHOLE[name]
    seen: list[Any] = []

    def counted(a: Any, b: Any) -> Any:
        seen.append((a, b))
        return product(a, b)

    product = quantised._ops.matmul_integer
    monkeypatch.setattr(quantised, "_ops", types.SimpleNamespace(matmul_integer=counted))
    constants = held(w=w, xz=np.uint8(x_zero), wz=np.uint8(w_zero), b=np.arange(4, dtype=np.int32), **SCALED)
    program = onnx.load(model(nodes, [info("x", UINT8)], "y", constants))
    assert len(seen) == (x_zero > 0)
    seen.clear()
    found = program(x)
    assert len(seen) == calls
    of = convolved if w.ndim == 4 else np.matmul
    wanted = of(shifted(x, x_zero), shifted(w, w_zero))
    if name.startswith("Q"):
        bias = np.arange(4).reshape(4, 1, 1) if w.ndim == 4 else 0
        wanted = steps(wanted + bias, np.float32(0.25) / np.float32(90), 0, np.uint8, 7)
    assert (found.asnumpy() == wanted).all() and (program(x).asnumpy() == wanted).all()


def test_scales_of_rows() -> None:
    x, of_x, points, by, to = drawn(3, 40), scales(3), drawn(3), scales(3) * 500, drawn(3)
    constants = held(xs=of_x, xz=points, w=W, ws=COLUMNS, wz=POINTS[0], ys=by, yz=to)
    content = model([node("QLinearMatMul", "x xs xz w ws wz ys yz", "y")], [info("x", UINT8)], "y", constants)
    factor = (of_x[:, None] * COLUMNS / by[:, None]).astype(np.float64)
    sums = shifted(x, points, 0) @ shifted(W, POINTS[0], 1)
    wanted = np.clip(np.rint(sums * factor) + to[:, None], 0, 255).astype(np.uint8)
    np.testing.assert_array_equal(run(content, x).asnumpy(), wanted)


def test_weights_are_not_held_as_floats() -> None:
    nodes, _, w = WHOLE["QDQ"]
    constants = held(w=w, xz=np.uint8(1), wz=np.uint8(2), **SCALED)
    program = onnx.load(model(nodes, [info("x", UINT8)], "y", constants))
    tensors = [onnx.values.tensor(each) for each in program._program.all_constants()]
    assert [each.dtype for each in tensors if each.ndim == 2 and each.shape[0] > 1] == [ms.uint8]


@pytest.mark.parametrize("name", WHOLE)
def test_one_graph_for_all_batches(name: str) -> None:
    nodes, x, w = WHOLE[name]
    constants = held(w=w, xz=np.uint8(4), wz=np.uint8(9), b=np.zeros(4, np.int32), **SCALED)
    program = onnx.load(model(nodes, [info("x", UINT8, ["n", *x.shape[1:]])], "y", constants))
    whole = np.concatenate([x] * 3)
    wanted = program(whole).asnumpy()
    for rows in (1, 2, 5, 6, 3):
        assert (program(whole[:rows]).asnumpy() == wanted[:rows]).all()
    assert program.explain() == {"parts": 1, "alone": [], "stops": []}


CHAINS = {
    "DequantizeLinear": [node("DequantizeLinear", f"x{i} xs", f"x{i + 1}") for i in range(1500)],
    "Transpose": [node("DequantizeLinear", "x0 xs", "x1")]
    + [node("Transpose", f"x{i} ", f"x{i + 1}", perm=[1, 0]) for i in range(1, 1500)],
    "Gemm": [node("DequantizeLinear", "x xs xz", "xf"), node("DequantizeLinear", "w ws", "wf")]
    + [node("Gemm", f"xf wf x{i}", f"x{i + 1}") for i in range(1500)],
}


@pytest.mark.parametrize("op", CHAINS)
def test_long_chains_of_what_waits(op: str) -> None:
    nodes, constants = CHAINS[op], held(w=drawn(6, 6), xz=np.uint8(1), **SCALED)
    program = onnx.load(model(nodes, [info("x", UINT8), info("x0", UINT8)], "x1500", constants))
    assert program.explain()["parts"] == 1


@pytest.mark.parametrize(
    "nodes, message",
    [
        ([node("DequantizeLinear", "x xs q", "xf"), *WHOLE["QDQ"][0][1:]], "reads 'q', which nothing makes"),
        ([node("DequantizeLinear", "x xs xz", "xf", axes=[1]), *WHOLE["QDQ"][0][1:]], "no attribute 'axes'"),
        ([node("QLinearMatMul", "x xs xz w ws wz ys", "y")], "it has 7 inputs"),
        ([node("QLinearMatMul", "x xs xz w ws wz ys yz b", "y")], "it has 9 inputs"),
        ([node("QLinearConv", "x xs - w ws wz ys yz", "y")], "its input 2 is absent"),
        ([node("QLinearMatMul", "x xs xz w ws wz ys yz", "y", name="p", k=3)], "node 'p' .QLinearMatMul.*no attribute 'k'"),
        ([*WHOLE["QDQ"][0], node("Neg", "x", "yf")], "'yf' is made twice"),
    ],
)
def test_damaged_models(nodes: list[bytes], message: str) -> None:
    constants = held(w=W, xz=np.uint8(1), wz=np.uint8(2), b=np.int32(3), **SCALED)
    with pytest.raises((ValueError, NotImplementedError), match=message):
        onnx.load(model(nodes, [info("x", UINT8)], "y", constants))
