"""What hooks on gradients return is checked as soon as they have: the error names the hook and what was wanted."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops


def wide(gradient):
    return ops.concat([gradient, gradient])


def a_number(gradient):
    return 1.0


def doubles(gradient):
    return gradient.astype(ms.float64)


def nothing(gradient):
    return None


def halved(gradient):
    return gradient * 0.5


WRONG = [(wide, ValueError, r"'wide'.*\(3,\)"), (a_number, TypeError, "'a_number'"), (doubles, TypeError, "'doubles'")]


def ones():
    return Tensor(np.ones(3, np.float32))


def of_a_tensor(hook):
    x = ones()
    x.register_hook(hook)
    return ms.grad(lambda v: (v * v).sum())(x)


def of_a_parameter(hook):
    p = Parameter(ones(), name="p")
    p.register_hook(hook)
    return ms.grad(lambda v: (v * p).sum(), None, [p])(ones())[0]


def inserted(hook):
    return ms.grad(lambda v: ops.InsertGradientOf(hook)(v * v).sum())(ones())


def inserted_in_a_graph(hook):
    return ms.jit(ms.grad(lambda v: ops.InsertGradientOf(hook)(v * v).sum()))(ones())


def backward_of_inputs(hook):
    return ms.grad(lambda v: ops.HookBackward(lambda g: hook(g[0]))(v * v).sum())(ones())


def of_a_cell(hook):
    class Square(nn.Cell):
        def construct(self, v):
            return v * v

    cell = Square()

    def wrapped(cell, by_input, by_output):
        return hook(by_input[0])

    cell.register_backward_hook(wrapped)
    return ms.grad(lambda v: cell(v).sum())(ones())


NAMED = [of_a_tensor, of_a_parameter, inserted, inserted_in_a_graph]


@pytest.mark.parametrize(("hook", "kind", "text"), WRONG, ids=lambda value: getattr(value, "__name__", None))
@pytest.mark.parametrize("through", NAMED)
def test_a_wrong_gradient_is_an_error_that_names_the_hook(through, hook, kind, text):
    with pytest.raises(kind, match=text):
        through(hook)


@pytest.mark.parametrize(("hook", "kind", "text"), WRONG, ids=lambda value: getattr(value, "__name__", None))
@pytest.mark.parametrize("through", [backward_of_inputs, of_a_cell])
def test_a_wrong_gradient_among_several_is_an_error(through, hook, kind, text):
    with pytest.raises(kind, match="must return a"):
        through(hook)


@pytest.mark.parametrize("hook", [nothing, halved])
@pytest.mark.parametrize("through", [*NAMED, backward_of_inputs, of_a_cell])
def test_a_right_one_passes(through, hook):
    assert through(hook).shape == (3,)


def a_tensor_in_its_hook():
    x = ones()
    x.register_hook(lambda g: g * x.shape[0])
    ms.grad(lambda v: (v * v).sum())(x)
    return x


def a_subclass_in_its_hook():
    class Named(Tensor):
        pass

    x = Named(np.ones(3, np.float32))
    x.register_hook(lambda g: g * x.shape[0])
    return x


def a_parameter_in_its_hook():
    p = Parameter(ones(), name="p")
    p.register_hook(lambda g: g * p.shape[0])
    ms.grad(lambda v: (v * p).sum(), None, [p])(ones())
    return p


def a_step_in_its_hook():
    kept = []

    def f(v):
        y = v * 2
        y.register_hook(lambda g: g * y.shape[0])
        kept.append(y)
        return y.sum()

    ms.grad(f)(ones())
    return kept.pop()


def a_cell_in_its_hook():
    cell = nn.Dense(3, 3)
    cell.register_forward_hook(lambda of, given, made: cell and made)
    cell.register_backward_hook(lambda of, given, made: cell and None)
    return cell


def a_cell_in_the_hook_of_its_parameter():
    cell = nn.Dense(3, 3)
    cell.weight.register_hook(lambda g: g * cell.weight.shape[0])
    return cell


class Tripled(nn.Cell):
    def construct(self, x):
        return x * 3

    def bprop(self, x, out, dout):
        return (dout * 3,)


def a_vjp_on_its_cell():
    cell = Tripled()
    cell.kept = ms.vjp(lambda x: cell(x), ones())[1]
    return cell


def a_vjp_of_a_vjp_on_its_cell():
    cell = Tripled()

    def outer(x):
        cell.inner = ms.vjp(cell, x)[1]
        return cell.inner(x)

    cell.outer = ms.vjp(outer, ones())[1]
    return cell


def a_parameter_in_the_hook_of_a_kept_vjp():
    net = nn.Dense(3, 3)
    net.weight.register_hook(lambda g: net and g)
    net.kept = ms.vjp(net, ops.ones((2, 3)), weights=net.trainable_params())[1]
    return net


CYCLES = [
    a_tensor_in_its_hook,
    a_subclass_in_its_hook,
    a_parameter_in_its_hook,
    a_step_in_its_hook,
    a_cell_in_its_hook,
    a_cell_in_the_hook_of_its_parameter,
    a_vjp_on_its_cell,
    a_vjp_of_a_vjp_on_its_cell,
    a_parameter_in_the_hook_of_a_kept_vjp,
]


@pytest.mark.parametrize("made", CYCLES, ids=lambda f: f.__name__)
def test_what_refers_to_itself_through_hooks_is_collected(made):
    there = weakref.ref(made())
    gc.collect()
    assert there() is None


def test_a_vjp_outlives_what_is_collected_around_it():
    def made():
        cell = Tripled()
        return ms.vjp(lambda v: cell(v) * v, ones())[1]

    pull = made()
    gc.collect()
    np.testing.assert_array_equal(pull(ones())[0].asnumpy(), [6, 6, 6])


def test_only_a_tensor_with_hooks_is_looked_at_by_the_collector():
    x = ones()
    assert not gc.is_tracked(x)
    handle = x.register_hook(halved)
    assert gc.is_tracked(x)
    handle.remove()
    for _ in range(600):
        y = ones() + 1
        assert not gc.is_tracked(y)


@pytest.mark.parametrize("kind", [ops.HookBackward, ops.InsertGradientOf])
def test_hooks_where_no_gradient_is_wanted(kind):
    assert (kind(wide)(ones()) * 2 == 2).all()


@pytest.mark.breaks
def test_a_hook_that_no_graph_holds_runs_in_python():
    def normalised(cell, args):
        return nn.BatchNorm2d(2)(args[0])  # its Parameters are made in each call

    net = nn.SequentialCell(nn.ReLU())
    net[0].register_forward_pre_hook(normalised)
    x = Tensor(np.full((2, 2, 2, 2), 3, np.float32))
    want = net(x).asnumpy()
    ms.set_context(mode=ms.GRAPH_MODE)
    np.testing.assert_array_equal(net(x).asnumpy(), want)
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Weighted(nn.Cell):
    """Parameters of its own, and of a Cell in it."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(Tensor(2.0))
        self.other = Parameter(Tensor(5.0))
        self.dense = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")

    def construct(self, x: Any) -> Any:
        return x * self.weight + self.other * 0 + self.dense(x.reshape((1, 1))).sum()


