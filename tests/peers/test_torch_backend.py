"""What programs do around PyTorch's graphs: state, shapes that change, random numbers, views, hooks, dtypes, and ops without
rules."""

from __future__ import annotations

import copy
import importlib.metadata
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not here: tools/test --peers installs it")

from compiled import assert_like, check, check_model, left_to_pytorch, start  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

import emberjit  # noqa: E402
from emberjit import torch_backend  # noqa: E402


@pytest.fixture(autouse=True)
def fresh() -> None:
    start()
    torch.manual_seed(0)


def compiled(function: Any, **options: Any) -> Any:
    return torch.compile(function, backend=torch_backend.backend, **options)


def test_the_graphs_are_told() -> None:
    x = torch.ones(3, requires_grad=True)
    compiled(lambda x: (x * 2).sin())(x).sum().backward()
    assert [graph["kind"] for graph in torch_backend.explain()] == ["forward", "backward"]
    for graph in torch_backend.explain():
        assert (graph["parts"], graph["in_pytorch"], graph["breaks"]) == (1, {}, []) and graph["ops"] > 0


def test_by_its_name() -> None:
    if not importlib.metadata.entry_points(group="torch_dynamo_backends", name="emberjit"):
        pytest.skip("emberjit is not installed: its source runs")
    assert "emberjit" in torch._dynamo.list_backends()
    x = torch.ones(3)
    assert_like(torch.compile(lambda x: x + 1, backend="emberjit")(x), x + 1)
    assert len(torch_backend.explain()) == 1


def test_the_example_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "python" / "docs" / "guide" / "interoperability.md").read_text()
    (program,) = re.findall(r"^```py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    program = program.replace('backend="emberjit"', "backend=torch_backend.backend")
    exec(program, {"torch": torch, "emberjit": emberjit, "torch_backend": torch_backend})
    assert [graph["kind"] for graph in torch_backend.explain()] == ["forward", "backward"] and left_to_pytorch() == []


def test_there_are_no_options() -> None:
    with pytest.raises(Exception, match=r"'emberjit' has no options, but got depth"):
        compiled(lambda x: x + 1, options={"depth": 3})(torch.ones(2))


def test_what_has_no_rule_runs_between_the_parts() -> None:
    def function(x: Any) -> Any:
        y = (x * 2).tanh() + 1
        z = torch.linalg.eigvalsh(y @ y.t())
        return (z * 3).exp() - z.sum()

    check(function, [torch.randn(3, 4)])
    (graph,) = torch_backend.explain()
    assert graph["parts"] == 2 and any("eigh" in op for op in graph["in_pytorch"])


def test_kinds_of_tensors_that_are_not_known() -> None:
    def function(x: Any) -> Any:
        return torch.view_as_real(torch.fft.rfft(x * 2 + 1)).abs() * 3 + 1

    check(function, [torch.randn(8)])
    assert any("complex" in op or "fft" in op for op in left_to_pytorch())


def test_by_a_mask() -> None:
    check(lambda x: (x * 2 + 1)[x > 0].exp() * 2 + 1, [torch.randn(8)])


def test_random_numbers_are_pytorch_s() -> None:
    def function(x: Any) -> Any:
        return F.dropout(x * 2, 0.5) + torch.rand_like(x) * x

    x = torch.randn(64, requires_grad=True)
    torch.manual_seed(3)
    found = compiled(function)(x)
    (gradient,) = torch.autograd.grad(found.sum(), x)
    torch.manual_seed(3)
    wanted = function(x)
    assert_like(found, wanted)
    assert_like(gradient, torch.autograd.grad(wanted.sum(), x)[0])


@pytest.mark.parametrize("permuted", [False, True])
def test_dropouts_leave_one_part(permuted: bool) -> None:
    def function(x: Any, w: Any) -> Any:
        for _ in range(3):
            x = F.dropout((x.t() if permuted else x) @ w, 0.3).relu() + x
        return x

    x, w = (torch.randn(8, 8, requires_grad=True) for _ in range(2))
    results = []
    for each in (compiled(function), function):
        torch.manual_seed(5)
        results.append((each(x, w), *torch.autograd.grad(each(x, w).sum(), (x, w))))
    assert_like(*results)
    assert [graph["parts"] for graph in torch_backend.explain()] == [1, 1]
    assert torch_backend.explain()[0]["in_pytorch"] == {"dropout_mask": 3}


@pytest.mark.parametrize("dynamic", [None, True])
def test_sizes_that_change(dynamic: bool | None) -> None:
    def function(x: Any) -> Any:
        return (x.reshape(x.shape[0] * 2, -1).softmax(-1) * x.shape[0]).reshape(x.shape[0], -1, 2).sum(1)

    jitted = compiled(function, dynamic=dynamic)
    for n in (4, 6, 3, 9, 2, 17):
        x = torch.randn(n, 8)
        assert_like(jitted(x), function(x))
    assert len(torch_backend.explain()) <= 2 and left_to_pytorch() == []


def test_sizes_that_change_in_training() -> None:
    net = nn.Sequential(nn.Linear(6, 5), nn.LayerNorm(5), nn.GELU(), nn.Linear(5, 2))
    other, jitted = copy.deepcopy(net), compiled(net, dynamic=True)
    for n in (4, 7, 2, 11):
        x = torch.randn(n, 6)
        for each in (jitted, other):
            each(x).square().sum().backward()
    for p, q in zip(net.parameters(), other.parameters()):
        assert_like(p.grad, q.grad)


def test_training_by_an_optimizer() -> None:
    net = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3))
    other = copy.deepcopy(net)
    jitted, x, y = compiled(net), torch.randn(16, 6), torch.randint(0, 3, (16,))
    steps = [(each, torch.optim.Adam(module.parameters(), 0.05)) for each, module in ((jitted, net), (other, other))]
    for _ in range(10):
        for each, optimizer in steps:
            optimizer.zero_grad()
            F.cross_entropy(each(x), y).backward()
            optimizer.step()
    for p, q in zip(net.parameters(), other.parameters()):
        torch.testing.assert_close(p, q, rtol=1e-4, atol=1e-5)


