"""Objects of whose end somebody is told, by __del__ or a weak reference, end in jitted functions when they do in Python."""

from __future__ import annotations

import collections
import gc
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops

MODES = ["ast", "bytecode", "trace"]
X = Tensor([1.0, 2.0])


class Ends:
    """Says when it ends."""

    def __init__(self, log: list[str], name: str) -> None:
        self.log, self.name = log, name

    def __del__(self) -> None:
        self.log.append(self.name)


class Watched:
    """Of which a weak reference says when it ends."""


class Net(nn.Cell):
    def __init__(self, log: list[str], watched: bool) -> None:
        super().__init__()
        self.log = log
        self.held: Any = Watched() if watched else Ends(log, "ended")
        if watched:
            self.reference = weakref.ref(self.held, lambda _: log.append("ended"))

    def construct(self, x: Any) -> Any:
        y = ops.tanh(x)
        self.held = None
        self.log.append("after")
        return y * 2


HELD: dict[str, Callable[[list[Any]], Any]] = {
    "object": lambda log: Ends(log, "ended"),
    "tuple": lambda log: (Ends(log, "ended"),),
    "tuple in a tuple": lambda log: (1, ((Ends(log, "ended"), 2),)),
    "list": lambda log: [Ends(log, "ended"), 3],
    "list of tuples": lambda log: [(1, Ends(log, "ended"))],
    "dict": lambda log: {"a": Ends(log, "ended")},
    "dict of lists": lambda log: {"a": [Ends(log, "ended")]},
    "set": lambda log: {Ends(log, "ended")},
    "deque": lambda log: collections.deque([Ends(log, "ended")]),
    "object in an object": lambda log: User(Ends(log, "ended")),
    "list in an object": lambda log: User([Ends(log, "ended")]),
}


class User:
    def __init__(self, part: Any) -> None:
        self.part = part


class Replaces(nn.Cell):
    def __init__(self, log: list[Any]) -> None:
        super().__init__()
        self.log = log
        self.held: Any = None

    def construct(self, x: Any) -> Any:
        y = ops.tanh(x)
        self.held = None
        self.log.append("after")
        return y * 2


class Counts(Replaces):
    def construct(self, x: Any) -> Any:
        y = ops.tanh(x) * len(self.held)
        self.held = None
        self.log.append("after")
        return y


