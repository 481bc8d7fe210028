"""A graph of ATen ops as one jitted function. Nodes that have no rule stay in PyTorch: a graph with such is divided, and
its parts are jitted one by one."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

import torch
from torch import fx
from torch.fx.node import map_aggregate
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

import emberjit as ms
from emberjit.capture.jit.transform import DIRECT, compiled
from emberjit.torch_backend import attention, elementwise, gradients, openmp, products, reductions, shapes  # noqa: F401
from emberjit.torch_backend.dropout import is_random, keep_order
from emberjit.torch_backend.exchange import DTYPES, Apart, is_known, to_emberjit, to_torch
from emberjit.torch_backend.numbers import FUNCTIONS, SIZES
from emberjit.torch_backend.table import RULES, Expected

_VIEWS = {
    *("aten.view.default", "aten.permute.default", "aten.transpose.int", "aten.t.default", "aten.expand.default"),
    *("aten.unsqueeze.default", "aten.squeeze.dim", "aten.squeeze.dims", "aten.squeeze.default", "aten.slice.Tensor"),
    *("aten.select.int", "aten.alias.default", "aten.detach.default"),
}
_PARTS = {"aten.split.Tensor", "aten.split_with_sizes.default", "aten.unbind.int"}
_MAY_SHARE = {
    *(*_VIEWS, *_PARTS, "aten._unsafe_view.default", "aten.reshape.default", "aten.clone.default", "aten._to_copy.default"),
    *("aten.cat.default", "aten.lift_fresh_copy.default", "aten.copy.default", "aten.slice_scatter.default"),
}


_LAST = {"aten.cat.default", "aten.copy.default", "aten.slice_scatter.default"}  # which may give the last operand


def _value_of(node: Any) -> Any:
    return node.meta.get("val") if isinstance(node, fx.Node) else node


def _tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in _tensors(item)]
    return [value] if isinstance(value, torch.Tensor) else []


def _name_of(node: fx.Node) -> str:
    return node.target.__name__ if isinstance(node.target, types.FunctionType) else str(node.target)


def why_not(node: fx.Node) -> str | None:
    """Why a node stays in PyTorch; None if it need not."""
    if node.op != "call_function":
        return None if node.op in ("placeholder", "output", "get_attr") else node.op
    name = _name_of(node)
    if node.target is operator.getitem:
        return why_not(node.args[0]) if isinstance(node.args[0], fx.Node) else name
    if not (name in RULES or name in SIZES or node.target in FUNCTIONS):
        return name
    values = [_value_of(item) for item in (node, *node.all_input_nodes)]
    for tensor in _tensors(values):
        if not is_known(tensor):
            return f"{name} on {tensor.device.type} in {tensor.dtype}, {tensor.layout}"
    if (reason := _refused_numbers(name, node)) is not None:
        return reason
    if name.startswith("aten.index") and any(tensor.dtype in (torch.bool, torch.uint8) for tensor in _tensors(values[2:])):
        return None if _fills_by_a_mask(name, node) else f"{name} by a mask"
    if name.startswith("aten.as_strided") and not _lies_within(node):
        return f"{name} of memory that is not a tensor's own"
    return None


def _fills_by_a_mask(name: str, node: fx.Node) -> bool:
    """Whether elements that a mask names are given one value."""
    if "index_put" not in name or len(node.args[1]) != 1:
        return False
    count = _value_of(node.args[2]).numel()
    return type(count) is int and count == 1


def _lies_within(node: fx.Node) -> bool:
    """Whether as_strided, or as_strided_scatter, chooses among all elements of a tensor, by numbers."""
    base = _value_of(node.args[0])
    size, stride, *offset = node.args[2 if "scatter" in _name_of(node) else 1 :]
    if not all(type(n) is int for n in (*size, *stride, *offset)) or base.storage_offset() or _order_of(base) is None:
        return False
    last = sum((n - 1) * step for n, step in zip(size, stride)) + (offset[0] if offset else 0)
    return 0 in size or last < base.numel()


def _order_of(value: torch.Tensor) -> tuple[int, ...] | None:
    """The axes, those with the largest strides first, if sizes and strides are numbers and memory is dense."""
    if not all(type(n) is int for n in (*value.shape, *value.stride())):
        return None
    order = sorted(range(value.ndim), key=lambda axis: (-value.stride(axis), value.shape[axis] == 1))
    dense = _dense(tuple(value.shape), order)
    same = all(n < 2 or a == b for n, a, b in zip(value.shape, value.stride(), dense))
    return tuple(order) if same else None


_DIVISIONS = ("aten.div.Tensor_mode", "aten.div.Scalar_mode", "aten.floor_divide", "aten.remainder", "aten.fmod", "aten.pow")
_BOUNDED = ("aten.clamp", "aten.full")


def _refused_numbers(name: str, node: fx.Node) -> str | None:
    """Of integers, what PyTorch refuses for its values: division by zero, negative powers, and numbers out of range."""
    tensors = _tensors(_value_of(node))
    if not tensors or tensors[0].is_floating_point() or tensors[0].dtype is torch.bool:
        return None
    numbers = [number for number in node.args[1:] if isinstance(number, (int, float))]
    if name.startswith(_DIVISIONS) and (not numbers or isinstance(node.args[0], (int, float)) or numbers[0] <= 0):
        return f"{name} of integers, which may be refused"
    limits = torch.iinfo(tensors[0].dtype)
    if name.startswith(_BOUNDED) and not all(limits.min <= number <= limits.max for number in numbers):
        return f"{name} by a number out of range"
    return None


_NUMBERS = (bool, int, float, torch.SymInt, torch.SymFloat)


def _number(value: Any) -> Any:
    """A concrete number of the kind of a symbolic one."""
    return 1 if isinstance(value, torch.SymInt) else 1.0 if isinstance(value, torch.SymFloat) else value


def _expected(node: fx.Node) -> Expected:
    tensors = _tensors(_value_of(node))
    operands = [_number(value) for value in map(_value_of, node.args[:2]) if isinstance(value, (torch.Tensor, *_NUMBERS))]
    common = torch.result_type(*operands) if len(operands) == 2 and _tensors(operands) else None
    fixed = tensors and all(type(n) is int for n in tensors[0].shape)
    return Expected(
        DTYPES.get(tensors[0].dtype) if tensors else None,
        DTYPES.get(common),
        tuple(tensors[0].shape) if fixed else None,
        _order_of(first) if isinstance(first := _value_of(node.args[0]) if node.args else None, torch.Tensor) else None,
    )


def _rule_of(node: fx.Node) -> Callable[..., Any]:
    name = str(node.target)
    if node.target is operator.getitem:
        item: Callable[..., Any] = operator.getitem
        return item
    if name in SIZES or node.target in FUNCTIONS:
        rule: Callable[..., Any] = SIZES[name] if name in SIZES else FUNCTIONS[node.target]
        return rule
    rule, expected, meta = RULES[name], _expected(node), _value_of(node)
    return lambda *args, **kwargs: _of_dtypes(rule(expected, *args, **kwargs), meta)


def _of_dtypes(value: Any, expected: Any) -> Any:
    """What a rule has made, in the dtypes that PyTorch expects."""
    if isinstance(value, (tuple, list)):
        return [_of_dtypes(*pair) for pair in zip(value, expected)]
    if not isinstance(value, ms.Tensor) or not isinstance(expected, torch.Tensor):
        return value
    dtype = DTYPES[expected.dtype]
    return value if value.dtype == dtype else value.astype(dtype)


def _sharing(results: list[fx.Node]) -> set[fx.Node]:
    """Results that may have memory of an earlier one: PyTorch's graphs do not say that they do, and a jitted function keeps
    what it returns apart or together as Python would."""
    roots: set[fx.Node] = set()
    shared = set()
    for node in results:
        root = node
        while str(root.target) in _MAY_SHARE or (root.target is operator.getitem and str(root.args[0].target) in _PARTS):
            root = root.all_input_nodes[-1 if str(root.target) in _LAST else 0]
        if root in roots:
            shared.add(node)
        roots.add(root)
    return shared


def _function(module: fx.GraphModule, inputs: list[fx.Node], results: list[fx.Node]) -> Callable[..., Any]:
    """The graph as a function of emberjit's Tensors and numbers."""
    nodes = module.graph.nodes
    constants = {node: to_emberjit(getattr(module, node.target)) for node in nodes if node.op == "get_attr"}
    copied = _sharing(results)
    steps = [(node, _rule_of(node), node.args, node.kwargs) for node in nodes if node.op == "call_function"]

    def graph(*operands: Any) -> tuple[Any, ...]:
        values: dict[Any, Any] = {**dict(zip(inputs, operands)), **constants}
        lookup = lambda part: values[part] if isinstance(part, fx.Node) else part
        for node, rule, args, kwargs in steps:
            values[node] = rule(*map_aggregate(args, lookup), **map_aggregate(kwargs, lookup))
        outputs = [values[node] for node in results]
        return tuple(x.copy() if node in copied else x for x, node in zip(outputs, results))

    return graph


