"""Proofs: a claim goes in, a verdict comes out.

Reading order: ``prove`` (the portfolio) and ``members/`` (its members, one file each); ``digits/`` (what the
digits of a map's outputs say); ``smt/`` (questions to Z3 and cvc5: purification, problem, text, solvers);
``certificates/`` (proofs that others can check); ``theorems/``, ``library`` (what holds of every transform).
"""

from layoutalg.proofs.certificates.certificate import certificate
from layoutalg.proofs.certificates.recheck import Recheck, recheck
from layoutalg.proofs.limits import Limits
from layoutalg.proofs.prove import MEMBERS, prove

__all__ = ["MEMBERS", "Limits", "Recheck", "certificate", "prove", "recheck"]
