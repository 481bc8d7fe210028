"""Callbacks that print: losses and times."""

from __future__ import annotations

import math
import time

from emberjit.checks import check_bool, check_int
from emberjit.train.callback.callback import Callback, RunContext, loss_of


class LossMonitor(Callback):
    """Prints the loss of steps, and with Model.fit the metrics of evaluations.

    Args:
        per_print_times: of every how many steps; 0: none.

    Raises:
        TypeError: it is no int.
        ValueError: it is negative; when called: the loss is infinite or NaN.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(2)
        >>> model.train(2, data, train.LossMonitor())
        epoch: 1 step: 1, loss is 1.0
        epoch: 1 step: 2, loss is 0.25
        epoch: 2 step: 1, loss is 0.0625
        epoch: 2 step: 2, loss is 0.015625
    """

    called_in_fit = False

    def __init__(self, per_print_times: int = 1):
        self._per_print_times = check_int("LossMonitor", "per_print_times", per_print_times, 0)
        self._last_print_time = 0

    def step_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        epoch, step = cb_params.get("cur_epoch_num", 1), cb_params["cur_step_num"]
        loss = loss_of(cb_params["net_outputs"])
        in_epoch = (step - 1) % cb_params["batch_num"] + 1
        if isinstance(loss, float) and not math.isfinite(loss):
            raise ValueError(f"For 'LossMonitor', the loss is {loss} in epoch {epoch}, step {in_epoch}: training ends.")
        if step <= self._last_print_time:
            self._last_print_time = 0
        if self._per_print_times and step - self._last_print_time >= self._per_print_times:
            self._last_print_time = step
            print(f"epoch: {epoch} step: {in_epoch}, loss is {loss}", flush=True)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        if cb_params.get("metrics"):
            print(f"Eval result: epoch {cb_params['cur_epoch_num']}, metrics: {cb_params['metrics']}")


class TimeMonitor(Callback):
    """Prints the time of each epoch and its steps, in milliseconds.

    Args:
        data_size: the number of steps of an epoch, if the loop does not tell; None: Model does.
        data_time: whether it prints the time that steps have waited for data.

    Raises:
        TypeError: data_time is no bool; when called: data_size is needed, and no int.
        ValueError: when called: data_size is needed, and not positive.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(2)
        >>> model.train(1, data, train.TimeMonitor())
        Train epoch time: ... ms, per step time: ... ms
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False):
        self.data_size = data_size
        self.data_time = check_bool("TimeMonitor", "data_time", data_time)
        self.epoch_time = self.data_time_start = time.time()
        self.data_time_sum = 0.0

    def epoch_begin(self, run_context: RunContext) -> None:
        self.epoch_time = self.data_time_start = time.time()
        self.data_time_sum = 0.0

    def step_begin(self, run_context: RunContext) -> None:
        self.data_time_sum += time.time() - self.data_time_start

    def step_end(self, run_context: RunContext) -> None:
        self.data_time_start = time.time()

    def epoch_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        milliseconds = (time.time() - self.epoch_time) * 1000
        steps = check_int("TimeMonitor", "data_size", cb_params.get("batch_num") or self.data_size, 1)
        mode = cb_params.get("mode", "").title()
        line = f"{mode} epoch time: {milliseconds:5.3f} ms, per step time: {milliseconds / steps:5.3f} ms"
        if self.data_time:
            line += f" (data time: {self.data_time_sum * 1000 / steps:5.3f} ms)"
        print(line, flush=True)
