"""The command line: check, rewrite, retire, explain, undo."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from paged_attention_migrate import __version__

if TYPE_CHECKING:
    from paged_attention_migrate.project import FileChange, Options, Result
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.summary import Counts
    from paged_attention_migrate.settings import Settings

_Function = TypeVar("_Function", bound=Callable[..., None])
_INTERRUPTED = 130
_NAMED = 5


class Commands(click.Group):
    """The group of commands; whatever goes wrong in one of them ends as one sentence."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo("paged-attention-migrate: interrupted", err=True)
            ctx.exit(_INTERRUPTED)
        except Exception as error:
            from paged_attention_migrate.report.failure import unexpected

            raise unexpected(error) from error


class Given(NamedTuple):
    """What check and rewrite both take."""

    paths: tuple[str, ...]
    output_format: str
    exclude: tuple[str, ...]
    from_version: str | None
    home: tuple[str, ...]
    force_callers: bool
    info: bool
    jobs: int
    quiet: bool
    color: str


_FORMATS = click.Choice(["text", "json"])
_COLORS = click.Choice(["auto", "always", "never"])
_COLOR = click.option("--color", type=_COLORS, default="auto", help="Colours; auto, the default: on a terminal.")
_OPTIONS = (
    click.argument("paths", nargs=-1, metavar="[PATHS]..."),
    click.option(
        "--output-format", type=_FORMATS, default="text", help="How findings are printed; text is the default."
    ),
    click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files that match; repeatable."),
    click.option("--from-version", metavar="X", help="The vLLM release that the code was written for."),
    click.option("--home", multiple=True, metavar="MODULE", help="A module that hands the functions on; repeatable."),
    click.option("--force-callers", is_flag=True, help="Where the tree defines the functions: treat them as gone."),
    click.option("--info", is_flag=True, help="Show mentions that break nothing, too."),
    click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Processes; 0, the default, decides by itself.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print findings and failures, nothing else."),
    _COLOR,
)


def _shared(function: _Function) -> _Function:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="paged-attention-migrate", message="%(prog)s %(version)s")
def main() -> None:
    """Moves code off vLLM's removed paged_attention_v1 and paged_attention_v2."""


