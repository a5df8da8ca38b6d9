"""Random domains, expressions and claims as users have them, judged by an evaluator of its own.

    python -m tests.fuzz expressions --count 1000000 --seed 1 --jobs 2
    python -m tests.fuzz claims --count 100000 --seed 1 --jobs 2

Nothing here uses the project's parser, evaluator or domains to decide what is right: texts are read by
Python's own ``ast`` and computed on Python's integers.
"""
