"""What is known of a function from its code: syntax tree, instructions, control flow, whether a library has it."""

import sys

SUPPORTED = (3, 11) <= sys.version_info[:2] <= (3, 13)  # whether this Python's instructions are known
