"""Small programs of what a capture may overlook: each is given what jits a function, or leaves it as it is, and returns what
it has seen. State changes between calls, effects happen, objects are made, in ways that no list of places names."""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import gc
import inspect
import json
import sys
import types
import typing
import warnings
import weakref
from typing import Any

import numpy as np
from overlooked import Jit, Programs, around, told, x

from emberjit import Parameter, Tensor, nn

PROGRAMS = Programs()
program = PROGRAMS.add


# What is made inside -------------------------------------------------------------------------------------------------


@program
def tensors_of_constants(jit: Jit) -> Any:
    made = jit(lambda x: Tensor([1.0, 2.0]))
    seen = []
    for _ in range(3):
        t = made(x())
        t[0] = t[0] + 5
        seen.append(t.tolist())
    return seen


@program
def tensors_of_constants_behind_a_break(jit: Jit) -> Any:
    log: list[int] = []

    def f(x):
        t = Tensor([0.0, 0.0])
        log.append(1)
        t[0] = t[0] + 1
        return t

    f = jit(f)
    return [f(x()).tolist() for _ in range(4)]


@program
def parameters(jit: Jit) -> Any:
    def f(x):
        p = Parameter(Tensor([0.0, 0.0]), name="p")
        p[0] = p[0] + x[0]
        return p * 1

    f = jit(f)
    return [f(x()).tolist() for _ in range(3)]


@program
def cells(jit: Jit) -> Any:
    log: list[int] = []

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            log.append(1)

        def construct(self, x):
            return nn.ReLU()(x) * 2

    f = jit(lambda x: Net()(x))
    return [f(x()).tolist() for _ in range(3)], log


@program
def named_tuples_of_the_users_making(jit: Jit) -> Any:
    log: list[Any] = []

    class Pair(collections.namedtuple("Pair", "a b")):
        def __new__(cls, a, b):
            log.append(type(b))
            return super().__new__(cls, a, b)

    pair = Pair(x(), 3)
    f = jit(lambda p: p.a * p.b)
    return [f(pair).tolist() for _ in range(3)], log


# What is read --------------------------------------------------------------------------------------------------------


@program
def attributes_of_parameters(jit: Jit) -> Any:
    p = Parameter(x(), name="p")
    p.k = 2
    seen = around(jit(lambda x: x * p.k + getattr(p, "frozen", 1)), lambda: setattr(p, "k", 5))
    p.frozen = 7
    return seen, told(jit(lambda x: x * p.k + getattr(p, "frozen", 1)))


@program
def shapes_of_parameters(jit: Jit) -> Any:
    p = Parameter(x(), name="p")
    three = Tensor(np.ones(3, np.float32))
    return around(jit(lambda x: x * p.shape[0]), lambda: p.set_data(three, True))


@program
def operators_of_tensors_of_the_users_class(jit: Jit) -> Any:
    class Own(Tensor):
        def __add__(self, other):
            return self * other

    f = jit(lambda x: x + 5)
    return [told(f, Tensor([3.0])), told(f, Own([3.0])), told(f, Tensor([3.0]))]


@program
def attributes_by_super(jit: Jit) -> Any:
    class Base:
        k = 2
        items: typing.ClassVar[list[int]] = []

        @property
        def p(self):
            return self.n

    class Derived(Base):
        n = 1

        def g(self, x):
            super().items.append(1)
            return x * super().k + super().p

    d = Derived()
    f = jit(lambda x: d.g(x))
    seen = around(f, lambda: setattr(Base, "k", 5))
    d.n = 10
    return seen, told(f), Base.items


@program
def containers_by_super(jit: Jit) -> Any:
    class Held(collections.UserDict):
        def __getitem__(self, key):
            return super().__getitem__(key)

    held = Held(a=1)
    return around(jit(lambda x: x * held["a"]), lambda: held.update(a=5))


@program
def names_of_classes(jit: Jit) -> Any:
    class C:
        pass

    f = jit(lambda x: (x * 1, C.__name__, f"{C.__qualname__}", repr(C)[-5:]))
    return [f(x())[1:], setattr(C, "__name__", "Other"), f(x())[1:], setattr(C, "__qualname__", "Q"), f(x())[1:]]


@program
def members_of_enumerations(jit: Jit) -> Any:
    class E(enum.Enum):
        A = 1
        B = 2

    E.A.w = 2
    E.B.w = 0
    f = jit(lambda x: x * E["A"].w + sum(e.w for e in E))
    return around(f, lambda: setattr(E.A, "w", 5))


@program
def instance_checks(jit: Jit) -> Any:
    import abc

    class A(abc.ABC):  # noqa: B024
        pass

    class C:
        pass

    @typing.runtime_checkable
    class P(typing.Protocol):
        zq: int

    c = C()
    f = jit(lambda x: x * (2 if isinstance(c, A | int) else 3) * (5 if isinstance(c, P) else 7))
    seen = around(f, lambda: A.register(C))
    c.zq = 1
    return seen, told(f)


