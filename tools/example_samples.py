"""Samples of definitions as a reader of documentation wants them: a few numbers of one decimal. `of` gives those of an op of
the table or of a composition; `observed` tells what calls by all of them show, in float32 and in other dtypes.
"""

from __future__ import annotations

import ast
import contextlib
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

import emberjit as ms
from emberjit import Parameter, Tensor
from emberjit import _emberjit as core
from emberjit.publish import registry, signature
from emberjit.publish.facts import Facts
from emberjit.values import tree

DTYPES: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
DTYPES |= {"b1": np.bool_, "c64": np.complex64, "c128": np.complex128}
PLAIN = (np.float32, np.int64, np.bool_)  # what Tensor makes of Python's numbers
WRITTEN_OUT = 24  # elements
FLOATS = (ms.float16, ms.bfloat16, ms.float32, ms.float64)
COMPLEXES = (ms.complex64, ms.complex128)
DIFFERENTIABLE = (*FLOATS, *COMPLEXES)
ANOTHER = {ms.int64: ms.int32, ms.int32: ms.int64}  # dtypes by which results are told that have an argument's


def literal(value: Any) -> str:
    """Code that makes a value."""
    if isinstance(value, np.ndarray):
        dtype = "" if value.dtype in PLAIN and value.size else f", ms.{value.dtype.name.removesuffix('_')}"
        return f"Tensor({_rows(value)}{dtype.replace('ms.bool', 'ms.bool_')})"
    if isinstance(value, (tuple, list)):
        inner = ", ".join(map(literal, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, core.dtype):
        return f"ms.{str(value).lower().replace('bool', 'bool_')}"
    return repr(value) if not isinstance(value, float) or math.isfinite(value) else f"np.{value}".replace("np.-", "-np.")


def _rows(array: np.ndarray) -> str:
    """Nested lists of an array, with the shortest digits that give its numbers."""
    if array.ndim:
        return f"[{', '.join(map(_rows, array))}]"
    is_finite = array.dtype.kind == "f" and np.isfinite(array)
    return str(array[()]) if is_finite or array.dtype.kind == "c" else literal(array.item())


def arrays(value: Any) -> list[np.ndarray]:
    """The arrays of a value."""
    return [leaf for leaf in tree.leaves(value) if isinstance(leaf, np.ndarray)]


class Call(NamedTuple):
    """A spelling, and how it is called: a class is made by its attributes first."""

    path: str  # ops.softmax
    spelled: signature.Spelled
    attributes: tuple[signature.Parameter, ...] | None
    target: Any

    @property
    def parameters(self) -> tuple[signature.Parameter, ...]:
        """What it is called with, then what a class is made with."""
        return (*self.spelled.parameters, *(self.attributes or ()))

    @property
    def sources(self) -> set[str]:
        """The definition's names of these."""
        return {p.source for p in self.parameters}

    def takes(self, sample: Sample) -> bool:
        """Whether values of a sample that it has no parameters for are defaults, but for those that it fixes."""
        settled = self.sources | self.spelled.constants.keys()
        beyond = {name: value for name, value in sample.values.items() if name not in settled}
        return all(literal(value) == literal(sample.defaults[name]) for name, value in beyond.items())


@dataclass
class Sample:
    """Arguments by the definition's names. `texts`: code of those that are not written out; `written`: those written to."""

    values: dict[str, Any]
    defaults: dict[str, Any]
    texts: dict[str, str] = field(default_factory=dict)
    written: tuple[str, ...] = ()

    def text(self, name: str) -> str:
        """Code that makes an argument."""
        return self.texts.get(name) or literal(self.values[name])

    def with_number(self, number: float) -> Sample:
        """With a number as the first element of floating point."""
        values, texts = dict(self.values), dict(self.texts)
        for name, value in values.items():
            if isinstance(value, np.ndarray) and value.size > 1 and value.dtype.kind == "f":
                values[name] = np.concatenate([[number], value.flat[1:]]).astype(value.dtype).reshape(value.shape)
                texts.pop(name, None)
                break
        return Sample(values, self.defaults, texts, self.written)

    def of(self, names: set[str]) -> Sample:
        """Without arguments of other names."""
        return Sample(
            {name: value for name, value in self.values.items() if name in names}, self.defaults, self.texts, self.written
        )

    def strangeness(self) -> tuple[bool, ...]:
        """Samples come in this order."""
        all_ = arrays(list(self.values.values()))
        large = bool(self.texts) or any(array.size > WRITTEN_OUT for array in all_)
        unusual = any(array.dtype not in (np.float32, np.int32, np.int64, np.bool_) for array in all_)
        small = any(array.size < 2 for array in all_)
        return (
            any(array.size == 0 for array in all_),
            large,
            unusual,
            small,
            not any(array.dtype == np.float32 for array in all_),
            any(array.ndim > 2 for array in all_),
        )


def _random(dtype: Any, shape: tuple[int, ...], low: float, high: float, rng: np.random.Generator) -> np.ndarray:
    return np.asarray(_drawn(dtype, shape, low, high, rng), dtype)


def _drawn(dtype: Any, shape: tuple[int, ...], low: float, high: float, rng: np.random.Generator) -> Any:
    if dtype is np.bool_:
        return rng.integers(0, 2, shape)
    if np.issubdtype(dtype, np.integer):
        return rng.integers(max(math.ceil(low), -9), min(math.floor(high), 9) + 1, shape)
    decimals = max(1, math.ceil(-math.log10(max(high - low, 1e-3))) + 1)
    scale = 10**decimals
    least, most = math.ceil(low * scale - 1e-3) / scale, math.floor(high * scale + 1e-3) / scale
    numbers = np.clip(np.round(rng.uniform(low, high, shape), decimals), least, most)
    return numbers + 1j * np.round(rng.uniform(low, high, shape), decimals) if np.dtype(dtype).kind == "c" else numbers


def _formula(dtype: Any, shape: tuple[int, ...], low: float, high: float) -> str:
    """Code for an array that is too large to be written out."""
    grid = f"np.arange({math.prod(shape)}).reshape{shape}"
    if dtype is np.bool_:
        return f"({grid} % 3 == 0)"
    if np.issubdtype(dtype, np.integer):
        least, most = max(math.ceil(low), -9), min(math.floor(high), 9)
        return f"({grid} * 7 % {most - least + 1} + {least}).astype(np.{np.dtype(dtype).name})"
    return f"({grid} * 7 % 11 / 10 * {high - low:g} + {low:g}).astype(np.{np.dtype(dtype).name})"


class _Large(ast.NodeTransformer):
    """Calls of f32(2, 300) as their formulas."""

    def __init__(self, dtypes: dict[str, Any]):
        self.dtypes = dtypes

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in DTYPES):
            return node
        shape = tuple(ast.literal_eval(argument) for argument in node.args)
        dtype = self.dtypes[node.func.id]
        low, high = (-9, 9) if np.issubdtype(dtype, np.integer) else (-2, 2)
        return ast.parse(_formula(dtype, shape, low, high), mode="eval").body


