"""Heads without trained parameters: they read the answer from the language model itself (Brown et al. 2020,
arXiv:2005.14165), so that any backbone fills a schema at once. A baseline for heads that were trained."""
