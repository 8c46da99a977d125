"""The jobs of a fleet on this machine, so many at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed

from paged_attention_migrate.fleet.outcomes import Outcome
from paged_attention_migrate.fleet.processes import Processes
from paged_attention_migrate.fleet.request import Job


def outcomes_here(jobs: Iterable[tuple[int, Job]], at_once: int) -> Iterator[tuple[int, Outcome]]:
    """The outcome of each job with its number, as they come; whatever ends this ends the processes, too."""
    processes = Processes()
    pool = ThreadPoolExecutor(at_once)
    try:
        waiting = {pool.submit(processes.outcome, job): number for number, job in jobs}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    finally:
        processes.end()
        pool.shutdown(cancel_futures=True)
