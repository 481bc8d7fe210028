# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.tensors.standard_method import *

def __getattr__(name: str) -> Any: ...
