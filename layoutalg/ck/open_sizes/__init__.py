"""Sizes left open in an import: symbols for them, their arithmetic and ranges, and conditions on them."""
