"""A process for each repository: what it must not take too long for, and what is said where it dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

from paged_attention_migrate.fleet import outcomes
from paged_attention_migrate.fleet.addresses import without_user
from paged_attention_migrate.fleet.outcomes import Outcome, from_json
from paged_attention_migrate.fleet.request import Job

_ATTEMPTS = 2
# Without the working directory on the path: the repository that it becomes is a stranger's.
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {0} import main; main()"
_MODULE = "paged_attention_migrate.fleet.child"


class Processes:
    """Does jobs from any thread, one process each, and can end them all."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def outcome(self, job: Job) -> Outcome:
        """Do a job; one whose process was killed gets another one, once."""
        if job.repository.refused:
            return outcomes.failure(job.repository.refused)
        for _ in range(_ATTEMPTS):
            found, sent = self._attempt(job)
            if found is not None:
                return found
        return outcomes.failure(f"its process was killed by {_name(sent)}, {_ATTEMPTS} times")

    def end(self) -> None:
        """End whatever runs, and start nothing more."""
        with self._lock:
            self._ended = True
            for process in self._running:
                _kill(process)

    def _attempt(self, job: Job) -> tuple[Outcome | None, int]:
        """The outcome, or none and the signal that the process was killed by."""
        path = json.dumps([each for each in sys.path if os.path.isabs(each)])
        command = [sys.executable, "-I", "-c", _START.format(_MODULE), path]
        with self._lock:
            if self._ended:
                return outcomes.failure("the run was interrupted"), 0
            pipe = subprocess.PIPE
            # A session of its own: it is ended with all that it started, and hears of no Ctrl-C.
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
            self._running.add(process)
        try:
            data = job.as_json().encode("ascii")
            out, err = process.communicate(data, timeout=job.request.timeout or None)
        except subprocess.TimeoutExpired:
            return outcomes.failure(f"it took longer than {job.request.timeout:g} seconds (--timeout)"), 0
        finally:
            _kill(process)
            process.communicate()
            with self._lock:
                self._running.discard(process)
        if process.returncode < 0:
            return None, -process.returncode
        try:
            return from_json(json.loads(out)), 0
        except (ValueError, TypeError, KeyError):
            lines = err.decode("utf-8", "replace").strip().splitlines() or ["it said nothing"]
            last = without_user(lines[-1], job.repository.address.secrets)
            return outcomes.failure(f"its process ended with exit code {process.returncode}: {last}"), 0


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with its group, in which a git may outlive it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
