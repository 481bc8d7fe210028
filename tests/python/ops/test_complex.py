"""complex64 and complex128 against NumPy where the table of ops does not lead: numbers of Python beside Tensors and what
is compiled for them, views of the parts and writes through them, gradients of chains, exchange, text, transforms.
"""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

MODES = ("eager", "ast", "bytecode")
RNG = np.random.default_rng(7)
Z = np.array([1 + 2j, 3 - 1j], np.complex64)
GRID = (np.arange(12).reshape(3, 4) + 1j * np.arange(12, 24).reshape(3, 4)).astype(np.complex64)
MASK = np.array([[True, False, True], [False, True, False]])
FACTOR: Any = 1j
TRANSFORM_LENGTHS = (*range(1, 71), 97, 1000, 1013)
REAL_DTYPES = ("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOAT_DTYPES = ("float16", "bfloat16", "float32", "float64")


def in_mode(function: Callable[..., Any], mode: str) -> Callable[..., Any]:
    return function if mode == "eager" else ms.jit(function, capture_mode=mode)


def shown(value: Any) -> Any:
    """The value with its types and signs of zeros."""
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if isinstance(value, Tensor):
        return str(value.dtype), value.shape, repr(value.tolist())
    return type(value).__name__, repr(value)


def each(values: Any) -> tuple[Any, ...]:
    return values if isinstance(values, tuple) else (values,)


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return shown(function(*args))
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def complexes(*shape: int) -> Any:
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ARITHMETIC)
def test_dtype_beside_a_complex_number(name: str, mode: str) -> None:
    call = in_mode(ARITHMETIC[name], mode)
    for dtype in (*REAL_DTYPES, *FLOAT_DTYPES, "complex64", "complex128"):
        x = ops.ones((2,), getattr(ms, dtype))
        wanted = ms.complex128 if dtype in ("float64", "complex128") else ms.complex64
        for left, right in ((x, 2j), (2j, x), (x, Tensor(2j).astype(wanted))):
            result = call(left, right)
            assert result.dtype == wanted
            as_numbers = [1.0 if isinstance(v, Tensor) and v is x else 2j for v in (left, right)]
            np.testing.assert_allclose(result.asnumpy(), [ARITHMETIC[name](*as_numbers)] * 2, rtol=1e-6)


NUMBERS = [1j, 2j, 2.0, 3, True, complex(-0.0, -0.0), complex(0.0, -0.0), np.complex64(1j), np.complex128(1j), 1j]
WITH_NUMBER: dict[str, Callable[[Any, Any], Any]] = {
    **ARITHMETIC,
    "rpow": lambda x, c: c**x,
    "eq": lambda x, c: x == c,
    "ne": lambda x, c: c != x,
    "less": lambda x, c: x < c,
    "number arithmetic": lambda x, c: x * (c * c + 1) - c**2,
    "abs": lambda x, c: x * abs(c),
    "conjugate": lambda x, c: x * complex(c).conjugate(),
    "parts": lambda x, c: x * complex(c).real + complex(c).imag,
    "decides": lambda x, c: x if c == 1j else -x,
    "truth": lambda x, c: x if c else -x,
    "isinstance": lambda x, c: x * 2 if isinstance(c, complex) else x,
    "returned": lambda x, c: (x, c, -c),
    "key": lambda x, c: x * {1j: 2, 2j: 3}.get(c, 5),
    "filled": lambda x, c: ops.full((2,), c),
    "made": lambda x, c: Tensor(c) * x,
    "made of a list": lambda x, c: Tensor([c, 1]) * x,
    "where": lambda x, c: ops.where(ops.real(x) > 1, x, c),
    "masked_fill": lambda x, c: ops.masked_fill(x, ops.real(x) > 1, c),
    "sum": lambda x, c: x * sum([c, 1, c]),
    "filled in place": lambda x, c: (x * 1).fill_(c),
    "text": lambda x, c: (x, str(c)),
}


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.breaks] if name in ("returned", "text") else []) for name in WITH_NUMBER]
)
def test_numbers_as_arguments_of_compiled_functions(name: str, mode: str) -> None:
    compiled = in_mode(WITH_NUMBER[name], mode)
    for _ in range(2):
        for x in (Tensor(Z), Tensor(Z).astype(ms.complex128)):
            for number in NUMBERS:
                assert outcome(compiled, x, number) == outcome(WITH_NUMBER[name], x, number), number


