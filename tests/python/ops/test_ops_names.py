"""Names of MindSpore's ops beside the functions: what its graphs are made of, descriptions of ops, kernels in Python, dumps,
and names of other devices."""

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, mint, nn, ops
from emberjit import dtype as mstype
from emberjit.ops import DataType
from emberjit.ops.unavailable import NAMES

RUNS = pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])


def x(*items):
    return Tensor(np.array(items or (1, 2, 3), np.float32))


TYPES = {
    "of a Tensor": (lambda: ops.typeof(x()) == mstype.TensorType(ms.float32), True),
    "of another Tensor": (lambda: ops.typeof(x()) == mstype.TensorType(ms.float16), False),
    "of numbers": (lambda: [ops.typeof(n) for n in (3, 2.5, True)], [ms.int64, ms.float32, ms.bool_]),
    "of others": (lambda: [str(ops.typeof(n)) for n in ("a", None, (1,))], ["String", "None", "Tuple"]),
    "of an element": (
        lambda: (ops.hastype(x(), ms.float32), ops.hastype(x(), ms.int32), ops.hastype(3, ms.int64)),
        (1, 0, 1),
    ),
    "by number": (lambda: [ops.DtypeToEnum()("f", "x", t) for t in (ms.bool_, ms.float32, mstype.string)], [30, 43, 12]),
}
FORMS = {
    "itself": (lambda: ops.identity((1, "a")), (1, "a")),
    "switch": (lambda: ops.switch(False, 1, 2), 2),
    "a layer": (lambda: ops.switch_layer(1, (nn.ReLU(), nn.Sigmoid()))(x(0)).tolist(), [0.5]),
    "zip": (lambda: ops.zip_operation((1, 2), (3, 4)), ((1, 3), (2, 4))),
    "next": (lambda: (ops.ms_next((1, 2, 3)), ops.ms_hasnext((1,)), ops.ms_hasnext(())), ((1, (2, 3)), True, False)),
    "iteration": (lambda: (ops.iter_converter({"a": 1}), ops.iter_converter([1])), (("a",), [1])),
    "a slice": (lambda: ops.SliceGetItem(slice(1, 2, 3), "step"), 3),
    "broadcasting": (
        lambda: [
            ops.broadcast_gradient_args(*s) for s in (((2, 1, 3), (5, 3)), ((3,), (1, 3)), ((1, 3), (1, 3)), ((), (2,)))
        ],
        [((1,), (0,)), ((0,), (0,)), ((), ()), ((0,), ())],
    ),
    "ones": (lambda: [t if isinstance(t, int) else t.tolist() for t in ops._ones_like_for_grad((x(), 2))], [[1, 1, 1], 1]),
    "reshape_": (lambda: ops.reshape_(x(), (3, 1)).shape, (3, 1)),
    "reusing": (lambda: ops.Reusing()(3), 3),
    "operators": (lambda: ops.tensor_operator_registry.get("add") is ops.add, True),
    "a function of Python": (lambda: ops._ms_pyfunc(lambda s: s)(lambda a: a + 1)(3), 4),
    "a sigmoid in place": (lambda: [(ops.inplace_sigmoid(t) is t, t.tolist()) for t in [x(0)]], [(True, [0.5])]),
    "a copy into a view": (
        lambda: [(ops.CopyWithSlice()(t[1:], x(5)).tolist(), t.tolist()) for t in [x()]],
        [([5, 5], [1, 5, 5])],
    ),
    "a part of an axis": (lambda: ops.SelectView()(Tensor([[1, 2], [3, 4]]), 0, 1).tolist(), [1, 3]),
    "the median of nothing": (
        lambda: [(str(m), i.item(), m.shape) for m, i in [ops.Median(True)(x()[:0]), ops.Median(keep_dims=True)(x()[:0])]],
        [("nan", 0, ()), ("[nan]", 0, (1,))],
    ),
    "segments of uint64": (
        lambda: ops.unsorted_segment_min(Tensor([2**63 + 5, 7], ms.uint64), Tensor([0, 0]), 2).tolist(),
        [7, 2**64 - 1],
    ),
    "a device and a name": (lambda: ops.Add().set_device("CPU").set_prim_instance_name("a").instance_name, "a"),
    "normal numbers": (
        lambda: [f(x().half()).dtype for f in (ops.randn_like, ops.rand_like, mint.randn_like)],
        [ms.float32, ms.float16, ms.float16],
    ),
    "a region": (
        lambda: [
            t.tolist()
            for t in ops.SparseSlice()(
                *(Tensor(np.array(n)) for n in ([[0, 1], [1, 2], [1, 3], [2, 2]], [1, 2, 3, 4], [3, 4], [0, 1], [2, 3]))
            )
        ],
        [[[0, 0], [1, 1], [1, 2]], [1, 2, 3], [2, 3]],
    ),
}


