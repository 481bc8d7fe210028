"""Products of quantised tensors as ops of their own (quantised.py), before nodes become steps, so that what weights alone
decide is computed when a file is loaded.

Files in QDQ form multiply what DequantizeLinear makes of 8-bit ints. Where a MatMul, Gemm or Conv has two such operands, the
left one of one scale, the right one of one or of one for each channel, the ints themselves are multiplied. Their sums are
exact and are scaled once: to float32, or straight to 8-bit ints where a QuantizeLinear alone reads the result. By ONNX's
definitions sums are rounded in float32 at every term. Results differ by these roundings, so a quantised one by one step at
most, where it lies that close to the middle of two.

A DequantizeLinear that may be read like that, a Transpose of it, and such a product wait until something else reads them;
what nothing reads is left out. What these read in turn does not wait, so that chains are short. All else stays as it is:
blocks, other types, weights of unknown rank, sums beyond int32."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit._emberjit import Tensor
from emberjit.onnx import messages, table, values
from emberjit.onnx.quantised import MOST_TERMS, OWN

_BYTES = {2: dtypes.uint8, 3: dtypes.int8}
_PRODUCTS = {"MatMul": "MatMul", "Gemm": "MatMul", "Conv": "Conv"}
_INTEGER = {"QLinearMatMul": "MatMul", "MatMulInteger": "MatMul", "QLinearConv": "Conv", "ConvInteger": "Conv"}
_LEAST_RANKS = {"MatMul": 2, "Conv": 3}  # of weights


@dataclasses.dataclass
class Entry:
    """A node of a graph, or of a function that it calls.

    Args:
        node: of the file, or made here.
        op: its domain and type.
        title: what errors call it.
        library: of the op sets that it is of.
    """

    node: messages.Node
    op: tuple[str, str]
    title: str
    library: Any


@dataclasses.dataclass
class _Ints:
    """8-bit ints by name that stand for numbers, and by which permutation of axes their product has them."""

    codes: str
    scale: str
    zero: str
    axis: int = 1
    order: tuple[int, ...] = ()

    def turned(self, order: tuple[int, ...]) -> _Ints:
        return dataclasses.replace(self, order=tuple(self.order[i] for i in order) if self.order else order)


@dataclasses.dataclass
class _Target:
    """What a product's results are quantised to: `name` by a scale and zero point."""

    name: str
    scale: str
    zero: str
    type: int = 2


@dataclasses.dataclass
class _Product:
    """A product of ints.

    Args:
        entry: the node that it stands for.
        kind: the op of the sums.
        x: the left operand, or the image.
        w: the right operand, or the weight.
        bias: name of the numbers that are added; "" if there are none.
        ints: name of the ints that they are in steps of both scales; "" if they are none.
    """

    entry: Entry
    kind: str
    x: _Ints
    w: _Ints
    bias: str = ""
    ints: str = ""


