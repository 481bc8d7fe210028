"""Each of ATen's ops that has a rule, by functions of PyTorch's that need it: none stays in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not here: tools/test --peers installs it")

from compiled import check, left_to_pytorch, start  # noqa: E402
from torch.nn import functional as F  # noqa: E402


def real(*shape: int, grad: bool = True, dtype: Any = None) -> Any:
    values = torch.linspace(-2.0, 2.0, max(1, torch.Size(shape).numel())).sin() * 1.7
    return values.reshape(shape).to(dtype or torch.float32).requires_grad_(grad)


def positive(*shape: int) -> Any:
    return (real(*shape, grad=False).abs() + 0.3).requires_grad_(True)


def whole(*shape: int, high: int = 5, dtype: Any = None) -> Any:
    return (torch.arange(torch.Size(shape).numel()).reshape(shape) * 7 % high).to(dtype or torch.int64)


def flags(*shape: int) -> Any:
    return whole(*shape) % 2 == 0


def each(module: Any, names: str, *operands: Any) -> list[Any]:
    """The functions of these names, on the same operands."""
    return [(name, getattr(module, name), list(operands)) for name in names.split()]


OPS: list[tuple[str, Callable[..., Any], list[Any]]] = [
    *each(torch, "abs asinh atan ceil cos cosh erf erfc exp exp2 expm1 floor neg round sigmoid sign sin sinh", real(3, 4)),
    *each(torch, "square tanh trunc", real(3, 4)),
    *each(torch, "log log10 log1p log2 reciprocal rsqrt sqrt", positive(3, 4)),
    *each(torch, "acosh", positive(3, 4).detach() + 1),
    *each(torch, "exp sqrt sigmoid abs neg sign", whole(3, 4)),
    *each(torch, "acos asin atanh tan", real(3, 4).detach() * 0.4),
    *each(F, "relu relu6 silu mish hardswish hardsigmoid selu gelu leaky_relu elu softplus hardtanh logsigmoid", real(3, 4)),
    ("gelu tanh", lambda x: F.gelu(x, approximate="tanh"), [real(3, 4)]),
    *each(torch, "add sub mul div maximum minimum atan2", real(3, 4), real(4)),
    *each(torch, "add sub mul div pow fmod remainder", real(3, 4), 1.5),
    *each(torch, "add sub mul div", whole(3, 4), real(4)),
    *each(torch, "add sub mul div pow", whole(3, 4), 2.5),
    *each(torch, "add sub mul div pow fmod remainder", whole(3, 4), 2),
    *each(torch, "add mul eq lt", whole(3, 4, dtype=torch.int32), whole(3, 4)),
    *each(torch, "eq ne lt le gt ge", real(3, 4), real(4)),
    *each(torch, "eq ne lt le gt ge", whole(3, 4), 2.5),
    *each(torch, "logical_and logical_or logical_xor", flags(3, 4), flags(4)),
    *each(torch, "bitwise_and bitwise_or bitwise_xor", whole(3, 4), whole(4)),
    ("logical_not", torch.logical_not, [real(3, 4, grad=False)]),
    ("bitwise_not", torch.bitwise_not, [flags(3)]),
    ("isnan", lambda x: torch.isnan(x / x.abs().clamp(min=0.5).floor()), [real(3, 4, grad=False)]),
    ("rsub", lambda x: 3 - x, [real(3)]),
    ("add alpha", lambda x, y: torch.add(x, y, alpha=0.5), [real(3), real(3)]),
    ("div floor", lambda x: torch.div(x, 0.7, rounding_mode="floor"), [real(7, grad=False)]),
    ("div trunc", lambda x: torch.div(x, 2, rounding_mode="trunc"), [whole(7) - 3]),
    ("floor_divide", lambda x: x // 2, [whole(7) - 3]),
    ("power of number", lambda x: 2.0**x, [real(3)]),
    ("clamp", lambda x: x.clamp(-0.5, 1), [real(3, 4)]),
    ("clamp one side", lambda x: x.clamp(min=0.1) + x.clamp(max=0.2), [real(3, 4)]),
    ("clamp by tensors", lambda x, y: torch.clamp(x, y, y + 1), [real(3, 4, grad=False), real(4, grad=False)]),
    ("where", torch.where, [flags(3, 4), real(3, 4), real(4)]),
    ("where number", lambda c, x: torch.where(c, x, 2), [flags(3, 4), real(3, 4)]),
    ("masked_fill", lambda x, m: x.masked_fill(m, float("-inf")), [real(3, 4), flags(3, 4)]),
    ("to", lambda x: x.to(torch.float64), [real(3)]),
    ("to int", lambda x: (x * 3).to(torch.int32), [real(3, grad=False)]),
    ("bool", lambda x: x.bool(), [real(3, grad=False)]),
    ("view", lambda x: x.view(4, -1), [real(3, 4)]),
    ("permute", lambda x: x.permute(2, 0, 1) * 2, [real(2, 3, 4)]),
    ("transposed result", lambda x: (x * 2).t(), [real(2, 3)]),
    ("expand", lambda x: x.expand(2, 3, -1) + 1, [real(3, 4)]),
    ("squeeze", lambda x: x.squeeze(1).unsqueeze(0) * x.squeeze(), [real(3, 1, 4)]),
    ("slices", lambda x: x[1:, ::2] + x[:-1, 1:3], [real(3, 4)]),
    ("select", lambda x: x[:, 1] * x.select(1, -1), [real(3, 4)]),
    ("cat", lambda x, y: torch.cat([x, y, x], -1), [real(3, 2), real(3, 4)]),
    ("cat dtypes", lambda x, y: torch.cat([x, y]), [real(3), whole(2)]),
    ("stack", lambda x, y: torch.stack([x, y], 1), [real(3), real(3)]),
    ("split", lambda x: x.split(2, 1), [real(3, 5)]),
    ("split sizes", lambda x: x.split([1, 3, 1], 1), [real(3, 5)]),
    ("chunk", lambda x: x.chunk(2, 0), [real(4, 2)]),
    ("unbind", lambda x: x.unbind(1), [real(3, 2)]),
    ("flip", lambda x: x.flip(0, 1), [real(3, 2)]),
    ("roll", lambda x: x.roll((1, -1), (0, 1)), [real(3, 4)]),
    ("repeat", lambda x: x.repeat(2, 1, 3), [real(2, 3)]),
    ("pad", lambda x: F.pad(x, (1, 2, 0, 1), value=0.5), [real(2, 3)]),
    ("tril", lambda x: x.tril(1) + x.triu(-1), [real(4, 4)]),
    ("slice_scatter", lambda x, y: torch.slice_scatter(x, y, 1, 1, 3), [real(3, 4), real(3, 2)]),
    ("select_scatter", lambda x, y: torch.select_scatter(x, y, 0, 1), [real(3, 4), real(4)]),
    ("in place", lambda x: x.clone().mul_(2).add_(1)[:, 1:].relu_(), [real(3, 4)]),
    ("writes a part", lambda x: _written(x), [real(3, 4)]),
    ("index", lambda x, i: x[i], [real(5, 3), whole(4)]),
    ("index two", lambda x, i: x[i, :, i], [real(5, 2, 5), whole(4)]),
    ("index_put", lambda x, i, v: x.index_put((i,), v), [real(5, 3), torch.tensor([0, 3]), real(2, 3)]),
    ("index_put by a mask", lambda x, m: x.index_put((m,), x.sum()), [real(5, 3), flags(5, 3)]),
    ("index_put by rows", lambda x, m: x.index_put((m,), torch.tensor(2.5), accumulate=True), [real(5, 3), flags(5)]),
    ("as_strided", lambda x: torch.as_strided(x * 2, (2, 3, 2), (10, 2, 1), 3), [real(4, 5)]),
    ("as_strided whole", lambda x: torch.as_strided(x.t() + 1, (4, 5), (5, 1)), [real(4, 5)]),
    ("as_strided of one", lambda x: torch.as_strided(x.exp().detach(), (3, 3), (0, 0), 2) * x[0], [real(4)]),
    ("index_put adds", lambda x, i, v: x.index_put((i,), v, accumulate=True), [real(5, 3), whole(4, high=2), real(4, 3)]),
    (
        "index_put two",
        lambda x, i, v: torch.ops.aten.index_put(x, [None, i, i], v, True),
        [real(2, 5, 5, 3), whole(4), real(2, 4, 3)],
    ),
    (
        "index_put apart",
        lambda x, i, v: torch.ops.aten.index_put(x, [i, None, i], v),
        [real(5, 2, 5), torch.tensor([0, 3]), real(2, 2)],
    ),
    ("index_select", lambda x, i: x.index_select(1, i), [real(3, 5), whole(4)]),
    ("gather", lambda x, i: x.gather(1, i), [real(3, 5), whole(3, 2)]),
    ("scatter", lambda x, i, v: x.scatter(1, i, v), [real(3, 5), torch.tensor([[0, 2], [1, 3], [4, 0]]), real(3, 2)]),
    ("scatter number", lambda x, i: x.scatter(1, i, 2.5), [real(3, 5), whole(3, 2)]),
    ("scatter_add", lambda x, i, v: x.scatter_add(1, i, v), [real(3, 5), whole(3, 4, high=2), real(3, 4)]),
    ("embedding", F.embedding, [whole(2, 3), real(5, 4)]),
    ("arange", lambda x: x + torch.arange(1, 9, 2), [real(4)]),
    ("full", lambda x: x + torch.full((3,), 0.5) + torch.zeros(3) + torch.ones_like(x), [real(3)]),
    ("sum", lambda x: (x.sum(), x.sum(1), x.sum((0, 2), keepdim=True)), [positive(2, 3, 4)]),
    ("sum of bools", lambda x: x.sum(0), [flags(3, 4)]),
    ("mean", lambda x: (x.mean(), x.mean(-1)), [real(2, 3)]),
    ("prod", lambda x: (x.prod(), x.prod(1)), [real(2, 3)]),
    ("amax", lambda x: (x.amax(1), x.amin((0, 1))), [real(3, 4)]),
    ("max", lambda x: x.max(1), [real(3, 4)]),
    ("min", lambda x: tuple(x.min(0, keepdim=True)), [real(3, 4)]),
    ("argmax", lambda x: (x.argmax(1), x.argmin()), [real(3, 4, grad=False)]),
    ("any", lambda x: (x.any(), x.any(1), x.all(0), x.all()), [flags(3, 4)]),
    ("var", lambda x: (x.var(1), x.std(), torch.var_mean(x, 0, correction=0)[0]), [real(3, 4)]),
    ("cumsum", lambda x: x.cumsum(1), [real(3, 4)]),
    ("topk", lambda x: tuple(x.topk(2, 1)), [real(3, 4)]),
    ("logsumexp", lambda x: x.logsumexp(1), [real(3, 4)]),
    ("softmax", lambda x: x.softmax(-1), [real(3, 4)]),
    ("log_softmax", lambda x: x.log_softmax(0), [real(3, 4)]),
    ("cross_entropy", F.cross_entropy, [real(3, 4), whole(3, high=4)]),
    ("mse_loss", F.mse_loss, [real(3, 4), real(3, 4)]),
    ("matmul", torch.matmul, [real(2, 3, 4), real(2, 4, 5)]),
    ("matmul broadcast", torch.matmul, [real(2, 1, 3, 4), real(5, 4, 2)]),
    ("vectors", lambda x, y: (x @ y, x.dot(y)), [real(4), real(4)]),
    ("linear", F.linear, [real(3, 4), real(5, 4), real(5)]),
    ("baddbmm", lambda c, a, b: torch.baddbmm(c, a, b, beta=0.5, alpha=2), [real(2, 3, 5), real(2, 3, 4), real(2, 4, 5)]),
    ("conv1d", lambda x, w, b: F.conv1d(x, w, b, stride=2, padding=1), [real(2, 3, 9), real(4, 3, 3), real(4)]),
    ("conv2d", lambda x, w, b: F.conv2d(x, w, b, padding=1, dilation=2), [real(2, 3, 9, 8), real(4, 3, 3, 3), real(4)]),
    ("conv2d groups", lambda x, w: F.conv2d(x, w, groups=2, stride=(2, 1)), [real(2, 4, 9, 8), real(6, 2, 3, 3)]),
    ("conv3d", F.conv3d, [real(1, 2, 4, 5, 6), real(3, 2, 2, 2, 2)]),
    (
        "conv_transpose2d",
        lambda x, w: F.conv_transpose2d(x, w, stride=2, output_padding=1),
        [real(2, 3, 4, 4), real(3, 2, 3, 3)],
    ),
    ("max_pool2d", lambda x: F.max_pool2d(x, 3, 2, 1), [real(2, 3, 8, 9)]),
    ("avg_pool2d", lambda x: F.avg_pool2d(x, 3, 2, 1), [real(2, 3, 8, 9)]),
    ("avg_pool2d inner", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), [real(2, 3, 8, 9)]),
    ("adaptive_avg_pool2d", lambda x: F.adaptive_avg_pool2d(x, (3, 2)), [real(2, 3, 8, 9)]),
    ("layer_norm", lambda x, w, b: F.layer_norm(x, (4,), w, b), [real(3, 4), real(4), real(4)]),
    ("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b), [real(2, 4, 5), real(4), real(4)]),
    ("rms_norm", lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w, [real(3, 4), real(4)]),
    ("attention", F.scaled_dot_product_attention, [real(2, 2, 5, 8), real(2, 2, 7, 8), real(2, 2, 7, 8)]),
    ("causal", lambda q: F.scaled_dot_product_attention(q, q + 1, q * 2, is_causal=True), [real(2, 2, 5, 8)]),
    ("masked", lambda q, m: F.scaled_dot_product_attention(q, q, q, m), [real(1, 2, 5, 8), flags(1, 1, 5, 5)]),
]


def _written(x: Any) -> Any:
    y = x * 2
    y[1:, :2] = 0.5
    y[0] += 1
    return y


@pytest.mark.parametrize(("name", "function", "inputs"), OPS, ids=[name for name, _, _ in OPS])
def test_like_pytorch(name: str, function: Callable[..., Any], inputs: list[Any]) -> None:
    start()
    check(function, [x.detach().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x for x in inputs])
    assert left_to_pytorch() == []


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16], ids=str)
def test_other_dtypes(dtype: Any) -> None:
    def function(x: Any, w: Any) -> Any:
        return (F.gelu(x @ w).softmax(-1) * 3 + x.sum(1, keepdim=True)).tanh()

    start()
    check(function, [real(3, 4, dtype=dtype), real(4, 4, dtype=dtype)])
    assert left_to_pytorch() == []
