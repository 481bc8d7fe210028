"""MindSpore's options (emberjit/options.py): each works, is so anyway, warns once that it has no effect, or is refused; and
python/docs/options.md is the table. No parameter of the library's own functions is accepted and never read."""

from __future__ import annotations

import ast
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops, options
from emberjit import _emberjit as core
from emberjit import dataset as ds
from emberjit.options import GIVEN, NO_EFFECT, REFUSED, TABLE, WORKS

ROOT = Path(__file__).resolve().parents[3]
X = Tensor(np.float32([1, 2]))


@pytest.fixture(autouse=True)
def warned_of_nothing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    context = dict(core_context())
    monkeypatch.setattr(options, "_warned", set())
    yield
    core_context().clear()
    core_context().update(context)


def core_context() -> dict[str, Any]:
    from emberjit import context

    return context._values


def test_the_document_is_the_table():
    subprocess.run([sys.executable, str(ROOT / "tools" / "tables.py"), "--check"], check=True)


def test_the_tables_rows_are_sound():
    for interface, rows in TABLE.items():
        for name, option in rows.items():
            assert option.outcome in (WORKS, GIVEN, NO_EFFECT, REFUSED), (interface, name)
            allowed = options.choices(option)
            assert allowed is None or set(option.neutral) <= set(allowed), (interface, name)
            assert not option.neutral or option.outcome in (NO_EFFECT, REFUSED), (interface, name)
    assert set(TABLE["set_context"]["matmul_precision"].accepts) == set(core.matmul_precisions)


def other_value(option: options.Option) -> Any:
    """A value that is not so anyway."""
    candidates = options.choices(option) or (3, True, False, 0.5, "x", {"a": 1}, ["x"])
    kinds = option.accepts if options.choices(option) is None and option.accepts is not None else object
    return next(v for v in candidates if isinstance(v, kinds) and v not in option.neutral)


ROWS = [(interface, name) for interface, rows in TABLE.items() for name in rows]


