"""A captured graph, as describe() has it (python/src/capture/describe.cpp), written node by node into a graph of ONNX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from emberjit import dtype as dtypes
from emberjit._emberjit import Tensor
from emberjit.onnx import writer
from emberjit.onnx.from_ops import RULES
from emberjit.onnx.from_recurrent import with_whole_layers
from emberjit.onnx.from_verbs import write_expression
from emberjit.onnx.values import NUMBERS
from emberjit.onnx.writer import Builder

TENSOR, REF, BOOL, INT, FLOAT, TOKEN = range(6)  # ops::Kind
_SCALARS = {BOOL: dtypes.bool_, INT: dtypes.int64, FLOAT: dtypes.float64}
_ARITHMETIC = {"add": "Add", "sub": "Sub", "mul": "Mul", "mod": "Mod", "min": "Min", "max": "Max", "neg": "Neg"}


class Sizes:
    """Numbers that follow from sizes of the inputs.

    Args:
        exprs: of the module.
        dynamic: by a symbol's number, the input and axis whose size it is, and what it is called, of those that may
            change; all others are the example's.
    """

    def __init__(self, exprs: list[Any], dynamic: dict[int, tuple[str, int, str]]):
        self.exprs, self.dynamic = exprs, dynamic
        self._fixed: dict[int, bool] = {}

    def number(self, dim: Any) -> int | None:
        """A dim's number; None if it may change."""
        if isinstance(dim, int):
            return dim
        return int(self.exprs[dim[1]][3]) if self._is_fixed(dim[1]) else None

    def _is_fixed(self, at: int) -> bool:
        if at not in self._fixed:
            op, a, b, _ = self.exprs[at]
            if op == "symbol":
                self._fixed[at] = a not in self.dynamic
            else:
                self._fixed[at] = op == "const" or (self._is_fixed(a) and self._is_fixed(b))
        return self._fixed[at]

    def name(self, dim: Any) -> int | str:
        """A dim as a file says it: its number, or what it is called."""
        number = self.number(dim)
        if number is not None:
            return number
        op, a, _, _ = self.exprs[dim[1]]
        return self.dynamic[a][2] if op == "symbol" else f"size{dim[1]}"


