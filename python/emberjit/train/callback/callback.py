"""Callback, its argument RunContext, and CallbackManager, which calls several."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.printing.values import described

POINTS = ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")


class Callback:
    """The base of callbacks of Model: a method on_train_... or on_eval_... is called with a RunContext at each point of
    training or evaluation. They call begin, epoch_begin, epoch_end, step_begin, step_end and end, older names for both. A
    callback is entered as a context manager before, and left at the end.

    Examples:
        >>> class Weights(train.Callback):
        ...     def on_train_epoch_end(self, run_context):
        ...         parameters = run_context.original_args()
        ...         print(parameters.cur_epoch_num, parameters.network.weight.value())
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(4)
        >>> model.train(2, data, Weights())
        1 [[0.5]]
        2 [[0.25]]
    """

    called_in_fit = True  # whether Model.fit calls it in evaluations, too
    __repr__ = described

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *err: Any) -> None:
        pass

    def begin(self, run_context: RunContext) -> None:
        """Before training and evaluation."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """Before each epoch."""

    def epoch_end(self, run_context: RunContext) -> None:
        """After each epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Before each step."""

    def step_end(self, run_context: RunContext) -> None:
        """After each step."""

    def end(self, run_context: RunContext) -> None:
        """After training and evaluation."""

    def on_train_begin(self, run_context: RunContext) -> None:
        """Before training."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Before each epoch of training."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """After each epoch of training, and the evaluation that follows it."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Before each step of training."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """After each step of training."""
        self.step_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """After training."""
        self.end(run_context)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Before evaluation."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context: RunContext) -> None:
        """Before the steps of evaluation."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context: RunContext) -> None:
        """After the steps of evaluation."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context: RunContext) -> None:
        """Before each step of evaluation."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """After each step of evaluation."""
        self.step_end(run_context)

    def on_eval_end(self, run_context: RunContext) -> None:
        """After evaluation."""
        self.end(run_context)


class StatefulCallback(Callback):
    """A callback whose state save_training saves and load_training restores, so that the next training goes on with it. A
    subclass names the attributes in `kept`, and resets in restart() those of one training."""

    kept: tuple[str, ...] = ()  # of numbers and arrays
    goes_on = False

    def restart(self) -> None:
        """Before a training that goes on from none."""

    def on_train_begin(self, run_context: RunContext) -> None:
        if not self.goes_on:
            self.restart()
        self.goes_on = False
        super().on_train_begin(run_context)

    def state_dict(self) -> dict[str, Any]:
        """What load_state_dict takes."""
        return {name: json.dumps(getattr(self, name), default=_as_list) for name in self.kept}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """The next training goes on from there."""
        self.__dict__.update((name, json.loads(state[name])) for name in self.kept)
        self.goes_on = True


def _as_list(array: Any) -> Any:
    return np.asarray(array).tolist()


class CallbackManager(Callback):
    """Several callbacks as one.

    Args:
        callbacks: None, a Callback, or a list of them.

    Raises:
        TypeError: it is something else.
    """

    def __init__(self, callbacks: Any):
        items = [callbacks] if isinstance(callbacks, Callback) else [] if callbacks is None else callbacks
        if not isinstance(items, list) or not all(isinstance(item, Callback) for item in items):
            raise TypeError(f"For 'Model', 'callbacks' must be a Callback or a list of Callbacks, but got {callbacks!r}.")
        self._callbacks: list[Any] = list(items)
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Any:
        entered = [(callback, self._stack.enter_context(callback)) for callback in self._callbacks]
        self._callbacks = [target if isinstance(target, Callback) else callback for callback, target in entered]
        return self

    def __exit__(self, *err: Any) -> Any:
        return self._stack.__exit__(*err)


def _of_all(point: str) -> Any:
    def call(self: CallbackManager, run_context: RunContext) -> None:
        for callback in self._callbacks:
            getattr(callback, point)(run_context)

    return call


for _point in POINTS:
    for _name in (_point, f"on_train_{_point}", f"on_eval_{_point}"):
        setattr(CallbackManager, _name, _of_all(_name))


class InternalCallbackParam(dict):  # type: ignore[type-arg]
    """The parameters of callbacks, by attribute or key."""

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(f"Callbacks are not told '{key}' here, but {', '.join(map(str, self))}.") from None

    def __setattr__(self, key: str, value: Any) -> None:
        self[key] = value


class RunContext:
    """The argument of callbacks: what they are told of training or evaluation, and by what they end it.

    Args:
        original_args: a dict. Of training: train_network, epoch_num, batch_num, mode ("train"), loss_fn, optimizer,
            parallel_mode, device_number, train_dataset, list_callback, train_dataset_element, network, cur_epoch_num,
            cur_step_num, dataset_sink_mode, net_outputs, last_save_ckpt_step, latest_ckpt_file; of evaluation: eval_network,
            valid_dataset, batch_num, mode ("eval"), cur_step_num, list_callback, network, dataset_sink_mode, net_outputs,
            and metrics at its end.

    Raises:
        TypeError: it is no dict.

    Examples:
        >>> context = train.RunContext({"mode": "train", "cur_step_num": 3})
        >>> context.request_stop()
        >>> print(context.original_args()["cur_step_num"], context.get_stop_requested())
        3 True
    """

    def __init__(self, original_args: Any):
        check_instance("RunContext", "original_args", original_args, dict)
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self) -> Any:
        """The dict."""
        return self._original_args

    def request_stop(self) -> None:
        """Training or evaluation ends with this step; training that has just begun, without any."""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether it does."""
        return self._stop_requested


def loss_of(outputs: Any) -> Any:
    """The loss among the outputs of a step: the first of several, a Tensor; of a single Tensor its mean, a float."""
    if isinstance(outputs, (tuple, list)):
        return outputs[0] if isinstance(outputs[0], core.Tensor) else outputs
    return mean_of(outputs)


def mean_of(value: Any) -> Any:
    """The mean of a Tensor as a float; anything else itself."""
    return float(value.asnumpy().mean()) if isinstance(value, core.Tensor) else value


current_network: list[Any] = [None]


def set_cur_net(net: Any) -> None:
    """Sets the network that is trained, for training without Model."""
    current_network[0] = net
