r"""What a kernel does, as plain loops of the host: one row for each kind of reference a kernel may have.

>>> from layoutalg.codegen.matrix.kernel_matrix import Choice
>>> print("\n".join(host_loop(Choice("transpose", "gfx942", "f32").kernel())))
for (long i0 = 0; i0 < M; ++i0)
    for (long i1 = 0; i1 < K; ++i1)
        compare(out[i1 * M + i0], number(in[i0 * K + i1]));
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sympy import Expr

from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.kernels.batches import BATCH_COUNT
from layoutalg.codegen.kernels.exact_move import CopyReference, TransposeReference
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS, FUNCTIONS, Epilogue
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
from layoutalg.codegen.kernels.gemm.parts_sum import PartsReference
from layoutalg.codegen.kernels.gemm.reference import GemmReference
from layoutalg.codegen.project.size_text import SizeText
from layoutalg.codegen.text.source import INDENT
from layoutalg.codegen.text.speller import Speller
from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError

__all__ = ["host_loop"]

Arrays = Mapping[str, ArrayArgument]
KNOWN = {"a", "b", "c", "e", "parts", "in", "out", *ARRAYS}  # arrays that the loops below speak of


def host_loop(kernel: Kernel) -> list[str]:
    """The loops, which compare every element of the output; refused for kernels of which none are known."""
    arrays = {one.name: one for one in kernel.arguments if isinstance(one, ArrayArgument)}
    spell = SizeText(kernel.domain)
    if arrays.keys() <= KNOWN:
        match kernel.reference:
            case GemmReference(config):
                return _gemm(kernel.name, config, arrays, spell)
            case PartsReference() as reference:
                return _parts(reference, arrays, spell)
            case TransposeReference() as reference:
                return _transpose(reference, arrays, spell)
            case CopyReference() as reference:
                return _copy(reference)
    raise LayoutError(f"{kernel.name}: wanted a kernel with a loop of the host to compare it with")


def _gemm(name: str, config: GemmConfig, arrays: Arrays, spell: SizeText) -> list[str]:
    a = ("m", "k") if config.is_k_first("M") else ("k", "m")
    b = ("n", "k") if config.is_k_first("N") else ("k", "n")
    parts, places = config.parts_of_c, ("(part * M + m)" if config.parts_of_c > 1 else "m", "n")
    batch = ("batch",) if config.is_batched else ()
    a, b, places = (*batch, *a), (*batch, *b), (*batch, *places)
    first, end = "0", "k < K"
    if parts > 1:
        each = f"({spell(GemmProblem(config).part_of_k)})"
        first, end = f"part * {each}", f"k < (part + 1) * {each} && k < K"
    product = f"number(a[{_at(arrays['a'], a, spell)}]) * number(b[{_at(arrays['b'], b, spell)}])"
    _, numbers, elements = config.kind.unpacked
    if elements > 1:
        msg = f"{name}: wanted elements that are whole numbers, got words of {config.kind}"
        raise LayoutError(msg, hint="leave out the project")
    if numbers > 1:
        product = f"{numbers} * {product}"  # all numbers of a byte are the same here
    inner = [
        "double sum = 0.0;",
        f"for (long k = {first}; {end}; ++k)",
        f"{INDENT}sum += {product};",
        *_compared(config.becomes, arrays, places, spell),
    ]
    outer = [("batch", str(BATCH_COUNT))] if config.is_batched else []
    outer += [("part", str(parts))] if parts > 1 else []
    return [*_functions(config.becomes), *_nested([*outer, ("m", "M"), ("n", "N")], inner)]


def _functions(becomes: Epilogue) -> Iterator[str]:
    """What an epilogue calls; refused are functions that are not exact."""
    if becomes.needs_floats:
        msg = f"{becomes.expression}: wanted functions that a loop of the host gives exactly"
        raise LayoutError(msg, hint="relu, abs, min and max are; leave out the project for others")
    for name in becomes.functions:
        count, body = FUNCTIONS[name]
        given = ", ".join(f"double {letter}" for letter in "xy"[:count])
        yield f"const auto {name} = []({given}) -> double {{ return {body}; }};"


def _parts(reference: PartsReference, arrays: Arrays, spell: SizeText) -> list[str]:
    place = _at(arrays["parts"], ("(part * M + m)", "n"), spell)
    inner = [
        "double sum = 0.0;",
        f"for (long part = 0; part < {reference.parts}; ++part)",
        f"{INDENT}sum += number(parts[{place}]);",
        *_compared(reference.becomes, arrays, ("m", "n"), spell),
    ]
    return [*_functions(reference.becomes), *_nested([("m", "M"), ("n", "N")], inner)]


def _compared(becomes: Epilogue, arrays: Arrays, place: Sequence[str], spell: SizeText) -> list[str]:
    values = {name: name for name in becomes.scalars} | {"c": "sum"}
    for name in becomes.arrays:
        index = place if name == "d" else (ARRAYS[name],)  # vectors are those of all products
        values[name] = f"number({name}[{_at(arrays[name], index, spell)}])"
    return [
        f"compare({output}[{_at(arrays[output], place, spell)}], {becomes.text(values, output=output)});"
        for output in becomes.outputs
    ]


def _transpose(reference: TransposeReference, arrays: Arrays, spell: SizeText) -> list[str]:
    order = reference.order
    names = [f"i{number}" for number in range(len(order))]
    read = _at(arrays["in"], names, spell)
    written = _at(arrays["out"], [names[i] for i in order], spell)
    extents = list(zip(names, map(spell, arrays["in"].lengths), strict=True))
    return _nested(extents, [f"compare(out[{written}], number(in[{read}]));"])


def _copy(reference: CopyReference) -> list[str]:
    extents = [
        (str(x), str(n)) for x, n in zip(reference.source.index, reference.source.lengths, strict=True)
    ]
    (read, there), (written, kept) = map(_spelled, (reference.source, reference.target))
    moved = f"number(in[{read}])"
    inner = [f"compare(out[{written}], {f'{there} ? {moved} : 0.0' if there else moved});"]
    return _nested(extents, [f"if ({kept})", f"{INDENT}{inner[0]}"] if kept else inner)


def _spelled(side: TensorDescriptor) -> tuple[str, str]:
    """Where an element of a tensor lies, and when it is there."""
    spell, found = Speller(side.index_map().domain), side.index_map()
    return spell(found.outputs[0]), " && ".join(f"({spell(condition)})" for condition in found.when)


def _at(array: ArrayArgument, index: Sequence[str], spell: SizeText) -> str:
    """The place of an element, counted by rows; each begins the leading dimension after the one before.

    Matrices of a batch begin its stride apart.
    """
    if array.batch_stride is not None:
        of_one = replace(array, lengths=array.lengths[1:], batch_stride=None)
        return f"{index[0]} * {_factor(array.batch_stride, spell)} + {_at(of_one, index[1:], spell)}"
    *outer, _ = array.lengths
    place = index[0]
    if not outer:
        return place
    for extent, name in zip([*outer[1:], array.leading or array.lengths[-1]], index[1:], strict=True):
        place = f"({place} * {_factor(extent, spell)} + {name})"
    return place.removeprefix("(").removesuffix(")") if len(index) > 1 else place


def _factor(extent: Expr, spell: SizeText) -> str:
    text = spell(extent)
    return text if text.isalnum() or "_" in text else f"({text})"


def _nested(loops: Sequence[tuple[str, str]], body: Sequence[str]) -> list[str]:
    """Loops, one in the other, around statements."""
    lines, braces = [], len(body) > 1
    for depth, (name, end) in enumerate(loops):
        opens = " {" if braces and depth == len(loops) - 1 else ""
        lines.append(f"{INDENT * depth}for (long {name} = 0; {name} < {end}; ++{name}){opens}")
    lines += [f"{INDENT * len(loops)}{line}" for line in body]
    return [*lines, *([f"{INDENT * (len(loops) - 1)}}}"] if braces else [])]
