"""What names of PyTorch, JAX, NumPy and TensorFlow are here, for those who write them by habit: errors of unknown names
say so.

HINTS has, by scope (a module's path below emberjit, or a class) and name, a sentence and code that does the same, or "". No
name exists in its scope; the tests hold the table to that, and run all code with `ms`, its modules (`ds` is dataset, `np`
NumPy), a Tensor `x`, labels `y`, a Parameter `w`, a function `f`, a Cell `net` with `loss_fn`, `forward(x, y)` (its loss),
`opt` and `grads`, `rows` of a dataset `data`, and a `folder`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable

Rows = dict[str, tuple[str, str]]

_GRADIENTS = "grads = ms.grad(forward, None, net.trainable_params())(x, y)"
_UPDATE = f"{_GRADIENTS}; opt(grads)"
_CONSTANT = "y = ops.stop_gradient(net(x))"
_TENSOR = "x = ms.Tensor([1.0, 2.0])"
_CELL = "class Net(nn.Cell): ..."
_LOADER = "data = ds.GeneratorDataset(rows, ['x', 'y'], shuffle=True).batch(2)"
_ONE_DEVICE = "there is one device, the CPU, where all Tensors and Parameters are"
_NO_TAPE = "gradients are those of functions, which ms.grad takes; nothing else records any"
_LOOPS = "is a loop of Python here, which a jitted function's graph holds"


def _is(what: str, here: str, code: str, library: str = "PyTorch") -> tuple[str, str]:
    return f"{library}'s {what} is {here} here", code


_AUTOGRAD: Rows = {
    **dict.fromkeys(
        ("no_grad", "inference_mode"), (f"PyTorch's no_grad is not needed: {_NO_TAPE}. To keep a gradient out", _CONSTANT)
    ),
    **dict.fromkeys(("enable_grad", "set_grad_enabled", "is_grad_enabled"), (_NO_TAPE.capitalize(), _GRADIENTS)),
    "stop_grad": ("It is ops.stop_gradient here", _CONSTANT),
}
_MAKE: Rows = {
    "array": _is("array", "ms.Tensor", _TENSOR, "NumPy"),
    "asarray": _is("asarray", "ms.Tensor", _TENSOR, "NumPy"),
    "as_tensor": _is("torch.as_tensor", "ms.Tensor", _TENSOR),
    "convert_to_tensor": _is("tf.convert_to_tensor", "ms.Tensor", _TENSOR, "TensorFlow"),
    "constant": _is("tf.constant", "ms.Tensor", _TENSOR, "TensorFlow"),
}
_MODULE: Rows = {
    **_AUTOGRAD,
    **_MAKE,
    "compile": _is("torch.compile", "ms.jit", "f = ms.jit(f)"),
    "function": _is("tf.function", "ms.jit", "f = ms.jit(f)", "TensorFlow"),
    "make_jaxpr": (
        "JAX's make_jaxpr shows a graph, which ms.explain does here",
        "f = ms.jit(f); f(x); print(ms.explain(f))",
    ),
    "save": _is("torch.save", "ms.save_checkpoint", "ms.save_checkpoint(net, 'net.ckpt')"),
    "cuda": (f"PyTorch's torch.cuda is of other devices: {_ONE_DEVICE}", ""),
    "device": (f"PyTorch's torch.device is not needed: {_ONE_DEVICE}", ""),
    "devices": (f"JAX's devices() is not needed: {_ONE_DEVICE}", ""),
    "device_put": (
        f"JAX's device_put is not needed: {_ONE_DEVICE}. An array of NumPy's becomes one",
        "x = ms.Tensor(np.ones(3))",
    ),
    "device_get": _is("device_get", "asnumpy", "array = x.asnumpy()", "JAX"),
    "pmap": (f"JAX's pmap is ms.vmap here, as {_ONE_DEVICE}", "y = ms.vmap(f)(x)"),
    "backward": ("Gradients are those of functions", _GRADIENTS),
    "autograd": ("PyTorch's torch.autograd is ms.grad and ms.value_and_grad here", _GRADIENTS),
    "GradientTape": ("TensorFlow's GradientTape is ms.grad of a function here", _GRADIENTS),
    "hessian": _is("hessian", "a derivative of ms.grad", "h = ms.jacfwd(ms.grad(f))(x)", "JAX"),
    "optim": ("PyTorch's torch.optim is mint.optim here", "opt = mint.optim.Adam(net.trainable_params(), lr=0.001)"),
    "func": ("PyTorch's torch.func is of ms itself: grad, vmap, jvp, vjp, jacrev", "dx = ms.grad(f)(x)"),
    "backends": (f"PyTorch's torch.backends is of other devices: {_ONE_DEVICE}", ""),
    "float": _is("torch.float", "ms.float32", "x = x.astype(ms.float32)"),
    "int": _is("torch.int", "ms.int32", "x = x.astype(ms.int32)"),
    "functional": ("PyTorch's functions of torch.nn.functional are in ops and mint.nn.functional", "y = ops.relu(x)"),
    "concatenate": ("It is ops.concat here", "y = ops.concat((x, x))"),
    "cast": _is("tf.cast", "a method", "y = x.astype(ms.float16)", "TensorFlow"),
    "Variable": _is("tf.Variable", "ms.Parameter", "w = ms.Parameter(x, name='w')", "TensorFlow"),
    "Module": ("The base class of networks is nn.Cell here, and its forward is construct", _CELL),
    "FloatTensor": _is("torch.FloatTensor", "ms.Tensor", "x = ms.Tensor([1.0], ms.float32)"),
    "LongTensor": _is("torch.LongTensor", "ms.Tensor", "x = ms.Tensor([1], ms.int64)"),
    "random": (
        "Random numbers are of mint and ops here, and their seed is set for all",
        "ms.manual_seed(1); y = mint.randn(2, 3)",
    ),
    "lax": ("JAX's functions of jax.lax are in ops here, and loops and conditions are Python's own", "f = ms.jit(f)"),
    "fori_loop": (f"JAX's fori_loop {_LOOPS}", "f = ms.jit(f)"),
    "scan": (f"JAX's scan {_LOOPS}", "f = ms.jit(f)"),
    "while_loop": (f"It {_LOOPS}", "f = ms.jit(f)"),
    "cond": ("It is an if of Python here, which a jitted function's graph holds", "f = ms.jit(f)"),
    **dict.fromkeys(
        ("tree_map", "tree_util", "tree"), _is("tree_map", "ops.HyperMap", "y = ops.HyperMap()(f, (x, x))", "JAX")
    ),
    "checkpoint": ("It is ms.recompute here", "y = ms.recompute(net, x)"),
    "keras": ("TensorFlow's Keras: layers are in nn, fit and evaluate in ms.Model", "model = ms.Model(net, loss_fn, opt)"),
    "data": ("Datasets are in ms.dataset", _LOADER),
    "DataLoader": ("PyTorch's DataLoader is a dataset's batch and shuffle here", _LOADER),
    "autocast": _is("autocast", "amp.auto_mixed_precision", "net = amp.auto_mixed_precision(net, 'O1')"),
    "use_deterministic_algorithms": (
        "Results are the same on any number of threads; others' kinds of it are set so",
        "ms.set_deterministic(True)",
    ),
    "set_float32_matmul_precision": ("It is an option of the context here", "ms.set_context(matmul_precision='float32')"),
}
_TENSORS: Rows = {
    **dict.fromkeys(("cuda", "npu", "is_cuda"), (f"PyTorch's name is of other devices: {_ONE_DEVICE}. Leave it out", "")),
    "cpu": (f"PyTorch's cpu() is not needed: {_ONE_DEVICE}. As an array", "array = x.asnumpy()"),
    "backward": ("PyTorch's loss.backward() is ms.grad of the function that computes the loss", _GRADIENTS),
    "grad": ("A Tensor keeps no gradient: ms.grad returns it", _GRADIENTS),
    "grad_fn": (f"PyTorch's tape is not here: {_NO_TAPE}", _GRADIENTS),
    "is_leaf": (f"PyTorch's tape is not here: {_NO_TAPE}", _GRADIENTS),
    "retain_grad": ("A Tensor keeps no gradient: ms.grad returns it", "dx = ms.grad(f)(x)"),
    "requires_grad": (
        "Parameters have it; of a Tensor ms.grad takes the gradient by the argument's place",
        "dx = ms.grad(f, 0)(x)",
    ),
    "detach": _is("detach()", "ops.stop_gradient", "y = ops.stop_gradient(x)"),
    "detach_": _is("detach_()", "ops.stop_gradient", "x = ops.stop_gradient(x)"),
    "stop_gradient": ("It is ops.stop_gradient here", "y = ops.stop_gradient(x)"),
    "at": ("JAX's x.at[0].set(v) is an assignment here, to a copy if x is to stay", "y = x.copy(); y[0] = 1.0"),
    "block_until_ready": ("JAX's block_until_ready() is not needed: a Tensor is ready when its op returns", ""),
    "devices": (f"JAX's devices() is not needed: {_ONE_DEVICE}", ""),
    "sharding": (f"JAX's sharding is not needed: {_ONE_DEVICE}", ""),
    "assign": _is("assign", "copy_", "x.copy_(x * 2)", "TensorFlow"),
    "assign_add": _is("assign_add", "add_", "x.add_(1.0)", "TensorFlow"),
    "assign_sub": _is("assign_sub", "sub_", "x.sub_(1.0)", "TensorFlow"),
    "eval": _is("eval()", "asnumpy", "array = x.asnumpy()", "TensorFlow"),
    "get_shape": _is("get_shape()", "shape", "shape = x.shape", "TensorFlow"),
    "element_size": _is("element_size()", "itemsize", "size = x.itemsize"),
    "new_tensor": _is("new_tensor", "ms.Tensor", "y = ms.Tensor([1.0], x.dtype)"),
    "relu": ("It is a function here", "y = ops.relu(x)"),
    "log_softmax": ("It is a function here", "y = ops.log_softmax(x)"),
    "unsqueeze_": _is("unsqueeze_", "unsqueeze", "x = x.unsqueeze(0)"),
    "squeeze_": _is("squeeze_", "squeeze", "x = x.squeeze(0)"),
    "to_sparse": _is("to_sparse()", "to_coo()", "y = x.to_coo()"),
}
_PARAMETERS = "parameters = net.trainable_params()"
_TRAIN = "ms.Model(net, loss_fn, opt).train(1, data)"
_CELLS: Rows = {
    "train": _is("net.train()", "set_train", "net.set_train()"),
    "eval": _is("net.eval()", "set_train(False)", "net.set_train(False)"),
    "forward": _is("forward", "construct", "y = net(x)"),
    "call": _is("call", "construct", "y = net(x)", "Keras"),
    "predict": _is("predict", "a call", "y = net(x)", "Keras"),
    "parameters": _is(
        "net.parameters()", "trainable_params(), or get_parameters() with those that are not trained", _PARAMETERS
    ),
    **dict.fromkeys(
        ("trainable_variables", "trainable_weights"), ("TensorFlow's trainable variables are Parameters here", _PARAMETERS)
    ),
    "named_parameters": _is("named_parameters()", "parameters_and_names()", "named = dict(net.parameters_and_names())"),
    "children": _is("children()", "cells()", "cells = net.cells()"),
    "named_children": _is("named_children()", "name_cells()", "named = net.name_cells()"),
    "modules": _is("modules()", "cells_and_names()", "cells = [cell for _, cell in net.cells_and_names()]"),
    "named_modules": _is("named_modules()", "cells_and_names()", "named = dict(net.cells_and_names())"),
    **dict.fromkeys(("cuda", "cpu", "npu"), (f"PyTorch's name is of other devices: {_ONE_DEVICE}. Leave it out", "")),
    "zero_grad": (f"PyTorch's zero_grad() is not needed: {_NO_TAPE}", _UPDATE),
    "requires_grad_": _is("requires_grad_", "each Parameter's", "for p in net.get_parameters(): p.requires_grad = False"),
    "half": _is("net.half()", "to_float", "net.to_float(ms.float16)"),
    "float": _is("net.float()", "to_float", "net.to_float(ms.float32)"),
    "add_module": _is("add_module", "an attribute, or insert_child_to_cell", "net.insert_child_to_cell('more', nn.ReLU())"),
    "register_parameter": _is(
        "register_parameter", "an attribute, or insert_param_to_cell", "net.insert_param_to_cell('w', w)"
    ),
    "fit": _is("fit", "ms.Model's", _TRAIN, "Keras"),
    "evaluate": _is("evaluate", "ms.Model's eval", "ms.Model(net, loss_fn, metrics={'loss'}).eval(data)", "Keras"),
    "save_weights": _is("save_weights", "ms.save_checkpoint", "ms.save_checkpoint(net, 'net.ckpt')", "Keras"),
    "load_weights": _is(
        "load_weights",
        "ms.load_checkpoint",
        "ms.save_checkpoint(net, 'net.ckpt'); ms.load_checkpoint('net.ckpt', net)",
        "Keras",
    ),
}
_OPTIMIZERS: Rows = {
    "step": ("PyTorch's optimizer.step() is a call with the gradients here", _UPDATE),
    "zero_grad": (f"PyTorch's zero_grad() is not needed: {_NO_TAPE}", _UPDATE),
    "minimize": ("TensorFlow's minimize is a call with the gradients here", _UPDATE),
    "apply_gradients": ("TensorFlow's apply_gradients is a call with the gradients here", _UPDATE),
    "lr": _is("lr", "learning_rate", "rate = opt.get_lr()"),
}
_LAYERS: Rows = {
    **dict.fromkeys(
        ("Module", "Layer"), ("The base class of networks is nn.Cell here, and its forward is construct", _CELL)
    ),
    "Sequential": _is("nn.Sequential", "nn.SequentialCell", "net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())"),
    "ModuleList": _is("nn.ModuleList", "nn.CellList", "layers = nn.CellList([nn.Dense(2, 3), nn.ReLU()])"),
    "ModuleDict": _is("nn.ModuleDict", "nn.CellDict", "layers = nn.CellDict({'act': nn.ReLU()})"),
    "Parameter": _is("nn.Parameter", "ms.Parameter", "w = ms.Parameter(x, name='w')"),
    "ParameterList": _is("nn.ParameterList", "ms.ParameterTuple", "parameters = ms.ParameterTuple([w])"),
    "functional": ("PyTorch's functions of torch.nn.functional are in ops and mint.nn.functional", "y = ops.relu(x)"),
    "init": _is("nn.init", "common.initializer", "w = ms.common.initializer.initializer('xavier_uniform', [2, 3])"),
    "ConvTranspose1d": _is("nn.ConvTranspose1d", "nn.Conv1dTranspose", "net = nn.Conv1dTranspose(3, 4, 3)"),
    "ConvTranspose2d": _is("nn.ConvTranspose2d", "nn.Conv2dTranspose", "net = nn.Conv2dTranspose(3, 4, 3)"),
    "Bilinear": _is("nn.Bilinear", "nn.BiDense", "net = nn.BiDense(2, 3, 4)"),
    "Hardswish": _is("nn.Hardswish", "nn.HSwish", "net = nn.HSwish()"),
    "Hardsigmoid": _is("nn.Hardsigmoid", "nn.HSigmoid", "net = nn.HSigmoid()"),
    "AdamW": _is("AdamW", "mint.optim.AdamW", "opt = mint.optim.AdamW(net.trainable_params(), lr=0.001)"),
    "BatchNormalization": _is("BatchNormalization", "nn.BatchNorm2d", "net = nn.BatchNorm2d(3)", "Keras"),
    "DataParallel": (f"PyTorch's nn.DataParallel is not needed: {_ONE_DEVICE}", ""),
    **dict.fromkeys(
        ("relu", "softmax", "gelu", "dropout"), ("Functions are in ops, Cells in nn", "y = ops.softmax(ops.relu(x))")
    ),
}
_OPS: Rows = {
    **_AUTOGRAD,
    **_MAKE,
    "tensor": _is("torch.tensor", "ms.Tensor", _TENSOR),
    "from_numpy": _is("torch.from_numpy", "ms.from_numpy", "x = ms.from_numpy(np.ones(3))"),
    "linear": _is("F.linear", "mint.nn.functional.linear", "y = mint.nn.functional.linear(x, w)"),
    "concatenate": ("It is ops.concat here", "y = ops.concat((x, x))"),
    "power": _is("power", "ops.pow", "y = ops.pow(x, 2)", "NumPy"),
    "add_n": _is("tf.add_n", "ops.addn", "y = ops.addn([x, x])", "TensorFlow"),
    "fori_loop": (f"JAX's fori_loop {_LOOPS}", "f = ms.jit(f)"),
    "scan": (f"JAX's scan {_LOOPS}", "f = ms.jit(f)"),
    "while_loop": (f"It {_LOOPS}", "f = ms.jit(f)"),
}
_DATASETS: Rows = {
    "DataLoader": ("PyTorch's DataLoader is a dataset's batch and shuffle here", _LOADER),
    "IterableDataset": _is("IterableDataset", "ds.GeneratorDataset", _LOADER),
    "TensorDataset": _is("TensorDataset", "ds.NumpySlicesDataset", "data = ds.NumpySlicesDataset(np.ones((4, 2)), ['x'])"),
    "from_tensor_slices": _is(
        "from_tensor_slices", "ds.NumpySlicesDataset", "data = ds.NumpySlicesDataset(np.ones((4, 2)), ['x'])", "TensorFlow"
    ),
    "random_split": _is("random_split", "a dataset's split", "train, test = data.split([0.5, 0.5])"),
    "ImageFolder": _is("ImageFolder", "ds.ImageFolderDataset", "data = ds.ImageFolderDataset(folder)"),
}

_MINT_LAYERS: Rows = {
    **{
        name: _LAYERS[name]
        for name in ("Module", "Sequential", "ModuleList", "ModuleDict", "Parameter", "ParameterList", "init")
    },
    "utils": ("PyTorch's clip_grad_norm_ is ops.clip_by_global_norm here", "grads = ops.clip_by_global_norm(grads, 1.0)"),
    **{name: (f"It is nn.{name} here", f"net = nn.{name}(2, 3)") for name in ("LSTM", "GRU", "RNN")},
}

HINTS: dict[str, Rows] = {
    "": _MODULE,
    "Tensor": _TENSORS,
    "Cell": _CELLS,
    "Optimizer": _OPTIMIZERS,
    "nn": _LAYERS,
    "mint.nn": _MINT_LAYERS,
    "ops": _OPS,
    "mint": {
        **_AUTOGRAD,
        "tensor": _is("torch.tensor", "ms.Tensor", _TENSOR),
        "from_numpy": _is("torch.from_numpy", "ms.from_numpy", "x = ms.from_numpy(np.ones(3))"),
        "manual_seed": _is("torch.manual_seed", "ms.manual_seed", "ms.manual_seed(1)"),
        "compile": _is("torch.compile", "ms.jit", "f = ms.jit(f)"),
        "save": _is("torch.save", "ms.save_checkpoint", "ms.save_checkpoint(net, 'net.ckpt')"),
    },
    "numpy": {
        "ndarray": _is("ndarray", "ms.Tensor", "is_array = isinstance(x, ms.Tensor)", "NumPy"),
        "random": _is("random", "of ms.numpy itself", "y = ms.numpy.randn(2, 3)", "NumPy"),
        "linalg": _is("linalg", "mint.linalg, or ms.scipy.linalg,", "y = mint.linalg.inv(ops.eye(3))", "NumPy"),
        "newaxis": _is("newaxis", "None", "y = x[None]", "NumPy"),
        "save": _is("save", "NumPy's own", "np.save('x.npy', x.asnumpy())", "NumPy"),
    },
    "dataset": _DATASETS,
    "amp": {
        "autocast": _is("autocast", "amp.auto_mixed_precision", "net = amp.auto_mixed_precision(net, 'O1')"),
        "GradScaler": _is("GradScaler", "amp.DynamicLossScaler", "scaler = amp.DynamicLossScaler(1024, 2, 50)"),
    },
    "utils": {
        "data": ("PyTorch's torch.utils.data is ms.dataset here", _LOADER),
        "checkpoint": _is("torch.utils.checkpoint", "ms.recompute", "y = ms.recompute(net, x)"),
        "tensorboard": _is("SummaryWriter", "ms.SummaryRecord", "record = ms.SummaryRecord('logs'); record.close()"),
    },
}


# Where users look for a name that is elsewhere: the modules that may have it, by the module that does not.
_NEARBY = {
    "": ("mint", "nn", "ops", "mint.nn.functional", "numpy"),
    "ops": ("mint", "mint.nn.functional", "nn", "numpy"),
    "nn": ("mint.nn",),
    "mint": ("mint.nn.functional", "ops"),
    "mint.nn": ("nn",),
    "mint.nn.functional": ("mint", "ops"),
    "numpy": ("ops",),
}


def hint(name: str, scopes: Iterable[str]) -> str:
    """What to add to the error of an unknown name, or nothing: of the first of these scopes whose rows have it, or where it
    is instead."""
    for scope in scopes:
        if found := HINTS.get(scope, {}).get(name):
            sentence, code = found
            return f". {sentence}: {code}" if code else f". {sentence}"
        for other in _NEARBY.get(scope, ()):
            if name in importlib.import_module(f"emberjit.{other}").__all__:
                return f". It is ms.{other}.{name} here"
    return ""
