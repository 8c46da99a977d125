"""Text of strangers inside HTML: nothing in it is markup, and what would be invisible or turn text around is shown."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from paged_attention_migrate.report.text import printable

_IN_BACKTICKS = re.compile(r"`([^`]+)`")


def text(shown: str, keep: str = "") -> str:
    """The text as content of an element; but for those in `keep`, characters that nobody sees stand as escapes."""
    if shown.isprintable():
        return escape(shown)
    return "".join(_character(each, keep) for each in shown)


def prose(shown: str, keep: str = "") -> str:
    """The same, with what stands in backticks as code."""
    return _IN_BACKTICKS.sub(r"<code>\1</code>", text(shown, keep))


def attribute(value: str) -> str:
    """The text as value of an attribute in double quotes."""
    return escape(printable(value))


def anchor(place: str) -> str:
    """What names an element and follows a `#`: characters that a URL may not hold are percent-encoded."""
    return escape(quote(place, safe="/:-._~+@", errors="surrogateescape"))


def _character(character: str, keep: str) -> str:
    if character in keep or character.isprintable():
        return escape(character)
    return f'<span class="escape">{printable(character)}</span>'
