"""Layout files for tests: one that holds, one that does not, one nobody can tell."""

GOOD = """
[symbols]
M = { min = 8, max = 4096, multiple_of = 8 }

[layout.rows]
base = { lengths = ["M", 64], strides = [72, 1] }
claims = ["in bounds", "one-to-one", { claim = "vector access", dimension = 1, width = 8 }]
equals = "72*i0 + i1"
"""

BAD = """
[layout.overlap]
base = { lengths = [4, 8], strides = [7, 1] }
claims = [
  "one-to-one",
  "covers",
]
"""

UNKNOWN = """
[symbols]
a = {}
b = {}
c = {}

[layout.cubes]
index = { x = 1 }
offset = "(a**3 + b**3 - c**3)**2 + x"
claims = [{ claim = "divides", divisor = "(a**3 + b**3 - c**3)**2", number = "(a**3 + b**3 - c**3)**2" }]
"""
