"""What MindSpore has for devices and many processes, and in its graphs for numbers, tuples, lists and dicts."""
