"""Cells of distributed training."""

from __future__ import annotations

from typing import Any

from emberjit.checks import check_choice, check_instance
from emberjit.compat.communication.groups import check_group
from emberjit.compat.parallel import Layout
from emberjit.compat.unavailable import refusing
from emberjit.distributed.world import WORLD
from emberjit.nn.cell import Cell
from emberjit.nn.training.grad_reducer import DistributedGradReducer
from emberjit.nn.training.micro_batches import GradAccumulationCell, MicroBatchInterleaved, PipelineCell

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


class DistributedDataParallel(Cell):
    """A network whose gradients are averaged over processes: with one it is the network; with others it is refused, and
    DistributedGradReducer averages gradients.

    Args:
        module: the network.
        init_sync, bucket_cap_mb, find_unused_parameters, average_in_collective, static_graph, reducer_mode: how gradients
            are sent between processes: they have no effect.
        process_group: of processes; None: all.

    Raises:
        TypeError: module is no Cell, or process_group no str.
        ValueError: there is no such group.
        RuntimeError: there are several processes.
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
        check_instance("DistributedDataParallel", "module", module, Cell)
        own = check_group("DistributedDataParallel", WORLD if process_group is None else process_group)
        self.module = module
        if own.size > 1:
            raise RuntimeError(
                "For 'DistributedDataParallel', the network does not reduce gradients: nn.DistributedGradReducer does, or "
                'set_auto_parallel_context(parallel_mode="data_parallel") before nn.TrainOneStepCell or Model.'
            )

    def construct(self, *inputs: Any, **options: Any) -> Any:
        """What the network returns."""
        return self.module(*inputs, **options)


class AutoParallel(Cell):
    """A network that is divided among devices: with one it is the network. Settings of how it is divided have no effect.

    Args:
        network: the network.
        parallel_mode: "semi_auto", "sharding_propagation" or "recursive_programming".

    Raises:
        TypeError: network is no Cell.
        ValueError: there is no such mode.
    """

    def __init__(self, network: Cell, parallel_mode: str = "semi_auto"):
        super().__init__(auto_prefix=False)
        check_instance("AutoParallel", "network", network, Cell)
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
        check_choice("AutoParallel.hsdp", "optimizer_level", optimizer_level, "level1", "level2", "level3")

    def comm_fusion(self, config: dict[str, Any]) -> None:
        """
        Raises:
            TypeError: config is no dict.
        """
        check_instance("AutoParallel.comm_fusion", "config", config, dict)

    def dataset_strategy(self, config: Any) -> None:
        """
        Raises:
            TypeError: config is neither a str nor a tuple.
        """
        check_instance("AutoParallel.dataset_strategy", "config", config, (str, tuple, Layout))


def _without_effect(name: str, takes_file: bool) -> Any:
    """A method of AutoParallel that does nothing."""

    def setting(self: AutoParallel) -> None:
        """Does nothing: there is one device."""

    def setting_of_file(self: AutoParallel, file_path: str) -> None:
        """Does nothing: there is one device.

        Raises:
            TypeError: file_path is no str.
        """
        check_instance(f"AutoParallel.{name}", "file_path", file_path, str)

    method = setting_of_file if takes_file else setting
    method.__name__, method.__qualname__ = name, f"AutoParallel.{name}"
    return method


_SETTINGS = (
    *("disable_gradient_fp32_sync", "disable_loss_repeated_mean", "disable_strategy_file_only_for_trainable_params"),
    *("enable_device_local_norm", "enable_fp32_communication", "enable_gradients_mean", "no_init_parameters_in_compile"),
    "print_local_norm",
)
_SETTINGS_OF_FILES = (
    *("dump_local_norm", "load_operator_strategy_file", "load_param_strategy_file", "save_operator_strategy_file"),
    *("save_param_strategy_file", "set_group_ckpt_save_file", "transformer_opt"),
)
for _name in (*_SETTINGS, *_SETTINGS_OF_FILES):
    setattr(AutoParallel, _name, _without_effect(_name, _name in _SETTINGS_OF_FILES))


class VirtualDatasetCellTriple(Cell):
    """Calls a Cell with three arguments, which MindSpore divides among devices, of which there is one.

    Args:
        backbone: the Cell.

    Inputs:
        a, b, c: what it takes.

    Returns:
        What it returns.

    Raises:
        TypeError: backbone is no Cell.

    Examples:
        >>> class Sum(nn.Cell):
        ...     def construct(self, a, b, c):
        ...         return a + b + c
        >>> print(nn.VirtualDatasetCellTriple(Sum())(Tensor(1), Tensor(2), Tensor(3)))
        6
    """

    def __init__(self, backbone: Any):
        super().__init__(auto_prefix=False)
        self._backbone = check_instance("VirtualDatasetCellTriple", "backbone", backbone, Cell)

    def construct(self, a: Any, b: Any, c: Any) -> Any:
        return self._backbone(a, b, c)
