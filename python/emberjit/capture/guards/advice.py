"""What a user may write so that calls which differ share a graph, by the guard that failed."""

from __future__ import annotations

from types import FunctionType
from typing import Any

READ_ALONE = frozenset(("item", "element", "cell", "attribute"))  # kinds of guards on one value
_OF_KIND = {
    "constant": "Python needs the value itself: numbers that only Tensors meet may be passed as `Tensor(value)`",
    "value": "Python needs the value itself: numbers that only Tensors meet may be passed as `Tensor(value)`",
    "symbols": "each outcome has one graph: sizes and numbers that decide it alike share it; 0 and 1 decide by themselves",
    "structure": "pass arguments that are nested alike, of the same classes",
    "parameter": "pass the same Parameters, or jit what each call has of its own",
    "precision": "choose amp's rules before the first call",
    "class": "put objects of one class there",
    "type": "leave classes as they are once they are in use",
    "function": "leave functions' code and defaults as they are once they are in use",
    "content": "keep what code looks through the same, or read only the items that it needs",
    "absent": "keep the same names there",
    "missing": "keep the same names there",
    "fields": "keep the same names there",
    "buffer": "pass arrays whose elements change as arguments, as `Tensor(array)`",
}

_TEXT = "each text has a graph of its own: pass the same one, or use it outside"
_OBJECT = "each object has a graph of its own: make it once, outside of what is called again"


def advice(kind: str, held: Any, met: Any) -> str:
    """A clause, such as "define the function once, outside of what is called again"."""
    if kind in ("constant", "value") and not isinstance(held, (int, float)):
        return _TEXT if isinstance(held, (str, bytes)) else _OBJECT
    if kind not in READ_ALONE:
        return _OF_KIND.get(kind, "")
    if type(held) is type(met) is FunctionType and held.__code__ is met.__code__:
        return "define the function once, outside of what is called again"
    if type(held) in (int, float) and type(met) is type(held):
        return "it is read anew in each call from now on"
    if type(held) is type(met) and type(held) not in (str, bytes, bool):
        return "make the object once, outside of what is called again, or pass it as an argument"
    return "it is a constant of the graph: what differs from call to call is better an argument"
