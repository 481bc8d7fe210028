"""Effects on what lives outside a jitted function happen as often as in Python, in order: each kind at each position, by
every way of capture."""

from __future__ import annotations

import array
import collections
import ctypes
import dataclasses
import functools
import io
import itertools
import linecache
import operator
import re
import sys
import types
from typing import Any

import numpy as np
import pytest
from effects import EFFECTS, MODULES, STATEMENTS

import emberjit as ms
from emberjit import Tensor

pytestmark = pytest.mark.breaks

MODES = ["ast", "bytecode"]


class Special:
    """Each special method logs its name."""

    def __init__(self, log: list[Any]):
        object.__setattr__(self, "log", log)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.log.append(name)
        return 2

    def __setattr__(self, name: str, value: Any) -> None:
        self.log.append(("set", name))

    def __delattr__(self, name: str) -> None:
        self.log.append(("del", name))

    def __enter__(self) -> int:
        self.log.append("enter")
        return 3

    def __exit__(self, *error: Any) -> bool:
        self.log.append(("exit", error[0]))
        return False

    def __iter__(self) -> Any:
        self.log.append("iter")
        return iter([1, 2])

    @property
    def prop(self) -> int:
        self.log.append("prop")
        return 4

    @prop.setter
    def prop(self, value: Any) -> None:
        self.log.append("prop set")

    @classmethod
    def of_class(cls, log: Any) -> int:
        log.append("of class")
        return 1


def _logging(name: str, result: Any) -> Any:
    def method(self: Any, *args: Any) -> Any:
        self.log.append(name)
        return result

    return method


_RESULTS: dict[str, Any] = {
    **dict.fromkeys(
        ("add", "radd", "sub", "mul", "rmul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"), 2
    ),
    **dict.fromkeys(
        ("lshift", "rshift", "neg", "pos", "invert", "abs", "len", "int", "index", "getitem", "call", "hash"), 2
    ),
    **dict.fromkeys(("lt", "le", "gt", "ge", "eq", "ne", "bool", "contains"), True),
    **dict.fromkeys(("round", "floor", "ceil", "trunc", "hash", "xor"), 2),
    **dict.fromkeys(("setitem", "delitem"), None),
    **dict.fromkeys(("str", "repr", "format"), "text"),
    "float": 2.0,
    "divmod": (1, 1),
    "reversed": [2, 1],
}
for _name, _result in _RESULTS.items():
    setattr(Special, f"__{_name}__", _logging(_name, _result))
for _name in ("iadd", "isub", "imul", "ior"):
    setattr(Special, f"__{_name}__", lambda self, other, name=_name: (self.log.append(name), self)[1])


class Counted:
    """Counts on its class and on itself."""

    made = 0

    def __init__(self, n: int = 0):
        Counted.made += 1
        self.n = n

    def __init_subclass__(cls) -> None:
        Counted.made += 100

    def up(self) -> int:
        self.n += 1
        return self.n

    @functools.cached_property
    def cached(self) -> int:
        return self.up()

    def __iadd__(self, other: int) -> Counted:
        self.n += other
        return self

    __slots__ = ("__dict__", "__weakref__", "slot")


class Descriptor:
    def __init__(self) -> None:
        self.log: list[Any] = []

    def __get__(self, owner: Any, cls: Any) -> int:
        self.log.append(owner is None)
        return 2

    def __set__(self, owner: Any, value: Any) -> None:
        self.log.append("set")


class Described:
    d = Descriptor()


class Access:
    log: list[Any] = []

    def __getattribute__(self, name: str) -> Any:
        if name == "other":
            Access.log.append(name)
        return object.__getattribute__(self, "k" if name == "other" else name)

    k = 3


class Ended:
    def __init__(self, log: list[Any]):
        self.log = log

    def __del__(self) -> None:
        self.log.append("ended")


class Meta(type):
    log: list[Any] = []

    def __call__(cls, *args: Any) -> Any:
        Meta.log.append("call")
        return super().__call__(*args)

    def __instancecheck__(cls, value: Any) -> bool:
        Meta.log.append("instance")
        return True


class Made(metaclass=Meta):
    pass


class Iterator:
    def __init__(self) -> None:
        self.n = 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> int:
        self.n += 1
        return self.n


class Listed(list):  # type: ignore[type-arg]
    def append(self, value: Any) -> None:
        super().append(value)
        super().append("also")


def logs(log: list[Any], value: Any = 1) -> Any:
    log.append(value)
    return value


