"""Cell, the base of layers and networks."""

from emberjit.nn.cell.cell import Cell
from emberjit.nn.cell.parameters import register_cell_buffer_registration_hook

__all__ = ["Cell", "register_cell_buffer_registration_hook"]
