"""State dicts: the Parameters and persistent buffers of a Cell and all within it, by path."""

from __future__ import annotations

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import Any, TypeVar

from emberjit import _emberjit as core
from emberjit.nn.cell.parameters import CellParameters
from emberjit.transforms.tensor_hooks import HookHandle

_ops = core.ops
_EXTRA = "_extra_state"


class IncompatibleKeys(namedtuple("IncompatibleKeys", ("missing_keys", "unexpected_keys"))):
    """The keys that a state dict lacks, and those that belong to nothing in the Cell."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


class CellStateDict(CellParameters):
    """The part of Cell that saves and loads its state."""

    T_destination = TypeVar("T_destination", bound=dict[str, Any])

    def _own_state(self) -> dict[str, Any]:
        """Parameters and persistent buffers by name."""
        excluded = self.__dict__["_not_persistent"]
        buffers = {name: buffer for name, buffer in self._buffers.items() if name not in excluded}
        return {name: value for name, value in {**self._params, **buffers}.items() if value is not None}

    def _state_hooks(self, kind: str) -> dict[int, Any]:
        hooks: dict[str, dict[int, Any]] = self.__dict__.setdefault("_hooks_of_state", {})
        return hooks.setdefault(kind, {})

    def register_state_dict_pre_hook(self, hook: Any) -> HookHandle:
        """Calls hook(cell, prefix, keep_vars) before state_dict adds what the Cell has."""
        return HookHandle(self._state_hooks("before_saving"), hook, self._changed)

    def register_state_dict_post_hook(self, hook: Any) -> HookHandle:
        """Calls hook(cell, state_dict, prefix, local_metadata) after that; the hook may change the dict."""
        return HookHandle(self._state_hooks("after_saving"), hook, self._changed)

    def register_load_state_dict_pre_hook(self, hook: Any) -> HookHandle:
        """Calls hook(cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs) before
        what the Cell has is loaded."""
        return HookHandle(self._state_hooks("before_loading"), hook, self._changed)

    def register_load_state_dict_post_hook(self, hook: Any) -> HookHandle:
        """Calls hook(cell, incompatible_keys) after that; the hook may change the lists of keys."""
        return HookHandle(self._state_hooks("after_loading"), hook, self._changed)

    def get_extra_state(self) -> Any:
        """Extra state for state_dict, from subclasses that define this and set_extra_state."""
        raise RuntimeError("For 'Cell', 'get_extra_state' is called, but no subclass defines it.")

    def set_extra_state(self, state: Any) -> None:
        """Restores what get_extra_state returned."""
        raise RuntimeError("For 'Cell', 'set_extra_state' is called, but no subclass defines it.")

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Parameters and persistent buffers by path: the objects themselves, no copies.

        Args:
            args: destination, prefix and keep_vars by position, which is deprecated.
            destination: a dict that they are put into.
            prefix: what paths begin with.
            keep_vars: passed on to hooks.

        Raises:
            TypeError: an argument is of another type.
        """
        if args:
            warnings.warn(
                "For 'Cell.state_dict', positional arguments are deprecated: name them.", FutureWarning, stacklevel=2
            )
            by_position = dict(zip(("destination", "prefix", "keep_vars"), args))
            destination = by_position["destination"] if destination is None else destination
            prefix, keep_vars = prefix or by_position.get("prefix", ""), keep_vars or by_position.get("keep_vars", False)
        kinds = ("destination", destination, (dict, type(None))), ("prefix", prefix, str), ("keep_vars", keep_vars, bool)
        for name, value, kind in kinds:
            if not isinstance(value, kind):
                raise TypeError(f"For 'Cell.state_dict', the type of {name} must be {kind}, but got {type(value).__name__}.")
        if destination is None:
            destination = _StateDict()
        own: dict[str, Any] = {}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = own
        for hook in list(self._state_hooks("before_saving").values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in list(self._state_hooks("after_saving").values()):
            if hook(self, destination, prefix, own) is not None:
                raise RuntimeError("state_dict post-hook must return None")
        return destination

    def _save_to_state_dict(self, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        destination.update({prefix + name: value for name, value in self._own_state().items()})
        if type(self).get_extra_state is not CellStateDict.get_extra_state:
            destination[prefix + _EXTRA] = self.get_extra_state()

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> IncompatibleKeys:
        """Sets Parameters and persistent buffers to the Tensors of a dict by path.

        Args:
            strict: whether keys that are missing or unexpected are an error.

        Returns:
            The missing and the unexpected keys.

        Raises:
            TypeError: state_dict is no mapping.
            RuntimeError: a value does not fit, or a key is missing or unexpected; what fits has been loaded.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        keys = IncompatibleKeys([], [])
        errors: list[str] = []
        _load(self, OrderedDict(state_dict), "", metadata or {}, keys, errors)
        for kind, names in zip(("Missing", "Unexpected"), keys) if strict else ():
            if names:
                errors.insert(0, f"{kind} key(s) in state_dict: " + ", ".join(f'"{key}"' for key in names) + ". ")
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return keys

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        for hook in list(self._state_hooks("before_loading").values()):
            hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own = self._own_state()
        for name, value in own.items():
            if prefix + name in state_dict:
                error = _fill(prefix + name, value, state_dict[prefix + name])
                error_msgs += [error] if error else []
            elif strict:
                missing_keys.append(prefix + name)
        takes_extra, extra = type(self).set_extra_state is not CellStateDict.set_extra_state, prefix + _EXTRA
        if takes_extra and extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict and takes_extra:
            missing_keys.append(extra)
        for key in state_dict if strict else ():
            if key.startswith(prefix) and not (takes_extra and key == extra):
                inner = key[len(prefix) :].partition(".")
                if key[len(prefix) :] not in own and not (inner[1] and inner[0] in self._cells):
                    unexpected_keys.append(key)


class _StateDict(OrderedDict[str, Any]):
    """A state dict, with the versions of Cells that hooks keep in it."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._metadata: OrderedDict[str, Any] = OrderedDict()


def _fill(key: str, value: Any, loaded: Any) -> str:
    """Sets a Tensor of the Cell to that of the state dict, and gives the text of the error if it does not fit."""
    if not isinstance(loaded, core.Tensor):
        return f'While copying the parameter named "{key}", expected a Tensor from checkpoint but received {type(loaded)}'
    if tuple(loaded.shape) != tuple(value.shape):
        return (
            f"size mismatch for {key}: copying a param with shape {tuple(loaded.shape)} from checkpoint, the shape in "
            f"current model is {tuple(value.shape)}."
        )
    _ops.assign(value, _ops.cast(loaded, value.dtype))
    return ""


def _load(
    cell: Any, state: dict[str, Any], prefix: str, metadata: dict[str, Any], keys: IncompatibleKeys, errors: list[str]
) -> None:
    own = metadata.get(prefix[:-1], {})
    cell._load_from_state_dict(state, prefix, own, True, keys.missing_keys, keys.unexpected_keys, errors)
    for name, inner in cell._cells.items():
        if inner is not None:
            start = f"{prefix}{name}."
            below = {key: value for key, value in state.items() if key.startswith(start)}
            _load(inner, below, start, metadata, keys, errors)
    for hook in list(cell._state_hooks("after_loading").values()):
        if hook(cell, keys) is not None:
            raise RuntimeError(
                "Hooks of register_load_state_dict_post_hook must return None: incompatible_keys may be changed in place."
            )
