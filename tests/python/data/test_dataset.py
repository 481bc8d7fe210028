"""Datasets: sources, steps, samplers, iterators and workers. What rows there are, and which errors, is MindSpore's."""

from __future__ import annotations

import gzip
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import dataset as ds
from emberjit.dataset import transforms
from emberjit.dataset.workers import Threads
from emberjit.tfrecord import framed


class Numbers:
    """Rows of an int32 array of two, and of float32."""

    def __init__(self, length: int = 6):
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, i: int) -> Any:
        return np.array([i, i], np.int32), np.float32(i)


class Iterators(Numbers):
    def __len__(self) -> int:
        return 2

    def __getitem__(self, i: int) -> Any:
        return (value for value in (i, i + 1))


class Ragged(Numbers):
    def __getitem__(self, i: int) -> Any:
        return np.arange(i + 1), np.float32(i)


def made(length: int = 6, **given: Any) -> ds.GeneratorDataset:
    return ds.GeneratorDataset(Numbers(length), ["a", "b"], **{"shuffle": False, **given})


def rows(data: ds.Dataset, column: str = "b") -> list[Any]:
    return [row[column].tolist() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]


def sampled(sampler: Any) -> list[Any]:
    return rows(ds.GeneratorDataset(Numbers(10), ["a", "b"], sampler=sampler))


def ragged() -> ds.GeneratorDataset:
    return ds.GeneratorDataset(Ragged(4), ["a", "b"], shuffle=False)


def chained() -> list[Any]:
    sampler = ds.DistributedSampler(2, 1, False)
    sampler.add_child(ds.SubsetSampler([9, 7, 5, 3]))
    return sampled(sampler)


