"""What is known of a function from its code: syntax tree, instructions, control flow, whether a library has it."""

import sys

SUPPORTED = sys.version_info[:2] == (3, 11)  # whether capture/bytecode knows this Python's instructions
