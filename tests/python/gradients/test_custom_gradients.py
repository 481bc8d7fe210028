"""Gradients of the user's own (bprop), hooks on Tensors, Parameters and Cells, recomputation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops
from emberjit import _emberjit as core

X = np.array([0.5, -1.25])
V = np.array([2.0, -0.75])
MODES: dict[str, Any] = {"eager": lambda f: f, "jit": ms.jit}
modes = pytest.mark.parametrize("mode", MODES)


def close(got: Any, want: Any, rtol: float = 1e-7) -> None:
    np.testing.assert_allclose(got.asnumpy(), want, rtol=rtol, atol=1e-9)


class Product(nn.Cell):
    """Its gradient is not the true one, so that one sees which is used."""

    def construct(self, a, b):
        return a * b

    def bprop(self, a, b, out, dout):
        return dout * 10 * a * a, dout * out


class Exponential(nn.Cell):
    """Its gradient uses the result."""

    def construct(self, a):
        return ops.exp(a)

    def bprop(self, a, out, dout):
        return dout * out


class Twice(nn.Cell):
    def construct(self, a):
        return a * 2, (a * 3,)

    def bprop(self, a, out, dout):
        return (dout[0] * 10 + dout[1][0],)


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(V), name="weight")

    def construct(self, a, scale=2.0):
        return a * self.weight * scale

    def bprop(self, a, scale, out, dout):
        return dout * 10 * self.weight * scale, 0.0


@modes
def test_bprop_is_the_gradient(mode: str) -> None:
    run, x, v, weighted = MODES[mode], Tensor(X), Tensor(V), Weighted()
    by_a, by_b = run(ms.grad(Product(), (0, 1)))(x, v)
    close(by_a, 10 * X * X)
    close(by_b, X * V)
    close(run(ms.grad(Twice()))(x), [11, 11])
    by_a, by_weight = run(ms.grad(weighted, 0, weighted.weight))(x)
    close(by_a, 20 * V)
    close(by_weight, 0 * V)
    close(run(Product())(x, v), X * V)


@modes
def test_bprop_is_differentiated_in_turn(mode: str) -> None:
    run, x, v = MODES[mode], Tensor(X), Tensor(V)
    product, exponential = Product(), Exponential()
    close(run(ms.grad(lambda t: ms.grad(product)(t, v).sum()))(x), 20 * X)
    close(run(ms.grad(lambda t: ms.grad(product, 1)(t, v).sum()))(x), 10 * X * X)
    close(run(ms.jacfwd(ms.jacrev(lambda t: exponential(t).sum())))(x), np.diag(np.exp(X)))
    close(run(lambda x, v: ms.jvp(product, (x, v), (v, x)))(x, v)[1], 10 * X * X * V + X * V * X)


@modes
def test_bprop_in_loops_and_under_vmap(mode: str) -> None:
    run, exponential, product = MODES[mode], Exponential(), Product()

    def grow(t):
        while t.sum() < 50:
            t = exponential(t) + t
        return t

    def plain(t):
        while t.sum() < 50:
            t = ops.exp(t) + t
        return t

    close(run(ms.grad(grow))(Tensor(X)), ms.grad(plain)(Tensor(X)).asnumpy())
    rows = Tensor(np.stack([X, V]))
    close(run(ms.vmap(ms.grad(product)))(rows, rows), 10 * np.stack([X, V]) ** 2)
    by_rows, by_b = run(ms.grad(lambda r, b: ms.vmap(product, (0, None))(r, b).sum(), (0, 1)))(rows, Tensor(X))
    close(by_rows, 10 * np.stack([X, V]) ** 2)
    close(by_b, X * X + V * X)


@modes
def test_bprop_may_return_a_list_and_what_was_broadcast(mode: str) -> None:
    class Broadcast(nn.Cell):
        def construct(self, a, b):
            return a * b

        def bprop(self, a, b, out, dout):
            return [dout * b, dout * a]

    class One(nn.Cell):
        def construct(self, a):
            return a * 2

        def bprop(self, a, out, dout):
            return [dout * 3]

    a = np.arange(6.0).reshape(2, 3)
    run, cell, whole = MODES[mode], Broadcast(), Tensor(a)
    for b in (np.full((2, 3), 2.0), np.full((1, 3), 2.0), np.full((2, 1), 2.0), np.full((3,), 2.0), np.array(2.0)):
        by_a, by_b = run(ms.grad(cell, (0, 1)))(whole, Tensor(b))
        close(by_a, np.full((2, 3), 2.0))
        want = ms.grad(lambda s, t: s * t, 1)(whole, Tensor(b))
        assert by_b.shape == b.shape
        close(by_b, want.asnumpy())
        close(run(ms.grad(cell))(Tensor(b), whole), want.asnumpy())
    close(run(ms.grad(One()))(whole), np.full((2, 3), 3.0))


def test_unusable_answers_of_bprop() -> None:
    class Short(Product):
        def bprop(self, a, b, out, dout):
            return (dout,)

    class Misshapen(Product):
        def bprop(self, a, b, out, dout):
            return dout.sum(), dout

    class Number(Product):
        def bprop(self, a, b, out, dout):
            return 1.0, dout

    for cell, error in ((Short(), RuntimeError), (Misshapen(), ValueError), (Number(), TypeError)):
        for run in MODES.values():
            with pytest.raises(error, match="bprop"):
                run(ms.grad(cell))(Tensor(X), Tensor(V))


@modes
def test_hook_of_a_tensor(mode: str) -> None:
    def f(t):
        z = t * 2
        z.register_hook(lambda g: g * 3)
        z.register_hook(lambda g: None)
        return z * z + z

    close(MODES[mode](ms.grad(f))(Tensor(X)), 6 * (4 * X + 1))


def test_hooks_outside_captures() -> None:
    def late(t):
        z = t * 2
        w = z * z
        handle = z.register_hook(lambda g: g * 3)
        z.register_hook(lambda g: g * 100).remove()
        seen.append(handle)
        return w + z

    seen: list[Any] = []
    close(ms.grad(late)(Tensor(X)), 6 * (4 * X + 1))
    x = Tensor(X)
    handle = x.register_hook(lambda g: g * 5)
    close(ms.grad(lambda t: t * t)(x), 10 * X)
    handle.remove()
    handle.remove()
    close(ms.grad(lambda t: t * t)(x), 2 * X)
    with pytest.raises(TypeError, match="Expected a callable hook function, but got int"):
        x.register_hook(3)


@modes
def test_functions_put_into_the_gradient(mode: str) -> None:
    def clip(gradient):
        if gradient.sum() > 1:
            gradient = gradient * 0 + 1
        return gradient

    clipped = ops.InsertGradientOf(clip)
    close(MODES[mode](ms.grad(lambda t: clipped(t) * 5))(Tensor(X)), [1, 1])
    close(MODES[mode](ms.grad(lambda t: clipped(t) * 0.25))(Tensor(X)), [0.25, 0.25])
    hook = ops.HookBackward(lambda gradients: (gradients[0] * 2, gradients[1] * 3))

    def f(a, b):
        a, b = hook(a, b)
        return a * b

    by_a, by_b = MODES[mode](ms.grad(f, (0, 1)))(Tensor(X), Tensor(V))
    close(by_a, 2 * V)
    close(by_b, 3 * X)
    with pytest.raises(TypeError, match="must be Tensors"):
        hook(1.0, 2.0)


@modes
def test_hook_of_a_parameter(mode: str) -> None:
    weight = Parameter(Tensor(V), name="weight")
    f = MODES[mode](ms.grad(lambda t: t * weight, None, weight))
    close(f(Tensor(X)), X)
    handle = weight.register_hook(lambda g: g * 3)
    close(f(Tensor(X)), 3 * X)
    handle.remove()
    close(f(Tensor(X)), X)


HOOKED_MODES: dict[str, Any] = {
    **MODES,
    "bytecode": lambda f: ms.jit(f, capture_mode="bytecode"),
    "trace": lambda f: ms.jit(f, capture_mode="trace"),
}


@pytest.mark.parametrize("mode", HOOKED_MODES)
def test_hooks_of_what_a_captured_function_differentiates_by(mode: str) -> None:
    f = HOOKED_MODES[mode](ms.grad(lambda a, b: a * a * b, (0, 1)))
    x, v = Tensor(X), Tensor(V)

    def by_x(factor: float, *args: Any) -> None:
        first, second = f(*(args or (x, v)))
        close(first, factor * 2 * X * V)
        close(second, X * X)

    by_x(1)
    handle = x.register_hook(lambda g: g * 3)
    by_x(3)
    by_x(3)
    other = Tensor(X)
    by_x(1, other, v)
    other.register_hook(lambda g: g * 7)
    by_x(7, other, v)
    by_x(3)
    second = x.register_hook(lambda g: g * 5)
    by_x(15)
    handle.remove()
    by_x(5)
    second.remove()
    by_x(1)
    weight = Parameter(Tensor(X), name="weight")
    by_x(1, weight, v)
    weight.register_hook(lambda g: g * 2)
    by_x(2, weight, v)
    by_x(1)


@pytest.mark.parametrize("mode", HOOKED_MODES)
def test_hooks_of_a_tensor_from_outside(mode: str) -> None:
    outside = Tensor(X)
    f = HOOKED_MODES[mode](lambda b: ms.grad(lambda a: a * a * b)(outside))
    close(f(Tensor(V)), 2 * X * V)
    handle = outside.register_hook(lambda g: g * 3)
    for _ in range(2):
        close(f(Tensor(V)), 6 * X * V)
    handle.remove()
    close(f(Tensor(V)), 2 * X * V)


def test_hooks_of_inputs_in_graph_mode() -> None:
    class Gradient(nn.Cell):
        def construct(self, a, b):
            return ops.GradOperation(get_all=True)(lambda s, t: s * s * t)(a, b)

    x, v, cell = Tensor(X), Tensor(V), Gradient()
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        close(cell(x, v)[0], 2 * X * V)
        handle = x.register_hook(lambda g: g * 3)
        close(cell(x, v)[0], 6 * X * V)
        handle.remove()
        close(cell(x, v)[0], 2 * X * V)
    finally:
        ms.set_context(mode=before)


@modes
def test_hooks_of_a_cell(mode: str) -> None:
    cell, x = Exponential(), Tensor(X)
    f = MODES[mode](ms.grad(lambda t: cell(t * t)))
    seen: list[Any] = []
    handles = [
        cell.register_forward_pre_hook(lambda c, args: (args[0] * 3,)),
        cell.register_forward_hook(lambda c, args, out: out * args[0]),
        cell.register_backward_pre_hook(lambda c, grad_output: grad_output[0] * 2),
        cell.register_backward_hook(lambda c, grad_input, grad_output: grad_input[0] * grad_output[0]),
    ]
    t = 3 * X * X
    close(MODES[mode](cell)(x * x), np.exp(t) * t)
    close(f(x), np.exp(t) * (t + 1) * 2 * 2 * 3 * 2 * X)
    for handle in handles:
        handle.remove()
    close(f(x), np.exp(X * X) * 2 * X)
    assert not seen


def test_graph_mode_notices_hooks_that_come_and_go() -> None:
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        cell, x = nn.Tanh(), Tensor(X)
        for _ in range(2):
            close(cell(x), np.tanh(X))
            handle = cell.register_forward_hook(lambda c, args, out: out * 2)
            close(cell(x), 2 * np.tanh(X))
            handle.remove()
        close(Exponential()(x), np.exp(X))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@modes
def test_hooks_see_all_inputs_and_outputs(mode: str) -> None:
    class Two(nn.Cell):
        def construct(self, a, b):
            return a * b, a + b

    two = Two()

    def check(cell, grad_input, grad_output):
        assert cell is two and len(grad_input) == 2 and len(grad_output) == 2
        return grad_input[0] * 10 + grad_output[0], grad_input[1] + grad_output[1]

    two.register_backward_hook(check)
    by_a, by_b = MODES[mode](ms.grad(two, (0, 1)))(Tensor(X), Tensor(V))
    close(by_a, (V + 1) * 10 + 1)
    close(by_b, X + 1 + 1)
    second = MODES[mode](ms.grad(lambda t: ms.grad(two)(t, t * t).sum()))(Tensor(X))
    assert np.isfinite(second.asnumpy()).all()


def test_hooks_with_keywords_and_failures() -> None:
    class Failing(nn.Cell):
        def construct(self, a, b=1):
            if b == 0:
                raise ValueError("no")
            return a * b

    seen: list[Any] = []
    cell = Failing()
    cell.register_forward_pre_hook(lambda c, args, kwargs: (args, {"b": kwargs["b"] * 2}), with_kwargs=True)
    cell.register_forward_pre_hook(lambda c, args: seen.append("first"), prepend=True)
    cell.register_forward_hook(lambda c, args, kwargs, out: seen.append(kwargs), with_kwargs=True, always_call=True)
    close(cell(Tensor(X), b=3), 6 * X)
    with pytest.raises(ValueError, match="no"):
        cell(Tensor(X), b=0)
    assert seen == ["first", {"b": 6}, "first", {"b": 0}]
    with pytest.raises(TypeError, match="Expected a callable hook function, but got int"):
        cell.register_backward_hook(3)


def test_a_hook_runs_also_where_only_weights_are_differentiated_by() -> None:
    dense, seen = nn.Dense(2, 1), []
    dense.register_backward_hook(lambda c, grad_input, grad_output: seen.append((grad_input, len(grad_output))))
    ms.grad(dense, None, dense.trainable_params())(Tensor(X[None].astype(np.float32)))
    assert seen == [((None,), 1)]


@modes
def test_recomputation_changes_no_gradient(mode: str) -> None:
    run, x = MODES[mode], Tensor(X)
    weight = Parameter(Tensor(V), name="weight")
    f = lambda t: ops.sin(ops.exp(t) * t * weight)
    again = lambda t: ms.recompute(f, t)
    for transform in (lambda g: ms.grad(g, 0, weight), lambda g: ms.grad(lambda t: ms.grad(g)(t).sum(), 0, weight)):
        for got, want in zip(run(transform(again))(x), run(transform(f))(x)):
            close(got, want.asnumpy(), 1e-12)
    close(run(ms.jacfwd(again))(x), run(ms.jacrev(f))(x).asnumpy())


@modes
def test_recomputation_draws_the_same_random_numbers(mode: str) -> None:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.drop, self.second = nn.Dense(2, 8), nn.Dropout(p=0.5), nn.Dense(8, 1)

        def construct(self, t):
            return self.second(self.drop(ops.tanh(self.first(t))))

    ms.set_seed(3)
    net, x = Net().set_train(), Tensor(np.random.default_rng(0).standard_normal((16, 2)).astype(np.float32))
    gradients = []
    for recompute in (False, True):
        if recompute:
            net.recompute()
        ms.set_seed(5)
        gradients.append(MODES[mode](ms.grad(lambda t: net(t).sum(), None, net.trainable_params()))(x))
    for a, b in zip(*gradients):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


@modes
def test_recomputation_keeps_less(mode: str) -> None:
    x, weight = Tensor(np.ones((256, 256))), Tensor(np.eye(256))

    def chain(t):
        for _ in range(8):
            t = ops.sin(t @ weight)
        return t

    def peak(f: Any) -> int:
        gradient = MODES[mode](ms.grad(lambda t: f(f(f(f(t)))).sum()))
        before = ms.memory_stats()["live"]
        core.reset_peak()
        for _ in range(3):
            gradient(x)
        return ms.memory_stats()["peak"] - before

    assert peak(lambda t: ms.recompute(chain, t)) < 0.6 * peak(chain)


def test_a_pull_serves_the_graph_that_made_it_only() -> None:
    library: dict[str, Any] = {"__name__": "emberjit.kept", "kept": []}  # whose functions are not followed
    exec("def keep(pull):\n    kept.append(pull)\ndef use(x):\n    return kept[0](x)", library)
    hold, use = library["keep"], library["use"]

    def keep(x: Any) -> Any:
        out, pull = ms.vjp(lambda t: t + 1, x)
        hold(pull)
        return out

    ms.jit(keep)(Tensor(X))
    with pytest.raises(RuntimeError, match="of another graph"):
        ms.jit(lambda x: use(x), fullgraph=True)(Tensor(X))


def test_a_recomputed_function_must_not_assign_its_arguments_elements() -> None:
    def h(a: Any, b: Any) -> Any:
        a[0] = b[1] * 3
        return (a * b).sum()

    def outer(again: Any) -> Any:
        return lambda x: again(h, x * 1, x * 1)

    def copied(a: Any, b: Any) -> Any:
        return h(a.copy(), b)

    with pytest.raises(RuntimeError, match=r"For 'recompute', h assigns elements of an argument.*copy\(\)"):
        ms.grad(outer(ms.recompute))(Tensor(X))
    wanted = ms.grad(outer(lambda f, a, b: f(a, b)))(Tensor(X))
    found = ms.grad(lambda x: ms.recompute(copied, x * 1, x * 1))(Tensor(X))
    np.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())