PAIRS = [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]
CASES: list[tuple[Callable[[], Any], Any]] = [
    (lambda: rows(made(), "a"), PAIRS),
    (lambda: made().map(lambda x: x, "b", "c").get_col_names(), ["a", "c"]),
    (lambda: made().map(lambda x: (x, x), "b", ["c", "d"]).get_col_names(), ["c", "d", "a"]),
    (lambda: made().map(lambda x, y: y, ["a", "b"], ["c"]).get_col_names(), ["c"]),
    (lambda: rows(made(2).map([lambda x: x + 1, lambda x: x * 2]), "a"), [[2, 2], [4, 4]]),
    (lambda: [str(t) for t in made().map(lambda x: [1, 2], "a").output_types()], ["int64", "float32"]),
    (lambda: rows(made(2).map(lambda x: "hi", "a"), "a"), ["hi", "hi"]),
    (lambda: rows(made(1).map(lambda x: {"k": 1}, "a").project("b")), [0]),
    (lambda: rows(made().skip(4)), [4, 5]),
    (lambda: [made().skip(k).get_dataset_size() for k in (2, 20)], [4, 0]),
    (lambda: [made().take(k).get_dataset_size() for k in (2, 20, -1)], [2, 6, 6]),
    (lambda: rows(made(2).repeat(3)), [0, 1] * 3),
    (lambda: made().repeat(3).batch(4).get_repeat_count(), 3),
    (lambda: [made().repeat(3).repeat(2).get_dataset_size(), made().repeat(-1).get_dataset_size()], [36, 6]),
    (lambda: rows(made().batch(4)), [[0, 1, 2, 3], [4, 5]]),
    (lambda: [made().batch(4, drop).get_dataset_size() for drop in (False, True)], [2, 1]),
    (lambda: (made().batch(4).get_batch_size(), made().batch(4).output_shapes()), (4, [[4, 2], [4]])),
    (lambda: rows(made().batch(lambda info: info.get_batch_num() + 1)), [[0], [1, 2], [3, 4, 5]]),
    (lambda: rows(made(2).batch(2, per_batch_map=lambda b, info: [x + 1 for x in b], input_columns="b")), [[1, 2]]),
    (
        lambda: (
            made()
            .batch(3, per_batch_map=lambda b, info: (b, b), input_columns="b", output_columns=["x", "y"])
            .get_col_names()
        ),
        ["x", "y", "a"],
    ),
    (lambda: rows(ragged().padded_batch(4, pad_info={"a": ([2], -1)}), "a"), [[[0, -1], [0, 1], [0, 1], [0, 1]]]),
    (lambda: rows(ragged().padded_batch(2, pad_info={"a": ([None], -1)}), "a")[0], [[0, -1], [0, 1]]),
    (lambda: rows(ragged().padded_batch(2, pad_info={}), "a")[0], [[0, 0], [0, 1]]),
    (lambda: ragged().output_shapes(True), [[None], []]),
    (
        lambda: rows(ragged().bucket_batch_by_length(["a"], [3, 5], [2, 1, 1], None, {"a": ([None], 0)}, True), "a"),
        [[[0, 0], [0, 1]], [[0, 1, 2, 0]], [[0, 1, 2, 3]]],
    ),
    (lambda: rows(made().filter(lambda b: b % 2 == 0, "b")), [0, 2, 4]),
    (lambda: ds.zip((made(3).rename(["a", "b"], ["c", "d"]), made(5))).get_dataset_size(), 3),
    (lambda: made(3).rename("a", "c").rename("b", "d").zip(made()).get_col_names(), ["c", "d", "a", "b"]),
    (lambda: rows(made(3) + made(2)), [0, 1, 2, 0, 1]),
    (lambda: rows(ds.ConcatDataset([made(3), made(2)])), [0, 1, 2, 0, 1]),
    (lambda: made(5).batch(2).dataset_size, 3),
    (lambda: ds.ZipDataset((made(3).rename(["a", "b"], ["c", "d"]), made(5))).get_dataset_size(), 3),
    (lambda: rows(ds.GeneratorDataset(Iterators(), ["a", "b"], shuffle=False)), [1, 2]),
    (lambda: rows(ds.GeneratorDataset(lambda: (range(i, i + 2) for i in (0, 1)), ["a", "b"])), [1, 2]),
    (lambda: made().project(["b", "a"]).get_col_names(), ["b", "a"]),
    (lambda: rows(made(2).flat_map(lambda a, b: made(int(b) + 1))), [0, 0, 1]),
    (lambda: rows(made(2).apply(lambda d: d.repeat(2))), [0, 1, 0, 1]),
    (lambda: [rows(d) for d in made(5).split([3, 2], randomize=False)], [[0, 1, 2], [3, 4]]),
    (lambda: [d.get_dataset_size() for d in made(10).split([0.33, 0.33, 0.34])], [4, 3, 3]),
    (lambda: sorted(x for d in made(10).map(lambda x: x).split([0.7, 0.3]) for x in rows(d)), list(range(10))),
    (lambda: [rows(made(num_shards=4, shard_id=k)) for k in range(4)], [[0, 4], [1, 5], [2, 0], [3, 1]]),
    (lambda: [sampled(ds.DistributedSampler(4, k, False, offset=1)) for k in (0, 1)], [[3, 7], [0, 4, 8]]),
    (lambda: sampled(ds.SequentialSampler(3, 4)), [3, 4, 5, 6]),
    (lambda: sampled(ds.SubsetSampler([8, 4, 4])), [8, 4, 4]),
    (lambda: sorted(sampled(ds.SubsetRandomSampler([8, 4]))), [4, 8]),
    (lambda: sorted(sampled(ds.RandomSampler())), list(range(10))),
    (lambda: set(sampled(ds.WeightedRandomSampler([0, 0, 1, 1.0], 20))), {2, 3}),
    (lambda: sampled([3, 1, 1]), [3, 1, 1]),
    (lambda: sampled(ds.IterSampler([1, 0])), [1, 0]),
    (chained, [7, 3]),
    (lambda: rows(ds.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}, shuffle=False)), [3, 4]),
    (lambda: ds.NumpySlicesDataset(([1, 2], [3.0, 4.0])).get_col_names(), ["column_0", "column_1"]),
    (lambda: rows(ds.PaddedDataset([{"a": np.zeros(1)}, {"a": np.ones(2)}]), "a"), [[0], [1, 1]]),
    (lambda: rows(ds.GeneratorDataset(lambda: ((np.array([i]),) for i in range(3)), "a"), "a"), [[0], [1], [2]]),
    (lambda: rows(ds.GeneratorDataset(Numbers(4), ["a", "b"], batch_sampler=[[0, 1], [3]])), [[0, 1], [3]]),
    (lambda: (made().num_classes(), made().get_class_indexing()), (None, {})),
]


@pytest.mark.parametrize("call, wanted", CASES, ids=range(len(CASES)))
def test_rows(call, wanted):
    assert call() == wanted


