"""Complex numbers written, through views of their parts too, and converted: what is lost is refused, gradients follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

MODES = ("eager", "ast", "bytecode")
Z = np.array([1 + 2j, 3 - 1j])
R = np.array([1.0, 2.0])


def in_mode(function: Callable[..., Any], mode: str) -> Callable[..., Any]:
    return function if mode == "eager" else ms.jit(function, capture_mode=mode)


def made() -> Any:
    return Tensor(np.array([1 + 0j, 2]))


WRITES: dict[str, tuple[Callable[[Any, Any], Any], list[float]]] = {
    "imag copy_": (lambda y, r: y.imag().copy_(r), [2, 4]),
    "real copy_": (lambda y, r: y.real().copy_(r), [2, 4]),
    "real mul_": (lambda y, r: y.real().mul_(r), [2, 16]),
    "pairs set": (lambda y, r: ops.view_as_real(y).__setitem__((slice(None), 1), r), [2, 4]),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", WRITES)
def test_gradients_of_writes_through_views_of_parts(name: str, mode: str) -> None:
    write, wanted = WRITES[name]

    def loss(r: Any) -> Any:
        y = made()
        write(y, r)
        return ops.abs(y * y).sum()

    assert in_mode(ms.grad(loss), mode)(Tensor(R)).tolist() == pytest.approx(wanted)


@pytest.mark.parametrize("mode", MODES)
def test_gradients_of_writes_through_a_view_as_complex(mode: str) -> None:
    def loss(z: Any) -> Any:
        y = ops.zeros((2, 2), ms.float64)
        ops.view_as_complex(y).copy_(z)
        return (y * y * y).sum()

    got = in_mode(ms.grad(loss), mode)(Tensor(Z)).asnumpy()
    np.testing.assert_allclose(got, 3 * Z.real**2 + 3j * Z.imag**2)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("parts", [lambda r: r.T, lambda r: r[:, ::2][:, :2], lambda r: r.permute(1, 0)])
def test_pairs_that_are_apart_are_copied(parts: Any, mode: str) -> None:
    def program(r: Any) -> Any:
        ops.view_as_complex(parts(r)).fill_(0)
        return r * 1

    start = np.arange(1.0, 7).reshape(2, 3)
    x = Tensor(start)
    assert in_mode(program, mode)(x).tolist() == x.tolist() == start.tolist()


@pytest.mark.parametrize("make", [Tensor, ms.from_numpy, lambda a: Tensor([1.0]) * a])
def test_long_doubles(make: Any) -> None:
    try:
        assert make(np.array([1 + 2j, 3], np.clongdouble)).tolist() == [1 + 2j, 3]
    except TypeError as error:
        assert "no counterpart" in str(error)


@pytest.mark.parametrize("mode", MODES)
def test_tensors_beside_complex_numbers_in_lists(mode: str) -> None:
    got = in_mode(lambda x: Tensor([[x, 2j], [3, x]]), mode)(Tensor(1.0))
    assert got.dtype == ms.complex64 and got.tolist() == [[1, 2j], [3, 1]]
    assert in_mode(lambda x, c: Tensor([x, c]), mode)(Tensor(1.0), 2j).tolist() == [1, 2j]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["add_", "sub_", "mul_", "div_", "pow_"])
def test_in_place_with_a_complex_number(name: str, mode: str) -> None:
    plain = {"add_": Z + 2j, "sub_": Z - 2j, "mul_": Z * 2j, "div_": Z / 2j, "pow_": Z**2j}[name]
    x = Tensor(Z)
    in_mode(lambda x: getattr(x, name)(2j), mode)(x)
    np.testing.assert_allclose(x.asnumpy(), plain)
    with pytest.raises(TypeError, match=f"^For '{name}', .*cannot be written"):
        in_mode(lambda x: getattr(x, name)(2j), mode)(Tensor(R))


@pytest.mark.parametrize("mode", MODES)
def test_slopes_of_the_direction(mode: str) -> None:
    v = np.array([1 + 0j, 1j])
    wanted = (v - Z * (np.conj(Z) * v).real / np.abs(Z) ** 2) / np.abs(Z)
    for f in (ops.sign, ms.grad(lambda z: ops.abs(z).sum())):
        got = in_mode(lambda z, v, f=f: ms.jvp(f, z, v)[1], mode)(Tensor(Z), Tensor(v))
        np.testing.assert_allclose(got.asnumpy(), wanted)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_float_of_a_complex_tensor(mode: str) -> None:
    with pytest.raises(TypeError):
        in_mode(lambda t: t * float(t[0]), mode)(Tensor(Z))


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_complex_of_a_tensor(mode: str) -> None:
    assert in_mode(lambda t: complex(t[0]), mode)(Tensor(Z)) == 1 + 2j
    assert complex(Tensor([2.0])) == 2


UNFIT: dict[str, Callable[[Any], Any]] = {
    "fill_": lambda x: x.fill_(1j),
    "set": lambda x: x.__setitem__(0, 1j),
    "set Tensor": lambda x: x.__setitem__(0, Tensor(1j)),
    "copy_": lambda x: x.copy_(Tensor([1j, 2])),
    "masked_fill_": lambda x: x.masked_fill_(Tensor([True, False]), 1j),
    "index_put_": lambda x: x.index_put_((Tensor([0]),), Tensor([1j])),
    "index_fill_": lambda x: x.index_fill_(0, Tensor([0]), 1j),
    "scatter_": lambda x: x.scatter_(0, Tensor([0]), 1j),
    "masked_fill": lambda x: x.masked_fill(Tensor([True, False]), 1j),
    "full_like": lambda x: ops.full_like(x, 1j),
    "pad": lambda x: ops.pad(x, (1, 1), value=1j),
}


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", UNFIT)
def test_complex_numbers_do_not_fit_into_real_tensors(name: str, mode: str) -> None:
    with pytest.raises(TypeError):
        in_mode(UNFIT[name], mode)(Tensor(R))


def test_gradient_of_angle_at_zero() -> None:
    assert ms.grad(lambda z: ops.angle(z).sum())(Tensor(np.array([0j, 1j]))).tolist() == [0, -1]
