"""Small programs of what functions return and raise: jitted they are as they are in Python."""

from __future__ import annotations

import copy
import traceback
import types
from typing import Any

import numpy as np
from overlooked import Jit, Programs, around, told, x

import emberjit as ms
from emberjit import Parameter, Tensor, nn

PROGRAMS = Programs()
program = PROGRAMS.add


# What is returned ----------------------------------------------------------------------------------------------------


@program
def memory_of_results(jit: Jit) -> Any:
    def f(x):
        y = x * 2
        return y, y.reshape(1), y.copy(), x, x + 0

    def g(x):
        return x * 1, x * 1

    f, g = jit(f), jit(g)
    seen = []
    for _ in range(3):
        given = x()
        results = [*f(given), *g(given)]
        for part in results[:1] + results[2:]:
            part[0] = part[0] + 10
        seen.append([*(part.tolist() for part in results), given.tolist()])
    return seen


@program
def writes_into_two_axes(jit: Jit) -> Any:
    def f(x):
        t = Tensor(np.zeros((2, 3, 4), np.float32)) + x[0]
        t[1, 2] = t[0, 0] + 1
        t[0, :, 1] = 7
        t[:, 0, 0] = t[1, 2, :2]
        return t

    return around(jit(f), lambda: None)


@program
def numbers_of_loops(jit: Jit) -> Any:
    def f(x, limit):
        n, k, ended = 0, 1.5, False
        while x.sum() < limit:
            x = x * 2
            n = n + 1
            k = k * 2
            ended = x.sum() > 5
        return n, k, ended if isinstance(ended, bool) else ended.tolist(), type(n).__name__, type(k).__name__

    f = jit(f)
    return [f(x(), limit) for limit in (3.0, 0.5, 20.0, 3.0)]


@program
def given_parameters(jit: Jit) -> Any:
    def f(p):
        return isinstance(p, Parameter), type(p).__name__, p.__class__.__name__, (p * 2).tolist()

    f = jit(f)
    p = Parameter(Tensor([1.0]), name="p")
    return [f(p), f(p), f(Tensor([2.0])), f(p)]


@program
def gradients_of_numbers(jit: Jit) -> Any:
    f = jit(lambda x: (x * float(x[0])).sum() + x.sum() * int(x[0]))
    return [ms.grad(f)(Tensor([3.0])).tolist() for _ in range(3)]


# Errors --------------------------------------------------------------------------------------------------------------


@program
def errors_of_ops(jit: Jit) -> Any:
    def reads(x, i):
        return x[i] * 2

    def f(x, i):
        y = x * 2
        return reads(y, i)

    f, seen = jit(f), []
    for at in (0, 7, 0, 7):
        try:
            seen.append(f(Tensor([1.0, 2.0]), Tensor([at])).tolist())
        except IndexError as error:
            frames = traceback.extract_tb(error.__traceback__)[1:]
            seen.append([(frame.name, frame.line) for frame in frames if frame.filename == __file__])
    return seen


@program
def errors_that_are_caught(jit: Jit) -> Any:
    def f(x):
        try:
            if x.sum() > 3:
                raise ValueError("large")
            return x.tolist()[0] / 0
        except ValueError as error:
            return str(error)
        except ZeroDivisionError:
            return "zero"

    f = jit(f)
    return [told(f, Tensor([v])) for v in (1.0, 5.0, 1.0, 5.0)]


@program
def managers_on_classes(jit: Jit) -> Any:
    log: list[Any] = []

    class Meta(type):
        def __enter__(cls):
            log.append("in")
            return 3

        def __exit__(cls, *rest):
            log.append("out")

    class Manager(metaclass=Meta):
        pass

    def f(x):
        with Manager as k:
            return x * k

    f = jit(f)
    return [told(f) for _ in range(3)], log


@program
def lines_of_what_python_runs(jit: Jit) -> Any:
    log: list[Any] = []

    def f(x):
        log.append(1)
        try:
            _a, _b = [1]
        except ValueError as error:
            return [frame.line for frame in traceback.extract_tb(error.__traceback__)]

    f = jit(f)
    return [f(x()) for _ in range(3)]


# Writes and gradients ------------------------------------------------------------------------------------------------