def _of_arrays(value: Any, change: Callable[[np.ndarray], Any]) -> Any:
    """A value with each array changed."""
    return tree.rebuild(value, lambda leaf: change(leaf) if isinstance(leaf, np.ndarray) else leaf)


def _cast(value: Any, old: Any, new: Any) -> Any:
    """A value with its arrays of one dtype in another."""
    return _of_arrays(value, lambda array: array.astype(new) if array.dtype == old else array)


def _rounded(value: Any) -> Any:
    """A value with numbers of four decimals in its arrays."""
    return _of_arrays(value, lambda array: np.round(array, 4) if array.dtype.kind == "f" else array)


def _of_composition(target: Any, text: str, rng: np.random.Generator) -> Sample:
    definition = signature.definition_of(target)

    is_double = "f64(" in text and not re.search(r"\b(f16|f32|c64|c128)\(", text)
    dtypes = DTYPES | ({"f64": np.float32} if is_double else {})

    def maker(dtype: Any) -> Callable[..., np.ndarray]:
        low, high = (-9, 8) if np.issubdtype(dtype, np.integer) else (-2, 2)
        return lambda *shape: _random(dtype, shape, low, high, rng)

    known: dict[str, Any] = {name: maker(dtype) for name, dtype in dtypes.items()}
    known |= {name: getattr(core, name) for name in dir(core)} | {"np": np}
    values, texts = {}, {}
    for parameter, node in zip(definition, ast.parse(f"({text},)".replace("\n", " "), mode="eval").body.elts):  # type: ignore[attr-defined]
        value = eval(ast.unparse(node), known)
        value = _rounded(_cast(value, np.float64, np.float32) if is_double else value)
        values[parameter.name] = np.asarray(value) if isinstance(value, np.generic) else value
        if any(array.size > WRITTEN_OUT for array in arrays(values[parameter.name])):
            code = ast.unparse(_Large(dtypes).visit(node))
            values[parameter.name] = eval(code, known)
            texts[parameter.name] = f"Tensor({code})" if isinstance(values[parameter.name], np.ndarray) else code
    return Sample(values, {p.name: p.default for p in definition}, texts)


