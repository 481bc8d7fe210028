"""ATen's gradients that are rules: of embeddings, activations and layer normalisation in narrow dtypes, attention, and parts
of a tensor. None stays in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not here: tools/test --peers installs it")

from compiled import assert_like, check, left_to_pytorch, start  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from emberjit import torch_backend  # noqa: E402

NAN, INF = float("nan"), float("inf")
NARROW = [torch.bfloat16, torch.float16]


def real(*shape: int, dtype: Any = None, grad: bool = True) -> Any:
    """Numbers that are all different."""
    values = torch.linspace(-3.0, 2.9, torch.Size(shape).numel()).mul(7).sin() * 2.1
    return values.reshape(shape).to(dtype or torch.float32).requires_grad_(grad)


def check_here(function: Callable[..., Any], inputs: list[Any], **options: Any) -> None:
    """As `check`, once compiled anew; all of it must have become graphs."""
    start()
    check(function, inputs, **options)
    assert left_to_pytorch() == []


EMBEDDINGS: list[tuple[Any, bool, tuple[int, ...], Any]] = [
    (None, False, (2, 5), torch.float32),
    (2, False, (2, 5), torch.float32),
    (-1, False, (2, 5), torch.float32),
    (0, False, (), torch.float32),
    (None, True, (2, 5), torch.float32),
    (2, True, (2, 5), torch.float32),
    (2, True, (3, 2, 4), torch.float64),
    (2, True, (2, 5), torch.bfloat16),
    (1, False, (2, 5), torch.float16),
    (1, True, (0, 3), torch.float32),
]


@pytest.mark.parametrize("whole", [torch.int64, torch.int32], ids=str)
@pytest.mark.parametrize(("padding", "by_count", "shape", "dtype"), EMBEDDINGS)
def test_embeddings(padding: int | None, by_count: bool, shape: tuple[int, ...], dtype: Any, whole: Any) -> None:
    at = ((torch.arange(torch.Size(shape).numel()) ** 2) % 5).reshape(shape).to(whole)
    check_here(lambda at, w: F.embedding(at, w, padding, scale_grad_by_freq=by_count) * 2, [at, real(6, 3, dtype=dtype)])


ACTIVATIONS: dict[str, Callable[..., Any]] = {
    "gelu": F.gelu,
    "gelu tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "hardtanh": F.hardtanh,
    "hardtanh of its own": lambda x: F.hardtanh(x, -0.3, 1.3),
    "relu6": F.relu6,
    "relu": F.relu,
    "threshold": lambda x: F.threshold(x, 0.3, -7),
}


@pytest.mark.parametrize("dtype", [*NARROW, torch.float32], ids=str)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str, dtype: Any) -> None:
    check_here(ACTIVATIONS[name], [real(64, dtype=dtype)])


@pytest.mark.parametrize("dtype", [*NARROW, torch.float32], ids=str)
@pytest.mark.parametrize("name", ["tanh", "sigmoid", "hardtanh", "hardtanh of its own", "relu6", "relu", "threshold"])
def test_activations_at_their_edges(name: str, dtype: Any) -> None:
    edges = [-INF, -1.0, -0.3, -0.0, 0.0, 0.3, 1.0, 1.3, 6.0, 7.0, INF, NAN]
    check_here(ACTIVATIONS[name], [torch.tensor(edges, dtype=dtype, requires_grad=True)], calls=1)


@pytest.mark.parametrize("dtype", NARROW, ids=str)
@pytest.mark.parametrize("name", ["gelu", "silu", "tanh", "sigmoid", "threshold"])
def test_gradients_of_narrow_numbers_are_rounded_once(name: str, dtype: Any) -> None:
    """Within one unit in the last place of what PyTorch has."""
    x = torch.linspace(-4, 4, 501).to(dtype).requires_grad_()
    start()
    found, wanted = (
        torch.autograd.grad(function(x).sum(), x)[0]
        for function in (torch.compile(ACTIVATIONS[name], backend=torch_backend.backend), ACTIVATIONS[name])
    )
    unit = torch.finfo(dtype).eps * wanted.float().abs().clamp(min=2.0**-8)
    assert bool(((found.float() - wanted.float()).abs() <= unit).all())


NORMS: list[tuple[tuple[int, ...], tuple[int, ...], bool, bool, bool]] = [
    # shape, normalised, by x, a weight, a bias
    ((5, 8), (8,), True, True, True),
    ((5, 8), (8,), True, False, False),
    ((5, 8), (8,), True, True, False),
    ((5, 8), (8,), False, True, True),
    ((2, 3, 4), (3, 4), True, True, True),
    ((8,), (8,), True, True, True),
    ((0, 8), (8,), True, True, True),
]


@pytest.mark.parametrize("dtype", [*NARROW, torch.float32], ids=str)
@pytest.mark.parametrize(("shape", "inner", "by_x", "weight", "bias"), NORMS)
def test_layer_norm(
    shape: tuple[int, ...], inner: tuple[int, ...], by_x: bool, weight: bool, bias: bool, dtype: Any
) -> None:
    given = [real(*inner, dtype=dtype) if wanted else None for wanted in (weight, bias)]
    check_here(lambda x, w, b: F.layer_norm(x, inner, w, b), [real(*shape, dtype=dtype, grad=by_x), *given])


def _sees(*shape: int) -> Any:
    """A mask by which each row sees something, and not all."""
    count = torch.arange(torch.Size(shape).numel()).reshape(shape)
    return (count % 3 != 1) | (count % shape[-1] == 0)


def _blind(*shape: int) -> Any:
    """A mask by which the second row, and in each batch but the first the first row too, see nothing."""
    mask = _sees(*shape)
    mask[..., 1, :] = False
    mask[1:, ..., 0, :] = False
    return mask


def _added(mask: Any, dtype: Any = torch.float32) -> Any:
    """As numbers to add, -inf where nothing is seen."""
    numbers = real(*mask.shape, grad=False).masked_fill(~mask, -INF)
    return numbers.to(dtype)


ATTENTION: dict[str, tuple[tuple[int, ...], tuple[int, ...], Any, dict[str, Any]]] = {
    # shape of query, of key and value, mask, options
    "no dropout": ((2, 2, 5, 8), (2, 2, 7, 8), None, {"dropout_p": 0.0}),
    "scale": ((2, 2, 5, 8), (2, 2, 7, 8), None, {"scale": 0.3}),
    "one row": ((1, 1, 1, 8), (1, 1, 1, 8), None, {}),
    "causal": ((2, 2, 5, 8), (2, 2, 5, 8), None, {"is_causal": True}),
    "causal, more keys": ((2, 2, 4, 8), (2, 2, 7, 8), None, {"is_causal": True}),
    "causal, more queries": ((2, 2, 7, 8), (2, 2, 4, 8), None, {"is_causal": True}),
    "bools of all": ((2, 3, 5, 8), (2, 3, 7, 8), _sees(2, 3, 5, 7), {}),
    "bools of batches": ((2, 3, 5, 8), (2, 3, 7, 8), _sees(2, 1, 5, 7), {}),
    "bools of heads": ((2, 3, 5, 8), (2, 3, 7, 8), _sees(1, 3, 5, 7), {}),
    "bools of keys": ((2, 3, 5, 8), (2, 3, 7, 8), _sees(2, 1, 1, 7), {}),
    "bools of rows": ((2, 3, 5, 8), (2, 3, 7, 8), _sees(5, 7), {}),
    "numbers of all": ((2, 3, 5, 8), (2, 3, 7, 8), _added(_sees(2, 3, 5, 7)), {}),
    "numbers of batches": ((2, 3, 5, 8), (2, 3, 7, 8), _added(_sees(2, 1, 5, 7)), {}),
    "numbers of heads": ((2, 3, 5, 8), (2, 3, 7, 8), _added(_sees(1, 3, 5, 7)), {}),
    "numbers of keys": ((2, 3, 5, 8), (2, 3, 7, 8), _added(_sees(2, 1, 1, 7)), {}),
    "numbers of rows": ((2, 3, 5, 8), (2, 3, 7, 8), _added(_sees(5, 7)), {}),
    "rows that see nothing": ((2, 3, 5, 8), (2, 3, 7, 8), _blind(2, 1, 5, 7), {}),
    "rows that see nothing, numbers": ((2, 3, 5, 8), (2, 3, 7, 8), _added(_blind(2, 1, 5, 7)), {}),
    "groups": ((2, 6, 5, 8), (2, 2, 7, 8), None, {"enable_gqa": True}),
    "one head for all": ((2, 4, 5, 8), (2, 1, 7, 8), None, {"enable_gqa": True}),
    "groups, causal": ((2, 6, 5, 8), (2, 2, 5, 8), None, {"enable_gqa": True, "is_causal": True}),
    "groups, bools": ((2, 6, 5, 8), (2, 2, 7, 8), _sees(2, 1, 5, 7), {"enable_gqa": True}),
    "groups, numbers, nothing": ((2, 6, 5, 8), (2, 2, 7, 8), _added(_blind(2, 6, 5, 7)), {"enable_gqa": True}),
}


def _run(function: Callable[..., Any], given: list[Any], mask: Any, dtype: Any) -> list[Any]:
    """The result and the gradients by query, key and value, computed in a dtype, from the same numbers."""
    leaves = [x.detach().to(dtype).requires_grad_() for x in given]
    y = function(*leaves, mask.to(dtype) if mask is not None and mask.is_floating_point() else mask)
    weights = torch.linspace(0.5, 1.5, y.numel()).reshape(y.shape).to(dtype)
    return [y.detach(), *torch.autograd.grad((y * weights).sum(), leaves)]


@pytest.mark.parametrize("dtype", [torch.float32, *NARROW], ids=str)
@pytest.mark.parametrize("name", ATTENTION)
def test_attention(name: str, dtype: Any) -> None:
    """Eight units in the last place of the largest result, or gradient, from what PyTorch computes in float64."""
    of_query, of_key, mask, options = ATTENTION[name]
    mask = mask.to(dtype) if mask is not None and mask.is_floating_point() else mask
    given = [real(*shape, dtype=dtype) for shape in (of_query, of_key, of_key)]
    function = lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v * 2, m, **options)
    start()
    found = _run(torch.compile(function, backend=torch_backend.backend), given, mask, dtype)
    wanted, eager = _run(function, given, mask, torch.float64), _run(function, given, mask, dtype)
    largest = max(float(x.abs().max()) for x in wanted[1:])
    for x, y, z, scale in zip(found, wanted, eager, [float(wanted[0].abs().max()), *[largest] * 3]):
        assert (x.shape, x.dtype) == (z.shape, z.dtype)
        assert float((x.double() - y).abs().max()) <= 8 * torch.finfo(dtype).eps * scale
    assert left_to_pytorch() == []


def test_attention_by_a_mask_of_a_wider_dtype() -> None:
    given = [real(2, 2, 5, 8, dtype=torch.bfloat16) for _ in range(3)]
    check_here(F.scaled_dot_product_attention, [*given, _added(_sees(5, 5))])


PARTS: list[Callable[..., Any]] = [
    lambda x: x[1:7:2],
    lambda x: x[:, ::3],
    lambda x: x[-3:] * 2,
    lambda x: x[:, :-1] + x[:, 1:],
    lambda x: x[2:2],
    lambda x: x[1:-1, 1::2],
    lambda x: x[100:],
    lambda x: x[-100:2],
    lambda x: x[-1] * x[0],
    lambda x: x.select(1, -2) + x[:, 1],
]
OF_SIZES: list[Callable[..., Any]] = [
    lambda x: x[: x.shape[0] // 2],
    lambda x: x[x.shape[0] // 2 :],
    lambda x: x[x.shape[0] // 3 :: 2, :-1],
    lambda x: x[: x.shape[0] - 1] * x[1:],
    lambda x: x.select(0, x.shape[0] - 1) + x.select(0, x.shape[0] // 2),
    lambda x: x[:, x.shape[1] // 2] * x[:, -1],
]


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("part", PARTS, ids=range(len(PARTS)))
def test_parts(part: Callable[..., Any], dynamic: bool) -> None:
    check_here(lambda x: part(x * 2) * 3, [real(8, 5)], dynamic=dynamic)


@pytest.mark.parametrize("part", OF_SIZES, ids=range(len(OF_SIZES)))
def test_parts_of_sizes_that_change(part: Callable[..., Any]) -> None:
    start()
    function = lambda x: part(x * 2) * 3
    jitted = torch.compile(function, backend=torch_backend.backend, dynamic=True)
    for n in (8, 5, 9):
        x = real(n, 6)
        found, wanted = jitted(x), function(x)
        assert_like(found, wanted)
        weights = real(*wanted.shape, grad=False)
        assert_like(*(torch.autograd.grad((each * weights).sum(), x)[0] for each in (found, wanted)))
    assert left_to_pytorch() == []
