"""What MindSpore's own code asks of parameter servers, of which there are none."""

from __future__ import annotations

from emberjit.context import get_ps_context as _get_ps_context
from emberjit.context import reset_ps_context as _reset_ps_context

__all__ = ["_get_ps_context", "_is_role_sched", "_reset_ps_context"]


def _is_role_sched() -> bool:
    """False: this process is no scheduler."""
    return False
