"""Callbacks that save: ModelCheckpoint with its CheckpointConfig, and BackupAndRestore."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_choice, check_instance, check_int
from emberjit.nn.cell import Cell
from emberjit.printing.values import described
from emberjit.train._utils import make_directory
from emberjit.train.callback.callback import Callback, RunContext
from emberjit.train.serialization import load_checkpoint, save_checkpoint, wait_for_writes

_INFORMATION = ("epoch_num", "step_num")
_ENDINGS = (".ckpt", ".safetensors")
_BREAKPOINT = "_breakpoint.ckpt"


def _appended(append_info: Any) -> dict[str, Any] | None:
    """What is saved beside Parameters.

    Raises:
        TypeError: an item is no str or dict, there are several dicts, or a value is of no type that is saved.
        ValueError: a str is not "epoch_num" or "step_num".
    """
    if not append_info:
        return None
    if not isinstance(append_info, list) or sum(isinstance(item, dict) for item in append_info) > 1:
        raise TypeError(
            f"For 'CheckpointConfig', 'append_info' must be a list of names and one dict, but got {append_info!r}."
        )
    entries: dict[str, Any] = {name: 0 for name in _INFORMATION if name in append_info}
    for item in append_info:
        if isinstance(item, dict):
            for name, value in item.items():
                if not isinstance(name, str) or not isinstance(value, (int, float, bool, str, core.Tensor)):
                    raise TypeError(
                        f"For 'CheckpointConfig', 'append_info' must have names with numbers, strs or Tensors, but has "
                        f"{name!r} with {type(value).__name__}."
                    )
                entries[name] = value
        elif not isinstance(item, str):
            raise TypeError(f"For 'CheckpointConfig', an item of 'append_info' must be a str or dict, but got {type(item)}.")
        elif item not in _INFORMATION:
            raise ValueError(
                f"For 'CheckpointConfig', a name in 'append_info' must be one of {_INFORMATION}, but got {item!r}."
            )
    return entries


class CheckpointConfig:
    """When ModelCheckpoint saves, what, and how many files it keeps. Each argument is an attribute.

    Args:
        save_checkpoint_steps: it saves after so many steps, an int; 0 or None: save_checkpoint_seconds says when.
        save_checkpoint_seconds: it saves after the first step that ends so many seconds after the last, an int; where
            save_checkpoint_steps says nothing, and this is 0 or None, nothing is saved.
        keep_checkpoint_max: how many files are kept, an int; older ones are removed. 0 or None:
        keep_checkpoint_per_n_minutes: of the files of so many minutes one is kept, an int; 0 or None: one file is kept.
        integrated_save: of several devices; has no effect (page Options).
        async_save: whether a thread writes the files, a bool, "thread" or "process".
        saved_network: the Cell that is saved; None: what is trained, with its optimizer.
        append_info: what is saved beside it: a list of "epoch_num", "step_num", and a dict of names and values.
        enc_key: encrypts the files: bytes, 16, 24 or 32 of them; None: they are not encrypted.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        exception_save: whether it saves when training ends by an exception, to ..._breakpoint.ckpt.
        crc_check: whether the files have checksums.
        remove_redundancy: of several devices; has no effect (page Options).
        format: "ckpt", MindSpore's, or "safetensors".

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is negative, or nothing says when to save and what to keep; there is no such format.

    Examples:
        >>> config = train.CheckpointConfig(save_checkpoint_steps=100, keep_checkpoint_max=3, append_info=["epoch_num"])
        >>> print(config.save_checkpoint_steps, config.keep_checkpoint_max, config.format)
        100 3 ckpt
    """

    __repr__ = described

    def __init__(
        self,
        save_checkpoint_steps: int | None = 1,
        save_checkpoint_seconds: int | None = 0,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_per_n_minutes: int | None = 0,
        integrated_save: bool = True,
        async_save: Any = False,
        saved_network: Any = None,
        append_info: Any = None,
        enc_key: Any = None,
        enc_mode: str = "AES-GCM",
        exception_save: bool = False,
        crc_check: bool = False,
        remove_redundancy: bool = False,
        format: str = "ckpt",
    ):
        name = "CheckpointConfig"
        numbers = {
            "save_checkpoint_steps": save_checkpoint_steps,
            "save_checkpoint_seconds": save_checkpoint_seconds,
            "keep_checkpoint_max": keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": keep_checkpoint_per_n_minutes,
        }
        for argument, value in numbers.items():
            if value is not None:
                check_int(name, argument, value, 0)
        if not any(numbers.values()):
            raise ValueError(f"For '{name}', one of {', '.join(numbers)} must be positive.")
        check_instance(name, "saved_network", saved_network, (Cell, type(None)))
        check_choice(name, "format", format, "ckpt", "safetensors")
        for argument, value in (
            ("integrated_save", integrated_save),
            ("exception_save", exception_save),
            ("crc_check", crc_check),
            ("remove_redundancy", remove_redundancy),
        ):
            check_bool(name, argument, value)
        self.save_checkpoint_steps = save_checkpoint_steps
        self.save_checkpoint_seconds = None if save_checkpoint_steps else save_checkpoint_seconds
        self.keep_checkpoint_max = keep_checkpoint_max or (None if keep_checkpoint_per_n_minutes else 1)
        self.keep_checkpoint_per_n_minutes = None if keep_checkpoint_max else keep_checkpoint_per_n_minutes
        self.saved_network, self.exception_save = saved_network, exception_save
        self.append_dict = _appended(append_info)
        self.integrated_save, self.async_save, self.format = integrated_save, async_save, format
        self.enc_key, self.enc_mode, self.crc_check = enc_key, enc_mode, crc_check
        self.remove_redundancy = remove_redundancy

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """When it saves, and what it keeps."""
        names = (
            "save_checkpoint_steps save_checkpoint_seconds keep_checkpoint_max keep_checkpoint_per_n_minutes saved_network"
        )
        return {name: getattr(self, name) for name in names.split()}

    def save(self, network: Cell, path: str, append_dict: dict[str, Any] | None) -> None:
        """Saves a network with these options."""
        save_checkpoint(
            network if self.saved_network is None else self.saved_network,
            path,
            self.integrated_save,
            self.async_save,
            append_dict or None,
            self.enc_key,
            self.enc_mode,
            crc_check=self.crc_check,
            format=self.format,
            remove_redundancy=self.remove_redundancy,
        )


class ModelCheckpoint(Callback):
    """Saves what is trained in files PREFIX-EPOCH_STEP.ckpt, STEP that of the epoch. If there are files of the prefix
    already, it becomes PREFIX_1, PREFIX_2 and so on.

    Args:
        prefix: the beginning of names, without "/"; or a function that gives a name without ending, of the callbacks'
            parameters.
        directory: the folder, which is made; None: the current one; or a function that gives it, likewise.
        config: a CheckpointConfig; None: CheckpointConfig(), after each step and five files.

    Raises:
        TypeError: config is no CheckpointConfig, or directory no path.
        ValueError: prefix is no str without "/", or directory is empty.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(2)
        >>> config = train.CheckpointConfig(save_checkpoint_steps=2, saved_network=net)
        >>> model.train(2, data, train.ModelCheckpoint("net", "saved", config))
        >>> import os
        >>> print(sorted(os.listdir("saved")))
        ['net-1_2.ckpt', 'net-2_2.ckpt']
        >>> print(ms.load_checkpoint("saved/net-2_2.ckpt")["weight"].value())
        [[0.0625]]
    """

    called_in_fit = False

    def __init__(self, prefix: Any = "CKP", directory: Any = None, config: Any = None):
        check_instance("ModelCheckpoint", "config", config, (CheckpointConfig, type(None)))
        self._config = CheckpointConfig() if config is None else config
        self._prefix_func = prefix if callable(prefix) else None
        self._directory_func = directory if callable(directory) else None
        self._directory = os.getcwd()
        if directory is not None and self._directory_func is None:
            self._directory = make_directory("ModelCheckpoint", "directory", directory)
        self._exception_prefix = self._prefix = "" if self._prefix_func else _check_prefix(prefix)
        if self._prefix_func is None and self._directory_func is None:
            self._prefix = _unused(self._directory, self._prefix, breakpoint=False)
        self._append_dict = dict(self._config.append_dict or {})
        self._before = {name: self._append_dict.get(name, 0) for name in _INFORMATION}
        self._last_triggered_step = 0
        self._last_time = time.time()
        self._latest_ckpt_file_name = ""

    @property
    def latest_ckpt_file_name(self) -> str:
        """The path of the last file."""
        return self._latest_ckpt_file_name

    def begin(self, run_context: RunContext) -> None:
        self._last_triggered_step = run_context.original_args().get("cur_step_num", 0)
        self._last_time = time.time()

    def step_end(self, run_context: RunContext) -> None:
        self._save(run_context.original_args(), force=False)

    def end(self, run_context: RunContext) -> None:
        self._save(run_context.original_args(), force=True)
        wait_for_writes()

    def save_after_exception(self, network: Cell, epoch: int, step: int) -> None:
        """Saves to ..._breakpoint.ckpt, if that is asked for."""
        if self._config.exception_save:
            prefix = _unused(self._directory, self._exception_prefix, breakpoint=True)
            path = os.path.join(self._directory, f"{prefix}-{epoch}_{step}{_BREAKPOINT}")
            self._config.save(network, path, self._information(epoch, step))

    def _information(self, epoch: int, step: int) -> dict[str, Any]:
        numbers = {"epoch_num": epoch, "step_num": step}
        self._append_dict.update({name: self._before[name] + numbers[name] for name in numbers if name in self._append_dict})
        return self._append_dict

    def _is_due(self, step: int) -> bool:
        steps, seconds = self._config.save_checkpoint_steps, self._config.save_checkpoint_seconds
        if steps:
            return bool(step >= self._last_triggered_step + steps)
        return bool(seconds and time.time() - self._last_time > seconds)

    def _save(self, cb_params: dict[str, Any], force: bool) -> None:
        step, epoch, config = cb_params["cur_step_num"], cb_params["cur_epoch_num"], self._config
        by_time = config.save_checkpoint_steps or config.save_checkpoint_seconds
        if step == self._last_triggered_step or not ((force and by_time) or self._is_due(step)):
            return
        if self._directory_func is not None:
            self._directory = make_directory("ModelCheckpoint", "directory", self._directory_func(cb_params))
        if self._prefix_func is not None:
            name = self._prefix = _check_prefix(self._prefix_func(cb_params))
        else:
            name = f"{self._prefix}-{epoch}_{(step - 1) % cb_params['batch_num'] + 1}"
        path = os.path.join(self._directory, f"{name}.{config.format}")
        self._last_time, self._last_triggered_step = time.time(), step
        old = self._old()
        config.save(cb_params["train_network"], path, self._information(epoch, step))
        for file in old:
            with contextlib.suppress(OSError):
                file.unlink()
        self._latest_ckpt_file_name = path
        cb_params["last_save_ckpt_step"], cb_params["latest_ckpt_file"] = step, path

    def _old(self) -> list[Path]:
        """The files to remove once another is written."""
        files = sorted(self._files(), key=os.path.getmtime)
        if self._config.keep_checkpoint_max:
            return files[: max(0, len(files) - self._config.keep_checkpoint_max + 1)]
        since = time.time() - 60 * (self._config.keep_checkpoint_per_n_minutes or 0)
        return [file for file in files if os.path.getmtime(file) > since][1:]

    def _files(self) -> list[Path]:
        """The files of this callback's prefix and format."""
        files = []
        for file in Path(self._directory).iterdir():
            numbers = file.stem[len(self._prefix) :]
            matches = file.suffix == f".{self._config.format}" and file.name.startswith(f"{self._prefix}-")
            if matches and not any(character.isalpha() for character in numbers):
                files.append(file)
        return files