class _Facts:
    """What is known of a graph's values by now.

    Args:
        known: constants, which grow.
        types: the numbers of the types that inputs are declared to be of.
    """

    def __init__(self, known: dict[str, Any], types: dict[str, int]):
        self._known = known
        self._bytes = {name: _BYTES[type] for name, type in types.items() if type in _BYTES}
        self._single: set[str] = set()  # scales and zero points that are computed, and are no rows

    def note(self, entry: Entry) -> None:
        """Takes up what a node's results are."""
        outputs = entry.node.output
        if entry.op == ("", "DynamicQuantizeLinear"):
            self._bytes.update(dict.fromkeys((*outputs[:1], *outputs[2:3]), dtypes.uint8))
            self._single.update(outputs[1:3])
        elif entry.op == ("", "QuantizeLinear") and (to := self.quantised_to(entry)):
            self._bytes[outputs[0]] = _BYTES[to]

    def constant(self, name: str) -> Any:
        """A constant tensor; None if it is none."""
        value = self._known.get(name)
        return value if isinstance(value, (values.Known, Tensor)) else None

    def array(self, name: str) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = values.tensor(self.constant(name)).asnumpy()
        return array

    def sizes(self, name: str) -> tuple[Any, ...]:
        """The shape of a constant; that of a scalar if it is none."""
        value = self.constant(name)
        return () if value is None else values.sizes(value)

    def dtype(self, name: str) -> Any:
        value = self.constant(name)
        return self._bytes.get(name) if value is None else value.dtype

    def is_row(self, name: str, count: int) -> bool:
        """Whether a constant scale or zero point is of so many elements, and of an axis at most."""
        sizes = self.sizes(name)
        return self.constant(name) is not None and len(sizes) < 2 and math.prod(sizes) == count

    def is_none(self, zero: str) -> bool:
        return not zero or (self.constant(zero) is not None and not self.array(zero).any())

    def is_of_bytes(self, x: _Ints) -> bool:
        return self.dtype(x.zero or x.codes) in _BYTES.values()

    def is_float(self, scale: str) -> bool:
        return scale in self._single or self.dtype(scale) == dtypes.float32

    def is_of_one_scale(self, x: _Ints) -> bool:
        single = (name in self._single or self.is_row(name, 1) for name in filter(None, (x.scale, x.zero)))
        return all(single) and self.is_float(x.scale) and self.is_of_bytes(x)

    def is_right(self, w: _Ints, kind: str) -> bool:
        """Whether ints are a product's right operand or weight: of one scale, or of one for each channel of a constant."""
        if self.constant(w.codes) is None:
            return kind == "MatMul" and self.is_of_one_scale(w)
        sizes = self.sizes(w.codes)
        rank = len(sizes)
        order = w.order or tuple(range(rank))
        if rank < _LEAST_RANKS[kind] or sorted(order) != list(range(rank)):
            return False
        channel, summed = (order[0], order[1:]) if kind == "Conv" else (order[-1], order[-2:-1])
        if math.prod(sizes[i] for i in summed) > MOST_TERMS:
            return False
        if self.is_of_one_scale(w):
            return True
        rows = all(self.is_row(name, sizes[channel]) for name in filter(None, (w.scale, w.zero)))
        return rows and w.axis in (channel, channel - rank) and self.is_float(w.scale) and self.is_of_bytes(w)

    def is_in_steps(self, bias: _Ints, x: _Ints, w: _Ints) -> bool:
        """Whether a bias is a row of ints of 32 bits in steps of both scales."""
        if any(self.constant(name) is None for name in (bias.codes, bias.scale, x.scale, w.scale)):
            return False
        if self.dtype(bias.codes) != dtypes.int32 or self.dtype(bias.scale) != dtypes.float32 or bias.order:
            return False
        (own, steps), sizes = (self.array(bias.scale), self.array(x.scale) * self.array(w.scale)), self.sizes(bias.codes)
        fits = len(sizes) == 1 and own.ndim < 2 and own.size in (1, *sizes) and own.size == steps.size
        return fits and self.is_none(bias.zero) and bool((own.reshape(-1) == steps.reshape(-1)).all())

    def quantised_to(self, entry: Entry) -> int:
        """The number of the type of 8-bit ints that a QuantizeLinear rounds to; 0 if it does something else."""
        attributes = _attributes(entry, axis=1, block_size=0, output_dtype=0, precision=0, saturate=1)
        if attributes is None or attributes["precision"] not in (0, values.FLOAT):
            return 0
        zero = "".join(entry.node.input[2:3])
        to = values.NUMBERS.get(self.dtype(zero), 0) if zero else attributes["output_dtype"] or 2
        return to if to in _BYTES else 0


