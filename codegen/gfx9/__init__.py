"""Executing gfx9 code on the CPU: the instructions of a code object, over all lanes of all waves.

Reading order: ``decoding`` (bytes to text and back), ``assembly`` (text to instructions), ``executable``
(both, for a kernel of a code object), ``registers`` and ``operands``, ``device_memory``. ``rows`` says what
single instructions mean, a row each; ``scalar``, ``vector``, ``packed`` and ``mixed`` make functions of words
of them (``word_arithmetic``). ``cross_lane`` and ``lane_moves`` bring values from other lanes; matrices are
in ``matrix_cores``, data on its way in ``lane_data`` and the ``*_transfer`` files. Watched on the way are
``waitcnt_scoreboard`` (loads that were not waited for), ``lds_races``, ``access_counts``.

``waves`` holds all of this for a batch of waves, ``machine`` says which run next; ``native`` runs the same
rows and checks in compiled C, and under its ``native_sanitizer`` goes on behind a mistake and keeps it.
``launch`` starts a kernel (``kernel_arguments``, ``wave_start``, ``workgroups``). ``hazards`` finds missing
wait states on all paths of the code. ``issue_timing`` models the time that one wave takes,
``compute_unit_timing`` that of all waves of a compute unit.
"""
