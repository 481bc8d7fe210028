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
import emberjit.dataset as ds
from emberjit import Parameter, Tensor, amp, mint, nn, ops
from emberjit.experimental import optim
from emberjit.tensors.copies import rebuild_tensor


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


class Derived(Tensor):
    pass


def bits(tensor: Any) -> Any:
    return tensor.dtype, tuple(tensor.shape), tensor.get_bytes()


WHOLE = [ms.int4, ms.int8, ms.int16, ms.int32, ms.int64, ms.uint8, ms.uint16, ms.uint32, ms.uint64]
FLOATS = [ms.float8_e4m3fn, ms.float8_e5m2, ms.float16, ms.bfloat16, ms.float32, ms.float64, ms.complex64, ms.complex128]
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.transpose(),
    "steps": lambda x: x[::2, 1:],
    "backwards": lambda x: x[::-1],
    "repeated": lambda x: x[:1].broadcast_to((3, 3)),
    "element": lambda x: x[1, 1],
    "nothing": lambda x: x[2:],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [ms.bool_, *WHOLE, *FLOATS])
def test_tensors(dtype: Any, layout: str) -> None:
    x = LAYOUTS[layout](Tensor([[-1.0, 0.0, 1.0], [2.0, 3.0, 4.0]]).astype(dtype))
    made = [copy.copy(x), copy.deepcopy(x), *(pickle.loads(pickle.dumps(x, protocol)) for protocol in range(2, 6))]
    buffers: list[Any] = []
    apart = pickle.dumps(x, 5, buffer_callback=buffers.append)
    made += [pickle.loads(apart, buffers=buffers), pickle.loads(apart, buffers=[b.raw().tobytes() for b in buffers])]
    for each in made:
        assert type(each) is Tensor and bits(each) == bits(x) and each.is_contiguous()


def buffer_of(x: Any) -> tuple[bytes, Any]:
    buffers: list[Any] = []
    apart = pickle.dumps(x, 5, buffer_callback=buffers.append)
    return apart, buffers[0].raw()


@pytest.mark.parametrize("dtype", [ms.float32, ms.bfloat16, ms.bool_, ms.complex64])
def test_contiguous_elements_stay_outside_where_they_are(dtype: Any) -> None:
    x = Tensor(np.ones((100, 1000))).astype(dtype)
    apart, memory = buffer_of(x)
    assert len(apart) < 500 and np.frombuffer(memory, np.uint8).ctypes.data == x.data_ptr()
    made = pickle.loads(apart, buffers=[memory])
    made[0, 0] = 0
    assert x[0, 0].item() == 0 and x[0, 1].item() == 1


@pytest.mark.parametrize("cls", [Parameter, Named, Derived])
def test_derived_classes_are_over_the_same_memory_too(cls: Any) -> None:
    p = cls(Tensor([1.0, 2.0, 3.0]), *["p"] * issubclass(cls, Parameter))
    apart, memory = buffer_of(p)
    made = pickle.loads(apart, buffers=[memory])
    assert type(made) is cls and made.data_ptr() == p.data_ptr() and bits(made) == bits(p)


OUTSIDE: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "bytearray": bytearray,
    "read-only": lambda data: memoryview(bytearray(data)).toreadonly(),
    "unaligned": lambda data: memoryview(bytearray(b"x" + data))[1:],
}


@pytest.mark.parametrize("kind", OUTSIDE)
def test_what_may_not_be_shared_is_copied(kind: str) -> None:
    apart, memory = buffer_of(Tensor([1.0, 2.0]))
    outside = OUTSIDE[kind](memory.tobytes())
    made = pickle.loads(apart, buffers=[outside])
    made[0] = 9.0
    assert made.tolist() == [9, 2] and bytes(outside) == memory.tobytes()


@pytest.mark.parametrize("protocol", range(2, 6))
def test_what_is_in_the_pickle_is_memory_of_the_tensors_own(protocol: int) -> None:
    made = pickle.loads(pickle.dumps(Tensor(np.ones(64, np.float32)), protocol))
    assert made.data_ptr() % 64 == 0


def test_a_pickle_has_a_recorded_tensors_elements() -> None:
    def loss(x: Any) -> Any:
        assert pickle.loads(pickle.dumps(x * 2, 5)).tolist() == [6]
        return (x * x).sum()

    assert ms.grad(loss)(Tensor([3.0])).tolist() == [6]


