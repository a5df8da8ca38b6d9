"""``python -m layoutalg``."""

from layoutalg.cli import main

main()
