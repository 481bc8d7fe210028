"""Declarations of public names (emberjit/publish): each has documentation, a signature, samples and a reference;
compositions give it eagerly, as graphs, jitted, and under gradients and vmap; calls are matched with overloads by names and
types."""

from __future__ import annotations

import inspect
import math
import operator
import subprocess
import sys
import types
from typing import Any

import differences
import numpy as np
import pixels
import pytest
import sequences

import emberjit as ms
from emberjit import Tensor, deviations, mint, ops
from emberjit import _emberjit as core
from emberjit import numpy as mnp
from emberjit.publish import registry, signature
from emberjit.publish.index import NAMES

DECLARED = [(scope, name) for scope, names in NAMES.items() for name in names]
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "b1": np.bool_}
DTYPES.update({"c64": np.complex64, "c128": np.complex128})
# Compositions that are no expression of NumPy's, by the tests that say what they give.
_ELSEWHERE = {
    "test_mindspore.py": """conv2d_primitive conv3d_primitive conv2d_input conv3d_transpose max_pool2d max_pool3d
    max_pool3d_primitive avg_pool3d_primitive max_pool_primitive avg_pool_primitive
    adaptive_avg_pool2d adaptive_avg_pool3d batch_norm_primitive""",
    "test_networks.py": """clip_by_global_norm fractional_max_pool2d fractional_max_pool3d fractional_max_pool2d_primitive
    fractional_max_pool3d_primitive multi_scale_deformable_attention rrelu gumbel_softmax maxima_of_random_regions
    means_of_random_regions prompt_flash_attention incre_flash_attention
    fused_infer_attention_score dropout dropout_mask dropout_with_mask dropout_by_mask dropout1d
    dropout2d dropout3d dropout2d_with_mask dropout3d_with_mask""",
    "test_linalg.py": "svd svd_always_three eigh eig eig_of_two",
    "test_images.py": "choice_with_mask random_choice_with_mask",
    "test_scattering.py": "inplace_index_add",
    "test_effects.py, test_nn.py, test_hooks.py": "print_lines set_data register_hook",
    "test_backward.py": """layer_norm_second_gradient batch_norm_gradients batch_norm_second_gradient group_norm_gradient
    max_pool_with_argmax_gradient_at max_pool_with_argmax_tangent_at max_pool_with_argmax_v2_gradient_at
    max_pool3d_with_argmax_gradient_at max_pool_gradient_at fractional_max_pool2d_gradient_at
    fractional_max_pool3d_gradient_at max_unpool2d_gradient max_unpool3d_gradient means_of_random_regions_gradient
    maxima_of_random_regions_gradient resize_v2_gradient position_sensitive_pooling_gradient masked_select_gradient
    concat_offset""",
    "test_doors.py": "python_function",
    "test_observing.py": "asserted custom ScalarSummary ImageSummary TensorSummary HistogramSummary",
    "test_communication.py": "sent awaited received sent_and_received exchanged_with_neighbours exchanged_edges",
    "test_ops_names.py": "inplace_sigmoid random_crop_of_objects copied_into checked_numerics reshape_and_cache",
    "test_float_status.py": "clear_float_status",
}
MODULES = {  # whole ones
    **dict.fromkeys(
        tuple(f"optimiser_rules.{kind}" for kind in ("rules", "adam_rules", "sparse_rules")),
        "test_mindspore.py, test_optimizer_steps.py",
    ),
    **dict.fromkeys(
        ("random.uniform_and_normal", "random.distributions", "random.categorical", "random.permutations"),
        "test_distributions.py, test_inplace.py, test_mindspore.py",
    ),
    "random.candidate_samplers": "test_distributions.py",
    "optimiser_rules.adafactor": "test_optimizer_steps.py",
    "compat.storage": "test_doors.py",
}
SCATTERED = ("update", "add", "sub", "mul", "div", "max", "min")
ELSEWHERE = {name: where for where, names in _ELSEWHERE.items() for name in names.split()}
ELSEWHERE |= {f"{kind}_{how}": "test_scattering.py" for kind in ("scatter_nd", "variable_scatter") for how in SCATTERED}


def compositions() -> dict[str, registry.Declaration]:
    for scope, name in DECLARED:
        registry.declared(scope, name)
    found = [one for names in registry.declarations.values() for all_ in names.values() for one in all_]
    targets = {one.target: one for one in found if isinstance(one.target, types.FunctionType)}
    made = {target.__name__: one for target, one in targets.items()}
    assert len(made) == len(targets), "two compositions have one name"
    return made


