"""Proofs: a claim goes in, a verdict comes out.

Reading order: ``prove`` (the portfolio) and its members ``by_*``; ``decode``, ``filling`` and ``inverse``
(the digits of a map's outputs); ``opaque``, ``problem``, ``smt_*``, ``solvers`` (questions to Z3, cvc5);
``certificate`` and ``recheck`` (proofs that others can check); ``lemmas`` (what holds of every transform).
"""

from layoutalg.proofs.certificates.certificate import certificate
from layoutalg.proofs.certificates.recheck import Recheck, recheck
from layoutalg.proofs.limits import Limits
from layoutalg.proofs.prove import MEMBERS, prove

__all__ = ["MEMBERS", "Limits", "Recheck", "certificate", "prove", "recheck"]
