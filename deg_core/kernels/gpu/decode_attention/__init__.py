"""Attention of one query a row: decode steps."""
