"""What programs reach of MindSpore beside its public names: attributes of Tensors, private modules, kinds of types."""

import contextlib
import io
import os
import subprocess
import sys

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, _checkparam, log, nn, ops
from emberjit import dtype as mstype


def x():
    return Tensor(np.arange(4, dtype=np.float32))


ATTRIBUTES = {
    "device": "CPU",
    "const_arg": False,
    "delta_seed": 0,
    "has_init": False,
    "init": None,
    "init_finished": True,
    "init_flag": False,
    "is_meta": False,
    "parent_tensor_": None,
    "symbolic_shape": None,
    "virtual_flag": False,
}


@pytest.mark.parametrize("name, want", ATTRIBUTES.items())
def test_attributes(name, want):
    assert getattr(x(), name) == want and getattr(Parameter(x()), name) == want


CALLS = {
    "type": (lambda t: t.type(), "Float32"),
    "type of a name": (lambda t: str(t.type("float16").dtype), "Float16"),
    "is_init": (lambda t: t.is_init(), False),
    "is_shared": (lambda t: t.is_shared(), False),
    "data_sync": (lambda t: t.data_sync(True), None),
    "move_to": (lambda t: t.move_to("CPU").tolist(), [0, 1, 2, 3]),
    "set_const_arg": (lambda t: t.set_const_arg().tolist(), [0, 1, 2, 3]),
    "init_data": (lambda t: t.init_data().tolist(), [0, 1, 2, 3]),
    "assign_value": (lambda t: t.assign_value(Tensor([5, 6])).tolist(), [5, 6]),
    "set_": (lambda t: t.set_().tolist(), []),
    "set_ of a size": (lambda t: t.set_(Tensor(np.arange(9, dtype=np.float32)), 1, (2, 2)).tolist(), [[1, 2], [3, 4]]),
    "set_dtype": (lambda t: (t.set_dtype(ms.int32), t.dtype), (ms.int32, ms.int32)),
    "bytes": (lambda t: Tensor.convert_bytes_to_tensor(t.get_bytes(), (2, 2), t.dtype).tolist(), [[0, 1], [2, 3]]),
    "from_numpy": (lambda t: Tensor.from_numpy(t.asnumpy()).tolist(), [0, 1, 2, 3]),
    "DLPack": (lambda t: Tensor.from_dlpack(t.to_dlpack()).tolist(), [0, 1, 2, 3]),
    "sparse": (
        lambda t: [m.to_dense().tolist() for m in (t.view(2, 2).to_coo(), t.view(2, 2).to_csr())],
        [[[0, 1], [2, 3]]] * 2,
    ),
    "hooks": (lambda t: t.hooks(), []),
    "delete_": (lambda t: t.delete_().shape, (0,)),
    "to_": (lambda t: t.to_("CPU").tolist(), [0, 1, 2, 3]),
    "set_cast_dtype": (lambda t: t.set_cast_dtype(ms.float16), None),
    "what an index reads": (lambda t: t.getitem_index_info(slice(1, 3))[2][0].tolist(), [1, 2]),
    "what an index writes": (lambda t: (t.setitem_index_info(0, 5.0)[0], t.tolist()), ("view", [5, 1, 2, 3])),
    "in place by name": (lambda t: (t.__isub__(t, alpha=2).tolist(), t.tolist()), ([0, -1, -2, -3], [0, 1, 2, 3])),
    "offloading": (lambda t: (t._offload(), t._load()), (None, None)),
    "uint64": (lambda t: [Tensor(n, ms.uint64).item() for n in (2**64 - 1, -1, 7)], [2**64 - 1, 2**64 - 1, 7]),
    "an int of 64 bits": (
        lambda t: (Tensor(2**63).item(), Tensor(2**63).dtype, Tensor(-1).dtype),
        (2**63, ms.uint64, ms.int64),
    ),
    "an int that wraps": (lambda t: Tensor(2**63, ms.int64).item(), -(2**63)),
    "repeated elements": (lambda t: t[:2].repeat_interleave(2, output_size=4).tolist(), [0, 0, 1, 1]),
    "storage": (lambda t: (t.storage().nbytes(), t.untyped_storage().data_ptr() == t.data_ptr()), (16, True)),
}


