"""Removed names that a project tells of in its settings, beside those of the shim's table."""

from __future__ import annotations

from typing import NamedTuple

FAMILY = "own"
IMPORT = "PAM501"
CALL = "PAM502"


class OwnName(NamedTuple):
    """One table `removed` of the settings, checked.

    Without `replacement` the name is only reported. Without signatures, which come both or not at all, the replacement
    takes the arguments as they are. `renamed` and `dropped` tell of old parameters.
    """

    name: str
    homes: tuple[str, ...]
    signature: str | None = None
    replacement: str | None = None
    replacement_signature: str | None = None
    renamed: tuple[tuple[str, str], ...] = ()
    dropped: tuple[str, ...] = ()
    safe: bool = True
    since: str | None = None
    reason: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Every full dotted name."""
        return tuple(f"{home}.{self.name}" for home in self.homes)
