"""Parallelism of devices, of which there is one: settings are kept, a function sharded over one device is itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from emberjit.checks import check_instance
from emberjit.context import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from emberjit.publish.modules import lazy as _lazy

CHECKPOINTS = (  # names of what is of several devices' checkpoints
    "build_searched_strategy convert_checkpoint_by_rank convert_checkpoints load_distributed_checkpoint "
    "load_segmented_checkpoints merge_pipeline_strategys merge_sliced_parameter parameter_broadcast rank_list_for_convert "
    "rank_list_for_transform restore_group_info_list set_op_strategy_config sync_pipeline_shared_parameters "
    "transform_checkpoint_by_rank transform_checkpoints unified_safetensors"
)
_ELSEWHERE = dict.fromkeys(CHECKPOINTS.split(), "emberjit.train.unavailable")

__all__ = ["Layout", "get_algo_parameters", "reset_algo_parameters", "set_algo_parameters", "shard", *_ELSEWHERE]
__getattr__, __dir__ = _lazy("parallel", globals(), _ELSEWHERE)


class Layout:
    """How the axes of Tensors lie on a matrix of devices.

    Args:
        device_matrix: a tuple, the sizes of the matrix.
        alias_name: a tuple of as many names, one for each of its axes.
        rank_list: the devices' numbers; None: from 0 on.

    Raises:
        TypeError: one of them is no tuple (a list, of rank_list).
        ValueError: the numbers of sizes, names or devices differ, a size is not positive, or a name occurs twice.

    Examples:
        >>> layout = ms.Layout((1, 1), ("rows", "columns"))
        >>> layout("rows", "None").tensor_map
        ('rows', 'None')
    """

    def __init__(self, device_matrix: tuple[int, ...], alias_name: tuple[str, ...], rank_list: list[int] | None = None):
        for name, value in (("device_matrix", device_matrix), ("alias_name", alias_name)):
            check_instance("Layout", name, value, tuple)
        if len(device_matrix) != len(alias_name) or len(set(alias_name)) != len(alias_name):
            raise ValueError(f"For 'Layout', 'alias_name' must name each of {device_matrix} once, but got {alias_name}.")
        if not all(isinstance(size, int) and size > 0 for size in device_matrix):
            raise ValueError(f"For 'Layout', the sizes of 'device_matrix' must be positive, but got {device_matrix}.")
        count = math.prod(device_matrix)
        if rank_list is not None and (not isinstance(rank_list, list) or len(rank_list) != count):
            raise ValueError(f"For 'Layout', 'rank_list' must be a list of {count} numbers, but got {rank_list!r}.")
        self.device_matrix, self.alias_name = device_matrix, alias_name
        self.rank_list = list(range(count)) if rank_list is None else rank_list
        self.tensor_map: tuple[Any, ...] | None = None

    def __call__(self, *tensor_map: Any) -> Layout:
        """The layout of a Tensor: for each of its axes a name, several, or "None".

        Raises:
            ValueError: a name is not in alias_name.
        """
        named = {name for axis in tensor_map for name in (axis if isinstance(axis, tuple) else (axis,))}
        if not named <= {*self.alias_name, "None"}:
            raise ValueError(f"For 'Layout', the axes must be among {self.alias_name} and 'None', but got {tensor_map}.")
        layout = Layout(self.device_matrix, self.alias_name, self.rank_list)
        layout.tensor_map = tensor_map
        return layout


def shard(
    fn: Callable[..., Any], in_strategy: Any, out_strategy: Any = None, parameter_plan: dict[str, Any] | None = None
) -> Callable[..., Any]:
    """A function whose work is cut into parts for devices: of one device, the function itself.

    Args:
        fn: a function or Cell.
        in_strategy, out_strategy: for each argument and result into how many parts each axis is cut: into one.
        parameter_plan: the same of Parameters, by name.

    Returns:
        fn itself.

    Raises:
        TypeError: fn is not callable.
        ValueError: something is cut into several parts.

    Examples:
        >>> double = ms.shard(lambda x: x * 2, in_strategy=((1, 1),))
        >>> print(double(ops.ones((1, 2))))
        [[2. 2.]]
    """
    if not callable(fn):
        raise TypeError(f"For 'shard', 'fn' must be a function or a Cell, but got {fn!r}.")
    if any(parts != 1 for strategy in (in_strategy, out_strategy, parameter_plan) for parts in _parts(strategy)):
        raise ValueError("For 'shard', all must be cut into one part: there is one device.")
    return fn


def _parts(strategy: Any) -> list[int]:
    if isinstance(strategy, Layout):
        return list(strategy.device_matrix)
    if isinstance(strategy, dict):
        strategy = tuple(strategy.values())
    if isinstance(strategy, (tuple, list)):
        return [parts for item in strategy for parts in _parts(item)]
    return [] if strategy is None else [strategy]
