"""One capture: its guards and objects, its call depth and errors."""
