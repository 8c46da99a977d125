"""What is done already: a line of JSON for each repository, on the disk before the next one is told of."""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any

from paged_attention_migrate.fleet.outcomes import Outcome, from_json, to_json

NAME = "journal.jsonl"


class Journal:
    """An append-only file; a line that a killed run left half written is cut off."""

    def __init__(self, folder: str, request: str, anew: bool) -> None:
        """Open it for what one request asks for; with `anew` whatever it holds is forgotten. Raises OSError."""
        self._request = request
        self._known: dict[str, dict[str, dict[str, Any]]] = {}
        path = os.path.join(folder, NAME)
        self._file = open(path, "w+b" if anew else "a+b")  # noqa: SIM115  # closed by __exit__
        self._file.seek(0)
        whole = 0
        for line in self._file:
            if line.endswith(b"\n"):
                whole += len(line)
                self._learn(line)
        self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()

    def states(self, repository: str) -> tuple[str, ...]:
        """The states of a repository of which the outcome is known."""
        return tuple(self._known.get(repository, ()))

    def outcome(self, repository: str, state: str) -> Outcome | None:
        """The outcome for a repository in a state; None where a line turns out to be damaged."""
        try:
            return from_json(self._known[repository][state])
        except (ValueError, TypeError, KeyError):
            return None

    def add(self, repository: str, outcome: Outcome) -> None:
        """Write an outcome down; a failure is not, since the next run shall try again. Raises OSError."""
        if outcome.failed or not outcome.state:
            return
        told = to_json(outcome)
        line = json.dumps({"request": self._request, "repository": repository, "outcome": told})
        self._file.write(line.encode("ascii") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _learn(self, line: bytes) -> None:
        try:
            entry = json.loads(line)
            if entry["request"] == self._request:
                self._known.setdefault(str(entry["repository"]), {})[str(entry["outcome"]["state"])] = entry["outcome"]
        except (ValueError, TypeError, KeyError, AttributeError):
            return