@program
def patterns(jit: Jit) -> Any:
    class C:
        a = 1

        def __len__(self):
            return 1

        def __getitem__(self, i):
            return 3

    c = C()

    def f(x):
        match c:
            case [_]:
                return x * 100
            case C(a=1):
                return x
        return x * 10

    f = jit(f)
    seen = around(f, lambda: setattr(c, "a", 2))
    collections.abc.Sequence.register(C)
    return seen, told(f)


@program
def classes_of_modules(jit: Jit) -> Any:
    class M(types.ModuleType):
        @property
        def k(self):
            return 5

    m = types.ModuleType("emberjit_test_module")
    m.k = 2
    return around(jit(lambda x: x * m.k), lambda: setattr(m, "__class__", M))


@program
def imports_that_come_to_succeed(jit: Jit) -> Any:
    def f(x):
        try:
            import emberjit_test_absent  # noqa: F401
        except ImportError:
            return x * 2
        return x * 3

    try:
        return around(jit(f), lambda: sys.modules.update(emberjit_test_absent=types.ModuleType("emberjit_test_absent")))
    finally:
        del sys.modules["emberjit_test_absent"]


@program
def nested_lists_of_tensors(jit: Jit) -> Any:
    rows = [[1.0, 2.0]]
    return around(jit(lambda x: x * Tensor(rows)), lambda: rows[0].__setitem__(0, 9.0))


@program
def printed_objects(jit: Jit) -> Any:
    class C:
        k = 1

        def __repr__(self):
            return f"<{self.k}>"

    c, items = C(), [[1]]
    f = jit(lambda x: (x * 1, str([c]), f"{items}", "{}".format(c)))  # noqa: UP032
    return [f(x())[1:], setattr(c, "k", 2), items[0].append(5), f(x())[1:]]


@program
def fields_of_dataclasses(jit: Jit) -> Any:
    @dataclasses.dataclass
    class D:
        a: Any = 1

    f = jit(lambda x: x * len(dataclasses.fields(D)) + D().a)
    return around(f, lambda: setattr(D, "__init__", lambda self: setattr(self, "a", 4)))


@program
def masks_of_arrays(jit: Jit) -> Any:
    a = np.ma.array([1.0, 2.0], mask=[0, 0])
    return around(jit(lambda x: x * float(a.sum())), lambda: a.mask.__setitem__(0, True))


@program
def what_numpy_is_told(jit: Jit) -> Any:
    a, zero = np.array([1.23456789]), np.zeros(1)

    def f(x):
        try:
            return x * len(str(a)) + float(np.isinf(np.divide(1.0, zero))[0])
        except FloatingPointError:
            return x * 2

    f = jit(f)
    before, errors = np.get_printoptions(), np.seterr(all="ignore")
    try:
        seen = around(f, lambda: np.set_printoptions(precision=2))
        np.seterr(all="raise")
        return seen, told(f), told(f)
    finally:
        np.set_printoptions(**before)
        np.seterr(**errors)


@program
def warnings_of_numpy(jit: Jit) -> Any:
    zero = np.zeros(1)
    f = jit(lambda x: x * float(np.isnan(zero / zero)[0]))
    counts = []
    for action in ("ignore", "always", "default", "always"):
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter(action)
            f(x())
            counts.append(len(given))
    return counts


@program
def hooks_of_json(jit: Jit) -> Any:
    pairs: list[Any] = []
    f = jit(lambda x: (json.loads('{"a": NaN}', object_pairs_hook=pairs.append), x * 2)[1])
    return [told(f) for _ in range(3)], len(pairs)


@program
def changes_of_functions(jit: Jit) -> Any:
    def g():
        pass

    def h():
        pass

    f = jit(lambda x: (functools.update_wrapper(h, g), x * 2)[1])
    f(x())
    h.__name__ = "again"
    f(x())
    return h.__name__


@program
def getters_that_are_no_functions(jit: Jit) -> Any:
    log: list[Any] = []

    class C:
        k = property(log.append)
        __getitem__ = staticmethod(lambda i: len(log) + i)

    c = C()
    f = jit(lambda x: (c.k, x * c[1])[1])
    return [told(f) for _ in range(4)], len(log)


@program
def attributes_that_fall_back(jit: Jit) -> Any:
    log: list[str] = []

    class C:
        __slots__ = ("a",)

        def __getattr__(self, name):
            log.append(name)
            return 5

        @property
        def p(self):
            raise AttributeError("inner")

    c = C()
    f = jit(lambda x: x * c.a + c.p)
    return [told(f) for _ in range(3)], log