@pytest.mark.parametrize("mode", MODES[1:])
def test_numbers_of_globals_closures_and_objects_that_change(mode: str) -> None:
    global FACTOR
    closed: Any = 1j
    kept: dict[str, Any] = {"k": 1j}

    def of_global(x: Any) -> Any:
        return x * FACTOR

    def of_closure(x: Any) -> Any:
        return closed * x

    def of_object(x: Any) -> Any:
        return x + kept["k"] * 2

    for function in (of_global, of_closure, of_object):
        compiled = in_mode(function, mode)
        for number in (*NUMBERS, Tensor(2j), complex("nan"), complex("nan"), 1j):
            FACTOR = closed = kept["k"] = number
            for x in (Tensor(Z), Tensor(Z).real()):
                assert shown(compiled(x)) == shown(function(x))
    FACTOR = 1j


def _loop_of_powers(t: Any) -> Any:
    total: Any = 0j
    for i in range(4):
        total = total + t * 1j**i
    return total


def _branch_in_loop(t: Any) -> Any:
    c, total = 1j, t * 0
    for _ in range(5):
        c = c * 1j if ops.real(total).sum() > 1 else c + 1
        total = total + t * c
    return total, c


ITEMS: dict[str, Callable[[Any], Any]] = {
    "complex": lambda t: t * complex(t[0].item()),
    "abs": lambda t: abs(t[0].item()) * t,
    "equal": lambda t: t if t[0].item() == 1 + 2j else -t,
    "conjugate": lambda t: t[0].item().conjugate() * t,
    "parts": lambda t: (t[0].item(), t[0].item().real),
    "list": lambda t: t.tolist(),
    "tensor decides": lambda t: t * 2 if t[0] == 1 + 2j else t,
    "truth": lambda t: t * 2 if t[0] else t,
    "real part decides": lambda t: t * 2 if t[0].item().real > 0 else t,
    "int": lambda t: int(t[0]) * t,
    "powers": _loop_of_powers,
    "branch in loop": _branch_in_loop,
    "sum of elements": lambda t: sum(list(t), 0j),
    "number of a float": lambda t: t * (1j * float(ops.real(t)[0])),
    "number of the shape": lambda t: t * 1j ** t.shape[0] / (2j * t.shape[0]),
}


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("name", ITEMS)
def test_numbers_taken_from_tensors(name: str, mode: str) -> None:
    compiled = in_mode(ITEMS[name], mode)
    starts = (Z, -Z, Z * 0, np.array([1 + 2j, 1]), np.array([-0.0j, 0, 1], np.complex64), Z)
    for start in starts:
        assert outcome(compiled, Tensor(start)) == outcome(ITEMS[name], Tensor(start))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "floordiv", "mod"])
def test_no_order(name: str, mode: str) -> None:
    f = getattr(operator, name)
    for function in (lambda x: f(x, x), lambda x: f(x, 1j), lambda x: f(2j, x), lambda x: f(x.real(), 1j)):
        with pytest.raises(
            TypeError, match=r"^For '\w+', complex numbers are not supported; take real\(\), imag\(\) or abs"
        ):
            in_mode(function, mode)(Tensor(Z))


def test_python_numbers_of_tensors() -> None:
    assert bool(Tensor(1j)) and not bool(Tensor(0j)) and bool(Tensor([2j]))
    assert Tensor(1 + 2j).item() == 1 + 2j and type(Tensor(1j).item()) is complex
    assert abs(Tensor(3 + 4j)).tolist() == 5.0
    assert Tensor(Z).tolist() == Z.tolist() and 3 - 1j in Tensor(Z)
    for convert in (int, float, range, [0, 1].__getitem__):
        with pytest.raises(TypeError):
            convert(Tensor(1 + 2j))  # type: ignore[operator]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(Tensor(Z))


def pairs_of(a: Any) -> Any:
    return a.view(a.real.dtype).reshape(*a.shape, 2)


