"""The base of Cells, and the containers: names, buffers, state dicts, flags, precision, graphs."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops
from emberjit._c_expression import MixedPrecisionType

X = Tensor(np.array([[1.0, -2.0, 3.0], [0.5, 0.25, -1.0]], np.float32))


class Net(nn.Cell):
    """Parameters, a buffer, and Cells within it."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 3), nn.ReLU()])
        self.weight = Parameter(Tensor(np.ones(3, np.float32)))
        self.register_buffer("shift", Tensor(np.full(3, 2, np.float32)))
        self.register_buffer("scratch", Tensor(np.zeros(3, np.float32)), persistent=False)

    def construct(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x * self.weight + self.shift


def names(cell: Any) -> list[str]:
    return [parameter.name for parameter in cell.get_parameters()]


def held(cell: Any) -> Any:
    """A container as another Cell's attribute."""
    outer = nn.Cell()
    outer.inner = cell
    return outer.inner


def changed(cell: Any, change: str) -> Any:
    if change == "append":
        cell.append(nn.PReLU())
    elif change == "insert":
        cell.insert(1, nn.PReLU())
    elif change == "set":
        cell[-1] = nn.PReLU()
    else:
        del cell[0]
    return cell


@pytest.mark.parametrize("kind", [nn.CellList, nn.SequentialCell])
@pytest.mark.parametrize(
    "change,wanted", [("append", "0 0 1 1 2"), ("insert", "0 0 1 2 2"), ("set", "0 0 1"), ("delete", "0 0")]
)
def test_parameters_are_named_by_places(kind: Any, change: str, wanted: str) -> None:
    for prefix, cell in (
        ("", kind([nn.Dense(1, 1), nn.Dense(1, 1)])),
        ("inner.", held(kind([nn.Dense(1, 1), nn.Dense(1, 1)]))),
    ):
        places = [name[len(prefix) :].split(".")[0] for name in names(changed(cell, change))]
        assert places == wanted.split() and names(cell)[0].startswith(prefix)
        assert list(cell.name_cells()) == sorted(set(places))


def test_containers_are_sequences_and_dicts() -> None:
    cells = [nn.ReLU(), nn.Tanh(), nn.Dense(3, 2)]
    for kind in (nn.CellList, nn.SequentialCell):
        made = kind(cells)
        assert list(made) == cells and made[-1] is cells[2] and list(made[1:]) == cells[1:] and len(made) == 3
        assert not kind([])
        for index, error in ((3, IndexError), (-4, IndexError), ("0", TypeError)):
            with pytest.raises(error, match="index"):
                made[index]
    names_of = nn.CellDict([("relu", cells[0]), ("dense", cells[2])])
    assert list(names_of) == ["relu", "dense"] and "relu" in names_of and names_of.pop("relu") is cells[0]
    assert names(names_of) == ["dense.weight", "dense.bias"]
    names_of.update(OrderedDict(tanh=cells[1]))
    assert list(names_of.values()) == [cells[2], cells[1]]


def test_keys_of_cells_are_neither_empty_nor_paths() -> None:
    with pytest.raises(KeyError, match=r'For .*CellDict.*, key can not be empty string "", but got key '):
        nn.CellDict({"": nn.ReLU()})
    with pytest.raises(KeyError, match=r'For .*CellDict.*, key can not contain "\.", but got key a\.b'):
        nn.CellDict()["a.b"] = nn.ReLU()


class Chosen(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 3), nn.ReLU(), Net()])

    def construct(self, place: Any, x: Any) -> Any:
        total = x
        while place < 3:
            total = total + self.layers[place](x)
            place = place + 1
        return total


def choose(place: Any, x: Any) -> Any:
    return CHOSEN.layers[place](x)