ERRORS: list[tuple[type, str, Callable[[], Any]]] = [
    (RuntimeError, "no column 'z'", lambda: made().map(lambda x: x, "z").get_col_names()),
    (RuntimeError, "gave 2 values", lambda: rows(made().map(lambda x: (x, x), "a"))),
    (RuntimeError, "'failing' failed on row 1 of epoch 0: ZeroDivisionError", lambda: rows(made().map(failing, "b"))),
    (RuntimeError, "got None", lambda: rows(made().map(lambda x: None))),
    (RuntimeError, "row . has 2 values for the 3 columns", lambda: rows(ds.GeneratorDataset(Numbers(), list("abc")))),
    (
        RuntimeError,
        "must be float64, but is float32",
        lambda: rows(ds.GeneratorDataset(Numbers(), list("ab"), [ms.int32, ms.float64])),
    ),
    (ValueError, "column_names", lambda: ds.GeneratorDataset(Numbers())),
    (TypeError, "'source' must be", lambda: ds.GeneratorDataset(3, "a")),
    (ValueError, "'sampler' .* need a source", lambda: ds.GeneratorDataset(lambda: iter([1]), "a", sampler=[0])),
    (ValueError, "given together", lambda: made(num_shards=2)),
    (ValueError, "less than", lambda: made(num_shards=2, shard_id=2)),
    (ValueError, "'sampler' says", lambda: made(sampler=ds.SequentialSampler())),
    (TypeError, "A sampler must", lambda: ds.GeneratorDataset(Numbers(), list("ab"), sampler=3)),
    (RuntimeError, "from 0 to 9, but got 80", lambda: sampled(ds.SubsetSampler([80]))),
    (ValueError, "'buffer_size'", lambda: made().shuffle(1)),
    (TypeError, "'batch_size' must be an int or a function", lambda: made().batch(2.0)),
    (TypeError, "'drop_remainder'", lambda: made().batch(2, 1)),
    (TypeError, "unexpected keyword argument 'per_batch_mpa'. Did you mean", lambda: made().batch(2, per_batch_mpa=1)),
    (RuntimeError, "the same shape", lambda: rows(ragged().batch(2))),
    (ValueError, "'count'", lambda: made().take(0)),
    (RuntimeError, "add up", lambda: made().split([1, 2])),
    (ValueError, "add up to 1", lambda: made().split([0.5, 0.4])),
    (ValueError, "'concat', 'datasets' must hold", lambda: ds.ConcatDataset([])),
    (TypeError, "'concat', 'datasets' must be a Dataset, but got 3", lambda: ds.ConcatDataset([made(), 3])),
    (RuntimeError, "same name", lambda: ds.zip((made(), made())).get_col_names()),
    (RuntimeError, "the same columns", lambda: rows(made() + made().rename("a", "c"))),
    (ValueError, "twice", lambda: made().project(["a", "a"])),
    (RuntimeError, "a column twice", lambda: made().rename("a", "b").get_col_names()),
    (TypeError, "apply_func", lambda: made().apply(lambda d: 3)),
    (RuntimeError, "no device", lambda: made().device_que()),
    (RuntimeError, "no cache server", lambda: ds.DatasetCache(1)),
    (RuntimeError, "wait for sync_update", lambda: rows(made().sync_wait("x"))),
    (ValueError, "num_epochs", lambda: made().create_dict_iterator(num_epochs=0)),
]


def failing(x: Any) -> Any:
    return 1 // int(x - 1)


@pytest.mark.parametrize("error, message, call", ERRORS)
def test_errors(error, message, call):
    with pytest.raises(error, match=message), np.errstate(all="ignore"):
        call()


def test_iterators():
    data = made(3)
    lists = data.create_tuple_iterator(num_epochs=2)
    assert [[type(x) for x in row] for row in lists] == [[ms.Tensor, ms.Tensor]] * 3 and len(list(lists)) == 3
    with pytest.raises(RuntimeError, match="num_epochs=2"):
        next(lists)
    assert isinstance(next(data.create_tuple_iterator(output_numpy=True))[0], np.ndarray)
    assert len(list(data)) == len(data) == 3


def test_tensors_do_not_share_what_others_have():
    array = np.zeros((4, 2), np.float32)
    for batch in ({}, {"batch": 2}):
        data = ds.NumpySlicesDataset(array, shuffle=False)
        for (tensor,) in data.batch(2) if batch else data:
            tensor += 1
    assert (array == 0).all()


