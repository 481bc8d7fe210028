"""Optimizers, their groups and schedules: ten steps as MindSpore's and PyTorch's (optimizer_results.json), names of what
they keep, and what is refused. (Groups that are refused are in test_checkpoints.py.)"""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import optimizer_cases as cases
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, mint, nn
from emberjit.experimental import optim
from emberjit.experimental.optim import lr_scheduler

RESULTS = json.loads((Path(__file__).parent / "optimizer_results.json").read_text())
W = np.array([[0.5, -1.5, 2.0], [1.0, 0.25, -0.75]], np.float32)
G = np.array([[1.0, -0.5, 0.0], [0.75, -2.0, 1.5]], np.float32)


def parameter(value: Any = W, name: str = "w") -> Parameter:
    return Parameter(Tensor(value), name=name)


@pytest.mark.parametrize("name, make", list(cases.of_nn(ms)), ids=lambda value: value if isinstance(value, str) else "")
def test_steps_are_mindspores(name: str, make: Any) -> None:
    got = cases.ten_steps(make, lambda value, name: Parameter(Tensor(value), name=name), cases.step_of(ms))
    np.testing.assert_allclose(got, RESULTS["mindspore"][name], rtol=1e-5, atol=3e-6)


@pytest.mark.parametrize("module", [optim, mint.optim], ids=["experimental", "mint"])
@pytest.mark.parametrize("name", RESULTS["torch"])
def test_steps_are_pytorchs(module: Any, name: str) -> None:
    make = dict(cases.of_groups(module)).get(name)
    if make is None:
        return
    got = cases.ten_steps(make, lambda value, name: Parameter(Tensor(value), name=name), cases.step_of(ms))
    np.testing.assert_allclose(got, RESULTS["torch"][name], rtol=3e-6, atol=1e-6)


def lamb(w: Any, t: int, m: Any, v: Any) -> Any:
    m, v = 0.9 * m + 0.1 * G, 0.999 * v + 0.001 * G * G
    change = m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-6) + 0.1 * w
    return w - 0.1 * np.linalg.norm(w) / np.linalg.norm(change) * change, m, v


def test_lamb() -> None:
    p = parameter()
    optimizer = nn.Lamb([p], 0.1, weight_decay=0.1)
    w, m, v = W.astype(np.float64), 0.0, 0.0
    for t in range(1, 4):
        optimizer((Tensor(G),))
        w, m, v = lamb(w, t, m, v)
    np.testing.assert_allclose(p.asnumpy(), w, rtol=1e-4)


@pytest.mark.parametrize("clip", [False, True])
def test_lars(clip: bool) -> None:
    p, q = parameter(), parameter(name="bias")
    optimizer = nn.LARS(nn.SGD([p, q], 0.001, weight_decay=0.1, loss_scale=2.0), coefficient=0.1, use_clip=clip)
    optimizer((Tensor(2 * G), Tensor(2 * G)))
    w, g = np.linalg.norm(W), np.linalg.norm(G)
    rate = 0.1 * w / (g + 0.1 * w + 1e-5)
    rate = min(rate / 0.001, 1) if clip else rate
    np.testing.assert_allclose(p.asnumpy(), W - 0.001 * rate * (G + 0.1 * W), rtol=1e-6)
    np.testing.assert_allclose(q.asnumpy(), W - 0.001 * G, rtol=1e-6)


