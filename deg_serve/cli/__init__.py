"""The command `deg`."""