VIEWS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "real": (lambda x: x.real(), lambda a: a.real),
    "imag": (lambda x: x.imag(), lambda a: a.imag),
    "pairs": (ops.view_as_real, pairs_of),
    "transposed real": (lambda x: x.T.real(), lambda a: a.T.real),
    "real transposed": (lambda x: x.real().T, lambda a: a.real.T),
    "imag of slice": (lambda x: x[1:, ::2].imag(), lambda a: a[1:, ::2].imag),
    "slice of imag": (lambda x: x.imag()[1:, ::2], lambda a: a.imag[1:, ::2]),
    "row": (lambda x: x[1].real(), lambda a: a[1].real),
    "real of real": (lambda x: x.real().real(), lambda a: a.real),
    "there and back": (lambda x: ops.view_as_complex(ops.view_as_real(x)), lambda a: a),
    "there and back, imag": (lambda x: ops.view_as_complex(ops.view_as_real(x)).imag(), lambda a: a.imag),
    "first of pairs": (lambda x: ops.view_as_real(x)[..., 0], lambda a: a.real),
    "slice of pairs": (lambda x: ops.view_as_real(x)[1, ::2], lambda a: pairs_of(a)[1, ::2]),
    "flat pairs": (lambda x: ops.view_as_real(x).view(-1), lambda a: pairs_of(a).reshape(-1)),
    "permuted pairs": (lambda x: ops.view_as_real(x).permute(2, 1, 0), lambda a: pairs_of(a).transpose(2, 1, 0)),
    "pairs of transposed": (lambda x: ops.view_as_real(x.T), lambda a: pairs_of(a).transpose(1, 0, 2)),
    "imag of diagonal": (lambda x: x.diagonal().imag(), lambda a: a.reshape(-1)[::5].imag),
    "imag of unbound": (lambda x: x.unbind(0)[2].imag(), lambda a: a[2].imag),
    "real of split": (lambda x: ops.split(x, 2, 1)[1].real(), lambda a: a[:, 2:].real),
}
WRITES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "add_": (lambda v: v.add_(100.0), lambda w: w.__iadd__(100)),
    "fill_": (lambda v: v.fill_(-3), lambda w: w.fill(-3)),
    "mul_ by itself": (lambda v: v.mul_(v), lambda w: w.__imul__(w)),
    "set": (lambda v: v.__setitem__(Ellipsis, 5.5), lambda w: w.__setitem__(Ellipsis, 5.5)),
}


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", VIEWS)
def test_writes_through_views(name: str, mode: str) -> None:
    view, of_array = VIEWS[name]
    for write, write_array in WRITES.values():
        array = GRID.copy()
        write_array(of_array(array))
        for fresh in (False, True):

            def program(x: Any, write: Any = write, fresh: bool = fresh) -> Any:
                x = x * 1 if fresh else x
                v = view(x)
                write(v)
                return v * 1, x * 1

            call = in_mode(program, mode)
            for _ in range(2):
                x = Tensor(GRID.copy())
                seen, whole = call(x)
                np.testing.assert_array_equal(whole.asnumpy(), array)
                np.testing.assert_array_equal(seen.asnumpy(), of_array(array))
                np.testing.assert_array_equal(x.asnumpy(), GRID if fresh else array)


@pytest.mark.breaks
@pytest.mark.parametrize("name", VIEWS)
def test_layouts_of_views(name: str) -> None:
    view, of_array = VIEWS[name]
    a, x = GRID.copy(), Tensor(GRID.copy())
    w, v = of_array(a), view(x)
    start = w.__array_interface__["data"][0] - a.__array_interface__["data"][0]
    assert (v.shape, v.strides, v.is_contiguous()) == (w.shape, w.strides, w.flags.c_contiguous)
    assert v.data_ptr() - x.data_ptr() == start == v.storage_offset() * w.itemsize
    assert ms.jit(lambda x: view(x).strides)(x) == w.strides