REFUSED: list[tuple[tuple[Any, ...], type[Exception]]] = [
    ((dict, ms.float32, (1,), bytes(4)), TypeError),
    (("Tensor", ms.float32, (1,), bytes(4)), TypeError),
    ((Tensor, "float32", (1,), bytes(4)), TypeError),
    ((Tensor, np.float32, (1,), bytes(4)), TypeError),
    ((Tensor, ms.float32, [1], bytes(4)), TypeError),
    ((Tensor, ms.float32, (1.0,), bytes(4)), TypeError),
    ((Tensor, ms.float32, (True,), bytes(4)), TypeError),
    ((Tensor, ms.float32, (1,), "abcd"), TypeError),
    ((Tensor, ms.float32, (1,), None), TypeError),
    ((Tensor, ms.float32, (-1,), bytes(4)), ValueError),
    ((Tensor, ms.float32, (2,), bytes(4)), ValueError),
    ((Tensor, ms.float32, (1 << 62, 4), b""), ValueError),
    ((Tensor, ms.float32, (1,) * 9, bytes(4)), ValueError),
    ((Tensor, ms.float32, (1 << 80,), bytes(4)), TypeError),
    ((Parameter, ms.float32, (1,), bytes(4)), TypeError),
    ((Parameter, ms.float32, (1,), bytes(4), 5, True), TypeError),
    ((Parameter, ms.float32, (1,), bytes(4), "p", 1), TypeError),
]


@pytest.mark.parametrize("arguments, error", REFUSED)
def test_what_no_pickle_holds_is_refused(arguments: tuple[Any, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        rebuild_tensor(*arguments)


def test_bytes_of_bools_become_bools() -> None:
    made = rebuild_tensor(Tensor, ms.bool_, (4,), bytes([0, 1, 2, 255]))
    assert made.get_bytes() == bytes([0, 1, 1, 1])
    outside = bytearray([0, 1, 2, 255])
    assert rebuild_tensor(Tensor, ms.bool_, (4,), memoryview(outside)).get_bytes() == bytes([0, 1, 1, 1])
    assert outside == bytearray([0, 1, 2, 255])


class Reduced(Parameter):
    def __reduce__(self) -> Any:
        return str, (self.name,)


def test_a_class_that_has_a_way_of_its_own_goes_it() -> None:
    p = Reduced(Tensor([1.0]), "p")
    assert [pickle.loads(pickle.dumps(p, protocol)) for protocol in (2, 5)] == ["p", "p"]


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
    p.mark, p.layerwise_parallel = ["m"], True
    made = way(p)
    assert made.layerwise_parallel is True
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


class Trained(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2)
        self.norm = nn.BatchNorm1d(2)
        self.register_buffer("kept", Tensor([1.0]))

    def construct(self, x):
        return self.norm(self.dense(x))


OUTSIDE_NOTHING = [copy.deepcopy, pickled, lambda value: pickle.loads(pickle.dumps(value, 5))]


def train(net: Any, optimizer: Any) -> None:
    x = Tensor(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))
    parameters = tuple(net.trainable_params())
    _, gradients = ms.value_and_grad(lambda x: (net(x) ** 2).sum() + net.dense.weight.sum(), None, parameters)(x)
    optimizer(gradients)


OPTIMIZERS: dict[str, Callable[[list[Any]], Any]] = {
    "moments": lambda parameters: nn.Momentum(parameters, 0.1, 0.9),
    "schedule": lambda parameters: nn.Adam(parameters, nn.CosineDecayLR(0.01, 0.1, 4)),
    "list of rates": lambda parameters: nn.Adam(parameters, [0.1, 0.05, 0.02, 0.01]),
    "groups": lambda parameters: nn.AdamWeightDecay([{"params": parameters[:1], "lr": 0.1}, {"params": parameters[1:]}]),
    "mint": lambda parameters: mint.optim.AdamW(parameters, 0.1),
    "experimental": lambda parameters: optim.Adam(parameters, 0.1),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_goes_on_from_a_copy(name: str) -> None:
    net = Trained().set_train()
    optimizer = OPTIMIZERS[name](net.trainable_params())
    for _ in range(2):
        train(net, optimizer)
    made = [way((net, optimizer)) for way in OUTSIDE_NOTHING]
    for each, others in made:
        assert {id(p) for p in others.parameters} == {id(p) for p in each.trainable_params()}
    for each, others in [(net, optimizer), *made]:
        for _ in range(2):
            train(each, others)
    for each, _ in made:
        assert [bits(p) for p in each.get_parameters()] == [bits(p) for p in net.get_parameters()]


def test_a_schedule_keeps_its_optimizer_and_its_place() -> None:
    optimizer = optim.Adam(Trained().trainable_params(), 0.1)
    schedule = optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    schedule.step()
    for way in OUTSIDE_NOTHING:
        others, made = way((optimizer, schedule))
        assert made.optimizer is others
        made.step()
        np.testing.assert_allclose(made.get_last_lr()[0].asnumpy(), 0.05)
    np.testing.assert_allclose(schedule.get_last_lr()[0].asnumpy(), 0.1)


def state_of(net: Any) -> Any:
    names = [name for name, _ in net.named_buffers()], [p.name for p in net.get_parameters()]
    flags = [(cell.training, cell.requires_grad, cell.get_flags()) for _, cell in net.cells_and_names()]
    return names, flags, str(net.dense(Tensor(np.ones((1, 3), np.float32))).dtype)


@WAYS
def test_cells_keep_flags_and_buffers(way: Callable[[Any], Any]) -> None:
    net = Trained().set_train().set_grad().add_flags(mark=1)
    net.norm.set_train(False)
    net.dense.to_float(ms.float16)
    made = way(net)
    assert state_of(made) == state_of(net) and (made.kept is net.kept) == (way is copy.copy)


def rows(dataset: Any) -> list[Any]:
    return [row["a"].tolist() for row in dataset.create_dict_iterator()]


def described(value: Any) -> Any:
    return {name: str(each) for name, each in vars(value).items()}


NUMBERS = ds.NumpySlicesDataset([1, 2, 3, 4], "a", shuffle=False)
IMAGE = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
PARTS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "scaler": (amp.DynamicLossScaler(16, 2, 2), described),
    "manager of scales": (ms.DynamicLossScaleManager(16, 2, 2), described),
    "cell of scales": (nn.DynamicLossScaleUpdateCell(16, 2, 2), lambda cell: cell.get_loss_scale()),
    "rates": (nn.CosineDecayLR(0.01, 0.1, 4), lambda rates: rates(Tensor(2, ms.int32)).item()),
    "image operation": (ds.vision.Resize((2, 2)), lambda resize: resize(IMAGE).tolist()),
    "operations": (ds.transforms.Compose([ds.vision.HWC2CHW()]), lambda several: np.asarray(several(IMAGE)).tolist()),
    "pipeline": (NUMBERS.map(ds.transforms.TypeCast(ms.float32), "a").batch(2), rows),
    "CSR": (Tensor([[0.0, 2.0]]).to_csr(), lambda x: x.to_dense().tolist()),
    "COO": (Tensor([[0.0, 2.0]]).to_coo(), lambda x: x.to_dense().tolist()),
    "lower precision": (amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(2, 3)), "O2"), lambda net: bits(net(X))),
}