def _layout_of(value: torch.Tensor) -> Callable[[Any], Any] | None:
    """The strides that PyTorch expects, by the shape; None if they depend on more than the order of the axes."""
    if all(type(n) is int for n in (*value.shape, *value.stride())):
        strides = tuple(value.stride())
        return lambda shape: strides
    sizes, strides = (tuple(map(_hint, dims)) for dims in (value.shape, value.stride()))
    if None in strides:
        return None
    order = sorted(range(value.ndim), key=lambda axis: (-strides[axis], axis))
    same = all(n in (0, 1) or a == b for n, a, b in zip(sizes, strides, _dense(sizes, order)))
    return (lambda shape: _dense(shape, order)) if same else None


def _hint(n: Any) -> Any:
    return n if isinstance(n, int) else n.node.hint


def _dense(shape: Any, order: list[int]) -> tuple[int, ...]:
    strides, step = [0] * len(shape), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= max(1, shape[axis])
    return tuple(strides)


def _is_view(node: fx.Node) -> bool:
    """Whether a node is a view of a tensor whose other operands are numbers and sizes."""
    if node.target is operator.getitem:
        return str(node.args[0].target) in _PARTS
    sizes = node.all_input_nodes[1:]
    return str(node.target) in _VIEWS | _PARTS and not any(_tensors(_value_of(size)) for size in sizes)


