"""Pipelines of data side by side: rows a second of emberjit's, MindSpore's and torchvision's, with as many workers.

Images are made up: JPEGs of 500 x 375 and some 100 KB, as those of ImageNet, and bytes of the format of MNIST. Each pipeline
of each system runs in a process of its own and gives a line of JSON: rows_a_second, after the first epoch, and cpu_us, the
time of all CPUs for a row, of the process and of its workers.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from bench_processes import Row, interpreters, last_line

IMAGES, DIGITS, SLICES = 256, 60_000, 60_000
BATCH = 32
MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
PEERS = {"mindspore": "mindspore", "torchvision": "torchvision"}
WORKERS = ("1 thread", "2 threads", "2 processes")  # torchvision's are processes


def write_images(folder: Path) -> None:
    """The files: smooth surfaces with noise, of two classes, and digits' of noise."""
    from PIL import Image

    random = np.random.default_rng(0)
    y, x = np.mgrid[0:375, 0:500] / 100
    for number in range(IMAGES):
        waves = [np.sin(x * a + y * b + c) for a, b, c in random.uniform(-3, 3, (3, 3))]
        noise = random.normal(0, 16, (375, 500, 1)) + random.normal(0, 6, (375, 500, 3))
        pixels = np.clip(128 + 80 * np.stack(waves, -1) + noise, 0, 255).astype(np.uint8)
        path = folder / "images" / str(number % 2) / f"{number}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(path, quality=90)
    (folder / "mnist").mkdir()
    for name, data in (("images-idx3", random.integers(0, 256, (DIGITS, 28, 28))), ("labels-idx1", np.arange(DIGITS) % 10)):
        header = b"\0\0\x08" + bytes([data.ndim]) + np.asarray(data.shape, ">i4").tobytes()
        (folder / "mnist" / f"train-{name}-ubyte").write_bytes(header + data.astype(np.uint8).tobytes())


def mindspore_pipeline(package: str, name: str, folder: Path, workers: int, processes: bool) -> Iterable[Any]:
    """A pipeline of MindSpore's API: an iterable of batches."""
    ds = import_module(f"{package}.dataset")
    vision, transforms = import_module(f"{package}.dataset.vision"), import_module(f"{package}.dataset.transforms")
    kinds = import_module(package)
    ds.config.set_seed(1)
    end = [vision.Normalize([255 * m for m in MEAN], [255 * s for s in STD]), vision.HWC2CHW()]
    operations = {
        "train": [vision.RandomCropDecodeResize(224), vision.RandomHorizontalFlip(), *end],
        "eval": [vision.Decode(), vision.Resize(256), vision.CenterCrop(224), *end],
        "digits": [vision.Resize(32), vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()],
        "function": [scaled],
    }[name]
    more = {"num_parallel_workers": workers}
    if name == "function":
        rows = ds.NumpySlicesDataset({"image": slices(), "label": np.arange(SLICES, dtype=np.int32)}, shuffle=True)
    elif name == "digits":
        rows = ds.MnistDataset(str(folder / "mnist"), shuffle=True, **more)
    else:
        rows = ds.ImageFolderDataset(str(folder / "images"), shuffle=name == "train", **more)
    rows = rows.map(operations, "image", python_multiprocessing=processes, **more)
    rows = rows.map(transforms.TypeCast(kinds.int32), "label", **more)
    return rows.batch(BATCH, drop_remainder=True).create_tuple_iterator()  # type: ignore[no-any-return]


def torch_pipeline(name: str, folder: Path, workers: int) -> Iterable[Any]:
    """The pipeline of torchvision."""
    import torch
    from torchvision import datasets, transforms

    torch.set_num_threads(1)
    end = [transforms.ToTensor(), transforms.Normalize(MEAN, STD)]
    if name == "function":
        data: Any = Slices()
    elif name == "digits":
        data = Digits(folder, transforms.Compose([transforms.ToPILImage(), transforms.Resize(32), transforms.ToTensor()]))
    else:
        first = {
            "train": [transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip()],
            "eval": [transforms.Resize(256), transforms.CenterCrop(224)],
        }[name]
        data = datasets.ImageFolder(str(folder / "images"), transforms.Compose([*first, *end]))
    loader = torch.utils.data.DataLoader
    return loader(data, BATCH, shuffle=name != "eval", num_workers=workers, drop_last=True, persistent_workers=workers > 0)