class Key:
    """Equal to all of its kind; logs."""

    def __init__(self, log: list[Any]):
        self.log = log

    def __hash__(self) -> int:
        self.log.append("hash")
        return 1

    def __eq__(self, other: Any) -> bool:
        self.log.append("eq")
        return True

    def __lt__(self, other: Any) -> bool:
        self.log.append("lt")
        return False


@dataclasses.dataclass
class Data:
    items: list[Any] = dataclasses.field(default_factory=list)


def state() -> dict[str, Any]:
    """What programs change: a global namespace of each of their own."""
    log: list[Any] = []
    Counted.made = 0
    Access.log = []
    Meta.log = []
    Described.__dict__["d"].log = []
    imported = types.ModuleType("imported_by_effects")
    imported.NAMES = []  # type: ignore[attr-defined]
    sys.modules[imported.__name__] = imported
    return {
        "log": log,
        "box": Counted(),
        "nested": [[], {}],
        "table": {},
        "names": {1},
        "data": bytearray(b"abc"),
        "many": collections.deque([1, 2]),
        "default": collections.defaultdict(list),
        "counter": collections.Counter(),
        "ordered": collections.OrderedDict(a=1, b=2),
        "chain": collections.ChainMap({}, {"a": 1}),
        "user": collections.UserDict(),
        "listed": Listed(),
        "numbers": array.array("i", [1, 2]),
        "floats": np.arange(6, dtype=np.float32).reshape(2, 3),
        "record": np.zeros(2, [("a", "f4")]),
        "view": memoryview(bytearray(b"abcd")),
        "heap": [1, 2, 3],
        "text": io.StringIO(),
        "iterator": iter(range(100)),
        "counting": itertools.count(),
        "own": Iterator(),
        "special": Special(log),
        "described": Described(),
        "access": Access(),
        "key": Key(log),
        "plain": types.SimpleNamespace(k=0),
        "holder": Data(),
        "memo": functools.lru_cache(lambda n: logs(log, n)),
        "single": functools.singledispatch(lambda n: logs(log, n)),
        "method": operator.methodcaller("append", 5),
        "partial": functools.partial(log.append, 6),
        "bound": log.append,
        "raw": (ctypes.c_int * 2)(),
        "sent": _sent(log),
        "tensor": Tensor(np.zeros(2, np.float32)),
        "pattern": re.compile("a"),
        "G": 0,
    }


def _sent(log: list[Any]) -> Any:
    while True:
        log.append((yield 1))


POSITIONS = {
    "before": "def f(x):\n{}\n    return x * 2",
    "after": "def f(x):\n    y = x * 2\n{}\n    return y + 1",
    "in a loop": "def f(x):\n    for _ in range(2):\n        x = x + 1\n    {0}\n    return x",
    "under a condition": "def f(x):\n    if x.shape[0] == 2:\n    {0}\n        x = x + 1\n    return x",
    "under a Tensor": "def f(x):\n    if x.sum() > 0:\n    {0}\n        x = x + 1\n    return x * 2",
    "in a callee": "def g(y):\n{}\n    return y + 1\n\ndef f(x):\n    return g(x * 2) * 3",
    "in a lambda's callee": "def g(y):\n{}\n    return y + 1\n\ndef f(x):\n    return (lambda v: g(v))(x) + x",
    "in a generator": "def g(y):\n{}\n    yield y + 1\n\ndef f(x):\n    return sum(g(x * 2))",
    "in a method": "class B:\n    def m(self, y):\n    {0}\n        return y + 1\n\ndef f(x):\n    return B().m(x * 2)",
    "in a try": "def f(x):\n    try:\n        y = x + 1\n    {0}\n    finally:\n        y = x * 2\n    return y",
    "before an error": "def f(x):\n    y = x + 1\n{}\n    raise ValueError('at the end')",
    "in a comprehension": None,
}


def program(name: str, position: str, names: dict[str, Any]) -> Any:
    """A function with an effect at a position."""
    statement = STATEMENTS.get(name) or EFFECTS[name]
    if position == "in a comprehension":
        text = f"def f(x):\n    return [({statement}, x + i)[1] for i in range(2)]"
    else:
        pattern = POSITIONS[position]
        lines = "\n".join("    " + line for line in statement.split("\n"))
        deeper = lines.replace("\n", "\n    ")
        text = pattern.format(deeper if "{0}" in pattern else lines)
    file = f"<{name} {position}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), names)
    return names["f"]


