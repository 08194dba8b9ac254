"""The transport: an ASGI application over the wires, the batcher and an engine."""
