"""What the programs of tests/python/generated/random_view_gradients.py do, to PyTorch's tensors."""

from __future__ import annotations

import torch
import views_helpers

diagonal, flat, zero = views_helpers.diagonal, views_helpers.flat, views_helpers.zero


def square(first, step, dtype="float64"):
    return torch.from_numpy(views_helpers.elements(first, step, dtype)).requires_grad_()


def copied(v):
    return v.clone() if isinstance(v, torch.Tensor) else v


def transposed(x):
    return x.t()


def fresh(x):
    return x.resolve_conj().clone(memory_format=torch.contiguous_format)


def plus(x, v):
    return fresh(x + v)


def inserted(x):
    return x[None]


def conj(x):
    return fresh(x.conj())


def real(x):
    return x.real


def imag(x):
    return x.imag


def pairs(x):
    return torch.view_as_real(x)


def joined(x):
    """A view where there can be one."""
    apart = x.stride(1) != 1 or (len(x) > 1 and x.stride(0) % 2) or x.storage_offset() % 2
    return torch.view_as_complex(fresh(x) if apart else x)


def add(x, v):
    return x.add_(copied(v))


def sub(x, v):
    return x.sub_(copied(v))


def mul(x, v):
    return x.mul_(copied(v))


times = mul


def copy(x, v):
    return x.copy_(copied(v)) if isinstance(v, torch.Tensor) else x.fill_(v)


def fill(x, v):
    return x.fill_(v)


def clamp(x, v):
    return x.clamp_(v, 50)


def chosen(x, where):
    return x.masked_fill_(where, 1.0)


def product(x, v):
    return fresh(x * v * 0.25)


def sine(x):
    return fresh(torch.sin(x))


def where(x, condition, v):
    return fresh(torch.where(condition, x, v))


def put(x, places, v, accumulate):
    values = copied(v)[0] if isinstance(v, torch.Tensor) else torch.tensor(v)
    return x.index_put_((torch.tensor(places),), values.to(x.dtype), accumulate)


def loss(results):
    total = 0
    for x in results:
        weights = torch.arange(1.0, x.numel() + 1, dtype=torch.float64).reshape(x.shape) / x.numel()
        part = (x * x * weights).sum()
        total = total + (part.real if part.is_complex() else part)
    return total


after = views_helpers.after
