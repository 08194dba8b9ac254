"""Running a backbone: weights bound to an arithmetic, the trunk read once, forks that continue it by reference."""