@program
def writes_before_a_variable_becomes_another(jit: Jit) -> Any:
    def f(a, b):
        i = Tensor([0.0])
        while i < 2:
            a[0] = 9 + i[0]
            b = b + 1
            a = b
            i = i + 1
        return a

    def g(c):
        i = Tensor([0.0])
        while i < 2:
            c[0] = 9
            c = c * 2
            i = i + 1
        return c

    f, g = jit(f), jit(g)
    first, second = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    return f(first, second).tolist(), first.tolist(), second.tolist(), g(first).tolist(), first.tolist()


@program
def gradients_of_one_tensor_under_two_names(jit: Jit) -> Any:
    def h(a, b):
        a[0] = b[1] * 3
        return (a * b).sum()

    def shown(value: Any) -> Any:
        return [shown(part) for part in value] if isinstance(value, tuple) else value.tolist()

    f = jit(lambda x: ms.value_and_grad(h, (0, 1))(x, x))
    g = jit(ms.grad(h, (0, 1)))
    given = Tensor([1.0, 2.0])
    return shown(f(Tensor([1.0, 2.0]))), shown(g(given, given))


@program
def arrays_under_two_tensors(jit: Jit) -> Any:
    array = np.arange(3, dtype=np.float32)

    def f(a, b):
        a[0] = 50
        return b.sum()

    return [jit(f)(ms.from_numpy(array), ms.from_numpy(array)).tolist() for _ in range(2)]


@program
def views_of_parameters(jit: Jit) -> Any:
    p = Parameter(Tensor([1.0, 2.0, 3.0]), name="p")
    f = jit(lambda: p.view(-1))
    for _ in range(2):
        f()[0] += 50
    return p.tolist()


@program
def contiguous_copies(jit: Jit) -> Any:
    f = jit(lambda x: x.T.contiguous())
    given = Tensor([[1.0, 2.0], [3.0, 4.0]])
    result = f(given)
    result[0, 1] = 55
    return result.tolist(), given.tolist(), result.is_contiguous()


@program
def hooks(jit: Jit) -> Any:
    net, log = nn.ReLU(), []

    def f(x):
        handle = net.register_forward_hook(lambda cell, given, result: log.append(1) or result * 2)
        y = net(x)
        handle.remove()
        return y

    def g(x):
        x.register_hook(lambda gradient: gradient * 10)
        return x + 1

    f, g = jit(f), jit(g)
    seen = [(f(x()).tolist(), len(log)) for _ in range(3)]
    given = x()
    g(given)
    return seen, net(x()).tolist(), ms.grad(lambda v: (v * v).sum())(given).tolist()


# Texts and contexts --------------------------------------------------------------------------------------------------


@program
def texts_are_of_their_time(jit: Jit) -> Any:
    def f(x):
        y = x + 0
        before = str(y)
        y[0] = 5
        return before, copy.copy(str(y)), isinstance(before, str), type(before).__name__

    def g(x):
        items = [x]
        text = f"{items}"
        items.clear()
        if x.sum() > 0:
            raise ValueError(text)

    return told(jit(f)), told(jit(g)), told(jit(g))


@program
def errors_go_back_to_what_the_caller_handles(jit: Jit) -> Any:
    def f(x):
        if x.sum() > 0:
            raise ValueError("large")

    def g(x, i):
        return x[i]

    f, g, seen = jit(f), jit(g), []
    g(x(), Tensor(0))
    for outer in (KeyError("outer"), IndexError("second"), None):
        for function, args in ((f, (x(),)), (g, (x(), Tensor(7)))):
            try:
                try:
                    if outer is not None:
                        raise outer
                except LookupError:
                    function(*args)
                else:
                    function(*args)
            except (ValueError, IndexError) as error:
                seen.append((repr(error.__context__), outer is None or outer.__traceback__ is not None))
    return seen


@program
def errors_of_the_system(jit: Jit) -> Any:
    def f(x):
        if x.sum() > 0:
            raise OSError(2, "No", "file")
        raise OSError("m")

    f = jit(f)
    return [told(f, Tensor([v])) for v in (1.0, -1.0, 1.0)]


@program
def classes_of_what_is_made_inside(jit: Jit) -> Any:
    def f(x):
        def g(a: int, *, b: float = 2) -> str:
            return x

        def h():
            yield x

        return g.__class__ is types.FunctionType, g.__annotations__, h().__class__.__name__, f"{x}".__class__

    def coroutines(x):
        async def wait():
            return x

        waiting = wait()
        try:
            waiting.send(None)
        except StopIteration as stop:
            return stop.value

    f, coroutines = jit(f), jit(coroutines)
    return [(told(f), told(coroutines)) for _ in range(3)]


test_jitted_is_as_plain = PROGRAMS.test()
