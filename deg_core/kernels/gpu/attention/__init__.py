"""Attention of rows over prefixes that are read in place: passes of forks, and the reading of texts."""
