"""Executing gfx9 code on the CPU: the assembly the compiler produced, over all lanes of all waves.

Reading order: ``assembly`` (text to instructions), ``operands``, ``state`` (registers), ``memory``;
the tables, one row an instruction: ``scalar``, ``vector`` (with ``packed`` and ``special_rows``), ``matrix``,
``transfer`` (``global_transfer``, ``buffer_transfer``, ``local_transfer``); what is watched on the way:
``pending`` (loads not waited for), ``lds_races``, ``access_counts``; ``machine`` (which waves run next),
``launch`` (a kernel with its arguments).
"""
