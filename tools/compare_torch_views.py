"""Compares gradients through random programs of views and writes with PyTorch's: eagerly, and captured by ast and bytecode.
In an environment with torch:

    PYTHONPATH=python:tests/python/generated python tools/compare_torch_views.py [PROGRAMS] [--first SEED]

Programs that PyTorch refuses, as where a value is overwritten that a gradient needs, are not compared, nor are gradients
that are not finite. Exit status 1: some differ."""

from __future__ import annotations

import argparse
import collections
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import random_view_gradients
import torch
from programs import Module, gradients, gradients_by_ways

TELL_EVERY = 500
MAX_BAD = 10


def expected(module: Module, name: str) -> Any:
    """PyTorch's gradients, or why there are none."""
    leaves = module.names["leaves"]
    try:
        grads = torch.autograd.grad(module.names[name](*leaves)[0], leaves, allow_unused=True)
    except Exception as error:
        return re.sub(r"\d+", "#", f"{type(error).__name__}: {error}".split(". ")[0].split("\n")[0])[:90]
    grads = [np.zeros(leaf.shape, leaf.detach().numpy().dtype) if g is None else g.numpy() for g, leaf in zip(grads, leaves)]
    return grads if all(np.isfinite(g).all() and (abs(g) < 1e12).all() for g in grads) else "not finite"


def alike(actual: Any, reference: list[Any]) -> bool:
    """Whether gradients differ by no more than rounding of complex64."""
    pairs = list(zip(actual, reference)) if isinstance(actual, list) else []
    largest = max(float(abs(g).max()) for g in reference)
    return bool(pairs) and all(a.dtype == b.dtype and np.allclose(a, b, 1e-3, 1e-5 * max(1.0, largest)) for a, b in pairs)


def compare(seed: int) -> Iterator[tuple[str, str]]:
    """For each function of a program what became of it, and the text of what differs."""
    text = random_view_gradients.write(seed)
    ours = Module(text, f"<{seed}>")
    theirs = Module(random_view_gradients.of_torch(text), f"<{seed} of PyTorch>")
    for name in ours.names["differentiated"]:
        reference = expected(theirs, name)
        if isinstance(reference, str):
            yield reference, ""
            continue
        ways = (("eagerly", gradients(ours.names[name], ours.names["leaves"])), *gradients_by_ways(text, name))
        wrong = [f"{name} {way}: {actual}" for way, actual in ways if not alike(actual, reference)]
        yield ("differ", "\n".join([f"# {seed}", text, *wrong, f"PyTorch: {reference}"])) if wrong else ("agree", "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="?", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts: collections.Counter[str] = collections.Counter()
    for seed in range(options.first, options.first + options.programs):
        for what, text in compare(seed):
            counts[what] += 1
            print(text, end="\n" if text else "")
        if (seed + 1) % TELL_EVERY == 0:
            print(f"{seed + 1}: {dict(counts.most_common())}", flush=True)
        if counts["differ"] >= MAX_BAD:
            break
    print(f"{dict(counts.most_common())}")
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
