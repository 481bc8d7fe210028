"""Kinds of state that captured code may depend on, with ways to change each: what test_guards.py combines.

A kind makes (read, ways): `read()` gives a number that depends on the state, each way, by name, changes the state so that
read() gives another number, and, called again, changes it further or leaves it.
"""

from __future__ import annotations

import abc
import builtins
import dataclasses
import enum
import functools
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

Ways = dict[str, Callable[[], Any]]
Made = tuple[Callable[[], Any], Ways]
KINDS: dict[str, Callable[[], Made]] = {}


def kind(make: Callable[[], Made]) -> Callable[[], Made]:
    KINDS[make.__name__] = make
    return make


class Plain:
    """An object to hang attributes on."""


# Variables -----------------------------------------------------------------------------------------------------------


@kind
def global_variable() -> Made:
    names: dict[str, Any] = {"k": 2, "__name__": "user_module"}
    exec("def read(): return k\ndef set_k(v):\n    global k\n    k = v", names)
    return names["read"], {
        "assigned": lambda: names["set_k"](5),
        "written to the dict": lambda: names.update(k=5),
        "deleted, builtin of that name": lambda: (names.pop("k", None), setattr(builtins, "k", 7)),
    }


@kind
def builtin() -> Made:
    names: dict[str, Any] = {"__name__": "user_module"}
    exec("def read(): return len('ab')", names)
    return names["read"], {
        "shadowed by a global": lambda: names.update(len=lambda value: 5),
        "own builtins": lambda: (
            names.update(__builtins__={**vars(builtins), "len": lambda value: 7})
            if sys.version_info < (3, 10)
            else names.update(len=lambda value: 7)
        ),
    }


@kind
def closure_variable() -> Made:
    k = 2

    def read() -> Any:
        return k

    def assigned() -> None:
        nonlocal k
        k = 5

    def emptied() -> None:
        nonlocal k
        k = 0
        del k

    cell = read.__closure__[0]  # type: ignore[index]
    return read, {"assigned": assigned, "emptied": emptied, "by its cell": lambda: setattr(cell, "cell_contents", 7)}


@kind
def module_attribute() -> Made:
    module: Any = types.ModuleType("user_module")
    module.k = 2
    return lambda: module.k, {
        "assigned": lambda: setattr(module, "k", 5),
        "by its dict": lambda: vars(module).update(k=5),
        "deleted, __getattr__": lambda: (vars(module).pop("k", None), setattr(module, "__getattr__", lambda name: 7)),
    }


@kind
def default_of_getattr() -> Made:
    module: Any = types.ModuleType("user_module")

    class Bare:
        pass

    thing = Bare()
    return lambda: getattr(module, "k", 1) + getattr(thing, "k", 1) + hasattr(thing, "z"), {
        "of a module": lambda: setattr(module, "k", 5),
        "of an object": lambda: setattr(thing, "k", 5),
        "of its class": lambda: setattr(type(thing), "z", 5),
        "by __getattr__": lambda: setattr(type(thing), "__getattr__", lambda self, name: 5),
    }


# Functions -----------------------------------------------------------------------------------------------------------


@kind
def function() -> Made:
    def inner(a: Any = 2, *, b: Any = 3) -> Any:
        return a * b + getattr(inner, "k", 0)

    def other(a: Any = 2, *, b: Any = 3) -> Any:
        return a - b + getattr(inner, "k", 0)

    return lambda: inner(), {
        "__defaults__": lambda: setattr(inner, "__defaults__", (5,)),
        "__kwdefaults__": lambda: setattr(inner, "__kwdefaults__", {"b": 5}),
        "__kwdefaults__ in place": lambda: inner.__kwdefaults__.update(b=7),
        "__code__": lambda: setattr(inner, "__code__", other.__code__),
        "attribute": lambda: setattr(inner, "k", 5),
    }


@kind
def default_that_changes() -> Made:
    def inner(a: Any = [2]) -> Any:  # noqa: B006
        return a[0]

    return lambda: inner(), {"item": lambda: operator.setitem(inner.__defaults__[0], 0, 5)}  # type: ignore[index]


