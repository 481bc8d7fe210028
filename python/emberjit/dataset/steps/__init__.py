"""What pipelines are made of between a source and an iterator."""