def _operand(operand: dict[str, Any], is_elementwise: bool, rng: np.random.Generator) -> tuple[Any, str]:
    """The value of an op's operand, and its code if it is large. Of elementwise ones two axes of three are enough."""
    dtype, low, high = operand["dtype"], operand["low"], operand["high"]
    shape = operand["shape"]
    shape = tuple(min(size, 3) for size in shape[-2:]) if is_elementwise else tuple(shape)
    if operand["scalar"]:
        return {"Bool": bool, "Float": float}.get(str(dtype).rstrip("0123456789"), int)(operand["number"]), ""
    kind = ms.dtype.dtype_to_nptype(dtype)
    low, high = (-9, 9) if math.isinf(low) else (low, high)
    if math.prod(shape) <= WRITTEN_OUT:
        return _random(kind, shape, low, high, rng), ""
    code = _formula(kind, shape, low, high)
    return eval(code), f"Tensor({code})"


def _of_op(op: Any, row: Any, rng: np.random.Generator) -> Sample:
    operands, attributes, lists = row
    is_elementwise = op.flags["elementwise"]
    rest = iter([(None, "") if one["absent"] else _operand(one, is_elementwise, rng) for one in operands])
    counts = iter(lists)
    values, texts, written = {}, {}, []
    for name, kind, _, _, default in op.params:
        if kind == "tensors":
            parts = [next(rest) for _ in range(next(counts))]
            values[name] = [value for value, _ in parts]
            if any(text for _, text in parts):
                texts[name] = f"[{', '.join(text or literal(value) for value, text in parts)}]"
        elif kind in signature.OPERANDS:
            values[name], text = next(rest, (default, ""))
            texts |= {name: text} if text else {}
        elif name in attributes:
            values[name] = attributes[name]
        written += [name] if kind == "ref" else []
    return Sample(values, {name: default for name, _, _, _, default in op.params}, texts, tuple(written))


def _text(target: Any) -> str:
    """The samples of a composition's declarations."""
    names = [one for scope in registry.declarations.values() for all_ in scope.values() for one in all_]
    return next((one.samples for one in names if one.target is target), "")


def of(target: Any, seed: int = 1) -> list[Sample]:
    """The samples of a definition."""
    rng = np.random.default_rng(seed)
    if isinstance(target, core.Op):
        rows = [row for row in core.samples(target.__name__) if all(ms.bfloat16 != o["dtype"] for o in row[0])]
        return [_of_op(target, row, rng) for row in rows]
    text = _text(target)
    return [_of_composition(target, part, rng) for part in text.split(";")] if text else []


def draws(target: Any) -> bool:
    """Whether it is an op that draws random numbers."""
    return isinstance(target, core.Op) and "rand" in target.__name__


