# The extension module: its types and functions are documented at run time; to the type checker they are Any.
from typing import Any

def __getattr__(name: str) -> Any: ...
