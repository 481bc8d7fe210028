"""The calls of public names that tools/record_mindspore.py records: for each spelling the samples of its declaration, by
position and by keyword, then variants of the first: operands of at most 32 bits, numbers as Tensors, NaN and infinite
elements, none, no dimensions, broadcast, other dtypes, an axis out of range, arguments of wrong kinds, and the gradient;
pairs of dtypes; and those of tests/python/compat/mindspore_calls.txt, by hand.

An expression's names are those of tests/python/compat/either_library.py: t(f32(2, 3)) is a Tensor.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from emberjit import _emberjit as core
from emberjit.publish import classes, registry, signature
from emberjit.publish.index import NAMES

BY_HAND = Path(__file__).resolve().parents[1] / "tests" / "python" / "compat" / "mindspore_calls.txt"
SAMPLES = 4
SHORT = {"Float16": "f16", "Float32": "f32", "Float64": "f64", "Complex64": "c64", "Complex128": "c128", "Bool": "b1"}
SHORT |= {"Int8": "i8", "UInt8": "u8", "Int16": "i16", "Int32": "i32", "Int64": "i64"}
OTHER_DTYPES = ("f16", "f64", "i32", "i64", "u8", "b1", "c64")
AXES = ("axis", "axes", "dim", "dims")
WRONG = {"int": "'no'", "ints": "'no'", "float": "'no'", "bool": "'no'", "str": "object", "tensor": "'no'", "number": "'no'"}
WRONG |= {"tensors": "'no'", "dtype": "object"}
_NAMES_OF_OPS = {id(core.op_table[name]): name for name in core.op_table}
_DTYPES = {name for name in dir(core) if isinstance(getattr(core, name), core.dtype)}


def _operand(sample: dict[str, Any]) -> str | None:
    """The text of an operand of an op's sample; None for what expressions do not spell."""
    kind = str(sample["dtype"])
    if sample["absent"]:
        return "None"
    if sample["scalar"]:
        return repr({"Bool": bool, "Float": float}.get(kind.rstrip("0123456789"), int)(sample["number"]))
    if kind not in SHORT or math.isinf(sample["low"]):
        return None
    of = (sample["low"], sample["high"])
    bounds = "" if of == (-2, 2) and kind[0] in "FCB" else f"of=({of[0]:g}, {of[1]:g})"
    return f"{SHORT[kind]}({', '.join([*map(str, sample['shape']), *filter(None, [bounds])])})"


def _samples_of_op(name: str) -> Iterator[dict[str, str]]:
    for operands, attributes, lists in core.samples(name):
        texts, counts = [_operand(one) for one in operands], iter(lists)
        if None in texts:
            continue
        left = iter(texts)
        sample: dict[str, str] = {}
        for parameter, kind, *_ in core.op_table[name].params:
            if kind == "tensors":
                sample[parameter] = f"({', '.join(str(next(left)) for _ in range(next(counts)))},)"
            elif kind in signature.OPERANDS:
                value = next(left, None)
                if value not in (None, "None"):
                    sample[parameter] = str(value)
            elif parameter in attributes:
                value = attributes[parameter]
                value = value[0] if kind == "ints" and isinstance(value, tuple) and len(value) == 1 else value
                sample[parameter] = f"ms.{str(value).lower()}" if isinstance(value, core.dtype) else repr(value)
        yield sample


def _samples_of_text(text: str, parameters: tuple[signature.Parameter, ...]) -> Iterator[dict[str, str]]:
    for one in text.split(";"):
        if not one.strip():
            continue
        call = ast.parse(f"f({' '.join(one.split())})", mode="eval").body
        assert isinstance(call, ast.Call)
        for node in ast.walk(call):
            if isinstance(node, ast.Name) and node.id in _DTYPES:
                node.id = f"ms.{node.id}"
        yield {p.name: ast.unparse(argument) for p, argument in zip(parameters, call.args)}


