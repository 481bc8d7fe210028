"""Trains a small convolutional network on real handwritten digits: first eager, then jitted.

Prints a table of the epochs, shows what happens when the batch size changes, draws the learning and warm-up curves, and
runs the saved model without Python.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

import emberjit as ms
from emberjit import Tensor, nn
from emberjit.dataset import NumpySlicesDataset

HERE = Path(__file__).resolve().parent


def load_digits() -> tuple[np.ndarray, np.ndarray]:
    """Images (1797, 1, 8, 8) of float32 in [0, 1] and classes (1797,) of int32."""
    rows = np.frombuffer(gzip.decompress((HERE / "data" / "digits.bin.gz").read_bytes()), np.uint8).reshape(-1, 65)
    images = rows[:, :64].reshape(-1, 1, 8, 8).astype(np.float32) / 16
    return images, rows[:, 64].astype(np.int32)


class Network(nn.Cell):
    """Two convolutions and two dense layers."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, has_bias=True)
        self.conv2 = nn.Conv2d(16, 32, 3, has_bias=True)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.dense1 = nn.Dense(32 * 4 * 4, 64)
        self.dense2 = nn.Dense(64, 10)

    def construct(self, x: Any) -> Any:
        x = self.relu(self.conv1(x))
        x = self.pool(self.relu(self.conv2(x)))
        return self.dense2(self.relu(self.dense1(self.flatten(x))))


def tier_of(function: Any) -> tuple[int, int, int]:
    """(highest tier, specialisations in native code, deopts) of a jitted function."""
    specialisations = [s for entry in ms.explain(function)["entries"] for s in entry["specialisations"]]
    deopts = sum(sum(s["deopts"].values()) for s in specialisations)
    return max((s["tier"] for s in specialisations), default=0), sum(s["tier"] for s in specialisations), deopts


def train(args: argparse.Namespace) -> tuple[Network, Any, list[dict[str, float]], list[float]]:
    """Trains the network; returns it, the jitted step, a row per epoch and the time of every step."""
    images, classes = load_digits()
    order = np.random.default_rng(0).permutation(len(images))
    held_out, used = order[:360], order[360:]
    test_images, test_classes = Tensor(images[held_out]), classes[held_out]
    net, loss = Network(), nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3)
    gradient = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)

    def step(x: Any, y: Any) -> Any:
        value, gradients = gradient(x, y)
        optimizer(gradients)
        return value

    jitted = ms.jit(step)
    predict = ms.jit(lambda x: net(x).argmax(1))
    data = NumpySlicesDataset((images[used], classes[used])).batch(args.batch, drop_remainder=True)
    rows, times = [], []
    print(f"{'epoch':>5} {'loss':>8} {'accuracy':>8} {'ms/step':>8} {'tier':>5} {'native':>6} {'deopts':>6}")
    for epoch in range(args.epochs):
        losses = []
        start = len(times)
        for i, (x, y) in enumerate(tqdm(data, total=data.get_dataset_size(), leave=False, desc=f"epoch {epoch + 1}")):
            run = step if epoch == 0 and i < 5 else jitted
            t = time.perf_counter()
            losses.append(float(run(x, y)))
            times.append((time.perf_counter() - t) * 1e3)
        accuracy = float((predict(test_images).asnumpy() == test_classes).mean())
        tier, native, deopts = tier_of(jitted)
        rows.append({"loss": float(np.mean(losses)), "accuracy": accuracy})
        per_step = float(np.median(times[start:]))
        print(f"{epoch + 1:5d} {rows[-1]['loss']:8.4f} {accuracy:8.4f} {per_step:8.3f} {tier:5d} {native:6d} {deopts:6d}")
    return net, jitted, rows, times


def draw(rows: list[dict[str, float]], times: list[float], path: Path) -> None:
    """The learning curve and the warm-up curve as one PNG."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
    epochs = range(1, len(rows) + 1)
    left.plot(epochs, [r["loss"] for r in rows], label="training loss")
    left.plot(epochs, [r["accuracy"] for r in rows], label="held-out accuracy")
    left.set(xlabel="epoch", title="Learning")
    left.legend()
    right.plot(times, linewidth=0.8)
    right.axvline(5, color="grey", linestyle=":", label="jit from here on")
    right.set(xlabel="step", ylabel="ms", yscale="log", title="Warm-up: time of each step")
    right.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    print(f"curves: {path}")


def change_batch(net: Network) -> None:
    """Another batch size: the guard on shapes fails, the interpreter runs at once, native code follows."""
    images, _ = load_digits()
    forward = ms.jit(net.construct)
    for size in (64, 64, 17, 17, 64):
        batch = Tensor(images[:size])
        for _ in range(100):
            forward(batch)
    for entry in ms.explain(forward)["entries"]:
        for s in entry["specialisations"]:
            print(f"  batch {s['shapes'][0]:16} calls {s['calls']:4d} native calls {s['native_calls']:4d} tier {s['tier']}")
    print("  deopts by reason:", {k: v for k, v in ms.compile_stats().items() if v})


def run_without_python(net: Network, vmtool: str, folder: Path) -> None:
    """Saves the forward pass with its weights, and runs it by vmtool."""
    images, classes = load_digits()
    forward = ms.jit(net.construct)
    batch = images[:8]
    expected = forward(Tensor(batch)).asnumpy()
    ms.save_checkpoint(net, str(folder / "digits.safetensors"))
    ms.save_module(forward, str(folder / "digits.vmb"))
    np.save(folder / "batch.npy", batch)
    command = [
        vmtool,
        "run",
        str(folder / "digits.vmb"),
        "--input",
        str(folder / "batch.npy"),
        "--output",
        str(folder / "logits.npy"),
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    logits = np.load(folder / "logits.npy")
    same = "the same bits" if np.array_equal(logits, expected) else "DIFFERENT bits"
    print(f"vmtool run: classes {logits.argmax(1).tolist()}, really {classes[:8].tolist()}; {same} as in Python")


def main() -> None:
    """Runs the demo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vmtool", default="build/cpp/vmtool")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--output", default="emberjit-demo")
    args = parser.parse_args()
    folder = Path(args.output)
    folder.mkdir(exist_ok=True)
    ms.set_seed(1)
    start = time.perf_counter()
    net, _, rows, times = train(args)
    draw(rows, times, folder / "curves.png")
    print("another batch size:")
    change_batch(net)
    run_without_python(net, args.vmtool, folder)
    accuracy = rows[-1]["accuracy"]
    print(f"held-out accuracy {accuracy:.4f} after {time.perf_counter() - start:.1f} s")
    if accuracy < 0.97:
        raise SystemExit("the accuracy is below 0.97")


if __name__ == "__main__":
    main()
