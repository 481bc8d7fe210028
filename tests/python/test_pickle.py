"""Copies of objects by copy, deepcopy and pickle, and objects between processes that do not share memory."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


WAYS = pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickled])
X = Tensor([[1.0, 2.0]])


@ms.jit
def plus_one(x):
    return x + 1


def plain(x):
    return x * 3


def note_call(cell, args, output):
    return output * 2


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 3)
        self.tied = self.dense.weight
        self.still = Parameter(Tensor([1.0, 2.0]), "still", requires_grad=False)

    @ms.jit
    def shifted(self, x):
        return x + self.still

    def construct(self, x):
        return self.dense(x + self.still)

    class Inner:
        @ms.jit
        @staticmethod
        def twice(x):
            return x * 2


class Named(Parameter):
    pass


def bits(tensor: Any) -> Any:
    return tensor.dtype, tuple(tensor.shape), tensor.get_bytes()


DTYPES = [ms.bool_, ms.int8, ms.int64, ms.uint16, ms.float16, ms.bfloat16, ms.float32, ms.float64]


@WAYS
@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors(way: Callable[[Any], Any], dtype: Any) -> None:
    for shape in ((), (0, 3), (2, 3)):
        x = Tensor(np.arange(np.prod(shape), dtype=np.float32).reshape(shape) - 1).astype(dtype)
        made = way(x)
        assert type(made) is Tensor and bits(made) == bits(x)
        turned = way(x.reshape(shape[::-1]).transpose())
        assert bits(turned) == bits(x.reshape(shape[::-1]).transpose())


@WAYS
def test_a_copy_has_memory_of_its_own(way: Callable[[Any], Any]) -> None:
    for x in (Tensor([1.0, 2.0]), Parameter(Tensor([1.0, 2.0]), "p")):
        made = way(x)
        made[0] = 9
        assert x.asnumpy().tolist() == [1, 2] and made.asnumpy().tolist() == [9, 2]


@WAYS
@pytest.mark.parametrize("cls", [Parameter, Named])
def test_parameters_keep_what_they_have(way: Callable[[Any], Any], cls: Any) -> None:
    p = cls(Tensor([1.0, 2.0]), "p", requires_grad=False)
    p.mark = ["m"]
    made = way(p)
    assert type(made) is cls and (made.name, made.requires_grad, made.mark) == ("p", False, ["m"])
    assert bits(made) == bits(p) and (made.mark is p.mark) == (way is copy.copy)


BY_REFERENCE: dict[str, Any] = {
    "op": ops.add,
    "op of a method": Tensor.sum,
    "function": ops.print_,
    "class of a primitive": ops.Add,
    "alias of a primitive": ops.RealDiv,
    "adapted primitive": ops.ReduceSum,
    "jitted function": plus_one,
    "jitted method": Net.shifted,
    "jitted static method": Net.Inner.twice,
    "dtype": ms.bfloat16,
}


@WAYS
@pytest.mark.parametrize("name", BY_REFERENCE)
def test_what_has_a_name_is_itself(way: Callable[[Any], Any], name: str) -> None:
    assert way(BY_REFERENCE[name]) is BY_REFERENCE[name]


BY_STATE: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "primitive": (ops.Add(), (X, X)),
    "primitive with attributes": (ops.ReduceSum(keep_dims=True), (X, 1)),
    "primitive of the table with attributes": (ops.Concat(axis=1), ((X, X),)),
    "cell": (Net(), (X,)),
    "activation": (nn.ReLU(), (X,)),
    "containers": (nn.SequentialCell(nn.Dense(2, 2), nn.Tanh()), (X,)),
    "bound jitted method": (Net().shifted, (X,)),
    "function jitted elsewhere": (ms.jit(plain, capture_mode="bytecode"), (X,)),
    "jitted cell": (ms.jit(nn.Dense(2, 2)), (X,)),
    "number": (ms.mutable(3), ()),
}


@WAYS
@pytest.mark.parametrize("name", BY_STATE)
def test_what_has_a_state_computes_the_same(way: Callable[[Any], Any], name: str) -> None:
    value, args = BY_STATE[name]
    made = way(value)
    assert type(made) is type(value)
    if args:
        np.testing.assert_array_equal(made(*args).asnumpy(), value(*args).asnumpy())


@WAYS
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_cells_with_graphs_and_hooks(way: Callable[[Any], Any], mode: int) -> None:
    ms.set_context(mode=mode)
    try:
        net = Net()
        handle = net.register_forward_hook(note_call)
        wanted = net(X).asnumpy()
        made = way(net)
        np.testing.assert_array_equal(made(X).asnumpy(), wanted)
        handle.remove()
        np.testing.assert_array_equal(net(X).asnumpy() * 2, wanted)
        if way is not copy.copy:
            np.testing.assert_array_equal(made(X).asnumpy(), wanted)
            added = made.register_forward_hook(note_call)
            np.testing.assert_array_equal(made(X).asnumpy(), wanted * 2)
            added.remove()
            np.testing.assert_array_equal(made(X).asnumpy(), wanted)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("way", [copy.deepcopy, pickled])
def test_cells_are_copied_whole(way: Callable[[Any], Any]) -> None:
    net = Net()
    made = way(net)
    assert made.tied is made.dense.weight and made.dense.weight is not net.dense.weight
    assert [(p.name, p.requires_grad) for p in made.get_parameters()] == [
        (p.name, p.requires_grad) for p in net.get_parameters()
    ]
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    both, other = way((net, optimizer))
    assert other.parameters[0] is both.trainable_params()[0]
    other(tuple(p * 0 + 1 for p in other.parameters))
    assert not np.array_equal(both.dense.bias.asnumpy(), net.dense.bias.asnumpy())


def test_what_python_does_not_pickle_is_an_error() -> None:
    @ms.jit
    def inner(x):
        return x

    for value in (inner, ms.jit(lambda x: x), ms.vmap(plain)):
        with pytest.raises((AttributeError, pickle.PicklingError)):
            pickle.dumps(value)
    assert copy.copy(inner)(X).asnumpy().tolist() == [[1, 2]]


PROCESSES = """
import multiprocessing
import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.p = Parameter(Tensor([1.0, 2.0]), "p", requires_grad=False)
    @ms.jit
    def scaled(self, x):
        return x * self.p
    def construct(self, x):
        return x + self.p

