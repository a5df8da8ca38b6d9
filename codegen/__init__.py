"""Code: a kernel goes in, HIP text comes out, is compiled to a code object and run.

Reading order: ``kernel`` (what a kernel is), ``kernels`` (builders), ``emit`` (proofs, then text),
``compile`` and ``code_object`` (compilers and what they made), ``run_file`` (a run as data),
``executors`` (where it runs), ``gfx9`` (executing the compiler's assembly without a GPU).
"""
