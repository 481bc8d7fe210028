"""What a Cell holds and how it is moved: buffers, inner Cells by path, state dicts, conversion of all Tensors."""

from __future__ import annotations

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from emberjit import _emberjit as core
from emberjit.functions.compat.storage import on_cpu
from emberjit.options import take
from emberjit.publish.kinds import COMPLEXES, FLOATS
from emberjit.tensors.parameter import Buffer
from emberjit.transforms.tensor_hooks import HookHandle

_ops = core.op_table
_EXTRA = "_extra_state"
_of_all_buffers: dict[int, Any] = {}  # hooks


class IncompatibleKeys(namedtuple("IncompatibleKeys", ("missing_keys", "unexpected_keys"))):
    """The keys that a Cell lacked, and those that it has no place for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


def register_cell_buffer_registration_hook(hook: Callable[..., Any]) -> HookHandle:
    """Calls hook(cell, name, buffer) at each register_buffer of any Cell; what it returns, unless None, is registered.

    Returns:
        A handle whose remove() takes the hook off.
    """
    return HookHandle(_of_all_buffers, hook)


class CellState:
    """The part of Cell that this module is about."""

    _params: dict[str, Any]
    _cells: dict[str, Any]
    _buffers: dict[str, Any]
    T_destination = TypeVar("T_destination", bound=dict[str, Any])
    cells_and_names: Any
    _changed: Any

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Adds a Tensor that is state but no Parameter.

        Args:
            name: its attribute.
            tensor: a Tensor, or None.
            persistent: whether state_dict has it.

        Raises:
            AttributeError: Cell.__init__ has not been called.
            TypeError: name is no str, or tensor no Tensor.
            KeyError: name is empty, has a dot, or is an attribute already.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Cell.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"buffer name should be a string, but got {name!r} of type {type(name).__name__}")
        if "." in name:
            raise KeyError(f'buffer name can\'t contain ".", but got {name!r}')
        if not name:
            raise KeyError('buffer name can\'t be empty string ""')
        if name not in self._buffers and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, core.Tensor):
            raise TypeError(
                f"cannot assign '{type(tensor).__name__}' object to buffer '{name}': a Tensor or None is required"
            )
        for hook in list(_of_all_buffers.values()):
            replaced = hook(self, name, tensor)
            tensor = tensor if replaced is None else replaced
        self._buffers[name] = tensor
        others = tuple(one for one in self.__dict__["_not_persistent"] if one != name)
        self.__dict__["_not_persistent"] = others if persistent else (*others, name)

    def get_sub_cell(self, target: str) -> Any:
        """The Cell at a path of attributes; of "" this one.

        Raises:
            AttributeError: there is none.
        """
        cell: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(cell, name):
                raise AttributeError(f"{type(cell).__name__} has no attribute `{name}`")
            cell = getattr(cell, name)
            if not isinstance(cell, CellState):
                raise AttributeError(f"`{name}` is not an nn.Cell")
        return cell

    def get_buffer(self, target: str) -> Any:
        """The buffer at a path of attributes.

        Raises:
            AttributeError: there is none.
        """
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if not hasattr(cell, name):
            raise AttributeError(f"{type(cell).__name__} has no attribute `{name}`")
        if name not in cell._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return cell._buffers[name]

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """(path, buffer) of this Cell and, with recurse, of inner Cells.

        Args:
            prefix: what paths begin with.
            remove_duplicate: whether each buffer comes once.
        """
        seen: set[int] = set()
        for path, cell in self.cells_and_names(name_prefix=prefix) if recurse else ((prefix, self),):
            for name, buffer in cell._buffers.items():
                if buffer is not None and id(buffer) not in seen:
                    if remove_duplicate:
                        seen.add(id(buffer))
                    yield f"{path}.{name}" if path else name, buffer

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """The buffers."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def _insert_buffer(self, name: str, buffer: Buffer) -> None:
        self.__dict__.pop(name, None)
        self.register_buffer(name, buffer.tensor, buffer.persistent)

    def _own_state(self) -> dict[str, Any]:
        """Parameters and persistent buffers by name."""
        kept_out = self.__dict__["_not_persistent"]
        buffers = {name: buffer for name, buffer in self._buffers.items() if name not in kept_out}
        return {name: value for name, value in {**self._params, **buffers}.items() if value is not None}

    def _state_hooks(self, kind: str) -> dict[int, Any]:
        hooks: dict[str, dict[int, Any]] = self.__dict__.setdefault("_hooks_of_state", {})
        return hooks.setdefault(kind, {})

    def register_state_dict_pre_hook(self, hook: Any) -> HookHandle:
        """Calls hook(cell, prefix, keep_vars) before the Cell's part of state_dict is made."""
        return HookHandle(self._state_hooks("before_saving"), hook, self._changed)

    def register_state_dict_post_hook(self, hook: Any) -> HookHandle:
        """Calls hook(cell, state_dict, prefix, local_metadata) after it, which may change the dict."""
        return HookHandle(self._state_hooks("after_saving"), hook, self._changed)

    def register_load_state_dict_pre_hook(self, hook: Any) -> HookHandle:
        """Calls hook(cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs) before the
        Cell's part is loaded."""
        return HookHandle(self._state_hooks("before_loading"), hook, self._changed)

    def register_load_state_dict_post_hook(self, hook: Any) -> HookHandle:
        """Calls hook(cell, incompatible_keys) after it, which may change the lists of keys."""
        return HookHandle(self._state_hooks("after_loading"), hook, self._changed)

    def get_extra_state(self) -> Any:
        """What else state_dict has of this Cell; a subclass may define it, with set_extra_state."""
        raise RuntimeError("For 'Cell', 'get_extra_state' is called, but no subclass defines it.")

    def set_extra_state(self, state: Any) -> None:
        """Takes what get_extra_state gave."""
        raise RuntimeError("For 'Cell', 'set_extra_state' is called, but no subclass defines it.")

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Parameters and persistent buffers by path, themselves.

        Args:
            args: destination, prefix and keep_vars by position, which MindSpore deprecates.
            destination: a dict that they are put into.
            prefix: what paths begin with.
            keep_vars: given to hooks.

        Raises:
            TypeError: an argument is of another type.
        """
        if args:
            warnings.warn(
                "For 'Cell.state_dict', positional arguments are deprecated: name them.", FutureWarning, stacklevel=2
            )
            given = dict(zip(("destination", "prefix", "keep_vars"), args))
            destination = given["destination"] if destination is None else destination
            prefix, keep_vars = prefix or given.get("prefix", ""), keep_vars or given.get("keep_vars", False)
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
        if type(self).get_extra_state is not CellState.get_extra_state:
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
        for kind, found in zip(("Missing", "Unexpected"), keys) if strict else ():
            if found:
                errors.insert(0, f"{kind} key(s) in state_dict: " + ", ".join(f'"{key}"' for key in found) + ". ")
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
        takes_extra, extra = type(self).set_extra_state is not CellState.set_extra_state, prefix + _EXTRA
        if takes_extra and extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict and takes_extra:
            missing_keys.append(extra)
        for key in state_dict if strict else ():
            if key.startswith(prefix) and not (takes_extra and key == extra):
                name, dot, _ = key[len(prefix) :].partition(".")
                if name not in (self._cells if dot else own):
                    unexpected_keys.append(key)

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Any:
        """Gives all Parameters and buffers what fn makes of them."""
        for one in (*self._params.values(), *self._buffers.values()):
            if one is not None:
                one._replace(fn(one))
        for cell in self._cells.values() if recurse else ():
            if cell is not None:
                cell._apply(fn)
        self._changed()
        return self

    def to(self, *args: Any, device: Any = None, dtype: Any = None, non_blocking: bool = False) -> Any:
        """Converts Parameters and buffers of floating point or complex dtype.

        Args:
            args: the device, "CPU"; the dtype; or a Tensor, whose dtype is taken.
            non_blocking: conversion is done when the call returns.

        Raises:
            TypeError: dtype is no floating or complex one, or there are other arguments.
            ValueError: another device.
        """
        for value in args[:2]:
            if isinstance(value, core.Tensor):
                dtype = value.dtype
            elif isinstance(value, core.dtype):
                dtype = value
            else:
                device = value
        if len(args) > 2 and not isinstance(args[2], bool):
            raise TypeError(f"For 'Cell.to', the arguments must be a device and a dtype, or a Tensor, but got {args!r}.")
        take("Cell", "non_blocking", non_blocking)
        if device is not None:
            on_cpu("Cell.to", device)
        if dtype is not None and dtype not in (*FLOATS, *COMPLEXES):
            raise TypeError(f"For 'Cell.to', 'dtype' must be floating point or complex, but got {dtype!r}.")
        return self._apply(lambda one: _ops["cast"](one, dtype) if dtype and one.dtype in (*FLOATS, *COMPLEXES) else one)

    def to_empty(self, *, device: Any = None, recurse: bool = True) -> Any:
        """Gives Parameters and buffers new memory, of zeros: MindSpore leaves its elements open.

        Raises:
            ValueError: another device than the CPU.
        """
        if device is not None:
            on_cpu("Cell.to_empty", device)
        return self._apply(lambda one: _ops["zeros_like"](one), recurse)


class _StateDict(OrderedDict[str, Any]):
    """A state dict, with the versions of Cells that hooks keep in it."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._metadata: OrderedDict[str, Any] = OrderedDict()


