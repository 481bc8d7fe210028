"""What MindSpore's boost package has that is no switch of a device: gradients added up over steps."""

from __future__ import annotations

from emberjit.publish.modules import lazy as _lazy

_ELSEWHERE = {"GradientAccumulation": "emberjit.boost.grad_accumulation"}

__all__ = list(_ELSEWHERE)
__getattr__, __dir__ = _lazy("boost", globals(), _ELSEWHERE)
