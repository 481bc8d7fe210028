"""Layer ops of the op table as nodes of ONNX. Where the gates' inputs are a product with weights, and of cells only the last
ones are read, a layer is ONNX's LSTM, GRU or RNN, which computes the product itself; else it is a Scan over its steps. The
former are of float32 alone, as those of ONNX Runtime are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from emberjit import dtype as dtypes
from emberjit import mint
from emberjit.onnx.from_ops import RULES
from emberjit.onnx.writer import Builder

if TYPE_CHECKING:
    from emberjit.onnx.graph_writer import Sizes, Writer

_STATES = {"LSTMLayer": 2, "GRULayer": 1, "RNNTanhLayer": 1, "RNNReluLayer": 1}
_WHOLE = "Whole"  # begins the name of a layer that computes its gates' inputs
_Node = dict[str, Any]


def with_whole_layers(graph: _Node, sizes: Sizes) -> list[_Node]:
    """The nodes of a graph as describe() has it, with layers that ONNX has in place of what these compute."""
    uses, layers = _Graph(graph, sizes), dict(enumerate(graph["nodes"]))
    unread: list[int] = []  # perhaps; what reads others comes before these
    for at, node in enumerate(graph["nodes"]):
        if node.get("op") not in _STATES or (product := uses.product(node["inputs"][0])) is None:
            continue
        if (last := uses.last_cells(node)) is None:
            continue
        _, weight, *first = node["inputs"][: 2 + _STATES[node["op"]]]
        (bias,) = node["inputs"][len(first) + 2 : len(first) + 3] or [None]
        layers[at] = {
            **node,
            "op": _WHOLE + node["op"],
            "inputs": [*product[0], weight, bias, *first],
            "outputs": [node["outputs"][0], *(layers.pop(cell)["outputs"][0] for cell in last)],
        }
        unread += product[1]
    readers = Counter([*graph["results"], *(value for node in layers.values() for value in node["inputs"])])
    for at in unread:
        if at in layers and not any(readers[value] for value in layers[at]["outputs"]):
            readers.subtract(layers.pop(at)["inputs"])
    return list(layers.values())


class _Graph:
    """What makes and what reads the values of a graph; nodes are their places in it."""

    def __init__(self, graph: _Node, sizes: Sizes):
        self.nodes, self.types, self.sizes = graph["nodes"], graph["types"], sizes
        self._producers = {value: at for at, node in enumerate(self.nodes) for value in node["outputs"]}
        self._readers: dict[Any, list[int]] = {value: [-1] for value in graph["results"]}
        for at, node in enumerate(self.nodes):
            for value in node["inputs"]:
                self._readers.setdefault(value, []).append(at)

    def _producer(self, value: int, op: str) -> _Node | None:
        """The node that makes a value, if it is of this op."""
        node: _Node = self.nodes[self._producers[value]] if value in self._producers else {}
        return node if node.get("op") == op else None

    def product(self, value: int) -> tuple[list[int | None], list[int]] | None:
        """Of a value x @ weight.T + bias, or without a bias: the three, and the nodes that make it, the last one first."""
        bias, between = None, [value]
        if (addition := self._producer(value, "Add")) is not None:
            value, bias = addition["inputs"]
            between.append(value)
        if (factors := self._producer(value, "MatMulExt")) is None:
            return None
        x, right = factors["inputs"]
        if (swap := self._producer(right, "Transpose")) is None or [axis % 2 for axis in swap["attrs"]["dims"]] != [1, 0]:
            return None
        (weight,) = swap["inputs"]
        if any(self.types[operand][1] != dtypes.float32 for operand in (x, weight)) or len(self.types[x][2]) != 3:
            return None
        if bias is not None and self.types[bias][1:] != (dtypes.float32, self.types[weight][2][:1]):
            return None
        return [x, weight, bias], [self._producers[operand] for operand in (*between, right)]

    def last_cells(self, layer: _Node) -> list[int] | None:
        """The node that takes the cells after the last step, if one does; None for a layer of which more is read than ONNX's
        gives, or that has lengths."""
        count, outputs = _STATES[layer["op"]], layer["outputs"]
        if any(value is not None for value in layer["inputs"][3 + count :]) or any(map(self._readers.get, outputs[count:])):
            return None
        readers = [at for value in outputs[1:count] for at in self._readers.get(value, [])]
        return readers if all(self._takes_last(at, layer) for at in readers) and len(readers) < 2 else None

    def _takes_last(self, at: int, layer: _Node) -> bool:
        node, (length, *row) = self.nodes[at], self.types[layer["outputs"][0]][2]
        if at < 0 or node.get("op") != "StridedSlice" or any(step != 1 for step in node["attrs"]["strides"]):
            return False
        if list(self.types[node["outputs"][0]][2]) != [1, *row]:
            return False
        begin = node["attrs"]["begin"][0]
        if layer["attrs"]["reverse"]:
            return bool(self.sizes.number(begin) == 0)
        if (steps := self.sizes.number(length)) is not None:
            return bool(self.sizes.number(begin) == steps - 1)
        op, a, b, _ = ("", 0, 0, 0) if isinstance(begin, int) else self.sizes.exprs[begin[1]]
        return bool(op == "sub" and length == ("expr", a) and self.sizes.number(("expr", b)) == 1)


def _enter_whole(layer: str, target: str, gates: tuple[int, ...], **attributes: Any) -> None:
    """gates: in the order of ONNX, their places in the op table's."""

    def rule(
        w: Writer, x: str, weight: str, bias: str, of_states: str, state_bias: str, *first: str, reverse: bool
    ) -> list[str]:
        b, (wide, units) = w.b, w.fixed(w.sizes(3))

        def ordered(value: str) -> str:
            value = value or b.constant(mint.zeros((wide,), dtype=dtypes.float32))
            if len(gates) == 1:
                return value
            parts = b.results(len(gates), "Split", value, axis=0, num_outputs=len(gates))
            return b("Concat", *(parts[gate] for gate in gates), axis=0)

        def outer(value: str) -> str:
            return b("Unsqueeze", value, b.ints([0]))

        biases = ""
        if bias or state_bias:
            biases = outer(b("Concat", ordered(bias), ordered(state_bias), axis=0))
        rows, *last = b.results(
            1 + len(first),
            target,
            x,
            *map(outer, map(ordered, (weight, of_states))),
            biases,
            "",
            *map(outer, first),
            hidden_size=units,
            direction="reverse" if reverse else "forward",
            **attributes,
        )
        return [b("Squeeze", rows, b.ints([1])), *last[1:]]

    RULES[_WHOLE + layer] = rule


