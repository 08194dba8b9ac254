"""Answers: from a checkpoint folder, a context and a schema to a filled value."""