SMALL = GRID[:2, :3]
IN_PLACE: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "add_ Tensor": (lambda x: x.add_(Tensor(1j)), lambda a: a.__iadd__(1j)),
    "add_ real": (lambda x: x.add_(Tensor([1.0, 2, 3])), lambda a: a.__iadd__(np.float32([1, 2, 3]))),
    "mul_ complex128": (lambda x: x.mul_(Tensor(np.array([1j, 2, 3]))), lambda a: a.__imul__(np.complex64([1j, 2, 3]))),
    "pow_": (lambda x: x.pow_(2), lambda a: a.__ipow__(2)),
    "copy_ complex": (lambda x: x.copy_(Tensor([1j, 2, 3])), lambda a: a.__setitem__(..., [1j, 2, 3])),
    "copy_ real": (lambda x: x.copy_(Tensor([1.0, 2, 3])), lambda a: a.__setitem__(..., [1, 2, 3])),
    "fill_": (lambda x: x.fill_(3 - 1j), lambda a: a.fill(3 - 1j)),
    "zero_": (lambda x: x.zero_(), lambda a: a.fill(0)),
    "masked_fill_": (lambda x: x.masked_fill_(Tensor(MASK), 5j), lambda a: a.__setitem__(MASK, 5j)),
    "row": (lambda x: x.__setitem__(0, 2j), lambda a: a.__setitem__(0, 2j)),
    "element": (lambda x: x.__setitem__((0, 1), 2 + 1j), lambda a: a.__setitem__((0, 1), 2 + 1j)),
    "steps": (lambda x: x.__setitem__(np.s_[:, ::2], -1j), lambda a: a.__setitem__(np.s_[:, ::2], -1j)),
    "list": (lambda x: x.__setitem__(0, [1j, 2, 3.0]), lambda a: a.__setitem__(0, [1j, 2, 3])),
    "array": (lambda x: x.__setitem__(0, np.array([1j, 2, 3])), lambda a: a.__setitem__(0, [1j, 2, 3])),
    "mask": (lambda x: x.__setitem__(Tensor(MASK), 7j), lambda a: a.__setitem__(MASK, 7j)),
    "index": (lambda x: x.__setitem__(Tensor([1]), 7j), lambda a: a.__setitem__([1], 7j)),
    "real into complex": (lambda x: x.__setitem__(0, Tensor([1.0, 2, 3])), lambda a: a.__setitem__(0, [1, 2, 3])),
    "transposed": (lambda x: x.T.__setitem__(0, 1j), lambda a: a.T.__setitem__(0, 1j)),
    "index_fill_": (lambda x: x.index_fill_(1, Tensor([0, 2]), 1j), lambda a: a.__setitem__(np.s_[:, [0, 2]], 1j)),
    "scatter_": (lambda x: x.scatter_(1, Tensor([[0], [2]]), 3j), lambda a: a.__setitem__(([0, 1], [0, 2]), 3j)),
    "put_": (lambda x: x.put_(Tensor([0, 5]), Tensor([1j, 2j])), lambda a: a.put([0, 5], [1j, 2j])),
    "imag from real": (lambda x: x.imag().copy_(x.real()), lambda a: a.imag.__setitem__(..., a.real)),
    "conjugated": (lambda x: x.imag().neg_(), lambda a: np.negative(a.imag, out=a.imag)),
    "by its own part": (lambda x: x.mul_(x.real()), lambda a: a.__imul__(a.real.copy())),
    "exp_": (lambda x: x.mul_(0.1).exp_(), lambda a: np.exp(a * np.complex64(0.1), out=a)),
    "sqrt_": (lambda x: x.sqrt_(), lambda a: np.sqrt(a, out=a)),
    "tril_": (lambda x: x.tril_(), lambda a: a.__setitem__(..., np.tril(a))),
}


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(name: str, mode: str) -> None:
    write, write_array = IN_PLACE[name]
    array = SMALL.copy()
    write_array(array)
    call = in_mode(lambda x: (write(x), x * 1)[1], mode)
    for _ in range(2):
        x = Tensor(SMALL.copy())
        result = call(x)
        assert result.dtype == x.dtype == ms.complex64
        np.testing.assert_array_equal(result.asnumpy(), x.asnumpy())
        np.testing.assert_allclose(x.asnumpy(), array, rtol=1e-6)


