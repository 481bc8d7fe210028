"""Namespaces that are the globals of compiled statements: local variables after the helpers that rewritten code calls."""

from __future__ import annotations

import itertools
from typing import Any

from emberjit.capture.state.namespace import Namespace

HELPER_PREFIX = "__ember_"  # of names in code that the capture has made
_FUNCTION = 2  # CO_NEWLOCALS, of code that is no module's


class TreeNamespace(Namespace):
    """The variables of a function that is followed by its syntax tree."""

    function = "<module>"  # the name that tracebacks show
    first = ""  # the name of the first parameter

    def __init__(
        self, cells: dict[str, Any], global_names: dict[str, Any], local_names: frozenset[str], helpers: dict[str, Any]
    ):
        super().__init__(cells, global_names, local_names)
        self.helpers = helpers
        self.update(helpers)

    def shown_by(self, frame: Any) -> tuple[Any, str, bool]:
        """What tells the call that a frame of compiled code is of, the function's name, and whether the frame is of a part
        of a statement."""
        code = frame.f_code
        part = any(name.startswith(HELPER_PREFIX) for name in code.co_varnames)
        return (self, self.function, part) if part or not code.co_flags & _FUNCTION else (frame, code.co_name, False)

    def variables(self) -> dict[str, Any]:
        """The variables that have values."""
        return dict(itertools.islice(dict.items(self), len(self.helpers), None))


class InnerNamespace(TreeNamespace):
    """The variables of a function within another, of which it sets some: those that it declares `nonlocal`."""

    def __init__(self, owners: dict[str, Any], *rest: Any):
        super().__init__(*rest)
        self.owners = owners

    def __setitem__(self, name: str, value: Any) -> None:
        owner = self.owners.get(name)
        if owner is None:
            dict.__setitem__(self, name, value)
        else:
            owner[name] = value

    def __delitem__(self, name: str) -> None:
        owner = self.owners.get(name)
        if owner is None:
            dict.__delitem__(self, name)
        else:
            del owner[name]
