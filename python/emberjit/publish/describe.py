"""What Python tells of a public function: its documentation and its signature, from its declarations."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit import deviations
from emberjit.publish import facts, signature

_WORDS = {
    **{
        "tensor": "Tensor",
        "tensors": "tuple or list of Tensors",
        "number": "Tensor or number",
        "ref": "Parameter or Tensor",
    },
    **{"int": "int", "float": "float", "bool": "bool", "str": "str", "dtype": "dtype", "ints": "int or tuple of ints"},
    "object": "any object",
}
_TYPES: dict[str, Any] = {
    **{"tensor": core.Tensor, "tensors": Sequence[core.Tensor], "number": core.Tensor | float, "ref": core.Tensor},
    **{"int": int, "float": float, "bool": bool, "str": str, "dtype": core.dtype, "ints": int | tuple[int, ...]},
}
_AXIS = {"int": "the axis, from the end if negative", "ints": "the axes, from the end if negative"}
_KEPT = {"bool": "whether the axes stay, of size 1"}
EXAMPLES = re.compile(r"\n\n(Examples:\n.*?)(?=\n\n\S|\Z)", re.DOTALL)
# By a parameter's name and kind.
_USUAL = {"axis": _AXIS, "dim": _AXIS, "keepdims": _KEPT, "keep_dims": _KEPT, "keepdim": _KEPT}
_LATER = ("Returns", "Raises", "Examples")  # sections that follow those of arguments
_WAYS = {
    signature.ANY_WAY: inspect.Parameter.POSITIONAL_OR_KEYWORD,
    signature.BY_KEYWORD: inspect.Parameter.KEYWORD_ONLY,
    signature.VARIADIC: inspect.Parameter.VAR_POSITIONAL,
}


def default_text(value: Any) -> str:
    """A default as code shows it."""
    return str(value) if isinstance(value, core.dtype) else repr(value)


def parameter_text(parameter: signature.Parameter) -> str:
    """A parameter in a signature."""
    if parameter.passed == signature.VARIADIC:
        return f"*{parameter.name}"
    return parameter.name + ("" if parameter.default is signature.REQUIRED else f"={default_text(parameter.default)}")


def signature_text(spelled: signature.Spelled) -> str:
    """The spelling as code that defines it shows it."""
    texts: list[str] = []
    keywords = False
    for parameter in spelled.parameters:
        if parameter.passed == signature.BY_KEYWORD and not keywords:
            keywords = True
            texts += [] if texts and texts[-1].startswith("*") else ["*"]
        texts.append(parameter_text(parameter))
    return f"{spelled.name}({', '.join(texts)})"


def _passed(parameter: signature.Parameter) -> str:
    """What is passed by a parameter, where nothing more is told of it."""
    text = f"{_WORDS[parameter.kind]}{' or None' if parameter.optional else ''}"
    usual = _USUAL.get(parameter.name, {}).get(parameter.kind)
    text += f", {usual}" if usual else ""
    return text + ("" if parameter.default is signature.REQUIRED else f"; by default {default_text(parameter.default)}")


def _arguments(spelled: signature.Spelled, section: str) -> str:
    """The section of arguments of a spelling, in its order; `section` is the definition's."""
    names = {p.source: p.name for p in spelled.parameters}
    told: dict[str, str] = {}
    for entry in re.split(r"\n(?=    \w)", section)[1:]:
        of, _, text = entry.partition(":")
        own = [names[name] for name in re.findall(r"\w+", of) if name in names]
        told |= dict.fromkeys(own, f"{', '.join(own)}:{text}")
    lines = [
        told.get(p.name, f"{' or '.join((p.name, *p.aliases))}: {_passed(p)}")
        for p in spelled.parameters
        if p.name != "self"
    ]
    return "".join(f"\n    {line}" for line in dict.fromkeys(lines))


def _sections(text: str) -> tuple[str, str, str]:
    """A docstring's summary, its section of arguments and what follows that."""
    head, separator, rest = text.partition("\n\nArgs:")
    told = rest if separator else head
    cut = min((i for i in (told.find(f"\n\n{title}:") for title in _LATER) if i >= 0), default=len(told))
    return (head, rest[:cut], rest[cut:]) if separator else (head[:cut], "", head[cut:])


def documentation(spelled: signature.Spelled, target: Any) -> str:
    """The definition's documentation, in the names of the spelling."""
    head, arguments, rest = _sections(inspect.cleandoc(target.__doc__ or ""))
    if signature.is_in_place(spelled):
        head += f"\n\nIt is written into {spelled.parameters[0].name}, which is returned."
    arguments = _arguments(spelled, arguments if isinstance(target, types.FunctionType) else "")
    return head + (f"\n\nArgs:{arguments}" if arguments else "") + rest


