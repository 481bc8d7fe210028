"""What captured code holds: variables, deferred strings, results, and how they are undone and made again."""
