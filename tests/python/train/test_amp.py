"""Mixed precision: which Cells compute in it, steps of training, scales of losses."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, amp, mint, nn, ops, train
from emberjit import dataset as ds

X = Tensor(np.random.RandomState(2).rand(2, 3, 6, 6).astype(np.float32))
A = Tensor(np.random.RandomState(3).rand(8, 4).astype(np.float32))
B = Tensor(np.random.RandomState(4).rand(8, 3).astype(np.float32))
OPTIONS: dict[str, Any] = {"loss_scale_manager": None}


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)
        self.product, self.w = ops.MatMul(), Parameter(ops.ones((6, 6)), "w")

    def construct(self, x: Any) -> Any:
        a = self.conv(x)
        b = self.norm(a)
        c = self.product(b.reshape((-1, 6)), self.w)
        return a, b, c


class Noted(Net):
    """Gives the dtypes that it finds within."""

    def construct(self, x: Any) -> Any:
        return [str(one.dtype) for one in super().construct(x)]


def dense(rows: int = 4) -> Any:
    net = nn.Dense(rows, 3)
    net.weight.set_data(Tensor(np.linspace(-0.5, 0.5, 3 * rows, dtype=np.float32).reshape(3, rows)))
    net.bias.set_data(ops.zeros_like(net.bias))
    return net


LOWER = {
    "O0": (lambda net, dtype: amp.auto_mixed_precision(net, "O0", dtype), "fff"),
    "O1": (lambda net, dtype: amp.auto_mixed_precision(net, "O1", dtype), "fff"),
    "O2": (lambda net, dtype: amp.auto_mixed_precision(net, "O2", dtype), "lll"),
    "O3": (lambda net, dtype: amp.auto_mixed_precision(net, "O3", dtype), "lll"),
    "white": (lambda net, dtype: amp.custom_mixed_precision(net, white_list=[ops.MatMul], dtype=dtype), "fff"),
    "black": (lambda net, dtype: amp.custom_mixed_precision(net, black_list=[nn.Conv2d], dtype=dtype), "lll"),
}


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
@pytest.mark.parametrize("name", LOWER)
@pytest.mark.parametrize("jitted", [False, True])
def test_networks_in_lower_precision(name: str, dtype: Any, jitted: bool) -> None:
    lower, within = LOWER[name]
    net, noted = Net(), Noted()
    whole = [one.asnumpy() for one in net(X)]
    lowered = lower(net, dtype)
    assert lowered is net and all(parameter.dtype == ms.float32 for parameter in net.get_parameters())
    found = (ms.jit(lowered) if jitted else lowered)(X)
    assert all(one.dtype == ms.float32 for one in found)
    different = [not np.array_equal(one.asnumpy(), other) for one, other in zip(found, whole)]
    assert any(different) == (name != "O0")
    for one, other in zip(found, whole):
        np.testing.assert_allclose(one.asnumpy(), other, rtol=0.05, atol=0.05)
    low = "Float16" if dtype == ms.float16 else "BFloat16"
    assert lower(noted, dtype)(X) == [low if kind == "l" else "Float32" for kind in within]


W, LABELS = Tensor(np.random.RandomState(5).rand(6, 6).astype(np.float32)), Tensor([0, 1], ms.int32)
AUTO: dict[str, tuple[Any, Any, str]] = {  # an inner Cell, what is called; the dtypes of results, of float32 and lower
    "@": (None, lambda f, x: x @ W, "ll"),
    "ops.matmul": (None, lambda f, x: ops.matmul(x, W), "ll"),
    "ops.MatMul": (ops.MatMul(), lambda f, x: f(x[0, 0], W), "ll"),
    "mint.matmul": (None, lambda f, x: mint.matmul(x, W), "ll"),
    "Tensor.bmm": (None, lambda f, x: x[0].bmm(x[1]), "ll"),
    "ops.dense": (None, lambda f, x: ops.dense(x, W, W[0]), "ll"),
    "ops.prelu": (None, lambda f, x: ops.prelu(x, W[0, :1]), "ll"),
    "nn.Dense": (nn.Dense(6, 2), lambda f, x: f(x), "ff"),
    "nn.Dense, no bias": (nn.Dense(6, 2, has_bias=False), lambda f, x: f(x), "ll"),
    "mint.nn.Linear": (mint.nn.Linear(6, 2), lambda f, x: f(x), "ll"),
    "nn.Conv2d": (nn.Conv2d(3, 4, 3), lambda f, x: f(x), "ll"),
    "nn.Conv2d, bias": (nn.Conv2d(3, 4, 3, has_bias=True), lambda f, x: f(x), "ff"),
    "nn.Conv2dTranspose": (nn.Conv2dTranspose(3, 4, 3), lambda f, x: f(x), "ll"),
    "mint.nn.Conv2d": (mint.nn.Conv2d(3, 4, 3, bias=False), lambda f, x: f(x), "ll"),
    "nn.BatchNorm2d": (nn.BatchNorm2d(3), lambda f, x: f(x), "ff"),
    "nn.LayerNorm": (nn.LayerNorm((6,)), lambda f, x: f(x), "ff"),
    "nn.PReLU": (nn.PReLU(), lambda f, x: f(x), "ll"),
    "nn.LSTM": (nn.LSTM(6, 3), lambda f, x: f(x.astype(ms.float32)[0])[0], "ff"),
    "ops.addmm": (None, lambda f, x: ops.addmm(x[0, 0], x[0, 0], W), "fl"),
    "ops.exp": (None, lambda f, x: ops.exp(x), "ff"),
    "ops.Exp": (ops.Exp(), lambda f, x: f(x), "ff"),
    "**": (None, lambda f, x: x**2, "ff"),
    "ops.softmax": (None, lambda f, x: ops.softmax(x), "ff"),
    "nn.Softmax": (nn.Softmax(), lambda f, x: f(x), "ff"),
    "ops.cross_entropy": (None, lambda f, x: ops.cross_entropy(x[:, 0, 0], LABELS), "ff"),
    "nn.KLDivLoss": (nn.KLDivLoss(), lambda f, x: f(x, x), "ff"),
    "Tensor.sum": (None, lambda f, x: x.sum(), "ff"),
    "ops.ReduceSum": (ops.ReduceSum(), lambda f, x: f(x), "fl"),
    "Tensor.mean": (None, lambda f, x: x.mean(), "fl"),
    "+": (None, lambda f, x: x + x, "fl"),
    "+, of two dtypes": (None, lambda f, x: x + W, "ff"),
    "ops.concat": (None, lambda f, x: ops.concat((x[0, 0], W)), "ff"),
    "ops.addn": (None, lambda f, x: ops.addn([x[0, 0], W]), "ff"),
    "ops.gelu": (None, lambda f, x: ops.gelu(x), "fl"),
    "nn.Sigmoid": (nn.Sigmoid(), lambda f, x: f(x), "fl"),
    "ops.mish": (None, lambda f, x: ops.mish(x), "fl"),
}


class Calling(nn.Cell):
    def __init__(self, function: Any, inner: Any = None):
        super().__init__()
        self.function, self.inner = function, inner

    def construct(self, x: Any) -> Any:
        return self.function(self.inner, x)


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
@pytest.mark.parametrize("name", AUTO)
def test_what_auto_computes_in_which_precision(name: str, dtype: Any) -> None:
    """As MindSpore does; op by op, jitted and in graph mode with the same bits, gradients too."""
    inner, function, kinds = AUTO[name]
    net = amp.auto_mixed_precision(Calling(function, inner), "auto", dtype)
    for given, kind in zip((ms.float32, dtype), kinds):
        x = X.astype(given)
        plain, jitted = net(x), ms.jit(net)(x)
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            of_graph = net(x)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        assert plain.dtype == (dtype if kind == "l" else ms.float32)
        for other in (jitted, of_graph):
            assert other.dtype == plain.dtype and other.get_bytes() == plain.get_bytes()
        slope = ms.grad(lambda x: net(x).astype(ms.float32).sum())
        assert slope(x).dtype == given and slope(x).get_bytes() == ms.jit(slope)(x).get_bytes()


class Layers(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.low, self.whole, self.free = (nn.Dense(6, 6, has_bias=False) for _ in range(3))
        self.low.to_float(ms.float16)
        self.whole.to_float(ms.float32)

    def construct(self, x: Any) -> Any:
        return [str(y.dtype) for y in (self.low(x), self.whole(x), self.free(x), x @ x)]


def test_where_the_rules_of_auto_hold() -> None:
    x = X[0]
    for net, free in ((amp.auto_mixed_precision(Layers(), "auto", ms.bfloat16), ms.bfloat16), (Layers(), ms.float32)):
        assert net(x) == ms.jit(net)(x) == [str(dtype) for dtype in (ms.float16, ms.float32, free, free)]
    square = ms.jit(lambda x: x @ x)
    function = amp.auto_mixed_precision(lambda x: (square(x), ops.exp(square(x))), "auto")
    for run in (function, ms.jit(function)):
        assert [one.dtype for one in run(x)] == [ms.float16, ms.float32]
    assert square(x).dtype == ms.float32 and (x @ x).dtype == ms.float32
    with pytest.raises(ValueError, match="must have the size"):
        amp.auto_mixed_precision(lambda x: x @ W[:5], "auto")(x)
    assert (x @ x).dtype == ms.float32


class Breaking(nn.Cell):
    def construct(self, x: Any) -> Any:
        y = x @ x
        if float(y.sum()) > 0:
            y = y @ y
        return y, ops.exp(y), np.asarray(y.shape), x @ x


def test_graphs_that_calls_share_have_rules_of_their_own() -> None:
    class Shared(nn.Cell):
        @ms.lazy_inline
        def __init__(self) -> None:
            super().__init__()

        def construct(self, x: Any) -> Any:
            return x @ x

    cell, x = Shared(), Tensor(np.random.RandomState(5).rand(4, 4).astype(np.float32))
    auto = amp.auto_mixed_precision(lambda x: cell(x), "auto")
    for f in (lambda x: (cell(x), auto(x), cell(x)), lambda x: (auto(x), cell(x), auto(x))):
        got, want = ms.jit(f)(x), f(x)
        assert [one.dtype for one in got] == [one.dtype for one in want]
        for one, wanted in zip(got, want):
            np.testing.assert_array_equal(one.asnumpy(), wanted.asnumpy())


def test_gradients_that_users_write_follow_no_rules() -> None:
    class Own(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 2

        def bprop(self, x: Any, out: Any, dout: Any) -> Any:
            return (dout @ x,)

    x = Tensor(np.random.RandomState(5).rand(4, 4).astype(np.float32))
    hooked = nn.ReLU()
    hooked.register_backward_pre_hook(lambda cell, grad_output: grad_output[0] @ x)
    for cell in (Own(), hooked, ops.InsertGradientOf(lambda d: d @ x)):
        auto = amp.auto_mixed_precision(lambda x, cell=cell: cell(x) * x, "auto")
        gradient = ms.grad(lambda x, auto=auto: auto(x).sum())
        np.testing.assert_array_equal(ms.jit(gradient)(x).asnumpy(), gradient(x).asnumpy())


@pytest.mark.breaks
def test_the_rules_of_auto_hold_after_graph_breaks() -> None:
    for net in (
        amp.auto_mixed_precision(Breaking(), "auto"),
        Calling(amp.auto_mixed_precision(lambda f, x: f(x), "auto"), Breaking()),
    ):
        run = ms.jit(net)
        for _ in range(3):
            assert [one.dtype for one in run(X[0]) if isinstance(one, Tensor)] == [ms.float16, ms.float32, ms.float16]
        assert (X[0] @ X[0]).dtype == ms.float32


def test_auto_computes_again_as_before() -> None:
    found = []
    for again in (False, True):
        net = Calling(lambda f, x: ops.exp(x @ f.w) @ f.w)
        net.inner = nn.Cell()
        net.inner.w = Parameter(W.copy(), "w")
        if again:
            net.recompute()
        outer = amp.auto_mixed_precision(Calling(lambda f, x: f(x), net), "auto")
        for run in (lambda step: step, ms.jit):
            step = run(ms.value_and_grad(lambda x: outer(x).astype(ms.float32).sum(), None, outer.trainable_params()))
            value, (gradient,) = step(X)
            found.append((float(value), gradient.asnumpy().tolist()))
    assert all(one == found[0] for one in found)


def test_the_lists_of_auto_name_what_there_is() -> None:
    from emberjit.publish import registry
    from emberjit.transforms import precision_rules as found

    for names in (found._LOWER, found._FLOAT32, found._WIDEST, found._PARTS):
        assert [path for path in names.split() if not registry.declared(*path.rsplit(".", 1))] == []


class WithConstants(nn.Cell):
    """A product of the argument and a Tensor that is no Parameter, also by name; two without a primitive in an attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.w, self.product = W, ops.MatMul()

    def construct(self, x: Any) -> Any:
        by_name = self.product(input=x, mat2=self.w)
        return self.product(x, self.w), by_name, ops.MatMul()(x, self.w), ops.matmul(x, self.w)


