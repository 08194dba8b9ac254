"""The backbone families that deg ships, registered as any plugin would be."""
