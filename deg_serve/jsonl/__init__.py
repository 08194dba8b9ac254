"""Batch work: JSON Lines of texts in, of filled schemas out, going on where an earlier run was stopped."""