@WAYS
@pytest.mark.parametrize("name", PARTS)
def test_parts_of_a_training_are_the_same(way: Callable[[Any], Any], name: str) -> None:
    value, told = PARTS[name]
    made = way(value)
    assert type(made) is type(value) and told(made) == told(value)


@WAYS
def test_a_generators_copy_goes_on_by_itself(way: Callable[[Any], Any]) -> None:
    generator = ms.Generator().manual_seed(5)
    mint.rand(3, generator=generator)
    made = way(generator)
    drawn = mint.rand(3, generator=made).tolist()
    assert drawn == mint.rand(3, generator=generator).tolist() != mint.rand(3, generator=made).tolist()
    assert made.initial_seed() == 5 and way(ms.default_generator) is ms.default_generator


@WAYS
def test_options_of_jit_are_kept(way: Callable[[Any], Any]) -> None:
    jitted = ms.jit(plain, capture_mode="bytecode", fullgraph=True, dynamic=1)
    made = way(jitted)
    assert made.options == jitted.options and made.options[:2] == ("bytecode", True) and made.dynamic is True


def test_what_python_does_not_pickle_is_an_error() -> None:
    @ms.jit
    def inner(x):
        return x

    for value in (inner, ms.jit(lambda x: x), ms.vmap(plain)):
        with pytest.raises((AttributeError, pickle.PicklingError)):
            pickle.dumps(value)
    assert copy.copy(inner)(X).asnumpy().tolist() == [[1, 2]]


PROCESSES = """
import concurrent.futures
import multiprocessing
import pickle
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
    for method in ("spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
            assert [t.tolist() for t in executor.map(f, [x, net.p], timeout=60)] == [[2, 3], [2, 3]]
            assert executor.submit(net, x).result(60).tolist() == [2, 4]
            refused = executor.submit(ms.jit(lambda x: x), x).exception(60)
            assert isinstance(refused, (AttributeError, pickle.PicklingError)), refused
    print("done")
"""


def test_queues_and_pools_of_processes(tmp_path: Path) -> None:
    script = tmp_path / "processes.py"
    script.write_text(PROCESSES)
    done = subprocess.run([sys.executable, str(script)], check=False, capture_output=True, text=True, timeout=300)
    assert done.stdout == "done\n", done.stderr
