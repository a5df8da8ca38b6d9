"""Comparisons: which names there are, and what each says of two words."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from tests.codegen.gfx9.words import FLOATS, number


def _negation(relation: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda a, b: not relation(a, b)


ORDER = ("eq", "lg", "lt", "le", "gt", "ge")
RELATIONS = {"neq": operator.ne, "lg": lambda a, b: a < b or a > b, "ne": operator.ne, "eq": operator.eq}
RELATIONS |= {name: getattr(operator, name) for name in ORDER[2:]}
RELATIONS |= {"u": lambda a, b: math.isnan(a) or math.isnan(b)}
NEGATED = {"o": "u", "nlg": "lg", "nlt": "lt", "nle": "le", "ngt": "gt", "nge": "ge"}
RELATIONS |= {name: _negation(RELATIONS[of]) for name, of in NEGATED.items()}
INTEGERS = ("u16", "i16", "u32", "i32", "u64", "i64")
COMPARISONS = [f"v_cmp_{relation}_{kind}" for relation in ("ne", "eq", *ORDER[2:]) for kind in INTEGERS]
COMPARISONS += [f"v_cmp_{relation}_{kind}" for relation in (*ORDER, "neq", "u", *NEGATED) for kind in FLOATS]
SCALAR_COMPARISONS = [f"s_cmp_{relation}_{kind}" for relation in ORDER for kind in ("u32", "i32")]
SCALAR_COMPARISONS += ["s_cmp_eq_u64", "s_cmp_lg_u64"]


def compared(name: str, a: int, b: int) -> bool:
    relation, kind = name.split("_")[-2:]
    return RELATIONS[relation](number(kind, a), number(kind, b))
