"""The releases of vLLM in order, and where a version stands among them."""

from __future__ import annotations

_IN_ORDER = """
    0.0.1 0.1.0 0.1.1 0.1.2 0.1.3 0.1.4 0.1.5 0.1.6 0.1.7
    0.2.0 0.2.1 0.2.1.post1 0.2.2 0.2.3 0.2.4 0.2.5 0.2.6 0.2.7
    0.3.0 0.3.1 0.3.2 0.3.3
    0.4.0 0.4.0.post1 0.4.1 0.4.2 0.4.3
    0.5.0 0.5.0.post1 0.5.1 0.5.2 0.5.3 0.5.3.post1 0.5.4 0.5.5
    0.6.0 0.6.1 0.6.1.post1 0.6.1.post2 0.6.2 0.6.3 0.6.3.post1 0.6.4 0.6.4.post1 0.6.5 0.6.6 0.6.6.post1
    0.7.0 0.7.1 0.7.2 0.7.3
    0.8.0 0.8.1 0.8.2 0.8.3 0.8.4 0.8.5 0.8.5.post1
    0.9.0 0.9.0.1 0.9.1 0.9.2
    0.10.0 0.10.1 0.10.1.1 0.10.2
    0.11.0 0.11.1 0.11.2 0.12.0 0.13.0 0.14.0 0.14.1 0.15.0 0.15.1 0.16.0 0.17.0 0.17.1 0.18.0 0.18.1 0.19.0 0.19.1
    0.20.0 0.20.1 0.20.2 0.21.0 0.22.0 0.22.1 0.23.0 0.24.0 0.25.0 0.25.1 0.26.0 0.27.0 0.27.1 0.28.0 0.29.0
    0.30.0 0.31.0 0.32.0 0.33.0
"""

RELEASES: tuple[str, ...] = tuple(_IN_ORDER.split())

_INDEX = {release: index for index, release in enumerate(RELEASES)}
_VERSION = r"""v?(?P<release>\d+(?:\.\d+)*)
    (?P<candidate>[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?
    (?:[-_.]?post[-_.]?(?P<post>\d*))?
    (?P<dev>[-_.]?dev[-_.]?\d*)?
    (?:\+[a-z0-9._-]+)?"""


def position(version: str) -> int:
    """The index in `RELEASES` of `version`, or of the newest release that is not above it; -1 when all are.

    A release candidate stands where its release stands; a development version stands before it.
    Raises `ValueError` for text that is no version.
    """
    if version not in _INDEX:
        wanted = _key(version)
        _INDEX[version] = sum(_key(release) <= wanted for release in RELEASES) - 1
    return _INDEX[version]


def following(release: str) -> str | None:
    """The release after `release`, or None after the newest one known."""
    index = position(release) + 1
    return RELEASES[index] if index < len(RELEASES) else None


def _key(version: str) -> tuple[tuple[int, ...], int]:
    import re

    match = re.fullmatch(_VERSION, version.strip(), re.VERBOSE | re.IGNORECASE)
    if match is None:
        raise ValueError(f"not a version: {version!r}")
    numbers = [int(part) for part in match["release"].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    post = 0 if match["post"] is None else int(match["post"] or 0) or 1
    unfinished = match["dev"] is not None and match["candidate"] is None
    return tuple(numbers), 2 * post - unfinished
