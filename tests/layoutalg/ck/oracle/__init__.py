"""Imports compared with CK's own headers, compiled: claims about each layout as ``static_assert``.

The compiler is the clang of the wheel ``ziglang``; HIP is declared by a stand-in; nothing is run.
"""