@kind
def partial() -> Made:
    call = functools.partial(lambda a, k: a * k, 3, k=2)
    return lambda: call(), {
        "keywords": lambda: call.keywords.update(k=5),
        "__setstate__": lambda: call.__setstate__((lambda a, k: a - k, (3,), {"k": 2}, None)),  # type: ignore[attr-defined]
    }


@kind
def single_dispatch() -> Made:
    @functools.singledispatch
    def f(value: Any) -> Any:
        return 2

    return lambda: f(1.5), {"registered": lambda: f.register(float, lambda value: 5)}


# Classes and objects -------------------------------------------------------------------------------------------------


def set_attribute(owner: Any, name: str, value: Any) -> Callable[[], Any]:
    return lambda: setattr(owner, name, value)


@kind
def attribute() -> Made:
    class Base:
        pass

    class Derived(Base):
        k = 2

    thing = Derived()
    return lambda: thing.k, {
        "of the object": set_attribute(thing, "k", 5),
        "by its dict": lambda: vars(thing).update(k=5),
        "another dict": set_attribute(thing, "__dict__", {"k": 5}),
        "of the class": set_attribute(Derived, "k", 5),
        "deleted from the class": lambda: (setattr(Base, "k", 7), delattr(Derived, "k") if "k" in vars(Derived) else None),
        "a property": set_attribute(Derived, "k", property(lambda self: 5)),
        "another class": set_attribute(thing, "__class__", type("Other", (), {"k": 5})),
        "__getattribute__": set_attribute(Derived, "__getattribute__", lambda self, name: 5),
    }


@kind
def bases() -> Made:
    class One:
        k = 2

    class Two:
        k = 5

    class Derived(One, dict):  # type: ignore[type-arg]
        pass

    thing = Derived()
    return lambda: thing.k + isinstance(thing, One) + issubclass(Derived, Two), {
        "__bases__": set_attribute(Derived, "__bases__", (Two, dict)),
        "of the base": set_attribute(One, "k", 7),
    }


@kind
def slots() -> Made:
    class Slotted:
        __slots__ = ("k", "unset")

    class Other(Slotted):
        __slots__ = ()
        j = 5

    thing: Any = Slotted()
    thing.k = 2
    return lambda: thing.k + hasattr(thing, "unset") + hasattr(thing, "j"), {
        "assigned": set_attribute(thing, "k", 5),
        "set": set_attribute(thing, "unset", 5),
        "deleted": lambda: hasattr(thing, "k") and delattr(thing, "k"),
        "another class": set_attribute(thing, "__class__", Other),
    }


@kind
def special_methods() -> Made:
    class Special:
        def __len__(self) -> int:
            return 2

        def __bool__(self) -> bool:
            return True

        def __getitem__(self, key: Any) -> Any:
            return 3

        def __call__(self) -> Any:
            return 4

        def __add__(self, other: Any) -> Any:
            return other

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

        def __contains__(self, key: Any) -> bool:
            return True

        def __enter__(self) -> Any:
            return 2

        def __exit__(self, *_: Any) -> None:
            pass

        def __iter__(self) -> Any:
            return iter([1, 2])

    thing: Any = Special()

    def read() -> Any:
        with thing as entered:
            total = len(thing) + bool(thing) + thing[0] + thing() + (thing + 1) + (thing == 1) + (3 in thing) + entered
        return total + sum(thing)

    return read, {
        "__len__": set_attribute(Special, "__len__", lambda self: 5),
        "__bool__": set_attribute(Special, "__bool__", lambda self: False),
        "__getitem__": set_attribute(Special, "__getitem__", lambda self, key: 50),
        "__call__": set_attribute(Special, "__call__", lambda self: 500),
        "__add__": set_attribute(Special, "__add__", lambda self, other: 5000),
        "__eq__": set_attribute(Special, "__eq__", lambda self, other: False),
        "__contains__": set_attribute(Special, "__contains__", lambda self, key: False),
        "__enter__": set_attribute(Special, "__enter__", lambda self: 9),
        "__iter__": set_attribute(Special, "__iter__", lambda self: iter([5])),
    }


