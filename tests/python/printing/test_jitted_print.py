"""How jitted functions and their reports show themselves, and that a report is the dict that it was."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops
from emberjit import _emberjit as core
from emberjit.capture.jit.report import MOST_LINES, Report, title_of

X = Tensor(np.ones((2, 3), np.float32))
SCALE = 2.0


def scaled(x: Any) -> Any:
    return x * SCALE


def parted(x: Any) -> Any:
    y = x * 2
    len(np.asarray(y))
    return y + 1


def generating(x: Any) -> Any:
    yield x


class Net(nn.Cell):
    """A Cell, whose construct is jitted."""

    @ms.jit
    def construct(self, x: Any) -> Any:
        return x + 1


class Plain(nn.Cell):
    """A Cell that jit is given."""

    def construct(self, x: Any) -> Any:
        return x + 1


def jitted_itself() -> Plain:
    """A Cell whose own construct was jitted."""
    cell = Plain()
    cell.construct = ms.jit(cell.construct)
    return cell


def called(function: Any, *calls: Any) -> Any:
    """A function, jitted, after calls."""
    jitted = ms.jit(function)
    for argument in calls:
        jitted(argument)
    return jitted


def place(function: Any, after: int = 0) -> str:
    """The file and a line of a function."""
    return f"{__file__}:{function.__code__.co_firstlineno + after}"


ONE = f"""scaled at {place(scaled)}: 1 graph; TIER; calls: 1 by graph
  graph 1: N guards
    (2, 3): 2 calls, TIER"""
TWO = f"""scaled at {place(scaled)}: 2 graphs; TIER
  graph 1: N guards
    (2, 3): 1 call, TIER
  graph 2: N guards
    (1,): 1 call, TIER
  misses:
    x is Tensor[Float32](s0, s1): held x is Tensor[Float32](s0, s1), met Tensor[Float32](1,), 1 time: each outcome has one \
graph: sizes and numbers that decide it alike share it; 0 and 1 decide by themselves"""
PARTS = f"""parted at {place(parted)}: 2 graphs of parts of it; TIER; calls: 2 in parts; 2 breaks
  graph of the part from {place(parted)}: N guards
    (2, 3): 2 calls, TIER
  graph of the part from {place(parted, 2)}: N guards
    number, (2, 3): 2 calls, TIER
  breaks:
    {place(parted, 2)}: '__array__' needs the elements of a Tensor that is still being captured into a graph; do it outside \
