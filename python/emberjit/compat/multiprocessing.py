"""Python's multiprocessing, under MindSpore's name. Tensors go between processes by pickle."""

import multiprocessing
from multiprocessing import *  # noqa: F403

__all__ = list(multiprocessing.__all__)
