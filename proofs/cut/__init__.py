"""Maps cut in two: values that an index is first made into, and the outputs as a map of these.

``cut`` (what a cut is, and the claims that follow a claim from it), ``find_cut`` (where to cut: at the values
that validity bounds, or above the transforms at the bottom of a chain).
"""
