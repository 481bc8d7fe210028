"""The networks of bench_networks.py as ONNX graphs, on ONNX Runtime and OpenVINO. Weights are constants of the graphs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from bench_networks import NETWORKS, batch, weights
from bench_onnx import Graph, number


class Value:
    """A value of a graph, with the arithmetic of arrays."""

    def __init__(self, graph: Graph, name: str):
        self.graph, self.name = graph, name

    def __add__(self, other: Any) -> Value:
        return Value(self.graph, self.graph("Add", self.name, other.name if isinstance(other, Value) else other))


class _System:
    """What bench_networks.py asks for, of inference."""

    def __init__(self) -> None:
        self.graph = Graph()
        for method, op in {"relu": "Relu", "gelu": "Gelu", "sigmoid": "Sigmoid"}.items():
            setattr(self, method, lambda x, op=op: self(op, x))

    def __call__(self, op: str, *operands: Any, **attributes: Any) -> Value:
        names = [x.name if isinstance(x, Value) else x for x in operands]
        return Value(self.graph, self.graph(op, *names, **attributes))

    def relu6(self, x: Value) -> Value:
        return self("Clip", x, number(0), number(6))

    def leaky_relu(self, x: Value) -> Value:
        return self("LeakyRelu", x, alpha=0.1)

    def conv(self, x: Value, weight: Any, stride: int, padding: int) -> Value:
        return self("Conv", x, weight, strides=[stride] * 2, pads=[padding] * 4)

    def depthwise(self, x: Value, weight: Any, stride: int) -> Value:
        return self("Conv", x, weight, strides=[stride] * 2, pads=[1] * 4, group=weight.shape[0])

    def batch_norm(self, x: Value, gamma: Any, beta: Any) -> Value:
        return self("BatchNormalization", x, gamma, beta, np.zeros_like(beta), np.ones_like(beta))

    def max_pool(self, x: Value) -> Value:
        return self("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)

    def pool(self, x: Value) -> Value:
        return self("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])

    def upsample(self, x: Value) -> Value:
        # From the nearest pixel to the left, as a scale of 2 has it.
        sizes = np.array([1, 1, 2, 2], np.float32)
        return self(
            "Resize", x, "", sizes, mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric"
        )

    def channels(self, parts: tuple[Value, ...]) -> Value:
        return self("Concat", *parts, axis=1)

    def average(self, x: Value, axes: tuple[int, ...]) -> Value:
        return self("ReduceMean", x, np.array(axes, np.int64), keepdims=0)

    def tokens(self, x: Value) -> Value:
        return self("Transpose", self("Reshape", x, np.array([0, 0, -1])), perm=[0, 2, 1])

    def heads(self, x: Value, count: int) -> Value:
        return self("Transpose", self("Reshape", x, np.array([0, 0, count, -1])), perm=[0, 2, 1, 3])

    def joined(self, x: Value) -> Value:
        return self("Reshape", self("Transpose", x, perm=[0, 2, 1, 3]), np.array([0, 0, -1]))

    def attend(self, q: Value, k: Value, v: Value, causal: bool) -> Value:
        scores = self("MatMul", q, self("Transpose", k, perm=[0, 1, 3, 2]))
        depth = self("Slice", self("Shape", q), np.array([3]), np.array([4]))
        scores = self("Div", scores, self("Sqrt", self("Cast", depth, to=1)))
        if causal:
            length = self("Slice", self("Shape", q), np.array([2]), np.array([3]))
            square = self("Expand", number(-np.inf), self("Concat", length, length, axis=0))
            scores = scores + self("Trilu", square, np.array(1), upper=1)
        return self("MatMul", self("Softmax", scores, axis=-1), v)

    def dense(self, x: Value, weight: Any, bias: Any) -> Value:
        return self("Add", self("MatMul", x, np.ascontiguousarray(weight.T)), bias)

    def layer_norm(self, x: Value, gamma: Any, beta: Any) -> Value:
        return self("LayerNormalization", x, gamma, beta, axis=-1)

    def embedding(self, words: Value, weight: Any) -> Value:
        return self("Gather", weight, words, axis=0)

    def lstm(self, x: Value, weights: list[Any]) -> Value:
        def ordered(weight: Any) -> Any:  # input, output, forget, cell
            i, f, g, o = np.split(weight, 4)
            return np.concatenate((i, o, f, g))[None]

        biases = np.concatenate((ordered(weights[2]), ordered(weights[3])), 1)
        operands = ordered(weights[0]), ordered(weights[1]), biases
        return self("Squeeze", self("LSTM", x, *operands, hidden_size=weights[1].shape[1]), np.array([1]))


def network(system: str, name: str, training: bool) -> Callable[[], Any]:
    """The call of a network, for onnxruntime or openvino; there is no training."""
    inputs, f, parameters = batch(name)[0], _System(), iter(weights(name))
    out = NETWORKS[name](f, lambda *shape, fill=None: next(parameters), Value(f.graph, "x0"))  # type: ignore[arg-type]
    result = (out[0] if isinstance(out, tuple) else out).name
    if system == "onnxruntime":
        return f.graph.call(result, [inputs])
    import openvino

    core = openvino.Core()
    settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": len(os.sched_getaffinity(0))}
    settings |= {"INFERENCE_PRECISION_HINT": "f32"}
    model = core.compile_model(core.read_model(f.graph.model(result, [inputs])), "CPU", settings)
    request, tensor = model.create_infer_request(), openvino.Tensor(inputs, shared_memory=True)
    request.set_input_tensor(0, tensor)
    owners = model, tensor

    def call() -> Any:
        request.infer()
        return [request.get_output_tensor(0).data, owners]

    return call


def force(result: Any) -> float:
    """The first element of the result."""
    return float(result[0].reshape(-1)[0])
