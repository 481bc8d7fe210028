# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.compat.communication.list_collectives import *

def __getattr__(name: str) -> Any: ...
