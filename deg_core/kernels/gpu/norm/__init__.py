"""Norms of rows (Zhang and Sennrich 2019, arXiv:1910.07467)."""
