"""What a notebook's user sees, by a real kernel: results and prints, a cell run again with another body, sources of cells,
tracebacks that show their lines, classes made anew, awaited calls, and an interrupt.

All cells run once, in order, in one kernel; each is a case of its own, that looks at its output.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

FIRST = """
import emberjit as ms
from emberjit import Tensor, nn
scale = 2.0
x = Tensor([1.0, 2.0])

@ms.jit
def f(x):
    return x * scale

@ms.jit
def twice(x):
    return f(x) * 2

f(x)
"""
GRAPHS = "print(*(len(each.explain()['entries']) for each in (f, twice)), f.explain()['breaks'], f.explain()['calls'])"
FAILS = """
@ms.jit
def fails(x):
    y = x * 2
    return y.reshape(5)

fails(x)
"""
RAISES = """
@ms.jit
def checked(x):
    if x.sum() > 2:
        raise ValueError("too large")
    return x

print(checked(x * 0))
checked(x)
"""
NET = """
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor([1.0, 1.0]), name="w")

    @ms.jit
    def construct(self, x):
        return x {operator} self.w * 3

net = Net()
print(net(x), net(x), isinstance(net, Net))
"""
AUTORELOAD = """
%load_ext autoreload
%autoreload 2
import os, pathlib
def write(operator):
    pathlib.Path("reloaded.py").write_text(f'''
from emberjit import nn
class Reloaded(nn.Cell):
    def construct(self, x):
        return x {operator} 5
''')
    write.when += 10
    os.utime("reloaded.py", (write.when, write.when))
write.when = 1_700_000_000
write("+")
from reloaded import Reloaded
reloaded = Reloaded()
by_graph = ms.jit(reloaded)
print(reloaded(x), by_graph(x), by_graph(x))
"""
AWAITED = """
import asyncio

async def later(n):
    await asyncio.sleep(0)
    return f(x * n)

print(await later(1))
print(*await asyncio.gather(*(later(n) for n in range(3))))
"""
ENDLESS = """
@ms.jit
def endless(x, step):
    while x.sum() > 0:
        x = x - step
    return x

print(endless(x, 1.0), endless(x, 0.5))
"""
SOURCES = "import inspect, linecache\nname = inspect.unwrap(f).__code__.co_filename\n"
# A name, the cell, and what it writes: a text, or a pattern.
CELLS: list[tuple[str, str, str | re.Pattern[str]]] = [
    ("a result", FIRST, "Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+00])"),
    ("a print", "print(f(x), twice(x))", "[2. 4.] [4. 8.]"),
    ("a last expression", "twice(x), {'a': f(x)[0]}", re.compile(r"\(Tensor\(.* 8.0+e\+00\]\),\n? \{'a': Tensor\(")),
    ("graphs", GRAPHS, "1 1 [] {'by_graph': 2, 'in_parts': 0, 'in_python': 0}"),
    ("a global that changes", "scale = 3.0\nprint(f(x), twice(x))", "[3. 6.] [ 6. 12.]"),
    ("graphs of another number", GRAPHS, "1 1 [] {'by_graph': 2, 'in_parts': 0, 'in_python': 0}"),
    ("another global", "scale = Tensor([5.0, 7.0])\nprint(f(x), twice(x))", "[ 5. 14.] [10. 28.]"),
    ("another body", "@ms.jit\ndef f(x):\n    return x + 10\n\nprint(f(x), twice(x))", "[11. 12.] [22. 24.]"),
    ("graphs of another body", GRAPHS, "1 3 [] {'by_graph': 0, 'in_parts': 0, 'in_python': 0}"),
    ("a report's lines", "print(f.explain())", re.compile(r"^f at Cell In\[\d+\]:1: 1 graph", re.M)),
    ("what a cell shows of a function", "f", re.compile(r"<jit f at Cell In\[\d+\]:1: 1 graph")),
    ("the file of a cell", SOURCES + "print(name)", re.compile(r"/.*ipykernel_\d+/\d+\.py|<ipython-input-.*>")),
    ("the lines of a cell", "print(linecache.getlines(name)[:3])", "['@ms.jit\\n', 'def f(x):\\n', '    return x + 10\\n']"),
    ("the source", "print(inspect.getsource(f))", "@ms.jit\ndef f(x):\n    return x + 10"),
    (
        "a report",
        "print(f.explain()['entries'][0]['bytecode'])",
        re.compile(r"function 0 f\(.*# \S*(ipy|\d\.py)\S*:3", re.S),
    ),
    (
        "an error of an op",
        FAILS,
        re.compile(r"line 6\n.*----> 6 fails\(x\).*line 4, in fails.*----> 4 +return y\.reshape\(5\)", re.S),
    ),
    (
        "a print before an error",
        RAISES,
        re.compile(r"^\[0. 0.\].*----> 8 checked\(x\).*----> 4 +raise ValueError.*too large", re.S),
    ),
    ("a class", NET.replace("{operator}", "+"), "[4. 5.] [4. 5.] True"),
    ("a class made anew", NET.replace("{operator}", "-"), "[-2. -1.] [-2. -1.] True"),
    ("a module", AUTORELOAD, "[6. 7.] [6. 7.] [6. 7.]"),
    ("a module written anew", "write('*')", ""),
    ("a module loaded anew", "print(reloaded(x), by_graph(x), by_graph(x))", "[ 5. 10.] [ 5. 10.] [ 5. 10.]"),
    ("an awaited call", AWAITED, "[11. 12.]\n[10. 10.] [11. 12.] [12. 14.]"),
    ("a loop", ENDLESS, "[-1.  0.] [-0.5  0.5]"),
    ("an interrupt", "endless(x, 0.0)", re.compile(r"KeyboardInterrupt.*----> 1 endless\(x, 0\.0\)", re.S)),
    ("after an interrupt", "print(endless(x, 1.0), f(x), len(endless.explain()['entries']))", "[-1.  0.] [11. 12.] 1"),
]


def written(outputs: list[Any]) -> str:
    """The text of outputs, without colours."""
    text = ""
    for output in outputs:
        if output.output_type == "stream":
            text += output.text
        elif output.output_type == "error":
            text += "\n".join([output.ename, *output.traceback, output.evalue])
        else:
            text += output.data["text/plain"]
    return re.sub(r"\x1b\[[\d;]*m", "", text).strip()


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each cell writes. One that runs for 2 seconds, where it is the endless one, gets an interrupt."""
    folder: Path = tmp_path_factory.mktemp("notebook")
    cells = [nbformat.v4.new_code_cell(source.strip("\n")) for _, source, _ in CELLS]
    client = nbclient.NotebookClient(
        nbformat.v4.new_notebook(cells=cells),
        timeout_func=lambda cell: 2 if cell.source == "endless(x, 0.0)" else 120,
        interrupt_on_timeout=True,
        allow_errors=True,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return {name: written(cell.outputs) for (name, _, _), cell in zip(CELLS, cells)}


@pytest.mark.parametrize(("name", "want"), [(name, want) for name, _, want in CELLS], ids=[name for name, _, _ in CELLS])
def test_cells(name: str, want: str | re.Pattern[str], notebook: dict[str, str]) -> None:
    got = notebook[name]
    assert got == want if isinstance(want, str) else want.search(got), got