class Rewriter:
    """A graph's nodes in order.

    Args:
        entries: its nodes, those of functions in place of their calls.
        outputs: the names of its outputs.
        names: of values that are no node's results.
        known: constants by now, which grow while nodes are rewritten.
        types: the numbers of the types that inputs are declared to be of.

    Raises:
        ValueError: a name is made twice.
    """

    def __init__(
        self, entries: list[Entry], outputs: list[str], names: set[str], known: dict[str, Any], types: dict[str, int]
    ):
        self._entries, self._kept, self._facts = entries, outputs, _Facts(known, types)
        self._uses, self._names = Counter(outputs), set(names)
        for entry in entries:
            self._uses.update(_read(entry.node))
            for name in filter(None, entry.node.output):
                if name in self._names:
                    raise ValueError(f"ONNX {entry.title}: '{name}' is made twice")
                self._names.add(name)
        self._names.update(self._uses)
        self._ints: dict[str, _Ints] = {}
        self._waiting: dict[str, Entry | _Product] = {}

    def __iter__(self) -> Iterator[Entry]:
        for entry in self._entries:
            yield from self._rewritten(entry)
        for name in self._kept:
            yield from self._flush(name)

    def _rewritten(self, entry: Entry) -> Iterator[Entry]:
        outputs = entry.node.output
        if rewrite := self._integer(entry) or self._requantised(entry):
            yield from self._lowered(*rewrite)
        elif len(outputs) == 1 and outputs[0] and (pending := self._deferred(entry)):
            for name in entry.node.input:
                if entry.op[1] == "DequantizeLinear" or isinstance(self._waiting.get(name), _Product):
                    yield from self._flush(name)
            self._waiting[outputs[0]] = pending
        else:
            yield from self._with_what_it_reads(entry)
        self._facts.note(entry)

    def _with_what_it_reads(self, entry: Entry) -> Iterator[Entry]:
        for name in _read(entry.node):
            yield from self._flush(name)
        yield entry

    def _flush(self, name: str) -> Iterator[Entry]:
        """What makes a value, if that waits."""
        pending = self._waiting.pop(name, None)
        if isinstance(pending, _Product):
            yield from self._lowered(pending, None)
        elif pending is not None:
            yield from self._with_what_it_reads(pending)

    def _deferred(self, entry: Entry) -> Entry | _Product | None:
        """What may wait until its result is read: ints that stand for numbers, or a product of such."""
        name, inputs, (domain, op) = entry.node.output[0], entry.node.input, entry.op
        if domain:
            return None
        if op == "DequantizeLinear" and len(inputs) in (2, 3):
            attributes = _attributes(entry, axis=1, block_size=0, output_dtype=0)
            if attributes is None or attributes["output_dtype"] not in (0, values.FLOAT):
                return None
            self._ints[name] = _Ints(inputs[0], inputs[1], "".join(inputs[2:]), attributes["axis"])
            return entry
        if op == "Transpose" and len(inputs) == 1 and inputs[0] in self._ints and not self._ints[inputs[0]].order:
            attributes = _attributes(entry, perm=None)
            order = attributes and attributes["perm"]
            if not order or sorted(order) != list(range(len(order))):
                return None
            self._ints[name] = self._ints[inputs[0]].turned(order)
            return entry
        return self._product(entry) if op in _PRODUCTS and len(inputs) in (2, 3) else None

    def _product(self, entry: Entry) -> _Product | None:
        kind, op, (left, right, *more) = _PRODUCTS[entry.op[1]], entry.op[1], entry.node.input
        if left not in self._ints or right not in self._ints or (op == "MatMul" and (more or entry.node.attribute)):
            return None
        x, w, bias = self._ints[left], self._ints[right], "".join(more)
        if op == "Gemm":
            attributes = _attributes(entry, alpha=1.0, beta=1.0, transA=0, transB=0)
            if attributes is None or attributes["alpha"] != 1 or attributes["beta"] != 1:
                return None
            x, w = (x.turned((1, 0)) if attributes["transA"] else x), (w.turned((1, 0)) if attributes["transB"] else w)
        if not self._facts.is_of_one_scale(x) or not self._facts.is_right(w, kind):
            return None
        ints = self._ints.get(bias)
        if ints is not None and self._facts.is_in_steps(ints, x, w):
            return _Product(entry, kind, x, w, bias, ints.codes)
        return _Product(entry, kind, x, w, bias)

    def _requantised(self, entry: Entry) -> tuple[_Product, _Target] | None:
        """A product that waits, and what a node quantises it to that alone reads it."""
        inputs, facts = entry.node.input, self._facts
        if entry.op != ("", "QuantizeLinear") or len(inputs) not in (2, 3) or len(entry.node.output) != 1:
            return None
        pending, zero, to = self._waiting.get(inputs[0]), "".join(inputs[2:]), facts.quantised_to(entry)
        if not isinstance(pending, _Product) or self._uses[inputs[0]] > 1 or not to or not facts.is_float(inputs[1]):
            return None
        if not all(facts.is_row(name, 1) for name in filter(None, (inputs[1], zero))):
            return None
        del self._waiting[inputs[0]]
        return pending, _Target(entry.node.output[0], inputs[1], zero, to)

    def _integer(self, entry: Entry) -> tuple[_Product, _Target | None] | None:
        """A node of ONNX's products of ints whose weight is a constant, and what it quantises to."""
        domain, op = entry.op
        inputs, kind = entry.node.input, _INTEGER.get(op)
        if domain or kind is None or len(entry.node.output) != 1 or (kind == "MatMul" and entry.node.attribute):
            return None
        if op.startswith("QLinear"):
            if len(inputs) not in ((8, 9) if kind == "Conv" else (8,)) or "" in inputs[:8]:
                return None
            x, w = (_Ints(inputs[i], inputs[i + 1], inputs[i + 2]) for i in (0, 3))
            bias = "".join(inputs[8:])
            target = _Target(entry.node.output[0], inputs[6], inputs[7])
        elif len(inputs) in (2, 3, 4):
            x_zero, w_zero = (*inputs[2:], "", "")[:2]
            x, w, bias, target = _Ints(inputs[0], "", x_zero), _Ints(inputs[1], "", w_zero), "", None
        else:
            return None
        codes = self._facts.constant(w.codes)
        if codes is None or len(self._facts.sizes(w.codes)) < _LEAST_RANKS[kind] or not self._facts.is_of_bytes(w):
            return None
        return _Product(entry, kind, x, w, bias, bias), target

    def _lowered(self, product: _Product, target: _Target | None) -> Iterator[Entry]:
        for entry in self._parts(product, target):
            yield from self._with_what_it_reads(entry)

    def _parts(self, of: _Product, target: _Target | None) -> Iterator[Entry]:
        """The nodes that a product is made of."""
        is_conv, facts = of.kind == "Conv", self._facts
        x_zero, w_zero = ("" if facts.is_none(ints.zero) else ints.zero for ints in (of.x, of.w))
        operands = []
        for ints in (of.x, of.w):
            operands.append(self._fresh(of) if ints.order else ints.codes)
            if ints.order:
                yield _entry(of, "", "Transpose", [ints.codes], operands[-1], perm=ints.order)
        sums = self._fresh(of) if of.x.scale else of.entry.node.output[0]
        if facts.constant(of.w.codes) is None:
            yield _entry(of, OWN, "ExactMatMul", [*operands, x_zero, w_zero], sums)
        else:
            offset = self._fresh(of) if x_zero else ""
            if offset:
                yield _entry(of, OWN, "ConvOffset" if is_conv else "Offset", [operands[1], x_zero, w_zero], offset)
            places = of.entry.node.attribute if is_conv else []
            yield _entry(of, OWN, of.kind, [*operands, offset, w_zero, *([x_zero] if is_conv else [])], sums, places)
        if of.x.scale:
            yield from self._scaled(of, sums, target)

    def _scaled(self, of: _Product, sums: str, target: _Target | None) -> Iterator[Entry]:
        """The nodes that make results of sums."""
        trailing = len(self._facts.sizes(of.w.codes)) - 2 if of.kind == "Conv" else 0
        scale = [] if target is None else [target.scale]
        factor = self._fresh(of)
        yield _entry(of, OWN, "Factor", [of.x.scale, of.w.scale, *scale], factor, trailing=trailing)
        if target is None:
            yield _entry(of, OWN, "Scaled", [sums, factor, of.bias], of.entry.node.output[0], trailing=trailing)
            return
        added = ["", ""]
        if of.bias:
            added = [self._fresh(of), ""] if of.ints else ["", self._fresh(of)]
            inputs = [of.ints] if of.ints else [of.bias, *scale]
            yield _entry(of, OWN, "Bias", inputs, "".join(added), trailing=trailing)
        yield _entry(of, OWN, "Requantised", [sums, factor, target.zero, *added], target.name, to=target.type)

    def _fresh(self, of: _Product) -> str:
        """A name that nothing has."""
        stem = of.entry.node.output[0]
        name = next(candidate for candidate in map(f"{stem}.{{}}".format, itertools.count()) if candidate not in self._names)
        self._names.add(name)
        return name


