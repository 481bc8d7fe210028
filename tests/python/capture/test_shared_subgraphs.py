"""Graphs that calls share: lazy_inline and no_inline. Results and gradients are those of the same code without them, and
the number of nodes that are not calls does not depend on how many cells there are and how often they are called."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

X = Tensor(np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32))


def close(a: Any, b: Any) -> None:
    if isinstance(a, (tuple, list)):
        assert type(a) is type(b) and len(a) == len(b)
        for x, y in zip(a, b):
            close(x, y)
    elif isinstance(a, Tensor):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-5)
    else:
        assert a == b


class Nodes:
    """Counts of the nodes in a graph's text: by name, and, calls and reads of Parameters aside, those in shared graphs and
    in others."""

    def __init__(self, text: str):
        parts = re.split(r"^((?:shared )?subgraph @)", text, flags=re.MULTILINE)[1:]
        self.shared = [self._count(body) for kind, body in zip(parts[::2], parts[1::2]) if kind.startswith("shared")]
        self.own = sum(self._count(body) for kind, body in zip(parts[::2], parts[1::2]) if kind.startswith("sub"))
        self.text = text

    def _count(self, text: str) -> int:
        return len(re.findall(r"^  %.* = (?!Call|Load|UpdateState)", text, flags=re.MULTILINE))

    def of(self, name: str) -> int:
        return len(re.findall(rf" = {name}\(", self.text))


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Callable[..., Nodes]]:
    """Jits a function, calls it, and returns its final graph."""

    def captured(function: Callable[..., Any], *args: Any) -> Nodes:
        for old in tmp_path.glob("*.ir"):
            old.unlink()
        ms.jit(lambda *a: function(*a))(*args)
        return Nodes(max(tmp_path.glob("*.ir")).read_text())

    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    yield captured
    ms.set_context(save_graphs=False, save_graphs_path=".")


class Inner(nn.Cell):
    @ms.lazy_inline
    def __init__(self, width: int):
        super().__init__()
        self.dense = nn.Dense(width, width)
        self.act = ops.Tanh()

    def construct(self, x):
        return self.act(self.dense(x))


class Block(nn.Cell):
    @ms.lazy_inline
    def __init__(self, width: int, scale: float = 1.0):
        super().__init__()
        self.a, self.b = Inner(width), Inner(width)
        self.norm = nn.LayerNorm((width,))
        self.scale = scale

    def construct(self, x):
        return x + self.norm(self.b(self.a(x))) * self.scale


class Model(nn.Cell):
    def __init__(self, layers: int, micro: int, make: Callable[..., nn.Cell] = Block):
        super().__init__()
        self.blocks = nn.CellList([make(4) for _ in range(layers)])
        self.micro = micro

    def construct(self, x):
        out = 0
        for i in range(self.micro):
            h = x * (i + 1)
            for block in self.blocks:
                h = block(h)
            out = out + h.sum()
        return out


@pytest.mark.parametrize("transform", ["none", "input", "weights"])
def test_cells_share_their_graphs_at_each_level(graph, transform):
    counts = []
    for layers, micro in ((3, 3), (5, 3), (5, 6)):  # with two, the last would be the only one that nobody goes on from
        model = Model(layers, micro)
        weights = model.trainable_params() if transform == "weights" else None
        function = model if transform == "none" else ms.grad(model, None if weights else 0, weights)
        close(ms.jit(lambda x, function=function: function(x))(X), function(X))
        counts.append(graph(function, X))
    few, deep, often = counts
    assert few.shared == deep.shared == often.shared
    assert 2 <= len(few.shared) <= 16
    assert few.own == deep.own, "what is not shared is the model's own loop"
    assert often.own - deep.own <= 3 * 8
    assert often.of("Call") - deep.of("Call") == (15 if transform == "none" else 30)


def test_without_lazy_inline_nodes_are_copied(graph):
    class Plain(nn.Cell):
        def __init__(self, width: int):
            super().__init__()
            self.dense = nn.Dense(width, width)

        def construct(self, x):
            return ops.tanh(self.dense(x))

    assert graph(Model(4, 2, Plain), X).of("MatMulExt") == 8
    assert graph(Model(4, 2, Inner), X).of("MatMulExt") == 2


def test_training_through_shared_graphs():
    model = Model(3, 2)
    plain = [p.asnumpy().copy() for p in model.get_parameters()]
    step = ms.value_and_grad(model, None, model.trainable_params())
    jitted = ms.jit(lambda x: step(x))

    def train(run):
        for p, start in zip(model.get_parameters(), plain):
            p.set_data(Tensor(start))
        for _ in range(3):
            _, gradients = run(X)
            for p, g in zip(model.trainable_params(), gradients):
                p.set_data(p - g * 0.1)
        return [Tensor(p.asnumpy()) for p in model.get_parameters()]

    close(train(jitted), train(step))


def test_policy_front_inlines(graph):
    class Front(nn.Cell):
        @ms.lazy_inline(policy="front")
        def __init__(self, width: int):
            super().__init__()
            self.dense = nn.Dense(width, width)

        def construct(self, x):
            return self.dense(x)

    nodes = graph(Model(3, 1, Front), X)
    assert nodes.of("MatMulExt") == 3 and nodes.of("Call") == 0


# What must not be shared -----------------------------------------------------------------------------------------------


class Configured(nn.Cell):
    @ms.lazy_inline
    def __init__(self, width: int = 4):
        super().__init__()
        self.weight = Parameter(Tensor(np.ones(width, np.float32)), name="w")
        self.factor = 2
        self.items = [1, 2]
        self.act = ops.ReLU()
        self.helper = Helper()

    def construct(self, x):
        return self.act(x * self.weight) * self.factor + len(self.items) + self.helper.value


@ms.jit_class
class Helper:
    def __init__(self) -> None:
        self.value = 1


def change_nothing(cell: Configured) -> None:
    pass


def change_a_number(cell: Configured) -> None:
    cell.factor = 3


def change_a_list(cell: Configured) -> None:
    cell.items.append(5)


def change_a_layer(cell: Configured) -> None:
    cell.act = ops.Tanh()


def change_an_object(cell: Configured) -> None:
    cell.helper.value = 7


def change_training(cell: Configured) -> None:
    cell.set_train()


def freeze(cell: Configured) -> None:
    cell.weight.requires_grad = False


CHANGES = [change_a_number, change_a_list, change_a_layer, change_an_object, change_training, freeze]


@pytest.mark.parametrize("change", [change_nothing, *CHANGES])
def test_changed_cells_have_graphs_of_their_own(graph, change):
    cells = [Configured() for _ in range(3)]
    change(cells[1])

    def run(x):
        return [cell(x) for cell in cells]

    close(ms.jit(lambda x: run(x))(X), run(X))
    assert len(graph(run, X).shared) == (1 if change is change_nothing else 2)


@pytest.mark.parametrize("change", CHANGES)
def test_cells_changed_later_are_captured_anew(change):
    cells = [Configured() for _ in range(3)]

    def run(x):
        for cell in cells:
            x = cell(x)
        return x

    jitted = ms.jit(lambda x: run(x))
    close(jitted(X), run(X))
    change(cells[2])
    close(jitted(X), run(X))


def test_tied_weights_are_not_taken_for_two():
    class Pair(nn.Cell):
        @ms.lazy_inline
        def __init__(self, tied: bool):
            super().__init__()
            self.a = Parameter(Tensor(np.float32([1, 2, 3, 4])), name="a")
            self.b = self.a if tied else Parameter(Tensor(np.float32([4, 3, 2, 1])), name="b")

        def construct(self, x):
            return x * self.a + self.b

    for order in ((True, False), (False, True)):
        cells = [Pair(tied) for tied in order]

        def run(x, cells=cells):
            return cells[1](cells[0](x))

        close(ms.jit(lambda x, run=run: run(x))(X), run(X))


class Stateful(nn.Cell):
    """Each call changes something or gives something back that a shared graph would lose."""

    @ms.lazy_inline
    def __init__(self, act: Callable[..., Any]):
        super().__init__()
        self.act = act
        self.weight = Parameter(Tensor(np.float32([1, 2, 3, 4])), name="w")

    def construct(self, *args):
        return self.act(self, *args)


def append(cell, x, items):
    items.append(x + len(items))
    return x


def write_an_argument(cell, x, items):
    x[0] = 5.0
    return x * 2


def write_its_own(cell, x, items):
    y = x * 2
    y[0] = 5.0
    return y


def return_its_argument(cell, x, items):
    return x, items, x + 1


def pass_on(cell, x, items):
    return x * 2, x


def return_a_view(cell, x, items):
    return x[1:]


def return_its_weight(cell, x, items):
    return cell.weight * 1, x


def read_a_name(cell, x, items):
    return x * len(cell.weight.name)


def assign_its_weight(cell, x, items):
    ops.assign_add(cell.weight, x[0])
    return x * cell.weight


def decide(cell, x, items):
    if x.sum() > 0:
        return x * cell.weight
    return x - cell.weight


def loop(cell, x, items):
    while x.sum() < 100:
        x = x * 2 + 1 + cell.weight.sum()
    return x


def several(cell, x, items):
    return {"a": x + 1, "b": [x * 2, None, 3]}


ACTS = [
    append,
    write_an_argument,
    write_its_own,
    return_its_argument,
    pass_on,
    return_a_view,
    return_its_weight,
    read_a_name,
    assign_its_weight,
    decide,
    loop,
    several,
]


@pytest.mark.parametrize("act", ACTS)
def test_calls_with_effects_keep_them(act):
    cells = [Stateful(act) for _ in range(3)]
    cells[1].weight.name = "longer"

    def run(x):
        y, items = x * 1, [0]
        got = [cell(y, items) for cell in cells]
        return y, items, got

    def state(run):
        for cell in cells:
            cell.weight.set_data(Tensor(np.float32([1, 2, 3, 4])))
        y, items, got = run(X)
        return [y, items, [list(g.values()) if isinstance(g, dict) else g for g in got], [c.weight * 1 for c in cells]]

    close(state(ms.jit(lambda x: run(x))), state(run))


def test_batch_statistics_of_shared_cells():
    class Norm(nn.Cell):
        @ms.lazy_inline
        def __init__(self):
            super().__init__()
            self.norm = nn.BatchNorm1d(4)

        def construct(self, x):
            return self.norm(x)

    def trained(run):
        cells = [Norm().set_train() for _ in range(2)]
        for _ in range(2):
            y = run(cells, X)
        return y, [Tensor(p.asnumpy()) for cell in cells for p in cell.get_parameters()]

    def eager(cells, x):
        return cells[1](cells[0](x))

    close(trained(lambda cells, x: ms.jit(lambda v: eager(cells, v))(x)), trained(eager))


def test_shapes_and_constants_have_graphs_of_their_own(graph):
    class Scaled(nn.Cell):
        @ms.lazy_inline
        def __init__(self):
            super().__init__()

        def construct(self, x, factor, shift=0):
            return x * factor + shift

    cells = [Scaled() for _ in range(2)]

    def run(x):
        small = x[:2]
        return cells[0](x, 2) + cells[1](x, 2), cells[0](small, 2), cells[1](x, 3), cells[0](x, 2, shift=1), cells[1](x, x)

    close(ms.jit(lambda x: run(x))(X), run(X))
    assert len(graph(run, X).shared) == 5


def test_a_shared_cell_under_a_condition():
    cells = [Inner(4), Inner(4)]

    def run(x):
        y = cells[0](x) if x.sum() > 0 else cells[1](x) * 2
        return y + cells[0](x)

    jitted = ms.jit(lambda x: run(x))
    for x in (X, -X, X + 5):
        close(jitted(x), run(x))


def test_vmap_over_shared_cells():
    model = Model(2, 1)
    batch = ops.stack([X, X * 2, -X])
    close(ms.vmap(model)(batch), ops.stack([model(X), model(X * 2), model(-X)]))


# no_inline -------------------------------------------------------------------------------------------------------------


@ms.no_inline
def step(x, k=3):
    return x * k + ops.tanh(x)


def test_calls_of_a_function_share_its_graph(graph):
    def repeated(n):
        def run(x):
            for _ in range(n):
                x = step(x)
            return x

        return run

    close(ms.jit(repeated(5))(X), repeated(5)(X))
    few, many = graph(repeated(2), X), graph(repeated(20), X)
    assert few.own == many.own and many.of("Call") == 20 and len(many.shared) == 1
    few, many = (graph(ms.grad(repeated(n)), X) for n in (2, 20))
    assert few.own == many.own and few.shared == many.shared


def test_arguments_of_a_shared_function_count():
    def run(x, k):
        return step(x) + step(x, 4) + step(x, k=k) + step(x, x)

    jitted = ms.jit(run)
    for k in (2, 5, 2.5):
        close(jitted(X, k), run(X, k))


def test_a_function_made_inside_sees_its_variables():
    def run(x):
        k = 1

        @ms.no_inline
        def scaled(y):
            return y * k

        a = scaled(x)
        k = 3
        return a + scaled(x) + ms.no_inline(lambda y: y * k)(x)

    close(ms.jit(run)(X), run(X))


def test_partial_of_a_shared_function():
    close(ms.jit(lambda x: functools.partial(step, k=2)(x))(X), step(X, 2))


def accumulate(total, x):
    return total + ops.tanh(x), total * 2


def test_a_scan_that_is_not_unrolled_shares_its_trips(graph):
    def run(x, unroll=False):
        return ops.Scan()(accumulate, x + 1, [x] * 9, unroll=unroll)

    close(ms.jit(lambda x: run(x))(X), run(X))
    nodes = graph(run, X)
    assert nodes.of("Call") == 9 and len(nodes.shared) == 1
    assert graph(lambda x: run(x, True), X).of("Call") == 0


# Errors ----------------------------------------------------------------------------------------------------------------


def test_what_lazy_inline_names():
    class Named(nn.Cell):
        @ms.lazy_inline
        def __init__(self, a, b=3, *c, **d):
            super().__init__()

    class Attributes(nn.Cell):
        @ms.lazy_inline(attrs=["a", "missing"])
        def __init__(self, a, b=3):
            super().__init__()
            self.a = a

    class Attribute(nn.Cell):
        @ms.lazy_inline(attrs="a", policy="front")
        def __init__(self, a):
            super().__init__()
            self.a = a

    assert Named(1).cell_init_args == "lazy_inline_Nameddict_values([1])"
    assert Named(1, 4, 5, z=3).cell_init_args == "lazy_inline_Nameddict_values([1, 4, (5,), {'z': 3}])"
    assert Attributes("s").cell_init_args == "lazy_inline_Attributes['s']"
    assert Attribute(2).cell_init_args == "lazy_inline_Attribute2" and Attribute(2).no_inline is False


def decorated(**options: Any) -> Any:
    class Made(nn.Cell):
        @ms.lazy_inline(**options)
        def __init__(self) -> None:
            super().__init__()

    return Made()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: decorated(policy="back"), "policy must be None or 'front'"),
        (lambda: decorated(attrs=3), "attrs must be list or string"),
        (lambda: decorated(attrs=["a", 3]), "attr must be a string"),
        (lambda: ms.lazy_inline(nn.Dense), "should decorate the __init__ function, not the class Dense. File: "),
        (lambda: ms.lazy_inline(decorated), "should decorate the __init__ function, not the function: decorated. line: "),
    ],
)
def test_what_lazy_inline_refuses(make, message):
    with pytest.raises(ValueError) as caught:
        make()
    assert message in str(caught.value)