def test_gradients_are_centred() -> None:
    w = np.ones((2, 16, 3), np.float32)
    g = np.sin(np.arange(96, dtype=np.float32)).reshape(w.shape)
    p, q, r = parameter(w, "a"), parameter(w[:, :3], "b"), parameter(w, "c")
    optimizer = nn.SGD([{"params": [p, q], "grad_centralization": True}, {"params": [r]}], 0.5)
    optimizer((Tensor(g), Tensor(g[:, :3]), Tensor(g)))
    np.testing.assert_allclose(p.asnumpy(), w - 0.5 * (g - g.mean((1, 2), keepdims=True)), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(q.asnumpy(), (w - 0.5 * g)[:, :3], rtol=1e-6)
    np.testing.assert_allclose(r.asnumpy(), w - 0.5 * g, rtol=1e-6)


KEPT: dict[str, tuple[dict[str, Any], list[str]]] = {
    "Adam": ({"use_amsgrad": True}, ["beta1_power", "beta2_power", "moment1.w", "moment2.w", "vhat.w"]),
    "LazyAdam": ({}, ["beta1_power", "beta2_power", "moment1.w", "moment2.w"]),
    "AdamWeightDecay": ({}, ["adam_m.w", "adam_v.w"]),
    "Momentum": ({"learning_rate": 0.1, "momentum": 0.9}, ["momentum", "moments.w"]),
    "SGD": ({}, ["momentum", "accum.w", "stat.w"]),
    "RMSProp": ({"centered": True}, ["mean_grad.w", "mean_square.w", "moment.w"]),
    "ASGD": ({}, ["mu_w", "eta_w", "ax_.w"]),
    "Rprop": ({}, ["prev.w", "step_size.w"]),
    "Adagrad": ({}, ["accum.w"]),
    "FTRL": ({}, ["moments.w", "linear.w"]),
    "Adadelta": ({}, ["accum.w", "accum_update.w"]),
    "AdaMax": ({}, ["beta1_power", "moment1.w", "moment2.w"]),
    "Lamb": ({"learning_rate": 0.1}, ["lamb_m.w", "lamb_v.w"]),
    "AdaFactor": ({}, ["exp_avg.w", "exp_avg_sq_row_w", "exp_avg_sq_col_w", "exp_avg_sq_w", "afactor_step"]),
}


@pytest.mark.parametrize("kind", KEPT)
def test_what_is_kept_has_mindspores_names(kind: str) -> None:
    options, names = KEPT[kind]
    optimizer = getattr(nn.optim, kind)([parameter()], **options)
    assert {*optimizer.parameters_dict()} == {"global_step", "learning_rate", "w", *names}


def test_a_step_is_the_same_in_a_graph_of_the_users() -> None:
    results = []
    for wrap in (lambda f: f, ms.jit):
        p = parameter()
        optimizer = nn.Adam([p], nn.PolynomialDecayLR(0.1, 0.01, 4, 2.0), weight_decay=0.1)
        step = wrap(lambda g, optimizer=optimizer: optimizer((g,)))
        for _ in range(3):
            step(Tensor(G))
        results.append(p.asnumpy())
        assert int(optimizer.global_step) == 3
    np.testing.assert_array_equal(*results)


def test_a_rate_can_be_assigned_and_a_copy_goes_on() -> None:
    p = parameter()
    optimizer = nn.SGD([p], 0.5)
    optimizer((Tensor(G),))
    optimizer.learning_rate.set_data(Tensor(0.25))
    copy = pickle.loads(pickle.dumps(optimizer))
    optimizer((Tensor(G),))
    copy((Tensor(G),))
    np.testing.assert_allclose(p.asnumpy(), W - 0.75 * G)
    np.testing.assert_array_equal(copy.parameters[0].asnumpy(), p.asnumpy())


@pytest.mark.parametrize("size", [5, 20_003])
def test_steps_in_place_have_the_bits_of_others(size: int) -> None:
    """Also once the loop is native: each vector is stored after its last read."""
    start = [np.sin(np.arange(size, dtype=np.float32) + i) ** 2 for i in range(4)]
    p, m, v, g = (parameter(value, f"p{i}") for i, value in enumerate(start))

    def adam(p: Any, m: Any, v: Any, g: Any) -> Any:
        first, second = m * 0.9 + g * 0.1, v * 0.999 + g * g * 0.001
        return p - first * 0.01 / (ms.ops.sqrt(second) + 1e-8), first, second

    @ms.jit
    def in_place(g: Any) -> None:
        for variable, value in zip((p, m, v), adam(p, m, v, g)):
            ms.ops.assign(variable, value)

    values = [Tensor(value) for value in start[:3]]
    for _ in range(60):
        in_place(g)
        values = adam(*values, g)
    for variable, value in zip((p, m, v), values):
        np.testing.assert_array_equal(variable.asnumpy(), value.asnumpy())


class Clipped(nn.Momentum):
    def construct(self, gradients: Any) -> Any:
        return super().construct(ms.ops.clip_by_global_norm(gradients, 1.0))


class Own(nn.Optimizer):
    def __init__(self, params: Any):
        super().__init__(0.1, params, weight_decay=0.1, loss_scale=2.0)
        self.moments = self.parameters.clone(prefix="moments", init="zeros")
        self.opt = ms.ops.ApplyMomentum()

    def construct(self, gradients: Any) -> Any:
        gradients = self.scale_grad(self.gradients_centralization(self.decay_weight(self.flatten_gradients(gradients))))
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        update = ms.ops.MultitypeFuncGraph("update")
        update.register("Tensor", "Tensor", "Tensor")(lambda p, m, g: self.opt(p, m, self.get_lr(), g, 0.9))
        return self.hyper_map(update, self.parameters, self.moments, gradients)


@pytest.mark.parametrize(
    "make, scale",
    [(lambda p: Clipped([p], 0.1, 0.9), 1 / np.linalg.norm(G)), (lambda p: Own([p]), 0.5)],
    ids=["over one", "over the base"],
)
def test_optimizers_of_users(make: Any, scale: float) -> None:
    p = parameter()
    make(p)((Tensor(G),))
    decay = 0.1 * W if scale == 0.5 else 0
    np.testing.assert_allclose(p.asnumpy(), W - 0.1 * (G * scale + decay), rtol=1e-5)


SCHEDULES: dict[str, tuple[Any, list[float]]] = {
    "StepLR": (lambda o: lr_scheduler.StepLR(o, 2, gamma=0.5), [1, 1, 0.5, 0.5, 0.25, 0.25]),
    "LinearLR": (lambda o: lr_scheduler.LinearLR(o, 0.5, total_iters=4), [0.5, 0.625, 0.75, 0.875, 1, 1]),
    "ExponentialLR": (lambda o: lr_scheduler.ExponentialLR(o, 0.9), [1, 0.9, 0.81, 0.729, 0.6561, 0.59049]),
    "PolynomialLR": (lambda o: lr_scheduler.PolynomialLR(o, 4, 2.0), [1, 0.5625, 0.25, 0.0625, 0, 0]),
    "LambdaLR": (lambda o: lr_scheduler.LambdaLR(o, lambda e: 0.9**e), [1, 0.9, 0.81, 0.729, 0.6561, 0.59049]),
    "MultiplicativeLR": (lambda o: lr_scheduler.MultiplicativeLR(o, lambda e: 0.5), [1, 0.5, 0.25, 0.125, 0.0625]),
    "MultiStepLR": (lambda o: lr_scheduler.MultiStepLR(o, [2, 4], 0.1), [1, 1, 0.1, 0.1, 0.01, 0.01]),
    "ConstantLR": (lambda o: lr_scheduler.ConstantLR(o, 0.5, 3), [0.5, 0.5, 0.5, 1, 1]),
    "CyclicLR": (lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=3), [0.01, 0.04, 0.07, 0.1, 0.07, 0.04]),
    "triangular2": (
        lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, 3, 2, mode="triangular2"),
        [0.01, 0.04, 0.07, 0.1, 0.055, 0.01, 0.025, 0.04],
    ),
    "exp_range": (
        lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, 3, 2, mode="exp_range", gamma=0.9),
        [0.01, 0.037, 0.0586, 0.07561, 0.039525, 0.01],
    ),
    "CosineAnnealingLR": (
        lambda o: lr_scheduler.CosineAnnealingLR(o, 3, 0.01),
        [1, 0.7525, 0.2575, 0.01, 0.2575, 0.7525, 1, 0.7525],
    ),
    "restarts": (
        lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 2, 2, 0.01),
        [1, 0.505, 1, 0.855018, 0.505, 0.154982, 1, 0.96232],
    ),
    "SequentialLR": (
        lambda o: lr_scheduler.SequentialLR(
            o, [lr_scheduler.ConstantLR(o, 0.1, 2), lr_scheduler.ExponentialLR(o, 0.9)], [2]
        ),
        [0.1, 0.1, 1, 0.9, 0.81],
    ),
}