@pytest.mark.parametrize("call, want", {**TYPES, **FORMS}.values(), ids={**TYPES, **FORMS})
def test_forms(call, want):
    assert call() == want


@RUNS
def test_forms_in_functions(run):
    one = run(lambda t, n: ops.switch(t.sum() > n, t, t + 1) if ops.typeof(n) == ms.int64 else t)
    assert one(x(), 5).tolist() == [1, 2, 3] and one(x(), 6).tolist() == [2, 3, 4]
    assert run(lambda t: ops.DataFormatVecPermute("NCHW", "NHWC")(t))(Tensor([1, 2, 3, 4])).tolist() == [1, 3, 4, 2]


def test_environments_do_not_change():
    p, q = Parameter(x(), "p"), Parameter(x(), "q")
    empty = ops.environ_create()
    one = ops.environ_set(empty, ops.ref_to_embed(p), x(5))
    assert ops.env_get(empty, p).tolist() == [0, 0, 0] and ops.env_get(one, p).tolist() == [5]
    both = ops.environ_add(one, ops.environ_set(one, ops.embed(q), x(7)))
    assert [ops.environ_get(both, key, None).tolist() for key in (p, q)] == [[10], [7]]


def test_flags():
    def f(t):
        return t

    assert ops.add_flags(f, a=True) is f and ops.add_flags(b=1)(f) is f
    assert f._func_graph_flags == {"a": True, "b": 1}
    assert ops.add_flags(nn.ReLU(), mine=3).mine == 3


@RUNS
def test_a_stopped_gradient(run):
    def f(t):
        first, second = t * 2, t * 3
        ops.stop_gradient_(second)
        return (first + second).sum()

    assert run(ms.grad(f))(x()).tolist() == [2, 2, 2]


class Square(ops.PrimitiveWithCheck):
    @ops.prim_arg_register
    def __init__(self, rank=1):
        pass

    def check_shape(self, shape):
        if len(shape) != self.rank:
            raise ValueError("another rank")

    def infer_value(self, value):
        return None if value is None else value * value


def test_a_primitive_that_checks():
    assert Square()(x()).tolist() == [1, 4, 9] and Square(0)(3) == 9
    with pytest.raises(ValueError, match="another rank"):
        Square(2)(x())


def test_implementations_are_registered():
    @ops.vm_impl_registry.register("Mine")
    def made(prim):
        return lambda a: a + 1

    assert ops.get_vm_impl_fn("Mine")(1) == 2 and ops.get_vm_impl_fn(ops.Add()) is None


def test_descriptions():
    described = (
        ops.CustomRegOp()
        .input(0, "x", "dynamic")
        .output(0, "y")
        .attr("a", "required", "int", "3")
        .dtype_format(DataType.F32_Default, DataType.I8_None)
        .target("CPU")
        .get_op_info()
    )
    assert described == {
        "op_name": "Custom",
        "inputs": [{"index": 0, "name": "x", "paramType": "dynamic"}],
        "outputs": [{"index": 0, "name": "y", "paramType": "required"}],
        "attr": [{"name": "a", "paramType": "required", "type": "int", "defaultValue": "3"}],
        "fusion_type": "",
        "dtype_format": [(("float32", "DefaultFormat"), ("int8", ""))],
        "target": "CPU",
    }
    tensor_engine = ops.TBERegOp("Op").kernel_name("k").dynamic_shape(True).input(0, "x", None, "required", None)
    found = tensor_engine.get_op_info()
    assert (found["kernel"], found["dynamicShapeSupport"], found["inputs"][0]) == (
        "k",
        True,
        {"index": 0, "name": "x", "paramType": "required"},
    )
    assert [
        cls("X").get_op_info()["imply_type"] for cls in (ops.CpuRegOp, ops.AiCPURegOp, ops.AkgAscendRegOp, ops.AkgGpuRegOp)
    ] == ["CPU", "AiCPU", "AKG", "AKG"]

    @ops.custom_info_register(described)
    def f(a):
        return a + 1

    assert f(1) == 2 and f.reg_info == (described,)
    assert ops.op_info_register(described)(f)(1) == 2
    assert ops.Custom(f)(x()).tolist() == [2, 3, 4]


@ops.kernel
def product(a, b):
    c = output_tensor((a.shape[0], b.shape[1]), a.dtype)  # noqa: F821
    with block_realize(c):  # noqa: F821
        for i, j in grid(c.shape):  # noqa: F821
            for k in reduce(a.shape[1]):  # noqa: F821
                c[i, j] = c[i, j] + a[i, k] * b[k, j]
    return c


