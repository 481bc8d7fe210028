"""Training with the optimizer THOR, which is not available."""

from __future__ import annotations

from typing import Any

__all__ = ["ConvertModelUtils", "ConvertNetUtils"]

_WHY = "is not available: the optimizer thor is not; use another of nn, as Momentum or Lamb"


class ConvertModelUtils:
    """Conversion of a Model to training with the optimizer THOR, which is not available.

    Raises:
        NotImplementedError: always, by the method.
    """

    @staticmethod
    def convert_to_thor_model(*args: Any, **kwargs: Any) -> Any:
        """
        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(f"'convert_to_thor_model' {_WHY}.")


class ConvertNetUtils:
    """Conversion of a network to training with the optimizer THOR, which is not available.

    Raises:
        NotImplementedError: always, by the method.
    """

    def convert_to_thor_net(self, net: Any) -> Any:
        """
        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(f"'convert_to_thor_net' of {type(net).__name__} {_WHY}.")
