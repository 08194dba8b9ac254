"""Blocks that more than one family uses."""