class Observed:
    """What calls of a function by one sample show. `values` have the definition's names, what is told the spelling's."""

    def __init__(self, call: Call, sample: Sample):
        self.call, self.sample = call, sample
        self.names = {p.source: p.name for p in call.parameters}
        self.values = {name: _of_arrays(value, Tensor) for name, value in sample.values.items()} | call.spelled.constants
        for name in sample.written:
            self.values[name] = Parameter(self.values[name])
        self.result = self.of(self.values)

    def of(self, values: dict[str, Any]) -> Any:
        """The result of other values."""
        target = self.call.target
        if isinstance(target, core.Op):
            return target(**values)
        return target(*(values.get(p.name, p.default) for p in signature.definition_of(target)))

    def tensors(self) -> dict[str, str]:
        """The arguments that are Tensors: the definition's names by the spelling's."""
        known = {name: value for name, value in self.values.items() if name in self.names}
        return {self.names[name]: name for name, value in known.items() if isinstance(value, Tensor)}

    def at(self, place: int | None) -> Any:
        """The result, or one of several."""
        return self.result if place is None else self.result[place]

    def has_shape(self, source: str, place: int | None) -> bool:
        """Whether a result has an argument's shape: also where the others are larger, if there is such a call."""
        own, result = self.values[source], self.at(place)
        if result.shape != own.shape or not own.ndim or own.shape[0] < 2:
            return bool(result.shape == own.shape)
        try:
            others = {name: value for name, value in self.values.items() if isinstance(value, Tensor)}
            larger = {name: ms.ops.broadcast_to(value, result.shape).copy() for name, value in others.items()}
            parts = tree.leaves(self.of({**self.values, **larger, source: own[:1]}))
        except Exception:
            return True
        return bool(parts[place or 0].shape == own[:1].shape)

    def has_dtype(self, source: str, place: int | None) -> bool:
        """Whether a result has an argument's dtype: also where those of others are float64, and where it has another,
        if there are such calls."""
        own = self.values[source]
        if self.at(place).dtype != own.dtype:
            return False
        others = {name: value for name, value in self.values.items() if isinstance(value, Tensor) and name != source}
        wide = {name: value.astype(ms.float64) for name, value in others.items() if value.dtype in FLOATS}
        moved = own.astype(ANOTHER.get(own.dtype, own.dtype))
        return all(
            self._dtype({**self.values, **changed}, place) in (None, (own if source not in changed else moved).dtype)
            for changed in (wide, {source: moved})
        )

    def _dtype(self, values: dict[str, Any], place: int | None) -> Any:
        """Of the result of other values; None if there is none."""
        try:
            return tree.leaves(self.of(values))[place or 0].dtype
        except Exception:
            return None

    def broadcasts(self, place: int | None) -> bool:
        """Whether a result has the shape that the Tensors broadcast to."""
        shapes = [value.shape for value in self.values.values() if isinstance(value, Tensor)]
        try:
            return bool(shapes) and tuple(self.at(place).shape) == np.broadcast_shapes(*shapes)
        except ValueError:
            return False

    def promotes(self, place: int | None) -> bool:
        """Whether a result has the dtype that the Tensors promote to: the widest of floating point, or that of all."""
        dtypes = {value.dtype for value in self.values.values() if isinstance(value, Tensor)}
        widest = max((dtype for dtype in dtypes if dtype in FLOATS), key=FLOATS.index, default=None)
        return bool(self.at(place).dtype == widest) if widest is not None else dtypes == {self.at(place).dtype}

    def floats(self) -> list[str]:
        """The arguments that are Tensors of numbers with gradients, or begin with one."""
        first = {name: next(iter(tree.leaves(value)), None) for name, value in self.values.items()}
        kept = {name: value for name, value in first.items() if name in self.names and name not in self.sample.written}
        return [name for name, value in kept.items() if isinstance(value, Tensor) and value.dtype in DIFFERENTIABLE]

    def is_of_given_dtype(self) -> bool:
        """Whether a dtype that is given makes a result that has no gradients, where another would have some."""
        parts = [part for part in tree.leaves(self.result) if isinstance(part, Tensor)]
        by_dtype = any(isinstance(value, core.dtype) for value in self.values.values())
        return by_dtype and not any(part.dtype in DIFFERENTIABLE for part in parts)

    def slopes(self) -> set[str]:
        """The arguments with a gradient that is not 0."""
        parts = [part for part in tree.leaves(self.result) if isinstance(part, Tensor) and part.dtype in DIFFERENTIABLE]
        return {self.names[name] for name in self.floats() if parts and self._has_slope(name)}

    def _has_slope(self, name: str) -> bool:
        several = isinstance(self.values[name], (tuple, list))

        def loss(x: Tensor) -> Any:
            value = type(self.values[name])([x, *self.values[name][1:]]) if several else x
            parts = [part for part in tree.leaves(self.of({**self.values, name: value})) if isinstance(part, Tensor)]
            real = [part for part in parts if part.dtype in FLOATS]
            for part in parts:
                real += [ms.ops.real(part), ms.ops.imag(part)] if part.dtype in COMPLEXES else []
            weighted = [(part * ms.ops.arange(1, part.size + 1).reshape(part.shape)).sum() for part in real]
            return sum(weighted[1:], weighted[0])

        return bool((ms.grad(loss)(self.values[name][0] if several else self.values[name]) != 0).any())

    def viewed(self) -> set[str]:
        """The arguments whose memory results share."""
        parts = [part for part in tree.leaves(self.result) if isinstance(part, Tensor) and part.size]
        bytes_of = lambda: [part.asnumpy().tobytes() for part in parts]
        out = set()
        for name, values in self.values.items():
            for value in tree.leaves(values) if name in self.names and name not in self.sample.written else ():
                if not (isinstance(value, Tensor) and value.size) or value.dtype == ms.bool_:
                    continue
                before = bytes_of()
                value.add_(1)
                if bytes_of() != before:
                    out.add(self.names[name])
                value.sub_(1)
        return out


