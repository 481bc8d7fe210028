"""What MindSpore's graph language adds to Python: marks of classes and functions, and of arguments that change."""
