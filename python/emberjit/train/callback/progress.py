"""The progress bar of Model, where there is a terminal or a notebook, and tqdm."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit.explain import explain
from emberjit.nn.cell import Cell
from emberjit.train.callback.callback import Callback, RunContext, loss_of, mean_of

_REFRESH = 0.2  # seconds


def is_shown() -> bool:
    """Whether a bar can be shown: errors go to a terminal, or code runs in a notebook; and there is tqdm."""
    looks = bool(sys.stderr and sys.stderr.isatty()) or "ipykernel" in sys.modules
    return looks and importlib.util.find_spec("tqdm") is not None


def tier_of(cell: Cell) -> str:
    """In which tier the graph of a Cell runs."""
    jitted = cell.__dict__.get("_jitted")
    known = {"entries": [], "segments": []} if jitted is None else explain(jitted)
    entries = [*known["entries"], *(entry for segment in known["segments"] for entry in segment["entries"])]
    specialisations = [specialisation for entry in entries for specialisation in entry["specialisations"]]
    if not specialisations:
        return "Python"
    return "native" if max(item["tier"] for item in specialisations) else "interpreted"


class ProgressBar(Callback):
    """A bar for each epoch, with the loss, samples a second, and the tier in which steps run.

    Args:
        network: the Cell that computes a step.
        epochs: the number of the last epoch.
    """

    def __init__(self, network: Cell, epochs: int):
        self.network, self.epochs = network, epochs
        self.bar: Any = None

    def __exit__(self, *err: Any) -> None:
        self._close()

    def _close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        make = importlib.import_module("tqdm.auto").tqdm
        done = cb_params["cur_step_num"] % cb_params["batch_num"]
        title = f"epoch {cb_params['cur_epoch_num']}/{self.epochs}"
        self.bar = make(total=cb_params["batch_num"], initial=done, desc=title, unit="step")
        self.samples, self.start, self.shown = 0, time.perf_counter(), 0.0

    def on_train_step_end(self, run_context: RunContext) -> None:
        if self.bar is None:
            return
        cb_params = run_context.original_args()
        first = next((x for x in cb_params["train_dataset_element"] if isinstance(x, core.Tensor) and x.ndim), None)
        self.samples += 1 if first is None else first.shape[0]
        now = time.perf_counter()
        if now - self.shown > _REFRESH or self.bar.n + 1 == self.bar.total:
            self.shown = now
            loss = mean_of(loss_of(cb_params["net_outputs"]))
            rate = self.samples / max(now - self.start, 1e-9)
            shown = f"{float(loss):.4g}" if isinstance(loss, (float, core.Tensor)) else "?"
            self.bar.set_postfix_str(f"loss {shown}, {rate:.4g} samples/s, {tier_of(self.network)}", refresh=False)
        self.bar.update()

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        self._close()

    on_eval_begin = on_train_epoch_end
