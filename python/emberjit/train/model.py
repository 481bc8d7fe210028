"""Model: training, evaluation and prediction of a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit import context, nn
from emberjit.amp.training import build_train_network
from emberjit.checks import check_bool, check_instance, check_int
from emberjit.context import ParallelMode
from emberjit.nn.cell import Cell
from emberjit.options import take_all
from emberjit.train.callback.callback import Callback, CallbackManager, InternalCallbackParam, RunContext
from emberjit.train.callback.checkpoint import ModelCheckpoint
from emberjit.train.callback.monitors import LossMonitor
from emberjit.train.callback.progress import ProgressBar, is_shown
from emberjit.train.dataset_helper import Position, Rows
from emberjit.train.metrics import get_metrics
from emberjit.train.metrics.errors import Loss

__all__ = ["Model"]

_OLD_POINTS = {"begin", "end", "epoch_begin", "epoch_end", "step_begin", "step_end"}
_ABSENT: Any = object()


class Model:
    """Training, evaluation and prediction of a network. Each step of them is one jitted function. save_training saves a
    Model whole, also in a callback, the last of several; after load_training its fit or train goes on with the next row.

    Args:
        network: a Cell.
        loss_fn: a Cell that takes the network's output and the label; None: the network gives the loss.
        optimizer: an Optimizer of the network's Parameters; None: the network changes them itself.
        metrics: what evaluation gives: names, as a set ({"accuracy"}, train.names() has them), or Metrics by name, as a
            dict; None: there is no evaluation.
        eval_network: what evaluation calls; None: the network, with loss_fn, which gives (loss, output, label).
        eval_indexes: the places of loss, predicted value and label in eval_network's outputs, a list of 3 ints; None:
            metrics get all outputs.
        amp_level: "O0" to "O3" or "auto", as of amp.build_train_network.
        boost_level: "O0", the only one.
        loss_scale_manager: a LossScaleManager, which says how the loss is scaled; None: not; by default as amp_level says.
        keep_batchnorm_fp32: whether batch normalisation stays in float32; by default as amp_level says.
        boost_config_dict, acc_level: of boost_level (page Options).

    Raises:
        TypeError: network is no Cell, metrics is something else, or an argument is unknown.
        ValueError: amp_level or loss_scale_manager is given without optimizer, metrics without loss_fn and eval_network, or
            eval_indexes has not 3 items; there is no such level.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> optimizer = nn.SGD(net.trainable_params(), learning_rate=0.25)
        >>> model = train.Model(net, nn.MSELoss(), optimizer, metrics={"mse"})
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(2)
        >>> model.train(2, data)  # epochs, each of two steps that halve the weight
        >>> print(model.eval(data), model.predict(Tensor([[8.0]])))
        {'mse': 0.00390625} [[0.5]]
    """

    def __init__(
        self,
        network: Any,
        loss_fn: Any = None,
        optimizer: Any = None,
        metrics: Any = None,
        eval_network: Any = None,
        eval_indexes: Any = None,
        amp_level: str = "O0",
        boost_level: str = "O0",
        *,
        loss_scale_manager: Any = _ABSENT,
        keep_batchnorm_fp32: Any = None,
        boost_config_dict: Any = None,
        acc_level: str | None = None,
    ):
        check_instance("Model", "network", network, Cell)
        if optimizer is None and amp_level != "O0":
            raise ValueError(f"For 'Model', 'amp_level' {amp_level!r} needs an 'optimizer'.")
        if optimizer is None and loss_scale_manager not in (_ABSENT, None):
            raise ValueError("For 'Model', 'loss_scale_manager' needs an 'optimizer'.")
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._loss_scale_manager = None if loss_scale_manager is _ABSENT else loss_scale_manager
        self._amp_level = amp_level
        self._parallel_mode, self._device_number = ParallelMode.STAND_ALONE, 1
        scaling = {} if loss_scale_manager is _ABSENT else {"loss_scale_manager": loss_scale_manager}
        if keep_batchnorm_fp32 is not None:
            scaling["keep_batchnorm_fp32"] = keep_batchnorm_fp32
        self._train_network = self._trained(acc_level or boost_level, boost_config_dict, scaling)
        self._predict_network = network
        self._position = Position()
        self._metric_fns = get_metrics(metrics)
        self._eval_network, self._eval_indexes = self._evaluated(eval_network, eval_indexes)

    def _trained(self, boost_level: str, boost_config: Any, scaling: dict[str, Any]) -> Any:
        take_all("Model", {"boost_level": boost_level, "boost_config_dict": boost_config})
        if self._optimizer is not None:
            return build_train_network(self._network, self._optimizer, self._loss_fn, self._amp_level, **scaling)
        return self._network if self._loss_fn is None else nn.WithLossCell(self._network, self._loss_fn)

    def _evaluated(self, network: Any, indexes: Any) -> tuple[Any, Any]:
        if not self._metric_fns:
            return network, None
        if network is None:
            if self._loss_fn is None:
                raise ValueError("For 'Model', 'metrics' need 'loss_fn' or 'eval_network'.")
            as_float32 = self._amp_level in ("O2", "O3", "auto")
            return nn.WithEvalCell(self._network, self._loss_fn, as_float32), [0, 1, 2]
        if indexes is not None and (not isinstance(indexes, list) or len(indexes) != 3):
            raise ValueError(f"For 'Model', 'eval_indexes' must be a list of 3 places, but got {indexes!r}.")
        return network, indexes

    def _parts(self) -> dict[str, Any]:
        """What a text of the Model shows, by name."""
        fields = {name: self.__dict__.get(f"_{name}") for name in ("network", "loss_fn", "optimizer", "eval_network")}
        return {name: value for name, value in fields.items() if value is not None and type(value) is not nn.WithEvalCell}

    def _settings(self) -> list[str]:
        metrics, level = ", ".join(self.__dict__.get("_metric_fns") or ()), self.__dict__.get("_amp_level", "O0")
        return [f"metrics: {metrics}"] * bool(metrics) + [f"amp_level: {level}"] * (level != "O0")

    def __repr__(self) -> str:
        parts = [f"({name}): " + repr(value).replace("\n", "\n  ") for name, value in self._parts().items()]
        lines = [*parts, *self._settings()]
        return "\n  ".join(["Model(", *lines]) + "\n)" if lines else "Model(...)"

    def _repr_html_(self) -> str:
        from emberjit.printing import html

        parts = [
            html.details(name, value._repr_html_() if isinstance(value, Cell) else html.pre(repr(value)))
            for name, value in self._parts().items()
        ]
        return html.details("Model", *parts, *map(html.pre, self._settings()), is_open=True)

    @property
    def train_network(self) -> Any:
        """The Cell that a step of training calls: the network with its loss and optimizer."""
        return self._train_network

    @property
    def eval_network(self) -> Any:
        """The Cell that a step of evaluation calls."""
        return self._eval_network

    @property
    def predict_network(self) -> Any:
        """The network."""
        return self._predict_network

    def train(
        self,
        epoch: int,
        train_dataset: Any,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Trains.

        Args:
            epoch: the last epoch.
            train_dataset: gives (data, label) with a loss_fn, else what the network takes.
            callbacks: a Callback, or a list of them.
            dataset_sink_mode: whether sink_size counts; the steps are the same otherwise.
            sink_size: with dataset_sink_mode, how many steps an epoch has, which takes up the data where the last one has
                ended; -1: as many as the data.
            initial_epoch: how many epochs have been trained before.

        Raises:
            TypeError: an argument is of another type.
            ValueError: epoch is not above initial_epoch, sink_size is neither -1 nor positive, there is no data, or the
                dataset does not give two columns although there is a loss_fn.
        """
        self._fit("train", epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch)

    def fit(
        self,
        epoch: int,
        train_dataset: Any,
        valid_dataset: Any = None,
        valid_frequency: Any = 1,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        valid_dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Trains, and evaluates after epochs. Callbacks find the values of metrics, and the mean loss as "eval_loss", among
        their parameters as eval_results.

        Args:
            epoch: the last epoch.
            train_dataset: gives (data, label) with a loss_fn, else what the network takes.
            valid_dataset: of evaluation, gives (data, label), or what eval_network takes; None: there is none.
            valid_frequency: after every how many epochs it evaluates, or a list of the epochs.
            callbacks: a Callback, or a list of them; None: there are none.
            dataset_sink_mode: whether sink_size counts; the steps are the same otherwise.
            valid_dataset_sink_mode: has no meaning on a CPU.
            sink_size: with dataset_sink_mode, how many steps an epoch has, as of train; -1: as many as the data.
            initial_epoch: how many epochs have been trained before.

        Raises:
            TypeError: an argument is of another type.
            ValueError: as train; valid_frequency is not positive; there is a valid_dataset, but no metrics; a callback has
                methods of older names, of which it cannot be known whether they are meant for evaluation, too.
        """
        check_bool("Model.fit", "valid_dataset_sink_mode", valid_dataset_sink_mode)
        check_instance("Model.fit", "valid_frequency", valid_frequency, (int, list))
        if isinstance(valid_frequency, int):
            check_int("Model.fit", "valid_frequency", valid_frequency, 1)
        if valid_dataset is not None and not self._metric_fns:
            raise ValueError("For 'Model.fit', 'valid_dataset' needs 'metrics' of Model.")
        for callback in _as_list(callbacks):
            old = _OLD_POINTS & set(vars(type(callback)))
            if old and not type(callback).__module__.startswith("emberjit."):
                raise ValueError(
                    f"For 'Model.fit', the callback {type(callback).__name__} must have methods on_train_... and "
                    f"on_eval_... instead of {', '.join(sorted(old))}."
                )
        valid = (valid_dataset, valid_frequency)
        self._fit("fit", epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch, valid)

    def _fit(
        self,
        name: str,
        epoch: int,
        dataset: Any,
        callbacks: Any,
        sink: bool,
        sink_size: int,
        initial_epoch: int,
        valid: tuple[Any, Any] = (None, 1),
    ) -> None:
        size = self._check_training(f"Model.{name}", epoch, dataset, sink, sink_size, initial_epoch)
        rows = Rows(dataset, steps=size) if sink and sink_size > 0 else Rows(dataset, epoch - initial_epoch)
        self._position.begin(rows, initial_epoch)
        cb_params = InternalCallbackParam(
            train_network=self._train_network,
            epoch_num=epoch - initial_epoch,
            batch_num=size,
            mode="train",
            loss_fn=self._loss_fn,
            optimizer=self._optimizer,
            parallel_mode=self._parallel_mode,
            device_number=self._device_number,
            train_dataset=dataset,
            list_callback=_as_list(callbacks),
            train_dataset_element=None,
            network=self._network,
            cur_step_num=self._position.steps,
            dataset_sink_mode=False,
            last_save_ckpt_step=None,
            latest_ckpt_file=None,
            loss_scale_mananger=self._loss_scale_manager,
        )
        if self._position.step:  # callbacks get the outputs of the epoch's last step, also if that was done before
            cb_params["net_outputs"] = self._position.outputs
        with CallbackManager([*self._progress(cb_params["list_callback"], epoch), *_as_list(callbacks)]) as manager:
            try:
                self._train_epochs(range(self._position.epoch, epoch), rows, manager, cb_params, valid)
            except BaseException:
                step = (cb_params["cur_step_num"] - 1) % size + 1 if cb_params["cur_step_num"] else 0
                for callback in manager._callbacks:
                    if isinstance(callback, ModelCheckpoint):
                        current = cb_params.get("cur_epoch_num", initial_epoch)
                        callback.save_after_exception(self._train_network, current, step)
                raise
            finally:
                self._position.end()

    def _check_training(self, name: str, epoch: int, dataset: Any, sink: bool, sink_size: int, initial_epoch: int) -> int:
        """The number of steps of an epoch."""
        check_bool(name, "dataset_sink_mode", sink)
        check_int(name, "sink_size", sink_size)
        check_int(name, "epoch", epoch, 1)
        check_int(name, "initial_epoch", initial_epoch, 0)
        if initial_epoch >= epoch:
            raise ValueError(f"For '{name}', 'epoch' must be above 'initial_epoch', but got {epoch} and {initial_epoch}.")
        if sink_size < -1 or sink_size == 0:
            raise ValueError(f"For '{name}', 'sink_size' must be -1 or positive, but got {sink_size}.")
        size: int = dataset.get_dataset_size()
        if size == 0:
            raise ValueError(f"For '{name}', there is no data in the dataset.")
        return sink_size if sink and sink_size > 0 else size

    def _progress(self, callbacks: list[Any], epochs: int) -> list[Callback]:
        if not is_shown() or any(isinstance(callback, LossMonitor) for callback in callbacks):
            return []
        return [ProgressBar(self._train_network, epochs)]

    def _train_epochs(
        self, epochs: range, rows: Rows, manager: CallbackManager, cb_params: dict[str, Any], valid: tuple[Any, Any]
    ) -> None:
        run_context = RunContext(cb_params)
        manager.on_train_begin(run_context)
        for epoch in () if run_context.get_stop_requested() else epochs:
            cb_params["cur_epoch_num"] = epoch + 1
            self._train_network.set_train(True)
            manager.on_train_epoch_begin(run_context)
            for row in rows:
                self._train_step(row, manager, run_context)
                if run_context.get_stop_requested():
                    break
            if valid[0] is not None and _is_due(epoch + 1, valid[1]):
                self._evaluate_in_training(valid[0], manager, cb_params)
            self._position.next_epoch()
            manager.on_train_epoch_end(run_context)
            for name in ("metrics", "eval_results"):
                cb_params.pop(name, None)
            if run_context.get_stop_requested():
                break
        manager.on_train_end(run_context)

    def _train_step(self, row: tuple[Any, ...], manager: CallbackManager, run_context: RunContext) -> None:
        if self._loss_fn is not None and len(row) != 2:
            raise ValueError(
                f"For 'Model', with 'loss_fn' the dataset must give data and label, but gave {len(row)} columns."
            )
        cb_params = run_context.original_args()
        cb_params["cur_step_num"] += 1
        cb_params["train_dataset_element"] = row
        manager.on_train_step_begin(run_context)
        cb_params["net_outputs"] = outputs = _run(self._train_network, row)
        scaling = self._loss_scale_manager
        if scaling is not None and scaling.get_drop_overflow_update():
            scaling.update_loss_scale(bool(outputs[1].asnumpy().all()))
        self._position.next_step(outputs)
        manager.on_train_step_end(run_context)

    def _evaluate_in_training(self, dataset: Any, manager: CallbackManager, cb_params: dict[str, Any]) -> None:
        saved = {name: cb_params[name] for name in ("cur_step_num", "batch_num", "dataset_sink_mode", "net_outputs")}
        callbacks = [callback for callback in manager._callbacks if callback.called_in_fit]
        cb_params.update(valid_dataset=dataset, eval_network=self._eval_network, batch_num=dataset.get_dataset_size())
        cb_params.update(mode="eval", cur_step_num=0)
        self._evaluate(dataset, CallbackManager(callbacks), cb_params, with_loss=True)
        cb_params.update(saved, mode="train")

    def eval(self, valid_dataset: Any, callbacks: Any = None, dataset_sink_mode: bool = False) -> dict[str, Any]:
        """Evaluates.

        Args:
            valid_dataset: gives (data, label), or what eval_network takes.
            callbacks: a Callback, or a list of them.
            dataset_sink_mode: has no meaning on a CPU.

        Returns:
            The value of each metric by its name.

        Raises:
            TypeError: an argument is of another type.
            ValueError: Model has no metrics.
        """
        check_bool("Model.eval", "dataset_sink_mode", dataset_sink_mode)
        if not self._metric_fns:
            raise ValueError("For 'Model.eval', Model must have 'metrics'.")
        cb_params = InternalCallbackParam(
            eval_network=self._eval_network,
            valid_dataset=valid_dataset,
            batch_num=valid_dataset.get_dataset_size(),
            mode="eval",
            cur_step_num=0,
            dataset_sink_mode=False,
            list_callback=_as_list(callbacks),
            network=self._network,
        )
        with CallbackManager(_as_list(callbacks)) as manager:
            return self._evaluate(valid_dataset, manager, cb_params, with_loss=False)

    def _evaluate(
        self, dataset: Any, manager: CallbackManager, cb_params: dict[str, Any], with_loss: bool
    ) -> dict[str, Any]:
        assert self._metric_fns is not None
        for metric in self._metric_fns.values():
            metric.clear()
        losses = Loss() if with_loss and self._eval_indexes is not None else None
        run_context = RunContext(cb_params)
        manager.on_eval_begin(run_context)
        self._eval_network.set_train(False)
        manager.on_eval_epoch_begin(run_context)
        for row in Rows(dataset, 1):
            cb_params["cur_step_num"] += 1
            cb_params["eval_dataset_element"] = row
            manager.on_eval_step_begin(run_context)
            cb_params["net_outputs"] = outputs = _run(self._eval_network, row)
            manager.on_eval_step_end(run_context)
            self._update_metrics(outputs)
            if losses is not None:
                losses.update(outputs[self._eval_indexes[0]])
            if run_context.get_stop_requested():
                break
        manager.on_eval_epoch_end(run_context)
        cb_params["metrics"] = metrics = {name: metric.eval() for name, metric in self._metric_fns.items()}
        if with_loss:
            cb_params["eval_results"] = dict(metrics) if losses is None else {**metrics, "eval_loss": losses.eval()}
        manager.on_eval_end(run_context)
        return metrics

    def _update_metrics(self, outputs: Any) -> None:
        assert self._metric_fns is not None
        values = (outputs,) if isinstance(outputs, core.Tensor) else outputs
        if not isinstance(values, tuple) or (self._eval_indexes is not None and len(values) < 3):
            raise ValueError(
                f"For 'Model', 'eval_network' must give a tuple of loss, prediction and label, but gave {values!r}."
            )
        for metric in self._metric_fns.values():
            if self._eval_indexes is None:
                metric.update(*values)
            else:
                loss, predicted, label = (values[index] for index in self._eval_indexes)
                metric.update(*((loss,) if isinstance(metric, Loss) else (predicted, label)))

    def predict(self, *predict_data: Any, backend: str | None = None, config: Any = None) -> Any:
        """The network's output.

        Args:
            predict_data: what the network takes: Tensors, numbers, strs, None.
            backend, config: of MindSpore Lite (page Options).

        Raises:
            TypeError: an item of predict_data is of another type.
            ValueError: a Tensor is empty, or there is no such backend.
        """
        take_all("Model.predict", {"config": config} if backend is None else {"backend": backend, "config": config})
        for item in predict_data:
            if isinstance(item, core.Tensor):
                if item.size == 0:
                    raise ValueError("For 'Model.predict', a Tensor must not be empty.")
            elif item is not None and not isinstance(item, (int, float, str)):
                raise TypeError(f"For 'Model.predict', data must be Tensors, numbers, strs or None, but got {type(item)}.")
        self._predict_network.set_train(False)
        return _run(self._predict_network, predict_data)

    def build(
        self,
        train_dataset: Any = None,
        valid_dataset: Any = None,
        sink_size: int = -1,
        epoch: int = 1,
        sink_mode: bool = True,
    ) -> None:
        """Captures the graphs of steps in advance, of the first rows of datasets.

        Args:
            train_dataset: that of training; None: its graph is not captured.
            valid_dataset: that of evaluation; None: its graph is not captured.
            sink_size, epoch, sink_mode: as of train.

        Raises:
            TypeError: an argument is of another type.
            ValueError: there is no dataset, or a number is out of range; there is a valid_dataset, but no metrics.
        """
        if train_dataset is None and valid_dataset is None:
            raise ValueError("For 'Model.build', 'train_dataset' or 'valid_dataset' must be given.")
        if valid_dataset is not None and not self._metric_fns:
            raise ValueError("For 'Model.build', 'valid_dataset' needs 'metrics' of Model.")
        steps = ((train_dataset, self._train_network, True), (valid_dataset, self._eval_network, False))
        for dataset, network, training in steps:
            if dataset is not None:
                self._check_training("Model.build", epoch, dataset, sink_mode, sink_size, 0)
                network.set_train(training).compile(*next(iter(Rows(dataset, 1))))

    def infer_train_layout(self, train_dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1) -> Any:
        """How Parameters are laid out on several devices.

        Raises:
            RuntimeError: always, as there is one.
        """
        raise RuntimeError("For 'Model.infer_train_layout', there is one device: Parameters are not laid out on several.")

    def infer_predict_layout(self, *predict_data: Any, skip_backend_compile: bool = False) -> Any:
        """How Parameters are laid out on several devices.

        Raises:
            RuntimeError: always, as there is one.
        """
        raise RuntimeError("For 'Model.infer_predict_layout', there is one device: Parameters are not laid out on several.")


def _run(network: Cell, row: Sequence[Any]) -> Any:
    """A step, by the graph of its Cell."""
    return network(*row) if context.in_graph_mode() else network.compile_and_run(*row)


def _as_list(callbacks: Any) -> list[Any]:
    if callbacks is None:
        return []
    return list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]


def _is_due(epoch: int, frequency: Any) -> bool:
    return epoch in frequency if isinstance(frequency, list) else epoch % frequency == 0