UNFIT: dict[str, Callable[[Any], Any]] = {
    "mul_": lambda x: x.imag().mul_(Tensor(1j)),
    "add_": lambda x: x.real().add_(x),
    "index_add_": lambda x: x.real().index_add_(0, Tensor([1]), x[:1]),
    "floor_": lambda x: x.floor_(),
    "clamp_": lambda x: x.clamp_(0, 1),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", UNFIT)
def test_what_cannot_be_written(name: str, mode: str) -> None:
    x = Tensor(Z)
    with pytest.raises(TypeError, match=f"^For '{name}', "):
        in_mode(UNFIT[name], mode)(x)
    assert x.tolist() == Z.tolist()


C34, D34, C45 = complexes(3, 4), complexes(3, 4), complexes(4, 5)
R34, S34 = RNG.uniform(0.5, 2, (3, 4)), RNG.normal(size=(3, 4))
CHAINS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "conj": (lambda z: ops.conj(z) * z * z, (C34,)),
    "parts": (lambda z: z.real() * z.imag() * z, (C34,)),
    "polar": (ops.polar, (R34, S34)),
    "angle and abs": (lambda z: ops.polar(ops.abs(z) + 1, ops.angle(z) * 2), (C34,)),
    "view_as_real": (lambda z: ops.view_as_real(z * z) * ops.view_as_real(z), (C34,)),
    "view_as_complex": (lambda a, b: ops.view_as_complex(ops.stack([a * b, b], -1)) ** 2, (R34, S34)),
    "real parameters": (lambda a, b: (a + 1j * b) ** 2 * 1j, (R34, S34)),
    "complex": (lambda a, b: ops.complex(a, b) * (2 - 1j), (R34, S34)),
    "exponential of a real": (lambda a: ops.exp(1j * a), (S34,)),
    "matmul": (lambda a, b: a @ b, (C34, C45)),
    "matmul of a real": (lambda a, b: (a * 1j) @ b, (R34, C45)),
    "bmm": (lambda a, b: ops.bmm(a, b), (complexes(2, 3, 2), complexes(2, 2, 3))),
    "outer": (lambda z: z[:, :, None] * ops.conj(z)[:, None, :], (C34,)),
    **{f"pow {e}": (lambda z, e=e: z**e, (C34,)) for e in (0, 1, 2, -1, 0.5, 3.5, 1 + 2j)},
    "pow": (lambda a, b: a**b, (C34, D34)),
    "pow of a real": (lambda a, b: a**b, (R34, D34)),
    "pow to a real": (lambda a, b: a**b, (C34, S34)),
    "of a number": (lambda z: 2.0**z + (1 + 2j) ** z + 1j / z, (C34,)),
    "div": (lambda a, b: a / b, (C34, D34)),
    "div of a real": (lambda a, b: a / b + b / a, (R34, D34)),
    "log sqrt": (lambda z: ops.log(ops.sqrt(z) + 3), (C34,)),
    "reductions": (lambda z: z.sum(0) + z.mean(0) + z.prod(0) + z.var(0) + (z * z).cumsum(1)[1], (C34,)),
    "indexing": (lambda z: z[1:, ::2] * z[Tensor([0, 0])][:, 1:3], (C34,)),
    "concat": (lambda a, b: ops.concat([a, b * 1j], 0) * 2j, (C34, D34)),
    "concat with a real": (lambda a, b: ops.concat([a * (1 + 0j), b], 1) * 2j, (R34, D34)),
    "where": (lambda a, b: ops.where(a.real() > 0, a * 2, b * 1j), (C34, D34)),
    "where with a real": (lambda a, b: ops.where(a > 1, a, b), (R34, D34)),
    "norm": (lambda z: ops.sqrt((z.real() ** 2 + z.imag() ** 2).sum()), (C34,)),
    **{
        f"{f} {n} {norm}": (lambda z, f=f, n=n, norm=norm: getattr(ops, f)(z * z, n, norm=norm), (C34,))
        for f, norm in (("fft", None), ("ifft", "ortho"), ("irfft", None), ("hfft", "forward"))
        for n in (None, 3, 6, 7)
    },
    **{
        f"{f} {n} {norm}": (lambda x, f=f, n=n, norm=norm: getattr(ops, f)(x * x, n, norm=norm), (S34,))
        for f, norm in (("rfft", None), ("ihfft", "ortho"), ("rfft", "forward"), ("fft", None))
        for n in (None, 1, 3, 6, 7)
    },
    **{f: (lambda z, f=f: getattr(ops, f)(z * z), (C34,)) for f in ("fft2", "ifftn", "irfftn", "hfft2", "fftshift")},
    **{f: (lambda x, f=f: getattr(ops, f)(x * x, (2, 5)), (S34,)) for f in ("rfftn", "ihfft2", "fftn")},
}


def weighed(value: Any) -> Any:
    """A real number of all of the parts."""
    n = np.arange(value.size, dtype=np.float64).reshape(value.shape)
    if not value.is_complex():
        return (value * Tensor(np.cos(n + 1))).sum()
    return (value.real() * Tensor(np.cos(n + 1))).sum() + (value.imag() * Tensor(np.sin(2 * n + 1))).sum()


