"""Where kernels run. Each executor takes a :class:`Launch` and gives a :class:`RunResult`."""

from layoutalg.codegen.executors.cpu import CpuExecutor
from layoutalg.codegen.executors.executor import Executor, Launch, RunResult

__all__ = ["CpuExecutor", "Executor", "Launch", "RunResult"]
