"""Signals: Fourier transforms, spectra, windows, convolution; and polynomials, whose coefficients are sequences, too."""
