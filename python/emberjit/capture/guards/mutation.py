"""Mutation of external objects, which a graph cannot repeat in every call, is refused."""

from __future__ import annotations

import _thread
import collections
import contextlib
import operator
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.session.session import Session, current_session

# By name: functions and methods that change their first argument, or the object that they belong to.
_MUTATORS = """
__setattr__ __delattr__ __setitem__ __delitem__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__
__imul__ __ior__ __ipow__ __irshift__ __isub__ __itruediv__ __ixor__ __init__ __setstate__ append appendleft extend
extendleft insert pop popleft popitem remove clear update setdefault add discard sort reverse rotate move_to_end
subtract intersection_update difference_update symmetric_difference_update fill put itemset partition resize setfield
setflags at copyto place putmask put_along_axis fill_diagonal setitem delitem iadd iand ifloordiv ilshift imatmul imod
imul ior ipow irshift isub itruediv ixor iconcat heappush heappop heapify heapreplace heappushpop insort insort_left
insort_right
"""
MUTATORS = frozenset(_MUTATORS.split())


def refused(what: str) -> core.CaptureError:
    """The error for a mutation of something external."""
    return core.CaptureError(
        f"{what} from outside the captured function is changed, which a graph cannot repeat in every call: return the "
        "value and store it outside, or make it a Parameter."
    )


def is_external(value: Any) -> bool:
    """Whether an object is external."""
    session = current_session()
    return session is not None and id(value) in session.external and id(value) not in session.created


def is_created(value: Any) -> bool:
    """Whether captured code has made an object."""
    session = current_session()
    return session is not None and id(value) in session.created


def check_end(session: Session) -> None:
    """Refuses a capture after which something external is not as it was read, or that leaves a generator within a `try` or
    a `with`, which Python would end there."""
    session.copies.check_unchanged()
    changed = session.changed()
    if changed is not None:
        raise refused(f"a {class_name(changed)}")
    if any(generator.waits() for generator in session.generators):
        raise core.CaptureError("a generator is left within a `try` or a `with`, which a graph would not end: exhaust it.")


def restore(session: Session) -> None:
    """Makes external objects what they were when a capture read them, which has changed them after all.

    Not where other threads may be who has.
    """
    if _thread._count() > 0:
        return
    for kind, owner, key, expected in session.all_guards():
        if kind in _RESTORE and not core.holds(kind, owner, key, expected):
            with contextlib.suppress(Exception):
                _RESTORE[kind](owner, key, expected)
    for container, content in session.arguments:
        if not core.same(core.content(container), content):
            _restore_content(container, None, content)


def _restore_content(container: Any, apart: Any, content: Any) -> None:
    """What is in a container, but for the fields of Cells that are `apart`."""
    if isinstance(container, (list, bytearray)):
        container[:] = content
    elif isinstance(container, dict):
        before, kept = dict(zip(content[::2], content[1::2])), apart or ()
        if [name for name in container if name not in kept] != [*before]:
            before |= {name: container[name] for name in container if name in kept}
            container.clear()
        container.update(before)
    elif isinstance(container, (set, collections.deque)):
        container.clear()
        (container.extend if isinstance(container, collections.deque) else container.update)(content)


def _restore_buffer(owner: Any, _: Any, content: Any) -> None:
    if isinstance(content[1], bytes):
        memoryview(owner).cast("B")[:] = content[1]


def _restore_function(function: types.FunctionType, _: Any, expected: Any) -> None:
    function.__code__, function.__defaults__, function.__kwdefaults__ = expected


def _restore_type(cls: type, _: Any, expected: Any) -> None:
    for base, content in expected[1:]:
        before = dict(zip(content[::2], content[1::2]))
        for name in {*before, *vars(base)}:
            if name not in before:
                type.__delattr__(base, name)
            elif vars(base).get(name) is not before[name]:
                type.__setattr__(base, name, before[name])


_RESTORE: dict[str, Any] = {
    "attribute": lambda owner, name, value: (type if isinstance(owner, type) else object).__setattr__(owner, name, value),
    "class": lambda owner, _, cls: object.__setattr__(owner, "__class__", cls),
    "type": _restore_type,
    "function": _restore_function,
    "item": operator.setitem,
    "absent": lambda names, name, _: names.pop(name),
    "cell": lambda cell, _, value: setattr(cell, "cell_contents", value),
    "content": _restore_content,
    "buffer": _restore_buffer,
}


def class_name(owner: Any) -> str:
    """The name of a class or module, or else of an object's class."""
    return type(owner).__name__ if not isinstance(owner, (type, types.ModuleType)) else owner.__name__
