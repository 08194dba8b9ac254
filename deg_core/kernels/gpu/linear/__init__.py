"""``x @ W.T`` for many rows: passes of forks, the reading of texts, and the heads."""
