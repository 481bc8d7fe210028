"""The workloads without gradients as ONNX graphs on ONNX Runtime, with the arithmetic of bench_workloads.py; weights are
constants of the graphs. Each takes the arrays of bench_inputs.py and returns the call to time."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime
from bench_inputs import HEADS, KV_HEADS, program
from onnx import TensorProto, helper, numpy_helper

Call = Callable[[], Any]
OPSET, IR = 20, 9


class Graph:
    """Nodes under construction. Operands are names of values, or arrays and numbers, which become constants."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def __call__(self, op: str, *operands: Any, **attributes: Any) -> str:
        """The name of a node's first result."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, [self._name(x) for x in operands], [name], **attributes))
        return name

    def _name(self, x: Any) -> str:
        if isinstance(x, str):
            return x
        self.constants.append(numpy_helper.from_array(np.asarray(x), f"c{len(self.constants)}"))
        return str(self.constants[-1].name)

    def model(self, result: str, inputs: list[np.ndarray]) -> bytes:
        """The graph of which x0, x1, ... are inputs."""
        kinds = [TensorProto.INT32 if x.dtype == np.int32 else TensorProto.FLOAT for x in inputs]
        parameters = [helper.make_tensor_value_info(f"x{i}", kinds[i], x.shape) for i, x in enumerate(inputs)]
        outputs = [helper.make_tensor_value_info(result, TensorProto.FLOAT, None)]
        graph = helper.make_graph(self.nodes, "workload", parameters, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
        return bytes(model.SerializeToString())

    def call(self, result: str, inputs: list[np.ndarray]) -> Call:
        """Runs the graph."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = len(os.sched_getaffinity(0))
        model = self.model(result, inputs)
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        feed = {f"x{i}": x for i, x in enumerate(inputs)}
        return lambda: session.run(None, feed)


def number(x: float) -> np.ndarray:
    """A float32 constant."""
    return np.float32(x)


def chain(g: Graph) -> str:
    left = g("Sigmoid", g("Add", g("Mul", "x0", number(2)), number(1)))
    bell = g("Mul", g("Exp", g("Mul", g("Neg", "x0"), "x0")), number(0.3))
    return g("Add", g("Mul", left, g("Tanh", g("Sub", "x0", number(0.5)))), bell)


def summed(*axes: int) -> Callable[[Graph], str]:
    return lambda g: g("ReduceSum", "x0", np.array(axes, np.int64), keepdims=0)


def mlp(g: Graph, weights: list[np.ndarray]) -> str:
    x = "x0"
    for i in range(0, len(weights), 2):
        x = g("Add", g("MatMul", x, weights[i]), weights[i + 1])
        x = g("Relu", x) if i + 2 < len(weights) else x
    return x


def attention(g: Graph, weights: list[np.ndarray], length: int, width: int) -> str:
    d = width // HEADS
    angles = np.arange(length)[:, None] * (1.0 / (10000 ** (np.arange(0, d, 2) / d)))[None]
    angles = np.concatenate((angles, angles), -1)
    cosines, sines = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)

    def heads(weight: np.ndarray, count: int) -> str:
        split = g("Reshape", g("MatMul", "x0", weight), np.array([1, length, count, d]))
        return g("Transpose", split, perm=[0, 2, 1, 3])

    def turned(x: str) -> str:
        front = g("Slice", x, np.array([0]), np.array([d // 2]), np.array([3]))
        back = g("Slice", x, np.array([d // 2]), np.array([d]), np.array([3]))
        swapped = g("Concat", g("Neg", back), front, axis=3)
        return g("Add", g("Mul", x, cosines), g("Mul", swapped, sines))

    def repeated(x: str) -> str:
        apart = g("Expand", g("Unsqueeze", x, np.array([2])), np.array([1, KV_HEADS, HEADS // KV_HEADS, length, d]))
        return g("Reshape", apart, np.array([1, HEADS, length, d]))

    q, k, v = turned(heads(weights[0], HEADS)), turned(heads(weights[1], KV_HEADS)), heads(weights[2], KV_HEADS)
    scores = g("Div", g("MatMul", q, g("Transpose", repeated(k), perm=[0, 1, 3, 2])), number(d**0.5))
    scores = g("Add", scores, np.triu(np.full((length, length), -np.inf, np.float32), 1))
    mixed = g("Transpose", g("MatMul", g("Softmax", scores, axis=-1), repeated(v)), perm=[0, 2, 1, 3])
    return g("MatMul", g("Reshape", mixed, np.array([1, length, width])), weights[3])


PROGRAMS: dict[str, Callable[[Graph, list[np.ndarray]], tuple[str, int]]] = {
    "abc": lambda g, a: (g("Add", g("Mul", "x0", "x1"), "x2"), 3),
    "add": lambda g, a: (g("Add", "x0", "x1"), 2),
    "elementwise": lambda g, a: (chain(g), 1),
    "gelu": lambda g, a: (g("Gelu", "x0"), 1),
    "softmax": lambda g, a: (g("Softmax", "x0", axis=-1), 1),
    "layernorm": lambda g, a: (g("LayerNormalization", "x0", np.ones(a[0].shape[-1], np.float32), axis=-1), 1),
    "sum": lambda g, a: (summed(1)(g), 1),
    "sum_columns": lambda g, a: (summed(0)(g), 1),
    "sum_all": lambda g, a: (summed(0, 1)(g), 1),
    "mlp_fwd": lambda g, a: (mlp(g, a[1:]), 1),
    "llama_attention_fwd": lambda g, a: (attention(g, a[1:], *a[0].shape[1:]), 1),
    "gemm": lambda g, a: (g("MatMul", "x0", "x1"), 2),
}


def prepare(system: str, name: str, arrays: list[np.ndarray]) -> Call:
    """The call to time. The first arrays are inputs, the others constants."""
    graph = Graph()
    result, inputs = PROGRAMS[program(name)](graph, arrays)
    return graph.call(result, arrays[:inputs])


def force(result: Any) -> float:
    """The first element of the result."""
    return float(result[0].reshape(-1)[0])
