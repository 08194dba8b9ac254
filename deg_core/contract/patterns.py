r"""Regular expressions of schemas: the ECMA-262 dialect on the `regex` engine, with a time limit.

A pattern is translated once: ``\d`` ``\w`` ``\b`` mean ASCII, ``\s`` the Unicode spaces of ECMA-262, ``.`` anything but
a line end, ``$`` only the end of the text, ``\p{L}`` and ``\p{Script=Greek}`` a Unicode property. What ECMA-262 does
not have (``\A``, ``(?P<n>...)``, ``(?i)``, possessive ``a++``) is refused rather than given another meaning.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

import regex

TIMEOUT: Final = 0.2
"""Seconds that one search may take before it is given up."""
MAX_PATTERN: Final = 10_000
"""Most characters of a pattern, a set or an escape counting as many; and most with its least repeats written out."""
MAX_GROUPS: Final = 50
"""Deepest nesting of groups."""
_CACHE_SIZE: Final = 1_024
# The engine takes about this much longer to prepare a set or an escape than a character, and a whole pattern.
_SET_COST: Final = 20

_SPACES: Final = r"\t\n\x0B\f\r \xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF"
_CLASSES: Final = {
    "d": "0-9",
    "w": "A-Za-z0-9_",
    "s": _SPACES,
}
_CONTROLS: Final = {"t": r"\t", "n": r"\n", "v": r"\x0B", "f": r"\f", "r": r"\r"}
_HEX: Final = frozenset("0123456789abcdefABCDEF")
# Characters that set operations of the engine would read in a class.
_CLASS_SPECIAL: Final = frozenset("[&|~-")
_COUNTED: Final = regex.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_NAME: Final = regex.compile(r"[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*")


class PatternError(ValueError):
    """The text is not a regular expression of the dialect; ``str()`` says why and where."""


class PatternTimeout(TimeoutError):
    """A search took longer than `TIMEOUT`."""


class Pattern:
    """A compiled pattern. Searching is unanchored, as in JSON Schema."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._compiled = _compile(source)

    @property
    def translated(self) -> str:
        """The pattern in the engine's dialect."""
        return str(self._compiled.pattern)

    def found_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere in ``text``. PatternTimeout when that takes too long."""
        try:
            return self._compiled.search(text, timeout=TIMEOUT) is not None
        except TimeoutError:
            raise PatternTimeout(f"the pattern {self.source!r} took longer than {TIMEOUT} s") from None


_cache: OrderedDict[str, Pattern] = OrderedDict()
_cache_lock = Lock()


def compile_pattern(source: str) -> Pattern:
    """The compiled form of a schema's ``pattern``, from a bounded cache. PatternError when it is not valid."""
    with _cache_lock:
        known = _cache.get(source)
        if known is not None:
            _cache.move_to_end(source)
            return known
    pattern = Pattern(source)
    with _cache_lock:
        _cache[source] = pattern
        if len(_cache) > _CACHE_SIZE:
            _cache.popitem(last=False)
    return pattern


def forget_patterns() -> None:
    """Empty the cache, and the regex engine's own."""
    with _cache_lock:
        _cache.clear()
    regex.purge()


def pattern_problem(source: str) -> str | None:
    """Why a pattern is not valid; None when it is."""
    try:
        compile_pattern(source)
    except PatternError as error:
        return str(error)
    return None


def pattern_cost(source: str) -> int:
    """An upper bound of the work of preparing a pattern, in characters."""
    return min(_SET_COST + len(source) + (_SET_COST - 1) * sum(map(source.count, "[.\\")), MAX_PATTERN)


def _compile(source: str) -> regex.Pattern[str]:
    if len(source) > MAX_PATTERN:
        raise PatternError(f"it is longer than {MAX_PATTERN} characters")
    translated = _Translator(source).translate()
    try:
        return regex.compile(translated, regex.VERSION1)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise PatternError(str(getattr(error, "msg", error)) or type(error).__name__) from None


