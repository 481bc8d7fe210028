"""Callbacks that change the course of training: its end, and its learning rate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit import log
from emberjit.checks import check_bool, check_choice, check_float, check_instance, check_int, check_number
from emberjit.train.callback.callback import Callback, RunContext, StatefulCallback, loss_of, mean_of
from emberjit.train.safetensors import packed, unpacked
from emberjit.train.serialization import load_param_into_net

_SMALLER_IS_BETTER = [
    "eval_loss",
    "hausdorff_distance",
    "loss",
    "mae",
    "mean_surface_distance",
    "mse",
    "perplexity",
    "root_mean_square_distance",
]


class _Plateau(StatefulCallback):
    """Watches whether a value gets better."""

    kept: tuple[str, ...] = ("wait", "best")

    def __init__(self, monitor: str, min_delta: float, patience: int, verbose: bool, mode: str):
        name = type(self).__name__
        self.monitor = check_instance(name, "monitor", monitor, str)
        self.min_delta = abs(check_number(name, "min_delta", min_delta))
        self.patience = check_int(name, "patience", patience, 0)
        self.verbose = check_bool(name, "verbose", verbose)
        self.mode = check_instance(name, "mode", mode, str)
        check_choice(name, "mode", mode, "auto", "min", "max")
        self.sign = -1 if mode == "min" or (mode == "auto" and monitor in _SMALLER_IS_BETTER) else 1
        self.restart()

    def restart(self) -> None:
        self.wait = 0
        self.best = -self.sign * math.inf

    def is_improvement(self, value: float, reference: float) -> bool:
        """Whether a value is better than another by more than min_delta."""
        return bool(self.sign * value > self.sign * reference + self.min_delta)

    def _monitored(self, cb_params: dict[str, Any]) -> float | None:
        """The monitored value; None, with a warning, if there is none.

        Raises:
            ValueError: it is no scalar.
        """
        results = cb_params.get("eval_results") or {}
        value = mean_of(loss_of(cb_params.get("net_outputs"))) if self.monitor == "loss" else results.get(self.monitor)
        if value is None:
            log.warning(
                "For '%s', there is no '%s' to monitor, but %s.",
                type(self).__name__,
                self.monitor,
                ", ".join({"loss", *results}),
            )
            return None
        if np.ndim(value) != 0:
            raise ValueError(f"For '{type(self).__name__}', '{self.monitor}' must be a scalar, but got {value!r}.")
        return float(value)


class EarlyStopping(_Plateau):
    """Ends training when a value has not got better for some epochs.

    Args:
        monitor: "loss"; with Model.fit "eval_loss" or the name of a metric.
        min_delta: by how much it has to get better, a number.
        patience: after how many epochs that are not better, an int that is not negative.
        verbose: whether it prints what it does.
        mode: whether less ("min") or more ("max") is better; "auto": as of MindSpore's metrics of this name.
        baseline: what it must be better than, too, for patience to begin anew, a number; None: nothing.
        restore_best_weights: whether Parameters get the values of the best epoch.

    Raises:
        TypeError: an argument is of another type.
        ValueError: patience is negative, there is no such mode; when called: the value is no scalar.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(4)
        >>> model.train(9, data, train.EarlyStopping("loss", min_delta=0.5, patience=2, verbose=True))
        Epoch 00004: early stopping
    """

    kept = ("wait", "best", "stopped_epoch")

    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: bool = False,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ):
        super().__init__(monitor, min_delta, patience, verbose, mode)
        name = "EarlyStopping"
        self.baseline = None if baseline is None else check_number(name, "baseline", baseline)
        self.restore_best_weights = check_bool(name, "restore_best_weights", restore_best_weights)

    def restart(self) -> None:
        super().restart()
        self.stopped_epoch = 0
        self.best_weights_param_dict: dict[str, Any] | None = None

    def state_dict(self) -> dict[str, Any]:
        """What load_state_dict takes."""
        return {**super().state_dict(), "best_weights": packed(self.best_weights_param_dict or {})}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """The next training goes on from there."""
        super().load_state_dict(state)
        weights = unpacked(state["best_weights"])
        self.best_weights_param_dict = {name: core.Parameter(weight, name) for name, weight in weights.items()} or None

    def on_train_begin(self, run_context: RunContext) -> None:
        super().on_train_begin(run_context)
        if self.stopped_epoch > 0:  # in the training that this one goes on from
            run_context.request_stop()

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        value = self._monitored(cb_params)
        if value is None:
            return
        self.wait += 1
        if self.is_improvement(value, self.best):
            self.best = value
            self._note_weights(cb_params)
            if self.baseline is None or self.is_improvement(value, self.baseline):
                self.wait = 0
        elif self.best_weights_param_dict is None:
            self._note_weights(cb_params)
        if self.wait >= self.patience:
            self.stopped_epoch = cb_params["cur_epoch_num"]
            run_context.request_stop()
            if self.best_weights_param_dict is not None:
                if self.verbose:
                    print("Restoring model weights from the end of the best epoch.")
                load_param_into_net(cb_params["train_network"], self.best_weights_param_dict)

    def _note_weights(self, cb_params: dict[str, Any]) -> None:
        if self.restore_best_weights:
            parameters = cb_params["train_network"].parameters_dict()
            self.best_weights_param_dict = {name: core.Parameter(value.copy(), name) for name, value in parameters.items()}

    def on_train_end(self, run_context: RunContext) -> None:
        if self.stopped_epoch > 0 and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping")


class ReduceLROnPlateau(_Plateau):
    """Lowers the learning rate when a value has not got better for some epochs.

    Args:
        monitor: "loss"; with Model.fit "eval_loss" or the name of a metric.
        factor: what the learning rate is multiplied by, a float within (0, 1).
        patience: after how many epochs that are not better, an int that is not negative.
        verbose: whether it prints what it does.
        mode: whether less ("min") or more ("max") is better; "auto": as of MindSpore's metrics of this name.
        min_delta: by how much it has to get better, a number.
        cooldown: how many epochs it waits after that before it counts again, an int that is not negative.
        min_lr: the learning rate does not become less, a number.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is out of range, there is no such mode; when called: the value is no scalar, or the optimizer's
            learning rate no Parameter.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(4)
        >>> model.train(3, data, train.ReduceLROnPlateau("loss", factor=0.5, patience=2, min_delta=1, verbose=True))
        Epoch 00003: ReduceLROnPlateau reducing learning rate to 0.125.
    """

    kept = ("wait", "best", "cooldown_counter")

    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ):
        super().__init__(monitor, min_delta, patience, verbose, mode)
        name = "ReduceLROnPlateau"
        self.factor = check_float(name, "factor", factor, above=0.0, below=1.0)
        self.cooldown = check_int(name, "cooldown", cooldown, 0)
        self.min_lr = check_number(name, "min_lr", min_lr)

    def restart(self) -> None:
        super().restart()
        self.cooldown_counter = 0

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        rate = _rate_of("ReduceLROnPlateau", cb_params)
        value = self._monitored(cb_params)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(value, self.best):
            self.best = value
            self.wait = 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(rate, cb_params["cur_epoch_num"])

    def _reduce(self, rate: core.Parameter, epoch: int) -> None:
        if float(rate) > self.min_lr:
            rate.set_data(core.Tensor(max(float(rate) * self.factor, self.min_lr), rate.dtype))
            if self.verbose:
                print(f"Epoch {epoch:05d}: ReduceLROnPlateau reducing learning rate to {rate.value()}.")
        self.cooldown_counter = self.cooldown
        self.wait = 0


def _rate_of(name: str, cb_params: dict[str, Any]) -> Any:
    rate = cb_params["optimizer"].learning_rate
    if not isinstance(rate, core.Parameter):
        raise ValueError(f"For '{name}', the optimizer's learning rate must be one number, not a schedule or of groups.")
    return rate


class LearningRateScheduler(Callback):
    """Sets the learning rate after each step. It must be one number of the optimizer, not a schedule or of groups.

    Args:
        learning_rate_function: takes the learning rate, a float, and the number of the step, from 1, and gives a new one.

    Raises:
        ValueError: when called: the optimizer's learning rate is no Parameter.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> optimizer = nn.SGD(net.trainable_params(), 0.25)
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(4)
        >>> halved = train.LearningRateScheduler(lambda rate, step: rate / 2)
        >>> train.Model(net, nn.MSELoss(), optimizer).train(2, data, halved)
        >>> print(optimizer.learning_rate.value())
        0.0625
    """

    called_in_fit = False

    def __init__(self, learning_rate_function: Any):
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        rate = _rate_of("LearningRateScheduler", cb_params)
        old = float(str(rate.asnumpy()))
        new = self.learning_rate_function(old, cb_params["cur_step_num"])
        if not math.isclose(old, new, rel_tol=1e-10):
            rate.set_data(core.Tensor(float(new), rate.dtype))