def test_epochs_differ_and_seeds_repeat():
    ds.config.set_seed(3)
    data = made(20, shuffle=None).shuffle(20)
    orders = [[row[1].tolist() for row in iterator] for iterator in [data.create_tuple_iterator()] for _ in range(2)]
    assert orders[0] != orders[1] and orders[0] == [row[1].tolist() for row in data]
    ds.config.set_seed(4)
    assert orders[0] != [row[1].tolist() for row in data]


def noisy(x: Any) -> Any:
    return x + np.random.rand(3)


def drawing() -> Any:
    return transforms.Compose(
        [transforms.RandomApply([transforms.Fill(7)]), transforms.RandomApply([transforms.PadEnd([5])])]
    )


@pytest.mark.parametrize("workers, processes", [(1, False), (3, False), (1, True), (3, True)])
def test_the_same_rows_by_any_workers(workers, processes, monkeypatch):
    monkeypatch.setattr(Threads, "worth", 0)
    ds.config.set_seed(3)

    def run(number: int, processes: bool) -> list[Any]:
        data = made(30, shuffle=True, num_parallel_workers=number if processes else 1)
        return rows(data.map(drawing(), "a", None, number, python_multiprocessing=processes), "a")

    assert run(workers, processes) == run(1, False)


@pytest.mark.parametrize("prefetched", [1, 16])
def test_threads_give_the_rows_before_an_error(prefetched, monkeypatch):
    def failing(x: Any) -> Any:
        return x if x[0] < 20 else 1 // 0

    monkeypatch.setattr(Threads, "worth", 0)
    monkeypatch.setitem(ds.config._values, "prefetch_size", prefetched)
    found = []
    with pytest.raises(RuntimeError, match="failed on row 20 of epoch 0: ZeroDivisionError"):
        for row in made(30).map(failing, "a", None, 2).create_tuple_iterator(num_epochs=1, output_numpy=True):
            found.append(row[0][0])
    assert found == list(range(20))


def test_what_functions_draw_in_processes_is_of_the_seed():
    ds.config.set_seed(3)
    found = [rows(made().map(noisy, "b", None, n, python_multiprocessing=True)) for n in (1, 2)]
    assert found[0] == found[1]


def test_a_look_at_the_first_row_starts_no_process(monkeypatch):
    monkeypatch.setattr("multiprocessing.get_context", lambda method: pytest.fail("a process starts"))
    np.random.seed(1)
    state = np.random.get_state()[1].tolist()
    data = made(num_parallel_workers=2).map(lambda x: x, "a", None, 2, python_multiprocessing=True).batch(2)
    assert data.output_shapes() == [[2, 2], [2]] and np.random.get_state()[1].tolist() == state
    ds.config.set_debug_mode(True)
    np.random.seed(1)
    assert len(list(data.create_tuple_iterator(num_epochs=1))) == 3 and np.random.get_state()[1].tolist() == state


def test_large_rows_of_processes():
    data = made(9).map(lambda x: np.full(400_000, x[0]), "a", None, 2, python_multiprocessing=True, max_rowsize=1)
    assert [row[0] for row in rows(data, "a")] == list(range(9))


def dying(x: Any) -> Any:
    if x == 3:
        os._exit(7)
    return x


@pytest.mark.parametrize("function, message", [(dying, "died with exit code 7"), (failing, "row 1 .*ZeroDivisionError")])
def test_workers_that_fail(function, message):
    with pytest.raises(RuntimeError, match=message), np.errstate(all="ignore"):
        rows(made(9).map(function, "b", None, 2, python_multiprocessing=True))


def test_an_iterator_that_is_left_leaves_no_process():
    iterator = iter(made(9).map(lambda x: x, "a", None, 2, python_multiprocessing=True))
    next(iterator)
    processes = [process for pool in iterator.run._resources.values() for process in getattr(pool, "processes", [])]
    assert len(processes) == 2 and all(process.is_alive() for process in processes)
    del iterator
    assert not any(os.path.exists(f"/proc/{process._popen.pid}") for process in processes if process._popen)