def _fill(key: str, value: Any, given: Any) -> str:
    """Sets a Tensor to another; what is wrong if it cannot be."""
    if not isinstance(given, core.Tensor):
        return f'While copying the parameter named "{key}", expected a Tensor from checkpoint but received {type(given)}'
    if tuple(given.shape) != tuple(value.shape):
        return (
            f"size mismatch for {key}: copying a param with shape {tuple(given.shape)} from checkpoint, the shape in "
            f"current model is {tuple(value.shape)}."
        )
    _ops["assign"](value, _ops["cast"](given, value.dtype))
    return ""


def _load(
    cell: Any, state: dict[str, Any], prefix: str, metadata: dict[str, Any], keys: IncompatibleKeys, errors: list[str]
) -> None:
    own = metadata.get(prefix[:-1], {})
    cell._load_from_state_dict(state, prefix, own, True, keys.missing_keys, keys.unexpected_keys, errors)
    for name, inner in cell._cells.items():
        if inner is not None:
            start = f"{prefix}{name}."
            _load(
                inner, {key: value for key, value in state.items() if key.startswith(start)}, start, metadata, keys, errors
            )
    for hook in list(cell._state_hooks("after_loading").values()):
        if hook(cell, keys) is not None:
            raise RuntimeError(
                "Hooks of register_load_state_dict_post_hook must return None: incompatible_keys may be changed in place."
            )
