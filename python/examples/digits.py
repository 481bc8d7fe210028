"""Recognises handwritten digits with `train.Model`: the shortest way from arrays to a trained, evaluated, saved
network.

Shows a dataset pipeline (shuffling, augmentation, batches), a network as an `nn.Cell`, a learning rate that decays,
`Model.fit` with an evaluation after each epoch, callbacks, one of them written here, and a checkpoint that is read
back. Each training step is one jitted graph, without being asked for. Takes 5 seconds on two cores; the last lines are

    steps: first 67 ms, later 2.4 ms (median)
    accuracy of the restored checkpoint: 0.9917
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

import emberjit as ms
import emberjit.dataset as ds
from emberjit import Tensor, nn
from emberjit.dataset import vision
from emberjit.train import Callback, CheckpointConfig, LossMonitor, Model, ModelCheckpoint, RunContext

DIGITS = Path(__file__).resolve().parents[2] / "tools" / "data" / "digits.bin.gz"


def load_digits() -> tuple[np.ndarray, np.ndarray]:
    """Images (1797, 8, 8, 1) of uint8, 0 to 16, and classes (1797,) of int32, in an order that is always the same."""
    rows = np.frombuffer(gzip.decompress(DIGITS.read_bytes()), np.uint8).reshape(-1, 65)
    rows = rows[np.random.default_rng(0).permutation(len(rows))]
    return rows[:, :64].reshape(-1, 8, 8, 1), rows[:, 64].astype(np.int32)


def pipeline(images: np.ndarray, classes: np.ndarray, batch: int, augment: bool) -> ds.Dataset:
    """Batches of images (batch, 1, 8, 8) of float32 in [0, 1] with their classes; augmented ones are moved by a pixel."""
    data = ds.NumpySlicesDataset((images, classes), ["image", "class"], shuffle=augment)
    steps = [vision.Rescale(1 / 16, 0.0), vision.HWC2CHW()]
    if augment:
        steps = [vision.RandomCrop((8, 8), padding=1), *steps]
    return data.map(steps, "image").batch(batch, drop_remainder=augment)


class Network(nn.Cell):
    """Two convolutions with batch normalisation, and a dense layer."""

    def __init__(self, channels: int = 32) -> None:
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(1, channels, 3),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.Conv2d(channels, 2 * channels, 3),
            nn.BatchNorm2d(2 * channels),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Flatten(),
        )
        self.dropout = nn.Dropout(p=0.3)
        self.classifier = nn.Dense(2 * channels * 4 * 4, 10)

    def construct(self, images: Tensor) -> Tensor:
        return self.classifier(self.dropout(self.features(images)))


class StepTimes(Callback):
    """Notes how long each step takes, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []
        self.start = 0.0

    def on_train_step_begin(self, run_context: RunContext) -> None:
        self.start = time.perf_counter()

    def on_train_step_end(self, run_context: RunContext) -> None:
        self.times.append((time.perf_counter() - self.start) * 1e3)


def main(arguments: list[str] | None = None) -> float:
    """Trains, and returns the accuracy of what is read back from the checkpoint, over images that were not trained with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=3e-3, help="the learning rate at first")
    parser.add_argument("--checkpoints", type=Path, help="a folder to keep checkpoints in")
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 3 epochs")
    options = parser.parse_args(arguments)
    epochs = 3 if options.small else options.epochs
    ms.set_seed(1)

    images, classes = load_digits()
    train_data = pipeline(images[360:], classes[360:], options.batch, augment=True)
    test_data = pipeline(images[:360], classes[:360], 120, augment=False)
    steps = train_data.get_dataset_size()

    net = Network()
    rate = nn.cosine_decay_lr(0.0, options.rate, epochs * steps, steps, epochs)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=rate)
    model = Model(net, nn.CrossEntropyLoss(), optimizer, metrics={"accuracy"})

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.checkpoints or Path(temporary)
        config = CheckpointConfig(save_checkpoint_steps=steps, keep_checkpoint_max=2, saved_network=net)
        times = StepTimes()
        callbacks = [LossMonitor(steps), ModelCheckpoint("digits", str(folder), config), times]
        model.fit(epochs, train_data, test_data, callbacks=callbacks)

        restored = Network()
        parameters = ms.load_checkpoint(str(folder / f"digits-{epochs}_{steps}.ckpt"))
        ms.load_param_into_net(restored, parameters, strict_load=True)
    accuracy = float(Model(restored, nn.CrossEntropyLoss(), metrics={"accuracy"}).eval(test_data)["accuracy"])
    print(f"steps: first {times.times[0]:.0f} ms, later {median(times.times[1:]):.1f} ms (median)")
    print(f"accuracy of the restored checkpoint: {accuracy:.4f}")
    return accuracy


if __name__ == "__main__":
    main()
