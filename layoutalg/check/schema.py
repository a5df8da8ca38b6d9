"""The JSON Schema of layout files, made from the transforms and the words for claims.

``python -m layoutalg.check.schema`` prints it; ``layout.schema.json`` is what it prints.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from layoutalg.check.claim_words import WORDS
from layoutalg.data_type import DATA_TYPES
from layoutalg.machine.lds import LDS_PHASES, SOURCES
from layoutalg.transforms import TRANSFORMS, MergeVariant

__all__ = ["layout_schema"]

NAME = "^[A-Za-z_][A-Za-z0-9_]*$"
LENGTH = {"description": "a number, or an expression in the symbols", "type": ["integer", "string"]}
LENGTHS = {"description": "a list of numbers or expressions in the symbols", "type": "array", "items": LENGTH}
ENDS = {"description": "[low, high]", "type": "array", "items": LENGTH, "minItems": 2, "maxItems": 2}
LET = {
    "description": 'a table of names for expressions such as { num_n = "cdiv(N, 128)" }',
    "type": "object",
    "propertyNames": {"pattern": NAME},
    "additionalProperties": {"description": "an expression, or a number", "type": ["string", "integer"]},
}
CLAIMS = {"description": 'a list of claims such as ["in bounds"]', "type": "array"}
STAGE = {
    "description": "a list of transforms, as in stages = [[{ ... }], ...]",
    "type": "array",
    "minItems": 1,
}
AXES = "a table of axes with their lengths such as { row = 16, col = 32 }"
IDS = {
    "description": "a list of dimension ids",
    "type": "array",
    "items": {"type": "integer", "minimum": 0},
}
KINDS: dict[str, dict[str, Any]] = {
    "dimension": {"description": "a dimension's number or the axis' name", "type": ["integer", "string"]},
    "layout": {"description": "the name of a layout in this file", "type": "string"},
    "number": {"description": "a number from 1", "type": "integer", "minimum": 1},
    "expression": LENGTH,
    "expressions": {
        "description": "a list of expressions in the index",
        "type": "array",
        "minItems": 1,
        "items": {"type": "string"},
    },
    "layouts": {
        "description": "a list of layouts by name",
        "type": "array",
        "minItems": 1,
        "items": {"type": "string"},
    },
    "registers": {"description": "a list of registers", "type": "array", "items": {"type": "integer"}},
    "axes": {"description": "a list of axes", "type": "array", "items": {"type": ["integer", "string"]}},
    "direction": {"enum": ["read", "write"]},
    "type": {"enum": [row.name for row in DATA_TYPES]},
    "target": {"enum": sorted({row.target for row in LDS_PHASES})},
    "source": {"enum": list(SOURCES)},
}
FIELDS: dict[str, dict[str, Any]] = {
    "Length": LENGTH,
    "Lengths": LENGTHS,
    "bool": {"description": "true or false", "type": "boolean"},
    "MergeVariant": {"enum": [str(variant) for variant in MergeVariant]},
}


def layout_schema() -> dict[str, Any]:
    """The schema as a JSON value.

    >>> sorted(layout_schema()["properties"])
    ['facts', 'layout', 'let', 'symbols', 'tables']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "layoutalg layout file",
        "description": "Layouts and what is claimed of them, for layoutalg check",
        **_object(_file(), ["layout"]),
    }


def _file() -> dict[str, Any]:
    return {
        "symbols": _symbols(),
        "let": LET,
        "tables": _tables(),
        "facts": _facts(),
        "layout": _layouts(),
    }


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _symbols() -> dict[str, Any]:
    number = {"description": "a whole number", "type": "integer"}
    multiple = {"description": "a whole number from 1", "type": "integer", "minimum": 1}
    row = _object({"min": number, "max": number, "multiple_of": multiple}, [])
    row["description"] = "a table such as { min = 1, max = 4096, multiple_of = 8 }"
    table = {
        "type": "object",
        "description": "sizes, and between which ends they lie (both taken in; min is 1 unless stated)",
        "propertyNames": {"pattern": NAME},
        "additionalProperties": row,
    }
    names = {
        "type": "array",
        "description": 'a list of different names such as ["M", "N"]',
        "uniqueItems": True,
        "items": {"description": "the name of a size", "type": "string", "pattern": NAME},
    }
    return {"if": {"type": "array"}, "then": names, "else": table}


