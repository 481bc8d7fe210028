"""Tensors that may be one another: what conditions, loops and functions that call themselves choose, and then is written.

In a graph Tensors share nothing. Where Python would show a write through another name, the captured function has to show
it too: by following the write, or by running in Python.
"""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from programs import differences

import emberjit as ms
from emberjit import Tensor, ops

PROGRAMS: dict[str, tuple[str, tuple[int, ...]]] = {
    "an argument is written on one side": (
        """
        if n > 0:
            x = x + 1
        else:
            x[0] = 3
        return x
        """,
        (0, 1),
    ),
    "another name of what one side writes": (
        """
        z = x
        if n > 0:
            z = x + 1
        else:
            x[0] = 3
        return z
        """,
        (0, 1),
    ),
    "one of two is written": (
        """
        if n > 0:
            z = x
        else:
            z = y
        z[0] = 5
        return z
        """,
        (0, 1),
    ),
    "one of two is read after the other name is written": (
        """
        z = x if n > 0 else y
        x[0] = 5
        return z
        """,
        (0, 1),
    ),
    "one of two in place": (
        """
        z = x if n > 0 else y
        z += 1
        return x * 1, y * 1, z
        """,
        (0, 1),
    ),
    "the best so far": (
        """
        best = y
        for i in range(3):
            best = x if n > i else best
            x += 1
        return best
        """,
        (0, 1, 2),
    ),
    "chosen, then written on the same side": (
        """
        z = y * 1
        if n > 0:
            z = x
            x[0] = 7
        return z
        """,
        (0, 1),
    ),
    "chosen into a list": (
        """
        z = [y * 1]
        if n > 0:
            z[0] = x
        x[0] = 7
        return z
        """,
        (0, 1),
    ),
    "chosen by a function": (
        """
        def choose(v):
            if n > 0:
                return v
            return y
        w = choose(x)
        w[0] = 9
        return w
        """,
        (0, 1),
    ),
    "one of two views": (
        """
        if n > 0:
            z = x[0:1]
        else:
            z = x[1:2]
        z[0] = 9
        return z
        """,
        (0, 1),
    ),
    "one of two views of what is written": (
        """
        z = x[0:1] if n > 0 else x[1:2]
        x[0] = 9
        return z
        """,
        (0, 1),
    ),
    "a loop's last": (
        """
        z = y
        i = n * 0
        while i < n:
            z = x
            x = x + 1
            i = i + 1
        z[0] = 3
        return z
        """,
        (0, 1, 2),
    ),
    "a loop's variable is written after it": (
        """
        i = n * 0
        while i < n:
            x = x + 1
            i = i + 1
        x[0] = 3
        return x
        """,
        (0, 1),
    ),
    "an alias in a loop that writes": (
        """
        z = y * 1
        i = n * 0
        while i < n:
            z = x
            x[0] = x[0] + 3
            i = i + 1
        return z
        """,
        (0, 1, 2),
    ),
    "a view in a loop that writes": (
        """
        z = x * 2
        i = n * 0
        while i < n:
            x[0] = x[0] + 1
            z = x[0:1]
            i = i + 1
        return z
        """,
        (0, 1, 2),
    ),
    "a loop's view": (
        """
        z = x[0:1] * 1
        i = n * 0
        while i < n:
            z = x[0:1]
            i = i + 1
        z[0] = 9
        return z
        """,
        (0, 1, 2),
    ),
    "a condition in a loop": (
        """
        z = x
        i = n * 0
        while i < n:
            if i > 0:
                z = x
            else:
                z = x * 2
            x = x + 1
            i = i + 1
        z[1] = 2
        return z
        """,
        (0, 1, 2),
    ),
    "an argument through calls": (
        """
        def deep(v, k):
            if k <= 0:
                return v
            return deep(v * 2, k - 1)
        z = deep(x, n)
        z[0] = 5
        return z
        """,
        (0, 2),
    ),
    "a view through calls": (
        """
        def deep(v, k):
            if k <= 0:
                return v[0:1]
            return deep(v * 2, k - 1)
        z = deep(x, n)
        z[0] = 5
        return z
        """,
        (0, 2),
    ),
    "a variable through calls": (
        """
        def deep(v, k):
            if k <= 0:
                return v, x
            return deep(v * 2, k - 1)
        z, w = deep(y, n)
        w[0] = 9
        return z, w
        """,
        (0, 2),
    ),
    "two results that are one": (
        """
        def deep(v, k):
            if k <= 0:
                return v, v
            return deep(v * 2, k - 1)
        z, w = deep(x, n)
        w[0] = 9
        return z, w
        """,
        (0, 2),
    ),
}


