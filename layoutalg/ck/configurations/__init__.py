"""Tuned configurations of CK's kernels: read from where they are kept, and made into bindings."""

from layoutalg.ck.configurations.configuration import Configuration
from layoutalg.ck.configurations.configuration_sources import Choices, Found, configurations_of
from layoutalg.ck.configurations.kernels import Unit, units_of

__all__ = ["Choices", "Configuration", "Found", "Unit", "configurations_of", "units_of"]
