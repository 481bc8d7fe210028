"""Functions of PyTorch's through the backend beside the same functions run eagerly, on separate state."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import torch

from emberjit import torch_backend

TOLERANCE = {torch.float64: 1e-11, torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def start() -> None:
    """Forgets what has been compiled."""
    torch._dynamo.reset()
    torch_backend.reset()


def left_to_pytorch() -> list[str]:
    """What stayed in PyTorch since start(); all else must have become graphs."""
    assert not [graph["breaks"] for graph in torch_backend.explain() if graph["breaks"]]
    return sorted({op for graph in torch_backend.explain() for op in graph["in_pytorch"]})


def assert_like(found: Any, wanted: Any) -> None:
    """Equal to rounding, with the same dtypes, shapes and strides."""
    if isinstance(wanted, (tuple, list)):
        assert type(found) is type(wanted) and len(found) == len(wanted)
        for a, b in zip(found, wanted):
            assert_like(a, b)
        return
    if not isinstance(wanted, torch.Tensor):
        assert found == wanted
        return
    assert (found.dtype, found.shape, found.stride()) == (wanted.dtype, wanted.shape, wanted.stride())
    tolerance = TOLERANCE.get(wanted.dtype, 0)
    scale = float(wanted.abs().max()) if wanted.numel() and wanted.dtype in TOLERANCE and wanted.isfinite().all() else 1
    torch.testing.assert_close(found, wanted, rtol=tolerance, atol=tolerance * max(scale, 1e-3), equal_nan=True)


def check(function: Callable[..., Any], inputs: Sequence[Any], calls: int = 2, **options: Any) -> None:
    """Results, gradients and what the inputs hold afterwards."""
    mine, theirs = ([_copied(x) for x in inputs] for _ in range(2))
    jitted = torch.compile(function, backend=torch_backend.backend, **options)
    for _ in range(calls):
        found, wanted = jitted(*mine), function(*theirs)
        assert_like(found, wanted)
        for results in (found, wanted):
            parts = [r for r in (results if isinstance(results, (tuple, list)) else [results]) if _may_differ(r)]
            if parts:
                sum(
                    (part.float() * torch.linspace(0.5, 1.5, part.numel()).reshape(part.shape)).sum() for part in parts
                ).backward()
        for x, y in zip(mine, theirs):
            if isinstance(x, torch.Tensor):
                assert_like(x.detach(), y.detach())
                assert (x.grad is None) == (y.grad is None)
                if x.grad is not None:
                    assert_like(x.grad, y.grad)


def check_model(model: torch.nn.Module, inputs: Sequence[Any], training: bool) -> None:
    """Results, gradients and buffers of two steps. What no result needs has a gradient of zeros, as with other backends."""
    model.zero_grad()
    mine, theirs = model.train(training), copy.deepcopy(model)
    jitted = torch.compile(mine, backend=torch_backend.backend)
    for _ in range(2):
        with torch.set_grad_enabled(training):
            found, wanted = (_first(f(*inputs)) for f in (jitted, theirs))
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5 * float(wanted.abs().max()))
        if training:
            weights = torch.linspace(-1, 1, wanted.numel()).reshape(wanted.shape)
            for result in (found, wanted):
                (result * weights).sum().backward()
            largest = max(float(p.grad.abs().max()) for p in theirs.parameters() if p.grad is not None)
            for p, q in zip(mine.parameters(), theirs.parameters()):
                if p.grad is not None:
                    wanted = torch.zeros_like(p) if q.grad is None else q.grad
                    torch.testing.assert_close(p.grad, wanted, rtol=1e-3, atol=1e-5 * largest)
                assert q.grad is None or p.grad is not None
        for p, q in zip(mine.buffers(), theirs.buffers()):
            torch.testing.assert_close(p, q, rtol=1e-4, atol=1e-5)


def _weighted(x: Any) -> Any:
    return (x.float() * torch.linspace(0.5, 1.5, x.numel()).reshape(x.shape)).sum()


def _copied(x: Any) -> Any:
    return x.detach().clone().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else copy.deepcopy(x)


def _may_differ(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.requires_grad


def _first(output: Any) -> torch.Tensor:
    if isinstance(output, torch.Tensor):
        return output
    return output.logits if hasattr(output, "logits") else output[0]
