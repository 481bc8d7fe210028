"""Forecasts a day of hourly numbers from the week before: dilated causal convolutions (Bai, Kolter and Koltun, 2018).

Shows a dataset of windows from a generator with random access, 1-D convolutions that see the past alone, `Model.fit`
with `EarlyStopping` and `ReduceLROnPlateau`, and an evaluation in the data's own units. `--plot week.png` draws
forecasts. Takes half a minute on two cores; the last line tells the error beside that of "as yesterday".
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path
from statistics import median

import numpy as np

import emberjit as ms
import emberjit.dataset as ds
from emberjit import Tensor, nn, ops
from emberjit.train import MAE, EarlyStopping, LambdaCallback, LossMonitor, Model, ReduceLROnPlateau

PAST, FUTURE = 7 * 24, 24  # hours


def consumption(days: int) -> np.ndarray:
    """Hourly numbers (24 * days,) of float32: days, weeks, weather that comes and goes, and noise."""
    rng = np.random.default_rng(1)
    hours = np.arange(24 * days)
    daily = np.sin((hours % 24 - 9) / 24 * 2 * np.pi) + 0.4 * np.sin(hours % 24 / 6 * np.pi)
    weekend = (hours // 24 % 7 >= 5) * -0.6
    weather = np.zeros(len(hours))
    for hour in range(1, len(hours)):
        weather[hour] = 0.995 * weather[hour - 1] + rng.normal(0, 0.06)
    return (3 + (1 + 0.3 * weather) * daily + weekend + weather + rng.normal(0, 0.1, len(hours))).astype(np.float32)


class Windows:
    """Pairs of a week and the day after it, at each hour."""

    def __init__(self, series: np.ndarray) -> None:
        self.series = series

    def __len__(self) -> int:
        return len(self.series) - PAST - FUTURE + 1

    def __getitem__(self, hour: int) -> tuple[np.ndarray, np.ndarray]:
        window = self.series[hour : hour + PAST + FUTURE]
        return window[None, :PAST], window[PAST:]


class Block(nn.Cell):
    """A convolution that sees the past alone, `dilation` hours apart, around which the input goes."""

    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.padding = (2 * dilation, 0)
        self.convolution = nn.Conv1d(channels, channels, 3, pad_mode="valid", dilation=dilation, has_bias=True)
        self.mix = nn.Conv1d(channels, channels, 1, has_bias=True)

    def construct(self, x: Tensor) -> Tensor:
        return x + self.mix(ops.relu(self.convolution(ops.pad(x, self.padding))))


class Forecaster(nn.Cell):
    """What the day after a week (batch, 1, 168) brings: (batch, 24)."""

    def __init__(self, channels: int = 32) -> None:
        super().__init__()
        self.start = nn.Conv1d(1, channels, 1, has_bias=True)
        self.blocks = nn.SequentialCell(*(Block(channels, 2**level) for level in range(6)))
        self.head = nn.Dense(channels, FUTURE)

    def construct(self, past: Tensor) -> Tensor:
        level = past.mean(axis=2, keep_dims=True)
        hidden = self.blocks(self.start(past - level))
        return past[:, 0, -FUTURE:] + self.head(hidden[:, :, -1])


def pipeline(series: np.ndarray, batch: int, shuffle: bool) -> ds.Dataset:
    """Batches of windows."""
    return ds.GeneratorDataset(Windows(series), ["past", "future"], shuffle=shuffle).batch(batch)


def main(arguments: list[str] | None = None) -> float:
    """Trains; returns the mean absolute error of forecasts by that of what was a day before."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=250)
    parser.add_argument("--epochs", type=int, default=10, help="at most")
    parser.add_argument("--plot", type=Path, help="a picture of a week and forecasts")
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 120 days, 4 epochs")
    options = parser.parse_args(arguments)
    days, epochs = (120, 4) if options.small else (options.days, options.epochs)
    ms.set_seed(1)
    series = consumption(days)
    held_out = 24 * days // 5
    train_data = pipeline(series[:-held_out], 64, shuffle=True)
    test_data = pipeline(series[-held_out:], 256, shuffle=False)

    net = Forecaster()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3)
    model = Model(net, nn.L1Loss(), optimizer, metrics={"mae": MAE()})
    ends: list[float] = []
    callbacks = [
        LossMonitor(train_data.get_dataset_size()),
        ReduceLROnPlateau(monitor="mae", mode="min", patience=1, factor=0.5, verbose=True),
        EarlyStopping(monitor="mae", mode="min", patience=3, verbose=True, restore_best_weights=True),
        LambdaCallback(on_train_step_end=lambda _: ends.append(time.perf_counter())),
    ]
    start = time.perf_counter()
    model.fit(epochs, train_data, test_data, callbacks=callbacks)
    later = median(b - a for a, b in pairwise(ends))
    print(f"steps with their data: first {(ends[0] - start) * 1e3:.0f} ms, later {later * 1e3:.1f} ms (median)")

    error = float(model.eval(test_data)["mae"]) / FUTURE  # MAE adds up the hours of a forecast
    pasts, futures = (np.concatenate(parts) for parts in zip(*test_data.create_tuple_iterator(output_numpy=True)))
    as_yesterday = float(np.abs(pasts[:, 0, -FUTURE:] - futures).mean())
    print(f"mean absolute error {error:.3f}, as yesterday {as_yesterday:.3f}")
    if options.plot:
        import matplotlib.pyplot as plt

        forecast = net(Tensor(pasts[::FUTURE][:7])).asnumpy().ravel()
        plt.figure(figsize=(9, 3))
        plt.plot(futures[::FUTURE][:7].ravel(), label="what was")
        plt.plot(forecast, label="forecasts, a day each")
        plt.legend()
        plt.savefig(options.plot)
    return error / as_yesterday


if __name__ == "__main__":
    main()