@ms.jit
def f(x):
    return x + 1

def serve(inbox, outbox):
    while True:
        got = inbox.get()
        if got is None:
            return
        function, *args = got
        outbox.put((function, function(*args)))

if __name__ == "__main__":
    spawn = multiprocessing.get_context("spawn")
    inbox, outbox = spawn.Queue(), spawn.Queue()
    process = spawn.Process(target=serve, args=(inbox, outbox))
    process.start()
    x, net = Tensor([1.0, 2.0]), Net()
    for job in ((f, x), (net, x), (net.scaled, x), (ops.add, x, x), (ops.Mul(), x, x), (ops.ReduceSum(), net.p)):
        inbox.put(job)
        function, result = outbox.get(timeout=60)
        assert result.asnumpy().tolist() == job[0](*job[1:]).asnumpy().tolist()
        if isinstance(function, Net):
            assert function.p.name == "p" and not function.p.requires_grad
    inbox.put(None)
    process.join(60)
    assert process.exitcode == 0
    with spawn.Pool(1) as pool:
        assert [t.asnumpy().tolist() for t in pool.map_async(f, [x, net.p]).get(60)] == [[2, 3], [2, 3]]
    print("done")
"""


def test_queues_and_pools_of_processes(tmp_path: Path) -> None:
    script = tmp_path / "processes.py"
    script.write_text(PROCESSES)
    done = subprocess.run([sys.executable, str(script)], check=False, capture_output=True, text=True, timeout=300)
    assert done.stdout == "done\n", done.stderr
