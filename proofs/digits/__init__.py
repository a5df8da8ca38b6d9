"""What the digits of a map's outputs say.

``injectivity`` (one-to-one: the index can be read back), ``surjectivity`` (onto: no value is left out),
``inverse_map`` (the way back, in closed form), ``bound_propagation`` (conditions as tighter ends of axes),
``find_duplicate`` (numbers that occur twice, in bounded memory).
"""
