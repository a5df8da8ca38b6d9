"""What ROCm's composable_kernel printed, and the reader that compares it with this package."""
