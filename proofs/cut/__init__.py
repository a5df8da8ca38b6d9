"""Maps cut in two: values that an index is first made into, and the outputs as a map of these.

``cut`` (what a cut is, and the claims from which a claim follows), ``value_ranges`` and ``find_cut`` (where
to cut: at values that validity bounds, at tables, above the transforms at the bottom of a chain),
``flattened_index`` (at sums that are divided); ``counting`` and ``groups`` take claims apart without a cut.
"""
