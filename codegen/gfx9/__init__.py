"""Executing gfx9 code on the CPU: the assembly the compiler produced, over all lanes of all waves.

Reading order: ``assembly`` (text to instructions), ``operands``, ``state`` (registers of all waves),
``memory``, the tables ``scalar``, ``vector``, ``compare``, ``transfer`` (one row an instruction),
``machine`` (which waves run next), ``launch`` (a kernel with its arguments).
"""