def _tables() -> dict[str, Any]:
    flag = {"description": "true or false", "type": "boolean"}
    numbers = {"description": "a list of numbers", "type": "array", "items": {"type": "integer"}}
    row = _object(
        {
            "lengths": LENGTHS | {"minItems": 1},
            "range": ENDS,
            "one_to_one": flag,
            "monotone": {"enum": [True, False, "strictly"]},
            "first": LENGTH,
            "last": LENGTH,
            "multiple_of": {"description": "a whole number from 1", "type": "integer", "minimum": 1},
            "sums_to": LENGTH,
            "entries": numbers,
        },
        ["lengths"],
    )
    row["description"] = 'a table such as { lengths = ["B"], range = [0, "pages"], one_to_one = true }'
    return {
        "type": "object",
        "description": "tables known at run time, and what is known of their entries",
        "propertyNames": {"pattern": NAME},
        "additionalProperties": row,
    }


def _facts() -> dict[str, Any]:
    return {
        "description": 'a list of conditions such as ["M*K < 2**31"]',
        "type": "array",
        "items": {"description": "a condition on the symbols such as M*K < 2**31", "type": "string"},
    }


def _layouts() -> dict[str, Any]:
    return {
        "type": "object",
        "minProperties": 1,
        "description": "layouts by name",
        "propertyNames": {"pattern": NAME},
        "additionalProperties": {
            "if": {"required": ["index"]},
            "then": _expression_layout(),
            "else": {
                "if": {"required": ["distribution"]},
                "then": _distribution_layout(),
                "else": _chain_layout(),
            },
        },
    }


def _shared() -> dict[str, Any]:
    return {
        "claims": CLAIMS | {"items": _claim()},
        "element_type": {"description": "the type of the elements", **KINDS["type"]},
        "equals": {"description": "the offset as an expression in the index", "type": "string"},
        "syntax": {"enum": ["python", "c"]},
        "table": {"type": "array", "items": {"description": "an offset, or -1", "type": "integer"}},
        "symbols": _symbols(),
        "let": LET,
        "facts": _facts(),
        "at": {"type": "object", "additionalProperties": {"description": "a number", "type": "integer"}},
    }


def _chain_layout() -> dict[str, Any]:
    base = {
        "lengths": LENGTHS,
        "strides": LENGTHS,
        "packed": LENGTHS,
        "align": LENGTH,
        "offset": LENGTH,
    }
    forms = [["packed"], ["lengths", "align"], ["lengths", "strides"], ["lengths", "strides", "offset"]]
    properties = {
        "base": {
            "description": "lengths with strides or align (and offset), packed lengths, or a layout's name",
            "if": {"type": "string"},
            "else": {
                **_object(base, []),
                "description": " or ".join(" and ".join(form) for form in forms[:3]),
                "oneOf": [_exactly(form) for form in forms],
            },
        },
        "stages": {"type": "array", "items": STAGE | {"items": _transform()}},
        "from_ck": _from_ck(),
        **_shared(),
    }
    imported = {"if": {"required": ["from_ck"]}, "then": {"not": {"required": ["stages"]}}}
    return _object(properties, []) | imported | {"else": {"required": ["base"]}}


def _from_ck() -> dict[str, Any]:
    text = {"type": "string"}
    properties: dict[str, Any] = {
        "target": {"description": "FILE.hpp::Class::Function", **text},
        "file": {"description": "a header of CK", **text},
        "function": {"description": "Class::Function", **text},
        "arch": {"description": "a GPU such as gfx942", **text},
        "bind": {"description": "bindings by name", "type": "object"},
    }
    return {"description": "target, or file and function; arch; bind", **_object(properties, [])}


