"""The state of captured code: variables, side effects, deferred strings, results, and how values are made anew."""
