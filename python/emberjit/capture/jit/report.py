"""The report of a jitted function as a dict that prints: a few lines of what was captured, how calls ran, and why not all of
them by graph."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.printing import html
from emberjit.printing.cells import with_cells

MOST_LINES = 8  # of one section
_TIERS = ("interpreted", "native")


class Report(dict[str, Any]):
    """What explain() tells: a dict that prints as a report.

    Args:
        items: what the dict has.
        title: the function's name and place.
    """

    def __init__(self, items: Mapping[str, Any], title: str):
        super().__init__(items)
        self.title = title

    def to_dict(self) -> dict[str, Any]:
        """A plain dict of the same, in plain dicts and lists down to numbers and texts, which JSON can hold."""
        return copy.deepcopy(dict(self))

    def __str__(self) -> str:
        lines = [f"{self.title}: {state_of(self)}"]
        for name, texts in _sections(self):
            lines += [f"  {name}", *(f"    {text}" for text in _first(texts))]
        return with_cells("\n".join(lines))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        parts = [html.details(name, html.pre("\n".join(texts))) for name, texts in _sections(self)]
        for number, entry in enumerate(_entries(self), 1):
            parts.append(html.details(f"bytecode of graph {number}", html.pre(str(entry.get("bytecode", "")))))
        return with_cells(html.details(f"{self.title}: {state_of(self)}", *parts, is_open=True))


def title_of(jitted: Any) -> str:
    """The name of what is jitted, and its file and line."""
    function = getattr(jitted, "__wrapped__", None)
    if function is None:  # it is being made
        return "of nothing yet"
    name = getattr(function, "__qualname__", None) or type(function).__name__
    inner = function if hasattr(function, "__code__") else getattr(function, "construct", function)
    while isinstance(inner, core.Jit):
        inner = getattr(inner, "__wrapped__", None)
    code = getattr(inner, "__code__", None)
    return str(name) if code is None else f"{name} at {code.co_filename}:{code.co_firstlineno}"


def state_of(report: Mapping[str, Any]) -> str:
    """How calls run, in a few words."""
    calls, entries = report["calls"], _entries(report)
    parts = []
    if entries:
        whole = len(report["entries"])
        of_parts = _number(len(entries) - whole, "graph", " of parts of it") if len(entries) > whole else ""
        parts.append(" and ".join(text for text in (_number(whole, "graph") if whole else "", of_parts) if text))
        tiers = {_tier(item) for entry in entries for item in entry["specialisations"]}
        parts += [" and ".join(sorted(tiers))] if tiers else []
    elif report["breaks"] or calls["in_python"]:
        reasons = [*report["breaks"], *report["calls_in_python"]]
        parts.append("runs in Python" + (f" because {reasons[0]}" if reasons else ""))
    elif not any(calls.values()):
        return "not called yet"
    ways = (("by_graph", "by graph"), ("in_parts", "in parts"), ("in_python", "in Python"))
    counts = ", ".join(f"{calls[key]} {words}" for key, words in ways if calls[key])
    parts += [f"calls: {counts}"] if counts else []
    parts += [_number(len(report["breaks"]), "break")] if entries and report["breaks"] else []
    return "; ".join(parts)


def _number(count: int, noun: str, rest: str = "") -> str:
    return f"{count} {noun}{'s' * (count != 1)}{rest}"


def _tier(specialisation: Mapping[str, Any]) -> str:
    return _TIERS[bool(specialisation["tier"])]


def _entries(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*report["entries"], *(entry for segment in report["segments"] for entry in segment["entries"])]


def _first(texts: Sequence[str]) -> list[str]:
    """The first lines, and how many there are more."""
    more = len(texts) - MOST_LINES
    return [*texts[:MOST_LINES], *([f"... and {more} more"] if more > 0 else [])]


def _sections(report: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Titles with lines, of what there is."""
    missed = tuple(f"{miss['guard']}: held" for miss in report["misses"])
    reasons = [reason for reason in report["calls_in_python"] if not reason.startswith(missed)]
    if reasons:
        yield "in Python:", reasons
    graphs = [(f"graph {number}", entry) for number, entry in enumerate(report["entries"], 1)]
    for segment in report["segments"]:
        graphs += [(f"graph of the part from {segment['line']}", entry) for entry in segment["entries"]]
    for title, entry in graphs[:MOST_LINES]:
        yield f"{title}: {_guards(entry)}", _of_entry(entry)
    if len(graphs) > MOST_LINES:
        yield f"... and {_number(len(graphs) - MOST_LINES, 'graph')} more", []
    if report["breaks"]:
        yield "breaks:", list(report["breaks"])
    if report["misses"]:
        yield "misses:", [_miss(miss) for miss in report["misses"]]
    for callee in report.get("callees", ()):
        yield f"called at a break: {callee['name']}: {state_of(callee)}", list(callee["breaks"])
    if report.get("cache"):
        yield "cache:", list(report["cache"])


def _guards(entry: Mapping[str, Any]) -> str:
    pinned = f", {_number(entry['pinned'], 'pinned number')}" if entry["pinned"] else ""
    return _number(entry["guards"], "guard") + pinned


def _of_entry(entry: Mapping[str, Any]) -> list[str]:
    """A line for each specialisation, then the effects."""
    lines = []
    for item in entry["specialisations"]:
        deopts = ", ".join(f"{_number(count, 'deopt')} by {reason}" for reason, count in item["deopts"].items())
        calls = _number(item["calls"], "call")
        more = len(item["shapes"]) - MOST_LINES
        shapes = ", ".join([*item["shapes"][:MOST_LINES], *([f"{more} more"] if more > 0 else [])])
        lines.append(f"{shapes or '()'}: {calls}, {_tier(item)}{', ' * bool(deopts)}{deopts}")
    return lines + [f"then: {effect}" for effect in entry["effects"]]


def _miss(miss: Mapping[str, Any]) -> str:
    line = f"{miss['line']}: " if miss["line"] else ""
    return (
        f"{line}{miss['guard']}: held {miss['held']}, met {miss['met']}, {_number(miss['times'], 'time')}: {miss['advice']}"
    )
