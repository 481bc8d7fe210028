"""What MindSpore calls experimental: optimizers with PyTorch's parameter groups, and their schedulers."""
