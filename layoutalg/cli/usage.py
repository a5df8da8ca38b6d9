"""Mistakes on the command line, each in one line with its mend, as all other errors are told.

Typer finds them and would draw a box around the usage; what it found is said here in our own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import typer

from layoutalg.reading.near_names import meant, meant_or_known

__all__ = ["UsageError", "told"]

UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # Typer has its own click, or uses click's


def told(error: Any, words: Sequence[str], root: Any) -> tuple[str, str]:
    """What is wrong with a command line of these words for a command, and a hint."""
    kind = type(error).__name__
    error.ctx = error.ctx or _context(root, words)
    if kind == "NoSuchOption":
        return _no_option(error)
    if kind == "MissingParameter":
        return _missing(error)
    if kind == "BadOptionUsage":
        named = (one for one in _parameters(error) if error.option_name in one.opts)
        return f"{error.option_name}: wanted a value after it", _help(next(named, None)) or _see(error)
    if kind == "BadParameter" and error.param is not None:
        return _bad_value(error, words)
    if found := re.search(r"No such command '(.*?)'", error.format_message()):
        known = error.ctx.command.commands
        return f"there is no command {found[1]}", meant_or_known(found[1], known, "commands")
    if found := re.search(r"unexpected extra arguments? ?(?:\(s\) )?\((.*)\)$", error.format_message()):
        return _too_many(error, found[1])
    return error.format_message(), _see(error)


def _context(root: Any, words: Sequence[str]) -> Any:
    """The context of the command that the words name, where Typer lost it."""
    found = root.context_class(root, info_name=root.name)
    for word in words:
        inner = getattr(found.command, "commands", {}).get(word)
        if inner is not None:
            found = inner.context_class(inner, info_name=word, parent=found)
    return found


def _no_option(error: Any) -> tuple[str, str]:
    name, own = error.option_name, list(_options(error))
    long = [option for option in own if option.startswith(f"-{name}")] if len(name) == 2 else []
    hint = f"did you mean {' or '.join(long)}?" if long else meant(name, own)
    if not hint and hasattr(error.ctx.command, "commands"):
        hint = "options of a command stand after its name"
    return f"{_command(error)} has no option {name}", hint or f"options are {', '.join(own)}"


def _missing(error: Any) -> tuple[str, str]:
    name = _shown(error.param)
    return f"{_command(error)}: {name} is missing", f"{name}: {_help(error.param)}"


def _bad_value(error: Any, words: Sequence[str]) -> tuple[str, str]:
    names = [*error.param.opts, *error.param.secondary_opts]
    got = next(_values(names, words), None)
    kinds = {"integer": "an integer", "number": "a number", "float": "a number", "bool": "true or false"}
    kind = next((what for word, what in kinds.items() if word in error.message), "")
    if got is None or not kind:
        return f"{_shown(error.param)}: {error.message}", _help(error.param)
    return f"{names[0]}: wanted {kind}, got {got!r}", _help(error.param)


def _values(names: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    """What the command line gives to an option, the last first."""
    for place in reversed(range(len(words))):
        word, sign, value = words[place].partition("=")
        if word in names and (sign or place + 1 < len(words)):
            yield value if sign else words[place + 1]


def _too_many(error: Any, extra: str) -> tuple[str, str]:
    arguments = [one for one in _parameters(error) if one.param_type_name == "argument"]
    names = " ".join(map(_shown, arguments)) or "no arguments"
    what = f"{_command(error)} takes {names}: there is no place for {extra}"
    last = str(error.ctx.params.get(arguments[-1].name)) if arguments else ""
    if re.fullmatch(r"\w+", extra) and last.endswith((".toml", ".py")):
        return what, f"did you mean {last}:{extra}?"
    return what, f"one text stands in quotes: '{last} {extra}'" if last else _see(error)


def _shown(parameter: Any) -> str:
    """An argument as the help shows it, an option by its name."""
    is_argument = parameter.param_type_name == "argument"
    return str(parameter.name).upper() if is_argument else str(parameter.opts[0])


def _parameters(error: Any) -> list[Any]:
    return list(error.ctx.command.get_params(error.ctx))


def _options(error: Any) -> Iterator[str]:
    for parameter in _parameters(error):
        if parameter.param_type_name == "option":
            yield from (*parameter.opts, *parameter.secondary_opts)


def _help(parameter: Any) -> str:
    return (getattr(parameter, "help", None) or "").rstrip(".")


def _command(error: Any) -> str:
    path = str(error.ctx.command_path)
    return path.partition(" ")[2] or path


def _see(error: Any) -> str:
    return f"see {error.ctx.command_path} -h"