LISTED: dict[str, tuple[Any, str]] = {  # which of the results are computed in lower precision; as MindSpore's
    "white MatMul": (lambda net: amp.custom_mixed_precision(net, white_list=[ops.MatMul]), "lllf"),
    "white Exp": (lambda net: amp.custom_mixed_precision(net, white_list=[ops.Exp]), "ffff"),
    "white Exp, then MatMul": (
        lambda net: amp.custom_mixed_precision(LISTED["white Exp"][0](net), white_list=[ops.MatMul]),
        "lllf",
    ),
    "white MatMul, then auto": (lambda net: amp.auto_mixed_precision(LISTED["white MatMul"][0](net), "auto"), "llll"),
    "white Cell": (lambda net: amp.custom_mixed_precision(net, white_list=[WithConstants]), "llll"),
    "black": (lambda net: amp.custom_mixed_precision(net, black_list=[nn.Dense]), "llll"),
    "O1": (lambda net: amp.auto_mixed_precision(net, "O1"), "lllf"),
    "O2": (lambda net: amp.auto_mixed_precision(net, "O2"), "llll"),
}


@pytest.mark.parametrize("name", LISTED)
def test_constants_and_primitives_made_within(name: str) -> None:
    lower, kinds = LISTED[name]
    whole, net = WithConstants()(X[0, 0]), lower(WithConstants())
    for run in (net, ms.jit(net)):
        found = run(X[0, 0])
        assert all(one.dtype == ms.float32 for one in found[: 3 if "auto" in name else 4])
        same = [np.array_equal(one.asnumpy(), other.asnumpy()) for one, other in zip(found, whole)]
        assert same == [kind == "f" for kind in kinds]


