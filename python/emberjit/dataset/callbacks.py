"""DSCallback and WaitedDSCallback: what map() calls before and after epochs and rows."""

from __future__ import annotations

import threading
from typing import Any

from emberjit.checks import check_int32
from emberjit.dataset import config
from emberjit.dataset.steps.mapping import Progress
from emberjit.train.callback.callback import RunContext


class DSCallback:
    """Functions that Dataset.map() calls before and after epochs and rows. A subclass defines some of ds_begin,
    ds_epoch_begin, ds_epoch_end, ds_step_begin and ds_step_end; each gets a run context, with cur_epoch_num,
    cur_step_num_in_epoch and cur_step_num, which count from 1.

    Args:
        step_size: the functions of rows are called for every step_size-th row.

    Raises:
        TypeError: step_size is no int.
        ValueError: it is below 1.

    Examples:
        >>> class Rows(ds.DSCallback):
        ...     def ds_step_begin(self, context):
        ...         print("row", context.cur_step_num)
        >>> dataset = ds.NumpySlicesDataset([10, 11], shuffle=False).map(lambda x: x, callbacks=Rows())
        >>> [int(x) for x, in dataset.create_tuple_iterator(num_epochs=1)]
        row 1
        row 2
        [10, 11]
    """

    def __init__(self, step_size: int = 1):
        self.step_size = check_int32("DSCallback", "step_size", step_size, 1)

    def ds_begin(self, ds_run_context: Progress) -> None:
        """Before the first row."""

    def ds_epoch_begin(self, ds_run_context: Progress) -> None:
        """Before an epoch."""

    def ds_epoch_end(self, ds_run_context: Progress) -> None:
        """After an epoch."""

    def ds_step_begin(self, ds_run_context: Progress) -> None:
        """Before a row."""

    def ds_step_end(self, ds_run_context: Progress) -> None:
        """After a row."""


class WaitedDSCallback(DSCallback):
    """Functions that Dataset.map() calls before rows and epochs, but only once training has ended the step or epoch before:
    the object is a callback of train.Model, too. A subclass defines sync_step_begin or sync_epoch_begin, which get
    training's run context and that of map().

    Args:
        step_size: the functions of rows are called for every step_size-th row.

    Raises:
        TypeError: step_size is no int.
        ValueError: it is below 1.
        RuntimeError: training has not ended its step in ds.config.get_callback_timeout() seconds, when rows are asked for.

    Examples:
        >>> class Larger(ds.WaitedDSCallback):
        ...     def sync_step_begin(self, training, context):
        ...         print("training ended step", context.cur_step_num - 1)
        >>> callback = Larger()
        >>> dataset = ds.NumpySlicesDataset([10, 11], shuffle=False).map(lambda x: x, callbacks=callback)
        >>> for x, in dataset.create_tuple_iterator(num_epochs=1):
        ...     callback.step_end(None)  # train.Model calls it after a step
        training ended step 1
    """

    def __init__(self, step_size: int = 1):
        super().__init__(step_size)
        self._steps, self._epochs = threading.Event(), threading.Event()
        self._trained: Any = None

    def sync_epoch_begin(self, train_run_context: RunContext, ds_run_context: Progress) -> None:
        """Before an epoch but the first, after training's."""

    def sync_step_begin(self, train_run_context: RunContext, ds_run_context: Progress) -> None:
        """Before a row but the first, after training's step."""

    def step_end(self, run_context: RunContext) -> None:
        """Called by training after a step."""
        self._trained = run_context
        self._steps.set()

    def epoch_end(self, run_context: RunContext) -> None:
        """Called by training after an epoch."""
        self._trained = run_context
        self._epochs.set()

    def ds_epoch_begin(self, ds_run_context: Progress) -> None:
        if ds_run_context.cur_epoch_num > 1 and type(self).sync_epoch_begin is not WaitedDSCallback.sync_epoch_begin:
            self._wait(self._epochs, "epoch")
            self.sync_epoch_begin(self._trained, ds_run_context)

    def ds_step_begin(self, ds_run_context: Progress) -> None:
        later = ds_run_context.cur_step_num > self.step_size
        if later and type(self).sync_step_begin is not WaitedDSCallback.sync_step_begin:
            self._wait(self._steps, "step")
            self.sync_step_begin(self._trained, ds_run_context)

    def _wait(self, event: threading.Event, what: str) -> None:
        if not event.wait(config.get_callback_timeout()):
            raise RuntimeError(
                f"For 'WaitedDSCallback', training did not end its {what} in {config.get_callback_timeout()} s: is the "
                "callback given to Model.train() as well?"
            )
        event.clear()
