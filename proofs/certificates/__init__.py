"""Verdicts that others can check: written as JSON, and judged anew from the claim."""
