"""Reaching deg from outside: command, server, client."""
