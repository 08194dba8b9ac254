"""The heads that deg ships, registered as any plugin would be."""
