"""A kernel as a project: the files that a program needs to call it, and to see that it is right.

Reading order: ``size_text`` (sizes in C), ``launcher_text`` (the function that checks and launches),
``host_loop`` (the same by loops of the host), ``host_number`` (elements as numbers there), ``program_text``
(the program that compares both), ``kernel_project`` (all files, written together).
"""

from layoutalg.codegen.project.kernel_project import KernelProject, write_project

__all__ = ["KernelProject", "write_project"]
