"""Placeholders: Tensors of which only the dtype and some sizes are known, which describe the arguments of calls, and
Symbols, which say more of a size."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core

_UNKNOWN_SIZE, _UNKNOWN_RANK = -1, -2  # in the shape of a placeholder
_MAX_RANK = 8


class Symbol:
    """What is known of a size of a placeholder's shape.

    Args:
        max: the largest size, unless it is no larger than min.
        min: the smallest.
        divisor, remainder: the size is divisor * n + remainder, of an n >= 1; by default it may be any.
        unique: all sizes under this Symbol are the same in a call.

    Raises:
        TypeError: max, min, divisor or remainder is no int, or unique no bool.
        ValueError: min or divisor is not positive, or remainder not in [0, divisor).

    Examples:
        >>> even = ms.Symbol(divisor=2, max=8)
        >>> even.admits(4), even.admits(5)
        (True, False)
        >>> Tensor(shape=[even, 3], dtype=ms.float32).ndim
        2
    """

    def __init__(self, max: int = 0, min: int = 1, divisor: int = 1, remainder: int = 0, unique: bool = False):
        arguments = {"max": max, "min": min, "divisor": divisor, "remainder": remainder, "unique": unique}
        for name, value in arguments.items():
            kind = bool if name == "unique" else int
            if not isinstance(value, kind):
                raise TypeError(f"For 'Symbol', the argument '{name}' must be {kind.__name__}, but got {type(value)}.")
        for name in ("min", "divisor"):
            if arguments[name] <= 0:
                raise ValueError(f"For 'Symbol', the '{name}' value must be positive, but got {arguments[name]}.")
        if not 0 <= remainder < divisor:
            raise ValueError(f"For 'Symbol', the 'remainder' value must be in [0, {divisor}), but got {remainder}.")
        self.max, self.min, self.divisor, self.remainder, self.unique = max, min, divisor, remainder, unique

    def to_dict(self) -> dict[str, Any]:
        """What it says beyond what is so of any size."""
        known = {
            "max": self.max > self.min,
            "min": self.min > self.divisor + self.remainder,
            "divisor": self.divisor != 1,
            "remainder": self.remainder != 0,
            "unique": self.unique,
        }
        return {name: getattr(self, name) for name, is_set in known.items() if is_set}

    def __repr__(self) -> str:
        return f"Symbol({', '.join(f'{name}={value}' for name, value in self.to_dict().items())})"

    def __str__(self) -> str:
        return str(self.to_dict())

    def admits(self, size: int) -> bool:
        """Whether a size is as this says, whatever other sizes are."""
        multiple = size - self.remainder
        return (
            size >= self.min
            and (self.max <= self.min or size <= self.max)
            and (self.divisor == 1 or (multiple > 0 and multiple % self.divisor == 0))
        )


class Placeholder(core.Tensor):
    """What Tensor(shape=[None, 3], dtype=float32) makes: it describes an argument, and has no elements; whatever needs its
    shape or elements as a value raises a ValueError.

    Args:
        shape: None if the rank is unknown, else a tuple or list of ints, Symbols, and None or -1 for unknown sizes.
        dtype: the argument's.
        input_data, init: None, as there are no elements.

    Raises:
        TypeError: shape is no tuple or list, or holds something else.
        ValueError: an int of shape is below -1, dtype is None, or there is an init.
    """

    sizes: tuple[Any, ...] | None = None
    _dtype: Any = None

    def __init__(
        self, input_data: Any = None, dtype: Any = None, shape: Any = None, init: Any = None, *rest: Any, **options: Any
    ):
        if input_data is not None or init is not None or dtype is None:
            raise ValueError(
                "For 'Tensor', if a size of 'shape' is unknown, there must be a dtype, and neither data nor init."
            )
        if shape is not None and not isinstance(shape, (tuple, list)):
            raise TypeError(f"For 'Tensor', 'shape' must be a tuple, a list or None, but got {shape!r}.")
        if shape is not None and len(shape) > _MAX_RANK:
            raise ValueError(f"For 'Tensor', there are at most {_MAX_RANK} dimensions, but 'shape' has {len(shape)}.")
        self._dtype = core.Tensor(shape=(), dtype=dtype).dtype
        self.sizes = None if shape is None or list(shape) == [_UNKNOWN_RANK] else tuple(map(_checked_size, shape))

    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes, -1 for an unknown one; (-2,) if the rank is unknown."""
        if self.sizes is None:
            return (_UNKNOWN_RANK,)
        return tuple(size if isinstance(size, int) else _UNKNOWN_SIZE for size in self.sizes)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def refuse(self) -> None:
        """Raises what its use as a value raises."""
        core.ops.identity(self)

    def __repr__(self) -> str:
        return f"Tensor(shape={list(self.shape)}, dtype={self._dtype}, value= )"

    __str__ = __repr__

    def __copy__(self) -> Placeholder:
        return self

    def __deepcopy__(self, memo: Any) -> Placeholder:
        return self

    def __reduce__(self) -> Any:
        return Placeholder, (None, self._dtype, self.sizes)


def _checked_size(size: Any) -> Any:
    if size is None or isinstance(size, Symbol):
        return size
    if not isinstance(size, int) or isinstance(size, bool):
        raise TypeError(f"For 'Tensor', 'shape' must hold ints, None and Symbols, but got {size!r}.")
    if size < _UNKNOWN_SIZE:
        raise ValueError(f"For 'Tensor', a size of 'shape' must be at least 0, or -1 if it is unknown, but got {size}.")
    return None if size == _UNKNOWN_SIZE else size