@pytest.mark.parametrize("interface, name", ROWS)
def test_each_row_does_what_it_says(interface, name):
    option = TABLE[interface][name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for value in option.neutral:
            options.take(interface, name, value)
        assert not caught
        value = other_value(option)
        if option.outcome == REFUSED:
            with pytest.raises(ValueError, match="is not available"):
                options.take(interface, name, value)
            return
        options.take(interface, name, value)
        options.take(interface, name, value)
    assert [str(w.message).partition(" has no effect on a CPU: ")[1] != "" for w in caught] == [True] * (
        option.outcome == NO_EFFECT
    )
    assert all(w.filename == __file__ for w in caught)


CONTEXT = [name for name, option in TABLE["set_context"].items() if option.outcome == NO_EFFECT]


@pytest.mark.parametrize("name", CONTEXT)
def test_set_context_warns_once_of_what_has_no_effect(name):
    value = other_value(TABLE["set_context"][name])
    with pytest.warns(UserWarning, match=f"'{name}' .* has no effect on a CPU"):
        ms.set_context(**{name: value})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ms.set_context(**{name: value})
    assert ms.get_context(name) == value
    if not isinstance(value, (str, dict)):
        with pytest.raises((TypeError, ValueError)):
            ms.set_context(**{name: "nonsense"})


def generator() -> Iterator[Any]:
    yield np.float32([1])


def load(path: Path, **given: Any) -> Any:
    ms.save_checkpoint({"x": X}, path / "a.ckpt")
    return ms.load_checkpoint(path / "a.ckpt", **given)


class Plain(nn.Cell):
    def construct(self, x):
        return x


WARNED: list[tuple[str, Callable[[Path], Any]]] = [
    ("jit_level", lambda _: ms.jit(lambda x: x, jit_level="O1")),
    ("backend", lambda _: ms.jit(lambda x: x, backend="GE")),
    ("exec_order", lambda _: ms.jit(lambda x: x, exec_order="bfs")),
    ("hash_args", lambda _: ms.jit(lambda x: x, hash_args=1)),
    ("jit_level", lambda _: ms.JitConfig("O2")),
    ("infer_boost", lambda _: ms.set_context(jit_config={"infer_boost": "on"})),
    ("extra", lambda _: ms.JitConfig(extra=1)),
    ("const_arg", lambda _: Tensor([1.0], const_arg=True)),
    ("const_arg", lambda _: ms.tensor([1.0], const_arg=True)),
    ("layerwise_parallel", lambda _: Parameter(X, layerwise_parallel=True)),
    ("storage_format", lambda _: Parameter(X, storage_format="NC1HWC0")),
    ("parallel_optimizer_comm_recompute", lambda _: Plain().recompute(parallel_optimizer_comm_recompute=True)),
    ("output_recompute", lambda _: ms.recompute(lambda x: x, X, output_recompute=True)),
    ("cell_id", lambda _: ops.HookBackward(lambda g: None, "a")),
    ("incremental", lambda path: ms.save_checkpoint({"x": X}, path / "x.ckpt", incremental=True)),
    ("remove_redundancy", lambda _: ms.load_param_into_net(Plain(), {}, remove_redundancy=True)),
]


@pytest.mark.parametrize("name, call", WARNED)
def test_what_has_no_effect_warns(name, call, tmp_path):
    with pytest.warns(UserWarning, match=f"'{name}'") as caught:
        call(tmp_path)
    assert all(w.filename == __file__ for w in caught)


RAISED: list[tuple[type[Exception], str, Callable[[Path], Any]]] = [
    (ValueError, "'device' .* not available", lambda _: Tensor([1.0], device="Ascend")),
    (ValueError, "'device' .* not available", lambda _: Parameter(X, device="GPU")),
    (TypeError, "'const_arg' must be bool", lambda _: Tensor([1.0], const_arg="x")),
    (TypeError, "'layerwise_parallel' must be bool", lambda _: Parameter(X, layerwise_parallel=2)),
    (TypeError, "'flags' must be dict", lambda _: nn.Cell(flags=3)),
    (
        TypeError,
        "unexpected keyword argument 'mp_comm_recomp'. Did you mean: 'mp_comm",
        lambda _: Plain().recompute(mp_comm_recomp=1),
    ),
    (ValueError, "'context_fn' .* not available", lambda _: ms.recompute(lambda x: x, X, context_fn=dict)),
    (ValueError, "'data_format' .* not available", lambda _: nn.BatchNorm2d(3, data_format="NHWC")),
    (TypeError, "'begin_norm_axis' must be an int", lambda _: nn.LayerNorm((2,), begin_norm_axis="x")),
    (ValueError, "'begin_norm_axis' must be 0", lambda _: nn.LayerNorm((2,), begin_norm_axis=1)(X)),
    (ValueError, "'sampler' .* need a source", lambda _: ds.GeneratorDataset(generator, "x", sampler=[0])),
    (TypeError, "unexpected keyword argument 'foo'", lambda _: ds.GeneratorDataset(generator, "x", foo=1)),
    (ValueError, r"'enc_key' must have \(16, 24, 32\)", lambda path: ms.save_checkpoint({"x": X}, path / "x", enc_key=b"k")),
    (ValueError, "'format' must be one of", lambda path: ms.save_checkpoint({"x": X}, path / "x", format="zip")),
    (TypeError, "'dec_key' must be bytes", lambda path: load(path, dec_key="k" * 16)),
    (TypeError, "unexpected keyword argument 'strict'", lambda path: load(path, strict=True)),
    (ValueError, "'num' must be the size of axis 0, 2, but got 3", lambda _: ops.Unstack(num=3)(X)),
    (ValueError, "'data_format'", lambda _: ops.BatchNorm(data_format="NHWC")(*[X.reshape((1, 2))] + [X] * 4)),
]


@pytest.mark.parametrize("error, message, call", RAISED)
def test_what_cannot_be_done_is_an_error(error, message, call, tmp_path):
    with pytest.raises(error, match=message):
        call(tmp_path)


def test_flags_of_a_cell_are_attributes():
    assert nn.Cell(flags={"marked": 3}).marked == 3


def test_layer_norm_takes_the_axes_as_they_are():
    x = Tensor(np.arange(12, dtype=np.float32).reshape(2, 2, 3))
    for axis in (-1, 1, -2):
        assert nn.LayerNorm((2, 3), begin_norm_axis=axis, begin_params_axis=axis)(x).shape == (2, 2, 3)


def test_astype_copies_or_not():
    x = Tensor([1.0, 2.0])
    same, other = x.astype(ms.float32, copy=False), x.astype(ms.float32)
    other[0] = 5
    assert same is x and x.asnumpy().tolist() == [1, 2]


# Parameters that a protocol of Python's, a base class or MindSpore's signature asks for, and that the documentation says
# of how they are taken; all else in a signature is read.
UNREAD = {
    "distributed.serving.carry": {"request"},  # of a protocol
    "nn.training.grad_reducer.__init__": {"parameters"},
    "capture.bytecode.generators.throw": {"traceback"},
    "initializer.make": {"shape", "dtype"},
    **{
        f"dataset.callbacks.ds_{name}": {"ds_run_context"}
        for name in ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end")
    },
    **{f"dataset.callbacks.sync_{name}_begin": {"ds_run_context", "train_run_context"} for name in ("epoch", "step")},
    # not all samplers draw, or know of classes; a stream's rows are the same in each epoch
    "dataset.samplers._indices": {"length", "random", "labels"},
    "dataset.sources.records._indices": {"labels"},
    "dataset.sources.generator.rows": {"epoch", "run"},
    # of other devices
    "profiler.annotations.mark": {"stream"},
    "profiler.annotations.range_start": {"stream"},
    "profiler.annotations.range_end": {"domain"},
    "profiler.profiling.analyse": {"offline_path", "pretty", "step_list", "mode"},
    "profiler.profiling.op_analyse": {"device_id"},
    "profiler.profiling.tensorboard_trace_handler": {"async_mode"},
    # bases whose subclasses read them
    "nn.optim.optimizer.construct": {"hyper_params"},
    "experimental.optim.optimizer.construct": {"hyper_params"},
    "experimental.optim.optimizer._state": {"group", "place_in_group"},
    "experimental.optim.optimizers.update": {"step"},
    "nn.learning_rate_schedule.construct": {"global_step"},
    "nn.optim.groups.construct": {"global_step"},
    "nn.optim.__init__.thor": {"net", "learning_rate", "damping", "momentum", "options"},  # refused
    # there is one process
    "compat.communication.distributed.broadcast_object_list": {"device"},
    "compat.communication.process_groups.init_process_group": {
        *("init_method", "timeout", "store", "group_name", "pg_options", "device_id")
    },
    "compat.communication.process_groups.new_group": {
        *("timeout", "backend", "pg_options", "use_local_synchronization", "group_desc")
    },
    "compat.communication.groups.create_group": {"options"},
    "functions.effects.custom.custom": {"reg_info"},
    "compat.communication.distributed.recv_object_list": {"device"},
    "compat.communication.distributed.send_object_list": {"device"},
    "functions.compat.communication.sent": {"group_back"},
    "functions.compat.communication.received": {"group_back"},
    "functions.compat.communication.exchanged_with_neighbours": {"send_shapes"},  # what the Tensors have
    "functions.compat.communication.exchanged_edges": {
        *("inputs", "send_rank_ids", "recv_rank_ids", "send_lens", "recv_lens", "data_format", "group")
    },
    # there is one device
    # what importlib passes
    "compat.finder.find_spec": {"path", "target"},
    "compat.unavailable.__init__": {"args", "kwargs"},
    "compat.unavailable.unavailable": {"args", "kwargs"},
    "compat.parallel._auto_parallel_context.set_all_reduce_fusion_split_indices": {"group"},
    "nn.distributed.hsdp": {"shard_size", "threshold"},
    "nn.distributed.pipeline": {"interleave", "output_broadcast", "scheduler"},
    "ops.kernels.empty": {"scope"},
    "functions.compat.storage.delete_": {"non_blocking"},
    "functions.compat.storage.to_device": {"non_blocking"},
    "functions.compat.storage.getitem_index_info": {"is_ascend"},
    "functions.compat.storage.setitem_index_info": {"is_ascend"},
    "compat._c_expression.get_code_extra": {"function"},
    "nn.distributed.__init__": {
        *("average_in_collective", "bucket_cap_mb", "find_unused_parameters", "init_sync", "parameters", "reducer_mode"),
        "static_graph",
    },
    "nn.cell.calling.construct": {"args", "kwargs"},
    "nn.layers.pooling._pool": {"x"},
    "functions.creation.properties.hidden_shape": {"is_dynamic_rank"},
    "functions.creation.properties.shape_tensor": {"dtype"},
    "functions.effects.assignment.depend": {"expr"},
    "functions.effects.custom.python_function": {"in_shapes", "in_types", "out_shapes", "stateful"},
    "functions.layers.normalisation.batch_norm_elements": {"eps"},
    "functions.layers.normalisation.batch_norm_gathered": {"input"},
    "functions.compat.storage.offload": {"file_path", "input"},
    "functions.compat.storage.remove_hook": {"input"},
    "functions.compat.storage.set_cast_dtype": {"dtype", "input"},
    "functions.compat.storage.set_device_address": {"address", "dtype", "input", "shape"},
    "functions.compat.storage.set_param_info": {"input", "param_info"},
    "initializer._initialize": {"arr"},
    "functions.random.categorical.multinomial_with_replacement": {"replacement"},
    "functions.compat.storage.copy_": {"non_blocking"},
    "functions.compat.storage.data_sync": {"input", "need_wait"},
    "functions.compat.storage.init_data": {"opt_shard_group", "shape", "slice_index"},
    "functions.compat.storage.is_never": {"input"},
    "functions.compat.storage.move_to": {"blocking"},
    "functions.compat.storage.offload_file_path": {"input"},
    "functions.compat.storage.pin_memory": {"input"},
    "functions.compat.storage.set_const_arg": {"const_arg"},
    "functions.compat.storage.set_init_flag": {"flag", "input"},
    "functions.compat.storage.wait_pipeline": {"input"},
    "ops.control.__init__": {"infer_dtype", "infer_shape"},
    "publish.classes.details": {"made"},
    "runtime.set_memory": {"huge_page_reserve_size", "increase_size", "init_size", "optimize_level"},
    "sparse.functions.csr_gather": {"sparse_shape"},
    "sparse.tensors.add": {"more", "other"},
    "sparse.tensors.at_positions": {"dense"},
    "sparse.tensors.with_values": {"values"},
    "transforms.no_grad.set_grad_flag": {"flag"},
    "transforms.no_grad.set_async_for_graph": {"flag"},
    "compat._c_expression.update_pijit_default_config": {"options"},
    "values.placeholders.__deepcopy__": {"memo"},
    "values.placeholders.__init__": {"options", "rest"},
    **{
        f"functions.optimiser_rules.rules.{name}": {"use_locking"}
        for name in [
            "adagrad_dual_averaging",
            "centered_rmsprop",
            "ftrl",
            "keras_momentum",
            "momentum",
            "proximal_adagrad",
            "rmsprop",
        ]
    },
    **{
        f"functions.optimiser_rules.adam_rules.{name}": {"use_locking"}
        for name in ["adam", "adam_update", "adam_with_weight_decay", "amsgrad"]
    },
    **{
        f"functions.optimiser_rules.sparse_rules.{name}": {"use_locking"}
        for name in [
            "adadelta_of_rows",
            "adagrad_of_rows",
            "adagrad_with_epsilon_of_rows",
            "ftrl_of_rows",
            "lazy_adam",
            "merged_ftrl",
            "merged_proximal_adagrad",
            "proximal_adagrad_of_rows",
            "shrinking_ftrl_of_rows",
            "rmsprop_of_rows",
            "sparse_adam",
        ]
    },
    # Gradients are computed from what tells them, and all that there are.
    **{f"functions.gradient_primitives.elementwise.{name}": {"grad_x", "grad_y"} for name in ("gradient", "second")},
    "functions.gradient_primitives.images.resize_v2_gradient": {"roi", "scales"},
    "functions.gradient_primitives.layers.batch_norm_gradients": {"reserve"},
    "functions.gradient_primitives.layers.group_norm_gradient": {"dx_is_require", "dgamma_is_require", "dbeta_is_require"},
    "functions.gradient_primitives.layers.layer_norm_second_gradient": {"mean", "variance"},
    "functions.gradient_primitives.shapes.lu_unpack_gradient": {"L_grad_flag", "U_grad_flag"},
    "functions.gradient_primitives.pooling.gradient": {"ksize", "strides", "pads"},
    "functions.layers.normalisation.add_layer_norm": {"additional_output"},
    "functions.layers.inference_attention.prompt_flash_attention": {"actual_seq_lengths", "inner_precise"},
    "functions.layers.inference_attention.incre_flash_attention": {"inner_precise"},
    "nn.cell.state_dict.set_extra_state": {"state"},
    "nn.cell.state_dict._save_to_state_dict": {"keep_vars"},
    "nn.layers.containers.construct": {"args", "kwargs"},
    "nn.layers.mint.__init__": {"sparse", "args", "kwargs"},
    "functions.linalg.decompositions.eigh": {"overwrite_a", "overwrite_b", "turbo", "type", "check_finite"},
    "functions.linalg.least_squares.regularized_lstsq": {"fast"},
    **{
        f"functions.linalg.linear_systems.{name}": {"overwrite_a", "check_finite"}
        for name in ("cholesky_upper", "cho_factor", "inv", "lu", "lu_factor")
    },
    "functions.linalg.linear_systems.cho_solve": {"overwrite_b", "check_finite"},
    "functions.linalg.linear_systems.solve_triangular": {"overwrite_b", "debug", "check_finite"},
    "functions.losses.ctc.ctc_loss_of_sparse_labels": {"ignore_longer_outputs_than_inputs"},
    "functions.layers.recurrent.dynamic_gru": {"is_training"},
    "functions.layers.recurrent.dynamic_rnn": {"is_training"},
    "functions.reductions.histograms.histogram_bin_edges": {"weights"},
    "functions.indexing.scatter.by_index": {"use_locking"},
    "functions.indexing.scatter.by_rows": {"use_locking"},
    "functions.sorting.sets.intersect1d": {"assume_unique"},
    "functions.sorting.sets.unique_by_value": {"sorted"},
    "functions.sorting.sorting.sort": {"stable"},
    "functions.sorting.sorting.wide_argsort": {"stable"},
    "functions.sorting.sorting.wide_sort": {"stable"},
    "array_api.searching.argsort": {"stable"},
    "array_api.searching.sort": {"stable"},
    "functions.indexing.index_writes.in_dtype_of": {"non_blocking"},
    "ops.multitype._map": {"function", "operands"},
    "tensors.numpy_protocol.array_function": {"types"},
    "amp.scaling.adjust": {"grads_finite"},
    "amp.scaling.all_finite": {"status"},
    "amp.scaling.scale": {"inputs"},
    "amp.scaling.unscale": {"inputs"},
    "amp.scaling.update_loss_scale": {"overflow"},
    "train.callback.request_exit._on_signal": {"frame", "number"},
    "train.dataset_helper.data_sink": {"input_signature"},
    "train.dataset_helper.sink_process": {"args", "kwargs"},
    "train.metrics.classification._of_counts": {"actual_positives", "positives", "true_positives"},
    **{f"train.metrics.metric.{name}": {"arrays"} for name in ("_add", "_measure")},
    "train.metrics.metric.update": {"inputs"},
    "train.model.infer_predict_layout": {"predict_data", "skip_backend_compile"},
    "train.model.infer_train_layout": {"dataset_sink_mode", "sink_size", "train_dataset"},
    "train.train_thor.convert_to_thor_model": {"args", "kwargs"},
    # Files of ONNX may have them: hints, what the values say themselves, and what was needed before op set 7.
    "onnx.attention.linear_attention": {"chunk_size"},
    "onnx.control.optional": {"type"},
    "onnx.control.sequence_empty": {"dtype"},
    "onnx.layers.gemm": {"broadcast"},
    "onnx.reductions.top_k": {"sorted"},
    # PyTorch passes them: dtypes and shapes of results are in what it expects, layouts and memory are its own matter,
    # a gradient's sparse form is not of a graph, and dropout is a mask that was made before.
    "torch_backend.compiler._of_aten": {"example_inputs"},
    "torch_backend.graph.is_node_supported": {"submodules"},
    "torch_backend.attention.attention": {"dropout_p"},
    "torch_backend.attention.attention_backward": {"dropout_p", "logsumexp", "out"},
    "torch_backend.dropout.later": {"before"},  # what is made before
    "torch_backend.gradients.layer_norm_backward": {"bias"},
    "torch_backend.elementwise.copy": {"non_blocking"},
    "torch_backend.elementwise.new_zeros": {"like"},
    "torch_backend.products.convolution_backward": {"bias_sizes"},
    **{f"torch_backend.reductions.{name}": {"dtype"} for name in ("cumprod", "cumsum", "mean", "prod", "sum_")},
    **{f"torch_backend.reductions.{name}_backward": {"dtype"} for name in ("log_softmax", "softmax")},
    **{f"torch_backend.reductions.{name}": {"half_to_float"} for name in ("log_softmax", "softmax")},
    "torch_backend.shapes.embedding": {"padding_idx", "scale", "sparse"},
    "torch_backend.shapes.expand": {"implicit"},
    "torch_backend.shapes.gather": {"sparse_grad"},
}

# What methods, callbacks, context managers and, by its type, each rule for an op of PyTorch's are given.
PROTOCOL = {"self", "cls", "run_context", "err"}


def is_abstract(function: ast.FunctionDef) -> bool:
    """Whether a function is only there to be overridden."""
    last = function.body[-1]
    raised = last.exc if isinstance(last, ast.Raise) else None
    name = raised.func if isinstance(raised, ast.Call) else raised
    return len(function.body) <= 2 and isinstance(name, ast.Name) and name.id == "NotImplementedError"


def unread(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and not is_abstract(node):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            read = {n.id for part in node.body for n in ast.walk(part) if isinstance(n, ast.Name)}
            for argument in given:
                if argument is None or argument.arg in read | PROTOCOL or argument.arg[0] == "_":
                    continue
                if not (isinstance(argument.annotation, ast.Name) and argument.annotation.id == "Expected"):
                    yield node.name, argument.arg


def test_no_argument_of_the_library_is_accepted_and_never_read():
    package = ROOT / "python" / "emberjit"
    found = set()
    for path in package.rglob("*.py"):
        module = ".".join(path.relative_to(package).with_suffix("").parts)
        if not module.startswith(("capture.", "transforms.linearise")):
            found |= {(f"{module}.{function}", name) for function, name in unread(path)}
    assert found <= {(function, name) for function, names in UNREAD.items() for name in names}
