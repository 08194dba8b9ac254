"""Training of heads and adapters on records (SPEC 12.4)."""
