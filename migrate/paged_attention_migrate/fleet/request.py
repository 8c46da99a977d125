"""What a fleet is asked for, and what one process of it gets to do."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, NamedTuple

from paged_attention_migrate import __version__
from paged_attention_migrate.fleet.addresses import Address
from paged_attention_migrate.fleet.repositories import Repository

CHECK, DIFF, REWRITE = "check", "diff", "rewrite"


class Request(NamedTuple):
    """What is done with every repository.

    `shared` are the options that every command takes and `rewriting` those of `rewrite`, by their names there.
    """

    mode: str
    work: str
    shared: dict[str, Any]
    rewriting: dict[str, Any]
    branch: str = ""
    timeout: float = 0

    def key(self) -> str:
        """A digest of everything that decides what comes out for a repository at a commit."""
        decides = [__version__, self.mode, self.branch, self.shared, self.rewriting]
        return hashlib.sha256(json.dumps(decides, sort_keys=True).encode("ascii")).hexdigest()[:32]


class Job(NamedTuple):
    """One repository and what is done with it; `known` are the states of it that the journal has."""

    repository: Repository
    request: Request
    known: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Job({self.repository.name!r})"

    def as_json(self) -> str:
        """For the process that does it."""
        return json.dumps(self)

    @property
    def slug(self) -> str:
        """A name for its files: readable, and no two repositories have the same."""
        name = self.repository.name
        words = re.sub(r"[^A-Za-z0-9._-]+", "-", name.rpartition("://")[2]).strip("-.")[-80:].lstrip("-.")
        digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:10]
        return f"{words or 'repository'}-{digest}"


def job_from(text: str) -> Job:
    """The job that `as_json` wrote."""
    (line, address, ref, refused), request, known = json.loads(text)
    given, told, scheme, secrets = address
    repository = Repository(line, Address(given, told, scheme, tuple(secrets)), ref, refused)
    return Job(repository, Request(*request), tuple(known))
