"""What errors say: the name of what the user called, and the shapes that were passed. Each wrong call runs eagerly and
captured, with its operands as arguments, and both must say the same; the traceback, or for what only a run of the graph
can see the text, tells the user's line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops


def ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32))


def ints(*values: int) -> Tensor:
    return Tensor(np.array(values, np.int32))


def assigned(x: Any, index: Any, value: Any) -> Any:
    x = x + 0
    x[index] = value
    return x


DENSE, CONV, BATCH_NORM, LAYER_NORM = nn.Dense(3, 4), nn.Conv2d(2, 3, 3), nn.BatchNorm2d(2), nn.LayerNorm((3,))
NETWORK = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))

# The call, its operands, the error, its name, and what else the message must say.
CASES: list[tuple[Callable[..., Any], tuple[Any, ...], type[Exception], str, str]] = [
    # operators
    (lambda x, y: x + y, (ones(2, 3), ones(4, 3)), ValueError, "add", r"\(2, 3\) and \(4, 3\)"),
    (lambda x, y: x @ y, (ones(2, 3), ones(4, 3)), ValueError, "matmul", r"\(2, 3\).*\(4, 3\)"),
    (lambda x: x & x, (ones(2),), TypeError, "bitwise_and", "Float32"),
    (lambda x: ~x, (ones(2),), TypeError, "invert", "Float32"),
    # indexing
    (lambda x: x[5], (ones(3, 2),), IndexError, "tensor getitem", r"index 5.*axis 0.*\(3, 2\)"),
    (lambda x: x[0, -9], (ones(3, 2),), IndexError, "tensor getitem", r"index -9.*axis 1.*\(3, 2\)"),
    (lambda x: x[0, 0, 0], (ones(3, 2),), IndexError, "tensor getitem", r"3.*\(3, 2\)"),
    (lambda x: x[..., ...], (ones(3, 2),), IndexError, "tensor getitem", "ellipsis"),
    (lambda x: x[::0], (ones(3, 2),), ValueError, "tensor getitem", "step"),
    (lambda x, i: x[i], (ones(3, 2), ints(0, 7)), IndexError, "tensor getitem", r"index 7.*\(3, 2\)"),
    (lambda x, i: x[:, i], (ones(3, 2), ints(2)), IndexError, "tensor getitem", r"index 2.*axis 1.*\(3, 2\).*\[-2, 2\)"),
    (lambda x, i: x[i, i], (ones(3, 2), ints(2)), IndexError, "tensor getitem", r"index 2.*axis 1.*\(3, 2\)"),
    (lambda x, i: x[i], (ones(3, 2), ones(2)), IndexError, "tensor getitem", r"\(3, 2\).*Float32.*astype"),
    (lambda x: x["a"], (ones(3, 2),), IndexError, "tensor getitem", r"\(3, 2\).*str, 'a'.*use"),
    (lambda x, i: assigned(x, i, 1.0), (ones(3, 2), ints(3)), IndexError, "tensor setitem", r"index 3.*\(3, 2\)"),
    (lambda x, i: assigned(x, i, 1.0), (ones(3, 2), ones(3)), IndexError, "tensor setitem", r"\(3, 2\).*Float32"),
    (lambda x, i: assigned(x, "a", 1.0), (ones(3, 2), ones(3)), IndexError, "tensor setitem", r"\(3, 2\).*str, 'a'.*use"),
    (
        lambda x, i, v: assigned(x, i, v),
        (ones(3, 2), ints(0, 1), ones(3, 2)),
        ValueError,
        "tensor setitem",
        r"\(3, 2\).*\(2, 2\)",
    ),
    (lambda x: assigned(x, 5, 1.0), (ones(3, 2),), IndexError, "tensor setitem", r"index 5.*\(3, 2\)"),
    (lambda x, v: assigned(x, 0, v), (ones(3, 2), ones(5)), ValueError, "tensor setitem", r"\(5,\).*\(2,\)"),
    (lambda x, v: assigned(x, slice(0, 2), v), (ones(3, 2), ones(3)), ValueError, "tensor setitem", r"\(3,\).*\(2, 2\)"),
    (lambda x, v: assigned(x, (0, None), v), (ones(3, 2), ones(2, 2)), ValueError, "tensor setitem", r"\(2, 2\).*\(1, 2\)"),
    # ops of the table
    (lambda x: ops.reshape(x, (4, 2)), (ones(2, 3),), ValueError, "reshape", r"\(2, 3\).*\(4, 2\)"),
    (lambda x: ops.transpose(x, (0,)), (ones(2, 3),), ValueError, "transpose", r"\(2, 3\)|2 dim|axes"),
    (lambda x, y: ops.concat((x, y)), (ones(2, 3), ones(2, 4)), ValueError, "concat", r"\(2, 3\).*\(2, 4\)"),
    (lambda x, y: ops.stack((x, y)), (ones(2), ones(3)), ValueError, "stack", r"\(2,\).*\(3,\)"),
    (lambda x, i: ops.gather(x, i, 0), (ones(3, 2), ints(3)), IndexError, "gather", "index 3"),
    (lambda x, i: ops.gather_d(x, 0, i), (ones(3), ints(4)), IndexError, "gather_d", "index 4"),
    (lambda x, i: ops.gather_elements(x, 0, i), (ones(3), ints(4)), IndexError, "gather_elements", "index 4"),
    (lambda x, i: ops.gather_elements(x, 0, i), (ones(3), ones(2)), TypeError, "gather_elements", "integers"),
    (lambda x, i, y: ops.index_add(x, i, y, 0), (ones(3, 2), ints(3), ones(1, 2)), IndexError, "index_add", "index 3"),
    (lambda x, i, y: ops.index_add(x, i, y, 0), (ones(3, 2), ints(1), ones(2, 2)), ValueError, "index_add", r"\(2, 2\)"),
    (lambda x, i: ops.cross_entropy(x, i), (ones(2, 3), ints(0, 3)), IndexError, "cross_entropy", r"3.*\(2, 3\)"),
    (lambda x, i: ops.nll_loss(x, i), (ones(2, 3), ints(0, 3)), IndexError, "nll_loss", r"3.*\(2, 3\)"),
    (lambda x, i: ops.cross_entropy(x, i), (ones(2, 3), ints(0, 1, 2)), ValueError, "cross_entropy", r"\(2, 3\).*\(3,\)"),
    (lambda x, y: ops.mse_loss(x, y), (ones(2, 3), ones(4)), ValueError, "mse_loss", r"\(2, 3\) and \(4,\)"),
    (lambda x, y: ops.bmm(x, y), (ones(2, 3, 4), ones(2, 5, 6)), ValueError, "bmm", r"\(2, 3, 4\).*\(2, 5, 6\)"),
    (lambda x, w: ops.dense(x, w), (ones(2, 5), ones(4, 3)), ValueError, "dense", r"\(2, 5\).*\(4, 3\)"),
    (lambda x, w, b: ops.dense(x, w, b), (ones(2, 3), ones(4, 3), ones(5)), ValueError, "dense", r"\(5,\).*\(4, 3\)"),
    (lambda x, y: ops.MatMul(False, True)(x, y), (ones(2, 3), ones(4, 5)), ValueError, "MatMul", r"\(2, 3\).*\(4, 5\)"),
    (lambda x, w: ops.conv2d(x, w), (ones(1, 2, 5, 5), ones(3, 3, 3, 3)), ValueError, "conv2d", r"\(1, 2, 5, 5\)"),
    (lambda x: ops.max_pool2d(x, 3), (ones(1, 2, 2, 2),), ValueError, "max_pool2d", r"\(1, 2, 2, 2\)"),
    (lambda x: ops.avg_pool2d(x, 3), (ones(1, 2, 2, 2),), ValueError, "avg_pool2d", r"\(1, 2, 2, 2\)"),
    (lambda x: ops.layer_norm(x, (2,)), (ones(2, 3),), ValueError, "layer_norm", r"\(2, 3\)"),
    (lambda x: ops.std(x, 2), (ones(2, 3),), ValueError, "std", "axis 2"),
    (lambda x: ops.softmax(x, 2), (ones(2, 3),), ValueError, "softmax", "axis 2"),
    (lambda x: ops.flatten(x, start_dim=3), (ones(2, 3),), ValueError, "flatten", "axis 3|3"),
    (lambda x: ops.slice(x, (0, 0), (2, 9)), (ones(2, 3),), ValueError, "slice", r"\(2, 3\)"),
    (lambda x: ops.add(x, None), (ones(2),), TypeError, "add", "'other'"),
    # compositions
    (lambda x, y: ops.mm(x, y), (ones(2, 3), ones(4, 3)), ValueError, "mm", r"\(2, 3\).*\(4, 3\)"),
    (lambda x, y: ops.mm(x, y), (ones(2, 3), ones(3)), ValueError, "mm", r"\(2, 3\).*\(3,\)"),
    (lambda y: ops.mm(None, y), (ones(3),), TypeError, "mm", "'input'"),
    (lambda x, m: ops.masked_fill(x, m, 0), (ones(2, 3), ones(3)), TypeError, "masked_fill", "bool"),
    (lambda m: ops.masked_fill(None, m, 0), (ones(3),), TypeError, "masked_fill", "'input_x'"),
    (lambda x: ops.max(x, 5), (ones(2, 3),), ValueError, "max", "axis 5"),
    (lambda x: ops.max("a"), (ones(2, 3),), TypeError, "max", "'input'"),
    (lambda x: ops.clip_by_value(x, "a"), (ones(2),), TypeError, "clip_by_value", "'min'|'clip_value_min'"),
    (lambda x: ops.chunk(x, 2, 4), (ones(2, 3),), ValueError, "chunk", "axis 4"),
    (lambda x: ops.chunk(None, 2), (ones(2, 3),), TypeError, "chunk", "'input'"),
    (lambda x: ops.unstack(x, 4), (ones(2, 3),), ValueError, "unstack", "axis 4"),
    (lambda x: ops.unbind(x, 4), (ones(2, 3),), ValueError, "unbind", "axis 4"),
    (lambda x: ops.where(x, x, x), (ones(2, 3),), TypeError, "where", "bool"),
    (lambda x: ops.max_pool2d(x, 3, return_indices=True), (ones(1, 2, 2, 2),), ValueError, "max_pool2d", r"\(1, 2, 2, 2\)"),
    (lambda x: ops.rand_like(None), (ones(2),), TypeError, "rand_like", "'input'"),
    (lambda x: ops.shape(3), (ones(2),), TypeError, "shape", "'input_x'"),
    (lambda x: ops.arange(0, 5, 0), (ones(2),), ValueError, "arange", "step"),
    (lambda x: ops.full((2, -1), 1), (ones(2),), ValueError, "full", "-1"),
    (lambda x, i: ops.Gather()(x, i, 0), (ones(3), ints(3)), IndexError, "Gather", "index 3"),
    (lambda x: ops.ReduceSum()(x, 4), (ones(3),), ValueError, "ReduceSum", "axis 4"),
    # methods
    (lambda x: x.sum(4), (ones(2, 3),), ValueError, "sum", "axis 4"),
    (lambda x: x.max(4), (ones(2, 3),), ValueError, "max", "axis 4"),
    (lambda x: x.max(axis=4), (ones(2, 3),), ValueError, "max", "axis 4"),
    (lambda x: x.view(4, 2), (ones(2, 3),), ValueError, "view", r"\(2, 3\).*\(4, 2\)"),
    (lambda x: x.permute(0), (ones(2, 3),), ValueError, "permute", ""),
    (lambda x: x.unsqueeze(5), (ones(2, 3),), ValueError, "unsqueeze", "axis 5"),
    (lambda x, i: x.index_select(0, i), (ones(2, 3), ints(4)), IndexError, "index_select", "index 4"),
    (lambda x: x.select(0, 7), (ones(2, 3),), IndexError, "select", "index 7"),
    (lambda x, m: x.masked_fill(m, 0), (ones(2, 3), Tensor([True, False])), ValueError, "masked_fill", r"\(2, 3\)"),
    (lambda x, y: x.expand_as(y), (ones(2, 3), ones(3)), ValueError, "expand_as", r"\(2, 3\).*\(3,\)"),
    (lambda x, y: x.mm(y), (ones(2, 3), ones(4, 3)), ValueError, "mm", r"\(2, 3\).*\(4, 3\)"),
    (lambda x: x.astype(3), (ones(2, 3),), TypeError, "astype", "'dtype'"),
    (lambda x: x.to("nothing"), (ones(2, 3),), TypeError, "to", "'dtype'.*'nothing'"),
    # layers
    (lambda x: DENSE(x), (ones(2, 5),), ValueError, "Dense", r"\(2, 5\).*\(4, 3\)"),
    (lambda x: NETWORK(x), (ones(2, 5),), ValueError, "Dense", r"\(2, 5\).*\(4, 3\)"),
    (lambda x: CONV(x), (ones(1, 3, 5, 5),), ValueError, "Conv2d", r"\(1, 3, 5, 5\).*\(3, 2, 3, 3\)"),
    (lambda x: BATCH_NORM(x), (ones(2, 3, 4, 4),), ValueError, "BatchNorm2d", r"\(2, 3, 4, 4\)"),
    (lambda x: LAYER_NORM(x), (ones(2, 4),), ValueError, "LayerNorm", r"\(2, 4\)"),
    (lambda x: nn.Softmax(4)(x), (ones(2, 3),), ValueError, "Softmax", "axis 4"),
    (lambda x: nn.ReLU()(None), (ones(2, 3),), TypeError, "ReLU", "'input'"),
    (lambda x: nn.MaxPool2d(3)(x), (ones(1, 2, 2, 2),), ValueError, "MaxPool2d", r"\(1, 2, 2, 2\)"),
    (lambda x, i: nn.CrossEntropyLoss()(x, i), (ones(2, 3), ints(0, 3)), IndexError, "CrossEntropyLoss", r"\(2, 3\)"),
    (lambda x, y: nn.MSELoss()(x, y), (ones(2, 3), ones(4)), ValueError, "MSELoss", r"\(2, 3\) and \(4,\)"),
    (lambda x: ops.assign(WEIGHT, x), (ones(3),), ValueError, "assign", r"\(2,\).*\(3,\)"),
]
WEIGHT = Parameter(ones(2), "w")


def message(call: Callable[[], Any], kind: type[Exception]) -> str:
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("i", range(len(CASES)))
@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_what_a_wrong_call_says(i: int, mode: str) -> None:
    call, operands, kind, name, words = CASES[i]
    line = call.__code__.co_firstlineno
    eager = message(lambda: call(*operands), kind)
    assert re.match(rf"For '{name}', .*({words})", eager), eager
    assert message(lambda: ms.jit(call, capture_mode=mode)(*operands), kind).startswith(eager)
    with pytest.raises(kind) as caught:
        ms.jit(call, capture_mode=mode, fullgraph=True)(*operands)
    lines = (line, assigned.__code__.co_firstlineno + 2)
    text, _, place = str(caught.value).partition("\n  at ")
    assert text == eager
    if place:
        assert place in [f"{__file__}:{n}" for n in lines]
    else:
        assert any(str(entry.path) == __file__ and entry.lineno + 1 in lines for entry in caught.traceback)


def test_a_captured_function_that_is_called_with_other_shapes() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x * 2
        return ops.matmul(z, y)

    jitted = ms.jit(f)
    assert jitted(ones(2, 3), ones(3, 4)).shape == (2, 4)
    for _ in range(8):
        for rows in (2, 5):
            wrong = (ones(rows, 3), ones(5, 4))
            captured = message(lambda: jitted(*wrong), ValueError)
            assert captured.endswith(message(lambda: f(*wrong), ValueError)), captured


def test_the_gradient_of_a_wrong_call_names_the_call() -> None:
    def f(x: Any, i: Any) -> Any:
        return nn.CrossEntropyLoss()(x, i)

    operands = (ones(2, 3), ints(0, 3))
    for function in (ms.grad(f), ms.jit(ms.value_and_grad(f)), ms.jit(lambda x, i: ms.value_and_grad(f)(x, i))):
        assert "For 'CrossEntropyLoss', " in message(lambda: function(*operands), IndexError)


class Model(nn.Cell):
    """A layer of the user's, whose errors are those of what it calls."""

    def construct(self, x: Any, i: Any) -> Any:
        return DENSE(ops.gather(x, i, 0))


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_errors_within_a_users_layer_name_what_it_calls(mode: str) -> None:
    for operands, kind in (((ones(2, 3), ints(7)), IndexError), ((ones(2, 5), ints(0)), ValueError)):
        model = Model()
        eager = message(lambda: model(*operands), kind)
        assert eager.startswith("For 'gather', " if kind is IndexError else "For 'Dense', ")
        for function in (model, lambda x, i: ms.grad(lambda x: model(x, i).sum())(x)):
            assert message(lambda: ms.jit(function, capture_mode=mode, fullgraph=True)(*operands), kind).startswith(eager)


def test_a_users_own_error_stays_as_it_is() -> None:
    def f(x: Any) -> Any:
        raise ValueError("For 'me', nothing")

    for mode in ("ast", "bytecode", "trace"):
        assert message(lambda: ms.jit(f, capture_mode=mode)(ones(2)), ValueError) == "For 'me', nothing"
