"""Training that goes on where it was saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_train import Own, data, model

import emberjit as ms
from emberjit import Model, log, nn, train

RESUMED: dict[str, Any] = {
    "whole epochs": (lambda: data(8, 2), {"initial_epoch": 1}),
    "sunk": (lambda: data(8, 2), {"dataset_sink_mode": True, "sink_size": 3}),
    "without state": (Own, {}),
    "without state, sunk": (Own, {"dataset_sink_mode": True, "sink_size": 3}),
    "evaluated": (lambda: data(8, 2), {"valid_dataset": data(4)}),
}


@pytest.mark.parametrize("saved_in", ["on_train_step_end", "on_train_epoch_end"])
@pytest.mark.parametrize("rows", [lambda: data(8, 2), Own])
def test_callbacks_go_on_where_they_were_saved(rows: Any, saved_in: str, tmp_path: Path, monkeypatch: Any) -> None:
    """The epoch's last step included, after which callbacks are told its loss once more."""
    saved: list[Path] = []
    warned: list[Any] = []
    monkeypatch.setattr(log, "warning", lambda *args: warned.append(args))

    def parts() -> dict[str, Any]:
        watching = [train.EarlyStopping("loss", 10.0, 3, restore_best_weights=True), train.ReduceLROnPlateau("loss", 0.5, 1)]
        return {"model": model(), "callbacks": [train.History(), *watching]}

    def end(of: dict[str, Any], *others: Any) -> Any:
        of["model"].fit(6, rows(), callbacks=[*of["callbacks"], *others])
        history, early, plateau = of["callbacks"]
        noted = [history.history, history.epoch, early.stopped_epoch, early.best, early.wait, plateau.best, plateau.wait]
        return noted, [one.asnumpy().tolist() for one in of["model"].train_network.get_parameters()]

    def save(context: Any) -> None:
        saved.append(tmp_path / f"{len(saved)}.ckpt")
        train.save_training(saved[-1], **whole)

    whole = parts()
    wanted = end(whole, train.LambdaCallback(**{saved_in: save}))
    assert wanted[0][2] == 4 and len(wanted[0][0]["net_output"]) == 4
    for path in saved:
        resumed = parts()
        train.load_training(path, **resumed)
        assert end(resumed) == wanted
    assert warned == []


@pytest.mark.parametrize("name", RESUMED)
@pytest.mark.parametrize("point", ["on_train_step_end", "on_train_epoch_end"])
def test_training_goes_on_where_it_was_saved(name: str, point: str, tmp_path: Path) -> None:
    rows, options = RESUMED[name]
    saved: list[Path] = []

    def save(context: Any) -> None:
        saved.append(tmp_path / f"{len(saved)}.ckpt")
        train.save_training(saved[-1], model=whole)

    def losses(of: Any, *others: Any) -> list[Any]:
        found: list[Any] = []

        def note(context: Any) -> None:
            told = context.original_args()
            found.append((told.cur_epoch_num, told.cur_step_num, float(told.net_outputs)))

        of.fit(3, rows(), callbacks=[train.LambdaCallback(on_train_step_end=note), *others], **options)
        return found

    whole = model()
    wanted = losses(whole, train.LambdaCallback(**{point: save}))
    of_epoch = [epoch for epoch, *_ in wanted].count(wanted[0][0])
    for place, path in enumerate(saved):
        resumed = model()
        train.load_training(path, model=resumed)
        done = (place + 1) * (of_epoch if point == "on_train_epoch_end" else 1)
        assert losses(resumed) == wanted[done:]
        assert losses(resumed)[0][:2] == wanted[0][:2]


def test_a_stop_that_another_than_early_stopping_asks_for_is_not_kept(tmp_path: Path) -> None:
    """As OnRequestExit does when a job is to end."""
    steps: list[int] = []
    noted = train.LambdaCallback(on_train_step_end=lambda context: steps.append(context.original_args().cur_step_num))

    def stop_and_save(context: Any) -> None:
        if context.original_args().cur_step_num == 2:
            context.request_stop()
            train.save_training(tmp_path / "saved.ckpt", model=stopped)

    stopped, resumed = model(), model()
    stopped.train(3, data(8, 2), [noted, train.LambdaCallback(on_train_step_end=stop_and_save)])
    train.load_training(tmp_path / "saved.ckpt", model=resumed)
    resumed.train(3, data(8, 2), noted)
    assert steps == [*range(1, 13)]


def test_callbacks_in_another_order_are_refused(tmp_path: Path) -> None:
    callbacks = [train.History(), train.ReduceLROnPlateau("loss")]
    train.save_training(tmp_path / "saved.ckpt", callbacks=callbacks)
    with pytest.raises(ValueError, match=r"lacks .*callbacks/0/best.* and has .*callbacks/0/_epochs"):
        train.load_training(tmp_path / "saved.ckpt", callbacks=callbacks[::-1])


class Listing(nn.Cell):
    """A step that gives a list, whose first is the loss."""

    def construct(self, x: Any, y: Any) -> Any:
        return [x.mean(), x]


def test_outputs_in_a_list_are_saved(tmp_path: Path) -> None:
    """After the epoch's last step."""
    whole, resumed, histories = Model(Listing()), Model(Listing()), [train.History(), train.History()]
    save = train.LambdaCallback(on_train_step_end=lambda context: train.save_training(tmp_path / "saved.ckpt", model=whole))
    whole.train(1, data(), [histories[0], save])
    train.load_training(tmp_path / "saved.ckpt", model=resumed)
    resumed.train(1, data(), histories[1])
    assert len(histories[0].history["net_output"]) == 1 and histories[0].history == histories[1].history


def test_begin_of_a_subclass_is_called() -> None:
    class Begun(train.History):
        def begin(self, run_context: Any) -> None:
            self.begun = True

    history = Begun()
    model().train(1, data(), history)
    assert history.begun and history.epoch == {"epoch": [1]}


@pytest.mark.parametrize("name, found", [("st.safetensors", "st.safetensors"), ("st", "st.ckpt"), ("st.ckpt", "st.ckpt")])
def test_files_are_found_by_the_name_they_were_saved_by(name: str, found: str, tmp_path: Path) -> None:
    def parts() -> dict[str, Any]:
        return {"model": model(), "history": train.History(), "number": ms.Generator(), "kept": Kept()}

    saved = parts()
    saved["model"].fit(2, data(8), callbacks=[saved["history"]])
    saved["kept"].state = {"text": "å", "number": 3, "rate": 0.1}
    train.save_training(tmp_path / name, **saved)
    assert [path.name for path in tmp_path.iterdir()] == [found]
    drawn = np.random.rand()
    for path in (tmp_path / name, tmp_path / found):
        resumed = parts()
        train.load_training(path, **resumed)
        assert np.random.rand() == drawn
        assert resumed["kept"].state == saved["kept"].state
        for a, b in zip(*(one["model"].train_network.get_parameters() for one in (saved, resumed))):
            assert a.asnumpy().tobytes() == b.asnumpy().tobytes()


class Kept:
    def __init__(self) -> None:
        self.state: dict[str, Any] = {"text": "", "number": 0, "rate": 0.0}

    def state_dict(self) -> dict[str, Any]:
        return dict(self.state)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.state = dict(state)
