"""What errors of mistakes say: what is wrong, where, and what to do."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

X = Tensor([1.0, 2.0])


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 3)
        self.scale = Parameter(Tensor([1.0, 2.0]), "scale")


UNKNOWN: list[tuple[Callable[[], Any], str]] = [
    (lambda: nn.Dens, "'emberjit.nn' has no attribute 'Dens'.* Did you mean: 'Dense'?"),
    (lambda: nn.conv2d, "Did you mean: 'Conv2d'?"),
    (lambda: ops.sofmax, "'emberjit.ops' has no attribute 'sofmax'.* Did you mean: 'softmax'?"),
    (lambda: ops.ReduceSom, "Did you mean: 'ReduceSum'?"),
    (lambda: ms.Tensr, "'emberjit' has no attribute 'Tensr'.* Did you mean: 'Tensor'?"),
    (lambda: Net().dens, "'Net' object has no attribute 'dens'. Did you mean: 'dense'?"),
    (lambda: Net().scales, "Did you mean: 'scale'?"),
    (lambda: Net().trainable_parms, "Did you mean: 'trainable_params'?"),
    (lambda: nn.Xyzzy, r"'emberjit.nn' has no attribute 'Xyzzy': emberjit does not have this name \(yet\)$"),
]


@pytest.mark.parametrize("get, message", UNKNOWN)
def test_unknown_names_suggest_the_nearest(get, message):
    with pytest.raises(AttributeError, match=message) as caught:
        get()
    for again in (copy.copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert str(again) == str(caught.value)


def test_asking_whether_a_name_exists_is_not_dear():
    assert not hasattr(nn, "Dens") and not hasattr(ops, "sofmax") and not hasattr(Net(), "dens")
    assert getattr(nn, "Dens", 3) == 3


def test_the_interpreter_suggests_methods_of_tensors():
    code = "import emberjit as ms; ms.Tensor([1.0]).reshap((1,))"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "'emberjit.Tensor' object has no attribute 'reshap'. Did you mean: 'reshape'?" in done.stderr


@pytest.mark.parametrize("jitted", [False, True])
def test_dense_names_its_channels(jitted):
    net = ms.jit(nn.Dense(2, 3)) if jitted else nn.Dense(2, 3)
    with pytest.raises(
        ValueError, match=r"'Dense'.*'in_channels', 2, but the input has shape \(1, 3\), the weight \(3, 2\)"
    ):
        net(Tensor([[1.0, 2.0, 3.0]]))
    assert net(Tensor([[1.0, 2.0]])).shape == (1, 3)


def one_side_a_str(x):
    if x.sum() > 0:  # noqa: SIM108
        y = x
    else:
        y = "a"
    return y


def other_shapes(x):
    if x.sum() > 0:  # noqa: SIM108
        y = x
    else:
        y = x.sum()
    return y


def one_side_only(x):
    if x.sum() > 0:
        y = x
    return y


def whole(x):
    return ops.zeros((int(x.sum()),), ms.float32)


UNLIKE = [
    (one_side_a_str, 2, r"local variable 'y' is not set alike .*line {line}: .*Tensor.* and 'a': .*same"),
    (other_shapes, 2, r"local variable 'y' is not set alike .*line {line}: .*\(2,\).* and .*\(\).*: .*agree"),
    (one_side_only, 1, r"local variable 'y' is not set alike .*line {line}: .*one side.*set it before"),
    (whole, 1, "compute with Tensors|leave fullgraph=True away"),
]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function, line, message", UNLIKE)
def test_what_a_graph_cannot_hold_says_where_and_what_to_do(function, line, message, mode):
    with pytest.raises(ms.CaptureError) as caught:
        ms.jit(function, capture_mode=mode, fullgraph=True)(X)
    line = function.__code__.co_firstlineno + 1
    assert re.search(message.format(line=line), str(caught.value), re.S), str(caught.value)


SETTINGS = [
    (ms.set_num_threads, "x", TypeError, "For 'set_num_threads', 'count' must be an int, but got 'x' of type str."),
    (ms.set_num_threads, 0, ValueError, "For 'set_num_threads', 'count' must be an int from 1 to 2147483647, but got 0."),
    (ms.set_memory_limit, "x", TypeError, "For 'set_memory_limit', 'limit' must be an int, but got 'x' of type str."),
    (
        ms.set_memory_limit,
        -1,
        ValueError,
        f"For 'set_memory_limit', 'limit' must be an int from 0 to {2**63 - 1}, but got -1.",
    ),
]


@pytest.mark.parametrize("setting, value, error, text", SETTINGS)
def test_settings_say_what_they_take(setting, value, error, text):
    with pytest.raises(error) as raised:
        setting(value)
    assert str(raised.value) == text
