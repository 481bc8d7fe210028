"""Checks of arguments as programs for MindSpore make them with mindspore._checkparam: its order of arguments and its words,
where emberjit's own are those of emberjit.checks. All return the argument. Another type is a TypeError and another value a
ValueError, if not said."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = range(1, 13)
_COMPARE: dict[int, tuple[str, Callable[[Any, Any], bool]]] = {
    **{EQ: ("=", operator.eq), NE: ("!=", operator.ne), LT: ("<", operator.lt)},
    **{LE: ("<=", operator.le), GT: (">", operator.gt), GE: (">=", operator.ge)},
}
_BOUNDS = {INC_NEITHER: (GT, LT, "()"), INC_LEFT: (GE, LT, "[)"), INC_RIGHT: (GT, LE, "(]"), INC_BOTH: (GE, LE, "[]")}


def _head(arg_name: str | None, prim_name: str | None, of: str = "") -> str:
    what = f"{of}'{arg_name}'" if arg_name else f"{of}input value"
    return f"For '{prim_name}', the {what}" if prim_name else f"The {what}"


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)


def _listed(kinds: Any) -> list[Any]:
    return list(kinds) if isinstance(kinds, Iterable) else [kinds]


def _check_number(value: Any, bound: Any, rel: int, kind: type, arg_name: str | None, prim_name: str | None) -> Any:
    sign, holds = _COMPARE[rel]
    if not _is(value, kind) or not holds(value, bound):
        raise (ValueError if _is(value, kind) else TypeError)(
            f"{_head(arg_name, prim_name)} must be {kind.__name__} and must {sign} {bound}, but got '{value}' with type "
            f"'{type(value).__name__}'."
        )
    return value


def check_int(arg_value: Any, value: int, rel: int, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks an int against another by a relation, EQ to GE."""
    return int(_check_number(arg_value, value, rel, int, arg_name, prim_name))


def check_float(arg_value: Any, value: float, rel: int, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Checks a float against another by a relation, EQ to GE."""
    return float(_check_number(arg_value, value, rel, float, arg_name, prim_name))


def check_number(arg_name: str, arg_value: Any, value: Any, rel: int, prim_name: str | None = None) -> Any:
    """Checks a number against another by a relation, EQ to GE."""
    sign, holds = _COMPARE[rel]
    if not holds(arg_value, value):
        raise ValueError(f"{_head(arg_name, prim_name)} must {sign} {value}, but got {arg_value}.")
    return arg_value


def check_equal_int(arg_value: Any, value: int, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that an int is another."""
    return check_int(arg_value, value, EQ, arg_name, prim_name)


def check_positive_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that an int is above 0."""
    return check_int(arg_value, 0, GT, arg_name, prim_name)


def check_negative_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that an int is below 0."""
    return check_int(arg_value, 0, LT, arg_name, prim_name)


def check_non_negative_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that an int is at least 0."""
    return check_int(arg_value, 0, GE, arg_name, prim_name)


def check_positive_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Checks that a float is above 0."""
    return check_float(arg_value, 0, GT, arg_name, prim_name)


def check_non_negative_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Checks that a float is at least 0."""
    return check_float(arg_value, 0, GE, arg_name, prim_name)


def check_is_number(arg_value: Any, arg_type: type, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Checks that a number is of a type, and finite."""
    if not _is(arg_value, arg_type):
        head = _head(arg_name, prim_name, "type of ")
        raise TypeError(f"{head} must be '{arg_type.__name__}', but got '{type(arg_value).__name__}'.")
    if arg_type is float and not math.isfinite(arg_value):
        raise ValueError(f"{_head(arg_name, prim_name)} must be a legal value, but got '{arg_value}'.")
    return arg_value


def check_is_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that a value is an int."""
    return int(check_is_number(arg_value, int, arg_name, prim_name))


def check_is_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Checks that a value is a float, and finite."""
    return float(check_is_number(arg_value, float, arg_name, prim_name))


def _check_range(
    value: Any, lower: Any, upper: Any, rel: int, kind: type, arg_name: str | None, prim_name: str | None
) -> Any:
    check_is_number(value, kind, arg_name, prim_name)
    above, below, signs = _BOUNDS[rel]
    if not (_COMPARE[above][1](value, lower) and _COMPARE[below][1](value, upper)):
        within = f"{signs[0]}{lower}, {upper}{signs[1]}"
        head = _head(arg_name, prim_name)
        raise ValueError(f"{head} must be in range of {within}, but got {value} with type '{kind.__name__}'.")
    return value


def check_int_range(
    arg_value: Any, lower_limit: int, upper_limit: int, rel: int, arg_name: str | None = None, prim_name: str | None = None
) -> int:
    """Checks that an int lies between two, by a relation, INC_NEITHER to INC_BOTH, which says whether they count."""
    return int(_check_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name))


