"""Executing gfx9 code on the CPU: the instructions of a code object, over all lanes of all waves.

Reading order: ``decoding`` (bytes to text and back), ``assembly`` (text to instructions), ``executable``
(both, for a kernel of a code object), ``registers`` and ``operands``, ``device_memory``. Tables with one row
an instruction: ``scalar_rows``, ``vector_rows``, ``special_rows`` (what depends on the target),
executed by ``scalar`` and ``vector``; ``packed``, ``matrix_cores``; ``global_transfer``, ``buffer_transfer``
and ``local_transfer`` with ``lane_data``. What is watched on the way: ``waitcnt_scoreboard`` (loads that were
not waited for), ``lds_races``, ``access_counts``. ``waves`` holds all of this for a batch of waves,
``machine`` says which waves run next, ``launch`` starts a kernel with its arguments
(``kernel_arguments``). ``issue_timing`` models the time that one wave takes.
"""
