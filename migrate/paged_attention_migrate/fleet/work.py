"""What is done with one repository, in a process of its own whose working directory it may change."""

from __future__ import annotations

import os
from typing import Any

import click

from paged_attention_migrate.fleet import clones, outcomes, trees
from paged_attention_migrate.fleet.addresses import PATH, without_user
from paged_attention_migrate.fleet.clones import Clone
from paged_attention_migrate.fleet.git import GitFailed
from paged_attention_migrate.fleet.outcomes import Outcome
from paged_attention_migrate.fleet.request import CHECK, REWRITE, Job
from paged_attention_migrate.project import Result


def done(job: Job) -> Outcome:
    """What becomes of a repository; whatever goes wrong is one sentence in it."""
    secrets = job.repository.address.secrets
    try:
        return _done(job)
    except GitFailed as error:
        told = str(error)
    except click.ClickException as error:
        told = error.format_message()
    except Exception as error:  # noqa: BLE001  # one repository never stops the others
        from paged_attention_migrate.report.failure import unexpected

        told = str(unexpected(error).message)
    return outcomes.failure(without_user(told, secrets))


def _done(job: Job) -> Outcome:
    repository = job.repository
    path = repository.address.given
    if repository.address.scheme != PATH:
        return _in_clone(job)
    if not os.path.isdir(path):
        what = "this is a file, and a directory is expected" if os.path.exists(path) else "there is no such directory"
        raise GitFailed(what)
    if not os.access(path, os.R_OK | os.X_OK):
        raise GitFailed("the directory cannot be read")
    return _in_clone(job) if repository.ref is not None or clones.is_bare(path) else _where_it_is(job, path)


def _in_clone(job: Job) -> Outcome:
    clone = Clone(job)
    request = job.request
    with clone.locked():
        commit = clone.remote_commit()
        if commit is None:
            return Outcome(Result((), notices=("it has no commit yet",)), state="empty")
        if commit.digest in job.known and request.mode != REWRITE:
            return Outcome(Result(()), commit.digest, commit.digest, known=True)
        if request.mode == REWRITE:
            clone.refuse_taken_branch(request.branch)
        if commit.digest in job.known and clone.branch_commit(request.branch):
            return Outcome(Result(()), commit.digest, commit.digest, known=True)
        digest = clone.check_out(commit)
        os.chdir(clone.folder)
        _bring_baseline(clone, job.request.shared)
        result = _run(job, clone.folder)
        found = Outcome(result, digest, digest)
        if request.mode == REWRITE and result.changes:
            made = clone.commit(request.branch, digest, [each.path for each in result.changes])
            found = found._replace(clone=clone.folder, branch=request.branch, branch_commit=made)
        clone.done()
        return found


def _where_it_is(job: Job, path: str) -> Outcome:
    os.chdir(path)
    commit = trees.commit_of(".")
    state = trees.state_of(".", commit)
    if state in job.known:
        return Outcome(Result(()), commit, state, known=True)
    from paged_attention_migrate.report.patch import prefix_in_work_tree

    result = _run(job, None)
    if result.changes and job.request.mode == REWRITE:
        state = trees.state_of(".", commit)
    remote = without_user(trees.remote_of(".") or "")
    return Outcome(result, commit, state, prefix_in_work_tree(), remote=remote)


def _bring_baseline(clone: Clone, shared: dict[str, Any]) -> None:
    """A baseline may have any name, and so be among the files that were left out."""
    from paged_attention_migrate.commands.options import Given, asked_for

    baseline = asked_for(Given(**shared), clone.folder).settings.baseline
    if baseline is not None and not os.path.exists(baseline):
        clone.check_out_everything()


def _run(job: Job, top: str | None) -> Result:
    """Check or rewrite the working directory, whose settings are looked for no further up than `top`."""
    from paged_attention_migrate import project
    from paged_attention_migrate.commands.options import Given, asked_for, read_baseline, tolerating
    from paged_attention_migrate.commands.rewrite import with_rewriting
    from paged_attention_migrate.commands.writing import write

    request = job.request
    options = asked_for(Given(**request.shared), top)
    known = read_baseline(options)
    if request.mode == CHECK:
        return tolerating(project.check(options), options, known)
    result = project.rewrite(with_rewriting(options, **request.rewriting))
    if request.mode == REWRITE:
        refusal, _ = write(result.changes, allow_dirty=False)
        if refusal is not None:
            raise refusal
        result = result.once_written()
    return tolerating(result, options, known)