def _returned(results: tuple[str, ...]) -> str:
    if len(results) == 1:
        return f"a {results[0]}."
    if len(set(results)) == 1:
        return f"a tuple of {len(results)}: each a {results[0]}."
    return f"a tuple of {', '.join(f'a {text}' for text in results)}."


def with_facts(text: str, path: str) -> str:
    """Documentation with what calls show of a public name (facts.py), and how MindSpore differs; at its end examples: the
    documentation's own, or those that facts have."""
    known, own = facts.of(path), EXAMPLES.search(text)
    text = EXAMPLES.sub("", text)
    if known.returns and ("\n\nReturns:\n    a Tensor.\n" in text or "\n\nReturns:" not in text):
        text = text.replace("\n\nReturns:\n    a Tensor.\n", "\n")
        head, raises, rest = text.partition("\n\nRaises:")
        text = f"{head}\n\nReturns:\n    {_returned(known.returns)}{raises}{rest}"
    if known.floats:
        text += f"\n\nGradients:\n    {'with respect to ' if known.gradients else 'none'}{', '.join(known.gradients)}."
    if known.views:
        text += f"\n\nViews:\n    the result may share memory with {' and '.join(known.views)}."
    text += deviations.documentation(path)
    if own:
        text += f"\n\n{own[1]}"
    elif known.example:
        text += "\n\nExamples:\n    " + known.example.replace("\n", "\n    ")
    return re.sub(r"\n    (?=\n)", "\n", text)


def _merged(spellings: list[signature.Spelled]) -> inspect.Signature:
    """Of several spellings the longest, of which what the others lack may be left out, and their further parameters."""
    longest = max(spellings, key=lambda one: len(one.parameters))
    own = {p.name: p for p in longest.parameters}
    further = {p.name: p for one in spellings for p in one.parameters if p.name not in own}
    rows = [*own.values(), *(p._replace(passed=signature.BY_KEYWORD, default=None) for p in further.values())]
    everywhere = set.intersection(*({p.name for p in one.parameters} for one in spellings))
    parameters: list[inspect.Parameter] = []
    for p in rows:
        value = p.default
        if value is signature.REQUIRED or p.passed == signature.VARIADIC:
            optional = p.name not in everywhere or (parameters and parameters[-1].default is not inspect.Parameter.empty)
            value = None if optional and p.passed == signature.ANY_WAY else inspect.Parameter.empty
        kind = _TYPES.get(p.kind, Any)
        annotation = kind | None if p.optional and kind is not Any else kind
        parameters.append(inspect.Parameter(p.name, _WAYS[p.passed], default=value, annotation=annotation))
    return inspect.Signature(parameters)


def of_class(path: str, target: Any, attributes: str, operands: str) -> str:
    """Documentation of a Primitive or Cell: what it is made with, and what it is called with."""
    name, definition = path.rpartition(".")[2], signature.definition_of(target)
    head, arguments, rest = _sections(inspect.cleandoc(target.__doc__ or ""))
    for title, parameters in ("Args", attributes), ("Inputs", operands):
        spelled = signature.spell(name, parameters, definition) if parameters else signature.Spelled(name, (), {})
        lines = _arguments(spelled, arguments if isinstance(target, types.FunctionType) else "")
        head += f"\n\n{title}:{lines}" if lines else ""
    return with_facts(head + rest, path)


def _without(text: str, others: str) -> str:
    """The sections of a text, but its summary and arguments, that others lack."""
    sections = re.split(r"\n\n(?=(?:Returns|Raises):\n|In NumPy: )", text)[1:]
    return "".join(f"\n\n{section}" for section in sections if section.split(":")[0] + ":" not in others)


def _joined(spellings: list[signature.Spelled], texts: list[str]) -> str:
    """Documentation of several spellings. One whose parameters are another's first adds what sections the other lacks."""
    names = [[p.name for p in spelled.parameters] for spelled in spellings]
    order = sorted(range(len(texts)), key=lambda i: -len(names[i]))
    kept: dict[int, str] = {}
    for i in order:
        longer = next((j for j in kept if names[j][: len(names[i])] == names[i]), None)
        if longer is None:
            kept[i] = texts[i]
        else:
            kept[longer] += _without(texts[i], kept[longer])
    if len(kept) == 1:
        return next(iter(kept.values()))
    return "\n\n".join(f"{signature_text(spellings[i])}\n\n{kept[i]}" for i in sorted(kept))


def details(name: str, spellings: list[tuple[signature.Spelled, Any]]) -> tuple[str, inspect.Signature]:
    """Documentation and signature of a public function, from its spellings and what each of them publishes."""
    all_spelled = [spelled for spelled, _ in spellings]
    texts = [documentation(spelled, target) for spelled, target in spellings]
    return with_facts(_joined(all_spelled, texts), name), _merged(all_spelled)
