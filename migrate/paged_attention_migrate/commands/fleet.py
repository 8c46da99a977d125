"""Check or rewrite many repositories."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from paged_attention_migrate.commands.options import (
    COLOR,
    INFO,
    QUIET,
    Given,
    counts_of,
    says_how_code_is_read,
)
from paged_attention_migrate.commands.rewrite import says_how_to_rewrite

if TYPE_CHECKING:
    from paged_attention_migrate.fleet.outcomes import Outcome
    from paged_attention_migrate.fleet.reports import Told
    from paged_attention_migrate.fleet.repositories import Repository
    from paged_attention_migrate.fleet.request import Request
    from paged_attention_migrate.report.terminal import Terminal

_FORMATS = click.Choice(["text", "json", "sarif", "html"])
_REWRITING = ("unsafe", "no_simplify", "add_todo")


@click.command(short_help="Check or rewrite many repositories.")
@click.option(
    "--repos", required=True, metavar="FILE", help="The list: a path or an address for git a line; - is standard input."
)
@click.option("--rewrite", is_flag=True, help="Rewrite paths where they are, and clones on a new branch.")
@click.option("--diff", is_flag=True, help="Write a patch for each repository into the work folder, nothing else.")
@click.option(
    "--branch", default="paged-attention-migrate", show_default=True, metavar="NAME", help="The branch in a clone."
)
@click.option(
    "--work",
    type=click.Path(),
    default=".paged-attention-fleet",
    show_default=True,
    metavar="DIR",
    help="The folder for clones, patches and the journal.",
)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Repositories at a time; by default one a CPU.")
@click.option("--cluster", metavar="ADDRESS", help="The scheduler of a Dask cluster that does the work.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="The most for one repository; 0 is no bound.",
)
@click.option("--restart", is_flag=True, help="Forget what the journal knows.")
@click.option("--output-format", type=_FORMATS, default="text", help="How it is reported; text is the default.")
@click.option("--report", type=click.Path(), metavar="FILE", help="Write the report there, in one step.")
@INFO
@says_how_to_rewrite
@says_how_code_is_read
@QUIET
@COLOR
@click.pass_context
def fleet(ctx: click.Context, /, repos: str, quiet: bool, color: str, report: str | None, **asked: Any) -> None:
    """Check or rewrite every repository of a list; exit with 1 if anything is left, with 2 if one failed.

    A failure in one never stops the others, and an interrupted run goes on where it was.
    """
    from paged_attention_migrate.fleet import reports, repositories
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.terminal import Terminal

    terminal = Terminal(color, quiet)
    try:
        listed = repositories.read(repos)
    except repositories.Unreadable as error:
        raise Failure(str(error)) from None
    request = _request(asked)
    if report is not None and not os.path.isdir(os.path.dirname(os.path.abspath(report))):
        raise Failure(f"{report}: the report cannot be written (there is no such directory)")
    outcomes = _outcomes(listed.repositories, request, asked, terminal)
    terminal.tell("".join(f"paged-attention-migrate: {each}\n" for each in listed.notices))
    try:
        told = [_told(*each, request) for each in zip(listed.repositories, outcomes, strict=True)]
        text = _report(told, request, listed.notices, asked["output_format"], terminal, to_file=report is not None)
        if report is None:
            terminal.say(text)
        else:
            reports.write(report, text)
    except OSError as error:
        raise Failure(f"{error.filename or report}: it cannot be written ({error.strerror})") from None
    if report is not None or asked["output_format"] != "text":
        terminal.insist(_failures(told))
    terminal.tell(reports.summary(told))
    ctx.exit(reports.exit_code(told))


def _request(asked: dict[str, Any]) -> Request:
    """What every repository is asked for; an option that is passed on needs to be named here or nowhere."""
    from paged_attention_migrate.fleet import request

    mode = request.DIFF if asked["diff"] else request.REWRITE if asked["rewrite"] else request.CHECK
    shared = {name: asked[name] for name in Given._fields if name in asked}
    shared.update(paths=(), baseline=None, jobs=1, quiet=True, color="never")
    if mode != request.CHECK and shared["output_format"] == "sarif":
        shared["output_format"] = "json"  # a rewrite proposes nothing beside what it does
    given = Given(**shared)
    if given.from_version is not None:
        _must_be_release(given.from_version)
    # The report is made from the outcome: of its format only the edits for SARIF count.
    shared["output_format"] = "sarif" if given.output_format == "sarif" else "text"
    branch = asked["branch"] if mode == request.REWRITE else ""
    if branch:
        _must_be_branch(branch)
    rewriting = {name: asked[name] for name in _REWRITING}
    return request.Request(mode, os.path.abspath(asked["work"]), shared, rewriting, branch, asked["timeout"])


def _must_be_release(version: str) -> None:
    from paged_attention_migrate.settings import release

    try:
        release(version)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--from-version") from None


def _must_be_branch(name: str) -> None:
    from paged_attention_migrate.fleet.git import succeeds

    if not succeeds(["check-ref-format", f"refs/heads/{name}"]) or name.startswith("-"):
        raise click.BadParameter(f"{name!r} is no name for a branch", param_hint="--branch")


def _outcomes(
    repositories: tuple[Repository, ...], request: Request, asked: dict[str, Any], terminal: Terminal
) -> list[Outcome]:
    from paged_attention_migrate.fleet import cluster, running
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.progress import Progress

    watched = not terminal.quiet and sys.stderr is not None and sys.stderr.isatty()
    findings = failures = 0
    with Progress(sys.stderr) if watched else nullcontext() as progress:

        def watch(done: int, total: int, outcome: Outcome) -> None:
            nonlocal findings, failures
            findings += sum(not each.fixed and each.severity != "info" for each in outcome.result.findings)
            failures += outcome.failed
            if progress is not None:
                progress(done, total, f"repositories, {findings} findings, {failures} failures")

        at_once = asked["jobs"] or os.cpu_count() or 1
        try:
            return running.run(repositories, request, at_once, asked["cluster"], asked["restart"], watch)
        except (running.NoFolder, cluster.Unusable) as error:
            raise Failure(str(error)) from None


def _told(repository: Repository, outcome: Outcome, request: Request) -> Told:
    from paged_attention_migrate.fleet.reports import Told, write
    from paged_attention_migrate.fleet.request import DIFF, Job
    from paged_attention_migrate.report.patch import patch

    shown = counts_of(outcome.result, Given(**request.shared))
    path = ""
    if request.mode == DIFF:
        folder = os.path.join(request.work, "patches")
        path = os.path.join(folder, f"{Job(repository, request).slug}.patch")
        if not outcome.result.changes:
            if os.path.exists(path):
                os.unlink(path)  # of an earlier run, and no longer true
            return Told(repository, outcome, shown)
        os.makedirs(folder, exist_ok=True)
        write(path, patch(outcome.result.changes, outcome.prefix))
    return Told(repository, outcome, shown, path)


def _report(
    told: list[Told], request: Request, notices: tuple[str, ...], form: str, terminal: Terminal, to_file: bool
) -> str:
    from paged_attention_migrate.fleet import reports
    from paged_attention_migrate.report.colour import Paint

    if form == "json":
        return reports.as_json(told, request.mode, notices)
    if form == "sarif":
        return reports.as_sarif(told)
    if form == "html":
        return reports.as_html(told, request.mode)
    return reports.as_text(told, Paint(on=False) if to_file else terminal.out, terminal.encoding)


def _failures(told: list[Told]) -> str:
    from paged_attention_migrate.report.text import printable

    failed = (each for each in told if each.outcome.failed)
    sentences = (
        (each.repository.name, each.outcome.failure or " ".join(each.outcome.result.notices)) for each in failed
    )
    return "".join(f"paged-attention-migrate: {printable(name)}: {printable(told)}\n" for name, told in sentences)
