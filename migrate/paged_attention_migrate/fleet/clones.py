"""Shallow clones in the work folder, each with the files that this tool reads, and branches with what was rewritten."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from paged_attention_migrate.files import patterns
from paged_attention_migrate.fleet.addresses import PATH, of_directory
from paged_attention_migrate.fleet.git import GitFailed, run, succeeds
from paged_attention_migrate.fleet.request import Job

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# There while a clone is worked on: what a killed run leaves behind is nobody's work.
_BUSY = "paged-attention-fleet-busy"
_NAME, _MAIL = "paged-attention-migrate", "paged-attention-migrate@localhost"


class Commit(NamedTuple):
    """A commit of a remote repository, and the name that it is fetched by."""

    digest: str
    name: str


class Clone:
    """The clone of one repository; the work folder holds it from run to run."""

    def __init__(self, job: Job) -> None:
        address = job.repository.address
        self.job = job
        self.source = of_directory(address.told) if address.scheme == PATH else _without_user(job)
        self.folder = os.path.join(os.path.abspath(job.request.work), "clones", job.slug)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else works on the clone meanwhile, not even a process that another machine takes for lost."""
        import fcntl

        os.makedirs(os.path.dirname(self.folder), exist_ok=True)
        with open(f"{self.folder}.lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def remote_commit(self) -> Commit | None:
        """The commit that the ref names, or the default branch; None where there is no commit at all."""
        ref = self.job.repository.ref
        if ref is not None and _COMMIT.fullmatch(ref):
            return Commit(ref, ref)
        names = ["HEAD"] if ref is None else [ref, f"refs/tags/{ref}", f"refs/tags/{ref}^{{}}", f"refs/heads/{ref}"]
        listed = self._git(["ls-remote", "--", self.source, *names]).decode("utf-8", "surrogateescape")
        pairs = (line.partition("\t") for line in listed.splitlines())
        found = {name: digest for digest, _, name in pairs if name}
        for name in names:
            if name in found:
                return Commit(found.get(f"{name}^{{}}") or found[name], name)
        if ref is not None:
            hint = " (a commit must be given in full)" if re.fullmatch(r"[0-9a-f]{4,39}", ref) else ""
            raise GitFailed(f"it has no branch, tag or ref {ref!r}{hint}")
        if self._git(["ls-remote", "--", self.source]):
            raise GitFailed("its HEAD names a branch that is not there: name one with `@REF`")
        return None

    def check_out(self, commit: Commit) -> str:
        """Bring the files of a commit into the folder, and give the commit that was found there."""
        git_folder = os.path.join(self.folder, ".git")
        if os.path.exists(os.path.join(git_folder, _BUSY)) or not os.path.isdir(git_folder):
            shutil.rmtree(self.folder, ignore_errors=True)
            self._git(["init", "--quiet", "--", self.folder])
            self._mark_busy()
            self._here("remote", "add", "origin", self.source)
            self._here("sparse-checkout", "set", "--no-cone", *patterns())
        elif self._here("status", "--porcelain"):
            raise GitFailed(f"{self.folder} has uncommitted changes: commit them or delete that folder")
        else:
            self._mark_busy()
        fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--filter=blob:none", "origin"]
        self._here(*fetch, commit.name)
        digest = self._here("rev-parse", "FETCH_HEAD^{commit}").decode("ascii").strip()
        self._here("checkout", "--quiet", "--force", "--detach", digest)
        return digest

    def check_out_everything(self) -> None:
        """Bring the files that this tool does not read, too."""
        self._here("sparse-checkout", "disable")

    def refuse_taken_branch(self, branch: str) -> None:
        """Raise GitFailed where the branch is there with anything but what an earlier run committed."""
        tip = self.branch_commit(branch)
        if tip and tip != self._own_commit(branch):
            raise GitFailed(
                f"branch {branch} of {self.folder} has commits that are not from here: give another --branch"
            )

    def branch_commit(self, branch: str) -> str:
        """The commit of a branch; empty where there is none."""
        try:
            found = self._here("rev-parse", "--quiet", "--verify", f"refs/heads/{branch}^{{commit}}")
        except GitFailed:
            return ""
        return found.decode("ascii").strip()

    def commit(self, branch: str, base: str, paths: list[str]) -> str:
        """Commit some files to the branch, on top of `base`, check it out and give the commit."""
        data = "\0".join(paths).encode("utf-8", "surrogateescape")
        literal = ["--literal-pathspecs", "-C", self.folder]
        self._git([*literal, "add", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"], data)
        tree = self._here("write-tree").decode("ascii").strip()
        message = f"Move off vLLM's removed paged attention functions\n\nMade by {_NAME}."
        who = [] if self._has_identity() else ["-c", f"user.name={_NAME}", "-c", f"user.email={_MAIL}"]
        made = self._git(["-C", self.folder, *who, "commit-tree", tree, "-p", base, "-m", message])
        digest = made.decode("ascii").strip()
        self._here("config", f"branch.{branch}.pagedAttentionFleet", digest)
        self._here("update-ref", f"refs/heads/{branch}", digest)
        self._here("symbolic-ref", "HEAD", f"refs/heads/{branch}")
        return digest

    def done(self) -> None:
        """What the folder holds from now on is to be kept."""
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(self.folder, ".git", _BUSY))

    def _mark_busy(self) -> None:
        with open(os.path.join(self.folder, ".git", _BUSY), "wb"):
            pass

    def _own_commit(self, branch: str) -> str:
        try:
            return self._here("config", f"branch.{branch}.pagedAttentionFleet").decode("ascii").strip()
        except GitFailed:
            return ""

    def _has_identity(self) -> bool:
        return succeeds(["-C", self.folder, "config", "user.name"]) and succeeds(
            ["-C", self.folder, "config", "user.email"]
        )

    def _here(self, *arguments: str) -> bytes:
        return self._git(["-C", self.folder, *arguments])

    def _git(self, arguments: list[str], data: bytes | None = None) -> bytes:
        return run(arguments, self.job.repository.address.secrets, data)


def is_bare(path: str) -> bool:
    """Whether a directory is a git directory without files of its own, so that only a clone can show them."""
    return os.path.isfile(os.path.join(path, "HEAD")) and all(
        os.path.isdir(os.path.join(path, name)) for name in ("objects", "refs")
    )


def _without_user(job: Job) -> str:
    """What stands on the command line of git and in the clone: the rest comes in through the environment."""
    from paged_attention_migrate.fleet.addresses import without_user

    address = job.repository.address
    return without_user(address.given) if address.scheme == "https" else address.given