@pytest.mark.parametrize("make, rates", SCHEDULES.values(), ids=SCHEDULES)
def test_schedulers(make: Any, rates: list[float]) -> None:
    optimizer = optim.SGD([parameter()], lr=1.0)
    scheduler = make(optimizer)
    for wanted in rates:
        np.testing.assert_allclose(float(optimizer.param_groups[0]["lr"]), wanted, rtol=2e-5, atol=1e-8)
        np.testing.assert_allclose(float(scheduler.get_last_lr()[0]), wanted, rtol=2e-5, atol=1e-8)
        scheduler.step()


@pytest.mark.parametrize("name", [name for name in SCHEDULES if name != "SequentialLR"])
def test_schedulers_in_a_graph_and_by_epoch(name: str) -> None:
    make, rates = SCHEDULES[name]
    optimizer = optim.SGD([parameter()], lr=1.0)
    scheduler = make(optimizer)
    ms.jit(lambda: scheduler.step())()
    np.testing.assert_allclose(float(optimizer.lrs[0]), rates[1], rtol=2e-5)
    if name not in ("MultiplicativeLR", "SequentialLR"):
        scheduler.step(3)
        np.testing.assert_allclose(float(optimizer.lrs[0]), rates[3], rtol=1e-4)


def test_a_plateau() -> None:
    optimizer = optim.SGD([parameter()], lr=1.0)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    rates = []
    for metric in [1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5]:
        scheduler.step(Tensor(float(metric)))
        rates.append(float(scheduler.get_last_lr()[0]))
    np.testing.assert_allclose(rates, [1, 1, 0.1, 0.1, 0.1, 0.1, 0.01, 0.01], rtol=1e-5)


