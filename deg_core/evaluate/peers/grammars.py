"""The peer of the schema compiler: llguidance, which makes the grammar that constrained decoding follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any


class Llguidance:
    """llguidance's schema compiler over a vocabulary of single bytes, the smallest there is.

    Where it could be treated in two ways, it is treated in the better one: the schema's text is made before its time
    is taken, and what it leaves to the first token is not counted.
    """

    name = "llguidance"

    def __init__(self) -> None:
        """Raises ImportError where llguidance is not installed."""
        import llguidance

        self.version = str(llguidance.__version__)
        self._library = llguidance
        self._tokens = llguidance.LLTokenizer("byte")

    def job(self, schema: Mapping[str, Any]) -> Callable[[], None]:
        """A function that compiles the schema anew at each call. It raises ValueError where the schema is refused."""
        grammar = self._library.LLMatcher.grammar_from_json_schema(json.dumps(schema))

        def compile_grammar() -> None:
            matcher = self._library.LLMatcher(self._tokens, grammar, log_level=0)
            if matcher.is_error():
                raise ValueError(matcher.get_error())

        return compile_grammar


def installed_grammar_peer() -> Llguidance | None:
    """The peer, or None where its package is not installed (the extra ``bench``)."""
    try:
        return Llguidance()
    except ImportError:
        return None
