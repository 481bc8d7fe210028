"""Callbacks that note or call: History, LambdaCallback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit.train.callback.callback import Callback, RunContext, StatefulCallback, mean_of


class History(StatefulCallback):
    """Notes for each epoch the network's (first) output in `history["net_output"]`, that is the loss, and metrics by name;
    the epochs in `epoch["epoch"]`. plot() shows them.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(4)
        >>> history = train.History()
        >>> model.train(3, data, history)
        >>> print(history.history, history.epoch)
        {'net_output': [1.0, 0.25, 0.0625]} {'epoch': [1, 2, 3]}
    """

    called_in_fit = False
    kept = ("history", "epoch", "_epochs")

    def __init__(self) -> None:
        self.history: dict[str, list[Any]] = {}
        self.epoch: dict[str, list[int]] | None = None
        self._epochs: dict[str, list[int]] = {}  # of history's values

    def restart(self) -> None:
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context: RunContext) -> None:
        cb_params = run_context.original_args()
        if self.epoch is None:
            self.restart()
        assert self.epoch is not None
        epoch = cb_params.get("cur_epoch_num", 1)
        self.epoch["epoch"].append(epoch)
        output = cb_params["net_outputs"]
        first = output[0] if isinstance(output, (tuple, list)) else output
        values = {"net_output": mean_of(first), **(cb_params.get("metrics") or {})}
        for name, value in values.items():
            self.history.setdefault(name, []).append(value)
            self._epochs.setdefault(name, []).append(epoch)

    def plot(self, path: Any = None) -> Any:
        """A picture of what was noted, by epochs: a panel for each name, of the loss while training and, where that is a
        metric, in validation one.

        Args:
            path: where to save it, in the format of its ending.

        Returns:
            Matplotlib's Figure.

        Raises:
            ImportError: Matplotlib is not installed.
            RuntimeError: nothing was noted.
        """
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise ImportError(
                "For 'History.plot', Matplotlib must be installed: pip install matplotlib, or emberjit[demo]."
            ) from error
        if not self.history:
            raise RuntimeError("For 'History.plot', there is nothing to show: train with this callback first.")
        curves: dict[str, dict[str, str]] = {}  # names by titles and labels
        for name in self.history:
            trained = name == "net_output"
            curves.setdefault("loss" if trained else name, {})["training" if trained else "validation"] = name
        figure = Figure(figsize=(4 * len(curves), 3), layout="constrained")
        panels: Any = figure.subplots(1, len(curves), squeeze=False)[0]
        for panel, (title, names) in zip(panels, curves.items()):
            for label, name in names.items():
                panel.plot(self._epochs[name], self.history[name], marker="o", label=label)
            if len(names) > 1:
                panel.legend()
            panel.set(title=title, xlabel="epoch")
            panel.locator_params(axis="x", integer=True)
            panel.grid(alpha=0.3)
        if path is not None:
            figure.savefig(path)
        return figure


class LambdaCallback(Callback):
    """Calls functions with the RunContext at the points that their names say; None: nothing is called.

    Args:
        on_train_epoch_begin, on_train_epoch_end: before and after each epoch of training, after also of its evaluation.
        on_train_step_begin, on_train_step_end: before and after each step of training.
        on_train_begin, on_train_end: before and after training.
        on_eval_epoch_begin, on_eval_epoch_end: before and after the steps of evaluation.
        on_eval_step_begin, on_eval_step_end: before and after each step of evaluation.
        on_eval_begin, on_eval_end: before and after evaluation.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 1), "float32"), np.zeros((4, 1), "float32"))).batch(2)
        >>> shown = train.LambdaCallback(on_train_step_end=lambda context: print(context.original_args().net_outputs))
        >>> model.train(1, data, shown)
        1.0
        0.25
    """

    def __init__(
        self,
        on_train_epoch_begin: Callable[[Any], Any] | None = None,
        on_train_epoch_end: Callable[[Any], Any] | None = None,
        on_train_step_begin: Callable[[Any], Any] | None = None,
        on_train_step_end: Callable[[Any], Any] | None = None,
        on_train_begin: Callable[[Any], Any] | None = None,
        on_train_end: Callable[[Any], Any] | None = None,
        on_eval_epoch_begin: Callable[[Any], Any] | None = None,
        on_eval_epoch_end: Callable[[Any], Any] | None = None,
        on_eval_step_begin: Callable[[Any], Any] | None = None,
        on_eval_step_end: Callable[[Any], Any] | None = None,
        on_eval_begin: Callable[[Any], Any] | None = None,
        on_eval_end: Callable[[Any], Any] | None = None,
    ):
        functions = {
            "on_train_epoch_begin": on_train_epoch_begin,
            "on_train_epoch_end": on_train_epoch_end,
            "on_train_step_begin": on_train_step_begin,
            "on_train_step_end": on_train_step_end,
            "on_train_begin": on_train_begin,
            "on_train_end": on_train_end,
            "on_eval_epoch_begin": on_eval_epoch_begin,
            "on_eval_epoch_end": on_eval_epoch_end,
            "on_eval_step_begin": on_eval_step_begin,
            "on_eval_step_end": on_eval_step_end,
            "on_eval_begin": on_eval_begin,
            "on_eval_end": on_eval_end,
        }
        for name, function in functions.items():
            if function is not None:
                setattr(self, name, function)
