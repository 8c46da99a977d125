"""The process that does one job: it reads it from standard input and writes the outcome to standard output."""

from __future__ import annotations

import json
import os
import signal
import sys

_EVERY = 0.5


def main() -> None:
    """Do the job, and end with everything below this process when the one above it is gone."""
    from paged_attention_migrate.fleet.git import environment
    from paged_attention_migrate.fleet.outcomes import to_json
    from paged_attention_migrate.fleet.request import job_from
    from paged_attention_migrate.fleet.work import done

    parent = os.getppid()

    def look_for_parent(_signal: int, _frame: object) -> None:
        if os.getppid() != parent:
            os.killpg(0, signal.SIGKILL)

    signal.signal(signal.SIGALRM, look_for_parent)
    signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
    job = job_from(sys.stdin.read())
    found = environment(job.repository.address, os.environ)
    os.environ.clear()
    os.environ.update(found)
    outcome = done(job)
    sys.stdout.write(json.dumps(to_json(outcome)))
    sys.stdout.flush()
