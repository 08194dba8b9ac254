"""LFM2 and LFM2.5: double-gated short convolutions with a few attention layers among them."""