class _Output:
    """How a result of a graph is made for PyTorch: of an input, or of a result of the jitted function, by views of
    PyTorch's, which share its memory."""

    def __init__(self, node: fx.Node, exact: bool):
        value = _value_of(node)
        self.views: list[fx.Node] = []
        while _is_view(node):
            self.views.insert(0, node)
            node = node.all_input_nodes[0]
        computed = exact and node.op != "placeholder" and isinstance(value, torch.Tensor)
        self.layout = _layout_of(value) if computed else None
        self.needs = [node, *(size for view in self.views for size in view.all_input_nodes[1:])]

    def __call__(self, values: dict[fx.Node, Any]) -> Any:
        result = values[self.needs[0]]
        for view in self.views:
            shape = torch.reshape if view.target is torch.ops.aten.view.default else view.target
            result = shape(result, *map_aggregate(view.args[1:], lambda part: values.get(part, part)), **view.kwargs)
        return result if self.layout is None else _with_strides(result, self.layout(result.shape))


class Part(torch.nn.Module):
    """A graph of nodes that all have rules.

    Args:
        module: the graph.
        exact: the number of results, from the first on, whose strides PyTorch counts on; None: all.
    """

    def __init__(self, module: fx.GraphModule, exact: int | None = None):
        super().__init__()
        nodes = list(module.graph.nodes)
        (output,) = nodes[-1].args
        self._single = not isinstance(output, (tuple, list))
        self._inputs = [node for node in nodes if node.op == "placeholder"]
        self._outputs = [
            _Output(leaf, exact is None or i < exact) if isinstance(leaf, fx.Node) else leaf
            for i, leaf in enumerate([output] if self._single else output)
        ]
        bases = dict.fromkeys(node for leaf in self._outputs if isinstance(leaf, _Output) for node in leaf.needs)
        self._results = [node for node in bases if node.op != "placeholder"]
        self._known: list[Any] = [None] * len(self._inputs)
        self._module = module
        strided = {node.args[0] for node in nodes if str(node.target).startswith("aten.as_strided")}
        self._by_place = [i for i, node in enumerate(self._inputs) if node in strided]
        self.jitted = compiled(_function(module, self._inputs, self._results), DIRECT)

    def forward(self, *inputs: Any) -> Any:
        """Runs the graph on tensors of PyTorch's; in PyTorch where as_strided would read what is not an input's own."""
        if any(inputs[i].storage_offset() for i in self._by_place):
            return self._module(*inputs)
        operands = [self._operand(i, x) if isinstance(x, torch.Tensor) else x for i, x in enumerate(inputs)]
        values = dict(zip(self._inputs, inputs))
        apart = Apart(inputs)
        openmp.let_go()
        values.update((node, _restored(x, apart)) for node, x in zip(self._results, self.jitted(*operands)))
        results = [output(values) if isinstance(output, _Output) else output for output in self._outputs]
        return results[0] if self._single else tuple(results)

    def _operand(self, i: int, x: torch.Tensor) -> Any:
        """An input as a Tensor of emberjit's; that of a Parameter is cached."""
        if not isinstance(x, torch.nn.Parameter) or x.is_neg():
            return to_emberjit(x)
        place = (x.data_ptr(), x.shape, x.stride(), x.dtype)
        known = self._known[i]
        if known is None or known[0] != place:
            known = self._known[i] = (place, to_emberjit(x))
        return known[1]


def _restored(value: Any, apart: Apart) -> Any:
    if isinstance(value, (tuple, list)):
        return tuple(_restored(item, apart) for item in value)
    return apart(to_torch(value)) if isinstance(value, ms.Tensor) else value


def _with_strides(x: torch.Tensor, strides: tuple[int, ...]) -> torch.Tensor:
    """The tensor, or a copy that has the strides that PyTorch expects, where they matter."""
    if all(n < 2 or a == b for n, a, b in zip(x.shape, x.stride(), strides)):
        return x
    return torch.empty_strided(x.shape, strides, dtype=x.dtype).copy_(x)


class _Support(OperatorSupportBase):
    def is_node_supported(self, submodules: Any, node: fx.Node) -> bool:
        return node.op == "call_function" and why_not(node) is None


def divided(module: fx.GraphModule) -> fx.GraphModule:
    """The graph with its supported parts jitted, and PyTorch's ops between them."""
    keep_order([node for node in module.graph.nodes if is_random(node) and why_not(node) is not None])
    partitioner = CapabilityBasedPartitioner(module, _Support(), allows_single_node_partition=False)
    whole: fx.GraphModule = partitioner.partition_and_fuse()
    for node in whole.graph.nodes:
        if node.op == "call_module" and node.target.startswith("fused_"):
            setattr(whole, node.target, Part(getattr(whole, node.target)))
    whole.recompile()
    return whole
