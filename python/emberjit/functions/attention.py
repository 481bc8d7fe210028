"""Attention."""

from __future__ import annotations

from emberjit.publish.registry import publish_ops

publish_ops(
    __name__,
    """
attention: ops.attention
flash_attention_score: ops.flash_attention_score
""",
)