@program
def partials_of_the_users_class(jit: Jit) -> Any:
    class Own(functools.partial):
        def __call__(self, *args, **kwargs):
            return super().__call__(*args, **kwargs) * 3

    own = Own(lambda x: x * 2)
    f = jit(lambda x: own(x))
    return [told(f) for _ in range(3)]


@program
def objects_that_are_looked_at(jit: Jit) -> Any:
    log: list[str] = []

    class Meta(type):
        def __getattr__(cls, name):
            log.append(name)
            raise AttributeError(name)

    class C(metaclass=Meta):
        def __getattribute__(self, name):
            log.append(name)
            return object.__getattribute__(self, name)

    c = C()
    f, g = jit(lambda x: (c, x * 2)[1]), jit(lambda x, c: x * 2)
    return [told(f) for _ in range(3)], [told(g, x(), c) for _ in range(3)], log


@program
def attributes_under_other_names(jit: Jit) -> Any:
    class Config:
        renamed = {"width": "size"}

        def __init__(self) -> None:
            self.size = 3

        def __getattribute__(self, name):
            if name != "renamed" and name in super().__getattribute__("renamed"):
                name = super().__getattribute__("renamed")[name]
            return super().__getattribute__(name)

        @property
        def twice(self):
            return 2 * self.width

    def f(x):
        made = Config()
        made.size = made.other = 5
        return x * config.width * made.width, config.twice, hasattr(config, "other"), getattr(config, "other", 4)

    config, f = Config(), jit(f)
    seen = [f(x()) for _ in range(2)]
    config.size = 7
    seen.append(f(x()))
    Config.renamed["width"] = "other"
    config.other = 2
    seen += [f(x()) for _ in range(2)]
    return [(result[0].tolist(), *result[1:]) for result in seen]


@program
def dicts_of_a_users_class(jit: Jit) -> Any:
    class Named(collections.OrderedDict):  # type: ignore[type-arg]
        def __post_init__(self):
            for field in dataclasses.fields(self):
                if getattr(self, field.name) is not None:
                    self[field.name] = getattr(self, field.name)

        def __setitem__(self, key, value):
            super().__setitem__(key, value)
            super().__setattr__(key, value)

        def __getitem__(self, key):
            return super().__getitem__(key) if isinstance(key, str) else tuple(self.values())[key]

    @dataclasses.dataclass
    class Out(Named):
        a: Any = None
        b: Any = None

    def f(x):
        out = Out(b=x * 2)
        out["a"] = x
        return out[0] + out.a, out["b"], len(out), list(out)

    f = jit(f)
    return [(result[0].tolist(), *result[2:]) for result in (f(x()) for _ in range(3))]


@program
def signatures_of_functions(jit: Jit) -> Any:
    class C:
        def method(self, a, b=2):
            return a * b

    def f(x):
        return x * sum(p.default for p in inspect.signature(c.method).parameters.values() if p.default is not p.empty)

    c, f = C(), jit(f)
    seen = [f(x()) for _ in range(2)]
    c.method.__func__.__defaults__ = (1, 2)
    seen.append(f(x()))
    C.method = lambda self: self  # type: ignore[assignment, misc]
    return [result.tolist() for result in (*seen, f(x()))]


@program
def ends_of_objects(jit: Jit) -> Any:
    log: list[str] = []

    class C:
        def __del__(self):
            log.append("end")

    class D:
        pass

    f = jit(lambda x, o: x * 2)
    f(x(), C())
    d = D()
    reference = weakref.ref(d)
    f(x(), d)
    del d
    gc.collect()
    return log, reference() is None


# Breaks --------------------------------------------------------------------------------------------------------------


@program
def classes_behind_a_break(jit: Jit) -> Any:
    log: list[int] = []

    class A:
        def __getattribute__(self, name):
            return object.__getattribute__(self, name)

    class B:
        pass

    def f(x):
        cls = A if len(log) % 2 else B
        made = A()
        again = made
        append = [1].append
        other = append
        log.append(1)
        return x * (2 if cls is A else 3), type(made) is A, made is again, append is other

    f = jit(f)
    return [(result[0].tolist(), *result[1:]) for result in (f(x()) for _ in range(6))]


@program
def generators_that_are_left(jit: Jit) -> Any:
    log: list[str] = []

    def items(x):
        try:
            yield x
            yield x * 2
        finally:
            log.append("finally")

    def left(x):
        it = items(x)
        a = next(it)
        log.append("body")
        return a

    def broken(x):
        for a in items(x):
            x = x + a
            break
        return x

    def closed(x):
        it = items(x)
        a = next(it)
        log.append("between")
        it.close()
        return a

    return [told(f) for f in map(jit, (left, broken, closed)) for _ in range(3)], log


test_jitted_is_as_plain = PROGRAMS.test()