LEVELS: dict[str, tuple[dict[str, Any], float]] = {
    "O0": ({"level": "O0"}, 1e-6),
    "O1": ({"level": "O1", **OPTIONS}, 1e-2),
    "O2": ({"level": "O2", **OPTIONS}, 1e-2),
    "O3": ({"level": "O3"}, 1e-2),
    "auto": ({"level": "auto"}, 1e-2),
    "cast": ({"cast_model_type": ms.float16}, 1e-2),
    "not cast": ({"level": "O2", "cast_model_type": ms.float32, **OPTIONS}, 1e-6),
    "norms too": ({"level": "O2", "keep_batchnorm_fp32": False, **OPTIONS}, 1e-2),
    "scaled": ({"loss_scale_manager": amp.FixedLossScaleManager(64.0, False)}, 1e-6),
}


@pytest.mark.parametrize("name", LEVELS)
def test_steps(name: str) -> None:
    options, tolerance = LEVELS[name]
    losses = []
    for given, scale in (({}, 1.0), (options, 64.0 if name == "scaled" else 1.0)):
        net = dense()
        step = amp.build_train_network(
            net, nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=scale), nn.MSELoss(), **given
        )
        found = [step(A, B) for _ in range(4)]
        assert all(loss.dtype == ms.float32 for loss in found) and step.training
        losses.append([float(loss) for loss in found])
    np.testing.assert_allclose(losses[1], losses[0], rtol=tolerance)


