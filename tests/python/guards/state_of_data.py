"""The kinds of state of state.py that are data: containers, memory, Cells, and what surrounds a call."""

from __future__ import annotations

import array
import collections
import copy
import ctypes
import decimal
import operator
import sys
import types
from typing import Any, NamedTuple

import numpy as np
from state import Made, Plain, kind, set_attribute

import emberjit as ms
from emberjit import Parameter, Tensor, nn

# Containers ----------------------------------------------------------------------------------------------------------


@kind
def list_items() -> Made:
    items: list[Any] = [1, [2], Plain()]
    items[2].k = 3

    def read() -> Any:
        return len(items) + items[0] + items[1][0] + items[2].k + (2 in items)

    return read, {
        "appended": lambda: items.append(5),
        "replaced": lambda: operator.setitem(items, 0, 7),
        "nested": lambda: operator.setitem(items[1], 0, 7),
        "its object's attribute": set_attribute(items[2], "k", 7),
        "cleared from the front": lambda: items.insert(0, 2),
    }


@kind
def dict_items() -> Made:
    items: dict[Any, Any] = {"a": 1, "b": {"c": 2}}

    def read() -> Any:
        return (
            items["a"] + items["b"]["c"] + len(items) + items.get("z", 3) + sum(map(operator.mul, map(ord, items), (1, 2)))
        )

    return read, {
        "changed": lambda: items.update(a=5),
        "added": lambda: items.update(z=6),
        "nested": lambda: items["b"].update(c=7),
        "reordered": lambda: items.update(a=items.pop("a")),
    }


@kind
def views() -> Made:
    items = {"a": 1}
    keys, values, pairs, proxy = items.keys(), items.values(), items.items(), types.MappingProxyType(items)
    return lambda: len(keys) + sum(values) + sum(v for _, v in pairs) + proxy["a"], {
        "changed": lambda: items.update(a=5),
        "added": lambda: items.update(b=6),
    }


@kind
def collections_of_the_library() -> Made:
    ordered = collections.OrderedDict(a=1, b=2)
    queue, names = collections.deque([1, 2]), types.SimpleNamespace(k=2)
    chain = collections.ChainMap({"a": 1}, {"b": 2})
    user, counter, some = collections.UserDict(a=1), collections.Counter("aab"), {1, 2}

    def read() -> Any:
        first = list(ordered.values())[-1]
        return first + queue[0] * 10 + names.k * 100 + chain["b"] * 1000 + user["a"] * 10000 + counter["a"] + len(some)

    return read, {
        "OrderedDict": lambda: ordered.move_to_end("a"),
        "deque": lambda: queue.rotate(1),
        "SimpleNamespace": set_attribute(names, "k", 5),
        "ChainMap": lambda: chain.maps[1].update(b=5),
        "ChainMap, another map": lambda: chain.maps.insert(0, {"b": 7}),
        "UserDict": lambda: user.update(a=5),
        "UserDict by its data": lambda: user.data.update(a=7),
        "Counter": lambda: counter.update("aaa"),
        "set": lambda: some.add(7),
    }


@kind
def subclasses_of_containers() -> Made:
    class Names(dict):  # type: ignore[type-arg]
        __getattr__ = dict.__getitem__

    class Further(dict):  # type: ignore[type-arg]
        pass

    class Items(list):  # type: ignore[type-arg]
        pass

    class Pair(NamedTuple):
        a: Any
        b: Any

    names, items, pair = Names(a=Names(k=2), b=Further(k=3)), Items([1]), Pair([1], 2)
    return lambda: names.a.k + len(items) + pair.a[0] + copy.deepcopy(names.b)["k"], {
        "dict": lambda: names.a.update(k=5),
        "dict that is copied": lambda: names.b.update(k=5),
        "list": lambda: items.append(5),
        "in a named tuple": lambda: operator.setitem(pair.a, 0, 5),
    }


# Memory --------------------------------------------------------------------------------------------------------------


@kind
def arrays() -> Made:
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    turned, dates = a.T[::2], np.array(["2020-01-01"], "datetime64[D]")
    records = np.rec.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f4")])
    things = np.array([[1], [2, 3]], dtype=object)

    def read() -> Any:
        total = float(a[1, 1]) + float(turned[0, 1]) + int(dates.astype(int)[0]) + float(records.b[0])
        return total + len(things[1]) + a.shape[0] * 1000 + float(np.sum(a))

    return read, {
        "element": lambda: a.__setitem__((1, 1), 50),
        "through a view": lambda: turned.__setitem__((0, 1), 50),
        "shape": lambda: setattr(a, "shape", (6, 2)),
        "date": lambda: dates.__setitem__(0, "2021-01-01"),
        "record": lambda: records.b.__setitem__(0, 5),
        "object": lambda: things[1].append(5),
    }