def shown(value: Any, depth: int = 0) -> Any:
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, (dict, types.SimpleNamespace, Counted, Data, Iterator, collections.UserDict)) and depth < 3:
        return {k: shown(v, depth + 1) for k, v in (value if isinstance(value, dict) else vars(value)).items()}
    if isinstance(value, (list, tuple, collections.deque, collections.ChainMap, array.array, ctypes.Array)):
        return [shown(v, depth + 1) for v in (value.maps if isinstance(value, collections.ChainMap) else value)]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, io.StringIO):
        return value.getvalue()
    if isinstance(value, type(functools.lru_cache(len))):
        return str(value.cache_info())
    if isinstance(value, itertools.count):
        return repr(value)
    return value if isinstance(value, (int, float, str, set, type(None))) else type(value).__name__


def outcome(name: str, position: str, mode: str | None) -> Any:
    """Results, errors and what the program has changed, call by call."""
    made = state()
    names = {**globals(), **MODULES, **made}
    kept = [key for key in made if key not in ("iterator", "box")]
    function = program(name, position, names)
    if mode is not None:
        function = ms.jit(function, capture_mode=mode)
    seen = []
    for i in range(3):
        try:
            result: Any = shown(function(Tensor(np.array([i + 1.0, 2.0], np.float32))))
        except Exception as error:
            assert not isinstance(error, NameError), error  # of what a program needs
            result = f"{type(error).__name__}: {error}"
        told = [shown(names[key]) for key in kept]
        seen.append((result, told, Counted.made, Access.log[:], Meta.log[:], Described.__dict__["d"].log[:], names["box"].n))
    return seen, next(names["iterator"])


def _cases() -> list[Any]:
    cases = []
    for position in POSITIONS:
        for name in (*EFFECTS, *STATEMENTS):
            if position != "in a comprehension" or name in EFFECTS:
                cases.append((name, position))
    return cases


@pytest.mark.alone
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("position", POSITIONS)
def test_effects_happen_as_in_python(position: str, mode: str) -> None:
    assert differing(position, mode) == []


def differing(position: str, mode: str, only: Any = None) -> list[str]:
    """The effects that a jitted function has otherwise than a plain one."""
    names = [name for name, at in _cases() if at == position and (only is None or name == only)]
    return [name for name in names if outcome(name, position, mode) != outcome(name, position, None)]


def counting(kind: type, log: list[str]) -> Any:
    """A class of containers that notes what asks them for what they hold."""

    def noting(name: str) -> Any:
        def method(self: Any) -> Any:
            log.append(name)
            return getattr(kind, name)(self)

        return method

    names = [name for name in ("__iter__", "__len__", "keys", "values", "items") if hasattr(kind, name)]
    return type("Counting", (kind,), {name: noting(name) for name in names})


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
@pytest.mark.parametrize("kind", [list, tuple, dict, set, frozenset, bytearray, collections.deque])
@pytest.mark.parametrize(
    "ask", [sorted, repr, lambda c: f"{c}", lambda c: c.copy() if hasattr(c, "copy") else c.count(1), max]
)
def test_containers_of_the_users_are_asked_as_often_as_in_python(ask: Any, kind: type, mode: str) -> None:
    log: list[str] = []
    container = counting(kind, log)({1: 2, 3: 4} if kind is dict else [3, 1])

    def f(x: Any) -> Any:
        return x + len(str(ask(container)))

    x = Tensor([1.0])
    f(x)
    expected, jitted = list(log), ms.jit(f, capture_mode=mode)
    for _ in range(3):
        log.clear()
        jitted(x)
        assert log == expected


@pytest.mark.parametrize("mode", MODES)
def test_setters_of_the_users_are_followed_until_there_is_another(mode: str) -> None:
    class Scaled:
        kept: Any = None
        scale = property(lambda self: self.kept, lambda self, value: setattr(self, "kept", value + 1))

    def f(x: Any, n: int) -> Any:
        scaled.scale = n
        return x + 1

    scaled = Scaled()
    jitted = ms.jit(f, capture_mode=mode, fullgraph=True)
    for graphs, setter in ((1, lambda n: n + 1), (2, lambda n: n * 10)):
        for n in (2, 3, 4):
            assert jitted(Tensor([1.0]), n).tolist() == [2.0] and scaled.kept == setter(n)
        assert len(jitted.explain()["entries"]) == graphs
        Scaled.scale = property(lambda self: self.kept, lambda self, value: setattr(self, "kept", value * 10))
