"""The gated delta rule over rows (Yang et al. 2024, arXiv:2412.06464): forks and decode steps; ``fla`` reads texts."""
