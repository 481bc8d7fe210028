"""What C code and libraries get of captured numbers and of texts of them: what Python would give them, by whatever way they
come to it; and what only moves them keeps them as they are, so that one graph serves all sizes."""

from __future__ import annotations

import collections
import dataclasses
import importlib.util
import operator
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit.capture.calls import builtins

# Of n and m, the sizes of x.
READ = """
str.join(",", [f"{n}"])
str.join(",", (f"{i}" for i in x.shape))
",".join(sorted({str(n), str(m)}))
",".join([n])
",".join({f"{n}": 1}.keys())
sorted([f"{n}", f"{m}"])
max(f"{n}", f"{m}")
[f"{m}", f"{n}"].index(f"{n}")
(f"{n}",) == (f"{n}",)
json.dumps([n, n / 3, n > 2, f"{n}", None])
json.dumps({"shape": x.shape, f"{n}": n})
json.dumps(Pair(n, f"{m}"))
json.dumps({"a": Rows(n)}, default=lambda rows: rows.n)
json.dumps({"a": Rows(n)}, default=vars)
json.dumps(collections.OrderedDict(a=n))
json.dumps(collections.Counter([n, n, m]))
json.dumps([n], indent=m)
json.loads(f"[{n}]")
json.loads("[1, 2]", parse_int=lambda s: f"{n}")
re.sub("n", lambda found: f"{n}", "n rows")
re.sub("n", f"{n}", "n rows")
re.split("-", f"{n}-{m}")
"n rows".translate(str.maketrans("n", f"{n}"))
"n rows".translate({110: f"{n}"})
"a".ljust(n + 3, f"{n}")
b"%d" % n
bytes([n, m])
bytes(f"{n}", "utf8")
int(f"{n}")
complex(n, m)
list(itertools.permutations(range(3), n))
list(itertools.combinations(range(4), n))
list(collections.deque([1, 2, 3, n], maxlen=n))
collections.deque([1, 2, 3, n], n).maxlen
Window(n).maxlen
statistics.mean(x.shape)
str(fractions.Fraction(n, m))
str(datetime.date(2000, n, m))
textwrap.indent("aa", f"{n}")
struct.pack(f"{n}i", *([n] * n))
str(Rows(n))
f"{Rows(n):>5}"
"%s" % Rows(n)
len(Rows(n))
Name(f"{n}").upper()
Scale(n / 3) * 2
True.__and__(n > 2)
int.__add__(n, 2)
float.fromhex(f"0x{n}")
np.array(x.shape)
np.array([n, m / 2])
np.array([n > 2])
np.array([f"row {n}"])
np.array([n, "rows"])
np.array(Sequence(x.shape))
np.array(collections.deque(x.shape))
np.append([1], [n])
np.stack([x.shape, x.shape])
np.where([True, False], n, m)
np.full(2, n)
np.arange(n)
np.linspace(0, n, m)
np.diag(x.shape)
np.repeat(n, m)
np.outer(x.shape, x.shape)
np.prod(x.shape)
np.sum(x.shape)
np.max(x.shape)
np.dot(x.shape, x.shape)
np.clip(n, 0, 2)
np.round(n / 3, 2)
np.unravel_index(n, (2, 3))
np.ravel_multi_index((n - 2, m - 3), (4, 4))
np.pad([1, 2], n)
np.percentile(x.shape, 50)
np.histogram([1, 2, 3], bins=n)
np.polyfit([0, 1, 2], [1, 2, n], 1)
np.fromiter((i * 2 for i in x.shape), int)
np.ones(2) * x.shape
np.add.reduce(x.shape)
np.exp([-n, 0.5])
""".strip().splitlines()

MOVED = """
",".join(str(i) for i in x.shape)
",".join(map(str, x.shape))
",".join([f"{n}", "a"])
",".join(Texts([n, m]).texts())
",".join(Texts([n, m]))
",".join(reversed([f"{n}", "q"]))
",".join((str(n),) * 2)
[*map(str, x.shape)]
list(map(lambda v: f"{v}", x.shape))
list(zip(x.shape, map(str, x.shape)))
list(enumerate(x.shape, 1))
list(reversed(x.shape))
list(itertools.chain([n], [m]))
list(itertools.accumulate(x.shape))
list(collections.deque([n, m]))
dict(rows=n, columns=[m])
dict(zip("ab", x.shape))["b"]
{"a": n}.get("a")
[n, m].pop()
list.append(made := [], n) or made
heapq.nlargest(2, [1, n * 0, 0])
functools.reduce(operator.mul, x.shape)
operator.itemgetter(0)(x.shape)
operator.mul(n, 2)
functools.partial(max, n)(m)
Pair(n, m)
Pair._make(x.shape)
Pair(n, m)._replace(a=m)
Pair(n, m)._asdict()
copy.copy([n])
sum(x.shape)
math.prod(x.shape)
divmod(n, 7)
isinstance(n, int)
n if bool(n) else m
f"{n} rows"
"{} rows".format(n)
"%d rows" % n
""".strip().splitlines()

