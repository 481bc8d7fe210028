# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.transforms.custom_functions import *

def __getattr__(name: str) -> Any: ...