def samples(one: registry.Declaration) -> list[dict[str, str]]:
    """Texts of arguments by the definition's names, a dictionary for each sample."""
    op = _NAMES_OF_OPS.get(id(one.target))
    result = _samples_of_op(op) if op else _samples_of_text(one.samples, signature.definition_of(one.target))
    return list(result)[:SAMPLES]


def _makers(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SHORT.values():
            yield node


def _array_in(text: str) -> tuple[str, list[int]] | None:
    """The dtype and shape of the first array that an argument's text makes."""
    for node in _makers(ast.parse(text, mode="eval")):
        return ast.unparse(node.func), [ast.literal_eval(item) for item in node.args]
    return None


def _changed(text: str, change: Callable[[str, list[int]], tuple[str, list[int]]]) -> str:
    """The text with other dtypes and shapes of what it makes."""
    tree = ast.parse(text, mode="eval")
    for node in _makers(tree):
        kind, shape = change(ast.unparse(node.func), [ast.literal_eval(item) for item in node.args])
        node.func, node.args = ast.Name(kind), [ast.Constant(size) for size in shape]
    return ast.unparse(tree)


def _is_wide(text: str) -> bool:
    """Whether an argument's arrays may be of elements of 64 bits."""
    array = _array_in(text)
    plain = isinstance(ast.parse(text, mode="eval").body, ast.Call) and text.startswith(tuple(SHORT.values()))
    return array is not None and (not plain or array[0] in ("f64", "i64", "c128"))


def _of_one_element(text: str) -> str:
    if isinstance(ast.parse(text, mode="eval").body, ast.Call) and text.startswith(tuple(SHORT.values())):
        return _changed(text, lambda kind, shape: (kind, []))
    return f"({_changed(text, lambda kind, shape: (kind, [1]))}).reshape(())"


class Spelling:
    """A public name with its parameters, which writes calls of itself."""

    def __init__(self, one: registry.Declaration) -> None:
        self.one, self.path = one, f"{one.scope}.{one.name}"
        definition = signature.definition_of(one.target)
        self.attributes: tuple[signature.Parameter, ...] = ()
        if one.name[0].isupper():
            attributes, operands = classes._lists(one, definition)
            self.attributes = signature.spell(one.name, attributes, definition).parameters if attributes else ()
            self.parameters = signature.spell(one.name, operands, definition).parameters if operands else ()
        else:
            [(spelled, _)] = registry.overloads([one])
            self.parameters = spelled.parameters

    def call(self, sample: dict[str, str], by_keyword: bool = False) -> str:
        """With the arguments of these texts, by the definition's names."""
        if self.one.name[0].isupper():
            return f"{self.path}({_listed(self.attributes, sample, by_keyword)})({_listed(self.parameters, sample)})"
        if self.one.scope != "Tensor":
            return f"{self.path}({_listed(self.parameters, sample, by_keyword)})"
        own, *others = self.parameters
        return f"{_listed((own,), sample)}.{self.one.name}({_listed(tuple(others), sample, by_keyword)})"

    def boxes(self, source: str, text: str) -> bool:
        """Whether an argument is an operand that is a number, or several."""
        return any(p.source == source for p in self.parameters) and text[0] in "(-0123456789" and not _array_in(text)

    def calls(self) -> Iterator[str]:
        """Of the samples, and of what differs from them."""
        rows = samples(self.one)
        required = [p.source for p in (*self.attributes, *self.parameters) if p.default is signature.REQUIRED]
        rows = [sample for sample in rows if all(source in sample for source in required)]
        if self.one.scope == "Tensor":
            rows = [sample for sample in rows if _array_in(sample.get(self.parameters[0].source, "0"))]
        for sample in rows:
            yield self.call(sample)
        for sample in rows[:2]:
            yield self.call(sample, True)
            narrow = {key: f"narrow({text})" if _is_wide(text) else text for key, text in sample.items()}
            boxed = {key: f"Tensor({text})" if self.boxes(key, text) else text for key, text in narrow.items()}
            yield self.call(narrow)
            yield self.call(boxed)
        if rows:
            yield from self.variants(rows[0])

    def variants(self, first: dict[str, str]) -> Iterator[str]:
        """Calls that differ in one respect."""
        operands = [p.source for p in self.parameters if p.source in first and _array_in(first[p.source])]
        real = next((source for source in operands if str(_array_in(first[source])[0])[0] == "f"), None)  # type: ignore[index]
        if real is not None and _array_in(first[real])[1] and first[real][0] != "(":  # type: ignore[index]
            yield self.call({**first, real: f"nan({first[real]})"})
            yield self.call({**first, real: f"inf({first[real]})"})
        if operands:
            yield from (self.call({**first, **sample}) for sample in _of_other_arrays({key: first[key] for key in operands}))
        everything = (*self.attributes, *self.parameters)
        for p in everything:
            if p.name in AXES and p.kind in ("int", "ints"):
                yield self.call({**first, p.source: "9"})
                yield self.call({**first, p.source: "-1"})
        wrong = [p for p in everything if p.kind in WRONG and p.passed != signature.VARIADIC]
        for p in {p.source: p for p in (*wrong[:1], *wrong[-1:])}.values():
            yield self.call({**first, p.source: WRONG[p.kind]})
        if real is not None and self.one.scope != "Tensor" and first[real][0] not in "([":
            yield f"grad(lambda x_: {self.call({**first, real: 'x_'})})(t({first[real]}))"


def _listed(parameters: tuple[signature.Parameter, ...], sample: dict[str, str], by_keyword: bool = False) -> str:
    out = []
    for p in parameters:
        if p.source not in sample:
            by_keyword = True
            continue
        text = sample[p.source]
        several = p.passed == signature.VARIADIC and text[0] in "(["
        if _array_in(text):
            text = f"{'par' if p.kind == 'ref' else 't'}({text})"
        by_keyword |= p.passed == signature.BY_KEYWORD
        if p.passed == signature.VARIADIC:
            out.append(f"*{text}" if several else text)
        else:
            out.append(f"{p.name}={text}" if by_keyword and p.name != "self" else text)
    return ", ".join(out)


def _of_other_arrays(operands: dict[str, str]) -> Iterator[dict[str, str]]:
    """Empty operands, some without dimensions, some that broadcast, and of other dtypes."""
    names = list(operands)
    arrays = [_array_in(text) for text in operands.values()]
    kind, shape = arrays[0] or ("", [])
    if shape:
        yield {
            name: _changed(text, lambda kind, own: (kind, [0, *own[1:]] if own[:1] == shape[:1] else own))
            for name, text in operands.items()
        }
        yield {name: text if text[0] in "([" else _of_one_element(text) for name, text in operands.items()}
    if len(shape) > 1 and len(arrays) > 1 and arrays[1] and arrays[1][1] == shape:
        yield {names[1]: _changed(operands[names[1]], lambda kind, own: (kind, [1, *own[1:]]))}
        yield {names[0]: _changed(operands[names[0]], lambda kind, own: (kind, own[1:]))}
    for other in OTHER_DTYPES:
        if other != kind:
            yield {
                name: _changed(text, lambda one, own: (other if one == kind else one, own))
                for name, text in operands.items()
            }


def promotions() -> Iterator[str]:
    """Calls of functions of two operands of all pairs of dtypes, and of numbers."""
    whole = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
    kinds = ["bool_", *whole, "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
    sides = [f"Tensor([1, 2], ms.{kind})" for kind in kinds]
    for name in ("add", "div", "pow", "maximum"):
        for one in sides:
            yield from (f"ops.{name}({one}, {other})" for other in (*sides, "2", "1.5", "True"))
            yield from (f"ops.{name}({number}, {one})" for number in ("2", "1.5", "True"))


def calls() -> list[str]:
    """All expressions."""
    for scope, names in NAMES.items():
        for name in names:
            registry.declared(scope, name)
    texts = [*BY_HAND.read_text().splitlines(), *promotions()]
    for named in registry.declarations.values():
        for declared in named.values():
            for one in declared:
                texts += Spelling(one).calls()
    return list(dict.fromkeys(text for text in texts if text and text[0] != "#"))
