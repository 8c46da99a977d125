"""The jobs of a fleet on a Dask cluster that is there already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from paged_attention_migrate import __version__
from paged_attention_migrate.fleet import outcomes
from paged_attention_migrate.fleet.outcomes import Outcome
from paged_attention_migrate.fleet.processes import Processes
from paged_attention_migrate.fleet.request import Job

_PATIENCE = 10
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?[^/\s]+:\d+/?")


class Unusable(Exception):
    """The cluster cannot do the work; `str()` is one sentence."""


def outcomes_there(jobs: Iterable[tuple[int, Job]], address: str) -> Iterator[tuple[int, Outcome]]:
    """The outcome of each job with its number, as they come; raises Unusable before the first."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise Unusable(
            "--cluster needs Dask's distributed, which is not installed: "
            "`pip install 'paged-attention-migrate[fleet]'` brings it"
        ) from None
    if not _ADDRESS.fullmatch(address):  # distributed complains of these in its own words, and at length
        raise Unusable(f"the scheduler {address} cannot be reached (an address is like tcp://host:8786)")
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise Unusable(f"the scheduler {address} cannot be reached ({reason})") from None
    try:
        _compare_versions(client, address)
        # No two of a run or of two runs may share a key, or the scheduler answers one with the other's.
        waiting = {client.submit(_do, job, pure=False): number for number, job in jobs}
        with client.as_current():  # it is nobody's default, and as_completed asks for one
            completed = distributed.as_completed(list(waiting))
        for future in completed:
            yield waiting[future], _outcome(future)
    finally:
        client.close()


def _do(job: Job) -> Outcome:
    """What a worker does: start a process, so that one repository cannot harm it."""
    return Processes().outcome(job)


def _compare_versions(client: Any, address: str) -> None:
    def version() -> str:
        import paged_attention_migrate

        return paged_attention_migrate.__version__

    if not client.scheduler_info(n_workers=-1)["workers"]:
        raise Unusable(f"the cluster at {address} has no worker")
    # A function inside another one travels whole: the workers need not have this module to say so.
    for worker, found in client.run(version, on_error="return").items():
        if isinstance(found, ImportError):
            raise Unusable(f"worker {worker} has no paged-attention-migrate: install version {__version__} there")
        if isinstance(found, BaseException):
            raise Unusable(f"worker {worker} cannot be asked for its version ({found})")
        if found != __version__:
            raise Unusable(f"worker {worker} has paged-attention-migrate {found}, and this is {__version__}")


def _outcome(future: Any) -> Outcome:
    if future.status == "finished":
        found = future.result()
        assert isinstance(found, Outcome)
        return found
    error = future.exception() if future.status == "error" else None
    if type(error).__name__ == "KilledWorker":
        return outcomes.failure("every worker that began with it died")
    told = f"{type(error).__name__}: {error}".splitlines()[0] if error else "the cluster lost it"
    return outcomes.failure(f"the cluster could not do it ({told})")
