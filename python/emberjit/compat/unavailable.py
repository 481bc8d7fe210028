"""Names that can be imported, and whose use is an error that says why: what they are for is not there."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from emberjit.spelling import UnknownName, advice


def refusing(
    module: str, scope: str, reasons: dict[str, str], bases: tuple[type, ...] = ()
) -> tuple[Callable[[str], Any], dict[str, str]]:
    """A module's __getattr__ for such names, and why by name. Those that begin with a capital letter are classes.

    Args:
        module: the module's name.
        scope: that of the public names, as "emberjit.ops".
        reasons: what follows the name in the error, by the names, several to a text.
        bases: of the classes.
    """
    why = {name: reason for reason, names in reasons.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in why:
            message = f"module '{module}' has no attribute '{name}'"
            raise UnknownName(message, name, lambda: advice(name, [scope.removeprefix("emberjit.")], why))
        return vars(sys.modules[module]).setdefault(name, _placeholder(scope, name, why[name], bases))

    return get, why


def _placeholder(scope: str, name: str, why: str, bases: tuple[type, ...]) -> Any:
    def refuse() -> NoReturn:
        raise NotImplementedError(f"emberjit has no '{'.'.join([*scope.split('.')[1:], name])}': it {why}.")

    def unavailable(*args: Any, **kwargs: Any) -> NoReturn:
        refuse()

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        refuse()

    is_class = name.lstrip("_")[0].isupper()
    placeholder: Any = (
        types.new_class(name, bases, {}, lambda fields: fields.update(__init__=__init__)) if is_class else unavailable
    )
    placeholder.__name__, placeholder.__qualname__, placeholder.__module__ = name, name, scope
    placeholder.__doc__ = f"It {why}.\n\n    Raises:\n        NotImplementedError: always.\n    "
    return placeholder
