"""The conformance kit: what a family, a head or an array decoder must hold, as checks that anybody can run.

``deg conform NAME`` runs it on a registered plugin; ``pytest_plugin`` makes a test of each check. Nothing here is
needed to serve or to train, and importing this package loads no model code.
"""
