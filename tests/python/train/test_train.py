"""Model and its callbacks: the order of events, what is printed, which files are there, what is refused."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, amp, nn, ops, train
from emberjit import dataset as ds
from emberjit.train.callback import progress

X = np.random.RandomState(0).rand(8, 4).astype(np.float32)
Y = np.int32([0, 1, 2, 0, 1, 2, 0, 1])
EVENTS = [
    f"on_{phase}_{point}"
    for phase in ("train", "eval")
    for point in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")
]


def data(size: int = 8, batch: int = 4) -> Any:
    return ds.NumpySlicesDataset((X[:size], Y[:size]), ["x", "y"], shuffle=False).batch(batch)


def network() -> Any:
    net = nn.Dense(4, 3)
    net.weight.set_data(Tensor(np.linspace(-0.5, 0.5, 12, dtype=np.float32).reshape(3, 4)))
    net.bias.set_data(ops.zeros_like(net.bias))
    return net


def model(rate: float = 0.1, **options: Any) -> Any:
    net = network()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return ms.Model(net, loss, nn.Momentum(net.trainable_params(), rate, 0.9), **{"metrics": {"acc"}, **options})


def noting(into: list[Any]) -> Any:
    def of(name: str) -> Any:
        return lambda context: into.append((name, context.original_args().get("cur_step_num")))

    return train.LambdaCallback(**{name: of(name) for name in EVENTS})


def named(events: list[Any]) -> str:
    return " ".join(f"{name.removeprefix('on_')}:{step}" for name, step in events)


STEPS = "train_step_begin:{0} train_step_end:{0}".format
TRAINED = f"train_begin:0 train_epoch_begin:0 {STEPS(1)} {STEPS(2)}"
EVALUATED = "eval_begin:0 eval_epoch_begin:0 eval_step_begin:1 eval_step_end:1 eval_epoch_end:1 eval_end:1"


def test_events() -> None:
    events: list[Any] = []
    model().train(2, data(), noting(events))
    again = f"train_epoch_begin:2 {STEPS(3)} {STEPS(4)} train_epoch_end:4 train_end:4"
    assert named(events) == f"{TRAINED} train_epoch_end:2 {again}"
    events.clear()
    model().fit(1, data(), data(4), callbacks=[noting(events)])
    assert named(events) == f"{TRAINED} {EVALUATED} train_epoch_end:2 train_end:2"
    events.clear()
    assert model().eval(data(4), noting(events)).keys() == {"acc"} and named(events) == EVALUATED


def numbers_removed(text: str) -> str:
    return re.sub(r"\d+\.\d+", "#", text)


def test_what_is_printed(capsys: Any) -> None:
    callbacks = [train.LossMonitor(2), train.TimeMonitor(data_time=True), train.TimeMonitor()]
    model().fit(2, data(), data(4), valid_frequency=[2], callbacks=callbacks)
    times = "{0} epoch time: # ms, per step time: # ms (data time: # ms)\n{0} epoch time: # ms, per step time: # ms\n"
    assert numbers_removed(capsys.readouterr().out) == (
        "epoch: 1 step: 2, loss is #\n"
        + times.format("Train")
        + "epoch: 2 step: 2, loss is #\n"
        + times.format("Eval")
        + "Eval result: epoch 2, metrics: {'acc': #}\n"
        + times.format("Train")
    )


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_losses_are_those_of_a_loop(mode: int) -> None:
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        history = train.History()
        trained = model()
        trained.train(3, data(), history)
        again = model()
        step, losses = again.train_network, []
        for _ in range(3):
            losses += [float(step(Tensor(X[at : at + 4]), Tensor(Y[at : at + 4]))) for at in (0, 4)]
        assert history.history["net_output"] == losses[1::2] and history.epoch == {"epoch": [1, 2, 3]}
        np.testing.assert_array_equal(trained.predict(Tensor(X)).asnumpy(), again.predict_network(Tensor(X)).asnumpy())
        assert trained.eval(data())["acc"] == (trained.predict(Tensor(X)).asnumpy().argmax(1) == Y).mean()
    finally:
        ms.set_context(mode=before)


def test_a_step_is_one_graph() -> None:
    trained = model()
    trained.train(4, data())
    found = ms.explain(trained.train_network._jitted)
    assert found["breaks"] == [] and [one["calls"] for one in found["entries"][0]["specialisations"]] == [8]


def test_graphs_are_captured_in_advance() -> None:
    built = model()
    before = built.train_network.network._backbone.weight.asnumpy()
    built.build(data(), data())
    np.testing.assert_array_equal(built.predict_network.weight.asnumpy(), before)
    built.fit(2, data(), data())
    for network in (built.train_network, built.eval_network):
        assert len(ms.explain(network._jitted)["entries"]) == 1


def steps_of(call: Any) -> list[Any]:
    events: list[Any] = []
    call(train.LambdaCallback(on_train_step_end=lambda c: events.append(tuple(c.original_args()[n] for n in NUMBERS))))
    return events


NUMBERS = ("cur_epoch_num", "cur_step_num", "batch_num")


def test_epochs_of_other_sizes() -> None:
    def sunk(size: int, epochs: int, **options: Any) -> Any:
        return lambda noted: model().train(epochs, data(8, 2), noted, True, size, **options)

    assert steps_of(sunk(-1, 1)) == [(1, step, 4) for step in (1, 2, 3, 4)]
    assert steps_of(sunk(3, 2)) == [(1, 1, 3), (1, 2, 3), (1, 3, 3), (2, 4, 3), (2, 5, 3), (2, 6, 3)]
    assert steps_of(lambda noted: model().train(3, data(), noted, initial_epoch=2)) == [(3, 1, 2), (3, 2, 2)]


class Own:
    """A dataset that is its own iterator."""

    at = 0

    def get_dataset_size(self) -> int:
        return 2

    def create_tuple_iterator(self, num_epochs: int = -1) -> Any:
        return self

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        self.at += 1
        if self.at > 2:
            raise StopIteration
        return Tensor(X[:4]), Tensor(Y[:4])

    def reset(self) -> None:
        self.at = 0


def test_datasets_of_ones_own() -> None:
    assert steps_of(lambda noted: model().train(2, Own(), noted)) == [(1, 1, 2), (1, 2, 2), (2, 3, 2), (2, 4, 2)]


def test_a_stop_ends_training() -> None:
    events: list[Any] = []
    stop = train.LambdaCallback(on_train_step_end=lambda context: context.request_stop())
    model().train(3, data(), [stop, noting(events)])
    assert named(events) == f"train_begin:0 train_epoch_begin:0 {STEPS(1)} train_epoch_end:1 train_end:1"


CONFIGS: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {  # of three epochs of two steps, and one more run
    "each step": ({}, ["N-1_2", "N-2_1", "N-2_2", "N-3_1", "N-3_2"], ["N_1-1_1", "N_1-1_2"]),
    "each fourth": ({"save_checkpoint_steps": 4}, ["N-2_2", "N-3_2"], ["N_1-1_2"]),
    "the last two": ({"keep_checkpoint_max": 2}, ["N-3_1", "N-3_2"], ["N_1-1_1", "N_1-1_2"]),
    "by time": ({"save_checkpoint_steps": 0, "save_checkpoint_seconds": 999}, ["N-3_2"], ["N_1-1_2"]),
    "one of some minutes": (
        {"save_checkpoint_steps": 2, "keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 1},
        ["N-1_2", "N-3_2"],
        ["N_1-1_2"],
    ),
}


def names_in(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*.*"))


@pytest.mark.parametrize("name", CONFIGS)
def test_checkpoints(name: str, tmp_path: Path) -> None:
    options, first, second = CONFIGS[name]
    for epochs, wanted in ((3, first), (1, first + second)):
        saving = train.ModelCheckpoint("N", tmp_path, train.CheckpointConfig(**options))
        trained = model()
        trained.train(epochs, data(), saving)
        assert names_in(tmp_path) == sorted(f"{one}.ckpt" for one in wanted)
    loaded = ms.load_checkpoint(saving.latest_ckpt_file_name)
    np.testing.assert_array_equal(loaded["weight"].asnumpy(), trained.predict_network.weight.asnumpy())
    assert {"weight", "bias", "moments.weight", "moments.bias"} <= loaded.keys()


def test_names_and_folders_of_checkpoints_may_be_functions(tmp_path: Path) -> None:
    config = train.CheckpointConfig(append_info=["epoch_num", "step_num", {"rate": 0.5}], saved_network=nn.Dense(1, 1))
    saving = train.ModelCheckpoint(
        lambda told: f"at{told['cur_step_num']}", lambda told: tmp_path / str(told.cur_epoch_num), config
    )
    model().train(2, data(), saving)
    assert names_in(tmp_path) == ["1/at1.ckpt", "1/at2.ckpt", "2/at3.ckpt", "2/at4.ckpt"]
    loaded = ms.load_checkpoint(tmp_path / "2" / "at4.ckpt")
    assert (int(loaded["epoch_num"]), int(loaded["step_num"]), float(loaded["rate"])) == (2, 4, 0.5)
    assert loaded.keys() == {"weight", "bias", "epoch_num", "step_num", "rate"}


def failing(step: int) -> Any:
    def fail(context: Any) -> None:
        if context.original_args().cur_step_num == step:
            raise OSError("fails")

    return train.LambdaCallback(on_train_step_end=fail)


def test_an_exception_saves(tmp_path: Path) -> None:
    saving = train.ModelCheckpoint("N", tmp_path, train.CheckpointConfig(save_checkpoint_steps=9, exception_save=True))
    with pytest.raises(OSError, match="fails"):
        model().train(3, data(), [failing(3), saving])
    assert names_in(tmp_path) == ["N-2_1_breakpoint.ckpt"]


def test_a_backup_is_restored(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="fails"):
        model().train(3, data(), [failing(3), train.BackupAndRestore(tmp_path)])
    assert names_in(tmp_path) == ["backup.ckpt"]
    restored, whole, losses = model(), model(), []
    for one, epochs in ((whole, 2), (restored, 1)):
        history = train.History()
        one.train(epochs, data(), [history, *([] if one is whole else [train.BackupAndRestore(tmp_path)])])
        losses.append(history.history["net_output"][-1])
    assert losses[0] == losses[1] and names_in(tmp_path) == []


def test_a_signal_ends_training(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    send = train.LambdaCallback(on_train_step_begin=lambda context: os.kill(os.getpid(), signal.SIGTERM))
    asked = train.OnRequestExit(save_mindir=False, directory=str(tmp_path))
    assert steps_of(lambda noted: model().train(3, data(), [send, asked, noted])) == [(1, 1, 2)]
    assert signal.getsignal(signal.SIGTERM) == before and names_in(tmp_path) == ["rank_0/Net_train.ckpt"]
    trained = model(rate=0.0)
    trained.train(1, data(), train.OnRequestExit(save_mindir=False, directory=str(tmp_path)))
    assert not np.array_equal(trained.predict_network.weight.asnumpy(), network().weight.asnumpy())
    (tmp_path / "asked.json").write_text('{"GracefulExit": 1}')
    by_file = train.OnRequestExit(False, False, directory=str(tmp_path), config_file=str(tmp_path / "asked.json"))
    assert steps_of(lambda noted: model().train(3, data(), [by_file, noted])) == [(1, 1, 2)]


def test_callbacks_serve_again(tmp_path: Path) -> None:
    saving = train.ModelCheckpoint("N", tmp_path, train.CheckpointConfig(save_checkpoint_steps=2))
    model().train(2, data(), saving)
    model().train(1, data(), saving)
    assert names_in(tmp_path) == ["N-1_2.ckpt", "N-2_2.ckpt"] and saving.latest_ckpt_file_name.endswith("N-1_2.ckpt")
    asked = train.OnRequestExit(False, False, directory=str(tmp_path), sig=signal.SIGUSR1)
    once = [train.LambdaCallback(on_train_begin=lambda context: os.kill(os.getpid(), signal.SIGUSR1)), []]
    steps = [steps_of(lambda noted: model().train(2, data(), [asked, *sending, noted])) for sending in (once[:1], once[1])]
    assert [len(taken) for taken in steps] == [1, 4]


def monitored(callback: Any, values: list[float], **told: Any) -> Any:
    """What a callback does with values of a metric, epoch by epoch: the epoch that ends training, or None."""
    net = network()
    optimizer = nn.Momentum(net.trainable_params(), 1.0, 0.9)
    context = ms.RunContext({"train_network": net, "optimizer": optimizer, **told})
    callback.on_train_begin(context)
    for epoch, value in enumerate(values, 1):
        context.original_args().update(cur_epoch_num=epoch, eval_results={"acc": value})
        callback.on_train_epoch_end(context)
        if context.get_stop_requested():
            break
    callback.on_train_end(context)
    return epoch if context.get_stop_requested() else None, float(optimizer.learning_rate)


STOPS = [
    ({"patience": 2}, [0.1, 0.2, 0.2, 0.2, 0.3], 4),
    ({"patience": 2}, [0.1, 0.2, 0.2, 0.3, 0.2], None),
    ({"patience": 1, "mode": "min"}, [0.3, 0.2, 0.1, 0.1], 4),
    ({"patience": 1, "min_delta": 0.15}, [0.0, 0.2, 0.3], 3),
    ({"patience": 2, "baseline": 0.5}, [0.1, 0.2], 2),
    ({"patience": 2, "baseline": 0.5}, [0.6, 0.7, 0.8], None),
    ({"patience": 1}, [0.1, float("nan")], 2),
]


@pytest.mark.parametrize("options, values, epoch", STOPS)
def test_early_stopping(options: Any, values: list[float], epoch: int | None, capsys: Any) -> None:
    stopping = train.EarlyStopping("acc", verbose=True, **options)
    assert monitored(stopping, values)[0] == epoch
    assert capsys.readouterr().out == (f"Epoch {epoch:05d}: early stopping\n" if epoch else "")


def test_the_best_weights_are_restored() -> None:
    net = network()
    stopping = train.EarlyStopping("acc", patience=2, restore_best_weights=True)
    context = ms.RunContext({"train_network": net})
    stopping.on_train_begin(context)
    for epoch, value in enumerate([0.1, 0.3, 0.2, 0.2], 1):
        net.bias.set_data(Tensor(np.full(3, epoch, np.float32)))
        context.original_args().update(cur_epoch_num=epoch, eval_results={"acc": value})
        stopping.on_train_epoch_end(context)
    assert net.bias.asnumpy().tolist() == [2, 2, 2]


RATES = [
    ({"patience": 1}, [0.1, 0.1, 0.1], 0.01),
    ({"patience": 2, "factor": 0.5}, [0.1, 0.1, 0.1], 0.5),
    ({"patience": 1, "cooldown": 2, "factor": 0.5}, [0.1, 0.1, 0.1, 0.1], 0.25),
    ({"patience": 1, "min_lr": 0.4, "factor": 0.1}, [0.1, 0.1, 0.1], 0.4),
]


@pytest.mark.parametrize("options, values, rate", RATES)
def test_the_learning_rate_falls(options: Any, values: list[float], rate: float) -> None:
    assert monitored(train.ReduceLROnPlateau("acc", **options), values)[1] == pytest.approx(rate)


def test_the_learning_rate_is_scheduled() -> None:
    asked: list[Any] = []

    def schedule(rate: float, step: int) -> float:
        asked.append((rate, step))
        return rate / 2

    trained = model(0.5)
    trained.train(2, data(), train.LearningRateScheduler(schedule))
    assert asked == [(0.5, 1), (0.25, 2), (0.125, 3), (0.0625, 4)] and float(trained._optimizer.learning_rate) == 0.03125


def test_scaled_losses() -> None:
    histories = []
    for scale, options in ((1.0, {}), (64.0, {"loss_scale_manager": amp.FixedLossScaleManager(64.0, False)})):
        net = network()
        optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=scale)
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        histories.append(train.History())
        ms.Model(net, loss, optimizer, **options).train(2, data(), histories[-1])
    np.testing.assert_allclose(*(history.history["net_output"] for history in histories), rtol=1e-6)


def test_own_networks_of_evaluation() -> None:
    class Evaluated(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.net = network()

        def construct(self, x: Any, y: Any) -> Any:
            return y, self.net(x), ops.sum(self.net(x))

    whole = {"acc": train.Accuracy().set_indexes([1, 0])}
    chosen = {"acc": train.Accuracy(), "loss": train.Loss()}
    accuracy = model().eval(data())["acc"]
    assert ms.Model(network(), metrics=whole, eval_network=Evaluated()).eval(data()) == {"acc": accuracy}
    found = ms.Model(network(), metrics=chosen, eval_network=Evaluated(), eval_indexes=[2, 1, 0]).eval(data())
    sums = [network()(Tensor(X[at : at + 4])).asnumpy().sum() for at in (0, 4)]
    assert found["acc"] == accuracy and found["loss"] == pytest.approx(np.mean(sums), rel=1e-5)


OPTIMIZED = {"loss_scale_manager": amp.FixedLossScaleManager()}
REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "network": (lambda: ms.Model(3), TypeError, "network"),
    "option": (lambda: ms.Model(network(), optimiser=3), TypeError, "optimiser"),
    "metrics": (lambda: model(metrics=["acc"]), TypeError, "a dict of names to Metrics or a set"),
    "metric": (lambda: model(metrics={"x"}), KeyError, "must be one of"),
    "metrics without loss": (lambda: ms.Model(network(), metrics={"acc"}), ValueError, "'loss_fn' or 'eval_network'"),
    "level without optimizer": (lambda: ms.Model(network(), amp_level="O2"), ValueError, "needs an 'optimizer'"),
    "scale without optimizer": (lambda: ms.Model(network(), **OPTIMIZED), ValueError, "needs an 'optimizer'"),
    "places": (lambda: model(eval_network=network(), eval_indexes=[0]), ValueError, "a list of 3 places"),
    "epoch": (lambda: model().train(0, data()), ValueError, "'epoch'"),
    "epoch of another type": (lambda: model().train("1", data()), TypeError, "'epoch'"),
    "first epoch": (lambda: model().train(1, data(), initial_epoch=1), ValueError, "above 'initial_epoch'"),
    "labels": (
        lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True)(ops.ones((2, 3)), ops.ones(2)),
        TypeError,
        "int32 or int64, as sparse=True says, but are of Float32",
    ),
    "sink_size": (lambda: model().train(1, data(), sink_size=0), ValueError, "-1 or positive"),
    "sink mode": (lambda: model().train(1, data(), dataset_sink_mode=1), TypeError, "dataset_sink_mode"),
    "no data": (lambda: model().train(1, data(0)), ValueError, "no data"),
    "callback": (lambda: model().train(1, data(), callbacks=[3]), TypeError, "'callbacks'"),
    "columns": (lambda: model().train(1, ds.NumpySlicesDataset((X, Y, Y)).batch(2)), ValueError, "gave 3 columns"),
    "frequency": (lambda: model().fit(1, data(), data(), "a"), TypeError, "'valid_frequency'"),
    "no frequency": (lambda: model().fit(1, data(), data(), 0), ValueError, "valid_frequency"),
    "fit without metrics": (lambda: model(metrics=None).fit(1, data(), data()), ValueError, "needs 'metrics'"),
    "eval without metrics": (lambda: model(metrics=None).eval(data()), ValueError, "must have 'metrics'"),
    "older names": (lambda: model().fit(1, data(), data(), callbacks=Older()), ValueError, "instead of step_end"),
    "predicted list": (lambda: model().predict([1]), TypeError, "Tensors, numbers"),
    "predicted nothing": (lambda: model().predict(Tensor(np.zeros((0, 4), np.float32))), ValueError, "not be empty"),
    "backend": (lambda: model().predict(Tensor(X), backend="x"), ValueError, "must be one of"),
    "layout": (lambda: model().infer_predict_layout(Tensor(X)), RuntimeError, "one device"),
    "train layout": (lambda: model().infer_train_layout(data()), RuntimeError, "one device"),
    "build": (lambda: model().build(), ValueError, "must be given"),
    "infinite loss": (lambda: monitor(float("inf")), ValueError, "the loss is inf in epoch 1, step 1"),
    "print times": (lambda: train.LossMonitor(-1), ValueError, "per_print_times"),
    "data_time": (lambda: train.TimeMonitor(data_time=1), TypeError, "data_time"),
    "prefix": (lambda: train.ModelCheckpoint("a/b"), ValueError, "without '/'"),
    "directory": (lambda: train.ModelCheckpoint("a", 3), TypeError, "the path of a folder"),
    "config": (lambda: train.ModelCheckpoint(config=3), TypeError, "a CheckpointConfig"),
    "never": (lambda: train.CheckpointConfig(0, 0, 0, 0), ValueError, "must be positive"),
    "negative": (lambda: train.CheckpointConfig(-1), ValueError, "save_checkpoint_steps"),
    "information": (lambda: train.CheckpointConfig(append_info=["x"]), ValueError, "'x'"),
    "information's type": (lambda: train.CheckpointConfig(append_info=[3]), TypeError, "a str or dict"),
    "information's value": (lambda: train.CheckpointConfig(append_info=[{"a": [1]}]), TypeError, "'a' with list"),
    "saved_network": (lambda: train.CheckpointConfig(saved_network=3), TypeError, "a Cell"),
    "format": (lambda: train.CheckpointConfig(format="x"), ValueError, "'format'"),
    "mode": (lambda: train.EarlyStopping(mode="x"), ValueError, "'mode'"),
    "patience": (lambda: train.EarlyStopping(patience=-1), ValueError, "patience"),
    "factor": (lambda: train.ReduceLROnPlateau(factor=2.0), ValueError, "factor"),
    "context": (lambda: ms.RunContext(3), TypeError, "must be a dict"),
    "signal": (lambda: train.OnRequestExit(sig=signal.SIGKILL), ValueError, "SIGKILL"),
    "save_freq": (lambda: train.BackupAndRestore("/tmp", 0), ValueError, "save_freq"),
    "thor": (lambda: train.ConvertModelUtils.convert_to_thor_model(3), NotImplementedError, "thor"),
    "fault tolerance": (lambda: train.TrainFaultTolerance(), NotImplementedError, "of several processes"),
    "what is not told": (lambda: train._InternalCallbackParam(a=1).b, AttributeError, "'b' here, but a"),
    "nothing to plot": (lambda: train.History().plot(), RuntimeError, "nothing to show"),
}


class Older(train.Callback):  # type: ignore[misc,name-defined]
    def step_end(self, run_context: Any) -> None:
        pass


def monitor(loss: float) -> None:
    told = {"cur_epoch_num": 1, "cur_step_num": 1, "batch_num": 1, "net_outputs": Tensor(loss)}
    train.LossMonitor().step_end(ms.RunContext(told))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    if name == "nothing to plot":
        pytest.importorskip("matplotlib")
    call, error, text = REFUSED[name]
    with pytest.raises(error, match=text):
        call()


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    history = train.History()
    model().fit(2, data(), data(4), callbacks=history)
    model().fit(4, data(), data(4), valid_frequency=2, callbacks=history)
    curves = {panel.get_title(): list(panel.lines[0].get_xdata()) for panel in history.plot().axes}
    assert curves == {"loss": [1, 2, 1, 2, 3, 4], "acc": [1, 2, 2, 4]}
    history.plot(tmp_path / "history.png")
    assert (tmp_path / "history.png").read_bytes()[:4] == b"\x89PNG"


def test_losses_of_training_and_validation_are_in_one_panel() -> None:
    pytest.importorskip("matplotlib")
    history = train.History()
    history.history = {"net_output": [3.0, 2.0], "acc": [0.5], "loss": [4.0]}
    history._epochs = {"net_output": [1, 2], "acc": [2], "loss": [2]}
    loss, accuracy = history.plot().axes
    assert (loss.get_title(), accuracy.get_title()) == ("loss", "acc")
    assert [line.get_label() for line in loss.lines] == ["training", "validation"]
    assert [list(line.get_ydata()) for line in loss.lines] == [[3, 2], [4]] and len(accuracy.lines) == 1
    assert loss.get_legend() is not None and accuracy.get_legend() is None


def test_a_picture_without_matplotlib(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        train.History().plot()


def test_a_progress_bar(capsys: Any, monkeypatch: Any) -> None:
    pytest.importorskip("tqdm")
    monkeypatch.setattr("emberjit.train.model.is_shown", lambda: True)
    monkeypatch.setattr(progress, "_REFRESH", -1)
    model().fit(2, data(), data(4))
    shown = capsys.readouterr().err
    assert (
        "epoch 1/2: 100%" in shown
        and "epoch 2/2: 100%" in shown
        and re.search(r"loss \d\.\d+, [\d.e+]+ samples/s, (interpreted|native)", shown)
    )
    model().train(1, data(), train.LossMonitor())
    assert capsys.readouterr().err == ""
    resumed = model()
    resumed._position.load_state_dict({**resumed._position.state_dict(), "epoch": 2, "step": 1, "steps": 5})
    resumed.train(3, data())
    assert re.search(r"epoch 3/3:\s+50%.* 1/2 .*epoch 3/3: 100%", capsys.readouterr().err, re.DOTALL)


def test_loops_of_ones_own() -> None:
    helper = train.DatasetHelper(data(), epoch_num=2)
    assert [len(row) for row in helper] == [2, 2] and [len(row) for row in helper] == [2, 2]
    assert helper.types_shapes() == ([ms.float32, ms.int32], [[4, 4], [4]])
    net = network()
    assert train.connect_network_with_dataset(net, helper) is net
    sums = train.data_sink(lambda x, y: float(x.sum()), data(), 3)
    whole = [float(X[at : at + 4].sum()) for at in (0, 4)]
    assert [sums(), sums()] == pytest.approx([whole[0], whole[1]], rel=1e-5)


PATHS = [
    ("mindspore", "Model"),
    ("mindspore.train", "Model"),
    ("mindspore.train.model", "Model, ParallelMode"),
    ("mindspore.train.callback", "_InternalCallbackParam"),
    ("mindspore.train.callback._checkpoint", "CheckpointConfig"),
    ("mindspore.train.callback._callback", "Callback"),
    ("mindspore.train.loss_scale_manager", "FixedLossScaleManager"),
    ("mindspore.train._utils", "_make_directory"),
    ("mindspore.train.amp", "auto_mixed_precision"),
    ("mindspore.train.dataset_helper", "DatasetHelper"),
    ("mindspore.train.data_sink", "data_sink"),
    ("mindspore.train.summary.summary_record", "SummaryRecord"),
    ("mindspore.train.train_thor", "ConvertModelUtils"),
    ("mindspore.train.metrics.accuracy", "Accuracy"),
    ("mindspore.nn.metrics", "Accuracy"),
    ("mindspore.nn.metrics.metric", "Metric"),
    ("mindspore.amp", "DynamicLossScaler"),
]


def test_modules_that_programs_import() -> None:
    import subprocess

    lines = ["from emberjit import alias; alias.install()", *(f"from {module} import {name}" for module, name in PATHS)]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_the_last_checkpoint_outlives_a_failure_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=1)
    callback = train.ModelCheckpoint("net", str(tmp_path), config)
    told = {"cur_step_num": 1, "cur_epoch_num": 1, "batch_num": 4, "train_network": nn.Dense(2, 2)}
    callback._save(told, force=False)
    assert [path.name for path in tmp_path.glob("*.ckpt")] == ["net-1_1.ckpt"]

    def full(*_: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(config, "save", full)
    with pytest.raises(OSError, match="no space"):
        callback._save({**told, "cur_step_num": 2}, force=False)
    assert [path.name for path in tmp_path.glob("*.ckpt")] == ["net-1_1.ckpt"]


def test_training_without_rows_is_an_error() -> None:
    data = ds.GeneratorDataset(iter([]), ["x", "y"])
    model = train.Model(nn.Dense(2, 1), nn.MSELoss(), nn.SGD(nn.Dense(2, 1).trainable_params()))
    with pytest.raises(ValueError, match="there is no data in the dataset"):
        model.train(1, data)
