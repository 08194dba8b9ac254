"""What goes over the wire: request and reply types of the three routes, and how their questions become a schema.

Knows neither a server nor a client, and neither torch nor litestar; both sides of a connection may use it.
"""
