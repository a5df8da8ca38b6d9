"""CK's tensor descriptors and adaptors: chains of coordinate transforms.

Reading order: ``stage`` (transforms side by side), ``chain`` (stages one after another), ``adaptor`` (a
chain from indices to indices), ``descriptor`` (an adaptor down to memory), ``make_adaptor`` and
``make_descriptor`` (CK's makers), ``coordinate`` (a place that moves), ``rearrange`` (transforms written
as einops writes them).
"""

from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.descriptor.descriptor import TensorDescriptor

__all__ = ["TensorAdaptor", "TensorDescriptor"]