def own_loop(scaler: Any, jitted: bool, factor: float = 1.0) -> list[Any]:
    net, loss = dense(), nn.MSELoss()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    gradient = ms.value_and_grad(lambda a, b: scaler.scale(loss(net(a), b)), None, optimizer.parameters)

    def step(a: Any, b: Any) -> Any:
        scaled, gradients = gradient(a, b)
        gradients = scaler.unscale(gradients)
        finite = amp.all_finite(gradients)
        scaler.adjust(finite)
        if finite:
            optimizer(gradients)
        return scaled, finite

    run = ms.jit(step) if jitted else step
    found = []
    for count in range(4):
        _, finite = run(A * (float("inf") if count == 1 and factor != 1.0 else 1.0), B)
        found.append((bool(finite), float(scaler.scale_value)))
    return [*found, net.weight.asnumpy().tolist()]


@pytest.mark.parametrize("factor", [1.0, 0.0])
def test_loops_with_a_dynamic_scale(factor: float) -> None:
    plain, jitted = (own_loop(amp.DynamicLossScaler(1024, 2, 2), jitted, factor) for jitted in (False, True))
    scales = [1024, 2048, 2048, 4096] if factor == 1.0 else [1024, 512, 512, 1024]
    assert plain == jitted and [scale for _, scale in plain[:4]] == scales
    assert [finite for finite, _ in plain[:4]] == [True, factor == 1.0, True, True]


