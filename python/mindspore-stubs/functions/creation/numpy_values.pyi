# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.functions.creation.numpy_values import *

def __getattr__(name: str) -> Any: ...
