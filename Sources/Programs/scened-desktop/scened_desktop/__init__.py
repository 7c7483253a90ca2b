"""The windows of scened-desktop. They decide nothing: the router and scenectl answer all questions."""

import gi  # type: ignore

# Raises a ValueError if a library is missing.
gi.require_version("Gtk", "4.0")
gi.require_version("Adw", "1")
