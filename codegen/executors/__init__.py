"""Where kernels run. Each executor takes a :class:`Launch` and gives a :class:`RunResult`.

``run_code_object`` runs anybody's kernel, from its bytes, on the CPU.
"""

from layoutalg.codegen.executors.code_object_run import CodeObjectRun, run_code_object
from layoutalg.codegen.executors.cpu import CpuExecutor
from layoutalg.codegen.executors.executor import Executor, Launch, RunResult
from layoutalg.codegen.executors.passed_arguments import Output

__all__ = [
    "CodeObjectRun",
    "CpuExecutor",
    "Executor",
    "Launch",
    "Output",
    "RunResult",
    "run_code_object",
]