@pytest.mark.parametrize("call, want", CALLS.values(), ids=CALLS)
def test_methods(call, want):
    assert call(x()) == want


def test_data_shares_memory_and_passes_no_gradient():
    t = x()
    t.data.add_(1)
    assert t.tolist() == [1, 2, 3, 4]
    assert ms.grad(lambda t: (t.data * t).sum())(t).tolist() == [1, 2, 3, 4]
    p = Parameter(t)
    p.data = Tensor(np.zeros(4, np.float32))
    p.data[0] = 5
    assert isinstance(p, Parameter) and p.tolist() == [5, 0, 0, 0]


@pytest.mark.breaks
def test_data_in_a_jitted_function():
    t = x()

    @ms.jit
    def f(t):
        t.data.add_(1)
        return t * 2

    assert f(t).tolist() == [2, 4, 6, 8] and t.tolist() == [1, 2, 3, 4]


def test_storage_is_copied_in_bytes():
    t = x()
    t.storage().copy_(Tensor(np.ones(4, np.float32)).storage())
    assert t.tolist() == [1] * 4


def test_a_parameter_keeps_what_is_set():
    p, q = Parameter(x()), Parameter(x())
    p.layerwise_parallel = True
    assert (p.layerwise_parallel, q.layerwise_parallel, q.comm_fusion, q.cache_shape) == (True, False, 1, [])
    p.requires_grad_(False)
    assert not p.requires_grad and q.requires_grad


def test_nothing_is_recorded_without_gradients():
    @ms._no_grad()
    def constant(t):
        return t * 3

    def f(t):
        with ms._no_grad():
            y = t * 2
        return (t * y + constant(t)).sum()

    assert ms.grad(f)(x()).tolist() == [0, 2, 4, 6]


def test_the_executor():
    ms._pynative_executor.sync()
    ms._pynative_executor.set_enable_grad(False)
    assert not ms._pynative_executor.enable_grad()
    assert ms.grad(lambda t: (t * t).sum())(x()) is not None
    ms._pynative_executor.set_enable_grad(True)
    assert ms._pynative_executor.enable_grad() and ms.grad(lambda t: (t * t).sum())(x()).tolist() == [0, 2, 4, 6]


KINDS = {
    "names": ([str(mstype.number), str(mstype.tensor_type), str(mstype.type_none)], ["Number", "Tensor", "None"]),
    "aliases": ((ms.byte, ms.half, ms.cfloat, ms.uintp), (ms.int8, ms.float16, ms.complex64, ms.uint64)),
    "issubclass_": (
        [mstype.issubclass_(ms.int32, t) for t in (mstype.number, ms.int32, mstype.string)],
        [True, True, False],
    ),
    "families": ([isinstance(ms.int32, t) for t in (ms.Int, mstype.Float, mstype.Type)], [True, False, True]),
    "Python's": (
        [ms.dtype_to_pytype(t) for t in (ms.bool_, ms.uint8, ms.float16, ms.complex64)],
        [bool, int, float, complex],
    ),
    "of objects": (
        [str(ms.get_py_obj_dtype(o)) for o in (1, 1.5, "a", [1], None)],
        ["Int64", "Float64", "String", "List", "None"],
    ),
    "of a Tensor": (str(ms.get_py_obj_dtype(x())), "Tensor[Float32]"),
    "bytes": ([mstype.type_size_in_bytes(t) for t in (ms.int8, ms.bfloat16, ms.complex128)], [1, 2, 16]),
    "levels": ((ms.STRICT, ms.COMPATIBLE, ms.LAX), (0, 1, 2)),
    "quantised": (ms.QuantDtype.INT8 == 7 and ms.QuantDtype.UINT8 == 107, True),
}


@pytest.mark.parametrize("got, want", KINDS.values(), ids=KINDS)
def test_types(got, want):
    assert got == want


