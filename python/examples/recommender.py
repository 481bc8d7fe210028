"""Recommends films that users have not seen: embeddings by Bayesian personalised ranking (Rendle et al., 2009).

Shows embedding tables in a jitted step, negative samples that the graph draws, `LazyAdam` (as gradients of tables are
dense here, it moves all rows, as `Adam` does), a ranking metric over all films at once, and saving what was learned as
safetensors. Takes 5 seconds on two cores; the last line tells how often a film that was held back is among the first
ten, beside chance and popularity.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

import emberjit as ms
import emberjit.dataset as ds
from emberjit import Tensor, nn, ops

FIRST = 10


def watched(users: int, films: int, each: int) -> np.ndarray:
    """Films (users, each) that users have watched, made up: tastes have a few traits, and some films are popular."""
    rng = np.random.default_rng(1)
    tastes, traits = rng.normal(size=(users, 6)), rng.normal(size=(films, 6))
    appeal = tastes @ traits.T * 1.5 + rng.gumbel(size=(users, films)) + np.linspace(2, 0, films)
    seen = np.argsort(-appeal, axis=1)[:, :each]
    return rng.permuted(seen, axis=1).astype(np.int32)


class Recommender(nn.Cell):
    """Scores of films for users: products of embeddings, and how liked a film is by all."""

    def __init__(self, users: int, films: int, size: int) -> None:
        super().__init__()
        self.users = nn.Embedding(users, size, embedding_table="normal")
        self.films = nn.Embedding(films, size, embedding_table="normal")
        self.liked = nn.Embedding(films, 1, embedding_table="zeros")

    def construct(self, users: Tensor, films: Tensor) -> Tensor:
        return (self.users(users) * self.films(films)).sum(-1) + self.liked(films)[..., 0]

    def scores(self, users: Tensor) -> Tensor:
        """Of all films: (users, films)."""
        return self.users(users) @ self.films.embedding_table.T + self.liked.embedding_table[:, 0]


def hits(scores: np.ndarray, seen: np.ndarray, held: np.ndarray) -> float:
    """How often the film that was held back is among the first that a user has not seen."""
    scores = scores.copy()
    np.put_along_axis(scores, seen, -np.inf, axis=1)
    own = np.take_along_axis(scores, held[:, None], axis=1)
    return float(((scores > own).sum(1) < FIRST).mean())


def main(arguments: list[str] | None = None) -> float:
    """Trains; returns the rate of hits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=2000)
    parser.add_argument("--films", type=int, default=1000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--size", type=int, default=16, help="of embeddings")
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 500 users, 200 films, 6 epochs")
    options = parser.parse_args(arguments)
    users, films, epochs = (500, 200, 6) if options.small else (options.users, options.films, options.epochs)
    ms.set_seed(1)
    seen = watched(users, films, 31)
    held, seen = seen[:, 0], seen[:, 1:]
    pairs = {"user": np.repeat(np.arange(users, dtype=np.int32), seen.shape[1]), "film": seen.ravel()}
    data = ds.NumpySlicesDataset(pairs, shuffle=True).batch(512, drop_remainder=True)

    net = Recommender(users, films, options.size)
    optimizer = nn.LazyAdam(net.trainable_params(), learning_rate=0.01)

    def forward(user: Tensor, film: Tensor, other: Tensor) -> Tensor:
        return ops.softplus(net(user, other) - net(user, film)).mean()

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(user: Tensor, film: Tensor) -> Tensor:
        loss, gradients = gradient(user, film, ops.randint(0, films, film.shape, dtype=ms.int32))
        optimizer(gradients)
        return loss

    times = []
    for epoch in range(epochs):
        for user, film in data.create_tuple_iterator():
            start = time.perf_counter()
            loss = step(user, film).item()
            times.append((time.perf_counter() - start) * 1e3)
        scores = net.scores(ops.arange(users)).asnumpy()
        print(f"epoch {epoch + 1}: loss {loss:.3f}, hits {hits(scores, seen, held):.3f}")

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "recommender.safetensors")
        ms.save_checkpoint(net, path, format="safetensors")
        again = Recommender(users, films, options.size)
        ms.load_param_into_net(again, ms.load_checkpoint(path, format="safetensors"), strict_load=True)
    rate = hits(again.scores(ops.arange(users)).asnumpy(), seen, held)
    popular = np.tile(np.bincount(seen.ravel(), minlength=films).astype(np.float32), (users, 1))
    print(f"steps: first {times[0]:.0f} ms, later {median(times[1:]):.2f} ms (median)")
    chance = FIRST / (films - seen.shape[1])
    print(f"hits among the first {FIRST}: {rate:.3f}, by popularity {hits(popular, seen, held):.3f}, by chance {chance:.3f}")
    return rate


if __name__ == "__main__":
    main()
