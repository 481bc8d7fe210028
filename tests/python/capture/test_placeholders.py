"""Placeholders, which describe arguments of unknown shape, and what holds calls to them: Cell.set_inputs, enable_dynamic."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Symbol, Tensor, nn, ops
from emberjit.values.placeholders import Placeholder


def unknown(*sizes: Any, dtype: Any = ms.float32) -> Any:
    return Tensor(shape=sizes, dtype=dtype)


def ones(*shape: int, dtype: Any = np.float32) -> Tensor:
    return Tensor(np.ones(shape, dtype))


RANK_UNKNOWN = Tensor(shape=None, dtype=ms.float32)

MADE: list[tuple[dict[str, Any], tuple[int, ...]]] = [
    ({"shape": [None, 3], "dtype": ms.float32}, (-1, 3)),
    ({"shape": (None,), "dtype": ms.int32}, (-1,)),
    ({"shape": [-1, 0], "dtype": ms.float32}, (-1, 0)),
    ({"shape": [Symbol(max=4), None], "dtype": ms.float16}, (-1, -1)),
    ({"shape": None, "dtype": ms.float32}, (-2,)),
    ({"shape": (-2,), "dtype": ms.float32}, (-2,)),
    ({"dtype": ms.bool_}, (-2,)),
    ({"input_data": None, "dtype": ms.float32}, (-2,)),
]


@pytest.mark.parametrize("given, shape", MADE)
@pytest.mark.parametrize("make", [Tensor, ms.tensor])
def test_a_placeholder_is_a_tensor_with_a_dtype_and_sizes(make, given, shape):
    made = make(**given)
    assert isinstance(made, Tensor)
    assert (made.shape, made.dtype, made.ndim) == (shape, given["dtype"], len(shape))
    assert repr(made) == str(made) == f"Tensor(shape={list(shape)}, dtype={made.dtype}, value= )"
    for same in (copy.copy(made), copy.deepcopy(made)):
        assert same is made


def test_a_placeholder_is_pickled():
    made = pickle.loads(pickle.dumps(unknown(None, Symbol(min=2, unique=True))))
    assert type(made) is Placeholder and made.shape == (-1, -1) and made.sizes[1].to_dict() == {"min": 2, "unique": True}


NOT_MADE: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({}, TypeError, "can't both be None"),
    ({"shape": [None]}, ValueError, "there must be a dtype"),
    ({"shape": [None], "dtype": ms.float32, "init": 1}, ValueError, "neither data nor init"),
    ({"shape": [None, "a"], "dtype": ms.float32}, TypeError, "must hold ints, None and Symbols, but got 'a'"),
    ({"shape": [None, 1.5], "dtype": ms.float32}, TypeError, "but got 1.5"),
    ({"shape": "ab", "dtype": ms.float32}, TypeError, "must be a tuple, a list or None"),
    ({"shape": [-3], "dtype": ms.float32}, ValueError, "but got -3"),
]


@pytest.mark.parametrize("given, error, message", NOT_MADE)
def test_what_is_no_placeholder(given, error, message):
    with pytest.raises(error, match=message):
        Tensor(**given)


def test_known_sizes_make_a_tensor_with_elements():
    assert Tensor(shape=[2, 1], dtype=ms.int32).asnumpy().tolist() == [[0], [0]]
    assert Tensor(shape=(np.int64(2),), dtype=ms.float32, init=3).asnumpy().tolist() == [3, 3]


USES: list[Any] = [
    lambda x: x + 1,
    lambda x: 1 - x,
    lambda x: x[0],
    lambda x: x == 1,
    lambda x: x.asnumpy(),
    lambda x: np.asarray(x),
    lambda x: x.tolist(),
    lambda x: x.item(),
    lambda x: bool(x),
    lambda x: float(x),
    lambda x: len(x),
    lambda x: list(x),
    lambda x: x.size,
    lambda x: x.copy(),
    lambda x: x.astype(ms.int32),
    lambda x: x.assign_value(ones(2, 3)),
    lambda x: ones(2, 3).assign_value(x),
    lambda x: x.add_(1),
    lambda x: x.__setitem__(0, 1),
    lambda x: ones(2, 3).copy_(x),
    lambda x: ops.sum(x),
    lambda x: ops.concat([ones(2, 3), x]),
    lambda x: ops.reshape(x, (3, -1)),
    lambda x: Tensor(x),
    lambda x: Tensor([1.0, x]),
    lambda x: ms.Parameter(x),
    lambda x: nn.ReLU()(x),
    lambda x: ms.grad(ops.sin)(x),
    lambda x: ms.vmap(ops.sin)(x),
    lambda x: ms.jit(lambda y: y * 2)(x),
    lambda x: ms.jit(lambda y: y * x)(ones(2, 3)),
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("placeholder", [unknown(None, 3), RANK_UNKNOWN], ids=["size", "rank"])
def test_a_placeholder_is_no_value(use, placeholder):
    with pytest.raises(ValueError, match="but is given one of unknown shape"):
        use(placeholder)


@pytest.mark.parametrize(
    "given, error",
    [
        ({"max": 1.0}, TypeError),
        ({"unique": 1}, TypeError),
        ({"min": 0}, ValueError),
        ({"divisor": 0}, ValueError),
        ({"remainder": 1}, ValueError),
        ({"divisor": 2, "remainder": -1}, ValueError),
    ],
)
def test_symbols_that_do_not_exist(given, error):
    with pytest.raises(error, match=f"'{list(given)[-1]}'"):
        Symbol(**given)


class Product(nn.Cell):
    def construct(self, x: Any, y: Any = 2) -> Any:
        return x[0] * y if isinstance(x, tuple) else x * y


class Jitted(nn.Cell):
    @ms.jit
    def construct(self, x: Any, y: Any = 2) -> Any:
        return x * y


SIDE = Symbol(unique=True)
HELD: list[tuple[tuple[Any, ...] | dict[str, Any], tuple[Any, ...], type[Exception] | None]] = [
    ((unknown(None, 3),), (ones(2, 3),), None),
    ((unknown(None, 3), 2), (ones(2, 3), 4), None),
    ((unknown(None, 3),), (ones(0, 3),), None),
    ((unknown(None, 3),), (ones(2, 4),), ValueError),
    ((unknown(None, 3),), (ones(3),), ValueError),
    ((unknown(None, 3),), (Tensor(np.ones((2, 3))),), TypeError),
    ((unknown(None, 3),), (ones(2, 3), 2), ValueError),
    ((unknown(None, 3), 2), (ones(2, 3),), ValueError),
    ((unknown(None, 3),), (1,), TypeError),
    ((unknown(None, 3), 2), (ones(2, 3), 2.0), TypeError),
    ((unknown(None, 3), 2), (ones(2, 3), True), TypeError),
    ((unknown(None, 3), 2), (ones(2, 3), ones(3)), TypeError),
    ((RANK_UNKNOWN,), (ones(2, 1, 3),), None),
    ((RANK_UNKNOWN,), (ones(2, dtype=np.int32),), TypeError),
    ((ones(2, 3),), (ones(2, 3),), None),
    ((ones(2, 3),), (ones(3, 3),), ValueError),
    (((unknown(None, 3),),), ((ones(2, 3),),), None),
    (((unknown(None, 3),),), ((ones(2, 4),),), ValueError),
    (((unknown(None, 3),),), (ones(2, 3),), TypeError),
    ({"y": unknown(None, 3)}, (ones(2, 3), ones(2, 3)), None),
    ({"y": unknown(None, 3)}, (ones(2, 3),), None),
    ({"y": unknown(None, 3)}, (ones(2, 4), ones(2, 4)), ValueError),
    ((unknown(Symbol(min=2, max=4)),), (ones(4),), None),
    ((unknown(Symbol(min=2, max=4)),), (ones(5),), ValueError),
    ((unknown(Symbol(min=2)),), (ones(1),), ValueError),
    ((unknown(Symbol(divisor=4, remainder=1)),), (ones(9),), None),
    ((unknown(Symbol(divisor=4, remainder=1)),), (ones(1),), ValueError),
    ((unknown(Symbol(divisor=4)),), (ones(6),), ValueError),
    ((unknown(SIDE, SIDE), unknown(None, SIDE)), (ones(3, 3), ones(1, 3)), None),
    ((unknown(SIDE, SIDE),), (ones(3, 4),), ValueError),
    ((unknown(SIDE), unknown(SIDE)), (ones(3), ones(1)), ValueError),
    ((), (ones(3),), None),
]


@pytest.mark.parametrize("inputs, args, error", HELD)
@pytest.mark.parametrize("form", ["graph", "jit", "eager"])
def test_calls_that_make_a_graph_are_held_to_set_inputs(inputs, args, error, form):
    net = Jitted() if form == "jit" and not isinstance(args[0], tuple) else Product()
    expected = net.construct(*args) if error is None else None
    net.set_inputs(**inputs) if isinstance(inputs, dict) else net.set_inputs(*inputs)
    assert net.get_inputs() is not None and len(net.get_inputs()) == len(inputs)
    ms.set_context(mode=ms.GRAPH_MODE if form == "graph" else ms.PYNATIVE_MODE)
    try:
        if error is not None and (form == "graph" or isinstance(net, Jitted)):
            with pytest.raises(error, match=r"For 'Cell.set_inputs', (the (dtype|shape|number) of )?argument"):
                net(*args)
        elif error is None:
            assert np.array_equal(net(*args).asnumpy(), expected.asnumpy())
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_a_cell_within_another_is_not_held():
    outer = nn.SequentialCell(Product())
    outer[0].set_inputs(unknown(None, 3))
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert outer(ones(2, 4)).shape == (2, 4)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_no_graph_depends_on_set_inputs():
    net = Product()
    run = ms.jit(lambda x: net(x))
    run(ones(2, 3))
    net.set_inputs(unknown(None, 3))
    run(ones(2, 3))
    assert len(run.explain()["entries"]) == 1


def test_set_inputs_refuses():
    net = Product()
    assert net.get_inputs() is None
    with pytest.raises(ValueError, match="not both"):
        net.set_inputs(unknown(None), y=2)
    with pytest.raises(ValueError, match="'z' must be an argument"):
        net.set_inputs(z=unknown(None))
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(TypeError, match="too many"):
            net.set_inputs(1, 2, 3)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert net.get_inputs() is None


def test_copies_of_a_cell_keep_its_inputs():
    net = Product()
    net.set_inputs(unknown(None, 3))
    for made in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert made.get_inputs()[0].shape == (-1, 3)


def test_enable_dynamic_holds_calls_of_a_jitted_function():
    @ms.enable_dynamic(x=unknown(None, 3))
    @ms.jit
    def double(x: Any, y: Any = 2) -> Any:
        return x * y

    assert double(ones(2, 3)).shape == (2, 3) and double(x=ones(4, 3)).shape == (4, 3)
    with pytest.raises(ValueError, match="shape of argument 'x'"):
        double(ones(2, 4))
    with pytest.raises(TypeError, match="dtype of argument 'x'"):
        double(ones(2, 3, dtype=np.int32))
    assert ms.jit(lambda x: double(x))(ones(2, 4)).shape == (2, 4)


@pytest.mark.parametrize(
    "given, error, message",
    [
        ({}, ValueError, "must be an argument to describe"),
        ({"x": 3}, TypeError, "must be a Tensor"),
        ({"x": ones(2, 3)}, TypeError, "must be None"),
        ({"z": unknown(None)}, ValueError, "'z' must be an argument"),
    ],
)
def test_enable_dynamic_refuses(given, error, message):
    with pytest.raises(error, match=message):
        ms.enable_dynamic(**given)(lambda x: x)