@pytest.mark.parametrize("name", CHAINS)
def test_gradients_of_chains(name: str) -> None:
    function, arrays = CHAINS[name]
    positions, tensors = tuple(range(len(arrays))), [Tensor(a) for a in arrays]
    rng = np.random.default_rng(1)

    def loss(*values: Any) -> Any:
        return weighed(function(*values))

    def slope_of_gradients(*values: Any) -> Any:
        return sum((weighed(g) for g in each(ms.grad(loss, positions)(*values))), Tensor(0.0))

    for total in (loss,) if name == "angle and abs" else (loss, slope_of_gradients):
        value, gradients = ms.value_and_grad(total, positions)(*tensors)
        assert value.item() == pytest.approx(total(*tensors).item(), rel=1e-12)
        for turn in (1, 1j):
            directions = [rng.normal(size=a.shape) * (turn if a.dtype == complex else 1) for a in arrays]
            claimed = sum(float((g.asnumpy() * np.conj(d)).real.sum()) for g, d in zip(each(gradients), directions))
            moved = [total(*(Tensor(a + s * 1e-6 * d) for a, d in zip(arrays, directions))).item() for s in (1, -1)]
            measured = (moved[0] - moved[1]) / 2e-6
            assert abs(claimed - measured) <= 1e-6 * (1 + abs(claimed) + abs(value.item())), (total, claimed, measured)
        for mode in MODES[1:]:
            for got, want, of in zip(each(in_mode(ms.grad(total, positions), mode)(*tensors)), each(gradients), tensors):
                assert got.dtype == want.dtype == of.dtype
                np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-9, atol=1e-9)


def test_products_of_vectors_and_jacobians() -> None:
    z, v = Tensor(C34), Tensor(D34)
    assert np.allclose(ms.vjp(lambda z: z * z, z)[1](v)[0].asnumpy(), D34 * np.conj(2 * C34))
    for function, wanted in (
        (lambda z: z * z, 2 * C34 * D34),
        (lambda z: ops.conj(z) * 2j, np.conj(D34) * 2j),
        (ops.abs, (np.conj(C34) * D34).real / np.abs(C34)),
        (ops.irfft, np.fft.irfft(D34)),
        (ops.view_as_real, np.stack([D34.real, D34.imag], -1)),
    ):
        for mode in MODES:
            got = in_mode(lambda z, v, function=function: ms.jvp(function, z, v)[1], mode)(z, v)
            np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-12)


TEXTS: list[tuple[Any, str]] = [
    (np.complex64(1 + 2j), "(1+2j)"),
    (np.complex128(-0.5j), "(-0-0.5j)"),
    (np.array([1j, 2], np.complex64), "[0.+1.j 2.+0.j]"),
    (np.array([1.5 - 2.25j, -3]), "[ 1.5-2.25j -3. +0.j  ]"),
    (np.array([complex("nan"), complex("infj"), 1]), "[nan +0.j  0.+infj  1. +0.j]"),
    (np.array([[1e10 + 1j, 1], [2j, 3]]), "[[1.e+10+1.j 1.e+00+0.j]\n [0.e+00+2.j 3.e+00+0.j]]"),
    (np.zeros((0,), np.complex64), "[]"),
]


@pytest.mark.parametrize("value, text", TEXTS)
def test_text(value: Any, text: str) -> None:
    assert str(Tensor(value)) == f"{Tensor(value)}" == text == str(np.asarray(value))
    assert f"dtype={Tensor(value).dtype}" in repr(Tensor(value))


def test_creation() -> None:
    for made, values, dtype in (
        (Tensor([1j, 2]), [1j, 2], ms.complex64),
        (Tensor(np.complex64(1 + 2j)), 1 + 2j, ms.complex64),
        (Tensor([np.complex128(1j), 2]), [1j, 2], ms.complex128),
        (Tensor([Tensor([1j]), Tensor([2.0])]), [[1j], [2]], ms.complex64),
        (Tensor(np.array([1 + 2j], ">c8")), [1 + 2j], ms.complex64),
        (Parameter(Tensor([1j]), "p"), [1j], ms.complex64),
        (ops.full((2,), 1j), [1j, 1j], ms.complex64),
        (ops.full((2,), 1j, dtype=ms.complex128), [1j, 1j], ms.complex128),
        (ops.eye(2, 2, ms.complex64), [[1, 0], [0, 1]], ms.complex64),
        (ops.arange(0, 3, 1, dtype=ms.complex128), [0, 1, 2], ms.complex128),
        (ops.zeros_like(Tensor([1j])), [0], ms.complex64),
        (Tensor([1.0]).astype(complex), [1], ms.complex64),
        (ops.ones((2,), ms.complex128), [1, 1], ms.complex128),
    ):
        assert made.dtype == dtype and made.tolist() == values
    for function in (ops.rand, ops.randn):
        with pytest.raises(TypeError, match="the dtype must be a float's"):
            function(2, dtype=ms.complex64)


