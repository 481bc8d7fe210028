"""Communication of a single process: what is reduced, gathered or sent to all is what it has; what needs others says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, communication, context, nn, ops
from emberjit.communication import comm_func, distributed

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    yield
    communication.release()
    ms.reset_auto_parallel_context()
    ms.reset_ps_context()


def new() -> Tensor:
    return ops.zeros_like(X)


def test_a_world_of_one() -> None:
    communication.init("nccl")
    assert communication.GlobalComm.INITED and distributed.is_initialized()
    for rank in (communication.get_rank, communication.get_local_rank, distributed.get_rank):
        assert rank() == 0
    for count in (communication.get_group_size, communication.get_local_rank_size, distributed.get_world_size):
        assert count() == 1
    communication.create_group("mine", [0])
    assert communication.get_group_size("mine") == 1 and communication.get_process_group_ranks("mine") == [0]
    assert communication.get_world_rank_from_group_rank("mine", 0) == 0
    assert communication.get_group_rank_from_world_rank(0, "mine") == 0
    communication.destroy_group("mine")
    with pytest.raises(ValueError, match="there is no group 'mine': there are 'hccl_world_group'"):
        communication.get_rank("mine")
    assert distributed.get_group_rank(distributed.new_group(), 0) == 0


WRITERS: dict[str, Callable[[Tensor], Any]] = {
    "all_gather": lambda to: distributed.all_gather([to], X),
    "all_gather_into_tensor": lambda to: distributed.all_gather_into_tensor(to, X),
    "all_gather_into_tensor_uneven": lambda to: distributed.all_gather_into_tensor_uneven(to, X, [2]),
    "reduce_scatter": lambda to: distributed.reduce_scatter(to, [X]),
    "reduce_scatter_tensor": lambda to: distributed.reduce_scatter_tensor(to, X, "max"),
    "reduce_scatter_tensor_uneven": lambda to: distributed.reduce_scatter_tensor_uneven(to, X, [2], "max"),
    "all_to_all": lambda to: distributed.all_to_all([to], [X]),
    "all_to_all_single": lambda to: distributed.all_to_all_single(to, X, [2], [2]),
    "gather": lambda to: distributed.gather(X, [to]),
    "scatter": lambda to: distributed.scatter(to, [X]),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written(name: str) -> None:
    to = new()
    assert WRITERS[name](to) is None
    np.testing.assert_array_equal(to.asnumpy(), X.asnumpy())
    with pytest.raises(ValueError, match=r"what is received is a Tensor of shape \(2, 3\)"):
        WRITERS[name](Tensor(np.zeros(5, np.float32)))


def test_what_stays() -> None:
    for call in (distributed.all_reduce, lambda x: distributed.broadcast(x, 0), lambda x: distributed.reduce(x, 0)):
        x = Tensor(X)
        call(x)
        np.testing.assert_array_equal(x.asnumpy(), X.asnumpy())
    handle = distributed.all_reduce(X, async_op=True)
    assert handle is not None and handle.is_completed()
    objects: list[Any] = [None]
    distributed.all_gather_object(objects, "mine")
    assert objects == ["mine"]
    distributed.scatter_object_list(objects, ["other"])
    assert objects == ["other"]


@pytest.mark.parametrize("name", ("all_reduce", "all_gather_into_tensor", "reduce_scatter_tensor"))
def test_what_is_returned_is_a_copy(name: str) -> None:
    x = Tensor(X)
    got, handle = getattr(comm_func, name)(x, async_op=True)
    x.zero_()
    np.testing.assert_array_equal(got.asnumpy(), X.asnumpy())
    handle.wait()


@pytest.mark.parametrize("primitive", (ops.AllReduce, ops.AllGather, ops.ReduceScatter, lambda: ops.AlltoAll(1, 0, 1)))
def test_primitives_are_differentiable_and_jitted(primitive: Callable[[], Any]) -> None:
    reduce = primitive()
    np.testing.assert_array_equal(ms.jit(lambda x: reduce(x) * 2)(X).asnumpy(), X.asnumpy() * 2)
    np.testing.assert_array_equal(ms.grad(lambda x: (reduce(x) * X).sum())(X).asnumpy(), X.asnumpy())


def test_gradients_of_one_process_stay() -> None:
    weight = Parameter(X, name="w")
    gradients = nn.DistributedGradReducer([weight], True, communication.get_group_size())((X,))
    assert gradients[0] is X
    with pytest.raises(ValueError, match="'degree' must be 1"):
        nn.DistributedGradReducer([weight], True, 8)


ALONE: tuple[tuple[Callable[[], Any], type[Exception], str], ...] = (
    (lambda: distributed.send(X, 1), RuntimeError, "'send', there is no other process"),
    (lambda: comm_func.irecv(X), RuntimeError, "'irecv', there is no other process"),
    (lambda: ops.Send(0, 1)(X), RuntimeError, "'Send', there is no other process"),
    (lambda: communication.create_group("g", [0, 1]), ValueError, r"'rank_ids' must be \[0\]"),
    (lambda: communication.create_group("hccl_world_group", [0]), ValueError, "a name that no group has"),
    (lambda: communication.get_rank(1), TypeError, "must be type of string"),
    (lambda: communication.init("mpi"), ValueError, "'backend_name' must be one of"),
    (lambda: distributed.broadcast(X, 1), ValueError, "'src' must be 0"),
    (lambda: distributed.all_reduce(X, "xor"), ValueError, "'op' must be one of"),
    (lambda: distributed.all_reduce(3), TypeError, "'tensor' must be a Tensor"),  # type: ignore[arg-type]
    (lambda: distributed.all_gather([X, X], X), ValueError, "one item for each process"),
    (lambda: ops.AllReduce("xor")(X), ValueError, "'op' must be one of"),
    (lambda: ops.AlltoAll(2, 0, 1)(X), ValueError, "'split_count' must be 1"),
    (lambda: ms.set_auto_parallel_context(device_num=8), ValueError, "there is one process"),
    (lambda: ms.set_auto_parallel_context(parallel_mode="all"), ValueError, "must be one of"),
    (lambda: ms.set_auto_parallel_context(gradient_mean=True), ValueError, "is not recognized!.*gradients_mean"),
    (lambda: ms.set_auto_parallel_context(gradients_mean=1), TypeError, "must be bool"),
    (lambda: ms.set_ps_context(enable_ps=True), ValueError, "there is one process"),
    (lambda: ms.get_auto_parallel_context("device"), ValueError, "is not recognized"),
)


@pytest.mark.parametrize("call, error, text", ALONE)
def test_what_needs_others(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_the_parallel_context() -> None:
    ms.set_auto_parallel_context(
        parallel_mode=context.ParallelMode.DATA_PARALLEL, device_num=communication.get_group_size(), gradients_mean=True
    )
    assert ms.get_auto_parallel_context("parallel_mode") == "data_parallel"
    assert ms.get_auto_parallel_context("gradients_mean") is True
    ms.reset_auto_parallel_context()
    assert ms.get_auto_parallel_context("parallel_mode") == "stand_alone"


def test_a_launcher_of_several_is_refused() -> None:
    code = "from emberjit.communication import init; init()"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "RANK_SIZE": "4"}, capture_output=True, text=True, check=False
    )
    assert "RuntimeError: For 'init', RANK_SIZE says that there are 4 processes" in done.stderr


def test_new_groups_have_names_of_their_own() -> None:
    communication.create_group("group_0", [0])
    names = {distributed.new_group() for _ in range(3)}
    assert len(names) == 3 and "group_0" not in names


def test_what_is_read_of_the_context_is_a_copy() -> None:
    ms.get_auto_parallel_context("all_reduce_fusion_config").append(1)
    assert ms.get_auto_parallel_context("all_reduce_fusion_config") == []
    with pytest.raises(ValueError, match="nope"):
        ms.set_auto_parallel_context(gradients_mean=True, nope=1)
    assert ms.get_auto_parallel_context("gradients_mean") is False


def test_what_all_send_to_all() -> None:
    (received,), handle = comm_func.all_to_all_with_output_shape([(2, 3)], [X], async_op=True)
    assert handle is not None and handle.is_completed()
    one, none = comm_func.all_to_all_single_with_output_shape(X, X, [2], [2])
    assert none is None
    for copy in (received, one):
        np.testing.assert_array_equal(copy.asnumpy(), X.asnumpy())
    with pytest.raises(ValueError, match=r"has the shape \(2, 3\), but got \(3, 2\)"):
        comm_func.all_to_all_single_with_output_shape((3, 2), X)
    with pytest.raises(ValueError, match="'input_split_sizes' must be"):
        comm_func.all_to_all_single_with_output_shape((2, 3), X, None, [1, 1])
    with pytest.raises(ValueError, match="one item for each process"):
        comm_func.all_to_all_with_output_shape([(2, 3)], [X, X])
