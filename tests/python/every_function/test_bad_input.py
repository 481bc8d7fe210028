"""Bad input: an exception that names op and argument, nothing corrupted. First by hand, for each group of ops what a user
may get wrong; then every parameter of every op with values that do not belong there."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_table import OPERANDS, WITHOUT, calls, results

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops
from emberjit import _emberjit as core
from emberjit.nn.layers.convolution import _Conv


def ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32))


def ints(*values: int) -> Tensor:
    return Tensor(np.array(values, np.int32))


HUGE = 1 << 40
WINDOW: Any = (1, 1), "same", 0, (1, 1), 1, False, "ones", None
CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    # arithmetic, comparison, logic
    (lambda: ops.add(ones(2, 3), ones(4)), ValueError, r"'add'.*\(2, 3\).*\(4,\)"),
    (lambda: ones(2, 3) * ones(3, 2), ValueError, r"'mul'.*\(2, 3\).*\(3, 2\)"),
    (lambda: ops.add(ones(2), "a"), TypeError, "'add'.*'other'"),
    (lambda: ops.add(ones(2)), TypeError, r"add\(\) missing.*'other'"),
    (lambda: ops.add(ones(2), 1, 2), TypeError, r"add\(\) takes 2"),
    (lambda: ops.add(ones(2), 1, nothing=2), TypeError, "unexpected keyword argument 'nothing'"),
    (lambda: ops.add(ones(2), 1 << 70), OverflowError, "int"),
    (lambda: ops.sub(Tensor([True]), Tensor([False])), TypeError, "'sub'"),
    (lambda: ops.bitwise_and(ones(2), ones(2)), TypeError, "'bitwise_and'"),
    (lambda: ops.less(ones(2, 3), ones(2)), ValueError, "'less'"),
    (lambda: ops.logical_and(ones(2), None), TypeError, "'logical_and'"),
    (lambda: ops.select(ones(2), ones(2), ones(2)), TypeError, "'select'.*bool"),
    (lambda: ops.clip(ones(2), "a", 1), TypeError, "'clip'.*'min'"),
    # functions of one operand
    (lambda: ops.exp("a"), TypeError, "'exp'.*'input'"),
    (lambda: ops.exp(None), TypeError, "'exp'.*'input'"),
    (lambda: ops.exp([[1, 2], [3]]), TypeError, "rows differ in length"),
    (lambda: ops.gelu(ones(2), "nope"), ValueError, "'gelu'.*approximate"),
    (lambda: ops.gelu(ones(2), 3), TypeError, "'gelu'.*'approximate'"),
    # reductions
    (lambda: ops.sum(ones(2, 3), 2), ValueError, "'sum'.*axis 2"),
    (lambda: ops.sum(ones(2, 3), (0, 0)), ValueError, "'sum'"),
    (lambda: ops.mean(ones(2), 1.5), TypeError, "'mean'.*'axis'"),
    (lambda: ops.amax(ones(0, 3)), ValueError, "'amax'"),
    (lambda: ops.argmax(ones(0, 3), 0), ValueError, "'argmax'"),
    (lambda: ops.max(ones(2, 3), (0, 1)), TypeError, "'max'.*'axis'"),
    (lambda: ops.max(ones(2, 3), 5), ValueError, "axis 5"),
    (lambda: ops.softmax(ones(2, 3), 2), ValueError, "'softmax'.*axis 2"),
    (lambda: ops.softmax(ints(1, 2)), TypeError, "'softmax'"),
    # products, convolution, pooling, norms
    (lambda: ops.matmul(ones(2, 3), ones(2, 3)), ValueError, r"'matmul'.*\(2, 3\)"),
    (lambda: ops.matmul(ones(2, 3), Tensor(2.0)), ValueError, "'matmul'"),
    (lambda: ops.bmm(ones(2, 3, 4), ones(2, 3, 4)), ValueError, "'bmm'"),
    (lambda: ops.conv2d(ones(1, 2, 5, 5), ones(3, 3, 3, 3)), ValueError, "'conv2d'.*channels"),
    (lambda: ops.conv2d(ones(2, 5, 5), ones(3, 2, 3, 3)), ValueError, "'conv2d'"),
    (lambda: ops.conv2d(ones(1, 2, 2, 2), ones(3, 2, 3, 3)), ValueError, "'conv2d'.*kernel"),
    (lambda: ops.conv2d(ones(1, 2, 5, 5), ones(3, 2, 3, 3), stride=0), ValueError, "'conv2d'.*stride"),
    (lambda: ops.conv2d(ones(1, 2, 5, 5), ones(3, 2, 3, 3), pad_mode="x"), ValueError, "'conv2d'.*pad_mode"),
    (lambda: ops.conv2d(ones(1, 2, 5, 5), ones(3, 2, 3, 3), stride=(1, 1, 1)), ValueError, "'conv2d'.*stride.*2"),
    (lambda: ops.conv1d(ones(2, 5), ones(3, 2, 3)), ValueError, "'conv1d'.*input must be a 3D Tensor"),
    (lambda: ops.conv1d(ones(1, 2, 5), ones(3, 3)), ValueError, "'conv1d'.*weight must be a 3D Tensor"),
    (lambda: ops.conv1d(ones(1, 2, 5), ones(3, 2, 3), stride=(1, 2)), ValueError, "'conv1d'.*stride"),
    (lambda: ops.conv1d(ones(1, 2, 5), ones(3, 2, 3), padding=1), ValueError, "'conv1d'.*padding.*'valid'"),
    (lambda: ops.conv1d(ones(1, 2, 5), ones(3, 2, 3), pad_mode="pad", padding=(1, 2)), ValueError, "'conv1d'.*padding"),
    (lambda: ops.conv1d(ones(1, 2, 5), ones(3, 2, 3), pad_mode="pad", padding=-1), ValueError, "'conv1d'.*padding.*-1"),
    (lambda: ops.conv1d(ones(1, 2, 5), ones(3, 2, 3), ones(2)), ValueError, "'conv1d'.*bias.*3"),
    (lambda: ops.conv3d(ones(1, 2, 5, 5), ones(3, 2, 3, 3, 3)), ValueError, "'conv3d'.*5D Tensor"),
    (lambda: ops.conv3d(ones(1, 2, 2, 5, 5), ones(3, 2, 3, 3, 3)), ValueError, "'conv3d'.*kernel"),
    (lambda: ops.conv3d(ones(1, 4, 5, 5, 5), ones(3, 2, 3, 3, 3), groups=2), ValueError, "'conv3d'.*groups"),
    (lambda: ops.conv_transpose2d(ones(1, 2, 5, 5), ones(3, 2, 3, 3)), ValueError, "'conv_transpose2d'.*channels"),
    (lambda: ops.conv_transpose2d(ones(1, 2, 5, 5), ones(2, 2, 3, 3), padding=9), ValueError, "'conv_transpose2d'.*padding"),
    (
        lambda: ops.conv_transpose1d(ones(1, 2, 5), ones(2, 2, 3), stride=2, output_padding=2),
        ValueError,
        "'conv_transpose1d'.*output_padding",
    ),
    (lambda: ops.Conv2D(3, 3)(ones(1, 2, 5, 5), ones(4, 2, 3, 3)), ValueError, "'Conv2D'"),
    (lambda: ops.max_pool2d(ones(1, 2, 2, 2), 3), ValueError, "'max_pool2d'"),
    (lambda: ops.max_pool2d(ones(1, 2, 4, 4), -1), ValueError, "'max_pool2d'.*kernel_size"),
    (lambda: ops.batch_norm(ones(2, 3), ones(2), ones(3), ones(3), ones(3)), ValueError, "'batch_norm'.*channel"),
    (lambda: ops.layer_norm(ones(2, 3), (2,)), ValueError, "'layer_norm'"),
    (lambda: ops.cross_entropy(ones(2, 3), ints(0, 1, 2)), ValueError, "'cross_entropy'"),
    (lambda: ops.cross_entropy(ones(2, 3), ints(0, 3)), IndexError, "index"),
    (lambda: ops.cross_entropy(ones(2, 3), ints(0, 1), reduction="x"), ValueError, "'cross_entropy'.*reduction"),
    # movement
    (lambda: ops.reshape(ones(2, 3), (4, 2)), ValueError, r"'reshape'.*\(2, 3\)"),
    (lambda: ops.reshape(ones(2, 3), (-1, -1)), ValueError, "'reshape'"),
    (lambda: ops.reshape(ones(2, 3), (HUGE, HUGE)), ValueError, "'reshape'"),
    (lambda: ops.transpose(ones(2, 3), (0, 0)), ValueError, "'transpose'"),
    (lambda: ops.transpose(ones(2, 3), (0,)), ValueError, "'transpose'"),
    (lambda: ops.concat((ones(2, 3), ones(2, 4))), ValueError, "'concat'"),
    (lambda: ops.concat(()), ValueError, "'concat'"),
    (lambda: ops.concat(ones(2)), TypeError, "'concat'.*'tensors'"),
    (lambda: ops.stack((ones(2), ones(3))), ValueError, "'stack'"),
    (lambda: ops.split(ones(4), (1, 1)), ValueError, "'split'"),
    (lambda: ops.gather(ones(3), ints(3), 0), IndexError, "'gather', index 3"),
    (lambda: ops.gather(ones(3), ones(1), 0), TypeError, "'gather'"),
    (lambda: ops.gather(ones(3), ints(0), 2), ValueError, "'gather'.*axis 2"),
    (lambda: ops.pad(ones(2, 3), (1,)), ValueError, "'pad'"),
    (lambda: ops.cast(ones(2), "text"), TypeError, "'cast'.*'dtype'"),
    (lambda: ops.broadcast_to(ones(2, 3), (4, 3)), ValueError, "'broadcast_to'"),
    (lambda: ops.one_hot(ints(0), -1, 1, 0), ValueError, "'one_hot'"),
    (lambda: ops.strided_slice(ones(3), (0,), (3,), (0,)), ValueError, "'strided_slice'"),
    (lambda: ones(3)[5], IndexError, "index 5"),
    (lambda: ones(3)[0, 0], IndexError, "(too many|indices)"),
    (lambda: ones(3)["a"], IndexError, "str"),
    (lambda: ones(3).__setitem__(slice(0, 2), ones(3)), ValueError, r"\(3,\)"),
    # creation, random, writing
    (lambda: ops.zeros((2, -1)), ValueError, "'zeros'"),
    (lambda: ops.zeros((HUGE, HUGE)), ValueError, "'zeros'"),
    (lambda: ops.zeros((HUGE,)), MemoryError, "out of memory"),
    (lambda: ops.full(2, 1), TypeError, "'full'.*'size'"),
    (lambda: ops.arange(0, 5, 0), ValueError, "'arange'"),
    (lambda: ops.uniform((2, 2), Tensor(0.0), "a"), TypeError, "'uniform'.*'maxval'"),
    (lambda: ops.dropout(ones(2), 1.5), ValueError, "'dropout'"),
    (lambda: ops.assign(Parameter(ones(2), "p"), ones(3)), ValueError, "'assign'"),
    (lambda: ops.assign(3, ones(3)), TypeError, "'assign'.*'variable'"),
    (lambda: ops.Argmax(output_type=ms.float32)(ones(2)), ValueError, "'Argmax'.*'output_type'"),
    (lambda: ops.Softmax(nothing=1), TypeError, r"Softmax\(\).*'nothing'"),
    (lambda: nn.Conv1d(2, 3, (3,)), TypeError, "'Conv1d'.*'kernel_size'.*int"),
    (lambda: nn.Conv1d(2, 3, 3, padding=1), ValueError, "'Conv1d'.*'padding'.*'pad_mode'"),
    (lambda: nn.Conv2d(2, 3, 3, pad_mode="pad", padding=(1, 1)), ValueError, "'Conv2d'.*'padding'.*4"),
    (lambda: _Conv(2, 4, 3, *WINDOW), TypeError, "'_Conv'.*'kernel_size'.*tuple.*3"),
    (lambda: _Conv(2, 4, (0, 3), *WINDOW), ValueError, "'_Conv'.*'kernel_size'.*at least 1.*0"),
    (lambda: _Conv(2, 4, (3, 3), *WINDOW, data_format="NHWC"), ValueError, "'_Conv'.*'data_format'.*'NCDHW'.*'NHWC'"),
    (lambda: nn.Conv3d(2, 3, (3, 3)), ValueError, "'Conv3d'.*'kernel_size'.*3"),
    (lambda: nn.Conv3d(2, 3, 3, group=2), ValueError, "'Conv3d'.*'group'"),
    (lambda: nn.Conv3d(2, 3, 3, data_format="NDHWC"), ValueError, "'Conv3d'.*'data_format'.*NCDHW"),
    (lambda: nn.Conv2dTranspose(2, 3, 3, stride=2, output_padding=1), ValueError, "'Conv2dTranspose'.*'output_padding'"),
    (lambda: nn.MaxPool1d(3, ceil_mode=True), ValueError, "'MaxPool1d'.*'ceil_mode'.*'pad'"),
    (lambda: nn.AvgPool3d(3, padding=1), ValueError, "'AvgPool3d'.*'padding'.*'pad_mode'"),
    (lambda: nn.AdaptiveAvgPool2d((1, 2, 3)), ValueError, "'AdaptiveAvgPool2d'.*'output_size'.*2"),
    (lambda: nn.BatchNorm3d(2)(ones(1, 2, 3, 3)), ValueError, "'BatchNorm3d'.*5"),
    (lambda: ops.Conv3D(3, 2)(ones(1, 2, 3, 3, 3), ones(3, 2, 3, 3, 3)), ValueError, "'Conv3D'.*weight"),
    (lambda: ops.Conv2D(3), TypeError, r"Conv2D\(\) missing.*kernel_size"),
    (lambda: Tensor([[1, 2], [3]]), TypeError, "rows differ in length"),
    (lambda: Tensor("text"), TypeError, "Tensor"),
    (lambda: Tensor(), TypeError, "Tensor"),
    (lambda: nn.Dense(3, 4)(ones(2, 5)), ValueError, "'Dense'"),
    (lambda: nn.Conv2d(2, 3, 3)(ones(1, 3, 5, 5)), ValueError, "'Conv2d'"),
    (lambda: bool(ones(2)), ValueError, "ambiguous"),
]


@pytest.mark.breaks  # of Cells and Parameters that are made
@pytest.mark.parametrize("i", range(len(CASES)))
def test_what_a_user_gets_wrong(i: int) -> None:
    call, kind, words = CASES[i]
    with pytest.raises(kind, match=words):
        call()
    if kind is not MemoryError:
        with pytest.raises(kind):
            ms.jit(call)()
    assert (ones(2) + 1).tolist() == [2, 2]


NAN = Tensor(np.full((2, 3), np.nan, np.float32))
ODD_OPERANDS: list[Any] = [
    Tensor(np.float32(1.5)),
    ones(0),
    ones(0, 3),
    ones(2, 1, 3, 1, 2),
    Tensor(np.ones(7, np.int64)),
    Tensor([True, False]),
    NAN,
    ints(-9, 99),
    ones(3, 3).T,
    ones(2, 3).astype(ms.bfloat16),
    None,
    "x",
    [],
    [[1, 2], [3]],
    object(),
    3,
    True,
    1 << 70,
    float("nan"),
]
ODD_ATTRIBUTES: dict[str, list[Any]] = {
    "int": [-100, 100, HUGE, -(1 << 63), 1 << 70, None, "a", 1.5, ones(1), (1,)],
    "ints": [(), (-100,), (100,), (HUGE, HUGE), (-1, -1), (-2,), (0,), (0, 0), (1,) * 40, None, "ab", 1.5, (None,), ((1,),)],
    "float": [float("nan"), float("inf"), -1.0, 1e308, "a", None, (1.0,)],
    "bool": [1, None, "a"],
    "str": ["", "nope", None, 3],
    "dtype": [None, "float32", ms.int8, ms.bool_, 3, float, np.float32],
}
EXPECTED = (TypeError, ValueError, IndexError, MemoryError, OverflowError, NotImplementedError)


@pytest.mark.parametrize("name", [name for name in core.op_table if name not in WITHOUT and name != "foreign_call"])
def test_any_argument_that_does_not_belong(name: str) -> None:
    op = core.op_table[name]
    arguments, _ = calls(name)[0]
    for parameter, kind, *_ in op.params:
        values = ODD_OPERANDS if kind in OPERANDS else ODD_ATTRIBUTES[kind]
        if kind == "tensors":
            values = values + [(value,) for value in ODD_OPERANDS] + [tuple(ODD_OPERANDS[:2])]
        for value in values:
            try:
                for part in results(op(**{**arguments, parameter: value})):
                    assert not isinstance(part, Tensor) or part.astype(ms.float64).asnumpy() is not None
            except EXPECTED as error:
                assert str(error)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.median(Tensor([1.0, 2.0]), 3),
        lambda: ops.nanmedian(Tensor([1.0, 2.0]), -2),
        lambda: ops.Split(2, 1)(Tensor([1.0, 2.0])),
        lambda: ops.movedim(Tensor(np.ones((2, 3), np.float32)), (0, 1), (0, 0)),
        lambda: ops.movedim(Tensor(np.ones((2, 3), np.float32)), (0, 0), (0, 1)),
        lambda: ops.fftn(Tensor([1.0, 2.0]), (2, 2, 2)),
        lambda: ops.fft(Tensor([1.0, 2.0]), 0),
        lambda: ops.fft(Tensor([1.0, 2.0]), norm=""),
        lambda: ops.irfft(Tensor([1.0])),
        lambda: ops.fftfreq(0),
    ],
)
def test_axes_and_lengths_that_are_none(call: Any) -> None:
    with pytest.raises(ValueError, match=r"^For '"):
        call()


@pytest.mark.parametrize("kind", (IndexError, RuntimeError, ms.IndexRangeError))
def test_a_position_that_does_not_exist_is_an_error_of_both_libraries(kind: type[Exception]) -> None:
    for call in (lambda: ops.gather(Tensor([1.0, 2.0]), Tensor([5]), 0), lambda: Tensor([1.0])[3]):
        with pytest.raises(kind, match="index"):
            call()
    assert isinstance(pickle.loads(pickle.dumps(kind("index"))), kind)


def test_lists_that_contain_themselves() -> None:
    endless: list[Any] = [Tensor([1.0])]
    endless.append(endless)
    with pytest.raises((RecursionError, ValueError, TypeError)):
        Tensor(endless)
