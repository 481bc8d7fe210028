"""Loading values into the Parameters of a Cell by name."""

from __future__ import annotations

import warnings
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_instance
from emberjit.nn.cell import Cell
from emberjit.options import take_all


def load_param_into_net(
    net: Any, parameter_dict: Any, strict_load: bool = False, remove_redundancy: bool = False
) -> tuple[list[str], list[str]]:
    """Copies values into the Parameters of a Cell by name; all of them, or none if one does not fit. Warns if Parameters of
    the Cell are not loaded.

    Args:
        net: the Cell.
        parameter_dict: name to Parameter or Tensor, as load_checkpoint gives it; strs and lists, of what was appended, are
            not used.
        strict_load: names are the same and dtypes, too. If not, Parameters without a value of their name take that whose
            name has a prefix before it, and floating dtypes are converted to each other, and integers.
        remove_redundancy: of checkpoints of several devices (page Options).

    Returns:
        (names of the Cell's Parameters that were not loaded, names of parameter_dict that were not used), two lists.

    Raises:
        TypeError: net is no Cell, or parameter_dict no dict of str to Parameter or Tensor.
        RuntimeError: a value has another shape or dtype.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="zeros", has_bias=False)
        >>> values = {"weight": Tensor([[1.0, 2.0]]), "other": Tensor(3.0)}
        >>> not_loaded, not_used = ms.load_param_into_net(net, values)
        >>> print(not_loaded, not_used, net.weight.value())
        [] ['other'] [[1. 2.]]
    """
    check_instance("load_param_into_net", "net", net, Cell)
    check_instance("load_param_into_net", "parameter_dict", parameter_dict, dict)
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, (core.Tensor, str, list)):
            raise TypeError(
                "For 'load_param_into_net', 'parameter_dict' must hold names and Parameters, but has "
                f"{name!r} with {type(value)}."
            )
    check_bool("load_param_into_net", "strict_load", strict_load)
    take_all("load_param_into_net", {"remove_redundancy": remove_redundancy})
    entries, parameter_dict = parameter_dict, {k: v for k, v in parameter_dict.items() if isinstance(v, core.Tensor)}
    parameters = list(net.get_parameters())
    sources = {parameter.name: parameter.name for parameter in parameters if parameter.name in parameter_dict}
    missing = [parameter.name for parameter in parameters if parameter.name not in sources]
    if missing and not strict_load:
        sources.update(_by_suffix(missing, parameter_dict))
        missing = [name for name in missing if name not in sources]
    values = [
        (parameter, _fitting(parameter, parameter_dict[sources[parameter.name]], strict_load))
        for parameter in parameters
        if parameter.name in sources
    ]
    for parameter, value in values:
        parameter.set_data(value)
    used = set(sources.values())
    unused = [name for name in entries if name not in used]
    if missing:
        warnings.warn(
            f"For 'load_param_into_net', {len(missing)} of the Cell's {len(parameters)} Parameters are not loaded, since "
            f"'parameter_dict' has no such names: {shown(missing)}. Names in 'parameter_dict' that were not used: "
            f"{shown(unused) or 'none'}.",
            stacklevel=2,
        )
    return missing, unused


def _by_suffix(missing: list[str], parameter_dict: dict[str, Any]) -> dict[str, str]:
    """The names in parameter_dict of Parameters whose names have a prefix there."""
    sources: dict[str, str] = {}
    for suffix in missing:
        prefix = next((name[: -len(suffix)] for name in parameter_dict if name.endswith(suffix)), None)
        if suffix in sources or prefix is None:
            continue
        names = [name for name in missing if prefix + name in parameter_dict and name not in sources]
        sources.update((name, prefix + name) for name in names)
        warnings.warn(
            f"For 'load_param_into_net', {shown(names)} take the values whose names have '{prefix}' before theirs.",
            stacklevel=3,
        )
    return sources


_FLOATS = (core.float16, core.bfloat16, core.float32, core.float64, core.float8_e4m3fn, core.float8_e5m2)
_COMPLEXES = (core.complex64, core.complex128)
_INTEGERS = (core.int4, core.int8, core.int16, core.int32, core.int64, core.uint8, core.uint16, core.uint32, core.uint64)


def _fitting(parameter: core.Parameter, new: core.Tensor, strict: bool) -> Any:
    """The value with the Parameter's shape and dtype."""
    shape, new_shape = tuple(parameter.shape), tuple(new.shape)
    if new_shape != shape:
        if new_shape[: len(shape)] != shape or any(size != 1 for size in new_shape[len(shape) :]):
            raise RuntimeError(
                f"For 'load_param_into_net', '{parameter.name}' has shape {shape} in the Cell, but {new_shape} in "
                "'parameter_dict'."
            )
        new = new.reshape(shape)
    if new.dtype == parameter.dtype:
        return new
    alike = any(parameter.dtype in kind and new.dtype in kind for kind in (_FLOATS, _COMPLEXES, _INTEGERS))
    if strict or not alike:
        hint = "strict_load=False converts it" if alike else "convert it with Tensor.astype"
        raise RuntimeError(
            f"For 'load_param_into_net', '{parameter.name}' has dtype {parameter.dtype} in the Cell, but {new.dtype} in "
            f"'parameter_dict': {hint}."
        )
    return new.astype(parameter.dtype)


def shown(names: list[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(f"'{name}'" for name in names[:8]) + more
