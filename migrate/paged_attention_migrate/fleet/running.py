"""A run over all repositories: those that the journal knows are not done again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from paged_attention_migrate.fleet.journal import Journal
from paged_attention_migrate.fleet.outcomes import Outcome
from paged_attention_migrate.fleet.repositories import Repository
from paged_attention_migrate.fleet.request import Job, Request

Watch = Callable[[int, int, Outcome], None]


class NoFolder(Exception):
    """The work folder cannot be used; `str()` is one sentence."""


def run(
    repositories: tuple[Repository, ...], request: Request, at_once: int, cluster: str | None, anew: bool, watch: Watch
) -> list[Outcome]:
    """The outcome of every repository, in the order of the list; raises NoFolder and cluster.Unusable."""
    with _folder(request.work), _journal(request, anew) as journal:
        jobs = [Job(each, request, journal.states(each.name)) for each in repositories]
        found: dict[int, Outcome] = {}
        while missing := [(number, job) for number, job in enumerate(jobs) if number not in found]:
            for number, outcome in _outcomes(missing, at_once, cluster):
                name = repositories[number].name
                if outcome.known:
                    known = journal.outcome(name, outcome.state)
                    if known is None:  # its line is damaged: once more, without it
                        jobs[number] = jobs[number]._replace(known=())
                        continue
                    outcome = known._replace(known=True)
                else:
                    journal.add(name, outcome)
                found[number] = outcome
                watch(len(found), len(jobs), outcome)
        return [found[number] for number in range(len(jobs))]


def _outcomes(jobs: list[tuple[int, Job]], at_once: int, cluster: str | None) -> Iterator[tuple[int, Outcome]]:
    if cluster is None:
        from paged_attention_migrate.fleet.local import outcomes_here

        return outcomes_here(jobs, at_once)
    from paged_attention_migrate.fleet.cluster import outcomes_there

    return outcomes_there(jobs, cluster)


def _journal(request: Request, anew: bool) -> Journal:
    try:
        return Journal(request.work, request.key(), anew)
    except OSError as error:
        raise NoFolder(f"{error.filename}: the journal cannot be written ({error.strerror})") from None


@contextmanager
def _folder(path: str) -> Iterator[None]:
    """The work folder, for this run alone; git leaves it out of whatever repository it is in."""
    import fcntl

    try:
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, ".gitignore"), "w", encoding="ascii") as file:
            file.write("*\n")
        lock = open(os.path.join(path, "lock"), "wb")  # noqa: SIM115  # closed below
    except OSError as error:
        raise NoFolder(f"{path}: the work folder cannot be written ({error.strerror}): name one with --work") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NoFolder(f"{path}: another run works in this folder: wait for it or name one with --work") from None
        yield
