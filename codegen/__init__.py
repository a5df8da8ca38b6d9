"""Kernels from layouts: built with claims, handed out as HIP when the claims are proved, compiled and run.

Reading order: ``kernel`` (what a kernel is), ``schedule`` (the order of its work) and ``text`` (how source is
written), ``kernels`` (the builders), ``emit`` (proofs, then text), ``compile`` (from HIP to a code object),
``executors`` (where it runs, and runs as files), ``gfx9`` (executing code objects without a GPU),
``matrix`` (the kernels that are shipped, and the report of their validation), ``project`` (a kernel with what
a program needs to call it).
"""
