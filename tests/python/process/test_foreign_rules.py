"""Gradients, batching and loops of C functions, against the same written in ops."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

SOURCE = Path(__file__).with_name("foreign_ops.cpp")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("foreign") / "libforeign_ops.so"
    subprocess.run(["g++", "-std=c++20", "-O1", "-shared", "-fPIC", "-o", str(path), str(SOURCE)], check=True)
    return str(path)


def array(*shape: int, dtype: Any = np.float32) -> Tensor:
    return Tensor((np.arange(np.prod(shape, dtype=int), dtype=dtype).reshape(shape) % 7 - 3) / 2)


def scaled(library: str) -> Callable[..., Any]:
    signature = "float32[n], float32 -> float32[n]"
    return lambda x, by: ops.foreign_call((x, by), library, "scaled", signature, "scaled_gradient")[0]


def cube(library: str) -> Callable[..., Any]:
    return lambda x: ops.foreign_call((x,), library, "cube", "float64 -> float64", "cube_gradient")[0]


def product(library: str) -> Callable[..., Any]:
    signature = "float32[m, n], float32[n], int32[] -> float32[m], float32[m]"

    def call(x: Any, y: Any) -> Any:
        return ops.foreign_call((x, y, Tensor(2, ms.int32)), library, "product", signature, "product_gradient")

    return call


def written(x: Any, y: Any) -> Any:
    return (x * y).sum(-1) + 2, x.sum(-1)


def weighed(f: Callable[..., Any]) -> Callable[..., Any]:
    """One number, of which each result has its own part."""

    def total(*args: Any) -> Any:
        results = f(*args)
        results = results if isinstance(results, tuple) else (results,)
        return sum(((each * each).sum() * (i + 1) for i, each in enumerate(results)), Tensor(0.0))

    return total


Made = Callable[[str], Callable[..., Any]]
CASES: dict[str, tuple[Made, Callable[..., Any], tuple[Tensor, ...], Any]] = {
    "scaled": (scaled, lambda x, by: x * by, (array(5), Tensor(np.float32(1.5))), None),
    "cube": (cube, lambda x: x * x * x, (Tensor(0.5, ms.float64),), None),
    "product": (product, written, (array(3, 4), array(4)), None),
    "batch of scaled": (scaled, lambda x, by: x * by, (array(3, 5), array(3)), 0),
    "scaled by one": (scaled, lambda x, by: x * by, (array(3, 5), Tensor(np.float32(1.5))), (0, None)),
    "one scaled": (scaled, lambda x, by: x * by, (array(5), array(3)), (None, 0)),
    "batch of cube": (cube, lambda x: x * x * x, (array(7, dtype=np.float64),), 0),
    "other axis": (product, written, (array(3, 5, 4), array(4, 5)), 1),
    "rows alone": (product, written, (array(5, 3, 4), array(4)), (0, None)),
}
MODES: dict[str, Callable[[Any], Any]] = {"eager": lambda f: f, "jit": ms.jit}


def plain(value: Any) -> Any:
    return [each.asnumpy().tolist() for each in (value if isinstance(value, tuple) else (value,))]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients(library: str, case: str, mode: str) -> None:
    made, ops_alone, args, axes = CASES[case]
    positions = tuple(range(len(args)))
    for transform in (lambda f: f, lambda f: ms.grad(weighed(f), positions)):
        found, wanted = (
            MODES[mode](transform(f if axes is None else ms.vmap(f, axes)))(*args) for f in (made(library), ops_alone)
        )
        assert plain(found) == plain(wanted)


NESTED: dict[str, tuple[Callable[[Any], Any], tuple[Tensor, ...]]] = {
    "gradients": (lambda f: ms.vmap(ms.grad(weighed(f), (0, 1)), (0, None)), (array(3, 5), Tensor(np.float32(3)))),
    "both": (lambda f: ms.vmap(ms.vmap(f), (0, 1)), (array(2, 3, 5), array(3, 2))),
    "gradient of both": (lambda f: ms.grad(weighed(ms.vmap(ms.vmap(f), (0, 1))), (0, 1)), (array(2, 3, 5), array(3, 2))),
    "one each": (lambda f: ms.vmap(ms.vmap(f, (0, None)), (None, 0)), (array(3, 5), array(2))),
    "one each, the other way": (lambda f: ms.vmap(ms.vmap(f, (None, 0)), (0, None), out_axes=1), (array(3, 5), array(2))),
    "gradient of one each": (
        lambda f: ms.grad(weighed(ms.vmap(ms.vmap(f, (0, None)), (None, 0))), (0, 1)),
        (array(3, 5), array(2)),
    ),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("nested", NESTED)
def test_batches_of_batches(library: str, nested: str, mode: str) -> None:
    transform, args = NESTED[nested]
    found, wanted = (MODES[mode](transform(f))(*args) for f in (scaled(library), lambda x, by: x * by))
    assert plain(found) == plain(wanted)


def test_loops_are_axes_before_the_functions_own(library: str) -> None:
    x, y = array(2, 3, 4), array(2, 4)
    shift = Tensor([1, 5], ms.int32)
    signature = "float32{b}[m, n], float32{b}[n], int32{c}[] -> float32[m], float32[m]"
    out, total = ops.foreign_call((x, y, shift), library, "product", signature)
    wanted = np.einsum("bmn,bn->bm", x.asnumpy(), y.asnumpy())[:, None] + np.array([1, 5], np.float32)[None, :, None]
    assert out.asnumpy().tolist() == wanted.tolist()
    assert total.asnumpy().tolist() == np.broadcast_to(x.asnumpy().sum(-1)[:, None], (2, 2, 3)).tolist()


def calls(library: str) -> int:
    return int(ops.foreign_call((), library, "product_calls", "-> int64")[0])


@pytest.mark.parametrize("mode", MODES)
def test_each_index_is_one_call(library: str, mode: str) -> None:
    f = MODES[mode](ms.vmap(product(library), (0, None)))
    for batch in (3, 1, 0, 6):
        before = calls(library)
        f(array(batch, 2, 4), array(4))
        assert calls(library) - before == batch
    before = calls(library)
    MODES[mode](ms.vmap(lambda x: product(library)(array(2, 4), array(4))[0] + x))(array(3))
    assert calls(library) - before == 1


def test_sizes_that_change_have_one_graph(library: str) -> None:
    f = ms.jit(ms.grad(weighed(scaled(library)), (0, 1)))
    for n in (5, 3, 8, 2, 9):
        x, by = array(n), Tensor(np.float32(1.5))
        assert plain(f(x, by)) == plain(ms.grad(weighed(lambda x, by: x * by), (0, 1))(x, by))
    assert len(f.explain()["entries"]) <= 2


def test_a_gradient_has_none_itself(library: str) -> None:
    with pytest.raises(TypeError, match="the gradient of 'cube_gradient'"):
        ms.grad(ms.grad(cube(library)))(Tensor(0.5, ms.float64))


def test_a_gradient_that_is_not_there(library: str) -> None:
    call = lambda x: ops.foreign_call((x,), library, "cube", "float64 -> float64", "no_gradient")[0]
    assert float(call(Tensor(0.5, ms.float64))) == 0.125
    with pytest.raises(ValueError, match="no symbol 'no_gradient'"):
        ms.grad(call)(Tensor(0.5, ms.float64))


def test_more_axes_than_there_are(library: str) -> None:
    signature = "float32{a, b, c, d, e, f}[m, n], float32[n], int32[] -> float32[m], float32[m]"
    operands = Tensor(np.ones((1,) * 8, np.float32)), array(1), Tensor(0, ms.int32)
    assert ops.foreign_call(operands, library, "product", signature)[0].shape == (1,) * 7
    signature = signature.replace("int32[]", "int32{g, h}[]")
    with pytest.raises(ValueError, match="more than 8 dimensions"):
        ops.foreign_call((*operands[:2], Tensor([[0]], ms.int32)), library, "product", signature)


def test_a_step_of_training_that_calls_c(library: str) -> None:
    found = []
    for function in (scaled(library), lambda x, by: x * by):
        weight = ms.Parameter(np.ones(4, np.float32), name="weight")
        optimizer = ms.nn.SGD([weight], 0.25)
        gradient = ms.value_and_grad(lambda x: weighed(ms.vmap(function))(x, weight), None, [weight])

        @ms.jit
        def step(x: Any) -> Any:
            loss, gradients = gradient(x)
            optimizer(gradients)
            return loss

        found.append([float(step(array(4, 5))) for _ in range(2)] + weight.asnumpy().tolist())
    assert found[0] == found[1]


# MindSpore's Custom --------------------------------------------------------------------------------------------------


def outer(library: str, bprop: Any = None) -> Any:
    def shapes(x: Any, y: Any) -> Any:
        return [x[0], y[0]], []

    return ops.Custom(f"{library}:outer", shapes, (ms.float32, ms.int64), "aot", bprop)


def outer_gradient(x: Any, y: Any, out: Any, dout: Any) -> Any:
    return (dout[0] * y).sum(1), (dout[0] * x[:, None]).sum(0)


@pytest.mark.parametrize("mode", MODES)
def test_functions_for_mindspore(library: str, mode: str) -> None:
    custom = outer(library, outer_gradient)
    call = MODES[mode](lambda x, y: custom(x, y))
    gradient = MODES[mode](ms.grad(lambda x, y: (custom(x, y)[0] ** 2).sum(), (0, 1)))
    wanted = ms.grad(lambda x, y: ((x[:, None] * y) ** 2).sum(), (0, 1))
    for m, n in ((3, 2), (2, 4), (5, 5), (1, 3)):
        x, y = array(m), array(n)
        out, ranks = call(x, y)
        assert out.asnumpy().tolist() == np.outer(x.asnumpy(), y.asnumpy()).tolist() and int(ranks) == 22
        assert plain(gradient(x, y)) == plain(wanted(x, y))
    if mode == "jit":
        assert len(call.explain()["entries"]) <= 2 and len(gradient.explain()["entries"]) <= 2
        assert not call.explain()["breaks"] + gradient.explain()["breaks"]
    rows = MODES[mode](ms.vmap(lambda x, y: custom(x, y)[0], (0, None)))(array(4, 3), array(2))
    assert rows.asnumpy().tolist() == np.einsum("bi,j->bij", array(4, 3).asnumpy(), array(2).asnumpy()).tolist()


@pytest.mark.parametrize("mode", MODES)
def test_a_function_that_fails(library: str, mode: str) -> None:
    custom = ops.Custom(f"{library}:outer", ([3, 2], []), (ms.float32, ms.int32), "aot")
    with pytest.raises(RuntimeError, match=r"'outer' of the library .* answered 7"):
        MODES[mode](lambda x, y: custom(x, y))(array(3), array(2))


def test_a_gradient_of_a_function_of_arrays() -> None:
    square = ops.Custom(lambda x: x * x, bprop=lambda x, out, dout: (2 * x * dout,))
    assert ms.grad(lambda x: square(x).sum())(array(3)).asnumpy().tolist() == (2 * array(3)).asnumpy().tolist()


@pytest.mark.breaks
def test_a_gradient_of_a_function_of_arrays_within_a_graph() -> None:
    square = ops.Custom(lambda x: x * x, bprop=lambda x, out, dout: (2 * x * dout,))
    f = ms.jit(lambda x: ms.grad(lambda x: square(x).sum())(x) + 1)
    assert f(array(3)).asnumpy().tolist() == (2 * array(3) + 1).asnumpy().tolist()


WRONG: list[tuple[Callable[[str], Any], type[Exception], str]] = [
    (lambda path: ops.Custom(path, [3], ms.float32, "aot")(array(3)), TypeError, "'PATH:SYMBOL'"),
    (lambda path: ops.Custom(f"{path}:outer", func_type="aot")(array(3)), ValueError, "'out_shape' and 'out_dtype'"),
    (lambda path: ops.Custom(f"{path}:none", [3], ms.float32, "aot")(array(3)), ValueError, "no symbol 'none'"),
    (lambda path: ops.Custom(f"{path}x:outer", [3], ms.float32, "aot")(array(3)), ValueError, "cannot be loaded"),
    (lambda path: ops.Custom(f"{path}:outer", ([3],), (ms.int8, ms.int8), "aot")(array(3)), ValueError, "each of 2 results"),
    (lambda path: ops.Custom(f"{path}:outer", 3, ms.int8, "aot")(array(3)), TypeError, "'out_shape'"),
    (lambda path: ops.Custom(f"{path}:outer", [2.9], ms.int8, "aot")(array(3)), TypeError, "'out_shape'"),
    (lambda path: ops.Custom(f"{path}:outer", [True], ms.int8, "aot")(array(3)), TypeError, "'out_shape'"),
    (lambda path: ops.Custom(f"{path}:outer", [3], [ms.int8], "aot")(array(3)), TypeError, "'out_shape'"),
    (lambda path: ops.Custom(f"{path}:outer", lambda x: None, ms.int8, "aot")(array(3)), TypeError, "'out_shape'"),
    (lambda path: ops.Custom(f"{path}:outer", [3], np.float32, "aot")(array(3)), TypeError, "'out_dtype'"),
    (lambda path: ops.foreign_call((array(3),), path, "product", "float32{a, a} -> float32"), ValueError, "'a' twice"),
    (lambda path: ops.Custom(f"{path}:outer", [3], ms.float32, "tbe")(array(3)), ValueError, "'func_type' must be"),
    (lambda path: ops.Custom(f"{path}:outer", [3], ms.float32, "aot")(3.0), TypeError, "operands must be Tensors"),
    (lambda path: ms.grad(lambda x: outer(path)(x, x)[0].sum())(array(3)), TypeError, "gradient of 'outer'"),
]


@pytest.mark.parametrize("call, error, text", WRONG, ids=range(len(WRONG)))
def test_wrong_calls(library: str, call: Callable[[str], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(library)
