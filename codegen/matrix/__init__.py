"""The kernels that are shipped, and the report of their validation.

Reading order: ``kernel_matrix`` (the kernels), ``leading_dimensions`` and ``inputs`` (what they are run on),
``comparison`` and ``kernel_run`` (a run held against its reference), ``report_entry`` (one kernel proved,
compiled, run, compared), ``isolation`` (in a process of its own), ``peak`` (what the GPU could do at most),
``torch_baseline`` (PyTorch beside it),
``validation`` (the report).
"""
