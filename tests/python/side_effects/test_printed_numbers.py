"""Numbers in what is printed: a jitted function prints what a plain one does in each call, and has as many graphs as its
row says, whatever the numbers."""

# ruff: noqa: RUF010, UP031, UP032

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import _emberjit as core

MODES = ["ast", "bytecode"]
NUMBERS = [
    *[(2, 0.125), (-7, -0.0), (0, 1e16), (255, 1e-5), (2**40, 2.5), (-(2**63), math.inf), (2**63 - 1, -1e22)],
    *[(12345, math.nan), (3, 123456.789)],
]
CALLS = [(Tensor(np.full((2 + i % 3, 3), 0.1 * i + 1, np.float32)), n, p) for i, (n, p) in enumerate(NUMBERS)]


def compare(function: Any, calls: list[Any], mode: str, capfd: pytest.CaptureFixture[str]) -> Any:
    """What explain() tells of a jitted function that has given and printed what the plain one does, in each call."""
    jitted = ms.jit(function, capture_mode=mode)
    capfd.readouterr()
    for args in calls:
        runs = []
        for each in (function, jitted):
            result = each(*args)
            runs.append((None if result is None else result.asnumpy().tolist(), capfd.readouterr().out))
        assert repr(runs[1]) == repr(runs[0])
    return jitted.explain()


# What is printed of a Tensor, an int and a float, and in how many graphs.
FORMS: list[tuple[str, Callable[[Any, int, float], Any], int]] = [
    ("f-string", lambda x, n, p: f"{n} and {p}, {n!r} {p!s} {n!a}", 1),
    ("specifications", lambda x, n, p: f"{n:>5d}|{p:8.3e}|{n:+,}|{p:_.2f}|{n:#x}|{n:08b}|{p:%}|{p:g}|{n:.1f}|{p:*^12}", 1),
    ("braces", lambda x, n, p: f"{{{n}}} {{{{{p:.2f}}}}} {{n}} {{:}} {{}} {{s}} }} {n}>{n}", 1),
    ("=", lambda x, n, p: f"{n=} {p=:.3f} {x.shape=}", 1),
    ("sizes", lambda x, n, p: f"{x.shape} {x.shape[0]:4d} {x.size} {x.ndim} {len(x)} {tuple(x.shape)} {list(x.shape)}", 1),
    ("computed", lambda x, n, p: f"{x.shape[0] * 2 + 1} {n // 2} {n % 3} {-n // 7} {p * 2:.3f} {p + x.shape[0]} {n & 6}", 2),
    ("compared", lambda x, n, p: f"{n > 3} {p == 0.125!r:>7} {n < 0:d} {not n} {x.shape[0] == 2:>3}", 2),
    ("arguments", lambda x, n, p: ("a", n, p, None, True, x.shape, [n, {"p": p}], (n,)), 1),
    ("containers", lambda x, n, p: f"{[n, p]} {dict(n=n)} {(n, 'a', None)!s} {[f'{n}', str(p)]}", 1),
    ("percent", lambda x, n, p: "%d %5d %-5i| %+d % d %05d %x %#o %X %s %r %6s %-6s| %a %%" % (*(n,) * 13, "é"), 1),
    ("percent of floats", lambda x, n, p: "%f %.3f %e %.2E %g %G %10.2f %-10.1f| %+.1f %010.2f %s %.f" % (*(p,) * 12,), 1),
    ("other percent of floats", lambda x, n, p: "%r %#.0f %-8r|%%" % (p, p, p), 1),
    ("percent of an int as float", lambda x, n, p: "%.2f %e %08.1f" % (n, n, n), 1),
    ("percent of one", lambda x, n, p: ("%d" % n, "%s" % p, "%s" % (x.shape,), "%(n)d of %(p).1f" % {"n": n, "p": p}), 1),
    ("percent of a bool", lambda x, n, p: "%d %s %6s %r" % (n > 3, n > 3, n > 3, n > 3), 1),
    ("cut by percent", lambda x, n, p: "%.2s %4.1s|" % (n, p), 1),
    ("str.format", lambda x, n, p: "{} {n:03d} {!r:>6} {p:.1f}".format(n, p, n=x.shape[0], p=p), 1),
    ("aligned text", lambda x, n, p: f"{str(n):>9}|{p!r:<12}|{str(n):^7.3s}|{n!s:05}|", 1),
    ("joined", lambda x, n, p: ("x".join(map(str, x.shape)), " ".join(str(v) for v in (n, p)), ",".join([f"{n}", "b"])), 1),
    ("added", lambda x, n, p: "n" + str(n) + " " + repr(p) + f" {n}" + "!", 1),
    ("rounded", lambda x, n, p: f"{round(p / 3, 2) if abs(p) < 1e300 else 0}", 2),
    ("an item", lambda x, n, p: f"{x.sum().item():.4f} {float(x.mean())} {x[0, 0].item()!r} {(x.max() > 1.5).item()}", 1),
    ("items as arguments", lambda x, n, p: (x.sum().item(), (x.max() > 1.5).item(), [x.mean().item(), n]), 1),
    ("a Tensor by a specification", lambda x, n, p: f"{x.sum():.3f}" + "{:8.2e}".format(x[0].max()) + "%.2f" % x.mean(), 1),
    ("an int Tensor by percent", lambda x, n, p: "%d %5d %x" % (x.argmax(), (x > 1).sum(), x.argmin()), 1),
    ("with a Tensor", lambda x, n, p: (f"{n}: {x[0, 0]} {x[0]!r} {x.dtype}", x[0], n), 1),
    ("containers of Tensors", lambda x, n, p: ([x, n], {"x": x[0], "n": (x[0, 0], p)}), 1),
    ("its own text", lambda x, n, p: f"<{n} 0> <0> {n:}", 1),
]