def _in_other_dtypes(sample: Sample) -> Iterator[Sample]:
    """A sample, and the same with floats of other sizes, by which results of a fixed dtype are told."""
    yield sample
    for dtype in (np.float16, np.float64):
        values = {name: _cast(value, np.float32, dtype) for name, value in sample.values.items()}
        yield Sample(values, sample.defaults, {}, sample.written)


def _result(ones: list[Observed], place: int | None) -> str:
    """What is returned, of what all calls give: its shape and dtype by arguments that always have the same."""
    results = [one.at(place) for one in ones]
    if not all(isinstance(result, Tensor) for result in results):
        kinds = {type(result).__name__ for result in results if not isinstance(result, Tensor)}
        return kinds.pop() if len(kinds) == 1 and not any(isinstance(result, Tensor) for result in results) else ""
    tensors = [one.tensors() for one in ones]
    names = [name for name in tensors[0] if all(name in of_one for of_one in tensors)]
    both = list(zip(ones, tensors))
    shape = next((name for name in names if all(one.has_shape(known[name], place) for one, known in both)), "")
    dtype = next((name for name in names if all(one.has_dtype(known[name], place) for one, known in both)), "")
    fixed = {str(result.dtype).lower() for result in results}
    given = {value.dtype for one in ones for value in one.values.values() if isinstance(value, Tensor)}
    is_fixed = fixed == {"bool"} or (not dtype and (len(given) > 1 or not {result.dtype for result in results} & {*FLOATS}))
    if len(fixed) == 1 and is_fixed:
        return f"Tensor of dtype {fixed.pop()}" + (f" and {shape}'s shape" if shape else "")
    if shape and shape == dtype:
        return f"Tensor of {shape}'s shape and dtype"
    parts = [f"{shape}'s shape"] if shape else []
    parts += ["the operands' broadcast shape"] if not shape and all(one.broadcasts(place) for one in ones) else []
    parts += [f"{dtype}'s dtype"] if dtype else []
    parts += ["the operands' common dtype"] if not dtype and all(one.promotes(place) for one in ones) else []
    told = " and ".join(parts).replace("broadcast shape and the operands'", "broadcast shape and")
    return f"Tensor of {told}" if told else "Tensor"


def _observed(call: Call) -> Iterator[Observed]:
    """What calls of one spelling show, by samples that it takes but for what has its default or is fixed."""
    for sample in filter(call.takes, of(call.target)):
        for variant in _in_other_dtypes(sample):
            with contextlib.suppress(Exception), core.RandomKeys():
                one = Observed(call, variant)
                if one.result is not None:
                    yield one


def observed(calls: list[Call]) -> Facts:
    """What calls of a name show, by all its spellings; parameters in its own names."""
    ones = [one for call in calls for one in _observed(call)]
    if not ones:
        return Facts()
    counts = {len(one.result) if isinstance(one.result, (tuple, list)) else None for one in ones}
    returned: tuple[str, ...] = ()
    if len(counts) == 1 and None in counts:
        returned = (_result(ones, None),)
    elif len(counts) == 1:
        returned = tuple(_result(ones, place) for place in range(counts.pop() or 0))
    slopes, views = set[str](), set[str]()
    for one in ones:
        with contextlib.suppress(Exception):
            slopes |= one.slopes()
            views |= one.viewed()
    in_order = dict.fromkeys(p.name for call in calls for p in call.parameters)
    has_floats = any(one.floats() for one in ones) and (bool(slopes) or not all(one.is_of_given_dtype() for one in ones))
    return Facts(
        tuple(text for text in returned if text),
        tuple(name for name in in_order if name in slopes),
        tuple(name for name in in_order if name in views),
        has_floats,
    )
