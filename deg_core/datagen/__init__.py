"""Making records (training and evaluation data)."""