def shower(form: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a Tensor, an int and a float that prints what a form makes of them."""

    def shows(x, n, p):
        said = form(x, n, p)
        if type(said) is tuple:
            print(*said, sep=" | ")
        else:
            print(said)
        return x * p + n

    return shows


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("form", "graphs"), [pytest.param(form, graphs, id=name) for name, form, graphs in FORMS])
def test_forms(form: Callable[..., Any], graphs: int, mode: str, capfd: pytest.CaptureFixture[str]) -> None:
    told = compare(shower(form), CALLS, mode, capfd)
    assert (len(told["entries"]), told["calls"]["in_python"], told["breaks"]) == (graphs, 0, []), told["misses"]


class Spelled:
    def __format__(self, spec: str) -> str:
        return spec[::-1]


# What a graph does not format: numbers are pinned, and of Tensors Python prints.
PINNED: list[tuple[str, Callable[[Any, int, float], Any]]] = [
    ("a character", lambda x, n, p: f"{n:c}"),
    ("by the locale", lambda x, n, p: f"{n:n} {p:n}"),
    ("a width that is a number", lambda x, n, p: f"{p:{n}.1f}{'a':{n}}{Spelled():{n}}"),
    ("the same of str.format", lambda x, n, p: "{:>{w}} {:{w}}".format(p, Spelled(), w=n)),
    ("filled with a brace", lambda x, n, p: format(n, "{>6") + format(n, "}<6")),
    ("a large width", lambda x, n, p: f"{n:1234d}"),
    ("the whole part of a float", lambda x, n, p: "%d" % p),
    ("digits of an int", lambda x, n, p: "%.4d %.3x" % (n, n)),
    ("a width in the arguments", lambda x, n, p: "%*d" % (n, n)),
    ("an aligned text", lambda x, n, p: f"{f'{n}/{p}':>12}|" + "%12s" % f"{n}:{p:.1f}"),
    ("a method of a text", lambda x, n, p: (f"{n}".rjust(6), str(n).zfill(5), f"{p}".upper(), len(f"{n}"), f"{n}"[0])),
    ("a repeated text", lambda x, n, p: f"{n} " * 3),
]
OF_TENSORS: list[tuple[str, Callable[[Any, int, float], Any]]] = [
    ("an aligned Tensor", lambda x, n, p: f"{x[0]!s:>40}|"),
    ("aligned by percent", lambda x, n, p: "%60s|%r" % (x[0], x[0])),
    ("the text of one, aligned", lambda x, n, p: f"{str(x[0, 0]):>30}|{n}"),
    ("the text of one, quoted", lambda x, n, p: f"{[str(x), n]}"),
    ("the whole part of one", lambda x, n, p: "%d" % x.sum()),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", [pytest.param(form, id=name) for name, form in PINNED])
def test_what_needs_the_number_has_a_graph_for_each(
    form: Callable[..., Any], mode: str, capfd: pytest.CaptureFixture[str]
) -> None:
    calls = [(CALLS[0][0], n, p) for n, p in [(65, 0.5), (5, 2.5), (65, 0.5), (5, 2.5)]]
    told = compare(shower(form), calls, mode, capfd)
    assert (len(told["entries"]), told["calls"]["by_graph"]) == (2, 2)


def test_a_width_alone_is_pinned(capfd: pytest.CaptureFixture[str]) -> None:
    calls = [(CALLS[0][0], 9, p) for p in (0.5, 2.5, -0.25)]
    told = compare(shower(lambda x, n, p: f"{p:{n}.2f} {x.shape[0]:>{n}}"), calls, "bytecode", capfd)
    assert len(told["entries"]) == 1


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", [pytest.param(form, id=name) for name, form in OF_TENSORS])
def test_what_needs_elements_runs_in_python(form: Callable[..., Any], mode: str, capfd: pytest.CaptureFixture[str]) -> None:
    told = compare(shower(form), CALLS[:3], mode, capfd)
    assert told["breaks"] and not told["entries"]


def test_the_quoted_form_of_a_tensor(capfd: pytest.CaptureFixture[str]) -> None:
    told = compare(shower(lambda x, n, p: f"{x[0]!a} {n!a}" + "%a" % x[0]), CALLS, "bytecode", capfd)
    assert len(told["entries"]) == 1


def under_conditions(x, n, p):
    if x.sum() > 8:
        print(f"large {n} {x.shape[0]}")
        y = x * 2
    else:
        print(f"small {n:>4} {p}")
        y = x - n
    print("after", n)
    return y


def in_loops(x, n, p):
    steps = 0
    while x.sum() < 100:
        steps += 1
        print(f"step {steps} of {n}: {x.sum():.2f} {x.mean().item()} {x.shape}")
        x = x * 2 + 1
    for i in range(3):
        print(f"{i}/{n} {steps}", end="; ")
    print()
    return x


def differentiated(x, n, p):
    def loss(x):
        value = (x * x).sum() * 0.5
        print(f"loss {value.item():.3f} of {n} by {x.shape}")
        return value

    return ms.value_and_grad(loss)(x)[1]


def of_rows(x, n, p):
    def row(r):
        print(f"row of {n} {r.shape}")
        return r * 2

    return ms.vmap(row)(x)


counted = ms.Parameter(Tensor(0.0, ms.float64), name="counted")


def between_assignments(x, n, p):
    print(f"at {counted.value().item():.1f} {n}")
    ops.assign_add(counted, ops.ones((), ms.float64) * n)
    print(f"then {counted.value().item():.1f} {n}")
    ops.assign(counted, Tensor(0.0, ms.float64))
    return counted.value() + p


def kept_texts(x, n, p):
    title = f"{n}:"
    title += f" {p:.2f}"
    parts = [title, str(n)]
    print(f"<{title}>", title + " and", "-".join(parts), parts, flush=True)
    return x


def between_and_behind(x, n, p):
    print("a", n, "b", sep=f" {n} ", end=f" {p}\n")
    return x


def by_lines(x, n, p):
    ops.print_("n", n, x.shape[0], p, n > 3)
    return x


class Printing(ms.nn.Cell):
    def construct(self, x, n, p):
        print(f"cell {n} {x.shape}")
        return x * p


def in_a_cell(x, n, p):
    return Printing()(x, n, p)


PLACES = [under_conditions, in_loops, differentiated, of_rows, between_assignments, kept_texts, between_and_behind]
PLACES += [by_lines, in_a_cell]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", PLACES, ids=lambda function: function.__name__)
def test_places(function: Any, mode: str, capfd: pytest.CaptureFixture[str]) -> None:
    told = compare(function, CALLS, mode, capfd)
    assert (len(told["entries"]), told["calls"]["in_python"], told["breaks"]) == (1, 0, []), told["misses"]


def refused(x, n, p):
    try:
        print(f"{n:q}", "not printed")
    except ValueError as error:
        print("refused:", error)
    try:
        print(n, sep=2)
    except TypeError as error:
        print("refused:", error)
    return x


def of_an_error(x, n, p):
    try:
        if n < 0:
            raise ValueError(f"negative: {n}")
    except ValueError as error:
        print(error, repr(error), f"{error}!")
    return x * n


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [refused, of_an_error], ids=lambda function: function.__name__)
def test_what_python_refuses(function: Any, mode: str, capfd: pytest.CaptureFixture[str]) -> None:
    calls = [(CALLS[0][0], n, 0.5) for n in (-3, -3, 4, -3)]
    assert compare(function, calls, mode, capfd)["calls"]["by_graph"] == 2


class Named:
    names: ClassVar[list[str]] = ["first"]

    def __repr__(self) -> str:
        return Named.names[-1]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "form",
    [
        lambda x, n, p: ([Named(), n],),
        lambda x, n, p: (Named(), n),
        lambda x, n, p: f"{n} {Named()}",
        lambda x, n, p: f"{[Named(), n]} {dict(n=n, named=Named())}",
        lambda x, n, p: "%s %d" % (Named(), n),
        lambda x, n, p: "{} {}".format(Named(), n),
    ],
)
def test_texts_of_the_users_classes_are_those_of_each_call(form: Any, mode: str, capfd: pytest.CaptureFixture[str]) -> None:
    jitted = ms.jit(shower(form), capture_mode=mode)
    try:
        for name in ("first", "second", "third"):
            Named.names.append(name)
            texts = []
            for function in (shower(form), jitted):
                function(CALLS[0][0], 3, 0.5)
                texts.append(capfd.readouterr().out)
            assert texts[0] == texts[1]
    finally:
        del Named.names[1:]


@pytest.mark.parametrize("mode", MODES)
def test_errors_with_numbers(mode: str) -> None:
    def checked(x, n):
        if n < 0:
            raise ValueError(f"{n} is below zero, for {x.shape} and {n / 8:.2f}")
        return x * n

    jitted = ms.jit(checked, capture_mode=mode)
    for n, size in [(1, 2), (-1, 3), (-2, 4), (5, 2), (-(2**40), 5)]:
        runs = []
        for function in (checked, jitted):
            try:
                runs.append(function(Tensor(np.ones((size, 2), np.float32)), n).asnumpy().tolist())
            except ValueError as error:
                runs.append(error.args)
        assert runs[0] == runs[1]
    assert len(jitted.explain()["entries"]) == 2


@pytest.mark.parametrize("form", ["{n:.2f}", "{n}"])
def test_numbers_of_vmap_are_printed_in_brackets(form: str, capfd: pytest.CaptureFixture[str]) -> None:
    def row(r):
        print("in", form.format(n=r.sum().item()))
        return r

    x = Tensor([[0.5, 1.25], [2.0, -3.0]])
    ms.vmap(row)(x)
    texts = [form.format(n=n) for n in (1.75, -1.0)]
    assert capfd.readouterr().out == f"in [{' '.join(texts)}]\n"


def test_a_networks_graph_mode(capfd: pytest.CaptureFixture[str]) -> None:
    texts = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            cell = Printing()
            for x, n, p in CALLS:
                cell(x, n, p)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        texts.append(capfd.readouterr().out)
    assert texts[0] == texts[1]


def test_gradients_around_a_print(capfd: pytest.CaptureFixture[str]) -> None:
    @ms.jit
    def loss(x, n):
        value = (x * x).sum()
        print(f"loss {value.item():.2f} {n}")
        return value * n

    for n in (1, 2, 3):
        np.testing.assert_array_equal(ms.grad(loss)(Tensor([1.5, -2.0]), n).asnumpy(), [3 * n, -4 * n])
    assert capfd.readouterr().out == "loss 6.25 1\nloss 6.25 2\nloss 6.25 3\n"
    assert len(loss.explain()["entries"]) == 1


def test_a_saved_module_prints_them(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    @ms.jit
    def shows(x, n):
        print(f"{n:04d} {x.shape[0] * n / 7:.3f} {x.sum().item():8.2e} {n > 3} é")
        return x * n

    shows(Tensor(np.ones((2, 3), np.float32)), 2)
    shows.save(tmp_path / "module")
    x = np.full((5, 3), 0.5, np.float32)
    np.save(tmp_path / "x.npy", x)
    shows(Tensor(x), 40)
    printed = capfd.readouterr().out.splitlines()[-1]
    for tier in ("0", "1"):
        inputs = ["--input", str(tmp_path / "x.npy"), "--input", "40"]
        assert core.vmtool(["run", str(tmp_path / "module"), *inputs, "--tier", tier]) == 0
        assert capfd.readouterr().out.splitlines()[0] == printed


FILLS = st.sampled_from(["", "*", "0", " ", "é", "x", "s", "<"])
WIDTHS = st.sampled_from(["", "", "5", "12", "30"])
PRECISIONS = st.sampled_from(["", "", ".0", ".1", ".3", ".17"])
INTS = st.sampled_from([0, -1, 999, 1000, -(2**63), 2**63 - 1]) | st.integers(-(2**63), 2**63 - 1)
FLOATS = st.sampled_from([0.0, -0.0, 0.5, 2.5, 9.995, 1e15, 1e16, 1e-4, 1e-5]) | st.floats() | st.floats(-1e5, 1e5)


@st.composite
def specs(draw: Any, kind: type) -> str:
    """A specification by which format() formats numbers of a class."""
    align = draw(st.sampled_from(["", "<", ">", "=", "^"]))
    parts = [
        draw(FILLS) if align else "",
        align,
        *(draw(st.sampled_from(each)) for each in (["", "+", " ", "-"], ["", "z"])),
    ]
    parts += [draw(st.sampled_from(["", "#"])), draw(st.sampled_from(["", "0"])), draw(WIDTHS)]
    parts += [draw(st.sampled_from(["", "", ",", "_"])), draw(PRECISIONS), draw(st.sampled_from(["", *"bdeEfFgGoxX%"]))]
    try:
        format(kind(1), "".join(parts))
    except ValueError:
        return draw(st.sampled_from(["", ">9", "+"]))
    return "".join(parts)


@given(
    texts=st.tuples(specs(int), specs(float), specs(bool)), numbers=st.lists(st.tuples(INTS, FLOATS), min_size=2, max_size=4)
)
@examples(40)
def test_any_format(texts: Any, numbers: list[tuple[int, float]], capfd: pytest.CaptureFixture[str]) -> None:
    compare_forms(lambda x, n, p: (format(n, texts[0]), format(p, texts[1]), format(n > 7, texts[2])), numbers, capfd)


@st.composite
def conversions(draw: Any, kinds: str) -> str:
    """A part of what % fills."""
    flags = draw(st.sampled_from(["", "-", "0", "+", " ", "#", "-0", "0+", "#0", "- +#0"]))
    precision = draw(PRECISIONS | st.just("."))
    return f"%{flags}{draw(WIDTHS)}{precision}{draw(st.sampled_from(['', 'l']))}{draw(st.sampled_from(kinds))}"


@given(
    ints=st.lists(conversions("diuoxXeEfFgGsra"), min_size=1, max_size=4),
    floats=st.lists(conversions("deEfFgGsra"), min_size=1, max_size=4),
    numbers=st.lists(st.tuples(INTS, FLOATS.filter(math.isfinite)), min_size=2, max_size=4),
)
@examples(40)
def test_any_percent(
    ints: list[str], floats: list[str], numbers: list[tuple[int, float]], capfd: pytest.CaptureFixture[str]
) -> None:
    text = "|".join(ints) + " %% " + "|".join(floats)
    compare_forms(lambda x, n, p: text % (*(n,) * len(ints), *(p,) * len(floats)), numbers, capfd)


def compare_forms(form: Any, numbers: list[tuple[int, float]], capfd: pytest.CaptureFixture[str]) -> None:
    """Compares what is printed of numbers, of which the first are those of the capture."""
    jitted = ms.jit(shower(form))
    for n, p in numbers:
        texts = []
        for function in (shower(form), jitted):
            function(CALLS[0][0], n, p)
            texts.append(capfd.readouterr().out)
        assert texts[0] == texts[1], (n, p)
