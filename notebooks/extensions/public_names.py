"""The reference, made of docstrings: every name of a package's ``__all__``.

````{public-names} layoutalg.layout```` documents a package. A name that several packages have is told in full
once, at the package that it is defined in, and points there from the others.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import typing
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

__all__ = ["home_of", "is_there", "public_packages", "setup"]

MODULES = ("layoutalg.check.testing",)  # for users, though no package
OUTSIDE = (
    "sympy",
    "numpy",
    "np",
    "z3",
    "typing",
    "types",
    "collections",
    "pathlib",
    "enum",
    "fractions",
    "docutils",
)


@cache
def public_packages() -> list[str]:
    """Every package that says what it has, ``layoutalg`` first, and modules that users import from."""
    face = import_module("layoutalg")
    below = [found.name for found in walk_packages(face.__path__, "layoutalg.") if found.ispkg]
    return [name for name in ("layoutalg", *below, *MODULES) if hasattr(import_module(name), "__all__")]


@cache
def home_of(package: str, name: str) -> str:
    """Where a name is told in full: of the packages that have it, the one it is defined nearest to."""
    value = getattr(import_module(package), name)
    defined = getattr(value, "__module__", None) or ""
    having = [
        one for one in public_packages() if getattr(import_module(one), "__dict__", {}).get(name) is value
    ]
    around = [
        one for one in having if f"{defined}.".startswith(f"{one}.") and name in import_module(one).__all__
    ]
    return max(around, key=len, default=package)


@cache
def _modules_below(package: str) -> list[str]:
    path = getattr(import_module(package), "__path__", ())
    names = [found.name for found in walk_packages(path, f"{package}.")]
    return [name for name in names if not name.endswith("__main__")]  # importing that one runs it


def is_there(name: str) -> bool:
    """Whether a dotted name is that of a module, or of something in one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:count]))
        except ImportError:
            continue
        return all((found := getattr(found, part, None)) is not None for part in parts[count:])
    return False


def _role(value: object) -> str:
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if callable(value) and hasattr(value, "__name__") else "data"


def _first_sentence(value: object) -> str:
    """The first paragraph of a docstring, its references as names: they are relative to another module."""
    told = (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ")
    return re.sub(r":\w+:`~?([^`]*)`", r"``\1``", told)


def _entry(package: str, name: str) -> list[str]:
    value = getattr(import_module(package), name)
    role, home = _role(value), home_of(package, name)
    if role == "module":
        whole = f"{package}.{name}"
        if whole in public_packages():
            return []
        return [f".. rubric:: {name}", "", f".. automodule:: {whole}", "   :no-members:", ""]
    if home != package:
        # a function may be named like the package it comes from: the name is the package's then
        named = ["   :no-index:"] if f"{package}.{name}" in public_packages() else []
        link = {"function": "func", "exception": "exc"}.get(role, role)
        return [
            f".. py:{role}:: {name}",
            *named,
            "",
            f"   {_first_sentence(value)} :{link}:`{home}.{name}`",
            "",
        ]
    if role == "data":
        shown = repr(value)
        short = [f"   :value: {shown}"] if len(shown) < 80 and "<" not in shown else []
        return [f".. py:data:: {name}", f"   :type: {type(value).__name__}", *short, ""]
    options = (
        ["   :members:", "   :undoc-members:", "   :special-members: __call__"] if role == "class" else []
    )
    return [f".. auto{role}:: {package}.{name}", *options, ""]


class PublicNames(SphinxDirective):
    """The docstring of a package, then each of its names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (package,) = self.arguments
        names = import_module(package).__all__
        lines = [f".. automodule:: {package}", "   :no-members:", ""]
        for name in sorted(names, key=lambda one: (home_of(package, one) != package, one.lower())):
            lines += _entry(package, name)
        made = self.parse_text_to_nodes("\n".join(["```{eval-rst}", *lines, "```"]))
        objects = self.env.domains.python_domain.objects
        for name in names:
            whole = f"{package}.{name}"
            if (
                home_of(package, name) != package and whole in objects
            ):  # a short reference means the full entry
                objects[whole] = objects[whole]._replace(aliased=True)
        return made


def _is_known(target: str, module: str | None) -> bool:
    """Whether a name without a page is that of another package, or one of the module at hand."""
    if target.partition(".")[0] in OUTSIDE or hasattr(builtins, target) or hasattr(typing, target):
        return True
    around = [module, *_modules_below(module)] if module else []
    return is_there(target) or any(is_there(f"{one}.{target}") for one in around)


def told_as_text(app: Sphinx, env: Any, node: pending_xref, shown: nodes.Element) -> nodes.Element | None:
    """A reference to what is there but has no page is its name; anything else stays a broken reference."""
    if node.get("refdomain") != "py":
        return None
    target, module = node["reftarget"], node.get("py:module")
    if _is_known(target, module) or (node["reftype"] == "class" and "." not in target):
        return shown
    return None


def builtins_as_text(app: Sphinx, doctree: nodes.document) -> None:
    """Python's own types in signatures are no references: a property may have such a name, too."""
    for node in list(doctree.findall(pending_xref)):
        if node.get("refdomain") == "py" and hasattr(builtins, node["reftarget"]):
            node.replace_self(nodes.Text(node["reftarget"]))


def skip_sympys(app: Sphinx, what: str, name: str, *more: object) -> bool | None:
    """Leave out what SymPy puts into each class of its own kind."""
    return True if name == "default_assumptions" else None


def defaults_as_expressions(
    app: Sphinx, what: str, name: str, value: Any, options: object, signature: str | None, result: str | None
) -> tuple[str, str | None] | None:
    """A default that does not print as an expression is told as dots: Sphinx reads signatures."""
    if not signature or not callable(value):
        return None
    for parameter in inspect.signature(value).parameters.values():
        shown = repr(parameter.default)
        try:
            ast.parse(shown, mode="eval")
        except SyntaxError:
            signature = signature.replace(f"= {shown}", "= ...")
    return signature, result


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive, and what a reference without a page becomes."""
    app.add_directive("public-names", PublicNames)
    app.connect("autodoc-skip-member", skip_sympys)
    app.connect("autodoc-process-signature", defaults_as_expressions)
    app.connect("doctree-read", builtins_as_text)
    app.connect("missing-reference", told_as_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
