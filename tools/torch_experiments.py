"""Warm-up and steps of a convolutional network in PyTorch, eagerly, by torch.compile and by TorchDynamo alone: what
compiling costs, and that what is not asked for is not compiled: a warm-up without a backward pass is shorter, and the first
backward pass pays for it later. An environment needs torch and emberjit (tools/test --peers makes one):

    .venv-peers/bin/python tools/torch_experiments.py [--backend emberjit|inductor] [--images 16] [--size 224]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

STEPS = 10


def network() -> nn.Module:
    """AlexNet (Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014), of 1000 classes."""
    torch.manual_seed(0)
    features = [nn.Conv2d(3, 64, 11, 4, 2), nn.ReLU(), nn.MaxPool2d(3, 2), nn.Conv2d(64, 192, 5, padding=2), nn.ReLU()]
    features += [nn.MaxPool2d(3, 2), nn.Conv2d(192, 384, 3, padding=1), nn.ReLU(), nn.Conv2d(384, 256, 3, padding=1)]
    features += [nn.ReLU(), nn.Conv2d(256, 256, 3, padding=1), nn.ReLU(), nn.MaxPool2d(3, 2), nn.AdaptiveAvgPool2d((6, 6))]
    classifier = [nn.Linear(9216, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 1000)]
    return nn.Sequential(*features, nn.Flatten(), *classifier)


def seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def experiment(
    name: str, compile_model: Callable[[nn.Module], Callable[..., Any]], x: torch.Tensor, forward_only: bool
) -> None:
    """Prints the time of a warm-up, of the first step and of the mean of the others."""
    torch._dynamo.reset()
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    run = compile_model(model)

    def step() -> None:
        optimizer.zero_grad()
        run(x).sum().backward()
        optimizer.step()

    warm_up = seconds(lambda: run(x) if forward_only else run(x).sum().backward())
    first, *others = [seconds(step) for _ in range(1 + STEPS)]
    kind = "forward" if forward_only else "forward and backward"
    print(f"{name}, warm-up {kind}: {warm_up:.2f} s, first step {first:.2f} s, others {sum(others) / STEPS * 1e3:.0f} ms")


def main() -> None:
    """Runs the experiments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", default="emberjit", help="of torch.compile")
    parser.add_argument("--images", type=int, default=16)
    parser.add_argument("--size", type=int, default=224, help="of an image, in pixels")
    args = parser.parse_args()
    x = torch.randn(args.images, 3, args.size, args.size)
    ways: dict[str, Callable[[nn.Module], Callable[..., Any]]] = {
        "eager": lambda model: model,
        f"torch.compile with {args.backend}": lambda model: torch.compile(model, backend=args.backend),
        f"TorchDynamo with {args.backend}": lambda model: torch._dynamo.optimize(args.backend)(model),
    }
    for forward_only in (False, True):
        for name, way in ways.items():
            experiment(name, way, x, forward_only)


if __name__ == "__main__":
    main()
