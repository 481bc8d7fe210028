"""What acts beside its results: assignments, output, gradients on their way back, functions of the program's."""
