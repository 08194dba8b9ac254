"""How currencies are written before and after an amount, as regular expressions."""

from __future__ import annotations

_CODES = (
    "USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|AUD|CAD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|RUB|UAH|TRY|ZAR|NGN|KES|GHS|EGP|"
    "MAD|AED|SAR|QAR|KWD|BHD|OMR|JOD|TND|ILS|BRL|MXN|ARS|CLP|COP|PEN|UYU|SGD|HKD|TWD|KRW|THB|IDR|MYR|PHP|VND|PKR|BDT|"
    "LKR|NPR|TZS|UGX|ETB|XAF|XOF|BTC|ETH"
)
MONEY_SIGNS = (
    r"\$\u20ac\xa3\xa5\u20b9\u20a6\u20a9\u20bd\u20ba\u0e3f\u20ab\u20b4\u20aa\xa2\u20b1\u20a1\u20b2\u20b5\u20b8\u20bc\u20be"
    r"\uffe5\uff04\uffe1"
)
"""Currency symbols, for use inside a character class."""

GAP = "[ \u00a0\u2009\u202f]?"
_SHORT = r"Rs\.?|N|R|kr\.?|K\u010d|z\u0142|S?Fr\.?|RM|Lei|[KTU][Ss]h\.?|GH\u20b5|Php|Rp\.?|Bs\.?|S/\.?|DM|Dhs?\.?|Tk\.?"
MONEY_BEFORE = (
    rf"(?:(?<![^\W\d_])(?:(?:US|AU|NZ|CA|HK|SG|A|C|S|R|J)?[{MONEY_SIGNS}]|{_CODES}|{_SHORT})"
    rf"|(?<=[^\W\d_])[{MONEY_SIGNS}])"
)
"""A currency before its amount: ``\u00a3``, ``US$``, ``EUR``, ``Rs.``; at most five characters."""

MONEY_AFTER = (
    rf"(?:[{MONEY_SIGNS}]|(?:{_CODES}|kr\.?|z\u0142|K\u010d|Ft|lei|\u0440\u0443\u0431\.?|"
    r"[Ee]uros?|[Dd]ollars?|[Pp]ounds?|[Ff]rancs?|[Rr]upees?)(?!\w))"
)
"""A currency behind its amount: ``\u20ac``, ``EUR``, ``kr``, ``dollars``."""