_enter_whole("LSTMLayer", "LSTM", (0, 3, 1, 2))
_enter_whole("GRULayer", "GRU", (1, 0, 2), linear_before_reset=1)
_enter_whole("RNNTanhLayer", "RNN", (0,))
_enter_whole("RNNReluLayer", "RNN", (0,), activations=("Relu",))


def _lstm(b: Builder, x: str, weight: str, bias: str, h: str, c: str) -> list[str]:
    into, keep, new, out = b.results(4, "Split", _gates(b, x, weight, bias, h), axis=1, num_outputs=4)
    c = b("Add", b("Mul", b("Sigmoid", keep), c), b("Mul", b("Sigmoid", into), b("Tanh", new)))
    return [b("Mul", b("Sigmoid", out), b("Tanh", c)), c]


def _gru(b: Builder, x: str, weight: str, bias: str, h: str) -> list[str]:
    of_x = b.results(3, "Split", x, axis=1, num_outputs=3)
    of_h = b.results(3, "Split", _gates(b, "", weight, bias, h), axis=1, num_outputs=3)
    reset, update = (b("Sigmoid", b("Add", *pair)) for pair in zip(of_x[:2], of_h[:2]))
    new = b("Tanh", b("Add", of_x[2], b("Mul", reset, of_h[2])))
    return [b("Add", new, b("Mul", update, b("Sub", h, new)))]


def _gates(b: Builder, x: str, weight: str, bias: str, h: str) -> str:
    gates = b("MatMul", h, b("Transpose", weight, perm=[1, 0]))
    for more in filter(None, (x, bias)):
        gates = b("Add", gates, more)
    return str(gates)


def _enter_scan(name: str, states: int, step: Callable[..., list[str]]) -> None:
    def layer(w: Writer, x: str, weight: str, *rest: str, reverse: bool) -> list[str]:
        bias, lengths = ([*rest[states:], "", ""])[:2]
        if lengths or w.is_read(states):
            raise NotImplementedError("it has lengths, or keeps what its gradient needs")
        body = w.inner()
        state, row = [body.name() for _ in range(states)], body.name()
        results = step(body, row, weight, bias, *state)
        graph = w.body(body, [*zip(state, range(2, 2 + states)), (row, 0)], [*results, *results])
        outputs = w.b.results(
            2 * states,
            "Scan",
            *rest[:states],
            x,
            body=graph,
            num_scan_inputs=1,
            scan_input_directions=[int(reverse)],
            scan_output_directions=[int(reverse)] * states,
        )
        return [*outputs[states:], ""]

    RULES[name] = layer


_enter_scan("LSTMLayer", 2, _lstm)
_enter_scan("GRULayer", 1, _gru)
for _name, _target in {"RNNTanhLayer": "Tanh", "RNNReluLayer": "Relu"}.items():
    _enter_scan(_name, 1, lambda b, *x, _target=_target: [b(_target, _gates(b, *x))])