def _exactly(keys: list[str]) -> dict[str, Any]:
    return {"required": keys, "minProperties": len(keys), "maxProperties": len(keys)}


def _expression_layout() -> dict[str, Any]:
    axis = {"description": "a length or [low, high]", "if": {"type": "array"}, "then": ENDS, "else": LENGTH}
    properties = {
        "index": {
            "description": AXES,
            "type": "object",
            "propertyNames": {"pattern": NAME},
            "additionalProperties": axis,
        },
        "offset": {"description": "an expression in the index", "type": "string"},
        "valid": {"description": "a condition on the index", "type": "string"},
        "size": LENGTH,
        "element": {
            "type": "array",
            "items": {"description": "an expression in the index", "type": "string"},
        },
        "of": {"description": "the layout that is reached, at element", "type": "string"},
        "tile": {"description": "a distribution whose element is x0, x1, ...", "type": "string"},
        **_shared(),
    }
    return _object(properties, ["index"])


def _distribution_layout() -> dict[str, Any]:
    text = "tile_distribution_encoding<...> as C++ spells it"
    properties = {
        "distribution": {"description": text, "type": "string"},
        "threads": {**LENGTHS, "description": "how many warps and lanes there are"},
        "equals": {
            "description": "the element in warp, lane and register (or ys), one text for each dimension",
            "type": "array",
            "minItems": 1,
            "items": {"description": "an expression in warp, lane and register or ys", "type": "string"},
        },
        "syntax": {"enum": ["python", "c"]},
        "claims": CLAIMS | {"items": _claim()},
        "element_type": {"description": "the type of the elements", **KINDS["type"]},
        "symbols": _symbols(),
        "let": LET,
        "facts": _facts(),
    }
    return _object(properties, ["distribution"])


def _transform() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["transform", "lower", "upper"],
        "properties": {"transform": {"enum": sorted(TRANSFORMS)}},
        "allOf": [
            {"if": {"properties": {"transform": {"const": kind}}}, "then": _fields(kind)}
            for kind in sorted(TRANSFORMS)
        ],
    }


def _fields(kind: str) -> dict[str, Any]:
    properties: dict[str, Any] = {"transform": {"const": kind}, "lower": IDS, "upper": IDS}
    required = ["lower", "upper"]
    if kind == "indexing":
        numbers = {"description": "a list of numbers", "type": "array", "items": {"type": "integer"}}
        table = {
            "description": "a list of numbers, or the name of a table",
            "if": {"type": "array"},
            "then": numbers,
            "else": {"description": "a list of numbers, or the name of a table", "type": "string"},
        }
        return _object({**properties, "table": table}, [*required, "table"])
    for field in dataclasses.fields(TRANSFORMS[kind]):  # type: ignore[arg-type]
        properties[field.name] = FIELDS[str(field.type)]
        if field.default is dataclasses.MISSING:
            required.append(field.name)
    return _object(properties, required)


def _claim() -> dict[str, Any]:
    plain = [word for word, how in WORDS.items() if not how.arguments]
    named = {
        word: _object(
            {
                "claim": {"const": word},
                **{name: KINDS[kind] for name, kind in (*how.arguments.items(), *how.optional.items())},
            },
            ["claim", *how.arguments],
        )
        for word, how in WORDS.items()
    }
    return {
        "if": {"type": "string"},
        "then": {"enum": plain},
        "else": {
            "type": "object",
            "required": ["claim"],
            "properties": {"claim": {"enum": list(WORDS)}},
            "allOf": [
                {"if": {"properties": {"claim": {"const": word}}}, "then": form}
                for word, form in named.items()
            ],
        },
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(layout_schema(), indent=1) + "\n")
