"""What Python tells of a public function: its documentation and its signature, from its declarations."""

from __future__ import annotations

import inspect
import re
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit import deviations
from emberjit.publish import signature

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


def _arguments(spelled: signature.Spelled) -> str:
    out = ""
    for p in spelled.parameters:
        if p.name == "self":
            continue
        out += f"\n    {' or '.join((p.name, *p.aliases))}: {_WORDS[p.kind]}{' or None' if p.optional else ''}"
        out += "" if p.default is signature.REQUIRED else f"; by default {default_text(p.default)}"
    return f"\n\nArgs:{out}" if out else ""


def _sections(text: str) -> tuple[str, str, str]:
    """A docstring's summary, its section of arguments and what follows that."""
    head, separator, rest = text.partition("\n\nArgs:")
    if not separator:
        cut = min((i for i in (text.find("\n\nReturns:"), text.find("\n\nRaises:")) if i >= 0), default=len(text))
        return text[:cut], "", text[cut:]
    cut = min((i for i in (rest.find("\n\nReturns:"), rest.find("\n\nRaises:")) if i >= 0), default=len(rest))
    return head, rest[:cut], rest[cut:]


def documentation(spelled: signature.Spelled, target: Any) -> str:
    """The definition's documentation, in the names of the spelling."""
    text = inspect.cleandoc(target.__doc__ or "")
    head, arguments, rest = _sections(text)
    if signature.is_in_place(spelled):
        head += f"\n\nIt is written into {spelled.parameters[0].name}, which is returned."
    if not isinstance(target, types.FunctionType) or not arguments:
        return head + _arguments(spelled) + rest
    names = {p.source: p.name for p in spelled.parameters}
    renamed = [
        re.sub(r"\w+", lambda word: names.get(word[0], word[0]), line[: line.find(":")]) + line[line.find(":") :]
        if re.match(r"    \w[\w, ]*:", line)
        else line
        for line in arguments.split("\n")
    ]
    return f"{head}\n\nArgs:" + "\n".join(renamed) + rest


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
        parameters.append(inspect.Parameter(p.name, _WAYS[p.passed], default=value))
    return inspect.Signature(parameters)


def details(name: str, spellings: list[tuple[signature.Spelled, Any]]) -> tuple[str, inspect.Signature]:
    """Documentation and signature of a public function, from its spellings and what each of them publishes."""
    texts = [documentation(spelled, target) for spelled, target in spellings]
    if len(spellings) > 1:
        texts = [f"{signature_text(spelled)}\n\n{text}" for (spelled, _), text in zip(spellings, texts)]
    return "\n\n".join(texts) + deviations.documentation(name), _merged([spelled for spelled, _ in spellings])