CHOSEN = Chosen()


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["eager", "ast", "bytecode", "graph"])
def test_a_cell_of_a_list_is_chosen_by_a_tensor(mode: str) -> None:
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    try:
        jit = (lambda f: ms.jit(f, capture_mode=mode)) if mode in ("ast", "bytecode") else lambda f: f
        chosen, net = jit(choose), CHOSEN if mode == "graph" else jit(CHOSEN)
        layers = [layer(X).asnumpy() for layer in CHOSEN.layers]
        for place, dtype in ((0, ms.int32), (2, ms.int64), (-1, ms.int32), (1, ms.int8)):
            index = Tensor(place, dtype)
            np.testing.assert_allclose(chosen(index, X).asnumpy(), layers[place], rtol=1e-6)
            gradient = ms.grad(chosen, 1)(index, X)
            np.testing.assert_allclose(gradient.asnumpy(), ms.grad(CHOSEN.layers[place])(X).asnumpy(), rtol=1e-6)
        np.testing.assert_allclose(net(Tensor(1), X).asnumpy(), X.asnumpy() + layers[1] + layers[2], rtol=1e-6)
        for place in (3, -4):
            with pytest.raises(IndexError, match=r"must be a number in range \[-3, 3\), but got"):
                chosen(Tensor(place), X)
        with pytest.raises(TypeError, match="only an integer Tensor of one element"):
            chosen(Tensor(1.0), X)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize(
    "call,error",
    [
        (lambda: nn.CellList([3]), TypeError),
        (lambda: nn.CellList(nn.ReLU()), TypeError),
        (lambda: nn.CellList([nn.CellDict()]), TypeError),
        (lambda: nn.SequentialCell((nn.ReLU(),)), TypeError),
        (lambda: nn.SequentialCell([nn.ReLU()]).append(3), TypeError),
        (lambda: nn.CellList([nn.ReLU()]).insert(3, nn.ReLU()), IndexError),
        (lambda: nn.CellDict({"a": 3}), TypeError),
        (lambda: nn.CellDict({"a.b": nn.ReLU()}), KeyError),
        (lambda: nn.CellDict({"construct": nn.ReLU()}), KeyError),
        (lambda: nn.CellDict({"a": nn.CellList([])}), TypeError),
        (lambda: nn.CellDict([("a", nn.ReLU(), 3)]), ValueError),
        (lambda: Net().insert_child_to_cell("x", 3), TypeError),
        (lambda: Net().insert_child_to_cell("a.b", nn.ReLU()), KeyError),
        (lambda: Net().insert_child_to_cell("weight", nn.ReLU()), KeyError),
        (lambda: Net().insert_param_to_cell("x", X), TypeError),
        (lambda: Net().insert_param_to_cell("layers", Parameter(X)), KeyError),
        (lambda: setattr(Net(), "weight", 3), TypeError),
        (lambda: setattr(Net(), "layers", 3), TypeError),
        (lambda: setattr(Net(), "shift", 3), TypeError),
        (lambda: Net().register_buffer("weight", X), KeyError),
        (lambda: Net().register_buffer("x", 3), TypeError),
        (lambda: Net().register_buffer(3, X), TypeError),
        (lambda: Net().get_buffer("weight"), AttributeError),
        (lambda: Net().get_sub_cell("weight"), AttributeError),
        (lambda: Net().load_state_dict(3), TypeError),
        (lambda: Net().load_state_dict({}), RuntimeError),
        (lambda: Net().to_float(ms.int32), ValueError),
        (lambda: Net().to(dtype=ms.int32), TypeError),
        (lambda: Net().to("GPU"), ValueError),
        (lambda: setattr(Net(), "phase", 3), TypeError),
        (lambda: setattr(Net(), "pipeline_stage", -1), ValueError),
        (lambda: setattr(Net(), "pipeline_stage", True), TypeError),
        (lambda: Net().set_comm_fusion(-1), ValueError),
        (lambda: Net().set_boost("less_bn"), ValueError),
        (lambda: Net().offload(), RuntimeError),
        (lambda: Net().get_func_graph_proto(), NotImplementedError),
        (lambda: Net().register_saved_tensors_hooks(abs, abs), NotImplementedError),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_none_takes_the_place_of_what_is_held() -> None:
    net = Net()
    net.weight = net.layers = net.shift = None
    assert net.weight is None and net.layers is None and net.shift is None
    assert names(net) == [] and list(net.buffers()) != []
    net.weight = Parameter(X, name="again")
    assert names(net) == ["again"]


def test_an_inserted_cell_keeps_the_names_of_its_parameters() -> None:
    net = nn.Cell()
    net.insert_child_to_cell("a", nn.Dense(1, 1))
    assert names(net) == ["weight", "bias"]
    net.insert_child_to_cell("b", nn.Dense(1, 1))
    net.check_names_and_refresh_name()
    assert names(net) == ["a.weight", "a.bias", "b.weight", "b.bias"]


def test_the_first_call_tells_parameters_of_one_name_apart() -> None:
    net = nn.SequentialCell(nn.Dense(1, 1), nn.Dense(1, 1))
    for cell in net:
        cell.weight.name = "same"
    net(Tensor(np.ones((1, 1), np.float32)))
    assert names(net) == ["0.weight", "0.bias", "1.weight", "1.bias"]


def test_names_in_lists_that_grow_are_as_mindspore_has_them() -> None:
    grown = nn.CellList()
    for _ in range(2):
        grown.append(nn.SequentialCell(nn.Dense(1, 1, has_bias=False), nn.SequentialCell(nn.Dense(1, 1, has_bias=False))))
    assert names(grown) == ["0.0.weight", "0.1.0.weight", "0.1.0.weight", "0.1.1.0.weight"]


def test_recomputation_takes_its_options() -> None:
    net, want = Net(), Net()
    want.load_state_dict(net.state_dict())
    net.recompute(use_reentrant=False, early_stop=True, recompute_slice_activation=False)
    for got, one in zip(*(ms.grad(lambda x, net=net: net(x).sum(), None, net.trainable_params())(X) for net in (net, want))):
        np.testing.assert_allclose(got.asnumpy(), one.asnumpy(), rtol=1e-6)
    with pytest.raises(ValueError, match="context_fn"):
        net.recompute(context_fn=abs)


def test_a_shared_cell_counts_once() -> None:
    net = nn.Cell()
    net.a = net.b = nn.Dense(1, 1)
    assert [name for name, _ in net.cells_and_names()] == ["", "a"] and list(net.name_cells()) == ["a"]


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_buffers_and_states(mode: int) -> None:
    ms.set_context(mode=mode)
    net, other = Net(), Net()
    assert [name for name, _ in net.named_buffers()] == ["shift", "scratch"]
    state = net.state_dict()
    assert list(state) == ["weight", "shift", "layers.0.weight", "layers.0.bias"] and state["shift"] is net.shift
    found = net(X).asnumpy()
    state["shift"] = Tensor(np.zeros(3, np.float32))
    assert repr(other.load_state_dict(state)) == "<All keys matched successfully>"
    np.testing.assert_allclose(other(X).asnumpy() + 2, found, rtol=1e-6)
    assert other.load_state_dict({"more": X}, strict=False).unexpected_keys == ["more"]
    assert ms.load_param_into_net(other, net.parameters_dict()) == ([], [])
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_hooks_on_states() -> None:
    net, seen = Net(), []
    hooks = [
        net.register_state_dict_pre_hook(lambda cell, prefix, keep: seen.append("before")),
        net.register_state_dict_post_hook(lambda cell, state, *rest: state.__delitem__("weight")),
        net.register_load_state_dict_pre_hook(lambda cell, state, *rest: state.update(weight=cell.weight)),
        net.register_load_state_dict_post_hook(lambda cell, keys: seen.append("after")),
    ]
    state = net.state_dict()
    assert "weight" not in state
    net.load_state_dict(state)
    assert seen == ["before", "after"]
    for hook in hooks:
        hook.remove()
    assert "weight" in net.state_dict()
    handle = nn.register_cell_buffer_registration_hook(lambda cell, name, buffer: buffer * 2)
    net.register_buffer("twice", X)
    handle.remove()
    np.testing.assert_array_equal(net.twice.asnumpy(), X.asnumpy() * 2)


class Counting(nn.Cell):
    """Extra state, and a Parameter that construct writes."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(Tensor(np.ones(3, np.float32)))
        self.sum = Parameter(Tensor(np.zeros(3, np.float32)), requires_grad=False)
        self.extra = 0

    def construct(self, x: Any) -> Any:
        ops.assign_add(self.sum, ops.cast(x.sum(0), ms.float32))
        return x * self.weight

    def get_extra_state(self) -> Any:
        return self.extra

    def set_extra_state(self, state: Any) -> None:
        self.extra = state


def test_extra_state() -> None:
    net, other = Counting(), Counting()
    net.extra = 5
    other.load_state_dict(net.state_dict())
    assert other.extra == 5 and net.state_dict()["_extra_state"] == 5


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_precision(dtype: Any, mode: int) -> None:
    ms.set_context(mode=mode)
    net = Net().to_float(dtype)
    want = Net()
    want.load_state_dict(net.state_dict())
    y = net(X)
    assert (
        y.dtype == ms.float32 and net.layers[0](X).dtype == dtype and net.weight.dtype == ms.float32
    )  # a buffer is float32
    np.testing.assert_allclose(y.asnumpy(), want(X).asnumpy(), rtol=2e-2, atol=2e-2)
    gradients = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())(X)
    assert [g.dtype for g in gradients] == [ms.float32] * 3
    counting = Counting().to_float(dtype)
    assert counting(X).dtype == dtype
    np.testing.assert_array_equal(counting.sum.asnumpy(), X.asnumpy().sum(0))
    norm = nn.BatchNorm1d(3).to_float(dtype).set_train()
    assert norm(X).dtype == dtype and norm.moving_mean.dtype == ms.float32 and norm.moving_mean.asnumpy().any()
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_conversion_of_all_tensors() -> None:
    net = Net().to(ms.float16)
    assert {one.dtype for one in (*net.get_parameters(), *net.buffers())} == {ms.float16}
    assert net(X.astype(ms.float16)).dtype == ms.float16
    assert not net.to_empty(device="CPU").weight.asnumpy().any()


def test_flags_and_scopes() -> None:
    net = Net().add_flags_recursive(good=True)
    assert net.layers[0].good and net.get_flags() == {"good": True}
    assert net.phase == "train" and not net.training
    net.set_train(False)
    assert net.phase == net.layers[0].phase == "predict"
    net.generate_scope()
    assert net.get_scope() is None and net.layers[0].get_scope() == "Default/layers-CellList/0-Dense"
    net.update_cell_prefix()
    assert net.layers[0].param_prefix == "layers.0"
    net.pipeline_stage, net.parameter_layout_dict = 1, {"a": 3}
    assert net.pipeline_stage == 1 and net.parameter_layout_dict == {"a": 3} and net.cls_name == "Net"
    assert net.shard(((1, 1),)) is None and net.set_comm_fusion(2) is net and net.init_parameters_data() == {}
    assert repr(nn.CellList([nn.Tanh()])) == "CellList(\n  (0): Tanh()\n)"


def test_a_cell_knows_when_it_was_made() -> None:
    before = time.time_ns()
    first, second = Net(), Net()
    assert before <= first.create_time <= second.create_time <= time.time_ns()
    with pytest.raises(AttributeError):
        first.create_time = 3  # type: ignore[misc]


def test_cells_are_counted() -> None:
    before = nn.Cell.total_instance_count
    made = [nn.Tanh() for _ in range(3)]
    assert made[0].total_instance_count == before + 3
    del made
    assert nn.Cell.total_instance_count == before


def test_parameters_in_lists_are_known() -> None:
    net = nn.Cell()
    assert (net.exist_names, net.exist_objs) == (set(), set())
    one, other = (Parameter(Tensor([1.0]), name=name) for name in "ab")
    net.listed, net.mixed, net.empty, net.own = [one, other], (one, 3), [], Parameter(Tensor([2.0]), name="c")
    assert net.exist_names == {"a", "b"} and net.exist_objs == {one, other}


def test_whether_gradients_pass_hooks() -> None:
    net = nn.Tanh()
    handles = [net.register_forward_hook(lambda cell, args, out: None)]
    assert not net.enable_backward_hook
    for register in (net.register_backward_hook, net.register_backward_pre_hook):
        handle = register(lambda *args: None)
        assert net.enable_backward_hook
        handle.remove()
        assert not net.enable_backward_hook
    handles[0].remove()


@pytest.mark.parametrize("kind, dtype", [("FP16", ms.float16), ("BF16", ms.bfloat16), ("FP32", ms.float32)])
def test_the_precision_of_a_cell_alone(kind: str, dtype: Any) -> None:
    net = nn.SequentialCell(nn.Dense(3, 2))
    assert net[0].get_mixed_precision_type() is MixedPrecisionType.NOTSET
    net[0].set_mixed_precision_type(MixedPrecisionType[kind])
    assert net(X).dtype == dtype and net[0].get_mixed_precision_type() is MixedPrecisionType[kind]
    assert net.get_mixed_precision_type() is MixedPrecisionType.NOTSET
    net[0].set_mixed_precision_type(MixedPrecisionType.NOTSET)
    assert net(X.astype(ms.float32)).dtype == ms.float32
    net.to_float(dtype)
    assert net.get_mixed_precision_type() is net[0].get_mixed_precision_type() is MixedPrecisionType[kind]
    with pytest.raises(TypeError, match="must be a MixedPrecisionType, but got 1"):
        net.set_mixed_precision_type(1)


def test_what_is_kept_of_graphs() -> None:
    net = nn.Tanh()
    assert (net.compile_cache, net.phase_cache, len(nn.Cell.global_cells)) == (set(), {}, 0)
    net.phase_cache["a"] = 1
    assert net.phase_cache == {"a": 1} and nn.Tanh().phase_cache == {}
    assert set(nn.Cell.IGNORE_LIST) <= {*net.__dict__, "cell_type"}


def test_a_cell_compiles_without_a_call() -> None:
    net = Counting()
    assert not net.compiled
    net.compile(X)
    assert net.compiled and not net.sum.asnumpy().any()
    np.testing.assert_array_equal(net.compile_and_run(X).asnumpy(), X.asnumpy())
    assert net.sum.asnumpy().any() and len(ms.explain(net._jitted)["entries"]) == 1


def test_a_cell_that_was_not_initialised_says_so() -> None:
    class Bare(nn.Cell):
        def __init__(self) -> None:
            self.factor = 2

        def construct(self, x: Any) -> Any:
            return x * self.factor

    with pytest.raises(AttributeError, match=r"super\(\).__init__\(\)"):
        Bare()(X)


class _Adds(nn.Cell):
    def construct(self, x: Any) -> Any:
        return x + 1


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_replaced_construct_is_seen(mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before, x = ms.get_context("mode"), Tensor([1.0])
    plain, outer, hooked = _Adds(), nn.SequentialCell(_Adds()), _Adds()
    hooked.register_forward_hook(lambda cell, args, output: output * 10)
    jitted = ms.jit(lambda x: plain(x))

    def results() -> list[float]:
        return [float(call(x)) for call in (plain, jitted, plain.compile_and_run, outer, hooked)]

    ms.set_context(mode=mode)
    try:
        assert results() == [2, 2, 2, 2, 20]
        for cell in (plain, outer[0], hooked):
            cell.construct = lambda x: x + 2
        assert results() == [3, 3, 3, 3, 30]
        for cell in (plain, outer[0], hooked):
            del cell.construct
        monkeypatch.setattr(_Adds, "construct", lambda self, x: x + 3)
        assert results() == [4, 4, 4, 4, 40]
    finally:
        ms.set_context(mode=before)


class _Jitted(_Adds):
    def __init__(self, jit: Any):
        super().__init__()
        self.construct = jit(self)


def _of(jit: Any, prepare: Any = None) -> Any:
    cell = _Adds()
    if prepare is not None:
        prepare(cell)
    cell.construct = jit(cell)
    return cell


CONSTRUCTS = {
    "once": _of,
    "twice": lambda jit: _of(jit, lambda cell: setattr(cell, "construct", jit(cell))),
    "jit of jit": lambda jit: _of(lambda cell: jit(jit(cell))),
    "in __init__": _Jitted,
    "another": lambda jit: _of(jit, lambda cell: setattr(cell, "construct", lambda x: x * 3)),
    "hooked": lambda jit: _of(jit, lambda cell: cell.register_forward_hook(lambda cell, args, output: output * 10)),
    "float16": lambda jit: _of(jit, lambda cell: cell.to_float(ms.float16)),
}


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_cell_jitted_may_be_its_own_construct(name: str, mode: str, graph: bool) -> None:
    def jit(function: Any) -> Any:
        return ms.jit(function, capture_mode=mode, fullgraph=True)

    before, x = ms.get_context("mode"), Tensor([1.0, 2.0])
    cell, plain = CONSTRUCTS[name](jit), CONSTRUCTS[name](lambda cell: getattr(cell, "construct", cell))
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE)
    try:
        for _ in range(3):
            found, wanted = cell(x), plain(x)
            assert found.tolist() == wanted.tolist() and found.dtype == wanted.dtype
        assert ms.grad(cell)(x).tolist() == ms.grad(plain)(x).tolist()
        assert ms.jit(lambda x: cell(x))(x).tolist() == plain(x).tolist()
        cell.set_train()
        assert cell(x).tolist() == plain(x).tolist()
        assert graph or cell.construct.explain()["entries"]
        del cell.construct
        if name not in ("hooked", "float16"):
            assert cell(x).tolist() == _Adds()(x).tolist()
    finally:
        ms.set_context(mode=before)
