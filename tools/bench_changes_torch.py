"""torch's side of bench_changes.py: eager, compiled with its defaults, and compiled for dynamic shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

Function = Callable[..., Any]


class Torch:
    """What bench_changes.py asks for."""

    ways: dict[str, Callable[[Function], Function]] = {
        "eager": lambda function: function,
        "compile": torch.compile,
        "compile dynamic": lambda function: torch.compile(function, dynamic=True),
    }
    relu = staticmethod(torch.relu)
    tensor = staticmethod(torch.from_numpy)

    def state(self, array: np.ndarray) -> Any:
        return torch.from_numpy(array.copy())

    def softmax(self, x: Any) -> Any:
        return torch.softmax(x, -1)

    def layer_norm(self, x: Any) -> Any:
        return F.layer_norm(x, x.shape[-1:])

    def swapped(self, x: Any, first: int, second: int) -> Any:
        return x.transpose(first, second)

    def cross_entropy(self, logits: Any, labels: Any) -> Any:
        return F.cross_entropy(logits, labels.long())

    def trainer(self, weights: list[Any], loss: Function, wrap: Callable[[Function], Function]) -> Function:
        for weight in weights:
            weight.requires_grad_()
        optimizer, wrapped = torch.optim.SGD(weights, 0.01), wrap(loss)

        def step(*args: Any) -> Any:
            optimizer.zero_grad()
            value = wrapped(*args)
            value.backward()
            optimizer.step()
            return value.detach()

        return step

    def cast(self, x: Any, dtype: Any) -> Any:
        return x.to(dtype)

    def force(self, result: Any) -> float:
        return float(result.flatten()[0])


SYSTEM = Torch()