COMPOSITIONS = compositions()
# What a graph cannot settle.
EAGER = (
    *("stride", "allclose", "unique", "unique_by_value", "unique_by_occurrence", "unique_with_pad", "unique_consecutive"),
    *("alike", "argwhere", "nonzero", "positions", "masked_select", "is_nonzero", "ix_", "intersect1d"),
    *("setdiff1d", "union1d", "list_diff", "stacked_unravel_index", "sparse_segment_mean", "bincount"),
    *("sparse_segment_sqrtn",),
    *("float_bincount", "numpy_bincount", "sized_bincount", "segment_sum", "segment_mean", "segment_prod"),
    *("segment_max", "segment_min", "tensor_to_tuple", "array_str", "array_to_scalar", "isconstant"),
    *("one_hot_of_classes", "ctc_greedy_decoder", "non_max_suppression", "non_max_suppression_with_overlaps"),
    *("sub_and_filter", "accidental_hits", "coalesce", "ragged_range"),
)
# Without slopes that differences tell, as their results are infinite; or without second ones.
WITHOUT_SLOPE = ("stop_gradient", "converted", "ctc_loss", "ctc_loss_of_sequences", "no_repeat_ngram", "igamma_gradient")
SAMPLED = [name for name, one in COMPOSITIONS.items() if one.samples]


def arguments(text: str, rng: np.random.Generator) -> tuple[Any, ...]:
    """The arguments that a sample's text stands for, as NumPy's arrays."""

    def maker(dtype: Any) -> Any:
        def make(*shape: int) -> np.ndarray:
            if dtype is np.bool_:
                return rng.integers(0, 2, shape).astype(bool)
            if np.issubdtype(dtype, np.complexfloating):
                return (rng.uniform(-2, 2, shape) + 1j * rng.uniform(-2, 2, shape)).astype(dtype)
            whole = np.issubdtype(dtype, np.integer)
            return (rng.integers(-9, 9, shape) if whole else rng.uniform(-2, 2, shape)).astype(dtype)

        return make

    known = {**{name: maker(dtype) for name, dtype in DTYPES.items()}, **{name: getattr(core, name) for name in dir(core)}}
    return tuple(eval(f"({text},)", known))


def samples(name: str) -> list[tuple[Any, ...]]:
    rng = np.random.default_rng(1)
    return [arguments(text, rng) for text in COMPOSITIONS[name].samples.split(";")]