CHECKS = {
    "type": (
        TypeError,
        lambda: _checkparam.check_value_type("a", 1.5, [int, str], "Op"),
        "For 'Op', the type of 'a' should be one of '['int', 'str']', but got type 'float'.",
    ),
    "bool": (
        TypeError,
        lambda: _checkparam.check_value_type("a", True, [int], "Op"),
        "For 'Op', the type of 'a' should be 'int', but got type 'bool'.",
    ),
    "positive": (
        ValueError,
        lambda: _checkparam.check_positive_int(0, "k", "Op"),
        "For 'Op', the 'k' must be int and must > 0, but got '0' with type 'int'.",
    ),
    "nameless": (
        ValueError,
        lambda: _checkparam.check_non_negative_int(-1),
        "The input value must be int and must >= 0, but got '-1' with type 'int'.",
    ),
    "range": (
        ValueError,
        lambda: _checkparam.check_int_range(3, 5, 7, _checkparam.INC_LEFT, "k", "Op"),
        "For 'Op', the 'k' must be in range of [5, 7), but got 3",
    ),
    "float": (
        TypeError,
        lambda: _checkparam.check_is_float(1, "k", "Op"),
        "For 'Op', the type of 'k' must be 'float', but got 'int'.",
    ),
    "string": (
        ValueError,
        lambda: _checkparam.check_string("a", ["b"], "k", "Op"),
        "For 'Op', the 'k' must be str and must be in '['b']', but got 'a'.",
    ),
    "subclass": (
        TypeError,
        lambda: _checkparam.check_subclass("x", ms.int32, [ms.float32], "Op"),
        "For 'Op', the element of 'x' must be Float32, but got Int32.",
    ),
}


@pytest.mark.parametrize("error, check, text", CHECKS.values(), ids=CHECKS)
def test_checks_refuse(error, check, text):
    with pytest.raises(error) as raised:
        check()
    assert str(raised.value).startswith(text)


def test_checks_return_the_argument():
    assert _checkparam.check_int(5, 5, _checkparam.GE) == 5 and _checkparam.check_bool(True) is True
    assert _checkparam.check_float_range(5.0, 4.0, 6.0, _checkparam.INC_BOTH) == 5.0


def test_messages_have_levels(capfd, monkeypatch):
    monkeypatch.setenv("GLOG_v", "1")
    log.debug("unseen")
    log.info("seen %d", 5)
    written = capfd.readouterr().err
    assert "[INFO]" in written and "seen 5" in written and "test_doors.py" in written and "unseen" not in written
    assert log.get_level() == "1" and ms.get_log_config()["GLOG_v"] == "1"
    with contextlib.redirect_stderr(io.StringIO()) as redirected:
        log.warning("redirected")
    log.warning("later")
    assert "redirected" in redirected.getvalue() and "later" not in redirected.getvalue()


