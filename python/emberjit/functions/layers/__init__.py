"""What layers of neural networks compute: convolution, pooling, normalisation, attention, recurrence, embeddings."""
