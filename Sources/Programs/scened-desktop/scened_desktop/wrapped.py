"""Addresses inside links of services that count clicks or look at links before they open them."""

import re
from urllib.parse import parse_qs, urlsplit

# A host, also for the hosts below it → the start of the path, and the parameters that may have the address.
_WRAPPERS = {
    "safelinks.protection.outlook.com": ("/", ["url"]),
    "google.com": ("/url", ["q", "url"]),
    "facebook.com": ("/l.php", ["u"]),
    "out.reddit.com": ("/", ["url"]),
    "slack-redir.net": ("/link", ["url"]),
    "youtube.com": ("/redirect", ["q"]),
    "linkedin.com": ("/redir/", ["url"]),
    "duckduckgo.com": ("/l/", ["uddg"]),
    "steamcommunity.com": ("/linkfilter", ["u", "url"]),
}
# A '*' stands for a character that is elsewhere in the link.
_URLDEFENSE = re.compile(r"https?://urldefense\.com/v3/__([^*]+?)__;", re.IGNORECASE)


def inner(url: str) -> str | None:
    """Returns the web address inside a wrapped link, which may be wrapped twice."""
    first = _unwrapped(url)
    return first and (_unwrapped(first) or first)


def _unwrapped(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        host, queries = parts.hostname or "", parse_qs(parts.query)
    except ValueError:
        return None
    found = _URLDEFENSE.findall(url)
    for wrapper, (path, names) in _WRAPPERS.items():
        if f".{host}".endswith(f".{wrapper}") and parts.path.startswith(path):
            found += [value for name in names for value in queries.get(name, [])]
    return next((address for address in found if re.match(r"https?://[^/]", address, re.IGNORECASE)), None)