def test_an_interrupt_leaves_no_process():
    program = (
        "import os, signal, time\nfrom emberjit import dataset as ds\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background ignores\n"
        "def slow(x):\n    time.sleep(0.01)\n    return x\n"
        "data = ds.GeneratorDataset(list(range(999)), 'a').map(slow, 'a', None, 2, python_multiprocessing=True)\n"
        "it = iter(data)\nnext(it)\n"
        "print(*[p.pid for pool in it.run._resources.values() for p in getattr(pool, 'processes', [])], flush=True)\n"
        "os.kill(0, signal.SIGINT)\ntime.sleep(9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, start_new_session=True, timeout=30
    )
    assert "KeyboardInterrupt" in done.stderr
    assert len(done.stdout.split()) == 2 and not any(os.path.exists(f"/proc/{pid}") for pid in done.stdout.split())


def test_starting_at_a_step():
    ds.config.set_seed(3)
    data = made(10, shuffle=True).map(transforms.RandomApply([transforms.Fill(7)]), "a").batch(3).repeat(2)
    everything = [row for row in data.create_dict_iterator(output_numpy=True)] * 2
    for step in (0, 1, 5, 7, 9):
        data.set_init_step(step)
        found = list(data.create_dict_iterator(output_numpy=True))
        wanted = everything[step : len(everything) // 2]
        if step < 8:
            assert all((x["a"] == y["a"]).all() and (x["b"] == y["b"]).all() for x, y in zip(found, wanted))
            assert len(found) == len(wanted)


def test_sync_update_lets_rows_pass():
    seen = []
    data = made(4).sync_wait("go", 2, callback=seen.append)
    found = []
    for number, row in enumerate(data.create_tuple_iterator(num_epochs=1)):
        found.append(int(row[1]))
        if number == 1:
            data.sync_update("go", data={"loss": 1})
    assert found == [0, 1, 2, 3] and seen == [{"loss": 1}]


def test_batches_pass_sync_wait():
    data = made(6).sync_wait("go").batch(2)
    for _ in range(2):
        found = []
        for row in data.create_tuple_iterator(num_epochs=1):
            found.append(row[1].tolist())
            data.sync_update("go")
        assert found == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(RuntimeError, match="no sync_wait"):
        made(6).sync_wait("go").shuffle(2)


def test_dicts():
    values = [{"n": i, "s": "a", "t": (1, 2), "d": {"x": np.arange(2)}} for i in range(2)]
    data = ds.GeneratorDataset(values, "a", shuffle=False)
    (first,) = next(data.create_tuple_iterator())
    assert isinstance(first["n"], ms.Tensor) and isinstance(first["t"], tuple) and first["d"]["x"].tolist() == [0, 1]
    (both,) = next(data.batch(2).create_tuple_iterator(output_numpy=True))
    assert both["n"].tolist() == [0, 1] and both["s"].tolist() == ["a", "a"] and both["t"].tolist() == [[1, 2]] * 2
    assert both["d"]["x"].tolist() == [[0, 1]] * 2


def test_shards_of_several_datasets():
    found = []
    for shard in range(3):
        data = made(4) + made(1)
        data.use_sampler(ds.DistributedSampler(3, shard, False))
        found.append(rows(data))
        assert data.get_dataset_size() == 2 and data.is_sharded()
    assert found == [[0, 3], [1, 0], [2, 0]]
    for error, sampler in ((ValueError, ds.DistributedSampler(3, 0)), (TypeError, ds.SequentialSampler())):
        with pytest.raises(error, match="'sampler' must"):
            data.use_sampler(sampler)


def test_callbacks():
    class Told(ds.DSCallback):
        def __init__(self) -> None:
            super().__init__(2)
            self.calls: list[Any] = []

        def ds_begin(self, context: Any) -> None:
            self.calls.append("begin")

        def ds_epoch_begin(self, context: Any) -> None:
            self.calls.append(("epoch", context.cur_epoch_num))

        def ds_step_end(self, context: Any) -> None:
            self.calls.append(context.cur_step_num)

    told = Told()
    iterator = made(3).map(lambda x: x, callbacks=told).create_tuple_iterator(num_epochs=2)
    assert [len(list(iterator)) for _ in range(2)] == [3, 3]
    assert told.calls == ["begin", ("epoch", 1), 1, 3, ("epoch", 2), 4, 6]


def test_config(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"numParallelWorkers": 3, "seed": 5}')
    ds.config.load(str(path))
    assert (ds.config.get_num_parallel_workers(), ds.config.get_seed()) == (3, 5)
    for error, call in (
        (TypeError, lambda: ds.config.set_seed("a")),
        (ValueError, lambda: ds.config.set_seed(-1)),
        (ValueError, lambda: ds.config.set_prefetch_size(0)),
        (TypeError, lambda: ds.config.set_enable_shared_mem(1)),
    ):
        with pytest.raises(error):
            call()


def test_image_files(tmp_path):
    images = np.arange(3 * 784, dtype=np.uint8).reshape(3, 28, 28)
    (tmp_path / "train-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 2051, 3, 28, 28) + images.tobytes())
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, 3) + bytes([5, 0, 4]))
    data = ds.MnistDataset(str(tmp_path), shuffle=False)
    assert data.output_shapes() == [[28, 28, 1], []] and [str(t) for t in data.output_types()] == ["uint8", "uint32"]
    assert rows(data, "label") == [5, 0, 4] and (np.array(rows(data, "image"))[..., 0] == images).all()
    binary = np.arange(2 * 3073).reshape(2, 3073).astype(np.uint8)
    (tmp_path / "test_batch.bin").write_bytes(binary.tobytes())
    data = ds.Cifar10Dataset(str(tmp_path), "test", shuffle=False)
    image = np.array(rows(data, "image")[1])
    assert rows(data, "label") == [0, 1] and (image.transpose(2, 0, 1).ravel() == binary[1, 1:]).all()
    with pytest.raises(RuntimeError, match="no data in"):
        rows(ds.Cifar100Dataset(str(tmp_path)))
    with pytest.raises(ValueError, match="'usage'"):
        ds.MnistDataset(str(tmp_path), "x")


