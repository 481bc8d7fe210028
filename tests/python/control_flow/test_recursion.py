"""Functions that call themselves where a Tensor decides whether they do: graphs that call themselves, with gradients,
vmap, effects in order, and a limit of how deep they go."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

ENGINES = ["ast", "bytecode"]


def number(n):
    return Tensor(np.int64(n))


def vector(*values):
    return Tensor(np.float32(values))


def power(x, n):
    if n <= 0:
        return x
    return power(x * x * 0.5 + 1, n - 1)


def afterwards(x, n):
    y = x + 1
    if n > 0:
        y = afterwards(x * 1.5, n - 1) * x
    return y - n


def as_expression(x, n):
    return x if n <= 0 else ops.sin(as_expression(x + 0.5, n - 1)) * x


def twice(x, n):
    if n < 2:
        return x * 0.5
    return twice(x * 0.9, n - 1) * twice(ops.sin(x), n - 2)


def three_ends(x, n):
    if n == 0:
        return x
    if x.sum() > 20:
        return x * 2
    if n % 2 == 0:
        return three_ends(x * 1.5, n - 1)
    return -three_ends(-x, n - 1)


def ends_later(x, n):
    if n > 2:
        return ends_later(x * 0.5, n - 1) + 1
    elif n > 0:
        return ends_later(x * 2, n - 1) * 3
    else:
        return x


def within_a_loop(x, n):
    total = x
    i = n * 0
    while i < n:
        total = total + within_a_loop(x * 0.5, i)
        i = i + 1
    return total


def even(x, n):
    if n == 0:
        return x
    return odd(x * 1.5, n - 1)


def odd(x, n):
    if n == 0:
        return -x
    return even(x + 1, n - 1)


def first_a_number(x, n, scale=1.0):
    if n <= 0:
        return x * scale
    return first_a_number(x, n - 1, scale * x)


def by_keyword(x, *, n):
    return x if n <= 0 else by_keyword(x * 1.5, n=n - 1)


def gives_a_tree(x, n):
    if n <= 0:
        return x, [n, {"sum": x + 1}]
    y, (count, made) = gives_a_tree(x * 0.5, n - 1)
    return y + 1, [count + n, {"sum": made["sum"] * 2}]


def of_a_tree(x, n):
    y, (count, made) = gives_a_tree(x, n)
    return y * made["sum"] + count


def closure(x, n):
    w = x * 2

    def inner(y, m):
        if m <= 0:
            return y + w
        return inner(y * w * 0.1, m - 1) - w

    return inner(x, n)


def closure_between_calls(x, n):
    w, v = x * 2, x + 1

    def inner(y, m):
        if m <= 0:
            return y
        a = inner(y * 0.5, m - 1)
        b = inner(a * w, m - 1)
        return b * v + inner(b, m - 2)

    return inner(x, n)


def nested_lambda(x, n):
    inner = lambda y, m: y if m <= 0 else inner(y * 0.5, m - 1) + x
    return inner(x, n)


module_lambda = lambda x, n: x if n <= 0 else module_lambda(x * 0.5, n - 1) + 1


def counts(x, n):
    return x * _levels(n)


def _levels(n):
    if n <= 0:
        return 0
    return 1 + _levels(n - 1)


def with_numbers(x, n):
    return _with_numbers(x, int(n), 2.0)


def _with_numbers(x, n, scale):
    if n <= 0:
        return x * scale
    return _with_numbers(x, n - 1, scale * 0.5 + n)


def ackermann(x, n):
    return x * _ackermann(number(1) + n * 0, n)


def _ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return _ackermann(m - 1, n + 1)
    return _ackermann(m - 1, _ackermann(m, n - 1))


class Repeated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(vector(0.5, 1.5), name="weight")
        self.layer = nn.Dense(2, 2, weight_init="ones")

    def again(self, x, n):
        if n > 0:
            x = self.again(ops.tanh(self.layer(x)) * self.weight, n - 1)
        return x + 1

    def construct(self, x, n):
        return self.again(x, n)


CELL = Repeated()


def method_of_a_cell(x, n):
    return CELL(x, n)


FUNCTIONS = [
    *(power, afterwards, as_expression, twice, three_ends, ends_later, within_a_loop, even, first_a_number, of_a_tree),
    *(closure, closure_between_calls, nested_lambda, module_lambda, counts, with_numbers, ackermann, method_of_a_cell),
]
named = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
modes = pytest.mark.parametrize("mode", ENGINES)


def captured(function, mode):
    return ms.jit(function, capture_mode=mode, fullgraph=True)


def same(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape
    np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def close(a, b, rtol=1e-5):
    np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=rtol, atol=1e-6)


@named
@modes
def test_one_graph_serves_every_depth(function, mode):
    jitted = captured(function, mode)
    for n in (0, 1, 2, 5):
        same(jitted(vector(0.3, 0.7), number(n)), function(vector(0.3, 0.7), number(n)))
    assert len(jitted.explain()["entries"]) == 1


@named
@modes
def test_gradients(function, mode):
    jitted = captured(function, mode)
    inside = captured(lambda x, n: ms.grad(function)(x, n), mode)
    for n in (0, 3):
        want = ms.grad(function)(vector(0.3, 0.7), number(n))
        close(ms.grad(jitted)(vector(0.3, 0.7), number(n)), want)
        close(inside(vector(0.3, 0.7), number(n)), want)


@pytest.mark.parametrize("function", [power, twice, three_ends, within_a_loop, even, closure], ids=lambda f: f.__name__)
@modes
def test_gradients_of_the_second_order(function, mode):
    x, n, step = np.array([0.3, 0.7]), number(3), 1e-6

    def slope(x):
        return ms.grad(function)(x, n).sum()

    def at(place):
        return float(slope(Tensor(place)))

    have = captured(ms.grad(slope), mode)(Tensor(x))
    want = [(at(x + step * unit) - at(x - step * unit)) / (2 * step) for unit in np.eye(2)]
    np.testing.assert_allclose(have.asnumpy(), want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("function", [power, afterwards, twice, three_ends, even, closure, counts], ids=lambda f: f.__name__)
@modes
def test_vmap_goes_as_deep_as_each_element_does(function, mode):
    xs, ns = Tensor(np.float32([[0.3, 0.7], [1.1, -0.2], [0.4, 0.5]])), Tensor(np.int64([3, 0, 1]))
    each = [function(x, n) for x, n in zip(xs, ns)]
    close(captured(lambda x, n: ms.vmap(function)(x, n), mode)(xs, ns), ops.stack(each))
    slopes = [ms.grad(function)(x, n) for x, n in zip(xs, ns)]
    close(captured(lambda x, n: ms.vmap(ms.grad(function))(x, n), mode)(xs, ns), ops.stack(slopes))


@modes
def test_effects_happen_in_order_at_every_depth(mode, capfd):
    total = Parameter(Tensor(np.float32(1)), name="total")

    def down(x, n):
        if n <= 0:
            return x
        ops.assign(total, total * 2 + n)
        print("down", n)
        y = down(x * total, n - 1)
        print("up", n)
        total.set_data(total + 1)
        return y * total

    def between(x, n):
        if n <= 0:
            return x
        y = between(x * 0.5, n - 1)
        print("between", n)
        ops.assign_add(total, n * 1.0)
        return between(y * total, n - 2) + total

    def run(function):
        total.set_data(Tensor(np.float32(1)))
        slope = ms.grad(function)(Tensor(np.float32(3)), number(2))
        total.set_data(Tensor(np.float32(1)))
        result = function(Tensor(np.float32(3)), number(3))
        return result, slope, total.value() * 1, capfd.readouterr().out

    for function in (down, between):
        have, want = run(captured(function, mode)), run(function)
        for a, b in zip(have[:3], want[:3]):
            same(a, b)
        assert have[3] == want[3]


@modes
def test_gradients_by_parameters(mode):
    def loss(x, n):
        return CELL(x, n).sum()

    want = ms.grad(loss, None, CELL.trainable_params())(vector(0.3, 0.7), number(4))
    have = ms.grad(captured(loss, mode), None, CELL.trainable_params())(vector(0.3, 0.7), number(4))
    for a, b in zip(have, want, strict=True):
        close(a, b)


@modes
def test_random_numbers_are_new_at_every_depth(mode):
    def draw(x, n):
        if n <= 0:
            return x
        return draw(ops.concat((x[1:], ops.rand(1))), n - 1)

    drawn = captured(draw, mode)(Tensor(np.zeros(8, np.float32)), number(8)).asnumpy()
    assert len(set(drawn)) == 8


@modes
def test_what_python_decides_is_unrolled(mode):
    def follow(x, depth):
        if depth == 0:
            return x
        if x.sum() > 1:
            return follow(x * 0.5, depth - 1)
        return follow(x + 1, depth - 1)

    jitted = captured(lambda x: follow(x, 3), mode)
    same(jitted(vector(0.3, 0.7)), follow(vector(0.3, 0.7), 3))
    assert "Call" not in jitted.explain()["entries"][0]["bytecode"]


@modes
def test_sizes_that_shrink_are_followed_until_they_stay(mode):
    def shrink(x, n):
        if n <= 0:
            return x.sum()
        return shrink(x[1:], n - 1)

    jitted = captured(shrink, mode)
    for n in (0, 2, 5):
        same(jitted(vector(1, 2, 4), number(n)), shrink(vector(1, 2, 4), number(n)))


@modes
def test_the_depth_is_limited_at_run_time(mode):
    jitted = captured(power, mode)
    same(jitted(vector(0.5), number(999)), power(vector(0.5), number(200)))
    for function in (jitted, ms.grad(jitted)):
        with pytest.raises(RuntimeError, match=r"Exceed function call depth limit 1000, \(function call depth: 1001\)"):
            function(vector(0.5), number(1000))
    ms.set_recursion_limit(20)
    try:
        with pytest.raises(RuntimeError, match=r"limit 20, \(function call depth: 21\)(.|\n)*at .*test_recursion.py:"):
            jitted(vector(0.5), number(20))
        same(jitted(vector(0.5), number(19)), power(vector(0.5), number(19)))
    finally:
        ms.set_recursion_limit(1000)


@modes
def test_no_stack_is_too_small(mode):
    jitted = captured(power, mode)
    jitted(vector(0.5), number(3))
    errors = []

    def run():
        for _ in range(2):
            try:
                jitted(vector(0.5), number(1 << 40))
            except RuntimeError as error:
                errors.append(str(error))

    ms.set_recursion_limit(1 << 40)
    try:
        run()
        for size in (1 << 18, 1 << 20):
            threading.stack_size(size)
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
    finally:
        threading.stack_size(0)
        ms.set_recursion_limit(1000)
    assert len(errors) == 6 and all("limit of the thread's stack" in error for error in errors)


WIDE = np.float64(np.ones((300, 130)))


def summing(x, n):
    return x if n <= 0 else summing(x + x.sum(0), n - 1) * 0.5


def summing_rows(x, n):
    return x if n <= 0 else summing_rows(x + x.swapaxes(0, 1).sum(1), n - 1) * 0.5


def multiplying(x, n):
    return x if n <= 0 else multiplying(x + x.prod(0), n - 1) * 0.5


def sorting(x, n):
    return x if n <= 0 else sorting(ops.sort(x.reshape(-1))[0].reshape(300, 130), n - 1) * 0.5


def normalising(x, n):
    return x if n <= 0 else normalising(ops.log_softmax(x, 1), n - 1) * 0.5


def convolving(x, n):
    weight = ops.ones((1, 1, 3, 3), ms.float64)
    return (
        x
        if n <= 0
        else convolving(ops.conv2d(x.reshape(1, 1, 300, 130), weight, padding=1, pad_mode="pad")[0, 0], n - 1) * 0.5
    )


# What kernels take of the stack lies below the deepest call.
@modes
@pytest.mark.parametrize("function", [summing, summing_rows, multiplying, sorting, normalising, convolving])
def test_kernels_have_room_below_the_deepest_call(function, mode):
    jitted = captured(function, mode)
    x = Tensor(WIDE)
    same(jitted(x, number(2)), function(x, number(2)))
    errors = []

    def run():
        with pytest.raises(RuntimeError) as raised:
            jitted(x, number(50_000))
        errors.append(str(raised.value))

    ms.set_recursion_limit(1 << 40)
    try:
        run()
        for size in (200 << 10, 212 << 10, 1 << 18, 300 << 10, 1 << 20):
            threading.stack_size(size)
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
    finally:
        threading.stack_size(0)
        ms.set_recursion_limit(1000)
    assert len(errors) == 6 and all("limit of the thread's stack" in error for error in errors)


@modes
def test_recursion_that_no_path_ends(mode):
    def endless(x, n):
        if n > 0:
            return endless(x, n - 1)
        return endless(x, n + 1)

    with pytest.raises((RuntimeError, ms.CaptureError), match="Exceed function call depth limit 1000"):
        captured(endless, mode)(vector(1), number(1))


def writes_its_argument(x, n):
    if n <= 0:
        return x
    x[0] = 5.0
    return writes_its_argument(x * 2, n - 1)


def gives_what_it_was_given(x, n, items):
    if n <= 0:
        return items[0]
    items[0] = items[0] * 2
    return gives_what_it_was_given(x, n - 1, items)


@pytest.mark.parametrize(
    "function", [writes_its_argument, lambda x, n: gives_what_it_was_given(x, n, [x + 0])], ids=["tensor", "list"]
)
@modes
def test_what_cannot_call_itself_says_why(function, mode):
    with pytest.raises(
        ms.CaptureError,
        match=r"test_recursion.py:\d+: .*a function calls itself.*changes a list, dict, object or Tensor.*: return",
    ):
        captured(function, mode)(vector(0.3, 0.7), number(2))


@modes
def test_a_function_within_its_own_gradient_says_so(mode):
    def slope(x, n):
        if n <= 0:
            return x * x * x
        return ms.grad(slope)(x, n - 1)

    with pytest.raises(ms.CaptureError, match=r"'.*slope' calls itself within a gradient .*: take the gradient outside"):
        captured(slope, mode)(Tensor(np.float32(2)), number(1))


@modes
def test_arguments_that_never_stay_name_their_types(mode):
    def grow(x, n):
        if n <= 0:
            return x.sum()
        return grow(ops.concat((x, x[:1])), n - 1)

    ms.set_recursion_limit(20)
    try:
        with pytest.raises(ms.CaptureError, match=r"depth limit 20(.|\n)*an argument changes from Tensor.* to Tensor"):
            captured(grow, mode)(vector(1, 2), number(2))
    finally:
        ms.set_recursion_limit(1000)


@pytest.mark.breaks
@modes
def test_in_python_where_a_graph_cannot_be(mode):
    def different(n):
        if n <= 1:
            return 1
        return n * different(n - 1)

    assert int(ms.jit(different, capture_mode=mode)(number(6))) == 720
    jitted = ms.jit(writes_its_argument, capture_mode=mode)
    same(jitted(vector(0.3, 0.7), number(3)), writes_its_argument(vector(0.3, 0.7), number(3)))


@modes
def test_shared_functions_may_call_themselves(mode):
    @ms.no_inline
    def shared(x, n):
        if n <= 0:
            return x
        return shared(x * 1.5, n - 1) + 1

    def both(x, n):
        return shared(x, n) * shared(x + 1, n + 1)

    same(captured(both, mode)(vector(0.3, 0.7), number(3)), both(vector(0.3, 0.7), number(3)))


@modes
def test_an_object_that_changes_is_captured_anew(mode):
    class Block(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scale = 2.0

    def deep(block, x, n):
        if n <= 0:
            return x
        return deep(block, x * block.scale, n - 1)

    blocks = [Block(), Block()]

    def run(x, n):
        return deep(blocks[0], x, n) + deep(blocks[1], x, n)

    jitted = captured(run, mode)
    for scale in (2.0, 3.0):
        blocks[1].scale = scale
        same(jitted(vector(0.5, 1), number(3)), run(vector(0.5, 1), number(3)))


@modes
def test_an_argument_is_not_taken_for_the_variable_it_came_from(mode):
    weight = Parameter(vector(2, 3), name="weight")

    def run(x, n):
        def back(y, m):
            if m <= 0:
                return y, x
            return back(y * weight + x, m - 1)

        def again(w, m):
            if m <= 0:
                return w * weight
            return again(w + 1, m - 1)

        y, given = back(x, n)
        return y + given * 100 + again(weight, n)

    jitted = captured(run, mode)
    for n in (0, 1, 3):
        same(jitted(vector(0.3, 0.7), number(n)), run(vector(0.3, 0.7), number(n)))


@modes
def test_shared_functions_tell_an_argument_from_a_variable(mode):
    weight = Tensor(np.float32([2, 3]))

    @ms.no_inline
    def add(x):
        return x + weight

    def run(x):
        return add(weight) * add(x)

    same(captured(run, mode)(vector(0.3, 0.7)), run(vector(0.3, 0.7)))
