"""Steps of optimizers, which write their Parameters."""
