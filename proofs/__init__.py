"""Proofs: a claim goes in, a verdict comes out.

Reading order: ``prove`` (the portfolio), ``structural`` with ``decode`` and ``filling`` (by normal form),
``exhaust`` (by trying), ``solver`` with ``as_integers`` (by Z3), ``instances`` (refutation by small sizes).
"""

from layoutalg.proofs.certificate import certificate
from layoutalg.proofs.prove import prove

__all__ = ["certificate", "prove"]
