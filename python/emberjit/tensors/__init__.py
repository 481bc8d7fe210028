"""What Tensor has beside the ops: methods, advanced indexing, functions that make Tensors."""