@kind
def array_in_a_tensor() -> Made:
    a = np.arange(3, dtype=np.float32)
    return lambda: (Tensor(a) * 2).sum() + ms.ops.add(Tensor(np.float32(1)), a).sum(), {
        "element": lambda: a.__setitem__(1, 50),
        "all": lambda: a.fill(7),
    }


@kind
def buffers() -> Made:
    octets = bytearray(b"\x02\x03")
    view, numbers, number = memoryview(octets), array.array("i", [1, 2]), ctypes.c_int(2)
    return lambda: octets[0] + view[1] + numbers[0] + number.value, {
        "bytearray": lambda: octets.__setitem__(0, 5),
        "under a memoryview": lambda: octets.__setitem__(1, 6),
        "array": lambda: numbers.__setitem__(0, 7),
        "ctypes": set_attribute(number, "value", 8),
    }


@kind
def tensors() -> Made:
    t, holder = Tensor(np.float32([1, 2])), Plain()
    holder.t = Tensor(np.float32([1, 2]))  # type: ignore[attr-defined]
    return lambda: t.sum() + float(t[0]) + holder.t.shape[0] * 100, {  # type: ignore[attr-defined]
        "element": lambda: t.__setitem__(0, 5),
        "another": set_attribute(holder, "t", Tensor(np.float32([1, 2, 3]))),
    }


# Cells ---------------------------------------------------------------------------------------------------------------


class Layer(nn.Cell):
    """Adds what it is told."""

    def __init__(self, k: Any) -> None:
        super().__init__()
        self.k = k
        self.items = [1]
        self.array = np.float32([2])

    def construct(self) -> Any:
        return self.k + len(self.items) + float(self.array[0]) + getattr(self, "j", 0)


class Net(nn.Cell):
    """Cells in a Cell."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Layer(2)
        self.layers = nn.CellList([Layer(1), Layer(2)])
        self.w = Parameter(Tensor(np.float32([1])), name="w")

    def construct(self) -> Any:
        total = self.inner() + self.w.sum()
        for layer in self.layers:
            total = total + layer()
        return total


@kind
def cells() -> Made:
    class Own(Layer):
        pass

    net = Net()
    net.inner = Own(2)
    other = Layer(100)
    return lambda: net(), {
        "attribute": set_attribute(net.inner, "k", 5),
        "by its dict": lambda: vars(net.inner).update(k=6),
        "list": lambda: net.inner.items.append(3),
        "array": lambda: net.inner.array.__setitem__(0, 9),
        "deleted": lambda: hasattr(net.inner, "k") and delattr(net.inner, "k"),
        "another Cell": set_attribute(net, "inner", other),
        "by _cells": lambda: net._cells.update(inner=other),
        "appended": lambda: net.layers.append(Layer(3)),
        "class attribute": set_attribute(Own, "j", 50),
        "construct of the class": set_attribute(Own, "construct", lambda self: 70),
        "construct of the Cell": set_attribute(net.inner, "construct", lambda: 80),
        "__call__": set_attribute(Own, "__call__", lambda self: 90),
        "Parameter": lambda: net.w.set_data(Tensor(np.float32([7]))),
        "another Parameter": set_attribute(net, "w", Parameter(Tensor(np.float32([8])), name="w")),
    }


# What surrounds ------------------------------------------------------------------------------------------------------


@kind
def contexts() -> Made:
    number = decimal.Decimal(1)

    def read() -> Any:
        warns = 1 if np.geterr()["divide"] == "warn" else 0
        return float(number / decimal.Decimal(3)) + warns + (ms.get_context("matmul_precision") == "ieee")

    return read, {
        "decimal": lambda: setattr(decimal.getcontext(), "prec", 2),
        "np.errstate": lambda: np.seterr(divide="ignore"),
        "precision": lambda: ms.set_context(matmul_precision="ieee"),
    }


@kind
def imported() -> Made:
    first: Any = types.ModuleType("user_imported")
    first.k = 2
    second: Any = types.ModuleType("user_imported")
    second.k = 5
    sys.modules["user_imported"] = first

    def read() -> Any:
        import user_imported  # type: ignore[import-not-found]
        from user_imported import k

        return user_imported.k + k

    return read, {
        "its attribute": set_attribute(first, "k", 3),
        "another module": lambda: sys.modules.update(user_imported=second),
    }
