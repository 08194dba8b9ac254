"""What a plugin author reads: the protocols that families, heads and array decoders implement.

``PROTOCOL_VERSION`` is (major, minor). A plugin states the version it was built for as ``protocol_version``; another
major version is refused, a newer minor one too.
"""

from typing import Final

PROTOCOL_VERSION: Final = (1, 3)
