"""Jitted and vmapped functions called while an eager tape records: one node each, whose gradient is a graph. Values and
gradients are those of the undecorated function, op by op."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

RNG = np.random.default_rng(7)
X = RNG.standard_normal((4, 3))
Y = RNG.standard_normal((4, 3))


def arrays(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.asnumpy().copy()
    if isinstance(value, dict):
        return {key: arrays(item) for key, item in value.items()}
    return type(value)(arrays(item) for item in value) if isinstance(value, (tuple, list)) else value


def equal(got: Any, want: Any) -> None:
    if isinstance(want, np.ndarray):
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_array_equal(got, want)
    elif isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for a, b in zip(got, want):
            equal(a, b)
    elif isinstance(want, dict):
        assert list(got) == list(want)
        for key in want:
            equal(got[key], want[key])
    else:
        assert got == want and type(got) is type(want)


def close(got: Any, want: Any) -> None:
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-9, atol=1e-12)


def total(value: Any) -> Any:
    return sum((total(item) for item in value), 0.0) if isinstance(value, tuple) else (value * value).sum()


def calls(jitted: Any) -> int:
    return sum(s["calls"] for e in jitted.explain()["entries"] for s in e["specialisations"])


def loop(x: Any, y: Any) -> Any:
    while x.sum() < 100:
        x = x * x + y * y + 1
    return x


def choose(x: Any, y: Any) -> Any:
    if (x * y).sum() > 0:
        return ops.sin(x) * y
    return (x - y) * 2


def twice(x: Any, y: Any) -> Any:
    z = x * y
    return z, z, z * y


def assigned(x: Any, y: Any) -> Any:
    z = x * 1
    z[0] = z[1] * y[0]
    z[1:] = z[:-1] + z[1:] * z[1:]
    return z


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "elementwise": lambda x, y: ops.exp(x * y) + ops.sin(x),
    "matmul": lambda x, y: ops.tanh(x @ y.T),
    "norm": lambda x, y: (x - x.mean(0)) / ((x - x.mean(0)) ** 2).mean() * y,
    "softmax": lambda x, y: ops.softmax(x * y, -1),
    "several results": lambda x, y: (x * y, {"a": ops.sin(x), "b": [y * y, 3, "c", None]}),
    "an argument itself": lambda x, y: (x, x * y),
    "views of an argument": lambda x, y: (x[1:, ::2], y.T, x.reshape(-1) * 2),
    "one result twice": twice,
    "sizes alone": lambda x, y: ops.ones_like(x).sum() + y.sum(),
    "only of one": lambda x, y: ops.sin(x),
    "stopped": lambda x, y: ops.stop_gradient(x * y) * x + y,
    "integers": lambda x, y: (ops.argmax(x, 1), x > y, ops.cast(x * 8, ms.int32), x * y),
    "a while loop": loop,
    "a condition": choose,
    "assigned elements": assigned,
    "a gradient inside": lambda x, y: ms.grad(lambda t: (ops.sin(t) * t * y).sum())(x) * x,
    "copies": lambda x, y: x.copy() * y.copy(),
    "concatenated": lambda x, y: ops.concat((x, y, x * y), 1)[:, 2:],
    "a number": lambda x, y: x * 3.5 + 2 * y,
}


INEXACT = ("a gradient inside",)  # a graph adds up what flows to a value in another order there


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_gradients_are_those_of_the_plain_function(name: str) -> None:
    f = FUNCTIONS[name]
    jitted = ms.jit(f)
    for shift in (0.0, 0.5):
        x, y = Tensor(X + shift), Tensor(Y)
        got, want = (ms.value_and_grad(g, (0, 1))(x, y) for g in (jitted, f))
        if name not in INEXACT:
            equal(arrays(got), arrays(want))
        equal(arrays(got), arrays(ms.jit(ms.value_and_grad(f, (0, 1)))(x, y)))
        for a, b in zip(got[1], want[1]):
            close(a, b.asnumpy())
    assert len(jitted.explain()["entries"]) == 1
    assert calls(jitted) == 4
    taller = Tensor(np.concatenate([X, X])), Tensor(np.concatenate([Y, X]))
    for a, b in zip(ms.grad(jitted, (0, 1))(*taller), ms.grad(f, (0, 1))(*taller)):
        close(a, b.asnumpy())
    assert len(jitted.explain()["entries"]) == 1


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"several results", "integers"}))
def test_second_order(name: str) -> None:
    f = FUNCTIONS[name]
    jitted = ms.jit(f)
    x, y = Tensor(X), Tensor(Y)

    def second(f: Any) -> Any:
        first = lambda x, y: ms.grad(lambda x, y: total(f(x, y)), (0, 1))(x, y)
        return ms.grad(lambda x, y: sum((g * g * x).sum() for g in first(x, y)), (0, 1))(x, y)

    for _ in range(2):
        for got, want in zip(second(jitted), second(f)):
            close(got, want.asnumpy())
    assert len(jitted.explain()["entries"]) == 1


def test_third_order_and_forward_mode() -> None:
    f = lambda t: ops.sin(t) * t * t
    jitted, x, v = ms.jit(f), Tensor(X[0]), Tensor(Y[0])

    def third(f: Any) -> Any:
        first = ms.grad(lambda t: f(t).sum())
        second = ms.grad(lambda t: first(t).sum())
        return ms.grad(lambda t: second(t).sum())(x)

    close(third(jitted), third(f).asnumpy())
    close(ms.jvp(jitted, x, v)[1], ms.jvp(f, x, v)[1].asnumpy())
    for outer in (ms.jacfwd, ms.jacrev):
        for inner in (ms.jacfwd, ms.jacrev):
            close(outer(inner(jitted))(x), outer(inner(f))(x).asnumpy())
    _, pull = ms.vjp(jitted, x)
    for scale in (1, 2):
        close(pull(v * scale)[0], ms.vjp(f, x)[1](v * scale)[0].asnumpy())
    close(ms.grad(lambda u: (pull(u)[0] ** 2).sum())(v), ms.grad(lambda u: (ms.vjp(f, x)[1](u)[0] ** 2).sum())(v).asnumpy())
    assert len(jitted.explain()["entries"]) == 1


class Mlp(nn.Cell):
    def __init__(self, width: int = 8, norm: bool = False):
        super().__init__()
        self.first, self.last = nn.Dense(3, width), nn.Dense(width, 2)
        self.norm = nn.BatchNorm1d(width) if norm else None

    def construct(self, x: Any) -> Any:
        x = self.first(x)
        if self.norm is not None:
            x = self.norm(x)
        return self.last(ops.relu(x))


class JittedMlp(Mlp):
    @ms.jit
    def construct(self, x: Any) -> Any:
        return Mlp.construct(self, x)


def trained(make: Callable[[], Any]) -> tuple[Any, ...]:
    ms.set_seed(3)
    net = make()
    net.set_train(True)
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    gradient = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)
    rng, losses = np.random.default_rng(5), []
    for step in range(12):
        rows = 6 if step % 4 else 5
        x, y = (Tensor(rng.standard_normal((rows, n)).astype(np.float32)) for n in (3, 2))
        loss, gradients = gradient(x, y)
        losses.append((loss.asnumpy(), arrays(gradients)))
        optimizer(gradients)
    return net, losses, arrays([p for _, p in net.parameters_and_names()])


@pytest.mark.parametrize("norm", [False, True])
def test_training_with_a_jitted_construct(norm: bool) -> None:
    known = len(JittedMlp.construct.explain()["entries"])
    net, losses, parameters = trained(lambda: JittedMlp(norm=norm))
    _, plain_losses, plain_parameters = trained(lambda: Mlp(norm=norm))
    equal(parameters, plain_parameters)
    equal(losses, plain_losses)
    entries = JittedMlp.construct.explain()["entries"]
    assert len(entries) == known + 1
    assert len(entries[0]["specialisations"]) == 4  # forward and backward, for two sizes
    net.set_train(False)
    assert net(Tensor(X.astype(np.float32))).shape == (4, 2)


def test_parameters_that_are_read_are_sources() -> None:
    weight, other = Parameter(Tensor(X), name="weight"), Parameter(Tensor(Y), name="other")
    jitted = ms.jit(lambda x: ops.sin(x * weight) + other)
    for by in ([weight], [weight, other], [other]):
        for position in (None, 0):
            want = ms.value_and_grad(lambda x: ops.sin(x * weight) + other, position, by)(Tensor(Y))
            equal(arrays(ms.value_and_grad(jitted, position, by)(Tensor(Y))), arrays(want))
    weight.set_data(weight * 2)
    got = ms.grad(jitted, None, weight)(Tensor(Y))
    close(got, Y * np.cos(Y * 2 * X))
    assert len(jitted.explain()["entries"]) == 1


def test_hooks_of_parameters_and_tensors() -> None:
    weight, seen = Parameter(Tensor(X), name="weight"), []
    jitted = ms.jit(lambda x: x * weight)
    weight.register_hook(lambda g: seen.append(g.asnumpy().copy()) or g * 2)
    x = Tensor(Y)
    x.register_hook(lambda g: g * 3)
    by_x, by_weight = ms.grad(lambda x: (jitted(x) + jitted(x)).sum(), 0, weight)(x)
    close(by_weight, 4 * Y)
    close(by_x, 6 * X)
    np.testing.assert_array_equal(seen, [2 * Y])

    def inner(x: Any) -> Any:
        y = x * 2
        y.register_hook(lambda g: g * 5)
        return y * x

    close(ms.grad(ms.jit(inner))(x), ms.grad(inner)(x).asnumpy())


def test_assignments_happen_once_and_carry_gradients() -> None:
    state = Parameter(Tensor(np.zeros((4, 3))), name="state", requires_grad=False)

    def step(x: Any) -> Any:
        ops.assign(state, state + x)
        return x * x

    jitted = ms.jit(step)

    def gradient(f: Any) -> Any:
        state.set_data(Tensor(np.zeros((4, 3))))

        def both(x: Any) -> Any:
            a = f(x)
            b = f(a)
            return (state * state).sum() + b.sum()

        return arrays((ms.value_and_grad(both)(Tensor(X)), state))

    want = gradient(step)
    for _ in range(3):
        equal(gradient(jitted), want)
    assert len(jitted.explain()["entries"]) == 1


def test_a_tracked_parameter_that_is_assigned() -> None:
    weight = Parameter(Tensor(X), name="weight")

    def f(x: Any) -> Any:
        y = weight * x
        ops.assign(weight, weight * weight * x)
        return y * weight

    jitted = ms.jit(f)

    def gradient(f: Any) -> Any:
        weight.set_data(Tensor(X))
        return arrays((ms.value_and_grad(lambda x: (f(x) * weight).sum(), 0, weight)(Tensor(Y)), weight))

    want = gradient(f)
    for _ in range(2):
        equal(gradient(jitted), want)


def test_a_pullback_knows_the_values_from_before_a_write() -> None:
    weight = Parameter(Tensor(X), name="weight")
    jitted = ms.jit(lambda t: t * weight)
    assign = ms.jit(lambda: ops.assign(weight, weight * 0))
    for write in (lambda: ops.assign(weight, weight * 0), assign):
        weight.set_data(Tensor(X))
        _, pull = ms.vjp(jitted, Tensor(Y))
        write()
        close(pull(Tensor(Y))[0], X * Y)
    x = Tensor(X)
    _, pull = ms.vjp(ms.jit(lambda t: t * x), Tensor(Y))
    x[0] = 7.0
    close(pull(Tensor(Y))[0], X * Y)


def test_arguments_that_are_changed() -> None:
    def f(x: Any, y: Any) -> Any:
        x[0] = x[1] * y[0]
        return x * y

    jitted = ms.jit(f)

    def gradient(f: Any) -> Any:
        def both(x: Any, y: Any) -> Any:
            z = x * 2
            return f(z, y).sum() + (z * z).sum()

        return arrays(ms.value_and_grad(both, (0, 1))(Tensor(X), Tensor(Y)))

    for _ in range(2):
        equal(gradient(jitted), gradient(f))
    given = Tensor(X)
    ms.grad(lambda y: jitted(given, y))(Tensor(Y))
    np.testing.assert_array_equal(given.asnumpy()[0], X[1] * Y[0])


def test_random_ops_draw_once(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        print("drawn", x.shape[0])
        return ops.dropout(x, 0.5, training=True) * x

    jitted = ms.jit(f)

    def gradients(f: Any) -> Any:
        ms.set_seed(11)
        return arrays([ms.value_and_grad(f)(Tensor(X)) for _ in range(3)])

    equal(gradients(jitted), gradients(f))


class Tripled(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(Tensor(Y), name="weight")

    def construct(self, x: Any) -> Any:
        return ops.sin(x) * self.weight

    def bprop(self, x: Any, out: Any, dout: Any) -> Any:
        return (dout * 3 * self.weight,)


def test_cells_with_a_gradient_of_their_own() -> None:
    cell = Tripled()
    jitted = ms.jit(lambda x: cell(x * 2) + x)
    plain = ms.jit(lambda x: cell(x * 2) + x)
    x = Tensor(X)
    close(plain(x), np.sin(2 * X) * Y + X)
    for scale in (1, 2):
        cell.weight.set_data(Tensor(Y * scale))
        close(ms.grad(jitted)(x), 6 * Y * scale + 1)
    wrt = ms.grad(lambda x: (ms.grad(jitted)(x) * x).sum())(x)
    close(wrt, 12 * Y + 1)


def test_recomputation() -> None:
    def block(x: Any) -> Any:
        return ops.dropout(ops.exp(x) * x, 0.5, training=True)

    jitted = ms.jit(lambda x: ms.recompute(block, x) * 2)
    inside = ms.jit(block)
    around = lambda x: ms.recompute(inside, x) * 2

    def gradient(f: Any) -> Any:
        ms.set_seed(5)
        return arrays([ms.value_and_grad(f)(Tensor(X)) for _ in range(2)])

    want = gradient(lambda x: block(x) * 2)
    equal(gradient(jitted), want)
    equal(gradient(around), want)


def test_recomputation_around_a_jitted_function_that_assigns() -> None:
    count = Parameter(Tensor(np.zeros(())), name="count", requires_grad=False)

    @ms.jit
    def step(x: Any) -> Any:
        ops.assign(count, count + 1)
        return x * x * count

    got = ms.grad(lambda x: ms.recompute(step, x).sum())(Tensor(X))
    close(got, 2 * X)
    assert count.item() == 1


def test_forms_of_gradients() -> None:
    jitted = ms.jit(lambda x, y: (ops.sin(x) * y, x + y))
    plain = lambda x, y: (ops.sin(x) * y, x + y)
    x, y, sens = Tensor(X), Tensor(Y), (Tensor(Y * Y), Tensor(X))
    for form in (
        lambda f: ms.value_and_grad(f, (0, 1), has_aux=True)(x, y),
        lambda f: ms.grad(f, 1, sens_param=True)(x, y, sens),
        lambda f: ms.value_and_grad(f, 0, return_ids=True)(x, y),
        lambda f: ms.value_and_grad(lambda x: f(x, y)[1])(x),
        lambda f: ms.value_and_grad(lambda x: tuple(reversed(f(x, y))), has_aux=True)(x),
    ):
        for _ in range(2):
            equal(arrays(form(jitted)), arrays(form(plain)))
    assert len(jitted.explain()["entries"]) == 1


def test_what_no_gradient_flows_through_runs_as_a_graph() -> None:
    jitted = ms.jit(lambda x: ops.sin(x) * 2)
    constant = Tensor(X)
    for _ in range(3):
        close(ms.grad(lambda y: (jitted(constant) * y).sum())(Tensor(Y)), np.sin(X) * 2)
    assert [s["calls"] for e in jitted.explain()["entries"] for s in e["specialisations"]] == [3]
    nothing = ms.jit(lambda x: None)
    assert ms.value_and_grad(lambda x: (x * x, nothing(x))[0])(Tensor(X))[0].shape == (4, 3)


def test_numbers_stay_arguments() -> None:
    jitted = ms.jit(lambda x, a: x * a)
    for a in (2.0, 3.0, 2.5):
        close(ms.grad(jitted)(Tensor(X), a), np.full_like(X, a))
    assert len(jitted.explain()["entries"]) == 1


def test_a_jitted_function_that_calls_jitted_functions() -> None:
    inner = ms.jit(lambda x: ops.sin(x))
    outer = ms.jit(lambda x: inner(x) * inner(x * 2))
    x = Tensor(X)
    equal(arrays(ms.grad(outer)(x)), arrays(ms.grad(lambda x: ops.sin(x) * ops.sin(x * 2))(x)))
    equal(arrays(ms.grad(lambda x: inner(x) * inner(x * 2))(x)), arrays(ms.grad(outer)(x)))
    assert calls(outer) == 4


def test_errors_have_the_users_frames() -> None:
    @ms.jit
    def bad(x: Any) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine") as error:
        ms.grad(bad)(Tensor(X))
    assert error.traceback[-1].name == "bad"
    jitted = ms.jit(lambda x, y: x @ y)
    with pytest.raises(ValueError, match="matmul"):
        ms.grad(jitted)(Tensor(X), Tensor(X))
    close(ms.grad(jitted)(Tensor(X), Tensor(X.T)), np.ones((4, 4)) @ X)


@pytest.mark.breaks
def test_functions_that_break_and_those_that_no_graph_holds() -> None:
    seen = []

    def breaking(x: Any) -> Any:
        y = ops.sin(x) * x
        seen.append(float(y.asnumpy()[0, 0]))
        return y * x

    jitted = ms.jit(breaking, capture_mode="bytecode")
    want = arrays(ms.value_and_grad(breaking)(Tensor(X)))
    for _ in range(3):
        value, gradient = ms.value_and_grad(jitted)(Tensor(X))
        equal(arrays(value), want[0])
        close(gradient, want[1])
    assert len(seen) == 4
    changed: dict[str, Any] = {}

    @ms.jit
    def storing(x: Any) -> Any:
        changed["last"] = x * 2
        return changed["last"] * x

    for _ in range(2):
        equal(arrays(ms.value_and_grad(storing)(Tensor(X))), arrays(ms.value_and_grad(lambda x: x * 2 * x)(Tensor(X))))


ROWS = {
    "elementwise": lambda x, y: ops.exp(x * y).sum(),
    "matmul": lambda x, y: ops.tanh(x.reshape(3, 1) @ y.reshape(1, 3)),
    "softmax": lambda x, y: ops.softmax(x * y, 0),
    "a gradient inside": lambda x, y: ms.grad(lambda t: (t * t * y).sum())(x),
}


@pytest.mark.parametrize("name", ROWS)
def test_vmapped_functions(name: str) -> None:
    f, x, y = ROWS[name], Tensor(X), Tensor(Y)
    mapped = ms.vmap(f)
    sliced = lambda x, y: ops.stack([f(x[i], y[i]) for i in range(x.shape[0])])
    for _ in range(2):
        for got, want in zip(ms.grad(mapped, (0, 1))(x, y), ms.grad(sliced, (0, 1))(x, y)):
            close(got, want.asnumpy())
        second = lambda f: ms.grad(lambda x: (ms.grad(lambda x: f(x, y).sum())(x) * x).sum())(x)
        close(second(mapped), second(sliced).asnumpy())


def test_a_vmapped_loop_to_second_order() -> None:
    def f(x: Any) -> Any:
        while x.sum() < 20:
            x = x * x + 1
        return x

    mapped = ms.vmap(f)
    sliced = lambda x: ops.stack([f(x[i]) for i in range(x.shape[0])])
    second = lambda f: ms.grad(lambda x: (ms.grad(lambda x: f(x).sum())(x) * x).sum())(Tensor(X))
    close(second(mapped), second(sliced).asnumpy())


@pytest.mark.parametrize("assigns", [False, True])
def test_a_gradient_is_added_to_that_of_a_parameter_that_a_condition_assigns(assigns: bool) -> None:
    """It flows through the condition, which the gradient of the result alone does not."""

    def step(wrap: Callable[..., Any]) -> Any:
        v = Parameter(Tensor(X[0]), name="v")
        w = Parameter(Tensor(abs(X[1]) if assigns else -abs(X[1])), name="w")

        @wrap
        def f(x: Tensor) -> Tensor:
            out = v + x
            if w.sum() > 0:
                v.assign_value(w * 0.5 + x)
            return out

        found = ms.value_and_grad(lambda x: (f(x) * 3 + ops.maximum(w, v)).sum(), 0, [v, w])(Tensor(X[2]))
        return arrays((found, v, w))

    equal(step(ms.jit), step(lambda f: f))


def test_nothing_is_kept_longer_than_the_tape() -> None:
    jitted = ms.jit(lambda x: ops.exp(ops.sin(x)) * x)
    x = Tensor(np.ones((256, 256)))

    def used() -> int:
        gc.collect()
        return int(ms._emberjit.memory_stats()["live"])

    ms.grad(jitted)(x)
    before = used()
    _, pull = ms.vjp(jitted, x)
    assert used() > before + x.nbytes // 2
    del pull
    for _ in range(5):
        ms.grad(jitted)(x)
    assert used() <= before + x.nbytes // 8
