"""Mixed precision: networks that compute in float16 or bfloat16 where that is safe, and losses that are scaled for it."""

from __future__ import annotations

from emberjit.publish.modules import lazy as _lazy

_NAMES = {  # by the module that has them
    "precision": "_OutputTo32 auto_mixed_precision custom_mixed_precision get_black_list get_white_list",
    "scaling": (
        "DynamicLossScaleManager DynamicLossScaler FixedLossScaleManager LossScaleManager LossScaler StaticLossScaler "
        "all_finite init_status"
    ),
    "training": "build_train_network",
}
_ELSEWHERE = {name: f"emberjit.amp.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = [name for name in _ELSEWHERE if not name.startswith("_")]
__getattr__, __dir__ = _lazy("amp", globals(), _ELSEWHERE)