def test_kernels():
    a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 2), np.float32)
    np.testing.assert_array_equal(product(a, b), a @ b)
    np.testing.assert_array_equal(ops.Custom(product)(Tensor(a), Tensor(b)).asnumpy(), a @ b)
    assert ops.kernel(reg_info="{}")(lambda a: a).reg_info == ("{}",)


def test_dumps(tmp_path):
    ops.tensordump(f"{tmp_path}/a", x())
    ops.TensorDump("in")(f"{tmp_path}/b.npy", x().bfloat16())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a_float32_0.npy", "b_in_bfloat16_0.npy"]
    np.testing.assert_array_equal(np.load(tmp_path / "b_in_bfloat16_0.npy"), [1, 2, 3])
    ms.grad(lambda t: (ops.DumpGradient()(f"{tmp_path}/g.npy", t, "out") * 2).sum())(x())
    np.testing.assert_array_equal(np.load(tmp_path / "g.npy"), [2, 2, 2])


def test_caches_of_blocks():
    key, value = (Tensor(np.full((2, 1, 2), n, np.float32)) for n in (1, 2))
    caches = [Parameter(Tensor(np.zeros((2, 2, 1, 2), np.float32)), name) for name in "kv"]
    assert ops.ReshapeAndCache()(key, value, *caches, Tensor([3, -1])) is key
    assert [c.asnumpy().ravel().tolist() for c in caches] == [[0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 2, 2]]


def test_experts_and_back():
    tokens, experts = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2)), Tensor([[2, 0], [1, 0], [0, 2]])
    there, places = ops.moe_token_permute(tokens, experts)
    back = ops.moe_token_unpermute(there, places, Tensor(np.full((3, 2), 0.5, np.float32)))
    np.testing.assert_array_equal(back.asnumpy(), tokens.asnumpy())


def test_a_logarithm_of_a_matrix_without_eigenvectors():
    x = Tensor(np.array([[1, 1], [0, 1]], np.complex64))
    np.testing.assert_allclose(ops.MatrixLogarithm()(x).asnumpy(), [[0, 1], [0, 0]], atol=1e-6)
    with pytest.raises(TypeError, match="must be of complex64 or complex128"):
        ops.MatrixLogarithm()(x.real())


def test_numbers_of_all_bits():
    ms.set_seed(1)
    for kind in (ms.int32, ms.int64, ms.uint32, ms.uint64):
        found = ops.NonDeterministicInts(kind)(Tensor([50, 40])).asnumpy()
        for bit in range(found.itemsize * 8):
            assert 0.4 < ((found >> np.array(bit, found.dtype)) & np.array(1, found.dtype)).mean() < 0.6


@RUNS
def test_crops_show_enough_of_a_box(run):
    boxes, size = np.array([[[0.38, 0.17, 0.95, 0.40]]], np.float32), np.array([64, 48, 3])
    for seed in range(1, 9):
        crop = ops.SampleDistortedBoundingBoxV2(seed, 1, (0.9, 1.1), (0.1, 1.0))
        begin, extent, box = run(crop)(Tensor(size), Tensor(boxes), Tensor([0.8]))
        (y, x, z), (height, width, all_) = begin.tolist(), extent.tolist()
        assert (z, all_, begin.dtype) == (0, -1, ms.int64) and 0 <= y <= 64 - height and 0 <= x <= 48 - width
        np.testing.assert_allclose(box.asnumpy().ravel(), [y / 64, x / 48, (y + height) / 64, (x + width) / 48], rtol=1e-6)
        (y0, x0, y1, x1), (t, s, b, r) = box.asnumpy().ravel(), boxes.ravel()
        shown = max(min(y1, b) - max(y0, t), 0) * max(min(x1, r) - max(x0, s), 0) / ((b - t) * (r - s))
        assert shown >= 0.8 and height * width / (64 * 48) >= 0.1 and 0.8 < width / height < 1.2
    whole = ops.SampleDistortedBoundingBoxV2(1, 1, (50.0, 51.0))(Tensor(size), Tensor(boxes), Tensor([0.8]))
    assert [one.tolist() for one in whole] == [[0, 0, 0], [64, 48, -1], [[[0, 0, 1, 1]]]]


