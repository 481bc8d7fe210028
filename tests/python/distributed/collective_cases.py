"""Collectives on all processes that mpirun starts, beside NumPy: each case is a function that returns pairs of what is there
and what is to be, or raises. As a program it writes a line of JSON for each case, from each process.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import emberjit as ms
from emberjit import Tensor, communication, mint, nn, ops
from emberjit import _emberjit as core
from emberjit import dataset as ds
from emberjit.communication import comm_func
from emberjit.mint import distributed

Pairs = Iterator[tuple[Any, Any]]
CASES: dict[str, Callable[[int, int], Pairs]] = {}
FLOATS = (np.float32, np.float64, np.float16)
DTYPES = (*FLOATS, np.int8, np.int32, np.int64, np.uint8)


def case(function: Callable[[int, int], Pairs]) -> Callable[[int, int], Pairs]:
    CASES[function.__name__] = function
    return function


def of_rank(rank: int, shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    """What a process has, which all can compute."""
    values = np.random.default_rng(rank).standard_normal(shape) * 3
    return values.astype(dtype) if np.dtype(dtype).kind == "f" else np.trunc(values).astype(np.int64).astype(dtype)


def tree(parts: list[np.ndarray], combine: Any = np.add) -> np.ndarray:
    """The reduction as a binary tree by rank; half types in float32, rounded once."""
    dtype, level = parts[0].dtype, [p.astype(np.float32) if p.dtype == np.float16 else p for p in parts]
    while len(level) > 1:
        level = [combine(level[i], level[i + 1]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
    return level[0].astype(dtype)


@case
def reductions_are_a_tree_by_rank(rank: int, size: int) -> Pairs:
    for shape in ((), (0,), (3,), (5, 7), (40_001,)):
        for dtype in DTYPES:
            parts = [of_rank(r, shape, dtype) for r in range(size)]
            for op, combine in (("sum", np.add), ("max", np.maximum), ("min", np.minimum), ("prod", np.multiply)):
                yield comm_func.all_reduce(Tensor(parts[rank]), op)[0], tree(parts, combine)
    parts = [of_rank(r, (9,)) for r in range(size)]
    yield comm_func.all_reduce(Tensor(parts[rank]), "avg")[0], tree(parts) / np.float32(size)


@case
def views_are_reduced(rank: int, size: int) -> Pairs:
    parts = [of_rank(r, (6, 8)) for r in range(size)]
    yield comm_func.all_reduce(Tensor(parts[rank]).T[1:, ::2])[0], tree([p.T[1:, ::2] for p in parts])
    x = Tensor(parts[rank])
    distributed.all_reduce(x[2])
    yield x[2], tree([p[2] for p in parts])


@case
def gathering_and_scattering(rank: int, size: int) -> Pairs:
    parts = [of_rank(r, (2, 3)) for r in range(size)]
    whole = np.concatenate(parts)
    yield comm_func.all_gather_into_tensor(Tensor(parts[rank]))[0], whole
    yield ops.AllGather()(Tensor(parts[rank])), whole
    wide = [of_rank(r, (2 * size, 3)) for r in range(size)]
    yield comm_func.reduce_scatter_tensor(Tensor(wide[rank]))[0], tree(wide)[2 * rank : 2 * rank + 2]
    yield comm_func.scatter_tensor(Tensor(wide[rank]), src=size - 1), wide[size - 1][2 * rank : 2 * rank + 2]
    lists = [ops.zeros((2, 3)) for _ in range(size)]
    distributed.all_gather(lists, Tensor(parts[rank]))
    yield from zip(lists, parts)
    part = ops.zeros((2, 3))
    distributed.scatter(part, [Tensor(p) for p in parts] if rank == 0 else [], src=0)
    yield part, parts[rank]
    gathered = [ops.zeros((2, 3)) for _ in range(size)]
    distributed.gather(Tensor(parts[rank]), gathered if rank == size - 1 else [], dst=size - 1)
    yield gathered[0], parts[0] if rank == size - 1 else np.zeros((2, 3), np.float32)
    into = ops.zeros((3,))
    distributed.reduce_scatter(into, [Tensor(of_rank(10 * rank + r, (3,))) for r in range(size)])
    yield into, tree([of_rank(10 * r + rank, (3,)) for r in range(size)])


@case
def uneven_parts(rank: int, size: int) -> Pairs:
    counts = [r + 1 for r in range(size)]
    counts[-1] = 0
    parts = [of_rank(r, (counts[r], 2)) for r in range(size)]
    out = ops.zeros((sum(counts), 2))
    distributed.all_gather_into_tensor_uneven(out, Tensor(parts[rank]), counts)
    yield out, np.concatenate(parts)
    wide = [of_rank(r, (sum(counts), 2)) for r in range(size)]
    own = ops.zeros((counts[rank], 2))
    distributed.reduce_scatter_tensor_uneven(own, Tensor(wide[rank]), counts)
    begin = sum(counts[:rank])
    yield own, tree(wide)[begin : begin + counts[rank]]


@case
def all_to_all(rank: int, size: int) -> Pairs:
    sent = lambda r, to: of_rank(100 * r + to, (r + 1, to + 1))
    outputs = [ops.zeros((r + 1, rank + 1)) for r in range(size)]
    distributed.all_to_all(outputs, [Tensor(sent(rank, to)) for to in range(size)])
    yield from zip(outputs, [sent(r, rank) for r in range(size)])
    x = [of_rank(r, (size, 2 * size)) for r in range(size)]
    want = np.concatenate([p[:, 2 * rank : 2 * rank + 2] for p in x], 0)
    yield ops.AlltoAll(size, 1, 0)(Tensor(x[rank])), want
    matrix = [(i + j) % 3 for i in range(size) for j in range(size)]
    flat = [of_rank(r, (sum(matrix[r * size : (r + 1) * size]),)) for r in range(size)]
    take = lambda r: flat[r][sum(matrix[r * size : r * size + rank]) :][: matrix[r * size + rank]]
    yield ops.AlltoAllVC()(Tensor(flat[rank]), matrix), np.concatenate([take(r) for r in range(size)])


@case
def one_to_all_and_to_one(rank: int, size: int) -> Pairs:
    parts = [of_rank(r, (4,)) for r in range(size)]
    x = Tensor(parts[rank])
    distributed.broadcast(x, src=size - 1)
    yield x, parts[size - 1]
    y = Tensor(parts[rank])
    distributed.reduce(y, dst=0)
    yield y, tree(parts) if rank == 0 else parts[rank]
    yield ops.Broadcast(0)((Tensor(parts[rank]),))[0], parts[0]


@case
def messages(rank: int, size: int) -> Pairs:
    to, source = (rank + 1) % size, (rank - 1) % size
    got = ops.zeros((3,))
    tasks = [distributed.P2POp("isend", Tensor(of_rank(rank, (3,))), to), distributed.P2POp("irecv", got, source)]
    for handle in distributed.batch_isend_irecv(tasks):
        handle.wait()
    yield got, of_rank(source, (3,))
    comm_func.send(Tensor(of_rank(rank + 50, (2, 2))), to, tag=7)
    yield comm_func.recv(ops.zeros((2, 2)), source, tag=7), of_rank(source + 50, (2, 2))
    ops.Send(1, to)(Tensor(of_rank(rank, (5,))))
    yield ops.Receive(1, source, [5], ms.float32)(), of_rank(source, (5,))


@case
def objects(rank: int, size: int) -> Pairs:
    got: list[Any] = [None] * size
    distributed.all_gather_object(got, {"rank": rank, "text": "x" * rank})
    yield got, [{"rank": r, "text": "x" * r} for r in range(size)]
    one: list[Any] = [("from", rank)]
    distributed.broadcast_object_list(one, src=size - 1)
    yield one, [("from", size - 1)]
    mine: list[Any] = [None]
    distributed.scatter_object_list(mine, [f"for {r}" for r in range(size)], src=0)
    yield mine, [f"for {rank}"]
    if rank == 0:
        distributed.send_object_list([1, "two"], dst=1)
    elif rank == 1:
        received: list[Any] = [None]
        distributed.recv_object_list(received, src=0)
        yield received, [1, "two"]


@case
def groups(rank: int, size: int) -> Pairs:
    even = [r for r in range(size) if r % 2 == 0]
    odd = [r for r in range(size) if r % 2]
    mine = even if rank % 2 == 0 else odd
    name = "even" if rank % 2 == 0 else "odd"
    communication.create_group(name, mine)
    yield (communication.get_rank(name), communication.get_group_size(name)), (mine.index(rank), len(mine))
    yield communication.get_process_group_ranks(name), mine
    yield comm_func.all_reduce(Tensor(of_rank(rank, (3,))), "sum", name)[0], tree([of_rank(r, (3,)) for r in mine])
    root = mine[-1]
    yield comm_func.broadcast(Tensor(of_rank(rank, (3,))), root, name), of_rank(root, (3,))
    communication.destroy_group(name)
    yield (communication.get_rank(), communication.get_local_rank(), communication.get_local_rank_size()), (rank, rank, size)


@case
def graphs_hold_collectives(rank: int, size: int) -> Pairs:
    step = ms.jit(lambda x: ops.AllReduce()(x * 2) + ops.AllGather()(x[:1]).sum(), fullgraph=True)
    for n in (3, 3, 3, 5):
        parts = [of_rank(r, (n,)) for r in range(size)]
        first = ms.ops.concat([Tensor(p[:1]) for p in parts]).sum()
        yield step(Tensor(parts[rank])), tree([p * 2 for p in parts]) + first.asnumpy()
    yield len(ms.explain(step)["breaks"]), 0


@case
def gradients(rank: int, size: int) -> Pairs:
    parts = [of_rank(r, (size, 2), np.float64) for r in range(size)]
    weights = [of_rank(20 + r, (size, 2), np.float64) for r in range(size)]
    w = Tensor(weights[rank])
    x = Tensor(parts[rank])
    yield ms.grad(lambda x: (ops.AllReduce()(x) * w).sum())(x), tree(weights)
    tall = [of_rank(40 + r, (size * size, 2), np.float64) for r in range(size)]
    own = tree(tall)[rank * size : (rank + 1) * size]
    yield ms.grad(lambda x: (ops.AllGather()(x) * Tensor(tall[rank])).sum())(x), own
    ones = [of_rank(60 + r, (1, 2), np.float64) for r in range(size)]
    yield ms.grad(lambda x: (ops.ReduceScatter()(x) * Tensor(ones[rank])).sum())(x), np.concatenate(ones)
    largest = tree(parts, np.maximum)
    yield (ms.grad(lambda x: (ops.AllReduce("max")(x) * w).sum())(x), np.where(parts[rank] == largest, tree(weights), 0))
    want = tree(weights) if rank == 0 else np.zeros((size, 2))
    yield ms.grad(lambda x: (ops.Broadcast(0)((x,))[0] * w).sum())(x), want
    mapped = ms.vmap(lambda row: ops.AllReduce()(row))(x)
    yield mapped, tree(parts)


def trained(rank: int, size: int, steps: int) -> tuple[list[float], np.ndarray]:
    """The losses and Parameters of a network that each process trains on its part of all batches."""
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(20, 64), nn.ReLU(), nn.Dense(64, 4))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((240, 20)).astype(np.float32)
    y = (x @ rng.standard_normal((20, 4))).argmax(1).astype(np.int32)
    losses = [float(step(Tensor(x[rank::size]), Tensor(y[rank::size]))) for _ in range(steps)]
    return losses, np.concatenate([p.asnumpy().ravel() for p in net.get_parameters()])


@case
def data_parallel_training(rank: int, size: int) -> Pairs:
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, device_num=size)
    losses, weights = trained(rank, size, 100)
    again, _ = trained(rank, size, 100)
    ms.reset_auto_parallel_context()
    yield losses, again
    all_weights: list[Any] = [None] * size
    distributed.all_gather_object(all_weights, weights.tobytes())
    yield len({*all_weights}), 1
    all_losses: list[Any] = [None] * size
    distributed.all_gather_object(all_losses, losses)
    alone, _ = trained(0, 1, 100)
    np.testing.assert_allclose(np.mean(all_losses, 0), alone, rtol=2e-4)


@case
def statistics_of_all_batches(rank: int, size: int) -> Pairs:
    x = np.random.default_rng(0).standard_normal((3 * size + 1, 4, 2, 5)).astype(np.float32)
    mine = slice(3 * rank, 3 * rank + 3 + (rank == size - 1))
    weights = np.random.default_rng(1).standard_normal(x.shape).astype(np.float32)
    shared, alone = nn.SyncBatchNorm(4).set_train(), nn.BatchNorm2d(4).set_train()
    for _ in range(2):
        y, whole = shared(Tensor(x[mine])), alone(Tensor(x))
        np.testing.assert_allclose(y.asnumpy(), whole.asnumpy()[mine], rtol=2e-5, atol=2e-6)
    for name in ("moving_mean", "moving_variance"):
        ours, want = getattr(shared, name).asnumpy(), getattr(alone, name).asnumpy()
        np.testing.assert_allclose(ours, want, rtol=1e-5, atol=1e-7)
    of = lambda net, x, weights: ms.grad(lambda x: (net(x) * Tensor(weights)).sum())(Tensor(x)).asnumpy()
    np.testing.assert_allclose(of(shared, x[mine], weights[mine]), of(alone, x, weights)[mine], rtol=1e-3, atol=2e-5)
    groups = [[r for r in range(size) if r % 2 == parity] for parity in (0, 1)]
    yield nn.SyncBatchNorm(4, process_groups=groups).set_train()(Tensor(x[mine])).shape, x[mine].shape


@case
def gradients_are_sent_while_others_are_computed(rank: int, size: int) -> Pairs:
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    net = nn.SequentialCell(*(nn.Dense(1024, 1024) for _ in range(3)))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    jitted = ms.jit(lambda x: step(x, x), fullgraph=True)
    jitted(ops.ones((2, 1024)))
    ms.reset_auto_parallel_context()
    lines = ms.explain(jitted)["entries"][0]["bytecode"].splitlines()
    at = lambda text: [i for i, line in enumerate(lines) if text in line]
    begins, ends, products = at("AllReduceBegin"), at("AllReduceEnd"), at("MatMul")
    yield len(begins) == len(ends) > 2 and begins[0] < products[-1] < ends[0] and begins[-1] < ends[0], True
    yield "nothing was begun with this ticket" in raised(lambda: core.ops.all_reduce_end(Tensor(-1), ms.float32, (0,))), True


@case
def a_model_trains_on_shards_of_a_dataset(rank: int, size: int) -> Pairs:
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, parameter_broadcast=True)
    ms.set_seed(10 + rank)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((48 * size, 20)).astype(np.float32)
    y = (x @ rng.standard_normal((20, 4))).argmax(1).astype(np.int32)
    shard = ds.NumpySlicesDataset((x, y), ["x", "y"], num_shards=size, shard_id=rank, shuffle=False).batch(16)
    for options in ({}, {"loss_scale_manager": ms.amp.DynamicLossScaleManager(2**10, 2, 10)}):
        net = nn.SequentialCell(nn.Dense(20, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dense(64, 4))
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
        ms.Model(net, loss, optimizer, **options).train(3, shard)
        weights: list[Any] = [None] * size
        distributed.all_gather_object(weights, b"".join(p.asnumpy().tobytes() for p in net.trainable_params()))
        yield len({*weights}), 1
    ms.reset_auto_parallel_context()


@case
def the_parameters_of_rank_0(rank: int, size: int) -> Pairs:
    ms.set_auto_parallel_context(parallel_mode="data_parallel", parameter_broadcast=True)
    net = nn.Dense(2, 1, weight_init="zeros")
    net.weight.set_data(Tensor(of_rank(rank, (1, 2))))
    nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    ms.reset_auto_parallel_context()
    yield net.weight, of_rank(0, (1, 2))


def raised(call: Callable[[], Any]) -> str:
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


@case
def what_does_not_fit_is_an_error_on_all(rank: int, size: int) -> Pairs:
    text = raised(lambda: comm_func.all_reduce(ops.zeros((rank + 1,))))
    told = [f"rank {r}: all_reduce sum of Float32 of {4 * r + 4} bytes, call " in text for r in range(2)]
    yield told, [True, True]
    yield text.count(" at collective_cases.py:"), size
    text = raised(lambda: comm_func.all_reduce(ops.zeros((2,))) if rank else comm_func.barrier())
    yield "rank 0: barrier" in text and "rank 1: all_reduce" in text, True
    rows = [size] + [0] * (size - 1)
    flat = lambda: comm_func.all_to_all_single_with_output_shape((size,), ops.zeros(size), [1] * size, rows)
    yield "expect other numbers of rows than they are sent" in raised(flat), True
    yield comm_func.all_reduce(ops.ones((2,)))[0], np.full(2, size, np.float32)  # and all goes on
    yield "must be the rank of another process" in raised(lambda: comm_func.send(ops.ones(2), rank)), True
    yield "'dst' must be a rank of the group" in raised(lambda: distributed.reduce(ops.ones(2), size)), True
    yield "is not in the group" in raised(lambda: only_of_zero(rank)), rank != 0


def only_of_zero(rank: int) -> None:
    distributed.all_reduce(ops.ones(2), group="only 0")


@case
def a_mint_network(rank: int, size: int) -> Pairs:
    yield mint.distributed.get_world_size(), size
    yield nn.DistributedGradReducer([], mean=True)((ops.ones(3) * rank,))[0], np.full(3, (size - 1) / 2, np.float32)


def main() -> None:
    communication.init()
    rank, size = communication.get_rank(), communication.get_group_size()
    communication.create_group("only 0", [0])
    for name, function in CASES.items():
        problem = ""
        try:
            for number, (got, want) in enumerate(function(rank, size)):
                got = got.asnumpy() if isinstance(got, Tensor) else got
                if isinstance(want, np.ndarray):
                    same = got.dtype == want.dtype and got.shape == want.shape and got.tobytes() == want.tobytes()
                else:
                    same = got == want
                if not same:
                    problem += f"pair {number}: {got!r} is not {want!r}\n"
        except Exception:
            problem = traceback.format_exc()
        sys.stdout.write(json.dumps([rank, name, problem]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
