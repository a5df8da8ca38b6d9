"""Layout files as users write them, kind by kind, each with what makes it wrong (``twins.toml``)."""
