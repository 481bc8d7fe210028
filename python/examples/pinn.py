"""Solves Burgers' equation, u_t + u u_x = nu u_xx, by a network that is trained to fulfil it.

The network's derivatives by time and place are functions: `ms.jvp` along time, `ms.grad` of `ms.grad` along place, of a
network written for one point, which `ms.vmap` then takes over thousands. The gradient by the Parameters goes through
all of these, in one jitted step. Known are values at the beginning and at both ends, of a wave that moves without
changing, which is the solution everywhere (and what the result is compared with). `--plot burgers.png` draws both.
Takes 7 seconds on two cores; the last lines are

    steps: first 84 ms, later 3.2 ms (median)
    relative error: 0.0019
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

import numpy as np

import emberjit as ms
from emberjit import Tensor, nn, ops

VISCOSITY = 0.05


def wave(t: Tensor, x: Tensor) -> Tensor:
    """The solution: a step from 1 to 0 that moves by half a unit of place in a unit of time."""
    return 0.5 - 0.5 * ops.tanh((x - 0.5 * t) / (4 * VISCOSITY))


class Network(nn.Cell):
    """u(t, x) of one point, of two scalars."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        cells: list[nn.Cell] = [nn.Dense(2, width), nn.Tanh()]
        for _ in range(layers - 1):
            cells += [nn.Dense(width, width), nn.Tanh()]
        self.layers = nn.SequentialCell(*cells, nn.Dense(width, 1))

    def construct(self, t: Tensor, x: Tensor) -> Tensor:
        return self.layers(ops.stack([t, x]).expand_dims(0)).reshape(())


def residual(u: Network, t: Tensor, x: Tensor) -> Tensor:
    """By how much the equation is not fulfilled at one point."""
    value, u_t = ms.jvp(lambda t: u(t, x), t, ops.ones_like(t))
    slope = ms.grad(lambda x: u(t, x))
    return u_t + value * slope(x) - VISCOSITY * ms.grad(slope)(x)


def points(rng: np.random.Generator, inside: int, border: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Times and places (`inside`,) in [0, 1] x [-1, 1], and others (3 * `border`,) at its beginning and both ends."""
    t, x = rng.uniform(0, 1, inside), rng.uniform(-1, 1, inside)
    border_t = np.concatenate([np.zeros(border), rng.uniform(0, 1, 2 * border)])
    border_x = np.concatenate([rng.uniform(-1, 1, border), np.repeat([-1.0, 1.0], border)])
    return Tensor(t, ms.float32), Tensor(x, ms.float32), Tensor(border_t, ms.float32), Tensor(border_x, ms.float32)


def plot(u: np.ndarray, exact: np.ndarray, path: Path) -> None:
    """Draws the network's wave and the exact one at five times."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    for i in range(0, len(u), len(u) // 4):
        places = np.linspace(-1, 1, u.shape[1])
        axes.plot(places, exact[i], color="lightgrey", linewidth=5)
        axes.plot(places, u[i], label=f"t = {i / (len(u) - 1):.2f}")
    axes.set(xlabel="x", ylabel="u", title="Network (coloured) and solution (grey)")
    axes.legend()
    figure.savefig(path)


def main(arguments: list[str] | None = None) -> float:
    """Trains, and returns the error beside the solution, relative to it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--points", type=int, default=1000, help="at how many the equation is looked at in a step")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the solution into this PNG file")
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 200 steps of 200 points")
    options = parser.parse_args(arguments)
    steps, inside = (200, 200) if options.small else (options.steps, options.points)
    ms.set_seed(1)
    rng = np.random.default_rng(1)

    net = Network(width=32, layers=3)
    rate = nn.CosineDecayLR(1e-5, 4e-3, steps)
    optimizer = nn.Adam(net.trainable_params(), rate)
    residuals = ms.vmap(lambda t, x: residual(net, t, x))
    values = ms.vmap(net)

    def loss(t: Tensor, x: Tensor, border_t: Tensor, border_x: Tensor) -> Tensor:
        equation = residuals(t, x).square().mean()
        border = (values(border_t, border_x) - wave(border_t, border_x)).square().mean()
        return equation + 10 * border

    gradient = ms.value_and_grad(loss, None, optimizer.parameters)

    @ms.jit
    def step(t: Tensor, x: Tensor, border_t: Tensor, border_x: Tensor) -> Tensor:
        value, gradients = gradient(t, x, border_t, border_x)
        optimizer(gradients)
        return value

    times = []
    for i in range(steps):
        batch = points(rng, inside, 100)
        start = time.perf_counter()
        value = float(step(*batch))
        times.append((time.perf_counter() - start) * 1e3)
        if (i + 1) % (steps // 5) == 0:
            print(f"step {i + 1}: loss {value:.6f}")

    t, x = ops.meshgrid(ops.linspace(0.0, 1.0, 101), ops.linspace(-1.0, 1.0, 201), indexing="ij")
    u, exact = values(t.ravel(), x.ravel()).reshape(t.shape).asnumpy(), wave(t, x).asnumpy()
    error = float(np.linalg.norm(u - exact) / np.linalg.norm(exact))
    print(f"steps: first {times[0]:.0f} ms, later {median(times[1:]):.1f} ms (median)")
    print(f"relative error: {error:.4f}")
    if options.plot:
        plot(u, exact, options.plot)
    return error


if __name__ == "__main__":
    main()
