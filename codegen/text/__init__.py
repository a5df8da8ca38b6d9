"""The text of kernels: the layout of HIP source, names, and how indices and addresses are written in C."""
