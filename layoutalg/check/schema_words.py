"""What is wrong with the form of a layout file, each error in our own words with the place it stands at.

>>> [(error.key, error.place, error.what, error.hint[:20]) for error in form_errors({"layots": {}})]
[((), ('layots',), 'there is no key layots', 'did you mean layout?')]
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from layoutalg.check.claim_words import WORDS
from layoutalg.check.toml_lines import Path
from layoutalg.errors import shortened
from layoutalg.reading.near_names import no_such, not_one_of

__all__ = ["FormError", "form_errors", "schema"]

KINDS = {
    "array": "a list",
    "object": "a table",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
OF_AN_OFFSET = ("offset", "valid", "size", "element")  # what a layout may have that is written as a formula
LONGEST = 80  # characters shown of what came


class FormError(NamedTuple):
    """One error: the key whose value is wrong, where it stands, what is wrong with it, and how to mend it."""

    key: Path
    place: Path
    what: str
    hint: str


@cache
def schema() -> dict[str, Any]:
    """The published JSON Schema of layout files."""
    text = files("layoutalg.check").joinpath("layout.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def form_errors(content: dict[str, Any]) -> list[FormError]:
    """All errors of a file's content against the schema; of each table and value the ones that say most."""
    import jsonschema  # noqa: PLC0415  slow to load, and not needed for Python files

    by_path: dict[Path, list[Any]] = {}
    for error in jsonschema.Draft202012Validator(schema()).iter_errors(content):
        by_path.setdefault(tuple(error.absolute_path), []).append(error)
    found: list[FormError] = []
    for path, errors in by_path.items():
        misspelt = [error for error in errors if error.validator == "additionalProperties"]
        if misspelt:
            found += _unknown_keys(path, misspelt)
        else:
            found.append(FormError(path, path, *_said(jsonschema.exceptions.best_match(errors))))
    return found


def _unknown_keys(path: Path, errors: list[Any]) -> list[FormError]:
    """An error for each key that a table may not have."""
    found: dict[str, FormError] = {}
    for error in errors:
        known = list(error.schema.get("properties", ()))
        for key in sorted(set(error.instance) - set(known)):
            refused = no_such("key", key, known)
            hint = _stands_elsewhere(path, key, error) or refused.hint
            found.setdefault(key, FormError(path, (*path, key), refused.message, hint))
    return list(found.values())


def _stands_elsewhere(path: Path, key: str, error: Any) -> str:
    """Where a key belongs that is right but for its place."""
    known = error.schema.get("properties", {})
    if key == "size" and "base" in error.instance:
        return "the memory of a chain is what its base spans; for a smaller one write index, offset and size"
    if path[:1] == ("layout",) and path[-1] in ("base", "index") and len(path) == 2:
        return f"the layout has no name: [layout.NAME] above {path[-1]} = ..."
    if key in OF_AN_OFFSET and "base" in known and "base" not in error.instance:
        return f"{key} stands beside index = {{ NAME = LENGTH, ... }}, which is missing"
    inside = [name for name, row in known.items() if key in row.get("else", row).get("properties", ())]
    return f"{key} stands in {inside[0]} = {{ {key} = ... }}" if inside else ""


def _said(error: Any) -> tuple[str, str]:
    """What a schema's validator found, in our words where they are plainer, and a hint."""
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        claim = f"{error.instance['claim']}: " if "claim" in error.instance else ""
        return f"{claim}wanted {' and '.join(missing)}", ""
    if error.validator in ("enum", "const"):
        return _choice(error)
    wanted = error.schema.get("description")
    got = _cut(json.dumps(error.instance, default=str))
    if not wanted and error.validator == "type":
        kinds = [error.validator_value] if isinstance(error.validator_value, str) else error.validator_value
        wanted = " or ".join(KINDS[kind] for kind in kinds)
    return (f"wanted {wanted}, got {got}" if wanted else _cut(str(error.message))), ""


def _choice(error: Any) -> tuple[str, str]:
    choices = error.validator_value if error.validator == "enum" else [error.validator_value]
    if isinstance(error.instance, str) and error.instance in WORDS:
        wanted_too = ", ".join(WORDS[error.instance].arguments)
        return f'{error.instance}: wanted {wanted_too} too: {{ claim = "{error.instance}", ... }}', ""
    refused = not_one_of("one", error.instance, WORDS if "one-to-one" in choices else map(str, choices))
    return refused.message, refused.hint


def _cut(text: str) -> str:
    return shortened(text, LONGEST)
