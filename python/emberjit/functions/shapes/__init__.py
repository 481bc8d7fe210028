"""Elements in another shape or order, and Tensors that are joined, split and padded: where elements are, not what."""