def longer(x: Any) -> Any:
    return 1 // (len(x) - 2)


def test_folders_of_images(tmp_path):
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        for k in range(2):
            (tmp_path / name / f"{k}.jpg").write_bytes(b"x" * (k + 1))
    data = ds.ImageFolderDataset(str(tmp_path), shuffle=False)
    assert rows(data, "label") == [0, 0, 1, 1] and [len(x) for x in rows(data, "image")] == [1, 2, 1, 2]
    assert data.num_classes() == 2 and data.get_class_indexing() == {"a": 0, "b": 1}
    assert rows(ds.ImageFolderDataset(str(tmp_path), sampler=ds.PKSampler(1)), "label") == [0, 1]
    assert rows(ds.ImageFolderDataset(str(tmp_path), class_indexing={"b": 7}), "label") == [7, 7]
    for processes in (False, True):
        data = ds.ImageFolderDataset(str(tmp_path)).map(longer, "image", None, 2, python_multiprocessing=processes)
        with pytest.raises(RuntimeError, match=r"(?s)on row . of epoch 0: ZeroDivisionError.*/[ab]/1\.jpg'\)$"):
            rows(data.map(lambda x: x, "image"), "label")
    with pytest.raises(RuntimeError, match=r"row 0 failed: .*0\.jpg"):
        rows(ds.ImageFolderDataset(str(tmp_path), shuffle=False, decode=True), "image")


def test_text_and_csv_files(tmp_path):
    (tmp_path / "a.txt").write_text("hello world\n\nsecond \nünï")
    (tmp_path / "b.txt").write_text("b1\nb2\n")
    pattern = str(tmp_path / "*.txt")
    in_order: Any = {"shuffle": False, "num_parallel_workers": 1}
    assert rows(ds.TextFileDataset(pattern, **in_order), "text") == ["hello world", "second ", "ünï", "b1", "b2"]
    shards = [rows(ds.TextFileDataset(pattern, **in_order, num_shards=2, shard_id=k), "text") for k in range(2)]
    assert shards == [["hello world", "second ", "ünï"], ["b1", "b2", "hello world"]]
    for shuffle in (True, ds.Shuffle.FILES, ds.Shuffle.INFILE):
        assert sorted(rows(ds.TextFileDataset(pattern, shuffle=shuffle), "text")) == sorted(shards[0] + shards[1][:2])
    (tmp_path / "h.csv").write_text('x,y,z\n1,2.5,"d,e"\n3,,f\n')
    data = ds.CSVDataset(str(tmp_path / "h.csv"), column_defaults=[0, 0.5, ""], shuffle=False)
    assert [str(t)[:3] for t in data.output_types()] == ["int", "flo", "<U3"]
    assert [rows(data, c) for c in "xyz"] == [[1, 3], [2.5, 0.5], ["d,e", "f"]]
    (tmp_path / "bad.csv").write_text("1,2\n1,2,3\n")
    with pytest.raises(RuntimeError, match=r"record 1 of the file .*bad\.csv.* 3 fields for the 2 columns"):
        rows(ds.CSVDataset(str(tmp_path / "bad.csv"), column_names=["a", "b"], shuffle=False), "a")
    with pytest.raises(ValueError, match="files that exist"):
        ds.TextFileDataset(str(tmp_path / "none"))