@pytest.mark.parametrize("dtype", (*REAL_DTYPES, "float16", "float32", "float64", "complex64", "complex128"))
def test_conversions(dtype: str) -> None:
    values = np.array([0, 1 + 2j, -3.75 + 1j, 0.5j, 100.25 - 3j])
    for source in (np.complex64, np.complex128):
        array = values.astype(source)
        numpy_dtype = np.dtype(dtype.rstrip("_"))
        wanted = array.astype(bool) if dtype == "bool_" else (array if numpy_dtype.kind == "c" else array.real)
        if dtype.startswith("uint"):
            wanted = wanted.astype(np.int64)
        wanted = wanted.astype(numpy_dtype)
        for mode in MODES:
            got = in_mode(lambda x: x.astype(getattr(ms, dtype)), mode)(Tensor(array))
            assert got.asnumpy().dtype == numpy_dtype and got.tolist() == wanted.tolist()
        assert Tensor(wanted).astype(ms.complex64).tolist() == wanted.astype(np.complex64).tolist()


def test_exchange(tmp_path: Path) -> None:
    for array in (GRID, GRID.T, GRID[::-1, 1:], GRID.real, GRID.imag, GRID.astype(np.complex128)[:, ::2], GRID[0, 0]):
        x = Tensor(array)
        assert x.tolist() == array.tolist() and x.asnumpy().dtype == array.dtype
        for other in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), Tensor(np.from_dlpack(x)), x.T.T, x.copy()):
            assert other.dtype == x.dtype and other.tolist() == array.tolist()
        assert x.get_bytes() == np.ascontiguousarray(array).tobytes()
    own = GRID.copy()
    shared = ms.from_numpy(own.T)
    shared[0, 1] = 9j
    shared.imag()[1] = 5
    assert shared.strides == own.T.strides and own[1, 0] == 9j and own[:, 1].imag.tolist() == [5, 5, 5]
    assert np.shares_memory(shared.imag().asnumpy(), own)
    for kind in ("ckpt", "safetensors"):
        saved = [{"name": "a", "data": Tensor(GRID.T)}, {"name": "b", "data": Tensor(np.complex128(2j))}]
        ms.save_checkpoint(saved, str(tmp_path / f"x.{kind}"), format=kind)
        loaded = ms.load_checkpoint(str(tmp_path / f"x.{kind}"), format=kind)
        assert loaded["a"].tolist() == GRID.T.tolist() and loaded["b"].dtype == ms.complex128


