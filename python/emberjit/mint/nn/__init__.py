"""Layers whose names and parameters are PyTorch's."""

from __future__ import annotations

from emberjit.nn.layers.declared import cell as _cell
from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

_ELSEWHERE = {
    "functional": "emberjit.mint.nn.functional",
    **dict.fromkeys(("Dropout", "Dropout2d", "Embedding", "Identity", "LayerNorm", "PReLU"), "emberjit.nn.layers.mint"),
    "Linear": "emberjit.nn.layers.dense",
    **dict.fromkeys(("Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d"), "emberjit.mint.nn.convolution"),
    **dict.fromkeys((f"BatchNorm{n}d" for n in (1, 2, 3)), "emberjit.mint.nn.normalisation"),
    **dict.fromkeys(("GroupNorm", "SyncBatchNorm"), "emberjit.mint.nn.normalisation"),
}
__all__ = [*_NAMES["mint.nn"], *_ELSEWHERE]
__getattr__, __dir__ = _lazy("mint.nn", globals(), _ELSEWHERE, _cell)