the jitted function, or return the Tensor first.
    {place(parted, 2)}: a value that Python made outside the graph is looked at."""
REASON = (
    f"{place(generating)}: a captured function returns a Generator that it made, which a graph cannot make anew in every "
    "call: return Tensors, numbers, and tuples, lists and dicts of them."
)
IN_PYTHON = f"""generating at {place(generating)}: runs in Python because {REASON}; calls: 1 in Python
  breaks:
    {REASON}"""
REPORTS = {
    "not called": (lambda: called(scaled), f"scaled at {place(scaled)}: not called yet"),
    "one graph": (lambda: called(scaled, X, X), ONE),
    "a miss": (lambda: called(scaled, X, Tensor([1.0])), TWO),
    "in parts": (lambda: called(parted, X, X), PARTS),
    "in Python": (lambda: called(generating, X), IN_PYTHON),
}


def settled(text: str) -> str:
    """A text without what differs from run to run: how many guards there are, and whether code is native already."""
    return re.sub(r"interpreted and native|interpreted|native", "TIER", re.sub(r"\d+ guards?", "N guards", text))


def counted(report: Any) -> list[Any]:
    """What a call would change of a report."""
    return [report[key] for key in ("calls", "breaks", "misses", "calls_in_python")] + [
        item["calls"] for entry in report["entries"] for item in entry["specialisations"]
    ]


@pytest.mark.breaks
@pytest.mark.parametrize(("make", "want"), REPORTS.values(), ids=REPORTS.keys())
def test_reports(make: Any, want: str) -> None:
    jitted = make()
    before = counted(jitted.explain())
    head, *lines = want.split("\n")
    assert settled(str(jitted.explain())) == settled(repr(jitted.explain())) == want
    assert settled(repr(jitted)) == f"<jit {head}>"
    html = settled(jitted._repr_html_())
    assert html.startswith("<details open><summary>" if lines else "<div>") and f"<code>{escape(head)}</code>" in html
    assert [line for line in lines if escape(line.strip()) not in html] == []
    assert html.count("bytecode of graph") == len(re.findall(r"^  graph ", want, re.M))
    assert counted(jitted.explain()) == before, "a text has run, or changed, the function"


@pytest.mark.breaks
@pytest.mark.parametrize("make", [make for make, _ in REPORTS.values()], ids=REPORTS.keys())
def test_a_report_is_a_dict(make: Any) -> None:
    report = make().explain()
    plain = report.to_dict()
    assert type(plain) is dict and plain == report == dict(report) and {**report} == plain
    assert json.loads(json.dumps(plain)) == plain and list(report) == list(plain)
    assert report["calls"]["in_python"] == plain["calls"]["in_python"] and len(report["entries"]) == len(plain["entries"])
    plain["calls"]["in_python"] = -1
    assert report["calls"]["in_python"] != -1, "to_dict() shares what it holds"


TITLES = {
    "a function": (lambda: ms.jit(scaled), f"scaled at {place(scaled)}"),
    "a method": (lambda: ms.jit(Plain().construct), f"Plain.construct at {place(Plain.construct)}"),
    "a Cell": (lambda: ms.jit(Plain()), f"Plain at {place(Plain.construct)}"),
    "a Cell whose construct is jitted": (lambda: ms.jit(Net()), f"Net at {place(Net.construct)}"),
    "a Cell whose own construct is jitted": (lambda: ms.jit(jitted_itself()), f"Plain at {place(Plain.construct)}"),
    "a jitted construct": (lambda: Net.construct, f"Net.construct at {place(Net.construct)}"),
    "no code": (lambda: ms.jit(len), "len"),
    "a lambda": (lambda: ms.jit(eval("lambda x: x")), "<lambda> at <string>:1"),
}


@pytest.mark.parametrize(("make", "want"), TITLES.values(), ids=TITLES.keys())
def test_titles(make: Any, want: str) -> None:
    assert title_of(make()) == want
    assert repr(make()).startswith(f"<jit {want}: ")
    assert f"<code>{escape(want)}: " in make()._repr_html_()


def test_half_made_and_unmade() -> None:
    function = ms.jit(scaled)
    function.__dict__.clear()
    for half in (core.Jit(scaled, scaled, scaled), function):
        assert repr(half) == "<jit of nothing yet: not called yet>"
        assert half._repr_html_() == "<div><code>of nothing yet: not called yet</code></div>"


def test_long_sections_end() -> None:
    breaks = [f"file.py:{line}: a reason" for line in range(MOST_LINES + 3)]
    calls = {"by_graph": 0, "in_parts": 0, "in_python": 2}
    report = Report(
        {"entries": [], "segments": [], "misses": [], "calls_in_python": [], "breaks": breaks, "calls": calls}, "f"
    )
    assert str(report).split("\n")[-2:] == [f"    {breaks[MOST_LINES - 1]}", "    ... and 3 more"]
    assert breaks[-1] in report._repr_html_()


def test_explain_refuses_what_is_not_jitted() -> None:
    with pytest.raises(
        TypeError, match="For 'explain', the argument 'function' must be a jitted function, but got <function"
    ):
        ms.explain(scaled)


def test_a_report_of_many_graphs_and_operands_is_short() -> None:
    jitted: Any = ms.jit(lambda xs: sum(xs[1:], xs[0]))
    jitted([ops.ones(3)] * 11)
    report = jitted.explain()
    assert "(3,), (3,), 3 more: 1 call" in str(report)
    many = Report({**report, "entries": report["entries"] * (MOST_LINES + 4)}, "many")
    assert f"graph {MOST_LINES}: " in str(many) and f"graph {MOST_LINES + 1}: " not in str(many)
    assert str(many).splitlines()[-1] == "  ... and 4 graphs more"


def test_a_report_tells_each_miss_once() -> None:
    jitted: Any = ms.jit(lambda x, name: x * len(name))
    with pytest.warns(UserWarning, match="captured anew"):
        for count in range(9):
            jitted(ops.ones(3), f"batch {count}")
    held = [line for line in str(jitted.explain()).splitlines() if ": held" in line]
    assert held and len(held) == len(set(held)) == len(jitted.explain()["misses"])