def field(number: int, body: bytes) -> bytes:
    return bytes([number << 3 | 2, len(body)]) + body


def record(i: int) -> bytes:
    features = {"z": field(3, field(1, bytes([i, i + 1]))), "f": field(2, field(1, struct.pack("<f", i + 0.5)))}
    features["s"] = field(1, field(1, b"hello") + field(1, b"x"))
    body = field(1, b"".join(field(1, field(1, k.encode()) + field(2, v)) for k, v in features.items()))
    return framed(body)


def test_tf_records(tmp_path):
    path = tmp_path / "a.tfrecord"
    path.write_bytes(b"".join(record(i) for i in range(3)))
    data = ds.TFRecordDataset(str(path), shuffle=False)
    assert data.get_col_names() == ["f", "s", "z"] and [str(t) for t in data.output_types()] == ["float32", "uint8", "int64"]
    assert rows(data, "z") == [[0, 1], [1, 2], [2, 3]] and bytes(rows(data, "s")[0]) == b"hellox    "
    schema = ds.Schema()
    schema.add_column("z", ms.int32, [2, 1])
    schema.add_column("s", ms.string, [2])
    data = ds.TFRecordDataset(str(path), schema, shuffle=False)
    assert rows(data, "z")[1] == [[1], [2]] and rows(data, "s")[0] == ["hello", "x"]
    packed = tmp_path / "b.tfrecord"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert rows(ds.TFRecordDataset(str(packed), shuffle=False, compression_type="GZIP"), "f") == [[0.5], [1.5], [2.5]]
    schema.add_column("nope", ms.int32)
    with pytest.raises(RuntimeError, match=r"record 0 of the file .*no feature 'nope'"):
        rows(ds.TFRecordDataset(str(path), schema, shuffle=False), "z")
    path.write_bytes(b"abc" * 9)
    with pytest.raises(RuntimeError, match="no whole TFRecord file"):
        rows(ds.TFRecordDataset(str(path)), "z")


def test_old_names_of_modules(tmp_path):
    program = (
        "import mindspore.dataset.engine.datasets as de, mindspore.dataset.transforms.c_transforms as C\n"
        "import mindspore.dataset.vision.c_transforms as V, mindspore.dataset.transforms.py_transforms\n"
        "from mindspore.dataset.vision.utils import Inter\nfrom mindspore.dataset.transforms.transforms import TypeCast\n"
        "from mindspore.dataset.engine.samplers import DistributedSampler\nfrom mindspore.dataset.core import config\n"
        "from mindspore.mindrecord import FileWriter\n"
        "print(de.GeneratorDataset.__name__, C.TypeCast is TypeCast, V.Resize(2, Inter.LINEAR).interpolation.name)\n"
    )
    (tmp_path / "old.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "-m", "emberjit", str(tmp_path / "old.py")], capture_output=True, text=True, check=False
    )
    assert done.stdout == "GeneratorDataset True BILINEAR\n", done.stderr


def test_functions_that_write_do_not_change_the_source() -> None:
    def grow(x: Any) -> Any:
        x += 1
        return x

    given = np.zeros((3, 2))
    pipeline = ds.NumpySlicesDataset(given, ["x"], shuffle=False).map(grow, "x")
    for _ in range(2):
        assert [row[0].tolist() for row in pipeline.create_tuple_iterator(output_numpy=True)] == [[1, 1]] * 3
    assert not given.any()


class _Numbers:
    def __getitem__(self, index: int) -> Any:
        return (np.array(index),)

    def __len__(self) -> int:
        return 20


def test_worker_processes_serve_one_use() -> None:
    source = ds.GeneratorDataset(_Numbers(), ["x"], num_parallel_workers=2, shuffle=False)
    with pytest.raises(RuntimeError, match="is used twice in one pipeline"):
        list(ds.zip((source, source.rename("x", "y"))))
    assert [int(row[0]) for row in source] == list(range(20))
