"""vjp, jvp, Jacobians and their nests: eager and captured, against closed forms and differences."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

X = np.array([0.5, -1.25])
V = np.array([2.0, -0.75])


def square_plus(t: Any) -> Any:
    return (ops.sin(t) * t * t).sum() + t[0] * t[1]


def loop(t: Any) -> Any:
    while (t * t).sum() < 40:
        t = t * t + t * 3
    t = t * t[1] if t[0] > 2 else ops.sin(t)
    return t


def assigned(t: Any) -> Any:
    u = t * 1
    u[0] = u[1] * u[0]
    u[1:] = u[:1] * 3 + u[1:] * u[1:]
    return u


jitted_loop = ms.jit(loop)
VECTORS = {
    "elementwise": lambda t: ops.exp(t) * t,
    "matmul": lambda t: ops.tanh(ops.stack((t, t * t)) @ t),
    "loop": loop,
    "jitted callee": lambda t: jitted_loop(t * 2) + t,
    "assigned elements": assigned,
    "softmax": lambda t: ops.softmax(t, 0),
}
MODES: dict[str, Callable[[Any], Any]] = {"eager": lambda f: f, "jit": ms.jit}
modes = pytest.mark.parametrize("mode", MODES)


def jacobian(f: Callable[[Any], Any], x: np.ndarray, eps: float = 1e-6) -> np.ndarray:
    """By central differences."""
    columns = []
    for i in range(x.size):
        step = np.zeros_like(x)
        step[i] = eps
        columns.append((f(Tensor(x + step)).asnumpy() - f(Tensor(x - step)).asnumpy()) / (2 * eps))
    return np.stack(columns, -1)


def close(got: Any, want: Any, rtol: float = 1e-6) -> None:
    np.testing.assert_allclose(got.asnumpy(), want, rtol=rtol, atol=1e-8)


@modes
@pytest.mark.parametrize("name", VECTORS)
def test_jacobians_and_products_agree_with_differences(name: str, mode: str) -> None:
    f, run, x, v = VECTORS[name], MODES[mode], Tensor(X), Tensor(V)
    want = jacobian(f, X)
    close(run(ms.jacrev(f))(x), want)
    close(run(ms.jacfwd(f))(x), want)
    value, moved = run(lambda x, v: ms.jvp(f, x, v))(x, v)
    np.testing.assert_array_equal(value.asnumpy(), f(x).asnumpy())
    close(moved, want @ V)

    def pulled(x, v):
        value, pull = ms.vjp(f, x)
        return value, pull(v)

    value, (back,) = run(pulled)(x, v)
    np.testing.assert_array_equal(value.asnumpy(), f(x).asnumpy())
    close(back, V @ want)


@modes
@pytest.mark.parametrize("transform", [ms.jacrev, ms.jacfwd])
def test_jacobians_of_complex_results(transform: Any, mode: str) -> None:
    def f(t: Any, z: Any) -> Any:
        return t * t[0] * z, t * 2, ops.exp(1j * t.sum())

    z = np.array([1 + 2j, 3 - 1j])
    of_product, of_real, of_sum = MODES[mode](transform(f))(Tensor(X), Tensor(z))
    close(of_product, np.diag(z) * X[0] + np.outer(X * z, [1, 0]))
    close(of_real, 2 * np.eye(2))
    close(of_sum, 1j * np.exp(1j * X.sum()) * np.ones(2))


SCALARS = {
    "sum": square_plus,
    "loop": lambda t: (jitted_loop(t) * t).sum(),
    "assigned elements": lambda t: ops.sin(assigned(t)).sum(),
}


@modes
@pytest.mark.parametrize("name", SCALARS)
def test_hessians_by_every_nesting(name: str, mode: str) -> None:
    f, run, x, v = SCALARS[name], MODES[mode], Tensor(X), Tensor(V)
    want = jacobian(ms.grad(f), X)
    for outer in (ms.jacfwd, ms.jacrev):
        for inner in (ms.jacfwd, ms.jacrev, ms.grad):
            close(run(outer(inner(f)))(x), want, 1e-5)
    close(run(lambda x, v: ms.jvp(ms.grad(f), x, v))(x, v)[1], want @ V, 1e-5)
    close(run(ms.grad(lambda t: ms.jvp(f, t, v)[1]))(x), want @ V, 1e-5)
    close(run(lambda x, v: ms.vjp(ms.grad(f), x)[1](v)[0])(x, v), V @ want, 1e-5)


@modes
def test_third_order(mode: str) -> None:
    f = lambda t: ops.sin(t).sum()
    first = ms.grad(f)
    second = ms.grad(lambda t: first(t).sum())
    close(MODES[mode](ms.grad(lambda t: second(t).sum()))(Tensor(X)), -np.cos(X))
    along = ms.jvp(lambda t: ms.jvp(lambda u: ms.jvp(ops.sin, u, Tensor(V))[1], t, Tensor(V))[1], Tensor(X), Tensor(V))[1]
    close(along, -np.cos(X) * V**3)


@modes
def test_a_pullback_is_called_as_often_as_wanted(mode: str) -> None:
    def f(x, v):
        _, pull = ms.vjp(lambda t: t * t, x)
        return pull(v)[0], pull(v * 2)[0], ms.grad(lambda u: (pull(u)[0] * u).sum())(v)

    first, second, third = MODES[mode](f)(Tensor(X), Tensor(V))
    close(first, 2 * X * V)
    close(second, 4 * X * V)
    close(third, 4 * X * V)


def test_a_pullback_knows_the_values_from_before_a_write() -> None:
    weight = Parameter(Tensor(V), name="weight")
    assign = ms.jit(lambda: ops.assign(weight, weight * 0))
    for write in (lambda: ops.assign(weight, weight * 0), assign):
        weight.set_data(Tensor(V))
        _, pull = ms.vjp(lambda t: t * weight, Tensor(X))
        write()
        close(pull(Tensor(X))[0], X * V)
        np.testing.assert_array_equal(weight.asnumpy(), 0 * V)
    x = Tensor(X)
    _, pull = ms.vjp(lambda t: t * x, Tensor(V))
    x[0] = 7.0
    close(pull(Tensor(V))[0], X * V)


@modes
def test_vjp_forms(mode: str) -> None:
    weight, run, x, v = Parameter(Tensor(V), name="weight"), MODES[mode], Tensor(X), Tensor(V)
    two = lambda a, b: (a * b * weight, a + b)

    def pulled(a, b):
        value, pull = ms.vjp(two, a, b, weights=weight)
        return value, pull(a, b)

    value, ((da, db), dw) = run(pulled)(x, v)
    close(value[0], X * V * V)
    close(da, X * V * V + V)
    close(db, X * V * X + V)
    close(dw, X * V * X)

    def with_aux(a, b):
        first, pull, aux = ms.vjp(two, a, b, weights=[weight], has_aux=True)
        return first, aux, pull(a)

    first, aux, (_, (dw,)) = run(with_aux)(x, v)
    close(first, X * V * V)
    close(aux, X + V)
    close(dw, X * V * X)


@modes
def test_jvp_and_jacobian_forms(mode: str) -> None:
    run, x, v = MODES[mode], Tensor(X), Tensor(V)
    two = lambda a, b: (a * b, a + b)
    values, moved = run(lambda a, b: ms.jvp(two, (a, b), (b, a)))(x, v)
    close(values[1], X + V)
    close(moved[0], V * V + X * X)
    close(moved[1], X + V)
    _first, moved, aux = run(lambda a, b: ms.jvp(two, (a, b), (b, a), has_aux=True))(x, v)
    close(moved, V * V + X * X)
    close(aux, X + V)
    for jac in (ms.jacfwd, ms.jacrev):
        ((by_a, by_b), (plus_a, _)) = run(jac(two, (0, 1)))(x, v)
        close(by_a, np.diag(V))
        close(by_b, np.diag(X))
        close(plus_a, np.eye(2))
        by_b, _ = run(jac(two, 1))(x, v)
        close(by_b, np.diag(X))
        by_a, aux = run(jac(two, 0, has_aux=True))(x, v)
        close(by_a, np.diag(V))
        close(aux, X + V)
        matrix = Tensor(np.arange(6.0).reshape(2, 3))
        assert run(jac(lambda m: m.sum(0) * m[0]))(matrix).shape == (3, 2, 3)


@modes
def test_a_linearized_function_is_called_as_often_as_wanted(mode: str) -> None:
    def f(x, v):
        value, push = ops.linearize(ops.sin, x)
        return value, push(v), push(v * 2)

    value, first, second = MODES[mode](f)(Tensor(X), Tensor(V))
    close(value, np.sin(X))
    close(first, np.cos(X) * V)
    close(second, 2 * np.cos(X) * V)


@modes
def test_copies_have_the_gradient_of_what_they_copy(mode: str) -> None:
    run, x = MODES[mode], Tensor(X)
    for copied in (lambda t: t.copy(), lambda t: Tensor(t), lambda t: copy.deepcopy(t), lambda t: t.clone()):
        close(run(ms.grad(lambda t: copied(t) * t))(x), 2 * X)
        close(run(ms.grad(lambda t: ms.grad(lambda u: copied(u) * u * u)(copied(t)).sum()))(x), 6 * X)
    half = run(ms.grad(lambda t: Tensor(t, ms.float32) * t))(x)
    assert half.dtype == ms.float64
    close(half, 2 * X)


@modes
def test_gradients_through_vmap_and_vmap_of_gradients(mode: str) -> None:
    run, weight = MODES[mode], Tensor(V)
    rows = Tensor(np.stack([X, V, X + V]))
    f = lambda row, w: ops.tanh(row * w).sum()
    want = np.stack([ms.grad(f, (0, 1))(rows[i], weight)[1].asnumpy() for i in range(3)])
    close(run(ms.vmap(ms.grad(f, 1), (0, None)))(rows, weight), want)
    close(run(ms.grad(lambda w: ms.vmap(f, (0, None))(rows, w).sum()))(weight), want.sum(0))
    close(run(ms.grad(lambda w: ms.vmap(lambda row: f(row, w))(rows).sum()))(weight), want.sum(0))


def test_derivatives_along_a_curve() -> None:
    f, x = lambda t: ops.exp(ops.sin(t)), Tensor(np.array([1.5, 2.5], np.float32))
    value, third = ops.derivative(f, x, 3)
    close(value, [2.71147919, 1.81933725], 1e-5)
    close(third, [-0.764808595, 3.13895917], 1e-5)
    value, series = ops.jet(f, x, Tensor(np.array([[1, 1], [0.5, 0], [0, 2.0]], np.float32)))
    close(series[1], [-2.59521818, 0.0788846016], 1e-4)
    close(series[2], [-4.80148792, 0.223858356], 1e-4)
    values, firsts = ops.derivative(lambda a, b: (a * b, a + b), (x, x), 1)
    close(values[0], x.asnumpy() ** 2)
    close(firsts[0], 2 * x.asnumpy())
    close(firsts[1], [2, 2])


WRONG = [
    (lambda x: ms.vjp(ops.sin, 3.0), TypeError, "The inputs type must be Tensor."),
    (lambda x: ms.vjp(ops.sin, x, has_aux=1), TypeError, "The 'has_aux' must be bool type."),
    (lambda x: ms.vjp(ops.sin, x, has_aux=True), ValueError, "origin 'fn' requires more than one outputs"),
    (lambda x: ms.vjp(ops.sin, x)[1](Tensor([1.0])), ValueError, "The shape"),
    (lambda x: ms.vjp(ops.sin, x)[1](3.0), TypeError, "The inputs type must be Tensor."),
    (lambda x: ms.jvp(ops.add, (x, x), (x,)), ValueError, "v has invalid length: should be 2, but got 1"),
    (lambda x: ms.jvp(ops.sin, 3.0, 3.0), TypeError, "The inputs type must be a Tensor, tuple or list of Tensors."),
    (lambda x: ms.jacrev(ops.sin, 1)(x), ValueError, r"must belong to \[0, args_num\)"),
    (lambda x: ms.jacfwd(ops.sin, "a")(x), TypeError, "the 'grad_position' must be int or tuple"),
    (lambda x: ms.jacfwd(ops.add, (0, 0))(x, x), ValueError, "There are duplicate positions"),
    (lambda x: ms.grad(ops.sin, -1), ValueError, "grad_position must be >= 0."),
    (lambda x: ms.grad(ops.sin, ()), RuntimeError, "grad_position should not be empty when grad by position!"),
    (lambda x: ms.jacrev(lambda z: z * z)(x + 0j), TypeError, "For 'jacrev', .*by is complex"),
    (lambda x: ms.jacfwd(lambda y, z: y * z, (0, 1))(x, x * 1j), TypeError, "For 'jacfwd', .*by is complex"),
    (lambda x: ms.jacrev(ops.sin, ())(x), RuntimeError, "grad_position should not be empty when grad by position!"),
    (lambda x: ms.grad(ops.sin, 0, None, 1), TypeError, "For '_Grad', the 'has_aux' should be bool, but got int"),
    (lambda x: ms.grad(ops.sin, return_ids=1), TypeError, "For '_Grad', the 'return_ids' should be bool, but got int"),
    (lambda x: ms.grad(ops.sin, [0]), TypeError, "the 'grad_position' must be int or tuple"),
    (lambda x: ms.grad(ops.sin, None), ValueError, "can not be None at the same time"),
    (lambda x: ms.grad(ops.sin, 1)(x), IndexError, "Position index 1 is exceed input size."),
    (lambda x: ms.grad(3), TypeError, "The fn should be callable, but got int"),
    (lambda x: ms.grad(ops.sin, 0, x), TypeError, "must be a Parameter"),
    (lambda x: ops.GradOperation(get_all=1), TypeError, "the 'get_all' should be bool, but got int"),
    (lambda x: ops.GradOperation(sens_param=True)(ops.sin)(x, Tensor([1.0])), ValueError, "The shape"),
    (lambda x: ms.get_grad(ms.grad(ops.sin, return_ids=True)(x), 3), RuntimeError, "Can not find the gradient"),
    (lambda x: ops.derivative(ops.sin, x, 0), ValueError, "should not be less than 1"),
    (lambda x: ops.jet(ops.sin, x, Tensor(np.ones((1, 3)))), ValueError, "the shape of each element"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_unusable_arguments(number: int) -> None:
    call, error, text = WRONG[number]
    with pytest.raises(error, match=text):
        call(Tensor(X))


@modes
def test_forms_of_grad(mode: str) -> None:
    run, x, v = MODES[mode], Tensor(X), Tensor(V)
    a, b = Parameter(Tensor(V), name="a"), Parameter(Tensor(X), name="b")
    f = lambda t: t * a * b
    close(run(ms.grad(f, (0,)))(x), V * X)
    _, (by_a, by_b) = run(ms.grad(f, 0, (a, b)))(x)
    close(by_a, X * X)
    close(by_b, X * V)
    _, by_a = run(ms.grad(f, 0, a))(x)
    close(by_a, X * X)
    (number, _by_x), ((name, by_a),) = run(ms.grad(f, 0, [a], return_ids=True))(x)
    assert (number, name) == (0, "a")
    close(by_a, X * X)
    _value, (name, by_a) = run(ms.value_and_grad(f, None, a, return_ids=True))(x)
    assert name == "a"
    close(ms.get_grad(ms.grad(f, 0, [a, b], return_ids=True)(x), b), X * V)
    close(ms.get_grad(ms.grad(f, return_ids=True)(x), 0), V * X)
    both = lambda s, t: (s * t, s + t)
    gradient, aux = run(ms.grad(both, (0, 1), None, True))(x, v)
    close(gradient[0], V)
    assert isinstance(aux, tuple)
    close(aux[0], X + V)
    close(run(ms.grad(both))(x, v), V + 1)
    close(run(ms.grad(both, sens_param=True))(x, v, (v, x)), V * V + X)
    close(run(ms.grad(f, sens_param=True))(x, sens=v), V * X * V)
    left, right = run(ms.grad(lambda pair: pair[0] * pair[1]))((x, v))
    close(left, V)
    close(right, X)
    assert run(ms.grad(lambda t, s: t * s, (0, 1)))(x, 2.0).shape == (2,)


@modes
def test_grad_operation(mode: str) -> None:
    run, x, v = MODES[mode], Tensor(X), Tensor(V)
    a = Parameter(Tensor(V), name="a")
    f = lambda s, t: s * t * a
    weights = ms.ParameterTuple([a])
    close(run(ops.GradOperation()(f))(x, v), V * V)
    (only,) = run(ops.GradOperation(get_all=True)(lambda t: t * a))(x)
    close(only, V)
    by_s, by_t = run(ops.GradOperation(get_all=True, sens_param=True)(f))(x, v, x)
    close(by_t, X * V * X)
    (by_a,) = run(ops.GradOperation(get_by_list=True)(f, weights))(x, v)
    close(by_a, X * V)
    (by_a,) = run(ops.GradOperation(get_by_list=True)(f))(x, v)
    close(by_a, X * V)
    (by_s, _), (by_a,) = run(ops.GradOperation(get_all=True, get_by_list=True)(f, weights))(x, v)
    close(by_s, V * V)
    close(by_a, X * V)
    net = nn.Dense(2, 3)
    by_weight, by_bias = run(ops.GradOperation(get_by_list=True)(net))(Tensor(X[None].astype(np.float32)))
    assert by_weight.shape == (3, 2) and by_bias.shape == (3,)


@modes
def test_gradients_by_keyword(mode: str) -> None:
    run, x, v = MODES[mode], Tensor(X), Tensor(V)

    def f(s: Any, t: Any = None, *, scale: Any = 2.0) -> Any:
        return s * t * scale

    class Net(nn.Cell):
        def construct(self, s: Any, t: Any) -> Any:
            return s * t

    every = ops.GradOperation(get_all=True)
    for fn, factor in ((f, 2), (Net(), 1)):
        for by_s, by_t in (
            run(every(fn))(x, t=v),
            run(every(fn))(s=x, t=v),
            run(every(fn))(t=v, s=x),
            run(ms.grad(fn, (0, 1)))(x, t=v),
            run(ms.value_and_grad(fn, (0, 1)))(s=x, t=v)[1],
            run(ops.GradOperation(get_all=True, sens_param=True)(fn))(x, t=v, sens=ops.ones_like(x)),
        ):
            close(by_s, factor * V)
            close(by_t, factor * X)
        close(run(ops.GradOperation()(fn))(t=v, s=x), factor * V)
        close(run(ms.grad(fn, 1))(x, t=v), factor * X)
    by_s, by_t, by_scale = run(every(f))(x, scale=v, t=x)
    close(by_s, V * X)
    close(by_scale, X * X)
    close(run(ms.grad(f, 2))(x, x, scale=v), X * X)
    assert run(ms.grad(lambda s, t=None, u=None: s * u, (1, 2)))(x, u=v).shape == (2,)
    (number, by_t) = run(ms.grad(f, 1, return_ids=True))(x, t=v)
    assert number == 1
    named = lambda s, **others: s * others["a"] * others["b"]
    close(run(every(named))(x, b=v, a=x)[1], X * X)
    close(run(every(lambda *values: values[0] * values[1]))(x, v)[1], X)
    with pytest.raises(IndexError, match="Position index 2 is exceed input size"):
        run(ms.grad(Net(), 2))(x, t=v)


@modes
def test_grad_operation_is_by_tensors_alone(mode: str) -> None:
    """As MindSpore's in every mode, but that it also has the gradients of mutable() containers in graphs."""
    run, x, v = MODES[mode], Tensor(X), Tensor(V)
    every = ops.GradOperation(get_all=True)
    for f, first in (
        (lambda s, t: s[0] * s[1] * t, (x, v)),
        (lambda s, t: s[0] * s[1] * t, [x, v]),
        (lambda s, t: s["a"] * s["b"] * t, {"a": x, "b": v}),
    ):
        (by_t,) = run(every(f))(first, x)
        close(by_t, X * V)
    for number in (3.0, 3, True, None, "a"):
        (by_t,) = run(every(lambda s, t: t * 2))(number, x)
        close(by_t, 2 * np.ones_like(X))
    assert run(every(lambda s: s[0] * s[1]))((x, v)) == ()
    assert run(every(lambda: x * 2))() == run(ops.GradOperation()(lambda: x * 2))() == ()
    _, by_t = run(every(lambda s, t: s * 1))(x, v)
    close(by_t, 0 * X)
    (_, by_t), by_parameter = run(
        ops.GradOperation(get_all=True, get_by_list=True)(lambda s, t: s * t * a, (a := Parameter(Tensor(V), name="a")))
    )(x, v)
    close(by_t, X * V)
    close(by_parameter, X * V)