def check_float_range(
    arg_value: Any,
    lower_limit: float,
    upper_limit: float,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> float:
    """Checks that a float lies between two, by a relation, INC_NEITHER to INC_BOTH, which says whether they count."""
    return float(_check_range(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name))


def check_bool(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> bool:
    """Checks that a value is a bool."""
    if not isinstance(arg_value, bool):
        raise TypeError(f"{_head(arg_name, prim_name)} must be a bool, but got {type(arg_value).__name__}.")
    return arg_value


def check_string(
    arg_value: Any, valid_values: Iterable[str], arg_name: str | None = None, prim_name: str | None = None
) -> str:
    """Checks that a value is one of some strings; else a ValueError."""
    valid = list(valid_values)
    if not isinstance(arg_value, str) or arg_value not in valid:
        raise ValueError(f"{_head(arg_name, prim_name)} must be str and must be in '{valid}', but got '{arg_value}'.")
    return arg_value


def check_isinstance(arg_name: str, arg_value: Any, classes: Any) -> Any:
    """Checks that a value is an instance of a class, or of one of several; else a ValueError."""
    if not isinstance(arg_value, classes):
        raise ValueError(f"The parameter '{arg_name}' must be isinstance of {classes}, but got {arg_value}.")
    return arg_value


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None) -> Any:
    """Checks that a value is of one of some types; a bool counts as an int only where bool is among them."""
    types = _listed(valid_types)
    if not any(_is(arg_value, kind) for kind in types):
        names = [kind.__name__ for kind in types]
        expected = f"should be '{names[0]}'" if len(names) == 1 else f"should be one of '{names}'"
        raise TypeError(f"{_head(arg_name, prim_name, 'type of ')} {expected}, but got type '{type(arg_value).__name__}'.")
    return arg_value


def check_kind(arg_name: str, arg_type: Any, valid_types: Any, prim_name: str | None = None) -> Any:
    """Checks that a dtype is one of some; else a TypeError."""
    valid = _listed(valid_types)
    if arg_type not in valid:
        raise TypeError(f"{_head(arg_name, prim_name)} should be {', '.join(map(str, valid))}, but got '{arg_type!r}'.")
    return arg_type


def check_subclass(arg_name: str, type_: Any, template_types: Any, prim_name: str, addition_error_info: Any = None) -> None:
    """Checks that a dtype or class is one of some, or below one of them; else a TypeError."""
    valid = _listed(template_types)
    classes = tuple(kind for kind in valid if isinstance(kind, type))
    if type_ not in valid and not (isinstance(type_, type) and issubclass(type_, classes)):
        names = ", ".join(getattr(kind, "__name__", str(kind)) for kind in valid)
        kind = getattr(type_, "__name__", str(type_))
        raise TypeError(
            f"For '{prim_name}', the element of '{arg_name}' must be {names}, but got {kind}.{addition_error_info or ''}"
        )


def check_types_same_and_valid(args: dict[str, Any], valid_values: Any, prim_name: str) -> None:
    """Checks that dtypes, by the names of arguments, are one and the same of some; else a TypeError."""
    for name, kind in args.items():
        check_subclass(name, kind, valid_values, prim_name)
    if len(set(map(str, args.values()))) > 1:
        raise TypeError(
            f"For '{prim_name}', the types of {', '.join(args)} must be one, but are {list(map(str, args.values()))}."
        )
