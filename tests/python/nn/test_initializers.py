"""Initial values: moments, bounds, structure, names, refusals."""

from importlib import import_module

import numpy as np
import pytest

import emberjit as ms

made = import_module("emberjit.common.initializer")
initializer = made.initializer

MOMENTS = {  # deviation, largest
    "truncated": (made.TruncatedNormal(1.0), 0.8796, 2.0),
    "Xavier's": (made.XavierNormal(2.0), 2 * np.sqrt(2 / 700), 1.0),
    "scaled, uniform": (made.VarianceScaling(2.0, "fan_in", "uniform"), np.sqrt(2 / 300), np.sqrt(6 / 300)),
    "scaled, normal": (made.VarianceScaling(2.0, "fan_out", "untruncated_normal"), np.sqrt(2 / 400), 1.0),
    "scaled, truncated": (made.VarianceScaling(2.0, "fan_avg"), np.sqrt(2 / 350), 2 * np.sqrt(2 / 350) / 0.8796),
    "sparse": (made.Sparse(0.75, 2.0), 1.0, 20.0),
}


@pytest.mark.parametrize("init, deviation, largest", MOMENTS.values(), ids=MOMENTS)
def test_moments(init, deviation, largest):
    ms.set_seed(3)
    drawn = initializer(init, (400, 300)).asnumpy()
    assert abs(drawn.std() - deviation) < 0.02 * deviation and abs(drawn.mean()) < 0.02 * deviation
    assert abs(drawn).max() <= largest * 1.0001


def test_structure():
    wide, tall = (initializer(made.Orthogonal(2.0), shape).asnumpy() for shape in ((4, 2, 4), (8, 4)))
    np.testing.assert_allclose(wide.reshape(4, 8) @ wide.reshape(4, 8).T, 4 * np.eye(4), atol=1e-5)
    np.testing.assert_allclose(tall.T @ tall, 4 * np.eye(4), atol=1e-5)
    assert initializer("identity", (2, 3)).tolist() == [[1, 0, 0], [0, 1, 0]]
    kernels = initializer(made.Dirac(2), (4, 2, 3)).asnumpy()
    assert np.argwhere(kernels).tolist() == [[0, 0, 1], [1, 1, 1], [2, 0, 1], [3, 1, 1]] and kernels.max() == 1
    zeros = (initializer(made.Sparse(0.5), (5, 7)).asnumpy() == 0).sum(0)
    assert (zeros == 3).all()


@pytest.mark.parametrize("name", ["truncatednormal", "xavier_normal", "henormal", "variancescaling", "orthogonal"])
def test_names(name):
    assert initializer(name, (4, 4), ms.float16).dtype == ms.float16


@pytest.mark.parametrize("name", ["HeUniform", "XAVIER_UNIFORM", "TruncatedNormal", "Orthogonal"])
def test_names_in_any_case(name):
    assert initializer(name, (4, 4)).asnumpy().any()


def test_the_module_is_an_attribute_of_common():
    assert ms.common.initializer is made


@pytest.mark.parametrize("array", [np.zeros(3, np.float32), ms.Tensor([0, 0, 0])], ids=["array", "Tensor"])
def test_call_fills(array):
    made.Constant(2)(array)
    assert array.tolist() == [2, 2, 2]


def test_one_of_the_users():
    class Ramp(made.Initializer):
        def _initialize(self, arr):
            arr[:] = np.arange(arr.size).reshape(arr.shape) * self._kwargs["step"]

    assert initializer(Ramp(step=2), (2, 2)).tolist() == [[0, 2], [4, 6]]
    assert made._calculate_fan_in_and_fan_out((3, 4, 5)) == (20, 15)
    assert [made._calculate_correct_fan((3, 4, 5), mode) for mode in ("fan_in", "FAN_OUT")] == [20, 15]
    with pytest.raises(ValueError, match="'mode' must be one of"):
        made._calculate_correct_fan((3, 4), "fan")


REFUSED = {
    "a vector": lambda: initializer("orthogonal", (3,)),
    "an identity of three axes": lambda: initializer("identity", (2, 3, 1)),
    "sparse of three axes": lambda: initializer(made.Sparse(0.5), (2, 3, 1)),
    "kernels of two axes": lambda: initializer("dirac", (3, 2)),
    "groups that do not divide": lambda: initializer(made.Dirac(2), (3, 2, 3)),
    "no groups": lambda: made.Dirac(0),
    "a scale": lambda: made.VarianceScaling(-1),
    "a mode": lambda: made.VarianceScaling(1, "fan"),
    "a distribution": lambda: made.VarianceScaling(1, "fan_in", "normal"),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_refused(call):
    with pytest.raises(ValueError):
        call()


def test_initializers_fill_and_names_are_of_any_case() -> None:
    normal, array = made.TruncatedNormal(sigma=0.02), np.zeros((2, 3), np.float32)
    normal(array)
    tensor = ms.Tensor(shape=(2, 3), dtype=ms.float16, init=normal)
    assert array.all() and tensor.asnumpy().all() and tensor.dtype == ms.float16
    np.testing.assert_array_equal(made.initializer("One", (2,)).asnumpy(), 1)


@pytest.mark.parametrize("shape", [(), (3,), (4, 5), (0, 2), (3, 3, 3)])
def test_numbers_drawn_in_parts_are_those_drawn_at_once(monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...]) -> None:
    monkeypatch.setattr(made, "_CHUNK", 7)
    np.random.seed(5)
    want = [np.random.normal(1, 2, shape), np.random.uniform(-3, 3, shape), np.random.normal()]
    np.random.seed(5)
    got = [made._normal_array(1, 2, shape), made._uniform_array(-3, 3, shape), np.random.normal()]
    for one, other in zip(got, want, strict=True):
        np.testing.assert_array_equal(one, other)
