# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.amp.precision import _OutputTo32 as _OutputTo32
from emberjit.amp.precision import auto_mixed_precision as auto_mixed_precision
from emberjit.amp.precision import custom_mixed_precision as custom_mixed_precision
from emberjit.amp.precision import get_black_list as get_black_list
from emberjit.amp.precision import get_white_list as get_white_list
from emberjit.amp.scaling import DynamicLossScaleManager as DynamicLossScaleManager
from emberjit.amp.scaling import DynamicLossScaler as DynamicLossScaler
from emberjit.amp.scaling import FixedLossScaleManager as FixedLossScaleManager
from emberjit.amp.scaling import LossScaleManager as LossScaleManager
from emberjit.amp.scaling import LossScaler as LossScaler
from emberjit.amp.scaling import StaticLossScaler as StaticLossScaler
from emberjit.amp.scaling import all_finite as all_finite
from emberjit.amp.scaling import init_status as init_status
from emberjit.amp.training import build_train_network as build_train_network

def __getattr__(name: str) -> Any: ...
