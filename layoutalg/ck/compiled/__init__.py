"""Imports held against CK's own headers, as a compiler reads them."""
