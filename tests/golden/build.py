"""From the words of the golden files to this package's descriptors and adaptors."""

from __future__ import annotations

from typing import Any

from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.descriptor.make_adaptor import (
    chain_tensor_adaptors,
    make_cluster_descriptor,
    make_single_stage_tensor_adaptor,
    transform_tensor_adaptor,
)
from layoutalg.descriptor.make_descriptor import (
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_aligned,
    make_naive_tensor_descriptor_packed,
    make_naive_tensor_descriptor_with_offset,
    transform_tensor_descriptor,
)
from layoutalg.transforms import TRANSFORMS, Merge, MergeVariant, Transform, Xor

__all__ = ["adaptor", "descriptor", "kind_and_parameters", "transform"]


def transform(kind: str, params: dict[str, Any]) -> Transform:
    """The transform a golden file describes."""
    values = {name: tuple(v) if isinstance(v, list) else v for name, v in params.items()}
    if kind.startswith("merge"):
        return Merge(values["low_lengths"], MergeVariant(kind))
    if kind.startswith("xor"):
        return Xor(values["low_lengths"], with_modulo=kind == "xor")
    made: Transform = TRANSFORMS[kind](**values)
    return made


def kind_and_parameters(made: Transform) -> tuple[str, dict[str, Any]]:
    """The golden files' words for a transform."""
    params = made.arguments
    if isinstance(made, Merge):
        return str(params.pop("variant")), params
    if isinstance(made, Xor):
        return ("xor" if params.pop("with_modulo") else "xor_no_modulo"), params
    return made.kind, params


def _stage(stage: list[dict[str, Any]]) -> tuple[list[Transform], list[Any], list[Any]]:
    transforms = [transform(entry["kind"], entry["params"]) for entry in stage]
    return transforms, [e["lower"] for e in stage], [e["upper"] for e in stage]


def descriptor(build: dict[str, Any]) -> TensorDescriptor:
    """The descriptor of a ``build`` entry."""
    base = build["base"]
    promised = {}
    for given, name in (("vector_length", "length"), ("vector_stride", "stride")):
        if given in base:
            promised[f"guaranteed_vector_{name}"] = base[given]
    match base["kind"]:
        case "naive":
            made = make_naive_tensor_descriptor(base["lengths"], base["strides"], **promised)
        case "packed":
            promised.pop("guaranteed_vector_stride", None)
            made = make_naive_tensor_descriptor_packed(base["lengths"], **promised)
        case "aligned":
            made = make_naive_tensor_descriptor_aligned(base["lengths"], base["align"])
        case "naive_with_offset":
            made = make_naive_tensor_descriptor_with_offset(
                base["lengths"], base["strides"], base["offset"], **promised
            )
        case kind:
            msg = f"no base is called {kind}"
            raise ValueError(msg)
    for stage in build["stages"]:
        made = transform_tensor_descriptor(made, *_stage(stage), check_lengths=False)
    return made


def adaptor(build: dict[str, Any]) -> TensorAdaptor:
    """The adaptor of a ``build`` entry."""
    match build["op"]:
        case "single_stage":
            return make_single_stage_tensor_adaptor(*_stage(build["stage"]))
        case "transform":
            below = adaptor(build["base"])
            return transform_tensor_adaptor(below, *_stage(build["stage"]), check_lengths=False)
        case "chain":
            parts = [adaptor(part) for part in build["adaptors"]]
            return chain_tensor_adaptors(*parts, check_lengths=False)
        case "cluster":
            return make_cluster_descriptor(build["lengths"], build["arrange_order"])
        case op:
            msg = f"no operation is called {op}"
            raise ValueError(msg)