def _entry(
    of: _Product,
    domain: str,
    op: str,
    inputs: list[str],
    output: str,
    attributes: Iterable[messages.Attribute] = (),
    **more: int | tuple[int, ...],
) -> Entry:
    """A node in place of a part of a product."""
    own = [
        messages.Attribute(name, i=value, type=2)
        if isinstance(value, int)
        else messages.Attribute(name, ints=list(value), type=7)
        for name, value in more.items()
    ]
    node = messages.Node(inputs, [output], of.entry.node.name, op, [*attributes, *own], domain)
    return dataclasses.replace(of.entry, node=node, op=(domain, op))


def _read(node: messages.Node) -> Iterator[str]:
    """The names that a node reads, and the nodes of its graphs."""
    yield from filter(None, node.input)
    for attribute in node.attribute:
        for graph in filter(None, (attribute.g, *attribute.graphs)):
            for inner in graph.node:
                yield from _read(inner)
            yield from (info.name for info in graph.output)


def _attributes(entry: Entry, **defaults: Any) -> dict[str, Any] | None:
    """A node's attributes; None if it has others, or damaged ones."""
    present = entry.node.attribute
    if any(attribute.name not in defaults for attribute in present):
        return None
    try:
        return {**defaults, **{attribute.name: table.attribute(attribute, entry.library.files) for attribute in present}}
    except (ValueError, NotImplementedError):
        return None