def test_ftrl_with_shrinkage():
    rows = [np.array([[1.0, 2.0], [3.0, 4.0]], np.float32) for _ in range(3)]
    plain, shrunk = ([Parameter(Tensor(r), "p") for r in rows] for _ in range(2))
    indices, grad = Tensor([1]), Tensor(np.array([[0.5, -0.5]], np.float32))
    ops.SparseApplyFtrl(0.1, 0.0, 0.0, -0.5)(*plain, grad, indices)
    ops.SparseApplyFtrlV2(0.1, 0.0, 0.0, 0.25, -0.5)(*shrunk, grad, indices)
    np.testing.assert_allclose((shrunk[2] - plain[2]).asnumpy(), [[0, 0], [1.5, 2.0]], rtol=1e-6)
    np.testing.assert_array_equal(shrunk[1].asnumpy(), plain[1].asnumpy())


@pytest.mark.parametrize("name", NAMES)
def test_names_of_other_devices(name):
    made = getattr(ops, name)
    assert made.__name__ == name and made.__doc__
    with pytest.raises(NotImplementedError, match=f"emberjit has no 'ops.{name}': it "):
        made(1, mode=2)


PROCESSES = {
    "receive": (RuntimeError, lambda: ops.Receive(0, 0, [2], ms.float32)()),
    "batch": (RuntimeError, lambda: ops.BatchISendIRecv(["isend"], [0])((x(),))),
    "neighbours": (RuntimeError, lambda: ops.NeighborExchange([0], [0], ([2],), ([2],), ms.float32)((x(),))),
    "operations": (RuntimeError, lambda: mint.distributed.batch_isend_irecv([ops.P2POp("isend", x(), 0)])),
    "an operation": (TypeError, lambda: ops.P2POp("send", x(), 0)),
    "objects": (RuntimeError, lambda: ops.send_object_list([1], 1)),
    "objects of another": (RuntimeError, lambda: ops.recv_object_list([1])),
    "counts": (ValueError, lambda: ops.AllGatherV()(x(), [2])),
    "not in place": (ValueError, lambda: ops.set_comm_ops_inplace(False)),
}
REFUSED = {
    "a description's name": (ValueError, lambda: ops.CustomRegOp(3)),
    "an index": (TypeError, lambda: ops.CpuRegOp("X").input("a", "x")),
    "too many": (TypeError, lambda: ops.AkgGpuRegOp("X").input(0, "x", "y")),
    "formats": (ValueError, lambda: ops.CustomRegOp().dtype_format(DataType.F32_Default)),
    "a format": (AttributeError, lambda: DataType.F32_ABC),
    "no name": (TypeError, lambda: ops.TBERegOp("X").kernel_name()),
    "a description": (TypeError, lambda: ops.custom_info_register(3)),
    "a kernel": (TypeError, lambda: ops.kernel(3)),
    "no dtype": (TypeError, lambda: ops.DtypeToEnum()("f", "x", 3)),
    "no part": (ValueError, lambda: ops.SliceGetItem(slice(1), "end")),
    "shapes": (RuntimeError, lambda: ops.broadcast_gradient_args((2, 3), (2, 4))),
    "no function": (TypeError, lambda: ops.add_flags(3, a=1)),
    "NaN": (RuntimeError, lambda: ops.CheckNumerics()(x(float("nan")))),
    "infinity": (RuntimeError, lambda: ops.CheckNumerics()(x(float("inf")))),
    "no floats": (TypeError, lambda: ops.CheckNumerics()(Tensor([1]))),
    "bits": (ValueError, lambda: ops.CompareAndBitpack()(x(), Tensor(1.0))),
    "a vector": (ValueError, lambda: ops.DataFormatVecPermute()(Tensor([1, 2]))),
    "no size": (ValueError, lambda: ops.NonDeterministicInts()(Tensor([0, 3]))),
    "floats": (TypeError, lambda: ops.NonDeterministicInts(ms.float32)(Tensor([2]))),
    "padded tokens": (ValueError, lambda: ops.moe_token_permute(Tensor([[1.0]]), Tensor([0]), None, True)),
    "a device": (ValueError, lambda: ops.Add().set_device("GPU")),
    "squares of two dtypes": (TypeError, lambda: ops.SquareSumAll()(x(), x().half())),
    "squares of two shapes": (ValueError, lambda: ops.SquareSumAll()(x(), x(1))),
    "no boxes": (
        ValueError,
        lambda: ops.SampleDistortedBoundingBoxV2()(Tensor([64, 48, 3]), Tensor(np.zeros((1, 0, 4), np.float32)), x(1)),
    ),
    "a range": (
        ValueError,
        lambda: ops.SampleDistortedBoundingBoxV2(area_range=(0.5, 0.1))(Tensor([64, 48, 3]), x(1), x(1)),
    ),
    "a mode": (ValueError, lambda: ops.tensordump("a", x(), "all")),
}


@pytest.mark.parametrize("error, call", {**PROCESSES, **REFUSED}.values(), ids={**PROCESSES, **REFUSED})
def test_refused(error, call):
    with pytest.raises(error):
        call()