@pytest.fixture(autouse=True)
def only_what_is_counted_ends() -> Iterator[None]:
    """Cycles that are only collected now and then would end objects late."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.breaks
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("kind", [Replaces, Counts])
@pytest.mark.parametrize("mode", [*MODES, "graph"])
def test_what_a_cell_gives_up_ends_at_once(mode: str, kind: Any, held: str) -> None:
    if kind is Counts and "object" in held:
        return
    log: list[Any] = []
    net = kind(log)
    if mode == "graph":
        ms.set_context(mode=ms.GRAPH_MODE)
    else:
        net.construct = ms.jit(net.construct, capture_mode=mode)
    try:
        for _ in range(4):
            net.held = HELD[held](log)
            net(X)
            assert log == ["ended", "after"]
            log.clear()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


Program = Callable[[Callable[[Any], Any], Any], Any]
PROGRAMS: list[Program] = []


def program(function: Program) -> Program:
    PROGRAMS.append(function)
    return function


@program
def outside_list_whose_length_is_read(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        y = ops.tanh(x) * len(o.held)
        o.held = None
        o.log.append("after")
        return y

    o.make = lambda: [Ends(o.log, "a")]
    return f


@program
def outside_dict_that_a_variable_has(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        found = o.held
        y = ops.tanh(x)
        o.held = None
        o.log.append("before")
        found = None
        o.log.append("after")
        return y, found

    o.make = lambda: {"k": (Ends(o.log, "a"),)}
    return f


@program
def outside_list_that_is_cleared(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        y = ops.tanh(x)
        o.held.clear()
        o.log.append("after")
        return y

    o.make = lambda: [Ends(o.log, "a")]
    return f


@program
def argument_that_is_cleared(jit: Any, o: Any) -> Any:
    @jit
    def f(held, x):
        y = x * 2
        held.clear()
        o.log.append("after")
        return y

    return lambda x: f([Ends(o.log, "a")], x)


@program
def tuple_that_nobody_reads(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        held = Ends(o.log, "a"), x
        y = ops.tanh(x)
        o.log.append("before")
        held = y
        o.log.append("after")
        return held

    return f


@program
def list_that_each_trip_replaces(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        for i in range(3):
            held = [Ends(o.log, f"trip {i}")]
            x = ops.tanh(x)
            o.log.append(i)
        held = None
        o.log.append("after")
        return x, held

    return f


@program
def variables_that_change_places(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        a, b = [Ends(o.log, "a")], (Ends(o.log, "b"),)
        y = ops.tanh(x)
        a, b = b, 1
        o.log.append("between")
        a = 2
        o.log.append("after")
        return y, a, b

    return f


@program
def handler_that_raises_another_error(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        y = ops.tanh(x)
        try:
            raise ValueError("v")
        except ValueError as error:
            held = Ends(o.log, f"a {error}")
            o.log.append(held.name)
            raise KeyError(y.shape) from error

    return f


@program
def handler_that_raises_another_error_to_one_outside(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        y = ops.tanh(x)
        try:
            try:
                raise ValueError("v")
            except ValueError:
                held = Ends(o.log, "a")
                raise KeyError("k")  # noqa: B904
        except KeyError:
            o.log.append("caught")
        held = None
        o.log.append("after")
        return y, held

    return f


@program
def handler_that_raises_its_error_again(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        y = ops.tanh(x)
        try:
            raise ValueError(y.shape)
        except ValueError:
            held = Ends(o.log, "a")
            o.log.append(held.name)
            raise

    return f


@program
def callee_that_raises_its_error_again(jit: Any, o: Any) -> Any:
    def g(x):
        try:
            raise ValueError(x.shape)
        except ValueError:
            held = Ends(o.log, "a")
            o.log.append(held.name)
            raise

    @jit
    def f(x):
        y = ops.tanh(x)
        try:
            g(y)
        except ValueError:
            o.log.append("caught")
        o.log.append("after")
        return y

    return f


@program
def handler_of_an_op_that_raises_again(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        y = ops.tanh(x)
        try:
            y = y + ops.ones((3,))
        except ValueError:
            held = [Ends(o.log, "a")]
            o.log.append(len(held))
            raise
        return y

    return f


@program
def default_of_a_function_that_breaks(jit: Any, o: Any) -> Any:
    @jit
    def f(x):
        def g(v, held=Ends(o.log, "a")):
            o.log.append(held.name)
            return v * 2

        y = g(x)
        g = None
        o.log.append("after")
        return y, g

    return f


def shown(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(shown, value))
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


def told(make: Program, jit: Callable[[Any], Any]) -> list[Any]:
    """What four calls of a program do, with what ends within them and right after."""
    o = types.SimpleNamespace(log=[], held=None, make=lambda: None)
    f = make(jit, o)
    for _ in range(4):
        o.held = o.make()
        try:
            o.log.append(shown(f(X)))
        except Exception as error:
            o.log.append((type(error), str(error)))
        o.log.append("called")
    return list(o.log)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_objects_end_when_they_do_in_python(make: Program, mode: str) -> None:
    assert told(make, lambda f: ms.jit(f, capture_mode=mode)) == told(make, lambda f: f)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_another_tuple_in_the_place_of_one_that_ended_is_noticed(mode: str) -> None:
    log: list[Any] = []

    class Scaled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.held: Any = (Ends(log, "first"), 1)

        def construct(self, x: Any) -> Any:
            return x * len(self.held)

    net: Any = Scaled()
    net.construct = ms.jit(net.construct, capture_mode=mode)
    assert net(X).asnumpy().tolist() == [2.0, 4.0]
    net.held = (*net.held, 2)
    assert net(X).asnumpy().tolist() == [3.0, 6.0]
    assert not log


@pytest.mark.breaks
@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("mode", [*MODES, "graph"])
def test_an_object_that_a_cell_gives_up_ends_at_once(mode: str, watched: bool) -> None:
    log: list[str] = []
    net: Any = Net(log, watched)
    if mode == "graph":
        ms.set_context(mode=ms.GRAPH_MODE)
    else:
        net.construct = ms.jit(net.construct, capture_mode=mode)
    try:
        net(X)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert log == ["ended", "after"]


@pytest.mark.parametrize("mode", MODES)
def test_another_object_in_the_place_of_one_that_ended_is_noticed(mode: str) -> None:
    log: list[str] = []

    class Scaled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.held: Any = Ends(log, "first")

        def construct(self, x: Any) -> Any:
            return x * len(self.held.name)

    net: Any = Scaled()
    net.construct = ms.jit(net.construct, capture_mode=mode)
    assert net(X).asnumpy().tolist() == [5.0, 10.0]
    net.held = Ends(log, "another")
    assert net(X).asnumpy().tolist() == [7.0, 14.0]
    del net.held
    with pytest.raises(AttributeError):
        net(X)
