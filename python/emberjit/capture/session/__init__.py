"""One capture: what it relies on, how deep it is in calls, its errors, and the engine that follows calls."""
