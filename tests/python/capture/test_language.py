"""What MindSpore's graph language adds to Python: jit_class, constexpr, functions chosen by types, loops as operations,
partial functions, limits of recursion. Texts of errors are MindSpore's."""

from __future__ import annotations

import functools
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from values import array

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops


def listed(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(listed(item) for item in value)
    if isinstance(value, dict):
        return {key: listed(item) for key, item in value.items()}
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


X = array(1, 2)


# jit_class -------------------------------------------------------------------------------------------------------------


@ms.jit_class
class Scaled:
    offset = Tensor(np.float32(3))

    def __init__(self, factor: Any):
        self.factor = factor

    def __call__(self, x: Any) -> Any:
        return x * self.factor + self.offset

    def twice(self, x: Any) -> Any:
        return self(self(x)) if x.sum() > 0 else x

    @staticmethod
    def negated(x: Any) -> Any:
        return -x

    @property
    def half(self) -> Any:
        return self.factor / 2


@ms.jit_class
class Outer:
    def __init__(self) -> None:
        self.inner = Scaled(4)


OUTER = Outer()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: Scaled(2)(x),
        lambda x: Scaled.offset + x,
        lambda x: OUTER.inner(x) + OUTER.inner.factor,
        lambda x: OUTER.inner.twice(x),
        lambda x: Scaled.negated(x) * OUTER.inner.half,
        lambda x: Scaled(x)(x),
    ],
)
def test_instances_of_a_jit_class_serve_graphs(function):
    for x in (X, -X):
        assert listed(ms.jit(function)(x)) == listed(function(x))


def test_a_jit_class_in_a_cell_follows_its_attributes():
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scaled = Scaled(2)

        @ms.jit
        def construct(self, x):
            return self.scaled(x)

    net = Net()
    assert listed(net(X)) == [5, 7]
    net.scaled.factor = 3
    assert listed(net(X)) == [6, 9]


@ms.jit_class
class NoCall:
    pass


NO_CALL = NoCall()


@pytest.mark.parametrize("function", [lambda x: NoCall()(x), lambda x: NO_CALL(x)])
def test_an_instance_without_call_is_named(function):
    with pytest.raises(ValueError, match=r"'NoCall' has no __call__ function, please check the code\."):
        ms.jit(function)(X)


def test_jit_class_takes_the_users_classes():
    with pytest.raises(TypeError, match=r"is used for user-defined classes and cannot be used for nn\.Cell: <class"):
        ms.jit_class(nn.Dense)
    with pytest.raises(TypeError, match=r"Decorator jit_class can only be used for class type, but got 3\."):
        ms.jit_class(3)


# constexpr -------------------------------------------------------------------------------------------------------------


def test_constexpr_computes_when_captured():
    runs = []

    @ms.constexpr
    def ones(n, start=0):
        runs.append(n)
        return [start + 1] * n

    @ms.jit
    def function(x, n):
        return ops.broadcast_to(x.sum(), tuple(ones(n, start=1)))

    assert [function(X, 2).shape, function(X, 2).shape, function(X, 3).shape] == [(2, 2), (2, 2), (2, 2, 2)]
    assert runs == [2, 3]
    assert ones(1) == [1]


def test_constexpr_sees_no_elements_of_the_graphs_tensors():
    sizes = ms.constexpr(lambda x: x.shape, name="sizes")
    quiet = ms.constexpr(lambda x: (x.ndim, x.dtype), check=False)
    jitted = ms.jit(lambda x: (sizes(x), quiet(x)))
    for shape in ((2,), (3, 4)):
        with pytest.warns(UserWarning, match='"sizes" is a constexpr function. The input arguments must be all constant'):
            assert jitted(Tensor(np.ones(shape, np.float32))) == (shape, (len(shape), ms.float32))
    total = ms.constexpr(lambda x: x.asnumpy().sum(), check=False)
    with pytest.raises(ms.CaptureError, match="still being captured into a graph"):
        ms.jit(lambda x: total(x), fullgraph=True)(X)


