"""The kernels that are shipped, and their validation: each proved, compiled, run and compared."""
