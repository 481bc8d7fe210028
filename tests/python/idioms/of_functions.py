"""Functions and decorators: partial, reduce, caches, wrappers, closures, defaults, star arguments, recursion."""

import functools
import operator
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast, overload

from idiom import Row, call, floats, jit

from emberjit import Tensor, ops

A, B = floats(2, 4), floats(3, 4)
P = ParamSpec("P")
R = TypeVar("R")
calls: dict[str, int] = {}
trail: list[str] = []


def scaled(x, scale=1.0, *, shift=0.0):
    return x * scale + shift


halved = functools.partial(scaled, scale=0.5)
pipeline = [halved, ops.relu, functools.partial(scaled, shift=1.0)]


def counted(function: Callable[P, R]) -> Callable[P, R]:
    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        calls[function.__name__] = calls.get(function.__name__, 0) + 1
        return function(*args, **kwargs)

    return wrapper


def repeated(times):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(x):
            for _ in range(times):
                x = function(x)
            return x

        return wrapper

    return decorate


def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        trail.append("enter " + function.__name__)
        try:
            return function(*args, **kwargs)
        finally:
            trail.append("leave " + function.__name__)

    return wrapper


class Timed:
    """A decorator that is a class."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function, self.calls = function, 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)


@counted
def doubled(x):
    return x * 2


@repeated(times=3)
def grown(x):
    return x * 1.5


@traced
def shifted(x):
    return x + 1


@Timed
def squared(x):
    return x * x


@functools.lru_cache(maxsize=None)  # noqa: UP033
def factorial(n):
    return n * factorial(n - 1) if n > 1 else 1


@functools.cache
def table_of(width):
    return tuple(i / width for i in range(width))


@functools.singledispatch
def weight(value):
    return 1.0


@weight.register
def _(value: str):
    return 2.0 * len(value)


@weight.register(list)
def _(value):
    return float(sum(value))


@overload
def first(x: Tensor) -> Tensor: ...
@overload
def first(x: list[Any]) -> Any: ...
def first(x):
    return x[0]


@jit
def partial_called(x):
    return halved(x) + functools.partial(scaled, shift=2.0)(x)


@jit
def pipeline_of_functions(x):
    for f in pipeline:
        x = f(x)
    return x


@jit
def reduced(x):
    return functools.reduce(lambda acc, f: f(acc), [ops.relu, ops.sin, ops.exp], x)


@jit
def reduced_with_an_operator(x):
    parts = [x[:, i] for i in range(x.shape[1])]
    return functools.reduce(operator.add, parts) + functools.reduce(operator.mul, (1, 2, 3))


def composed(*functions):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), functions)


@jit
def composition(x):
    return composed(ops.abs, ops.sqrt, lambda y: y + 1)(x)


@jit
def cached_number(x, n):
    return x * factorial(n)


@jit
def cached_table(x):
    return x * Tensor(table_of(x.shape[-1]))


@jit
def single_dispatch(x, what):
    return x * weight(what)


@jit
def counting_decorator(x):
    return doubled(x)


@jit
def decorator_with_arguments(x):
    return grown(x)


@jit
def tracing_decorator(x):
    return shifted(shifted(x))


@jit
def class_decorator(x):
    return squared(x) + squared.calls


@jit
@counted
def decorated_below_jit(x, scale=2.0):
    return x * scale


@counted
@jit
def decorated_above_jit(x):
    return x * 3


@jit
def default_list(x, seen=[]):  # noqa: B006
    seen.append(x.shape[0])
    return x * len(seen)


@jit
def default_none(x, mask=None, scale=None):
    mask = x > 0 if mask is None else mask
    return x * mask * (scale or 2.0)


@jit
def star_arguments(*xs, scale=1.0, **named):
    total = sum(xs) * scale
    for name, value in sorted(named.items()):
        total = total + value * len(name)
    return total


@jit
def keyword_only(x, *, scale, shift=0.0):
    return x * scale + shift


@jit
def positional_only(x, y, /, alpha=1.0):
    return x + alpha * y


@jit
def arguments_passed_on(*args, **kwargs):
    return scaled(*args, **{**kwargs, "shift": 1.0})


@jit
def closure_counter(x):
    count = 0

    def add(y):
        nonlocal count
        count += 1
        return y * count

    return add(add(x)) + count


def made_with_counter():
    count = 0

    @jit
    def step(x):
        nonlocal count
        count += 1
        return x * 2, count

    return step


def made_with(scale):
    @jit
    def apply(x):
        return x * scale

    return apply


step_of_a_closure = made_with_counter()
twice = made_with(2.0)


@jit
def list_of_lambdas(x):
    return sum(f(x) for f in [lambda x, i=i: x * i for i in range(3)])


@jit
def late_binding(x):
    return sum(f(x) for f in [lambda x: x * i for i in range(3)])


@jit
def recursion_on_a_number(x, depth=3):
    return x if depth == 0 else recursion_step(x * 0.5, depth - 1)


def recursion_step(x, depth):
    return x if depth == 0 else recursion_step(x * 0.5, depth - 1)


@jit
def recursion_on_a_tree(tree):
    def total(node):
        return sum(map(total, node)) if isinstance(node, list | tuple) else node.sum()

    return total(tree)


def with_calls(x):
    with_calls.calls += 1
    return x * 2


with_calls.calls = 0


@jit
def function_attribute(x):
    return with_calls(x) + with_calls.calls


@jit
def callable_or_value(x, what):
    return what(x) if callable(what) else x * what


@jit
def callback_given(x, on_end=None):
    y = x * 2
    if on_end is not None:
        on_end(y.shape)
    return y


def note_shape(shape):
    trail.append(str(shape))


@jit
def casts_and_overloads(x):
    y = cast(Tensor, x)
    return first(y) + first([x.sum()])


@jit
def operator_functions(x):
    get, call_it = operator.itemgetter(0), operator.methodcaller("sum", 0)
    return get((x, 1)) + call_it(x) + operator.attrgetter("shape")(x)[0]


@jit
def early_return(x, limit):
    if limit == 0:
        return x
    if x.shape[0] > limit:
        return x[:limit]
    return x * limit


@jit
def several_results(x):
    return x.sum(), {"mean": x.mean(), "shape": x.shape}, [x, (x + 1, None)]


@jit
def argument_returned(x, table):
    table["y"] = x * 2
    return x, table


@jit
def name_of_a_function(x):
    trail.append(f"{doubled.__name__} {doubled.__wrapped__.__qualname__} {scaled.__defaults__}")
    return x * 2


ROWS = [
    Row("partial", partial_called, [(A,), (B,), (A,)]),
    Row("list of functions", pipeline_of_functions, [(A,), (B,), lambda: pipeline.append(ops.neg), (A,), (A,)], graphs=2),
    Row("reduce over functions", reduced, [(A,), (B,), (A,)]),
    Row("reduce with an operator", reduced_with_an_operator, [(A,), (B,), (floats(2, 3),)], graphs=2),
    Row("composed functions", composition, [(A,), (B,), (A,)]),
    Row("lru_cache", cached_number, [(A, 3), (B, 3), (A, 4), (A, 3)], graphs=2, breaks=1, wanted=(2, 0)),
    Row("cache of a table", cached_table, [(A,), (B,), (floats(2, 3),)], graphs=3, breaks=1, wanted=(2, 0)),
    Row("singledispatch", single_dispatch, [(A, "ab"), (B, "ab"), (A, [1, 2]), (A, [1, 3])], graphs=2),
    Row("decorator that counts", counting_decorator, [(A,), (B,), (A,), (A,)], captured=2),
    Row("decorator with arguments", decorator_with_arguments, [(A,), (B,), (A,)]),
    Row("decorator with try and finally", tracing_decorator, [(A,), (B,), (A,)]),
    Row("decorator that is a class", class_decorator, [(A,), (B,), (A,), (A,)], captured=2),
    Row("decorator below jit", decorated_below_jit, [(A,), (B,), call(A, scale=3.0), (A,)], graphs=2, captured=3),
    Row("decorator above jit", decorated_above_jit, [(A,), (B,), (A,)]),
    Row("mutable default", default_list, [(A,), (B,), (A,), (A,)], graphs=4, wanted=(1, 0), one_thread=True),
    Row("None as default", default_none, [(A,), (A, A > 0.5), call(A, scale=3.0), (B,)], graphs=3),
    Row("*args and **kwargs", star_arguments, [(A,), (A, A), call(A, scale=2.0), call(A, ab=A), call(B, ab=B)], graphs=4),
    Row(
        "keyword-only", keyword_only, [call(A, scale=2.0), call(B, scale=3.0), call(A, scale=2.0, shift=1.0), (A,)], graphs=2
    ),
    Row("positional-only", positional_only, [(A, A), (B, B), call(A, A, alpha=0.5), call(A, y=A)], graphs=2),
    Row("arguments passed on", arguments_passed_on, [(A,), (B,), call(A, scale=2.0), call(A, wrong=1)], graphs=2),
    Row("nonlocal inside", closure_counter, [(A,), (B,), (A,)]),
    Row("nonlocal from outside", step_of_a_closure, [(A,), (B,), (A,), (A,)], captured=2),
    Row("closure over a number", twice, [(A,), (B,), (A,)]),
    Row("lambdas with defaults", list_of_lambdas, [(A,), (B,), (A,)]),
    Row("lambdas that bind late", late_binding, [(A,), (B,), (A,)]),
    Row("recursion on a number", recursion_on_a_number, [(A,), (B,), call(A, depth=3), call(A, depth=4)], graphs=3),
    Row("recursion on a tree", recursion_on_a_tree, [([A, (A, B)],), ([A, (B, B)],), ([A, [A, [B]]],)], graphs=2),
    Row("attribute of a function", function_attribute, [(A,), (B,), (A,), (A,)], captured=2),
    Row("callable or value", callable_or_value, [(A, ops.relu), (B, ops.relu), (A, 2), (A, 3)], graphs=2),
    Row("callback given", callback_given, [(A,), (A, note_shape), (A, note_shape), (A,)], graphs=2),
    Row("cast and overload", casts_and_overloads, [(A,), (B,), (A,)]),
    Row("functions of operator", operator_functions, [(A,), (B,), (A,)]),
    Row("early return", early_return, [(A, 0), (A, 1), (B, 2), (A, 5)], graphs=3),
    Row("nested results", several_results, [(A,), (B,), (A,)]),
    Row("argument that is changed and returned", argument_returned, [(A, {}), (B, {}), (A, {"y": 1})], graphs=2),
    Row("names of functions", name_of_a_function, [(A,), (B,), (A,)]),
]
