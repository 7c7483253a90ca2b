"""Texts for people: translations, and texts of other programs without characters that hide or turn them."""

import gettext
import os
import sys
import unicodedata

# The directory above the one of the program, such as /usr or ~/.local.
_PREFIX = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0])))
_ = gettext.translation("scened-desktop", f"{_PREFIX}/share/locale", fallback=True).gettext

# Control characters, formats such as those that turn the direction, and ends of lines.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def shown(text: str, limit: int = 2_000) -> str:
    """Returns the text with hidden characters as `\\u202e`, and cut after `limit` characters."""
    cut = text[:limit] + ("…" if len(text) > limit else "")
    return "".join(_escaped(c) if unicodedata.category(c) in _HIDDEN else c for c in cut)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
