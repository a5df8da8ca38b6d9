"""Mistakes about functions of CK: what is typed after ``layoutalg ck``, and words that the answer must say.

The tree has one header, ``ops/policy.hpp``, whose ``Policy::MakeDesc`` reads ``Problem::kM``.
"""

__all__ = ["CK"]

TARGET = "ops/policy.hpp::Policy::MakeDesc"
BOUND = f"{TARGET} --bind Problem.kM=64"
IMPORT = f"import {TARGET} --bind"

CK = (
    ("import ops/polcy.hpp::Policy::MakeDesc", "no header is called", "did you mean", "ops/policy.hpp?"),
    ("import ops/policy.hpp::Polcy::MakeDesc", "Polcy", "did you mean Policy::MakeDesc?"),
    ("import ops/policy.hpp::Policy::MakeDes", "MakeDes", "did you mean Policy::MakeDesc?"),
    ("import ops/policy.hpp", "wanted FILE.hpp::Class::Function", "got ops/policy.hpp"),
    ("import Policy::MakeDesc", "wanted FILE.hpp::Class::Function", "got Policy::MakeDesc"),
    (f"import {TARGET}", "Problem::kM is not bound", "policy.hpp:8:41", "--bind Problem.kM="),
    (f"{IMPORT} Problem.kM", "binding", "wanted KEY=VALUE", "got 'Problem.kM'", "Problem.kM=64"),
    (f"{IMPORT} kM=64", "Problem::kM is not bound", "kM is bound, but not read", "--bind Problem.kM="),
    (f"{IMPORT} Problem.km=64", "Problem::kM is not bound", "Problem.km is bound, but not read"),
    (f"import {BOUND} --bind Problem.kN=8", "unused binding", "reads Problem.kN", "Problem.kM"),
    (f"{IMPORT} Problem.kM=sixty", "sixty is declared nowhere", "the binding Problem.kM names it"),
    (f"{IMPORT} Problem.kM=0", "lengths[0]", "wanted a length >= 1", "got 0"),
    (f"{IMPORT} Problem.kM=9", "static_assert fails", "policy.hpp"),
    (f"{IMPORT} Problem.kM=symbol(mn=64)", "symbol(min=, max=, multiple_of=)", "symbol(mn=64)"),
    (f"import {BOUND} --arch gfx95", "--arch", "gfx95", "did you mean gfx950?"),
    (f"import {BOUND} --emit yaml", "--emit", "yaml", "toml"),
    (f"import {TARGET} --bind-file missing.toml", "no file missing.toml"),
    (f"import {TARGET} --bind-file tabs.toml", "tabs.toml:2", "not TOML", "^"),
    (f"check {TARGET} --defaults --bind Problem.kM", "wanted KEY=VALUE", "'Problem.kM'"),
    ("needs ops/policy.hpp::Policy::Make", "no Policy::Make", "did you mean Policy::MakeDesc?"),
)
