"""gfx9 code in compiled C: rows of arithmetic written out from their one meaning, and a machine for them.

``traced`` and ``row_source`` write rows as C; ``program`` and ``matrix_tables`` turn a kernel into records;
``compiled_c`` compiles; ``native_machine`` runs (``*.c``, ``*.h``); ``run_native`` decides, and tells faults.
"""