@modes
def test_grad_operation_by_one_parameter_gives_its_gradient(mode: str) -> None:
    run, x, a = MODES[mode], Tensor(X), Parameter(Tensor(V), name="a")
    f = lambda t: t * a
    close(run(ops.GradOperation(get_by_list=True)(f, a))(x), X)
    close(run(ops.GradOperation(get_by_list=True, sens_param=True)(f, a))(x, x), X * X)
    for several in ([a], (a,), ms.ParameterTuple([a])):
        (by_a,) = run(ops.GradOperation(get_by_list=True)(f, several))(x)
        close(by_a, X)
    (by_t,), by_a = run(ops.GradOperation(get_all=True, get_by_list=True)(f, a))(x)
    close(by_t, V)
    close(by_a, X)


@modes
def test_the_sens_of_several_results(mode: str) -> None:
    run, x, v = MODES[mode], Tensor(X), Tensor(V)
    both = lambda s, t: (s * t, s + t)
    close(run(ops.GradOperation()(both))(x, v), V + 1)
    close(run(ops.GradOperation(sens_param=True)(both))(x, v, (v, x)), V * V + X)
    _, by_t = run(ops.GradOperation(get_all=True, sens_param=True)(both))(x, v, sens=(v, x))
    close(by_t, X * V + X)
    close(run(ops.GradOperation(sens_param=True)(lambda s: (s * s, 3)))(x, (v, 0)), 2 * X * V)
    close(run(ops.GradOperation(sens_param=True)(lambda s: s.shape))(x, (2,)), 0 * X)
    with pytest.raises(ValueError, match="The number of sens should be 2, but got 1"):
        run(ops.GradOperation(sens_param=True)(both))(x, v, v)


