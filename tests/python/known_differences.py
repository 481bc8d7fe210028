"""Why emberjit's results of recorded calls (test_mindspore.py) may differ from MindSpore's: rules, and a list. What users meet of
them is in emberjit/deviations.py."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from emberjit import deviations


def raises(found: Any) -> bool:
    return isinstance(found, str) and found[:1] == "!"


def is_tensor(found: Any) -> bool:
    return len(found) == 3 and isinstance(found[0], str) and found[0].isalnum() and isinstance(found[1], list)


def is_random(want: Any) -> bool:
    """Whether MindSpore gave something else the second time."""
    return isinstance(want, list) and (want[2] is None if is_tensor(want) else any(map(is_random, want)))


def tensors(found: Any) -> list[Any]:
    if not isinstance(found, list):
        return []
    return [found] if is_tensor(found) else [one for item in found for one in tensors(item)]


def differ_in_nan(got: Any, want: Any) -> bool:
    """Whether dtypes and shapes agree, and elements but where one is NaN."""
    pairs = list(zip(tensors(got), tensors(want)))
    return bool(pairs) and all(
        g[:2] == w[:2] and w[2] is not None and all(a == b or a != a or b != b or abs(a - b) < 1e-3 * (1 + abs(b)) for a, b in zip(g[2], w[2]))
        for g, w in pairs
    )


def has_nan(found: Any) -> bool:
    return any(value != value for one in tensors(found) for value in one[2] or ())


WRONG_KIND = re.compile(r"'no'|\b3\.5\)|=3\.5\b|'no'\)")
SPECIAL = re.compile(r"\b(nan|inf)\(")
RULES: tuple[tuple[str, Callable[[str, Any, Any], bool]], ...] = (
    ("MindSpore does not have the name", lambda text, got, want: want == "!absent"),
    ("MindSpore has no kernel for a CPU", lambda text, got, want: want == "!unsupported"),
    ("MindSpore crashes or hangs", lambda text, got, want: want in ("!crash", "!hang")),
    (
        "a RuntimeError is what MindSpore's kernels fail with, not a check of arguments",
        lambda text, got, want: want in ("!RuntimeError", "!SystemError", "!AssertionError", "!NotImplementedError"),
    ),
    (
        "emberjit takes more dtypes and kinds of operands, and keywords of all names of a function",
        lambda text, got, want: want in ("!TypeError", "!AttributeError") and not raises(got) and not WRONG_KIND.search(text),
    ),
    (
        "emberjit checks the kind of every argument",
        lambda text, got, want: got == "!TypeError" and WRONG_KIND.search(text) is not None,
    ),
    (
        "IndexError is the ValueError of an index, and what lacks a method is a TypeError",
        lambda text, got, want: (want, got) in (("!ValueError", "!IndexError"), ("!IndexError", "!ValueError"), ("!AttributeError", "!TypeError")),
    ),
    (
        "MindSpore's result changes from call to call: it is of memory that nothing was written to",
        lambda text, got, want: is_random(want) and raises(got),
    ),
    (
        "a result of what is not a number is not a number, and MindSpore's of infinities is often not one",
        lambda text, got, want: SPECIAL.search(text) is not None and differ_in_nan(got, want),
    ),
)