def slices() -> Any:
    return np.random.default_rng(0).random((SLICES, 64), dtype=np.float32)


def scaled(row: Any) -> Any:
    """A user's function."""
    return row * np.float32(2) + np.float32(1)


class Slices:
    """Rows of an array, as PyTorch wants them."""

    def __init__(self) -> None:
        self.rows = slices()

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> tuple[Any, int]:
        return scaled(self.rows[index]), index


class Digits:
    """MNIST's images from its files, as torchvision.datasets.MNIST gives them."""

    def __init__(self, folder: Path, transform: Callable[[Any], Any]):
        data = (folder / "mnist" / "train-images-idx3-ubyte").read_bytes()
        self.images = np.frombuffer(data, np.uint8, offset=16).reshape(-1, 28, 28, 1)
        self.transform = transform

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, index: int) -> tuple[Any, int]:
        return self.transform(self.images[index]), index % 10


PIPELINES = {"train": IMAGES, "eval": IMAGES, "digits": DIGITS, "function": SLICES}


def cpu_seconds() -> float:
    """The CPU time of this process and of those that it has waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def pipeline(system: str, name: str, folder: Path, workers: str) -> Iterable[Any]:
    """An iterable of a system's batches, any number of times over."""
    number, processes = int(workers.split(maxsplit=1)[0]), workers.endswith("processes")
    if system == "torchvision":
        return torch_pipeline(name, folder, number)
    return mindspore_pipeline(system, name, folder, number, processes)


def measure(batches: Iterable[Any], seconds: float) -> tuple[float, int]:
    """Rows a second after the first epoch, and how many rows there were in all."""
    rows, start, first = 0, 0.0, 0
    while not start or time.perf_counter() - start < seconds:
        for _ in batches:
            rows += BATCH
            if start and time.perf_counter() - start > seconds:
                break
        if not start:
            start, first = time.perf_counter(), rows
    return (rows - first) / (time.perf_counter() - start), rows


def one(system: str, name: str, folder: Path, workers: str, seconds: float) -> None:
    """Prints the line of one pipeline; runs in a process of its own."""
    row: Row = {"system": system, "name": name, "workers": workers}
    try:
        batches = pipeline(system, name, folder, workers)
        before = cpu_seconds()
        rate, rows = measure(batches, seconds)
        del batches
        gc.collect()
        row.update(rows_a_second=round(rate, 1), cpu_us=round((cpu_seconds() - before) / rows * 1e6, 2))
    except (Exception, KeyboardInterrupt) as error:
        row["error"] = f"{type(error).__name__}: {error}"[:300]
    print(json.dumps(row), flush=True)


def table(rows: list[Row]) -> str:
    """Markdown: a line per pipeline and workers, a column per system of rows a second and CPU time of a row."""
    systems = list(dict.fromkeys(row["system"] for row in rows))
    by_key = {(row["name"], row["workers"], row["system"]): row for row in rows}
    lines = [f"| pipeline | workers | {' | '.join(systems)} | emberjit / best peer |", "|---" * (len(systems) + 3) + "|"]
    for name, workers in dict.fromkeys((row["name"], row["workers"]) for row in rows):
        entries = [by_key.get((name, workers, system), {}) for system in systems]
        rates = [row.get("rows_a_second") for row in entries]
        cells = [f"{r:.0f} ({row['cpu_us']:.0f} us)" if r else "-" for r, row in zip(rates, entries)]
        others = [r for r in rates[1:] if r]
        cells.append(f"{rates[0] / max(others):.2f}" if rates[0] and others else "-")
        lines.append(f"| {name} | {workers} | {' | '.join(cells)} |")
    return "\n".join(lines)


def run(pythons: list[str], names: list[str], seconds: float = 6.0) -> None:
    """Prints the lines of all systems that the interpreters have, and a table."""
    systems = {"emberjit": sys.executable} | interpreters(pythons, PEERS)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write_images(Path(folder))
        for name in names or list(PIPELINES):
            for workers in WORKERS:
                for system, python in systems.items():
                    command = [python, __file__, system, name, folder, workers, str(seconds)]
                    rows.append(last_line(command, {"system": system, "name": name, "workers": workers}))
                    print(json.dumps(rows[-1]), flush=True)
    print("\n" + table(rows))


if __name__ == "__main__":
    one(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4], float(sys.argv[5]))