def test_constexpr_reads_the_elements_of_a_tensor_from_outside():
    count = Tensor(np.array([2], np.int32))
    total = ms.constexpr(lambda t: int(t.asnumpy().sum()))
    jitted = ms.jit(lambda x: x * total(count))
    assert listed(jitted(X)) == [2, 4]
    count[0] = 5
    assert listed(jitted(X)) == [5, 10]


def test_constexpr_makes_a_primitive():
    made = ms.constexpr(lambda n: n + 1, name="successor")
    assert isinstance(made, ops.Primitive) and made.name == "successor"
    assert ms.constexpr(get_instance=False)(lambda n: n + 1)()(1) == 2


# Functions chosen by types ---------------------------------------------------------------------------------------------


kind = ops.MultitypeFuncGraph("kind")
for names in (
    ("Bool",),
    ("Int",),
    ("Float",),
    ("Tensor[Float32]",),
    ("Tensor",),
    ("Tuple",),
    ("List",),
    ("Dictionary",),
    ("None",),
    ("String",),
    ("Function",),
    ("RowTensor",),
    ("COOTensor",),
    ("CSRTensor",),
    ("Complex",),
    ("Number", "Tensor"),
    (ms.int64, ms.float64),
):
    kind.register(*names)(lambda *args, names=names: names)

KINDS = [
    ((True,), ("Bool",)),
    ((2,), ("Int",)),
    ((2.5,), ("Float",)),
    ((X,), ("Tensor[Float32]",)),
    ((Tensor([1]),), ("Tensor",)),
    (((1,),), ("Tuple",)),
    (([1],), ("List",)),
    (({"a": 1},), ("Dictionary",)),
    ((None,), ("None",)),
    (("a",), ("String",)),
    ((test_constexpr_makes_a_primitive,), ("Function",)),
    ((nn.ReLU(),), ("Function",)),
    ((ops.ReLU(),), ("Function",)),
    ((ms.RowTensor(Tensor([0]), Tensor([[1.0]]), (1, 1)),), ("RowTensor",)),
    ((Tensor([[1.0]]).to_coo(),), ("COOTensor",)),
    ((Tensor([[1.0]]).to_csr(),), ("CSRTensor",)),
    ((1j,), ("Complex",)),
    ((3, X), ("Number", "Tensor")),
    ((True, X), ("Number", "Tensor")),
    ((3, 2.5), (ms.int64, ms.float64)),
]


@pytest.mark.parametrize("args, want", KINDS)
def test_the_first_function_that_fits_is_called(args, want):
    assert kind(*args) == want

    @ms.jit
    def function(x):
        return kind(*args)

    assert function(X) == want


def test_numbers_of_the_graph_have_types():
    @ms.jit
    def function(a, b, c):
        return kind(a), kind(b), kind(c), kind(a * 2), kind(a / 2), kind(a > 1)

    assert function(2, 2.5, True) == (("Int",), ("Float",), ("Bool",), ("Int",), ("Float",), ("Bool",))


def test_no_function_fits():
    choose = ops.MultitypeFuncGraph("choose")
    choose.register("Number", "None")(max)
    choose.register("Tensor", "Tuple")(min)
    message = (
        r"For 'MultitypeFuncGraph', cannot find fn match given args. Got \(sigs, fn\): \[\(\(mindspore.number, "
        r"mindspore.type_none\), <built-in function max>\), \(\(mindspore.tensor, mindspore.tuple_\), <built-in function "
        r"min>\)\], and \(dtype, args\): \(mindspore.tensor\[float32\], mindspore.string_\)."
    )
    with pytest.raises(ValueError, match=message):
        choose(X, "a")
    with pytest.raises(ValueError, match=message):
        ms.jit(lambda x: choose(x, "a"))(X)
    with pytest.raises(TypeError, match=r"the input can not be numpy\.ndarray"):
        choose(np.ones(1), 2)
    with pytest.raises(NotImplementedError, match="The python type <class 'bytes'> cannot be converted"):
        choose(b"a", 2)


