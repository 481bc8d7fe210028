"""Namespaces that are the globals of compiled statements: local variables after the helpers that rewritten code calls."""

from __future__ import annotations

import itertools
from typing import Any

from emberjit.capture.state.namespace import Namespace


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
