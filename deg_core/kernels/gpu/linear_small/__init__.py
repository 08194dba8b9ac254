"""``x @ W.T`` for few rows: decode steps and the LM head, whose cost is reading the weight once."""
