"""Imports with sizes left open: arithmetic on them, and one path for each way a condition on them may go."""