def test_weights_that_change_in_every_way() -> None:
    net = nn.Linear(64, 64)
    jitted, x = compiled(net), torch.randn(32, 64)
    changes = [
        lambda: net.weight.data.mul_(-0.5),
        lambda: setattr(net.weight, "data", torch.randn(64, 64)),
        lambda: net.load_state_dict({"weight": torch.ones(64, 64), "bias": torch.zeros(64)}),
        lambda: setattr(net.weight, "data", torch.randn(64, 64).t()),
        lambda: net.weight.detach().numpy().fill(0.25),
        lambda: setattr(net, "bias", nn.Parameter(torch.ones(64))),
    ]
    for change in changes:
        with torch.no_grad():
            jitted(x), jitted(x)
            change()
            torch.testing.assert_close(jitted(x), net(x), rtol=1e-4, atol=1e-4)


def test_inputs_of_all_layouts() -> None:
    base = torch.randn(4, 6, 5)
    views = [base.permute(2, 0, 1), base[:, ::2], base[1:, 1:, 1:], base[:, :1].expand(4, 6, 5), base[:0], base.flip(1)]
    for x in [
        *views,
        torch.tensor(2.5),
        torch.randn(1, 1, 1),
        torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
    ]:
        start()
        check(lambda x: (x * 2 + 1, x.sum(), x.exp().cumsum(-1) if x.ndim else x), [x])


def test_inputs_that_share_memory_and_are_written() -> None:
    def function(x: Any, y: Any) -> Any:
        x.mul_(2)
        y.add_(x.sum())
        return x + y

    outcomes = []
    for each in (compiled(function), function):
        base = torch.arange(8.0)
        outcomes.append((each(base[:4], base[2:6]), base))
    assert_like(*outcomes)


def test_results_that_are_views_of_inputs() -> None:
    x = torch.randn(3, 4)
    rows, same = compiled(lambda x: (x[1:], x))(x)
    rows.fill_(7)
    assert same is x and bool((x[1:] == 7).all())