def _text(name):
    body, numbers = PROGRAMS[name]
    head = "import numpy as np\nfrom emberjit import Tensor\n"
    calls = [("", f"Tensor(np.float32([0.5, 1.5])), Tensor(np.float32([2, 3])), Tensor({n})") for n in numbers * 2]
    return f"{head}def program(x, y, n):{textwrap.indent(textwrap.dedent(body), '    ')}\ncalls = {calls!r}\n"


@pytest.mark.breaks
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_write_shows_through_every_name(name):
    assert not "\n".join(differences(_text(name), f"<{name}>"))


# Reshapes that are views or copies as memory lies, which results are or view (found by random_views.py) -------------------

MAYBE_VIEWS = {
    "two reshapes": lambda a: [a.reshape(-1), a.reshape(-1)],
    "two flattened": lambda a: [ops.flatten(a), ops.flatten(a)],
    "slices of two": lambda a: [a.reshape(-1)[1:], a.reshape(-1)[1:]],
    "a reshape and a view of it": lambda a: [(v := a.reshape(-1)), v[1:]],
    "an axis more": lambda a: [(v := a.reshape(-1)), ops.expand_dims(v, 0)],
    "of what is made": lambda a: [(v := (a * 1).T.reshape(-1)), v[1:]],
    "twice of what is made": lambda a: [(t := (a * 1).T).reshape(-1), t.reshape(-1)],
}
LAYOUTS = {
    "row-major": lambda: Tensor(np.arange(8.0).reshape(2, 4)),
    "transposed": lambda: Tensor(np.arange(8.0).reshape(4, 2)).T,
    "every other column": lambda: Tensor(np.arange(16.0).reshape(2, 8))[:, ::2],
}


@pytest.mark.breaks
@pytest.mark.parametrize("make", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("f", MAYBE_VIEWS.values(), ids=MAYBE_VIEWS)
def test_results_share_memory_as_in_python(f, mode, make):
    jitted = ms.jit(f, capture_mode=mode)
    for which in range(2):
        seen = []
        for run in (f, jitted):
            a = make()
            results = run(a)
            results[which].add_(100)
            seen.append([t.tolist() for t in (a, *results)])
        assert seen[0] == seen[1]


# Results that a condition on a Tensor has chosen among what the caller has ----------------------------------------------


def on_one_side(a, b, n):
    if n > 0:
        a = a * 2
    return [a, b]


def by_expression(a, b, n):
    return [a if n > 0 else b]


def of_a_view(a, b, n):
    first = a[:1]
    if n > 1:
        first = first * 3
    return [first, b]


def twice(a, b, n):
    if n > 0:
        a = a + b
    if n > 3:
        a = b
    if n > 1:
        b = a
    return [a, b]


def what_is_made_too(a, b, n):
    c = a * 2
    if n > 0:
        a = c
    return [a, c]


def a_parameter(a, b, n):
    return [WEIGHT if n > 0 else a]


WEIGHT = ms.Parameter(Tensor([1.0, 2.0]), name="weight")


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize(
    "f", [on_one_side, by_expression, of_a_view, twice, what_is_made_too, a_parameter], ids=lambda f: f.__name__
)
def test_what_a_condition_chose_is_what_the_caller_has(f, mode):
    def written(function, a, b, n):
        a, b = a * 1, b * 1
        results = function(a, b, n)
        for number, result in enumerate(results):
            result.mul_(number + 2)
        return sum((t * t).sum() for t in (a, b, *results))

    jitted = ms.jit(f, capture_mode=mode)
    for n in (0, 1, 2, 0):
        seen = []
        for function in (f, jitted):
            WEIGHT.set_data(Tensor([1.0, 2.0]))
            a, b, count = Tensor([2.0, 3.0]), Tensor([5.0, 7.0]), Tensor(n)
            value = written(function, a, b, count)
            slopes = ms.grad(lambda a, b: written(function, a, b, count), (0, 1))(a, b)
            seen.append([value.item(), WEIGHT.tolist(), *(slope.tolist() for slope in slopes)])
        assert seen[0] == seen[1]