def test_names_of_types_exist():
    choose, row = ops.MultitypeFuncGraph("choose"), ms.RowTensor(ms.Tensor([0], ms.int32), ops.ones((1, 2)), (2, 2))
    choose.register("Tensor")(lambda value: value.shape)
    choose.register("RowTensor")(lambda value: value.dense_shape)
    assert choose(row) == (2, 2)
    with pytest.raises(RuntimeError, match="Unsupported type name: Foo!"):
        ops.MultitypeFuncGraph("f").register("Foo")(abs)
    with pytest.raises(TypeError, match="register only support str or"):
        ops.MultitypeFuncGraph("f").register(3)(abs)


def test_a_function_registered_later_is_seen():
    choose = ops.MultitypeFuncGraph("choose")
    choose.register("Tensor")(lambda x: x + 1)
    choose.register("Number")(lambda x: x + 2)
    jitted = ms.jit(lambda x: choose(x) if isinstance(x, Tensor) else x)
    assert listed(jitted(X)) == [2, 3]
    choose.entries.clear()
    choose.register("Tensor")(lambda x: x * 5)
    assert listed(jitted(X)) == [5, 10]


add = ops.MultitypeFuncGraph("add")


@add.register("Tensor", "Tensor")
def add_tensors(x, y):
    if x.sum() > 0:
        return x + y
    return x - y


@add.register("Number", "Number")
def add_numbers(x, y):
    return x + y


MAPPED = [
    (ops.HyperMap(add), ((X, X), (-X, X))),
    (ops.HyperMap(add), (((X, (X, 1)), (2, X)), ((-X, (-X, 2)), (3, X)))),
    (ops.Map(add), ((X, -X), (-X, X))),
    (ops.HyperMap(add, reverse=True), ((1, 2), (3, 4))),
]


@pytest.mark.parametrize("mapper, args", MAPPED)
def test_functions_are_mapped(mapper, args):
    assert listed(mapper(*args)) == listed(ms.jit(lambda *a: mapper(*a))(*args))


def test_a_map_may_get_its_function_first():
    assert ops.Map()(add, (1, 2), (3, 4)) == (4, 6)
    assert ops.HyperMap()(add, [[1], 2], [[3], 4]) == ((4,), 6)
    assert ops.HyperMap()(lambda x: x + 1, (1, 2)) == (2, 3)


def test_sequences_in_graphs_keep_their_types():
    mapper = ops.HyperMap()
    jitted = ms.jit(lambda *args: mapper(add, *args), fullgraph=True)
    assert listed(jitted([X, (X,)], [X, (X,)])) == [[2, 4], ([2, 4],)]
    assert listed(jitted({"a": X}, {"a": X})) == {"a": [2, 4]}


@pytest.mark.parametrize("fullgraph", [False, True])
@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_sequences_that_differ_are_an_error_in_graphs(mode, fullgraph):
    def jitted(mapper):
        return ms.jit(lambda *args: mapper(add, *args), fullgraph=fullgraph, capture_mode=mode)

    lengths = "The tuples in HyperMap should have the same length. \nThe length of the first element in HyperMap is 2, but"
    with pytest.raises(RuntimeError, match=lengths):
        jitted(ops.HyperMap())((X, X), (X,))
    with pytest.raises(RuntimeError, match=lengths):
        jitted(ops.HyperMap())((X, (X, X)), (X, (X,)))
    with pytest.raises(RuntimeError, match="In a nonleaf situation, the types of arguments in HyperMap must be consistent"):
        jitted(ops.HyperMap())((X, X), [X, X])
    with pytest.raises(RuntimeError, match="For 'Map', the length of lists must be the same"):
        jitted(ops.Map())([X, X], [X])


def test_a_mapped_function_writes_parameters():
    step = ops.MultitypeFuncGraph("step")
    step.register("Tensor", "Tensor")(lambda p, g: ops.assign_sub(p, g * 0.5))
    weights = ms.ParameterTuple([Parameter(array(1, 2), name="a"), Parameter(array(3), name="b")])
    mapper = ops.HyperMap()
    ms.jit(lambda gradients: mapper(step, weights, gradients))((array(2, 2), array(4)))
    assert listed(tuple(weights)) == ([0, 1], [1])


