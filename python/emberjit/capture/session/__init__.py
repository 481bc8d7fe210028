"""One capture: its guards and objects, its call depth and errors, and the engine that follows calls."""