class Writer:
    """Writes graphs of a module.

    Args:
        b: what they are written into.
        module: what describe() gave.
        sizes: its sizes.
    """

    def __init__(self, b: Builder, module: dict[str, Any], sizes: Sizes):
        self.b, self.module, self.all_sizes = b, module, sizes
        self.op = ""
        self._rows: dict[int, str] = {}
        self._graph: dict[str, Any] = {}
        self._node: dict[str, Any] = {}
        self._read: set[int] = set()

    def write(self, graph: dict[str, Any], operands: Sequence[Any]) -> list[Any]:
        """Writes a graph's nodes, given the names of its inputs (or numbers); returns those of its results but for tokens.

        Raises:
            NotImplementedError: a node has no counterpart.
        """
        before = self._graph, self._read
        self._graph, nodes = graph, with_whole_layers(graph, self.all_sizes)
        self._read = {value for node in nodes for value in node["inputs"]} | set(graph["results"])
        names = dict(zip((value for _, value in graph["params"]), operands))
        for node in nodes:
            self._node = node
            results = self._write_node(node, names)
            names.update(zip(node["outputs"], results if isinstance(results, list) else [results]))
        results = [names[value] for value in graph["results"] if graph["types"][value][0] != TOKEN]
        self._graph, self._read = before
        return results

    def _write_node(self, node: dict[str, Any], names: dict[int, Any]) -> Any:
        operands = [None if value is None else names[value] for value in node["inputs"]]
        match node["kind"]:
            case "State" | "UpdateState":
                return None
            case "Load" | "Depend" | "TensorMove":
                return operands[0]
            case "Constant":
                return self.b.constant(node["value"])
            case "Scalar":
                return node["value"]
            case "Size":
                number = self.all_sizes.number(node["value"])
                return self.b("Reshape", self.row([node["value"]]), self.b.ints([])) if number is None else number
            case "Item":
                x = self.b("Reshape", str(operands[0]), self.b.ints([]))
                return self.b("Cast", x, to=NUMBERS[_SCALARS[self._type(0)[0]]])
            case "ToTensor":
                return tensor_of(self.b, operands[0], self.result_dtype(0))
            case "Call":
                return self._with_tokens(self._in(self.b).write(self._inner(0), operands))
            case "If":
                return self._with_tokens(self._branch(operands))
            case "While":
                return self._with_tokens(self._loop(operands))
            case "Apply":
                return self._write_op(node, operands)
        raise NotImplementedError(f"'{node['kind']}' has no counterpart in ONNX")

    def _write_op(self, node: dict[str, Any], operands: list[Any]) -> Any:
        self.op = node["op"]
        try:
            if "verbs" in node and not self._is_plain():
                try:
                    return write_expression(self.b, node["verbs"], node["returns"], operands)
                except NotImplementedError:
                    if self.op not in RULES:
                        raise
                operands = [tensor_of(self.b, x, self.result_dtype(0)) for x in operands]
            if self.op not in RULES:
                raise NotImplementedError("it has no counterpart")
            operands = ["" if x is None else tensor_of(self.b, x) for x in operands]
            return RULES[self.op](self, *operands, **node["attrs"])
        except NotImplementedError as error:
            raise NotImplementedError(f"For 'onnx.export', the op '{self.op}' cannot be written: {error}.") from None

    def _is_plain(self) -> bool:
        """Whether an elementwise op is one of ONNX's: on Tensors of the dtype that it gives."""
        types = [self._graph["types"][value] for value in self._node["inputs"] if value is not None]
        return self.op in RULES and all(kind <= REF and dtype == self.result_dtype(0) for kind, dtype, _ in types)

    def _in(self, b: Builder) -> Writer:
        """What writes other graphs of the module."""
        return Writer(b, self.module, self.all_sizes)

    def _inner(self, i: int) -> dict[str, Any]:
        graph: dict[str, Any] = self.module["graphs"][self._node["graphs"][i]]
        return graph

    def _with_tokens(self, results: list[Any]) -> list[Any]:
        """The results of a node, None for tokens."""
        rest = iter(results)
        return [None if self._graph["types"][value][0] == TOKEN else next(rest) for value in self._node["outputs"]]

    def _branch(self, operands: list[Any]) -> list[Any]:
        branches = {}
        for name, i in (("then_branch", 0), ("else_branch", 1)):
            graph, inner = self._inner(i), Builder(self.b)
            results = self._in(inner).write(graph, operands[1:])
            branches[name] = _graph_of(inner, name, [], results, _results(graph), self.all_sizes)
        count = sum(self._graph["types"][value][0] != TOKEN for value in self._node["outputs"])
        return self.b.results(count, "If", tensor_of(self.b, operands[0]), **branches)

    def _loop(self, initial: list[Any]) -> list[Any]:
        condition, body = self._inner(0), self._inner(1)
        types = [body["types"][value] for _, value in body["params"]]
        carried = [i for i in range(self._node["carried"]) if types[i][0] != TOKEN]
        inner = Builder(self.b)
        count, going = inner.name(), inner.name()
        operands = list(initial)
        for i in carried:
            operands[i] = inner.name()
        inputs = [writer.value_info(count, dtypes.int64, ()), writer.value_info(going, dtypes.bool_, ())]
        inputs += [info(operands[i], types[i], self.all_sizes) for i in carried]
        state = self._in(inner).write(body, operands)
        after = list(operands)
        for i, value in zip(carried, state):
            after[i] = value
        (goes_on,) = self._in(inner).write(condition, after)
        results = [(BOOL, dtypes.bool_, None), *(types[i] for i in carried)]
        graph = _graph_of(inner, "body", inputs, [goes_on, *state], results, self.all_sizes)
        (begins,) = self._in(self.b).write(condition, initial)
        first = [tensor_of(self.b, initial[i]) for i in carried]
        return self.b.results(len(carried), "Loop", "", tensor_of(self.b, begins), *first, body=graph)

    # What rules ask of the node that is being written.

    def _type(self, i: int) -> Any:
        return self._graph["types"][self._node["outputs"][i]]

    def _input(self, i: int) -> Any:
        return self._graph["types"][self._node["inputs"][i]]

    def rank(self, i: int) -> int:
        """The rank of operand i."""
        return len(self._input(i)[2])

    def sizes(self, i: int) -> list[Any]:
        """The sizes of operand i."""
        return list(self._input(i)[2])

    def dtype(self, i: int) -> Any:
        """The dtype of operand i."""
        return self._input(i)[1]

    def result(self, i: int) -> list[Any]:
        """The sizes of result i."""
        return list(self._type(i)[2])

    def result_dtype(self, i: int) -> Any:
        """The dtype of result i."""
        return self._type(i)[1]

    def is_read(self, i: int) -> bool:
        """Whether something reads result i."""
        outputs = self._node["outputs"]
        return i < len(outputs) and outputs[i] in self._read

    def inner(self) -> Builder:
        """A graph within this one."""
        return Builder(self.b)

    def body(self, b: Builder, inputs: list[tuple[str, int]], results: list[str]) -> bytes:
        """The bytes of the body of a Scan: its inputs, each of the type of an operand (of one step, if that is the first),
        and its results, of the type of the first state."""
        kinds = [(name, self._input(i), 0 if i else 1) for name, i in inputs]
        infos = [info(name, (*type[:2], type[2][skipped:]), self.all_sizes) for name, type, skipped in kinds]
        types = [self._input(inputs[0][1])] * len(results)
        return _graph_of(b, "body", infos, list(results), types, self.all_sizes)

    def cast(self, x: str, i: int) -> str:
        """Operand i in the dtype of the result."""
        return x if self.dtype(i) == self.result_dtype(0) else self.b("Cast", x, to=NUMBERS[self.result_dtype(0)])

    def truth(self, x: str) -> str:
        """Operand 0 as bools."""
        return x if self.dtype(0) == dtypes.bool_ else self.b("Cast", x, to=NUMBERS[dtypes.bool_])

    def fixed(self, values: Iterable[Any]) -> list[int]:
        """Numbers that must not depend on sizes that change.

        Raises:
            NotImplementedError: one does.
        """
        numbers = [self.all_sizes.number(value) for value in values]
        if None in numbers:
            raise NotImplementedError("a number of it depends on a size that is said to change")
        return [n for n in numbers if n is not None]

    def row(self, values: Sequence[Any]) -> str:
        """The name of a row of int64."""
        numbers = [self.all_sizes.number(value) for value in values]
        if None not in numbers:
            return self.b.ints(n for n in numbers if n is not None)
        parts = [self._computed(value[1]) if n is None else self.b.ints([n]) for n, value in zip(numbers, values)]
        return parts[0] if len(parts) == 1 else self.b("Concat", *parts, axis=0)

    def _computed(self, at: int) -> str:
        """The name of a row of one number that depends on sizes."""
        if at not in self._rows:
            op, a, b, _ = self.all_sizes.exprs[at]
            if op == "symbol":
                name, axis, _ = self.all_sizes.dynamic[a]
                self._rows[at] = self.b("Shape", name, start=axis, end=axis + 1)
            elif op in _ARITHMETIC or op == "div":
                operands = [self.row([("expr", operand)]) for operand in ((a,) if op == "neg" else (a, b))]
                if op == "div":
                    operands[0] = self.b("Sub", operands[0], self.b("Mod", *operands))
                self._rows[at] = self.b(_ARITHMETIC.get(op, "Div"), *operands)
            else:
                raise NotImplementedError(f"a size of it is computed by '{op}'")
        return self._rows[at]