def _check_prefix(prefix: Any) -> str:
    if not isinstance(prefix, str) or "/" in prefix:
        raise ValueError(
            f"For 'ModelCheckpoint', 'prefix' must be a str without '/', or a function that gives one, but got {prefix!r}."
        )
    return prefix


def _unused(directory: str, prefix: str, breakpoint: bool) -> str:
    """The prefix, with a number that no file's has if there are files of the prefix."""
    number = 0
    for name in os.listdir(directory):
        if not name.startswith(prefix) or not name.endswith(_ENDINGS) or name.endswith(_BREAKPOINT) != breakpoint:
            continue
        between, dash, _ = name[len(prefix) :].partition("-")
        if dash and not between:
            number = max(number, 1)
        elif dash and between[1:].isdigit() and not between[0].isalpha():
            number = max(number, int(between[1:]) + 1)
    return f"{prefix}_{number}" if number else prefix


class BackupAndRestore(Callback):
    """Saves what is trained to BACKUP_DIR/backup.ckpt after epochs, and begins with what is there: training that was
    interrupted goes on with its Parameters.

    Args:
        backup_dir: the folder, a path, which is made.
        save_freq: after how many epochs, an int; "epoch" is each.
        delete_checkpoint: whether the file is removed when training has ended.

    Raises:
        TypeError: backup_dir is no path, save_freq no int, or delete_checkpoint no bool.
        ValueError: backup_dir is empty, or save_freq not positive.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(4)
        >>> model.train(1, data, train.BackupAndRestore("backup", delete_checkpoint=False))
        >>> net.weight[0] = 8.0
        >>> model.train(2, data, train.BackupAndRestore("backup"), initial_epoch=1)
        >>> print(net.weight.value())  # 1 / 2 / 2, not 8 / 2
        [[0.25]]
    """

    def __init__(self, backup_dir: Any, save_freq: Any = "epoch", delete_checkpoint: bool = True):
        name = "BackupAndRestore"
        self.backup_file = os.path.join(make_directory(name, "backup_dir", backup_dir), "backup.ckpt")
        self.save_freq = 1 if save_freq == "epoch" else check_int(name, "save_freq", save_freq, 1)
        self.delete_checkpoint = check_bool(name, "delete_checkpoint", delete_checkpoint)

    def on_train_begin(self, run_context: RunContext) -> None:
        if os.path.exists(self.backup_file):
            load_checkpoint(self.backup_file, net=run_context.original_args()["train_network"])

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        if cb_params["cur_epoch_num"] % self.save_freq == 0:
            save_checkpoint(cb_params["train_network"], self.backup_file)

    def on_train_end(self, run_context: RunContext) -> None:
        if self.delete_checkpoint:
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.backup_file)