MAPPED: dict[str, Callable[[Any], Any]] = {
    "view of pairs": lambda z: ops.view_as_complex(ops.view_as_real(z) * 2).imag(),
    "write": lambda z: ops.view_as_real((z * 1).fill_(2 - 1j)).add_(z.real()[..., None]),
    "literal": lambda z: ops.where(z.real() > 0, z * 2j, 1j).T,
    "fft": lambda z: ops.fft(z, 7, 0, "ortho"),
    "irfft": lambda z: ops.irfft(z, 4, -2) + ops.hfft(z, 4, 0),
    "rfftn": lambda z: ops.rfftn(z.real()) * ops.fft2(z)[..., :3],
    "shift": lambda z: ops.fftshift(z, 0) @ ops.ifftshift(z).T,
    "gradient": lambda z: ms.grad(lambda z: ops.abs(ops.irfft(z * z)).sum())(z),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", MAPPED)
def test_vmap(name: str, mode: str) -> None:
    z = np.random.default_rng(3).normal(size=(3, 4, 5)) * (2 - 1j)
    for axis in (0, 1, -1):
        got = in_mode(ms.vmap(MAPPED[name], axis), mode)(Tensor(z))
        rows = [MAPPED[name](Tensor(row)).asnumpy() for row in np.moveaxis(z, axis, 0)]
        np.testing.assert_allclose(got.asnumpy(), np.stack(rows), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_changed_shapes(mode: str) -> None:
    sums = in_mode(lambda t: ops.abs(t * 2j + 1).sum(), mode)
    forth = in_mode(lambda t: ops.fft(t, norm="ortho"), mode)
    back = in_mode(lambda t: ops.irfft(t), mode)
    for shape in ((2,), (3,), (5,), (0, 3), (2, 2), (3, 4), (1, 7), (16,), ()):
        z = np.random.default_rng(5).normal(size=shape) + np.zeros(shape) * 1j
        assert sums(Tensor(z)).item() == pytest.approx(np.abs(z * 2j + 1).sum())
        if shape:
            np.testing.assert_allclose(forth(Tensor(z)).asnumpy(), np.fft.fft(z, norm="ortho"), atol=1e-12)
            np.testing.assert_allclose(back(Tensor(z)).asnumpy(), np.fft.irfft(z), atol=1e-12)


def test_threads_give_the_same_bits() -> None:
    z, found = Tensor(complexes(300, 1000).astype(np.complex64)), []
    calls = (lambda z: z * z, ops.abs, lambda z: z.T.imag() * 2, lambda z: z.sum(0), ops.fft, lambda z: ops.fft(z, dim=0))
    for count in (1, 4, 2):
        ms.set_num_threads(count)
        found.append([call(z).asnumpy() for call in calls])
    for one, four, two in zip(*found):
        assert np.array_equal(one, four) and np.array_equal(one, two)


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("name", ["fft", "ifft", "irfft", "hfft", "rfft", "ihfft"])
def test_transforms_of_any_length(name: str, double: bool) -> None:
    for n in (*TRANSFORM_LENGTHS, *([4096, 44100] if double else [2048])):
        for shape, dim in (((n,), 0),) if n > 100 else (((3, n), -1), ((2, n, 3), -2)):
            a = RNG.normal(size=shape) if name in ("rfft", "ihfft") else complexes(*shape)
            x = Tensor(a if double else a.astype(np.float32 if a.dtype == float else np.complex64))
            for norm in (None, "ortho", "forward"):
                for length in (n, None) if n > 1 else (1,):
                    got = getattr(ops, name)(x, length, dim, norm).asnumpy()
                    want = getattr(np.fft, name)(x.asnumpy().astype(a.dtype), length, dim, norm)
                    error = np.linalg.norm(got - want) / np.linalg.norm(want)
                    assert got.dtype.itemsize * (1 if double else 2) == want.dtype.itemsize
                    assert error <= np.finfo(x.asnumpy().dtype).eps * 3 * max(1, np.log2(n)), (n, shape, norm, error)


REFUSED: list[tuple[str, Any, dict[str, Any], type[Exception], str]] = [
    ("fft", Z, {"n": 0}, ValueError, "at least one element, but n is 0"),
    ("irfft", Z, {"n": -1}, ValueError, "at least one element, but n is -1"),
    ("ifft", Z, {"norm": "bad"}, ValueError, "'norm' must be 'backward', 'forward' or 'ortho', but got 'bad'"),
    ("hfft", Z, {"dim": 1}, ValueError, "axis 1 is out of range"),
    ("fft", Z, {"n": 2.0}, TypeError, "'n' must be an int or None"),
    ("rfft", Z, {}, TypeError, "must be real"),
    ("fft", np.ones((3, 0)), {}, ValueError, "nothing to transform"),
    ("fft2", Z, {}, ValueError, "axis -2 is out of range"),
    ("fftn", GRID, {"dim": (0, 0)}, ValueError, "different axes"),
    ("rfftn", GRID.real, {"s": (2,), "dim": (0, 1)}, ValueError, "1 sizes for 2 axes"),
]


@pytest.mark.breaks
@pytest.mark.parametrize("name, array, given, error, text", REFUSED)
def test_refused_transforms(name: str, array: Any, given: dict[str, Any], error: type[Exception], text: str) -> None:
    for mode in MODES:
        with pytest.raises(error, match=f"^For '{name}', .*{text}"):
            in_mode(lambda x: getattr(ops, name)(x, **given), mode)(Tensor(array))
