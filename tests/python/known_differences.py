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


def differs_by_no_mean(got: Any, want: Any) -> bool:
    return [one[2] for one in tensors(want)] == [[math.inf]] and all(x != x for one in tensors(got) for x in one[2])


def name_of(text: str) -> str:
    """The public name that a recorded call is of."""
    inner = text[len("grad(lambda x_: ") :] if text.startswith("grad(lambda x_: ") else text
    if found := re.match(r"(?:ops|mint|numpy|nn|scipy)(?:\.\w+)+", inner):
        return found[0]
    depth, at = 0, 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        at = i if char == "." and depth == 0 else at
    found = re.match(r"\.(\w+)\(", text[at:])
    return f"Tensor.{found[1]}" if found else text


ORDERED = {name for one in deviations.TABLE if "nan" in one.example for name in one.names.split()}
# Of calls with an argument of a wrong kind, with an axis out of range, with elements that are no numbers.
WRONG_KIND = re.compile(r"'no'|\b3\.5\)|=3\.5\b")
WRONG_AXIS = re.compile(r"[(= ]9\)")
SPECIAL = re.compile(r"\b(nan|inf)\(")
_INTERNAL = ("!RuntimeError", "!SystemError", "!AssertionError", "!NotImplementedError", "!SyntaxError", "!UnboundLocalError")
_OF_KINDS = ("!TypeError", "!AttributeError")
_OF_VALUES = ("!ValueError", "!IndexError", "!KeyError", "!ZeroDivisionError", "!MemoryError")
_EQUAL = (("!ValueError", "!IndexError"), ("!IndexError", "!ValueError"), ("!AttributeError", "!TypeError"))
RULES: tuple[tuple[str, Callable[[str, Any, Any], bool]], ...] = (
    ("MindSpore does not have the name", lambda text, got, want: want == "!absent"),
    ("MindSpore has no kernel for a CPU", lambda text, got, want: want == "!unsupported"),
    ("MindSpore crashes or hangs", lambda text, got, want: want in ("!crash", "!hang")),
    ("MindSpore fails within, where it checks nothing", lambda text, got, want: want in _INTERNAL),
    (
        "emberjit takes more dtypes and kinds of operands, and keywords of all names of a function",
        lambda text, got, want: want in _OF_KINDS and not raises(got) and WRONG_KIND.search(text) is None,
    ),
    (
        "emberjit gives a meaning to shapes, empty operands and values that MindSpore refuses",
        lambda text, got, want: want in _OF_VALUES and not raises(got) and WRONG_AXIS.search(text) is None,
    ),
    (
        "emberjit takes the kind of an argument, or an empty operand, and refuses its value or shape",
        lambda text, got, want: want in _OF_KINDS and got in _OF_VALUES and WRONG_KIND.search(text) is None,
    ),
    (
        "emberjit refuses the kind of an operand before its value or shape",
        lambda text, got, want: want in _OF_VALUES and got == "!TypeError" and WRONG_AXIS.search(text) is None,
    ),
    (
        "emberjit checks the kind of every argument",
        lambda text, got, want: got == "!TypeError" and WRONG_KIND.search(text) is not None,
    ),
    (
        "IndexError is the ValueError of an index, and what lacks a method is of a wrong kind",
        lambda text, got, want: (want, got) in _EQUAL,
    ),
    (
        "MindSpore's result changes from call to call: it is of memory that nothing was written to",
        lambda text, got, want: is_random(want) and raises(got),
    ),
    (
        "a result of what is not a number is not a number, and MindSpore's of infinities is often not one",
        lambda text, got, want: SPECIAL.search(text) is not None and differ_in_nan(got, want),
    ),
    (
        "in MindSpore a NaN is below or above all numbers, by the function: see emberjit/deviations.py",
        lambda text, got, want: "nan(" in text and name_of(text) in ORDERED,
    ),
    ("the mean of nothing is NaN, in MindSpore inf", lambda text, got, want: differs_by_no_mean(got, want)),
)
