"""Draws points of a spiral by denoising: a diffusion model (Ho, Jain and Abbeel, 2020) of the plane.

Shows a jitted training step that draws its own noise and times, a table of constants that the graph reads, sampling as
a jitted loop over Tensors (`while` over steps is one graph), and an average of the weights over steps, which samples.
`--plot spiral.png` draws data and samples. Takes 6 seconds on two cores; the last line tells how far samples lie from
the spiral, beside points of the normal distribution that they were made from.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

import numpy as np

import emberjit as ms
from emberjit import Tensor, nn, ops

STEPS = 100  # of diffusion
BETAS = np.linspace(1e-4, 0.1, STEPS).astype(np.float32)
KEPT = np.cumprod(1 - BETAS)  # the part of the variance that is left of a point after each step


def spiral(count: int, rng: np.random.Generator) -> np.ndarray:
    """Points (count, 2) of float32 along a spiral, with a little noise."""
    turns = np.sqrt(rng.uniform(0.04, 1, count)) * 3 * np.pi
    points = np.stack([np.cos(turns), np.sin(turns)], 1) * turns[:, None] / 5
    return (points + rng.normal(0, 0.03, points.shape)).astype(np.float32)


class Denoiser(nn.Cell):
    """What noise is in points, by how many steps it was added."""

    def __init__(self, hidden: int = 128) -> None:
        super().__init__()
        self.rates = Tensor(np.exp(np.linspace(0, 4, 16)).astype(np.float32))
        self.layers = nn.SequentialCell(
            nn.Dense(2 + 32, hidden),
            nn.SiLU(),
            nn.Dense(hidden, hidden),
            nn.SiLU(),
            nn.Dense(hidden, hidden),
            nn.SiLU(),
            nn.Dense(hidden, 2),
        )

    def construct(self, points: Tensor, steps: Tensor) -> Tensor:
        angles = (steps.astype(ms.float32) / STEPS).expand_dims(1) * self.rates
        return self.layers(ops.concat((points, ops.sin(angles), ops.cos(angles)), 1))


def train(net: Denoiser, data: Tensor, iterations: int, batch: int) -> list[float]:
    """Trains, leaves the average of the weights over steps in the network, and returns the steps' milliseconds."""
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3)
    averages = optimizer.parameters.clone(prefix="average")
    kept = Tensor(KEPT)

    def forward(points: Tensor, steps: Tensor, noise: Tensor) -> Tensor:
        part = kept[steps].expand_dims(1)
        noisy = ops.sqrt(part) * points + ops.sqrt(1 - part) * noise
        return ((net(noisy, steps) - noise) ** 2).mean()

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step() -> Tensor:
        points = data[ops.randint(0, data.shape[0], (batch,))]
        loss, gradients = gradient(points, ops.randint(0, STEPS, (batch,)), ops.randn(batch, 2))
        optimizer(gradients)
        for average, parameter in zip(averages, optimizer.parameters):
            ops.assign(average, 0.995 * average + 0.005 * parameter)
        return loss

    times = []
    for iteration in range(1, iterations + 1):
        start = time.perf_counter()
        loss = step()
        if iteration % (iterations // 5) == 0:
            print(f"step {iteration}: loss {loss.item():.3f}")
        times.append((time.perf_counter() - start) * 1e3)
    for average, parameter in zip(averages, optimizer.parameters):
        ops.assign(parameter, average)
    return times


def sample(net: Denoiser, count: int) -> Tensor:
    """Points (count, 2), made of noise step by step."""
    betas, kept = Tensor(BETAS), Tensor(KEPT)

    @ms.jit
    def denoised(points: Tensor) -> Tensor:
        step = Tensor(STEPS - 1)
        while step >= 0:
            noise = net(points, ops.full((count,), step))
            points = (points - betas[step] / ops.sqrt(1 - kept[step]) * noise) / ops.sqrt(1 - betas[step])
            points = points + ops.where(step > 0, ops.sqrt(betas[step]), 0.0) * ops.randn(count, 2)
            step = step - 1
        return points

    return denoised(ops.randn(count, 2))


def distance(points: np.ndarray, data: np.ndarray) -> float:
    """The mean distance of points to their nearest of the data."""
    return float(np.sqrt(((points[:, None] - data) ** 2).sum(-1).min(1)).mean())


def main(arguments: list[str] | None = None) -> float:
    """Trains and samples; returns how far samples lie from the spiral, by how far noise lies from it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--plot", type=Path, help="a picture of data and samples")
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 1,500 iterations")
    options = parser.parse_args(arguments)
    ms.set_seed(1)
    data = spiral(5000, np.random.default_rng(1))
    net = Denoiser()
    times = train(net, Tensor(data), 1500 if options.small else options.iterations, options.batch)
    samples = sample(net, 1000).asnumpy()
    print(f"steps: first {times[0]:.0f} ms, later {median(times[1:]):.1f} ms (median)")
    near, noise = distance(samples, data), distance(ops.randn(1000, 2).asnumpy(), data)
    print(f"samples lie {near:.3f} from the spiral, noise {noise:.3f}")
    if options.plot:
        import matplotlib.pyplot as plt

        for place, (title, points) in enumerate({"data": data[:1000], "samples": samples}.items(), 1):
            plt.subplot(1, 2, place, title=title, aspect="equal", xlim=(-2.2, 2.2), ylim=(-2.2, 2.2))
            plt.scatter(points[:, 0], points[:, 1], s=2)
        plt.savefig(options.plot)
    return near / noise


if __name__ == "__main__":
    main()