class _Translator:
    """One pass over a pattern from left to right, writing the engine's form of it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.out: list[str] = []
        # Sizes with the least repeats written out, which is what the engine's compiler works on: of the elements so
        # far in each open group, outermost first, and of the last element.
        self.sizes = [0]
        self.last = 0
        self.cost = 0

    def error(self, why: str) -> PatternError:
        return PatternError(f"{why} at position {self.at}")

    def peek(self, text: str) -> bool:
        return self.source.startswith(text, self.at)

    def translate(self) -> str:
        quantifiable = False
        while self.at < len(self.source):
            quantifiable = self.step(quantifiable)
        if len(self.sizes) > 1:
            raise self.error("a ( is not closed")
        return "".join(self.out)

    def step(self, quantifiable: bool) -> bool:
        """Translate one element; gives whether a quantifier may follow it."""
        char = self.source[self.at]
        if char in "*+?":
            self.quantifier(char, quantifiable)
            return False
        if char == "{" and (counted := _COUNTED.match(self.source, self.at)):
            self.count(counted, quantifiable)
            return False
        if char == "(":
            self.group()
            return False
        if char == ")":
            if len(self.sizes) == 1:
                raise self.error("a ) has no (")
            self.put(")")
            self.grow(self.sizes.pop())
            return True
        if char in "|^$":
            self.put({"$": r"\Z", "^": r"\A", "|": "|"}[char])
            return False
        self.cost += 1 if char not in "[.\\" else _SET_COST
        self.grow(1)
        if char == "[":
            self.char_class()
            return True
        if char == "\\":
            return self.escape()
        if char == ".":
            self.put(r"[^\n\r\u2028\u2029]")
        else:
            self.put(regex.escape(char, special_only=True) if char in "{}]#&~- " else char)
        return True

    def grow(self, size: int) -> None:
        """Count an element of this size in the group that it stands in."""
        self.last = size
        self.sizes[-1] += size
        self.check_size()

    def check_size(self) -> None:
        if self.cost > MAX_PATTERN:
            raise self.error(f"it is longer than {MAX_PATTERN} characters, a set or an escape counting as {_SET_COST},")
        if self.sizes[-1] > MAX_PATTERN:
            raise self.error(f"with its repeats written out it is longer than {MAX_PATTERN} characters")

    def put(self, text: str, width: int = 1) -> None:
        self.out.append(text)
        self.at += width

    def quantifier(self, char: str, quantifiable: bool) -> None:
        if not quantifiable:
            raise self.error(f"nothing to repeat before {char}")
        self.put(char)
        self.lazy()

    def count(self, counted: regex.Match[str], quantifiable: bool) -> None:
        if not quantifiable:
            raise self.error("nothing to repeat before {")
        low, high = counted[1], counted[3]
        if len(low) > 9 or len(high or "") > 9:
            raise self.error("a repeat count is too large")
        if high and int(high) < int(low):
            raise self.error("a repeat range is reversed")
        self.sizes[-1] += self.last * max(0, int(low) - 1)
        self.check_size()
        self.put(counted[0], len(counted[0]))
        self.lazy()

    def lazy(self) -> None:
        if self.peek("?"):
            self.put("?")
        elif self.peek("+"):
            raise self.error("possessive repeats are not in ECMA-262")

    def group(self) -> None:
        self.sizes.append(0)
        if len(self.sizes) > MAX_GROUPS:
            raise self.error(f"groups are nested deeper than {MAX_GROUPS}")
        if not self.peek("(?"):
            self.put("(")
            return
        for start in ("(?:", "(?=", "(?!", "(?<=", "(?<!"):
            if self.peek(start):
                self.put(start, len(start))
                return
        if self.peek("(?<"):
            name = _NAME.match(self.source, self.at + 3)
            if name is None or not self.source.startswith(">", name.end()):
                raise self.error("a group name is not valid")
            self.out.append(f"(?P<{_safe(name[0])}>")
            self.at = name.end() + 1
            return
        raise self.error(f"{self.source[self.at : self.at + 4]!r} is not in ECMA-262")

    # Escapes

    def escape(self) -> bool:
        """An escape outside a class; gives whether a quantifier may follow."""
        code = self.source[self.at + 1 : self.at + 2]
        if code in ("b", "B"):
            self.put(f"(?a:\\{code})", 2)
            return False
        if code.lower() in _CLASSES and code:
            self.put(f"[{'^' if code.isupper() else ''}{_CLASSES[code.lower()]}]", 2)
        elif code == "k" and self.peek("\\k<"):
            name = _NAME.match(self.source, self.at + 3)
            if name is None or not self.source.startswith(">", name.end()):
                raise self.error("a group name is not valid")
            self.put(f"(?P={_safe(name[0])})", name.end() + 1 - self.at)
        elif code in "123456789" and code:
            number = regex.match(r"[0-9]+", self.source, pos=self.at + 1)
            assert number is not None
            self.put(f"(?:\\{number[0]})", 1 + len(number[0]))
        else:
            self.put(*self.character())
        return True

    def character(self) -> tuple[str, int]:
        """The engine's form of an escaped character or property, and the width of the escape."""
        rest = self.source[self.at + 1 :]
        if not rest:
            raise self.error("the pattern ends in a lone \\")
        code = rest[0]
        if code in _CONTROLS:
            return _CONTROLS[code], 2
        if code == "0" and not rest[1:2].isdigit():
            return r"\x00", 2
        if code == "x" and self.hexadecimal(rest[1:3], 2):
            return rf"\x{rest[1:3]}", 4
        if code == "u":
            return self.unicode(rest)
        if code == "c" and rest[1:2].isascii() and rest[1:2].isalpha():
            return rf"\x{ord(rest[1]) % 32:02X}", 3
        if code in "pP":
            return self.property(rest)
        if code.isalnum() or code == "_":
            raise self.error(f"the escape \\{code} is not in ECMA-262")
        return regex.escape(code, special_only=False) if code.isascii() else code, 2

    def hexadecimal(self, text: str, width: int) -> bool:
        return len(text) == width and _HEX.issuperset(text)

    def unicode(self, rest: str) -> tuple[str, int]:
        if rest.startswith("u{"):
            end = rest.find("}")
            code = rest[2:end] if end > 2 else ""
            if not code or len(code) > 8 or not _HEX.issuperset(code) or int(code, 16) > 0x10FFFF:
                raise self.error("the escape \\u{...} is not a code point")
            return rf"\U{int(code, 16):08X}", end + 2
        if not self.hexadecimal(rest[1:5], 4):
            raise self.error("\\u needs four hexadecimal digits")
        high = int(rest[1:5], 16)
        if 0xD800 <= high < 0xDC00 and rest[5:7] == "\\u" and self.hexadecimal(rest[7:11], 4):
            low = int(rest[7:11], 16)
            if 0xDC00 <= low < 0xE000:
                return rf"\U{0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00):08X}", 12
        return rf"\u{rest[1:5]}", 6

    def property(self, rest: str) -> tuple[str, int]:
        end = rest.find("}")
        name = rest[2:end] if rest[1:2] == "{" and end > 2 else ""
        if not name or not all(char.isascii() and (char.isalnum() or char in "_=") for char in name):
            raise self.error(f"\\{rest[0]} needs a property such as \\p{{L}} or \\p{{Script=Greek}}")
        return rf"\{rest[0]}{{{name}}}", end + 2

    # Classes

    def char_class(self) -> None:
        start = self.at
        self.at += 1
        negated = self.peek("^")
        self.at += negated
        parts: list[str] = []
        while self.at < len(self.source) and not self.peek("]"):
            self.class_range(parts)
        if self.at >= len(self.source):
            self.at = start
            raise self.error("a [ is not closed")
        self.at += 1
        if parts:
            self.out.append(f"[{'^' if negated else ''}{''.join(parts)}]")
        else:
            self.out.append(r"[\s\S]" if negated else "(?!)")

    def class_range(self, parts: list[str]) -> None:
        """One member of a class: a character, a range, or a set such as ``\\d``."""
        low, low_code = self.class_atom(parts)
        following = self.source[self.at : self.at + 2]
        if following[:1] != "-" or len(following) < 2 or following[1] == "]":
            if low:
                parts.append(low)
            return
        if not low:
            # After a set, a dash is a plain character.
            return
        mark = self.at
        self.at += 1
        high, high_code = self.class_atom(parts)
        if not high:
            parts.extend((low, r"\-"))
            return
        if low_code > high_code:
            self.at = mark
            raise self.error("a character range is reversed")
        parts.append(f"{low}-{high}")

    def class_atom(self, parts: list[str]) -> tuple[str, int]:
        """One character with its code point; sets are appended to ``parts`` and give an empty text."""
        char = self.source[self.at]
        if char != "\\":
            self.at += 1
            return ("\\" + char if char in _CLASS_SPECIAL or char == "^" else char), ord(char)
        code = self.source[self.at + 1 : self.at + 2]
        if code and code in "dws":
            parts.append(_CLASSES[code])
            self.at += 2
            return "", 0
        if code and code in "DWS":
            parts.append(f"[^{_CLASSES[code.lower()]}]")
            self.at += 2
            return "", 0
        if code and code in "pP":
            text, width = self.character()
            parts.append(text)
            self.at += width
            return "", 0
        if code == "b":
            self.at += 2
            return r"\x08", 8
        text, width = self.character()
        self.at += width
        return text, _code_point(text)


def _safe(name: str) -> str:
    """A group name that the engine takes."""
    return name.replace("$", "_dollar_").replace("\u200c", "_zwnj_").replace("\u200d", "_zwj_")


def _code_point(text: str) -> int:
    """The code point that an engine escape stands for."""
    if len(text) == 1:
        return ord(text)
    if text[1] in "xuU" and len(text) > 2:
        return int(text[2:], 16)
    return {"t": 9, "n": 10, "f": 12, "r": 13}.get(text[1], ord(text[1]))