def test_options_of_groups_may_change() -> None:
    p, q = parameter(name="p"), parameter(name="q")
    optimizer = optim.SGD([p], lr=0.5)
    optimizer((Tensor(G),))
    optimizer.param_groups[0]["lr"] = 0.25
    optimizer.param_groups[0]["maximize"] = True
    optimizer.add_param_group({"params": q, "lr": 1.0})
    optimizer((Tensor(G), Tensor(G)))
    np.testing.assert_allclose(p.asnumpy(), W - 0.25 * G)
    np.testing.assert_allclose(q.asnumpy(), W - G)


LISTS: dict[str, tuple[Any, Any]] = {
    "exponential": (nn.exponential_decay_lr(0.1, 0.9, 6, 2, 1), [0.1, 0.1, 0.09, 0.09, 0.081, 0.081]),
    "a stair": (nn.exponential_decay_lr(0.1, 0.9, 6, 1, 2, True), [0.1, 0.1, 0.09, 0.09, 0.081, 0.081]),
    "natural": (nn.natural_exp_decay_lr(0.1, 0.9, 3, 2, 1, True), [0.1, 0.1, 0.1 * np.exp(-0.9)]),
    "inverse": (nn.inverse_decay_lr(0.1, 0.5, 3, 1, 1), [0.1, 0.1 / 1.5, 0.05]),
    "cosine": (nn.cosine_decay_lr(0.01, 0.1, 4, 1, 2), [0.1, 0.055, 0.01, 0.01]),
    "polynomial": (nn.polynomial_decay_lr(0.1, 0.01, 4, 1, 2, 0.5), [0.1, 0.09 * 0.5**0.5 + 0.01, 0.01, 0.01]),
    "updated": (nn.polynomial_decay_lr(0.1, 0.01, 4, 1, 2, 1.0, True), [0.1, 0.055, 0.01, 0.09 * 0.25 + 0.01]),
    "warm up": (nn.warmup_lr(0.1, 4, 1, 2), [0, 0.05, 0.1, 0.1]),
    "constants": (nn.piecewise_constant_lr([1, 3], [0.5, 0.25]), [0.5, 0.25, 0.25]),
}


@pytest.mark.parametrize("got, wanted", LISTS.values(), ids=LISTS)
def test_lists_of_rates(got: Any, wanted: Any) -> None:
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