HEAD = """
import collections, copy, datetime, fractions, functools, heapq, itertools, json, math, operator, re, statistics, struct
import textwrap
import numpy as np

Pair = collections.namedtuple("Pair", "a b")

class Texts:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return self.texts()

    def texts(self):
        for value in self.values:
            yield str(value)

class Sequence(Texts):
    def __len__(self):
        return len(self.values)

    def __getitem__(self, at):
        return self.values[at]

class Rows:
    def __init__(self, n):
        self.n = n

    def __str__(self):
        return f"{self.n} rows"

    def __format__(self, form):
        return f"{self.n:{form}}"

    def __len__(self):
        return self.n

class Window(collections.deque):
    def __init__(self, n):
        super().__init__(maxlen=n)

class Name(str): pass
class Scale(float): pass

def told(value):
    if isinstance(value, (np.ndarray, np.generic)):
        return type(value).__name__, str(value.dtype), value.tolist()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [told(each) for each in value]
    return type(value).__name__, value
"""
FUNCTION = """
def f{}(x):
    n, m = x.shape
    try:
        value = told({})
    except Exception as error:
        value = "error", str(error)
    return x + 1, value
"""


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """A module with a function of each expression."""
    path: Path = tmp_path_factory.mktemp("values") / "values_of_expressions.py"
    path.write_text(HEAD + "".join(FUNCTION.format(i, each) for i, each in enumerate(READ + MOVED)))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [shown(each) for each in value]
    if isinstance(value, dict):
        return type(value).__name__, [(shown(key), shown(each)) for key, each in value.items()]
    return type(value).__name__, repr(value)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("number", range(len(READ + MOVED)), ids=READ + MOVED)
def test_what_is_called_gets_values_of_python(number: int, mode: str, functions: ModuleType) -> None:
    function = getattr(functions, f"f{number}")
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for shape in ((2, 3), (3, 4), (2, 3)):
        x = Tensor(np.ones(shape, np.float32))
        assert shown(jitted(x)[1]) == shown(function(x)[1])
    assert len(jitted.explain()["entries"]) == (2 if number < len(READ) else 1)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_call_without_an_operand_fails_as_in_python(mode: str) -> None:
    def without_an_operand(x: Tensor) -> Any:
        try:
            operator.add(f"{x.shape[0]}")  # type: ignore[call-arg]
        except TypeError:
            return x + 1
        return x

    jitted = ms.jit(without_an_operand, capture_mode=mode, fullgraph=True)
    assert jitted(Tensor([1.0, 2.0])).tolist() == [2.0, 3.0]


class Numbers(list):
    pass


@dataclasses.dataclass
class Row:
    given: Any
    why: str


@pytest.mark.breaks
@pytest.mark.parametrize(
    "row",
    [
        Row(lambda x: np.array(Numbers([x.shape[0]])), "a Numbers with numbers in it that may differ between calls"),
        Row(lambda x: np.array(collections.UserList(x.shape)), "a UserList with numbers in it"),
        Row(lambda x: np.prod([int(x.sum()), 2]), "depends on the elements of a Tensor"),
        Row(lambda x: ",".join({f"{x.sum()}": 1}), "still being captured"),
    ],
    ids=["list", "UserList", "number of the graph", "text of the graph"],
)
def test_what_has_no_value_of_python_breaks_at_its_line(row: Row) -> None:
    jitted = ms.jit(lambda x: (x + 1, str(row.given(x))))
    for shape in ((2, 3), (3, 4)):
        x = Tensor(np.ones(shape, np.float32))
        assert jitted(x)[1] == str(row.given(x))
    told = jitted.explain()["breaks"]
    assert told and told[0].startswith(f"{__file__}:") and row.why in told[0], told


@pytest.mark.breaks
def test_an_error_of_the_capture_alone_is_told_with_its_line_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(builtins.REPLACEMENTS, ascii, lambda value: len(value))

    def name(n: int) -> str:
        return ascii(n)

    jitted = ms.jit(lambda x: x * int(name(2)))
    for _ in range(2):
        assert jitted(Tensor([1.0, 2.0])).tolist() == [2.0, 4.0]
    line = name.__code__.co_firstlineno + 1
    want = f"{__file__}:{line}: what is captured raises TypeError (object of type 'int' has no len()), which Python does not"
    assert [each[: len(want)] for each in jitted.explain()["breaks"]] == [want]
    assert jitted.explain()["calls"]["in_python"] == 2
