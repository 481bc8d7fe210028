"""Learns to draw handwritten digits: a variational autoencoder (Kingma and Welling, 2014) of 8 x 8 pixels.

Shows the reparameterisation, whose random numbers are drawn within the jitted step, a loss of two parts that are both
shown (`has_aux`), two networks in one Cell, and drawing from the prior. `--plot digits.png` draws what the two latent
numbers mean: one digit turns into another along them. Takes 4 seconds on two cores; the last lines are

    steps: first 22 ms, later 1.0 ms (median)
    held out: 2 numbers of 5.1 nats explain 57% of the pixels' variance
"""

from __future__ import annotations

import argparse
import gzip
import math
import time
from pathlib import Path
from statistics import median

import numpy as np

import emberjit as ms
import emberjit.dataset as ds
from emberjit import Tensor, nn, ops

DIGITS = Path(__file__).resolve().parents[2] / "tools" / "data" / "digits.bin.gz"
PIXELS = 64


def load_digits() -> np.ndarray:
    """Images (1797, 64) of float32 in [0, 1], in an order that is always the same."""
    rows = np.frombuffer(gzip.decompress(DIGITS.read_bytes()), np.uint8).reshape(-1, PIXELS + 1)
    return np.random.default_rng(0).permutation(rows[:, :PIXELS]).astype(np.float32) / 16


class Autoencoder(nn.Cell):
    """An encoder, which gives mean and log variance of a code, and a decoder, which gives logits of pixels."""

    def __init__(self, code: int, hidden: int = 256) -> None:
        super().__init__()
        self.encoder = nn.SequentialCell(
            nn.Dense(PIXELS, hidden), nn.ReLU(), nn.Dense(hidden, hidden), nn.ReLU(), nn.Dense(hidden, 2 * code)
        )
        self.decoder = nn.SequentialCell(
            nn.Dense(code, hidden), nn.ReLU(), nn.Dense(hidden, hidden), nn.ReLU(), nn.Dense(hidden, PIXELS)
        )

    def construct(self, images: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mean, log_variance = self.encoder(images).chunk(2, 1)
        code = mean + ops.exp(log_variance / 2) * ops.randn_like(mean)
        return self.decoder(code), mean, log_variance


def negative_elbo(net: Autoencoder, images: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The bound that is made small, in nats an image up to a constant, and its parts: of the pixels, with noise of 0.2, and
    of the code beside the prior."""
    logits, mean, log_variance = net(images)
    pixels = ((ops.sigmoid(logits) - images) / 0.2).square().sum(1).mean() / 2
    code = (mean.square() + log_variance.exp() - 1 - log_variance).sum(1).mean() / 2
    return pixels + code, pixels, code


def plot(net: Autoencoder, path: Path) -> None:
    """Draws digits over a grid of quantiles of two latent numbers."""
    import matplotlib.pyplot as plt

    rows = 15
    at = ops.erfinv(Tensor(np.linspace(-0.96, 0.96, rows, dtype=np.float32))) * math.sqrt(2)
    codes = ops.stack(ops.meshgrid(at, at), -1).reshape(-1, 2)
    images = ops.sigmoid(net.decoder(codes)).reshape(rows, rows, 8, 8)
    plt.imsave(path, images.swapaxes(1, 2).reshape(8 * rows, 8 * rows).asnumpy(), cmap="gray_r")


def main(arguments: list[str] | None = None) -> float:
    """Trains, and returns the part of the variance of images not trained with that their codes explain."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--code", type=int, default=2, help="how many latent numbers there are; --plot takes 2")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw digits into this PNG file")
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 15 epochs")
    options = parser.parse_args(arguments)
    if options.plot and options.code != 2:
        parser.error("--plot takes --code 2")
    epochs = 15 if options.small else options.epochs
    ms.set_seed(1)

    images = load_digits()
    held_out = Tensor(images[:360])
    data = ds.NumpySlicesDataset(images[360:], ["image"]).batch(options.batch, drop_remainder=True)
    net = Autoencoder(options.code)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=1e-3)

    def forward(images: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return negative_elbo(net, images)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def step(images: Tensor) -> Tensor:
        (loss, *_), gradients = gradient(images)
        optimizer(gradients)
        return loss

    evaluate = ms.jit(forward)
    times = []
    for epoch in range(epochs):
        for (batch,) in data.create_tuple_iterator():
            start = time.perf_counter()
            step(batch)
            times.append((time.perf_counter() - start) * 1e3)
        if (epoch + 1) % (epochs // 5) == 0:
            loss, pixels, code = (float(part) for part in evaluate(held_out))
            print(f"epoch {epoch + 1}: held out {loss:.2f} nats an image, pixels {pixels:.2f}, code {code:.2f}")
    average = float(np.square((images[:360] - images[360:].mean(0)) / 0.2).sum(1).mean()) / 2
    explained = 1 - pixels / average
    print(f"steps: first {times[0]:.0f} ms, later {median(times[1:]):.1f} ms (median)")
    print(f"held out: {options.code} numbers of {code:.1f} nats explain {explained:.0%} of the pixels' variance")
    if options.plot:
        plot(net, options.plot)
    return explained


if __name__ == "__main__":
    main()