PROGRAM = """
from mindspore import log as logger
import mindspore._checkparam as validator
from mindspore.common.api import _pynative_executor
from mindspore.common.seed import set_seed, get_seed
from mindspore.ops import auto_generate, functional as F, operations as P
from mindspore.ops._primitive_cache import _get_cache_prim
from mindspore.ops.auto_generate.gen_ops_prim import Add
from mindspore.ops.function.math_func import exp
from mindspore.ops.operations import _inner_ops, nn_ops
from mindspore.ops.operations.array_ops import Concat
from mindspore.nn.layer.basic import Dense
from mindspore.graph.api import ms_function
import mindspore as ms
assert ms_function(lambda a: a + 1)(1) == 2 and ms_function(input_signature=None)(lambda a: a)(1) == 1
assert P.Add is Add is nn_ops.Add and F.exp is exp
from mindspore._c_expression import Tensor as T, TensorPy, get_code_extra
from mindspore.common._pijit_context import PIJitCaptureContext
assert T is TensorPy is ms.Tensor and get_code_extra(print) is None
assert PIJitCaptureContext(fullgraph=True)(lambda x: x * 2)(T([1.0])).tolist() == [2]
assert _get_cache_prim(P.ReduceSum)(True) is _get_cache_prim(P.ReduceSum)(True)
from mindspore._extends import cell_attr_register
from mindspore.common._stub_tensor import StubTensor
from mindspore.communication._comm_helper import _is_initialized
from mindspore.nn import Cell, Conv2d
from mindspore.nn.layer.conv import Conv2d as same, _Conv, _deconv_output_length
class Rows(_Conv):
    def __init__(self):
        super().__init__(2, 4, (3,), (1, 1), "same", 0, (1, 1), 2, True, "ones", None)
        self.conv2d = P.Conv2D(4, (1, 3), pad_mode=self.pad_mode, group=self.group).shard(((1, 1, 1, 1), (1, 1, 1, 1)))
    def construct(self, x):
        return self.conv2d(x, self.weight.expand_dims(2))
assert same is Conv2d and Rows()(ms.ops.ones((1, 2, 1, 3))).tolist() == [[[[2, 3, 2]]] * 4]
assert Rows().bias.shape == (4,) and Rows().conv2d.in_strategy[0] == (1, 1, 1, 1)
assert [_deconv_output_length(i == 0, i == 1, i == 2, 5, 3, 2, 1, 2) for i in range(4)] == [11, 10, 9, 0]
from mindspore.parallel._utils import _is_sharding_propagation
class Net(Cell):
    @cell_attr_register
    def __init__(self, size, name="a"):
        super().__init__()
class Named(Cell):
    @cell_attr_register(attrs="size")
    def __init__(self, size):
        super().__init__()
        self.size = size
assert "3" in Net(3).cell_init_args and "4" in Named(4).cell_init_args
from mindspore._c_expression import security, update_pijit_default_config
from mindspore.amp import _OutputTo32
from mindspore.common.parameter import _is_parameter_generated
assert update_pijit_default_config(print_bb=True) is None and security.enable_security() is False
assert _OutputTo32(Rows().to_float(ms.float16))(ms.ops.ones((1, 2, 1, 3))).dtype == ms.float32
assert _is_parameter_generated(ms.Parameter(T([1.0])).name) and not _is_parameter_generated("w")
assert ms._pynative_executor.requires_grad() is False and ms._pynative_executor.clear_res() is None
seen = []
ms.grad(lambda x: (seen.append(_pynative_executor.requires_grad()), x * x)[1])(T([1.0]))
assert seen == [True]
assert not (isinstance(T([1.0]), StubTensor) or _is_initialized() or _is_sharding_propagation())
from mindspore._c_expression import _empty_instance, _ms_memory_recycle, disable_multi_thread
from mindspore.common._grad_function import _Function
from mindspore.dataset.engine import GraphData, OutputFormat
from mindspore.mindrecord.common.exceptions import PathNotExistsError
from mindspore.profiler.profiler import Profiler
from mindspore.profiler.schedule import ProfilerAction, schedule
assert _empty_instance(2, 3, dtype=ms.int32).shape == (2, 3) and disable_multi_thread() is _ms_memory_recycle() is None
assert ms.profiler.schedule is schedule and schedule(wait=0, active=1)(0) is ProfilerAction.RECORD_AND_SAVE
assert ms._Function is _Function and ms.Profiler is Profiler and ms.dataset.GraphData is GraphData
"""


def test_private_modules():
    script = f"from emberjit import alias; alias.install()\n{PROGRAM}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)


