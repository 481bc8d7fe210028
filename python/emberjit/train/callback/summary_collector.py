"""SummaryCollector: what training does, recorded for TensorBoard."""

from __future__ import annotations

import re
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_instance, check_int
from emberjit.nn.cell import Cell
from emberjit.options import take_all
from emberjit.train.callback.callback import Callback, RunContext, loss_of, mean_of
from emberjit.train.summary import SummaryRecord, check_export_options

_FIRST_PARAMETERS = 5
_MOST_TENSORS = 20
_ITEMS = {  # of collect_specified_data, with their types
    "collect_metric": bool,
    "collect_input_data": bool,
    "histogram_regular": (str, type(None)),
    "collect_graph": bool,
    "collect_train_lineage": bool,
    "collect_eval_lineage": bool,
    "collect_dataset_graph": bool,
    "collect_landscape": (dict, type(None)),
}
_RECORDED = ("collect_metric", "collect_input_data", "histogram_regular")


class SummaryCollector(Callback):
    """Records in training the loss, the learning rate, the distribution of Parameters, images, and what the summaries of ops
    are given, as SummaryRecord does, for TensorBoard.

    Args:
        summary_dir: the folder, a path, which is made.
        collect_freq: of every how many steps it records, a positive int; the first always.
        num_process: of MindSpore's (page Options).
        collect_specified_data: a dict that says what: "collect_metric" (loss and learning rate), "collect_input_data" (the
            first image of a batch), "histogram_regular" (a regular expression of Parameters' names; None: the first five).
            MindSpore's graphs, lineages and landscapes, of its own format, have no effect (page Options).
        keep_default_action: whether what is not said is recorded, too.
        custom_lineage_data: of lineages (page Options).
        collect_tensor_freq: of every how many steps what TensorSummary is given is recorded; None: of 20 in all at most.
        max_file_size: how many bytes the file may have; None: any.
        export_options: {"tensor_format": "npy"}: Tensors are also saved as .npy files; None: they are not.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is not positive, or a dict has something else; when called: there are two of them.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(2)
        >>> model.train(2, data, train.SummaryCollector("logs", collect_freq=2))
        >>> import os
        >>> print([name.split(".")[:4] for name in os.listdir("logs")])  # tensorboard --logdir logs
        [['events', 'out', 'events', 'summary']]
    """

    called_in_fit = False

    def __init__(
        self,
        summary_dir: Any,
        collect_freq: int = 10,
        num_process: int = 32,
        collect_specified_data: Any = None,
        keep_default_action: bool = True,
        custom_lineage_data: Any = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: Any = None,
    ):
        name = "SummaryCollector"
        self._summary_dir = summary_dir
        self._collect_freq = check_int(name, "collect_freq", collect_freq, 1)
        for argument, value in (("collect_tensor_freq", collect_tensor_freq), ("max_file_size", max_file_size)):
            if value is not None:
                check_int(name, argument, value, 1)
        check_bool(name, "keep_default_action", keep_default_action)
        check_export_options(name, export_options)
        self._num_process, self._max_file_size, self._export_options = num_process, max_file_size, export_options
        self._collect_tensor_freq = collect_tensor_freq
        self._what = self._specified(collect_specified_data, keep_default_action)
        take_all(name, {"custom_lineage_data": custom_lineage_data})
        self._record: Any = None

    def _specified(self, specified: Any, with_others: bool) -> dict[str, Any]:
        name = "SummaryCollector"
        check_instance(name, "collect_specified_data", specified, (dict, type(None)))
        options = specified or {}
        for item, value in options.items():
            if item not in _ITEMS:
                raise ValueError(f"For '{name}', 'collect_specified_data' may have {', '.join(_ITEMS)}, but has {item!r}.")
            check_instance(name, item, value, _ITEMS[item])
            if item not in _RECORDED:
                take_all(name, {item: value})
        try:
            re.compile(options.get("histogram_regular") or "")
        except re.error as error:
            raise ValueError(f"For '{name}', 'histogram_regular' is no regular expression: {error}.") from None
        others = {"collect_metric": True, "collect_input_data": True, "histogram_regular": None} if with_others else {}
        return {**others, **options}

    def __enter__(self) -> Any:
        self._record = SummaryRecord(
            self._summary_dir,
            num_process=self._num_process,
            max_file_size=self._max_file_size,
            export_options=self._export_options,
        )
        return self

    def __exit__(self, *err: Any) -> None:
        self._record.close()

    def begin(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        if sum(isinstance(callback, SummaryCollector) for callback in cb_params.get("list_callback", ())) > 1:
            raise ValueError("For 'SummaryCollector', there must be one among the callbacks.")
        self._record.set_mode(cb_params["mode"])

    def step_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        if cb_params["mode"] != "train":
            return
        step = cb_params["cur_step_num"]
        regular = step == 1 or step % self._collect_freq == 0
        tensors = step == 1 or step in self._steps_of_tensors(cb_params)
        if not (regular or tensors):
            self._record.record(step, plugin_filter=lambda plugin: False)
            return
        if regular:
            self._add_values(cb_params)
        self._record.record(step, plugin_filter=lambda plugin: tensors if plugin == "tensor" else regular)
        if step == 1:
            self._record.flush()

    def _steps_of_tensors(self, cb_params: dict[str, Any]) -> range:
        total = cb_params["epoch_num"] * cb_params["batch_num"]
        if self._collect_tensor_freq is not None:
            return range(0, total + 1, self._collect_tensor_freq)
        return range(0, total + 1, max(self._collect_freq, total // (_MOST_TENSORS - 1)))

    def _add_values(self, cb_params: dict[str, Any]) -> None:
        add, network = self._record.add_value, cb_params["train_network"]
        if self._what.get("collect_metric"):
            loss = mean_of(loss_of(cb_params["net_outputs"]))
            if isinstance(loss, (float, core.Tensor)):
                add("scalar", "loss/auto", core.Tensor(float(loss)))
            rate = getattr(cb_params.get("optimizer"), "learning_rate", None)
            if isinstance(rate, core.Tensor):
                add("scalar", "learning_rate/auto", rate)
        if self._what.get("collect_input_data"):
            first = cb_params["train_dataset_element"][0]
            if isinstance(first, core.Tensor) and first.ndim == 4 and first.shape[1] in (1, 3):
                add("image", "input_data/auto", first)
        if "histogram_regular" in self._what:
            for parameter in self._parameters(network):
                add("histogram", f"{parameter.name}/auto", parameter)

    def _parameters(self, network: Cell) -> list[Any]:
        pattern = self._what["histogram_regular"]
        if pattern is None:
            return list(network.trainable_params())[:_FIRST_PARAMETERS]
        return [parameter for parameter in network.trainable_params() if re.match(pattern, parameter.name)]

    def epoch_end(self, run_context: RunContext) -> None:
        self._record.flush()

    end = epoch_end