def test_the_same_result_twice_and_none() -> None:
    check(lambda x: [x.sin(), None, 3, "a", {"b": x * 2}["b"], x.sin()], [torch.randn(3)])


def test_batch_norm_and_buffers() -> None:
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 2))
    for training in (True, False, True):
        start()
        check_model(net, [torch.randn(2, 3, 8, 8)], training)
        assert left_to_pytorch() == []


def test_without_gradients_inside() -> None:
    def function(x: Any) -> Any:
        with torch.no_grad():
            scale = x.abs().amax() + 1
        return (x / scale + x.detach() * 2).sum()

    check(function, [torch.randn(4).requires_grad_()])


def test_autocast() -> None:
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    other, x = copy.deepcopy(net), torch.randn(4, 8)
    jitted = compiled(net)
    with torch.autocast("cpu", torch.bfloat16):
        found, wanted = jitted(x), other(x)
    assert_like(found, wanted)
    found.float().sum().backward(), wanted.float().sum().backward()
    for p, q in zip(net.parameters(), other.parameters()):
        torch.testing.assert_close(p.grad, q.grad, rtol=5e-2, atol=5e-2)


def test_hooks() -> None:
    seen: list[Any] = []
    net = nn.Linear(3, 2)
    net.register_forward_hook(lambda module, args, output: output * 2)
    other = copy.deepcopy(net)
    x, y = (torch.ones(2, 3, requires_grad=True) for _ in range(2))
    x.register_hook(lambda gradient: seen.append(gradient.clone()))
    result = compiled(net)(x)
    result.sum().backward()
    other(y).sum().backward()
    assert_like(x.grad, y.grad)
    assert_like(seen, [y.grad])


def test_gradients_of_some_only() -> None:
    x, w = torch.randn(3, 4), torch.randn(4, 2, requires_grad=True)
    check(lambda x, w: (x @ w).relu(), [x, w])
    check(lambda x, w: (x @ w.detach()).sum() + w.sum(), [x, w])


def test_breaks_of_dynamo() -> None:
    def function(x: Any) -> Any:
        y = x * 2
        torch._dynamo.graph_break()
        if float(y.sum()) > 0:
            return y + 1
        return y - 1

    for sign in (1, -1):
        check(function, [torch.ones(3) * sign])


def test_errors_of_the_program() -> None:
    jitted = compiled(lambda x, i: x[i] * 2)
    assert_like(jitted(torch.arange(4.0), torch.tensor([1, 2])), torch.tensor([2.0, 4.0]))
    with pytest.raises(IndexError):
        jitted(torch.arange(4.0), torch.tensor([1, 9]))


