"""What a search for strategies of parallelism costs, which one device does not need."""

from __future__ import annotations

from emberjit.context import get_cost_model_context, reset_cost_model_context, set_cost_model_context

__all__ = ["get_cost_model_context", "reset_cost_model_context", "set_cost_model_context"]