def test_loops_with_a_static_scale() -> None:
    plain, jitted = (own_loop(amp.StaticLossScaler(1024), jitted) for jitted in (False, True))
    assert plain == jitted and plain[:4] == [(True, 1024)] * 4


def test_scales() -> None:
    scaler = amp.StaticLossScaler(2**10)
    assert scaler.scale(Tensor([1.0])).tolist() == [1024] and scaler.adjust(Tensor(True)) is False
    low, high = scaler.unscale((Tensor([1.5, 1.0], ms.float16), Tensor([1.5])))
    assert (low.dtype, high.dtype) == (ms.float16, ms.float32)
    assert low.tolist() == [1.5 / 1024, 1 / 1024] and high.tolist() == [1.5 / 1024]
    for start, finite, wanted in ((1, False, 1), (3e38, True, np.float32(3e38)), (4, False, 2), (4, True, 8)):
        dynamic = amp.DynamicLossScaler(start, 2, 1)
        assert dynamic.adjust(Tensor(finite)) is True and float(dynamic.scale_value) == wanted
    with pytest.raises(TypeError, match="abstract"):
        amp.LossScaler()


FINITE = [
    ((Tensor([1.0, np.inf]), Tensor([1.0])), False),
    ((Tensor([1.0]),), True),
    ([Tensor([np.nan])], False),
    ((Tensor([6e4], ms.float16), Tensor(np.float32([]))), True),
]


@pytest.mark.parametrize("inputs, finite", FINITE)
def test_all_finite(inputs: Any, finite: bool) -> None:
    for function in (amp.all_finite, ms.jit(lambda values: amp.all_finite(values))):
        found = function(inputs)
        assert bool(found) == finite and found.dtype == ms.bool_ and found.shape == ()
    assert bool(amp.all_finite(inputs, amp.init_status())) == finite


def test_managers() -> None:
    manager = amp.DynamicLossScaleManager(1024, 2, 3)
    scales = []
    for overflow in (0, 0, 0, 0, 1, 0, 0, 0, 1, 1):
        manager.update_loss_scale(bool(overflow))
        scales.append(manager.get_loss_scale())
    assert scales == [1024, 1024, 2048, 2048, 1024, 1024, 1024, 2048, 1024, 512]
    for _ in range(998):
        manager.update_loss_scale(True)
    assert manager.get_loss_scale() == 1 and manager.get_drop_overflow_update()
    with pytest.raises(RuntimeError, match="1001 steps have overflown"):
        manager.update_loss_scale(True)
    fixed = amp.FixedLossScaleManager(128.0, False)
    assert (fixed.get_loss_scale(), fixed.get_update_cell(), fixed.get_drop_overflow_update()) == (128.0, None, False)