CELLS: list[tuple[Any, list[float]]] = [
    (nn.ExponentialDecayLR(0.1, 0.9, 2, True), nn.exponential_decay_lr(0.1, 0.9, 5, 1, 2, True)),
    (nn.NaturalExpDecayLR(0.1, 0.9, 2, True), nn.natural_exp_decay_lr(0.1, 0.9, 5, 1, 2, True)),
    (nn.InverseDecayLR(0.1, 0.9, 2), nn.inverse_decay_lr(0.1, 0.9, 5, 1, 2)),
    (nn.CosineDecayLR(0.01, 0.1, 3), nn.cosine_decay_lr(0.01, 0.1, 5, 1, 3)),
    (nn.PolynomialDecayLR(0.1, 0.01, 2, 0.5, True), nn.polynomial_decay_lr(0.1, 0.01, 5, 1, 2, 0.5, True)),
    (nn.WarmUpLR(0.1, 3), nn.warmup_lr(0.1, 5, 1, 3)),
]


@pytest.mark.parametrize("cell, wanted", CELLS, ids=lambda value: type(value).__name__)
def test_schedules(cell: Any, wanted: list[float]) -> None:
    got = [float(cell(Tensor(step, ms.int32))) for step in range(5)]
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-8)


REFUSED: list[tuple[Any, Any, str]] = [
    (lambda p: nn.Momentum([p], 0.1, 1), TypeError, "'momentum'"),
    (lambda p: nn.Momentum([p], "a", 0.9), TypeError, "'learning_rate' must be"),
    (lambda p: nn.Momentum([p], -0.1, 0.9), ValueError, "'learning_rate'"),
    (lambda p: nn.Momentum([p], Tensor(W), 0.9), ValueError, "at most one axis"),
    (lambda p: nn.Momentum([p], 0.1, 0.9, weight_decay="a"), TypeError, "'weight_decay' must be"),
    (lambda p: nn.Momentum([p], 0.1, 0.9, loss_scale=0.0), ValueError, "'loss_scale'"),
    (lambda p: nn.Momentum([], 0.1, 0.9), ValueError, "'parameters' must not be empty"),
    (lambda p: nn.Momentum(None, 0.1, 0.9), ValueError, "'parameters' must not be None"),
    (lambda p: nn.Momentum(3, 0.1, 0.9), TypeError, "must be iterable"),
    (lambda p: nn.Momentum([3], 0.1, 0.9), TypeError, "must be a Parameter"),
    (lambda p: nn.Adam([p], beta1=1.5), ValueError, "'beta1'"),
    (lambda p: nn.Adam([p], beta1=1), TypeError, "'?beta1'?"),
    (lambda p: nn.Adam([p], use_foo=1), KeyError, "use_foo"),
    (lambda p: nn.Adam([p], use_lazy=True, use_amsgrad=True), ValueError, "only one of"),
    (lambda p: nn.FTRL([p], learning_rate=0.0), ValueError, "'learning_rate'"),
    (lambda p: nn.FTRL([p], learning_rate=[0.1, 0.2]), ValueError, "one float for all steps"),
    (lambda p: nn.SGD([p], nesterov=True), ValueError, "'nesterov' needs"),
    (lambda p: nn.SGD([p])((Tensor(G), Tensor(G))), ValueError, "2 gradients for 1 parameters"),
    (lambda p: nn.SGD([p])(Tensor(G)), TypeError, "must be a tuple or list"),
    (
        lambda p: nn.SGD([p])((Tensor(G[:1]),)),
        ValueError,
        r"the gradient of 'w' must have its shape \(2, 3\), but has \(1, 3\)",
    ),
    (lambda p: optim.SGD([p], lr=0.1)((G,)), TypeError, "the gradient of 'w' must be a Tensor"),
    (lambda p: nn.SGD([{"params": [p], "lr": [0.1, 0.2]}], [0.1] * 3), ValueError, "must have one length"),
    (lambda p: nn.Optimizer(0.1, [p])(3), NotImplementedError, "'construct' must be defined"),
    (lambda p: nn.thor(None, 0.1, 0.1, 0.9), NotImplementedError, "Ascend and GPU only"),
    (lambda p: nn.AdaSumByGradWrapCell(nn.SGD([p])), RuntimeError, "is of training on several devices"),
    (
        lambda p: ms.load_distributed_checkpoint(p),
        NotImplementedError,
        "'load_distributed_checkpoint': it is of checkpoints",
    ),
    (lambda p: nn.WarmUpLR(1, 3), TypeError, "'learning_rate'"),
    (lambda p: nn.CosineDecayLR(0.1, 0.1, 3), ValueError, "'max_lr' must be greater"),
    (lambda p: nn.piecewise_constant_lr([3, 2], [0.1, 0.2]), ValueError, "must not descend"),
    (lambda p: optim.Adam([p], lr=-1.0), ValueError, "'lr' must not be negative"),
    (lambda p: optim.Adam([p], betas=(0.9, 1.0)), ValueError, r"'betas\[1\]' must be within \[0, 1\)"),
    (lambda p: optim.Adam([{"params": [p]}, {"params": [p]}]), ValueError, "more than one parameter group"),
    (lambda p: optim.SGD([p]), TypeError, "lr"),
    (lambda p: mint.optim.SGD([p], lr="a"), TypeError, "'lr' must be a number"),
    (lambda p: lr_scheduler.StepLR(nn.SGD([p]), 2), TypeError, "must be an Optimizer of experimental.optim"),
    (lambda p: optim.Adam([{"params": [p], "momentum": 0.9}]), KeyError, r"but got \['momentum'\]"),
    (lambda p: mint.optim.SGD([{"params": [p], "leaning_rate": 0.9}], 0.1), KeyError, r"but got \['leaning_rate'\]"),
    (lambda p: lr_scheduler.StepLR(optim.SGD([p], lr=1.0), 2.0), TypeError, "step_size"),
    (lambda p: lr_scheduler.StepLR(optim.SGD([p], lr=1.0), 2, last_epoch=3), KeyError, "initial_lr"),
    (lambda p: lr_scheduler.ReduceLROnPlateau(optim.SGD([p], lr=1.0), "mean"), ValueError, "'mode' must be"),
]


