"""OnRequestExit: a signal, or a file, ends training with the step that runs."""

from __future__ import annotations

import json
import os
import signal
import warnings
from typing import Any

from emberjit.checks import check_bool, check_instance
from emberjit.nn.cell import Cell
from emberjit.train.callback.callback import Callback, RunContext
from emberjit.train.serialization import export, load_checkpoint, save_checkpoint


class OnRequestExit(Callback):
    """Ends training or evaluation after the step in which a signal comes, or a file asks for it, and saves then to
    DIRECTORY/rank_0/FILE_NAME_train.ckpt, or ..._eval.ckpt. The next run begins with what is there.

    Args:
        save_ckpt: whether Parameters are saved.
        save_mindir: whether the network is, too (export); a warning says if it cannot be.
        file_name: the beginning of the files' names.
        directory: where the folder rank_0 is made; None: in the current one.
        config_file: the path of a JSON file: with {"GracefulExit": 1} it asks for the end as well; None: no file does.
        sig: the number of the signal; by default SIGTERM.

    Raises:
        TypeError: an argument is of another type.
        ValueError: sig is no signal, or SIGKILL, which cannot be caught.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(4)
        >>> with open("exit.json", "w") as file:
        ...     print('{"GracefulExit": 1}', file=file)
        >>> model.train(9, data, train.OnRequestExit(save_mindir=False, config_file="exit.json"))
        >>> print(net.weight.value(), ms.load_checkpoint("rank_0/Net_train.ckpt")["weight"].value())  # one step
        [[0.5]] [[0.5]]
    """

    def __init__(
        self,
        save_ckpt: bool = True,
        save_mindir: bool = True,
        file_name: str = "Net",
        directory: str | None = "./",
        config_file: str | None = None,
        sig: int = signal.SIGTERM,
    ):
        name = "OnRequestExit"
        self.save_ckpt = check_bool(name, "save_ckpt", save_ckpt)
        self.save_mindir = check_bool(name, "save_mindir", save_mindir)
        if not isinstance(sig, int):
            raise ValueError(f"For '{name}', 'sig' must be a signal, but got {sig!r}.")
        self.sig = sig
        check_instance(name, "file_name", file_name, str)
        if sig == signal.SIGKILL:
            raise ValueError(f"For '{name}', 'sig' must be a signal that can be caught, but got SIGKILL.")
        self.remote_config_file = config_file
        self.exit = False
        folder = os.path.join(directory or os.getcwd(), "rank_0")
        if save_ckpt or save_mindir:
            os.makedirs(folder, exist_ok=True)
        self.train_name, self.eval_name = (os.path.join(folder, f"{file_name}_{mode}") for mode in ("train", "eval"))
        self._former: Any = None

    def __exit__(self, *err: Any) -> None:
        if self._former is not None:
            signal.signal(self.sig, self._former)
            self._former = None

    def _listen(self, network: Cell, *names: str) -> None:
        self.exit = False
        former = signal.signal(self.sig, self._on_signal)
        if self._former is None:
            self._former = former
        checkpoints = [f"{name}.ckpt" for name in names if os.path.isfile(f"{name}.ckpt")]
        if self.save_ckpt and checkpoints:
            load_checkpoint(checkpoints[0], net=network)

    def _on_signal(self, number: int, frame: Any) -> None:
        self.exit = True

    def _check_file(self) -> None:
        if self.remote_config_file is None or not os.path.exists(self.remote_config_file):
            return
        with open(self.remote_config_file, encoding="utf-8") as file:
            try:
                command = json.load(file)
            except json.JSONDecodeError as error:
                warnings.warn(f"For 'OnRequestExit', '{self.remote_config_file}' is no JSON: {error}.", stacklevel=2)
                return
        self.exit = self.exit or (isinstance(command, dict) and command.get("GracefulExit") == 1)

    def _save(self, network: Cell, inputs: Any, name: str) -> None:
        if not self.exit:
            return
        if self.save_ckpt:
            save_checkpoint(network, name)
        if self.save_mindir:
            try:
                export(network, *inputs, file_name=name, file_format="MINDIR")
            except (NotImplementedError, ValueError) as error:
                warnings.warn(f"For 'OnRequestExit', the network is not exported: {error}", stacklevel=2)

    def on_train_begin(self, run_context: RunContext) -> None:
        self._listen(run_context.original_args()["train_network"], self.train_name)

    def on_train_step_end(self, run_context: RunContext) -> None:
        self._check_file()
        if self.exit:
            run_context.request_stop()

    on_eval_step_end = on_train_step_end

    def on_train_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        self._save(cb_params["train_network"], cb_params["train_dataset_element"], self.train_name)

    def on_eval_begin(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        if cb_params.get("train_network") is None:
            self._listen(cb_params["eval_network"], self.eval_name, self.train_name)

    def on_eval_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        if cb_params.get("train_network") is None:
            self._save(cb_params["eval_network"], cb_params["eval_dataset_element"], self.eval_name)
