"""What single instructions of gfx9 mean, a row each, in operations that arrays of NumPy and others have."""
