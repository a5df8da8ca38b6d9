"""Decoding gfx9 machine code: the bytes of a code object as the assembly text that LLVM prints for them.

Reading order: ``opcodes`` (the tables ``scalar.toml``, ``vector.toml``, ``memory.toml`` of a target),
``encoded`` (the words of one instruction), ``operand_names`` (registers and numbers by their codes). What an
encoding looks like as text: ``scalar_text``, ``vector_text`` with ``sub_dword`` (SDWA, DPP), ``packed_text``
(packed arithmetic and matrix cores), ``memory_text``. ``decode`` puts them together; ``reached`` follows the
flow of a kernel, and ``round_trip`` assembles what was decoded and compares the bytes: the decoder need not
be trusted.
"""
