"""What older releases of MindSpore gave for Tensors that were not computed yet, which no Tensor is any more."""


class StubTensor:
    """The class of nothing."""