@pytest.mark.parametrize("call, error, message", REFUSED)
def test_refused(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call(parameter())


@pytest.mark.parametrize("rates", [(0.1, 0.2), ([0.1, 0.2], 0.3), (nn.ExponentialDecayLR(0.1, 0.5, 2), 0.2)])
def test_what_groups_say_of_each_parameter(rates) -> None:
    first, second = (ms.Parameter(ms.Tensor([1.0]), name=name) for name in ("first", "second"))
    groups = [{"params": [first], "lr": rates[0], "weight_decay": 0.5}, {"params": [second], "grad_centralization": True}]
    optimizer = nn.SGD([*groups, {"order_params": [second, first]}], rates[1])
    assert [p.name for p in optimizer.group_params] == ["second", "first"]
    assert [*optimizer.group_lr] == [*optimizer.learning_rate] and len(optimizer.group_lr) == 2
    assert optimizer.group_weight_decay == [0.0, 0.5] and optimizer.group_grad_centralization == [True, False]
    plain = nn.SGD([{"params": [first]}, {"params": [second]}], 0.25)
    assert [float(rate) for rate in plain.group_lr] == [0.25, 0.25]
    assert not hasattr(nn.SGD([first, second], 0.1), "group_lr")


@pytest.mark.parametrize("make", [nn.Adam, nn.Momentum, nn.SGD, nn.AdamWeightDecay, ms.mint.optim.AdamW, ms.mint.optim.SGD])
def test_state_dicts_are_loaded_by_the_optimizer_that_has_given_them(make: Any) -> None:
    arguments = {"momentum": 0.9} if make in (nn.Momentum, nn.SGD, ms.mint.optim.SGD) else {}
    states = []
    for seed in (1, 2):
        ms.set_seed(seed)
        net = nn.Dense(3, 2)
        optimizer = make(net.trainable_params(), 0.01, **arguments)
        for _ in range(seed):
            optimizer(tuple(ms.ops.ones_like(p) for p in optimizer.parameters))
        states.append(optimizer)
    state = {name: value.copy() for name, value in states[0].state_dict().items()}
    keys = states[1].load_state_dict(state)
    assert keys.missing_keys == [] and keys.unexpected_keys == []
    for name, value in states[1].state_dict().items():
        assert (value.asnumpy() == state[name].asnumpy()).all(), name
    with pytest.raises(RuntimeError, match=r'Unexpected key.*"others.weight"'):
        states[1].load_state_dict({**state, "others.weight": Tensor(1.0)})
