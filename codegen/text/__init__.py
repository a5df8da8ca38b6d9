"""Kernel text: how HIP source is laid out, how indices and addresses are spelled."""