# Loops -----------------------------------------------------------------------------------------------------------------


def double(x):
    return x * 2


def grow(i, x):
    return x * 2 + i if x.sum() < 50 else x + i


LOOPS = [
    lambda x: ops.WhileLoop()(lambda v: v.sum() < 100, double, x),
    lambda x: ops.WhileLoop()(lambda v: v < 100, lambda v: v + 1, 10),
    lambda x: ops.WhileLoop()(lambda v: v[1].sum() < 9, lambda v: (v[0] + 1, v[1] + v[0]), (x, x)),
    lambda x: ops.ForiLoop()(0, 4, grow, x),
    lambda x: ops.ForiLoop()(0, 4, grow, x, False),
    lambda x: ops.ForiLoop()(0, x.argmax() + 3, grow, x),
    lambda x: ops.ForiLoop()(3, 3, grow, x, unroll=False),
    lambda x: ops.Scan()(lambda c, e: (c + e, c * e), x, [x, x + 1, x + 2]),
    lambda x: ops.Scan()(lambda c, e: (c + e, c * e), x, (x, x + 1), unroll=False),
    lambda x: ops.Scan()(lambda c, e: (c + 1, c), x, None, 3),
    lambda x: ops.Scan()(lambda c, e: (c + 1, c), x, []),
]


@pytest.mark.parametrize("function", LOOPS)
def test_loops_over_functions(function):
    jitted = ms.jit(function)
    for x in (X, X + 1, array(5, 7)):
        assert listed(jitted(x)) == listed(function(x))


def test_a_loop_that_is_not_unrolled_is_one_node(tmp_path):
    def nodes(trips: int, unroll: bool) -> int:
        jitted = ms.jit(lambda x: ops.ForiLoop()(0, trips, lambda i, v: ops.tanh(v) + i, x, unroll))
        jitted(X)
        written = max(tmp_path.glob("*.ir"))
        return written.read_text().count(" = ")

    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    try:
        assert nodes(3, False) == nodes(30, False) < nodes(30, True)
    finally:
        ms.set_context(save_graphs=False, save_graphs_path=".")