def tensor_of(b: Builder, x: Any, dtype: Any = None) -> str:
    """A value, a name or a number of Python's, as a tensor of a dtype; None: its own."""
    if isinstance(x, str):
        return x if dtype is None else b("Cast", x, to=NUMBERS[dtype])
    kind = dtypes.bool_ if isinstance(x, bool) else dtypes.int64 if isinstance(x, int) else dtypes.float64
    return b.constant(Tensor(x, kind if dtype is None else dtype))


def _results(graph: dict[str, Any]) -> list[Any]:
    return [graph["types"][value] for value in graph["results"] if graph["types"][value][0] != TOKEN]


def info(name: str, type: Any, sizes: Sizes) -> bytes:
    """The ValueInfoProto of a value of a graph."""
    kind, dtype, shape = type
    return writer.value_info(name, _SCALARS.get(kind, dtype), [sizes.name(dim) for dim in shape or ()])


def _graph_of(b: Builder, name: str, inputs: list[bytes], values: list[Any], types: list[Any], sizes: Sizes) -> bytes:
    """The bytes of an inner graph, whose results are nodes of its own."""
    outputs = [b("Identity", tensor_of(b, value)) for value in values]
    return b.graph(name, inputs, [info(output, type, sizes) for output, type in zip(outputs, types)])
