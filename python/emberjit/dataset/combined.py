"""zip(), under the name of a builtin."""

from __future__ import annotations

from emberjit.dataset.datasets import zip_datasets as zip

__all__ = ["zip"]
