"""A server under load, measured from outside: its process, the requests, the clients."""
