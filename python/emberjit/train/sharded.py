"""Names of what turns checkpoints of several devices into each other. They can be imported; what calls one is told that
there is one device."""

from __future__ import annotations

from typing import Any, NoReturn

from emberjit.spelling import UnknownName

_NAMES = (
    "build_searched_strategy load_distributed_checkpoint load_segmented_checkpoints merge_pipeline_strategys "
    "merge_sliced_parameter parameter_broadcast rank_list_for_transform restore_group_info_list "
    "sync_pipeline_shared_parameters transform_checkpoint_by_rank transform_checkpoints unified_safetensors"
)
NAMES = _NAMES.split()


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise UnknownName(f"module '{__name__}' has no attribute '{name}'", name, lambda: NAMES)

    def unavailable(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            f"'{name}' is of checkpoints that several devices wrote, of which there is one: save_checkpoint and "
            "load_checkpoint hold whole Parameters."
        )

    unavailable.__name__ = unavailable.__qualname__ = name
    unavailable.__doc__ = "Not available: there is one device.\n\nRaises:\n    NotImplementedError: always."
    return globals().setdefault(name, unavailable)