@modes
def test_integers_have_integer_gradients(mode: str) -> None:
    run, x = MODES[mode], Tensor(np.array([2, 3], np.int32))
    cube = run(ms.grad(lambda t: t * t * t))(x)
    assert cube.dtype == ms.int32
    np.testing.assert_array_equal(cube.asnumpy(), [12, 27])
    half = run(ms.grad(lambda t: t / 2 + t.astype(ms.float32) * 3))(x)
    assert half.dtype == ms.int32
    truncated = run(ms.grad(lambda t: t.astype(ms.int32).astype(ms.float64) * t))(Tensor(X))
    np.testing.assert_array_equal(truncated.asnumpy(), np.trunc(X))


@modes
def test_stop_gradient(mode: str) -> None:
    f = lambda t: t * ops.stop_gradient(t * t)
    close(MODES[mode](ms.grad(f))(Tensor(X)), X * X)
    close(MODES[mode](ms.grad(lambda t: ms.grad(f)(t).sum()))(Tensor(X)), 0 * X)


@modes
def test_a_parameter_without_requires_grad_has_a_zero_gradient(mode: str) -> None:
    run, x = MODES[mode], Tensor(X)
    frozen = Parameter(Tensor(V), name="frozen", requires_grad=False)
    trained = Parameter(Tensor(V), name="trained")
    f = lambda t: t * frozen * trained
    by_frozen, by_trained = run(ms.grad(f, None, (frozen, trained)))(x)
    close(by_frozen, np.zeros_like(X))
    close(by_trained, X * V)
    close(run(ms.grad(f, None, frozen))(x), np.zeros_like(X))
    close(run(ops.GradOperation(get_by_list=True)(f, [frozen]))(x)[0], np.zeros_like(X))


def test_a_graph_sees_that_a_parameter_becomes_trainable() -> None:
    p = Parameter(Tensor(V), name="p", requires_grad=False)
    gradient = ms.jit(ms.grad(lambda t: t * p, None, p))
    close(gradient(Tensor(X)), np.zeros_like(X))
    p.requires_grad = True
    close(gradient(Tensor(X)), X)


@modes
def test_stop_gradient_goes_into_what_holds_tensors(mode: str) -> None:
    def f(t):
        pair = ops.stop_gradient((t * 2, [t.sum(), 3, None, "s"]))
        named = ops.StopGradient()({"a": t * t})
        assert type(pair) is tuple and type(pair[1]) is list and pair[1][1:] == [3, None, "s"]
        return t * pair[0] + named["a"] * pair[1][0]

    close(MODES[mode](ms.grad(f))(Tensor(X)), 2 * X)


def test_stop_gradient_leaves_what_holds_no_tensors() -> None:
    for value in (1, 2.5, None, "a", (1, (2,)), {"a": 1}):
        assert ops.stop_gradient(value) == value