def optimizer() -> Any:
    return nn.SGD(dense().trainable_params())


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "network": (lambda: amp.auto_mixed_precision(3, "O1"), TypeError, "must be a Cell"),
    "level": (lambda: amp.auto_mixed_precision(dense(), "O5"), ValueError, "'amp_level' must be one of"),
    "dtype": (lambda: amp.auto_mixed_precision(dense(), "O1", ms.float32), ValueError, "float16 or bfloat16"),
    "no list": (lambda: amp.custom_mixed_precision(dense()), ValueError, "either 'white_list' or 'black_list'"),
    "both": (lambda: amp.custom_mixed_precision(dense(), white_list=[], black_list=[]), ValueError, "either"),
    "tuple": (lambda: amp.custom_mixed_precision(dense(), white_list=(nn.Dense,)), TypeError, "a list of classes"),
    "Primitive": (lambda: amp.custom_mixed_precision(dense(), black_list=[ops.MatMul]), TypeError, "classes of Cells"),
    "step's level": (lambda: amp.build_train_network(dense(), optimizer(), level="O7"), ValueError, "'level' must be"),
    "optimizer": (lambda: amp.build_train_network(dense(), 3), TypeError, "optimizer"),
    "keep": (lambda: amp.build_train_network(dense(), optimizer(), keep_batchnorm_fp32=3), TypeError, "a bool"),
    "cast": (lambda: amp.build_train_network(dense(), optimizer(), cast_model_type=ms.int32), TypeError, "float16 or"),
    "manager": (lambda: amp.build_train_network(dense(), optimizer(), loss_scale_manager=3), TypeError, "LossScaleM"),
    "static": (lambda: amp.StaticLossScaler(0.5), ValueError, "at least 1"),
    "static's type": (lambda: amp.StaticLossScaler("a"), TypeError, "scale_value"),
    "factor": (lambda: amp.DynamicLossScaler(2, 0, 1), ValueError, "scale_factor"),
    "window": (lambda: amp.DynamicLossScaler(2, 2, 1.5), TypeError, "scale_window"),
    "fixed": (lambda: amp.FixedLossScaleManager(0.5), ValueError, "at least 1"),
    "dynamic": (lambda: amp.DynamicLossScaleManager(0.5), ValueError, "at least 1"),
    "dynamic's factor": (lambda: amp.DynamicLossScaleManager(scale_factor=0), ValueError, "positive"),
    "dynamic's window": (lambda: amp.DynamicLossScaleManager(scale_window=0), ValueError, "scale_window"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, error, text = REFUSED[name]
    with pytest.raises(error, match=text):
        call()


def test_lists_are_ones_own() -> None:
    white = copy.copy(amp.get_white_list())
    amp.get_white_list().append(nn.ReLU)
    assert amp.get_white_list() == white and nn.Conv2d in white and ops.MatMul in white
    assert amp.get_black_list() == [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm]


SCALED = {"dynamic": amp.DynamicLossScaleManager(1024, 2, 2), "fixed": amp.FixedLossScaleManager(64.0), "not": None}


@pytest.mark.parametrize("name", SCALED)
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_models_with_scaled_losses(name: str, mode: int) -> None:
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        rows = ds.NumpySlicesDataset((A.asnumpy(), B.asnumpy()), ["a", "b"], shuffle=False).batch(4)
        losses = []
        for options in ({}, {"loss_scale_manager": SCALED[name]}):
            net, history = dense(), train.History()
            model = ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), **options)
            model.train(3, rows, [history, train.LossMonitor()])
            losses.append(history.history["net_output"])
        np.testing.assert_allclose(losses[1], losses[0], rtol=1e-6)
        assert isinstance(model.train_network, nn.TrainOneStepWithLossScaleCell) == (name != "not")
    finally:
        ms.set_context(mode=before)


def test_levels_given_again_change_nothing() -> None:
    net = nn.SequentialCell(nn.Dense(4, 3), nn.BatchNorm1d(3))
    results = []
    for _ in range(2):
        ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), amp_level="O2")
        amp.auto_mixed_precision(net, "O3", ms.bfloat16)
        amp.auto_mixed_precision(net, "O2", ms.bfloat16)
        results.append(([len(cell._cell_hooks.after) for _, cell in net.cells_and_names()], net(A).asnumpy().tolist()))
    assert results[0] == results[1] and max(results[0][0]) == 1