@pytest.mark.parametrize(
    "call, error, message",
    [
        (
            lambda: ops.WhileLoop()(3, double, 1),
            TypeError,
            "the type of 'cond_func' should be one of '['function', 'method']'",
        ),
        (
            lambda: ops.WhileLoop()(double, 3, 1),
            TypeError,
            "the type of 'loop_func' should be one of '['function', 'method']'",
        ),
        (
            lambda: ops.ForiLoop()(1.5, 4, grow, X),
            TypeError,
            "'lower' should be one of '['int', 'Tensor']', but got type 'float'",
        ),
        (
            lambda: ops.ForiLoop()(0, True, grow, X),
            TypeError,
            "'upper' should be one of '['int', 'Tensor']', but got type 'bool'",
        ),
        (lambda: ops.Scan()(double, X, 3), TypeError, "'xs' should be one of '['list', 'tuple']', but got type 'int'"),
        (lambda: ops.Scan()(double, X, None), TypeError, "'length' should be one of '['int']', but got type 'NoneType'"),
        (lambda: ops.ForiLoop()(0, 4, double, X), ValueError, "Invalid loop_func, please check input arguments and return"),
        (
            lambda: ops.Scan()(lambda c, e: (c,), X, [X]),
            ValueError,
            "Invalid loop_func, please check input arguments and return",
        ),
    ],
)
def test_what_loops_refuse(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


def test_a_loop_keeps_the_shape_of_its_value():
    jitted = ms.jit(lambda x: ops.WhileLoop()(lambda v: v.sum() < 100, lambda v: ops.concat([v, v]), x), fullgraph=True)
    with pytest.raises(ms.CaptureError, match="keep shape and dtype"):
        jitted(X)


# Partial functions, Morph ----------------------------------------------------------------------------------------------


def decided(a, b, c=1):
    return a * 2 + b * c if a.sum() > 0 else b


PARTIALS = [
    lambda x: ops.Partial()(decided, x)(x + 1),
    lambda x: functools.partial(decided, x, c=5)(x + 1),
    lambda x: functools.partial(functools.partial(decided, x), c=5)(b=x, c=7),
    lambda x: ops.Partial()(nn.ReLU(), x)(),
]


@pytest.mark.parametrize("function", PARTIALS)
def test_partial_functions_are_followed(function):
    for x in (X, -X):
        assert listed(ms.jit(function)(x)) == listed(function(x))


def test_partial_takes_a_function():
    with pytest.raises(AttributeError, match="'int' object has no attribute '__call__'"):
        ops.Partial()(3, 1)


def test_a_morph_is_expanded():
    morph = ops.Morph(decided, None, None)
    assert listed(ms.jit(lambda x: morph(x, x))(X)) == [3, 6]
    assert listed(ms.jit(lambda x: ms.grad(lambda y: morph(y, x))(x))(X)) == [2, 2]
    with pytest.raises(RuntimeError, match=r"Morph is only supported in GRAPH_MODE\."):
        morph(X, X)


def test_a_morph_takes_keywords():
    morph, own = ops.Morph(decided, None, None), ops.Morph(lambda a, b: a * b, None, None, seven_times)
    for call in (lambda x: morph(x, b=x, c=3), lambda x: morph(c=3, b=x, a=x)):
        assert listed(ms.jit(call)(X)) == [5, 10]
        assert listed(ms.jit(ms.grad(call))(X)) == [5, 5]
    for call in (lambda x, y: own(x, b=y), lambda x, y: own(b=y, a=x)):
        assert listed(ms.jit(call)(X, X + 1)) == [2, 6]
        assert listed(ms.jit(lambda x, call=call: ms.grad(call, (0, 1))(x, x + 1))(X)) == ([7, 7], [2, 6])
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        ms.jit(lambda x: own(x, z=x), fullgraph=True)(X)


def seven_times(a, b, out, dout):
    return dout * 7, dout * out


def test_a_morph_with_a_gradient_of_its_own():
    morph = ops.Morph(lambda a, b: a * b, None, None, seven_times)
    assert listed(ms.jit(lambda x: morph(x, x))(X)) == [1, 4]
    assert listed(ms.jit(lambda x: ms.grad(morph, (0, 1))(x, x + 1))(X)) == ([7, 7], [2, 6])
    with pytest.raises(ValueError, match="but got param 'b' of kind 'POSITIONAL_OR_KEYWORD' with default value '1'"):
        ops.Morph(lambda a, b=1: a, None, None, seven_times)


# mutable, recursion ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["a", None, (1, "a"), [{"a": [None]}]])
def test_mutable_takes_values(value):
    with pytest.raises(TypeError, match=r"For 'mutable', the 'input_data' should be one of .*complex"):
        ms.mutable(value)


def test_mutable_refuses_what_contains_itself():
    items: list[Any] = [1]
    items.append(items)
    with pytest.raises(TypeError, match="no self-reference"):
        ms.mutable(items)
    twice = [1]
    assert ms.mutable([twice, twice]) == [[1], [1]]


def test_mutable_with_dynamic_length():
    jitted = ms.jit(lambda items: sum(items[1:], items[0]))
    for n in (1, 3, 2):
        assert listed(jitted(ms.mutable([X] * n, dynamic_len=True))) == [n, 2 * n]
    with pytest.raises(TypeError, match="the first input should be list or tuple, but got: int"):
        ms.mutable(1, True)
    with pytest.raises(TypeError, match="the second input should be bool, but got: int"):
        ms.mutable((1,), 1)


def descend(x, n):
    return x if n == 0 else descend(x + 1, n - 1)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_recursion_has_a_limit(mode):
    assert listed(ms.jit(lambda x: descend(x, 900), capture_mode=mode)(X)) == [901, 902]
    ms.set_recursion_limit(50)
    try:
        with pytest.raises(RuntimeError, match=r"Exceed function call depth limit 50, \(function call depth: 51\)"):
            ms.jit(lambda x: descend(x, 60), capture_mode=mode, fullgraph=True)(X)
    finally:
        ms.set_recursion_limit(1000)


@pytest.mark.parametrize(
    "limit, error", [(0, ValueError), (-1, ValueError), ("a", TypeError), (1.5, TypeError), (True, TypeError)]
)
def test_recursion_limits_are_positive(limit, error):
    with pytest.raises(error, match="The input value must be int"):
        ms.set_recursion_limit(limit)


# Where the names are ---------------------------------------------------------------------------------------------------

PLACES = """
import emberjit, emberjit.alias
emberjit.alias.install()
from mindspore import JitConfig, constexpr, jit, jit_class, lazy_inline, mutable, no_inline, set_recursion_limit
from mindspore.common import JitConfig, jit, jit_class, lazy_inline, mutable, no_inline, set_recursion_limit
from mindspore.common.api import JitConfig, jit, jit_class, mutable, set_recursion_limit
from mindspore.common.jit_config import JitConfig
from mindspore.common import dtype, float32, int_
from mindspore.graph import lazy_inline, mutable, no_inline
from mindspore.graph.api import JitConfig, jit, jit_class, mutable, set_recursion_limit
from mindspore.ops import HyperMap, Map, Morph, MultitypeFuncGraph, Partial, Scan, constexpr, partial
from mindspore.ops.composite import HyperMap, Map, MultitypeFuncGraph
from mindspore.ops.composite.base import HyperMap, Map, MultitypeFuncGraph
from mindspore.ops.functional import depend, partial
from mindspore.ops.operations import Depend, ForiLoop, NPUAllocFloatStatus, NPUClearFloatStatus, WhileLoop
from mindspore.ops.primitive import Primitive, PrimitiveWithInfer, constexpr
from mindspore.ops.auto_generate import add_ext, bmm_ext, one_hot_ext
from mindspore.nn.optim.optimizer import Optimizer
from mindspore.nn.wrap.cell_wrapper import TrainOneStepCell
from mindspore.boost.grad_accumulation import GradientAccumulation, gradient_accumulation_op
from mindspore.nn.layer.rnn_cells import RNNCellBase
from mindspore import __version__, version
from mindspore.numpy.math_ops import add
from mindspore._extends.parse.standard_method import reshape, tensor_bool
assert reshape(emberjit.Tensor([1, 2]), (2, 1)).shape == (2, 1) and tensor_bool(emberjit.Tensor([1.0])) is True
assert add_ext(emberjit.Tensor([1]), emberjit.Tensor([2]), 3).tolist() == [7]
assert jit is emberjit.jit and callable(mutable) and constexpr is emberjit.constexpr
assert partial(max, 2)(1) == 2
assert __version__ == version.__version__ == "2.10.0"
"""


def test_names_are_where_mindspore_has_them():
    subprocess.run([sys.executable, "-c", PLACES], check=True)


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_an_argument_that_is_returned_is_the_same_object(mode: str) -> None:
    def function(x, pair):
        y = x
        x[0] = 2
        return y, {"second": pair[1]}, pair[0] * 2, pair[0]

    jitted = ms.jit(function, capture_mode=mode, fullgraph=mode != "trace")
    for _ in range(3):
        x, a, b = (Tensor(np.array([v], np.float32)) for v in (1, 2, 3))
        first, rest, double, last = jitted(x, (a, b))
        assert first is x and rest["second"] is b and last is a and listed(x) == [2] and listed(double) == [4]
    jitted = ms.jit(lambda x: (x, x * 2), capture_mode=mode)
    gradient = ms.grad(lambda x: (jitted(x)[0] * jitted(x)[1]).sum())
    assert listed(gradient(X)) == listed(X * 4)