def tenfold(parameter: Any) -> Any:
    return parameter * 10


def next_one(parameter: Any) -> Any:
    return parameter + 1


OF_PARAMETERS: list[tuple[Any, Any]] = [  # hooks of a Weighted, and by MindSpore 2.10 its result at 3, and its gradients
    (lambda net: [[{"params": [net.weight], "hook": tenfold}]], (63, 21, [30, 0, 3, 1])),
    (lambda net: [[{"params": [net.dense.weight], "hook": tenfold}]], (36, 12, [3, 0, 30, 1])),
    (lambda net: [tenfold], (90, 30, [30, 0, 30, 10])),
    (lambda net: [[{"params": [net.weight], "hook": hook}] for hook in (tenfold, next_one)], (12, 4, [3, 0, 3, 1])),
    (lambda net: [tenfold, [{"params": [net.weight], "hook": next_one}]], (39, 13, [3, 0, 30, 10])),
    (lambda net: [[{"params": [Parameter(Tensor(1.0))], "hook": tenfold}]], (9, 3, [3, 0, 3, 1])),
]


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("hooks, wanted", OF_PARAMETERS)
def test_hooks_where_parameters_are_read(hooks: Any, wanted: Any, jitted: bool) -> None:
    net = Weighted()
    differentiated = ms.value_and_grad(net, 0, net.trainable_params())
    run = ms.jit(differentiated) if jitted else differentiated
    before, _ = run(Tensor(3.0))
    for hook in hooks(net):
        net.register_parameter_forward_hook(hook)
        value, (by_input, by_parameter) = run(Tensor(3.0))
    assert float(before) == 9
    assert (float(value), float(by_input), [one.asnumpy().item() for one in by_parameter]) == wanted
    assert float(net.weight) == 2


def test_hooks_of_parameters_beside_precision_and_recomputation() -> None:
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    net.register_parameter_forward_hook([{"params": [net.weight], "hook": tenfold}])
    x = Tensor(np.ones((1, 2), np.float32))
    net.recompute()
    assert ms.grad(lambda x: net(x).sum())(x).asnumpy().tolist() == [[10, 10]]
    net.to_float(ms.float16)
    assert net(x).dtype == ms.float16 and net(x).asnumpy().tolist() == [[20]]


REFUSED_HOOKS: list[tuple[Any, type[Exception], str]] = [
    (3, TypeError, "a callable function or a list of dictionaries, but got int"),
    ([3], TypeError, "must be a dictionary, but got int"),
    ([{"params": []}], ValueError, "both params and hook keys"),
    ([{"params": [], "hook": len, "more": 1}], ValueError, "both params and hook keys"),
    ([{"params": [], "hook": 3}], TypeError, "The hook value must be callable, but got int"),
    ([{"params": [3], "hook": len}], TypeError, "must be of type 'Parameter', but got int"),
]


@pytest.mark.parametrize("hook, error, message", REFUSED_HOOKS)
def test_hooks_of_parameters_that_are_refused(hook: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Weighted().register_parameter_forward_hook(hook)


class _Written(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = ms.Parameter(Tensor(np.array([1.0, 2.0], np.float32)), name="w")

    def construct(self, x: Any) -> Any:
        self.w = x + 1
        return self.w + 0


@pytest.mark.parametrize(
    "change", [lambda net: net.register_parameter_forward_hook(lambda p: p * 10), lambda net: net.to_float(ms.float16)]
)
def test_a_parameter_that_construct_finds_changed_is_written_itself(change):
    outcomes = []
    for jitted in (False, True):
        net = _Written()
        change(net)
        run = ms.jit(net) if jitted else net
        found = run(Tensor(np.array([1.0, 1.0], np.float32)))
        outcomes.append((found.asnumpy().tolist(), net.w.asnumpy().tolist()))
    assert outcomes[0] == outcomes[1] and outcomes[0][1] == [2.0, 2.0]


def test_a_hook_of_parameters_finds_them_as_they_are():
    net = nn.Dense(2, 2, weight_init="ones", bias_init="ones")
    net.register_parameter_forward_hook(lambda p: p * net.bias.sum())
    x = Tensor(np.ones((1, 2), np.float32))
    assert net(x).asnumpy().tolist() == [[6.0, 6.0]] and ms.jit(net)(x).asnumpy().tolist() == [[6.0, 6.0]]
