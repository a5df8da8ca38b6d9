"""The checker that CI runs: layout files and modules in, verdicts and reports out.

Reading order: ``layout_file`` and ``python_file`` (what is claimed, and where), ``finding`` (what came of
it), ``run`` with ``cache`` (deciding, in processes or on a cluster), ``formats`` (reports).
"""
