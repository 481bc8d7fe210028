"""Images: resized, read between pixels, cropped, coloured, compared; windows of them, and boxes in them."""
