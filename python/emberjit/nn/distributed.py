"""Cells of distributed training, for one process."""

from __future__ import annotations

from typing import Any

from emberjit.compat.communication.groups import WORLD, check_group
from emberjit.compat.parallel import Layout
from emberjit.compat.unavailable import refusing
from emberjit.nn.cell import Cell
from emberjit.nn.wrappers import GradAccumulationCell, MicroBatchInterleaved, PipelineCell

__getattr__, _why = refusing(
    __name__,
    "emberjit.nn",
    {
        "is of pipelines over several devices, of which there is one": "PipelineGradReducer",
        "reads a queue of a device; iterate over the dataset": "GetNextSingleOp",
    },
    (Cell,),
)
GradAccumulation, Pipeline = GradAccumulationCell, PipelineCell

__all__ = ["AutoParallel", "DistributedDataParallel", "DistributedGradReducer", "GradAccumulation", "Layout"]
__all__ += ["MicroBatchInterleaved", "Pipeline", "PipelineCell", *_why]


class DistributedGradReducer(Cell):
    """Sums or averages gradients over processes: with one they stay.

    Args:
        parameters: the Parameters.
        mean: whether to average; None: as gradients_mean of set_auto_parallel_context.
        degree: by how many to divide, the number of processes: 1, or None.
        fusion_type: how communication is grouped, of which there is none.
        group: of processes.

    Raises:
        TypeError, ValueError: degree is another, or there is no such group.
    """

    def __init__(
        self, parameters: Any, mean: bool | None = None, degree: int | None = None, fusion_type: int = 1, group: str = WORLD
    ):
        super().__init__()
        check_group("DistributedGradReducer", group)
        if degree not in (None, 1):
            raise ValueError(
                f"For 'DistributedGradReducer', 'degree' must be 1, the number of processes, or None, but got {degree!r}."
            )
        self.degree, self.mean, self.fusion_type = 1, mean, fusion_type

    def construct(self, grads: Any) -> Any:
        """The gradients."""
        return grads


class DistributedDataParallel(Cell):
    """A network whose gradients are averaged over processes: with one it is the network.

    Args:
        module: the network.
        init_sync, bucket_cap_mb, find_unused_parameters, average_in_collective, static_graph, reducer_mode: how gradients
            are sent, which they are not.
        process_group: of processes; None: all.

    Raises:
        TypeError: module is no Cell, or process_group no str.
        ValueError: there is no such group.
    """

    def __init__(
        self,
        module: Cell,
        init_sync: bool = True,
        process_group: str | None = None,
        bucket_cap_mb: int | None = None,
        find_unused_parameters: bool = False,
        average_in_collective: bool = False,
        static_graph: bool = False,
        reducer_mode: str = "CppReducer",
    ):
        super().__init__(auto_prefix=False)
        _check_cell("DistributedDataParallel", "module", module)
        check_group("DistributedDataParallel", WORLD if process_group is None else process_group)
        self.module = module

    def construct(self, *inputs: Any, **options: Any) -> Any:
        """What the network returns."""
        return self.module(*inputs, **options)


def _check_cell(function: str, name: str, cell: Any) -> None:
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{function}', '{name}' must be a Cell, but got {cell!r} of type {type(cell).__name__}.")


class AutoParallel(Cell):
    """A network that is divided among devices: with one it is the network. Its settings say how, and do nothing.

    Args:
        network: the network.
        parallel_mode: "semi_auto", "sharding_propagation" or "recursive_programming".

    Raises:
        TypeError: network is no Cell.
        ValueError: there is no such mode.
    """

    def __init__(self, network: Cell, parallel_mode: str = "semi_auto"):
        super().__init__(auto_prefix=False)
        _check_cell("AutoParallel", "network", network)
        modes = "semi_auto", "sharding_propagation", "recursive_programming"
        if parallel_mode not in modes:
            raise ValueError(f"For 'AutoParallel', 'parallel_mode' must be one of {modes}, but got {parallel_mode!r}.")
        self.network = network

    def construct(self, *inputs: Any, **options: Any) -> Any:
        """What the network returns."""
        return self.network(*inputs, **options)

    def pipeline(
        self, stages: int = 1, output_broadcast: bool = False, interleave: bool = False, scheduler: str = "1f1b"
    ) -> None:
        """
        Raises:
            ValueError: stages is not 1.
        """
        if stages != 1:
            raise ValueError(f"For 'AutoParallel.pipeline', 'stages' must be 1, as there is one device, but got {stages!r}.")

    def get_pipeline_stages(self) -> int:
        """1."""
        return 1

    def hsdp(self, shard_size: int = -1, threshold: int = 64, optimizer_level: str = "level1") -> None:
        """
        Raises:
            ValueError: optimizer_level is none of "level1", "level2" and "level3".
        """
        if optimizer_level not in ("level1", "level2", "level3"):
            raise ValueError(
                f"For 'AutoParallel.hsdp', 'optimizer_level' must be 'level1' to 'level3', but got {optimizer_level!r}."
            )

    def comm_fusion(self, config: dict[str, Any]) -> None:
        """
        Raises:
            TypeError: config is no dict.
        """
        if not isinstance(config, dict):
            raise TypeError(f"For 'AutoParallel.comm_fusion', 'config' must be a dict, but got {config!r}.")

    def dataset_strategy(self, config: Any) -> None:
        """
        Raises:
            TypeError: config is neither a str nor a tuple.
        """
        if not isinstance(config, (str, tuple, Layout)):
            raise TypeError(f"For 'AutoParallel.dataset_strategy', 'config' must be a str or tuple, but got {config!r}.")


def _setting(name: str) -> Any:
    def setting(self: AutoParallel) -> None:
        """Does nothing: there is one device."""

    setting.__name__, setting.__qualname__ = name, f"AutoParallel.{name}"
    return setting


def _setting_of_file(name: str) -> Any:
    def setting(self: AutoParallel, file_path: str) -> None:
        """Does nothing: there is one device.

        Raises:
            TypeError: file_path is no str.
        """
        if not isinstance(file_path, str):
            raise TypeError(f"For 'AutoParallel.{name}', 'file_path' must be a str, but got {file_path!r}.")

    setting.__name__, setting.__qualname__ = name, f"AutoParallel.{name}"
    return setting


for _name in (
    *("disable_gradient_fp32_sync", "disable_loss_repeated_mean", "disable_strategy_file_only_for_trainable_params"),
    *("enable_device_local_norm", "enable_fp32_communication", "enable_gradients_mean", "no_init_parameters_in_compile"),
    "print_local_norm",
):
    setattr(AutoParallel, _name, _setting(_name))
for _name in (
    *("dump_local_norm", "load_operator_strategy_file", "load_param_strategy_file", "save_operator_strategy_file"),
    *("save_param_strategy_file", "set_group_ckpt_save_file", "transformer_opt"),
):
    setattr(AutoParallel, _name, _setting_of_file(_name))
