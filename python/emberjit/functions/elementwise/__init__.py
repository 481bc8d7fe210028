"""Functions of each element: arithmetic, comparison, logic, exponentials, trigonometry, special functions."""
