"""What a jitted function learns from calls that none of its graphs serves: which guard failed, what it held and what it met.
A number or a Tensor from outside that differs from call to call is read anew in each call from then on, as a symbol or an
input of the graph."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.advice import READ_ALONE, advice
from emberjit.capture.session.session import Place, is_plain_number, is_plain_tensor, joined
from emberjit.capture.session.unfolding import learn_class, note_structure

BY_ARGUMENTS = frozenset(("value", "symbols", "constant", "structure"))
_SHOWN = 60  # letters of a value


@dataclasses.dataclass
class Miss:
    """A guard that failed, as Python text, what it held and met last, how often, where captured code relied on it, and what
    would avoid it."""

    guard: str
    held: str
    met: str
    line: str
    kind: str = ""
    times: int = 0
    advice: str = ""

    def __str__(self) -> str:
        where = f", at {self.line}" if self.line else ""
        return f"{self.guard} (held {self.held}, met {self.met}{where}){self.advice and ': ' + self.advice}"


def learn(jitted: core.Jit, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Miss | None, bool]:
    """Notes why the graph that was used last does not serve a call, and drops graphs for one value of what varies; also
    whether a number was found to vary, or a class of objects to be made anew."""
    state = jitted.__dict__
    varying: dict[Place, Any] = state.setdefault("varying", {})
    misses: dict[str, Miss] = state.setdefault("misses", {})
    failures = core.misses(jitted, args, kwargs)
    miss = None
    if not failures:
        miss = _of_structure(jitted)
        note_structure(jitted, args, kwargs)
    dropped = set()
    known = len(varying) + len(jitted.unfolded)
    for number, kind, owner, key, held, met, file, line in failures:
        places = {k: o for k, o in _moving(kind, owner, key, held, met) if k not in state.get("held", {})}
        varying.update(places)
        useless = places or (kind == "constant" and learn_class(jitted, held, met))
        if useless and number not in dropped:
            core.drop_entry(jitted, number)
            dropped.add(number)
        if miss is None:
            name, place = state.get("guard_names", {}).get((kind, id(owner), key), (None, ""))
            if kind == "constant":
                name = _argument(jitted, args, kwargs, met)
            kind, key, name, held, met = _of_content(kind, owner, key, name, held, met)
            text = _text(kind, owner, key, held, name)
            miss = misses.setdefault(text, Miss(text, "", "", f"{file}:{line}" if line else place))
            miss.held, miss.met, miss.advice = _shown(kind, held), _shown(kind, met), advice(kind, held, met)
            miss.kind, miss.times = kind, miss.times + 1
    return miss, len(varying) + len(jitted.unfolded) > known


def _of_content(kind: str, owner: Any, key: Any, name: str | None, held: Any, met: Any) -> tuple[Any, ...]:
    """What is reported of a guard on all that is in a dict: the first item that it held and that is another."""
    if kind == "content" and type(owner) is dict and isinstance(met, tuple):
        now = dict(zip(met[::2], met[1::2]))
        for item, value in zip(held[::2], held[1::2]):
            if item in now and not core.same(value, now[item]):
                return "item", item, None if name is None else joined(name, item), value, now[item]
    return kind, key, name, held, met


def _argument(jitted: core.Jit, args: tuple[Any, ...], kwargs: dict[str, Any], met: Any) -> str | None:
    """The name of the argument that a value is, or of each."""
    code = getattr(getattr(jitted, "__wrapped__", None), "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code is not None else ()
    named = (*zip(names, args), *kwargs.items())
    return " or ".join(name for name, value in named if value is met) or None


def _of_structure(jitted: core.Jit) -> Miss | None:
    """That of arguments that are nested, or of classes, as those of no graph are."""
    if "guard_names" not in jitted.__dict__:  # as no graph was captured yet
        return None
    miss = note(jitted, "the arguments have a structure that was met before", "others", "a new one")
    miss.kind, miss.advice = "structure", advice("structure", None, None)
    return miss


def note(jitted: core.Jit, guard: str, held: str, met: str) -> Miss:
    """Notes a miss that no guard has."""
    miss: Miss = jitted.__dict__.setdefault("misses", {}).setdefault(guard, Miss(guard, held, met, ""))
    miss.times += 1
    return miss


def _moving(kind: str, owner: Any, key: Any, held: Any, met: Any) -> Iterator[tuple[Place, Any]]:
    """The places of numbers and Tensors that a guard held for one value, with their owners."""
    if kind in READ_ALONE and (_varies(held, met) or (is_plain_tensor(held) and is_plain_tensor(met))):
        yield (kind, id(owner), key), owner
    elif kind == "absent" and type(met) in (int, float) and is_plain_number(met):
        yield ("item", id(owner), key), owner
    elif kind == "content" and type(owner) is dict and isinstance(met, tuple):
        before = dict(zip(held[::2], held[1::2]))
        for name, value in zip(met[::2], met[1::2]):
            tensors = key is not None and is_plain_tensor(before.get(name)) and is_plain_tensor(value)
            if name in before and (_varies(before[name], value) or (tensors and before[name] is not value)):
                yield ("item", id(owner), name), owner


def _varies(held: Any, met: Any) -> bool:
    return type(held) in (int, float) and type(held) is type(met) and is_plain_number(met) and not core.same(held, met)


def _text(kind: str, owner: Any, key: Any, held: Any, name: str | None) -> str:
    """A guard as Python text; `name`: how captured code came to what it is on, if that is known."""
    if kind == "symbols":
        return str(held)
    name = owner if kind == "value" and owner else name
    if name is None:
        names = {
            "constant": "an argument",
            "value": f"argument {key}",
            "parameter": "an argument",
            "precision": "amp's rules",
        }
        name = names.get(kind, type(owner).__name__ if key is None else f"{type(owner).__name__}[{key!r}]")
    name = name.removeprefix(".")  # of a module that is run as a script
    if kind in READ_ALONE or kind in ("constant", "value"):
        return f"{name} == {_shown(kind, held)}"
    kinds = {"absent": "there is no {}", "class": "the class of {}", "type": "the class {}", "content": "what is in {}"}
    return kinds.get(kind, f"{{}} ({kind})").format(name.removesuffix("."))


def _shown(kind: str, value: Any) -> str:
    if kind == "symbols":
        return "it" if value is None else str(value)
    if isinstance(value, core.Tensor):
        return "a Tensor"
    if issubclass(type(value), enum.Enum):
        return f"{type(value).__name__}.{object.__getattribute__(value, '_name_')}"
    text = repr(value) if type(value) in (bool, int, float, str, bytes, type(None)) else f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
