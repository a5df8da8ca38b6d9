"""What the digits of a map's outputs say: one-to-one, onto, and the way back."""
