# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.experimental.optim.lr_scheduler import *

def __getattr__(name: str) -> Any: ...
