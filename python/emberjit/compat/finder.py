"""Finds modules by MindSpore's paths: below `emberjit` this package's, and under alias.install() all below `mindspore`; and
says of names of other libraries' that nobody finds what they are here."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from emberjit.compat import PATHS


class Finder:
    """Knows what the paths below a package, `emberjit` or `mindspore`, stand for. Their list loads with the first."""

    def __init__(self, package: str):
        self.package = package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module with a path of MindSpore's; None of any other."""
        package, _, below = fullname.partition(".")
        if package != self.package or (package == "emberjit" and below.partition(".")[0] not in PATHS):
            return None
        spec: ModuleSpec | None = importlib.import_module("emberjit.compat.alias").spec_of(fullname)
        return spec


class UnknownNames:
    """The last to be asked. `from emberjit import compile` asks for a module of this name, as the package has no such
    attribute."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Finds nothing.

        Raises:
            ModuleNotFoundError: hints know the name.
        """
        package, _, name = fullname.rpartition(".")
        top, _, scope = package.partition(".")
        if top in ("emberjit", "mindspore"):
            known = importlib.import_module("emberjit.hints").hint(name, (scope,))
            if known:
                raise ModuleNotFoundError(f"cannot import name '{name}' from '{package}'{known}")