@kind
def methods() -> Made:
    class Methods:
        def plain(self) -> Any:
            return 2

        @classmethod
        def of_class(cls) -> Any:
            return 3

        @staticmethod
        def static() -> Any:
            return 4

        @property
        def computed(self) -> Any:
            return 5

    thing: Any = Methods()
    bound = thing.plain
    return lambda: thing.plain() + thing.of_class() + Methods.of_class() + thing.static() + thing.computed + bound(), {
        "method": set_attribute(Methods, "plain", lambda self: 50),
        "method of the object": set_attribute(thing, "plain", lambda: 60),
        "class method": set_attribute(Methods, "of_class", classmethod(lambda cls: 50)),
        "static method": set_attribute(Methods, "static", staticmethod(lambda: 50)),
        "property": set_attribute(Methods, "computed", property(lambda self: 50)),
        "code of a method": lambda: setattr(bound.__func__, "__code__", (lambda self: 70).__code__),
    }


@kind
def constructor() -> Made:
    class Made_:
        def __init__(self, k: Any = 2, *, j: Any = 3) -> None:
            self.k = k * j

    init: Any = Made_.__init__
    return lambda: Made_().k, {
        "__init__": set_attribute(Made_, "__init__", lambda self: setattr(self, "k", 50)),
        "__defaults__": lambda: setattr(init, "__defaults__", (5,)),
        "__kwdefaults__": lambda: init.__kwdefaults__.update(j=7),
        "__new__": set_attribute(Made_, "__new__", lambda cls, *args: Plain()),
    }


@kind
def descriptor() -> Made:
    class Described:
        v = 2

        def __get__(self, owner: Any, cls: Any) -> Any:
            return self.v

    class Owner:
        k = Described()

    thing = Owner()
    inner = vars(Owner)["k"]
    return lambda: thing.k + Owner.k + Owner().k, {
        "its attribute": set_attribute(inner, "v", 5),
        "its class's": set_attribute(Described, "v", 6),
        "__get__": set_attribute(Described, "__get__", lambda self, owner, cls: 7),
        "replaced": set_attribute(Owner, "k", 8),
    }


@kind
def metaclass() -> Made:
    class Meta(type):
        k = 2

        def __len__(cls) -> int:
            return 3

        def __call__(cls, *args: Any) -> Any:
            return super().__call__(*args)

    class Owner(metaclass=Meta):
        v = 5

    return lambda: Owner.k + len(Owner) + Owner().v, {
        "attribute": set_attribute(Meta, "k", 5),
        "special method": set_attribute(Meta, "__len__", lambda cls: 5),
        "__call__": set_attribute(Meta, "__call__", lambda cls, *args: Plain2),
        "the class's own": set_attribute(Owner, "v", 7),
    }


class Plain2:
    v = 9


@kind
def abstract_class() -> Made:
    class Abstract(abc.ABC):  # noqa: B024
        pass

    class One:
        pass

    thing = One()
    return lambda: 5 if isinstance(thing, Abstract) else 2, {"registered": lambda: Abstract.register(One)}


@kind
def subclasses() -> Made:
    class Base:
        pass

    kept: list[Any] = []
    return lambda: len(Base.__subclasses__()), {"another": lambda: kept.append(type("Another", (Base,), {}))}


@kind
def looked_over() -> Made:
    thing: Any = Plain()
    thing.k = 2
    return lambda: len([n for n in dir(thing) if n[0] != "_"]) * 100 + sum(vars(thing).values()) + thing.__dict__["k"], {
        "another attribute": set_attribute(thing, "j", 5),
        "changed": set_attribute(thing, "k", 5),
    }


@kind
def data_class() -> Made:
    @dataclasses.dataclass
    class Config:
        k: Any = 2
        inner: Any = dataclasses.field(default_factory=lambda: [1])

    thing = Config()
    return lambda: thing.k + len(thing.inner) + sum(v if isinstance(v, int) else 0 for v in dataclasses.astuple(thing)), {
        "field": set_attribute(thing, "k", 5),
        "inner": lambda: thing.inner.append(3),
        "replaced": set_attribute(thing, "inner", [1, 2, 3, 4]),
    }


@kind
def enumeration() -> Made:
    class Choice(enum.Enum):
        A = 2
        B = 3

    holder = Plain()
    holder.choice = Choice.A  # type: ignore[attr-defined]
    return lambda: holder.choice.value, {"chosen": set_attribute(holder, "choice", Choice.B)}  # type: ignore[attr-defined]
