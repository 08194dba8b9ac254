"""Fails while it is imported, and not with an ImportError."""

TABLE = {}
SIZE = TABLE["size"]
