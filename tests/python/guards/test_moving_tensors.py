"""Tensors from outside that differ from call to call (a state that each step replaces, a cache that grows) are inputs of one
graph, read anew in each call: results, effects, identities, memory and errors are those of a plain call on state of its own.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, mint, nn, ops
from emberjit import _emberjit as core

MODES = ("ast", "bytecode")
PLACES = {  # how a Tensor is read and stored
    "item": ("state['t']", "state['t'] = {}"),
    "element": ("row[1]", "row[1] = {}"),
    "attribute": ("thing.t", "thing.t = {}"),
    "slot": ("slotted.t", "slotted.t = {}"),
    "field of a Cell": ("cell.t", "cell.t = {}"),
    "global": ("held", "global held\n    held = {}"),
}
BODIES = {
    "used": "return x * READ.sum() + READ.shape[0]",
    "used twice": "return (READ + x) * READ.mean()",
    "replaced": "STORE(READ * 0.5 + x)\nreturn READ.sum()",
    "replaced twice": "STORE(READ + x)\nSTORE(READ * READ)\nreturn READ + 1",
    "grown": "STORE(ops.cat([READ, x]))\nreturn READ.sum() * READ.shape[0]",
    "a size decides": "return x * 2 if READ.shape[0] > 4 else x * 3",
    "an element decides": "return x * 2 if READ.sum() > 9 else x - READ.sum()",
    "in a loop": "while x.sum() < 40:\n    x = x + READ.mean() * READ.mean() + 1\nreturn x",
    "in a gradient": "return ms.grad(lambda v: (v * READ.sum() * v).sum())(x)",
    "by a gradient": "return ms.grad(lambda v: (v * v).sum())(READ)",
    "over a batch": "return ms.vmap(lambda v: v * READ.sum())(x)",
    "returned": "return READ",
    "returned beside another": "return READ * 2, READ",
    "kept elsewhere": "kept['t'] = READ\nreturn x",
    "viewed": "return READ[1:]",
    "its type": "return x.astype(READ.dtype), READ.ndim",
    "identity": "return x if READ is other else x + 1",
    "two names": "other_name = READ\nreturn (other_name is READ), x + READ.sum()",
    "a key": "return {READ: x}[READ] + 1",
    "its elements": "return x * float(READ.sum().asnumpy())",
    "its text": "return x, str(READ)",
    "written in place": "t = READ\nt += 1\nreturn t.sum()",
    "an element written": "t = READ\nt[0] = 7\nreturn t.sum() + x",
    "a view written": "t = READ[1:]\nt.mul_(2)\nreturn READ.sum()",
    "what may be either": "t = READ if x.sum() > 5 else x\nreturn t * 2",
    "either returned": "return READ if x.sum() > 5 else x",
    "either kept": "kept['t'] = READ if x.sum() > 5 else x\nreturn x",
}


class Slotted:
    __slots__ = ("t",)


class Holder(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.t: Any = None


def values(number: int, size: int = 3) -> Tensor:
    return Tensor((np.arange(size) + number).astype(np.float32))


def described(value: Any, known: dict[int, Any]) -> Any:
    """A result, with which known object it is, if it is one, or whose memory it has."""
    if isinstance(value, tuple):
        return tuple(described(item, known) for item in value)
    if isinstance(value, Tensor):
        return known.get(id(value), "new"), str(value.dtype), value.shape, value.asnumpy().tolist()
    return value


class World:
    """A program and its state, of its own."""

    def __init__(self, place: str, body: str, jit: Callable[[Any], Any]) -> None:
        read, store = PLACES[place]
        lines = []
        for line in body.replace("READ", read).split("\n"):
            indent = line[: len(line) - len(line.lstrip())]
            if line.strip().startswith("STORE("):
                line = indent + store.rpartition("\n")[2].strip().format(line.strip()[6:-1])
            lines.append(line)
        text = "def f(x):\n    " + ("global held\n    " if place == "global" and "STORE" in body else "")
        text += "\n    ".join(lines)
        self.names: dict[str, Any] = {"ops": ops, "ms": ms, "mint": mint, "state": {}, "row": [0, None], "kept": {}}
        self.names |= {"thing": types.SimpleNamespace(), "slotted": Slotted(), "cell": Holder(), "other": values(50)}
        self.place = place
        exec(text, self.names)
        self.function = jit(self.names["f"])

    def put(self, value: Any) -> None:
        store = PLACES[self.place][1].rpartition("\n")[2].strip()
        exec(store.format("new"), self.names | {"new": value}) if self.place != "global" else self.names.update(held=value)

    def get(self) -> Any:
        return eval(PLACES[self.place][0], self.names)

    def call(self, x: Tensor) -> Any:
        before = self.get()
        known = {id(before): "the Tensor", id(x): "the argument"}
        try:
            result = described(self.function(x), known)
        except Exception as error:
            result = type(error).__name__
        return result, described(self.get(), known), described(self.names["kept"].get("t"), known), x.asnumpy().tolist()


def steps(world: World, changes: list[Callable[[World, int], Tensor | None]]) -> list[Any]:
    seen = []
    for number, change in enumerate(changes):
        argument = change(world, number)
        seen.append(world.call(values(number % 3) if argument is None else argument))
    return seen


def put(make: Callable[[int], Any]) -> Callable[[World, int], None]:
    return lambda world, number: world.put(make(number))


def stay(world: World, number: int) -> None:
    pass


def as_the_argument(world: World, number: int) -> Tensor:
    world.put(x := values(number))
    return x


def a_view_of_the_argument(world: World, number: int) -> Tensor:
    world.put((x := values(number))[:])
    return x


def the_other(world: World, number: int) -> None:
    world.put(world.names["other"])


def with_a_hook(number: int) -> Tensor:
    tensor = values(number)
    tensor.register_hook(lambda gradient: gradient * 10)
    return tensor


MOVED = [put(values)] * 5
CHANGES = {
    "moved": MOVED,
    "moved, then stays": [*MOVED, stay, stay],
    "other sizes": [put(lambda n: values(n, 3 + n))] * 5,
    "other ranks": [*MOVED, put(lambda n: ops.ones((2, 3))), put(values), put(lambda n: Tensor(2.0)), put(values)],
    "other dtypes": [*MOVED, put(lambda n: values(n).astype(ms.float16)), put(values), put(lambda n: values(n).int())],
    "a Parameter": [*MOVED, put(lambda n: Parameter(values(n), "p")), put(values)],
    "a number": [*MOVED, put(lambda n: 2.5), put(values), put(lambda n: None), put(values)],
    "a number at first": [put(lambda n: 2.5), put(lambda n: None), *MOVED],
    "the argument": [*MOVED, as_the_argument, as_the_argument, put(values)],
    "the argument at first": [as_the_argument, as_the_argument, as_the_argument, *MOVED],
    "a view of the argument": [*MOVED, a_view_of_the_argument, put(values), a_view_of_the_argument],
    "the other": [*MOVED, the_other, put(values), the_other],
    "hooks": [*MOVED, put(with_a_hook), put(values), put(with_a_hook)],
    "strides": [*MOVED, put(lambda n: Tensor(np.arange(12.0, dtype=np.float32))[::4]), put(values)],
}


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("body", BODIES)
def test_as_a_plain_call(body: str, change: str, mode: str) -> None:
    for place in PLACES if change in ("moved", "a number", "the argument") else ("item",):
        plain = World(place, BODIES[body], lambda f: f)
        jitted = World(place, BODIES[body], lambda f: ms.jit(f, capture_mode=mode))
        want, got = steps(plain, CHANGES[change]), steps(jitted, CHANGES[change])
        for number, (a, b) in enumerate(zip(want, got)):
            assert a == b, (place, number)


IN_ONE_GRAPH = ["used", "used twice", "replaced", "replaced twice", "grown", "in a loop", "in a gradient", "by a gradient"]
IN_ONE_GRAPH += ["over a batch", "an element decides", "viewed", "two names"]
STORED = {"replaced", "replaced twice", "grown"}


def pairs() -> Iterator[Any]:
    """Bodies and places of one graph. A store to a slot breaks it, one to a list where other threads run."""
    for body in IN_ONE_GRAPH:
        for place in PLACES:
            if place != "slot" or body not in STORED:
                alone = place == "element" and body in STORED
                yield pytest.param(body, place, marks=[pytest.mark.alone] if alone else [], id=f"{body}-{place}")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("body", "place"), list(pairs()))
def test_one_graph_serves_them(body: str, place: str, mode: str) -> None:
    world = World(place, BODIES[body], lambda f: ms.jit(f, capture_mode=mode))
    steps(world, [put(values)] * 12 + [stay] * 3)
    told = world.function.explain()
    assert len(told["entries"]) == 1 and not told["breaks"], told
    assert told["calls"]["in_python"] == 0, told["calls"]


@pytest.mark.parametrize("mode", MODES)
def test_graphs_of_two_places_with_one_tensor(mode: str) -> None:
    def run(jit: Callable[[Any], Any]) -> tuple[list[Any], Any]:
        state: dict[str, Any] = {"t": values(0), "u": values(1)}
        function, seen = jit(lambda x: (x * state["t"] * state["u"]).sum()), []

        def loss(x: Tensor, number: int) -> Tensor:
            state["t"] = x + number
            state["u"] = (x * 2, state["t"], x)[number % 3]
            return function(x)

        for number in range(24):
            call = loss if number < 12 else ms.value_and_grad(loss)
            seen.append(call(values(number), number))
        return seen, function

    (want, _), (got, jitted) = run(lambda f: f), run(lambda f: ms.jit(f, capture_mode=mode))
    for number, (a, b) in enumerate(zip(want, got)):
        assert described(a, {}) == described(b, {}), number
    told = jitted.explain()
    assert len(told["entries"]) == 6 and told["calls"]["in_python"] == 0, "three, each without and with a tape"


def test_a_state_that_is_replaced_after_calls_with_many_states() -> None:
    class State:
        def __init__(self) -> None:
            self.t: Any = values(0)

    def function(state: State, x: Tensor) -> Tensor:
        state.t = state.t * 0.5 + x
        return state.t.sum()

    jitted: Any = ms.jit(function)
    with pytest.warns(UserWarning, match="state == a State"):
        for _ in range(14):
            jitted(State(), values(1))
    state, before = State(), len(jitted.explain()["entries"])
    for _ in range(20):
        jitted(state, values(1))
    assert len(jitted.explain()["entries"]) <= before, "it is captured twice, the second time for all States of this one"


def test_variables_of_closures() -> None:
    def make() -> tuple[Any, Any]:
        memory = values(1)

        def f(x: Tensor) -> Tensor:
            return x * memory.sum() + memory.shape[0]

        def move(value: Tensor) -> None:
            nonlocal memory
            memory = value

        return f, move

    (plain, move_plain), (function, move) = make(), make()
    jitted: Any = ms.jit(function)
    for number in range(8):
        for put_there in (move_plain, move):
            put_there(values(number, 3 + number % 2))
        assert jitted(values(2)).tolist() == plain(values(2)).tolist()
    assert len(jitted.explain()["entries"]) == 1


def recurrent(jit: Callable[[Any], Any]) -> list[Any]:
    """Gradients through steps that hand their state on outside, the whole differentiated eagerly, four times."""
    weight, state = Parameter(values(1), "w"), {"h": values(0)}

    def step(x: Tensor) -> Tensor:
        state["h"] = ops.tanh(state["h"] * weight * 0.1 + x)
        return state["h"].sum()

    step = jit(step)

    def loss(x: Tensor) -> Any:
        state["h"] = x * 0.5
        return sum(step(x + i) for i in range(5))

    gradient = ms.value_and_grad(loss, 0, weights=ms.ParameterTuple([weight]))
    seen = []
    for number in range(4):
        value, (by_x, by_weights) = gradient(values(number) * 0.1)
        seen.append([value.tolist(), by_x.tolist(), by_weights[0].tolist(), state["h"].tolist()])
    return seen


@pytest.mark.parametrize("mode", MODES)
def test_gradients_flow_through_what_is_handed_on_outside(mode: str) -> None:
    np.testing.assert_allclose(
        np.concatenate([np.ravel(part) for row in recurrent(lambda f: ms.jit(f, capture_mode=mode)) for part in row]),
        np.concatenate([np.ravel(part) for row in recurrent(lambda f: f) for part in row]),
        rtol=2e-6,
    )


def hooked(jit: Callable[[Any], Any]) -> list[Any]:
    """A hook on a Tensor that is read outside, registered once calls are served by a graph."""
    state, seen = {"t": values(1)}, []
    function = jit(lambda x: (x * state["t"] * state["t"]).sum())

    def loss(x: Tensor, number: int) -> Tensor:
        state["t"] = x * number
        if number > 4:
            state["t"].register_hook(lambda gradient: gradient * 10)
        return function(x + 1)

    for number in range(8):
        seen.append(ms.grad(lambda x, number=number: loss(x, number))(values(1)).tolist())
    return seen


@pytest.mark.breaks
def test_hooks_on_what_is_read_outside_run() -> None:
    assert hooked(ms.jit) == hooked(lambda f: f)


def test_a_written_argument_that_shares_memory_with_what_is_read() -> None:
    def run(jit: Callable[[Any], Any]) -> list[Any]:
        state = {"t": values(1)}

        def function(x: Tensor) -> Tensor:
            x += 1
            return x * state["t"]

        function, seen = jit(function), []
        for number in range(8):
            x = values(number)
            state["t"] = x[:] if number in (3, 6) else values(number + 1)
            seen.append((function(x).tolist(), x.tolist(), state["t"].tolist()))
        return seen

    assert run(ms.jit) == run(lambda f: f)


def test_a_view_that_is_returned_shares_memory() -> None:
    def run(jit: Callable[[Any], Any]) -> list[Any]:
        state = {"t": values(1)}
        function, seen = jit(lambda x: (state["t"][1:], x + 1)), []
        for number in range(6):
            state["t"] = values(number)
            view, _ = function(values(1))
            view[0] = 70
            seen.append(state["t"].tolist())
        return seen

    assert run(ms.jit) == run(lambda f: f) and run(ms.jit)[-1][1] == 70


def test_a_cell_that_keeps_a_cache_of_keys() -> None:
    class Attention(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.keys: Any = None

        def construct(self, x: Tensor) -> Tensor:
            self.keys = x if self.keys is None else ops.cat([self.keys, x])
            return ops.softmax(x @ self.keys.T) @ self.keys

    plain, jitted = Attention(), Attention()
    jitted.construct = ms.jit(jitted.construct)
    for _ in range(2):
        plain.keys = jitted.keys = None
        for number in range(10):
            x = Tensor(np.random.default_rng(number).standard_normal((1, 4)).astype(np.float32))
            np.testing.assert_allclose(jitted(x).asnumpy(), plain(x).asnumpy(), rtol=1e-6, atol=1e-6)
    told = jitted.construct.explain()
    assert len(told["entries"]) == 3 and not told["breaks"], "none, one key, more keys"
    assert jitted.keys.shape == (10, 4) and told["calls"]["in_python"] == 0


class Layer(nn.Cell):
    @ms.lazy_inline
    def __init__(self) -> None:
        super().__init__()
        self.h: Any = None

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanh(x * self.h)


def test_cells_that_share_a_graph_have_each_its_own() -> None:
    layers, plain = nn.CellList([Layer(), Layer()]), nn.CellList([Layer(), Layer()])

    def run(cells: Any, x: Tensor) -> Tensor:
        for cell in cells:
            x = cell(x)
        return x

    jitted: Any = ms.jit(lambda x: run(layers, x))
    for number in range(12):
        x = values(number)
        for cells in (layers, plain):
            cells[0].h = values(number + 1) * 0.1
            cells[1].h = x if number in (6, 7, 9) else cells[0].h if number in (8, 10) else values(number + 2) * 0.1
        np.testing.assert_allclose(jitted(x).asnumpy(), run(plain, x).asnumpy(), rtol=1e-6)
    told = jitted.explain()
    assert len(told["entries"]) == 3 and told["calls"]["in_python"] == 0, "apart, an argument, twice one"


def test_a_saved_module_has_a_parameter_for_it(tmp_path: Any, capfd: pytest.CaptureFixture[str]) -> None:
    state = {"t": values(1)}
    function: Any = ms.jit(lambda x: x * state["t"])
    for number in range(4):
        state["t"] = values(number)
        function(values(1))
    (path,) = function.save(str(tmp_path / "module.ebc"))
    assert core.vmtool(["disasm", path]) == 0
    assert "(r0 x: Tensor[Float32](s0,), r1 state['t']: Tensor[Float32](s1,))" in capfd.readouterr().out
