"""Datasets: NumpySlicesDataset and GeneratorDataset, with shuffle, batch and map."""

from __future__ import annotations

from emberjit.dataset.datasets import Dataset, GeneratorDataset, NumpySlicesDataset

__all__ = ["Dataset", "GeneratorDataset", "NumpySlicesDataset"]