REFUSED = {
    "another device": (ValueError, lambda: x().move_to("Ascend")),
    "a tensor of another device": (ValueError, lambda: ms.tensor([1.0], device="GPU")),
    "offloaded memory": (RuntimeError, lambda: x().offload("file")),
    "a device's address": (RuntimeError, lambda: x().set_device_address(0, (1,), ms.int8)),
    "shards": (RuntimeError, lambda: x().set_param_info(None)),
    "a function's results": (ValueError, lambda: ops.PyFunc(lambda a: a, [], [], [], [])(x())),
    "items to add": (ValueError, lambda: ops.hyper_add((1,), (1, 2))),
    "pinned memory": (RuntimeError, lambda: x().pin_memory()),
    "a set_ of strides": (ValueError, lambda: x().set_(x(), 0, (2,), (2,))),
    "a set_ beyond": (ValueError, lambda: x().set_(x(), 3, (2,))),
    "a set_ of another dtype": (TypeError, lambda: x().set_(Tensor([1]))),
    "storage of another size": (ValueError, lambda: x().storage().copy_(Tensor([1.0]).storage())),
    "a device to set": (RuntimeError, lambda: ms.set_device("GPU")),
    "a device that does not exist": (ValueError, lambda: ms.set_device(None)),
    "a device by number": (TypeError, lambda: ms.set_device(0)),
    "a negative device": (ValueError, lambda: ms.set_device("CPU", -1)),
    "no threads": (ValueError, lambda: ms.device_context.cpu.threads_num(0)),
    "threads": (ValueError, lambda: ms.dispatch_threads_num(0)),
    "determinism": (TypeError, lambda: ms.set_deterministic(1)),
    "a swap": (TypeError, lambda: ms.swap_tensors(x(), 1)),
    "a large int": (RuntimeError, lambda: Tensor(2**64)),
    "a large negative int": (RuntimeError, lambda: Tensor(-(2**63) - 1, ms.int64)),
    "another size of repeated elements": (ValueError, lambda: x().repeat_interleave(2, output_size=7)),
    "a select of int": (TypeError, lambda: x().select(x() > 1, 1)),
    "a select of float": (TypeError, lambda: x().int().select(x() > 1, 1.0)),
    "no where": (TypeError, lambda: x().min(where=None)),
    "a Tensor to start from": (TypeError, lambda: x().max(initial=x())),
    "a mask of another shape": (ValueError, lambda: x()[Tensor([True, False])]),
    "no type": (TypeError, lambda: ms.dtype_to_pytype("a")),
}


@pytest.mark.parametrize("error, call", REFUSED.values(), ids=REFUSED)
def test_refused(error, call):
    with pytest.raises(error):
        call()


def test_the_runtime_counts_memory():
    ms.runtime.reset_peak_memory_stats()
    before = ms.runtime.memory_allocated()
    held = Tensor(np.zeros(1 << 20, np.float32)) + 1
    assert (
        ms.runtime.memory_allocated() >= before + held.nbytes and ms.runtime.max_memory_allocated() >= before + held.nbytes
    )
    assert "peak" in ms.runtime.memory_summary() and ms.runtime.memory_reserved() >= ms.runtime.memory_allocated()


def test_run_check(capsys):
    ms.run_check()
    assert "multiplication calculation is correct" in capsys.readouterr().out


@pytest.mark.breaks
@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])
def test_functions_of_arrays(run):
    double = ops.PyFunc(lambda a, b: (a * 2, b + 1), [], [], [ms.float32, ms.int32], [])
    first, second = run(lambda t: double(t + 1, t))(x())
    assert first.tolist() == [2, 4, 6, 8] and second.dtype == ms.int32 and second.tolist() == [1, 2, 3, 4]


def test_a_function_of_its_modules_name_is_the_function():
    x = Tensor(np.arange(6.0).reshape(2, 3))
    assert ops.vmap(lambda row: row.sum())(x).tolist() == [3, 12]
    assert ms.log.__name__ == "emberjit.log" and ms.nn.cell.Cell is ms.nn.Cell


def test_cells_of_steps_of_the_users():
    base = nn.RNNCellBase(3, 4, False, 2)
    assert [tuple(p.shape) for p in base.get_parameters()] == [(8, 3), (8, 4)] and base.bias_hh is None


def test_a_removed_hook():
    seen = []

    def f(t):
        handle = t.register_hook(seen.append)
        t.remove_hook(handle)
        return (t * t).sum()

    ms.grad(f)(x())
    assert seen == []


def test_buffers_and_swaps():
    assert ms.frombuffer(b"abcd", dtype=ms.uint8, offset=1).tolist() == [98, 99, 100]
    a, b = x(), Tensor([1])
    ms.swap_tensors(a, b)
    assert a.tolist() == [1] and b.tolist() == [0, 1, 2, 3]