@main.command(short_help="Report what breaks on vLLM 0.25 and later.")
@_shared
@click.option(
    "--account", is_flag=True, help="List every occurrence of a removed name that was left alone, with the reason."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even where there are findings.")
@click.pass_context
def check(ctx: click.Context, /, account: bool, exit_zero: bool, **shared: Any) -> None:
    """Report what breaks on vLLM 0.25 and later; exit with 1 if anything does.

    PATHS are files and directories, the current directory if there are none.
    """
    from paged_attention_migrate import project

    given = Given(**shared)
    result = _run(project.check, _options(given)._replace(account=account), given.quiet)
    if not (result.findings or result.notices or result.occurrences) and given.output_format == "text":
        ctx.exit(2 if result.failed else 0)
    from paged_attention_migrate.report.output import print_check, print_json
    from paged_attention_migrate.report.terminal import Terminal

    terminal = Terminal(given.color, given.quiet)
    counts = _counts(result, given)
    if given.output_format == "json":
        print_json(terminal, result, counts)
    else:
        print_check(terminal, result, counts, given.paths)
    ctx.exit(2 if result.failed else 1 if counts.failing and not exit_zero else 0)


@main.command(short_help="Rewrite what can be rewritten safely.")
@_shared
@click.option(
    "--diff", is_flag=True, help="Print a patch for `git apply` and write nothing; exit with 1 if there is one."
)
@click.option("--unsafe", is_flag=True, help="Make the edits that need a reader, too.")
@click.option("--no-simplify", is_flag=True, help="Leave scratch buffers and branches that have become superfluous.")
@click.option("--add-todo", is_flag=True, help="Leave a TODO comment at each place that is left for you.")
@click.option("--allow-dirty", is_flag=True, help="Write to files that have uncommitted changes, too.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if files were changed.")
@click.pass_context
def rewrite(
    ctx: click.Context,
    /,
    diff: bool,
    unsafe: bool,
    no_simplify: bool,
    add_todo: bool,
    allow_dirty: bool,
    exit_non_zero_on_fix: bool,
    **shared: Any,
) -> None:
    """Rewrite what can be rewritten safely; exit with 1 if anything is left for you.

    PATHS are files and directories, the current directory if there are none.
    """
    from paged_attention_migrate import project
    from paged_attention_migrate.report.output import print_json, print_patch, print_rewrite
    from paged_attention_migrate.report.terminal import Terminal

    given = Given(**shared)
    if diff and given.output_format == "json":
        raise click.UsageError("--diff prints a patch: it does not go with --output-format json")
    terminal = Terminal(given.color, given.quiet)
    options = _options(given)._replace(unsafe=unsafe, simplify=not no_simplify, add_todo=add_todo)
    result = _run(project.rewrite, options, given.quiet)
    refusal, undoable = (None, False) if diff else _write(result.changes, allow_dirty)
    if not (diff or refusal):
        result = result.once_written()
    if given.output_format == "json":
        result = _not_written(result) if refusal else result
        print_json(terminal, result, _counts(result, given))
    elif diff or refusal:
        print_patch(terminal, result, _counts(result, given), given.paths)
    else:
        print_rewrite(terminal, result, _counts(result, given), given.paths, undoable)
    if refusal:
        raise refusal
    left = _counts(result, given).failing or (result.changes and (diff or exit_non_zero_on_fix))
    ctx.exit(2 if result.failed else 1 if left else 0)


@main.command(short_help="Delete the functions from a tree that defines them.")
@click.argument("root", default=".")
@click.option(
    "--diff", is_flag=True, help="Print a patch for `git apply` and write nothing; exit with 1 if there is one."
)
@click.option("--why", metavar="PATH", help="Say why this file is deleted, edited or kept; writes nothing.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files that match; repeatable.")
@click.option("--allow-dirty", is_flag=True, help="Write to files that have uncommitted changes, too.")
@click.option("-q", "--quiet", is_flag=True, help="Print what was done and failures, nothing else.")
@_COLOR
@click.pass_context
def retire(
    ctx: click.Context,
    root: str,
    diff: bool,
    why: str | None,
    exclude: tuple[str, ...],
    allow_dirty: bool,
    quiet: bool,
    color: str,
) -> None:
    """Delete the removed functions from ROOT, a vLLM or a fork of it, and move the callers that stay.

    Exits with 1 if anything is left for you. Needs the extra `native`.
    """
    from paged_attention_migrate.retire.command import run

    ctx.exit(
        run(
            root,
            _settings_from(root, exclude),
            diff=diff,
            why=why,
            write=lambda changes: _write(changes, allow_dirty),
            terminal=(color, quiet),
        )
    )


@main.command(short_help="Explain a code or a removed name.")
@click.argument("subject", required=False, metavar="[CODE|NAME]")
@_COLOR
def explain(subject: str | None, color: str) -> None:
    """Explain a code (PAM102), its slug (call), or a removed name; list them all if none is given."""
    from paged_attention_migrate.explain import Unknown, index, page
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.terminal import Terminal, width

    terminal = Terminal(color)
    try:
        terminal.say(page(subject, terminal.out, width()) if subject else index(terminal.out))
    except Unknown as error:
        raise Failure(str(error)) from None


@main.command("undo", short_help="Take the last rewrite back.")
def take_back() -> None:
    """Take the last rewrite back; refuses where a file was changed since."""
    from paged_attention_migrate import undo
    from paged_attention_migrate.replacing import Refused
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.terminal import Terminal
    from paged_attention_migrate.report.text import printable

    try:
        restored = undo.undo()
    except Refused as error:
        raise Failure(str(error)) from None
    if not restored:
        raise Failure("there is no rewrite to take back here")
    Terminal().say("".join(f"restored {printable(path)}\n" for path in restored))


def _options(given: Given) -> Options:
    from paged_attention_migrate import project

    return project.Options(
        paths=given.paths or (".",),
        settings=_settings(given),
        force_callers=given.force_callers,
        jobs=given.jobs,
        mentions=given.info,
    )


def _settings(given: Given) -> Settings:
    """The settings of the project, with what the command line says on top."""
    from paged_attention_migrate import settings

    try:
        loaded = settings.load()
    except settings.SettingsError as error:
        from paged_attention_migrate.report.failure import Failure

        raise Failure(str(error)) from None
    return loaded._replace(
        exclude=(*loaded.exclude, *given.exclude),
        homes=(*loaded.homes, *given.home),
        from_version=_release(given.from_version) or loaded.from_version,
    )


def _settings_from(root: str, exclude: tuple[str, ...]) -> Settings:
    from paged_attention_migrate import settings
    from paged_attention_migrate.report.failure import Failure

    try:
        loaded = settings.load(root)
    except settings.SettingsError as error:
        raise Failure(str(error)) from None
    return loaded._replace(exclude=(*loaded.exclude, *exclude))


def _release(version: str | None) -> str | None:
    if version is None:
        return None
    from paged_attention_shim.removed import RELEASES

    release = version.removeprefix("v")
    if release not in RELEASES:
        raise click.BadParameter(f"{version!r} is no release of vLLM up to {RELEASES[-1]}", param_hint="--from-version")
    return release


def _run(work: Callable[..., Result], options: Options, quiet: bool) -> Result:
    """Work, with a bar where somebody watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        return work(options)
    from paged_attention_migrate.report.progress import Progress

    with Progress(sys.stderr) as progress:
        return work(options, progress)


def _counts(result: Result, given: Given) -> Counts:
    from paged_attention_migrate.report.summary import Counts

    return Counts(each for each in result.findings if given.info or each.fixed or each.severity != "info")


def _write(changes: tuple[FileChange, ...], allow_dirty: bool) -> tuple[Failure | None, bool]:
    """Replace the files, all or none: why nothing was written, if so, and whether `undo` can take it back."""
    if not changes:
        return None, False
    from paged_attention_migrate import replacing, undo
    from paged_attention_migrate.report.failure import Failure

    dirty = [] if allow_dirty else replacing.dirty([each.path for each in changes])
    if dirty:
        told = (
            f"{_some(dirty)} uncommitted changes, so nothing was written: commit or stash them, or pass --allow-dirty"
        )
        return Failure(told), False
    files = [(each.path, each.before, None if each.deleted else each.after) for each in changes]
    modes = {each.path: replacing.mode_of(each.path) for each in changes if each.deleted}
    try:
        replacing.replace_all(files)
    except replacing.Refused as error:
        return Failure(f"{error}, so nothing was written"), False
    try:
        return None, undo.remember(files, modes) if modes else undo.remember(files)
    except OSError:
        return None, False


def _some(paths: list[str]) -> str:
    named = ", ".join(paths[:_NAMED])
    rest = len(paths) - _NAMED
    if rest > 0:
        return f"{named} and {rest} more have"
    return f"{named} has" if len(paths) == 1 else f"{named} have"


def _not_written(result: Result) -> Result:
    return result._replace(changes=(), findings=tuple(each._replace(fixed=False) for each in result.findings))