def as_tensor(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(as_tensor(item) for item in value)
    return Tensor(value) if isinstance(value, np.ndarray) else value


def parts(value: Any) -> list[Any]:
    return [part for item in value for part in parts(item)] if isinstance(value, (tuple, list)) else [value]


def reference(name: str, values: tuple[Any, ...]) -> list[Any]:
    target = COMPOSITIONS[name].target
    bound = inspect.signature(target).bind(*values)
    bound.apply_defaults()
    known = {"np": np, "math": math, "pixels": pixels, "sequences": sequences, "differences": differences}
    known |= {"ops": ops, "Tensor": Tensor}
    for key, value in bound.arguments.items():
        if isinstance(value, np.ndarray) and value.dtype == np.float16:
            value = value.astype(np.float32)
        known[key] = ms.dtype.dtype_to_nptype(value) if isinstance(value, core.dtype) else value
    return parts(eval(COMPOSITIONS[name].numpy, known))


def check(got: Any, want: Any) -> None:
    if isinstance(want, np.dtype):
        assert got == getattr(core, want.name)
    elif not isinstance(got, Tensor):
        assert got == want
    else:
        values, want = got.asnumpy(), np.asarray(want)
        assert values.shape == want.shape
        if values.dtype.kind in "fc":
            epsilon = 16 * np.finfo(values.dtype).eps
            np.testing.assert_allclose(values, want, rtol=epsilon, atol=epsilon)
        else:
            np.testing.assert_array_equal(values, want)


def function_of(name: str) -> Any:
    """The composition as a public function with its own signature."""
    target = COMPOSITIONS[name].target
    definition = signature.definition_of(target)
    spelled = signature.spell(name, None, definition)
    made = signature.overload(spelled, target, definition, registry.graph_of(COMPOSITIONS[name]))
    return core.Function(name, name, "emberjit", lambda function: function.define([made]), lambda function: ("", None))


@pytest.mark.parametrize("scope, name", DECLARED)
def test_each_name_is_there_and_documented(scope: str, name: str) -> None:
    owner = ms
    for part in scope.split("."):
        owner = getattr(owner, part)
    found = inspect.getattr_static(owner, name) if scope == "Tensor" else getattr(owner, name)
    assert found.__doc__ and found.__name__ == name
    assert name in dir(owner)
    if isinstance(found, core.Function):
        assert inspect.signature(found).parameters is not None
    assert all(registry.overloads([one]) for one in registry.declared(scope, name) if not name[0].isupper())


def test_each_name_is_declared_in_one_module() -> None:
    modules: dict[str, set[str]] = {}
    for names in NAMES.values():
        for name, module in names.items():
            modules.setdefault(name, set()).add(module)
    assert [name for name, found in modules.items() if len(found) > 1] == ["inv"]  # of elements, and of matrices


def test_each_composition_has_samples_and_a_reference() -> None:
    without = {name: one for name, one in COMPOSITIONS.items() if not (one.samples and one.numpy)}
    assert [name for name, one in without.items() if name not in ELSEWHERE and one.module not in MODULES] == []
    assert all(name in COMPOSITIONS and not COMPOSITIONS[name].samples for name in ELSEWHERE)


@pytest.mark.parametrize("name", SAMPLED)
def test_compositions_against_numpy(name: str) -> None:
    call = function_of(name)
    jitted = ms.jit(lambda *values: call(*values))
    for values in samples(name):
        want = reference(name, values)
        given = tuple(as_tensor(value) for value in values)
        first = parts(call(*given))
        assert len(first) == len(want)
        for got, wanted in zip(first, want):
            check(got, wanted)
        calls = (call, call) if name in EAGER else (call, call, jitted, jitted)
        for again in (each(*given) for each in calls):
            for got, wanted in zip(parts(again), first, strict=True):
                if isinstance(wanted, Tensor):
                    assert got.dtype == wanted.dtype
                    np.testing.assert_array_equal(got.asnumpy(), wanted.asnumpy())
                else:
                    assert got == wanted


def first_float(values: tuple[Any, ...]) -> int | None:
    return next((i for i, v in enumerate(values) if isinstance(v, np.ndarray) and v.dtype.kind == "f" and v.size), None)


def differentiable(values: Any) -> list[Any]:
    return [part for part in parts(values) if isinstance(part, Tensor) and part.dtype in (ms.float32, ms.float64)]


@pytest.mark.parametrize("name", [name for name in SAMPLED if name not in (*WITHOUT_SLOPE, *EAGER)])
def test_gradients_of_compositions(name: str) -> None:
    call = function_of(name)
    for values in samples(name):
        at = first_float(values)
        if at is None or any(isinstance(value, core.dtype) for value in values):
            continue
        floats = [isinstance(v, np.ndarray) and v.dtype.kind == "f" for v in values]
        given = [as_tensor(v.astype(np.float64) if real else v) for v, real in zip(values, floats)]

        def loss(x: Any, call: Any = call, given: Any = given, at: Any = at) -> Any:
            found = differentiable(call(*given[:at], x, *given[at + 1 :]))
            total = ops.zeros((), ms.float64)
            for i, part in enumerate(found):
                total = total + (part * part * (i + 1)).sum()
            return total

        x = given[at].asnumpy().copy()
        if not differentiable(call(*given)):
            continue
        for slope in (ms.grad(loss)(given[at]), ms.jit(ms.grad(loss))(given[at])):
            for index in np.ndindex(*x.shape):
                step = np.zeros_like(x)
                step[index] = 1e-6
                rise = (loss(Tensor(x + step)) - loss(Tensor(x - step))).item() / 2e-6
                assert abs(slope.asnumpy()[index] - rise) <= 1e-5 * (1 + abs(rise))


@pytest.mark.parametrize("name", [name for name in SAMPLED if name not in EAGER])
def test_vmap_of_compositions(name: str) -> None:
    call = function_of(name)
    for values in samples(name):
        at = first_float(values)
        if at is None:
            continue
        given = [as_tensor(value) for value in values]
        rows = [values[at], values[at][::-1] * 2]

        def one(x: Any, call: Any = call, given: Any = given, at: Any = at) -> Any:
            return tuple(part for part in parts(call(*given[:at], x, *given[at + 1 :])) if isinstance(part, Tensor))

        wanted = [one(Tensor(np.ascontiguousarray(row))) for row in rows]
        if not wanted[0]:
            continue
        for got, *want in zip(ms.vmap(one)(Tensor(np.stack(rows))), *wanted, strict=True):
            np.testing.assert_allclose(got.asnumpy(), np.stack([w.asnumpy() for w in want]), rtol=1e-5, atol=1e-6)


X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def test_arguments_by_position_and_by_any_of_their_names() -> None:
    assert ops.unsqueeze(X, dim=0).shape == ops.expand_dims(X, axis=0).shape == X.unsqueeze(dim=0).shape == (1, 2, 3)
    assert X.argmax(axis=1, keepdims=True).shape == X.argmax(dim=1, keepdim=True).shape == (2, 1)
    assert X.sum(axis=1, keep_dims=True).shape == X.sum(keepdims=True, dim=1).shape == (2, 1)
    assert X.astype(ms.int32).mean(dtype=ms.float32).item() == 2.5
    assert mint.sum(dim=1, input=X).tolist() == mnp.sum(X, axis=1).tolist() == [3, 12]
    np.testing.assert_array_equal(ops.ReverseV2(axis=[0])(X).asnumpy(), X.asnumpy()[::-1])
    assert X.reshape(3, 2).shape == X.reshape((3, 2)).shape == X.reshape([3, -1]).shape == (3, 2)
    assert ops.rand(2, 3).shape == ops.rand((2, 3)).shape == (2, 3)
    dynamic = {"".join(["di", "m"]): 1}
    assert X.sum(**dynamic).tolist() == [3, 12]


def test_overloads_by_the_types_of_arguments() -> None:
    values, indices = X.max(1)
    assert (values.tolist(), indices.tolist()) == ([2, 5], [2, 2])
    assert X.max().item() == 5 and X.max(axis=1).tolist() == [2, 5] and X.max(axis=(0, 1)).item() == 5
    assert X.max(axis=1, return_indices=True)[1].tolist() == [2, 2]
    assert ops.div(X, 2, rounding_mode="floor").tolist() == [[0, 0, 1], [1, 2, 2]]
    assert ops.div(X, 2).tolist() == (X / 2).tolist()
    assert mint.add(X, X, alpha=2).tolist() == (X * 3).tolist()
    index = Tensor([[0, 0, 1]])
    assert X.gather(0, index).tolist() == [[0, 1, 5]]
    assert X.gather(Tensor([1]), 0).tolist() == [[3, 4, 5]]
    assert X.select(0, 1).tolist() == [3, 4, 5]
    assert X.select(X > 2, 0.0).tolist() == [[0, 0, 0], [3, 4, 5]]


def test_results_are_converted_where_a_dtype_is_given() -> None:
    assert mnp.exp(X, dtype=ms.float64).dtype == ms.float64
    assert mnp.exp(X).dtype == ms.float32
    assert mnp.add(X, X, dtype="int32" and ms.int32).dtype == ms.int32


def test_what_calls_get_wrong() -> None:
    for call, words in (
        (lambda: ops.add(X), r"add\(\) missing required argument: 'other'"),
        (lambda: ops.exp(X, X), r"exp\(\) takes 1 positional arguments but 2 were given"),
        (lambda: X.exp(X), r"exp\(\) takes 0 positional arguments but 1 were given"),
        (lambda: X.sum(dim=0, axis=1), r"sum\(\) got multiple values for argument 'dim'"),
        (lambda: X.sum(axes=0), r"sum\(\) got an unexpected keyword argument 'axes'"),
        (lambda: ops.reduce_sum(X, "a"), r"For 'reduce_sum', the argument 'axis' must be an int or a tuple of ints or None"),
        (lambda: ops.add(X, None), r"For 'add', the argument 'other' must be a Tensor or a number, but got None"),
        (lambda: mint.sum(X, dim="a"), r"For 'sum', the argument 'dim' must be"),
        (lambda: ops.mm(3, X), r"For 'mm', the argument 'input' must be a Tensor, but got 3"),
        (lambda: ops.ReverseV2(axis=[0], dims=[0]), "multiple values for argument 'axis'"),
        (lambda: ops.div(X, 2, rounding_mode=3), r"For 'div', the argument 'rounding_mode' must be a str or None"),
    ):
        for _ in range(2):
            with pytest.raises(TypeError, match=words):
                call()


def test_a_further_form_does_not_take_the_place_of_another() -> None:
    forms = [
        (lambda: ops.sum(X), 15),
        (lambda: ops.sum(X, dim=0).sum(), 15),
        (lambda: ops.sum(X, (0, 1)), 15),
        (lambda: ops.sum(X, [0, 1]), 15),
        (lambda: ops.sum(dim=None, input=X), 15),
        (lambda: ops.sum(X.asnumpy()), 15),
        (lambda: ops.sum([1, 2, 3]), 6),
    ]
    for _ in range(5):
        for call, want in forms:
            assert call().item() == want


def test_a_function_is_copied_and_pickled_by_name() -> None:
    import copy
    import pickle

    for one in (ops.add, mint.nn.functional.relu, ms.Tensor.sum):
        assert copy.deepcopy(one) is one
        assert pickle.loads(pickle.dumps(one)) is one


def test_names_that_do_not_exist_suggest_others() -> None:
    with pytest.raises(AttributeError, match=r"Did you mean: 'softmax'"):
        ops.softmaxx
    with pytest.raises(AttributeError, match=r"emberjit\.mint"):
        mint.no_such_name


def plain(value: Any) -> Any:
    return tuple(map(plain, value)) if isinstance(value, tuple) else value.tolist() if isinstance(value, Tensor) else value


@pytest.mark.parametrize("one", deviations.TABLE, ids=lambda one: one.example)
def test_deviations_are_as_documented(one: deviations.Deviation) -> None:
    known = {
        "ops": ops,
        "Tensor": Tensor,
        "train": ms.train,
        "jit": ms.jit,
        "nan": math.nan,
        "inf": math.inf,
        "int32": ms.int32,
    }
    try:
        got = plain(eval(one.example, known))
    except Exception as error:
        got = type(error)
    wanted = eval(one.ours, known)
    assert repr(got) == repr(wanted) or (got == wanted and repr(wanted).find("nan") < 0)
    assert one.ours != one.theirs and one.why
    for name in one.names.split():
        scope, _, short = name.rpartition(".")
        found = inspect.getattr_static(Tensor, short) if scope == "Tensor" else getattr(getattr(ms, scope), short)
        assert f"{one.example} is {one.ours}, in MindSpore {one.theirs}: {one.why}" in found.__doc__


def test_names_of_further_deviations_exist() -> None:
    for one in deviations.FURTHER:
        assert all(operator.attrgetter(name)(ms) for name in one.names.split()) and one.theirs != one.ours


def test_modules_of_names_load_when_first_touched() -> None:
    script = """
import sys, emberjit
loaded = [name for name in sys.modules if name.startswith("emberjit.functions.")]
assert not loaded, loaded
emberjit.ops.add
assert not [name for name in sys.modules if name.startswith("emberjit.functions.")]
emberjit.ops.add(emberjit.Tensor([1.0]), 1)
loaded = [name for name in sys.modules if name.startswith("emberjit.functions.")]
assert loaded == ["emberjit.functions.elementwise", "emberjit.functions.elementwise.arithmetic"]
"""
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("text", ["x as", "x: thing", "y", "x := unknown_value", "x = "])
def test_spellings_that_are_not_well_formed(text: str) -> None:
    definition = (signature.Parameter("x", "tensor"),)
    with pytest.raises((ValueError, SyntaxError)):
        signature.overload(signature.spell("f", text, definition), core.op_table["exp"], definition, None)


def test_spellings() -> None:
    definition = (signature.Parameter("x", "tensor"), signature.Parameter("n", "int", default=3))
    spelled = signature.spell("f", "x as input|a, *, n as m: ints? = (1, 2)", definition)
    first, second = spelled.parameters
    assert (first.name, first.source, first.aliases, first.default) == ("input", "x", ("a",), signature.REQUIRED)
    assert (second.name, second.kind, second.optional, second.default) == ("m", "ints", True, (1, 2))
    assert second.passed == signature.BY_KEYWORD
    assert signature.spell("f", "x, n := 5", definition).constants == {"n": 5}
    assert list(signature.words("a.b c.d(x, y = (1, 2)) e.F(a)(b)\n g")) == ["a.b", "c.d(x, y = (1, 2))", "e.F(a)(b)", "g"]
    assert signature.split("e.F(a, (b))(c)") == ("e.F", ["a, (b)", "c"])
    method = signature.as_method(signature.spell("f", "n, x as self", definition), definition)
    assert [p.name for p in method.parameters] == ["self", "n"]