def test_threads() -> None:
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    jitted, x = compiled(net), torch.randn(5, 8)
    with torch.no_grad():
        wanted = jitted(x).clone()
        results: list[Any] = []
        threads = [threading.Thread(target=lambda: results.append(jitted(x))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(results) == 4 and all(bool((each == wanted).all()) for each in results)


def test_memory_is_shared_and_kept() -> None:
    result = compiled(lambda x: x * 2)(torch.ones(1 << 20))
    view = result.numpy()
    del result
    torch.ones(1 << 20).mul_(5)
    assert bool(np.all(view == 2))


class First(nn.Module):
    """The first result of a module."""

    def __init__(self, module: nn.Module):
        super().__init__()
        self.module = module

    def forward(self, *args: Any) -> Any:
        return self.module(*args)[0]


class Tied(nn.Module):
    """A weight that is used twice."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.linear = nn.Embedding(10, 6), nn.Linear(6, 10, bias=False)
        self.linear.weight = self.embedding.weight

    def forward(self, at: Any) -> Any:
        return self.linear(self.embedding(at))


class Checkpointed(nn.Module):
    """A part that the backward pass computes again."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 2)

    def forward(self, x: Any) -> Any:
        return self.second(checkpoint(lambda y: torch.relu(self.first(y)), x, use_reentrant=False))


MODULES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "lstm": (lambda: First(nn.LSTM(8, 6, 2)), (5, 3, 8)),
    "gru": (lambda: First(nn.GRU(8, 6)), (5, 3, 8)),
    "encoder": (lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0, batch_first=True), (5, 3, 8)),
    "tied": (Tied, ()),
    "checkpointed": (Checkpointed, (4, 8)),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules(name: str) -> None:
    made, shape = MODULES[name]
    check_model(made(), [torch.randn(shape) if shape else torch.randint(0, 10, (4, 3))], True)
    assert left_to_pytorch() == []


def test_attention_of_several_arguments() -> None:
    x = torch.randn(5, 3, 8)
    check_model(First(nn.MultiheadAttention(8, 2, batch_first=True)), [x, x, x], True)
    assert left_to_pytorch() == []


def test_inference_mode_and_graphs_that_are_kept() -> None:
    net, x = nn.Linear(4, 2), torch.randn(3, 4)
    with torch.inference_mode():
        torch.testing.assert_close(compiled(net)(x), net(x))
    y = torch.randn(3, requires_grad=True)
    loss = compiled(lambda x: x.sin() * x)(y).sum()
    loss.backward(retain_graph=True)
    once = y.grad.clone()
    loss.backward()
    torch.testing.assert_close(y.grad, 2 * once)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("name", ["bert", "gpt2", "llama"])
def test_models_of_transformers(name: str, training: bool) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not here: tools/test --peers installs it")
    sizes: dict[str, Any] = {"vocab_size": 50, "num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32}
    if name == "bert":
        off = {"hidden_dropout_prob": 0, "attention_probs_dropout_prob": 0}
        model = transformers.BertModel(transformers.BertConfig(**sizes, **off, intermediate_size=64))
    elif name == "gpt2":
        off = {"resid_pdrop": 0, "embd_pdrop": 0, "attn_pdrop": 0}
        config = transformers.GPT2Config(vocab_size=50, n_embd=32, n_layer=2, n_head=4, n_positions=32, **off)
        model = transformers.GPT2LMHeadModel(config)
    else:
        config = transformers.LlamaConfig(**sizes, num_key_value_heads=2, intermediate_size=64)
        model = transformers.LlamaForCausalLM(config)
    check_model(model, [torch.randint(0, 50, (2, 9))], training)
    assert left_to_pytorch() == []


@pytest.mark.skipif(torch.get_num_threads() == 1, reason="PyTorch has one thread")
def test_pytorch_s_threads_do_not_wait_beside_a_graph() -> None:
    program = """if True:
        import os, torch
        from emberjit import torch_backend
        from emberjit.torch_backend import openmp
        threads = lambda: len(os.listdir("/proc/self/task"))
        fast = torch.compile(lambda x: x + 1, backend=torch_backend.backend)
        fast(torch.ones(3))
        alone = threads()
        x = torch.ones(1 << 20)
        y = x * 2
        waiting = threads()
        fast(torch.ones(3))
        print(waiting - alone, threads() - alone, float((x * 3).sum()) == 3 * 2**20, threads() - alone)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    more = torch.get_num_threads() - 1
    assert done.stdout.split() == [str(more), "0", "True", str(more)]


def test_a_forked_process_runs_graphs() -> None:
    program = """if True:
        import os, torch
        from emberjit import torch_backend
        fast = torch.compile(lambda x: x + 1, backend=torch_backend.backend)
        torch.set_num_threads(2)
        fast(torch.ones(4))
        torch.ones(1 << 20).mul_(2)
        child = os.fork()
        if not child:
            torch.set_num_threads(1)
            os._exit(int(fast(torch.ones(4)).sum()) != 8)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == ["0"]


def test_places_in_memory_of_inputs() -> None:
    function = lambda x: torch.as_strided(x, (2,), (1,), 0) * 2
    fast, base = compiled(function), torch.arange(10.0)
    for part in (base[:4], base[4:8], base[2:6]):
        assert_like(fast(part), function(part))
    beyond = lambda x: torch.as_strided(x, (8,), (1,)) * 2
    assert_like(compiled(beyond)(base[:4]), beyond(base[:4]))
